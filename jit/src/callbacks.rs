//! Runtime callbacks of compiled code: failures, interrupts, owners, and what processors lack.

use half::f16;

use crate::entry::{Cause, Frame};
use crate::ir::{FuncId, SiteId};
#[cfg(feature = "cranelift")]
use crate::ir::{gcd, int_pow};
use crate::native::NativeFailure;

/// A function and a site of it as one word.
pub(crate) fn place(function: u32, site: SiteId) -> u64 {
    u64::from(function) << 32 | u64::from(site.0)
}

fn note(frame: &mut Frame, place: u64) {
    frame.trace(FuncId((place >> 32) as u32), SiteId(place as u32));
}

/// Notes that a site failed, with the words of its message.
#[cold]
pub(crate) unsafe extern "C" fn fail(
    frame: *mut Frame,
    place: u64,
    words: *const u64,
    count: usize,
) {
    // SAFETY: compiled code passes the frame that it was entered with, and wrote the words.
    let (frame, words) = unsafe { (&mut *frame, std::slice::from_raw_parts(words, count)) };
    frame.fail(Cause::Site, words.to_vec());
    note(frame, place);
}

/// Notes that a call at a site would nest too deeply.
#[cold]
pub(crate) unsafe extern "C" fn fail_depth(frame: *mut Frame, place: u64) {
    // SAFETY: compiled code passes the frame that it was entered with.
    let frame = unsafe { &mut *frame };
    frame.fail(Cause::Depth, Vec::new());
    note(frame, place);
}

/// Notes a call that a failure goes through.
#[cold]
pub(crate) unsafe extern "C" fn trace(frame: *mut Frame, place: u64) {
    // SAFETY: compiled code passes the frame that it was entered with.
    note(unsafe { &mut *frame }, place);
}

/// Notes why a call of a function of another library at a site failed, which it wrote.
#[cold]
pub(crate) unsafe extern "C" fn fail_native(
    frame: *mut Frame,
    place: u64,
    failure: *const NativeFailure,
) {
    // SAFETY: compiled code passes the frame that it was entered with, and a failure is written by a
    // function that says that it failed.
    let (frame, failure) = unsafe { (&mut *frame, &*failure) };
    frame.attempt(|_| Err::<(), _>(failure.error()));
    note(frame, place);
}

/// Asks whether to stop; a budget of no back edges says so, and the frame has the error.
#[cold]
pub(crate) unsafe extern "C" fn poll(frame: *mut Frame, place: u64) {
    // SAFETY: compiled code passes the frame that it was entered with.
    let frame = unsafe { &mut *frame };
    if frame.poll() {
        frame.budget = 0;
        note(frame, place);
    }
}

/// Counts one more reference to an owner.
pub(crate) unsafe extern "C" fn retain(frame: *mut Frame, owner: u64) {
    // SAFETY: compiled code passes the frame that it was entered with, and an owner of it.
    unsafe { (*frame).retain(owner) }
}

/// Counts one reference less.
pub(crate) unsafe extern "C" fn release(frame: *mut Frame, owner: u64) {
    // SAFETY: compiled code passes the frame that it was entered with, and an owner of it, whose
    // memory it does not read any more.
    unsafe { (*frame).release(owner) }
}

/// The power of whole numbers.
#[cfg(feature = "cranelift")]
pub(crate) extern "C" fn pow(base: u64, exponent: u64) -> u64 {
    int_pow(base, exponent)
}

/// The greatest common divisor.
#[cfg(feature = "cranelift")]
pub(crate) extern "C" fn common_divisor(a: u64, b: u64) -> u64 {
    gcd(a, b)
}

/// The number of 16 bits, as one of 32.
pub(crate) extern "C" fn from_half(bits: u64) -> f32 {
    f16::from_bits(bits as u16).to_f32()
}

/// The bits of the nearest number of 16 bits.
pub(crate) extern "C" fn to_half(number: f32) -> u64 {
    u64::from(f16::from_f32(number).to_bits())
}

/// The nearest number of 16 bits, as one of 32.
pub(crate) extern "C" fn round_to_half(number: f32) -> f32 {
    f16::from_f32(number).to_f32()
}
