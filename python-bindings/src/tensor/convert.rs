//! Other dtypes, devices and memory orders: `to`, `contiguous`, `float` and so on.

use opwright_runtime::resolve::{Function, Kind};
use opwright_runtime::{DType, Device, MemoryFormat, Tensor};
use pyo3::ffi::{Py_ssize_t, PyObject};
use pyo3::prelude::*;

use super::declare::{optional, signature};
use crate::call::shim;
use crate::call::target::Target;
use crate::object::gil::detached;
use crate::object::trampoline::with_python;
use crate::object::{self, Failure, Object, operators};
use crate::raw::method::{self, Methods};
use crate::raw::{Lent, New, Plain, entry};

/// What a tensor shall become.
#[derive(Clone, Copy, Default)]
pub(super) struct Conversion {
    pub(super) dtype: Option<DType>,
    pub(super) device: Option<Device>,
    /// Even if nothing changes.
    pub(super) copy: bool,
    pub(super) memory_format: Option<MemoryFormat>,
}

impl Conversion {
    /// The tensor as it shall be, or `None` if it is that already.
    pub(super) fn apply(self, py: Python<'_>, tensor: &Tensor) -> Result<Option<Tensor>, Failure> {
        let format = self.memory_format.filter(|it| *it != MemoryFormat::Preserve);
        let dtype = self.dtype.unwrap_or(tensor.dtype());
        let device = self.device.unwrap_or(tensor.device());
        let changes = dtype != tensor.dtype()
            || device != tensor.device()
            || format.is_some_and(|it| !tensor.is_in_format(it));
        if !changes && !self.copy {
            return Ok(None);
        }
        let format = format.unwrap_or(MemoryFormat::Preserve);
        let is_cast = dtype != tensor.dtype() || device != tensor.device();
        let convert = || match is_cast {
            true => operators::to_copy(tensor, dtype, device, format),
            false => operators::clone(tensor, format),
        };
        Ok(Some(detached(py, tensor.numel(), convert)?))
    }
}

/// `object` itself if its tensor needs no change, else a new object.
pub(super) fn converted<'py>(
    object: &Bound<'py, PyAny>,
    tensor: &Tensor,
    conversion: Conversion,
) -> Result<Bound<'py, PyAny>, Failure> {
    match conversion.apply(object.py(), tensor)? {
        Some(tensor) => Ok(object::wrap(object.py(), tensor)?),
        None => Ok(object.clone()),
    }
}

/// `object` as it shall be.
fn plain<'py>(
    name: &'static str,
    object: Borrowed<'_, 'py, Object>,
    conversion: Conversion,
) -> Option<Bound<'py, PyAny>> {
    with_python(name, object, |tensor| converted(object.as_any(), &tensor, conversion))
}

macro_rules! casts {
    ($($shown:literal, $c_name:literal, $name:ident, $dtype:expr, $device:expr, $doc:literal;)*) => {
        $(mod $name {
            use super::*;

            static FUNCTION: Function = Function::new(
                $shown,
                &[signature(
                    concat!($shown, "(*, memory_format memory_format=None)"),
                    &[optional("memory_format", Kind::MemoryFormat)],
                    0,
                )],
            );

            pub(super) static TARGET: Target = Target {
                function: &FUNCTION,
                schemas: &[],
                body: |call| {
                    let conversion = Conversion { memory_format: call.optional(0)?, ..PLAIN };
                    let tensor = call.receiver().clone();
                    Ok(converted(&call.receiver_object(), &tensor, conversion)?.into())
                },
                method: true,
                module: "",
            };

            /// What it makes without arguments.
            const PLAIN: Conversion =
                Conversion { dtype: $dtype, device: $device, copy: false, memory_format: None };

            entry! {
                pub(super) fn entry(
                    py,
                    receiver: Lent<Object>,
                    args: Plain<*const *mut PyObject>,
                    count: Plain<Py_ssize_t>,
                    names: Plain<*mut PyObject>
                ) -> New {
                    if count == 0 && names.is_null() {
                        // Nearly always: nothing has to be bound.
                        return plain($shown, receiver, PLAIN);
                    }
                    // SAFETY: the interpreter passed the arguments that the flags of the table's
                    // entry ask for, and gets the new reference.
                    unsafe {
                        let result = shim::run(&TARGET, receiver.as_ptr(), args, count, names);
                        Bound::from_owned_ptr_or_opt(py, result)
                    }
                }
            }
        })*

        /// The entries of the table of methods.
        pub(super) static ENTRIES: Methods<{ [$($shown),*].len() }> =
            Methods([$(method::with_arguments($c_name, $name::entry, $doc)),*]);

        /// The methods in it.
        pub(super) static TARGETS: &[&Target] = &[$(&$name::TARGET),*];
    };
}

casts! {
    "bool", c"bool", bool, Some(DType::Bool), None,
        c"bool($self, /, *, memory_format=None)\n--\n\nThe tensor as `opwright.bool`.";
    "byte", c"byte", byte, Some(DType::UInt8), None,
        c"byte($self, /, *, memory_format=None)\n--\n\nThe tensor as `opwright.uint8`.";
    "char", c"char", char, Some(DType::Int8), None,
        c"char($self, /, *, memory_format=None)\n--\n\nThe tensor as `opwright.int8`.";
    "short", c"short", short, Some(DType::Int16), None,
        c"short($self, /, *, memory_format=None)\n--\n\nThe tensor as `opwright.int16`.";
    "int", c"int", int, Some(DType::Int32), None,
        c"int($self, /, *, memory_format=None)\n--\n\nThe tensor as `opwright.int32`.";
    "long", c"long", long, Some(DType::Int64), None,
        c"long($self, /, *, memory_format=None)\n--\n\nThe tensor as `opwright.int64`.";
    "half", c"half", half, Some(DType::Float16), None,
        c"half($self, /, *, memory_format=None)\n--\n\nThe tensor as `opwright.float16`.";
    "bfloat16", c"bfloat16", bfloat16, Some(DType::BFloat16), None,
        c"bfloat16($self, /, *, memory_format=None)\n--\n\nThe tensor as `opwright.bfloat16`.";
    "float", c"float", float, Some(DType::Float32), None,
        c"float($self, /, *, memory_format=None)\n--\n\nThe tensor as `opwright.float32`.";
    "double", c"double", double, Some(DType::Float64), None,
        c"double($self, /, *, memory_format=None)\n--\n\nThe tensor as `opwright.float64`.";
    "cfloat", c"cfloat", cfloat, Some(DType::Complex64), None,
        c"cfloat($self, /, *, memory_format=None)\n--\n\nThe tensor as `opwright.complex64`.";
    "cdouble", c"cdouble", cdouble, Some(DType::Complex128), None,
        c"cdouble($self, /, *, memory_format=None)\n--\n\nThe tensor as `opwright.complex128`.";
    "cpu", c"cpu", cpu, None, Some(Device::Cpu),
        c"cpu($self, /, *, memory_format=None)\n--\n\nThe tensor in main memory.";
}
