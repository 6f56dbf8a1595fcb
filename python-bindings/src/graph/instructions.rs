//! Scalar instructions of operators of `opwright-ops`, for functions of numbers alone.

use opwright_graph::scalar::ir::{Builder, Cond, MathFn, Opcode, Value};
use opwright_graph::scalar::{Instruction, Prim, declare};
use opwright_runtime::op::{Operator, find};

use Instruction::{One, Several};

/// Operators over numbers of 64 bits, by names of overloads.
const INSTRUCTIONS: &[(&str, Instruction)] = &[
    ("add.Tensor", One(Opcode::FAdd)),
    ("sub.Tensor", One(Opcode::FSub)),
    ("mul.Tensor", One(Opcode::FMul)),
    ("div.Tensor", One(Opcode::FDiv)),
    ("neg", One(Opcode::FNeg)),
    ("abs", One(Opcode::FAbs)),
    ("sqrt", One(Opcode::FSqrt)),
    ("floor", One(Opcode::FFloor)),
    ("ceil", One(Opcode::FCeil)),
    ("trunc", One(Opcode::FTrunc)),
    ("round", One(Opcode::FRint)),
    ("eq.Tensor", One(Opcode::FCmp(Cond::Eq))),
    ("ne.Tensor", One(Opcode::FCmp(Cond::Ne))),
    ("lt.Tensor", One(Opcode::FCmp(Cond::Lt))),
    ("le.Tensor", One(Opcode::FCmp(Cond::Le))),
    ("gt.Tensor", One(Opcode::FCmp(Cond::Gt))),
    ("ge.Tensor", One(Opcode::FCmp(Cond::Ge))),
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
    builder.emit(Opcode::FMul, &[operands[0], operands[0]], Prim::F64)
}

fn reciprocal(builder: &mut Builder, operands: &[Value]) -> Value {
    let one = builder.constant(1.0_f64.to_bits(), Prim::F64);
    builder.emit(Opcode::FDiv, &[one, operands[0]], Prim::F64)
}

fn isnan(builder: &mut Builder, operands: &[Value]) -> Value {
    builder.emit(Opcode::FCmp(Cond::Ne), &[operands[0], operands[0]], Prim::Bool)
}

/// Says it to graphs.
pub(super) fn add() {
    let functions = FUNCTIONS
        .iter()
        .filter_map(|(name, function)| Some((*name, One(Opcode::Math(MathFn::named(function)?)))));
    let all = INSTRUCTIONS.iter().copied().chain(functions);
    declare(all.filter_map(|(name, instruction)| Some((row(name)?, instruction))));
}

/// A row of the crate itself: another module may call something else so.
fn row(name: &str) -> Option<&'static Operator> {
    find(opwright_ops::ops::OPERATORS, name)
}
