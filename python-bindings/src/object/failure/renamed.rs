//! Exceptions of calls under another name than the operator's.

use std::collections::VecDeque;

use pyo3::prelude::*;

/// The name by which people call an operator: those of submodules go without the submodule's.
#[cold]
pub(crate) fn shown_name(operator: &str) -> &str {
    let prefixes = ["fft_", "linalg_", "special_"];
    prefixes.iter().find_map(|it| operator.strip_prefix(it)).unwrap_or(operator)
}

/// The exception of a call of `operator` under the name by which it was called. What is not our own
/// refusal says something else first, and stays.
#[cold]
pub(crate) fn renamed(py: Python<'_>, error: PyErr, operator: &str, name: &str) -> PyErr {
    let (from, to) = (shown_name(operator), shown_name(name));
    let value = error.value(py);
    let Ok((text,)) = value.getattr("args").and_then(|it| it.extract::<(String,)>()) else {
        return error;
    };
    if text.starts_with(&format!("{from}(")) {
        let text = with_calls(&text, from, to);
        let text = if to.len() > from.len() { folded(&text) } else { text };
        let _ = value.setattr("args", (text,));
    }
    error
}

/// The text with calls of `to` where it has calls of `from`.
#[cold]
fn with_calls(text: &str, from: &str, to: &str) -> String {
    let mut made = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(&format!("{from}(")) {
        let before = made.chars().chain(rest[..at].chars()).next_back();
        let is_whole = before.is_none_or(|it| !it.is_alphanumeric() && !"_.".contains(it));
        made.push_str(&rest[..at]);
        made.push_str(if is_whole { to } else { from });
        rest = &rest[at + from.len()..];
    }
    made + rest
}

/// The text with lines that a terminal shows whole: the end of one that became too long is put in
/// front of the rest, which is indented.
#[cold]
fn folded(text: &str) -> String {
    const WIDTH: usize = 80;
    let mut lines: VecDeque<String> = text.lines().map(str::to_owned).collect();
    let mut made: Vec<String> = Vec::with_capacity(lines.len());
    while let Some(line) = lines.pop_front() {
        // Python shows the class in front of the first line.
        let width = if made.is_empty() { WIDTH - "TypeError: ".len() } else { WIDTH };
        let end = line.char_indices().nth(width).map_or(line.len(), |(at, _)| at);
        let indent = line.len() - line.trim_start().len();
        let cut = line[..end].rfind(' ').filter(|it| *it > indent && end < line.len());
        let Some(cut) = cut else {
            made.push(line);
            continue;
        };
        let rest = line[cut..].trim_start();
        let next = match lines.front().filter(|it| it.starts_with("    ")) {
            Some(next) => {
                let (text, indent) = (next.trim_start(), next.len() - next.trim_start().len());
                let next = format!("{:indent$}{rest} {text}", "");
                lines.pop_front();
                next
            }
            None => format!("    {rest}"),
        };
        lines.push_front(next);
        made.push(line[..cut].to_owned());
    }
    made.join("\n")
}
