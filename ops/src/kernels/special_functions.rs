//! Error functions and terms with logarithms.

use opwright_macros::native_op;
use opwright_runtime::structured::rule;
use opwright_runtime::{Result, Tensor, iterate};

use super::calculate::calculate;
use super::map::map_real;

#[native_op(erf.out)]
fn erf_out(self_: &Tensor, out: &mut Tensor) -> Result<()> {
    map_real!("erf", self_, out, |x| x.error_function())
}

#[native_op(erfc.out)]
fn erfc_out(self_: &Tensor, out: &mut Tensor) -> Result<()> {
    map_real!("erfc", self_, out, |x| x.complementary_error_function())
}

#[native_op(special_entr.out)]
fn special_entr_out(self_: &Tensor, out: &mut Tensor) -> Result<()> {
    map_real!("special_entr", self_, out, |x| x.entropy())
}

#[native_op(xlogy.OutTensor)]
fn xlogy_outtensor(self_: &Tensor, other: &Tensor, out: &mut Tensor) -> Result<()> {
    calculate!(out.dtype(), "xlogy", floating, |T| {
        iterate::binary(self_, other, out, |x: T, y: T| x.times_of(y, y.ln()))
    })
}

#[native_op(special_xlog1py.out)]
fn special_xlog1py_out(self_: &Tensor, other: &Tensor, out: &mut Tensor) -> Result<()> {
    calculate!(out.dtype(), "special_xlog1py", floating, |T| {
        iterate::binary(self_, other, out, |x: T, y: T| x.times_of(y, y.ln_1p()))
    })
}

/// The logarithm of the odds `x / (1 - x)` of each element. With `eps`, elements
/// are first brought into the range from `eps` to `1 - eps`.
///
/// ```python
/// >>> opwright.logit(opwright.tensor([0.5, 0.75]))
/// tensor([0.0000, 1.0986], dtype=float32, shape=(2,))
/// >>> opwright.logit(opwright.tensor([1.0]), eps=0.25)
/// tensor([1.0986], dtype=float32, shape=(1,))
/// ```
#[native_op(
    "logit(Tensor self, float? eps=None) -> Tensor",
    key = CPU | Meta,
    method,
    tags = "pointwise"
)]
fn logit(self_: &Tensor, eps: Option<f64>) -> Result<Tensor> {
    let mut out = rule::elementwise_float(&[self_])?.allocate()?;
    write_logit(self_, eps, &mut out)?;
    Ok(out)
}

#[native_op(
    "logit_(Tensor(a!) self, float? eps=None) -> Tensor(a!)",
    key = CPU | Meta,
    method,
    tags = "pointwise"
)]
fn logit_(self_: &mut Tensor, eps: Option<f64>) -> Result<()> {
    let input = self_.clone();
    let mut target = rule::elementwise_float(&[&input])?.target_inplace(self_, &[])?;
    write_logit(&input, eps, target.tensor())?;
    target.finish(self_)
}

#[native_op(
    "logit.out(Tensor self, float? eps=None, *, Tensor(a!) out) -> Tensor(a!)",
    key = CPU | Meta,
    tags = "pointwise"
)]
fn logit_out(self_: &Tensor, eps: Option<f64>, out: &mut Tensor) -> Result<()> {
    let mut target = rule::elementwise_float(&[self_])?.target(out, &[self_])?;
    write_logit(self_, eps, target.tensor())?;
    target.finish(out)
}

fn write_logit(self_: &Tensor, eps: Option<f64>, out: &mut Tensor) -> Result<()> {
    if out.device().is_meta() {
        return Ok(());
    }
    let Some(eps) = eps else {
        return map_real!("logit", self_, out, |x| (x / (1.0 - x)).ln());
    };
    calculate!(out.dtype(), "logit", floating, |T| {
        let (low, high) = (eps as T, (1.0 - eps) as T);
        iterate::unary(self_, out, |x: T| {
            let x = if x < low {
                low
            } else if x > high {
                high
            } else {
                x
            };
            (x / (1.0 - x)).ln()
        })
    })
}

/// Functions of real numbers that the standard library does not have.
trait Special: Sized {
    fn error_function(self) -> Self;
    fn complementary_error_function(self) -> Self;
    /// `-self * ln(self)`, continued to 0
    fn entropy(self) -> Self;
    /// `self * logarithm`, and 0 for 0 unless the logarithm's argument is NaN
    fn times_of(self, argument: Self, logarithm: Self) -> Self;
}

macro_rules! reals {
    ($($ty:ident, $erf:ident, $erfc:ident;)*) => {$(
        impl Special for $ty {
            #[inline]
            fn error_function(self) -> $ty {
                libm::$erf(self)
            }
            #[inline]
            fn complementary_error_function(self) -> $ty {
                libm::$erfc(self)
            }
            #[inline]
            fn entropy(self) -> $ty {
                if self > 0.0 {
                    -self * self.ln()
                } else if self == 0.0 {
                    0.0
                } else if self < 0.0 {
                    $ty::NEG_INFINITY
                } else {
                    self
                }
            }
            #[inline]
            fn times_of(self, argument: $ty, logarithm: $ty) -> $ty {
                if argument.is_nan() {
                    argument
                } else if self == 0.0 {
                    0.0
                } else {
                    self * logarithm
                }
            }
        }
    )*};
}

reals! {
    f32, erff, erfcf;
    f64, erf, erfc;
}
