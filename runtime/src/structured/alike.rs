//! The short way of small element-wise calls, whose operands lie alike.

use crate::geometry::same_dims;
use crate::iterate::{InnerLoop, WORTH_PLANNING};
use crate::promote::can_cast;
use crate::{DType, Result, Tensor};

/// Operands of few elements that need no rule, as all look like one of them: in memory, of one dtype
/// and shape, in row-major order; or are numbers that give way to it.
///
/// What [`made`](Alike::made) gives is what rule, allocation and loop would give.
///
/// ```
/// use opwright_runtime::iterate::inner_loop;
/// use opwright_runtime::structured::Alike;
/// use opwright_runtime::{Tensor, view};
///
/// let x = Tensor::from_slice(&[2, 2], &[1.0, 2.0, 3.0, 4.0])?;
/// assert!(Alike::of([&x, &view::transpose(&x, 0, 1)?]).is_none());
/// let alike = Alike::of([&x, &x]).expect("they are one tensor");
/// let sum = alike.made(alike.dtype(), |then| inner_loop::binary(|a: f64, b: f64| a + b, then))?;
/// assert_eq!(sum.expect("a loop of doubles").to_vec::<f64>()?, [2.0, 4.0, 6.0, 8.0]);
/// # Ok::<(), opwright_runtime::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Alike<'a, const N: usize> {
    leader: &'a Tensor,
    operands: [&'a Tensor; N],
}

impl<'a, const N: usize> Alike<'a, N> {
    /// The operands, if they are such.
    #[inline]
    pub fn of(operands: [&'a Tensor; N]) -> Option<Self> {
        let leader = *operands.iter().find(|it| !it.is_wrapped_number())?;
        let is_short = leader.numel() != 0 && leader.numel() < WORTH_PLANNING;
        let is_plain = is_short && leader.is_contiguous() && leader.storage().is_some();
        let follows = |it: &&Tensor| {
            if it.is_same(leader) {
                return true;
            }
            if it.is_wrapped_number() {
                return it.storage().is_some() && can_cast(it.dtype(), leader.dtype());
            }
            it.dtype() == leader.dtype()
                && it.is_contiguous()
                && it.storage().is_some()
                && same_dims(it.shape(), leader.shape())
        };
        (is_plain && operands.iter().all(follows)).then_some(Alike { leader, operands })
    }

    /// The one that the others look like.
    #[inline]
    pub fn leader(&self) -> &'a Tensor {
        self.leader
    }

    /// Its dtype.
    #[inline]
    pub fn dtype(&self) -> DType {
        self.leader.dtype()
    }

    /// A result of this dtype, made by the loop that `make` makes; nothing if that reads or writes
    /// other dtypes.
    ///
    /// # Errors
    ///
    /// What making the loop reports; `Memory`.
    #[inline(always)]
    pub fn made(
        &self,
        dtype: DType,
        make: impl FnOnce(&mut dyn FnMut(InnerLoop<'_>) -> Result<()>) -> Result<()>,
    ) -> Result<Option<Tensor>> {
        let mut made = None;
        make(&mut |it| {
            made = it.over_alike(self.leader, &self.operands, dtype)?;
            Ok(())
        })?;
        Ok(made)
    }
}
