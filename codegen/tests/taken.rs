//! A crate that takes in operators of `opwright-ops`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use opwright_codegen::artifact;
use opwright_codegen::library::{self, Library, LibrarySource};
use opwright_codegen::reading::Theirs;
use opwright_codegen::signature::Home;
use opwright_diagnostics::diag::{Diagnostic, Diagnostics};
use opwright_diagnostics::{Sources, render};
use opwright_schema::Input;
use opwright_schema::model::{OpSet, PythonModule};

const OWN: &str = "
/// Doubles.
#[native_op(\"twice(Tensor self) -> Tensor\", method)]
fn twice(self_: &Tensor) -> Result<Tensor> {}
";

/// The operators of `opwright-ops`, read from its sources.
static THEIRS: LazyLock<(Sources, Input, OpSet)> = LazyLock::new(|| {
    let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ops");
    let reading = LibrarySource {
        yaml: vec![home.join("../native_functions.yaml")],
        rewrites: Some(home.join("../rewrites.yaml")),
        crate_root: home.join("src/lib.rs"),
        ..LibrarySource::default()
    };
    let mut sources = Sources::new();
    match library::read(&mut sources, &reading, &|it: &Path| fs::read_to_string(it)) {
        Ok(library) => (sources, library.input, library.ops),
        Err(findings) => panic!("{}", render(&sources, &findings)),
    }
});

/// What the build of `opwright-ops` writes.
fn written() -> String {
    artifact::print(&THEIRS.0, &THEIRS.1, &[])
}

/// Reads a crate whose root file says `declaration` and has one operator. `set` is the file that
/// describes the operators of `opwright-ops`.
fn read_with(
    declaration: &str,
    theirs: Theirs,
    set: &str,
) -> (Sources, Result<Library, Vec<Diagnostic>>) {
    let crate_root = PathBuf::from("src/lib.rs");
    let reading = LibrarySource { crate_root, theirs, ..LibrarySource::default() };
    let mut sources = Sources::new();
    let read = |path: &Path| match path.to_str() {
        Some("src/lib.rs") => Ok(format!("{declaration}{OWN}")),
        Some("operators.json") => Ok(set.to_owned()),
        _ => Err(io::ErrorKind::NotFound.into()),
    };
    let library = library::read(&mut sources, &reading, &read);
    (sources, library)
}

fn file() -> Theirs {
    Theirs::File(PathBuf::from("operators.json"))
}

fn read(declaration: &str) -> Library {
    let (sources, library) = read_with(declaration, file(), &written());
    library.unwrap_or_else(|findings| panic!("{}", render(&sources, &findings)))
}

fn names(library: &Library, home: &Home) -> Vec<String> {
    let functions = library.functions.iter().filter(|it| it.home == *home);
    functions.map(|it| it.name.clone()).collect()
}

#[test]
fn python_sees_them_beside_its_own() {
    let library = read("opwright::module!(m, operators = [add, where, linalg_norm]);");
    assert_eq!(library.ops.overloads.len(), 1);
    assert_eq!(names(&library, &Home::Module(PythonModule::Root)), ["add", "twice", "where"]);
    assert_eq!(names(&library, &Home::Method), ["add", "add_", "twice", "where"]);
    let linalg = Home::Module(PythonModule::Sub("linalg".to_owned()));
    assert_eq!(names(&library, &linalg), ["linalg_norm"]);
    let modules: Vec<String> = library.taken_modules().into_iter().collect();
    assert_eq!(modules, ["add", "add_", "linalg_norm", "r#where"]);
    // Old signatures belong to the overloads that they were read with.
    let bound = library.bound();
    let targets = bound.deprecated.iter().map(|it| &bound.overloads[it.target].schema.name.base);
    assert!(targets.into_iter().all(|it| ["add", "add_"].contains(&it.to_string().as_str())));
}

#[test]
fn rewrites_come_with_the_operators_that_they_need() {
    let names = |declaration: &str| -> Vec<String> {
        let library = read(declaration);
        library.bound().rewrites.iter().map(|it| it.name.value.clone()).collect()
    };
    let of_add = names("opwright::module!(m, operators = [add]);");
    assert!(of_add.contains(&"add_zero".to_owned()), "{of_add:?}");
    // It puts a product in the place of a sum.
    assert!(!of_add.contains(&"twice".to_owned()), "{of_add:?}");
    let of_both = names("opwright::module!(m, operators = [add, mul]);");
    assert!(of_both.contains(&"twice".to_owned()), "{of_both:?}");
    assert!(names("opwright::module!(m, operators = [sin]);").is_empty());
}

#[test]
fn none_are_read_unless_they_are_asked_for() {
    let library = read("opwright::module!(m, arrays = false);");
    assert!(library.with_taken.is_none());
    assert!(library.taken_modules().is_empty());
    assert_eq!(library.bound().overloads.len(), 1);
}

/// All that is known of each overload, places aside.
fn described(ops: &OpSet) -> Vec<String> {
    let line = |text: &str| text.lines().filter(|it| !is_place(it)).collect::<Vec<_>>().join("\n");
    ops.overloads.iter().map(|it| line(&format!("{it:#?}"))).collect()
}

/// Whether a line of a printed overload is about a span.
fn is_place(line: &str) -> bool {
    let word = line.trim_start();
    ["source: SourceId(", "range: "].iter().any(|it| word.starts_with(it))
        || word.starts_with(|it: char| it.is_ascii_digit()) && !word.contains('"')
}

#[test]
fn the_file_says_what_the_sources_say() {
    let (mut cx, mut sources) = (Diagnostics::new(), Sources::new());
    let read = artifact::operators(&mut cx, &mut sources, &written());
    let read = read.expect("it was written just now");
    assert_eq!(cx.finish(), Ok(Vec::new()));
    let (theirs, ours) = (&THEIRS.2, described(&read));
    assert!(ours.len() > 1000, "{}", ours.len());
    assert_eq!(ours.len(), theirs.overloads.len());
    for (ours, theirs) in ours.iter().zip(described(theirs)) {
        assert_eq!(*ours, theirs);
    }
    let targets = |ops: &OpSet| ops.deprecated.iter().map(|it| it.target).collect::<Vec<_>>();
    assert_eq!(targets(&read), targets(theirs));
    assert_eq!(read.groups, theirs.groups);
}

const TAKING: &str = "opwright::module!(m, operators = [add]);";

#[test]
fn a_crate_that_does_not_depend_on_them_is_told() {
    let (_, library) = read_with(TAKING, Theirs::Absent, "");
    let findings = library.expect_err("a mistake");
    assert_eq!(findings[0].code, "E0613");
    assert_eq!(findings[0].helps, ["in `Cargo.toml`, give `opwright` the feature `ops`"]);
}

#[test]
fn what_no_build_has_described_is_not_compared() {
    let (_, library) = read_with(TAKING, Theirs::Unbuilt, "");
    let library = library.expect("no mistake");
    assert!(library.with_taken.is_none());
    assert_eq!(library.warnings[0].code, "E0613");
}

#[test]
fn a_file_of_another_version_is_told_with_the_way_out() {
    let newer = written().replace("\"format\": 4", "\"format\": 5");
    let (sources, library) = read_with(TAKING, file(), &newer);
    let report = render(&sources, &library.expect_err("a mistake"));
    for part in ["E0613", "its format is 5", "operators.json", "have one version"] {
        assert!(report.contains(part), "{report}");
    }
}
