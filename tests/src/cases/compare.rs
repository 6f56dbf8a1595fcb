//! Comparison of results with the expected ones.

use opwright_runtime::op::Value;
use opwright_runtime::{Complex, DType, Device, Result, Scalar, Tensor};

/// How close numbers must be.
#[derive(Clone, Copy)]
pub struct Closeness {
    /// Relative errors that are allowed, if not those that rounding explains.
    pub relative: Option<f64>,
    /// Errors that are allowed beside those, if not as much.
    pub absolute: Option<f64>,
    /// Whether signs of zeros count.
    pub signs: bool,
}

/// Compares results one by one.
///
/// # Errors
///
/// What differs.
pub fn compare(
    actual: &[Value],
    expected: &[Value],
    closeness: Closeness,
) -> std::result::Result<(), String> {
    let actual: Vec<&Value> = actual.iter().flat_map(flat).collect();
    let expected: Vec<&Value> = expected.iter().flat_map(flat).collect();
    if actual.len() != expected.len() {
        return Err(format!("{} values, not {}", actual.len(), expected.len()));
    }
    actual.iter().zip(expected).try_for_each(|(actual, expected)| one(actual, expected, closeness))
}

fn flat(value: &Value) -> Vec<&Value> {
    match value {
        Value::List(items) => items.iter().flat_map(flat).collect(),
        one => vec![one],
    }
}

fn one(actual: &Value, expected: &Value, closeness: Closeness) -> std::result::Result<(), String> {
    let same = match (actual, expected) {
        (Value::Tensor(actual), Value::Tensor(expected)) => {
            return tensors(actual, expected, closeness);
        }
        (Value::None, Value::None) => true,
        (Value::Bool(actual), Value::Bool(expected)) => actual == expected,
        (Value::Str(actual), Value::Str(expected)) => actual == expected,
        (Value::DType(actual), Value::DType(expected)) => actual == expected,
        (
            Value::Int(_) | Value::Float(_) | Value::Complex(_),
            Value::Int(_) | Value::Float(_) | Value::Complex(_),
        ) => {
            let complex = |it: &Value| it.scalar().map(Scalar::to_complex);
            match (complex(actual), complex(expected)) {
                (Ok(actual), Ok(expected)) => is_close(actual, expected, closeness, 1e-6),
                _ => false,
            }
        }
        _ => false,
    };
    if same { Ok(()) } else { Err(format!("{actual:?}, not {expected:?}")) }
}

/// Dtype, shape and device exactly; elements as closely as the dtype allows.
fn tensors(
    actual: &Tensor,
    expected: &Tensor,
    closeness: Closeness,
) -> std::result::Result<(), String> {
    let kind = |it: &Tensor| (it.dtype(), it.shape().to_vec(), it.device());
    if kind(actual) != kind(expected) {
        return Err(format!("{:?}, not {:?}", kind(actual), kind(expected)));
    }
    if actual.device() == Device::Meta {
        return Ok(());
    }
    match elements_differ(actual, expected, closeness) {
        Ok(None) => Ok(()),
        Ok(Some(difference)) => Err(difference),
        Err(error) => Err(error.to_string()),
    }
}

fn elements_differ(
    actual: &Tensor,
    expected: &Tensor,
    closeness: Closeness,
) -> Result<Option<String>> {
    let usual = rounding(actual.dtype());
    let is_whole = !actual.dtype().is_floating() && !actual.dtype().is_complex_number();
    if is_whole {
        let (actual, expected) = (actual.to_vec::<i64>()?, expected.to_vec::<i64>()?);
        return Ok((actual != expected).then(|| format!("{actual:?}, not {expected:?}")));
    }
    let (actual, expected) = (actual.to_vec::<Complex<f64>>()?, expected.to_vec::<Complex<f64>>()?);
    let mut pairs = actual.iter().zip(&expected);
    let close = pairs.all(|(one, other)| is_close(*one, *other, closeness, usual));
    Ok((!close).then(|| format!("{actual:?}, not {expected:?}")))
}

fn is_close(
    actual: Complex<f64>,
    expected: Complex<f64>,
    closeness: Closeness,
    usual: f64,
) -> bool {
    let relative = closeness.relative.unwrap_or(usual);
    let absolute = closeness.absolute.unwrap_or(relative);
    let part = |actual: f64, expected: f64| {
        let has_sign = actual.is_nan() || actual.is_sign_negative() == expected.is_sign_negative();
        let is_near = actual == expected
            || (actual.is_nan() && expected.is_nan())
            || (actual - expected).abs() <= absolute + relative * expected.abs();
        is_near && (has_sign || !closeness.signs)
    };
    part(actual.re, expected.re) && part(actual.im, expected.im)
}

/// Relative errors that rounding explains.
fn rounding(dtype: DType) -> f64 {
    match dtype {
        DType::BFloat16 => 1e-2,
        DType::Float16 => 1e-3,
        DType::Float32 | DType::Complex64 => 1e-6,
        DType::Float64 | DType::Complex128 => 1e-14,
        // Whole numbers are not rounded.
        _ => 0.0,
    }
}
