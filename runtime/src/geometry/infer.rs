//! Shape inference: reshapes, and the strides of views of the same elements.

use smallvec::SmallVec;

use super::dims::{Dims, MAX_DIMS, check_ndim, contiguous_strides, element_count, to_dims};
use crate::{Error, Result, ensure};

/// Replaces a single -1 in `shape` by what `count` elements leave for it.
///
/// # Errors
///
/// `Runtime` if the shape does not hold `count` elements, has two sizes of -1,
/// another negative one, or a -1 that could be anything.
#[inline]
pub fn infer_shape(shape: &[i64], count: usize) -> Result<Dims> {
    if holds(shape, count) { Ok(to_dims(shape)) } else { infer_size(shape, count) }
}

/// Whether a shape of not too many dimensions, without zeros and -1, holds so many elements.
#[inline]
fn holds(shape: &[i64], count: usize) -> bool {
    let product = |left: i64, &size: &i64| if size > 0 { left.checked_mul(size) } else { None };
    shape.len() <= MAX_DIMS && shape.iter().try_fold(1, product) == Some(count as i64)
}

fn infer_size(shape: &[i64], count: usize) -> Result<Dims> {
    check_ndim(shape.len())?;
    let mut result = to_dims(shape);
    let mut open = None;
    for (dim, &size) in shape.iter().enumerate() {
        ensure!(size >= -1, Runtime, "invalid shape dimension {size}");
        if size == -1 {
            ensure!(open.is_none(), Runtime, "only one dimension can be inferred");
            open = Some(dim);
            result[dim] = 1;
        }
    }
    let known = element_count(&result).map_err(|_| does_not_hold(shape, count))?;
    match open {
        None if known == count => Ok(result),
        Some(dim) if known > 0 && count.is_multiple_of(known) => {
            result[dim] = (count / known) as i64;
            Ok(result)
        }
        Some(_) if known == 0 && count == 0 => Err(Error::runtime(format_args!(
            "cannot reshape tensor of 0 elements into shape {shape:?} because the \
                 unspecified dimension size -1 can be any value and is ambiguous"
        ))),
        _ => Err(does_not_hold(shape, count)),
    }
}

#[cold]
fn does_not_hold(shape: &[i64], count: usize) -> Error {
    Error::runtime(format_args!("shape '{shape:?}' is invalid for input of size {count}"))
}

/// The strides with which the same elements, in the same order, have shape
/// `target`; `None` if no strides do that and a copy is needed.
///
/// Both shapes must hold the same number of elements.
pub fn strides_for_shape(shape: &[i64], strides: &[i64], target: &[i64]) -> Option<Dims> {
    if shape.contains(&0) {
        return Some(contiguous_strides(target));
    }
    let mut result = Dims::from_elem(1, target.len());
    let mut open = target.len();
    for (size, stride) in chunks(shape, strides) {
        // One chunk of memory is split into as many target dimensions as fill it.
        let mut filled = 1;
        while open > 0 && (filled < size || target[open - 1] == 1) {
            open -= 1;
            result[open] = stride * filled;
            filled *= target[open];
        }
        if filled != size {
            return None;
        }
    }
    // What is left is of size one.
    let outer = result.get(open).map_or(1, |&stride| stride * target[open]);
    result[..open].fill(outer);
    Some(result)
}

/// Dimensions joined where an outer one continues the inner one, innermost first.
fn chunks(shape: &[i64], strides: &[i64]) -> SmallVec<[(i64, i64); 4]> {
    let mut chunks: SmallVec<[(i64, i64); 4]> = SmallVec::new();
    for (&size, &stride) in shape.iter().zip(strides).rev() {
        match chunks.last_mut() {
            _ if size == 1 => {}
            Some((inner, inner_stride)) if *inner * *inner_stride == stride => *inner *= size,
            _ => chunks.push((size, stride)),
        }
    }
    chunks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_size_is_inferred() {
        assert_eq!(infer_shape(&[-1, 3], 6).unwrap()[..], [2, 3]);
        assert_eq!(infer_shape(&[-1, 3], 0).unwrap()[..], [0, 3]);
        for (shape, count) in
            [(&[-1, 0][..], 0), (&[-1, 4], 6), (&[-1, -1], 4), (&[-2], 2), (&[1 << 62, 4], 6)]
        {
            assert!(infer_shape(shape, count).is_err(), "{shape:?}");
        }
    }

    #[test]
    fn strides_split_and_join() {
        let check = |shape: &[i64], strides: &[i64], target: &[i64], expected: Option<&[i64]>| {
            let actual = strides_for_shape(shape, strides, target);
            assert_eq!(actual.as_deref(), expected, "{shape:?} {strides:?} {target:?}");
        };
        check(&[2, 3], &[3, 1], &[6], Some(&[1]));
        check(&[2, 3], &[1, 2], &[6], None);
        check(&[6], &[2], &[2, 1, 3], Some(&[6, 6, 2]));
        check(&[2, 3], &[1, 2], &[2, 1, 3], Some(&[1, 6, 2]));
        check(&[1], &[7], &[], Some(&[]));
        check(&[], &[], &[1, 1], Some(&[1, 1]));
        check(&[4, 5], &[0, 0], &[20], Some(&[0]));
        check(&[4, 3], &[-3, -1], &[12], Some(&[-1]));
        check(&[0, 3], &[3, 1], &[3, 0], Some(&[1, 1]));
    }
}
