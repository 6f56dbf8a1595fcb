//! Random programs give the same before and after the passes: results to the bit, memory, and the
//! first failure with its words.

use std::sync::Arc;

use proptest::prelude::*;

use crate::entry::Frame;
use crate::ir::{
    Block, Builder, Cond, Convert, Elem, Function, MathFn, Opcode, PlaceId, Program, SiteId,
    Terminator, Trap, Value, ValueList,
};
use crate::types::{ArrayLayout, Prim, Ty};
use crate::vm::Machine;

const INTS: usize = 5;
const FLOATS: usize = 3;
const BOOLS: usize = 2;

/// How many elements the memory has around the array.
const PADDING: usize = 64;

/// A program that is written by choices: variables of three kinds, as inference binds locals.
struct ProgramDraft {
    builder: Builder,
    choices: Vec<u16>,
    at: usize,
    vars: Vec<Value>,
    /// Address, extent and stride of the array.
    array: [Value; 3],
    /// How many turns are left to all loops.
    fuel: usize,
    depth: usize,
}

const ELEMENTS: [i64; 12] = [0, 1, -1, 2, 3, 4, 7, 8, -3, 64, i64::MAX, i64::MIN];
const NUMBERS: [f64; 9] =
    [0.0, -0.0, 1.0, -2.5, 0.5, 1e300, f64::NAN, f64::INFINITY, f64::MIN_POSITIVE];

impl ProgramDraft {
    /// Number `0..count`; the first when choices run out.
    fn pick(&mut self, count: usize) -> usize {
        let choice = self.choices.get(self.at).copied().unwrap_or(0);
        self.at += 1;
        usize::from(choice) % count
    }

    fn push(&mut self, op: Opcode, args: &[Value], prim: Prim) -> Value {
        self.builder.push(op, args, [prim])[0]
    }

    fn int(&mut self) -> Value {
        match self.pick(4) {
            0 => {
                let at = self.pick(ELEMENTS.len());
                self.builder.int(ELEMENTS[at])
            }
            1 if self.pick(2) == 0 => self.array[1],
            _ => {
                let at = self.pick(INTS);
                self.vars[at]
            }
        }
    }

    fn float(&mut self) -> Value {
        if self.pick(4) == 0 {
            let at = self.pick(NUMBERS.len());
            return self.builder.constant(NUMBERS[at].to_bits(), Prim::F64);
        }
        let at = self.pick(FLOATS);
        self.vars[INTS + at]
    }

    fn bool(&mut self) -> Value {
        match self.pick(8) {
            0 => {
                let truth = self.pick(2) == 1;
                self.builder.bool(truth)
            }
            1 => {
                let (a, b, at) = (self.float(), self.float(), self.pick(6));
                self.push(Opcode::FCmp(cond(at)), &[a, b], Prim::Bool)
            }
            2 => {
                let at = self.pick(BOOLS);
                self.vars[INTS + FLOATS + at]
            }
            3 => {
                let (op, a, b) = (self.pick(3), self.pick(BOOLS), self.pick(BOOLS));
                let (a, b) = (self.vars[INTS + FLOATS + a], self.vars[INTS + FLOATS + b]);
                self.push([Opcode::And, Opcode::Or, Opcode::Xor][op], &[a, b], Prim::Bool)
            }
            4 => {
                let (of, one) = (self.compare(), self.builder.bool(true));
                self.push(Opcode::Xor, &[of, one], Prim::Bool)
            }
            _ => self.compare(),
        }
    }

    fn compare(&mut self) -> Value {
        let (a, b, at, is_signed) = (self.int(), self.int(), self.pick(6), self.pick(4) != 0);
        self.push(Opcode::Cmp(cond(at), is_signed), &[a, b], Prim::Bool)
    }

    fn site(&mut self) -> SiteId {
        self.builder.site(Trap::Value("checked".into()))
    }

    fn check(&mut self, truth: Value, shown: Value) {
        let site = self.site();
        self.builder.push(Opcode::Check(site), &[truth, shown], []);
    }

    fn whole(&mut self) -> Value {
        let (a, b) = (self.int(), self.int());
        match self.pick(20) {
            0..=3 => {
                let by = self.builder.int([1, -1, 1, 2][self.at % 4]);
                self.push(Opcode::Add, &[a, by], Prim::Int)
            }
            4 => self.push(Opcode::Sub, &[a, b], Prim::Int),
            5 => self.push(Opcode::Mul, &[a, b], Prim::Int),
            6 => self.push([Opcode::And, Opcode::Or, Opcode::Xor][self.at % 3], &[a, b], Prim::Int),
            7 => {
                self.push([Opcode::Shl, Opcode::Sar, Opcode::Shr][self.at % 3], &[a, b], Prim::Int)
            }
            8 => self.divide(a, b),
            9 => {
                let by = self.builder.int([1, 2, 8, -1, 3, i64::MIN][self.at % 6]);
                let op = self.division();
                self.push(op, &[a, by], Prim::Int)
            }
            10 => {
                let bits = [8, 16, 32, 64][self.pick(4)];
                let convert = Convert::Wrap(bits, self.pick(2) == 0);
                self.push(Opcode::Convert(convert), &[a], Prim::Int)
            }
            11 if self.pick(2) == 0 => {
                let cond = [Cond::Lt, Cond::Le, Cond::Gt, Cond::Ge][self.pick(4)];
                let test = self.push(Opcode::Cmp(cond, true), &[a, b], Prim::Bool);
                let (yes, no) = if self.pick(2) == 0 { (a, b) } else { (b, a) };
                self.push(Opcode::Select, &[test, yes, no], Prim::Int)
            }
            11 => {
                let truth = self.bool();
                self.push(Opcode::Select, &[truth, a, b], Prim::Int)
            }
            12 => {
                let of = self.float();
                self.push(Opcode::Convert(Convert::FromF64(true)), &[of], Prim::Int)
            }
            13..=16 if self.pick(3) == 0 => {
                let site = self.site();
                self.push(Opcode::CheckIndex(site), &[a, self.array[1]], Prim::Int)
            }
            17 if self.pick(2) == 0 => {
                let site = self.site();
                self.push(Opcode::CheckIndex(site), &[a, b], Prim::Int)
            }
            _ => a,
        }
    }

    fn division(&mut self) -> Opcode {
        let all = [
            Opcode::FloorDiv,
            Opcode::FloorMod,
            Opcode::Div(true),
            Opcode::Rem(true),
            Opcode::Div(false),
            Opcode::Rem(false),
        ];
        all[self.pick(6)]
    }

    fn divide(&mut self, a: Value, b: Value) -> Value {
        let zero = self.builder.int(0);
        let fits = self.push(Opcode::Cmp(Cond::Ne, true), &[b, zero], Prim::Bool);
        self.check(fits, a);
        let op = self.division();
        self.push(op, &[a, b], Prim::Int)
    }

    fn real(&mut self) -> Value {
        let (a, b) = (self.float(), self.float());
        match self.pick(9) {
            0..=3 => {
                let op = [Opcode::FAdd, Opcode::FSub, Opcode::FMul, Opcode::FDiv][self.at % 4];
                self.push(op, &[a, b], Prim::F64)
            }
            4 => self.push(
                [Opcode::FNeg, Opcode::FAbs, Opcode::FSqrt, Opcode::FFloor][self.at % 4],
                &[a],
                Prim::F64,
            ),
            5 => self.push(
                Opcode::Math(MathFn::named("fmod").unwrap_or(MathFn(0))),
                &[a, b],
                Prim::F64,
            ),
            6 => {
                let of = self.int();
                self.push(Opcode::Convert(Convert::ToF64(true)), &[of], Prim::F64)
            }
            7 => {
                let truth = self.bool();
                self.push(Opcode::Select, &[truth, a, b], Prim::F64)
            }
            _ => {
                let address = self.element();
                self.push(Opcode::Load(Elem::F64), &[address], Prim::F64)
            }
        }
    }

    /// The address of an element.
    fn element(&mut self) -> Value {
        let [address, extent, stride] = self.array;
        let (mut index, site) = (self.int(), self.site());
        if self.pick(4) != 0 {
            let mask = self.builder.int(3);
            index = self.push(Opcode::And, &[index, mask], Prim::Int);
        }
        let at = self.push(Opcode::CheckIndex(site), &[index, extent], Prim::Int);
        let bytes = self.push(Opcode::Mul, &[at, stride], Prim::Int);
        self.push(Opcode::Offset, &[address, bytes], Prim::Ptr)
    }

    fn statements(&mut self, count: usize) {
        for _ in 0..count {
            self.statement();
        }
    }

    fn statement(&mut self) {
        match self.pick(16) {
            0..=4 => {
                let (to, value) = (self.pick(INTS), self.whole());
                self.vars[to] = value;
            }
            5 | 6 => {
                let (to, value) = (self.pick(FLOATS), self.real());
                self.vars[INTS + to] = value;
            }
            7 => {
                let (to, value) = (self.pick(BOOLS), self.bool());
                self.vars[INTS + FLOATS + to] = value;
            }
            8 => {
                let (address, value) = (self.element(), self.float());
                self.builder.push(Opcode::Store(Elem::F64), &[address, value], []);
            }
            9 if self.pick(4) == 0 => {
                let (truth, shown) = (self.bool(), self.int());
                self.check(truth, shown);
            }
            10 | 11 if self.depth < 3 => self.branch(),
            12..=14 if self.depth < 3 => self.loop_(),
            _ => {
                let (to, from) = (self.pick(INTS), self.int());
                self.vars[to] = from;
            }
        }
    }

    fn block(&mut self) -> Block {
        self.builder.add_block([]).0
    }

    fn split(&mut self, test: Value) -> (Block, Block) {
        let (yes, no) = (self.block(), self.block());
        self.builder.end(Terminator::Branch(test, (yes, ValueList::new()), (no, ValueList::new())));
        (yes, no)
    }

    /// A block that takes all variables, which the block at hand goes on to.
    fn joined(&mut self) -> (Block, ValueList) {
        let prims: Vec<Prim> = self.vars.iter().map(|it| self.builder.function.prim(*it)).collect();
        self.builder.add_block(prims)
    }

    fn branch(&mut self) {
        let test = self.bool();
        let (yes, no) = self.split(test);
        let before = self.vars.clone();
        let (join, params) = self.joined();
        self.depth += 1;
        for block in [yes, no] {
            self.builder.enter(block);
            self.vars.clone_from(&before);
            let count = self.pick(3);
            self.statements(count);
            let args = self.vars.iter().copied().collect();
            self.builder.end(Terminator::Jump((join, args)));
        }
        self.depth -= 1;
        self.builder.enter(join);
        self.vars = params.to_vec();
    }

    /// A loop by a number up or down, or by a condition; the fuel of all ends it.
    fn loop_(&mut self) {
        let kind = self.pick(4);
        let number = self.pick(INTS);
        let (start, stop) = (self.int(), self.int());
        let zero = self.builder.int(0);
        if kind < 3 {
            self.vars[number] = if kind == 0 { zero } else { start };
        }
        let stop = if kind == 0 { self.array[1] } else { stop };
        let (head, params) = self.joined();
        self.builder.end(Terminator::Jump((head, self.vars.iter().copied().collect())));
        self.builder.enter(head);
        self.vars = params.to_vec();
        let test = match kind {
            0 | 1 => {
                let cond = [Cond::Lt, Cond::Lt, Cond::Le, Cond::Ne][self.pick(4)];
                self.push(Opcode::Cmp(cond, true), &[self.vars[number], stop], Prim::Bool)
            }
            2 => self.push(Opcode::Cmp(Cond::Ge, true), &[self.vars[number], stop], Prim::Bool),
            _ => self.bool(),
        };
        let (inside, outside) = self.split(test);
        let after = self.vars.clone();
        self.builder.enter(inside);
        self.burn();
        let counter = self.vars[number];
        self.depth += 1;
        let count = self.pick(5);
        self.statements(count);
        self.depth -= 1;
        if kind < 3 {
            let by = self.builder.int(if kind == 2 { -1 } else { 1 });
            // Now and then from what the body made of it.
            let from = if self.pick(4) == 0 { self.vars[number] } else { counter };
            self.vars[number] = self.push(Opcode::Add, &[from, by], Prim::Int);
        }
        let site = self.site();
        self.builder.push(Opcode::Poll(site), &[], []);
        self.builder.end(Terminator::Jump((head, self.vars.iter().copied().collect())));
        self.builder.enter(outside);
        self.vars = after;
    }

    fn burn(&mut self) {
        let (one, zero) = (self.builder.int(1), self.builder.int(0));
        self.vars[self.fuel] = self.push(Opcode::Sub, &[self.vars[self.fuel], one], Prim::Int);
        let fits =
            self.push(Opcode::Cmp(Cond::Gt, true), &[self.vars[self.fuel], zero], Prim::Bool);
        self.check(fits, zero);
    }
}

fn cond(at: usize) -> Cond {
    [Cond::Lt, Cond::Le, Cond::Eq, Cond::Ne, Cond::Gt, Cond::Ge][at]
}

/// The program of these choices; its variables are the parameters beside the array.
fn program(choices: Vec<u16>) -> Function {
    let kinds = [vec![Ty::int64(); INTS], vec![Ty::float64(); FLOATS], vec![Ty::bool(); BOOLS]];
    let kinds = kinds.concat();
    let params = [vec![Ty::array(Ty::float64(), 1, ArrayLayout::Any)], kinds.clone()].concat();
    let (builder, words) = Builder::new(Arc::from("f"), params, PlaceId(0));
    let mut draft = ProgramDraft {
        builder,
        choices,
        at: 0,
        vars: words[4..].to_vec(),
        array: [words[1], words[2], words[3]],
        fuel: words.len() - 4,
        depth: 0,
    };
    let fuel = draft.builder.int(200);
    draft.vars.push(fuel);
    let count = 4 + draft.pick(8);
    draft.statements(count);
    draft.builder.function.result = Ty::tuple(kinds);
    let results = draft.vars[..INTS + FLOATS + BOOLS].iter().copied().collect();
    draft.builder.end(Terminator::Return(results));
    draft.builder.function
}

/// What a run gives: results or the failure, and the memory.
#[derive(Debug, PartialEq)]
struct RunOutcome {
    results: Result<Vec<u64>, (u32, Vec<u64>)>,
    memory: Vec<u64>,
}

fn outcome(function: Function, args: &[u64], extent: usize) -> RunOutcome {
    let machine = Machine::new(Program { functions: vec![function], ..Program::default() });
    let machine = machine.expect("it has few values");
    let mut memory: Vec<u64> =
        (0..2 * PADDING + extent).map(|it| (it as f64 * 1.25 - 81.0).to_bits()).collect();
    let address = memory[PADDING..].as_mut_ptr().expose_provenance() as u64;
    let mut words = vec![0, address, extent as u64, 8];
    words.extend(args);
    let mut results = vec![0; INTS + FLOATS + BOOLS];
    let mut frame = Frame::new();
    // SAFETY: the words are those of the types, and the memory lives until the run ends.
    let is_done = unsafe { machine.run(&mut frame, &words, &mut results) };
    let results = match frame.error {
        None if is_done => Ok(results),
        Some(failed) => Err((failed.trace[0].1.0, failed.words)),
        None => Err((u32::MAX, Vec::new())),
    };
    RunOutcome { results, memory }
}

fn check(choices: Vec<u16>, ints: [i64; INTS], floats: [f64; FLOATS], extent: usize) {
    let before = program(choices);
    let mut after = before.clone();
    super::run(&mut after);
    let mut args: Vec<u64> = ints.iter().map(|it| it.cast_unsigned()).collect();
    args.extend(floats.iter().map(|it| it.to_bits()));
    args.extend([1, 0]);
    let text = |function: &Function| {
        Program { functions: vec![function.clone()], ..Program::default() }.to_text()
    };
    let texts = (text(&before), text(&after));
    let (expected, found) = (outcome(before, &args, extent), outcome(after, &args, extent));
    assert!(expected == found, "{expected:?}\n{found:?}\n{}\n{}", texts.0, texts.1);
}

fn int() -> impl Strategy<Value = i64> {
    prop_oneof![-3_i64..9, Just(i64::MAX), Just(i64::MIN), any::<i64>()]
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        max_shrink_iters: 20_000,
        ..ProptestConfig::default()
    })]

    #[test]
    fn programs_stay_what_they_are(
        choices in prop::collection::vec(any::<u16>(), 0..400),
        ints in prop::array::uniform(int()),
        floats in prop::array::uniform(prop_oneof![-3.0..9.0, any::<f64>()]),
        extent in prop_oneof![0_usize..7, 4_usize..9],
    ) {
        check(choices, ints, floats, extent);
    }
}
