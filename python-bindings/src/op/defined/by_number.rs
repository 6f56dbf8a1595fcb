//! Functions without data for rows of operators that are defined at run time: a row's `call` is a
//! plain function, so each of these knows a number, by which the operator is found.
//!
//! This is what libffi calls static trampolines: a table of functions that are there beforehand, so
//! that no code is written at run time. So there is a last one. A number is never given to another
//! operator, also when its own is replaced: rows are kept by graphs, which go on calling what they were
//! built with. Rows stay for the process, and so do their numbers, 60 bytes of the library each; who
//! defines more than a thousand operators makes them in a loop, where one with an argument would do.

use opwright_runtime::Result;
use opwright_runtime::op::{Results, Value};

/// What a row calls.
pub(super) type NumberedFn = fn(&mut [Value]) -> Result<Results>;

/// The function that calls the operator of a number; none if there are no more.
pub(super) fn call(number: usize) -> Option<NumberedFn> {
    CALLS.get(number / WIDTH)?.get(number % WIDTH).copied()
}

/// How many operators there can be.
pub(super) const MOST: usize = WIDTH * WIDTH;

const WIDTH: usize = 32;

static CALLS: [[NumberedFn; WIDTH]; WIDTH] = rows();

fn numbered<const HIGH: usize, const LOW: usize>(values: &mut [Value]) -> Result<Results> {
    super::call(HIGH * WIDTH + LOW, values)
}

macro_rules! each_low {
    ($high:literal: $($low:literal)*) => { [$(numbered::<$high, $low>),*] };
}

macro_rules! each_high {
    ($($high:literal)*) => {
        [$(each_low!($high:
            0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31
        )),*]
    };
}

const fn rows() -> [[NumberedFn; WIDTH]; WIDTH] {
    each_high!(
        0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31
    )
}
