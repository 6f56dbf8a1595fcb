//! Attention as one kernel: for some queries of one head at a time, scores, their softmax and the mean of
//! values, while all of it is in the second cache; and the gradients in the same blocks.
//!
//! T. Dao et al., "FlashAttention: Fast and memory-efficient exact attention with IO-awareness", 2022,
//! but with all keys at once, so that no softmax is corrected.

use std::ops::Range;

use opwright_macros::native_op;
use opwright_runtime::dtype::{Element, Float};
use opwright_runtime::{
    DType, Result, Scalar, Tensor, dispatch, ensure, interrupt, multiversion, parallel, view,
};
use opwright_vecmath::elementary::Elementary;

use super::along_dim::{greatest, total};
use super::softmax::exponentials;
use crate::matrices::product::multiply;

/// So many pairs of a query and a key are looked at together.
const PAIRS: i64 = 1 << 16;

/// A block has so many queries at least, so that its products are worth packing the keys.
const LEAST_QUERIES: i64 = 16;

const ZERO: Scalar = Scalar::Int(0);
const ONE: Scalar = Scalar::Int(1);

/// Whether there is a kernel for these.
pub(super) fn has_kernel(operands: &[&Tensor], mask: Option<&Tensor>) -> bool {
    let [query, ..] = operands else { return false };
    let dtype = query.dtype();
    let leading = |it: &Tensor| it.shape()[..it.ndim() - 2] == query.shape()[..query.ndim() - 2];
    matches!(dtype, DType::Float32 | DType::Float64)
        && operands.iter().all(|it| it.dtype() == dtype && !it.device().is_meta() && leading(it))
        && mask.is_none_or(|it| is_mask_of(it, query, operands[1]))
}

/// Whether a mask is stretched to the scores, and not these to it.
fn is_mask_of(mask: &Tensor, query: &Tensor, key: &Tensor) -> bool {
    let keys = &key.shape()[key.ndim() - 2];
    let scores = [keys].into_iter().chain(query.shape()[..query.ndim() - 1].iter().rev());
    mask.ndim() <= query.ndim()
        && mask.dtype() == query.dtype()
        && !mask.device().is_meta()
        && mask.shape().iter().rev().zip(scores).all(|(size, whole)| *size == 1 || size == whole)
}

/// What scores are calculated from: matrices, and what is added to their products.
struct HeadOperands {
    query: Tensor,
    key: Tensor,
    value: Tensor,
    /// With a matrix for each head, some of which may lie in the same place.
    mask: Option<Tensor>,
    is_causal: bool,
    scale: f64,
}

/// A contiguous batch of matrices.
fn heads(tensor: &Tensor) -> Result<Tensor> {
    let &[.., rows, columns] = tensor.shape() else { return Ok(tensor.clone()) };
    let count = tensor.shape()[..tensor.ndim() - 2].iter().product();
    view::reshape(&tensor.to_contiguous()?, &[count, rows, columns])
}

impl HeadOperands {
    fn new(
        query: &Tensor,
        key: &Tensor,
        value: &Tensor,
        mask: Option<&Tensor>,
        is_causal: bool,
        scale: f64,
    ) -> Result<HeadOperands> {
        let mut shape = query.shape().to_vec();
        shape[query.ndim() - 1] = key.shape()[key.ndim() - 2];
        let mask = mask.map(|it| view::expand(it, &shape)).transpose()?;
        let (query, key, value) = (heads(query)?, heads(key)?, heads(value)?);
        Ok(HeadOperands { query, key, value, mask, is_causal, scale })
    }

    fn count(&self) -> i64 {
        self.query.shape()[0]
    }

    fn queries(&self) -> i64 {
        self.query.shape()[1]
    }

    fn keys(&self) -> i64 {
        self.key.shape()[1]
    }

    /// How many queries are looked at together.
    fn block(&self) -> i64 {
        (PAIRS / self.keys().max(1)).max(LEAST_QUERIES).min(self.queries().max(1))
    }

    /// Multiplications of one block.
    fn work(&self) -> usize {
        let features = self.query.shape()[2].saturating_add(self.value.shape()[2]);
        (self.block() * self.keys()).saturating_mul(features) as usize
    }

    /// How many keys some queries see.
    fn seen(&self, queries: &Range<i64>) -> i64 {
        if self.is_causal { self.keys().min(queries.end) } else { self.keys() }
    }

    /// The mask of one head.
    fn mask_of(&self, head: i64) -> Result<Option<Tensor>> {
        let Some(mask) = &self.mask else { return Ok(None) };
        let (mut mask, mut rest) = (mask.clone(), head);
        while mask.ndim() > 2 {
            let at = mask.ndim() - 3;
            let size = mask.shape()[at].max(1);
            mask = view::select(&mask, at, rest % size)?;
            rest /= size;
        }
        Ok(Some(mask))
    }

    /// Writes the shares of the keys that some queries of a head see.
    fn shares<T: Element + Float + Elementary>(
        &self,
        head: i64,
        queries: &Range<i64>,
        shares: &mut Tensor,
    ) -> Result<()> {
        let query = rows(&view::select(&self.query, 0, head)?, queries)?;
        let seen = self.seen(queries);
        let key = rows(&view::select(&self.key, 0, head)?, &(0..seen))?;
        let scale = Scalar::Float(self.scale);
        multiply(scale, &query, &view::transpose(&key, 0, 1)?, ZERO, shares)?;
        if seen == 0 {
            return Ok(());
        }
        if let Some(mask) = self.mask_of(head)? {
            let mask = rows(&view::narrow(&mask, 1, 0, seen)?, queries)?.copy()?;
            // SAFETY: both are dense matrices of this task alone.
            unsafe { add(elements::<T>(shares), elements::<T>(&mask)) };
        }
        // SAFETY: as above.
        let shares = unsafe { elements::<T>(shares) };
        for (row, at) in shares.chunks_exact_mut(seen as usize).zip(queries.clone()) {
            let seen = if self.is_causal { seen.min(at + 1) as usize } else { seen as usize };
            let (row, later) = row.split_at_mut(seen);
            later.fill(T::ZERO);
            if self.mask.is_some() && row.iter().all(|it| *it == T::LOWEST) {
                row.fill(T::ZERO);
            } else {
                softmax_in_place(row);
            }
        }
        Ok(())
    }
}

/// Some rows of a matrix.
fn rows(matrix: &Tensor, range: &Range<i64>) -> Result<Tensor> {
    view::narrow(matrix, 0, range.start, range.end - range.start)
}

/// The elements of a dense matrix.
///
/// # Safety
///
/// Nobody else has references to them, or uses them, as long as these are used.
#[allow(clippy::mut_from_ref, reason = "the elements are shared, and the caller vouches for them")]
unsafe fn elements<T: Element>(matrix: &Tensor) -> &mut [T] {
    debug_assert!(matrix.is_contiguous() && matrix.dtype() == T::DTYPE);
    // SAFETY: a contiguous tensor of this type has so many elements from there on.
    unsafe { std::slice::from_raw_parts_mut(matrix.data_ptr().cast(), matrix.numel()) }
}

/// A dense matrix in memory that is there.
fn matrix_in(room: &Tensor, rows: i64, columns: i64) -> Result<Tensor> {
    view::reshape(&view::narrow(room, 0, 0, rows * columns)?, &[rows, columns])
}

multiversion! {
    fn add<T>(slots: &mut [T], values: &[T])
    where
        [T: Float]
    {
        slots.iter_mut().zip(values).for_each(|(slot, &it)| *slot = *slot + it);
    }

    /// `shares * (of_shares - sum(shares * of_shares))`, in the place of the latter.
    fn softmax_backward<T>(shares: &[T], of_shares: &mut [T])
    where
        [T: Float]
    {
        let mut sum = T::ZERO;
        for (share, grad) in shares.chunks(64).zip(of_shares.chunks_mut(64)) {
            let mut products = [T::ZERO; 64];
            let each = products.iter_mut().zip(share).zip(&*grad);
            each.for_each(|((slot, &share), &grad)| *slot = share * grad);
            sum = sum + total(&products, |it| it);
        }
        for (slot, &share) in of_shares.iter_mut().zip(shares) {
            *slot = share * (*slot - sum);
        }
    }
}

multiversion! {
    fn softmax_in_place<const FMA: bool, T>(row: &mut [T])
    where
        [T: Float + Elementary]
    {
        // Taken off first, so that no exponential is too large.
        let greatest = greatest(row);
        row.iter_mut().for_each(|it| *it = *it - greatest);
        exponentials::<FMA, T>(row);
        let scale = total(row, |x| x).recip();
        row.iter_mut().for_each(|it| *it = *it * scale);
    }
}

#[native_op(_blocked_attention_forward)]
fn blocked_attention_forward(
    query: &Tensor,
    key: &Tensor,
    value: &Tensor,
    attn_mask: Option<&Tensor>,
    is_causal: bool,
    scale: f64,
) -> Result<Tensor> {
    super::attention::check(query, key, value, attn_mask, is_causal)?;
    let mut shape = query.shape().to_vec();
    shape[query.ndim() - 1] = value.shape()[value.ndim() - 1];
    let mut out = Tensor::allocate(&shape, query.dtype(), query.device())?;
    if out.numel() == 0 || out.device().is_meta() {
        return Ok(out);
    }
    ensure!(
        has_kernel(&[query, key, value], attn_mask),
        Runtime,
        "_blocked_attention_forward takes batches of the same float32 or float64 alone"
    );
    let operands = HeadOperands::new(query, key, value, attn_mask, is_causal, scale)?;
    // A handle of every task is of memory that is there.
    out.fill(ZERO)?;
    let means = heads(&out)?;
    dispatch!(query.dtype(), "attention", calculated floating, |T| {
        forward_of::<T>(&operands, &means)
    })?;
    Ok(out)
}

fn forward_of<T: Element + Float + Elementary>(
    operands: &HeadOperands,
    means: &Tensor,
) -> Result<()> {
    let (block, queries) = (operands.block(), operands.queries());
    let blocks = (queries + block - 1) / block;
    let count = (operands.count() * blocks) as usize;
    parallel::try_share(count, operands.work(), &|tasks| {
        let count = block * operands.keys();
        let room = Tensor::zeroed(&[count], T::DTYPE, means.device())?;
        for task in tasks {
            let (head, at) = (task as i64 / blocks, task as i64 % blocks);
            let range = at * block..queries.min((at + 1) * block);
            let seen = operands.seen(&range);
            let mut shares = matrix_in(&room, range.end - range.start, seen)?;
            operands.shares::<T>(head, &range, &mut shares)?;
            let value = rows(&view::select(&operands.value, 0, head)?, &(0..seen))?;
            let mut out = rows(&view::select(means, 0, head)?, &range)?;
            multiply(ONE, &shares, &value, ZERO, &mut out)?;
            interrupt::check();
        }
        Ok(())
    })
}

#[native_op(_blocked_attention_backward)]
fn blocked_attention_backward_kernel(
    grad: &Tensor,
    query: &Tensor,
    key: &Tensor,
    value: &Tensor,
    attn_mask: Option<&Tensor>,
    is_causal: bool,
    scale: f64,
) -> Result<(Tensor, Tensor, Tensor)> {
    let new = |like: &Tensor| Tensor::allocate(like.shape(), query.dtype(), query.device());
    super::attention::check(query, key, value, attn_mask, is_causal)?;
    ensure!(
        grad.ndim() == query.ndim()
            && grad.shape()[grad.ndim() - 2..]
                == [query.shape()[query.ndim() - 2], value.shape()[value.ndim() - 1]],
        Runtime,
        "grad must have a row for each query and a column for each of value, but has the shape {:?}",
        grad.shape()
    );
    let mut found = (new(query)?, new(key)?, new(value)?);
    if query.device().is_meta() {
        return Ok(found);
    }
    ensure!(
        has_kernel(&[query, key, value, grad], attn_mask),
        Runtime,
        "_blocked_attention_backward takes batches of the same float32 or float64 alone"
    );
    for it in [&mut found.0, &mut found.1, &mut found.2] {
        it.fill(ZERO)?;
    }
    let operands = HeadOperands::new(query, key, value, attn_mask, is_causal, scale)?;
    if operands.keys() > 0 && operands.count() > 0 {
        let grad = heads(grad)?;
        let targets = [heads(&found.0)?, heads(&found.1)?, heads(&found.2)?];
        dispatch!(query.dtype(), "attention", calculated floating, |T| {
            backward_of::<T>(&operands, &grad, &targets)
        })?;
    }
    Ok(found)
}

/// Adds gradients of queries, keys and values to zeros: with `dP = grad @ V.T`, scores get
/// `P * (dP - sum(P * dP))`.
fn backward_of<T: Element + Float + Elementary>(
    operands: &HeadOperands,
    grad: &Tensor,
    [of_query, of_key, of_value]: &[Tensor; 3],
) -> Result<()> {
    let (block, queries, keys) = (operands.block(), operands.queries(), operands.keys());
    let blocks = ((queries + block - 1) / block) as usize;
    let scale = Scalar::Float(operands.scale);
    let work = operands.work().saturating_mul(3 * blocks);
    // Blocks of one head add to the same keys and values.
    parallel::try_share(operands.count() as usize, work, &|tasks| {
        let room = || Tensor::zeroed(&[block * keys], T::DTYPE, grad.device());
        let (room, other) = (room()?, room()?);
        for head in tasks.map(|it| it as i64) {
            let of = |it: &Tensor| view::select(it, 0, head);
            for at in 0..blocks as i64 {
                let range = at * block..queries.min((at + 1) * block);
                let (count, all) = (range.end - range.start, 0..operands.seen(&range));
                let mut shares = matrix_in(&room, count, all.end)?;
                let mut of_scores = matrix_in(&other, count, all.end)?;
                operands.shares::<T>(head, &range, &mut shares)?;
                let grad = rows(&of(grad)?, &range)?;
                let transposed = view::transpose(&shares, 0, 1)?;
                multiply(ONE, &transposed, &grad, ONE, &mut rows(&of(of_value)?, &all)?)?;
                let value = rows(&of(&operands.value)?, &all)?;
                multiply(ONE, &grad, &view::transpose(&value, 0, 1)?, ZERO, &mut of_scores)?;
                // SAFETY: both are dense matrices of this task alone.
                unsafe {
                    let width = (all.end as usize).max(1);
                    let shares = elements::<T>(&shares).chunks_exact(width);
                    let of_scores = elements::<T>(&of_scores).chunks_exact_mut(width);
                    shares.zip(of_scores).for_each(|(row, of_row)| softmax_backward(row, of_row));
                }
                let key = rows(&of(&operands.key)?, &all)?;
                multiply(scale, &of_scores, &key, ONE, &mut rows(&of(of_query)?, &range)?)?;
                let query = rows(&of(&operands.query)?, &range)?;
                let transposed = view::transpose(&of_scores, 0, 1)?;
                multiply(scale, &transposed, &query, ONE, &mut rows(&of(of_key)?, &all)?)?;
                interrupt::check();
            }
        }
        Ok(())
    })
}
