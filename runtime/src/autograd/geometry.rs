//! Shape, strides and offset of a tensor, without the tensor.

use crate::Tensor;
use crate::geometry::Dims;

/// Shape, strides and offset of a tensor, counted in elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Geometry {
    /// The length of each dimension.
    pub shape: Dims,
    /// The step of each dimension.
    pub strides: Dims,
    /// Where the first element lies in the storage.
    pub offset: i64,
}

impl Geometry {
    /// That of a tensor.
    pub fn of(tensor: &Tensor) -> Geometry {
        Geometry {
            shape: Dims::from_slice(tensor.shape()),
            strides: Dims::from_slice(tensor.strides()),
            offset: tensor.offset(),
        }
    }

    /// The same of complex numbers, in parts: these are neighbours along a new last dimension.
    pub(super) fn of_parts(mut self) -> Geometry {
        self.shape.push(2);
        self.strides.iter_mut().for_each(|it| *it *= 2);
        self.strides.push(1);
        self.offset *= 2;
        self
    }
}
