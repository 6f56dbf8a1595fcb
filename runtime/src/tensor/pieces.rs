//! Partial initialisation: tensors that are written piece after piece.

use std::marker::PhantomData;
use std::mem::MaybeUninit;

use crate::{Device, Element, Result, Tensor};

/// Where the next elements of a tensor go.
#[derive(Debug)]
pub struct Pieces<'a, T> {
    place: *mut T,
    left: usize,
    tensor: PhantomData<&'a mut T>,
}

impl<T: Element> Pieces<'_, T> {
    /// Writes elements behind those that are there, as far as there is room.
    #[inline]
    pub fn extend(&mut self, items: &[T]) {
        let count = items.len().min(self.left);
        // SAFETY: there is room for `left` elements, in memory that nobody else has.
        unsafe { self.place.copy_from_nonoverlapping(items.as_ptr(), count) };
        self.place = self.place.wrapping_add(count);
        self.left -= count;
    }

    /// Writes as many elements as `write` says that it wrote, from the first of at least `N` slots
    /// on; as [`Pieces::extend`] does.
    ///
    /// # Safety
    ///
    /// It did write so many.
    #[inline(always)]
    pub unsafe fn extend_by<const N: usize>(
        &mut self,
        write: impl FnOnce(&mut [MaybeUninit<T>]) -> usize,
    ) {
        if self.left < N {
            let mut slots = [MaybeUninit::uninit(); N];
            let count = write(&mut slots);
            // SAFETY: the caller vouches that they are written.
            return self.extend(unsafe { slots[..count].assume_init_ref() });
        }
        // SAFETY: there is room for `left` elements, in memory that nobody else has.
        let slots = unsafe { std::slice::from_raw_parts_mut(self.place.cast(), self.left) };
        let count = write(slots).min(self.left);
        self.place = self.place.wrapping_add(count);
        self.left -= count;
    }

    /// How many elements there is room for.
    #[inline]
    pub fn left(&self) -> usize {
        self.left
    }
}

impl Tensor {
    /// A tensor whose elements `write` hands over in row-major order; those that it does not are 0.
    ///
    /// # Errors
    ///
    /// As [`Tensor::allocate`]; those of `write`.
    ///
    /// ```
    /// use opwright_runtime::Tensor;
    ///
    /// let x = Tensor::from_pieces(&[4], |pieces| {
    ///     pieces.extend(&[1, 2]);
    ///     pieces.extend(&[3]);
    ///     Ok(())
    /// })?;
    /// assert_eq!(x.to_vec::<i64>()?, [1, 2, 3, 0]);
    /// # Ok::<(), opwright_runtime::Error>(())
    /// ```
    pub fn from_pieces<T: Element>(
        shape: &[i64],
        write: impl FnOnce(&mut Pieces<'_, T>) -> Result<()>,
    ) -> Result<Tensor> {
        let tensor = Tensor::allocate(shape, T::DTYPE, Device::Cpu)?;
        // SAFETY: all elements are written below, and nobody else has the tensor.
        let place = unsafe { tensor.overwrite_ptr() }.cast();
        let mut pieces = Pieces { place, left: tensor.numel(), tensor: PhantomData };
        write(&mut pieces)?;
        while pieces.left > 0 {
            pieces.extend(&[T::default()]);
        }
        // SAFETY: there is no room left, so all elements are written.
        unsafe { tensor.assume_written() };
        Ok(tensor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fail;

    #[test]
    fn what_has_no_room_is_left_out_and_what_is_missing_is_zero() {
        let made = |shape: &[i64], pieces: &[&[f32]]| {
            let write = |to: &mut Pieces<'_, f32>| {
                pieces.iter().for_each(|piece| to.extend(piece));
                Ok(())
            };
            Tensor::from_pieces(shape, write).unwrap().to_vec::<f32>().unwrap()
        };
        assert_eq!(made(&[3], &[&[1.0, 2.0], &[3.0, 4.0], &[5.0]]), [1.0, 2.0, 3.0]);
        assert_eq!(made(&[2, 2], &[&[1.0], &[], &[2.0]]), [1.0, 2.0, 0.0, 0.0]);
        assert_eq!(made(&[0], &[&[1.0]]), [0.0; 0]);
        assert_eq!(made(&[], &[]), [0.0]);
        let by_slots = |to: &mut Pieces<'_, f32>| {
            for piece in [&[1.0, 2.0][..], &[3.0, 4.0]] {
                // SAFETY: the whole piece is written.
                unsafe {
                    to.extend_by::<2>(|slots| slots[..2].write_copy_of_slice(piece).len());
                }
            }
            Ok(())
        };
        let made = Tensor::from_pieces(&[3], by_slots).unwrap();
        assert_eq!(made.to_vec::<f32>().unwrap(), [1.0, 2.0, 3.0]);
        let failed = Tensor::from_pieces::<f32>(&[2], |_| fail!(Runtime, "no"));
        assert_eq!(failed.unwrap_err().to_string(), "no");
    }
}
