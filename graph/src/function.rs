//! Graphs that run.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};

use opwright_runtime::autograd::recording;
use opwright_runtime::interrupt;
use opwright_runtime::op::Value;
use opwright_runtime::parallel::limited;

use crate::apply::Apply;
use crate::arithmetic::Arithmetic;
use crate::contract::{Given, Wanted, escaping, settle};
use crate::debug::Debug;
use crate::failure::Failure;
use crate::frame::Frame;
use crate::fuse::fuse;
use crate::host::{Event, Host};
use crate::op::Op;
use crate::plan::Plan;
use crate::pool::Kept;
use crate::profile::Profile;
use crate::rewrite::Rewriter;
use crate::rows::Rows;
use crate::step::{Memory, Step};
use crate::stopped::Stopped;
use crate::traverse::nodes;
use crate::variable::{Shared, Variable};

/// What a function is made of.
pub struct Recipe {
    /// What it is given.
    pub given: Vec<Given>,
    /// What it gives.
    pub wanted: Vec<Wanted>,
    /// Shared variables, and what they become.
    pub updates: Vec<(Variable, Variable)>,
    /// How it runs.
    pub manner: Manner,
}

/// How a function runs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Manner {
    /// Whether each node is a block of its own, with the host between them.
    pub per_node: bool,
    /// Whether each node runs alone, on copies, and is looked at.
    pub debug: bool,
    /// Whether times and sizes are noted.
    pub profile: bool,
    /// Whether results go to where those of the last call are.
    pub reuse: bool,
    /// Whether chains of element-wise operators run as one.
    pub fused: bool,
    /// How many threads a call has at most; 0 where nobody says.
    pub threads: usize,
    /// Whether each result gets memory of its own.
    pub plain: bool,
}

/// What stands for variables that are to be computed of others: so many of the same types.
pub type BackEnd<'a> = dyn FnMut(&[Variable], &[Variable]) -> Result<Vec<Variable>, Failure> + 'a;

/// A graph with inputs and outputs, made to run; any number of threads may be in it.
pub struct Function {
    inputs: Vec<Variable>,
    outputs: Vec<Variable>,
    updates: Vec<(Variable, Variable)>,
    pub(crate) plan: Plan,
    /// For each output the slot that has it, or a constant.
    emitted: Vec<Emitted>,
    stored: Vec<Emitted>,
    per_node: bool,
    has_tensors: bool,
    /// How it computes numbers, if all that it is given are real ones.
    arithmetic: Option<Arithmetic>,
    threads: usize,
    /// The inputs that may be written to.
    mutable: Vec<usize>,
    /// The memory of temporaries, if nodes use it again.
    pool: Option<Kept>,
    profile: Option<Profile>,
    debug: Option<Debug>,
    /// For each output what the last call gave, if it is to be used again.
    kept: Vec<Mutex<Value>>,
    /// Whether the rewriter came to an end.
    is_simple: bool,
}

/// Where a result is found when all nodes have run.
pub(crate) enum Emitted {
    Slot { slot: usize, is_last: bool },
    Constant(Value),
}

impl Function {
    /// Makes it: the graph is made simpler, and what would be shared is copied.
    ///
    /// # Errors
    ///
    /// What rules of the host report.
    pub fn new(recipe: Recipe, rewriter: &Rewriter) -> Result<Function, Failure> {
        Function::with_back_end(recipe, rewriter, None)
    }

    /// The same where a back end puts nodes of its own into the graph that is to run.
    ///
    /// # Errors
    ///
    /// What rules of the host and the back end report.
    pub fn with_back_end(
        recipe: Recipe,
        rewriter: &Rewriter,
        back_end: Option<&mut BackEnd<'_>>,
    ) -> Result<Function, Failure> {
        let Recipe { given, mut wanted, mut updates, manner } = recipe;
        let inputs: Vec<Variable> = given.iter().map(|it| it.variable.clone()).collect();
        let news = updates.iter().map(|(_, it)| it);
        let built: Vec<Variable> =
            wanted.iter().map(|it| &it.variable).chain(news).cloned().collect();
        let rewritten = rewriter.run(&inputs, built.clone())?;
        let debug = if manner.debug {
            Some(Debug::new(rewriter, &inputs, &built, &rewritten.outputs)?)
        } else {
            None
        };
        let (outputs, news) = rewritten.outputs.split_at(wanted.len());
        wanted.iter_mut().zip(outputs).for_each(|(it, new)| it.variable = new.clone());
        updates.iter_mut().zip(news).for_each(|(it, new)| it.1 = new.clone());
        settle(&given, &mut wanted, &mut updates);
        let lent: Vec<bool> = wanted.iter().map(|it| it.is_lent).collect();
        let mut outputs: Vec<Variable> = wanted.into_iter().map(|it| it.variable).collect();
        if manner.fused {
            let all = outputs.iter().chain(updates.iter().map(|(_, it)| it)).cloned().collect();
            let mut all = fuse(&inputs, all);
            let news = all.split_off(outputs.len());
            updates.iter_mut().zip(news).for_each(|(it, new)| it.1 = new);
            outputs = all;
        }
        if let Some(back_end) = back_end {
            let all: Vec<Variable> =
                outputs.iter().chain(updates.iter().map(|(_, it)| it)).cloned().collect();
            let mut all = back_end(&inputs, &all)?;
            let news = all.split_off(outputs.len());
            updates.iter_mut().zip(news).for_each(|(it, new)| it.1 = new);
            outputs = all;
        }
        let mut made = Function::planned(inputs, outputs, updates);
        made.threads = manner.threads;
        if !manner.plain && !manner.debug {
            // Between blocks anybody may look at arguments.
            let is_mutable = |it: &usize| given[*it].is_mutable && !manner.per_node;
            made.mutable = (0..given.len()).filter(is_mutable).collect();
            let reuses = made.reuse_memory(rewriter.rows(), &lent);
            made.pool = reuses.then(Kept::default);
        }
        made.debug = debug;
        made.is_simple = rewritten.is_done;
        made.per_node = manner.per_node && !manner.debug;
        if made.per_node || manner.debug || manner.profile || manner.reuse {
            made.arithmetic = None;
        }
        made.profile = manner.profile.then(|| Profile::new(made.plan.steps.len()));
        if manner.reuse {
            made.kept = made.outputs.iter().map(|_| Mutex::new(Value::None)).collect();
        }
        Ok(made)
    }

    fn reuse_memory(&mut self, rows: &Rows, lent: &[bool]) -> bool {
        let kept = self.outputs.iter().zip(lent).filter(|(_, is_lent)| !**is_lent);
        let kept = kept.map(|(it, _)| it).chain(self.updates.iter().map(|(_, it)| it));
        let escaping = escaping(&self.inputs, &kept.cloned().collect::<Vec<_>>());
        self.plan.reuse_memory(rows, &self.mutable, &escaping)
    }

    /// The graph as it stands: nothing is made simpler, and nothing is copied that would be shared.
    pub fn planned(
        inputs: Vec<Variable>,
        outputs: Vec<Variable>,
        updates: Vec<(Variable, Variable)>,
    ) -> Function {
        let wanted: Vec<Variable> =
            outputs.iter().chain(updates.iter().map(|(_, it)| it)).cloned().collect();
        let nodes = nodes(&inputs, &wanted);
        let used = nodes.iter().flat_map(|it| it.inputs()).chain(&wanted);
        let mut shared: Vec<Variable> = Vec::new();
        for variable in used {
            let is_new = variable.as_shared().is_some() && !inputs.contains(variable);
            if is_new && !shared.contains(variable) {
                shared.push(variable.clone());
            }
        }
        let plan = Plan::new(&inputs, &shared, &nodes, &wanted);
        let mut last: Vec<bool> = vec![true; plan.slots.len()];
        let mut places: Vec<Emitted> = Vec::new();
        for variable in wanted.iter().rev() {
            places.push(match (plan.slot(variable), variable.as_constant()) {
                (Some(slot), _) => {
                    Emitted::Slot { slot, is_last: std::mem::replace(&mut last[slot], false) }
                }
                (None, value) => Emitted::Constant(value.cloned().unwrap_or(Value::None)),
            });
        }
        places.reverse();
        let stored = places.split_off(outputs.len());
        Function {
            arithmetic: stored.is_empty().then(|| Arithmetic::of(&plan, inputs.len())).flatten(),
            has_tensors: plan.steps.iter().any(|it| it.has_tensors()),
            inputs,
            outputs,
            updates,
            plan,
            emitted: places,
            stored,
            per_node: false,
            threads: 0,
            mutable: Vec::new(),
            pool: None,
            profile: None,
            debug: None,
            kept: Vec::new(),
            is_simple: true,
        }
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

    /// For each node where its result goes.
    pub fn memory(&self) -> impl Iterator<Item = Memory> {
        self.plan.steps.iter().map(Step::memory)
    }

    /// What was noted of its calls, if that was asked for.
    pub fn profile(&self) -> Option<&Profile> {
        self.profile.as_ref()
    }

    /// Whether making the graph simpler came to an end.
    pub fn is_simple(&self) -> bool {
        self.is_simple
    }

    /// The input that an output is, if it is handed through.
    pub fn handed_through(&self, output: usize) -> Option<usize> {
        match self.emitted.get(output)? {
            Emitted::Slot { slot, .. } => Some(*slot).filter(|it| *it < self.inputs.len()),
            Emitted::Constant(_) => None,
        }
    }

    /// Forgets the memory of earlier calls that it keeps to be used again.
    pub fn free(&self) {
        self.pool.iter().for_each(Kept::free);
        for kept in &self.kept {
            let old = std::mem::replace(&mut *locked(kept), Value::None);
            drop(old);
        }
    }

    /// Runs it.
    ///
    /// # Errors
    ///
    /// Why a value was refused, what a node reports, or what `host` reports. Then nothing was
    /// updated.
    #[inline]
    pub fn call<H: Host>(&self, host: &mut H) -> Result<(), Box<Stopped>> {
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
        arithmetic: &Arithmetic,
        host: &mut H,
    ) -> Result<bool, Box<Stopped>> {
        let mut registers = Arithmetic::registers();
        for input in 0..self.inputs.len() {
            let Some(number) = host.number(input) else { return Ok(false) };
            Arithmetic::put(&mut registers, input, number);
        }
        let run = || arithmetic.run(&mut registers);
        if !matches!(catch_unwind(AssertUnwindSafe(run)), Ok(true)) {
            return Ok(false);
        }
        for (output, source) in self.emitted.iter().enumerate() {
            let value = match source {
                Emitted::Slot { slot, .. } => {
                    arithmetic.value(&registers, *slot).map_err(Failure::from)?
                }
                Emitted::Constant(value) => value.clone(),
            };
            host.emit(output, value)?;
        }
        Ok(true)
    }

    #[inline]
    fn called<H: Host>(&self, host: &mut H) -> Result<(), Box<Stopped>> {
        if let Some(arithmetic) = &self.arithmetic
            && !host.observes()
            && self.numbers(arithmetic, host)?
        {
            return Ok(());
        }
        self.in_frame(host)
    }

    fn in_frame<H: Host>(&self, host: &mut H) -> Result<(), Box<Stopped>> {
        let mut frame = Frame::default();
        if let Some(kept) = &self.pool {
            frame.pool = kept.take();
        }
        let done = if self.per_node {
            self.node_by_node(host, &mut frame)
        } else {
            let done = self.run(host, &mut frame);
            let told = if host.observes() { self.leave(host, &mut frame) } else { Ok(()) };
            done.and_then(|values| Ok(told.map(|()| values)?))
        };
        let values = done?;
        if let Some(kept) = &self.pool {
            kept.put(std::mem::take(&mut frame.pool));
        }
        if !values.is_empty() {
            let shared = self.updates.iter().filter_map(|(shared, _)| shared.as_shared());
            Shared::store_all(shared.zip(values));
        }
        Ok(())
    }

    /// Enters, runs, hands out; what shared variables become.
    #[inline]
    fn run<H: Host>(&self, host: &mut H, frame: &mut Frame) -> Result<Vec<Value>, Box<Stopped>> {
        let observes = host.observes();
        for input in 0..self.inputs.len() {
            let accepted = host.accept(input);
            if observes {
                host.event(Event::Extract, &self.plan.names[input])?;
            }
            match accepted {
                Ok(value) => frame.enter(value),
                Err(failure) => {
                    frame.enter(Value::None);
                    return Err(refused(failure, input));
                }
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
        if let Some(debug) = &self.debug {
            debug.compare(frame)?;
        }
        self.steps(host, frame)?;
        self.emit(host, frame)?;
        Ok(self.stored.iter().map(|it| it.value(frame)).collect())
    }

    /// What may be written to and is also there as another argument, or as a shared variable, is
    /// copied.
    fn keep_apart(&self, frame: &mut Frame) -> Result<(), Failure> {
        for &slot in &self.mutable {
            let value = frame.take(slot);
            let meets = matches!(&value, Value::Tensor(it) if frame.has_part_of(it));
            let ty = self.plan.slots[slot].ty();
            frame.put(slot, if meets { ty.deep_copy(&value)? } else { value });
        }
        Ok(())
    }

    #[inline]
    fn enter_shared<H: Host>(&self, host: &mut H, frame: &mut Frame) -> Result<(), Failure> {
        if self.plan.shared.is_empty() {
            return Ok(());
        }
        let variables = &self.plan.slots[self.plan.shared.clone()];
        let values = Shared::values(variables.iter().filter_map(Variable::as_shared));
        for (slot, value) in self.plan.shared.clone().zip(values) {
            host.event(Event::Extract, &self.plan.names[slot])?;
            frame.enter(value);
        }
        Ok(())
    }

    /// Runs all nodes; a panic ends the call.
    #[inline]
    fn steps<H: Host>(&self, host: &mut H, frame: &mut Frame) -> Result<(), Box<Stopped>> {
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
            Err(payload) => Err(Stopped::new(Failure::Unwound(payload)).at(at)),
        }
    }

    #[inline]
    fn walk<H: Host>(
        &self,
        host: &mut H,
        frame: &mut Frame,
        at: &mut usize,
    ) -> Result<(), Box<Stopped>> {
        let observes = host.observes();
        let threshold = host.threshold();
        let steps = &self.plan.steps;
        while let Some(step) = steps.get(*at) {
            if observes {
                host.event(Event::Code, &step.name)?;
            }
            if step.has_tensors() && !step.is_held() && step.work(frame) >= threshold {
                let held = |it: &Step| observes || it.is_held();
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
    fn stretch(&self, frame: &mut Frame, at: &mut usize, end: usize) -> Result<(), Box<Stopped>> {
        while *at < end {
            interrupt::check();
            self.step(frame, *at)?;
            *at += 1;
        }
        Ok(())
    }

    #[inline]
    fn step(&self, frame: &mut Frame, at: usize) -> Result<(), Box<Stopped>> {
        let step = &self.plan.steps[at];
        match (&self.profile, &self.debug) {
            (None, None) => step.run(frame),
            (Some(profile), _) => profile.run(at, step, &self.plan, frame),
            (None, Some(debug)) => debug.run(step, frame),
        }
    }

    fn emit<H: Host>(&self, host: &mut H, frame: &mut Frame) -> Result<(), Failure> {
        for (output, source) in self.emitted.iter().enumerate() {
            if host.observes()
                && let Emitted::Slot { slot, .. } = source
                && !self.emitted[..output].iter().any(|it| it.slot() == Some(*slot))
            {
                host.event(Event::Sync, &self.plan.names[*slot])?;
            }
            let value = source.value(frame);
            if let Some(debug) = &self.debug {
                debug.emitted(self.outputs[output].ty(), &value)?;
            }
            host.emit(output, self.again(output, value)?)?;
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
    fn again(&self, output: usize, value: Value) -> Result<Value, Failure> {
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
            (_, value) => value,
        };
        *locked(kept) = value.clone();
        Ok(value)
    }

    /// Leaves all that was entered, the last first.
    fn leave<H: Host>(&self, host: &mut H, frame: &mut Frame) -> Result<(), Failure> {
        let mut told = Ok(());
        while frame.len() > 0 {
            frame.leave();
            let event = host.event(Event::Cleanup, &self.plan.names[frame.len()]);
            told = told.and(event);
        }
        told
    }

    /// Runs each node as a block of its own.
    fn node_by_node<H: Host>(
        &self,
        host: &mut H,
        frame: &mut Frame,
    ) -> Result<Vec<Value>, Box<Stopped>> {
        (0..self.plan.slots.len()).for_each(|_| frame.enter(Value::None));
        self.enter_again(frame);
        for (at, step) in self.plan.steps.iter().enumerate() {
            let mut entered: Vec<usize> = Vec::new();
            let done = recording(false, || self.block(host, frame, step, at, &mut entered));
            let mut told = Ok(());
            for slot in entered.iter().rev() {
                told = told.and(host.event(Event::Cleanup, &self.plan.names[*slot]));
            }
            done?;
            told?;
        }
        for (output, source) in self.emitted.iter().enumerate() {
            let value = match source {
                Emitted::Slot { slot, .. } if *slot < self.inputs.len() => {
                    host.accept(*slot).map_err(|it| refused(it, *slot))?
                }
                source => source.value(frame),
            };
            host.emit(output, self.again(output, value)?)?;
        }
        Ok(self.stored.iter().map(|it| it.value(frame)).collect())
    }

    /// What shared variables are, for all blocks of a call.
    fn enter_again(&self, frame: &mut Frame) {
        let variables = &self.plan.slots[self.plan.shared.clone()];
        let values = Shared::values(variables.iter().filter_map(Variable::as_shared));
        self.plan.shared.clone().zip(values).for_each(|(slot, value)| frame.put(slot, value));
    }

    fn block<H: Host>(
        &self,
        host: &mut H,
        frame: &mut Frame,
        step: &Step,
        at: usize,
        entered: &mut Vec<usize>,
    ) -> Result<(), Box<Stopped>> {
        for variable in step.node.inputs() {
            let Some(slot) = self.plan.slot(variable).filter(|it| !entered.contains(it)) else {
                continue;
            };
            host.event(Event::Extract, &self.plan.names[slot])?;
            entered.push(slot);
            if slot < self.inputs.len() {
                frame.put(slot, host.accept(slot).map_err(|it| refused(it, slot))?);
            }
        }
        let results = step.first..step.first + step.node.outputs().len();
        for slot in results.clone() {
            host.event(Event::Init, &self.plan.names[slot])?;
            entered.push(slot);
        }
        host.event(Event::Code, &step.name)?;
        let guarded = catch_unwind(AssertUnwindSafe(|| {
            let mut done = Ok(());
            if step.is_held() || step.work(frame) < host.threshold() {
                return self.step(frame, at);
            }
            host.released(&mut || done = self.step(frame, at));
            done
        }));
        let done = guarded.unwrap_or_else(|payload| Err(Stopped::new(Failure::Unwound(payload))));
        done.map_err(|it| it.at(at))?;
        for slot in results {
            host.event(Event::Sync, &self.plan.names[slot])?;
            let value = frame.take(slot);
            let ty = self.plan.slots[slot].ty();
            frame.put(slot, host.pass(ty, value).map_err(|it| Stopped::new(it).at(at))?);
        }
        Ok(())
    }
}

#[cold]
fn refused(failure: Failure, input: usize) -> Box<Stopped> {
    let mut stopped = Stopped::new(failure);
    stopped.input = Some(input);
    stopped
}

fn locked(kept: &Mutex<Value>) -> std::sync::MutexGuard<'_, Value> {
    kept.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Emitted {
    fn slot(&self) -> Option<usize> {
        match self {
            Emitted::Slot { slot, .. } => Some(*slot),
            Emitted::Constant(_) => None,
        }
    }

    #[inline]
    fn value(&self, frame: &mut Frame) -> Value {
        match self {
            Emitted::Slot { slot, is_last: true } => frame.take(*slot),
            Emitted::Slot { slot, is_last: false } => frame.get(*slot).clone(),
            Emitted::Constant(value) => value.clone(),
        }
    }
}

/// The first node that says it writes to its inputs.
pub fn writing(inputs: &[Variable], wanted: &[Variable]) -> Option<Arc<Apply>> {
    let writes = |node: &Arc<Apply>| match node.op() {
        Op::Row(row) => row.mutates(),
        Op::Custom(op) => (0..node.inputs().len()).any(|it| op.destroys(it)),
    };
    nodes(inputs, wanted).into_iter().find(writes)
}

/// What has to be given to compute these, and is not; with the node that uses it.
pub fn missing(inputs: &[Variable], wanted: &[Variable]) -> Option<(Variable, Option<Arc<Apply>>)> {
    let is_missing = |it: &&Variable| it.is_input() && !inputs.contains(it);
    for node in nodes(inputs, wanted) {
        if let Some(variable) = node.inputs().iter().find(is_missing) {
            return Some((variable.clone(), Some(node)));
        }
    }
    wanted.iter().find(is_missing).map(|it| (it.clone(), None))
}

/// Which inputs nothing that is wanted hangs on.
pub fn unused(inputs: &[Variable], wanted: &[Variable]) -> Vec<usize> {
    let nodes = nodes(inputs, wanted);
    let used: Vec<&Variable> = nodes.iter().flat_map(|it| it.inputs()).chain(wanted).collect();
    (0..inputs.len()).filter(|at| !used.contains(&&inputs[*at])).collect()
}

/// The shared variables that these hang on, in the order of their first use.
pub fn shared(inputs: &[Variable], wanted: &[Variable]) -> Vec<Variable> {
    let nodes = nodes(inputs, wanted);
    let used = nodes.iter().flat_map(|it| it.inputs()).chain(wanted);
    let mut found: Vec<Variable> = Vec::new();
    for variable in used.filter(|it| it.as_shared().is_some()) {
        if !found.contains(variable) {
            found.push(variable.clone());
        }
    }
    found
}
