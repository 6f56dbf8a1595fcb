//! Descriptions of the arguments of a call, for messages of overload resolution.

use std::borrow::Cow;
use std::fmt::Write;

use opwright_runtime::resolve::{Describe, Kind, Parameter};
use pyo3::prelude::*;

use super::classify::classify;
use crate::interop::numpy;
use crate::object::describe::{push_details, push_short, push_type_name, sequence};
use crate::object::hooks;
use crate::raw::{Names, Sequence};

/// The arguments of one call.
pub(super) struct CallArguments<'a, 'py> {
    /// Positional arguments, then those of keywords.
    pub args: &'a [Bound<'py, PyAny>],
    /// The same as the caller passed them: some of `args` may be tensors in their places.
    pub given: &'a [Bound<'py, PyAny>],
    /// Keyword names.
    pub names: Names<'a, 'py>,
}

impl CallArguments<'_, '_> {
    /// The first element of a list that is none of what the list should hold.
    fn push_wrong_element(
        &self,
        arg: usize,
        elements: Sequence<'_, '_>,
        kind: Kind,
        text: &mut String,
    ) {
        let Some(element) = kind.element() else { return };
        let wrong = elements.iter().position(|it| !classify(it.as_borrowed()).kind(element));
        let given = sequence(&self.given[arg]).unwrap_or(elements);
        let Some(found) = wrong.and_then(|it| given.get(it)) else { return };
        let position = wrong.unwrap_or_default();
        write!(text, ", whose element at position {position} is ")
            .expect("a string takes everything");
        push_short(&found, text);
    }
}

impl Describe for CallArguments<'_, '_> {
    fn argument(&self, arg: usize, text: &mut String) {
        push_type_name(&self.given[arg], text);
        push_details(&self.args[arg], text);
    }

    fn type_name(&self, arg: usize, text: &mut String) {
        push_type_name(&self.given[arg], text);
    }

    fn keyword(&self, keyword: usize) -> &str {
        self.names.text(keyword)
    }

    fn detail(&self, arg: usize, param: &Parameter, text: &mut String) {
        let object = &self.args[arg];
        if let Some(elements) = sequence(object) {
            self.push_wrong_element(arg, elements, param.kind, text);
        }
        if let Some(hint) = hint(object, param.kind) {
            text.push_str("; ");
            text.push_str(&hint);
        }
    }

    fn resembles(&self, arg: usize, kind: Kind) -> bool {
        let object = &self.args[arg];
        let accepts = classify(object.as_borrowed());
        match kind {
            Kind::Int | Kind::SymInt | Kind::IntListOrInt | Kind::Float | Kind::Bool => {
                accepts.kind(Kind::Scalar)
            }
            Kind::DType | Kind::Reduction => accepts.kind(Kind::Str),
            Kind::Tensor | Kind::TensorOrNumber => is_array(object),
            list => list.element().is_some() && sequence(object).is_some(),
        }
    }
}

/// What to write instead, where that is plain.
fn hint(object: &Bound<'_, PyAny>, kind: Kind) -> Option<Cow<'static, str>> {
    let accepts = classify(object.as_borrowed());
    let hint = match kind {
        Kind::Tensor | Kind::TensorOrNumber if is_array(object) => {
            return Some(match numpy::unsupported_dtype(object) {
                None => Cow::Borrowed("from_numpy() makes a Tensor of it"),
                Some(dtype) => Cow::Owned(format!(
                    "its elements are of type {dtype}, for which there is no dtype"
                )),
            });
        }
        Kind::Tensor
            if let Some(hooks) = hooks::of(object)
                && accepts.kind(Kind::Scalar) =>
        {
            hooks.number_hint
        }
        Kind::Tensor | Kind::TensorOrNumber
            if sequence(object).is_some() || accepts.kind(Kind::Scalar) =>
        {
            "tensor() makes one of it"
        }
        Kind::Reduction => "it is 'none', 'mean' or 'sum'",
        list if list.element().is_some_and(|it| accepts.kind(it)) => "put it in a tuple or list",
        _ => return None,
    };
    Some(Cow::Borrowed(hint))
}

fn is_array(object: &Bound<'_, PyAny>) -> bool {
    object.get_type().name().is_ok_and(|it| it == "ndarray")
}
