//! Functions that formulas call beside operators: `#[gradient_helper]`.

use opwright_schema::model::Span;
use proc_macro2::TokenStream;
use quote::quote;

use crate::fn_path::FnPath;
use crate::ty::Ty;
use crate::types::ident;

/// A function that formulas may call.
#[derive(Clone, Debug)]
pub struct Helper {
    /// The path of the function, whose last part is the name that formulas use.
    pub path: FnPath,
    /// The types of its parameters.
    pub params: Vec<Ty>,
    /// What it returns, in a `Result`.
    pub returns: Ty,
}

/// A function that an annotation names as a gradient; no formula calls it by its name.
#[derive(Clone, Debug)]
pub struct GradientFunction {
    /// What it is called.
    pub name: String,
    /// Its parameters, which are called like the values of a formula, and their places.
    pub names: Vec<(String, Span)>,
    /// Where it says what it returns.
    pub returns: Span,
    /// The constant by which it is reached, and its types.
    pub helper: Helper,
}

impl GradientFunction {
    /// The formula that calls it.
    pub fn formula(&self) -> String {
        let names: Vec<&str> = self.names.iter().map(|(name, _)| name.as_str()).collect();
        format!("{}({})", self.name, names.join(", "))
    }

    /// What tells it apart from others.
    pub fn key(&self) -> String {
        self.helper.path.0.join("::")
    }
}

impl Helper {
    /// What formulas call it.
    pub fn name(&self) -> &str {
        self.path.0.last().map_or("", String::as_str)
    }

    /// Whether formulas of other crates can call it: those have no types of this one.
    pub(crate) fn is_for_others(&self) -> bool {
        self.params.iter().chain([&self.returns]).all(|it| !it.has_native())
    }

    pub(crate) fn tokens(&self) -> TokenStream {
        let segments = self.path.0.iter().map(|it| ident(it));
        quote!(crate::#(#segments)::*)
    }

    /// `(Tensor grad, Tensor self)`
    pub(crate) fn shown(&self) -> String {
        let params: Vec<String> = self.params.iter().map(ToString::to_string).collect();
        format!("{}({})", self.name(), params.join(", "))
    }
}
