//! The constructor of the class of a struct: its fields, and arguments bound to them.

use opwright_runtime::op::Value;
use opwright_runtime::types::{Coerce, StructField, Structure, TypeRef};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};

use crate::object::failure::{Failure, placed};
use crate::object::hooks;

/// A part of a struct, with its type.
pub(super) struct Attribute {
    pub(super) structure: &'static Structure,
    pub(super) part: &'static StructField,
    pub(super) ty: TypeRef,
}

impl Attribute {
    /// `Interval.lo`.
    pub(super) fn place(&self) -> String {
        self.structure.place(self.part)
    }

    /// An object as a value of the field.
    ///
    /// # Errors
    ///
    /// `TypeError` if it is none, which says of which field.
    pub(super) fn accept(&self, object: &Bound<'_, PyAny>, how: Coerce) -> PyResult<Value> {
        hooks::accept(&self.ty, object, how)
            .map_err(|error| placed(object.py(), error, &self.place()))
    }
}

/// The values of the fields: by position, by name, or what is said of those that are not given.
///
/// # Errors
///
/// `TypeError` for a call that does not fit, or a value that a field does not take.
pub(super) fn bound(
    structure: &Structure,
    attributes: &[Attribute],
    args: &Bound<'_, PyTuple>,
    kwargs: Option<&Bound<'_, PyDict>>,
) -> Result<Vec<Value>, Failure> {
    let count = attributes.len();
    if args.len() > count {
        return Err(wrong(
            structure,
            attributes,
            &format!("takes {count} arguments, not {}", args.len()),
        ));
    }
    let mut given: Vec<Option<Bound<'_, PyAny>>> = args.iter().map(Some).collect();
    given.resize(count, None);
    for (name, value) in kwargs.into_iter().flatten() {
        let name = name.cast::<PyString>().map_err(PyErr::from)?.to_string_lossy();
        let at = attributes.iter().position(|it| it.part.name == name);
        let Some(at) = at else {
            return Err(wrong(structure, attributes, &format!("has no argument '{name}'")));
        };
        if given[at].replace(value).is_some() {
            return Err(wrong(
                structure,
                attributes,
                &format!("got two values for argument '{name}'"),
            ));
        }
    }
    let mut values = Vec::with_capacity(count);
    for (given, attribute) in given.into_iter().zip(attributes) {
        values.push(match (given, attribute.part.default) {
            (Some(given), _) => attribute.accept(&given, Coerce::Natural)?,
            (None, Some(default)) => default(),
            (None, None) => {
                return Err(wrong(
                    structure,
                    attributes,
                    &format!("misses argument '{}'", attribute.part.name),
                ));
            }
        });
    }
    Ok(values)
}

#[cold]
fn wrong(structure: &Structure, attributes: &[Attribute], what: &str) -> Failure {
    let signature = signature(structure, attributes);
    let name = structure.name;
    PyTypeError::new_err(format!("{name}() {what}; it is {signature}")).into()
}

/// `Interval(lo, hi=1.0)`.
pub(super) fn signature(structure: &Structure, attributes: &[Attribute]) -> String {
    let params = attributes.iter().map(|it| match it.part.default {
        Some(default) => format!("{}={}", it.part.name, shown(it, default())),
        None => it.part.name.to_owned(),
    });
    format!("{}({})", structure.name, params.collect::<Vec<_>>().join(", "))
}

/// A default, as Python writes it; `...` if that is no literal.
fn shown(attribute: &Attribute, default: Value) -> String {
    Python::attach(|py| {
        let is_literal = matches!(
            default,
            Value::None | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Str(_)
        );
        let object = is_literal.then(|| hooks::emit(py, &attribute.ty, default));
        let text = object.and_then(|it| it.ok()?.repr().ok());
        text.map_or_else(|| "...".to_owned(), |it| it.to_string())
    })
}
