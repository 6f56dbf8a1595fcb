//! Two headers for C: what a program that was compiled with the old one finds in the new library.

use std::collections::BTreeMap;
use std::path::Path;
use std::{fmt, fs};

use opwright_codegen::c_library::CLibrary;
use opwright_codegen::print::c::{REFERENCE, header};
use serde::Serialize;

use crate::ExitStatus;
use crate::args::{Diff, Format};
use crate::output::OutputFile;
use crate::read::{ReadOperators, prefix_in_c};

/// Which number of the version a change concerns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
enum AbiConstant {
    /// Programs do not fit any more.
    Major,
    /// There is more than before.
    Minor,
}

#[derive(Debug, Serialize)]
struct Change {
    name: String,
    what: String,
    number: AbiConstant,
}

#[derive(Serialize)]
struct Difference {
    changes: Vec<Change>,
    /// None if nothing has changed.
    number: Option<AbiConstant>,
}

/// Compares headers, or those of operators; wrong if a program does not fit any more.
pub(super) fn run(diff: &Diff, output: &mut OutputFile) -> ExitStatus {
    let prefix = [&diff.old, &diff.new].into_iter().find_map(|it| prefix(it));
    let prefix = prefix.unwrap_or_else(|| REFERENCE.to_owned());
    let mut read = |path: &Path| header_of(path, &prefix, output);
    let (Some(old), Some(new)) = (read(&diff.old), read(&diff.new)) else {
        return ExitStatus::Wrong;
    };
    let mut changes = compare(&items(&old), &items(&new));
    changes.sort_by(|a, b| (a.number, &a.name).cmp(&(b.number, &b.name)));
    let number = changes.first().map(|it| it.number);
    let difference = Difference { changes, number };
    match diff.format {
        Format::Json => output.json(&difference),
        Format::Text => output.line(&difference.to_string()),
    }
    if number == Some(AbiConstant::Major) { ExitStatus::Wrong } else { ExitStatus::Fine }
}

fn is_header(path: &Path) -> bool {
    path.extension().is_some_and(|it| it == "h")
}

/// What the names of a header begin with, or those of the crate in a directory.
fn prefix(path: &Path) -> Option<String> {
    if is_header(path) {
        let text = fs::read_to_string(path).ok()?;
        let guard = text.lines().find_map(|it| it.strip_prefix("#ifndef "))?;
        return Some(guard.strip_suffix("_H")?.to_lowercase());
    }
    let (library, _) = ReadOperators::library_of(path)?;
    prefix_in_c(&library, path)
}

fn header_of(path: &Path, prefix: &str, output: &mut OutputFile) -> Option<String> {
    if !is_header(path) {
        let ops = ReadOperators::of(path).sound(output)?;
        let taking = ReadOperators::library_of(path).and_then(|(library, _)| library.with_taken);
        let library = CLibrary::of_prefix(prefix);
        return Some(header::print(&library.header(), &taking.unwrap_or(ops)));
    }
    let text = fs::read_to_string(path);
    text.map_err(|error| output.error(&format!("error: cannot read `{}`: {error}", path.display())))
        .ok()
}

/// What a header says, by names: functions, types and constants.
#[derive(Default)]
struct HeaderItems {
    functions: BTreeMap<String, String>,
    types: BTreeMap<String, String>,
    constants: BTreeMap<String, String>,
}

fn items(header: &str) -> HeaderItems {
    let text = without_comments(header);
    let mut items = HeaderItems::default();
    for statement in statements(&text) {
        if let Some((_, declared)) = statement.split_once("_API ") {
            let head = declared.split('(').next().unwrap_or_default();
            let name = head.rsplit([' ', '*']).next().unwrap_or_default();
            items.functions.insert(name.to_owned(), without_names(declared));
        } else if let Some(body) = statement.strip_prefix("enum {") {
            let rows = body.trim_end_matches('}').split(',').filter_map(|it| it.split_once('='));
            let rows = rows.map(|(name, it)| (name.trim().to_owned(), it.trim().to_owned()));
            items.constants.extend(rows);
        } else if let Some(ty) = statement.strip_prefix("typedef ") {
            let name = match ty.split_once("(*") {
                Some((_, rest)) => rest.split(')').next(),
                None => ty.rsplit([' ', '*', '}']).next(),
            };
            items.types.insert(name.unwrap_or_default().to_owned(), ty.to_owned());
        }
    }
    items
}

fn without_comments(header: &str) -> String {
    let mut out = String::new();
    let mut rest = header;
    while let Some((before, after)) = rest.split_once("/*") {
        out.push_str(before);
        rest = after.split_once("*/").map_or("", |(_, rest)| rest);
    }
    out + rest
}

/// What ends with a semicolon outside of braces, on one line; directives are left out.
fn statements(text: &str) -> Vec<String> {
    let text = without_cpp(text);
    let lines = text.lines().filter(|it| !it.trim_start().starts_with('#'));
    let (mut all, mut current, mut depth) = (Vec::new(), String::new(), 0_i32);
    for word in lines.flat_map(str::split_whitespace) {
        depth += word.matches('{').count() as i32 - word.matches('}').count() as i32;
        let space = if current.is_empty() { "" } else { " " };
        current.push_str(space);
        current.push_str(word);
        if depth == 0 && word.ends_with([';', '}']) {
            let ends = word.ends_with(';') || current.starts_with("static inline");
            if ends {
                all.push(std::mem::take(&mut current).trim_end_matches(';').to_owned());
            }
        }
    }
    all
}

/// Without what is for C++ alone.
fn without_cpp(text: &str) -> String {
    let mut parts = text.split("#ifdef __cplusplus");
    let first = parts.next().unwrap_or_default().to_owned();
    let rest = parts.filter_map(|it| it.split_once("#endif")).map(|(_, rest)| rest);
    first + &rest.collect::<String>()
}

/// A declaration without the names of parameters, which no program sees.
fn without_names(declared: &str) -> String {
    let Some((head, rest)) = declared.split_once('(') else { return declared.to_owned() };
    let ty = |part: &str| {
        let end = part.rfind([' ', '*']).map_or(part.len(), |it| it + 1);
        part[..end].trim().to_owned()
    };
    let parts = rest.trim_end_matches(')').split(", ").filter(|it| *it != "void");
    format!("{head}({})", parts.map(ty).collect::<Vec<_>>().join(", "))
}

fn compare(old: &HeaderItems, new: &HeaderItems) -> Vec<Change> {
    let mut changes = Vec::new();
    for (old, new) in [
        (&old.functions, &new.functions),
        (&old.types, &new.types),
        (&old.constants, &new.constants),
    ] {
        changes.extend(rows(old, new));
    }
    changes
}

fn rows(old: &BTreeMap<String, String>, new: &BTreeMap<String, String>) -> Vec<Change> {
    let mut changes = Vec::new();
    let mut add = |name: &str, what: String, number| {
        changes.push(Change { name: name.to_owned(), what, number });
    };
    for (name, before) in old {
        match new.get(name) {
            None => add(name, "is gone".to_owned(), AbiConstant::Major),
            Some(after) if after == before => {}
            Some(after) => {
                let number =
                    if grows(before, after) { AbiConstant::Minor } else { AbiConstant::Major };
                add(name, format!("is `{after}`, not `{before}`"), number);
            }
        }
    }
    for name in new.keys().filter(|it| !old.contains_key(*it)) {
        add(name, "is new".to_owned(), AbiConstant::Minor);
    }
    changes
}

/// Whether the structure of errors, which the library alone makes, has more fields at its end.
fn grows(before: &str, after: &str) -> bool {
    let fields = |text: &str| {
        let (head, rest) = text.split_once('{')?;
        let (fields, name) = rest.rsplit_once('}')?;
        name.ends_with("_error").then(|| (head.to_owned(), fields.trim().to_owned()))
    };
    match (fields(before), fields(after)) {
        (Some((head, old)), Some((other, new))) => head == other && new.starts_with(&old),
        _ => false,
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Change { name, what, number } in &self.changes {
            let number = match number {
                AbiConstant::Major => "major",
                AbiConstant::Minor => "minor",
            };
            writeln!(f, "{number}  {name}: {what}")?;
        }
        let count = self.changes.len();
        match self.number {
            None => write!(f, "nothing has changed for programs in C"),
            Some(AbiConstant::Major) => {
                write!(f, "{count} changes: the major number of the ABI grows")
            }
            Some(AbiConstant::Minor) => {
                write!(f, "{count} changes: the minor number of the ABI grows")
            }
        }
    }
}
