//! The machine: a register machine over the typed program, which is always there.
//!
//! Each value has a slot of 64 bits. Calls keep their slots on a stack of the machine's own, so
//! nesting is limited by [`crate::entry::MAX_DEPTH`] alone.

mod code;
mod emit;
mod listing;
mod moves;
mod run;
mod slots;

pub use self::code::Machine;

use self::code::Code;
use crate::entry::Frame;
use crate::ir::Program;
use crate::refusal::Refused;

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
