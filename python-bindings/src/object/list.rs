//! List arguments: of numbers, of tensors, with gaps.

use std::borrow::Borrow;

use opwright_runtime::{Error, Tensor, buffer};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use smallvec::{SmallVec, smallvec};

use super::convert::{Convert, Reading};
use super::describe::type_name;
use super::failure::Failure;
use crate::raw::{self, Sequence};

/// A list of values that overloads take as they are.
pub type List<T> = SmallVec<[T; 6]>;
/// A list of integers.
pub type Ints = List<i64>;

/// Reads each element of a list or tuple.
pub(crate) fn elements<T, A: smallvec::Array<Item = T>>(
    object: &Bound<'_, PyAny>,
    mut read: impl FnMut(&Bound<'_, PyAny>) -> Result<T, Failure>,
) -> Result<SmallVec<A>, Failure> {
    let Some(sequence) = Sequence::of(object.as_borrowed()) else { return Err(no_list(object)) };
    let mut values = SmallVec::new();
    if sequence.len() > values.inline_size() {
        make_room(&mut values, sequence.len())?;
    }
    for element in sequence.iter() {
        values.push(read(&element)?);
    }
    Ok(values)
}

#[cold]
pub(crate) fn no_list(object: &Bound<'_, PyAny>) -> Failure {
    PyTypeError::new_err(format!("expected a list or tuple, not {}", type_name(object))).into()
}

/// Makes room for the elements of a long list, and sees that there is room for further lists of
/// that length: of references, which overloads take, and of sizes.
#[cold]
fn make_room<A: smallvec::Array>(values: &mut SmallVec<A>, count: usize) -> Result<(), Failure> {
    match values.try_reserve(count) {
        Ok(()) => Ok(buffer::check_room(count.saturating_mul(4 * size_of::<A::Item>()))?),
        Err(_) => Err(Error::memory(format_args!("not enough memory for {count} elements")).into()),
    }
}

pub(crate) fn is_sequence(object: &Bound<'_, PyAny>) -> bool {
    object.is_instance_of::<pyo3::types::PyTuple>()
        || object.is_instance_of::<pyo3::types::PyList>()
}

/// The elements as a tuple.
fn tuple<T: Convert>(
    py: Python<'_>,
    elements: impl ExactSizeIterator<Item = T>,
) -> Result<Bound<'_, PyAny>, Failure> {
    let elements = buffer::try_collected(elements.map(|it| it.object(py)))?;
    Ok(raw::tuple(py, elements)?.into_any())
}

#[diagnostic::do_not_recommend]
impl<T: Convert + Clone> Convert for List<T> {
    const REPEATS: bool = true;

    fn unpack(object: &Bound<'_, PyAny>, reading: Reading) -> Result<Self, Failure> {
        if is_sequence(object) {
            return elements(object, |it| T::unpack(it, reading));
        }
        Ok(smallvec![T::unpack(object, reading)?; reading.size.max(1)])
    }

    fn object(self, py: Python<'_>) -> Result<Bound<'_, PyAny>, Failure> {
        tuple(py, self.into_iter())
    }
}

/// A list of values that overloads take references to.
pub struct Several<T>(SmallVec<[T; 8]>);

impl<T> Several<T> {
    /// As overloads take them.
    ///
    /// # Errors
    ///
    /// `Memory` if there is not enough.
    pub fn refs<R: ?Sized>(&self) -> opwright_runtime::Result<SmallVec<[&R; 8]>>
    where
        T: Borrow<R>,
    {
        buffer::short(self.0.iter().map(Borrow::borrow))
    }
}

#[diagnostic::do_not_recommend]
impl<T: Convert> Convert for Several<T> {
    fn unpack(object: &Bound<'_, PyAny>, reading: Reading) -> Result<Self, Failure> {
        elements(object, |it| T::unpack(it, reading)).map(Several)
    }

    fn object(self, py: Python<'_>) -> Result<Bound<'_, PyAny>, Failure> {
        tuple(py, self.0.into_iter())
    }
}

/// A list of tensors and gaps.
pub struct OptionalTensors(SmallVec<[Option<Tensor>; 8]>);

impl OptionalTensors {
    /// As overloads take them.
    ///
    /// # Errors
    ///
    /// `Memory` if there is not enough.
    pub fn refs(&self) -> opwright_runtime::Result<SmallVec<[Option<&Tensor>; 8]>> {
        buffer::short(self.0.iter().map(Option::as_ref))
    }
}

#[diagnostic::do_not_recommend]
impl Convert for OptionalTensors {
    fn unpack(object: &Bound<'_, PyAny>, reading: Reading) -> Result<Self, Failure> {
        elements(object, |it| Option::unpack(it, reading)).map(OptionalTensors)
    }

    fn object(self, py: Python<'_>) -> Result<Bound<'_, PyAny>, Failure> {
        tuple(py, self.0.into_iter())
    }
}
