//! Products of a matrix and a vector, which read every element of it once.

use ndarray::{ArrayView1, ArrayView2, ArrayViewMut1, Axis, Slice};
use opwright_runtime::dtype::Number;
use opwright_runtime::{Result, buffer, interrupt};

use super::bands::for_bands;

/// The elements of the matrix that make a band.
const GRAIN: usize = 32_768;

/// How much of a column makes a band at least: short loops take long.
const COLUMN: usize = 256;

/// `out = alpha * a @ x + beta * out`; with `beta` zero, `out` is not read.
pub(super) fn run<T: Number>(
    alpha: T,
    a: ArrayView2<'_, T>,
    x: ArrayView1<'_, T>,
    beta: T,
    out: ArrayViewMut1<'_, T>,
) -> Result<()> {
    let x = buffer::standard(x)?;
    let x = x.as_slice().expect("a vector in standard layout is a slice");
    let has_columns = a.strides()[0] == 1 && a.strides()[1] != 1;
    let least = if has_columns { COLUMN } else { 1 };
    let band = (GRAIN / a.ncols().max(1)).max(least);
    for_bands(out, Axis(0), band, band * a.ncols(), &|start, mut out| {
        let a = a.slice_axis_move(Axis(0), Slice::from(start..start + out.len()));
        let mut store = |i: usize, value: T| {
            let slot = &mut out[i];
            let scaled = alpha.times(value);
            *slot = if beta == T::ZERO { scaled } else { scaled.plus(beta.times(*slot)) };
        };
        if has_columns {
            by_columns(a, x)?.into_iter().enumerate().for_each(|(i, sum)| store(i, sum));
        } else {
            by_rows(a, x).enumerate().for_each(|(i, sum)| store(i, sum));
        }
        Ok(())
    })
}

fn by_rows<T: Number>(a: ArrayView2<'_, T>, x: &[T]) -> impl Iterator<Item = T> {
    (0..a.nrows()).map(move |i| dot(a.row(i), x))
}

/// How many sums are kept at a time: few enough for the nearest cache.
const BLOCK: usize = 2048;

/// How often the columns of a block are looked at between two checks for an interrupt.
const BETWEEN_CHECKS: usize = 1024;

/// Adds up multiples of the columns, whose elements are neighbours.
fn by_columns<T: Number>(a: ArrayView2<'_, T>, x: &[T]) -> Result<Vec<T>> {
    let mut sums = buffer::filled(a.nrows(), T::ZERO)?;
    for (block, a) in sums.chunks_mut(BLOCK).zip(a.axis_chunks_iter(Axis(0), BLOCK)) {
        let column = |j: usize| a.column(j).to_slice().expect("neighbours in memory are a slice");
        let (fours, rest) = x.as_chunks::<4>();
        for (k, factors) in fours.iter().enumerate() {
            if k % BETWEEN_CHECKS == BETWEEN_CHECKS - 1 {
                interrupt::check();
            }
            let columns = [0, 1, 2, 3].map(|j| &column(4 * k + j)[..block.len()]);
            for (i, sum) in block.iter_mut().enumerate() {
                for (factor, column) in factors.iter().zip(&columns) {
                    *sum = sum.plus(factor.times(column[i]));
                }
            }
        }
        for (k, &factor) in rest.iter().enumerate() {
            for (sum, &value) in block.iter_mut().zip(column(4 * fours.len() + k)) {
                *sum = sum.plus(factor.times(value));
            }
        }
    }
    Ok(sums)
}

/// The sum of products, of neighbours in memory or others.
pub(crate) fn dot<T: Number>(a: ArrayView1<'_, T>, b: &[T]) -> T {
    match a.as_slice() {
        Some(a) => dot_slices(a, b),
        None => {
            let products = interrupt::checked(a.iter().zip(b)).map(|(&a, &b)| a.times(b));
            products.fold(T::ZERO, Number::plus)
        }
    }
}

/// Longer sums are made of two halves, so that rounding errors do not pile up.
const LONGEST_SUM: usize = 1024;

/// Shorter sums are over before anybody could interrupt.
const WORTH_CHECKING: usize = 1 << 20;

fn dot_slices<T: Number>(a: &[T], b: &[T]) -> T {
    if a.len() > LONGEST_SUM {
        if a.len() > WORTH_CHECKING {
            interrupt::check();
        }
        let half = (a.len() / 2).next_multiple_of(LANES);
        return dot_slices(&a[..half], &b[..half]).plus(dot_slices(&a[half..], &b[half..]));
    }
    let mut sums = [T::ZERO; LANES];
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<LANES>(), b.as_chunks::<LANES>());
    for (a, b) in a.iter().zip(b) {
        for lane in 0..LANES {
            sums[lane] = sums[lane].plus(a[lane].times(b[lane]));
        }
    }
    let rest = a_rest.iter().zip(b_rest).map(|(&a, &b)| a.times(b));
    let rest = rest.fold(T::ZERO, Number::plus);
    sums.into_iter().fold(rest, Number::plus)
}

/// Independent sums, for the compiler to keep in vector registers.
const LANES: usize = 16;
