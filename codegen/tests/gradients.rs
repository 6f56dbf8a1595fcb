//! Gradients that annotations say, and those that follow from kernels of elements.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use opwright_codegen::artifact;
use opwright_codegen::formula::Gradient;
use opwright_codegen::library::{self, Library, LibrarySource};
use opwright_codegen::reading::Theirs;
use opwright_diagnostics::diag::Diagnostic;
use opwright_diagnostics::{Sources, render};

/// What the build of `opwright-ops` writes.
static THEIRS: LazyLock<String> = LazyLock::new(|| {
    let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ops");
    let reading = LibrarySource {
        yaml: vec![home.join("../native_functions.yaml")],
        crate_root: home.join("src/lib.rs"),
        ..LibrarySource::default()
    };
    let mut sources = Sources::new();
    let library = library::read(&mut sources, &reading, &|it: &Path| fs::read_to_string(it));
    match library {
        Ok(library) => artifact::print(&sources, &library.input, &library.helpers),
        Err(findings) => panic!("{}", render(&sources, &findings)),
    }
});

/// Reads a module with this root file and these formulas.
fn read_with(
    root: &str,
    derivatives: Option<&str>,
    theirs: Theirs,
) -> (Sources, Result<Library, Vec<Diagnostic>>) {
    let reading = LibrarySource {
        crate_root: PathBuf::from("src/lib.rs"),
        derivatives: derivatives.map(|_| PathBuf::from("derivatives.yaml")),
        is_module: true,
        theirs,
        ..LibrarySource::default()
    };
    let mut sources = Sources::new();
    let read = |path: &Path| match (path.to_str(), derivatives) {
        (Some("src/lib.rs"), _) => Ok(format!("opwright::module!(m);\n{root}")),
        (Some("derivatives.yaml"), Some(text)) => Ok(text.to_owned()),
        (Some("operators.json"), _) => Ok(THEIRS.clone()),
        _ => Err(io::ErrorKind::NotFound.into()),
    };
    let library = library::read(&mut sources, &reading, &read);
    (sources, library)
}

fn theirs() -> Theirs {
    Theirs::File(PathBuf::from("operators.json"))
}

#[track_caller]
fn fits(root: &str) -> Library {
    let (sources, library) = read_with(root, None, theirs());
    library.unwrap_or_else(|findings| panic!("{}", render(&sources, &findings)))
}

/// `E0666 src/lib.rs:2:7 message` for each finding, in order of place.
#[track_caller]
fn reports(root: &str, expected: &[&str]) {
    let (sources, library) = read_with(root, None, theirs());
    assert_eq!(lines(&sources, &library.err().unwrap_or_default()), expected);
}

fn lines(sources: &Sources, findings: &[Diagnostic]) -> Vec<String> {
    let line = |it: &Diagnostic| {
        let span = it.span.as_ref().expect("a place");
        let (at, file) = (sources.position(span), sources.file(span.source).name());
        format!("{} {file}:{}:{} {}", it.code, at.line, at.column, it.message)
    };
    findings.iter().map(line).collect()
}

#[track_caller]
fn gradient<'a>(library: &'a Library, name: &str) -> Option<&'a Gradient> {
    let is_called = |it: &opwright_schema::model::Overload| it.schema.name.to_string() == name;
    let idx = library.ops.overloads.iter().position(is_called).expect("an operator");
    library.gradients[idx].as_ref()
}

/// What is printed for the inputs, without blanks; nothing for those that are not written.
#[track_caller]
fn printed(library: &Library, name: &str) -> Vec<Option<String>> {
    let parts = &gradient(library, name).expect("a gradient").parts;
    let text = |it: &proc_macro2::TokenStream| it.to_string().replace(' ', "");
    parts.iter().map(|it| it.value.as_ref().map(text)).collect()
}

const SCALE: &str = "
#[native_op(\"scale(Tensor x, float k) -> Tensor\", derivative(x = \"grad * k\"))]
fn scale(x: &Tensor, k: f64) -> Result<Tensor> {}
";

#[test]
fn formulas_call_operators_of_others() {
    let library = fits(SCALE);
    assert!(library.calls_others);
    let [Some(printed)] = &printed(&library, "scale")[..] else { panic!() };
    assert!(printed.contains("crate::ops::__operators::mul::Scalar::call("), "{printed}");
    assert_eq!(gradient(&library, "scale").unwrap().node, "ScaleBackward0");
}

#[test]
fn formulas_call_helpers_of_others() {
    let real = "
#[native_op(\"bent(Tensor x) -> Tensor\", derivative(x = \"handle_r_to_c(x.scalar_type(), grad)\"))]
fn bent(x: &Tensor) -> Result<Tensor> {}
";
    let [Some(printed)] = &printed(&fits(real), "bent")[..] else { panic!() };
    let helper = "crate::ops::__operators::__helpers::handle_r_to_c(";
    assert!(printed.contains(helper), "{printed}");
}

#[test]
fn own_functions_come_before_helpers_of_others() {
    let root = |own: &str| {
        format!(
            "{own}
#[native_op(\"bent(Tensor x) -> Tensor\", derivative(x = \"handle_r_to_c(grad)\"))]
fn bent(x: &Tensor) -> Result<Tensor> {{}}
"
        )
    };
    let helper = "
#[gradient_helper]
pub(crate) fn handle_r_to_c(grad: &Tensor) -> Result<Tensor> {}
";
    let operator = "
#[native_op(\"handle_r_to_c(Tensor x) -> Tensor\", derivative(x = none))]
fn handle_r_to_c(x: &Tensor) -> Result<Tensor> {}
";
    for (own, path) in [
        (helper, "crate::handle_r_to_c("),
        (operator, "crate::ops::handle_r_to_c::Default_::call("),
    ] {
        let [Some(printed)] = &printed(&fits(&root(own)), "bent")[..] else { panic!() };
        assert!(printed.contains(path), "{printed}");
    }
}

#[test]
fn own_operators_come_first() {
    let own = "
#[native_op(\"mul.Tensor(Tensor self, Tensor other) -> Tensor\", derivative(self = \"mul(grad, other)\", other = none))]
fn mul(self_: &Tensor, other: &Tensor) -> Result<Tensor> {}
";
    let [Some(printed), ..] = &printed(&fits(own), "mul.Tensor")[..] else { panic!() };
    assert!(printed.contains("crate::ops::mul::Tensor::call("), "{printed}");
}

#[test]
fn without_others_their_feature_is_named() {
    let (sources, library) = read_with(SCALE, None, Theirs::Absent);
    let findings = library.expect_err("an unknown operator");
    let expected = "E0666 src/lib.rs:3:67 no operator does this with Tensor and float";
    assert_eq!(lines(&sources, &findings), [expected]);
    assert!(findings[0].helps.iter().any(|it| it.contains("the feature `ops`")));
}

#[test]
fn nothing_is_said_of_formulas_before_the_first_build() {
    let (sources, library) = read_with(SCALE, None, Theirs::Unbuilt);
    let warnings = library.expect("no errors").warnings;
    assert!(lines(&sources, &warnings)[0].starts_with("E0613 src/lib.rs:3:51"));
}

#[test]
fn all_mistakes_are_reported_at_their_words() {
    reports(
        r#"
#[native_op("a(Tensor x, Tensor y) -> Tensor", derivative(x = "grad * z", w = "grad", y = "gradd(grad)"))]
fn a(x: &Tensor, y: &Tensor) -> Result<Tensor> {}

#[native_op("b(Tensor x) -> Tensor", derivative(x = "grad *", x = "grad"))]
fn b(x: &Tensor) -> Result<Tensor> {}

#[native_op("cc(Tensor x, int n) -> Tensor", derivative(x = cc_backward))]
fn cc(x: &Tensor, n: i64) -> Result<Tensor> {}

fn cc_backward(grad: &Tensor, n: f32, m: i64) -> Result<Tensor> {}

#[native_op("d(Tensor x, bool n) -> Tensor", derivative(x = d_backward))]
fn d(x: &Tensor, n: bool) -> Result<Tensor> {}

fn d_backward(grad: &Tensor, n: &str, m: i64) -> Result<Tensor> {}

#[native_op("k(Tensor x) -> Tensor", derivative(x = e_backwards))]
fn k(x: &Tensor) -> Result<Tensor> {}

fn e_backward(grad: &Tensor) -> Tensor {}

#[native_op("f(Tensor x) -> Tensor", derivative(x = e_backward))]
fn f(x: &Tensor) -> Result<Tensor> {}

#[native_op("g(Tensor x) -> Tensor", derivative(x = "x.dim()"))]
fn g(x: &Tensor) -> Result<Tensor> {}

#[native_op("h(Tensor x) -> Tensor", derivative(output_differentiability = [true, false], x = "grad"))]
fn h(x: &Tensor) -> Result<Tensor> {}
"#,
        &[
            "E0514 src/lib.rs:3:71 formula names `z`, which `a` does not have",
            "E0512 src/lib.rs:3:75 `w` is neither an input nor an output of `a`",
            "E0670 src/lib.rs:3:92 there is no operator or helper `gradd`",
            "E0518 src/lib.rs:6:60 expected an expression, found the end",
            "E0513 src/lib.rs:6:63 `x` has two formulas",
            "E0668 src/lib.rs:12:31 no value that a formula has is of this type",
            "E0668 src/lib.rs:17:30 `n` is of type `bool` where `d_backward` takes `str`",
            "E0668 src/lib.rs:17:39 `d_backward` takes `m`, which its operator does not have",
            "E0668 src/lib.rs:19:53 the crate has no function `e_backwards`",
            "E0668 src/lib.rs:22:33 a function of gradients returns a `Result` of a tensor, or of several",
            "E0666 src/lib.rs:27:54 this is of type int",
            "E0516 src/lib.rs:30:49 2 truth values for 1 output",
        ],
    );
}

const HYPOT: &str = "elementwise, dtypes = floating | complex";

fn kernel(options: &str, bound: &str) -> String {
    format!(
        "#[native_op(\"hypot(Tensor self, Tensor y, Scalar by) -> Tensor\", {options})]
         fn hypot<T: {bound}>(self_: T, y: T, by: T) -> T {{}}"
    )
}

#[test]
fn gradients_follow_from_kernels_of_elements() {
    let library = fits(&kernel("elementwise, dtypes = floating", "Float"));
    let functional = gradient(&library, "hypot").unwrap();
    assert!(functional.derived.is_some() && library.derived.len() == 1);
    let [Some(first), Some(second)] = &printed(&library, "hypot")[..] else { panic!() };
    let call = "crate::ops::hypot::__derived_Default_::first::autograd(rt::ok(__call.grad(0usize))";
    assert!(first.contains(call) && first.contains(",0i64)"), "{first}");
    assert!(second.contains(call) && second.contains(",1i64)"), "{second}");
    let in_place = gradient(&library, "hypot_").unwrap();
    assert!(in_place.derived.is_none() && in_place.node == "HypotBackward0");
}

#[test]
fn what_follows_gives_way_to_what_is_said() {
    for options in [
        "elementwise, dtypes = floating, derivative = none",
        "elementwise, dtypes = floating, derivative(self = \"grad\", y = none)",
    ] {
        assert!(fits(&kernel(options, "Float")).derived.is_empty(), "{options}");
    }
    let formulas = "- name: hypot(Tensor self, Tensor y, Scalar by) -> Tensor\n  self: grad\n  y: non_differentiable\n";
    let root = kernel("elementwise, dtypes = floating", "Float");
    let (_, library) = read_with(&root, Some(formulas), theirs());
    let library = library.expect("no mistakes");
    assert!(library.derived.is_empty());
    assert_eq!(gradient(&library, "hypot").unwrap().inputs.len(), 1);
}

#[test]
fn only_functions_of_numbers_take_duals() {
    let is_derived = |options: &str, bound: &str| {
        let library = fits(&kernel(options, bound));
        assert!(gradient(&library, "hypot").is_some());
        !library.derived.is_empty()
    };
    for bound in ["Float", "Real", "Number", "Real + PartialOrd", "num_traits::Float"] {
        assert!(is_derived("elementwise, dtypes = floating", bound), "{bound}");
    }
    for bound in ["Element", "Element + Float", "FloatOrComplex", "Own"] {
        assert!(!is_derived("elementwise, dtypes = floating", bound), "{bound}");
    }
    assert!(is_derived(HYPOT, "Number") && !is_derived("elementwise, dtypes = integral", "Real"));
    assert!(!is_derived("elementwise, dtypes = floating, promote = bool", "Float"));
}

#[test]
fn an_input_of_which_nothing_is_said_has_no_gradient_in_silence() {
    let library = fits(
        r#"
#[native_op("f(Tensor x, Tensor y, Tensor z) -> Tensor", derivative(x = "grad", z = none))]
fn f(x: &Tensor, y: &Tensor, z: &Tensor) -> Result<Tensor> {}
"#,
    );
    let printed = printed(&library, "f");
    assert!(matches!(&printed[..], [Some(_), None]), "{printed:?}");
}

#[test]
fn functions_are_called_with_what_they_are_called_like() {
    let library = fits(
        r#"
mod inner {
    #[native_op("f(Tensor self, Tensor y, int n=1) -> Tensor", derivative((self, y) = super::both))]
    fn f(self_: &Tensor, y: &Tensor, n: i64) -> Result<Tensor> {}
}
fn both(n: i64, result: &Tensor, self_: &Tensor, grad: &Tensor, grad_input_mask: &[bool])
    -> Result<(Option<Tensor>, Option<Tensor>)> {}
"#,
    );
    let [Some(printed)] = &printed(&library, "f")[..] else { panic!() };
    let call =
        "crate::inner::f::DERIVATIVE0(__saved0,__saved1,__saved2,rt::ok(__call.grad(0usize)),";
    assert!(printed.contains(call), "{printed}");
    let [(_, 0, function)] = &library.gradient_functions[..] else { panic!() };
    assert_eq!(function.formula(), "both(n, result, self, grad, grad_input_mask)");
}

#[test]
fn functions_that_give_too_little_and_those_without_a_mark_are_named() {
    let root = r#"
#[native_op("a(Tensor x, Tensor y) -> Tensor", derivative((x, y) = a_backward))]
fn a(x: &Tensor, y: &Tensor) -> Result<Tensor> {}
fn a_backward(grad: &Tensor) -> Result<Tensor> {}

#[native_op("b(Tensor x, Tensor y) -> Tensor", derivative((x, y) = "one(grad)"))]
fn b(x: &Tensor, y: &Tensor) -> Result<Tensor> {}
#[gradient_helper]
pub(crate) fn one(grad: &Tensor) -> Result<Tensor> {}

#[native_op("d(Tensor x, float k) -> Tensor", derivative(x = "unmarked(grad)", k = "grad.sum()"))]
fn d(x: &Tensor, k: f64) -> Result<Tensor> {}
fn unmarked(grad: &Tensor) -> Result<Tensor> {}
"#;
    reports(
        root,
        &[
            "E0668 src/lib.rs:5:33 `a_backward` returns Tensor",
            "E0666 src/lib.rs:7:69 this is of type Tensor",
            "E0670 src/lib.rs:12:63 there is no operator or helper `unmarked`",
            "E0526 src/lib.rs:12:80 `k` is of type `float`, which has no gradient",
        ],
    );
    let (sources, library) = read_with(root, None, theirs());
    let told = render(&sources, &library.err().unwrap_or_default());
    for way_out in [
        "one for each of its inputs",
        "write `#[gradient_helper]` above it",
        "or declare it as a `Tensor`",
    ] {
        assert!(told.contains(way_out), "{told}");
    }
}
