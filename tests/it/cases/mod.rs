//! The cases of operators, `[[case]]` of `ops/src/**/*.toml`, called through Rust.
//!
//! The Python suite reads the same files; `ops/src/README.md` describes them.

mod gradients;

use std::collections::BTreeSet;

use opwright_ops::OPERATORS;
use opwright_runtime::ErrorKind;
use opwright_tests::cases::{Case, Expected, arguments, compare, find, written};
use opwright_tests::rows::rows;

use gradients::Gradients;

#[test]
fn every_case_holds() {
    let mut failures = Vec::new();
    for (name, case) in rows::<Case>("case") {
        for reverse_memory in [false, true] {
            if reverse_memory && case.contiguous {
                continue;
            }
            if let Err(difference) = check(&case, reverse_memory) {
                let memory = if reverse_memory { ", memory reversed" } else { "" };
                failures.push(format!("{name} ({}{memory}): {difference}", case.op));
            }
        }
    }
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}

fn check(case: &Case, reverse_memory: bool) -> Result<(), String> {
    let operator = find(&case.op)?;
    let mut values = arguments(operator, case, reverse_memory)?;
    let gradients = Gradients::wanted(operator, case, &values)?;
    let outcome = (operator.call)(&mut values);
    let (expected, writes, first, second) = match case.expected()? {
        Expected::Error { kind, message } => {
            let Err(error) = outcome else { return Err("no error".to_owned()) };
            let (raised, text) = (python_class(error.kind()), error.to_string());
            let fits = raised == kind && text.contains(&message);
            return if fits { Ok(()) } else { Err(format!("{raised}: {text}")) };
        }
        Expected::Result { result, writes, gradients, second_gradients } => {
            (result, writes, gradients, second_gradients)
        }
    };
    let mut returned = outcome.map_err(|error| error.to_string())?.into_vec();
    // In Rust the caller has what was written to; in Python it is also returned.
    if returned.is_empty() {
        returned = written(operator, &values);
    }
    if let Some(expected) = expected {
        compare(&returned, &expected, case.closeness()).map_err(|it| format!("result: {it}"))?;
    }
    for (name, expected) in writes {
        let idx = operator.params.iter().position(|it| it.slot.name == name);
        let idx = idx.ok_or_else(|| format!("no parameter `{name}`"))?;
        compare(&values[idx..=idx], &[expected], case.closeness())
            .map_err(|it| format!("written `{name}`: {it}"))?;
    }
    gradients.compare(&returned, &first, &second, case.closeness())
}

fn python_class(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::Type => "TypeError",
        ErrorKind::Value => "ValueError",
        ErrorKind::Index => "IndexError",
        ErrorKind::Runtime => "RuntimeError",
        ErrorKind::NotImplemented => "NotImplementedError",
        ErrorKind::Memory => "MemoryError",
        ErrorKind::Overflow => "OverflowError",
        ErrorKind::LinAlg => "LinAlgError",
    }
}

/// An operator is an entry, a kernel and a case.
#[test]
fn every_operator_has_a_case() {
    let cases = rows::<Case>("case");
    let has_case = |name: &str| cases.iter().any(|(_, case)| base(&case.op) == base(name));
    let names: BTreeSet<_> = OPERATORS.iter().map(|it| base(it.name)).collect();
    let missing: Vec<_> = names.into_iter().filter(|it| !has_case(it)).collect();
    assert!(missing.is_empty(), "no case for {missing:?}");
}

/// The name without the overload; an in-place operator counts with the others.
fn base(name: &str) -> &str {
    let base = name.split_once('.').map_or(name, |(base, _)| base);
    if base.ends_with("__") { base } else { base.trim_end_matches('_') }
}
