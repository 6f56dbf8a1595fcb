//! The operator of a function, as rustc sees it: the marker type that the build
//! script generated, and the constants that the tables are made of.

use opwright_codegen::attribute::{FunctionRole, NativeOp, Subject};
use opwright_codegen::form::Form;
use opwright_codegen::items::Items;
use opwright_codegen::mistake::combined;
use opwright_codegen::schema_of::schema_of;
use opwright_codegen::types::{ident, runtime};
use opwright_diagnostics::diag::{Diagnostic, Diagnostics, Severity};
use opwright_schema::model::{self, OpName, Schema, SourceId};
use opwright_schema::names;
use opwright_schema::parse::{parse_op_name, parse_schema};
use opwright_schema::types::Natives;
use opwright_schema::validate::validate;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use syn::{Error, ItemFn, Result};

/// An operator as a function's attribute names or describes it.
pub(crate) struct AnnotatedOperator {
    name: OpName,
    /// Where its base name and its overload name are written.
    places: (Span, Span),
    /// The schema, if the function carries it.
    pub(crate) schema: Option<Schema>,
    part: FunctionRole,
    /// The function is the kernel of the variant with out parameters, which
    /// follows from it.
    fills: bool,
}

impl AnnotatedOperator {
    /// # Errors
    ///
    /// What is wrong with the name or the schema, in the words of the schema crate.
    pub(crate) fn new(
        attribute: &NativeOp,
        form: &Form,
        func: &ItemFn,
    ) -> Result<AnnotatedOperator> {
        let part = attribute.part.clone();
        let (places, schema) = match &attribute.subject {
            Subject::Entry { name, words } => {
                let first = words.first().map_or_else(Span::call_site, Ident::span);
                let places = (first, words.get(1).map_or(first, Ident::span));
                let name = read(name, first, parse_op_name)?.value;
                return Ok(AnnotatedOperator { name, places, schema: None, part, fills: false });
            }
            Subject::Inline { literal, .. } => {
                let span = literal.span();
                ((span, span), read(&literal.value(), span, parse_one_schema)?)
            }
            Subject::Signature(items) => {
                let span = func.sig.ident.span();
                ((span, span), read_signature(items, attribute, form, func)?)
            }
        };
        let name = schema.name.clone();
        Ok(AnnotatedOperator { name, places, schema: Some(schema), part, fills: form.fills() })
    }

    /// Whether the kernel gets results to fill, as far as the name tells.
    pub(crate) fn has_outs(&self) -> bool {
        let overload = self.name.overload.to_lowercase();
        self.fills || overload.starts_with("out") || overload.ends_with("_out")
    }

    /// What the function is called in messages.
    pub(crate) fn base(&self) -> String {
        self.name.base.to_string()
    }

    /// `KERNEL`, `RULE` or `CHECK`, and its type.
    pub(crate) fn constant(&self) -> (Ident, TokenStream) {
        match self.part {
            FunctionRole::Kernel | FunctionRole::KernelFor(_) => {
                (format_ident!("KERNEL"), self.kernel())
            }
            FunctionRole::Rule => (format_ident!("RULE"), self.structured("Rule")),
            FunctionRole::Check => (format_ident!("CHECK"), self.structured("Check")),
        }
    }

    /// The type of the kernel.
    pub(crate) fn kernel(&self) -> TokenStream {
        let (marker, op) = (self.marker(), runtime("Op"));
        quote!(<#marker as #op>::Kernel)
    }

    /// The type of the rule.
    pub(crate) fn rule(&self) -> TokenStream {
        self.structured("Rule")
    }

    /// A type of a structured operator.
    fn structured(&self, name: &str) -> TokenStream {
        let (marker, op, name) = (self.marker(), runtime("StructuredOp"), format_ident!("{name}"));
        quote!(<#marker as #op>::#name)
    }

    /// The dtypes that its kernels say they are for.
    pub(crate) fn dtypes(&self) -> TokenStream {
        let (marker, op) = (self.marker(), runtime("StructuredOp"));
        quote!(<#marker as #op>::DTYPES)
    }

    /// `crate::ops::add::Tensor`, its words at those of the attribute, so that an
    /// unknown operator is an error there.
    fn marker(&self) -> TokenStream {
        let out = self.fills.then(|| opwright_schema::derive::out_name(&self.name));
        let name = out.as_ref().unwrap_or(&self.name);
        let mut module = ident(&names::module(name));
        let mut marker = ident(&names::marker(name));
        module.set_span(at(self.places.0));
        marker.set_span(at(self.places.1));
        quote!(crate::ops::#module::#marker)
    }
}

fn parse_one_schema(cx: &mut Diagnostics, text: &str, place: &model::Span) -> Option<Schema> {
    let schema = parse_schema(cx, Natives::Unknown, text, place).sound()?;
    validate(cx, &schema);
    Some(schema)
}

/// The schema of a signature. Rustc tells no bytes of places, so theirs are
/// numbers of tokens.
fn read_signature(
    items: &Items,
    attribute: &NativeOp,
    form: &Form,
    func: &ItemFn,
) -> Result<Schema> {
    let mut tokens = Vec::new();
    let mut place = |it: Span| {
        tokens.push(it);
        model::Span::new(SourceId(0), tokens.len() - 1..tokens.len())
    };
    let schema = schema_of(items, &attribute.style, form, func, Natives::Unknown, &mut place)?;
    let mut cx = Diagnostics::new();
    validate(&mut cx, &schema);
    let token = |it: &Diagnostic| tokens[it.span.as_ref().map_or(0, |span| span.range.start)];
    mistakes(cx, token).map(|()| schema)
}

/// What was found, each at its place.
fn mistakes(cx: Diagnostics, place: impl Fn(&Diagnostic) -> Span) -> Result<()> {
    let findings = cx.finish().err().unwrap_or_default();
    let errors = findings.iter().filter(|it| it.severity == Severity::Error);
    combined(errors.map(|it| Error::new(place(it), &it.message)))
}

/// Runs a parser of the schema crate; what it finds is reported at `span`.
fn read<T>(
    text: &str,
    span: Span,
    parser: fn(&mut Diagnostics, &str, &model::Span) -> Option<T>,
) -> Result<T> {
    let mut cx = Diagnostics::new();
    let value = parser(&mut cx, text, &model::Span::new(SourceId(0), 0..text.len()));
    mistakes(cx, |_| span)?;
    value.ok_or_else(|| Error::new(span, "not a schema"))
}

/// The author's place, the macro's hygiene: with the bare span rustc offers
/// to edit code that is not there.
pub(crate) fn at(span: Span) -> Span {
    Span::call_site().located_at(span)
}
