//! Objects that stand for ours: dtypes of numpy, and what another module of
//! operators has.
//!
//! Classes of modules differ, even if the modules are alike. So an object says
//! by an attribute of its class what it is, and the rest is known by name.

use opwright_runtime::{DType, Device, Layout, MemoryFormat};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyString;

use super::numpy;
use crate::raw;
use crate::tensor::object;
use crate::types::{PyDType, PyDevice, PyGenerator, PyLayout, PyMemoryFormat};

/// The attribute of a class that says what its instances are.
pub(crate) const KIND: &str = "_opwright_kind";

/// What an object is to another module of operators: `Tensor`, `dtype`.
pub(super) fn kind(object: &Bound<'_, PyAny>) -> Option<String> {
    let class = object.get_type();
    // To look for an attribute in vain takes long, and classes that live as long as the process,
    // such as those of numbers and texts, are those of no module of operators.
    if !raw::is_heap(&class) {
        return None;
    }
    let kind = class.getattr_opt(intern!(object.py(), KIND)).ok()??;
    kind.cast_exact::<PyString>().ok()?.extract().ok()
}

/// Whether it is a tensor of another module.
pub(crate) fn is_foreign_tensor(object: &Bound<'_, PyAny>) -> bool {
    object::tensor_of(object).is_none() && kind(object).is_some_and(|it| it == "Tensor")
}

/// Whether another module of operators made it.
pub(super) fn is_foreign(object: &Bound<'_, PyAny>) -> bool {
    if object::tensor_of(object).is_some() {
        return false;
    }
    kind(object).is_some_and(|it| match it.as_str() {
        "Tensor" => true,
        "dtype" => !object.is_instance_of::<PyDType>(),
        "device" => !object.is_instance_of::<PyDevice>(),
        "layout" => !object.is_instance_of::<PyLayout>(),
        "memory_format" => !object.is_instance_of::<PyMemoryFormat>(),
        "Generator" => !object.is_instance_of::<PyGenerator>(),
        _ => false,
    })
}

/// Our object for what an object stands for by its name alone.
pub(crate) fn of<'py>(object: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    let py = object.py();
    if let Some(name) = numpy::dtype_name(object) {
        let dtype = DType::from_name(&name).map(|it| PyDType::object(py, it));
        return Ok(dtype.transpose()?.map(Bound::into_any));
    }
    if !is_foreign(object) {
        return Ok(None);
    }
    let Some(name) = name(object) else { return Ok(None) };
    let found = match kind(object).as_deref() {
        Some("dtype") => DType::from_name(&name).map(|it| Ok(PyDType::object(py, it)?.into_any())),
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

/// The last part of what an object is called, in its module and in ours.
fn name(object: &Bound<'_, PyAny>) -> Option<String> {
    let text = object.str().ok()?;
    let text = text.to_str().ok()?;
    Some(text.rsplit('.').next().unwrap_or(text).to_owned())
}

/// A generator that continues where one of another module is.
pub(super) fn generator<'py>(
    object: &Bound<'py, PyAny>,
) -> PyResult<Option<Bound<'py, PyGenerator>>> {
    if object::tensor_of(object).is_some() || object.is_instance_of::<PyGenerator>() {
        return Ok(None);
    }
    if kind(object).is_none_or(|it| it != "Generator") {
        return Ok(None);
    }
    let generator = Bound::new(object.py(), PyGenerator(opwright_runtime::Generator::default()))?;
    PyGenerator::set_state(generator.clone(), &object.call_method0("get_state")?)?;
    Ok(Some(generator))
}
