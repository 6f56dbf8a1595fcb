//! Plans of transforms, made once for each length.

use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use opwright_runtime::dtype::{Element, Float};
use opwright_runtime::{Result, buffer};
use realfft::{ComplexToReal, FftNum, RealFftPlanner, RealToComplex};
use rustfft::num_complex::Complex;
use rustfft::{Fft, FftDirection, FftPlanner};

/// The parts of complex numbers that can be transformed.
pub(crate) trait Part: Element + Float + FftNum {
    fn plans() -> &'static Mutex<Plans<Self>>;
}

macro_rules! parts {
    ($($ty:ty, $plans:ident;)*) => {$(
        static $plans: LazyLock<Mutex<Plans<$ty>>> = LazyLock::new(|| Mutex::new(Plans::new()));

        impl Part for $ty {
            fn plans() -> &'static Mutex<Plans<$ty>> {
                &$plans
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
pub(crate) fn complex<P: Part>(length: usize, forward: bool) -> Result<Arc<dyn Fft<P>>> {
    let (kind, direction) = match forward {
        true => (Kind::Forward, FftDirection::Forward),
        false => (Kind::Inverse, FftDirection::Inverse),
    };
    with_plans::<P, _>(length, kind, |plans| plans.complex.plan_fft(length, direction))
}

/// A transform of `length` real numbers to half of their spectrum.
pub(crate) fn from_real<P: Part>(length: usize) -> Result<Arc<dyn RealToComplex<P>>> {
    with_plans::<P, _>(length, Kind::FromReal, |plans| plans.real.plan_fft_forward(length))
}

/// The transform of half a spectrum to `length` real numbers.
pub(crate) fn to_real<P: Part>(length: usize) -> Result<Arc<dyn ComplexToReal<P>>> {
    with_plans::<P, _>(length, Kind::ToReal, |plans| plans.real.plan_fft_inverse(length))
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Forward,
    Inverse,
    FromReal,
    ToReal,
}

/// A plan holds tables of about the length, of a power of two above twice the
/// length where that has a large factor, and of what these are made of.
const TABLES: usize = 16;

fn with_plans<P: Part, R>(
    length: usize,
    kind: Kind,
    f: impl FnOnce(&mut Plans<P>) -> R,
) -> Result<R> {
    let mut plans = P::plans().lock().unwrap_or_else(PoisonError::into_inner);
    if !plans.made.contains(&(length, kind)) {
        // The planner has no way to fail.
        buffer::check_room(length.saturating_mul(TABLES * size_of::<Complex<P>>()))?;
        plans.note(length, kind);
    }
    Ok(f(&mut plans))
}

/// Plans that were made, and what they are for.
pub(crate) struct Plans<P: Part> {
    complex: FftPlanner<P>,
    real: RealFftPlanner<P>,
    made: BTreeSet<(usize, Kind)>,
}

/// Plans are forgotten when there are more of them than this: nobody wants a
/// program that transforms many lengths to keep them all.
const MOST_PLANS: usize = 64;

impl<P: Part> Plans<P> {
    fn new() -> Plans<P> {
        Plans { complex: FftPlanner::new(), real: RealFftPlanner::new(), made: BTreeSet::new() }
    }

    fn note(&mut self, length: usize, kind: Kind) {
        if self.made.len() >= MOST_PLANS {
            *self = Plans::new();
        }
        self.made.insert((length, kind));
    }
}
