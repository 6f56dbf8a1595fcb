//! In-place element-wise loops over several tensors at once.

use super::driver::Job;
use super::plan::{MAX_OPERANDS, Run};
use crate::{Element, Result, Tensor, ensure};

/// How many elements of each tensor are worked on at once. They are copied, so that the compiler
/// knows that they do not overlap, and calculates several in one step.
const BLOCK: usize = 64;

/// Replaces the elements of some tensors by what a function makes of them, and of those of others.
///
/// What is written to is of the dtype of `T`; what is only read is stretched and cast to it.
///
/// # Errors
///
/// `Runtime` if a tensor that is written to is of another dtype, reaches an element twice, or
/// overlaps another one in part, and if those that are written to overlap at all or differ in
/// shape; `NotImplemented` if a tensor is on the meta device.
///
/// ```
/// use opwright_runtime::{Tensor, iterate};
///
/// let mut sum = Tensor::from_slice(&[2], &[1.0, 2.0])?;
/// let mut greatest = Tensor::from_slice(&[2], &[0.0, 5.0])?;
/// let next = Tensor::from_slice(&[2], &[3.0, 4.0])?;
/// iterate::update([&mut sum, &mut greatest], [&next], |[sum, greatest], [x]: [f64; 1]| {
///     [sum + x, greatest.max(x)]
/// })?;
/// assert_eq!(sum.to_vec::<f64>()?, [4.0, 6.0]);
/// assert_eq!(greatest.to_vec::<f64>()?, [3.0, 5.0]);
/// # Ok::<(), opwright_runtime::Error>(())
/// ```
pub fn update<T: Element, const W: usize, const R: usize>(
    written: [&mut Tensor; W],
    read: [&Tensor; R],
    f: impl Fn([T; W], [T; R]) -> [T; W] + Sync,
) -> Result<()> {
    const { assert!(W > 0 && W + R <= MAX_OPERANDS, "a loop has so many operands at most") };
    for tensor in &written {
        let dtype = tensor.dtype();
        ensure!(dtype == T::DTYPE, Runtime, "expected a tensor of {}, not {dtype}", T::DTYPE);
        // What the loop writes to, it also reads.
        tensor.settle();
    }
    let outputs = written.each_ref().map(|it| (&**it, T::DTYPE));
    let inputs = read.map(|it| (it, T::DTYPE));
    Job::new(&outputs, &inputs).at_any_distance().run(&|run: &Run<'_>| {
        // SAFETY: the driver hands out runs of these operands, and all are settled.
        unsafe { replace(&f, run) }
    })
}

/// # Safety
///
/// The run has `W` outputs and `R` inputs, all of type `T` and initialised.
unsafe fn replace<T: Element, const W: usize, const R: usize>(
    f: &impl Fn([T; W], [T; R]) -> [T; W],
    run: &Run<'_>,
) {
    let mut written = [[T::default(); BLOCK]; W];
    let mut read = [[T::default(); BLOCK]; R];
    let mut done = 0;
    while done < run.count {
        let count = (run.count - done).min(BLOCK);
        // SAFETY: as above, for so many elements from there on.
        unsafe {
            for (k, block) in written.iter_mut().enumerate() {
                load(run, k, done, &mut block[..count]);
            }
            for (k, block) in read.iter_mut().enumerate() {
                load(run, W + k, done, &mut block[..count]);
            }
        }
        let mut i = 0;
        while i < count {
            let replaced = f(across(&written, i), across(&read, i));
            let mut k = 0;
            while k < W {
                written[k][i] = replaced[k];
                k += 1;
            }
            i += 1;
        }
        for (k, block) in written.iter().enumerate() {
            // SAFETY: as above; who writes to a place has read it before.
            unsafe { store(run, k, done, &block[..count]) };
        }
        done += count;
    }
}

/// An element of each block.
#[inline(always)]
fn across<T: Element, const N: usize>(blocks: &[[T; BLOCK]; N], at: usize) -> [T; N] {
    let (mut all, mut k) = ([T::default(); N], 0);
    while k < N {
        all[k] = blocks[k][at];
        k += 1;
    }
    all
}

/// Copies elements of an operand.
///
/// # Safety
///
/// It has so many elements of type `T` from there on, and they are initialised.
#[inline(always)]
unsafe fn load<T: Element>(run: &Run<'_>, k: usize, first: usize, block: &mut [T]) {
    let stride = run.strides[k];
    let start = run.ptrs[k].wrapping_offset(first as isize * stride).cast_const();
    // SAFETY: as above.
    unsafe {
        if stride == size_of::<T>() as isize {
            for (i, slot) in block.iter_mut().enumerate() {
                *slot = T::from_stored(start.cast::<T::Stored>().add(i).read());
            }
        } else {
            for (i, slot) in block.iter_mut().enumerate() {
                *slot = super::elementwise::load(start.wrapping_offset(i as isize * stride));
            }
        }
    }
}

/// Copies elements to an operand.
///
/// # Safety
///
/// It has room for so many elements of type `T` from there on, and nobody else uses them.
#[inline(always)]
unsafe fn store<T: Element>(run: &Run<'_>, k: usize, first: usize, block: &[T]) {
    let stride = run.strides[k];
    let start = run.ptrs[k].wrapping_offset(first as isize * stride);
    // SAFETY: as above.
    unsafe {
        if stride == size_of::<T>() as isize {
            for (i, value) in block.iter().enumerate() {
                start.cast::<T>().add(i).write(*value);
            }
        } else {
            for (i, value) in block.iter().enumerate() {
                start.wrapping_offset(i as isize * stride).cast::<T>().write(*value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DType, Device, view};

    fn counted(count: usize, from: f64) -> Tensor {
        let numbers: Vec<f64> = (0..count).map(|i| i as f64 + from).collect();
        Tensor::from_vec(&[count as i64], numbers).unwrap()
    }

    #[test]
    fn blocks_and_distances_make_no_difference() {
        for count in [1, 63, 64, 65, 130, 100_000] {
            let (mut a, x) = (counted(count, 0.0), counted(count, 1.0));
            let twice = counted(2 * count, 0.0);
            let mut b = view::slice(&twice, 0, 0, 2 * count as i64, 2).unwrap();
            update([&mut a, &mut b], [&x], |[a, b], [x]: [f64; 1]| [a + b, x - a]).unwrap();
            let sums = (0..count).map(|i| 3.0 * i as f64);
            assert!(a.to_vec::<f64>().unwrap().into_iter().eq(sums), "{count}");
            let mut halves = twice.to_vec::<f64>().unwrap().into_iter().enumerate();
            assert!(halves.all(|(i, it)| it == if i % 2 == 0 { 1.0 } else { i as f64 }));
        }
    }

    #[test]
    fn memory_that_nobody_wrote_to_is_zero() {
        let mut fresh = Tensor::allocate(&[3], DType::Int32, Device::Cpu).unwrap();
        update([&mut fresh], [], |[it], []: [i32; 0]| [it + 1]).unwrap();
        assert_eq!(fresh.to_vec::<i32>().unwrap(), [1, 1, 1]);
    }

    #[test]
    fn what_is_read_may_be_what_is_written() {
        let mut x = counted(100, 0.0);
        let same = x.clone();
        update([&mut x], [&same], |[a], [b]: [f64; 1]| [a + b]).unwrap();
        assert_eq!(x.to_vec::<f64>().unwrap()[99], 198.0);
    }

    #[test]
    fn what_cannot_go_well_is_refused() {
        let (mut a, x) = (counted(4, 0.0), counted(4, 1.0));
        let (mut same, mut shorter) = (a.clone(), counted(3, 0.0));
        let mut other = Tensor::from_slice(&[4], &[0.0_f32; 4]).unwrap();
        let keep = |[a, b]: [f64; 2], [_]: [f64; 1]| [a, b];
        for second in [&mut same, &mut shorter, &mut other] {
            assert!(update([&mut a, second], [&x], keep).is_err());
        }
        let mut part = view::slice(&x, 0, 0, 3, 1).unwrap();
        let rest = view::slice(&x, 0, 1, 4, 1).unwrap();
        assert!(update([&mut part], [&rest], |[a], [_]: [f64; 1]| [a]).is_err());
    }
}
