//! Software prefetch of what the next block reads and writes, while this one is computed.

use std::ops::Range;

use smallvec::SmallVec;

use crate::parallel::Pointer;

/// Inputs and outputs whose elements are fetched ahead. Processors see by themselves what is read in
/// order, but a chain reads a block of each input and then comes back: by when they see it the block
/// is over. A line that is written is read first, too.
#[derive(Default)]
pub(super) struct Prefetch(SmallVec<[Stream; 4]>);

/// Elements one behind the other, and the size of one.
struct Stream {
    first: Pointer<u8>,
    size: usize,
}

/// What processors fetch at once.
const LINE: usize = 64;

/// Less than this is near in any case.
const NEAR: usize = 4 << 20;

impl Prefetch {
    /// Those of so many elements, given by their first ones and sizes; none if they are near.
    pub(super) fn of(
        streams: impl Iterator<Item = (Pointer<u8>, usize)>,
        count: usize,
    ) -> Prefetch {
        let streams: SmallVec<[Stream; 4]> =
            streams.map(|(first, size)| Stream { first, size }).collect();
        let bytes: usize = streams.iter().map(|it| it.size * count).sum();
        if bytes < NEAR { Prefetch::default() } else { Prefetch(streams) }
    }

    /// Asks for some of the elements, which need not exist.
    #[inline]
    pub(super) fn fetch(&self, elements: Range<usize>) {
        for stream in &self.0 {
            let bytes = elements.start * stream.size..elements.end * stream.size;
            for at in bytes.step_by(LINE) {
                fetch(stream.first.0.wrapping_add(at));
            }
        }
    }
}

/// The share of a step in what is fetched for a block of so many elements.
#[inline]
pub(super) fn share(step: usize, steps: usize, count: usize) -> Range<usize> {
    count * step / steps..count * (step + 1) / steps
}

#[inline]
fn fetch(place: *const u8) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a hint, which reads nothing; every processor of this kind has it.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(place.cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}
