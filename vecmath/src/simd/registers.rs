//! Registers as lanes: what the instruction sets have in common, by the names of intrinsic functions.

/// An intrinsic function of a register.
macro_rules! call {
    ($call:expr) => {
        // SAFETY: registers are made in functions alone that are compiled for their instruction set,
        // and called after `Isa::detect` found it.
        unsafe { $call }
    };
}

/// A register, and operators of it.
macro_rules! register {
    ($name:ident($register:ty): $($trait:ident $method:ident $intrinsic:ident)*) => {
        #[derive(Clone, Copy)]
        pub(crate) struct $name($register);

        $(
            impl std::ops::$trait for $name {
                type Output = $name;
                #[inline(always)]
                fn $method(self, other: $name) -> $name {
                    $name(call!($intrinsic(self.0, other.0)))
                }
            }
        )*
    };
}

/// Methods whose result is `$result`, a register around that of an intrinsic function.
macro_rules! methods {
    ($($result:ident: $($method:ident($($arg:ident)*) $intrinsic:ident)*;)*) => {$($(
        #[inline(always)]
        fn $method(self $(, $arg: Self)*) -> $result {
            $result(call!($intrinsic(self.0 $(, $arg.0)*)))
        }
    )*)*};
}

/// Reading and writing of numbers.
macro_rules! memory {
    ($ty:ident, $count:literal: $splat:ident $load:ident $store:ident $first:path) => {
        const COUNT: usize = $count;

        #[inline(always)]
        fn splat(x: $ty) -> Self {
            Self(call!($splat(x)))
        }
        #[inline(always)]
        fn load(numbers: &[$ty]) -> Self {
            let numbers = &numbers[..$count];
            // SAFETY: the slice is as long as the register.
            Self(unsafe { $load(numbers.as_ptr()) })
        }
        #[inline(always)]
        fn store(self, numbers: &mut [$ty]) {
            let numbers = &mut numbers[..$count];
            // SAFETY: the slice is as long as the register.
            unsafe { $store(numbers.as_mut_ptr(), self.0) }
        }
        #[inline(always)]
        fn first(self) -> $ty {
            call!($first(self.0))
        }
    };
}

pub(super) use {call, memory, methods, register};
