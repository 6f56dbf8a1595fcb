//! The verifier: what every pass may rely on, and has to leave.
//!
//! Every use is dominated by its definition, edges pass as many words of the kinds that parameters
//! take, operands fit their instruction, every block ends, and nothing leads back to the entry.

use super::dominators::Dominators;
use crate::ir::{Block, Convert, Def, Elem, Function, Inst, Opcode, Terminator, Value};
use crate::types::Prim;

/// What is wrong with a function, if something is. All its blocks are reachable.
pub(super) fn verify(function: &Function) -> Result<(), String> {
    let tree = Dominators::new(function);
    if !tree.preds(Block(0)).is_empty() {
        return Err("the entry is jumped to".to_owned());
    }
    let uses = UseCheck::new(function, &tree)?;
    for at in 0..function.blocks.len() {
        uses.block(Block(at as u32)).map_err(|it| format!("b{at}: {it}"))?;
    }
    Ok(())
}

struct UseCheck<'a> {
    function: &'a Function,
    tree: &'a Dominators,
    /// The block and the place in it of each instruction that is in a block.
    places: Vec<Option<(Block, usize)>>,
}

impl<'a> UseCheck<'a> {
    fn new(function: &'a Function, tree: &'a Dominators) -> Result<UseCheck<'a>, String> {
        let mut places = vec![None; function.insts.len()];
        for (block, data) in (0..).zip(&function.blocks) {
            for (within, at) in data.insts.iter().enumerate() {
                if places[*at as usize].replace((Block(block), within)).is_some() {
                    return Err(format!("instruction {at} is in two places"));
                }
            }
        }
        Ok(UseCheck { function, tree, places })
    }

    fn block(&self, block: Block) -> Result<(), String> {
        let function = self.function;
        let data = function.block(block);
        for param in &data.params {
            if function.values[param.0 as usize].def != Def::Param(block) {
                return Err(format!("parameter %{} is defined elsewhere", param.0));
            }
        }
        for (within, at) in data.insts.iter().enumerate() {
            let inst = &function.insts[*at as usize];
            inst.args.iter().try_for_each(|it| self.value(*it, block, within))?;
            if inst.results.iter().any(|it| function.values[it.0 as usize].def != Def::Inst(*at)) {
                return Err(format!("a result of {:?} is defined elsewhere", inst.op));
            }
            if !fits(function, inst) {
                return Err(format!(
                    "{:?} does not take {:?}",
                    inst.op,
                    prims(function, &inst.args)
                ));
            }
        }
        let mut found = Ok(());
        data.term.for_each_value(&mut |it| {
            if found.is_ok() {
                found = self.value(it, block, usize::MAX);
            }
        });
        found?;
        self.term(&data.term)
    }

    fn value(&self, value: Value, block: Block, within: usize) -> Result<(), String> {
        let Some(data) = self.function.values.get(value.0 as usize) else {
            return Err(format!("%{} does not exist", value.0));
        };
        let is_defined = match data.def {
            Def::Const(_) => true,
            Def::Param(from) => {
                self.function
                    .blocks
                    .get(from.0 as usize)
                    .is_some_and(|it| it.params.contains(&value))
                    && self.tree.dominates(from, block)
            }
            Def::Inst(at) => match self.places[at as usize] {
                Some((from, before)) if from == block => before < within,
                Some((from, _)) => self.tree.dominates(from, block),
                None => false,
            },
        };
        if is_defined { Ok(()) } else { Err(format!("%{} is not defined on all ways", value.0)) }
    }

    fn term(&self, term: &Terminator) -> Result<(), String> {
        let function = self.function;
        for (target, args) in term.targets() {
            let params = &function.block(*target).params;
            if prims(function, args) != prims(function, params) {
                return Err(format!("b{} does not take {:?}", target.0, prims(function, args)));
            }
        }
        match term {
            Terminator::Open => Err("it does not end".to_owned()),
            Terminator::Branch(test, ..) if function.prim(*test) != Prim::Bool => {
                Err("it branches on what is no bool".to_owned())
            }
            Terminator::Return(values)
                if prims(function, values)[..] != function.result.prims()[..] =>
            {
                Err("it returns something else than the function".to_owned())
            }
            Terminator::Branch(..)
            | Terminator::Return(_)
            | Terminator::Jump(_)
            | Terminator::Raise(..) => Ok(()),
        }
    }
}

fn prims(function: &Function, values: &[Value]) -> Vec<Prim> {
    values.iter().map(|it| function.prim(*it)).collect()
}

/// Whether operands and results are of the kinds that an instruction has.
fn fits(function: &Function, inst: &Inst) -> bool {
    use Prim::{Bool, F32, F64, Int, Owner, Ptr};
    let (args, results) = (prims(function, &inst.args), prims(function, &inst.results));
    let (args, results) = (&args[..], &results[..]);
    match inst.op {
        Opcode::Add
        | Opcode::Sub
        | Opcode::Mul
        | Opcode::Div(_)
        | Opcode::Rem(_)
        | Opcode::FloorDiv
        | Opcode::FloorMod
        | Opcode::Pow
        | Opcode::Gcd
        | Opcode::Shl
        | Opcode::Sar
        | Opcode::Shr => matches!((args, results), ([Int, Int], [Int])),
        Opcode::And | Opcode::Or | Opcode::Xor => {
            matches!((args, results), ([Int, Int], [Int]) | ([Bool, Bool], [Bool]))
        }
        Opcode::Cmp(..) => {
            matches!((args, results), ([a, b], [Bool]) if a == b && !matches!(a, F32 | F64))
        }
        Opcode::FAdd | Opcode::FSub | Opcode::FMul | Opcode::FDiv => {
            matches!((args, results), ([F64, F64], [F64]) | ([F32, F32], [F32]))
        }
        Opcode::FMulAdd => {
            matches!((args, results), ([F64, F64, F64], [F64]) | ([F32, F32, F32], [F32]))
        }
        Opcode::FNeg
        | Opcode::FAbs
        | Opcode::FSqrt
        | Opcode::FFloor
        | Opcode::FCeil
        | Opcode::FTrunc
        | Opcode::FRint => {
            matches!((args, results), ([F64], [F64]) | ([F32], [F32]))
        }
        Opcode::FCmp(_) => matches!((args, results), ([F64, F64] | [F32, F32], [Bool])),
        Opcode::Math(row) => {
            matches!(results, [F64 | F32])
                && args.len() == row.arity()
                && args.iter().all(|it| *it == results[0])
        }
        Opcode::Select => matches!((args, results), ([Bool, a, b], [c]) if a == b && a == c),
        Opcode::Convert(convert) => match convert {
            Convert::Wrap(..) => matches!((args, results), ([Int | Bool], [Int])),
            Convert::ToF64(_) => matches!((args, results), ([Int | Bool], [F64])),
            Convert::ToF32(_) => matches!((args, results), ([Int | Bool], [F32])),
            Convert::FromF64(_) => matches!((args, results), ([F64], [Int])),
            Convert::Demote => matches!((args, results), ([F64], [F32])),
            Convert::Promote => matches!((args, results), ([F32], [F64])),
            Convert::Bits => matches!((args, results), ([F64], [Int]) | ([Int], [F64])),
            Convert::ToF16 => matches!((args, results), ([F32], [F32])),
        },
        Opcode::Load(elem) => {
            matches!((args, results), ([Ptr], [word]) if word_of(elem).contains(word))
        }
        Opcode::Store(elem) => {
            matches!((args, results), ([Ptr, word], []) if word_of(elem).contains(word))
        }
        Opcode::Offset => matches!((args, results), ([Ptr, Int], [Ptr])),
        Opcode::Check(_) => matches!((args, results), ([Bool, ..], [])),
        Opcode::CheckIndex(_) => matches!((args, results), ([Int, Int], [Int])),
        Opcode::Call(..) => true,
        Opcode::Retain | Opcode::Release => matches!((args, results), ([Owner], [])),
        Opcode::Poll(_) => matches!((args, results), ([], [])),
    }
}

/// The words that an element is loaded as.
fn word_of(elem: Elem) -> &'static [Prim] {
    match elem {
        Elem::Bool => &[Prim::Bool],
        Elem::I8 | Elem::I16 | Elem::I32 | Elem::I64 | Elem::U8 | Elem::U16 | Elem::U32 => {
            &[Prim::Int]
        }
        Elem::F16 | Elem::F32 => &[Prim::F32],
        Elem::F64 => &[Prim::F64],
        Elem::Ptr => &[Prim::Ptr, Prim::Owner],
    }
}
