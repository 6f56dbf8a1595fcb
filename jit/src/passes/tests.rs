//! The passes together, over loops as they are typed.

use std::sync::Arc;

use super::run;
use crate::ir::{
    Block, Builder, Cond, Elem, Function, Opcode, PlaceId, Program, Stats, Terminator, Trap, Value,
    ValueList,
};
use crate::types::{ArrayLayout, Prim, Ty};

/// A function that is written for a test.
struct FunctionDraft {
    builder: Builder,
    params: ValueList,
}

impl FunctionDraft {
    fn new(params: Vec<Ty>) -> FunctionDraft {
        let (builder, params) = Builder::new(Arc::from("f"), params, PlaceId(0));
        FunctionDraft { builder, params }
    }

    fn op(&mut self, op: Opcode, args: &[Value]) -> Value {
        let prim = match op {
            Opcode::Cmp(..) | Opcode::FCmp(_) => Prim::Bool,
            Opcode::Offset => Prim::Ptr,
            Opcode::FAdd | Opcode::FMul | Opcode::Load(_) | Opcode::FDiv | Opcode::Math(_) => {
                Prim::F64
            }
            _ => Prim::Int,
        };
        self.builder.emit(op, args, prim)
    }

    fn step(&mut self, value: Value, by: i64) -> Value {
        let by = self.builder.int(by);
        self.op(Opcode::Add, &[value, by])
    }

    fn check_index(&mut self, index: Value, extent: Value) -> Value {
        let site = self.builder.site(Trap::Index(0, true));
        self.builder.push(Opcode::CheckIndex(site), &[index, extent], [Prim::Int])[0]
    }

    /// The address of an element of the array of a parameter.
    fn element(&mut self, array: usize, index: Value) -> Value {
        let [_, address, extent, stride] = self.array(array);
        let at = self.check_index(index, extent);
        let bytes = self.op(Opcode::Mul, &[at, stride]);
        self.op(Opcode::Offset, &[address, bytes])
    }

    fn load(&mut self, array: usize, index: Value) -> Value {
        let address = self.element(array, index);
        self.builder.push(Opcode::Load(Elem::F64), &[address], [Prim::F64])[0]
    }

    fn array(&self, at: usize) -> [Value; 4] {
        std::array::from_fn(|it| self.params[4 * at + it])
    }

    /// A loop over `range(start, stop)` that carries words besides its number.
    fn range(
        &mut self,
        start: Value,
        stop: Value,
        carried: &[Value],
        body: impl FnOnce(&mut FunctionDraft, Value, &[Value]) -> ValueList,
    ) -> ValueList {
        self.count(Cond::Lt, start, stop, carried, body)
    }

    /// A loop whose number counts up as long as it compares so with the end.
    fn count(
        &mut self,
        cond: Cond,
        start: Value,
        stop: Value,
        carried: &[Value],
        body: impl FnOnce(&mut FunctionDraft, Value, &[Value]) -> ValueList,
    ) -> ValueList {
        let prims: Vec<Prim> = std::iter::once(start)
            .chain(carried.iter().copied())
            .map(|it| self.builder.function.prim(it))
            .collect();
        let (head, params) = self.builder.add_block(prims);
        let args = std::iter::once(start).chain(carried.iter().copied()).collect();
        self.builder.end(Terminator::Jump((head, args)));
        self.builder.enter(head);
        let test = self.op(Opcode::Cmp(cond, true), &[params[0], stop]);
        let (inside, outside) = self.split(test);
        self.builder.enter(inside);
        let mut next = body(self, params[0], &params[1..]);
        let number = self.step(params[0], 1);
        next.insert(0, number);
        let site = self.builder.site(Trap::Call);
        self.builder.push(Opcode::Poll(site), &[], []);
        self.builder.end(Terminator::Jump((head, next)));
        self.builder.enter(outside);
        params[1..].into()
    }

    fn split(&mut self, test: Value) -> (Block, Block) {
        let (yes, _) = self.builder.add_block([]);
        let (no, _) = self.builder.add_block([]);
        self.builder.end(Terminator::Branch(test, (yes, ValueList::new()), (no, ValueList::new())));
        (yes, no)
    }

    fn ret(mut self, ty: Ty, words: &[Value]) -> Function {
        self.builder.function.result = ty;
        self.builder.end(Terminator::Return(words.into()));
        self.builder.function
    }
}

fn vector() -> Ty {
    Ty::array(Ty::float64(), 1, ArrayLayout::Any)
}

/// The text of a function after the passes, without places.
fn text(function: Function) -> String {
    let program = Program { functions: vec![function], ..Program::default() };
    let text = program.to_text();
    text.lines().map(|it| it.split("    #").next().unwrap_or_default().to_owned() + "\n").collect()
}

#[track_caller]
fn check(mut function: Function, expected: &str) -> Stats {
    let stats = run(&mut function);
    let found = text(function);
    let trimmed = |it: &str| it.trim().lines().map(|it| it.trim().to_owned()).collect::<Vec<_>>();
    assert_eq!(trimmed(&found), trimmed(expected), "{found}");
    stats
}

/// The program of `sum(a[i] * k for i in range(len(a)))`, where the body writes `k` each time.
fn sum_of_array() -> Function {
    let mut draft = FunctionDraft::new(vec![vector(), Ty::float64()]);
    let [.., extent, _] = draft.array(0);
    let factor = draft.params[4];
    let (zero, nothing) = (draft.builder.int(0), draft.builder.constant(0, Prim::F64));
    let sums = draft.range(zero, extent, &[nothing], |draft, at, sums| {
        let item = draft.load(0, at);
        let square = draft.op(Opcode::FMul, &[factor, factor]);
        let scaled = draft.op(Opcode::FMul, &[item, square]);
        ValueList::from_slice(&[draft.op(Opcode::FAdd, &[sums[0], scaled])])
    });
    draft.ret(Ty::float64(), &sums)
}

/// How many checks of an index a function has.
fn index_checks(function: &Function) -> usize {
    function.insts.iter().filter(|it| matches!(it.op, Opcode::CheckIndex(_))).count()
}

#[test]
fn loop_over_an_array_checks_nothing() {
    let stats = check(
        sum_of_array(),
        "func f(array(float64, 1d, A), float64) -> float64
        b0(%0: owner, %1: ptr, %2: int64, %3: int64, %4: float64):
        %5 = fmul.float64 %4, %4
        jump b1(0, 0.0)
        b1(%6: int64, %7: float64):
        %8 = cmp.lt %6, %2
        branch %8 b2() else b3()
        b2():
        %9 = mul.int64 %6, %3
        %10 = offset.ptr %1, %9
        %11 = load.f64 %10
        %12 = fmul.float64 %11, %5
        %13 = fadd.float64 %7, %12
        %14 = add.int64 %6, 1
        poll
        jump b1(%14, %13)
        b3():
        return %7
        ",
    );
    assert_eq!((stats.bounds, stats.hoisted), (1, 1));
}

/// `for i in range(low, n + high): a[i] = a[i - 1] + a[i] + a[i + 1]`, where `n` is the extent.
fn stencil(low: i64, high: i64) -> Function {
    let mut draft = FunctionDraft::new(vec![vector()]);
    let [.., extent, _] = draft.array(0);
    let start = draft.builder.int(low);
    let high = draft.builder.int(high.wrapping_neg());
    let stop = draft.op(Opcode::Sub, &[extent, high]);
    draft.range(start, stop, &[], |draft, at, _| {
        let (before, after) = (draft.step(at, -1), draft.step(at, 1));
        let [a, b, c] = [before, at, after].map(|it| draft.load(0, it));
        let sum = draft.op(Opcode::FAdd, &[a, b]);
        let sum = draft.op(Opcode::FAdd, &[sum, c]);
        let address = draft.element(0, at);
        draft.builder.push(Opcode::Store(Elem::F64), &[address, sum], []);
        ValueList::new()
    });
    draft.ret(Ty::none(), &[])
}

#[test]
fn neighbours_are_checked_only_where_they_may_be_missing() {
    for (low, high, left) in [(1, -1, 0), (0, -1, 1), (1, 0, 1), (0, 0, 2), (1, 1, 3), (-1, -1, 2)]
    {
        let mut function = stencil(low, high);
        run(&mut function);
        assert_eq!(index_checks(&function), left, "{low} {high}\n{}", text(function));
    }
}

#[test]
fn triangles_and_rows() {
    // for i in range(n): for j in range(i + 1, n): a[j] - a[i]; rows of the outer loop go before
    // the inner one.
    let mut draft = FunctionDraft::new(vec![vector()]);
    let [.., extent, _] = draft.array(0);
    let (zero, nothing) = (draft.builder.int(0), draft.builder.constant(0, Prim::F64));
    let sums = draft.range(zero, extent, &[nothing], |draft, i, sums| {
        let start = draft.step(i, 1);
        draft.range(start, extent, sums, |draft, j, sums| {
            let (a, b) = (draft.load(0, j), draft.load(0, i));
            let product = draft.op(Opcode::FMul, &[a, b]);
            ValueList::from_slice(&[draft.op(Opcode::FAdd, &[sums[0], product])])
        })
    });
    let mut function = draft.ret(Ty::float64(), &sums);
    let stats = run(&mut function);
    assert_eq!((index_checks(&function), stats.hoisted), (0, 2), "{}", text(function));
}

#[test]
fn what_is_checked_twice_is_checked_once() {
    // a[i] += a[i], and then a[-1], which is there.
    let mut draft = FunctionDraft::new(vec![vector(), Ty::int64()]);
    let (index, last) = (draft.params[4], draft.builder.int(-1));
    let (a, b) = (draft.load(0, index), draft.load(0, last));
    let sum = draft.op(Opcode::FAdd, &[a, b]);
    let address = draft.element(0, index);
    draft.builder.push(Opcode::Store(Elem::F64), &[address, sum], []);
    let stats = check(
        draft.ret(Ty::none(), &[]),
        "func f(array(float64, 1d, A), int64) -> none
        b0(%0: owner, %1: ptr, %2: int64, %3: int64, %4: int64):
        %5 = check_index %4, %2
        %6 = mul.int64 %5, %3
        %7 = offset.ptr %1, %6
        %8 = load.f64 %7
        %9 = add.int64 %2, -1
        %10 = mul.int64 %9, %3
        %11 = offset.ptr %1, %10
        %12 = load.f64 %11
        %13 = fadd.float64 %8, %12
        store.f64 %7, %13
        return
        ",
    );
    assert_eq!(stats.bounds, 2);
}

#[test]
fn other_extents_stay_checked() {
    let mut draft = FunctionDraft::new(vec![vector(), vector()]);
    let [.., extent, _] = draft.array(0);
    let zero = draft.builder.int(0);
    let nothing = draft.builder.constant(0, Prim::F64);
    let sums = draft.range(zero, extent, &[nothing], |draft, at, sums| {
        let (a, b) = (draft.load(0, at), draft.load(1, at));
        let product = draft.op(Opcode::FMul, &[a, b]);
        ValueList::from_slice(&[draft.op(Opcode::FAdd, &[sums[0], product])])
    });
    let mut function = draft.ret(Ty::float64(), &sums);
    run(&mut function);
    assert_eq!(index_checks(&function), 1, "{}", text(function));
}

#[test]
fn counters_that_move_alike_are_one() {
    // for k, x in enumerate(a): b[k] where the loop runs over both.
    let mut draft = FunctionDraft::new(vec![vector()]);
    let [.., extent, _] = draft.array(0);
    let zero = draft.builder.int(0);
    let nothing = draft.builder.constant(0, Prim::F64);
    let sums = draft.range(zero, extent, &[zero, nothing], |draft, at, carried| {
        let (a, b) = (draft.load(0, at), draft.load(0, carried[0]));
        let product = draft.op(Opcode::FMul, &[a, b]);
        let next = draft.step(carried[0], 1);
        ValueList::from_slice(&[next, draft.op(Opcode::FAdd, &[carried[1], product])])
    });
    let mut function = draft.ret(Ty::float64(), &sums[1..]);
    run(&mut function);
    assert_eq!(index_checks(&function), 0);
    assert_eq!(function.blocks[1].params.len(), 2, "{}", text(function));
}

/// Before the loop and its check, nothing is divided by zero.
#[test]
fn division_is_hoisted_over_a_guarded_divisor() {
    let mut draft = FunctionDraft::new(vec![Ty::int64(), Ty::int64()]);
    let (zero, count, divisor) = (draft.builder.int(0), draft.params[0], draft.params[1]);
    let sums = draft.range(zero, count, &[zero], |draft, _, sums| {
        let fits = draft.op(Opcode::Cmp(Cond::Ne, true), &[divisor, zero]);
        draft.builder.check(fits, Trap::ZeroDivision("division by zero"), &[]);
        let quotient = draft.op(Opcode::FloorDiv, &[count, divisor]);
        let half = draft.builder.int(2);
        let half = draft.op(Opcode::FloorDiv, &[count, half]);
        let sum = draft.op(Opcode::Add, &[quotient, half]);
        ValueList::from_slice(&[draft.op(Opcode::Add, &[sums[0], sum])])
    });
    check(
        draft.ret(Ty::int64(), &sums),
        "func f(int64, int64) -> int64
        b0(%0: int64, %1: int64):
        %2 = cmp.ne %1, 0
        %3 = cmp.eq %1, 0
        %4 = select.int64 %3, 1, %1
        %5 = floordiv.int64 %0, %4
        %6 = sar.int64 %0, 1
        %7 = add.int64 %5, %6
        jump b1(0, 0)
        b1(%8: int64, %9: int64):
        %10 = cmp.lt %8, %0
        branch %10 b2() else b3()
        b2():
        check %2
        %11 = add.int64 %9, %7
        %12 = add.int64 %8, 1
        poll
        jump b1(%12, %11)
        b3():
        return %9
        ",
    );
}

/// Whether a check that the number of a loop is not negative is removed; with no end, a parameter.
fn rises(cond: Cond, end: Option<i64>) -> bool {
    let mut draft = FunctionDraft::new(vec![Ty::int64()]);
    let zero = draft.builder.int(0);
    let stop = end.map_or(draft.params[0], |it| draft.builder.int(it));
    draft.count(cond, zero, stop, &[], |draft, at, _| {
        let fits = draft.op(Opcode::Cmp(Cond::Ge, true), &[at, zero]);
        draft.builder.check(fits, Trap::Broadcast, &[]);
        ValueList::new()
    });
    run(&mut draft.ret(Ty::none(), &[])).checks > 0
}

#[test]
fn numbers_that_may_wrap_do_not_rise() {
    assert!(rises(Cond::Lt, None) && rises(Cond::Le, Some(1 << 40)));
    assert!(!rises(Cond::Le, None) && !rises(Cond::Le, Some(i64::MAX)) && !rises(Cond::Ne, None));
}

/// `while i < n`, where a turn may move `i` by one and, with `is_twice`, does so once more.
fn moved(is_twice: bool) -> usize {
    let mut draft = FunctionDraft::new(vec![Ty::int64(), Ty::bool()]);
    let (zero, stop, moves) = (draft.builder.int(0), draft.params[0], draft.params[1]);
    let (head, params) = draft.builder.add_block([Prim::Int]);
    draft.builder.end(Terminator::Jump((head, ValueList::from_slice(&[zero]))));
    draft.builder.enter(head);
    let test = draft.op(Opcode::Cmp(Cond::Lt, true), &[params[0], stop]);
    let (inside, outside) = draft.split(test);
    draft.builder.enter(inside);
    let fits = draft.op(Opcode::Cmp(Cond::Ge, true), &[params[0], zero]);
    draft.builder.check(fits, Trap::Broadcast, &[]);
    let once = draft.step(params[0], 1);
    let next = draft.builder.emit(Opcode::Select, &[moves, once, params[0]], Prim::Int);
    let next = if is_twice { draft.step(next, 1) } else { next };
    draft.builder.end(Terminator::Jump((head, ValueList::from_slice(&[next]))));
    draft.builder.enter(outside);
    let mut function = draft.ret(Ty::none(), &[]);
    run(&mut function);
    function.insts.iter().filter(|it| matches!(it.op, Opcode::Check(_))).count()
}

#[test]
fn only_one_step_is_bounded_by_the_test() {
    assert_eq!((moved(false), moved(true)), (0, 1));
}

#[test]
fn windows_and_reversed_ranges() {
    // for i in range(n): for j in range(max(i - 2, 0), min(i + 3, n)): a[j]
    let mut draft = FunctionDraft::new(vec![vector()]);
    let [.., extent, _] = draft.array(0);
    let (zero, nothing) = (draft.builder.int(0), draft.builder.constant(0, Prim::F64));
    let sums = draft.range(zero, extent, &[nothing], |draft, i, sums| {
        let (first, last) = (draft.step(i, -2), draft.step(i, 3));
        let below = draft.op(Opcode::Cmp(Cond::Gt, true), &[zero, first]);
        let first = draft.builder.emit(Opcode::Select, &[below, zero, first], Prim::Int);
        let above = draft.op(Opcode::Cmp(Cond::Lt, true), &[extent, last]);
        let last = draft.builder.emit(Opcode::Select, &[above, extent, last], Prim::Int);
        draft.range(first, last, sums, |draft, j, sums| {
            let item = draft.load(0, j);
            ValueList::from_slice(&[draft.op(Opcode::FAdd, &[sums[0], item])])
        })
    });
    let mut function = draft.ret(Ty::float64(), &sums);
    run(&mut function);
    assert_eq!(index_checks(&function), 0, "{}", text(function));

    // for i in reversed(range(n)): a[i], where the length is none below 0.
    let mut draft = FunctionDraft::new(vec![vector()]);
    let [.., extent, _] = draft.array(0);
    let (zero, minus) = (draft.builder.int(0), draft.builder.int(-1));
    let is_some = draft.op(Opcode::Cmp(Cond::Lt, true), &[zero, extent]);
    let length = draft.builder.emit(Opcode::Select, &[is_some, extent, zero], Prim::Int);
    let last = draft.step(length, -1);
    let (head, params) = draft.builder.add_block([Prim::Int]);
    draft.builder.end(Terminator::Jump((head, ValueList::from_slice(&[last]))));
    draft.builder.enter(head);
    let test = draft.op(Opcode::Cmp(Cond::Gt, true), &[params[0], minus]);
    let (inside, outside) = draft.split(test);
    draft.builder.enter(inside);
    let address = draft.element(0, params[0]);
    let word = draft.builder.constant(0, Prim::F64);
    draft.builder.push(Opcode::Store(Elem::F64), &[address, word], []);
    let next = draft.step(params[0], -1);
    draft.builder.end(Terminator::Jump((head, ValueList::from_slice(&[next]))));
    draft.builder.enter(outside);
    let mut function = draft.ret(Ty::none(), &[]);
    run(&mut function);
    assert_eq!(index_checks(&function), 0, "{}", text(function));
}

/// A loop of `turns` turns that adds its number to what it carries.
fn short_loop(turns: i64) -> Function {
    let mut draft = FunctionDraft::new(vec![Ty::int64()]);
    let (zero, stop, x) = (draft.builder.int(0), draft.builder.int(turns), draft.params[0]);
    let sums = draft.range(zero, stop, &[zero], |draft, at, sums| {
        let product = draft.op(Opcode::Mul, &[x, at]);
        ValueList::from_slice(&[draft.op(Opcode::Add, &[sums[0], product])])
    });
    draft.ret(Ty::int64(), &sums)
}

#[test]
fn short_loops_are_written_out() {
    let stats = check(
        short_loop(3),
        "func f(int64) -> int64
        b0(%0: int64):
        %1 = mul.int64 %0, 2
        %2 = add.int64 %0, %1
        return %2
        ",
    );
    assert_eq!(stats.unrolled, 1);
    for (turns, unrolled) in [(0, 1), (1, 1), (9, 1), (10, 0), (i64::MAX, 0)] {
        assert_eq!(run(&mut short_loop(turns)).unrolled, unrolled, "{turns}");
    }
}

/// The less of two numbers, found by a branch, one way of which divides if asked to.
fn branch(divides: bool) -> Function {
    let mut draft = FunctionDraft::new(vec![Ty::int64(), Ty::int64()]);
    let (a, b) = (draft.params[0], draft.params[1]);
    let test = draft.op(Opcode::Cmp(Cond::Lt, true), &[a, b]);
    let (yes, no) = draft.split(test);
    let (join, params) = draft.builder.add_block([Prim::Int]);
    draft.builder.enter(yes);
    let given = if divides { draft.op(Opcode::FloorDiv, &[a, b]) } else { draft.step(a, 1) };
    draft.builder.end(Terminator::Jump((join, ValueList::from_slice(&[given]))));
    draft.builder.enter(no);
    draft.builder.end(Terminator::Jump((join, ValueList::from_slice(&[b]))));
    draft.builder.enter(join);
    draft.ret(Ty::int64(), &params)
}

#[test]
fn ways_of_cheap_numbers_become_a_selection() {
    let stats = check(
        branch(false),
        "func f(int64, int64) -> int64
        b0(%0: int64, %1: int64):
        %2 = cmp.lt %0, %1
        %3 = add.int64 %0, 1
        %4 = select.int64 %2, %3, %1
        return %4
        ",
    );
    assert_eq!(stats.selected, 1);
    // The divisor may be zero where nobody divides.
    assert_eq!(run(&mut branch(true)).selected, 0);
}

/// `while a > 0 and a < b: a = f(a)`, where the conjunction is a parameter of a block.
fn conjunction() -> Function {
    let mut draft = FunctionDraft::new(vec![Ty::int64(), Ty::int64()]);
    let (a, b) = (draft.params[0], draft.params[1]);
    let (head, vars) = draft.builder.add_block([Prim::Int]);
    draft.builder.end(Terminator::Jump((head, ValueList::from_slice(&[a]))));
    draft.builder.enter(head);
    let zero = draft.builder.int(0);
    let is_positive = draft.op(Opcode::Cmp(Cond::Gt, true), &[vars[0], zero]);
    let (second, _) = draft.builder.add_block([]);
    let (joined, both) = draft.builder.add_block([Prim::Bool]);
    let otherwise = (joined, ValueList::from_slice(&[is_positive]));
    draft.builder.end(Terminator::Branch(is_positive, (second, ValueList::new()), otherwise));
    draft.builder.enter(second);
    let less = draft.op(Opcode::FloorMod, &[vars[0], b]);
    let is_less = draft.op(Opcode::Cmp(Cond::Lt, true), &[less, b]);
    draft.builder.end(Terminator::Jump((joined, ValueList::from_slice(&[is_less]))));
    draft.builder.enter(joined);
    let (inside, outside) = draft.split(both[0]);
    draft.builder.enter(inside);
    let next = draft.step(vars[0], -3);
    let site = draft.builder.site(Trap::Call);
    draft.builder.push(Opcode::Poll(site), &[], []);
    draft.builder.end(Terminator::Jump((head, ValueList::from_slice(&[next]))));
    draft.builder.enter(outside);
    draft.ret(Ty::int64(), &[vars[0]])
}

#[test]
fn conjunctions_are_two_branches() {
    check(
        conjunction(),
        "func f(int64, int64) -> int64
        b0(%0: int64, %1: int64):
        jump b1(%0)
        b1(%2: int64):
        %3 = cmp.gt %2, 0
        branch %3 b2() else b4()
        b2():
        %4 = floormod.int64 %2, %1
        %5 = cmp.lt %4, %1
        branch %5 b3() else b4()
        b3():
        %6 = add.int64 %2, -3
        poll
        jump b1(%6)
        b4():
        return %2
        ",
    );
}

/// The sine of a number, of half of it, and of the sum of these sines.
#[test]
fn calls_of_one_function_follow_each_other() {
    let mut draft = FunctionDraft::new(vec![Ty::float64()]);
    let x = draft.params[0];
    let sine = Opcode::Math(crate::ir::MathFn::named("sin").expect("a row"));
    let first = draft.op(sine, &[x]);
    let square = draft.op(Opcode::FMul, &[first, first]);
    let half = draft.builder.constant(0.3_f64.to_bits(), Prim::F64);
    let half = draft.op(Opcode::FMul, &[x, half]);
    let second = draft.op(sine, &[half]);
    let sum = draft.op(Opcode::FAdd, &[square, second]);
    let third = draft.op(sine, &[sum]);
    check(
        draft.ret(Ty::float64(), &[third]),
        "func f(float64) -> float64
        b0(%0: float64):
        %1 = fmul.float64 %0, 0.3
        %2 = math.sin.float64 %0
        %3 = math.sin.float64 %1
        %4 = fmul.float64 %2, %2
        %5 = fadd.float64 %4, %3
        %6 = math.sin.float64 %5
        return %6
        ",
    );
}
