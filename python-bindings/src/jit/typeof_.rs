//! The type that a value of Python is compiled as.

use opwright_jit::Frozen;
use opwright_jit::types::{Array, Ty, TyKind};
use opwright_runtime::lock::Lock;
use pyo3::exceptions::PyNotImplementedError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyComplex, PyFloat, PyInt, PyTuple};

use super::arrays::Arguments;
use super::objects::Keeper;
use crate::raw;

/// The type of an argument; none if it is unknown.
pub(super) fn typeof_(object: &Bound<'_, PyAny>) -> PyResult<Option<Ty>> {
    let ty = if object.is_exact_instance_of::<PyFloat>() {
        Ty::float64()
    } else if let Ok(integer) = object.cast_exact::<PyInt>() {
        if raw::to_i64(integer).is_some() {
            Ty::int64()
        } else if object.extract::<u64>().is_ok() {
            Ty::uint64()
        } else {
            return registered(object).map(Some);
        }
    } else if object.is_instance_of::<PyBool>() {
        Ty::bool()
    } else if object.is_none() {
        Ty::none()
    } else if object.is_exact_instance_of::<PyComplex>() {
        Ty::complex128()
    } else if let Ok(tuple) = object.cast_exact::<PyTuple>() {
        let items: PyResult<Option<Vec<Ty>>> = tuple.iter().map(|it| typeof_(&it)).collect();
        match items? {
            Some(items) => Ty::tuple(items),
            None => return Ok(None),
        }
    } else if let Some(ty) = constant(object) {
        ty
    } else if let Some(Frozen::Number(ty, _)) = numpy_scalar(object)? {
        ty
    } else if object.is_instance_of::<PyFloat>() {
        Ty::float64()
    } else if object.is_instance_of::<PyInt>() {
        Ty::int64()
    } else if let Some(ty) = super::arrays::type_of(object)? {
        ty
    } else if let Some(ty) = super::structs::type_of(object)? {
        ty
    } else {
        return registered(object).map(Some);
    };
    Ok(Some(ty))
}

/// The type that was registered for an object's class, or that it says itself.
#[cold]
fn registered(object: &Bound<'_, PyAny>) -> PyResult<Ty> {
    let now = super::dispatcher::generation();
    let module = object.py().import(format!("{}._jit.typeof", crate::object::package::name()))?;
    let ty = super::types::from_python(&module.call_method1("typeof", (object,))?)?;
    let class = object.get_type();
    if module.call_method1("is_constant", (&class,))?.is_truthy()? {
        // The class is kept, so that no other gets its address.
        super::objects::keep(class.as_any());
        let mut known = CONSTANTS.lock();
        let address = class.as_ptr().addr();
        known.retain(|(it, ..)| *it != address);
        known.push((address, now, ty));
    }
    Ok(ty)
}

/// The type of an object whose class has one for good, if it was looked for.
pub(super) fn constant(object: &Bound<'_, PyAny>) -> Option<Ty> {
    let known = CONSTANTS.lock();
    let class = object.get_type_ptr().addr();
    let (_, at, ty) = known.iter().find(|(it, ..)| *it == class)?;
    (*at == super::dispatcher::generation()).then_some(*ty)
}

/// The types of classes whose instances have one for good, and at what count of registrations they
/// were looked for.
static CONSTANTS: Lock<Vec<(usize, u64, Ty)>> = Lock::new(Vec::new());

/// A scalar of numpy as a number.
pub(super) fn numpy_scalar(object: &Bound<'_, PyAny>) -> PyResult<Option<Frozen>> {
    if !crate::object::is_numpy_scalar(object) {
        return Ok(None);
    }
    super::ndarray::look(object.py())?;
    let name: String = object.getattr("dtype")?.getattr("name")?.extract()?;
    let Some(ty) = Ty::of_name(&name) else { return Ok(None) };
    let item = object.call_method0("item")?;
    let bits = match &*ty {
        TyKind::Bool => [u64::from(item.extract::<bool>()?), 0],
        TyKind::Int(int) if int.is_signed => [item.extract::<i64>()?.cast_unsigned(), 0],
        TyKind::Int(_) => [item.extract::<u64>()?, 0],
        TyKind::Float(64) => [item.extract::<f64>()?.to_bits(), 0],
        TyKind::Float(_) => [u64::from((item.extract::<f64>()? as f32).to_bits()), 0],
        TyKind::Complex(bits) => {
            let complex = item.cast::<PyComplex>().map_err(PyErr::from)?;
            use pyo3::types::PyComplexMethods;
            let part = |it: f64| match bits {
                64 => u64::from((it as f32).to_bits()),
                _ => it.to_bits(),
            };
            [part(complex.real()), part(complex.imag())]
        }
        _ => return Ok(None),
    };
    Ok(Some(Frozen::Number(ty, bits)))
}

/// An array as a constant, which nobody writes to.
pub(super) fn frozen_array(object: &Bound<'_, PyAny>, keeper: &Keeper) -> PyResult<Option<Frozen>> {
    let Some(ty) = super::arrays::type_of(object)? else { return Ok(None) };
    let Some(array) = ty.as_array() else { return Ok(None) };
    let ty = Ty::new(TyKind::Array(Array { is_readonly: true, ..*array }));
    let mut words = super::border::Words::new();
    let mut arguments = Arguments::default();
    super::arrays::unbox(object, &mut words, &mut arguments)?;
    if arguments.requires_grad {
        return Err(PyNotImplementedError::new_err(
            "a tensor that requires grad is no constant of a compiled function: pass it as an \
             argument, or detach() it",
        ));
    }
    let numbers = words[2..].iter().map(|it| it.cast_signed()).collect();
    Ok(Some(Frozen::Array(ty, keeper.number(object), words[1], numbers)))
}
