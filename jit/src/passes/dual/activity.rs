//! Activity analysis: which values of a function depend on active parameters in a way that has a
//! derivative.

use super::rules;
use crate::ir::{Block, Function, Inst, Opcode, RuntimeCall};
use crate::types::Prim;

/// Whether words of a kind have tangents.
pub(super) fn is_real(prim: Prim) -> bool {
    matches!(prim, Prim::F32 | Prim::F64)
}

/// Which values of a function have tangents, if these words of its parameters have.
pub(super) fn of(function: &Function, params: &[bool]) -> Vec<bool> {
    let mut active = vec![false; function.values.len()];
    for (param, is_active) in function.block(Block(0)).params.iter().zip(params) {
        active[param.0 as usize] = *is_active;
    }
    while spread(function, &mut active) {}
    active
}

/// Goes one step further; whether that found something.
fn spread(function: &Function, active: &mut [bool]) -> bool {
    let mut is_new = false;
    for block in &function.blocks {
        for inst in block.insts.iter().map(|it| &function.insts[*it as usize]) {
            if !passes(inst, active) {
                continue;
            }
            for result in &inst.results {
                let slot = &mut active[result.0 as usize];
                is_new |= is_real(function.prim(*result)) && !*slot;
                *slot |= is_real(function.prim(*result));
            }
        }
        for (target, args) in block.term.targets() {
            for (param, arg) in function.block(*target).params.iter().zip(args) {
                is_new |= active[arg.0 as usize] && !active[param.0 as usize];
                active[param.0 as usize] |= active[arg.0 as usize];
            }
        }
    }
    is_new
}

/// Whether a tangent comes through an instruction.
fn passes(inst: &Inst, active: &[bool]) -> bool {
    let mut args = inst.args.iter().enumerate();
    args.any(|(at, arg)| {
        active[arg.0 as usize]
            && match inst.op {
                Opcode::Call(RuntimeCall::Function(_), _) => true,
                op => rules::depends(op, at),
            }
    })
}
