//! Binding: arguments to parameters, without allocating.

use super::accepts::Accepts;
use super::kind::Kind;
use super::signature::{Parameter, Signature};
use crate::fast_path::FastPath;

/// The most parameters that a signature can have.
pub const MAX_PARAMS: usize = 32;

/// The slot of a parameter that was not given.
pub const ABSENT: u8 = u8::MAX;

/// The slot of a list parameter that takes all positional arguments.
pub const VARIADIC: u8 = u8::MAX - 1;

/// The keyword names of a call, in its own representation.
pub trait Keywords {
    /// How many keywords there are.
    fn len(&self) -> usize;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The keyword that fills `param`, if one does: by its name first, then
    /// by its aliases in order.
    fn find(&self, param: &Parameter) -> Option<usize>;
}

/// The overload of a call and where its arguments went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Binding {
    /// Index of the signature.
    pub overload: usize,
    /// For each parameter the index of its argument (positional arguments
    /// first, then keywords), [`ABSENT`] or [`VARIADIC`].
    pub slots: [u8; MAX_PARAMS],
}

impl Binding {
    /// The one of a call without arguments, before any signature was looked at.
    pub const EMPTY: Binding = Binding { overload: 0, slots: [ABSENT; MAX_PARAMS] };

    /// Binds a call to the first of `signatures` that fits, and says whether one does; if not,
    /// [`explain`](super::explain) says why.
    ///
    /// `accepts` describes the positional arguments, then the keyword ones.
    // In place: to copy what was just written would have to wait for it.
    #[inline(always)]
    pub fn resolve<K: Keywords>(
        &mut self,
        signatures: &[Signature],
        positional: usize,
        accepts: &[Accepts],
        keywords: &K,
    ) -> bool {
        for (overload, signature) in signatures.iter().enumerate() {
            if bind(signature, positional, accepts, keywords, &mut self.slots) {
                self.overload = overload;
                return true;
            }
        }
        false
    }
}

/// Fills `slots` if `signature` fits.
#[inline]
fn bind<K: Keywords>(
    signature: &Signature,
    positional: usize,
    accepts: &[Accepts],
    keywords: &K,
    slots: &mut [u8; MAX_PARAMS],
) -> bool {
    if FastPath::BindInOrder.takes(!signature.variadic && keywords.is_empty()) {
        return bind_in_order(signature, accepts, slots);
    }
    bind_any(signature, positional, accepts, keywords, slots)
}

/// The fast path of calls without keywords.
#[inline]
fn bind_in_order(signature: &Signature, accepts: &[Accepts], slots: &mut [u8; MAX_PARAMS]) -> bool {
    if accepts.len() > signature.positional as usize {
        return false;
    }
    for (at, (param, slot)) in signature.params.iter().zip(slots).enumerate() {
        *slot = match accepts.get(at) {
            Some(one) if one.kind(param.kind) => at as u8,
            Some(one) if param.nullable && one.has(Accepts::NONE) => ABSENT,
            None if !param.required => ABSENT,
            Some(_) | None => return false,
        };
    }
    true
}

fn bind_any<K: Keywords>(
    signature: &Signature,
    positional: usize,
    accepts: &[Accepts],
    keywords: &K,
    slots: &mut [u8; MAX_PARAMS],
) -> bool {
    // 1. A list of integers may be spread over all positional arguments.
    let spread = spreads(signature, &accepts[..positional]);
    let by_position = if spread { 1 } else { positional };
    if by_position > signature.positional as usize {
        return false;
    }

    let mut used_keywords = 0;
    for (at, param) in signature.params.iter().enumerate() {
        // 2. Positional arguments fill the first slots, keywords the others.
        let slot = if at < by_position {
            at
        } else if used_keywords < keywords.len() {
            match keywords.find(param) {
                Some(keyword) => {
                    used_keywords += 1;
                    positional + keyword
                }
                None => ABSENT as usize,
            }
        } else {
            ABSENT as usize
        };

        // 3. What was given must fit, what was not must have a default.
        slots[at] = if spread && at == 0 {
            VARIADIC
        } else if slot == ABSENT as usize {
            if param.required {
                return false;
            }
            ABSENT
        } else if accepts[slot].kind(param.kind) {
            slot as u8
        } else if param.nullable && accepts[slot].has(Accepts::NONE) {
            ABSENT
        } else {
            return false;
        };
    }

    // 4. No keyword is left over.
    used_keywords == keywords.len()
}

/// Whether all positional arguments together are the signature's one list.
pub(super) fn spreads(signature: &Signature, positional: &[Accepts]) -> bool {
    let Some(first) = positional.first().filter(|_| signature.variadic) else {
        return false;
    };
    let param = &signature.params[0];
    let alone = positional.len() == 1
        && (first.kind(param.kind) || (param.nullable && first.has(Accepts::NONE)));
    !alone && positional.iter().all(|it| it.kind(Kind::SymInt))
}
