//! Entries and annotated functions together: which kernel stands behind which
//! overload, and what is reported if none or too many do.

use std::collections::BTreeMap;
use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};

use opwright_codegen::fn_path::FnPath;
use opwright_codegen::kernels::{Kernel, Rule};
use opwright_codegen::library::{self, Library, LibrarySource};
use opwright_diagnostics::Sources;
use opwright_diagnostics::diag::Diagnostic;
use opwright_schema::model::DispatchKey;

/// Reads a crate that is written down here: paths and texts.
fn read(files: &[(&str, &str)]) -> (Sources, Result<Library, Vec<Diagnostic>>) {
    let texts: BTreeMap<PathBuf, &str> =
        files.iter().map(|(path, text)| (PathBuf::from(path), *text)).collect();
    let yaml = texts.keys().filter(|it| it.extension().is_some_and(|it| it == "yaml"));
    let reading = LibrarySource {
        yaml: yaml.cloned().collect(),
        crate_root: PathBuf::from("src/lib.rs"),
        ..LibrarySource::default()
    };
    let mut sources = Sources::new();
    let library = library::read(&mut sources, &reading, &|path: &Path| {
        texts.get(path).map(ToString::to_string).ok_or_else(|| Error::from(ErrorKind::NotFound))
    });
    (sources, library)
}

#[track_caller]
fn fits(files: &[(&str, &str)]) -> Library {
    let (sources, library) = read(files);
    library
        .unwrap_or_else(|findings| panic!("{}", opwright_diagnostics::render(&sources, &findings)))
}

/// `E0604 ops.yaml:2:7 message` for each finding, in order of place.
#[track_caller]
fn reports(files: &[(&str, &str)], expected: &[&str]) {
    let (sources, library) = read(files);
    let findings = library.err().unwrap_or_default();
    let lines: Vec<String> = findings.iter().map(|it| line(&sources, it)).collect();
    assert_eq!(lines, expected);
}

fn line(sources: &Sources, finding: &Diagnostic) -> String {
    let place = finding.span.as_ref().map_or("?".to_owned(), |span| {
        let position = sources.position(span);
        format!("{}:{}:{}", sources.file(span.source).name(), position.line, position.column)
    });
    format!("{} {place} {}", finding.code, finding.message)
}

fn path(words: &[&str]) -> FnPath {
    FnPath(words.iter().map(ToString::to_string).collect())
}

const TWICE: &str = "- func: twice(Tensor self) -> Tensor\n";

#[test]
fn modules_are_followed_as_rustc_follows_them() {
    let library = fits(&[
        (
            "ops.yaml",
            "- func: twice(Tensor self) -> Tensor\n  dispatch: {CPU: ns::twice_cpu, Meta: twice_meta}\n",
        ),
        ("src/lib.rs", "mod kernels; #[cfg(test)] mod tests { #[native_op(unknown)] fn f() {} }"),
        (
            "src/kernels/mod.rs",
            "pub(crate) mod inner { pub(crate) mod deep; } #[path = \"odd.rs\"] pub(crate) mod other;",
        ),
        ("src/kernels/inner/deep.rs", "#[native_op(twice)] fn twice_cpu() {}"),
        ("src/kernels/odd.rs", "#[opwright::native_op(twice)] fn twice_meta() {}"),
        ("src/unused.rs", "#[native_op(unknown)] fn f() {}"),
    ]);
    let kernels = &library.kernels[0];
    let cpu = path(&["kernels", "inner", "deep", "twice_cpu"]);
    let meta = path(&["kernels", "other", "twice_meta"]);
    let expected = [(DispatchKey::Cpu, cpu), (DispatchKey::Meta, meta)];
    assert_eq!(kernels.by_key, expected.map(|(key, it)| (key, Kernel::Function(it))).into());
}

#[test]
fn without_dispatch_the_one_kernel_is_composite() {
    let library =
        fits(&[("ops.yaml", TWICE), ("src/lib.rs", "#[native_op(twice)] fn any_name() {}")]);
    let implicit = &library.kernels[0].by_key[&DispatchKey::CompositeImplicit];
    assert_eq!(*implicit, Kernel::Function(path(&["any_name"])));
}

#[test]
fn an_annotation_may_describe_its_operator() {
    let library = fits(&[(
        "src/lib.rs",
        "/// Doubles.\n#[native_op(\"twice(Tensor self) -> Tensor\", method, since = \"0.2\")] fn twice() {}\n\
         #[native_op(twice, key = Meta)] fn twice_meta() {}",
    )]);
    let overload = &library.ops.overloads[0];
    assert_eq!((overload.doc.as_str(), overload.method), ("Doubles.", true));
    assert_eq!(overload.since.as_deref(), Some("0.2"));
    let kernels = &library.kernels[0];
    assert_eq!(kernels.cpu(), Some(&path(&["twice"])));
    let meta = &kernels.by_key[&DispatchKey::Meta];
    assert_eq!(*meta, Kernel::Function(path(&["twice_meta"])));
}

const GROUP: &str = "\
- func: twice(Tensor self) -> Tensor
  structured_delegate: twice.out
- func: twice.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  dispatch: {CPU: twice_out}
";

#[test]
fn a_structured_group_has_one_kernel_and_one_rule() {
    let library = fits(&[
        ("ops.yaml", GROUP),
        (
            "src/lib.rs",
            "#[native_op(twice.out)] fn twice_out() {} #[native_op(twice.out, rule)] fn r() {}",
        ),
    ]);
    let (functional, out) = (&library.kernels[0], &library.kernels[1]);
    assert_eq!(functional.by_key[&DispatchKey::Cpu], Kernel::Derived { from: 1 });
    assert_eq!(functional.by_key[&DispatchKey::Meta], Kernel::Derived { from: 1 });
    assert_eq!(out.cpu(), Some(&path(&["twice_out"])));
    assert_eq!(out.rule, Some(Rule::Function(path(&["r"]))));
}

#[test]
fn what_is_missing_is_reported_with_its_entry() {
    reports(
        &[
            (
                "ops.yaml",
                "- func: once(Tensor self) -> Tensor\n- func: twice(Tensor self) -> Tensor\n  dispatch: {CPU: twice_cpu}\n",
            ),
            ("src/lib.rs", ""),
        ],
        &[
            "E0604 ops.yaml:1:9 `once` has no kernel",
            "E0604 ops.yaml:3:19 `twice` has no function `twice_cpu`",
        ],
    );
    reports(
        &[("ops.yaml", GROUP), ("src/lib.rs", "")],
        &[
            "E0607 ops.yaml:4:3 the structured operator `twice.out` has no rule",
            "E0604 ops.yaml:5:19 `twice.out` has no function `twice_out`",
        ],
    );
}

#[test]
fn what_is_superfluous_is_reported_with_its_function() {
    reports(
        &[
            ("ops.yaml", TWICE),
            (
                "src/lib.rs",
                "#[native_op(twice)] fn a() {}\n#[native_op(twice)] fn b() {}\n\
                 #[native_op(twice, rule)] fn c() {}\n#[native_op(twise)] fn d() {}\n",
            ),
        ],
        &[
            "E0606 src/lib.rs:2:24 `b` is a second kernel of `twice` for the same key",
            "E0605 src/lib.rs:3:30 `twice` has no use for a rule",
            "E0603 src/lib.rs:4:13 there is no operator `twise`",
        ],
    );
    reports(
        &[
            ("ops.yaml", "- func: twice(Tensor self) -> Tensor\n  dispatch: {CPU: a}\n"),
            ("src/lib.rs", "#[native_op(twice)] fn a() {}\n#[native_op(twice)] fn b() {}\n"),
        ],
        &["E0605 src/lib.rs:2:24 the entry of `twice` names no kernel `b`"],
    );
}

#[test]
fn everything_is_reported_at_once() {
    reports(
        &[
            (
                "ops.yaml",
                "- func: broken(Tensr self) -> Tensor\n- func: once(Tensor self) -> Tensor\n",
            ),
            (
                "src/lib.rs",
                "#[native_op(broken)] fn broken() {}\n\
                 #[native_op(\"f(Tensor x) -> Tensr\")] fn f() {}\n\
                 #[native_op(once, kye = Meta)] fn once() {}\nmod bad;\n",
            ),
            ("src/bad.rs", "fn f( {}\n"),
        ],
        &[
            "E0104 ops.yaml:1:16 unknown type `Tensr`",
            "E0104 src/lib.rs:2:29 unknown type `Tensr`",
            "E0641 src/lib.rs:3:19 unknown option `kye`; did you mean `key`?",
            "E0640 src/bad.rs:1:5 this file does not parse: cannot parse string into token stream",
        ],
    );
}

#[test]
fn operators_hide_nothing_else() {
    reports(
        &[
            (
                "ops.yaml",
                "- func: shape(Tensor self) -> int[]\n  variants: method\n\
                 - func: tensor(Tensor x) -> Tensor\n\
                 - func: fine(Tensor x) -> Tensor\n  python: {aliases: [optim]}\n\
                 - func: numpy(Tensor self) -> Tensor\n\
                 - func: float32(Tensor x) -> Tensor\n  python: {name: float32_of}\n\
                 - func: norm_of(Tensor self) -> Tensor\n  variants: method\n  python: {operators: [__init__]}\n",
            ),
            (
                "src/lib.rs",
                "#[native_op(shape)] fn shape(self_: &Tensor) -> Result<Vec<i64>> {}\n\
                 #[native_op(tensor)] fn tensor(x: &Tensor) -> Result<Tensor> {}\n\
                 #[native_op(fine)] fn fine(x: &Tensor) -> Result<Tensor> {}\n\
                 #[native_op(numpy)] fn numpy(self_: &Tensor) -> Result<Tensor> {}\n\
                 #[native_op(float32)] fn float32(x: &Tensor) -> Result<Tensor> {}\n\
                 #[native_op(norm_of)] fn norm_of(self_: &Tensor) -> Result<Tensor> {}\n\
                 #[native_op(\"explain(Tensor x) -> Tensor\")]\n\
                 fn explain(x: &Tensor) -> Result<Tensor> {}\n",
            ),
        ],
        &[
            "E0623 ops.yaml:1:9 no operator may be called `shape`",
            "E0623 ops.yaml:3:9 no operator may be called `tensor`",
            "E0623 ops.yaml:4:9 no operator may be called `optim`",
            "E0623 ops.yaml:9:9 no operator may be called `__init__`",
            "E0623 src/lib.rs:7:14 no operator may be called `explain`",
        ],
    );
}

#[test]
fn a_kernel_must_be_where_the_tables_reach_it() {
    reports(
        &[
            ("ops.yaml", TWICE),
            ("src/lib.rs", "mod kernels;"),
            ("src/kernels.rs", "mod hidden { #[native_op(twice)] fn twice() {} }"),
        ],
        &[
            "E0602 src/kernels.rs:1:37 the operator tables cannot reach a kernel in the private module `hidden`",
        ],
    );
}

#[test]
fn a_rule_of_the_runtime_is_one_that_fits() {
    let entry = |params: &str, rule: &str| {
        format!(
            "- func: twice({params}) -> Tensor\n  structured_delegate: twice.out\n\
             - func: twice.out({params}, *, Tensor(a!) out) -> Tensor(a!)\n  structured: {rule}\n  \
             dispatch: {{CPU: twice_out}}\n"
        )
    };
    let function = ("src/lib.rs", "#[native_op(twice.out)] fn twice_out() {}");
    fits(&[("ops.yaml", &entry("Tensor self", "elementwise")), function]);
    reports(
        &[("ops.yaml", &entry("Tensor self", "elementwis")), function],
        &["E0608 ops.yaml:4:15 there is no rule `elementwis`"],
    );
    reports(
        &[("ops.yaml", &entry("Tensor self, Tensor? mask", "elementwise")), function],
        &["E0608 ops.yaml:3:32 a rule of the runtime takes plain tensors"],
    );
}

#[test]
fn a_check_belongs_to_a_rule_of_the_runtime() {
    let both = "#[native_op(twice.out)] fn twice_out() {} #[native_op(twice.out, check)] fn c() {}";
    let named = GROUP.replace("structured: True", "structured: elementwise");
    let library = fits(&[("ops.yaml", &named), ("src/lib.rs", both)]);
    assert_eq!(library.kernels[1].check, Some(path(&["c"])));
    let further = format!("{both}\n#[native_op(twice.out, check)] fn d() {{}}");
    reports(
        &[("ops.yaml", &named), ("src/lib.rs", &further)],
        &["E0605 src/lib.rs:2:35 `twice.out` has no use for a check"],
    );
    let ruled = format!("{both}\n#[native_op(twice.out, rule)] fn r() {{}}");
    reports(
        &[("ops.yaml", GROUP), ("src/lib.rs", &ruled)],
        &["E0605 src/lib.rs:1:77 `twice.out` has no use for a check"],
    );
}

#[test]
fn a_kernel_needs_values_of_each_type() {
    reports(
        &[
            ("ops.yaml", "- func: twice(Tensor self, QScheme scheme) -> Tensor\n"),
            ("src/lib.rs", "#[native_op(twice)] fn twice() {}"),
        ],
        &["E0609 ops.yaml:1:28 there are no values of type `QScheme` here"],
    );
}

#[test]
fn an_unreachable_signature_is_reported_with_what_hides_it() {
    let yaml = "\
- func: twice(Tensor self, int n=2) -> Tensor
- func: twice.again(Tensor self, int n=3) -> Tensor
";
    let source = "#[native_op(twice)] fn a() {} #[native_op(twice.again)] fn b() {}";
    reports(
        &[("ops.yaml", yaml), ("src/lib.rs", source)],
        &["E0620 ops.yaml:2:9 in Python, `twice.again` can never be reached"],
    );
}

#[test]
fn an_out_variant_needs_its_base() {
    let yaml = "\
- func: twice(Tensor self, int n=2) -> Tensor
- func: twice.out(Tensor self, int n=2, *, Tensor(a!) out) -> Tensor(a!)
- func: twice.other_out(Tensor self, int n=2, *, Tensor(a!) out) -> Tensor(a!)
";
    let source = "#[native_op(twice)] fn a() {} #[native_op(twice.out)] fn b() {} \
                  #[native_op(twice.other_out)] fn c() {}";
    let (_, library) = read(&[("ops.yaml", yaml), ("src/lib.rs", source)]);
    let codes: Vec<&str> = library.err().unwrap_or_default().iter().map(|it| it.code).collect();
    assert!(codes.contains(&"E0622"), "{codes:?}");
}

#[test]
fn an_out_variant_alone_is_one_mistake() {
    let kernel = "#[native_op(\"twice(Tensor x, *, Tensor(a!) out) -> Tensor(a!)\")] fn twice() {}";
    reports(
        &[("src/lib.rs", kernel)],
        &["E0404 src/lib.rs:1:14 out variant `twice` belongs to no other operator"],
    );
}
