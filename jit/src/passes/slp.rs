//! Superword-level parallelism of elementary functions: calls of the same function in a block whose
//! operands do not depend on each other follow each other, so that back ends make one call of them
//! (see [`crate::ir::Blocks`]), which takes little longer than the first alone.
//!
//! What a later call needs is computed before the first one, if it cannot fail and reads no memory.

use super::licm::is_total;
use crate::ir::{Function, Inst, Opcode, Value};

/// So many calls become one at most: as many numbers as a vector has.
const MAX_CALLS: usize = 8;

/// So many instructions go before the first call for another one at most.
const MAX_MOVED: usize = 16;

pub(super) fn run(function: &mut Function) {
    for at in 0..function.blocks.len() {
        let rows = &function.blocks[at].insts;
        if rows.iter().filter(|it| is_call(function, **it)).count() < 2 {
            continue;
        }
        let mut insts = std::mem::take(&mut function.blocks[at].insts);
        let mut first = 0;
        while first < insts.len() {
            first = if is_call(function, insts[first]) {
                gather(function, &mut insts, first)
            } else {
                first + 1
            };
        }
        function.blocks[at].insts = insts;
    }
}

fn is_call(function: &Function, row: u32) -> bool {
    match function.insts[row as usize].op {
        Opcode::Math(function) => function.row().blocks.is_some(),
        _ => false,
    }
}

/// The instructions of a block, one by one but for calls that back ends make at once.
#[cfg(any(feature = "cc", feature = "cranelift"))]
pub(crate) fn groups<'a>(function: &'a Function, insts: &'a [u32]) -> Vec<&'a [u32]> {
    let mut groups = Vec::with_capacity(insts.len());
    let mut left = insts;
    while let Some((first, rest)) = left.split_first() {
        let more = if is_call(function, *first) { followers(function, *first, rest) } else { 0 };
        let (group, after) = left.split_at(1 + more);
        groups.push(group);
        left = after;
    }
    groups
}

/// How many of the instructions behind a call become one with it.
#[cfg(any(feature = "cc", feature = "cranelift"))]
fn followers(function: &Function, first: u32, rest: &[u32]) -> usize {
    let call = &function.insts[first as usize];
    let mut results = call.results.clone();
    let mut joins = |row: &&u32| {
        let next = &function.insts[**row as usize];
        let is_one =
            are_alike(function, call, next) && !next.args.iter().any(|it| results.contains(it));
        results.extend(next.results.iter().copied());
        is_one
    };
    rest.iter().take(MAX_CALLS - 1).take_while(|it| joins(it)).count()
}

/// Whether two instructions are calls of the same function, over numbers of the same width.
fn are_alike(function: &Function, a: &Inst, b: &Inst) -> bool {
    let prim = |it: &Inst| it.results.first().map(|it| function.prim(*it));
    a.op == b.op && prim(a) == prim(b)
}

/// Puts calls that are like one behind it; where they end.
fn gather(function: &Function, insts: &mut [u32], mut first: usize) -> usize {
    let call = &function.insts[insts[first] as usize];
    let mut count = 1;
    for next in first + 1..insts.len() {
        let other = &function.insts[insts[next] as usize];
        if count == MAX_CALLS || !are_alike(function, call, other) {
            continue;
        }
        let Some(needed) = needed(function, insts, first..first + count, next) else { continue };
        // Before: calls, others with what is needed, the next call. After: what is needed, calls, others.
        let span = &mut insts[first..=next];
        let is_needed = |it: usize| needed.contains(&(first + it));
        let moved = (0..span.len()).filter(|it| is_needed(*it));
        let others = (count..span.len() - 1).filter(|it| !is_needed(*it));
        let order = moved.chain(0..count).chain([span.len() - 1]).chain(others);
        let sorted: Vec<u32> = order.map(|it| span[it]).collect();
        span.copy_from_slice(&sorted);
        first += needed.len();
        count += 1;
    }
    first + count
}

/// The places of what a call needs that stands behind others; none if that is not to be moved, or
/// depends on one of these calls.
fn needed(
    function: &Function,
    insts: &[u32],
    calls: std::ops::Range<usize>,
    call: usize,
) -> Option<Vec<usize>> {
    let place = |value: &Value| {
        (calls.start..call).find(|at| function.insts[insts[*at] as usize].results.contains(value))
    };
    let mut needed = Vec::new();
    let mut left: Vec<Value> = function.insts[insts[call] as usize].args.to_vec();
    while let Some(value) = left.pop() {
        let Some(at) = place(&value).filter(|it| !needed.contains(it)) else { continue };
        let inst = &function.insts[insts[at] as usize];
        let is_moved = inst.op.is_pure() && is_total(function, inst) && needed.len() < MAX_MOVED;
        if calls.contains(&at) || !is_moved {
            return None;
        }
        needed.push(at);
        left.extend(&inst.args);
    }
    Some(needed)
}
