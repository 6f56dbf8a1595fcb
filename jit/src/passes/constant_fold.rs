//! Constant folding over a whole function, and algebraic identities with what it leaves.
//!
//! One walk: dominators come before what they dominate in the order of blocks that
//! [`super::reach`] leaves, so operands are final when an instruction is looked at.

use super::constants::Constants;
use super::peephole::{Peephole, simplify};
use super::substitution::Substitution;
use crate::ir::Stats;
use crate::ir::{Folded, Function, Opcode, Terminator, fold};
use crate::types::Prim;

/// How often one instruction is rewritten.
const MAX_STEPS: usize = 4;

/// Folds what is known; what branches on constants becomes a jump later, see
/// [`super::simplify_cfg`].
pub(super) fn run(function: &mut Function, stats: &mut Stats) {
    let mut constants = Constants::new(function);
    let mut to = Substitution::new(function);
    for block in 0..function.blocks.len() {
        let mut insts = std::mem::take(&mut function.blocks[block].insts);
        insts.retain(|inst| {
            to.apply(function, *inst);
            let is_kept = !reduce(function, *inst, &mut constants, &mut to);
            stats.folded += usize::from(!is_kept);
            is_kept
        });
        function.blocks[block].insts = insts;
    }
    to.apply_to_ends(function);
    (0..function.blocks.len()).for_each(|it| turn_branch(function, it));
}

/// Whether an instruction amounts to another value, which takes its place.
fn reduce(
    function: &mut Function,
    at: u32,
    constants: &mut Constants,
    to: &mut Substitution,
) -> bool {
    for _ in 0..MAX_STEPS {
        let inst = &function.insts[at as usize];
        let (true, [result]) = (inst.op.is_pure(), &inst.results[..]) else { return false };
        let (result, prim) = (*result, function.prim(inst.results[0]));
        let step = match fold(function, inst.op, &inst.args, prim) {
            Some(Folded::Bits(bits)) => Some(Peephole::Bits(bits)),
            Some(Folded::Value(value)) => Some(Peephole::Value(value)),
            None => simplify(function, inst, prim),
        };
        let value = match step {
            None => return false,
            Some(Peephole::Value(value)) => value,
            Some(Peephole::Bits(bits)) => constants.get(function, bits, prim),
            Some(Peephole::Rewrite(op, args)) => {
                let inst = &mut function.insts[at as usize];
                (inst.op, inst.args) = (op, args);
                continue;
            }
            Some(Peephole::WithConstant(op, first, bits, prim)) => {
                let second = constants.get(function, bits, prim);
                let inst = &mut function.insts[at as usize];
                (inst.op, inst.args) = (op, [first, second].into_iter().collect());
                continue;
            }
        };
        to.replace(result, value);
        return true;
    }
    false
}

/// A branch on what is not so goes the other way.
fn turn_branch(function: &mut Function, block: usize) {
    let Terminator::Branch(test, ..) = function.blocks[block].term else { return };
    let Some(inst) = function.def(test) else { return };
    let [of, ones] = inst.args[..] else { return };
    if inst.op != Opcode::Xor
        || function.constant(ones) != Some(1)
        || function.prim(of) != Prim::Bool
    {
        return;
    }
    if let Terminator::Branch(test, then, other) = &mut function.blocks[block].term {
        *test = of;
        std::mem::swap(then, other);
    }
}
