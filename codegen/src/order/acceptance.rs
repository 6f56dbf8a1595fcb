//! Conversion costs: what a parameter accepts, and how gladly, the ground on which overloads
//! are ordered.
//!
//! The row of a parameter's type gives each class of objects a cost: none if the object is
//! what the type is for, more the further it is from that, and nothing at all
//! if the object is refused.

use opwright_schema::model::{BaseType, Type};
use opwright_schema::types::Class;

use crate::signature::model::Parameter;

/// What a parameter accepts: a cost for each class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Acceptance([Option<u8>; Class::ALL.len()]);

impl Acceptance {
    /// Of a parameter. The only positional one may take its elements one by
    /// one, which makes a single integer a list of one.
    pub(super) fn of(param: &Parameter, varargs: bool) -> Self {
        let mut costs = Class::ALL.map(|class| cost(&param.ty, class));
        for (cost, class) in costs.iter_mut().zip(Class::ALL) {
            let extra = match class {
                Class::Nothing if param.nullable => Some(0),
                Class::Bool | Class::Int | Class::Float | Class::Complex if param.numbers => {
                    Some(NUMBER_AS_TENSOR)
                }
                Class::Int | Class::Index | Class::IntTensor if varargs => Some(VARARGS),
                _ => None,
            };
            *cost = cost.or(extra);
        }
        Acceptance(costs)
    }

    /// Whether everything that `other` accepts is accepted.
    pub(super) fn covers(&self, other: &Acceptance) -> bool {
        self.0.iter().zip(&other.0).all(|(own, other)| own.is_some() || other.is_none())
    }

    /// Whether some object is accepted by both.
    pub(super) fn overlaps(&self, other: &Acceptance) -> bool {
        self.shared(other).next().is_some()
    }

    /// Whether some object that both accept is nearer to this one, and whether
    /// some is nearer to the other.
    pub(super) fn nearer(&self, other: &Acceptance) -> (bool, bool) {
        let own = self.shared(other).any(|(own, other)| own < other);
        let others = self.shared(other).any(|(own, other)| other < own);
        (own, others)
    }

    fn shared<'a>(&'a self, other: &'a Acceptance) -> impl Iterator<Item = (u8, u8)> + 'a {
        self.0.iter().zip(&other.0).filter_map(|(own, other)| own.zip(*other))
    }
}

/// What a parameter pays for an integer that is repeated.
const REPEATED: u8 = 3;
/// For an integer that is a list of one.
const VARARGS: u8 = 4;
/// For a number that becomes a tensor.
const NUMBER_AS_TENSOR: u8 = 5;

fn cost(ty: &Type, class: Class) -> Option<u8> {
    match &*ty.plain() {
        Type::Base(base) => cost_in(base.row().costs, class),
        Type::Optional(inner) => match class {
            Class::Nothing => Some(0),
            _ => cost(inner, class),
        },
        Type::List(element, size) => match list_cost(element, class) {
            None if size.is_some() => repeated_cost(element, class),
            cost => cost,
        },
    }
}

fn cost_in(costs: &[(Class, u8)], class: Class) -> Option<u8> {
    costs.iter().find(|(known, _)| *known == class).map(|(_, cost)| *cost)
}

/// Every list may be empty; the empty list goes to the plainest of them.
fn list_cost(element: &Type, class: Class) -> Option<u8> {
    match element {
        Type::Base(base) => cost_in(base.row().list_costs, class),
        Type::Optional(inner) if inner.is_tensor() => match class {
            Class::Tensors | Class::OptionalTensors => Some(1),
            Class::Empty => Some(6),
            _ => None,
        },
        Type::Optional(inner) => list_cost(inner, class),
        Type::List(..) => None,
    }
}

/// A sized list also takes one element and repeats it; integers as loosely as `SymInt`.
fn repeated_cost(element: &Type, class: Class) -> Option<u8> {
    let element = match element {
        Type::Base(BaseType::Int) => &Type::Base(BaseType::SymInt),
        other => other,
    };
    cost(element, class).map(|cost| cost + REPEATED)
}
