//! Memoization of inferred types.

use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash, Hasher};

use opwright_runtime::lock::Lock;
use opwright_runtime::op::{Operator, Value};
use opwright_runtime::types::{TensorType, TypeRef};
use opwright_runtime::{DType, default_dtype};

use super::inferred::Inferred;
use crate::model::argument::NodeArgument;
use crate::model::structural_equality;
use crate::model::variable::Variable;

/// So many answers are kept.
const MOST: usize = 256;

static KNOWN: Lock<VecDeque<(CacheKey, Inferred)>> = Lock::new(VecDeque::new());

/// A question: an overload with the types and values of its arguments, and what else results hang
/// on.
pub(super) struct CacheKey {
    row: &'static Operator,
    inputs: Vec<CacheInput>,
    arguments: Vec<NodeArgument>,
    default: DType,
    hash: u64,
}

/// What the answer depends on of an input.
enum CacheInput {
    Type(TypeRef),
    Value(Value),
}

impl CacheKey {
    /// The question, if its answer depends on nothing but types and plain values.
    pub(super) fn of(
        row: &'static Operator,
        inputs: &[Variable],
        arguments: &[NodeArgument],
    ) -> Option<CacheKey> {
        let inputs: Vec<CacheInput> = inputs.iter().map(CacheInput::of).collect::<Option<_>>()?;
        if !arguments.iter().all(is_plain_argument) {
            return None;
        }
        let mut hasher = DefaultHasher::new();
        row.name.hash(&mut hasher);
        inputs.iter().for_each(|it| it.hash(&mut hasher));
        arguments.iter().for_each(|it| hash_argument(it, &mut hasher));
        let default = default_dtype();
        Some(CacheKey {
            row,
            inputs,
            arguments: arguments.to_vec(),
            default,
            hash: hasher.finish(),
        })
    }

    fn is(&self, other: &CacheKey) -> bool {
        let inputs = self.inputs.iter().zip(&other.inputs);
        let arguments = self.arguments.iter().zip(&other.arguments);
        self.hash == other.hash
            && self.default == other.default
            && std::ptr::eq(self.row, other.row)
            && self.inputs.len() == other.inputs.len()
            && inputs.into_iter().all(|(a, b)| a.is(b))
            && arguments.into_iter().all(|(a, b)| structural_equality::arguments(a, b))
    }
}

impl CacheInput {
    fn of(variable: &Variable) -> Option<CacheInput> {
        match variable.as_constant() {
            // Single elements are read.
            Some(Value::Tensor(it)) if it.ndim() == 0 => None,
            Some(Value::Tensor(it)) => Some(CacheInput::Type(TensorType::of(it).shared())),
            Some(value) if is_plain(value) => Some(CacheInput::Value(value.clone())),
            Some(_) => None,
            // Extents may be those of another input.
            None if variable.owner().is_some()
                && variable.ty().downcast::<TensorType>().is_none() =>
            {
                None
            }
            None => Some(CacheInput::Type(variable.ty().clone())),
        }
    }

    fn hash(&self, hasher: &mut DefaultHasher) {
        match self {
            CacheInput::Type(ty) => ty.hash_code().hash(hasher),
            CacheInput::Value(value) => hash_value(value, hasher),
        }
    }

    fn is(&self, other: &CacheInput) -> bool {
        match (self, other) {
            (CacheInput::Type(a), CacheInput::Type(b)) => a.equals(&**b),
            (CacheInput::Value(a), CacheInput::Value(b)) => structural_equality::values(a, b),
            _ => false,
        }
    }
}

fn is_plain_argument(argument: &NodeArgument) -> bool {
    match argument {
        NodeArgument::Input(_) => true,
        NodeArgument::Value(value) => is_plain(value),
        NodeArgument::List(items) => items.iter().all(is_plain_argument),
    }
}

fn is_plain(value: &Value) -> bool {
    match value {
        Value::Tensor(_) | Value::Generator(_) | Value::Storage(_) | Value::Native(_) => false,
        Value::List(items) => items.iter().all(is_plain),
        _ => true,
    }
}

/// Equal arguments have equal hashes; unequal ones mostly have others.
fn hash_argument(argument: &NodeArgument, hasher: &mut DefaultHasher) {
    match argument {
        NodeArgument::Input(at) => at.hash(hasher),
        NodeArgument::Value(value) => hash_value(value, hasher),
        NodeArgument::List(items) => items.iter().for_each(|it| hash_argument(it, hasher)),
    }
}

fn hash_value(value: &Value, hasher: &mut DefaultHasher) {
    match value {
        Value::Int(it) => it.hash(hasher),
        Value::Bool(it) => it.hash(hasher),
        Value::Float(it) => it.to_bits().hash(hasher),
        Value::Str(it) => it.hash(hasher),
        Value::DType(it) => it.hash(hasher),
        Value::List(items) => items.iter().for_each(|it| hash_value(it, hasher)),
        _ => {}
    }
}

/// The answer, if the same was asked before.
pub(super) fn find(asked: &CacheKey) -> Option<Inferred> {
    // Taken out, as a type of the host may have code of its own, which compares it.
    let mut known = std::mem::take(&mut *KNOWN.lock());
    let at = known.iter().rposition(|(it, _)| it.is(asked));
    let found = at.and_then(|at| known.remove(at));
    let answer = found.as_ref().map(|it| it.1.clone());
    known.extend(found);
    let mut others = std::mem::replace(&mut *KNOWN.lock(), known);
    if !others.is_empty() {
        // Somebody else was told something meanwhile.
        others.truncate(MOST);
        others.into_iter().for_each(add);
    }
    answer
}

/// Keeps an answer; the one that was used the longest ago makes room.
pub(super) fn keep(asked: CacheKey, answer: &Inferred) {
    add((asked, answer.clone()));
}

fn add(new: (CacheKey, Inferred)) {
    let old = {
        let mut known = KNOWN.lock();
        known.push_back(new);
        if known.len() > MOST { known.pop_front() } else { None }
    };
    // Outside of the lock: a type of the host may have code of its own.
    drop(old);
}
