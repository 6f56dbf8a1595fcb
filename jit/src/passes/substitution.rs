//! Values that are replaced by others.

use crate::ir::{Function, Value};

/// For each value the one that takes its place.
pub(super) struct Substitution {
    to: Vec<Value>,
    /// How many values are replaced.
    pub(super) count: usize,
}

impl Substitution {
    pub(super) fn new(function: &Function) -> Substitution {
        let to = (0..function.values.len()).map(|it| Value(it as u32)).collect();
        Substitution { to, count: 0 }
    }

    /// Replaces a value from here on; neither takes the place of the other already.
    pub(super) fn replace(&mut self, value: Value, by: Value) {
        self.to[value.0 as usize] = self.resolve(by);
        self.count += 1;
    }

    /// What takes the place of a value in the end. Values made since then stand for themselves.
    pub(super) fn resolve(&self, mut value: Value) -> Value {
        while let Some(to) = self.to.get(value.0 as usize)
            && *to != value
        {
            value = *to;
        }
        value
    }

    /// Replaces the operands of the instruction of a row.
    pub(super) fn apply(&self, function: &mut Function, inst: u32) {
        for arg in &mut function.insts[inst as usize].args {
            *arg = self.resolve(*arg);
        }
    }

    /// Replaces what the ends of blocks read.
    pub(super) fn apply_to_ends(&self, function: &mut Function) {
        if self.count == 0 {
            return;
        }
        for block in &mut function.blocks {
            block.term.values_mut(&mut |it| *it = self.resolve(*it));
        }
    }

    /// Replaces what all instructions and ends read.
    pub(super) fn apply_to_all(&self, function: &mut Function) {
        if self.count == 0 {
            return;
        }
        for inst in &mut function.insts {
            inst.args.iter_mut().for_each(|it| *it = self.resolve(*it));
        }
        self.apply_to_ends(function);
    }
}
