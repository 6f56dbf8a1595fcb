//! Types of the compiler as objects of `opwright.types`, and back.

use std::collections::HashMap;

use opwright_jit::Frozen;
use opwright_jit::types::{Array, ArrayLayout, Representation, Ty, TyKind, User};
use opwright_runtime::lock::Lock;
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};

use super::dispatcher::Dispatcher;
use super::freeze::freeze;
use super::objects::{self, Keeper};

fn module(py: Python<'_>) -> PyResult<Bound<'_, PyModule>> {
    py.import(format!("{}._jit.spec", crate::object::package::name()))
}

/// The type object of a type.
pub(super) fn to_python<'py>(py: Python<'py>, ty: Ty) -> PyResult<Bound<'py, PyAny>> {
    module(py)?.call_method1("type_of", (described(py, ty)?,))
}

/// The type of a type object.
pub(super) fn from_python(object: &Bound<'_, PyAny>) -> PyResult<Ty> {
    let now = super::dispatcher::generation();
    let address = object.as_ptr().addr();
    let known = USERS.lock();
    if let Some((at, ty)) = known.as_ref().and_then(|it| it.get(&address))
        && *at == now
    {
        return Ok(*ty);
    }
    drop(known);
    let ty = read(&module(object.py())?.call_method1("spec", (object,))?)?;
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

/// The type object of one value.
pub(super) fn literal<'py>(
    py: Python<'py>,
    value: impl IntoPyObject<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let value = value.into_bound_py_any(py)?;
    module(py)?.call_method1("type_of", (("literal", value),))
}

fn described<'py>(py: Python<'py>, ty: Ty) -> PyResult<Bound<'py, PyAny>> {
    let all = |items: &[Ty]| -> PyResult<Bound<'py, PyAny>> {
        let list = PyList::empty(py);
        for item in items {
            list.append(described(py, *item)?)?;
        }
        Ok(list.into_any())
    };
    let made = match &*ty {
        TyKind::Bool => ("bool",).into_pyobject(py)?,
        TyKind::Int(_) | TyKind::Float(_) | TyKind::Complex(_) => {
            ("number", ty.to_string()).into_pyobject(py)?
        }
        TyKind::None => ("none",).into_pyobject(py)?,
        TyKind::Tuple(items) => ("tuple", all(items)?).into_pyobject(py)?,
        TyKind::NamedTuple(class, names, items) => {
            let names: Vec<&str> = names.iter().map(|it| &**it).collect();
            ("named", objects::object(py, *class), names, all(items)?).into_pyobject(py)?
        }
        TyKind::Optional(inner) => ("optional", described(py, *inner)?).into_pyobject(py)?,
        TyKind::Array(array) => {
            let layout = array.layout.to_string();
            let dtype = described(py, array.dtype)?;
            ("array", dtype, array.ndim, layout, array.is_readonly).into_pyobject(py)?
        }
        TyKind::Flat(inner) => ("flat", described(py, *inner)?).into_pyobject(py)?,
        TyKind::Range => ("range",).into_pyobject(py)?,
        TyKind::Text(text) => ("text", &**text).into_pyobject(py)?,
        TyKind::Unicode => ("text", py.None()).into_pyobject(py)?,
        TyKind::Slice(parts) => ("slice", *parts[2] != TyKind::None).into_pyobject(py)?,
        TyKind::DType(inner) => ("dtype", described(py, *inner)?).into_pyobject(py)?,
        TyKind::User(user) => ("user", objects::object(py, user.object)).into_pyobject(py)?,
        TyKind::Function(object) => ("function", objects::object(py, *object)).into_pyobject(py)?,
        TyKind::Module(object) => ("module", objects::object(py, *object)).into_pyobject(py)?,
        TyKind::Exception(object) => {
            ("exception", objects::object(py, *object)).into_pyobject(py)?
        }
        TyKind::Class(object) => ("function", objects::object(py, *object)).into_pyobject(py)?,
        TyKind::Closure(number) | TyKind::Lazy(number) => {
            (format!("nested function {number}"), py.None()).into_pyobject(py)?
        }
        TyKind::Iter(..)
        | TyKind::Ellipsis
        | TyKind::Raised(..)
        | TyKind::Formatted(_)
        | TyKind::Bound(..) => (ty.to_string(), py.None()).into_pyobject(py)?,
    };
    Ok(made.into_any())
}

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
        "object" => object(&made.get_item(1)?)?,
        "user" => user(made)?,
        _ => return Err(PyTypeError::new_err(format!("values of {kind} are not passed"))),
    })
}

/// The type of a function, a class or a module, which says all of it.
fn object(object: &Bound<'_, PyAny>) -> PyResult<Ty> {
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

fn user(made: &Bound<'_, PyTuple>) -> PyResult<Ty> {
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
