//! Compression by a mask over a whole small tensor, without a list of places.

use std::ptr;

use opwright_runtime::fast_path::FastPath;
use opwright_runtime::{Device, Result, Tensor};

use super::by_element_size::{Word, by_word};

/// Of more elements, the list and its loops are the faster way.
const SMALL: usize = 1 << 12;

/// The elements at which a mask of the tensor's shape is true; nothing unless both are small, and
/// without gaps.
pub(super) fn small(tensor: &Tensor, mask: &Tensor) -> Result<Option<Tensor>> {
    let is_simple = tensor.is_contiguous() && mask.is_contiguous() && tensor.numel() <= SMALL;
    let is_here = tensor.device() == Device::Cpu && mask.device() == Device::Cpu;
    let is_simple = is_simple && FastPath::SmallMask.is_on();
    if !is_simple || !is_here || tensor.shape() != mask.shape() || mask.dtype().size() != 1 {
        return Ok(None);
    }
    FastPath::SmallMask.taken();
    let truth = mask.data_ptr().cast_const();
    // SAFETY: the mask is without gaps, of bytes, and as many as the tensor has elements.
    let is_true = |at: usize| unsafe { truth.add(at).read() } != 0;
    let kept = (0..tensor.numel()).filter(|&at| is_true(at)).count();
    let result = Tensor::allocate(&[kept as i64], tensor.dtype(), Device::Cpu)?;
    // SAFETY: the tensor is without gaps, the result has room for `kept` elements of the same size,
    // all of which are written.
    unsafe {
        by_word!(tensor.dtype(), |W| {
            let (from, to) = (tensor.data_ptr().cast::<W>(), result.overwrite_ptr().cast::<W>());
            keep(from, tensor.numel(), is_true, to, kept);
        });
        result.assume_written();
    }
    Ok(Some(result))
}

/// Writes `kept` elements. Others may change the mask meanwhile: then some of them are zero, or not
/// all that are true are there.
///
/// # Safety
///
/// There are `count` words to read and room for `kept` others.
unsafe fn keep<W: Word>(
    from: *const W,
    count: usize,
    is_true: impl Fn(usize) -> bool,
    to: *mut W,
    kept: usize,
) {
    let mut end = 0;
    for at in 0..count {
        if end == kept {
            return;
        }
        // SAFETY: both are within bounds. Nothing branches on the mask, which cannot be foreseen.
        unsafe { to.add(end).write(from.add(at).read()) };
        end += usize::from(is_true(at));
    }
    // SAFETY: the rest of the room; zeros are a value of every dtype.
    unsafe { ptr::write_bytes(to.add(end), 0, kept - end) };
}

#[cfg(test)]
mod tests {
    use super::*;
    use opwright_runtime::{DType, view};

    #[test]
    fn elements_of_every_size_are_moved() {
        let mask = Tensor::from_slice(&[2, 2], &[true, false, true, true]).unwrap();
        let numbers = Tensor::from_slice(&[2, 2], &[1_i64, 2, 3, 0]).unwrap();
        for dtype in DType::ALL {
            let tensor = numbers.to_dtype(dtype).unwrap();
            let kept = small(&tensor, &mask).unwrap().unwrap();
            let flat = view::reshape(&tensor, &[4]).unwrap().to_vec::<f64>().unwrap();
            assert_eq!(kept.to_vec::<f64>().unwrap(), [flat[0], flat[2], flat[3]], "{dtype}");
        }
    }

    #[test]
    fn a_mask_that_changes_does_no_harm() {
        let from = [1_u32, 2, 3];
        for (claimed, expected) in [(1, vec![2]), (2, vec![2, 3]), (3, vec![2, 3, 0])] {
            let mut to = vec![9; claimed];
            // SAFETY: there are three words, and room for as many as are claimed.
            unsafe { keep(from.as_ptr(), 3, |at| at > 0, to.as_mut_ptr(), claimed) };
            assert_eq!(to, expected);
        }
    }
}
