//! What the printers print, one small file per construct, for reading.
//!
//! `OPWRIGHT_BLESS=1` writes what is printed now.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::{env, fs};

use opwright_codegen::file;
use opwright_codegen::kernels::{self, Kernels};
use opwright_codegen::observed::Observed;
use opwright_codegen::print::c::header::Header;
use opwright_codegen::print::python::stub::{self, Package};
use opwright_codegen::print::rust::rows::Rows;
use opwright_codegen::print::{self, docs};
use opwright_codegen::signature;
use opwright_diagnostics::diag::Diagnostics;
use opwright_diagnostics::{Sources, render};
use opwright_schema::{Input, OpSet};
use quote::quote;

/// Whether expected files are to be written.
pub(crate) fn blessing() -> bool {
    env::var_os("OPWRIGHT_BLESS").is_some()
}

/// Compares a text with a file of this folder.
#[track_caller]
pub(crate) fn check(path: &str, actual: &str) {
    let file = folder().join(path);
    if blessing() {
        fs::create_dir_all(file.parent().expect("a folder")).expect("a folder that can be made");
        fs::write(&file, actual).expect("a file that can be written");
    }
    let expected = fs::read_to_string(&file).unwrap_or_default();
    assert!(expected == actual, "{path} is stale; OPWRIGHT_BLESS=1 updates it. Got:\n{actual}");
}

/// The operators of a file of this folder.
#[track_caller]
pub(crate) fn load(path: &str) -> OpSet {
    let text = fs::read_to_string(folder().join(path)).expect("a file that can be read");
    let mut sources = Sources::new();
    let id = sources.add(path, text);
    match opwright_schema::load(&sources, &Input::yaml(id)) {
        Ok(ops) => ops,
        Err(findings) => panic!("{}", render(&sources, &findings)),
    }
}

/// The Rust side of some operators.
pub(crate) fn rust(ops: &OpSet, kernels: &[Kernels]) -> String {
    file::rust(print::rust::ops::print(
        ops,
        kernels,
        &[],
        &quote!(::opwright_runtime),
        Rows::Always,
    ))
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_path_buf()
}

/// Each `golden/<construct>.yaml`, and beside it what its construct shows in: those printers that the
/// comment at its head lists.
#[test]
fn constructs() {
    let golden = folder().join("golden");
    let mut wanted = BTreeSet::new();
    for construct in constructs_in(&golden) {
        let path = format!("golden/{construct}.yaml");
        let ops = load(&path);
        let mut printed = BTreeMap::from_iter(printed(&ops));
        for extension in shown(&path) {
            let text = printed.remove(&*extension).expect("a printer of this name");
            let file = format!("{construct}.{extension}");
            check(&format!("golden/{file}"), &text);
            wanted.insert(file);
        }
        wanted.insert(format!("{construct}.yaml"));
    }
    let files = fs::read_dir(golden).expect("a folder that can be read");
    let names = files.map(|it| it.expect("an entry").file_name().to_string_lossy().into_owned());
    assert_eq!(names.collect::<BTreeSet<_>>(), wanted, "nothing prints the others");
}

/// `ops.rs` and `pyi`, of a comment that ends in `Printed: ops.rs, pyi`.
fn shown(path: &str) -> Vec<String> {
    let text = fs::read_to_string(folder().join(path)).expect("a file that can be read");
    let mut comments = text.lines().take_while(|it| it.starts_with('#'));
    let listed = comments.find_map(|it| it.split_once("Printed: ")).expect("a list of printers").1;
    listed.split(", ").map(str::to_owned).collect()
}

/// The same input gives the same bytes: nothing depends on addresses or hashes.
#[test]
fn printing_is_deterministic() {
    for construct in constructs_in(&folder().join("golden")) {
        let path = format!("golden/{construct}.yaml");
        assert_eq!(printed(&load(&path)), printed(&load(&path)), "{construct}");
    }
}

fn constructs_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder that can be read");
    let paths = entries.map(|it| it.expect("an entry").path());
    let yaml = paths.filter(|it| it.extension().is_some_and(|it| it == "yaml"));
    let stems = yaml.filter_map(|it| Some(it.file_stem()?.to_str()?.to_owned()));
    let mut names: Vec<String> = stems.collect();
    names.sort();
    assert!(!names.is_empty());
    names
}

/// Everything that is printed for some operators, by file extension.
fn printed(ops: &OpSet) -> Vec<(&'static str, String)> {
    let mut cx = Diagnostics::new();
    let functions = signature::functions(&mut cx, ops);
    let findings = cx.finish().unwrap_or_else(|findings| findings);
    assert!(findings.is_empty(), "{findings:?}");
    let package = Package::plain("opwright");
    let rows = print::rust::rows::tables(ops, ops, Rows::Always);
    let bindings = quote!(::opwright_python_bindings);
    let python = print::python::print(ops, &functions, &bindings, &rows);
    let stubs = stub::print(ops, &functions, &package);
    let pages = docs::print(ops, &functions, &package, &Observed::default(), &[], Some("ow"));
    let stubs = stubs.iter().map(|it| (&it.path, definitions(&it.text)));
    let stubs = stubs.filter(|(_, text)| !text.is_empty());
    let stubs = stubs.map(|(path, text)| titled("#", path, text));
    let pages = pages.iter().map(|it| titled("", &format!("<!-- {} -->", it.path), &it.text));
    vec![
        ("ops.rs", rust(ops, &kernels::assumed(ops))),
        ("python.rs", file::rust(python)),
        ("pyi", stubs.collect()),
        ("md", pages.collect()),
        (
            "c.rs",
            operators(
                &file::rust(print::c::functions::print("ow", ops, &quote!(c_bindings))),
                C_START,
            ),
        ),
        ("h", operators(&print::c::header::print(&HEADER, ops), "/* Operators")),
        ("go", go(ops)),
    ]
}

/// All files for Go, without the line that says that nobody edits them.
fn go(ops: &OpSet) -> String {
    let files = print::go::print(&print::go::Package::REFERENCE, ops).into_iter();
    let files = files.filter(|it| it.text.contains("\n}\n"));
    let text = |it: &str| it.split_once("\n\n").map_or(String::new(), |it| it.1.to_owned());
    files.map(|it| titled("//", &it.path, &text(&it.text))).collect()
}

const HEADER: Header<'_> = Header { prefix: "ow", library: "golden" };

/// What stands in front of the first function of an operator.
const C_START: &str = "unsafe extern \"C\" fn ow_tensor_detach(";

/// What is printed for C without what every library has.
fn operators(text: &str, start: &str) -> String {
    let rest = text.find(start).map_or("", |it| &text[it..]);
    let rest = if start == C_START { rest.split_once("\n}\n").map_or("", |it| it.1) } else { rest };
    rest.to_owned()
}

fn titled(mark: &str, path: &str, text: &str) -> String {
    format!("{mark} {path}\n\n{}\n\n", text.trim_end()).trim_start().to_owned()
}

/// A stub without the imports and classes that every stub has.
fn definitions(stub: &str) -> &str {
    let ends = ["_NumpyDType | _type[_NumpyScalar]\n)\n", "from opwright import Tensor\n"];
    let end = ends.into_iter().find_map(|it| Some(stub.find(it)? + it.len()));
    stub[end.unwrap_or(0)..].trim_start()
}
