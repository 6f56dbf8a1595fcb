//! Channels of images moved into their rows and columns, back, and among each other.

use opwright_macros::native_op;
use opwright_runtime::{Error, MemoryFormat, Result, Tensor, ensure, fail};

use crate::ops::{self, TensorOps};

#[native_op(pixel_shuffle)]
fn pixel_shuffle(self_: &Tensor, upscale_factor: i64) -> Result<Tensor> {
    let [leading @ .., channels, rows, columns] = self_.shape() else {
        return Err(too_few("pixel_shuffle", self_));
    };
    let factor = checked(upscale_factor, "pixel_shuffle", "upscale_factor")?;
    let square = factor.saturating_mul(factor);
    ensure!(
        channels % square == 0,
        Runtime,
        "pixel_shuffle expects its input's 'channel' dimension to be divisible by the square of \
         upscale_factor, but input.size(-3)={channels} is not divisible by {square}"
    );
    let count = leading.len() as i64;
    let apart = [leading, &[channels / square, factor, factor, *rows, *columns]].concat();
    let mut order: Vec<i64> = (0..count).collect();
    order.extend([0, 3, 1, 4, 2].map(|it| count + it));
    let joined = [leading, &[channels / square, rows * factor, columns * factor]].concat();
    moved(&self_.reshape(&apart)?.permute(&order)?, &joined)
}

#[native_op(pixel_unshuffle)]
fn pixel_unshuffle(self_: &Tensor, downscale_factor: i64) -> Result<Tensor> {
    let [leading @ .., channels, rows, columns] = self_.shape() else {
        return Err(too_few("pixel_unshuffle", self_));
    };
    let factor = checked(downscale_factor, "pixel_unshuffle", "downscale_factor")?;
    for (size, name, at) in [(rows, "height", -2), (columns, "width", -1)] {
        ensure!(
            size % factor == 0,
            Runtime,
            "pixel_unshuffle expects {name} to be divisible by downscale_factor, but \
             input.size({at})={size} is not divisible by {factor}"
        );
    }
    let count = leading.len() as i64;
    let apart = [leading, &[*channels, rows / factor, factor, columns / factor, factor]].concat();
    let mut order: Vec<i64> = (0..count).collect();
    order.extend([0, 2, 4, 1, 3].map(|it| count + it));
    let all = channels * factor * factor;
    let joined = [leading, &[all, rows / factor, columns / factor]].concat();
    moved(&self_.reshape(&apart)?.permute(&order)?, &joined)
}

/// The elements of a view in memory of their own.
fn moved(view: &Tensor, shape: &[i64]) -> Result<Tensor> {
    ops::clone::Default_::call(view, Some(MemoryFormat::Contiguous))?.reshape(shape)
}

#[cold]
fn too_few(what: &str, input: &Tensor) -> Error {
    Error::runtime(format_args!(
        "{what} expects input to have at least 3 dimensions, but got input with {} dimension(s)",
        input.ndim()
    ))
}

fn checked(factor: i64, what: &str, name: &str) -> Result<i64> {
    ensure!(factor > 0, Runtime, "{what} expects a positive {name}, but got {factor}");
    Ok(factor)
}

#[native_op(channel_shuffle)]
fn channel_shuffle(self_: &Tensor, groups: i64) -> Result<Tensor> {
    let [batch, channels, rest @ ..] = self_.shape() else {
        fail!(
            Runtime,
            "channel_shuffle expects input with > 2 dims, but got input with sizes {:?}",
            self_.shape()
        )
    };
    ensure!(
        !rest.is_empty(),
        Runtime,
        "channel_shuffle expects input with > 2 dims, but got input with sizes {:?}",
        self_.shape()
    );
    ensure!(
        groups > 0,
        Runtime,
        "Number of groups to divide channels in must be positive. Value of groups:{groups}"
    );
    ensure!(
        channels % groups == 0,
        Runtime,
        "Number of channels must be divisible by groups. Got {channels} channels and {groups} groups."
    );
    let apart = [&[*batch, groups, channels / groups], rest].concat();
    moved(&self_.reshape(&apart)?.transpose(1, 2)?, self_.shape())
}
