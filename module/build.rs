//! Generates the reference module's tables and stubs, and the file of what `opcheck` lets through;
//! asks the linker to fold identical functions.

use std::error::Error;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

use opwright_codegen::build;
use toml::{Table, Value};

/// The sources of the package in Python.
const PACKAGE: &str = "../python-bindings/python/opwright";

/// What `opcheck` tries.
const WORDS: &str = "opcheck.toml";

/// Where rows of operators stand, in the project and in a source distribution, whose crates have only
/// what is published of them: see `xtask/packages/carried.txt`.
const ROWS: &str = "../ops/src";
const PACKED_ROWS: &str = "rows";

fn main() -> Result<(), Box<dyn Error>> {
    build::python("opwright_ops");
    build::reference_stubs("opwright_ops", PACKAGE);
    let rows = if Path::new(PACKED_ROWS).is_dir() { PACKED_ROWS } else { ROWS };
    let text = known(&fs::read_to_string(WORDS)?, &row_files(Path::new(rows))?)?;
    let package = PathBuf::from(variable("OUT_DIR")?).join("opwright");
    fs::create_dir_all(&package)?;
    fs::write(package.join(WORDS), text)?;
    for path in [WORDS, rows] {
        println!("cargo::rerun-if-changed={path}");
    }
    if is_optimized()? && can_fold(&PathBuf::from(variable("OUT_DIR")?))? {
        println!("cargo::rustc-cdylib-link-arg={FOLD}");
    }
    Ok(())
}

/// Identical code folding: kernels of dtypes of one size are often the same instructions, which makes
/// the library a fiftieth smaller. Nothing in it compares addresses of functions.
const FOLD: &str = "-Wl,--icf=all";

fn is_optimized() -> Result<bool, Box<dyn Error>> {
    Ok(variable("OPT_LEVEL")? == "3" && variable("CARGO_CFG_TARGET_OS")? == "linux")
}

/// Whether the linker folds, as `rust-lld` does, which is the default on some targets, and GNU's does not:
/// a library without code is linked.
fn can_fold(folder: &Path) -> Result<bool, Box<dyn Error>> {
    let source = folder.join("empty.rs");
    fs::write(&source, "")?;
    let mut rustc = Command::new(variable("RUSTC")?);
    rustc.args(["--crate-type=cdylib", "--target"]).arg(variable("TARGET")?);
    rustc.arg(format!("-Clink-arg={FOLD}")).arg("--out-dir").arg(folder).arg(source);
    if let Ok(linker) = env::var("RUSTC_LINKER") {
        rustc.arg(format!("-Clinker={linker}"));
    }
    let flags = env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    rustc.args(flags.split('\x1f').filter(|it| !it.is_empty()));
    Ok(rustc.stderr(Stdio::null()).status()?.success())
}

fn variable(name: &str) -> Result<String, Box<dyn Error>> {
    env::var(name).map_err(|error| format!("{name}: {error}").into())
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
