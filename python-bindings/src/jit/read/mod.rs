//! From Python's syntax tree to the compiler's.

mod declare;
mod expr;
mod stmt;

use std::sync::Arc;

use opwright_jit::ast::{
    Ast, ExprId, FunctionDef, FunctionId, FunctionParam, Locals, ParamKind, Span, Stmt, StmtKind,
};
use opwright_jit::{Error, error::SourcePlace};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};

use self::declare::{declare, declare_named};

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
    let mut reader = NodeReader { ast, scopes: Vec::new(), lines, columns };
    reader.function(node)?;
    Ok(reader.ast)
}

struct NodeReader {
    ast: Ast,
    scopes: Vec<Locals>,
    lines: u32,
    columns: u32,
}

impl NodeReader {
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
        self.ast.set_function(id, FunctionDef { name: name.into(), params, locals, body, span });
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

    fn params(&self, node: Node<'_, '_>, locals: &mut Locals) -> Read<Vec<FunctionParam>> {
        let args = node.getattr("args")?;
        let mut params = Vec::new();
        let mut add = |arg: Bound<'_, PyAny>, kind: ParamKind| -> PyResult<()> {
            let name: String = arg.getattr("arg")?.extract()?;
            let local = locals.declare(&name);
            params.push(FunctionParam { name: name.into(), local, kind, default: None });
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
}

fn kind(node: Node<'_, '_>) -> PyResult<String> {
    Ok(node.get_type().name()?.to_string_lossy().into_owned())
}

fn is_docstring(node: Node<'_, '_>) -> PyResult<bool> {
    if kind(node)? != "Expr" {
        return Ok(false);
    }
    let value = node.getattr("value")?;
    Ok(kind(&value)? == "Constant" && value.getattr("value")?.is_instance_of::<PyString>())
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
