//! The range of the result of an instruction, by the ranges of its operands (interval arithmetic).

use super::ranges::Ranges;
use crate::ir::{Convert, Elem, Function, Inst, Opcode};

/// Nothing is known.
const ANY: (i64, i64) = (i64::MIN, i64::MAX);

/// The least and the greatest that an instruction gives.
pub(super) fn range_of(function: &Function, ranges: &Ranges, inst: &Inst) -> (i64, i64) {
    let of = |at: usize| ranges.range(function, inst.args[at]);
    match inst.op {
        Opcode::Load(elem) => of_elem(elem),
        Opcode::Convert(Convert::Wrap(bits, is_signed)) => of_wrap(of(0), bits, is_signed),
        Opcode::Select => (of(1).0.min(of(2).0), of(1).1.max(of(2).1)),
        Opcode::CheckIndex(_) => (0, of(1).1.saturating_sub(1)),
        _ if inst.args.len() != 2 => ANY,
        _ => of_two(inst.op, of(0), of(1)),
    }
}

fn of_two(op: Opcode, a: (i64, i64), b: (i64, i64)) -> (i64, i64) {
    let both = |low: Option<i64>, high: Option<i64>| low.zip(high).unwrap_or(ANY);
    if a.0 > a.1 || b.0 > b.1 {
        // The facts contradict one another: this is never reached.
        return ANY;
    }
    match op {
        Opcode::Add => both(a.0.checked_add(b.0), a.1.checked_add(b.1)),
        Opcode::Sub => both(a.0.checked_sub(b.1), a.1.checked_sub(b.0)),
        Opcode::Mul => of_product(a, b),
        // A factor without sign bounds the result; with two of them the smaller one.
        Opcode::And => match (a.0 >= 0, b.0 >= 0) {
            (true, true) => (0, a.1.min(b.1)),
            (true, false) => (0, a.1),
            (false, true) => (0, b.1),
            (false, false) => ANY,
        },
        Opcode::FloorMod if b.0 > 0 => (0, b.1 - 1),
        Opcode::Rem(false) if b.0 > 0 => (0, b.1 - 1),
        Opcode::Rem(true) if a.0 >= 0 && b.0 > 0 => (0, a.1.min(b.1 - 1)),
        Opcode::Div(_) if a.0 >= 0 && b.0 > 0 => (a.0 / b.1.max(1), a.1 / b.0),
        Opcode::FloorDiv if b.0 > 0 && b.0 == b.1 => (a.0.div_euclid(b.0), a.1.div_euclid(b.0)),
        Opcode::Sar if b.0 == b.1 && (0..64).contains(&b.0) => (a.0 >> b.0, a.1 >> b.0),
        Opcode::Shr if b.0 == b.1 && (1..64).contains(&b.0) => (0, i64::MAX >> (b.0 - 1)),
        _ => ANY,
    }
}

fn of_product(a: (i64, i64), b: (i64, i64)) -> (i64, i64) {
    let wide = |x: i64, y: i64| i128::from(x) * i128::from(y);
    let all = [wide(a.0, b.0), wide(a.0, b.1), wide(a.1, b.0), wide(a.1, b.1)];
    let (low, high) =
        all.iter().fold((all[0], all[0]), |(low, high), it| (low.min(*it), high.max(*it)));
    i64::try_from(low).ok().zip(i64::try_from(high).ok()).unwrap_or(ANY)
}

fn of_wrap(of: (i64, i64), bits: u8, is_signed: bool) -> (i64, i64) {
    if bits >= 64 {
        return of;
    }
    let (low, high) = match is_signed {
        true => (-1_i64 << (bits - 1), (1_i64 << (bits - 1)) - 1),
        false => (0, (1_i64 << bits) - 1),
    };
    if low <= of.0 && of.1 <= high { of } else { (low, high) }
}

fn of_elem(elem: Elem) -> (i64, i64) {
    match elem {
        Elem::Bool => (0, 1),
        Elem::I8 => (i64::from(i8::MIN), i64::from(i8::MAX)),
        Elem::I16 => (i64::from(i16::MIN), i64::from(i16::MAX)),
        Elem::I32 => (i64::from(i32::MIN), i64::from(i32::MAX)),
        Elem::U8 => (0, i64::from(u8::MAX)),
        Elem::U16 => (0, i64::from(u16::MAX)),
        Elem::U32 => (0, i64::from(u32::MAX)),
        Elem::I64 | Elem::F16 | Elem::F32 | Elem::F64 | Elem::Ptr => ANY,
    }
}

#[cfg(test)]
mod tests {
    use super::{ANY, of_two};
    use crate::ir::Opcode;

    #[test]
    fn contradictions_and_limits() {
        let never = (5, i64::MIN);
        for op in [
            Opcode::Add,
            Opcode::Sub,
            Opcode::Mul,
            Opcode::And,
            Opcode::FloorMod,
            Opcode::FloorDiv,
            Opcode::Rem(true),
        ] {
            assert_eq!(of_two(op, (0, 9), never), ANY);
            assert_eq!(of_two(op, never, (1, 1)), ANY);
        }
        assert_eq!(of_two(Opcode::Add, (1, i64::MAX), (1, 1)), ANY);
        assert_eq!(of_two(Opcode::FloorMod, ANY, (1, i64::MAX)), (0, i64::MAX - 1));
        assert_eq!(of_two(Opcode::Div(true), (7, 20), (2, 3)), (2, 10));
        assert_eq!(of_two(Opcode::FloorDiv, (-7, 7), (2, 2)), (-4, 3));
        assert_eq!(of_two(Opcode::Mul, (-3, 2), (-5, 4)), (-12, 15));
    }
}
