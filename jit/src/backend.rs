//! Back ends: what runs a program.

#[cfg(feature = "cc")]
use crate::cc::Compiled;
#[cfg(feature = "cranelift")]
use crate::cranelift::NativeCode;
use crate::entry::Frame;
use crate::ir::Program;
pub use crate::refusal::{Backend, Refusal, Refused};
use crate::vm::Machine;

/// A program in the form of a back end.
pub enum Executable {
    /// For the machine.
    Machine(Machine),
    /// Machine code.
    #[cfg(feature = "cranelift")]
    Native(NativeCode),
    /// Machine code by a C compiler.
    #[cfg(feature = "cc")]
    Compiled(Compiled),
}

impl Executable {
    /// The form of a program for a back end; if none is asked for, for the fastest that compiles at
    /// once and takes it.
    ///
    /// # Errors
    ///
    /// Why the back end does not take it.
    pub fn new(program: Program, wanted: Option<Backend>) -> Result<Executable, String> {
        match wanted {
            Some(backend) => Executable::on(backend, program).map_err(|refused| refused.reason),
            None => {
                Executable::at_most(Backend::Cranelift, program).map(|(executable, _)| executable)
            }
        }
    }

    /// The form for a back end, or for the next that is slower; and those that refused.
    ///
    /// # Errors
    ///
    /// Why even the machine does not take it.
    pub fn at_most(
        backend: Backend,
        mut program: Program,
    ) -> Result<(Executable, Vec<Refusal>), String> {
        let mut refusals = Vec::new();
        for backend in [Backend::Cc, Backend::Cranelift].into_iter().filter(|it| *it <= backend) {
            match Executable::on(backend, program) {
                Ok(executable) => return Ok((executable, refusals)),
                Err(refused) => {
                    refusals.push(Refusal { backend, reason: refused.reason });
                    program = refused.program;
                }
            }
        }
        let machine = Executable::on(Backend::Vm, program).map_err(|refused| refused.reason)?;
        Ok((machine, refusals))
    }

    /// The form of a program for a back end.
    ///
    /// # Errors
    ///
    /// Why the back end does not take it, and the program.
    pub fn on(backend: Backend, program: Program) -> Result<Executable, Box<Refused>> {
        match backend {
            Backend::Vm => Machine::new(program).map(Executable::Machine),
            #[cfg(feature = "cranelift")]
            Backend::Cranelift => NativeCode::new(program).map(Executable::Native),
            #[cfg(feature = "cc")]
            Backend::Cc => Compiled::new(program).map(Executable::Compiled),
            #[cfg(not(all(feature = "cc", feature = "cranelift")))]
            other => {
                let reason = format!("this library was built without the feature `{other}`");
                Err(Box::new(Refused { reason, program }))
            }
        }
    }

    /// Which back end runs it.
    pub fn backend(&self) -> Backend {
        match self {
            Executable::Machine(_) => Backend::Vm,
            #[cfg(feature = "cranelift")]
            Executable::Native(_) => Backend::Cranelift,
            #[cfg(feature = "cc")]
            Executable::Compiled(_) => Backend::Cc,
        }
    }

    /// The program.
    pub fn program(&self) -> &Program {
        match self {
            Executable::Machine(machine) => machine.program(),
            #[cfg(feature = "cranelift")]
            Executable::Native(native) => native.program(),
            #[cfg(feature = "cc")]
            Executable::Compiled(compiled) => compiled.program(),
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
            #[cfg(feature = "cc")]
            // SAFETY: the caller's words are those that the function was typed for.
            Executable::Compiled(compiled) => unsafe { compiled.run(frame, args, results) },
        }
    }
}
