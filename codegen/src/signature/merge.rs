//! From drafts to functions: grouping by name, joining `out=` variants with
//! their base, putting the signatures into try order.

use std::collections::BTreeMap;

use opwright_diagnostics::diag::Diagnostics;
use opwright_schema::model::{BaseType, OpSet, Overload, PythonModule, Span, Type};
use opwright_schema::names;

use crate::codes;
use crate::markdown;
use crate::order;
use crate::signature::draft::{Draft, Drafting};
use crate::signature::functional;
use crate::signature::model::{Home, Parameter, PythonFunction, Section, Signature};

/// All Python functions and methods of an operator set, sorted by place and name.
pub fn functions(cx: &mut Diagnostics, ops: &OpSet) -> Vec<PythonFunction> {
    let drafts = collect(ops).into_iter();
    let mut functions: Vec<PythonFunction> =
        drafts.map(|((home, name), drafts)| function(cx, ops, home, name, drafts)).collect();
    describe_twins(ops, &mut functions);
    functions.iter_mut().for_each(say_input);
    functional::add(ops, &mut functions);
    functions
}

/// What is said of a function has the name that `self` has in its signatures.
fn say_input(function: &mut PythonFunction) {
    let has_input = |it: &Signature| it.params.first().is_some_and(|it| it.name == "input");
    if function.home != Home::Method && function.signatures.iter().any(has_input) {
        function.doc = markdown::with_input(&function.doc);
        for signature in &mut function.signatures {
            signature.doc = markdown::with_input(&signature.doc);
        }
    }
}

/// A method that says nothing is what the function of its name is; what works
/// in place is what the name without `_` is.
fn describe_twins(ops: &OpSet, functions: &mut [PythonFunction]) {
    let docs: BTreeMap<(Home, String), String> =
        functions.iter().map(|it| ((it.home.clone(), it.name.clone()), it.doc.clone())).collect();
    let doc_of = |home: &Home, name: &str| {
        let root = Home::Module(PythonModule::Root);
        let homes = [Some(home.clone()), (*home == Home::Method).then_some(root)];
        let mut found = homes.into_iter().flatten().map(|it| docs.get(&(it, name.to_owned())));
        found.find_map(|it| it.filter(|doc| !doc.is_empty()).cloned())
    };
    for function in functions.iter_mut().filter(|it| it.doc.is_empty()) {
        let plain = function.in_place_of(ops);
        let in_place = plain
            .filter(|it| doc_of(&function.home, it).is_some())
            .map(|it| format!("`{it}` in place: the tensor receives the result, and is returned."));
        let twin = doc_of(&function.home, &function.name);
        function.doc = twin.or(in_place).unwrap_or_default();
    }
}

type MergedNames = BTreeMap<(Home, String), Vec<Draft>>;

fn collect(ops: &OpSet) -> MergedNames {
    let drafting = Drafting::new(ops);
    let mut names = MergedNames::new();
    for (idx, overload) in ops.overloads.iter().enumerate() {
        for home in homes(overload) {
            let method = home == Home::Method;
            let key = (home, python_name(overload));
            names.entry(key).or_default().push(drafting.overload(idx, method));
        }
    }
    for old in &ops.deprecated {
        let target = &ops.overloads[old.target];
        for home in homes(target) {
            let method = home == Home::Method;
            let key = (home, python_name(target));
            names.entry(key).or_default().push(drafting.deprecated(old, method));
        }
    }
    names
}

fn homes(overload: &Overload) -> Vec<Home> {
    let mut homes = Vec::new();
    if overload.python.skip {
        return homes;
    }
    if overload.function {
        homes.push(Home::Module(overload.python_module.clone()));
    }
    if overload.method && overload.schema.self_index().is_some() {
        homes.push(Home::Method);
    }
    homes
}

fn python_name(overload: &Overload) -> String {
    match &overload.python.name {
        Some(name) => name.value.clone(),
        None => names::python(&overload.schema.name.base),
    }
}

fn function(
    cx: &mut Diagnostics,
    ops: &OpSet,
    home: Home,
    name: String,
    drafts: Vec<Draft>,
) -> PythonFunction {
    let members: Vec<&Overload> = drafts.iter().map(|it| &ops.overloads[it.overload]).collect();
    let signatures = order::sort(without_numbers(join(cx, ops, &name, drafts.clone())));
    report_unreachable(cx, ops, &name, &signatures);
    let operators = match home {
        Home::Method => distinct(members.iter().flat_map(|it| &it.python.operators)),
        Home::Module(_) => Vec::new(),
    };
    let aliases = distinct(members.iter().flat_map(|it| &it.python.aliases));
    let doc = doc(&members);
    PythonFunction { name, home, signatures, aliases, operators, doc, forwarding: None }
}

fn distinct<'a>(
    names: impl Iterator<Item = &'a opwright_schema::model::Spanned<String>>,
) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for name in names {
        if !found.contains(&name.value) {
            found.push(name.value.clone());
        }
    }
    found
}

/// What the overloads say, each thing once.
fn doc(members: &[&Overload]) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for member in members {
        if !member.doc.is_empty() && !parts.contains(&member.doc.as_str()) {
            parts.push(&member.doc);
        }
    }
    parts.join("\n\n")
}

/// Joins each out variant with the overload that it is a variant of.
fn join(cx: &mut Diagnostics, ops: &OpSet, name: &str, drafts: Vec<Draft>) -> Vec<Signature> {
    let (outs, bases): (Vec<Draft>, Vec<Draft>) =
        drafts.into_iter().partition(|it| it.out.is_some());
    let mut pairs: Vec<(Option<Draft>, Option<Draft>)> =
        bases.into_iter().map(|it| (Some(it), None)).collect();
    for out in outs {
        let same = |base: &Option<Draft>| base.as_ref().is_some_and(|it| it.same_inputs(&out));
        match pairs.iter_mut().find(|(base, taken)| taken.is_none() && same(base)) {
            Some((_, place)) => *place = Some(out),
            None => {
                let twin = pairs.iter().find(|(base, _)| same(base)).and_then(|(_, it)| it.clone());
                report_orphan(cx, ops, name, &out, twin.as_ref());
                // Beside its twin it would be out of reach, too.
                if twin.is_none() {
                    pairs.push((None, Some(out)));
                }
            }
        }
    }
    pairs.into_iter().filter_map(|(base, out)| signature(ops, base, out)).collect()
}

/// Leaves out the overloads for numbers beside one whose tensors may be
/// numbers: they would only take zero-dimensional tensors away from it.
fn without_numbers(signatures: Vec<Signature>) -> Vec<Signature> {
    let takes_numbers = |it: &Signature| it.params.iter().any(|it| it.numbers);
    let superfluous = |it: &Signature| {
        let mut others = signatures.iter().filter(|other| takes_numbers(other));
        !takes_numbers(it) && others.any(|other| order::covers(other, it))
    };
    signatures.iter().filter(|it| !superfluous(it)).cloned().collect()
}

/// The parameters of the out variant, followed by the base's tensor options.
fn signature(ops: &OpSet, base: Option<Draft>, out: Option<Draft>) -> Option<Signature> {
    let first = base.as_ref().or(out.as_ref())?;
    let mut params = first.inputs.clone();
    if let Some(out) = out.as_ref().and_then(|it| it.out.clone()) {
        // Without a base there is no call without `out`.
        let required = base.is_none();
        let default = out.default.clone().filter(|_| !required);
        params.push(Parameter { nullable: !required, default, ..out });
    }
    params.extend(first.options.iter().cloned());
    let varargs = is_varargs(&params);
    let deprecated = first.deprecated;
    let docs = [&base, &out].into_iter().flatten().map(|it| &ops.overloads[it.overload].doc);
    let doc = docs.into_iter().find(|it| !it.is_empty()).cloned().unwrap_or_default();
    let call = |draft: Option<&Draft>| draft.map(|it| it.call(&params));
    let (base, out) = (call(base.as_ref()), call(out.as_ref()));
    Some(Signature { params, base, out, varargs, deprecated, doc })
}

fn is_varargs(params: &[Parameter]) -> bool {
    let mut positional = params.iter().filter(|it| it.section == Section::Positional);
    let first = positional.next();
    positional.next().is_none() && first.is_some_and(|it| is_int_list(&it.ty))
}

fn is_int_list(ty: &Type) -> bool {
    let integer = |it: &Type| matches!(it, Type::Base(BaseType::Int | BaseType::SymInt));
    matches!(ty, Type::List(element, _) if integer(element))
}

fn report_orphan(cx: &mut Diagnostics, ops: &OpSet, name: &str, out: &Draft, twin: Option<&Draft>) {
    let overload = &ops.overloads[out.overload];
    let op = &overload.schema.name;
    if let Some(twin) = twin {
        let other = &ops.overloads[twin.overload];
        let message =
            format_args!("`{op}` has the same Python signature as `{}`", other.schema.name);
        cx.error(codes::SAME_SIGNATURE, &overload.span, message)
            .also(&other.span, "the other one")
            .help("give one of them another name with `python: {name: ...}`, or `python: skip`");
        return;
    }
    if cx.is_wrong_within(&overload.span) {
        return;
    }
    let message = format_args!("`{op}` is no variant of any overload of `{name}`");
    cx.error(codes::ORPHAN_OUT, &overload.span, message)
        .note("names, types and defaults of all parameters but the out ones must be the same")
        .help("add the overload without `out`, or say `python: skip`");
}

fn report_unreachable(cx: &mut Diagnostics, ops: &OpSet, name: &str, signatures: &[Signature]) {
    for (late, early) in order::unreachable(signatures) {
        let (Some(late), Some(early)) =
            (origin(ops, &signatures[late]), origin(ops, &signatures[early]))
        else {
            continue;
        };
        let message = format_args!("in Python, `{}` can never be reached", late.0);
        cx.error(codes::UNREACHABLE, &late.1, message)
            .also(&early.1, format_args!("`{}` takes every call of `{name}` that fits", early.0))
            .help("say `python: skip` at one of them, or give it another name");
    }
}

fn origin(ops: &OpSet, signature: &Signature) -> Option<(String, Span)> {
    let call = signature.base.as_ref().or(signature.out.as_ref())?;
    let overload = &ops.overloads[call.overload];
    Some((overload.schema.name.to_string(), overload.span.clone()))
}
