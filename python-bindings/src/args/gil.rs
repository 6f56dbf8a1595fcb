//! Whether a call gives up the GIL while its kernel runs.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use opwright_runtime::Tensor;
use opwright_runtime::resolve::VARIADIC;
use pyo3::prelude::*;
use pyo3::types::{PyFloat, PyModule};

use super::{Call, Sequence};
use crate::raw;
use crate::tensor::object;

/// When a call releases the GIL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gil {
    /// When its tensors have [`threshold`] elements or more together, or when
    /// the result may have far more than they do.
    Auto,
    /// As `Auto`, for what makes tensors of the sizes that it is given.
    Sizes,
    /// Always.
    Release,
    /// Never.
    Hold,
}

/// The number of elements from which on a call releases the GIL, unless
/// somebody moves it.
///
/// `cargo xtask bench gil` measures it. On a machine of two cores a release,
/// with the counted handles and the watch for signals that come with it, costs
/// about 60 ns: 55 % of a call of 4 elements, 15 % of the cheapest kernel over
/// 4,096 and 5 % over 16,384, which takes 1 us. It can also cost a turn:
/// who releases beside a thread that computes in Python gets the GIL back after
/// the interpreter's switch interval of 5 ms. Hence no release before it is
/// cheap, and none where a call is over sooner than another thread wakes up.
pub const THRESHOLD: usize = 16_384;

static CURRENT: AtomicUsize = AtomicUsize::new(THRESHOLD);

/// What [`CURRENT`] is unless all calls release the GIL.
static CHOSEN: AtomicUsize = AtomicUsize::new(THRESHOLD);

/// Whether all calls release the GIL and so count their handles, because code of Python may run in
/// the middle of them.
static IS_ALWAYS: AtomicBool = AtomicBool::new(false);

/// Has all calls count their handles from now on, or those that are long.
pub(crate) fn count_always(is_always: bool) {
    IS_ALWAYS.store(is_always, Ordering::Relaxed);
    let chosen = CHOSEN.load(Ordering::Relaxed);
    CURRENT.store(if is_always { 0 } else { chosen }, Ordering::Relaxed);
}

/// The number of elements from which on a call releases the GIL.
#[inline(always)]
pub fn threshold() -> usize {
    CURRENT.load(Ordering::Relaxed)
}

/// Adds `_gil_threshold`, with which tests and measurements move the threshold.
///
/// # Errors
///
/// `MemoryError`.
pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(gil_threshold, module)?)
}

/// Returns the number of elements from which on a call releases the GIL, after
/// setting it if `elements` is given: 0 is always, the largest number never.
#[pyfunction(name = "_gil_threshold", signature = (elements = None, /))]
fn gil_threshold(elements: Option<usize>) -> usize {
    let before = CHOSEN.load(Ordering::Relaxed);
    let chosen = elements.unwrap_or(before);
    CHOSEN.store(chosen, Ordering::Relaxed);
    count_always(IS_ALWAYS.load(Ordering::Relaxed));
    chosen
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
