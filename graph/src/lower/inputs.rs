//! Graph queries before compilation: missing, unused and shared inputs, nodes that write.

use std::sync::Arc;

use crate::model::apply::Apply;
use crate::model::op::Op;
use crate::model::traverse::nodes;
use crate::model::variable::Variable;

/// The first node that says it writes to its inputs.
pub fn writing(inputs: &[Variable], wanted: &[Variable]) -> Option<Arc<Apply>> {
    let writes = |node: &Arc<Apply>| match node.op() {
        Op::Row(row) => row.mutates(),
        Op::Custom(op) => (0..node.inputs().len()).any(|it| op.destroys(it)),
    };
    nodes(inputs, wanted).into_iter().find(writes)
}

/// What has to be given to compute these, and is not; with the node that uses it.
pub fn missing(inputs: &[Variable], wanted: &[Variable]) -> Option<(Variable, Option<Arc<Apply>>)> {
    let is_missing = |it: &&Variable| it.is_input() && !inputs.contains(it);
    for node in nodes(inputs, wanted) {
        if let Some(variable) = node.inputs().iter().find(is_missing) {
            return Some((variable.clone(), Some(node)));
        }
    }
    wanted.iter().find(is_missing).map(|it| (it.clone(), None))
}

/// Which inputs nothing that is wanted depends on.
pub fn unused(inputs: &[Variable], wanted: &[Variable]) -> Vec<usize> {
    let nodes = nodes(inputs, wanted);
    let used: Vec<&Variable> = nodes.iter().flat_map(|it| it.inputs()).chain(wanted).collect();
    (0..inputs.len()).filter(|at| !used.contains(&&inputs[*at])).collect()
}

/// The shared variables that these depend on, in the order of their first use.
pub fn shared(inputs: &[Variable], wanted: &[Variable]) -> Vec<Variable> {
    let nodes = nodes(inputs, wanted);
    let used = nodes.iter().flat_map(|it| it.inputs()).chain(wanted);
    let mut found: Vec<Variable> = Vec::new();
    for variable in used.filter(|it| it.as_shared().is_some()) {
        if !found.contains(variable) {
            found.push(variable.clone());
        }
    }
    found
}
