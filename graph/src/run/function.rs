//! Graphs that run.

mod beside;
mod run;

use std::sync::Arc;

use opwright_runtime::lock::{Guard, Lock};
use opwright_runtime::op::Value;

use crate::lower::alias::{Given, Wanted, escaping, settle};
use crate::lower::debug::Debug;
use crate::lower::fuse::fuse;
use crate::model::apply::Apply;
use crate::model::failure::Failure;
use crate::model::room;
use crate::model::rows::Rows;
use crate::model::traverse::nodes;
use crate::model::variable::Variable;
use crate::rewrite::Rewriter;
use crate::run::plan::Plan;
use crate::run::pool::Kept;
use crate::run::profile::Profile;
use crate::run::scalar::ScalarProgram;
use crate::run::step::{Memory, Step};

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
    /// Whether a back end has put nodes into it, which tell themselves what happens in them.
    has_blocks: bool,
    has_tensors: bool,
    /// How it computes numbers, if all that it is given are real ones.
    scalar: Option<ScalarProgram>,
    threads: usize,
    /// The inputs that may be written to.
    mutable: Vec<usize>,
    /// The memory of temporaries, if nodes use it again.
    pool: Option<Kept>,
    profile: Option<Profile>,
    debug: Option<Debug>,
    /// For each output what the last call gave, if it is to be used again.
    kept: Vec<Lock<Value>>,
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

    /// The same where a back end puts nodes of its own into the graph that is to run; in debug mode
    /// it is asked for each node alone, which is then compared with what it made.
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
        room::check(1)?;
        let rewritten = rewriter.run(&inputs, built.clone())?;
        room::check(nodes(&inputs, &rewritten.outputs).len())?;
        let mut debug = if manner.debug {
            Some(Debug::new(rewriter, &inputs, &built, &rewritten.outputs, manner.fused)?)
        } else {
            None
        };
        let (outputs, news) = rewritten.outputs.split_at(wanted.len());
        wanted.iter_mut().zip(outputs).for_each(|(it, new)| it.variable = new.clone());
        updates.iter_mut().zip(news).for_each(|(it, new)| it.1 = new.clone());
        settle(&given, &mut wanted, &mut updates);
        let lent: Vec<bool> = wanted.iter().map(|it| it.is_lent).collect();
        let mut outputs: Vec<Variable> = wanted.into_iter().map(|it| it.variable).collect();
        if manner.fused && !manner.debug {
            through(&mut outputs, &mut updates, &mut |all| Ok(fuse(&inputs, all)))?;
        }
        let mut back_end = back_end;
        let has_blocks = back_end.is_some() && !manner.debug;
        if let Some(back_end) = back_end.as_mut().filter(|_| !manner.debug) {
            through(&mut outputs, &mut updates, &mut |all| back_end(&inputs, &all))?;
        }
        let mut made = Function::planned(inputs, outputs, updates);
        made.has_blocks = has_blocks;
        made.threads = manner.threads;
        if !manner.plain && !manner.debug {
            // Between blocks anybody may look at arguments.
            let is_mutable = |it: &usize| given[*it].is_mutable && !manner.per_node;
            made.mutable = (0..given.len()).filter(is_mutable).collect();
            let reuses = made.reuse_memory(rewriter.rows(), &lent);
            made.pool = reuses.then(Kept::default);
        }
        if let (Some(debug), Some(back_end)) = (&mut debug, back_end) {
            debug.compile(made.nodes(), back_end)?;
        }
        made.debug = debug;
        made.is_simple = rewritten.is_done;
        made.per_node = manner.per_node && !manner.debug;
        if made.per_node || manner.debug || manner.profile || manner.reuse {
            made.scalar = None;
        }
        made.profile = manner.profile.then(|| Profile::new(made.plan.steps.len()));
        if manner.reuse {
            made.kept = made.outputs.iter().map(|_| Lock::new(Value::None)).collect();
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
        let computed = places.iter().filter_map(|it| match it {
            Emitted::Slot { slot, .. } => Some(*slot),
            Emitted::Constant(_) => None,
        });
        let scalar = stored.is_empty().then(|| ScalarProgram::of(&plan, inputs.len(), computed));
        Function {
            scalar: scalar.flatten(),
            has_tensors: plan.steps.iter().any(|it| it.has_tensors()),
            inputs,
            outputs,
            updates,
            plan,
            emitted: places,
            stored,
            per_node: false,
            has_blocks: false,
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
}

fn locked(kept: &Lock<Value>) -> Guard<'_, Value> {
    kept.lock()
}

/// Puts what something makes of all that is wanted in its place.
fn through(
    outputs: &mut Vec<Variable>,
    updates: &mut [(Variable, Variable)],
    by: &mut dyn FnMut(Vec<Variable>) -> Result<Vec<Variable>, Failure>,
) -> Result<(), Failure> {
    let mut all = by(outputs.iter().chain(updates.iter().map(|(_, it)| it)).cloned().collect())?;
    let news = all.split_off(outputs.len());
    updates.iter_mut().zip(news).for_each(|(it, new)| it.1 = new);
    *outputs = all;
    Ok(())
}
