//! Mismatches of a call with one signature.

use super::accepts::Accepts;
use super::bind::Keywords;
use super::bind::spreads;
use super::kind::Kind;
use super::signature::Signature;

/// The first reason why a signature does not fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mismatch {
    /// More positional arguments than positional parameters.
    TooManyPositional,
    /// Parameters without a default that were not given, by index.
    Missing(Vec<usize>),
    /// An argument of another type than the parameter takes.
    WrongType {
        /// Index of the parameter.
        param: usize,
        /// Index of the argument.
        arg: usize,
    },
    /// An argument that is not one of the integers which together are a list.
    WrongPart(usize),
    /// A keyword for a parameter that was given by position, or twice.
    Repeated {
        /// Index of the parameter.
        param: usize,
        /// Index of the keyword.
        keyword: usize,
    },
    /// A keyword that no parameter has.
    UnknownKeyword(usize),
}

/// A call as the resolver saw it: positional arguments, then those of keywords.
pub(super) struct Seen<'a, K> {
    pub(super) positional: usize,
    pub(super) accepts: &'a [Accepts],
    pub(super) keywords: &'a K,
}

impl<K: Keywords> Seen<'_, K> {
    /// How many positional parameters the positional arguments would need.
    fn by_position(&self, signature: &Signature) -> usize {
        if self.is_spread(signature) { 1 } else { self.positional }
    }

    /// How many positional parameters there are for them.
    fn filled(&self, signature: &Signature) -> usize {
        self.by_position(signature).min(signature.positional as usize)
    }

    /// How many positional arguments are too many.
    pub(super) fn surplus(&self, signature: &Signature) -> usize {
        self.by_position(signature) - self.filled(signature)
    }

    /// Whether all positional arguments together are one list.
    pub(super) fn is_spread(&self, signature: &Signature) -> bool {
        spreads(signature, &self.accepts[..self.positional])
    }

    /// The argument that a parameter gets; a list that is spread gets none of its own.
    pub(super) fn argument(&self, signature: &Signature, param: usize) -> Option<usize> {
        if param < self.filled(signature) {
            return (!self.is_spread(signature)).then_some(param);
        }
        let keyword = self.keywords.find(&signature.params[param])?;
        Some(self.positional + keyword)
    }

    /// Whether a parameter gets anything.
    pub(super) fn is_given(&self, signature: &Signature, param: usize) -> bool {
        param < self.filled(signature) || self.keywords.find(&signature.params[param]).is_some()
    }

    /// The arguments that do not fit their parameters: pairs of parameter and argument.
    pub(super) fn wrong_types(
        &self,
        signature: &Signature,
    ) -> impl Iterator<Item = (usize, usize)> {
        let fits = |param: usize, arg: usize| {
            let (param, accepts) = (&signature.params[param], self.accepts[arg]);
            accepts.kind(param.kind) || (param.nullable && accepts.has(Accepts::NONE))
        };
        (0..signature.params.len())
            .filter_map(|param| Some((param, self.argument(signature, param)?)))
            .filter(move |&(param, arg)| !fits(param, arg))
    }

    /// The parameters without a default that get nothing.
    pub(super) fn missing(&self, signature: &Signature) -> impl Iterator<Item = usize> {
        (0..signature.params.len())
            .filter(|&param| signature.params[param].required && !self.is_given(signature, param))
    }

    /// What is wrong with a keyword, if anything is.
    pub(super) fn keyword(
        &self,
        signature: &Signature,
        keyword: usize,
        name: &str,
    ) -> Option<Mismatch> {
        let param = signature.params.iter().position(|it| it.is_called(name));
        match param {
            None => Some(Mismatch::UnknownKeyword(keyword)),
            Some(param) if param < self.filled(signature) => {
                Some(Mismatch::Repeated { param, keyword })
            }
            Some(param) => (self.keywords.find(&signature.params[param]) != Some(keyword))
                .then_some(Mismatch::Repeated { param, keyword }),
        }
    }

    /// The argument that keeps the others from being one list.
    pub(super) fn wrong_part(&self, signature: &Signature) -> Option<usize> {
        if !signature.variadic || self.positional < 2 {
            return None;
        }
        self.accepts[..self.positional].iter().position(|it| !it.kind(Kind::SymInt))
    }

    /// The first reason why `signature` does not fit; `None` if it does.
    pub(super) fn mismatch<'n>(
        &self,
        signature: &Signature,
        name: &dyn Fn(usize) -> &'n str,
    ) -> Option<Mismatch> {
        if self.surplus(signature) > 0 {
            let part = self.wrong_part(signature);
            return Some(part.map_or(Mismatch::TooManyPositional, Mismatch::WrongPart));
        }
        (0..self.keywords.len())
            .find_map(|it| self.keyword(signature, it, name(it)))
            .or_else(|| {
                let (param, arg) = self.wrong_types(signature).next()?;
                Some(Mismatch::WrongType { param, arg })
            })
            .or_else(|| {
                let missing: Vec<usize> = self.missing(signature).collect();
                (!missing.is_empty()).then_some(Mismatch::Missing(missing))
            })
    }
}
