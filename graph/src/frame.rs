//! The values of one call in progress.

use opwright_runtime::op::Value;
use smallvec::SmallVec;

/// The values of one call: entered in order, left in the opposite order.
#[derive(Default)]
pub(crate) struct Frame(SmallVec<[Value; 16]>);

impl Frame {
    /// Enters a variable.
    #[inline]
    pub(crate) fn enter(&mut self, value: Value) {
        self.0.push(value);
    }

    /// The value of a slot.
    #[inline]
    pub(crate) fn get(&self, slot: usize) -> &Value {
        &self.0[slot]
    }

    /// The value of a slot, which nobody reads any more.
    #[inline]
    pub(crate) fn take(&mut self, slot: usize) -> Value {
        std::mem::replace(&mut self.0[slot], Value::None)
    }

    /// Another value for a slot.
    #[inline]
    pub(crate) fn put(&mut self, slot: usize, value: Value) {
        self.0[slot] = value;
    }

    /// How many variables were entered.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Leaves the variable that was entered last.
    #[inline]
    pub(crate) fn leave(&mut self) {
        self.0.pop();
    }
}

/// Values are dropped in the order in which their variables are left.
impl Drop for Frame {
    #[inline]
    fn drop(&mut self) {
        while self.0.pop().is_some() {}
    }
}
