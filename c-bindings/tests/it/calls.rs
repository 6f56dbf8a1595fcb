//! Every operator gives through C what it gives in Rust.

use opwright_c_bindings::fixed;
use opwright_ops::OPERATORS;
use opwright_runtime::op::{Operator, Type, Value, find};
use opwright_runtime::{Generator, Result, Tensor};
use opwright_tests::opcheck::opcheck;

use crate::printed::CALLS;

/// A value for each parameter, and new tensors each time.
fn values(operator: &Operator, given: &[(&'static str, Value)]) -> Vec<Value> {
    let value = |name: &str| given.iter().find(|it| it.0 == name).map(|it| it.1.clone());
    let params = operator.params.iter();
    let value = params.map(|it| value(it.slot.name).or(it.default.map(|it| it.value())));
    value.map(|it| it.unwrap_or(Value::None)).collect()
}

/// Everything that two results of one call have in common.
fn shown(values: &[Value]) -> String {
    let shown: Vec<String> = values.iter().map(one).collect();
    shown.join("; ")
}

fn one(value: &Value) -> String {
    match value {
        Value::Tensor(it) => {
            format!("{} {:?} {:?} {}", it.dtype(), it.shape(), it.strides(), elements(it))
        }
        Value::List(items) => format!("[{}]", shown(items)),
        Value::Storage(it) => format!("storage of {} bytes", it.bytes()),
        Value::Generator(it) => format!("{:?}", it.state()),
        other => format!("{other:?}"),
    }
}

fn elements(tensor: &Tensor) -> String {
    if tensor.device().is_meta() {
        return "on meta".to_owned();
    }
    let dense = tensor.to_contiguous().expect("memory");
    let bytes = dense.numel() * dense.dtype().size();
    // SAFETY: it is contiguous, nobody else has it, and its memory is initialised.
    let bytes = unsafe { std::slice::from_raw_parts(dense.data_ptr(), bytes) };
    format!("{bytes:?}")
}

/// What a call gives, and what it leaves in its arguments; or why it fails.
fn outcome(result: Result<Vec<Value>>, arguments: &[Value]) -> String {
    match result {
        Ok(results) => format!("{} after {}", shown(&results), shown(arguments)),
        Err(error) => format!("{:?}: {error}", error.kind()),
    }
}

#[test]
fn operators_give_the_same_in_c_and_in_rust() {
    let _turn = crate::alone();
    let opcheck = opcheck().seeds(2);
    let (mut wrong, mut called) = (Vec::new(), 0);
    for (name, call) in &CALLS {
        let operator = find(OPERATORS, name).expect("a row for each function");
        let samples = opcheck.calls(operator);
        called += usize::from(!samples.is_empty());
        for sample in samples {
            let make = || values(operator, &sample.values().expect("memory"));
            let (mut in_rust, mut in_c) = (make(), make());
            Generator::default_cpu().manual_seed(7);
            let expected = (operator.call)(&mut in_rust).map(|it| it.into_iter().collect());
            Generator::default_cpu().manual_seed(7);
            // SAFETY: it takes nothing.
            let before = unsafe { fixed::live_handles() };
            let found = call(&mut in_c);
            // SAFETY: it takes nothing.
            let after = unsafe { fixed::live_handles() };
            let (expected, found) = (outcome(expected, &in_rust), outcome(found, &in_c));
            if expected != found || before != after {
                wrong.push(format!(
                    "{name}: {expected}\n  in C: {found}\n  left: {}",
                    after - before
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
    assert_eq!(called, CALLS.len(), "some were not called");
}

/// A tensor or a text that has to be there.
fn is_required(ty: &Type) -> bool {
    matches!(ty, Type::Tensor | Type::Str | Type::Storage)
}

#[test]
fn null_is_refused_wherever_something_has_to_be() {
    let _turn = crate::alone();
    let opcheck = opcheck().seeds(1);
    let (mut wrong, mut refused) = (Vec::new(), 0);
    for (name, call) in &CALLS {
        let operator = find(OPERATORS, name).expect("a row for each function");
        for sample in opcheck.calls(operator) {
            let params = operator.params.iter().enumerate();
            for (at, param) in params.filter(|(_, it)| is_required(&it.slot.ty)) {
                let mut values = values(operator, &sample.values().expect("memory"));
                values[at] = Value::None;
                let expected = format!("argument '{}' is NULL", param.slot.name);
                // SAFETY: it takes nothing.
                let before = unsafe { fixed::live_handles() };
                let found = call(&mut values).map(|it| shown(&it));
                // SAFETY: it takes nothing.
                let after = unsafe { fixed::live_handles() };
                match found {
                    Err(error) if error.to_string().contains(&expected) && before == after => {
                        refused += 1;
                    }
                    found => wrong.push(format!("{name}: {expected}: {found:?}")),
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(refused > 1000, "{refused}");
}

#[test]
fn every_operator_with_values_has_a_function() {
    let without = OPERATORS.iter().filter(|it| it.is_callable());
    let without: Vec<&str> = without.map(|it| it.name).collect();
    let with: Vec<&str> = CALLS.iter().map(|it| it.0).collect();
    let missing: Vec<&&str> = without.iter().filter(|it| !with.contains(it)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
