//! Loops that cast from one dtype to another, compiled once for each pair.

mod truncate;

use std::mem::MaybeUninit;
use std::slice::{from_raw_parts, from_raw_parts_mut};

use half::slice::HalfFloatSliceExt;

use crate::{DType, Element, dtype_rows, f16, multiversion};

/// Casts `count` elements: target, its stride in bytes, source, its stride, count.
///
/// Both may be the same memory if the dtypes are the same.
pub(crate) type CastLoop = unsafe fn(*mut u8, isize, *const u8, isize, usize);

/// The loop from one dtype to another.
pub(crate) fn cast_loop(from: DType, to: DType) -> CastLoop {
    match (from, to) {
        // Memory of others may hold more bytes than two that are true.
        (DType::Bool, DType::Bool) => return convert::<bool, bool>,
        _ if from == to => return move_loop(from.size()),
        (DType::Float16, DType::Float32) => return widen_halves,
        (DType::Float32, DType::Float16) => return narrow_to_halves,
        (DType::Float64, DType::Int64) => return truncate::truncate,
        _ => {}
    }
    convert_loop(from, to)
}

macro_rules! convert_loops {
    ({} $($section:ident {
        $($(#[$about:meta])* $dtype:ident: $ty:ty = $number:literal $row:tt)*
    })*) => {
        fn convert_loop(from: DType, to: DType) -> CastLoop {
            match to {
                $($(DType::$dtype => convert_loop_to::<$ty>(from),)*)*
            }
        }

        #[inline(always)]
        fn convert_loop_to<O: Element>(from: DType) -> CastLoop {
            match from {
                $($(DType::$dtype => convert::<$ty, O>,)*)*
            }
        }
    };
}

dtype_rows! { convert_loops {} }

/// Writes as many copies of an element: target, the element, count.
pub(super) type FillLoop = unsafe fn(*mut u8, *const u8, usize);

/// The loop that repeats an element of a size, whatever it is.
pub(super) fn fill_loop(size: usize) -> FillLoop {
    match size {
        1 => repeat::<u8>,
        2 => repeat::<u16>,
        4 => repeat::<u32>,
        8 => repeat::<[u32; 2]>,
        _ => repeat::<[u64; 2]>,
    }
}

/// # Safety
///
/// There is an element of this size, and room for so many elsewhere.
unsafe fn repeat<T: Copy>(target: *mut u8, element: *const u8, count: usize) {
    // SAFETY: as above. Alignment is not asked for: `T` stands for its size.
    unsafe {
        let element = element.cast::<T>().read_unaligned();
        for i in 0..count {
            target.cast::<T>().add(i).write_unaligned(element);
        }
    }
}

/// The loop that moves elements of a size, whatever they are.
pub(super) fn move_loop(size: usize) -> CastLoop {
    match size {
        1 => shift::<u8>,
        2 => shift::<u16>,
        4 => shift::<u32>,
        8 => shift::<u64>,
        _ => shift::<[u64; 2]>,
    }
}

/// # Safety
///
/// There are `count` elements of these types at these distances, and the two
/// do not overlap.
unsafe fn convert<A: Element, O: Element>(
    target: *mut u8,
    target_stride: isize,
    source: *const u8,
    source_stride: isize,
    count: usize,
) {
    let is_flat =
        target_stride == size_of::<O>() as isize && source_stride == size_of::<A>() as isize;
    // SAFETY: as above.
    unsafe {
        if is_flat && const { is_common(A::DTYPE) && is_common(O::DTYPE) } {
            let target = from_raw_parts_mut(target.cast::<MaybeUninit<O>>(), count);
            let source = from_raw_parts(source.cast::<A::Stored>(), count);
            convert_all(source, target, |stored| A::from_stored(stored).cast::<O>());
        } else if is_flat {
            let (target, source) = (target.cast::<O>(), source.cast::<A::Stored>());
            for i in 0..count {
                target.add(i).write(A::from_stored(source.add(i).read()).cast());
            }
        } else {
            for i in 0..count as isize {
                let stored = source.wrapping_offset(i * source_stride).cast::<A::Stored>().read();
                let value = A::from_stored(stored).cast();
                target.wrapping_offset(i * target_stride).cast::<O>().write(value);
            }
        }
    }
}

/// Whether a dtype is so common that its casts are compiled for each level of instructions, and loops
/// in place for it.
pub(super) const fn is_common(dtype: DType) -> bool {
    matches!(dtype, DType::Float32 | DType::Float64 | DType::Int32 | DType::Int64)
}

multiversion! {
    /// Casts elements side by side.
    avx512 fn convert_all<S, O, F>(source: &[S], target: &mut [MaybeUninit<O>], cast: F)
    where
        [S: Copy, F: Fn(S) -> O]
    {
        for (slot, &stored) in target.iter_mut().zip(source) {
            slot.write(cast(stored));
        }
    }
}

/// How many elements are converted by vector instructions at once.
const BLOCK: usize = 64;

/// [`convert`], by the processor's instructions for half precision.
///
/// # Safety
///
/// As [`convert`].
unsafe fn widen_halves(
    target: *mut u8,
    target_stride: isize,
    source: *const u8,
    source_stride: isize,
    count: usize,
) {
    if target_stride != 4 || source_stride != 2 {
        // SAFETY: as above.
        return unsafe { convert::<f16, f32>(target, target_stride, source, source_stride, count) };
    }
    let (target, source) = (target.cast::<f32>(), source.cast::<f16>());
    let mut block = [0.0_f32; BLOCK];
    for start in (0..count).step_by(BLOCK) {
        let length = (count - start).min(BLOCK);
        // SAFETY: as above; the block is on this function's stack.
        unsafe {
            let halves = std::slice::from_raw_parts(source.add(start), length);
            halves.convert_to_f32_slice(&mut block[..length]);
            target.add(start).copy_from_nonoverlapping(block.as_ptr(), length);
        }
    }
}

/// [`convert`], by the processor's instructions for half precision.
///
/// # Safety
///
/// As [`convert`].
unsafe fn narrow_to_halves(
    target: *mut u8,
    target_stride: isize,
    source: *const u8,
    source_stride: isize,
    count: usize,
) {
    if target_stride != 2 || source_stride != 4 {
        // SAFETY: as above.
        return unsafe { convert::<f32, f16>(target, target_stride, source, source_stride, count) };
    }
    let (target, source) = (target.cast::<f16>(), source.cast::<f32>());
    let mut block = [f16::ZERO; BLOCK];
    for start in (0..count).step_by(BLOCK) {
        let length = (count - start).min(BLOCK);
        // SAFETY: as above; the block is on this function's stack.
        unsafe {
            let singles = std::slice::from_raw_parts(source.add(start), length);
            block[..length].convert_from_f32_slice(singles);
            target.add(start).copy_from_nonoverlapping(block.as_ptr(), length);
        }
    }
}

/// # Safety
///
/// There are `count` elements of this size at these distances; the two are the
/// same or do not overlap.
unsafe fn shift<T: Copy>(
    target: *mut u8,
    target_stride: isize,
    source: *const u8,
    source_stride: isize,
    count: usize,
) {
    let size = size_of::<T>() as isize;
    // SAFETY: as above. Alignment is not asked for: `T` stands for its size.
    unsafe {
        if target_stride == size && source_stride == size {
            target.copy_from(source, count * size_of::<T>());
        } else if target_stride == size && source_stride == 0 && count > 0 {
            repeat::<T>(target, source, count);
        } else if target_stride == size && source_stride == 2 * size {
            // The compiler makes vectors of every second one, if it knows that they are.
            let (target, source) = (target.cast::<T>(), source.cast::<T>());
            for i in 0..count {
                target.add(i).write_unaligned(source.add(2 * i).read_unaligned());
            }
        } else {
            let (mut target, mut source) = (target, source);
            for _ in 0..count {
                target.cast::<T>().write_unaligned(source.cast::<T>().read_unaligned());
                target = target.wrapping_offset(target_stride);
                source = source.wrapping_offset(source_stride);
            }
        }
    }
}

/// Moves rows of elements: target, its distances in bytes from row to row and from element to element,
/// the same of the source, and how many rows of how many elements there are.
pub(super) type RowsLoop = unsafe fn(*mut u8, [isize; 2], *const u8, [isize; 2], [usize; 2]);

/// The loop that moves rows of elements of a size, whatever they are.
pub(super) fn move_rows(size: usize) -> RowsLoop {
    match size {
        1 => shift_rows::<u8>,
        2 => shift_rows::<u16>,
        4 => shift_rows::<u32>,
        8 => shift_rows::<u64>,
        _ => shift_rows::<[u64; 2]>,
    }
}

/// # Safety
///
/// There are so many rows of elements of this size at these distances, and the two do not overlap.
unsafe fn shift_rows<T: Copy>(
    target: *mut u8,
    target_strides: [isize; 2],
    source: *const u8,
    source_strides: [isize; 2],
    counts: [usize; 2],
) {
    // The shortest rows are the ones for which a loop within a loop would cost most.
    let shift = match counts[1] {
        2 => shift_rows_of::<T, 2>,
        3 => shift_rows_of::<T, 3>,
        4 => shift_rows_of::<T, 4>,
        _ => shift_rows_of::<T, 0>,
    };
    // SAFETY: as above.
    unsafe { shift(target, target_strides, source, source_strides, counts) };
}

/// [`shift_rows`] of `N` elements each, or of any number if that is 0.
///
/// # Safety
///
/// As [`shift_rows`].
unsafe fn shift_rows_of<T: Copy, const N: usize>(
    mut target: *mut u8,
    [to_row, to_element]: [isize; 2],
    mut source: *const u8,
    [from_row, from_element]: [isize; 2],
    [rows, length]: [usize; 2],
) {
    for _ in 0..rows {
        for at in 0..if N == 0 { length } else { N } as isize {
            let from = source.wrapping_offset(at * from_element).cast::<T>();
            // SAFETY: as above. Alignment is not asked for: `T` stands for its size.
            unsafe {
                let to = target.wrapping_offset(at * to_element).cast::<T>();
                to.write_unaligned(from.read_unaligned());
            }
        }
        target = target.wrapping_offset(to_row);
        source = source.wrapping_offset(from_row);
    }
}
