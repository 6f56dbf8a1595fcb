//! Every operator does what it declares.

use opwright_ops::OPERATORS;
use opwright_runtime::testing::{Opcheck, Problem, Report};
use serde::Deserialize;

/// What is known of operators, for this test and the one in Python.
#[derive(Deserialize)]
pub(super) struct Table {
    words: Vec<String>,
    kernel: Vec<Known>,
}

/// What an operator does that its schema does not say.
#[derive(Deserialize)]
struct Known {
    operator: String,
    check: String,
}

impl Table {
    pub(super) fn read() -> Table {
        toml::from_str(include_str!("../../python-bindings/python/opwright/opcheck.toml"))
            .expect("a table of what is known")
    }

    pub(super) fn opcheck(&self) -> Opcheck<'static> {
        let words: Vec<&str> = self.words.iter().map(String::as_str).collect();
        Opcheck::new(OPERATORS).words(&words)
    }
}

impl Known {
    fn is(&self, problem: &Problem) -> bool {
        (&*self.operator, &*self.check) == (problem.operator, problem.check.name())
    }
}

#[test]
fn every_operator_does_what_it_declares() {
    let table = Table::read();
    let mut report: Report = table.opcheck().seeds(1).report();
    report.problems.retain(|problem| !table.kernel.iter().any(|it| it.is(problem)));
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
    assert_eq!(with_loops.len(), 329, "{with_loops:?}");
}

#[test]
fn known_differences_are_still_there() {
    let table = Table::read();
    for known in &table.kernel {
        let Known { operator, check } = known;
        let report = table.opcheck().only(operator).report();
        let is_there = report.problems.iter().any(|it| known.is(it));
        assert!(is_there, "{operator} has no problem with {check} any more\n{report}");
    }
}
