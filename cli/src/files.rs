//! The files of a command line: read, and sorted by what they contain.

use std::fs;
use std::path::{Path, PathBuf};

use opwright_codegen::artifact;
use opwright_diagnostics::Sources;
use opwright_diagnostics::diag::{Diagnostic, Diagnostics};
use opwright_schema::Input;
use opwright_schema::codes;
use opwright_schema::model::SourceId;

/// What a file contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FileContent {
    Operators,
    Tags,
    Deprecated,
    Derivatives,
    Rewrites,
}

/// Names that files of each kind usually have.
const NAMES: [(&str, FileContent); 5] = [
    ("native_functions", FileContent::Operators),
    ("tags", FileContent::Tags),
    ("deprecated", FileContent::Deprecated),
    ("derivatives", FileContent::Derivatives),
    ("rewrites", FileContent::Rewrites),
];

/// Reads files, and those beside them that they need.
pub(crate) fn read(cx: &mut Diagnostics, sources: &mut Sources, paths: &[PathBuf]) -> Input {
    let mut input = Input::default();
    for path in paths {
        let Some(text) = read_text(cx, path) else { continue };
        if path.extension().is_some_and(|it| it == "json") {
            add_set(cx, sources, &mut input, path, &text);
            continue;
        }
        let content = content(path, &text);
        let id = sources.add(path.display().to_string(), text);
        add(cx, &mut input, content, id);
    }
    let about = [input.deprecated, input.derivatives, input.rewrites];
    let needs_operators = about.iter().any(Option::is_some);
    if input.yaml.is_empty() && needs_operators {
        match beside(paths, "native_functions.yaml", FileContent::Operators) {
            Some((path, text)) => input.yaml.push(sources.add(path.display().to_string(), text)),
            None => no_operators(cx, paths),
        }
    }
    if input.tags.is_none() && !input.yaml.is_empty() {
        let tags = beside(paths, "tags.yaml", FileContent::Tags);
        input.tags = tags.map(|(path, text)| sources.add(path.display().to_string(), text));
    }
    input
}

/// Adds the operators of a crate, as a build has left them.
fn add_set(
    cx: &mut Diagnostics,
    sources: &mut Sources,
    input: &mut Input,
    path: &Path,
    text: &str,
) {
    match artifact::read(cx, sources, text) {
        Ok(set) => {
            input.yaml.extend(set.yaml);
            input.annotated.extend(set.annotated);
        }
        Err(problem) => {
            let message = format!("cannot read the operators in `{}`: {problem}", path.display());
            cx.push(Diagnostic::global(codes::UNREADABLE, message))
                .help(format_args!("give a file `{}` that a build has left", artifact::FILE));
        }
    }
}

fn add(cx: &mut Diagnostics, input: &mut Input, content: FileContent, id: SourceId) {
    let (slot, what) = match content {
        FileContent::Operators => {
            input.yaml.push(id);
            return;
        }
        FileContent::Tags => (&mut input.tags, "tags"),
        FileContent::Deprecated => (&mut input.deprecated, "deprecated signatures"),
        FileContent::Derivatives => (&mut input.derivatives, "derivatives"),
        FileContent::Rewrites => (&mut input.rewrites, "rewrites"),
    };
    if slot.is_some() {
        let message = format!("two files of {what} are given");
        cx.push(Diagnostic::global(codes::UNREADABLE, message)).help("give one at a time");
    }
    *slot = Some(id);
}

fn no_operators(cx: &mut Diagnostics, paths: &[PathBuf]) {
    let names: Vec<String> = paths.iter().map(|it| format!("`{}`", it.display())).collect();
    let message = format!("no operators to compare {} with", names.join(", "));
    cx.push(Diagnostic::global(codes::UNREADABLE, message))
        .help("give the file of operators, too, or put `native_functions.yaml` beside this one");
}

/// The file of this name and content beside one of the others.
fn beside(paths: &[PathBuf], name: &str, expected: FileContent) -> Option<(PathBuf, String)> {
    let candidates = paths.iter().map(|it| it.with_file_name(name));
    candidates
        .filter_map(|path| fs::read_to_string(&path).ok().map(|text| (path, text)))
        .find(|(path, text)| content(path, text) == expected)
}

fn read_text(cx: &mut Diagnostics, path: &Path) -> Option<String> {
    let shown = path.display();
    let problem = match fs::read(path) {
        Ok(bytes) => match String::from_utf8(bytes) {
            Ok(text) => return Some(text),
            Err(error) => {
                let good = error.utf8_error().valid_up_to();
                let line = 1 + error.as_bytes()[..good].iter().filter(|it| **it == b'\n').count();
                format!(
                    "`{shown}` is not UTF-8: line {line} holds the byte {:#04x}",
                    error.as_bytes()[good]
                )
            }
        },
        Err(_) if path.is_dir() => format!("`{shown}` is a directory"),
        Err(error) => format!("cannot read `{shown}`: {error}"),
    };
    cx.push(Diagnostic::global(codes::UNREADABLE, problem));
    None
}

/// What a file contains, by the keys of its first entry; by its name if that
/// says nothing.
fn content(path: &Path, text: &str) -> FileContent {
    let keys = || text.lines().filter_map(key);
    let first = keys().find_map(|key| match key {
        "func" => Some(FileContent::Operators),
        "tag" => Some(FileContent::Tags),
        "aten" | "call" => Some(FileContent::Deprecated),
        "pattern" => Some(FileContent::Rewrites),
        _ => None,
    });
    // An entry with a `name` and none of these keys holds formulas.
    let named = keys().any(|it| it == "name").then_some(FileContent::Derivatives);
    let stem = path.file_stem().map(|it| it.to_string_lossy().into_owned()).unwrap_or_default();
    let by_name = NAMES.iter().find(|(name, _)| stem.contains(name)).map(|(_, content)| *content);
    first.or(named).or(by_name).unwrap_or(FileContent::Operators)
}

/// The key at the start of a line of an entry, at its first level.
fn key(line: &str) -> Option<&str> {
    let line = line.strip_prefix("- ").or_else(|| line.strip_prefix("  "))?;
    let (key, _) = line.split_once(':')?;
    key.bytes().all(|it| it == b'_' || it.is_ascii_alphanumeric()).then_some(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_what_they_contain() {
        for (text, expected) in [
            ("- func: f() -> ()\n", FileContent::Operators),
            ("# c\n- variants: method\n  func: f() -> ()\n", FileContent::Operators),
            ("- tag: core\n  desc: |\n    text\n", FileContent::Tags),
            ("- name: f() -> ()\n  aten: g()\n", FileContent::Deprecated),
            ("- name: f(Tensor self) -> Tensor\n  self: grad\n", FileContent::Derivatives),
            ("- name: one\n  pattern: mul(x, 1)\n  with: x\n", FileContent::Rewrites),
            ("[]\n", FileContent::Operators),
        ] {
            assert_eq!(content(Path::new("x.yaml"), text), expected, "{text}");
        }
        assert_eq!(content(Path::new("a/tags.yaml"), "[]"), FileContent::Tags);
    }
}
