//! Conditions of a rewrite on its variables.

use std::fmt;
use std::ops::Range;

use crate::{Pattern, SyntaxError};

macro_rules! wanted {
    ($($(#[$doc:meta])* $variant:ident $word:literal,)*) => {
        /// What can be asked of a variable.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Wanted {
            $($(#[$doc])* $variant,)*
        }

        impl Wanted {
            /// All of it.
            pub const ALL: &'static [Wanted] = &[$(Wanted::$variant),*];

            /// In a word.
            pub const fn word(self) -> &'static str {
                match self {
                    $(Wanted::$variant => $word,)*
                }
            }
        }
    };
}

wanted! {
    /// It never changes.
    Constant "constant",
    /// It is a number, which gives way to the dtypes of tensors.
    Number "number",
    /// It is a number that is greater than zero.
    Positive "positive",
    /// It is a number that is one or more, or minus one or less.
    AtLeastOne "at_least_one",
    /// It is a power of two that has an exact inverse in every floating dtype.
    PowerOfTwo "power_of_two",
    /// Its elements are integers.
    Integers "integers",
    /// Its elements are real and no integers.
    Floats "floats",
    /// Its elements are not complex.
    Reals "reals",
    /// All its extents are known, and those of what was found.
    Known "known",
}

/// What a variable of a rewrite has to be.
///
/// ```
/// use opwright_formula::{Condition, Wanted};
///
/// let condition = Condition::parse("power_of_two(c)").unwrap();
/// assert_eq!((condition.wanted, &*condition.name), (Wanted::PowerOfTwo, "c"));
/// assert_eq!(condition.to_string(), "power_of_two(c)");
///
/// let wrong = Condition::parse("power_of_ten(c)").unwrap_err();
/// assert!(wrong.message.starts_with("expected `constant`, `number`,"));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// What is asked.
    pub wanted: Wanted,
    /// Of which variable.
    pub name: String,
    /// Where its name stands.
    pub range: Range<usize>,
}

impl Condition {
    /// Reads a condition: a word, and the name of a variable in parentheses.
    ///
    /// # Errors
    ///
    /// The place that does not fit, with what was expected there.
    pub fn parse(text: &str) -> Result<Condition, SyntaxError> {
        let wrong = |range: Range<usize>, message: String| SyntaxError { range, message };
        let Pattern::Call(word, place, args) = Pattern::parse(text)? else {
            return Err(wrong(0..text.len(), format!("expected {}, of a name", words())));
        };
        let Some(&wanted) = Wanted::ALL.iter().find(|it| it.word() == word) else {
            return Err(wrong(place, format!("expected {}", words())));
        };
        match &args[..] {
            [arg] if arg.keyword.is_none() => match &arg.value {
                Pattern::Name(name, range) => {
                    Ok(Condition { wanted, name: name.clone(), range: range.clone() })
                }
                _ => Err(wrong(place.end..text.len(), "expected a name".to_owned())),
            },
            _ => Err(wrong(place.end..text.len(), "expected one name".to_owned())),
        }
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}({})", self.wanted.word(), self.name)
    }
}

/// All words.
fn words() -> String {
    let words: Vec<String> = Wanted::ALL.iter().map(|it| format!("`{}`", it.word())).collect();
    let (last, first) = words.split_last().expect("there are words");
    format!("{} or {last}", first.join(", "))
}
