//! Gradients of operators, as formulas that are parsed and compared with what they are about: the
//! key `derivative` of entries, and files such as upstream's `derivatives.yaml`.

pub mod annotated;
mod entry;
mod formula;
mod names;

use std::collections::HashMap;

use opwright_diagnostics::diag::Diagnostics;
use opwright_diagnostics::source::Sources;

use crate::group::{Renamed, signature};
use crate::index::Index;
use crate::model::{Group, Kind, OpName, OpSet, Overload, SourceId};
use crate::types::Natives;
use crate::yaml::{self, YamlNode};

pub use crate::model::derivative::{
    AutogradKey, Backward, Derivative, Formula, Formulas, Forward, ForwardRule,
    OutputDifferentiability,
};

/// Reads the file, and reports what does not fit the operators.
pub(crate) fn read(
    cx: &mut Diagnostics,
    sources: &Sources,
    file: SourceId,
    index: &Index<'_>,
    natives: Natives<'_>,
) -> Vec<Derivative> {
    let mut derivatives: Vec<Derivative> = Vec::new();
    for node in yaml::entries(cx, sources, file) {
        let Some(derivative) = entry::read(cx, &node, index, natives) else { continue };
        entry::check_twice(cx, &derivatives, &derivative);
        derivatives.push(derivative);
    }
    derivatives
}

/// Takes in what entries say of their own gradients, behind what files say.
pub(crate) fn read_own(
    cx: &mut Diagnostics,
    all: &[(OpName, YamlNode<'_>)],
    index: &Index<'_>,
    derivatives: &mut Vec<Derivative>,
) {
    for (name, node) in all {
        let Some((operator, overload)) = index.get(name) else { continue };
        let own = entry::read_own(cx, node, (operator, &overload.schema));
        let Some(derivative) = own else { continue };
        entry::check_twice(cx, derivatives, &derivative);
        derivatives.push(derivative);
    }
}

/// The derivative of each operator, by index into [`OpSet::derivatives`].
///
/// An operator without an entry of its own has that of its functional
/// variant, unless it is an out variant; a copying form of a view has that of
/// the view.
pub fn assign(ops: &OpSet) -> Vec<Option<usize>> {
    let mut assigned: Vec<Option<usize>> = vec![None; ops.overloads.len()];
    let own = ops.derivatives.iter().enumerate().filter(|(_, it)| !it.generated);
    for (idx, derivative) in own {
        assigned[derivative.operator].get_or_insert(idx);
    }
    for group in &ops.groups {
        inherit(&mut assigned, group);
    }
    let views = by_signature(ops, &assigned);
    for (overload, slot) in ops.overloads.iter().zip(&mut assigned) {
        if slot.is_none() {
            *slot = view_of(overload).and_then(|it| views.get(&it).copied());
        }
    }
    assigned
}

fn inherit(assigned: &mut [Option<usize>], group: &Group) {
    let Some(derivative) = group.functional.and_then(|it| assigned[it]) else { return };
    for member in [group.inplace, group.mutable].into_iter().flatten() {
        assigned[member].get_or_insert(derivative);
    }
}

fn by_signature(ops: &OpSet, assigned: &[Option<usize>]) -> HashMap<String, usize> {
    let known = ops.overloads.iter().zip(assigned);
    known
        .filter_map(|(overload, derivative)| {
            Some((signature(&overload.schema).to_string(), (*derivative)?))
        })
        .collect()
}

/// The signature of the view that this operator is the copying form of.
fn view_of(overload: &Overload) -> Option<String> {
    let is_copy = overload.has_tag("view_copy") && overload.schema.kind() == Kind::Functional;
    let root = overload.schema.name.base.root.strip_suffix("_copy").filter(|_| is_copy)?;
    Some(Renamed(root, signature(&overload.schema)).to_string())
}
