//! Casts to dtypes and devices: `float`, `int`, `cpu` and so on.

use opwright_runtime::resolve::{Kind, OverloadSet};
use opwright_runtime::{DType, Device};
use pyo3::ffi::{Py_ssize_t, PyObject};
use pyo3::prelude::*;

use super::declare::{optional, signature};
use crate::call::shim;
use crate::call::target::Target;
use crate::construct::conversion::{Conversion, converted};
use crate::object::Object;
use crate::object::trampoline::with_python;
use crate::raw::method::{self, Methods};
use crate::raw::{Lent, New, Plain, entry};

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

            static FUNCTION: OverloadSet = OverloadSet::new(
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
