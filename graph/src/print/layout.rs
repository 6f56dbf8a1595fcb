//! Layered layout of a graph's picture: a layer for each length of the longest way from a leaf, and
//! in a layer an order with few crossings.

use std::collections::HashMap;
use std::sync::Arc;

use crate::model::apply::Apply;
use crate::model::text;
use crate::model::traverse::{ancestors, nodes};
use crate::model::variable::{Variable, VariableKey};

/// A box, or the ellipse of a leaf.
pub(super) struct NodeShape {
    pub(super) text: String,
    pub(super) kind: NodeKind,
    pub(super) layer: usize,
    /// Where it stands in its layer.
    pub(super) column: usize,
}

/// What a shape stands for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum NodeKind {
    Node,
    Input,
    Shared,
    Constant,
}

impl NodeKind {
    /// What it is filled with.
    pub(super) fn colour(self) -> &'static str {
        match self {
            NodeKind::Node => "white",
            NodeKind::Input => "palegreen",
            NodeKind::Shared => "lightblue",
            NodeKind::Constant => "lightgrey",
        }
    }
}

/// A value that goes from one shape into another.
pub(super) struct LayoutEdge {
    pub(super) from: usize,
    pub(super) to: usize,
    /// Which of the results it is, and which of the inputs, if there are several.
    pub(super) label: String,
}

/// The shapes of a graph, each behind those it uses, and what goes between them.
pub(super) struct GraphLayout {
    pub(super) shapes: Vec<NodeShape>,
    pub(super) edges: Vec<LayoutEdge>,
    /// For each layer how many shapes stand in it.
    pub(super) widths: Vec<usize>,
}

impl GraphLayout {
    /// That of what these depend on.
    pub(super) fn of(variables: &[Variable]) -> GraphLayout {
        let leaves: Vec<Variable> =
            ancestors(variables).into_iter().filter(|it| it.owner().is_none()).collect();
        let nodes = nodes(&[], variables);
        let mut places: HashMap<VariableKey, usize> = HashMap::new();
        let mut layout = GraphLayout { shapes: Vec::new(), edges: Vec::new(), widths: Vec::new() };
        for leaf in &leaves {
            places.insert(leaf.key(), layout.shapes.len());
            layout.shapes.push(NodeShape::leaf(leaf));
        }
        for node in &nodes {
            layout.node(node, &mut places);
        }
        layout.arrange();
        layout
    }

    fn node(&mut self, node: &Arc<Apply>, places: &mut HashMap<VariableKey, usize>) {
        let to = self.shapes.len();
        let uses: Vec<&Variable> = node.uses().collect();
        let several = uses.len() > 1;
        let mut layer = 0;
        for (at, input) in uses.into_iter().enumerate() {
            let from = places[&input.key()];
            layer = layer.max(self.shapes[from].layer + 1);
            let mut label = if several { at.to_string() } else { String::new() };
            if let Some((_, index @ 1..)) = input.owner() {
                label = format!(".{index} {label}").trim_end().to_owned();
            }
            self.edges.push(LayoutEdge { from, to, label });
        }
        for result in node.results() {
            places.insert(result.key(), to);
        }
        self.shapes.push(NodeShape {
            text: text::op(node),
            kind: NodeKind::Node,
            layer,
            column: 0,
        });
    }

    /// Orders each layer by the middle of what its shapes are joined to: downwards, then upwards.
    fn arrange(&mut self) {
        let count = self.shapes.iter().map(|it| it.layer + 1).max().unwrap_or(0);
        let mut layers: Vec<Vec<usize>> = vec![Vec::new(); count];
        for (at, shape) in self.shapes.iter().enumerate() {
            layers[shape.layer].push(at);
        }
        self.place(&layers);
        let mut used: Vec<Vec<usize>> = vec![Vec::new(); self.shapes.len()];
        let mut users = used.clone();
        for edge in &self.edges {
            used[edge.to].push(edge.from);
            users[edge.from].push(edge.to);
        }
        for layer in 0..count {
            self.sort(&mut layers, layer, &used);
        }
        for layer in (0..count).rev() {
            self.sort(&mut layers, layer, &users);
        }
        self.widths = layers.iter().map(Vec::len).collect();
    }

    fn sort(&mut self, layers: &mut [Vec<usize>], layer: usize, joined: &[Vec<usize>]) {
        let middle = |shape: &usize| {
            let columns = joined[*shape].iter().map(|it| self.shapes[*it].column as f64);
            let count = joined[*shape].len();
            if count == 0 {
                self.shapes[*shape].column as f64
            } else {
                columns.sum::<f64>() / count as f64
            }
        };
        layers[layer].sort_by(|a, b| middle(a).total_cmp(&middle(b)));
        self.place(&layers[layer..=layer]);
    }

    fn place(&mut self, layers: &[Vec<usize>]) {
        for layer in layers {
            for (column, shape) in layer.iter().enumerate() {
                self.shapes[*shape].column = column;
            }
        }
    }
}

impl NodeShape {
    fn leaf(leaf: &Variable) -> NodeShape {
        let kind = if leaf.as_constant().is_some() {
            NodeKind::Constant
        } else if leaf.as_shared().is_some() {
            NodeKind::Shared
        } else {
            NodeKind::Input
        };
        NodeShape { text: text::leaf(leaf), kind, layer: 0, column: 0 }
    }
}
