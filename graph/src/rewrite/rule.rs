//! Rewrite rules: a pattern, conditions, a replacement.

use std::fmt;
use std::slice::from_ref;
use std::sync::Arc;

use opwright_runtime::lock::Lock;
use opwright_runtime::op::Rewrite;
use opwright_runtime::{Error, Result};

use opwright_formula::{Condition, Pattern, SyntaxError};

use super::condition::holds;
use super::pattern::{Bindings, build, matches};
use crate::model::error::GraphError;
use crate::model::operator_tables::OperatorTables;
use crate::model::traverse::inputs;
use crate::model::variable::Variable;

/// A rule.
pub struct RewriteRule {
    name: String,
    pattern: Pattern,
    becomes: Replacement,
    when: Vec<Condition>,
    approximate: bool,
}

/// What takes the place of what a rule finds.
pub enum Replacement {
    /// This, of the variables that stand for its names; nothing changes where its type is another.
    Pattern(Pattern),
    /// What the host makes of them.
    Host(Arc<dyn Replace>),
}

/// Makes something of the variables that stand for the names of a pattern.
pub trait Replace: Send + Sync {
    /// What takes the place; none if nothing does.
    ///
    /// # Errors
    ///
    /// Whatever it reports.
    fn replace(&self, bound: &Bindings) -> Result<Option<Variable>, GraphError>;
}

impl RewriteRule {
    /// A rule; an approximate one gives results that are rounded otherwise.
    pub fn new(
        name: impl fmt::Display,
        pattern: Pattern,
        becomes: Replacement,
        approximate: bool,
    ) -> RewriteRule {
        RewriteRule { name: name.to_string(), pattern, becomes, when: Vec::new(), approximate }
    }

    /// The rule of a row.
    ///
    /// # Errors
    ///
    /// `Value` if a pattern or a condition of it is none, which a row that was printed has not.
    pub fn of(row: &Rewrite) -> Result<RewriteRule> {
        Ok(RewriteRule {
            name: row.name.to_owned(),
            pattern: parsed(row.pattern)?,
            becomes: Replacement::Pattern(parsed(row.with)?),
            when: row.when.iter().map(|it| condition(it)).collect::<Result<_>>()?,
            approximate: row.approximate,
        })
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it looks for.
    pub fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    /// Whether results are rounded otherwise.
    pub fn is_approximate(&self) -> bool {
        self.approximate
    }

    /// What takes the place of a variable, if it is computed as the rule says.
    ///
    /// # Errors
    ///
    /// What the host reports; a replacement of another type.
    pub fn apply(
        &self,
        variable: &Variable,
        rows: &OperatorTables,
    ) -> Result<Option<Variable>, GraphError> {
        let mut bound = Bindings::new();
        if !matches(&self.pattern, variable, &mut bound) {
            return Ok(None);
        }
        if !self.when.iter().all(|it| holds(it, &bound, variable)) {
            return Ok(None);
        }
        let same_kind = |it: &Variable| variable.ty().meet(it.ty()).is_ok();
        match &self.becomes {
            Replacement::Pattern(pattern) => {
                Ok(build(pattern, &bound, rows).ok().filter(|it| {
                    // It may know more of the extents, but neither broadcast less nor more.
                    same_kind(it) && variable.ty().in_same_class(&**it.ty())
                }))
            }
            Replacement::Host(host) => match host.replace(&bound)? {
                Some(new) if !same_kind(&new) => Err(self.other_type(variable, &new).into()),
                Some(new) => match stranger(variable, &new) {
                    Some(input) => Err(self.of_stranger(variable, &input).into()),
                    None => Ok(Some(new)),
                },
                None => Ok(None),
            },
        }
    }

    #[cold]
    fn of_stranger(&self, old: &Variable, input: &Variable) -> Error {
        Error::value(format_args!(
            "rewrite '{}': the replacement of {old} uses {input}, which {old} does not depend on and \
             nobody gives a value",
            self.name
        ))
    }

    #[cold]
    fn other_type(&self, old: &Variable, new: &Variable) -> Error {
        Error::wrong_type(format_args!(
            "rewrite '{}': {old} is {}, its replacement {}",
            self.name,
            old.ty(),
            new.ty()
        ))
    }
}

/// An input of a replacement that what it stands for does not depend on.
fn stranger(old: &Variable, new: &Variable) -> Option<Variable> {
    let known = inputs(from_ref(old));
    let is_input = |it: &Variable| it.is_input() && !known.contains(it);
    inputs(from_ref(new)).into_iter().find(is_input)
}

/// Reads a pattern.
///
/// # Errors
///
/// `Value`, with what was expected where.
pub fn parsed(text: &str) -> Result<Pattern> {
    Pattern::parse(text).map_err(|it| unread("pattern", text, &it))
}

fn condition(text: &str) -> Result<Condition> {
    Condition::parse(text).map_err(|it| unread("condition", text, &it))
}

#[cold]
fn unread(what: &str, text: &str, error: &SyntaxError) -> Error {
    let before = &text[..error.range.start];
    Error::value(format_args!("the {what} `{text}`: {} behind `{before}`", error.message))
}

/// The rules that people added.
static ADDED: Lock<Vec<Arc<RewriteRule>>> = Lock::new(Vec::new());

/// The rules that people added, in the order in which they did.
pub fn rules() -> Vec<Arc<RewriteRule>> {
    ADDED.lock().clone()
}

/// Adds a rule for all functions that are made from now on.
pub fn add_rule(rule: Arc<RewriteRule>) {
    ADDED.lock().push(rule);
}

/// Removes it again.
pub fn remove_rule(rule: &Arc<RewriteRule>) {
    let mut added = ADDED.lock();
    let found = added.iter().position(|it| Arc::ptr_eq(it, rule));
    let removed = found.map(|at| added.remove(at));
    drop(added);
    // Outside of the lock: what it drops may run code of the host.
    drop(removed);
}
