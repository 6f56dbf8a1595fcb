//! Arguments of a user's class: recognized by the class if all its instances have one type, and read
//! from the attributes that its data model names.

use std::sync::OnceLock;

use opwright_jit::types::{Obj, Ty, User};
use pyo3::prelude::*;
use pyo3::types::{PyString, PyType};

use super::arrays::Arguments;
use super::package_function::PackageFunction;
use super::parameter::Parameter;
use super::{objects, typeof_};

static ATTRIBUTES: PackageFunction = PackageFunction::new("border", "attributes");

/// Arguments of a type of the user's own.
pub(super) struct Derived {
    ty: Ty,
    object: Obj,
    members: Box<[Ty]>,
    /// The class that the first of them had, once one came.
    known: OnceLock<Known>,
}

struct Known {
    class: Py<PyType>,
    /// Whether all instances of the class have the type.
    is_constant: bool,
    /// The attributes that its members are; none if a function says how to come by them.
    attributes: Option<Box<[Attribute]>>,
}

/// The name of an attribute, and how its value is read.
type Attribute = (Py<PyString>, Parameter);

impl Derived {
    /// Those of a type.
    pub(super) fn of(ty: Ty, user: &User) -> Derived {
        let members = user.members.iter().map(|(_, it)| *it).collect();
        Derived { ty, object: user.object, members, known: OnceLock::new() }
    }

    /// Whether the class of an object says that it is of the type.
    pub(super) fn recognizes(&self, object: &Bound<'_, PyAny>) -> bool {
        self.known.get().is_some_and(|it| it.is_constant && it.is_class_of(object))
    }

    /// Reads the attributes of an object of the type; false if somebody else has to read it.
    pub(super) fn unbox<'py>(
        &self,
        object: &Bound<'py, PyAny>,
        words: &mut [u64],
        arguments: &mut Arguments<'py>,
    ) -> PyResult<bool> {
        let known = match self.known.get() {
            Some(known) => known,
            None => {
                let found = self.look(object)?;
                self.known.get_or_init(|| found)
            }
        };
        let Some(attributes) = &known.attributes else { return Ok(false) };
        if !known.is_class_of(object) {
            return Ok(false);
        }
        let mut rest = words;
        for (name, member) in attributes {
            // Who has no such attribute is told so by the function that handles all cases.
            let Ok(value) = object.getattr(name.bind(object.py())) else { return Ok(false) };
            let (own, after) = rest.split_at_mut(member.width);
            member.unbox(&value, own, arguments)?;
            rest = after;
        }
        Ok(true)
    }

    fn look(&self, object: &Bound<'_, PyAny>) -> PyResult<Known> {
        let py = object.py();
        let class = object.get_type();
        let ty = objects::object(py, self.object);
        let is_constant = typeof_::constant(object) == Some(self.ty);
        let names = ATTRIBUTES.get(py)?.call1((ty,))?;
        let attributes = match names.is_none() {
            true => None,
            false => {
                let mut found = Vec::new();
                for (name, ty) in names.try_iter()?.zip(&self.members) {
                    let name = name?.cast_into::<PyString>().map_err(PyErr::from)?;
                    found.push((name.unbind(), Parameter::of(py, *ty)));
                }
                Some(found.into())
            }
        };
        Ok(Known { class: class.unbind(), is_constant, attributes })
    }
}

impl Known {
    fn is_class_of(&self, object: &Bound<'_, PyAny>) -> bool {
        object.get_type_ptr().cast() == self.class.as_ptr()
    }
}
