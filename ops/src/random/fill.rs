//! Random numbers in place.

use opwright_macros::native_op;
use opwright_runtime::{DType, Generator, Result, Scalar, Tensor, ensure};

use super::distributions;

#[native_op(uniform_)]
fn uniform_(self_: &mut Tensor, from: f64, to: f64, generator: Option<&Generator>) -> Result<()> {
    ensure!(
        from <= to,
        Runtime,
        "uniform_ expects to return a [from, to) range, but found from={from} and to={to}"
    );
    distributions::uniform(self_, from, to, generator)
}

#[native_op(random_.from)]
pub(crate) fn random_inplace_from(
    self_: &mut Tensor,
    from: i64,
    to: Option<i64>,
    generator: Option<&Generator>,
) -> Result<()> {
    let (least, greatest) = exact_integers(self_.dtype());
    let last = match to {
        None => greatest,
        Some(to) => {
            ensure!(
                from < to,
                Runtime,
                "random_ expects 'from' to be less than 'to', but got from={from} >= to={to}"
            );
            to - 1
        }
    };
    for (name, value) in [("from", from), ("to - 1", last)] {
        // Floating dtypes hold larger integers, too, if not all of them.
        let is_held = match self_.dtype().is_floating() {
            true => Scalar::Int(value).fits(self_.dtype()),
            false => (least..=greatest).contains(&value),
        };
        ensure!(is_held, Runtime, "{name} is out of bounds for {}", self_.dtype().name());
    }
    ensure!(from <= last, Runtime, "from={from} is greater than all integers of the dtype");
    // All 2^64 integers make 0, which says so.
    let count = match to {
        None if self_.dtype() == DType::UInt64 => (from as u64).wrapping_neg(),
        _ => last.wrapping_sub(from).wrapping_add(1) as u64,
    };
    distributions::integers(self_, from, count, generator)
}

/// The range of `i64` in which a dtype holds every integer.
pub(crate) fn exact_integers(dtype: DType) -> (i64, i64) {
    let symmetric = |digits: u32| (-(1_i64 << digits), 1_i64 << digits);
    if let Some((least, greatest)) = dtype.integer_range() {
        return (least, greatest.min(i64::MAX as u64) as i64);
    }
    match dtype {
        DType::Bool => (0, 1),
        DType::BFloat16 => symmetric(8),
        DType::Float16 => symmetric(11),
        DType::Float32 | DType::Complex64 => symmetric(24),
        _ => symmetric(53),
    }
}
