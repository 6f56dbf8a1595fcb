//! Counted loops: those whose rounds are known before they begin.
//!
//! A back edge may ask whether to stop, and an index may be outside its array: both leave the loop, and
//! a C compiler makes vectors of no loop that is left early. So a counted loop is printed twice. Its
//! head goes to the second form if there are several rounds to come: as many of them as there are back
//! edges until somebody asks, at most. All indices whose ends are known were checked then (see
//! [`super::indices`]), so that the second form has nothing but the work. What is left of the rounds,
//! and the test that ends the loop, the first form does.
//!
//! Loops in it may be counted, too, if their rounds are the same in each round around them: then they
//! have neither questions nor checks in the second form, and the rounds of all are counted at once.

use std::collections::BTreeSet;

use super::indices::{self, Index};
use super::inspect::{self, Inspection};
use crate::ir::{Block, Cond, Def, Function, Inst, Opcode, SiteId, Terminator, Value};

/// Steps are small, so that no sum of counters wraps between two questions whether to stop.
pub(super) const MAX_STEP: u64 = 1 << 24;

/// Loops of so many rounds, if that is fixed, are printed for that number: a compiler unrolls them.
const MAX_FIXED: i128 = 16;

/// So many loops stand in each other at most in a second form: each is printed as often.
const MAX_NESTED: usize = 3;

/// So many instructions has a second form with loops in it at most.
const MAX_INSTS: usize = 250;

/// A loop that is left by its head alone or early, with what is done in it without calls.
pub(super) struct Counted {
    /// How it counts.
    pub(super) shape: CountedLoop,
    /// The loops in it, those within others first.
    pub(super) inner: Vec<InnerLoop>,
    /// The indices that are checked before the rounds, and the results of their checks.
    pub(super) indices: BTreeSet<Index>,
    pub(super) checked: BTreeSet<Value>,
    /// The blocks of loops without loops in them whose functions of real numbers need nothing of
    /// earlier rounds.
    pub(super) parallel: BTreeSet<usize>,
    /// What is looked at before the rounds, so that nothing is tested in them.
    pub(super) inspection: Option<Inspection>,
    /// The sums of real numbers in loops without loops in them.
    pub(super) reductions: BTreeSet<Value>,
    /// Where the counter starts and how many rounds there are, if both are fixed and these are few.
    pub(super) fixed: Option<(i64, u32)>,
}

/// A loop with a counter.
#[derive(Clone)]
pub(super) struct CountedLoop {
    pub(super) head: usize,
    /// Its blocks.
    pub(super) blocks: BTreeSet<usize>,
    /// The block that jumps back to the head.
    latch: usize,
    /// The first block of a round.
    pub(super) inside: Block,
    /// The parameter of the head that counts, and its place among them.
    pub(super) counter: Value,
    at: usize,
    pub(super) step: i64,
    /// What holds of the counter and the bound while there are rounds.
    pub(super) cond: Cond,
    pub(super) bound: Value,
    /// The site of the question whether to stop.
    pub(super) poll: SiteId,
}

/// A loop in a counted one.
pub(super) struct InnerLoop {
    pub(super) shape: CountedLoop,
    /// What its counter starts at, which does not change around it.
    pub(super) start: Value,
    /// The loops right in it, as places among [`Counted::inner`].
    pub(super) within: Vec<usize>,
}

/// The counted loops of a function.
pub(super) fn find(function: &Function, reached: &[usize]) -> Vec<Counted> {
    let preds = predecessors(function, reached);
    let shapes: Vec<CountedLoop> =
        reached.iter().filter_map(|latch| CountedLoop::of(function, &preds, *latch)).collect();
    shapes.iter().filter_map(|it| Counted::of(function, &preds, &shapes, it)).collect()
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

impl CountedLoop {
    /// The loop that a block jumps back from, if it counts.
    fn of(function: &Function, preds: &[Vec<usize>], latch: usize) -> Option<CountedLoop> {
        let block = &function.blocks[latch];
        let Terminator::Jump((head, next)) = &block.term else { return None };
        let Opcode::Poll(poll) = function.insts[*block.insts.last()? as usize].op else {
            return None;
        };
        let blocks = natural_loop(preds, head.0 as usize, latch)?;
        let defined = defined(function, &blocks);
        let (inside, cond, counter, bound) = test(function, *head, &blocks, &defined)?;
        let at = function.block(*head).params.iter().position(|it| *it == counter)?;
        let step = step(function, counter, next[at])?;
        let is_towards = match cond {
            Cond::Lt | Cond::Le => step > 0,
            Cond::Gt | Cond::Ge => step < 0,
            Cond::Ne => step.unsigned_abs() == 1,
            Cond::Eq => false,
        };
        let head = head.0 as usize;
        (is_towards && step.unsigned_abs() <= MAX_STEP).then_some(CountedLoop {
            head,
            blocks,
            latch,
            inside,
            counter,
            at,
            step,
            cond,
            bound,
            poll,
        })
    }

    /// Whether the counter steps right onto the bound, so that it cannot wrap on the way.
    pub(super) fn is_exact(&self) -> bool {
        let is_strict = matches!(self.cond, Cond::Lt | Cond::Gt | Cond::Ne);
        is_strict && self.step.unsigned_abs() == 1
    }

    /// What the parameters of the head get where the loop is entered.
    fn entries<'a>(
        &self,
        function: &'a Function,
        preds: &'a [Vec<usize>],
    ) -> impl Iterator<Item = &'a [Value]> {
        let head = self.head;
        let outside = preds[head].iter().filter(|it| !self.blocks.contains(it));
        let outside: BTreeSet<usize> = outside.copied().collect();
        let edges = outside.into_iter().flat_map(|it| function.blocks[it].term.targets());
        edges.filter(move |(block, _)| block.0 as usize == head).map(|(_, args)| &args[..])
    }

    /// What the counter starts at, if that is the same wherever the loop is entered from.
    fn start(&self, function: &Function, preds: &[Vec<usize>]) -> Option<Value> {
        let mut starts = self.entries(function, preds).map(|it| it[self.at]);
        let first = starts.next()?;
        starts.all(|it| it == first).then_some(first)
    }

    /// The parameters of its head that sum or multiply real numbers in the order of the rounds, if
    /// there is nothing in them that takes long: vectors of the terms would wait for the sum anyway.
    fn reductions(&self, function: &Function) -> Vec<Value> {
        let all = || self.blocks.iter().flat_map(|it| insts(function, *it));
        if all().any(|it| matches!(it.op, Opcode::Math(_))) {
            return Vec::new();
        }
        let params = function.blocks[self.head].params.iter().enumerate();
        let is_carried = |(at, param): &(usize, &Value)| {
            let next = self.next(function, *at).and_then(|it| function.def(it));
            next.is_some_and(|it| {
                matches!(it.op, Opcode::FAdd | Opcode::FSub | Opcode::FMul)
                    && it.args.contains(param)
            })
        };
        params.filter(is_carried).map(|(_, param)| *param).collect()
    }

    /// Whether nothing leaves it but its head, and no function of real numbers in it is of something
    /// that an earlier round computed, but for what is in memory.
    fn is_parallel(&self, function: &Function) -> bool {
        let all = || self.blocks.iter().flat_map(|it| insts(function, *it));
        if !self.is_left_by_head(function) {
            return false;
        }
        let params = &function.blocks[self.head].params;
        let mut carried: BTreeSet<Value> =
            params.iter().filter(|it| **it != self.counter).copied().collect();
        let mut count = 0;
        while count != carried.len() {
            count = carried.len();
            for block in &self.blocks {
                for inst in insts(function, *block) {
                    if inst.args.iter().any(|it| carried.contains(it)) {
                        carried.extend(&inst.results);
                    }
                }
                for (to, args) in function.blocks[*block].term.targets() {
                    for (param, arg) in function.block(*to).params.iter().zip(args) {
                        if carried.contains(arg) {
                            carried.insert(*param);
                        }
                    }
                }
            }
        }
        let is_free = |inst: &Inst| {
            !matches!(inst.op, Opcode::Math(_)) || inst.args.iter().all(|it| !carried.contains(it))
        };
        all().all(is_free)
    }

    /// Whether nothing but its head leads out of it, or to where something is raised.
    fn is_left_by_head(&self, function: &Function) -> bool {
        let raises = |it: &Block| matches!(function.block(*it).term, Terminator::Raise(..));
        let stays = |it: &Block| self.blocks.contains(&(it.0 as usize)) || raises(it);
        let others = self.blocks.iter().filter(|it| **it != self.head);
        others.flat_map(|it| function.blocks[*it].term.targets()).all(|(block, _)| stays(block))
    }

    /// Whether each round passes a block.
    fn always_passes(&self, function: &Function, block: usize) -> bool {
        let mut seen = BTreeSet::from([block]);
        let mut left = vec![self.head];
        while let Some(at) = left.pop() {
            if at == self.latch {
                return false;
            }
            if self.blocks.contains(&at) && seen.insert(at) {
                let targets = function.blocks[at].term.targets();
                left.extend(targets.map(|(block, _)| block.0 as usize));
            }
        }
        true
    }

    /// What a parameter of the head gets for the next round.
    pub(super) fn next(&self, function: &Function, at: usize) -> Option<Value> {
        let Terminator::Jump((_, next)) = &function.blocks[self.latch].term else { return None };
        next.get(at).copied()
    }
}

impl Counted {
    fn of(
        function: &Function,
        preds: &[Vec<usize>],
        shapes: &[CountedLoop],
        shape: &CountedLoop,
    ) -> Option<Counted> {
        let insts = || shape.blocks.iter().flat_map(|it| insts(function, *it));
        let is_plain =
            |inst: &Inst| !matches!(inst.op, Opcode::Call(..) | Opcode::Retain | Opcode::Release);
        if !insts().all(is_plain) {
            return None;
        }
        let defined = defined(function, &shape.blocks);
        let inner = inner(function, preds, shapes, shape, &defined)?;
        let polls = insts().filter(|it| matches!(it.op, Opcode::Poll(_))).count();
        let is_small = inner.is_empty() || insts().count() <= MAX_INSTS;
        if polls != inner.len() + 1 || !is_small || height(&inner, shape) > MAX_NESTED {
            return None;
        }
        if !inner.is_empty() && !runs_all(function, shape, &inner) {
            return None;
        }
        let (indices, checked) = indices::find(function, shape, &inner, &defined);
        let fixed = (inner.is_empty()).then(|| fixed(function, preds, shape)).flatten();
        let innermost = inner.iter().filter(|it| it.within.is_empty()).map(|it| &it.shape);
        let innermost: Vec<&CountedLoop> =
            innermost.chain(inner.is_empty().then_some(shape)).collect();
        let reductions = innermost.iter().flat_map(|it| it.reductions(function)).collect();
        let is_plain = inner.is_empty() && fixed.is_none() && shape.is_parallel(function);
        let inspection =
            is_plain.then(|| Inspection::of(function, shape, &checked, &defined)).flatten();
        let stays =
            |it: &CountedLoop| inspection.is_some() || !inspect::leaves(function, it, &checked);
        let parallel = innermost.into_iter().filter(|it| it.is_parallel(function) && stays(it));
        let parallel = parallel.flat_map(|it| it.blocks.iter().copied()).collect();
        let shape = shape.clone();
        Some(Counted { shape, inner, indices, checked, parallel, inspection, reductions, fixed })
    }
}

/// The loops in a loop, the smallest first, if the rounds of each are the same in all of its rounds.
fn inner(
    function: &Function,
    preds: &[Vec<usize>],
    shapes: &[CountedLoop],
    outer: &CountedLoop,
    defined: &BTreeSet<Value>,
) -> Option<Vec<InnerLoop>> {
    let is_in = |it: &&CountedLoop| it.head != outer.head && outer.blocks.contains(&it.head);
    let mut found: Vec<&CountedLoop> = shapes.iter().filter(is_in).collect();
    found.sort_by_key(|it| it.blocks.len());
    let mut inner: Vec<InnerLoop> = Vec::new();
    let mut is_held = vec![false; found.len()];
    for (at, shape) in found.into_iter().enumerate() {
        let start = shape.start(function, preds)?;
        if defined.contains(&start) || defined.contains(&shape.bound) {
            return None;
        }
        let is_within = |it: &usize| shape.blocks.contains(&inner[*it].shape.head);
        let within: Vec<usize> = (0..at).filter(|it| !is_held[*it]).filter(is_within).collect();
        for it in &within {
            is_held[*it] = true;
        }
        inner.push(InnerLoop { shape: shape.clone(), start, within });
    }
    Some(inner)
}

/// Whether each round of a loop runs all rounds of the loops in it, or fails.
fn runs_all(function: &Function, outer: &CountedLoop, inner: &[InnerLoop]) -> bool {
    let around = |at: usize| {
        let others = inner[at + 1..].iter().map(|it| &it.shape);
        others.chain([outer]).find(|it| it.blocks.contains(&inner[at].shape.head))
    };
    let is_passed =
        |at: usize| around(at).is_some_and(|it| it.always_passes(function, inner[at].shape.head));
    outer.is_left_by_head(function)
        && inner.iter().all(|it| it.shape.is_left_by_head(function))
        && (0..inner.len()).all(is_passed)
}

/// How many loops stand in each other, the outermost with them.
fn height(inner: &[InnerLoop], outer: &CountedLoop) -> usize {
    let around = |head: usize| inner.iter().filter(|it| it.shape.blocks.contains(&head)).count();
    let heads = inner.iter().map(|it| it.shape.head).chain([outer.head]);
    1 + heads.map(around).max().unwrap_or_default()
}

/// Where the counter starts and how many rounds there are, if these are few.
fn fixed(function: &Function, preds: &[Vec<usize>], shape: &CountedLoop) -> Option<(i64, u32)> {
    let bound = function.constant(shape.bound)?.cast_signed();
    let start = function.constant(shape.start(function, preds)?)?.cast_signed();
    let rounds = rounds(start, bound, shape.cond, shape.step)?;
    let is_few = (2..=MAX_FIXED).contains(&rounds);
    is_few.then_some((start, u32::try_from(rounds).ok()?))
}

/// How many rounds there are from a start to a bound.
fn rounds(start: i64, bound: i64, cond: Cond, step: i64) -> Option<i128> {
    let (start, bound, step) = (i128::from(start), i128::from(bound), i128::from(step));
    let way = if step > 0 { bound - start } else { start - bound };
    let last = match cond {
        Cond::Lt | Cond::Gt => way - 1,
        Cond::Le | Cond::Ge => way,
        Cond::Eq | Cond::Ne => return None,
    };
    Some(if last < 0 { 0 } else { last / step.abs() + 1 })
}

pub(super) fn insts(function: &Function, block: usize) -> impl Iterator<Item = &Inst> {
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
    let Terminator::Branch(truth, (then, _), (other, _)) = &function.block(head).term else {
        return None;
    };
    let inner = |it: &Block| *it != head && blocks.contains(&(it.0 as usize));
    let Opcode::Cmp(cond, is_signed) = function.def(*truth)?.op else { return None };
    let (inside, cond) = match (inner(then), inner(other)) {
        (true, false) => (*then, cond),
        (false, true) => (*other, cond.inverse()),
        _ => return None,
    };
    if !is_signed && !matches!(cond, Cond::Eq | Cond::Ne) {
        return None;
    }
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
        (Opcode::Add, true, false) => function.constant(b)?.cast_signed(),
        (Opcode::Add, false, true) => function.constant(a)?.cast_signed(),
        (Opcode::Sub, true, false) => function.constant(b)?.cast_signed().checked_neg()?,
        _ => return None,
    };
    (step != 0).then_some(step)
}
