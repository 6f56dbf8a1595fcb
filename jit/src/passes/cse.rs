//! Common subexpression elimination: global value numbering over the dominator tree.
//!
//! A pure instruction whose operation and operands are those of one that dominates it gives the
//! same result. In preorder of the tree, an instruction that does not dominate the one at hand
//! dominates none that follows either, so the table keeps one instruction for each expression.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use super::dominators::Dominators;
use super::hash::WordHasher;
use super::substitution::Substitution;
use crate::ir::Stats;
use crate::ir::{Block, Cond, Function, Opcode, Value, ValueList};
use crate::types::Prim;

/// An expression: what is done, to what, and what results.
type ExprKey = (Opcode, Prim, ValueList);

pub(super) fn run(function: &mut Function, tree: &Dominators, stats: &mut Stats) {
    let mut known: HashMap<ExprKey, (Block, Value), BuildHasherDefault<WordHasher>> =
        HashMap::with_capacity_and_hasher(function.insts.len(), BuildHasherDefault::default());
    let mut to = Substitution::new(function);
    for block in tree.preorder() {
        let mut insts = std::mem::take(&mut function.blocks[block.0 as usize].insts);
        insts.retain(|at| {
            to.apply(function, *at);
            let inst = &function.insts[*at as usize];
            let (true, [result]) = (inst.op.is_pure(), &inst.results[..]) else { return true };
            let key = expression(inst.op, &inst.args, function.prim(*result));
            match known.get(&key) {
                Some((from, value)) if tree.dominates(*from, *block) => {
                    to.replace(*result, *value);
                    false
                }
                _ => {
                    known.insert(key, (*block, *result));
                    true
                }
            }
        });
        function.blocks[block.0 as usize].insts = insts;
    }
    to.apply_to_ends(function);
    stats.shared += to.count;
}

/// An expression in the form in which equal ones are found.
fn expression(op: Opcode, args: &[Value], prim: Prim) -> ExprKey {
    let mut args = ValueList::from_slice(args);
    if op.is_commutative() {
        args.sort_unstable();
        return (op, prim, args);
    }
    let op = match op {
        Opcode::Cmp(cond @ (Cond::Gt | Cond::Ge), is_signed) => {
            Opcode::Cmp(cond.swapped(), is_signed)
        }
        Opcode::FCmp(cond @ (Cond::Gt | Cond::Ge)) => Opcode::FCmp(cond.swapped()),
        _ => return (op, prim, args),
    };
    args.reverse();
    (op, prim, args)
}
