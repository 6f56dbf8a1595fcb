//! Coefficients of a product, and how its elements are stored.

use opwright_runtime::dtype::{Element, Number};
use opwright_runtime::{Result, Scalar};

/// The coefficients of a product.
#[derive(Clone, Copy)]
pub(super) struct Product<T> {
    pub(super) alpha: T,
    /// Of what the product is added to, if it is.
    pub(super) beta: Option<T>,
}

impl<T: Number> Product<T> {
    /// Puts the sum of products of a row and a column into its place.
    ///
    /// # Safety
    ///
    /// The place is that of an element, or of room for one if nothing is added to.
    #[inline(always)]
    pub(super) unsafe fn store(&self, sum: T, place: *mut T) {
        let scaled = self.alpha.times(sum);
        // SAFETY: it is there, and what is added to is an element.
        unsafe {
            place.write(match self.beta {
                Some(beta) => scaled.plus(beta.times(place.read())),
                None => scaled,
            });
        }
    }
}

impl<T: Element> Product<T> {
    pub(super) fn new(alpha: Scalar, beta: Scalar) -> Result<Product<T>> {
        let beta = if beta.to_bool() { Some(beta.operand()?) } else { None };
        Ok(Product { alpha: alpha.operand()?, beta })
    }
}
