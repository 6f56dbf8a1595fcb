//! One entry of `derivatives.yaml`, or the key `derivative` of an operator's own entry.

use opwright_diagnostics::diag::Diagnostics;

use super::formula;
use super::names::Names;
use crate::autogen::functional_companion;
use crate::codes;
use crate::index::Index;
use crate::keys::{Field, Keys, split_commas};
use crate::model::derivative::{
    AutogradKey, Backward, Derivative, Formula, Formulas, Forward, ForwardRule,
    OutputDifferentiability,
};
use crate::model::{Kind, OpName, Overload, Param, Schema, Span, Spanned};
use crate::parse::parse_schema;
use crate::types::Natives;
use crate::yaml::{YamlNode, YamlValue};

/// Names that a formula gives a meaning of its own.
const RESERVED: [&str; 3] = ["requires_grad", "grad_input_mask", "result"];

/// Calls that say that a gradient exists, but nobody has written it.
const NOT_IMPLEMENTED: [&str; 2] = ["not_implemented", "not_implemented_list"];

/// The key for the name of the nodes.
const NODE: &str = "node";

/// Keys with formulas of their own.
const KEYS: [(&str, AutogradKey); 3] = [
    ("Default", AutogradKey::Default),
    ("AutogradNestedTensor", AutogradKey::NestedTensor),
    ("AutogradCUDA", AutogradKey::Cuda),
];

pub(super) fn read(
    cx: &mut Diagnostics,
    node: &YamlNode<'_>,
    index: &Index<'_>,
    natives: Natives<'_>,
) -> Option<Derivative> {
    let mut keys = Keys::open(cx, node, "the derivative of an operator")?;
    let Some(name) = keys.take("name") else {
        cx.error(codes::MISSING_KEY, &keys.start(), "this derivative has no `name`")
            .help("it holds the schema of an operator");
        return None;
    };
    let text = name.str(cx)?;
    let schema = parse_schema(cx, natives, text.value, &text.span).sound()?;
    let (operator, generated) = find(cx, &schema, index)?;
    let said = said(cx, keys, &schema, &text.span);
    Some(Derivative { operator, generated, ..said })
}

/// Reads what the entry of an operator says of its own gradients.
pub(super) fn read_own(
    cx: &mut Diagnostics,
    node: &YamlNode<'_>,
    (operator, schema): (usize, &Schema),
) -> Option<Derivative> {
    let mut keys = Keys::open(cx, node, "the gradients of inputs, by their names")?;
    let span = keys.start();
    let is_input = schema.param(NODE).is_some();
    let name = if is_input { None } else { keys.take(NODE) };
    let node = name.and_then(|it| it.string(cx)).map(|it| it.value);
    Some(Derivative { operator, node, ..said(cx, keys, schema, &span) })
}

/// What the keys say of the operator with this schema, which `span` stands for.
fn said(cx: &mut Diagnostics, mut keys: Keys<'_, '_>, schema: &Schema, span: &Span) -> Derivative {
    reserved(cx, schema);
    let outputs = match keys.take("output_differentiability") {
        Some(field) => output_differentiability(cx, &field, schema),
        None => OutputDifferentiability::Unstated,
    };
    let formulas = match keys.take("dispatch") {
        Some(field) => by_key(cx, &field, keys, schema, &outputs),
        None => vec![(AutogradKey::Default, formulas(cx, keys.rest(), schema, &outputs))],
    };
    let params = schema.params.iter().map(|it| it.name.span.clone()).collect();
    let span = span.clone();
    Derivative { operator: 0, generated: false, node: None, span, params, outputs, formulas }
}

/// Reports a second entry for an operator.
pub(super) fn check_twice(cx: &mut Diagnostics, earlier: &[Derivative], derivative: &Derivative) {
    let about = |it: &Derivative| (it.operator, it.generated);
    if let Some(first) = earlier.iter().find(|it| about(it) == about(derivative)) {
        let message = "this operator has two entries";
        cx.error(codes::DERIVATIVE_TWICE, &derivative.span, message)
            .also(&first.span, "first here")
            .help("put all formulas into one entry");
    }
}

/// The operator whose schema this is. That of a functional variant that is to
/// be generated stands for the operator which it is generated from.
fn find(cx: &mut Diagnostics, schema: &Schema, index: &Index<'_>) -> Option<(usize, bool)> {
    let name = &schema.name;
    let declared = index.get(name).map(|(idx, it)| (idx, it.schema.clone()));
    let is_generated = declared.is_none();
    let Some((idx, operator)) = declared.or_else(|| generated(name, index)) else {
        if !index.is_broken(name) {
            let message = format!("there is no operator `{name}`");
            cx.error(codes::DERIVATIVE_OPERATOR, &schema.name_span, message)
                .suggest(&name.to_string(), index.names().iter().map(String::as_str));
        }
        return None;
    };
    if schema.to_string() == operator.to_string() {
        return Some((idx, is_generated));
    }
    let span = difference(schema, &operator).unwrap_or(&schema.span);
    let message = format!("this is not the schema of `{name}`");
    cx.error(codes::DERIVATIVE_OPERATOR, span, message)
        .also(&operator.span, "declared here")
        .help(format_args!("write `{operator}`"));
    None
}

/// The operator that asks for a functional variant of this name, and the
/// variant's schema.
fn generated(name: &OpName, index: &Index<'_>) -> Option<(usize, Schema)> {
    let asks = |it: &Overload| it.autogen.iter().any(|it| it.value == *name);
    let idx = index.overloads().iter().position(asks)?;
    Some((idx, functional_companion(&index.overloads()[idx].schema, name)))
}

/// The first parameter or return that the operator does not have like this.
fn difference<'s>(schema: &'s Schema, operator: &Schema) -> Option<&'s Span> {
    let theirs = operator.params.iter().map(ToString::to_string).map(Some);
    let theirs = theirs.chain(std::iter::repeat(None));
    let param = schema
        .params
        .iter()
        .zip(theirs)
        .find(|(it, their)| their.as_ref() != Some(&it.to_string()));
    param.map(|(it, _)| &it.name.span)
}

pub(super) fn reserved(cx: &mut Diagnostics, schema: &Schema) {
    for param in schema.params.iter().filter(|it| RESERVED.contains(&it.name.value.as_str())) {
        let message = format!("the name `{}` is reserved in formulas", param.name.value);
        cx.error(codes::DERIVATIVE_RESERVED, &param.name.span, message)
            .help("rename the parameter of the operator");
    }
}

/// `[True, False]`, or one condition.
fn output_differentiability(
    cx: &mut Diagnostics,
    field: &Field<'_, '_>,
    schema: &Schema,
) -> OutputDifferentiability {
    let YamlValue::Sequence(items) = &field.node.value else {
        field.wrong(cx, "a list of truth values, one per output");
        return OutputDifferentiability::Unstated;
    };
    if let ([only], [_]) = (items.as_slice(), schema.returns.as_slice())
        && let Some(text) = only.string()
    {
        let condition = Formula::read(cx, Spanned::new(text.to_owned(), only.text_span()));
        return condition.map_or(OutputDifferentiability::Unstated, OutputDifferentiability::If);
    }
    let mut stated = Vec::new();
    for item in items {
        match item.bool() {
            Some(value) => stated.push(value),
            None => {
                let message = format!("expected `True` or `False`, found {}", item.describe());
                cx.error(codes::DERIVATIVE_OUTPUT, &item.span, message)
                    .note("a condition is possible if there is one output only");
            }
        }
    }
    check_outputs(cx, items.len(), &field.node.span, schema);
    if items.len() == schema.returns.len() {
        for ((item, value), ret) in items.iter().zip(&stated).zip(&schema.returns) {
            if *value && !ret.ty.value.is_tensor_like() {
                let message =
                    format!("this output is of type `{}`, which has no gradient", ret.ty.value);
                cx.error(codes::DERIVATIVE_OUTPUT, &item.span, message)
                    .also(&ret.ty.span, "the output")
                    .help("write `False`");
            }
        }
    }
    OutputDifferentiability::Stated(stated)
}

/// Reports truth values that are not one per output.
pub(super) fn check_outputs(cx: &mut Diagnostics, values: usize, place: &Span, schema: &Schema) {
    let outputs = schema.returns.len();
    if values != outputs {
        let plural = |count: usize| if count == 1 { "" } else { "s" };
        let message = format!(
            "{values} truth value{} for {outputs} output{}",
            plural(values),
            plural(outputs)
        );
        cx.error(codes::DERIVATIVE_OUTPUT, place, message).help("write one per output");
    }
}

/// Reports formulas of an operator none of whose outputs has a gradient, and of one that writes to
/// out parameters: nobody would ever ask for them.
pub(super) fn check_used(
    cx: &mut Diagnostics,
    schema: &Schema,
    outputs: &OutputDifferentiability,
    backward: &[Backward],
) {
    let Some(first) = backward.iter().find(|it| !it.not_implemented) else { return };
    let place = &first.formula.text.span;
    let name = &schema.name;
    if matches!(schema.kind(), Kind::Out | Kind::Scratch) {
        let message = format!("`{name}` writes to an out parameter, which has no history");
        cx.error(codes::NO_GRADIENT, place, message)
            .help("put the formulas into the entry of the functional variant");
        return;
    }
    let is_stated = match outputs {
        OutputDifferentiability::Stated(values) => values.contains(&true),
        OutputDifferentiability::Unstated | OutputDifferentiability::If(_) => true,
    };
    let has_tensors = schema.returns.iter().any(|it| it.ty.value.is_tensor_like());
    let writes = schema.params.iter().any(Param::writes);
    if !(has_tensors || writes) || !is_stated {
        let message = format!("no output of `{name}` has a gradient");
        cx.error(codes::NO_GRADIENT, place, message)
            .note("so nobody asks for those of its inputs")
            .help("remove the formulas, or write `non_differentiable`");
    }
}

/// Reports inputs that are no tensors, and so have no gradients.
pub(super) fn check_inputs(
    cx: &mut Diagnostics,
    words: &[Spanned<String>],
    inputs: &[usize],
    schema: &Schema,
) {
    for (word, idx) in words.iter().zip(inputs) {
        let param = &schema.params[*idx];
        let ty = &param.ty.value;
        if !ty.is_tensor_like() {
            let message = format!("`{}` is of type `{ty}`, which has no gradient", word.value);
            cx.error(codes::NO_GRADIENT, &word.span, message)
                .help("remove its formula")
                .help("or declare it as a `Tensor`, if it is something to differentiate by");
        }
    }
}

/// Formulas under `dispatch`, by autograd key.
fn by_key(
    cx: &mut Diagnostics,
    field: &Field<'_, '_>,
    rest: Keys<'_, '_>,
    schema: &Schema,
    outputs: &OutputDifferentiability,
) -> Vec<(AutogradKey, Formulas)> {
    for late in rest.rest() {
        let message = format!("`{}` stands beside `dispatch`", late.key);
        cx.error(codes::DERIVATIVE_DISPATCH, &late.key_span, message)
            .also(&field.key_span, "all formulas belong in here")
            .help("move it under `Default`");
    }
    let Some(keys) = Keys::open(cx, field.node, "formulas by autograd key") else {
        return Vec::new();
    };
    let mut all = Vec::new();
    for field in keys.rest() {
        let Some((_, key)) = KEYS.iter().find(|(word, _)| *word == field.key) else {
            let message = format!("unknown autograd key `{}`", field.key);
            let words = KEYS.map(|(word, _)| word);
            cx.error(codes::DERIVATIVE_DISPATCH, &field.key_span, message)
                .choose(field.key, &words);
            continue;
        };
        let Some(keys) = Keys::open(cx, field.node, "formulas") else { continue };
        all.push((*key, formulas(cx, keys.rest(), schema, outputs)));
    }
    all
}

/// Formulas of one key: backward ones by input, forward ones by output.
fn formulas(
    cx: &mut Diagnostics,
    fields: Vec<Field<'_, '_>>,
    schema: &Schema,
    outputs: &OutputDifferentiability,
) -> Formulas {
    let names = Names::new(schema, outputs);
    let mut all = Formulas::default();
    let mut taken: Vec<Spanned<usize>> = Vec::new();
    for field in fields {
        let Some(text) = field.node.text().filter(|_| !field.node.is_null()) else {
            let message = format!("`{}` has no formula", field.key);
            cx.error(codes::DERIVATIVE_FORMULA, &field.key_span, message)
                .help("write one, or `non_differentiable`");
            continue;
        };
        let text = Spanned::new(text.to_owned(), field.node.text_span());
        let words = split_names(&field);
        let is_input = words.first().is_some_and(|it| schema.param(&it.value).is_some());
        if !is_input {
            if let Some(forward) = forward(cx, &words, text, &names) {
                all.forward.push(forward);
            }
            continue;
        }
        let Some(inputs) = inputs(cx, &words, &names, &mut taken) else { continue };
        if text.value.trim().eq_ignore_ascii_case("non_differentiable") {
            all.non_differentiable.extend(inputs);
            continue;
        }
        let Some(formula) = Formula::read(cx, text) else { continue };
        check_inputs(cx, &words, &inputs, schema);
        let not_implemented = formula.called().is_some_and(|it| NOT_IMPLEMENTED.contains(&it));
        if !not_implemented {
            formula::check_backward(cx, &formula, &names);
        }
        all.backward.push(Backward { inputs, formula, function: None, not_implemented });
    }
    formula::check_gradients(cx, &all.backward, &names);
    formula::check_forward_names(cx, &all, &names);
    automatic(cx, &all, schema);
    check_used(cx, schema, outputs, &all.backward);
    all
}

/// `self, other`, each with its place.
fn split_names(field: &Field<'_, '_>) -> Vec<Spanned<String>> {
    let words = split_commas(field.key, &field.key_span).map(|it| it.trimmed().owned());
    words.filter(|it| !it.value.is_empty()).collect()
}

/// Inputs by index; reports what is none, and what has a formula already.
pub(super) fn inputs(
    cx: &mut Diagnostics,
    words: &[Spanned<String>],
    names: &Names<'_>,
    taken: &mut Vec<Spanned<usize>>,
) -> Option<Vec<usize>> {
    let mut found = Vec::new();
    for word in words {
        let Some((idx, _)) = names.schema.param(&word.value) else {
            no_input(cx, word, names);
            return None;
        };
        if let Some(first) = taken.iter().find(|it| it.value == idx) {
            let message = format!("`{}` has two formulas", word.value);
            cx.error(codes::DERIVATIVE_TWICE, &word.span, message)
                .also(&first.span, "first here")
                .help("remove one of them");
        }
        taken.push(Spanned::new(idx, word.span.clone()));
        found.push(idx);
    }
    Some(found)
}

fn forward(
    cx: &mut Diagnostics,
    words: &[Spanned<String>],
    text: Spanned<String>,
    names: &Names<'_>,
) -> Option<Forward> {
    let mut outputs = Vec::new();
    for word in words {
        match names.output(&word.value) {
            Some(idx) => outputs.push(idx),
            None => {
                no_input(cx, word, names);
                return None;
            }
        }
    }
    let span = text.span.clone();
    let rule = match text.value.trim() {
        "auto_linear" => ForwardRule::AutoLinear,
        "auto_element_wise" => ForwardRule::AutoElementWise,
        _ => {
            let formula = Formula::read(cx, text)?;
            formula::check_forward(cx, &formula, names);
            ForwardRule::Formula(formula)
        }
    };
    Some(Forward { outputs, rule, span })
}

/// Reports `auto_linear` and `auto_element_wise` where nothing follows from them.
fn automatic(cx: &mut Diagnostics, all: &Formulas, schema: &Schema) {
    let outputs: usize = all.forward.iter().map(|it| it.outputs.len()).sum();
    let inputs: usize = all.backward.iter().map(|it| it.inputs.len()).sum();
    for forward in &all.forward {
        let word = match &forward.rule {
            ForwardRule::AutoLinear => "auto_linear",
            ForwardRule::AutoElementWise => "auto_element_wise",
            ForwardRule::Formula(_) => continue,
        };
        let element_wise = forward.rule == ForwardRule::AutoElementWise;
        let why = if outputs > 1 {
            format!("there are formulas for {outputs} outputs")
        } else if inputs == 0 {
            "no input has a gradient".to_owned()
        } else if element_wise && inputs > 1 {
            format!("{inputs} inputs have gradients")
        } else if element_wise && schema.kind() == Kind::Inplace {
            "the operator is in-place".to_owned()
        } else {
            continue;
        };
        let message = format!("`{word}` cannot be used here");
        cx.error(codes::DERIVATIVE_AUTOMATIC, &forward.span, message)
            .note(why)
            .help("write the formula out");
    }
}

fn no_input(cx: &mut Diagnostics, word: &Spanned<String>, names: &Names<'_>) {
    let message =
        format!("`{}` is neither an input nor an output of `{}`", word.value, names.schema.name);
    let known = names.inputs_and_outputs();
    let error = cx.error(codes::DERIVATIVE_INPUT, &word.span, message);
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    error.choose(&word.value, &known);
    error.also(&names.schema.span, "the operator");
}
