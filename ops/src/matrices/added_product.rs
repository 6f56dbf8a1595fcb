//! Products of matrices added to a tensor.

use opwright_macros::native_op;
use opwright_runtime::geometry::broadcast_strides;
use opwright_runtime::promote::{check_cast, result_type};
use opwright_runtime::structured::{Spec, common_device};
use opwright_runtime::{DType, Result, Scalar, Tensor, ensure, view};

use super::matrix::widened;
use super::product::{batch_spec, common_dtype, matrix_spec, multiply};
use crate::dtype_queries::to_dtype;
use crate::gradient::to;
use crate::ops::{self, TensorOps};

#[native_op(addmm.out, rule)]
fn addmm_rule(
    self_: &Tensor,
    mat1: &Tensor,
    mat2: &Tensor,
    beta: Scalar,
    alpha: Scalar,
) -> Result<Spec> {
    added_spec(self_, matrix_spec(mat1, mat2)?, beta, alpha)
}

#[native_op(addmm.out)]
fn addmm_out(
    self_: &Tensor,
    mat1: &Tensor,
    mat2: &Tensor,
    beta: Scalar,
    alpha: Scalar,
    out: &mut Tensor,
) -> Result<()> {
    start(self_, beta, out)?;
    multiply(alpha, mat1, mat2, beta, out)
}

#[native_op(addmm.dtype)]
fn addmm_dtype(
    self_: &Tensor,
    mat1: &Tensor,
    mat2: &Tensor,
    out_dtype: DType,
    beta: Scalar,
    alpha: Scalar,
) -> Result<Tensor> {
    let (mat1, mat2) = widened(mat1, mat2, out_dtype)?;
    ops::addmm::Default_::call(&to_dtype(self_, out_dtype)?, &mat1, &mat2, beta, alpha)
}

#[native_op(baddbmm.out, rule)]
fn baddbmm_rule(
    self_: &Tensor,
    batch1: &Tensor,
    batch2: &Tensor,
    beta: Scalar,
    alpha: Scalar,
) -> Result<Spec> {
    added_spec(self_, batch_spec(batch1, batch2)?, beta, alpha)
}

#[native_op(baddbmm.out)]
fn baddbmm_out(
    self_: &Tensor,
    batch1: &Tensor,
    batch2: &Tensor,
    beta: Scalar,
    alpha: Scalar,
    out: &mut Tensor,
) -> Result<()> {
    start(self_, beta, out)?;
    multiply(alpha, batch1, batch2, beta, out)
}

#[native_op(baddbmm.dtype)]
fn baddbmm_dtype(
    self_: &Tensor,
    batch1: &Tensor,
    batch2: &Tensor,
    out_dtype: DType,
    beta: Scalar,
    alpha: Scalar,
) -> Result<Tensor> {
    let (batch1, batch2) = widened(batch1, batch2, out_dtype)?;
    ops::baddbmm::Default_::call(&to_dtype(self_, out_dtype)?, &batch1, &batch2, beta, alpha)
}

#[native_op(addmv.out, rule)]
fn addmv_rule(
    self_: &Tensor,
    mat: &Tensor,
    vec: &Tensor,
    beta: Scalar,
    alpha: Scalar,
) -> Result<Spec> {
    let (&[rows, inner], &[length]) = (mat.shape(), vec.shape()) else {
        opwright_runtime::fail!(
            Runtime,
            "vector + matrix @ vector expected, got {}, {}, {} dimensions",
            self_.ndim(),
            mat.ndim(),
            vec.ndim()
        )
    };
    ensure!(
        inner == length,
        Runtime,
        "size mismatch, got input ({}), mat ({rows}x{inner}), vec ({length})",
        self_.shape().first().copied().unwrap_or(1)
    );
    let dtype = common_dtype(mat, vec)?;
    let spec = Spec::new(&[rows], dtype, common_device(&[mat, vec])?);
    added_spec(self_, spec, beta, alpha)
}

#[native_op(addmv.out)]
fn addmv_out(
    self_: &Tensor,
    mat: &Tensor,
    vec: &Tensor,
    beta: Scalar,
    alpha: Scalar,
    out: &mut Tensor,
) -> Result<()> {
    start(self_, beta, out)?;
    let mut column = view::unsqueeze(out, 1)?;
    multiply(alpha, mat, &view::unsqueeze(vec, 1)?, beta, &mut column)
}

#[native_op(addbmm)]
fn addbmm(
    self_: &Tensor,
    batch1: &Tensor,
    batch2: &Tensor,
    beta: Scalar,
    alpha: Scalar,
) -> Result<Tensor> {
    let (left, right) = side_by_side(batch1, batch2)?;
    ops::addmm::Default_::call(self_, &left, &right, beta, alpha)
}

#[native_op(addbmm_)]
fn addbmm_(
    self_: &mut Tensor,
    batch1: &Tensor,
    batch2: &Tensor,
    beta: Scalar,
    alpha: Scalar,
) -> Result<()> {
    let (left, right) = side_by_side(batch1, batch2)?;
    ops::addmm_::Default_::call(self_, &left, &right, beta, alpha)
}

#[native_op(addbmm.out)]
fn addbmm_out(
    self_: &Tensor,
    batch1: &Tensor,
    batch2: &Tensor,
    beta: Scalar,
    alpha: Scalar,
    out: &mut Tensor,
) -> Result<()> {
    let (left, right) = side_by_side(batch1, batch2)?;
    ops::addmm::out::call(self_, &left, &right, beta, alpha, out)
}

#[native_op(addr)]
fn addr(
    self_: &Tensor,
    vec1: &Tensor,
    vec2: &Tensor,
    beta: Scalar,
    alpha: Scalar,
) -> Result<Tensor> {
    let (&[rows], &[columns]) = (vec1.shape(), vec2.shape()) else {
        let (name, other) = if vec1.ndim() != 1 { ("vec1", vec1) } else { ("vec2", vec2) };
        opwright_runtime::fail!(Runtime, "Expected 1-D argument {name}, but got {}-D", other.ndim())
    };
    let dtype = result_type(&[self_, vec1, vec2])?;
    check_coefficient("beta", beta, dtype)?;
    check_coefficient("alpha", alpha, dtype)?;
    ensure!(
        broadcast_strides(self_.shape(), self_.strides(), &[rows, columns]).is_ok(),
        Runtime,
        "size mismatch, input: {:?}, v1: [{rows}], v2: [{columns}]",
        self_.shape()
    );
    let outer = to(&vec1.unsqueeze(1)?.mul(&vec2.unsqueeze(0)?)?, dtype)?;
    if !beta.to_bool() {
        return scaled(&outer, alpha);
    }
    scaled(&to(self_, dtype)?, beta)?.add(&scaled(&outer, alpha)?)
}

#[native_op(addr_)]
fn addr_(
    self_: &mut Tensor,
    vec1: &Tensor,
    vec2: &Tensor,
    beta: Scalar,
    alpha: Scalar,
) -> Result<()> {
    let sum = ops::addr::Default_::call(self_, vec1, vec2, beta, alpha)?;
    ensure!(
        sum.shape() == self_.shape(),
        Runtime,
        "size mismatch, input: {:?}, v1: {:?}, v2: {:?}",
        self_.shape(),
        vec1.shape(),
        vec2.shape()
    );
    check_cast(sum.dtype(), self_.dtype())?;
    ops::copy_::Default_::call(self_, &sum, false)
}

/// The tensor, or its product with a number that is not 1; truth values are kept or not.
fn scaled(tensor: &Tensor, factor: Scalar) -> Result<Tensor> {
    if factor.is_one() {
        return Ok(tensor.clone());
    }
    let factor = if tensor.dtype().is_boolean() { Scalar::Bool(factor.to_bool()) } else { factor };
    to(&tensor.mul_scalar(factor)?, tensor.dtype())
}

/// Two matrices whose product is the sum of the products.
fn side_by_side(batch1: &Tensor, batch2: &Tensor) -> Result<(Tensor, Tensor)> {
    batch_spec(batch1, batch2)?;
    let (rows, columns) = (batch1.shape()[1], batch2.shape()[2]);
    let inner = batch1.shape()[0] * batch1.shape()[2];
    let left = batch1.transpose(0, 1)?.reshape(&[rows, inner])?;
    Ok((left, batch2.reshape(&[inner, columns])?))
}

/// What the sum looks like, of which `product` is the second summand.
fn added_spec(self_: &Tensor, product: Spec, beta: Scalar, alpha: Scalar) -> Result<Spec> {
    let dtype = product.dtype();
    ensure!(
        self_.dtype() == dtype,
        Runtime,
        "what the product is added to must have its dtype, but got: {} != {dtype}",
        self_.dtype()
    );
    check_coefficient("beta", beta, dtype)?;
    check_coefficient("alpha", alpha, dtype)?;
    broadcast_strides(self_.shape(), self_.strides(), product.shape())?;
    Ok(product)
}

fn check_coefficient(name: &str, value: Scalar, dtype: DType) -> Result<()> {
    ensure!(
        value.dtype().category() <= dtype.category().max(DType::Int64.category()),
        Runtime,
        "For {} input tensors, argument {name} must not be a {} number.",
        if dtype.is_integral() { "integral" } else { "non-complex" },
        if value.is_complex_number() { "complex" } else { "floating point" }
    );
    Ok(())
}

/// Fills `out` with what the product is added to.
fn start(self_: &Tensor, beta: Scalar, out: &mut Tensor) -> Result<()> {
    if beta.to_bool() { out.copy_from(self_) } else { Ok(()) }
}
