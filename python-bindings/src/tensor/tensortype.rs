//! Types of tensors: `FloatTensor` and its like, one for each dtype.
//!
//! They are classes that have no instances. What one makes when it is called is a `Tensor`, and
//! `isinstance` asks for the dtype; so they are instances of a class of classes, `tensortype`.

use std::ffi::{CStr, CString, c_void};
use std::ptr;
use std::sync::OnceLock;

use opwright_runtime::resolve::OverloadSet;
use opwright_runtime::{DType, Device, Error, Layout};
use pyo3::exceptions::PyTypeError;
use pyo3::ffi::{self, PyGetSetDef};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyModule, PyTuple, PyType};

use super::attributes::Attributes;
use super::constructor::{self, Constructor};
use crate::object::trampoline::trampoline;
use crate::object::{self, Convert, Failure, classes, package};
use crate::raw::method::{self, Methods};
use crate::raw::{Class, Lent, New, Optional, Plain, Spec, entry};

const DOC: &CStr =
    c"The class of `FloatTensor` and its like: a type of tensors for each dtype.\n\n\
    Calling one makes a `Tensor`, and `isinstance` says whether a tensor in main memory has its \
    dtype.";

/// The class of the types.
static TENSORTYPE: Class = Class::new();

/// The types, in the order of the dtypes; made by the first call of `_initExtension`.
static TYPES: [Class; DType::COUNT] = [const { Class::new() }; DType::COUNT];

/// Adds the class of the types, and the function that makes them.
pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    let spec = Spec {
        name: CString::new(format!("{}.tensortype", package::name()))?,
        // As large as a class.
        size: 0,
        flags: 0,
        slots: vec![
            Spec::slot(ffi::Py_tp_doc, DOC.as_ptr().cast()),
            Spec::slot(ffi::Py_tp_call, call as *const c_void),
            Spec::slot(ffi::Py_tp_methods, (&raw const METHODS.0).cast()),
            Spec::slot(ffi::Py_tp_getset, (&raw const ATTRIBUTES.0).cast()),
        ],
    };
    // SAFETY: each slot has what its id asks for, in tables that are static and ended; the functions
    // take classes, which instances of a class derived from `type` are.
    let class = unsafe { spec.make(py, None, Some(&py.get_type::<PyType>()))? };
    TENSORTYPE.set(&class);
    module.add("tensortype", class)?;
    module.add_function(wrap_pyfunction!(init_extension, module)?)
}

/// The dtype of a type.
pub(super) fn dtype_of(class: &Bound<'_, PyAny>) -> Option<DType> {
    // An object is never at the address of a type that was not made.
    DType::ALL.into_iter().find(|it| TYPES[*it as usize].get().cast() == class.as_ptr())
}

/// What the type of a dtype is called: `FloatTensor`.
pub(super) fn name(dtype: DType) -> String {
    format!("{}Tensor", dtype.title())
}

/// Makes the types, once, and binds them in the package.
///
/// # Errors
///
/// Whatever making a class raises.
#[pyfunction(name = "_initExtension")]
fn init_extension(py: Python<'_>) -> PyResult<()> {
    let package = py.import(package::name())?;
    let native = py.import(format!("{}._C", package::name()))?;
    for dtype in DType::ALL {
        let class = &TYPES[dtype as usize];
        if !class.is_set() {
            class.set(&make(py, dtype)?);
        }
        for module in [&package, &native] {
            module.setattr(name(dtype), class.bind(py))?;
        }
    }
    Ok(())
}

/// The type of a dtype, which has all that tensors have in its dictionary.
fn make(py: Python<'_>, dtype: DType) -> PyResult<Bound<'_, PyType>> {
    let name = name(dtype);
    let namespace = PyDict::new(py);
    for class in [&classes::TENSOR_BASE, &classes::TENSOR] {
        namespace.call_method1("update", (class.bind(py).getattr("__dict__")?,))?;
    }
    namespace.set_item("__module__", package::name())?;
    namespace
        .set_item("__doc__", format!("Tensors of {dtype}: `{name}(2, 3)`, `{name}([1, 0])`."))?;
    let refusing = wrap_pyfunction!(refuse_subclass, py)?;
    let refusing = py.import("builtins")?.getattr("classmethod")?.call1((refusing,))?;
    namespace.set_item("__init_subclass__", refusing)?;
    let made = TENSORTYPE.bind(py).call1((name, PyTuple::empty(py), namespace))?;
    Ok(made.cast_into()?)
}

/// Without instances there is nothing to derive.
#[pyfunction(signature = (class, **_kwargs))]
fn refuse_subclass(class: &Bound<'_, PyType>, _kwargs: Option<&Bound<'_, PyDict>>) -> PyResult<()> {
    Err(PyTypeError::new_err(format!(
        "`{}` cannot be derived from a type of tensors, which has no instances; derive it from \
         `Tensor`",
        class.name()?
    )))
}

/// The constructor of a type, with what messages say of it.
fn constructor_of(dtype: DType) -> &'static OverloadSet {
    static CONSTRUCTORS: [OnceLock<OverloadSet>; DType::COUNT] =
        [const { OnceLock::new() }; DType::COUNT];
    CONSTRUCTORS[dtype as usize].get_or_init(|| {
        let name: &str = name(dtype).leak();
        let text = |first| format!("{name}({first}, *, device device=None)").leak() as &str;
        let signatures = Box::new([
            constructor::of_data(text("object data=()")),
            constructor::of_size(text("tuple[int] size")),
        ]);
        OverloadSet::new(name, Box::leak(signatures))
    })
}

static METHODS: Methods<2> = Methods([
    method::with_one(
        c"__instancecheck__",
        is_instance,
        c"__instancecheck__($self, instance, /)\n--\n\n\
          Whether an object is a tensor of this dtype in main memory.",
    ),
    Methods::<0>::END,
]);

entry! {
    fn is_instance(py, class: Lent<PyType>, object: Lent<PyAny>) -> New {
        trampoline("isinstance", None, || {
            let dtype = known(&class)?;
            let is_one = object::tensor_of(&object)
                .is_some_and(|it| it.dtype() == dtype && it.device() == Device::Cpu);
            Ok(Some(is_one.object(py)?))
        })
    }

    /// `FloatTensor(2, 3)`: a plain `Tensor`.
    fn call(py, class: Lent<PyType>, args: Lent<PyTuple>, kwargs: Optional<PyDict>) -> New {
        let name = dtype_of(&class).map_or("tensortype", |it| constructor_of(it).name);
        trampoline(name, None, || {
            let dtype = known(&class)?;
            let constructor = Constructor { dtype, device: Device::Cpu, is_strict: true };
            let function = constructor_of(dtype);
            let made = constructor::bound(function, &args, kwargs.as_deref(), |call| {
                constructor.make(call)
            })?;
            Ok(Some(made.object(py)?))
        })
    }
}

/// The dtype of a type. Others of its class can be made by hand, and are of no use.
fn known(class: &Bound<'_, PyType>) -> Result<DType, Failure> {
    dtype_of(class).ok_or_else(|| {
        let name = class.name().map_or_else(|_| "it".to_owned(), |it| it.to_string());
        Error::wrong_type(format_args!("`{name}` is the type of no dtype")).into()
    })
}

macro_rules! attributes {
    ($($shown:literal, $doc:literal, $name:ident = $answer:expr;)*) => {
        $(
            entry! {
                fn $name(py, class: Lent<PyType>, _closure: Plain<*mut c_void>) -> New {
                    trampoline("tensortype", None, || {
                        let answer: fn(DType) -> _ = $answer;
                        Ok(Some(answer(known(&class)?).object(py)?))
                    })
                }
            }
        )*

        /// What a type says of its tensors.
        static ATTRIBUTES: Attributes<{ [$($shown),*].len() + 1 }> = Attributes([
            $(PyGetSetDef {
                name: CStr::as_ptr($shown),
                get: Some($name),
                set: None,
                doc: CStr::as_ptr($doc),
                closure: ptr::null_mut(),
            },)*
            super::attributes::END,
        ]);
    };
}

attributes! {
    c"dtype", c"The type of the elements.", dtype = |dtype| dtype;
    c"layout", c"How the elements are found.", layout = |_| Layout::Strided;
    c"is_cuda", c"Always False: there are no CUDA devices.", is_cuda = |_| false;
    c"is_sparse", c"Always False: all tensors are strided.", is_sparse = |_| false;
}
