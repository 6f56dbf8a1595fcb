//! Conversion of numbers of the host's language to a dtype.

use super::coerce::Coerce;
use crate::dtype::default_dtype;
use crate::{DType, Element, Scalar};

/// The number as an element, if `how` allows what is lost.
///
/// Real numbers of the host's language may be rounded to the default dtype, which is the one that
/// operators give them; any other number has to stay what it is.
pub(super) fn cast<T: Element>(number: Scalar, how: Coerce) -> Option<T> {
    let element: T = number.wrap();
    let allowed = match how {
        Coerce::Strict => false,
        Coerce::Any => true,
        Coerce::Natural if number.is_floating() && T::DTYPE == default_dtype() => true,
        Coerce::Natural | Coerce::Lossless => is_same(number, element.into_scalar()),
    };
    allowed.then_some(element)
}

/// The same for an element of a list, which is never rounded.
pub(super) fn cast_listed<T: Element>(number: Scalar, how: Coerce) -> Option<T> {
    cast(number, if how == Coerce::Natural { Coerce::Lossless } else { how })
}

/// Whether both are the same number to the last digit, as the host's language compares them.
pub(super) fn is_exact(a: Scalar, b: Scalar) -> bool {
    is_same(a, b) && is_same(b, a)
}

/// Whether both are the same number; not a number is the same as itself.
pub(super) fn is_same(a: Scalar, b: Scalar) -> bool {
    match (a, b) {
        (Scalar::Bool(a), b) => is_same(Scalar::Int(a.into()), b),
        (a, Scalar::Bool(b)) => is_same(a, Scalar::Int(b.into())),
        (Scalar::Int(a), Scalar::Int(b)) => a == b,
        (Scalar::Float(a), Scalar::Float(b)) => a == b || a.is_nan() && b.is_nan(),
        // As numpy compares them: next to a float, an integer is one.
        (Scalar::Int(a), Scalar::Float(b)) => a as f64 == b,
        (Scalar::Float(a), Scalar::Int(b)) => to_integer(a) == Some(b),
        (Scalar::Complex(a), Scalar::Complex(b)) => {
            is_same(Scalar::Float(a.re), Scalar::Float(b.re))
                && is_same(Scalar::Float(a.im), Scalar::Float(b.im))
        }
        (Scalar::Complex(a), b) => a.im == 0.0 && is_same(Scalar::Float(a.re), b),
        (a, Scalar::Complex(b)) => b.im == 0.0 && is_same(a, Scalar::Float(b.re)),
    }
}

/// The integer that a float is, if it is one.
fn to_integer(number: f64) -> Option<i64> {
    (number.fract() == 0.0 && Scalar::Float(number).fits(DType::Int64)).then_some(number as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_next_to_floats() {
        let (odd, even) = (Scalar::Int((1 << 53) + 1), Scalar::Float((1_u64 << 53) as f64));
        assert!(is_same(odd, even) && !is_exact(odd, even));
        assert!(is_exact(Scalar::Bool(true), Scalar::Complex(1.0.into())));
    }

    #[test]
    fn a_number_stays_what_it_is_or_is_rounded_on_demand() {
        assert_eq!(cast::<i8>(Scalar::Int(300), Coerce::Natural), None);
        assert_eq!(cast::<i8>(Scalar::Int(300), Coerce::Any), Some(44));
        assert_eq!(cast::<u8>(Scalar::Int(-1), Coerce::Lossless), None);
        assert_eq!(cast::<i64>(Scalar::Float(2.0), Coerce::Natural), Some(2));
        assert_eq!(cast::<i64>(Scalar::Float(1.5), Coerce::Natural), None);
        assert_eq!(cast::<i64>(Scalar::Float(9.3e18), Coerce::Natural), None);
        assert_eq!(cast::<f32>(Scalar::Float(0.1), Coerce::Natural), Some(0.1));
        assert_eq!(cast::<f32>(Scalar::Float(0.1), Coerce::Lossless), None);
        assert_eq!(cast_listed::<f32>(Scalar::Float(0.1), Coerce::Natural), None);
        assert_eq!(cast::<f32>(Scalar::Int((1 << 24) + 1), Coerce::Natural), None);
        assert_eq!(cast::<f64>(Scalar::Float(0.1), Coerce::Strict), None);
        assert!(cast::<f32>(Scalar::Float(f64::NAN), Coerce::Lossless).unwrap().is_nan());
        assert_eq!(cast::<i32>(Scalar::Float(f64::NAN), Coerce::Lossless), None);
    }
}
