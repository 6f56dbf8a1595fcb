//! Apply nodes: a call with its inputs, arguments and outputs.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use opwright_runtime::types::TypeRef;
use opwright_runtime::{Error, buffer};

use crate::model::argument::NodeArgument;
use crate::model::label::CallSite;
use crate::model::label::Label;
use crate::model::op::{Custom, Op};
use crate::model::variable::Variable;

/// A call: what is called, with what, what types its results are of, and where it was written.
pub struct Apply {
    id: u64,
    op: Op,
    inputs: Vec<Variable>,
    arguments: Vec<NodeArgument>,
    outputs: Vec<NodeOutput>,
    place: Option<CallSite>,
    label: Label,
}

/// A result of a node.
pub struct NodeOutput {
    ty: TypeRef,
    label: Label,
}

impl NodeOutput {
    /// Its type.
    pub fn ty(&self) -> &TypeRef {
        &self.ty
    }

    /// What people call it.
    pub fn label(&self) -> &Label {
        &self.label
    }
}

impl Apply {
    /// A node whose results are of these types. The arguments of a row stand in the order of its
    /// parameters; what is no row takes its inputs.
    pub fn new(
        op: Op,
        inputs: Vec<Variable>,
        arguments: Vec<NodeArgument>,
        types: Vec<TypeRef>,
        place: Option<CallSite>,
    ) -> Arc<Apply> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let id = NEXT.fetch_add(1, Ordering::Relaxed);
        let output = |ty| NodeOutput { ty, label: Label::default() };
        let outputs = types.into_iter().map(output).collect();
        let (inputs, arguments) = match op {
            Op::Row(_) => each_once(inputs, arguments),
            Op::Custom(_) => (inputs, arguments),
        };
        Arc::new(Apply { id, op, inputs, arguments, outputs, place, label: Label::default() })
    }

    /// A number: greater than those of the nodes that it uses.
    pub fn id(&self) -> u64 {
        self.id
    }

    /// What it does.
    pub fn op(&self) -> &Op {
        &self.op
    }

    /// The variables that it uses, each once for a row.
    pub fn inputs(&self) -> &[Variable] {
        &self.inputs
    }

    /// The variables that it uses, as often as they are named, in the order of the arguments.
    pub fn uses(&self) -> impl Iterator<Item = &Variable> {
        let named = match &self.op {
            Op::Row(_) => {
                let mut named = Vec::new();
                self.arguments.iter().for_each(|it| it.each_input(&mut |at| named.push(at)));
                named
            }
            Op::Custom(_) => (0..self.inputs.len()).collect(),
        };
        named.into_iter().map(|at| &self.inputs[at])
    }

    /// The arguments of a row.
    pub fn arguments(&self) -> &[NodeArgument] {
        &self.arguments
    }

    /// What is known of its results.
    pub fn outputs(&self) -> &[NodeOutput] {
        &self.outputs
    }

    /// Its results as variables.
    pub fn results(self: &Arc<Apply>) -> Vec<Variable> {
        (0..self.outputs.len()).map(|at| Variable::output(self.clone(), at)).collect()
    }

    /// Where it was written.
    pub fn place(&self) -> Option<&CallSite> {
        self.place.as_ref()
    }

    /// What the host finds its object by.
    pub fn label(&self) -> &Label {
        &self.label
    }
}

/// A node of something that is no operator, whose results are of these types.
pub fn custom(
    op: Arc<dyn Custom>,
    inputs: Vec<Variable>,
    types: Vec<TypeRef>,
    place: Option<CallSite>,
) -> Arc<Apply> {
    Apply::new(Op::Custom(op), inputs, Vec::new(), types, place)
}

/// Inputs without repetitions, and the arguments that name them.
fn each_once(
    inputs: Vec<Variable>,
    arguments: Vec<NodeArgument>,
) -> (Vec<Variable>, Vec<NodeArgument>) {
    let mut kept: Vec<Variable> = Vec::with_capacity(inputs.len());
    let mut places = Vec::with_capacity(inputs.len());
    for input in inputs {
        let known = kept.iter().position(|it| *it == input);
        places.push(known.unwrap_or(kept.len()));
        if known.is_none() {
            kept.push(input);
        }
    }
    if kept.len() == places.len() {
        return (kept, arguments);
    }
    (kept, arguments.into_iter().map(|it| it.renumbered(&places)).collect())
}

/// Long chains are dropped without recursion.
impl Drop for Apply {
    fn drop(&mut self) {
        let mut pending = std::mem::take(&mut self.inputs);
        while let Some(variable) = pending.pop() {
            if let Some(mut node) = variable.into_owner().and_then(Arc::into_inner) {
                pending.append(&mut node.inputs);
            }
        }
    }
}

/// `add.Tensor(x, y)`.
impl fmt::Display for Apply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}(", self.op)?;
        for (at, input) in self.uses().enumerate() {
            write!(f, "{}{input}", if at > 0 { ", " } else { "" })?;
        }
        f.write_str(")")
    }
}

/// More than a node, its inputs, its types, and what is known of it meanwhile take.
const NODE_BYTES: usize = 4 << 10;

/// Fails unless so many nodes can be made, and what a walk along them takes: nodes, maps and lists
/// cannot fail in stable Rust.
///
/// # Errors
///
/// `Memory` if there is not enough.
pub(crate) fn check_memory(nodes: usize) -> Result<(), Error> {
    buffer::check_room(nodes.saturating_mul(NODE_BYTES))
}
