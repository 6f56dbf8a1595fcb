//! Elements read and written at places that other tensors name.
//!
//! What all of these operators share: a [`zip_elements`](zip_elements::Walk) over tensors of
//! one shape, the [`indices`] in a tensor, each of which is read once, the
//! [`places`] that they name in another, and a
//! [`selection`](selection::Selection) of those places, which is read or
//! written. Elements that are only moved are moved as [`by_element_size`] of their size,
//! so that there is one loop for all dtypes of a size.

mod by_element_size;
mod compress;
pub(crate) mod embedding_bag;
pub(crate) mod gather;
pub(crate) mod index;
pub(crate) mod index_select;
pub(crate) mod index_update;
pub(crate) mod indices;
pub(crate) mod masked;
pub(crate) mod nonzero;
mod places;
mod plan;
pub(crate) mod scatter;
pub(crate) mod scatter_reduce;
mod selection;
pub(crate) mod take;
mod zip_elements;
