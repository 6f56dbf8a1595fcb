//! The command as a person or a script uses it.

mod left;

use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use opwright_diagnostics::source::shown_path;
use serde_json::Value;

/// A directory of a test, removed when it is done.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a directory can be made");
        Folder(path)
    }

    fn file(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        fs::write(&path, text).expect("a file can be written");
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn opwright() -> Command {
    let mut opwright = Command::new(env!("CARGO_BIN_EXE_opwright"));
    opwright.env_remove("CARGO_TARGET_DIR");
    opwright
}

fn run(args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Output {
    opwright().args(args).output().expect("the command runs")
}

fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).expect("UTF-8")
}

fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).expect("UTF-8")
}

const SOUND: &str = "\
- func: foo.Tensor(Tensor self, Scalar x=1, *, bool flag=False) -> (Tensor values, Tensor indices)
  variants: function, method
  dispatch:
    CPU: foo_cpu
- func: bar_(Tensor(a!) self) -> Tensor(a!)
";

const BROKEN: &str = "\
- func: foo(Tensr self) -> Tensor
  dispach:
    CPU: foo
- func: bar(Tensor self) -> Tensor
  tags: poitwise
";

#[test]
fn sound_files_pass() {
    let folder = Folder::new("sound_files_pass");
    let output = run([OsStr::new("check"), folder.file("a.yaml", SOUND).as_os_str()]);
    assert_eq!(stdout(&output), "2 operators, 0 errors\n");
    assert!(output.status.success());
}

#[test]
fn every_mistake_is_reported_at_once() {
    let folder = Folder::new("every_mistake_is_reported_at_once");
    let output = run([OsStr::new("check"), folder.file("a.yaml", BROKEN).as_os_str()]);
    let text = stdout(&output);
    assert!(text.contains("did you mean `Tensor`?"), "{text}");
    assert!(text.contains("did you mean `dispatch`?"), "{text}");
    assert!(text.contains("did you mean `pointwise`?"), "{text}");
    assert!(text.contains("a.yaml:1:13"), "{text}");
    assert_eq!(text.lines().last(), Some("2 operators, 3 errors"));
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn findings_are_json_too() {
    let folder = Folder::new("findings_are_json_too");
    let path = folder.file("a.yaml", BROKEN);
    let args = [OsStr::new("check"), path.as_os_str(), OsStr::new("--format=json")];
    let output = run(args);
    let report: Value = serde_json::from_str(stdout(&output)).expect("JSON");
    assert_eq!(report["operators"], 2);
    assert_eq!(report["errors"], 3);
    let first = &report["diagnostics"][0];
    assert_eq!(first["code"], "E0104");
    assert_eq!((&first["line"], &first["column"]), (&1.into(), &13.into()));
    assert_eq!((&first["end_line"], &first["end_column"]), (&1.into(), &18.into()));
    assert_eq!(first["text"], "Tensr");
    assert_eq!(first["helps"][0], "did you mean `Tensor`?");
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn files_beside_each_other_belong_together() {
    let folder = Folder::new("files_beside_each_other_belong_together");
    folder.file("native_functions.yaml", "- func: foo(Tensor self) -> Tensor\n  tags: mine\n");
    folder.file("tags.yaml", "- tag: mine\n  desc: ours\n");
    let formulas = "- name: foo(Tensor self) -> Tensor\n  slef: grad\n";
    let derivatives = folder.file("derivatives.yaml", formulas);
    let output = run([OsStr::new("check"), derivatives.as_os_str()]);
    assert!(stdout(&output).contains("`slef` is neither an input nor an output"));
    assert!(stdout(&output).ends_with("1 operators, 1 errors\n"), "{}", stdout(&output));

    fs::remove_file(folder.0.join("native_functions.yaml")).expect("it was there");
    let output = run([OsStr::new("check"), derivatives.as_os_str()]);
    assert!(stdout(&output).contains("no operators to compare"), "{}", stdout(&output));
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn a_crate_is_checked_with_its_annotations() {
    let folder = Folder::new("a_crate_is_checked");
    fs::create_dir_all(folder.0.join("src")).expect("a directory can be made");
    folder.file("build.rs", "fn main() { opwright_codegen::build::module(\"ops.yaml\"); }");
    folder.file("ops.yaml", "- func: foo(Tensor self) -> Tensor\n  dispatch: {CPU: foo}\n");
    let kernels =
        "#[native_op(foo)]\nfn foo() {}\n#[native_op(\"bar(Tensr x) -> Tensor\")]\nfn bar() {}\n";
    let root = folder.file("src/lib.rs", kernels);
    let args = ["check".as_ref(), "--crate".as_ref(), folder.0.as_os_str()];
    let output = run(args);
    assert!(
        stdout(&output).contains(&format!("{}:3:18", shown_path(&root))),
        "{}",
        stdout(&output)
    );
    assert!(stdout(&output).ends_with("2 operators, 1 errors\n"), "{}", stdout(&output));
    fs::write(root, kernels.replace("Tensr", "Tensor")).expect("a file can be written");
    assert_eq!(stdout(&run(args)), "2 operators, 0 errors\n");
    let inside = folder.0.join("src");
    let args = ["check".as_ref(), "--crate".as_ref(), inside.as_os_str()];
    let output = run(args);
    assert!(stdout(&output).contains("is no crate with a library"), "{}", stdout(&output));
}

#[test]
fn a_saved_file_is_checked_again() {
    let folder = Folder::new("a_saved_file_is_checked_again");
    let path = folder.file("a.yaml", BROKEN);
    let mut child = opwright()
        .args(["check".as_ref(), "--watch".as_ref(), path.as_os_str()])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the command runs");
    let mut lines = BufReader::new(child.stdout.take().expect("it is piped")).lines();
    let mut next = |end: &str| {
        lines.find(|it| it.as_ref().is_ok_and(|it| it.ends_with(end))).expect("output").is_ok()
    };
    assert!(next("2 operators, 3 errors"));
    // As editors do it: a new file in the place of the old one.
    fs::rename(folder.file("b", SOUND), &path).expect("a file can be renamed");
    assert!(next("has changed") && next("2 operators, 0 errors"));
    child.kill().expect("it runs until somebody ends it");
    child.wait().expect("it ends");
}

#[test]
fn dump_prints_what_was_read() {
    let folder = Folder::new("dump_prints_what_was_read");
    let path = folder.file("a.yaml", SOUND);
    let args = ["dump".as_ref(), path.as_os_str(), "--format".as_ref(), "json".as_ref()];
    let output = run(args);
    let operators: Value = serde_json::from_str(stdout(&output)).expect("JSON");
    let operators = operators.as_array().expect("a list");
    assert_eq!(operators.len(), 2);
    let foo = &operators[0];
    assert_eq!((&foo["name"], &foo["overload"]), (&"foo".into(), &"Tensor".into()));
    assert_eq!(foo["kind"], "functional");
    assert_eq!(foo["arguments"][1]["type"], "Scalar");
    assert_eq!(foo["arguments"][1]["default"], "1");
    assert_eq!(foo["arguments"][2]["keyword_only"], true);
    assert_eq!(foo["returns"][1]["name"], "indices");
    assert!(SOUND.contains(foo["schema"].as_str().expect("a text")));
    assert_eq!(operators[1]["name"], "bar_");
    assert_eq!(operators[1]["kind"], "inplace");
}

#[test]
fn dump_of_a_broken_file_says_why() {
    let folder = Folder::new("dump_of_a_broken_file_says_why");
    let output = run([OsStr::new("dump"), folder.file("a.yaml", BROKEN).as_os_str()]);
    assert_eq!(stdout(&output), "");
    assert!(stderr(&output).contains("unknown type `Tensr`"));
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn gen_writes_files() {
    let folder = Folder::new("gen_writes_files");
    let path = folder.file("a.yaml", SOUND);
    let out = folder.0.join("deep/out");
    let args = ["gen".as_ref(), path.as_os_str(), "--out".as_ref(), out.as_os_str()];
    let output = run(args);
    assert!(output.status.success(), "{}", stderr(&output));
    let ops = fs::read_to_string(out.join("ops.rs")).expect("it was written");
    assert!(ops.contains("pub mod foo") && ops.contains("pub mod bar_"));
}

#[test]
fn gen_leaves_the_directory_alone_if_something_is_wrong() {
    let folder = Folder::new("gen_leaves_the_directory_alone");
    let path = folder.file("a.yaml", BROKEN);
    let out = folder.0.join("out");
    let output = run(["gen".as_ref(), path.as_os_str(), "--out".as_ref(), out.as_os_str()]);
    assert_eq!(output.status.code(), Some(1));
    assert!(!out.exists());
    let taken = folder.file("taken", "");
    let path = folder.file("b.yaml", SOUND);
    let output = run(["gen".as_ref(), path.as_os_str(), "--out".as_ref(), taken.as_os_str()]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("cannot write"), "{}", stderr(&output));
}

#[test]
fn unusable_files_are_named() {
    let folder = Folder::new("unusable_files_are_named");
    let missing = folder.0.join("missing.yaml");
    let latin = folder.file("latin.yaml", b"- func: a\n- func: \xe9\n");
    let files = [missing.as_os_str(), folder.0.as_os_str(), latin.as_os_str()];
    let output = run([OsStr::new("check")].into_iter().chain(files));
    let text = stdout(&output);
    assert!(text.contains("cannot read") && text.contains("missing.yaml"), "{text}");
    assert!(text.contains("is a directory"), "{text}");
    assert!(text.contains("is not UTF-8: line 2 holds the byte 0xe9"), "{text}");
    assert!(text.ends_with("0 operators, 3 errors\n"), "{text}");
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn odd_files_are_no_reason_to_panic() {
    let folder = Folder::new("odd_files_are_no_reason_to_panic");
    for (idx, text) in ["", "\0", "\u{feff}- func: f() -> ()\n", "- [", "a: b", "- func:\n", "[]"]
        .into_iter()
        .enumerate()
    {
        for name in ["native_functions", "tags", "deprecated", "derivatives"] {
            let path = folder.file(&format!("{name}{idx}.yaml"), text);
            for command in ["check", "dump"] {
                let output = run([OsStr::new(command), path.as_os_str()]);
                assert!(matches!(output.status.code(), Some(0 | 1)), "{command} {name} {text:?}");
                assert!(!stderr(&output).contains("panicked"), "{}", stderr(&output));
            }
        }
    }
}

#[test]
fn wrong_usage_is_told_from_wrong_files() {
    for args in [&[][..], &["chekc"], &["check"], &["check", "a", "--formt", "json"], &["gen", "a"]]
    {
        let output = run(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(stderr(&output).starts_with("error: "), "{args:?}: {}", stderr(&output));
        assert_eq!(stdout(&output), "");
    }
    for args in [&["--help"][..], &["help", "gen"], &["check", "-h"], &["--version"]] {
        let output = run(args);
        assert!(output.status.success(), "{args:?}");
        assert!(stdout(&output).contains("opwright"), "{args:?}");
    }
}

#[test]
fn the_schema_is_json() {
    let output = run(["schema"]);
    let schema: Value = serde_json::from_str(stdout(&output)).expect("JSON");
    assert_eq!(schema["title"], "native_functions.yaml");
}

#[test]
fn new_writes_a_crate_once() {
    let folder = Folder::new("new_writes_a_crate_once");
    let path = folder.0.join("my-ops");
    let output = run(["new".as_ref(), path.as_os_str()]);
    assert!(output.status.success(), "{}", stderr(&output));
    let read = |file: &str| fs::read_to_string(path.join(file)).expect("it was written");
    assert!(read("Cargo.toml").contains("name = \"my-ops\""));
    assert!(read("Cargo.toml").contains("links = \"opwright_my_ops\""));
    assert!(read("src/lib.rs").contains("opwright::module!(my_ops);"));
    for file in ["build.rs", "native_functions.yaml", "pyproject.toml", "tests/test_module.py"] {
        assert!(!read(file).contains('@'), "{file}");
    }
    let output = run(["new".as_ref(), path.as_os_str()]);
    assert!(stderr(&output).contains("is there already"), "{}", stderr(&output));
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn new_writes_a_library_for_c() {
    let folder = Folder::new("new_writes_a_library_for_c");
    let path = folder.0.join("my_ops");
    let output = run(["new".as_ref(), path.as_os_str(), "--c".as_ref()]);
    assert!(output.status.success(), "{}", stderr(&output));
    let read = |file: &str| fs::read_to_string(path.join(file)).expect("it was written");
    assert!(read("src/lib.rs").contains("\nopwright::c_library!(my_ops);\n"));
    assert!(read("Cargo.toml").contains("c = [\"opwright/c\"]"));
    assert!(read("tests/program.c").contains("MY_OPS_FLOAT64"));
    assert!(read(".cargo/config.toml").contains("OPWRIGHT_C_INCLUDE = \"include\""));
    for file in ["build.rs", "Makefile", "README.md", ".gitignore", "my_ops.pc"] {
        assert!(!read(file).contains('@'), "{file}");
    }
    assert!(read("my_ops.pc").contains("-lmy_ops\n") && read("Makefile").contains("\ninstall: "));
    let output = run(["check".as_ref(), "--crate".as_ref(), path.as_os_str()]);
    assert_eq!(stdout(&output), "3 operators, 0 errors\n");
    let root = path.join("src/lib.rs");
    let wrong =
        read("src/lib.rs").replace("c_library!(my_ops)", "c_library!(my_ops, prefix = \"M\")");
    fs::write(root, wrong).expect("it can be written");
    let output = run(["check".as_ref(), "--crate".as_ref(), path.as_os_str()]);
    assert!(
        stdout(&output).contains("error[E0636]: `M` cannot begin names"),
        "{}",
        stdout(&output)
    );
    let own = "opwright::c_library!(my_ops);\n#[native_op(\"tensor_free(Tensor x) -> Tensor\")]\n\
               fn free(x: &Tensor) -> Result<Tensor> { x.clone() }\n";
    fs::write(path.join("src/lib.rs"), format!("opwright::module!(my_ops);\n{own}"))
        .expect("it can be written");
    fs::write(path.join("native_functions.yaml"), "[]\n").expect("it can be written");
    let output = run(["check".as_ref(), "--crate".as_ref(), path.as_os_str()]);
    let told = "error[E0414]: `tensor_free` is `my_ops_tensor_free` in C, as a function of every";
    assert!(stdout(&output).contains(told), "{}", stdout(&output));
    let own = "opwright::c_library!(my_ops);\n\
               #[derive(NativeType, Clone)]\npub struct Reach { x: Tensor }\n\
               #[native_op(\"reach_free(Tensor x) -> Tensor\")]\n\
               fn free(x: &Tensor) -> Result<Tensor> { x.clone() }\n";
    fs::write(path.join("src/lib.rs"), format!("opwright::module!(my_ops);\n{own}"))
        .expect("it can be written");
    let output = run(["check".as_ref(), "--crate".as_ref(), path.as_os_str()]);
    let told = "error[E0414]: `my_ops_reach_free` in C belongs to the type `Reach`, and is";
    assert!(stdout(&output).contains(told), "{}", stdout(&output));
}

#[test]
fn new_writes_a_package_for_go() {
    let folder = Folder::new("new_writes_a_package_for_go");
    let path = folder.0.join("my_ops");
    let new = |path: &Path, more: &[&str]| {
        let first = ["new".as_ref(), path.as_os_str(), "--go".as_ref()];
        run(first.into_iter().chain(more.iter().map(OsStr::new)))
    };
    let output = new(&path, &["--go-module", "example.org/my_ops"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let read = |file: &str| fs::read_to_string(path.join(file)).expect("it was written");
    assert!(
        read("build.rs")
            .contains("    build.c();\n    #[cfg(feature = \"c\")]\n    build.go();\n}")
    );
    assert!(read(".cargo/config.toml").contains("OPWRIGHT_GO = \"go\""));
    assert_eq!(read("go/go.mod"), "module example.org/my_ops\n\ngo 1.24\n");
    assert!(read("go/my_ops/operators_test.go").contains("\"example.org/my_ops/my_ops\""));
    assert!(read("my_ops.pc").contains("-lmy_ops\n"));
    assert!(read("README.md").contains("## The package for Go"));
    for file in ["Makefile", "README.md", "go/my_ops/doc.go"] {
        assert!(!read(file).contains('@'), "{file}");
    }
    assert!(new(&folder.0.join("other"), &[]).status.success());
    let module = fs::read_to_string(folder.0.join("other/go/go.mod")).expect("it was written");
    assert!(module.starts_with("module other\n"), "{module}");
    let output = new(&folder.0.join("switch"), &[]);
    assert!(stderr(&output).contains("`switch` has a meaning in Go"), "{}", stderr(&output));
}

#[test]
fn new_writes_workflows() {
    let folder = Folder::new("new_writes_workflows");
    let new = |name: &str, more: &[&str]| {
        let path = folder.0.join(name);
        let first = ["new".as_ref(), path.as_os_str(), "--ci".as_ref()];
        (run(first.into_iter().chain(more.iter().map(OsStr::new))), path)
    };
    let git = ["--git", "https://example.org/opwright"];
    let (output, plain) = new("my-ops", &git);
    assert!(output.status.success(), "{}", stderr(&output));
    let (output, whole) = new("my_ops", &[&git[..], &["--go"]].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    for (path, jobs) in [(&plain, false), (&whole, true)] {
        let read = |file: &str| fs::read_to_string(path.join(file)).expect("it was written");
        let tests = read(".github/workflows/ci.yml");
        let release = read(".github/workflows/release.yml");
        for text in [&tests, &release] {
            assert!(text.ends_with('\n') && !text.ends_with("\n\n"), "{text}");
            assert!(!text.contains("@MODULE@") && !text.contains("@CI_"), "{text}");
        }
        assert_eq!(tests.contains("\n  library:\n"), jobs);
        assert_eq!(release.contains("\n  c:\n"), jobs);
        assert_eq!(release.contains("\n  go:\n"), jobs);
        assert_eq!(release.contains("cp my_ops.pc"), jobs);
        assert!(read("README.md").contains("\n\n## Releases\n"));
    }
    let release = fs::read_to_string(plain.join(".github/workflows/release.yml")).expect("text");
    assert!(release.contains("--find-links wheels my-ops\n"), "{release}");
    assert!(release.contains("import my_ops;"), "{release}");
    let (output, path) = new("path_ops", &[]);
    assert!(stderr(&output).contains("help: add `--git URL`"), "{}", stderr(&output));
    assert!(!path.exists() && output.status.code() == Some(1));
}

#[test]
fn gen_prints_a_header() {
    let folder = Folder::new("gen_prints_a_header");
    let (entries, out) = (folder.0.join("operators.yaml"), folder.0.join("out"));
    let text = "- func: halved(Tensor x, int times=1) -> Tensor\n- func: f.a(Tensor x) -> Tensor\n";
    fs::write(&entries, text).expect("it can be written");
    let gen_ = |more: &[&str]| {
        let first = ["gen".as_ref(), entries.as_os_str(), "--out".as_ref(), out.as_os_str()];
        run(first.into_iter().chain(more.iter().map(OsStr::new)))
    };
    let output = gen_(&["--c", "--prefix", "my"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let header = fs::read_to_string(out.join("my.h")).expect("it was written");
    let declared =
        "MY_API my_error *my_halved(const my_tensor *x, int64_t times, my_tensor **result);";
    assert!(header.contains(declared), "{header}");
    let code = fs::read_to_string(out.join("c.rs")).expect("it was written");
    assert!(code.contains("my_halved"), "{code}");
    assert!(gen_(&["--c"]).status.success() && out.join("opwright.h").exists());
    assert!(gen_(&["--go", "--prefix=my", "--go-module=example.org/my"]).status.success());
    let go = fs::read_to_string(out.join("go/my/functions_gen.go")).expect("it was written");
    let halved = "func Halved(x Tensor, opts ...HalvedOpts) Tensor {";
    assert!(go.contains("#include <my.h>") && go.contains(halved), "{go}");
    let handle = fs::read_to_string(out.join("go/my/handle_gen.go")).expect("it was written");
    assert!(handle.contains("\npackage my\n") && handle.contains("C.my_tensor_free"), "{handle}");
    assert!(!out.join("go/my/index_gen.go").exists(), "the library cannot select");
    let module = fs::read_to_string(out.join("go/go.mod")).expect("it was written");
    assert!(module.starts_with("module example.org/my\n"), "{module}");
    let output = gen_(&["--c", "--prefix", "My"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("`My` cannot begin names in C"), "{}", stderr(&output));
    let clash = "- func: tensor_free(Tensor x) -> Tensor\n";
    fs::write(&entries, clash).expect("it can be written");
    let output = gen_(&["--c"]);
    assert!(stderr(&output).contains("error[E0414]"), "{}", stderr(&output));
}

#[test]
fn new_takes_operators_in() {
    let folder = Folder::new("new_takes_operators_in");
    let path = folder.0.join("my_ops");
    let operators = "--operators=add,linalg_norm".as_ref();
    let output = run(["new".as_ref(), path.as_os_str(), operators]);
    assert!(output.status.success(), "{}", stderr(&output));
    let read = |file: &str| fs::read_to_string(path.join(file)).expect("it was written");
    let declaration = "opwright::module!(my_ops, operators = [add, linalg_norm]);";
    assert!(read("src/lib.rs").contains(declaration));
    let output = run(["check".as_ref(), "--crate".as_ref(), path.as_os_str()]);
    assert!(stdout(&output).contains("warning[E0613]: "), "{}", stdout(&output));
    assert!(stdout(&output).ends_with("\n3 operators, 0 errors\n"), "{}", stdout(&output));
    left::operators(&path, &["add", "linalg_norm"]);
    let output = run(["check".as_ref(), "--crate".as_ref(), path.as_os_str()]);
    assert_eq!(stdout(&output), "3 operators, 0 errors\n");
    left::operators(&path, &["add"]);
    let output = run(["check".as_ref(), "--crate".as_ref(), path.as_os_str()]);
    let told = "opwright-ops has no operator `linalg_norm`";
    assert!(stdout(&output).contains(told), "{}", stdout(&output));
}

#[test]
fn what_a_build_has_left_is_a_file_of_operators() {
    let folder = Folder::new("what_a_build_has_left");
    let path = left::operators(&folder.0, &["add", "mul"]);
    let output = run([OsStr::new("check"), path.as_os_str()]);
    assert_eq!(stdout(&output), "2 operators, 0 errors\n");
    let newer =
        fs::read_to_string(&path).expect("it is there").replace("\"format\": 4", "\"format\": 5");
    fs::write(&path, newer).expect("it can be written");
    let output = run([OsStr::new("check"), path.as_os_str()]);
    assert!(stdout(&output).contains("its format is 5"), "{}", stdout(&output));
}

#[test]
fn new_needs_a_name_and_a_checkout() {
    let folder = Folder::new("new_needs_a_name_and_a_checkout");
    let lambda = folder.0.join("lambda");
    let output = run(["new".as_ref(), lambda.as_os_str()]);
    assert!(stderr(&output).contains("`lambda` is a keyword"), "{}", stderr(&output));
    let path = folder.0.join("my_ops");
    let args = ["new".as_ref(), path.as_os_str(), "--path".as_ref(), folder.0.as_os_str()];
    let output = run(args);
    assert!(stderr(&output).contains("is no checkout of opwright"), "{}", stderr(&output));
    assert!(!lambda.exists() && !path.exists());
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let folder = Folder::new("a_reader_that_has_seen_enough");
    let entries: String =
        (0..2000).map(|it| format!("- func: f{it}(Tensor self) -> Tensor\n")).collect();
    let path = folder.file("a.yaml", entries);
    let mut child = opwright()
        .args([OsStr::new("dump"), path.as_os_str()])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command runs");
    let mut first = [0; 16];
    let mut pipe = child.stdout.take().expect("it is piped");
    pipe.read_exact(&mut first).expect("there is output");
    drop(pipe);
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success());
    assert_eq!(stderr(&output), "");
}
