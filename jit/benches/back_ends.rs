//! Time of compiled programs on each back end: `cargo bench -p opwright-jit --features cranelift`.

use std::hint::black_box;
use std::time::Instant;

use opwright_jit::entry::Frame;
use opwright_jit::ir::{
    Block, Builder, Cond, Elem, FuncId, Function, Opcode, PlaceId, Program, RuntimeCall,
    Terminator, Trap, Value, ValueList,
};
use opwright_jit::types::{Prim, Ty};
use opwright_jit::{Backend, Executable};

/// What is run: its name, the program, the words of its arguments, and how often it does that.
type Case = (&'static str, Make, Vec<u64>, u64);

type Make = fn() -> Program;

fn main() {
    let cases: [Case; 6] = [
        ("call of x + 1", successor, vec![1], 1),
        ("mandelbrot, a round", mandelbrot, vec![0, 0, 1_000_000], 1_000_000),
        ("sum of i // 3 % 7, a round", divisions, vec![1_000_000], 1_000_000),
        ("sum of an array, an element", sum, array(), LENGTH as u64),
        ("collatz, a round", collatz, vec![837_799], 524),
        ("fib(25), a call", fib, vec![25], 242_785),
    ];
    println!("{:32}{:>12}{:>12}", "ns", "vm", "cranelift");
    for (name, make, args, count) in cases {
        let times = [Backend::Vm, Backend::Cranelift].map(|backend| {
            let program = Executable::new(make(), Some(backend)).expect("a back end that is there");
            best(|| run(&program, &args)) * 1e9 / count as f64
        });
        println!("{name:32}{:12.2}{:12.2}", times[0], times[1]);
    }
    println!("{:32}{:>12}{:>12}", "µs", "vm", "cranelift");
    let compiled: [(&str, Make); 3] =
        [("compile x + 1", successor), ("compile mandelbrot", mandelbrot), ("compile fib", fib)];
    for (name, make) in compiled {
        let times = [Backend::Vm, Backend::Cranelift].map(|backend| {
            let made = best(|| drop(black_box(make())));
            best(|| drop(black_box(Executable::new(make(), Some(backend))))) - made
        });
        println!("{name:32}{:12.1}{:12.1}", times[0] * 1e6, times[1] * 1e6);
    }
}

const LENGTH: usize = 100_000;

/// The words of an array: its address and its length.
fn array() -> Vec<u64> {
    let items: &'static mut [f64] = vec![0.5; LENGTH].leak();
    vec![items.as_mut_ptr().expose_provenance() as u64, LENGTH as u64]
}

fn run(program: &Executable, args: &[u64]) {
    let (mut frame, mut results) = (Frame::new(), [0]);
    // SAFETY: the words are those that the cases' functions take, and all of them give one.
    let returned = unsafe { program.run(&mut frame, black_box(args), &mut results) };
    assert!(returned);
    black_box(results);
}

/// Seconds of one call, the best of many.
fn best(mut call: impl FnMut()) -> f64 {
    let start = Instant::now();
    call();
    let count = (1e-3 / start.elapsed().as_secs_f64()).clamp(1.0, 1e5) as u32;
    let mut best = f64::INFINITY;
    for _ in 0..30 {
        let start = Instant::now();
        for _ in 0..count {
            call();
        }
        best = best.min(start.elapsed().as_secs_f64() / f64::from(count));
    }
    best
}

fn one(function: Function) -> Program {
    Program { functions: vec![function], ..Program::default() }
}

fn function(
    params: &[Ty],
    result: Ty,
    body: impl FnOnce(&mut Builder, &[Value]) -> Value,
) -> Function {
    let (mut builder, args) = Builder::new("f".into(), params.to_vec(), PlaceId(0));
    let value = body(&mut builder, &args);
    builder.end(Terminator::Return(ValueList::from_slice(&[value])));
    builder.function.result = result;
    builder.function
}

fn to(block: Block, args: &[Value]) -> (Block, ValueList) {
    (block, ValueList::from_slice(args))
}

/// A loop while a test of its variables holds; the variables afterwards.
fn while_loop(
    builder: &mut Builder,
    first: &[Value],
    test: impl FnOnce(&mut Builder, &[Value]) -> Value,
    body: impl FnOnce(&mut Builder, &[Value]) -> Vec<Value>,
) -> ValueList {
    let kinds: Vec<Prim> = first.iter().map(|it| builder.function.prim(*it)).collect();
    let (head, vars) = builder.add_block(kinds);
    let ((inner, _), (after, _)) = (builder.add_block([]), builder.add_block([]));
    builder.end(Terminator::Jump(to(head, first)));
    builder.enter(head);
    let truth = test(builder, &vars);
    builder.end(Terminator::Branch(truth, to(inner, &[]), to(after, &[])));
    builder.enter(inner);
    let next = body(builder, &vars);
    let site = builder.site(Trap::Call);
    builder.push(Opcode::Poll(site), &[], []);
    builder.end(Terminator::Jump(to(head, &next)));
    builder.enter(after);
    vars
}

fn less(builder: &mut Builder, a: Value, b: Value) -> Value {
    builder.emit(Opcode::Cmp(Cond::Lt, true), &[a, b], Prim::Bool)
}

fn add(builder: &mut Builder, a: Value, b: Value) -> Value {
    builder.emit(Opcode::Add, &[a, b], Prim::Int)
}

fn real(builder: &mut Builder, op: Opcode, a: Value, b: Value) -> Value {
    builder.emit(op, &[a, b], Prim::F64)
}

fn successor() -> Program {
    one(function(&[Ty::int64()], Ty::int64(), |builder, args| {
        let step = builder.int(1);
        add(builder, args[0], step)
    }))
}

/// How many rounds of `z = z * z + c` stay within 2, at most so many.
fn mandelbrot() -> Program {
    one(function(&[Ty::float64(), Ty::float64(), Ty::int64()], Ty::int64(), |builder, args| {
        let (zero, step) = (builder.int(0), builder.int(1));
        let origin = builder.constant(0, Prim::F64);
        let four = builder.constant(4.0_f64.to_bits(), Prim::F64);
        let vars = while_loop(
            builder,
            &[origin, origin, zero],
            |b, vars| {
                let xx = real(b, Opcode::FMul, vars[0], vars[0]);
                let yy = real(b, Opcode::FMul, vars[1], vars[1]);
                let norm = real(b, Opcode::FAdd, xx, yy);
                let is_near = b.emit(Opcode::FCmp(Cond::Le), &[norm, four], Prim::Bool);
                let is_early = less(b, vars[2], args[2]);
                b.emit(Opcode::And, &[is_near, is_early], Prim::Bool)
            },
            |b, vars| {
                let xx = real(b, Opcode::FMul, vars[0], vars[0]);
                let yy = real(b, Opcode::FMul, vars[1], vars[1]);
                let difference = real(b, Opcode::FSub, xx, yy);
                let x = real(b, Opcode::FAdd, difference, args[0]);
                let xy = real(b, Opcode::FMul, vars[0], vars[1]);
                let twice = real(b, Opcode::FAdd, xy, xy);
                let y = real(b, Opcode::FAdd, twice, args[1]);
                vec![x, y, add(b, vars[2], step)]
            },
        );
        vars[2]
    }))
}

fn divisions() -> Program {
    one(function(&[Ty::int64()], Ty::int64(), |builder, args| {
        let [zero, step, three, seven] = [0, 1, 3, 7].map(|it| builder.int(it));
        let vars = while_loop(
            builder,
            &[zero, zero],
            |b, vars| less(b, vars[0], args[0]),
            |b, vars| {
                let quotient = b.emit(Opcode::FloorDiv, &[vars[0], three], Prim::Int);
                let remainder = b.emit(Opcode::FloorMod, &[quotient, seven], Prim::Int);
                vec![add(b, vars[0], step), add(b, vars[1], remainder)]
            },
        );
        vars[1]
    }))
}

/// The sum of an array, with a check of each index.
fn sum() -> Program {
    one(function(&[Ty::int64(), Ty::int64()], Ty::float64(), |builder, args| {
        let [zero, step, size] = [0, 1, 8].map(|it| builder.int(it));
        let nothing = builder.constant(0, Prim::F64);
        let vars = while_loop(
            builder,
            &[zero, nothing],
            |b, vars| less(b, vars[0], args[1]),
            |b, vars| {
                let site = b.site(Trap::Index(0, true));
                let index = b.push(Opcode::CheckIndex(site), &[vars[0], args[1]], [Prim::Int])[0];
                let offset = b.emit(Opcode::Mul, &[index, size], Prim::Int);
                let address = b.emit(Opcode::Offset, &[args[0], offset], Prim::Ptr);
                let item = b.push(Opcode::Load(Elem::F64), &[address], [Prim::F64])[0];
                vec![add(b, vars[0], step), real(b, Opcode::FAdd, vars[1], item)]
            },
        );
        vars[1]
    }))
}

fn collatz() -> Program {
    one(function(&[Ty::int64()], Ty::int64(), |builder, args| {
        let [zero, step, two, three] = [0, 1, 2, 3].map(|it| builder.int(it));
        let vars = while_loop(
            builder,
            &[args[0], zero],
            |b, vars| b.emit(Opcode::Cmp(Cond::Ne, true), &[vars[0], step], Prim::Bool),
            |b, vars| {
                let remainder = b.emit(Opcode::FloorMod, &[vars[0], two], Prim::Int);
                let is_even = b.emit(Opcode::Cmp(Cond::Eq, true), &[remainder, zero], Prim::Bool);
                let half = b.emit(Opcode::FloorDiv, &[vars[0], two], Prim::Int);
                let thrice = b.emit(Opcode::Mul, &[vars[0], three], Prim::Int);
                let more = add(b, thrice, step);
                let next = b.emit(Opcode::Select, &[is_even, half, more], Prim::Int);
                vec![next, add(b, vars[1], step)]
            },
        );
        vars[1]
    }))
}

fn fib() -> Program {
    one(function(&[Ty::int64()], Ty::int64(), |builder, args| {
        let two = builder.int(2);
        let is_small = less(builder, args[0], two);
        let ((small, _), (large, _)) = (builder.add_block([]), builder.add_block([]));
        builder.end(Terminator::Branch(is_small, to(small, &[]), to(large, &[])));
        builder.enter(small);
        builder.end(Terminator::Return(ValueList::from_slice(&[args[0]])));
        builder.enter(large);
        let parts = [1, 2].map(|step| {
            let step = builder.int(step);
            let less = builder.emit(Opcode::Sub, &[args[0], step], Prim::Int);
            let site = builder.site(Trap::Call);
            let call = Opcode::Call(RuntimeCall::Function(FuncId(0)), site);
            builder.push(call, &[less], [Prim::Int])[0]
        });
        add(builder, parts[0], parts[1])
    }))
}
