//! The processor that code is made for, and what stands in for instructions that it lacks.

use std::sync::OnceLock;

use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_codegen::settings::{self, Configurable as _};
use cranelift_jit::JITBuilder;

/// The processor that this process runs on, with all that it can do.
///
/// # Errors
///
/// Text if Cranelift makes no code for it.
pub(super) fn host() -> Result<OwnedTargetIsa, String> {
    static HOST: OnceLock<Result<OwnedTargetIsa, String>> = OnceLock::new();
    HOST.get_or_init(|| of(true)).clone()
}

/// The processor with or without what not every one of its family can do.
pub(super) fn of(is_inferred: bool) -> Result<OwnedTargetIsa, String> {
    let mut flags = settings::builder();
    let verify = if cfg!(debug_assertions) { "true" } else { "false" };
    for (name, value) in [
        ("opt_level", "speed"),
        ("is_pic", "false"),
        ("use_colocated_libcalls", "false"),
        ("unwind_info", "false"),
        // A frame of more than a page touches each page, so that it does not jump over the guard.
        ("enable_probestack", "true"),
        ("probestack_strategy", "inline"),
        ("enable_verifier", verify),
    ] {
        flags.set(name, value).map_err(|error| error.to_string())?;
    }
    let builder = cranelift_native::builder_with_options(is_inferred)?;
    builder.finish(settings::Flags::new(flags)).map_err(|error| error.to_string())
}

macro_rules! rounding {
    ($($name:ident: $float:ty = $function:path;)*) => {
        $(extern "C" fn $name(x: $float) -> $float { $function(x) })*

        /// Gives a module the functions that stand in for instructions that round: x86 before SSE4.1
        /// has none, and before FMA none that multiplies and adds.
        pub(super) fn provide_rounding(builder: &mut JITBuilder) {
            builder.symbol("fma", fma as extern "C" fn(f64, f64, f64) -> f64 as *const u8);
            builder.symbol("fmaf", fmaf as extern "C" fn(f32, f32, f32) -> f32 as *const u8);
            $(builder.symbol(stringify!($name), ($name as extern "C" fn($float) -> $float) as *const u8);)*
        }
    };
}

rounding! {
    floor: f64 = f64::floor;
    floorf: f32 = f32::floor;
    ceil: f64 = f64::ceil;
    ceilf: f32 = f32::ceil;
    trunc: f64 = f64::trunc;
    truncf: f32 = f32::trunc;
    nearbyint: f64 = f64::round_ties_even;
    nearbyintf: f32 = f32::round_ties_even;
}

extern "C" fn fma(a: f64, b: f64, c: f64) -> f64 {
    a.mul_add(b, c)
}

extern "C" fn fmaf(a: f32, b: f32, c: f32) -> f32 {
    a.mul_add(b, c)
}
