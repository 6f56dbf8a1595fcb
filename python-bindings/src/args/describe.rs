//! How messages speak of Python objects.

use opwright_runtime::resolve::{Describe, Kind, Signature};
use pyo3::ffi::PyObject;
use pyo3::prelude::*;

use super::Names;
use super::classify::classify;
use super::sequence::Sequence;
use crate::tensor::object;

/// The type's name, with its module unless that is obvious.
pub fn type_name(object: &Bound<'_, PyAny>) -> String {
    let class = object.get_type();
    class.name().map_or_else(|_| "object".to_owned(), |it| it.to_string())
}

/// The type and the detail that helps: a tensor's dtype and shape, a short number's value.
pub fn short(object: &Bound<'_, PyAny>) -> String {
    if let Some(tensor) = object::tensor_of(object) {
        let name = tensor.dtype().name();
        return format!("Tensor ({name}, shape {:?})", tensor.shape());
    }
    let name = type_name(object);
    if !matches!(name.as_str(), "int" | "float" | "bool" | "complex" | "str") {
        return name;
    }
    match object.repr() {
        Ok(value) if value.to_string().len() <= 24 => format!("{name} ({value})"),
        _ => name,
    }
}

/// The arguments of one call.
pub(super) struct Arguments<'a, 'py> {
    /// Python.
    pub py: Python<'py>,
    /// Positional arguments, then those of keywords.
    pub args: &'a [*mut PyObject],
    /// Keyword names.
    pub names: Names,
}

impl<'py> Arguments<'_, 'py> {
    fn bound(&self, arg: usize) -> Bound<'py, PyAny> {
        // SAFETY: the caller of the function keeps its arguments alive.
        unsafe { Bound::from_borrowed_ptr(self.py, self.args[arg]) }
    }
}

impl Describe for Arguments<'_, '_> {
    fn argument(&self, arg: usize) -> String {
        short(&self.bound(arg))
    }

    fn keyword(&self, keyword: usize) -> String {
        self.names.text(keyword).to_owned()
    }

    fn detail(&self, arg: usize, signature: &Signature, param: usize) -> Option<String> {
        let element = match signature.params[param].kind {
            Kind::TensorList | Kind::OptionalTensorList => Kind::Tensor,
            Kind::IntList | Kind::IntListOrInt => Kind::SymInt,
            Kind::FloatList => Kind::Float,
            Kind::ScalarList => Kind::Scalar,
            Kind::BoolList => Kind::Bool,
            _ => return None,
        };
        let object = self.bound(arg);
        if !object.is_instance_of::<pyo3::types::PyTuple>()
            && !object.is_instance_of::<pyo3::types::PyList>()
        {
            return None;
        }
        // SAFETY: a list or tuple that the caller keeps alive.
        let elements = unsafe { Sequence::new(object.as_ptr()) };
        // SAFETY: elements of a live sequence.
        let wrong = elements.iter().position(|it| unsafe { !classify(it).kind(element) })?;
        // SAFETY: `position` found this element, and nothing ran since.
        let found = unsafe { Bound::from_borrowed_ptr(self.py, elements.get(wrong)?) };
        Some(format!("whose element at position {wrong} is {}", short(&found)))
    }
}
