//! Loop unrolling: a short loop that turns a known number of times is written out.
//!
//! What the turns have in common is then computed once, and branches on the number of the turn are
//! decided. Only the head may leave the loop, so a loop with `break` or `return` stays one.

use std::collections::HashMap;

use super::dominators::Dominators;
use super::loops::LoopAnalysis;
use crate::ir::Stats;
use crate::ir::{
    Block, BlockData, Cond, Def, Function, Inst, Opcode, Terminator, Value, ValueData, ValueList,
};

/// How many turns are written out.
const MAX_TURNS: usize = 9;

/// How many instructions all turns together may have.
const MAX_INSTS: usize = 200;

/// Writes out short loops until there are none; whether there were some.
pub(super) fn run(function: &mut Function, stats: &mut Stats) -> bool {
    let before = stats.unrolled;
    while unroll_one(function) {
        stats.unrolled += 1;
        super::params::remove_constant(function);
        super::constant_fold::run(function, stats);
        super::simplify_cfg::run(function, stats);
    }
    stats.unrolled != before
}

fn unroll_one(function: &mut Function) -> bool {
    let tree = Dominators::new(function);
    let loops = LoopAnalysis::new(&tree);
    let has_inner = |number| loops.loops.iter().any(|it| it.parent == Some(number));
    for number in (0..loops.loops.len()).filter(|it| !has_inner(*it)) {
        let blocks: Vec<Block> = tree
            .preorder()
            .iter()
            .copied()
            .filter(|it| loops.innermost(*it) == Some(number))
            .collect();
        if let Some(short) = UnrollableLoop::of(function, &tree, blocks) {
            short.write_out(function);
            return true;
        }
    }
    false
}

/// A loop that turns a known number of times.
struct UnrollableLoop {
    /// Its blocks, the head first.
    blocks: Vec<Block>,
    turns: usize,
    /// What follows the head in each turn, and after the last.
    inside: (Block, ValueList),
    outside: (Block, ValueList),
}

impl UnrollableLoop {
    fn of(function: &Function, tree: &Dominators, blocks: Vec<Block>) -> Option<UnrollableLoop> {
        let head = *blocks.first()?;
        let Terminator::Branch(test, then, other) = &function.block(head).term else { return None };
        let (inside, outside, truth) = match (blocks.contains(&then.0), blocks.contains(&other.0)) {
            (true, false) => (then, other, true),
            (false, true) => (other, then, false),
            _ => return None,
        };
        let size: usize = blocks.iter().map(|it| function.block(*it).insts.len()).sum();
        let turns = Count::of(function, tree, head, *test)?.turns(truth)?;
        let short =
            UnrollableLoop { blocks, turns, inside: inside.clone(), outside: outside.clone() };
        let is_left = short.blocks[1..].iter().any(|it| short.leaves(function, *it));
        (size * turns <= MAX_INSTS && !is_left).then_some(short)
    }

    /// Whether a block leads out of the loop.
    fn leaves(&self, function: &Function, block: Block) -> bool {
        function.block(block).term.targets().any(|it| !self.blocks.contains(&it.0))
    }

    /// Writes out the turns; the head stays for what follows the last, which reads its values.
    fn write_out(self, function: &mut Function) {
        let head = self.blocks[0];
        let mut copies: Vec<Copy> =
            (0..self.turns).map(|_| Copy::new(function, &self.blocks)).collect();
        if let Some(first) = copies.first() {
            for block in (0..).map(Block).take(function.blocks.len()) {
                if !self.blocks.contains(&block) {
                    retarget(&mut function.blocks[block.0 as usize].term, head, first.block(head));
                }
            }
        }
        for turn in 0..copies.len() {
            let next = copies.get(turn + 1).map_or(head, |it| it.block(head));
            copies[turn].fill(function, &self, next);
        }
        function.blocks[head.0 as usize].term = Terminator::Jump(self.outside);
        super::reach::remove_unreachable(function);
    }
}

fn retarget(term: &mut Terminator, from: Block, to: Block) {
    term.targets_mut().filter(|it| it.0 == from).for_each(|it| it.0 = to);
}

/// The blocks of one turn.
struct Copy {
    blocks: HashMap<Block, Block>,
    values: HashMap<Value, Value>,
}

impl Copy {
    /// Makes room for the blocks and the values of a turn.
    fn new(function: &mut Function, blocks: &[Block]) -> Copy {
        let mut copy = Copy { blocks: HashMap::new(), values: HashMap::new() };
        for block in blocks {
            let to = Block(function.blocks.len() as u32);
            let params = function.block(*block).params.clone();
            let params = params.iter().map(|it| copy.add(function, *it, Def::Param(to))).collect();
            function.blocks.push(BlockData { params, insts: Vec::new(), term: Terminator::Open });
            copy.blocks.insert(*block, to);
        }
        copy
    }

    fn add(&mut self, function: &mut Function, of: Value, def: Def) -> Value {
        let value = Value(function.values.len() as u32);
        function.values.push(ValueData { prim: function.prim(of), def });
        self.values.insert(of, value);
        value
    }

    fn block(&self, of: Block) -> Block {
        self.blocks.get(&of).copied().unwrap_or(of)
    }

    fn value(&self, of: Value) -> Value {
        self.values.get(&of).copied().unwrap_or(of)
    }

    /// Copies the instructions of a turn, which leads to the head of the next.
    fn fill(&mut self, function: &mut Function, of: &UnrollableLoop, next: Block) {
        for block in &of.blocks {
            for at in function.block(*block).insts.clone() {
                self.inst(function, at, self.block(*block));
            }
        }
        for block in &of.blocks {
            let mut term = function.block(*block).term.clone();
            if *block == of.blocks[0] {
                term = Terminator::Jump(of.inside.clone());
            }
            term.values_mut(&mut |it| *it = self.value(*it));
            for (target, _) in term.targets_mut() {
                *target = if *target == of.blocks[0] { next } else { self.block(*target) };
            }
            function.blocks[self.block(*block).0 as usize].term = term;
        }
    }

    /// Copies an instruction to the end of a block. Blocks come in an order in which what is read
    /// was copied before, and a few turns need not ask whether to stop.
    fn inst(&mut self, function: &mut Function, at: u32, to: Block) {
        let Inst { op, args, results, place } = function.insts[at as usize].clone();
        if matches!(op, Opcode::Poll(_)) {
            return;
        }
        let copy = function.insts.len() as u32;
        let args = args.iter().map(|it| self.value(*it)).collect();
        let results = results.iter().map(|it| self.add(function, *it, Def::Inst(copy))).collect();
        function.insts.push(Inst { op, args, results, place });
        function.blocks[to.0 as usize].insts.push(copy);
    }
}

/// A number that each turn moves by the same, and what it is compared with.
struct Count {
    start: i64,
    step: i64,
    bound: i64,
    cond: Cond,
    is_signed: bool,
}

impl Count {
    /// The number that the test of a head compares with a constant.
    fn of(function: &Function, tree: &Dominators, head: Block, test: Value) -> Option<Count> {
        let inst = function.def(test)?;
        let (Opcode::Cmp(cond, is_signed), [a, b]) = (inst.op, &inst.args[..]) else { return None };
        let known = |it: Value| function.constant(it).map(u64::cast_signed);
        let place = |it: &Value| function.block(head).params.iter().position(|param| param == it);
        let (at, cond, bound) = match (place(a), place(b)) {
            (Some(at), None) => (at, cond, known(*b)?),
            (None, Some(at)) => (at, cond.swapped(), known(*a)?),
            _ => return None,
        };
        let param = function.block(head).params[at];
        let (mut start, mut step) = (None, None);
        for pred in tree.preds(head) {
            let (slot, given) =
                if tree.dominates(head, *pred) { (&mut step, true) } else { (&mut start, false) };
            for (_, args) in function.block(*pred).term.targets().filter(|it| it.0 == head) {
                let found =
                    if given { step_of(function, param, args[at])? } else { known(args[at])? };
                if slot.replace(found).is_some_and(|it| it != found) {
                    return None;
                }
            }
        }
        Some(Count { start: start?, step: step?, bound, cond, is_signed })
    }

    /// How often the test is as it is in a turn, if that is not often.
    fn turns(&self, truth: bool) -> Option<usize> {
        let mut number = self.start;
        for turns in 0..=MAX_TURNS {
            if self.holds(number) != truth {
                return Some(turns);
            }
            number = number.wrapping_add(self.step);
        }
        None
    }

    fn holds(&self, number: i64) -> bool {
        let order = if self.is_signed {
            number.cmp(&self.bound)
        } else {
            number.cast_unsigned().cmp(&self.bound.cast_unsigned())
        };
        match self.cond {
            Cond::Eq => order.is_eq(),
            Cond::Ne => order.is_ne(),
            Cond::Lt => order.is_lt(),
            Cond::Le => order.is_le(),
            Cond::Gt => order.is_gt(),
            Cond::Ge => order.is_ge(),
        }
    }
}

/// The constant by which a value exceeds another.
fn step_of(function: &Function, from: Value, value: Value) -> Option<i64> {
    let inst = function.def(value).filter(|it| it.op == Opcode::Add && it.args[0] == from)?;
    function.constant(inst.args[1]).map(u64::cast_signed)
}
