//! Functions: blocks, their ends, and what their variables are.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{Display, Write as _};
use std::rc::Rc;

use super::addresses::{Addresses, Callback};
use super::counted::{self, Counted};
use super::words::{converted, params, type_of};
use crate::ir::{
    Block, CallGraph, Def, Function, Inst, Opcode, Program, SiteId, Terminator, Value, ValueList,
};
use crate::passes::slp;
use crate::types::Prim;

/// A function that is being printed.
pub(super) struct FunctionPrinter<'a> {
    pub(super) program: &'a Program,
    pub(super) function: &'a Function,
    pub(super) graph: &'a CallGraph,
    pub(super) number: usize,
    pub(super) addresses: &'a mut Addresses,
    /// The rows of the table that it reads before it begins, and as what.
    rows: BTreeMap<usize, String>,
    out: String,
    /// Whether anything in it can fail.
    pub(super) fails: bool,
    /// The loop whose second form is being printed.
    pub(super) counted: Option<Rc<Counted>>,
    /// Whether it is a loop that a compiler makes vectors of.
    pub(super) is_parallel: bool,
    /// The block that is being printed.
    pub(super) at: usize,
    /// The heads of loops whose rounds are counted beforehand within those around them.
    pub(super) inner_heads: BTreeSet<usize>,
    /// The heads of loops that are inspected before their rounds.
    pub(super) inspected_heads: BTreeSet<usize>,
}

impl<'a> FunctionPrinter<'a> {
    /// The statements of a function.
    pub(super) fn run(
        program: &'a Program,
        graph: &'a CallGraph,
        addresses: &'a mut Addresses,
        number: usize,
    ) -> Result<String, String> {
        let function = &program.functions[number];
        let reached = reached(function);
        let loops = counted::find(function, &reached).into_iter().map(Rc::new);
        let loops: Vec<Rc<Counted>> = loops.collect();
        let mut this = FunctionPrinter {
            program,
            function,
            graph,
            number,
            addresses,
            rows: BTreeMap::new(),
            out: String::new(),
            fails: false,
            counted: None,
            is_parallel: false,
            at: 0,
            inner_heads: BTreeSet::new(),
            inspected_heads: BTreeSet::new(),
        };
        for at in &reached {
            // A label stands before a statement.
            this.label(format_args!("b{at}:;"));
            if let Some(counted) = loops.iter().find(|it| it.shape.head == *at) {
                this.begin_rounds(counted);
            }
            this.block(*at)?;
        }
        for counted in loops {
            this.rounds(counted)?;
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
            out += "    u32 budget = frame->budget, rounds, left, cost;\n";
        }
        for head in &self.inner_heads {
            let _ = writeln!(out, "    u32 r{head}, n{head};");
        }
        for head in &self.inspected_heads {
            let _ = writeln!(out, "    u32 skip{head} = 0;");
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

    pub(super) fn block(&mut self, at: usize) -> Result<(), String> {
        self.at = at;
        self.insts(at)?;
        self.term(&self.function.blocks[at].term);
        Ok(())
    }

    pub(super) fn insts(&mut self, block: usize) -> Result<(), String> {
        let function = self.function;
        let is_parallel = self.counted.as_ref().is_some_and(|it| it.parallel.contains(&block));
        self.is_parallel = is_parallel;
        for group in slp::groups(function, &function.blocks[block].insts) {
            match group {
                [_, _, ..] if !is_parallel => self.calls_at_once(group),
                _ => {
                    for inst in group {
                        self.inst(&function.insts[*inst as usize])?;
                    }
                }
            }
        }
        Ok(())
    }

    pub(super) fn inst(&mut self, inst: &Inst) -> Result<(), String> {
        match inst.op {
            Opcode::Load(elem) => self.load(elem, inst),
            Opcode::Store(elem) => self.store(elem, inst),
            Opcode::Check(site) => self.check(site, inst),
            Opcode::CheckIndex(site) => self.check_index(site, inst),
            Opcode::Call(call, site) => self.call(call, site, inst),
            Opcode::Retain => self.owner(Callback::Retain, inst),
            Opcode::Release => self.owner(Callback::Release, inst),
            // Rounds that were counted are counted at once.
            Opcode::Poll(_) if self.counted.is_some() => {}
            Opcode::Poll(site) => self.ask_if_due("--budget", site),
            Opcode::Convert(convert) => self.convert(convert, inst),
            Opcode::Math(math) => self.math(math, inst),
            op => return self.number(op, inst),
        }
        Ok(())
    }

    fn term(&mut self, term: &Terminator) {
        match term {
            Terminator::Open => self.raise(SiteId(u32::MAX), &[]),
            Terminator::Jump(target) => self.go(target),
            Terminator::Branch(test, then, other) => {
                let test = self.truth(*test);
                self.line(format_args!("if ({test}) {{"));
                self.go(then);
                self.line("} else {");
                self.go(other);
                self.line("}");
            }
            Terminator::Return(values) => self.give(values),
            Terminator::Raise(site, values) => self.raise(*site, values),
        }
    }

    /// Goes on at a block; its parameters change all at once.
    pub(super) fn go(&mut self, (block, args): &(Block, ValueList)) {
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
        if let Some(counted) = self.counted.clone() {
            for (param, ..) in moved.iter().filter(|it| counted.reductions.contains(&Value(it.0))) {
                self.line(format_args!("IN_ORDER(v{param});"));
            }
        }
        self.go_to(block.0 as usize);
    }

    fn go_to(&mut self, block: usize) {
        match self.counted.clone() {
            None => self.line(format_args!("goto b{block};")),
            Some(counted) if block == counted.shape.head => self.end_round(&counted),
            Some(counted) if counted.shape.blocks.contains(&block) => {
                self.go_within(&counted, block);
            }
            Some(counted) => self.leave_rounds(&counted, block),
        }
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

    /// Writes a label, and the statement that stands behind it.
    pub(super) fn label(&mut self, text: impl Display) {
        let _ = writeln!(self.out, "{text}");
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

pub(super) fn int(number: i64) -> String {
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
