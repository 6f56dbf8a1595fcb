//! Sums along a dimension, of one row at once, and the softmax of many rows side by side.

use std::mem::MaybeUninit;

use opwright_runtime::dtype::{Element, Float};
use opwright_runtime::parallel::Pointer;
use opwright_runtime::{Result, Tensor, multiversion, parallel};
use opwright_vecmath::elementary::Elementary;

use super::softmax::exponentials;

/// Which of two functions of exponentials.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Their share of the sum.
    Share,
    /// Its logarithm.
    Logarithm,
}

/// How many sums are calculated side by side: their lines stay in the nearest
/// cache.
const WIDTH: usize = 64;

/// Neighbours in memory that go through a dimension side by side.
struct LaneBlock<'a, T> {
    /// The tensor from the first line of the block on.
    input: &'a [T],
    /// The same place in the output.
    out: Pointer<MaybeUninit<T>>,
    /// The size of the dimension.
    lines: usize,
    /// The distance from one line to the next.
    stride: usize,
    /// How many neighbours there are, at most [`WIDTH`].
    width: usize,
}

/// Writes the softmax of a contiguous tensor along `dim`, which is not the innermost one, to a
/// contiguous one of the same shape: neighbours in memory belong to different sums.
pub(super) fn softmax_side_by_side<T: Element + Float + Elementary>(
    input: &Tensor,
    dim: usize,
    out: &mut Tensor,
    form: Form,
) -> Result<()> {
    let size = |dims: &[i64]| dims.iter().product::<i64>() as usize;
    let shape = input.shape();
    let (outer, lines, stride) =
        (size(&shape[..dim]), shape[dim] as usize, size(&shape[dim + 1..]));
    // SAFETY: the output is other memory, and threads that share a tensor leave
    // it alone while an operator uses it.
    let (input, mut room) = unsafe { (input.as_slice::<T>()?, out.overwrite_view::<T>()?) };
    let target = Pointer(room.as_mut_ptr());
    let blocks = stride.div_ceil(WIDTH);
    parallel::share(outer * blocks, lines * WIDTH, &|range| {
        for index in range {
            let column = index % blocks * WIDTH;
            let first = index / blocks * lines * stride + column;
            // SAFETY: the output has as many elements as the input, and blocks
            // are disjoint.
            let out = Pointer(unsafe { target.at(first as isize) });
            let width = WIDTH.min(stride - column);
            let block = LaneBlock { input: &input[first..], out, lines, stride, width };
            softmax_of(&block, form);
        }
    });
    // SAFETY: every block has been written.
    unsafe { out.assume_written() };
    Ok(())
}

multiversion! {
    /// Writes what belongs to a block.
    fn softmax_of<const FMA: bool, T>(block: &LaneBlock<'_, T>, form: Form)
    where
        [T: Float + Elementary]
    {
        // Taken off first, so that no exponential is too large.
        let mut greatest = [T::LOWEST; WIDTH];
        for line in 0..block.lines {
            for (all, &x) in greatest.iter_mut().zip(block.line(line)) {
                *all = if x > *all { x } else { *all };
            }
        }
        let mut total = [T::ZERO; WIDTH];
        match form {
            Form::Share => {
                for line in 0..block.lines {
                    let powers = block.out_line(line).write_copy_of_slice(block.line(line));
                    raise::<FMA, T>(powers, &greatest, &mut total);
                }
                let scale = total.map(T::recip);
                for line in 0..block.lines {
                    // SAFETY: powers were written to all lines.
                    let powers = unsafe { block.out_line(line).assume_init_mut() };
                    for (x, &scale) in powers.iter_mut().zip(&scale) {
                        *x = *x * scale;
                    }
                }
            }
            Form::Logarithm => {
                let mut room = [T::ZERO; WIDTH];
                for line in 0..block.lines {
                    let powers = &mut room[..block.width];
                    powers.copy_from_slice(block.line(line));
                    raise::<FMA, T>(powers, &greatest, &mut total);
                }
                let mut shift = total.map(<T as Elementary>::log::<FMA>);
                if total[..block.width].iter().any(|&sum| sum < T::constant(2.0)) {
                    // Where one outweighs all others, the sum keeps few digits of these.
                    let mut others = [T::ZERO; WIDTH];
                    for line in 0..block.lines {
                        let columns = others.iter_mut().zip(block.line(line)).zip(&greatest);
                        for ((sum, &x), &greatest) in columns {
                            let power = Elementary::exp::<FMA>(x - greatest);
                            *sum = *sum + if x < greatest { power } else { T::ZERO };
                        }
                    }
                    for ((shift, &total), others) in shift.iter_mut().zip(&total).zip(others) {
                        *shift = if total < T::constant(2.0) { others.ln_1p() } else { *shift };
                    }
                }
                for line in 0..block.lines {
                    let columns = block.out_line(line).iter_mut().zip(block.line(line));
                    for ((slot, &x), (&greatest, &shift)) in columns.zip(greatest.iter().zip(&shift)) {
                        slot.write(x - greatest - shift);
                    }
                }
            }
        }
    }
}

/// Makes exponentials of a line, from which the greatest are taken off, and adds them up.
///
/// No closure, because such a one may be compiled apart, for a processor that has nothing.
#[inline(always)]
fn raise<const FMA: bool, T: Float + Elementary>(
    line: &mut [T],
    greatest: &[T; WIDTH],
    total: &mut [T; WIDTH],
) {
    for (x, &greatest) in line.iter_mut().zip(greatest) {
        *x = *x - greatest;
    }
    exponentials::<FMA, T>(line);
    for (total, &mut power) in total.iter_mut().zip(line) {
        *total = *total + power;
    }
}

impl<T> LaneBlock<'_, T> {
    #[inline(always)]
    fn line(&self, at: usize) -> &[T] {
        &self.input[at * self.stride..][..self.width]
    }

    /// Where a line is written.
    #[inline(always)]
    #[expect(clippy::mut_from_ref, reason = "a block is visited by one thread, line by line")]
    fn out_line(&self, at: usize) -> &mut [MaybeUninit<T>] {
        // SAFETY: the output has these elements, nobody else uses them, and one line is used at a
        // time.
        unsafe {
            std::slice::from_raw_parts_mut(self.out.at((at * self.stride) as isize), self.width)
        }
    }
}

/// As many parts as a processor works on at once; for a sum, this also keeps the
/// rounding error small.
const PARTS: usize = 16;

/// The sum of a function of all elements.
#[inline(always)]
pub(crate) fn total<T: Float>(row: &[T], f: impl Fn(T) -> T) -> T {
    let parts = in_parts(row, T::ZERO, |part, x| part + f(x));
    parts.iter().fold(T::ZERO, |all, &part| all + part)
}

/// The greatest element; of none, negative infinity. What is not a number does
/// not count.
#[inline(always)]
pub(crate) fn greatest<T: Float>(row: &[T]) -> T {
    let greater = |a: T, b: T| if b > a { b } else { a };
    in_parts(row, T::LOWEST, greater).into_iter().fold(T::LOWEST, greater)
}

#[inline(always)]
fn in_parts<T: Float>(row: &[T], start: T, f: impl Fn(T, T) -> T) -> [T; PARTS] {
    let mut parts = [start; PARTS];
    let (blocks, rest) = row.as_chunks::<PARTS>();
    for block in blocks {
        for (part, &x) in parts.iter_mut().zip(block) {
            *part = f(*part, x);
        }
    }
    for (part, &x) in parts.iter_mut().zip(rest) {
        *part = f(*part, x);
    }
    parts
}
