//! Convolutions tap by tap, for groups that are too narrow for products of matrices: of depthwise ones.

use opwright_runtime::dtype::{Element, Float, Number};
use opwright_runtime::{Result, Tensor, dispatch, multiversion, view};

use super::plan::ConvolutionPlan;
use crate::nn::along_dim::total;

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

/// Adds to an image that is there what its windows have, as [`to_windows`] takes it.
pub(super) fn to_image(
    plan: &ConvolutionPlan,
    windows: &Tensor,
    weight: &Tensor,
    image: &Tensor,
) -> Result<()> {
    let channels = plan.image_channels;
    let count = plan.batch * plan.groups * channels;
    plan.for_tasks(count as usize, plan.grid.windows(), &|task, _| {
        let (pair, channel) = (task as i64 / channels, task as i64 % channels);
        let mut plane = view::select(&view::select(image, 0, pair)?, 0, channel)?;
        let (windows, weight) =
            (view::select(windows, 0, pair)?, view::select(weight, 0, pair % plan.groups)?);
        dispatch!(plane.dtype(), "convolution", calculated floating, |T| {
            spread_taps::<T>(plan, &windows, &weight, channel as usize, &mut plane)
        })
    })
}

/// Adds to one channel of an image what all taps of all windows have for it.
fn spread_taps<T: Element + Number>(
    plan: &ConvolutionPlan,
    windows: &Tensor,
    weight: &Tensor,
    channel: usize,
    plane: &mut Tensor,
) -> Result<()> {
    let (count, taps, step) = (plan.grid.windows(), plan.grid.taps(), plan.grid.step());
    // SAFETY: this channel is of this task alone, and nobody writes to the inputs of an operator.
    let (windows, weight, plane) = unsafe {
        (
            windows.as_slice::<T>()?,
            weight.as_slice::<T>()?,
            plane.array_view_mut::<T>()?.into_slice().expect("it is dense"),
        )
    };
    if plane.is_empty() || count == 0 {
        return Ok(());
    }
    let of_windows = plan.image_channels as usize * taps;
    let blocks = plan.blocks_of(WINDOWS);
    for range in (0..blocks.count).map(|it| blocks.range(it)) {
        let start = range.start;
        plan.grid.for_taps(range, &mut |tap, runs| {
            for (row, weights) in windows.chunks_exact(count).zip(weight.chunks_exact(of_windows)) {
                for run in runs {
                    let values = &row[start + run.window..][..run.count];
                    let factor = weights[channel * taps + tap];
                    spread_scaled(&mut plane[run.element..], values, step, factor);
                }
            }
        })?;
    }
    Ok(())
}

/// Adds to weights that are there the sums of windows times what their taps see.
pub(super) fn to_weight(
    plan: &ConvolutionPlan,
    image: &Tensor,
    windows: &Tensor,
    weight: &Tensor,
) -> Result<()> {
    let work = plan.grid.windows().saturating_mul(plan.batch as usize);
    plan.for_tasks(plan.groups as usize, work, &|task, _| {
        let group = task as i64;
        let mut weight = view::select(weight, 0, group)?;
        for pair in (0..plan.batch).map(|it| it * plan.groups + group) {
            let (image, windows) = (view::select(image, 0, pair)?, view::select(windows, 0, pair)?);
            dispatch!(weight.dtype(), "convolution", calculated floating, |T| {
                add_products::<T>(plan, &image, &windows, &mut weight)
            })?;
        }
        Ok(())
    })
}

/// Adds the sums of products of one image.
fn add_products<T: Element + Float>(
    plan: &ConvolutionPlan,
    image: &Tensor,
    windows: &Tensor,
    weight: &mut Tensor,
) -> Result<()> {
    let (elements, count) = (plan.grid.elements(), plan.grid.windows());
    let (taps, step) = (plan.grid.taps(), plan.grid.step());
    // SAFETY: these weights are of this task alone, and nobody writes to the inputs of an operator.
    let (image, windows, weight) = unsafe {
        (
            image.as_slice::<T>()?,
            windows.as_slice::<T>()?,
            weight.array_view_mut::<T>()?.into_slice().expect("it is dense"),
        )
    };
    if elements == 0 || count == 0 {
        return Ok(());
    }
    let blocks = plan.blocks_of(WINDOWS);
    for range in (0..blocks.count).map(|it| blocks.range(it)) {
        let start = range.start;
        plan.grid.for_taps(range, &mut |tap, runs| {
            let mut slots = weight.iter_mut().skip(tap).step_by(taps);
            for row in windows.chunks_exact(count) {
                for plane in image.chunks_exact(elements) {
                    let Some(slot) = slots.next() else { return };
                    for run in runs {
                        let values = &row[start + run.window..][..run.count];
                        *slot = *slot + sum_of_products(values, &plane[run.element..], step);
                    }
                }
            }
        })?;
    }
    Ok(())
}

multiversion! {
    /// The sum of products with elements at such a distance.
    #[allow(clippy::needless_range_loop, reason = "several rows are walked together")]
    fn sum_of_products<T>(values: &[T], elements: &[T], step: usize) -> T
    where
        [T: Element + Float]
    {
        let mut parts = [T::ZERO; 16];
        if step == 1 {
            let elements = &elements[..values.len()];
            let each = values.chunks_exact(16).zip(elements.chunks_exact(16));
            for (values, elements) in each {
                for at in 0..16 {
                    parts[at] = parts[at] + values[at] * elements[at];
                }
            }
            let rest = values.len() - values.len() % 16;
            for at in rest..values.len() {
                parts[at - rest] = parts[at - rest] + values[at] * elements[at];
            }
        } else {
            for (at, (&value, &it)) in values.iter().zip(elements.iter().step_by(step)).enumerate() {
                parts[at % 16] = parts[at % 16] + value * it;
            }
        }
        total(&parts, |it| it)
    }

    /// Adds a number times each value to the elements at such a distance.
    fn spread_scaled<T>(slots: &mut [T], values: &[T], step: usize, factor: T)
    where
        [T: Element + Number]
    {
        if step == 1 {
            for (slot, &it) in slots.iter_mut().zip(values) {
                *slot = slot.plus(it.times(factor));
            }
        } else {
            for (slot, &it) in slots.iter_mut().step_by(step).zip(values) {
                *slot = slot.plus(it.times(factor));
            }
        }
    }
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
