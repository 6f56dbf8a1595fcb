//! Examples in other languages than Python, which stand in fences of a documentation.

/// The text without fences for `go`, and what stands in them.
pub(super) fn apart(doc: &str) -> (String, Vec<String>) {
    let (mut text, mut examples) = (Vec::new(), Vec::new());
    let mut example: Option<Vec<&str>> = None;
    let mut in_other = false;
    for line in doc.lines() {
        match &mut example {
            Some(lines) if line.trim_end() == "```" => {
                examples.push(lines.join("\n"));
                example = None;
            }
            Some(lines) => lines.push(line),
            None if !in_other && line.trim_end() == "```go" => {
                // A blank line in front is enough.
                while text.last().is_some_and(|it: &&str| it.is_empty()) {
                    text.pop();
                }
                example = Some(Vec::new());
            }
            None => {
                in_other ^= line.starts_with("```");
                text.push(line);
            }
        }
    }
    examples.extend(example.map(|it| it.join("\n")));
    (text.join("\n").trim().to_owned(), examples)
}

#[test]
fn examples_in_go_are_apart() {
    let doc = "Adds.\n\n```go\nadd()\n\nmore()\n```\n\n```python\n>>> add()\n```\n";
    let (text, examples) = apart(doc);
    assert_eq!(text, "Adds.\n\n```python\n>>> add()\n```");
    assert_eq!(examples, ["add()\n\nmore()"]);
}
