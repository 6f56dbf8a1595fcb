//! Random numbers that programs draw one at a time, from the default generator.
//!
//! They are those that a tensor of `f64` or of integers would be filled with: two from each block.
//! So a call keeps what it has not used of its last block.

use opwright_runtime::{Generator, Result};

use crate::entry::Frame;
use crate::random_bits::Remainder;

/// Draws a word, and writes it as the result.
///
/// # Safety
///
/// The frame is that of the running program, and `results` has room for one word.
unsafe fn draw(
    frame: *mut Frame,
    results: *mut u64,
    word: impl FnOnce(&mut Remainder) -> Result<u64>,
) -> u32 {
    // SAFETY: the caller passes the frame of the running program.
    let frame = unsafe { &mut *frame };
    let Some(word) = frame.attempt(|frame| word(&mut frame.drawn)) else { return 1 };
    // SAFETY: there is room for one result.
    unsafe { results.write(word) };
    0
}

/// Gives 64 random bits.
///
/// # Safety
///
/// As for [`draw`].
pub(crate) unsafe extern "C" fn bits(
    frame: *mut Frame,
    _args: *const u64,
    results: *mut u64,
) -> u32 {
    // SAFETY: the caller keeps what `draw` asks for.
    unsafe { draw(frame, results, |drawn| Ok(drawn.bits())) }
}

/// Gives an integer from 0 to before the first word, of which 0 stands for 2^64.
///
/// # Safety
///
/// As for [`draw`]; there is one argument.
pub(crate) unsafe extern "C" fn below(
    frame: *mut Frame,
    args: *const u64,
    results: *mut u64,
) -> u32 {
    // SAFETY: there is one argument.
    let bound = unsafe { args.read() };
    let number = |bits: u64| match bound {
        0 => bits,
        // The product's upper half is below the bound, with a bias of less than 2^-64 times it.
        _ => ((u128::from(bits) * u128::from(bound)) >> 64) as u64,
    };
    // SAFETY: the caller keeps what `draw` asks for.
    unsafe { draw(frame, results, |drawn| Ok(number(drawn.bits()))) }
}

/// Gives a number of the standard normal distribution.
///
/// # Safety
///
/// As for [`draw`].
pub(crate) unsafe extern "C" fn normal(
    frame: *mut Frame,
    _args: *const u64,
    results: *mut u64,
) -> u32 {
    // SAFETY: the caller keeps what `draw` asks for.
    unsafe { draw(frame, results, |drawn| Ok(drawn.normal().to_bits())) }
}

/// Starts the generator again from a seed, and gives it back.
///
/// # Safety
///
/// As for [`draw`]; there is one argument.
pub(crate) unsafe extern "C" fn seed(
    frame: *mut Frame,
    args: *const u64,
    results: *mut u64,
) -> u32 {
    // SAFETY: there is one argument.
    let seed = unsafe { args.read() };
    let start = |drawn: &mut Remainder| {
        *drawn = Remainder::default();
        Generator::default_cpu().manual_seed(seed);
        Ok(seed)
    };
    // SAFETY: the caller keeps what `draw` asks for.
    unsafe { draw(frame, results, start) }
}
