//! `opwright check`.

use std::fs;
use std::path::{Path, PathBuf};

use opwright_codegen::library::{self, Reading};
use opwright_schema::codes;
use opwright_schema::diag::{Diagnostic, Diagnostics, Severity};
use opwright_schema::render::{render, render_styled};
use opwright_schema::{Sources, load_into};

use crate::Outcome;
use crate::args::{Check, Format};
use crate::files;
use crate::output::Output;
use crate::report::Report;

/// What was read, and what is wrong with it.
struct Checked {
    sources: Sources,
    operators: usize,
    findings: Vec<Diagnostic>,
}

/// Reads files or a crate, and shows what is wrong with them.
pub(crate) fn run(check: &Check, output: &mut Output) -> Outcome {
    let checked = match &check.directory {
        Some(directory) => read_crate(directory),
        None => read_files(&check.files),
    };
    checked.show(check.format, output)
}

fn read_files(paths: &[PathBuf]) -> Checked {
    let mut cx = Diagnostics::new();
    let mut sources = Sources::new();
    let input = files::read(&mut cx, &mut sources, paths);
    let loaded = load_into(&mut cx, &sources, &input);
    let operators = loaded.ops.overloads.len() + loaded.broken.len();
    Checked { sources, operators, findings: cx.finish().unwrap_or_else(|errors| errors) }
}

fn read_crate(directory: &Path) -> Checked {
    let mut cx = Diagnostics::new();
    let mut sources = Sources::new();
    if !directory.join("src/lib.rs").exists() {
        let message = format!("`{}` is no crate with a library", directory.display());
        cx.push(Diagnostic::global(codes::UNREADABLE, message))
            .help("give the directory of its `Cargo.toml`, with `src/lib.rs` below it");
        return Checked { sources, operators: 0, findings: cx.finish().unwrap_or_else(|it| it) };
    }
    let read = |path: &Path| fs::read_to_string(path);
    let reading = Reading::of_crate(directory, &read);
    let library = library::read_into(&mut cx, &mut sources, &reading, &read);
    let operators = library.ops.overloads.len() + library.broken.len();
    Checked { sources, operators, findings: cx.finish().unwrap_or_else(|errors| errors) }
}

impl Checked {
    fn show(&self, format: Format, output: &mut Output) -> Outcome {
        let Checked { sources, operators, findings } = self;
        let is_error = |it: &&Diagnostic| it.severity == Severity::Error;
        let errors = findings.iter().filter(is_error).count();
        match format {
            Format::Json => output.json(&Report::new(sources, *operators, findings)),
            Format::Text => {
                let text = match output.is_terminal() {
                    true => render_styled(sources, findings),
                    false => render(sources, findings),
                };
                output.line(&format!("{text}{operators} operators, {errors} errors"));
            }
        }
        match errors {
            0 => Outcome::Fine,
            _ => Outcome::Wrong,
        }
    }
}
