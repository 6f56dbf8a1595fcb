//! Dead code elimination: what no effect and no result depends on.
//!
//! Marks from what has an effect backwards, through the parameters of blocks, so a variable that
//! only its own next turn reads goes as well.

use crate::ir::Stats;
use crate::ir::{Block, Def, Function, Opcode, Terminator, Value, ValueList};

pub(super) fn run(function: &mut Function, stats: &mut Stats) {
    let mut marks = Marks { is_live: vec![false; function.values.len()], left: Vec::new() };
    for block in &function.blocks {
        for inst in block.insts.iter().map(|it| &function.insts[*it as usize]) {
            if !is_removable(inst.op) {
                inst.args.iter().for_each(|it| marks.mark(*it));
            }
        }
        match &block.term {
            Terminator::Branch(test, ..) => marks.mark(*test),
            Terminator::Return(values) | Terminator::Raise(_, values) => {
                values.iter().for_each(|it| marks.mark(*it));
            }
            Terminator::Jump(_) | Terminator::Open => {}
        }
    }
    function.blocks[0].params.iter().for_each(|it| marks.is_live[it.0 as usize] = true);
    marks.spread(function, &edges(function));
    stats.dead += sweep(function, &marks.is_live);
}

/// Whether an instruction does nothing but give its result. A load fails nowhere.
fn is_removable(op: Opcode) -> bool {
    op.is_pure() || matches!(op, Opcode::Load(_))
}

/// The edges to each block: the block that they come from, and which of its targets they are.
fn edges(function: &Function) -> Vec<Vec<(Block, usize)>> {
    let mut edges = vec![Vec::new(); function.blocks.len()];
    for (at, block) in (0..).zip(&function.blocks) {
        for (which, (target, args)) in block.term.targets().enumerate() {
            if !args.is_empty() {
                edges[target.0 as usize].push((Block(at), which));
            }
        }
    }
    edges
}

struct Marks {
    is_live: Vec<bool>,
    left: Vec<Value>,
}

impl Marks {
    fn mark(&mut self, value: Value) {
        if !std::mem::replace(&mut self.is_live[value.0 as usize], true) {
            self.left.push(value);
        }
    }

    fn spread(&mut self, function: &Function, edges: &[Vec<(Block, usize)>]) {
        while let Some(value) = self.left.pop() {
            match function.values[value.0 as usize].def {
                Def::Const(_) => {}
                Def::Inst(at) => {
                    function.insts[at as usize].args.iter().for_each(|it| self.mark(*it));
                }
                Def::Param(block) => {
                    let params = &function.block(block).params;
                    let Some(at) = params.iter().position(|it| *it == value) else { continue };
                    for (from, which) in &edges[block.0 as usize] {
                        if let Some((_, args)) = function.block(*from).term.targets().nth(*which) {
                            self.mark(args[at]);
                        }
                    }
                }
            }
        }
    }
}

/// Removes what is not marked; how many instructions that were.
fn sweep(function: &mut Function, is_live: &[bool]) -> usize {
    let lives = |it: &Value| is_live[it.0 as usize];
    let kept: Vec<ValueList> = function.blocks.iter().map(|it| it.params.clone()).collect();
    let mut removed = 0;
    for block in &mut function.blocks {
        let before = block.insts.len();
        block.insts.retain(|at| {
            let inst = &function.insts[*at as usize];
            !is_removable(inst.op) || inst.results.iter().any(lives)
        });
        removed += before - block.insts.len();
        block.params.retain(|it| lives(it));
        for (target, args) in block.term.targets_mut() {
            let mut params = kept[target.0 as usize].iter();
            args.retain(|_| params.next().is_none_or(lives));
        }
    }
    removed
}
