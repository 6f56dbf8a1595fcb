//! Mistakes that an author can make with `#[native_op]`: each is one error, at
//! the text that is wrong.

use std::env;

use opwright_codegen::kernels::{self, Kernels};
use opwright_codegen::print::rust::rows::Rows;
use opwright_codegen::{file, print};
use opwright_schema::OpSet;
use quote::quote;

use crate::golden;

#[test]
fn mistakes() {
    fixture_is_fresh();
    hygiene_is_fresh();
    if golden::blessing() {
        // SAFETY: this is the only test that reads or sets it.
        unsafe { env::set_var("TRYBUILD", "overwrite") };
    }
    let cases = trybuild::TestCases::new();
    cases.pass("ui/pass/*.rs");
    cases.compile_fail("ui/native_op/*.rs");
    cases.compile_fail("ui/native_struct/*.rs");
    cases.compile_fail("ui/native_type/*.rs");
}

/// Names that an author shadows are not those that the macro and the
/// generator mean.
fn hygiene_is_fresh() {
    let ops = golden::load("ui/fixture/hygiene.yaml");
    golden::check("ui/fixture/hygiene.rs", &rust(&ops, &kernels::assumed(&ops)));
}

/// The cases include the markers that the generator prints for the fixture's
/// entries; the tables are empty, because each case is a crate of its own.
fn fixture_is_fresh() {
    let ops = golden::load("ui/fixture/native_functions.yaml");
    let without_kernels = |it: Kernels| Kernels { rule: it.rule, ..Kernels::default() };
    let kernels: Vec<Kernels> = kernels::assumed(&ops).into_iter().map(without_kernels).collect();
    golden::check("ui/fixture/ops.rs", &rust(&ops, &kernels));
}

/// With the macro that takes every annotation: no build script reads the cases.
fn rust(ops: &OpSet, kernels: &[Kernels]) -> String {
    let ops = print::rust::ops::print(ops, kernels, &[], &quote!(::opwright_runtime), Rows::Always);
    let annotated = print::rust::annotated::any();
    file::rust(quote!(#ops #annotated))
}
