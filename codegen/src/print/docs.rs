//! Prints the operator reference in Markdown.
//!
//! ```text
//! index.md               all names, by module
//! opwright/<name>.md     a page for a function and the method of its name
//! nn/<name>.md           a page for a function of a submodule
//! Tensor/<name>.md       a page for a method that is no function
//! ```

use std::collections::BTreeMap;

use opwright_schema::model::{OpSet, Origin, Overload, PythonModule};

use crate::file;
use crate::print::stub::{self, Package};
use crate::signature::{Function, Home, Signature};

/// A page of the reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// Its path below the reference's folder.
    pub path: String,
    /// Its text.
    pub text: String,
}

/// All pages, the index first.
pub fn print(ops: &OpSet, functions: &[Function], package: &Package<'_>) -> Vec<Page> {
    let mut names: BTreeMap<(String, &str), Vec<&Function>> = BTreeMap::new();
    for function in functions {
        let folder = folder(functions, function, package);
        names.entry((folder, &function.name)).or_default().push(function);
    }
    let mut pages = vec![index(&names, package)];
    for ((folder, name), flavours) in &names {
        let text = page(ops, folder, name, flavours, package);
        let path = format!("{}.md", path(folder, name));
        pages.push(Page { path, text: file::markdown(&text) });
    }
    pages
}

/// A method stands on the page of the function of its name, if there is one.
fn folder(functions: &[Function], function: &Function, package: &Package<'_>) -> String {
    match &function.home {
        Home::Module(PythonModule::Root) => package.name.to_owned(),
        Home::Module(PythonModule::Sub(name)) => name.clone(),
        Home::Method => {
            let root = Home::Module(PythonModule::Root);
            let twin = functions.iter().any(|it| it.home == root && it.name == function.name);
            if twin { package.name.to_owned() } else { "Tensor".to_owned() }
        }
    }
}

/// The page's path without its extension. File systems may not tell upper
/// from lower case, so capitals are marked.
fn path(folder: &str, name: &str) -> String {
    let marked = |ch: char| match ch.is_ascii_uppercase() {
        true => format!("{ch}-"),
        false => ch.to_string(),
    };
    let name: String = name.chars().map(marked).collect();
    format!("{folder}/{name}")
}

fn index(names: &BTreeMap<(String, &str), Vec<&Function>>, package: &Package<'_>) -> Page {
    let mut text = String::from("# Operators\n");
    let mut current: Option<&String> = None;
    for ((folder, name), flavours) in names {
        if current != Some(folder) {
            let module = match *folder == package.name {
                true => folder.clone(),
                false => format!("{}.{folder}", package.name),
            };
            text.push_str(&format!("\n## `{module}`\n\n"));
            current = Some(folder);
        }
        let summary = flavours.iter().find_map(|it| first_sentence(&it.doc));
        let summary = summary.map_or(String::new(), |it| format!(": {it}"));
        text.push_str(&format!("- [`{name}`]({}.md){summary}\n", path(folder, name)));
    }
    Page { path: "index.md".to_owned(), text: file::markdown(&text) }
}

fn first_sentence(doc: &str) -> Option<&str> {
    doc.lines().next().filter(|it| !it.is_empty())
}

fn page(
    ops: &OpSet,
    folder: &str,
    name: &str,
    flavours: &[&Function],
    package: &Package<'_>,
) -> String {
    let mut text = format!("# `{name}`\n");
    for function in flavours {
        let owner = match &function.home {
            Home::Module(PythonModule::Root) => package.name.to_owned(),
            Home::Module(PythonModule::Sub(_)) => format!("{}.{folder}", package.name),
            Home::Method => format!("{}.Tensor", package.name),
        };
        let names: Vec<String> = [&function.name]
            .into_iter()
            .chain(&function.aliases)
            .chain(&function.operators)
            .map(|it| format!("`{owner}.{it}`"))
            .collect();
        text.push_str(&format!("\n## {}\n\n```python\n", names.join(", ")));
        for signature in function.shown() {
            text.push_str(&stub::line(function, signature, package.name));
        }
        text.push_str("```\n");
    }
    for doc in distinct(flavours.iter().map(|it| it.doc.trim())) {
        text.push_str(&format!("\n{doc}\n"));
    }
    text.push_str("\n## Schemas\n\n| schema | place |\n|---|---|\n");
    for overload in overloads(ops, flavours) {
        text.push_str(&row(overload));
    }
    text
}

fn distinct<'a>(docs: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut kept = Vec::new();
    for doc in docs {
        if !doc.is_empty() && !kept.contains(&doc) {
            kept.push(doc);
        }
    }
    kept
}

/// The overloads that these functions call, in the order of their entries.
fn overloads<'a>(ops: &'a OpSet, flavours: &[&Function]) -> Vec<&'a Overload> {
    let signatures = flavours.iter().flat_map(|it| &it.signatures);
    let calls = signatures.flat_map(|it: &Signature| it.base.iter().chain(&it.out));
    let mut indices: Vec<usize> = calls.map(|it| it.overload).collect();
    indices.sort_unstable();
    indices.dedup();
    indices.into_iter().map(|idx| &ops.overloads[idx]).collect()
}

fn row(overload: &Overload) -> String {
    let file = match &overload.origin {
        Origin::Yaml(file) | Origin::Annotation { file } => file,
    };
    let since = overload.since.as_ref().map_or(String::new(), |it| format!(", since {it}"));
    let schema = overload.schema.to_string().replace('|', "\\|");
    format!("| `{schema}` | {file}:{}{since} |\n", overload.line)
}
