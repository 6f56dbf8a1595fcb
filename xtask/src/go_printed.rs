//! Printed files of the package for Go, beside those that people wrote.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::process::ProcessResult;
use crate::project::Project;

/// How the names of printed files end.
const ENDS: [&str; 3] = ["_gen.go", "_gen_test.go", "_gen.c"];

/// The header of the library, as the package knows it.
const HEADER: &str = "opwright.h";

/// Puts the files that a build script has printed beside those that people wrote, and removes those that
/// are printed no more.
///
/// # Errors
///
/// If one cannot be read, written or removed.
pub(crate) fn put(project: &Project, from: &Path) -> ProcessResult<()> {
    let (module, wanted) = (project.path("go"), files(from)?);
    for file in files(&module)?.difference(&wanted) {
        fs::remove_file(module.join(file))?;
    }
    for file in &wanted {
        let to = module.join(file);
        fs::create_dir_all(to.parent().unwrap_or(&module))?;
        fs::copy(from.join(file), to)?;
    }
    Ok(())
}

/// The printed files of a module, below its folder: `opwright/functions_gen.go`.
///
/// # Errors
///
/// If a folder cannot be read.
pub(crate) fn files(module: &Path) -> ProcessResult<BTreeSet<PathBuf>> {
    let mut found = BTreeSet::new();
    let mut folders = vec![module.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if path.is_dir() {
                folders.push(path);
            } else if ENDS.iter().any(|it| name.ends_with(it)) || name == HEADER {
                found.insert(path.strip_prefix(module)?.to_owned());
            }
        }
    }
    Ok(found)
}
