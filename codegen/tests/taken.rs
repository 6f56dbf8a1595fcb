//! A crate that takes in operators of `opwright-ops`.

use std::fs;
use std::path::{Path, PathBuf};

use opwright_codegen::library::{self, Library, Reading};
use opwright_codegen::signature::Home;
use opwright_schema::Sources;
use opwright_schema::model::PythonModule;

const OWN: &str = "
/// Doubles.
#[native_op(\"twice(Tensor self) -> Tensor\", method)]
fn twice(self_: &Tensor) -> Result<Tensor> {}
";

/// Reads a crate whose root file says `declaration` and has one operator.
fn read(declaration: &str) -> Library {
    let reading =
        Reading { yaml: Vec::new(), crate_root: PathBuf::from("src/lib.rs"), ..Reading::default() };
    let mut sources = Sources::new();
    let read = |path: &Path| match path == Path::new("src/lib.rs") {
        true => Ok(format!("{declaration}{OWN}")),
        false => fs::read_to_string(path),
    };
    library::read(&mut sources, &reading, &read)
        .unwrap_or_else(|findings| panic!("{}", opwright_schema::render(&sources, &findings)))
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
fn none_are_read_unless_they_are_asked_for() {
    let library = read("opwright::module!(m, arrays = false);");
    assert!(library.with_taken.is_none());
    assert!(library.taken_modules().is_empty());
    assert_eq!(library.bound().overloads.len(), 1);
}
