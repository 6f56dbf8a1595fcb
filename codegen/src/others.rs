//! The operators and helpers of `opwright-ops`, as far as formulas of another crate can call them.

use opwright_diagnostics::Sources;
use opwright_diagnostics::diag::{Diagnostic, Diagnostics};
use opwright_schema::model::OpSet;

use crate::artifact;
use crate::codes;
use crate::helper::Helper;
use crate::reading::{LibrarySource, ReadFile, Theirs};

/// What `opwright-ops` has that formulas can call.
#[derive(Clone, Debug)]
pub enum Others {
    /// These operators and helpers.
    Known(Box<OpSet>, Vec<Helper>),
    /// Some, of which nothing is known yet.
    Unknown,
    /// None: the crate does not depend on that one, but could.
    None,
    /// None: the crate is no module.
    Never,
}

/// What formulas of the crate can call beside its own operators and helpers.
pub(crate) fn callable(
    cx: &mut Diagnostics,
    sources: &mut Sources,
    reading: &LibrarySource,
    read: &ReadFile<'_>,
) -> Others {
    let path = match &reading.theirs {
        Theirs::File(path) if reading.is_module => path,
        Theirs::Unbuilt if reading.is_module => return Others::Unknown,
        Theirs::Absent if reading.is_module => return Others::None,
        Theirs::File(_) | Theirs::Unbuilt | Theirs::Absent => return Others::Never,
    };
    let text = read(path).map_err(|error| error.to_string());
    let known = text.and_then(|text| {
        let helpers = artifact::helpers(&text)?;
        Ok(Others::Known(Box::new(artifact::operators(cx, sources, &text)?), helpers))
    });
    match known {
        Ok(known) => known,
        Err(problem) => {
            let message = format_args!("cannot read the operators of opwright-ops: {problem}");
            cx.push(Diagnostic::global(codes::NO_SET, message))
                .note(format_args!("they should stand in {}", path.display()))
                .help("let `opwright` and `opwright-codegen` have one version, and build again");
            Others::Unknown
        }
    }
}
