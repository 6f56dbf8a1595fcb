//! Type-erased accumulators, and pairwise combination of them without keeping all.

use std::mem::MaybeUninit;

use smallvec::SmallVec;

use super::loops::Loops;

/// What accumulators are aligned to.
pub(super) type AccumulatorWord = MaybeUninit<u128>;

/// Accumulators that belong together: one, or one for each column of a block.
pub(super) struct Accumulators<'a> {
    loops: &'a dyn Loops,
    count: usize,
    words: SmallVec<[AccumulatorWord; 64]>,
}

impl<'a> Accumulators<'a> {
    /// Room for so many, which are to be written.
    #[inline]
    pub(super) fn room(loops: &'a dyn Loops, count: usize) -> Self {
        let mut words = SmallVec::new();
        let length = words_of(loops, count);
        words.reserve(length);
        // SAFETY: there is room, and words need no value.
        unsafe { words.set_len(length) };
        Accumulators { loops, count, words }
    }

    /// Makes them those of no elements.
    pub(super) fn start(&mut self) {
        // SAFETY: there is room for so many.
        unsafe { self.loops.start(self.as_mut_ptr(), self.count) };
    }

    #[inline]
    pub(super) fn as_ptr(&self) -> *const u8 {
        self.words.as_ptr().cast()
    }

    #[inline]
    pub(super) fn as_mut_ptr(&mut self) -> *mut u8 {
        self.words.as_mut_ptr().cast()
    }
}

/// So many words hold so many accumulators.
pub(super) fn words_of(loops: &dyn Loops, count: usize) -> usize {
    (loops.size() * count).div_ceil(size_of::<AccumulatorWord>())
}

/// Combines what is pushed like the branches of a binary tree: the sizes of
/// the branches on the stack are the binary digits of the number of pushes.
pub(super) struct CombineTree<'a> {
    loops: &'a dyn Loops,
    /// Of each branch.
    count: usize,
    /// Of each branch.
    length: usize,
    words: SmallVec<[AccumulatorWord; 16]>,
    pushed: usize,
}

impl<'a> CombineTree<'a> {
    /// Of so many accumulators side by side.
    pub(super) fn new(loops: &'a dyn Loops, count: usize) -> Self {
        let length = words_of(loops, count);
        CombineTree { loops, count, length, words: SmallVec::new(), pushed: 0 }
    }

    /// Adds what `write` writes.
    #[inline]
    pub(super) fn push(&mut self, write: impl FnOnce(*mut u8)) {
        let top = self.words.len();
        self.words.reserve(self.length);
        // SAFETY: there is room, and words need no value.
        unsafe { self.words.set_len(top + self.length) };
        write(self.words[top..].as_mut_ptr().cast());
        for _ in 0..self.pushed.trailing_ones() {
            self.join();
        }
        self.pushed += 1;
    }

    /// Joins the last two branches, of which there are two.
    fn join(&mut self) {
        let later = self.words.len() - self.length;
        let (earlier, rest) = self.words.split_at_mut(later);
        let earlier = earlier[later - self.length..].as_mut_ptr().cast();
        // SAFETY: each branch holds as many accumulators, which were written when it was pushed.
        unsafe { self.loops.combine(earlier, rest.as_ptr().cast(), self.count) };
        self.words.truncate(later);
    }

    /// Writes the accumulators of all that was pushed, those of no elements if nothing was.
    pub(super) fn finish(mut self, all: *mut u8) {
        if self.pushed == 0 {
            // SAFETY: there is room for so many.
            return unsafe { self.loops.start(all, self.count) };
        }
        while self.words.len() > self.length {
            self.join();
        }
        let bytes = self.count * self.loops.size();
        // SAFETY: one branch is left, and there is room for as many accumulators elsewhere.
        unsafe { all.copy_from_nonoverlapping(self.words.as_ptr().cast(), bytes) };
    }
}
