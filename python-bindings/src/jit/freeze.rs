//! Frozen globals: what names of Python refer to, as the compiler takes it.

use opwright_jit::Frozen;
use opwright_jit::types::{Ty, TyKind};
use pyo3::exceptions::PyBaseException;
use pyo3::prelude::*;
use pyo3::types::{
    PyBool, PyComplex, PyDict, PyEllipsis, PyFloat, PyFunction, PyInt, PyModule, PyString, PyTuple,
    PyType,
};

use super::dispatcher::Dispatcher;
use super::objects::Keeper;
use super::package_function::PackageFunction;
use super::typeof_;

static TABLE: PackageFunction = PackageFunction::new("known", "table");

/// What an object is to the compiler; none if it is nothing that it knows. It lives as long as what
/// is compiled.
pub(super) fn freeze(object: &Bound<'_, PyAny>, keeper: &Keeper) -> PyResult<Option<Frozen>> {
    if let Some(found) = number(object)? {
        return Ok(Some(found));
    }
    if let Some(name) = known(object)? {
        return Ok(Some(Frozen::Fact(fact(&name, object, keeper))));
    }
    if let Ok(text) = object.cast::<PyString>() {
        return Ok(Some(Frozen::Fact(Ty::text(&text.to_string_lossy()))));
    }
    if let Ok(tuple) = object.cast_exact::<PyTuple>() {
        let items: PyResult<Option<Vec<Frozen>>> =
            tuple.iter().map(|it| freeze(&it, keeper)).collect();
        return Ok(items?.map(Frozen::Tuple));
    }
    if object.is_instance_of::<PyEllipsis>() {
        return Ok(Some(Frozen::Fact(Ty::ellipsis())));
    }
    if let Ok(dispatcher) = object.cast::<Dispatcher>() {
        let function = dispatcher.get().function(object.py());
        return Ok(Some(Frozen::Fact(Ty::new(TyKind::Function(keeper.number(&function))))));
    }
    if let Some(array) = typeof_::frozen_array(object, keeper)? {
        return Ok(Some(array));
    }
    if let Some(found) = user(object, keeper)? {
        return Ok(Some(found));
    }
    let kind = if object.is_instance_of::<PyModule>() {
        TyKind::Module(keeper.number(object))
    } else if let Ok(class) = object.cast::<PyType>() {
        let is_exception = class.is_subclass_of::<PyBaseException>()?;
        let number = keeper.number(object);
        if is_exception { TyKind::Exception(number) } else { TyKind::Class(number) }
    } else if object.is_instance_of::<PyFunction>() || object.is_callable() {
        TyKind::Function(keeper.number(object))
    } else {
        return Ok(None);
    };
    Ok(Some(Frozen::Fact(Ty::new(kind))))
}

/// A value of a user's type: a native struct, or one that the package says how to freeze.
fn user(object: &Bound<'_, PyAny>, keeper: &Keeper) -> PyResult<Option<Frozen>> {
    if object.is_instance_of::<PyType>() || object.is_instance_of::<PyModule>() {
        return Ok(None);
    }
    if let Some(found) = super::structs::frozen(object, keeper)? {
        return Ok(Some(found));
    }
    let py = object.py();
    let module = py.import(format!("{}._jit.frozen", crate::object::package::name()))?;
    let found = module.call_method1("freeze", (object,))?;
    if found.is_none() {
        return Ok(None);
    }
    let (ty, lowering, members): (Bound<'_, PyAny>, Bound<'_, PyAny>, Bound<'_, PyAny>) =
        found.extract()?;
    let ty = super::types::from_python(&ty)?;
    // What it was made of lives as long as what is compiled.
    keeper.number(object);
    if !lowering.is_none() {
        return Ok(Some(Frozen::Lowered(ty, keeper.number(&lowering))));
    }
    let mut list = Vec::new();
    for member in members.try_iter()? {
        let member = member?;
        match freeze(&member, keeper)? {
            Some(frozen) => list.push(frozen),
            None => return Ok(None),
        }
    }
    Ok(Some(Frozen::Struct(ty, list)))
}

/// A number of Python or numpy, or `None`.
fn number(object: &Bound<'_, PyAny>) -> PyResult<Option<Frozen>> {
    if object.is_none() {
        return Ok(Some(Frozen::None));
    }
    let found = if object.is_instance_of::<PyBool>() {
        Frozen::Number(Ty::bool(), [u64::from(object.extract::<bool>()?), 0])
    } else if object.is_instance_of::<PyInt>() {
        match (object.extract::<i64>(), object.extract::<u64>()) {
            (Ok(number), _) => Frozen::Number(Ty::int64(), [number.cast_unsigned(), 0]),
            (_, Ok(number)) => Frozen::Number(Ty::uint64(), [number, 0]),
            _ => return Ok(None),
        }
    } else if object.is_instance_of::<PyFloat>() {
        Frozen::Number(Ty::float64(), [object.extract::<f64>()?.to_bits(), 0])
    } else if let Ok(complex) = object.cast::<PyComplex>() {
        use pyo3::types::PyComplexMethods;
        Frozen::Number(Ty::complex128(), [complex.real().to_bits(), complex.imag().to_bits()])
    } else {
        return typeof_::numpy_scalar(object);
    };
    Ok(Some(found))
}

/// The name of ours that the package has for an object, if it has one.
pub(super) fn known(object: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    let py = object.py();
    let table = TABLE.get(py)?.call0()?;
    let table = table.cast::<PyDict>().map_err(PyErr::from)?;
    match table.get_item(object.as_ptr().addr())? {
        Some(row) => Ok(Some(row.get_item(1)?.extract()?)),
        None => Ok(None),
    }
}

fn fact(name: &str, object: &Bound<'_, PyAny>, keeper: &Keeper) -> Ty {
    let number = keeper.number(object);
    match name.strip_prefix("dtype.").and_then(Ty::of_name) {
        Some(dtype) => Ty::new(TyKind::DType(dtype)),
        None => Ty::new(TyKind::Function(number)),
    }
}
