//! What builds have left in the folder that cargo builds in.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use opwright_codegen::artifact;

/// The file that describes the operators of `opwright-ops`, as the last build of the crate in
/// this directory left it, if one has.
pub(crate) fn operators_to_take(directory: &Path) -> Option<PathBuf> {
    let target = target(directory)?;
    // `debug/build`, or for another platform `<triple>/debug/build`.
    let profiles = below(&target).flat_map(|it| below(&it).chain([it]));
    let scripts = profiles.flat_map(|it| below(&it.join("build")));
    let files = scripts.filter(|it| is_of(it, "opwright-ops")).filter_map(|it| {
        let file = it.join("out").join(artifact::FILE);
        Some((fs::metadata(&file).ok()?.modified().ok()?, file))
    });
    files.max().map(|(_, file)| file)
}

/// Where cargo builds the crate in a directory: beside the lock file, if nobody says otherwise.
fn target(directory: &Path) -> Option<PathBuf> {
    let directory = directory.canonicalize().ok()?;
    if let Some(target) = env::var_os("CARGO_TARGET_DIR") {
        return Some(directory.join(target));
    }
    directory.ancestors().find(|it| it.join("Cargo.lock").exists()).map(|it| it.join("target"))
}

/// The directories in a directory.
fn below(directory: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    entries.map(|it| it.path()).filter(|it| it.is_dir())
}

/// Whether a folder belongs to the build script of this package: `<package>-<hash>`.
fn is_of(folder: &Path, package: &str) -> bool {
    let name = folder.file_name().and_then(|it| it.to_str()).unwrap_or_default();
    name.rsplit_once('-').is_some_and(|(name, _)| name == package)
}
