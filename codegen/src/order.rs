//! The order in which the signatures of a Python name are tried.
//!
//! The first signature that accepts a call takes it, so
//!
//! 1. one that accepts a part of what another accepts comes before it, or it
//!    could never be reached;
//! 2. of two that accept the same call, the one that is nearer to the
//!    arguments comes first: a zero-dimensional tensor goes to `Tensor`
//!    rather than to `Scalar`, `True` to `bool` rather than to `float`;
//! 3. otherwise their order is that of their texts, see [`spelling`].
//!
//! Deprecated signatures come last. Nothing here looks at a name.

mod acceptance;
pub mod spelling;

use crate::signature::model::{Parameter, Section, Signature};
use acceptance::Acceptance;

/// Sorts signatures into try order.
pub fn sort(mut signatures: Vec<Signature>) -> Vec<Signature> {
    signatures.sort_by_cached_key(|it| (!it.is_callable(), spelling::parameters(it)));
    let shapes: Vec<AcceptedTypes> = signatures.iter().map(AcceptedTypes::of).collect();
    let mut waiting: Vec<usize> = (0..signatures.len()).collect();
    waiting.sort_by_key(|&idx| signatures[idx].deprecated);
    let mut sorted = Vec::new();
    while !waiting.is_empty() {
        let next = next(&shapes, &waiting);
        sorted.push(waiting.remove(next));
    }
    let mut signatures: Vec<Option<Signature>> = signatures.into_iter().map(Some).collect();
    sorted.into_iter().filter_map(|idx| signatures[idx].take()).collect()
}

/// Indices of signatures that can never be reached, with that of the earlier
/// one that takes all their calls.
pub fn unreachable(signatures: &[Signature]) -> Vec<(usize, usize)> {
    let shapes: Vec<AcceptedTypes> = signatures.iter().map(AcceptedTypes::of).collect();
    let hides = |late: usize| {
        (0..late).find(|&early| {
            signatures[early].deprecated == signatures[late].deprecated
                && shapes[early].covers(&shapes[late])
        })
    };
    (0..signatures.len()).filter_map(|late| Some((late, hides(late)?))).collect()
}

/// Whether every call of `other` fits `one` too.
pub fn covers(one: &Signature, other: &Signature) -> bool {
    AcceptedTypes::of(one).covers(&AcceptedTypes::of(other))
}

/// Whether some call fits both signatures, so that their order matters.
pub fn compete(one: &Signature, other: &Signature) -> bool {
    let (one, other) = (AcceptedTypes::of(one), AcceptedTypes::of(other));
    let counts = 0..=one.positional.min(other.positional);
    counts.into_iter().any(|it| one.common_call(&other, it).is_some())
}

/// The position in `waiting` of the signature that comes next: the first that
/// no other one must precede. Where rule 2 goes in a circle, rule 1 decides.
fn next(shapes: &[AcceptedTypes], waiting: &[usize]) -> usize {
    let free_of = |precedes: fn(&AcceptedTypes, &AcceptedTypes) -> bool| {
        waiting.iter().position(|&idx| {
            let mut others = waiting.iter().filter(|&&other| other != idx);
            !others.any(|&other| {
                shapes[other].deprecated <= shapes[idx].deprecated
                    && precedes(&shapes[other], &shapes[idx])
            })
        })
    };
    free_of(AcceptedTypes::precedes).or_else(|| free_of(AcceptedTypes::is_part_of)).unwrap_or(0)
}

/// What a signature accepts.
struct AcceptedTypes {
    params: Vec<AcceptedSlot>,
    positional: usize,
    varargs: bool,
    deprecated: bool,
}

struct AcceptedSlot {
    name: String,
    required: bool,
    accepts: Acceptance,
}

impl AcceptedTypes {
    /// `out` and the tensor options are left aside: they tell no two
    /// signatures of a name apart.
    fn of(signature: &Signature) -> Self {
        let slot = |param: &Parameter| AcceptedSlot {
            name: param.name.clone(),
            required: param.required(),
            accepts: Acceptance::of(param, signature.varargs && !param.keyword_only()),
        };
        let inputs = signature
            .params
            .iter()
            .filter(|it| matches!(it.section, Section::Positional | Section::Keyword));
        AcceptedTypes {
            params: inputs.map(slot).collect(),
            positional: signature.positional(),
            varargs: signature.varargs,
            deprecated: signature.deprecated,
        }
    }

    fn precedes(&self, other: &AcceptedTypes) -> bool {
        self.is_part_of(other) || (!other.is_part_of(self) && self.is_nearer_than(other))
    }

    /// Rule 1: the other accepts everything that this accepts, and more.
    fn is_part_of(&self, other: &AcceptedTypes) -> bool {
        other.covers(self) && !self.covers(other)
    }

    /// Whether every call of `other` is a call of this.
    fn covers(&self, other: &AcceptedTypes) -> bool {
        let knows = |(idx, slot): (usize, &AcceptedSlot)| {
            let own = if idx < other.positional { self.at(idx) } else { self.find(&slot.name, 0) };
            own.is_some_and(|own| own.name == slot.name && own.accepts.covers(&slot.accepts))
        };
        let needs = |slot: &AcceptedSlot| {
            !slot.required || other.params.iter().any(|it| it.required && it.name == slot.name)
        };
        other.params.iter().enumerate().all(knows)
            && self.params.iter().all(needs)
            && (self.varargs || !other.varargs)
    }

    /// Rule 2: some call of both is nearer to this, and none to the other.
    fn is_nearer_than(&self, other: &AcceptedTypes) -> bool {
        let (mut own, mut others) = (false, false);
        for positional in 0..=self.positional.min(other.positional) {
            let Some(pairs) = self.common_call(other, positional) else { continue };
            for (left, right) in pairs {
                let (left, right) = left.accepts.nearer(&right.accepts);
                own |= left;
                others |= right;
            }
        }
        own && !others
    }

    /// The parameters that meet in calls with this many positional arguments;
    /// nothing if there is no such call of both.
    fn common_call<'a>(
        &'a self,
        other: &'a AcceptedTypes,
        positional: usize,
    ) -> Option<Vec<(&'a AcceptedSlot, &'a AcceptedSlot)>> {
        let mut pairs: Vec<_> =
            self.params.iter().zip(&other.params).take(positional).map(|it| (it, true)).collect();
        for slot in self.params.iter().skip(positional) {
            match other.find(&slot.name, positional) {
                Some(twin) => pairs.push(((slot, twin), slot.required || twin.required)),
                None if slot.required => return None,
                None => {}
            }
        }
        let missing = |it: &AcceptedSlot| it.required && self.find(&it.name, positional).is_none();
        if other.params.iter().skip(positional).any(missing) {
            return None;
        }
        let mut common = Vec::new();
        for ((left, right), passed) in pairs {
            match left.accepts.overlaps(&right.accepts) {
                true => common.push((left, right)),
                false if passed => return None,
                false => {}
            }
        }
        Some(common)
    }

    fn at(&self, idx: usize) -> Option<&AcceptedSlot> {
        self.params.get(idx).filter(|_| idx < self.positional)
    }

    /// The parameter that can still be passed by this name.
    fn find(&self, name: &str, from: usize) -> Option<&AcceptedSlot> {
        self.params.iter().skip(from).find(|it| it.name == name)
    }
}
