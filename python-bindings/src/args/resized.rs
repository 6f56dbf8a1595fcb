//! Outputs that had to be resized.

use std::ffi::CString;

use opwright_runtime::geometry::Dims;
use pyo3::exceptions::PyUserWarning;
use pyo3::ffi::PyObject;
use pyo3::prelude::*;
use smallvec::SmallVec;

use super::Call;
use super::sequence::Sequence;
use super::unpack::is_sequence;
use crate::failure::Failure;
use crate::tensor::object;

/// The shapes of outputs.
type Shapes = SmallVec<[Dims; 1]>;

impl Call<'_, '_> {
    /// Runs `steps`, which write to the tensors of the parameter `out`, and
    /// warns if one that had elements has got another shape.
    ///
    /// # Errors
    ///
    /// Those of `steps`, and the warning where warnings are errors.
    #[inline]
    pub fn with_out(
        &mut self,
        out: usize,
        steps: impl FnOnce(&mut Self) -> Result<*mut PyObject, Failure>,
    ) -> Result<*mut PyObject, Failure> {
        let before = self.shapes(out);
        let result = steps(self)?;
        let after = self.shapes(out);
        for (before, after) in before.into_iter().zip(after) {
            if before != after && !before.contains(&0) {
                // SAFETY: the steps return a new reference, which is given back on an error.
                let result = unsafe { Bound::from_owned_ptr(self.py(), result) };
                self.warn_of_resizing(&before, &after)?;
                return Ok(result.into_ptr());
            }
        }
        Ok(result)
    }

    fn shapes(&self, out: usize) -> Shapes {
        let given = self.given(out);
        let shape = |it: &Bound<'_, PyAny>| {
            object::tensor_of(it).map_or_else(Dims::new, |it| Dims::from_slice(it.shape()))
        };
        if !is_sequence(&given) {
            return Shapes::from_buf([shape(&given)]);
        }
        // SAFETY: a list or tuple; nothing else runs before its elements were looked at.
        let elements = unsafe { Sequence::new(given.as_ptr()) };
        elements.iter().map(|it| shape(&self.bound(it))).collect()
    }

    #[cold]
    fn warn_of_resizing(&self, before: &[i64], after: &[i64]) -> PyResult<()> {
        let text = format!(
            "{}(): the output had shape {before:?} and was resized to {after:?}; pass one of that \
             shape, or one without elements, which takes any shape",
            self.function.name
        );
        let text = CString::new(text).unwrap_or_default();
        PyErr::warn(self.py(), &self.py().get_type::<PyUserWarning>(), &text, 1)
    }
}
