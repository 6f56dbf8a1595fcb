//! The call graph of a program, for back ends that call as the machine does.

use super::inst::{Opcode, RuntimeCall};
use super::program::Program;

/// Which functions of a program call which, and what follows for each.
pub(crate) struct CallGraph {
    /// The functions that each calls.
    #[cfg(feature = "cranelift")]
    pub(crate) calls: Vec<Vec<usize>>,
    /// Whether a chain of calls to it may be longer than the program has functions.
    pub(crate) is_deep: Vec<bool>,
    /// Whether it, or whatever it calls, asks now and then whether to stop.
    pub(crate) polls: Vec<bool>,
}

impl CallGraph {
    pub(crate) fn new(program: &Program) -> CallGraph {
        let calls: Vec<Vec<usize>> = program
            .functions
            .iter()
            .map(|function| {
                let called = function.insts.iter().filter_map(|it| match it.op {
                    Opcode::Call(RuntimeCall::Function(id), _) => Some(id.0 as usize),
                    _ => None,
                });
                called.collect()
            })
            .collect();
        let reached: Vec<Vec<bool>> = (0..calls.len()).map(|at| reach(&calls, at)).collect();
        let in_circle = |at: usize| reached[at][at];
        let is_deep = (0..calls.len())
            .map(|at| {
                (0..calls.len()).any(|from| in_circle(from) && (from == at || reached[from][at]))
            })
            .collect();
        let asks = |at: usize| {
            let is_asking = |op: &Opcode| {
                matches!(op, Opcode::Poll(_) | Opcode::Call(RuntimeCall::External(_), _))
            };
            program.functions[at].insts.iter().any(|it| is_asking(&it.op))
        };
        let polls = (0..calls.len())
            .map(|at| (0..calls.len()).any(|to| (to == at || reached[at][to]) && asks(to)))
            .collect();
        CallGraph {
            #[cfg(feature = "cranelift")]
            calls,
            is_deep,
            polls,
        }
    }
}

/// The functions that calls lead to from one.
fn reach(calls: &[Vec<usize>], from: usize) -> Vec<bool> {
    let mut reached = vec![false; calls.len()];
    let mut left = calls[from].clone();
    while let Some(at) = left.pop() {
        if !std::mem::replace(&mut reached[at], true) {
            left.extend(&calls[at]);
        }
    }
    reached
}
