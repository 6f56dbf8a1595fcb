//! Value-range analysis of integers: ranges, and differences of two of them.
//!
//! Differences are the inequality graph of ABCD (Bodik, Gupta and Sarkar, "ABCD: Eliminating
//! Array Bounds Checks on Demand", 2000): an edge from `a` to `b` of weight `w` is the fact
//! `a - b <= w`, and a path is the fact of the sum of its weights. Facts are of mathematical
//! numbers, so `x + c` is taken apart only where its range excludes that it wraps. They hold in a
//! scope, a part of the dominator tree, and are taken back with it.

use smallvec::SmallVec;

use crate::ir::{Cond, Def, Function, Opcode, Value};
use crate::types::Prim;

/// How many edges a proof may look at.
const MAX_EDGES: usize = 32;

/// How deep conditions and sums are looked into.
const MAX_DEPTH: usize = 4;

/// The facts that hold at a point.
pub(super) struct Ranges {
    ranges: Vec<(i64, i64)>,
    edges: Vec<SmallVec<[(Value, i128); 2]>>,
    log: Vec<Undo>,
}

enum Undo {
    Range(Value, (i64, i64)),
    Edge(Value),
}

impl Ranges {
    pub(super) fn new(function: &Function) -> Ranges {
        let range = |prim, def| match (def, prim) {
            (Def::Const(bits), _) => (bits.cast_signed(), bits.cast_signed()),
            (_, Prim::Bool) => (0, 1),
            _ => (i64::MIN, i64::MAX),
        };
        Ranges {
            ranges: function.values.iter().map(|it| range(it.prim, it.def)).collect(),
            edges: vec![SmallVec::new(); function.values.len()],
            log: Vec::new(),
        }
    }

    /// A point to take facts back to.
    pub(super) fn mark(&self) -> usize {
        self.log.len()
    }

    /// Takes back what was learned since.
    pub(super) fn rewind(&mut self, mark: usize) {
        for undo in self.log.drain(mark..).rev() {
            match undo {
                Undo::Range(value, range) => self.ranges[value.0 as usize] = range,
                Undo::Edge(value) => {
                    self.edges[value.0 as usize].pop();
                }
            }
        }
    }

    /// The least and the greatest that a value may be.
    pub(super) fn range(&self, function: &Function, value: Value) -> (i64, i64) {
        if let Some(bits) = function.constant(value) {
            return (bits.cast_signed(), bits.cast_signed());
        }
        let (low, high) = self.ranges[value.0 as usize];
        let Some((of, by)) = sum(function, value) else { return (low, high) };
        let (of_low, of_high) = self.ranges[of.0 as usize];
        match (of_low.checked_add(by), of_high.checked_add(by)) {
            (Some(of_low), Some(of_high)) => (low.max(of_low), high.min(of_high)),
            _ => (low, high),
        }
    }

    /// Notes that a value is within a range.
    pub(super) fn restrict(&mut self, value: Value, low: i64, high: i64) {
        let Some(before) = self.ranges.get(value.0 as usize).copied() else { return };
        let after = (before.0.max(low), before.1.min(high));
        if after != before {
            self.ranges[value.0 as usize] = after;
            self.log.push(Undo::Range(value, before));
        }
    }

    /// A value as another one, or zero, and a constant to add, if that does not wrap.
    fn split(&self, function: &Function, mut value: Value) -> (Option<Value>, i128) {
        let mut added = 0;
        for _ in 0..MAX_DEPTH {
            if let Some(bits) = function.constant(value) {
                return (None, added + i128::from(bits.cast_signed()));
            }
            let Some((of, by)) = sum(function, value) else { break };
            let (low, high) = self.range(function, of);
            if low.checked_add(by).is_none() || high.checked_add(by).is_none() {
                break;
            }
            added += i128::from(by);
            value = of;
        }
        (Some(value), added)
    }

    /// Notes that the first is at most the second plus a number.
    pub(super) fn learn(&mut self, function: &Function, a: Value, b: Value, by: i64) {
        let (low, high) = (self.range(function, a).0, self.range(function, b).1);
        self.restrict_sum(function, a, i64::MIN, high.saturating_add(by));
        self.restrict_sum(function, b, low.saturating_sub(by), i64::MAX);
        if let ((Some(first), plus), (Some(second), other)) =
            (self.split(function, a), self.split(function, b))
            && first != second
        {
            self.edges[first.0 as usize].push((second, i128::from(by) + other - plus));
            self.log.push(Undo::Edge(first));
        }
    }

    /// Notes the range of a value, and what follows for what it is a sum of.
    fn restrict_sum(&mut self, function: &Function, value: Value, low: i64, high: i64) {
        self.restrict(value, low, high);
        if let (Some(of), by) = self.split(function, value)
            && of != value
        {
            let clamp = |it: i64| {
                let shifted = i128::from(it) - by;
                shifted.clamp(i128::from(i64::MIN), i128::from(i64::MAX)) as i64
            };
            let low = if low == i64::MIN { low } else { clamp(low) };
            let high = if high == i64::MAX { high } else { clamp(high) };
            self.restrict(of, low, high);
        }
    }

    /// Whether the first is known to be at most the second plus a number.
    pub(super) fn proves(&self, function: &Function, a: Value, b: Value, by: i64) -> bool {
        let (high, low) = (self.range(function, a).1, self.range(function, b).0);
        if i128::from(high) - i128::from(low) <= i128::from(by) {
            return true;
        }
        let (first, plus) = self.split(function, a);
        let (second, other) = self.split(function, b);
        let by = i128::from(by) + other - plus;
        match (first, second) {
            (Some(first), Some(second)) => {
                let low = i128::from(self.range(function, second).0);
                self.has_path(function, first, (second, low), by, &mut { MAX_EDGES }, MAX_DEPTH)
            }
            _ => false,
        }
    }

    fn has_path(
        &self,
        function: &Function,
        from: Value,
        to: (Value, i128),
        by: i128,
        left: &mut usize,
        depth: usize,
    ) -> bool {
        if from == to.0 {
            return by >= 0;
        }
        if i128::from(self.range(function, from).1) - to.1 <= by {
            return true;
        }
        for (next, weight) in self.edges[from.0 as usize].iter().rev() {
            if *left == 0 || depth == 0 {
                return false;
            }
            *left -= 1;
            if self.has_path(function, *next, to, by - weight, left, depth - 1) {
                return true;
            }
        }
        false
    }

    /// Notes that a condition holds, or does not.
    pub(super) fn assume(&mut self, function: &Function, test: Value, truth: bool) {
        self.assume_within(function, test, truth, MAX_DEPTH);
    }

    fn assume_within(&mut self, function: &Function, test: Value, truth: bool, depth: usize) {
        let bits = i64::from(truth);
        self.restrict(test, bits, bits);
        let Some(inst) = function.def(test).filter(|_| depth > 0) else { return };
        let [a, b] = inst.args[..] else { return };
        match inst.op {
            Opcode::Cmp(cond, is_signed) if is_signed || matches!(cond, Cond::Eq | Cond::Ne) => {
                self.assume_compared(function, if truth { cond } else { cond.inverse() }, a, b);
            }
            Opcode::And if truth => {
                [a, b].iter().for_each(|it| self.assume_within(function, *it, true, depth - 1));
            }
            Opcode::Or if !truth => {
                [a, b].iter().for_each(|it| self.assume_within(function, *it, false, depth - 1));
            }
            Opcode::Xor if function.constant(b) == Some(1) => {
                self.assume_within(function, a, !truth, depth - 1);
            }
            _ => {}
        }
    }

    fn assume_compared(&mut self, function: &Function, cond: Cond, a: Value, b: Value) {
        match cond {
            Cond::Lt => self.learn(function, a, b, -1),
            Cond::Le => self.learn(function, a, b, 0),
            Cond::Gt => self.learn(function, b, a, -1),
            Cond::Ge => self.learn(function, b, a, 0),
            Cond::Eq => {
                self.learn(function, a, b, 0);
                self.learn(function, b, a, 0);
            }
            Cond::Ne => {
                let ((low, high), (other, last)) =
                    (self.range(function, a), self.range(function, b));
                if other == last && low == other {
                    self.restrict_sum(function, a, low.saturating_add(1), i64::MAX);
                }
                if other == last && high == other {
                    self.restrict_sum(function, a, i64::MIN, high.saturating_sub(1));
                }
            }
        }
    }

    /// Whether a condition holds, if that is known.
    pub(super) fn decide(&self, function: &Function, test: Value) -> Option<bool> {
        match self.range(function, test) {
            (1, 1) => return Some(true),
            (0, 0) => return Some(false),
            _ => {}
        }
        let inst = function.def(test)?;
        let [a, b] = inst.args[..] else { return None };
        let Opcode::Cmp(cond, is_signed) = inst.op else { return None };
        let is_natural = |it| self.range(function, it).0 >= 0;
        let is_ordered = is_signed || is_natural(a) && is_natural(b);
        if !is_ordered && !matches!(cond, Cond::Eq | Cond::Ne) {
            return None;
        }
        let (a, b, cond) = match cond {
            Cond::Gt | Cond::Ge => (b, a, cond.swapped()),
            _ => (a, b, cond),
        };
        let proves = |a, b, by| self.proves(function, a, b, by);
        match cond {
            Cond::Lt if proves(a, b, -1) => Some(true),
            Cond::Lt if proves(b, a, 0) => Some(false),
            Cond::Le if proves(a, b, 0) => Some(true),
            Cond::Le if proves(b, a, -1) => Some(false),
            Cond::Eq | Cond::Ne if proves(a, b, -1) || proves(b, a, -1) => Some(cond == Cond::Ne),
            _ => None,
        }
    }
}

/// The operands of a sum with a constant.
fn sum(function: &Function, value: Value) -> Option<(Value, i64)> {
    let inst = function.def(value).filter(|it| it.op == Opcode::Add)?;
    Some((inst.args[0], function.constant(inst.args[1])?.cast_signed()))
}
