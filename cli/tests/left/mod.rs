//! What a build would have left.

use std::fs;
use std::path::{Path, PathBuf};

use opwright_codegen::artifact;
use opwright_diagnostics::Sources;
use opwright_schema::Input;

/// The file that describes these operators of `opwright-ops`, where the build of a crate in this
/// directory leaves it.
pub(crate) fn operators(directory: &Path, names: &[&str]) -> PathBuf {
    let entries: String =
        names.iter().map(|it| format!("- func: {it}(Tensor self) -> Tensor\n")).collect();
    let mut sources = Sources::new();
    let input = Input::yaml(sources.add("native_functions.yaml", entries));
    let out = directory.join("target/debug/build/opwright-ops-0a1b2c/out");
    fs::create_dir_all(&out).expect("a directory can be made");
    let path = out.join(artifact::FILE);
    fs::write(&path, artifact::print(&sources, &input, &[])).expect("a file can be written");
    path
}
