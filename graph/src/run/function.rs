//! Functions: planned graphs, and what they keep from call to call.

mod call;
mod node_events;

use std::sync::Arc;

use opwright_runtime::lock::{Guard, Lock};
use opwright_runtime::op::Value;

use crate::model::apply::Apply;
use crate::model::traverse::nodes;
use crate::model::variable::Variable;
use crate::run::observer::NodeObserver;
use crate::run::plan::ExecutionPlan;
use crate::run::pool::SharedPool;
use crate::run::profile::FunctionProfile;
use crate::run::scalar::ScalarProgram;
use crate::run::step::{MemoryUse, NodeStep};

/// A graph with inputs and outputs, made to run; any number of threads may be in it.
pub struct Function {
    pub(crate) inputs: Vec<Variable>,
    pub(crate) outputs: Vec<Variable>,
    pub(crate) updates: Vec<(Variable, Variable)>,
    pub(crate) plan: ExecutionPlan,
    /// For each output the slot that has it, or a constant.
    emitted: Vec<Emitted>,
    stored: Vec<Emitted>,
    pub(crate) per_node: bool,
    /// Whether a back end has put nodes into it, which tell themselves what happens in them.
    pub(crate) has_blocks: bool,
    has_tensors: bool,
    /// How it computes numbers, if all that it is given are real ones.
    pub(crate) scalar: Option<ScalarProgram>,
    pub(crate) threads: usize,
    /// The inputs that may be written to.
    pub(crate) mutable: Vec<usize>,
    /// The memory of temporaries, if nodes use it again.
    pub(crate) pool: Option<SharedPool>,
    pub(crate) profile: Option<Arc<FunctionProfile>>,
    /// Who watches the nodes, the profile among others.
    pub(crate) observer: Option<Arc<dyn NodeObserver>>,
    /// For each output what the last call gave, if it is to be used again.
    pub(crate) kept: Vec<Lock<Value>>,
    /// Whether the rewriter came to an end.
    pub(crate) is_simple: bool,
}

/// Where a result is found when all nodes have run.
pub(crate) enum Emitted {
    Slot { slot: usize, is_last: bool },
    Constant(Value),
}

impl Function {
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
        let plan = ExecutionPlan::new(&inputs, &shared, &nodes, &wanted);
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
            observer: None,
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
    pub fn memory(&self) -> impl Iterator<Item = MemoryUse> {
        self.plan.steps.iter().map(NodeStep::memory)
    }

    /// What was noted of its calls, if that was asked for.
    pub fn profile(&self) -> Option<&FunctionProfile> {
        self.profile.as_deref()
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
        self.pool.iter().for_each(SharedPool::free);
        for kept in &self.kept {
            let old = std::mem::replace(&mut *locked(kept), Value::None);
            drop(old);
        }
    }
}

fn locked(kept: &Lock<Value>) -> Guard<'_, Value> {
    kept.lock()
}
