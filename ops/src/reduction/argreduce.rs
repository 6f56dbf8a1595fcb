//! Argreduce: loops that find the greatest or the least element, and its index.

use std::mem::MaybeUninit;

use opwright_runtime::dtype::{Element, Ordered};
use opwright_runtime::{DType, Result, buffer, dispatch, interrupt, multiversion, parallel};

use super::runs::Bytes;
use crate::prefetch::prefetch;

/// Which elements are best.
#[derive(Clone, Copy)]
pub(super) enum Extreme {
    Greatest,
    Least,
}

/// What [`Extreme`] says, for loops that are compiled for each.
pub(super) trait Choice: Copy + Default {
    fn is_better<T: Ordered>(a: T, b: T) -> bool;

    fn is_as_good<T: Ordered>(a: T, b: T) -> bool;

    /// Every other is better, or as good.
    fn worst<T: Ordered>() -> T;

    /// Whether an element takes the place of an earlier one. What is not a number is best.
    #[inline(always)]
    fn wins<T: Ordered>(it: T, earlier: T) -> bool {
        let is_first_nan = Ordered::is_nan(it) & !Ordered::is_nan(earlier);
        is_first_nan | (Self::is_better(it, earlier) & !Ordered::is_nan(earlier))
    }
}

#[derive(Clone, Copy, Default)]
pub(super) struct Greatest;

#[derive(Clone, Copy, Default)]
pub(super) struct Least;

impl Choice for Greatest {
    #[inline(always)]
    fn is_better<T: Ordered>(a: T, b: T) -> bool {
        a > b
    }
    #[inline(always)]
    fn is_as_good<T: Ordered>(a: T, b: T) -> bool {
        a >= b
    }
    #[inline(always)]
    fn worst<T: Ordered>() -> T {
        T::LOWEST
    }
}

impl Choice for Least {
    #[inline(always)]
    fn is_better<T: Ordered>(a: T, b: T) -> bool {
        a < b
    }
    #[inline(always)]
    fn is_as_good<T: Ordered>(a: T, b: T) -> bool {
        a <= b
    }
    #[inline(always)]
    fn worst<T: Ordered>() -> T {
        T::HIGHEST
    }
}

/// What is compiled for a dtype and what is best of it. All that is around it sees elements as bytes.
#[derive(Clone, Copy)]
pub(super) struct ArgReduceLoops {
    /// The bytes of an element.
    pub(super) size: usize,
    best: unsafe fn(*const u8, usize, *mut u8),
    place: unsafe fn(*const u8, usize, *const u8) -> usize,
    columns: unsafe fn(*const u8, [usize; 3], *mut u8, *mut u32),
}

/// So many elements are compared before anybody looks for the place of one.
const BLOCK: usize = 1 << 13;

/// So many columns are compared at once.
pub(super) const COLUMNS: usize = 256;

impl ArgReduceLoops {
    pub(super) fn of(dtype: DType, extreme: Extreme) -> Result<ArgReduceLoops> {
        dispatch!(dtype, "argmax_argmin", ordered, |T| {
            Ok(match extreme {
                Extreme::Greatest => ArgReduceLoops::new::<T, Greatest>(),
                Extreme::Least => ArgReduceLoops::new::<T, Least>(),
            })
        })
    }

    fn new<T: Element + Ordered, C: Choice>() -> ArgReduceLoops {
        let (best, place, columns) = (best::<T, C>, place::<T>, columns::<T, C>);
        ArgReduceLoops { size: size_of::<T>(), best, place, columns }
    }

    /// Writes the first of the best elements, and gives the block that has it.
    ///
    /// # Errors
    ///
    /// `Memory` if there is not enough.
    ///
    /// # Safety
    ///
    /// There are so many elements, one at least, and room for one elsewhere.
    unsafe fn find(&self, first: *const u8, count: usize, best: *mut u8) -> Result<usize> {
        if count <= BLOCK {
            // SAFETY: as above.
            unsafe { (self.best)(first, count, best) };
            return Ok(0);
        }
        let blocks = count.div_ceil(BLOCK);
        let words = (blocks * self.size).div_ceil(size_of::<u64>());
        let mut found = buffer::filled(words, 0_u64)?;
        let (elements, each) = (Bytes(first.cast_mut()), Bytes(found.as_mut_ptr().cast()));
        parallel::share(blocks, BLOCK, &|range| {
            for block in range {
                let start = block * BLOCK;
                let best = each.at(block * self.size);
                // SAFETY: as above; each block has an element of its own.
                unsafe {
                    (self.best)(elements.at(start * self.size), BLOCK.min(count - start), best)
                };
            }
        });
        // SAFETY: one was found in each block.
        unsafe {
            (self.best)(each.at(0), blocks, best);
            Ok((self.place)(each.at(0), blocks, best))
        }
    }

    /// Writes the best element.
    ///
    /// # Errors
    ///
    /// As [`Loops::find`].
    ///
    /// # Safety
    ///
    /// As for [`Loops::find`].
    pub(super) unsafe fn value(&self, first: *const u8, count: usize, best: *mut u8) -> Result<()> {
        // SAFETY: as above.
        unsafe { self.find(first, count, best) }.map(drop)
    }

    /// Writes the best element, and gives the first place where it is.
    ///
    /// # Errors
    ///
    /// As [`Loops::find`].
    ///
    /// # Safety
    ///
    /// As for [`Loops::find`].
    pub(super) unsafe fn place(
        &self,
        first: *const u8,
        count: usize,
        best: *mut u8,
    ) -> Result<usize> {
        // SAFETY: as above; the block has the element.
        unsafe {
            let start = self.find(first, count, best)? * BLOCK;
            let block = first.add(start * self.size);
            Ok(start + (self.place)(block, BLOCK.min(count - start), best))
        }
    }

    /// Writes the first of the best elements of each of so many columns, at most [`COLUMNS`], and
    /// their places. `sizes` are the length of columns, the elements from row to row, and the columns.
    ///
    /// # Safety
    ///
    /// There are these elements, and room for so many elsewhere.
    pub(super) unsafe fn columns(
        &self,
        first: *const u8,
        sizes: [usize; 3],
        values: *mut u8,
        places: *mut u32,
    ) {
        // SAFETY: as above.
        unsafe { (self.columns)(first, sizes, values, places) };
    }
}

/// # Safety
///
/// As for [`Loops::find`], of elements that are of this type.
unsafe fn best<T: Ordered, C: Choice>(first: *const u8, count: usize, best: *mut u8) {
    // SAFETY: as above.
    unsafe {
        let elements = std::slice::from_raw_parts(first.cast::<T>(), count);
        best.cast::<T>().write(best_of(elements, C::default()));
    }
}

/// # Safety
///
/// There are so many elements of this type, and the value.
unsafe fn place<T: Ordered>(first: *const u8, count: usize, value: *const u8) -> usize {
    // SAFETY: as above.
    unsafe {
        place_of(std::slice::from_raw_parts(first.cast::<T>(), count), value.cast::<T>().read())
    }
}

/// # Safety
///
/// As for [`Loops::columns`], of elements that are of this type.
unsafe fn columns<T: Ordered, C: Choice>(
    first: *const u8,
    [length, stride, width]: [usize; 3],
    values: *mut u8,
    places: *mut u32,
) {
    // SAFETY: as above.
    unsafe {
        let elements = std::slice::from_raw_parts(first.cast::<T>(), (length - 1) * stride + width);
        let values = std::slice::from_raw_parts_mut(values.cast::<MaybeUninit<T>>(), width);
        let places = std::slice::from_raw_parts_mut(places, width);
        best_of_columns(elements, [length, stride], values, places, C::default());
    }
}

multiversion! {
    /// The best of elements by two comparisons: whether any is not a number is asked apart.
    avx512 fn best_of<T, C>(elements: &[T], choice: C) -> T
    where
        [T: Ordered, C: Choice]
    {
        let _ = choice;
        let (first, count) = (elements.as_ptr(), elements.len());
        let mut best = C::worst::<T>();
        // SAFETY: elements are read up to the last one.
        unsafe {
            if count < LANES {
                let mut at = 0;
                while at < count {
                    let it = first.add(at).read();
                    let stays = C::is_as_good(best, it) || Ordered::is_nan(best);
                    best = if stays { best } else { it };
                    at += 1;
                }
                return best;
            }
            // What the last chunk has in common with the others may be compared twice.
            let mut lanes = first.add(count - LANES).cast::<[T; LANES]>().read();
            let mut strange = lanes;
            let (lanes, strange) = (lanes.as_mut_ptr(), strange.as_mut_ptr());
            let mut at = 0;
            while at + LANES <= count {
                let chunk = first.add(at);
                prefetch(chunk.wrapping_byte_add(AHEAD), LANES * size_of::<T>());
                let mut lane = 0;
                while lane < LANES {
                    let (it, best) = (chunk.add(lane).read(), lanes.add(lane).read());
                    lanes.add(lane).write(if C::is_better(it, best) { it } else { best });
                    let other = strange.add(lane).read();
                    strange.add(lane).write(if Ordered::is_nan(it) { it } else { other });
                    lane += 1;
                }
                at += LANES;
            }
            let (mut has_nan, mut lane) = (false, 0);
            while lane < LANES {
                has_nan |= Ordered::is_nan(strange.add(lane).read());
                lane += 1;
            }
            if has_nan {
                at = 0;
                while !Ordered::is_nan(first.add(at).read()) {
                    at += 1;
                }
                return first.add(at).read();
            }
            let mut half = LANES / 2;
            while half > 0 {
                let mut lane = 0;
                while lane < half {
                    let (one, other) = (lanes.add(lane).read(), lanes.add(lane + half).read());
                    lanes.add(lane).write(if C::is_better(other, one) { other } else { one });
                    lane += 1;
                }
                half /= 2;
            }
            lanes.read()
        }
    }

    /// The first place of a value that is there.
    avx512 fn place_of<T>(elements: &[T], value: T) -> usize
    where
        [T: Ordered]
    {
        let (first, count, mut at) = (elements.as_ptr(), elements.len(), 0);
        // SAFETY: elements are read up to the last one.
        unsafe {
            if Ordered::is_nan(value) {
                while at < count && !Ordered::is_nan(first.add(at).read()) {
                    at += 1;
                }
                return at;
            }
            let mut bytes = [0; LANES];
            while at + LANES <= count {
                // Added up in bytes, because a search would compare one after the other.
                let (mut found, mut lane) = (0, 0);
                while lane < LANES {
                    found |= u8::from(first.add(at + lane).read() == value);
                    lane += 1;
                }
                if found != 0 {
                    lane = 0;
                    let bytes = &mut bytes;
                    while lane < LANES {
                        bytes[lane] = u8::from(first.add(at + lane).read() == value);
                        lane += 1;
                    }
                    return at + first_set(bytes);
                }
                at += LANES;
            }
            while at < count && first.add(at).read() != value {
                at += 1;
            }
            at
        }
    }

    /// The first of the best elements of each column, and their places: rows have this length, and are so
    /// many elements apart.
    avx512 fn best_of_columns<T, C>(
        elements: &[T],
        sizes: [usize; 2],
        values: &mut [MaybeUninit<T>],
        places: &mut [u32],
        choice: C,
    )
    where
        [T: Ordered, C: Choice]
    {
        let _ = choice;
        let [length, stride] = sizes;
        let (width, mut row, mut at) = (values.len().min(COLUMNS), elements.as_ptr(), 1);
        let mut best = [const { MaybeUninit::<T>::uninit() }; COLUMNS];
        let mut found = [0_u32; COLUMNS];
        let (best, found) = (best.as_mut_ptr().cast::<T>(), found.as_mut_ptr());
        // SAFETY: columns have as many rows, and rows and results as many columns.
        unsafe {
            best.copy_from_nonoverlapping(row, width);
            while at < length {
                interrupt::check_at(at * COLUMNS);
                row = row.add(stride);
                let mut column = 0;
                while column < width {
                    let (it, earlier) = (row.add(column).read(), best.add(column).read());
                    let (place, wins) = (found.add(column).read(), C::wins(it, earlier));
                    best.add(column).write(if wins { it } else { earlier });
                    found.add(column).write(if wins { at as u32 } else { place });
                    column += 1;
                }
                at += 1;
            }
            values.as_mut_ptr().cast::<T>().copy_from_nonoverlapping(best, width);
            places.as_mut_ptr().copy_from_nonoverlapping(found, width);
        }
    }
}

/// The place of the first byte that is not 0, of which there is one, by eight at a time. A function
/// of its own, so that the compiler does not put the eight together lane by lane.
#[inline(never)]
fn first_set(bytes: &[u8; LANES]) -> usize {
    let (words, _) = bytes.as_chunks::<8>();
    let words = words.iter().map(|it| u64::from_le_bytes(*it)).enumerate().rev();
    words.fold(
        0,
        |first, (at, word)| {
            if word == 0 { first } else { 8 * at + word.trailing_zeros() as usize / 8 }
        },
    )
}

/// So many are compared side by side.
const LANES: usize = 64;

/// So many bytes ahead the next elements, or those of the next row, are asked for: while a place is
/// looked for, the processor would not ask by itself.
const AHEAD: usize = 2048;

#[cfg(test)]
mod tests {
    use super::*;

    fn loops() -> ArgReduceLoops {
        ArgReduceLoops::of(DType::Float32, Extreme::Greatest).unwrap()
    }

    /// The first of the greatest elements, and where it is.
    fn expected(all: &[f32]) -> (usize, f32) {
        let each = all.iter().copied().enumerate();
        each.reduce(|a, b| if Greatest::wins(b.1, a.1) { b } else { a }).unwrap()
    }

    /// Numbers of which many are equal, and some are none.
    fn numbers(length: usize, kind: usize) -> Vec<f32> {
        let number = |at: usize| (at.wrapping_mul(7919) % 101) as f32 - 50.0;
        let one = |at: usize| match kind {
            0 => number(at),
            1 if at % 37 == 36 => f32::NAN,
            1 => number(at),
            2 => 0.0_f32.copysign(number(at)),
            _ => f32::NEG_INFINITY,
        };
        (0..length).map(one).collect()
    }

    #[test]
    fn the_first_of_the_greatest_is_found() {
        for length in [1, 2, 31, 63, 64, 65, 127, 128, 1000, BLOCK, BLOCK + 1, 3 * BLOCK + 70] {
            for kind in 0..4 {
                let all = numbers(length, kind);
                let (place, value) = expected(&all);
                let (mut found, first) = (0.0_f32, all.as_ptr().cast());
                let to = (&raw mut found).cast();
                // SAFETY: so many elements are there.
                let found_place = unsafe { loops().place(first, length, to) };
                assert_eq!(found_place.unwrap(), place, "{length} {kind}");
                assert!(found == value || found.is_nan() && Ordered::is_nan(value));
            }
        }
    }

    #[test]
    fn columns_are_like_rows() {
        for (length, stride) in [(1, 8), (40, 9), (100, 300)] {
            for kind in 0..4 {
                let all = numbers(length * stride, kind);
                for at in (0..stride).step_by(COLUMNS) {
                    let width = COLUMNS.min(stride - at);
                    let (mut values, mut places) = ([0.0_f32; COLUMNS], [0; COLUMNS]);
                    let (to, first) = (values.as_mut_ptr().cast(), all[at..].as_ptr().cast());
                    let sizes = [length, stride, width];
                    // SAFETY: there are as many elements, and places.
                    unsafe { loops().columns(first, sizes, to, places.as_mut_ptr()) };
                    for column in 0..width {
                        let line = all[at + column..].iter().step_by(stride).copied();
                        let (place, value) = expected(&line.collect::<Vec<_>>());
                        assert_eq!(places[column] as usize, place);
                        assert_eq!(values[column].to_bits(), value.to_bits());
                    }
                }
            }
        }
    }
}
