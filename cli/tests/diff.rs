//! `opwright diff`: what breaks whom.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

/// Two schemas of `f`, and what is said: `prscg` for Python, Rust, stored programs, C and Go.
const CASES: [(&str, &str, &str); 34] = [
    ("f(Tensor self) -> Tensor", "f(Tensor self) -> Tensor", ""),
    ("f(Tensor self) -> Tensor", "g(Tensor self) -> Tensor", "prscg f: is gone\n..... g: is new"),
    (
        "f.a(Tensor self) -> Tensor",
        "f.b(Tensor self) -> Tensor",
        ".rs.. f.a: is called `f.b` now\n...c. f.a: is `ow_f_b` in C, not `ow_f_a`",
    ),
    (
        "f(Tensor self, int x) -> Tensor",
        "f(Tensor self) -> Tensor",
        "prscg f: parameter `x` is gone",
    ),
    (
        "f(Tensor self) -> Tensor",
        "f(Tensor self, int x) -> Tensor",
        "prscg f: parameter `x` is new and has no default",
    ),
    (
        "f(Tensor self) -> Tensor",
        "f(Tensor self, int x=1) -> Tensor",
        ".r.c. f: parameter `x` is new, with the default `1`",
    ),
    (
        "f(Tensor self, int y=1) -> Tensor",
        "f(Tensor self, int x=1, int y=1) -> Tensor",
        "pr.c. f: parameter `x` is new, with the default `1`",
    ),
    (
        "f(Tensor self, *, int y=1) -> Tensor",
        "f(Tensor self, int x=1, *, int y=1) -> Tensor",
        ".r.c. f: parameter `x` is new, with the default `1`",
    ),
    (
        "f(Tensor self, int x) -> Tensor",
        "f(Tensor self, int y) -> Tensor",
        "p.s.. f: parameter `x` is called `y` now",
    ),
    (
        "f(Tensor self, int x, int y) -> Tensor",
        "f(Tensor self, int y, int x) -> Tensor",
        "pr.cg f: the parameters are in the order `self`, `y`, `x`",
    ),
    (
        "f(Tensor self, *, int x, int y) -> Tensor",
        "f(Tensor self, *, int y, int x) -> Tensor",
        ".r.cg f: the parameters are in the order `self`, `y`, `x`",
    ),
    (
        "f(Tensor self, int x) -> Tensor",
        "f(Tensor self, *, int x) -> Tensor",
        "p.... f: parameter `x` cannot be given by position now",
    ),
    (
        "f(Tensor self, *, int x) -> Tensor",
        "f(Tensor self, int x) -> Tensor",
        "..... f: parameter `x` can be given by position, too",
    ),
    (
        "f(Tensor self, int x) -> Tensor",
        "f(Tensor self, SymInt x) -> Tensor",
        "..... f: parameter `x` is `SymInt`, not `int`",
    ),
    (
        "f(Tensor self, int x) -> Tensor",
        "f(Tensor self, Scalar? x) -> Tensor",
        ".r.cg f: parameter `x` is `Scalar?`, not `int`",
    ),
    (
        "f(Tensor self, Scalar x) -> Tensor",
        "f(Tensor self, int x) -> Tensor",
        "prscg f: parameter `x` is `int`, not `Scalar`",
    ),
    (
        "f(Tensor self, int[] x) -> Tensor",
        "f(Tensor self, int[2] x) -> Tensor",
        "..... f: parameter `x` is `int[2]`, not `int[]`",
    ),
    (
        "f(Tensor self, int[2] x) -> Tensor",
        "f(Tensor self, int[] x) -> Tensor",
        "p.scg f: parameter `x` is `int[]`, not `int[2]`",
    ),
    (
        "f(Tensor self, int x=1) -> Tensor",
        "f(Tensor self, int x=2) -> Tensor",
        "prs.g f: parameter `x` is `2` if left out, not `1`",
    ),
    (
        "f(Tensor self, int x=1) -> Tensor",
        "f(Tensor self, int x) -> Tensor",
        "prs.g f: parameter `x` has lost its default `1`",
    ),
    (
        "f(Tensor self, int x) -> Tensor",
        "f(Tensor self, int x=1) -> Tensor",
        ".r..g f: parameter `x` has the default `1`",
    ),
    (
        "f(Tensor self, Tensor x) -> ()",
        "f(Tensor self, Tensor(a!) x) -> ()",
        "prscg f: parameter `x` is written to now",
    ),
    (
        "f(Tensor self) -> Tensor",
        "f(Tensor self) -> (Tensor, Tensor)",
        "prscg f: returns `(Tensor, Tensor)`, not `(Tensor)`",
    ),
    (
        "f(Tensor self) -> (Tensor a, Tensor b)",
        "f(Tensor self) -> (Tensor a, Tensor c)",
        "p.... f: returns `(Tensor a, Tensor c)`, not `(Tensor a, Tensor b)`",
    ),
    (
        "f(Tensor self) -> Tensor\n  variants: method",
        "f(Tensor self) -> Tensor",
        "p.... f: `Tensor.f` is gone in Python\n..... f: is `f` in Python, too\n\
         .r..g f: is no method any more",
    ),
    (
        "f(Tensor self) -> Tensor",
        "f(Tensor self) -> Tensor\n  python: skip",
        "p.... f: `f` is gone in Python",
    ),
    (
        "f(Tensor self, int x) -> Tensor",
        "f(Tensor self, int y) -> Tensor\n  python:\n    keyword_aliases: {y: [x]}",
        "..s.. f: parameter `x` is called `y` now",
    ),
    (
        "f(Tensor self, int[] x) -> Tensor",
        "f(Tensor self, int[] x, bool y=False) -> Tensor",
        ".r.cg f: parameter `y` is new, with the default `False`",
    ),
    (
        "f(Tensor self, int x=1) -> Tensor",
        "f(Tensor self, int y=1) -> Tensor",
        "p.s.g f: parameter `x` is called `y` now",
    ),
    (
        "f(Tensor self) -> Tensor",
        "f(Tensor self) -> Tensor\n  c: skip",
        "...c. f: `ow_f` is gone in C\n....g f: `F` is gone in Go",
    ),
    (
        "f(Tensor self) -> Tensor",
        "f(Tensor self) -> Tensor\n  c: {name: h}",
        "...c. f: is `ow_h` in C, not `ow_f`",
    ),
    (
        "f(Tensor self, Dimname x) -> Tensor",
        "f(Tensor self) -> Tensor",
        "prs.. f: parameter `x` is gone\n..... f: is `ow_f` in C, too\n..... f: is `F` in Go, too",
    ),
    (
        "f(Tensor self) -> Tensor",
        "f(Tensor self) -> Tensor\n  go: {name: G}",
        "....g f: is `G` in Go, not `F`",
    ),
    (
        "f.a(Tensor self) -> Tensor\n\n- func: f.b(Tensor self, int x) -> Tensor",
        "f.b(Tensor self, int x) -> Tensor\n\n- func: f.a(Tensor self) -> Tensor",
        "....g f.a: is `FA` in Go, not `F`\n....g f.b: is `F` in Go, not `FB`",
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
        let marks = ["python", "rust", "stored", "c", "go"].map(mark).concat();
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
        let breaks = expected.iter().any(|it| !it.starts_with("....."));
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
    let expected = "Python  Rust  stored  C  Go\n  \
                    .      x      .     .  x   f: parameter `x` has the default `1`\n\
                    1 changes, 1 of them break callers\n";
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected);
    let broken = file("table_broken.yaml", "f(Tensr self) -> Tensor");
    let output = diff(&old, &broken, &[]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("unknown type `Tensr`"));
    assert_eq!(output.status.code(), Some(1));
}

/// Two headers' operators, and what programs in C find.
const HEADERS: [(&str, &str, &str); 6] = [
    ("f(Tensor self) -> Tensor", "f(Tensor x) -> Tensor", ""),
    (
        "f(Tensor self) -> Tensor",
        "f(Tensor self) -> Tensor\n\n- func: g(Tensor self) -> Tensor",
        "minor ow_g: is new",
    ),
    (
        "f(Tensor self) -> Tensor",
        "g(Tensor self) -> Tensor",
        "major ow_f: is gone\nminor ow_g: is new",
    ),
    (
        "f(Tensor self) -> Tensor",
        "f(Tensor self, int[] x=[]) -> Tensor",
        "major ow_f: is `ow_error *ow_f(const ow_tensor *, const int64_t *, size_t, ow_tensor **)`, not \
         `ow_error *ow_f(const ow_tensor *, ow_tensor **)`",
    ),
    ("f(Tensor self, int x=1) -> Tensor", "f(Tensor self, int x=2) -> Tensor", ""),
    (
        "f(Tensor self, int x) -> Tensor",
        "f(Tensor self, float x) -> Tensor",
        "major ow_f: is `ow_error *ow_f(const ow_tensor *, double, ow_tensor **)`, not \
         `ow_error *ow_f(const ow_tensor *, int64_t, ow_tensor **)`",
    ),
];

#[test]
fn headers_say_which_number_grows() {
    for (before, after, expected) in HEADERS {
        let (old, new) = (file("abi_old.yaml", before), file("abi_new.yaml", after));
        let output = diff(&old, &new, &["--c", "--format", "json"]);
        let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let text = |it: &Value| it.as_str().expect("a text").to_owned();
        let line = |it: &Value| {
            format!("{} {}: {}", text(&it["number"]), text(&it["name"]), text(&it["what"]))
        };
        let changes = report["changes"].as_array().expect("a list");
        assert_eq!(changes.iter().map(line).collect::<Vec<_>>().join("\n"), expected);
        let is_major = expected.starts_with("major");
        assert_eq!(output.status.code(), Some(i32::from(is_major)), "{before} -> {after}");
    }
}

#[test]
fn headers_are_compared_by_what_they_declare() {
    let write = |name: &str, text: &str| {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::write(&path, text).expect("a file can be written");
        path
    };
    let old = "#ifndef MO_H\n#define MO_H\n\
               enum {\n  MO_ONE = 1 /* ; */\n};\n\
               typedef struct mo_error {\n  const char *message;\n} mo_error;\n\
               typedef void (*mo_deleter)(void *context);\n\
               static inline int mo_zero(void) {\n  return 0;\n}\n\
               MO_API mo_error *mo_f(const mo_tensor *self,\n    int64_t x);\n#endif\n";
    let grown = old
        .replace("message;", "message;\n  int32_t kind;")
        .replace("MO_ONE = 1 /* ; */", "MO_ONE = 1,\n  MO_TWO = 2")
        .replace("int64_t x", "int64_t y")
        .replace("#endif", "MO_API void mo_g(void);\n#ifdef __cplusplus\n}\n#endif\n#endif");
    let (old, new) = (write("old.h", old), write("grown.h", &grown));
    let text = |output: Output| String::from_utf8(output.stdout).expect("UTF-8");
    let expected = "minor  MO_TWO: is new\n\
                    minor  mo_error: is `struct mo_error { const char *message; int32_t kind; } \
                    mo_error`, not `struct mo_error { const char *message; } mo_error`\n\
                    minor  mo_g: is new\n\
                    3 changes: the minor number of the ABI grows\n";
    assert_eq!(text(diff(&old, &new, &["--c"])), expected);
    let other =
        write("other.h", &grown.replace("*context", "*context, int why").replace("= 1", "= 3"));
    let found = text(diff(&new, &other, &["--c"]));
    assert!(found.starts_with("major  MO_ONE: is `3`, not `1`\nmajor  mo_deleter: is "), "{found}");
    assert_eq!(text(diff(&old, &old, &["--c"])), "nothing has changed for programs in C\n");
    let missing = diff(&old, Path::new("missing.h"), &["--c"]);
    assert!(String::from_utf8_lossy(&missing.stderr).contains("cannot read `missing.h`"));
    assert_eq!(missing.status.code(), Some(1));
}
