//! Constant folding: the instructions whose operands are known.

use super::function::Function;
use super::ids::Value;
use super::inst::{Cond, Convert, Opcode};
use crate::types::Prim;

/// What an instruction amounts to.
pub(crate) enum Folded {
    /// These bits.
    Bits(u64),
    /// One of its operands.
    Value(Value),
}

/// What is known of an instruction. Functions of real numbers are left to run time.
pub(crate) fn fold(function: &Function, op: Opcode, args: &[Value], prim: Prim) -> Option<Folded> {
    let known = |at: usize| args.get(at).and_then(|it| function.constant(*it));
    if op == Opcode::Select {
        return match known(0) {
            Some(truth) => Some(Folded::Value(args[if truth == 1 { 1 } else { 2 }])),
            None => (args[1] == args[2]).then_some(Folded::Value(args[1])),
        };
    }
    if op == Opcode::Offset && known(1) == Some(0) {
        return Some(Folded::Value(args[0]));
    }
    let bits = match args {
        [_] => unary(op, known(0)?, prim)?,
        [_, _] => match (known(0), known(1)) {
            (Some(a), Some(b)) => binary(op, a, b, prim, function.prim(args[0]) == Prim::F64)?,
            (a, b) => return neutral(op, args, a, b),
        },
        _ => return None,
    };
    Some(Folded::Bits(bits))
}

fn unary(op: Opcode, a: u64, prim: Prim) -> Option<u64> {
    match op {
        Opcode::Convert(convert) => convert_bits(convert, a),
        Opcode::FNeg if prim == Prim::F64 => Some((-f64::from_bits(a)).to_bits()),
        Opcode::FAbs if prim == Prim::F64 => Some(f64::from_bits(a).abs().to_bits()),
        _ => None,
    }
}

/// Whole numbers beside 0 and 1. Real ones are not touched: -0 and what is no number would change.
fn neutral(op: Opcode, args: &[Value], a: Option<u64>, b: Option<u64>) -> Option<Folded> {
    match (op, a, b) {
        (Opcode::Add | Opcode::Or | Opcode::Xor, Some(0), _) | (Opcode::Mul, Some(1), _) => {
            Some(Folded::Value(args[1]))
        }
        (
            Opcode::Add
            | Opcode::Sub
            | Opcode::Or
            | Opcode::Xor
            | Opcode::Shl
            | Opcode::Sar
            | Opcode::Shr,
            _,
            Some(0),
        )
        | (Opcode::Mul, _, Some(1)) => Some(Folded::Value(args[0])),
        (Opcode::Mul | Opcode::And, Some(0), _) | (Opcode::Mul | Opcode::And, _, Some(0)) => {
            Some(Folded::Bits(0))
        }
        _ => None,
    }
}

fn binary(op: Opcode, a: u64, b: u64, prim: Prim, is_wide: bool) -> Option<u64> {
    let (x, y) = (a.cast_signed(), b.cast_signed());
    let count = u32::try_from(b % 64).unwrap_or(0);
    Some(match op {
        Opcode::Add => a.wrapping_add(b),
        Opcode::Sub => a.wrapping_sub(b),
        Opcode::Mul => a.wrapping_mul(b),
        Opcode::And => a & b,
        Opcode::Or => a | b,
        Opcode::Xor => a ^ b,
        Opcode::Shl => a.wrapping_shl(count),
        Opcode::Sar => x.wrapping_shr(count).cast_unsigned(),
        Opcode::Shr => a.wrapping_shr(count),
        Opcode::FloorDiv if y != 0 => floor_div(x, y).cast_unsigned(),
        Opcode::FloorMod if y != 0 => floor_mod(x, y).cast_unsigned(),
        Opcode::Div(true) if y != 0 => x.wrapping_div(y).cast_unsigned(),
        Opcode::Rem(true) if y != 0 => x.wrapping_rem(y).cast_unsigned(),
        Opcode::Div(false) if b != 0 => a / b,
        Opcode::Rem(false) if b != 0 => a % b,
        Opcode::Cmp(cond, true) => u64::from(cond.holds(&x, &y)),
        Opcode::FCmp(cond) if is_wide => {
            u64::from(cond.holds(&f64::from_bits(a), &f64::from_bits(b)))
        }
        Opcode::Cmp(cond, false) => u64::from(cond.holds(&a, &b)),
        Opcode::FAdd | Opcode::FSub | Opcode::FMul | Opcode::FDiv if prim == Prim::F64 => {
            let (x, y) = (f64::from_bits(a), f64::from_bits(b));
            if x.is_nan() && y.is_nan() {
                // Which of them results is the machine's choice.
                return None;
            }
            let number = match op {
                Opcode::FAdd => x + y,
                Opcode::FSub => x - y,
                Opcode::FMul => x * y,
                _ => x / y,
            };
            number.to_bits()
        }
        _ => return None,
    })
}

fn convert_bits(convert: Convert, a: u64) -> Option<u64> {
    Some(match convert {
        Convert::Wrap(bits, is_signed) => wrap(a, bits, is_signed),
        Convert::ToF64(true) => (a.cast_signed() as f64).to_bits(),
        Convert::ToF64(false) => (a as f64).to_bits(),
        Convert::ToF32(true) => u64::from((a.cast_signed() as f32).to_bits()),
        Convert::ToF32(false) => u64::from((a as f32).to_bits()),
        Convert::FromF64(true) => (f64::from_bits(a) as i64).cast_unsigned(),
        Convert::FromF64(false) => f64::from_bits(a) as u64,
        Convert::Demote => u64::from((f64::from_bits(a) as f32).to_bits()),
        Convert::Promote => f64::from(f32::from_bits(a as u32)).to_bits(),
        Convert::Bits => a,
        Convert::ToF16 => return None,
    })
}

/// The low bits of a word, extended again.
pub(crate) fn wrap(a: u64, bits: u8, is_signed: bool) -> u64 {
    let shift = 64 - u32::from(bits);
    let high = a.wrapping_shl(shift);
    if is_signed { (high.cast_signed() >> shift).cast_unsigned() } else { high >> shift }
}

/// The quotient toward minus infinity; the least by -1 wraps.
pub(crate) fn floor_div(x: i64, y: i64) -> i64 {
    let quotient = x.wrapping_div(y);
    let remainder = x.wrapping_rem(y);
    if remainder != 0 && (remainder < 0) != (y < 0) { quotient - 1 } else { quotient }
}

/// The remainder with the sign of the divisor.
pub(crate) fn floor_mod(x: i64, y: i64) -> i64 {
    let remainder = x.wrapping_rem(y);
    if remainder != 0 && (remainder < 0) != (y < 0) { remainder + y } else { remainder }
}

/// The power of a whole number, which wraps.
pub(crate) fn int_pow(base: u64, exponent: u64) -> u64 {
    let (mut result, mut square, mut left) = (1_u64, base, exponent);
    while left > 0 {
        if left & 1 == 1 {
            result = result.wrapping_mul(square);
        }
        square = square.wrapping_mul(square);
        left >>= 1;
    }
    result
}

/// The greatest common divisor of two signed numbers, without sign.
pub(crate) fn gcd(a: u64, b: u64) -> u64 {
    let (mut a, mut b) = (a.cast_signed().unsigned_abs(), b.cast_signed().unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl Cond {
    /// Whether it holds of two numbers.
    #[inline]
    pub(crate) fn holds<T: PartialOrd>(self, a: &T, b: &T) -> bool {
        match self {
            Cond::Eq => a == b,
            Cond::Ne => a != b,
            Cond::Lt => a < b,
            Cond::Le => a <= b,
            Cond::Gt => a > b,
            Cond::Ge => a >= b,
        }
    }
}
