//! Expressions.

use opwright_jit::ast::{Binary, CallExpr, Compare, Expr, ExprId, Literal, Name, Unary};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyComplex, PyEllipsis, PyFloat, PyInt, PyString};

use super::{Node, NodeReader, Read, kind, refusal};

impl NodeReader {
    pub(super) fn field(&mut self, node: Node<'_, '_>, name: &str) -> Read<ExprId> {
        self.expr(&node.getattr(name)?)
    }

    pub(super) fn optional(&mut self, node: Node<'_, '_>, name: &str) -> Read<Option<ExprId>> {
        let value = node.getattr(name)?;
        if value.is_none() { Ok(None) } else { self.expr(&value).map(Some) }
    }

    fn exprs(&mut self, node: Node<'_, '_>, name: &str) -> Read<Vec<ExprId>> {
        let mut items = Vec::new();
        for item in node.getattr(name)?.try_iter()? {
            items.push(self.expr(&item?)?);
        }
        Ok(items)
    }

    pub(super) fn expr(&mut self, node: Node<'_, '_>) -> Read<ExprId> {
        let span = self.span(node)?;
        let kind = kind(node)?;
        let expr = match kind.as_str() {
            "Constant" => self.constant(node)?,
            "Name" => Expr::Name(self.name(&node.getattr("id")?.extract::<String>()?)),
            "Tuple" => Expr::Tuple(self.exprs(node, "elts")?),
            "UnaryOp" => self.unary(node)?,
            "BinOp" => {
                let left = self.field(node, "left")?;
                let right = self.field(node, "right")?;
                Expr::Binary(self.binary(node)?, left, right)
            }
            "BoolOp" => {
                let is_and = operator(node)? == "And";
                Expr::Logical(is_and, self.exprs(node, "values")?)
            }
            "Compare" => self.compare(node)?,
            "IfExp" => Expr::Conditional(
                self.field(node, "test")?,
                self.field(node, "body")?,
                self.field(node, "orelse")?,
            ),
            "NamedExpr" => {
                let name: String = node.getattr("target")?.getattr("id")?.extract()?;
                let value = self.field(node, "value")?;
                Expr::Named(self.name(&name), value)
            }
            "Call" => self.call(node)?,
            "Attribute" => {
                let of = self.field(node, "value")?;
                Expr::Attribute(of, node.getattr("attr")?.extract::<String>()?.into())
            }
            "Subscript" => {
                let of = self.field(node, "value")?;
                Expr::Subscript(of, self.field(node, "slice")?)
            }
            "Slice" => Expr::Slice([
                self.optional(node, "lower")?,
                self.optional(node, "upper")?,
                self.optional(node, "step")?,
            ]),
            "Lambda" => Expr::Lambda(self.function(node)?),
            _ => return self.refused(node, refusal(&kind)),
        };
        Ok(self.ast.add(expr, span))
    }

    fn name(&self, name: &str) -> Name {
        for (levels, locals) in (0..).zip(self.scopes.iter().rev()) {
            match (levels, locals.get(name)) {
                (0, Some(local)) => return Name::Local(local),
                (levels, Some(local)) => return Name::Outer(levels, local),
                (_, None) => {}
            }
        }
        Name::Free(name.into())
    }

    fn constant(&self, node: Node<'_, '_>) -> Read<Expr> {
        let value = node.getattr("value")?;
        let literal = if value.is_none() {
            Literal::None
        } else if value.is_instance_of::<PyBool>() {
            Literal::Bool(value.extract()?)
        } else if value.is_instance_of::<PyInt>() {
            match value.extract::<i128>() {
                Ok(number) => Literal::Int(number),
                Err(_) => return self.refused(node, "whole numbers have at most 64 bits"),
            }
        } else if value.is_instance_of::<PyFloat>() {
            Literal::Float(value.extract()?)
        } else if value.is_instance_of::<PyComplex>() {
            Literal::Imaginary(value.getattr("imag")?.extract()?)
        } else if value.is_instance_of::<PyString>() {
            Literal::Text(value.extract::<String>()?.into())
        } else if value.is_instance_of::<PyEllipsis>() {
            Literal::Ellipsis
        } else {
            return self.refused(node, "constants are numbers, bools, None and text");
        };
        Ok(Expr::Literal(literal))
    }

    fn unary(&mut self, node: Node<'_, '_>) -> Read<Expr> {
        let op = match operator(node)?.as_str() {
            "USub" => Unary::Neg,
            "UAdd" => Unary::Pos,
            "Invert" => Unary::Invert,
            _ => Unary::Not,
        };
        // A negative constant is one constant.
        let operand = node.getattr("operand")?;
        if op == Unary::Neg && kind(&operand)? == "Constant" {
            match self.constant(&operand)? {
                Expr::Literal(Literal::Int(number)) => {
                    return Ok(Expr::Literal(Literal::Int(-number)));
                }
                Expr::Literal(Literal::Float(number)) => {
                    return Ok(Expr::Literal(Literal::Float(-number)));
                }
                _ => {}
            }
        }
        Ok(Expr::Unary(op, self.expr(&operand)?))
    }

    pub(super) fn binary(&self, node: Node<'_, '_>) -> Read<Binary> {
        Ok(match operator(node)?.as_str() {
            "Add" => Binary::Add,
            "Sub" => Binary::Sub,
            "Mult" => Binary::Mul,
            "Div" => Binary::Div,
            "FloorDiv" => Binary::FloorDiv,
            "Mod" => Binary::Mod,
            "Pow" => Binary::Pow,
            "MatMult" => Binary::MatMul,
            "BitAnd" => Binary::And,
            "BitOr" => Binary::Or,
            "BitXor" => Binary::Xor,
            "LShift" => Binary::Shl,
            _ => Binary::Shr,
        })
    }

    fn compare(&mut self, node: Node<'_, '_>) -> Read<Expr> {
        let first = self.field(node, "left")?;
        let others = self.exprs(node, "comparators")?;
        let mut rest = Vec::with_capacity(others.len());
        for (op, other) in node.getattr("ops")?.try_iter()?.zip(others) {
            rest.push((comparison(&kind(&op?)?), other));
        }
        Ok(Expr::Compare(first, rest))
    }

    fn call(&mut self, node: Node<'_, '_>) -> Read<Expr> {
        let callee_node = node.getattr("func")?;
        let callee = self.expr(&callee_node)?;
        let takes_list = takes_list(&callee_node)?;
        let mut call = CallExpr { callee, positional: Vec::new(), keywords: Vec::new() };
        for arg in node.getattr("args")?.try_iter()? {
            let arg = arg?;
            let is_rest = kind(&arg)? == "Starred";
            let value = if is_rest { arg.getattr("value")? } else { arg };
            let value = if takes_list { self.listed(&value)? } else { self.expr(&value)? };
            call.positional.push((value, is_rest));
        }
        for keyword in node.getattr("keywords")?.try_iter()? {
            let keyword = keyword?;
            let name = keyword.getattr("arg")?;
            if name.is_none() {
                return self.refused(&keyword, "**arguments have no type: name them");
            }
            let value = self.field(&keyword, "value")?;
            call.keywords.push((name.extract::<String>()?.into(), value));
        }
        Ok(Expr::Call(call))
    }

    /// A list display as the argument of a function that makes an array means the tuple.
    fn listed(&mut self, node: Node<'_, '_>) -> Read<ExprId> {
        if !matches!(kind(node)?.as_str(), "List" | "Tuple") {
            return self.expr(node);
        }
        let span = self.span(node)?;
        let mut items = Vec::new();
        for item in node.getattr("elts")?.try_iter()? {
            items.push(self.listed(&item?)?);
        }
        Ok(self.ast.add(Expr::Tuple(items), span))
    }
}

/// Whether a list as argument of this function is an array.
fn takes_list(callee: Node<'_, '_>) -> PyResult<bool> {
    let name: String = match kind(callee)?.as_str() {
        "Attribute" => callee.getattr("attr")?.extract()?,
        "Name" => callee.getattr("id")?.extract()?,
        _ => return Ok(false),
    };
    Ok(matches!(name.as_str(), "array" | "asarray" | "tensor"))
}

fn operator(node: Node<'_, '_>) -> PyResult<String> {
    kind(&node.getattr("op")?)
}

fn comparison(name: &str) -> Compare {
    match name {
        "Eq" => Compare::Eq,
        "NotEq" => Compare::Ne,
        "Lt" => Compare::Lt,
        "LtE" => Compare::Le,
        "Gt" => Compare::Gt,
        "GtE" => Compare::Ge,
        "Is" => Compare::Is,
        "IsNot" => Compare::IsNot,
        "In" => Compare::In,
        _ => Compare::NotIn,
    }
}
