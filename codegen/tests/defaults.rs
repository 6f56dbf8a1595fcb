//! Every literal of every type of the schema language is a default, everywhere: it is printed back, and
//! Rust, rows, Python, stubs and Go have it.

use opwright_codegen::print::python::stub::{self, Package};
use opwright_codegen::print::rust::rows::Rows;
use opwright_codegen::{file, kernels, literal, print, signature};
use opwright_diagnostics::Sources;
use opwright_diagnostics::diag::Diagnostics;
use opwright_schema::model::{BaseType, OpSet};
use opwright_schema::types::Values;
use opwright_schema::{Input, load};
use quote::quote;

const INTS: &[&str] = &["0", "-1", "9223372036854775807", "-9223372036854775808"];
const FLOATS: &[&str] =
    &["1", "0.5", ".5", "-.5", "1.", "1e3", "1e-05", "-2.5E+3", "inf", "-inf", "nan"];
const COMPLEX: &[&str] = &["2j", "-.5j", "1+2j", "1.5-2e3j", "-1e-05+0.5j"];
const BOOLS: &[&str] = &["True", "False"];
const TEXTS: &[&str] = &["''", "'linear'", "\"L\"", r"'it\'s'", r"'a\nb\\'"];

/// What a type has, an empty list for one that has no values.
fn literals(base: &BaseType) -> Vec<String> {
    let own = |all: &[&[&str]]| all.concat().iter().map(|it| (*it).to_owned()).collect();
    match base.row().values {
        Values::Int => own(&[INTS]),
        Values::Float => own(&[INTS, FLOATS]),
        Values::Number => own(&[INTS, FLOATS, COMPLEX, BOOLS]),
        Values::Bool => own(&[BOOLS]),
        Values::Str => own(&[TEXTS]),
        Values::StrEnum(row) => row.words.iter().map(|(word, _)| format!("'{word}'")).collect(),
        Values::Named | Values::Numbered => {
            base.words().iter().map(|it| (*it).to_owned()).collect()
        }
        Values::Object if *base == BaseType::Device => own(&[&["'cpu'", "'meta'", "cpu"]]),
        Values::Object | Values::Tensor | Values::Empty | Values::Absent => Vec::new(),
    }
}

/// Types with a literal each: the type itself, optional, and in lists where there are such.
fn cases() -> Vec<(String, String)> {
    let mut cases = Vec::new();
    for name in BaseType::NAMES {
        let base = BaseType::from_name(name).expect("a type");
        let literals = literals(&base);
        for literal in &literals {
            cases.push(((*name).to_owned(), literal.clone()));
            cases.push((format!("{name}?"), literal.clone()));
            if !base.row().list_costs.is_empty() && base.row().values != Values::Object {
                cases.push((format!("{name}[]"), format!("[{literal}]")));
                cases.push((format!("{name}[]"), format!("[{literal},{}]", literals[0])));
            }
        }
        if !literals.is_empty() {
            cases.push((format!("{name}?"), "None".to_owned()));
        }
        if !base.row().list_costs.is_empty() && !literals.is_empty() {
            cases.push((format!("{name}[]"), "[]".to_owned()));
        }
    }
    cases
}

fn read(schema: &str) -> OpSet {
    let mut sources = Sources::new();
    let text = format!("- func: >\n    {schema}\n  dispatch:\n    CPU: foo\n");
    let yaml = vec![sources.add("ops.yaml", text)];
    load(&sources, &Input { yaml, ..Input::default() })
        .unwrap_or_else(|findings| panic!("{schema}: {findings:?}"))
}

#[test]
fn every_literal_is_a_default() {
    let cases = cases();
    assert!(cases.len() > 200, "{}", cases.len());
    for (ty, literal) in cases {
        let schema = format!("foo(Tensor self, {ty} k={literal}) -> Tensor");
        let ops = read(&schema);
        let param = &ops.overloads[0].schema.params[1];
        assert_eq!(ops.overloads[0].schema.to_string(), schema);
        let default = &param.default.as_ref().expect("a default").value;
        let tokens = literal::rust(default, &param.ty.value).unwrap_or_else(|| panic!("{schema}"));
        syn::parse2::<syn::Expr>(tokens).unwrap_or_else(|error| panic!("{schema}: {error}"));
        prints(&ops, &schema);
    }
}

/// Everything that names the parameter has a default for it.
fn prints(ops: &OpSet, schema: &str) {
    let mut cx = Diagnostics::new();
    let functions = signature::functions(&mut cx, ops);
    drop(cx.finish());
    let rows = print::rust::rows::tables(ops, ops, Rows::Always);
    let bindings = quote!(::opwright_python_bindings);
    let python = file::rust(print::python::print(ops, &functions, &bindings, &rows));
    let kernels = kernels::assumed(ops);
    let runtime = quote!(::opwright_runtime);
    let rust = file::rust(print::rust::ops::print(ops, &kernels, &[], &runtime, Rows::Always));
    assert!(rust.contains(".or("), "no row: {schema}\n{rust}");
    // What `inspect.signature` reads.
    let shown =
        python.lines().any(|it| it.contains("foo(") && it.contains("k=") && it.contains("--\\n"));
    assert!(shown, "no signature: {schema}\n{python}");
    let stubs = stub::print(ops, &functions, &Package::plain("opwright"));
    let has =
        stubs.iter().any(|it| it.text.lines().any(|it| it.contains("k: ") && it.contains(" = ")));
    assert!(has, "no stub: {schema}");
    let go = print::go::print(&print::go::Package::REFERENCE, ops);
    for file in go {
        assert!(!file.text.contains("(inf)") && !file.text.contains("(NaN)"), "{schema}");
    }
}
