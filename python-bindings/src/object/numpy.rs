//! numpy's scalar types, if numpy is loaded: they count as numbers.

use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::raw::{self, Class};

/// The category of a numpy scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NumpyScalar {
    /// `numpy.bool_`.
    Bool,
    /// `numpy.integer`.
    Int,
    /// `numpy.floating`.
    Float,
    /// `numpy.complexfloating`.
    Complex,
}

/// `generic`, `bool_`, `integer`, `floating`, `complexfloating`; not set until numpy is seen.
static TYPES: [Class; 5] = [const { Class::new() }; 5];
const NAMES: [&str; 5] = ["generic", "bool_", "integer", "floating", "complexfloating"];

/// The category of `object`, if it is one of numpy's scalars.
pub(crate) fn scalar(object: &Bound<'_, PyAny>) -> Option<NumpyScalar> {
    let is = |at: usize| TYPES[at].is_class_of(object);
    if !loaded(object.py()) || !is(0) {
        return None;
    }
    [NumpyScalar::Bool, NumpyScalar::Int, NumpyScalar::Float, NumpyScalar::Complex]
        .into_iter()
        .enumerate()
        .find_map(|(at, scalar)| is(at + 1).then_some(scalar))
}

/// Whether `object` is a numpy scalar.
pub fn is_numpy_scalar(object: &Bound<'_, PyAny>) -> bool {
    scalar(object).is_some()
}

/// The name of a numpy dtype, or of that of a numpy scalar's class.
///
/// Elements in a foreign byte order have none.
#[cold]
pub(crate) fn dtype_name(object: &Bound<'_, PyAny>) -> Option<String> {
    if !loaded(object.py()) {
        return None;
    }
    let dtype_class = module(object.py())?.getattr("dtype").ok()?;
    let dtype = if let Ok(class) = object.cast::<PyType>() {
        if !TYPES[0].is_base_of(class) {
            return None;
        }
        dtype_class.call1((class,)).ok()?
    } else if object.is_instance(&dtype_class).unwrap_or(false) {
        object.clone()
    } else {
        return None;
    };
    let is_native = dtype.getattr("isnative").ok()?.is_truthy().ok()?;
    if is_native { dtype.getattr("name").ok()?.extract().ok() } else { None }
}

/// numpy, if it is imported.
fn module(py: Python<'_>) -> Option<Bound<'_, PyAny>> {
    raw::imported(py, c"numpy")
}

/// Whether numpy is imported; looks its types up the first time that it is.
fn loaded(py: Python<'_>) -> bool {
    TYPES[0].is_set() || find(py).is_some()
}

#[cold]
fn find(py: Python<'_>) -> Option<()> {
    let numpy = module(py)?;
    let mut types = Vec::with_capacity(NAMES.len());
    for name in NAMES {
        types.push(numpy.getattr(name).ok()?.cast_into::<PyType>().ok()?);
    }
    // The first one is set last: it says that all are there.
    for (slot, class) in TYPES.iter().zip(types).rev() {
        slot.set(&class);
    }
    Some(())
}
