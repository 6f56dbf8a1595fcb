//! Other dtypes, devices and memory orders: `to`, `contiguous`, `float` and so on.

use opwright_runtime::{DType, Device, Error, MemoryFormat, Tensor};
use pyo3::ffi::PyObject;
use pyo3::prelude::*;

use super::guard::{detached, with_python};
use super::object;
use crate::failure::Failure;
use crate::method;
use crate::tables::Methods;

/// What a tensor shall become.
#[derive(Clone, Copy, Default)]
pub(super) struct Target {
    pub(super) dtype: Option<DType>,
    pub(super) device: Option<Device>,
    /// Even if nothing changes.
    pub(super) copy: bool,
    pub(super) memory_format: Option<MemoryFormat>,
}

impl Target {
    /// The tensor as it shall be, or `None` if it is that already.
    pub(super) fn apply(self, py: Python<'_>, tensor: &Tensor) -> Result<Option<Tensor>, Failure> {
        let compact = wants_row_major(self.memory_format)?;
        let dtype = self.dtype.unwrap_or(tensor.dtype());
        let device = self.device.unwrap_or(tensor.device());
        let changes = dtype != tensor.dtype()
            || device != tensor.device()
            || (compact && !tensor.is_contiguous());
        if !changes && !self.copy {
            return Ok(None);
        }
        let convert = || {
            if device != tensor.device() {
                return tensor.to_device(device)?.to_dtype(dtype);
            }
            if dtype != tensor.dtype() { tensor.to_dtype(dtype) } else { tensor.deep_copy() }
        };
        Ok(Some(detached(py, tensor.count(), convert)?))
    }
}

/// Whether a memory format asks for row-major order.
///
/// # Errors
///
/// `NotImplementedError` for formats that no tensor here can have.
pub(super) fn wants_row_major(format: Option<MemoryFormat>) -> Result<bool, Failure> {
    match format {
        None | Some(MemoryFormat::Preserve) => Ok(false),
        Some(MemoryFormat::Contiguous) => Ok(true),
        Some(format @ (MemoryFormat::ChannelsLast | MemoryFormat::ChannelsLast3d)) => {
            Err(Error::not_implemented(format_args!(
                "memory format {format} is not available; permute the dimensions instead"
            ))
            .into())
        }
    }
}

/// `object` itself if its tensor needs no change, else a new object.
pub(super) fn converted(
    object: &Bound<'_, PyAny>,
    tensor: &Tensor,
    target: Target,
) -> Result<Py<PyAny>, Failure> {
    match target.apply(object.py(), tensor)? {
        Some(tensor) => Ok(object::wrap(object.py(), tensor)?.unbind()),
        None => Ok(object.clone().unbind()),
    }
}

/// `object` with another dtype.
///
/// # Safety
///
/// `object` is a valid tensor, and the GIL is held.
unsafe fn cast(name: &'static str, object: *mut PyObject, dtype: DType) -> *mut PyObject {
    // SAFETY: the caller's promise.
    unsafe {
        with_python(name, object, |py, tensor| {
            let target = Target { dtype: Some(dtype), ..Target::default() };
            converted(&Bound::from_borrowed_ptr(py, object), &tensor, target)
        })
    }
}

macro_rules! casts {
    ($($shown:literal, $name:ident, $dtype:ident, $doc:literal;)*) => {
        $(
            unsafe extern "C" fn $name(object: *mut PyObject, _: *mut PyObject) -> *mut PyObject {
                // SAFETY: called by the interpreter for an instance of the class.
                unsafe { cast(stringify!($name), object, DType::$dtype) }
            }
        )*

        /// The entries of the table of methods.
        pub(super) static ENTRIES: Methods<{ [$($shown),*].len() + 1 }> = Methods([
            $(method::alone($shown, $name, $doc),)*
            method::alone(c"cpu", cpu, c"cpu($self, /)\n--\n\nThe tensor in main memory."),
        ]);
    };
}

casts! {
    c"bool", bool, Bool, c"bool($self, /)\n--\n\nThe tensor as `opwright.bool`.";
    c"byte", byte, UInt8, c"byte($self, /)\n--\n\nThe tensor as `opwright.uint8`.";
    c"char", char, Int8, c"char($self, /)\n--\n\nThe tensor as `opwright.int8`.";
    c"short", short, Int16, c"short($self, /)\n--\n\nThe tensor as `opwright.int16`.";
    c"int", int, Int32, c"int($self, /)\n--\n\nThe tensor as `opwright.int32`.";
    c"long", long, Int64, c"long($self, /)\n--\n\nThe tensor as `opwright.int64`.";
    c"half", half, Float16, c"half($self, /)\n--\n\nThe tensor as `opwright.float16`.";
    c"bfloat16", bfloat16, BFloat16, c"bfloat16($self, /)\n--\n\nThe tensor as `opwright.bfloat16`.";
    c"float", float, Float32, c"float($self, /)\n--\n\nThe tensor as `opwright.float32`.";
    c"double", double, Float64, c"double($self, /)\n--\n\nThe tensor as `opwright.float64`.";
    c"cfloat", cfloat, Complex64, c"cfloat($self, /)\n--\n\nThe tensor as `opwright.complex64`.";
    c"cdouble", cdouble, Complex128,
        c"cdouble($self, /)\n--\n\nThe tensor as `opwright.complex128`.";
}

unsafe extern "C" fn cpu(object: *mut PyObject, _: *mut PyObject) -> *mut PyObject {
    // SAFETY: called by the interpreter for an instance of the class.
    unsafe {
        with_python("cpu", object, |py, tensor| {
            let target = Target { device: Some(Device::Cpu), ..Target::default() };
            converted(&Bound::from_borrowed_ptr(py, object), &tensor, target)
        })
    }
}
