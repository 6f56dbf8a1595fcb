//! Constant arithmetic in gradient formulas.

use opwright_runtime::Scalar;
use opwright_runtime::op::Sign;

/// What comes out of numbers; none if that is known only when they are tensors, or cannot be.
pub(super) fn calculated(sign: Sign, parts: &[Scalar]) -> Option<Scalar> {
    let float = |at: usize| match parts.get(at)? {
        Scalar::Complex(_) => None,
        it => it.to_f64().ok(),
    };
    let truth = |at: usize| match parts.get(at)? {
        Scalar::Bool(it) => Some(*it),
        _ => None,
    };
    let both = || Some((float(0)?, float(1)?));
    let of_floats = |calculate: fn(f64, f64) -> f64| {
        let (a, b) = both()?;
        Some(Scalar::Float(calculate(a, b)))
    };
    let of_ints = |whole: fn(i64, i64) -> Option<i64>, calculate: fn(f64, f64) -> f64| match (
        parts.first()?,
        parts.get(1)?,
    ) {
        (Scalar::Int(a), Scalar::Int(b)) => whole(*a, *b).map(Scalar::Int),
        _ => of_floats(calculate),
    };
    let asks = |question: fn(f64, f64) -> bool| {
        let (a, b) = both()?;
        Some(Scalar::Bool(question(a, b)))
    };
    let of_one = |calculate: fn(f64) -> f64| Some(Scalar::Float(calculate(float(0)?)));
    match sign {
        Sign::Add => of_ints(i64::checked_add, |a, b| a + b),
        Sign::Sub => of_ints(i64::checked_sub, |a, b| a - b),
        Sign::Mul => of_ints(i64::checked_mul, |a, b| a * b),
        Sign::Div => of_ints(i64::checked_div, |a, b| a / b),
        Sign::Eq => asks(|a, b| a == b),
        Sign::Ne => asks(|a, b| a != b),
        Sign::Lt => asks(|a, b| a < b),
        Sign::Gt => asks(|a, b| a > b),
        Sign::Le => asks(|a, b| a <= b),
        Sign::Ge => asks(|a, b| a >= b),
        Sign::And => Some(Scalar::Bool(truth(0)? && truth(1)?)),
        Sign::Or => Some(Scalar::Bool(truth(0)? || truth(1)?)),
        Sign::Not => Some(Scalar::Bool(!truth(0)?)),
        Sign::Conj => Some(parts.first()?.conj()),
        Sign::IsComplex => Some(Scalar::Bool(matches!(parts.first()?, Scalar::Complex(_)))),
        Sign::Sqrt => of_one(f64::sqrt),
        Sign::Log => of_one(f64::ln),
        Sign::Exp => of_one(f64::exp),
    }
}
