//! Convolutions as products of matrices: weights times windows that are unfolded block by block.
//!
//! A block of windows is a matrix with a row for each channel and tap and a column for each window,
//! which stays in the cache; no unfolded image is ever held.

use std::ops::Range;

use opwright_runtime::dtype::{Element, Number};
use opwright_runtime::{
    DType, Device, Result, Scalar, Tensor, dispatch, interrupt, parallel, view,
};

use super::direct;
use super::plan::ConvolutionPlan;
use crate::matrices::product::multiply;
use crate::nn::window::ceil_div;

/// The elements of an unfolded block, which the second cache holds.
const BLOCK: usize = 1 << 18;

/// A block has so many windows at least, so that its product is worth packing the weights.
const LEAST_WINDOWS: usize = 64;

/// So many channels of the image go to a thread together where each is written for itself.
const CHANNELS: i64 = 16;

const ONE: Scalar = Scalar::Int(1);

/// Adds `weight @ unfolded image` to windows that are there.
///
/// All tensors are contiguous and of one dtype that is [calculated](crate::nn::window::calculated) in.
pub(super) fn to_windows(
    plan: &ConvolutionPlan,
    image: &Tensor,
    weight: &Tensor,
    windows: &mut Tensor,
) -> Result<()> {
    let (image, weight) = (plan.image_planes(image)?, plan.matrices(weight)?);
    let mut windows = plan.window_planes(windows)?;
    if plan.is_narrow() && image.dtype().is_floating() {
        return direct::to_windows(plan, &image, &weight, &mut windows);
    }
    let blocks = plan.blocks(plan.image_channels);
    let pairs = plan.batch * plan.groups;
    plan.for_tasks(pairs as usize * blocks.count, blocks.width, &|task, room| {
        let (pair, range) = ((task / blocks.count) as i64, blocks.range(task % blocks.count));
        let image = view::select(&image, 0, pair)?;
        let unfolded = plan.unfolded(&image, range.clone(), room)?;
        let mut out = columns(&view::select(&windows, 0, pair)?, &range)?;
        let weight = view::select(&weight, 0, pair % plan.groups)?;
        multiply(ONE, &weight, &unfolded, ONE, &mut out)
    })
}

/// Adds `weight.T @ windows`, folded, to an image that is there.
pub(super) fn to_image(
    plan: &ConvolutionPlan,
    windows: &Tensor,
    weight: &Tensor,
    image: &mut Tensor,
) -> Result<()> {
    let (windows, weight) = (plan.window_planes(windows)?, plan.matrices(weight)?);
    let mut image = plan.image_planes(image)?;
    if plan.is_narrow() && image.dtype().is_floating() {
        return direct::to_image(plan, &windows, &weight, &mut image);
    }
    let channels = plan.image_channels.min(CHANNELS);
    let parts = ceil_div(plan.image_channels, channels.max(1));
    let blocks = plan.blocks(channels);
    let pairs = plan.batch * plan.groups;
    plan.for_tasks((pairs * parts) as usize, plan.grid.windows(), &|task, room| {
        let (pair, part) = (task as i64 / parts, task as i64 % parts);
        let channels = part_of(plan.image_channels, channels, part);
        let mut image = rows(&view::select(&image, 0, pair)?, &channels)?;
        let windows = view::select(&windows, 0, pair)?;
        let weight = plan.taps_of(&view::select(&weight, 0, pair % plan.groups)?, &channels)?;
        let weight = view::transpose(&weight, 0, 1)?;
        for range in (0..blocks.count).map(|it| blocks.range(it)) {
            let mut unfolded = room.matrix(weight.shape()[0], range.len(), image.dtype())?;
            multiply(ONE, &weight, &columns(&windows, &range)?, Scalar::Int(0), &mut unfolded)?;
            plan.fold(&unfolded, range, &mut image)?;
            interrupt::check();
        }
        Ok(())
    })
}

/// Adds `windows @ unfolded image.T` to weights that are there.
pub(super) fn to_weight(
    plan: &ConvolutionPlan,
    image: &Tensor,
    windows: &Tensor,
    weight: &mut Tensor,
) -> Result<()> {
    let (image, windows) = (plan.image_planes(image)?, plan.window_planes(windows)?);
    let mut weight = plan.matrices(weight)?;
    if plan.is_narrow() && image.dtype().is_floating() {
        return direct::to_weight(plan, &image, &windows, &mut weight);
    }
    let channels = plan.image_channels.min(CHANNELS);
    let parts = ceil_div(plan.image_channels, channels.max(1));
    let blocks = plan.blocks(channels);
    let work = plan.grid.windows().saturating_mul(plan.batch as usize);
    plan.for_tasks((plan.groups * parts) as usize, work, &|task, room| {
        let (group, part) = (task as i64 / parts, task as i64 % parts);
        let channels = part_of(plan.image_channels, channels, part);
        let mut weight = plan.taps_of(&view::select(&weight, 0, group)?, &channels)?;
        for pair in (0..plan.batch).map(|it| it * plan.groups + group) {
            let image = rows(&view::select(&image, 0, pair)?, &channels)?;
            let windows = view::select(&windows, 0, pair)?;
            for range in (0..blocks.count).map(|it| blocks.range(it)) {
                let unfolded = plan.unfolded(&image, range.clone(), room)?;
                let windows = columns(&windows, &range)?;
                multiply(ONE, &windows, &view::transpose(&unfolded, 0, 1)?, ONE, &mut weight)?;
                interrupt::check();
            }
        }
        Ok(())
    })
}

/// Some columns of a matrix.
fn columns(matrix: &Tensor, range: &Range<usize>) -> Result<Tensor> {
    view::narrow(matrix, 1, range.start as i64, range.len() as i64)
}

/// Some rows of a matrix.
fn rows(matrix: &Tensor, range: &Range<i64>) -> Result<Tensor> {
    view::narrow(matrix, 0, range.start, range.end - range.start)
}

/// One of the parts of a range that are so long.
fn part_of(count: i64, length: i64, part: i64) -> Range<i64> {
    part * length..count.min((part + 1) * length)
}

/// Memory for blocks, one after the other.
#[derive(Default)]
pub(super) struct Room(Option<Tensor>);

impl Room {
    /// A matrix whose elements are whatever was there.
    fn matrix(&mut self, rows: i64, columns: usize, dtype: DType) -> Result<Tensor> {
        let count = rows * columns as i64;
        if self.0.as_ref().is_none_or(|it| it.numel() < count as usize || it.dtype() != dtype) {
            self.0 = Some(Tensor::allocate(&[count], dtype, Device::Cpu)?);
        }
        let room = self.0.as_ref().expect("it was just made");
        view::reshape(&view::narrow(room, 0, 0, count)?, &[rows, columns as i64])
    }
}

/// How windows are cut into blocks.
pub(super) struct Blocks {
    pub(super) width: usize,
    pub(super) count: usize,
    windows: usize,
}

impl Blocks {
    pub(super) fn range(&self, block: usize) -> Range<usize> {
        let start = block * self.width;
        start..self.windows.min(start + self.width)
    }
}

impl ConvolutionPlan {
    /// A matrix for each image and group, with a row for each channel.
    fn image_planes(&self, image: &Tensor) -> Result<Tensor> {
        let shape = [self.batch * self.groups, self.image_channels, self.grid.elements() as i64];
        view::reshape(image, &shape)
    }

    /// The same of windows.
    fn window_planes(&self, windows: &Tensor) -> Result<Tensor> {
        let shape = [self.batch * self.groups, self.window_channels, self.grid.windows() as i64];
        view::reshape(windows, &shape)
    }

    /// The weights of each group, with a column for each channel of the image and tap.
    fn matrices(&self, weight: &Tensor) -> Result<Tensor> {
        let columns = self.image_channels * self.grid.taps() as i64;
        view::reshape(weight, &[self.groups, self.window_channels, columns])
    }

    /// The weights of some channels of the image.
    fn taps_of(&self, weight: &Tensor, channels: &Range<i64>) -> Result<Tensor> {
        let taps = self.grid.taps() as i64;
        view::narrow(weight, 1, channels.start * taps, (channels.end - channels.start) * taps)
    }

    fn blocks(&self, channels: i64) -> Blocks {
        let height = (channels as usize).saturating_mul(self.grid.taps()).max(1);
        self.blocks_of((BLOCK / height).max(LEAST_WINDOWS))
    }

    /// The windows in blocks that are so wide.
    pub(super) fn blocks_of(&self, width: usize) -> Blocks {
        let windows = self.grid.windows();
        let width = width.min(windows.max(1));
        Blocks { width, count: windows.div_ceil(width), windows }
    }

    /// Calls `body` for so many tasks, each for so many windows, on several threads if it takes long.
    pub(super) fn for_tasks(
        &self,
        count: usize,
        windows: usize,
        body: &(dyn Fn(usize, &mut Room) -> Result<()> + Sync),
    ) -> Result<()> {
        let taps = (self.image_channels * self.window_channels) as usize * self.grid.taps();
        parallel::try_share(count, taps.saturating_mul(windows), &|tasks| {
            let mut room = Room::default();
            for task in tasks {
                body(task, &mut room)?;
            }
            Ok(())
        })
    }

    /// A range of windows as columns, with a row for each channel and tap.
    fn unfolded(&self, image: &Tensor, range: Range<usize>, room: &mut Room) -> Result<Tensor> {
        if self.grid.is_identity() {
            return columns(image, &range);
        }
        let height = image.shape()[0] * self.grid.taps() as i64;
        let mut unfolded = room.matrix(height, range.len(), image.dtype())?;
        dispatch!(image.dtype(), "convolution", calculated number, |T| {
            self.unfold::<T>(image, range, &mut unfolded)
        })?;
        Ok(unfolded)
    }

    fn unfold<T: Element + Number>(
        &self,
        image: &Tensor,
        range: Range<usize>,
        unfolded: &mut Tensor,
    ) -> Result<()> {
        let (elements, step, width) = (self.grid.elements(), self.grid.step(), range.len());
        // SAFETY: nobody else knows of the block, and nobody writes to the image of an operator.
        let (image, unfolded) = unsafe {
            (
                image.as_slice::<T>()?,
                unfolded.array_view_mut::<T>()?.into_slice().expect("it is dense"),
            )
        };
        if elements == 0 {
            unfolded.fill(T::ZERO);
            return Ok(());
        }
        let per_channel = self.grid.taps() * width;
        self.grid.for_taps(range, &mut |tap, runs| {
            let channels = image.chunks_exact(elements).zip(unfolded.chunks_exact_mut(per_channel));
            for (plane, rows) in channels {
                let row = &mut rows[tap * width..][..width];
                let mut done = 0;
                for run in runs {
                    row[done..run.window].fill(T::ZERO);
                    done = run.window + run.count;
                    let (slots, from) = (&mut row[run.window..done], &plane[run.element..]);
                    match step {
                        1 => slots.copy_from_slice(&from[..run.count]),
                        _ => slots
                            .iter_mut()
                            .zip(from.iter().step_by(step))
                            .for_each(|(slot, &it)| *slot = it),
                    }
                }
                row[done..].fill(T::ZERO);
            }
        })
    }

    /// Adds each column to the elements of its window.
    fn fold(&self, unfolded: &Tensor, range: Range<usize>, image: &mut Tensor) -> Result<()> {
        dispatch!(image.dtype(), "convolution", calculated number, |T| {
            self.fold_of::<T>(unfolded, range, image)
        })
    }

    fn fold_of<T: Element + Number>(
        &self,
        unfolded: &Tensor,
        range: Range<usize>,
        image: &mut Tensor,
    ) -> Result<()> {
        let (elements, step, width) = (self.grid.elements(), self.grid.step(), range.len());
        // SAFETY: these planes of the image are of this task alone, and the block is of it, too.
        let (unfolded, image) = unsafe {
            (
                unfolded.as_slice::<T>()?,
                image.array_view_mut::<T>()?.into_slice().expect("it is dense"),
            )
        };
        let per_channel = self.grid.taps() * width;
        self.grid.for_taps(range, &mut |tap, runs| {
            let channels = image.chunks_exact_mut(elements).zip(unfolded.chunks_exact(per_channel));
            for (plane, rows) in channels {
                let row = &rows[tap * width..][..width];
                for run in runs {
                    let (values, to) = (&row[run.window..][..run.count], &mut plane[run.element..]);
                    match step {
                        1 => add(&mut to[..run.count], values),
                        _ => to
                            .iter_mut()
                            .step_by(step)
                            .zip(values)
                            .for_each(|(slot, &it)| *slot = slot.plus(it)),
                    }
                }
            }
        })
    }
}

fn add<T: Number>(slots: &mut [T], values: &[T]) {
    slots.iter_mut().zip(values).for_each(|(slot, &it)| *slot = slot.plus(it));
}
