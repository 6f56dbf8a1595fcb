//! Bilinear layers: products of two inputs, weighted.

use opwright_macros::native_op;
use opwright_runtime::{Result, Tensor, ensure, fail};

use crate::ops::{self, TensorOps};

#[native_op(bilinear)]
fn bilinear(
    input1: &Tensor,
    input2: &Tensor,
    weight: &Tensor,
    bias: Option<&Tensor>,
) -> Result<Tensor> {
    let (Some((first, leading)), Some((second, others)), true) =
        (input1.shape().split_last(), input2.shape().split_last(), input1.ndim() == input2.ndim())
    else {
        fail!(
            Runtime,
            "bilinear(): input dimensions do not match: got {} and {}",
            input1.ndim(),
            input2.ndim()
        )
    };
    ensure!(
        leading == others,
        Runtime,
        "bilinear(): input batch dimensions do not match: got {leading:?} and {others:?}"
    );
    let &[made, from_first, from_second] = weight.shape() else {
        fail!(
            Runtime,
            "bilinear(): argument 'weight' must have 3 dimensions, but has shape {:?}",
            weight.shape()
        )
    };
    for (name, size, wanted) in [("input1", first, from_first), ("input2", second, from_second)] {
        ensure!(
            *size == wanted,
            Runtime,
            "bilinear(): {name} size does not match weight size: got {size} but expected {wanted}"
        );
    }
    if let Some(bias) = bias {
        ensure!(
            bias.shape() == [made],
            Runtime,
            "bilinear(): bias size does not match weight size: got {:?} but expected [{made}]",
            bias.shape()
        );
    }
    let count: i64 = leading.iter().product();
    let matrix = weight.permute(&[1, 0, 2])?.reshape(&[from_first, made * from_second])?;
    let rows = input1.reshape(&[count, from_first])?.matmul(&matrix)?;
    let rows = rows.reshape(&[count, made, from_second])?;
    let products = rows.mul(&input2.reshape(&[count, 1, from_second])?)?;
    let dtype = Some(products.dtype());
    let mut sums = ops::sum::dim_IntList::call(&products, Some(&[-1]), false, dtype)?;
    if let Some(bias) = bias {
        sums = sums.add(bias)?;
    }
    sums.reshape(&[leading, &[made]].concat())
}
