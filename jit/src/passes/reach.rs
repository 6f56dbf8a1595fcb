//! Removal of blocks that are never reached.

use crate::ir::{Block, Function};

/// Removes blocks that nothing jumps to, and numbers the others anew.
pub(crate) fn remove_unreachable(function: &mut Function) {
    let mut order = Vec::new();
    let mut number = vec![None; function.blocks.len()];
    let mut left = vec![0];
    while let Some(at) = left.pop() {
        if number[at].is_some() {
            continue;
        }
        number[at] = Some(Block(u32::try_from(order.len()).unwrap_or(u32::MAX)));
        order.push(at);
        left.extend(function.blocks[at].term.targets().map(|(block, _)| block.0 as usize));
        // The first target comes next, so that a loop's body follows its head.
        let first = left.len() - function.blocks[at].term.targets().count();
        left[first..].reverse();
    }
    if order.len() == function.blocks.len() && order.iter().enumerate().all(|(at, it)| at == *it) {
        return;
    }
    let mut old: Vec<_> = std::mem::take(&mut function.blocks).into_iter().map(Some).collect();
    function.blocks = order.iter().filter_map(|at| old[*at].take()).collect();
    for block in &mut function.blocks {
        for (target, _) in block.term.targets_mut() {
            *target = number[target.0 as usize].unwrap_or_default();
        }
    }
    for (at, block) in function.blocks.iter().enumerate() {
        let here = Block(u32::try_from(at).unwrap_or(u32::MAX));
        for param in &block.params {
            function.values[param.0 as usize].def = crate::ir::Def::Param(here);
        }
    }
}
