//! What stands beside the mistakes that an author can make with `#[native_op]` is what the generator
//! prints.

use opwright_codegen::kernels::{self, Kernels};
use opwright_codegen::print::rust::rows::Rows;
use opwright_codegen::{file, print};
use opwright_schema::OpSet;
use quote::quote;

use crate::golden;

/// Names that an author shadows are not those that the macro and the generator mean.
#[test]
fn hygiene_is_fresh() {
    let ops = golden::load("../macros/tests/ui/fixture/hygiene.yaml");
    let path = "../macros/tests/ui/fixture/hygiene.rs";
    golden::check(path, &rust(&ops, &kernels::assumed(&ops)));
}

/// The cases include the markers that the generator prints for the fixture's entries; the tables are
/// empty, because each case is a crate of its own.
#[test]
fn fixture_is_fresh() {
    let ops = golden::load("../macros/tests/ui/fixture/native_functions.yaml");
    let without_kernels = |it: Kernels| Kernels { rule: it.rule, ..Kernels::default() };
    let kernels: Vec<Kernels> = kernels::assumed(&ops).into_iter().map(without_kernels).collect();
    golden::check("../macros/tests/ui/fixture/ops.rs", &rust(&ops, &kernels));
}

/// With the macro that takes every annotation: no build script reads the cases.
fn rust(ops: &OpSet, kernels: &[Kernels]) -> String {
    let ops = print::rust::ops::print(ops, kernels, &[], &quote!(::opwright_runtime), Rows::Always);
    let annotated = print::rust::annotated::any();
    file::rust(quote!(#ops #annotated))
}
