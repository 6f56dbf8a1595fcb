//! Tensor options: checks that belong to the boundary with Python, not to a kernel.

use opwright_runtime::{DType, Device, Error, Layout};

use super::call::Call;
use crate::object::{self, Failure};
use crate::raw::NewReference;

impl Call<'_, '_> {
    /// Makes a tensor, which is a leaf that requires gradients if the argument says so.
    ///
    /// # Errors
    ///
    /// Those of `make`; `RuntimeError` if the dtype is one that no gradients are of.
    pub fn with_leaf(
        &mut self,
        requires_grad: usize,
        make: impl FnOnce(&mut Self) -> Result<NewReference, Failure>,
    ) -> Result<NewReference, Failure> {
        let requires_grad = self.or::<bool>(requires_grad, false)?;
        let object = make(self)?;
        if requires_grad { self.as_leaf(object) } else { Ok(object) }
    }

    #[cold]
    fn as_leaf(&self, object: NewReference) -> Result<NewReference, Failure> {
        let object = object.into_bound(self.py());
        if let Some(tensor) = object::known(object.as_borrowed()) {
            object::peek(tensor).set_requires_grad(true)?;
            object::stand(tensor);
        }
        Ok(object.into())
    }

    /// Options that are given beside `out` must be what `out` has.
    ///
    /// # Errors
    ///
    /// `RuntimeError` that names the option.
    pub fn check_out(
        &self,
        out: usize,
        dtype: usize,
        layout: usize,
        device: usize,
    ) -> Result<(), Failure> {
        let out = self.tensor(out)?;
        let differs = |what: &str, given: &dyn std::fmt::Display, has: &dyn std::fmt::Display| {
            Error::runtime(format!("{what} {given} does not match {what} of out parameter ({has})"))
        };
        match self.optional::<DType>(dtype)? {
            Some(given) if given != out.dtype() => {
                return Err(differs("dtype", &given, &out.dtype()).into());
            }
            Some(_) | None => {}
        }
        match self.optional::<Layout>(layout)? {
            Some(given) if given != Layout::Strided => {
                return Err(differs("layout", &given, &Layout::Strided).into());
            }
            Some(_) | None => {}
        }
        match self.optional::<Device>(device)? {
            Some(given) if given != out.device() => {
                Err(differs("device", &given, &out.device()).into())
            }
            Some(_) | None => Ok(()),
        }
    }
}
