//! Boxing and unboxing of arrays: arguments, and what a program returns.

use opwright_jit::entry::{Frame, Owner, argument_owner};
use opwright_jit::memory;
use opwright_jit::types::{Array, ArrayLayout, Obj, Ty, TyKind};
use opwright_runtime::{DType, Tensor};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use smallvec::SmallVec;

use super::{ndarray, objects};
use crate::object;

/// Address, extents and strides of an array, in bytes.
type Geometry = SmallVec<[u64; 8]>;

/// The arrays among the arguments of a call, in the order of their owner words.
#[derive(Default)]
pub(super) struct Arguments<'py> {
    pub(super) list: SmallVec<[(Bound<'py, PyAny>, Geometry); 4]>,
    /// What is to be done after the call.
    pub(super) cleanups: Vec<Bound<'py, PyAny>>,
    /// Whether a tensor is among them.
    pub(super) has_tensor: bool,
    /// Whether a tensor among them requires gradients.
    pub(super) requires_grad: bool,
    /// Which argument of the call is unboxed, for messages.
    pub(super) position: usize,
}

impl Drop for Arguments<'_> {
    /// Does what `unbox` wanted done after the call, the last argument first, whatever happened.
    fn drop(&mut self) {
        while let Some(cleanup) = self.cleanups.pop() {
            if let Err(error) = cleanup.call0() {
                error.write_unraisable(cleanup.py(), Some(&cleanup));
            }
        }
    }
}

/// The words of the arguments of a call.
pub(super) type Words = smallvec::SmallVec<[u64; 16]>;

/// What values need to become objects: where arrays are.
pub(super) struct BoxContext<'b, 'py> {
    pub(super) frame: &'b Frame,
    pub(super) arguments: &'b Arguments<'py>,
    pub(super) held: &'b [Obj],
}

/// The type of an array, of either library.
pub(super) fn type_of(object: &Bound<'_, PyAny>) -> PyResult<Option<Ty>> {
    if let Some(tensor) = object::tensor_of(object) {
        return tensor_type(tensor).map(Some);
    }
    Ok(ndarray::view(object)?.map(|it| it.ty))
}

/// Arrays of a type, of either library, as they are recognized.
pub(super) struct ArrayForm {
    flags: Option<ndarray::Flags>,
    /// The dtype of tensors of the type, if there are such.
    dtype: Option<DType>,
    ndim: usize,
    layout: ArrayLayout,
}

impl ArrayForm {
    /// Those of a type.
    pub(super) fn of(array: &Array) -> ArrayForm {
        let dtype = memory::dtype(array.dtype);
        let is_such = |it: &DType| !array.is_readonly && memory::ty(*it) == Some(array.dtype);
        ArrayForm {
            flags: ndarray::Flags::of(array),
            dtype: dtype.filter(is_such),
            ndim: array.ndim,
            layout: array.layout,
        }
    }

    /// Reads an array, if it is such a one.
    #[inline]
    pub(super) fn read<'py>(
        &self,
        object: &Bound<'py, PyAny>,
        words: &mut [u64],
        arguments: &mut Arguments<'py>,
    ) -> bool {
        let Some((owner, rest)) = words.split_first_mut() else { return false };
        let is_read = self.flags.as_ref().is_some_and(|it| it.read(object, rest))
            || self.read_tensor(object, rest, arguments);
        if is_read {
            *owner = argument_owner(arguments.list.len());
            arguments.list.push((object.clone(), SmallVec::from_slice(rest)));
        }
        is_read
    }

    fn read_tensor<'py>(
        &self,
        object: &Bound<'py, PyAny>,
        words: &mut [u64],
        arguments: &mut Arguments<'py>,
    ) -> bool {
        let Some(tensor) = object::tensor_of(object) else { return false };
        let is_such = Some(tensor.dtype()) == self.dtype
            && tensor.ndim() == self.ndim
            && layout(tensor) == self.layout
            && !tensor.device().is_meta();
        if is_such {
            arguments.has_tensor = true;
            arguments.requires_grad |= tensor.requires_grad();
            write_tensor(tensor, words);
        }
        is_such
    }
}

/// Writes address, extents and strides of a tensor.
fn write_tensor(tensor: &Tensor, words: &mut [u64]) {
    let size = tensor.dtype().size() as i64;
    let address = tensor.data_ptr().expose_provenance() as u64;
    let extents = tensor.shape().iter().map(|it| it.cast_unsigned());
    let strides = tensor.strides().iter().map(|it| (it * size).cast_unsigned());
    let found = std::iter::once(address).chain(extents).chain(strides);
    words.iter_mut().zip(found).for_each(|(word, it)| *word = it);
}

fn layout(tensor: &Tensor) -> ArrayLayout {
    let (shape, strides) = (tensor.shape(), tensor.strides());
    if is_dense(shape.iter().zip(strides).rev()) {
        ArrayLayout::C
    } else if is_dense(shape.iter().zip(strides)) {
        ArrayLayout::F
    } else {
        ArrayLayout::Any
    }
}

fn tensor_type(tensor: &Tensor) -> PyResult<Ty> {
    if tensor.device().is_meta() {
        return Err(PyTypeError::new_err("a meta tensor has no elements to compute with"));
    }
    let Some(dtype) = memory::ty(tensor.dtype()) else {
        return Err(PyTypeError::new_err(format!(
            "tensors of {} are not compiled: convert one by to() first",
            tensor.dtype()
        )));
    };
    Ok(Ty::array(dtype, tensor.ndim(), layout(tensor)))
}

/// Whether dimensions, the fastest first, lie without gaps; extents of one do not count.
fn is_dense<'a>(dims: impl Iterator<Item = (&'a i64, &'a i64)> + Clone) -> bool {
    if dims.clone().any(|(extent, _)| *extent == 0) {
        return true;
    }
    let mut step = 1;
    for (extent, stride) in dims {
        if *extent != 1 && *stride != step {
            return false;
        }
        step *= *extent;
    }
    true
}

/// Appends the words of an array.
pub(super) fn unbox<'py>(
    object: &Bound<'py, PyAny>,
    words: &mut Words,
    arguments: &mut Arguments<'py>,
) -> PyResult<()> {
    let found = if let Some(tensor) = object::tensor_of(object) {
        arguments.has_tensor = true;
        arguments.requires_grad |= tensor.requires_grad();
        tensor_words(tensor)
    } else if let Some(view) = ndarray::view(object)? {
        view.words
    } else {
        return Err(PyTypeError::new_err("expected an array"));
    };
    words.push(argument_owner(arguments.list.len()));
    words.extend(found.iter().copied());
    arguments.list.push((object.clone(), found));
    Ok(())
}

fn tensor_words(tensor: &Tensor) -> Geometry {
    let size = tensor.dtype().size() as i64;
    let mut words = SmallVec::new();
    words.push(tensor.data_ptr().expose_provenance() as u64);
    words.extend(tensor.shape().iter().map(|it| it.cast_unsigned()));
    words.extend(tensor.strides().iter().map(|it| (it * size).cast_unsigned()));
    words
}

/// The object of an array from its words: owner, address, extents, strides.
pub(super) fn boxed<'py>(
    py: Python<'py>,
    array: &Array,
    words: &[u64],
    frame: &Frame,
    arguments: &Arguments<'py>,
    held: &[opwright_jit::types::Obj],
) -> PyResult<Bound<'py, PyAny>> {
    match Owner::of(words[0]) {
        Owner::Argument(at) => {
            let (object, geometry) = &arguments.list[at];
            if geometry[..] == words[1..] && !is_part(object, array)? {
                return Ok(object.clone());
            }
            of_object(object, array, &words[1..])
        }
        Owner::Constant(at) => {
            let object = objects::object(py, held[at]);
            of_object(&object, array, &words[1..])
        }
        Owner::Made(at) => {
            let Some(tensor) = frame.tensor(at) else {
                return Err(PyTypeError::new_err("an array was given back too early"));
            };
            made(py, tensor, array, &words[1..], arguments.has_tensor)
        }
        Owner::None => Err(PyTypeError::new_err("an array without memory")),
    }
}

/// Whether an array is the real parts of an object's elements, which begin where these do.
fn is_part(object: &Bound<'_, PyAny>, array: &Array) -> PyResult<bool> {
    if !array.dtype.is_float() || (array.layout == ArrayLayout::C && array.ndim > 0) {
        return Ok(false);
    }
    let ty = type_of(object)?;
    Ok(ty.and_then(|it| it.as_array().map(|it| it.dtype)) != Some(array.dtype))
}

/// A view of an array that came from outside.
fn of_object<'py>(
    object: &Bound<'py, PyAny>,
    array: &Array,
    words: &[u64],
) -> PyResult<Bound<'py, PyAny>> {
    let py = object.py();
    let (shape, strides) = words[1..].split_at(array.ndim);
    let shape: Vec<i64> = shape.iter().map(|it| it.cast_signed()).collect();
    let strides: Vec<i64> = strides.iter().map(|it| it.cast_signed()).collect();
    if let Some(tensor) = object::tensor_of(object) {
        let dtype = memory::dtype(array.dtype).unwrap_or_else(|| tensor.dtype());
        let seen = memory::part(tensor, words[0], dtype, &shape, &strides)
            .map_err(|it| crate::object::failure::exception(&it))?;
        return object::wrap(py, seen);
    }
    let module = py.import(format!("{}._jit.views", crate::object::package::name()))?;
    module.call_method1("view", (object, words[0], array.dtype.to_string(), shape, strides))
}

/// An array over memory that the program made.
fn made<'py>(
    py: Python<'py>,
    tensor: &Tensor,
    array: &Array,
    words: &[u64],
    is_tensor: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let raised = |it: opwright_runtime::Error| crate::object::failure::exception(&it);
    let (shape, strides) = words[1..].split_at(array.ndim);
    let shape: Vec<i64> = shape.iter().map(|it| it.cast_signed()).collect();
    let strides: Vec<i64> = strides.iter().map(|it| it.cast_signed()).collect();
    let dtype = memory::dtype(array.dtype).unwrap_or_else(|| tensor.dtype());
    let is_whole = is_whole(tensor, words[0], dtype, &shape, &strides);
    let tensor = match is_whole {
        true => tensor.clone(),
        false => memory::part(tensor, words[0], dtype, &shape, &strides).map_err(raised)?,
    };
    let object = object::wrap(py, tensor)?;
    if is_tensor {
        return Ok(object);
    }
    let lent = crate::interop::numpy::array(&object)?;
    match &*array.dtype {
        TyKind::Int(int) if !int.is_signed && int.bits > 8 => {
            lent.call_method1("view", (array.dtype.to_string(),))
        }
        _ => Ok(lent),
    }
}

/// Whether a part of a tensor is all of it; the strides of extents of one do not count.
fn is_whole(tensor: &Tensor, address: u64, dtype: DType, shape: &[i64], strides: &[i64]) -> bool {
    let size = dtype.size() as i64;
    let mut dims = tensor.strides().iter().zip(strides).zip(shape);
    tensor.shape() == shape
        && address == tensor.data_ptr().addr() as u64
        && dtype == tensor.dtype()
        && dims.all(|((a, b), extent)| a * size == *b || *extent == 1)
}
