//! `Debug` of tensors, for failed assertions.

use std::fmt;

use super::Tensor;
use crate::iterate::load;
use crate::{Element, Scalar, dispatch};

/// More elements than this are not shown.
const SHOWN: usize = 32;

impl fmt::Debug for Tensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tensor({}, shape={:?}", self.dtype(), self.shape())?;
        if !self.is_contiguous() {
            write!(f, ", strides={:?}", self.strides())?;
        }
        if self.device().is_meta() {
            return f.write_str(", device=meta)");
        }
        f.write_str(", [")?;
        let shown: Vec<String> = self.first_elements().iter().map(Scalar::to_string).collect();
        f.write_str(&shown.join(", "))?;
        f.write_str(if self.numel() > SHOWN { ", ..])" } else { "])" })
    }
}

impl Tensor {
    fn first_elements(&self) -> Vec<Scalar> {
        let shown = self.numel().min(SHOWN);
        dispatch!(self.dtype(), "show", all, |T| {
            // SAFETY: there are so many elements, of type `T`.
            let element =
                |it| unsafe { load::<T>(self.data_ptr().wrapping_offset(self.distance_of(it))) };
            Ok((0..shown).map(|it| element(it).into_scalar()).collect())
        })
        .unwrap_or_default()
    }

    /// How many bytes an element, counted in row-major order, is behind the first.
    fn distance_of(&self, mut index: usize) -> isize {
        let mut place = 0;
        for (&size, &stride) in self.shape().iter().zip(self.strides()).rev() {
            place += (index % size as usize) as i64 * stride;
            index /= size as usize;
        }
        place as isize * self.dtype().size() as isize
    }
}
