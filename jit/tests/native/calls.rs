//! Calls: words in registers and in memory, loops within them, recursion to the limit.

use opwright_jit::entry::{Cause, Frame, MAX_DEPTH, POLL_EVERY};
use opwright_jit::ir::{
    Block, Cond, FuncId, Function, Opcode, Program, RuntimeCall, Terminator, Trap, ValueList,
};
use opwright_jit::types::{Prim, Ty};

use super::outcome::{Outcome, Pair, function, program};

/// How deep `f(n) = 0 if n == 0 else f(n - 1) + 1` nests, and the sum of a loop on each level.
fn recursive(has_loop: bool) -> Function {
    function("f", &[Ty::int64()], Ty::int64(), |builder, args| {
        let (zero, one) = (builder.int(0), builder.int(1));
        let is_zero = builder.emit(Opcode::Cmp(Cond::Eq, true), &[args[0], zero], Prim::Bool);
        let (last, _) = builder.add_block([]);
        let (more, _) = builder.add_block([]);
        let to = |block: Block, args: &[_]| (block, ValueList::from_slice(args));
        builder.end(Terminator::Branch(is_zero, to(last, &[]), to(more, &[])));
        builder.enter(last);
        builder.end(Terminator::Return(ValueList::from_slice(&[zero])));
        builder.enter(more);
        let mut left = builder.emit(Opcode::Sub, &[args[0], one], Prim::Int);
        if has_loop {
            let (head, params) = builder.add_block([Prim::Int]);
            builder.end(Terminator::Jump(to(head, &[zero])));
            builder.enter(head);
            let site = builder.site(Trap::Call);
            builder.push(Opcode::Poll(site), &[], []);
            let next = builder.emit(Opcode::Add, &[params[0], one], Prim::Int);
            let three = builder.int(3);
            let is_less = builder.emit(Opcode::Cmp(Cond::Lt, true), &[next, three], Prim::Bool);
            let (after, _) = builder.add_block([]);
            builder.end(Terminator::Branch(is_less, to(head, &[next]), to(after, &[])));
            builder.enter(after);
            left = builder.emit(Opcode::Add, &[left, next], Prim::Int);
            left = builder.emit(Opcode::Sub, &[left, three], Prim::Int);
        }
        let site = builder.site(Trap::Call);
        let call = Opcode::Call(RuntimeCall::Function(FuncId(0)), site);
        let deeper = builder.push(call, &[left], [Prim::Int])[0];
        vec![builder.emit(Opcode::Add, &[deeper, one], Prim::Int)]
    })
}

fn pair(has_loop: bool) -> Pair {
    Pair::with_c(|| program(vec![recursive(has_loop)]))
}

#[test]
fn recursion_ends_at_the_limit() {
    // The stack of a thread of the test harness is smaller than that of Python's.
    let run = || {
        for has_loop in [false, true] {
            let pair = pair(has_loop);
            for depth in [0, 1, 100, MAX_DEPTH - 1, MAX_DEPTH] {
                let depth = u64::from(depth);
                let left = POLL_EVERY - if has_loop { 3 * depth as u32 % POLL_EVERY } else { 0 };
                assert_eq!(pair.check(&[depth]), Outcome::Returned(vec![depth], left));
            }
            let Outcome::Failed { cause, trace, .. } = pair.check(&[u64::from(MAX_DEPTH) + 1])
            else {
                panic!("it nests too deeply");
            };
            assert_eq!((cause.as_str(), trace.len()), ("Depth", MAX_DEPTH as usize + 1));
        }
    };
    std::thread::Builder::new().stack_size(64 << 20).spawn(run).unwrap().join().unwrap();
}

#[test]
fn recursion_ends_before_the_stack() {
    let native = pair(false).native;
    let run = |stack: usize| {
        let mut frame = Frame::new();
        // SAFETY: the function takes a word and gives one.
        let returned = unsafe { native.run(&mut frame, &[1_000_000], &mut [0]) };
        let failed = frame.error.expect("what failed");
        assert!(!returned && matches!(failed.cause, Cause::Depth));
        // Something of the stack was used, and all calls are named.
        assert!(failed.trace.len() > 100, "{} calls in {stack} bytes", failed.trace.len());
        assert!(failed.trace.iter().all(|it| *it == failed.trace[0]));
    };
    for stack in [64 << 10, 256 << 10, 1 << 20] {
        std::thread::scope(|scope| {
            let builder = std::thread::Builder::new().stack_size(stack);
            builder.spawn_scoped(scope, || run(stack)).unwrap().join().unwrap();
        });
    }
}

/// A function whose parameters and results are of these kinds, and another that hands them on in
/// the opposite order.
fn handing_on(prims: &[Prim]) -> Program {
    let types: Vec<Ty> = prims.iter().map(|it| super::outcome::type_of(*it)).collect();
    let mut reversed = types.clone();
    reversed.reverse();
    let inner = function("g", &types, Ty::tuple(reversed.clone()), |_, args| {
        args.iter().rev().copied().collect()
    });
    let outer = function("f", &types, Ty::tuple(reversed), |builder, args| {
        let site = builder.site(Trap::Call);
        let kinds = prims.iter().rev().copied();
        builder.push(Opcode::Call(RuntimeCall::Function(FuncId(1)), site), args, kinds).to_vec()
    });
    program(vec![outer, inner])
}

#[test]
fn words_travel() {
    use Prim::{Bool, F32, F64, Int};

    let lists: &[&[Prim]] = &[
        &[],
        &[Int],
        &[F64],
        &[F32],
        &[Bool],
        &[Int, Int],
        &[F64, F64],
        &[F64, Int],
        &[F32, Bool],
        &[F64, F32, F64],
        &[Int, F64, F64],
        &[Int, Int, Int],
        &[Bool, F32, Int, F64, Bool, F32],
        &[
            Int, Int, Int, Int, Int, Int, Int, Int, Int, F64, F64, F64, F64, F64, F64, F64, F64,
            F64, F64,
        ],
    ];
    for prims in lists {
        let pair = Pair::with_c(|| handing_on(prims));
        let words: Vec<u64> = (1_u32..)
            .zip(*prims)
            .map(|(at, prim)| match prim {
                Bool => u64::from(at % 2),
                F32 => u64::from((at as f32 + 0.5).to_bits()),
                F64 => (f64::from(at) + 0.25).to_bits(),
                _ => u64::MAX - u64::from(at),
            })
            .collect();
        let mut reversed = words.clone();
        reversed.reverse();
        assert_eq!(pair.check(&words), Outcome::Returned(reversed, POLL_EVERY));
    }
}

/// A loop of more back edges than lie between two questions whether to stop.
fn long_loop() -> Program {
    let body = function("f", &[Ty::int64()], Ty::int64(), |builder, args| {
        let one = builder.int(1);
        let (head, params) = builder.add_block([Prim::Int]);
        let (after, _) = builder.add_block([]);
        let zero = builder.int(0);
        builder.end(Terminator::Jump((head, ValueList::from_slice(&[zero]))));
        builder.enter(head);
        let site = builder.site(Trap::Call);
        builder.push(Opcode::Poll(site), &[], []);
        let next = builder.emit(Opcode::Add, &[params[0], one], Prim::Int);
        let more = builder.emit(Opcode::Cmp(Cond::Lt, true), &[next, args[0]], Prim::Bool);
        let again = (head, ValueList::from_slice(&[next]));
        builder.end(Terminator::Branch(more, again, (after, ValueList::new())));
        builder.enter(after);
        vec![next]
    });
    program(vec![body])
}

#[test]
fn loops_ask_whether_to_stop() {
    let pair = Pair::with_c(long_loop);
    for rounds in [1, 65_535, 65_536, 65_537, 200_000] {
        pair.check(&[rounds]);
    }
}

#[test]
fn threads_share_a_program() {
    let pair = pair(true);
    let made_elsewhere = std::thread::scope(|scope| {
        let run = || (0..100).map(|depth| pair.check(&[depth])).collect::<Vec<_>>();
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(run)).collect();
        threads.into_iter().map(|it| it.join().unwrap()).collect::<Vec<_>>()
    });
    assert!(made_elsewhere.windows(2).all(|it| it[0] == it[1]));
}

#[test]
fn assembly_names_the_functions() {
    let text = opwright_jit::cranelift::NativeCode::assembly(&handing_on(&[Prim::F64])).unwrap();
    assert!(text.starts_with("f:\n") && text.contains("\ng:\n"), "{text}");
}
