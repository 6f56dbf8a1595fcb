//! Frames: the slots of one call.

use opwright_runtime::Tensor;
use opwright_runtime::op::Value;
use opwright_runtime::tensor::{Overlap, overlaps};
use smallvec::SmallVec;

use crate::run::pool::Pool;

/// What a node is called with.
pub(crate) type StepArguments = SmallVec<[Value; 4]>;

/// The values of one call: entered in order, left in the opposite order.
#[derive(Default)]
pub(crate) struct Frame {
    values: SmallVec<[Value; 16]>,
    /// Memory for the next results.
    pub(crate) pool: Pool,
}

impl Frame {
    /// Enters a variable.
    #[inline]
    pub(crate) fn enter(&mut self, value: Value) {
        self.values.push(value);
    }

    /// The value of a slot.
    #[inline]
    pub(crate) fn get(&self, slot: usize) -> &Value {
        &self.values[slot]
    }

    /// The value of a slot, which nobody reads any more.
    #[inline]
    pub(crate) fn take(&mut self, slot: usize) -> Value {
        std::mem::replace(&mut self.values[slot], Value::None)
    }

    /// Another value for a slot.
    #[inline]
    pub(crate) fn put(&mut self, slot: usize, value: Value) {
        self.values[slot] = value;
    }

    /// Whether a tensor has memory of a value that is there.
    pub(crate) fn has_part_of(&self, tensor: &Tensor) -> bool {
        self.values.iter().any(|it| may_meet(it, tensor))
    }

    /// How many variables were entered.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.values.len()
    }

    /// Leaves the variable that was entered last.
    #[inline]
    pub(crate) fn leave(&mut self) {
        self.values.pop();
    }
}

/// Whether a value may have memory of a tensor; what is no tensor may have any.
pub(crate) fn may_meet(value: &Value, tensor: &Tensor) -> bool {
    match value {
        Value::Tensor(it) => overlaps(it, tensor) != Overlap::No,
        Value::List(items) => items.iter().any(|it| may_meet(it, tensor)),
        Value::Native(_) | Value::Storage(_) => true,
        _ => false,
    }
}

/// Values are dropped in the order in which their variables are left.
impl Drop for Frame {
    #[inline]
    fn drop(&mut self) {
        while self.values.pop().is_some() {}
    }
}
