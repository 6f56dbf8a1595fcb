//! Convolutions in any number of dimensions, transposed ones, and their gradients.
//!
//! A convolution, its gradient by the image and that by the weights are linear in each of their
//! operands, and the gradients of each of the three are the other two.

mod direct;
mod plan;
mod products;

use opwright_macros::{gradient_helper, native_op};
use opwright_runtime::{DType, Result, Scalar, Spec, Tensor, ensure, fail, view};

use self::plan::{ConvolutionPlan, Lattice};
use super::window::calculated;
use crate::gradient::wanted;
use crate::ops::{self, TensorOps};

#[native_op(convolution.out, rule)]
#[allow(clippy::too_many_arguments, reason = "as many as the schema says")]
fn convolution_rule(
    input: &Tensor,
    weight: &Tensor,
    bias: Option<&Tensor>,
    stride: &[i64],
    padding: &[i64],
    dilation: &[i64],
    transposed: bool,
    output_padding: &[i64],
    groups: i64,
) -> Result<Spec> {
    let lattice = Lattice { stride, padding, dilation, groups };
    let plan = ConvolutionPlan::new(input, weight, bias, lattice, transposed, output_padding)?;
    let shape = if transposed { plan.image_shape() } else { plan.windows_shape() };
    Ok(Spec::new(&shape, input.dtype(), input.device()))
}

#[native_op(convolution.out)]
#[allow(clippy::too_many_arguments, reason = "as many as the schema says")]
fn convolution_out(
    input: &Tensor,
    weight: &Tensor,
    bias: Option<&Tensor>,
    stride: &[i64],
    padding: &[i64],
    dilation: &[i64],
    transposed: bool,
    output_padding: &[i64],
    groups: i64,
    out: &mut Tensor,
) -> Result<()> {
    if out.numel() == 0 {
        return Ok(());
    }
    let lattice = Lattice { stride, padding, dilation, groups };
    let plan = ConvolutionPlan::new(input, weight, bias, lattice, transposed, output_padding)?;
    let (input, weight) = (operand(input)?, operand(weight)?);
    write(out, input.dtype(), &|result| {
        match bias {
            Some(bias) => {
                let ones = vec![1; plan.grid.dims().len()];
                result
                    .copy_from(&view::reshape(bias, &[&[bias.shape()[0]][..], &ones].concat())?)?;
            }
            None => result.fill(Scalar::Int(0))?,
        }
        if transposed {
            products::to_image(&plan, &input, &weight, result)
        } else {
            products::to_windows(&plan, &input, &weight, result)
        }
    })
}

/// Has a contiguous tensor of the dtype that sums are calculated in written: the output, if it is one.
fn write(out: &mut Tensor, dtype: DType, body: &dyn Fn(&mut Tensor) -> Result<()>) -> Result<()> {
    if out.is_contiguous() && out.dtype() == dtype {
        return body(out);
    }
    let mut result = Tensor::allocate(out.shape(), dtype, out.device())?;
    body(&mut result)?;
    out.copy_from(&result)
}

/// A contiguous tensor of the dtype that sums are calculated in.
fn operand(tensor: &Tensor) -> Result<Tensor> {
    tensor.to_dtype(calculated(tensor.dtype()))?.to_contiguous()
}

#[native_op(_convolution_weight_gradient.out, rule)]
fn weight_gradient_rule(
    image: &Tensor,
    windows: &Tensor,
    kernel_size: &[i64],
    stride: &[i64],
    padding: &[i64],
    dilation: &[i64],
    groups: i64,
) -> Result<Spec> {
    let lattice = Lattice { stride, padding, dilation, groups };
    let plan = ConvolutionPlan::between(image, windows, kernel_size, lattice)?;
    Ok(Spec::new(&plan.weight_shape(), image.dtype(), image.device()))
}

#[native_op(_convolution_weight_gradient.out)]
#[allow(clippy::too_many_arguments, reason = "as many as the schema says")]
fn weight_gradient_out(
    image: &Tensor,
    windows: &Tensor,
    kernel_size: &[i64],
    stride: &[i64],
    padding: &[i64],
    dilation: &[i64],
    groups: i64,
    out: &mut Tensor,
) -> Result<()> {
    let lattice = Lattice { stride, padding, dilation, groups };
    let plan = ConvolutionPlan::between(image, windows, kernel_size, lattice)?;
    let (image, windows) = (operand(image)?, operand(windows)?);
    write(out, image.dtype(), &|result| {
        result.fill(Scalar::Int(0))?;
        products::to_weight(&plan, &image, &windows, result)
    })
}

#[native_op(conv1d)]
fn conv1d(
    input: &Tensor,
    weight: &Tensor,
    bias: Option<&Tensor>,
    stride: &[i64],
    padding: &[i64],
    dilation: &[i64],
    groups: i64,
) -> Result<Tensor> {
    let lattice = Lattice { stride, padding, dilation, groups };
    convolved("conv1d", 1, (input, weight, bias), lattice, None)
}

#[native_op(conv2d)]
fn conv2d(
    input: &Tensor,
    weight: &Tensor,
    bias: Option<&Tensor>,
    stride: &[i64],
    padding: &[i64],
    dilation: &[i64],
    groups: i64,
) -> Result<Tensor> {
    let lattice = Lattice { stride, padding, dilation, groups };
    convolved("conv2d", 2, (input, weight, bias), lattice, None)
}

#[native_op(conv3d)]
fn conv3d(
    input: &Tensor,
    weight: &Tensor,
    bias: Option<&Tensor>,
    stride: &[i64],
    padding: &[i64],
    dilation: &[i64],
    groups: i64,
) -> Result<Tensor> {
    let lattice = Lattice { stride, padding, dilation, groups };
    convolved("conv3d", 3, (input, weight, bias), lattice, None)
}

#[native_op(conv_tbc)]
fn conv_tbc(self_: &Tensor, weight: &Tensor, bias: &Tensor, pad: i64) -> Result<Tensor> {
    ensure!(
        self_.ndim() == 3 && weight.ndim() == 3,
        Runtime,
        "conv_tbc expects input and weight with three dimensions, but got {:?} and {:?}",
        self_.shape(),
        weight.shape()
    );
    let (input, weight) = (self_.permute(&[1, 2, 0])?, weight.permute(&[2, 1, 0])?);
    let lattice = Lattice { stride: &[1], padding: &[pad], dilation: &[1], groups: 1 };
    convolved("conv_tbc", 1, (&input, &weight, Some(bias)), lattice, None)?.permute(&[2, 0, 1])
}

#[native_op(conv1d.padding)]
fn conv1d_padding(
    input: &Tensor,
    weight: &Tensor,
    bias: Option<&Tensor>,
    stride: &[i64],
    padding: &str,
    dilation: &[i64],
    groups: i64,
) -> Result<Tensor> {
    let lattice = Lattice { stride, padding: &[0], dilation, groups };
    padded("conv1d", 1, (input, weight, bias), lattice, padding)
}

#[native_op(conv2d.padding)]
fn conv2d_padding(
    input: &Tensor,
    weight: &Tensor,
    bias: Option<&Tensor>,
    stride: &[i64],
    padding: &str,
    dilation: &[i64],
    groups: i64,
) -> Result<Tensor> {
    let lattice = Lattice { stride, padding: &[0], dilation, groups };
    padded("conv2d", 2, (input, weight, bias), lattice, padding)
}

#[native_op(conv3d.padding)]
fn conv3d_padding(
    input: &Tensor,
    weight: &Tensor,
    bias: Option<&Tensor>,
    stride: &[i64],
    padding: &str,
    dilation: &[i64],
    groups: i64,
) -> Result<Tensor> {
    let lattice = Lattice { stride, padding: &[0], dilation, groups };
    padded("conv3d", 3, (input, weight, bias), lattice, padding)
}

#[native_op(conv_transpose1d)]
#[allow(clippy::too_many_arguments, reason = "as many as the schema says")]
fn conv_transpose1d(
    input: &Tensor,
    weight: &Tensor,
    bias: Option<&Tensor>,
    stride: &[i64],
    padding: &[i64],
    output_padding: &[i64],
    groups: i64,
    dilation: &[i64],
) -> Result<Tensor> {
    let lattice = Lattice { stride, padding, dilation, groups };
    convolved("conv_transpose1d", 1, (input, weight, bias), lattice, Some(output_padding))
}

#[native_op(conv_transpose2d.input)]
#[allow(clippy::too_many_arguments, reason = "as many as the schema says")]
fn conv_transpose2d(
    input: &Tensor,
    weight: &Tensor,
    bias: Option<&Tensor>,
    stride: &[i64],
    padding: &[i64],
    output_padding: &[i64],
    groups: i64,
    dilation: &[i64],
) -> Result<Tensor> {
    let lattice = Lattice { stride, padding, dilation, groups };
    convolved("conv_transpose2d", 2, (input, weight, bias), lattice, Some(output_padding))
}

#[native_op(conv_transpose3d.input)]
#[allow(clippy::too_many_arguments, reason = "as many as the schema says")]
fn conv_transpose3d(
    input: &Tensor,
    weight: &Tensor,
    bias: Option<&Tensor>,
    stride: &[i64],
    padding: &[i64],
    output_padding: &[i64],
    groups: i64,
    dilation: &[i64],
) -> Result<Tensor> {
    let lattice = Lattice { stride, padding, dilation, groups };
    convolved("conv_transpose3d", 3, (input, weight, bias), lattice, Some(output_padding))
}

/// Input, weight and bias.
type ConvolutionOperands<'a> = (&'a Tensor, &'a Tensor, Option<&'a Tensor>);

/// The convolution of a batch of images of so many dimensions, or of one; a transposed one has an output
/// padding.
fn convolved(
    name: &str,
    dims: usize,
    (input, weight, bias): ConvolutionOperands<'_>,
    lattice: Lattice<'_>,
    output_padding: Option<&[i64]>,
) -> Result<Tensor> {
    let Lattice { stride, padding, dilation, groups } = lattice;
    ensure!(
        input.ndim() == dims + 1 || input.ndim() == dims + 2,
        Runtime,
        "Expected {}D (unbatched) or {}D (batched) input to {name}, but got input of size: {:?}",
        dims + 1,
        dims + 2,
        input.shape()
    );
    let is_batched = input.ndim() == dims + 2;
    let batch = if is_batched { input.clone() } else { input.unsqueeze(0)? };
    let call = ops::convolution::Default_::call;
    let is_transposed = output_padding.is_some();
    let behind = output_padding.unwrap_or(&[0]);
    let result =
        call(&batch, weight, bias, stride, padding, dilation, is_transposed, behind, groups)?;
    if is_batched { Ok(result) } else { result.squeeze_dim(0) }
}

/// A convolution without padding, or one whose result is as large as the input.
fn padded(
    name: &str,
    dims: usize,
    (input, weight, bias): ConvolutionOperands<'_>,
    lattice: Lattice<'_>,
    padding: &str,
) -> Result<Tensor> {
    let is_same = match padding {
        "valid" => return convolved(name, dims, (input, weight, bias), lattice, None),
        "same" => true,
        _ => false,
    };
    ensure!(is_same, Runtime, "Invalid padding string: '{padding}'; it is 'valid' or 'same'");
    ensure!(
        lattice.stride.iter().all(|&it| it == 1),
        Runtime,
        "padding='same' is not supported for strided convolutions"
    );
    ensure!(
        weight.ndim() == dims + 2,
        Runtime,
        "expected weight of {} dimensions, but got {:?}",
        dims + 2,
        weight.shape()
    );
    let kernel = &weight.shape()[2..];
    let total = |dim: usize| {
        let dilation = lattice.dilation.get(dim).or(lattice.dilation.first()).copied().unwrap_or(1);
        dilation.saturating_mul(kernel[dim] - 1).max(0)
    };
    let before: Vec<i64> = (0..dims).map(|dim| total(dim) / 2).collect();
    let lattice = Lattice { padding: &before, ..lattice };
    // One more element behind than in front, where their number is odd.
    let odd: Vec<i64> = (0..dims).rev().flat_map(|dim| [0, total(dim) % 2]).collect();
    if odd.iter().all(|&it| it == 0) {
        return convolved(name, dims, (input, weight, bias), lattice, None);
    }
    let input = ops::constant_pad_nd::Default_::call(input, &odd, Scalar::Int(0))?;
    convolved(name, dims, (&input, weight, bias), lattice, None)
}

/// Of the input a convolution that is transposed if the forward one was not, of the weights the
/// products of `grad` and the elements below each tap, and of the bias the sum of `grad`.
#[gradient_helper]
#[allow(clippy::too_many_arguments, reason = "as many as the formula says")]
pub(crate) fn convolution_backward(
    grad: &Tensor,
    input: &Tensor,
    weight: &Tensor,
    stride: &[i64],
    padding: &[i64],
    dilation: &[i64],
    transposed: bool,
    groups: i64,
    mask: &[bool],
) -> Result<(Option<Tensor>, Option<Tensor>, Option<Tensor>)> {
    let lattice = Lattice { stride, padding, dilation, groups };
    let of_input = wanted(mask, 0, || {
        let weight = conjugated(weight)?;
        if transposed {
            to_windows(grad, &weight, input.shape(), lattice)
        } else {
            to_image(grad, &weight, input.shape(), lattice)
        }
    })?;
    let of_weight = wanted(mask, 1, || {
        let input = conjugated(input)?;
        let (image, windows) = if transposed { (grad, &input) } else { (&input, grad) };
        to_weight(image, windows, &weight.shape()[2..], lattice)
    })?;
    let of_bias = wanted(mask, 2, || {
        let dims: Vec<i64> = (0..grad.ndim() as i64).filter(|&it| it != 1).collect();
        ops::sum::dim_IntList::call(grad, Some(&dims), false, None)
    })?;
    Ok((of_input, of_weight, of_bias))
}

/// Gradients of the weights' gradient, which is linear in the image and in the windows.
#[gradient_helper]
#[allow(clippy::too_many_arguments, reason = "as many as the formula says")]
pub(crate) fn convolution_weight_gradient_backward(
    grad: &Tensor,
    image: &Tensor,
    windows: &Tensor,
    stride: &[i64],
    padding: &[i64],
    dilation: &[i64],
    groups: i64,
    mask: &[bool],
) -> Result<(Option<Tensor>, Option<Tensor>)> {
    let lattice = Lattice { stride, padding, dilation, groups };
    let of_image =
        wanted(mask, 0, || to_image(&conjugated(windows)?, grad, image.shape(), lattice))?;
    let of_windows =
        wanted(mask, 1, || to_windows(&conjugated(image)?, grad, windows.shape(), lattice))?;
    Ok((of_image, of_windows))
}

fn conjugated(tensor: &Tensor) -> Result<Tensor> {
    if tensor.dtype().is_complex_number() {
        ops::conj::Default_::call(tensor)
    } else {
        Ok(tensor.clone())
    }
}

/// The first windows of an image, in this shape: behind them there may be room for others.
fn to_windows(
    image: &Tensor,
    weight: &Tensor,
    shape: &[i64],
    lattice: Lattice<'_>,
) -> Result<Tensor> {
    let Lattice { stride, padding, dilation, groups } = lattice;
    let call = ops::convolution::Default_::call;
    let mut all = call(image, weight, None, stride, padding, dilation, false, &[0], groups)?;
    for dim in (2..shape.len()).filter(|&it| all.shape()[it] > shape[it]).collect::<Vec<_>>() {
        all = all.narrow(dim as i64, 0, shape[dim])?;
    }
    Ok(all)
}

/// The image of this shape from its windows: behind the last window there may be elements.
fn to_image(
    windows: &Tensor,
    weight: &Tensor,
    shape: &[i64],
    lattice: Lattice<'_>,
) -> Result<Tensor> {
    let Lattice { stride, padding, dilation, groups } = lattice;
    let Some(behind) = lattice.behind(&shape[2..], &windows.shape()[2..], &weight.shape()[2..])
    else {
        fail!(Runtime, "an image of size {shape:?} has no windows of size {:?}", windows.shape())
    };
    let call = ops::convolution::Default_::call;
    call(windows, weight, None, stride, padding, dilation, true, &behind, groups)
}

fn to_weight(
    image: &Tensor,
    windows: &Tensor,
    kernel: &[i64],
    lattice: Lattice<'_>,
) -> Result<Tensor> {
    let Lattice { stride, padding, dilation, groups } = lattice;
    let call = ops::_convolution_weight_gradient::Default_::call;
    call(image, windows, kernel, stride, padding, dilation, groups)
}
