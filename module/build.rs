//! Generates the reference module's tables and stubs, and the file of what `opcheck` lets through.

use std::error::Error;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

use opwright_codegen::build;
use toml::{Table, Value};

/// The sources of the package in Python.
const PACKAGE: &str = "../python-bindings/python/opwright";

/// What `opcheck` tries.
const WORDS: &str = "opcheck.toml";

/// Where rows of operators stand.
const ROWS: &str = "../ops/src";

fn main() -> Result<(), Box<dyn Error>> {
    build::python("opwright_ops");
    build::reference_stubs("opwright_ops", PACKAGE);
    let text = known(&fs::read_to_string(WORDS)?, &row_files(Path::new(ROWS))?)?;
    let package = PathBuf::from(env::var_os("OUT_DIR").ok_or("no OUT_DIR")?).join("opwright");
    fs::create_dir_all(&package)?;
    fs::write(package.join(WORDS), text)?;
    for path in [WORDS, ROWS] {
        println!("cargo::rerun-if-changed={path}");
    }
    Ok(())
}

/// The words, and all rows `[[opcheck]]` as `python -m opwright.testing` reads them.
fn known(words: &str, files: &[PathBuf]) -> Result<String, Box<dyn Error>> {
    let (mut text, mut rows) = (words.to_owned(), 0);
    for file in files {
        let tables: Table = fs::read_to_string(file)?.parse()?;
        for row in tables.get("opcheck").and_then(Value::as_array).into_iter().flatten() {
            let operator = row.get("function").or(row.get("op")).ok_or("a row without `op`")?;
            write!(text, "\n[[known]]\noperator = {operator}\n")?;
            for key in ["check", "reason"] {
                let value = row.get(key).ok_or_else(|| format!("a row without `{key}`"))?;
                writeln!(text, "{key} = {value}")?;
            }
            rows += 1;
        }
    }
    if rows == 0 { Err(format!("no file of {ROWS} has an `[[opcheck]]`").into()) } else { Ok(text) }
}

/// The files of a folder and those below it, sorted.
fn row_files(folder: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            files.extend(row_files(&path)?);
        } else if path.extension().is_some_and(|it| it == "toml") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
