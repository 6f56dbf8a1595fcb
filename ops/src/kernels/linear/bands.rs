//! Sharing an output among threads.

use std::sync::{Mutex, PoisonError};

use ndarray::{ArrayViewMut, Axis, Dimension};
use opwright_runtime::{Result, buffer, parallel};

/// What is done with a band and the index where it starts.
type Body<'a, T, D> = &'a (dyn Fn(usize, ArrayViewMut<'_, T, D>) -> Result<()> + Sync);

/// Cuts `out` along `axis` into bands of `width`, and calls `body` with each
/// and the index where it starts, on several threads if it turns out to take
/// long. A band stands for `weight` elements or so.
///
/// # Errors
///
/// The first error of `body`; `Memory` if there is not enough.
pub(crate) fn for_bands<T: Send, D: Dimension>(
    mut out: ArrayViewMut<'_, T, D>,
    axis: Axis,
    width: usize,
    weight: usize,
    body: Body<'_, T, D>,
) -> Result<()> {
    if out.len_of(axis) <= width {
        return body(0, out);
    }
    let bands = out.axis_chunks_iter_mut(axis, width).map(|band| Mutex::new(Some(band)));
    let bands = buffer::collected(bands)?;
    parallel::try_share(bands.len(), weight, &|range| {
        for index in range {
            // Each index comes once, so nobody ever waits here.
            let band = bands[index].lock().unwrap_or_else(PoisonError::into_inner).take();
            if let Some(band) = band {
                body(index * width, band)?;
            }
        }
        Ok(())
    })
}
