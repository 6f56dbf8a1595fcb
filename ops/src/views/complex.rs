//! Complex numbers as pairs of real ones and back, and views by conjugation: no tensor here has a
//! conjugate or negative bit, so nothing has to be resolved.

use opwright_macros::{gradient_helper, native_op};
use opwright_runtime::{DType, Result, Tensor, ensure, fail, view};

use crate::ops::{self, TensorOps};

#[native_op(view_as_real)]
fn view_as_real(self_: &Tensor) -> Result<Tensor> {
    ensure!(
        self_.dtype().is_complex_number(),
        Runtime,
        "view_as_real is only supported for complex tensors"
    );
    let real = view::real(self_)?;
    let shape = [real.shape(), &[2]].concat();
    let strides = [real.strides(), &[1]].concat();
    view::as_strided(&real, &shape, &strides, real.offset())
}

#[native_op(view_as_complex)]
fn view_as_complex(self_: &Tensor) -> Result<Tensor> {
    ensure!(
        matches!(self_.dtype(), DType::Float32 | DType::Float64),
        Runtime,
        "view_as_complex is only supported for floating point tensors that have a complex \
         counterpart, but got a tensor of scalar type: {}",
        self_.dtype().title()
    );
    let (Some((&size, _)), Some((&step, strides))) =
        (self_.shape().split_last(), self_.strides().split_last())
    else {
        fail!(Runtime, "Input tensor must have one or more dimensions")
    };
    ensure!(size == 2, Runtime, "Tensor must have a last dimension of size 2");
    ensure!(step == 1, Runtime, "Tensor must have a last dimension with stride 1");
    ensure!(
        strides.iter().all(|it| it % 2 == 0),
        Runtime,
        "Tensor must have a stride divisible by 2 for all but last dimension"
    );
    ensure!(self_.offset() % 2 == 0, Runtime, "Tensor must have a storage_offset divisible by 2");
    let pairs = view::reinterpret(self_, self_.dtype().to_complex())?;
    view::select(&pairs, pairs.ndim() - 1, 0)
}

#[native_op(resolve_conj)]
fn resolve_conj(self_: &Tensor) -> Result<Tensor> {
    Ok(self_.clone())
}

#[native_op(resolve_neg)]
fn resolve_neg(self_: &Tensor) -> Result<Tensor> {
    Ok(self_.clone())
}

#[native_op(adjoint)]
fn adjoint(self_: &Tensor) -> Result<Tensor> {
    ensure!(
        self_.ndim() >= 2,
        Runtime,
        "tensor.adjoint() is only supported on matrices or batches of matrices. Got {}-D tensor.",
        self_.ndim()
    );
    self_.transpose(-2, -1)?.conj()
}

#[native_op(matrix_H)]
fn matrix_h(self_: &Tensor) -> Result<Tensor> {
    match self_.ndim() {
        0 => self_.conj(),
        2 => ops::adjoint::Default_::call(self_),
        ndim => fail!(
            Runtime,
            "tensor.H is only supported on matrices (2-D tensors). Got {ndim}-D tensor."
        ),
    }
}

/// The complex numbers whose parts are the two elements of the last dimension.
#[gradient_helper]
pub(crate) fn view_as_real_backward(grad: &Tensor) -> Result<Tensor> {
    ops::complex::Default_::call(&grad.select(-1, 0)?, &grad.select(-1, 1)?)
}

/// The parts as a new last dimension.
#[gradient_helper]
pub(crate) fn view_as_complex_backward(grad: &Tensor) -> Result<Tensor> {
    let (real, imag) = (ops::real::Default_::call(grad)?, ops::imag::Default_::call(grad)?);
    ops::stack::Default_::call(&[&real, &imag], -1)
}
