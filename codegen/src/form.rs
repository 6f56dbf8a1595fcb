//! In which form a kernel is written, read from its attribute and its
//! signature by the macro and by the scan.
//!
//! | form | parameters | result |
//! |---|---|---|
//! | [`Form::Plain`] | what the schema says | `Result` of what the schema says |
//! | [`Form::Filling`] | the same, and `&mut Tensor` for each result | `Result<()>` |
//! | [`Form::Elementwise`] | single elements, and what the schema says | single elements |
//! | the same | an `Each` for all tensors, and what the schema says | `Result<()>` |
//! | [`Form::Arrays`] | views of `ndarray`, and what the schema says | arrays |
//! | [`Form::Core`] | views of core dimensions, and what the schema says | arrays, single elements |
//! | the same | the same, and a view to fill for each result | nothing, or `Result<()>` |
//!
//! Only what the tokens show is looked at here: types may have other names,
//! which rustc sees through.

mod arrays;
mod core;
mod derivable;
mod elements;
mod elementwise;
pub mod syntax;
pub(crate) mod words;

use opwright_diagnostics::diag::Diagnostics;
use opwright_schema::model::{Schema, SourceId, Span as Place};
use opwright_schema::parse::parse_schema;
use opwright_schema::types::Natives;
use syn::{Ident, ItemFn, Result};

pub use self::arrays::{ArrayParam, Arrays, is_tensor};
pub use self::core::Core;
pub use self::elements::Elements;
pub use self::elementwise::{ElementParam, ElementResult, Elementwise};

use crate::attribute::{CoreOption, NativeOp, Style, Subject};
use crate::codes;
use crate::dtypes::Dtypes;
use crate::mistake::{mistake, mistake_in};

/// In which form a kernel is written.
#[derive(Clone, Debug)]
pub enum Form {
    /// It takes and returns what the schema says.
    Plain,
    /// It fills results that somebody else allocates.
    Filling,
    /// It takes and returns single elements.
    Elementwise(Box<Elementwise>),
    /// It takes views of arrays, and returns arrays.
    Arrays(Box<Arrays>),
    /// It takes views of core dimensions, once for each index of the loop dimensions.
    Core(Box<Core>),
}

impl Form {
    /// Reads the form of a function.
    ///
    /// # Errors
    ///
    /// What cannot be so whatever the types are, combined.
    pub fn read(attribute: &NativeOp, func: &ItemFn) -> Result<Form> {
        let style = &attribute.style;
        let schema = inline_schema(&attribute.subject);
        if schema.is_none() && matches!(attribute.subject, Subject::Inline { .. }) {
            // What is wrong with the schema is what there is to say.
            return Ok(Form::Plain);
        }
        let beside = style.wide.or(style.numbers.first().map(Ident::span));
        if let Some(span) = beside.filter(|_| style.elementwise.is_none()) {
            let message = "`wide` and `numbers` are for `elementwise` kernels";
            return Err(mistake(codes::OPTION_PLACE, span, message));
        }
        let derives =
            style.elementwise.is_some() || style.structured.is_some() || style.core.is_some();
        if let Some(span) = style.out.filter(|_| derives || style.dtypes.is_some()) {
            let message = "an out variant follows from this kernel anyway: leave `out` out";
            return Err(mistake(codes::OPTIONS_CLASH, span, message));
        }
        if let (Some(core), Some(schema)) = (&style.core, &schema) {
            alone(style, core)?;
            return Ok(Form::Core(Box::new(Core::read(attribute, func, schema, core)?)));
        }
        if let Some(span) = style.elementwise {
            if let Some(structured) = &style.structured {
                let message =
                    "an element-wise kernel has its rule from `promote`: leave `structured` out";
                return Err(mistake(codes::OPTIONS_CLASH, structured.span(), message));
            }
            let elementwise = Elementwise::read(attribute, func, schema.as_ref(), span)?;
            return Ok(Form::Elementwise(Box::new(elementwise)));
        }
        if syntax::has_arrays(func) || style.dtypes.is_some() {
            let arrays = Arrays::read(attribute, func, schema.as_ref())?;
            return Ok(Form::Arrays(Box::new(arrays)));
        }
        if let Some(param) = syntax::type_param(func)? {
            return Err(mistake_in(codes::NO_DTYPES, param, elements::without_dtypes()));
        }
        if let Some((_, span)) = style.promote {
            let message = "`promote` is for kernels of elements and of arrays; this one is given \
                           its tensors as they are";
            return Err(mistake(codes::OPTION_PLACE, span, message));
        }
        if style.structured.is_some() {
            filling_fits(schema.as_ref(), func)?;
            return Ok(Form::Filling);
        }
        Ok(Form::Plain)
    }

    /// The dtypes that it says it is for, if it is generic.
    pub fn dtypes(&self) -> Option<&Dtypes> {
        let elements = match self {
            Form::Plain | Form::Filling => return None,
            Form::Elementwise(it) => &it.elements,
            Form::Arrays(it) => &it.elements,
            Form::Core(it) => &it.elements,
        };
        match elements {
            Elements::Generic(_, dtypes) => Some(dtypes),
            Elements::Concrete(_) => None,
        }
    }

    /// How many tensors one parameter stands for.
    pub fn tensors_together(&self) -> usize {
        let Form::Elementwise(it) = self else { return 0 };
        let tensors = it.params.iter().filter(|it| matches!(it, ElementParam::Element(_)));
        if it.is_direct { 0 } else { tensors.count() }
    }

    /// Whether it takes and returns tensors and values, not parts of them.
    pub fn is_plain(&self) -> bool {
        matches!(self, Form::Plain | Form::Filling)
    }

    /// Whether the kernel fills results, so that everything around it follows.
    pub fn fills(&self) -> bool {
        matches!(self, Form::Filling | Form::Elementwise(_) | Form::Core(_))
    }
}

/// Core dimensions are a form of their own.
fn alone(style: &Style, core: &CoreOption) -> Result<()> {
    let other = match (&style.elementwise, &style.structured) {
        (Some(_), _) => "elementwise",
        (None, Some(_)) => "structured",
        (None, None) => return Ok(()),
    };
    let message = format!("`core` and `{other}` are two forms of a kernel: leave one out");
    Err(mistake(codes::OPTIONS_CLASH, core.span, message))
}

/// The schema of an inline attribute; one with mistakes is reported elsewhere.
fn inline_schema(target: &Subject) -> Option<Schema> {
    let Subject::Inline { literal, .. } = target else { return None };
    let text = literal.value();
    let mut silent = Diagnostics::new();
    let schema =
        parse_schema(&mut silent, Natives::Unknown, &text, &Place::new(SourceId(0), 0..text.len()));
    drop(silent.finish());
    schema.sound()
}

/// A structured kernel has the results of the schema as parameters, behind the
/// others.
fn filling_fits(schema: Option<&Schema>, func: &ItemFn) -> Result<()> {
    let Some(schema) = schema else { return Ok(()) };
    let (results, found) = (schema.returns.len(), func.sig.inputs.len());
    let expected = schema.params.len() + results;
    if expected == found {
        return Ok(());
    }
    let message = format!(
        "a structured kernel has the {} parameters of its schema and a `&mut Tensor` for each \
         result, {expected} in all; this function has {found}",
        schema.params.len()
    );
    Err(mistake(codes::PARAMETER_COUNT, func.sig.paren_token.span.join(), message))
}
