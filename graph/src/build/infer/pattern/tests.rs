//! Tests of type patterns.

use opwright_runtime::op::{Gradient, Operator, Param, Slot, Type, Value};
use opwright_runtime::types::TensorType;
use opwright_runtime::{DType, Error};

use super::inferred;
use crate::model::argument::NodeArgument;
use crate::model::variable::Variable;

const MM: Operator = Operator {
    name: "mm",
    schema: "mm(Tensor self, Tensor mat2, int count=2) -> Tensor",
    params: &[
        Param::new(Slot::new("self", Type::Tensor)),
        Param::new(Slot::new("mat2", Type::Tensor)),
        Param::new(Slot::new("count", Type::Int)),
    ],
    results: &[Slot::new("", Type::Tensor)],
    tags: &[],
    functional: None,
    in_place: None,
    out: None,
    call: |_| Err(Error::runtime("it is not called")),
    types: None,
    inner_loop: None,
    reduction: None,
    gradient: Gradient::None,
    formulas: None,
};

/// The types of the results of tensors of these shapes.
#[track_caller]
fn check(types: &str, shapes: [&[Option<i64>]; 2], count: i64, expected: &str) {
    let input = |shape: &[Option<i64>]| {
        Variable::new(TensorType::new(DType::Float32, shape.to_vec()).shared(), None)
    };
    let arguments =
        [NodeArgument::Input(0), NodeArgument::Input(1), NodeArgument::Value(Value::Int(count))];
    let found = match inferred(&MM, types, &shapes.map(input), &arguments) {
        Ok(it) => it.types.iter().map(|it| format!("{it} ")).collect::<String>(),
        Err(error) => error.to_string(),
    };
    assert_eq!(found.trim_end(), expected);
}

#[test]
fn names_stand_for_the_same_everywhere() {
    let types = "[T; n, k], [T; k, m] -> [T; n, m]";
    let (two, three, four, any) = (Some(2), Some(3), Some(4), None);
    check(types, [&[two, any], &[three, four]], 0, "TensorType(float32, (2, 4))");
    check(types, [&[two, four], &[three, four]], 0, "k is 4 in 'self' and 3 in 'mat2'");
    check(types, [&[two], &[three, four]], 0, "'self' has 1 dimensions, not 2");
    check(
        "[T; n, k], _ -> [f64; n+k, n*k]",
        [&[two, three], &[any]],
        0,
        "TensorType(float64, (5, 6))",
    );
}

#[test]
fn groups_broadcast() {
    let types = "[T; *s], [T; *s, k] -> [i64; *s, k]";
    let (one, two, any) = (Some(1), Some(2), None);
    check(types, [&[two, any], &[one, any]], 0, "TensorType(int64, (2, ?, ?))");
    check(types, [&[two], &[Some(3), any]], 0, "s is 2 in 'self' and 3 in 'mat2'");
}

#[test]
fn values_and_ranks_are_extents() {
    let (two, any) = (Some(2), None);
    check(
        "[T; *s], _ -> [i64; ?, $rank(self)]",
        [&[two, any], &[]],
        0,
        "TensorType(int64, (?, 2))",
    );
    check("[T; *s], _ -> [T; *s, $count]", [&[two], &[]], 5, "TensorType(float32, (2, 5))");
    check("[T; *s], _ -> [T; $count]", [&[two], &[]], -1, "TensorType(float32, (?,))");
    let both = "TensorType(int64, (?,)) TensorType(int64, (?,))";
    check("[T; *s], _ -> [i64; ?] * rank(self)", [&[two, any], &[]], 0, both);
}

#[test]
fn the_first_pattern_that_fits_is_taken() {
    let types =
        "[f64; n], _ -> [f64; n] | [T; n], _ -> ([real(T); n], [default; ? if $count else 0])";
    check(types, [&[Some(2)], &[]], 0, "TensorType(float32, (2,)) TensorType(float32, (?,))");
    let wrong = "the pattern `[T; n -> [T; n]` of its types is wrong: expected `]` at `-> [T; n]`";
    check("[T; n -> [T; n]", [&[], &[]], 0, wrong);
}
