//! Bounds check elimination: checks that what dominates them implies are removed.
//!
//! One walk over the dominator tree with the facts of [`Ranges`]: of branches and checks passed,
//! of results, and of the variables of loops, see [`super::induction`]. An index that is known to be
//! within its extent is the result of its check; what is checked twice is checked once. Conditions
//! that the facts decide become constants on the way.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use super::constants::Constants;
use super::dominators::Dominators;
use super::hash::WordHasher;
use super::induction;
use super::ranges::Ranges;
use super::substitution::Substitution;
use super::transfer::range_of;
use crate::ir::Stats;
use crate::ir::{Block, Cond, Function, Inst, Opcode, Terminator, Value, ValueList};
use crate::types::{Prim, Ty, TyKind};

/// Removes checks; whether conditions were decided besides, which may leave blocks unreached.
pub(super) fn run(function: &mut Function, tree: &Dominators, stats: &mut Stats) -> bool {
    let count = function.values.len();
    let mut walk = DominatorWalk {
        tree,
        ranges: Ranges::new(function),
        to: Substitution::new(function),
        incoming: vec![(i64::MAX, i64::MIN); count],
        checked: HashMap::default(),
        constants: None,
        is_decided: false,
        stats,
    };
    walk.extents(function);
    let mut marks: Vec<usize> = Vec::new();
    for block in tree.preorder() {
        if let Some(mark) = marks.get(tree.depth(*block)) {
            walk.ranges.rewind(*mark);
        }
        marks.truncate(tree.depth(*block));
        marks.push(walk.ranges.mark());
        walk.block(function, *block);
    }
    walk.to.apply_to_ends(function);
    walk.is_decided
}

struct DominatorWalk<'a> {
    tree: &'a Dominators,
    ranges: Ranges,
    to: Substitution,
    /// What edges that were passed give parameters.
    incoming: Vec<(i64, i64)>,
    /// The results of checks by index and extent.
    checked: HashMap<(Value, Value), (Block, Value), BuildHasherDefault<WordHasher>>,
    /// The constants, once one is needed.
    constants: Option<Constants>,
    is_decided: bool,
    stats: &'a mut Stats,
}

impl DominatorWalk<'_> {
    /// Extents of arrays are not negative.
    fn extents(&mut self, function: &Function) {
        let params = &function.blocks[0].params;
        let mut at = 0;
        for ty in &function.params {
            for_each_extent(*ty, at, &mut |it| {
                if let Some(param) = params.get(it) {
                    self.ranges.restrict(*param, 0, i64::MAX);
                }
            });
            at += ty.width();
        }
    }

    fn block(&mut self, function: &mut Function, block: Block) {
        self.enter(function, block);
        let mut insts = std::mem::take(&mut function.blocks[block.0 as usize].insts);
        insts.retain(|at| {
            self.to.apply(function, *at);
            let is_kept = self.inst(function, *at, block);
            if is_kept {
                self.results(function, *at);
            }
            is_kept
        });
        function.blocks[block.0 as usize].insts = insts;
        self.end(function, block);
    }

    /// What is known where a block begins.
    fn enter(&mut self, function: &Function, block: Block) {
        let preds = self.tree.preds(block);
        if let [pred] = preds
            && let Terminator::Branch(test, (then, _), (other, _)) = &function.block(*pred).term
            && then != other
        {
            self.ranges.assume(function, self.to.resolve(*test), *then == block);
        }
        if block.0 == 0 {
            return;
        }
        // Edges that were not passed yet are back edges, or unknown.
        let is_late = |it: &&Block| !self.tree.precedes(**it, block);
        let is_head = preds.iter().any(|it| self.tree.dominates(block, *it));
        let is_known = preds.iter().filter(is_late).all(|it| self.tree.dominates(block, *it));
        if !is_known {
            return;
        }
        for (at, param) in function.block(block).params.iter().enumerate() {
            let (low, high) = self.incoming[param.0 as usize];
            if !is_head {
                self.ranges.restrict(*param, low, high);
                continue;
            }
            let variable = induction::variable(function, self.tree, &self.ranges, block, at);
            if variable.rises {
                self.ranges.restrict(*param, low, i64::MAX);
            }
            if variable.falls {
                self.ranges.restrict(*param, i64::MIN, high);
            }
            if let Some(start) = variable.start.map(|it| self.to.resolve(it)) {
                if variable.rises {
                    self.ranges.learn(function, start, *param, 0);
                }
                if variable.falls {
                    self.ranges.learn(function, *param, start, 0);
                }
            }
        }
    }

    /// Whether an instruction stays.
    fn inst(&mut self, function: &mut Function, at: u32, block: Block) -> bool {
        let inst = &function.insts[at as usize];
        let first = inst.args.first().copied();
        match (inst.op, first) {
            (Opcode::Check(_), Some(test)) => self.check(function, test),
            (Opcode::CheckIndex(_), Some(index)) => {
                let (extent, result) = (inst.args[1], inst.results[0]);
                self.check_index(function, at, (index, extent, result), block)
            }
            (Opcode::Select, Some(test)) => {
                let known = self.ranges.decide(function, test).map(|it| usize::from(!it) + 1);
                let Some(which) = known.or_else(|| self.decided_extremum(function, at)) else {
                    return true;
                };
                let inst = &function.insts[at as usize];
                self.is_decided = true;
                self.to.replace(inst.results[0], inst.args[which]);
                false
            }
            (Opcode::Cmp(..), Some(_)) => {
                let result = inst.results[0];
                let Some(truth) = self.ranges.decide(function, result) else { return true };
                let truth = self.truth(function, truth);
                self.to.replace(result, truth);
                false
            }
            _ => true,
        }
    }

    /// Which operand a choice of the greater or the smaller one gives, if that is known.
    fn decided_extremum(&self, function: &Function, at: u32) -> Option<usize> {
        let inst = &function.insts[at as usize];
        let (is_greatest, [yes, no]) = extremum(function, inst)?;
        let (less, more) = if is_greatest { (yes, no) } else { (no, yes) };
        // Where they are equal, they are the same.
        if self.ranges.proves(function, less, more, 0) {
            return Some(2);
        }
        self.ranges.proves(function, more, less, 0).then_some(1)
    }

    fn check(&mut self, function: &Function, test: Value) -> bool {
        if self.ranges.decide(function, test) == Some(true) {
            self.stats.checks += 1;
            return false;
        }
        self.ranges.assume(function, test, true);
        true
    }

    fn check_index(
        &mut self,
        function: &mut Function,
        at: u32,
        (index, extent, result): (Value, Value, Value),
        block: Block,
    ) -> bool {
        let (low, high) = self.ranges.range(function, index);
        if let Some((from, before)) = self.checked.get(&(index, extent))
            && self.tree.dominates(*from, block)
        {
            self.to.replace(result, *before);
        } else if low >= 0 && self.ranges.proves(function, index, extent, -1) {
            self.to.replace(result, index);
        } else if high < 0 && low > i64::MIN && self.ranges.range(function, extent).0 >= -low {
            // Counted from the end, and there.
            self.stats.bounds += 1;
            let inst = &mut function.insts[at as usize];
            (inst.op, inst.args) = (Opcode::Add, ValueList::from_slice(&[extent, index]));
            self.ranges.learn(function, result, extent, -1);
            self.ranges.restrict(result, 0, i64::MAX);
            return true;
        } else {
            self.passed(function, (index, extent, result), block);
            return true;
        }
        self.stats.bounds += 1;
        false
    }

    /// What is known after a check.
    fn passed(
        &mut self,
        function: &Function,
        (index, extent, result): (Value, Value, Value),
        block: Block,
    ) {
        let from_start = self.ranges.range(function, index).0 >= 0;
        self.ranges.restrict(extent, 1, i64::MAX);
        self.ranges.learn(function, index, extent, -1);
        self.ranges.learn(function, result, extent, -1);
        self.ranges.restrict(result, 0, i64::MAX);
        let result = if from_start {
            self.to.replace(result, index);
            index
        } else {
            result
        };
        self.checked.insert((index, extent), (block, result));
    }

    /// What the results of an instruction may be.
    fn results(&mut self, function: &Function, at: u32) {
        let inst = &function.insts[at as usize];
        let [result] = inst.results[..] else { return };
        if function.prim(result) != Prim::Int && function.prim(result) != Prim::Bool {
            return;
        }
        let (low, high) = range_of(function, &self.ranges, inst);
        self.ranges.restrict(result, low, high);
        if let Some((is_greatest, of)) = extremum(function, inst) {
            for it in of {
                let (less, more) = if is_greatest { (it, result) } else { (result, it) };
                self.ranges.learn(function, less, more, 0);
            }
        }
        if let (Opcode::FloorMod | Opcode::Rem(false), [_, divisor]) = (inst.op, &inst.args[..])
            && self.ranges.range(function, *divisor).0 > 0
        {
            self.ranges.learn(function, result, *divisor, -1);
        }
    }

    /// Passes on what arguments may be, and settles the branch if it is known.
    fn end(&mut self, function: &mut Function, block: Block) {
        let at = block.0 as usize;
        if let Terminator::Branch(test, ..) = function.blocks[at].term {
            let test = self.to.resolve(test);
            if function.constant(test).is_none()
                && let Some(truth) = self.ranges.decide(function, test)
            {
                let truth = self.truth(function, truth);
                if let Terminator::Branch(test, ..) = &mut function.blocks[at].term {
                    *test = truth;
                }
            }
        }
        match &function.blocks[at].term {
            Terminator::Branch(test, then, other) if then.0 != other.0 => {
                let test = self.to.resolve(*test);
                for (target, truth) in [(then, true), (other, false)] {
                    if !target.1.is_empty() {
                        let mark = self.ranges.mark();
                        self.ranges.assume(function, test, truth);
                        self.pass_on(function, target);
                        self.ranges.rewind(mark);
                    }
                }
            }
            term => term.targets().for_each(|it| self.pass_on(function, it)),
        }
    }

    fn pass_on(&mut self, function: &Function, (target, args): &(Block, ValueList)) {
        for (param, arg) in function.block(*target).params.iter().zip(args) {
            let (low, high) = self.ranges.range(function, self.to.resolve(*arg));
            let known = &mut self.incoming[param.0 as usize];
            *known = (known.0.min(low), known.1.max(high));
        }
    }

    fn truth(&mut self, function: &mut Function, truth: bool) -> Value {
        self.is_decided = true;
        let constants = self.constants.get_or_insert_with(|| Constants::new(function));
        constants.get(function, u64::from(truth), Prim::Bool)
    }
}

/// The operands of an instruction that chooses the greater or the smaller of two whole numbers, and
/// whether it is the greater.
fn extremum(function: &Function, inst: &Inst) -> Option<(bool, [Value; 2])> {
    let (Opcode::Select, [test, yes, no]) = (inst.op, &inst.args[..]) else { return None };
    let compared = function.def(*test)?;
    let Opcode::Cmp(cond, true) = compared.op else { return None };
    let is_same = compared.args[..] == [*yes, *no];
    if !is_same && compared.args[..] != [*no, *yes] {
        return None;
    }
    match cond {
        Cond::Gt | Cond::Ge => Some((is_same, [*yes, *no])),
        Cond::Lt | Cond::Le => Some((!is_same, [*yes, *no])),
        Cond::Eq | Cond::Ne => None,
    }
}

/// The places of extents among the words of a type.
fn for_each_extent(ty: Ty, at: usize, found: &mut dyn FnMut(usize)) {
    match &*ty {
        TyKind::Array(array) => (0..array.ndim).for_each(|dim| found(at + 2 + dim)),
        TyKind::Flat(inner) | TyKind::Bound(inner, _) => for_each_extent(*inner, at, found),
        TyKind::Tuple(items) | TyKind::NamedTuple(_, _, items) => {
            let mut at = at;
            for item in items {
                for_each_extent(*item, at, found);
                at += item.width();
            }
        }
        _ => {}
    }
}
