//! From a dtype to the type in which its elements are calculated.
//!
//! Half precision is calculated in `f32`. Element-wise loops cast on the way in
//! and out, and cut a result to half precision once, so nothing needs to be
//! compiled for it.

/// Evaluates an expression with a type name bound to the type in which a dtype
/// is calculated: `calculate!(dtype, "what", group, |T| expression)`.
///
/// As the runtime's `dispatch!`, but the loop in `expression` sees `f32` instead
/// of half precision; it may be used only where the loop casts. The groups:
///
/// | group | dtypes | |
/// |---|---|---|
/// | `all` | all | |
/// | `number` | all but `bool` | |
/// | `ordered` | all but complex | |
/// | `real` | neither `bool` nor complex | |
/// | `bits` | `bool` and integers | |
/// | `wide_real` | as `real` | narrow integers as `i32`, which changes no result |
/// | `wide_integral` | integers | likewise |
/// | `floating` | real floating | |
/// | `floating_or_complex` | those and complex | complex numbers as `Complex<f64>`, so that few digits are lost on the way |
///
/// Take a wide group where the function itself takes long, so that there is less
/// to compile, and another where the loop should be as fast as memory.
macro_rules! calculate {
    (
        { @all $($call:tt)* }
        boolean $b:tt narrow $n:tt wide $w:tt single $s:tt double $d:tt complex $c:tt
    ) => {
        calculate!(@match { $($call)* } { $b $n $w $c } { f32 $s f64 $d })
    };
    (
        { @number $($call:tt)* }
        boolean $b:tt narrow $n:tt wide $w:tt single $s:tt double $d:tt complex $c:tt
    ) => {
        calculate!(@match { $($call)* } { $n $w $c } { f32 $s f64 $d })
    };
    (
        { @ordered $($call:tt)* }
        boolean $b:tt narrow $n:tt wide $w:tt single $s:tt double $d:tt complex $c:tt
    ) => {
        calculate!(@match { $($call)* } { $b $n $w } { f32 $s f64 $d })
    };
    (
        { @real $($call:tt)* }
        boolean $b:tt narrow $n:tt wide $w:tt single $s:tt double $d:tt complex $c:tt
    ) => {
        calculate!(@match { $($call)* } { $n $w } { f32 $s f64 $d })
    };
    (
        { @bits $($call:tt)* }
        boolean $b:tt narrow $n:tt wide $w:tt single $s:tt double $d:tt complex $c:tt
    ) => {
        calculate!(@match { $($call)* } { $b $n $w } {})
    };
    (
        { @wide_real $($call:tt)* }
        boolean $b:tt narrow $n:tt wide $w:tt single $s:tt double $d:tt complex $c:tt
    ) => {
        calculate!(@match { $($call)* } {} { i32 $n i64 $w f32 $s f64 $d })
    };
    (
        { @wide_integral $($call:tt)* }
        boolean $b:tt narrow $n:tt wide $w:tt single $s:tt double $d:tt complex $c:tt
    ) => {
        calculate!(@match { $($call)* } {} { i32 $n i64 $w })
    };
    (
        { @floating $($call:tt)* }
        boolean $b:tt narrow $n:tt wide $w:tt single $s:tt double $d:tt complex $c:tt
    ) => {
        calculate!(@match { $($call)* } {} { f32 $s f64 $d })
    };
    (
        { @floating_or_complex $($call:tt)* }
        boolean $b:tt narrow $n:tt wide $w:tt single $s:tt double $d:tt complex $c:tt
    ) => {
        calculate!(@match { $($call)* } {} { f32 $s f64 $d (num_complex::Complex<f64>) $c })
    };
    (
        @match { $dtype:expr, $what:expr, $T:ident, $body:expr }
        { $({ $($(#[$about:meta])* $own:ident: $ty:ty = $number:literal $row:tt)* })* }
        { $($wide:tt { $($(#[$note:meta])* $of:ident: $stored:ty = $code:literal $rest:tt)* })* }
    ) => {
        match $dtype {
            $($(opwright_runtime::DType::$own => calculate!(@arm $ty, $T, $body),)*)*
            $($(opwright_runtime::DType::$of)|* => calculate!(@arm $wide, $T, $body),)*
            #[allow(unreachable_patterns, reason = "the group of all dtypes leaves none over")]
            other => Err(opwright_runtime::DType::unsupported(other, $what)),
        }
    };
    (@arm $ty:ty, $T:ident, $body:expr) => {{
        #[allow(unused_parens, dead_code, reason = "a body need not name its type")]
        type $T = $ty;
        $body
    }};
    ($dtype:expr, $what:expr, $group:ident, |$T:ident| $body:expr) => {
        opwright_runtime::dtype_rows! { calculate { @$group $dtype, $what, $T, $body } }
    };
}

pub(crate) use calculate;
