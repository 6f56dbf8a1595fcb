//! Foreign types: our objects for dtypes of numpy, and for what another module of operators has.

use opwright_runtime::{Device, Generator, Layout, MemoryFormat};
use pyo3::prelude::*;

use super::device::PyDevice;
use super::dtype::PyDType;
use super::generator::PyGenerator;
use super::layout::{PyLayout, PyMemoryFormat};
use crate::object::{foreign, tensor_of};

/// Our object for what an object stands for by its name alone.
pub(crate) fn of<'py>(object: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    let py = object.py();
    if let Some(dtype) = foreign::dtype(object) {
        return Ok(Some(PyDType::object(py, dtype)?.into_any()));
    }
    if !foreign::is_foreign(object) {
        return Ok(None);
    }
    let Some(name) = foreign::name(object) else { return Ok(None) };
    let found = match foreign::kind(object).as_deref() {
        Some("device") => {
            name.parse::<Device>().ok().map(|it| Ok(PyDevice::object(py, it)?.into_any()))
        }
        Some("layout") => (name == Layout::Strided.to_string())
            .then(|| Ok(PyLayout::object(py, Layout::Strided)?.into_any())),
        Some("memory_format") => MemoryFormat::from_name(&name)
            .map(|it| Ok(Bound::new(py, PyMemoryFormat(it))?.into_any())),
        _ => None,
    };
    found.transpose()
}

/// A generator that continues where one of another module is.
pub(crate) fn generator<'py>(
    object: &Bound<'py, PyAny>,
) -> PyResult<Option<Bound<'py, PyGenerator>>> {
    if tensor_of(object).is_some() || object.is_instance_of::<PyGenerator>() {
        return Ok(None);
    }
    if foreign::kind(object).is_none_or(|it| it != "Generator") {
        return Ok(None);
    }
    let generator = Bound::new(object.py(), PyGenerator(Generator::default()))?;
    PyGenerator::set_state(generator.clone(), &object.call_method0("get_state")?)?;
    Ok(Some(generator))
}
