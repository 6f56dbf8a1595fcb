//! Functions of blocks by lanes: each instruction set lists those that it is faster by.

use super::lanes::{Lanes, Mask};

/// Functions of `f64`.
pub(super) mod double {
    pub(crate) use crate::double::MOST_IN_RANGE;
    pub(crate) use crate::erf::lanes::{erf_f64 as erf, erfc_f64 as erfc};
    pub(crate) use crate::exp::lanes::{
        exp_f64 as exp, exp2_f64 as exp2, expm1_f64 as expm1, sigmoid_f64 as sigmoid,
        silu_f64 as silu,
    };
    pub(crate) use crate::hyperbolic::lanes::{
        asinh_f64 as asinh, cosh_f64 as cosh, sinh_f64 as sinh,
    };
    pub(crate) use crate::log::lanes::{log_f64 as log, log2_f64 as log2, log10_f64 as log10};
    pub(crate) use crate::pow::lanes::pow_f64 as pow;
    pub(crate) use crate::sqrt::lanes::sqrt_f64 as sqrt;
    pub(crate) use crate::trig::inverse::lanes::{atan_f64 as atan, atan2_f64 as atan2};
    pub(crate) use crate::trig::lanes::{cos_f64 as cos, sin_f64 as sin, tan_f64 as tan};
}

/// Functions of `f32`.
pub(super) mod single {
    pub(crate) use crate::erf::lanes::{erf_f32 as erf, erfc_f32 as erfc, gelu_f32 as gelu};
    pub(crate) use crate::exp::lanes::{
        exp_f32 as exp, exp2_f32 as exp2, sigmoid_f32 as sigmoid, silu_f32 as silu,
    };
    pub(crate) use crate::hyperbolic::lanes::{
        cosh_f32 as cosh, sinh_f32 as sinh, tanh_f32 as tanh,
    };
    pub(crate) use crate::log::lanes::{log_f32 as log, log2_f32 as log2, log10_f32 as log10};
    pub(crate) use crate::pow::lanes::pow_f32 as pow;
    pub(crate) use crate::single::MOST_IN_RANGE;
    pub(crate) use crate::sqrt::lanes::sqrt_f32 as sqrt;
    pub(crate) use crate::trig::inverse::lanes::acos_f32 as acos;
    pub(crate) use crate::trig::lanes::tan_f32 as tan;
}

/// The names of all functions, behind what another macro takes before: of one block, and of two.
macro_rules! with_names {
    ($macro:ident! { $($before:tt)* }) => {
        $macro! {
            $($before)*
            exp exp2 expm1 sqrt sigmoid silu log log2 log10 sin cos tan acos atan sinh cosh tanh
            asinh erf erfc gelu;
            pow atan2
        }
    };
}

macro_rules! declare {
    ($($name:ident)*; $($of_two:ident)*) => {
        /// Functions of blocks by the lanes of an instruction set. They return false, and do nothing, if
        /// the processor lacks it, or is faster by one number after the other.
        pub(crate) trait Functions<T> {
            $(
                #[doc = concat!("`", stringify!($name), "` of each.")]
                #[inline(always)]
                fn $name(_: &mut [T]) -> bool {
                    false
                }
            )*
            $(
                #[doc = concat!("`", stringify!($of_two), "` of each and one of the others, or the only other.")]
                #[inline(always)]
                fn $of_two(_: &mut [T], _: &[T]) -> bool {
                    false
                }
            )*
        }
    };
}

with_names! { declare! {} }

pub(super) use with_names;

/// Functions of an instruction set: of one number, of angles, with one of those beyond the range of the
/// reduction, and of two.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! functions {
    (
        $isa:ident: $lanes:ident of $ty:ident in $module:ident: $($name:ident)*;
        angles $($angles:ident or $far:expr),*; of two $($of_two:ident)*;
    ) => {
        impl Functions<$ty> for $isa {
            $(
                fn $name(numbers: &mut [$ty]) -> bool {
                    with_features! { $isa
                        fn run(numbers: &mut [$ty]) {
                            each!($lanes, numbers, functions::$module::$name);
                        }
                    }

                    let is_available = $isa::is_available();
                    if is_available {
                        // SAFETY: the processor has these instructions.
                        unsafe { run(numbers) };
                    }
                    is_available
                }
            )*
            $(
                fn $angles(numbers: &mut [$ty]) -> bool {
                    const MOST: $ty = functions::$module::MOST_IN_RANGE;

                    with_features! { $isa
                        fn are_in_range(numbers: &[$ty]) -> bool {
                            are_at_most::<$lanes>(numbers, MOST)
                        }
                    }
                    with_features! { $isa
                        fn run(numbers: &mut [$ty]) {
                            each!($lanes, numbers, functions::$module::$angles);
                        }
                    }

                    let is_available = $isa::is_available();
                    if is_available {
                        let is_in_range = |x: $ty| x.is_nan() || x.abs() <= MOST;
                        let all = match numbers {
                            [one] => is_in_range(*one),
                            // SAFETY: the processor has these instructions.
                            _ => unsafe { are_in_range(numbers) },
                        };
                        // SAFETY: as above.
                        let run = |some: &mut [$ty]| unsafe { run(some) };
                        with_fallback(numbers, all, is_in_range, run, $far);
                    }
                    is_available
                }
            )*
            $(
                fn $of_two(numbers: &mut [$ty], others: &[$ty]) -> bool {
                    with_features! { $isa
                        fn run(numbers: &mut [$ty], others: &[$ty]) {
                            each_with!($lanes, numbers, others, functions::$module::$of_two);
                        }
                    }

                    let is_available = $isa::is_available();
                    if is_available {
                        // SAFETY: the processor has these instructions.
                        unsafe { run(numbers, others) };
                    }
                    is_available
                }
            )*
        }
    };
}

/// Replaces numbers by a function of them. Written out, since a function that is an argument of another
/// one may not be inlined, and has other instructions then.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! each {
    ($lanes:ident, $numbers:ident, $function:path) => {
        let mut at = 0;
        while let Some(x) = load_at::<$lanes>($numbers, at, 0.5) {
            store_at($numbers, at, $function(x));
            at += <$lanes as Lanes>::COUNT;
        }
    };
}

/// The same with one of the others for each, or the only other.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! each_with {
    ($lanes:ident, $numbers:ident, $others:ident, $function:path) => {
        let only = if let [other] = $others { Some($lanes::splat(*other)) } else { None };
        let mut at = 0;
        while let Some(x) = load_at::<$lanes>($numbers, at, 1.0) {
            let Some(y) = only.or_else(|| load_at($others, at, 1.0)) else { break };
            store_at($numbers, at, $function(x, y));
            at += <$lanes as Lanes>::COUNT;
        }
    };
}

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(crate) use {each, each_with, functions};

/// The numbers of a register from `at` on, with `fill` for what lies behind the last one; nothing if
/// there are none.
#[inline(always)]
pub(crate) fn load_at<V: Lanes>(numbers: &[V::Element], at: usize, fill: V::Element) -> Option<V> {
    match numbers.get(at..)? {
        [] => None,
        // A number that was just written is read faster alone.
        [one] => Some(V::splat(*one)),
        some if some.len() < V::COUNT => Some(V::load_part(some, fill)),
        some => Some(V::load(some)),
    }
}

/// Writes a register to the numbers from `at` on, as far as there are any.
#[inline(always)]
pub(crate) fn store_at<V: Lanes>(numbers: &mut [V::Element], at: usize, y: V) {
    match &mut numbers[at..] {
        [one] => *one = y.first(),
        some if some.len() < V::COUNT => y.store_part(some),
        some => y.store(some),
    }
}

/// Whether no magnitude is above `most`; NaN does not count.
#[inline(always)]
pub(super) fn are_at_most<V: Lanes>(numbers: &[V::Element], most: V::Element) -> bool {
    // Four chains, so that none waits for the former comparison.
    let mut greatest = [V::constant(0.0); 4];
    let mut chunks = numbers.chunks_exact(4 * V::COUNT);
    for chunk in &mut chunks {
        for (greatest, it) in greatest.iter_mut().zip(chunk.chunks_exact(V::COUNT)) {
            *greatest = V::load(it).abs().max(*greatest);
        }
    }
    let [mut all, b, c, d] = greatest;
    all = all.max(b).max(c.max(d));
    let mut chunks = chunks.remainder().chunks_exact(V::COUNT);
    for it in &mut chunks {
        all = V::load(it).abs().max(all);
    }
    let rest = chunks.remainder();
    if !rest.is_empty() {
        all = V::load_part(rest, most).abs().max(all);
    }
    !all.gt(V::splat(most)).any()
}

/// Applies a function of blocks, which is right in range alone, and another one to what is beyond.
#[inline(always)]
pub(super) fn with_fallback<T: Copy + Default>(
    numbers: &mut [T],
    are_all_in_range: bool,
    is_in_range: impl Fn(T) -> bool,
    function: impl Fn(&mut [T]),
    far: fn(T) -> T,
) {
    /// So many at once may be beyond.
    const FEW: usize = 16;

    if are_all_in_range {
        return function(numbers);
    }
    for some in numbers.chunks_mut(FEW) {
        let mut angles = [T::default(); FEW];
        angles[..some.len()].copy_from_slice(some);
        function(some);
        for (y, x) in some.iter_mut().zip(angles).filter(|(_, x)| !is_in_range(*x)) {
            *y = far(x);
        }
    }
}
