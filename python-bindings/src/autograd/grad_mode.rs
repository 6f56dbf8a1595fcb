//! `no_grad` and `enable_grad`: what they are derived from, which enters the mode and leaves it.

use std::ffi::{CStr, c_void};

use opwright_runtime::autograd::set_recording;
use opwright_runtime::lock::{Guard, Lock};
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::ffi::{self, Py_ssize_t, PyObject};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyModule, PyTuple, PyType};
use smallvec::SmallVec;

use crate::object::Failure;
use crate::object::trampoline::trampoline;
use crate::raw::method::{self, Methods};
use crate::raw::{
    ClassOf, Instance, InstanceValue, Lent, New, Optional, Plain, Spec, Unused, entry,
};

/// Adds the classes to the module.
///
/// # Errors
///
/// Whatever making a class raises.
pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let classes = [
        ("_NoGrad", c"opwright._C._NoGrad", without_recording as *const c_void),
        ("_EnableGrad", c"opwright._C._EnableGrad", with_recording as *const c_void),
    ];
    for ((name, path, new), known) in classes.into_iter().zip(&CLASSES) {
        let class = known.get_or_try_init(module.py(), || class(module.py(), path, new))?;
        module.add(name, class.class(module.py()))?;
    }
    Ok(())
}

/// The classes of modes that record nothing, and that record.
static CLASSES: [PyOnceLock<ClassOf<Entered>>; 2] = [const { PyOnceLock::new() }; 2];

fn class(py: Python<'_>, path: &CStr, new: *const c_void) -> PyResult<ClassOf<Entered>> {
    let slots = vec![
        Spec::slot(ffi::Py_tp_new, new),
        Spec::slot(ffi::Py_tp_methods, (&raw const ENTRIES).cast()),
    ];
    // SAFETY: the functions are of the types that the ids say, for instances that hold `Entered`,
    // which `made` makes; the table of methods is static.
    unsafe { ClassOf::new(py, path.to_owned(), ffi::Py_TPFLAGS_BASETYPE, slots) }
}

static ENTRIES: Methods<3> = Methods([
    method::alone(c"__enter__", enter, c"__enter__($self, /)\n--\n\nRecord from now on, or not."),
    method::with_arguments(
        c"__exit__",
        exit,
        c"__exit__($self, kind, error, traceback, /)\n--\n\nDo what was done before.",
    ),
    Methods::<3>::END,
]);

/// A mode, which can be entered within itself.
struct Entered {
    mode: bool,
    /// Whether calls were recorded before each time.
    before: Lock<SmallVec<[bool; 8]>>,
}

impl Entered {
    fn before(&self) -> Guard<'_, SmallVec<[bool; 8]>> {
        self.before.lock()
    }
}

impl InstanceValue for Entered {
    fn release(self, _py: Python<'_>) {}
}

/// A mode, or what a mode makes of a function that it decorates.
fn made<'py>(
    class: Borrowed<'_, 'py, PyType>,
    mode: bool,
    args: Borrowed<'_, 'py, PyTuple>,
    kwargs: Option<Borrowed<'_, 'py, PyDict>>,
) -> Result<Bound<'py, PyAny>, Failure> {
    let function = match (args.len(), kwargs.map_or(0, |it| it.len())) {
        (0, 0) => None,
        (1, 0) => Some(args.get_item(0)?).filter(|it| !it.is_none()),
        _ => {
            let text = format!("{}() takes a function to decorate, or nothing", class.name()?);
            return Err(PyTypeError::new_err(text).into());
        }
    };
    let value = Entered { mode, before: Lock::default() };
    let known = CLASSES[usize::from(mode)].get(class.py());
    let own = known.ok_or_else(|| PyRuntimeError::new_err("the module is not ready"))?;
    let made = own.derived(&class, value)?.into_any();
    Ok(match function {
        Some(function) => made.call1((function,))?,
        None => made,
    })
}

entry! {
    fn without_recording(
        _py,
        class: Lent<PyType>,
        args: Lent<PyTuple>,
        kwargs: Optional<PyDict>
    ) -> New {
        trampoline("no_grad", None, || made(class, false, args, kwargs).map(Some))
    }

    fn with_recording(
        _py,
        class: Lent<PyType>,
        args: Lent<PyTuple>,
        kwargs: Optional<PyDict>
    ) -> New {
        trampoline("enable_grad", None, || made(class, true, args, kwargs).map(Some))
    }

    fn enter(py, mode: Lent<Instance<Entered>>, _none: Unused) -> New {
        trampoline("__enter__", None, || {
            let entered = Instance::value(mode);
            let before = set_recording(entered.mode);
            entered.before().push(before);
            Ok(Some(py.None().into_bound(py)))
        })
    }

    fn exit(
        py,
        mode: Lent<Instance<Entered>>,
        _exception: Plain<*const *mut PyObject>,
        _count: Plain<Py_ssize_t>,
        _names: Unused
    ) -> New {
        trampoline("__exit__", None, || {
            let before = Instance::value(mode).before().pop();
            let before = before.ok_or_else(|| {
                PyRuntimeError::new_err("a mode is left that nobody has entered")
            })?;
            set_recording(before);
            Ok(Some(py.None().into_bound(py)))
        })
    }
}
