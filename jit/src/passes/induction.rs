//! Induction variables: parameters of the head of a loop that each turn leaves or moves by one.
//!
//! The head's own test bounds them, so they do not wrap: where `i < n` held, `i + 1` is no more
//! than `n`. A variable that rises is never below its start, and one that falls never above.

use super::dominators::Dominators;
use super::ranges::Ranges;
use super::substitution::Substitution;
use crate::ir::{Block, Cond, Def, Function, Opcode, Terminator, Value};

/// How deep joins within a turn are looked into.
const MAX_DEPTH: usize = 6;

/// How the parameter of a head moves.
#[derive(Clone, Copy, Default)]
pub(super) struct Variable {
    /// Whether it is never below its start.
    pub(super) rises: bool,
    /// Whether it is never above its start.
    pub(super) falls: bool,
    /// Its start, if that is one value.
    pub(super) start: Option<Value>,
}

/// How a parameter of the head of a loop moves, by place.
pub(super) fn variable(
    function: &Function,
    tree: &Dominators,
    ranges: &Ranges,
    head: Block,
    at: usize,
) -> Variable {
    let param = function.block(head).params[at];
    let turn =
        InductionSearch { function, tree, head, param, inside: inside(function, tree, head) };
    let bound = turn.bound(ranges);
    let mut found = Variable { rises: bound == Some(1), falls: bound == Some(-1), start: None };
    let mut starts = 0;
    for pred in tree.preds(head) {
        let term = &function.block(*pred).term;
        for (_, args) in term.targets().filter(|(target, _)| *target == head) {
            if tree.dominates(head, *pred) {
                found.rises &= turn.moves(args[at], 1, 1, MAX_DEPTH);
                found.falls &= turn.moves(args[at], -1, 1, MAX_DEPTH);
            } else {
                starts += usize::from(found.start != Some(args[at]));
                found.start = Some(args[at]);
            }
        }
    }
    found.start = found.start.filter(|_| starts == 1);
    found
}

/// The target of a head's branch through which all turns go, and whether it is the first.
fn inside(function: &Function, tree: &Dominators, head: Block) -> Option<(Block, bool)> {
    let Terminator::Branch(_, (then, _), (other, _)) = &function.block(head).term else {
        return None;
    };
    let leads_back = |target: Block| {
        let mut latches = tree.preds(head).iter().filter(|it| tree.dominates(head, **it));
        tree.preds(target) == [head] && latches.all(|it| tree.dominates(target, *it))
    };
    [(*then, true), (*other, false)]
        .into_iter()
        .find(|it| leads_back(it.0))
        .filter(|_| then != other)
}

struct InductionSearch<'a> {
    function: &'a Function,
    tree: &'a Dominators,
    head: Block,
    param: Value,
    inside: Option<(Block, bool)>,
}

impl InductionSearch<'_> {
    /// The direction in which a step of one does not wrap, in a turn.
    fn bound(&self, ranges: &Ranges) -> Option<i64> {
        let (_, truth) = self.inside?;
        match &self.function.block(self.head).term {
            Terminator::Branch(test, ..) => self.bound_of(ranges, *test, truth, MAX_DEPTH),
            _ => None,
        }
    }

    fn bound_of(&self, ranges: &Ranges, test: Value, truth: bool, depth: usize) -> Option<i64> {
        let inst = self.function.def(test).filter(|_| depth > 0)?;
        let [a, b] = inst.args[..] else { return None };
        let inner = |it: &Value, truth| self.bound_of(ranges, *it, truth, depth - 1);
        match inst.op {
            Opcode::And if truth => [a, b].iter().find_map(|it| inner(it, true)),
            Opcode::Or if !truth => [a, b].iter().find_map(|it| inner(it, false)),
            Opcode::Xor if self.function.constant(b) == Some(1) => inner(&a, !truth),
            Opcode::Cmp(cond, true) => {
                let cond = if truth { cond } else { cond.inverse() };
                let (cond, other) = match (a == self.param, b == self.param) {
                    (true, false) => (cond, b),
                    (false, true) => (cond.swapped(), a),
                    _ => return None,
                };
                let (low, high) = ranges.range(self.function, other);
                match cond {
                    Cond::Lt => Some(1),
                    Cond::Le if high < i64::MAX => Some(1),
                    Cond::Gt => Some(-1),
                    Cond::Ge if low > i64::MIN => Some(-1),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Whether a value is the parameter in the same turn, moved by `by` at most `left` times.
    fn moves(&self, value: Value, by: i64, left: usize, depth: usize) -> bool {
        if value == self.param {
            return true;
        }
        let function = self.function;
        match function.values[value.0 as usize].def {
            Def::Const(_) => false,
            Def::Inst(_) => function.def(value).is_some_and(|inst| match inst.op {
                Opcode::Add if left > 0 => {
                    function.constant(inst.args[1]) == Some(by.cast_unsigned())
                        && self.moves(inst.args[0], by, left - 1, depth)
                }
                Opcode::Select => inst.args[1..].iter().all(|it| self.moves(*it, by, left, depth)),
                _ => false,
            }),
            Def::Param(block) => {
                let (Some((inside, _)), true) = (self.inside, depth > 0) else { return false };
                // A join within the turn gets only what was moved in it.
                self.tree.dominates(inside, block)
                    && self.tree.preds(block).iter().all(|pred| {
                        self.tree.precedes(*pred, block)
                            && self.passes(*pred, block, value, (by, left, depth - 1))
                    })
            }
        }
    }

    fn passes(
        &self,
        pred: Block,
        block: Block,
        param: Value,
        (by, left, depth): (i64, usize, usize),
    ) -> bool {
        let at = self.function.block(block).params.iter().position(|it| *it == param);
        let mut edges = self.function.block(pred).term.targets().filter(|it| it.0 == block);
        at.is_some_and(|at| edges.all(|(_, args)| self.moves(args[at], by, left, depth)))
    }
}

/// Merges parameters of the head of a loop that start and move alike, as counters of `enumerate`
/// and `zip` do: how many went.
pub(super) fn merge_congruent(function: &mut Function, tree: &Dominators) -> usize {
    let mut to = Substitution::new(function);
    for head in tree.preorder() {
        if !tree.preds(*head).iter().any(|it| tree.dominates(*head, *it)) {
            continue;
        }
        let params = function.block(*head).params.clone();
        for (second, param) in params.iter().enumerate().skip(1) {
            let is_same = |first: &usize| are_congruent(function, tree, *head, *first, second);
            if let Some(first) = (0..second).find(is_same) {
                to.replace(*param, params[first]);
            }
        }
    }
    to.apply_to_all(function);
    to.count
}

/// Whether two parameters get the same on all edges, or are moved by the same constant.
fn are_congruent(
    function: &Function,
    tree: &Dominators,
    head: Block,
    first: usize,
    second: usize,
) -> bool {
    let params = &function.block(head).params;
    let (a, b) = (params[first], params[second]);
    let is_same = |x: Value, y: Value| {
        let (Some(x), Some(y)) = (function.def(x), function.def(y)) else { return x == y };
        let is_step =
            x.op == Opcode::Add && y.op == Opcode::Add && x.args[0] == a && y.args[0] == b;
        is_step && x.args[1] == y.args[1]
    };
    function.prim(a) == function.prim(b)
        && tree.preds(head).iter().all(|pred| {
            let mut edges = function.block(*pred).term.targets().filter(|it| it.0 == head);
            edges.all(|(_, args)| {
                let is_back = tree.dominates(head, *pred);
                args[first] == args[second] || is_back && is_same(args[first], args[second])
            })
        })
}
