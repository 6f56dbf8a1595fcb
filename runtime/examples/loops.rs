//! How the loops of this crate compare with loops written by hand.
//!
//! `cargo run --release --example loops -p opwright-runtime`

use std::hint::black_box;
use std::time::Instant;

use opwright_runtime::geometry::DimSet;
use opwright_runtime::reduce::{Fold, reduce};
use opwright_runtime::structured::rule;
use opwright_runtime::{DType, Device, Scalar, Tensor, iterate, view};

fn main() {
    iterate::set_num_threads(1).unwrap();
    println!("{:>9} {:>22} {:>10} {:>10} {:>7}", "elements", "loop", "by hand", "here", "ratio");
    for count in [1_000, 10_000, 100_000, 1_000_000] {
        compare(count);
    }
    small();
}

/// Two loops over the same data, in nanoseconds per call.
fn row(count: usize, name: &str, by_hand: impl FnMut(), here: impl FnMut()) {
    let (a, b) = (nanos(by_hand), nanos(here));
    println!("{count:>9} {name:>22} {a:>10.0} {b:>10.0} {:>7.2}", b / a);
}

/// The best of several rounds.
fn nanos(mut f: impl FnMut()) -> f64 {
    let start = Instant::now();
    f();
    let once = start.elapsed().as_nanos().max(20);
    let times = (2_000_000 / once).clamp(1, 100_000) as u32;
    let round = |f: &mut dyn FnMut()| {
        let start = Instant::now();
        for _ in 0..times {
            f();
        }
        start.elapsed().as_nanos() as f64 / f64::from(times)
    };
    (0..15).map(|_| round(&mut f)).fold(f64::INFINITY, f64::min)
}

fn ramp(count: usize) -> (Vec<f32>, Tensor) {
    let values: Vec<f32> = (0..count).map(|it| it as f32 * 0.5).collect();
    let tensor = Tensor::from_slice(&[count as i64], &values).unwrap();
    (values, tensor)
}

fn compare(count: usize) {
    let ((x, tx), (y, ty)) = (ramp(count), ramp(count));
    let (mut z, mut tz) = ramp(count);
    row(
        count,
        "x + y",
        || sums(black_box(&x), black_box(&y), black_box(&mut z)),
        || iterate::binary(&tx, &ty, &mut tz, |a: f32, b: f32| a + b).unwrap(),
    );
    let one = Tensor::wrapped_number(Scalar::Float(1.5)).unwrap();
    row(
        count,
        "x + 1.5",
        || increments(black_box(&x), black_box(1.5), black_box(&mut z)),
        || iterate::binary(&tx, &one, &mut tz, |a: f32, b: f32| a + b).unwrap(),
    );
    let alias = tz.clone();
    row(
        count,
        "z += y",
        || accumulate(black_box(&mut z), black_box(&y)),
        || iterate::binary(&alias, &ty, &mut tz, |a: f32, b: f32| a + b).unwrap(),
    );
    let mut total = Tensor::allocate(&[], DType::Float32, Device::Cpu).unwrap();
    row(
        count,
        "total of x",
        || _ = black_box(total_of(black_box(&x))),
        || total_into(&tx, DimSet::single(0), &mut total),
    );
    let square = view::with_shape(&tx, &[count as i64 / 100, 100]).unwrap().unwrap();
    let mut columns = Tensor::allocate(&[100], DType::Float32, Device::Cpu).unwrap();
    row(
        count,
        "totals of columns",
        || _ = black_box(total_of(black_box(&x))),
        || total_into(&square, DimSet::single(0), &mut columns),
    );
    let short = view::with_shape(&tx, &[count as i64 / 4, 4]).unwrap().unwrap();
    let mut rows = Tensor::allocate(&[count as i64 / 4], DType::Float32, Device::Cpu).unwrap();
    row(
        count,
        "totals of rows of 4",
        || fours(black_box(&x), black_box(&mut z)),
        || total_into(&short, DimSet::single(1), &mut rows),
    );
    let turned = view::transpose(&square, 0, 1).unwrap();
    let mut turned_out = Tensor::allocate(turned.shape(), DType::Float32, Device::Cpu).unwrap();
    row(
        count,
        "transposed copy",
        || black_box(&mut z).copy_from_slice(black_box(&x)),
        || turned_out.copy_from(&turned).unwrap(),
    );
    let mut wide = Tensor::allocate(&[count as i64], DType::Float64, Device::Cpu).unwrap();
    row(
        count,
        "x + y to double",
        || sums(black_box(&x), black_box(&y), black_box(&mut z)),
        || iterate::binary(&tx, &ty, &mut wide, |a: f32, b: f32| a + b).unwrap(),
    );
}

#[inline(never)]
fn sums(x: &[f32], y: &[f32], z: &mut [f32]) {
    for ((z, x), y) in z.iter_mut().zip(x).zip(y) {
        *z = x + y;
    }
}

#[inline(never)]
fn increments(x: &[f32], by: f32, z: &mut [f32]) {
    for (z, x) in z.iter_mut().zip(x) {
        *z = x + by;
    }
}

#[inline(never)]
fn accumulate(z: &mut [f32], y: &[f32]) {
    for (z, y) in z.iter_mut().zip(y) {
        *z += y;
    }
}

#[inline(never)]
fn total_of(x: &[f32]) -> f32 {
    let (chunks, rest) = x.as_chunks::<16>();
    let mut lanes = [0.0; 16];
    for chunk in chunks {
        for (lane, value) in lanes.iter_mut().zip(chunk) {
            *lane += value;
        }
    }
    lanes.iter().sum::<f32>() + rest.iter().sum::<f32>()
}

#[inline(never)]
fn fours(x: &[f32], z: &mut [f32]) {
    for (z, [a, b, c, d]) in z.iter_mut().zip(x.as_chunks::<4>().0) {
        *z = a + b + c + d;
    }
}

fn total_into(x: &Tensor, dims: DimSet, out: &mut Tensor) {
    let fold = Fold {
        start: 0.0_f32,
        fold: |all, it: f32| all + it,
        combine: |a, b| a + b,
        finish: |all| all,
    };
    reduce(x, dims, out, fold).unwrap();
}

/// Calls on four elements, where everything but the loop counts.
fn small() {
    let (_, x) = ramp(4);
    let (_, y) = ramp(4);
    let two = || Scalar::Float(2.0);
    let report = |name: &str, f: &mut dyn FnMut()| println!("{name:>43} {:>10.1} ns", nanos(f));
    report("allocate", &mut || {
        black_box(Tensor::allocate(&[4], DType::Float32, Device::Cpu).unwrap());
    });
    report("wrapped number", &mut || drop(black_box(Tensor::wrapped_number(two()).unwrap())));
    report("view", &mut || drop(black_box(view::narrow(&x, 0, 1, 2).unwrap())));
    report("rule, allocate, x + y", &mut || {
        let mut out = rule::elementwise(&[&x, &y]).unwrap().allocate().unwrap();
        iterate::binary(&x, &y, &mut out, |a: f32, b: f32| a + b).unwrap();
        black_box(out);
    });
    report("number, rule, allocate, x + 2.0", &mut || {
        let number = Tensor::wrapped_number(two()).unwrap();
        let mut out = rule::elementwise(&[&x, &number]).unwrap().allocate().unwrap();
        iterate::binary(&x, &number, &mut out, |a: f32, b: f32| a + b).unwrap();
        black_box(out);
    });
    report("rule, target, x += y", &mut || {
        let mut receiver = x.clone();
        let input = receiver.clone();
        let spec = rule::elementwise(&[&input, &y]).unwrap();
        let mut target = spec.target_inplace(&receiver, &[&y]).unwrap();
        iterate::binary(&input, &y, target.tensor(), |a: f32, b: f32| a.min(b)).unwrap();
        target.finish(&mut receiver).unwrap();
    });
    let mut total = Tensor::allocate(&[], DType::Float32, Device::Cpu).unwrap();
    report("total of x", &mut || total_into(&x, DimSet::single(0), &mut total));
}
