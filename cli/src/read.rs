//! Operators from files or from a crate, and what is wrong with them.

use std::fs;
use std::path::{Path, PathBuf};

use opwright_codegen::build::rust_files;
use opwright_codegen::library::{self, Library, LibrarySource};
use opwright_codegen::print::c;
use opwright_codegen::reading::Theirs;
use opwright_diagnostics::diag::{Diagnostic, Diagnostics, Severity};
use opwright_diagnostics::{Sources, render};
use opwright_schema::codes;
use opwright_schema::{OpSet, load_into};

use crate::built;
use crate::files;
use crate::output::OutputFile;

/// What was read.
pub(crate) struct ReadOperators {
    pub(crate) sources: Sources,
    pub(crate) ops: OpSet,
    /// How many there are, with those that could not be read.
    pub(crate) count: usize,
    /// Errors and warnings.
    pub(crate) findings: Vec<Diagnostic>,
}

impl ReadOperators {
    /// Those of files.
    pub(crate) fn of_files(paths: &[PathBuf]) -> Self {
        let mut cx = Diagnostics::new();
        let mut sources = Sources::new();
        let input = files::read(&mut cx, &mut sources, paths);
        let loaded = load_into(&mut cx, &sources, &input);
        let count = loaded.ops.overloads.len() + loaded.broken.len();
        let findings = cx.finish().unwrap_or_else(|errors| errors);
        ReadOperators { sources, ops: loaded.ops, count, findings }
    }

    /// Those of a file, or of the crate in a directory.
    pub(crate) fn of(path: &Path) -> Self {
        match path.is_dir() {
            true => ReadOperators::of_crate(path),
            false => ReadOperators::of_files(&[path.to_owned()]),
        }
    }

    /// Those of files with the derivatives beside them, or of the crate in a directory.
    pub(crate) fn with_derivatives(paths: &[PathBuf]) -> Self {
        if let [directory] = paths
            && directory.is_dir()
        {
            return ReadOperators::of_crate(directory);
        }
        let beside = paths.iter().map(|it| it.with_file_name("derivatives.yaml"));
        let mut all = paths.to_vec();
        all.extend(beside.filter(|it| it.exists() && !paths.contains(it)).take(1));
        ReadOperators::of_files(&all)
    }

    /// Those of the crate in a directory.
    pub(crate) fn of_crate(directory: &Path) -> Self {
        let mut cx = Diagnostics::new();
        let mut sources = Sources::new();
        if !directory.join("src/lib.rs").exists() {
            let message = format!("`{}` is no crate with a library", directory.display());
            cx.push(Diagnostic::global(codes::UNREADABLE, message))
                .help("give the directory of its `Cargo.toml`, with `src/lib.rs` below it");
            let findings = cx.finish().unwrap_or_else(|errors| errors);
            return ReadOperators { sources, ops: OpSet::default(), count: 0, findings };
        }
        let read = |path: &Path| fs::read_to_string(path);
        let reading = reading(directory);
        let library = library::read_into(&mut cx, &mut sources, &reading, &read);
        let count = library.ops.overloads.len() + library.broken.len();
        let findings = cx.finish().unwrap_or_else(|errors| errors);
        ReadOperators { sources, ops: library.ops, count, findings }
    }

    /// The library of the crate in a directory, if nothing is wrong with it; findings are shown on
    /// standard error.
    pub(crate) fn library(directory: &Path, output: &mut OutputFile) -> Option<(Library, Sources)> {
        ReadOperators::of_crate(directory).sound(output)?;
        ReadOperators::library_of(directory)
    }

    /// The library of the crate in a directory, if nothing is wrong with it.
    pub(crate) fn library_of(directory: &Path) -> Option<(Library, Sources)> {
        let read = |path: &Path| fs::read_to_string(path);
        let mut sources = Sources::new();
        let library = library::read(&mut sources, &reading(directory), &read).ok()?;
        Some((library, sources))
    }

    /// How many of the findings are errors.
    pub(crate) fn errors(&self) -> usize {
        self.findings.iter().filter(|it| it.severity == Severity::Error).count()
    }

    /// The operators if nothing is wrong; findings are shown on standard error.
    pub(crate) fn sound(self, output: &mut OutputFile) -> Option<OpSet> {
        output.error(&render(&self.sources, &self.findings));
        (self.errors() == 0).then_some(self.ops)
    }
}

/// What names in C begin with, if the crate in a directory is a library for C: the reference library
/// is made of the operators of a crate that does not say so itself.
pub(crate) fn prefix_in_c(library: &Library, directory: &Path) -> Option<String> {
    if let Some(library) = &library.c {
        return Some(library.prefix.clone());
    }
    let manifest = fs::read_to_string(directory.join("Cargo.toml")).ok()?;
    manifest.lines().any(|it| it == REFERENCE).then(|| c::REFERENCE.to_owned())
}

/// What the manifest of the crate with the reference module's operators says.
const REFERENCE: &str = "name = \"opwright-ops\"";

/// Where the crate in a directory is read from.
fn reading(directory: &Path) -> LibrarySource {
    let read = |path: &Path| fs::read_to_string(path);
    let reading = LibrarySource::of_crate(directory, &read);
    let source = reading.crate_root.parent().map(Path::to_path_buf).unwrap_or_default();
    let theirs = built::operators_to_take(directory).map_or(Theirs::Unbuilt, Theirs::File);
    LibrarySource { files: rust_files(&source), theirs, ..reading }
}
