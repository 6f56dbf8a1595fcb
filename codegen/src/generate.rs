//! The entry for the command: everything that the printers make of files of
//! entries, for reading.
//!
//! ```text
//! OUT/ops.rs                 entry points and kernel tables
//! OUT/python.rs              signature tables, shims, method tables
//! OUT/<package>/...          stubs
//! OUT/docs/...               the operator reference
//! OUT/<library>.h, OUT/c.rs  the header and the functions for C, if they are wanted
//! OUT/go/...                 the package for Go, if it is wanted
//! ```

use std::fs;
use std::path::{Path, PathBuf};

use opwright_diagnostics::Sources;
use opwright_diagnostics::diag::{Diagnostic, Diagnostics, Severity};
use opwright_schema::{Input, OpSet, load};
use quote::quote;

use crate::c_library::CLibrary;
use crate::codes;
use crate::file;
use crate::formula::{self, Gradient};
use crate::kernels;
use crate::observed::Observed;
use crate::others::Others;
use crate::print;
use crate::print::python::stub::Package;
use crate::print::rust::rows::{self, Rows};
use crate::scan::Scanned;
use crate::signature::{self, PythonFunction};

/// A package around the native module, so that a checker finds what the stubs import.
const PACKAGE: &str = "\
from ._C import *
from ._C import TensorBase as TensorBase

class Tensor(TensorBase):
    \"\"\"A tensor.\"\"\"
";

/// What is printed for which package.
#[derive(Clone, Debug)]
pub struct Generate<'a> {
    /// What the operators are read from.
    pub input: Input,
    /// The import name of the Python package.
    pub package: Package<'a>,
    /// The library for C, if one is wanted.
    pub c: Option<CLibrary>,
    /// The path of the module for Go over that library, if one is wanted.
    pub go_module: Option<String>,
}

/// Files as they were printed, not yet written.
#[derive(Clone, Debug)]
pub struct Printed {
    /// Paths below the output directory, and texts.
    pub files: Vec<(PathBuf, String)>,
    /// How many operators they are of.
    pub operators: usize,
    /// What was left out or is worth a look.
    pub warnings: Vec<Diagnostic>,
}

impl Generate<'static> {
    /// For reading: a package without members beside the operators.
    pub fn reading(input: Input) -> Self {
        Generate { input, package: Package::plain("opwright"), c: None, go_module: None }
    }
}

impl Generate<'_> {
    /// Prints all files of these operators.
    ///
    /// A crate has its kernels checked when it is built; here they are taken
    /// to be there. Likewise what Python cannot reach is a warning, since
    /// these files are not run.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the entries.
    pub fn print(&self, sources: &Sources) -> Result<Printed, Vec<Diagnostic>> {
        self.print_with(sources, |ops, functions, gradients| {
            let rust = rust_files(ops, functions, gradients).into_iter();
            let python = self.stub_files(ops, functions).into_iter();
            rust.chain(python)
                .chain(self.pages(ops, functions))
                .chain(self.c_files(ops))
                .chain(self.go_files(ops))
                .collect()
        })
    }

    /// Prints the stubs alone.
    ///
    /// # Errors
    ///
    /// As [`Generate::print`].
    pub fn stubs(&self, sources: &Sources) -> Result<Printed, Vec<Diagnostic>> {
        self.print_with(sources, |ops, functions, _| self.stub_files(ops, functions))
    }

    fn print_with(
        &self,
        sources: &Sources,
        files: impl Fn(&OpSet, &[PythonFunction], &[Option<Gradient>]) -> Vec<File>,
    ) -> Result<Printed, Vec<Diagnostic>> {
        let ops = load(sources, &self.input)?;
        let mut cx = Diagnostics::new();
        if let Some(library) = &self.c {
            print::c::check(&mut cx, &library.prefix, &ops);
            if self.go_module.is_some() {
                print::go::check(&mut cx, &library.name, &ops);
            }
        }
        cx.finish()?;
        let mut cx = Diagnostics::new();
        let functions = signature::functions(&mut cx, &ops);
        let gradients = gradients(&mut cx, &ops);
        let findings = cx.finish().unwrap_or_else(|findings| findings);
        let warning = |it| Diagnostic { severity: Severity::Warning, ..it };
        let warnings = ops.warnings.iter().cloned().chain(findings).map(warning).collect();
        let files = files(&ops, &functions, &gradients);
        Ok(Printed { files, operators: ops.overloads.len(), warnings })
    }

    fn stub_files(&self, ops: &OpSet, functions: &[PythonFunction]) -> Vec<File> {
        let package = Path::new(self.package.name);
        let init = (package.join("__init__.pyi"), file::python(PACKAGE));
        let stubs = print::python::stub::print(ops, functions, &self.package).into_iter();
        stubs.map(|it| (package.join(it.path), it.text)).chain([init]).collect()
    }

    fn c_files(&self, ops: &OpSet) -> Vec<File> {
        let Some(library) = &self.c else { return Vec::new() };
        let (header, c) = (library.header(), quote!(::opwright_c_bindings));
        let functions = print::c::functions::print(header.prefix, ops, &c);
        vec![
            (PathBuf::from(format!("{}.h", library.name)), print::c::header::print(&header, ops)),
            (PathBuf::from("c.rs"), file::rust(functions)),
        ]
    }

    fn go_files(&self, ops: &OpSet) -> Vec<File> {
        let (Some(library), Some(module)) = (&self.c, &self.go_module) else { return Vec::new() };
        let (prefix, header) = (&library.prefix, &format!("{}.h", library.name));
        let package = print::go::Package { module, name: &library.name, prefix, header };
        let files = print::go::complete(&package, ops).into_iter().chain([package.go_mod()]);
        files.map(|it| (Path::new("go").join(it.path), it.text)).collect()
    }

    fn pages(&self, ops: &OpSet, functions: &[PythonFunction]) -> Vec<File> {
        let (observed, c) = (Observed::default(), self.c.as_ref().map(|it| it.prefix.as_str()));
        let pages = print::docs::print(ops, functions, &self.package, &observed, &[], c);
        pages.into_iter().map(|it| (Path::new("docs").join(it.path), it.text)).collect()
    }
}

/// A path and a text.
type File = (PathBuf, String);

/// How calls are recorded, by the formulas of the files. Helpers stand in sources, which are not
/// read here: where a formula calls one, the gradient is printed as one that nobody has written.
fn gradients(cx: &mut Diagnostics, ops: &OpSet) -> Vec<Option<Gradient>> {
    let mut own = Diagnostics::new();
    let (kernels, found) = (kernels::assumed(ops), Scanned::default());
    let gradients = formula::gradients(&mut own, ops, &kernels, &found, &Others::Never);
    let findings = own.finish().unwrap_or_else(|findings| findings);
    let (helpers, others): (Vec<_>, Vec<_>) =
        findings.into_iter().partition(|it| it.code == codes::UNKNOWN_CALL);
    for finding in others {
        cx.push(finding);
    }
    if let Some(first) = helpers.first().and_then(|it| it.span.as_ref()) {
        let count = helpers.len();
        let message =
            format_args!("{count} calls of helpers, which stand in sources, are left out");
        cx.warn(codes::UNKNOWN_CALL, first, message)
            .note("the gradients that call them are printed as not implemented");
    }
    gradients.by_overload
}

fn rust_files(
    ops: &OpSet,
    functions: &[PythonFunction],
    gradients: &[Option<Gradient>],
) -> Vec<File> {
    let kernels = kernels::assumed(ops);
    let (runtime, bindings) = (quote!(::opwright_runtime), quote!(::opwright_python_bindings));
    let rows = rows::tables(ops, ops, Rows::Always);
    let printed = [
        ("ops.rs", print::rust::ops::print(ops, &kernels, gradients, &runtime, Rows::Always)),
        ("python.rs", print::python::print(ops, functions, &bindings, &rows)),
    ];
    printed.into_iter().map(|(name, tokens)| (PathBuf::from(name), file::rust(tokens))).collect()
}

impl Printed {
    /// Writes the files below a directory, which is made if need be.
    ///
    /// # Errors
    ///
    /// The first file that cannot be written, and why.
    pub fn write(&self, out: &Path) -> Result<(), (PathBuf, std::io::Error)> {
        for (path, text) in &self.files {
            let path = out.join(path);
            let directory = path.parent().unwrap_or(out);
            let written = fs::create_dir_all(directory).and_then(|()| fs::write(&path, text));
            written.map_err(|error| (path, error))?;
        }
        Ok(())
    }
}
