//! Attributes and methods of values.

use super::bind::Args;
use super::state::Infer;
use super::value::Typed;
use crate::error::{Error, Result};
use crate::types::{Ty, TyKind};

impl Infer<'_> {
    pub(super) fn attribute(&mut self, of: &Typed, name: &str) -> Result<Typed> {
        let of = &self.unwrap(of)?;
        match &*of.ty {
            TyKind::Module(object)
            | TyKind::Class(object)
            | TyKind::Function(object)
            | TyKind::Exception(object) => {
                if !matches!(*of.ty, TyKind::Module(_))
                    && self.host.has_class_method(*object, name)?
                {
                    return Ok(Typed::fact(Ty::new(TyKind::Bound(of.ty, name.into()))));
                }
                return match self.host.attribute(*object, name)? {
                    Some(frozen) => self.frozen(&frozen),
                    None => Err(Error::typing(format!(
                        "{} has no attribute '{name}'",
                        self.host.describe(*object)
                    ))),
                };
            }
            _ => {}
        }
        if let Some(found) = self.overloaded_attribute(of, name)? {
            return Ok(found);
        }
        let found = match &*of.ty {
            TyKind::Bool | TyKind::Int(_) | TyKind::Float(_) | TyKind::Complex(_) => {
                self.number_attribute(of, name)?
            }
            TyKind::NamedTuple(_, names, types) => {
                names.iter().position(|it| **it == *name).map(|at| of.part(types, at))
            }
            TyKind::Array(_) => self.array_attribute(of, name)?,
            TyKind::Range => {
                let at = ["start", "stop", "step"].iter().position(|it| *it == name);
                at.map(|at| Typed::one(Ty::int64(), of.words[at]))
            }
            _ => None,
        };
        found.ok_or_else(|| {
            let error = Error::typing(format!("{} has no attribute '{name}'", of.ty));
            self.with_declined(error)
        })
    }

    fn number_attribute(&mut self, of: &Typed, name: &str) -> Result<Option<Typed>> {
        Ok(Some(match name {
            "real" if of.ty.is_complex() => self.complex_part(of, 0),
            "imag" if of.ty.is_complex() => self.complex_part(of, 1),
            "real" => of.clone(),
            "imag" => {
                let zero = self.int(0);
                self.convert(&zero, of.ty)?
            }
            "conjugate" => Typed::new(Ty::new(TyKind::Bound(of.ty, name.into())), of.words.clone()),
            _ => return Ok(None),
        }))
    }

    fn array_attribute(&mut self, of: &Typed, name: &str) -> Result<Option<Typed>> {
        let Some(array) = of.ty.as_array() else { return Ok(None) };
        let ndim = array.ndim;
        let numbers = |from: usize| {
            let items: Vec<Typed> =
                of.words[from..from + ndim].iter().map(|it| Typed::one(Ty::int64(), *it)).collect();
            Typed::tuple(&items)
        };
        Ok(Some(match name {
            "shape" => numbers(2),
            "strides" => numbers(2 + ndim),
            "ndim" => self.int(i64::try_from(ndim).unwrap_or(i64::MAX)),
            "size" => Typed::one(Ty::int64(), self.flat_size(of)),
            "dtype" => Typed::fact(Ty::new(TyKind::DType(array.dtype))),
            "flat" => Typed::new(Ty::new(TyKind::Flat(of.ty)), of.words.clone()),
            "T" => self.transposed(of),
            "real" | "imag" => return self.complex_view(of, name).map(Some),
            _ if is_array_method(name) => {
                Typed::new(Ty::new(TyKind::Bound(of.ty, name.into())), of.words.clone())
            }
            _ => return Ok(None),
        }))
    }

    pub(super) fn call_method(
        &mut self,
        receiver: &Typed,
        name: &str,
        args: Args,
    ) -> Result<Typed> {
        if let TyKind::Function(object) | TyKind::Class(object) | TyKind::Exception(object) =
            *receiver.ty
        {
            return self.class_method(receiver, object, name, &args);
        }
        if let Some(found) = self.overloaded_method(receiver, name, &args)? {
            return Ok(found);
        }
        match (&*receiver.ty, name) {
            (TyKind::Complex(_), "conjugate") => {
                let imag = self.complex_part(receiver, 1);
                let imag = self.number_unary(crate::ast::Unary::Neg, &imag)?;
                let words = [receiver.words[0], imag.word()];
                Ok(Typed::new(receiver.ty, words.as_slice().into()))
            }
            (_, "conjugate") if receiver.ty.is_number() => Ok(receiver.clone()),
            (TyKind::Array(_), _) => self.array_method(receiver, name, args),
            _ => {
                let error =
                    Error::typing(format!("{} has no method '{name}' for these", receiver.ty));
                Err(self.with_declined(error))
            }
        }
    }

    pub(super) fn set_attribute(&mut self, of: &Typed, name: &str, value: &Typed) -> Result<()> {
        let of = &self.unwrap(of)?;
        if self.overloaded_set_attribute(of, name, value)? {
            return Ok(());
        }
        Err(Error::typing(format!("attribute '{name}' of {} cannot be assigned", of.ty)))
    }
}

/// Whether an array has a method that is written here; others are registered by the host.
fn is_array_method(name: &str) -> bool {
    const METHODS: &[&str] =
        &["copy", "ravel", "reshape", "astype", "fill", "item", "transpose", "swapaxes", "flatten"];
    METHODS.contains(&name)
}
