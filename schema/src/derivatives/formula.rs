//! What a formula says, as far as it can be told without compiling it: the
//! names of values that it uses.

use super::names::Names;
use super::{Backward, Formulas, ForwardRule};
use crate::codes;
use crate::diag::Diagnostics;
use crate::model::{Span, Spanned, Type};

/// A word of a formula that is neither called nor a member nor in a namespace.
struct Word<'f> {
    text: &'f str,
    start: usize,
    /// What follows it.
    rest: &'f str,
}

/// Words of the language that formulas are written in.
const LANGUAGE: [&str; 14] = [
    "true",
    "false",
    "nullptr",
    "return",
    "auto",
    "const",
    "int",
    "int64_t",
    "float",
    "double",
    "bool",
    "this",
    "static_cast",
    "if",
];

/// Reports unknown names, and properties of inputs that must be symbolic.
pub(super) fn check_backward(cx: &mut Diagnostics, formula: &Spanned<String>, names: &Names<'_>) {
    for word in unknown(&formula.value, |it| names.in_backward(it)) {
        let known = ["grad", "grads", "grad_input_mask", "retain_variables"];
        let known = known.into_iter().map(str::to_owned);
        let known: Vec<_> =
            known.chain(names.named_gradients()).chain(names.inputs_and_outputs()).collect();
        report(cx, formula, &word, names, &known);
    }
    for word in all_words(&formula.value).filter(|it| is_concrete(&formula.value, it)) {
        let span = place(formula, word.start, word.text.len());
        let message = format!("`{}` is not symbolic", word.text);
        cx.error(codes::DERIVATIVE_FORMULA, &span, message)
            .help(format_args!("write `sym_{}`", word.text));
    }
}

/// Whether a word asks a tensor for its shape as plain numbers: `x.sizes()`,
/// `x.strides()`, `x.size(0)`; the `x.size()` of a list is something else.
fn is_concrete(formula: &str, word: &Word<'_>) -> bool {
    let before = formula[..word.start].trim_end();
    let member = before.ends_with('.') || before.ends_with("->");
    let arguments = word.rest.strip_prefix('(').unwrap_or_default().trim_start_matches('-');
    member
        && match word.text {
            "sizes" | "strides" => arguments.starts_with(')'),
            "size" => arguments.starts_with(|ch: char| ch.is_ascii_digit()),
            _ => false,
        }
}

/// Reports unknown names.
pub(super) fn check_forward(cx: &mut Diagnostics, formula: &Spanned<String>, names: &Names<'_>) {
    for word in unknown(&formula.value, |it| names.in_forward(it)) {
        let inputs = names.schema.params.iter().map(|it| &it.name.value);
        let known: Vec<_> = inputs.flat_map(|it| [format!("{it}_p"), format!("{it}_t")]).collect();
        let known: Vec<_> = known.into_iter().chain(names.inputs_and_outputs()).collect();
        report(cx, formula, &word, names, &known);
    }
}

fn report(
    cx: &mut Diagnostics,
    formula: &Spanned<String>,
    word: &Word<'_>,
    names: &Names<'_>,
    known: &[String],
) {
    let span = place(formula, word.start, word.text.len());
    let message =
        format!("formula names `{}`, which `{}` does not have", word.text, names.schema.name);
    cx.error(codes::DERIVATIVE_NAME, &span, message)
        .suggest(word.text, known.iter().map(String::as_str))
        .also(&names.schema.span, "the operator");
}

/// Reports a forward formula that uses the bare name of an input which has a
/// gradient: it could be the value or the tangent.
pub(super) fn check_forward_names(cx: &mut Diagnostics, all: &Formulas, names: &Names<'_>) {
    let inputs: Vec<_> = all.backward.iter().flat_map(|it| &it.inputs).collect();
    for forward in &all.forward {
        let ForwardRule::Formula(formula) = &forward.rule else { continue };
        for word in words(&formula.value) {
            let Some((idx, param)) = names.schema.param(word.text) else { continue };
            // Functions on lists take them apart themselves.
            if !inputs.contains(&&idx) || matches!(param.ty.value, Type::List(..)) {
                continue;
            }
            let span = place(formula, word.start, word.text.len());
            let name = word.text;
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
    let only_first = !uses.indices.is_empty() && uses.indices.iter().all(|(idx, _)| *idx == 0);
    if let (Some(span), true, false) = (&uses.grads, only_first, uses.whole) {
        cx.error(codes::DERIVATIVE_GRADS, span, "nothing but `grads[0]` is used")
            .help("write `grad`");
    }
}

fn uses(backward: &[Backward], names: &Names<'_>) -> Uses {
    let named = names.named_gradients();
    let mut uses = Uses::default();
    for formula in backward.iter().map(|it| &it.formula) {
        for word in words(&formula.value) {
            let span = place(formula, word.start, word.text.len());
            match word.text {
                // An input can be called like the gradient of an output.
                text if names.schema.param(text).is_some() => {}
                "grad" => uses.grad = uses.grad.or(Some(span)),
                "grads" => {
                    match index(word.rest) {
                        Some(idx) => uses.indices.push((idx, span.clone())),
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

/// The number in `[1]`.
fn index(rest: &str) -> Option<usize> {
    let (digits, _) = rest.strip_prefix('[')?.split_once(']')?;
    digits.trim().parse().ok()
}

/// Where a part of a formula stands.
fn place(formula: &Spanned<String>, start: usize, len: usize) -> Span {
    let mut span = formula.span.clone();
    if span.range.len() == formula.value.len() {
        span.range = span.range.start + start..span.range.start + start + len;
    }
    span
}

/// Names of values that mean nothing here.
fn unknown<'f>(formula: &'f str, means: impl Fn(&str) -> bool) -> Vec<Word<'f>> {
    let mut locals: Vec<&str> = Vec::new();
    let mut unknown = Vec::new();
    let mut before = "";
    let mut before_end = 0;
    for word in all_words(formula) {
        // Two words in a row declare a value: `[](SymInt i) { return -i; }`.
        let between = &formula[before_end..word.start];
        let declares = before != "return" && !before.is_empty() && matches!(between, " " | "& ");
        before = word.text;
        before_end = word.start + word.text.len();
        if declares {
            locals.push(word.text);
        }
        let constant = word.text.starts_with(|ch: char| ch.is_ascii_uppercase())
            || word
                .text
                .strip_prefix('k')
                .is_some_and(|it| it.starts_with(|ch: char| ch.is_ascii_uppercase()));
        let known = constant || LANGUAGE.contains(&word.text) || locals.contains(&word.text);
        let first = !unknown.iter().any(|it: &Word<'_>| it.text == word.text);
        if !known && first && is_value(formula, &word) && !means(word.text) {
            unknown.push(word);
        }
    }
    unknown
}

/// The words that are values.
fn words(formula: &str) -> impl Iterator<Item = Word<'_>> {
    all_words(formula).filter(move |it| is_value(formula, it))
}

/// Neither called nor a member nor a part of a path.
fn is_value(formula: &str, word: &Word<'_>) -> bool {
    let before = formula[..word.start].trim_end();
    let after = word.rest.trim_start();
    let member = before.ends_with('.') || before.ends_with("->") || before.ends_with("::");
    !member && !after.starts_with('(') && !after.starts_with("::")
}

/// Every word outside of texts and comments.
fn all_words(formula: &str) -> impl Iterator<Item = Word<'_>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < formula.len() {
            let rest = &formula[at..];
            let len = skip(rest);
            if len > 0 {
                at += len;
                continue;
            }
            let is_word = |ch: char| ch == '_' || ch.is_ascii_alphanumeric();
            let len = rest.find(|ch| !is_word(ch)).unwrap_or(rest.len());
            let (text, start) = (&rest[..len], at);
            at += len;
            if !text.starts_with(|ch: char| ch.is_ascii_digit()) {
                return Some(Word { text, start, rest: &rest[len..] });
            }
        }
        None
    })
}

/// Length of the text, comment or sign at the start; 0 at a word.
fn skip(rest: &str) -> usize {
    if let Some(comment) = rest.strip_prefix("/*") {
        return comment.find("*/").map_or(rest.len(), |at| at + 4);
    }
    match rest.chars().next() {
        Some('"') => rest[1..].find('"').map_or(rest.len(), |at| at + 2),
        Some(ch) if ch == '_' || ch.is_ascii_alphanumeric() => 0,
        Some(ch) => ch.len_utf8(),
        None => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(formula: &str, expected: &[&str]) {
        let words: Vec<_> = unknown(formula, |it| it == "grad").iter().map(|it| it.text).collect();
        assert_eq!(words, expected);
    }

    #[test]
    fn finds_names_of_values() {
        check("grad * slef", &["slef"]);
        check("at::f(grad).g() ? 1.5e3 : std::tuple<Tensor, Tensor>()", &[]);
        check("f(grad, /*other=*/true, \"text\", kMsg, M_PI)", &[]);
        check("fmap(grad, [](c10::SymInt i) { return -i; })", &[]);
        check("grad -> x . y", &[]);
    }
}
