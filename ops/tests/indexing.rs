//! Overloads that Python does not see: called through Rust.

use opwright_ops::{TensorOps, alias, index, nll_loss_forward, nonzero_numpy, slice};
use opwright_runtime::{DType, Device, ErrorKind, Reduction, Result, Tensor};

fn matrix() -> Result<Tensor> {
    Tensor::from_slice(&[2, 3], &[1_i64, 2, 3, 4, 5, 6])
}

#[test]
fn an_out_tensor_is_resized_and_filled() -> Result<()> {
    let (matrix, columns) = (matrix()?, Tensor::from_slice(&[2], &[2_i64, 0])?);
    let mut out = Tensor::allocate(&[0], DType::Int64, Device::Cpu)?;
    index::Tensor_out::call(&matrix, &[None, Some(&columns)], &mut out)?;
    assert_eq!(out.shape(), [2, 2]);
    assert_eq!(out.to_vec::<i64>()?, [3, 1, 6, 4]);

    let mut meta = Tensor::allocate(&[0], DType::Int64, Device::Meta)?;
    let indexed = matrix.to_device(Device::Meta)?;
    let columns = columns.to_device(Device::Meta)?;
    index::Tensor_out::call(&indexed, &[None, Some(&columns)], &mut meta)?;
    assert_eq!(meta.shape(), [2, 2]);
    Ok(())
}

#[test]
fn an_out_tensor_may_be_the_input() -> Result<()> {
    let rows = Tensor::from_slice(&[2], &[1_i64, 0])?;
    let mut out = matrix()?;
    let input = out.clone();
    index::Tensor_out::call(&input, &[Some(&rows)], &mut out)?;
    assert_eq!(out.to_vec::<i64>()?, [4, 5, 6, 1, 2, 3]);
    Ok(())
}

#[test]
fn a_mask_in_between_comes_to_indices() -> Result<()> {
    let mask = Tensor::from_slice(&[3], &[true, false, true])?;
    let row = Tensor::from_slice(&[1], &[1_i64])?;
    let picked = index::Tensor::call(&matrix()?, &[Some(&row), Some(&mask)])?;
    assert_eq!(picked.to_vec::<i64>()?, [4, 6]);
    let columns = nonzero_numpy::Default_::call(&matrix()?.masked_fill(&mask, 0.into())?)?;
    assert_eq!(columns[1].to_vec::<i64>()?, [1, 1]);
    Ok(())
}

#[test]
fn slices_step_and_are_cut() -> Result<()> {
    let matrix = matrix()?;
    let columns = slice::Tensor::call(&matrix, 1, Some(-3), Some(9), 2)?;
    assert_eq!(columns.to_vec::<i64>()?, [1, 3, 4, 6]);
    let error = slice::Tensor::call(&matrix, 1, None, None, 0).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Value);
    assert_eq!(alias::Default_::call(&columns)?.data_ptr(), columns.data_ptr());
    Ok(())
}

#[test]
fn the_weights_of_targets_are_added_up() -> Result<()> {
    let logs = Tensor::from_slice(&[2, 2], &[-1.0_f32, -2.0, -3.0, -4.0])?;
    let target = Tensor::from_slice(&[2], &[0_i64, 1])?;
    let weight = Tensor::from_slice(&[2], &[1.0_f32, 3.0])?;
    let call = nll_loss_forward::Default_::call;
    let (loss, total) = call(&logs, &target, Some(&weight), Reduction::Mean, -100)?;
    assert_eq!((loss.to_vec::<f32>()?, total.to_vec::<f32>()?), (vec![3.25], vec![4.0]));
    Ok(())
}
