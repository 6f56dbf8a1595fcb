//! The types of results: what the Meta kernels of an operator say, asked several times where
//! extents are unknown.
//!
//! Each unknown extent gets numbers that have nothing in common, and what all answers agree on is
//! the type. Where nothing is unknown, one call says it, or fails as the call itself would.

mod answer;
mod assignments;
mod cache;
mod masks;
mod pattern;
mod reading;
mod refusal;
mod symbols;

use opwright_runtime::op::{Operator, Type, Value};
use opwright_runtime::types::{Plain, TypeRef};
use opwright_runtime::{Error, ErrorKind, Result};

use self::answer::{Answer, Differs};
use self::assignments::Assignments;
use self::cache::Asked;
use self::refusal::refusal;
use self::symbols::{Elements, Symbol, Symbols};
use crate::model::argument::Argument;
use crate::model::fit::Numbers;
use crate::model::variable::Variable;

/// What is known of the results of a call.
#[derive(Clone)]
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
    let asked = Asked::of(row, inputs, arguments);
    if let Some(known) = asked.as_ref().and_then(cache::find) {
        return Ok(known);
    }
    let inferred = uncached(row, inputs, arguments).map_err(|it| it.in_op(row.base_name()))?;
    if let Some(asked) = asked {
        cache::keep(asked, &inferred);
    }
    Ok(inferred)
}

/// The strides of a result, in elements, of a call of inputs in row-major order; nothing if an extent
/// is unknown.
pub(crate) fn strides(
    row: &'static Operator,
    inputs: &[Variable],
    arguments: &[Argument],
    result: usize,
) -> Option<Vec<i64>> {
    let symbols = Symbols::of(row, inputs, arguments, Elements::Unread).ok()?;
    if !symbols.is_empty() {
        return None;
    }
    let mut values = symbols.values(row, arguments, Numbers::GiveWay, &[]).ok()?;
    match (row.call)(&mut values).ok()?.get(result)? {
        Value::Tensor(it) => Some(it.strides().to_vec()),
        _ => None,
    }
}

fn uncached(
    row: &'static Operator,
    inputs: &[Variable],
    arguments: &[Argument],
) -> Result<Inferred> {
    if let Some((inputs, arguments)) = masks::as_places(row, inputs, arguments) {
        return uncached(row, &inputs, &arguments);
    }
    let symbols = Symbols::of(row, inputs, arguments, Elements::Unread)?;
    if is_of_numbers(row, inputs, arguments) {
        let probe = Probe { row, inputs, arguments, symbols: &symbols, numbers: Numbers::Count };
        let answer = probe.ask(&vec![1; symbols.len()])?;
        if let Some(inferred) = answer.numbers() {
            return Ok(inferred);
        }
    }
    let probe = Probe { row, inputs, arguments, symbols: &symbols, numbers: Numbers::GiveWay };
    match (probe.all(), row.types) {
        (Ok(answer), _) => Ok(answer.inferred()),
        (Err(_), Some(types)) => pattern::inferred(row, types, inputs, arguments),
        (Err(error), None) if reads(&error) => reading::inferred(row, inputs, arguments, error),
        (Err(error), None) => Err(error),
    }
}

/// Whether a call failed as it reads elements, which tensors on Meta have not.
fn reads(error: &Error) -> bool {
    error.kind() == ErrorKind::NotImplemented
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
    numbers: Numbers,
}

/// What the answers so far have in common, and with which numbers they came.
#[derive(Default)]
struct Common {
    answer: Option<Answer>,
    fitting: Vec<Vec<i64>>,
    refused: Option<Error>,
    reads: Option<Error>,
}

impl Probe<'_> {
    /// What comes out if the symbols stand for these.
    fn ask(&self, assigned: &[i64]) -> Result<Answer> {
        let mut values = self.symbols.values(self.row, self.arguments, self.numbers, assigned)?;
        Answer::of(&(self.row.call)(&mut values)?)
    }

    /// What all answers have in common.
    fn all(&self) -> Result<Answer> {
        if self.symbols.is_empty() {
            return self.ask(&[]);
        }
        let assignments = Assignments::of(self);
        let mut common = Common::default();
        self.join(assignments.likely(), &mut common)?;
        if common.fitting.is_empty() {
            self.join(assignments.all(), &mut common)?;
        }
        self.join(assignments.empty(&common.fitting), &mut common)?;
        let around = assignments.around(&common.fitting);
        self.join(around, &mut common)?;
        // What reads elements took the extents.
        common.answer.ok_or_else(|| common.reads.unwrap_or_else(|| self.refused(common.refused)))
    }

    fn join(&self, assignments: Vec<Vec<i64>>, common: &mut Common) -> Result<()> {
        for assigned in assignments {
            let answer = match self.ask(&assigned) {
                Ok(answer) => answer,
                Err(error) => {
                    let kept = if reads(&error) { &mut common.reads } else { &mut common.refused };
                    kept.get_or_insert(error);
                    continue;
                }
            };
            common.answer = Some(match common.answer.take() {
                None => answer,
                Some(before) => answer
                    .joined(before)
                    .map_err(|differs| self.hangs(differs, common.fitting.first(), &assigned))?,
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

    /// The error for a number of parts, a dtype or a rank that hangs on a symbol.
    #[cold]
    fn hangs(&self, differs: Differs, one: Option<&Vec<i64>>, other: &[i64]) -> Error {
        let named = one.and_then(|one| self.culprit(one, other)).map(|it| self.named(it));
        let (on, which) = match named {
            Some((param, Some(dim))) => (format!("dimension {dim} of '{param}'"), "which is"),
            Some((param, None)) => (format!("the value of '{param}'"), "which is"),
            None => ("extents".to_owned(), "some of which are"),
        };
        Error::wrong_type(format_args!(
            "the {} hangs on {on}, {which} unknown; say it with specify_shape(x, (n, ...))",
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
        let names = |argument: &Argument| {
            let mut found = false;
            argument.each_input(&mut |at| found |= at == symbol.input);
            found
        };
        let at = self.arguments.iter().position(names).unwrap_or(0);
        (self.row.params.get(at).map_or("", |it| it.slot.name), symbol.dim)
    }
}
