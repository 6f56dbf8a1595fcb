//! Statements, and what they assign to.

use opwright_jit::ast::{AssignTarget, CallExpr, Expr, ExprId, StmtKind};
use pyo3::prelude::*;

use super::{Node, NodeReader, Read, Unread, kind, refusal};

impl NodeReader {
    pub(super) fn stmt(&mut self, node: Node<'_, '_>) -> Read<StmtKind> {
        let kind = kind(node)?;
        Ok(match kind.as_str() {
            "Return" => StmtKind::Return(self.optional(node, "value")?),
            "Assign" => {
                let value = self.field(node, "value")?;
                let mut targets = Vec::new();
                for target in node.getattr("targets")?.try_iter()? {
                    targets.push(self.target(&target?)?);
                }
                StmtKind::Assign(targets, value)
            }
            "AugAssign" => {
                let value = self.field(node, "value")?;
                let op = self.binary(node)?;
                StmtKind::Augment(self.target(&node.getattr("target")?)?, op, value)
            }
            "AnnAssign" => {
                let target = self.target(&node.getattr("target")?)?;
                let value = self.optional(node, "value")?;
                let annotation = node.getattr("annotation")?;
                // What is no expression of the language is no type either.
                match self.expr(&annotation) {
                    Ok(annotation) => StmtKind::Annotate(target, annotation, value),
                    Err(Unread::Refused(_)) => match value {
                        Some(value) => StmtKind::Assign(vec![target], value),
                        None => StmtKind::Pass,
                    },
                    Err(raised) => return Err(raised),
                }
            }
            "For" => {
                let iterable = self.field(node, "iter")?;
                let target = self.target(&node.getattr("target")?)?;
                let body = self.body(&node.getattr("body")?)?;
                StmtKind::For(target, iterable, body, self.body(&node.getattr("orelse")?)?)
            }
            "While" => {
                let test = self.field(node, "test")?;
                let body = self.body(&node.getattr("body")?)?;
                StmtKind::While(test, body, self.body(&node.getattr("orelse")?)?)
            }
            "If" => {
                let test = self.field(node, "test")?;
                let then = self.body(&node.getattr("body")?)?;
                StmtKind::If(test, then, self.body(&node.getattr("orelse")?)?)
            }
            "Break" => StmtKind::Break,
            "Continue" => StmtKind::Continue,
            "Pass" => StmtKind::Pass,
            "Raise" => return self.raise(node),
            "Assert" => {
                let test = self.field(node, "test")?;
                let message = node.getattr("msg")?;
                let message = if message.is_none() { None } else { Some(self.message(&message)?) };
                StmtKind::Assert(test, message)
            }
            "Expr" => StmtKind::Expr(self.field(node, "value")?),
            "Delete" => return self.delete(node),
            "FunctionDef" => return self.def(node),
            _ => return self.refused(node, refusal(&kind)),
        })
    }

    fn raise(&mut self, node: Node<'_, '_>) -> Read<StmtKind> {
        let value = node.getattr("exc")?;
        if value.is_none() {
            return self
                .refused(node, "`raise` alone raises what an `except` caught, and there is none");
        }
        if !node.getattr("cause")?.is_none() {
            return self
                .refused(node, "`raise ... from ...` is not compiled: raise the exception alone");
        }
        if kind(&value)? != "Call" {
            return Ok(StmtKind::Raise(self.expr(&value)?));
        }
        let span = self.span(&value)?;
        let callee = self.field(&value, "func")?;
        let mut call = CallExpr { callee, positional: Vec::new(), keywords: Vec::new() };
        for arg in value.getattr("args")?.try_iter()? {
            call.positional.push((self.message(&arg?)?, false));
        }
        if value.getattr("keywords")?.len()? > 0 {
            return self.refused(&value, "exceptions take no keyword arguments here");
        }
        Ok(StmtKind::Raise(self.ast.add(Expr::Call(call), span)))
    }

    /// An argument of an exception, which may be an f-string.
    fn message(&mut self, node: Node<'_, '_>) -> Read<ExprId> {
        if kind(node)? != "JoinedStr" {
            return self.expr(node);
        }
        let span = self.span(node)?;
        let mut parts = Vec::new();
        for part in node.getattr("values")?.try_iter()? {
            let part = part?;
            let has_format = kind(&part)? == "FormattedValue"
                && (!part.getattr("format_spec")?.is_none()
                    || part.getattr("conversion")?.extract::<i64>()? != -1);
            if has_format {
                return self
                    .refused(&part, "formats of values are not compiled: write the value alone");
            }
            let value =
                if kind(&part)? == "FormattedValue" { part.getattr("value")? } else { part };
            parts.push(self.expr(&value)?);
        }
        Ok(self.ast.add(Expr::Formatted(parts), span))
    }

    fn delete(&mut self, node: Node<'_, '_>) -> Read<StmtKind> {
        let targets = node.getattr("targets")?;
        let target = targets.get_item(0)?;
        if targets.len()? != 1 || kind(&target)? != "Attribute" {
            return self.refused(node, "`del` takes one attribute: names and items stay");
        }
        let of = self.field(&target, "value")?;
        let name: String = target.getattr("attr")?.extract()?;
        Ok(StmtKind::Delete(of, name.into()))
    }

    fn def(&mut self, node: Node<'_, '_>) -> Read<StmtKind> {
        if node.getattr("decorator_list")?.len()? > 0 {
            return self.refused(node, "a nested function has no decorators: define it outside");
        }
        let name: String = node.getattr("name")?.extract()?;
        let function = self.function(node)?;
        match self.scopes.last().and_then(|it| it.get(&name)) {
            Some(local) => Ok(StmtKind::Def(local, function)),
            None => self.refused(node, "a function stands in no other"),
        }
    }

    fn target(&mut self, node: Node<'_, '_>) -> Read<AssignTarget> {
        let kind = kind(node)?;
        Ok(match kind.as_str() {
            "Name" => {
                let name: String = node.getattr("id")?.extract()?;
                match self.scopes.last().and_then(|it| it.get(&name)) {
                    Some(local) => AssignTarget::Name(local),
                    None => return self.refused(node, "only locals are assigned"),
                }
            }
            "Tuple" | "List" => {
                let mut items = Vec::new();
                for item in node.getattr("elts")?.try_iter()? {
                    items.push(self.target(&item?)?);
                }
                AssignTarget::Tuple(items)
            }
            "Subscript" => {
                let of = self.field(node, "value")?;
                AssignTarget::Subscript(of, self.field(node, "slice")?)
            }
            "Attribute" => {
                let of = self.field(node, "value")?;
                let name: String = node.getattr("attr")?.extract()?;
                AssignTarget::Attribute(of, name.into())
            }
            _ => return self.refused(node, "*names in targets are not compiled: slice the tuple"),
        })
    }
}
