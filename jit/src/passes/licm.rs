//! Loop-invariant code motion: pure instructions go before the outermost loop that changes none of
//! their operands.
//!
//! Nothing pure fails, so no failure comes earlier or later. Division needs a divisor that is not
//! zero, which may rest on a check in the loop: before the loop it divides by one instead, in which case
//! nobody reads the quotient. What takes long moves only if every turn of the loop does it.

use super::constants::Constants;
use super::dominators::Dominators;
use super::loops::LoopAnalysis;
use crate::ir::Stats;
use crate::ir::{
    Block, BlockData, Cond, Convert, Def, Function, Inst, Opcode, Terminator, Value, ValueData,
    ValueList,
};
use crate::types::Prim;

pub(super) fn run(function: &mut Function, tree: &Dominators, stats: &mut Stats) {
    let loops = LoopAnalysis::new(tree);
    if loops.loops.is_empty() {
        return;
    }
    let mut motion = Motion::new(function, tree, &loops);
    let mut constants = None;
    for block in tree.preorder() {
        if loops.innermost(*block).is_none() {
            continue;
        }
        let mut insts = std::mem::take(&mut function.blocks[block.0 as usize].insts);
        insts.retain(|at| match motion.outermost(function, *at, *block) {
            Some(number) => {
                if !is_total(function, &function.insts[*at as usize]) {
                    let constants = constants.get_or_insert_with(|| Constants::new(function));
                    motion.guard(function, constants, *at, number);
                }
                motion.move_before(function, *at, number);
                false
            }
            None => true,
        });
        function.blocks[block.0 as usize].insts = insts;
    }
    stats.hoisted += motion.hoisted.iter().map(Vec::len).sum::<usize>();
    for number in 0..loops.loops.len() {
        let insts = std::mem::take(&mut motion.hoisted[number]);
        if !insts.is_empty() {
            put_before(function, tree, loops.loops[number].head, insts);
        }
    }
}

struct Motion<'a> {
    tree: &'a Dominators,
    loops: &'a LoopAnalysis,
    /// The innermost loop in which each value is defined, one past its number; 0 outside of all.
    within: Vec<u32>,
    /// What goes before each loop.
    hoisted: Vec<Vec<u32>>,
}

impl<'a> Motion<'a> {
    fn new(function: &Function, tree: &'a Dominators, loops: &'a LoopAnalysis) -> Motion<'a> {
        let mut within = vec![0; function.values.len()];
        for (at, block) in (0..).zip(&function.blocks) {
            let around = number_of(loops.innermost(Block(at)));
            let results = block.insts.iter().flat_map(|it| &function.insts[*it as usize].results);
            block.params.iter().chain(results).for_each(|it| within[it.0 as usize] = around);
        }
        Motion { tree, loops, within, hoisted: vec![Vec::new(); loops.loops.len()] }
    }

    /// The outermost loop before which an instruction may go.
    fn outermost(&self, function: &Function, at: u32, block: Block) -> Option<usize> {
        let inst = &function.insts[at as usize];
        if !inst.op.is_pure() {
            return None;
        }
        let mut found = None;
        let mut around = self.loops.innermost(block);
        while let Some(number) = around {
            let is_invariant = inst.args.iter().all(|it| !self.is_within(*it, number));
            if !is_invariant || !(is_cheap(inst.op) || self.is_in_every_turn(block, number)) {
                break;
            }
            found = Some(number);
            around = self.loops.loops[number].parent;
        }
        found
    }

    /// Whether a value is defined in a loop.
    fn is_within(&self, value: Value, number: usize) -> bool {
        let mut around = self.within[value.0 as usize] as usize;
        while around > number + 1 {
            around = number_of(self.loops.loops[around - 1].parent) as usize;
        }
        around == number + 1
    }

    fn is_in_every_turn(&self, block: Block, number: usize) -> bool {
        let head = self.loops.loops[number].head;
        let mut latches = self.tree.preds(head).iter().filter(|it| self.tree.dominates(head, **it));
        latches.all(|it| self.tree.dominates(block, *it))
    }

    /// Lets a division whose divisor may be zero divide by one then, before a loop.
    fn guard(
        &mut self,
        function: &mut Function,
        constants: &mut Constants,
        at: u32,
        number: usize,
    ) {
        let divisor = function.insts[at as usize].args[1];
        let [zero, one] = [0, 1].map(|it| constants.get(function, it, Prim::Int));
        let test = Opcode::Cmp(Cond::Eq, true);
        let is_zero = self.add_before(function, test, &[divisor, zero], Prim::Bool, at, number);
        let operands = [is_zero, one, divisor];
        let safe = self.add_before(function, Opcode::Select, &operands, Prim::Int, at, number);
        function.insts[at as usize].args[1] = safe;
    }

    /// Adds an instruction before a loop, for another one; its result.
    fn add_before(
        &mut self,
        function: &mut Function,
        op: Opcode,
        args: &[Value],
        prim: Prim,
        of: u32,
        number: usize,
    ) -> Value {
        let (at, result) = (function.insts.len() as u32, Value(function.values.len() as u32));
        let place = function.insts[of as usize].place;
        let results = ValueList::from_slice(&[result]);
        function.values.push(ValueData { prim, def: Def::Inst(at) });
        function.insts.push(Inst { op, args: ValueList::from_slice(args), results, place });
        self.within.resize(function.values.len(), 0);
        self.move_before(function, at, number);
        result
    }

    fn move_before(&mut self, function: &Function, at: u32, number: usize) {
        let around = number_of(self.loops.loops[number].parent);
        for result in &function.insts[at as usize].results {
            self.within[result.0 as usize] = around;
        }
        self.hoisted[number].push(at);
    }
}

fn number_of(around: Option<usize>) -> u32 {
    around.map_or(0, |it| it as u32 + 1)
}

/// Whether an instruction has a result whatever its operands are.
pub(super) fn is_total(function: &Function, inst: &Inst) -> bool {
    match inst.op {
        Opcode::Div(_) | Opcode::Rem(_) | Opcode::FloorDiv | Opcode::FloorMod => {
            function.constant(inst.args[1]).is_some_and(|it| it != 0)
        }
        _ => true,
    }
}

/// Whether an instruction takes no longer than a jump.
fn is_cheap(op: Opcode) -> bool {
    !matches!(
        op,
        Opcode::Math(_)
            | Opcode::Pow
            | Opcode::Gcd
            | Opcode::Div(_)
            | Opcode::Rem(_)
            | Opcode::FloorDiv
            | Opcode::FloorMod
            | Opcode::FDiv
            | Opcode::FSqrt
            | Opcode::Convert(Convert::ToF16)
    )
}

/// Puts instructions at the end of the block before a loop, which is made if several lead there.
fn put_before(function: &mut Function, tree: &Dominators, head: Block, insts: Vec<u32>) {
    let mut outside = tree.preds(head).iter().filter(|it| !tree.dominates(head, **it));
    if let (Some(only), None) = (outside.next(), outside.next())
        && matches!(function.block(*only).term, Terminator::Jump(_))
    {
        function.blocks[only.0 as usize].insts.extend(insts);
        return;
    }
    let before = Block(function.blocks.len() as u32);
    let mut params = ValueList::new();
    for at in 0..function.block(head).params.len() {
        let prim = function.prim(function.block(head).params[at]);
        params.push(Value(function.values.len() as u32));
        function.values.push(ValueData { prim, def: Def::Param(before) });
    }
    for pred in tree.preds(head).iter().filter(|it| !tree.dominates(head, **it)) {
        for (target, _) in function.blocks[pred.0 as usize].term.targets_mut() {
            if *target == head {
                *target = before;
            }
        }
    }
    let term = Terminator::Jump((head, params.clone()));
    function.blocks.push(BlockData { params, insts, term });
}
