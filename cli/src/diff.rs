//! `opwright diff`: which changes between two versions of a library break its callers.

mod abi;
mod change;
mod foreign;
mod overload;
mod params;
mod sets;

use std::path::Path;

use serde::Serialize;

use crate::ExitStatus;
use crate::args::{Diff, Format};
use crate::output::OutputFile;
use crate::read::ReadOperators;
use change::Change;

/// What a comparison found.
#[derive(Serialize)]
struct Difference {
    changes: Vec<Change>,
    breaking: usize,
}

/// Reads both versions and shows what differs; wrong if a caller breaks.
pub(crate) fn run(diff: &Diff, output: &mut OutputFile) -> ExitStatus {
    if diff.c {
        return abi::run(diff, output);
    }
    let mut read = |path: &Path| ReadOperators::of(path).sound(output);
    let (Some(old), Some(new)) = (read(&diff.old), read(&diff.new)) else {
        return ExitStatus::Wrong;
    };
    let changes = sets::compare(&old, &new);
    let breaking = changes.iter().filter(|it| it.breaks.any()).count();
    let report = Difference { changes, breaking };
    match diff.format {
        Format::Json => output.json(&report),
        Format::Text => output.line(&report.text()),
    }
    if breaking == 0 { ExitStatus::Fine } else { ExitStatus::Wrong }
}

impl Difference {
    /// A line for each change, those that break something first.
    fn text(&self) -> String {
        let mut text = String::new();
        if !self.changes.is_empty() {
            text.push_str("Python  Rust  stored  C  Go\n");
        }
        for change in &self.changes {
            text.push_str(&format!("{change}\n"));
        }
        let (all, breaking) = (self.changes.len(), self.breaking);
        text + &format!("{all} changes, {breaking} of them break callers")
    }
}
