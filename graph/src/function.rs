//! Graphs that run.

use std::sync::Arc;

use opwright_runtime::op::Value;

use crate::apply::Apply;
use crate::failure::Failure;
use crate::frame::{Event, Frame, Observer};
use crate::plan::Plan;
use crate::traverse::{ancestors, nodes};
use crate::variable::Variable;

/// A graph with inputs and outputs, made to run; any number of threads may be in it.
pub struct Function {
    inputs: Vec<Variable>,
    outputs: Vec<Variable>,
    updates: Vec<(Variable, Variable)>,
    plan: Plan,
    names: Vec<String>,
    /// For each output the slot that has it, or a constant.
    emitted: Vec<Emitted>,
    stored: Vec<Emitted>,
}

enum Emitted {
    Slot(usize),
    Constant(Value),
}

/// Why a call ended, and in which node.
pub struct Stopped {
    /// The reason.
    pub failure: Failure,
    /// The node that was running, by its number in the order of execution.
    pub node: Option<usize>,
    /// The input that was refused.
    pub input: Option<usize>,
}

impl From<Failure> for Stopped {
    fn from(failure: Failure) -> Stopped {
        Stopped { failure, node: None, input: None }
    }
}

impl Function {
    /// Computes `outputs` of `inputs`, and then puts new values into shared variables.
    pub fn new(
        inputs: Vec<Variable>,
        outputs: Vec<Variable>,
        updates: Vec<(Variable, Variable)>,
    ) -> Function {
        let wanted: Vec<Variable> =
            outputs.iter().chain(updates.iter().map(|(_, it)| it)).cloned().collect();
        let nodes = nodes(&inputs, &wanted);
        let shared = ancestors(&wanted).into_iter().filter(|it| it.as_shared().is_some());
        let shared: Vec<Variable> = shared.filter(|it| !inputs.contains(it)).collect();
        let plan = Plan::new(&inputs, &shared, &nodes);
        let emitted = |it: &Variable| match it.as_constant() {
            Some(value) => Emitted::Constant(value.clone()),
            None => Emitted::Slot(plan.slots.iter().position(|slot| slot == it).unwrap_or(0)),
        };
        let (emitted, stored) = (
            outputs.iter().map(emitted).collect(),
            updates.iter().map(|(_, it)| emitted(it)).collect(),
        );
        let name = |(at, it): (usize, &Variable)| {
            it.label().name().map_or_else(|| format!("v{at}"), |it| it.to_string())
        };
        let names = plan.slots.iter().enumerate().map(name).collect();
        Function { inputs, outputs, updates, plan, names, emitted, stored }
    }

    /// What it is given.
    pub fn inputs(&self) -> &[Variable] {
        &self.inputs
    }

    /// What it gives.
    pub fn outputs(&self) -> &[Variable] {
        &self.outputs
    }

    /// Shared variables, and what they become.
    pub fn updates(&self) -> &[(Variable, Variable)] {
        &self.updates
    }

    /// The nodes in the order in which they run.
    pub fn nodes(&self) -> impl Iterator<Item = &Arc<Apply>> {
        self.plan.steps.iter().map(|it| &it.node)
    }

    /// Runs it.
    ///
    /// # Errors
    ///
    /// Why a value was refused, what a node reports, or what `host` reports. Then nothing was
    /// updated.
    pub fn call(&self, host: &mut dyn Observer) -> Result<(), Stopped> {
        let mut frame = Frame::default();
        let done = self.run(host, &mut frame);
        let left = self.leave(host, &mut frame);
        let updated = done?;
        left?;
        for ((shared, _), value) in self.updates.iter().zip(updated) {
            if let Some(shared) = shared.as_shared() {
                shared.store(value);
            }
        }
        Ok(())
    }

    /// Enters, runs, hands out; what shared variables become.
    fn run(&self, host: &mut dyn Observer, frame: &mut Frame) -> Result<Vec<Value>, Stopped> {
        for input in 0..self.inputs.len() {
            let accepted = host.accept(input);
            host.event(Event::Extract, &self.names[input])?;
            let (value, refused) = match accepted {
                Ok(value) => (value, None),
                Err(failure) => (Value::None, Some(failure)),
            };
            frame.enter(value);
            if let Some(failure) = refused {
                return Err(Stopped { failure, node: None, input: Some(input) });
            }
        }
        let computed = self.inputs.len() + self.plan.shared;
        for slot in self.inputs.len()..computed {
            let value = self.plan.slots[slot].as_shared().map_or(Value::None, |it| it.value());
            host.event(Event::Extract, &self.names[slot])?;
            frame.enter(value);
        }
        for slot in computed..self.plan.slots.len() {
            frame.enter(self.plan.slots[slot].ty().init());
            host.event(Event::Init, &self.names[slot])?;
        }
        for (at, step) in self.plan.steps.iter().enumerate() {
            let done = host.event(Event::Code, &step.node.op().base_name());
            let done = done.and_then(|()| step.run(frame));
            done.map_err(|failure| Stopped { failure, node: Some(at), input: None })?;
        }
        for (output, source) in self.emitted.iter().enumerate() {
            if let Emitted::Slot(slot) = source {
                host.event(Event::Sync, &self.names[*slot])?;
            }
            host.emit(output, source.value(frame))?;
        }
        Ok(self.stored.iter().map(|it| it.value(frame)).collect())
    }

    /// Leaves all that was entered, the last first.
    fn leave(&self, host: &mut dyn Observer, frame: &mut Frame) -> Result<(), Failure> {
        let mut told = Ok(());
        while frame.len() > 0 {
            frame.leave();
            let event = host.event(Event::Cleanup, &self.names[frame.len()]);
            told = told.and(event);
        }
        told
    }
}

impl Emitted {
    fn value(&self, frame: &Frame) -> Value {
        match self {
            Emitted::Slot(slot) => frame.get(*slot).clone(),
            Emitted::Constant(value) => value.clone(),
        }
    }
}
