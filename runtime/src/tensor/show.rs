//! What a tensor looks like in a failed assertion.

use std::fmt;

use super::Tensor;
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
        f.write_str(if self.count() > SHOWN { ", ..])" } else { "])" })
    }
}

impl Tensor {
    fn first_elements(&self) -> Vec<Scalar> {
        dispatch!(self.dtype(), "show", all, |T| {
            self.to_vec::<T>()
                .map(|all| all.into_iter().take(SHOWN).map(Element::into_scalar).collect())
        })
        .unwrap_or_default()
    }
}
