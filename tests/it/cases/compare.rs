//! Whether a result is the expected one.

use opwright_runtime::op::Value;
use opwright_runtime::{Complex, DType, Device, Result, Scalar, Tensor};

/// Compares results one by one; the error says what differs.
pub(super) fn compare(
    actual: &[Value],
    expected: &[Value],
    tolerance: Option<f64>,
) -> std::result::Result<(), String> {
    let actual: Vec<&Value> = actual.iter().flat_map(flat).collect();
    let expected: Vec<&Value> = expected.iter().flat_map(flat).collect();
    if actual.len() != expected.len() {
        return Err(format!("{} values, not {}", actual.len(), expected.len()));
    }
    actual.iter().zip(expected).try_for_each(|(actual, expected)| one(actual, expected, tolerance))
}

fn flat(value: &Value) -> Vec<&Value> {
    match value {
        Value::List(items) => items.iter().flat_map(flat).collect(),
        one => vec![one],
    }
}

fn one(
    actual: &Value,
    expected: &Value,
    tolerance: Option<f64>,
) -> std::result::Result<(), String> {
    let same = match (actual, expected) {
        (Value::Tensor(actual), Value::Tensor(expected)) => {
            return tensors(actual, expected, tolerance);
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
                (Ok(actual), Ok(expected)) => is_close(actual, expected, tolerance.unwrap_or(1e-6)),
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
    tolerance: Option<f64>,
) -> std::result::Result<(), String> {
    let kind = |it: &Tensor| (it.dtype(), it.shape().to_vec(), it.device());
    if kind(actual) != kind(expected) {
        return Err(format!("{:?}, not {:?}", kind(actual), kind(expected)));
    }
    if actual.device() == Device::Meta {
        return Ok(());
    }
    let tolerance = tolerance.unwrap_or_else(|| rounding(actual.dtype()));
    match elements_differ(actual, expected, tolerance) {
        Ok(None) => Ok(()),
        Ok(Some(difference)) => Err(difference),
        Err(error) => Err(error.to_string()),
    }
}

fn elements_differ(actual: &Tensor, expected: &Tensor, tolerance: f64) -> Result<Option<String>> {
    let is_whole = !actual.dtype().is_floating() && !actual.dtype().is_complex_number();
    if is_whole {
        let (actual, expected) = (actual.to_vec::<i64>()?, expected.to_vec::<i64>()?);
        return Ok((actual != expected).then(|| format!("{actual:?}, not {expected:?}")));
    }
    let (actual, expected) = (actual.to_vec::<Complex<f64>>()?, expected.to_vec::<Complex<f64>>()?);
    let close = actual.iter().zip(&expected).all(|(one, other)| is_close(*one, *other, tolerance));
    Ok((!close).then(|| format!("{actual:?}, not {expected:?}")))
}

fn is_close(actual: Complex<f64>, expected: Complex<f64>, tolerance: f64) -> bool {
    let part = |actual: f64, expected: f64| {
        actual == expected
            || (actual.is_nan() && expected.is_nan())
            || (actual - expected).abs() <= tolerance * (1.0 + expected.abs())
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
