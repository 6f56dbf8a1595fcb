//! Convolutions tap by tap, for groups that are too narrow for products of matrices: of depthwise ones.

use opwright_runtime::dtype::{Element, Number};
use opwright_runtime::{Result, Tensor, dispatch, multiversion, view};

use super::plan::ConvolutionPlan;

/// The windows of a block, whose sums stay in the first cache.
const WINDOWS: usize = 1 << 11;

/// A product of matrices pays from so many rows on.
const LEAST_ROWS: i64 = 4;

impl ConvolutionPlan {
    /// Whether the weights of a group have too few rows for a product of matrices.
    pub(super) fn is_narrow(&self) -> bool {
        self.window_channels < LEAST_ROWS && self.image_channels < LEAST_ROWS
    }
}

/// Adds to windows that are there.
///
/// All tensors are contiguous, of one floating dtype that sums are calculated in, and have the images and
/// groups in their first dimension.
pub(super) fn to_windows(
    plan: &ConvolutionPlan,
    image: &Tensor,
    weight: &Tensor,
    windows: &Tensor,
) -> Result<()> {
    let blocks = plan.blocks_of(WINDOWS);
    let pairs = plan.batch * plan.groups;
    plan.for_tasks(pairs as usize * blocks.count, blocks.width, &|task, _| {
        let (pair, range) = ((task / blocks.count) as i64, blocks.range(task % blocks.count));
        let image = view::select(image, 0, pair)?;
        let weight = view::select(weight, 0, pair % plan.groups)?;
        let windows = view::select(windows, 0, pair)?;
        for channel in 0..plan.window_channels {
            let row = view::select(&windows, 0, channel)?;
            let mut row = view::narrow(&row, 0, range.start as i64, range.len() as i64)?;
            let weight = view::select(&weight, 0, channel)?;
            dispatch!(row.dtype(), "convolution", calculated floating, |T| {
                add_taps::<T>(plan, &image, &weight, range.start, &mut row)
            })?;
        }
        Ok(())
    })
}

/// Adds what the taps of some windows see.
fn add_taps<T: Element + Number>(
    plan: &ConvolutionPlan,
    image: &Tensor,
    weight: &Tensor,
    start: usize,
    row: &mut Tensor,
) -> Result<()> {
    let (elements, taps, step) = (plan.grid.elements(), plan.grid.taps(), plan.grid.step());
    // SAFETY: these windows are of this task alone, and nobody writes to the inputs of an operator.
    let (image, weight, row) = unsafe {
        (
            image.as_slice::<T>()?,
            weight.as_slice::<T>()?,
            row.array_view_mut::<T>()?.into_slice().expect("it is dense"),
        )
    };
    if elements == 0 {
        return Ok(());
    }
    plan.grid.for_taps(start..start + row.len(), &mut |tap, runs| {
        for (plane, weights) in image.chunks_exact(elements).zip(weight.chunks_exact(taps)) {
            for run in runs {
                let slots = &mut row[run.window..][..run.count];
                add_scaled(slots, &plane[run.element..], step, weights[tap]);
            }
        }
    })
}

multiversion! {
    /// Adds a number times each element at such a distance.
    fn add_scaled<T>(slots: &mut [T], elements: &[T], step: usize, factor: T)
    where
        [T: Element + Number]
    {
        if step == 1 {
            for (slot, &it) in slots.iter_mut().zip(elements) {
                *slot = slot.plus(it.times(factor));
            }
        } else {
            for (slot, &it) in slots.iter_mut().zip(elements.iter().step_by(step)) {
                *slot = slot.plus(it.times(factor));
            }
        }
    }
}
