//! Rows as bars.

use super::count::CoverageRow;

const WIDTH: usize = 720;
const LINE: usize = 22;
/// Where bars begin, and how long one of a hundred percent is.
const LEFT: usize = 230;
const BAR: usize = 340;

/// A drawing with a bar for each row, below the title of its section.
pub(super) fn svg(sections: &[(&str, &[CoverageRow])]) -> String {
    let mut y = 10;
    let mut body = String::new();
    for (title, rows) in sections {
        y += LINE;
        body.push_str(&format!("<text x=\"10\" y=\"{y}\" class=\"title\">{title}</text>\n"));
        for row in *rows {
            y += LINE;
            body.push_str(&bar(row, y));
        }
        y += LINE / 2;
    }
    let height = y + LINE / 2;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" \
         viewBox=\"0 0 {WIDTH} {height}\">\n\
         <style>\n\
         text {{ font: 13px sans-serif; fill: #222 }}\n\
         .title {{ font-weight: bold }}\n\
         .all {{ fill: #e4e4e4 }}\n\
         .there {{ fill: #2f7d4f }}\n\
         .different {{ fill: #d8a531 }}\n\
         </style>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         {body}</svg>\n"
    )
}

fn bar(row: &CoverageRow, y: usize) -> String {
    let length = |count: usize| BAR as f64 * count as f64 / row.operators.max(1) as f64;
    let (there, different) = (length(row.there), length(row.different));
    let (top, height) = (y - 12, LINE - 7);
    let rect = |class: &str, x: f64, width: f64| {
        format!(
            "<rect class=\"{class}\" x=\"{x:.1}\" y=\"{top}\" width=\"{width:.1}\" \
             height=\"{height}\"/>\n"
        )
    };
    let left = LEFT as f64;
    format!(
        "<text x=\"20\" y=\"{y}\">{}</text>\n{}{}{}<text x=\"{}\" y=\"{y}\">{} of {}, {:.1} %</text>\n",
        escaped(&row.name),
        rect("all", left, BAR as f64),
        rect("there", left, there),
        rect("different", left + there, different),
        LEFT + BAR + 10,
        row.there,
        row.operators,
        row.share(),
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
