//! The files of a package for Go, among those that its authors write.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::print::go::{File, is_printed};

/// A file, and what happened to it.
type Failure = (PathBuf, io::Error);

/// Writes files below the folder of a module, and removes those that were printed for this package
/// earlier.
///
/// # Errors
///
/// The first file that cannot be written or removed.
pub(super) fn write(module: &Path, package: &str, files: &[File]) -> Result<(), Failure> {
    let mut wanted = BTreeSet::new();
    for file in files {
        let path = module.join(&file.path);
        let parent = path.parent().unwrap_or(module);
        // Go builds what is newer than the last build.
        if !fs::read_to_string(&path).is_ok_and(|earlier| earlier == file.text) {
            let written = fs::create_dir_all(parent).and_then(|()| fs::write(&path, &file.text));
            written.map_err(|error| (path.clone(), error))?;
        }
        wanted.insert(path);
    }
    remove_others(&module.join(package), &wanted)
}

/// Removes printed files that nobody wants any more.
fn remove_others(folder: &Path, wanted: &BTreeSet<PathBuf>) -> Result<(), Failure> {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if entry.file_type().is_ok_and(|it| it.is_dir()) {
            remove_others(&path, wanted)?;
        } else if !wanted.contains(&path)
            && path.extension().is_some_and(|it| ["c", "go", "h", "s"].iter().any(|end| it == *end))
            && fs::read_to_string(&path).is_ok_and(|text| is_printed(&text))
        {
            fs::remove_file(&path).map_err(|error| (path, error))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::process;

    use opwright_schema::OpSet;

    use super::*;
    use crate::print::go::{self, Package};

    #[test]
    fn authors_keep_their_files() {
        let module = std::env::temp_dir().join(format!("opwright-go-{}", process::id()));
        let files = go::complete(&Package::REFERENCE, &OpSet::default());
        let (name, own) = (Package::REFERENCE.name, module.join("opwright/own.go"));
        write(&module, name, &files).expect("a folder that can be written");
        fs::write(&own, "package opwright\n").expect("the same folder");
        write(&module, name, &files[1..]).expect("the same folder");
        assert!(own.exists() && module.join(&files[1].path).exists());
        assert!(!module.join(&files[0].path).exists(), "nobody prints it any more");
        fs::remove_dir_all(module).expect("the same folder");
    }
}
