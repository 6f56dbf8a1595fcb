//! Quicksort of integers, a register of 64 bytes at a time.
//!
//! Lists are parted in place: some registers are held back from both ends, and what is read is written
//! to where there is room. Few keys are sorted by a network.

use std::mem::MaybeUninit;

use opwright_runtime::interrupt;
use opwright_vecmath::with_features;

use super::compare::checked;
use super::network::{self, Narrow, Register, Wide};

macro_rules! sorts {
    ($($(#[$about:meta])* $name:ident: $key:ident in $register:ident;)*) => {$(
        with_features! { Avx512
            $(#[$about])*
            pub(super) fn $name(keys: &mut [$key]) {
                with_features! { Avx512
                    // Apart, so that what it needs of the stack is not there once for each level.
                    #[inline(never)]
                    fn parted(keys: &mut [$key], depth: u32) -> Option<Parts<'_, $key>> {
                        // SAFETY: this function has the instructions.
                        unsafe { step::<$register>(keys, depth) }
                    }
                }

                with_features! { Avx512
                    fn parts(mut keys: &mut [$key], mut depth: u32) {
                        while let Some((below, above)) = parted(keys, depth) {
                            depth -= 1;
                            let is_fewer = below.len() < above.len();
                            let (fewer, more) = if is_fewer { (below, above) } else { (above, below) };
                            parts(fewer, depth);
                            keys = more;
                        }
                    }
                }

                parts(keys, 2 * keys.len().max(1).ilog2() + 4);
            }
        }
    )*};
}

sorts! {
    /// Sorts keys of eight bytes.
    sort_wide: u64 in Wide;
    /// Sorts keys of four bytes.
    sort_narrow: u32 in Narrow;
}

with_features! { Avx512
    /// Writes the keys that differ from the one before, one after the other: how many there are.
    pub(super) fn write_unequal(keys: &[u64], to: &mut [MaybeUninit<u64>]) -> usize {
        assert!(keys.len() <= to.len() + 1);
        let (mut count, mut at) = (0, 1);
        while at + Wide::LANES <= keys.len() {
            // SAFETY: this function has the instructions; so many keys are there, and there is room
            // for as many, because no more than were looked at were written.
            unsafe {
                let (row, before) =
                    (Wide::load(keys[at..].as_ptr()), Wide::load(keys[at - 1..].as_ptr()));
                let unequal = row.unequal(before);
                row.compress(unequal).store(to[count..].as_mut_ptr().cast());
                count += unequal.count_ones() as usize;
            }
            at += Wide::LANES;
        }
        for at in at..keys.len() {
            if keys[at] != keys[at - 1] {
                to[count].write(keys[at]);
                count += 1;
            }
        }
        count
    }
}

/// Registers that a network sorts.
const ROWS: usize = 16;

/// Registers that are taken from one end together.
const BLOCK: usize = 8;

/// Lists that remain to be sorted.
type Parts<'a, K> = (&'a mut [K], &'a mut [K]);

/// Sorts a few keys, or parts more of them into two lists.
///
/// # Safety
///
/// The processor has the instructions.
#[inline(always)]
unsafe fn step<K: Register>(keys: &mut [K::Key], depth: u32) -> Option<Parts<'_, K::Key>> {
    if keys.len() <= ROWS * K::LANES {
        // SAFETY: the caller vouches for the instructions.
        unsafe { sort_few::<K>(keys) };
        return None;
    }
    if depth == 0 {
        keys.sort_unstable_by(checked(Ord::cmp));
        return None;
    }
    if keys.len() >= 1 << 16 {
        interrupt::check();
    }
    // SAFETY: as above, and there are enough keys.
    unsafe {
        let pivot = pivot::<K>(keys);
        match part::<K>(keys, K::splat(pivot)) {
            0 => Some((&mut [], without_least::<K>(keys, pivot))),
            middle => Some(keys.split_at_mut(middle)),
        }
    }
}

/// # Safety
///
/// The processor has the instructions.
#[inline(always)]
unsafe fn sort_few<K: Register>(keys: &mut [K::Key]) {
    // SAFETY: the caller vouches for the instructions.
    unsafe {
        match keys.len().div_ceil(K::LANES) {
            0 => {}
            1 => sort_rows::<K, 1>(keys),
            2 => sort_rows::<K, 2>(keys),
            3..=4 => sort_rows::<K, 4>(keys),
            5..=8 => sort_rows::<K, 8>(keys),
            _ => sort_rows::<K, 16>(keys),
        }
    }
}

/// # Safety
///
/// The processor has the instructions.
#[inline(always)]
unsafe fn sort_rows<K: Register, const R: usize>(keys: &mut [K::Key]) {
    // SAFETY: the caller vouches for the instructions.
    let greatest = unsafe { K::splat(K::GREATEST) };
    let mut rows = [greatest; R];
    for (row, at) in rows.iter_mut().zip((0..keys.len()).step_by(K::LANES)) {
        *row = K::load_some(&keys[at..], greatest);
    }
    network::sort(&mut rows);
    for (row, at) in rows.iter().zip((0..keys.len()).step_by(K::LANES)) {
        row.store_some(&mut keys[at..]);
    }
}

/// A key from about the middle of the order.
///
/// # Safety
///
/// The processor has the instructions.
#[inline(always)]
unsafe fn pivot<K: Register>(keys: &[K::Key]) -> K::Key {
    const MANY: usize = 1 << 12;
    let mut sample = [K::Key::default(); 8 * 16];
    let count = if keys.len() < MANY { K::LANES } else { 8 * K::LANES };
    let sample = &mut sample[..count];
    let distance = keys.len() / count;
    for (at, slot) in sample.iter_mut().enumerate() {
        *slot = keys[at * distance + distance / 2];
    }
    // SAFETY: the caller vouches for the instructions.
    unsafe {
        if keys.len() < MANY { sort_rows::<K, 1>(sample) } else { sort_rows::<K, 8>(sample) }
    };
    sample[count / 2]
}

/// Moves the least key, however often it is there, to the front: what is left.
///
/// # Safety
///
/// The processor has the instructions, and there are more keys than two blocks.
#[inline(always)]
unsafe fn without_least<K: Register>(keys: &mut [K::Key], least: K::Key) -> &mut [K::Key] {
    if least == K::GREATEST {
        return &mut [];
    }
    // SAFETY: as above.
    let count = unsafe { part::<K>(keys, K::splat(K::next(least))) };
    &mut keys[count..]
}

/// Moves the keys that are less than the pivot to the front: how many there are.
///
/// # Safety
///
/// The processor has the instructions, and there are at least as many keys as two blocks have.
#[inline(always)]
unsafe fn part<K: Register>(keys: &mut [K::Key], pivot: K) -> usize {
    let block = BLOCK * K::LANES;
    let length = keys.len();
    debug_assert!(length >= 2 * block);
    let start = keys.as_mut_ptr();
    // What was not read yet, and where the next key on either side goes. What lies between is free,
    // as many keys as two blocks have: those that are held back.
    let (mut from, mut to) = (block, length - block);
    let mut room = Room::<K> { start, low: 0, high: length };
    // SAFETY: all these are within the keys.
    unsafe {
        let first = load_block(start, pivot);
        let last = load_block(start.add(length - block), pivot);
        while to - from >= block {
            let at = room.vacate(&mut from, &mut to, block);
            for row in load_block(start.add(at), pivot) {
                room.put(row, pivot);
            }
        }
        while to - from >= K::LANES {
            let row = K::load(start.add(room.vacate(&mut from, &mut to, K::LANES)));
            room.put(row, pivot);
        }
        let rest = std::slice::from_raw_parts(start.add(from), to - from);
        room.put_some(K::load_some(rest, pivot), pivot, rest.len());
        for block in [first, last] {
            for row in block {
                room.put(row, pivot);
            }
        }
    }
    room.low
}

/// # Safety
///
/// The processor has the instructions, and so many keys may be read there.
#[inline(always)]
unsafe fn load_block<K: Register>(from: *const K::Key, like: K) -> [K; BLOCK] {
    let mut rows = [like; BLOCK];
    for (at, row) in rows.iter_mut().enumerate() {
        // SAFETY: the caller vouches for it.
        *row = unsafe { K::load(from.add(at * K::LANES)) };
    }
    rows
}

/// Where keys go.
struct Room<K: Register> {
    start: *mut K::Key,
    low: usize,
    high: usize,
}

impl<K: Register> Room<K> {
    /// Takes so many of the keys that were not read yet from the side with less room, so that there
    /// is enough on both: where they begin.
    #[inline(always)]
    fn vacate(&self, from: &mut usize, to: &mut usize, count: usize) -> usize {
        let is_low = *from - self.low <= self.high - *to;
        let at = if is_low { *from } else { *to - count };
        *from += if is_low { count } else { 0 };
        *to -= if is_low { 0 } else { count };
        at
    }

    /// # Safety
    ///
    /// There is room for as many keys on either side, wherever they belong, or there are no others
    /// left and is room for just these.
    #[inline(always)]
    unsafe fn put(&mut self, row: K, pivot: K) {
        let less = row.less(pivot);
        // SAFETY: the caller vouches for the room.
        unsafe { row.store_parted(less, self.start, [&mut self.low, &mut self.high]) };
    }

    /// As [`Room::put`], of so many keys.
    ///
    /// # Safety
    ///
    /// As there.
    #[inline(always)]
    unsafe fn put_some(&mut self, row: K, pivot: K, count: usize) {
        let all = ((1_u32 << count) - 1) as u16;
        let less = row.less(pivot) & all;
        let below = less.count_ones() as usize;
        // SAFETY: the caller vouches for the room.
        unsafe {
            let low = std::slice::from_raw_parts_mut(self.start.add(self.low), below);
            row.compress(less).store_some(low);
            self.low += below;
            self.high -= count - below;
            let high = std::slice::from_raw_parts_mut(self.start.add(self.high), count - below);
            row.compress(!less & all).store_some(high);
        }
    }
}
