//! Bit masks of bytes that are not zero, 64 at a time.

use std::arch::x86_64::*;
use std::mem::MaybeUninit;

use super::write_true;

/// Bytes whose places fill a register.
const LANES: usize = 8;

/// As [`write_true`].
#[target_feature(enable = "avx512f,avx512bw,popcnt")]
pub(super) fn true_places(line: &[u8], first: i64, places: &mut [MaybeUninit<i64>]) -> usize {
    assert!(places.len() >= line.len());
    let (chunks, rest) = line.as_chunks::<64>();
    let mut row =
        _mm512_add_epi64(_mm512_set1_epi64(first), _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7));
    let mut end = 0;
    for chunk in chunks {
        // SAFETY: so many bytes are there.
        let bytes = unsafe { _mm512_loadu_si512(chunk.as_ptr().cast()) };
        for lanes in _mm512_test_epi8_mask(bytes, bytes).to_le_bytes() {
            let found = _mm512_maskz_compress_epi64(lanes, row);
            let slots = &mut places[end..][..LANES];
            // SAFETY: there is room for a register.
            unsafe { _mm512_storeu_epi64(slots.as_mut_ptr().cast(), found) };
            end += lanes.count_ones() as usize;
            row = _mm512_add_epi64(row, _mm512_set1_epi64(LANES as i64));
        }
    }
    let done = line.len() - rest.len();
    end + write_true(rest, first + done as i64, &mut places[end..])
}
