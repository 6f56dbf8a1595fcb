//! Means and squared distances from them.
//!
//! What is summed up are distances from an origin, and their squares. If the
//! origin is one for all elements, that is a short loop without branches, but
//! digits cancel where the mean is far from the origin; then each group of
//! elements gets an origin of its own.

use std::ops::{Add, Div, Mul, Sub};
use std::sync::atomic::{AtomicBool, Ordering};

use num_complex::Complex;
use opwright_runtime::dtype::FloatOrComplex;
use opwright_runtime::geometry::DimSet;
use opwright_runtime::reduce::{Fold, reduce, reduce_pair};
use opwright_runtime::{DType, Element, Result, Tensor, view};

/// What moments are computed in.
pub(super) trait Working:
    Element
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<f64, Output = Self>
    + Div<f64, Output = Self>
{
    /// The square of the absolute value.
    fn squared_length(self) -> f64;

    /// Whether this is neither infinite nor not a number.
    fn is_usual(self) -> bool;
}

impl Working for f64 {
    #[inline(always)]
    fn squared_length(self) -> f64 {
        self * self
    }

    fn is_usual(self) -> bool {
        self.is_finite()
    }
}

impl Working for Complex<f64> {
    #[inline(always)]
    fn squared_length(self) -> f64 {
        self.norm_sqr()
    }

    fn is_usual(self) -> bool {
        self.is_finite()
    }
}

/// Number, mean and squared distances of some elements.
///
/// Sums are of distances from the first element, which is near the mean as
/// seen from zero, so that nothing cancels. Two groups are joined as in T. Chan,
/// G. Golub, R. LeVeque, "Updating formulae and a pairwise algorithm for
/// computing sample variances", 1979.
#[derive(Clone, Copy)]
pub(super) struct Moments<W> {
    count: f64,
    origin: W,
    sum: W,
    squares: f64,
}

impl<W: Working> Moments<W> {
    /// Of no elements.
    pub(super) fn none() -> Moments<W> {
        Moments { count: 0.0, origin: W::default(), sum: W::default(), squares: 0.0 }
    }

    /// With one more element.
    #[inline(always)]
    pub(super) fn with(self, value: W) -> Moments<W> {
        let origin = if self.count == 0.0 { value } else { self.origin };
        let distance = value - origin;
        Moments {
            count: self.count + 1.0,
            origin,
            sum: self.sum + distance,
            squares: self.squares + distance.squared_length(),
        }
    }

    /// The mean.
    pub(super) fn mean(self) -> W {
        // Without elements there is no mean, so not a number.
        self.origin + self.sum / self.count
    }

    /// The sum of squared distances from the mean.
    fn spread(self) -> f64 {
        if self.count == 0.0 {
            return 0.0;
        }
        // Rounding must not make it negative; `max` would swallow NaN.
        let spread = self.squares - self.sum.squared_length() / self.count;
        if spread < 0.0 { 0.0 } else { spread }
    }

    /// Of the elements of both.
    pub(super) fn joined(self, other: Moments<W>) -> Moments<W> {
        if self.count == 0.0 || other.count == 0.0 {
            return if self.count == 0.0 { other } else { self };
        }
        let count = self.count + other.count;
        let (mean, other_mean) = (self.mean(), other.mean());
        let distance = other_mean - mean;
        let between = distance.squared_length() * self.count * other.count / count;
        Moments {
            count,
            origin: mean + distance * (other.count / count),
            sum: W::default(),
            squares: self.spread() + other.spread() + between,
        }
    }

    /// Whether so much cancels that a result of `digits` bits would suffer.
    fn cancels(self, digits: i32) -> bool {
        self.spread() < self.squares * 2_f64.powi(digits - f64::MANTISSA_DIGITS as i32)
    }

    /// The variance; a negative number of degrees of freedom is none.
    pub(super) fn variance(self, correction: f64) -> f64 {
        self.spread() / (self.count - correction).max(0.0)
    }
}

/// Where a function of the moments goes, and the mean if it is wanted.
pub(super) struct MomentOutputs<'a> {
    pub(super) measure: &'a mut Tensor,
    pub(super) mean: Option<&'a mut Tensor>,
}

/// Reduces the elements along `dims` to what `finish` makes of their moments.
pub(super) fn reduce_moments<T: Element + FloatOrComplex<Part: Element>, W: Working>(
    input: &Tensor,
    dims: DimSet,
    mut out: MomentOutputs<'_>,
    finish: impl Fn(Moments<W>) -> f64 + Sync,
) -> Result<()> {
    let cancels = AtomicBool::new(false);
    around_one_origin::<T, W>(input, dims, &mut out, |moments| {
        if moments.cancels(digits::<T::Part>()) {
            cancels.store(true, Ordering::Relaxed);
        }
        finish(moments)
    })?;
    if cancels.into_inner() {
        around_many_origins::<T, W>(input, dims, &mut out, finish)?;
    }
    Ok(())
}

/// The bits that a result of this type should be good for.
fn digits<P: Element>() -> i32 {
    if P::DTYPE == DType::Float64 { 43 } else { 24 }
}

/// Sums of distances from an origin that is known.
#[derive(Clone, Copy)]
struct Distances<W> {
    sum: W,
    squares: f64,
}

fn around_one_origin<T: Element + FloatOrComplex<Part: Element>, W: Working>(
    input: &Tensor,
    dims: DimSet,
    out: &mut MomentOutputs<'_>,
    finish: impl Fn(Moments<W>) -> f64 + Sync,
) -> Result<()> {
    let origin: W = first::<T>(input)?.map_or(W::default(), T::cast);
    let origin = if origin.is_usual() { origin } else { W::default() };
    let reduced = input.shape().iter().enumerate().filter(|&(dim, _)| dims.contains(dim));
    let count = reduced.map(|(_, &size)| size as f64).product();
    let fold = Fold {
        start: Distances { sum: W::default(), squares: 0.0 },
        fold: move |all: Distances<W>, it: T| {
            let distance = it.cast::<W>() - origin;
            let squares = all.squares + distance.squared_length();
            Distances { sum: all.sum + distance, squares }
        },
        combine: |a: Distances<W>, b: Distances<W>| Distances {
            sum: a.sum + b.sum,
            squares: a.squares + b.squares,
        },
        finish: move |all: Distances<W>| Moments {
            count,
            origin,
            sum: all.sum,
            squares: all.squares,
        },
    };
    run::<T, W, _, _, _, _>(input, dims, out, fold, finish)
}

/// The first element, cast.
fn first<T: Element>(input: &Tensor) -> Result<Option<T>> {
    if input.numel() == 0 {
        return Ok(None);
    }
    view::as_strided(input, &[], &[], input.offset())?.to_dtype(T::DTYPE)?.first()
}

fn around_many_origins<T: Element + FloatOrComplex<Part: Element>, W: Working>(
    input: &Tensor,
    dims: DimSet,
    out: &mut MomentOutputs<'_>,
    finish: impl Fn(Moments<W>) -> f64 + Sync,
) -> Result<()> {
    let fold = Fold {
        start: Moments::none(),
        fold: |all: Moments<W>, it: T| all.with(it.cast()),
        combine: Moments::joined,
        finish: |all: Moments<W>| all,
    };
    run::<T, W, _, _, _, _>(input, dims, out, fold, finish)
}

/// Reduces to moments, and writes what is wanted of them.
fn run<T, W, A, F, C, D>(
    input: &Tensor,
    dims: DimSet,
    out: &mut MomentOutputs<'_>,
    reduction: Fold<A, F, C, D>,
    measure: impl Fn(Moments<W>) -> f64 + Sync,
) -> Result<()>
where
    T: Element + FloatOrComplex<Part: Element>,
    W: Working,
    A: Copy + Send + Sync,
    F: Fn(A, T) -> A + Sync,
    C: Fn(A, A) -> A + Sync,
    D: Fn(A) -> Moments<W> + Sync,
{
    let Fold { start, fold, combine, finish } = reduction;
    let write = |moments| T::Part::cast_from(measure(moments));
    match &mut out.mean {
        None => {
            let finish = |all| write(finish(all));
            reduce(input, dims, out.measure, Fold { start, fold, combine, finish })
        }
        Some(mean) => {
            let finish = |all| {
                let moments = finish(all);
                (write(moments), T::cast_from(moments.mean()))
            };
            let fold = Fold { start, fold, combine, finish };
            reduce_pair(input, dims, (out.measure, mean), fold)
        }
    }
}
