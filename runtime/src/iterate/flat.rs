//! Fast path of short loops whose operands have the same layout, as most do.

use super::cast::cast_loop;
use super::driver::{Operands, Singles, WORTH_PLANNING};
use super::plan::{Ptrs, Run, Strides};
use crate::fast_path::FastPath;
use crate::geometry::same_dims;
use crate::tensor::overlap::{Overlap, overlaps};
use crate::{DType, Tensor};

/// A loop that is one run: its operands are of the shape of the output, in
/// row-major order and of the dtype that the loop wants, or single elements.
pub(super) struct Flat<const M: usize> {
    ptrs: Ptrs<M>,
    strides: Strides<M>,
    count: usize,
}

impl<const M: usize> Flat<M> {
    /// Without operands.
    #[inline]
    pub(super) fn new() -> Self {
        Flat { ptrs: [std::ptr::null_mut(); M], strides: [0; M], count: 0 }
    }

    /// `None` if something about the operands asks for a closer look; an error
    /// is for the one who looks.
    #[inline]
    pub(super) fn place_all(
        &mut self,
        outputs: Operands<'_>,
        inputs: Operands<'_>,
        singles: &Singles<M>,
        repeats: bool,
    ) -> Option<()> {
        let &[(out, dtype)] = outputs else { return None };
        let count = out.numel();
        let is_short = count != 0 && count < WORTH_PLANNING && FastPath::FlatLoop.is_on();
        if !(is_short && out.dtype() == dtype && out.is_contiguous()) {
            return None;
        }
        self.count = count;
        self.strides[0] = dtype.size() as isize;
        // Nobody else has what was just made: no input is there.
        let new = out.new_ptr();
        if new.is_none() && !self.is_apart(out, inputs) {
            return None;
        }
        for (index, &(input, dtype)) in inputs.iter().enumerate() {
            let is_single = self.place(index, input, dtype, out, singles)?;
            if is_single && repeats {
                self.repeat(1 + index, dtype, singles);
            }
        }
        self.ptrs[0] = new.unwrap_or_else(|| out.data_ptr());
        FastPath::FlatLoop.taken();
        Some(())
    }

    /// Whether each input is the output or apart from it.
    fn is_apart(&self, out: &Tensor, inputs: Operands<'_>) -> bool {
        let takes = |(input, _): &(&Tensor, DType)| overlaps(out, input) != Overlap::Partial;
        out.storage().is_some() && inputs.iter().all(takes)
    }

    /// Has copies of the single element of input `k`, if there is room for as many.
    fn repeat(&mut self, k: usize, dtype: DType, singles: &Singles<M>) {
        // SAFETY: there is one element of that size.
        if let Some(all) = unsafe { singles.repeated(k, self.ptrs[k], dtype.size(), self.count) } {
            (self.ptrs[k], self.strides[k]) = (all, dtype.size() as isize);
        }
    }

    /// Finds an input that the loop can take as it is; says whether it is a single element.
    #[inline]
    fn place(
        &mut self,
        index: usize,
        input: &Tensor,
        dtype: DType,
        out: &Tensor,
        singles: &Singles<M>,
    ) -> Option<bool> {
        input.storage()?;
        let k = 1 + index;
        self.ptrs[k] = input.data_ptr();
        if input.dtype() == dtype && input.is_contiguous() && same_dims(input.shape(), out.shape())
        {
            self.strides[k] = dtype.size() as isize;
            return Some(false);
        }
        if input.numel() != 1 || input.ndim() > out.ndim() {
            return None;
        }
        if input.dtype() != dtype {
            let convert = cast_loop(input.dtype(), dtype);
            // SAFETY: there is one element, and the slot holds any.
            unsafe { convert(singles.slot(k), 0, self.ptrs[k], 0, 1) };
            self.ptrs[k] = singles.slot(k);
        }
        Some(true)
    }

    /// All elements.
    #[inline]
    pub(super) fn run(&self) -> Run<'_, M> {
        Run { ptrs: &self.ptrs, strides: &self.strides, count: self.count, position: 0 }
    }
}
