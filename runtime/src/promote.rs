//! Type promotion: the dtype that several operands are calculated in.
//!
//! Operands come in three classes, which yield to each other: tensors with
//! dimensions, tensors without, and numbers from Python. Within a class the
//! dtypes are promoted; a class that yields decides only if it is of a higher
//! [`Category`], so that `float32` stays `float32` next to a `float64` number.

use crate::dtype::Category;
use crate::{DType, Result, Scalar, Tensor, ensure};

/// The least dtype that holds the values of both, as upstream sees it.
///
/// Integers of any width next to a floating dtype become that dtype.
#[inline]
pub fn promote_types(a: DType, b: DType) -> DType {
    // Nearly always they are the same.
    if a == b { a } else { promote_different(a, b) }
}

fn promote_different(a: DType, b: DType) -> DType {
    PROMOTED[a as usize][b as usize]
}

const COUNT: usize = DType::COUNT;

/// For each two dtypes, the lowest of those that hold the values of both. There is exactly one, or
/// the table of dtypes does not compile.
static PROMOTED: [[DType; COUNT]; COUNT] = {
    let above = above();
    let mut promoted = [[DType::Bool; COUNT]; COUNT];
    let mut pair = 0;
    while pair < COUNT * COUNT {
        let (a, b) = (pair / COUNT, pair % COUNT);
        let both = above[a] & above[b];
        let mut lowest = 0;
        while above[lowest] != both {
            lowest += 1;
        }
        promoted[a][b] = DType::ALL[lowest];
        pair += 1;
    }
    promoted
};

/// For each dtype, a bit for itself and for each that holds its values.
const fn above() -> [u32; COUNT] {
    let mut above = [0; COUNT];
    let mut dtype = 0;
    while dtype < COUNT {
        above[dtype] = 1 << dtype;
        dtype += 1;
    }
    // One more step up in each round; no way is longer than there are dtypes.
    let mut step = 0;
    while step < COUNT * COUNT {
        let dtype = step % COUNT;
        let mut next = DType::ALL[dtype].widens_to();
        while let [first, rest @ ..] = next {
            above[dtype] |= above[*first as usize];
            next = rest;
        }
        step += 1;
    }
    above
}

/// The dtype of a result, from operands one after the other.
#[derive(Clone, Copy, Debug, Default)]
pub struct ResultType {
    dimensioned: Option<DType>,
    zero_dim: Option<DType>,
    wrapped: Option<DType>,
}

impl ResultType {
    /// Nothing yet.
    pub const EMPTY: ResultType = ResultType { dimensioned: None, zero_dim: None, wrapped: None };

    /// With a tensor.
    #[inline]
    #[must_use]
    pub fn with_tensor(mut self, tensor: &Tensor) -> ResultType {
        if tensor.is_wrapped_number() {
            return self.with_wrapped(wrapped_dtype(tensor.dtype()));
        }
        let slot = if tensor.ndim() > 0 { &mut self.dimensioned } else { &mut self.zero_dim };
        *slot = Some(slot.map_or(tensor.dtype(), |it| promote_types(it, tensor.dtype())));
        self
    }

    /// With a number from Python.
    #[inline]
    #[must_use]
    pub fn with_scalar(self, scalar: Scalar) -> ResultType {
        self.with_wrapped(scalar.dtype())
    }

    fn with_wrapped(mut self, dtype: DType) -> ResultType {
        self.wrapped = Some(self.wrapped.map_or(dtype, |it| promote_types(it, dtype)));
        self
    }

    /// The dtype, if there was an operand.
    #[inline]
    pub fn dtype(self) -> Option<DType> {
        if self.zero_dim.is_none() && self.wrapped.is_none() {
            return self.dimensioned;
        }
        combine(self.dimensioned, combine(self.zero_dim, self.wrapped))
    }
}

/// A number's storage dtype is the widest; its category is what counts.
fn wrapped_dtype(dtype: DType) -> DType {
    match dtype.category() {
        Category::Bool => DType::Bool,
        Category::Integral => DType::Int64,
        Category::Floating => crate::dtype::default_dtype(),
        Category::Complex => crate::dtype::default_dtype().to_complex(),
    }
}

/// Lets the yielding class decide only by its category.
fn combine(leading: Option<DType>, yielding: Option<DType>) -> Option<DType> {
    let (Some(leading), Some(yielding)) = (leading, yielding) else {
        return leading.or(yielding);
    };
    Some(match (leading.category(), yielding.category()) {
        (Category::Complex, _) => leading,
        (Category::Floating, Category::Complex) => leading.to_complex(),
        (Category::Floating, _) => leading,
        (Category::Bool, _) | (_, Category::Floating | Category::Complex) => {
            promote_types(leading, yielding)
        }
        (Category::Integral, Category::Bool | Category::Integral) => leading,
    })
}

/// The dtype in which these operands are calculated.
///
/// # Errors
///
/// `Value` if there is no operand.
#[inline]
pub fn result_type(tensors: &[&Tensor]) -> Result<DType> {
    // Those that agree need no rule.
    if let [first, ..] = tensors
        && tensors.iter().all(|it| it.dtype() == first.dtype() && !it.is_wrapped_number())
    {
        return Ok(first.dtype());
    }
    let result = tensors.iter().fold(ResultType::EMPTY, |all, it| all.with_tensor(it)).dtype();
    ensure!(result.is_some(), Value, "expected at least one operand");
    let result = result.unwrap_or(DType::Float32);
    if result.is_floating() {
        check_signs(tensors)?;
    }
    Ok(result)
}

/// Fails if there are `uint64` and signed integers among the operands.
fn check_signs(tensors: &[&Tensor]) -> Result<()> {
    let dtypes = || tensors.iter().filter(|it| !it.is_wrapped_number()).map(|it| it.dtype());
    let signed = dtypes().find(|it| it.is_integral() && it.is_signed_number());
    match (dtypes().find(|it| *it == DType::UInt64), signed) {
        (Some(unsigned), Some(signed)) => promoted(unsigned, signed).map(|_| ()),
        _ => Ok(()),
    }
}

/// As [`promote_types`] for two dtypes that somebody chose.
///
/// # Errors
///
/// `Runtime` for `uint64` and a signed integer dtype: no integer dtype holds the values of both, and a
/// floating one only some.
pub fn promoted(a: DType, b: DType) -> Result<DType> {
    let is_pair =
        |a: DType, b: DType| a == DType::UInt64 && b.is_integral() && b.is_signed_number();
    ensure!(
        !is_pair(a, b) && !is_pair(b, a),
        Runtime,
        "attempted to promote {} and {}, and no integer dtype holds the values of both; convert one",
        a.title(),
        b.title()
    );
    Ok(promote_types(a, b))
}

/// The dtype in which these operands are compared: one that holds each of them, where there is one,
/// so that numbers are compared as they are written and not as a narrow dtype would have them.
///
/// A floating number beside a floating tensor is rounded to the tensor's dtype, unless that is
/// infinity.
///
/// # Errors
///
/// As [`result_type`].
#[inline]
pub fn compared_type(tensors: &[&Tensor]) -> Result<DType> {
    if let [first, ..] = tensors
        && tensors.iter().all(|it| it.dtype() == first.dtype() && !it.is_wrapped_number())
    {
        return Ok(first.dtype());
    }
    compared_different(tensors, result_type(tensors)?)
}

#[cold]
fn compared_different(tensors: &[&Tensor], common: DType) -> Result<DType> {
    let mut compared = common;
    for tensor in tensors {
        if !tensor.is_wrapped_number() {
            // A tensor without dimensions has given way to those that have some.
            if common.is_integral() {
                compared = promoted(compared, tensor.dtype())?;
            }
            continue;
        }
        let number = tensor.to_scalar()?;
        if !is_exact(number, common) {
            compared = match number {
                // Beside `uint64` it is negative, and less than all of them as a float, too.
                Scalar::Int(_) if common.is_integral() && common != DType::UInt64 => DType::Int64,
                _ if common.is_complex_number() => DType::Complex128,
                _ => DType::Float64,
            };
        }
        // Beside integers a floating number is one of them, or lies between two.
        if let Scalar::Float(value) = number
            && tensors.iter().all(|it| it.is_wrapped_number() || it.dtype().is_integral())
        {
            let has_unsigned = tensors.iter().any(|it| it.dtype() == DType::UInt64);
            let widest = if has_unsigned { DType::UInt64 } else { DType::Int64 };
            let is_long = value.abs() >= TWO_TO_53 && number.fits(widest);
            compared = if is_long { widest } else { DType::Float64 };
        }
    }
    Ok(compared)
}

const TWO_TO_53: f64 = 9_007_199_254_740_992.0;

/// Whether a number beside operands of this dtype is what it is without them.
///
/// Integers that no floating dtype holds are, beside those of 64 bits, the nearest it has.
fn is_exact(number: Scalar, dtype: DType) -> bool {
    match number {
        Scalar::Bool(_) => true,
        Scalar::Int(it) => match dtype.is_integral() {
            true => dtype.holds_integer(it),
            false => {
                let digits = 63
                    - it.unsigned_abs().leading_zeros() as i32
                    - it.unsigned_abs().trailing_zeros() as i32;
                it == 0 || digits < significant(dtype) && number.fits(dtype)
            }
        },
        Scalar::Float(_) | Scalar::Complex(_) => number.fits(dtype),
    }
}

/// How many binary digits the numbers of a floating dtype have.
fn significant(dtype: DType) -> i32 {
    match dtype.to_real() {
        DType::Float16 => 11,
        DType::BFloat16 => 8,
        DType::Float32 => 24,
        _ => i32::MAX,
    }
}

/// Fails if an operand is a number that a dtype, in which it would be stored, does not hold.
///
/// # Errors
///
/// `Runtime` if the dtype does not hold the number.
#[inline]
pub fn check_stored(tensor: &Tensor, dtype: DType) -> Result<()> {
    if tensor.is_wrapped_number() && tensor.dtype() != dtype {
        return check_number(tensor, dtype);
    }
    Ok(())
}

#[cold]
fn check_number(tensor: &Tensor, dtype: DType) -> Result<()> {
    tensor.to_scalar()?.check_held(dtype)
}

/// Fails if an operand is a number that an integer dtype does not hold.
///
/// # Errors
///
/// `Runtime` if the dtype is one of integers and does not hold the number.
#[inline]
pub fn check_operand(tensor: &Tensor, dtype: DType) -> Result<()> {
    if dtype.is_integral() { check_stored(tensor, dtype) } else { Ok(()) }
}

/// Whether a result may be written to a tensor of another dtype: anything but
/// falling to a lower category.
#[inline]
pub fn can_cast(from: DType, to: DType) -> bool {
    from.category() <= to.category()
}

/// Fails unless [`can_cast`] allows it.
///
/// # Errors
///
/// `Runtime`, with both dtypes.
#[inline]
pub fn check_cast(from: DType, to: DType) -> Result<()> {
    ensure!(
        can_cast(from, to),
        Runtime,
        "result type {} can't be cast to the desired output type {}",
        from.title(),
        to.title()
    );
    Ok(())
}
