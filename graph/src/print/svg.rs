//! SVG output.

use std::fmt::Write;

use super::layout::{GraphLayout, NodeKind, NodeShape};
use crate::model::variable::Variable;

/// How wide a letter is, about.
const LETTER: f64 = 7.5;
/// How high a shape is.
const HEIGHT: f64 = 28.0;
/// How far layers are apart.
const LAYER: f64 = 64.0;
/// How far shapes of a layer are apart.
const GAP: f64 = 24.0;
/// How far all is from the edge.
const MARGIN: f64 = 12.0;

/// The picture that `dot` describes, drawn.
pub fn svg(variables: &[Variable]) -> String {
    let layout = GraphLayout::of(variables);
    let picture = Picture::of(&layout);
    let (width, height) = (picture.width, picture.height);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"monospace\" font-size=\"12\">\n\
         <defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" \
         markerHeight=\"8\" orient=\"auto\"><path d=\"M0 0 L8 4 L0 8 z\"/></marker></defs>\n"
    );
    for edge in &layout.edges {
        let ((x1, y1), (x2, y2)) = (picture.middles[edge.from], picture.middles[edge.to]);
        let (y1, y2) = (y1 + HEIGHT / 2.0, y2 - HEIGHT / 2.0);
        let _ = writeln!(
            text,
            "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"black\" \
             marker-end=\"url(#tip)\"/>"
        );
        if !edge.label.is_empty() {
            let (x, y) = (x1 + (x2 - x1) * 0.7 + 4.0, y1 + (y2 - y1) * 0.7);
            let _ = writeln!(text, "<text x=\"{x:.1}\" y=\"{y:.1}\">{}</text>", edge.label);
        }
    }
    for (shape, middle) in layout.shapes.iter().zip(&picture.middles) {
        draw(&mut text, shape, *middle);
    }
    text.push_str("</svg>\n");
    text
}

/// Where the middles of shapes are, and how large the whole is.
struct Picture {
    middles: Vec<(f64, f64)>,
    width: f64,
    height: f64,
}

impl Picture {
    fn of(layout: &GraphLayout) -> Picture {
        let mut widths: Vec<Vec<f64>> = layout.widths.iter().map(|it| vec![0.0; *it]).collect();
        for shape in &layout.shapes {
            widths[shape.layer][shape.column] = width(shape);
        }
        let total =
            |it: &Vec<f64>| it.iter().sum::<f64>() + GAP * it.len().saturating_sub(1) as f64;
        let widest = widths.iter().map(total).fold(0.0, f64::max);
        let middle = |shape: &NodeShape| {
            let row = &widths[shape.layer];
            let before = row[..shape.column].iter().map(|it| it + GAP).sum::<f64>();
            let left = MARGIN + (widest - total(row)) / 2.0 + before;
            let y = MARGIN + HEIGHT / 2.0 + shape.layer as f64 * LAYER;
            (left + row[shape.column] / 2.0, y)
        };
        let height = layout.widths.len().saturating_sub(1) as f64 * LAYER + HEIGHT;
        Picture {
            middles: layout.shapes.iter().map(middle).collect(),
            width: widest + 2.0 * MARGIN,
            height: height + 2.0 * MARGIN,
        }
    }
}

fn width(shape: &NodeShape) -> f64 {
    let letters = shape.text.chars().count() as f64 * LETTER;
    // Texts reach less far into an ellipse.
    if shape.kind == NodeKind::Node { letters + 16.0 } else { letters * 1.2 + 24.0 }
}

fn draw(text: &mut String, shape: &NodeShape, (x, y): (f64, f64)) {
    let (width, colour) = (width(shape), shape.kind.colour());
    let _ = if shape.kind == NodeKind::Node {
        let (left, top) = (x - width / 2.0, y - HEIGHT / 2.0);
        writeln!(
            text,
            "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{HEIGHT}\" \
             fill=\"{colour}\" stroke=\"black\"/>"
        )
    } else {
        writeln!(
            text,
            "<ellipse cx=\"{x:.1}\" cy=\"{y:.1}\" rx=\"{:.1}\" ry=\"{}\" fill=\"{colour}\" \
             stroke=\"black\"/>",
            width / 2.0,
            HEIGHT / 2.0
        )
    };
    let shown = escaped(&shape.text);
    let y = y + 4.0;
    let _ = writeln!(text, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\">{shown}</text>");
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
