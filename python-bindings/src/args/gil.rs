//! GIL release: whether a call gives up the lock while its kernel runs.

use opwright_runtime::Tensor;
use opwright_runtime::resolve::VARIADIC;
use pyo3::prelude::*;
use pyo3::types::PyFloat;

use super::call::Call;
use crate::object::gil::threshold;
use crate::raw::Sequence;
use crate::{object, raw};

/// When a call releases the GIL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gil {
    /// When its tensors have `threshold` elements or more together, or when
    /// the result may have far more than they do.
    Auto,
    /// As `Auto`, for what makes tensors of the sizes that it is given.
    Sizes,
    /// Always.
    Release,
    /// Never.
    Hold,
}

/// From so many elements on it is asked whether the result may have far more.
const MAY_SPREAD: usize = 1024;

/// So many elements take milliseconds, whatever is done with them.
const LONG: usize = 1 << 22;

impl Call<'_, '_> {
    /// Decides whether this call releases the GIL; called before any argument is read.
    #[inline(always)]
    pub fn gil(&mut self, gil: Gil) {
        self.released = match gil {
            Gil::Auto => self.is_long(self.work),
            Gil::Sizes => self.is_long(self.work.max(1).saturating_mul(self.sizes())),
            Gil::Release => true,
            Gil::Hold => false,
        };
        if self.released {
            self.lends_all = false;
        }
    }

    #[inline(always)]
    fn is_long(&self, work: usize) -> bool {
        // No elements count as many here, in the one comparison.
        work >= threshold() || (work.wrapping_sub(1) >= MAY_SPREAD - 1 && self.spreads())
    }

    /// Whether operands of different shapes may make many elements of few, as
    /// a column and a row do, or a long one without elements makes many of none.
    #[cold]
    fn spreads(&self) -> bool {
        let tensors = self.passed.args.iter().filter_map(object::tensor_of);
        let mut tensors = tensors.chain(self.passed.receiver.map(object::peek));
        if self.work == 0 {
            return tensors.any(|it| length(it) >= threshold());
        }
        let Some(first) = tensors.next() else { return false };
        let (mut product, mut alike) = (first.numel(), true);
        tensors.for_each(|it: &Tensor| {
            product = product.saturating_mul(it.numel());
            alike &= it.shape() == first.shape();
        });
        !alike && product >= LONG
    }

    /// The product of the sizes in lists, or of those given one by one; where
    /// there is none, the largest number.
    fn sizes(&self) -> usize {
        if self.foreign {
            return usize::MAX;
        }
        if self.binding.slots[0] == VARIADIC {
            return self.passed.args[..self.passed.positional].iter().map(size).fold(1, product);
        }
        let lists = self.passed.args.iter().filter_map(|it| Sequence::of(it.as_borrowed()));
        // SAFETY: `size` runs no code of Python.
        let sizes = lists
            .map(|it| unsafe { it.peek_each() }.map(|it| size(&it)).fold(1, product))
            .reduce(product);
        sizes.unwrap_or_else(|| self.passed.args.iter().map(size).max().unwrap_or(1))
    }
}

/// How many elements a tensor has whose empty dimensions are reduced.
fn length(tensor: &Tensor) -> usize {
    tensor.shape().iter().filter(|it| **it > 0).map(|it| *it as usize).fold(1, product)
}

fn product(left: usize, right: usize) -> usize {
    left.saturating_mul(right)
}

/// How large a number is; 1 for anything else. Only exact types are read, which runs no code of
/// Python.
fn size(object: &Bound<'_, PyAny>) -> usize {
    if let Some(integer) = raw::exact(object) {
        return raw::to_i64(integer).map_or(usize::MAX, |it| it.unsigned_abs() as usize);
    }
    raw::exact::<PyFloat>(object).map_or(1, |it| it.value().abs() as usize)
}
