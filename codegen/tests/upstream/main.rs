//! The generator on upstream's own file, where it is at hand: the shared
//! folder is no part of the repository, and without it these tests say so and
//! pass.

mod order;
mod stubs;

use std::fs;
use std::path::{Path, PathBuf};

use opwright_codegen::signature::{self, Function};
use opwright_schema::diag::{Diagnostic, Diagnostics};
use opwright_schema::{Input, OpSet, Sources, load, render};

/// The folder with upstream's files and recorded cases.
fn shared(path: &str) -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2)?;
    let path = root.join("shared").join(path);
    if !path.exists() {
        eprintln!("skipped: there is no {}", path.display());
        return None;
    }
    Some(path)
}

/// Upstream's operators, its deprecated signatures among them.
fn operators() -> Option<OpSet> {
    let mut sources = Sources::new();
    let mut file = |name: &str| {
        let path = shared("upstream")?.join(name);
        Some(sources.add(name, fs::read_to_string(path).expect("a file that exists")))
    };
    let yaml = vec![file("native_functions.yaml")?];
    let (tags, deprecated) = (file("tags.yaml"), file("deprecated.yaml"));
    let input = Input { yaml, tags, deprecated, ..Input::default() };
    match load(&sources, &input) {
        Ok(ops) => Some(ops),
        Err(findings) => panic!("{}", render(&sources, &findings)),
    }
}

fn functions(ops: &OpSet) -> (Vec<Function>, Vec<Diagnostic>) {
    let mut cx = Diagnostics::new();
    let functions = signature::functions(&mut cx, ops);
    (functions, cx.finish().unwrap_or_else(|findings| findings))
}
