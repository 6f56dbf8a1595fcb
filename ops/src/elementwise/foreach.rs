//! The same for each tensor of a list.

use opwright_macros::native_op;
use opwright_runtime::{Result, Scalar, Tensor, autograd, buffer, ensure};

use crate::ops;

fn check_lengths(tensors: usize, others: usize) -> Result<()> {
    ensure!(tensors > 0, Runtime, "the list of tensors must have at least one element");
    ensure!(
        tensors == others,
        Runtime,
        "the lists must have the same number of elements, but got {tensors} and {others}"
    );
    Ok(())
}

fn check_number(other: &Tensor) -> Result<()> {
    ensure!(
        other.ndim() == 0,
        Runtime,
        "argument 'other' must have no dimensions, but its shape is {:?}",
        other.shape()
    );
    Ok(())
}

/// Before any of them is written to: that nothing speaks against writing to all.
fn check_writable(tensors: &[&mut Tensor]) -> Result<()> {
    autograd::check_all_in_place(tensors, false, "_foreach_add_", "self")
}

#[native_op(_foreach_add.Scalar)]
fn foreach_add_scalar(self_: &[&Tensor], scalar: Scalar) -> Result<Vec<Tensor>> {
    ops::_foreach_add::ScalarList::call(self_, &buffer::filled(self_.len(), scalar)?)
}

#[native_op(_foreach_add_.Scalar)]
fn foreach_add_inplace_scalar(self_: &mut [&mut Tensor], scalar: Scalar) -> Result<()> {
    let scalars = buffer::filled(self_.len(), scalar)?;
    ops::_foreach_add_::ScalarList::call(self_, &scalars)
}

#[native_op(_foreach_add.List)]
fn foreach_add_list(self_: &[&Tensor], other: &[&Tensor], alpha: Scalar) -> Result<Vec<Tensor>> {
    check_lengths(self_.len(), other.len())?;
    let sums = self_.iter().zip(other).map(|(a, b)| ops::add::Tensor::call(a, b, alpha));
    buffer::try_collected(sums)
}

#[native_op(_foreach_add_.List)]
fn foreach_add_inplace_list(
    self_: &mut [&mut Tensor],
    other: &[&Tensor],
    alpha: Scalar,
) -> Result<()> {
    check_lengths(self_.len(), other.len())?;
    check_writable(self_)?;
    self_.iter_mut().zip(other).try_for_each(|(a, b)| ops::add_::Tensor::call(a, b, alpha))
}

#[native_op(_foreach_add.ScalarList)]
fn foreach_add_scalar_list(self_: &[&Tensor], scalars: &[Scalar]) -> Result<Vec<Tensor>> {
    check_lengths(self_.len(), scalars.len())?;
    let sums = self_.iter().zip(scalars).map(|(a, &b)| ops::add::Scalar::call(a, b, 1.into()));
    buffer::try_collected(sums)
}

#[native_op(_foreach_add_.ScalarList)]
fn foreach_add_inplace_scalar_list(self_: &mut [&mut Tensor], scalars: &[Scalar]) -> Result<()> {
    check_lengths(self_.len(), scalars.len())?;
    check_writable(self_)?;
    self_.iter_mut().zip(scalars).try_for_each(|(a, &b)| ops::add_::Scalar::call(a, b, 1.into()))
}

#[native_op(_foreach_add.Tensor)]
fn foreach_add_tensor(self_: &[&Tensor], other: &Tensor, alpha: Scalar) -> Result<Vec<Tensor>> {
    check_number(other)?;
    ops::_foreach_add::List::call(self_, &buffer::filled(self_.len(), other)?, alpha)
}

#[native_op(_foreach_add_.Tensor)]
fn foreach_add_inplace_tensor(
    self_: &mut [&mut Tensor],
    other: &Tensor,
    alpha: Scalar,
) -> Result<()> {
    check_number(other)?;
    let others = buffer::filled(self_.len(), other)?;
    ops::_foreach_add_::List::call(self_, &others, alpha)
}
