//! What is done to a function after it was typed.

mod params;
mod reach;

use crate::ir::Function;

/// Runs all passes over a function.
pub(crate) fn run(function: &mut Function) {
    reach::remove_unreachable(function);
    params::remove_constant(function);
}
