//! Prints the operator reference in Markdown.
//!
//! ```text
//! index.md               all names, by module
//! SUMMARY.md             the same for mdBook
//! opwright/<name>.md     a page for a function and the methods of its name
//! nn/<name>.md           a page for a function of a submodule
//! Tensor/<name>.md       a page for a method that is no function
//! ```
//!
//! What a name does in place stands on the page of the name without `_`.

mod lists;
mod page;
mod signature;

use std::collections::{BTreeMap, BTreeSet};

use opwright_schema::model::{OpSet, PythonModule};

use crate::file;
use crate::observed::Observed;
use crate::print::python::stub::Package;
use crate::signature::{Function, Home};
use lists::Lists;
use page::Pages;

/// A page of the reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// Its path below the reference's folder.
    pub path: String,
    /// Its text.
    pub text: String,
}

/// The functions of each page, by its folder and name.
type Names<'a> = BTreeMap<(String, String), Vec<&'a Function>>;

/// All pages, the index first. What was observed is shown beside what the
/// descriptions say.
pub fn print(
    ops: &OpSet,
    functions: &[Function],
    package: &Package<'_>,
    observed: &Observed,
) -> Vec<Page> {
    let names = by_page(ops, functions, package);
    let lists = Lists { names: &names, package, observed };
    let mut pages = vec![lists.index(), lists.summary()];
    let printer = Pages::new(ops, package, observed);
    for ((folder, name), flavours) in &names {
        let text = printer.page(name, flavours);
        let path = format!("{}.md", path(folder, name));
        pages.push(Page { path, text: file::markdown(&text) });
    }
    pages
}

fn by_page<'a>(ops: &OpSet, functions: &'a [Function], package: &Package<'_>) -> Names<'a> {
    let known: BTreeSet<(&Home, &str)> =
        functions.iter().map(|it| (&it.home, it.name.as_str())).collect();
    let root = Home::Module(PythonModule::Root);
    let mut names = Names::new();
    for function in functions {
        let home = &function.home;
        let is_known = |home: &Home, name: &str| known.contains(&(home, name));
        let plain = function
            .in_place_of(ops)
            .filter(|it| is_known(home, it) || (*home == Home::Method && is_known(&root, it)));
        let name = plain.unwrap_or_else(|| function.name.clone());
        let folder = match home {
            Home::Module(PythonModule::Sub(module)) => module.clone(),
            Home::Method if !is_known(&root, &name) => "Tensor".to_owned(),
            Home::Module(PythonModule::Root) | Home::Method => package.name.to_owned(),
        };
        names.entry((folder, name)).or_default().push(function);
    }
    names
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
