//! Whole arrays: making them, and operators over all elements.

use super::bind::Args;
use super::{Infer, Typed};
use crate::ast::{Binary, Unary};
use crate::error::{Error, Result};
use crate::types::{Array, Kind, Layout, Ty};

impl Infer<'_> {
    pub(super) fn array_unary(&mut self, _op: Unary, operand: &Typed) -> Result<Typed> {
        Err(Error::typing(format!("no operator of {}", operand.ty)))
    }

    pub(super) fn array_binary(&mut self, op: Binary, left: &Typed, right: &Typed) -> Result<Typed> {
        Err(Error::typing(format!("no {} of {} and {}", op.name(), left.ty, right.ty)))
    }

    pub(super) fn array_in_place(&mut self, op: Binary, before: &Typed, value: &Typed) -> Result<Typed> {
        self.array_binary(op, before, value)
    }

    pub(super) fn array_builtin(&mut self, name: &str, _args: Args) -> Result<Typed> {
        Err(Error::typing(format!("no function {name} of these arguments")))
    }

    pub(super) fn array_method(&mut self, of: &Typed, name: &str, _args: Args) -> Result<Typed> {
        Err(Error::typing(format!("{} has no method '{name}'", of.ty)))
    }

    pub(super) fn assign_array(&mut self, target: &Typed, _value: &Typed) -> Result<()> {
        Err(Error::typing(format!("{} cannot be assigned as a whole", target.ty)))
    }

    pub(super) fn item_by_array(&mut self, of: &Typed, _index: &Typed) -> Result<Typed> {
        Err(Error::typing(format!("{} has no items by arrays", of.ty)))
    }

    pub(super) fn set_by_array(&mut self, of: &Typed, _index: &Typed, _value: &Typed) -> Result<()> {
        Err(Error::typing(format!("{} has no items by arrays", of.ty)))
    }

    /// The dimensions in reverse order.
    pub(super) fn transposed(&mut self, of: &Typed) -> Typed {
        let Some(array) = of.ty.as_array() else { return of.clone() };
        let ndim = array.ndim;
        let layout = match array.layout {
            _ if ndim < 2 => array.layout,
            Layout::C => Layout::F,
            Layout::F => Layout::C,
            Layout::Any => Layout::Any,
        };
        let mut words = of.words.clone();
        words[2..2 + ndim].reverse();
        words[2 + ndim..].reverse();
        Typed::new(Ty::new(Kind::Array(Array { layout, ..*array })), words)
    }

    pub(super) fn complex_view(&mut self, of: &Typed, name: &str) -> Result<Typed> {
        let Some(array) = of.ty.as_array() else { return Ok(of.clone()) };
        if !array.dtype.is_complex() {
            return match name {
                "real" => Ok(of.clone()),
                _ => Err(Error::typing(format!("{} has no imaginary part", of.ty))),
            };
        }
        let part = array.dtype.real_type();
        let mut words = of.words.clone();
        if name == "imag" {
            let half = self.builder.int(part.itemsize());
            words[1] = self.builder.emit(crate::ir::Op::Offset, &[words[1], half], crate::types::Prim::Ptr);
        }
        Ok(Typed::new(Ty::new(Kind::Array(Array { dtype: part, layout: Layout::Any, ..*array })), words))
    }

    pub(super) fn function_of_complex(&mut self, name: &str, value: &Typed) -> Result<Typed> {
        Err(Error::typing(format!("no {name} of {}", value.ty)))
    }
}
