//! The alias sets of a schema.

use std::fmt;

/// The sets that share memory which a parameter or a result is in: letters, or `*` for all of them.
///
/// ```
/// use opwright_runtime::op::Sets;
///
/// let sets = Sets::new("ab");
/// assert_eq!(sets.to_string(), "ab");
/// assert!(sets.meet(Sets::new("b")) && sets.meet(Sets::new("*")));
/// assert!(!sets.meet(Sets::new("c")) && !sets.meet(Sets::NONE));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sets(u32);

/// All sets, also those that have no letter yet.
const ANY: u8 = b'z' - b'a' + 1;

impl Sets {
    /// None: it shares memory with nothing else.
    pub const NONE: Sets = Sets(0);

    /// Those of these letters.
    ///
    /// # Panics
    ///
    /// If a character is no small letter and no `*`.
    pub const fn new(letters: &str) -> Sets {
        let (letters, mut bits, mut at) = (letters.as_bytes(), 0, 0);
        while at < letters.len() {
            bits |= 1 << bit(letters[at]);
            at += 1;
        }
        Sets(bits)
    }

    /// Whether there are none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether something can be in both.
    pub const fn meet(self, other: Sets) -> bool {
        let any = 1 << ANY;
        let is_any = (self.0 | other.0) & any != 0;
        self.0 & other.0 != 0 || (is_any && self.0 != 0 && other.0 != 0)
    }
}

const fn bit(letter: u8) -> u8 {
    match letter {
        b'*' => ANY,
        b'a'..=b'z' => letter - b'a',
        _ => panic!("alias sets are small letters, or `*`"),
    }
}

impl fmt::Display for Sets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letters = (b'a'..=b'z').chain([b'*']);
        letters
            .filter(|it| self.0 & (1 << bit(*it)) != 0)
            .try_for_each(|it| write!(f, "{}", char::from(it)))
    }
}
