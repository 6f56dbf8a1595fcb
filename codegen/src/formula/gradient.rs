//! The gradients of a library's operators, ready to be printed.

use opwright_schema::derivatives::{
    AutogradKey, Backward, Derivative, OutputDifferentiability, assign,
};
use opwright_schema::diag::Diagnostics;
use opwright_schema::model::{DispatchKey, Kind, OpSet, OptionsCategory, Overload, Param, Type};

use super::callables::Callables;
use super::checks;
use super::model::{Gradient, Input, Part, Place};
use super::node_names::node_names;
use super::scope::Scope;
use super::translate::Translator;
use crate::helper::Helper;
use crate::kernels::{Kernel, Kernels, Rule, is_transparent};
use crate::rules::RULE_OF_TRUTH;

/// The gradients of each overload that has some.
///
/// Operators that call others need none: these are recorded in their place. What is wrong with a
/// formula is reported.
pub fn gradients(
    cx: &mut Diagnostics,
    ops: &OpSet,
    kernels: &[Kernels],
    helpers: &[Helper],
) -> Vec<Option<Gradient>> {
    let (assigned, names) = (assign(ops), node_names(ops));
    let callables = Callables::new(ops, helpers);
    let mut gradients = Vec::new();
    for (idx, (overload, derivative)) in ops.overloads.iter().zip(assigned).enumerate() {
        if is_transparent(ops, kernels, idx) {
            gradients.push(None);
            continue;
        }
        let gradient = derivative.map_or_else(
            || missing(overload, rule_of(kernels, idx)),
            |derivative| {
                let entry = &ops.derivatives[derivative];
                // What inherits a formula repeats its mistakes.
                let mut repeated = Diagnostics::new();
                let cx = if entry.operator == idx { &mut *cx } else { &mut repeated };
                let gradient = translated(cx, &callables, overload, entry, &names[derivative]);
                drop(repeated.finish());
                gradient
            },
        );
        gradients.push(gradient);
    }
    gradients
}

/// What the formulas of an entry say of an overload; none if it has no gradients, or if something is
/// wrong with a formula, which is reported.
pub(super) fn translated(
    cx: &mut Diagnostics,
    callables: &Callables<'_>,
    overload: &Overload,
    entry: &Derivative,
    node: &str,
) -> Option<Gradient> {
    let schema = &overload.schema;
    if entry.generated || matches!(schema.kind(), Kind::Out | Kind::Scratch) {
        return None;
    }
    let formulas = entry.formulas.iter().find(|(key, _)| *key == AutogradKey::Default);
    let formulas = &formulas?.1;
    let backward = &formulas.backward;
    let outputs = outputs(entry, overload, backward);
    if !outputs.contains(&true) || backward.is_empty() {
        return None;
    }
    let mut params: Vec<usize> = backward.iter().flat_map(|it| it.inputs.clone()).collect();
    params.sort_unstable();
    let is_list = |it: usize| matches!(schema.params[it].ty.value, Type::List(..));
    let inputs = params.iter().map(|&param| Input { param, is_list: is_list(param) });
    let inputs: Vec<Input> = inputs.collect();
    let mut scope = Scope::new(schema, &params, &outputs);
    checks::silent_inputs(cx, schema, entry, formulas);
    checks::reads(cx, schema, backward, &scope);
    let mut parts = Vec::new();
    for formula in backward {
        let mut translator = Translator { cx, callables, scope: &mut scope, formula };
        parts.push(translator.part());
    }
    let parts: Vec<Part> = parts.into_iter().collect::<Option<_>>()?;
    let slots = scope.into_slots();
    Some(Gradient { node: node.to_owned(), inputs, outputs, slots, parts })
}

/// The rule by which the results of an overload are made, be it that of its out form.
fn rule_of(kernels: &[Kernels], idx: usize) -> Option<&Rule> {
    let from = match kernels[idx].by_key.get(&DispatchKey::Cpu) {
        Some(Kernel::Derived { from }) => *from,
        _ => idx,
    };
    kernels[from].rule.as_ref()
}

/// The gradient of an operator for which nobody has written one: its calls are recorded, and asking
/// them for gradients is an error. None if there can be none: of what makes tensors that are only
/// like others, or truth values.
fn missing(overload: &Overload, rule: Option<&Rule>) -> Option<Gradient> {
    let schema = &overload.schema;
    let is_like = overload.options != OptionsCategory::None;
    let is_truth = rule.is_some_and(|it| *it == Rule::Named(RULE_OF_TRUTH.to_owned()));
    let is_truth = is_truth && schema.kind() == Kind::Functional;
    if is_like || is_truth || !matches!(schema.kind(), Kind::Functional | Kind::Inplace) {
        return None;
    }
    let is_list = |it: &Param| matches!(it.ty.value, Type::List(..));
    let params = schema.params.iter().enumerate().filter(|(_, it)| it.ty.value.is_tensor_like());
    let mut inputs = Vec::new();
    for (param, it) in params {
        // Of several lists one is enough to know that something requires gradients.
        let has_list = inputs.iter().any(|it: &Input| it.is_list);
        if !(is_list(it) && has_list) {
            inputs.push(Input { param, is_list: is_list(it) });
        }
    }
    let outputs: Vec<bool> = schema.returns.iter().map(|it| it.ty.value.is_tensor_like()).collect();
    if inputs.is_empty() || !outputs.contains(&true) {
        return None;
    }
    let all = (0..inputs.len()).collect();
    let part = Part { inputs: all, reads: Vec::new(), value: None, place: Place::One };
    let node = "NotImplemented".to_owned();
    Some(Gradient { node, inputs, outputs, slots: Vec::new(), parts: vec![part] })
}

/// Which outputs can have gradients: those that the entry says, or that its formulas ask for.
fn outputs(entry: &Derivative, overload: &Overload, backward: &[Backward]) -> Vec<bool> {
    let returns = &overload.schema.returns;
    let can = |at: usize| returns[at].ty.value.is_tensor_like();
    let count = returns.len();
    let uses = |word: &str| backward.iter().any(|it| it.formula.uses(word));
    let said: Vec<bool> = match &entry.outputs {
        OutputDifferentiability::Stated(said) => said.clone(),
        OutputDifferentiability::If(_) => vec![true; count],
        OutputDifferentiability::Unstated if uses("grads") => vec![true; count],
        OutputDifferentiability::Unstated => {
            let named = returns.iter().map(|it| {
                let name = it.name.as_ref();
                name.is_some_and(|it| uses(&format!("grad_{}", it.value)))
            });
            let named: Vec<bool> = named.collect();
            if named.contains(&true) { named } else { (0..count).map(|at| at == 0).collect() }
        }
    };
    (0..count).map(|at| said.get(at).copied().unwrap_or_default() && can(at)).collect()
}
