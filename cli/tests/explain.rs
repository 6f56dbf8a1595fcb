//! The pages of the error codes: each example is told its code and nothing
//! else, in the words of the page; its mend is told nothing.
//!
//! `OPWRIGHT_BLESS=1` writes into the pages what is said now.

mod left;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// The page of operators to take in that nobody has built; all others show crates that were.
const UNBUILT: &str = "E0613";

/// What a page has in a section: the text of each block of code, by its label.
type Blocks = BTreeMap<String, String>;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/src/codes")
}

fn codes() -> Vec<String> {
    let names = fs::read_dir(folder()).expect("the folder is there").map(|it| {
        let name = it.expect("an entry").file_name().into_string().expect("UTF-8");
        name.strip_suffix(".md").expect("a page").to_owned()
    });
    let mut codes: Vec<String> = names.collect();
    codes.sort();
    codes
}

/// The blocks of code of a section of a page.
fn blocks(page: &str, section: &str) -> Blocks {
    let (_, text) = page.split_once(&format!("\n## {section}\n")).expect("a section");
    let text = text.split("\n## ").next().unwrap_or(text);
    let mut blocks = Blocks::new();
    let mut open: Option<(String, String)> = None;
    for line in text.lines() {
        match (line.strip_prefix("```"), &mut open) {
            (Some(_), Some((label, text))) => {
                blocks.insert(label.clone(), text.clone());
                open = None;
            }
            (Some(label), None) => open = Some((label.to_owned(), String::new())),
            (None, Some((_, text))) => text.push_str(&format!("{line}\n")),
            (None, None) => {}
        }
    }
    blocks
}

/// Where the block with a label belongs; those of commands and of what is said belong nowhere.
fn file(label: &str) -> Option<&'static str> {
    match label {
        "yaml" => Some("native_functions.yaml"),
        "yaml,tags" => Some("tags.yaml"),
        "yaml,deprecated" => Some("deprecated.yaml"),
        "yaml,derivatives" => Some("derivatives.yaml"),
        "yaml,rewrites" => Some("rewrites.yaml"),
        "rust,ignore" => Some("src/lib.rs"),
        "rust,ignore,build" => Some("build.rs"),
        "rust,ignore,kernels" => Some("src/kernels.rs"),
        "toml" => Some("Cargo.toml"),
        "sh" | "text" => None,
        other => panic!("a block of an unknown kind: {other}"),
    }
}

/// The command that a section shows, or the one that checks what it shows.
fn command(blocks: &Blocks) -> Vec<String> {
    if let Some(command) = blocks.get("sh") {
        return command.split_whitespace().skip(1).map(str::to_owned).collect();
    }
    let words: &[&str] = match blocks.contains_key("rust,ignore") {
        true => &["check", "--crate", "."],
        false => &["check"],
    };
    let mut words: Vec<String> = words.iter().map(ToString::to_string).collect();
    if words.len() == 1 {
        words.extend(blocks.keys().filter_map(|it| file(it)).map(str::to_owned));
    }
    words
}

/// Makes an empty directory for a crate that is built, or not.
fn make(directory: &Path, is_built: bool) {
    let _ = fs::remove_dir_all(directory);
    fs::create_dir_all(directory.join("src")).expect("a directory can be made");
    fs::write(directory.join("Cargo.lock"), "").expect("a file can be written");
    if is_built {
        left::operators(directory, &["add", "mul", "relu"]);
    }
}

/// Writes the files of a section to a directory and runs its command there.
fn run(directory: &Path, blocks: &Blocks, more: &[&str]) -> String {
    let build = "fn main() { opwright_codegen::build::library(\"native_functions.yaml\"); }\n";
    if blocks.contains_key("yaml") {
        fs::write(directory.join("build.rs"), build).expect("a file can be written");
    }
    for (label, text) in blocks {
        if let Some(path) = file(label) {
            fs::write(directory.join(path), text).expect("a file can be written");
        }
    }
    let mut opwright = Command::new(env!("CARGO_BIN_EXE_opwright"));
    opwright.env_remove("CARGO_TARGET_DIR").current_dir(directory);
    let output = opwright.args(command(blocks)).args(more).output();
    let output = output.expect("the command runs");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    fs::remove_dir_all(directory).expect("it is there");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// The codes of what a section of a page is told.
fn told(directory: &Path, blocks: &Blocks) -> Vec<String> {
    let report = run(directory, blocks, &["--format", "json"]);
    let report: Value = serde_json::from_str(&report).expect("JSON");
    let findings = report["diagnostics"].as_array().expect("a list");
    findings.iter().filter_map(|it| it["code"].as_str()).map(str::to_owned).collect()
}

/// The page with what its mistake is told.
fn with_message(page: &str, message: &str) -> String {
    let (before, rest) = page.split_once("```text\n").expect("a place for the message");
    let (_, after) = rest.split_once("```\n").expect("its end");
    format!("{before}```text\n{message}\n```\n{after}")
}

/// The report with what Linux says of a file that is missing.
fn as_on_linux(report: &str) -> String {
    let missing = fs::read("no_such_file").expect_err("it is not there").to_string();
    report.replace(&missing, "No such file or directory (os error 2)")
}

/// What is wrong with a page.
fn check(code: &str, directory: &Path) -> Option<String> {
    let path = folder().join(format!("{code}.md"));
    let page = fs::read_to_string(&path).expect("the page is there");
    let mistake = blocks(&page, "Mistake");
    let mut mend = mistake.clone();
    mend.extend(blocks(&page, "Mend"));
    make(directory, code != UNBUILT);
    let found = told(directory, &mistake);
    if found != [code] {
        return Some(format!("{code}: the mistake is told {found:?}"));
    }
    make(directory, true);
    let found = told(directory, &mend);
    if !found.is_empty() {
        return Some(format!("{code}: the mend is told {found:?}"));
    }
    make(directory, code != UNBUILT);
    let report = as_on_linux(&run(directory, &mistake, &[]));
    let (message, rest) = report.split_once("for more about a").expect("a hint");
    assert!(rest.contains(&format!(", try `opwright explain {code}`\n")), "{rest}");
    let lines: Vec<&str> = message.trim_end().lines().map(str::trim_end).collect();
    let expected = with_message(&page, &lines.join("\n"));
    if std::env::var_os("OPWRIGHT_BLESS").is_some() {
        fs::write(path, &expected).expect("the page can be written");
        return None;
    }
    (page != expected).then(|| format!("{code} is stale, OPWRIGHT_BLESS=1 writes:\n{expected}"))
}

#[test]
fn examples_are_told_their_code_and_mends_nothing() {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("explain");
    let wrong: Vec<String> = codes().iter().filter_map(|it| check(it, &directory)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_guide_has_every_page() {
    let summary = fs::read_to_string(folder().join("../SUMMARY.md")).expect("it is there");
    for code in codes() {
        assert!(summary.contains(&format!("(codes/{code}.md)")), "{code} is not in SUMMARY.md");
    }
}

#[test]
fn a_code_is_explained() {
    let run = |args: &[&str]| {
        let mut opwright = Command::new(env!("CARGO_BIN_EXE_opwright"));
        let output = opwright.arg("explain").args(args).output().expect("the command runs");
        let text = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8(text).expect("UTF-8"))
    };
    let (status, text) = run(&["e0104"]);
    assert!(status == Some(0) && text.starts_with("# E0104: unknown type\n"), "{text}");
    let (status, text) = run(&[]);
    assert!(status == Some(0) && text.contains("E0104  unknown type\n"), "{text}");
    let (status, text) = run(&["E104"]);
    assert!(status == Some(1) && text.contains("did you mean `E0104`?"), "{text}");
}

/// A crate with an operator that has a formula.
fn scaled(test: &str) -> std::path::PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _ = fs::remove_dir_all(&directory);
    fs::create_dir_all(directory.join("src")).expect("a directory can be made");
    let page = fs::read_to_string(folder().join("E0670.md")).expect("the page is there");
    let mut files = blocks(&page, "Mistake");
    files.extend(blocks(&page, "Mend"));
    for (label, text) in &files {
        if let Some(path) = file(label) {
            fs::write(directory.join(path), text).expect("a file can be written");
        }
    }
    let build = "fn main() { opwright_codegen::build::library(\"native_functions.yaml\"); }\n";
    fs::write(directory.join("build.rs"), build).expect("a file can be written");
    directory
}

/// What a command says, without its marks, and whether it went well.
fn said(directory: &Path, args: &[&str]) -> (Option<i32>, String) {
    let mut opwright = Command::new(env!("CARGO_BIN_EXE_opwright"));
    opwright.env_remove("CARGO_TARGET_DIR").current_dir(directory);
    let output = opwright.args(args).output().expect("the command runs");
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(text).expect("UTF-8"))
}

#[test]
fn the_gradients_of_an_operator_are_explained() {
    let directory = scaled("explain_operator");
    let (status, text) = said(&directory, &["explain", "scale"]);
    assert_eq!(status, Some(0), "{text}");
    let head = "\
scale(Tensor self, float k) -> Tensor
  native_functions.yaml:1
gradient: by formulas
  derivatives.yaml:1
  self: scale_backward(grad, k)
node: ScaleBackward0
saved: k, for self
";
    assert!(text.starts_with(head), "{text}");
    assert!(text.contains("static RULE: rt::autograd::Rule"), "{text}");
    let formula = "crate::scale_backward(rt::ok!(__call.grad(0usize)), __saved0)";
    assert!(text.contains(formula), "{text}");
    let (status, text) = said(&directory, &["explain", "scael"]);
    assert!(status == Some(1) && text.contains("did you mean `scale`?"), "{text}");
    let (status, text) = said(&directory.join("src"), &["explain", "scale"]);
    assert!(status == Some(1) && text.contains("--crate DIR"), "{text}");
}

#[test]
fn formulas_of_another_library_are_compared_with_a_crate() {
    let directory = scaled("check_into");
    let theirs = directory.join("theirs");
    fs::create_dir_all(&theirs).expect("a directory can be made");
    let operators =
        "- func: scale(Tensor self, float k) -> Tensor\n- func: neg(Tensor self) -> Tensor\n";
    let derivatives = "- name: scale(Tensor self, float k) -> Tensor\n  self: scaled(grad, k)\n\
                       - name: neg(Tensor self) -> Tensor\n  self: -grad\n";
    fs::write(theirs.join("native_functions.yaml"), operators).expect("a file can be written");
    fs::write(theirs.join("derivatives.yaml"), derivatives).expect("a file can be written");
    let (status, text) = said(&directory, &["check", "theirs/derivatives.yaml"]);
    let expected = "\
2 entries of derivatives: 2 backward and 0 forward formulas; 0 say `not_implemented`, 0 `non_differentiable`
the crate in `.` has the operators of 1 entries, and could take 0 of them as they stand
  it has no operator or helper `scaled` (1 call)
  scale: there is no operator or helper `scaled`
2 operators, 0 errors
";
    assert_eq!((status, text.as_str()), (Some(0), expected));
    let args = ["check", "theirs/derivatives.yaml", "--into", ".", "--format", "json"];
    let (_, text) = said(&directory, &args);
    let report: Value = serde_json::from_str(&text).expect("JSON");
    let taken = &report["derivatives"]["taken"];
    assert_eq!((&taken["entries"], &taken["fit"]), (&1.into(), &0.into()));
    assert_eq!(taken["missing"]["scaled"], 1);
    let args = ["coverage", "theirs/native_functions.yaml", "--crate", ".", "--format", "json"];
    let (_, text) = said(&directory, &args);
    let report: Value = serde_json::from_str(&text).expect("JSON");
    let row = |number: usize| &report["formulas"][number];
    assert_eq!((&row(0)["operators"], &row(0)["different"]), (&2.into(), &1.into()));
    assert_eq!((&row(1)["operators"], &row(1)["there"]), (&1.into(), &0.into()));
}

#[test]
fn a_page_of_the_reference_shows_formulas() {
    let directory = scaled("reference_gradient");
    let (status, text) = said(&directory, &["reference", "--out", "out"]);
    assert_eq!(status, Some(0), "{text}");
    let name = directory.file_name().expect("a name").to_string_lossy().into_owned();
    let page = directory.join("out").join(name).join("scale.md");
    let page = fs::read_to_string(page).expect("a page");
    let section = "## Gradient\n\n| overload | input | gradient |\n|---|---|---|\n\
                   | `scale` | `self` | `scale_backward(grad, k)` |\n";
    assert!(page.contains(section), "{page}");
}
