//! Elements of a tensor, picked by places along some of its dimensions.

use opwright_runtime::dtype::Number;
use opwright_runtime::geometry::{Dims, element_count};
use opwright_runtime::tensor::{Overlap, overlaps};
use opwright_runtime::{
    DType, Element, Result, Tensor, dispatch, ensure, fail, interrupt, parallel, view,
};

use super::by_element_size::{Word, by_word};
use super::zip_elements::{Walk, offsets};
use opwright_runtime::parallel::Pointer;

/// For every combination of the dimensions before, a place, and of the
/// dimensions after, one element: in this order, row by row.
pub(super) struct Selection {
    before: Vec<isize>,
    places: Vec<isize>,
    after: After,
}

/// The elements at one place.
enum After {
    /// So many neighbours.
    Dense(usize),
    /// At these offsets from it.
    Scattered(Vec<isize>),
}

impl Selection {
    /// The elements at `places`, for every index of dimensions `..first` and
    /// `end..` of a tensor with this shape and these strides.
    ///
    /// # Errors
    ///
    /// `Memory` if there is not enough.
    pub(super) fn new(
        shape: &[i64],
        strides: &[i64],
        first: usize,
        end: usize,
        places: Vec<isize>,
    ) -> Result<Selection> {
        if places.is_empty() || shape.contains(&0) {
            // The other dimensions may be too large to list anything for them.
            let (before, places) = (Vec::new(), Vec::new());
            return Ok(Selection { before, places, after: After::Dense(0) });
        }
        let (first, end) = (first.min(shape.len()), end.min(shape.len()));
        let walk = Walk::new(&shape[end..], [&strides[end..]]);
        let after = if walk.is_dense(0) {
            After::Dense(walk.count())
        } else {
            After::Scattered(offsets(&shape[end..], &strides[end..])?)
        };
        Ok(Selection { before: offsets(&shape[..first], &strides[..first])?, places, after })
    }

    /// The number of elements.
    pub(super) fn count(&self) -> usize {
        self.before.len() * self.places.len() * self.after.count()
    }

    /// Writes the elements to a tensor, in order.
    pub(super) fn read(&self, source: &Tensor, out: &mut Tensor) -> Result<()> {
        check_present(&[source, out])?;
        if self.count() == 0 {
            return Ok(());
        }
        if !out.is_contiguous() || out.dtype() != source.dtype() {
            let mut result = Tensor::allocate(out.shape(), source.dtype(), source.device())?;
            self.read(source, &mut result)?;
            return out.copy_from(&result);
        }
        by_word!(source.dtype(), |W| self.read_words::<W>(source, out));
        Ok(())
    }

    fn read_words<W: Word>(&self, source: &Tensor, out: &mut Tensor) {
        debug_assert_eq!(out.numel(), self.count());
        let from = Pointer(source.data_ptr().cast::<W>());
        // SAFETY: every element is written below, before anything is read.
        let to = Pointer(unsafe { out.overwrite_ptr() }.cast::<W>());
        let (places, width) = (&self.places[..], self.after.count());
        let rows = self.before.len() * places.len();
        parallel::share(rows, width, &|range| {
            let mut row = range.start;
            while row < range.end {
                let (before, first) = (row / places.len(), row % places.len());
                let count = (places.len() - first).min(range.end - row);
                // SAFETY: places were checked to be in the source, the output is
                // contiguous and has a row for each; rows are disjoint.
                unsafe {
                    let from = from.at(self.before[before]);
                    let to = to.at((row * width) as isize);
                    self.after.gather(from, &places[first..first + count], to);
                }
                row += count;
            }
        });
        // SAFETY: every row has been written.
        unsafe { out.assume_written() };
    }

    /// Overwrites the elements with those of a contiguous tensor of the same
    /// dtype, in order: of equal places the last one wins.
    pub(super) fn write(&self, target: &Tensor, values: &Tensor) -> Result<()> {
        check_present(&[target, values])?;
        if self.count() == 0 {
            return Ok(());
        }
        by_word!(target.dtype(), |W| {
            let (to, from) = (target.data_ptr().cast::<W>(), values.data_ptr().cast::<W>());
            // SAFETY: places were checked to be in the target, and there are as
            // many values; `values` is contiguous and shares nothing with it.
            self.each(|element, place| unsafe { to.offset(place).write(from.add(element).read()) });
        });
        Ok(())
    }

    /// Combines each element with that of a contiguous tensor of the same dtype.
    pub(super) fn update<T: Element>(
        &self,
        target: &Tensor,
        values: &Tensor,
        combine: impl Fn(T, T) -> T,
    ) -> Result<()> {
        check_present(&[target])?;
        // SAFETY: the target is other memory, and threads that share a tensor do
        // not write to it while an operator reads it.
        let values = unsafe { values.as_slice::<T>()? };
        let to = target.data_ptr().cast::<T>();
        self.each(|element, place| {
            // SAFETY: places were checked to be in the target, whose elements
            // are of type `T`; nobody else writes there.
            unsafe {
                let slot = to.offset(place);
                slot.write(combine(slot.read(), values[element]));
            }
        });
        Ok(())
    }

    /// Adds the elements of a contiguous tensor of the same dtype.
    pub(super) fn add(&self, target: &Tensor, values: &Tensor) -> Result<()> {
        if target.dtype().is_boolean() {
            // A truth value may be any byte.
            let (target, values) = (
                view::reinterpret(target, DType::UInt8)?,
                view::reinterpret(values, DType::UInt8)?,
            );
            return self.update::<u8>(&target, &values, |a, b| u8::from(a | b != 0));
        }
        dispatch!(target.dtype(), "index_put", number, |T| {
            self.update::<T>(target, values, Number::plus)
        })
    }

    fn each(&self, mut body: impl FnMut(usize, isize)) {
        let mut element = 0;
        for &before in &self.before {
            for &place in &self.places {
                self.after.each(|offset| {
                    body(element, before + place + offset);
                    element += 1;
                    interrupt::check_at(element);
                });
            }
        }
    }
}

/// Fails on the meta device.
fn check_present(tensors: &[&Tensor]) -> Result<()> {
    ensure!(
        !tensors.iter().any(|it| it.device().is_meta()),
        NotImplemented,
        "cannot read or write the elements of a meta tensor: it has none"
    );
    Ok(())
}

impl After {
    fn count(&self) -> usize {
        match self {
            After::Dense(count) => *count,
            After::Scattered(offsets) => offsets.len(),
        }
    }

    #[inline]
    fn each(&self, mut body: impl FnMut(isize)) {
        match self {
            After::Dense(count) => (0..*count as isize).for_each(body),
            After::Scattered(offsets) => offsets.iter().for_each(|&it| body(it)),
        }
    }

    /// # Safety
    ///
    /// The elements at all of these places can be read, and as many neighbours
    /// written.
    #[inline]
    unsafe fn gather<W: Word>(&self, from: *const W, places: &[isize], to: *mut W) {
        // SAFETY: as above.
        unsafe {
            match self {
                After::Dense(1) => {
                    for (row, &place) in places.iter().enumerate() {
                        to.add(row).write(from.offset(place).read());
                    }
                }
                After::Dense(width) => {
                    for (row, &place) in places.iter().enumerate() {
                        to.add(row * width).copy_from_nonoverlapping(from.offset(place), *width);
                    }
                }
                After::Scattered(offsets) => {
                    let mut to = to;
                    for &place in places {
                        for &offset in offsets {
                            to.write(from.offset(place + offset).read());
                            to = to.add(1);
                        }
                    }
                }
            }
        }
    }
}

/// The values for a selection: stretched to its shape, of the target's dtype,
/// contiguous and apart from the target.
pub(super) fn values_for(target: &Tensor, values: &Tensor, shape: &[i64]) -> Result<Tensor> {
    let stretched = match view::expand(values, shape) {
        Ok(stretched) => stretched,
        Err(_) => fail!(
            Runtime,
            "shape mismatch: value tensor of shape {:?} cannot be broadcast to indexing result \
             of shape {shape:?}",
            values.shape()
        ),
    };
    let stretched = stretched.to_dtype(target.dtype())?;
    if !stretched.is_contiguous() || overlaps(target, &stretched) != Overlap::No {
        return stretched.copy();
    }
    Ok(stretched)
}

/// The shape of what is picked: dimensions before, of the places, and after.
pub(super) fn selected_shape(
    shape: &[i64],
    first: usize,
    end: usize,
    places: &[i64],
) -> Result<Dims> {
    let (first, end) = (first.min(shape.len()), end.min(shape.len()));
    let mut result = Dims::from_slice(&shape[..first]);
    result.extend_from_slice(places);
    result.extend_from_slice(&shape[end..]);
    element_count(&result)?;
    Ok(result)
}
