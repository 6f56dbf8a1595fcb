//! What is wrong with formulas, and which of another library's could be taken.

use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};

use opwright_codegen::fit::fit;
use opwright_codegen::formula::Differentiability;
use opwright_codegen::library::{self, Library, LibrarySource};
use opwright_diagnostics::Sources;
use opwright_diagnostics::diag::Diagnostic;
use opwright_schema::{Input, load};

const OPERATORS: &str = "\
- func: mul(Tensor self, Tensor other) -> Tensor
- func: mul_(Tensor(a!) self, Tensor other) -> Tensor(a!)
- func: choose(Tensor self, Tensor index, Tensor? weight) -> Tensor
- func: view(Tensor(a) self) -> Tensor(a)
- func: is_large(Tensor self) -> Tensor
- func: twice(Tensor self) -> Tensor
- func: thrice(Tensor self) -> Tensor
";

const KERNELS: &str = "\
#[native_op(mul)] fn mul(self_: &Tensor, other: &Tensor) -> Result<Tensor> {}
#[native_op(mul_)] fn mul_(self_: &mut Tensor, other: &Tensor) -> Result<()> {}
#[native_op(choose)] fn choose(self_: &Tensor, index: &Tensor, weight: Option<&Tensor>) -> Result<Tensor> {}
#[native_op(view)] fn view(self_: &Tensor) -> Result<Tensor> {}
#[native_op(is_large)] fn is_large(self_: &Tensor) -> Result<Tensor> {}
#[native_op(twice)] fn twice(self_: &Tensor) -> Result<Tensor> {}
#[native_op(thrice)] fn thrice(self_: &Tensor) -> Result<Tensor> {}
#[gradient_helper] pub fn halves(grad: &Tensor, by: f64, mask: &[bool]) -> Result<(Option<Tensor>, Option<Tensor>)> {}
";

fn entries() -> String {
    let keys = |line: &str| match line.contains("twice") {
        true => format!("{line}\n"),
        false => format!("{line}\n  dispatch: {{CPU: {}}}\n", name(line)),
    };
    OPERATORS.lines().map(keys).collect()
}

fn name(line: &str) -> &str {
    let (_, rest) = line.split_once(": ").expect("a schema");
    rest.split('(').next().expect("a name")
}

fn read(derivatives: &str) -> (Sources, Result<Library, Vec<Diagnostic>>) {
    let files = [
        ("ops.yaml", entries()),
        ("derivatives.yaml", derivatives.to_owned()),
        ("src/lib.rs", KERNELS.to_owned()),
    ];
    let reading = LibrarySource {
        yaml: vec![PathBuf::from("ops.yaml")],
        derivatives: Some(PathBuf::from("derivatives.yaml")),
        crate_root: PathBuf::from("src/lib.rs"),
        ..LibrarySource::default()
    };
    let mut sources = Sources::new();
    let library = library::read(&mut sources, &reading, &|path: &Path| {
        let file = files.iter().find(|(it, _)| Path::new(it) == path);
        file.map(|(_, text)| text.clone()).ok_or_else(|| Error::from(ErrorKind::NotFound))
    });
    (sources, library)
}

/// `E0670 3:9 message` for each finding in `derivatives.yaml`.
#[track_caller]
fn reports(derivatives: &str, expected: &[&str]) {
    let (sources, library) = read(derivatives);
    let findings = match library {
        Ok(library) => library.warnings,
        Err(findings) => findings,
    };
    let lines: Vec<String> = findings
        .iter()
        .map(|it| {
            let span = it.span.as_ref().expect("a place");
            assert_eq!(sources.file(span.source).name(), "derivatives.yaml", "{it:?}");
            let place = sources.position(span);
            format!("{} {}:{} {}", it.code, place.line, place.column, it.message)
        })
        .collect();
    assert_eq!(lines, expected);
}

const MUL: &str = "- name: mul(Tensor self, Tensor other) -> Tensor\n";

#[test]
fn all_mistakes_are_told_in_one_run() {
    reports(
        &format!(
            "{MUL}  self: grad.mull(other)\n\
             - name: mul_(Tensor(a!) self, Tensor other) -> Tensor(a!)\n  self: grad.mul(other)\n  other: grad.mul(self)\n\
             - name: choose(Tensor self, Tensor index, Tensor? weight) -> Tensor\n  self: grad.mul(index)\n\
             - name: view(Tensor(a) self) -> Tensor(a)\n  self: grad.mul(result)\n\
             - name: is_large(Tensor self) -> Tensor\n  self: grad.mul(slef)\n"
        ),
        &[
            "E0671 1:33 `other` has no formula",
            "E0670 2:14 there is no operator or helper `mull`",
            "E0672 5:19 `mul_` overwrites `self`, which this formula reads",
            "E0671 6:51 `weight` has no formula",
            "E0673 9:18 `result` is a view of an input, which others may write to",
            "E0514 11:18 formula names `slef`, which `is_large` does not have",
        ],
    );
}

/// What an entry can say, and what is reported where the operator has a kernel of its own.
const KEYS: &[(&str, Option<&str>)] = &[
    ("self: grad", None),
    ("self: non_differentiable", None),
    ("self: not_implemented(\"thrice\")", None),
    ("output_differentiability: [False]", None),
    ("self: grad\n  output_differentiability: [True]", None),
    ("dispatch: {Default: {self: grad}}", None),
    ("", Some("E0671 1:23 `self` has no formula")),
    ("output_differentiability: [True]", Some("E0671 1:23 `self` has no formula")),
    (
        "self: grad\n  output_differentiability: [\"self.is_complex()\"]",
        Some(
            "E0674 3:31 nothing asks this condition: whether a result has a gradient follows from \
             its dtype",
        ),
    ),
    (
        "self: grad\n  result: self_t",
        Some("E0674 3:11 tangents follow from gradients, so nothing uses this formula"),
    ),
    (
        "self: grad\n  result: auto_linear",
        Some("E0674 3:11 tangents follow from gradients, so nothing uses this formula"),
    ),
    (
        "self: grad\n  result: auto_element_wise",
        Some("E0674 3:11 tangents follow from gradients, so nothing uses this formula"),
    ),
    (
        "dispatch: {Default: {self: grad}, AutogradCUDA: {self: grad}}",
        Some("E0674 2:58 there are no tensors of `AutogradCUDA`, so nothing uses this formula"),
    ),
    (
        "dispatch: {Default: {self: grad}, AutogradNestedTensor: {self: grad}}",
        Some(
            "E0674 2:66 there are no tensors of `AutogradNestedTensor`, so nothing uses this formula",
        ),
    ),
];

#[test]
fn nothing_is_accepted_and_ignored() {
    for (keys, expected) in KEYS {
        let entry = |name| format!("- name: {name}(Tensor self) -> Tensor\n  {keys}\n");
        reports(&entry("thrice"), expected.as_slice());
        let says_formulas = keys.contains("self: grad") || keys.contains("self: not");
        let what = if says_formulas { "its formulas" } else { "this entry" };
        let message = "`twice` is composed of operators that record, so nothing uses";
        reports(&entry("twice"), &[&format!("E0674 1:9 {message} {what}")]);
    }
}

/// The error in the formula of `self`; that of the other input is right.
#[track_caller]
fn reports_of(formula: &str, expected: &str) {
    let entry = format!("{MUL}  self: \"{formula}\"\n  other: grad.mul(self)\n");
    reports(&entry, if expected.is_empty() { &[] } else { std::slice::from_ref(&expected) });
}

#[test]
fn types_are_told_at_the_word() {
    reports_of("grad.mul(other).dim() > 1", "E0666 2:10 this is of type bool");
    reports_of(
        "halves(grad, 0.5, grad_input_mask)",
        "E0666 2:10 this is of type (Tensor?, Tensor?)",
    );
    reports_of("halves(0.5, grad)", "E0666 2:10 `halves` does not take (float, Tensor)");
    reports_of(
        "grad.dim() || true ? grad : other",
        "E0666 2:10 `||` does not stand between int and bool",
    );
    reports_of(
        "(self.dim() & 1.5) > 0 ? grad : other",
        "E0666 2:10 `&` does not stand between int and float",
    );
    reports_of("grad_input_mask[1] ? grad : other", "E0666 2:10 there is no `grad_input_mask[1]`");
    reports_of("self.dim() ? grad : other", "E0666 2:10 this is of type int");
    reports_of(
        "true ? grad : self.sym_sizes()",
        "E0666 2:24 one is of type Tensor, the other of int[]",
    );
    reports_of(
        "grad.mul(other, other)",
        "E0666 2:15 no overload of `mul` takes (Tensor, Tensor, Tensor)",
    );
}

#[test]
fn numbers_are_calculated_with_as_such() {
    for formula in
        ["-true + self.dim() / 2 % 3 > 1 ? grad : other", "true & false || 1.5 > 1 ? grad : other"]
    {
        reports_of(formula, "");
    }
}

#[test]
fn who_is_differentiable_is_known() {
    let (_, library) = read(&format!(
        "{MUL}  self: grad.mul(other)\n  other: grad.mul(self)\n\
         - name: is_large(Tensor self) -> Tensor\n  output_differentiability: [False]\n"
    ));
    let library = library.expect("no mistakes");
    let known = library.differentiability();
    let of = |name: &str| {
        let at = library.ops.overloads.iter().position(|it| it.schema.name.to_string() == name);
        known[at.expect("an operator")]
    };
    assert_eq!(of("mul"), Differentiability::Formulas(0));
    assert_eq!(of("mul_"), Differentiability::Formulas(0));
    assert_eq!(of("is_large"), Differentiability::Nowhere);
    assert_eq!(of("twice"), Differentiability::Composed);
    assert_eq!(of("thrice"), Differentiability::NotImplemented);
}

#[test]
fn what_could_be_taken_is_told() {
    let (_, library) = read("[]");
    let library = library.expect("no mistakes");
    let mut sources = Sources::new();
    let text = format!("{OPERATORS}- func: other(Tensor self) -> Tensor\n");
    let yaml = vec![sources.add("theirs.yaml", text)];
    let derivatives = format!(
        "{MUL}  self: grad.mul(other)\n  other: grad.mul(self)\n\
         - name: thrice(Tensor self) -> Tensor\n  self: thrice_backward(grad)\n\
         - name: other(Tensor self) -> Tensor\n  self: grad\n"
    );
    let derivatives = Some(sources.add("derivatives.yaml", derivatives));
    let theirs = load(&sources, &Input { yaml, derivatives, ..Input::default() });
    let theirs = theirs.expect("no mistakes");
    let fitting = fit(&theirs, &library);
    let problems: Vec<usize> = fitting.iter().map(|it| it.problems.len()).collect();
    assert_eq!(problems, [0, 1]);
    assert_eq!(fitting[1].problems[0].message, "there is no operator or helper `thrice_backward`");
}
