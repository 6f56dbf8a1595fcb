//! Functions of `nn.functional`: signatures of their own over an operator's function, which they call
//! with the arguments in its order and under its names.

use opwright_schema::functional::{self, FunctionalRole, Word, is_reduction, listed};
use opwright_schema::model::{
    BaseName, BaseType, Default, FunctionalParam, OpSet, Overload, Param, ParamRange, PythonModule,
    Schema, Type,
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
    let forwards = forwards(overload, &params, &roles);
    let in_order = in_order(&forwards, signature);
    let is_same = forwards.iter().all(Forwards::is_same);
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
        in_order,
        direct: if is_same { in_order } else { 0 },
        same_names: is_same && has_same_names(&listed.params, schema),
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

/// What becomes of each argument, that for `out` among them.
fn forwards(
    overload: &Overload,
    params: &[Parameter],
    roles: &[FunctionalRole<'_>],
) -> Vec<Forwards> {
    let pairs = params.iter().zip(roles);
    pairs
        .map(|(shown, role)| match role {
            FunctionalRole::Param(param) if is_reduction(param) => Forwards::Reduction,
            FunctionalRole::Param(param) => Forwards::Passed {
                name: python_param(param, true).to_owned(),
                default: other_default(shown, param),
                range: range(overload, param),
            },
            FunctionalRole::Word(word) => Forwards::Word(*word),
        })
        .collect()
}

/// The default that the operator has to be told.
fn other_default(shown: &Parameter, param: &Param) -> Option<Default> {
    let own = param.default.as_ref().map(|it| &it.value);
    shown.default.clone().filter(|it| Some(it) != own)
}

fn range(overload: &Overload, param: &Param) -> Option<ParamRange> {
    overload.ranges.iter().find(|it| it.param.value == param.name.value).cloned()
}

/// How many of the leading parameters are the operator's own, in its order.
fn in_order(forwards: &[Forwards], of: &Signature) -> usize {
    let positional = of.params.iter().filter(|it| it.section == Section::Positional);
    let is_own = |own: &Parameter, forwards: &Forwards| match forwards {
        Forwards::Passed { name, .. } => *name == own.name,
        Forwards::Reduction | Forwards::Word(_) => false,
    };
    positional.zip(forwards).take_while(|(own, forwards)| is_own(own, forwards)).count()
}

impl Forwards {
    /// Whether the operator has the same default, and refuses the same.
    fn is_same(&self) -> bool {
        match self {
            Forwards::Passed { default, range, .. } => default.is_none() && range.is_none(),
            Forwards::Reduction | Forwards::Word(_) => true,
        }
    }
}

/// Whether what is listed are all parameters of the operator, under their names.
fn has_same_names(params: &[FunctionalParam], schema: &Schema) -> bool {
    let is_listed =
        |it: &Param| params.iter().any(|param| param.of.value == python_param(it, true));
    listed(schema).all(is_listed) && params.iter().all(|it| it.renamed.is_none())
}
