//! Graphs made simpler.
//!
//! A pass goes along the nodes, each behind those that it uses: it builds anew what uses something
//! that was replaced, joins nodes that do the same, computes what hangs on constants alone, and
//! asks the rules. Passes are repeated until nothing changes.

mod canonical;
mod condition;
mod fold;
mod merge;
mod pattern;
mod rule;

use std::collections::HashSet;
use std::sync::Arc;

pub use opwright_formula::Pattern;

use self::merge::Known;
pub use self::pattern::{Bindings, takes};
pub use self::rule::{Becomes, Replace, Rule, add_rule, parsed, remove_rule, rules};
use crate::apply::Apply;
use crate::drawn;
use crate::failure::Failure;
use crate::replaced::{Replaced, filtered};
use crate::rows::Rows;
use crate::traverse::nodes;
use crate::variable::{Key, Variable};

/// So many passes are enough for any graph whose rules come to an end.
const MOST_PASSES: usize = 10;

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
    rows: Rows,
    rules: Vec<Arc<Rule>>,
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
    pub fn new(rows: Rows, own: &[Arc<Rule>], level: Level) -> Rewriter {
        let mut found: Vec<Arc<Rule>> = own.to_vec();
        found.extend(rules());
        found.retain(|it| level == Level::Full || !it.is_approximate());
        Rewriter { rows, rules: found, level }
    }

    /// The operators of the module.
    pub(crate) fn rows(&self) -> &Rows {
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
    pub fn run(&self, inputs: &[Variable], outputs: Vec<Variable>) -> Result<Rewritten, Failure> {
        let mut outputs = outputs;
        if self.level == Level::None {
            return Ok(Rewritten { outputs, is_done: true });
        }
        let given = given(inputs, &outputs);
        let most = MOST_GROWTH.0 * nodes(inputs, &outputs).len() + MOST_GROWTH.1;
        for _ in 0..MOST_PASSES {
            if nodes(inputs, &outputs).len() > most {
                break;
            }
            let changed = self.pass(inputs, &given, &mut outputs)?;
            if !changed {
                return Ok(Rewritten { outputs, is_done: true });
            }
        }
        Ok(Rewritten { outputs, is_done: false })
    }

    /// Goes along all nodes once, and says whether something changed.
    fn pass(
        &self,
        inputs: &[Variable],
        given: &HashSet<Key>,
        outputs: &mut [Variable],
    ) -> Result<bool, Failure> {
        let mut replaced = Replaced::default();
        let mut known = Known::default();
        for node in nodes(inputs, outputs) {
            let now = known.joined(replaced.anew(&node)?);
            for (at, old) in node.results().into_iter().enumerate() {
                let new = match drawn::is_result(&now, at) {
                    true => Variable::output(now.clone(), at),
                    false => self.simpler(&now, at)?,
                };
                if new != old {
                    keep_name(&old, &new, given);
                    replaced.put(&old, filtered(&old, new)?);
                }
            }
        }
        for output in outputs {
            *output = replaced.of(output);
        }
        Ok(!replaced.is_empty())
    }

    /// What stands for a result of a node.
    fn simpler(&self, node: &Arc<Apply>, at: usize) -> Result<Variable, Failure> {
        let result = Variable::output(node.clone(), at);
        if let Some(constant) = fold::constant(node, at) {
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

/// The results in a graph as it was given: they are somebody's, and keep their names.
fn given(inputs: &[Variable], outputs: &[Variable]) -> HashSet<Key> {
    nodes(inputs, outputs).iter().flat_map(|it| it.results()).map(|it| it.key()).collect()
}

/// What has no name takes that of what it stands for.
fn keep_name(old: &Variable, new: &Variable, given: &HashSet<Key>) {
    if given.contains(&new.key()) {
        return;
    }
    if let (Some(name), None, Some(_)) = (old.label().name(), new.label().name(), new.owner()) {
        new.label().rename(Some(&name));
    }
}
