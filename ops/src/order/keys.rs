//! Sort keys: integers that stand for elements.

use opwright_runtime::Isa;

#[cfg(target_arch = "x86_64")]
use super::quick;

/// Integers that stand for elements.
pub(super) trait SortKey: Copy + Ord + Default {
    /// Sorts them with instructions of [`Isa::Avx512`], if the processor has them: whether it has.
    fn sort_in_registers(keys: &mut [Self]) -> bool;

    /// That of a rank, of which as many bits are used.
    fn of_rank(rank: u64) -> Self;

    /// The rank.
    fn rank(self) -> u64;
}

macro_rules! keys {
    ($($key:ident by $sort:ident;)*) => {$(
        impl SortKey for $key {
            fn sort_in_registers(keys: &mut [$key]) -> bool {
                let is_there = cfg!(target_arch = "x86_64") && Isa::detect() >= Isa::Avx512;
                #[cfg(target_arch = "x86_64")]
                if is_there {
                    // SAFETY: the processor was asked for the instructions.
                    unsafe { quick::$sort(keys) }
                }
                #[cfg(not(target_arch = "x86_64"))]
                let _ = keys;
                is_there
            }

            #[inline(always)]
            fn of_rank(rank: u64) -> $key {
                rank as $key
            }

            #[inline(always)]
            fn rank(self) -> u64 {
                u64::from(self)
            }
        }
    )*};
}

keys! {
    u64 by sort_wide;
    u32 by sort_narrow;
}
