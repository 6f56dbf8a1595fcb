//! Gradients that the annotation of a function says, instead of an entry of the file.

use opwright_diagnostics::diag::Diagnostics;

use super::entry::{check_inputs, check_outputs, check_twice, check_used, inputs, reserved};
use super::formula::{check_backward, check_gradients};
use super::names::Names;
use crate::index::Index;
use crate::model::derivative::{
    AutogradKey, Backward, Derivative, Formula, Formulas, OutputDifferentiability,
};
use crate::model::{Group, Kind, Schema, Spanned, Type};

/// The gradients of one operator, as the scanner of sources found them.
#[derive(Clone, Debug)]
pub struct AnnotatedGradients {
    /// The operator; in the place of one whose results are parameters stands the one that returns
    /// them.
    pub operator: Spanned<String>,
    /// Which outputs have gradients.
    pub outputs: Option<Spanned<Vec<bool>>>,
    /// The gradients of inputs.
    pub inputs: Vec<InputGradient>,
}

/// The gradient of an input, or the gradients of several.
#[derive(Clone, Debug)]
pub struct InputGradient {
    /// The names of the inputs.
    pub names: Vec<Spanned<String>>,
    /// The formula; without one there is never a gradient.
    pub formula: Option<Spanned<String>>,
    /// The formula calls this function, which is no helper that others could call.
    pub function: Option<String>,
}

/// Takes in what annotations say, and reports what does not fit the operators.
pub(crate) fn read(
    cx: &mut Diagnostics,
    all: &[AnnotatedGradients],
    index: &Index<'_>,
    groups: &[Group],
    derivatives: &mut Vec<Derivative>,
) {
    for said in all {
        let Some(derivative) = one(cx, said, index, groups) else { continue };
        check_twice(cx, derivatives, &derivative);
        derivatives.push(derivative);
    }
}

fn one(
    cx: &mut Diagnostics,
    said: &AnnotatedGradients,
    index: &Index<'_>,
    groups: &[Group],
) -> Option<Derivative> {
    let all = index.overloads();
    let named = all.iter().position(|it| it.schema.name.to_string() == said.operator.value)?;
    let operator = match all[named].schema.kind() {
        Kind::Out | Kind::Scratch => groups
            .iter()
            .find(|it| it.out == Some(named) || it.scratch == Some(named))
            .and_then(|it| it.functional)?,
        _ => named,
    };
    let schema = &all[operator].schema;
    reserved(cx, schema);
    let outputs = said.outputs.as_ref().map_or(OutputDifferentiability::Unstated, |flags| {
        check_outputs(cx, flags.value.len(), &flags.span, schema);
        OutputDifferentiability::Stated(flags.value.clone())
    });
    let formulas = formulas(cx, said, schema, &outputs);
    let span = said.operator.span.clone();
    let formulas = vec![(AutogradKey::Default, formulas)];
    // Inputs that nobody names have gradients that nobody has written.
    let params = Vec::new();
    let (generated, node) = (false, None);
    Some(Derivative { operator, generated, node, span, params, outputs, formulas })
}

fn formulas(
    cx: &mut Diagnostics,
    said: &AnnotatedGradients,
    schema: &Schema,
    outputs: &OutputDifferentiability,
) -> Formulas {
    let names = Names::new(schema, outputs);
    let (mut all, mut taken) = (Formulas::default(), Vec::new());
    for gradient in &said.inputs {
        let Some(inputs) = inputs(cx, &gradient.names, &names, &mut taken) else { continue };
        let never = |it: &Spanned<String>| it.value.trim() == "non_differentiable";
        let Some(text) = gradient.formula.clone().filter(|it| !never(it)) else {
            all.non_differentiable.extend(inputs);
            continue;
        };
        let Some(formula) = Formula::read(cx, text) else { continue };
        check_inputs(cx, &gradient.names, &inputs, schema);
        if gradient.function.is_none() {
            check_backward(cx, &formula, &names);
        }
        let function = gradient.function.clone();
        all.backward.push(Backward { inputs, formula, function, not_implemented: false });
    }
    check_gradients(cx, &all.backward, &names);
    check_used(cx, schema, outputs, &all.backward);
    all.backward.extend(unsaid(schema, &taken));
    all
}

/// Inputs of which nothing is said: nobody has written their gradients.
fn unsaid(schema: &Schema, taken: &[Spanned<usize>]) -> Vec<Backward> {
    let is_list = |it: usize| matches!(schema.params[it].ty.value, Type::List(..));
    // An operator has one list with gradients at most.
    let mut has_list = taken.iter().any(|it| is_list(it.value));
    let mut unsaid = Vec::new();
    for (idx, param) in schema.params.iter().enumerate() {
        let is_tensor = param.ty.value.is_tensor_like() && !param.writes();
        let is_taken = taken.iter().any(|it| it.value == idx);
        if !is_tensor || is_taken || (is_list(idx) && has_list) {
            continue;
        }
        has_list |= is_list(idx);
        let formula = Formula::not_implemented(param.name.span.clone());
        unsaid.push(Backward { inputs: vec![idx], formula, function: None, not_implemented: true });
    }
    unsaid
}
