//! Names of types of tensors, such as `opwright.FloatTensor`: what `type` says and reads.

use opwright_runtime::{DType, Device, Error, Tensor, default_dtype};
use pyo3::prelude::*;
use pyo3::types::{PyString, PyType};

use super::tensortype;
use crate::object::text::text;
use crate::object::{Failure, classes, package, short, type_name};
use crate::types::PyDType;

/// What a tensor is to become.
#[derive(Clone, Copy)]
pub(super) struct ConversionTarget {
    pub(super) dtype: DType,
    /// A dtype alone leaves a tensor where it is.
    pub(super) device: Option<Device>,
}

/// The name of the type of a tensor.
pub(super) fn of(tensor: &Tensor) -> String {
    let place = match tensor.device() {
        Device::Cpu => "",
        Device::Meta => "meta.",
    };
    format!("{}.{place}{}", package::name(), tensortype::name(tensor.dtype()))
}

/// The type that an object is or names: `FloatTensor`, `Tensor` for the default one, or a dtype.
///
/// # Errors
///
/// `TypeError` for other objects, `ValueError` for other names.
pub(super) fn read(object: &Bound<'_, PyAny>) -> Result<ConversionTarget, Failure> {
    if let Some(dtype) = of_class(object) {
        return Ok(ConversionTarget { dtype, device: Some(Device::Cpu) });
    }
    if object.is_instance_of::<PyString>() {
        let name = text(object)?;
        let dtype = named(&name).ok_or_else(|| unknown(&name))?;
        return Ok(ConversionTarget { dtype, device: Some(Device::Cpu) });
    }
    match PyDType::read(object) {
        Ok(dtype) => Ok(ConversionTarget { dtype, device: None }),
        Err(_) => Err(Error::wrong_type(format_args!(
            "expected a type of tensors, the name of one or a dtype, not {}",
            short(object)
        ))
        .into()),
    }
}

/// The same of an object that stands for floating-point tensors by default: a type or its name.
///
/// # Errors
///
/// `TypeError` for other objects and for other names.
pub(super) fn read_default(object: &Bound<'_, PyAny>) -> Result<DType, Failure> {
    let found = if object.is_instance_of::<PyString>() {
        named(&text(object)?)
    } else {
        tensortype::dtype_of(object)
    };
    found.ok_or_else(|| {
        let given = match object.cast::<PyType>() {
            Ok(class) => {
                class.fully_qualified_name().map_or_else(|_| type_name(object), |it| it.to_string())
            }
            Err(_) => short(object),
        };
        Error::wrong_type(format_args!(
            "expected a type of tensors or the name of one, such as {}.{}, not {given}",
            package::name(),
            tensortype::name(DType::Float64)
        ))
        .into()
    })
}

fn of_class(object: &Bound<'_, PyAny>) -> Option<DType> {
    let is_tensor = object.as_ptr() == classes::TENSOR.get().cast();
    if is_tensor { Some(default_dtype()) } else { tensortype::dtype_of(object) }
}

/// The dtype of the type of a name, with the package in front, or that of PyTorch, which has names
/// of its own for the same.
fn named(name: &str) -> Option<DType> {
    let (package, class) = name.rsplit_once('.')?;
    if ![package::name(), "opwright", "torch"].contains(&package) {
        return None;
    }
    match class.strip_suffix("Tensor")? {
        "" => Some(default_dtype()),
        title => DType::from_title(title),
    }
}

#[cold]
fn unknown(name: &str) -> Failure {
    let types: Vec<String> = DType::ALL.into_iter().map(tensortype::name).collect();
    Error::value(format_args!(
        "`{name}` is not the name of a type of tensors; behind `{}.` there are {}",
        package::name(),
        types.join(", ")
    ))
    .into()
}
