//! `opwright reference`: a page per operator of a crate.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const ROOT: &str = r#"
opwright::module!(lengths);

/// The length of the vector (x, y).
///
/// ```python
/// >>> lengths.length(3.0, 4.0)
/// 5.0
/// ```
#[native_op("length(Tensor x, Tensor y) -> Tensor")]
fn length(x: &Tensor, y: &Tensor) -> Result<Tensor> {
    todo!()
}
"#;

const OBSERVED: &str = r#"{
  "module": "lengths",
  "operators": {
    "length": {
      "public": "lengths.length",
      "dtypes": [["floating", "the same"]],
      "shapes": [["`length((2, 3), (3,))`", "`(2, 3)`"]]
    }
  }
}"#;

const START: &str = "\
# `lengths.length`

The length of the vector (x, y).

## Python

`lengths.length`

```python
def length(x: Tensor, y: Tensor) -> Tensor
```

## Rust

```rust
length::Default_::call(x: &Tensor, y: &Tensor) -> Result<Tensor>
";

/// The directory of a crate, made anew.
fn folder(test: &str, root: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("src")).expect("a directory can be made");
    fs::write(folder.join("src/lib.rs"), root).expect("a file can be written");
    fs::write(folder.join("observed.json"), OBSERVED).expect("a file can be written");
    fs::write(folder.join("broken.json"), "[]").expect("a file can be written");
    folder
}

fn reference(folder: &Path, args: &[&str]) -> Output {
    let mut opwright = Command::new(env!("CARGO_BIN_EXE_opwright"));
    opwright.arg("reference").args(args).current_dir(folder).stdin(Stdio::null());
    opwright.output().expect("the command runs")
}

fn page(folder: &Path) -> String {
    fs::read_to_string(folder.join("out/lengths/length.md")).expect("a page")
}

#[test]
fn a_page_has_what_is_known_without_calls() {
    let folder = folder("reference_without_calls", ROOT);
    let output = reference(&folder, &["--out", "out"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let said = String::from_utf8(output.stdout).expect("UTF-8");
    assert_eq!(said.trim(), "1 operators, 3 pages in `out`");
    let page = page(&folder);
    assert!(page.contains("## Examples\n\n```python\n>>> lengths.length(3.0, 4.0)\n5.0\n```\n"));
    assert!(!page.contains("## Dtypes"));
    let index = fs::read_to_string(folder.join("out/index.md")).expect("an index");
    let line = "- [`length`](lengths/length.md): The length of the vector (x, y).";
    assert!(index.contains(line), "{index}");
}

#[test]
fn a_library_for_c_has_signatures_there() {
    let root = format!("opwright::c_library!(lengths, prefix = \"le\");\n{ROOT}");
    let folder = folder("reference_c", &root);
    let output = reference(&folder, &["--out", "out"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let declared =
        "le_error *le_length(const le_tensor *x, const le_tensor *y, le_tensor **result);\n";
    let page = page(&folder);
    assert!(page.contains(&format!("## C\n\n```c\n{declared}```\n\n## Examples")), "{page}");
    let mut opwright = Command::new(env!("CARGO_BIN_EXE_opwright"));
    opwright.args(["explain", "length", "--crate"]).arg(&folder);
    let explained = opwright.output().expect("the command runs").stdout;
    let explained = String::from_utf8(explained).expect("UTF-8");
    assert!(explained.contains(&format!("\nC: {declared}gradient: ")), "{explained}");
}

#[test]
fn what_was_observed_is_shown() {
    let folder = folder("reference_observed", ROOT);
    let output = reference(&folder, &["--observed", "observed.json", "--out", "out"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let page = page(&folder);

    assert!(page.contains(START), "{page}");
    assert!(page.contains("| floating | the same |"), "{page}");
    assert!(page.contains("| `length((2, 3), (3,))` | `(2, 3)` |"), "{page}");
}

#[test]
fn observations_may_come_by_standard_input() {
    let folder = folder("reference_standard_input", ROOT);
    let observed = fs::File::open(folder.join("observed.json")).expect("a file");
    let mut opwright = Command::new(env!("CARGO_BIN_EXE_opwright"));
    opwright.args(["reference", "--observed", "-", "--out", "out"]).current_dir(&folder);
    let status = opwright.stdin(observed).stdout(Stdio::null()).status();
    assert!(status.expect("the command runs").success());
    assert!(page(&folder).contains("| floating | the same |"));
}

#[test]
fn mistakes_leave_no_pages() {
    let folder = folder("reference_mistakes", &ROOT.replace("Tensor y", "Tensr y"));
    let wrong = |args: &[&str], message: &str| {
        let output = reference(&folder, args);
        assert_eq!(output.status.code(), Some(1));
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains(message), "{said}");
        assert!(!folder.join("out").exists());
    };
    wrong(&["--out", "out"], "error[E0104]: unknown type `Tensr`");
    wrong(&["nowhere", "--out", "out"], "`nowhere` is no crate with a library");
    fs::write(folder.join("src/lib.rs"), ROOT).expect("a file can be written");
    wrong(&["--observed", "lost.json", "--out", "out"], "error: cannot read `lost.json`: ");
    let message = "`broken.json` is not what `python -m opwright.testing.observe MODULE` prints";
    wrong(&["--observed", "broken.json", "--out", "out"], message);
}
