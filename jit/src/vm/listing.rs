//! The machine's instructions as text.

use std::fmt::Write as _;

use super::code::{Code, Machine, VmCall, VmCallee};

impl Machine {
    /// The instructions of its functions, the entry first.
    pub fn listing(&self) -> String {
        let mut out = String::new();
        for (code, function) in self.codes.iter().zip(&self.program.functions) {
            let _ = writeln!(out, "{}: {} slots", function.name, code.room);
            write_code(&mut out, code);
        }
        out
    }
}

fn write_code(out: &mut String, code: &Code) {
    for (at, word) in code.constants.iter().enumerate() {
        let _ = writeln!(out, "      %{at} = {word:#x}");
    }
    for (at, it) in code.instrs.iter().enumerate() {
        let _ =
            writeln!(out, "{at:4}  {:?} %{}, %{}, %{}, {:#x}", it.op, it.d, it.a, it.b, it.extra);
    }
    for (at, call) in code.calls.iter().enumerate() {
        let _ = writeln!(out, "      call {at:#x}: {}", called(call));
    }
    for (at, list) in code.lists.iter().enumerate() {
        let _ = writeln!(out, "      list {at:#x}: {list:?}");
    }
}

fn called(call: &VmCall) -> String {
    let callee = match call.callee {
        VmCallee::Function(at) => format!("function {at}"),
        VmCallee::External(at) => format!("external {at}"),
    };
    format!("{callee} {:?} -> {:?}", call.args, call.results)
}
