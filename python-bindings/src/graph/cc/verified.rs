//! Blocks in the debug mode: they leave what they enter, and give back what they borrow.

use std::mem::forget;

use opwright_graph::{Apply, Event, GraphError, Results, Violation};
use opwright_runtime::Result;
use opwright_runtime::op::Value;
use pyo3::prelude::*;

use super::super::failure::host as failed;
use super::block::{CBlock, Seen, objects};
use crate::raw;

/// So many references are held besides, so that code which gives back too many frees nothing.
const SPARE: usize = 16;

/// So often the code runs while references are counted; the first time it may keep something.
const ROUNDS: usize = 4;

impl CBlock {
    /// Its results, if its code does nothing behind our back.
    ///
    /// # Errors
    ///
    /// `Bad::Cleanup`; what the code raises.
    pub(super) fn verified(
        &self,
        py: Python<'_>,
        node: &Apply,
        inputs: &[Value],
    ) -> Result<Results, GraphError> {
        let pairs = node.inputs().iter().zip(inputs);
        let copies = pairs.map(|(variable, value)| variable.ty().deep_copy(value));
        let copies: Vec<Value> = copies.collect::<Result<_>>()?;
        let mut given = Held::of(objects(py, node, inputs).map_err(failed)?);
        let results = self.watched(py, node, &given);
        given.changes();
        let results = results?;
        self.count(py, node, Held::of(objects(py, node, &copies).map_err(failed)?))?;
        Ok(results)
    }

    /// Runs it, and looks whether each variable that it entered was cleaned up.
    fn watched(
        &self,
        py: Python<'_>,
        node: &Apply,
        given: &Held<'_>,
    ) -> Result<Results, GraphError> {
        let seen = Seen::default();
        let done = self.called(py, node, given.objects.clone(), Some(&seen));
        let seen: Vec<(Event, &str)> =
            seen.borrow().iter().filter_map(|it| self.block.event(it.0, it.1)).collect();
        let left: Vec<&str> = named(&seen, &[Event::Cleanup]);
        let mut kept = named(&seen, &[Event::Extract, Event::Init]);
        kept.retain(|it| !left.contains(it));
        if let (Some(last), false) = (seen.last(), kept.is_empty()) {
            return Err(bad(format!(
                "the C code of {} left its block behind `{} {}`, without the cleanup of {}",
                self.culprit(node),
                last.0.name(),
                last.1,
                kept.join(", ")
            )));
        }
        done.map_err(failed)
    }

    /// Runs it on the same objects again and again: what it takes it gives back.
    fn count<'py>(
        &self,
        py: Python<'py>,
        node: &Apply,
        mut given: Held<'py>,
    ) -> Result<(), GraphError> {
        given.add(py.None().into_bound(py));
        let mut found: Vec<isize> = Vec::new();
        for round in 0..ROUNDS {
            drop(self.watched(py, node, &given)?);
            let changes = given.changes();
            match round {
                0 => {}
                1 => found = changes,
                // What others do meanwhile is not the same each time.
                _ => found.iter_mut().zip(changes).for_each(|(it, own)| {
                    if *it != own {
                        *it = 0;
                    }
                }),
            }
        }
        let Some(at) = found.iter().position(|it| *it != 0) else { return Ok(()) };
        let what = match node.inputs().get(at) {
            Some(input) => format!("its input {input}"),
            None => "None".to_owned(),
        };
        let (count, how) = match found[at] {
            it if it > 0 => (it, "takes and does not give back"),
            it => (-it, "gives back and has not taken"),
        };
        let more = if count == 1 { "a reference" } else { "references" };
        let text = format!("the C code of {} {how} {more} to {what}", self.culprit(node));
        Err(bad(text))
    }

    /// The node that the block was made of.
    fn culprit(&self, node: &Apply) -> String {
        self.block.nodes().first().map_or_else(|| node.to_string(), |it| it.to_string())
    }
}

fn named<'a>(seen: &[(Event, &'a str)], events: &[Event]) -> Vec<&'a str> {
    seen.iter().filter(|it| events.contains(&it.0)).map(|it| it.1).collect()
}

fn bad(text: String) -> GraphError {
    GraphError::Violation(Violation::Cleanup, text)
}

/// Objects whose references are counted.
struct Held<'py> {
    objects: Vec<Bound<'py, PyAny>>,
    spare: Vec<Vec<Bound<'py, PyAny>>>,
    counts: Vec<isize>,
}

impl<'py> Held<'py> {
    fn of(objects: Vec<Bound<'py, PyAny>>) -> Held<'py> {
        let mut held = Held { objects: Vec::new(), spare: Vec::new(), counts: Vec::new() };
        objects.into_iter().for_each(|it| held.add(it));
        held
    }

    fn add(&mut self, object: Bound<'py, PyAny>) {
        self.spare.push(vec![object.clone(); SPARE]);
        self.objects.push(object);
        self.counts = self.counted();
    }

    fn counted(&self) -> Vec<isize> {
        self.objects.iter().map(raw::references).collect()
    }

    /// How many references there are more than the last time. Those that were taken from us are no
    /// longer ours to give back.
    fn changes(&mut self) -> Vec<isize> {
        let pairs = self.counted().into_iter().zip(&self.counts);
        let changes: Vec<isize> = pairs.map(|(now, before)| now - before).collect();
        for (spare, change) in self.spare.iter_mut().zip(&changes) {
            for lost in (*change..0).filter_map(|_| spare.pop()) {
                forget(lost);
            }
        }
        for (object, spare) in self.objects.iter().zip(&mut self.spare) {
            spare.resize(SPARE, object.clone());
        }
        self.counts = self.counted();
        changes
    }
}
