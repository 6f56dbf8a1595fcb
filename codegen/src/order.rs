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
    let shapes: Vec<Shape> = signatures.iter().map(Shape::of).collect();
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
    let shapes: Vec<Shape> = signatures.iter().map(Shape::of).collect();
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
    Shape::of(one).covers(&Shape::of(other))
}

/// Whether some call fits both signatures, so that their order matters.
pub fn compete(one: &Signature, other: &Signature) -> bool {
    let (one, other) = (Shape::of(one), Shape::of(other));
    let counts = 0..=one.positional.min(other.positional);
    counts.into_iter().any(|it| one.common_call(&other, it).is_some())
}

/// The position in `waiting` of the signature that comes next: the first that
/// no other one must precede. Where rule 2 goes in a circle, rule 1 decides.
fn next(shapes: &[Shape], waiting: &[usize]) -> usize {
    let free_of = |precedes: fn(&Shape, &Shape) -> bool| {
        waiting.iter().position(|&idx| {
            let mut others = waiting.iter().filter(|&&other| other != idx);
            !others.any(|&other| {
                shapes[other].deprecated <= shapes[idx].deprecated
                    && precedes(&shapes[other], &shapes[idx])
            })
        })
    };
    free_of(Shape::precedes).or_else(|| free_of(Shape::is_part_of)).unwrap_or(0)
}

/// What a signature accepts.
struct Shape {
    params: Vec<Slot>,
    positional: usize,
    varargs: bool,
    deprecated: bool,
}

struct Slot {
    name: String,
    required: bool,
    accepts: Acceptance,
}

impl Shape {
    /// `out` and the tensor options are left aside: they tell no two
    /// signatures of a name apart.
    fn of(signature: &Signature) -> Self {
        let slot = |param: &Parameter| Slot {
            name: param.name.clone(),
            required: param.required(),
            accepts: Acceptance::of(param, signature.varargs && !param.keyword_only()),
        };
        let inputs = signature
            .params
            .iter()
            .filter(|it| matches!(it.section, Section::Positional | Section::Keyword));
        Shape {
            params: inputs.map(slot).collect(),
            positional: signature.positional(),
            varargs: signature.varargs,
            deprecated: signature.deprecated,
        }
    }

    fn precedes(&self, other: &Shape) -> bool {
        self.is_part_of(other) || (!other.is_part_of(self) && self.is_nearer_than(other))
    }

    /// Rule 1: the other accepts everything that this accepts, and more.
    fn is_part_of(&self, other: &Shape) -> bool {
        other.covers(self) && !self.covers(other)
    }

    /// Whether every call of `other` is a call of this.
    fn covers(&self, other: &Shape) -> bool {
        let knows = |(idx, slot): (usize, &Slot)| {
            let own = if idx < other.positional { self.at(idx) } else { self.find(&slot.name, 0) };
            own.is_some_and(|own| own.name == slot.name && own.accepts.covers(&slot.accepts))
        };
        let needs = |slot: &Slot| {
            !slot.required || other.params.iter().any(|it| it.required && it.name == slot.name)
        };
        other.params.iter().enumerate().all(knows)
            && self.params.iter().all(needs)
            && (self.varargs || !other.varargs)
    }

    /// Rule 2: some call of both is nearer to this, and none to the other.
    fn is_nearer_than(&self, other: &Shape) -> bool {
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
        other: &'a Shape,
        positional: usize,
    ) -> Option<Vec<(&'a Slot, &'a Slot)>> {
        let mut pairs: Vec<_> =
            self.params.iter().zip(&other.params).take(positional).map(|it| (it, true)).collect();
        for slot in self.params.iter().skip(positional) {
            match other.find(&slot.name, positional) {
                Some(twin) => pairs.push(((slot, twin), slot.required || twin.required)),
                None if slot.required => return None,
                None => {}
            }
        }
        let missing = |it: &Slot| it.required && self.find(&it.name, positional).is_none();
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

    fn at(&self, idx: usize) -> Option<&Slot> {
        self.params.get(idx).filter(|_| idx < self.positional)
    }

    /// The parameter that can still be passed by this name.
    fn find(&self, name: &str, from: usize) -> Option<&Slot> {
        self.params.iter().skip(from).find(|it| it.name == name)
    }
}
