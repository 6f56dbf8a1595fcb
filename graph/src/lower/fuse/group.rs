//! Fusion groups: which nodes are run together.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use opwright_runtime::op::{Operator, Type};
use opwright_runtime::types::TensorType;

use super::reduced::reduces;
use crate::model::apply::Apply;
use crate::model::argument::NodeArgument;
use crate::model::op::{Elementwise, Op};
use crate::model::variable::Variable;

/// So many nodes are joined at most: their values have to stay in the first cache.
const MOST_NODES: usize = 12;

/// So many tensors are read at most.
const MOST_INPUTS: usize = 8;

/// So many results are written at most.
const MOST_OUTPUTS: usize = 4;

/// Nodes that are run together.
pub(super) struct FusionGroup {
    nodes: Vec<Arc<Apply>>,
    inputs: Vec<Variable>,
    outputs: Vec<Variable>,
}

impl FusionGroup {
    /// The nodes, each behind those that it uses; the last one may be a reduction.
    pub(super) fn nodes(&self) -> &[Arc<Apply>] {
        &self.nodes
    }

    /// What they use that none of them computes.
    pub(super) fn inputs(&self) -> &[Variable] {
        &self.inputs
    }

    /// What others want of them.
    pub(super) fn outputs(&self) -> &[Variable] {
        &self.outputs
    }
}

/// The groups of several nodes, and for each node that is in one which; `nodes` are in the order in
/// which they run.
pub(super) fn groups(
    nodes: &[Arc<Apply>],
    outputs: &[Variable],
) -> (Vec<FusionGroup>, Vec<Option<usize>>) {
    let mut grouping = Grouping::new(nodes, outputs);
    for last in (0..nodes.len()).rev() {
        let node = &nodes[last];
        if grouping.of[last].is_none() && (grouping.links[last] || reduces(node)) {
            grouping.grow(last);
        }
    }
    let made = grouping.groups.iter().map(|it| grouping.group(it)).collect();
    (made, grouping.of)
}

/// A graph whose nodes find together. Nodes are their places in the order.
struct Grouping<'a> {
    nodes: &'a [Arc<Apply>],
    users: Vec<Vec<usize>>,
    /// Whether a node can be part of a chain.
    links: Vec<bool>,
    /// Whether the graph gives the result of a node.
    wanted: Vec<bool>,
    of: Vec<Option<usize>>,
    groups: Vec<Vec<usize>>,
    /// Whether a group has a result that it also uses itself.
    has_inner_outputs: bool,
}

impl<'a> Grouping<'a> {
    fn new(nodes: &'a [Arc<Apply>], outputs: &[Variable]) -> Grouping<'a> {
        let places: HashMap<u64, usize> =
            nodes.iter().enumerate().map(|(at, it)| (it.id(), at)).collect();
        let place = |it: &Variable| it.owner().and_then(|it| places.get(&it.0.id()).copied());
        let mut users = vec![Vec::new(); nodes.len()];
        for (user, node) in nodes.iter().enumerate() {
            for used in node.inputs().iter().filter_map(place) {
                users[used].push(user);
            }
        }
        let mut wanted = vec![false; nodes.len()];
        outputs.iter().filter_map(place).for_each(|it| wanted[it] = true);
        let links = nodes.iter().map(is_link).collect();
        let of = vec![None; nodes.len()];
        let groups = Vec::new();
        Grouping { nodes, users, links, wanted, of, groups, has_inner_outputs: false }
    }

    /// Joins a node with those that it uses.
    fn grow(&mut self, last: usize) {
        let node = &self.nodes[last];
        // A reduction has the shape of what it reads in all of the chain.
        let whole = match self.links[last] {
            true => Variable::output(node.clone(), 0),
            false => node.inputs()[0].clone(),
        };
        let mut members = vec![last];
        for at in (0..last).rev() {
            if members.len() == MOST_NODES {
                break;
            }
            let node = &self.nodes[at];
            let is_used = self.users[at].iter().any(|it| members.contains(it));
            let result = Variable::output(node.clone(), 0);
            if !is_used || self.of[at].is_some() || !self.links[at] || !same_rank(&result, &whole) {
                continue;
            }
            members.push(at);
            if !self.can_be(&members) {
                members.pop();
            }
        }
        if members.len() > 1 {
            members.reverse();
            members.iter().for_each(|it| self.of[*it] = Some(self.groups.len()));
            self.has_inner_outputs |= self.outputs(&members).count() > 1;
            self.groups.push(members);
        }
    }

    /// Whether nodes can run as one, the one that was added last being new.
    fn can_be(&self, members: &[usize]) -> bool {
        let outputs = self.outputs(members).count();
        outputs <= MOST_OUTPUTS
            && self.group(members).inputs.len() <= MOST_INPUTS
            && ((outputs == 1 && !self.has_inner_outputs) || !self.comes_back(members))
    }

    /// The nodes among these whose results others want.
    fn outputs(&self, members: &[usize]) -> impl Iterator<Item = usize> {
        let is_output = |it: &usize| {
            self.wanted[*it] || self.users[*it].iter().any(|user| !members.contains(user))
        };
        members.iter().copied().filter(is_output)
    }

    /// Whether one of these uses what another node makes of their results.
    fn comes_back(&self, members: &[usize]) -> bool {
        let mut seen = vec![false; self.nodes.len()];
        members.iter().for_each(|it| seen[*it] = true);
        let outside = |it: &usize| !members.contains(it);
        let of_members = members.iter().flat_map(|it| &self.users[*it]).copied();
        let mut pending: Vec<usize> = of_members.filter(outside).collect();
        while let Some(at) = pending.pop() {
            if members.contains(&at) {
                return true;
            }
            if std::mem::replace(&mut seen[at], true) {
                continue;
            }
            // A group runs as a whole.
            let together = self.of[at].map_or(&[][..], |it| &self.groups[it]);
            together.iter().for_each(|it| seen[*it] = true);
            let all = together.iter().chain([&at]);
            pending.extend(all.flat_map(|it| &self.users[*it]).copied());
        }
        false
    }

    fn group(&self, members: &[usize]) -> FusionGroup {
        let mut order = members.to_vec();
        order.sort_unstable();
        let nodes: Vec<Arc<Apply>> = order.iter().map(|it| self.nodes[*it].clone()).collect();
        let own: HashSet<u64> = nodes.iter().map(|it| it.id()).collect();
        let mut inputs: Vec<Variable> = Vec::new();
        for input in nodes.iter().flat_map(|it| it.inputs()) {
            let is_own = input.owner().is_some_and(|(node, _)| own.contains(&node.id()));
            if !is_own && !inputs.contains(input) {
                inputs.push(input.clone());
            }
        }
        let result = |it: usize| Variable::output(self.nodes[it].clone(), 0);
        let outputs = self.outputs(&order).map(result).collect();
        FusionGroup { nodes, inputs, outputs }
    }
}

/// What is stretched afterwards is better computed once.
fn same_rank(result: &Variable, whole: &Variable) -> bool {
    let shape = |ty: &dyn opwright_runtime::types::Type| {
        ty.downcast::<TensorType>().map(|it| it.shape().to_vec())
    };
    match (shape(&**result.ty()), shape(&**whole.ty())) {
        (Some(a), Some(b)) => {
            a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| *a != Some(1) || *b == Some(1))
        }
        _ => false,
    }
}

/// Whether a node can be part of a chain.
pub(super) fn is_link(node: &Arc<Apply>) -> bool {
    row(node).is_some() || compiled(node).is_some()
}

/// The loop of a node that is no operator and can be part of a chain: with one result, of tensors and
/// numbers.
pub(super) fn compiled(node: &Arc<Apply>) -> Option<Elementwise> {
    let Op::Custom(op) = node.op() else { return None };
    let [output] = node.outputs() else { return None };
    output.ty().downcast::<TensorType>()?;
    op.elementwise(node)
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
            (Type::Tensor, NodeArgument::Input(_)) | (_, NodeArgument::Value(_))
        ) && !matches!((param.slot.ty, argument), (Type::Optional(Type::Tensor), _))
    });
    fits.then_some(row)
}
