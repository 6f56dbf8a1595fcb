//! The parts of a documentation text: prose and examples.

/// A part of a documentation text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part<'a> {
    /// A line of text, which may be empty.
    Prose(&'a str),
    /// A line of an example in Python that shows its output, without its fence.
    Example(&'a str),
}

/// The lines of a text, told apart; the fences around examples are gone.
///
/// An example stands in a fence for `python` and begins with `>>>`.
pub fn parts(text: &str) -> Vec<Part<'_>> {
    let lines: Vec<&str> = text.lines().collect();
    let mut parts = Vec::new();
    let mut in_example = false;
    for (idx, line) in lines.iter().enumerate() {
        let shown = lines.get(idx + 1).is_some_and(|it| it.starts_with(">>>"));
        match (in_example, *line) {
            (false, "```python") if shown => in_example = true,
            (true, "```") => in_example = false,
            (true, line) => parts.push(Part::Example(line)),
            (false, line) => parts.push(Part::Prose(line)),
        }
    }
    parts
}

/// A text that says `input` in its code where it said `self`, as functions in Python do.
pub fn with_input(text: &str) -> String {
    with_name(text, "self", "input")
}

/// The text in which code has another name for a parameter; examples stay.
pub(crate) fn with_name(text: &str, param: &str, name: &str) -> String {
    let mut made = String::with_capacity(text.len());
    let mut in_fence = false;
    let mut in_code = false;
    for line in text.split_inclusive('\n') {
        if line.starts_with("```") {
            in_fence = !in_fence;
            made.push_str(line);
            continue;
        }
        for (at, part) in line.split('`').enumerate() {
            if at > 0 {
                made.push('`');
                in_code = !in_code && !in_fence;
            }
            if in_code { renamed(&mut made, part, param, name) } else { made.push_str(part) }
        }
    }
    made
}

/// Adds code with the other name.
fn renamed(made: &mut String, code: &str, param: &str, name: &str) {
    let mut rest = code;
    while let Some(at) = rest.find(param) {
        let (before, after) = (&rest[..at], &rest[at + param.len()..]);
        let is_part = |it: char| it.is_alphanumeric() || it == '_';
        let is_whole =
            !before.ends_with(|it| is_part(it) || it == '.') && !after.starts_with(is_part);
        made.push_str(before);
        made.push_str(if is_whole { name } else { param });
        rest = after;
    }
    made.push_str(rest);
}

/// A text as docstrings have it: what stands before the first example, and the rest, in which
/// examples are indented.
pub fn docstring(text: &str) -> (String, String) {
    let parts = parts(text);
    let first = parts.iter().position(|it| matches!(it, Part::Example(_)));
    let (described, shown) = parts.split_at(first.unwrap_or(parts.len()));
    (lines(described), lines(shown))
}

fn lines(parts: &[Part<'_>]) -> String {
    let lines = parts.iter().map(|it| match it {
        Part::Prose(line) => (*line).to_owned(),
        Part::Example(line) => format!("    {line}").trim_end().to_owned(),
    });
    lines.collect::<Vec<String>>().join("\n").trim_matches('\n').to_owned()
}

/// A text without its examples.
pub fn prose(text: &str) -> String {
    let lines: Vec<&str> = parts(text)
        .into_iter()
        .filter_map(|it| match it {
            Part::Prose(line) => Some(line),
            Part::Example(_) => None,
        })
        .collect();
    lines.join("\n").trim().to_owned()
}

/// The examples of a text alone, without fences.
pub fn examples(text: &str) -> String {
    let lines: Vec<&str> = parts(text)
        .into_iter()
        .filter_map(|it| match it {
            Part::Prose(_) => None,
            Part::Example(line) => Some(line),
        })
        .collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "Adds.\n\n```python\n>>> f(1)\n2\n```\n\nMore:\n\n```python\nf()\n```";

    #[test]
    fn examples_are_told_from_other_code() {
        assert_eq!(examples(TEXT), ">>> f(1)\n2");
        assert_eq!(prose(TEXT), "Adds.\n\n\nMore:\n\n```python\nf()\n```");
    }

    #[test]
    fn examples_of_docstrings_are_indented() {
        let text = "Adds.\n\n```python\n>>> f(1)\n2\n```\nMore:\n```python\n>>> g()\n```";
        let (described, shown) = docstring(text);
        assert_eq!(described, "Adds.");
        assert_eq!(shown, "    >>> f(1)\n    2\nMore:\n    >>> g()");
        assert_eq!(docstring("Adds."), ("Adds.".to_owned(), String::new()));
    }
}
