//! Fused inputs: elements that a producer computes block by block while they are reduced.

use std::fmt;
use std::ops::Range;
use std::sync::OnceLock;

use smallvec::SmallVec;

use super::source::{Feed, Hand, MOST};
use crate::iterate::{CastLoop, cast_loop};
use crate::{DType, Error, Result, buffer};

/// What somebody makes, cast to one dtype after the other.
pub(super) struct FusedInput<'a> {
    pub(super) feed: &'a dyn Feed,
    casts: SmallVec<[DType; 2]>,
    failure: OnceLock<Error>,
}

impl<'a> FusedInput<'a> {
    pub(super) fn new(feed: &'a dyn Feed) -> FusedInput<'a> {
        FusedInput { feed, casts: SmallVec::new(), failure: OnceLock::new() }
    }

    pub(super) fn shape(&self) -> &[i64] {
        self.feed.shape()
    }

    pub(super) fn dtype(&self) -> DType {
        self.casts.last().copied().unwrap_or_else(|| self.feed.dtype())
    }

    pub(super) fn into_dtype(mut self, dtype: DType) -> FusedInput<'a> {
        self.casts.push(dtype);
        self
    }

    /// Who makes the elements of a range; none if that failed, which is noted.
    pub(super) fn producer(&self, range: Range<usize>) -> Option<Producer<'_>> {
        match self.try_producer(range) {
            Ok(producer) => Some(producer),
            Err(error) => {
                // Another thread may have failed in the meantime.
                let _ = self.failure.set(error);
                None
            }
        }
    }

    fn try_producer(&self, range: Range<usize>) -> Result<Producer<'_>> {
        let count = range.len().min(MOST);
        let mut casts = SmallVec::new();
        let mut from = self.feed.dtype();
        for &to in &self.casts {
            let room = (count * to.size()).div_ceil(size_of::<u128>());
            let room = buffer::filled(room, 0_u128)?;
            casts.push(Cast { run: cast_loop(from, to), strides: [to.size(), from.size()], room });
            from = to;
        }
        Ok(Producer { hand: self.feed.hand(range)?, casts })
    }

    /// What failed.
    pub(super) fn finish(&self) -> Result<()> {
        self.failure.get().map_or(Ok(()), |it| Err(it.clone()))
    }
}

impl fmt::Debug for FusedInput<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FusedInput").field("shape", &self.shape()).finish_non_exhaustive()
    }
}

/// Makes elements in one thread.
pub(super) struct Producer<'a> {
    hand: Box<dyn Hand + 'a>,
    casts: SmallVec<[Cast; 2]>,
}

struct Cast {
    run: CastLoop,
    /// From one element to the next, where they go and where they come from.
    strides: [usize; 2],
    room: Vec<u128>,
}

impl Producer<'_> {
    /// Where so many elements are until it is asked again, at most as many as it makes at all.
    pub(super) fn elements(&mut self, start: usize, count: usize) -> *const u8 {
        let mut found = self.hand.elements(start, count);
        for Cast { run, strides, room } in &mut self.casts {
            let [to, from] = strides.map(|it| it as isize);
            let target: *mut u8 = room.as_mut_ptr().cast();
            // SAFETY: the hand and the cast before made so many elements; there is room for as many.
            unsafe { run(target, to, found, from, count) };
            found = target;
        }
        found
    }
}
