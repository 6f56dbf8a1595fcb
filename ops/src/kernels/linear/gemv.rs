//! Products of a matrix and a vector, which read every element of it once.

use ndarray::{ArrayView1, ArrayView2, ArrayViewMut1, Axis, Slice};
use opwright_runtime::dtype::Number;
use opwright_runtime::{Result, buffer, interrupt};

use super::bands::for_bands;
use super::gemm::Product;
use super::slot::Slot;

/// The elements of the matrix that make a band of rows.
const GRAIN: usize = 32_768;

/// How much of a column makes a band at least: pieces of other columns are far away.
const COLUMN: usize = 1024;

/// The product with the only column of the right matrix.
pub(super) fn run<T: Number, S: Slot<T>>(
    product: Product<'_, T>,
    out: ArrayViewMut1<'_, S>,
) -> Result<()> {
    let a = product.a;
    let x = buffer::standard(product.b.column(0))?;
    let x = x.as_slice().expect("a vector in standard layout is a slice");
    let has_columns = a.strides()[0] == 1 && a.strides()[1] != 1;
    let band = if has_columns { COLUMN } else { (GRAIN / a.ncols().max(1)).max(1) };
    for_bands(out, Axis(0), band, band * a.ncols(), &|start, mut out| {
        let a = a.slice_axis_move(Axis(0), Slice::from(start..start + out.len()));
        if has_columns {
            let sums = by_columns(a, x)?;
            out.iter_mut().zip(sums).for_each(|(slot, sum)| product.store(sum, slot));
        } else {
            by_rows(a, x, |i, sum| product.store(sum, &mut out[i]));
        }
        Ok(())
    })
}

/// Passes the sum of products of each row on.
fn by_rows<T: Number>(a: ArrayView2<'_, T>, x: &[T], mut store: impl FnMut(usize, T)) {
    for (pair, rows) in a.axis_chunks_iter(Axis(0), 2).enumerate() {
        let row = |i| rows.index_axis_move(Axis(0), i);
        if rows.nrows() == 2
            && let (Some(first), Some(second)) = (row(0).to_slice(), row(1).to_slice())
        {
            let sums = dot_slices([first, second], x);
            store(2 * pair, sums[0]);
            store(2 * pair + 1, sums[1]);
        } else {
            rows.rows().into_iter().enumerate().for_each(|(i, it)| store(2 * pair + i, dot(it, x)));
        }
    }
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
        Some(a) => {
            let [sum] = dot_slices([a], b);
            sum
        }
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

/// The sums of products of rows with the same other factor.
fn dot_slices<T: Number, const ROWS: usize>(rows: [&[T]; ROWS], b: &[T]) -> [T; ROWS] {
    if b.len() > LONGEST_SUM {
        if b.len() > WORTH_CHECKING {
            interrupt::check();
        }
        let half = (b.len() / 2).next_multiple_of(LANES);
        let first = dot_slices(rows.map(|it| &it[..half]), &b[..half]);
        let second = dot_slices(rows.map(|it| &it[half..]), &b[half..]);
        return std::array::from_fn(|row| first[row].plus(second[row]));
    }
    let mut sums = [T::ZERO; ROWS];
    dot_short(&rows, b, &mut sums);
    sums
}

opwright_runtime::multiversion! {
    /// The same for short rows.
    fn dot_short<T>(rows: &[&[T]], b: &[T], out: &mut [T])
    where
        [T: Number]
    {
        match rows {
            [first, second] => {
                let sums = dot_lanes([first, second], b);
                out.copy_from_slice(&sums);
            }
            _ => rows.iter().zip(out).for_each(|(row, out)| [*out] = dot_lanes([row], b)),
        }
    }
}

#[inline(always)]
fn dot_lanes<T: Number, const ROWS: usize>(rows: [&[T]; ROWS], b: &[T]) -> [T; ROWS] {
    let mut sums = [[T::ZERO; LANES]; ROWS];
    let (b, b_rest) = b.as_chunks::<LANES>();
    let rows = rows.map(|it| it.as_chunks::<LANES>());
    let chunks = rows.map(|(chunks, _)| &chunks[..b.len()]);
    for (k, b) in b.iter().enumerate() {
        for row in 0..ROWS {
            let a = &chunks[row][k];
            for lane in 0..LANES {
                sums[row][lane] = sums[row][lane].plus(a[lane].times(b[lane]));
            }
        }
    }
    std::array::from_fn(|row| {
        let rest = rows[row].1.iter().zip(b_rest).map(|(&a, &b)| a.times(b));
        let rest = rest.fold(T::ZERO, Number::plus);
        sums[row].into_iter().fold(rest, Number::plus)
    })
}

/// Independent sums, for the compiler to keep in vector registers.
const LANES: usize = 16;
