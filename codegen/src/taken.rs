//! Operators of `opwright-ops` that a crate takes into its own Python module.
//!
//! They are read from the file that the build of that crate has written, so that signatures,
//! overloads and stubs are made of all operators together; their kernels stay where they are. With
//! them come the rewrites that need no others.

use opwright_diagnostics::Sources;
use opwright_diagnostics::diag::Diagnostics;
use opwright_schema::model::{Deprecated, OpSet, Overload, SourceId, Span};

use crate::artifact;
use crate::codes;
use crate::module::Wanted;
use crate::reading::{LibrarySource, ReadFile, Theirs};

/// The operators that can be taken in, unless there is none to read; `place` is where the crate
/// asks for the first.
pub(crate) fn theirs(
    cx: &mut Diagnostics,
    sources: &mut Sources,
    reading: &LibrarySource,
    place: &Span,
    read: &ReadFile<'_>,
) -> Option<OpSet> {
    let path = match &reading.theirs {
        Theirs::File(path) => path,
        Theirs::Unbuilt => {
            let message = "no build has left the operators of opwright-ops here to compare with";
            cx.warn(codes::NO_SET, place, message).help("build the crate once");
            return None;
        }
        Theirs::Absent => {
            let message = "the crate takes operators in, but does not depend on opwright-ops";
            cx.error(codes::NO_SET, place, message)
                .help("in `Cargo.toml`, give `opwright` the feature `ops`");
            return None;
        }
    };
    let text = read(path).map_err(|error| error.to_string());
    match text.and_then(|text| artifact::operators(cx, sources, &text)) {
        Ok(ops) => Some(ops),
        Err(problem) => {
            let path = path.display();
            let message = format_args!("cannot read the operators of opwright-ops: {problem}");
            cx.error(codes::NO_SET, place, message)
                .note(format_args!("they should stand in {path}"))
                .help("let `opwright` and `opwright-codegen` have one version, and build again");
            None
        }
    }
}

/// The operators of a crate followed by those of `theirs` that it takes in.
/// `root` is its root file, where `wanted` stands.
pub(crate) fn with_taken(
    cx: &mut Diagnostics,
    root: SourceId,
    own: &OpSet,
    theirs: &OpSet,
    wanted: &[Wanted],
) -> OpSet {
    let is_sound = |it: &&Wanted| check(cx, it, &it.at(root), own, theirs);
    let names: Vec<&str> = wanted.iter().filter(is_sound).map(|it| it.name.as_str()).collect();
    merged(own, theirs, &names)
}

/// Whether the operator is there, and its name is free.
fn check(cx: &mut Diagnostics, wanted: &Wanted, span: &Span, own: &OpSet, theirs: &OpSet) -> bool {
    let before = cx.error_count();
    let name = &wanted.name;
    if !theirs.overloads.iter().any(|it| is_of(it, name)) {
        let names: Vec<String> =
            theirs.overloads.iter().map(|it| it.schema.name.base.to_string()).collect();
        cx.error(codes::UNKNOWN_TAKEN, span, format_args!("opwright-ops has no operator `{name}`"))
            .suggest(name, names.iter().map(String::as_str));
    }
    if let Some(first) = own.overloads.iter().find(|it| is_of(it, name)) {
        let message = format_args!("`{name}` is an operator of this crate, too");
        cx.error(codes::TAKEN_TWICE, span, message)
            .also(&first.schema.name_span, "declared here")
            .help("rename that one, or do not take this one in");
    }
    cx.error_count() == before
}

/// Whether an overload is one of `add`, or of `add_` beside it.
fn is_of(overload: &Overload, name: &str) -> bool {
    let base = overload.schema.name.base.to_string();
    base == name || base.strip_suffix('_').is_some_and(|it| it == name)
}

fn merged(own: &OpSet, theirs: &OpSet, names: &[&str]) -> OpSet {
    let is_wanted = |it: &Overload| names.iter().any(|name| is_of(it, name));
    let taken: Vec<usize> =
        (0..theirs.overloads.len()).filter(|it| is_wanted(&theirs.overloads[*it])).collect();
    let mut all = own.clone();
    all.overloads.extend(taken.iter().map(|it| theirs.overloads[*it].clone()));
    let older = theirs.deprecated.iter().filter_map(|it| {
        let at = taken.iter().position(|taken| *taken == it.target)?;
        Some(Deprecated { target: own.overloads.len() + at, ..it.clone() })
    });
    all.deprecated.extend(older);
    let names: Vec<String> = own.rewrites.iter().map(|it| it.name.value.clone()).collect();
    let fitting = theirs.rewrites.iter().filter(|it| it.is_of(&all.overloads));
    all.rewrites.extend(fitting.filter(|it| !names.contains(&it.name.value)).cloned());
    all
}
