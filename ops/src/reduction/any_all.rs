//! `any`, `all` and `count_nonzero`: reductions of truth values.

use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

use opwright_macros::native_op;
use opwright_runtime::geometry::DimSet;
use opwright_runtime::reduce::{Fold, Source, reduce};
use opwright_runtime::structured::Spec;
use opwright_runtime::{DType, Element, Result, Tensor, dispatch, multiversion, parallel, view};

use super::runs::Bytes;
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
        input.check_readable()?;
        let loops = AnyAllLoops::of(input.dtype())?;
        let (first, count) = (Bytes(input.data_ptr()), input.numel());
        // SAFETY: a contiguous tensor has so many elements, and threads that share it do not write to
        // it while an operator reads it.
        Ok(unsafe {
            match self {
                Quantifier::All => !loops.has_one(first, count, false),
                Quantifier::Any => loops.has_one(first, count, true),
            }
        })
    }
}

/// Truth values as bytes: each is true that is not zero, and nobody has to see first whether there
/// are others than 0 and 1.
fn bytes_of_truth(input: &Tensor) -> Result<Tensor> {
    let is_truth = input.dtype().is_boolean();
    if is_truth { view::reinterpret(input, DType::UInt8) } else { Ok(input.clone()) }
}

/// What is compiled for a dtype. All that is around it sees elements as bytes.
#[derive(Clone, Copy)]
struct AnyAllLoops {
    /// The bytes of an element.
    size: usize,
    has_one: unsafe fn(*const u8, usize, bool) -> bool,
    count: unsafe fn(*const u8, usize) -> usize,
}

impl AnyAllLoops {
    fn of(dtype: DType) -> Result<AnyAllLoops> {
        dispatch!(dtype, "all_any", all, |T| Ok(AnyAllLoops::new::<T>()))
    }

    fn new<T: Element>() -> AnyAllLoops {
        AnyAllLoops { size: size_of::<T>(), has_one: has_one::<T>, count: count::<T> }
    }

    /// Whether one of so many elements is true, or not.
    ///
    /// # Safety
    ///
    /// There are so many elements.
    unsafe fn has_one(&self, first: Bytes, count: usize, truth: bool) -> bool {
        let at_once = |start: usize| {
            let block = first.at(start * self.size);
            // SAFETY: as above.
            unsafe { (self.has_one)(block, AT_ONCE.min(count - start), truth) }
        };
        // Most often the first ones decide, before another thread would wake up.
        let alone = count.min(AT_ONCE);
        if at_once(0) {
            return true;
        }
        let is_found = AtomicBool::new(false);
        parallel::share((count - alone).div_ceil(AT_ONCE), AT_ONCE, &|parts| {
            for part in parts {
                if is_found.load(Ordering::Relaxed) {
                    return;
                }
                if at_once(alone + part * AT_ONCE) {
                    is_found.store(true, Ordering::Relaxed);
                }
            }
        });
        is_found.into_inner()
    }

    /// How many of so many elements are true.
    ///
    /// # Safety
    ///
    /// There are so many elements.
    unsafe fn count(&self, first: Bytes, count: usize) -> i64 {
        let total = AtomicI64::new(0);
        parallel::share(count.div_ceil(SHARE), SHARE, &|shares| {
            let (start, end) = (shares.start * SHARE, count.min(shares.end * SHARE));
            // SAFETY: as above.
            let count = unsafe { (self.count)(first.at(start * self.size), end - start) };
            total.fetch_add(count as i64, Ordering::Relaxed);
        });
        total.into_inner()
    }
}

/// So many elements are looked at before anybody asks what came of it.
const BLOCK: usize = 1 << 10;

/// So many are looked at by one thread before it asks what came of others.
const AT_ONCE: usize = 16 * BLOCK;

/// # Safety
///
/// There are so many elements of this type.
unsafe fn has_one<T: Element>(first: *const u8, count: usize, truth: bool) -> bool {
    // SAFETY: as above.
    any_is(unsafe { std::slice::from_raw_parts(first.cast::<T>(), count) }, truth)
}

multiversion! {
    fn any_is<T>(elements: &[T], truth: bool) -> bool
    where
        [T: Element]
    {
        let (mut found, mut at) = (false, 0);
        while at < elements.len() && !found {
            let block = &elements[at..elements.len().min(at + BLOCK)];
            found = block.iter().fold(false, |found, it| found | (it.is_nonzero_value() == truth));
            at += BLOCK;
        }
        found
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

#[native_op(count_nonzero)]
fn count_nonzero(self_: &Tensor, dim: Option<i64>) -> Result<Tensor> {
    match dim {
        Some(dim) => ops::count_nonzero::dim_IntList::call(self_, &[dim]),
        None => ops::count_nonzero::dim_IntList::call(self_, &[]),
    }
}

#[native_op(count_nonzero.dim_IntList)]
fn count_nonzero_dims(self_: &Tensor, dim: &[i64]) -> Result<Tensor> {
    let dims = DimSet::new_or_full(Some(dim), self_.ndim())?;
    let mut out = reduced(self_, dims, false, DType::Int64).allocate()?;
    if out.device().is_meta() {
        return Ok(out);
    }
    let input = bytes_of_truth(self_)?;
    if out.ndim() == 0 && input.is_contiguous() {
        input.check_readable()?;
        // SAFETY: the result is other memory, and threads that share a tensor do not write to it while
        // an operator reads it.
        let count = unsafe {
            AnyAllLoops::of(input.dtype())?.count(Bytes(input.data_ptr()), input.numel())
        };
        return Tensor::from_slice(&[], &[count]);
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

/// So many are counted side by side.
const LANES: usize = 64;

/// So many in one lane are counted in a byte.
const IN_A_BYTE: usize = 128;

/// # Safety
///
/// There are so many elements of this type.
unsafe fn count<T: Element>(first: *const u8, count: usize) -> usize {
    // SAFETY: as above.
    count_true(unsafe { std::slice::from_raw_parts(first.cast::<T>(), count) })
}

multiversion! {
    /// By bytes, of which more fit into a register than of sums.
    avx512 fn count_true<T>(elements: &[T]) -> usize
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
