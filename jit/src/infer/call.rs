//! Calls: of functions within, of functions of the host, of what the compiler knows.

use std::sync::Arc;

use super::bind::Args;
use super::scope::FunctionScope;
use super::state::{Infer, contains_closure};
use super::value::Typed;
use crate::ast::{Ast, CallExpr, FunctionId, Span, StmtKind};
use crate::error::{Error, Result};
use crate::host::{CallTarget, Code, Inline};
use crate::ir::{self, Opcode, Trap};
use crate::registry::with_reasons;
use crate::types::{Obj, Prim, Ty, TyKind};

impl Infer<'_> {
    pub(super) fn call(&mut self, ast: &Ast, call: &CallExpr, span: Span) -> Result<Typed> {
        let callee = self.expr(ast, call.callee)?;
        let args = self.args(ast, call)?;
        self.set_place(span);
        self.call_value(&callee, args)
    }

    /// Whether what is built in computes element by element.
    fn takes_operands(callee: &CallTarget) -> bool {
        match callee {
            CallTarget::Builtin(name) => super::number_function::is_number_function(name),
            CallTarget::Elementwise(_) => true,
            CallTarget::Function | CallTarget::Derivative(..) | CallTarget::Unknown(_) => false,
        }
    }

    /// Arguments that are there: what is computed late is computed now.
    pub(super) fn made_args(&mut self, mut args: Args) -> Result<Args> {
        for value in &mut args.positional {
            *value = self.made(value)?;
        }
        Ok(args)
    }

    pub(super) fn call_value(&mut self, callee: &Typed, args: Args) -> Result<Typed> {
        // What is called chooses whether it takes what is computed late.
        if let TyKind::Function(object) | TyKind::Class(object) = *callee.ty {
            return self.call_object(object, args);
        }
        let args = self.made_args(args)?;
        match &*callee.ty {
            TyKind::Closure(id) => self.call_closure(*id, args),
            TyKind::DType(ty) => self.convert_call(*ty, args),
            TyKind::Bound(ty, name) => {
                let receiver = Typed::new(*ty, callee.words.clone());
                self.call_method(&receiver, name, args)
            }
            TyKind::Exception(class) => Ok(raised(*class, &args)?),
            _ => Err(Error::typing(format!("{} is not callable", callee.ty))),
        }
    }

    fn call_closure(&mut self, id: u32, args: Args) -> Result<Typed> {
        let closure = self.closures[id as usize].clone();
        let ast = &closure.code.ast;
        let function = ast.function(closure.function);
        let defaults = &closure.defaults;
        let mut default = |_: &mut Self, name: &str| {
            Ok(defaults.iter().find(|(it, _)| **it == *name).map(|(_, value)| value.clone()))
        };
        let name = function.name.clone();
        let values = self.bind(&name, function, args, &mut default)?;
        let is_running = self
            .scopes
            .iter()
            .any(|it| Arc::ptr_eq(&it.code, &closure.code) && it.function == closure.function);
        if is_running {
            return Err(Error::typing(format!("the nested function {name} calls itself")));
        }
        let (code, host, around) = (closure.code.clone(), closure.host, closure.scope);
        self.inline(&code, closure.function, host, Some(around), values)
    }

    /// Writes the body of a function in place.
    fn inline(
        &mut self,
        code: &Arc<Code>,
        function: FunctionId,
        host: Obj,
        parent: Option<usize>,
        values: Vec<Typed>,
    ) -> Result<Typed> {
        if self.scopes.len() >= super::state::MAX_NESTING {
            return Err(Error::typing("calls are nested too deeply to be typed"));
        }
        let caller = self.builder.place;
        let scope = FunctionScope::new(code.clone(), function, host, parent, Some(caller));
        let result = self.run_scope(scope, values)?;
        self.builder.place = caller;
        // Where nothing returns, what follows is never reached.
        result.ok_or_else(Error::unreached)
    }

    pub(super) fn call_object(&mut self, object: Obj, args: Args) -> Result<Typed> {
        let place = self.builder.place;
        let what = self.host.describe(object);
        let types: Vec<String> =
            args.positional.iter().map(|it| self.asked_type(it).to_string()).collect();
        let result = self.call_resolved(object, args)?;
        self.calls
            .push((place, format!("{what}({}) -> {}", types.join(", "), self.asked_type(&result))));
        Ok(result)
    }

    fn call_resolved(&mut self, object: Obj, args: Args) -> Result<Typed> {
        if let Some(found) = self.overloaded(object, &args)? {
            return Ok(found);
        }
        let callee = match self.host.struct_of(object)? {
            Some(ty) => {
                let args = self.made_args(args)?;
                return self.construct(ty, object, args);
            }
            None => self.host.callee(object)?,
        };
        let args = if Self::takes_operands(&callee) { args } else { self.made_args(args)? };
        match callee {
            CallTarget::Builtin(name) => {
                let args = self.number_arguments(&name, args)?;
                // Calls within are no business of those that declined this one.
                let declined = std::mem::take(&mut self.declined);
                self.builtin(&name, args).map_err(|it| with_reasons(it, &declined))
            }
            CallTarget::Function if !self.declined.is_empty() => {
                let what = self.host.describe(object);
                let types: Vec<String> =
                    args.positional.iter().map(|it| it.ty.to_string()).collect();
                let error =
                    Error::typing(format!("no overload of {what} takes ({})", types.join(", ")));
                Err(self.with_declined(error))
            }
            CallTarget::Function => self.call_function(object, args),
            CallTarget::Elementwise(function) => self.call_elementwise(function, args, false),
            CallTarget::Derivative(function, at) => self.call_derivative(function, at, &args),
            CallTarget::Unknown(what) => {
                if !self.declined.is_empty() {
                    let what = self.call_text(&what, &args);
                    return Err(
                        self.with_declined(Error::typing(format!("no overload takes {what}")))
                    );
                }
                let error = Error::typing(format!(
                    "{what} has no source and no overload: register one with extending.overload"
                ));
                Err(self.with_declined(error))
            }
        }
    }

    pub(super) fn call_function(&mut self, object: Obj, args: Args) -> Result<Typed> {
        let code = self.host.source(object)?;
        if is_stub(&code) {
            let types: Vec<String> = args.positional.iter().map(|it| it.ty.to_string()).collect();
            return Err(Error::typing(format!(
                "{} does nothing, and no overload of it takes ({}): register one with extending.overload",
                code.name,
                types.join(", ")
            )));
        }
        let defaults = code.defaults.clone();
        self.call_code(object, &code, &defaults, args, code.inline)
    }

    /// Calls a function whose parameters have these defaults.
    pub(super) fn call_code(
        &mut self,
        object: Obj,
        code: &Arc<Code>,
        defaults: &[(Arc<str>, crate::host::Frozen)],
        args: Args,
        inline: Inline,
    ) -> Result<Typed> {
        let function = code.ast.function(FunctionId(0));
        let mut default = |infer: &mut Self, name: &str| {
            let found = defaults.iter().find(|(it, _)| **it == *name);
            found.map(|(_, value)| infer.frozen(value)).transpose()
        };
        let values = self.bind(&code.name, function, args, &mut default)?;
        let is_running =
            self.scopes.iter().any(|it| it.host == object && it.function == FunctionId(0));
        let takes_closure = values.iter().any(|it| contains_closure(it.ty));
        let in_place = match inline {
            Inline::Auto => is_small(code),
            Inline::Always => true,
            Inline::Never => false,
        };
        if takes_closure || (!is_running && in_place) {
            if is_running {
                return Err(Error::typing(format!(
                    "{} calls itself with a nested function",
                    code.name
                )));
            }
            return self.inline(code, FunctionId(0), object, None, values);
        }
        self.call_instance(object, &values)
    }

    fn call_instance(&mut self, object: Obj, values: &[Typed]) -> Result<Typed> {
        let types: Vec<Ty> = values.iter().map(|it| it.ty).collect();
        let place = self.builder.place;
        let (id, result) = self.instance(object, &types)?;
        self.builder.place = place;
        let Some(result) = result else {
            // The type comes from a return that needs no such call: here nothing goes on yet.
            self.is_dead = true;
            let (nowhere, _) = self.builder.add_block([]);
            self.builder.enter(nowhere);
            return Err(Error::unreached());
        };
        let words: Vec<ir::Value> = values.iter().flat_map(|it| it.words.iter().copied()).collect();
        let site = self.builder.site(Trap::Call);
        let prims: Vec<Prim> = result.prims().into_vec();
        let results =
            self.builder.push(Opcode::Call(ir::RuntimeCall::Function(id), site), &words, prims);
        let result = Typed::new(result, results);
        self.keep_for_statement(&result);
        Ok(result)
    }
}

/// An exception that is made.
fn raised(class: Obj, args: &Args) -> Result<Typed> {
    if let Some((name, _)) = args.keywords.first() {
        return Err(Error::unsupported(format!(
            "exceptions take no keyword arguments, such as {name}"
        )));
    }
    let types: Vec<Ty> = args.positional.iter().map(|it| it.ty).collect();
    let words = args.positional.iter().flat_map(|it| it.words.iter().copied()).collect();
    Ok(Typed::new(Ty::new(TyKind::Raised(class, types.into())), words))
}

/// Whether a function stands for its overloads: its body is `pass` or a text.
fn is_stub(code: &Code) -> bool {
    let body = &code.ast.function(FunctionId(0)).body;
    body.iter().all(|it| match &it.kind {
        StmtKind::Pass => true,
        StmtKind::Expr(value) => matches!(code.ast.expr(*value), crate::ast::Expr::Literal(_)),
        _ => false,
    })
}

/// Whether a function is better written in place than called.
fn is_small(code: &Code) -> bool {
    let body = &code.ast.function(FunctionId(0)).body;
    let is_short = |kind: &StmtKind| {
        matches!(
            kind,
            StmtKind::Return(_) | StmtKind::Assign(..) | StmtKind::Expr(_) | StmtKind::Pass
        )
    };
    body.len() <= 4 && body.iter().all(|it| is_short(&it.kind))
}
