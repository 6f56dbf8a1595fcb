//! Boxing and unboxing: words from objects, and objects from words.

use opwright_jit::entry::{Owner, argument_owner};
use opwright_jit::types::{Representation, Ty, TyKind, User};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use super::arrays::{self, Arguments, BoxContext, Words};
use super::numbers::take;
use super::package_function::PackageFunction;
use super::unboxer::{self, Unboxer};
use super::{errors, numbers, objects, structs};
use crate::raw;

/// Appends the words of an object of a type.
pub(super) fn unbox<'py>(
    object: &Bound<'py, PyAny>,
    ty: Ty,
    words: &mut Words,
    arguments: &mut Arguments<'py>,
) -> PyResult<()> {
    match &*ty {
        TyKind::Bool | TyKind::Int(_) | TyKind::Float(_) | TyKind::Complex(_) => {
            numbers::unbox(object, ty, words)?;
        }
        TyKind::None => {}
        TyKind::Tuple(items) | TyKind::NamedTuple(_, _, items) => {
            for (at, item) in items.iter().enumerate() {
                unbox(&object.get_item(at)?, *item, words, arguments)?;
            }
        }
        TyKind::Optional(inner) => {
            words.push(u64::from(!object.is_none()));
            match object.is_none() {
                true => words.extend(inner.prims().iter().map(|_| 0)),
                false => unbox(object, *inner, words, arguments)?,
            }
        }
        TyKind::Array(_) => arrays::unbox(object, words, arguments)?,
        TyKind::User(user) => unbox_user(object, ty, user, words, arguments)?,
        // What the type says already.
        TyKind::Text(_)
        | TyKind::Function(_)
        | TyKind::Class(_)
        | TyKind::Exception(_)
        | TyKind::Module(_)
        | TyKind::DType(_) => {}
        TyKind::Unicode => {
            words.push(argument_owner(arguments.list.len()));
            arguments.list.push((object.clone(), smallvec::SmallVec::new()));
        }
        _ => return Err(PyTypeError::new_err(format!("{ty} cannot be passed"))),
    }
    Ok(())
}

/// The words of a value of a user's type: of the object itself, or of what `unbox` makes of it.
fn unbox_user<'py>(
    object: &Bound<'py, PyAny>,
    ty: Ty,
    user: &User,
    words: &mut Words,
    arguments: &mut Arguments<'py>,
) -> PyResult<()> {
    let py = object.py();
    if user.form == Representation::Unknown {
        return Err(errors::typing_error(
            py,
            &format!("{} has no data model: register one with register_model", user.name),
        ));
    }
    if matches!(user.form, Representation::Frozen | Representation::Reference) {
        return structs::boxing::unbox(object, ty, user, words, arguments);
    }
    match &*Unboxer::of(py, user)? {
        Unboxer::Attributes(names) => {
            for (name, (_, ty)) in names.iter().zip(&user.members) {
                let member = unboxer::attribute(object, user, name)?;
                unbox(&member, *ty, words, arguments)?;
            }
        }
        Unboxer::Function(function) => {
            let members = unboxer::members(function, object, arguments)?;
            for (member, (_, ty)) in members.iter().zip(&user.members) {
                unbox(&member, *ty, words, arguments)?;
            }
        }
    }
    Ok(())
}

static BOXED: PackageFunction = PackageFunction::new("boxing", "boxed");

/// The object of a value of a user's type.
fn box_user<'py>(
    py: Python<'py>,
    ty: Ty,
    user: &User,
    words: &mut &[u64],
    context: &BoxContext<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    if matches!(user.form, Representation::Frozen | Representation::Reference) {
        return structs::boxing::boxed(py, ty, user, words, context);
    }
    let mut members = Vec::with_capacity(user.members.len());
    for (_, ty) in &user.members {
        members.push(boxed(py, *ty, words, context)?);
    }
    let ty = objects::object(py, user.object);
    BOXED.get(py)?.call1((ty, PyTuple::new(py, members)?))
}

/// An object of a type from its words, which are taken from the front.
pub(super) fn boxed<'py>(
    py: Python<'py>,
    ty: Ty,
    words: &mut &[u64],
    context: &BoxContext<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    match &*ty {
        TyKind::Bool | TyKind::Int(_) | TyKind::Float(_) | TyKind::Complex(_) => {
            numbers::boxed(py, ty, words)
        }
        TyKind::None => Ok(py.None().into_bound(py)),
        TyKind::Tuple(items) => {
            let mut list = Vec::with_capacity(items.len());
            for item in items {
                list.push(boxed(py, *item, words, context)?);
            }
            Ok(raw::tuple(py, list)?.into_any())
        }
        TyKind::NamedTuple(class, _, items) => {
            let mut list = Vec::with_capacity(items.len());
            for item in items {
                list.push(boxed(py, *item, words, context)?);
            }
            let tuple = raw::tuple(py, list)?;
            objects::object(py, *class).call_method1("_make", (tuple,))
        }
        TyKind::Optional(inner) => {
            let is_there = take(words) != 0;
            let width = inner.width();
            if is_there {
                return boxed(py, *inner, words, context);
            }
            *words = &words[width..];
            Ok(py.None().into_bound(py))
        }
        TyKind::Array(array) => {
            let (own, rest) = words.split_at(ty.width());
            *words = rest;
            arrays::boxed(py, array, own, context.frame, context.arguments, context.held)
        }
        TyKind::User(user) => box_user(py, ty, user, words, context),
        TyKind::Flat(_) => Err(PyTypeError::new_err("a.flat is not returned: return a.ravel()")),
        TyKind::DType(dtype) => {
            let module = py.import(format!("{}._jit.views", crate::object::package::name()))?;
            module.call_method1("dtype", (dtype.to_string(),))
        }
        TyKind::Unicode => match Owner::of(take(words)) {
            Owner::Argument(at) => Ok(context.arguments.list[at].0.clone()),
            _ => Err(PyTypeError::new_err("text without an object")),
        },
        TyKind::Text(text) => Ok(text.into_pyobject(py)?.into_any()),
        TyKind::Function(object)
        | TyKind::Class(object)
        | TyKind::Module(object)
        | TyKind::Exception(object) => Ok(objects::object(py, *object)),
        _ => Err(PyTypeError::new_err(format!("a value of {ty} cannot be returned"))),
    }
}
