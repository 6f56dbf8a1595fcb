//! Foreign types: objects of another module of operators, which stand for ours.
//!
//! Classes of modules differ, even if the modules are alike. So an object says
//! by an attribute of its class what it is, and the rest is known by name.

use opwright_runtime::DType;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyString;

use super::{classes, numpy, tensor};
use crate::raw;

/// The attribute of a class that says what its instances are.
pub(crate) const KIND: &str = "_opwright_kind";

/// What an object is to another module of operators: `Tensor`, `dtype`.
pub(crate) fn kind(object: &Bound<'_, PyAny>) -> Option<String> {
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
    tensor::tensor_of(object).is_none() && kind(object).is_some_and(|it| it == "Tensor")
}

/// Whether another module of operators made it.
pub(crate) fn is_foreign(object: &Bound<'_, PyAny>) -> bool {
    if tensor::tensor_of(object).is_some() {
        return false;
    }
    kind(object).is_some_and(|it| match it.as_str() {
        "Tensor" => true,
        "dtype" => !classes::DTYPE.is_class_of(object),
        "device" => !classes::DEVICE.is_class_of(object),
        "layout" => !classes::LAYOUT.is_class_of(object),
        "memory_format" => !classes::MEMORY_FORMAT.is_class_of(object),
        "Generator" => !classes::GENERATOR.is_class_of(object),
        _ => false,
    })
}

/// The dtype that one of numpy, or of another module, stands for by its name.
#[cold]
pub(crate) fn dtype(object: &Bound<'_, PyAny>) -> Option<DType> {
    if let Some(name) = numpy::dtype_name(object) {
        return DType::from_name(&name);
    }
    let is_dtype = is_foreign(object) && kind(object)? == "dtype";
    DType::from_name(&is_dtype.then(|| name(object))??)
}

/// The last part of what an object is called, in its module and in ours.
pub(crate) fn name(object: &Bound<'_, PyAny>) -> Option<String> {
    let text = object.str().ok()?;
    let text = text.to_str().ok()?;
    Some(text.rsplit('.').next().unwrap_or(text).to_owned())
}
