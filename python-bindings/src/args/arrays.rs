//! Arrays of other libraries where tensors are expected, and other objects
//! that stand for ours.
//!
//! A call is bound as it is first, so that calls with tensors pay nothing. If
//! no overload fits, arrays become tensors over the same memory, and the call
//! is bound once more: overloads see an array as the tensor it stands for.

use std::sync::atomic::{AtomicBool, Ordering};

use opwright_runtime::lock::{Guard, Lock};
use opwright_runtime::{Error, buffer};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString, PyTuple};

use crate::interop::{dlpack, import, numpy};
use crate::object::failure::placed;
use crate::object::foreign::is_foreign_tensor;
use crate::object::{self, Failure, is_numpy_scalar};
use crate::raw;
use crate::raw::Names;
use crate::types::{PyGenerator, foreign};

/// Whether this module takes arrays that are no tensors of another module.
static ACCEPTED: AtomicBool = AtomicBool::new(false);

/// Tensors over copies, because the arrays are read-only: by the addresses of
/// their objects, as long as the calls last that they were made for.
static COPIES: Lock<Vec<usize>> = Lock::new(Vec::new());
/// Whether there are any: without, nobody takes the lock.
static HAS_COPIES: AtomicBool = AtomicBool::new(false);

/// Decides whether arrays are taken where tensors are expected.
pub(crate) fn accept_arrays(accepted: bool) {
    ACCEPTED.store(accepted, Ordering::Relaxed);
}

/// Whether `object` is an array that this module takes as a tensor, even if
/// its class also says that it can stand for an integer.
pub(super) fn stands_for_tensor(object: &Bound<'_, PyAny>) -> bool {
    is_array(object)
}

/// Fails if `object` is a tensor over a copy, which its owner would not see written to.
///
/// # Errors
///
/// `ValueError`.
#[inline]
pub(super) fn check_writable(object: &Bound<'_, PyAny>) -> Result<(), Failure> {
    if HAS_COPIES.load(Ordering::Relaxed) { check_copies(object) } else { Ok(()) }
}

#[cold]
fn check_copies(object: &Bound<'_, PyAny>) -> Result<(), Failure> {
    if copies().contains(&object.as_ptr().addr()) {
        let text = "the array is read-only, so it cannot be written to; pass a copy of it";
        return Err(Error::value(text).into());
    }
    Ok(())
}

fn copies() -> Guard<'static, Vec<usize>> {
    COPIES.lock()
}

/// A tensor in the place of an array.
struct Stand<'py> {
    array: Bound<'py, PyAny>,
    tensor: Bound<'py, PyAny>,
    /// Where its elements were when the call began, and its shape.
    start: usize,
    shape: Vec<i64>,
}

/// A generator of another module, and the one in its place.
struct Drawn<'py> {
    theirs: Bound<'py, PyAny>,
    own: Bound<'py, PyGenerator>,
}

/// The arguments of a call with tensors in the places of arrays.
pub(crate) struct Arrays<'py> {
    args: Vec<Bound<'py, PyAny>>,
    /// Whether any argument is another object than the one that was passed.
    changed: bool,
    stands: Vec<Stand<'py>>,
    drawn: Vec<Drawn<'py>>,
    copied: Vec<usize>,
}

impl Drop for Arrays<'_> {
    fn drop(&mut self) {
        if !self.copied.is_empty() {
            let mut copies = copies();
            for copied in &self.copied {
                // Calls within calls may have the same one.
                if let Some(at) = copies.iter().position(|it| it == copied) {
                    copies.swap_remove(at);
                }
            }
            HAS_COPIES.store(!copies.is_empty(), Ordering::Relaxed);
        }
    }
}

impl<'py> Arrays<'py> {
    /// The arguments of a call of `function` with tensors in the places of
    /// arrays, and our objects in the places of those that stand for them;
    /// nothing if there are none among them that this module takes.
    ///
    /// # Errors
    ///
    /// `TypeError` for elements that no dtype is for, `ValueError` for elements
    /// that are not aligned, whatever `__dlpack__` raises.
    #[cold]
    pub(crate) fn convert(
        function: &str,
        args: &[Bound<'py, PyAny>],
        positional: usize,
        names: &Names<'_, '_>,
    ) -> Result<Option<Self>, Failure> {
        let mut arrays = Arrays {
            args: buffer::with_capacity(args.len())?,
            changed: false,
            stands: Vec::new(),
            drawn: Vec::new(),
            copied: Vec::new(),
        };
        for (at, arg) in args.iter().enumerate() {
            let converted = arrays.argument(arg).map_err(|it| {
                let place = place(at, positional, names);
                named(arg.py(), it, function, &place)
            })?;
            arrays.changed |= !converted.is(arg);
            arrays.args.push(converted);
        }
        Ok(if arrays.changed { Some(arrays) } else { None })
    }

    /// What the call is bound to.
    pub(crate) fn args(&self) -> &[Bound<'py, PyAny>] {
        &self.args
    }

    /// The result of the call: an array that was written to stands for itself again.
    ///
    /// # Errors
    ///
    /// `ValueError` if the call gave a tensor other memory than the array has,
    /// or if a generator of another module does not take the state it has now.
    pub(crate) fn result(&self, result: Bound<'py, PyAny>) -> Result<Bound<'py, PyAny>, Failure> {
        for stand in &self.stands {
            let Some(tensor) = object::tensor_of(&stand.tensor) else { continue };
            if tensor.data_ptr().addr() != stand.start || tensor.shape() != stand.shape {
                return Err(Error::value(format_args!(
                    "an array cannot be resized: it has the shape {:?}, the result {:?}; pass one \
                     of that shape",
                    stand.shape,
                    tensor.shape()
                ))
                .into());
            }
        }
        for Drawn { theirs, own } in &self.drawn {
            theirs.call_method1("set_state", (own.get().get_state(own.py())?,))?;
        }
        let written = self.stands.iter().find(|it| it.tensor.is(&result));
        Ok(written.map_or(result, |it| it.array.clone()))
    }

    fn argument(&mut self, arg: &Bound<'py, PyAny>) -> Result<Bound<'py, PyAny>, Failure> {
        if object::tensor_of(arg).is_some() || arg.is_exact_instance_of::<PyString>() {
            return Ok(arg.clone());
        }
        if let Ok(list) = arg.cast_exact::<PyList>() {
            let items = buffer::collected(list.iter())?;
            return Ok(match self.elements(&items)? {
                Some(items) => raw::list(arg.py(), items)?.into_any(),
                None => arg.clone(),
            });
        }
        if let Ok(tuple) = arg.cast_exact::<PyTuple>() {
            let items = buffer::collected(tuple.iter())?;
            return Ok(match self.elements(&items)? {
                Some(items) => raw::tuple(arg.py(), items)?.into_any(),
                None => arg.clone(),
            });
        }
        if is_array(arg) {
            return self.stand(arg);
        }
        if let Some(own) = foreign::generator(arg)? {
            self.drawn.push(Drawn { theirs: arg.clone(), own: own.clone() });
            return Ok(own.into_any());
        }
        Ok(foreign::of(arg)?.unwrap_or_else(|| arg.clone()))
    }

    /// The elements of a list, if an array is among them.
    fn elements(
        &mut self,
        items: &[Bound<'py, PyAny>],
    ) -> Result<Option<Vec<Bound<'py, PyAny>>>, Failure> {
        if !items.iter().any(is_array) {
            return Ok(None);
        }
        let convert =
            |it: &Bound<'py, PyAny>| if is_array(it) { self.stand(it) } else { Ok(it.clone()) };
        buffer::try_collected(items.iter().map(convert)).map(Some)
    }

    fn stand(&mut self, array: &Bound<'py, PyAny>) -> Result<Bound<'py, PyAny>, Failure> {
        let (tensor, is_copy) = if numpy::is_array(array) {
            numpy::view(array)?
        } else if has_dlpack(array) {
            dlpack::view(array)?
        } else {
            import::view(array)?
        };
        let (start, shape) = (tensor.data_ptr().addr(), tensor.shape().to_vec());
        let tensor = object::wrap(array.py(), tensor)?;
        if is_copy {
            self.copied.push(tensor.as_ptr().addr());
            copies().push(tensor.as_ptr().addr());
            HAS_COPIES.store(true, Ordering::Relaxed);
        }
        self.stands.push(Stand { array: array.clone(), tensor: tensor.clone(), start, shape });
        Ok(tensor)
    }
}

/// Whether an object of another library has elements in memory that can be shared.
fn is_array(object: &Bound<'_, PyAny>) -> bool {
    if object::tensor_of(object).is_some() || is_numpy_scalar(object) {
        return false;
    }
    if !ACCEPTED.load(Ordering::Relaxed) {
        return is_foreign_tensor(object);
    }
    numpy::is_array(object)
        || has_dlpack(object)
        || raw::is_buffer(object) && !object.is_instance_of::<PyBytes>()
}

fn has_dlpack(object: &Bound<'_, PyAny>) -> bool {
    object.get_type().hasattr("__dlpack__").unwrap_or(false)
}

/// `argument 2`, or by its keyword.
#[cold]
fn place(at: usize, positional: usize, names: &Names<'_, '_>) -> String {
    match at.checked_sub(positional) {
        None => format!("argument {}", at + 1),
        Some(keyword) => format!("argument '{}'", names.text(keyword)),
    }
}

/// Says which argument is no tensor.
#[cold]
fn named(py: Python<'_>, failure: Failure, function: &str, place: &str) -> Failure {
    match failure {
        Failure::Op(error) => {
            let text = format_args!("{place}: {}", error.message());
            Failure::Op(Error::new(error.kind(), text))
        }
        Failure::Python(error) => placed(py, *error, &format!("{function}(): {place}")).into(),
        Failure::Mismatch => Failure::Mismatch,
    }
}
