//! Pages of the reference: their functions, and their paths.

use std::collections::{BTreeMap, BTreeSet};

use opwright_schema::model::{OpSet, PythonModule};

use crate::print::python::stub::Package;
use crate::signature::{Home, PythonFunction};

/// A page of the reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// Its path below the reference's folder.
    pub path: String,
    /// Its text.
    pub text: String,
}

/// The functions of each page, by its folder and name.
pub(super) type PageNames<'a> = BTreeMap<(String, String), Vec<&'a PythonFunction>>;

/// The functions by page; what works in place stands with what does not, and a function of
/// `nn.functional` with the one that it calls.
pub(super) fn by_page<'a>(
    ops: &OpSet,
    functions: &'a [PythonFunction],
    package: &Package<'_>,
) -> PageNames<'a> {
    let known: BTreeSet<(&Home, &str)> =
        functions.iter().map(|it| (&it.home, it.name.as_str())).collect();
    let root = Home::Module(PythonModule::Root);
    let mut names = PageNames::new();
    for function in functions {
        let called = function.forwarding.as_ref();
        let home = called.map_or(&function.home, |it| &it.of);
        let is_known = |home: &Home, name: &str| known.contains(&(home, name));
        let plain = function
            .in_place_of(ops)
            .filter(|it| is_known(home, it) || (*home == Home::Method && is_known(&root, it)));
        let name = called.map_or(&function.name, |it| &it.plain);
        let name = plain.unwrap_or_else(|| name.clone());
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
pub(super) fn path(folder: &str, name: &str) -> String {
    let marked = |ch: char| match ch.is_ascii_uppercase() {
        true => format!("{ch}-"),
        false => ch.to_string(),
    };
    let name: String = name.chars().map(marked).collect();
    format!("{folder}/{name}")
}
