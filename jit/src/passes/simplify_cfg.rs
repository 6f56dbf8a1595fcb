//! Simplification of the control flow graph.
//!
//! Branches on constants become jumps, edges through blocks that only go on lead to where these go
//! (jump threading, also where the edge decides the branch), and a block that only one edge leads
//! to is appended to the one before. Each is linear; what is not reached goes with
//! [`super::reach`]. The block before a loop stays, since facts and invariant code belong there.

use super::dominators::Dominators;
use super::substitution::Substitution;
use crate::ir::Stats;
use crate::ir::{Block, Function, Terminator, Value, ValueList};

/// How many empty blocks one edge is led through.
const MAX_HOPS: usize = 8;

pub(super) fn run(function: &mut Function, stats: &mut Stats) {
    let before = function.blocks.len();
    for at in 0..function.blocks.len() {
        settle_branch(function, at);
    }
    super::reach::remove_unreachable(function);
    thread_jumps(function);
    super::reach::remove_unreachable(function);
    merge_blocks(function);
    super::reach::remove_unreachable(function);
    stats.blocks += before - function.blocks.len();
}

/// A branch whose way is known becomes a jump.
fn settle_branch(function: &mut Function, at: usize) {
    let Terminator::Branch(test, then, other) = &function.blocks[at].term else { return };
    let target = match function.constant(*test) {
        Some(0) => other.clone(),
        Some(_) => then.clone(),
        None if then == other => then.clone(),
        None => return,
    };
    function.blocks[at].term = Terminator::Jump(target);
}

/// Leads edges past blocks that do nothing.
fn thread_jumps(function: &mut Function) {
    let mut is_local = params_are_local(function);
    if !is_local.contains(&true) {
        return;
    }
    keep_preheaders(function, &mut is_local);
    for at in 0..function.blocks.len() {
        let mut term = std::mem::replace(&mut function.blocks[at].term, Terminator::Open);
        let test = match &term {
            Terminator::Branch(test, ..) => Some(*test),
            Terminator::Open
            | Terminator::Jump(_)
            | Terminator::Return(_)
            | Terminator::Raise(..) => None,
        };
        for (way, target) in term.targets_mut().enumerate() {
            // The first way is the one where the test is true.
            let known = test.map(|it| (it, way == 0));
            for _ in 0..MAX_HOPS {
                let Some(next) = hop(function, &is_local, known, target) else { break };
                if next.0 == target.0 {
                    break;
                }
                *target = next;
            }
        }
        function.blocks[at].term = term;
        settle_branch(function, at);
    }
}

/// Blocks that enter a loop are not led past.
fn keep_preheaders(function: &Function, is_local: &mut [bool]) {
    let tree = Dominators::new(function);
    for head in tree.preorder() {
        let (latches, outside): (Vec<Block>, Vec<Block>) =
            tree.preds(*head).iter().partition(|it| tree.dominates(*head, **it));
        if let ([_, ..], [only]) = (&latches[..], &outside[..]) {
            is_local[only.0 as usize] = false;
        }
    }
}

/// Whether only the end of a block itself reads its parameters, for each empty block.
fn params_are_local(function: &Function) -> Vec<bool> {
    let mut is_local: Vec<bool> = function.blocks.iter().map(|it| it.insts.is_empty()).collect();
    let mut read = |value: Value, by: usize| {
        if let crate::ir::Def::Param(block) = function.values[value.0 as usize].def
            && block.0 as usize != by
        {
            is_local[block.0 as usize] = false;
        }
    };
    for (at, block) in function.blocks.iter().enumerate() {
        let insts = block.insts.iter().map(|it| &function.insts[*it as usize]);
        insts.flat_map(|it| &it.args).for_each(|it| read(*it, at));
        block.term.for_each_value(&mut |it| read(it, at));
    }
    is_local
}

/// Where an edge leads after one block that does nothing, if a value is known to be true or false on it.
fn hop(
    function: &Function,
    is_local: &[bool],
    known: Option<(Value, bool)>,
    (block, args): &(Block, ValueList),
) -> Option<(Block, ValueList)> {
    let data = function.block(*block);
    if !is_local[block.0 as usize] {
        return None;
    }
    let given = |value: &Value| {
        let at = data.params.iter().position(|it| it == value);
        at.map_or(*value, |it| args[it])
    };
    let target = match &data.term {
        Terminator::Jump(target) => target,
        Terminator::Branch(test, then, other) => {
            let test = given(test);
            let of_edge = known.filter(|(value, _)| *value == test).map(|(_, truth)| truth);
            if of_edge.or_else(|| function.constant(test).map(|it| it != 0))? {
                then
            } else {
                other
            }
        }
        Terminator::Open | Terminator::Return(_) | Terminator::Raise(..) => return None,
    };
    Some((target.0, target.1.iter().map(given).collect()))
}

/// Appends each block to the one before that alone leads to it.
fn merge_blocks(function: &mut Function) {
    let mut edges = vec![0_u32; function.blocks.len()];
    for (target, _) in function.blocks.iter().flat_map(|it| it.term.targets()) {
        edges[target.0 as usize] += 1;
    }
    let mut to = Substitution::new(function);
    for at in 0..function.blocks.len() {
        while let Terminator::Jump((target, _)) = &function.blocks[at].term {
            let next = target.0 as usize;
            if edges[next] != 1 || next == at || next == 0 {
                break;
            }
            edges[next] = 0;
            let params = std::mem::take(&mut function.blocks[next].params);
            let insts = std::mem::take(&mut function.blocks[next].insts);
            let end = std::mem::replace(&mut function.blocks[next].term, Terminator::Open);
            let block = &mut function.blocks[at];
            block.insts.extend(insts);
            if let Terminator::Jump((_, args)) = std::mem::replace(&mut block.term, end) {
                params.iter().zip(&args).for_each(|(param, arg)| to.replace(*param, *arg));
            }
        }
    }
    to.apply_to_all(function);
}
