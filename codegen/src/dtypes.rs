//! `dtypes = ...` of an attribute: for which element types a kernel is there.
//!
//! | word | dtypes | trait of the runtime |
//! |---|---|---|
//! | `all` | all | `Element` |
//! | `number` | all but `bool` | `Number` |
//! | `ordered` | all but complex | `Ordered` |
//! | `real` | integers and real floating | `Real` |
//! | `bits` | `bool` and integers | `Bits` |
//! | `integral` | integers | `Integer` |
//! | `floating` | real floating | `Float` |
//! | `complex` | complex | `ComplexNumber` |
//!
//! Groups are joined with `|`; single dtypes stand in a list, `[f32, f64]`.

use std::ops::Deref;

use opwright_diagnostics::diag::nearest;
use opwright_schema::dtypes::{Category, ROWS, Row, Rust};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use syn::{Error, Result};

use crate::codes;
use crate::mistake::mistake;
use crate::types::runtime;

/// A dtype of the runtime.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dtype(&'static Row);

impl Deref for Dtype {
    type Target = Row;

    fn deref(&self) -> &Row {
        self.0
    }
}

/// A word for several dtypes, and the trait that their types have.
struct Group {
    word: &'static str,
    bound: &'static str,
    categories: &'static [Category],
}

const fn group(word: &'static str, bound: &'static str, categories: &'static [Category]) -> Group {
    Group { word, bound, categories }
}

const GROUPS: [Group; 9] = {
    use Category::{Bool, Complex, Floating, Integral};
    [
        group("all", "Element", &[Bool, Integral, Floating, Complex]),
        group("number", "Number", &[Integral, Floating, Complex]),
        group("ordered", "Ordered", &[Bool, Integral, Floating]),
        group("real", "Real", &[Integral, Floating]),
        group("bits", "Bits", &[Bool, Integral]),
        group("integral", "Integer", &[Integral]),
        group("floating", "Float", &[Floating]),
        group("complex", "ComplexNumber", &[Complex]),
        group("floating | complex", "FloatOrComplex", &[Floating, Complex]),
    ]
};

impl Group {
    fn dtypes(&self) -> Vec<Dtype> {
        let rows = ROWS.iter().filter(|it| self.categories.contains(&it.category));
        rows.map(Dtype).collect()
    }
}

/// What stands behind `dtypes =`.
#[derive(Clone, Debug)]
pub struct Dtypes {
    /// Without repetition, in the order of promotion.
    pub all: Vec<Dtype>,
    /// Where it stands.
    pub span: Span,
}

impl Dtypes {
    /// Reads the words of groups, or of a list of single dtypes.
    ///
    /// # Errors
    ///
    /// Every word that is neither, with the nearest one that is.
    pub fn read(words: &[Ident], listed: bool, span: Span) -> Result<Dtypes> {
        let mut all = Vec::new();
        let mut errors: Option<Error> = None;
        for word in words {
            let text = word.to_string();
            let found = if listed { single(&text) } else { grouped(&text) };
            match found {
                Some(dtypes) => all.extend(dtypes),
                None => {
                    let message = unknown(&text, listed);
                    let error = mistake(codes::UNKNOWN_DTYPES, word.span(), message);
                    match &mut errors {
                        Some(errors) => errors.combine(error),
                        None => errors = Some(error),
                    }
                }
            }
        }
        all.sort_by_key(|it: &Dtype| ROWS.iter().position(|row| row == it.0));
        all.dedup();
        match errors {
            Some(errors) => Err(errors),
            None if all.is_empty() => {
                Err(mistake(codes::OPTION_VALUE, span, "a kernel has at least one dtype"))
            }
            None => Ok(Dtypes { all, span }),
        }
    }

    /// The first of these dtypes whose element type is not of the trait of the
    /// runtime with this name; a trait of the author's own is left to rustc.
    pub fn beyond(&self, bound: &str) -> Option<Dtype> {
        let group = GROUPS.iter().find(|it| it.bound == bound)?;
        self.all.iter().copied().find(|it| !group.categories.contains(&it.category))
    }

    /// `&[DType::Float32, DType::Float64]`.
    pub fn tokens(&self) -> TokenStream {
        let dtypes = self.all.iter().map(|it| it.path());
        quote!(&[#(#dtypes),*])
    }
}

/// The word for the dtypes that have a trait of the runtime.
pub fn word_of(bound: &str) -> Option<&'static str> {
    GROUPS.iter().find(|it| it.bound == bound).map(|it| it.word)
}

/// Whether this is the word for a single dtype.
pub(crate) fn is_word(word: &str) -> bool {
    ROWS.iter().any(|it| it.word == word)
}

/// The words for single dtypes, for messages.
pub fn words() -> String {
    ROWS.each_ref().map(|it| it.word).join("`, `")
}

/// How a kernel of several dtypes can say so, for messages.
pub fn examples() -> &'static str {
    "`dtypes = floating`, `integral`, `all` or a list such as `[f32, f64]`"
}

impl Dtype {
    /// The dtype of conditions.
    pub const BOOL: Dtype = Dtype(&ROWS[0]);

    /// `DType::Float32`.
    pub fn path(self) -> TokenStream {
        let dtype = runtime("DType");
        let variant = format_ident!("{}", self.variant);
        quote!(#dtype::#variant)
    }

    /// The type that elements are stored in.
    pub fn stored(self) -> TokenStream {
        let primitive = |word: &str| {
            let primitive = format_ident!("{word}");
            quote!(::core::primitive::#primitive)
        };
        match self.rust {
            Rust::Primitive => primitive(self.word),
            Rust::Half => runtime(self.word),
            Rust::Complex(part) => {
                let (complex, part) = (runtime("Complex"), primitive(part));
                quote!(#complex<#part>)
            }
        }
    }

    /// The type that functions are calculated in which take longer than casts:
    /// one that holds several dtypes, so that there is less to compile, and has
    /// digits to lose.
    pub fn wide(self) -> TokenStream {
        match (self.category, self.rust) {
            (Category::Complex, _) => {
                let complex = runtime("Complex");
                quote!(#complex<::core::primitive::f64>)
            }
            (Category::Integral, Rust::Primitive) => {
                let bits: u32 = self.word[1..].parse().unwrap_or(64);
                // Of a number with a sign that holds them all.
                match bits + u32::from(self.word.starts_with('u')) {
                    ..=32 => quote!(::core::primitive::i32),
                    33..=64 => quote!(::core::primitive::i64),
                    _ => self.stored(),
                }
            }
            _ => self.calculated(),
        }
    }

    /// Whether it holds real floating numbers.
    pub fn is_floating(self) -> bool {
        self.category == Category::Floating
    }

    /// Whether [`wide`](Dtype::wide) is an integer that holds more.
    pub fn is_widened(self) -> bool {
        self.category == Category::Integral && self.wide().to_string() != self.stored().to_string()
    }

    /// The type that single elements are calculated in: loops cast half
    /// precision on the way in and out.
    pub fn calculated(self) -> TokenStream {
        match self.rust {
            Rust::Half => quote!(::core::primitive::f32),
            Rust::Primitive | Rust::Complex(_) => self.stored(),
        }
    }
}

fn grouped(word: &str) -> Option<Vec<Dtype>> {
    GROUPS.iter().find(|it| it.word == word).map(Group::dtypes)
}

fn single(word: &str) -> Option<Vec<Dtype>> {
    ROWS.iter().find(|it| it.word == word || it.name == word).map(|it| vec![Dtype(it)])
}

fn unknown(word: &str, listed: bool) -> String {
    let words: Vec<&str> = match listed {
        true => ROWS.iter().map(|it| it.word).collect(),
        false => GROUPS.iter().map(|it| it.word).filter(|it| !it.contains(' ')).collect(),
    };
    let kind = if listed { "dtype" } else { "group of dtypes" };
    if !listed && single(word).is_some() {
        return format!("`{word}` is a single dtype: write `dtypes = [{word}]`");
    }
    if listed && grouped(word).is_some() {
        return format!("`{word}` is a group of dtypes: write `dtypes = {word}`");
    }
    match nearest(word, words.iter().copied()) {
        Some(near) => format!("unknown {kind} `{word}`; did you mean `{near}`?"),
        None => format!("unknown {kind} `{word}`; there are `{}`", words.join("`, `")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &[&str], listed: bool) -> Result<Vec<&'static str>> {
        let words: Vec<Ident> = words.iter().map(|it| Ident::new(it, Span::call_site())).collect();
        let dtypes = Dtypes::read(&words, listed, Span::call_site())?;
        Ok(dtypes.all.iter().map(|it| it.word).collect())
    }

    #[test]
    fn groups_join_and_lists_are_sorted() {
        assert_eq!(read(&["complex", "floating"], false).unwrap().len(), 6);
        assert_eq!(read(&["f64", "float32", "f64"], true).unwrap(), ["f32", "f64"]);
        let integral = read(&["integral"], false).unwrap();
        assert_eq!((integral[0], integral[integral.len() - 1]), ("u8", "i64"));
    }

    #[test]
    fn unknown_words_are_all_reported() {
        let error = read(&["floatin", "f32"], false).unwrap_err();
        let messages: Vec<String> = error.into_iter().map(|it| it.to_string()).collect();
        assert_eq!(messages.len(), 2);
        assert!(messages[0].ends_with("did you mean `floating`?"), "{}", messages[0]);
        assert!(messages[1].ends_with("write `dtypes = [f32]`"), "{}", messages[1]);
    }

    #[test]
    fn a_bound_may_be_narrower_than_the_dtypes() {
        let words = [Ident::new("all", Span::call_site())];
        let dtypes = Dtypes::read(&words, false, Span::call_site()).unwrap();
        assert_eq!(dtypes.beyond("Float").map(|it| it.name), Some("bool"));
        assert_eq!(dtypes.beyond("Element"), None);
        assert_eq!(dtypes.beyond("Analytic"), None);
    }
}
