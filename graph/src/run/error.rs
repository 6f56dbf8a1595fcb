//! Execution errors: why a call ended, and in which node.

use std::fmt;

use opwright_runtime::op::Value;

use crate::model::apply::Apply;
use crate::model::argument::NodeArgument;
use crate::model::error::GraphError;
use crate::model::op::Op;

/// Why a call ended, and in which node.
#[derive(Debug)]
pub struct ExecutionError {
    /// The reason.
    pub failure: GraphError,
    /// The node that was running, by its number in the order of execution.
    pub node: Option<usize>,
    /// The input that was refused.
    pub input: Option<usize>,
    /// What the node was called with: `x: float32 (32, 784)`.
    pub values: Vec<String>,
}

/// So many inputs of a node are described.
const MOST: usize = 4;

impl ExecutionError {
    /// Somewhere.
    pub(crate) fn new(failure: GraphError) -> Box<ExecutionError> {
        Box::new(ExecutionError { failure, node: None, input: None, values: Vec::new() })
    }

    /// In a node that was called with these.
    pub(crate) fn with_values(
        mut self: Box<ExecutionError>,
        node: &Apply,
        values: &[Value],
    ) -> Box<ExecutionError> {
        let mut found: Vec<(usize, &Value)> = Vec::new();
        match node.op() {
            Op::Row(_) => {
                let pairs = node.arguments().iter().zip(values);
                pairs.for_each(|(argument, value)| pair(argument, value, &mut found));
            }
            Op::Custom(_) => found.extend(values.iter().enumerate()),
        }
        found.retain(|(at, _)| node.inputs()[*at].as_constant().is_none());
        found.truncate(MOST);
        let describe = |(at, value): (usize, &Value)| {
            let input = &node.inputs()[at];
            match value {
                Value::Tensor(it) if it.ndim() > 0 || input.ty().element().is_some() => {
                    format!("{input}: {} {}", it.dtype().name(), ShapeText(it.shape()))
                }
                _ => format!("{input}: {}", input.ty()),
            }
        };
        self.values = found.into_iter().map(describe).collect();
        self
    }

    /// In the node of this number.
    pub(crate) fn at(mut self: Box<ExecutionError>, node: usize) -> Box<ExecutionError> {
        self.node = Some(node);
        self
    }
}

impl From<GraphError> for Box<ExecutionError> {
    fn from(failure: GraphError) -> Box<ExecutionError> {
        ExecutionError::new(failure)
    }
}

fn pair<'a>(argument: &NodeArgument, value: &'a Value, found: &mut Vec<(usize, &'a Value)>) {
    match (argument, value) {
        (NodeArgument::Input(at), value) => found.push((*at, value)),
        (NodeArgument::List(items), Value::List(values)) => {
            items.iter().zip(values).for_each(|(item, value)| pair(item, value, found));
        }
        _ => {}
    }
}

/// `(2, 3)`, as Python writes it.
struct ShapeText<'a>(&'a [i64]);

impl fmt::Display for ShapeText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            [one] => write!(f, "({one},)"),
            shape => {
                f.write_str("(")?;
                for (at, extent) in shape.iter().enumerate() {
                    write!(f, "{}{extent}", if at > 0 { ", " } else { "" })?;
                }
                f.write_str(")")
            }
        }
    }
}
