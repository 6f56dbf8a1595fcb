//! No operator is known by name below the operators themselves: the schema
//! language, the generator, the macro and the runtime treat all of them alike.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use syn::visit::{self, Visit};

const CRATES: [&str; 4] = ["schema", "codegen", "macros", "runtime"];

/// Words of the schema language, of Rust or of Python that some operator is
/// also called; each is read where it is used.
const WORDS: &[(&str, &str)] = &[
    ("all", "the group of all dtypes"),
    ("any", "a combination of Rust's `#[cfg(any(..))]`"),
    ("copy", "a word of `derive:`"),
    ("gradient", "a heading of tables in documentation"),
    ("clone", "a method that every Rust type with handles has"),
    ("complex", "a Python type, and a name of a dtype"),
    ("real", "the group of all dtypes of real numbers"),
    ("abs", "a function of numbers that formulas may call"),
    ("conj", "a function of numbers that formulas may call"),
    ("diagonal", "a name of parameters, which numpy calls `k`"),
    ("sym_numel", "a question about tensors that formulas may ask"),
    ("is_complex", "a question about tensors that formulas may ask"),
    ("empty", "a question about lists that formulas may ask"),
    ("equal", "a question about numbers that formulas may ask"),
    ("exp", "a function of numbers that formulas may call"),
    ("log", "a function of numbers that formulas may call"),
    ("sqrt", "a function of numbers that formulas may call"),
    ("zeros_like", "what formulas say for zeros in whose place little is saved"),
    ("dropout", "a part of names to which the language gives a meaning: it asks for a tag"),
    ("contiguous", "an order of elements in memory"),
    ("set", "a word of `#[field(...)]`"),
    ("index", "the first page of the reference"),
    ("rand", "a part of names to which the language gives a meaning: it asks for a tag"),
    ("where", "a word that Rust keeps for itself"),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The base names of the reference module, in-place ones without underscore.
fn operators() -> BTreeSet<String> {
    let text = fs::read_to_string(root().join("native_functions.yaml")).expect("our own file");
    let schemas = text.lines().filter_map(|it| it.strip_prefix("- func: "));
    let names = schemas.filter_map(|it| it.split(['.', '(']).next());
    names.map(|it| it.trim_end_matches('_').to_owned()).collect()
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|it| it == "rs") {
            found.push(path);
        }
    }
}

/// String literals outside of tests and documentation.
#[derive(Default)]
struct Literals(Vec<String>);

impl<'ast> Visit<'ast> for Literals {
    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        let is_test = item.attrs.iter().any(|it| {
            it.path().is_ident("cfg")
                && it.parse_args::<syn::Path>().is_ok_and(|it| it.is_ident("test"))
        });
        if !is_test {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}

    fn visit_lit_str(&mut self, literal: &'ast syn::LitStr) {
        self.0.push(literal.value());
    }
}

#[test]
fn no_operator_is_known_by_name() {
    let operators = operators();
    assert!(operators.len() > 20, "only {} operators were read", operators.len());
    let words: BTreeSet<&str> = WORDS.iter().map(|it| it.0).collect();
    let mut files = Vec::new();
    for folder in CRATES {
        sources(&root().join(folder).join("src"), &mut files);
    }
    for file in files {
        let text = fs::read_to_string(&file).expect("a source file");
        let mut literals = Literals::default();
        literals.visit_file(&syn::parse_file(&text).expect("a source file that parses"));
        for literal in literals.0 {
            let name = literal.split('.').next().unwrap_or_default();
            let known = operators.contains(name) && !words.contains(name);
            assert!(!known, "{} knows the operator `{literal}`", file.display());
        }
    }
}
