//! Inspection of a loop before its rounds: whether all that is tested in them holds.
//!
//! A test that raises leaves the loop, so that a compiler makes no vectors of it, and calls elementary
//! functions one by one. If all tests depend on the counter, on what does not change and on elements
//! that the loop does not write, a loop before the loop evaluates them alone, in vectors; if they hold,
//! the second form goes without them. That nothing is written that a test reads is seen at the ends of
//! both: addresses move by the same amount in each round.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::rc::Rc;

use super::counted::{Counted, CountedLoop, insts};
use super::function::FunctionPrinter;
use super::words::type_of;
use crate::ir::{Function, Inst, Opcode, Terminator, Value};
use crate::types::Prim;

/// What is looked at before the rounds of a loop.
pub(super) struct Inspection {
    /// Tests of what does not change.
    fixed: Vec<Value>,
    /// Tests of what does.
    tests: Vec<Value>,
    /// The instructions that these tests need, as rows.
    needed: Vec<u32>,
    /// The addresses of elements that they read, and that the loop writes.
    read: Vec<Value>,
    written: Vec<Value>,
    /// The instructions that the addresses need.
    places: Vec<u32>,
}

/// So many pairs of addresses are compared at most.
const MAX_PAIRS: usize = 12;

impl Inspection {
    /// That of a loop without loops in it, if it calls elementary functions and tests something.
    pub(super) fn of(
        function: &Function,
        shape: &CountedLoop,
        checked: &BTreeSet<Value>,
        defined: &BTreeSet<Value>,
    ) -> Option<Inspection> {
        let rows = straight(function, shape)?;
        let row = |it: &u32| &function.insts[*it as usize];
        let is_checked = |it: &Inst| {
            !matches!(it.op, Opcode::CheckIndex(_))
                || it.results.iter().all(|it| checked.contains(it))
        };
        let calls = rows.iter().any(|it| matches!(row(it).op, Opcode::Math(_)));
        if !calls || !rows.iter().map(row).all(is_checked) {
            return None;
        }
        let all = rows.iter().map(row).filter(|it| matches!(it.op, Opcode::Check(_)));
        let (tests, fixed): (Vec<Value>, Vec<Value>) =
            all.map(|it| it.args[0]).partition(|it| defined.contains(it));
        let needed = slice(function, &rows, &tests);
        let is_cheap = |it: &Inst| match it.op {
            Opcode::Load(_) | Opcode::CheckIndex(_) => true,
            Opcode::Math(_)
            | Opcode::Div(_)
            | Opcode::Rem(_)
            | Opcode::FloorDiv
            | Opcode::FloorMod => false,
            Opcode::Pow | Opcode::Gcd => false,
            op => op.is_pure(),
        };
        let read = addresses(&needed, row, |op| matches!(op, Opcode::Load(_)));
        let written = addresses(&rows, row, |op| matches!(op, Opcode::Store(_)));
        let known = needed.iter().map(row).flat_map(|it| &it.args);
        let is_known = |it: &Value| {
            *it == shape.counter || !defined.contains(it) || function.def(*it).is_some()
        };
        let linear = Linear { function, shape, defined };
        let fits = !(tests.is_empty() && fixed.is_empty())
            && needed.iter().map(row).all(is_cheap)
            && known.chain(&tests).all(is_known)
            && read.len() * written.len() <= MAX_PAIRS
            && read.iter().chain(&written).all(|it| linear.contains(*it));
        let both: Vec<Value> = read.iter().chain(&written).copied().collect();
        let places = if read.is_empty() { Vec::new() } else { slice(function, &rows, &both) };
        fits.then_some(Inspection { fixed, tests, needed, read, written, places })
    }
}

/// The instructions of a loop in order, if it has one way only, and carries no values between blocks.
fn straight(function: &Function, shape: &CountedLoop) -> Option<Vec<u32>> {
    let mut rows = function.blocks[shape.head].insts.clone();
    let mut at = shape.inside.0 as usize;
    for _ in &shape.blocks {
        let block = &function.blocks[at];
        if !block.params.is_empty() {
            return None;
        }
        rows.extend(&block.insts);
        let Terminator::Jump((next, _)) = &block.term else { return None };
        at = next.0 as usize;
        if at == shape.head {
            return Some(rows);
        }
    }
    None
}

/// The instructions among some that values need, in order.
fn slice(function: &Function, rows: &[u32], values: &[Value]) -> Vec<u32> {
    let mut needed: BTreeSet<Value> = values.iter().copied().collect();
    let mut found = Vec::new();
    for row in rows.iter().rev() {
        let inst = &function.insts[*row as usize];
        if inst.results.iter().any(|it| needed.contains(it)) {
            needed.extend(&inst.args);
            found.push(*row);
        }
    }
    found.reverse();
    found
}

fn addresses<'a>(
    rows: &[u32],
    row: impl Fn(&u32) -> &'a Inst,
    is_wanted: impl Fn(Opcode) -> bool,
) -> Vec<Value> {
    let wanted = rows.iter().map(row).filter(|it| is_wanted(it.op));
    let all: BTreeSet<Value> = wanted.map(|it| it.args[0]).collect();
    all.into_iter().collect()
}

/// What moves by the same amount in each round.
struct Linear<'a> {
    function: &'a Function,
    shape: &'a CountedLoop,
    defined: &'a BTreeSet<Value>,
}

impl Linear<'_> {
    fn contains(&self, value: Value) -> bool {
        if value == self.shape.counter || !self.defined.contains(&value) {
            return true;
        }
        let Some(inst) = self.function.def(value) else { return false };
        match inst.op {
            Opcode::Add | Opcode::Sub | Opcode::Offset => {
                inst.args.iter().all(|it| self.contains(*it))
            }
            Opcode::Mul => {
                let is_fixed = |it: &Value| !self.defined.contains(it);
                inst.args.iter().any(is_fixed) && inst.args.iter().all(|it| self.contains(*it))
            }
            Opcode::CheckIndex(_) => self.contains(inst.args[0]),
            _ => false,
        }
    }
}

impl FunctionPrinter<'_> {
    /// Looks at all rounds, and goes to the second form if all tests hold. If not, it does not look
    /// again before that many rounds are over.
    pub(super) fn inspect(&mut self, counted: &Rc<Counted>, inspection: &Inspection, to: &str) {
        let head = counted.shape.head;
        self.counted = Some(counted.clone());
        self.inspected_heads.insert(head);
        self.line(format_args!("if (skip{head}) skip{head}--; else {{"));
        let mut fine = "1".to_owned();
        for test in &inspection.fixed {
            let test = self.truth(*test);
            let _ = write!(fine, " && {test}");
        }
        self.line(format_args!("u64 fine = {fine};"));
        self.compare_places(counted, inspection);
        if !inspection.tests.is_empty() {
            let CountedLoop { counter, step, .. } = counted.shape;
            let first = self.as_type(counter, Prim::Int);
            self.line(format_args!("i64 first = {first};"));
            self.line("for (u64 at = 0; fine && at < rounds; at += 1024) {");
            self.line("u64 to = rounds - at < 1024 ? rounds : at + 1024;");
            self.line("for (u64 it = at; it < to; it++) {");
            self.line(format_args!("i64 v{} = first + (i64)it * (i64)({step});", counter.0));
            self.repeat(&inspection.needed);
            for test in &inspection.tests {
                let test = self.truth(*test);
                self.line(format_args!("fine &= ({test}) != 0;"));
            }
            self.line("}");
            self.line("}");
        }
        self.line(format_args!("if (fine) goto {to};"));
        self.line(format_args!("skip{head} = rounds;"));
        self.line("}");
        self.counted = None;
    }

    /// Sees whether what is read and what is written lie apart.
    fn compare_places(&mut self, counted: &Counted, inspection: &Inspection) {
        let Inspection { read, written, places, .. } = inspection;
        if read.is_empty() || written.is_empty() {
            return;
        }
        let (head, counter) = (counted.shape.head, counted.shape.counter.0);
        let all = || read.iter().chain(written);
        for value in all() {
            self.line(format_args!("u64 from{0}, to{0};", value.0));
        }
        for (end, name) in [("low", "from"), ("high", "to")] {
            self.line("{");
            self.line(format_args!("i64 v{counter} = {end}{head};"));
            self.repeat(places);
            for value in all() {
                let address = self.as_type(*value, Prim::Int);
                self.line(format_args!("{name}{} = (u64){address};", value.0));
            }
            self.line("}");
        }
        for value in all() {
            self.line(format_args!(
                "if (to{0} < from{0}) {{ u64 end = from{0}; from{0} = to{0}; to{0} = end; }}",
                value.0
            ));
        }
        for (a, b) in read.iter().flat_map(|a| written.iter().map(move |b| (a.0, b.0))) {
            self.line(format_args!("fine &= to{a} + 8 <= from{b} || to{b} + 8 <= from{a};"));
        }
    }

    /// Prints instructions again, with variables of their own.
    fn repeat(&mut self, rows: &[u32]) {
        let function = self.function;
        for inst in rows.iter().map(|it| &function.insts[*it as usize]) {
            for result in &inst.results {
                let ty = type_of(function.prim(*result));
                self.line(format_args!("{ty} v{};", result.0));
            }
            // What is repeated has a form in C, as it was looked at: it neither fails nor calls.
            let printed = self.inst(inst);
            debug_assert!(printed.is_ok(), "{printed:?}");
        }
    }
}

/// The instructions of a loop that leave it where something does not hold.
pub(super) fn leaves(function: &Function, shape: &CountedLoop, checked: &BTreeSet<Value>) -> bool {
    let mut all = shape.blocks.iter().flat_map(|it| insts(function, *it));
    all.any(|inst| match inst.op {
        Opcode::Check(_) => true,
        Opcode::CheckIndex(_) => !inst.results.iter().all(|it| checked.contains(it)),
        _ => false,
    })
}
