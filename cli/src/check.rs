//! `opwright check`.

use opwright_diagnostics::diag::{Diagnostic, Severity};
use opwright_diagnostics::render::{render, render_styled};

use crate::ExitStatus;
use crate::args::{CheckArgs, Format};
use crate::formulas::FormulaCount;
use crate::output::OutputFile;
use crate::read::ReadOperators;
use crate::report::Findings;

/// Reads files or a crate, and shows what is wrong with them.
pub(crate) fn run(check: &CheckArgs, output: &mut OutputFile) -> ExitStatus {
    let operators = match &check.directory {
        Some(directory) => ReadOperators::of_crate(directory),
        None => ReadOperators::of_files(&check.files),
    };
    let errors = operators.errors();
    let ReadOperators { sources, ops, count, findings } = &operators;
    // The formulas of a crate are checked with it.
    let formulas = match check.directory {
        Some(_) => None,
        None => FormulaCount::of(ops, check.into.as_deref()),
    };
    match check.format {
        Format::Json => output.json(&Findings::new(sources, *count, findings, formulas)),
        Format::Text => {
            let text = match output.is_terminal() {
                true => render_styled(sources, findings),
                false => render(sources, findings),
            };
            let more = more(findings).unwrap_or_default();
            let formulas = formulas.map(|it| it.text()).unwrap_or_default();
            output.line(&format!("{text}{more}{formulas}{count} operators, {errors} errors"));
        }
    }
    match errors {
        0 => ExitStatus::Fine,
        _ => ExitStatus::Wrong,
    }
}

/// Where to read on.
fn more(findings: &[Diagnostic]) -> Option<String> {
    let worst = findings.iter().min_by_key(|it| it.severity)?;
    let what = match worst.severity {
        Severity::Error => "an error",
        Severity::Warning => "a warning",
    };
    Some(format!("for more about {what}, try `opwright explain {}`\n\n", worst.code))
}
