//! Where overloads of the user's own are asked first.

use super::bind::Args;
use super::{Infer, Typed};
use crate::ast::{Binary, Compare};
use crate::error::{Error, Result};
use crate::ir::Value;
use crate::types::Obj;

impl Infer<'_> {
    pub(super) fn overloaded(&mut self, _object: Obj, _args: &Args) -> Result<Option<Typed>> {
        Ok(None)
    }

    pub(super) fn overloaded_binary(&mut self, _op: Binary, _left: &Typed, _right: &Typed) -> Result<Option<Typed>> {
        Ok(None)
    }

    pub(super) fn overloaded_compare(&mut self, _op: Compare, _left: &Typed, _right: &Typed) -> Result<Option<Typed>> {
        Ok(None)
    }

    pub(super) fn overloaded_item(&mut self, _of: &Typed, _index: &Typed) -> Result<Option<Typed>> {
        Ok(None)
    }

    pub(super) fn overloaded_set_item(&mut self, _of: &Typed, _index: &Typed, _value: &Typed) -> Result<bool> {
        Ok(false)
    }

    pub(super) fn overloaded_attribute(&mut self, _of: &Typed, _name: &str) -> Result<Option<Typed>> {
        Ok(None)
    }

    pub(super) fn overloaded_set_attribute(&mut self, _of: &Typed, _name: &str, _value: &Typed) -> Result<bool> {
        Ok(false)
    }

    pub(super) fn user_truth(&mut self, value: &Typed) -> Result<Value> {
        Err(Error::typing(format!("{} has no truth value: register lower_cast to types.Boolean", value.ty)))
    }
}
