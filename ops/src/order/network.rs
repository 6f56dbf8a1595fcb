//! Keys in registers of 64 bytes, and networks that sort them.
//!
//! Rows are registers. First each lane is sorted from row to row, then lanes are merged, two and two,
//! so that what they have is in order row by row: at each comparison, a row meets one with its lanes
//! in reverse order, and nothing has to change its place at the end.

use std::arch::x86_64::*;

/// Keys side by side in one register.
///
/// One is only made where the processor has the instructions, so that whoever holds one may use
/// them.
pub(super) trait Register: Copy {
    type Key: Copy + Ord + Default;

    const LANES: usize;

    /// What stands where there is no key.
    const GREATEST: Self::Key;

    /// The key after this one, which is not the greatest.
    fn next(key: Self::Key) -> Self::Key;

    /// # Safety
    ///
    /// The processor has AVX-512, and so many keys may be read there.
    unsafe fn load(from: *const Self::Key) -> Self;

    /// As many keys as stand there, at most as many as a register holds, and then the greatest.
    fn load_some(from: &[Self::Key], like: Self) -> Self;

    /// # Safety
    ///
    /// The processor has AVX-512.
    unsafe fn splat(key: Self::Key) -> Self;

    /// # Safety
    ///
    /// So many keys may be written there.
    unsafe fn store(self, to: *mut Self::Key);

    /// Writes as many as there is room for.
    fn store_some(self, to: &mut [Self::Key]);

    fn min(self, other: Self) -> Self;

    fn max(self, other: Self) -> Self;

    /// The keys of each `W` lanes in reverse order.
    fn flip<const W: usize>(self) -> Self;

    /// Each `D` lanes in place of the next ones.
    fn swap<const D: usize>(self) -> Self;

    /// Lanes of the other register wherever they belong to the upper half of `W` lanes.
    fn with_upper<const W: usize>(self, other: Self) -> Self;

    /// A bit for each lane with less than the other has there.
    fn less(self, other: Self) -> u16;

    /// The same where it has another.
    fn unequal(self, other: Self) -> u16;

    /// Writes the keys of these lanes from `low` on and the others before `high`, both of which
    /// move towards each other; what lies between is anything then.
    ///
    /// # Safety
    ///
    /// As many keys as a register holds may be written on either side.
    unsafe fn store_parted(self, lanes: u16, start: *mut Self::Key, ends: [&mut usize; 2]);

    /// The keys of these lanes, one after the other, and then anything.
    fn compress(self, lanes: u16) -> Self;
}

/// Puts the lesser of each two rows first, lane by lane.
macro_rules! exchange {
    ($rows:ident; $($a:literal $b:literal),*) => {{$(
        let (a, b) = ($rows[$a], $rows[$b]);
        ($rows[$a], $rows[$b]) = (a.min(b), a.max(b));
    )*}};
}

/// Sorts each lane from register to register.
#[inline(always)]
fn sort_lanes<K: Register, const R: usize>(rows: &mut [K; R]) {
    match R {
        2 => exchange!(rows; 0 1),
        4 => exchange!(rows; 0 1, 2 3, 0 2, 1 3, 1 2),
        8 => exchange!(rows; 0 2, 1 3, 4 6, 5 7, 0 4, 1 5, 2 6, 3 7, 0 1, 2 3, 4 5, 6 7, 2 4, 3 5,
            1 4, 3 6, 1 2, 3 4, 5 6),
        16 => exchange!(rows; 0 13, 1 12, 2 15, 3 14, 4 8, 5 6, 7 11, 9 10, 0 5, 1 7, 2 9, 3 4,
            6 13, 8 14, 10 15, 11 12, 0 1, 2 3, 4 5, 6 8, 7 9, 10 11, 12 13, 14 15, 0 2, 1 3, 4 10,
            5 11, 6 7, 8 9, 12 14, 13 15, 1 2, 3 12, 4 6, 5 7, 8 10, 9 11, 13 14, 1 4, 2 6, 5 8,
            7 10, 9 13, 11 14, 2 4, 3 6, 9 12, 11 13, 3 5, 6 8, 7 9, 10 12, 3 4, 5 6, 7 8, 9 10,
            11 12, 6 7, 8 9),
        _ => {}
    }
}

/// Merges the left with the right half of each `W` lanes, which are sorted row by row.
#[inline(always)]
fn merge<K: Register, const R: usize, const W: usize>(rows: &mut [K; R]) {
    let mut span = R;
    while span > 1 {
        for base in (0..R).step_by(span) {
            for at in 0..span / 2 {
                let (a, b) = (base + at, base + span - 1 - at);
                let (upper, lower) = (rows[a], rows[b].flip::<W>());
                (rows[a], rows[b]) = (upper.min(lower), upper.max(lower));
            }
        }
        span /= 2;
    }
    for row in rows {
        *row = in_register::<K, W>(*row, K::flip::<W>);
        if W > 8 {
            *row = in_register::<K, 8>(*row, K::swap::<4>);
        }
        if W > 4 {
            *row = in_register::<K, 4>(*row, K::swap::<2>);
        }
        if W > 2 {
            *row = in_register::<K, 2>(*row, K::swap::<1>);
        }
    }
}

/// Puts the lesser of each two lanes on the left, of which the other ones are given.
#[inline(always)]
fn in_register<K: Register, const W: usize>(row: K, other: impl Fn(K) -> K) -> K {
    let other = other(row);
    row.min(other).with_upper::<W>(row.max(other))
}

/// Sorts so many registers as if their keys stood one after the other.
#[inline(always)]
pub(super) fn sort<K: Register, const R: usize>(rows: &mut [K; R]) {
    sort_lanes(rows);
    merge::<K, R, 2>(rows);
    merge::<K, R, 4>(rows);
    merge::<K, R, 8>(rows);
    if K::LANES > 8 {
        merge::<K, R, 16>(rows);
    }
}

/// Bits of the lanes that belong to the upper half of `W` ones.
const fn upper<const W: usize>() -> u16 {
    match W {
        2 => 0xaaaa,
        4 => 0xcccc,
        8 => 0xf0f0,
        _ => 0xff00,
    }
}

/// Bits of so many lanes.
#[inline(always)]
fn first(count: usize) -> u16 {
    ((1_u32 << count) - 1) as u16
}

macro_rules! registers {
    ($(
        $(#[$about:meta])*
        $name:ident: $key:ident = $lanes:literal as $signed:ident, $mask:ident
        load $load:ident $masked_load:ident $splat:ident
        store $store:ident $masked_store:ident
        compare $min:ident $max:ident $less:ident $unequal:ident
        move $blend:ident $permute:ident $compress:ident $parted:ident
    )*) => {$(
        $(#[$about])*
        #[derive(Clone, Copy)]
        pub(super) struct $name(__m512i);

        impl $name {
            /// For each lane the one that differs in these bits of its number.
            const fn partners(bits: usize) -> [$key; $lanes] {
                let mut lanes = [0; $lanes];
                let mut lane = 0;
                while lane < $lanes {
                    lanes[lane] = (lane ^ bits) as $key;
                    lane += 1;
                }
                lanes
            }

            #[inline(always)]
            fn permuted(self, lanes: &[$key; $lanes]) -> $name {
                // SAFETY: there are the instructions, and so many lanes in the list.
                $name(unsafe { $permute($load(lanes.as_ptr().cast()), self.0) })
            }
        }

        impl Register for $name {
            type Key = $key;

            const LANES: usize = $lanes;

            const GREATEST: $key = $key::MAX;

            #[inline(always)]
            fn next(key: $key) -> $key {
                key + 1
            }

            #[inline(always)]
            unsafe fn load(from: *const $key) -> $name {
                // SAFETY: the caller vouches for it.
                $name(unsafe { $load(from.cast()) })
            }

            #[inline(always)]
            fn load_some(from: &[$key], like: $name) -> $name {
                let lanes = first(from.len().min($lanes)) as $mask;
                // SAFETY: there are the instructions, and only keys of the slice are read.
                $name(unsafe { $masked_load(like.0, lanes, from.as_ptr().cast()) })
            }

            #[inline(always)]
            unsafe fn splat(key: $key) -> $name {
                // SAFETY: the caller vouches for it.
                $name(unsafe { $splat(key as $signed) })
            }

            #[inline(always)]
            unsafe fn store(self, to: *mut $key) {
                // SAFETY: the caller vouches for it.
                unsafe { $store(to.cast(), self.0) }
            }

            #[inline(always)]
            fn store_some(self, to: &mut [$key]) {
                let lanes = first(to.len().min($lanes)) as $mask;
                // SAFETY: there are the instructions, and only keys of the slice are written.
                unsafe { $masked_store(to.as_mut_ptr().cast(), lanes, self.0) }
            }

            #[inline(always)]
            fn min(self, other: $name) -> $name {
                // SAFETY: there are the instructions.
                $name(unsafe { $min(self.0, other.0) })
            }

            #[inline(always)]
            fn max(self, other: $name) -> $name {
                // SAFETY: there are the instructions.
                $name(unsafe { $max(self.0, other.0) })
            }

            #[inline(always)]
            fn flip<const W: usize>(self) -> $name {
                self.permuted(const { &$name::partners(W - 1) })
            }

            #[inline(always)]
            fn swap<const D: usize>(self) -> $name {
                self.permuted(const { &$name::partners(D) })
            }

            #[inline(always)]
            fn with_upper<const W: usize>(self, other: $name) -> $name {
                // SAFETY: there are the instructions.
                $name(unsafe { $blend(upper::<W>() as $mask, self.0, other.0) })
            }

            #[inline(always)]
            fn less(self, other: $name) -> u16 {
                // SAFETY: there are the instructions.
                u16::from(unsafe { $less(self.0, other.0) })
            }

            #[inline(always)]
            fn unequal(self, other: $name) -> u16 {
                // SAFETY: there are the instructions.
                u16::from(unsafe { $unequal(self.0, other.0) })
            }

            #[inline(always)]
            unsafe fn store_parted(self, lanes: u16, start: *mut $key, ends: [&mut usize; 2]) {
                // SAFETY: the caller vouches for the room, and there are the instructions.
                unsafe { $parted(self, lanes, start, ends) }
            }

            #[inline(always)]
            fn compress(self, lanes: u16) -> $name {
                // SAFETY: there are the instructions.
                $name(unsafe { $compress(lanes as $mask, self.0) })
            }
        }
    )*};
}

registers! {
    /// Keys of eight bytes.
    Wide: u64 = 8 as i64, u8
        load _mm512_loadu_si512 _mm512_mask_loadu_epi64 _mm512_set1_epi64
        store _mm512_storeu_si512 _mm512_mask_storeu_epi64
        compare _mm512_min_epu64 _mm512_max_epu64 _mm512_cmplt_epu64_mask
            _mm512_cmpneq_epu64_mask
        move _mm512_mask_blend_epi64 _mm512_permutexvar_epi64 _mm512_maskz_compress_epi64 store_wide

    /// Keys of four bytes.
    Narrow: u32 = 16 as i32, u16
        load _mm512_loadu_si512 _mm512_mask_loadu_epi32 _mm512_set1_epi32
        store _mm512_storeu_si512 _mm512_mask_storeu_epi32
        compare _mm512_min_epu32 _mm512_max_epu32 _mm512_cmplt_epu32_mask
            _mm512_cmpneq_epu32_mask
        move _mm512_mask_blend_epi32 _mm512_permutexvar_epi32 _mm512_maskz_compress_epi32 store_narrow
}

/// For each choice of eight lanes their numbers, and then those of the others.
static ORDERS: [[u32; 8]; 256] = {
    let mut orders = [[0; 8]; 256];
    let mut lanes = 0;
    while lanes < orders.len() {
        let (mut lane, mut low, mut high) = (0, 0, lanes.count_ones() as usize);
        while lane < 8 {
            let place = if lanes >> lane & 1 == 1 { &mut low } else { &mut high };
            orders[lanes][*place] = lane;
            *place += 1;
            lane += 1;
        }
        lanes += 1;
    }
    orders
};

/// # Safety
///
/// There are the instructions.
#[inline(always)]
unsafe fn order_of(lanes: u8) -> __m256i {
    // SAFETY: there are eight numbers.
    unsafe { _mm256_loadu_si256(ORDERS[usize::from(lanes)].as_ptr().cast()) }
}

/// # Safety
///
/// There are the instructions, and room for eight keys on either side.
#[inline(always)]
unsafe fn store_wide(row: Wide, lanes: u16, start: *mut u64, [low, high]: [&mut usize; 2]) {
    let count = lanes.count_ones() as usize;
    // SAFETY: the caller vouches for both.
    unsafe {
        let order = _mm512_cvtepu32_epi64(order_of(lanes as u8));
        let row = Wide(_mm512_permutexvar_epi64(order, row.0));
        row.store(start.add(*low));
        row.store(start.add(*high - Wide::LANES));
    }
    (*low, *high) = (*low + count, *high - (Wide::LANES - count));
}

/// As [`store_wide`], half by half.
///
/// # Safety
///
/// There are the instructions, and room for sixteen keys on either side.
#[inline(always)]
unsafe fn store_narrow(row: Narrow, lanes: u16, start: *mut u32, [low, high]: [&mut usize; 2]) {
    // SAFETY: the caller vouches for the instructions.
    let halves = unsafe { [_mm512_castsi512_si256(row.0), _mm512_extracti64x4_epi64::<1>(row.0)] };
    for (half, lanes) in halves.into_iter().zip(lanes.to_le_bytes()) {
        let count = lanes.count_ones() as usize;
        // SAFETY: the caller vouches for both: the room that is left is enough for what is.
        unsafe {
            let half = _mm256_permutevar8x32_epi32(half, order_of(lanes));
            _mm256_storeu_si256(start.add(*low).cast(), half);
            _mm256_storeu_si256(start.add(*high - 8).cast(), half);
        }
        (*low, *high) = (*low + count, *high - (8 - count));
    }
}
