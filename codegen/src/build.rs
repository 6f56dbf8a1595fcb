//! The entry for build scripts: reads a crate's operators and writes
//! `$OUT_DIR/generated.rs`.
//!
//! ```no_run
//! // build.rs
//! opwright_codegen::build::library("native_functions.yaml");
//! ```

use std::path::{Path, PathBuf};
use std::{env, fs, process};

use opwright_schema::render::render;
use opwright_schema::source::Sources;
use proc_macro2::TokenStream;
use quote::quote;

use crate::cfg::Config;
use crate::file;
use crate::library::{self, Library};
use crate::module::Module;
use crate::print;
use crate::print::rust::rows;
use crate::reading::{Reading, plain};
use crate::types::ident;

/// Prints the operators of a library crate, which includes them as its module
/// `ops`: those of the YAML file, whose path is relative to the crate, and
/// those that the crate's functions are annotated with.
///
/// If anything is wrong, it is shown on stderr, the script ends with an error,
/// and what an earlier run wrote stays.
pub fn library(yaml: &str) {
    Build::new().yaml(yaml).library();
}

/// Prints the Python side of the library crate in the directory `functions`,
/// for a crate that binds it. Otherwise as [`library()`].
pub fn python(yaml: &str, functions: &str) {
    Build::new().yaml(yaml).functions_of(functions).python();
}

/// Prints both sides for a crate that holds kernels and is a Python module,
/// and that knows opwright by its facade; also the module's stubs, to the
/// directory of its name in `OUT_DIR`. Otherwise as [`library()`].
pub fn module(yaml: &str) {
    Build::new().yaml(yaml).through_facade().module();
}

/// What a build script reads, and how its crate sees the runtime.
#[derive(Clone, Debug)]
pub struct Build {
    /// The crate with the annotated functions.
    root: PathBuf,
    yaml: Vec<PathBuf>,
    runtime: TokenStream,
    bindings: TokenStream,
    /// The path of `opwright-ops`.
    operators: TokenStream,
    /// The root of the crate says `opwright::module!(...)`.
    through_facade: bool,
}

impl Default for Build {
    fn default() -> Self {
        Build::new()
    }
}

impl Build {
    /// The crate whose build script runs, without a YAML file.
    pub fn new() -> Self {
        let root = PathBuf::from(variable("CARGO_MANIFEST_DIR"));
        Build {
            root,
            yaml: Vec::new(),
            runtime: quote!(::opwright_runtime),
            bindings: quote!(::opwright_python_bindings),
            operators: quote!(::opwright_ops),
            through_facade: false,
        }
    }

    /// Reads this file of entries; its path is relative to the crate.
    #[must_use]
    pub fn yaml(mut self, path: impl AsRef<Path>) -> Self {
        self.yaml.push(plain(&self.root.join(path)));
        self
    }

    /// Takes the annotated functions of the crate in this directory, which is
    /// relative to the crate whose build script runs.
    #[must_use]
    pub fn functions_of(mut self, directory: impl AsRef<Path>) -> Self {
        self.root = plain(&self.root.join(directory));
        self
    }

    /// The crate reaches the runtime and the Python side through the facade,
    /// by what `opwright::module!` puts beside the operators: the author may
    /// know the facade by another name.
    #[must_use]
    pub fn through_facade(mut self) -> Self {
        self.runtime = quote!(crate::ops::__facade::runtime);
        self.bindings = quote!(crate::ops::__facade::python);
        self.operators = quote!(crate::ops::__facade::ops);
        self.through_facade = true;
        self
    }

    /// Writes `generated.rs`, which the crate includes as its module `ops`.
    pub fn library(&self) {
        self.write_ops(&self.read());
    }

    /// Writes `python.rs`, the tables and shims of the Python module.
    pub fn python(&self) {
        self.write_python(&self.read());
    }

    /// Writes both, and the stubs of the Python module.
    pub fn module(&self) {
        let library = self.read();
        self.write_ops(&library);
        self.write_python(&library);
        self.write_stubs(&library);
        // Without this, `opwright::module!` says that there is no build script.
        println!("cargo::rustc-check-cfg=cfg(opwright_generated)");
        println!("cargo::rustc-cfg=opwright_generated");
    }

    fn write_ops(&self, library: &Library) {
        let own =
            print::rust::ops::print(&library.ops, &library.kernels, &self.runtime, library.rows);
        let operators = &self.operators;
        let annotated = print::rust::annotated::print(&library.marks);
        let modules = library.taken_modules();
        let taken = modules.iter().map(|it| ident(it));
        write("generated.rs", &file::rust(quote!(#own #annotated #(pub use #operators::#taken;)*)));
    }

    fn write_python(&self, library: &Library) {
        let bound = library.bound();
        let rows = rows::tables(&library.ops, bound, library.rows);
        let tokens = print::python::print(bound, &library.functions, &self.bindings, &rows);
        write("python.rs", &file::rust(tokens));
    }

    /// Writes the stubs and `py.typed` to a directory with the name of the
    /// Python module, for the wheel to take in.
    fn write_stubs(&self, library: &Library) {
        let root = fs::read_to_string(self.root.join("src/lib.rs")).unwrap_or_default();
        let module = Module::declared(&root)
            .unwrap_or_else(|| Module::of_package(&variable("CARGO_PKG_NAME")));
        let (ops, functions) = (library.bound(), &library.functions);
        for stub in print::python::package::stubs(ops, functions, &module) {
            write(&format!("{}/{}", module.name, stub.path), &stub.text);
        }
        write(&format!("{}/py.typed", module.name), "");
    }

    /// Reads everything, or ends the build script with what is wrong.
    pub fn read(&self) -> Library {
        let base = workspace(&self.root);
        let shown = |path: &Path| path.strip_prefix(base).unwrap_or(path).to_path_buf();
        let reading = Reading {
            yaml: self.yaml.iter().map(|it| shown(it)).collect(),
            crate_root: shown(&self.root.join("src/lib.rs")),
            config: Config::from_variables(env::vars()),
            files: rust_files(&self.root.join("src")).iter().map(|it| shown(it)).collect(),
            is_module: self.through_facade,
        };
        for path in self.yaml.iter().chain([&self.root.join("src")]) {
            println!("cargo::rerun-if-changed={}", path.display());
        }
        let mut sources = Sources::new();
        let read = |path: &Path| fs::read_to_string(base.join(path));
        match library::read(&mut sources, &reading, &read) {
            Ok(library) => {
                eprint!("{}", render(&sources, &library.warnings));
                library
            }
            Err(findings) => fail(&render(&sources, &findings)),
        }
    }
}

/// All files of Rust in a directory and those below it, sorted.
pub fn rust_files(directory: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let path = entry.path();
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => files.extend(rust_files(&path)),
            _ if path.extension().is_some_and(|it| it == "rs") => files.push(path),
            _ => {}
        }
    }
    files.sort();
    files
}

/// The directory that shown paths are relative to: that of the lock file, so
/// that generated text is the same wherever the sources lie.
fn workspace(root: &Path) -> &Path {
    root.ancestors().find(|it| it.join("Cargo.lock").exists()).unwrap_or(root)
}

/// Writes a file of `OUT_DIR`, unless it has that text already: what did not
/// change is not compiled again.
fn write(name: &str, text: &str) {
    let path = Path::new(&variable("OUT_DIR")).join(name);
    if fs::read_to_string(&path).is_ok_and(|earlier| earlier == text) {
        return;
    }
    let directory = path.parent().unwrap_or(&path);
    if let Err(error) = fs::create_dir_all(directory).and_then(|()| fs::write(&path, text)) {
        fail(&format!("error: cannot write {}: {error}", path.display()));
    }
}

fn variable(name: &str) -> String {
    let missing = |_| fail(&format!("error: {name} is not set: this is for build scripts"));
    env::var(name).unwrap_or_else(missing)
}

fn fail(report: &str) -> ! {
    eprintln!("{report}");
    process::exit(1)
}
