//! `opwright reference`.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use opwright_codegen::module::Module;
use opwright_codegen::observed::{Calls, Observed};
use opwright_codegen::print::docs::{self, Page};
use opwright_codegen::print::python::stub::Package;
use serde::Deserialize;

use crate::ExitStatus;
use crate::args::Reference;
use crate::output::OutputFile;
use crate::read::{ReadOperators, prefix_in_c};

/// What `python -m opwright.testing.observe` prints.
#[derive(Deserialize)]
struct ObservedSignatures {
    module: String,
    operators: BTreeMap<String, SeenCalls>,
}

#[derive(Deserialize)]
struct SeenCalls {
    public: String,
    #[serde(default)]
    written: String,
    dtypes: Vec<[String; 2]>,
    shapes: Vec<[String; 2]>,
}

/// Prints the pages of a crate's operators to a directory. If something is
/// wrong with them, the directory is left alone.
pub(crate) fn run(reference: &Reference, output: &mut OutputFile) -> ExitStatus {
    let Some((library, _)) = ReadOperators::library(&reference.directory, output) else {
        return ExitStatus::Wrong;
    };
    let observed = match &reference.observed {
        Some(path) => match read(path) {
            Ok(observed) => observed,
            Err(problem) => {
                output.error(&format!("error: {problem}"));
                return ExitStatus::Wrong;
            }
        },
        None => Observed::default(),
    };
    let name = module(&observed, &reference.directory);
    let package = Package { name: &name, members: "", tensor_members: "", arrays: true };
    let (bound, gradients) = (library.bound(), library.differentiability());
    let c = prefix_in_c(&library, &reference.directory);
    let functions = &library.functions;
    let pages = docs::print(bound, functions, &package, &observed, &gradients, c.as_deref());
    if let Err(problem) = write(&pages, &reference.out) {
        output.error(&format!("error: {problem}"));
        return ExitStatus::Wrong;
    }
    let (operators, out) = (library.bound().overloads.len(), reference.out.display());
    output.line(&format!("{operators} operators, {} pages in `{out}`", pages.len()));
    ExitStatus::Fine
}

fn read(path: &Path) -> Result<Observed, String> {
    let shown = path.display();
    let text = match path.as_os_str() == "-" {
        true => io::read_to_string(io::stdin().lock()),
        false => fs::read_to_string(path),
    };
    let text = text.map_err(|error| format!("cannot read `{shown}`: {error}"))?;
    let seen: ObservedSignatures = serde_json::from_str(&text).map_err(|error| {
        format!("`{shown}` is not what `python -m opwright.testing.observe MODULE` prints: {error}")
    })?;
    let calls = |it: SeenCalls| Calls {
        public: it.public,
        written: it.written,
        dtypes: it.dtypes,
        shapes: it.shapes,
    };
    let operators = seen.operators.into_iter().map(|(name, it)| (name, calls(it))).collect();
    Ok(Observed { module: seen.module, operators })
}

/// The module that was observed, or the one that the crate becomes.
fn module(observed: &Observed, directory: &Path) -> String {
    if !observed.module.is_empty() {
        return observed.module.clone();
    }
    let root = fs::read_to_string(directory.join("src/lib.rs")).unwrap_or_default();
    let directory = directory.canonicalize().unwrap_or_default();
    let package = directory.file_name().unwrap_or_default().to_string_lossy();
    Module::declared(&root).unwrap_or_else(|| Module::of_package(&package)).name
}

fn write(pages: &[Page], out: &Path) -> Result<(), String> {
    for page in pages {
        let path = out.join(&page.path);
        let written = fs::create_dir_all(path.parent().unwrap_or(out))
            .and_then(|()| fs::write(&path, &page.text));
        written.map_err(|error| format!("cannot write `{}`: {error}", path.display()))?;
    }
    Ok(())
}
