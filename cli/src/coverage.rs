//! `opwright coverage`: which operators of another library one has.

mod chart;
mod count;
mod formulas;

use std::fs;
use std::path::Path;

use opwright_schema::OpSet;
use serde::Serialize;

use crate::ExitStatus;
use crate::args::{Coverage, Format};
use crate::output::OutputFile;
use crate::read::ReadOperators;
use count::CoverageRow;

/// What a comparison found.
#[derive(Serialize)]
struct Covered {
    total: CoverageRow,
    /// Entries of derivatives, if the other library has some: of all operators, and of those that
    /// are there.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    formulas: Vec<CoverageRow>,
    modules: Vec<CoverageRow>,
    tags: Vec<CoverageRow>,
    /// Names of overloads that are not there.
    missing: Vec<String>,
    /// Names of overloads that are there with another schema.
    different: Vec<String>,
}

/// Compares a library with another one, and shows how much of it is there.
pub(crate) fn run(coverage: &Coverage, output: &mut OutputFile) -> ExitStatus {
    let Some((upstream, library)) = read(coverage, output) else { return ExitStatus::Wrong };
    let report = Covered::new(&upstream, &library);
    match coverage.format {
        Format::Json => output.json(&report),
        Format::Text => output.line(&report.text()),
    }
    match &coverage.svg {
        Some(path) => write(path, &report.svg(), output),
        None => ExitStatus::Fine,
    }
}

fn read(coverage: &Coverage, output: &mut OutputFile) -> Option<(OpSet, OpSet)> {
    let upstream =
        ReadOperators::with_derivatives(std::slice::from_ref(&coverage.upstream)).sound(output)?;
    let library = match &coverage.directory {
        Some(directory) => ReadOperators::of_crate(directory),
        None => ReadOperators::with_derivatives(&coverage.library),
    };
    Some((upstream, library.sound(output)?))
}

fn write(path: &Path, text: &str, output: &mut OutputFile) -> ExitStatus {
    match fs::write(path, text) {
        Ok(()) => ExitStatus::Fine,
        Err(error) => {
            output.error(&format!("error: cannot write `{}`: {error}", path.display()));
            ExitStatus::Wrong
        }
    }
}

impl Covered {
    fn new(upstream: &OpSet, library: &OpSet) -> Self {
        let compared = count::compare(upstream, library);
        let named = |wanted: count::CoverageState| {
            let states = compared.iter().filter(|it| it.state == wanted);
            states.map(|it| it.overload.schema.name.to_string()).collect()
        };
        Covered {
            total: CoverageRow::total(&compared),
            formulas: formulas::count(upstream, library),
            modules: count::by_module(&compared),
            tags: count::by_tag(&compared),
            missing: named(count::CoverageState::Missing),
            different: named(count::CoverageState::Different),
        }
    }

    fn sections(&self) -> Vec<(&'static str, &[CoverageRow])> {
        let sections = [
            ("all", std::slice::from_ref(&self.total)),
            ("derivatives", &self.formulas),
            ("module", &self.modules),
            ("tag", &self.tags),
        ];
        sections.into_iter().filter(|(_, rows)| !rows.is_empty()).collect()
    }

    fn text(&self) -> String {
        let mut text = String::new();
        for (title, rows) in self.sections() {
            text.push_str(&format!(
                "{title:<28} {:>9} {:>6} {:>9} {:>6}\n",
                "operators", "there", "different", "share"
            ));
            for row in rows {
                text.push_str(&format!("{row}\n"));
            }
            text.push('\n');
        }
        text.trim_end().to_owned()
    }

    fn svg(&self) -> String {
        chart::svg(&self.sections())
    }
}
