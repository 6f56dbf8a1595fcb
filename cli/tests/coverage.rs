//! `opwright coverage`: what a library has of another one.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

const UPSTREAM: &str = "\
- func: relu(Tensor self) -> Tensor
  tags: [core, pointwise]
- func: tanh(Tensor self) -> Tensor
  tags: pointwise
- func: norm(Tensor self, Scalar p=2) -> Tensor
  python_module: linalg
- func: det(Tensor self) -> Tensor
  python_module: linalg
";

const LIBRARY: &str = "\
- func: relu(Tensor self) -> Tensor
- func: norm(Tensor self, Scalar p=1) -> Tensor
- func: own(Tensor self) -> Tensor
";

/// A directory of a test, with both files.
fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    fs::create_dir_all(&folder).expect("a directory can be made");
    fs::write(folder.join("upstream.yaml"), UPSTREAM).expect("a file can be written");
    fs::write(folder.join("library.yaml"), LIBRARY).expect("a file can be written");
    folder
}

fn coverage(folder: &Path, more: &[&str]) -> String {
    let mut opwright = Command::new(env!("CARGO_BIN_EXE_opwright"));
    opwright.args(["coverage", "upstream.yaml", "library.yaml"]).args(more).current_dir(folder);
    let output = opwright.output().expect("the command runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn row(name: &str, operators: usize, there: usize, different: usize) -> Value {
    json!({ "name": name, "operators": operators, "there": there, "different": different })
}

#[test]
fn operators_are_counted_by_module_and_tag() {
    let report = coverage(&folder("coverage_counts"), &["--format", "json"]);
    let report: Value = serde_json::from_str(&report).expect("JSON");
    assert_eq!(report["total"], row("overloads", 4, 1, 1));
    assert_eq!(report["modules"], json!([row("(none)", 2, 1, 0), row("linalg", 2, 0, 1)]));
    let tags = [row("(none)", 2, 0, 1), row("core", 1, 1, 0), row("pointwise", 2, 1, 0)];
    assert_eq!(report["tags"], json!(tags));
    assert_eq!(report["missing"], json!(["tanh", "det"]));
    assert_eq!(report["different"], json!(["norm"]));
}

#[test]
fn aliases_are_there() {
    let folder = folder("coverage_aliases");
    let upstream = "\
- func: absolute(Tensor self) -> Tensor
- func: absolute.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
- func: magnitude(Tensor self, int power) -> Tensor
- func: modulus(Tensor self) -> Tensor
";
    let library = "\
- func: abs(Tensor self) -> Tensor
  python: {aliases: [absolute, magnitude]}
- func: abs.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
";
    fs::write(folder.join("upstream.yaml"), upstream).expect("a file can be written");
    fs::write(folder.join("library.yaml"), library).expect("a file can be written");
    let report = coverage(&folder, &["--format", "json"]);
    let report: Value = serde_json::from_str(&report).expect("JSON");
    assert_eq!(report["total"], row("overloads", 4, 2, 1));
    assert_eq!(report["missing"], json!(["modulus"]));
    assert_eq!(report["different"], json!(["magnitude"]));
}

#[test]
fn it_is_a_table_and_a_drawing() {
    let folder = folder("coverage_shows");
    let table = coverage(&folder, &["--svg", "coverage.svg"]);
    let line = table.lines().find(|it| it.starts_with("pointwise")).expect("a line");
    let words: Vec<&str> = line.split_whitespace().collect();
    assert_eq!(words, ["pointwise", "2", "1", "0", "50.0%"]);
    let svg = fs::read_to_string(folder.join("coverage.svg")).expect("it was written");
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"), "{svg}");
    // Six rows of three bars each, and the ground.
    assert_eq!(svg.matches("<rect ").count(), 6 * 3 + 1);
    assert!(svg.contains("1 of 2, 50.0 %"), "{svg}");
}

#[test]
fn enumerations_are_what_the_other_library_has_texts_and_numbers_for() {
    let folder = folder("coverage_enumerations");
    let upstream = "\
- func: pad(Tensor self, SymInt[] pad, str mode=\"constant\", float? value=None) -> Tensor
- func: mse_loss(Tensor self, Tensor target, int reduction=Mean) -> Tensor
- func: div.Tensor_mode(Tensor self, Tensor other, *, str? rounding_mode) -> Tensor
- func: qr(Tensor self, str mode='complete') -> Tensor
";
    let library = "\
- func: pad(Tensor self, SymInt[] pad, PaddingMode mode=\"constant\", float? value=None) -> Tensor
- func: mse_loss(Tensor self, Tensor target, Reduction reduction=mean) -> Tensor
- func: div.Tensor_mode(Tensor self, Tensor other, *, RoundingMode? rounding_mode) -> Tensor
- func: qr(Tensor self, QrMode mode='reduced') -> Tensor
";
    fs::write(folder.join("upstream.yaml"), upstream).expect("a file can be written");
    fs::write(folder.join("library.yaml"), library).expect("a file can be written");
    let report = coverage(&folder, &["--format", "json"]);
    let report: Value = serde_json::from_str(&report).expect("JSON");
    assert_eq!(report["total"], row("overloads", 4, 3, 1));
    assert_eq!(report["different"], json!(["qr"]));
}
