//! Functions of `nn.functional`: signatures of their own over an operator's function, which they call
//! with the arguments in its order and under its names.

use opwright_schema::functional::{self, FunctionalRole, Word, is_reduction};
use opwright_schema::model::{
    BaseName, BaseType, Default, FunctionalParam, OpSet, Overload, Param, ParamRange, PythonModule,
    Type,
};
use opwright_schema::names::{self, python_param};

use super::model::{
    Argument, CallResult, Forwarding, Forwards, Home, OverloadCall, Parameter, PythonFunction,
    Section, Signature,
};
use crate::markdown;

/// Adds them to the functions that they call.
pub(super) fn add(ops: &OpSet, functions: &mut Vec<PythonFunction>) {
    let made = ops.overloads.iter().enumerate();
    let made: Vec<PythonFunction> =
        made.filter_map(|(idx, overload)| function(idx, overload, functions)).collect();
    functions.extend(made);
    functions.sort_by(|a, b| (&a.home, &a.name).cmp(&(&b.home, &b.name)));
}

fn function(
    idx: usize,
    overload: &Overload,
    functions: &[PythonFunction],
) -> Option<PythonFunction> {
    let listed = overload.python.functional.as_ref()?;
    let of = Home::Module(overload.python_module.clone());
    let calls = |it: &&Signature| it.base.as_ref().is_some_and(|it| it.overload == idx);
    let in_module = functions.iter().filter(|it| it.home == of);
    let found = in_module.filter_map(|it| Some((it, it.signatures.iter().find(calls)?)));
    let (plain, signature) = { found }.next()?;
    let schema = &overload.schema;
    let roles: Vec<FunctionalRole<'_>> =
        listed.params.iter().filter_map(|it| it.role(schema)).collect();
    let params: Vec<Parameter> =
        listed.params.iter().zip(&roles).map(|(it, role)| param(it, role, signature)).collect();
    let forwards = forwards(overload, &params, &roles, signature);
    let is_same = is_same(overload, &params, &roles);
    let renamed = listed.params.iter().filter(|it| it.renamed.is_some());
    let doc = if signature.doc.is_empty() { &plain.doc } else { &signature.doc };
    let doc = renamed
        .fold(doc.clone(), |doc, it| markdown::with_name(&doc, &it.of.value, &it.name().value));
    let in_place = listed.word(schema, Word::Inplace).map(|_| {
        let base = BaseName { inplace: true, ..schema.name.base.clone() };
        names::python(&base)
    });
    let forwarding = Forwarding {
        of,
        plain: plain.name.clone(),
        in_place,
        direct: if is_same { in_order(&forwards) } else { 0 },
        same_names: is_same && listed.params.iter().all(|it| it.renamed.is_none()),
        params: forwards,
    };
    Some(PythonFunction {
        name: listed.name.value.clone(),
        home: Home::Module(PythonModule::Sub(functional::MODULE.to_owned())),
        signatures: vec![over(signature, params, doc.clone())],
        aliases: Vec::new(),
        operators: Vec::new(),
        doc,
        forwarding: Some(forwarding),
    })
}

/// The parameter as Python has it.
fn param(listed: &FunctionalParam, role: &FunctionalRole<'_>, of: &Signature) -> Parameter {
    let name = listed.name().value.clone();
    let own = |it: &&Parameter| it.name == listed.of.value;
    let (FunctionalRole::Param(param), Some(own)) = (role, of.params.iter().find(own)) else {
        return word(name, role);
    };
    let aliases = if listed.renamed.is_some() { Vec::new() } else { own.aliases.clone() };
    let default = listed.default.as_ref().map(|it| it.value.clone());
    let made = Parameter { name, aliases, section: Section::Positional, ..own.clone() };
    match is_reduction(param) {
        // Its numbers are for operators.
        true => Parameter {
            ty: Type::Base(BaseType::Str),
            default: default.or(made.default).map(as_text),
            ..made
        },
        false => Parameter { default: default.or(made.default), ..made },
    }
}

/// The word of a reduction.
fn as_text(default: Default) -> Default {
    match default {
        Default::Name(name) => Default::Str(name, '\''),
        other => other,
    }
}

fn word(name: String, role: &FunctionalRole<'_>) -> Parameter {
    let older = matches!(role, FunctionalRole::Word(Word::SizeAverage | Word::Reduce));
    Parameter {
        name,
        aliases: Vec::new(),
        ty: Type::Base(BaseType::Bool),
        nullable: older,
        default: Some(if older { Default::None } else { Default::Bool(false) }),
        fallback: None,
        section: Section::Positional,
        numbers: false,
    }
}

/// These parameters, and what the signature has behind its own: `out`.
fn over(signature: &Signature, mut params: Vec<Parameter>, doc: String) -> Signature {
    let out = params.len();
    params.extend(signature.params.iter().filter(|it| it.section == Section::Out).cloned());
    let call = |it: &OverloadCall| OverloadCall {
        overload: it.overload,
        // Another function makes the call.
        arguments: Vec::new(),
        result: match &it.result {
            CallResult::Same(_) => CallResult::Same(Argument::Param(out)),
            CallResult::SameTuple { class, count, .. } => {
                CallResult::SameTuple { class: class.clone(), param: out, count: *count }
            }
            other => other.clone(),
        },
    };
    let (base, out) = (signature.base.as_ref().map(call), signature.out.as_ref().map(call));
    Signature { params, base, out, varargs: false, deprecated: false, doc }
}

/// What becomes of each argument but that for `out`.
fn forwards(
    overload: &Overload,
    params: &[Parameter],
    roles: &[FunctionalRole<'_>],
    of: &Signature,
) -> Vec<Forwards> {
    let one = |(shown, role): (&Parameter, &FunctionalRole<'_>)| match role {
        FunctionalRole::Param(param) if is_reduction(param) => {
            Forwards::Reduction { place: place(param, of), default: other_reduction(shown, param) }
        }
        FunctionalRole::Param(param) => {
            let held = shown.default.clone().filter(|it| *it == Default::None && shown.nullable);
            Forwards::Passed {
                name: python_param(param, true).to_owned(),
                place: place(param, of),
                default: other_default(shown, param).or(held),
                range: range(overload, param),
            }
        }
        FunctionalRole::Word(word) => Forwards::Word(*word),
    };
    params.iter().zip(roles).map(one).collect()
}

fn place(param: &Param, of: &Signature) -> Option<usize> {
    let name = python_param(param, true);
    of.params[..of.positional()].iter().position(|it| it.name == name)
}

/// The default that the operator has to be told.
fn other_default(shown: &Parameter, param: &Param) -> Option<Default> {
    let own = param.default.as_ref().map(|it| &it.value);
    shown.default.clone().filter(|it| Some(it) != own)
}

/// The same of a reduction, whose default is shown as text.
fn other_reduction(shown: &Parameter, param: &Param) -> Option<String> {
    let own = param.default.as_ref().map(|it| as_text(it.value.clone()));
    match shown.default.clone().filter(|it| Some(it) != own.as_ref()) {
        Some(Default::Str(word, _)) => Some(word),
        _ => None,
    }
}

fn range(overload: &Overload, param: &Param) -> Option<ParamRange> {
    overload.ranges.iter().find(|it| it.param.value == param.name.value).cloned()
}

/// How many of the leading parameters are the operator's own, in its order.
fn in_order(forwards: &[Forwards]) -> usize {
    let is_own = |(at, it): &(usize, &Forwards)| match it {
        Forwards::Passed { place, .. } => *place == Some(*at),
        Forwards::Reduction { .. } | Forwards::Word(_) => false,
    };
    forwards.iter().enumerate().take_while(is_own).count()
}

/// Whether the operator has the same defaults, and refuses the same.
fn is_same(overload: &Overload, params: &[Parameter], roles: &[FunctionalRole<'_>]) -> bool {
    let is_own = |(shown, role): (&Parameter, &FunctionalRole<'_>)| match role {
        FunctionalRole::Param(param) if is_reduction(param) => true,
        FunctionalRole::Param(param) => {
            other_default(shown, param).is_none() && range(overload, param).is_none()
        }
        FunctionalRole::Word(_) => true,
    };
    params.iter().zip(roles).all(is_own)
}
