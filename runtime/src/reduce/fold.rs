//! The functions of a reduction: start, fold, combine and finish.

/// A reduction in four parts.
///
/// ```
/// use opwright_runtime::geometry::DimSet;
/// use opwright_runtime::reduce::{Fold, reduce};
/// use opwright_runtime::{DType, Device, Tensor};
///
/// let x = Tensor::from_slice(&[2, 3], &[1_i32, 2, 3, 4, 5, 6]).unwrap();
/// let mut total = Tensor::allocate(&[2], DType::Int64, Device::Cpu).unwrap();
/// let fold = Fold {
///     start: 0_i64,
///     fold: |all, it: i32| all + i64::from(it),
///     combine: |a, b| a + b,
///     finish: |all| all,
/// };
/// reduce(&x, DimSet::single(1), &mut total, fold).unwrap();
/// assert_eq!(total.to_vec::<i64>().unwrap(), [6, 15]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Fold<A, F, C, D> {
    /// The accumulator of no elements: neutral in `combine`.
    pub start: A,
    /// Takes an element in.
    pub fold: F,
    /// Joins the accumulators of two groups of elements, in any order.
    pub combine: C,
    /// Makes the result.
    pub finish: D,
}

/// What the loops need of a [`Fold`].
pub(super) trait Reducer<T, A>: Sync {
    fn start(&self) -> A;
    fn fold(&self, all: A, value: T, index: usize) -> A;
    fn combine(&self, a: A, b: A) -> A;
}

/// A [`Fold`] without its end. It is a type of its own, and no closure, so that folds with several
/// ends share their loops.
pub(super) struct UnfinishedFold<A, F, C> {
    pub(super) start: A,
    pub(super) fold: F,
    pub(super) combine: C,
}

impl<T, A, F, C> Reducer<T, A> for UnfinishedFold<A, F, C>
where
    A: Copy + Sync,
    F: Fn(A, T) -> A + Sync,
    C: Fn(A, A) -> A + Sync,
{
    #[inline(always)]
    fn start(&self) -> A {
        self.start
    }
    #[inline(always)]
    fn fold(&self, all: A, value: T, _: usize) -> A {
        (self.fold)(all, value)
    }
    #[inline(always)]
    fn combine(&self, a: A, b: A) -> A {
        (self.combine)(a, b)
    }
}

/// A [`Fold`] whose function takes an index, without its end.
pub(super) struct Indexed<A, F, C> {
    pub(super) start: A,
    pub(super) fold: F,
    pub(super) combine: C,
}

impl<T, A, F, C> Reducer<T, A> for Indexed<A, F, C>
where
    A: Copy + Sync,
    F: Fn(A, T, usize) -> A + Sync,
    C: Fn(A, A) -> A + Sync,
{
    #[inline(always)]
    fn start(&self) -> A {
        self.start
    }
    #[inline(always)]
    fn fold(&self, all: A, value: T, index: usize) -> A {
        (self.fold)(all, value, index)
    }
    #[inline(always)]
    fn combine(&self, a: A, b: A) -> A {
        (self.combine)(a, b)
    }
}
