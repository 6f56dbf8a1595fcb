//! Products of a matrix and a vector, which read every element of it once.

use opwright_runtime::dtype::Number;
use opwright_runtime::{Result, buffer, interrupt, parallel};

use super::coefficients::Product;
use super::operands::{Matrix, Operands, for_bands};

/// The elements of the matrix that make a band of rows.
const GRAIN: usize = 32_768;

/// How much of a column makes a band for one of several threads: the next column is far away.
const COLUMN: usize = 512;

/// The product with the only column of the right matrix.
///
/// # Safety
///
/// As for [`super::gemm::Multiply::multiply`].
pub(super) unsafe fn run<T: Number>(product: &Product<T>, at: Operands) -> Result<()> {
    let mut copied = Vec::new();
    // SAFETY: these are elements of the right factor, which nobody writes to.
    let x = unsafe { at.b.row_major(&mut copied) }?;
    let steps = at.a.steps::<T>();
    let has_columns = steps.0 == 1 && steps.1 != 1;
    let band = match parallel::get_num_threads() {
        _ if !has_columns => (GRAIN / at.a.columns.max(1)).max(1),
        1 => BLOCK,
        _ => COLUMN,
    };
    for_bands(at.a.rows, band, band * at.a.columns, &|rows| {
        let Operands { a, out, .. } = at.rows(rows);
        // SAFETY: these are rows of the caller's matrices, and no other band has them.
        unsafe {
            if has_columns {
                for (row, &sum) in by_columns(a, x)?.iter().enumerate() {
                    product.store(sum, out.at(row, 0));
                }
            } else {
                for row in 0..a.rows {
                    product.store(dot(a, row, x), out.at(row, 0));
                }
            }
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
///
/// # Safety
///
/// The elements are there, and nobody writes to them meanwhile.
unsafe fn by_columns<T: Number>(a: Matrix, x: &[T]) -> Result<Vec<T>> {
    let mut sums = buffer::filled(a.rows, T::ZERO)?;
    for (block, start) in sums.chunks_mut(BLOCK).zip((0..).step_by(BLOCK)) {
        let columns = a.rows(start..start + block.len()).transposed();
        // SAFETY: these are elements of the matrix.
        let column = |j: usize| unsafe { columns.row(j) }.expect("neighbours are a slice");
        let (groups, rest) = x.as_chunks::<TOGETHER>();
        for (k, factors) in groups.iter().enumerate() {
            if k % BETWEEN_CHECKS == BETWEEN_CHECKS - 1 {
                interrupt::check();
            }
            let mut columns = [&[][..]; TOGETHER];
            for (j, it) in columns.iter_mut().enumerate() {
                *it = column(TOGETHER * k + j);
            }
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

/// The sum of products of a row, of neighbours in memory or others, with as many elements.
///
/// # Safety
///
/// The elements are there, and nobody writes to them meanwhile.
unsafe fn dot<T: Number>(a: Matrix, row: usize, b: &[T]) -> T {
    // SAFETY: these are elements of the matrix.
    if let Some(row) = unsafe { a.row(row) } {
        return dot_slices(row, b);
    }
    let mut sum = T::ZERO;
    for (column, &b) in b.iter().enumerate() {
        interrupt::check_at(column + 1);
        // SAFETY: there are as many columns.
        sum = sum.plus(unsafe { a.at::<T>(row, column).read() }.times(b));
    }
    sum
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
