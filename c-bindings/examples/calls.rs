//! Nanoseconds that calls take in Rust: what `xtask/bench/c.c` measures in C.

use std::hint::black_box;
use std::time::Instant;

use opwright_c_bindings::ops;
use opwright_c_bindings::runtime::{Result, Scalar, Tensor};

const CALLS: u32 = 200_000;
const ROUNDS: usize = 15;

/// The quickest of some rounds, so that what else the machine does counts less.
fn nanoseconds(mut call: impl FnMut() -> Result<()>) -> Result<f64> {
    let mut best = f64::INFINITY;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        for _ in 0..CALLS {
            call()?;
        }
        best = best.min(start.elapsed().as_secs_f64() * 1e9 / f64::from(CALLS));
    }
    Ok(best)
}

fn main() -> Result<()> {
    let x = Tensor::from_slice(&[4], &[1.0_f32, 2.0, 3.0, 4.0])?;
    let square = Tensor::from_slice(&[2, 2], &[1.0_f32, 2.0, 3.0, 4.0])?;
    let add = nanoseconds(|| {
        black_box(ops::add::Tensor::call(black_box(&x), &x, Scalar::Int(1))?);
        Ok(())
    })?;
    let mm = nanoseconds(|| {
        black_box(ops::mm::Default_::call(black_box(&square), &square)?);
        Ok(())
    })?;
    println!("Rust  add of 4 elements {add:6.1} ns   mm of 2 by 2 {mm:6.1} ns");
    Ok(())
}
