//! Loops that count, over arrays: all directions, steps and ends, indices within and beyond, early
//! exits, more rounds than lie between two questions whether to stop.

use opwright_jit::entry::POLL_EVERY;
use opwright_jit::ir::{
    Block, Builder, Cond, Elem, Opcode, PlaceId, Program, Terminator, Trap, Value, ValueList,
};
use opwright_jit::types::{Prim, Ty};
use proptest::prelude::*;

use super::outcome::{Outcome, Pair, program};

/// How a loop counts, and what it does in a round.
#[derive(Clone, Copy, Debug)]
struct Plan {
    cond: Cond,
    /// Whether the bound is the first operand.
    is_swapped: bool,
    step: i64,
    /// How far the places that are read and written are from the counter.
    distances: [i64; 2],
    /// Whether indices are checked.
    is_checked: bool,
    /// Whether it ends at an element of this many.
    early: Option<i64>,
    is_float: bool,
}

fn to(block: Block, args: &[Value]) -> (Block, ValueList) {
    (block, ValueList::from_slice(args))
}

/// `f(read, written, extent, start, bound)`: the counter and a sum of what was read.
fn counting(plan: Plan) -> Program {
    let (mut b, args) = Builder::new("f".into(), vec![Ty::int64(); 5], PlaceId(0));
    let [from, into, extent, start, bound] = args[..] else { panic!("five words") };
    let zero = b.int(0);
    let (head, vars) = b.add_block([Prim::Int, Prim::Int]);
    let ((inside, _), (latch, _)) = (b.add_block([]), b.add_block([]));
    let (after, results) = b.add_block([Prim::Int, Prim::Int]);
    b.end(Terminator::Jump(to(head, &[start, zero])));
    b.enter(head);
    let (cond, sides) = match plan.is_swapped {
        false => (plan.cond, [vars[0], bound]),
        true => (swapped(plan.cond), [bound, vars[0]]),
    };
    let more = b.emit(Opcode::Cmp(cond, true), &sides, Prim::Bool);
    b.end(Terminator::Branch(more, to(inside, &[]), to(after, &vars)));
    b.enter(inside);
    let address = |b: &mut Builder, base: Value, distance: i64| {
        let distance = b.int(distance);
        let mut index = b.emit(Opcode::Add, &[vars[0], distance], Prim::Int);
        if plan.is_checked {
            let site = b.site(Trap::Index(0, true));
            index = b.push(Opcode::CheckIndex(site), &[index, extent], [Prim::Int])[0];
        }
        let size = b.int(8);
        let bytes = b.emit(Opcode::Mul, &[index, size], Prim::Int);
        b.emit(Opcode::Offset, &[base, bytes], Prim::Ptr)
    };
    let place = address(&mut b, from, plan.distances[0]);
    let item = b.push(Opcode::Load(Elem::I64), &[place], [Prim::Int])[0];
    let sum = b.emit(Opcode::Add, &[vars[1], item], Prim::Int);
    let place = address(&mut b, into, plan.distances[1]);
    written(&mut b, plan, place, item);
    match plan.early {
        None => b.end(Terminator::Jump(to(latch, &[]))),
        Some(last) => {
            let last = b.int(last);
            let ends = b.emit(Opcode::Cmp(Cond::Eq, true), &[item, last], Prim::Bool);
            b.end(Terminator::Branch(ends, to(after, &[vars[0], sum]), to(latch, &[])));
        }
    }
    b.enter(latch);
    let step = b.int(plan.step);
    let next = b.emit(Opcode::Add, &[vars[0], step], Prim::Int);
    let site = b.site(Trap::Call);
    b.push(Opcode::Poll(site), &[], []);
    b.end(Terminator::Jump(to(head, &[next, sum])));
    b.enter(after);
    b.end(Terminator::Return(results));
    b.function.result = Ty::tuple([Ty::int64(), Ty::int64()]);
    program(vec![b.function])
}

/// What is there, and a bit more.
fn written(b: &mut Builder, plan: Plan, place: Value, item: Value) {
    use opwright_jit::ir::Convert;

    if plan.is_float {
        let before = b.push(Opcode::Load(Elem::F64), &[place], [Prim::F64])[0];
        let item = b.emit(Opcode::Convert(Convert::ToF64(true)), &[item], Prim::F64);
        let third = b.constant((1.0_f64 / 3.0).to_bits(), Prim::F64);
        let product = b.emit(Opcode::FMul, &[item, third], Prim::F64);
        let sum = b.emit(Opcode::FAdd, &[before, product], Prim::F64);
        b.push(Opcode::Store(Elem::F64), &[place, sum], []);
    } else {
        let before = b.push(Opcode::Load(Elem::I64), &[place], [Prim::Int])[0];
        let three = b.int(3);
        let product = b.emit(Opcode::Mul, &[before, three], Prim::Int);
        let sum = b.emit(Opcode::Xor, &[product, item], Prim::Int);
        b.push(Opcode::Store(Elem::I64), &[place, sum], []);
    }
}

fn swapped(cond: Cond) -> Cond {
    match cond {
        Cond::Lt => Cond::Gt,
        Cond::Le => Cond::Ge,
        Cond::Gt => Cond::Lt,
        Cond::Ge => Cond::Le,
        same => same,
    }
}

const EXTENT: i64 = 40;

/// Runs a loop over two arrays that lie in one memory, so many elements apart, with room around them.
fn check(pair: &Pair, start: i64, bound: i64, apart: usize) {
    const ROOM: usize = 64;
    let mut memory: Vec<u64> = (0..2 * ROOM as u64 + 140).map(|it| it * it % 61).collect();
    let base = memory.as_mut_ptr().expose_provenance() as u64;
    let address = |at: usize| base + 8 * (ROOM + at) as u64;
    let words = [address(0), address(apart), EXTENT.cast_unsigned()];
    let [start, bound] = [start, bound].map(i64::cast_unsigned);
    pair.check_over(&[words[0], words[1], words[2], start, bound], &mut memory);
}

fn plans() -> impl Strategy<Value = Plan> {
    let up = prop::sample::select(vec![Cond::Lt, Cond::Le]);
    let steps = prop::sample::select(vec![1, 1, 1, 2, 3, 7]);
    let distances = [-2..3_i64, -2..3_i64];
    let rest = (any::<[bool; 4]>(), prop::option::of(0..61_i64));
    (up, steps, distances, rest).prop_map(|(cond, step, distances, (flags, early))| {
        let [is_down, is_swapped, is_checked, is_float] = flags;
        let (cond, step) = if is_down { (swapped(cond), -step) } else { (cond, step) };
        Plan { cond, is_swapped, step, distances, is_checked, early, is_float }
    })
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 30,
        max_shrink_iters: 100,
        ..ProptestConfig::default()
    })]

    #[test]
    fn counting_does_the_same(
        plan in plans(),
        ends in prop::collection::vec((-12..52_i64, -12..52_i64, 0..50_usize), 20..60),
    ) {
        let pair = Pair::with_c(|| counting(plan));
        for (a, b, apart) in ends {
            let (low, high) = (a.min(b), a.max(b));
            let (start, bound) = if plan.step > 0 { (low, high) } else { (high, low) };
            check(&pair, start, bound, apart);
            check(&pair, bound, start, apart);
        }
    }
}

/// More rounds than lie between two questions, and as many as fit into a word.
#[test]
fn long_loops_count_their_back_edges() {
    let plain = Plan {
        cond: Cond::Lt,
        is_swapped: false,
        step: 1,
        distances: [0, 0],
        is_checked: true,
        early: None,
        is_float: false,
    };
    let pair = Pair::with_c(|| counting(plain));
    let count = 2 * POLL_EVERY as usize + 17;
    let mut memory: Vec<u64> = (0..2 * count as u64).collect();
    let base = memory.as_mut_ptr().expose_provenance() as u64;
    let words = |extent: u64, start: i64, bound: i64| {
        [base, base + 8 * count as u64, extent, start.cast_unsigned(), bound.cast_unsigned()]
    };
    let whole = words(count as u64, 0, count as i64);
    let (outcome, _) = pair.check_over(&whole, &mut memory);
    let sum = (0..count as u64).sum();
    assert_eq!(outcome, Outcome::Returned(vec![count as u64, sum], POLL_EVERY - 17));
    // An index beyond the end, after some rounds and after many.
    for extent in [5, count as u64 - 1] {
        let beyond = words(extent, 0, count as i64);
        let (outcome, _) = pair.check_over(&beyond, &mut memory);
        assert!(matches!(outcome, Outcome::Failed { .. }));
    }
    for (start, bound) in [(i64::MIN, i64::MIN), (i64::MAX, i64::MIN), (-3, i64::MAX)] {
        pair.check_over(&words(2, start, bound), &mut memory);
    }
}
