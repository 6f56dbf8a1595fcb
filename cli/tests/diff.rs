//! `opwright diff`: what breaks whom.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

/// Two schemas of `f`, and what is said: `prs` for Python, Rust and stored programs.
const CASES: [(&str, &str, &str); 27] = [
    ("f(Tensor self) -> Tensor", "f(Tensor self) -> Tensor", ""),
    ("f(Tensor self) -> Tensor", "g(Tensor self) -> Tensor", "prs f: is gone\n... g: is new"),
    ("f.a(Tensor self) -> Tensor", "f.b(Tensor self) -> Tensor", ".rs f.a: is called `f.b` now"),
    ("f(Tensor self, int x) -> Tensor", "f(Tensor self) -> Tensor", "prs f: parameter `x` is gone"),
    (
        "f(Tensor self) -> Tensor",
        "f(Tensor self, int x) -> Tensor",
        "prs f: parameter `x` is new and has no default",
    ),
    (
        "f(Tensor self) -> Tensor",
        "f(Tensor self, int x=1) -> Tensor",
        ".r. f: parameter `x` is new, with the default `1`",
    ),
    (
        "f(Tensor self, int y=1) -> Tensor",
        "f(Tensor self, int x=1, int y=1) -> Tensor",
        "pr. f: parameter `x` is new, with the default `1`",
    ),
    (
        "f(Tensor self, *, int y=1) -> Tensor",
        "f(Tensor self, int x=1, *, int y=1) -> Tensor",
        ".r. f: parameter `x` is new, with the default `1`",
    ),
    (
        "f(Tensor self, int x) -> Tensor",
        "f(Tensor self, int y) -> Tensor",
        "p.s f: parameter `x` is called `y` now",
    ),
    (
        "f(Tensor self, int x, int y) -> Tensor",
        "f(Tensor self, int y, int x) -> Tensor",
        "pr. f: the parameters are in the order `self`, `y`, `x`",
    ),
    (
        "f(Tensor self, *, int x, int y) -> Tensor",
        "f(Tensor self, *, int y, int x) -> Tensor",
        ".r. f: the parameters are in the order `self`, `y`, `x`",
    ),
    (
        "f(Tensor self, int x) -> Tensor",
        "f(Tensor self, *, int x) -> Tensor",
        "p.. f: parameter `x` cannot be given by position now",
    ),
    (
        "f(Tensor self, *, int x) -> Tensor",
        "f(Tensor self, int x) -> Tensor",
        "... f: parameter `x` can be given by position, too",
    ),
    (
        "f(Tensor self, int x) -> Tensor",
        "f(Tensor self, SymInt x) -> Tensor",
        "... f: parameter `x` is `SymInt`, not `int`",
    ),
    (
        "f(Tensor self, int x) -> Tensor",
        "f(Tensor self, Scalar? x) -> Tensor",
        ".r. f: parameter `x` is `Scalar?`, not `int`",
    ),
    (
        "f(Tensor self, Scalar x) -> Tensor",
        "f(Tensor self, int x) -> Tensor",
        "prs f: parameter `x` is `int`, not `Scalar`",
    ),
    (
        "f(Tensor self, int[] x) -> Tensor",
        "f(Tensor self, int[2] x) -> Tensor",
        "... f: parameter `x` is `int[2]`, not `int[]`",
    ),
    (
        "f(Tensor self, int[2] x) -> Tensor",
        "f(Tensor self, int[] x) -> Tensor",
        "p.s f: parameter `x` is `int[]`, not `int[2]`",
    ),
    (
        "f(Tensor self, int x=1) -> Tensor",
        "f(Tensor self, int x=2) -> Tensor",
        "prs f: parameter `x` is `2` if left out, not `1`",
    ),
    (
        "f(Tensor self, int x=1) -> Tensor",
        "f(Tensor self, int x) -> Tensor",
        "prs f: parameter `x` has lost its default `1`",
    ),
    (
        "f(Tensor self, int x) -> Tensor",
        "f(Tensor self, int x=1) -> Tensor",
        ".r. f: parameter `x` has the default `1`",
    ),
    (
        "f(Tensor self, Tensor x) -> ()",
        "f(Tensor self, Tensor(a!) x) -> ()",
        "prs f: parameter `x` is written to now",
    ),
    (
        "f(Tensor self) -> Tensor",
        "f(Tensor self) -> (Tensor, Tensor)",
        "prs f: returns `(Tensor, Tensor)`, not `(Tensor)`",
    ),
    (
        "f(Tensor self) -> (Tensor a, Tensor b)",
        "f(Tensor self) -> (Tensor a, Tensor c)",
        "p.. f: returns `(Tensor a, Tensor c)`, not `(Tensor a, Tensor b)`",
    ),
    (
        "f(Tensor self) -> Tensor\n  variants: method",
        "f(Tensor self) -> Tensor",
        "p.. f: `Tensor.f` is gone in Python\n... f: is `f` in Python, too\n\
         .r. f: is no method any more",
    ),
    (
        "f(Tensor self) -> Tensor",
        "f(Tensor self) -> Tensor\n  python: skip",
        "p.. f: `f` is gone in Python",
    ),
    (
        "f(Tensor self, int x) -> Tensor",
        "f(Tensor self, int y) -> Tensor\n  python:\n    keyword_aliases: {y: [x]}",
        "..s f: parameter `x` is called `y` now",
    ),
];

fn file(name: &str, schema: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, format!("- func: {schema}\n")).expect("a file can be written");
    path
}

fn diff(old: &Path, new: &Path, more: &[&str]) -> Output {
    let mut opwright = Command::new(env!("CARGO_BIN_EXE_opwright"));
    opwright.arg("diff").args([old, new]).args(more).output().expect("the command runs")
}

/// The changes of a report, a line for each.
fn lines(report: &Value) -> Vec<String> {
    let changes = report["changes"].as_array().expect("a list");
    let line = |change: &Value| {
        let mark =
            |whom: &'static str| if change["breaks"][whom] == true { &whom[..1] } else { "." };
        let marks = [mark("python"), mark("rust"), mark("stored")].concat();
        let text = |key: &str| change[key].as_str().expect("a text").to_owned();
        format!("{marks} {}: {}", text("operator"), text("what"))
    };
    changes.iter().map(line).collect()
}

#[test]
fn changes_are_told_with_whom_they_break() {
    for (idx, (before, after, expected)) in CASES.iter().enumerate() {
        let (old, new) = (file("diff_old.yaml", before), file("diff_new.yaml", after));
        let output = diff(&old, &new, &["--format", "json"]);
        let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let mut found = lines(&report);
        let mut expected: Vec<&str> = expected.lines().collect();
        found.sort();
        expected.sort_unstable();
        assert_eq!(found, expected, "case {idx}: {before} -> {after}");
        let breaks = expected.iter().any(|it| !it.starts_with("..."));
        assert_eq!(output.status.code(), Some(i32::from(breaks)), "case {idx}");
    }
}

#[test]
fn a_version_may_be_a_crate() {
    let old = file("crate_old.yaml", "f(Tensor self, int x) -> Tensor");
    let new = Path::new(env!("CARGO_TARGET_TMPDIR")).join("crate_new");
    fs::create_dir_all(new.join("src")).expect("a directory can be made");
    let source = "#[native_op(\"f(Tensor self) -> Tensor\")]\nfn f(self_: &Tensor) {}\n";
    fs::write(new.join("src/lib.rs"), source).expect("a file can be written");
    let output = diff(&old, &new, &[]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("f: parameter `x` is gone"), "{text}");
}

#[test]
fn the_table_ends_with_a_count() {
    let old = file("table_old.yaml", "f(Tensor self, int x) -> Tensor");
    let new = file("table_new.yaml", "f(Tensor self, int x=1) -> Tensor");
    let output = diff(&old, &new, &[]);
    let expected = "Python  Rust  stored\n  .      x      .     f: parameter `x` has the default `1`\n\
                    1 changes, 1 of them break callers\n";
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected);
    let broken = file("table_broken.yaml", "f(Tensr self) -> Tensor");
    let output = diff(&old, &broken, &[]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("unknown type `Tensr`"));
    assert_eq!(output.status.code(), Some(1));
}
