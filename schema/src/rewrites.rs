//! `rewrites.yaml`: what graphs of operators can be replaced by.

use opwright_diagnostics::diag::Diagnostics;
use opwright_diagnostics::source::Sources;
use opwright_formula::{Arg, Condition, Pattern};

use crate::codes;
use crate::index::Index;
use crate::keys::{Field, Keys};
use crate::model::{Overload, SourceId, Span, Spanned};
use crate::yaml::{self, YamlNode};

pub use crate::model::Rewrite;

/// The keys of an entry.
const KEYS: [&str; 5] = ["name", "pattern", "with", "when", "approx"];

impl Rewrite {
    /// Whether these operators are all that it needs.
    pub fn is_of(&self, overloads: &[Overload]) -> bool {
        let calls = [&self.pattern, &self.with].into_iter().flat_map(Pattern::calls);
        calls.into_iter().all(|(name, _)| {
            name == Pattern::SHAPE || overloads.iter().any(|it| is_called(it, name))
        })
    }
}

/// Reads the file, and reports what does not fit the operators.
pub(crate) fn read(
    cx: &mut Diagnostics,
    sources: &Sources,
    file: SourceId,
    index: &Index<'_>,
) -> Vec<Rewrite> {
    let mut rewrites: Vec<Rewrite> = Vec::new();
    for node in yaml::entries(cx, sources, file) {
        let Some(rewrite) = entry(cx, &node, index) else { continue };
        if let Some(first) = rewrites.iter().find(|it| it.name.value == rewrite.name.value) {
            let message = format!("two rewrites are called `{}`", rewrite.name.value);
            cx.error(codes::REWRITE_TWICE, &rewrite.name.span, message)
                .also(&first.name.span, "first here")
                .help("give one of them another name");
        }
        rewrites.push(rewrite);
    }
    rewrites
}

fn entry(cx: &mut Diagnostics, node: &YamlNode<'_>, index: &Index<'_>) -> Option<Rewrite> {
    let mut keys = Keys::open(cx, node, "a rewrite")?;
    let start = keys.start();
    let name = required(cx, &mut keys, "name", &start).and_then(|it| it.string(cx));
    let pattern =
        required(cx, &mut keys, "pattern", &start).and_then(|it| read_one(cx, &it, index));
    let with = required(cx, &mut keys, "with", &start).and_then(|it| read_one(cx, &it, index));
    let when = keys.take("when").map_or_else(Vec::new, |it| it.list(cx));
    let approximate = keys.take("approx").map_or(Some(false), |it| it.bool(cx));
    keys.finish(cx, &KEYS);
    let (name, (pattern, whole), (with, text)) = (name?, pattern?, with?);
    let Pattern::Call(..) = pattern else {
        cx.error(codes::REWRITE_PATTERN, &whole.span, "this pattern would find every variable")
            .help("let it begin with the call of an operator");
        return None;
    };
    check_names(cx, &pattern, &with, &text);
    check_overloads(cx, &with, &text, index);
    let when = when.iter().filter_map(|it| condition(cx, &pattern, it)).collect();
    Some(Rewrite { name, pattern, with, when, approximate: approximate? })
}

/// A condition, whose name stands in the pattern.
fn condition(cx: &mut Diagnostics, pattern: &Pattern, text: &Spanned<String>) -> Option<Condition> {
    match Condition::parse(&text.value) {
        Ok(found) => {
            let known = pattern.names();
            if !known.contains(&found.name.as_str()) {
                let message = format!("`{}` does not stand in the pattern", found.name);
                let place = text.place(found.range.clone());
                cx.error(codes::REWRITE_NAME, &place, message).suggest(&found.name, known);
            }
            Some(found)
        }
        Err(error) => {
            cx.error(codes::REWRITE_CONDITION, &text.place(error.range), error.message);
            None
        }
    }
}

fn required<'n, 'a>(
    cx: &mut Diagnostics,
    keys: &mut Keys<'n, 'a>,
    key: &str,
    start: &Span,
) -> Option<Field<'n, 'a>> {
    let found = keys.take(key);
    if found.is_none() && !keys.misspells(key, &KEYS) {
        cx.error(codes::MISSING_KEY, start, format_args!("this rewrite has no `{key}`"))
            .help("a rewrite has a `name`, a `pattern`, and says `with` what it is replaced");
    }
    found
}

/// A pattern, and its text.
fn read_one(
    cx: &mut Diagnostics,
    field: &Field<'_, '_>,
    index: &Index<'_>,
) -> Option<(Pattern, Spanned<String>)> {
    let text = match field.node.text() {
        // A number.
        Some(text) => Spanned::new(text.to_owned(), field.node.text_span()),
        None => field.string(cx)?,
    };
    match Pattern::parse(&text.value) {
        Ok(pattern) => {
            check_calls(cx, &pattern, &text, index);
            Some((pattern, text))
        }
        Err(error) => {
            cx.error(codes::REWRITE_PATTERN, &text.place(error.range), error.message);
            None
        }
    }
}

/// Every call is one of an operator that has as many parameters.
fn check_calls(cx: &mut Diagnostics, pattern: &Pattern, text: &Spanned<String>, index: &Index<'_>) {
    pattern.walk(&mut |it| {
        let Pattern::Call(name, range, args) = it else { return };
        if name == Pattern::SHAPE && args.len() == 1 {
            return;
        }
        let mut found = index.overloads().iter().filter(|it| is_called(it, name)).peekable();
        let place = text.place(range.clone());
        if found.peek().is_none() {
            let names = index.overloads().iter().map(|it| it.schema.name.to_string());
            let names: Vec<String> = names.collect();
            cx.error(
                codes::REWRITE_OPERATOR,
                &place,
                format_args!("there is no operator `{name}`"),
            )
            .suggest(name, names.iter().map(String::as_str));
        } else if !found.any(|it| takes(it, args)) {
            let names = args.iter().filter_map(|it| it.keyword.as_ref()).map(|it| &*it.text);
            let what = match names.collect::<Vec<_>>() {
                names if names.is_empty() => format!("{} arguments", args.len()),
                names => format!("`{}` by name", names.join("`, `")),
            };
            let message = format!("no overload of `{name}` takes {what}");
            cx.error(codes::REWRITE_OPERATOR, &place, message)
                .help("leave out what has its default");
        }
    });
}

/// Whether there are parameters for these arguments.
fn takes(overload: &Overload, args: &[Arg]) -> bool {
    let params = &overload.schema.params;
    let by_name = params.get(Arg::positional(args)..);
    by_name.is_some_and(|rest| {
        let keywords = args.iter().filter_map(|it| it.keyword.as_ref());
        keywords.into_iter().all(|name| rest.iter().any(|it| it.name.value == name.text))
    })
}

/// Whether an overload has this name, or is one of the operator of this name.
fn is_called(overload: &Overload, name: &str) -> bool {
    let schema = &overload.schema.name;
    schema.to_string() == name || schema.base.to_string() == name
}

/// What takes the place is made of what was found.
fn check_names(cx: &mut Diagnostics, pattern: &Pattern, with: &Pattern, text: &Spanned<String>) {
    let known = pattern.names();
    with.walk(&mut |it| match it {
        Pattern::Name(name, range) if !known.contains(&&**name) => {
            let message = format!("`{name}` does not stand in the pattern");
            cx.error(codes::REWRITE_NAME, &text.place(range.clone()), message)
                .suggest(name, known.iter().copied());
        }
        Pattern::Any => {
            cx.error(codes::REWRITE_NAME, &text.span, "`_` stands for nothing in a replacement")
                .help("name it in the pattern, too");
        }
        _ => {}
    });
}

/// What takes the place says which overloads it calls.
fn check_overloads(
    cx: &mut Diagnostics,
    with: &Pattern,
    text: &Spanned<String>,
    index: &Index<'_>,
) {
    for (name, range) in with.calls() {
        let overloads = index.overloads();
        if name == Pattern::SHAPE {
            let message = "a replacement asks for no shape";
            cx.error(codes::REWRITE_OPERATOR, &text.place(range), message);
            continue;
        }
        let exact = overloads.iter().any(|it| it.schema.name.to_string() == name);
        let first = overloads.iter().find(|it| is_called(it, name));
        if let Some(first) = first.filter(|_| !exact) {
            let message = format!("`{name}` has several overloads");
            cx.error(codes::REWRITE_OPERATOR, &text.place(range), message)
                .help(format_args!("say which one, such as `{}`", first.schema.name));
        }
    }
}
