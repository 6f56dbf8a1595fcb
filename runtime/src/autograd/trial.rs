//! Dry runs of a node: whether it would be freed with certain tensors, while nothing is.

use std::collections::HashMap;
use std::sync::Arc;

use super::edge;
use super::node::Node;
use crate::Tensor;

/// More nodes than these are not looked at.
const MOST: usize = 10_000;

/// A node, and the edges to it that would go.
pub struct Trial<'a> {
    node: &'a Arc<dyn Node>,
    gone: usize,
    /// Other nodes by their addresses, with the number of edges to each that would go.
    others: HashMap<usize, (Arc<dyn Node>, usize)>,
    /// Addresses of those to which no others lead.
    waiting: Vec<usize>,
}

impl<'a> Trial<'a> {
    /// For a node.
    pub fn of(node: &'a Arc<dyn Node>) -> Trial<'a> {
        Trial { node, gone: 0, others: HashMap::new(), waiting: Vec::new() }
    }

    /// Says that a handle of a tensor would go, which leads to nodes if it is the only one. It never
    /// waits, so that a garbage collector may say it.
    pub fn without(&mut self, tensor: &Tensor) {
        if let Some(edge) = tensor.edge_of_only_handle() {
            self.without_edge_to(edge.node);
        }
    }

    /// Whether the node would go with them, but for so many handles of whoever asks.
    pub fn would_go(mut self, handles: usize) -> bool {
        while let Some(address) = self.waiting.pop() {
            let Some((node, _)) = self.others.get(&address) else { continue };
            let node = node.clone();
            node.kept_nodes(&mut |it| self.without_edge_to(it.clone()));
        }
        self.gone > 0 && self.gone + handles == Arc::strong_count(self.node)
    }

    fn without_edge_to(&mut self, gone: Arc<dyn Node>) {
        if edge::is_same(&gone, self.node) {
            self.gone += 1;
            return;
        }
        // Earlier calls do not lead to this one.
        let is_later = gone.header().sequence() > self.node.header().sequence();
        if !is_later || self.others.len() >= MOST {
            return;
        }
        let address = edge::address(&gone);
        let (node, count) = self.others.entry(address).or_insert((gone, 0));
        *count += 1;
        // One handle is in the table.
        if Arc::strong_count(node) == *count + 1 {
            self.waiting.push(address);
        }
    }
}
