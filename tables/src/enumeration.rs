//! Enumerations whose constants a parameter takes, or callers in other languages see.

/// Defines an enum of rows `Variant = number, "name", "CONSTANT";`. The last one is the name of the
/// constant in C, without the library's prefix.
#[doc(hidden)]
#[macro_export]
macro_rules! enumeration {
    ($(#[$about:meta])* $enum:ident { $(
        $(#[$doc:meta])* $variant:ident = $number:literal, $name:literal, $constant:literal;
    )* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum $enum {
            $($(#[$doc])* $variant = $number,)*
        }

        impl $enum {
            /// All, in the order of their numbers.
            pub const ALL: [$enum; [$($number),*].len()] = [$($enum::$variant),*];

            /// The words of schemas, and the variants.
            pub const WORDS: &'static [(&'static str, &'static str)] =
                &[$(($name, stringify!($variant))),*];

            /// The names of the constants in C, without the library's prefix, and what they are.
            pub const CONSTANTS: &'static [(&'static str, i32)] =
                &[$(($constant, $number)),*];

            /// The name, as Python and schemas have it.
            pub const fn name(self) -> &'static str {
                match self {
                    $($enum::$variant => $name,)*
                }
            }

            /// The same for callers in C.
            pub const fn c_name(self) -> &'static ::std::ffi::CStr {
                match self {
                    $($enum::$variant => const {
                        match ::std::ffi::CStr::from_bytes_with_nul(concat!($name, "\0").as_bytes()) {
                            Ok(name) => name,
                            Err(_) => panic!("a name with a zero byte"),
                        }
                    },)*
                }
            }

            /// The number of the constant.
            #[inline]
            pub const fn number(self) -> i32 {
                self as i32
            }

            /// The one of this number.
            #[inline]
            pub const fn from_number(number: i64) -> Option<$enum> {
                match number {
                    $($number => Some($enum::$variant),)*
                    _ => None,
                }
            }

            /// The one of this variant, as upstream's schemas and formulas have it.
            pub fn from_variant(variant: &str) -> Option<$enum> {
                match variant {
                    $(stringify!($variant) => Some($enum::$variant),)*
                    _ => None,
                }
            }

            /// The one of this [name](Self::name).
            pub fn from_name(name: &str) -> Option<$enum> {
                $enum::ALL.into_iter().find(|it| it.name() == name)
            }
        }

        impl ::std::fmt::Display for $enum {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}

enumeration! {
    /// How a tensor finds its elements.
    #[derive(Default)]
    Layout {
        /// By a stride for each dimension, the only way here.
        #[default]
        Strided = 0, "strided", "STRIDED";
    }
}

/// Hands the rows of devices to a macro, as [`enumeration!`] takes them: the runtime has an enum of its
/// own, which it can read from text with its own errors.
#[doc(hidden)]
#[macro_export]
macro_rules! device_rows {
    ($callback:ident $(:: $path:ident)*) => {
        $callback $(:: $path)*! {
            /// Where a tensor's memory is.
            #[derive(Default)]
            Device {
                /// Main memory.
                #[default]
                Cpu = 0, "cpu", "CPU";
                /// Nowhere: such a tensor has shape and dtype, and no elements to read.
                Meta = 1, "meta", "META";
            }
        }
    };
}

device_rows! { enumeration }

enumeration! {
    /// The order of dimensions in memory that a caller wishes for.
    #[derive(Default)]
    MemoryFormat {
        /// Row-major.
        #[default]
        Contiguous = 0, "contiguous_format", "CONTIGUOUS";
        /// As the input has it.
        Preserve = 1, "preserve_format", "PRESERVE";
        /// Four dimensions, the second innermost.
        ChannelsLast = 2, "channels_last", "CHANNELS_LAST";
        /// Five dimensions, the second innermost.
        ChannelsLast3d = 3, "channels_last_3d", "CHANNELS_LAST_3D";
    }
}

enumeration! {
    /// Which kind of number a scalar is.
    ScalarKind {
        /// A truth value.
        Bool = 1, "bool", "SCALAR_BOOL";
        /// An integer.
        Int = 2, "int", "SCALAR_INT";
        /// A real number.
        Float = 3, "float", "SCALAR_FLOAT";
        /// A complex number.
        Complex = 4, "complex", "SCALAR_COMPLEX";
    }
}

enumeration! {
    /// What a loss is of the losses of elements.
    Reduction {
        /// These themselves.
        None = 0, "none", "REDUCTION_NONE";
        /// Their mean.
        Mean = 1, "mean", "REDUCTION_MEAN";
        /// Their sum.
        Sum = 2, "sum", "REDUCTION_SUM";
    }
}

impl Reduction {
    /// The words that upstream's schemas have for defaults of `int reduction`, and their numbers.
    /// `None` is none: there it is no value.
    pub const DEFAULTS: &'static [(&'static str, &'static str)] = &[("Mean", "1"), ("Sum", "2")];
}

enumeration! {
    /// What went wrong, in the terms of Python's exception classes.
    ErrorKind {
        /// An argument is of a type that does not fit.
        Type = 1, "TypeError", "ERROR_TYPE";
        /// An argument has a fitting type but an impossible value.
        Value = 2, "ValueError", "ERROR_VALUE";
        /// An index or a dimension is out of range.
        Index = 3, "IndexError", "ERROR_INDEX";
        /// Shapes, dtypes or devices do not go together.
        Runtime = 4, "RuntimeError", "ERROR_RUNTIME";
        /// There is no kernel for this dtype or device.
        NotImplemented = 5, "NotImplementedError", "ERROR_NOT_IMPLEMENTED";
        /// The system has not enough memory.
        Memory = 6, "MemoryError", "ERROR_MEMORY";
        /// A size or a number does not fit its representation.
        Overflow = 7, "OverflowError", "ERROR_OVERFLOW";
        /// A matrix is singular or not positive-definite, or an algorithm does not converge.
        LinAlg = 8, "LinAlgError", "ERROR_LIN_ALG";
    }
}

impl ErrorKind {
    /// The kind of a panic that stops at the boundary to C, which no error is of: the name of its
    /// constant there, and its number.
    pub const PANIC: (&'static str, i32) = ("ERROR_PANIC", 9);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers_find_their_constant() {
        for format in MemoryFormat::ALL {
            assert_eq!(MemoryFormat::from_name(format.name()), Some(format));
            assert_eq!(MemoryFormat::from_number(format.number().into()), Some(format));
            assert_eq!(format.c_name().to_str(), Ok(format.name()));
        }
    }

    #[test]
    fn defaults_are_reductions() {
        for (word, number) in Reduction::DEFAULTS {
            let found = Reduction::from_number(number.parse().unwrap());
            assert!(found.is_some() && found == Reduction::from_variant(word));
        }
    }

    #[test]
    fn a_panic_is_no_kind_of_an_error() {
        assert_eq!(ErrorKind::from_number(ErrorKind::PANIC.1.into()), None);
    }
}
