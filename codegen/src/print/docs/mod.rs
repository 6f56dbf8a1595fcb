//! Prints the operator reference in Markdown.
//!
//! ```text
//! index.md               all names, by section of the operator file or module
//! SUMMARY.md             the same for mdBook
//! opwright/<name>.md     a page for a function and the methods of its name
//! nn/<name>.md           a page for a function of a submodule
//! Tensor/<name>.md       a page for a method that is no function
//! ```
//!
//! What a name does in place stands on the page of the name without `_`.

mod gradient;
mod lists;
mod page;
mod place;
mod signature;
mod table;

use opwright_schema::model::OpSet;

use crate::file;
use crate::formula::Differentiability;
use crate::observed::Observed;
use crate::print::python::stub::Package;
use crate::signature::PythonFunction;
use lists::Lists;
use page::Pages;
use place::{by_page, path};

pub use place::Page;

/// All pages, the index first. What was observed is shown beside what the
/// descriptions say, and what becomes of gradients where that is known, by the overload's index.
/// `c` is what names in C begin with, if there is a library for C.
pub fn print(
    ops: &OpSet,
    functions: &[PythonFunction],
    package: &Package<'_>,
    observed: &Observed,
    gradients: &[Differentiability],
    c: Option<&str>,
) -> Vec<Page> {
    let names = by_page(ops, functions, package);
    let lists = Lists { ops, names: &names, package, observed };
    let mut pages = vec![lists.index(), lists.summary()];
    let printer = Pages::new(ops, package, observed, gradients, c);
    for ((folder, name), flavours) in &names {
        let text = printer.page(name, flavours);
        let path = format!("{}.md", path(folder, name));
        pages.push(Page { path, text: file::markdown(&text) });
    }
    pages
}
