//! Slots of values: linear scan (Poletto and Sarkar, "Linear Scan Register Allocation", 1999).
//!
//! Constants have slots of their own, which a call fills, and arguments follow them. Every other
//! value takes a slot that is free from where it is defined to where it is read last, in the order
//! of blocks; liveness over loops comes from data flow. What an edge passes takes the slot of the
//! parameter if that is free, so that nothing is moved.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::ir::{Def, Function, Value};

/// Where values are.
pub(super) struct SlotMap {
    of: Vec<u16>,
    /// The constants, in the first slots.
    pub(super) constants: Vec<u64>,
    /// How many slots there are.
    pub(super) count: usize,
}

impl SlotMap {
    /// Slots of the values of a function; none if it needs too many.
    pub(super) fn new(function: &Function) -> Option<SlotMap> {
        let mut slots =
            SlotMap { of: vec![u16::MAX; function.values.len()], constants: Vec::new(), count: 0 };
        for (at, data) in function.values.iter().enumerate() {
            if let Def::Const(bits) = data.def {
                slots.of[at] = slots.add()?;
                slots.constants.push(bits);
            }
        }
        let spans = Spans::new(function);
        let partners = partners(function);
        let mut order = spans.order(function);
        order.sort_by_key(|it| spans.first[it.0 as usize]);
        let mut busy = BinaryHeap::new();
        let mut free: Vec<u16> = Vec::new();
        for value in order {
            let at = value.0 as usize;
            while let Some(Reverse((last, slot))) = busy.peek()
                && *last < spans.first[at]
            {
                free.push(*slot);
                busy.pop();
            }
            let is_argument = function.blocks[0].params.contains(&value);
            let wanted = partners[at].map(|it| slots.of[it.0 as usize]);
            let found = free.iter().position(|it| Some(*it) == wanted);
            let slot = match (is_argument, found.or(free.len().checked_sub(1))) {
                (false, Some(place)) => free.swap_remove(place),
                _ => slots.add()?,
            };
            slots.of[at] = slot;
            busy.push(Reverse((spans.last[at], slot)));
        }
        Some(slots)
    }

    /// The slot of a value.
    pub(super) fn get(&self, value: Value) -> u16 {
        self.of[value.0 as usize]
    }

    /// One more slot.
    pub(super) fn add(&mut self) -> Option<u16> {
        self.count += 1;
        u16::try_from(self.count - 1).ok().filter(|it| *it < u16::MAX)
    }
}

/// For each value one that an edge gives it, or that it is given to.
fn partners(function: &Function) -> Vec<Option<Value>> {
    let mut partners = vec![None; function.values.len()];
    for (target, args) in function.blocks.iter().flat_map(|it| it.term.targets()) {
        for (arg, param) in args.iter().zip(&function.block(*target).params) {
            if function.constant(*arg).is_none() {
                partners[arg.0 as usize].get_or_insert(*param);
                partners[param.0 as usize].get_or_insert(*arg);
            }
        }
    }
    partners
}

/// From where to where each value lives, in the order of blocks. A number that is even reads, and
/// the odd one after it writes, so a result may take the slot of an operand.
struct Spans {
    first: Vec<usize>,
    last: Vec<usize>,
}

impl Spans {
    fn new(function: &Function) -> Spans {
        let count = function.values.len();
        let live = live_in(function);
        let mut spans = Spans { first: vec![usize::MAX; count], last: vec![0; count] };
        let mut at = 0;
        for (block, data) in function.blocks.iter().enumerate() {
            let start = 2 * at;
            live[block].each(&mut |it| spans.include(it, start));
            data.params.iter().for_each(|it| spans.include(it.0 as usize, start));
            for inst in &data.insts {
                at += 1;
                let inst = &function.insts[*inst as usize];
                inst.args.iter().for_each(|it| spans.include(it.0 as usize, 2 * at));
                inst.results.iter().for_each(|it| spans.include(it.0 as usize, 2 * at + 1));
            }
            at += 1;
            data.term.for_each_value(&mut |it| spans.include(it.0 as usize, 2 * at));
            for (target, _) in data.term.targets() {
                live[target.0 as usize].each(&mut |it| spans.include(it, 2 * at + 1));
            }
            at += 1;
        }
        spans
    }

    fn include(&mut self, value: usize, at: usize) {
        self.first[value] = self.first[value].min(at);
        self.last[value] = self.last[value].max(at);
    }

    /// The values that live somewhere and are not constant, arguments first.
    fn order(&self, function: &Function) -> Vec<Value> {
        let params = &function.blocks[0].params;
        let others = (0..function.values.len() as u32).map(Value).filter(|it| {
            let is_used = self.first[it.0 as usize] != usize::MAX;
            is_used && function.constant(*it).is_none() && !params.contains(it)
        });
        params.iter().copied().chain(others).collect()
    }
}

/// A set of values.
#[derive(Clone)]
struct Set(Vec<u64>);

impl Set {
    fn insert(&mut self, value: Value) {
        self.0[value.0 as usize / 64] |= 1 << (value.0 % 64);
    }

    fn remove(&mut self, value: Value) {
        self.0[value.0 as usize / 64] &= !(1 << (value.0 % 64));
    }

    fn each(&self, found: &mut dyn FnMut(usize)) {
        for (at, word) in self.0.iter().enumerate() {
            let mut left = *word;
            while left != 0 {
                found(64 * at + left.trailing_zeros() as usize);
                left &= left - 1;
            }
        }
    }
}

/// What is read in or after each block and defined before it; constants are left out.
fn live_in(function: &Function) -> Vec<Set> {
    let empty = Set(vec![0; function.values.len().div_ceil(64)]);
    let mut live = vec![empty.clone(); function.blocks.len()];
    let mut is_changed = true;
    while is_changed {
        is_changed = false;
        for (at, block) in function.blocks.iter().enumerate().rev() {
            let mut set = empty.clone();
            for (target, _) in block.term.targets() {
                let words = set.0.iter_mut().zip(&live[target.0 as usize].0);
                words.for_each(|(word, more)| *word |= more);
            }
            let read = |it: Value, set: &mut Set| {
                if function.constant(it).is_none() {
                    set.insert(it);
                }
            };
            block.term.for_each_value(&mut |it| read(it, &mut set));
            for inst in block.insts.iter().rev().map(|it| &function.insts[*it as usize]) {
                inst.results.iter().for_each(|it| set.remove(*it));
                inst.args.iter().for_each(|it| read(*it, &mut set));
            }
            block.params.iter().for_each(|it| set.remove(*it));
            is_changed |= set.0 != live[at].0;
            live[at] = set;
        }
    }
    live
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::SlotMap;
    use crate::ir::{Builder, Cond, Opcode, PlaceId, Terminator, ValueList};
    use crate::types::{Prim, Ty};

    #[test]
    fn a_straight_line_needs_one_slot() {
        let (mut builder, params) = Builder::new(Arc::from("f"), vec![Ty::int64()], PlaceId(0));
        let three = builder.int(3);
        let mut last = params[0];
        for _ in 0..20 {
            last = builder.emit(Opcode::Mul, &[last, three], Prim::Int);
        }
        builder.end(Terminator::Return(ValueList::from_slice(&[last])));
        let slots = SlotMap::new(&builder.function).expect("it is small");
        assert_eq!((slots.count, slots.constants), (2, vec![3]));
    }

    #[test]
    fn what_goes_round_a_loop_stays_where_it_is() {
        let (mut builder, params) = Builder::new(Arc::from("f"), vec![Ty::int64()], PlaceId(0));
        let (zero, one) = (builder.int(0), builder.int(1));
        let (head, words) = builder.add_block([Prim::Int]);
        let ((inside, _), (after, _)) = (builder.add_block([]), builder.add_block([]));
        builder.end(Terminator::Jump((head, ValueList::from_slice(&[zero]))));
        builder.enter(head);
        let test = builder.emit(Opcode::Cmp(Cond::Lt, true), &[words[0], params[0]], Prim::Bool);
        builder.end(Terminator::Branch(
            test,
            (inside, ValueList::new()),
            (after, ValueList::new()),
        ));
        builder.enter(inside);
        let next = builder.emit(Opcode::Add, &[words[0], one], Prim::Int);
        builder.end(Terminator::Jump((head, ValueList::from_slice(&[next]))));
        builder.enter(after);
        builder.end(Terminator::Return(ValueList::from_slice(&[params[0]])));
        let slots = SlotMap::new(&builder.function).expect("it is small");
        assert_eq!(slots.get(next), slots.get(words[0]));
        assert_ne!(slots.get(words[0]), slots.get(params[0]));
    }
}
