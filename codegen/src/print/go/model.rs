//! Functions in Go: parameters and options, from those of a schema.

use opwright_schema::model::{OpSet, Overload, Param, Role, Type};
use opwright_schema::names::{self, GoName};
use opwright_schema::types::Values;

use super::value::GoType;
use super::written;
use crate::print::c::model::{self as c, CArgument, CResult, Multiplicity, submodule};

/// The function of an overload, or of two.
#[derive(Clone, Debug)]
pub(super) struct GoFunction<'a> {
    /// What it is called.
    pub name: String,
    /// The overload.
    pub overload: &'a Overload,
    /// Its index.
    pub index: usize,
    /// What each parameter of the schema becomes, in the schema's order.
    pub inputs: Vec<GoParameter<'a>>,
    /// What it calls.
    pub c: c::CFunction<'a>,
    /// What it calls if integers are given; they are its last parameter.
    pub many: Option<c::CFunction<'a>>,
    /// What it returns.
    pub outputs: Vec<GoResult<'a>>,
    /// The function that does the same and writes to nothing.
    pub fresh: Option<String>,
}

/// A parameter of a schema, in Go.
#[derive(Clone, Debug)]
pub(super) struct GoParameter<'a> {
    /// The parameter of the schema, and those of C.
    pub argument: CArgument<'a>,
    /// What it is called.
    pub name: String,
    /// Its type.
    pub ty: GoType,
    /// How it is passed.
    pub place: PassingMode,
}

/// How a parameter is passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PassingMode {
    /// As a parameter.
    Own,
    /// As the last parameter, with any number of elements.
    Variadic,
    /// As a field of the options.
    Field,
}

/// A result of a function.
#[derive(Clone, Debug)]
pub(super) struct GoResult<'a> {
    /// What it is called if there are several.
    pub name: String,
    /// Its type.
    pub ty: GoType,
    /// The result of C.
    pub outcome: CResult<'a>,
}

/// The functions of all overloads that can have one, by name.
pub(super) fn functions<'a>(prefix: &str, ops: &'a OpSet) -> Vec<GoFunction<'a>> {
    let names = names::go_functions(&ops.overloads, &ops.groups);
    let of = |at: usize| c::CFunction::new(prefix, &ops.overloads[at]);
    let mut fresh: Vec<Option<String>> = vec![None; names.len()];
    for group in &ops.groups {
        let functional = group.functional.and_then(|it| names[it].as_ref());
        for member in group.members().filter(|it| Some(*it) != group.functional) {
            fresh[member] = functional.map(|it| called(&it.name));
        }
    }
    let mut functions = Vec::new();
    for (at, named) in names.iter().enumerate() {
        let Some(GoName { name, part_of: None }) = named else { continue };
        let is_part = |it: &Option<GoName>| it.as_ref().is_some_and(|it| it.part_of == Some(at));
        let many = names.iter().position(is_part).and_then(of);
        let function = of(at).and_then(|it| GoFunction::new(name, it, many));
        let fresh = fresh[at].take();
        functions.extend(function.map(|it| GoFunction { index: at, fresh, ..it }));
    }
    functions.sort_by(|a, b| a.name.cmp(&b.name));
    functions
}

impl<'a> GoFunction<'a> {
    /// None if a type has none in Go.
    pub(super) fn new(
        name: &str,
        c: c::CFunction<'a>,
        many: Option<c::CFunction<'a>>,
    ) -> Option<Self> {
        let shown = many.as_ref().unwrap_or(&c);
        let mut taken: Vec<String> = Vec::new();
        let mut unique = |mut name: String| {
            let plain = name.clone();
            let mut count = 1;
            while taken.contains(&name) {
                count += 1;
                name = format!("{plain}{count}");
            }
            taken.push(name.clone());
            name
        };
        let variadic = variadic(&shown.overload.schema.params);
        let receiver = receiver(shown);
        let inputs = shown.arguments.iter().map(|argument| {
            let param = argument.param;
            let ty = GoType::of(argument.shape)?;
            let place = match param.default {
                Some(_) => PassingMode::Field,
                None if variadic == Some(&param.name.value) => PassingMode::Variadic,
                None => PassingMode::Own,
            };
            let name = match place {
                PassingMode::Field => names::go_field(&param.name.value),
                PassingMode::Own if param.name.value == SELF => unique(receiver.clone()),
                PassingMode::Own | PassingMode::Variadic => {
                    unique(names::go_param(&param.name.value))
                }
            };
            Some(GoParameter { argument: argument.clone(), name, ty, place })
        });
        let inputs = inputs.collect::<Option<Vec<_>>>()?;
        let outputs = c.results.iter().enumerate().map(|(at, outcome)| {
            let name = outcome.result.name.as_ref();
            let name = name.map_or_else(|| format!("result{at}"), |it| names::go_param(&it.value));
            let ty = GoType::of(outcome.shape)?;
            Some(GoResult { name: unique(name), ty, outcome: outcome.clone() })
        });
        let outputs = outputs.collect::<Option<Vec<_>>>()?;
        let name = called(name);
        let overload = c.overload;
        Some(GoFunction { name, overload, index: 0, inputs, c, many, outputs, fresh: None })
    }

    /// What is passed as it stands: what every call gives, then what is written to, then any
    /// number of integers.
    pub(super) fn parameters(&self) -> impl Iterator<Item = &GoParameter<'a>> {
        let of = |place: PassingMode, is_out: bool| {
            self.inputs.iter().filter(move |it| {
                let own = it.place == place;
                own && is_out == (it.argument.param.role == Role::Out)
            })
        };
        of(PassingMode::Own, false)
            .chain(of(PassingMode::Own, true))
            .chain(of(PassingMode::Variadic, false))
    }

    /// What is a field of its options.
    pub(super) fn fields(&self) -> impl Iterator<Item = &GoParameter<'a>> {
        self.inputs.iter().filter(|it| it.place == PassingMode::Field)
    }

    /// Its options, if it has any.
    pub(super) fn options(&self) -> Option<String> {
        self.fields().next().map(|_| format!("{}Opts", self.name))
    }

    /// The tensor that it returns because it wrote to it, and nothing else.
    pub(super) fn written(&self) -> Option<&GoParameter<'a>> {
        let mut all = self.inputs.iter().filter(|it| it.argument.param.writes());
        let (first, second) = (all.next(), all.next());
        let is_one = |it: &&GoParameter<'a>| {
            let shape = it.argument.shape;
            matches!(shape, Multiplicity::One(_)) && shape.base().row().values == Values::Tensor
        };
        first.filter(is_one).filter(|_| second.is_none() && self.outputs.is_empty())
    }

    /// The receiver, if it is a method too.
    pub(super) fn receiver(&self) -> Option<&GoParameter<'a>> {
        let at = self.overload.schema.self_index().filter(|_| self.overload.method)?;
        let own = self.inputs.get(at)?;
        let is_tensor = matches!(own.argument.shape, Multiplicity::One(base) if Type::Base(base.clone()).is_tensor());
        let is_free = written::methods().all(|it| it != self.name);
        (is_tensor && is_free && own.place == PassingMode::Own).then_some(own)
    }

    /// Its submodule; empty for the module itself.
    pub(super) fn submodule(&self) -> &'a str {
        submodule(self.overload)
    }
}

/// The name of a function, where people wrote something of that name too.
fn called(name: &str) -> String {
    let is_taken = written::names().any(|it| it == name);
    if is_taken { format!("{name}Op") } else { name.to_owned() }
}

/// What schemas call what a method is of.
const SELF: &str = "self";

/// What `self` is called: by its type, if no other parameter is called so.
fn receiver(function: &c::CFunction<'_>) -> String {
    let own = function.arguments.iter().find(|it| it.param.name.value == SELF);
    let ty = own.and_then(|it| GoType::of(it.shape)).map_or_else(String::new, |it| it.to_string());
    let name = names::go_receiver(&ty);
    let params = function.overload.schema.params.iter().filter(|it| it.name.value != SELF);
    match params.into_iter().any(|it| names::go_param(&it.name.value) == name) {
        true => "x".to_owned(),
        false => name,
    }
}

/// The parameter that any number of integers may be written for: it is the last, nothing can follow it, and no other is
/// such a list.
fn variadic(params: &[Param]) -> Option<&String> {
    let is_fixed = params.iter().all(|it| it.default.is_none());
    let last =
        params.iter().rfind(|it| it.role != Role::Out).filter(|it| names::is_integers(it))?;
    let is_only = params.iter().filter(|it| names::is_integers(it)).count() == 1;
    (is_fixed && is_only).then_some(&last.name.value)
}
