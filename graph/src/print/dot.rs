//! Graphviz output.

use std::fmt::Write;

use super::layout::{GraphLayout, NodeKind};
use crate::model::variable::Variable;

/// A box for each node, an ellipse for each leaf, and an arrow for each input.
pub fn dot(variables: &[Variable]) -> String {
    let layout = GraphLayout::of(variables);
    let mut text = "digraph graph_of_calls {\n".to_owned();
    for (at, shape) in layout.shapes.iter().enumerate() {
        let form = if shape.kind == NodeKind::Node { "box" } else { "ellipse" };
        let _ = writeln!(
            text,
            "  n{at} [label=\"{}\", shape={form}, style=filled, fillcolor={}];",
            escaped(&shape.text),
            shape.kind.colour()
        );
    }
    for edge in &layout.edges {
        let label = if edge.label.is_empty() {
            String::new()
        } else {
            format!(" [label=\"{}\"]", edge.label)
        };
        let _ = writeln!(text, "  n{} -> n{}{label};", edge.from, edge.to);
    }
    text.push_str("}\n");
    text
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}
