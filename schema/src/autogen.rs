//! The key `autogen`: companion variants that are to be generated for a group.
//!
//! What can be generated follows from the group: an out variant if the entry
//! asks for one, and a functional variant if there is an out variant by then.
//! An entry must name exactly that.
//!
//! A functional variant has copies changed in place, an out variant copies what the
//! functional one returns. Python has neither.

use opwright_diagnostics::diag::Diagnostics;

use crate::codes;
use crate::derive::{alias, out_name, out_schema};
use crate::group::signature;
use crate::model::{
    BaseName, Forward, Group, Kind, OpName, OpSet, Overload, Param, Passed, Python, Return, Schema,
    Spanned,
};

/// The tag of composite operators that get companions all the same.
const CORE: &str = "core";

/// The variants that are generated for a group, by name.
pub fn companions(overloads: &[Overload], group: &Group) -> Vec<OpName> {
    match why_nothing(overloads, group) {
        Some(_) => Vec::new(),
        None => derived(overloads, group),
    }
}

/// Adds the variants that entries ask for, to their groups, too. Out variants of operators that
/// change other parameters than `self` are left to their authors.
pub fn generate(ops: &mut OpSet) {
    let asks = |group: &Group| group.members().any(|it| !ops.overloads[it].autogen.is_empty());
    let asking: Vec<usize> = (0..ops.groups.len()).filter(|&at| asks(&ops.groups[at])).collect();
    for at in asking {
        for name in companions(&ops.overloads, &ops.groups[at]).into_iter().rev() {
            let is_out = name.overload.ends_with("out");
            let group = &ops.groups[at];
            let target = match is_out {
                true => group.functional.filter(|_| group.mutable.is_none()),
                false => group.inplace.or(group.mutable),
            };
            let Some(target) = target else { continue };
            let variant = companion(&ops.overloads[target], target, name, is_out);
            let place = Some(ops.overloads.len());
            ops.overloads.push(variant);
            let group = &mut ops.groups[at];
            *(if is_out { &mut group.out } else { &mut group.functional }) = place;
        }
    }
}

/// A variant that hands on to another member of its group.
fn companion(overload: &Overload, target: usize, name: OpName, is_out: bool) -> Overload {
    let arguments = (0..overload.schema.params.len()).map(Passed::Param).collect();
    let schema = match is_out {
        true => Schema { name, ..out_schema(&overload.schema) },
        false => functional_companion(&overload.schema, &name),
    };
    Overload {
        schema,
        function: true,
        method: false,
        python: Python { skip: true, ..Python::default() },
        autogen: Vec::new(),
        forward: Some(Forward { target, arguments }),
        ..alias(overload)
    }
}

pub(crate) fn check(cx: &mut Diagnostics, group: &Group, overloads: &[Overload]) {
    let declared: Vec<&Spanned<OpName>> =
        group.members().flat_map(|it| &overloads[it].autogen).collect();
    if declared.is_empty() && group.functional.is_some() {
        return;
    }
    let why = why_nothing(overloads, group);
    // Upstream's files ask for variants of composite operators that are never
    // generated, which does no harm as long as the group can do without.
    if why.is_some() && !group.is_complete() {
        return;
    }
    let expected = companions(overloads, group);
    let is_expected = |name: &OpName| expected.iter().any(|it| same(it, name));
    for name in declared.iter().filter(|it| !is_expected(&it.value)) {
        let message = format!("`{}` is not what is generated", name.value);
        let error = cx.error(codes::AUTOGEN, &name.span, message);
        let known: Vec<String> = expected.iter().map(OpName::to_string).collect();
        match (why, known.as_slice()) {
            (Some(why), _) => error.note(why).help("remove it"),
            (None, []) => {
                error.note("the operator has all variants that it can have").help("remove it")
            }
            (None, known) => error.help(format_args!("expected `{}`", known.join(", "))),
        };
    }
    let Some(base) = base(group).map(|it| &overloads[it]) else { return };
    let is_declared = |name: &OpName| declared.iter().any(|it| same(&it.value, name));
    for name in expected.iter().filter(|it| !is_declared(it)) {
        let message = format!("a variant `{name}` follows from these, but is not named");
        cx.error(codes::AUTOGEN, &base.schema.name_span, message)
            .help(format_args!("add `autogen: {name}`"));
    }
}

/// Whether two names are the same in one namespace: companions are in that of
/// their group, whether it is written or not.
fn same(one: &OpName, other: &OpName) -> bool {
    one.base == other.base && one.overload == other.overload
}

/// Why a group gets no companions.
pub(crate) fn why_nothing(overloads: &[Overload], group: &Group) -> Option<&'static str> {
    let members = || group.members().map(|it| &overloads[it]);
    if members().all(|it| it.manual_binding) {
        Some("operators with `manual_cpp_binding` get no companions")
    } else if members().any(|it| it.is_view()) {
        Some("views get no companions")
    } else if members().all(|it| it.is_composite_implicit())
        && !members().any(|it| it.has_tag(CORE))
    {
        Some("composite operators get no companions: those that they consist of have them")
    } else if group.out.is_some() && members().count() == 1 {
        Some("nothing is known about the other variants of a lone out variant")
    } else {
        None
    }
}

/// The member that companions are made from.
fn base(group: &Group) -> Option<usize> {
    group.mutable.or(group.inplace).or(group.out).or(group.functional)
}

fn derived(overloads: &[Overload], group: &Group) -> Vec<OpName> {
    let Some(base) = base(group).map(|it| &overloads[it]) else { return Vec::new() };
    let schema = &base.schema;
    let asked = base.autogen.iter().any(|it| it.value.to_string().contains("out"));
    let possible = schema.kind() == Kind::Inplace || schema.returns_tensors();
    let out = group.out.is_none() && possible && asked;
    let functional = group.functional.is_none() && (out || group.out.is_some());
    let mut names = Vec::new();
    if out {
        names.push(out_name(&schema.name));
    }
    if functional {
        let functional = schema.kind() == Kind::Mutable;
        let base = BaseName { inplace: false, functional, ..schema.name.base.clone() };
        names.push(OpName { base, ..schema.name.clone() });
    }
    names
}

/// The schema of the functional variant that is generated from an operator:
/// what the operator mutates is returned as `<name>_out`, if it was not
/// returned already.
pub fn functional_companion(schema: &Schema, name: &OpName) -> Schema {
    let signature = signature(schema);
    let returned = schema.returns.iter().map(|it| Return { annotation: None, ..it.clone() });
    let written = signature.unreturned().map(|it| {
        let name = Spanned::new(format!("{}_out", it.name.value), it.name.span.clone());
        Return { name: Some(name), ty: it.ty.clone(), annotation: None }
    });
    Schema {
        name: name.clone(),
        params: signature.params().map(|it| Param { annotation: None, ..it.clone() }).collect(),
        returns: returned.chain(written).collect(),
        span: schema.span.clone(),
        name_span: schema.name_span.clone(),
    }
}
