//! Every operator does what it declares.

use opwright_ops::OPERATORS;
use opwright_runtime::testing::{Problem, Report};
use opwright_tests::opcheck::opcheck;
use opwright_tests::rows::rows;
use serde::Deserialize;

/// A row `[[opcheck]]`: what an operator does that its schema does not say.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Known {
    op: String,
    /// The function of Python that does it, if the kernel does not.
    function: Option<String>,
    check: String,
    #[serde(rename = "reason")]
    _reason: String,
}

impl Known {
    /// What is known of kernels.
    fn of_kernels() -> Vec<Known> {
        let rows = rows("opcheck").into_iter().map(|(_, it)| it);
        rows.filter(|it: &Known| it.function.is_none()).collect()
    }

    fn is(&self, problem: &Problem) -> bool {
        (&*self.op, &*self.check) == (problem.operator, problem.check.name())
    }
}

#[test]
fn every_operator_does_what_it_declares() {
    let known = Known::of_kernels();
    let mut report: Report = opcheck().seeds(1).report();
    report.problems.retain(|problem| !known.iter().any(|it| it.is(problem)));
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
    assert_eq!(with_loops.len(), 437, "{with_loops:?}");
}

#[test]
fn known_differences_are_still_there() {
    for known in &Known::of_kernels() {
        let Known { op: operator, check, .. } = known;
        let report = opcheck().only(operator).report();
        let is_there = report.problems.iter().any(|it| known.is(it));
        assert!(is_there, "{operator} has no problem with {check} any more\n{report}");
    }
}
