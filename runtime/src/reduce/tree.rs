//! Sums of a list that nobody keeps.

use smallvec::SmallVec;

/// Combines what is pushed like the branches of a binary tree: the sizes of
/// the branches on the stack are the binary digits of the number of pushes.
///
/// It is compiled once for all that accumulate the same, as it works once for many elements.
pub(super) struct Tree<'c, A> {
    combine: &'c dyn Fn(A, A) -> A,
    branches: SmallVec<[A; 8]>,
    pushed: usize,
}

impl<'c, A> Tree<'c, A> {
    /// `combine` takes the earlier of two neighbours first.
    pub(super) fn new(combine: &'c dyn Fn(A, A) -> A) -> Self {
        Tree { combine, branches: SmallVec::new(), pushed: 0 }
    }

    pub(super) fn push(&mut self, mut value: A) {
        let joined = self.branches.len() - self.pushed.trailing_ones() as usize;
        for earlier in self.branches.drain(joined..).rev() {
            value = (self.combine)(earlier, value);
        }
        self.branches.push(value);
        self.pushed += 1;
    }

    /// `None` if nothing was pushed.
    pub(super) fn finish(self) -> Option<A> {
        let Tree { combine, branches, .. } = self;
        branches.into_iter().rev().reduce(|all, earlier| combine(earlier, all))
    }
}
