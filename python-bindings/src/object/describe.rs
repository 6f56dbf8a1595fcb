//! Descriptions of Python objects in messages.

use std::fmt::Write;

use opwright_runtime::Tensor;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyComplex, PyFloat, PyInt, PyString, PyType};

use super::{classes, foreign, hooks, tensor};
use crate::raw::Sequence;

/// The longest text of a value that is shown.
const LONGEST_VALUE: usize = 24;
/// The longest name of a class that is shown whole.
const LONGEST_NAME: usize = 60;
/// The most elements of a list that is shown.
const MOST_ELEMENTS: usize = 8;

/// The name of an object's type; `None` is its own.
pub fn type_name(object: &Bound<'_, PyAny>) -> String {
    let mut text = String::new();
    push_type_name(object, &mut text);
    text
}

/// The type and the detail that helps: a tensor's dtype and shape, a short value.
pub fn short(object: &Bound<'_, PyAny>) -> String {
    let mut text = String::new();
    push_short(object, &mut text);
    text
}

pub(crate) fn push_type_name(object: &Bound<'_, PyAny>, text: &mut String) {
    if object.is_none() {
        text.push_str("None");
        return;
    }
    if let Some(described) = hooks::describe(object) {
        text.push_str(&described);
        return;
    }
    let name = object.get_type().name();
    let is_namesake = || name.as_ref().is_ok_and(|it| is_namesake(&object.get_type(), it));
    if (foreign::is_foreign(object) || is_namesake())
        && let Ok(module) = object.get_type().module()
    {
        // What is expected has the same name.
        let _ = write!(text, "{module}.");
    }
    let name = name.as_ref().map_or("object", |it| it.to_str().unwrap_or("object"));
    if name.len() <= LONGEST_NAME && name.bytes().all(|it| it.is_ascii_graphic()) {
        text.push_str(name);
        return;
    }
    text.extend(name.chars().take(LONGEST_NAME).flat_map(char::escape_debug));
    if name.chars().nth(LONGEST_NAME).is_some() {
        text.push_str("...");
    }
}

/// Whether a class has the name of something that parameters take, and is another one.
fn is_namesake(class: &Bound<'_, PyType>, name: &Bound<'_, PyString>) -> bool {
    let names = ["Generator", "Tensor", "device", "dtype", "layout", "memory_format"];
    let builtin = ["bool", "complex", "float", "int", "list", "str", "tuple", "type"];
    let Ok(name) = name.to_str() else { return false };
    let Ok(module) = class.module() else { return false };
    let is_of = |package: &Bound<'_, PyType>| {
        let root = |it: &Bound<'_, PyString>| it.to_string().split('.').next().map(str::to_owned);
        package.module().is_ok_and(|it| root(&it) == root(&module))
    };
    let is_ours = || classes::TENSOR_BASE.is_set() && is_of(&classes::TENSOR_BASE.bind(class.py()));
    (builtin.contains(&name) && module != "builtins") || (names.contains(&name) && !is_ours())
}

pub(crate) fn push_short(object: &Bound<'_, PyAny>, text: &mut String) {
    push_type_name(object, text);
    push_details(object, text);
}

pub(crate) fn push_details(object: &Bound<'_, PyAny>, text: &mut String) {
    if let Some(tensor) = tensor::tensor_of(object) {
        push_tensor(tensor, text);
    } else if let Ok(class) = object.cast_exact::<PyType>()
        && let Ok(name) = class.fully_qualified_name()
    {
        let _ = write!(text, " ({name})");
    } else if is_plain(object) || is_short_list(object) {
        push_value(object, text);
    }
}

fn push_tensor(tensor: &Tensor, text: &mut String) {
    let (dtype, shape) = (tensor.dtype().name(), tensor.shape());
    write!(text, " ({dtype}, shape {shape:?})").expect("a string takes everything");
}

/// The text of a value whose class is known not to run code of others.
fn push_value(object: &Bound<'_, PyAny>, text: &mut String) {
    let Ok(value) = object.repr() else { return };
    let Ok(value) = value.to_str() else { return };
    if value.len() <= LONGEST_VALUE {
        text.push_str(" (");
        text.push_str(value);
        text.push(')');
    }
}

/// Whether an object is just a number or a text that is not long.
fn is_plain(object: &Bound<'_, PyAny>) -> bool {
    object.is_exact_instance_of::<PyInt>()
        || object.is_exact_instance_of::<PyFloat>()
        || object.is_exact_instance_of::<PyBool>()
        || object.is_exact_instance_of::<PyComplex>()
        || classes::DTYPE.is_exact(object)
        || object.is_exact_instance_of::<PyString>()
            && object.len().is_ok_and(|it| it <= LONGEST_VALUE)
}

/// Whether an object is a list or tuple of a few plain values.
fn is_short_list(object: &Bound<'_, PyAny>) -> bool {
    let Some(elements) = sequence(object) else { return false };
    elements.len() <= MOST_ELEMENTS && elements.iter().all(|it| is_plain(&it))
}

pub(crate) fn sequence<'a, 'py>(object: &'a Bound<'py, PyAny>) -> Option<Sequence<'a, 'py>> {
    Sequence::of(object.as_borrowed())
}
