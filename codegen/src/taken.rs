//! Operators of `opwright-ops` that a crate takes into its own Python module.
//!
//! They are read from where that crate lies, so that signatures, overloads and
//! stubs are made of all operators together; their kernels stay where they are.

use std::path::Path;

use opwright_schema::diag::Diagnostics;
use opwright_schema::model::{Deprecated, OpSet, Overload, SourceId, Span};

use crate::cfg::Config;
use crate::codes;
use crate::module::Wanted;
use crate::reading::{Reading, plain};

/// The folder in which this crate, `opwright-ops` and its operators lie.
const HOME: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// Where the operators that can be taken in are read from.
pub(crate) fn reading() -> Reading {
    let home = plain(Path::new(HOME));
    Reading {
        yaml: vec![home.join("native_functions.yaml")],
        crate_root: home.join("ops/src/lib.rs"),
        config: Config::of_host(),
        ..Reading::default()
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
    let is_sound = |it: &&Wanted| {
        let span = Span::new(root, it.place.clone());
        check(cx, it, &span, own, theirs)
    };
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
    all
}
