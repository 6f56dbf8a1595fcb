//! Element-wise loops whose function makes a block of elements at a time.

use super::driver::Job;
use super::plan::Run;
use crate::{Element, Result, Tensor};

/// Fills elements in row-major order, `N` at a time: `f(i, block)` is to write those from `N * i` on.
///
/// # Errors
///
/// As [`nullary`](super::nullary).
pub fn nullary_blocks<O: Element, const N: usize>(
    out: &mut Tensor,
    f: impl Fn(usize, &mut [O; N]) + Sync,
) -> Result<()> {
    Job::new(&[(out, O::DTYPE)], &[]).in_order().run(&|run: &Run<'_>| {
        // SAFETY: the driver hands out runs of one output of type `O`.
        unsafe { write(&f, run) }
    })
}

/// # Safety
///
/// The run has one dense output, of type `O`.
unsafe fn write<O: Element, const N: usize>(f: &impl Fn(usize, &mut [O; N]), run: &Run<'_>) {
    let mut made = [O::default(); N];
    let (mut place, mut position, mut left) = (run.ptrs[0].cast::<O>(), run.position, run.count);
    while left > 0 {
        f(position / N, &mut made);
        let wanted = &made[position % N..][..left.min(N - position % N)];
        // SAFETY: so many elements of the output lie side by side from `place` on.
        unsafe { place.copy_from_nonoverlapping(wanted.as_ptr(), wanted.len()) };
        place = place.wrapping_add(wanted.len());
        (position, left) = (position + wanted.len(), left - wanted.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DType, Device, view};

    #[test]
    fn blocks_are_cut_where_they_end() {
        let mut out = Tensor::allocate(&[3, 100_000], DType::Int32, Device::Cpu).unwrap();
        nullary_blocks(&mut out, |at, block: &mut [i64; 7]| {
            block.fill((7 * at as i64 + 1) * 3);
        })
        .unwrap();
        let expected = (0..300_000).map(|i| (7 * (i / 7) + 1) * 3);
        assert!(out.to_vec::<i32>().unwrap().into_iter().eq(expected));

        let mut turned = Tensor::allocate(&[5, 4], DType::Int32, Device::Cpu).unwrap();
        turned = view::transpose(&turned, 0, 1).unwrap();
        nullary_blocks(&mut turned, |at, block| *block = [4 * at as i32, 1, 2, 3]).unwrap();
        let expected = [0, 1, 2, 3, 4, 1, 2, 3, 8, 1, 2, 3, 12, 1, 2, 3, 16, 1, 2, 3];
        assert_eq!(turned.to_vec::<i32>().unwrap(), expected);
    }
}
