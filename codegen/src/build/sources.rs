//! Source files of a crate: those that a build script reads, and those whose changes it waits for.

use std::fs;
use std::path::{Path, PathBuf};

/// All files of Rust in a directory and those below it, sorted.
pub fn rust_files(directory: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let path = entry.path();
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => files.extend(rust_files(&path)),
            _ if path.extension().is_some_and(|it| it == "rs") => files.push(path),
            _ => {}
        }
    }
    files.sort();
    files
}

/// Where changes of sources show: in a directory, in which they may be new. Where files of TOML stand
/// beside those of Rust, rows of operators that nobody compiles, in the files of Rust alone.
pub(super) fn watched(directory: &Path) -> Vec<PathBuf> {
    let (mut inside, mut has_rows) = (Vec::new(), false);
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            let below = watched(&path);
            has_rows |= below != [path];
            inside.extend(below);
        } else if path.extension().is_some_and(|it| it == "rs") {
            inside.push(path);
        } else {
            has_rows |= path.extension().is_some_and(|it| it == "toml")
                && path.with_extension("rs").exists();
        }
    }
    if has_rows { inside } else { vec![directory.to_path_buf()] }
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};
    use std::{env, fs, process, slice};

    use super::watched;

    #[test]
    fn rows_beside_kernels_are_not_waited_for() {
        let root = env::temp_dir().join(format!("opwright-sources-{}", process::id()));
        let file = |name: &str| {
            let path = root.join(name);
            fs::create_dir_all(path.parent().unwrap_or(Path::new(""))).unwrap();
            fs::write(path, "").unwrap();
        };
        ["lib.rs", "plain/a.rs", "plain/table.toml"].iter().for_each(|it| file(it));
        assert_eq!(watched(&root), slice::from_ref(&root));
        ["rows/b.rs", "rows/b.toml"].iter().for_each(|it| file(it));
        let mut found = watched(&root);
        found.sort();
        let expected: [PathBuf; 3] = ["lib.rs", "plain", "rows/b.rs"].map(|it| root.join(it));
        assert_eq!(found, expected);
        fs::remove_dir_all(root).unwrap();
    }
}
