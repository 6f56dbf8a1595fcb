//! In which order the overloads of a name are tried.

use opwright_codegen::order::{self, spelling};
use opwright_codegen::signature::{self, PythonFunction};
use opwright_diagnostics::diag::Diagnostics;
use opwright_diagnostics::{Sources, render};
use opwright_schema::{Input, load};

/// The function `f` with overloads of these parameters, in this order.
fn function(overloads: &[&str]) -> PythonFunction {
    let entry = |(idx, params): (usize, &&str)| format!("- func: f.o{idx}({params}) -> Tensor\n");
    let yaml: String = overloads.iter().enumerate().map(entry).collect();
    let mut sources = Sources::new();
    let id = sources.add("ops.yaml", yaml);
    let ops = load(&sources, &Input::yaml(id))
        .unwrap_or_else(|findings| panic!("{}", render(&sources, &findings)));
    let mut cx = Diagnostics::new();
    let functions = signature::functions(&mut cx, &ops);
    drop(cx.finish());
    functions.into_iter().next().expect("a function")
}

/// However the entries are ordered, the overloads are tried in this order.
#[track_caller]
fn check(expected: &[&str]) {
    let mut entries = expected.to_vec();
    for turn in 0..expected.len() {
        for entries in [entries.clone(), entries.iter().rev().copied().collect()] {
            let found = function(&entries);
            let found: Vec<String> = found.signatures.iter().map(spelling::parameters).collect();
            let alone = expected.iter().map(|it| function(&[it]).signatures[0].clone());
            let expected: Vec<String> = alone.map(|it| spelling::parameters(&it)).collect();
            assert_eq!(found, expected, "turn {turn}");
        }
        entries.rotate_left(1);
    }
}

#[test]
fn a_tensor_goes_to_a_tensor_parameter() {
    check(&["Tensor self, Tensor other", "Tensor self, Scalar other"]);
    check(&["Tensor self, Tensor q", "Tensor self, float q"]);
    check(&["Tensor self, Tensor other, *, Scalar alpha=1", "Tensor self, Scalar other"]);
}

#[test]
fn what_accepts_less_comes_first() {
    check(&["Tensor self", "Tensor self, int[]? dim=None", "Tensor self, int dim"]);
    check(&["Tensor self, int dim", "Tensor self, int[1] dim"]);
    check(&["Tensor self, bool flag", "Tensor self, float flag"]);
}

#[test]
fn mixed_overloads_go_from_tensors_to_numbers() {
    check(&[
        "Tensor condition, Tensor self, Tensor other",
        "Tensor condition, Scalar self, Tensor other",
        "Tensor condition, Tensor self, Scalar other",
        "Tensor condition, Scalar self, Scalar other",
    ]);
}

#[test]
fn an_empty_list_goes_to_the_plainest_list() {
    check(&["Tensor self, int[] bins", "Tensor self, Tensor[] bins"]);
}

#[test]
fn named_dimensions_come_last() {
    check(&["Tensor self, int dim", "Tensor self, Dimname dim"]);
    check(&["Tensor self, int dim, SymInt index", "Tensor self, Dimname dim, int index"]);
}

#[test]
fn an_overload_that_accepts_nothing_new_is_unreachable() {
    let reachable = |overloads: &[&str]| order::unreachable(&function(overloads).signatures);
    assert_eq!(reachable(&["Tensor self, int n=2", "Tensor self, int n=3"]), [(1, 0)]);
    assert_eq!(reachable(&["Tensor self, int n", "Tensor self, int? n"]), []);
    assert_eq!(reachable(&["Tensor self, int n", "Tensor self, int m"]), []);
}
