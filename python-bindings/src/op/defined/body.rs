//! The function of an operator that is defined at run time: what it is called with, and when another one
//! is called in its place.

use opwright_runtime::autograd::is_recording;
use opwright_runtime::op::{Param, Results, Type, Value};
use opwright_runtime::{Device, DispatchKey, Tensor};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyComplex, PyDict, PyFloat, PyInt, PyString, PyTuple};
use smallvec::SmallVec;

use super::native_op::PyNativeOp;
use crate::args::Call;
use crate::object::{self, Failure, failure};
use crate::op::values;
use crate::raw::Sequence;

impl PyNativeOp {
    /// Calls it with a value for each parameter.
    ///
    /// # Errors
    ///
    /// What the function raises, as an error of the same kind, which is that exception again where it
    /// gets to Python; what is no `Exception` unwinds.
    pub(super) fn call(
        &self,
        py: Python<'_>,
        values: &mut [Value],
    ) -> opwright_runtime::Result<Results> {
        self.call_boxed(py, values).map_err(|it| match it {
            Failure::Op(error) => error,
            other => failure::keep(py, other.into()),
        })
    }

    fn call_boxed(&self, py: Python<'_>, values: &mut [Value]) -> Result<Results, Failure> {
        let params = self.declared.params;
        let pairs = values.iter().zip(params);
        let objects = pairs.map(|(value, param)| boxed(py, value.clone(), &param.slot.ty));
        let objects = objects.collect::<Result<SmallVec<[_; 8]>, Failure>>()?;
        let returned = self.run(py, &objects)?;
        for ((value, param), object) in values.iter_mut().zip(params).zip(&objects) {
            if let (true, Value::Tensor(handle)) = (param.slot.writes, value)
                && let Some(tensor) = object::tensor_of(object)
            {
                *handle = tensor.clone();
            }
        }
        let slots = self.declared.results;
        let several = slots.len() > 1;
        let mut results = Results::new();
        for (at, slot) in slots.iter().enumerate().filter(|(_, it)| !it.writes) {
            let one = if several { returned.get_item(at)? } else { returned.clone() };
            results.push(values::value(&one, &slot.ty)?);
        }
        Ok(results)
    }

    /// Runs the function for objects, one for each parameter, and checks what it returns.
    pub(super) fn run<'py>(
        &self,
        py: Python<'py>,
        objects: &[Bound<'py, PyAny>],
    ) -> Result<Bound<'py, PyAny>, Failure> {
        let returned = match self.instead(py, objects) {
            Some(recorded) => recorded.call1(PyTuple::new(py, objects)?)?,
            None => self.called(py, objects)?,
        };
        self.checked(returned, objects)
    }

    /// What is called in the place of the body, if a tensor requires gradients.
    fn instead<'a, 'py>(
        &'a self,
        py: Python<'py>,
        objects: &[Bound<'py, PyAny>],
    ) -> Option<&'a Bound<'py, PyAny>> {
        let recorded = self.recorded.get(py)?.bind(py);
        let requires =
            |it: &Tensor| it.keys().contains(DispatchKey::Autograd) && it.requires_grad();
        (is_recording() && any(objects, &requires)).then_some(recorded)
    }

    /// What the body returns, or the function for Meta.
    pub(super) fn called<'py>(
        &self,
        py: Python<'py>,
        objects: &[Bound<'py, PyAny>],
    ) -> Result<Bound<'py, PyAny>, Failure> {
        let meta = self.meta.get(py).filter(|_| any(objects, &|it| it.device() == Device::Meta));
        let body = meta.unwrap_or(&self.body).bind(py);
        let (first, named) = objects.split_at(self.positional);
        let args = PyTuple::new(py, first)?;
        if named.is_empty() {
            return Ok(body.call1(args)?);
        }
        let keywords = PyDict::new(py);
        for (param, object) in self.declared.params[self.positional..].iter().zip(named) {
            keywords.set_item(param.slot.name, object)?;
        }
        Ok(body.call(args, Some(&keywords))?)
    }

    /// The object of a parameter: the argument, converted to its type, or the default.
    pub(super) fn argument<'py>(
        &self,
        call: &Call<'_, 'py>,
        at: usize,
        param: &Param,
    ) -> Result<Bound<'py, PyAny>, Failure> {
        let py = call.py();
        if !call.has(at) {
            return Ok(self.defaults[at].bind(py).clone());
        }
        let given = call.given(at);
        if is_exact(&given, &param.slot.ty) {
            return Ok(given);
        }
        boxed(py, values::argument(call, at, param)?, &param.slot.ty)
    }
}

/// Whether a tensor among objects, or in a list among them, is such a one.
fn any(objects: &[Bound<'_, PyAny>], is: &dyn Fn(&Tensor) -> bool) -> bool {
    objects.iter().any(|object| match object::tensor_of(object) {
        Some(tensor) => is(tensor),
        None => {
            let all = Sequence::of(object.as_borrowed());
            all.is_some_and(|it| it.iter().any(|it| object::tensor_of(&it).is_some_and(is)))
        }
    })
}

/// Whether an object is what the function gets for a type as it is.
pub(super) fn is_exact(object: &Bound<'_, PyAny>, ty: &Type) -> bool {
    match ty {
        Type::Tensor => object::is_tensor(object),
        Type::Int | Type::SymInt | Type::DeviceIndex => object.is_exact_instance_of::<PyInt>(),
        Type::Float => object.is_exact_instance_of::<PyFloat>(),
        Type::Bool | Type::SymBool => object.is_instance_of::<PyBool>(),
        Type::Str | Type::StrEnum(_) => object.is_exact_instance_of::<PyString>(),
        Type::Scalar => {
            object.is_exact_instance_of::<PyFloat>()
                || object.is_exact_instance_of::<PyInt>()
                || object.is_instance_of::<PyBool>()
                || object.is_exact_instance_of::<PyComplex>()
        }
        Type::Native(..) => true,
        Type::Optional(inner) => is_exact(object, inner),
        Type::ScalarType
        | Type::Layout
        | Type::Device
        | Type::MemoryFormat
        | Type::Reduction
        | Type::Generator
        | Type::Storage
        | Type::Dimname
        | Type::Stream
        | Type::List(..) => false,
    }
}

/// A value as the function gets it: a list of as many elements as the type says, numbers of its kind.
fn boxed<'py>(py: Python<'py>, value: Value, ty: &Type) -> Result<Bound<'py, PyAny>, Failure> {
    let value = match (ty, value) {
        (Type::Optional(_), Value::None) => Value::None,
        (Type::Optional(inner), value) => return boxed(py, value, inner),
        (Type::List(_, Some(size)), value) if !matches!(value, Value::List(_)) => {
            Value::List(vec![value; *size as usize])
        }
        (Type::Float, Value::Int(it)) => Value::Float(it as f64),
        (_, value) => value,
    };
    values::object(py, value)
}
