//! Elements written to, or combined with, places along one dimension.

use opwright_macros::native_op;
use opwright_runtime::dtype::Number;
use opwright_runtime::geometry::wrap_dim;
use opwright_runtime::structured::{Access, common_device};
use opwright_runtime::tensor::{Overlap, overlaps};
use opwright_runtime::{ErrorKind, Result, Scalar, Spec, Tensor, dispatch, ensure, fail, view};

use super::by_element_size::by_word;
use super::gather::{check_index_shape, strides_along};
use super::indices::Indices;
use super::places::{Axis, Sign, check_dtype};
use super::zip_elements::Walk;

#[native_op(scatter.src_out, rule)]
fn scatter_src_rule(self_: &Tensor, dim: i64, index: &Tensor, src: &Tensor) -> Result<Spec> {
    rule(self_, dim, index, Some(src))
}

#[native_op(scatter.value_out, rule)]
fn scatter_value_rule(self_: &Tensor, dim: i64, index: &Tensor, _value: Scalar) -> Result<Spec> {
    rule(self_, dim, index, None)
}

#[native_op(scatter.reduce_out, rule)]
fn scatter_reduce_rule(
    self_: &Tensor,
    dim: i64,
    index: &Tensor,
    src: &Tensor,
    reduce: &str,
) -> Result<Spec> {
    Reduction::named(reduce)?;
    rule(self_, dim, index, Some(src))
}

#[native_op(scatter.value_reduce_out, rule)]
fn scatter_value_reduce_rule(
    self_: &Tensor,
    dim: i64,
    index: &Tensor,
    _value: Scalar,
    reduce: &str,
) -> Result<Spec> {
    Reduction::named(reduce)?;
    rule(self_, dim, index, None)
}

/// The result looks like `self`, and may be `self`.
fn rule(tensor: &Tensor, dim: i64, index: &Tensor, src: Option<&Tensor>) -> Result<Spec> {
    check_dtype(index, "index")?;
    check_index_shape(tensor, dim, index, "self")?;
    let mut device = common_device(&[tensor, index])?;
    if let Some(src) = src {
        device = common_device(&[tensor, index, src])?;
        check_src(tensor, index, src)?;
    }
    Ok(Spec::like(tensor).on(device).with_access(Access::Updates))
}

fn check_src(tensor: &Tensor, index: &Tensor, src: &Tensor) -> Result<()> {
    ensure!(
        tensor.dtype() == src.dtype(),
        Runtime,
        "Expected self.dtype to be equal to src.dtype, but got {} and {}",
        tensor.dtype(),
        src.dtype()
    );
    if index.numel() == 0 {
        return Ok(());
    }
    ensure!(
        index.ndim().max(1) == src.ndim().max(1),
        Runtime,
        "Index tensor must have the same number of dimensions as src tensor"
    );
    let fits = index.shape().iter().zip(src.shape()).all(|(wanted, size)| wanted <= size);
    ensure!(
        fits,
        Runtime,
        "Expected index {:?} to be no larger size than src {:?}",
        index.shape(),
        src.shape()
    );
    Ok(())
}

#[native_op(scatter.src_out)]
fn scatter_src_out(
    self_: &Tensor,
    dim: i64,
    index: &Tensor,
    src: &Tensor,
    out: &mut Tensor,
) -> Result<()> {
    let job = Job::new(self_, dim, index, src, out)?;
    by_word!(out.dtype(), |W| job.each::<W>(out, |_, new| new))
}

#[native_op(scatter.value_out)]
fn scatter_value_out(
    self_: &Tensor,
    dim: i64,
    index: &Tensor,
    value: Scalar,
    out: &mut Tensor,
) -> Result<()> {
    let job = Job::new(self_, dim, index, &repeated(value, index, out)?, out)?;
    by_word!(out.dtype(), |W| job.each::<W>(out, |_, new| new))
}

#[native_op(scatter.reduce_out)]
fn scatter_reduce_out(
    self_: &Tensor,
    dim: i64,
    index: &Tensor,
    src: &Tensor,
    reduce: &str,
    out: &mut Tensor,
) -> Result<()> {
    Reduction::named(reduce)?.apply(&Job::new(self_, dim, index, src, out)?, out)
}

#[native_op(scatter.value_reduce_out)]
fn scatter_value_reduce_out(
    self_: &Tensor,
    dim: i64,
    index: &Tensor,
    value: Scalar,
    reduce: &str,
    out: &mut Tensor,
) -> Result<()> {
    let src = repeated(value, index, out)?;
    Reduction::named(reduce)?.apply(&Job::new(self_, dim, index, &src, out)?, out)
}

#[native_op(scatter_add.out)]
fn scatter_add_out(
    self_: &Tensor,
    dim: i64,
    index: &Tensor,
    src: &Tensor,
    out: &mut Tensor,
) -> Result<()> {
    let job = Job::new(self_, dim, index, src, out)?;
    if out.dtype().is_boolean() {
        // A truth value may be any byte.
        return job.each::<u8>(out, |old, new| u8::from(old | new != 0));
    }
    Reduction::Add.apply(&job, out)
}

/// One number in the shape of the index.
fn repeated(value: Scalar, index: &Tensor, out: &Tensor) -> Result<Tensor> {
    view::expand(&Tensor::from_scalar(value, out.dtype())?, index.shape())
}

/// How an element is combined with one that is there.
#[derive(Clone, Copy)]
enum Reduction {
    Add,
    Multiply,
}

impl Reduction {
    fn named(name: &str) -> Result<Reduction> {
        match name {
            "add" => Ok(Reduction::Add),
            "multiply" => Ok(Reduction::Multiply),
            _ => fail!(Runtime, "argument 'reduce' must be either add or multiply, not {name}"),
        }
    }

    fn apply(self, job: &Job, out: &mut Tensor) -> Result<()> {
        dispatch!(out.dtype(), "scatter", number, |T| match self {
            Reduction::Add => job.each::<T>(out, Number::plus),
            Reduction::Multiply => job.each::<T>(out, Number::times),
        })
    }
}

/// Where which elements go. Places may be equal, so one thread does it all, in
/// order.
struct Job {
    dim: usize,
    indices: Indices,
    src: Tensor,
}

impl Job {
    /// Makes `out` equal to `tensor`, and keeps what is read apart from it.
    fn new(
        tensor: &Tensor,
        dim: i64,
        index: &Tensor,
        src: &Tensor,
        out: &mut Tensor,
    ) -> Result<Job> {
        let dim = wrap_dim(dim, tensor.ndim())?;
        let indices = Indices::new(&apart(index, out)?)?;
        let src = apart(src, out)?;
        // Before anything is written, as one may be refused.
        let axis = Axis::of(tensor, dim);
        let is_outside = |it: &i64| axis.offset(*it, Sign::Positive).is_none();
        let outside = indices.range(0..indices.count()).find(is_outside);
        if let Some(outside) = outside {
            return Err(axis.out_of_range(outside, ErrorKind::Runtime));
        }
        if overlaps(tensor, out) == Overlap::No {
            out.copy_from(tensor)?;
        }
        Ok(Job { dim, indices, src })
    }

    /// Combines elements; `T` is their type, or a word of their size.
    fn each<T: Copy>(&self, out: &mut Tensor, combine: impl Fn(T, T) -> T) -> Result<()> {
        if self.indices.count() == 0 {
            return Ok(());
        }
        let (shape, axis) = (self.indices.shape(), Axis::of(out, self.dim));
        let targets = strides_along(out, self.dim, shape.len());
        let sources = strides_along(&self.src, usize::MAX, shape.len());
        let walk = Walk::new(shape, [&targets, &sources]);
        let (to, from) = (out.data_ptr().cast::<T>(), self.src.data_ptr().cast::<T>());
        let mut failure = Ok(());
        walk.visit(0..walk.count(), |run| {
            let [mut target, mut source] = run.start;
            for at in self.indices.range(run.position..run.position + run.count) {
                match axis.offset(at, Sign::Positive) {
                    // SAFETY: the index was checked, and the walk stays within
                    // both tensors, which share nothing.
                    Some(offset) => unsafe {
                        let slot = to.offset(target + offset);
                        slot.write(combine(slot.read(), from.offset(source).read()));
                    },
                    None => failure = Err(axis.out_of_range(at, ErrorKind::Runtime)),
                }
                target += run.strides[0];
                source += run.strides[1];
            }
        });
        failure
    }
}

/// The tensor, or a copy if the output overlaps it.
fn apart(tensor: &Tensor, out: &Tensor) -> Result<Tensor> {
    if overlaps(tensor, out) == Overlap::No { Ok(tensor.clone()) } else { tensor.copy() }
}
