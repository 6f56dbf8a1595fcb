//! Products of a matrix and a vector, which read every element of it once.

use ndarray::{ArrayView1, ArrayView2, ArrayViewMut1, Axis, Slice};
use opwright_runtime::dtype::Number;
use opwright_runtime::{Result, buffer, interrupt, parallel};

use super::bands::for_bands;
use super::gemm::Product;
use super::slot::Slot;

/// The elements of the matrix that make a band of rows.
const GRAIN: usize = 32_768;

/// How much of a column makes a band for one of several threads: the next column is far away.
const COLUMN: usize = 512;

/// The product with the only column of the right matrix.
pub(super) fn run<T: Number, S: Slot<T>>(
    product: Product<'_, T>,
    out: ArrayViewMut1<'_, S>,
) -> Result<()> {
    let a = product.a;
    let x = buffer::standard(product.b.column(0))?;
    let x = x.as_slice().expect("a vector in standard layout is a slice");
    let has_columns = a.strides()[0] == 1 && a.strides()[1] != 1;
    let band = match parallel::get_num_threads() {
        _ if !has_columns => (GRAIN / a.ncols().max(1)).max(1),
        1 => BLOCK,
        _ => COLUMN,
    };
    for_bands(out, Axis(0), band, band * a.ncols(), &|start, mut out| {
        let a = a.slice_axis_move(Axis(0), Slice::from(start..start + out.len()));
        if has_columns {
            let sums = by_columns(a, x)?;
            out.iter_mut().zip(sums).for_each(|(slot, sum)| product.store(sum, slot));
        } else {
            out.iter_mut().zip(a.rows()).for_each(|(slot, row)| product.store(dot(row, x), slot));
        }
        Ok(())
    })
}

/// How many sums are kept at a time: few enough for the nearest cache.
const BLOCK: usize = 2048;

/// How often the columns of a block are looked at between two checks for an interrupt.
const BETWEEN_CHECKS: usize = 1024;

/// How many columns are added up at a time.
const TOGETHER: usize = 8;

/// Adds up multiples of the columns, whose elements are neighbours.
fn by_columns<T: Number>(a: ArrayView2<'_, T>, x: &[T]) -> Result<Vec<T>> {
    let mut sums = buffer::filled(a.nrows(), T::ZERO)?;
    for (block, a) in sums.chunks_mut(BLOCK).zip(a.axis_chunks_iter(Axis(0), BLOCK)) {
        let column = |j: usize| a.column(j).to_slice().expect("neighbours in memory are a slice");
        let (groups, rest) = x.as_chunks::<TOGETHER>();
        for (k, factors) in groups.iter().enumerate() {
            if k % BETWEEN_CHECKS == BETWEEN_CHECKS - 1 {
                interrupt::check();
            }
            let columns: [&[T]; TOGETHER] = std::array::from_fn(|j| column(TOGETHER * k + j));
            add_columns(block, &columns, factors);
        }
        for (k, &factor) in rest.iter().enumerate() {
            for (sum, &value) in block.iter_mut().zip(column(TOGETHER * groups.len() + k)) {
                *sum = sum.plus(factor.times(value));
            }
        }
    }
    Ok(sums)
}

opwright_runtime::multiversion! {
    /// Adds multiples of columns, in their order, to sums.
    fn add_columns<T>(sums: &mut [T], columns: &[&[T]; TOGETHER], factors: &[T; TOGETHER])
    where
        [T: Number]
    {
        let count = sums.len();
        let mut cut = [&[][..]; TOGETHER];
        for j in 0..TOGETHER {
            cut[j] = &columns[j][..count];
        }
        for i in 0..count {
            let mut sum = sums[i];
            for j in 0..TOGETHER {
                sum = sum.plus(factors[j].times(cut[j][i]));
            }
            sums[i] = sum;
        }
    }
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
    if a.len() <= LONGEST_SUM {
        return dot_short(a, b);
    }
    if a.len() > WORTH_CHECKING {
        interrupt::check();
    }
    let half = (a.len() / 2).next_multiple_of(LANES);
    dot_slices(&a[..half], &b[..half]).plus(dot_slices(&a[half..], &b[half..]))
}

opwright_runtime::multiversion! {
    /// The sum of products of a few neighbours in memory.
    fn dot_short<T>(a: &[T], b: &[T]) -> T
    where
        [T: Number]
    {
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
}

/// Independent sums, for the compiler to keep in vector registers.
const LANES: usize = 16;
