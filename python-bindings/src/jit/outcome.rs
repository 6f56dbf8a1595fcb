//! Boxing of results, decided when a function is compiled.

use std::ptr;

use opwright_jit::entry::Owner;
use opwright_jit::types::{Ty, TyKind};
use pyo3::ffi::PyTypeObject;
use pyo3::prelude::*;

use super::arrays::BoxContext;
use super::entry::{ResultForm, ResultKind};
use super::fields::{Members, Shape};
use super::{boxing, structs};
use crate::raw;

impl ResultKind {
    /// That of a type.
    pub(super) fn of(py: Python<'_>, ty: Ty) -> ResultKind {
        let form = match &*ty {
            TyKind::None => ResultForm::None,
            TyKind::Bool => ResultForm::Bool,
            TyKind::Int(int) if int.is_signed => ResultForm::Int,
            TyKind::Float(64) => ResultForm::Float,
            TyKind::User(user) => {
                Members::of(py, ty, user).map_or(ResultForm::Other, ResultForm::Struct)
            }
            _ => ResultForm::Other,
        };
        ResultKind { ty, form }
    }

    /// The object of the words of a result.
    ///
    /// # Errors
    ///
    /// `MemoryError`, and what code of Python raises that makes the object.
    #[inline]
    pub(super) fn boxed<'py>(
        &self,
        py: Python<'py>,
        mut words: &[u64],
        context: &BoxContext<'_, 'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        match (&self.form, words) {
            (ResultForm::None, _) => Ok(py.None().into_bound(py)),
            (ResultForm::Int, [word]) => raw::int(py, word.cast_signed()),
            (ResultForm::Float, [word]) => raw::float(py, f64::from_bits(*word)),
            (ResultForm::Bool, [word]) => Ok((*word != 0).into_pyobject(py)?.to_owned().into_any()),
            (ResultForm::Struct(members), [owner, rest @ ..]) => {
                match structure(py, members, *owner, rest, context)? {
                    Some(found) => Ok(found),
                    None => boxing::boxed(py, self.ty, &mut words, context),
                }
            }
            _ => boxing::boxed(py, self.ty, &mut words, context),
        }
    }
}

/// A struct that was passed, or a new one whose members are numbers; none for others.
#[inline]
fn structure<'py>(
    py: Python<'py>,
    members: &Members,
    owner: u64,
    words: &[u64],
    context: &BoxContext<'_, 'py>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    match (Owner::of(owner), &members.shape) {
        (Owner::Argument(at), shape) => {
            let object = &context.arguments.list[at].0;
            let is_such = object.get_type_ptr().addr() == members.class
                && match shape {
                    Shape::Numbers(_) => true,
                    // It may be a part of what was passed.
                    Shape::Place => structs::object::start(object).addr() as u64 == words[0],
                    Shape::Other => false,
                };
            Ok(is_such.then(|| object.clone()))
        }
        (Owner::Made(_) | Owner::None, Shape::Numbers(fields)) => {
            let made = new(py, members)?;
            // SAFETY: a new object of the class that was made for these members.
            unsafe { fields.write(structs::object::start(&made), words) };
            Ok(Some(made))
        }
        (Owner::Made(_), Shape::Place) => {
            let made = new(py, members)?;
            let place = ptr::with_exposed_provenance::<u8>(words[0] as usize);
            // SAFETY: the program made memory of this size for the struct, which the frame keeps; the new
            // object has as much, and refers to nothing.
            unsafe { ptr::copy_nonoverlapping(place, structs::object::start(&made), members.size) };
            Ok(Some(made))
        }
        (Owner::Made(_) | Owner::None, _) | (Owner::Constant(_), _) => Ok(None),
    }
}

fn new<'py>(py: Python<'py>, members: &Members) -> PyResult<Bound<'py, PyAny>> {
    let class = ptr::with_exposed_provenance_mut::<PyTypeObject>(members.class);
    // SAFETY: the class of a type of structs, which keeps it as long as the process lives.
    unsafe { structs::object::allocate(py, class) }
}
