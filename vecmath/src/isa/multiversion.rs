//! Function multiversioning: one body, compiled for each instruction set and dispatched at run time.

/// Declares functions that are compiled for each [`Isa`](crate::Isa), of which a call takes the best
/// one that the processor at hand has.
///
/// What such a function calls is to be `#[inline(always)]`: else it is the same for all. Bounds of
/// generic parameters stand in brackets.
///
/// The highest one, [`Avx512`](crate::Isa::Avx512), is for two kinds of functions. An `avx512 fn` is
/// any that was measured to gain by it. One whose first parameter is `const FMA: bool` may give
/// other bits for each instruction set: where it is true, `mul_add` is one instruction, which rounds once.
/// Callers do not see the parameter.
///
/// ```
/// opwright_vecmath::multiversion! {
///     /// Adds up squares, by as many at a time as registers hold.
///     fn squares(elements: &[f32; 64]) -> f32 {
///         elements.iter().map(|it| it * it).sum()
///     }
///
///     /// Doubles numbers.
///     fn double<T>(elements: &mut [T])
///     where
///         [T: Copy + std::ops::Add<Output = T>]
///     {
///         for it in elements {
///             *it = *it + *it;
///         }
///     }
/// }
///
/// opwright_vecmath::multiversion! {
///     /// `x * x + 0.5`, of each.
///     fn parabolas<const FMA: bool>(elements: &mut [f64]) {
///         for x in elements {
///             *x = if FMA { x.mul_add(*x, 0.5) } else { *x * *x + 0.5 };
///         }
///     }
/// }
///
/// opwright_vecmath::multiversion! {
///     /// The greatest of some numbers.
///     avx512 fn greatest(elements: &[i32; 64]) -> i32 {
///         elements.iter().fold(i32::MIN, |all, &it| all.max(it))
///     }
/// }
///
/// assert_eq!(greatest(&[7; 64]), 7);
/// let mut numbers = [0.5, 1.0, 1.5];
/// parabolas(&mut numbers);
/// assert_eq!(numbers, [0.75, 1.5, 2.75]);
/// assert_eq!(squares(&[0.5; 64]), 16.0);
/// let mut numbers = [1, 2, 3];
/// double(&mut numbers);
/// assert_eq!(numbers, [2, 4, 6]);
/// ```
#[macro_export]
macro_rules! multiversion {
    ($(
        $(#[$attribute:meta])*
        $visibility:vis fn $name:ident <const $fused:ident: bool $(, $generic:ident)*> (
            $($arg:ident: $ty:ty),* $(,)?
        ) $(-> $result:ty)? $(where [$($bounds:tt)+])? $body:block
    )*) => {$(
        $(#[$attribute])*
        $visibility fn $name <$($generic),*> ($($arg: $ty),*) $(-> $result)?
        $(where $($bounds)+)?
        {
            #[inline(always)]
            fn body <const $fused: bool $(, $generic)*> ($($arg: $ty),*) $(-> $result)?
            $(where $($bounds)+)?
            $body

            #[cfg(target_arch = "x86_64")]
            let known = $crate::Isa::cached();
            $crate::multiversion! {
                @for known Avx512
                [$($generic),*] [$($arg: $ty),*] [$(-> $result)?] [$($($bounds)+)?]
                body::<true $(, $generic)*>($($arg),*)
            }
            $crate::multiversion! {
                @for known Avx2
                [$($generic),*] [$($arg: $ty),*] [$(-> $result)?] [$($($bounds)+)?]
                body::<true $(, $generic)*>($($arg),*)
            }
            $crate::multiversion! {
                @baseline $name
                [$($generic),*] [$($arg: $ty),*] [$(-> $result)?] [$($($bounds)+)?]
                body::<{ $crate::Isa::HAS_FMA } $(, $generic)*>($($arg),*)
            }
        }
    )*};
    ($(
        $(#[$attribute:meta])*
        $visibility:vis avx512 fn $name:ident $(<$($generic:ident),+>)? (
            $($arg:ident: $ty:ty),* $(,)?
        ) $(-> $result:ty)? $(where [$($bounds:tt)+])? $body:block
    )*) => {$(
        $(#[$attribute])*
        $visibility fn $name $(<$($generic),+>)? ($($arg: $ty),*) $(-> $result)?
        $(where $($bounds)+)?
        {
            #[inline(always)]
            fn body $(<$($generic),+>)? ($($arg: $ty),*) $(-> $result)?
            $(where $($bounds)+)?
            $body

            #[cfg(target_arch = "x86_64")]
            let known = $crate::Isa::cached();
            $crate::multiversion! {
                @for known Avx512
                [$($($generic),+)?] [$($arg: $ty),*] [$(-> $result)?] [$($($bounds)+)?]
                body($($arg),*)
            }
            $crate::multiversion! {
                @for known Avx2
                [$($($generic),+)?] [$($arg: $ty),*] [$(-> $result)?] [$($($bounds)+)?]
                body($($arg),*)
            }
            $crate::multiversion! {
                @baseline $name
                [$($($generic),+)?] [$($arg: $ty),*] [$(-> $result)?] [$($($bounds)+)?]
                body($($arg),*)
            }
        }
    )*};
    ($(
        $(#[$attribute:meta])*
        $visibility:vis fn $name:ident $(<$($generic:ident),+>)? (
            $($arg:ident: $ty:ty),* $(,)?
        ) $(-> $result:ty)? $(where [$($bounds:tt)+])? $body:block
    )*) => {$(
        $(#[$attribute])*
        $visibility fn $name $(<$($generic),+>)? ($($arg: $ty),*) $(-> $result)?
        $(where $($bounds)+)?
        {
            #[inline(always)]
            fn body $(<$($generic),+>)? ($($arg: $ty),*) $(-> $result)?
            $(where $($bounds)+)?
            $body

            #[cfg(target_arch = "x86_64")]
            let known = $crate::Isa::cached();
            $crate::multiversion! {
                @for known Avx2
                [$($($generic),+)?] [$($arg: $ty),*] [$(-> $result)?] [$($($bounds)+)?]
                body($($arg),*)
            }
            $crate::multiversion! {
                @baseline $name
                [$($($generic),+)?] [$($arg: $ty),*] [$(-> $result)?] [$($($bounds)+)?]
                body($($arg),*)
            }
        }
    )*};
    (
        @for $known:ident $isa:ident
        [$($generic:ident),*] [$($arg:ident: $ty:ty),*] [$($result:tt)*] [$($bounds:tt)*]
        $call:expr
    ) => {
        #[cfg(target_arch = "x86_64")]
        if $known >= Some($crate::Isa::$isa) {
            $crate::with_features! { $isa
                fn with_features<$($generic),*>($($arg: $ty),*) $($result)*
                where $($bounds)*
                {
                    $call
                }
            }

            // SAFETY: the processor was asked for these instructions.
            return unsafe { with_features($($arg),*) };
        }
    };
    (
        @baseline $name:ident
        [$($generic:ident),*] [$($arg:ident: $ty:ty),*] [$($result:tt)*] [$($bounds:tt)*]
        $call:expr
    ) => {{
        // Apart, so that nobody else saves registers for it.
        #[cfg_attr(target_arch = "x86_64", inline(never))]
        #[cfg_attr(not(target_arch = "x86_64"), inline(always))]
        fn baseline<$($generic),*>($($arg: $ty),*) $($result)*
        where $($bounds)*
        {
            #[cfg(target_arch = "x86_64")]
            if $crate::Isa::cached().is_none() {
                $crate::Isa::detect();
                return $name::<$($generic),*>($($arg),*);
            }
            $call
        }

        baseline($($arg),*)
    }};
}
