//! Membership: which elements are among others, by a binary search in the sorted ones.

use opwright_macros::native_op;
use opwright_runtime::promote::result_type;
use opwright_runtime::{DType, Result, Scalar, Tensor, ensure};

use crate::gradient::to;
use crate::ops::{self, TensorOps};

#[native_op(isin.Tensor_Tensor)]
fn isin_tensor_tensor(
    elements: &Tensor,
    test_elements: &Tensor,
    _assume_unique: bool,
    invert: bool,
) -> Result<Tensor> {
    check_dtype(elements.dtype())?;
    check_dtype(test_elements.dtype())?;
    let dtype = result_type(&[elements, test_elements])?;
    let (elements, others) = (to(elements, dtype)?, to(test_elements, dtype)?.reshape(&[-1])?);
    let count = others.numel() as i64;
    if count == 0 {
        let (shape, dtype) = (elements.shape(), Some(DType::Bool));
        let none = ops::new_zeros::Default_::call(&elements, shape, dtype, None, None, None)?;
        return inverted(none, invert);
    }
    let (sorted, _) = others.sort()?;
    let places = ops::searchsorted::Tensor::call(&sorted, &elements, false, false, None, None)?;
    let places = places.clamp_max(Scalar::Int(count - 1))?;
    inverted(elements.eq(&sorted.take(&places)?)?, invert)
}

#[native_op(isin.Tensor_Scalar)]
fn isin_tensor_scalar(
    elements: &Tensor,
    test_element: Scalar,
    _assume_unique: bool,
    invert: bool,
) -> Result<Tensor> {
    check_dtype(elements.dtype())?;
    check_dtype(test_element.dtype())?;
    match invert {
        true => elements.ne_scalar(test_element),
        false => elements.eq_scalar(test_element),
    }
}

#[native_op(isin.Scalar_Tensor)]
fn isin_scalar_tensor(
    element: Scalar,
    test_elements: &Tensor,
    _assume_unique: bool,
    invert: bool,
) -> Result<Tensor> {
    check_dtype(element.dtype())?;
    check_dtype(test_elements.dtype())?;
    inverted(test_elements.eq_scalar(element)?.any()?, invert)
}

fn inverted(is_there: Tensor, invert: bool) -> Result<Tensor> {
    if invert { is_there.logical_not() } else { Ok(is_there) }
}

fn check_dtype(dtype: DType) -> Result<()> {
    ensure!(
        !dtype.is_boolean() && !dtype.is_complex_number(),
        Runtime,
        "Unsupported input type encountered for isin(): {}",
        dtype.title()
    );
    Ok(())
}
