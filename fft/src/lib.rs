//! Plans of Fourier transforms, made once for each length.
//!
//! `rustfft` computes them. This crate is one of its own so that what is generic there is compiled once,
//! here, for the two types that there are, and not wherever operators are.
//!
//! A long plan takes long to make, so the table is not locked meanwhile: two threads that want a plan at
//! once may both make it, and none waits for the other.
//!
//! ```
//! use opwright_fft::{Complex, complex};
//!
//! let mut signal = [1.0_f64, 2.0, 3.0, 4.0].map(|it| Complex::new(it, 0.0));
//! complex::<f64>(4, true)?.process(&mut signal);
//! assert_eq!(signal[0], Complex::new(10.0, 0.0));
//! # Ok::<(), opwright_runtime::Error>(())
//! ```

use std::collections::BTreeMap;
use std::sync::Arc;

use opwright_runtime::dtype::{Element, Float};
use opwright_runtime::lock::Lock;
use opwright_runtime::{Result, buffer};
use rustfft::{FftDirection, FftNum};

mod complex;
mod real;

pub use real::RealTransform;
pub use rustfft::Fft;
pub use rustfft::num_complex::Complex;

/// The parts of complex numbers that can be transformed.
pub trait FftScalar: Element + Float + FftNum {
    /// Plans that were made.
    #[doc(hidden)]
    fn plans() -> &'static Lock<Plans<Self>>;

    /// Makes a plan for so many complex numbers.
    #[doc(hidden)]
    fn plan(length: usize, direction: FftDirection) -> Arc<dyn Fft<Self>>;
}

macro_rules! parts {
    ($($ty:ty, $plans:ident;)*) => {$(
        static $plans: Lock<Plans<$ty>> = Lock::new(Plans::new());

        impl FftScalar for $ty {
            fn plans() -> &'static Lock<Plans<$ty>> {
                &$plans
            }

            fn plan(length: usize, direction: FftDirection) -> Arc<dyn Fft<$ty>> {
                complex::plan(length, direction)
            }
        }
    )*};
}

parts! {
    f32, SINGLE;
    f64, DOUBLE;
}

/// A transform of complex numbers.
///
/// # Errors
///
/// `Memory` if there is not enough, as below.
pub fn complex<P: FftScalar>(length: usize, forward: bool) -> Result<Arc<dyn Fft<P>>> {
    let direction = if forward { FftDirection::Forward } else { FftDirection::Inverse };
    let key = (length, forward);
    planned(key, length, |it| &mut it.complex, || P::plan(length, direction))
}

/// A transform of `length` real numbers to half of their spectrum.
///
/// # Errors
///
/// `Memory` if there is not enough.
pub fn from_real<P: FftScalar>(length: usize) -> Result<Arc<RealTransform<P>>> {
    planned(
        length,
        length,
        |it| &mut it.from_real,
        || Arc::new(RealTransform::new(length, FftDirection::Forward)),
    )
}

/// The transform of half a spectrum to `length` real numbers.
///
/// # Errors
///
/// `Memory` if there is not enough.
pub fn to_real<P: FftScalar>(length: usize) -> Result<Arc<RealTransform<P>>> {
    planned(
        length,
        length,
        |it| &mut it.to_real,
        || Arc::new(RealTransform::new(length, FftDirection::Inverse)),
    )
}

/// A plan holds tables of about the length, of a power of two above twice the
/// length where that has a large factor, and of what these are made of.
const TABLES: usize = 16;

fn planned<P: FftScalar, K: Copy + Ord, R: ?Sized>(
    key: K,
    length: usize,
    table: fn(&mut Plans<P>) -> &mut BTreeMap<K, Arc<R>>,
    make: impl FnOnce() -> Arc<R>,
) -> Result<Arc<R>> {
    if let Some(plan) = table(&mut P::plans().lock()).get(&key) {
        return Ok(plan.clone());
    }
    // The planner has no way to fail.
    buffer::check_room(length.saturating_mul(TABLES * size_of::<Complex<P>>()))?;
    let plan = make();
    let mut plans = P::plans().lock();
    let surplus = plans.surplus();
    let other = table(&mut plans).insert(key, plan.clone());
    drop(plans);
    // Outside of the lock: tables are large.
    drop((surplus, other));
    Ok(plan)
}

/// Plans that were made.
#[doc(hidden)]
pub struct Plans<P: FftScalar> {
    complex: BTreeMap<(usize, bool), Arc<dyn Fft<P>>>,
    from_real: BTreeMap<usize, Arc<RealTransform<P>>>,
    to_real: BTreeMap<usize, Arc<RealTransform<P>>>,
}

/// Plans are forgotten when there are more of them than this: nobody wants a
/// program that transforms many lengths to keep them all.
const MOST_PLANS: usize = 64;

impl<P: FftScalar> Plans<P> {
    const fn new() -> Plans<P> {
        Plans { complex: BTreeMap::new(), from_real: BTreeMap::new(), to_real: BTreeMap::new() }
    }

    /// Takes all of them out, if one more would be too many.
    fn surplus(&mut self) -> Option<Plans<P>> {
        let count = self.complex.len() + self.from_real.len() + self.to_real.len();
        (count >= MOST_PLANS).then(|| std::mem::replace(self, Plans::new()))
    }
}
