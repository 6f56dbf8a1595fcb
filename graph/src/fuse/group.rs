//! Which nodes are run together.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use opwright_runtime::op::{Operator, Type};
use opwright_runtime::types::TensorType;

use crate::apply::Apply;
use crate::argument::Argument;
use crate::op::Op;
use crate::variable::{Key, Variable};

/// So many nodes are joined at most: their values have to stay in the first cache.
const MOST_NODES: usize = 12;

/// So many tensors are read at most.
const MOST_INPUTS: usize = 8;

/// Nodes that are run together: all but the last are used by others of them alone.
pub(super) struct Group {
    nodes: Vec<Arc<Apply>>,
    inputs: Vec<Variable>,
}

impl Group {
    /// The nodes, each behind those that it uses.
    pub(super) fn nodes(&self) -> &[Arc<Apply>] {
        &self.nodes
    }

    /// What they use that none of them computes.
    pub(super) fn inputs(&self) -> &[Variable] {
        &self.inputs
    }

    /// The number of the node whose result they are for.
    pub(super) fn last(&self) -> u64 {
        self.nodes.last().map_or(0, |it| it.id())
    }

    fn of(mut nodes: Vec<Arc<Apply>>) -> Group {
        nodes.reverse();
        let own: HashSet<u64> = nodes.iter().map(|it| it.id()).collect();
        let mut inputs: Vec<Variable> = Vec::new();
        for input in nodes.iter().flat_map(|it| it.inputs()) {
            let is_own = input.owner().is_some_and(|(node, _)| own.contains(&node.id()));
            if !is_own && !inputs.contains(input) {
                inputs.push(input.clone());
            }
        }
        Group { nodes, inputs }
    }
}

/// The groups of several nodes, by the numbers of these; `nodes` are in the order in which they run.
pub(super) fn groups(nodes: &[Arc<Apply>], outputs: &[Variable]) -> HashMap<u64, Rc<Group>> {
    let users = users(nodes);
    let wanted: HashSet<Key> = outputs.iter().map(Variable::key).collect();
    let mut found: HashMap<u64, Rc<Group>> = HashMap::new();
    for (at, last) in nodes.iter().enumerate().rev() {
        if found.contains_key(&last.id()) || row(last).is_none() {
            continue;
        }
        let mut members = vec![last.clone()];
        let mut own = HashSet::from([last.id()]);
        for node in nodes[..at].iter().rev() {
            let result = Variable::output(node.clone(), 0);
            let used = users.get(&node.id());
            let is_inner = used.is_some_and(|it| it.iter().all(|user| own.contains(user)))
                && !wanted.contains(&result.key())
                && !found.contains_key(&node.id())
                && row(node).is_some()
                && same_rank(&result, last);
            if !is_inner || members.len() == MOST_NODES {
                continue;
            }
            members.push(node.clone());
            if Group::of(members.clone()).inputs.len() > MOST_INPUTS {
                members.pop();
                continue;
            }
            own.insert(node.id());
        }
        if members.len() > 1 {
            let group = Rc::new(Group::of(members));
            found.extend(own.into_iter().map(|it| (it, group.clone())));
        }
    }
    found
}

/// For each node those that use a result of it.
fn users(nodes: &[Arc<Apply>]) -> HashMap<u64, Vec<u64>> {
    let mut users: HashMap<u64, Vec<u64>> = HashMap::new();
    for node in nodes {
        for (used, _) in node.inputs().iter().filter_map(Variable::owner) {
            users.entry(used.id()).or_default().push(node.id());
        }
    }
    users
}

/// What is stretched afterwards is better computed once.
fn same_rank(result: &Variable, last: &Apply) -> bool {
    let shape = |ty: &dyn opwright_runtime::types::Type| {
        ty.downcast::<TensorType>().map(|it| it.shape().to_vec())
    };
    match (shape(&**result.ty()), shape(&**last.outputs()[0].ty())) {
        (Some(a), Some(b)) => {
            a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| *a != Some(1) || *b == Some(1))
        }
        _ => false,
    }
}

/// The row of a node that can be part of a chain: an element-wise operator with one result, all of
/// whose tensors are inputs and whose other arguments are known.
pub(super) fn row(node: &Apply) -> Option<&'static Operator> {
    let Op::Row(row) = node.op() else { return None };
    row.inner_loop?;
    let is_tensor = |ty: &dyn opwright_runtime::types::Type| ty.downcast::<TensorType>().is_some();
    if row.mutates() || node.outputs().len() != 1 || !is_tensor(&**node.outputs()[0].ty()) {
        return None;
    }
    let fits = row.params.iter().zip(node.arguments()).all(|(param, argument)| {
        matches!(
            (param.slot.ty, argument),
            (Type::Tensor, Argument::Input(_)) | (_, Argument::Value(_))
        ) && !matches!((param.slot.ty, argument), (Type::Optional(Type::Tensor), _))
    });
    fits.then_some(row)
}
