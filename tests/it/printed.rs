//! Committed files: what is printed is few, and none is a symbolic link.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

/// The files that `cargo xtask bless` or a printer writes, as git names them.
const PRINTED: &str = include_str!("printed.txt");

/// How many lines they may have together: who reads a diff of more reads none.
const MOST: usize = 26_000;

#[test]
fn few_lines_are_printed() {
    let patterns: Vec<&str> = PRINTED.lines().filter(|it| !it.starts_with('#')).collect();
    let mut count = 0;
    for pattern in patterns {
        let files = committed(&pattern.split_whitespace().collect::<Vec<_>>(), &[]);
        assert!(!files.is_empty(), "no file is called {pattern}");
        let lines = |file: &String| fs::read_to_string(root().join(file)).map_or(0, lines_of);
        count += files.iter().map(lines).sum::<usize>();
    }
    assert!(count <= MOST, "{count} lines of committed files are printed");
}

/// The packages for Go and Python are printed when they are needed.
#[test]
fn printed_packages_are_in_no_commit() {
    let files = committed(
        &["go/*_gen.go", "go/*_gen_test.go", "go/*_gen.c", "python-bindings/python/*.pyi"],
        &[],
    );
    assert_eq!(files, Vec::<String>::new());
}

/// A clone on Windows has text files in their place.
#[test]
fn there_are_no_symbolic_links() {
    let entries = committed(&["."], &["--stage"]);
    let links: Vec<&String> = entries.iter().filter(|it| it.starts_with("120000 ")).collect();
    assert_eq!(links, Vec::<&String>::new());
}

fn lines_of(text: String) -> usize {
    text.lines().count()
}

/// The files that git knows by these patterns, and that are there.
fn committed(patterns: &[&str], options: &[&str]) -> Vec<String> {
    let mut git = Command::new("git");
    git.arg("ls-files").args(options).arg("--").args(patterns).current_dir(root());
    let output = git.output().expect("git runs");
    assert!(output.status.success(), "git knows the files of the project");
    let text = String::from_utf8(output.stdout).expect("names of files are text");
    text.lines().map(str::to_owned).collect()
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the folder of the workspace")
}
