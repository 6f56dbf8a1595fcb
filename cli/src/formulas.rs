//! Contents of a derivatives file, and how much of it a crate could take.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use opwright_codegen::codes;
use opwright_codegen::fit::{Fitting, fit};
use opwright_codegen::library::Library;
use opwright_schema::OpSet;
use opwright_schema::derivatives::ForwardRule;
use serde::Serialize;

use crate::around::crate_around;
use crate::read::ReadOperators;

/// How many formulas there are, all of which parse.
#[derive(Serialize)]
pub(crate) struct FormulaCount {
    entries: usize,
    backward: usize,
    not_implemented: usize,
    non_differentiable: usize,
    forward: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    taken: Option<TakenFormulas>,
}

/// What the operators of a crate could take of it.
#[derive(Serialize)]
struct TakenFormulas {
    directory: String,
    /// Entries for operators that the crate has.
    entries: usize,
    /// Those of them that it could take as they stand.
    fit: usize,
    /// Operators and helpers that the others call and the crate lacks, with the number of calls.
    missing: BTreeMap<String, usize>,
    /// The operators of the others, and what is wrong with their formulas.
    refused: BTreeMap<String, Vec<String>>,
}

impl FormulaCount {
    /// Those of some operators; nothing if there are none. They are compared with the operators of
    /// the crate in a directory, or of the one around the working directory.
    pub(crate) fn of(ops: &OpSet, directory: Option<&Path>) -> Option<FormulaCount> {
        if ops.derivatives.is_empty() {
            return None;
        }
        let around = crate_around(Path::new("."));
        let taken = directory.or(around.as_deref()).and_then(|it| TakenFormulas::of(ops, it));
        let all = || ops.derivatives.iter().flat_map(|it| &it.formulas).map(|(_, it)| it);
        let backward = || all().flat_map(|it| &it.backward);
        let forward = all().flat_map(|it| &it.forward);
        let is_formula = |it: &ForwardRule| matches!(it, ForwardRule::Formula(_));
        Some(FormulaCount {
            entries: ops.derivatives.len(),
            backward: backward().filter(|it| !it.not_implemented).count(),
            not_implemented: backward().filter(|it| it.not_implemented).count(),
            non_differentiable: all().map(|it| it.non_differentiable.len()).sum(),
            forward: forward.filter(|it| is_formula(&it.rule)).count(),
            taken,
        })
    }

    pub(crate) fn text(&self) -> String {
        let FormulaCount {
            entries, backward, not_implemented, non_differentiable, forward, ..
        } = self;
        let mut text = format!(
            "{entries} entries of derivatives: {backward} backward and {forward} forward formulas; \
             {not_implemented} say `not_implemented`, {non_differentiable} `non_differentiable`\n"
        );
        if let Some(taken) = &self.taken {
            text.push_str(&taken.text());
        }
        text
    }
}

impl TakenFormulas {
    /// Nothing if the crate cannot be read.
    fn of(theirs: &OpSet, directory: &Path) -> Option<TakenFormulas> {
        let (library, _) = ReadOperators::library_of(directory)?;
        let fittings = fit(theirs, &library);
        let refused = fittings.iter().filter(|it| !it.problems.is_empty());
        let refused: BTreeMap<_, _> = refused.map(|it| refusal(&library, it)).collect();
        let mut missing = BTreeMap::new();
        let problems = fittings.iter().flat_map(|it| &it.problems);
        for problem in problems.filter(|it| it.code == codes::UNKNOWN_CALL) {
            // `there is no operator or helper `name``
            let name = problem.message.split('`').nth(1).unwrap_or_default();
            *missing.entry(name.to_owned()).or_default() += 1;
        }
        Some(TakenFormulas {
            directory: directory.display().to_string(),
            entries: fittings.len(),
            fit: fittings.len() - refused.len(),
            missing,
            refused,
        })
    }

    fn text(&self) -> String {
        let TakenFormulas { directory, entries, fit, missing, refused } = self;
        let mut text = format!(
            "the crate in `{directory}` has the operators of {entries} entries, and could take {fit} \
             of them as they stand\n"
        );
        for (name, count) in missing {
            let calls = if *count == 1 { "call" } else { "calls" };
            let _ = writeln!(text, "  it has no operator or helper `{name}` ({count} {calls})");
        }
        for (operator, problems) in refused {
            for problem in problems {
                let _ = writeln!(text, "  {operator}: {problem}");
            }
        }
        text
    }
}

fn refusal(library: &Library, fitting: &Fitting<'_>) -> (String, Vec<String>) {
    let name = library.ops.overloads[fitting.operator].schema.name.to_string();
    (name, fitting.problems.iter().map(|it| it.message.clone()).collect())
}
