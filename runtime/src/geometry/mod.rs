//! Shapes, strides and dimensions: arithmetic without tensors.
//!
//! Sizes and strides count elements and are `i64`. Every sum and product that
//! a caller's numbers reach is checked.

mod broadcast;
pub(crate) mod dim_set;
pub(crate) mod dims;
mod infer;

pub use self::broadcast::{broadcast_shapes, broadcast_strides};
pub use self::dim_set::DimSet;
pub use self::dims::{
    Dims, MAX_DIMS, check_ndim, contiguous_strides, element_count, is_row_major, same_dims,
    to_dims, wrap_dim,
};
pub(crate) use self::dims::{at_most_one, size_overflow};
pub use self::infer::{infer_shape, strides_for_shape};
