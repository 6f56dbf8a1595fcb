//! Resizing, staging and copying of `out=` arguments.

use std::fmt;

use super::spec::{Access, Spec};
use crate::geometry::same_dims;
use crate::promote::{check_cast, check_operand};
use crate::tensor::{Overlap, overlaps};
use crate::{Result, Scalar, Tensor, ensure};

/// What a kernel writes to in place of a tensor of the caller.
///
/// It has exactly the shape and the dtype of the [`Spec`], and overlaps inputs
/// only as the kernel allows. That is the caller's tensor itself where
/// possible, else a fresh one that [`Staged::finish`] copies.
#[derive(Debug)]
#[must_use = "`finish` brings the result to the caller"]
pub struct Staged {
    tensor: Tensor,
    finish: Finish,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Finish {
    /// The caller's tensor was written to.
    Nothing,
    /// The caller's tensor changed its shape.
    Replace,
    /// A tensor of our own was written to.
    Copy,
}

impl Staged {
    /// The tensor to write to.
    #[inline]
    pub fn tensor(&mut self) -> &mut Tensor {
        &mut self.tensor
    }

    /// Brings the result to the caller's tensor.
    ///
    /// # Errors
    ///
    /// `Memory` if there is not enough.
    #[inline]
    pub fn finish(self, out: &mut Tensor) -> Result<()> {
        match self.finish {
            Finish::Nothing => Ok(()),
            Finish::Replace => out.replace(self.tensor),
            Finish::Copy => {
                out.set_shape(self.tensor.shape())?;
                out.copy_from(&self.tensor)
            }
        }
    }
}

/// The number in a tensor of one element, the argument of this name.
///
/// # Errors
///
/// `Runtime` if it has more or fewer, or lies where there are none.
pub fn number(name: impl fmt::Display, tensor: &Tensor) -> Result<Scalar> {
    ensure!(
        tensor.numel() == 1,
        Runtime,
        "`{name}` must have one element, but its shape is {:?}",
        tensor.shape()
    );
    tensor.to_scalar()
}

/// Writes a result, whose shape could not be known before it was there, to an
/// `out=` argument of the same dtype.
///
/// # Errors
///
/// `Runtime` if dtype or device of `out` do not fit, or if it reaches an element
/// twice; `Memory` if there is not enough.
pub fn copy_to_out(result: &Tensor, out: &mut Tensor) -> Result<()> {
    let spec = Spec::new(result.shape(), result.dtype(), result.device());
    if result.device().is_meta() {
        return spec.target_meta(out, &[]);
    }
    let mut target = spec.target(out, &[])?;
    target.tensor().copy_from(result)?;
    target.finish(out)
}

/// Writes a result to an `out=` argument, cast to its dtype.
///
/// # Errors
///
/// `Runtime` if its device does not fit, if the result cannot be cast to its
/// dtype, or if it reaches an element twice; `Memory` if there is not enough.
pub fn copy(result: &Tensor, out: &mut Tensor) -> Result<()> {
    let spec = Spec::new(result.shape(), result.dtype(), result.device()).casting();
    spec.check_out(out)?;
    if result.device().is_meta() {
        return out.set_shape(result.shape());
    }
    out.check_writable()?;
    out.set_shape(result.shape())?;
    out.copy_from(result)
}

impl Spec {
    /// Prepares an `out=` argument, which gets another shape if need be.
    ///
    /// # Errors
    ///
    /// `Runtime` if its dtype or device does not fit, if it reaches an element
    /// twice, or if it overlaps an input in a way that the kernel cannot take.
    pub fn target(&self, out: &Tensor, inputs: &[&Tensor]) -> Result<Staged> {
        self.check_out(out)?;
        if self.access() == Access::Updates {
            check_apart(out, inputs.get(1..).unwrap_or_default())?;
        }
        let mut tensor = out.clone();
        let finish = if same_dims(out.shape(), self.shape()) {
            Finish::Nothing
        } else {
            tensor.set_shape(self.shape())?;
            Finish::Replace
        };
        self.place(tensor, finish, inputs)
    }

    /// Prepares the tensor that an in-place operator changes. `others` are the
    /// inputs besides the tensor itself.
    ///
    /// # Errors
    ///
    /// `Runtime` if shape, dtype or device of the result do not fit, and as
    /// [`Spec::target`].
    pub fn target_inplace(&self, tensor: &Tensor, others: &[&Tensor]) -> Result<Staged> {
        self.check_inplace(tensor)?;
        self.check_numbers(others)?;
        if self.access() == Access::Free {
            tensor.check_writable()?;
            return self.stage();
        }
        if self.access() == Access::Updates {
            check_apart(tensor, others)?;
        }
        self.place(tensor.clone(), Finish::Nothing, others)
    }

    /// What [`Spec::target`] does if there are no elements.
    ///
    /// # Errors
    ///
    /// As [`Spec::target`].
    pub fn target_meta(&self, out: &mut Tensor, _inputs: &[&Tensor]) -> Result<()> {
        self.check_out(out)?;
        out.set_shape(self.shape())
    }

    /// What [`Spec::target_inplace`] does if there are no elements.
    ///
    /// # Errors
    ///
    /// As [`Spec::target_inplace`].
    pub fn target_inplace_meta(&self, tensor: &Tensor, others: &[&Tensor]) -> Result<()> {
        self.check_inplace(tensor)?;
        self.check_numbers(others)
    }

    /// Fails if a number that an integer dtype does not hold would be written in its place.
    #[inline]
    fn check_numbers(&self, others: &[&Tensor]) -> Result<()> {
        others.iter().try_for_each(|it| check_operand(it, self.dtype()))
    }

    #[inline]
    fn check_out(&self, out: &Tensor) -> Result<()> {
        let is_alike = out.dtype() == self.dtype() && out.device() == self.device();
        if is_alike { Ok(()) } else { self.check_other_out(out) }
    }

    #[cold]
    fn check_other_out(&self, out: &Tensor) -> Result<()> {
        ensure!(
            out.device() == self.device(),
            Runtime,
            "Expected out tensor to have device {}, but got {} instead",
            self.device(),
            out.device()
        );
        if self.casts() {
            return check_cast(self.dtype(), out.dtype());
        }
        ensure!(
            out.dtype() == self.dtype(),
            Runtime,
            "Expected out tensor to have dtype {}, but got {} instead",
            self.dtype(),
            out.dtype()
        );
        Ok(())
    }

    fn check_inplace(&self, tensor: &Tensor) -> Result<()> {
        ensure!(
            tensor.device() == self.device(),
            Runtime,
            "Bad in-place call: input tensor device {} and output tensor device {} should match",
            tensor.device(),
            self.device()
        );
        if self.casts() {
            check_cast(self.dtype(), tensor.dtype())?;
            ensure!(
                !tensor.dtype().is_complex_number() || self.dtype() != tensor.dtype().to_real(),
                Runtime,
                "the result is real: it cannot take the place of complex numbers; call the \
                 operator that returns a new tensor"
            );
        } else {
            ensure!(
                tensor.dtype() == self.dtype(),
                Runtime,
                "Bad in-place call: input tensor dtype {} and output tensor dtype {} should match",
                tensor.dtype(),
                self.dtype()
            );
        }
        let (actual, expected) = (tensor.shape(), self.shape());
        match self.access() {
            _ if same_dims(actual, expected) => {}
            Access::Elementwise | Access::Updates => crate::fail!(
                Runtime,
                "output with shape {actual:?} doesn't match the broadcast shape {expected:?}"
            ),
            Access::Free => crate::fail!(
                Runtime,
                "Bad in-place call: input tensor size {actual:?} and output tensor size \
                 {expected:?} should match"
            ),
        }
        Ok(())
    }

    /// The tensor itself if the kernel can write to it, else one of our own.
    fn place(&self, tensor: Tensor, finish: Finish, inputs: &[&Tensor]) -> Result<Staged> {
        tensor.check_writable()?;
        let mut must_stage = tensor.dtype() != self.dtype();
        for input in inputs {
            match (overlaps(&tensor, input), self.access()) {
                (Overlap::No, _) | (Overlap::Full, Access::Elementwise | Access::Updates) => {}
                (Overlap::Partial, Access::Elementwise | Access::Updates) => {
                    return Err(crate::tensor::partial_overlap());
                }
                (Overlap::Full | Overlap::Partial, Access::Free) => must_stage = true,
            }
        }
        if must_stage { self.stage() } else { Ok(Staged { tensor, finish }) }
    }

    fn stage(&self) -> Result<Staged> {
        Ok(Staged { tensor: self.allocate()?, finish: Finish::Copy })
    }
}

/// Writes a list of results to a list of `out=` arguments, each as [`copy_to_out`] and [`copy`] do.
///
/// # Errors
///
/// Those of `one`; `Runtime` if there are not as many of one as of the other.
pub fn each(
    results: &[Tensor],
    outs: &mut [&mut Tensor],
    one: fn(&Tensor, &mut Tensor) -> Result<()>,
) -> Result<()> {
    ensure!(
        results.len() == outs.len(),
        Runtime,
        "there are {} results and {} tensors to write them to",
        results.len(),
        outs.len()
    );
    results.iter().zip(outs).try_for_each(|(result, out)| one(result, out))
}

/// Fails if a kernel that changes a tensor would read what it has changed.
fn check_apart(tensor: &Tensor, others: &[&Tensor]) -> Result<()> {
    ensure!(
        others.iter().all(|it| overlaps(tensor, it) == Overlap::No),
        Runtime,
        "unsupported operation: some elements of the input tensor and the written-to tensor \
         refer to a single memory location. Please clone() the tensor before performing the \
         operation."
    );
    Ok(())
}
