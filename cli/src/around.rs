//! The crate whose operators are meant if nobody says which.

use std::fs;
use std::path::{Path, PathBuf};

use opwright_codegen::library::LibrarySource;

/// The crate with operators in this directory, or else in one right below it; of several, one with
/// formulas, then the first by name.
pub(crate) fn crate_around(directory: &Path) -> Option<PathBuf> {
    let here = [directory.to_owned()];
    let mut below: Vec<PathBuf> =
        fs::read_dir(directory).into_iter().flatten().flatten().map(|it| it.path()).collect();
    below.sort();
    let found = here.into_iter().chain(below).filter_map(|it| {
        let read = |path: &Path| fs::read_to_string(path);
        let has_operators = it.join("src/lib.rs").exists() && it.join("build.rs").exists();
        let reading = has_operators.then(|| LibrarySource::of_crate(&it, &read))?;
        let says_formulas =
            |it: &PathBuf| read(it).is_ok_and(|text| text.contains("\n  derivative:"));
        let has_formulas = reading.derivatives.is_some() || reading.yaml.iter().any(says_formulas);
        (reading.is_module || !reading.yaml.is_empty()).then_some((!has_formulas, it))
    });
    found.min_by_key(|(has_no_formulas, _)| *has_no_formulas).map(|(_, it)| it)
}
