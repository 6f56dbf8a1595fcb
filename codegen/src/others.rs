//! The operators of `opwright-ops`, as far as formulas of another crate can call them.

use opwright_schema::Sources;
use opwright_schema::diag::{Diagnostic, Diagnostics};
use opwright_schema::model::OpSet;

use crate::artifact;
use crate::codes;
use crate::reading::{Read, Reading, Theirs};

/// The operators of `opwright-ops` as far as formulas can call them.
#[derive(Clone, Debug)]
pub enum Others {
    /// These.
    Known(Box<OpSet>),
    /// Some, of which nothing is known yet.
    Unknown,
    /// None: the crate does not depend on that one, but could.
    None,
    /// None: the crate is no module.
    Never,
}

/// The operators that formulas of the crate can call beside its own.
pub(crate) fn callable(
    cx: &mut Diagnostics,
    sources: &mut Sources,
    reading: &Reading,
    read: &Read<'_>,
) -> Others {
    let path = match &reading.theirs {
        Theirs::File(path) if reading.is_module => path,
        Theirs::Unbuilt if reading.is_module => return Others::Unknown,
        Theirs::Absent if reading.is_module => return Others::None,
        Theirs::File(_) | Theirs::Unbuilt | Theirs::Absent => return Others::Never,
    };
    let text = read(path).map_err(|error| error.to_string());
    match text.and_then(|text| artifact::operators(cx, sources, &text)) {
        Ok(ops) => Others::Known(Box::new(ops)),
        Err(problem) => {
            let message = format_args!("cannot read the operators of opwright-ops: {problem}");
            cx.push(Diagnostic::global(codes::NO_SET, message))
                .note(format_args!("they should stand in {}", path.display()))
                .help("let `opwright` and `opwright-codegen` have one version, and build again");
            Others::Unknown
        }
    }
}
