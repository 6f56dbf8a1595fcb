//! What fails, with site, words and trace.

use std::sync::Arc;

use opwright_jit::entry::{Cause, Frame, POLL_EVERY};
use opwright_jit::ir::{
    Block, Cond, External, ExternalCallee, FuncId, Function, Opcode, Program, RuntimeCall,
    Terminator, Trap, Value,
};
use opwright_jit::types::{Prim, Ty};

use super::outcome::{Outcome, Pair, edges, function, program};

fn value_error(text: &str) -> Trap {
    Trap::Value(Arc::from(text))
}

#[test]
fn checks_show_words() {
    let params = [Ty::bool(), Ty::int64(), Ty::float64(), Ty::float32(), Ty::bool()];
    let pair = Pair::with_c(|| {
        program(vec![function("f", &params, Ty::int64(), |builder, args| {
            builder.site(value_error("unused"));
            builder.check(args[0], value_error("shown"), &args[1..]);
            vec![args[1]]
        })])
    });
    let shown = [7, 2.5_f64.to_bits(), u64::from(1.5_f32.to_bits()), 1];
    let args = |truth: u64| [[truth].as_slice(), &shown].concat();
    assert_eq!(pair.check(&args(1)), Outcome::Returned(vec![7], POLL_EVERY));
    let failed = pair.check(&args(0));
    let expected =
        Outcome::Failed { cause: "Site".to_owned(), trace: vec![(0, 1)], words: shown.to_vec() };
    assert_eq!(failed, expected);
}

#[test]
fn indices_count_from_the_start() {
    let pair = Pair::with_c(|| {
        program(vec![function("f", &[Ty::int64(), Ty::int64()], Ty::int64(), |builder, args| {
            let site = builder.site(Trap::Index(0, true));
            builder.push(Opcode::CheckIndex(site), args, [Prim::Int]).to_vec()
        })])
    });
    for index in edges(Prim::Int) {
        for extent in [0, 1, 3, 64, i64::MAX] {
            pair.check(&[index, extent.cast_unsigned()]);
        }
    }
}

#[test]
fn constant_indices_count_from_the_start() {
    for index in [0, 1, 2, -1, -2, -3, i64::MAX, i64::MIN] {
        let pair = Pair::with_c(|| {
            program(vec![function("f", &[Ty::int64()], Ty::int64(), |builder, args| {
                let (site, index) = (builder.site(Trap::Index(0, true)), builder.int(index));
                builder.push(Opcode::CheckIndex(site), &[index, args[0]], [Prim::Int]).to_vec()
            })])
        });
        for extent in [0, 1, 2, 3, i64::MAX] {
            pair.check(&[extent.cast_unsigned()]);
        }
    }
}

/// A function that raises, and the same through two calls.
#[test]
fn traces_name_the_calls() {
    let inner = |at: u32, name: &str| -> Function {
        function(name, &[Ty::int64()], Ty::int64(), |builder, args| {
            for _ in 0..at {
                builder.site(value_error("unused"));
            }
            let site = builder.site(Trap::Call);
            let callee = FuncId(at + 1);
            builder
                .push(Opcode::Call(RuntimeCall::Function(callee), site), args, [Prim::Int])
                .to_vec()
        })
    };
    let pair = Pair::with_c(|| {
        let last = function("h", &[Ty::int64()], Ty::int64(), |builder, args| {
            let zero = builder.int(0);
            let truth = builder.emit(Opcode::Cmp(Cond::Ne, true), &[args[0], zero], Prim::Bool);
            let ((bad, _), (good, _)) = (builder.add_block([]), builder.add_block([]));
            let to = |block: Block| (block, [].into_iter().collect());
            builder.end(Terminator::Branch(truth, to(good), to(bad)));
            builder.enter(bad);
            let site = builder.site(value_error("raised"));
            builder.end(Terminator::Raise(site, [args[0], zero].into_iter().collect()));
            builder.enter(good);
            vec![args[0]]
        });
        program(vec![inner(0, "f"), inner(1, "g"), last])
    });
    assert_eq!(pair.check(&[5]), Outcome::Returned(vec![5], POLL_EVERY));
    let trace = vec![(2, 0), (1, 1), (0, 0)];
    let expected = Outcome::Failed { cause: "Site".to_owned(), trace, words: vec![0, 0] };
    assert_eq!(pair.check(&[0]), expected);
}

unsafe extern "C" fn split(frame: *mut Frame, args: *const u64, results: *mut u64) -> u32 {
    // SAFETY: it is called with the frame of the call, two words, and room for two.
    unsafe {
        let (a, b) = (*args, f64::from_bits(*args.add(1)));
        if a == 0 {
            (*frame).fail(Cause::Site, vec![1, 2, 3]);
            return 1;
        }
        (*frame).budget -= 1;
        *results = a + 1;
        *results.add(1) = (b * 2.0).to_bits();
    }
    0
}

#[test]
fn externals_return_and_fail() {
    let result = Ty::tuple([Ty::float64(), Ty::int64()]);
    let pair = Pair::with_c(|| {
        let body = function("f", &[Ty::int64(), Ty::float64()], result, |builder, args| {
            let site = builder.site(Trap::Call);
            let call = Opcode::Call(RuntimeCall::External(0), site);
            let words = builder.push(call, args, [Prim::Int, Prim::F64]);
            let again = builder.push(call, &[args[0], words[1]], [Prim::Int, Prim::F64]);
            let sum: Value = builder.emit(Opcode::Add, &[words[0], again[0]], Prim::Int);
            vec![again[1], sum]
        });
        let externals = vec![External { name: "split", callee: ExternalCallee::Own(split) }];
        Program { functions: vec![body], externals, ..Program::default() }
    });
    let returned = Outcome::Returned(vec![10.0_f64.to_bits(), 12], POLL_EVERY - 2);
    assert_eq!(pair.check(&[5, 2.5_f64.to_bits()]), returned);
    let trace = vec![(0, 0)];
    let failed = Outcome::Failed { cause: "Site".to_owned(), trace, words: vec![1, 2, 3] };
    assert_eq!(pair.check(&[0, 0]), failed);
}
