//! The bit set of kinds that an argument satisfies.

use super::kind::Kind;

/// The kinds that an argument satisfies, and whether it is `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Accepts(u64);

impl Accepts {
    /// No kind at all.
    pub const NOTHING: Accepts = Accepts(0);
    /// The argument is `None`, which nullable parameters take.
    pub const NONE: Accepts = Accepts(1 << 63);
    /// Computing the set ran, or converting the argument will run, code of the
    /// caller's; borrowed handles are not safe beside such an argument.
    pub const FOREIGN: Accepts = Accepts(1 << 62);

    /// The argument, or an element of it, takes over the call.
    pub const OVERRIDE: Accepts = Accepts(1 << 61);
    /// What a tensor satisfies that no number can be made of.
    pub const TENSOR: Accepts = Accepts::of(&[Kind::Tensor, Kind::TensorOrNumber, Kind::Object]);
    /// All kinds, and no mark.
    pub const EVERYTHING: Accepts = Accepts((1 << 61) - 1);

    /// The set of these kinds.
    pub const fn of(kinds: &[Kind]) -> Accepts {
        let mut bits = 0;
        let mut at = 0;
        while at < kinds.len() {
            bits |= kinds[at].bit();
            at += 1;
        }
        Accepts(bits)
    }

    /// Both sets together.
    pub const fn or(self, other: Accepts) -> Accepts {
        Accepts(self.0 | other.0)
    }

    /// What both sets have.
    pub const fn and(self, other: Accepts) -> Accepts {
        Accepts(self.0 & other.0)
    }

    /// The set without what `other` has.
    #[must_use]
    pub const fn without(self, other: Accepts) -> Accepts {
        Accepts(self.0 & !other.0)
    }

    /// The kinds of lists of which an argument with this set can be an element.
    #[must_use]
    pub const fn as_element(self) -> Accepts {
        Accepts(Kind::lists(self.0))
    }

    /// Whether the argument can fill a parameter of this kind.
    #[inline(always)]
    pub const fn kind(self, kind: Kind) -> bool {
        self.0 & kind.bit() != 0
    }

    /// Whether every mark of `other` is in this set.
    #[inline(always)]
    pub const fn has(self, other: Accepts) -> bool {
        self.0 & other.0 == other.0
    }
}
