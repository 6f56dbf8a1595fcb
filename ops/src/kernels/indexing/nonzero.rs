//! Where elements are not zero.

use opwright_macros::native_op;
use opwright_runtime::{DType, Device, Result, Tensor, ensure};

use super::walk::Walk;
use crate::kernels::deliver::deliver;

#[native_op(nonzero)]
fn nonzero(self_: &Tensor) -> Result<Tensor> {
    let truth = truth_of(self_)?;
    let truth = truth.as_slice::<u8>()?;
    let (shape, ndim) = (self_.shape(), self_.ndim());
    let count = truth.iter().filter(|it| **it != 0).count();
    let mut result = Tensor::allocate(&[count as i64, ndim as i64], DType::Int64, Device::Cpu)?;
    if ndim == 0 || count == 0 {
        return Ok(result);
    }
    let mut rows = result.as_mut_slice::<i64>()?.chunks_exact_mut(ndim);
    let width = shape[ndim - 1] as usize;
    let mut index = vec![0; ndim];
    for line in truth.chunks_exact(width) {
        for (at, _) in line.iter().enumerate().filter(|(_, truth)| **truth != 0) {
            if let Some(row) = rows.next() {
                index[ndim - 1] = at as i64;
                row.copy_from_slice(&index);
            }
        }
        next_line(&mut index[..ndim - 1], shape);
    }
    Ok(result)
}

/// The elements of a tensor as truth values, contiguous: bytes that are 0 or not.
fn truth_of(tensor: &Tensor) -> Result<Tensor> {
    ensure!(
        !tensor.device().is_meta(),
        NotImplemented,
        "the number of elements that are not zero is not known on the meta device"
    );
    tensor.to_dtype(DType::Bool)?.to_contiguous()?.reinterpreted(DType::UInt8)
}

fn next_line(index: &mut [i64], shape: &[i64]) {
    for (at, &size) in index.iter_mut().zip(shape).rev() {
        *at += 1;
        if *at < size {
            return;
        }
        *at = 0;
    }
}

/// The offsets, in a tensor with these strides, of the elements at which a mask
/// of its shape is true.
pub(super) fn places_of(mask: &Tensor, strides: &[i64]) -> Result<Vec<isize>> {
    let truth = truth_of(mask)?;
    let truth = truth.as_slice::<u8>()?;
    let mut places = Vec::with_capacity(truth.iter().filter(|it| **it != 0).count());
    let walk = Walk::new(mask.shape(), [strides]);
    walk.visit(0..walk.count(), |run| {
        let line = &truth[run.position..run.position + run.count];
        let steps = line.iter().enumerate().filter(|(_, truth)| **truth != 0);
        places.extend(steps.map(|(step, _)| run.start[0] + step as isize * run.strides[0]));
    });
    Ok(places)
}

#[native_op(nonzero.out)]
fn nonzero_out(self_: &Tensor, out: &mut Tensor) -> Result<()> {
    deliver(&nonzero(self_)?, out)
}

/// The indices of all elements that are not zero, as one tensor for each
/// dimension, in row-major order.
#[native_op(
    "nonzero_numpy(Tensor self) -> Tensor[]",
    composite,
    variants = "method, function",
    python = "skip"
)]
fn nonzero_numpy(self_: &Tensor) -> Result<Vec<Tensor>> {
    let input = if self_.ndim() == 0 { self_.reshaped(&[1])? } else { self_.clone() };
    let rows = nonzero(&input)?;
    (0..input.ndim()).map(|dim| rows.at_index(1, dim as i64)).collect()
}

/// The indices of all elements that are not zero, one row for each; another name
/// of `nonzero`.
#[native_op(
    "argwhere(Tensor self) -> Tensor",
    composite,
    variants = "method, function",
    tags = "dynamic_output_shape"
)]
fn argwhere(self_: &Tensor) -> Result<Tensor> {
    nonzero(self_)
}
