//! The types of results: what the Meta kernels of an operator say, asked several times where
//! extents are unknown.
//!
//! Each unknown extent gets numbers that have nothing in common, and what all answers agree on is
//! the type. Where nothing is unknown, one call says it, or fails as the call itself would.

mod answer;
mod assignments;
mod symbols;

use opwright_runtime::op::{Operator, Type};
use opwright_runtime::types::{Plain, TypeRef};
use opwright_runtime::{Error, Result};

use self::answer::Answer;
use self::assignments::Assignments;
use self::symbols::Symbols;
use crate::argument::Argument;
use crate::variable::Variable;

/// What is known of the results of a call.
pub struct Inferred {
    /// A type for each; a list of tensors has one for each of them.
    pub types: Vec<TypeRef>,
    /// For each result how many tensors it is, if it is a list of them.
    pub lists: Vec<Option<usize>>,
}

/// The types of the results of an overload.
///
/// # Errors
///
/// What the call would report; a rank or a number of results that hangs on what is unknown.
pub fn infer(
    row: &'static Operator,
    inputs: &[Variable],
    arguments: &[Argument],
) -> Result<Inferred> {
    let symbols = Symbols::of(inputs);
    if is_of_numbers(row, inputs, arguments) {
        let probe = Probe { row, inputs, arguments, symbols: &symbols, numbers: true };
        let answer = probe.ask(&vec![1; symbols.len()])?;
        if let Some(inferred) = answer.numbers() {
            return Ok(inferred);
        }
    }
    let probe = Probe { row, inputs, arguments, symbols: &symbols, numbers: false };
    probe.all()?.inferred(row)
}

/// Whether no tensor is among the arguments, but numbers stand for all that is wanted, at least one
/// of which is a variable.
fn is_of_numbers(row: &Operator, inputs: &[Variable], arguments: &[Argument]) -> bool {
    let is_number = |it: &Variable| it.ty().downcast::<Plain>().is_some_and(|it| it.is_number());
    let mut found = false;
    for (param, argument) in row.params.iter().zip(arguments) {
        match (param.slot.ty, argument) {
            (Type::Tensor | Type::Optional(Type::Tensor), Argument::Input(at)) => {
                if !is_number(&inputs[*at]) {
                    return false;
                }
                found |= inputs[*at].as_constant().is_none();
            }
            (Type::List(Type::Tensor, _), _) => return false,
            _ => {}
        }
    }
    found
}

/// An operator that is asked.
struct Probe<'a> {
    row: &'static Operator,
    inputs: &'a [Variable],
    arguments: &'a [Argument],
    symbols: &'a Symbols,
    numbers: bool,
}

impl Probe<'_> {
    /// What comes out if the symbols stand for these.
    fn ask(&self, assigned: &[i64]) -> Result<Answer> {
        let mut values = self.symbols.values(self, assigned)?;
        Answer::of((self.row.call)(&mut values)?)
    }

    /// What all answers have in common.
    fn all(&self) -> Result<Answer> {
        if self.symbols.is_empty() {
            return self.ask(&[]);
        }
        let assignments = Assignments::of(self);
        let mut common: Option<Answer> = None;
        let mut refused = None;
        let mut fitting: Vec<Vec<i64>> = Vec::new();
        for assigned in assignments.likely() {
            match self.ask(&assigned) {
                Ok(answer) => {
                    common = Some(answer.joined(common, self.row)?);
                    fitting.push(assigned);
                }
                Err(error) => {
                    refused.get_or_insert(error);
                }
            }
        }
        if fitting.is_empty() {
            for assigned in assignments.all() {
                if let Ok(answer) = self.ask(&assigned) {
                    common = Some(answer.joined(common, self.row)?);
                    fitting.push(assigned);
                }
            }
        }
        for assigned in Assignments::multiples(&fitting) {
            if let Ok(answer) = self.ask(&assigned) {
                common = Some(answer.joined(common, self.row)?);
            }
        }
        common.ok_or_else(|| hopeless(refused))
    }
}

#[cold]
fn hopeless(refused: Option<Error>) -> Error {
    match refused {
        Some(error) => {
            Error::new(error.kind(), format_args!("{error} (for every extent that was tried)"))
        }
        None => Error::runtime("there are no extents to try"),
    }
}
