//! The type that a value of Python is compiled as.

use opwright_jit::Frozen;
use opwright_jit::types::{Kind, Ty};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyComplex, PyFloat, PyInt, PyString, PyTuple};

/// The type of an argument; none if nobody knows it.
pub(super) fn typeof_(object: &Bound<'_, PyAny>) -> PyResult<Option<Ty>> {
    let ty = if object.is_exact_instance_of::<PyFloat>() {
        Ty::float64()
    } else if object.is_exact_instance_of::<PyInt>() {
        match (object.extract::<i64>(), object.extract::<u64>()) {
            (Ok(_), _) => Ty::int64(),
            (_, Ok(_)) => Ty::uint64(),
            _ => return Ok(None),
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
    } else if let Some(Frozen::Number(ty, _)) = numpy_scalar(object)? {
        ty
    } else if object.is_instance_of::<PyFloat>() {
        Ty::float64()
    } else if object.is_instance_of::<PyInt>() {
        Ty::int64()
    } else if let Ok(text) = object.cast::<PyString>() {
        let _ = text;
        return Ok(None);
    } else {
        return Ok(None);
    };
    Ok(Some(ty))
}

/// A scalar of numpy as a number.
pub(super) fn numpy_scalar(object: &Bound<'_, PyAny>) -> PyResult<Option<Frozen>> {
    if !crate::args::is_numpy_scalar(object) {
        return Ok(None);
    }
    let name: String = object.getattr("dtype")?.getattr("name")?.extract()?;
    let Some(ty) = dtype_named(&name) else { return Ok(None) };
    let item = object.call_method0("item")?;
    let bits = match &*ty {
        Kind::Bool => [u64::from(item.extract::<bool>()?), 0],
        Kind::Int(int) if int.is_signed => [item.extract::<i64>()?.cast_unsigned(), 0],
        Kind::Int(_) => [item.extract::<u64>()?, 0],
        Kind::Float(64) => [item.extract::<f64>()?.to_bits(), 0],
        Kind::Float(_) => [u64::from((item.extract::<f64>()? as f32).to_bits()), 0],
        Kind::Complex(bits) => {
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

/// An array as a constant.
pub(super) fn frozen_array(_object: &Bound<'_, PyAny>) -> PyResult<Option<Frozen>> {
    Ok(None)
}

/// The type of a dtype's name.
pub(super) fn dtype_named(name: &str) -> Option<Ty> {
    Some(match name {
        "bool" => Ty::bool(),
        "int8" => Ty::int(8, true),
        "int16" => Ty::int(16, true),
        "int32" => Ty::int(32, true),
        "int64" => Ty::int64(),
        "uint8" => Ty::int(8, false),
        "uint16" => Ty::int(16, false),
        "uint32" => Ty::int(32, false),
        "uint64" => Ty::uint64(),
        "float16" => Ty::new(Kind::Float(16)),
        "float32" => Ty::float32(),
        "float64" => Ty::float64(),
        "complex64" => Ty::complex64(),
        "complex128" => Ty::complex128(),
        _ => return None,
    })
}
