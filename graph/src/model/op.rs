//! Ops: overloads of operators, and custom Ops.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use opwright_runtime::op::{ElementLoop, Operator, Value};
use opwright_runtime::types::TypeRef;
use opwright_runtime::{DType, Error, Tensor};

use crate::model::apply::Apply;
use crate::model::error::GraphError;
use crate::model::variable::Variable;

/// The results of a node.
pub use opwright_runtime::op::Results;

/// What a node does: an overload of an operator, or something that is no operator.
#[derive(Clone)]
pub enum Op {
    /// An overload.
    Row(&'static Operator),
    /// Something else.
    Custom(Arc<dyn Custom>),
}

/// A loop over the elements of all inputs, which gives what performing the node gives.
#[derive(Clone)]
pub struct Elementwise {
    /// The loop.
    pub of: &'static ElementLoop,
    /// The dtype that it is made for.
    pub dtype: DType,
    /// What it is made with besides.
    pub others: Vec<Value>,
}

/// The fast path of a node of one tensor, for operands of few elements.
pub trait SmallPath: Send + Sync {
    /// The result; none, with nothing done, where the node has to be performed.
    ///
    /// # Errors
    ///
    /// What making a loop reports; `Memory`.
    fn run(&self, inputs: &[Value]) -> Result<Option<Tensor>, Error>;
}

/// What a node does that calls no operator.
pub trait Custom: Any + fmt::Display + Send + Sync {
    /// Whether nodes of both do the same with the same inputs.
    fn same(&self, other: &dyn Custom) -> bool;

    /// Computes the results.
    ///
    /// # Errors
    ///
    /// Whatever it reports.
    fn perform(&self, node: &Arc<Apply>, inputs: &[Value]) -> Result<Results, GraphError>;

    /// The types of the results of these inputs; none if they are what they were of others.
    ///
    /// # Errors
    ///
    /// What keeps it from taking them.
    fn types(&self, _inputs: &[Variable]) -> Result<Option<Vec<TypeRef>>, GraphError> {
        Ok(None)
    }

    /// Computes the results, which have to be values of their types as they are.
    ///
    /// # Errors
    ///
    /// Whatever it reports.
    fn perform_strictly(&self, node: &Arc<Apply>, inputs: &[Value]) -> Result<Results, GraphError> {
        self.perform(node, inputs)
    }

    /// Its loop over elements, if it has one: then chains of element-wise operators take it in. Where
    /// the loop fails, the node is performed, which says why.
    fn elementwise(&self, _node: &Arc<Apply>) -> Option<Elementwise> {
        None
    }

    /// How it runs over a few elements, if there is a faster way than to perform it.
    fn fast_path(&self) -> Option<Arc<dyn SmallPath>> {
        None
    }

    /// Whether it can be performed; if not, a back end has to run it.
    fn performs(&self) -> bool {
        true
    }

    /// Whether it tells itself what happens in it.
    fn tells(&self) -> bool {
        false
    }

    /// The inputs of whose memory a result may be a part.
    fn views(&self, _output: usize) -> &[usize] {
        &[]
    }

    /// Whether it writes to an input.
    fn destroys(&self, _input: usize) -> bool {
        false
    }

    /// Whether the host must be held while it runs.
    fn is_held(&self) -> bool {
        false
    }

    /// Its settings, as they are shown.
    fn settings(&self) -> Vec<(String, String)> {
        Vec::new()
    }
}

impl dyn Custom {
    /// It itself, if it is a `T`.
    pub fn downcast<T: Custom>(&self) -> Option<&T> {
        (self as &dyn Any).downcast_ref()
    }
}

impl Op {
    /// Whether it can be performed; if not, a back end has to run it.
    pub fn performs(&self) -> bool {
        match self {
            Op::Row(_) => true,
            Op::Custom(it) => it.performs(),
        }
    }

    /// Without the name of the overload.
    pub fn base_name(&self) -> String {
        match self {
            Op::Row(row) => row.base_name().to_owned(),
            Op::Custom(it) => it.to_string(),
        }
    }

    /// Whether nodes of both do the same with the same arguments.
    pub fn same(&self, other: &Op) -> bool {
        match (self, other) {
            (Op::Row(a), Op::Row(b)) => std::ptr::eq(*a, *b) || a.schema == b.schema,
            (Op::Custom(a), Op::Custom(b)) => Arc::ptr_eq(a, b) || a.same(&**b),
            (Op::Row(_), Op::Custom(_)) | (Op::Custom(_), Op::Row(_)) => false,
        }
    }
}

/// `add.Tensor`.
impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Op::Row(row) => f.write_str(row.name),
            Op::Custom(it) => it.fmt(f),
        }
    }
}
