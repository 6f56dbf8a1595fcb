//! Node events: nodes that are blocks of their own, and tell what happens to their variables.
//!
//! That is each node of a function in the mode `per_op`, where the host takes every value between
//! blocks, and a node beside the blocks of a back end, which tell of theirs in the same order: inputs
//! are extracted, results begin, the code runs, results are handed on, all end, the last first.

use std::panic::{AssertUnwindSafe, catch_unwind};

use opwright_runtime::autograd::recording;
use opwright_runtime::op::Value;

use super::call::refused;
use super::{Emitted, Function};
use crate::model::error::GraphError;
use crate::model::variable::{SharedValue, Variable};
use crate::run::error::ExecutionError;
use crate::run::frame::Frame;
use crate::run::host::{Event, Host};
use crate::run::plan::names;

/// A node that is a block of its own.
pub(super) struct NodeBlock {
    /// Its number.
    at: usize,
    /// The slots of its inputs, each once, and then those of its results.
    slots: Vec<usize>,
    /// What they are called in events.
    names: Vec<String>,
    /// How many are inputs.
    inputs: usize,
    /// Whether the host takes its values: those of inputs come from it, and results go through it.
    passes: bool,
}

impl Function {
    /// A node between which and others the host stands; variables are called as in the function.
    pub(super) fn block_alone(&self, at: usize) -> NodeBlock {
        let (slots, inputs) = self.slots_of(at);
        let names = slots.iter().map(|it| self.plan.names[*it].clone()).collect();
        NodeBlock { at, slots, names, inputs, passes: true }
    }

    /// A node beside the blocks of a back end; variables are called as in a block of its own.
    pub(super) fn block_beside(&self, at: usize) -> NodeBlock {
        let (slots, inputs) = self.slots_of(at);
        let names = names(slots.iter().map(|it| &self.plan.slots[*it]));
        NodeBlock { at, slots, names, inputs, passes: false }
    }

    /// The slots of the inputs of a node, each once, and of its results; how many are inputs.
    fn slots_of(&self, at: usize) -> (Vec<usize>, usize) {
        let step = &self.plan.steps[at];
        let mut slots: Vec<usize> = Vec::new();
        for slot in step.node.inputs().iter().filter_map(|it| self.plan.slot(it)) {
            if !slots.contains(&slot) {
                slots.push(slot);
            }
        }
        let inputs = slots.len();
        slots.extend(step.first..step.first + step.node.outputs().len());
        (slots, inputs)
    }

    /// Runs a node, and tells of its variables; those that were entered end, however it did.
    pub(super) fn node_block<H: Host>(
        &self,
        host: &mut H,
        frame: &mut Frame,
        block: &NodeBlock,
    ) -> Result<(), Box<ExecutionError>> {
        let mut entered = 0;
        let done = recording(false, || self.within(host, frame, block, &mut entered));
        let mut told = Ok(());
        for name in block.names[..entered].iter().rev() {
            told = told.and(host.event(Event::Cleanup, name));
        }
        done?;
        Ok(told?)
    }

    /// Counts what was entered.
    fn within<H: Host>(
        &self,
        host: &mut H,
        frame: &mut Frame,
        block: &NodeBlock,
        entered: &mut usize,
    ) -> Result<(), Box<ExecutionError>> {
        let (at, step) = (block.at, &self.plan.steps[block.at]);
        for (&slot, name) in block.slots.iter().zip(&block.names) {
            let is_input = *entered < block.inputs;
            *entered += 1;
            host.event(if is_input { Event::Extract } else { Event::Init }, name)?;
            if block.passes && is_input && slot < self.inputs.len() {
                frame.put(slot, host.accept(slot).map_err(|it| refused(it, slot))?);
            }
        }
        host.event(Event::Code, &step.name)?;
        let guarded = catch_unwind(AssertUnwindSafe(|| {
            if step.is_held() || step.work(frame) < host.threshold() {
                return self.step(frame, at);
            }
            let mut done = Ok(());
            host.released(&mut || done = self.step(frame, at));
            done
        }));
        let done = guarded
            .unwrap_or_else(|payload| Err(ExecutionError::new(GraphError::Unwound(payload))));
        done.map_err(|it| it.at(at))?;
        for (&slot, name) in block.slots.iter().zip(&block.names).skip(block.inputs) {
            host.event(Event::Sync, name)?;
            if !block.passes {
                continue;
            }
            let value = frame.take(slot);
            if step.leaves_out(slot, &value) {
                continue;
            }
            let ty = self.plan.slots[slot].ty();
            frame.put(slot, host.pass(ty, value).map_err(|it| ExecutionError::new(it).at(at))?);
        }
        Ok(())
    }

    /// Runs each node as a block of its own.
    pub(super) fn node_by_node<H: Host>(
        &self,
        host: &mut H,
        frame: &mut Frame,
    ) -> Result<Vec<Value>, Box<ExecutionError>> {
        (0..self.plan.slots.len()).for_each(|_| frame.enter(Value::None));
        self.enter_again(frame);
        for at in 0..self.plan.steps.len() {
            self.node_block(host, frame, &self.block_alone(at))?;
        }
        for (output, source) in self.emitted.iter().enumerate() {
            let value = match source {
                Emitted::Slot { slot, .. } if *slot < self.inputs.len() => {
                    host.accept(*slot).map_err(|it| refused(it, *slot))?
                }
                source => source.value(frame),
            };
            let value = self.again(host, output, value)?;
            host.emit(output, value)?;
        }
        Ok(self.stored.iter().map(|it| it.value(frame)).collect())
    }

    /// What shared variables are, for all blocks of a call.
    fn enter_again(&self, frame: &mut Frame) {
        let variables = &self.plan.slots[self.plan.shared.clone()];
        let values = SharedValue::values(variables.iter().filter_map(Variable::as_shared));
        self.plan.shared.clone().zip(values).for_each(|(slot, value)| frame.put(slot, value));
    }
}
