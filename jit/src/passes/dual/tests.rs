//! Derivatives against finite differences: of each rule, of loops and calls, and of each other.

use std::sync::Arc;

use proptest::prelude::*;

use super::{Undifferentiable, differentiate};
use crate::entry::Frame;
use crate::ir::{
    Builder, Cond, Elem, FuncId, Function, MATH, MathFn, Opcode, PlaceId, Program, RuntimeCall,
    Terminator, Trap, Value, ValueList,
};
use crate::passes::{check as check_program, run};
use crate::types::{ArrayLayout, Prim, Ty};
use crate::vm::Machine;

type DerivativeResult = Result<Function, Undifferentiable>;

/// A function of so many numbers.
fn function(count: usize, write: impl FnOnce(&mut Builder, &[Value]) -> Value) -> Function {
    let (mut builder, params) =
        Builder::new(Arc::from("f"), vec![Ty::float64(); count], PlaceId(0));
    builder.function.result = Ty::float64();
    let result = write(&mut builder, &params);
    builder.end(Terminator::Return(ValueList::from_slice(&[result])));
    builder.function
}

fn number(builder: &mut Builder, number: f64) -> Value {
    builder.constant(number.to_bits(), Prim::F64)
}

fn derivative(function: &Function, at: usize) -> DerivativeResult {
    let active: Vec<bool> = (0..function.params.len()).map(|it| it == at).collect();
    let mut callee = |_, _| -> Result<FuncId, Undifferentiable> { panic!("nothing is called") };
    differentiate(function, &active, &mut callee)
}

fn call(functions: Vec<Function>, args: &[f64], count: usize) -> Vec<f64> {
    let mut program = Program { functions, ..Program::default() };
    for function in &mut program.functions {
        check_program(function, "the draft");
        run(function);
    }
    let machine = Machine::new(program).expect("it is short");
    let words: Vec<u64> = args.iter().map(|it| it.to_bits()).collect();
    let mut results = vec![0; count];
    // SAFETY: numbers of 64 bits are what the function takes and gives, so many of them.
    let is_fine = unsafe { machine.run(&mut Frame::new(), &words, &mut results) };
    assert!(is_fine, "it returns");
    results.into_iter().map(f64::from_bits).collect()
}

/// The slope by central differences.
fn difference(function: &Function, args: &[f64], at: usize) -> f64 {
    let value = |by: f64| {
        let mut args = args.to_vec();
        args[at] += by;
        call(vec![function.clone()], &args, 1)[0]
    };
    let step = 1e-5 * args[at].abs().max(1.0);
    (8.0 * (value(step) - value(-step)) - (value(2.0 * step) - value(-2.0 * step))) / (12.0 * step)
}

#[track_caller]
fn check(function: &Function, args: &[f64], at: usize) {
    let derived = derivative(function, at).expect("it has a derivative");
    let mut given = args.to_vec();
    given.push(1.0);
    let found = call(vec![derived], &given, 2);
    assert_eq!(found[0].to_bits(), call(vec![function.clone()], args, 1)[0].to_bits());
    let expected = difference(function, args, at);
    let error = (found[1] - expected).abs() / expected.abs().max(1.0);
    assert!(error < 1e-7, "{} is not {expected} at {args:?}, {at}", found[1]);
}

#[test]
fn each_function_has_a_rule() {
    for (row, math) in (0..).zip(MATH) {
        let op = Opcode::Math(MathFn(row));
        let arity = MathFn(row).arity();
        let of = function(arity, |builder, x| builder.push(op, x, [Prim::F64])[0]);
        let points: &[[f64; 2]] = match math.name {
            "acosh" => &[[1.5, 0.0], [3.0, 0.0]],
            "polygamma" => &[[1.0, 2.5], [2.0, 0.7]],
            "nextafter" | "round_to" => &[[0.55, 3.0]],
            _ => &[[0.3, 2.3], [0.75, -1.7], [0.9, 0.4]],
        };
        for point in points {
            for at in 0..arity {
                match math.name {
                    // Its order is whole.
                    "polygamma" if at == 0 => {}
                    "round_to" => {
                        let derived = derivative(&of, at).expect("it is constant");
                        assert_eq!(call(vec![derived], &[0.55, 3.0, 1.0], 2)[1], 0.0);
                    }
                    _ => check(&of, &point[..arity], at),
                }
            }
        }
    }
}

#[test]
fn arithmetic_has_rules() {
    for op in [Opcode::FAdd, Opcode::FSub, Opcode::FMul, Opcode::FDiv] {
        let of = function(2, |builder, x| builder.push(op, x, [Prim::F64])[0]);
        check(&of, &[1.3, -0.7], 0);
        check(&of, &[1.3, -0.7], 1);
        let same = function(1, |builder, x| builder.push(op, &[x[0], x[0]], [Prim::F64])[0]);
        check(&same, &[1.3], 0);
    }
    let of = function(3, |builder, x| builder.push(Opcode::FMulAdd, x, [Prim::F64])[0]);
    (0..3).for_each(|at| check(&of, &[1.3, -0.7, 2.1], at));
    let same = function(1, |builder, x| builder.push(Opcode::FMulAdd, &[x[0]; 3], [Prim::F64])[0]);
    check(&same, &[1.3], 0);
    for op in [
        Opcode::FNeg,
        Opcode::FAbs,
        Opcode::FSqrt,
        Opcode::FFloor,
        Opcode::FCeil,
        Opcode::FTrunc,
        Opcode::FRint,
    ] {
        let of = function(1, |builder, x| builder.push(op, x, [Prim::F64])[0]);
        check(&of, &[1.3], 0);
        if op != Opcode::FSqrt {
            check(&of, &[-2.2], 0);
        }
    }
}

#[test]
fn what_does_not_depend_brings_no_nan() {
    // x log(y), where y is zero and x alone matters.
    let of = function(2, |builder, x| {
        let log = MathFn::named("log").expect("it is there");
        let log = builder.push(Opcode::Math(log), &[x[1]], [Prim::F64])[0];
        let one = number(builder, 1.0);
        let plus = builder.push(Opcode::FAdd, &[x[0], one], [Prim::F64])[0];
        let is_zero = builder.push(Opcode::FCmp(Cond::Eq), &[x[1], x[1]], [Prim::Bool])[0];
        builder.push(Opcode::Select, &[is_zero, plus, log], [Prim::F64])[0]
    });
    let derived = derivative(&of, 0).expect("it has a derivative");
    assert_eq!(call(vec![derived], &[2.0, 0.0, 1.0], 2), [3.0, 1.0]);
}

/// The power of x by a loop of so many turns.
fn power(turns: i64) -> Function {
    function(1, |builder, x| {
        let (zero, one) = (builder.int(0), number(builder, 1.0));
        let (head, params) = builder.add_block([Prim::Int, Prim::F64]);
        let (body, _) = builder.add_block([]);
        let (after, _) = builder.add_block([]);
        builder.end(Terminator::Jump((head, ValueList::from_slice(&[zero, one]))));
        builder.enter(head);
        let count = builder.int(turns);
        let more = builder.push(Opcode::Cmp(Cond::Lt, true), &[params[0], count], [Prim::Bool])[0];
        builder.end(Terminator::Branch(more, (body, ValueList::new()), (after, ValueList::new())));
        builder.enter(body);
        let step = builder.int(1);
        let next = builder.push(Opcode::Add, &[params[0], step], [Prim::Int])[0];
        let product = builder.push(Opcode::FMul, &[params[1], x[0]], [Prim::F64])[0];
        let site = builder.site(Trap::Call);
        builder.push(Opcode::Poll(site), &[], []);
        builder.end(Terminator::Jump((head, ValueList::from_slice(&[next, product]))));
        builder.enter(after);
        params[1]
    })
}

#[test]
fn loops_carry_tangents() {
    for turns in 0..6 {
        check(&power(turns), &[1.7], 0);
    }
}

#[test]
fn derivatives_have_derivatives() {
    let first = derivative(&power(5), 0).expect("it has a derivative");
    // With respect to x: 20 x³ follows 5 x⁴, in the tangent of the tangent.
    let active = [true, false];
    let mut callee = |_, _| -> Result<FuncId, Undifferentiable> { panic!("nothing is called") };
    let second = differentiate(&first, &active, &mut callee).expect("it has a derivative");
    let found = call(vec![second], &[2.0, 1.0, 1.0], 4);
    assert_eq!(found, [32.0, 80.0, 80.0, 160.0]);
}

#[test]
fn calls_have_tangents() {
    let callee = function(2, |builder, x| builder.push(Opcode::FMul, x, [Prim::F64])[0]);
    let caller = function(1, |builder, x| {
        let site = builder.site(Trap::Call);
        let three = number(builder, 3.0);
        let op = Opcode::Call(RuntimeCall::Function(FuncId(1)), site);
        builder.push(op, &[x[0], three], [Prim::F64])[0]
    });
    let mut asked = Vec::new();
    let derived: DerivativeResult = differentiate(&caller, &[true], &mut |id, active| {
        asked.push((id, active));
        Ok(FuncId(1))
    });
    assert_eq!(asked, [(FuncId(1), vec![true, false])]);
    let inner = derivative(&callee, 0).expect("it has a derivative");
    let derived = derived.expect("it has a derivative");
    assert_eq!(call(vec![derived, inner], &[5.0, 1.0], 2), [15.0, 3.0]);
}

#[test]
fn memory_is_refused() {
    let array = Ty::array(Ty::float64(), 1, ArrayLayout::C);
    let (mut builder, params) =
        Builder::new(Arc::from("f"), vec![array, Ty::float64()], PlaceId(7));
    builder.push(Opcode::Store(Elem::F64), &[params[1], params[4]], []);
    builder.end(Terminator::Return(ValueList::new()));
    let refused = derivative(&builder.function, 0).map(|_| ());
    assert!(refused.is_ok(), "what is written does not depend on it");
    let active = [false, false, false, false, true];
    let mut callee = |_, _| -> Result<FuncId, Undifferentiable> { panic!("nothing is called") };
    let refused = differentiate(&builder.function, &active, &mut callee);
    assert_eq!(refused.err().map(|it| it.place), Some(PlaceId(7)));
}

/// A program of smooth instructions by choices, with branches and a loop.
fn smooth(choices: &[(u8, u8, u8)]) -> Function {
    function(2, |builder, x| {
        let half = number(builder, 0.5);
        let mut known = vec![x[0], x[1], half];
        for (op, a, b) in choices {
            let pick = |at: u8| known[usize::from(at) % known.len()];
            let (a, b) = (pick(*a), pick(*b));
            let one = |builder: &mut Builder, name: &str, x: Value| {
                let function = MathFn::named(name).expect("it is there");
                builder.push(Opcode::Math(function), &[x], [Prim::F64])[0]
            };
            let made = match op % 8 {
                0 => builder.push(Opcode::FAdd, &[a, b], [Prim::F64])[0],
                1 => builder.push(Opcode::FSub, &[a, b], [Prim::F64])[0],
                2 => builder.push(Opcode::FMul, &[a, b], [Prim::F64])[0],
                3 => one(builder, "sin", a),
                4 => one(builder, "tanh", a),
                5 => one(builder, "atan", a),
                6 => {
                    let is_less =
                        builder.push(Opcode::FCmp(Cond::Lt), &[x[0], half], [Prim::Bool])[0];
                    builder.push(Opcode::Select, &[is_less, a, b], [Prim::F64])[0]
                }
                _ => branch(builder, x[1], a, b),
            };
            known.push(made);
        }
        let last = known[known.len() - 1];
        let function = MathFn::named("tanh").expect("it is there");
        builder.push(Opcode::Math(function), &[last], [Prim::F64])[0]
    })
}

/// `a * b if x < 0.25 else a + b`, by blocks.
fn branch(builder: &mut Builder, x: Value, a: Value, b: Value) -> Value {
    let quarter = number(builder, 0.25);
    let test = builder.push(Opcode::FCmp(Cond::Lt), &[x, quarter], [Prim::Bool])[0];
    let (then, _) = builder.add_block([]);
    let (other, _) = builder.add_block([]);
    let (after, joined) = builder.add_block([Prim::F64]);
    builder.end(Terminator::Branch(test, (then, ValueList::new()), (other, ValueList::new())));
    for (block, op) in [(then, Opcode::FMul), (other, Opcode::FAdd)] {
        builder.enter(block);
        let made = builder.push(op, &[a, b], [Prim::F64]);
        builder.end(Terminator::Jump((after, made)));
    }
    builder.enter(after);
    joined[0]
}

proptest! {
    #[test]
    fn random_programs_have_the_slopes_of_differences(
        choices in prop::collection::vec(any::<(u8, u8, u8)>(), 1..20),
        x in prop::sample::select(vec![-1.3, -0.4, 0.1, 0.9, 1.6]),
        y in prop::sample::select(vec![-0.8, 0.0, 0.7, 2.1]),
    ) {
        let mut of = smooth(&choices);
        for at in 0..2 {
            let derived = derivative(&of, at).expect("it has a derivative");
            let found = call(vec![derived], &[x, y, 1.0], 2)[1];
            let expected = difference(&of, &[x, y], at);
            // Steep programs have no exact differences.
            prop_assume!(expected.is_finite() && expected.abs() < 1e3);
            prop_assert!((found - expected).abs() < 1e-5 * expected.abs().max(1.0));
        }
        // What the passes leave has the same derivative.
        let before = derivative(&of, 0).expect("it has a derivative");
        run(&mut of);
        let after = derivative(&of, 0).expect("it has a derivative");
        let args = [x, y, 1.0];
        prop_assert_eq!(
            call(vec![before], &args, 2)[1].to_bits(),
            call(vec![after], &args, 2)[1].to_bits()
        );
    }
}
