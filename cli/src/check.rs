//! `opwright check`.

use std::path::PathBuf;

use opwright_schema::diag::{Diagnostic, Diagnostics, Severity};
use opwright_schema::render::{render, render_styled};
use opwright_schema::{Sources, load_into};

use crate::Outcome;
use crate::args::Format;
use crate::files;
use crate::output::Output;
use crate::report::Report;

/// Reads the files, and shows what is wrong with them.
pub(crate) fn run(paths: &[PathBuf], format: Format, output: &mut Output) -> Outcome {
    let mut cx = Diagnostics::new();
    let mut sources = Sources::new();
    let input = files::read(&mut cx, &mut sources, paths);
    let loaded = load_into(&mut cx, &sources, &input);
    let operators = loaded.ops.overloads.len() + loaded.broken.len();
    let findings = cx.finish().unwrap_or_else(|errors| errors);
    let errors = count(&findings, Severity::Error);
    match format {
        Format::Json => {
            let report = Report::new(&sources, operators, &findings);
            output.json(&report);
        }
        Format::Text => {
            let text = match output.is_terminal() {
                true => render_styled(&sources, &findings),
                false => render(&sources, &findings),
            };
            output.line(&format!("{text}{operators} operators, {errors} errors"));
        }
    }
    match errors {
        0 => Outcome::Fine,
        _ => Outcome::Wrong,
    }
}

fn count(findings: &[Diagnostic], severity: Severity) -> usize {
    findings.iter().filter(|it| it.severity == severity).count()
}
