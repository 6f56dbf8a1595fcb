//! Equality of tensors, exact or within tolerances.

use crate::dtype::Category;
use crate::op::value::Value;
use crate::types::number;
use crate::{Complex, DType, Device, Element, Result, Scalar, Tensor, iterate};

/// Whether dtypes, shapes and elements are equal; not a number equals itself.
pub(super) fn same(a: &Value, b: &Value) -> bool {
    let (Value::Tensor(a), Value::Tensor(b)) = (a, b) else { return false };
    if !alike(a, b) {
        return false;
    }
    let is_same = match a.dtype().category() {
        Category::Bool | Category::Integral => every(a, b, |a: i64, b: i64| a == b),
        Category::Floating => every(a, b, |a: f64, b: f64| a == b || a.is_nan() && b.is_nan()),
        Category::Complex => every(a, b, |a: Complex<f64>, b: Complex<f64>| {
            number::is_same(Scalar::Complex(a), Scalar::Complex(b))
        }),
    };
    is_same.unwrap_or(false)
}

fn alike(a: &Tensor, b: &Tensor) -> bool {
    a.dtype() == b.dtype() && a.shape() == b.shape()
}

/// Whether each pair of elements is as `is` says.
fn every<T: Element>(a: &Tensor, b: &Tensor, is: impl Fn(T, T) -> bool + Sync) -> Result<bool> {
    let mut each = Tensor::allocate(a.shape(), DType::Bool, Device::Cpu)?;
    iterate::binary(a, b, &mut each, is)?;
    Ok(each.as_mut_slice::<bool>()?.iter().all(|it| *it))
}

/// How far elements may be from each other.
///
/// ```
/// use opwright_runtime::Tensor;
/// use opwright_runtime::op::Value;
/// use opwright_runtime::types::Tolerance;
///
/// let of = |x: f64| Tensor::from_slice(&[1], &[x]).map(Value::Tensor);
/// assert!(Tolerance::default().is_met(&of(1.0)?, &of(1.0 + 1e-9)?));
/// let wide = Tolerance { atol: Some(0.5), ..Tolerance::default() };
/// assert!(wide.is_met(&of(1.0)?, &of(1.25)?));
/// # Ok::<(), opwright_runtime::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Tolerance {
    /// As part of the second element; what the dtype has, if it is not said.
    pub rtol: Option<f64>,
    /// Whatever the second element is.
    pub atol: Option<f64>,
    /// Whether an infinity on the left matches everything.
    pub allow_remove_inf: bool,
    /// Whether what is no number on the left matches everything.
    pub allow_remove_nan: bool,
}

impl Tolerance {
    /// Whether two tensors have one dtype and shape, and elements that are that near; integers and
    /// truth values are to be equal.
    pub fn is_met(&self, a: &Value, b: &Value) -> bool {
        let (Value::Tensor(left), Value::Tensor(right)) = (a, b) else { return false };
        if !alike(left, right) {
            return false;
        }
        let near = self.of(left.dtype());
        let is_near = match left.dtype().category() {
            Category::Bool | Category::Integral => return same(a, b),
            Category::Floating => every(left, right, |a: f64, b: f64| near.reals(a, b)),
            Category::Complex => every(left, right, |a, b| near.complexes(a, b)),
        };
        is_near.unwrap_or(false)
    }

    fn of(&self, dtype: DType) -> Near {
        let (rtol, atol) = match dtype.to_real() {
            DType::Float16 | DType::BFloat16 => (5e-2, 5e-2),
            DType::Float32 => (1e-5, 1e-5),
            _ => (1e-5, 1e-8),
        };
        Near {
            rtol: self.rtol.unwrap_or(rtol),
            atol: self.atol.unwrap_or(atol),
            any_inf: self.allow_remove_inf,
            any_nan: self.allow_remove_nan,
        }
    }
}

struct Near {
    rtol: f64,
    atol: f64,
    any_inf: bool,
    any_nan: bool,
}

impl Near {
    fn reals(&self, a: f64, b: f64) -> bool {
        if a.is_nan() {
            return b.is_nan() || self.any_nan;
        }
        if a.is_infinite() {
            return a == b || self.any_inf;
        }
        b.is_finite() && (a - b).abs() <= self.atol + self.rtol * b.abs()
    }

    fn complexes(&self, a: Complex<f64>, b: Complex<f64>) -> bool {
        if a.is_nan() {
            return b.is_nan() || self.any_nan;
        }
        if a.is_infinite() {
            return a == b || self.any_inf;
        }
        b.is_finite() && (a - b).norm() <= self.atol + self.rtol * b.norm()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of<T: Element>(items: &[T]) -> Value {
        Value::Tensor(Tensor::from_slice(&[items.len() as i64], items).unwrap())
    }

    #[test]
    fn equal_is_equal_in_dtype_shape_and_elements() {
        assert!(same(&of(&[0.0, f64::NAN]), &of(&[-0.0, f64::NAN])));
        assert!(!same(&of(&[f64::INFINITY]), &of(&[f64::NEG_INFINITY])));
        assert!(!same(&of(&[1.0_f64]), &of(&[1.0_f32])));
        assert!(!same(&of(&[1.0, 2.0]), &of(&[1.0])));
        assert!(same(&of(&[i64::MAX]), &of(&[i64::MAX])));
        assert!(!same(&of(&[i64::MAX]), &of(&[i64::MAX - 1])));
        assert!(same(&of::<u8>(&[]), &of::<u8>(&[])));
        let nan = Complex::new(1.0, f64::NAN);
        assert!(same(&of(&[nan]), &of(&[nan])));
        assert!(!same(&Value::Int(1), &Value::Int(1)));
    }

    #[test]
    fn nearly_equal_hangs_on_the_dtype() {
        let near = |a: &Value, b: &Value| Tolerance::default().is_met(a, b);
        assert!(near(&of(&[1e10]), &of(&[1e10 + 1.0])));
        assert!(!near(&of(&[1.0]), &of(&[1.0001])));
        assert!(near(&of(&[3.0_f32]), &of(&[3.00002_f32])));
        assert!(near(&of(&[half::f16::ONE]), &of(&[half::f16::from_f32(1.09)])));
        assert!(!near(&of(&[100_i32]), &of(&[101_i32])));
        let (inf, nan) = (of(&[f64::INFINITY]), of(&[f64::NAN]));
        assert!(near(&inf, &inf) && near(&nan, &nan));
        assert!(!near(&of(&[1.0]), &nan) && !near(&nan, &of(&[1.0])) && !near(&of(&[1.0]), &inf));
        let any =
            Tolerance { allow_remove_inf: true, allow_remove_nan: true, ..Default::default() };
        assert!(any.is_met(&inf, &of(&[1.0])) && any.is_met(&nan, &inf));
        assert!(!any.is_met(&of(&[1.0]), &inf));
        let exact = Tolerance { rtol: Some(0.0), atol: Some(0.0), ..Default::default() };
        assert!(!exact.is_met(&of(&[1.0]), &of(&[1.0 + 1e-15])));
    }
}
