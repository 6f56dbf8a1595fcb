//! State of inference: the program that is written, its instances, scopes and closures.

use std::collections::HashMap;
use std::sync::Arc;

use super::scope::{Binding, FunctionScope};
use super::value::Typed;
use crate::ast::{FunctionId, Span};
use crate::error::{Error, Result, SourcePlace};
use crate::host::{Code, Host};
use crate::ir::{
    Builder, FuncId, FunctionName, PlaceId, Program, SourceLoc, Terminator, ValueList,
};
use crate::types::{Obj, Ty};

/// How often the types at the head of a loop may become wider.
pub(super) const MAX_WIDENINGS: usize = 4;

/// Compiles a function of the host for arguments of these types, one for each parameter.
///
/// # Errors
///
/// What cannot be typed, at its place.
pub fn compile(
    host: &dyn Host,
    function: Obj,
    args: &[Ty],
    declared: Option<&DeclaredSignature>,
    options: InferOptions,
) -> Result<Program> {
    let mut infer = Infer::new(host);
    infer.declared = declared.cloned();
    infer.options = options;
    infer.instance(function, args)?;
    let mut program = infer.program;
    program.calls = infer.calls;
    program.functions = infer.done.into_iter().flatten().collect();
    for function in &mut program.functions {
        let mut stats = crate::passes::run(function);
        if options.contracts {
            crate::passes::contract(function, &mut stats);
        }
        program.stats += stats;
    }
    program.mutated = crate::passes::mutated::owners(&program);
    Ok(program)
}

/// How a function is compiled, and what is written in place in it.
#[derive(Clone, Copy, Debug, Default)]
pub struct InferOptions {
    /// Whether division of real numbers by zero gives infinity or what is no number, as numpy has
    /// it, and raises nothing.
    pub divides_by_zero: bool,
    /// Whether a product and a sum may be rounded once, which changes results.
    pub contracts: bool,
}

/// A signature that was declared: arguments are cast to its types, and so is the result.
#[derive(Clone, Debug)]
pub struct DeclaredSignature {
    /// The types of the parameters.
    pub args: Vec<Ty>,
    /// The type of the result, if it was declared.
    pub result: Option<Ty>,
}

/// A function that is compiled for types.
#[derive(Clone, Copy)]
pub(super) struct Instance {
    pub(super) id: FuncId,
    /// The type of its result, as far as it is known.
    pub(super) result: Option<Ty>,
    pub(super) is_done: bool,
    pub(super) is_recursive: bool,
}

/// A function within a function.
#[derive(Clone)]
pub(super) struct Closure {
    pub(super) code: Arc<Code>,
    pub(super) function: FunctionId,
    pub(super) host: Obj,
    /// The scope around it.
    pub(super) scope: usize,
    /// Defaults of its parameters.
    pub(super) defaults: Vec<(Arc<str>, Typed)>,
}

/// What is known while programs are typed.
pub(crate) struct Infer<'h> {
    pub(super) host: &'h dyn Host,
    pub(super) program: Program,
    /// Functions that are written, by number.
    pub(super) done: Vec<Option<crate::ir::Function>>,
    pub(super) instances: HashMap<(Obj, Vec<Ty>), Instance>,
    /// The derivatives of functions that are done, for words of their parameters.
    pub(super) derivatives: HashMap<(FuncId, Vec<bool>), FuncId>,
    pub(super) closures: Vec<Closure>,
    /// What is computed where it is used.
    pub(super) lazy: Vec<super::element_expr::Lazy>,
    /// What the entry is declared as.
    pub(super) declared: Option<DeclaredSignature>,
    pub(super) options: InferOptions,
    /// What calls resolved to.
    pub(super) calls: Vec<(PlaceId, String)>,
    /// References that statements drop when they end, the innermost last.
    pub(super) temporaries: Vec<Vec<crate::ir::Value>>,
    /// Whether the entry is written, whose arguments are the caller's.
    pub(super) is_entry: bool,
    /// The candidates that were asked last, if all of them declined.
    pub(super) declined: Vec<crate::host::Candidate>,
    /// Whether elements of arrays are computed: then nothing is raised.
    pub(super) is_elementwise: bool,
    pub(super) scopes: Vec<FunctionScope>,
    pub(super) builder: Builder,
    /// Whether what is written is never reached.
    pub(super) is_dead: bool,
    /// How many functions are typed within one another.
    pub(super) depth: usize,
}

/// How many functions may be typed within one another.
pub(super) const MAX_NESTING: usize = 200;

impl<'h> Infer<'h> {
    pub(super) fn new(host: &'h dyn Host) -> Infer<'h> {
        let (builder, _) = Builder::new(Arc::from(""), Vec::new(), PlaceId(0));
        Infer {
            host,
            program: Program::default(),
            done: Vec::new(),
            instances: HashMap::new(),
            derivatives: HashMap::new(),
            closures: Vec::new(),
            lazy: Vec::new(),
            is_elementwise: false,
            declined: Vec::new(),
            temporaries: Vec::new(),
            is_entry: false,
            declared: None,
            options: InferOptions::default(),
            calls: Vec::new(),
            scopes: Vec::new(),
            builder,
            is_dead: false,
            depth: 0,
        }
    }

    /// A function of the program: the one that is typed already, or a new one.
    pub(super) fn instance(&mut self, function: Obj, args: &[Ty]) -> Result<(FuncId, Option<Ty>)> {
        let key = (function, args.to_vec());
        if let Some(found) = self.instances.get_mut(&key) {
            found.is_recursive |= !found.is_done;
            return Ok((found.id, found.result));
        }
        if self.depth >= MAX_NESTING {
            return Err(Error::typing("calls are nested too deeply to be typed"));
        }
        let code = self.host.source(function)?;
        let id = FuncId(u32::try_from(self.done.len()).unwrap_or(u32::MAX));
        self.done.push(None);
        let mut result = None;
        for _ in 0..=MAX_WIDENINGS {
            let instance = Instance { id, result, is_done: false, is_recursive: false };
            self.instances.insert(key.clone(), instance);
            let written = self.write_instance(function, &code, args)?;
            let found = written.result;
            let is_recursive = self.instances[&key].is_recursive;
            if !is_recursive || result == Some(found) {
                self.done[id.0 as usize] = Some(written);
                let instance = Instance { id, result: Some(found), is_done: true, is_recursive };
                self.instances.insert(key, instance);
                return Ok((id, Some(found)));
            }
            // What was typed with another result is typed anew.
            self.instances.retain(|_, it| !it.is_done || it.id.0 < id.0);
            result = Some(found);
        }
        Err(Error::typing(format!("the type of the result of {} does not settle", code.name)))
    }

    pub(super) fn write_instance(
        &mut self,
        function: Obj,
        code: &Arc<Code>,
        args: &[Ty],
    ) -> Result<crate::ir::Function> {
        let root = FunctionId(0);
        let source = self.source_of(code, root);
        let span = code.ast.function(root).span;
        let place = self.add_place(source, span, None);
        let (builder, words) = Builder::new(code.name.clone(), args.to_vec(), place);
        let outer_builder = std::mem::replace(&mut self.builder, builder);
        let outer_scopes = std::mem::take(&mut self.scopes);
        let outer_dead = std::mem::take(&mut self.is_dead);
        let outer_temporaries = std::mem::take(&mut self.temporaries);
        let outer_entry = std::mem::replace(&mut self.is_entry, self.depth == 0);
        self.depth += 1;
        let written = self.write_body(function, code, args, &words);
        self.depth -= 1;
        self.is_dead = outer_dead;
        self.temporaries = outer_temporaries;
        self.is_entry = outer_entry;
        self.scopes = outer_scopes;
        let builder = std::mem::replace(&mut self.builder, outer_builder);
        written?;
        Ok(builder.function)
    }

    pub(super) fn write_body(
        &mut self,
        function: Obj,
        code: &Arc<Code>,
        args: &[Ty],
        words: &ValueList,
    ) -> Result<()> {
        let mut values = Vec::with_capacity(args.len());
        let mut at = 0;
        for ty in args {
            let width = ty.width();
            let value = Typed::new(*ty, words[at..at + width].into());
            values.push(self.with_known_strides(value));
            at += width;
        }
        let declared = self.declared.take();
        if let Some(declared) = &declared {
            for (value, ty) in values.iter_mut().zip(&declared.args) {
                *value = self.cast(value, *ty)?;
            }
        }
        let scope = FunctionScope::new(code.clone(), FunctionId(0), function, None, None);
        let mut result = self.run_scope(scope, values)?;
        if let (Some(found), Some(ty)) = (&result, declared.and_then(|it| it.result)) {
            result = Some(self.cast(found, ty)?);
        }
        let Some(result) = result else {
            // Nothing returns: it raises whatever happens.
            self.builder.function.result = Ty::none();
            return Ok(());
        };
        if contains_closure(result.ty) {
            return Err(Error::typing("a nested function cannot be returned: call it here"));
        }
        self.builder.function.result = result.ty;
        self.builder.end(Terminator::Return(result.words));
        Ok(())
    }

    /// An argument whose strides are constants where its type says them.
    pub(super) fn with_known_strides(&mut self, value: Typed) -> Typed {
        use crate::types::ArrayLayout;
        let Some(array) = value.ty.as_array().filter(|it| it.ndim > 0) else { return value };
        let at = match array.layout {
            ArrayLayout::C => 2 + 2 * array.ndim - 1,
            ArrayLayout::F => 2 + array.ndim,
            ArrayLayout::Any => return value,
        };
        let mut words = value.words.clone();
        words[at] = self.builder.int(array.dtype.itemsize());
        Typed::new(value.ty, words)
    }

    /// Runs the body of a function whose parameters have values; its result, if it returns.
    pub(super) fn run_scope(
        &mut self,
        scope: FunctionScope,
        values: Vec<Typed>,
    ) -> Result<Option<Typed>> {
        let code = scope.code.clone();
        let function = code.ast.function(scope.function);
        let mut scope = scope;
        scope.source = self.source_of(&code, scope.function);
        scope.temporaries = self.temporaries.len();
        values.iter().for_each(|it| self.retain(it));
        for (param, value) in function.params.iter().zip(values) {
            scope.vars[param.local as usize] = Binding::Set(value);
        }
        self.scopes.push(scope);
        let ran = self.run_function(&code, function);
        let scope = self.scopes.pop();
        ran?;
        let returns = scope.map(|it| it.returns).unwrap_or_default();
        let result = self.join_values(returns, "return")?;
        if let Some(result) = &result {
            self.keep_for_statement(result);
        }
        Ok(result)
    }

    pub(super) fn run_function(
        &mut self,
        code: &Arc<Code>,
        function: &crate::ast::FunctionDef,
    ) -> Result<()> {
        self.block(&code.ast, &function.body)?;
        if !self.is_dead {
            let none = Typed::none();
            self.return_value(none);
        }
        Ok(())
    }

    /// The number of a source for places.
    pub(super) fn source_of(&mut self, code: &Code, function: FunctionId) -> u32 {
        let name = match function {
            FunctionId(0) => code.name.clone(),
            _ => code.ast.function(function).name.clone(),
        };
        let source = FunctionName { file: Arc::from(code.ast.file.as_str()), function: name };
        let known = self.program.sources.iter().position(|it| *it == source);
        let at = known.unwrap_or_else(|| {
            self.program.sources.push(source);
            self.program.sources.len() - 1
        });
        u32::try_from(at).unwrap_or(u32::MAX)
    }

    pub(super) fn add_place(
        &mut self,
        source: u32,
        span: Span,
        caller: Option<PlaceId>,
    ) -> PlaceId {
        self.program.places.push(SourceLoc { source, span, caller });
        PlaceId(u32::try_from(self.program.places.len() - 1).unwrap_or(u32::MAX))
    }

    /// Says where what follows comes from.
    pub(super) fn set_place(&mut self, span: Span) {
        let Some(scope) = self.scopes.last() else { return };
        let (source, caller) = (scope.source, scope.caller);
        let last = self.program.places.last();
        let is_same =
            last.is_some_and(|it| it.span == span && it.source == source && it.caller == caller);
        self.builder.place = if is_same {
            PlaceId(u32::try_from(self.program.places.len() - 1).unwrap_or(u32::MAX))
        } else {
            self.add_place(source, span, caller)
        };
    }

    pub(super) fn scope(&self) -> &FunctionScope {
        self.scopes.last().expect("a function is being typed")
    }

    pub(super) fn scope_mut(&mut self) -> &mut FunctionScope {
        self.scopes.last_mut().expect("a function is being typed")
    }

    /// An error at the place of a node of the function that is typed.
    pub(super) fn placed(&self, error: Error, span: Span) -> Error {
        let ast = &self.scope().code.ast;
        error.at(|| SourcePlace {
            file: Arc::from(ast.file.as_str()),
            span,
            text: ast.line(span.line).unwrap_or_default().to_owned(),
        })
    }
}

/// Whether a value of a type has a nested function in it.
pub(super) fn contains_closure(ty: Ty) -> bool {
    use crate::types::TyKind;
    match &*ty {
        TyKind::Closure(_) => true,
        TyKind::Optional(inner) => contains_closure(*inner),
        _ => ty.items().is_some_and(|items| items.iter().any(|it| contains_closure(*it))),
    }
}
