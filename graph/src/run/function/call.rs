//! Calls: entering inputs, running steps, handing out results.

use std::panic::{AssertUnwindSafe, catch_unwind};

use opwright_runtime::autograd::recording;
use opwright_runtime::interrupt;
use opwright_runtime::op::Value;
use opwright_runtime::parallel::limited;

use super::{Emitted, Function, locked};
use crate::model::error::GraphError;
use crate::model::variable::{SharedValue, Variable};
use crate::run::error::ExecutionError;
use crate::run::frame::Frame;
use crate::run::host::{Event, Host};
use crate::run::scalar::{self, ScalarProgram};
use crate::run::step::NodeStep;

impl Function {
    /// Runs it.
    ///
    /// # Errors
    ///
    /// Why a value was refused, what a node reports, or what `host` reports. Then nothing was
    /// updated.
    #[inline]
    pub fn call<H: Host>(&self, host: &mut H) -> Result<(), Box<ExecutionError>> {
        if self.threads > 0 {
            return limited(self.threads, || self.called(host));
        }
        self.called(host)
    }

    /// Computes numbers of numbers and hands them out; whether it does. What goes wrong is told by
    /// who computes them otherwise.
    #[inline]
    fn numbers<H: Host>(
        &self,
        program: &ScalarProgram,
        host: &mut H,
    ) -> Result<bool, Box<ExecutionError>> {
        let mut words = [0; scalar::MOST];
        let given = &mut words[..self.inputs.len()];
        for (input, word) in given.iter_mut().enumerate() {
            let Some(number) = host.number(input) else { return Ok(false) };
            *word = number.to_bits();
        }
        let mut results = [0; scalar::MOST];
        if !program.run(given, &mut results) {
            return Ok(false);
        }
        let mut computed = 0;
        for (output, source) in self.emitted.iter().enumerate() {
            let value = match source {
                Emitted::Slot { .. } => {
                    computed += 1;
                    program.value(computed - 1, results[computed - 1])
                }
                Emitted::Constant(value) => value.clone(),
            };
            host.emit(output, value)?;
        }
        Ok(true)
    }

    #[inline]
    fn called<H: Host>(&self, host: &mut H) -> Result<(), Box<ExecutionError>> {
        if let Some(program) = &self.scalar
            && !host.observes()
            && self.numbers(program, host)?
        {
            return Ok(());
        }
        self.in_frame(host)
    }

    fn in_frame<H: Host>(&self, host: &mut H) -> Result<(), Box<ExecutionError>> {
        let mut frame = Frame::default();
        if let Some(kept) = &self.pool {
            frame.pool = kept.take();
        }
        let done = if self.per_node {
            self.node_by_node(host, &mut frame)
        } else {
            let done = self.run(host, &mut frame);
            let told = if self.observes(host) { self.leave(host, &mut frame) } else { Ok(()) };
            done.and_then(|values| Ok(told.map(|()| values)?))
        };
        let values = done?;
        if let Some(kept) = &self.pool {
            kept.put(std::mem::take(&mut frame.pool));
        }
        if !values.is_empty() {
            let shared = self.updates.iter().filter_map(|(shared, _)| shared.as_shared());
            SharedValue::store_all(shared.zip(values));
        }
        Ok(())
    }

    /// Whether somebody is to be told of all variables: nodes of a back end tell themselves of theirs.
    #[inline]
    fn observes<H: Host>(&self, host: &H) -> bool {
        host.observes() && !self.has_blocks
    }

    /// Enters, runs, hands out; what shared variables become.
    #[inline]
    fn run<H: Host>(
        &self,
        host: &mut H,
        frame: &mut Frame,
    ) -> Result<Vec<Value>, Box<ExecutionError>> {
        let observes = self.observes(host);
        for input in 0..self.inputs.len() {
            let refusal = match host.accept(input) {
                Ok(value) => {
                    frame.enter(value);
                    None
                }
                Err(failure) => {
                    frame.enter(Value::None);
                    Some(failure)
                }
            };
            if observes {
                host.event(Event::Extract, &self.plan.names[input])?;
            }
            if let Some(failure) = refusal {
                return Err(refused(failure, input));
            }
        }
        self.enter_shared(host, frame)?;
        if !self.mutable.is_empty() {
            self.keep_apart(frame)?;
        }
        for slot in self.plan.shared.end..self.plan.slots.len() {
            frame.enter(self.plan.slots[slot].ty().init());
            if observes {
                let event = if self.keeps(slot) { Event::Extract } else { Event::Init };
                host.event(event, &self.plan.names[slot])?;
            }
        }
        if let Some(observer) = &self.observer {
            observer.entered(frame)?;
        }
        self.steps(host, frame)?;
        self.emit(host, frame)?;
        Ok(self.stored.iter().map(|it| it.value(frame)).collect())
    }

    /// What may be written to and is also there as another argument, or as a shared variable, is
    /// copied.
    fn keep_apart(&self, frame: &mut Frame) -> Result<(), GraphError> {
        for &slot in &self.mutable {
            let value = frame.take(slot);
            let meets = matches!(&value, Value::Tensor(it) if frame.has_part_of(it));
            let ty = self.plan.slots[slot].ty();
            frame.put(slot, if meets { ty.deep_copy(&value)? } else { value });
        }
        Ok(())
    }

    #[inline]
    fn enter_shared<H: Host>(&self, host: &mut H, frame: &mut Frame) -> Result<(), GraphError> {
        if self.plan.shared.is_empty() {
            return Ok(());
        }
        let variables = &self.plan.slots[self.plan.shared.clone()];
        let values = SharedValue::values(variables.iter().filter_map(Variable::as_shared));
        for (slot, value) in self.plan.shared.clone().zip(values) {
            frame.enter(value);
            if self.observes(host) {
                host.event(Event::Extract, &self.plan.names[slot])?;
            }
        }
        Ok(())
    }

    /// Runs all nodes; a panic ends the call.
    #[inline]
    fn steps<H: Host>(&self, host: &mut H, frame: &mut Frame) -> Result<(), Box<ExecutionError>> {
        let mut at = 0;
        let guarded = catch_unwind(AssertUnwindSafe(|| {
            if self.has_tensors {
                recording(false, || self.walk(host, frame, &mut at))
            } else {
                self.walk(host, frame, &mut at)
            }
        }));
        match guarded {
            Ok(Ok(())) => Ok(()),
            Ok(Err(stopped)) => Err(stopped.at(at)),
            Err(payload) => Err(ExecutionError::new(GraphError::Unwound(payload)).at(at)),
        }
    }

    #[inline]
    fn walk<H: Host>(
        &self,
        host: &mut H,
        frame: &mut Frame,
        at: &mut usize,
    ) -> Result<(), Box<ExecutionError>> {
        let observes = host.observes();
        let threshold = host.threshold();
        let steps = &self.plan.steps;
        while let Some(step) = steps.get(*at) {
            if observes && self.has_blocks {
                match step.tells() {
                    true => self.step(frame, *at)?,
                    false => self.node_block(host, frame, &self.block_beside(*at))?,
                }
                *at += 1;
                continue;
            }
            if observes {
                host.event(Event::Code, &step.name)?;
            }
            if step.has_tensors() && !step.is_held() && step.work(frame) >= threshold {
                let held = |it: &NodeStep| observes || it.is_held();
                let end = steps[*at + 1..].iter().position(held);
                let end = end.map_or(steps.len(), |it| *at + 1 + it);
                let mut done = Ok(());
                host.released(&mut || done = self.stretch(frame, at, end));
                done?;
            } else {
                self.step(frame, *at)?;
                *at += 1;
            }
        }
        *at = steps.len().saturating_sub(1);
        Ok(())
    }

    /// Runs nodes that need nothing of the host.
    fn stretch(
        &self,
        frame: &mut Frame,
        at: &mut usize,
        end: usize,
    ) -> Result<(), Box<ExecutionError>> {
        while *at < end {
            interrupt::check();
            self.step(frame, *at)?;
            *at += 1;
        }
        Ok(())
    }

    #[inline]
    pub(super) fn step(&self, frame: &mut Frame, at: usize) -> Result<(), Box<ExecutionError>> {
        let step = &self.plan.steps[at];
        match &self.observer {
            None => step.run(frame),
            Some(observer) => observer.run(at, step, &self.plan, frame),
        }
    }

    fn emit<H: Host>(&self, host: &mut H, frame: &mut Frame) -> Result<(), GraphError> {
        for (output, source) in self.emitted.iter().enumerate() {
            if self.observes(host)
                && let Emitted::Slot { slot, .. } = source
                && !self.emitted[..output].iter().any(|it| it.slot() == Some(*slot))
            {
                host.event(Event::Sync, &self.plan.names[*slot])?;
            }
            let value = source.value(frame);
            if let Some(observer) = &self.observer {
                observer.emitted(self.outputs[output].ty(), &value)?;
            }
            let value = self.again(host, output, value)?;
            host.emit(output, value)?;
        }
        Ok(())
    }

    /// Whether a slot has a result that goes to where the last one is.
    fn keeps(&self, slot: usize) -> bool {
        let output = self.emitted.iter().position(|it| it.slot() == Some(slot));
        output
            .and_then(|it| self.kept.get(it))
            .is_some_and(|it| !matches!(*locked(it), Value::None))
    }

    /// A result where that of the last call is, if such are kept.
    pub(super) fn again<H: Host>(
        &self,
        host: &mut H,
        output: usize,
        value: Value,
    ) -> Result<Value, GraphError> {
        let Some(kept) = self.kept.get(output) else { return Ok(value) };
        // Meanwhile other threads find nothing, and get memory of their own.
        let old = std::mem::replace(&mut *locked(kept), Value::None);
        let value = match (old, value) {
            (Value::Tensor(mut old), Value::Tensor(new))
                if old.shape() == new.shape() && old.dtype() == new.dtype() =>
            {
                old.copy_from(&new)?;
                Value::Tensor(old)
            }
            (Value::None, value) => value,
            (old, value) => host.refill(self.outputs[output].ty(), value, old)?,
        };
        *locked(kept) = value.clone();
        Ok(value)
    }

    /// Leaves all that was entered, the last first.
    fn leave<H: Host>(&self, host: &mut H, frame: &mut Frame) -> Result<(), GraphError> {
        let mut told = Ok(());
        while frame.len() > 0 {
            frame.leave();
            let event = host.event(Event::Cleanup, &self.plan.names[frame.len()]);
            told = told.and(event);
        }
        told
    }
}

impl Emitted {
    fn slot(&self) -> Option<usize> {
        match self {
            Emitted::Slot { slot, .. } => Some(*slot),
            Emitted::Constant(_) => None,
        }
    }

    #[inline]
    pub(super) fn value(&self, frame: &mut Frame) -> Value {
        match self {
            Emitted::Slot { slot, is_last: true } => frame.take(*slot),
            Emitted::Slot { slot, is_last: false } => frame.get(*slot).clone(),
            Emitted::Constant(value) => value.clone(),
        }
    }
}

#[cold]
pub(super) fn refused(failure: GraphError, input: usize) -> Box<ExecutionError> {
    let mut stopped = ExecutionError::new(failure);
    stopped.input = Some(input);
    stopped
}
