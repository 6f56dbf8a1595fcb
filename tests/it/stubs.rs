//! The Python package's stubs: printed from the operators, and what is
//! written by hand beside them.
//!
//! `OPWRIGHT_BLESS=1` writes what is printed now.

use std::fs;
use std::path::{Path, PathBuf};

use opwright_codegen::file;
use opwright_codegen::library::{self, Library, Reading};
use opwright_codegen::print::python::package;
use opwright_codegen::print::python::stub::{self, Package, Published};
use opwright_diagnostics::{Sources, render};

use crate::golden;

/// Where the package has the functions of its native submodules.
const PUBLISHED: [Published<'_>; 4] = [
    published("fft", "fft.pyi", "fft_", ""),
    published("linalg", "linalg.pyi", "linalg_", ""),
    published("nn", "nn/functional.pyi", "", ""),
    published("special", "special.pyi", "special_", ""),
];

/// The source of what `nn.functional` has beside native functions.
const FUNCTIONAL: &str = include_str!("../../python-bindings/python/opwright/nn/functional.py");

const fn published<'a>(
    module: &'a str,
    path: &'a str,
    prefix: &'a str,
    members: &'a str,
) -> Published<'a> {
    Published { module, path, prefix, members }
}

#[test]
fn stubs_are_those_of_the_operators() {
    let (library, members) = (operators(), package::module_members());
    let package = Package {
        name: "opwright",
        members: &members,
        tensor_members: package::TENSOR_MEMBERS,
        arrays: false,
    };
    golden::check("../python-bindings/python/opwright/ops.pyi", &file::python(package::OPS));
    let (ops, functions) = (&library.ops, &library.functions);
    let by_hand = definitions(FUNCTIONAL);
    let public = PUBLISHED.iter().map(|it| {
        let members = if it.module == "nn" { by_hand.as_str() } else { it.members };
        stub::published(ops, functions, &package, &Published { members, ..*it })
    });
    let typed = [package::typed(package.name)];
    for stub in stub::print(ops, functions, &package).into_iter().chain(public).chain(typed) {
        let path = format!("../python-bindings/python/opwright/{}", stub.path);
        golden::check(&path, &stub.text);
    }
}

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

const QUOTES: &str = "\"\"\"";

/// The operators of the reference module, from the file and from its crate.
pub(crate) fn operators() -> Library {
    let reading = Reading {
        yaml: vec![PathBuf::from("native_functions.yaml")],
        crate_root: PathBuf::from("ops/src/lib.rs"),
        ..Reading::default()
    };
    let mut sources = Sources::new();
    let read = |path: &Path| fs::read_to_string(root().join(path));
    match library::read(&mut sources, &reading, &read) {
        Ok(library) => library,
        Err(findings) => panic!("{}", render(&sources, &findings)),
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}
