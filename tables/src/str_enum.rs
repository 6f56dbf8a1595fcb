//! String-valued enumerations: parameters that are one of few words, such as padding modes.
//!
//! A row is a type of the schema language. Values, and callers in Python, C and Go, have it as the
//! word, as upstream's `str`; kernels have the variant.

use crate::ErrorKind;

/// What is known of such an enumeration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StrEnum {
    /// Its name in schemas and in Rust.
    pub name: &'static str,
    /// What it is.
    pub doc: &'static str,
    /// Its words, and their variants.
    pub words: &'static [(&'static str, &'static str)],
    /// What is said of each.
    pub docs: &'static [&'static str],
    /// The kind of error that any other word is.
    pub kind: ErrorKind,
    /// The message, where `{}` stands for that word.
    message: &'static str,
}

impl StrEnum {
    /// The variant of a word.
    pub fn variant(&self, word: &str) -> Option<&'static str> {
        self.words.iter().find(|(known, _)| *known == word).map(|(_, variant)| *variant)
    }

    /// The names of the constants in C, without the library's prefix, and the words.
    pub fn constants(&self) -> impl Iterator<Item = (String, &'static str)> {
        let named = |variant: &str| snake(self.name) + "_" + &snake(variant);
        self.words.iter().map(move |(word, variant)| (named(variant).to_uppercase(), *word))
    }

    /// What is said of a word that is none of these.
    pub fn message(&self, word: &str) -> String {
        self.message.replace("{}", word)
    }
}

/// `padding_mode` for `PaddingMode`.
fn snake(camel: &str) -> String {
    let mut snake = String::new();
    for letter in camel.chars() {
        if letter.is_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.extend(letter.to_lowercase());
    }
    snake
}

/// A variant of a string-valued enumeration.
pub trait StrVariant: Copy + 'static {
    /// What is known of the enumeration.
    const ROW: &'static StrEnum;

    /// The word.
    fn word(self) -> &'static str;

    /// The one of this word.
    fn from_word(word: &str) -> Option<Self>;
}

/// Hands the rows of all string-valued enumerations to another macro: `str_enum_rows! { name {
/// arguments } }` becomes `name! { { arguments } rows }`. A row is `Type "Type" Kind "message" {
/// Variant = "word"; }`, behind its documentation.
#[doc(hidden)]
#[macro_export]
macro_rules! str_enum_rows {
    ($callback:tt $(:: $path:ident)* { $($arguments:tt)* }) => {
        $callback $(:: $path)*! {
            { $($arguments)* }
            /// What lies beyond the ends of a padded tensor.
            PaddingMode "PaddingMode" NotImplemented "Unrecognised padding mode {}" {
                /// One number.
                Constant = "constant";
                /// The elements, mirrored at the first and the last one.
                Reflect = "reflect";
                /// The first and the last element.
                Replicate = "replicate";
                /// The elements from the other end.
                Circular = "circular";
            }
            /// Where a quotient is rounded to.
            RoundingMode "RoundingMode" Runtime
                "div expected rounding_mode to be one of None, 'trunc', or 'floor' but found '{}'"
            {
                /// Towards zero.
                Trunc = "trunc";
                /// Downwards.
                Floor = "floor";
            }
            /// How much of the factors Q and R of a matrix is computed.
            QrMode "QrMode" Runtime
                "qr received unrecognized mode '{}' but expected one of 'reduced' (default), 'r', \
                 or 'complete'"
            {
                /// As many columns of Q as the matrix has rows or columns, whichever are fewer.
                Reduced = "reduced";
                /// A square Q.
                Complete = "complete";
                /// R alone.
                R = "r";
            }
            /// On which side of equal elements a value belongs.
            SearchSide "SearchSide" Runtime "side can only be 'left' or 'right' but got {}" {
                /// Before them.
                Left = "left";
                /// Behind them.
                Right = "right";
            }
            /// Which dimension of a grid its first coordinate runs along.
            GridIndexing "GridIndexing" Runtime
                "indexing must be one of \"xy\" or \"ij\", but received: {}"
            {
                /// The first, as indices of a matrix.
                Ij = "ij";
                /// The second, as coordinates of a plane.
                Xy = "xy";
            }
            /// How an element is combined with the one that it is scattered to.
            ScatterReduction "ScatterReduction" Runtime
                "argument 'reduce' must be either add or multiply, not {}"
            {
                /// Their sum.
                Add = "add";
                /// Their product.
                Multiply = "multiply";
            }
            /// How elements that come to one place are combined.
            ReductionType "ReductionType" Runtime
                "reduce argument must be either sum, prod, mean, amax or amin, got {}"
            {
                /// Their product.
                Prod = "prod";
                /// Their mean.
                Mean = "mean";
                /// The greatest.
                Amax = "amax";
                /// The least.
                Amin = "amin";
                /// Their sum.
                Sum = "sum";
            }
            /// What a quantile between two elements is.
            QuantileInterpolation "QuantileInterpolation" Runtime
                "interpolation must be one of linear, lower, higher, midpoint or nearest, but got {}"
            {
                /// Between them by its share of the way.
                Linear = "linear";
                /// The lesser.
                Lower = "lower";
                /// The greater.
                Higher = "higher";
                /// Half way between them.
                Midpoint = "midpoint";
                /// The nearer.
                Nearest = "nearest";
            }
            /// By what the normal distribution is approximated.
            GeluApproximation "GeluApproximation" Runtime
                "argument 'approximate' must be either none or tanh, but got {}"
            {
                /// Nothing.
                None = "none";
                /// A hyperbolic tangent.
                Tanh = "tanh";
            }
            /// The routine of LAPACK whose results a least-squares problem has.
            LstsqDriver "LstsqDriver" Runtime
                "linalg.lstsq: parameter `driver` should be one of (gels, gelsy, gelsd, gelss)"
            {
                /// By QR, of matrices of full rank.
                Gels = "gels";
                /// By QR with pivoting.
                Gelsy = "gelsy";
                /// By the singular value decomposition, divide and conquer.
                Gelsd = "gelsd";
                /// By the singular value decomposition.
                Gelss = "gelss";
            }
            /// Which of a transform and its inverse is divided by the number of elements.
            FftNorm "FftNorm" Runtime "Invalid normalization mode: \"{}\"" {
                /// The inverse.
                Backward = "backward";
                /// Both, by the square root of it.
                Ortho = "ortho";
                /// The transform.
                Forward = "forward";
            }
        }
    };
}

macro_rules! define {
    ({} $(
        $(#[doc = $doc:literal])* $enum:ident $name:literal $kind:ident $message:literal
        { $(#[doc = $variant_doc:literal] $variant:ident = $word:literal;)* }
    )*) => {$(
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $enum {
            $(#[doc = $variant_doc] $variant,)*
        }

        impl $enum {
            /// All, in the order of the table.
            pub const ALL: [$enum; [$($word),*].len()] = [$($enum::$variant),*];

            /// What is known of the enumeration.
            pub const ROW: &'static StrEnum = &StrEnum {
                name: $name,
                doc: concat!($($doc),*),
                words: &[$(($word, stringify!($variant))),*],
                docs: &[$($variant_doc),*],
                kind: ErrorKind::$kind,
                message: $message,
            };

            /// The word, as Python and schemas have it.
            pub const fn word(self) -> &'static str {
                match self {
                    $($enum::$variant => $word,)*
                }
            }

            /// The one of this word.
            pub fn from_word(word: &str) -> Option<$enum> {
                match word {
                    $($word => Some($enum::$variant),)*
                    _ => None,
                }
            }
        }

        impl StrVariant for $enum {
            const ROW: &'static StrEnum = $enum::ROW;

            #[inline]
            fn word(self) -> &'static str {
                $enum::word(self)
            }

            #[inline]
            fn from_word(word: &str) -> Option<$enum> {
                $enum::from_word(word)
            }
        }
    )*

        /// All string-valued enumerations.
        pub const ROWS: &[&StrEnum] = &[$($enum::ROW),*];
    };
}

str_enum_rows! { define {} }

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_find_their_variants() {
        for mode in PaddingMode::ALL {
            assert_eq!(PaddingMode::from_word(mode.word()), Some(mode));
            assert_eq!(PaddingMode::ROW.variant(mode.word()), Some(&*format!("{mode:?}")));
        }
    }

    #[test]
    fn other_words_are_named() {
        assert_eq!(PaddingMode::from_word("zeros"), None);
        assert_eq!(PaddingMode::ROW.message("zeros"), "Unrecognised padding mode zeros");
        assert_eq!(PaddingMode::ROW.kind, ErrorKind::NotImplemented);
    }

    #[test]
    fn constants_are_called_by_enumeration_and_variant() {
        let mut constants = RoundingMode::ROW.constants();
        assert_eq!(constants.next(), Some(("ROUNDING_MODE_TRUNC".to_owned(), "trunc")));
    }

    #[test]
    fn names_are_distinct() {
        for (at, row) in ROWS.iter().enumerate() {
            assert!(ROWS[..at].iter().all(|it| it.name != row.name), "{}", row.name);
        }
    }
}
