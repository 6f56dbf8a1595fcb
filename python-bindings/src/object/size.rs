//! `Size`: a tuple of sizes.
//!
//! The class is written in Python. Its native base does what is asked most
//! often, one size or a slice of them, without running code of Python.

use std::ffi::{CString, c_void};
use std::sync::atomic::{AtomicBool, Ordering};

use opwright_runtime::Tensor;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyModule, PySlice, PyTuple, PyType};

use super::classes;
use super::convert::{Convert, Reading};
use super::failure::{Failure, throw};
use super::list::Ints;
use super::number::exact_int;
use crate::raw::{self, Lent, New, Spec, entry};

/// Sizes on their way to Python, where they are a `Size`.
pub struct Size(pub Ints);

/// Whether a tuple whose memory was asked for and filled is one in all respects: newer
/// interpreters keep a hash in it, which only their own constructor prepares.
static IS_FILLED: AtomicBool = AtomicBool::new(false);

impl Size {
    /// The shape of a tensor.
    pub fn of(tensor: &Tensor) -> Size {
        Size(Ints::from_slice(tensor.shape()))
    }
}

#[diagnostic::do_not_recommend]
impl Convert for Size {
    fn unpack(object: &Bound<'_, PyAny>, reading: Reading) -> Result<Self, Failure> {
        Ok(Size(Convert::unpack(object, reading)?))
    }

    fn object(self, py: Python<'_>) -> Result<Bound<'_, PyAny>, Failure> {
        if IS_FILLED.load(Ordering::Relaxed) {
            return Ok(filled(py, &self.0)?);
        }
        Ok(constructed(&PyTuple::new(py, self.0)?)?)
    }
}

/// Adds the native base of the class.
pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    let spec = Spec {
        name: CString::new(format!("{}._SizeBase", module.name()?))?,
        // As large as a tuple.
        size: 0,
        flags: ffi::Py_TPFLAGS_BASETYPE,
        slots: vec![Spec::slot(ffi::Py_mp_subscript, subscript as *const c_void)],
    };
    // SAFETY: `subscript` takes two objects and returns one, as its slot asks, the first a tuple,
    // which instances of a class derived from `tuple` are.
    let class = unsafe { spec.make(py, None, Some(&py.get_type::<PyTuple>()))? };
    module.add("_SizeBase", class)
}

/// Says which class, derived from `tuple`, the package uses for sizes.
///
/// # Errors
///
/// `MemoryError`.
pub(crate) fn set_class(class: &Bound<'_, PyType>) -> PyResult<()> {
    classes::SIZE.set(class);
    let sizes = [2, 3];
    let is_filled =
        filled(class.py(), &sizes)?.hash()? == PyTuple::new(class.py(), sizes)?.hash()?;
    IS_FILLED.store(is_filled, Ordering::Relaxed);
    Ok(())
}

/// What `Size(sizes)` would be, without running the class's own code: the
/// sizes are known to be integers.
fn constructed<'py>(sizes: &Bound<'py, PyTuple>) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: the class is `tuple`, or written in Python over a native one that adds nothing to it.
    unsafe { raw::tuple_new(&classes::SIZE.bind(sizes.py()), sizes) }
}

/// The same without a second tuple, which takes a third of the time.
fn filled<'py>(py: Python<'py>, sizes: &[i64]) -> PyResult<Bound<'py, PyAny>> {
    let items = sizes.iter().map(|&it| raw::int(py, it));
    // SAFETY: the class is `tuple`, or written in Python over a native one that adds nothing to it;
    // there is an item for each size, and integers are made without code of Python.
    unsafe { raw::tuple_instance(&classes::SIZE.bind(py), sizes.len(), items) }
}

entry! {
    /// `size[key]`: a slice of sizes is a `Size`, too.
    fn subscript(_py, size: Lent<PyTuple>, key: Lent<PyAny>) -> New {
        if let Some(item) = item(size, &key) {
            return Some(item);
        }
        let part = raw::tuple_item(&size, &key).and_then(|it| match it.cast_exact::<PyTuple>() {
            Ok(part) if key.is_exact_instance_of::<PySlice>() => constructed(part),
            _ => Ok(it),
        });
        part.map_err(|error| throw(|_| error)).ok()
    }
}

/// One size for a plain integer within the bounds.
#[inline]
fn item<'py>(
    size: Borrowed<'_, 'py, PyTuple>,
    key: &Bound<'py, PyAny>,
) -> Option<Bound<'py, PyAny>> {
    let index = exact_int(key)? as isize;
    let index = if index < 0 { index + raw::tuple_len(&size) as isize } else { index };
    // A negative index is none of a tuple.
    raw::tuple_get(size, index as usize).map(|it| it.to_owned())
}
