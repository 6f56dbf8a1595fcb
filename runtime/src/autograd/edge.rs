//! Edges of the graph, and how a graph of any depth is dropped.

use std::cell::RefCell;
use std::fmt;
use std::sync::Arc;

use super::Node;

/// What a gradient is for: an output of a recorded call, or a leaf.
#[derive(Clone)]
pub struct Edge {
    /// The call.
    pub node: Arc<dyn Node>,
    /// The number of the output.
    pub output: usize,
}

impl Edge {
    /// That of an output.
    pub fn new(node: Arc<dyn Node>, output: usize) -> Edge {
        Edge { node, output }
    }

    /// Whether both lead to the same output.
    pub fn is_same(&self, other: &Edge) -> bool {
        self.output == other.output && is_same(&self.node, &other.node)
    }
}

impl fmt::Debug for Edge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.node.name(), self.output)
    }
}

/// Whether both are the same node.
pub fn is_same(a: &Arc<dyn Node>, b: &Arc<dyn Node>) -> bool {
    address(a) == address(b)
}

/// Where a node is, which no other one is as long as it lives.
pub(super) fn address(node: &Arc<dyn Node>) -> usize {
    Arc::as_ptr(node).cast::<()>() as usize
}

thread_local! {
    /// Edges that wait for the one that is being dropped; none if nothing is.
    static WAITING: RefCell<Option<Vec<Edge>>> = const { RefCell::new(None) };
}

/// Lets go of edges, without a call for each node that goes with them: those that the nodes behind
/// them let go of meanwhile wait for their turn.
pub(super) fn release(edges: impl IntoIterator<Item = Edge>) {
    // A thread that ends has no list any more; what is left there goes one within the other.
    let is_first = WAITING.try_with(|waiting| {
        let mut waiting = waiting.borrow_mut();
        let is_first = waiting.is_none();
        waiting.get_or_insert_default().extend(edges);
        is_first
    });
    if !is_first.unwrap_or_default() {
        return;
    }
    while let Some(edge) = next_waiting() {
        drop(edge);
    }
}

/// The next edge to let go of; when there is none, the next one to come is the first.
fn next_waiting() -> Option<Edge> {
    WAITING.with(|waiting| {
        let mut waiting = waiting.borrow_mut();
        let next = waiting.as_mut()?.pop();
        if next.is_none() {
            *waiting = None;
        }
        next
    })
}
