//! Edges of the backward graph, and its destruction without recursion, however deep it is.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::sync::Arc;

use super::node::Node;

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

/// What this thread does about edges.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Releasing {
    Nothing,
    /// One is being dropped.
    One,
    /// One is being dropped, and others wait for it.
    Several,
}

thread_local! {
    static RELEASING: Cell<Releasing> = const { Cell::new(Releasing::Nothing) };

    /// Edges that wait for the one that is being dropped.
    static WAITING: RefCell<Vec<Edge>> = const { RefCell::new(Vec::new()) };
}

/// For so many waiting edges memory is kept.
const KEPT: usize = 64;

/// Lets go of edges, without a call for each node that goes with them: those that the nodes behind
/// them let go of meanwhile wait for their turn.
pub(super) fn release(edges: impl IntoIterator<Item = Edge>) {
    for edge in edges {
        if RELEASING.get() == Releasing::Nothing {
            release_first(edge);
        } else if edge.node.header().is_of_leaf() {
            // Nothing goes on behind it.
            drop(edge);
        } else {
            wait(edge);
        }
    }
}

/// Lets go of an edge, and then of those that came to wait meanwhile.
fn release_first(edge: Edge) {
    RELEASING.set(Releasing::One);
    let _released = Released;
    drop(edge);
    while RELEASING.get() == Releasing::Several {
        next_waiting();
    }
}

/// Whatever is dropped may panic.
struct Released;

impl Drop for Released {
    fn drop(&mut self) {
        RELEASING.set(Releasing::Nothing);
    }
}

fn wait(edge: Edge) {
    let mut edge = Some(edge);
    // A thread that ends has no list any more; what is left there goes one within the other.
    if WAITING.try_with(|it| it.borrow_mut().extend(edge.take())).is_ok() {
        RELEASING.set(Releasing::Several);
    }
}

/// Lets go of the edge that came last.
fn next_waiting() {
    let next = WAITING.try_with(|waiting| {
        let mut waiting = waiting.borrow_mut();
        let next = waiting.pop();
        if waiting.is_empty() {
            waiting.shrink_to(KEPT);
            RELEASING.set(Releasing::One);
        }
        next
    });
    drop(next);
}
