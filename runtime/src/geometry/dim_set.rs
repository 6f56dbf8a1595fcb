//! Sets of dimensions.

use super::wrap_dim;
use crate::{Error, Result, ensure};

/// The most dimensions that a tensor can have: whatever goes into dimension after dimension, also of what
/// a file says, comes to an end.
pub const MAX_DIMS: usize = 128;

/// A set of dimensions of one tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DimSet(u128);

impl DimSet {
    /// No dimension.
    pub const EMPTY: DimSet = DimSet(0);

    /// All of the first `ndim` dimensions.
    ///
    /// # Errors
    ///
    /// `Runtime` if there are more than [`MAX_DIMS`].
    pub fn full(ndim: usize) -> Result<DimSet> {
        check_ndim(ndim)?;
        Ok(DimSet(if ndim == MAX_DIMS { u128::MAX } else { (1 << ndim) - 1 }))
    }

    /// These dimensions, which may count from the end.
    ///
    /// # Errors
    ///
    /// `Index` if one does not exist, `Runtime` if one is there twice or the
    /// tensor has more than [`MAX_DIMS`].
    pub fn new(dims: &[i64], ndim: usize) -> Result<DimSet> {
        check_ndim(ndim)?;
        let mut set = DimSet::EMPTY;
        for &dim in dims {
            let dim = wrap_dim(dim, ndim)?;
            ensure!(
                !set.contains(dim),
                Runtime,
                "dim {dim} appears multiple times in the list of dims"
            );
            set.0 |= 1 << dim;
        }
        // Dimension 0 of a tensor without dimensions is accepted, and is none.
        Ok(if ndim == 0 { DimSet::EMPTY } else { set })
    }

    /// These dimensions, or all if there is no list or an empty one.
    ///
    /// # Errors
    ///
    /// As [`DimSet::new`].
    pub fn new_or_full(dims: Option<&[i64]>, ndim: usize) -> Result<DimSet> {
        match dims {
            None | Some([]) => DimSet::full(ndim),
            Some(dims) => DimSet::new(dims, ndim),
        }
    }

    /// One dimension, already an index.
    pub fn single(dim: usize) -> DimSet {
        DimSet(1 << dim)
    }

    /// The set with dimension `dim` in it.
    #[must_use]
    pub fn with(self, dim: usize) -> DimSet {
        DimSet(self.0 | 1 << dim)
    }

    /// Whether dimension `dim` is in the set.
    #[inline]
    pub fn contains(self, dim: usize) -> bool {
        dim < MAX_DIMS && self.0 >> dim & 1 == 1
    }

    /// The number of dimensions in the set.
    pub fn size(self) -> usize {
        self.0.count_ones() as usize
    }

    /// What remains of a shape: without these dimensions, or with one in their place.
    pub fn reduced_shape(self, shape: &[i64], keep: bool) -> super::Dims {
        let mut result = super::Dims::new();
        for (dim, &size) in shape.iter().enumerate() {
            match (self.contains(dim), keep) {
                (false, _) => result.push(size),
                (true, true) => result.push(1),
                (true, false) => {}
            }
        }
        result
    }
}

/// Refuses more dimensions than a tensor can have.
#[inline]
pub(crate) fn check_ndim(ndim: usize) -> Result<()> {
    if ndim <= MAX_DIMS { Ok(()) } else { Err(too_many_dims(ndim)) }
}

#[cold]
fn too_many_dims(ndim: usize) -> Error {
    Error::runtime(format_args!("tensors have at most {MAX_DIMS} dimensions, not {ndim}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorKind;

    #[test]
    fn lists_of_dims_are_sets() {
        let set = DimSet::new(&[0, -1], 3).unwrap();
        assert!(set.contains(0) && !set.contains(1) && set.contains(2));
        assert_eq!(DimSet::new(&[0, -3], 3).unwrap_err().kind(), ErrorKind::Runtime);
        assert_eq!(DimSet::new(&[3], 3).unwrap_err().kind(), ErrorKind::Index);
        assert_eq!(DimSet::new(&[-1], 0).unwrap(), DimSet::EMPTY);
        assert_eq!(DimSet::full(128).unwrap().size(), 128);
    }

    #[test]
    fn a_set_has_room_for_so_many_dims() {
        for set in [DimSet::full(129), DimSet::new(&[128], 129), DimSet::new_or_full(None, 129)] {
            assert_eq!(set.unwrap_err().kind(), ErrorKind::Runtime);
        }
    }

    #[test]
    fn reduced_dims_go_or_become_one() {
        let set = DimSet::new(&[1], 3).unwrap();
        assert_eq!(set.reduced_shape(&[2, 3, 4], false)[..], [2, 4]);
        assert_eq!(set.reduced_shape(&[2, 3, 4], true)[..], [2, 1, 4]);
    }
}
