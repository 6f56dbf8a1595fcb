//! Methods with parameters that are no operators: they ask for metadata, or
//! hand out the same elements in another form.

use opwright_runtime::geometry::wrap_dim;
use opwright_runtime::resolve::Kind;
use opwright_runtime::{DType, Device, Error, MemoryFormat};
use pyo3::exceptions::{PyBufferError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyTuple, PyType};

use super::construct;
use super::constructor::{self, Constructor};
use super::declare::{defaulted, functions, optional, required, signature};
use super::type_name::{self, ConversionTarget};
use crate::args::Call;
use crate::construct::conversion::{Conversion, converted};
use crate::interop::{dlpack, export, numpy};
use crate::object::{self, Convert, Failure, Size, classes, operators};
use crate::raw::NewReference;

type Result<T = NewReference> = std::result::Result<T, Failure>;

functions! {
    method: true;

    size = "size", c"size",
        c"size($self, /, dim=None)\n--\n\nThe sizes of all dimensions, or of one.",
        size_of,
        [signature("size(int dim=None)", &[optional("dim", Kind::Int)], 1)];

    stride = "stride", c"stride",
        c"stride($self, /, dim=None)\n--\n\n\
          The distance between neighbours, in elements: along all dimensions, or along one.",
        stride_of,
        [signature("stride(int dim=None)", &[optional("dim", Kind::Int)], 1)];

    is_contiguous = "is_contiguous", c"is_contiguous",
        c"is_contiguous($self, /, memory_format=None)\n--\n\n\
          Whether the elements lie in row-major order without gaps, or in that of a format.",
        is_contiguous_body,
        [signature(
            "is_contiguous(memory_format memory_format=None)",
            &[optional("memory_format", Kind::MemoryFormat)],
            1,
        )];

    contiguous = "contiguous", c"contiguous",
        c"contiguous($self, /, *, memory_format=None)\n--\n\n\
          The tensor itself if it is contiguous, else a copy that is.",
        contiguous_body,
        [signature(
            "contiguous(*, memory_format memory_format=None)",
            &[optional("memory_format", Kind::MemoryFormat)],
            0,
        )];

    to = "to", c"to",
        c"to($self, /, device=None, tensor=..., dtype=None, non_blocking=False, copy=False, *, \
          memory_format=None)\n--\n\n\
          to(device=None, dtype=None, non_blocking=False, copy=False, *, memory_format=None)\n\
          to(dtype, non_blocking=False, copy=False, *, memory_format=None)\n\
          to(tensor, non_blocking=False, copy=False, *, memory_format=None)\n\n\
          The tensor with another dtype, on another device, or with those of another tensor.\n\n\
          It is the tensor itself if that changes nothing, unless `copy` is true.",
        to_body,
        [
            signature(
                "to(device device=None, dtype dtype=None, bool non_blocking=False, \
                 bool copy=False, *, memory_format memory_format=None)",
                &[
                    optional("device", Kind::Device),
                    optional("dtype", Kind::DType),
                    defaulted("non_blocking", Kind::Bool),
                    defaulted("copy", Kind::Bool),
                    optional("memory_format", Kind::MemoryFormat),
                ],
                4,
            ),
            signature(
                "to(dtype dtype, bool non_blocking=False, bool copy=False, *, \
                 memory_format memory_format=None)",
                &[
                    required("dtype", Kind::DType),
                    defaulted("non_blocking", Kind::Bool),
                    defaulted("copy", Kind::Bool),
                    optional("memory_format", Kind::MemoryFormat),
                ],
                3,
            ),
            signature(
                "to(Tensor|Number tensor, bool non_blocking=False, bool copy=False, *, \
                 memory_format memory_format=None)",
                &[
                    required("tensor", Kind::TensorOrNumber),
                    defaulted("non_blocking", Kind::Bool),
                    defaulted("copy", Kind::Bool),
                    optional("memory_format", Kind::MemoryFormat),
                ],
                3,
            ),
        ];

    type_as = "type_as", c"type_as",
        c"type_as($self, /, other)\n--\n\nThe tensor with the dtype of another.",
        type_as_body,
        [signature("type_as(Tensor other)", &[required("other", Kind::Tensor)], 1)];

    type_of = "type", c"type",
        c"type($self, /, dtype=None, non_blocking=False, *, memory_format=None)\n--\n\n\
          The name of the type of tensors that the tensor is of, such as `opwright.FloatTensor`.\n\n\
          With a type, the name of one or a dtype: the tensor as one of that type, which is itself \
          if that changes nothing.",
        type_body,
        [signature(
            "type(object dtype=None, bool non_blocking=False, *, \
             memory_format memory_format=None)",
            &[
                optional("dtype", Kind::Object),
                defaulted("non_blocking", Kind::Bool),
                optional("memory_format", Kind::MemoryFormat),
            ],
            2,
        )];

    new = "new", c"new",
        c"new($self, /, data=(), *size, device=None)\n--\n\n\
          new(data=(), *, device=None)\n\
          new(*size, device=None)\n\n\
          A tensor from data, or of a size and with elements that are not set, with the dtype and \
          on the device of this one.",
        new_body,
        [
            constructor::of_data("new(object data=(), *, device device=None)"),
            constructor::of_size("new(tuple[int] size, *, device device=None)"),
        ];

    new_tensor = "new_tensor", c"new_tensor",
        c"new_tensor($self, /, data, *, dtype=None, device=None, requires_grad=False)\n--\n\n\
          A tensor from data, by default with the dtype and on the device of this one.",
        new_tensor_body,
        [signature(
            "new_tensor(object data, *, dtype dtype=None, device device=None, \
             bool requires_grad=False)",
            &[
                required("data", Kind::Object),
                optional("dtype", Kind::DType),
                optional("device", Kind::Device),
                defaulted("requires_grad", Kind::Bool),
            ],
            1,
        )];

    as_subclass = "as_subclass", c"as_subclass",
        c"as_subclass($self, /, cls)\n--\n\nThe same tensor as an instance of a subclass.",
        as_subclass_body,
        [signature("as_subclass(type cls)", &[required("cls", Kind::Object)], 1)];

    dlpack_capsule = "__dlpack__", c"__dlpack__",
        c"__dlpack__($self, /, *, stream=None, max_version=None, dl_device=None, copy=None)\n--\n\n\
          A capsule with the memory, for another library.",
        dlpack_body,
        [signature(
            "__dlpack__(*, object stream=None, object max_version=None, object dl_device=None, \
             bool copy=None)",
            &[
                optional("stream", Kind::Object),
                optional("max_version", Kind::Object),
                optional("dl_device", Kind::Object),
                optional("copy", Kind::Bool),
            ],
            0,
        )];

    dlpack_device = "__dlpack_device__", c"__dlpack_device__",
        c"__dlpack_device__($self, /)\n--\n\nThe device as DLPack numbers it.",
        |call| (1_i64, 0_i64).wrap(call.py()),
        [signature("__dlpack_device__()", &[], 0)];

    numpy_of = "numpy", c"numpy",
        c"numpy($self, /, *, force=False)\n--\n\n\
          A numpy array over the same memory.\n\n\
          numpy has no `bfloat16`; with `force=True` such a tensor becomes a `float32` array.",
        numpy_body,
        [signature("numpy(*, bool force=False)", &[defaulted("force", Kind::Bool)], 0)];
}

fn size_of(call: &mut Call<'_, '_>) -> Result {
    let tensor = call.receiver();
    match call.optional::<i64>(0)? {
        Some(dim) => tensor.size_of(dim)?.wrap(call.py()),
        None => Size::of(tensor).wrap(call.py()),
    }
}

fn stride_of(call: &mut Call<'_, '_>) -> Result {
    let tensor = call.receiver();
    let Some(dim) = call.optional::<i64>(0)? else {
        return Ok(PyTuple::new(call.py(), tensor.strides())?.into());
    };
    match tensor.strides().get(wrap_dim(dim, tensor.ndim())?) {
        Some(stride) => stride.wrap(call.py()),
        None => Err(Error::out_of_range(format_args!(
            "Dimension specified as {dim} but tensor has no dimensions"
        ))
        .into()),
    }
}

fn is_contiguous_body(call: &mut Call<'_, '_>) -> Result {
    let format = call.or(0, MemoryFormat::Contiguous)?;
    call.receiver().is_in_format(format).wrap(call.py())
}

fn contiguous_body(call: &mut Call<'_, '_>) -> Result {
    let conversion = Conversion {
        memory_format: Some(call.or(0, MemoryFormat::Contiguous)?),
        ..Conversion::default()
    };
    convert_receiver(call, conversion)
}

fn to_body(call: &mut Call<'_, '_>) -> Result {
    // The parameters after the first ones are the same in all signatures.
    let (dtype, device, rest) = match call.overload() {
        0 => (call.optional(1)?, call.optional(0)?, 2),
        1 => (Some(call.required(0)?), None, 1),
        _ => {
            let other = call.tensor(0)?;
            (Some(other.dtype()), Some(other.device()), 1)
        }
    };
    // There are no transfers that could go on in the background.
    let _non_blocking: bool = call.or(rest, false)?;
    let copy = call.or(rest + 1, false)?;
    let memory_format = call.optional(rest + 2)?;
    convert_receiver(call, Conversion { dtype, device, copy, memory_format })
}

fn type_as_body(call: &mut Call<'_, '_>) -> Result {
    let other = call.tensor(0)?;
    let conversion = Conversion {
        dtype: Some(other.dtype()),
        device: Some(other.device()),
        ..Conversion::default()
    };
    convert_receiver(call, conversion)
}

fn type_body(call: &mut Call<'_, '_>) -> Result {
    let wanted = call.given(0);
    if wanted.is_none() {
        return type_name::of(call.receiver()).wrap(call.py());
    }
    // There are no transfers that could go on in the background.
    let _non_blocking: bool = call.or(1, false)?;
    let memory_format = call.optional(2)?;
    let ConversionTarget { dtype, device } = type_name::read(&wanted)?;
    convert_receiver(call, Conversion { dtype: Some(dtype), device, copy: false, memory_format })
}

fn new_body(call: &mut Call<'_, '_>) -> Result {
    let like = call.receiver();
    let constructor = Constructor { dtype: like.dtype(), device: like.device(), is_strict: true };
    constructor.make(call)?.wrap(call.py())
}

fn convert_receiver(call: &Call<'_, '_>, conversion: Conversion) -> Result {
    let tensor = call.receiver().clone();
    Ok(converted(&call.receiver_object(), &tensor, conversion)?.into())
}

fn new_tensor_body(call: &mut Call<'_, '_>) -> Result {
    call.with_leaf(3, |call| {
        let like = call.receiver().clone();
        let data = call.given(0);
        let dtype = call.or::<DType>(1, like.dtype())?;
        let device = call.or::<Device>(2, like.device())?;
        construct::copy_of(&data, Some(dtype), Some(device))?.wrap(call.py())
    })
}

fn as_subclass_body(call: &mut Call<'_, '_>) -> Result {
    let class = call.given(0);
    let base = classes::TENSOR_BASE.bind(call.py());
    let class = class
        .cast_into::<PyType>()
        .ok()
        .filter(|it| it.is_subclass(&base).unwrap_or(false))
        .ok_or_else(|| {
            PyTypeError::new_err("as_subclass(): argument 'cls' must be a subclass of Tensor")
        })?;
    Ok(object::of_class(&class, call.receiver().clone())?.into())
}

fn dlpack_body(call: &mut Call<'_, '_>) -> Result {
    let device = call.given(2);
    if !device.is_none() && device.extract::<(i64, i64)>()? != (1, 0) {
        return Err(PyBufferError::new_err("the memory can only be given to the CPU").into());
    }
    let version = call.given(1);
    let versioned = !version.is_none() && version.get_item(0)?.extract::<i64>()? >= 1;
    let tensor = call.receiver().clone();
    export::unrecorded(&tensor)?;
    let tensor = if call.or(3, false)? {
        operators::clone(&tensor, MemoryFormat::Contiguous)?
    } else {
        tensor
    };
    Ok(dlpack::capsule(call.py(), tensor, versioned)?.into())
}

fn numpy_body(call: &mut Call<'_, '_>) -> Result {
    let force = call.or(0, false)?;
    let object = call.receiver_object();
    if force && call.receiver().dtype() == DType::BFloat16 {
        let conversion = Conversion { dtype: Some(DType::Float32), ..Conversion::default() };
        let tensor = call.receiver().clone();
        let wider = converted(&object, &tensor, conversion)?;
        return Ok(numpy::array(&wider)?.into());
    }
    Ok(numpy::array(&object)?.into())
}
