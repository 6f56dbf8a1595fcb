//! Tensor options: checks that belong to the border, not to a kernel.

use opwright_runtime::{DType, Device, Error, Layout};

use super::Call;
use crate::failure::Failure;

impl Call<'_, '_> {
    /// Refuses `requires_grad=True`.
    ///
    /// # Errors
    ///
    /// `NotImplementedError`.
    pub fn without_gradients(&self, param: usize) -> Result<(), Failure> {
        if self.or::<bool>(param, false)? {
            let text = "argument 'requires_grad' must be False: gradients are not available";
            return Err(Error::not_implemented(text).into());
        }
        Ok(())
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
