//! Direct convolutions, for groups that are too narrow for products of matrices: depthwise ones.

use std::slice;

use opwright_runtime::dtype::{Element, Float, Number};
use opwright_runtime::parallel::Pointer;
use opwright_runtime::{Result, Tensor, buffer, dispatch, multiversion, parallel, view};

use super::plan::ConvolutionPlan;
use crate::nn::along_dim::total;
use crate::nn::window::{Bands, Grid, TapRun, Windows};

/// The windows of a block, whose sums stay in the first cache.
const WINDOWS: usize = 1 << 11;

/// A product of matrices pays from so many rows on.
const LEAST_ROWS: i64 = 4;

impl ConvolutionPlan {
    /// Whether the weights of a group have too few rows for a product of matrices.
    pub(super) fn is_narrow(&self) -> bool {
        self.window_channels < LEAST_ROWS && self.image_channels < LEAST_ROWS
    }

    /// The plan by which elements of the image are windows of its windows, with the last tap first.
    fn back(&self) -> Result<Option<ConvolutionPlan>> {
        if self.grid.dims().iter().any(|it| it.stride != 1) {
            return Ok(None);
        }
        let back = |it: &Windows| Windows {
            size: it.count,
            count: it.size,
            padding: (it.kernel - 1) * it.dilation - it.padding,
            ..*it
        };
        Ok(Some(ConvolutionPlan {
            grid: Grid::new(self.grid.dims().iter().map(back).collect())?,
            image_channels: self.window_channels,
            window_channels: self.image_channels,
            ..*self
        }))
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
    windows: &mut Tensor,
) -> Result<()> {
    dispatch!(windows.dtype(), "convolution", calculated floating, |T| {
        correlate::<T>(plan, image, weight, windows, false)
    })
}

/// Adds to windows what their taps see of an image; weights may be those of the way back.
fn correlate<T: Element + Float>(
    plan: &ConvolutionPlan,
    image: &Tensor,
    weight: &Tensor,
    windows: &mut Tensor,
    is_back: bool,
) -> Result<()> {
    let grid = &plan.grid;
    let (elements, count, taps, step) = (grid.elements(), grid.windows(), grid.taps(), grid.step());
    let (channels, rows) = (plan.image_channels as usize, plan.window_channels as usize);
    let groups = plan.groups as usize;
    // SAFETY: nobody else has the windows, and nobody writes to the inputs of an operator.
    let (image, weight, windows) = unsafe {
        let windows = windows.array_view_mut::<T>()?.into_slice().expect("it is dense");
        (image.as_slice::<T>()?, weight.as_slice::<T>()?, Pointer(windows.as_mut_ptr()))
    };
    let blocks = plan.blocks_of(WINDOWS);
    let planes = plan.batch as usize * groups * rows;
    let work = (blocks.width * taps).saturating_mul(channels);
    parallel::try_share(blocks.count * planes, work, &|tasks| {
        let (mut bands, mut factors) = (Bands::default(), Vec::new());
        for task in tasks.clone() {
            let (range, plane) = (blocks.range(task / planes), task % planes);
            if task == tasks.start || plane == 0 {
                bands = grid.bands(range.clone())?;
            }
            let (pair, row) = (plane / rows, plane % rows);
            let group = pair % groups;
            // SAFETY: these windows of this channel are of this task alone.
            let slots = unsafe {
                let first = windows.at((plane * count + range.start) as isize);
                slice::from_raw_parts_mut(first, range.len())
            };
            for (seen, runs) in bands.each() {
                for channel in 0..channels {
                    let matrix = match is_back {
                        false => (group * rows + row) * channels + channel,
                        true => (group * channels + channel) * rows + row,
                    };
                    let weights = &weight[matrix * taps..][..taps];
                    let weight = |tap| weights[if is_back { taps - 1 - tap } else { tap }];
                    factors.clear();
                    factors.extend(seen.iter().map(|&(tap, behind)| (behind, weight(tap))));
                    let plane = &image[(pair * channels + channel) * elements..][..elements];
                    add_runs(slots, plane, runs, &factors, step);
                }
            }
        }
        Ok(())
    })
}

/// Adds to an image that is there what its windows have, as [`to_windows`] takes it.
pub(super) fn to_image(
    plan: &ConvolutionPlan,
    windows: &Tensor,
    weight: &Tensor,
    image: &mut Tensor,
) -> Result<()> {
    if let Some(back) = plan.back()? {
        return dispatch!(image.dtype(), "convolution", calculated floating, |T| {
            correlate::<T>(&back, windows, weight, image, true)
        });
    }
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
    weight: &mut Tensor,
) -> Result<()> {
    dispatch!(weight.dtype(), "convolution", calculated floating, |T| {
        weight_sums::<T>(plan, image, windows, weight)
    })
}

fn weight_sums<T: Element + Float>(
    plan: &ConvolutionPlan,
    image: &Tensor,
    windows: &Tensor,
    weight: &mut Tensor,
) -> Result<()> {
    let (elements, count) = (plan.grid.elements(), plan.grid.windows());
    let (taps, step) = (plan.grid.taps(), plan.grid.step());
    let (channels, rows) = (plan.image_channels as usize, plan.window_channels as usize);
    // SAFETY: nobody else has the weights, and nobody writes to the inputs of an operator.
    let (image, windows, weight) = unsafe {
        let weight = weight.array_view_mut::<T>()?.into_slice().expect("it is dense");
        (image.as_slice::<T>()?, windows.as_slice::<T>()?, Pointer(weight.as_mut_ptr()))
    };
    let (batch, groups) = (plan.batch as usize, plan.groups as usize);
    let blocks = plan.blocks_of(WINDOWS);
    let of_group = rows * channels * taps;
    let work = count.saturating_mul(batch).saturating_mul(of_group);
    parallel::try_share(groups, work, &|tasks| {
        let mut parts = buffer::filled(taps, PartialSums::<T>::ZERO)?;
        for range in (0..blocks.count).map(|it| blocks.range(it)) {
            let bands = plan.grid.bands_of_taps(range.clone())?;
            for group in tasks.clone() {
                // SAFETY: these weights are of this task alone.
                let weight = unsafe {
                    slice::from_raw_parts_mut(weight.at((group * of_group) as isize), of_group)
                };
                for (number, slots) in weight.chunks_exact_mut(taps).enumerate() {
                    let (row, channel) = (number / channels, number % channels);
                    for pair in (0..batch).map(|it| it * groups + group) {
                        let values = &windows[(pair * rows + row) * count..][range.clone()];
                        let plane = &image[(pair * channels + channel) * elements..][..elements];
                        parts.fill(PartialSums::ZERO);
                        for (seen, runs) in bands.each() {
                            add_products(&mut parts, values, plane, runs, seen, step);
                        }
                        for (slot, parts) in slots.iter_mut().zip(&parts) {
                            *slot = *slot + parts.total();
                        }
                    }
                }
            }
        }
        Ok(())
    })
}

/// Partial sums, which are added up side by side: of neighbouring windows, and of what is left of them.
#[derive(Clone, Copy)]
struct PartialSums<T> {
    many: [T; 16],
    some: [T; 4],
    one: T,
}

impl<T: Float> PartialSums<T> {
    const ZERO: PartialSums<T> =
        PartialSums { many: [T::ZERO; 16], some: [T::ZERO; 4], one: T::ZERO };

    fn total(&self) -> T {
        total(&self.many, |it| it) + total(&self.some, |it| it) + self.one
    }
}

multiversion! {
    /// Adds products of values and the elements below them to the parts of each tap.
    fn add_products<T>(
        parts: &mut [PartialSums<T>],
        values: &[T],
        plane: &[T],
        runs: &[TapRun],
        taps: &[(usize, usize)],
        step: usize
    )
    where
        [T: Element + Float]
    {
        for &(tap, behind) in taps {
            let PartialSums { mut many, mut some, mut one } = parts[tap];
            for run in runs {
                let mut values = &values[run.window..][..run.count];
                let mut elements = &plane[run.element + behind..][..(run.count - 1) * step + 1];
                if step == 1 {
                    (values, elements) = add_blocks::<16, T>(&mut many, values, elements, 1);
                    (values, elements) = add_blocks::<4, T>(&mut some, values, elements, 1);
                } else {
                    (values, elements) = add_blocks::<4, T>(&mut some, values, elements, step);
                }
                for (&value, &it) in values.iter().zip(elements.iter().step_by(step)) {
                    one = one + value * it;
                }
            }
            parts[tap] = PartialSums { many, some, one };
        }
    }
}

/// Adds products of so many neighbours at a time, and returns those that are left.
#[inline(always)]
fn add_blocks<'a, const WIDTH: usize, T: Element + Float>(
    sums: &mut [T; WIDTH],
    values: &'a [T],
    elements: &'a [T],
    step: usize,
) -> (&'a [T], &'a [T]) {
    let (blocks, rest) = values.as_chunks::<WIDTH>();
    for (block, elements) in blocks.iter().zip(elements.chunks(WIDTH * step)) {
        let elements = &elements[..(WIDTH - 1) * step + 1];
        for (lane, (sum, &value)) in sums.iter_mut().zip(block).enumerate() {
            *sum = *sum + value * elements[lane * step];
        }
    }
    (rest, &elements[(blocks.len() * WIDTH * step).min(elements.len())..])
}

multiversion! {
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
    /// Adds to windows of some runs the elements below these taps, times their factors.
    fn add_runs<T>(
        windows: &mut [T],
        plane: &[T],
        runs: &[TapRun],
        taps: &[(usize, T)],
        step: usize
    )
    where
        [T: Element + Float]
    {
        let reach = taps.iter().map(|it| it.0).max().unwrap_or(0);
        for run in runs {
            let slots = &mut windows[run.window..][..run.count];
            let elements = &plane[run.element..];
            assert!(run.count > 0 && reach + (run.count - 1) * step < elements.len());
            // SAFETY: the farthest tap of the last window lies on an element.
            unsafe {
                match (step, run.count) {
                    (1, 32..) => add_tiles::<32, T>(slots, elements, taps, 1),
                    (1, 12..) => add_tiles::<12, T>(slots, elements, taps, 1),
                    (1, 4..) => add_tiles::<4, T>(slots, elements, taps, 1),
                    (2, 8..) => add_tiles::<8, T>(slots, elements, taps, 2),
                    _ => add_tiles::<1, T>(slots, elements, taps, step),
                }
            }
        }
    }
}

/// The same of neighbouring windows, so many at a time. The last ones may be among those before, too.
///
/// # Safety
///
/// All taps of all windows lie on elements.
#[inline(always)]
unsafe fn add_tiles<const WIDTH: usize, T: Element + Float>(
    slots: &mut [T],
    elements: &[T],
    taps: &[(usize, T)],
    step: usize,
) {
    let last = slots.len() - WIDTH;
    // SAFETY: these are windows that the caller has elements for.
    unsafe {
        // As they were before those that they share are written.
        let end = tile_sums::<WIDTH, T>(slots, last, elements, taps, step);
        for at in (0..last).step_by(WIDTH) {
            let sums = tile_sums::<WIDTH, T>(slots, at, elements, taps, step);
            slots[at..][..WIDTH].copy_from_slice(&sums);
        }
        slots[last..].copy_from_slice(&end);
    }
}

/// What so many windows from one on come to.
///
/// # Safety
///
/// As for [`add_tiles`].
#[inline(always)]
unsafe fn tile_sums<const WIDTH: usize, T: Element + Float>(
    slots: &[T],
    first: usize,
    elements: &[T],
    taps: &[(usize, T)],
    step: usize,
) -> [T; WIDTH] {
    let mut sums = [T::ZERO; WIDTH];
    sums.copy_from_slice(&slots[first..][..WIDTH]);
    for &(behind, factor) in taps {
        for (at, sum) in sums.iter_mut().enumerate() {
            // SAFETY: the caller has an element below each tap of each window.
            let element = unsafe { *elements.get_unchecked(behind + (first + at) * step) };
            *sum = *sum + element * factor;
        }
    }
    sums
}
