//! Predicates and other methods without parameters that say something about a tensor.

use opwright_runtime::{DType, Tensor};
use pyo3::prelude::*;

use crate::object::trampoline::ask;
use crate::object::{Convert, ElementValue, Failure, Object, Reading, operators};
use crate::raw::method::{self, Methods};
use crate::raw::{Lent, New, Unused, entry};
use crate::storage;

macro_rules! predicates {
    ($($shown:literal, $name:ident, $doc:literal = $question:expr;)*) => {
        $(
            entry! {
                fn $name(_py, tensor: Lent<Object>, _none: Unused) -> New {
                    ask(stringify!($name), tensor, $question)
                }
            }
        )*

        /// The entries of the table of methods.
        pub(super) static ENTRIES: Methods<{ [$($shown),*].len() }> =
            Methods([$(method::alone($shown, $name, $doc)),*]);
    };
}

predicates! {
    c"dim", dim, c"dim($self, /)\n--\n\nThe number of dimensions." =
        |tensor| Ok(tensor.ndim() as i64);
    c"ndimension", ndimension, c"ndimension($self, /)\n--\n\nThe number of dimensions." =
        |tensor| Ok(tensor.ndim() as i64);
    c"numel", numel, c"numel($self, /)\n--\n\nThe number of elements." =
        |tensor| Ok(tensor.numel() as i64);
    c"nelement", nelement, c"nelement($self, /)\n--\n\nThe number of elements." =
        |tensor| Ok(tensor.numel() as i64);
    c"element_size", element_size,
        c"element_size($self, /)\n--\n\nThe number of bytes of an element." =
        |tensor| Ok(tensor.dtype().size() as i64);
    c"storage_offset", storage_offset,
        c"storage_offset($self, /)\n--\n\nThe first element's place in the storage, in elements." =
        |tensor| Ok(tensor.offset());
    c"data_ptr", data_ptr, c"data_ptr($self, /)\n--\n\nThe address of the first element; 0 if there \
        are none." = address;
    c"is_floating_point", is_floating_point,
        c"is_floating_point($self, /)\n--\n\nWhether the elements are real floating-point numbers." =
        |tensor| Ok(tensor.dtype().is_floating());
    c"is_complex", is_complex,
        c"is_complex($self, /)\n--\n\nWhether the elements have an imaginary part." =
        |tensor| Ok(tensor.dtype().is_complex_number());
    c"is_signed", is_signed,
        c"is_signed($self, /)\n--\n\nWhether the elements can be negative." =
        |tensor| Ok(tensor.dtype().is_signed_number());
    c"untyped_storage", untyped_storage,
        c"untyped_storage($self, /)\n--\n\nThe memory, which views share." =
        |tensor| Ok(Memory(tensor.clone(), None));
    c"storage", storage,
        c"storage($self, /)\n--\n\nThe memory, which views share, as elements of the dtype." =
        |tensor| Ok(Memory(tensor.clone(), Some(tensor.dtype())));
    c"is_inference", is_inference,
        c"is_inference($self, /)\n--\n\nWhether the tensor was made in inference mode." =
        |tensor| Ok(tensor.is_inference());
    c"_is_view", is_view,
        c"_is_view($self, /)\n--\n\nWhether the tensor is a view of another one." =
        |tensor| Ok(tensor.base().is_some() && !tensor.is_inference());
    c"item", item, c"item($self, /)\n--\n\nThe only element, as a Python number." =
        ElementValue::of_only;
    c"__complex__", complex, c"__complex__($self, /)\n--\n\nThe only element, as a complex number." =
        |tensor| Ok(opwright_runtime::Scalar::Complex(operators::item(tensor)?.to_complex()));
}

fn address(tensor: &Tensor) -> Result<i64, Failure> {
    let is_empty = tensor.numel() == 0;
    Ok(if is_empty { 0 } else { tensor.data_ptr().addr() as i64 })
}

/// The storage of a tensor, as an object of the class for a dtype, or for bytes.
struct Memory(Tensor, Option<DType>);

#[diagnostic::do_not_recommend]
impl Convert for Memory {
    fn unpack(object: &Bound<'_, PyAny>, reading: Reading) -> Result<Self, Failure> {
        Ok(Memory(Convert::unpack(object, reading)?, None))
    }

    fn object(self, py: Python<'_>) -> Result<Bound<'_, PyAny>, Failure> {
        match (self.0.storage(), self.1) {
            (None, elements) => storage::on_meta(py, &self.0, elements),
            (Some(memory), None) => Ok(storage::canonical(py, memory.clone())?),
            (Some(memory), Some(dtype)) => Ok(storage::typed(py, memory, dtype)?),
        }
    }
}
