//! Formulas, as far as they can be read without knowing operators: its tree, and the names
//! of values that it uses.

use std::ops::Range;

use opwright_diagnostics::diag::Diagnostics;
use opwright_formula::{Expr, ExprKind, Name, Prefix, parse};

use super::names::Names;
use crate::codes;
use crate::model::derivative::{Backward, Formula, Formulas, ForwardRule};
use crate::model::{Span, Spanned, Type};

/// Words of the language that formulas are written in.
const LANGUAGE: [&str; 3] = ["true", "false", "nullptr"];

impl Formula {
    /// Parses it, and reports what does not fit.
    pub(super) fn read(cx: &mut Diagnostics, text: Spanned<String>) -> Option<Formula> {
        match parse(&text.value) {
            Ok(expr) => Some(Formula { text, expr }),
            Err(error) => {
                let span = text.place(error.range);
                cx.error(codes::DERIVATIVE_FORMULA, &span, error.message);
                None
            }
        }
    }

    /// That of a gradient that nobody has written.
    pub(super) fn not_implemented(span: Span) -> Formula {
        let text = "not_implemented";
        let word = Name { text: text.to_owned(), range: 0..text.len() };
        let path = opwright_formula::Path { names: vec![word] };
        let expr = Expr { kind: ExprKind::Name(path), range: 0..text.len() };
        Formula { text: Spanned::new(text.to_owned(), span), expr }
    }

    /// Where a part of it stands.
    pub fn place(&self, range: Range<usize>) -> Span {
        self.text.place(range)
    }

    /// Whether it names this value.
    pub fn uses(&self, name: &str) -> bool {
        self.names().iter().any(|it| it.text == name)
    }

    /// The function that it calls, if it is a call and nothing else.
    pub(super) fn called(&self) -> Option<&str> {
        match &self.expr.kind {
            ExprKind::Call { function, .. } => Some(&function.last().text),
            _ => None,
        }
    }

    /// The names of values, in the order of the text; those that it declares itself are left out.
    fn names(&self) -> Vec<&Name> {
        let mut names = Vec::new();
        let mut locals = Vec::new();
        self.expr.walk(&mut |it| match &it.kind {
            ExprKind::Lambda { param, .. } => locals.push(&param.text),
            _ => names.extend(it.name().filter(|it| !locals.contains(&&it.text))),
        });
        names
    }

    /// Names of values that mean nothing here, each once.
    fn unknown(&self, means: impl Fn(&str) -> bool) -> Vec<&Name> {
        let mut unknown: Vec<&Name> = Vec::new();
        for name in self.names().into_iter().filter(|it| !is_constant(&it.text)) {
            if !means(&name.text) && !unknown.iter().any(|it| it.text == name.text) {
                unknown.push(name);
            }
        }
        unknown
    }
}

/// `M_PI`, `kMean`, `true`.
fn is_constant(word: &str) -> bool {
    let is_upper = |it: &str| it.starts_with(|ch: char| ch.is_ascii_uppercase());
    is_upper(word) || word.strip_prefix('k').is_some_and(is_upper) || LANGUAGE.contains(&word)
}

/// Reports unknown names, and properties of inputs that must be symbolic.
pub(super) fn check_backward(cx: &mut Diagnostics, formula: &Formula, names: &Names<'_>) {
    for name in formula.unknown(|it| names.in_backward(it)) {
        let known = ["grad", "grads", "grad_input_mask", "retain_variables"];
        let known = known.into_iter().map(str::to_owned);
        let known: Vec<_> =
            known.chain(names.named_gradients()).chain(names.inputs_and_outputs()).collect();
        report(cx, formula, name, names, &known);
    }
    formula.expr.walk(&mut |it| {
        if let Some(name) = concrete(it) {
            let message = format!("`{}` is not symbolic", name.text);
            cx.error(codes::DERIVATIVE_FORMULA, &formula.place(name.range.clone()), message)
                .help(format_args!("write `sym_{}`", name.text));
        }
    });
}

/// The method, if a tensor is asked for its shape as plain numbers: `x.sizes()`, `x.strides()`,
/// `x.size(0)`; the `x.size()` of a list is something else.
fn concrete(expr: &Expr) -> Option<&Name> {
    let ExprKind::Method { name, args, .. } = &expr.kind else { return None };
    let is_concrete = match (name.text.as_str(), args.as_slice()) {
        ("sizes" | "strides", []) => true,
        ("size", [dim]) => is_int(dim),
        _ => false,
    };
    is_concrete.then_some(name)
}

fn is_int(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Int(_) => true,
        ExprKind::Prefix { prefix: Prefix::Neg, operand } => is_int(operand),
        _ => false,
    }
}

/// Reports unknown names.
pub(super) fn check_forward(cx: &mut Diagnostics, formula: &Formula, names: &Names<'_>) {
    for name in formula.unknown(|it| names.in_forward(it)) {
        let inputs = names.schema.params.iter().map(|it| &it.name.value);
        let known: Vec<_> = inputs.flat_map(|it| [format!("{it}_p"), format!("{it}_t")]).collect();
        let known: Vec<_> = known.into_iter().chain(names.inputs_and_outputs()).collect();
        report(cx, formula, name, names, &known);
    }
}

fn report(
    cx: &mut Diagnostics,
    formula: &Formula,
    name: &Name,
    names: &Names<'_>,
    known: &[String],
) {
    let message =
        format!("formula names `{}`, which `{}` does not have", name.text, names.schema.name);
    cx.error(codes::DERIVATIVE_NAME, &formula.place(name.range.clone()), message)
        .suggest(&name.text, known.iter().map(String::as_str))
        .also(&names.schema.span, "the operator");
}

/// Reports a forward formula that uses the bare name of an input which has a
/// gradient: it could be the value or the tangent.
pub(super) fn check_forward_names(cx: &mut Diagnostics, all: &Formulas, names: &Names<'_>) {
    let inputs: Vec<_> = all.backward.iter().flat_map(|it| &it.inputs).collect();
    for forward in &all.forward {
        let ForwardRule::Formula(formula) = &forward.rule else { continue };
        for name in formula.names() {
            let Some((idx, param)) = names.schema.param(&name.text) else { continue };
            // Functions on lists take them apart themselves.
            if !inputs.contains(&&idx) || matches!(param.ty.value, Type::List(..)) {
                continue;
            }
            let (span, name) = (formula.place(name.range.clone()), &name.text);
            let message = format!("`{name}` could be the value or the tangent");
            cx.error(codes::DERIVATIVE_NAME, &span, message)
                .help(format_args!("write `{name}_p` for the value, `{name}_t` for the tangent"));
        }
    }
}

/// How the formulas of an entry name the gradients of its outputs.
#[derive(Default)]
struct Uses {
    grad: Option<Span>,
    named: Option<Span>,
    grads: Option<Span>,
    /// `grads` that no index follows.
    whole: bool,
    indices: Vec<(usize, Span)>,
}

/// Reports formulas that mix the ways to name the outputs' gradients.
pub(super) fn check_gradients(cx: &mut Diagnostics, backward: &[Backward], names: &Names<'_>) {
    let uses = uses(backward, names);
    let outputs = names.schema.returns.len();
    for (idx, span) in uses.indices.iter().filter(|(idx, _)| *idx >= outputs) {
        let message = format!("`grads[{idx}]` of an operator with {outputs} outputs");
        cx.error(codes::DERIVATIVE_GRADS, span, message)
            .also(&names.schema.span, "the operator")
            .help("outputs are counted from 0");
    }
    let forms = [("grad", &uses.grad), ("grads", &uses.grads), ("grad_<output>", &uses.named)];
    let used: Vec<_> = forms.iter().filter_map(|(it, span)| Some((*it, span.as_ref()?))).collect();
    if let [(one, first), (two, second), ..] = used.as_slice() {
        let message = format!("these formulas use `{one}` and `{two}`");
        cx.error(codes::DERIVATIVE_GRADS, second, message)
            .also(first, format_args!("`{one}` here"))
            .help("name the gradients of outputs in one way throughout an entry");
        return;
    }
    // Beside an input that is called `grad`, there is no other name for it.
    let has_short = names.schema.param("grad").is_none();
    let only_first =
        has_short && !uses.indices.is_empty() && uses.indices.iter().all(|(idx, _)| *idx == 0);
    if let (Some(span), true, false) = (&uses.grads, only_first, uses.whole) {
        cx.error(codes::DERIVATIVE_GRADS, span, "nothing but `grads[0]` is used")
            .help("write `grad`");
    }
}

fn uses(backward: &[Backward], names: &Names<'_>) -> Uses {
    let named = names.named_gradients();
    let mut uses = Uses::default();
    for formula in backward.iter().map(|it| &it.formula) {
        let indexed = indexed(&formula.expr);
        for name in formula.names() {
            let span = formula.place(name.range.clone());
            match name.text.as_str() {
                // An input can be called like the gradient of an output.
                text if names.schema.param(text).is_some() => {}
                "grad" => uses.grad = uses.grad.or(Some(span)),
                "grads" => {
                    match indexed.iter().find(|(it, _)| *it == name) {
                        Some((_, idx)) => uses.indices.push((*idx, span.clone())),
                        None => uses.whole = true,
                    }
                    uses.grads = uses.grads.or(Some(span));
                }
                text if named.iter().any(|it| it == text) => {
                    uses.named = uses.named.or(Some(span));
                }
                _ => {}
            }
        }
    }
    uses
}

/// Names with the numbers that stand in brackets behind them.
fn indexed(formula: &Expr) -> Vec<(&Name, usize)> {
    let mut indexed = Vec::new();
    formula.walk(&mut |it| {
        if let ExprKind::Index { object, index } = &it.kind
            && let (Some(name), ExprKind::Int(index)) = (object.name(), &index.kind)
        {
            indexed.extend(usize::try_from(*index).ok().map(|it| (name, it)));
        }
    });
    indexed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::SourceId;

    #[track_caller]
    fn check(formula: &str, expected: &[&str]) {
        let expr = parse(formula).unwrap();
        let span = Span { source: SourceId(0), range: 0..formula.len() };
        let formula = Formula { text: Spanned::new(formula.to_owned(), span), expr };
        let names: Vec<_> = formula.unknown(|it| it == "grad").iter().map(|it| &it.text).collect();
        assert_eq!(names, expected);
    }

    #[test]
    fn finds_names_of_values() {
        check("grad * slef", &["slef"]);
        check("at::f(grad).g() ? 1.5e3 : std::tuple<Tensor, Tensor>()", &[]);
        check("f(grad, /*other=*/true, \"text\", kMsg, M_PI, at::Reduction::None)", &[]);
        check("fmap(grad, [](c10::SymInt i) { return -i; })", &[]);
        check("grad->x()", &[]);
    }
}
