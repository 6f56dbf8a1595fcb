//! Attributes of tensors.

use std::ffi::{CStr, c_int, c_void};
use std::ptr;

use opwright_runtime::geometry::Dims;
use opwright_runtime::{self as runtime, Error, Scalar, Tensor};
use pyo3::exceptions::PyTypeError;
use pyo3::ffi::PyGetSetDef;
use pyo3::prelude::*;

use super::index;
use crate::autograd::attributes as autograd;
use crate::object::trampoline::{ask, trampoline};
use crate::object::{self, Failure, Object, operators};
use crate::raw::{Lent, New, Optional, Plain, entry};

/// The attributes, ended by an empty entry.
#[repr(transparent)]
pub(super) struct Attributes<const N: usize>(pub(super) [PyGetSetDef; N]);

// SAFETY: the table is constant, and the interpreter only reads it.
unsafe impl<const N: usize> Sync for Attributes<N> {}

/// The entry that ends a table.
pub(super) const END: PyGetSetDef = PyGetSetDef {
    name: ptr::null(),
    get: None,
    set: None,
    doc: ptr::null(),
    closure: ptr::null_mut(),
};

macro_rules! attributes {
    ($($shown:literal, $doc:literal, $name:ident = $question:expr;)*) => {
        $(
            entry! {
                fn $name(_py, tensor: Lent<Object>, _closure: Plain<*mut c_void>) -> New {
                    const NAME: &str = match $shown.to_str() {
                        Ok(name) => name,
                        Err(_) => panic!("the name of an attribute is text"),
                    };
                    ask(NAME, tensor, $question)
                }
            }
        )*

        const COUNT: usize = [$($shown),*].len();

        /// All of them.
        pub(super) static TABLE: Attributes<{ COUNT + 5 + autograd::COUNT }> = Attributes([
            SHAPE,
            REAL,
            IMAG,
            OWN,
            autograd::REQUIRES_GRAD,
            autograd::GRAD,
            autograd::GRAD_FN,
            autograd::IS_LEAF,
            autograd::OUTPUT_NR,
            autograd::VERSION,
            autograd::BASE,
            autograd::RETAINS_GRAD,
            autograd::BACKWARD_HOOKS,
            autograd::DATA,
            $(PyGetSetDef {
                name: CStr::as_ptr($shown),
                get: Some($name),
                set: None,
                doc: CStr::as_ptr($doc),
                closure: ptr::null_mut(),
            },)*
            END,
        ]);
    };
}

attributes! {
    c"dtype", c"The type of the elements.", dtype = |tensor| Ok(tensor.dtype());
    c"device", c"Where the elements are.", device = |tensor| Ok(tensor.device());
    c"layout", c"How the elements are found.", layout = |tensor| Ok(tensor.layout());
    c"ndim", c"The number of dimensions.", ndim = |tensor| Ok(tensor.ndim() as i64);
    c"itemsize", c"The number of bytes of an element.", itemsize =
        |tensor| Ok(tensor.dtype().size() as i64);
    c"nbytes", c"The number of bytes of all elements, were they without gaps.", nbytes =
        |tensor| Ok((tensor.numel() * tensor.dtype().size()) as i64);
    c"T", c"A view with all dimensions in reverse order.", transposed = reversed_dims;
    c"mT", c"A view with the last two dimensions exchanged.", matrix_transposed = swapped_last;
    c"H", c"The conjugate transpose of a matrix; of real numbers a view.", hermitian =
        |tensor| Ok(operators::hermitian(tensor)?);
    c"mH", c"The conjugate transpose of each matrix of a batch; of real numbers a view.",
        matrix_hermitian = |tensor| Ok(operators::adjoint(tensor)?);
    c"is_cpu", c"Whether the elements are in main memory.", is_cpu =
        |tensor| Ok(!tensor.device().is_meta());
    c"is_meta", c"Whether there are no elements, only a shape and a dtype.", is_meta =
        |tensor| Ok(tensor.device().is_meta());
    c"is_cuda", c"Always False: there are no CUDA devices.", is_cuda = |_| Ok(false);
    c"is_sparse", c"Always False: all tensors are strided.", is_sparse = |_| Ok(false);
}

/// The one that is asked most often, and remembered.
const SHAPE: PyGetSetDef = PyGetSetDef {
    name: c"shape".as_ptr(),
    get: Some(shape),
    set: None,
    doc: c"The sizes of the dimensions.".as_ptr(),
    closure: ptr::null_mut(),
};

const REAL: PyGetSetDef = PyGetSetDef {
    name: c"real".as_ptr(),
    get: Some(real),
    set: Some(set_real),
    doc: c"The real parts, as a view; a real tensor is its own.".as_ptr(),
    closure: ptr::null_mut(),
};

const IMAG: PyGetSetDef = PyGetSetDef {
    name: c"imag".as_ptr(),
    get: Some(imag),
    set: Some(set_imag),
    doc: c"The imaginary parts of a complex tensor, as a view; of a real one new zeros.".as_ptr(),
    closure: ptr::null_mut(),
};

/// The attributes that somebody gave the tensor.
const OWN: PyGetSetDef = PyGetSetDef {
    name: c"__dict__".as_ptr(),
    get: Some(object::attributes),
    set: Some(object::set_attributes),
    doc: ptr::null(),
    closure: ptr::null_mut(),
};

entry! {
    fn real(_py, tensor: Lent<Object>, _closure: Plain<*mut c_void>) -> New {
        ask("real", tensor, |it| Ok(operators::real(it)?))
    }

    fn set_real(
        py,
        tensor: Lent<Object>,
        value: Optional<PyAny>,
        _closure: Plain<*mut c_void>
    ) -> c_int {
        trampoline("real", -1, || write(py, operators::real(object::peek(tensor))?, "real", value))
    }

    fn imag(_py, tensor: Lent<Object>, _closure: Plain<*mut c_void>) -> New {
        ask("imag", tensor, |it| Ok(imaginary(it)?))
    }

    fn set_imag(
        py,
        tensor: Lent<Object>,
        value: Optional<PyAny>,
        _closure: Plain<*mut c_void>
    ) -> c_int {
        trampoline("imag", -1, || write(py, operators::imag(object::peek(tensor))?, "imag", value))
    }

    fn shape(_py, tensor: Lent<Object>, _closure: Plain<*mut c_void>) -> New {
        trampoline("shape", None, || object::shape(tensor).map(Some))
    }
}

/// The imaginary parts. Those of real numbers are zeros, as in numpy: libraries that ask whether an
/// object has all attributes of an array ask for this one.
fn imaginary(tensor: &Tensor) -> runtime::Result<Tensor> {
    if tensor.dtype().is_complex_number() {
        return operators::imag(tensor);
    }
    let mut zeros = operators::empty(tensor.shape(), tensor.dtype(), tensor.device())?;
    operators::fill_(&mut zeros, Scalar::Int(0))?;
    Ok(zeros)
}

/// Writes what is assigned to the elements of a view.
fn write(
    py: Python<'_>,
    part: Tensor,
    name: &str,
    value: Option<Borrowed<'_, '_, PyAny>>,
) -> Result<c_int, Failure> {
    let Some(value) = value else {
        return Err(PyTypeError::new_err(format!("{name} cannot be deleted")).into());
    };
    index::write(py, part, &value)?;
    Ok(0)
}

fn reversed_dims(tensor: &Tensor) -> Result<Tensor, Failure> {
    let order: Dims = (0..tensor.ndim() as i64).rev().collect();
    Ok(operators::permute(tensor, &order)?)
}

fn swapped_last(tensor: &Tensor) -> Result<Tensor, Failure> {
    let ndim = tensor.ndim();
    if ndim < 2 {
        return Err(Error::runtime(format_args!(
            "a tensor needs at least 2 dimensions to be transposed as a matrix, not {ndim}"
        ))
        .into());
    }
    Ok(operators::transpose(tensor, ndim - 2, ndim - 1)?)
}
