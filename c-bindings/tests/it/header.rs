//! The header: what it declares, and that compilers take it.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::{env, fs};

use opwright_c_bindings::runtime::DType;

use crate::printed::CALLS;

const HEADER: &str = include_str!(concat!(env!("OUT_DIR"), "/opwright.h"));

/// A compiler, if there is one, or a line that says so.
fn compiler(variable: &str, names: &[&str], test: &str) -> Option<String> {
    let named = env::var(variable).ok();
    let mut candidates = named.iter().map(String::as_str).chain(names.iter().copied());
    let found = candidates.find(|it| is_there(it)).map(str::to_owned);
    if found.is_none() {
        println!("skipped: c-bindings/tests/it/header.rs: {test}: no {variable} was found");
    }
    found
}

fn is_there(program: &str) -> bool {
    let mut command = Command::new(program);
    command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|it| it.success())
}

/// Compiles a text that takes in the header.
#[track_caller]
fn compile(compiler: &str, arguments: &[&str], name: &str, text: &str) {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let source = folder.join(name);
    fs::write(&source, text).expect("a folder that can be written to");
    let mut command = Command::new(compiler);
    command.args(arguments).args(["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only"]);
    command.args(["-I", env!("OUT_DIR")]).arg(source);
    if compiler.starts_with("clang") {
        // Older ones do not know it.
        command.args(["-Wno-unknown-warning-option", "-Wreserved-identifier"]);
    }
    let output = command.output().expect("a compiler that runs");
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{compiler} {arguments:?}: {text}");
}

/// Behind headers that define macros, and twice.
const BEHIND_OTHERS: &str = "\
#include <complex.h>
#include <errno.h>
#include <stdio.h>
#include <sys/types.h>
#include <opwright.h>
#include <opwright.h>
int main(void) { return ow_scalar_int(0).i != 0; }
";

#[test]
fn compilers_of_c_take_the_header() {
    for compiler in ["gcc", "clang"].into_iter().filter(|it| is_there(it)) {
        for standard in ["c99", "c11", "gnu11", "c17"] {
            let standard = format!("-std={standard}");
            compile(compiler, &[&standard], "header.c", BEHIND_OTHERS);
            compile(
                compiler,
                &[&standard],
                "alone.c",
                "#include <opwright.h>\ntypedef int used;\n",
            );
        }
    }
    compiler("CC", &["cc", "gcc", "clang"], "compilers_of_c_take_the_header");
}

#[test]
fn compilers_of_cpp_take_the_header() {
    for compiler in ["g++", "clang++"].into_iter().filter(|it| is_there(it)) {
        for standard in ["c++17", "gnu++17", "c++20"] {
            let standard = format!("-std={standard}");
            compile(compiler, &[&standard], "header.cc", BEHIND_OTHERS);
        }
    }
    compiler("CXX", &["c++", "g++", "clang++"], "compilers_of_cpp_take_the_header");
}

/// The names of all functions that the header declares.
fn declared() -> BTreeSet<String> {
    let after = HEADER.lines().filter_map(|it| it.strip_prefix("OW_API "));
    let name = |it: &str| {
        let (head, _) = it.split_once('(')?;
        head.rsplit([' ', '*']).next().map(str::to_owned)
    };
    after.filter_map(name).collect()
}

#[test]
fn it_declares_the_functions_that_there_are() {
    let declared = declared();
    let fixed = declared.iter().filter(|it| it.starts_with("ow_tensor_")).count();
    assert!(fixed > 30, "{fixed}");
    let own = HEADER.matches("\nOW_API ").count();
    assert_eq!(declared.len(), own, "a function is declared twice");
    assert!(declared.len() > CALLS.len());
}

#[test]
fn dtypes_have_their_numbers() {
    for dtype in DType::ALL {
        let line = format!("  OW_{} = {}", dtype.name().to_uppercase(), dtype as i32);
        let is_there = HEADER.lines().any(|it| it.trim_end_matches(',') == line);
        assert!(is_there, "{line}");
    }
}
