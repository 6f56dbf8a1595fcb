//! Prints documentation comments, as `gofmt` leaves them.

use opwright_schema::model::Kind;

use super::model::GoFunction;
use super::options;
use crate::markdown;

/// No line of prose is longer, if it can be broken.
const WIDTH: usize = 100;

/// What a function does, its schema, and its defaults.
pub(super) fn function(function: &GoFunction<'_>) -> String {
    let mut lines = described(function, &function.name, usize::MAX);
    lines.push(String::new());
    lines.push(format!("\t{}", function.overload.schema));
    if let Some(many) = &function.many {
        lines.push(format!("\t{}", many.overload.schema));
    }
    let defaults: Vec<String> =
        function.fields().map(|it| format!("{} {}", it.name, options::default(it))).collect();
    if !defaults.is_empty() {
        lines.push(String::new());
        lines.extend(folded(&format!("Defaults: {}.", defaults.join(", "))));
    }
    comment(&lines)
}

/// What a method does, in short.
pub(super) fn method(function: &GoFunction<'_>) -> String {
    short(function, &function.name, &format!("See the function [{}].", function.name))
}

/// What a function of another package does, in short.
pub(super) fn forward(function: &GoFunction<'_>, name: &str, tensors: &str) -> String {
    short(function, name, &format!("See [{tensors}.{}].", function.name))
}

/// What is said of something with this name.
pub(super) fn of(name: &str, text: &str) -> String {
    let prose = without_fences(&markdown::prose(text));
    let mut lines = Vec::new();
    for (at, paragraph) in
        prose.split("\n\n").map(str::trim).filter(|it| !it.is_empty()).enumerate()
    {
        if at > 0 {
            lines.push(String::new());
        }
        let begun = if at == 0 { begin(name, paragraph) } else { paragraph.to_owned() };
        lines.extend(laid_out(&begun));
    }
    comment(&lines)
}

/// What is said of a field, above it; nothing if nothing is.
pub(super) fn indented(text: &str) -> String {
    let lines = folded(&without_fences(&markdown::prose(text)).replace('\n', " "));
    comment(&lines).lines().map(|it| format!("\t{it}\n")).collect()
}

fn short(function: &GoFunction<'_>, name: &str, more: &str) -> String {
    let mut lines = described(function, name, 1);
    lines.push(String::new());
    lines.push(more.to_owned());
    comment(&lines)
}

/// The first paragraphs of the description, which begin with the name.
fn described(function: &GoFunction<'_>, name: &str, count: usize) -> Vec<String> {
    let prose = without_fences(&markdown::prose(&function.overload.doc));
    let paragraphs: Vec<&str> =
        prose.split("\n\n").map(str::trim).filter(|it| !it.is_empty()).collect();
    let mut lines = Vec::new();
    for (at, paragraph) in paragraphs.iter().take(count).enumerate() {
        if at > 0 {
            lines.push(String::new());
        }
        let begun = if at == 0 { begin(name, paragraph) } else { (*paragraph).to_owned() };
        lines.extend(laid_out(&with_names_of_go(function, &begun)));
    }
    if paragraphs.is_empty() {
        lines.extend(folded(&undescribed(function, name)));
    }
    lines
}

/// Parameters under the names that they have here, where the text marks them as code.
fn with_names_of_go(function: &GoFunction<'_>, text: &str) -> String {
    let parameters = function.parameters();
    parameters.fold(text.to_owned(), |text, it| {
        text.replace(&format!("`{}`", it.argument.param.name.value), &format!("`{}`", it.name))
    })
}

/// What can be said of what its entry does not describe.
fn undescribed(function: &GoFunction<'_>, name: &str) -> String {
    let schema = &function.overload.schema;
    let written = function.parameters().filter(|it| it.argument.param.writes());
    let written = written.map(|it| it.name.as_str()).collect::<Vec<_>>().join(" and ");
    match (&function.fresh, schema.kind()) {
        (Some(fresh), Kind::Inplace | Kind::Out) => {
            format!("{name} is {fresh} that writes to {written}.")
        }
        _ => format!("{name} calls the operator `{}`.", schema.name),
    }
}

/// Code in fences is of other languages.
fn without_fences(text: &str) -> String {
    let mut lines = Vec::new();
    let mut in_code = false;
    for line in text.lines() {
        let is_fence = line.trim_start().starts_with("```");
        if !is_fence && !in_code {
            lines.push(line);
        }
        in_code ^= is_fence;
    }
    lines.join("\n")
}

/// `Adds x` as `Add adds x`, and `The sum` as `Sum: The sum`.
fn begin(name: &str, text: &str) -> String {
    let word = text.split_whitespace().next().unwrap_or_default();
    let rest = &text[word.len()..];
    let is_verb = is_verb(word) && !rest.trim_start().starts_with("of ");
    match is_verb {
        true => format!("{name} {}{rest}", word.to_lowercase()),
        false => format!("{name}: {text}"),
    }
}

/// Whether a first word looks like `Returns`.
fn is_verb(word: &str) -> bool {
    let letters = word.strip_suffix('s').unwrap_or_default();
    let is_word = letters.len() > 2 && letters.bytes().all(|it| it.is_ascii_alphabetic());
    is_word && !letters.ends_with(['s', 'u', 'n'])
}

/// Lines of a paragraph: items of lists, and the rest.
fn laid_out(paragraph: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut current = String::new();
    for line in paragraph.lines() {
        if let Some(item) = line.trim_start().strip_prefix("- ") {
            lines.extend(folded(&std::mem::take(&mut current)));
            current = format!("  - {item}");
        } else if line.trim_start().starts_with('|') {
            lines.extend(folded(&std::mem::take(&mut current)));
            lines.push(format!("\t{}", line.trim()));
        } else {
            if !current.is_empty() {
                current.push(' ');
            }
            current += line.trim();
        }
    }
    lines.extend(folded(&current));
    lines
}

/// A line broken between words.
fn folded(text: &str) -> Vec<String> {
    let is_item = text.starts_with("  - ");
    let (start, more) = if is_item { ("  - ", "    ") } else { ("", "") };
    let (mut lines, mut current) = (Vec::new(), start.to_owned());
    for word in text.split_whitespace().skip(usize::from(is_item)) {
        let is_begun = current.len() > start.len();
        if is_begun && current.len() + 1 + word.len() > WIDTH {
            lines.push(std::mem::replace(&mut current, more.to_owned()));
        }
        if current.trim_start_matches([' ', '-']).is_empty() {
            current += word;
        } else {
            current = format!("{current} {word}");
        }
    }
    if !current.trim().is_empty() {
        lines.push(current);
    }
    lines
}

fn comment(lines: &[String]) -> String {
    let line = |it: &String| match it.as_str() {
        "" => "//\n".to_owned(),
        code if code.starts_with('\t') => format!("//{code}\n"),
        text => format!("// {text}\n"),
    };
    lines.iter().map(line).collect()
}
