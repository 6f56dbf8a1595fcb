//! The Python package's stubs: printed from the operators, and what is
//! written by hand beside them.
//!
//! `OPWRIGHT_BLESS=1` writes what is printed now.

use std::fs;
use std::path::{Path, PathBuf};

use opwright_codegen::library::{self, Library, Reading};
use opwright_codegen::print::stub::{self, Package, Published};
use opwright_schema::{Sources, render};

use crate::golden;

/// Where the package has the functions of its native submodules.
const PUBLISHED: [Published<'_>; 4] = [
    published("fft", "fft.pyi", "fft_", ""),
    published("linalg", "linalg.pyi", "linalg_", ""),
    // What it does not have is looked up in the package.
    published("nn", "nn/functional.pyi", "", "def __getattr__(name: _str) -> _Any: ...\n"),
    published("special", "special.pyi", "special_", ""),
];

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
    let library = operators();
    let package = Package {
        name: "opwright",
        members: stub::MODULE_MEMBERS,
        tensor_members: stub::TENSOR_MEMBERS,
        arrays: false,
    };
    let (ops, functions) = (&library.ops, &library.functions);
    let public = PUBLISHED.iter().map(|it| stub::published(ops, functions, &package, it));
    for stub in stub::print(ops, functions, &package).into_iter().chain(public) {
        let path = format!("../python-bindings/python/opwright/{}", stub.path);
        golden::check(&path, &stub.text);
    }
}

/// The operators of the reference module, from the file and from its crate.
fn operators() -> Library {
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
