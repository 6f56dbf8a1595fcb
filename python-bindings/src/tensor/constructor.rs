//! Constructors of classes of tensors, `Tensor(2, 3)` and `FloatTensor([1.0])`, and
//! what `x.new(2, 3)` does.

use opwright_runtime::resolve::{Kind, OverloadSet, Parameter, Signature};
use opwright_runtime::{DType, Device, Error, Tensor, default_dtype, ensure};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple, PyType};

use super::construct::copy_of;
use super::declare::{defaulted, optional, required, signature, variadic};
use crate::args::{self, Call, Gathered, classify};
use crate::construct::leaf::Leaf;
use crate::construct::rows::Rows;
use crate::interop::numpy;
use crate::object::{self, Convert, Failure, Ints, Reading, classes, operators, short};
use crate::runtime;
use crate::storage::PyStorage;

const DATA: Parameter = defaulted("data", Kind::Object);
const SIZE: Parameter = required("size", Kind::SymInt.list());
const DEVICE: Parameter = optional("device", Kind::Device);
const DTYPE: Parameter = optional("dtype", Kind::DType);
const REQUIRES_GRAD: Parameter = optional("requires_grad", Kind::Bool);

/// The signature by which a constructor of one dtype takes data.
pub(super) const fn of_data(text: &'static str) -> Signature {
    signature(text, &[DATA, DEVICE], 1)
}

/// The signature by which it takes a size; the next one.
pub(super) const fn of_size(text: &'static str) -> Signature {
    variadic(text, &[SIZE, DEVICE])
}

/// The constructor of `Tensor` and of classes derived from it.
static TENSOR: OverloadSet = OverloadSet::new(
    "Tensor",
    &[
        signature(
            "Tensor(object data=(), *, device device=None, dtype dtype=None, \
             bool requires_grad=False)",
            &[DATA, DEVICE, DTYPE, REQUIRES_GRAD],
            1,
        ),
        variadic(
            "Tensor(tuple[int] size, *, device device=None, dtype dtype=None, \
             bool requires_grad=False)",
            &[SIZE, DEVICE, DTYPE, REQUIRES_GRAD],
        ),
    ],
);

/// What a constructor makes tensors of.
#[derive(Clone, Copy)]
pub(super) struct Constructor {
    pub(super) dtype: DType,
    pub(super) device: Device,
    /// Whether a tensor of another dtype is refused, and not taken as it is.
    pub(super) is_strict: bool,
}

impl Constructor {
    /// The tensor that a call asks for, whose first parameters are data or a size, and a device.
    ///
    /// # Errors
    ///
    /// `TypeError` for what is no data, and for a tensor of another dtype; `RuntimeError` for a
    /// negative size, another device and a storage of another dtype.
    pub(super) fn make(self, call: &Call<'_, '_>) -> Result<Tensor, Failure> {
        if let Some(device) = call.optional::<Device>(1)? {
            self.check_device(call, device)?;
        }
        match call.overload() {
            0 if !call.has(0) => Ok(self.sized(&[0])?),
            0 => self.of(&call.given(0)).map_err(|it| call.raised_by(0, it)),
            _ => Ok(self.sized(&call.ints(0)?)?),
        }
    }

    fn check_device(self, call: &Call<'_, '_>, device: Device) -> runtime::Result<()> {
        ensure!(
            device == self.device,
            Runtime,
            "argument 'device' must be {}, of which {}() makes tensors, not {device}; \
             `empty` and `tensor` take others",
            self.device,
            call.name()
        );
        Ok(())
    }

    /// A tensor whose elements are not set.
    fn sized(self, size: &[i64]) -> runtime::Result<Tensor> {
        operators::empty(size, self.dtype, self.device)
    }

    fn of(self, data: &Bound<'_, PyAny>) -> Result<Tensor, Failure> {
        if let Some(tensor) = object::tensor_of(data).cloned() {
            return Ok(self.alias(&tensor)?);
        }
        if classes::SIZE.is_class_of(data) || is_size(data) {
            return Ok(self.sized(&Ints::unpack(data, Reading { size: 1 })?)?);
        }
        if let Ok(storage) = data.cast::<PyStorage>() {
            return self.over(storage.get());
        }
        if is_fraction(data) {
            // `statistics` makes its results of fractions.
            let value = data.call_method0("__float__")?;
            return copy_of(&value, Some(self.dtype), Some(self.device));
        }
        if Leaf::is_number(data) {
            return Err(Error::wrong_type(format_args!(
                "argument 'data' must be a sequence, an array, a tensor, a storage or a size, not \
                 {}; `tensor` takes a number",
                short(data)
            ))
            .into());
        }
        copy_of(data, Some(self.dtype), Some(self.device))
    }

    /// Another tensor of the same elements.
    fn alias(self, tensor: &Tensor) -> runtime::Result<Tensor> {
        let (dtype, device) = (tensor.dtype(), tensor.device());
        let is_same = dtype == self.dtype && device == self.device;
        ensure!(
            is_same || !self.is_strict,
            Type,
            "argument 'data' must be a tensor of {} on {}, not of {dtype} on {device}; `to` \
             converts it",
            self.dtype,
            self.device
        );
        operators::alias(tensor)
    }

    /// A tensor of all elements of a storage.
    fn over(self, storage: &PyStorage) -> Result<Tensor, Failure> {
        self.check_storage(storage)?;
        storage.tensor_as(self.dtype)
    }

    fn check_storage(self, storage: &PyStorage) -> runtime::Result<()> {
        let dtype = storage.elements();
        ensure!(
            dtype.is_none_or(|it| it == self.dtype),
            Runtime,
            "argument 'data' must be a storage of {}, not of {}",
            self.dtype,
            dtype.unwrap_or(self.dtype)
        );
        ensure!(
            self.device == Device::Cpu,
            Runtime,
            "argument 'data' is in main memory, where tensors on {} are not",
            self.device
        );
        Ok(())
    }
}

/// A new instance of `class`, which is a class of tensors, from the arguments of its constructor.
///
/// # Errors
///
/// As [`Constructor::make`]; `RuntimeError` for gradients of a dtype that has none.
pub(super) fn instance<'py>(
    class: &Bound<'py, PyType>,
    args: &Bound<'py, PyTuple>,
    kwargs: Option<&Bound<'py, PyDict>>,
) -> Result<Bound<'py, PyAny>, Failure> {
    bound(&TENSOR, args, kwargs, |call| {
        let dtype = call.optional::<DType>(2)?;
        let constructor = Constructor {
            dtype: dtype.unwrap_or_else(default_dtype),
            device: Device::Cpu,
            is_strict: dtype.is_some(),
        };
        let tensor = constructor.make(call)?;
        let requires_grad = call.or(3, false)?;
        if requires_grad {
            tensor.set_requires_grad(true)?;
        }
        let made = object::of_class(class, tensor)?;
        if requires_grad && let Some(known) = object::known(made.as_borrowed()) {
            object::stand(known);
        }
        Ok(made)
    })
}

/// Binds the arguments of a constructor, which no argument takes over: the class decides.
///
/// # Errors
///
/// `TypeError` if no signature fits, and those of `body`.
pub(super) fn bound<'py, T>(
    function: &'static OverloadSet,
    args: &Bound<'py, PyTuple>,
    kwargs: Option<&Bound<'py, PyDict>>,
    body: impl FnOnce(&Call<'_, 'py>) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let py = args.py();
    let gathered = Gathered::new(args, kwargs);
    let passed = gathered.passed(None);
    let mut call = Call::new(py, function, &passed);
    match call.bind() {
        Ok(()) => return body(&call),
        Err(Failure::Mismatch) => {}
        Err(other) => return Err(other),
    }
    let gathered = gathered.with_foreign()?;
    let again = gathered.passed(None);
    let mut call = Call::new(py, function, &again);
    match call.bind() {
        Ok(()) => body(&call),
        Err(Failure::Mismatch) => Err(args::mismatch(function, &again, passed.args).into()),
        Err(other) => Err(other),
    }
}

/// Whether an object is a number of the module `fractions`.
fn is_fraction(object: &Bound<'_, PyAny>) -> bool {
    let class = object.get_type();
    let is_named = |name: &str| class.name().is_ok_and(|it| it == name);
    is_named("Fraction") && class.module().is_ok_and(|it| it == "fractions")
}

/// Whether an object is the size of a single dimension: an integer, and no truth value.
fn is_size(object: &Bound<'_, PyAny>) -> bool {
    // An array has an index if it is a number, and none is a size.
    let may_be_one = !Rows::are_native(object) && !numpy::is_array(object);
    may_be_one && classify(object.as_borrowed()).kind(Kind::SymInt)
}
