//! Mutated arguments: tensors that an overload writes to.
//!
//! The kernel gets a counted handle. If it replaces the handle, because the
//! tensor was resized, the Python object gets the new one afterwards.

use opwright_runtime::{Tensor, buffer};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use smallvec::SmallVec;

use super::arrays;
use crate::object::{self, Convert, Failure, NamedTuple, Object, Reading, elements, type_name};
use crate::raw::{self, NewReference};

/// A tensor that the overload writes to.
pub struct TensorMut {
    /// The handle that the kernel sees.
    pub tensor: Tensor,
    /// Its Python object: counted, since a list does not keep its elements alive.
    object: CountedReference<Object>,
}

impl TensorMut {
    /// Gives the Python object a replaced handle, and returns it, a new reference.
    // Cold: kept out of line.
    #[inline(never)]
    pub fn finish(self, py: Python<'_>) -> NewReference {
        self.finished(py).into()
    }

    /// Gives the Python object a replaced handle.
    #[inline(never)]
    pub fn commit(self, py: Python<'_>) {
        drop(self.finished(py));
    }

    /// The Python object, with the handle.
    #[inline(always)]
    pub(crate) fn finished(self, py: Python<'_>) -> Bound<'_, Object> {
        let object = self.object.into_bound(py);
        hand_over(object.as_borrowed(), self.tensor);
        object
    }
}

/// Gives a tensor that was written to the handle that the kernel left.
fn hand_over(object: Borrowed<'_, '_, Object>, tensor: Tensor) {
    // SAFETY: the kernel has returned, and with it the overload's borrow of its arguments; what
    // other calls lent is theirs only while they hold the GIL and run no code of Python.
    unsafe { object::replace(object, tensor) };
}

#[diagnostic::do_not_recommend]
impl Convert for TensorMut {
    fn unpack(object: &Bound<'_, PyAny>, _: Reading) -> Result<Self, Failure> {
        arrays::check_writable(object)?;
        match object::known(object.as_borrowed()) {
            Some(known) => Ok(TensorMut {
                tensor: object::peek(known).clone(),
                object: CountedReference::new(&known),
            }),
            None => Err(PyTypeError::new_err(format!(
                "only a Tensor can be written to, not {}",
                type_name(object)
            ))
            .into()),
        }
    }

    fn object(self, py: Python<'_>) -> Result<Bound<'_, PyAny>, Failure> {
        Ok(self.finished(py).into_any())
    }
}

/// A list of tensors that the overload writes to.
pub struct TensorsMut {
    tensors: SmallVec<[Tensor; 8]>,
    objects: Vec<CountedReference<Object>>,
    /// The list itself.
    list: CountedReference<PyAny>,
}

/// A counted reference that is given back as soon as it is dropped. A `Py` alone would wait until
/// PyO3 enters the interpreter, which it never does in a call that the interpreter makes.
struct CountedReference<T>(Option<Py<T>>);

impl<T> CountedReference<T> {
    fn new(object: &Bound<'_, T>) -> CountedReference<T> {
        CountedReference(Some(object.clone().unbind()))
    }

    #[inline(always)]
    fn into_bound(mut self, py: Python<'_>) -> Bound<'_, T> {
        self.0.take().expect("what is not dropped is held").into_bound(py)
    }
}

impl<T> Drop for CountedReference<T> {
    fn drop(&mut self) {
        if let Some(object) = self.0.take() {
            // SAFETY: a shim drops its arguments with the GIL held, as the interpreter called it.
            object.drop_ref(unsafe { Python::assume_attached() });
        }
    }
}

impl TensorsMut {
    /// As overloads take them.
    ///
    /// # Errors
    ///
    /// `Memory` if there is not enough.
    pub fn refs(&mut self) -> opwright_runtime::Result<SmallVec<[&mut Tensor; 8]>> {
        buffer::short(self.tensors.iter_mut())
    }

    /// Gives the Python objects their handles, and returns the list, a new reference.
    pub fn finish(self, py: Python<'_>) -> NewReference {
        self.finished(py).into()
    }

    /// The list, whose Python objects have their handles.
    pub(crate) fn finished(self, py: Python<'_>) -> Bound<'_, PyAny> {
        let TensorsMut { tensors, objects, list } = self;
        hand_over_all(py, objects, tensors);
        list.into_bound(py)
    }

    /// Gives the Python objects their handles.
    pub fn commit(self, py: Python<'_>) {
        hand_over_all(py, self.objects, self.tensors);
    }
}

fn hand_over_all(
    py: Python<'_>,
    objects: Vec<CountedReference<Object>>,
    tensors: SmallVec<[Tensor; 8]>,
) {
    for (object, tensor) in objects.into_iter().zip(tensors) {
        hand_over(object.into_bound(py).as_borrowed(), tensor);
    }
}

#[diagnostic::do_not_recommend]
impl Convert for TensorsMut {
    fn unpack(object: &Bound<'_, PyAny>, reading: Reading) -> Result<Self, Failure> {
        let mut objects = Vec::new();
        let tensors = elements(object, |it| {
            let TensorMut { tensor, object } = TensorMut::unpack(it, reading)?;
            objects.push(object);
            Ok(tensor)
        })?;
        Ok(TensorsMut { tensors, objects, list: CountedReference::new(object) })
    }

    fn object(self, py: Python<'_>) -> Result<Bound<'_, PyAny>, Failure> {
        Ok(self.finished(py))
    }
}

/// A tuple, or a named one, of new references.
///
/// # Errors
///
/// `MemoryError`.
pub fn tuple_of<const N: usize>(
    py: Python<'_>,
    class: Option<&NamedTuple>,
    objects: [NewReference; N],
) -> Result<NewReference, Failure> {
    let owned = objects.into_iter().map(|it| it.into_bound(py));
    let tuple = raw::tuple(py, buffer::collected(owned)?)?;
    match class {
        Some(class) => class.named(&tuple),
        None => Ok(tuple.into()),
    }
}
