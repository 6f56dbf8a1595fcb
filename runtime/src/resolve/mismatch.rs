//! Why one signature does not fit a call.

use super::bind::spreads;
use super::{Accepts, Keywords, Signature};

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

impl Mismatch {
    /// How far away the signature is; the nearest is reported first.
    pub fn distance(&self) -> usize {
        match self {
            Mismatch::WrongType { .. } => 1,
            Mismatch::Missing(params) => 2 + params.len(),
            Mismatch::UnknownKeyword(_) | Mismatch::Repeated { .. } => 8,
            Mismatch::TooManyPositional => 9,
        }
    }
}

/// Why `signature` does not fit; `None` if it does.
///
/// `name` tells a keyword's text.
pub fn mismatch<K: Keywords>(
    signature: &Signature,
    positional: usize,
    accepts: &[Accepts],
    keywords: &K,
    name: &dyn Fn(usize) -> String,
) -> Option<Mismatch> {
    let spread = spreads(signature, &accepts[..positional]);
    let by_position = if spread { 1 } else { positional };
    if by_position > signature.positional as usize {
        return Some(Mismatch::TooManyPositional);
    }
    unmatched_keyword(signature, by_position, keywords, name)
        .or_else(|| wrong_type(signature, by_position, spread, positional, accepts, keywords))
        .or_else(|| missing(signature, by_position, keywords))
}

fn unmatched_keyword<K: Keywords>(
    signature: &Signature,
    by_position: usize,
    keywords: &K,
    name: &dyn Fn(usize) -> String,
) -> Option<Mismatch> {
    (0..keywords.len()).find_map(|keyword| {
        let text = name(keyword);
        let param = signature.params.iter().position(|it| it.is_called(&text));
        match param {
            None => Some(Mismatch::UnknownKeyword(keyword)),
            Some(param) if param < by_position => Some(Mismatch::Repeated { param, keyword }),
            Some(param) => (keywords.find(&signature.params[param]) != Some(keyword))
                .then_some(Mismatch::Repeated { param, keyword }),
        }
    })
}

fn wrong_type<K: Keywords>(
    signature: &Signature,
    by_position: usize,
    spread: bool,
    positional: usize,
    accepts: &[Accepts],
    keywords: &K,
) -> Option<Mismatch> {
    signature.params.iter().enumerate().find_map(|(at, param)| {
        if spread && at == 0 {
            return None;
        }
        let arg = if at < by_position { at } else { positional + keywords.find(param)? };
        let fits =
            accepts[arg].kind(param.kind) || (param.nullable && accepts[arg].has(Accepts::NONE));
        (!fits).then_some(Mismatch::WrongType { param: at, arg })
    })
}

fn missing<K: Keywords>(
    signature: &Signature,
    by_position: usize,
    keywords: &K,
) -> Option<Mismatch> {
    let params: Vec<usize> = signature
        .params
        .iter()
        .enumerate()
        .skip(by_position)
        .filter(|(_, param)| param.required && keywords.find(param).is_none())
        .map(|(at, _)| at)
        .collect();
    (!params.is_empty()).then_some(Mismatch::Missing(params))
}
