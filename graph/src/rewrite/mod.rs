//! Graph rewriting to a fixed point.
//!
//! A worklist holds the nodes, each behind those that it uses: what uses something that was replaced
//! is built anew, nodes that do the same are joined, what depends on constants alone is computed, and
//! the rules are asked. The nodes of a replacement go to the front of the list, so that what comes
//! out of a node is as simple as it gets before another one uses it, and work grows with the graph.
//! That is repeated until nothing changes. Rules that never come to an end replace a node by what
//! depends on the same node again, or by ever more nodes: both end it.

mod canonical;
mod condition;
mod constant_folding;
mod cse;
mod pattern;
mod rule;

use std::collections::HashSet;
use std::sync::Arc;

pub use opwright_formula::Pattern;

use self::cse::AvailableNodes;
pub use self::pattern::{Bindings, takes};
pub use self::rule::{Replace, Replacement, RewriteRule, add_rule, parsed, remove_rule, rules};
use crate::build::substitution::{Substitution, filtered};
use crate::model::apply::{Apply, check_memory};
use crate::model::error::GraphError;
use crate::model::operator_tables::OperatorTables;
use crate::model::rng_replay;
use crate::model::traverse::nodes;
use crate::model::variable::{Variable, VariableKey};

/// So many times as many nodes, and so many more, are the most that a graph of fewer grows to.
const MOST_GROWTH: (usize, usize) = (10, 1000);

/// How much is done to a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Nothing.
    None,
    /// What gives the same bits.
    Safe,
    /// Also what rounds otherwise.
    Full,
}

/// Makes graphs simpler.
#[derive(Clone)]
pub struct Rewriter {
    rows: OperatorTables,
    rules: Vec<Arc<RewriteRule>>,
    level: Level,
}

/// A graph, and whether it is as simple as it gets.
pub struct Rewritten {
    /// What stands for the outputs.
    pub outputs: Vec<Variable>,
    /// Whether the last pass changed nothing.
    pub is_done: bool,
}

impl Rewriter {
    /// With the rules of a module and those that were added.
    pub fn new(rows: OperatorTables, own: &[Arc<RewriteRule>], level: Level) -> Rewriter {
        let mut found: Vec<Arc<RewriteRule>> = own.to_vec();
        found.extend(rules());
        found.retain(|it| level == Level::Full || !it.is_approximate());
        Rewriter { rows, rules: found, level }
    }

    /// The operators of the module.
    pub(crate) fn rows(&self) -> &OperatorTables {
        &self.rows
    }

    /// For each rule one that has it alone, with its name.
    pub(crate) fn each(&self) -> impl Iterator<Item = (String, Rewriter)> {
        self.rules.iter().map(|it| {
            let rules = vec![it.clone()];
            (it.name().to_owned(), Rewriter { rows: self.rows, rules, level: self.level })
        })
    }

    /// What computes the same as `outputs` of `inputs`.
    ///
    /// # Errors
    ///
    /// What rules of the host report; a rule that changes a type.
    pub fn run(
        &self,
        inputs: &[Variable],
        outputs: Vec<Variable>,
    ) -> Result<Rewritten, GraphError> {
        let mut outputs = outputs;
        if self.level == Level::None {
            return Ok(Rewritten { outputs, is_done: true });
        }
        let given = given(inputs, &outputs);
        let mut all = nodes(inputs, &outputs);
        let most = MOST_GROWTH.0 * all.len() + MOST_GROWTH.1;
        loop {
            check_memory(all.len())?;
            if all.len() > most {
                return Ok(Rewritten { outputs, is_done: false });
            }
            let mut work = Worklist::new(all, most);
            self.simplify(&mut work, &given)?;
            for output in &mut outputs {
                *output = work.replaced.of(output);
            }
            if work.is_endless || work.replaced.is_empty() {
                return Ok(Rewritten { outputs, is_done: !work.is_endless });
            }
            all = nodes(inputs, &outputs);
        }
    }

    /// Makes all nodes of a list simpler, and those that come out of that.
    fn simplify(
        &self,
        work: &mut Worklist,
        given: &HashSet<VariableKey>,
    ) -> Result<(), GraphError> {
        while let Some(task) = work.pending.pop() {
            match task {
                WorkItem::Node(node) => self.visit(&node, work, given)?,
                WorkItem::Replaced(old) => {
                    work.open.remove(&old.key());
                    let new = work.replaced.of(&work.replaced.of(&old));
                    work.put(&old, new, given)?;
                }
            }
        }
        Ok(())
    }

    fn visit(
        &self,
        node: &Arc<Apply>,
        work: &mut Worklist,
        given: &HashSet<VariableKey>,
    ) -> Result<(), GraphError> {
        if !work.settled.insert(node.id()) {
            return Ok(());
        }
        check_memory(1)?;
        let now = work.known.joined(work.replaced.anew(node)?);
        let is_known = now.id() != node.id() && !work.settled.insert(now.id());
        for (at, old) in node.results().into_iter().enumerate() {
            let result = Variable::output(now.clone(), at);
            if is_known {
                let new = work.settled_of(&result);
                work.put(&old, new, given)?;
                continue;
            }
            let new = match work.is_endless || rng_replay::is_result(&now, at) {
                true => result.clone(),
                false => self.simpler(&now, at)?,
            };
            work.put(&old, new.clone(), given)?;
            if new == result {
                continue;
            }
            if result != old {
                work.put(&result, new, given)?;
            }
            work.follow(result, old);
        }
        Ok(())
    }

    /// What stands for a result of a node.
    fn simpler(&self, node: &Arc<Apply>, at: usize) -> Result<Variable, GraphError> {
        let result = Variable::output(node.clone(), at);
        if let Some(constant) = constant_folding::constant(node, at) {
            return Ok(constant);
        }
        if let Some(simple) = canonical::simpler(node) {
            return Ok(simple);
        }
        for rule in &self.rules {
            if let Some(new) = rule.apply(&result, &self.rows)? {
                return Ok(new);
            }
        }
        Ok(result)
    }
}

/// What is to be done.
enum WorkItem {
    /// A node is to be made simpler.
    Node(Arc<Apply>),
    /// The nodes of what stands for a variable were: what stands for it is what stands for that.
    Replaced(Variable),
}

/// What is to be done, the next at the end, and what came out so far.
struct Worklist {
    pending: Vec<WorkItem>,
    replaced: Substitution,
    known: AvailableNodes,
    /// The nodes that were visited.
    settled: HashSet<u64>,
    /// What something stood for: others must not get its place in memory, by which it is known.
    kept: Vec<Variable>,
    /// Variables whose replacements are being made simpler.
    open: HashSet<VariableKey>,
    /// How deep replacements of replacements may be, and how many there may still be.
    deepest: usize,
    left: usize,
    /// Whether rules do not come to an end.
    is_endless: bool,
}

impl Worklist {
    fn new(nodes: Vec<Arc<Apply>>, deepest: usize) -> Worklist {
        let left = deepest.saturating_mul(nodes.len() + 100);
        Worklist {
            pending: nodes.into_iter().rev().map(WorkItem::Node).collect(),
            replaced: Substitution::default(),
            known: AvailableNodes::default(),
            settled: HashSet::new(),
            kept: Vec::new(),
            open: HashSet::new(),
            deepest,
            left,
            is_endless: false,
        }
    }

    /// Lets a variable stand for another one, if it is another.
    fn put(
        &mut self,
        old: &Variable,
        new: Variable,
        given: &HashSet<VariableKey>,
    ) -> Result<(), GraphError> {
        self.kept.push(old.clone());
        if new != *old {
            keep_name(old, &new, given);
            self.replaced.put(old, filtered(old, new)?);
        } else if self.replaced.of(old) != *old {
            self.replaced.forget(old);
        }
        Ok(())
    }

    /// What stands for a result of a node that was visited. While it is being replaced, it is used by
    /// what replaces it: such rules never come to an end.
    fn settled_of(&mut self, result: &Variable) -> Variable {
        if self.open.contains(&result.key()) {
            self.is_endless = true;
            return result.clone();
        }
        self.replaced.of(result)
    }

    /// Visits the nodes of what stands for a variable next, and then looks what stands for that.
    fn follow(&mut self, result: Variable, old: Variable) {
        self.left = self.left.saturating_sub(1);
        if self.left == 0 || self.open.len() > self.deepest {
            self.is_endless = true;
            return;
        }
        let mut found = Vec::new();
        let new = self.replaced.of(&old);
        let mut seen = HashSet::new();
        let mut next: Vec<Arc<Apply>> =
            new.owner().map(|(node, _)| node.clone()).into_iter().collect();
        // Replacements are small: what they are made of was visited.
        while let Some(node) = next.pop() {
            if self.settled.contains(&node.id()) || !seen.insert(node.id()) {
                continue;
            }
            next.extend(node.inputs().iter().filter_map(|it| it.owner().map(|(it, _)| it.clone())));
            found.push(node);
        }
        if found.is_empty() {
            return;
        }
        self.open.insert(result.key());
        self.pending.push(WorkItem::Replaced(old.clone()));
        if result != old {
            self.open.insert(old.key());
            self.pending.push(WorkItem::Replaced(result));
        }
        let order = ordered(found);
        self.pending.extend(order.into_iter().rev().map(WorkItem::Node));
    }
}

/// Nodes of a replacement, each behind those that it uses.
fn ordered(found: Vec<Arc<Apply>>) -> Vec<Arc<Apply>> {
    let mut order: Vec<Arc<Apply>> = Vec::with_capacity(found.len());
    let members: HashSet<u64> = found.iter().map(|it| it.id()).collect();
    let mut done: HashSet<u64> = HashSet::new();
    for root in found {
        let mut stack = vec![(root, false)];
        while let Some((node, is_ready)) = stack.pop() {
            if done.contains(&node.id()) {
                continue;
            }
            if is_ready {
                done.insert(node.id());
                order.push(node);
                continue;
            }
            let owners = node.inputs().iter().filter_map(|it| it.owner().map(|(it, _)| it.clone()));
            let inner: Vec<_> = owners.filter(|it| members.contains(&it.id())).collect();
            stack.push((node, true));
            stack.extend(inner.into_iter().map(|it| (it, false)));
        }
    }
    order
}

/// The results in a graph as it was given: they are somebody's, and keep their names.
fn given(inputs: &[Variable], outputs: &[Variable]) -> HashSet<VariableKey> {
    nodes(inputs, outputs).iter().flat_map(|it| it.results()).map(|it| it.key()).collect()
}

/// What has no name takes that of what it stands for.
fn keep_name(old: &Variable, new: &Variable, given: &HashSet<VariableKey>) {
    if given.contains(&new.key()) {
        return;
    }
    if let (Some(name), None, Some(_)) = (old.label().name(), new.label().name(), new.owner()) {
        new.label().rename(Some(&name));
    }
}
