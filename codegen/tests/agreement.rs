//! Kernels and their schemas: names, numbers and types of parameters, and what
//! is returned.

use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};

use opwright_codegen::library::{self, LibrarySource};
use opwright_diagnostics::Sources;

const YAML: &str = "\
- func: cut(Tensor self, int rows, int columns) -> Tensor
  dispatch: {CPU: cut}
- func: twice(Tensor self) -> Tensor
  structured_delegate: twice.out
- func: twice.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  dispatch: {CPU: twice_out}
";

const TWICE: &str = "\
#[native_op(twice.out)] fn twice_out(self_: &Tensor, out: &mut Tensor) -> Result<()> {}
#[native_op(twice.out, rule)] fn twice_rule(self_: &Tensor) -> Result<Spec> {}
";

/// `E0630 src/lib.rs:1:20 message` for each finding.
fn findings(yaml: &str, source: &str) -> Vec<String> {
    let reading = LibrarySource {
        yaml: vec![PathBuf::from("ops.yaml")],
        crate_root: PathBuf::from("src/lib.rs"),
        ..LibrarySource::default()
    };
    let mut sources = Sources::new();
    let library = library::read(&mut sources, &reading, &|path: &Path| match path.to_str() {
        Some("ops.yaml") => Ok(yaml.to_owned()),
        Some("src/lib.rs") => Ok(source.to_owned()),
        _ => Err(Error::from(ErrorKind::NotFound)),
    });
    let findings = library.err().unwrap_or_default();
    let lines = findings.iter().map(|it| {
        let span = it.span.as_ref().expect("a place");
        let text = &sources.file(span.source).text()[span.range.clone()];
        format!("{} `{text}` {}", it.code, it.message)
    });
    lines.collect()
}

/// Of a function that carries its schema.
#[track_caller]
fn reports(annotated: &str, expected: &[&str]) {
    assert_eq!(findings("[]", annotated), expected, "{annotated}");
}

#[test]
fn swapped_parameters_are_one_error_at_the_first_name() {
    reports(
        "#[native_op(\"f(Tensor x, int rows, int columns) -> Tensor\")]\n\
         fn f(x: &Tensor, columns: i64, rows: i64) -> Result<Tensor> {}",
        &["E0630 `columns` `columns` stands where `f` has `rows`"],
    );
    // Their types are no second mistake.
    reports(
        "#[native_op(\"f(Tensor x, float by, int k) -> Tensor\")]\n\
         fn f(x: &Tensor, k: i64, by: f64) -> Result<Tensor> {}",
        &["E0630 `k` `k` stands where `f` has `by`"],
    );
}

#[test]
fn names_of_entries_count_as_those_of_annotations() {
    let cut =
        "#[native_op(cut)] fn cut(self_: &Tensor, columns: i64, rows: i64) -> Result<Tensor> {}\n";
    assert_eq!(
        findings(YAML, &format!("{cut}{TWICE}")),
        ["E0630 `columns` `columns` stands where `cut` has `rows`"]
    );
    let cut =
        "#[native_op(cut)] fn cut(x: &Tensor, _rows: i64, Columns: i64) -> Result<Tensor> {}\n";
    assert_eq!(findings(YAML, &format!("{cut}{TWICE}")), [""; 0]);
    let twice = TWICE.replace("out: &mut", "result: &mut").replace("rule(self_", "rule(out");
    let cut =
        "#[native_op(cut)] fn cut(_: &Tensor, rows: i64, _columns: i64) -> Result<Tensor> {}\n";
    assert_eq!(
        findings(YAML, &format!("{cut}{twice}")),
        ["E0630 `result` `result` stands where `twice.out` has `out`"]
    );
}

#[test]
fn names_agree_in_every_form() {
    let function = |names: &str, form: &str| {
        format!("#[native_op(\"f(Tensor x, Tensor y) -> Tensor\", {names}dtypes = real{form})]\n")
    };
    for (form, param) in [(", elementwise", "T"), ("", "ArrayViewD<'_, T>")] {
        let result = if form.is_empty() { "Array1<T>" } else { "T" };
        let func = format!("fn f<T: Real>(y: {param}, x: {param}) -> {result} {{}}");
        reports(
            &format!("{}{func}", function("", form)),
            &["E0630 `y` `y` stands where `f` has `x`"],
        );
        reports(&format!("{}{func}", function("names = any, ", form)), &[]);
    }
    reports(
        "#[native_op(\"f(Tensor self) -> Tensor\", structured = elementwise)]\n\
         fn f(x: &Tensor, result: &mut Tensor) -> Result<()> {}",
        &[],
    );
}

#[test]
fn an_author_may_say_that_only_names_differ() {
    reports(
        "#[native_op(\"f(Tensor x, int rows) -> Tensor\", names = any)]\n\
         fn f(image: &Tensor, n: i64) -> Result<Tensor> {}",
        &[],
    );
    reports(
        "#[native_op(\"f(Tensor x) -> Tensor\", names = none)]\n\
         fn f(x: &Tensor) -> Result<Tensor> {}",
        &["E0642 `names` expected `names = any`, which says that the function's parameters are \
           called otherwise than the schema's, though they are the same"],
    );
    reports(
        "#[native_op(signature, names = any)] fn f(x: &Tensor) -> Result<Tensor> {}",
        &["E0645 `names` the schema has the names of the function: leave `names` out"],
    );
}

#[test]
fn types_that_are_certainly_wrong_are_told_the_right_way_round() {
    for (schema, rust, found) in [
        ("int k", "i64", "f64"),
        ("Tensor k", "&Tensor", "Tensor"),
        ("int[] k", "&[i64]", "Vec<i64>"),
        ("str k", "&str", "&'static str"),
        ("str k", "&str", "String"),
        ("int? k", "Option<i64>", "i64"),
        ("Scalar k", "Scalar", "f32"),
    ] {
        let message = format!("E0632 `{found}` `{schema}` is `{rust}` in Rust, not `{found}`");
        let annotated = format!(
            "#[native_op(\"f(Tensor x, {schema}) -> Tensor\")]\n\
             fn f(x: &Tensor, k: {found}) -> Result<Tensor> {{}}"
        );
        reports(&annotated, &[&message]);
    }
    reports(
        "#[native_op(\"f(Tensor x, float by) -> Tensor\", elementwise, dtypes = real)]\n\
         fn f<T: Real>(x: T, by: i64) -> T {}",
        &["E0632 `i64` `float by` is `f64` in Rust, not `i64`"],
    );
}

#[test]
fn other_names_of_types_are_left_to_rustc() {
    reports(
        "#[native_op(\"f(Tensor x, int k, float[] w) -> Tensor\")]\n\
         fn f(x: Operand<'_>, k: Index, w: Weights) -> Answer {}",
        &[],
    );
}

#[test]
fn what_a_kernel_returns_is_compared() {
    for (result, found) in [
        ("Result<&Tensor>", "Result<&Tensor>"),
        ("Tensor", "Tensor"),
        ("opwright::Result<(Tensor, i64)>", "Result<(Tensor, i64)>"),
    ] {
        reports(
            &format!("#[native_op(\"f(Tensor x) -> Tensor\")] fn f(x: &Tensor) -> {result} {{}}"),
            &[&format!("E0632 `{result}` a kernel of `f` returns `Result<Tensor>`, not `{found}`")],
        );
    }
    reports(
        "#[native_op] fn f(x: &Tensor) -> Tensor {}",
        &["E0632 `Tensor` a kernel of `f` returns `Result<Tensor>`, not `Tensor`"],
    );
}

#[test]
fn too_few_or_too_many_parameters_are_counted() {
    reports(
        "#[native_op(\"f(Tensor x, int k, Scalar alpha) -> Tensor\")]\n\
         fn f(x: &Tensor, alpha: Scalar) -> Result<Tensor> {}",
        &["E0662 `(x: &Tensor, alpha: Scalar)` `f` has 3 parameters in its schema, its kernel 2"],
    );
    reports(
        "#[native_op(\"f(Tensor x) -> Tensor\")] fn f(x: &Tensor, k: i64) -> Result<Tensor> {}",
        &["E0662 `(x: &Tensor, k: i64)` `f` has 1 parameter in its schema, its kernel 2"],
    );
}
