//! Search for sample calls that an operator takes, and variants of them.

use std::collections::BTreeSet;

use super::candidates::Candidates;
use super::elements::{SampleElements, SampleLayout};
use super::sample::{Sample, SampleArg};
use super::trial::{CallFailure, produced, run};
use crate::op::{Constant, Operator, Type, Value};
use crate::{DType, Draws, Generator};

/// How many calls are tried until enough are found.
const ATTEMPTS: usize = 6000;

/// How many are tried until one is found.
const ATTEMPTS_FOR_ONE: usize = 10 * ATTEMPTS;

/// From so many elements on a loop is worth several threads.
const LARGE: f64 = 17_000.0;

/// A call that produces more elements than this takes too long for a test.
const TOO_LARGE: usize = 1 << 20;

/// So does one of several tensors that may take each result from so many pairs of it and an input.
const TOO_MANY_PAIRS: usize = 1 << 29;

/// The kind of calls that are made with one thread and with several.
pub(super) const LARGE_KIND: &str = "large";

/// After so many calls that took too much no more of an operator are looked for.
const MOST_LEFT: usize = 3;

/// What came of the search.
#[derive(Default)]
pub(super) struct FoundSample {
    /// Calls that the operator takes.
    pub(super) samples: Vec<Sample>,
    /// Calls that ended in a panic, with its message.
    pub(super) panics: Vec<(Sample, String)>,
    /// Calls that the operator takes and should not, with the reason.
    pub(super) taken: Vec<(Sample, String)>,
    /// Calls that took too much time or memory, with the reason.
    pub(super) left: Vec<(Sample, String)>,
}

impl FoundSample {
    /// Looks for calls, and for variants of the first `seeds` ones.
    pub(super) fn of(operator: &Operator, candidates: &Candidates, seeds: usize) -> FoundSample {
        let mut found = FoundSample::default();
        let mut known = BTreeSet::new();
        for seed in found.seeds(operator, candidates, seeds) {
            for sample in variants(&seed) {
                if found.gives_up() {
                    return found;
                }
                let is_new = known.insert(sample.shown(operator));
                if is_new && is_quick(operator, &sample) && found.takes(operator, &sample) {
                    found.samples.push(sample);
                }
            }
        }
        found
    }

    pub(super) fn seeds(
        &mut self,
        operator: &Operator,
        candidates: &Candidates,
        count: usize,
    ) -> Vec<Sample> {
        let mut known = BTreeSet::new();
        let tables = [
            candidates.of(operator),
            candidates.also_unusual(operator),
            candidates.of_images(operator),
        ];
        let mut said = candidates.calls(operator);
        let mut seeds = Vec::new();
        for attempt in 0..ATTEMPTS_FOR_ONE + ATTEMPTS {
            let (table, attempt) = match attempt {
                ..ATTEMPTS => (&tables[0], attempt),
                _ if !seeds.is_empty() || !said.is_empty() => break,
                ATTEMPTS..ATTEMPTS_FOR_ONE => (&tables[1], attempt),
                _ => (&tables[2], attempt - ATTEMPTS_FOR_ONE),
            };
            let Some(sample) = guess(operator, table, attempt) else { break };
            if known.insert(sample.shown(operator)) && self.takes(operator, &sample) {
                seeds.push(sample);
            }
            if seeds.len() == count || self.gives_up() {
                break;
            }
        }
        if seeds.is_empty() {
            said.truncate(count);
            said.retain(|it| self.takes(operator, it));
            seeds = said;
        }
        seeds
    }

    /// Makes calls that are wrong on purpose.
    pub(super) fn make_wrong_calls(&mut self, operator: &Operator) {
        for sample in self.samples.first().map(hostile).unwrap_or_default() {
            if self.gives_up() {
                return;
            }
            self.takes(operator, &sample);
        }
        for (sample, text) in
            self.samples.first().map(|it| outside(operator, it)).unwrap_or_default()
        {
            if !self.gives_up() && self.takes(operator, &sample) {
                self.taken.push((sample, text));
            }
        }
    }

    /// Whether too many calls took too much.
    pub(super) fn gives_up(&self) -> bool {
        self.left.len() >= MOST_LEFT
    }

    fn takes(&mut self, operator: &Operator, sample: &Sample) -> bool {
        match run(operator, sample) {
            Ok(_) => true,
            Err(CallFailure::Refused(_)) => false,
            Err(CallFailure::Panicked(message)) => {
                self.panics.push((sample.clone(), message));
                false
            }
            Err(CallFailure::Left(why)) => {
                self.left.push((sample.clone(), why));
                false
            }
        }
    }
}

/// Whether a call with large tensors produces no too large ones, as far as the meta device tells, nor
/// is a convolution with a kernel as large as the image.
fn is_quick(operator: &Operator, sample: &Sample) -> bool {
    if sample.kind != LARGE_KIND {
        return true;
    }
    let Ok((values, results)) = run(operator, &sample.on_meta()) else { return true };
    let count: usize = produced(operator, &values, &results).iter().map(|it| it.numel()).sum();
    let inputs = sample.elements();
    let most = inputs.iter().map(|it| it.shape.iter().product::<i64>()).max().unwrap_or(0);
    let pairs = if inputs.len() > 1 { count.saturating_mul(most as usize) } else { 0 };
    count <= TOO_LARGE && pairs <= TOO_MANY_PAIRS
}

/// Arguments that fit by type; the first attempts leave out what has a default. None if there are
/// no values of some type.
fn guess(operator: &Operator, tables: &[Vec<SampleArg>], attempt: usize) -> Option<Sample> {
    let mut dice = Dice::new(attempt);
    let mut given = Vec::new();
    let mut last_tensor = None;
    for (param, table) in operator.params.iter().zip(tables) {
        let leaves_out = dice.roll() > attempt as f64 / ATTEMPTS as f64;
        // The tensors of a call are often alike.
        let repeats = dice.roll() < 0.5 && !param.is_out;
        let value = match (param.default, &last_tensor) {
            (Some(default), _) if leaves_out || table.is_empty() => {
                SampleArg::Value(default.value())
            }
            (None, Some(last)) if repeats && param.slot.ty == Type::Tensor => {
                SampleArg::clone(last)
            }
            _ => table.get(dice.index(table.len()))?.clone(),
        };
        last_tensor = Some(value.clone()).filter(SampleArg::is_tensor).or(last_tensor);
        given.push(value);
    }
    Some(Sample { given, kind: "small" })
}

/// Random numbers that are the same each time.
struct Dice {
    draws: Draws,
    next: u64,
    /// How far from the first of several an index is on average, as a share of them.
    spread: f64,
}

impl Dice {
    fn new(seed: usize) -> Self {
        // The first attempt is the likeliest: the first value of each type.
        let spread = if seed == 0 { 0.0 } else { 1.0 / 3.0 };
        Dice { draws: Generator::new(seed as u64).reserve(1 << 10), next: 0, spread }
    }

    /// From 0 to below 1.
    fn roll(&mut self) -> f64 {
        self.next += 1;
        self.draws.unit_f64(self.next)
    }

    /// An index; small ones are likelier.
    fn index(&mut self, count: usize) -> usize {
        let index = -(1.0 - self.roll()).ln() * count as f64 * self.spread;
        (index as usize).min(count.saturating_sub(1))
    }
}

/// The call, and others made from it.
fn variants(seed: &Sample) -> Vec<Sample> {
    let mut all = vec![seed.clone()];
    let elements = seed.elements();
    let Some(first) = elements.first().map(|it| it.dtype) else { return all };
    for dtype in DType::ALL {
        let cast =
            |it: &SampleElements| if it.dtype == first { it.cast(dtype) } else { it.clone() };
        all.push(seed.changed(dtype.name(), &cast));
    }
    for layout in SampleLayout::UNUSUAL {
        all.push(seed.changed(layout.name(), &|it| it.laid_out(layout)));
    }
    all.push(seed.changed("no elements", &|it| it.stretched(&emptied(&it.shape))));
    all.push(seed.changed("no dimensions", &|it| it.stretched(&[])));
    all.extend(broadcast(seed));
    let length = large_length(&elements);
    all.push(seed.changed(LARGE_KIND, &|it| it.stretched(&enlarged(&it.shape, length))));
    all
}

fn emptied(shape: &[i64]) -> Vec<i64> {
    shape.iter().enumerate().map(|(dim, &size)| if dim == 0 { 0 } else { size }).collect()
}

/// The last tensor has one element along its last dimension.
fn broadcast(seed: &Sample) -> Option<Sample> {
    let last = seed.given.iter().rposition(SampleArg::is_tensor)?;
    let SampleArg::Tensor(elements) = &seed.given[last] else { return None };
    let mut shape = elements.shape.clone();
    *shape.last_mut()? = 1;
    let narrow = SampleArg::Tensor(elements.stretched(&shape));
    Some(Sample { kind: "broadcast", ..seed.with(last, narrow) })
}

/// How long dimensions of two elements become, all alike, so that they still fit each other.
fn large_length(elements: &[&SampleElements]) -> i64 {
    let long = |it: &&&SampleElements| it.shape.iter().filter(|it| **it == 2).count();
    let most = elements.iter().map(|it| long(&it)).max().unwrap_or(0).max(1);
    LARGE.powf(1.0 / most as f64).ceil() as i64
}

fn enlarged(shape: &[i64], length: i64) -> Vec<i64> {
    shape.iter().map(|&size| if size == 2 { length } else { size }).collect()
}

/// Calls that are wrong in one argument each.
fn hostile(seed: &Sample) -> Vec<Sample> {
    let mut all = Vec::new();
    for (idx, given) in seed.given.iter().enumerate() {
        let wrong = wrong_values(given);
        all.extend(wrong.into_iter().map(|it| Sample { kind: "wrong", ..seed.with(idx, it) }));
    }
    all
}

/// Calls with a number out of its declared range each, and what is wrong if they are taken.
fn outside(operator: &Operator, seed: &Sample) -> Vec<(Sample, String)> {
    let mut all = Vec::new();
    for (idx, param) in operator.params.iter().enumerate() {
        let Some((least, greatest)) = param.range else { continue };
        let numbers = [beside(least, -1), beside(greatest, 1)];
        for number in numbers.into_iter().flatten() {
            let name = param.slot.name;
            let (least, greatest) =
                (SampleArg::Value(least.value()), SampleArg::Value(greatest.value()));
            let text = format!("takes `{name}` out of its declared range, {least} to {greatest}");
            let sample = Sample { kind: "wrong", ..seed.with(idx, SampleArg::Value(number)) };
            all.push((sample, text));
        }
    }
    all
}

/// A number that is a little less, or greater.
fn beside(end: Constant, side: i64) -> Option<Value> {
    match end {
        Constant::Int(it) => it.checked_add(side).map(Value::Int),
        Constant::Float(it) => {
            let step = (it.abs() * 1e-3).max(1e-3);
            Some(Value::Float(it + step * side as f64))
        }
        _ => None,
    }
}

fn wrong_values(given: &SampleArg) -> Vec<SampleArg> {
    let values = |values: &[Value]| values.iter().cloned().map(SampleArg::Value).collect();
    match given {
        SampleArg::Tensor(it) => {
            let other = |shape: &[i64]| SampleArg::Tensor(it.stretched(shape));
            let mut all = vec![given.on_meta(), other(&[]), other(&[0]), other(&[3, 5, 1, 7])];
            all.extend(DType::ALL.map(|dtype| SampleArg::Tensor(it.cast(dtype))));
            all
        }
        SampleArg::Value(Value::Int(_)) => values(&[i64::MIN, i64::MAX, -7, 7].map(Value::Int)),
        SampleArg::Value(Value::Float(_)) => {
            values(&[f64::NAN, f64::INFINITY, -1e300].map(Value::Float))
        }
        SampleArg::Value(Value::Str(_)) => {
            values(&["", "no such word"].map(|it| Value::Str(it.into())))
        }
        SampleArg::Value(Value::List(items)) => {
            let mut lists = vec![Value::List(vec![])];
            if let Some(Value::Int(_)) = items.first() {
                let list = |it: &[i64]| Value::List(it.iter().copied().map(Value::Int).collect());
                lists.extend([list(&[-7]), list(&[i64::MAX, 2]), list(&[0; 9]), list(&[i64::MIN])]);
            }
            values(&lists)
        }
        SampleArg::List(items) => {
            let first = items.first().map(wrong_values).unwrap_or_default();
            let mut all: Vec<SampleArg> =
                first.into_iter().map(|it| SampleArg::List(vec![it])).collect();
            all.push(SampleArg::List(vec![]));
            all
        }
        SampleArg::Value(_)
        | SampleArg::OnMeta(_)
        | SampleArg::Storage(_)
        | SampleArg::Generator(_) => Vec::new(),
    }
}
