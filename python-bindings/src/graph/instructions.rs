//! What the operators of `opwright-ops` are over numbers, for functions of numbers alone.

use opwright_graph::scalar::ir::{Builder, Cond, MathFn, Op, Value};
use opwright_graph::scalar::{Instruction, Prim, declare};
use opwright_runtime::op::{Operator, find};

use Instruction::{One, Several};

/// Operators over numbers of 64 bits, by names of overloads.
const INSTRUCTIONS: &[(&str, Instruction)] = &[
    ("add.Tensor", One(Op::FAdd)),
    ("sub.Tensor", One(Op::FSub)),
    ("mul.Tensor", One(Op::FMul)),
    ("div.Tensor", One(Op::FDiv)),
    ("neg", One(Op::FNeg)),
    ("abs", One(Op::FAbs)),
    ("sqrt", One(Op::FSqrt)),
    ("floor", One(Op::FFloor)),
    ("ceil", One(Op::FCeil)),
    ("trunc", One(Op::FTrunc)),
    ("round", One(Op::FRint)),
    ("eq.Tensor", One(Op::FCmp(Cond::Eq))),
    ("ne.Tensor", One(Op::FCmp(Cond::Ne))),
    ("lt.Tensor", One(Op::FCmp(Cond::Lt))),
    ("le.Tensor", One(Op::FCmp(Cond::Le))),
    ("gt.Tensor", One(Op::FCmp(Cond::Gt))),
    ("ge.Tensor", One(Op::FCmp(Cond::Ge))),
    ("square", Several(square)),
    ("reciprocal", Several(reciprocal)),
    ("isnan", Several(isnan)),
];

/// Operators that are functions of the table, by their names there.
const FUNCTIONS: &[(&str, &str)] = &[
    ("exp", "exp"),
    ("exp2", "exp2"),
    ("expm1", "expm1"),
    ("log", "log"),
    ("log2", "log2"),
    ("log10", "log10"),
    ("log1p", "log1p"),
    ("sin", "sin"),
    ("cos", "cos"),
    ("tan", "tan"),
    ("asin", "asin"),
    ("acos", "acos"),
    ("atan", "atan"),
    ("sinh", "sinh"),
    ("cosh", "cosh"),
    ("tanh", "tanh"),
    ("asinh", "asinh"),
    ("acosh", "acosh"),
    ("atanh", "atanh"),
    ("erf", "erf"),
    ("erfc", "erfc"),
    ("pow.Tensor_Tensor", "pow"),
    ("copysign.Tensor", "copysign"),
    ("fmod.Tensor", "fmod"),
    ("remainder.Tensor", "floormod"),
];

fn square(builder: &mut Builder, operands: &[Value]) -> Value {
    builder.emit(Op::FMul, &[operands[0], operands[0]], Prim::F64)
}

fn reciprocal(builder: &mut Builder, operands: &[Value]) -> Value {
    let one = builder.constant(1.0_f64.to_bits(), Prim::F64);
    builder.emit(Op::FDiv, &[one, operands[0]], Prim::F64)
}

fn isnan(builder: &mut Builder, operands: &[Value]) -> Value {
    builder.emit(Op::FCmp(Cond::Ne), &[operands[0], operands[0]], Prim::Bool)
}

/// Says it to graphs.
pub(super) fn add() {
    let functions = FUNCTIONS
        .iter()
        .filter_map(|(name, function)| Some((*name, One(Op::Math(MathFn::named(function)?)))));
    let all = INSTRUCTIONS.iter().copied().chain(functions);
    declare(all.filter_map(|(name, instruction)| Some((row(name)?, instruction))));
}

/// A row of the crate itself: another module may call something else so.
fn row(name: &str) -> Option<&'static Operator> {
    find(opwright_ops::ops::OPERATORS, name)
}
