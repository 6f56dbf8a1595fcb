//! Statements.

use super::state::{Closure, Infer};
use super::value::Typed;
use crate::ast::{AssignTarget, Ast, Binary, ExprId, FunctionId, Span, Stmt, StmtKind};
use crate::error::{Error, ErrorKind, Result};
use crate::ir::{RaisedArg, Terminator, Trap, ValueList};
use crate::types::{Ty, TyKind};

impl Infer<'_> {
    pub(super) fn block(&mut self, ast: &Ast, body: &[Stmt]) -> Result<()> {
        for stmt in body {
            if self.is_dead {
                break;
            }
            self.set_place(stmt.span);
            match self.statement(|infer| infer.stmt(ast, stmt)) {
                Err(error) if error.report().kind == ErrorKind::Unreached => {}
                done => done.map_err(|it| self.placed(it, stmt.span))?,
            }
        }
        Ok(())
    }

    fn stmt(&mut self, ast: &Ast, stmt: &Stmt) -> Result<()> {
        match &stmt.kind {
            StmtKind::Return(value) => {
                let value = match value {
                    Some(value) => self.expr(ast, *value)?,
                    None => Typed::none(),
                };
                self.return_value(value);
                Ok(())
            }
            StmtKind::Assign(targets, value) => {
                let value = self.expr(ast, *value)?;
                if !matches!(targets.as_slice(), [AssignTarget::Name(_)]) {
                    self.hold_for_statement(&value);
                }
                targets.iter().try_for_each(|it| self.assign(ast, it, value.clone()))
            }
            StmtKind::Augment(target, op, value) => {
                self.augment(ast, target, *op, *value, stmt.span)
            }
            StmtKind::Annotate(target, annotation, value) => {
                let Some(value) = value else { return Ok(()) };
                let mut value = self.expr(ast, *value)?;
                if let Some(ty) = self.annotated(ast, *annotation) {
                    value = self.cast(&value, ty)?;
                }
                self.assign(ast, target, value)
            }
            StmtKind::For(target, iterable, body, other) => {
                self.for_loop(ast, target, *iterable, body, other)
            }
            StmtKind::While(test, body, other) => self.while_loop(ast, *test, body, other),
            StmtKind::If(test, then, other) => self.branch(ast, *test, then, other),
            StmtKind::Break => {
                let edge = self.leave(None);
                if let Some(frame) = self.scope_mut().loops.last_mut() {
                    frame.breaks.extend(edge);
                }
                Ok(())
            }
            StmtKind::Continue => {
                let edge = self.leave(None);
                if let Some(frame) = self.scope_mut().loops.last_mut() {
                    frame.continues.extend(edge);
                }
                Ok(())
            }
            StmtKind::Pass => Ok(()),
            StmtKind::Raise(value) => self.raise(ast, *value),
            StmtKind::Assert(test, message) => self.assert(ast, *test, *message),
            StmtKind::Expr(value) => self.expr(ast, *value).map(drop),
            StmtKind::Delete(of, name) => self.delete_attribute(ast, *of, name),
            StmtKind::Def(slot, function) => {
                let closure = self.closure(ast, *function)?;
                self.set_local(*slot, closure);
                Ok(())
            }
        }
    }

    fn delete_attribute(&mut self, ast: &Ast, of: ExprId, name: &str) -> Result<()> {
        let value = self.expr(ast, of)?;
        if self.overloaded_delete(&value, name)? {
            return Ok(());
        }
        Err(Error::typing(format!("{} has no attribute {name} that can be deleted", value.ty)))
    }

    pub(super) fn set_local(&mut self, slot: u32, value: Typed) {
        self.rebind(slot, value);
    }

    /// A function within the one that is typed, as a value.
    pub(super) fn closure(&mut self, ast: &Ast, function: FunctionId) -> Result<Typed> {
        let mut defaults = Vec::new();
        for param in &ast.function(function).params {
            if let Some(default) = param.default {
                defaults.push((param.name.clone(), self.expr(ast, default)?));
            }
        }
        let scope = self.scopes.len() - 1;
        let Some(around) = self.scopes.last() else {
            return Err(Error::typing("a nested function has a function around it"));
        };
        let (code, host) = (around.code.clone(), around.host);
        self.closures.push(Closure { code, function, host, scope, defaults });
        let id = u32::try_from(self.closures.len() - 1).unwrap_or(u32::MAX);
        Ok(Typed::fact(Ty::new(TyKind::Closure(id))))
    }

    /// The type that an annotation names, if it names one.
    fn annotated(&mut self, ast: &Ast, annotation: ExprId) -> Option<Ty> {
        match *self.expr(ast, annotation).ok()?.ty {
            TyKind::DType(ty) => Some(ty),
            _ => None,
        }
    }

    pub(super) fn assign(&mut self, ast: &Ast, target: &AssignTarget, value: Typed) -> Result<()> {
        match target {
            AssignTarget::Name(slot) => {
                self.set_local(*slot, value);
                Ok(())
            }
            AssignTarget::Tuple(targets) => {
                let items = self.unpacked(&value, targets.len())?;
                targets
                    .iter()
                    .zip(items)
                    .try_for_each(|(target, item)| self.assign(ast, target, item))
            }
            AssignTarget::Subscript(of, index) => {
                let of = self.expr(ast, *of)?;
                let index = self.expr(ast, *index)?;
                self.set_item(&of, &index, &value)
            }
            AssignTarget::Attribute(of, name) => {
                let of = self.expr(ast, *of)?;
                self.set_attribute(&of, name, &value)
            }
        }
    }

    fn unpacked(&mut self, value: &Typed, count: usize) -> Result<Vec<Typed>> {
        let value = self.unwrap(value)?;
        match value.items() {
            Some(items) if items.len() == count => Ok(items),
            Some(items) => Err(Error::typing(format!(
                "cannot unpack {} values into {count} targets",
                items.len()
            ))),
            None => self.unpacked_array(&value, count),
        }
    }

    fn augment(
        &mut self,
        ast: &Ast,
        target: &AssignTarget,
        op: Binary,
        value: ExprId,
        span: Span,
    ) -> Result<()> {
        match target {
            AssignTarget::Name(slot) => {
                let before = self.local(*slot)?;
                let value = self.expr(ast, value)?;
                let result = self.augmented(op, &before, &value)?;
                self.set_local(*slot, result);
                Ok(())
            }
            AssignTarget::Subscript(of, index) => {
                let of = self.expr(ast, *of)?;
                let index = self.expr(ast, *index)?;
                let before = self.item(&of, &index)?;
                let value = self.expr(ast, value)?;
                let result = self.augmented(op, &before, &value)?;
                let is_view = before.ty.as_array().is_some()
                    && of.ty.as_array().is_some()
                    && !super::index::is_array_index(&index);
                // A view was written in place; what an array of indices takes is a copy.
                if is_view { Ok(()) } else { self.set_item(&of, &index, &result) }
            }
            AssignTarget::Attribute(of, name) => {
                let of = self.expr(ast, *of)?;
                let before = self.attribute(&of, name)?;
                let value = self.expr(ast, value)?;
                let result = self.augmented(op, &before, &value)?;
                self.set_attribute(&of, name, &result)
            }
            AssignTarget::Tuple(_) => {
                Err(self.placed(Error::unsupported("a tuple is not assigned in place"), span))
            }
        }
    }

    fn augmented(&mut self, op: Binary, before: &Typed, value: &Typed) -> Result<Typed> {
        if before.ty.as_array().is_some() {
            return self.array_in_place(op, before, value);
        }
        self.binary(op, before, value)
    }

    fn assert(&mut self, ast: &Ast, test: ExprId, message: Option<ExprId>) -> Result<()> {
        let test = self.condition(ast, test)?;
        if self.builder.function.constant(test) == Some(1) {
            return Ok(());
        }
        let (fine, _) = self.builder.add_block([]);
        let (wrong, _) = self.builder.add_block([]);
        self.builder.end(Terminator::Branch(
            test,
            (fine, ValueList::new()),
            (wrong, ValueList::new()),
        ));
        self.builder.enter(wrong);
        let saved = self.scope().vars.clone();
        let message = message.map(|it| self.expr(ast, it)).transpose()?;
        let class = self.host.assertion_error();
        self.end_raised(class, message.as_slice())?;
        self.builder.enter(fine);
        self.scope_mut().vars = saved;
        Ok(())
    }

    fn raise(&mut self, ast: &Ast, value: ExprId) -> Result<()> {
        let value = self.expr(ast, value)?;
        match &*value.ty {
            TyKind::Exception(class) => self.end_raised(*class, &[])?,
            TyKind::Raised(class, types) => {
                let args: Vec<Typed> = (0..types.len()).map(|at| value.part(types, at)).collect();
                self.end_raised(*class, &args)?;
            }
            _ => {
                return Err(Error::typing(format!(
                    "exceptions are classes of exceptions, or made by calling one: {} is none",
                    value.ty
                )));
            }
        }
        let (nowhere, _) = self.builder.add_block([]);
        self.builder.enter(nowhere);
        self.is_dead = true;
        Ok(())
    }

    fn end_raised(&mut self, class: crate::types::Obj, args: &[Typed]) -> Result<()> {
        let shown = args.iter().map(|it| RaisedArg::Value(it.ty)).collect();
        let words = args.iter().flat_map(|it| it.words.iter().copied()).collect();
        let site = self.builder.site(Trap::Raised(class, shown));
        self.builder.end(Terminator::Raise(site, words));
        Ok(())
    }
}
