//! Loops over elements that are made several at a time.

use std::mem::MaybeUninit;
use std::slice::from_raw_parts_mut;

use super::driver::Job;
use super::fill::each;
use super::plan::Run;
use crate::{Element, Result, Tensor};

/// Writes `f(i / N)[i % N]` to every element, where `i` counts them in row-major
/// order: each call of `f` makes `N` elements.
///
/// # Errors
///
/// As [`nullary`](super::nullary).
pub fn nullary_blocks<O: Element, const N: usize>(
    out: &mut Tensor,
    f: impl Fn(usize) -> [O; N] + Sync,
) -> Result<()> {
    Job::new(&[(out, O::DTYPE)], &[]).in_order().run(&|run| {
        // SAFETY: the driver hands out runs of one output of type `O`.
        unsafe { write(&f, run) }
    })
}

/// # Safety
///
/// The run has one output, of type `O`.
unsafe fn write<O: Element, const N: usize>(f: &impl Fn(usize) -> [O; N], run: &Run<'_>) {
    let (mut block, within) = (run.position / N, run.position % N);
    let (mut place, mut left) = (run.ptrs[0], run.count);
    let put = |place: &mut *mut u8, values: &[O]| {
        for &value in values {
            // SAFETY: `place` is an element of the output.
            unsafe { place.cast::<O>().write(value) };
            *place = place.wrapping_offset(run.strides[0]);
        }
    };
    if within > 0 {
        let count = left.min(N - within);
        put(&mut place, &f(block)[within..within + count]);
        (block, left) = (block + 1, left - count);
    }
    if run.strides[0] == size_of::<O>() as isize {
        // SAFETY: dense elements are a slice, which nothing else refers to.
        let blocks = unsafe { from_raw_parts_mut(place.cast::<MaybeUninit<[O; N]>>(), left / N) };
        place = place.wrapping_add(size_of_val(blocks));
        left %= N;
        each(blocks, |slot| {
            slot.write(f(block));
            block += 1;
        });
    }
    while left > 0 {
        let count = left.min(N);
        put(&mut place, &f(block)[..count]);
        (block, left) = (block + 1, left - count);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DType, Device, view};

    #[test]
    fn blocks_are_cut_where_they_end() {
        let mut out = Tensor::allocate(&[3, 100_000], DType::Int32, Device::Cpu).unwrap();
        nullary_blocks(&mut out, |block| [7 * block as i64 + 1; 7].map(|it| it * 3)).unwrap();
        let expected = (0..300_000).map(|i| (7 * (i / 7) + 1) * 3);
        assert!(out.to_vec::<i32>().unwrap().into_iter().eq(expected));

        let mut turned = Tensor::allocate(&[5, 4], DType::Int32, Device::Cpu).unwrap();
        turned = view::transpose(&turned, 0, 1).unwrap();
        nullary_blocks(&mut turned, |block| [4 * block as i32, 1, 2, 3]).unwrap();
        let expected = [0, 1, 2, 3, 4, 1, 2, 3, 8, 1, 2, 3, 12, 1, 2, 3, 16, 1, 2, 3];
        assert_eq!(turned.to_vec::<i32>().unwrap(), expected);
    }
}
