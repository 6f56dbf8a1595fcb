//! Unboxing of objects of a user's type: member by member from attributes, or by a function of
//! `unbox`.

use std::collections::HashMap;
use std::sync::Arc;

use opwright_jit::types::{Obj, User};
use opwright_runtime::lock::Lock;
use pyo3::exceptions::{PyAttributeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};

use super::arrays::Arguments;
use super::package_function::PackageFunction;
use super::{objects, registrations};

static UNBOXER: PackageFunction = PackageFunction::new("boxing", "unboxer");

/// How values of a type are made, as long as nothing is registered.
pub(super) enum Unboxer {
    /// Of the attributes of these names, without code of Python.
    Attributes(Box<[Py<PyString>]>),
    /// By a function of the package, which calls that of `unbox`.
    Function(Py<PyAny>),
}

/// Those that are known: by the number of the type, and at what count of registrations they were
/// looked for.
static KNOWN: Lock<Option<Known>> = Lock::new(None);

type Known = HashMap<Obj, (u64, Arc<Unboxer>)>;

impl Unboxer {
    /// That of a type with a model.
    pub(super) fn of(py: Python<'_>, user: &User) -> PyResult<Arc<Unboxer>> {
        let now = registrations::generation();
        let known = KNOWN.lock();
        if let Some((at, found)) = known.as_ref().and_then(|it| it.get(&user.object))
            && *at == now
        {
            return Ok(found.clone());
        }
        drop(known);
        Unboxer::look(py, user, now)
    }

    #[cold]
    fn look(py: Python<'_>, user: &User, now: u64) -> PyResult<Arc<Unboxer>> {
        let ty = objects::object(py, user.object);
        let how = UNBOXER.get(py)?.call1((ty,))?;
        let found = Arc::new(match how.cast::<PyTuple>() {
            Ok(names) => {
                let names = names.iter().map(|it| Ok(it.cast_into::<PyString>()?.unbind()));
                Unboxer::Attributes(names.collect::<PyResult<_>>()?)
            }
            Err(_) => Unboxer::Function(how.unbind()),
        });
        let mut known = KNOWN.lock();
        let old = known.get_or_insert_default().insert(user.object, (now, found.clone()));
        drop(known);
        // What it holds may run anything when it is freed.
        drop(old);
        Ok(found)
    }
}

/// An attribute of an object of a type, which is a member.
///
/// # Errors
///
/// `TypeError` if there is none, and what reading it raises.
#[inline]
pub(super) fn attribute<'py>(
    object: &Bound<'py, PyAny>,
    user: &User,
    name: &Py<PyString>,
) -> PyResult<Bound<'py, PyAny>> {
    let name = name.bind(object.py());
    object.getattr(name).map_err(|error| missing(error, user, name))
}

/// The error for an object that lacks an attribute.
#[cold]
fn missing(error: PyErr, user: &User, name: &Bound<'_, PyString>) -> PyErr {
    let py = name.py();
    if !error.is_instance_of::<PyAttributeError>(py) {
        return error;
    }
    let (name, why) = (name.to_string_lossy(), error.value(py));
    PyTypeError::new_err(format!("a value of {} has an attribute {name}: {why}", user.name))
}

/// The members that a function of the package makes of an object; what is to be done after the call is
/// noted.
///
/// # Errors
///
/// What the function raises.
pub(super) fn members<'py>(
    function: &Py<PyAny>,
    object: &Bound<'py, PyAny>,
    arguments: &mut Arguments<'py>,
) -> PyResult<Bound<'py, PyTuple>> {
    let made = function.bind(object.py()).call1((object, arguments.position))?;
    let (members, cleanup): (Bound<'py, PyTuple>, Bound<'py, PyAny>) = made.extract()?;
    if !cleanup.is_none() {
        arguments.cleanups.push(cleanup);
    }
    Ok(members)
}
