//! Random programs: straight lines, branches, loops, checks and calls over all kinds of numbers.
//!
//! What nobody prescribes stays out: the sign and the payload of what is no number, so neither is
//! made a whole number, nor a sign to copy.

use std::sync::Arc;

use opwright_jit::ir::{
    Block, Builder, Cond, Convert, FuncId, Function, MATH, MathF64, MathFn, Opcode, PlaceId,
    Program, RuntimeCall, Terminator, Trap, Value, ValueList,
};
use opwright_jit::types::{Prim, Ty};
use proptest::prelude::*;

use super::outcome::{Pair, edges, program, type_of};

const PRIMS: [Prim; 4] = [Prim::Int, Prim::F64, Prim::F32, Prim::Bool];
const PARAMS: [Prim; 6] = [Prim::Int, Prim::Int, Prim::F64, Prim::F64, Prim::F32, Prim::Bool];
const CONDS: [Cond; 6] = [Cond::Eq, Cond::Ne, Cond::Lt, Cond::Le, Cond::Gt, Cond::Ge];
const INT_OPS: [Opcode; 12] = [
    Opcode::Add,
    Opcode::Sub,
    Opcode::Mul,
    Opcode::And,
    Opcode::Or,
    Opcode::Xor,
    Opcode::Shl,
    Opcode::Sar,
    Opcode::Shr,
    Opcode::Gcd,
    Opcode::Add,
    Opcode::Sub,
];
const DIVISIONS: [Opcode; 6] = [
    Opcode::Div(true),
    Opcode::Div(false),
    Opcode::Rem(true),
    Opcode::Rem(false),
    Opcode::FloorDiv,
    Opcode::FloorMod,
];
const FLOAT_OPS: [Opcode; 4] = [Opcode::FAdd, Opcode::FSub, Opcode::FMul, Opcode::FDiv];
const FLOAT_ONE: [Opcode; 7] = [
    Opcode::FNeg,
    Opcode::FAbs,
    Opcode::FSqrt,
    Opcode::FFloor,
    Opcode::FCeil,
    Opcode::FTrunc,
    Opcode::FRint,
];

/// Decisions, one after the other; none left is 0.
struct Choices<'a> {
    left: std::slice::Iter<'a, u16>,
}

impl Choices<'_> {
    fn below(&mut self, count: usize) -> usize {
        self.left.next().map_or(0, |it| usize::from(*it) % count)
    }

    fn of<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

/// A function that is being made up.
struct Maker<'a, 'b> {
    choices: &'a mut Choices<'b>,
    builder: Builder,
    /// The values that are there, by kind, in the order of [`PRIMS`].
    pools: [Vec<Value>; 4],
    /// The functions after this one, which it may call.
    callees: std::ops::Range<u32>,
}

fn kind(prim: Prim) -> usize {
    PRIMS.iter().position(|it| *it == prim).unwrap_or(0)
}

fn to(block: Block, args: &[Value]) -> (Block, ValueList) {
    (block, ValueList::from_slice(args))
}

impl Maker<'_, '_> {
    fn pick(&mut self, prim: Prim) -> Value {
        let pool = &self.pools[kind(prim)];
        // The newest are picked more often.
        let at = self.choices.below(2 * pool.len() + 1);
        let constants = edges(prim);
        match at {
            0 => {
                let bits = self.choices.of(&constants);
                self.builder.constant(bits, prim)
            }
            _ => pool[pool.len() - 1 - (at - 1) / 2],
        }
    }

    fn keep(&mut self, op: Opcode, args: &[Value], prim: Prim) {
        let value = self.builder.emit(op, args, prim);
        self.pools[kind(prim)].push(value);
    }

    fn statements(&mut self, depth: usize) {
        for _ in 0..self.choices.below(12 - 3 * depth) + 2 {
            match self.choices.below(16) {
                0..=2 => self.whole(),
                3 => self.division(),
                4..=6 => self.real(),
                7 => self.compare(),
                8 | 9 => self.convert(),
                10 => self.select(),
                11 => self.check(),
                12 => self.call(),
                13 | 14 if depth < 3 => self.branch(depth),
                15 if depth < 3 => self.repeat(depth),
                _ => self.math(),
            }
        }
    }

    fn whole(&mut self) {
        let op = self.choices.of(&INT_OPS);
        let prim = match op {
            Opcode::And | Opcode::Or | Opcode::Xor if self.choices.below(2) == 0 => Prim::Bool,
            _ => Prim::Int,
        };
        let (a, b) = (self.pick(prim), self.pick(prim));
        self.keep(op, &[a, b], prim);
    }

    fn division(&mut self) {
        let op = self.choices.of(&DIVISIONS);
        let (a, b) = (self.pick(Prim::Int), self.pick(Prim::Int));
        let zero = self.builder.int(0);
        let truth = self.builder.emit(Opcode::Cmp(Cond::Ne, true), &[b, zero], Prim::Bool);
        if self.choices.below(2) == 0 {
            self.builder.check(truth, Trap::ZeroDivision("division by zero"), &[a]);
            self.keep(op, &[a, b], Prim::Int);
        } else {
            let one = self.builder.int(1);
            let divisor = self.builder.emit(Opcode::Select, &[truth, b, one], Prim::Int);
            self.keep(op, &[a, divisor], Prim::Int);
        }
    }

    fn real(&mut self) {
        let prim = self.choices.of(&[Prim::F64, Prim::F64, Prim::F32]);
        if self.choices.below(3) == 0 {
            let op = self.choices.of(&FLOAT_ONE);
            let a = self.pick(prim);
            return self.keep(op, &[a], prim);
        }
        let op = self.choices.of(&FLOAT_OPS);
        let (a, b) = (self.pick(prim), self.pick(prim));
        self.keep(op, &[a, b], prim);
    }

    fn compare(&mut self) {
        let cond = self.choices.of(&CONDS);
        let prim = self.choices.of(&PRIMS);
        let op = match prim {
            Prim::F64 | Prim::F32 => Opcode::FCmp(cond),
            _ => Opcode::Cmp(cond, self.choices.below(2) == 0),
        };
        let (a, b) = (self.pick(prim), self.pick(prim));
        self.keep(op, &[a, b], Prim::Bool);
    }

    fn convert(&mut self) {
        let is_signed = self.choices.below(2) == 0;
        let bits = self.choices.of(&[8, 16, 32, 5]);
        let (convert, from, result) = match self.choices.below(8) {
            0 => (Convert::Wrap(bits, is_signed), Prim::Int, Prim::Int),
            1 => (Convert::ToF64(is_signed), Prim::Int, Prim::F64),
            2 => (Convert::ToF32(is_signed), Prim::Int, Prim::F32),
            3 => (Convert::FromF64(is_signed), Prim::F64, Prim::Int),
            4 => (Convert::Demote, Prim::F64, Prim::F32),
            5 => (Convert::Promote, Prim::F32, Prim::F64),
            6 => (Convert::ToF16, Prim::F32, Prim::F32),
            _ => (Convert::ToF64(is_signed), Prim::Bool, Prim::F64),
        };
        let a = self.pick(from);
        self.keep(Opcode::Convert(convert), &[a], result);
    }

    fn select(&mut self) {
        let prim = self.choices.of(&PRIMS);
        let (truth, a, b) = (self.pick(Prim::Bool), self.pick(prim), self.pick(prim));
        self.keep(Opcode::Select, &[truth, a, b], prim);
    }

    fn math(&mut self) {
        let at = self.choices.below(MATH.len());
        let row = &MATH[at];
        if ["copysign", "round_to"].contains(&row.name) {
            return;
        }
        let prim = self.choices.of(&[Prim::F64, Prim::F32]);
        let op = Opcode::Math(MathFn(at as u16));
        let (a, b) = (self.pick(prim), self.pick(prim));
        match row.f64 {
            MathF64::One(_) => self.keep(op, &[a], prim),
            MathF64::Two(_) => self.keep(op, &[a, b], prim),
        }
    }

    /// A check that mostly holds, or an index that mostly lies within.
    fn check(&mut self) {
        if self.choices.below(2) == 0 {
            let index = self.pick(Prim::Int);
            let extent = self.builder.int(1 << self.choices.below(63));
            let site = self.builder.site(Trap::Index(0, false));
            let value =
                self.builder.push(Opcode::CheckIndex(site), &[index, extent], [Prim::Int])[0];
            return self.pools[0].push(value);
        }
        let (a, b) = (self.pick(Prim::Bool), self.pick(Prim::Bool));
        let truth = self.builder.emit(Opcode::Or, &[a, b], Prim::Bool);
        let (shown, also) = (self.pick(Prim::Int), self.pick(Prim::Bool));
        self.builder.check(truth, Trap::Value(Arc::from("no")), &[shown, also]);
    }

    fn call(&mut self) {
        if self.callees.is_empty() {
            return;
        }
        let callee = self.callees.start + self.choices.below(self.callees.len()) as u32;
        let args: Vec<Value> = PARAMS.iter().map(|it| self.pick(*it)).collect();
        let site = self.builder.site(Trap::Call);
        let call = Opcode::Call(RuntimeCall::Function(FuncId(callee)), site);
        let results = results(callee);
        let values = self.builder.push(call, &args, results.iter().copied());
        for (value, prim) in values.iter().zip(results) {
            self.pools[kind(*prim)].push(*value);
        }
    }

    /// Two ways, which meet with a value of each kind, or of which one raises.
    fn branch(&mut self, depth: usize) {
        let truth = self.pick(Prim::Bool);
        let ((then, _), (other, _)) = (self.builder.add_block([]), self.builder.add_block([]));
        let (join, params) = self.builder.add_block(PRIMS);
        self.builder.end(Terminator::Branch(truth, to(then, &[]), to(other, &[])));
        for (block, may_raise) in [(then, false), (other, true)] {
            let saved = self.pools.clone();
            self.builder.enter(block);
            self.statements(depth + 1);
            if may_raise && self.choices.below(8) == 7 {
                let site = self.builder.site(Trap::Value(Arc::from("raised")));
                let shown = self.pick(Prim::Int);
                self.builder.end(Terminator::Raise(site, ValueList::from_slice(&[shown])));
            } else {
                let args = PRIMS.map(|it| self.pick(it));
                self.builder.end(Terminator::Jump(to(join, &args)));
            }
            self.pools = saved;
        }
        self.builder.enter(join);
        for (param, prim) in params.iter().zip(PRIMS) {
            self.pools[kind(prim)].push(*param);
        }
    }

    /// A few rounds, which hand on a value of each kind.
    fn repeat(&mut self, depth: usize) {
        let rounds = self.builder.int(self.choices.below(5) as i64);
        let (head, params) = self.builder.add_block(PRIMS.into_iter().chain([Prim::Int]));
        let ((body, _), (after, _)) = (self.builder.add_block([]), self.builder.add_block([]));
        let first = PRIMS.map(|it| self.pick(it));
        let zero = self.builder.int(0);
        self.builder.end(Terminator::Jump(to(head, &[&first[..], &[zero]].concat())));
        self.builder.enter(head);
        for (param, prim) in params.iter().zip(PRIMS) {
            self.pools[kind(prim)].push(*param);
        }
        let round = params[4];
        let more = self.builder.emit(Opcode::Cmp(Cond::Lt, true), &[round, rounds], Prim::Bool);
        self.builder.end(Terminator::Branch(more, to(body, &[]), to(after, &[])));
        let saved = self.pools.clone();
        self.builder.enter(body);
        self.statements(depth + 1);
        let site = self.builder.site(Trap::Call);
        self.builder.push(Opcode::Poll(site), &[], []);
        let one = self.builder.int(1);
        let next = self.builder.emit(Opcode::Add, &[round, one], Prim::Int);
        let again = PRIMS.map(|it| self.pick(it));
        self.builder.end(Terminator::Jump(to(head, &[&again[..], &[next]].concat())));
        self.pools = saved;
        self.builder.enter(after);
    }
}

/// What a function returns: few words for some, many for others.
fn results(function: u32) -> &'static [Prim] {
    match function % 3 {
        0 => &[Prim::Int, Prim::F64, Prim::F32, Prim::Bool],
        1 => &[Prim::F64, Prim::F32, Prim::Int],
        _ => &[Prim::Bool],
    }
}

fn made_up(choices: &mut Choices<'_>, number: u32, count: u32) -> Function {
    let params: Vec<Ty> = PARAMS.iter().map(|it| type_of(*it)).collect();
    let (builder, args) = Builder::new(format!("f{number}").into(), params, PlaceId(0));
    let pools = PRIMS.map(|prim| {
        let of_kind = args.iter().zip(PARAMS).filter(|(_, it)| *it == prim);
        of_kind.map(|(value, _)| *value).collect()
    });
    let mut maker = Maker { choices, builder, pools, callees: number + 1..count };
    maker.statements(0);
    maker.statements(0);
    let returned: ValueList = results(number).iter().map(|it| maker.pick(*it)).collect();
    maker.builder.end(Terminator::Return(returned));
    let types: Vec<Ty> = results(number).iter().map(|it| type_of(*it)).collect();
    maker.builder.function.result = Ty::tuple(types);
    maker.builder.function
}

fn made_up_program(choices: &[u16]) -> Program {
    let mut choices = Choices { left: choices.iter() };
    program((0..3).map(|it| made_up(&mut choices, it, 3)).collect())
}

/// Runs a program over some edges, and over words of any bits in the first place of two kinds.
fn check_program(pair: &Pair, args: &[[u16; 6]], words: [u64; 2]) {
    for picks in args {
        let mut args: Vec<u64> = PARAMS
            .iter()
            .zip(picks)
            .map(|(prim, pick)| edges(*prim)[usize::from(*pick) % edges(*prim).len()])
            .collect();
        pair.check(&args);
        args[0] = words[0];
        args[2] = words[1];
        pair.check(&args);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn programs_do_the_same(
        choices in prop::collection::vec(any::<u16>(), 0..1500),
        args in prop::collection::vec(any::<[u16; 6]>(), 1..8),
        words in any::<[u64; 2]>(),
    ) {
        check_program(&Pair::new(|| made_up_program(&choices)), &args, words);
    }
}

#[cfg(feature = "cc")]
proptest! {
    // A C compiler takes a tenth of a second for each, and what fails is not made smaller for long.
    #![proptest_config(ProptestConfig {
        cases: 24,
        max_shrink_iters: 100,
        ..ProptestConfig::default()
    })]

    #[test]
    fn programs_do_the_same_as_c(
        choices in prop::collection::vec(any::<u16>(), 0..1500),
        args in prop::collection::vec(any::<[u16; 6]>(), 8..32),
        words in any::<[u64; 2]>(),
    ) {
        check_program(&Pair::with_c(|| made_up_program(&choices)), &args, words);
    }
}
