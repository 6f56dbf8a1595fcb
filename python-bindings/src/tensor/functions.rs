//! Functions of the module that are no operators.

use opwright_runtime::resolve::Kind;
use opwright_runtime::{
    DType, Device, Error, Generator, Isa, Tensor, default_dtype, parallel, set_default_dtype,
};
use pyo3::exceptions::PyTypeError;
use pyo3::ffi::PyMethodDef;
use pyo3::prelude::*;
use pyo3::types::PyModule;

use super::declare::{defaulted, functions, optional, required, signature};
use super::{construct, type_name};
use crate::args::Call;
use crate::construct::conversion::Conversion;
use crate::interop::{dlpack, import, numpy};
use crate::object::{self, Convert, Failure, operators, package};
use crate::raw::NewReference;
use crate::raw::method::{MethodTable, Methods};
use crate::types::PyGenerator;

type Result<T = NewReference> = std::result::Result<T, Failure>;

functions! {
    method: false;

    tensor = "tensor", c"tensor",
        c"tensor(data, *, dtype=None, device=None, requires_grad=False, pin_memory=False)\n--\n\n\
          A new tensor from numbers, nested sequences, arrays or other tensors.\n\n\
          It never shares memory with `data`. Without `dtype`, the elements decide: bools, \
          integers (int64), floating-point numbers (the default dtype), complex numbers; arrays \
          and numpy scalars keep theirs.",
        tensor_body,
        [signature(
            "tensor(object data, *, dtype dtype=None, device device=None, \
             bool requires_grad=False, bool pin_memory=False)",
            &[
                required("data", Kind::Object),
                optional("dtype", Kind::DType),
                optional("device", Kind::Device),
                optional("requires_grad", Kind::Bool),
                optional("pin_memory", Kind::Bool),
            ],
            1,
        )];

    as_tensor = "as_tensor", c"as_tensor",
        c"as_tensor(data, dtype=None, device=None)\n--\n\n\
          A tensor with the elements of `data`, whose memory it shares if that is possible.\n\n\
          A tensor that needs no change is returned itself; a read-only array is copied.",
        as_tensor_body,
        [signature(
            "as_tensor(object data, dtype dtype=None, device device=None)",
            &[
                required("data", Kind::Object),
                optional("dtype", Kind::DType),
                optional("device", Kind::Device),
            ],
            3,
        )];

    asarray = "asarray", c"asarray",
        c"asarray(obj, *, dtype=None, device=None, copy=None, requires_grad=False)\n--\n\n\
          A tensor with the elements of `obj`.\n\n\
          With `copy=True` it has memory of its own, with `copy=False` that of `obj` or there is \
          a ValueError; by default it shares what it can.",
        asarray_body,
        [signature(
            "asarray(object obj, *, dtype dtype=None, device device=None, bool copy=None, \
             bool requires_grad=False)",
            &[
                required("obj", Kind::Object),
                optional("dtype", Kind::DType),
                optional("device", Kind::Device),
                optional("copy", Kind::Bool),
                optional("requires_grad", Kind::Bool),
            ],
            1,
        )];

    from_numpy = "from_numpy", c"from_numpy",
        c"from_numpy(ndarray)\n--\n\n\
          A tensor over the memory of a numpy array, so that each sees what is written to the \
          other.\n\n\
          A read-only array is copied, since a tensor can always be written to.",
        from_numpy_body,
        [signature("from_numpy(object ndarray)", &[required("ndarray", Kind::Object)], 1)];

    from_dlpack = "from_dlpack", c"from_dlpack",
        c"from_dlpack(ext_tensor, *, device=None, copy=None)\n--\n\n\
          A tensor over the memory of another library's array, which speaks DLPack.\n\n\
          Read-only memory is copied. With `device` the tensor is there, and with `copy` it has \
          memory of its own; `ValueError` says that it needs a copy which `copy=False` forbids.",
        from_dlpack_body,
        [signature(
            "from_dlpack(object ext_tensor, *, device device=None, bool copy=None)",
            &[
                required("ext_tensor", Kind::Object),
                optional("device", Kind::Device),
                optional("copy", Kind::Bool),
            ],
            1,
        )];

    frombuffer = "frombuffer", c"frombuffer",
        c"frombuffer(buffer, *, dtype, count=-1, offset=0, requires_grad=False)\n--\n\n\
          A one-dimensional tensor over the bytes of any object with a buffer.\n\n\
          `offset` counts bytes, `count` elements; -1 stands for all. Bytes that are read-only \
          are copied.",
        frombuffer_body,
        [signature(
            "frombuffer(object buffer, *, dtype dtype, int count=-1, int offset=0, \
             bool requires_grad=False)",
            &[
                required("buffer", Kind::Object),
                required("dtype", Kind::DType),
                defaulted("count", Kind::Int),
                defaulted("offset", Kind::Int),
                optional("requires_grad", Kind::Bool),
            ],
            1,
        )];

    is_tensor = "is_tensor", c"is_tensor",
        c"is_tensor(obj)\n--\n\nWhether an object is a tensor.",
        is_tensor_body,
        [signature("is_tensor(object obj)", &[required("obj", Kind::Object)], 1)];

    get_default_dtype = "get_default_dtype", c"get_default_dtype",
        c"get_default_dtype()\n--\n\nThe dtype of floating-point results that nothing else decides.",
        |call| default_dtype().wrap(call.py()),
        [signature("get_default_dtype()", &[], 0)];

    set_default_dtype_ = "set_default_dtype", c"set_default_dtype",
        c"set_default_dtype(dtype)\n--\n\n\
          Decides the dtype of floating-point results that nothing else decides.",
        |call| {
            set_default_dtype(call.required(0)?)?;
            ().wrap(call.py())
        },
        [signature("set_default_dtype(dtype dtype)", &[required("dtype", Kind::DType)], 1)];

    set_default_tensor_type = "set_default_tensor_type", c"set_default_tensor_type",
        c"set_default_tensor_type(type)\n--\n\n\
          Decides the default dtype, by a type of tensors or its name: `opwright.DoubleTensor`.",
        |call| {
            set_default_dtype(type_name::read_default(&call.given(0))?)?;
            ().wrap(call.py())
        },
        [signature("set_default_tensor_type(object type)", &[required("type", Kind::Object)], 1)];

    get_num_threads = "get_num_threads", c"get_num_threads",
        c"get_num_threads()\n--\n\nThe number of threads that one call uses at most.",
        |call| (parallel::get_num_threads() as i64).wrap(call.py()),
        [signature("get_num_threads()", &[], 0)];

    set_num_threads = "set_num_threads", c"set_num_threads",
        c"set_num_threads(num)\n--\n\nDecides how many threads one call uses at most.",
        set_num_threads_body,
        [signature("set_num_threads(int num)", &[required("num", Kind::Int)], 1)];

    show_config = "show_config", c"show_config",
        c"show_config()\n--\n\nPrints the version, which instructions loops use, how many threads, and how far calls were \
          optimized: level 3 in a release, 0 in what `cargo xtask develop` builds soon.",
        show_config_body,
        [signature("show_config()", &[], 0)];

    manual_seed = "manual_seed", c"manual_seed",
        c"manual_seed(seed)\n--\n\n\
          Starts the default generator again from a seed, and returns the generator.",
        manual_seed_body,
        [signature("manual_seed(int seed)", &[required("seed", Kind::Object)], 1)];

    seed = "seed", c"seed",
        c"seed()\n--\n\n\
          Starts the default generator again from an unknown seed, and returns it.",
        |call| wrap_seed(call, Generator::default_cpu().seed_from_time()),
        [signature("seed()", &[], 0)];

    initial_seed = "initial_seed", c"initial_seed",
        c"initial_seed()\n--\n\nThe seed that the default generator started from.",
        |call| wrap_seed(call, Generator::default_cpu().initial_seed()),
        [signature("initial_seed()", &[], 0)];
}

/// Adds the functions to the module.
pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let mut table: Vec<PyMethodDef> = ENTRIES.0.to_vec();
    table.push(Methods::<0>::END);
    // Functions point to their entries as long as the process lives.
    MethodTable(table.leak().as_mut_ptr()).add_to(module)
}

fn tensor_body(call: &mut Call<'_, '_>) -> Result {
    call.with_leaf(3, |call| {
        if call.or(4, false)? {
            let text = "argument 'pin_memory' must be False: there is no device to pin memory for";
            return Err(Error::runtime(text).into());
        }
        let (dtype, device) = (call.optional::<DType>(1)?, call.optional::<Device>(2)?);
        let made = construct::copy_of(&call.given(0), dtype, device);
        made.map_err(|it| call.raised_by(0, it))?.wrap(call.py())
    })
}

fn as_tensor_body(call: &mut Call<'_, '_>) -> Result {
    let (dtype, device) = (call.optional(1)?, call.optional(2)?);
    let data = call.given(0);
    let shared = construct::share(&data, dtype, device);
    let (tensor, _) = shared.map_err(|it| call.raised_by(0, it))?;
    itself_or_new(&data, tensor)
}

/// `data` if it is the very tensor, else a new object.
fn itself_or_new(data: &Bound<'_, PyAny>, tensor: Tensor) -> Result {
    match object::tensor_of(data) {
        Some(it) if it.is_same(&tensor) => Ok(data.clone().into()),
        Some(_) | None => tensor.wrap(data.py()),
    }
}

fn asarray_body(call: &mut Call<'_, '_>) -> Result {
    let is_recorded = call.or::<bool>(4, false)?;
    call.with_leaf(4, |call| {
        let (dtype, device) = (call.optional(1)?, call.optional(2)?);
        let data = call.given(0);
        let named = |failure| call.raised_by(0, failure);
        let copy = call.optional::<bool>(3)?;
        let (tensor, shares) = construct::share(&data, dtype, device).map_err(named)?;
        if copy == Some(false) && !shares {
            let text = "the data cannot be used without a copy, which copy=False forbids";
            return Err(Error::value(text).into());
        }
        let tensor = if copy == Some(true) && shares {
            construct::copy_of(&tensor.wrap(call.py())?.into_bound(call.py()), dtype, device)?
        } else if tensor.requires_grad() && !is_recorded {
            operators::detach(&tensor)?
        } else {
            tensor
        };
        itself_or_new(&data, tensor)
    })
}

fn from_numpy_body(call: &mut Call<'_, '_>) -> Result {
    let tensor = numpy::from_array(&call.given(0));
    tensor.map_err(|it| call.raised_by(0, it))?.wrap(call.py())
}

fn from_dlpack_body(call: &mut Call<'_, '_>) -> Result {
    let found = dlpack::tensor(&call.given(0)).map_err(|it| call.raised_by(0, it))?;
    let (device, copy) = (call.optional::<Device>(1)?, call.optional::<bool>(2)?);
    if let Some(device) = device
        && device != found.device()
        && copy == Some(false)
    {
        let text = format!("from_dlpack(): {} and {device} share no memory", found.device());
        return Err(Error::value(text).into());
    }
    let conversion = Conversion { device, copy: copy == Some(true), ..Conversion::default() };
    let tensor = conversion.apply(call.py(), &found)?.unwrap_or(found);
    tensor.wrap(call.py())
}

fn frombuffer_body(call: &mut Call<'_, '_>) -> Result {
    call.with_leaf(4, |call| {
        let (count, offset) = (call.or(2, -1)?, call.or(3, 0)?);
        let dtype = call.required(1)?;
        if count == 0 {
            let text = "argument 'count' must be a number of elements above 0, or -1 for all";
            return Err(Error::value(text).into());
        }
        let tensor = import::bytes_as(&call.given(0), dtype, count, offset);
        let tensor = tensor.map_err(|it| call.raised_by(0, it))?;
        // A size that was computed wrongly looks like this, and no element is there to be looked at.
        if tensor.numel() == 0 {
            let text = format!("there are no bytes to read from offset {offset} on");
            return Err(Error::value(text).into());
        }
        tensor.wrap(call.py())
    })
}

fn is_tensor_body(call: &mut Call<'_, '_>) -> Result {
    object::tensor_of(&call.given(0)).is_some().wrap(call.py())
}

fn set_num_threads_body(call: &mut Call<'_, '_>) -> Result {
    let count: i64 = call.required(0)?;
    let count = usize::try_from(count).ok().filter(|&it| it > 0).ok_or_else(|| {
        Error::runtime(format_args!("expected a positive number of threads, not {count}"))
    })?;
    parallel::set_num_threads(count)?;
    ().wrap(call.py())
}

fn show_config_body(call: &mut Call<'_, '_>) -> Result {
    let py = call.py();
    let version = package::native(py)?.getattr("__version__")?;
    let text = format!(
        "{} {version}\ninstructions: {}\nthreads: {}\noptimization level: {}",
        package::name(),
        Isa::detect().name(),
        parallel::get_num_threads(),
        env!("OPWRIGHT_OPT_LEVEL"),
    );
    py.import("builtins")?.call_method1("print", (text,))?;
    ().wrap(py)
}

fn manual_seed_body(call: &mut Call<'_, '_>) -> Result {
    let seed = call.given(0);
    Generator::default_cpu().manual_seed(PyGenerator::seed_of(&seed)?);
    Ok(PyGenerator::default_object(call.py())?.into())
}

fn wrap_seed(call: &Call<'_, '_>, seed: u64) -> Result {
    Ok(seed.into_pyobject(call.py()).map_err(|_| PyTypeError::new_err("a seed"))?.into())
}
