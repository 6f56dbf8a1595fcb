//! Machine code is freed with its program.
#![cfg(target_os = "linux")]

use opwright_jit::cranelift::NativeCode;
use opwright_jit::ir::Opcode;
use opwright_jit::types::{Prim, Ty};

use super::outcome::{function, program};

/// Pages of this process: all that it can address, and those that are in memory.
fn pages() -> (u64, u64) {
    let text = std::fs::read_to_string("/proc/self/statm").expect("a file that Linux has");
    let mut numbers = text.split(' ').map(|it| it.parse().expect("a number"));
    (numbers.next().expect("a number"), numbers.next().expect("a number"))
}

fn make_and_drop(count: usize) {
    for _ in 0..count {
        let body = function("f", &[Ty::int64()], Ty::int64(), |builder, args| {
            builder.push(Opcode::Mul, &[args[0], args[0]], [Prim::Int]).to_vec()
        });
        let native = NativeCode::new(program(vec![body])).expect("a processor that is known");
        let mut results = [0];
        // SAFETY: the function takes a word and gives one.
        let returned = unsafe { native.run(&mut Default::default(), &[7], &mut results) };
        assert!(returned && results == [49]);
    }
}

#[test]
fn thousand_programs_leave_nothing() {
    make_and_drop(100);
    let before = pages();
    make_and_drop(1000);
    let after = pages();
    // Each has a page of code at least, so that leaks would be a thousand pages; other tests run
    // beside this one, and the allocator keeps some.
    assert!(after.1 < before.1 + 500, "{before:?} {after:?}");
}
