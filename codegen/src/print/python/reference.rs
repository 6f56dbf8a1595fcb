//! The stubs of the reference module, beside the sources in Python that people wrote.
//!
//! Those sources are typed themselves, and have no stubs: what is printed are the native module, the
//! modules that publish native functions by the names that people know, and classes that follow from
//! tables.

use std::collections::BTreeMap;

use opwright_schema::model::OpSet;

use crate::file;
use crate::print::python::package::{self, OPS, TENSOR_MEMBERS};
use crate::print::python::stub::{self, Package, Published, Stub};
use crate::signature::PythonFunction;

/// Where the package has the functions of its native submodules.
const PUBLISHED: [Published<'_>; 4] = [
    published("fft", "fft.pyi", "fft_"),
    published("linalg", "linalg.pyi", "linalg_"),
    published("nn", "nn/functional.pyi", ""),
    published("special", "special.pyi", "special_"),
];

const fn published<'a>(module: &'a str, path: &'a str, prefix: &'a str) -> Published<'a> {
    Published { module, path, prefix, members: "", is_functional: false }
}

/// The sources of modules that have more than native functions, below the package.
pub fn sources() -> impl Iterator<Item = String> {
    PUBLISHED.iter().map(source)
}

fn source(module: &Published<'_>) -> String {
    module.path.replace(".pyi", ".py")
}

/// All printed stubs; `text` has the source of each of [`sources`].
pub fn stubs(
    ops: &OpSet,
    functions: &[PythonFunction],
    text: &BTreeMap<String, String>,
) -> Vec<Stub> {
    let members = package::module_members();
    let package = Package {
        name: "opwright",
        members: &members,
        tensor_members: TENSOR_MEMBERS,
        arrays: false,
    };
    let public = PUBLISHED.iter().map(|it| {
        let text = text.get(&source(it)).map_or("", String::as_str);
        let members = reexports(text) + &definitions(text);
        let is_functional = it.module == "nn";
        let module = Published { members: &members, is_functional, ..*it };
        stub::published(ops, functions, &package, &module)
    });
    let operators = Stub { path: "ops.pyi".to_owned(), text: file::python(OPS) };
    let graph = package::graph(package.name, functions);
    let others = [package::typed(package.name), graph, operators];
    stub::print(ops, functions, &package).into_iter().chain(public).chain(others).collect()
}

/// Modules of what sources are made with, of which nothing is published.
const TOOLS: [&str; 2] = ["opwright._C", "opwright._functions"];

/// What a module of Python takes from others of the package for those who import it.
fn reexports(source: &str) -> String {
    let mut text = String::new();
    let mut lines = source.lines().map(str::trim);
    while let Some(line) = lines.next() {
        let Some((module, names)) =
            line.strip_prefix("from ").and_then(|it| it.split_once(" import "))
        else {
            continue;
        };
        if !module.starts_with("opwright.") || TOOLS.contains(&module) {
            continue;
        }
        let names = match names {
            "(" => lines.by_ref().take_while(|it| *it != ")").collect::<Vec<_>>().join(" "),
            names => names.to_owned(),
        };
        for name in names.split(',').map(str::trim).filter(|it| !it.is_empty()) {
            let name = name.split(" as ").last().unwrap_or(name);
            if name.starts_with('_') {
                continue;
            }
            text.push_str(&format!("from {module} import {name} as {name}\n"));
        }
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text
}

const QUOTES: &str = "\"\"\"";

/// The functions of a module of Python without their bodies, but with their
/// documentation. What they name has to be known in stubs.
fn definitions(source: &str) -> String {
    let mut text = String::new();
    let mut lines = source.lines();
    while let Some(line) = lines.next() {
        let name = line.strip_prefix("def ").and_then(|it| it.split('(').next());
        if name.is_none_or(|it| it.starts_with('_') && !it.starts_with("__")) {
            continue;
        }
        let mut line = line;
        // A signature ends in a line that ends in a colon, the others end in a comma or a bracket.
        text.push_str(line);
        while !line.ends_with(':') {
            line = lines.next().expect("a signature ends");
            text.push_str(&format!("\n{line}"));
        }
        match lines.next() {
            Some(first) if first.trim_start().starts_with(QUOTES) => {
                text.push_str(&format!("\n{first}\n"));
                let is_whole = first.trim().len() > QUOTES.len() && first.ends_with(QUOTES);
                let rest = lines.by_ref().take(if is_whole { 0 } else { usize::MAX });
                for line in rest {
                    text.push_str(&format!("{line}\n"));
                    if line.ends_with(QUOTES) {
                        break;
                    }
                }
            }
            _ => text.push_str(" ...\n"),
        }
    }
    text
}
