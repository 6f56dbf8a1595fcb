//! Ownership of memory: references of variables and of values in between.
//!
//! What makes memory gives one reference, which the statement around it drops when it ends. A variable
//! has a reference of its own as long as it is bound. Where ways meet, each brings a reference for
//! what is bound there. What is left when a call fails, the frame gives back.

use super::scope::Binding;
use super::state::Infer;
use super::value::Typed;
use crate::error::{ErrorKind, Result};
use crate::ir::{Def, Opcode, Value};
use crate::types::{Prim, Representation, Ty, TyKind};

impl Infer<'_> {
    /// The owners in a value that may be memory of the program's own.
    fn owners(&self, value: &Typed) -> Vec<Value> {
        if !has_owner(value.ty) {
            return Vec::new();
        }
        let prims = value.ty.prims();
        let owners = value.words.iter().zip(&prims).filter(|(_, prim)| **prim == Prim::Owner);
        owners.map(|(word, _)| *word).filter(|it| !self.is_lent(*it)).collect()
    }

    /// Whether an owner is an argument of the entry or a constant, of which nothing is counted.
    fn is_lent(&self, owner: Value) -> bool {
        match self.builder.function.values[owner.0 as usize].def {
            Def::Const(_) => true,
            Def::Param(block) => block.0 == 0 && self.is_entry,
            Def::Inst(_) => false,
        }
    }

    pub(super) fn retain(&mut self, value: &Typed) {
        for owner in self.owners(value) {
            self.builder.push(Opcode::Retain, &[owner], []);
        }
    }

    fn release_owner(&mut self, owner: Value) {
        self.builder.push(Opcode::Release, &[owner], []);
    }

    /// Has the statement drop a reference that a value came with.
    pub(super) fn keep_for_statement(&mut self, value: &Typed) {
        let owners = self.owners(value);
        if let Some(frame) = self.temporaries.last_mut() {
            frame.extend(owners);
        }
    }

    /// Keeps a value until the statement ends, whatever its variable is bound to meanwhile.
    pub(super) fn hold_for_statement(&mut self, value: &Typed) {
        self.retain(value);
        self.keep_for_statement(value);
    }

    /// Does something whose values in between are dropped at its end.
    pub(super) fn statement<T>(&mut self, run: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.temporaries.push(Vec::new());
        let result = run(self);
        let owners = self.temporaries.pop().unwrap_or_default();
        if !self.is_dead {
            owners.into_iter().for_each(|it| self.release_owner(it));
        }
        result
    }

    /// A value that comes out of one of several ways, with a reference of its own.
    pub(super) fn way(&mut self, run: impl FnOnce(&mut Self) -> Result<Typed>) -> Result<Typed> {
        let found = self.statement(|infer| {
            let value = run(infer)?;
            if !infer.is_dead {
                infer.retain(&value);
            }
            Ok(value)
        });
        match found {
            Err(error) if error.report().kind == ErrorKind::Unreached => Ok(Typed::none()),
            found => found,
        }
    }

    /// Binds a local, which drops what it was bound to.
    pub(super) fn rebind(&mut self, slot: u32, value: Typed) {
        self.retain(&value);
        let before =
            std::mem::replace(&mut self.scope_mut().vars[slot as usize], Binding::Set(value));
        self.release_binding(&before);
    }

    /// Drops the reference that a value came with.
    pub(super) fn drop_value(&mut self, value: &Typed) {
        self.owners(value).into_iter().for_each(|it| self.release_owner(it));
    }

    pub(super) fn release_binding(&mut self, binding: &Binding) {
        if let Binding::Set(value) | Binding::Maybe(value, _) = binding {
            for owner in self.owners(value) {
                self.release_owner(owner);
            }
        }
    }

    /// Drops what a function holds before it returns.
    pub(super) fn release_scope(&mut self) {
        let scope = self.scope();
        let (vars, from) = (scope.vars.clone(), scope.temporaries);
        vars.iter().for_each(|it| self.release_binding(it));
        let owners: Vec<Value> = self.temporaries[from..].iter().flatten().copied().collect();
        owners.into_iter().for_each(|it| self.release_owner(it));
    }
}

/// Whether values of a type may hold memory of the program's own.
fn has_owner(ty: Ty) -> bool {
    match &*ty {
        TyKind::Array(_) | TyKind::Flat(_) => true,
        TyKind::User(user) => {
            user.form == Representation::Reference
                || user.members.iter().any(|(_, it)| has_owner(*it))
        }
        TyKind::Optional(inner) | TyKind::Bound(inner, _) => has_owner(*inner),
        TyKind::Tuple(items)
        | TyKind::NamedTuple(_, _, items)
        | TyKind::Iter(_, items)
        | TyKind::Raised(_, items) => items.iter().any(|it| has_owner(*it)),
        _ => false,
    }
}
