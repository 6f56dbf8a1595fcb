//! Passes over a typed function: one in each file, named as the field names it.
//!
//! All work on the same program, keep its results to the bit, but for contraction where that is asked
//! for, and its first failure with the words of the message. In debug builds the [`verify`] pass runs after each.

mod bounds_check_elim;
mod compact;
mod constant_fold;
mod constants;
mod contract;
mod cse;
mod dce;
mod dominators;
pub(crate) mod dual;
mod hash;
mod if_convert;
mod induction;
mod licm;
mod loop_unroll;
mod loops;
pub(crate) mod mutated;
mod params;
mod peephole;
mod ranges;
mod reach;
mod simplify_cfg;
pub(crate) mod slp;
mod substitution;
mod transfer;
#[cfg(debug_assertions)]
mod verify;

#[cfg(test)]
mod random;
#[cfg(test)]
mod tests;

use self::dominators::Dominators;
use crate::ir::{Function, Stats};

/// How often the passes run: the second time if conditions were decided.
const MAX_ROUNDS: usize = 2;

/// Runs all passes over a function; what each of them did.
pub(crate) fn run(function: &mut Function) -> Stats {
    let mut stats = Stats::default();
    reach::remove_unreachable(function);
    params::remove_constant(function);
    check(function, "params");
    for _ in 0..MAX_ROUNDS {
        let is_unrolled = loop_unroll::run(function, &mut stats);
        check(function, "loop_unroll");
        if !(round(function, &mut stats) || is_unrolled) {
            break;
        }
    }
    if_convert::run(function, &mut stats);
    check(function, "if_convert");
    slp::run(function);
    check(function, "slp");
    compact::run(function);
    check(function, "compact");
    stats
}

/// Contracts products and sums, where it is permitted that this changes results.
pub(crate) fn contract(function: &mut Function, stats: &mut Stats) {
    contract::run(function);
    check(function, "contract");
    dce::run(function, stats);
    compact::run(function);
    check(function, "compact");
}

/// Runs each pass once; whether that left something for another round.
fn round(function: &mut Function, stats: &mut Stats) -> bool {
    constant_fold::run(function, stats);
    check(function, "constant_fold");
    simplify_cfg::run(function, stats);
    params::remove_constant(function);
    check(function, "simplify_cfg");
    let tree = Dominators::new(function);
    cse::run(function, &tree, stats);
    stats.shared += induction::merge_congruent(function, &tree);
    check(function, "cse");
    let checks = stats.bounds;
    let is_decided = bounds_check_elim::run(function, &tree, stats);
    check(function, "bounds_check_elim");
    if stats.bounds != checks {
        // Addresses of the same index are equal now.
        cse::run(function, &tree, stats);
    }
    licm::run(function, &tree, stats);
    check(function, "licm");
    dce::run(function, stats);
    check(function, "dce");
    let blocks = stats.blocks;
    simplify_cfg::run(function, stats);
    check(function, "simplify_cfg");
    is_decided || stats.blocks != blocks
}

/// Stops where a pass left a function that makes no sense.
#[cfg(debug_assertions)]
fn check(function: &Function, pass: &str) {
    if let Err(error) = verify::verify(function) {
        panic!("{pass} breaks {}: {error}", function.name);
    }
}

#[cfg(not(debug_assertions))]
fn check(_function: &Function, _pass: &str) {}
