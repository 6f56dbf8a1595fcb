//! Algebraic identities of single instructions, and strength reduction.
//!
//! All are exact: whole numbers wrap, and real ones are touched only where the same bits result
//! whatever they are, `-0.0` and `nan` included.

use crate::ir::{Cond, Convert, Function, Inst, Opcode, Value, ValueList};
use crate::types::Prim;

/// What an instruction becomes.
pub(super) enum Peephole {
    /// These bits.
    Bits(u64),
    /// A value that is there.
    Value(Value),
    /// Another instruction in its place.
    Rewrite(Opcode, ValueList),
    /// Another instruction in its place, whose second operand is a constant.
    WithConstant(Opcode, Value, u64, Prim),
}

/// A step toward a simpler instruction, if there is one. Constants come second afterwards.
pub(super) fn simplify(function: &Function, inst: &Inst, prim: Prim) -> Option<Peephole> {
    match inst.args[..] {
        [of] => unary(function, inst.op, of, prim),
        [a, b] => match (function.constant(a), function.constant(b)) {
            (Some(_), None) => swapped(inst.op, a, b),
            (None, Some(bits)) => with_constant(function, inst.op, a, bits, prim),
            _ if a == b => of_same(inst.op, a),
            _ => None,
        },
        [test, yes, no] if inst.op == Opcode::Select && prim == Prim::Bool => {
            match (function.constant(yes), function.constant(no)) {
                (Some(1), Some(0)) => Some(Peephole::Value(test)),
                (Some(0), Some(1)) => {
                    Some(Peephole::WithConstant(Opcode::Xor, test, 1, Prim::Bool))
                }
                _ => None,
            }
        }
        _ => None,
    }
}

fn swapped(op: Opcode, a: Value, b: Value) -> Option<Peephole> {
    let op = match op {
        Opcode::Cmp(cond, is_signed) => Opcode::Cmp(cond.swapped(), is_signed),
        Opcode::FCmp(cond) => Opcode::FCmp(cond.swapped()),
        _ if op.is_commutative() => op,
        _ => return None,
    };
    Some(Peephole::Rewrite(op, ValueList::from_slice(&[b, a])))
}

fn of_same(op: Opcode, of: Value) -> Option<Peephole> {
    match op {
        Opcode::Sub | Opcode::Xor => Some(Peephole::Bits(0)),
        Opcode::And | Opcode::Or => Some(Peephole::Value(of)),
        Opcode::Cmp(cond, _) => {
            Some(Peephole::Bits(u64::from(matches!(cond, Cond::Eq | Cond::Le | Cond::Ge))))
        }
        _ => None,
    }
}

fn unary(function: &Function, op: Opcode, of: Value, prim: Prim) -> Option<Peephole> {
    let inner = function.def(of).map(|it| (it.op, it.args[..].first().copied()));
    match (op, inner) {
        (Opcode::FNeg, Some((Opcode::FNeg, Some(first)))) => Some(Peephole::Value(first)),
        (Opcode::Convert(Convert::Wrap(64, _)), _) if function.prim(of) == prim => {
            Some(Peephole::Value(of))
        }
        (Opcode::Convert(Convert::Wrap(..)), Some((before, _))) if op == before => {
            Some(Peephole::Value(of))
        }
        _ => None,
    }
}

fn with_constant(
    function: &Function,
    op: Opcode,
    a: Value,
    bits: u64,
    prim: Prim,
) -> Option<Peephole> {
    let power = bits.is_power_of_two().then(|| u64::from(bits.trailing_zeros()));
    let less_one = bits.wrapping_sub(1);
    let int = |op, bits| Some(Peephole::WithConstant(op, a, bits, Prim::Int));
    match op {
        // One form of differences, so that equal ones are found.
        Opcode::Sub => int(Opcode::Add, bits.wrapping_neg()),
        Opcode::Add | Opcode::Offset => {
            let (first, inner) = inner_constant(function, op, a)?;
            Some(Peephole::WithConstant(op, first, inner.wrapping_add(bits), Prim::Int))
        }
        Opcode::Xor => inverse(function, a, bits),
        Opcode::And if bits == all_ones(prim) => Some(Peephole::Value(a)),
        Opcode::Or if bits == all_ones(prim) => Some(Peephole::Bits(bits)),
        // The greatest power is negative where the sign counts.
        Opcode::FloorDiv if power.is_some_and(|it| it < 63) => int(Opcode::Sar, power?),
        Opcode::FloorMod if power.is_some_and(|it| it < 63) => int(Opcode::And, less_one),
        Opcode::Div(false) => int(Opcode::Shr, power?),
        Opcode::Rem(false) if power.is_some() => int(Opcode::And, less_one),
        Opcode::Div(true) if bits == 1 => Some(Peephole::Value(a)),
        Opcode::Rem(true) if bits == 1 => Some(Peephole::Bits(0)),
        Opcode::FDiv => {
            Some(Peephole::WithConstant(Opcode::FMul, a, reciprocal(bits, prim)?, prim))
        }
        _ => None,
    }
}

fn all_ones(prim: Prim) -> u64 {
    if prim == Prim::Bool { 1 } else { u64::MAX }
}

/// The operands of an instruction whose second one is a constant.
fn inner_constant(function: &Function, op: Opcode, value: Value) -> Option<(Value, u64)> {
    let inst = function.def(value).filter(|it| it.op == op)?;
    Some((inst.args[0], function.constant(inst.args[1])?))
}

/// What `Xor` with a constant undoes: another one, or a comparison, which becomes its inverse.
fn inverse(function: &Function, of: Value, bits: u64) -> Option<Peephole> {
    let inst = function.def(of)?;
    match inst.op {
        Opcode::Xor => {
            let (first, inner) = inner_constant(function, Opcode::Xor, of)?;
            Some(Peephole::WithConstant(Opcode::Xor, first, inner ^ bits, function.prim(of)))
        }
        Opcode::Cmp(cond, is_signed) if bits == 1 => {
            Some(Peephole::Rewrite(Opcode::Cmp(cond.inverse(), is_signed), inst.args.clone()))
        }
        // Of what is no number neither a comparison nor its inverse holds, but for these.
        Opcode::FCmp(cond @ (Cond::Eq | Cond::Ne)) if bits == 1 => {
            Some(Peephole::Rewrite(Opcode::FCmp(cond.inverse()), inst.args.clone()))
        }
        _ => None,
    }
}

/// One by a power of two, whose product is the quotient to the bit.
fn reciprocal(bits: u64, prim: Prim) -> Option<u64> {
    if prim == Prim::F32 {
        let number = f32::from_bits(bits as u32);
        let is_exact = bits & 0x007f_ffff == 0 && number.is_normal() && number.recip().is_normal();
        return is_exact.then(|| u64::from(number.recip().to_bits()));
    }
    let number = f64::from_bits(bits);
    let is_exact = bits << 12 == 0 && number.is_normal() && number.recip().is_normal();
    is_exact.then(|| number.recip().to_bits())
}

#[cfg(test)]
mod tests {
    use super::reciprocal;
    use crate::types::Prim;

    #[test]
    fn reciprocals_of_powers_of_two_only() {
        let of = |number: f64| reciprocal(number.to_bits(), Prim::F64).map(f64::from_bits);
        assert_eq!(of(2.0), Some(0.5));
        assert_eq!(of(-0.25), Some(-4.0));
        for number in [3.0, 0.1, 0.0, -0.0, f64::NAN, f64::INFINITY, f64::MIN_POSITIVE / 4.0] {
            assert_eq!(of(number), None, "{number}");
        }
        let of = |number: f32| reciprocal(u64::from(number.to_bits()), Prim::F32);
        assert_eq!(of(8.0), Some(u64::from(0.125_f32.to_bits())));
        assert_eq!(of(2.0_f32.powi(127)), None);
        assert_eq!(of(3.0), None);
    }
}
