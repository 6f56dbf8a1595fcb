//! The type that a value of Python is compiled as.

use opwright_jit::Frozen;
use opwright_jit::types::Ty;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyComplex, PyFloat, PyInt, PyTuple};

use super::{freeze, registrations};
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
    } else if let Some(ty) = registrations::constant(object) {
        ty
    } else if let Some(Frozen::Number(ty, _)) = freeze::numpy_scalar(object)? {
        ty
    } else if object.is_instance_of::<PyFloat>() {
        Ty::float64()
    } else if object.is_instance_of::<PyInt>() {
        Ty::int64()
    } else if let Some(ty) = super::arrays::type_of(object)? {
        ty
    } else if let Some(ty) = super::structs::object::type_of(object)? {
        ty
    } else {
        return registered(object).map(Some);
    };
    Ok(Some(ty))
}

/// The type that was registered for an object's class, or that it says itself.
#[cold]
fn registered(object: &Bound<'_, PyAny>) -> PyResult<Ty> {
    let now = registrations::generation();
    let module = object.py().import(format!("{}._jit.typeof", crate::object::package::name()))?;
    let ty = freeze::from_python(&module.call_method1("typeof", (object,))?)?;
    let class = object.get_type();
    if module.call_method1("is_constant", (&class,))?.is_truthy()? {
        registrations::set_constant(&class, now, ty);
    }
    Ok(ty)
}
