//! Findings as JSON.

use opwright_codegen::codes;
use opwright_diagnostics::Sources;
use opwright_diagnostics::diag::{Diagnostic, Severity};
use opwright_schema::model::Span;
use serde::Serialize;

use crate::formulas::FormulaCount;

/// Everything that a check found.
#[derive(Serialize)]
pub(crate) struct Findings<'d> {
    operators: usize,
    errors: usize,
    warnings: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    derivatives: Option<FormulaCount>,
    diagnostics: Vec<Finding<'d>>,
}

#[derive(Serialize)]
struct Finding<'d> {
    code: &'d str,
    title: &'static str,
    severity: String,
    message: &'d str,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<&'d str>,
    #[serde(flatten)]
    place: Option<Location<'d>>,
    secondary: Vec<Secondary<'d>>,
    notes: &'d [String],
    helps: &'d [String],
}

#[derive(Serialize)]
struct Secondary<'d> {
    label: &'d str,
    #[serde(flatten)]
    place: Location<'d>,
}

/// Lines and columns count from one, columns in characters; the end is the
/// first column behind the text.
#[derive(Serialize)]
struct Location<'d> {
    file: &'d str,
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
    text: &'d str,
}

impl<'d> Findings<'d> {
    pub(crate) fn new(
        sources: &'d Sources,
        operators: usize,
        items: &'d [Diagnostic],
        derivatives: Option<FormulaCount>,
    ) -> Self {
        let count = |severity| items.iter().filter(|it| it.severity == severity).count();
        Findings {
            operators,
            errors: count(Severity::Error),
            warnings: count(Severity::Warning),
            derivatives,
            diagnostics: items.iter().map(|it| Finding::new(sources, it)).collect(),
        }
    }
}

impl<'d> Finding<'d> {
    fn new(sources: &'d Sources, item: &'d Diagnostic) -> Self {
        let secondary = item.secondary.iter();
        Finding {
            code: item.code,
            title: codes::title(item.code).unwrap_or_default(),
            severity: item.severity.to_string(),
            message: &item.message,
            label: item.label.as_deref(),
            place: item.span.as_ref().map(|it| Location::new(sources, it)),
            secondary: secondary
                .map(|(span, label)| Secondary { label, place: Location::new(sources, span) })
                .collect(),
            notes: &item.notes,
            helps: &item.helps,
        }
    }
}

impl<'d> Location<'d> {
    fn new(sources: &'d Sources, span: &Span) -> Self {
        let (start, end) = (sources.position(span), sources.position(&span.end()));
        Location {
            file: sources.file(span.source).name(),
            line: start.line,
            column: start.column,
            end_line: end.line,
            end_column: end.column,
            text: sources.text(span),
        }
    }
}
