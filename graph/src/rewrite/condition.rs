//! Rule conditions on what a pattern bound.

use opwright_formula::{Condition, Wanted};
use opwright_runtime::types::{Plain, TensorType};
use opwright_runtime::{DType, Scalar};

use super::pattern::{Bindings, number_of};
use crate::model::variable::Variable;

/// Powers of two up to this one, their inverses, and products of two of them are numbers of every
/// floating dtype.
const GREATEST_POWER: f64 = 128.0;

/// Between integers above this one there are others.
const GREATEST_EXACT: f64 = 9_007_199_254_740_992.0;

/// Whether the variable of a condition is what it says.
pub(super) fn holds(condition: &Condition, bound: &Bindings, found: &Variable) -> bool {
    let Some((_, variable)) = bound.iter().find(|(it, _)| *it == condition.name) else {
        return false;
    };
    let is_of = |fits: fn(DType) -> bool| variable.ty().element().is_some_and(fits);
    match condition.wanted {
        Wanted::Constant => variable.as_constant().is_some(),
        Wanted::Number => is_plain(variable) && number_of(variable).is_some(),
        Wanted::Positive => number(variable).is_some_and(|it| it > 0.0),
        Wanted::AtLeastOne => number(variable).is_some_and(|it| it.abs() >= 1.0),
        Wanted::PowerOfTwo => number(variable).is_some_and(is_power),
        Wanted::Integers => is_of(DType::is_integral),
        Wanted::Floats => is_of(DType::is_floating),
        Wanted::Reals => is_of(|it| !it.is_complex_number()),
        Wanted::Known => is_known(variable) && is_known(found),
    }
}

fn is_known(variable: &Variable) -> bool {
    let ty = variable.ty().downcast::<TensorType>();
    ty.is_some_and(|it| it.shape().iter().all(Option::is_some))
}

/// A constant that gives way to the dtypes of tensors: no infinity, and none to which one cannot be
/// added.
fn number(variable: &Variable) -> Option<f64> {
    let number = match number_of(variable).filter(|_| is_plain(variable))? {
        Scalar::Int(it) => it as f64,
        Scalar::Float(it) => it,
        _ => return None,
    };
    let is_whole = number.fract() == 0.0;
    (number.is_finite() && (!is_whole || number.abs() <= GREATEST_EXACT)).then_some(number)
}

fn is_plain(variable: &Variable) -> bool {
    variable.ty().downcast::<Plain>().is_some()
}

/// Whether it is a power of two, or the opposite of one, that is neither large nor small.
fn is_power(number: f64) -> bool {
    let is_between = number.abs() <= GREATEST_POWER && number.abs() >= GREATEST_POWER.recip();
    // No digit behind the first one.
    is_between && number.to_bits() << (u64::BITS - f64::MANTISSA_DIGITS + 1) == 0
}
