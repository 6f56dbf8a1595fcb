//! Arguments of a user's class: recognized by the class if all its instances have one type, and read
//! as their type says.

use std::sync::OnceLock;

use opwright_jit::types::{Representation, Ty, TyKind, User};
use pyo3::prelude::*;

use super::arrays::Arguments;
use super::entry::{ArgumentKind, DerivedArguments, DerivedClass, DerivedMembers};
use super::registrations;
use super::unboxer::{self, Unboxer};
use crate::raw::Visitor;

impl DerivedArguments {
    /// Those of a type; none if nobody said what its values consist of.
    pub(super) fn of(ty: Ty, user: &User) -> Option<DerivedArguments> {
        (user.form != Representation::Unknown)
            .then(|| DerivedArguments { ty, known: OnceLock::new() })
    }

    /// Tells the garbage collector what it keeps.
    pub(super) fn traverse(&self, visitor: &mut Visitor) {
        let Some(known) = self.known.get() else { return };
        if let Some(class) = &known.class {
            // SAFETY: a reference of its own, to a class that lives.
            unsafe { visitor.see(class.as_ptr()) };
        }
        match &known.members {
            DerivedMembers::Attributes(members) => {
                members.iter().for_each(|(_, it)| it.traverse(visitor))
            }
            DerivedMembers::Function(function, members) => {
                // SAFETY: as for the class.
                unsafe { visitor.see(function.as_ptr()) };
                members.iter().for_each(|it| it.traverse(visitor));
            }
        }
    }

    /// Whether the class of an object says that it is of the type.
    pub(super) fn recognizes(&self, object: &Bound<'_, PyAny>) -> bool {
        let class = self.known.get().and_then(|it| it.class.as_ref());
        class.is_some_and(|it| object.get_type_ptr().cast() == it.as_ptr())
    }

    /// Reads the members of an object of the type.
    ///
    /// # Errors
    ///
    /// What reading them raises, or the function that makes them.
    pub(super) fn unbox<'py>(
        &self,
        object: &Bound<'py, PyAny>,
        words: &mut [u64],
        arguments: &mut Arguments<'py>,
    ) -> PyResult<()> {
        let TyKind::User(user) = &*self.ty else { return Ok(()) };
        let known = match self.known.get() {
            Some(known) => known,
            None => {
                let found = self.look(object, user)?;
                self.known.get_or_init(|| found)
            }
        };
        let mut rest = words;
        let mut read = |value: &Bound<'py, PyAny>, member: &ArgumentKind, arguments: &mut _| {
            let (own, after) = std::mem::take(&mut rest).split_at_mut(member.width);
            rest = after;
            member.unbox(value, own, arguments)
        };
        match &known.members {
            DerivedMembers::Attributes(members) => {
                for (name, member) in members {
                    read(&unboxer::attribute(object, user, name)?, member, arguments)?;
                }
            }
            DerivedMembers::Function(function, members) => {
                let made = unboxer::members(function, object, arguments)?;
                for (value, member) in made.iter_borrowed().zip(members) {
                    read(&value, member, arguments)?;
                }
            }
        }
        Ok(())
    }

    fn look(&self, object: &Bound<'_, PyAny>, user: &User) -> PyResult<DerivedClass> {
        let py = object.py();
        let is_constant = registrations::constant(object) == Some(self.ty);
        let members = user.members.iter().map(|(_, it)| ArgumentKind::of(py, *it));
        let members = match &*Unboxer::of(py, user)? {
            Unboxer::Attributes(names) => DerivedMembers::Attributes(
                names.iter().map(|it| it.clone_ref(py)).zip(members).collect(),
            ),
            Unboxer::Function(function) => {
                DerivedMembers::Function(function.clone_ref(py), members.collect())
            }
        };
        Ok(DerivedClass { class: is_constant.then(|| object.get_type().unbind()), members })
    }
}
