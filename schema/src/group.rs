//! Which overloads are variants of each other: functional, in-place, out and
//! mutable forms of one computation.

use std::collections::HashMap;

use crate::codes;
use crate::diag::Diagnostics;
use crate::model::{BaseName, Group, Kind, OpName, Overload, Param, Return, Role, Schema};

/// The part of a schema that all variants of an operator share: no overload
/// name, nothing that is written to, no tensor options; what the operator
/// writes to counts as returned.
///
/// Names, order and defaults of the parameters are kept.
pub fn signature(schema: &Schema) -> Schema {
    let base = BaseName { inplace: false, functional: false, ..schema.name.base.clone() };
    let name = OpName { namespace: None, base, overload: String::new() };
    let params = schema.params.iter().filter_map(|it| match it.role {
        Role::Positional | Role::Keyword => Some(Param { annotation: None, ..it.clone() }),
        Role::Option | Role::Out => None,
    });
    let plain = |ty: &_| Return { name: None, ty: Clone::clone(ty), annotation: None };
    let returned = schema.returns.iter().map(|it| plain(&it.ty));
    let receiver = schema.receiver().into_iter();
    // Behind `self` and the out parameters, so that an in-place and an out
    // variant that mutate something else too still look alike.
    let written = receiver.chain(schema.outs()).chain(schema.mutable_params());
    let returned_as = |it: &Param| schema.returns.iter().any(|ret| it.is_returned_as(ret));
    let unreturned = written.filter(|it| it.writes() && !returned_as(it));
    Schema {
        name,
        params: params.collect(),
        returns: returned.chain(unreturned.map(|it| plain(&it.ty))).collect(),
        span: schema.span.clone(),
        name_span: schema.name_span.clone(),
    }
}

impl Group {
    /// The member of a kind.
    pub fn get(&self, kind: Kind) -> Option<usize> {
        match kind {
            Kind::Functional => self.functional,
            Kind::Inplace => self.inplace,
            Kind::Out => self.out,
            Kind::Scratch => self.scratch,
            Kind::Mutable => self.mutable,
        }
    }

    fn slot(&mut self, kind: Kind) -> &mut Option<usize> {
        match kind {
            Kind::Functional => &mut self.functional,
            Kind::Inplace => &mut self.inplace,
            Kind::Out => &mut self.out,
            Kind::Scratch => &mut self.scratch,
            Kind::Mutable => &mut self.mutable,
        }
    }

    /// All members: functional, in-place, out, mutable, scratch.
    pub fn members(&self) -> impl Iterator<Item = usize> {
        [self.functional, self.inplace, self.out, self.mutable, self.scratch].into_iter().flatten()
    }

    /// Whether it has the variants that a group of upstream has at least:
    /// functional and out.
    pub fn is_complete(&self) -> bool {
        self.functional.is_some() && self.out.is_some()
    }
}

/// Sorts overloads into groups, in the order of their first members.
pub(crate) fn group(cx: &mut Diagnostics, overloads: &[Overload]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut by_signature: HashMap<String, usize> = HashMap::new();
    for (idx, overload) in overloads.iter().enumerate() {
        let signature = signature(&overload.schema).to_string();
        let at = *by_signature.entry(signature).or_insert_with(|| {
            groups.push(Group::default());
            groups.len() - 1
        });
        let kind = overload.schema.kind();
        match *groups[at].slot(kind) {
            Some(first) => ambiguous(cx, &overloads[first], overload, kind),
            None => *groups[at].slot(kind) = Some(idx),
        }
    }
    adopt(overloads, &mut groups);
    groups
}

/// Gives an in-place variant without a functional one the lone functional
/// operator that differs from it in nothing but that it has fewer defaults.
fn adopt(overloads: &[Overload], groups: &mut Vec<Group>) {
    let lone = |it: &Group| it.functional.is_some() && it.members().count() == 1;
    let orphan = |it: &Group| it.functional.is_none() && it.inplace.is_some();
    let mut adopted = Vec::new();
    for at in 0..groups.len() {
        let Some(inplace) = groups[at].inplace.filter(|_| orphan(&groups[at])) else { continue };
        let child = groups.iter().position(|it| {
            let functional = it.functional.filter(|_| lone(it));
            functional.is_some_and(|it| has_fewer_defaults(&overloads[it], &overloads[inplace]))
        });
        if let Some(child) = child {
            groups[at].functional = groups[child].functional.take();
            adopted.push(child);
        }
    }
    adopted.sort_unstable();
    for at in adopted.into_iter().rev() {
        groups.remove(at);
    }
}

fn has_fewer_defaults(one: &Overload, other: &Overload) -> bool {
    if one.schema.name.base.root != other.schema.name.base.root {
        return false;
    }
    let (mut one, other) = (signature(&one.schema), signature(&other.schema));
    for (param, other) in one.params.iter_mut().zip(&other.params) {
        param.default = param.default.take().or_else(|| other.default.clone());
    }
    one.to_string() == other.to_string()
}

fn ambiguous(cx: &mut Diagnostics, first: &Overload, second: &Overload, kind: Kind) {
    let (one, two) = (&first.schema.name, &second.schema.name);
    if one == two {
        // Reported as a duplicate.
        return;
    }
    let message = format!("`{one}` and `{two}` are the same operator");
    cx.error(codes::AMBIGUOUS_VARIANT, &second.schema.name_span, message)
        .also(&first.schema.name_span, format_args!("this one is {kind}, too"))
        .note("they differ in nothing but the overload name")
        .help("remove one of them");
}
