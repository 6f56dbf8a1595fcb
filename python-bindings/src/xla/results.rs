//! Results, written to the memory of a program.

use opwright_runtime::op::Value;
use opwright_runtime::{DType, Result, Tensor};

/// Writes a result to where it is wanted; whether it can be.
///
/// As in JAX, a real number that is too large for fewer bits is infinite, and an integer does not fit.
///
/// # Errors
///
/// `Memory` if there is not enough.
pub(super) fn write(result: &Value, output: &mut Tensor) -> Result<bool> {
    let Value::Tensor(result) = result else { return Ok(false) };
    let fits = result.shape() == output.shape()
        && match (result.dtype(), output.dtype()) {
            (from, to) if from == to => true,
            (DType::Float64, DType::Float32) | (DType::Complex128, DType::Complex64) => true,
            (DType::Int64, DType::Int32) => {
                result.to_vec::<i64>()?.into_iter().all(|it| i32::try_from(it).is_ok())
            }
            _ => false,
        };
    if fits {
        output.copy_from(result)?;
    }
    Ok(fits)
}
