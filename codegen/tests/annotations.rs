//! Annotations that the scan does not take up are told so, at their place.

use std::collections::BTreeMap;
use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};

use opwright_codegen::library::{self, LibrarySource};
use opwright_diagnostics::Sources;

const KERNEL: &str =
    "#[native_op(\"f(Tensor x) -> Tensor\")] fn f(x: &Tensor) -> Result<Tensor> {}";

/// `E0633 src/lib.rs:1:20 message` for each finding in a crate of these files.
fn findings(files: &[(&str, &str)], is_module: bool) -> Vec<String> {
    let texts: BTreeMap<PathBuf, &str> =
        files.iter().map(|(path, text)| (PathBuf::from(path), *text)).collect();
    let reading = LibrarySource {
        crate_root: PathBuf::from("src/lib.rs"),
        files: texts.keys().cloned().collect(),
        is_module,
        ..LibrarySource::default()
    };
    let mut sources = Sources::new();
    let library = library::read(&mut sources, &reading, &|path: &Path| {
        texts.get(path).map(ToString::to_string).ok_or_else(|| Error::from(ErrorKind::NotFound))
    });
    let findings = library.map_or_else(|it| it, |it| it.warnings);
    let lines = findings.iter().map(|it| {
        let place = it.span.as_ref().map_or("?".to_owned(), |span| {
            let position = sources.position(span);
            format!("{}:{}:{}", sources.file(span.source).name(), position.line, position.column)
        });
        format!("{} {place} {}", it.code, it.message)
    });
    lines.collect()
}

#[track_caller]
fn reports(files: &[(&str, &str)], expected: &[&str]) {
    assert_eq!(findings(files, false), expected);
}

#[test]
fn items_that_hold_annotations_are_searched() {
    for (around, expected) in [
        (
            "impl S { KERNEL }",
            "1:10 a method cannot be a kernel: the operator tables reach functions",
        ),
        (
            "trait S { KERNEL }",
            "1:11 a method cannot be a kernel: the operator tables reach functions",
        ),
        (
            "fn g() { KERNEL }",
            "1:10 the operator tables cannot reach a kernel inside of a function",
        ),
        (
            "fn g() { mod m { KERNEL } }",
            "1:18 the operator tables cannot reach a kernel inside of a function",
        ),
        ("mod m { make! { KERNEL } }", "1:17 an annotation inside of a macro is not read"),
        ("macro_rules! m { () => { KERNEL } }", "1:26 an annotation inside of a macro is not read"),
    ] {
        let text = around.replace("KERNEL", KERNEL);
        reports(&[("src/lib.rs", &text)], &[&format!("E0633 src/lib.rs:{expected}")]);
    }
}

#[test]
fn conditions_and_inclusions_are_told() {
    let behind = "#[cfg_attr(not(odd), opwright::native_op)] fn f(x: &Tensor) -> Result<Tensor> {}";
    reports(
        &[("src/lib.rs", behind)],
        &["E0633 src/lib.rs:1:1 an annotation behind `cfg_attr` is not read"],
    );
    reports(&[("src/lib.rs", &behind.replace("not(odd)", "odd"))], &[]);
    reports(
        &[("src/lib.rs", "mod m { include!(\"parts/f.rs\"); }"), ("src/parts/f.rs", KERNEL)],
        &["E0633 src/parts/f.rs:1:1 an annotation in a file for `include!` is not read"],
    );
}

#[test]
fn files_without_a_module_are_told() {
    let root = "mod a; #[cfg(odd)] mod b; #[cfg(odd)] mod c { mod d; }";
    let files = [
        ("src/lib.rs", root),
        ("src/a.rs", "// no annotation"),
        ("src/b.rs", KERNEL),
        ("src/c/d.rs", KERNEL),
        ("src/bin/program.rs", "mod own;"),
        ("src/bin/own.rs", "fn main() {}"),
        ("src/forgotten.rs", KERNEL),
        ("src/notes.rs", "/// `#[native_op]` stands in a comment.\nfn f() {}"),
    ];
    reports(
        &files,
        &["E0634 src/forgotten.rs:1:1 no `mod` leads to this file, so nobody compiles it"],
    );
}

#[test]
fn what_is_not_compiled_is_not_searched() {
    let text = format!(
        "#[cfg(odd)] impl S {{ {KERNEL} }} #[cfg(odd)] mod m {{ fn g() {{ {KERNEL} }} }}\n\
         impl S {{ #[cfg(odd)] {KERNEL} }} #[cfg(odd)] m! {{ {KERNEL} }} #[cfg(odd)] {KERNEL}"
    );
    reports(&[("src/lib.rs", &text)], &[]);
}

#[test]
fn a_module_says_so_in_its_root() {
    let missing = "E0635 ? src/lib.rs does not say which Python module it is";
    assert_eq!(findings(&[("src/lib.rs", KERNEL)], true), [missing]);
    for declared in ["opwright::module!(m);", "module!(m, wrong);"] {
        assert_eq!(findings(&[("src/lib.rs", declared)], true), [""; 0]);
    }
}

/// What the schema crate finds in the schema of a signature is shown at the
/// tokens that say it.
#[test]
fn mistakes_of_a_signature_stand_at_its_tokens() {
    let text = "#[native_op(signature = (x, k = 1.5, lambda))]
fn f(x: &Tensor, k: i64, lambda: f64) -> Result<Tensor> {}";
    let expected = [
        "E0203 src/lib.rs:1:33 `1.5` is not a value of type `int`",
        "E0202 src/lib.rs:2:26 `lambda` needs a default, because `k` has one",
        "E0319 src/lib.rs:2:26 parameter `lambda` is a keyword of Python",
    ];
    reports(&[("src/lib.rs", text)], &expected);
}

#[test]
fn types_of_the_crate_are_known_wherever_they_stand() {
    let schema = "#[native_op(\"f(Tensor x, Line by) -> Line\")] \
                  fn f(x: &Tensor, by: &Line) -> Result<Line> {}";
    let signature = "#[native_op] fn f(x: &Tensor, by: &[&Line]) -> Result<Line> {}";
    let declared = "#[derive(Clone, opwright::NativeType)] pub struct Line { slope: f64 }";
    reports(&[("src/lib.rs", &format!("{declared} {schema}"))], &[]);
    let declared = "#[native_type] pub struct Line { slope: f64 }";
    for function in [schema, signature] {
        // Before and behind the function that names it.
        reports(&[("src/lib.rs", &format!("{function} pub(crate) mod m {{ {declared} }}"))], &[]);
        reports(&[("src/lib.rs", &format!("{declared} {function}"))], &[]);
    }
    let unknown = "E0120 src/lib.rs:1:26 unknown type `Line`";
    let found = findings(&[("src/lib.rs", schema)], false);
    assert_eq!(found[0][6..], unknown[6..]);
    let off = format!("#[cfg(feature = \"lines\")] {declared} {schema}");
    assert!(findings(&[("src/lib.rs", &off)], false)[0].ends_with("unknown type `Line`"));
}

#[test]
fn schemas_must_be_able_to_name_a_type() {
    let declared = |name: &str| format!("#[native_type] pub struct {name};");
    reports(
        &[("src/lib.rs", &declared("Tensor"))],
        &["E0665 src/lib.rs:1:27 `Tensor` is a type of the schema language already"],
    );
    reports(
        &[("src/lib.rs", &format!("{} pub(crate) mod m {{ {} }}", declared("A"), declared("A")))],
        &["E0665 src/lib.rs:1:75 there are two types `A`"],
    );
    reports(
        &[("src/lib.rs", &format!("mod m {{ mod n {{ {} }} }}", declared("A")))],
        &[
            "E0602 src/lib.rs:1:43 the operator tables cannot reach a type in the private module `n`",
        ],
    );
    let many: String = (0..12).map(|it| declared(&format!("T{it}"))).collect();
    reports(
        &[("src/lib.rs", &many)],
        &["E0665 src/lib.rs:1:347 a crate has at most 11 types of its own"],
    );
}

#[test]
fn structs_that_python_cannot_have_are_told_at_their_words() {
    for (text, expected) in [
        (
            "#[derive(NativeType, Clone)] pub enum Side { Left }",
            "1:39 `#[derive(NativeType)]` stands above a struct with named fields; \
             `#[native_type]` takes any type",
        ),
        (
            "#[derive(NativeType, Clone)] pub struct S { #[field(defualt = 1.0)] lo: f64 }",
            "1:53 unknown option `defualt`: there are `set`, `skip`, `hide_c`, `name`, `default` \
             and `doc`",
        ),
        ("#[derive(NativeType)] pub struct S { lo: f64 }", "1:34 `S` does not implement `Clone`"),
    ] {
        reports(&[("src/lib.rs", text)], &[&format!("E0665 src/lib.rs:{expected}")]);
    }
    let by_hand = "#[derive(NativeType)] pub struct S { lo: f64 } impl Clone for S {}";
    reports(&[("src/lib.rs", by_hand)], &[]);
}

#[test]
fn a_module_is_made_once() {
    let twice = "opwright::module!(m);\nopwright::module!(m);";
    let expected = "E0635 src/lib.rs:2:1 a crate is one module: `module!` stands here again";
    assert_eq!(findings(&[("src/lib.rs", twice)], true), [expected]);
}

#[test]
fn composite_kernels_that_go_around_operators_are_warned_of() {
    let of = |keys: &str, body: &str| {
        let text = format!(
            "#[native_op(\"f(Tensor x) -> Tensor\", {keys})] fn f(x: &Tensor) -> Result<Tensor> {{ {body} }}"
        );
        findings(&[("src/lib.rs", &text)], false)
    };
    let message = |called: &str| {
        format!(
            "`{called}` is not recorded in a composite kernel, so that gradients are lost there"
        )
    };
    for (body, called) in [
        ("x.copy()", "copy()"),
        ("let y = g(x)?.to_dtype(DType::Float64)?; Ok(y)", "to_dtype()"),
        ("view::select(x, 0, 1)", "view::select"),
        ("opwright::view::reshape(x, &[1])", "view::reshape"),
        ("Tensor::copy(x)", "Tensor::copy"),
        ("ensure!(x.copy().is_ok(), Runtime); g(x)", "copy()"),
        ("if true { iterate::unary(x, x, g) } else { g(x) }", "iterate::unary"),
    ] {
        let found = of("composite", body);
        assert!(found.len() == 1 && found[0].starts_with("E0680 src/lib.rs:1:"), "{found:?}");
        assert!(found[0].ends_with(&message(called)), "{found:?}");
        assert_eq!(of("key = CPU", body), [""; 0]);
    }
    assert_eq!(of("composite", "crate::ops::clone::Default_::call(x, None)"), [""; 0]);
}
