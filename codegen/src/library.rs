//! An operator set together with what is behind it and what Python sees of
//! it: all that the printers print.

use std::path::PathBuf;

use opwright_schema::diag::{Diagnostic, Diagnostics};
use opwright_schema::model::{Dispatch, OpSet, SourceId, Spanned};
use opwright_schema::{Input, Loaded, Sources, load_into};
use proc_macro2::Span as Place;

use crate::attribute::{Part, Target};
use crate::cfg::Config;
use crate::codes;
use crate::kernels::{self, Kernels};
use crate::scan::{self, Annotated, Read};
use crate::signature::{self, Function};

/// Operators, their kernels and their Python functions, checked.
#[derive(Clone, Debug)]
pub struct Library {
    /// The operators.
    pub ops: OpSet,
    /// Their kernels, by the overload's index.
    pub kernels: Vec<Kernels>,
    /// Their Python functions.
    pub functions: Vec<Function>,
    /// What is worth a look.
    pub warnings: Vec<Diagnostic>,
}

/// Where a library is read from. Places are shown with these paths.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// Files of entries.
    pub yaml: Vec<PathBuf>,
    /// The root file of the crate with the annotated functions.
    pub crate_root: PathBuf,
    /// What that crate is compiled with.
    pub config: Config,
}

/// Reads a library into `sources`, which show what is wrong with it.
///
/// # Errors
///
/// Everything that is wrong, from all sources.
pub fn read(
    sources: &mut Sources,
    reading: &Reading,
    read: &Read<'_>,
) -> Result<Library, Vec<Diagnostic>> {
    let mut cx = Diagnostics::new();
    let yaml = open(&mut cx, sources, &reading.yaml, read);
    let found = scan::scan(&mut cx, sources, &reading.crate_root, &reading.config, read);
    let annotated = found.functions.iter().filter_map(annotation).collect();
    let input = Input { yaml, annotated, ..Input::default() };
    let Loaded { ops, broken } = load_into(&mut cx, sources, &input);
    let kernels = kernels::find(&mut cx, &ops, &broken, &found);
    let functions = signature::functions(&mut cx, &ops);
    let warnings = cx.finish()?;
    Ok(Library { ops, kernels, functions, warnings })
}

fn open(
    cx: &mut Diagnostics,
    sources: &mut Sources,
    paths: &[PathBuf],
    read: &Read<'_>,
) -> Vec<SourceId> {
    let mut ids = Vec::new();
    for path in paths {
        match read(path) {
            Ok(text) => ids.push(sources.add(path.display().to_string(), text)),
            Err(error) => {
                let message = format!("cannot read {}: {error}", path.display());
                cx.push(Diagnostic::global(codes::FILE, message));
            }
        }
    }
    ids
}

/// A function that carries its schema, as the schema crate takes it.
fn annotation(function: &Annotated) -> Option<opwright_schema::Annotated> {
    let Target::Inline { literal, prefix } = &function.attribute.target else { return None };
    let keys = match &function.attribute.part {
        Part::KernelFor(keys) => keys.clone(),
        Part::Kernel | Part::Rule => Vec::new(),
    };
    let at = |place: Place| function.place(place);
    let mut inside = at(literal.span());
    inside.range.start += prefix;
    inside.range.end = inside.range.start + literal.value().len();
    let options = function.attribute.options.iter().map(|it| {
        let name = Spanned::new(it.name.to_string(), at(it.name.span()));
        (name, Spanned::new(it.value.clone(), at(it.span)))
    });
    let dispatch = keys.into_iter().map(|key| Dispatch {
        key: Spanned::new(key, function.span.clone()),
        kernel: Spanned::new(function.name().to_owned(), function.span.clone()),
    });
    Some(opwright_schema::Annotated {
        schema: Spanned::new(literal.value(), inside),
        line: function.line,
        file: function.file.clone(),
        options: options.collect(),
        doc: function.doc.clone(),
        dispatch: dispatch.collect(),
    })
}
