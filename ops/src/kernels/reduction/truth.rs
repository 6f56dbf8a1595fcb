//! Whether all or any elements are true, and how many.

use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

use opwright_macros::native_op;
use opwright_runtime::geometry::DimSet;
use opwright_runtime::reduce::{Fold, Source, reduce};
use opwright_runtime::structured::Spec;
use opwright_runtime::{DType, Element, Result, Tensor, dispatch, multiversion, parallel, view};

use super::space::{one_or_all, reduced, reduced_exactly};
use crate::ops;

/// Which elements have to be true.
#[derive(Clone, Copy)]
enum Quantifier {
    All,
    Any,
}

impl Quantifier {
    fn run(self, input: Source<'_>, dims: DimSet, out: &mut Tensor) -> Result<()> {
        if let Some(input) = input.tensor().filter(|it| out.ndim() == 0 && it.is_contiguous()) {
            return out.fill(self.of_all(input)?.into());
        }
        match self {
            Quantifier::All => {
                let both = |a, b| a & b;
                reduce(
                    input,
                    dims,
                    out,
                    Fold { start: true, fold: both, combine: both, finish: same },
                )
            }
            Quantifier::Any => {
                let either = |a, b| a | b;
                let fold = Fold { start: false, fold: either, combine: either, finish: same };
                reduce(input, dims, out, fold)
            }
        }
    }

    /// Ends at the first element that decides.
    fn of_all(self, input: &Tensor) -> Result<bool> {
        let input = bytes_of_truth(input)?;
        dispatch!(input.dtype(), "all_any", all, |T| {
            let values = input.to_values::<T>()?;
            // SAFETY: threads that share a tensor do not write to it while an operator reads it.
            let elements = unsafe { values.as_slice::<T>()? };
            Ok(match self {
                Quantifier::All => !has_one(elements, false),
                Quantifier::Any => has_one(elements, true),
            })
        })
    }
}

/// Truth values as bytes: each is true that is not zero, and nobody has to see first whether there
/// are others than 0 and 1.
fn bytes_of_truth(input: &Tensor) -> Result<Tensor> {
    let is_truth = input.dtype().is_boolean();
    if is_truth { view::reinterpret(input, DType::UInt8) } else { Ok(input.clone()) }
}

/// Whether one of the elements is true, or not.
fn has_one<T: Element>(elements: &[T], truth: bool) -> bool {
    // Most often the first ones decide, before another thread would wake up.
    let (first, elements) = elements.split_at(elements.len().min(ALONE * BLOCK));
    if first.chunks(BLOCK).any(|block| block_has_one(block, truth)) {
        return true;
    }
    let is_found = AtomicBool::new(false);
    parallel::share(elements.len().div_ceil(BLOCK), BLOCK, &|blocks| {
        let end = elements.len().min(blocks.end * BLOCK);
        for block in elements[blocks.start * BLOCK..end].chunks(BLOCK) {
            if is_found.load(Ordering::Relaxed) {
                return;
            }
            if block_has_one(block, truth) {
                is_found.store(true, Ordering::Relaxed);
            }
        }
    });
    is_found.into_inner()
}

/// So many elements are looked at before anybody asks what came of it.
const BLOCK: usize = 1 << 10;

/// So many blocks are looked at by one thread.
const ALONE: usize = 16;

multiversion! {
    fn block_has_one<T>(elements: &[T], truth: bool) -> bool
    where
        [T: Element]
    {
        elements.iter().fold(false, |found, it| found | (it.is_nonzero_value() == truth))
    }
}

fn same<T>(it: T) -> T {
    it
}

/// The result is `bool`, but that of `uint8` stays `uint8`, as upstream has it.
fn truth_spec(input: &Tensor, dims: DimSet, keepdim: bool) -> Spec {
    let dtype = if input.dtype() == DType::UInt8 { DType::UInt8 } else { DType::Bool };
    reduced_exactly(input, dims, keepdim, dtype)
}

/// An empty list is no dimension here, and `None` is all.
fn list_or_all(dim: Option<&[i64]>, ndim: usize) -> Result<DimSet> {
    match dim {
        Some(dims) => DimSet::new(dims, ndim),
        None => DimSet::full(ndim),
    }
}

#[native_op(all.all_out, rule)]
fn all_all_rule(self_: &Tensor) -> Result<Spec> {
    Ok(truth_spec(self_, DimSet::full(self_.ndim())?, false))
}

#[native_op(all.all_out)]
fn all_all_out(self_: Source<'_>, out: &mut Tensor) -> Result<()> {
    let dims = DimSet::full(self_.ndim())?;
    Quantifier::All.run(self_, dims, out)
}

#[native_op(all.out, rule)]
fn all_rule(self_: &Tensor, dim: i64, keepdim: bool) -> Result<Spec> {
    Ok(truth_spec(self_, one_or_all(Some(dim), self_.ndim())?, keepdim))
}

#[native_op(all.out)]
fn all_out(self_: Source<'_>, dim: i64, _keepdim: bool, out: &mut Tensor) -> Result<()> {
    let dims = one_or_all(Some(dim), self_.ndim())?;
    Quantifier::All.run(self_, dims, out)
}

#[native_op(all.dims_out, rule)]
fn all_dims_rule(self_: &Tensor, dim: Option<&[i64]>, keepdim: bool) -> Result<Spec> {
    Ok(truth_spec(self_, list_or_all(dim, self_.ndim())?, keepdim))
}

#[native_op(all.dims_out)]
fn all_dims_out(
    self_: Source<'_>,
    dim: Option<&[i64]>,
    _keepdim: bool,
    out: &mut Tensor,
) -> Result<()> {
    let dims = list_or_all(dim, self_.ndim())?;
    Quantifier::All.run(self_, dims, out)
}

#[native_op(any.all_out, rule)]
fn any_all_rule(self_: &Tensor) -> Result<Spec> {
    Ok(truth_spec(self_, DimSet::full(self_.ndim())?, false))
}

#[native_op(any.all_out)]
fn any_all_out(self_: Source<'_>, out: &mut Tensor) -> Result<()> {
    let dims = DimSet::full(self_.ndim())?;
    Quantifier::Any.run(self_, dims, out)
}

#[native_op(any.out)]
fn any_out(self_: Source<'_>, dim: i64, _keepdim: bool, out: &mut Tensor) -> Result<()> {
    let dims = one_or_all(Some(dim), self_.ndim())?;
    Quantifier::Any.run(self_, dims, out)
}

#[native_op(any.dims_out)]
fn any_dims_out(
    self_: Source<'_>,
    dim: Option<&[i64]>,
    _keepdim: bool,
    out: &mut Tensor,
) -> Result<()> {
    let dims = list_or_all(dim, self_.ndim())?;
    Quantifier::Any.run(self_, dims, out)
}

/// How many elements are not zero, over all dimensions or along `dim`: one, a
/// list, or `None` for all.
///
/// ```python
/// >>> opwright.count_nonzero(opwright.tensor([[0, 1], [2, 3]]))
/// tensor(3, dtype=int64, shape=())
/// >>> opwright.count_nonzero(opwright.tensor([[0, 1], [2, 3]]), dim=0)
/// tensor([1, 2], dtype=int64, shape=(2,))
/// ```
#[native_op(
    "count_nonzero(Tensor self, int? dim=None) -> Tensor",
    explicit,
    variants = "function, method"
)]
fn count_nonzero(self_: &Tensor, dim: Option<i64>) -> Result<Tensor> {
    match dim {
        Some(dim) => ops::count_nonzero::dim_IntList::call(self_, &[dim]),
        None => ops::count_nonzero::dim_IntList::call(self_, &[]),
    }
}

#[native_op(
    "count_nonzero.dim_IntList(Tensor self, int[] dim) -> Tensor",
    key = CPU | Meta,
    variants = "function, method"
)]
fn count_nonzero_dims(self_: &Tensor, dim: &[i64]) -> Result<Tensor> {
    let dims = DimSet::new_or_full(Some(dim), self_.ndim())?;
    let mut out = reduced(self_, dims, false, DType::Int64).allocate()?;
    if out.device().is_meta() {
        return Ok(out);
    }
    let input = bytes_of_truth(self_)?;
    if out.ndim() == 0 && input.is_contiguous() {
        return dispatch!(input.dtype(), "count_nonzero", all, |T| {
            let values = input.to_values::<T>()?;
            // SAFETY: the result is other memory, and threads that share a tensor do not write to
            // it while an operator reads it.
            Tensor::from_slice(&[], &[count_of_all(unsafe { values.as_slice::<T>()? })])
        });
    }
    let fold = Fold {
        start: 0_i64,
        fold: |all, it: bool| all + i64::from(it),
        combine: |a, b| a + b,
        finish: same,
    };
    reduce(&input, dims, &mut out, fold)?;
    Ok(out)
}

/// How many elements one thread counts before it takes others.
const SHARE: usize = 1 << 14;

fn count_of_all<T: Element>(elements: &[T]) -> i64 {
    let total = AtomicI64::new(0);
    parallel::share(elements.len().div_ceil(SHARE), SHARE, &|shares| {
        let end = elements.len().min(shares.end * SHARE);
        let count = count(&elements[shares.start * SHARE..end]);
        total.fetch_add(count as i64, Ordering::Relaxed);
    });
    total.into_inner()
}

/// So many are counted side by side.
const LANES: usize = 64;

/// So many in one lane are counted in a byte.
const IN_A_BYTE: usize = 128;

multiversion! {
    /// By bytes, of which more fit into a register than of sums.
    wide fn count<T>(elements: &[T]) -> usize
    where
        [T: Element]
    {
        let (rows, rest) = elements.as_chunks::<LANES>();
        let mut total = rest.iter().filter(|it| it.is_nonzero_value()).count();
        for rows in rows.chunks(IN_A_BYTE) {
            let mut lanes = [0_u8; LANES];
            for row in rows {
                for (lane, it) in lanes.iter_mut().zip(row) {
                    *lane += u8::from(it.is_nonzero_value());
                }
            }
            total += lanes.iter().map(|&lane| usize::from(lane)).sum::<usize>();
        }
        total
    }
}
