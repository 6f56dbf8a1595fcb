//! No key of an entry is accepted and ignored: each changes what is printed, or is refused; but for
//! those that upstream has for its own C++.

use opwright_codegen::observed::Observed;
use opwright_codegen::others::Others;
use opwright_codegen::print::docs;
use opwright_codegen::print::python::stub::{self, Package};
use opwright_codegen::print::rust::rows::Rows;
use opwright_codegen::scan::Scanned;
use opwright_codegen::{file, formula, kernels, print, signature};
use opwright_diagnostics::Sources;
use opwright_diagnostics::diag::Diagnostics;
use opwright_schema::model::OpSet;
use opwright_schema::{Input, autogen, entry, load};
use quote::quote;

/// A line for each key.
const LINES: &[(&str, &str)] = &[
    ("variants", "variants: method"),
    ("dispatch", "dispatch: {CPU: own}"),
    ("structured", "structured: True"),
    ("structured_delegate", "structured_delegate: foo.out"),
    ("structured_inherits", "structured_inherits: TensorIteratorBase"),
    ("precomputed", "precomputed: [\"k -> int l\"]"),
    ("alias_of", "alias_of: bar(self)"),
    ("autogen", "autogen: foo.out\n  dispatch: {CPU: own}"),
    ("derive", "derive: out"),
    ("derivative", "derivative: {self: grad}\n  dispatch: {CPU: own}"),
    ("python_module", "python_module: nn"),
    ("tags", "tags: pointwise"),
    ("ufunc_inner_loop", "ufunc_inner_loop: {Generic: foo (AllAndComplex)}"),
    ("doc", "doc: Says something."),
    ("python", "python: {name: baz}"),
    ("python", "python: {operators: __matmul__}"),
    ("python", "python: {aliases: baz}"),
    ("python", "python: {keyword_aliases: {k: [l]}}"),
    ("python", "python: {numbers: True}"),
    ("python", "python: skip"),
    ("c", "c: {name: baz}"),
    ("c", "c: skip"),
    ("go", "go: {name: Baz}"),
    ("go", "go: skip"),
    ("gil", "gil: release"),
    ("gil", "gil: hold"),
    ("since", "since: 0.2"),
    ("types", "types: [self]"),
    ("ranges", "ranges: k=1..=8"),
    ("deprecated", "deprecated: [\"foo(Tensor self, *, int k)\"]"),
];

/// About the C++ that upstream prints: read, so that its entries can be copied.
const UPSTREAM: &[&str] = &[
    "device_guard",
    "device_check",
    "manual_cpp_binding",
    "manual_kernel_registration",
    "category_override",
    "cpp_no_default_args",
    "use_const_ref_for_mutable_tensors",
];

/// The operators of an entry with this line, if it is sound.
fn read(line: &str) -> Option<OpSet> {
    let mut sources = Sources::new();
    let line = if line.is_empty() { String::new() } else { format!("  {line}\n") };
    let text = format!(
        "- func: bar(Tensor self) -> Tensor\n- func: foo(Tensor self, int k=1) -> Tensor\n{line}"
    );
    let yaml = vec![sources.add("ops.yaml", text)];
    let mut ops = load(&sources, &Input { yaml, ..Input::default() }).ok()?;
    autogen::generate(&mut ops);
    Some(ops)
}

fn printed(ops: &OpSet) -> Vec<String> {
    let mut cx = Diagnostics::new();
    let functions = signature::functions(&mut cx, ops);
    drop(cx.finish());
    let kernels = kernels::assumed(ops);
    let runtime = quote!(::opwright_runtime);
    let mut cx = Diagnostics::new();
    let found = Scanned::default();
    let gradients = formula::gradients(&mut cx, ops, &kernels, &found, &Others::Never).by_overload;
    drop(cx.finish());
    let rust = print::rust::ops::print(ops, &kernels, &gradients, &runtime, Rows::Always);
    let rows = print::rust::rows::tables(ops, ops, Rows::Always);
    let bindings = quote!(::opwright_python_bindings);
    let python = print::python::print(ops, &functions, &bindings, &rows);
    let mut all = vec![file::rust(rust), file::rust(python)];
    let stubs = stub::print(ops, &functions, &Package::plain("opwright"));
    all.extend(stubs.into_iter().map(|it| it.text));
    let package = Package::plain("opwright");
    let pages = docs::print(ops, &functions, &package, &Observed::default(), &[], Some("ow"));
    all.extend(pages.into_iter().map(|it| it.text));
    let header = print::c::header::Header { prefix: "ow", library: "keys" };
    all.push(print::c::header::print(&header, ops));
    all.extend(print::go::print(&print::go::Package::REFERENCE, ops).into_iter().map(|it| it.text));
    all
}

#[test]
fn no_key_is_ignored() {
    for key in entry::KEYS.iter().filter(|it| **it != "func" && !UPSTREAM.contains(it)) {
        assert!(LINES.iter().any(|(known, _)| known == key), "nothing is tried with `{key}`");
    }
    let plain = |line| printed(&read(line).expect("it is sound"));
    let (composite, own) = (plain(""), plain("dispatch: {CPU: own}"));
    let without = |line: &str| if line.contains("\n  dispatch") { &own } else { &composite };
    let ignored: Vec<&str> = LINES
        .iter()
        .filter(|(_, line)| read(line).is_some_and(|ops| printed(&ops) == *without(line)))
        .map(|(_, line)| *line)
        .collect();
    assert_eq!(ignored, [] as [&str; 0]);
}
