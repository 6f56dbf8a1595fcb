//! One call of an operator, with what was passed and what came of it.

use std::any::Any;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::sample::Sample;
use super::state::TensorState;
use super::watch;
use crate::op::Value;
use crate::op::{Operator, Param};
use crate::{Error, Generator, Result, Tensor};

/// What a check ends with; the failure of a call that has to succeed is a problem, too.
pub(super) type Done = Result<(), CallFailure>;

/// Why a call came to nothing.
#[derive(Debug)]
pub(super) enum CallFailure {
    /// The operator said why.
    Refused(Error),
    /// It panicked, with this message.
    Panicked(String),
    /// It took too much time or memory, and was interrupted.
    Left(String),
}

/// A call that succeeded.
pub(super) struct Trial<'a> {
    pub(super) operator: &'a Operator,
    pub(super) sample: &'a Sample,
    /// For each parameter the tensors that were passed, and what they were.
    pub(super) passed: Vec<Vec<(Tensor, TensorState)>>,
    /// The arguments as the call left them.
    pub(super) values: Vec<Value>,
    /// What was returned.
    pub(super) results: Vec<Value>,
}

/// Makes a call with new arguments; random numbers start anew.
pub(super) fn run(
    operator: &Operator,
    sample: &Sample,
) -> Result<(Vec<Value>, Vec<Value>), CallFailure> {
    let mut values = sample.values()?;
    let results = call(operator, &mut values)?;
    Ok((values, results))
}

/// Calls an operator; random numbers start anew.
pub(super) fn call(operator: &Operator, values: &mut [Value]) -> Result<Vec<Value>, CallFailure> {
    Generator::default_cpu().manual_seed(1);
    let make = |values: &mut [Value]| catch_unwind(AssertUnwindSafe(|| (operator.call)(values)));
    let payload = match watch::call(operator, values, make) {
        Ok(results) => return Ok(results?.into_vec()),
        Err(payload) => payload,
    };
    match watch::why(payload.as_ref()) {
        Some(why) => Err(CallFailure::Left(why.to_owned())),
        None => Err(CallFailure::Panicked(message(payload.as_ref()))),
    }
}

fn message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|it| (*it).to_owned());
    let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
    text.unwrap_or_else(|| "without a message".to_owned())
}

impl<'a> Trial<'a> {
    /// Makes a call and keeps what there is to know about it.
    pub(super) fn attempt(operator: &'a Operator, sample: &'a Sample) -> Result<Self, CallFailure> {
        let mut values = sample.values()?;
        let keep = |it: &Tensor| TensorState::of(it).map(|state| (it.clone(), state));
        let passed: Result<Vec<Vec<_>>> =
            values.iter().map(|it| it.tensors().into_iter().map(keep).collect()).collect();
        let results = call(operator, &mut values)?;
        Ok(Trial { operator, sample, passed: passed?, values, results })
    }

    /// The parameters, with what was passed for each and what it is now.
    pub(super) fn params(
        &self,
    ) -> impl Iterator<Item = (&'a Param, &[(Tensor, TensorState)], Vec<&Tensor>)> {
        let now = self.values.iter().map(Value::tensors);
        self.operator.params.iter().zip(&self.passed).zip(now).map(|((a, b), c)| (a, &b[..], c))
    }

    /// All that the call produced: what it returned, else what it wrote to.
    pub(super) fn outcome(&self) -> Result<Vec<TensorState>> {
        TensorState::of_all(&produced(self.operator, &self.values, &self.results))
    }

    /// What another call produces.
    pub(super) fn again(&self, sample: &Sample) -> Result<Vec<TensorState>, CallFailure> {
        let (values, results) = run(self.operator, sample)?;
        Ok(TensorState::of_all(&produced(self.operator, &values, &results))?)
    }
}

/// The tensors that a call returned, and those that it wrote to.
pub(super) fn produced<'a>(
    operator: &Operator,
    values: &'a [Value],
    results: &'a [Value],
) -> Vec<&'a Tensor> {
    let written = operator.params.iter().zip(values).filter(|(param, _)| param.slot.writes);
    let written = written.flat_map(|(_, value)| value.tensors());
    results.iter().flat_map(Value::tensors).chain(written).collect()
}

impl From<Error> for CallFailure {
    fn from(error: Error) -> CallFailure {
        CallFailure::Refused(error)
    }
}

impl fmt::Display for CallFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CallFailure::Refused(error) => write!(f, "fails with: {error}"),
            CallFailure::Panicked(message) => write!(f, "panics: {message}"),
            CallFailure::Left(why) => f.write_str(why),
        }
    }
}
