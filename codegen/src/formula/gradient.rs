//! The gradients of a library's operators, ready to be printed.

use std::collections::BTreeSet;

use opwright_diagnostics::diag::Diagnostics;
use opwright_schema::derivatives::{
    AutogradKey, Backward, Derivative, OutputDifferentiability, assign,
};
use opwright_schema::model::{DispatchKey, Kind, OpSet, OptionsCategory, Overload, Param, Type};

use super::callables::Callables;
use super::checks;
use super::dual;
use super::model::{DifferentiableInput, Gradient, GradientFormula};
use super::node_names::node_names;
use super::scope::Scope;
use super::translate::Translator;
use crate::codes;
use crate::kernels::{Kernel, Kernels, Rule, is_transparent};
use crate::others::Others;
use crate::rules::RULE_OF_TRUTH;
use crate::scan::Scanned;

/// The gradients of a library.
#[derive(Clone, Debug)]
pub struct Gradients {
    /// How calls of each overload are recorded, if they are.
    pub by_overload: Vec<Option<Gradient>>,
    /// The marks of the annotations of kernels from which gradients follow.
    pub derived: BTreeSet<String>,
}

/// The gradients of each overload that has some.
///
/// Operators that call others need none: these are recorded in their place. What is wrong with a
/// formula is reported.
pub fn gradients(
    cx: &mut Diagnostics,
    ops: &OpSet,
    kernels: &[Kernels],
    found: &Scanned,
    others: &Others,
) -> Gradients {
    let mut own = Diagnostics::new();
    let gradients = all(&mut own, ops, kernels, found, others);
    let findings = own.finish().unwrap_or_else(|findings| findings);
    if let (Others::Unknown, Some(first)) = (others, ops.derivatives.first())
        && !findings.is_empty()
    {
        let message = "no build has left the operators of opwright-ops here, which formulas call";
        cx.warn(codes::NO_SET, &first.span, message).help("build the crate once");
        return gradients;
    }
    for finding in findings {
        let is_known = finding.span.as_ref().is_some_and(|it| cx.is_wrong_within(it));
        if !is_known {
            cx.push(finding);
        }
    }
    gradients
}

/// What the formulas of an entry say of its operator; none if it has no gradients, or if something
/// is wrong with a formula, which is reported.
pub(crate) fn translated(
    cx: &mut Diagnostics,
    callables: &Callables<'_>,
    overload: &Overload,
    entry: &Derivative,
    node: &str,
) -> Option<Gradient> {
    gradient(cx, callables, overload, entry, (node, true))
}

fn all(
    cx: &mut Diagnostics,
    ops: &OpSet,
    kernels: &[Kernels],
    found: &Scanned,
    others: &Others,
) -> Gradients {
    let (assigned, names) = (assign(ops), node_names(ops));
    let sources = dual::sources(ops, kernels, &found.functions);
    let functions = found.functions.iter().flat_map(|it| it.gradients.iter().flatten());
    let callables = Callables::new(ops, &found.helpers, functions, others, &found.plain);
    let (mut gradients, mut derived) = (Vec::new(), BTreeSet::new());
    let (mut inherited, mut wrong) = (Vec::new(), Vec::new());
    ops.derivatives.iter().for_each(|it| checks::unused(cx, ops, kernels, it));
    for (idx, (overload, derivative)) in ops.overloads.iter().zip(assigned).enumerate() {
        let Some(derivative) = derivative.filter(|_| !is_transparent(ops, kernels, idx)) else {
            let runs = !kernels[idx].by_key.is_empty() || overload.forward.is_some();
            let is_recorded = runs && !is_transparent(ops, kernels, idx);
            let source = sources[idx].as_ref();
            let follows = source.and_then(|it| Some((it.mark(), it.gradient(ops, idx)?)));
            gradients.push(match follows {
                Some((mark, gradient)) => {
                    derived.insert(mark.to_owned());
                    Some(gradient)
                }
                None => is_recorded.then(|| missing(overload, rule_of(kernels, idx))).flatten(),
            });
            continue;
        };
        let entry = &ops.derivatives[derivative];
        let mut own = Diagnostics::new();
        let is_own = entry.operator == idx;
        let node = (names[derivative].as_str(), is_own);
        let found = gradient(&mut own, &callables, overload, entry, node);
        // Who prints it all the same does not print that nothing is recorded.
        let is_wrong = found.is_none() && own.error_count() > 0;
        gradients.push(if is_wrong { missing(overload, rule_of(kernels, idx)) } else { found });
        let findings = own.finish().unwrap_or_else(|findings| findings);
        if is_own {
            wrong.extend((!findings.is_empty()).then_some(derivative));
            for finding in findings {
                cx.push(finding);
            }
        } else {
            inherited.push((derivative, idx, findings));
        }
    }
    // What inherits a formula repeats its mistakes.
    for (_, idx, findings) in inherited.into_iter().filter(|it| !wrong.contains(&it.0)) {
        let name = &ops.overloads[idx].schema.name;
        for finding in findings {
            cx.push(finding).note(format_args!("`{name}` inherits this formula"));
        }
    }
    Gradients { by_overload: gradients, derived }
}

/// Of what inherits the formulas of an entry nothing is asked but that they can be translated.
fn gradient(
    cx: &mut Diagnostics,
    callables: &Callables<'_>,
    overload: &Overload,
    entry: &Derivative,
    (node, is_own): (&str, bool),
) -> Option<Gradient> {
    let schema = &overload.schema;
    if entry.generated || matches!(schema.kind(), Kind::Out | Kind::Scratch) {
        return None;
    }
    let formulas = entry.formulas.iter().find(|(key, _)| *key == AutogradKey::Default);
    let Some((_, formulas)) = formulas else { return missing(overload, None) };
    let backward = &formulas.backward;
    let outputs = outputs(entry, overload, backward);
    if is_own && backward.is_empty() && outputs.contains(&true) {
        checks::silent_inputs(cx, schema, entry, formulas);
    }
    if !outputs.contains(&true) || backward.is_empty() {
        return None;
    }
    let mut params: Vec<usize> = backward.iter().flat_map(|it| it.inputs.clone()).collect();
    params.sort_unstable();
    let is_list = |it: usize| matches!(schema.params[it].ty.value, Type::List(..));
    let inputs = params.iter().map(|&param| DifferentiableInput { param, is_list: is_list(param) });
    let inputs: Vec<DifferentiableInput> = inputs.collect();
    let mut scope = Scope::new(schema, &params, &outputs);
    if is_own {
        checks::silent_inputs(cx, schema, entry, formulas);
        checks::reads(cx, schema, backward, &scope);
    }
    let mut parts = Vec::new();
    for formula in backward {
        let mut translator = Translator { cx, callables, scope: &mut scope, formula };
        parts.push(translator.part());
    }
    let parts: Vec<GradientFormula> = parts.into_iter().collect::<Option<_>>()?;
    let slots = scope.into_slots();
    let node = node.to_owned();
    Some(Gradient { node, inputs, outputs, slots, parts, derived: None })
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
    let is_like = matches!(overload.options, OptionsCategory::Like | OptionsCategory::New);
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
        let has_list = inputs.iter().any(|it: &DifferentiableInput| it.is_list);
        if !(is_list(it) && has_list) {
            inputs.push(DifferentiableInput { param, is_list: is_list(it) });
        }
    }
    let outputs: Vec<bool> = schema.returns.iter().map(|it| it.ty.value.is_tensor_like()).collect();
    if inputs.is_empty() || !outputs.contains(&true) {
        return None;
    }
    let part = GradientFormula::unwritten(inputs.len());
    let node = "NotImplemented".to_owned();
    let (slots, parts) = (Vec::new(), vec![part]);
    Some(Gradient { node, inputs, outputs, slots, parts, derived: None })
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
