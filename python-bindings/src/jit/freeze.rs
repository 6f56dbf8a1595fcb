//! Constants and types: what names of Python and type objects stand for, as the compiler takes it.
//!
//! A type object may hold a function, which is taken as a constant, and a constant has a type.

use std::collections::HashMap;

use opwright_jit::Frozen;
use opwright_jit::types::{Array, ArrayLayout, Representation, Ty, TyKind, User};
use opwright_runtime::lock::Lock;
use pyo3::exceptions::{PyBaseException, PyNotImplementedError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{
    PyBool, PyComplex, PyDict, PyEllipsis, PyFloat, PyFunction, PyInt, PyModule, PyString, PyTuple,
    PyType,
};

use super::arrays::{self, Arguments, Words};
use super::dispatcher::Dispatcher;
use super::objects::{self, Keeper};
use super::package_function::PackageFunction;
use super::registrations::generation;
use super::structs::{boxing, object as struct_object};
use super::{ndarray, types};

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
    if let Some(array) = frozen_array(object, keeper)? {
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
    if let Some(found) = structure(object, keeper)? {
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
    let ty = from_python(&ty)?;
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
        return numpy_scalar(object);
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

/// A struct as a constant, which lives as long as what is compiled; none if it is no struct.
fn structure(object: &Bound<'_, PyAny>, keeper: &Keeper) -> PyResult<Option<Frozen>> {
    let Some(ty) = struct_object::type_of(object)? else { return Ok(None) };
    let TyKind::User(user) = &*ty else { return Ok(None) };
    if !ty.referred().is_empty() {
        return Ok(None);
    }
    let mut words = Words::new();
    boxing::unbox(object, ty, user, &mut words, &mut Arguments::default())?;
    Ok(Some(Frozen::Object(ty, keeper.number(object), words[1..].to_vec())))
}

/// A scalar of numpy as a number.
pub(super) fn numpy_scalar(object: &Bound<'_, PyAny>) -> PyResult<Option<Frozen>> {
    if !crate::object::is_numpy_scalar(object) {
        return Ok(None);
    }
    ndarray::look(object.py())?;
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
fn frozen_array(object: &Bound<'_, PyAny>, keeper: &Keeper) -> PyResult<Option<Frozen>> {
    let Some(ty) = arrays::type_of(object)? else { return Ok(None) };
    let Some(array) = ty.as_array() else { return Ok(None) };
    let ty = Ty::new(TyKind::Array(Array { is_readonly: true, ..*array }));
    let mut words = Words::new();
    let mut arguments = Arguments::default();
    arrays::unbox(object, &mut words, &mut arguments)?;
    if arguments.requires_grad {
        return Err(PyNotImplementedError::new_err(
            "a tensor that requires grad is no constant of a compiled function: pass it as an \
             argument, or detach() it",
        ));
    }
    let numbers = words[2..].iter().map(|it| it.cast_signed()).collect();
    Ok(Some(Frozen::Array(ty, keeper.number(object), words[1], numbers)))
}

/// The type of a type object.
pub(super) fn from_python(object: &Bound<'_, PyAny>) -> PyResult<Ty> {
    let now = generation();
    let address = object.as_ptr().addr();
    let known = USERS.lock();
    if let Some((at, ty)) = known.as_ref().and_then(|it| it.get(&address))
        && *at == now
    {
        return Ok(*ty);
    }
    drop(known);
    let ty = read(&types::module(object.py())?.call_method1("spec", (object,))?)?;
    if let TyKind::User(user) = &*ty
        && objects::object(object.py(), user.object).is(object)
    {
        let mut known = USERS.lock();
        known.get_or_insert_with(HashMap::new).insert(address, (now, ty));
    }
    Ok(ty)
}

/// The types of the user's own by the addresses of their objects, which live as long as the process,
/// and at what count of registrations they were read: models may be registered later.
static USERS: Lock<Option<HashMap<usize, (u64, Ty)>>> = Lock::new(None);

fn read(made: &Bound<'_, PyAny>) -> PyResult<Ty> {
    let made = made.cast::<PyTuple>().map_err(PyErr::from)?;
    let kind: String = made.get_item(0)?.extract()?;
    let all = |at: usize| -> PyResult<Vec<Ty>> {
        made.get_item(at)?.try_iter()?.map(|it| read(&it?)).collect()
    };
    Ok(match kind.as_str() {
        "bool" => Ty::bool(),
        "none" => Ty::none(),
        "number" => {
            let name: String = made.get_item(1)?.extract()?;
            Ty::of_name(&name)
                .ok_or_else(|| PyTypeError::new_err(format!("no number is called {name}")))?
        }
        "array" => {
            let layout: String = made.get_item(3)?.extract()?;
            Ty::new(TyKind::Array(Array {
                dtype: read(&made.get_item(1)?)?,
                ndim: made.get_item(2)?.extract()?,
                layout: match layout.as_str() {
                    "C" => ArrayLayout::C,
                    "F" => ArrayLayout::F,
                    _ => ArrayLayout::Any,
                },
                is_readonly: made.get_item(4)?.extract()?,
            }))
        }
        "tuple" => Ty::tuple(all(1)?),
        "named" => {
            let names: Vec<String> = made.get_item(2)?.extract()?;
            let names: Vec<Box<str>> = names.into_iter().map(Into::into).collect();
            let class = objects::keep(&made.get_item(1)?);
            Ty::new(TyKind::NamedTuple(class, names.into(), all(3)?.into()))
        }
        "optional" => read(&made.get_item(1)?)?.optional(),
        "dtype" => Ty::new(TyKind::DType(read(&made.get_item(1)?)?)),
        "text" => Ty::new(TyKind::Unicode),
        "range" => Ty::range(),
        "flat" => Ty::new(TyKind::Flat(read(&made.get_item(1)?)?)),
        "object" => object_type(&made.get_item(1)?)?,
        "user" => user_type(made)?,
        _ => return Err(PyTypeError::new_err(format!("values of {kind} are not passed"))),
    })
}

/// The type of a function, a class or a module, which says all of it.
fn object_type(object: &Bound<'_, PyAny>) -> PyResult<Ty> {
    let object = match object.cast::<Dispatcher>() {
        Ok(dispatcher) => dispatcher.get().function(object.py()),
        Err(_) => object.clone(),
    };
    // The type may be asked for at any time.
    objects::keep(&object);
    match freeze(&object, &Keeper::default())? {
        Some(Frozen::Fact(ty)) => Ok(ty),
        _ => Err(PyTypeError::new_err("expected a function, a class or a module")),
    }
}

fn user_type(made: &Bound<'_, PyTuple>) -> PyResult<Ty> {
    let name: String = made.get_item(2)?.extract()?;
    let fields = made.get_item(3)?;
    let form: String = made.get_item(4)?.extract()?;
    let mut members = Vec::new();
    if !fields.is_none() {
        for field in fields.try_iter()? {
            let field = field?;
            let name: String = field.get_item(0)?.extract()?;
            members.push((Box::from(name), read(&field.get_item(1)?)?));
        }
    }
    let form = match form.as_str() {
        _ if fields.is_none() => Representation::Unknown,
        "frozen" => Representation::Frozen,
        "reference" => Representation::Reference,
        _ => Representation::Value,
    };
    let object = objects::keep(&made.get_item(1)?);
    Ok(Ty::new(TyKind::User(User { object, name: name.into(), form, members: members.into() })))
}
