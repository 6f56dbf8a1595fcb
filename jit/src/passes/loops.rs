//! The natural loops of a function, and how they are nested.
//!
//! A loop is entered by its head alone: the blocks from which a back edge, one to a block that
//! dominates its origin, is reached without passing the head.

use super::dominators::Dominators;
use crate::ir::Block;

/// A loop.
pub(super) struct Loop {
    pub(super) head: Block,
    /// The loop around it.
    pub(super) parent: Option<usize>,
}

/// The loops of a function, outer ones first.
pub(super) struct LoopAnalysis {
    pub(super) loops: Vec<Loop>,
    /// The innermost loop around each block.
    innermost: Vec<Option<usize>>,
}

impl LoopAnalysis {
    pub(super) fn new(tree: &Dominators) -> LoopAnalysis {
        let count = tree.preorder().len();
        let mut found = LoopAnalysis { loops: Vec::new(), innermost: vec![None; count] };
        let is_head =
            |block: &&Block| tree.preds(**block).iter().any(|it| tree.dominates(**block, *it));
        let heads: Vec<Block> = tree.preorder().iter().filter(is_head).copied().collect();
        let mut left = Vec::new();
        // Heads of outer loops come first, so inner loops take blocks over from them.
        for head in heads {
            let number = found.loops.len();
            let parent = found.innermost[head.0 as usize];
            found.loops.push(Loop { head, parent });
            left.push(head);
            left.extend(tree.preds(head).iter().filter(|it| tree.dominates(head, **it)));
            while let Some(block) = left.pop() {
                let around = &mut found.innermost[block.0 as usize];
                if *around == Some(number) {
                    continue;
                }
                *around = Some(number);
                if block != head {
                    left.extend(tree.preds(block));
                }
            }
        }
        found
    }

    /// The innermost loop around a block.
    pub(super) fn innermost(&self, block: Block) -> Option<usize> {
        self.innermost[block.0 as usize]
    }
}
