//! The Rust value of one argument, by the type that the overload takes.
//!
//! The resolver has already said that the argument fits; what can still fail
//! is a value that is out of range, and Python code that an object runs.

use opwright_runtime::{
    DType, Device, Dimname, Error, Generator, Layout, MemoryFormat, Scalar, Storage, Stream,
    Tensor, buffer,
};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyFloat;
use smallvec::{SmallVec, smallvec};

use super::describe::type_name;
use super::{Sequence, as_float, as_int, as_scalar};
use crate::failure::Failure;
use crate::tensor::object;
use crate::types::{self, PyDType, PyGenerator, PyLayout, PyMemoryFormat, PyStorage};

/// A list of integers.
pub type Ints = SmallVec<[i64; 6]>;
/// A list of real numbers.
pub type Floats = SmallVec<[f64; 4]>;
/// A list of numbers.
pub type Scalars = SmallVec<[Scalar; 4]>;
/// A list of bools.
pub type Bools = SmallVec<[bool; 4]>;

/// How an argument is read.
#[derive(Clone, Copy, Default)]
pub struct Reading {
    /// To how many elements a single integer is repeated.
    pub size: usize,
}

/// A value that an argument can be read as.
pub trait Unpack: Sized {
    /// Whether the parameter may say how often a single value is repeated.
    const REPEATS: bool = false;

    /// The value of `object`.
    ///
    /// # Errors
    ///
    /// A value out of range, or an exception of the object's own code.
    fn unpack(object: &Bound<'_, PyAny>, reading: Reading) -> Result<Self, Failure>;
}

/// A handle of its own; a number becomes a tensor.
impl Unpack for Tensor {
    fn unpack(object: &Bound<'_, PyAny>, _: Reading) -> Result<Self, Failure> {
        // Most numbers are floats, which then need not be compared with subclasses of tensors.
        let tensor = match object.is_exact_instance_of::<PyFloat>() {
            true => None,
            false => object::tensor_of(object),
        };
        match tensor {
            Some(tensor) => Ok(tensor.clone()),
            None => Ok(Tensor::wrapped_number(as_scalar(object)?)?),
        }
    }
}

/// Reads each element of a list or tuple.
pub(super) fn elements<T, A: smallvec::Array<Item = T>>(
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
fn no_list(object: &Bound<'_, PyAny>) -> Failure {
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

pub(super) fn is_sequence(object: &Bound<'_, PyAny>) -> bool {
    object.is_instance_of::<pyo3::types::PyTuple>()
        || object.is_instance_of::<pyo3::types::PyList>()
}

impl Unpack for Ints {
    const REPEATS: bool = true;

    fn unpack(object: &Bound<'_, PyAny>, reading: Reading) -> Result<Self, Failure> {
        if is_sequence(object) {
            return elements(object, as_int);
        }
        Ok(SmallVec::from_elem(as_int(object)?, reading.size.max(1)))
    }
}

impl Unpack for Floats {
    fn unpack(object: &Bound<'_, PyAny>, _: Reading) -> Result<Self, Failure> {
        elements(object, as_float)
    }
}

impl Unpack for Scalars {
    fn unpack(object: &Bound<'_, PyAny>, _: Reading) -> Result<Self, Failure> {
        elements(object, as_scalar)
    }
}

impl Unpack for Bools {
    fn unpack(object: &Bound<'_, PyAny>, _: Reading) -> Result<Self, Failure> {
        elements(object, |it| Ok(it.is_truthy()?))
    }
}

/// A list of tensors.
pub struct Tensors(SmallVec<[Tensor; 8]>);

impl Tensors {
    /// As overloads take them.
    ///
    /// # Errors
    ///
    /// `Memory` if there is not enough.
    pub fn refs(&self) -> opwright_runtime::Result<SmallVec<[&Tensor; 8]>> {
        buffer::short(self.0.iter())
    }
}

impl Unpack for Tensors {
    fn unpack(object: &Bound<'_, PyAny>, _: Reading) -> Result<Self, Failure> {
        elements(object, element_tensor).map(Tensors)
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

impl Unpack for OptionalTensors {
    fn unpack(object: &Bound<'_, PyAny>, _: Reading) -> Result<Self, Failure> {
        elements(object, |it| if it.is_none() { Ok(None) } else { element_tensor(it).map(Some) })
            .map(OptionalTensors)
    }
}

/// An element of a list: counted, since the list does not keep it alive.
fn element_tensor(object: &Bound<'_, PyAny>) -> Result<Tensor, Failure> {
    object::tensor_of(object).cloned().ok_or_else(|| {
        PyTypeError::new_err(format!("expected a Tensor, not {}", type_name(object))).into()
    })
}

impl Unpack for i64 {
    #[inline]
    fn unpack(object: &Bound<'_, PyAny>, _: Reading) -> Result<Self, Failure> {
        as_int(object)
    }
}

impl Unpack for f64 {
    #[inline]
    fn unpack(object: &Bound<'_, PyAny>, _: Reading) -> Result<Self, Failure> {
        as_float(object)
    }
}

impl Unpack for bool {
    #[inline]
    fn unpack(object: &Bound<'_, PyAny>, _: Reading) -> Result<Self, Failure> {
        Ok(object.is_truthy()?)
    }
}

impl Unpack for Scalar {
    #[inline]
    fn unpack(object: &Bound<'_, PyAny>, _: Reading) -> Result<Self, Failure> {
        as_scalar(object)
    }
}

impl Unpack for String {
    fn unpack(object: &Bound<'_, PyAny>, _: Reading) -> Result<Self, Failure> {
        types::text(object)
    }
}

impl Unpack for DType {
    fn unpack(object: &Bound<'_, PyAny>, _: Reading) -> Result<Self, Failure> {
        Ok(PyDType::read(object)?)
    }
}

impl Unpack for Layout {
    fn unpack(object: &Bound<'_, PyAny>, _: Reading) -> Result<Self, Failure> {
        Ok(object.cast::<PyLayout>()?.get().0)
    }
}

impl Unpack for MemoryFormat {
    fn unpack(object: &Bound<'_, PyAny>, _: Reading) -> Result<Self, Failure> {
        Ok(object.cast::<PyMemoryFormat>()?.get().0)
    }
}

impl Unpack for Device {
    fn unpack(object: &Bound<'_, PyAny>, _: Reading) -> Result<Self, Failure> {
        types::read_device(object)
    }
}

impl Unpack for Generator {
    fn unpack(object: &Bound<'_, PyAny>, _: Reading) -> Result<Self, Failure> {
        Ok(object.cast::<PyGenerator>()?.get().0.clone())
    }
}

impl Unpack for Storage {
    fn unpack(object: &Bound<'_, PyAny>, _: Reading) -> Result<Self, Failure> {
        Ok(object.cast::<PyStorage>()?.get().0.clone())
    }
}

/// A list of names of dimensions.
pub type Dimnames = SmallVec<[Dimname; 1]>;

impl Unpack for Dimname {
    fn unpack(_: &Bound<'_, PyAny>, _: Reading) -> Result<Self, Failure> {
        Err(Error::not_implemented("dimensions have no names here; give their positions").into())
    }
}

impl Unpack for Dimnames {
    fn unpack(object: &Bound<'_, PyAny>, reading: Reading) -> Result<Self, Failure> {
        if !is_sequence(object) {
            return Ok(smallvec![Dimname::unpack(object, reading)?]);
        }
        elements(object, |it| Dimname::unpack(it, reading))
    }
}

impl Unpack for Stream {
    fn unpack(_: &Bound<'_, PyAny>, _: Reading) -> Result<Self, Failure> {
        Err(Error::not_implemented("the devices here have no streams").into())
    }
}
