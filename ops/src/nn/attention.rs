//! Attention: means of values by how alike queries and keys are, some queries at a time.
//!
//! The matrix of all queries and keys is never held: each block of queries is done with before the next
//! one, and gradients calculate its shares again. Of `float32` and `float64` that is
//! [one kernel](super::attention_kernel); other dtypes, masks that have gradients, and what is differentiated
//! twice are made of operators.

use std::ops::Range;

use opwright_macros::{gradient_helper, native_op};
use opwright_runtime::autograd::is_recording;
use opwright_runtime::geometry::broadcast_shapes;
use opwright_runtime::structured::common_device;
use opwright_runtime::{DType, Result, Scalar, Tensor, buffer, ensure};

use super::attention_kernel;
use crate::gradient::{constants, sum_to, wanted};
use crate::ops::{self, TensorOps};

/// So many pairs of a query and a key are looked at together at most.
const PAIRS: i64 = 1 << 20;

#[native_op(scaled_dot_product_attention)]
#[allow(clippy::too_many_arguments, reason = "as many as the schema says")]
fn scaled_dot_product_attention(
    query: &Tensor,
    key: &Tensor,
    value: &Tensor,
    attn_mask: Option<&Tensor>,
    dropout_p: f64,
    is_causal: bool,
    scale: Option<f64>,
    enable_gqa: bool,
) -> Result<Tensor> {
    check(query, key, value, attn_mask, is_causal)?;
    let (key, value) = match enable_gqa {
        true => (grouped(query, key, "key")?, grouped(query, value, "value")?),
        false => (key.clone(), value.clone()),
    };
    let leading = [query, &key, &value].map(|it| &it.shape()[..it.ndim() - 2]);
    let leading = broadcast_shapes(&leading)?;
    let stretched = |it: &Tensor| it.expand(&[&leading[..], &it.shape()[it.ndim() - 2..]].concat());
    let (query, key, value) = (stretched(query)?, stretched(&key)?, stretched(&value)?);
    let features = query.shape()[query.ndim() - 1];
    let scale = scale.unwrap_or((features as f64).sqrt().recip());
    if dropout_p == 0.0 {
        let call = ops::_blocked_attention::Default_::call;
        let result = call(&query, &key, &value, attn_mask, is_causal, scale)?;
        return in_layout_of(&query, result);
    }
    let attention = Attention { query: &query, key: &key, mask: attn_mask, is_causal, scale };
    let all = 0..attention.queries();
    let value = rows(&value, &(0..attention.seen(&all)))?;
    let shares = attention.shares(&all)?;
    ops::dropout::Default_::call(&shares, dropout_p, true)?.matmul(&value)
}

/// Exported programs look at results as they lie there: as queries do.
fn in_layout_of(query: &Tensor, result: Tensor) -> Result<Tensor> {
    if query.is_contiguous() || query.shape() != result.shape() {
        return Ok(result);
    }
    let mut laid = ops::empty_like::Default_::call(query, None, None, None, None, None)?;
    ops::copy_::Default_::call(&mut laid, &result, false)?;
    Ok(laid)
}

pub(super) fn check(
    query: &Tensor,
    key: &Tensor,
    value: &Tensor,
    mask: Option<&Tensor>,
    is_causal: bool,
) -> Result<()> {
    for (name, tensor) in [("key", key), ("value", value)] {
        common_device(&[query, tensor])?;
        ensure!(
            query.dtype() == tensor.dtype(),
            Runtime,
            "Expected query, key, and value to have the same dtype, but got query.dtype: {} and \
             {name}.dtype: {}",
            query.dtype(),
            tensor.dtype()
        );
    }
    ensure!(
        query.ndim() >= 2 && key.ndim() >= 2 && value.ndim() >= 2,
        Runtime,
        "Expected query, key, and value to all be at least 2 dimensional, but got query of shape \
         {:?}, key of shape {:?} and value of shape {:?}",
        query.shape(),
        key.shape(),
        value.shape()
    );
    let (of_query, of_key) = (&query.shape()[query.ndim() - 2..], &key.shape()[key.ndim() - 2..]);
    ensure!(
        of_query[1] == of_key[1] && of_key[0] == value.shape()[value.ndim() - 2],
        Runtime,
        "Expected query and key to have as many features, and key and value as many rows, but got \
         query of shape {:?}, key of shape {:?} and value of shape {:?}",
        query.shape(),
        key.shape(),
        value.shape()
    );
    let Some(mask) = mask else { return Ok(()) };
    ensure!(
        !is_causal,
        Runtime,
        "scaled_dot_product_attention: Explicit attn_mask should not be set when is_causal=True"
    );
    ensure!(
        mask.dtype() == DType::Bool || mask.dtype() == query.dtype(),
        Runtime,
        "Expected attn_mask dtype to be bool or to match query dtype, but got attn_mask.dtype: {} and \
         query.dtype: {}",
        mask.dtype(),
        query.dtype()
    );
    Ok(())
}

/// Each head of keys or values as often as there are heads of queries for it.
fn grouped(query: &Tensor, heads: &Tensor, name: &str) -> Result<Tensor> {
    ensure!(
        query.ndim() >= 3 && heads.ndim() >= 3,
        Runtime,
        "enable_gqa needs heads in the dimension before the last two, but {name} has shape {:?}",
        heads.shape()
    );
    let (wanted, given) = (query.shape()[query.ndim() - 3], heads.shape()[heads.ndim() - 3]);
    ensure!(
        given > 0 && wanted % given == 0,
        Runtime,
        "Number of heads in query must be divisible by that in {name}, but they are {wanted} and \
         {given}"
    );
    ops::repeat_interleave::self_int::call(heads, wanted / given, Some(-3), None)
}

/// What shares of values depend on.
struct Attention<'a> {
    query: &'a Tensor,
    key: &'a Tensor,
    mask: Option<&'a Tensor>,
    is_causal: bool,
    scale: f64,
}

impl Attention<'_> {
    /// How many queries there are in each matrix.
    fn queries(&self) -> i64 {
        self.query.shape()[self.query.ndim() - 2]
    }

    fn keys(&self) -> i64 {
        self.key.shape()[self.key.ndim() - 2]
    }

    /// The queries in blocks that have not too many pairs.
    fn blocks(&self) -> Result<Vec<Range<i64>>> {
        let matrices: i64 = self.query.shape()[..self.query.ndim() - 2].iter().product();
        let width = (PAIRS / matrices.saturating_mul(self.keys()).max(1)).max(1);
        let queries = self.queries();
        let starts = (0..queries).step_by(width as usize);
        buffer::collected(starts.map(|it| it..queries.min(it + width)))
    }

    /// How many keys some queries see.
    fn seen(&self, queries: &Range<i64>) -> i64 {
        if self.is_causal { self.keys().min(queries.end) } else { self.keys() }
    }

    fn scaled_query(&self, queries: &Range<i64>) -> Result<Tensor> {
        rows(self.query, queries)?.mul_scalar(Scalar::Float(self.scale))
    }

    /// The part of the mask that is of some queries.
    fn mask(&self, queries: &Range<i64>) -> Result<Option<Tensor>> {
        let of = |it: &Tensor| match it.ndim() >= 2 && it.shape()[it.ndim() - 2] != 1 {
            true => rows(it, queries),
            false => Ok(it.clone()),
        };
        self.mask.map(of).transpose()
    }

    /// For some queries the share of each key that they see; nothing where they see none.
    fn shares(&self, queries: &Range<i64>) -> Result<Tensor> {
        let seen = self.seen(queries);
        let key = rows(self.key, &(0..seen))?.transpose(-2, -1)?;
        let mut scores = self.scaled_query(queries)?.matmul(&key)?;
        if self.is_causal {
            let number = |range: Range<i64>, shape: &[i64]| {
                constants(self.query, shape, buffer::collected(range)?)
            };
            let count = queries.end - queries.start;
            let is_later =
                number(0..seen, &[1, seen])?.gt(&number(queries.clone(), &[count, 1])?)?;
            scores = scores.masked_fill(&is_later, Scalar::Float(f64::NEG_INFINITY))?;
        }
        let Some(mask) = self.mask(queries)? else {
            return ops::softmax::int::call(&scores, -1, None);
        };
        scores = match mask.dtype() {
            DType::Bool => {
                scores.masked_fill(&mask.logical_not()?, Scalar::Float(f64::NEG_INFINITY))?
            }
            _ => scores.add(&mask)?,
        };
        if seen == 0 {
            return Ok(scores);
        }
        let best = ops::amax::Default_::call(&scores, &[-1], true)?;
        let sees_none = best.eq_scalar(Scalar::Float(f64::NEG_INFINITY))?;
        ops::softmax::int::call(&scores, -1, None)?.masked_fill(&sees_none, Scalar::Int(0))
    }
}

/// What is added to scores: of truth values, nothing where they are true.
fn added_mask(mask: &Tensor, query: &Tensor) -> Result<Tensor> {
    if mask.dtype() != DType::Bool {
        return Ok(mask.clone());
    }
    let none = query.new_zeros(mask.shape())?;
    none.masked_fill(&mask.logical_not()?, Scalar::Float(f64::NEG_INFINITY))
}

/// Some rows of each matrix.
fn rows(matrices: &Tensor, range: &Range<i64>) -> Result<Tensor> {
    matrices.narrow(-2, range.start, range.end - range.start)
}

/// Matrices one below the other.
fn stacked(parts: &[Tensor], like: &Tensor) -> Result<Tensor> {
    if parts.is_empty() {
        return like.new_zeros(like.shape());
    }
    let parts: Vec<&Tensor> = parts.iter().collect();
    ops::cat::Default_::call(&parts, -2)
}

#[native_op(_blocked_attention)]
fn blocked_attention(
    query: &Tensor,
    key: &Tensor,
    value: &Tensor,
    attn_mask: Option<&Tensor>,
    is_causal: bool,
    scale: f64,
) -> Result<Tensor> {
    check(query, key, value, attn_mask, is_causal)?;
    let added = attn_mask.map(|it| added_mask(it, query)).transpose()?;
    if attention_kernel::has_kernel(&[query, key, value], added.as_ref()) {
        let call = ops::_blocked_attention_forward::Default_::call;
        return call(query, key, value, added.as_ref(), is_causal, scale);
    }
    let attention = Attention { query, key, mask: attn_mask, is_causal, scale };
    let block = |queries: Range<i64>| {
        let value = rows(value, &(0..attention.seen(&queries)))?;
        attention.shares(&queries)?.matmul(&value)
    };
    let parts = buffer::try_collected(attention.blocks()?.into_iter().map(block))?;
    if parts.is_empty() {
        let mut shape = query.shape().to_vec();
        shape[query.ndim() - 1] = value.shape()[value.ndim() - 1];
        return query.new_zeros(&shape);
    }
    stacked(&parts, query)
}

/// Of shares `P` of values `V`, where `P` is the softmax of scores `S`: with `dP = grad @ V.T`, scores get
/// `P * (dP - sum(P * dP))`, and values `P.T @ grad`.
#[gradient_helper]
#[allow(clippy::too_many_arguments, reason = "as many as the formula says")]
#[allow(clippy::type_complexity, reason = "one for each that the formula is of")]
pub(crate) fn blocked_attention_backward(
    grad: &Tensor,
    query: &Tensor,
    key: &Tensor,
    value: &Tensor,
    attn_mask: Option<&Tensor>,
    is_causal: bool,
    scale: f64,
    mask: &[bool],
) -> Result<(Option<Tensor>, Option<Tensor>, Option<Tensor>, Option<Tensor>)> {
    if !is_recording() && !mask[3] {
        let added = attn_mask.map(|it| added_mask(it, query)).transpose()?;
        if attention_kernel::has_kernel(&[query, key, value, grad], added.as_ref()) {
            let call = ops::_blocked_attention_backward::Default_::call;
            let found = call(grad, query, key, value, added.as_ref(), is_causal, scale)?;
            let (of_query, of_key, of_value) = found;
            return Ok((
                wanted(mask, 0, || Ok(of_query))?,
                wanted(mask, 1, || Ok(of_key))?,
                wanted(mask, 2, || Ok(of_value))?,
                None,
            ));
        }
    }
    let attention = Attention { query, key, mask: attn_mask, is_causal, scale };
    let (mut of_query, mut of_mask) = (Vec::new(), Vec::new());
    let (mut of_key, mut of_value) = (key.new_zeros(key.shape())?, value.new_zeros(value.shape())?);
    for queries in attention.blocks()? {
        let seen = attention.seen(&queries);
        let shares = attention.shares(&queries)?;
        let grad = rows(grad, &queries)?;
        // What keys that are not seen get.
        let all = |it: Tensor| {
            let border = [0, 0, 0, attention.keys() - seen];
            ops::constant_pad_nd::Default_::call(&it, &border, Scalar::Int(0))
        };
        if mask[2] {
            of_value = of_value.add(&all(shares.transpose(-2, -1)?.matmul(&grad)?)?)?;
        }
        let of_shares = grad.matmul(&rows(value, &(0..seen))?.transpose(-2, -1)?)?;
        let product = shares.mul(&of_shares)?;
        let total = ops::sum::dim_IntList::call(&product, Some(&[-1]), true, None)?;
        let of_scores = product.sub(&shares.mul(&total)?)?;
        if mask[0] {
            let of_block = of_scores.matmul(&rows(key, &(0..seen))?)?;
            of_query.push(of_block.mul_scalar(Scalar::Float(scale))?);
        }
        if mask[1] {
            let of_block = of_scores.transpose(-2, -1)?;
            let of_block = of_block.matmul(&attention.scaled_query(&queries)?)?;
            of_key = of_key.add(&all(of_block)?)?;
        }
        if let (Some(part), true) = (attention.mask(&queries)?, mask[3]) {
            of_mask.push(sum_to(&of_scores, part.shape())?);
        }
    }
    Ok((
        wanted(mask, 0, || stacked(&of_query, query))?,
        wanted(mask, 1, || Ok(of_key))?,
        wanted(mask, 2, || Ok(of_value))?,
        attn_mask.filter(|_| mask[3]).map(|it| gathered(it, &of_mask)).transpose()?,
    ))
}

/// The gradient of a mask from those of its parts: one below the other, or the sum if there is one for
/// all queries.
fn gathered(mask: &Tensor, parts: &[Tensor]) -> Result<Tensor> {
    if mask.ndim() >= 2 && mask.shape()[mask.ndim() - 2] != 1 {
        return stacked(parts, mask);
    }
    let zeros = mask.new_zeros(mask.shape())?;
    parts.iter().try_fold(zeros, |sum, it| sum.add(it))
}
