//! Functions: blocks, their ends, and what their variables are.

use std::collections::BTreeMap;
use std::fmt::{Display, Write as _};
use std::rc::Rc;

use super::addresses::{Addresses, Callback};
use super::counted::{self, Counted, Index, Place};
use super::{converted, params, type_of};
use crate::ir::{
    Block, CallGraph, Cond, Def, Function, Inst, Op, Program, SiteId, Term, Value, Values,
};
use crate::types::Prim;

/// A function that is being printed.
pub(super) struct Printer<'a> {
    pub(super) program: &'a Program,
    pub(super) function: &'a Function,
    pub(super) graph: &'a CallGraph,
    pub(super) number: usize,
    addresses: &'a mut Addresses,
    /// The rows of the table that it reads before it begins, and as what.
    rows: BTreeMap<usize, String>,
    out: String,
    /// Whether anything in it can fail.
    pub(super) fails: bool,
    /// The loop whose second form is being printed.
    pub(super) counted: Option<Rc<Counted>>,
}

impl<'a> Printer<'a> {
    /// The statements of a function.
    pub(super) fn run(
        program: &'a Program,
        graph: &'a CallGraph,
        addresses: &'a mut Addresses,
        number: usize,
    ) -> Result<String, String> {
        let function = &program.functions[number];
        let reached = reached(function);
        let loops = counted::find(function, &reached);
        let mut this = Printer {
            program,
            function,
            graph,
            number,
            addresses,
            rows: BTreeMap::new(),
            out: String::new(),
            fails: false,
            counted: None,
        };
        for at in &reached {
            // A label stands before a statement.
            let _ = writeln!(this.out, "b{at}:;");
            if let Some(counted) = loops.iter().find(|it| it.head == *at) {
                this.begin_rounds(counted);
            }
            this.block(*at)?;
        }
        for counted in loops {
            this.rounds(Rc::new(counted))?;
        }
        if this.fails {
            let _ = writeln!(this.out, "failed:\n    return (result{number}){{ .failed = 1 }};");
        }
        Ok(this.variables(&reached) + &this.out)
    }

    /// What stands before the blocks: constants, variables, and the way to the first block.
    fn variables(&self, reached: &[usize]) -> String {
        let mut out = String::new();
        for (row, ty) in &self.rows {
            let _ = writeln!(out, "    {ty}a{row} = ({ty})t[{row}];");
        }
        if self.function.has_loop() {
            out += "    u32 budget = frame->budget, rounds, left;\n";
        }
        for at in reached {
            let block = &self.function.blocks[*at];
            let insts =
                block.insts.iter().flat_map(|it| &self.function.insts[*it as usize].results);
            for value in block.params.iter().chain(insts) {
                let ty = type_of(self.function.prim(*value));
                let _ = writeln!(out, "    {ty} v{};", value.0);
            }
        }
        for (at, value) in self.function.blocks[0].params.iter().enumerate() {
            let _ = writeln!(out, "    v{} = p{at};", value.0);
        }
        debug_assert_eq!(params(self.function).len(), self.function.blocks[0].params.len());
        out
    }

    fn block(&mut self, at: usize) -> Result<(), String> {
        self.insts(at)?;
        self.term(&self.function.blocks[at].term);
        Ok(())
    }

    fn insts(&mut self, block: usize) -> Result<(), String> {
        for inst in &self.function.blocks[block].insts {
            self.inst(&self.function.insts[*inst as usize])?;
        }
        Ok(())
    }

    fn inst(&mut self, inst: &Inst) -> Result<(), String> {
        match inst.op {
            Op::Load(elem) => self.load(elem, inst),
            Op::Store(elem) => self.store(elem, inst),
            Op::Check(site) => self.check(site, inst),
            Op::CheckIndex(site) => self.check_index(site, inst),
            Op::Call(call, site) => self.call(call, site, inst),
            Op::Retain => self.owner(Callback::Retain, inst),
            Op::Release => self.owner(Callback::Release, inst),
            // Rounds that were counted are counted at once.
            Op::Poll(_) if self.counted.is_some() => {}
            Op::Poll(site) => self.ask_if_due("--budget", site),
            Op::Convert(convert) => self.convert(convert, inst),
            Op::Math(math) => self.math(math, inst),
            op => return self.number(op, inst),
        }
        Ok(())
    }

    fn term(&mut self, term: &Term) {
        match term {
            Term::Open => self.raise(SiteId(u32::MAX), &[]),
            Term::Jump(target) => self.go(target),
            Term::Branch(test, then, other) => {
                let test = self.truth(*test);
                self.line(format_args!("if ({test}) {{"));
                self.go(then);
                self.line("} else {");
                self.go(other);
                self.line("}");
            }
            Term::Return(values) => self.give(values),
            Term::Raise(site, values) => self.raise(*site, values),
        }
    }

    /// Goes on at a block; its parameters change all at once.
    fn go(&mut self, (block, args): &(Block, Values)) {
        let params = &self.function.block(*block).params;
        let moved: Vec<(u32, &str, String)> = args
            .iter()
            .zip(params)
            .filter(|(arg, param)| arg != param)
            .map(|(arg, param)| {
                let prim = self.function.prim(*param);
                (param.0, type_of(prim), self.as_type(*arg, prim))
            })
            .collect();
        if let [(param, _, arg)] = &moved[..] {
            self.line(format_args!("v{param} = {arg};"));
        } else if !moved.is_empty() {
            let next: Vec<String> =
                moved.iter().map(|(param, ty, arg)| format!("{ty} n{param} = {arg};")).collect();
            let set: Vec<String> =
                moved.iter().map(|(param, ..)| format!("v{param} = n{param};")).collect();
            self.line(format_args!("{{ {} {} }}", next.join(" "), set.join(" ")));
        }
        self.go_to(block.0 as usize);
    }

    fn go_to(&mut self, block: usize) {
        match self.counted.clone() {
            None => self.line(format_args!("goto b{block};")),
            Some(counted) if block == counted.head => self.end_round(&counted),
            Some(counted) if counted.blocks.contains(&block) => {
                self.line(format_args!("goto c{block};"));
            }
            Some(_) => self.line(format_args!("budget -= rounds - left; goto b{block};")),
        }
    }

    /// The second form of a counted loop.
    fn rounds(&mut self, counted: Rc<Counted>) -> Result<(), String> {
        self.counted = Some(counted.clone());
        for at in &counted.blocks {
            let _ = writeln!(self.out, "c{at}:;");
            if *at == counted.head {
                self.insts(*at)?;
                let term = &self.function.blocks[*at].term;
                if let Some(target) = term.targets().find(|(block, _)| *block == counted.inside) {
                    self.go(target);
                }
            } else {
                self.block(*at)?;
            }
        }
        self.counted = None;
        Ok(())
    }

    /// Goes to the second form of a loop, if there are several rounds in which nothing else can happen.
    fn begin_rounds(&mut self, counted: &Counted) {
        let counter = self.as_type(counted.counter, Prim::Int);
        self.line("{");
        if let Some((start, rounds)) = counted.fixed {
            let last = start + i64::from(rounds - 1) * counted.step;
            let (start, last) = (int(start), int(last));
            let test = self.are_within(counted, &start, &last);
            self.line(format_args!("if ({counter} == {start} && budget > {rounds}{test}) {{"));
            self.line(format_args!("rounds = left = {rounds}; goto c{};", counted.head));
            self.line("}");
        } else {
            self.count(counted, &counter);
            let test = self.are_within(counted, &counter, "last");
            self.line(format_args!("if (rounds > 3{test}) goto c{};", counted.head));
        }
        self.line("}");
    }

    /// Counts the rounds to come, and says what the counter is in the last of them.
    fn count(&mut self, counted: &Counted, counter: &str) {
        let bound = self.as_type(counted.bound, Prim::Int);
        let step = counted.step.unsigned_abs();
        let (from, to) =
            if counted.step > 0 { (counter, bound.as_str()) } else { (bound.as_str(), counter) };
        let (operator, less) = match counted.cond {
            Cond::Lt | Cond::Gt => ("<", " - 1"),
            Cond::Eq | Cond::Ne | Cond::Le | Cond::Ge => ("<=", ""),
        };
        self.line(format_args!(
            "u64 count = {from} {operator} {to} ? ((u64){to} - (u64){from}{less}) / {step} + 1 : 0;"
        ));
        self.line("rounds = left = count < budget ? count : budget;");
        let step = counted.step;
        self.line(format_args!("i64 last = {counter} + ((i64)rounds - 1) * (i64)({step});"));
    }

    /// Whether all indices lie within their extents in the first round and in the last, to be added to
    /// a test.
    fn are_within(&mut self, counted: &Counted, first: &str, last: &str) -> String {
        let mut test = String::new();
        for Index { place, extent } in &counted.indices {
            let extent = self.as_type(*extent, Prim::Int);
            let ends = match place {
                Place::Counter => vec![first.to_owned(), last.to_owned()],
                Place::Fixed(index) => vec![self.as_type(*index, Prim::Int)],
                Place::Beyond(distance) => {
                    let distance = self.as_type(*distance, Prim::Int);
                    [first, last].map(|it| format!("({it} + {distance})")).into()
                }
            };
            for end in ends {
                let _ = write!(test, " && (u64){end} < (u64){extent}");
            }
        }
        test
    }

    /// The back edge of the second form.
    fn end_round(&mut self, counted: &Counted) {
        let head = counted.head;
        self.line(format_args!("if (--left) goto c{head};"));
        self.line("budget -= rounds;");
        if counted.fixed.is_none() {
            self.ask_if_due("budget", counted.poll);
        }
        self.line(format_args!("goto b{head};"));
    }

    /// Returns, and says that nothing failed.
    fn give(&mut self, values: &[Value]) {
        self.store_budget();
        let prims = self.function.result.prims();
        let words: String = values
            .iter()
            .zip(prims)
            .enumerate()
            .map(|(at, (value, prim))| format!(", .r{at} = {}", self.as_type(*value, prim)))
            .collect();
        let number = self.number;
        self.line(format_args!("return (result{number}){{ .failed = 0{words} }};"));
    }

    pub(super) fn store_budget(&mut self) {
        if self.function.has_loop() {
            self.line("frame->budget = budget;");
        }
    }

    pub(super) fn load_budget(&mut self) {
        if self.function.has_loop() {
            self.line("budget = frame->budget;");
        }
    }

    /// Writes a statement.
    pub(super) fn line(&mut self, text: impl Display) {
        let _ = writeln!(self.out, "    {text}");
    }

    /// The name of the row of an address, read as a type once.
    pub(super) fn address(&mut self, address: u64, ty: &str) -> String {
        let row = self.addresses.row(address);
        let ty = format!("{ty} *");
        let known = self.rows.entry(row).or_insert_with(|| ty.clone());
        if *known == ty { format!("a{row}") } else { format!("(({ty})t[{row}])") }
    }

    /// A value as an expression.
    pub(super) fn value(&mut self, value: Value) -> String {
        let data = &self.function.values[value.0 as usize];
        match data.def {
            Def::Const(bits) => self.constant(bits, data.prim),
            Def::Param(_) | Def::Inst(_) => format!("v{}", value.0),
        }
    }

    fn constant(&mut self, bits: u64, prim: Prim) -> String {
        match prim {
            Prim::Bool => (bits as u8).to_string(),
            Prim::Int | Prim::Owner => int(bits.cast_signed()),
            Prim::Ptr if bits == 0 => "(char *)0".to_owned(),
            Prim::Ptr => self.address(bits, "char"),
            Prim::F64 => match f64::from_bits(bits) {
                number if number.is_finite() => format!("({number:e})"),
                _ => format!("word_double({bits:#x})"),
            },
            Prim::F32 => match f32::from_bits(bits as u32) {
                number if number.is_finite() => format!("({number:e}f)"),
                _ => format!("word_float({:#x})", bits as u32),
            },
        }
    }

    /// A value as an expression of a kind: its bits are kept, or their low ones.
    pub(super) fn as_type(&mut self, value: Value, prim: Prim) -> String {
        let text = self.value(value);
        converted(&text, self.function.prim(value), prim)
    }

    /// A value that a branch can test.
    pub(super) fn truth(&mut self, value: Value) -> String {
        match self.function.prim(value) {
            Prim::Bool => self.value(value),
            _ => self.as_type(value, Prim::Int),
        }
    }

    /// Says what the first result of an instruction is.
    pub(super) fn define(&mut self, inst: &Inst, text: &str, from: Prim) {
        if let Some(result) = inst.results.first() {
            self.define_value(*result, text, from);
        }
    }

    pub(super) fn define_value(&mut self, result: Value, text: &str, from: Prim) {
        let text = converted(text, from, self.function.prim(result));
        self.line(format_args!("v{} = {text};", result.0));
    }
}

fn int(number: i64) -> String {
    match number {
        i64::MIN => "(-__INT64_MAX__ - 1)".to_owned(),
        number @ ..0 => format!("(i64)({number})"),
        number => format!("(i64){number}"),
    }
}

/// The blocks that are reached.
fn reached(function: &Function) -> Vec<usize> {
    let mut is_seen = vec![false; function.blocks.len()];
    let mut left = vec![0];
    let mut order = Vec::new();
    while let Some(at) = left.pop() {
        if !std::mem::replace(&mut is_seen[at], true) {
            order.push(at);
            let targets = function.blocks[at].term.targets().map(|(block, _)| block.0 as usize);
            let targets: Vec<usize> = targets.collect();
            left.extend(targets.into_iter().rev());
        }
    }
    order
}
