//! Every operator does what it declares.

use opwright_ops::OPERATORS;
use opwright_runtime::testing::{Check, Opcheck, Problem, Report};

/// Texts that operators ask for without a default.
const WORDS: [&str; 9] = ["mean", "fro", "L", "reduced", "sum", "floor", "ij->ij", "ij", "add"];

/// What operators do that their schemas do not say, with the reason.
const KNOWN: [(&str, Check, &str); 7] = [
    ("broadcast_tensors", Check::Aliasing, "views, which the schema cannot say of a list"),
    ("meshgrid", Check::Aliasing, "views, which the schema cannot say of a list"),
    ("meshgrid.indexing", Check::Aliasing, "views, which the schema cannot say of a list"),
    ("conj_physical", Check::Aliasing, "real numbers are returned as they are"),
    ("einsum", Check::Aliasing, "an equation that only permutes gives a view"),
    ("empty.memory_format", Check::Out, "the elements are whatever was there"),
    ("randint_like.Tensor", Check::Meta, "the bound is read, so it has to be on the CPU"),
];

fn opcheck() -> Opcheck<'static> {
    Opcheck::new(OPERATORS).words(&WORDS)
}

fn is_known(problem: &Problem) -> bool {
    KNOWN.iter().any(|(name, check, _)| (*name, *check) == (problem.operator, problem.check))
}

#[test]
fn every_operator_does_what_it_declares() {
    let mut report: Report = opcheck().seeds(1).report();
    report.problems.retain(|it| !is_known(it));
    assert!(report.is_ok() && report.uncalled.is_empty(), "{report}");
    let callable = OPERATORS.iter().filter(|it| it.is_callable());
    assert_eq!(report.operators, callable.count());
    for kind in ["bool", "bfloat16", "complex128", "stepped", "no elements", "broadcast", "large"] {
        assert!(report.calls[kind] > 300, "{report}");
    }
}

/// The loops themselves are compared by `Check::InnerLoop`, above.
#[test]
fn element_wise_operators_have_their_loops_in_their_rows() {
    let with_loops: Vec<&str> =
        OPERATORS.iter().filter(|it| it.inner_loop.is_some()).map(|it| it.name).collect();
    assert_eq!(with_loops.len(), 326, "{with_loops:?}");
}

#[test]
fn known_differences_are_still_there() {
    for (name, check, _) in KNOWN {
        let report = opcheck().only(name).report();
        let is_there = report.problems.iter().any(|it| (it.operator, it.check) == (name, check));
        assert!(is_there, "{name} has no problem with {check} any more\n{report}");
    }
}
