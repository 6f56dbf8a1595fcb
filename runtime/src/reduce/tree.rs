//! Sums of a list that nobody keeps.

use smallvec::SmallVec;

/// Combines what is pushed like the branches of a binary tree: the sizes of
/// the branches on the stack are the binary digits of the number of pushes.
pub(super) struct Tree<A, F> {
    combine: F,
    branches: SmallVec<[A; 8]>,
    pushed: usize,
}

impl<A, F: Fn(A, A) -> A> Tree<A, F> {
    /// `combine` takes the earlier of two neighbours first.
    pub(super) fn new(combine: F) -> Self {
        Tree { combine, branches: SmallVec::new(), pushed: 0 }
    }

    #[inline]
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
