//! An operator set together with what is behind it and what Python sees of
//! it: all that the printers print.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use opwright_diagnostics::Sources;
use opwright_diagnostics::diag::{Diagnostic, Diagnostics};
use opwright_diagnostics::source::shown_path;
use opwright_schema::model::{Dispatch, OpName, OpSet, SourceId, Span, Spanned};
use opwright_schema::{Derives, Input, Loaded, autogen, load_into, names};
use proc_macro2::Span as Place;

use crate::attribute::FunctionRole;
use crate::c_library::CLibrary;
use crate::codes;
use crate::form::Form;
use crate::formula::{self, Differentiability, Gradient, Gradients};
use crate::helper::{GradientFunction, Helper};
use crate::kernels::{self, Kernels};
use crate::module::Module;
use crate::others::{self, Others};
use crate::overload::Overload;
use crate::print;
use crate::print::rust::rows::Rows;
use crate::reading::ReadFile;
use crate::reserved;
use crate::said;
use crate::scan::{self, AnnotatedFunction};
use crate::signature::{self, PythonFunction};
use crate::taken;

pub use crate::reading::LibrarySource;

/// Operators, their kernels and their Python functions, checked.
#[derive(Clone, Debug)]
pub struct Library {
    /// The operators.
    pub ops: OpSet,
    /// What they were read from.
    pub input: Input,
    /// Their kernels, by the overload's index.
    pub kernels: Vec<Kernels>,
    /// How calls of them are recorded, by the overload's index.
    pub gradients: Vec<Option<Gradient>>,
    /// The marks of the annotations of kernels from which gradients follow.
    pub derived: BTreeSet<String>,
    /// What formulas call beside operators.
    pub helpers: Vec<Helper>,
    /// The functions with `#[overload]` that the module shows.
    pub overloads: Vec<Overload>,
    /// The Python functions, also of what is taken in.
    pub functions: Vec<PythonFunction>,
    /// The marks of the annotations that were read.
    pub marks: BTreeSet<String>,
    /// The operators followed by those of `opwright-ops` that the crate takes
    /// in, if it takes any.
    pub with_taken: Option<OpSet>,
    /// Operators that could not be read, as far as their names could; none if
    /// nothing is wrong.
    pub broken: Vec<OpName>,
    /// Whether formulas can call operators of `opwright-ops`.
    pub calls_others: bool,
    /// Functions that annotations name as gradients: by the mark of the annotation, and their
    /// number there.
    pub gradient_functions: Vec<(String, usize, GradientFunction)>,
    /// For which builds of the crate there are operators as data.
    pub rows: Rows,
    /// The library for C that the crate says it becomes.
    pub c: Option<CLibrary>,
    /// What is worth a look.
    pub warnings: Vec<Diagnostic>,
}

impl Library {
    /// The operators that Python sees.
    pub fn bound(&self) -> &OpSet {
        self.with_taken.as_ref().unwrap_or(&self.ops)
    }

    /// What becomes of the gradients of each of its own operators, by the overload's index.
    pub fn differentiability(&self) -> Vec<Differentiability> {
        Differentiability::of(&self.ops, &self.kernels, &self.gradients)
    }

    /// Rust modules of the operators that are taken in: `add`, `add_`.
    pub fn taken_modules(&self) -> BTreeSet<String> {
        let taken = self.bound().overloads.iter().skip(self.ops.overloads.len());
        taken.map(|it| names::module(&it.schema.name)).collect()
    }
}

/// Reads a library into `sources`, which show what is wrong with it.
///
/// # Errors
///
/// Everything that is wrong, from all sources.
pub fn read(
    sources: &mut Sources,
    reading: &LibrarySource,
    read: &ReadFile<'_>,
) -> Result<Library, Vec<Diagnostic>> {
    let mut cx = Diagnostics::new();
    let library = read_into(&mut cx, sources, reading, read);
    let warnings = cx.finish()?;
    Ok(Library { warnings, ..library })
}

/// Reads a library that may have mistakes, which are reported to `cx`.
pub fn read_into(
    cx: &mut Diagnostics,
    sources: &mut Sources,
    reading: &LibrarySource,
    read: &ReadFile<'_>,
) -> Library {
    let yaml = open(cx, sources, &reading.yaml, read);
    let is_whole = yaml.len() == reading.yaml.len();
    let found = scan::scan(cx, sources, reading, read);
    let annotated = found.functions.iter().filter_map(annotation).collect();
    let natives = found.natives.clone();
    let derivatives = open(cx, sources, reading.derivatives.as_slice(), read).first().copied();
    let rewrites = open(cx, sources, reading.rewrites.as_slice(), read).first().copied();
    let gradients = found.functions.iter().filter_map(said::gradients).collect();
    let input =
        Input { yaml, annotated, natives, derivatives, rewrites, gradients, ..Input::default() };
    let Loaded { mut ops, broken } = load_into(cx, sources, &input);
    autogen::generate(&mut ops);
    let kernels = match is_whole {
        true => kernels::find(cx, &ops, &broken, &found),
        // Those of the file that cannot be read would all be missing.
        false => kernels::assumed(&ops),
    };
    let root = &reading.crate_root;
    let text = read(root).unwrap_or_default();
    if reading.is_module && !found.incomplete && !Module::is_declared(&text) {
        no_module(cx, root);
    }
    let module = Module::declared(&text);
    let rows = module.as_ref().map(|it| it.rows).unwrap_or_default();
    let shown = module.as_ref().map(|it| it.overloads.clone()).unwrap_or_default();
    let is_shown = |it: &Overload| shown.iter().any(|path| it.is_at(path));
    let overloads = found.overloads.iter().filter(|it| is_shown(it)).cloned().collect();
    let wanted = module.map(|it| it.operators).unwrap_or_default();
    let root = sources.add(shown_path(root), text.clone());
    if let Some(place) = Module::declared_again(&text) {
        cx.error(
            codes::NO_MODULE,
            &Span::new(root, place),
            "a crate is one module: `module!` stands here again",
        )
        .help("remove it");
    }
    let c = CLibrary::declared(cx, root, &text);
    let with_taken = (!wanted.is_empty())
        .then(|| {
            let theirs = taken::theirs(cx, sources, reading, &wanted[0].at(root), read)?;
            Some(taken::with_taken(cx, root, &ops, &theirs, &wanted))
        })
        .flatten();
    let theirs = match ops.derivatives.is_empty() {
        true => Others::Never,
        false => others::callable(cx, sources, reading, read),
    };
    let Gradients { by_overload: gradients, derived } =
        formula::gradients(cx, &ops, &kernels, &found, &theirs);
    let bound = with_taken.as_ref().unwrap_or(&ops);
    if let (Some(library), 0) = (&c, cx.error_count()) {
        print::c::check(cx, &library.prefix, bound);
    }
    let functions = signature::functions(cx, bound);
    reserved::check(cx, &ops, &functions);
    Library {
        ops,
        input,
        kernels,
        gradients,
        derived,
        helpers: found.helpers,
        overloads,
        functions,
        marks: found.marks,
        with_taken,
        broken,
        calls_others: matches!(theirs, Others::Known(..)),
        gradient_functions: gradient_functions(&found.functions),
        rows,
        c,
        warnings: Vec::new(),
    }
}

fn gradient_functions(functions: &[AnnotatedFunction]) -> Vec<(String, usize, GradientFunction)> {
    let mut all = Vec::new();
    for function in functions {
        for (number, gradient) in function.gradients.iter().enumerate() {
            let gradient = gradient.clone().map(|it| (function.mark.clone(), number, it));
            all.extend(gradient);
        }
    }
    all
}

fn open(
    cx: &mut Diagnostics,
    sources: &mut Sources,
    paths: &[PathBuf],
    read: &ReadFile<'_>,
) -> Vec<SourceId> {
    let mut ids = Vec::new();
    for path in paths {
        match read(path) {
            Ok(text) => ids.push(sources.add(shown_path(path), text)),
            Err(error) => {
                let message = format!("cannot read {}: {error}", shown_path(path));
                cx.push(Diagnostic::global(codes::FILE, message));
            }
        }
    }
    ids
}

fn no_module(cx: &mut Diagnostics, root: &Path) {
    let message = format!("{} does not say which Python module it is", shown_path(root));
    cx.push(Diagnostic::global(codes::NO_MODULE, message)).help(
        "write `opwright::module!(name);` there: it takes in what the build script generates",
    );
}

/// A function that carries its schema, as the schema crate takes it.
fn annotation(function: &AnnotatedFunction) -> Option<opwright_schema::Annotated> {
    let schema = function.schema.clone()?;
    let keys = match &function.attribute.part {
        FunctionRole::KernelFor(keys) => keys.clone(),
        FunctionRole::Kernel | FunctionRole::Rule | FunctionRole::Check => Vec::new(),
    };
    let at = |place: Place| function.place(place);
    let options = function.attribute.options.iter().map(|it| {
        let name = Spanned::new(it.name.to_string(), at(it.name.span()));
        (name, Spanned::new(it.value.clone(), at(it.span)))
    });
    let dispatch = keys.into_iter().map(|key| Dispatch {
        key: Spanned::new(key, function.span.clone()),
        kernel: Spanned::new(function.name().to_owned(), function.span.clone()),
    });
    Some(opwright_schema::Annotated {
        schema,
        line: function.line,
        file: function.file.clone(),
        options: options.collect(),
        doc: function.doc.clone(),
        dispatch: dispatch.collect(),
        derives: derives(function),
    })
}

fn derives(function: &AnnotatedFunction) -> Derives {
    match function.form {
        Form::Plain => {
            let out = function.attribute.style.out;
            out.map_or(Derives::Nothing, |it| Derives::Out(function.place(it)))
        }
        Form::Filling | Form::Elementwise(_) | Form::Core(_) => Derives::Structured,
        Form::Arrays(_) => Derives::Copy,
    }
}
