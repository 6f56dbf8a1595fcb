//! Outputs that had to be resized.

use std::ffi::CString;

use opwright_runtime::geometry::Dims;
use pyo3::exceptions::PyUserWarning;
use pyo3::prelude::*;
use smallvec::SmallVec;

use super::call::Call;
use crate::object::{self, Failure};
use crate::raw::NewReference;
use crate::raw::Sequence;

/// A tensor that is written to, with the shape that it had.
struct Output<'py> {
    object: Bound<'py, PyAny>,
    before: Dims,
}

type Outputs<'py> = SmallVec<[Output<'py>; 1]>;

impl<'py> Output<'py> {
    #[inline]
    fn new(object: Bound<'py, PyAny>) -> Self {
        let before = Dims::from_slice(shape(&object));
        Output { object, before }
    }

    /// Whether it had elements, and has got another shape.
    #[inline]
    fn is_resized(&self) -> bool {
        shape(&self.object) != &self.before[..] && !self.before.contains(&0)
    }
}

#[cold]
fn several_outputs<'py>(given: &Sequence<'_, 'py>) -> Outputs<'py> {
    given.iter().map(Output::new).collect()
}

/// The shape of a tensor; none of what is no tensor, which the steps refuse.
#[inline]
fn shape<'a>(object: &'a Bound<'_, PyAny>) -> &'a [i64] {
    object::tensor_of(object).map_or(&[], |it| it.shape())
}

impl<'py> Call<'_, 'py> {
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
        steps: impl FnOnce(&mut Self) -> Result<NewReference, Failure>,
    ) -> Result<NewReference, Failure> {
        let outputs = self.outputs(out);
        let result = steps(self);
        self.compared(outputs, result)
    }

    // Cold: this and what frees the outputs are kept out of line.
    #[inline(never)]
    fn compared(
        &self,
        outputs: Outputs<'py>,
        result: Result<NewReference, Failure>,
    ) -> Result<NewReference, Failure> {
        let result = result?;
        let Some(resized) = outputs.iter().find(|it| it.is_resized()) else { return Ok(result) };
        // It is given back on an error.
        let result = result.into_bound(self.py());
        self.warn_of_resizing(&resized.before, shape(&resized.object))?;
        Ok(result.into())
    }

    #[inline(never)]
    fn outputs(&self, out: usize) -> Outputs<'py> {
        let given = self.given(out);
        match Sequence::of(given.as_borrowed()) {
            Some(several) => several_outputs(&several),
            None => SmallVec::from_buf([Output::new(given)]),
        }
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
