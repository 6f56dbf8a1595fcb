//! Forms of kernels: which operators follow from a function, which kernels
//! stand behind them, and what clashes with them.

use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};

use opwright_codegen::kernels::{Kernel, Rule};
use opwright_codegen::library::{self, Library, LibrarySource};
use opwright_diagnostics::diag::Diagnostic;
use opwright_diagnostics::{Sources, render};
use opwright_schema::dtypes::{Category, ROWS};
use opwright_schema::model::DispatchKey;

const YAML: &str = "ops.yaml";

fn read(yaml: &str, source: &str) -> (Sources, Result<Library, Vec<Diagnostic>>) {
    let reading = LibrarySource {
        yaml: vec![PathBuf::from(YAML)],
        crate_root: PathBuf::from("src/lib.rs"),
        ..LibrarySource::default()
    };
    let mut sources = Sources::new();
    let library = library::read(&mut sources, &reading, &|path: &Path| match path.to_str() {
        Some(YAML) => Ok(yaml.to_owned()),
        Some("src/lib.rs") => Ok(source.to_owned()),
        _ => Err(Error::from(ErrorKind::NotFound)),
    });
    (sources, library)
}

#[track_caller]
fn fits(source: &str) -> Library {
    let (sources, library) = read("[]", source);
    library.unwrap_or_else(|findings| panic!("{}", render(&sources, &findings)))
}

fn schemas(library: &Library) -> Vec<String> {
    library.ops.overloads.iter().map(|it| it.schema.to_string()).collect()
}

/// Each finding has one of these texts, in its message, its labels or its helps.
#[track_caller]
fn reports(yaml: &str, source: &str, expected: &[&str]) {
    let (sources, library) = read(yaml, source);
    let findings = library.err().unwrap_or_default();
    let texts: Vec<String> =
        findings.iter().map(|it| render(&sources, std::slice::from_ref(it))).collect();
    assert_eq!(texts.len(), expected.len(), "{}", texts.join("\n"));
    for (text, expected) in texts.iter().zip(expected) {
        assert!(text.contains(expected), "{text}");
    }
}

#[test]
fn an_element_wise_function_is_three_operators() {
    let library = fits(
        "#[native_op(\"shrink(Tensor self, float by=0.5) -> Tensor\", elementwise, dtypes = real)]\n\
         fn shrink<T: Real>(x: T, by: f64) -> T { x }",
    );
    assert_eq!(
        schemas(&library),
        [
            "shrink(Tensor self, float by=0.5) -> Tensor",
            "shrink.out(Tensor self, float by=0.5, *, Tensor(a!) out) -> Tensor(a!)",
            "shrink_(Tensor(a!) self, float by=0.5) -> Tensor(a!)",
        ]
    );
    let [functional, out, inplace] = &library.kernels[..] else { panic!("three operators") };
    assert!(out.cpu().is_some());
    assert!(matches!(out.rule, Some(Rule::Function(_))));
    for kernels in [functional, inplace] {
        assert_eq!(kernels.by_key[&DispatchKey::Cpu], Kernel::Derived { from: 1 });
    }
    for kernels in [functional, inplace, out] {
        assert_eq!(kernels.by_key[&DispatchKey::Meta], Kernel::Derived { from: 1 });
    }
    let names: Vec<_> = out.dtypes.iter().map(|it| it.word).collect();
    let reals = ROWS.iter().filter(|it| !matches!(it.category, Category::Bool | Category::Complex));
    assert_eq!(names, reals.map(|it| it.word).collect::<Vec<_>>());
}

#[test]
fn out_parameters_are_named_like_results() {
    let library = fits(
        "#[native_op(\"f(Tensor x) -> (Tensor low, Tensor high)\", elementwise, dtypes = real)]\n\
         fn f<T: Real>(x: T) -> (T, T) { (x, x) }\n\
         #[native_op(signature, elementwise, dtypes = real)]\n\
         fn g<T: Real>(x: T) -> (T, bool) { (x, true) }",
    );
    let outs: Vec<String> =
        schemas(&library).into_iter().filter(|it| it.contains(".out")).collect();
    assert_eq!(
        outs,
        [
            "f.out(Tensor x, *, Tensor(a!) low, Tensor(b!) high) -> (Tensor(a!) low, Tensor(b!) high)",
            "g.out(Tensor x, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))",
        ]
    );
}

#[test]
fn what_arrays_return_is_copied_to_an_out_argument() {
    let library = fits(
        "#[native_op(signature, dtypes = floating)]\n\
         fn norms<T: Float>(self_: ArrayView2<'_, T>) -> Array1<T> { todo!() }",
    );
    assert_eq!(
        schemas(&library),
        ["norms(Tensor self) -> Tensor", "norms.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)"]
    );
    let explicit = &library.kernels[1].by_key[&DispatchKey::CompositeExplicit];
    assert_eq!(*explicit, Kernel::Derived { from: 0 });
}

#[test]
fn nothing_follows_from_a_function_on_whole_tensors() {
    let library = fits(
        "#[native_op(signature = (x, *, k = 2))]\n\
         fn f(x: &Tensor, k: i64) -> Result<Tensor> { todo!() }",
    );
    assert_eq!(schemas(&library), ["f(Tensor x, *, int k=2) -> Tensor"]);
}

const SQUARE: &str = "\
#[native_op(signature, elementwise, dtypes = real)]
fn square<T: Real>(x: T) -> T { x }
";

#[test]
fn further_kernels_serve_other_dtypes() {
    let further = "#[native_op(square.out, elementwise, dtypes = complex)]\n\
                   fn square_of_complex<T: ComplexNumber>(x: T) -> T { x }";
    let library = fits(&format!("{SQUARE}{further}"));
    assert_eq!(library.kernels[1].further.len(), 1);
    assert_eq!(library.kernels[1].dtypes.len(), ROWS.len() - 1);
}

#[test]
fn a_dtype_has_one_kernel() {
    let further = "#[native_op(square.out, elementwise, dtypes = [f32, c64])]\n\
                   fn second<T: Number>(x: T) -> T { x }";
    reports(
        "[]",
        &format!("{SQUARE}{further}"),
        &["`second` is a second kernel of `square.out` for tensors of float32"],
    );
}

#[test]
fn a_key_has_one_kernel() {
    let meta = "#[native_op(twice, key = Meta)] fn one(x: &Tensor) -> Result<Tensor> { todo!() }\n\
                #[native_op(twice, key = Meta)] fn two(x: &Tensor) -> Result<Tensor> { todo!() }\n";
    let twice = "#[native_op] fn twice(x: &Tensor) -> Result<Tensor> { todo!() }";
    reports(
        "[]",
        &format!("{meta}{twice}"),
        &["`two` is a second kernel of `twice` for the same key"],
    );
}

#[test]
fn an_operator_is_described_once() {
    reports(
        "- func: square(Tensor x) -> Tensor\n  dispatch: {CPU: other}\n",
        &format!(
            "{SQUARE}#[native_op(square)] fn other(x: &Tensor) -> Result<Tensor> {{ todo!() }}"
        ),
        &["`square` is declared twice"],
    );
}

#[test]
fn a_variant_that_follows_is_not_written() {
    let out = "#[native_op(\"square.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)\")]\n\
               fn square_out(x: &Tensor, out: &mut Tensor) -> Result<()> { todo!() }";
    reports("[]", &format!("{SQUARE}{out}"), &["`square.out` is declared twice"]);
}

#[test]
fn a_function_of_core_dimensions_is_three_operators() {
    let library = fits(
        "#[native_op(\"f(Tensor self, Tensor w, int k=1) -> Tensor\", core = \"(n),()->(n)\", \
         dtypes = floating)]\n\
         fn f<T: Float>(x: ArrayView1<'_, T>, w: T, k: i64, out: ArrayViewMut1<'_, T>) {}",
    );
    assert_eq!(
        schemas(&library),
        [
            "f(Tensor self, Tensor w, int k=1) -> Tensor",
            "f.out(Tensor self, Tensor w, int k=1, *, Tensor(a!) out) -> Tensor(a!)",
            "f_(Tensor(a!) self, Tensor w, int k=1) -> Tensor(a!)",
        ]
    );
    let [functional, out, inplace] = &library.kernels[..] else { panic!("three operators") };
    assert!(out.cpu().is_some() && out.loops.is_empty());
    assert!(matches!(out.rule, Some(Rule::Function(_))));
    for kernels in [functional, inplace] {
        assert_eq!(kernels.by_key[&DispatchKey::Cpu], Kernel::Derived { from: 1 });
        assert_eq!(kernels.by_key[&DispatchKey::Meta], Kernel::Derived { from: 1 });
    }
}

/// The function with this signature, in a `core` kernel of `f(Tensor x, Tensor y) -> Tensor`.
fn core(dims: &str, signature: &str) -> String {
    format!(
        "#[native_op(\"f(Tensor x, Tensor y) -> Tensor\", core = \"{dims}\", dtypes = floating)]\n\
         fn f<T: Float>{signature} {{ todo!() }}"
    )
}

#[test]
fn mistakes_in_core_dimensions_are_told_at_their_place() {
    let views = "(x: ArrayView1<'_, T>, y: ArrayView1<'_, T>) -> Array1<T>";
    for (dims, place, message) in [
        ("(n),(n->(n)", "1:62", "expected `,` or `)`"),
        ("(n),(n)->(m)", "1:66", "only results have a dimension `m`"),
        ("(n),(n?)->(n)", "1:61", "`n?` would be optional"),
        ("(n)->(n)", "1:55", "the schema has 2 tensors, `core` has dimensions of 1"),
        ("(n),(n)->(n),(n)", "1:55", "the schema has 1 result, `core` has dimensions of 2"),
    ] {
        let (sources, library) = read("[]", &core(dims, views));
        let text = render(&sources, &library.err().unwrap_or_default());
        assert!(
            text.contains(message) && text.contains(&format!("src/lib.rs:{place}\n")),
            "{text}"
        );
    }
}

#[test]
fn core_dimensions_are_those_of_the_function() {
    for (signature, messages) in [
        (
            "(x: ArrayView2<'_, T>, y: T) -> Array1<T>",
            &["`x` has one core dimension, `(n)`: write an `ArrayView1`", "`y` has one"][..],
        ),
        ("(x: ArrayView1<'_, T>, y: ArrayView1<'_, T>) -> T", &["the result has one core"]),
        (
            "(x: ArrayView1<'_, T>, y: ArrayView1<'_, T>) -> (Array1<T>, T)",
            &["the schema has one result"],
        ),
        ("(x: ArrayView1<'_, T>, y: ArrayView1<'_, T>)", &["returns its results, or takes an"]),
        (
            "(x: ArrayView1<'_, T>, y: ArrayView1<'_, T>, z: ArrayViewMut2<'_, T>)",
            &["`z` has one core dimension, `(n)`: write an `ArrayViewMut1`"],
        ),
        (
            "(x: ArrayView1<'_, T>, y: ArrayView1<'_, T>, z: ArrayViewMut1<'_, T>) -> T",
            &["a kernel that fills its results returns nothing"],
        ),
        ("(x: ArrayView1<'_, T>) -> Array1<T>", &["2 parameters, this function 1"]),
        (
            "(y: ArrayView1<'_, T>, x: ArrayView1<'_, T>) -> Array1<T>",
            &["`y` stands where `f` has `x`"],
        ),
    ] {
        reports("[]", &core("(n),(n)->(n)", signature), messages);
    }
}
