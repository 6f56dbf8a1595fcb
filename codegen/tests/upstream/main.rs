//! The generator on upstream's own file, where it is at hand.

mod go;
mod order;
#[path = "../../../schema/tests/shared/mod.rs"]
mod shared;
mod stubs;

use opwright_codegen::signature::{self, PythonFunction};
use opwright_diagnostics::diag::{Diagnostic, Diagnostics};
use opwright_diagnostics::{Sources, render};
use opwright_schema::{Input, OpSet, load};

/// Upstream's operators, its deprecated signatures among them.
fn operators() -> Option<OpSet> {
    let mut sources = Sources::new();
    let mut file = |name: &str| {
        let text = shared::read(&format!("upstream/{name}"))?;
        Some(sources.add(name, text))
    };
    let yaml = vec![file("native_functions.yaml")?];
    let (tags, deprecated) = (Some(file("tags.yaml")?), Some(file("deprecated.yaml")?));
    let input = Input { yaml, tags, deprecated, ..Input::default() };
    match load(&sources, &input) {
        Ok(ops) => Some(ops),
        Err(findings) => panic!("{}", render(&sources, &findings)),
    }
}

fn functions(ops: &OpSet) -> (Vec<PythonFunction>, Vec<Diagnostic>) {
    let mut cx = Diagnostics::new();
    let functions = signature::functions(&mut cx, ops);
    (functions, cx.finish().unwrap_or_else(|findings| findings))
}
