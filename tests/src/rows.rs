//! Rows of operators: the tables of `ops/src/<family>/<file>.toml`, beside the kernels.
//!
//! `ops/src/README.md` describes them; the Python suite reads the same files.

use std::fs;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use toml::{Table, Value};

/// The rows of a table in all files, each with the name that the Python suite gives it, too.
pub fn rows<T: DeserializeOwned>(table: &str) -> Vec<(String, T)> {
    let mut rows = Vec::new();
    for (file, mut tables) in files() {
        let Some(Value::Array(texts)) = tables.remove(table) else { continue };
        for (idx, text) in texts.into_iter().enumerate() {
            let name = format!("{file}-{}", idx + 1);
            let row = text.try_into().unwrap_or_else(|error| panic!("{table} {name}: {error}"));
            rows.push((name, row));
        }
    }
    assert!(!rows.is_empty(), "no file of {} has a `[[{table}]]`", folder().display());
    rows
}

/// All files in order, by their paths without the ending.
pub fn files() -> Vec<(String, Table)> {
    let folder = folder();
    let mut paths = Vec::new();
    collect(&folder, &mut paths);
    paths.sort();
    let read = |path: &PathBuf| {
        let stem = path.with_extension("");
        let name = stem.strip_prefix(&folder).unwrap_or(&stem).display().to_string();
        let text = fs::read_to_string(path).expect("a file of rows");
        let tables = toml::from_str(&text).unwrap_or_else(|error| panic!("{name}.toml: {error}"));
        (name, tables)
    };
    paths.iter().map(read).collect()
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../ops/src")
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of kernels") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            collect(&path, paths);
        } else if path.extension().is_some_and(|it| it == "toml") {
            paths.push(path);
        }
    }
}
