//! Functions in C: the model that header and code are printed from, so that they cannot
//! differ.

use std::collections::BTreeSet;

use opwright_schema::model::{BaseType, OpSet, Overload, Param, PythonModule, Return, Type};
use opwright_schema::names;
use opwright_schema::types::Values;

use crate::print::c::types::CType;

/// The function of an overload.
#[derive(Clone, Debug)]
pub struct CFunction<'a> {
    /// The overload.
    pub overload: &'a Overload,
    /// Its name in C, with the prefix.
    pub name: String,
    /// What it takes, in order.
    pub arguments: Vec<CArgument<'a>>,
    /// Where results go; they follow what it takes.
    pub results: Vec<CResult<'a>>,
}

/// A parameter of a schema, and the parameters of C that stand for it.
#[derive(Clone, Debug)]
pub struct CArgument<'a> {
    /// The parameter of the schema.
    pub param: &'a Param,
    /// How many values there are.
    pub shape: Multiplicity<'a>,
    /// What stands for it.
    pub parts: Vec<CParameter>,
}

/// A result of a schema, and the parameters of C that receive it.
#[derive(Clone, Debug)]
pub struct CResult<'a> {
    /// The result of the schema.
    pub result: &'a Return,
    /// How many values there are.
    pub shape: Multiplicity<'a>,
    /// What receives it.
    pub parts: Vec<CParameter>,
}

/// A parameter of C.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CParameter {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: CType,
}

/// How many values of a base type there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Multiplicity<'a> {
    /// One.
    One(&'a BaseType),
    /// One or none.
    Optional(&'a BaseType),
    /// Any number; one alone may stand for so many.
    List(&'a BaseType, Option<u32>),
    /// A list or none.
    OptionalList(&'a BaseType, Option<u32>),
    /// A list, any element of which may be absent.
    OptionalElements(&'a BaseType),
}

/// What kind of C type a base type has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// A pointer to something that has to be freed: NULL is none.
    Object,
    /// A text.
    Text,
    /// A number, or a structure of numbers: none is a NULL pointer to one.
    Number,
    /// A constant: none is a constant, too.
    Named,
}

impl<'a> Multiplicity<'a> {
    /// The shape of a type; none if no type of C has it.
    pub fn of(ty: &'a Type) -> Option<Multiplicity<'a>> {
        let shape = match ty {
            Type::Base(base) => Multiplicity::One(base),
            Type::Optional(inner) => match &**inner {
                Type::Base(base) => Multiplicity::Optional(base),
                Type::List(element, size) => match &**element {
                    Type::Base(base) => Multiplicity::OptionalList(base, *size),
                    Type::Optional(_) | Type::List(..) => return None,
                },
                Type::Optional(_) => return None,
            },
            Type::List(element, size) => match &**element {
                Type::Base(base) => Multiplicity::List(base, *size),
                Type::Optional(inner) => match &**inner {
                    Type::Base(base) if sort(base)? == Sort::Object => {
                        Multiplicity::OptionalElements(base)
                    }
                    Type::Base(_) | Type::Optional(_) | Type::List(..) => return None,
                },
                Type::List(..) => return None,
            },
        };
        sort(shape.base()).map(|_| shape)
    }

    /// The base type.
    pub fn base(&self) -> &'a BaseType {
        match self {
            Multiplicity::One(base)
            | Multiplicity::Optional(base)
            | Multiplicity::List(base, _)
            | Multiplicity::OptionalList(base, _)
            | Multiplicity::OptionalElements(base) => base,
        }
    }

    /// What kind of C type the values have; only types that have one are in a shape.
    pub fn sort(&self) -> Sort {
        sort(self.base()).unwrap_or(Sort::Object)
    }
}

/// The C type of one value.
fn c_type(base: &BaseType) -> Option<CType> {
    base.row().foreign.map(|[c, _]| CType::new(c))
}

fn sort(base: &BaseType) -> Option<Sort> {
    let ty = c_type(base)?;
    Some(match base.row().values {
        Values::Str | Values::StrEnum(_) => Sort::Text,
        Values::Bool | Values::Int | Values::Float | Values::Number | Values::Numbered => {
            Sort::Number
        }
        Values::Tensor | Values::Named | Values::Object => {
            if ty.is_pointer() {
                Sort::Object
            } else if matches!(base, BaseType::Native(_)) {
                Sort::Number
            } else {
                Sort::Named
            }
        }
        Values::Empty | Values::Absent => return None,
    })
}

impl<'a> CFunction<'a> {
    /// The function of an overload in a library with this prefix; none if a type of its schema is
    /// none in C, or its entry says that there is none.
    pub fn new(prefix: &str, overload: &'a Overload) -> Option<CFunction<'a>> {
        if overload.c.skip {
            return None;
        }
        let schema = &overload.schema;
        let base = overload.c.name.as_ref().map(|it| it.value.as_str());
        let fresh: Vec<&Return> = schema.returns.iter().filter(|it| !it.writes()).collect();
        let mut taken = BTreeSet::new();
        let results = fresh.iter().enumerate().map(|(at, result)| {
            let shape = Multiplicity::of(&result.ty.value)?;
            let name = result_name(result, at, fresh.len());
            let parts = receiving(shape, &unique(&mut taken, names::c_param(&name)))?;
            Some(CResult { result, shape, parts })
        });
        let results = results.collect::<Option<Vec<_>>>()?;
        let arguments = schema.params.iter().map(|param| {
            let shape = Multiplicity::of(&param.ty.value)?;
            let name = unique(&mut taken, names::c_param(&param.name.value));
            let parts = passing(shape, &name, param.writes())?;
            taken.extend(parts.iter().map(|it| it.name.clone()));
            Some(CArgument { param, shape, parts })
        });
        let arguments = arguments.collect::<Option<Vec<_>>>()?;
        if !arguments.iter().all(|it| it.is_apart(&arguments)) {
            return None;
        }
        let name = names::c_function(prefix, &schema.name, base);
        Some(CFunction { overload, name, arguments, results })
    }

    /// All parameters of C.
    pub fn parts(&self) -> impl Iterator<Item = &CParameter> {
        let arguments = self.arguments.iter().flat_map(|it| &it.parts);
        arguments.chain(self.results.iter().flat_map(|it| &it.parts))
    }
}

impl CArgument<'_> {
    /// Whether no other argument can be what it writes to. Of a tensor, readers get other handles.
    fn is_apart(&self, all: &[CArgument<'_>]) -> bool {
        let base = self.shape.base();
        let is_alone = || all.iter().filter(|it| it.shape.base() == base).count() == 1;
        let is_one = matches!(self.shape, Multiplicity::One(_));
        !self.param.writes() || base.row().values == Values::Tensor || (is_one && is_alone())
    }
}

/// The functions of all overloads that can have one, by submodules and names of schemas.
pub fn functions<'a>(prefix: &str, ops: &'a OpSet) -> Vec<CFunction<'a>> {
    let all = ops.overloads.iter().filter_map(|it| CFunction::new(prefix, it));
    let mut all: Vec<CFunction<'a>> = all.collect();
    all.sort_by_cached_key(|it| {
        let name = it.overload.schema.name.to_string();
        (submodule(it.overload).to_owned(), name.trim_start_matches('_').to_owned(), name)
    });
    all
}

/// The submodule that an overload is in; empty for the module itself.
pub fn submodule(overload: &Overload) -> &str {
    match &overload.python_module {
        PythonModule::Root => "",
        PythonModule::Sub(module) => module,
    }
}

fn result_name(result: &Return, at: usize, count: usize) -> String {
    match &result.name {
        Some(name) if count > 1 => name.value.clone(),
        _ if count == 1 => "result".to_owned(),
        _ => format!("result{at}"),
    }
}

fn unique(taken: &mut BTreeSet<String>, mut name: String) -> String {
    while !taken.insert(name.clone()) {
        name.push('_');
    }
    name
}

fn part(name: impl Into<String>, ty: CType) -> CParameter {
    CParameter { name: name.into(), ty }
}

/// The parameters that pass such an argument.
fn passing(shape: Multiplicity<'_>, name: &str, writes: bool) -> Option<Vec<CParameter>> {
    let one = c_type(shape.base())?;
    let one = if writes { one.writable() } else { one };
    let count = || part(format!("{name}_len"), CType::new("size_t"));
    Some(match shape {
        Multiplicity::One(_) => vec![part(name, one)],
        Multiplicity::Optional(_) if shape.sort() == Sort::Number => vec![part(name, one.lent())],
        Multiplicity::Optional(_) => vec![part(name, one)],
        Multiplicity::List(..)
        | Multiplicity::OptionalList(..)
        | Multiplicity::OptionalElements(_) => {
            vec![part(name, one.lent()), count()]
        }
    })
}

/// The parameters that receive such a result.
fn receiving(shape: Multiplicity<'_>, name: &str) -> Option<Vec<CParameter>> {
    let one = c_type(shape.base())?.writable();
    Some(match shape {
        Multiplicity::One(_) => vec![part(name, one.filled())],
        Multiplicity::Optional(_) if shape.sort() == Sort::Number => {
            let is_given = part(format!("{name}_is_given"), CType::new("bool *"));
            vec![part(name, one.filled()), is_given]
        }
        Multiplicity::Optional(_) => vec![part(name, one.filled())],
        Multiplicity::List(base, _) => vec![part(name, list(base)?)],
        Multiplicity::OptionalList(..) | Multiplicity::OptionalElements(_) => return None,
    })
}

/// Where a list goes.
fn list(base: &BaseType) -> Option<CType> {
    match base.row().values {
        Values::Tensor => Some(CType::new("_tensor_list *")),
        Values::Int => Some(CType::new("_int_list *")),
        Values::Bool
        | Values::Float
        | Values::Number
        | Values::Str
        | Values::StrEnum(_)
        | Values::Named
        | Values::Numbered
        | Values::Object
        | Values::Empty
        | Values::Absent => None,
    }
}
