//! The machine: a register machine over the typed program, which is always there.
//!
//! Each value has a slot of 64 bits. Calls keep their slots on a stack of the machine's own, so
//! nesting is limited by [`crate::entry::MAX_DEPTH`] alone.

mod emit;
mod listing;
mod moves;
mod run;
mod slots;

use crate::entry::Frame;
use crate::ir::Program;
use crate::refusal::Refused;

/// A program in the form in which the machine runs it.
pub struct Machine {
    codes: Vec<Code>,
    program: Program,
}

/// A function in that form.
struct Code {
    instrs: Vec<Instr>,
    /// The constants, which are in the first slots.
    constants: Vec<u64>,
    /// How many slots it has.
    slots: usize,
    /// Behind which of them there is room for the words of calls of the runtime.
    room: usize,
    /// How many words its arguments have; their slots follow the constants.
    params: usize,
    calls: Vec<VmCall>,
    lists: Vec<Box<[u16]>>,
}

/// An instruction: what it does, the slots of its result and operands, and whatever else it needs.
#[derive(Clone, Copy, Debug)]
struct Instr {
    op: emit::VmOpcode,
    d: u16,
    a: u16,
    b: u16,
    extra: u64,
}

/// A call of a function.
struct VmCall {
    callee: VmCallee,
    args: Box<[u16]>,
    results: Box<[u16]>,
    site: u32,
}

enum VmCallee {
    Function(usize),
    External(usize),
}

impl Machine {
    /// The machine's form of a program.
    ///
    /// # Errors
    ///
    /// With the program, if a function has more values than the machine has slots.
    pub fn new(program: Program) -> Result<Machine, Box<Refused>> {
        let codes: Option<Vec<Code>> = program.functions.iter().map(emit::code).collect();
        match codes {
            Some(codes) => Ok(Machine { codes, program }),
            None => {
                let reason = "the function has more values than the vm has slots".to_owned();
                Err(Box::new(Refused { reason, program }))
            }
        }
    }

    /// The program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Runs its first function; whether it returned, else the frame has the error.
    ///
    /// `args` are the words of the arguments, and the results are written to `results`.
    ///
    /// # Safety
    ///
    /// Both are as long as the function's types say, and addresses among the words are those of
    /// arrays with the extents and strides beside them, whose memory nobody frees during the call.
    pub unsafe fn run(&self, frame: &mut Frame, args: &[u64], results: &mut [u64]) -> bool {
        // SAFETY: the caller's words are those that the function was typed for.
        unsafe { run::run(self, frame, args, results) }
    }
}
