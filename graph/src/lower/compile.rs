//! Compilation: a specification becomes a function.
//!
//! The graph is rewritten, copies are put where memory would be shared, chains are fused, a back end
//! puts its blocks in, and the plan learns which memory may be used again.

use std::sync::Arc;

use opwright_runtime::lock::Lock;
use opwright_runtime::op::Value;

use crate::lower::alias::{escaping, settle};
use crate::lower::debug::{BackEnd, Debug};
use crate::lower::fuse::fuse;
use crate::lower::spec::{FunctionSpec, Instrument};
use crate::model::apply::check_memory;
use crate::model::error::GraphError;
use crate::model::operator_tables::OperatorTables;
use crate::model::traverse::nodes;
use crate::model::variable::Variable;
use crate::rewrite::Rewriter;
use crate::run::function::Function;
use crate::run::pool::SharedPool;
use crate::run::profile::FunctionProfile;

impl Function {
    /// Makes it: the graph is made simpler, and what would be shared is copied.
    ///
    /// # Errors
    ///
    /// What rules of the host report.
    pub fn new(spec: FunctionSpec, rewriter: &Rewriter) -> Result<Function, GraphError> {
        Function::with_back_end(spec, rewriter, None)
    }

    /// The same where a back end puts nodes of its own into the graph that is to run; in debug mode
    /// it is asked for each node alone, which is then compared with what it made.
    ///
    /// # Errors
    ///
    /// What rules of the host and the back end report.
    pub fn with_back_end(
        spec: FunctionSpec,
        rewriter: &Rewriter,
        back_end: Option<&mut BackEnd<'_>>,
    ) -> Result<Function, GraphError> {
        let FunctionSpec { inputs: given, outputs: mut wanted, mut updates, mode } = spec;
        let inputs: Vec<Variable> = given.iter().map(|it| it.variable.clone()).collect();
        let news = updates.iter().map(|(_, it)| it);
        let built: Vec<Variable> =
            wanted.iter().map(|it| &it.variable).chain(news).cloned().collect();
        let is_debug = mode.instrument == Instrument::Debug;
        check_memory(1)?;
        let rewritten = rewriter.run(&inputs, built.clone())?;
        check_memory(nodes(&inputs, &rewritten.outputs).len())?;
        let mut debug = if is_debug {
            Some(Debug::new(rewriter, &inputs, &built, &rewritten.outputs, mode.fused)?)
        } else {
            None
        };
        let (outputs, news) = rewritten.outputs.split_at(wanted.len());
        wanted.iter_mut().zip(outputs).for_each(|(it, new)| it.variable = new.clone());
        updates.iter_mut().zip(news).for_each(|(it, new)| it.1 = new.clone());
        settle(&given, &mut wanted, &mut updates);
        let lent: Vec<bool> = wanted.iter().map(|it| it.is_lent).collect();
        let mut outputs: Vec<Variable> = wanted.into_iter().map(|it| it.variable).collect();
        if mode.fused && !is_debug {
            through(&mut outputs, &mut updates, &mut |all| Ok(fuse(&inputs, all)))?;
        }
        let mut back_end = back_end;
        let has_blocks = back_end.is_some() && !is_debug;
        if let Some(back_end) = back_end.as_mut().filter(|_| !is_debug) {
            through(&mut outputs, &mut updates, &mut |all| back_end(&inputs, &all))?;
        }
        let mut made = Function::planned(inputs, outputs, updates);
        made.has_blocks = has_blocks;
        made.threads = mode.threads;
        if !mode.plain && !is_debug {
            // Between blocks anybody may look at arguments.
            let is_mutable = |it: &usize| given[*it].is_mutable && !mode.per_node;
            made.mutable = (0..given.len()).filter(is_mutable).collect();
            let reuses = reuse_memory(&mut made, rewriter.rows(), &lent);
            made.pool = reuses.then(SharedPool::default);
        }
        if let (Some(debug), Some(back_end)) = (&mut debug, back_end) {
            debug.compile(made.nodes(), back_end)?;
        }
        made.is_simple = rewritten.is_done;
        made.per_node = mode.per_node && !is_debug;
        if made.per_node || mode.instrument != Instrument::None || mode.reuse {
            made.scalar = None;
        }
        if mode.instrument == Instrument::Profile {
            let profile = Arc::new(FunctionProfile::new(made.plan.steps.len()));
            made.profile = Some(profile.clone());
            made.observer = Some(profile);
        } else if let Some(debug) = debug {
            made.observer = Some(Arc::new(debug));
        }
        if mode.reuse {
            made.kept = made.outputs.iter().map(|_| Lock::new(Value::None)).collect();
        }
        Ok(made)
    }
}

/// Lets nodes write to memory that nobody needs any more; whether any of them may.
fn reuse_memory(made: &mut Function, rows: &OperatorTables, lent: &[bool]) -> bool {
    let kept = made.outputs.iter().zip(lent).filter(|(_, is_lent)| !**is_lent);
    let kept = kept.map(|(it, _)| it).chain(made.updates.iter().map(|(_, it)| it));
    let escaping = escaping(&made.inputs, &kept.cloned().collect::<Vec<_>>());
    made.plan.reuse_memory(rows, &made.mutable, &escaping)
}

/// Puts what something makes of all that is wanted in its place.
fn through(
    outputs: &mut Vec<Variable>,
    updates: &mut [(Variable, Variable)],
    by: &mut dyn FnMut(Vec<Variable>) -> Result<Vec<Variable>, GraphError>,
) -> Result<(), GraphError> {
    let mut all = by(outputs.iter().chain(updates.iter().map(|(_, it)| it)).cloned().collect())?;
    let news = all.split_off(outputs.len());
    updates.iter_mut().zip(news).for_each(|(it, new)| it.1 = new);
    *outputs = all;
    Ok(())
}
