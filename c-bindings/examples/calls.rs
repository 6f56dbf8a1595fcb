//! Nanoseconds that calls take in Rust, and the same calls through the functions for C, in
//! alternation, for `cargo xtask bench c`.

use std::hint::black_box;
use std::ptr;
use std::time::Instant;

use opwright_c_bindings::runtime::{Result, Scalar, Tensor};
use opwright_c_bindings::{Status, ops};

const CALLS: u32 = 20_000;
const ROUNDS: usize = 50;

/// `ow_tensor`
#[repr(C)]
struct Handle([u8; 0]);

/// `ow_scalar`
#[derive(Clone, Copy)]
#[repr(C)]
struct Number {
    kind: i32,
    int: i64,
    real: f64,
    imaginary: f64,
}

/// `ow_scalar_int(1)`
const ONE: Number = Number { kind: 2, int: 1, real: 0.0, imaginary: 0.0 };
/// `OW_FLOAT32`
const FLOAT32: i32 = opwright_c_bindings::runtime::DType::Float32 as i32;

unsafe extern "C" {
    fn ow_tensor_from_data(
        data: *const f32,
        sizes: *const i64,
        ndim: usize,
        dtype: i32,
        result: *mut *mut Handle,
    ) -> Status;
    fn ow_tensor_free(tensor: *mut Handle);
    fn ow_add_tensor(
        a: *const Handle,
        b: *const Handle,
        alpha: Number,
        result: *mut *mut Handle,
    ) -> Status;
    fn ow_mm(a: *const Handle, b: *const Handle, result: *mut *mut Handle) -> Status;
}

/// The quickest of rounds in which both have a turn, so that what else the machine does counts less.
fn nanoseconds(calls: [&mut dyn FnMut(); 2]) -> [f64; 2] {
    let mut best = [f64::INFINITY; 2];
    let [one, other] = calls;
    for _ in 0..ROUNDS {
        for (call, best) in [&mut *one, &mut *other].into_iter().zip(&mut best) {
            let start = Instant::now();
            (0..CALLS).for_each(|_| call());
            *best = best.min(start.elapsed().as_secs_f64() * 1e9 / f64::from(CALLS));
        }
    }
    best
}

/// A tensor as C has it.
fn handle(data: &[f32; 4], sizes: &[i64]) -> *mut Handle {
    let mut made = ptr::null_mut();
    // SAFETY: there are as many sizes as said, and as many numbers as they make.
    let status = unsafe {
        ow_tensor_from_data(data.as_ptr(), sizes.as_ptr(), sizes.len(), FLOAT32, &raw mut made)
    };
    assert!(status.is_null(), "a tensor of four elements");
    made
}

/// What a function for C gives, freed again.
fn freed(call: impl FnOnce(*mut *mut Handle) -> Status) {
    let mut result = ptr::null_mut();
    assert!(call(&raw mut result).is_null(), "a call that succeeds");
    // SAFETY: it was just made, and nobody else has it.
    unsafe { ow_tensor_free(result) };
}

fn main() -> Result<()> {
    let data = [1.0_f32, 2.0, 3.0, 4.0];
    let (x, square) = (Tensor::from_slice(&[4], &data)?, Tensor::from_slice(&[2, 2], &data)?);
    let (c_x, c_square) = (handle(&data, &[4]), handle(&data, &[2, 2]));
    let add = nanoseconds([
        &mut || drop(black_box(ops::add::Tensor::call(black_box(&x), &x, Scalar::Int(1)))),
        // SAFETY: the tensor is there until the end.
        &mut || freed(|result| unsafe { ow_add_tensor(black_box(c_x), c_x, ONE, result) }),
    ]);
    let mm = nanoseconds([
        &mut || drop(black_box(ops::mm::Default_::call(black_box(&square), &square))),
        // SAFETY: as above.
        &mut || freed(|result| unsafe { ow_mm(black_box(c_square), c_square, result) }),
    ]);
    for (name, [rust, c]) in [("add", add), ("mm", mm)] {
        println!("{name}, Rust\t{rust:.1}\n{name}, C\t{c:.1}");
    }
    // SAFETY: nobody uses them any more.
    unsafe {
        ow_tensor_free(c_x);
        ow_tensor_free(c_square);
    }
    Ok(())
}
