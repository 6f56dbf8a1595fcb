//! The compiler's host: Python, asked for sources and names.

mod candidates;
mod lowering;
mod names;
mod py_host;
mod source;

use std::sync::Arc;

use opwright_jit::ir::Program;
use opwright_jit::types::{Obj, Ty, TyKind};
use opwright_jit::{
    ArgumentQuery, ArrayPlan, CallTarget, Candidate, Code, DeclaredSignature, Frozen, Host,
    InferOptions, LoweringSteps, Operation, OperatorOperand, Result,
};
use pyo3::exceptions::{PyAssertionError, PyAttributeError};
use pyo3::prelude::*;

pub(super) use self::py_host::PyHost;

use self::names::{class_name, class_name_of, description, is_type};
use self::source::struct_type;
use super::read::Unread;
use super::{errors, freeze, objects, operators, types};

impl<'py> PyHost<'py> {
    /// Compiles a function for types; the program keeps the objects that it names.
    ///
    /// # Errors
    ///
    /// Why it is not compiled.
    pub(super) fn compile(
        self,
        function: &Bound<'py, PyAny>,
        tys: &[Ty],
        declared: Option<&DeclaredSignature>,
        options: InferOptions,
    ) -> PyResult<Program> {
        let number = self.keeper.number(function);
        let mut program = opwright_jit::compile(&self, number, tys, declared, options)
            .map_err(|it| errors::compilation(self.py, &it, || self.take()))?;
        program.kept = Some(Arc::new(self.keeper.into_kept()));
        Ok(program)
    }
}

/// Whether a type of the user's own is part of a type.
fn has_user(ty: Ty) -> bool {
    match &*ty {
        TyKind::User(_) => true,
        TyKind::Optional(inner) => has_user(*inner),
        _ => ty.items().is_some_and(|items| items.iter().any(|it| has_user(*it))),
    }
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

    fn callee(&self, number: Obj) -> Result<CallTarget> {
        if let Some(known) = self.callees.borrow().get(&number) {
            return Ok(known.clone());
        }
        let found = self.callee_of(number)?;
        self.callees.borrow_mut().insert(number, found.clone());
        Ok(found)
    }

    fn ask(
        &self,
        op: Operation<'_>,
        args: &[ArgumentQuery],
        keywords: &[(Arc<str>, ArgumentQuery)],
    ) -> Result<Vec<Candidate>> {
        self.heard(self.asked(op, args, keywords))
    }

    fn castable(&self, from: Ty) -> Result<Vec<Ty>> {
        let found = types::to_python(self.py, from).and_then(|ty| {
            let found = self.package("casts")?.call_method1("targets", (ty,))?;
            found.try_iter()?.map(|it| freeze::from_python(&it?)).collect::<PyResult<Vec<Ty>>>()
        });
        self.heard(found)
    }

    fn steps(&self, lowering: Obj) -> Result<LoweringSteps> {
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
        self.heard(found).map(|it| Some(self.keeper.number(&it)))
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
        self.heard(found).map(|it| Some(self.keeper.number(&it)))
    }

    fn plan(&self, name: &str, args: &[OperatorOperand]) -> Result<Option<ArrayPlan>> {
        self.heard(operators::plan(self.py, &self.keeper, name, args))
    }

    fn assertion_error(&self) -> Obj {
        self.keeper.number(self.py.get_type::<PyAssertionError>().as_any())
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
            ("int", TyKind::Int(_) | TyKind::Bool)
                | ("bool", TyKind::Bool)
                | ("float", TyKind::Float(_))
                | ("complex", TyKind::Complex(_))
                | ("tuple", TyKind::Tuple(_) | TyKind::NamedTuple(..))
                | ("str", TyKind::Text(_) | TyKind::Unicode)
                | ("ndarray" | "Tensor", TyKind::Array(_))
                | ("range", TyKind::Range)
                | ("NoneType", TyKind::None)
        ))
    }

    fn describe(&self, object: Obj) -> String {
        let object = objects::object(self.py, object);
        description(&object).unwrap_or_else(|_| "an object".to_owned())
    }

    fn class_name(&self, object: Obj) -> String {
        class_name(&objects::object(self.py, object))
    }
}
