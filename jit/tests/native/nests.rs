//! Loops in loops, over arrays: indices that are sums of counters and of what moves by an amount that
//! is not known before, ends within and beyond, more rounds in all than lie between two questions
//! whether to stop, and functions of real numbers over elements.

use opwright_jit::ir::{
    Block, Builder, Cond, Convert, Elem, MATH, MathFn, Opcode, PlaceId, Program, Terminator, Trap,
    Value, ValueList,
};
use opwright_jit::types::{Prim, Ty};
use proptest::prelude::*;

use super::outcome::{Pair, program};

/// A loop within a loop, and what is done in a round.
#[derive(Clone, Copy, Debug)]
struct Plan {
    conds: [Cond; 2],
    steps: [i64; 2],
    distance: i64,
    /// Whether the loop within is run for some of the rounds around it only.
    is_conditional: bool,
    /// Whether that loop ends at an element of this many.
    early: Option<i64>,
    /// A third loop within, of so many rounds.
    third: Option<i64>,
}

fn to(block: Block, args: &[Value]) -> (Block, ValueList) {
    (block, ValueList::from_slice(args))
}

struct Draft {
    b: Builder,
}

impl Draft {
    /// A loop that carries a number and what moves by `stride`; it goes on behind it.
    fn count(
        &mut self,
        cond: Cond,
        step: i64,
        [start, bound]: [Value; 2],
        [sum, place, stride]: [Value; 3],
        body: impl FnOnce(&mut Draft, Value, Value, Value, Block) -> Value,
    ) -> Value {
        let b = &mut self.b;
        let (head, vars) = b.add_block([Prim::Int; 3]);
        let ((inside, _), (after, results)) = (b.add_block([]), b.add_block([Prim::Int]));
        b.end(Terminator::Jump(to(head, &[start, sum, place])));
        b.enter(head);
        let more = b.emit(Opcode::Cmp(cond, true), &[vars[0], bound], Prim::Bool);
        b.end(Terminator::Branch(more, to(inside, &[]), to(after, &[vars[1]])));
        b.enter(inside);
        let sum = body(self, vars[0], vars[1], vars[2], after);
        let b = &mut self.b;
        let step = b.int(step);
        let next = b.emit(Opcode::Add, &[vars[0], step], Prim::Int);
        let moved = b.emit(Opcode::Add, &[vars[2], stride], Prim::Int);
        let site = b.site(Trap::Call);
        b.push(Opcode::Poll(site), &[], []);
        b.end(Terminator::Jump(to(head, &[next, sum, moved])));
        b.enter(after);
        results[0]
    }

    fn address(&mut self, base: Value, index: Value, extent: Value) -> Value {
        let b = &mut self.b;
        let site = b.site(Trap::Index(0, true));
        let index = b.push(Opcode::CheckIndex(site), &[index, extent], [Prim::Int])[0];
        let size = b.int(8);
        let bytes = b.emit(Opcode::Mul, &[index, size], Prim::Int);
        b.emit(Opcode::Offset, &[base, bytes], Prim::Ptr)
    }

    fn sum(&mut self, a: Value, b: Value) -> Value {
        self.b.emit(Opcode::Add, &[a, b], Prim::Int)
    }
}

/// `f(read, written, extent, stop, inner start, inner stop, stride)`
fn nested(plan: Plan) -> Program {
    let (b, args) = Builder::new("f".into(), vec![Ty::int64(); 7], PlaceId(0));
    let [from, into, extent, stop, start, inner_stop, stride] = args[..] else { panic!("seven") };
    let mut draft = Draft { b };
    let zero = draft.b.int(0);
    let first = draft.b.int(if plan.steps[0] > 0 { 0 } else { 30 });
    let range = [first, stop];
    let [cond, inner_cond] = plan.conds;
    let sum =
        draft.count(cond, plan.steps[0], range, [zero, zero, stride], |d, i, sum, place, _| {
            let joined = plan.is_conditional.then(|| {
                let one = d.b.int(1);
                let odd = d.b.emit(Opcode::And, &[i, one], Prim::Int);
                let is_odd = d.b.emit(Opcode::Cmp(Cond::Ne, true), &[odd, zero], Prim::Bool);
                let ((inside, _), (after, joined)) =
                    (d.b.add_block([]), d.b.add_block([Prim::Int]));
                d.b.end(Terminator::Branch(is_odd, to(inside, &[]), to(after, &[sum])));
                d.b.enter(inside);
                (after, joined[0])
            });
            let carried = [sum, place, stride];
            let ends = [start, inner_stop];
            let sum =
                d.count(inner_cond, plan.steps[1], ends, carried, |d, j, sum, moved, after| {
                    body(d, plan, [from, into, extent], [i, j, sum, place, moved], after)
                });
            let Some((after, joined)) = joined else { return sum };
            d.b.end(Terminator::Jump(to(after, &[sum])));
            d.b.enter(after);
            joined
        });
    let mut b = draft.b;
    b.end(Terminator::Return(ValueList::from_slice(&[sum])));
    b.function.result = Ty::int64();
    program(vec![b.function])
}

fn body(
    d: &mut Draft,
    plan: Plan,
    [from, into, extent]: [Value; 3],
    [i, j, sum, place, moved]: [Value; 5],
    after: Block,
) -> Value {
    let distance = d.b.int(plan.distance);
    let index = d.sum(i, j);
    let index = d.sum(index, distance);
    let address = d.address(from, index, extent);
    let item = d.b.push(Opcode::Load(Elem::I64), &[address], [Prim::Int])[0];
    let mut sum = d.sum(sum, item);
    if let Some(early) = plan.early {
        let early = d.b.int(early);
        let ends = d.b.emit(Opcode::Cmp(Cond::Eq, true), &[item, early], Prim::Bool);
        let (goes_on, _) = d.b.add_block([]);
        d.b.end(Terminator::Branch(ends, to(after, &[sum]), to(goes_on, &[])));
        d.b.enter(goes_on);
    }
    if let Some(rounds) = plan.third {
        let (zero, rounds) = (d.b.int(0), d.b.int(rounds));
        let carried = [sum, zero, zero];
        sum = d.count(Cond::Ne, 1, [zero, rounds], carried, |d, k, sum, _, _| {
            let index = d.sum(j, k);
            let address = d.address(from, index, extent);
            let item = d.b.push(Opcode::Load(Elem::I64), &[address], [Prim::Int])[0];
            d.sum(sum, item)
        });
    }
    let place = d.sum(place, moved);
    let address = d.address(into, place, extent);
    let before = d.b.push(Opcode::Load(Elem::I64), &[address], [Prim::Int])[0];
    let now = d.b.emit(Opcode::Xor, &[before, sum], Prim::Int);
    d.b.push(Opcode::Store(Elem::I64), &[address, now], []);
    sum
}

const EXTENT: i64 = 60;

fn check(pair: &Pair, numbers: [i64; 4], apart: usize) {
    const ROOM: usize = 64;
    let mut memory: Vec<u64> = (0..2 * ROOM as u64 + 140).map(|it| it * it % 61).collect();
    let base = memory.as_mut_ptr().expose_provenance() as u64;
    let address = |at: usize| base + 8 * (ROOM + at) as u64;
    let mut words = vec![address(0), address(apart), EXTENT.cast_unsigned()];
    words.extend(numbers.map(i64::cast_unsigned));
    pair.check_over(&words, &mut memory);
}

fn plans() -> impl Strategy<Value = Plan> {
    let conds = || prop::sample::select(vec![Cond::Lt, Cond::Le]);
    let steps = || prop::sample::select(vec![1, 1, 2, 3]);
    let rest = (
        any::<[bool; 3]>(),
        prop::option::weighted(0.2, 0..61_i64),
        prop::option::weighted(0.3, 0..6_i64),
    );
    ([conds(), conds()], [steps(), steps()], -3..4_i64, rest).prop_map(
        |(conds, steps, distance, (flags, early, third))| {
            let [is_down, is_inner_down, is_conditional] = flags;
            let turned = |is_down: bool, cond: Cond, step: i64| match (is_down, cond) {
                (false, _) => (cond, step),
                (true, Cond::Lt) => (Cond::Gt, -step),
                (true, _) => (Cond::Ge, -step),
            };
            let (cond, step) = turned(is_down, conds[0], steps[0]);
            let (inner_cond, inner_step) = turned(is_inner_down, conds[1], steps[1]);
            let (conds, steps) = ([cond, inner_cond], [step, inner_step]);
            Plan { conds, steps, distance, is_conditional, early, third }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 40,
        max_shrink_iters: 60,
        ..ProptestConfig::default()
    })]

    #[test]
    fn nests_do_the_same(
        plan in plans(),
        ends in prop::collection::vec(
            (-4..34_i64, -4..30_i64, -4..30_i64, -1..3_i64, 0..50_usize), 20..50),
    ) {
        let pair = Pair::with_c(|| nested(plan));
        for (stop, start, inner_stop, stride, apart) in ends {
            check(&pair, [stop, start, inner_stop, stride], apart);
        }
        for bound in [i64::MAX, i64::MAX - 1, i64::MIN, i64::MIN + 1] {
            check(&pair, [5, bound, bound, 0], 7);
        }
        for stride in [i64::MAX, i64::MIN, 1 << 24, 1 << 62, -(1 << 40)] {
            check(&pair, [5, 0, 4, stride], 0);
        }
    }
}

/// What a loop over elements does besides.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Plain,
    /// A function of what earlier rounds computed.
    Carried,
    /// It raises where an element is this, or the third argument is.
    Tested(f64),
}

/// `for i in range(count): into[i] = f(from[i]) * f(from[i + 1])`
fn of_elements(row: usize, kind: Kind) -> Program {
    let function = MathFn(row as u16);
    let (b, args) = Builder::new("f".into(), vec![Ty::int64(); 4], PlaceId(0));
    let [from, into, extent, count] = args[..] else { panic!("four words") };
    let mut draft = Draft { b };
    let (zero, one) = (draft.b.int(0), draft.b.int(1));
    let sum = draft.count(Cond::Lt, 1, [zero, count], [zero, zero, one], |d, i, sum, _, _| {
        let mut numbers = Vec::new();
        for distance in [0, 1] {
            let distance = d.b.int(distance);
            let index = d.sum(i, distance);
            let address = d.address(from, index, extent);
            numbers.push(d.b.push(Opcode::Load(Elem::F64), &[address], [Prim::F64])[0]);
        }
        if let Kind::Tested(unwanted) = kind {
            let unwanted = d.b.constant(unwanted.to_bits(), Prim::F64);
            let scaled = d.b.emit(Opcode::FMul, &[numbers[1], unwanted], Prim::F64);
            let square = d.b.emit(Opcode::FMul, &[unwanted, unwanted], Prim::F64);
            let fits = d.b.emit(Opcode::FCmp(Cond::Ne), &[scaled, square], Prim::Bool);
            d.b.check(fits, Trap::ZeroDivision("unwanted"), &[]);
            let is_wide = d.b.emit(Opcode::Cmp(Cond::Ne, true), &[extent, zero], Prim::Bool);
            d.b.check(is_wide, Trap::ZeroDivision("no extent"), &[]);
        }
        if kind == Kind::Carried {
            let sum = d.b.emit(Opcode::Convert(Convert::ToF64(true)), &[sum], Prim::F64);
            let small = d.b.constant(1e-3_f64.to_bits(), Prim::F64);
            numbers[0] = d.b.emit(Opcode::FMul, &[sum, small], Prim::F64);
        }
        let operands = |at: usize| [numbers[at], numbers[1 - at]];
        let [a, b] = [0, 1].map(|at| {
            let operands = operands(at);
            d.b.emit(Opcode::Math(function), &operands[..function.arity()], Prim::F64)
        });
        let product = d.b.emit(Opcode::FMul, &[a, b], Prim::F64);
        // Numbers that are none differ in bits that nobody reads.
        let nothing = d.b.constant(0, Prim::F64);
        let is_number = d.b.emit(Opcode::FCmp(Cond::Eq), &[product, product], Prim::Bool);
        let product = d.b.emit(Opcode::Select, &[is_number, product, nothing], Prim::F64);
        let address = d.address(into, i, extent);
        d.b.push(Opcode::Store(Elem::F64), &[address, product], []);
        d.sum(sum, i)
    });
    let mut b = draft.b;
    b.end(Terminator::Return(ValueList::from_slice(&[sum])));
    b.function.result = Ty::int64();
    program(vec![b.function])
}

/// Functions over elements have the same bits, however many of them are computed at once, also over
/// arrays that overlap.
#[test]
fn functions_of_elements_do_the_same() {
    const COUNT: usize = 45;
    const NOWHERE: f64 = 1234.5;
    let number =
        |it: usize| (it as f64 * 0.171 - 1.3) * if it.is_multiple_of(7) { 9.0 } else { 1.0 };
    for (row, math) in MATH.iter().enumerate().filter(|(_, it)| it.blocks.is_some()) {
        for kind in [Kind::Plain, Kind::Carried, Kind::Tested(NOWHERE), Kind::Tested(number(33))] {
            let pair = Pair::with_c(|| of_elements(row, kind));
            for (count, apart) in [(COUNT - 1, COUNT), (29, 1), (7, 0), (COUNT, COUNT)] {
                let mut memory: Vec<u64> =
                    (0..2 * COUNT).map(|it| number(it % COUNT).to_bits()).collect();
                let base = memory.as_mut_ptr().expose_provenance() as u64;
                let words = [base, base + 8 * apart as u64, COUNT as u64, count as u64];
                let before = memory.clone();
                let (_, after) = pair.check_over(&words, &mut memory);
                assert_ne!(after, before, "{} wrote nothing", math.name);
            }
        }
    }
}
