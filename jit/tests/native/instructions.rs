//! Every instruction that cannot fail, over all pairs of edges.

use opwright_jit::ir::{Cond, Convert, Elem, MATH, MathFn, Opcode, Value};
use opwright_jit::types::{Prim, Ty};

use super::outcome::{Pair, edges, function, program, type_of};

const CONDS: [Cond; 6] = [Cond::Eq, Cond::Ne, Cond::Lt, Cond::Le, Cond::Gt, Cond::Ge];

/// A program of one instruction.
fn one(op: Opcode, params: &[Prim], result: Prim) -> Pair {
    let types: Vec<Ty> = params.iter().map(|it| type_of(*it)).collect();
    Pair::with_c(|| {
        program(vec![function("f", &types, type_of(result), |builder, args| {
            builder.push(op, args, [result]).to_vec()
        })])
    })
}

/// As [`one`], with a constant as second operand.
fn with_constant(op: Opcode, param: Prim, constant: u64, result: Prim) -> Pair {
    Pair::new(|| {
        program(vec![function("f", &[type_of(param)], type_of(result), |builder, args| {
            let constant = builder.constant(constant, param);
            builder.push(op, &[args[0], constant], [result]).to_vec()
        })])
    })
}

fn check_unary(op: Opcode, param: Prim, result: Prim) {
    let pair = one(op, &[param], result);
    for a in edges(param) {
        pair.check(&[a]);
    }
}

/// Over all pairs that fit.
fn check_binary(op: Opcode, param: Prim, result: Prim, fits: impl Fn(u64, u64) -> bool) {
    let pair = one(op, &[param, param], result);
    for b in edges(param) {
        for a in edges(param) {
            if fits(a, b) {
                pair.check(&[a, b]);
            }
        }
    }
}

/// A program of one instruction for each of some constants as second operand.
fn with_constants(op: Opcode, param: Prim, constants: &[u64], result: Prim) -> Pair {
    let results = Ty::tuple(vec![type_of(result); constants.len()]);
    Pair::with_c(|| {
        program(vec![function("f", &[type_of(param)], results, |builder, args| {
            let each = constants.iter().map(|constant| {
                let constant = builder.constant(*constant, param);
                builder.push(op, &[args[0], constant], [result])[0]
            });
            each.collect()
        })])
    })
}

/// Also with each edge as a constant.
fn check_constants(op: Opcode, param: Prim, result: Prim, fits: impl Fn(u64, u64) -> bool) {
    for b in edges(param) {
        let pair = with_constant(op, param, b, result);
        for a in edges(param) {
            if fits(a, b) {
                pair.check(&[a]);
            }
        }
    }
    let constants: Vec<u64> = edges(param).into_iter().filter(|b| fits(*b, *b)).collect();
    let pair = with_constants(op, param, &constants, result);
    for a in edges(param) {
        pair.check(&[a]);
    }
}

#[test]
fn whole_numbers() {
    let ops = [
        Opcode::Add,
        Opcode::Sub,
        Opcode::Mul,
        Opcode::And,
        Opcode::Or,
        Opcode::Xor,
        Opcode::Shl,
        Opcode::Sar,
        Opcode::Shr,
        Opcode::Gcd,
        Opcode::Offset,
    ];
    for op in ops {
        check_binary(op, Prim::Int, Prim::Int, |_, _| true);
        check_constants(op, Prim::Int, Prim::Int, |_, _| true);
    }
    check_binary(Opcode::Pow, Prim::Int, Prim::Int, |_, b| b.cast_signed() >= 0);
}

#[test]
fn divisions() {
    let ops = [
        Opcode::Div(true),
        Opcode::Div(false),
        Opcode::Rem(true),
        Opcode::Rem(false),
        Opcode::FloorDiv,
        Opcode::FloorMod,
    ];
    for op in ops {
        check_binary(op, Prim::Int, Prim::Int, |_, b| b != 0);
        check_constants(op, Prim::Int, Prim::Int, |_, b| b != 0);
    }
}

#[test]
fn comparisons() {
    for cond in CONDS {
        for is_signed in [true, false] {
            check_binary(Opcode::Cmp(cond, is_signed), Prim::Int, Prim::Bool, |_, _| true);
            check_binary(Opcode::Cmp(cond, is_signed), Prim::Bool, Prim::Bool, |_, _| true);
        }
        check_binary(Opcode::FCmp(cond), Prim::F64, Prim::Bool, |_, _| true);
        check_binary(Opcode::FCmp(cond), Prim::F32, Prim::Bool, |_, _| true);
    }
    for op in [Opcode::And, Opcode::Or, Opcode::Xor] {
        check_binary(op, Prim::Bool, Prim::Bool, |_, _| true);
    }
}

#[test]
fn real_numbers() {
    for prim in [Prim::F64, Prim::F32] {
        for op in [Opcode::FAdd, Opcode::FSub, Opcode::FMul, Opcode::FDiv] {
            check_binary(op, prim, prim, |_, _| true);
        }
        for op in [
            Opcode::FNeg,
            Opcode::FAbs,
            Opcode::FSqrt,
            Opcode::FFloor,
            Opcode::FCeil,
            Opcode::FTrunc,
            Opcode::FRint,
        ] {
            check_unary(op, prim, prim);
        }
    }
}

#[test]
fn constants_of_real_numbers() {
    for op in [Opcode::FAdd, Opcode::FSub, Opcode::FMul, Opcode::FDiv] {
        check_constants(op, Prim::F64, Prim::F64, |_, _| true);
        check_constants(op, Prim::F32, Prim::F32, |_, _| true);
    }
}

#[test]
fn functions_of_real_numbers() {
    for (at, row) in MATH.iter().enumerate() {
        let op = Opcode::Math(MathFn(at as u16));
        let is_unary = matches!(row.f64, opwright_jit::ir::MathF64::One(_));
        for prim in [Prim::F64, Prim::F32] {
            if is_unary {
                check_unary(op, prim, prim);
            } else {
                // Digits beyond those of a number are not asked for: the text would be long.
                let is_round = row.name == "round_to";
                check_binary(op, prim, prim, |_, b| !is_round || b < (400.0_f64).to_bits());
            }
        }
    }
}

#[test]
fn conversions() {
    for is_signed in [true, false] {
        for bits in [1, 8, 16, 24, 32, 63, 64] {
            check_unary(Opcode::Convert(Convert::Wrap(bits, is_signed)), Prim::Int, Prim::Int);
        }
        check_unary(Opcode::Convert(Convert::ToF64(is_signed)), Prim::Int, Prim::F64);
        check_unary(Opcode::Convert(Convert::ToF32(is_signed)), Prim::Int, Prim::F32);
        check_unary(Opcode::Convert(Convert::ToF64(is_signed)), Prim::Bool, Prim::F64);
        check_unary(Opcode::Convert(Convert::FromF64(is_signed)), Prim::F64, Prim::Int);
        check_unary(Opcode::Convert(Convert::Wrap(8, is_signed)), Prim::Bool, Prim::Int);
    }
    check_unary(Opcode::Convert(Convert::Demote), Prim::F64, Prim::F32);
    check_unary(Opcode::Convert(Convert::Promote), Prim::F32, Prim::F64);
    check_unary(Opcode::Convert(Convert::ToF16), Prim::F32, Prim::F32);
    check_unary(Opcode::Convert(Convert::Bits), Prim::F64, Prim::Int);
    check_unary(Opcode::Convert(Convert::Bits), Prim::Int, Prim::F64);
}

#[test]
fn selections() {
    for prim in [Prim::Int, Prim::F64, Prim::F32, Prim::Bool] {
        let pair = one(Opcode::Select, &[Prim::Bool, prim, prim], prim);
        for a in edges(prim) {
            for truth in [0, 1] {
                pair.check(&[truth, a, edges(prim)[1]]);
            }
        }
    }
}

/// Writes an element and reads it, and its neighbours.
#[test]
fn elements() {
    let elems = [
        (Elem::Bool, Prim::Bool),
        (Elem::I8, Prim::Int),
        (Elem::I16, Prim::Int),
        (Elem::I32, Prim::Int),
        (Elem::I64, Prim::Int),
        (Elem::U8, Prim::Int),
        (Elem::U16, Prim::Int),
        (Elem::U32, Prim::Int),
        (Elem::F16, Prim::F32),
        (Elem::F32, Prim::F32),
        (Elem::F64, Prim::F64),
        (Elem::Ptr, Prim::Int),
    ];
    for (elem, prim) in elems {
        let result = Ty::tuple([type_of(prim), Ty::int64()]);
        let pair = Pair::with_c(|| {
            program(vec![function(
                "f",
                &[Ty::int64(), Ty::int64(), type_of(prim)],
                result,
                |builder, args| {
                    let address = builder.emit(Opcode::Offset, &args[..2], Prim::Ptr);
                    builder.push(Opcode::Store(elem), &[address, args[2]], []);
                    let read = builder.push(Opcode::Load(elem), &[address], [prim])[0];
                    let all: Value =
                        builder.push(Opcode::Load(Elem::I64), &[args[0]], [Prim::Int])[0];
                    vec![read, all]
                },
            )])
        });
        for offset in [0, 1] {
            for word in edges(prim) {
                let mut memory = [0x1122_3344_5566_7788_u64, 0x99aa_bbcc_ddee_ff00];
                pair.check(&[memory.as_mut_ptr().expose_provenance() as u64, offset, word]);
            }
        }
    }
}

/// A byte that is neither 0 nor 1 is true.
#[test]
fn bytes_as_bools() {
    let pair = Pair::with_c(|| {
        program(vec![function("f", &[Ty::int64()], Ty::int64(), |builder, args| {
            let truth = builder.push(Opcode::Load(Elem::Bool), args, [Prim::Bool])[0];
            let (one, two) = (builder.int(1), builder.int(2));
            builder.push(Opcode::Select, &[truth, one, two], [Prim::Int]).to_vec()
        })])
    });
    for byte in [0_u8, 1, 2, 128, 255] {
        pair.check(&[std::ptr::from_ref(&byte).expose_provenance() as u64]);
    }
}
