//! Typed values: a type, and the words that a value of it consists of.

use crate::ir::{Builder, Value, ValueList};
use crate::types::{Prim, Ty, TyKind};

/// A value of a known type.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Typed {
    /// Its type.
    pub(crate) ty: Ty,
    /// Its words, as [`Ty::prims`] lists them.
    pub(crate) words: ValueList,
}

impl Typed {
    /// A value of these words.
    pub(crate) fn new(ty: Ty, words: ValueList) -> Typed {
        debug_assert_eq!(ty.width(), words.len(), "{ty}");
        Typed { ty, words }
    }

    /// A value of one word.
    pub(crate) fn one(ty: Ty, word: Value) -> Typed {
        Typed::new(ty, ValueList::from_slice(&[word]))
    }

    /// A value without words, whose type says all.
    pub(crate) fn fact(ty: Ty) -> Typed {
        Typed::new(ty, ValueList::new())
    }

    /// `None`.
    pub(crate) fn none() -> Typed {
        Typed::fact(Ty::none())
    }

    /// A tuple.
    pub(crate) fn tuple(items: &[Typed]) -> Typed {
        let types: Vec<Ty> = items.iter().map(|it| it.ty).collect();
        let words = items.iter().flat_map(|it| it.words.iter().copied()).collect();
        Typed::new(Ty::tuple(types), words)
    }

    /// An item of a tuple, or a part of whatever else consists of parts of these types.
    pub(crate) fn part(&self, types: &[Ty], at: usize) -> Typed {
        let before: usize = types[..at].iter().map(Ty::width).sum();
        let width = types[at].width();
        Typed::new(types[at], self.words[before..before + width].into())
    }

    /// The items of a tuple.
    pub(crate) fn items(&self) -> Option<Vec<Typed>> {
        let types = self.ty.items()?;
        Some((0..types.len()).map(|at| self.part(types, at)).collect())
    }

    /// The only word.
    pub(crate) fn word(&self) -> Value {
        self.words[0]
    }

    /// The whole number that it is, if that is known.
    pub(crate) fn known_int(&self, builder: &Builder) -> Option<i64> {
        match *self.ty {
            TyKind::Int(_) | TyKind::Bool => {
                builder.function.constant(self.word()).map(u64::cast_signed)
            }
            _ => None,
        }
    }

    /// The value within a value that may be `None`, without asking.
    pub(crate) fn inner(&self) -> Option<Typed> {
        match *self.ty {
            TyKind::Optional(inner) => Some(Typed::new(inner, self.words[1..].into())),
            _ => None,
        }
    }
}

/// Zeros for the words of a type.
pub(crate) fn zeros(builder: &mut Builder, ty: Ty) -> ValueList {
    let prims: Vec<Prim> = ty.prims().into_vec();
    prims.into_iter().map(|prim| builder.constant(0, prim)).collect()
}
