//! Dominators of the control flow graph, and the order of its blocks.
//!
//! The iterative method of Cooper, Harvey and Kennedy ("A Simple, Fast Dominance Algorithm", 2001)
//! over reverse postorder. The tree is numbered in preorder, so whether a block dominates another
//! is two comparisons. All blocks are reachable, see [`super::reach`].

use crate::ir::{Block, Function};

/// The dominator tree of a function.
pub(super) struct Dominators {
    /// The immediate dominator of each block; that of the entry is itself.
    idom: Vec<u32>,
    /// The blocks in preorder of the tree: siblings in reverse postorder of the graph, so all
    /// predecessors of a block but those of back edges come before it.
    preorder: Vec<Block>,
    /// The number of each block in that order.
    number: Vec<u32>,
    /// The greatest such number below each block.
    last: Vec<u32>,
    /// How deep in the tree each block is.
    depth: Vec<u32>,
    /// Where the predecessors of each block begin in `preds`.
    starts: Vec<u32>,
    preds: Vec<Block>,
}

impl Dominators {
    pub(super) fn new(function: &Function) -> Dominators {
        let count = function.blocks.len();
        let (starts, preds) = predecessors(function);
        let order = postorder(function);
        let mut place = vec![0; count];
        for (at, block) in (0..).zip(&order) {
            place[block.0 as usize] = at;
        }
        let idom = immediate(&order, &place, &starts, &preds);
        let mut tree = Dominators {
            idom,
            preorder: Vec::with_capacity(count),
            number: vec![0; count],
            last: vec![0; count],
            depth: vec![0; count],
            starts,
            preds,
        };
        tree.walk(&order);
        tree
    }

    /// Numbers the tree, children in reverse postorder.
    fn walk(&mut self, postorder: &[Block]) {
        let none = u32::MAX;
        let mut child = vec![none; postorder.len()];
        let mut sibling = vec![none; postorder.len()];
        // Each is put in front of its siblings, which turns the order around.
        for block in postorder.iter().map(|it| it.0).filter(|it| *it != 0) {
            let parent = self.idom[block as usize] as usize;
            sibling[block as usize] = child[parent];
            child[parent] = block;
        }
        let mut at = 0;
        loop {
            self.number[at as usize] = self.preorder.len() as u32;
            self.preorder.push(Block(at));
            let mut next = child[at as usize];
            while next == none {
                self.last[at as usize] = self.preorder.len() as u32 - 1;
                if at == 0 {
                    return;
                }
                next = sibling[at as usize];
                at = self.idom[at as usize];
            }
            let parent = self.idom[next as usize];
            self.depth[next as usize] = self.depth[parent as usize] + 1;
            at = next;
        }
    }

    /// Whether all ways to the second block lead through the first; a block dominates itself.
    pub(super) fn dominates(&self, a: Block, b: Block) -> bool {
        let number = self.number[b.0 as usize];
        self.number[a.0 as usize] <= number && number <= self.last[a.0 as usize]
    }

    /// The immediate dominator of a block, none for the entry.
    #[cfg(test)]
    pub(super) fn idom(&self, block: Block) -> Option<Block> {
        (block.0 != 0).then(|| Block(self.idom[block.0 as usize]))
    }

    /// The blocks, dominators and forward predecessors first.
    pub(super) fn preorder(&self) -> &[Block] {
        &self.preorder
    }

    /// Whether a block comes before another in preorder.
    pub(super) fn precedes(&self, a: Block, b: Block) -> bool {
        self.number[a.0 as usize] < self.number[b.0 as usize]
    }

    /// How many blocks dominate a block besides itself.
    pub(super) fn depth(&self, block: Block) -> usize {
        self.depth[block.0 as usize] as usize
    }

    /// The predecessors of a block, one for each edge.
    pub(super) fn preds(&self, block: Block) -> &[Block] {
        let at = block.0 as usize;
        &self.preds[self.starts[at] as usize..self.starts[at + 1] as usize]
    }
}

fn predecessors(function: &Function) -> (Vec<u32>, Vec<Block>) {
    let mut starts = vec![0_u32; function.blocks.len() + 1];
    for (target, _) in function.blocks.iter().flat_map(|it| it.term.targets()) {
        starts[target.0 as usize + 1] += 1;
    }
    for at in 1..starts.len() {
        starts[at] += starts[at - 1];
    }
    let mut next = starts.clone();
    let mut preds = vec![Block(0); starts[function.blocks.len()] as usize];
    for (at, block) in (0..).zip(&function.blocks) {
        for (target, _) in block.term.targets() {
            let slot = &mut next[target.0 as usize];
            preds[*slot as usize] = Block(at);
            *slot += 1;
        }
    }
    (starts, preds)
}

/// The blocks, each after all that it leads to but over back edges.
fn postorder(function: &Function) -> Vec<Block> {
    let mut order = Vec::with_capacity(function.blocks.len());
    let mut is_seen = vec![false; function.blocks.len()];
    let mut path = vec![(Block(0), 0)];
    is_seen[0] = true;
    while let Some((block, at)) = path.last_mut() {
        // The last target first, so that the first comes next in reverse.
        let targets = function.block(*block).term.targets().count();
        let target = (*at < targets).then(|| targets - 1 - *at);
        *at += 1;
        match target.and_then(|it| function.block(*block).term.targets().nth(it)) {
            Some((target, _)) => {
                if !std::mem::replace(&mut is_seen[target.0 as usize], true) {
                    path.push((*target, 0));
                }
            }
            None => {
                order.push(*block);
                path.pop();
            }
        }
    }
    order
}

fn immediate(order: &[Block], place: &[u32], starts: &[u32], preds: &[Block]) -> Vec<u32> {
    let none = u32::MAX;
    let mut idom = vec![none; place.len()];
    idom[0] = 0;
    let mut is_changed = true;
    while is_changed {
        is_changed = false;
        for block in order.iter().rev().map(|it| it.0 as usize).filter(|it| *it != 0) {
            let mut found = none;
            for pred in &preds[starts[block] as usize..starts[block + 1] as usize] {
                if idom[pred.0 as usize] == none {
                    continue;
                }
                found = if found == none { pred.0 } else { meet(&idom, place, pred.0, found) };
            }
            is_changed |= std::mem::replace(&mut idom[block], found) != found;
        }
    }
    idom
}

/// The closest block that dominates both.
fn meet(idom: &[u32], place: &[u32], mut a: u32, mut b: u32) -> u32 {
    while a != b {
        while place[a as usize] < place[b as usize] {
            a = idom[a as usize];
        }
        while place[b as usize] < place[a as usize] {
            b = idom[b as usize];
        }
    }
    a
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::Dominators;
    use crate::ir::{Block, Builder, PlaceId, Terminator, ValueList};
    use crate::types::Ty;

    /// The immediate dominators of a graph given by the targets of its blocks.
    fn check(targets: &[&[u32]], expected: &[u32]) {
        let (mut builder, params) = Builder::new(Arc::from("f"), vec![Ty::bool()], PlaceId(0));
        for _ in 1..targets.len() {
            builder.add_block([]);
        }
        let to = |at: u32| (Block(at), ValueList::new());
        for (at, targets) in (0..).zip(targets) {
            builder.enter(Block(at));
            builder.end(match targets {
                [] => Terminator::Return(ValueList::new()),
                [only] => Terminator::Jump(to(*only)),
                [first, second, ..] => Terminator::Branch(params[0], to(*first), to(*second)),
            });
        }
        let tree = Dominators::new(&builder.function);
        let found: Vec<u32> = (1..targets.len() as u32)
            .filter_map(|it| tree.idom(Block(it)))
            .map(|it| it.0)
            .collect();
        assert_eq!(found, expected);
        for (at, idom) in (1..).zip(expected) {
            assert!(tree.dominates(Block(*idom), Block(at)) && tree.dominates(Block(0), Block(at)));
            assert!(!tree.dominates(Block(at), Block(*idom)));
            assert_eq!(tree.depth(Block(at)), tree.depth(Block(*idom)) + 1);
        }
    }

    #[test]
    fn diamonds_and_loops() {
        check(&[&[1, 2], &[3], &[3], &[]], &[0, 0, 0]);
        check(&[&[1], &[2, 3], &[1], &[]], &[0, 1, 1]);
        // Two loops, one within the other, with a way out of the middle.
        check(&[&[1], &[2, 6], &[3], &[4, 5], &[3, 6], &[1], &[]], &[0, 1, 2, 3, 3, 1]);
    }
}
