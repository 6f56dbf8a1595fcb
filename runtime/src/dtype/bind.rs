//! Dispatch on a dtype: from a value, known at run time, to a Rust type.

use super::enumeration::DType;
use crate::Error;

impl DType {
    /// The dtype that single elements are calculated in: loops cast half precision on the way in
    /// and out.
    #[inline]
    pub fn calculated(self) -> DType {
        match self {
            DType::Float16 | DType::BFloat16 => DType::Float32,
            other => other,
        }
    }

    /// The error of a kernel that has nothing for this dtype.
    #[cold]
    pub fn unsupported(self, what: &str) -> Error {
        Error::not_implemented(format_args!("\"{what}\" not implemented for '{}'", self.title()))
    }
}

/// Evaluates an expression with a type name bound to the type behind a dtype.
///
/// `dispatch!(dtype, "what", group, |T| expression)`, where the expression is a
/// [`Result`](crate::Result). A dtype outside the group is a `NotImplemented`
/// error that names `what`. The groups:
///
/// | group | trait |
/// |---|---|
/// | `all` | [`Element`](crate::Element) |
/// | `number` | [`Number`](crate::dtype::Number) |
/// | `ordered` | [`Ordered`](crate::dtype::Ordered) |
/// | `real` | [`Real`](crate::dtype::Real) |
/// | `bits` | [`Bits`](crate::dtype::Bits) |
/// | `integral` | [`Integer`](crate::dtype::Integer) |
/// | `floating` | [`Float`](crate::dtype::Float) |
/// | `floating_or_complex` | [`FloatOrComplex`](crate::dtype::FloatOrComplex) |
/// | `complex_number` | [`ComplexNumber`](crate::dtype::ComplexNumber) |
/// | `boolean` | `bool` itself |
///
/// `calculated` in front of a group gives half precision the type `f32`: less to compile where the
/// expression casts what it reads and writes.
///
/// ```
/// use opwright_runtime::{DType, Result, dispatch};
///
/// fn width(dtype: DType) -> Result<usize> {
///     dispatch!(dtype, "width", real, |T| Ok(size_of::<T>()))
/// }
///
/// assert_eq!(width(DType::Float16).unwrap(), 2);
/// assert_eq!(
///     width(DType::Bool).unwrap_err().to_string(),
///     "\"width\" not implemented for 'Bool'"
/// );
/// ```
#[macro_export]
macro_rules! dispatch {
    (
        { @calculated $group:ident $dtype:expr, $($call:tt)* }
        boolean $b:tt narrow $n:tt wide $w:tt single $s:tt double $d:tt complex $c:tt
    ) => {
        $crate::dispatch! {
            { @$group $crate::DType::calculated($dtype), $($call)* }
            boolean $b narrow $n wide $w single { Float32: f32 = 0 {} } double $d complex $c
        }
    };
    ({ @all $($call:tt)* } $($section:ident $rows:tt)*) => {
        $crate::dispatch! { @match { $($call)* } $($rows)* }
    };
    ({ @number $($call:tt)* } boolean $b:tt $($section:ident $rows:tt)*) => {
        $crate::dispatch! { @match { $($call)* } $($rows)* }
    };
    (
        { @ordered $($call:tt)* }
        boolean $b:tt narrow $n:tt wide $w:tt single $s:tt double $d:tt complex $c:tt
    ) => {
        $crate::dispatch! { @match { $($call)* } $b $n $w $s $d }
    };
    (
        { @real $($call:tt)* }
        boolean $b:tt narrow $n:tt wide $w:tt single $s:tt double $d:tt complex $c:tt
    ) => {
        $crate::dispatch! { @match { $($call)* } $n $w $s $d }
    };
    ({ @bits $($call:tt)* } boolean $b:tt narrow $n:tt wide $w:tt $($rest:tt)*) => {
        $crate::dispatch! { @match { $($call)* } $b $n $w }
    };
    ({ @integral $($call:tt)* } boolean $b:tt narrow $n:tt wide $w:tt $($rest:tt)*) => {
        $crate::dispatch! { @match { $($call)* } $n $w }
    };
    (
        { @floating $($call:tt)* }
        boolean $b:tt narrow $n:tt wide $w:tt single $s:tt double $d:tt complex $c:tt
    ) => {
        $crate::dispatch! { @match { $($call)* } $s $d }
    };
    (
        { @floating_or_complex $($call:tt)* }
        boolean $b:tt narrow $n:tt wide $w:tt single $s:tt double $d:tt complex $c:tt
    ) => {
        $crate::dispatch! { @match { $($call)* } $s $d $c }
    };
    (
        { @complex_number $($call:tt)* }
        boolean $b:tt narrow $n:tt wide $w:tt single $s:tt double $d:tt complex $c:tt
    ) => {
        $crate::dispatch! { @match { $($call)* } $c }
    };
    ({ @boolean $($call:tt)* } boolean $b:tt $($rest:tt)*) => {
        $crate::dispatch! { @match { $($call)* } $b }
    };
    (@match { $dtype:expr, $what:expr, $T:ident, $body:expr } $({
        $($(#[$about:meta])* $variant:ident: $ty:ty = $number:literal $row:tt)*
    })*) => {
        match $dtype {
            $($($crate::DType::$variant => {
                #[allow(dead_code, reason = "a body need not name its type")]
                type $T = $ty;
                $body
            })*)*
            #[allow(unreachable_patterns, reason = "the group of all dtypes leaves none over")]
            other => ::core::result::Result::Err($crate::DType::unsupported(other, $what)),
        }
    };
    ($dtype:expr, $what:expr, calculated $group:ident, |$T:ident| $body:expr) => {
        $crate::dtype_rows! { $crate::dispatch { @calculated $group $dtype, $what, $T, $body } }
    };
    ($dtype:expr, $what:expr, $group:ident, |$T:ident| $body:expr) => {
        $crate::dtype_rows! { $crate::dispatch { @$group $dtype, $what, $T, $body } }
    };
}
