//! Indices whose ends are known before the rounds of a counted loop: sums of its counter, of those of
//! the loops in it, of what moves by the same amount in each round, and of what does not change.
//!
//! From the least to the greatest such a sum moves by less than 2^63, as there are few terms, steps are
//! small, and few rounds lie between two questions whether to stop. So if both ends lie within an
//! extent, all in between do, although sums wrap.

use std::collections::BTreeSet;

use super::counted::{CountedLoop, InnerLoop, MAX_STEP, insts};
use crate::ir::{Def, Function, Inst, Opcode, Value};

/// A sum has so many terms at most.
const MAX_TERMS: usize = 8;

/// An index of which both ends are known before the rounds.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Index {
    /// What it is the sum of.
    pub(super) terms: Vec<AffineTerm>,
    pub(super) extent: Value,
}

/// A term of an index.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum AffineTerm {
    /// What does not change.
    Fixed(Value),
    /// The counter of the loop with this head.
    Counter(usize),
    /// A parameter of the outermost head, and what is added to it in each round.
    Moving(Value, Value),
}

/// The indices that are checked in a loop and those in it, and the results of these checks.
pub(super) fn find(
    function: &Function,
    outer: &CountedLoop,
    inner: &[InnerLoop],
    defined: &BTreeSet<Value>,
) -> (BTreeSet<Index>, BTreeSet<Value>) {
    let search = AffineSearch { function, outer, inner, defined };
    let mut indices = BTreeSet::new();
    let mut checked = BTreeSet::new();
    for block in &outer.blocks {
        for inst in insts(function, *block) {
            if let Some(index) = search.index(inst, *block)
                && let Some(result) = inst.results.first()
            {
                indices.insert(index);
                checked.insert(*result);
            }
        }
    }
    (indices, checked)
}

struct AffineSearch<'a> {
    function: &'a Function,
    outer: &'a CountedLoop,
    inner: &'a [InnerLoop],
    defined: &'a BTreeSet<Value>,
}

impl AffineSearch<'_> {
    fn index(&self, inst: &Inst, block: usize) -> Option<Index> {
        let Opcode::CheckIndex(_) = inst.op else { return None };
        let [index, extent] = inst.args[..] else { return None };
        let mut terms = Vec::new();
        (!self.defined.contains(&extent) && self.add(index, block, &mut terms)).then(|| {
            terms.sort_unstable();
            Index { terms, extent }
        })
    }

    /// Adds the terms of a value that is read in a block; whether all are known.
    fn add(&self, value: Value, block: usize, terms: &mut Vec<AffineTerm>) -> bool {
        if let Some(term) = self.term(value, block) {
            terms.push(term);
            return terms.len() <= MAX_TERMS;
        }
        match self.function.def(value) {
            Some(sum) if sum.op == Opcode::Add => {
                sum.args.iter().all(|it| self.add(*it, block, terms))
            }
            _ => false,
        }
    }

    fn term(&self, value: Value, block: usize) -> Option<AffineTerm> {
        if !self.defined.contains(&value) {
            return Some(AffineTerm::Fixed(value));
        }
        if value == self.outer.counter {
            return Some(AffineTerm::Counter(self.outer.head));
        }
        // Behind the rounds of a loop, and in its head, a counter may be beyond its last.
        let is_counter = |it: &&InnerLoop| {
            value == it.shape.counter && block != it.shape.head && it.shape.blocks.contains(&block)
        };
        if let Some(inner) = self.inner.iter().find(is_counter) {
            return Some(AffineTerm::Counter(inner.shape.head));
        }
        self.step(value).map(|step| AffineTerm::Moving(value, step))
    }

    /// What is added in each round to a parameter of the outermost head, if that does not change, or
    /// is a small number.
    fn step(&self, value: Value) -> Option<Value> {
        let Def::Param(head) = self.function.values[value.0 as usize].def else { return None };
        if head.0 as usize != self.outer.head {
            return None;
        }
        let at = self.function.block(head).params.iter().position(|it| *it == value)?;
        let sum = self.function.def(self.outer.next(self.function, at)?)?;
        let step = match (sum.op, &sum.args[..]) {
            (Opcode::Add, [a, b]) if *a == value => *b,
            (Opcode::Add, [a, b]) if *b == value => *a,
            _ => return None,
        };
        let is_small = |it: u64| it.cast_signed().unsigned_abs() <= MAX_STEP;
        let is_known = !self.defined.contains(&step);
        (is_known && self.function.constant(step).is_none_or(is_small)).then_some(step)
    }
}
