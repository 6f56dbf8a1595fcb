//! The entry for build scripts: reads a crate's operators, writes
//! `$OUT_DIR/generated.rs`, and tells crates that depend on this one where its
//! operators are described.
//!
//! ```no_run
//! // build.rs
//! opwright_codegen::build::library("native_functions.yaml");
//! ```

mod go_package;
mod sources;

use std::path::{Path, PathBuf};
use std::{env, fs, process};

use opwright_diagnostics::diag::{Diagnostic, Diagnostics};
use opwright_diagnostics::source::shown_path;
use opwright_diagnostics::{Sources, render};
use opwright_schema::OpSet;
use proc_macro2::TokenStream;
use quote::quote;

use crate::artifact;
use crate::c_library::CLibrary;
use crate::cfg::Config;
use crate::codes;
use crate::file;
use crate::library::{self, Library};
use crate::module::Module;
use crate::print;
pub use crate::print::c::header::Header;
use crate::print::go::{MODULE_FILE, Package, module_of};
use crate::print::rust::rows::{self, Rows};
use crate::reading::{LibrarySource, Theirs, beside, of_package};
use crate::signature::{self, PythonFunction};
use crate::types::ident;

pub use self::sources::rust_files;
use self::sources::watched;

/// Prints the operators of a library crate, which includes them as its module
/// `ops`: those of the YAML file, whose path is relative to the crate, and
/// those that the crate's functions are annotated with.
///
/// If anything is wrong, it is shown on stderr, the script ends with an error,
/// and what an earlier run wrote stays.
pub fn library(yaml: &str) {
    Build::new().yaml(yaml).library();
}

/// Prints the Python side of the operators of a crate that this one depends on,
/// which says this `links` in its manifest. Otherwise as [`library()`].
pub fn python(links: &str) {
    let mut cx = Diagnostics::new();
    let mut sources = Sources::new();
    let ops = described(&mut cx, &mut sources, links);
    let functions = signature::functions(&mut cx, &ops);
    if let Err(findings) = cx.finish() {
        fail(&render(&sources, &findings));
    }
    write_python(&ops, &ops, &functions, &quote!(::opwright_python_bindings), Rows::Always);
}

/// Prints the stubs of the reference module, whose operators the crate that says this `links` has, to
/// the directory `opwright` of `OUT_DIR`, for the wheel to take in. `package` is where its sources in
/// Python are, of which some have more than native functions; its path is relative to the crate.
/// Otherwise as [`library()`].
pub fn reference_stubs(links: &str, package: &str) {
    let package = Path::new(&variable("CARGO_MANIFEST_DIR")).join(package);
    let text = print::python::reference::sources().map(|it| {
        let path = package.join(&it);
        rerun_if_changed(&path);
        let text = fs::read_to_string(&path).unwrap_or_else(|error| {
            fail(&format!("error: cannot read {}: {error}", path.display()))
        });
        (it, text)
    });
    let text = text.collect();
    let mut cx = Diagnostics::new();
    let mut sources = Sources::new();
    let ops = described(&mut cx, &mut sources, links);
    let functions = signature::functions(&mut cx, &ops);
    if let Err(findings) = cx.finish() {
        fail(&render(&sources, &findings));
    }
    for stub in print::python::reference::stubs(&ops, &functions, &text) {
        write(&format!("opwright/{}", stub.path), &stub.text);
    }
}

/// Prints what the package for Go over the reference library has beside what people wrote, to the
/// directory `go` of `OUT_DIR`. Otherwise as [`c()`].
pub fn reference_go(links: &str) {
    let mut cx = Diagnostics::new();
    let mut sources = Sources::new();
    let ops = described(&mut cx, &mut sources, links);
    print::go::check(&mut cx, Package::REFERENCE.name, &ops);
    if let Err(findings) = cx.finish() {
        fail(&render(&sources, &findings));
    }
    let mut go = print::go::print(&Package::REFERENCE, &ops);
    go.push(print::go::constants(&Package::REFERENCE));
    go.extend(print::go::library(&Package::REFERENCE, &ops));
    write_go(&out("go"), Package::REFERENCE.name, &go);
}

/// Prints a library for C with the operators of a crate that this one depends on, which says this
/// `links` in its manifest: `c.rs`, which the crate includes, `c_calls.rs` for its tests, and the
/// header, which is called like the library. Otherwise as [`library()`].
pub fn c(links: &str, header: &Header<'_>) {
    let mut cx = Diagnostics::new();
    let mut sources = Sources::new();
    let ops = described(&mut cx, &mut sources, links);
    print::c::check(&mut cx, header.prefix, &ops);
    if let Err(findings) = cx.finish() {
        fail(&render(&sources, &findings));
    }
    write_c(&ops, header, header.library, &quote!(::opwright_c_bindings));
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
    c_bindings: TokenStream,
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
            c_bindings: quote!(::opwright_c_bindings),
            operators: quote!(::opwright_ops),
            through_facade: false,
        }
    }

    /// Reads this file of entries; its path is relative to the crate. Of one above the crate,
    /// packages have a copy beside the manifest.
    #[must_use]
    pub fn yaml(mut self, path: impl AsRef<Path>) -> Self {
        self.yaml.push(of_package(&self.root, path.as_ref(), Path::exists));
        self
    }

    /// The crate reaches the runtime and the Python side through the facade,
    /// by what `opwright::module!` puts beside the operators: the author may
    /// know the facade by another name.
    #[must_use]
    pub fn through_facade(mut self) -> Self {
        self.runtime = quote!(crate::ops::__facade::runtime);
        self.bindings = quote!(crate::ops::__facade::python);
        self.c_bindings = quote!(crate::ops::__facade::c);
        self.operators = quote!(crate::ops::__facade::ops);
        self.through_facade = true;
        self
    }

    /// Writes `generated.rs`, which the crate includes as its module `ops`.
    pub fn library(&self) {
        let (sources, library) = self.read();
        self.write_ops(&library);
        write_set(&sources, &library);
    }

    /// Writes it, the Python side, and the stubs of the Python module.
    pub fn module(&self) {
        let (sources, library) = self.read();
        self.write_ops(&library);
        write_set(&sources, &library);
        let (bound, functions) = (library.bound(), &library.functions);
        write_python(&library.ops, bound, functions, &self.bindings, library.rows);
        self.write_stubs(&library);
        // Without this, `opwright::module!` says that there is no build script.
        println!("cargo::rustc-check-cfg=cfg(opwright_generated)");
        println!("cargo::rustc-cfg=opwright_generated");
    }

    /// Writes a library for C with the operators of the crate, those that it takes in among them:
    /// `c.rs`, which `opwright::c_library!` includes, and the header, which is called like the
    /// prefix. The header is also copied to the directory that the variable `OPWRIGHT_C_INCLUDE`
    /// names, relative to the crate.
    ///
    /// If the crate has a feature called `c`, and it is on, the crate is no Python module in that
    /// build: programs in C have no symbols of Python.
    pub fn c(&self) {
        let (sources, library) = self.read();
        let c = self.c_library(&sources, &library);
        let (header, bound) = (c.header(), library.bound());
        let mut cx = Diagnostics::new();
        print::c::check(&mut cx, header.prefix, bound);
        if let Err(findings) = cx.finish() {
            fail(&render(&sources, &findings));
        }
        write_c(bound, &header, header.prefix, &self.c_bindings);
        self.copy_header(&format!("{}.h", header.prefix));
        // Without this, `opwright::c_library!` says that no build script has written it.
        println!("cargo::rustc-check-cfg=cfg(opwright_c, opwright_without_python)");
        println!("cargo::rustc-cfg=opwright_c");
        if env::var_os("CARGO_FEATURE_C").is_some() {
            println!("cargo::rustc-cfg=opwright_without_python");
            name_in_programs(&variable("CARGO_PKG_NAME").replace('-', "_"));
        }
    }

    /// Writes the package for Go over that library, if the variable `OPWRIGHT_GO` names the folder of
    /// its module, relative to the crate: it has the file `go.mod`. The package is called like the
    /// library, and so is its folder, in which authors may have files of their own, too; what was
    /// printed for it earlier, and is not printed any more, is removed.
    pub fn go(&self) {
        println!("cargo::rerun-if-env-changed={GO}");
        let Some(wanted) = env::var_os(GO).filter(|it| !it.is_empty()) else { return };
        let (sources, library) = self.read();
        let (c, bound) = (self.c_library(&sources, &library), library.bound());
        let mut cx = Diagnostics::new();
        print::go::check(&mut cx, &c.name, bound);
        if let Err(findings) = cx.finish() {
            fail(&render(&sources, &findings));
        }
        let folder = self.root.join(wanted);
        let module = go_module(&folder);
        let header = format!("{}.h", c.prefix);
        let package =
            Package { module: &module, name: &c.name, prefix: &c.prefix, header: &header };
        write_go(&folder, &c.name, &print::go::complete(&package, bound));
    }

    /// What the crate says of its library for C.
    fn c_library(&self, sources: &Sources, library: &Library) -> CLibrary {
        match &library.c {
            Some(c) => c.clone(),
            None if self.through_facade => fail(&render(sources, &[self.no_c_library()])),
            None => CLibrary::of_package(&variable("CARGO_PKG_NAME")),
        }
    }

    fn no_c_library(&self) -> Diagnostic {
        let root = self.root.join("src/lib.rs");
        let root = shown_path(root.strip_prefix(workspace(&self.root)).unwrap_or(&root));
        let message = format!("{root} does not say which library for C it is");
        let mut cx = Diagnostics::new();
        cx.push(Diagnostic::global(codes::C_LIBRARY, message)).help(
            "write `opwright::c_library!(name);` there: it takes in what the build script generates",
        );
        cx.finish().unwrap_or_else(|findings| findings).remove(0)
    }

    /// Copies a file of `OUT_DIR` to where somebody wants headers.
    fn copy_header(&self, name: &str) {
        println!("cargo::rerun-if-env-changed={INCLUDE}");
        let Some(wanted) = env::var_os(INCLUDE).filter(|it| !it.is_empty()) else { return };
        let directory = self.root.join(wanted);
        let copied =
            fs::create_dir_all(&directory).and_then(|()| fs::copy(out(name), directory.join(name)));
        if let Err(error) = copied {
            let directory = directory.display();
            fail(&format!(
                "error: cannot write {name} to {directory}, which {INCLUDE} names: {error}"
            ));
        }
    }

    fn write_ops(&self, library: &Library) {
        let Library { ops, kernels, gradients, rows, .. } = library;
        let own = print::rust::ops::print(ops, kernels, gradients, &self.runtime, *rows);
        let operators = &self.operators;
        let annotated = print::rust::annotated::print(&library.marks);
        let derived = print::rust::annotated::derived(&library.derived);
        let modules = library.taken_modules();
        let taken = modules.iter().map(|it| ident(it));
        let others = library.calls_others.then(|| {
            quote! {
                #[doc(hidden)]
                pub use #operators as __operators;
            }
        });
        let derivatives = print::rust::derivatives::print(&library.gradient_functions);
        let helpers = print::rust::helpers::print(&library.helpers);
        let all = quote!(#own #annotated #derived #(pub use #operators::#taken;)* #others #derivatives #helpers);
        write("generated.rs", &file::compact(all));
        // Types with `#[derive(NativeType)]` are known from here on: their names have been read.
        println!("cargo::rustc-check-cfg=cfg(opwright_described)");
        println!("cargo::rustc-cfg=opwright_described");
    }

    /// Writes the stubs and `py.typed` to a directory with the name of the
    /// Python module, for the wheel to take in.
    fn write_stubs(&self, library: &Library) {
        let root = fs::read_to_string(self.root.join("src/lib.rs")).unwrap_or_default();
        let module = Module::declared(&root)
            .unwrap_or_else(|| Module::of_package(&variable("CARGO_PKG_NAME")));
        let (ops, functions) = (library.bound(), &library.functions);
        for stub in print::python::package::stubs(ops, functions, &library.overloads, &module) {
            write(&format!("{}/{}", module.name, stub.path), &stub.text);
        }
        write(&format!("{}/py.typed", module.name), "");
    }

    /// Reads everything, or ends the build script with what is wrong.
    fn read(&self) -> (Sources, Library) {
        let base = workspace(&self.root);
        let shown = |path: &Path| path.strip_prefix(base).unwrap_or(path).to_path_buf();
        let found =
            |name: &str| beside(&self.yaml, &self.root, name).into_iter().find(|it| it.exists());
        let (derivatives, rewrites) = (found("derivatives.yaml"), found("rewrites.yaml"));
        let reading = LibrarySource {
            derivatives: derivatives.as_deref().map(shown),
            rewrites: rewrites.as_deref().map(shown),
            yaml: self.yaml.iter().map(|it| shown(it)).collect(),
            crate_root: shown(&self.root.join("src/lib.rs")),
            config: Config::from_variables(env::vars()),
            files: rust_files(&self.root.join("src")).iter().map(|it| shown(it)).collect(),
            is_module: self.through_facade,
            theirs: description(FACADE).map_or(Theirs::Absent, Theirs::File),
        };
        let watched = watched(&self.root.join("src"));
        for path in self.yaml.iter().chain(&derivatives).chain(&rewrites).chain(&watched) {
            rerun_if_changed(path);
        }
        let mut sources = Sources::new();
        let read = |path: &Path| fs::read_to_string(base.join(path));
        match library::read(&mut sources, &reading, &read) {
            Ok(library) => {
                eprint!("{}", render(&sources, &library.warnings));
                (sources, library)
            }
            Err(findings) => fail(&render(&sources, &findings)),
        }
    }
}

/// Names the directory that headers are copied to.
const INCLUDE: &str = "OPWRIGHT_C_INCLUDE";

/// Names the directory of the module for Go.
const GO: &str = "OPWRIGHT_GO";

/// The path of the module in a folder.
fn go_module(folder: &Path) -> String {
    let file = folder.join(MODULE_FILE);
    rerun_if_changed(&file);
    let text = fs::read_to_string(&file).map_err(|error| error.to_string());
    let module = text.and_then(|text| {
        let module = module_of(&text).map(str::to_owned);
        module.ok_or_else(|| "it says no `module`, or one that cannot be".to_owned())
    });
    module.unwrap_or_else(|problem| {
        fail(&format!(
            "error: cannot read {}: {problem}\n\
             help: let {GO} name the folder of a file {MODULE_FILE} that says `module example.org/my_ops`",
            file.display()
        ))
    })
}

/// The `links` of the facade, which passes on what `opwright-ops` says.
const FACADE: &str = "opwright";

/// The operators of a crate that this one depends on.
fn described(cx: &mut Diagnostics, sources: &mut Sources, links: &str) -> OpSet {
    let Some(path) = description(links) else {
        fail(&format!(
            "error: no dependency with `links = \"{links}\"` says where its operators are described\n\
             help: add that crate to `[dependencies]`; its build script calls `library` or `module`"
        ))
    };
    let text = fs::read_to_string(&path).map_err(|error| error.to_string());
    match text.and_then(|text| artifact::operators(cx, sources, &text)) {
        Ok(ops) => ops,
        Err(problem) => fail(&format!(
            "error: cannot read the operators in {}: {problem}\n\
             help: let all crates of opwright have one version, and build again",
            path.display()
        )),
    }
}

/// Where the operators of a crate that this one depends on are described, if
/// its build script, or the one of a crate in between, says so.
fn description(links: &str) -> Option<PathBuf> {
    let links = links.to_uppercase().replace('-', "_");
    let path = env::var_os(format!("DEP_{links}_{}", artifact::KEY.to_uppercase()))?;
    rerun_if_changed(Path::new(&path));
    Some(PathBuf::from(path))
}

fn rerun_if_changed(path: &Path) {
    println!("cargo::rerun-if-changed={}", path.display());
}

/// Writes what the operators were read from, and tells where to whoever
/// depends on this crate.
fn write_set(sources: &Sources, library: &Library) {
    write(artifact::FILE, &artifact::print(sources, &library.input, &library.helpers));
    println!("cargo::metadata={}={}", artifact::KEY, out(artifact::FILE).display());
}

/// `own` are the operators of the crate that has the rows, `bound` those that
/// Python sees.
fn write_python(
    own: &OpSet,
    bound: &OpSet,
    functions: &[PythonFunction],
    bindings: &TokenStream,
    rows: Rows,
) {
    let rows = rows::tables(own, bound, rows);
    write("python.rs", &file::compact(print::python::print(bound, functions, bindings, &rows)));
}

/// Programs look for a library by its name alone, wherever it lay when they were linked.
fn name_in_programs(library: &str) {
    let argument = match env::var("CARGO_CFG_TARGET_OS").as_deref() {
        Ok("linux" | "android" | "freebsd") => format!("-Wl,-soname,lib{library}.so"),
        Ok("macos") => format!("-Wl,-install_name,@rpath/lib{library}.dylib"),
        _ => return,
    };
    println!("cargo::rustc-cdylib-link-arg={argument}");
}

/// `c` is the path of what the functions are made with, and `file` what the header is called.
fn write_c(ops: &OpSet, header: &Header<'_>, file: &str, c: &TokenStream) {
    write("c.rs", &file::compact(print::c::functions::print(header.prefix, ops, c)));
    write("c_calls.rs", &file::compact(print::c::calls::print(header.prefix, ops, c)));
    write(&format!("{file}.h"), &print::c::header::print(header, ops));
}

/// Writes a package to the folder of its module, without what was printed for it earlier.
fn write_go(module: &Path, name: &str, files: &[print::go::File]) {
    if let Err((path, error)) = go_package::write(module, name, files) {
        fail(&format!("error: cannot write {}: {error}", path.display()));
    }
}

/// The directory that shown paths are relative to: that of the lock file, so
/// that generated text is the same wherever the sources lie.
fn workspace(root: &Path) -> &Path {
    root.ancestors().find(|it| it.join("Cargo.lock").exists()).unwrap_or(root)
}

/// Writes a file of `OUT_DIR`, unless it has that text already: what did not
/// change is not compiled again.
fn write(name: &str, text: &str) {
    let path = out(name);
    if fs::read_to_string(&path).is_ok_and(|earlier| earlier == text) {
        return;
    }
    let directory = path.parent().unwrap_or(&path);
    if let Err(error) = fs::create_dir_all(directory).and_then(|()| fs::write(&path, text)) {
        fail(&format!("error: cannot write {}: {error}", path.display()));
    }
}

/// A file of `OUT_DIR`.
fn out(name: &str) -> PathBuf {
    Path::new(&variable("OUT_DIR")).join(name)
}

fn variable(name: &str) -> String {
    let missing = |_| fail(&format!("error: {name} is not set: this is for build scripts"));
    env::var(name).unwrap_or_else(missing)
}

fn fail(report: &str) -> ! {
    eprintln!("{report}");
    process::exit(1)
}
