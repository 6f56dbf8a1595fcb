//! The second form of counted loops, and the way there.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::rc::Rc;

use super::counted::{Counted, CountedLoop, InnerLoop, MAX_STEP};
use super::function::{FunctionPrinter, int};
use super::indices::{AffineTerm, Index};
use crate::ir::{Cond, Value};
use crate::types::Prim;

/// The label of a block in the second form of a loop.
pub(super) fn label(counted: &Counted, block: usize) -> String {
    format!("c{}_{block}", counted.shape.head)
}

impl FunctionPrinter<'_> {
    /// The second form of a counted loop.
    pub(super) fn rounds(&mut self, counted: Rc<Counted>) -> Result<(), String> {
        self.counted = Some(counted.clone());
        for at in &counted.shape.blocks {
            self.label(format_args!("{}:;", label(&counted, *at)));
            if *at == counted.shape.head {
                self.head(&counted.shape, true)?;
            } else if let Some(inner) = counted.inner.iter().find(|it| it.shape.head == *at) {
                self.head(&inner.shape, true)?;
                self.label(format_args!("{}_end:;", label(&counted, *at)));
                self.head(&inner.shape, false)?;
            } else {
                self.block(*at)?;
            }
        }
        self.counted = None;
        Ok(())
    }

    /// A head, without its test: it goes to the next round, or behind the loop.
    fn head(&mut self, shape: &CountedLoop, goes_inside: bool) -> Result<(), String> {
        self.at = shape.head;
        self.insts(shape.head)?;
        let mut targets = self.function.blocks[shape.head].term.targets();
        if let Some(target) = targets.find(|(it, _)| (*it == shape.inside) == goes_inside) {
            self.go(target);
        }
        Ok(())
    }

    /// Goes to a block of a second form. A loop in it is entered if it has rounds, and its back edge
    /// counts them, so that a compiler knows how many there are.
    pub(super) fn go_within(&mut self, counted: &Counted, to: usize) {
        let begin = label(counted, to);
        let Some(inner) = counted.inner.iter().find(|it| it.shape.head == to) else {
            return self.line(format_args!("goto {begin};"));
        };
        if inner.shape.blocks.contains(&self.at) {
            self.line(format_args!("if (--n{to}) goto {begin}; else goto {begin}_end;"));
        } else {
            self.line(format_args!("if ((n{to} = r{to})) goto {begin}; else goto {begin}_end;"));
        }
    }

    /// Goes to the second form of a loop, if there are several rounds in which nothing else can happen.
    pub(super) fn begin_rounds(&mut self, counted: &Rc<Counted>) {
        let CountedLoop { head, counter, step, .. } = counted.shape;
        let counter = self.as_type(counter, Prim::Int);
        let to = label(counted, head);
        self.line("{");
        if let Some((start, rounds)) = counted.fixed {
            let last = start + i64::from(rounds - 1) * step;
            self.ends(head, step, &int(start), &int(last));
            self.line(format_args!("rounds = {rounds};"));
            let test = self.are_within(counted);
            self.line(format_args!(
                "if ({counter} == {} && budget > {rounds}{test}) {{",
                int(start)
            ));
            self.line(format_args!("left = {rounds}; goto {to};"));
            self.line("}");
        } else {
            let exact = self.inner_rounds(counted);
            self.count(&counted.shape, &counter);
            if counted.inner.is_empty() {
                self.line("rounds = left = count < budget ? count : budget;");
            } else {
                self.line("if (count > budget) count = budget;");
                self.line("rounds = left = count * cost <= budget ? count : budget / cost;");
            }
            let last = format!("{counter} + ((i64)rounds - 1) * (i64)({step})");
            self.ends(head, step, &counter, &last);
            let test = self.are_within(counted);
            let times = if counted.inner.is_empty() { "" } else { " * cost" };
            self.line(format_args!("if (rounds{times} > 3{exact}{test}) {{"));
            match &counted.inspection {
                Some(inspection) => self.inspect(counted, inspection, &to),
                None => self.line(format_args!("goto {to};")),
            }
            self.line("}");
        }
        self.line("}");
    }

    /// Counts the rounds of the loops in a loop, and what a round of it costs with them: the back edges.
    /// What is returned is to be added to a test: whether no counter wraps.
    fn inner_rounds(&mut self, counted: &Counted) -> String {
        let mut test = String::new();
        let mut is_held = BTreeSet::new();
        for InnerLoop { shape, start, within } in &counted.inner {
            let CountedLoop { head, step, .. } = *shape;
            let start = self.as_type(*start, Prim::Int);
            self.inner_heads.insert(head);
            self.line("{");
            self.count(shape, &start);
            self.line(format_args!("r{head} = count < budget ? count : budget;"));
            self.line("}");
            let last = format!("{start} + ((i64)r{head} - 1) * (i64)({step})");
            self.ends(head, step, &start, &last);
            let mut cost = "(u64)1".to_owned();
            for it in within {
                let _ = write!(cost, " + e{}", counted.inner[*it].shape.head);
                is_held.insert(*it);
            }
            self.line(format_args!("u64 e{head} = r{head} * ({cost});"));
            if !shape.is_exact() {
                let bound = self.as_type(shape.bound, Prim::Int);
                let _ = write!(test, " && (u64)({bound} + ((i64)1 << 62)) < (u64)1 << 63");
            }
        }
        if !counted.inner.is_empty() {
            let own = (0..counted.inner.len()).filter(|it| !is_held.contains(it));
            let own: String =
                own.map(|it| format!(" + e{}", counted.inner[it].shape.head)).collect();
            // There are fewer back edges between two questions than half a word counts, so that none
            // of these products wraps.
            self.line(format_args!("u64 all = 1{own};"));
            self.line("cost = all > budget ? budget + 1 : all;");
        }
        test
    }

    /// Counts the rounds to come.
    fn count(&mut self, shape: &CountedLoop, counter: &str) {
        let bound = self.as_type(shape.bound, Prim::Int);
        let step = shape.step.unsigned_abs();
        let (from, to) =
            if shape.step > 0 { (counter, bound.as_str()) } else { (bound.as_str(), counter) };
        let (operator, less) = match shape.cond {
            Cond::Lt | Cond::Gt => ("<", " - 1"),
            Cond::Le | Cond::Ge => ("<=", ""),
            // By one to the bound, wherever that is.
            Cond::Eq | Cond::Ne => {
                return self.line(format_args!("u64 count = (u64){to} - (u64){from};"));
            }
        };
        self.line(format_args!(
            "u64 count = {from} {operator} {to} ? ((u64){to} - (u64){from}{less}) / {step} + 1 : 0;"
        ));
    }

    /// Says what a counter is at its ends.
    fn ends(&mut self, head: usize, step: i64, first: &str, last: &str) {
        let (low, high) = if step > 0 { (first, last) } else { (last, first) };
        self.line(format_args!("i64 low{head} = {low}, high{head} = {high};"));
    }

    /// Whether all indices lie within their extents at both ends, to be added to a test.
    fn are_within(&mut self, counted: &Counted) -> String {
        let mut test = String::new();
        let mut steps = BTreeSet::new();
        for Index { terms, extent } in &counted.indices {
            let extent = self.as_type(*extent, Prim::Int);
            let [mut low, mut high] = [String::new(), String::new()];
            for term in terms {
                let [first, last] = self.term_ends(*term, &mut steps);
                let _ = write!(low, " + {first}");
                let _ = write!(high, " + {last}");
            }
            let ends = if low == high { vec![low] } else { vec![low, high] };
            for end in ends {
                let end = end.trim_start_matches(" + ");
                let _ = write!(test, " && (u64)({end}) < (u64){extent}");
            }
        }
        for step in steps {
            let step = self.as_type(step, Prim::Int);
            test.insert_str(0, &format!(" && {step} >= 0 && {step} <= {MAX_STEP}"));
        }
        test
    }

    /// A term of an index at its least and at its greatest; what is no known step must not be negative.
    fn term_ends(&mut self, term: AffineTerm, steps: &mut BTreeSet<Value>) -> [String; 2] {
        match term {
            AffineTerm::Fixed(value) => {
                let value = self.as_type(value, Prim::Int);
                [value.clone(), value]
            }
            AffineTerm::Counter(head) => [format!("low{head}"), format!("high{head}")],
            AffineTerm::Moving(value, step) => {
                let known = self.function.constant(step).map(u64::cast_signed);
                if known.is_none() {
                    steps.insert(step);
                }
                let [first, step] = [value, step].map(|it| self.as_type(it, Prim::Int));
                let last = format!("({first} + ((i64)rounds - 1) * {step})");
                if known.is_some_and(|it| it < 0) { [last, first] } else { [first, last] }
            }
        }
    }

    /// The back edge of the second form.
    pub(super) fn end_round(&mut self, counted: &Counted) {
        let CountedLoop { head, poll, .. } = counted.shape;
        self.line(format_args!("if (--left) goto {};", label(counted, head)));
        self.line(format_args!("budget -= rounds{};", times(counted)));
        if counted.fixed.is_none() {
            self.ask_if_due("budget", poll);
        }
        self.line(format_args!("goto b{head};"));
    }

    /// Goes on outside of the second form before its rounds are over.
    pub(super) fn leave_rounds(&mut self, counted: &Counted, to: usize) {
        self.line(format_args!("budget -= (rounds - left){}; goto b{to};", times(counted)));
    }
}

/// Each round counts for those of the loops in it.
fn times(counted: &Counted) -> &'static str {
    if counted.inner.is_empty() { "" } else { " * cost" }
}
