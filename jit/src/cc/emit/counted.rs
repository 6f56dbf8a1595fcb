//! Counted loops: those whose rounds are known before they begin.
//!
//! A back edge may ask whether to stop, and an index may be outside its array: both leave the loop, and
//! a C compiler makes vectors of no loop that is left early. So a counted loop is printed twice. Its
//! head goes to the second form if there are several rounds to come: as many of them as there are back
//! edges until somebody asks, at most. All indices that move with the counter, or not at all, were
//! checked then, at both ends, so that the second form has nothing but the work. What is left of the rounds, and the
//! test that ends the loop, the first form does.

use std::collections::BTreeSet;

use crate::ir::{Block, Cond, Def, Function, Inst, Op, SiteId, Term, Value};

/// Steps are small, so that those between two questions whether to stop do not wrap.
const MAX_STEP: u64 = 1 << 31;

/// Loops of so many rounds, if that is fixed, are printed for that number: a compiler unrolls them.
const MAX_FIXED: i128 = 16;

/// A loop that is left by its head alone or early, and has no loops and calls in it.
pub(super) struct Counted {
    pub(super) head: usize,
    /// Its blocks.
    pub(super) blocks: BTreeSet<usize>,
    /// The first block of a round.
    pub(super) inside: Block,
    /// The parameter of the head that counts.
    pub(super) counter: Value,
    pub(super) step: i64,
    /// What holds of the counter and the bound while there are rounds.
    pub(super) cond: Cond,
    pub(super) bound: Value,
    /// The site of the question whether to stop.
    pub(super) poll: SiteId,
    /// The indices that are checked before the rounds.
    pub(super) indices: Vec<Index>,
    /// Where the counter starts and how many rounds there are, if both are fixed and these are few.
    pub(super) fixed: Option<(i64, u32)>,
}

/// An index of which both ends are known before the rounds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Index {
    pub(super) place: Place,
    pub(super) extent: Value,
}

/// What an index is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    /// The counter.
    Counter,
    /// The counter and something that does not change.
    Beyond(Value),
    /// What does not change.
    Fixed(Value),
}

/// The counted loops of a function.
pub(super) fn find(function: &Function, reached: &[usize]) -> Vec<Counted> {
    let preds = predecessors(function, reached);
    reached.iter().filter_map(|latch| of_latch(function, &preds, *latch)).collect()
}

fn predecessors(function: &Function, reached: &[usize]) -> Vec<Vec<usize>> {
    let mut preds = vec![Vec::new(); function.blocks.len()];
    for at in reached {
        for (block, _) in function.blocks[*at].term.targets() {
            preds[block.0 as usize].push(*at);
        }
    }
    preds
}

fn of_latch(function: &Function, preds: &[Vec<usize>], latch: usize) -> Option<Counted> {
    let block = &function.blocks[latch];
    let Term::Jump((head, next)) = &block.term else { return None };
    let Op::Poll(poll) = function.insts[*block.insts.last()? as usize].op else { return None };
    let blocks = natural_loop(preds, head.0 as usize, latch)?;
    let insts = || blocks.iter().flat_map(|it| insts(function, *it));
    let is_plain = |inst: &Inst| !matches!(inst.op, Op::Call(..) | Op::Retain | Op::Release);
    let polls = insts().filter(|it| matches!(it.op, Op::Poll(_))).count();
    if polls != 1 || !insts().all(is_plain) {
        return None;
    }
    let defined = defined(function, &blocks);
    let (inside, cond, counter, bound) = test(function, *head, &blocks, &defined)?;
    let at = function.block(*head).params.iter().position(|it| *it == counter)?;
    let step = step(function, counter, next[at])?;
    let is_up = match cond {
        Cond::Lt | Cond::Le => true,
        Cond::Gt | Cond::Ge => false,
        Cond::Eq | Cond::Ne => return None,
    };
    if (step > 0) != is_up || step.unsigned_abs() > MAX_STEP {
        return None;
    }
    let mut indices: Vec<Index> =
        insts().filter_map(|it| index(function, it, counter, &defined)).collect();
    indices.sort_unstable();
    indices.dedup();
    let head = head.0 as usize;
    let starts = preds[head].iter().filter(|it| !blocks.contains(it));
    let fixed = function.constant(bound).and_then(|bound| {
        let start = start(function, starts, head, at)?;
        let rounds = rounds(start, bound.cast_signed(), cond, step);
        let is_few = (2..=MAX_FIXED).contains(&rounds);
        is_few.then_some((start, u32::try_from(rounds).ok()?))
    });
    Some(Counted { head, blocks, inside, counter, step, cond, bound, poll, indices, fixed })
}

/// The constant that a parameter of a head has at first, wherever the loop is entered from.
fn start<'a>(
    function: &Function,
    entries: impl Iterator<Item = &'a usize>,
    head: usize,
    at: usize,
) -> Option<i64> {
    let mut found = None;
    for entry in entries {
        for (block, args) in function.blocks[*entry].term.targets() {
            if block.0 as usize == head {
                let start = function.constant(args[at])?.cast_signed();
                if found.is_some_and(|it| it != start) {
                    return None;
                }
                found = Some(start);
            }
        }
    }
    found
}

/// How many rounds there are from a start to a bound.
fn rounds(start: i64, bound: i64, cond: Cond, step: i64) -> i128 {
    let (start, bound, step) = (i128::from(start), i128::from(bound), i128::from(step));
    let way = if step > 0 { bound - start } else { start - bound };
    let last = if matches!(cond, Cond::Lt | Cond::Gt) { way - 1 } else { way };
    if last < 0 { 0 } else { last / step.abs() + 1 }
}

fn insts(function: &Function, block: usize) -> impl Iterator<Item = &Inst> {
    function.blocks[block].insts.iter().map(|it| &function.insts[*it as usize])
}

/// The blocks from which a latch is reached without the head; none if they are entered elsewhere.
fn natural_loop(preds: &[Vec<usize>], head: usize, latch: usize) -> Option<BTreeSet<usize>> {
    let mut blocks = BTreeSet::from([head]);
    let mut left = vec![latch];
    while let Some(at) = left.pop() {
        if blocks.insert(at) {
            left.extend(&preds[at]);
        }
    }
    let latches = preds[head].iter().filter(|it| blocks.contains(it)).count();
    (latches == 1 && (head == 0 || !blocks.contains(&0))).then_some(blocks)
}

/// The values that change from round to round.
fn defined(function: &Function, blocks: &BTreeSet<usize>) -> BTreeSet<Value> {
    let params = blocks.iter().flat_map(|it| &function.blocks[*it].params);
    let results = blocks.iter().flat_map(|it| insts(function, *it)).flat_map(|it| &it.results);
    params.chain(results).copied().collect()
}

/// The first block of a round, and the comparison of a parameter with something fixed that leads to it.
fn test(
    function: &Function,
    head: Block,
    blocks: &BTreeSet<usize>,
    defined: &BTreeSet<Value>,
) -> Option<(Block, Cond, Value, Value)> {
    let Term::Branch(truth, (then, _), (other, _)) = &function.block(head).term else {
        return None;
    };
    let inner = |it: &Block| *it != head && blocks.contains(&(it.0 as usize));
    let Op::Cmp(cond, true) = function.def(*truth)?.op else { return None };
    let (inside, cond) = match (inner(then), inner(other)) {
        (true, false) => (*then, cond),
        (false, true) => (*other, cond.inverse()),
        _ => return None,
    };
    // What is compared belongs to this round: the head's, or something that does not change.
    let [a, b] = function.def(*truth)?.args[..] else { return None };
    let is_param = |it: &Value| function.values[it.0 as usize].def == Def::Param(head);
    if is_param(&a) && !defined.contains(&b) {
        Some((inside, cond, a, b))
    } else if is_param(&b) && !defined.contains(&a) {
        Some((inside, cond.swapped(), b, a))
    } else {
        None
    }
}

/// By how much the counter moves in a round, if that is fixed.
fn step(function: &Function, counter: Value, next: Value) -> Option<i64> {
    let inst = function.def(next)?;
    let [a, b] = inst.args[..] else { return None };
    let step = match (inst.op, a == counter, b == counter) {
        (Op::Add, true, false) => function.constant(b)?.cast_signed(),
        (Op::Add, false, true) => function.constant(a)?.cast_signed(),
        (Op::Sub, true, false) => function.constant(b)?.cast_signed().checked_neg()?,
        _ => return None,
    };
    (step != 0).then_some(step)
}

/// What a check of an index needs, if that moves with the counter or not at all.
fn index(
    function: &Function,
    inst: &Inst,
    counter: Value,
    defined: &BTreeSet<Value>,
) -> Option<Index> {
    let Op::CheckIndex(_) = inst.op else { return None };
    let [index, extent] = inst.args[..] else { return None };
    if defined.contains(&extent) {
        return None;
    }
    if index == counter {
        return Some(Index { place: Place::Counter, extent });
    }
    if !defined.contains(&index) {
        return Some(Index { place: Place::Fixed(index), extent });
    }
    let sum = function.def(index).filter(|it| it.op == Op::Add)?;
    let [a, b] = sum.args[..] else { return None };
    let distance = match (a == counter, b == counter) {
        (true, false) => b,
        (false, true) => a,
        _ => return None,
    };
    (!defined.contains(&distance)).then_some(Index { place: Place::Beyond(distance), extent })
}

impl Counted {
    /// Whether a check of an index was made before the rounds.
    pub(super) fn is_checked(&self, function: &Function, inst: &Inst) -> bool {
        let [index, extent] = inst.args[..] else { return false };
        self.indices.iter().filter(|it| it.extent == extent).any(|it| match it.place {
            Place::Counter => index == self.counter,
            Place::Fixed(place) => index == place,
            Place::Beyond(distance) => function.def(index).is_some_and(|sum| {
                sum.op == Op::Add
                    && (sum.args[..] == [self.counter, distance]
                        || sum.args[..] == [distance, self.counter])
            }),
        })
    }
}
