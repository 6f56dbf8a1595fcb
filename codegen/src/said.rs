//! Gradients in annotations, as the schema crate takes them.

use opwright_schema::derivatives::annotated::{AnnotatedGradients, InputGradient};
use opwright_schema::model::{Span, Spanned};

use crate::attribute::Subject;
use crate::attribute::derivative::{self, Derivative, Origin};
use crate::helper::GradientFunction;
use crate::scan::AnnotatedFunction;

/// What the annotation of a function says of its gradients, if it does.
pub(crate) fn gradients(function: &AnnotatedFunction) -> Option<AnnotatedGradients> {
    let (Derivative::Said(said), span) = function.attribute.style.derivative.as_ref()? else {
        return None;
    };
    let operator = match &function.attribute.subject {
        Subject::Entry { name, .. } => name.clone(),
        Subject::Inline { .. } | Subject::Signature(_) => {
            function.schema.clone()?.value.sound()?.name.to_string()
        }
    };
    let mut functions = function.gradients.iter();
    let inputs = said.inputs.iter().filter_map(|it| input(function, it, &mut functions));
    Some(AnnotatedGradients {
        operator: Spanned::new(operator, function.place(*span)),
        outputs: said.outputs.clone().map(|(it, span)| Spanned::new(it, function.place(span))),
        inputs: inputs.collect(),
    })
}

/// Nothing for a function that is not there, which has been reported.
fn input<'a>(
    function: &AnnotatedFunction,
    gradient: &derivative::InputGradient,
    functions: &mut impl Iterator<Item = &'a Option<GradientFunction>>,
) -> Option<InputGradient> {
    let names = gradient.names.iter();
    let names = names.map(|it| Spanned::new(it.to_string(), function.place(it.span())));
    let (formula, called) = match &gradient.from {
        Origin::Formula { literal, prefix } => {
            let (start, text) = (literal.span().byte_range().start + prefix, literal.value());
            let span = Span::new(function.source, start..start + text.len());
            (Some(Spanned::new(text, span)), None)
        }
        Origin::Function(path) => {
            let found = functions.next()?.as_ref()?;
            let place = function.place(syn::spanned::Spanned::span(path));
            (Some(Spanned::new(found.formula(), place)), Some(found.key()))
        }
        Origin::Nowhere(_) => (None, None),
    };
    Some(InputGradient { names: names.collect(), formula, function: called })
}
