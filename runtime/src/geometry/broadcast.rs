//! Broadcasting: sizes of one stretch, missing leading dimensions appear.

use super::dims::{Dims, same_dims, to_dims};
use crate::{Error, Result};

/// The shape to which all of `shapes` stretch.
///
/// # Errors
///
/// `Runtime` if two sizes differ and neither is one.
pub fn broadcast_shapes(shapes: &[&[i64]]) -> Result<Dims> {
    let Some((&first, rest)) = shapes.split_first() else {
        return Ok(Dims::new());
    };
    let mut result = to_dims(first);
    for &shape in rest {
        merge(&mut result, shape)?;
    }
    Ok(result)
}

#[inline]
fn merge(result: &mut Dims, shape: &[i64]) -> Result<()> {
    if same_dims(result, shape) {
        return Ok(());
    }
    if result.len() < shape.len() {
        let missing = shape.len() - result.len();
        result.insert_many(0, std::iter::repeat_n(1, missing));
    }
    let first = result.len() - shape.len();
    for (dim, &size) in shape.iter().enumerate() {
        let slot = &mut result[first + dim];
        if *slot == 1 {
            *slot = size;
        } else if size != 1 && size != *slot {
            return Err(mismatch(*slot, size, first + dim));
        }
    }
    Ok(())
}

#[cold]
fn mismatch(a: i64, b: i64, dim: usize) -> Error {
    Error::runtime(format_args!(
        "The size of tensor a ({a}) must match the size of tensor b ({b}) \
         at non-singleton dimension {dim}"
    ))
}

/// The strides with which a tensor is read in the shape `target`.
///
/// # Errors
///
/// `Runtime` if the tensor does not stretch to that shape.
pub fn broadcast_strides(shape: &[i64], strides: &[i64], target: &[i64]) -> Result<Dims> {
    let Some(missing) = target.len().checked_sub(shape.len()) else {
        return Err(too_many_dims(shape, target));
    };
    let mut result: Dims = std::iter::repeat_n(0, missing).collect();
    for (dim, (&size, &stride)) in shape.iter().zip(strides).enumerate() {
        let wanted = target[missing + dim];
        result.push(match size {
            _ if size == wanted => stride,
            1 => 0,
            _ => return Err(does_not_stretch(shape, target, size, wanted, missing + dim)),
        });
    }
    Ok(result)
}

#[cold]
fn too_many_dims(shape: &[i64], target: &[i64]) -> Error {
    Error::runtime(format_args!(
        "the number of sizes provided ({}) must be greater or equal to the number of dimensions \
         in the tensor ({})",
        target.len(),
        shape.len()
    ))
}

#[cold]
fn does_not_stretch(shape: &[i64], target: &[i64], size: i64, wanted: i64, dim: usize) -> Error {
    Error::runtime(format_args!(
        "The expanded size of the tensor ({wanted}) must match the existing size ({size}) at \
         non-singleton dimension {dim}.  Target sizes: {target:?}.  Tensor sizes: {shape:?}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_stretch() {
        let stretch = |shapes: &[&[i64]]| broadcast_shapes(shapes).map(|it| it.to_vec());
        assert_eq!(stretch(&[&[3, 1], &[4]]).unwrap(), [3, 4]);
        assert_eq!(stretch(&[&[], &[0], &[1]]).unwrap(), [0]);
        assert_eq!(stretch(&[]).unwrap(), [] as [i64; 0]);
        assert_eq!(
            stretch(&[&[2, 3], &[2, 4]]).unwrap_err().message(),
            "The size of tensor a (3) must match the size of tensor b (4) \
             at non-singleton dimension 1"
        );
        assert!(stretch(&[&[0], &[2]]).is_err());
    }

    #[test]
    fn stretched_dimensions_stand_still() {
        assert_eq!(broadcast_strides(&[3, 1], &[1, 1], &[2, 3, 4]).unwrap()[..], [0, 1, 0]);
        assert!(broadcast_strides(&[3], &[1], &[]).is_err());
        assert!(broadcast_strides(&[3], &[1], &[4]).is_err());
    }
}
