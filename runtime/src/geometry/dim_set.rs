//! Bit sets of dimensions.

use super::dims::{Dims, MAX_DIMS, check_ndim, wrap_dim};
use crate::{Result, ensure};

/// A set of dimensions of one tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DimSet {
    /// A bit for each of the first 64 dimensions, which are nearly always all.
    low: u64,
    /// A bit for each of the others.
    high: u64,
}

impl DimSet {
    /// No dimension.
    pub const EMPTY: DimSet = DimSet { low: 0, high: 0 };

    /// All of the first `ndim` dimensions.
    ///
    /// # Errors
    ///
    /// `Runtime` if there are more than [`MAX_DIMS`].
    pub fn full(ndim: usize) -> Result<DimSet> {
        check_ndim(ndim)?;
        let first = |count: usize| u64::MAX.checked_shr(64 - count as u32).unwrap_or(0);
        Ok(DimSet { low: first(ndim.min(64)), high: first(ndim.saturating_sub(64)) })
    }

    /// These dimensions, which may count from the end.
    ///
    /// # Errors
    ///
    /// `Index` if one does not exist, `Runtime` if one is there twice or the
    /// tensor has more than [`MAX_DIMS`].
    #[inline]
    pub fn new(dims: &[i64], ndim: usize) -> Result<DimSet> {
        match *dims {
            [dim] if (1..=MAX_DIMS).contains(&ndim) => Ok(DimSet::single(wrap_dim(dim, ndim)?)),
            _ => DimSet::of_several(dims, ndim),
        }
    }

    fn of_several(dims: &[i64], ndim: usize) -> Result<DimSet> {
        check_ndim(ndim)?;
        let mut set = DimSet::EMPTY;
        for &dim in dims {
            let dim = wrap_dim(dim, ndim)?;
            ensure!(
                !set.contains(dim),
                Runtime,
                "dim {dim} appears multiple times in the list of dims"
            );
            set = set.with(dim);
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
    #[inline]
    pub fn single(dim: usize) -> DimSet {
        DimSet::EMPTY.with(dim)
    }

    /// The set with dimension `dim` in it.
    #[must_use]
    #[inline]
    pub fn with(self, dim: usize) -> DimSet {
        let DimSet { low, high } = self;
        let bit = 1 << (dim % 64);
        if dim < 64 { DimSet { low: low | bit, high } } else { DimSet { low, high: high | bit } }
    }

    /// Whether dimension `dim` is in the set.
    #[inline]
    pub fn contains(self, dim: usize) -> bool {
        let word = if dim < 64 { self.low } else { self.high };
        dim < MAX_DIMS && word >> (dim % 64) & 1 == 1
    }

    /// The number of dimensions in the set.
    pub fn size(self) -> usize {
        (self.low.count_ones() + self.high.count_ones()) as usize
    }

    /// What remains of a shape: without these dimensions, or with one in their place.
    pub fn reduced_shape(self, shape: &[i64], keep: bool) -> Dims {
        let mut result = Dims::new();
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
        for ndim in [0, 1, 63, 64, 65, 127, 128] {
            let full = DimSet::full(ndim).unwrap();
            assert_eq!(full.size(), ndim);
            assert_eq!((0..200).filter(|&it| full.contains(it)).count(), ndim);
            let last = DimSet::new(&[-1], ndim.max(1)).unwrap();
            assert!(last.contains(ndim.max(1) - 1) && last.size() == 1);
        }
        assert_eq!(DimSet::single(70).with(6), DimSet::new(&[6, 70], 71).unwrap());
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
