//! From Python's syntax tree to the compiler's.

use std::sync::Arc;

use opwright_jit::ast::{
    Ast, Binary, Call, Compare, Expr, ExprId, Function, FunctionId, Literal, Locals, Name, Param,
    ParamKind, Span, Stmt, StmtKind, Target, Unary,
};
use opwright_jit::{Error, error::SourcePlace};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyComplex, PyEllipsis, PyFloat, PyInt, PyList, PyString};

type Node<'a, 'py> = &'a Bound<'py, PyAny>;

/// Why a tree was not read.
pub(super) enum Unread {
    /// It is outside of the language.
    Refused(Error),
    /// Python raised something.
    Raised(PyErr),
}

impl From<PyErr> for Unread {
    fn from(error: PyErr) -> Unread {
        Unread::Raised(error)
    }
}

type Read<T> = Result<T, Unread>;

/// Reads a function or lambda.
///
/// `lines` and `columns` are added to the places of nodes.
pub(super) fn read(node: Node<'_, '_>, ast: Ast, lines: u32, columns: u32) -> Read<Ast> {
    let mut reader = Reader { ast, scopes: Vec::new(), lines, columns };
    reader.function(node)?;
    Ok(reader.ast)
}

struct Reader {
    ast: Ast,
    scopes: Vec<Locals>,
    lines: u32,
    columns: u32,
}

impl Reader {
    fn span(&self, node: Node<'_, '_>) -> PyResult<Span> {
        let number = |name: &str| node.getattr(name)?.extract::<u32>();
        Ok(Span {
            line: number("lineno")? + self.lines,
            column: number("col_offset")? + self.columns,
            end_line: number("end_lineno")? + self.lines,
            end_column: number("end_col_offset")? + self.columns,
        })
    }

    fn refused<T>(&self, node: Node<'_, '_>, what: &str) -> Read<T> {
        let span = self.span(node)?;
        let error = Error::unsupported(what).at(|| SourcePlace {
            file: Arc::from(self.ast.file.as_str()),
            span,
            text: self.ast.line(span.line).unwrap_or_default().to_owned(),
        });
        Err(Unread::Refused(error))
    }

    fn function(&mut self, node: Node<'_, '_>) -> Read<FunctionId> {
        let id = self.ast.reserve_function();
        let span = self.span(node)?;
        let kind = kind(node)?;
        let is_lambda = kind == "Lambda";
        if !is_lambda && kind != "FunctionDef" {
            return self.refused(node, "only functions are compiled, not what is asynchronous");
        }
        let name =
            if is_lambda { "<lambda>".to_owned() } else { node.getattr("name")?.extract()? };
        let defaults = self.defaults(node)?;
        let mut locals = Locals::default();
        let mut params = self.params(node, &mut locals)?;
        for (param, default) in params.iter_mut().zip(defaults) {
            param.default = default;
        }
        let body = node.getattr("body")?;
        if !is_lambda {
            for stmt in body.cast::<PyList>().map_err(PyErr::from)? {
                declare(&stmt, &mut locals)?;
            }
        }
        declare_named(&body, &mut locals)?;
        self.scopes.push(locals);
        let body = if is_lambda {
            let value = self.expr(&body)?;
            vec![Stmt { kind: StmtKind::Return(Some(value)), span: self.ast.span(value) }]
        } else {
            self.body(&body)?
        };
        let locals = self.scopes.pop().map(Locals::into_names).unwrap_or_default();
        self.ast.set_function(id, Function { name: name.into(), params, locals, body, span });
        Ok(id)
    }

    /// The defaults of the parameters in order, as they stand; those of the outermost function are
    /// taken from the function itself.
    fn defaults(&mut self, node: Node<'_, '_>) -> Read<Vec<Option<ExprId>>> {
        let args = node.getattr("args")?;
        let count = args.getattr("posonlyargs")?.len()? + args.getattr("args")?.len()?;
        let given = args.getattr("defaults")?;
        let mut defaults = vec![None; count];
        if self.scopes.is_empty() {
            defaults.resize(count + args.getattr("kwonlyargs")?.len()? + 1, None);
            return Ok(defaults);
        }
        let first = count - given.len()?;
        for (at, default) in given.try_iter()?.enumerate() {
            defaults[first + at] = Some(self.expr(&default?)?);
        }
        if !args.getattr("vararg")?.is_none() {
            defaults.push(None);
        }
        for default in args.getattr("kw_defaults")?.try_iter()? {
            let default = default?;
            let default = if default.is_none() { None } else { Some(self.expr(&default)?) };
            defaults.push(default);
        }
        Ok(defaults)
    }

    fn params(&self, node: Node<'_, '_>, locals: &mut Locals) -> Read<Vec<Param>> {
        let args = node.getattr("args")?;
        let mut params = Vec::new();
        let mut add = |arg: Bound<'_, PyAny>, kind: ParamKind| -> PyResult<()> {
            let name: String = arg.getattr("arg")?.extract()?;
            let local = locals.declare(&name);
            params.push(Param { name: name.into(), local, kind, default: None });
            Ok(())
        };
        for arg in args.getattr("posonlyargs")?.try_iter()? {
            add(arg?, ParamKind::Positional)?;
        }
        for arg in args.getattr("args")?.try_iter()? {
            add(arg?, ParamKind::Either)?;
        }
        let rest = args.getattr("vararg")?;
        if !rest.is_none() {
            add(rest, ParamKind::Rest)?;
        }
        for arg in args.getattr("kwonlyargs")?.try_iter()? {
            add(arg?, ParamKind::Keyword)?;
        }
        let keywords = args.getattr("kwarg")?;
        if !keywords.is_none() {
            return self.refused(&keywords, "**kwargs have no type: name the keywords");
        }
        Ok(params)
    }

    fn body(&mut self, body: Node<'_, '_>) -> Read<Vec<Stmt>> {
        let mut statements = Vec::new();
        for (at, node) in body.try_iter()?.enumerate() {
            let node = node?;
            if at == 0 && is_docstring(&node)? {
                continue;
            }
            let span = self.span(&node)?;
            statements.push(Stmt { kind: self.stmt(&node)?, span });
        }
        Ok(statements)
    }

    fn stmt(&mut self, node: Node<'_, '_>) -> Read<StmtKind> {
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
        let mut call = Call { callee, positional: Vec::new(), keywords: Vec::new() };
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

    fn target(&mut self, node: Node<'_, '_>) -> Read<Target> {
        let kind = kind(node)?;
        Ok(match kind.as_str() {
            "Name" => {
                let name: String = node.getattr("id")?.extract()?;
                match self.scopes.last().and_then(|it| it.get(&name)) {
                    Some(local) => Target::Name(local),
                    None => return self.refused(node, "only locals are assigned"),
                }
            }
            "Tuple" | "List" => {
                let mut items = Vec::new();
                for item in node.getattr("elts")?.try_iter()? {
                    items.push(self.target(&item?)?);
                }
                Target::Tuple(items)
            }
            "Subscript" => {
                let of = self.field(node, "value")?;
                Target::Subscript(of, self.field(node, "slice")?)
            }
            "Attribute" => {
                let of = self.field(node, "value")?;
                let name: String = node.getattr("attr")?.extract()?;
                Target::Attribute(of, name.into())
            }
            _ => return self.refused(node, "*names in targets are not compiled: slice the tuple"),
        })
    }

    fn field(&mut self, node: Node<'_, '_>, name: &str) -> Read<ExprId> {
        self.expr(&node.getattr(name)?)
    }

    fn optional(&mut self, node: Node<'_, '_>, name: &str) -> Read<Option<ExprId>> {
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

    fn expr(&mut self, node: Node<'_, '_>) -> Read<ExprId> {
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

    fn binary(&self, node: Node<'_, '_>) -> Read<Binary> {
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
        let mut call = Call { callee, positional: Vec::new(), keywords: Vec::new() };
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

fn kind(node: Node<'_, '_>) -> PyResult<String> {
    Ok(node.get_type().name()?.to_string_lossy().into_owned())
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

fn is_docstring(node: Node<'_, '_>) -> PyResult<bool> {
    if kind(node)? != "Expr" {
        return Ok(false);
    }
    let value = node.getattr("value")?;
    Ok(kind(&value)? == "Constant" && value.getattr("value")?.is_instance_of::<PyString>())
}

/// Declares the names that a statement assigns, without those of functions within.
fn declare(node: Node<'_, '_>, locals: &mut Locals) -> PyResult<()> {
    match kind(node)?.as_str() {
        "Assign" => {
            for target in node.getattr("targets")?.try_iter()? {
                declare_target(&target?, locals)?;
            }
        }
        "AugAssign" | "AnnAssign" => declare_target(&node.getattr("target")?, locals)?,
        "For" => {
            declare_target(&node.getattr("target")?, locals)?;
            declare_blocks(node, &["body", "orelse"], locals)?;
        }
        "While" | "If" => declare_blocks(node, &["body", "orelse"], locals)?,
        "FunctionDef" => {
            locals.declare(&node.getattr("name")?.extract::<String>()?);
        }
        _ => {}
    }
    Ok(())
}

fn declare_blocks(node: Node<'_, '_>, names: &[&str], locals: &mut Locals) -> PyResult<()> {
    for name in names {
        for stmt in node.getattr(*name)?.try_iter()? {
            declare(&stmt?, locals)?;
        }
    }
    Ok(())
}

fn declare_target(node: Node<'_, '_>, locals: &mut Locals) -> PyResult<()> {
    match kind(node)?.as_str() {
        "Name" => {
            locals.declare(&node.getattr("id")?.extract::<String>()?);
        }
        "Tuple" | "List" => {
            for item in node.getattr("elts")?.try_iter()? {
                declare_target(&item?, locals)?;
            }
        }
        _ => {}
    }
    Ok(())
}

/// Declares what `:=` assigns anywhere in a body, but not in functions within.
fn declare_named(node: Node<'_, '_>, locals: &mut Locals) -> PyResult<()> {
    if let Ok(list) = node.cast::<PyList>() {
        return list.iter().try_for_each(|it| declare_named(&it, locals));
    }
    let Ok(fields) = node.getattr("_fields") else { return Ok(()) };
    match kind(node)?.as_str() {
        "FunctionDef" | "Lambda" | "Constant" | "Name" => return Ok(()),
        "NamedExpr" => declare_target(&node.getattr("target")?, locals)?,
        _ => {}
    }
    for field in fields.try_iter()? {
        let name: String = field?.extract()?;
        if let Ok(value) = node.getattr(name.as_str()) {
            declare_named(&value, locals)?;
        }
    }
    Ok(())
}

/// What to write instead of a node that the language does not have.
fn refusal(kind: &str) -> &'static str {
    match kind {
        "List" | "ListComp" => "lists are not compiled: write a tuple, or fill an array in a loop",
        "Dict" | "DictComp" => "dicts are not compiled: use tuples, arrays or a native_struct",
        "Set" | "SetComp" => "sets are not compiled: use tuples or arrays",
        "GeneratorExp" => "generator expressions are not compiled: write a loop",
        "Yield" | "YieldFrom" => "generators are not compiled: fill an array and return it",
        "Await" | "AsyncFor" | "AsyncWith" | "AsyncFunctionDef" => {
            "nothing asynchronous is compiled: call the function from a coroutine"
        }
        "Try" | "TryStar" => {
            "`try` is not compiled: test before, and let what is raised go through"
        }
        "With" => "`with` is not compiled: enter the context around the call",
        "Import" | "ImportFrom" => "`import` is not compiled: import at the top of the module",
        "Global" | "Nonlocal" => "locals alone are assigned: return the value instead",
        "ClassDef" => "classes are not compiled: define a native_struct outside",
        "JoinedStr" | "FormattedValue" => {
            "text is not made here: f-strings stand where something is raised"
        }
        "Match" => "`match` is not compiled: write if and elif",
        "Starred" => "* stands in calls only",
        _ => "this is not compiled",
    }
}
