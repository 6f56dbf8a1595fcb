//! One overload, seen from Python: its inputs, its out parameters, its tensor
//! options, and where the arguments of a call come from.

use std::collections::BTreeMap;

use opwright_schema::model::{
    BaseType, Default, Deprecated, Kind, OpSet, OptionsCategory, Overload, Param, Passed, Role,
    Schema, Type,
};
use opwright_schema::names;

use crate::signature::model::{
    Argument, CallResult, OverloadCall, Parameter, Section, TensorOption,
};

/// Further keywords that users of numpy and of the array API standard expect, for every parameter of
/// the name.
const NUMPY_ALIASES: [(&str, &[&str]); 9] = [
    ("dim", &["axis"]),
    ("dims", &["axis", "axes"]),
    ("keepdim", &["keepdims"]),
    ("input", &["x", "a", "x1"]),
    ("other", &["x2"]),
    ("size", &["shape"]),
    ("steps", &["num"]),
    ("end", &["stop"]),
    ("diagonal", &["k"]),
];

/// An overload as a function or as a method, before out variants are merged.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    pub(super) overload: usize,
    /// Positional and keyword parameters.
    pub(super) inputs: Vec<Parameter>,
    /// The tensor options, if Python has them.
    pub(super) options: Vec<Parameter>,
    /// The one parameter that stands for all out parameters.
    pub(super) out: Option<Parameter>,
    pub(super) deprecated: bool,
    /// For each parameter of the overload's schema.
    sources: Vec<ArgumentSource>,
    result: DraftResult,
}

/// Where an argument comes from, while indices are not yet known.
#[derive(Clone, Debug)]
enum ArgumentSource {
    Receiver,
    Input(String),
    Option(TensorOption),
    /// One of so many out parameters.
    Out(usize, usize),
    Literal(Default),
}

/// What a call hands out, while indices are not yet known.
#[derive(Clone, Debug)]
enum DraftResult {
    /// The argument for this parameter of the overload's schema.
    Same(usize),
    /// What was passed for `out`, if it is several tensors.
    SameTuple(Option<String>, usize),
    Other(CallResult),
}

/// What a [`Draft`] is made from.
pub(super) struct Drafting<'a> {
    ops: &'a OpSet,
    classes: Vec<Option<String>>,
}

impl<'a> Drafting<'a> {
    pub(super) fn new(ops: &'a OpSet) -> Self {
        Drafting { ops, classes: classes(ops) }
    }

    /// The overload as a method or as a function.
    pub(super) fn overload(&self, idx: usize, method: bool) -> Draft {
        let overload = &self.ops.overloads[idx];
        let schema = &overload.schema;
        let has_options = overload.options != OptionsCategory::None && schema.has_options();
        let options = if has_options { options(schema) } else { Vec::new() };
        let sources = schema.params.iter().map(|it| source(schema, it, method, has_options));
        Draft {
            overload: idx,
            inputs: inputs(overload, schema, method),
            options,
            out: out(schema),
            deprecated: false,
            sources: sources.collect(),
            result: self.outcome(idx),
        }
    }

    /// An older signature as a method or as a function.
    pub(super) fn deprecated(&self, old: &Deprecated, method: bool) -> Draft {
        let target = &self.ops.overloads[old.target];
        let pairs = target.schema.params.iter().zip(&old.arguments);
        let sources = pairs.map(|(param, argument)| match argument {
            Passed::Param(idx) => source(&old.schema, &old.schema.params[*idx], method, false),
            Passed::Literal(value) => ArgumentSource::Literal(value.clone()),
            Passed::TargetDefault => ArgumentSource::Literal(own_default(param)),
        });
        Draft {
            overload: old.target,
            inputs: inputs(target, &old.schema, method),
            options: Vec::new(),
            out: out(&old.schema),
            deprecated: true,
            sources: sources.collect(),
            result: self.outcome(old.target),
        }
    }

    fn outcome(&self, idx: usize) -> DraftResult {
        let schema = &self.ops.overloads[idx].schema;
        let outs = schema.outs().count();
        let class = self.classes[idx].clone();
        if schema.returns.is_empty() && schema.kind() == Kind::Inplace {
            // Lists of tensors, which cannot be returned by annotation.
            return schema
                .self_index()
                .map_or(DraftResult::Other(CallResult::Nothing), DraftResult::Same);
        }
        match schema.returns.as_slice() {
            [] => DraftResult::Other(CallResult::Nothing),
            [only] if only.writes() => {
                let letters = |it: &Param| it.annotation.as_ref().map(|it| it.value.before.clone());
                let wanted = only.annotation.as_ref().map(|it| it.value.before.clone());
                let same = schema.params.iter().position(|it| it.writes() && letters(it) == wanted);
                same.map_or(DraftResult::Other(CallResult::Nothing), DraftResult::Same)
            }
            [only] => DraftResult::Other(CallResult::Value(only.ty.value.clone())),
            several if several.iter().any(|it| it.writes()) => DraftResult::SameTuple(class, outs),
            several => {
                let types = several.iter().map(|it| it.ty.value.clone());
                DraftResult::Other(match class {
                    Some(class) => {
                        let names = field_names(schema).unwrap_or_default();
                        CallResult::Named { class, fields: names.into_iter().zip(types).collect() }
                    }
                    None => CallResult::Tuple(types.collect()),
                })
            }
        }
    }
}

impl Draft {
    /// The call, its arguments taken from these parameters of the signature.
    pub(super) fn call(&self, params: &[Parameter]) -> OverloadCall {
        let arguments: Vec<Argument> =
            self.sources.iter().map(|source| source.argument(params)).collect();
        let result = match &self.result {
            DraftResult::Same(param) => match &arguments[*param] {
                Argument::Literal(_) => CallResult::Nothing,
                passed => CallResult::Same(passed.clone()),
            },
            DraftResult::SameTuple(class, count) => {
                let param = position(params, |it| it.section == Section::Out);
                CallResult::SameTuple { class: class.clone(), param, count: *count }
            }
            DraftResult::Other(result) => result.clone(),
        };
        OverloadCall { overload: self.overload, arguments, result }
    }

    /// Whether an out variant with these inputs is one of the other.
    pub(super) fn same_inputs(&self, other: &Draft) -> bool {
        let alike = |(a, b): (&Parameter, &Parameter)| {
            (&a.name, &a.ty, a.nullable, &a.default, a.section)
                == (&b.name, &b.ty, b.nullable, &b.default, b.section)
        };
        self.deprecated == other.deprecated
            && self.inputs.len() == other.inputs.len()
            && self.inputs.iter().zip(&other.inputs).all(alike)
    }
}

impl ArgumentSource {
    fn argument(&self, params: &[Parameter]) -> Argument {
        let out = || position(params, |it| it.section == Section::Out);
        match self {
            ArgumentSource::Receiver => Argument::Receiver,
            ArgumentSource::Input(name) => Argument::Param(position(params, |it| it.name == *name)),
            ArgumentSource::Option(option) => {
                let section = Section::Option(*option);
                Argument::Param(position(params, |it| it.section == section))
            }
            ArgumentSource::Out(_, 1) => Argument::Param(out()),
            ArgumentSource::Out(element, _) => {
                Argument::Element { param: out(), element: *element }
            }
            ArgumentSource::Literal(value) => Argument::Literal(value.clone()),
        }
    }
}

/// Drafts name only parameters that their signature has.
fn position(params: &[Parameter], wanted: impl Fn(&Parameter) -> bool) -> usize {
    params.iter().position(wanted).expect("a draft's parameters are all in its signature")
}

fn source(schema: &Schema, param: &Param, method: bool, has_options: bool) -> ArgumentSource {
    match param.role {
        Role::Positional if method && param.name.value == "self" => ArgumentSource::Receiver,
        Role::Positional | Role::Keyword => {
            ArgumentSource::Input(python_name(schema, param, method))
        }
        Role::Option => match option_of(&param.name.value) {
            Some(option) if has_options => ArgumentSource::Option(option),
            // Python does not show it.
            _ => ArgumentSource::Literal(own_default(param)),
        },
        Role::Out => {
            let count = schema.outs().count();
            let element = schema.outs().position(|it| it.name == param.name).unwrap_or(0);
            ArgumentSource::Out(element, count)
        }
    }
}

fn own_default(param: &Param) -> Default {
    param.default.as_ref().map_or(Default::None, |it| it.value.clone())
}

fn inputs(overload: &Overload, schema: &Schema, method: bool) -> Vec<Parameter> {
    let shown = schema.params.iter().filter(|it| match it.role {
        Role::Positional => !(method && it.name.value == "self"),
        Role::Keyword => true,
        Role::Option | Role::Out => false,
    });
    let mut inputs: Vec<Parameter> = shown.map(|it| input(overload, schema, it, method)).collect();
    let taken: Vec<String> = inputs.iter().map(|it| it.name.clone()).collect();
    for input in &mut inputs {
        // The real parameter of that name is meant.
        input.aliases.retain(|it| !taken.contains(it));
    }
    inputs
}

/// `input` for `self`, unless another parameter is called that.
fn python_name(schema: &Schema, param: &Param, method: bool) -> String {
    let name = names::python_param(param, !method);
    let own = param.name.value.as_str();
    let taken = name != own && schema.param(name).is_some();
    (if taken { own } else { name }).to_owned()
}

fn input(overload: &Overload, schema: &Schema, param: &Param, method: bool) -> Parameter {
    let name = python_name(schema, param, method);
    let (ty, optional) = match &param.ty.value {
        Type::Optional(inner) => ((**inner).clone(), true),
        other => (other.clone(), false),
    };
    let default = param.default.as_ref().map(|it| it.value.clone());
    // A list that is empty by default takes `None` for it, as upstream's does.
    let empty = matches!(&default, Some(Default::IntList(items)) if items.is_empty());
    Parameter {
        aliases: aliases(overload, &param.name.value, &name),
        nullable: optional || empty || default == Some(Default::None),
        section: if param.role == Role::Positional {
            Section::Positional
        } else {
            Section::Keyword
        },
        numbers: overload.python.numbers && ty.is_tensor(),
        fallback: None,
        name,
        ty,
        default,
    }
}

fn aliases(overload: &Overload, schema_name: &str, name: &str) -> Vec<String> {
    let declared = overload
        .python
        .keyword_aliases
        .iter()
        .filter(|(param, _)| param.value == schema_name || param.value == name)
        .flat_map(|(_, aliases)| aliases.iter().map(|it| it.value.clone()));
    let mut all: Vec<String> = declared.collect();
    let usual = NUMPY_ALIASES.iter().filter(|(param, _)| *param == name);
    for alias in usual.flat_map(|(_, aliases)| aliases.iter()) {
        if !all.iter().any(|it| it == alias) {
            all.push((*alias).to_owned());
        }
    }
    all
}

fn out(schema: &Schema) -> Option<Parameter> {
    let outs: Vec<&Param> = schema.outs().collect();
    let (name, ty) = match outs.as_slice() {
        [] => return None,
        [only] => (only.name.value.clone(), only.ty.value.clone()),
        several => {
            let count = u32::try_from(several.len()).ok();
            ("out".to_owned(), Type::List(Box::new(Type::Base(BaseType::Tensor)), count))
        }
    };
    Some(Parameter {
        name,
        aliases: Vec::new(),
        ty,
        nullable: true,
        default: Some(Default::None),
        fallback: None,
        section: Section::Out,
        numbers: false,
    })
}

fn options(schema: &Schema) -> Vec<Parameter> {
    TensorOption::ALL.iter().map(|&it| option(schema, it)).collect()
}

fn option(schema: &Schema, option: TensorOption) -> Parameter {
    let default = match option {
        TensorOption::Dtype | TensorOption::Layout | TensorOption::Device => Default::None,
        TensorOption::PinMemory | TensorOption::RequiresGrad => Default::Bool(false),
    };
    let own = schema.params.iter().find(|it| option_of(&it.name.value) == Some(option));
    let own = own.map(own_default).filter(|it| *it != Default::None);
    Parameter {
        name: option.name().to_owned(),
        aliases: Vec::new(),
        ty: Type::Base(option.ty()),
        nullable: true,
        default: Some(default),
        fallback: own,
        section: Section::Option(option),
        numbers: false,
    }
}

fn option_of(name: &str) -> Option<TensorOption> {
    TensorOption::ALL.into_iter().find(|it| it.name() == name)
}

/// The names of the named-tuple classes, by overload.
///
/// All overloads of a name share one class, and so do its `out=` variants; a
/// second set of fields gets the name of its overload too.
fn classes(ops: &OpSet) -> Vec<Option<String>> {
    let mut first: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut classes = Vec::new();
    for overload in &ops.overloads {
        let Some(fields) = field_names(&overload.schema) else {
            classes.push(None);
            continue;
        };
        let base = overload.schema.name.base.to_string();
        let known = first.entry(base.clone()).or_insert_with(|| fields.clone());
        let class = match *known == fields {
            true => base,
            false => format!("{base}_{}", overload.schema.name.overload.replace('.', "_")),
        };
        classes.push(Some(class));
    }
    classes
}

/// The names of several returns, if all have one.
fn field_names(schema: &Schema) -> Option<Vec<String>> {
    if schema.returns.len() < 2 {
        return None;
    }
    schema.returns.iter().map(|it| it.name.as_ref().map(|it| it.value.clone())).collect()
}
