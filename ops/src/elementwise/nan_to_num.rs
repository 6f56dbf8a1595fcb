//! Numbers in place of those that are none.

use opwright_macros::native_op;
use opwright_runtime::dtype::{ComplexNumber, Element, Float};
use opwright_runtime::iterate::Each;
use opwright_runtime::{DType, Result, bf16, f16};

/// Each element, but `nan` for NaN (0 if left out), `posinf` and `neginf` for the
/// infinities (the greatest and the least finite number of the dtype).
///
/// ```python
/// >>> opwright.nan_to_num(
/// ...     opwright.tensor([float("nan"), float("inf"), 1.0]), nan=0.0, posinf=9.0
/// ... )
/// tensor([0., 9., 1.], dtype=float32, shape=(3,))
/// ```
#[native_op(
    "nan_to_num(Tensor self, float? nan=None, float? posinf=None, float? neginf=None) -> Tensor",
    elementwise,
    dtypes = floating,
    method,
    tags = "pointwise",
    derivative(self = "grad * at::isfinite(self)")
)]
fn nan_to_num<T: Element + Float>(
    each: Each<'_, T, T>,
    nan: Option<f64>,
    posinf: Option<f64>,
    neginf: Option<f64>,
) -> Result<()> {
    let by = Replacements::new(each.dtype(), nan, posinf, neginf);
    each.run(move |x| by.of(x))
}

#[native_op(nan_to_num.out, elementwise, dtypes = complex)]
fn nan_to_num_of_complex<T: Element + ComplexNumber>(
    each: Each<'_, T, T>,
    nan: Option<f64>,
    posinf: Option<f64>,
    neginf: Option<f64>,
) -> Result<()> {
    let by = Replacements::<T::Part>::new(each.dtype().to_real(), nan, posinf, neginf);
    each.run(move |z| T::from_parts(by.of(z.real_part()), by.of(z.imaginary_part())))
}

#[native_op(nan_to_num.out, elementwise, dtypes = bits)]
fn nan_to_num_of_bits<T: Element>(
    each: Each<'_, T, T>,
    _nan: Option<f64>,
    _posinf: Option<f64>,
    _neginf: Option<f64>,
) -> Result<()> {
    each.run(|x| x)
}

/// What stands for NaN and the infinities.
#[derive(Clone, Copy)]
struct Replacements<T> {
    nan: T,
    posinf: T,
    neginf: T,
}

impl<T: Float> Replacements<T> {
    fn new(dtype: DType, nan: Option<f64>, posinf: Option<f64>, neginf: Option<f64>) -> Self {
        let greatest = greatest_finite(dtype);
        Replacements {
            nan: T::constant(nan.unwrap_or(0.0)),
            posinf: T::constant(posinf.unwrap_or(greatest)),
            neginf: T::constant(neginf.unwrap_or(-greatest)),
        }
    }

    #[inline(always)]
    fn of(self, x: T) -> T {
        if x.is_nan() {
            self.nan
        } else if x == T::infinity() {
            self.posinf
        } else if x == T::neg_infinity() {
            self.neginf
        } else {
            x
        }
    }
}

fn greatest_finite(dtype: DType) -> f64 {
    match dtype {
        DType::Float16 => f16::MAX.to_f64(),
        DType::BFloat16 => bf16::MAX.to_f64(),
        DType::Float32 => f32::MAX.into(),
        _ => f64::MAX,
    }
}
