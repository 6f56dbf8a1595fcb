//! Module declarations of `ops/src`: a `mod` line for each file and folder, written where one is missing.
//!
//! They stand in `lib.rs` and in the `mod.rs` of each family, as rustfmt and rust-analyzer follow nothing
//! that is included. Lines that are there stay as they are, with their visibility and attributes.

use std::fs;
use std::path::Path;

use crate::process::ProcessResult;
use crate::project::Project;

/// The sources whose modules are declared.
const SOURCES: &str = "ops/src";

/// Declares what no `mod` line declares, and prints what that was.
///
/// # Errors
///
/// If a folder has no file for declarations, or a file cannot be read or written.
pub(crate) fn run(project: &Project) -> ProcessResult<()> {
    declare(&project.path(SOURCES), "lib.rs", "")
}

/// Declares the modules of a folder in this file of it, and those of its folders in theirs.
fn declare(folder: &Path, file: &str, visibility: &str) -> ProcessResult<()> {
    let path = folder.join(file);
    let mut text = fs::read_to_string(&path).map_err(|_| {
        format!("{} is missing: begin it with `//!` and what its operators are", path.display())
    })?;
    for name in modules(folder)? {
        let below = folder.join(&name);
        // A module that is a file and a folder declares what it is made of itself.
        if below.is_dir() && !below.with_extension("rs").exists() {
            declare(&below, "mod.rs", "pub(crate) ")?;
        }
        if let Some(declared) = with_module(&text, &name, visibility) {
            text = declared;
            fs::write(&path, &text)?;
            println!("declared `{name}` in {}", path.display());
        }
    }
    Ok(())
}

/// The modules of a folder, sorted.
fn modules(folder: &Path) -> ProcessResult<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let is_module = path.is_dir() || path.extension().is_some_and(|it| it == "rs");
        if is_module && !["lib", "mod"].contains(&&*name) {
            names.push(name);
        }
    }
    names.sort();
    names.dedup();
    Ok(names)
}

/// The text with a line that declares a module in its place; none if it has one.
fn with_module(text: &str, name: &str, visibility: &str) -> Option<String> {
    let mut lines: Vec<&str> = text.lines().collect();
    let declared = || lines.iter().enumerate().filter_map(|(idx, it)| Some((idx, module(it)?)));
    if declared().any(|(_, it)| it == name) {
        return None;
    }
    let behind = declared().take_while(|(_, it)| *it < name).last().map(|(idx, _)| idx + 1);
    let first = declared().next().map(|(idx, _)| {
        let above = lines[..idx].iter().rev();
        idx - above.take_while(|it| it.starts_with("#[") || it.starts_with("///")).count()
    });
    let line = format!("{visibility}mod {name};");
    lines.insert(behind.or(first).unwrap_or(lines.len()), &line);
    Some(lines.join("\n") + "\n")
}

/// The module that a line declares.
fn module(line: &str) -> Option<&str> {
    let (visibility, rest) = line.split_once("mod ")?;
    let is_visibility = visibility.is_empty() || visibility.starts_with("pub");
    rest.strip_suffix(';').filter(|_| is_visibility)
}

#[cfg(test)]
mod tests {
    use std::{env, fs, process};

    use super::{declare, with_module};

    #[test]
    fn lines_come_into_their_places() {
        let text = "//! Order.\n\npub(crate) mod b;\n#[cfg(unix)]\nmod d;\n\npub use b::*;\n";
        let with = |name| with_module(text, name, "pub(crate) ");
        assert_eq!(with("b"), None);
        let places =
            [("a", "\n\n", "pub(crate) mod b"), ("c", "b;\n", "#["), ("e", "d;\n", "\npub")];
        for (name, before, after) in places {
            let line = format!("{before}pub(crate) mod {name};\n{after}");
            let made = with(name).unwrap();
            assert!(made.contains(&line), "{made}");
        }
        assert_eq!(with_module("//! New.\n", "a", "").unwrap(), "//! New.\nmod a;\n");
    }

    #[test]
    fn files_and_folders_are_declared() {
        let root = env::temp_dir().join(format!("opwright-declare-{}", process::id()));
        let write = |name: &str, text: &str| {
            let path = root.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write("lib.rs", "//! All.\n\nmod family;\n");
        write("family/mod.rs", "//! One.\n\nmod shared;\n");
        ["family/shared.rs", "family/kernel.rs", "family/kernel/parts.rs", "family/kernel.toml"]
            .iter()
            .for_each(|it| write(it, ""));
        for _ in 0..2 {
            declare(&root, "lib.rs", "").unwrap();
            let read = |name: &str| fs::read_to_string(root.join(name)).unwrap();
            assert_eq!(read("lib.rs"), "//! All.\n\nmod family;\n");
            assert_eq!(read("family/mod.rs"), "//! One.\n\npub(crate) mod kernel;\nmod shared;\n");
            assert_eq!(read("family/kernel.rs"), "");
        }
        fs::create_dir(root.join("other")).unwrap();
        let error = declare(&root, "lib.rs", "").unwrap_err().to_string();
        assert!(error.contains("mod.rs is missing"), "{error}");
        fs::remove_dir_all(root).unwrap();
    }
}
