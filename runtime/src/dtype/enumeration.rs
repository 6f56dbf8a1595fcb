//! The enumeration of dtypes, with what their rows say; the default of floating results.

use std::ffi::CStr;
use std::fmt;
use std::sync::atomic::{AtomicU8, Ordering};

use opwright_tables::dtype::{Category, Row, TypeCode, row};
use opwright_tables::dtypes_by_category;

use crate::{Result, ensure};

/// Hands the rows of [their table](opwright_tables::dtype) to another macro, with types of this crate.
#[doc(hidden)]
#[macro_export]
macro_rules! dtype_rows {
    ($callback:tt $(:: $path:ident)* { $($arguments:tt)* }) => {
        $crate::tables::dtype_rows! { $crate; $callback $(:: $path)* { $($arguments)* } }
    };
}

macro_rules! define {
    ({} $($category:ident {
        $($(#[$about:meta])* $dtype:ident: $ty:ty = $number:literal {
            widens_to: [$($above:ident),*], $($row:tt)*
        })*
    })*) => {
        /// The type of a tensor's elements.
        ///
        /// ```
        /// use opwright_runtime::{DType, Tensor};
        ///
        /// let x = Tensor::from_slice(&[2], &[1.5_f32, -2.0])?;
        /// assert_eq!(x.dtype(), DType::Float32);
        /// assert_eq!(x.to_dtype(DType::Int64)?.to_vec::<i64>()?, [1, -2]);
        /// assert_eq!(DType::from_name("complex64"), Some(DType::Complex64));
        /// assert_eq!(DType::Complex64.to_real().size(), 4);
        /// # Ok::<(), opwright_runtime::Error>(())
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum DType {
            $($($(#[$about])* $dtype = $number,)*)*
        }

        impl DType {
            /// How many there are.
            pub const COUNT: usize = [$($(DType::$dtype),*),*].len();

            /// Every dtype, in the order of the numbers of the enumeration.
            pub const ALL: [DType; DType::COUNT] = {
                let mut all = [DType::Bool; DType::COUNT];
                $($(all[DType::$dtype as usize] = DType::$dtype;)*)*
                all
            };

            const fn row(self) -> &'static Row {
                match self {
                    $($(DType::$dtype => const { row($number) },)*)*
                }
            }

            /// The dtypes that hold its values and are next above it.
            pub(crate) const fn widens_to(self) -> &'static [DType] {
                match self {
                    $($(DType::$dtype => &[$(DType::$above),*],)*)*
                }
            }

            /// The bytes of one element.
            #[inline]
            pub const fn size(self) -> usize {
                match self {
                    $($(DType::$dtype => size_of::<$ty>(),)*)*
                }
            }

            /// The category, by which promotion goes first.
            #[inline]
            pub const fn category(self) -> Category {
                match self {
                    $($(DType::$dtype)|* => Category::$category,)*
                }
            }
        }
    };
}

dtypes_by_category! { crate; define {} }

impl DType {
    /// The name in numpy's manner: `float32`.
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    /// The second name that upstream gives most dtypes: `long` for `int64`.
    pub const fn alias(self) -> Option<&'static str> {
        self.row().alias
    }

    /// The name in upstream's error messages: `Float` for `float32`.
    pub const fn title(self) -> &'static str {
        self.row().title
    }

    /// The shortest name: `f32`.
    pub const fn short_name(self) -> &'static str {
        self.row().word
    }

    /// The name in messages about numbers that are too large: `int64_t`.
    pub(crate) const fn c_name(self) -> &'static str {
        self.row().c_name
    }

    /// How the buffer protocol writes it; nothing for `bfloat16`, which only we have.
    pub const fn buffer_format(self) -> Option<&'static CStr> {
        self.row().format
    }

    /// How DLPack calls its kind of elements.
    pub const fn type_code(self) -> TypeCode {
        self.row().code
    }

    /// The dtype of this [name](DType::name) or [alias](DType::alias).
    pub fn from_name(name: &str) -> Option<DType> {
        DType::ALL.into_iter().find(|it| it.name() == name || it.alias() == Some(name))
    }

    /// The dtype of this [title](DType::title).
    pub fn from_title(title: &str) -> Option<DType> {
        DType::ALL.into_iter().find(|it| it.title() == title)
    }

    /// The dtype of this kind of elements, of so many bytes.
    pub fn from_type_code(code: TypeCode, size: usize) -> Option<DType> {
        DType::ALL.into_iter().find(|it| it.type_code() == code && it.size() == size)
    }

    /// Whether this is `bool`.
    #[inline]
    pub const fn is_boolean(self) -> bool {
        matches!(self.category(), Category::Bool)
    }

    /// Whether this is an integer type; `bool` is none.
    #[inline]
    pub const fn is_integral(self) -> bool {
        matches!(self.category(), Category::Integral)
    }

    /// Whether this is a real floating type.
    #[inline]
    pub const fn is_floating(self) -> bool {
        matches!(self.category(), Category::Floating)
    }

    /// Whether this is a pair of floating numbers.
    #[inline]
    pub const fn is_complex_number(self) -> bool {
        matches!(self.category(), Category::Complex)
    }

    /// Whether negative numbers can be represented.
    #[inline]
    pub const fn is_signed_number(self) -> bool {
        !matches!(self.type_code(), TypeCode::Bool | TypeCode::UInt)
    }

    /// The type of the parts of a complex dtype; any other is its own.
    #[inline]
    pub const fn to_real(self) -> DType {
        match self {
            DType::Complex64 => DType::Float32,
            DType::Complex128 => DType::Float64,
            other => other,
        }
    }

    /// The complex dtype whose parts can hold this one.
    ///
    /// There is no complex type of half precision, so both half types give
    /// [`DType::Complex64`], as do all that are not floating.
    #[inline]
    pub const fn to_complex(self) -> DType {
        match self {
            DType::Float64 | DType::Complex128 => DType::Complex128,
            _ => DType::Complex64,
        }
    }

    /// This dtype if it is floating or complex, else the default dtype.
    #[inline]
    pub fn to_floating(self) -> DType {
        match self.category() {
            Category::Bool | Category::Integral => default_dtype(),
            Category::Floating | Category::Complex => self,
        }
    }
}

impl fmt::Display for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

static DEFAULT: AtomicU8 = AtomicU8::new(DType::Float32 as u8);

/// The dtype that Python floats, integer quotients and new tensors get.
#[inline]
pub fn default_dtype() -> DType {
    DType::ALL[usize::from(DEFAULT.load(Ordering::Relaxed))]
}

/// Makes `dtype` the default, for the whole process.
///
/// # Errors
///
/// `Type` if `dtype` is not a real floating type.
pub fn set_default_dtype(dtype: DType) -> Result<()> {
    ensure!(
        dtype.is_floating(),
        Type,
        "only floating-point types are supported as the default type, not {dtype}"
    );
    DEFAULT.store(dtype as u8, Ordering::Relaxed);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_find_their_dtype() {
        for dtype in DType::ALL {
            assert_eq!(DType::from_name(dtype.name()), Some(dtype));
            if let Some(alias) = dtype.alias() {
                assert_eq!(DType::from_name(alias), Some(dtype));
            }
        }
        assert_eq!(DType::from_name("float8"), None);
    }

    #[test]
    fn letters_and_codes_tell_dtypes_apart() {
        for dtype in DType::ALL {
            assert_eq!(DType::from_type_code(dtype.type_code(), dtype.size()), Some(dtype));
            let same = |it: &DType| it.buffer_format() == dtype.buffer_format();
            assert_eq!(DType::ALL.into_iter().filter(same).count(), 1, "{dtype}");
        }
    }

    #[test]
    fn the_enumeration_is_the_order_of_all() {
        for (index, dtype) in DType::ALL.into_iter().enumerate() {
            assert_eq!(dtype as usize, index);
        }
    }
}
