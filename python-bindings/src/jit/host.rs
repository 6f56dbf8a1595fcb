//! The compiler's host: Python, asked for sources and names.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use opwright_jit::ast::Ast;
use opwright_jit::types::{Kind, Obj, Ty};
use opwright_jit::{
    Answer, Asked, Callee, Candidate, Code, Error, Extra, Frozen, Host, Inline, Op,
    OperatorOperand, Plan, Result, Role, Step, Steps,
};
use pyo3::exceptions::{PyAssertionError, PyAttributeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFunction, PyTuple};

use super::read::{self, Unread};
use super::{freeze, objects, operators, types};

/// Python while a function is compiled.
pub(super) struct PyHost<'py> {
    py: Python<'py>,
    /// What was raised, if something was.
    raised: RefCell<Option<PyErr>>,
    /// Whether something is registered for operators, by their names.
    operators: RefCell<HashMap<String, bool>>,
    /// What the package knows objects as, by their numbers.
    callees: RefCell<HashMap<Obj, Callee>>,
}

impl<'py> PyHost<'py> {
    pub(super) fn new(py: Python<'py>) -> PyHost<'py> {
        PyHost {
            py,
            raised: RefCell::new(None),
            operators: RefCell::default(),
            callees: RefCell::default(),
        }
    }

    /// What was raised, for an error of the kind `Host`.
    pub(super) fn take(&self) -> Option<PyErr> {
        self.raised.take()
    }

    fn keep(&self, error: PyErr) -> Error {
        self.raised.replace(Some(error));
        Error::host()
    }

    fn heard<T>(&self, result: PyResult<T>) -> Result<T> {
        result.map_err(|it| self.keep(it))
    }

    fn package(&self, module: &str) -> PyResult<Bound<'py, PyAny>> {
        Ok(self.py.import(format!("{}._jit.{module}", crate::package::name()))?.into_any())
    }

    fn read(&self, function: Obj) -> std::result::Result<Arc<Code>, Unread> {
        let function = objects::object(self.py, function);
        let source = self.package("source")?.call_method1("read", (&function,))?;
        let (node, file, first_line, text, lines, columns): (
            Bound<'py, PyAny>,
            String,
            u32,
            String,
            u32,
            u32,
        ) = source.extract()?;
        let ast = Ast::new(file, first_line, &text);
        let ast = read::read(&node, ast, lines, columns)?;
        let defaults = self.defaults(&function, &ast)?;
        let name: String = function.getattr("__name__")?.extract()?;
        Ok(Arc::new(Code { ast, defaults, name: name.into() }))
    }

    fn defaults(
        &self,
        function: &Bound<'py, PyAny>,
        ast: &Ast,
    ) -> PyResult<Vec<(Arc<str>, Frozen)>> {
        use opwright_jit::ast::{FunctionId, ParamKind};
        let params = &ast.function(FunctionId(0)).params;
        let positional: Vec<_> = params
            .iter()
            .filter(|it| matches!(it.kind, ParamKind::Positional | ParamKind::Either))
            .collect();
        let mut found = Vec::new();
        let given = function.getattr("__defaults__")?;
        if let Ok(given) = given.cast::<PyTuple>() {
            let first = positional.len().saturating_sub(given.len());
            for (param, value) in positional[first..].iter().zip(given.iter()) {
                if let Some(frozen) = freeze::freeze(&value)? {
                    found.push((param.name.clone(), frozen));
                }
            }
        }
        if let Ok(given) = function.getattr("__kwdefaults__")?.cast::<PyDict>() {
            for (name, value) in given.iter() {
                if let Some(frozen) = freeze::freeze(&value)? {
                    found.push((name.extract::<String>()?.into(), frozen));
                }
            }
        }
        Ok(found)
    }

    /// Loads what the package has written in the language, which is registered with that.
    pub(super) fn load(&self) -> PyResult<()> {
        self.package("builtins").map(drop)
    }

    fn asked(
        &self,
        op: Op<'_>,
        args: &[Asked],
        keywords: &[(Arc<str>, Asked)],
    ) -> PyResult<Vec<Candidate>> {
        self.load()?;
        let registry = || self.package("registry");
        let py = self.py;
        let (function, mut front) = match op {
            Op::Object(object) => {
                let object = objects::object(py, object);
                if !registry()?.call_method1("is_registered", (&object,))?.is_truthy()? {
                    return Ok(Vec::new());
                }
                ("ask", vec![object])
            }
            Op::Operator(name) => {
                if self.operators.borrow().get(name) == Some(&false) {
                    return Ok(Vec::new());
                }
                let object = py.import("operator")?.getattr(name)?;
                let is_known =
                    registry()?.call_method1("is_registered", (&object,))?.is_truthy()?;
                self.operators.borrow_mut().insert(name.to_owned(), is_known);
                if !is_known {
                    return Ok(Vec::new());
                }
                ("ask", vec![object])
            }
            Op::Member(ty, role, name) => {
                let role = match role {
                    Role::Method => "method",
                    Role::Get => "get",
                    Role::Set => "set",
                    Role::Delete => "del",
                };
                let ty = types::to_python(py, ty)?;
                let (role, name) =
                    (role.into_pyobject(py)?.into_any(), name.into_pyobject(py)?.into_any());
                ("ask_member", vec![ty, role, name])
            }
            Op::Class(class, name) => {
                ("ask_class", vec![objects::object(py, class), name.into_pyobject(py)?.into_any()])
            }
            Op::Bound(method) => ("ask_bound", vec![objects::object(py, method)]),
        };
        let args: PyResult<Vec<_>> = args.iter().map(|it| asked_type(py, *it)).collect();
        front.push(PyTuple::new(py, args?)?.into_any());
        let named = PyDict::new(py);
        for (name, ty) in keywords {
            named.set_item(&**name, asked_type(py, *ty)?)?;
        }
        if function == "ask_member" && matches!(op, Op::Member(_, Role::Get, _)) {
            named.set_item("name", &front[2])?;
        }
        front.push(named.into_any());
        let rows = registry()?.call_method1(function, PyTuple::new(py, front)?)?;
        rows.try_iter()?.map(|it| self.candidate(&it?)).collect()
    }

    fn candidate(&self, row: &Bound<'py, PyAny>) -> PyResult<Candidate> {
        type Row<'py> = (String, i64, String, Bound<'py, PyAny>, i64, String);
        let (place, priority, kind, value, rank, reason): Row<'py> = row.extract()?;
        let answer = match kind.as_str() {
            "body" => {
                let defaults = value.get_item(1)?;
                let defaults = defaults.cast::<PyDict>().map_err(PyErr::from)?;
                let mut found: Vec<(Arc<str>, Frozen)> = Vec::new();
                for (name, default) in defaults.iter() {
                    if let Some(frozen) = freeze::freeze(&default)? {
                        found.push((name.extract::<String>()?.into(), frozen));
                    }
                }
                let inline = match value.get_item(2)?.extract::<&str>()? {
                    "always" => Inline::Always,
                    "never" => Inline::Never,
                    _ => Inline::Auto,
                };
                Answer::Body(objects::number(&value.get_item(0)?), found, inline)
            }
            "lowered" => {
                let args: PyResult<Vec<Ty>> =
                    value.getattr("args")?.try_iter()?.map(|it| types::from_python(&it?)).collect();
                let result = types::from_python(&value.getattr("result")?)?;
                Answer::Lowered(objects::number(&value), args?, result)
            }
            "field" => Answer::Field(value.extract::<String>()?.into()),
            "method" => Answer::Method(objects::number(&value)),
            _ => Answer::Declined(reason),
        };
        Ok(Candidate { place, priority, rank, answer })
    }

    fn noted(&self, lowering: Obj) -> PyResult<Steps> {
        let lowering = objects::object(self.py, lowering);
        let made = lowering.call_method0("steps")?;
        let mut steps = Vec::new();
        for step in made.get_item(0)?.try_iter()? {
            let (name, args, extra): (String, Vec<usize>, Bound<'py, PyAny>) = step?.extract()?;
            let extra = self.extra(&name, &extra)?;
            steps.push(Step { name: name.into(), args, extra });
        }
        Ok(Steps { steps, result: made.get_item(1)?.extract()? })
    }

    fn extra(&self, name: &str, extra: &Bound<'py, PyAny>) -> PyResult<Extra> {
        if extra.is_none() {
            return Ok(Extra::None);
        }
        Ok(match name {
            "constant" => {
                let (ty, value): (Bound<'py, PyAny>, Bound<'py, PyAny>) = extra.extract()?;
                let frozen = freeze::freeze(&value)?.ok_or_else(|| {
                    pyo3::exceptions::PyTypeError::new_err(format!("{value:?} is no constant"))
                })?;
                Extra::Constant(types::from_python(&ty)?, frozen)
            }
            "field" | "with_field" | "icmp_signed" | "icmp_unsigned" | "fcmp_ordered"
            | "fcmp_unordered" => Extra::Name(extra.extract::<String>()?.into()),
            "item" | "with_item" | "dim" => Extra::Index(extra.extract()?),
            "call" | "function" => {
                let extra = extra.getattr("_opwright_operation_").unwrap_or_else(|_| extra.clone());
                let function = extra.getattr("py_func").unwrap_or(extra);
                Extra::Object(objects::number(&function), Arc::from(""))
            }
            "native" => {
                let (ty, address): (Bound<'py, PyAny>, u64) = extra.extract()?;
                Extra::Native(types::from_python(&ty)?, address)
            }
            "raise" => {
                let (class, text): (Bound<'py, PyAny>, String) = extra.extract()?;
                Extra::Object(objects::number(&class), text.into())
            }
            _ => Extra::Type(types::from_python(extra)?),
        })
    }

    fn cast_of(&self, from: Ty, to: Ty) -> PyResult<Option<Obj>> {
        let (from, to) = (types::to_python(self.py, from)?, types::to_python(self.py, to)?);
        let found = self.package("casts")?.call_method1("find", (&from, &to))?;
        if found.is_none() {
            return Ok(None);
        }
        let made = self.package("lowering")?.call_method1("of_cast", (from, to, found))?;
        Ok(Some(objects::number(&made)))
    }

    fn setting_of(&self, of: Ty, name: &str, value: Ty) -> PyResult<Option<Obj>> {
        let (of, value) = (types::to_python(self.py, of)?, types::to_python(self.py, value)?);
        let made = self.package("lowering")?.call_method1("of_setattr", (of, name, value))?;
        Ok(if made.is_none() { None } else { Some(objects::number(&made)) })
    }

    fn defaults_of(&self, class: &Bound<'py, PyAny>) -> PyResult<Vec<(Arc<str>, Frozen)>> {
        let Ok(defaults) = class.getattr("_opwright_defaults_") else { return Ok(Vec::new()) };
        let defaults = defaults.cast::<PyDict>().map_err(PyErr::from)?;
        let mut found: Vec<(Arc<str>, Frozen)> = Vec::new();
        for (name, value) in defaults.iter() {
            if let Some(frozen) = freeze::freeze(&value)? {
                found.push((name.extract::<String>()?.into(), frozen));
            }
        }
        Ok(found)
    }

    /// The value of a free name: of an enclosing function, a global, or a builtin.
    fn look_up(&self, function: Obj, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        let function = objects::object(self.py, function);
        let code = function.getattr("__code__")?;
        let free: Vec<String> = code.getattr("co_freevars")?.extract()?;
        if let Some(at) = free.iter().position(|it| it == name) {
            return match function.getattr("__closure__")?.get_item(at)?.getattr("cell_contents") {
                Ok(value) => Ok(Some(value)),
                Err(_) => Ok(None),
            };
        }
        let globals = function.getattr("__globals__")?;
        let globals = globals.cast::<PyDict>().map_err(PyErr::from)?;
        if let Some(found) = globals.get_item(name)? {
            return Ok(Some(found));
        }
        match self.py.import("builtins")?.getattr(name) {
            Ok(found) => Ok(Some(found)),
            Err(error) if error.is_instance_of::<PyAttributeError>(self.py) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// What a call of an object runs.
    fn callee_of(&self, object: Obj) -> Result<Callee> {
        let object = objects::object(self.py, object);
        if let Some(name) = self.heard(freeze::known(&object))? {
            return Ok(Callee::Builtin(name.into()));
        }
        if let Ok(scalar) = object.getattr("_opwright_scalar_") {
            return Ok(Callee::Elementwise(objects::number(&scalar)));
        }
        if let Ok(derivative) = object.getattr("_opwright_derivative_") {
            let (of, at): (Bound<'_, PyAny>, usize) = self.heard(derivative.extract())?;
            return Ok(Callee::Derivative(objects::number(&of), at));
        }
        if object.is_instance_of::<PyFunction>() {
            return Ok(Callee::Function);
        }
        Ok(Callee::Unknown(self.heard(description(&object))?))
    }

    fn frozen(&self, found: Option<Bound<'py, PyAny>>, name: &str) -> Result<Option<Frozen>> {
        let Some(found) = found else { return Ok(None) };
        match self.heard(freeze::freeze(&found))? {
            Some(frozen) => Ok(Some(frozen)),
            None => Err(Error::typing(format!(
                "'{name}' is an object of class {}, which cannot be compiled",
                class_name(&found)
            ))),
        }
    }
}

/// The type that candidates are asked for: that of the one value, if it is known.
fn asked_type<'py>(py: Python<'py>, asked: Asked) -> PyResult<Bound<'py, PyAny>> {
    match (&*asked.ty, asked.known) {
        (Kind::Bool, Some(bits)) => types::literal(py, bits != 0),
        (Kind::Int(_), Some(bits)) => types::literal(py, bits.cast_signed()),
        _ => types::to_python(py, asked.ty),
    }
}

/// The type of a class of native structs.
fn struct_type(class: &Bound<'_, PyAny>) -> PyResult<Option<Ty>> {
    if class.getattr("_opwright_defaults_").is_err() {
        return Ok(None);
    }
    types::from_python(&class.getattr("_opwright_type_")?).map(Some)
}

/// Whether a type of the user's own is part of a type.
fn has_user(ty: Ty) -> bool {
    match &*ty {
        Kind::User(_) => true,
        Kind::Optional(inner) => has_user(*inner),
        _ => ty.items().is_some_and(|items| items.iter().any(|it| has_user(*it))),
    }
}

fn class_name(object: &Bound<'_, PyAny>) -> String {
    object.get_type().name().map_or_else(|_| "object".to_owned(), |it| it.to_string())
}

impl Host for PyHost<'_> {
    fn source(&self, function: Obj) -> Result<Arc<Code>> {
        self.read(function).map_err(|it| match it {
            Unread::Refused(error) => error,
            Unread::Raised(error) => self.keep(error),
        })
    }

    fn global(&self, function: Obj, name: &str) -> Result<Option<Frozen>> {
        let found = self.heard(self.look_up(function, name))?;
        self.frozen(found, name)
    }

    fn attribute(&self, object: Obj, name: &str) -> Result<Option<Frozen>> {
        let object = objects::object(self.py, object);
        match object.getattr(name) {
            Ok(found) => self.frozen(Some(found), name),
            Err(error) if error.is_instance_of::<PyAttributeError>(self.py) => Ok(None),
            Err(error) => Err(self.keep(error)),
        }
    }

    fn callee(&self, number: Obj) -> Result<Callee> {
        if let Some(known) = self.callees.borrow().get(&number) {
            return Ok(known.clone());
        }
        let found = self.callee_of(number)?;
        self.callees.borrow_mut().insert(number, found.clone());
        Ok(found)
    }

    fn ask(
        &self,
        op: Op<'_>,
        args: &[Asked],
        keywords: &[(Arc<str>, Asked)],
    ) -> Result<Vec<Candidate>> {
        self.heard(self.asked(op, args, keywords))
    }

    fn castable(&self, from: Ty) -> Result<Vec<Ty>> {
        let found = types::to_python(self.py, from).and_then(|ty| {
            let found = self.package("casts")?.call_method1("targets", (ty,))?;
            found.try_iter()?.map(|it| types::from_python(&it?)).collect::<PyResult<Vec<Ty>>>()
        });
        self.heard(found)
    }

    fn steps(&self, lowering: Obj) -> Result<Steps> {
        self.heard(self.noted(lowering))
    }

    fn cast(&self, from: Ty, to: Ty) -> Result<Option<Obj>> {
        if !has_user(from) && !has_user(to) {
            return Ok(None);
        }
        self.heard(self.cast_of(from, to))
    }

    fn setting(&self, of: Ty, name: &str, value: Ty) -> Result<Option<Obj>> {
        if !has_user(of) {
            return Ok(None);
        }
        self.heard(self.setting_of(of, name, value))
    }

    fn struct_of(&self, class: Obj) -> Result<Option<Ty>> {
        let class = objects::object(self.py, class);
        self.heard(struct_type(&class))
    }

    fn struct_defaults(&self, class: Obj) -> Result<Vec<(Arc<str>, Frozen)>> {
        let class = objects::object(self.py, class);
        self.heard(self.defaults_of(&class))
    }

    fn library(&self, name: &str) -> Result<Option<Obj>> {
        let found = self.package("builtins").and_then(|it| it.getattr(name));
        self.heard(found).map(|it| Some(objects::number(&it)))
    }

    fn has_method(&self, of: Ty, name: &str) -> Result<bool> {
        let found = types::to_python(self.py, of).and_then(|ty| {
            self.package("registry")?.call_method1("has_method", (ty, name))?.extract()
        });
        self.heard(found)
    }

    fn has_class_method(&self, of: Obj, name: &str) -> Result<bool> {
        let object = objects::object(self.py, of);
        let found = self
            .package("registry")
            .and_then(|it| it.call_method1("has_class_method", (object, name))?.extract());
        self.heard(found)
    }

    fn builtin(&self, name: &str) -> Result<Option<Obj>> {
        let found = self.py.import("builtins").and_then(|it| it.getattr(name));
        self.heard(found).map(|it| Some(objects::number(&it)))
    }

    fn plan(&self, name: &str, args: &[OperatorOperand]) -> Result<Option<Plan>> {
        self.heard(operators::plan(self.py, name, args))
    }

    fn assertion_error(&self) -> Obj {
        objects::number(self.py.get_type::<PyAssertionError>().as_any())
    }

    fn is_instance(&self, ty: Ty, class: Obj) -> Result<bool> {
        let class = objects::object(self.py, class);
        if has_user(ty) || class.hasattr("_opwright_type_").unwrap_or(false) || is_type(&class) {
            let found = types::to_python(self.py, ty).and_then(|ty| {
                self.package("typeof")?.call_method1("is_instance", (ty, class))?.extract()
            });
            return self.heard(found);
        }
        let name = class_name_of(&class);
        Ok(matches!(
            (name.as_str(), &*ty),
            ("int", Kind::Int(_) | Kind::Bool)
                | ("bool", Kind::Bool)
                | ("float", Kind::Float(_))
                | ("complex", Kind::Complex(_))
                | ("tuple", Kind::Tuple(_) | Kind::NamedTuple(..))
                | ("str", Kind::Text(_) | Kind::Unicode)
                | ("ndarray" | "Tensor", Kind::Array(_))
                | ("range", Kind::Range)
                | ("NoneType", Kind::None)
        ))
    }

    fn describe(&self, object: Obj) -> String {
        let object = objects::object(self.py, object);
        description(&object).unwrap_or_else(|_| "an object".to_owned())
    }
}

/// Whether a class is one of types.
fn is_type(class: &Bound<'_, PyAny>) -> bool {
    class.hasattr("is_precise").unwrap_or(false)
}

fn class_name_of(class: &Bound<'_, PyAny>) -> String {
    class.getattr("__name__").and_then(|it| it.extract()).unwrap_or_default()
}

/// What messages call an object.
fn description(object: &Bound<'_, PyAny>) -> PyResult<String> {
    let name = object.getattr("__name__").and_then(|it| it.extract::<String>());
    let kind = class_name(object);
    Ok(match name {
        Ok(name) if kind == "module" => format!("module '{name}'"),
        Ok(name) => format!("{kind} '{name}'"),
        Err(_) => format!("an object of class {kind}"),
    })
}
