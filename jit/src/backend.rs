//! Back ends: what runs a program.

use std::fmt;

#[cfg(feature = "cranelift")]
use crate::cranelift::Native;
use crate::entry::Frame;
use crate::ir::Program;
use crate::vm::Machine;

/// Which back end runs a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backend {
    /// The machine, which is always there.
    Vm,
    /// Machine code, where the feature `cranelift` is on and the system allows it.
    Cranelift,
}

/// A program in the form of a back end.
pub enum Executable {
    /// For the machine.
    Machine(Machine),
    /// Machine code.
    #[cfg(feature = "cranelift")]
    Native(Native),
}

/// Why a back end does not take a program, and the program, for another.
pub struct Refused {
    /// Why.
    pub reason: String,
    /// The program.
    pub program: Program,
}

impl fmt::Debug for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Refused").field("reason", &self.reason).finish_non_exhaustive()
    }
}

impl Executable {
    /// The form of a program for a back end; if none is asked for, for the fastest that takes it.
    ///
    /// # Errors
    ///
    /// Why the back end does not take it.
    pub fn new(program: Program, wanted: Option<Backend>) -> Result<Executable, String> {
        let program = match wanted {
            Some(Backend::Vm) => program,
            Some(Backend::Cranelift) => {
                return Executable::native(program).map_err(|refused| refused.reason);
            }
            None => match Executable::native(program) {
                Ok(native) => return Ok(native),
                Err(refused) => refused.program,
            },
        };
        let machine =
            Machine::new(program).ok_or("the function has more values than the vm has slots")?;
        Ok(Executable::Machine(machine))
    }

    #[cfg(feature = "cranelift")]
    fn native(program: Program) -> Result<Executable, Box<Refused>> {
        Native::new(program).map(Executable::Native)
    }

    #[cfg(not(feature = "cranelift"))]
    fn native(program: Program) -> Result<Executable, Box<Refused>> {
        let reason = "this library was built without the feature `cranelift`".to_owned();
        Err(Box::new(Refused { reason, program }))
    }

    /// Which back end runs it.
    pub fn backend(&self) -> Backend {
        match self {
            Executable::Machine(_) => Backend::Vm,
            #[cfg(feature = "cranelift")]
            Executable::Native(_) => Backend::Cranelift,
        }
    }

    /// The program.
    pub fn program(&self) -> &Program {
        match self {
            Executable::Machine(machine) => machine.program(),
            #[cfg(feature = "cranelift")]
            Executable::Native(native) => native.program(),
        }
    }

    /// Runs its first function; whether it returned, else the frame has the error.
    ///
    /// # Safety
    ///
    /// As for [`Machine::run`].
    #[inline]
    pub unsafe fn run(&self, frame: &mut Frame, args: &[u64], results: &mut [u64]) -> bool {
        match self {
            // SAFETY: the caller's words are those that the function was typed for.
            Executable::Machine(machine) => unsafe { machine.run(frame, args, results) },
            #[cfg(feature = "cranelift")]
            // SAFETY: the caller's words are those that the function was typed for.
            Executable::Native(native) => unsafe { native.run(frame, args, results) },
        }
    }
}
