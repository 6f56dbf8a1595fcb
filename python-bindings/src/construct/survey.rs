//! The first look at nested sequences: their shape, and the dtype of what is
//! in them.

use std::ffi::CStr;

use opwright_runtime::geometry::MAX_DIMS;
use opwright_runtime::promote::promoted;
use opwright_runtime::{DType, Error, default_dtype};
use pyo3::exceptions::PyUserWarning;
use pyo3::prelude::*;
use smallvec::SmallVec;

use super::leaf::{Leaf, not_data};
use super::position::Position;
use super::rows::Rows;
use crate::object::Failure;

/// What nested sequences will become.
pub(super) struct Survey {
    pub(super) shape: SmallVec<[i64; 6]>,
    pub(super) dtype: DType,
}

/// What is said of tensors that require gradients in a list.
const LOST: &CStr =
    c"a tensor that is made of a list has no history, so that the gradients of the tensors in the \
    list are lost; stack() or cat() keeps them, and detach() says that they are not wanted";

/// Looks at all elements of `data`.
///
/// # Errors
///
/// `ValueError` for sequences of different lengths, `TypeError` for what is
/// neither a number nor a sequence nor an array.
pub(super) fn of(data: &Bound<'_, PyAny>) -> Result<Survey, Failure> {
    let mut surveyor = Surveyor::default();
    surveyor.look_at(data)?;
    if surveyor.loses_gradients {
        let py = data.py();
        PyErr::warn(py, &py.get_type::<PyUserWarning>(), LOST, 1)?;
    }
    Ok(Survey {
        shape: surveyor.shape,
        // Of nothing, the dtype that most other functions would take.
        dtype: surveyor.dtype.unwrap_or_else(default_dtype),
    })
}

#[derive(Default)]
struct Surveyor {
    position: Position,
    shape: SmallVec<[i64; 6]>,
    /// The shape is whole: a path was followed to its end.
    is_complete: bool,
    dtype: Option<DType>,
    /// A tensor in a list requires gradients, while calls are recorded.
    loses_gradients: bool,
}

impl Surveyor {
    fn look_at(&mut self, object: &Bound<'_, PyAny>) -> Result<(), Failure> {
        if !Rows::are_native(object)
            && let Some(leaf) = Leaf::of(object)?
        {
            self.promote(leaf.dtype());
            self.loses_gradients |= self.position.depth() > 0 && leaf.requires_grad();
            return self.end(leaf.shape());
        }
        let Some(rows) = Rows::of(object)? else {
            return Err(not_data(object, &self.position));
        };
        if rows.len() == 0 {
            return self.end(&[0]);
        }
        self.row(rows.len() as i64)?;
        if let Some(kinds) = rows.exact_numbers() {
            self.position.enter(0);
            self.end(&[])?;
            self.position.leave();
            self.promote(kinds.dtype());
            return Ok(());
        }
        for index in 0..rows.len() {
            self.position.enter(index);
            self.look_at(&rows.get(index)?)?;
            self.position.leave();
        }
        Ok(())
    }

    fn promote(&mut self, dtype: DType) {
        // As numpy does with numbers that no integer dtype holds.
        let both = |it| promoted(it, dtype).unwrap_or(DType::Float64);
        self.dtype = Some(self.dtype.map_or(dtype, both));
    }

    /// A sequence of `len` elements.
    fn row(&mut self, len: i64) -> Result<(), Failure> {
        let depth = self.position.depth();
        // One that contains itself is nested for ever.
        if depth >= MAX_DIMS {
            let text = format_args!("sequences are nested deeper than {MAX_DIMS} levels");
            return Err(Error::value(text).into());
        }
        if !self.is_complete {
            self.shape.push(len);
            return Ok(());
        }
        if self.shape.get(depth) == Some(&len) { Ok(()) } else { Err(self.uneven(&[len])) }
    }

    /// The end of a path, with the sizes that it adds.
    fn end(&mut self, sizes: &[i64]) -> Result<(), Failure> {
        if !self.is_complete {
            self.shape.extend_from_slice(sizes);
            self.is_complete = true;
            return Ok(());
        }
        if &self.shape[self.position.depth()..] == sizes { Ok(()) } else { Err(self.uneven(sizes)) }
    }

    /// The element here begins with `sizes`, and others have other ones.
    #[cold]
    fn uneven(&self, sizes: &[i64]) -> Failure {
        let what = match (sizes, &self.shape[self.position.depth()..]) {
            ([], _) => "is a number, where others are sequences".to_owned(),
            (_, []) => "is a sequence, where others are numbers".to_owned(),
            ([len, ..], [expected, ..]) if len != expected => {
                format!("has length {len}, where those before it have length {expected}")
            }
            (_, expected) => {
                format!("has another shape than {expected:?}, as those before it have")
            }
        };
        Error::value(format_args!("{} {what}", self.position)).into()
    }
}
