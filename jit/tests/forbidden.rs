//! A system that forbids memory made executable: the machine stays. A test of its own, because
//! nobody can allow again what a process has forbidden itself.
#![cfg(all(feature = "cranelift", target_os = "linux"))]

use opwright_jit::ir::{Builder, Opcode, PlaceId, Program, Terminator};
use opwright_jit::types::{Prim, Ty};
use opwright_jit::{Backend, Executable};

fn square() -> Program {
    let (mut builder, args) = Builder::new("f".into(), vec![Ty::int64()], PlaceId(0));
    let result = builder.push(Opcode::Mul, &[args[0], args[0]], [Prim::Int]);
    builder.end(Terminator::Return(result));
    builder.function.result = Ty::int64();
    Program { functions: vec![builder.function], ..Program::default() }
}

#[test]
fn the_machine_stays() {
    const PR_SET_MDWE: libc::c_int = 65;
    const PR_MDWE_REFUSE_EXEC_GAIN: libc::c_ulong = 1;
    let none: libc::c_ulong = 0;
    // SAFETY: nothing in this process makes memory executable that does not expect to fail.
    let forbidden = unsafe { libc::prctl(PR_SET_MDWE, PR_MDWE_REFUSE_EXEC_GAIN, none, none, none) };
    if forbidden != 0 {
        // Linux before 6.3 cannot forbid it.
        return;
    }
    assert!(Executable::new(square(), Some(Backend::Cranelift)).is_err());
    let executable = Executable::new(square(), None).expect("the machine");
    assert_eq!(executable.backend(), Backend::Vm);
    let mut results = [0];
    // SAFETY: the function takes a word and gives one.
    let returned = unsafe { executable.run(&mut Default::default(), &[7], &mut results) };
    assert!(returned && results == [49]);
}
