//! Functions that are compiled for several sets of instructions.

/// Declares functions that are compiled for each [`Level`](crate::Level) of instructions, of which a
/// call takes the one that the processor at hand does best.
///
/// What such a function calls is to be `#[inline(always)]`: else it is the same for all. Bounds of
/// generic parameters stand in brackets.
///
/// ```
/// opwright_runtime::multiversion! {
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
/// assert_eq!(squares(&[0.5; 64]), 16.0);
/// let mut numbers = [1, 2, 3];
/// double(&mut numbers);
/// assert_eq!(numbers, [2, 4, 6]);
/// ```
#[macro_export]
macro_rules! multiversion {
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
            fn plainly $(<$($generic),+>)? ($($arg: $ty),*) $(-> $result)?
            $(where $($bounds)+)?
            $body

            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,fma")]
            fn with_avx2 $(<$($generic),+>)? ($($arg: $ty),*) $(-> $result)?
            $(where $($bounds)+)?
            {
                plainly($($arg),*)
            }

            #[cfg(target_arch = "x86_64")]
            if $crate::Level::detect() >= $crate::Level::Avx2 {
                // SAFETY: the processor was asked for these instructions.
                return unsafe { with_avx2($($arg),*) };
            }
            plainly($($arg),*)
        }
    )*};
}
