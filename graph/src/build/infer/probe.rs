//! Probing of a Meta kernel with trial values for unknown extents.

use opwright_runtime::op::Operator;
use opwright_runtime::{Error, ErrorKind, Result};

use super::assignments::{self, Assignments};
use super::inferred::{Differs, ResultTypes};
use super::refusal::refusal;
use super::symbols::{Symbol, Symbols};
use crate::model::argument::NodeArgument;
use crate::model::fit::NumberPolicy;
use crate::model::variable::Variable;

/// An operator that is asked.
pub(super) struct Probe<'a> {
    pub(super) row: &'static Operator,
    pub(super) inputs: &'a [Variable],
    pub(super) arguments: &'a [NodeArgument],
    pub(super) symbols: &'a Symbols,
    pub(super) numbers: NumberPolicy,
}

/// What the calls so far have in common, and with which numbers they came.
#[derive(Default)]
struct Common {
    types: Option<ResultTypes>,
    fitting: Vec<Vec<i64>>,
    refused: Option<Error>,
    reads: Option<Error>,
}

impl Probe<'_> {
    /// What comes out if the symbols stand for these.
    pub(super) fn ask(&self, assigned: &[i64]) -> Result<ResultTypes> {
        let mut values = self.symbols.values(self.row, self.arguments, self.numbers, assigned)?;
        ResultTypes::of(&(self.row.call)(&mut values)?)
    }

    /// What all calls have in common.
    pub(super) fn all(&self) -> Result<ResultTypes> {
        if self.symbols.is_empty() {
            return self.ask(&[]);
        }
        let assignments = Assignments::of(self.symbols, self.inputs, self.arguments);
        let mut common = Common::default();
        self.join(assignments.likely(), &mut common)?;
        if common.fitting.is_empty() {
            self.join(assignments.all(), &mut common)?;
        }
        self.join(assignments.empty(&common.fitting), &mut common)?;
        let around = assignments.around(&common.fitting);
        self.join(around, &mut common)?;
        // What reads elements took the extents.
        common.types.ok_or_else(|| common.reads.unwrap_or_else(|| self.refused(common.refused)))
    }

    fn join(&self, assignments: Vec<Vec<i64>>, common: &mut Common) -> Result<()> {
        for assigned in assignments {
            let types = match self.ask(&assigned) {
                Ok(types) => types,
                Err(error) => {
                    let kept = if reads(&error) { &mut common.reads } else { &mut common.refused };
                    kept.get_or_insert(error);
                    continue;
                }
            };
            common.types = Some(match common.types.take() {
                None => types,
                Some(before) => types
                    .joined(before)
                    .map_err(|differs| self.depends(differs, common.fitting.first(), &assigned))?,
            });
            common.fitting.push(assigned);
        }
        Ok(())
    }

    /// The error if no extents fit.
    #[cold]
    fn refused(&self, first: Option<Error>) -> Error {
        let [one, other] = assignments::PRIMES.map(|it| self.ask(&vec![it; self.symbols.len()]));
        match (one, other) {
            (Err(one), Err(other)) => refusal(&one, &other),
            _ => first.unwrap_or_else(|| Error::runtime("there are no extents to try")),
        }
    }

    /// The error for a number of parts, a dtype or a rank that depends on a symbol.
    #[cold]
    fn depends(&self, differs: Differs, one: Option<&Vec<i64>>, other: &[i64]) -> Error {
        let named = one.and_then(|one| self.culprit(one, other)).map(|it| self.named(it));
        let (on, which) = match named {
            Some((param, Some(dim))) => (format!("dimension {dim} of '{param}'"), "which is"),
            Some((param, None)) => (format!("the value of '{param}'"), "which is"),
            None => ("extents".to_owned(), "some of which are"),
        };
        Error::wrong_type(format_args!(
            "the {} depends on {on}, {which} unknown; declare it with specify_shape(x, (n, ...))",
            differs.text()
        ))
    }

    /// The symbol that alone makes the difference between two assignments.
    fn culprit(&self, one: &[i64], other: &[i64]) -> Option<&Symbol> {
        let first = self.ask(one).ok()?;
        let makes_it = |at: &usize| {
            let mut changed = one.to_vec();
            changed[*at] = other[*at];
            self.ask(&changed).is_ok_and(|it| it.joined(first.clone()).is_err())
        };
        let differing = (0..one.len()).filter(|at| one[*at] != other[*at]);
        let candidates: Vec<usize> = differing.collect();
        let found = candidates.iter().copied().find(makes_it).or(candidates.first().copied())?;
        self.symbols.iter().nth(found)
    }

    /// The parameter of a symbol, and the dimension of a tensor.
    fn named(&self, symbol: &Symbol) -> (&'static str, Option<usize>) {
        let names = |argument: &NodeArgument| {
            let mut found = false;
            argument.each_input(&mut |at| found |= at == symbol.input);
            found
        };
        let at = self.arguments.iter().position(names).unwrap_or(0);
        (self.row.params.get(at).map_or("", |it| it.slot.name), symbol.dim)
    }
}

/// Whether a call failed as it reads elements, which tensors on Meta have not.
pub(super) fn reads(error: &Error) -> bool {
    error.kind() == ErrorKind::NotImplemented
}
