//! Checks of derivative entries: what they must not leave out, and their formulas must not read.

use opwright_diagnostics::diag::Diagnostics;
use opwright_formula::{ExprKind, Name};
use opwright_schema::derivatives::{
    AutogradKey, Backward, Derivative, Formula, Formulas, OutputDifferentiability,
};
use opwright_schema::model::{Kind, OpSet, Param, Schema, Span, Type};

use super::property::asks;
use super::saved::Source;
use super::scope::Scope;
use crate::codes;
use crate::kernels::{Kernels, is_transparent};

/// Last words of the names of tensors that choose elements, and have no gradients.
const CHOOSING: [&str; 4] = ["index", "indices", "indexes", "mask"];

/// Reports inputs of which an entry with formulas says nothing, at their names in it.
pub(super) fn silent_inputs(
    cx: &mut Diagnostics,
    schema: &Schema,
    entry: &Derivative,
    formulas: &Formulas,
) {
    let answered = formulas.backward.iter().flat_map(|it| &it.inputs);
    let answered: Vec<usize> = answered.chain(&formulas.non_differentiable).copied().collect();
    for (idx, (param, span)) in schema.params.iter().zip(&entry.params).enumerate() {
        if !answered.contains(&idx) && can_have_gradient(schema, param) {
            let name = &param.name.value;
            let message = format_args!("`{name}` has no formula");
            let report = match is_optional(&param.ty.value) {
                true => cx.warn(codes::NO_FORMULA, span, message),
                false => cx.error(codes::NO_FORMULA, span, message),
            };
            report.help(format_args!("write one, or `{name}: non_differentiable`"));
        }
    }
}

/// Reports what nothing obeys: formulas of an operator that is composed of others, which are recorded
/// in its place; formulas of tangents, or for devices that there are not; conditions of outputs.
pub(super) fn unused(cx: &mut Diagnostics, ops: &OpSet, kernels: &[Kernels], entry: &Derivative) {
    let schema = &ops.overloads[entry.operator].schema;
    let name = &schema.name;
    let all = || entry.formulas.iter().map(|(_, it)| it);
    if is_transparent(ops, kernels, entry.operator) && !entry.generated {
        let says_formulas = all().any(|it| !it.backward.is_empty() || !it.forward.is_empty());
        let what = if says_formulas { "its formulas" } else { "this entry" };
        let message =
            format_args!("`{name}` is composed of operators that record, so nothing uses {what}");
        cx.error(codes::UNUSED_FORMULAS, &entry.span, message)
            .help("remove them: the gradients follow from those operators")
            .help("or register the kernel for a key of its own, such as `CPU` or `CompositeExplicitAutograd`");
        return;
    }
    for forward in all().flat_map(|it| &it.forward) {
        let message = format_args!("tangents follow from gradients, so nothing uses this formula");
        cx.error(codes::UNUSED_FORMULAS, &forward.span, message)
            .note("forward mode transposes the backward pass")
            .help("remove it");
    }
    for (key, formulas) in &entry.formulas {
        let word = match key {
            AutogradKey::Default => continue,
            AutogradKey::NestedTensor => "AutogradNestedTensor",
            AutogradKey::Cuda => "AutogradCUDA",
        };
        let place = formulas.backward.first().map_or(&entry.span, |it| &it.formula.text.span);
        let message =
            format_args!("there are no tensors of `{word}`, so nothing uses this formula");
        cx.error(codes::UNUSED_FORMULAS, place, message)
            .help(format_args!("remove what is under `{word}`"));
    }
    if let OutputDifferentiability::If(condition) = &entry.outputs {
        let message =
            "nothing asks this condition: whether a result has a gradient follows from its dtype";
        cx.error(codes::UNUSED_FORMULAS, &condition.text.span, message).help("write `[True]`");
    }
}

/// Whether an input may be asked for its gradient: a tensor, unless it receives something or is
/// named as one that chooses elements.
fn can_have_gradient(schema: &Schema, param: &Param) -> bool {
    let name = &param.name.value;
    let receives = param.writes() && !(schema.kind() == Kind::Inplace && name == "self");
    let word = name.rsplit('_').next().unwrap_or(name);
    param.ty.value.is_tensor_like() && !receives && !CHOOSING.contains(&word)
}

fn is_optional(ty: &Type) -> bool {
    match ty {
        Type::Optional(_) => true,
        Type::List(element, _) => is_optional(element),
        Type::Base(_) => false,
    }
}

/// Reports what the formulas of an operator's own entry read and cannot have when a pass goes
/// backward: arguments that the call overwrites, and results that are views of arguments.
pub(super) fn reads(
    cx: &mut Diagnostics,
    schema: &Schema,
    backward: &[Backward],
    scope: &Scope<'_>,
) {
    for formula in backward.iter().filter(|it| !it.not_implemented).map(|it| &it.formula) {
        for name in values(formula) {
            let place = formula.place(name.range.clone());
            match scope.source_of(&name.text) {
                Some(Source::Param(idx)) if schema.params[idx].writes() => {
                    overwritten(cx, schema, &name.text, &place);
                }
                Some(Source::Output(idx)) => {
                    let output = &schema.returns[idx];
                    if output.annotation.is_some() && !output.writes() {
                        shared(cx, &name.text, &place);
                    }
                }
                _ => {}
            }
        }
    }
}

fn overwritten(cx: &mut Diagnostics, schema: &Schema, name: &str, place: &Span) {
    let message = format_args!("`{}` overwrites `{name}`, which this formula reads", schema.name);
    cx.error(codes::OVERWRITTEN, place, message)
        .help("use `result`, which is what it is after the call")
        .help("or leave the entry out: the formulas of the functional form get a copy");
}

fn shared(cx: &mut Diagnostics, name: &str, place: &Span) {
    let message = format_args!("`{name}` is a view of an input, which others may write to");
    cx.error(codes::SHARED_RESULT, place, message)
        .help("use the input, or a property such as `sym_sizes()`");
}

/// The names whose values a formula reads, rather than a property of them.
fn values(formula: &Formula) -> Vec<&Name> {
    let (mut names, mut asked) = (Vec::new(), Vec::new());
    formula.expr.walk(&mut |expr| {
        if asks(expr).is_some() {
            asked.extend(match &expr.kind {
                ExprKind::Method { object, .. } => object.name(),
                ExprKind::Call { args, .. } => args.first().and_then(|it| it.name()),
                _ => None,
            });
        }
        names.extend(expr.name());
    });
    names.retain(|it| !asked.contains(it));
    names
}
