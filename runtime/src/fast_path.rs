//! Fast paths: conditions at the head of a general way that leave out what would decide nothing.
//!
//! [`FastPath`] has a row for each; the code that its file names asks it, and gives the same bits as
//! the general way beside it. Where assertions are compiled in, and with the feature `switches`, paths
//! can be turned off one by one, and remember that they were taken: tests run both ways, and benchmarks
//! compare them. Elsewhere nothing is looked at but the condition.

#[cfg(any(debug_assertions, feature = "switches"))]
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Paths that are turned off, a bit for each.
#[cfg(any(debug_assertions, feature = "switches"))]
static OFF: AtomicU32 = AtomicU32::new(0);

/// Paths that were taken.
#[cfg(any(debug_assertions, feature = "switches"))]
static TAKEN: AtomicU32 = AtomicU32::new(0);

macro_rules! fast_paths {
    ($($path:ident in $file:literal: $condition:literal, $skips:literal;)*) => {
        /// A fast path, by the name that its code and the guide have for it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum FastPath {
            $(
                #[doc = concat!("If ", $condition, ", leaves out ", $skips, ".")]
                $path,
            )*
        }

        impl FastPath {
            /// All of them, in the order in which a call meets them.
            pub const ALL: &'static [FastPath] = &[$(FastPath::$path),*];

            /// Its name.
            pub const fn name(self) -> &'static str {
                match self { $(FastPath::$path => stringify!($path),)* }
            }

            /// The file in which it stands.
            pub const fn file(self) -> &'static str {
                match self { $(FastPath::$path => $file,)* }
            }

            /// The condition under which it is taken.
            pub const fn condition(self) -> &'static str {
                match self { $(FastPath::$path => $condition,)* }
            }

            /// The steps that it leaves out.
            pub const fn skips(self) -> &'static str {
                match self { $(FastPath::$path => $skips,)* }
            }
        }
    };
}

fast_paths! {
    BindTensors in "python-bindings/src/args/call.rs":
        "no keywords, and all arguments are tensors of the usual class that do not have exactly one element",
        "the classification of arguments, the look at each overload";
    BindInOrder in "runtime/src/resolve/bind.rs":
        "no keywords, and a signature that takes no spread list",
        "the search for keywords";
    PlainKey in "python-bindings/src/tensor/index/mod.rs":
        "integers, slices, `...` and `None` as the key of what is read",
        "the plan of items";
    IntegerKey in "python-bindings/src/tensor/index/plain.rs":
        "several integers as the key, and no layer that would see each of them",
        "a view for each item";
    FillView in "python-bindings/src/tensor/index/mod.rs":
        "a number is assigned to what such a key picks",
        "a tensor of the number, the copy of it";
    TensorKey in "python-bindings/src/tensor/index/mod.rs":
        "one tensor of indices, or a mask of the first dimensions, as the key",
        "the plan of items";
    FunctionInput in "python-bindings/src/graph/caller.rs":
        "a float, a tensor or a struct for an input of a graph's function that has its type",
        "the type's own look at the object";
    SameLayout in "runtime/src/structured/same_layout.rs":
        "fewer than 8,192 elements, operands of one dtype, shape and order in memory",
        "rule, allocation by a spec, and the driver of loops";
    FlatLoop in "runtime/src/iterate/flat.rs":
        "as few, the output in row-major order, operands like it or single elements",
        "checks, loop order, merging of dimensions, staging where all lies side by side";
    OneRun in "runtime/src/iterate/driver.rs":
        "as few elements, which are one run",
        "loop order, merging of dimensions";
    SmallReduction in "runtime/src/reduce/small.rs":
        "at most 64 elements in row-major order",
        "the iteration space, groups, threads";
    SmallMask in "ops/src/indexing/compress.rs":
        "a mask over a whole tensor of at most 4,096 elements, both in row-major order",
        "the list of places";
    SmallChain in "graph/src/run/fast_path.rs":
        "a fused chain over at most 64 elements",
        "tensors in between";
}

impl FastPath {
    /// Whether it is taken where its condition holds: always, unless it was turned off.
    #[inline(always)]
    pub fn takes(self, holds: bool) -> bool {
        let takes = holds && self.is_on();
        if takes {
            self.taken();
        }
        takes
    }

    /// Whether it may be taken, for one whose condition is long.
    #[inline(always)]
    pub fn is_on(self) -> bool {
        #[cfg(any(debug_assertions, feature = "switches"))]
        return OFF.load(Relaxed) & self.bit() == 0;
        #[cfg(not(any(debug_assertions, feature = "switches")))]
        true
    }

    /// Notes that it was taken.
    #[inline(always)]
    pub fn taken(self) {
        #[cfg(any(debug_assertions, feature = "switches"))]
        if TAKEN.load(Relaxed) & self.bit() == 0 {
            TAKEN.fetch_or(self.bit(), Relaxed);
        }
    }
}

#[cfg(any(debug_assertions, feature = "switches"))]
impl FastPath {
    #[inline(always)]
    const fn bit(self) -> u32 {
        1 << self as u32
    }

    /// Turns it off or on, for all threads.
    pub fn switch(self, is_on: bool) {
        if is_on {
            OFF.fetch_and(!self.bit(), Relaxed);
        } else {
            OFF.fetch_or(self.bit(), Relaxed);
        }
    }

    /// Whether a thread has taken it since this was last asked.
    pub fn was_taken(self) -> bool {
        TAKEN.fetch_and(!self.bit(), Relaxed) & self.bit() != 0
    }
}
