//! Transposition of tiles of elements of eight bytes in registers.

use std::arch::x86_64::*;
use std::mem::MaybeUninit;

use opwright_vecmath::with_features;

use super::{MatrixColumns, TILE, strip_by};

with_features! { Avx512
    /// Writes rows from this one on.
    pub(super) fn strip<W: Copy>(
        from: MatrixColumns<'_, W>,
        row: usize,
        to: &mut [MaybeUninit<W>],
    ) {
        assert_eq!(size_of::<W>(), size_of::<u64>());
        strip_by(from, row, to, |pieces, to| {
            // SAFETY: a piece has as many bytes as a register.
            let rows = turned(pieces.map(|it| unsafe { _mm512_loadu_epi64(it.as_ptr().cast()) }));
            for (at, row) in rows.into_iter().enumerate() {
                let slots = &mut to[at * from.columns..][..TILE];
                // SAFETY: there is room for a register.
                unsafe { _mm512_storeu_epi64(slots.as_mut_ptr().cast(), row) };
            }
        });
    }
}

with_features! { Avx512
    /// The columns of eight rows.
    #[inline]
    fn turned([a, b, c, d, e, f, g, h]: [__m512i; TILE]) -> [__m512i; TILE] {
        // Pairs of neighbours: `even` has every second column of two rows, `odd` the others.
        let even = |a, b| _mm512_unpacklo_epi64(a, b);
        let odd = |a, b| _mm512_unpackhi_epi64(a, b);
        let (even_columns, odd_columns) = (
            quarters([even(a, b), even(c, d), even(e, f), even(g, h)]),
            quarters([odd(a, b), odd(c, d), odd(e, f), odd(g, h)]),
        );
        let ([a, c, e, g], [b, d, f, h]) = (even_columns, odd_columns);
        [a, b, c, d, e, f, g, h]
    }
}

with_features! { Avx512
    /// The columns of four rows of pairs.
    #[inline]
    fn quarters([a, b, c, d]: [__m512i; 4]) -> [__m512i; 4] {
        let even = |a, b| _mm512_shuffle_i64x2::<0b10_00_10_00>(a, b);
        let odd = |a, b| _mm512_shuffle_i64x2::<0b11_01_11_01>(a, b);
        let (ab, cd) = ([even(a, b), odd(a, b)], [even(c, d), odd(c, d)]);
        [even(ab[0], cd[0]), even(ab[1], cd[1]), odd(ab[0], cd[0]), odd(ab[1], cd[1])]
    }
}
