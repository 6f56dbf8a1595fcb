//! The checks of `opcheck`, which hold of each call that an operator takes.

mod conditions;
mod forms;
mod inner_loop;
mod memory;
mod results;

use std::fmt;

use super::guess::LARGE_KIND;
use super::trial::Trial;
use crate::op::Operator;

/// Something that is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Check {
    /// Arguments that do not fit are an `Error`, never a panic.
    WrongArguments,
    /// The number of results and their types are those of the schema.
    Results,
    /// Only what the schema declares is written to, in place: `Tensor(a!)`.
    Mutation,
    /// Only what the schema declares is shared: `Tensor(a)`.
    Aliasing,
    /// The result does not depend on how the arguments lie in memory.
    Strides,
    /// What is written to `out` is what is returned without it.
    Out,
    /// What is written in place is what is returned otherwise.
    InPlace,
    /// Shapes and dtypes on the meta device are those on the CPU.
    Meta,
    /// The result does not depend on the number of threads.
    Threads,
    /// The loop over elements that an operator has as data gives what it returns.
    InnerLoop,
}

impl Check {
    /// All of them.
    pub const ALL: [Check; 10] = [
        Check::WrongArguments,
        Check::Results,
        Check::Mutation,
        Check::Aliasing,
        Check::Strides,
        Check::Out,
        Check::InPlace,
        Check::Meta,
        Check::Threads,
        Check::InnerLoop,
    ];

    /// The name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Check::WrongArguments => "wrong arguments",
            Check::Results => "results",
            Check::Mutation => "mutation",
            Check::Aliasing => "aliasing",
            Check::Strides => "strides",
            Check::Out => "out=",
            Check::InPlace => "in-place",
            Check::Meta => "meta",
            Check::Threads => "threads",
            Check::InnerLoop => "inner loop",
        }
    }

    /// Whether it makes further calls that are no other for more elements.
    fn is_for_small_calls(self) -> bool {
        matches!(self, Check::Out | Check::InPlace | Check::Meta | Check::InnerLoop)
    }

    /// What does not hold of a call; `table` has the other overloads.
    pub(super) fn problems(self, trial: &Trial<'_>, table: &[Operator]) -> Vec<String> {
        if trial.sample.kind == LARGE_KIND && self.is_for_small_calls() {
            return Vec::new();
        }
        let mut problems = Vec::new();
        let done = match self {
            // Looked at while calls are searched for.
            Check::WrongArguments => Ok(()),
            Check::Results => results::results(trial, &mut problems),
            Check::Mutation => memory::mutation(trial, &mut problems),
            Check::Aliasing => memory::aliasing(trial, &mut problems),
            Check::Strides => conditions::strides(trial, &mut problems),
            Check::Out => forms::out(trial, table, &mut problems),
            Check::InPlace => forms::in_place(trial, table, &mut problems),
            Check::Meta => conditions::meta(trial, &mut problems),
            Check::Threads => conditions::threads(trial, &mut problems),
            Check::InnerLoop => inner_loop::inner_loop(trial, &mut problems),
        };
        problems.extend(done.err().map(|it| it.to_string()));
        problems
    }
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
