//! What is done to a function after it was typed: one pass in each file, named as the field names it.
//!
//! All work on the same program, keep its results to the bit, and its first failure with the words
//! of the message. In debug builds the [`verify`] pass runs after each.

mod dominators;
mod params;
mod reach;
#[cfg(any(test, debug_assertions))]
mod verify;

#[cfg(test)]
mod random;

use crate::ir::{Function, Stats};

/// Runs all passes over a function; what each of them did.
pub(crate) fn run(function: &mut Function) -> Stats {
    let stats = Stats::default();
    reach::remove_unreachable(function);
    params::remove_constant(function);
    check(function, "params");
    stats
}

/// Stops where a pass left a function that makes no sense.
#[cfg(any(test, debug_assertions))]
fn check(function: &Function, pass: &str) {
    if let Err(error) = verify::verify(function) {
        panic!("{pass} breaks {}: {error}", function.name);
    }
}

#[cfg(not(any(test, debug_assertions)))]
fn check(_function: &Function, _pass: &str) {}
