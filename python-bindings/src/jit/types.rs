//! Types of the compiler as objects of `opwright.types`.

use opwright_jit::types::{Ty, TyKind};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::PyList;

use super::objects;

pub(super) fn module(py: Python<'_>) -> PyResult<Bound<'_, PyModule>> {
    py.import(format!("{}._jit.spec", crate::object::package::name()))
}

/// The type object of a type.
pub(super) fn to_python<'py>(py: Python<'py>, ty: Ty) -> PyResult<Bound<'py, PyAny>> {
    module(py)?.call_method1("type_of", (described(py, ty)?,))
}

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
