//! Tiers: a program runs at once, and as what a C compiler makes of it once it has run for long.

#[cfg(feature = "cc")]
mod background;

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use opwright_runtime::lock::Lock;

use crate::backend::{Backend, Executable, Refusal};
#[cfg(feature = "cc")]
use crate::cc::CompiledImage;
use crate::entry::Frame;
use crate::ir::{Opcode, Program, RuntimeCall};

/// How long a program has run before it is worth a C compiler's time.
const WORTH: Duration = Duration::from_millis(50);

/// Of how many calls one is timed, after as many were. Reading the clock takes longer than a short call.
const SAMPLED: u64 = 16;

/// A program, by the fastest back end that it has come to. All give the same bits, so a call may be run
/// by whichever is there.
pub struct Tiered {
    first: Executable,
    /// What is faster, once it is there.
    #[cfg(feature = "cc")]
    compiled: std::sync::OnceLock<CompiledImage>,
    refusals: Lock<Vec<Refusal>>,
    /// Whether it is timed: it has loops, or calls itself, and may come to a faster back end.
    is_watched: bool,
    calls: AtomicU64,
    /// How long it has run, as far as that was measured or follows from what was.
    nanoseconds: AtomicU64,
    /// The process in which it was handed to a C compiler; 0 if it was not. Its children start anew.
    asked: AtomicU32,
}

impl Tiered {
    /// A program for a back end, and no other later; if none is asked for, for all in turn.
    ///
    /// # Errors
    ///
    /// Why no back end takes it.
    pub fn new(program: Program, wanted: Option<Backend>) -> Result<Arc<Tiered>, String> {
        let (first, refusals) = match wanted {
            None => Executable::at_most(Backend::Cranelift, program)?,
            Some(Backend::Cc) => Executable::at_most(Backend::Cc, program)?,
            Some(_) => (Executable::new(program, wanted)?, Vec::new()),
        };
        let is_watched = cfg!(feature = "cc") && wanted.is_none() && repeats(first.program());
        Ok(Arc::new(Tiered {
            first,
            #[cfg(feature = "cc")]
            compiled: std::sync::OnceLock::new(),
            refusals: Lock::new(refusals),
            is_watched,
            calls: AtomicU64::new(0),
            nanoseconds: AtomicU64::new(0),
            asked: AtomicU32::new(0),
        }))
    }

    /// The program.
    pub fn program(&self) -> &Program {
        self.first.program()
    }

    /// Which back end runs it now.
    pub fn backend(&self) -> Backend {
        #[cfg(feature = "cc")]
        if self.compiled.get().is_some() {
            return Backend::Cc;
        }
        self.first.backend()
    }

    /// The back ends that did not take it, and why.
    pub fn refusals(&self) -> Vec<Refusal> {
        self.refusals.lock().clone()
    }

    /// How often it was called.
    pub fn calls(&self) -> u64 {
        self.calls.load(Ordering::Relaxed)
    }

    /// What it runs as now, as text: assembly, or the machine's instructions.
    ///
    /// # Errors
    ///
    /// Why there is none.
    pub fn assembly(&self) -> Result<String, String> {
        #[cfg(feature = "cc")]
        if self.backend() == Backend::Cc {
            return crate::cc::Compiled::assembly(self.program()).map_err(|it| it.to_string());
        }
        match &self.first {
            Executable::Machine(machine) => Ok(machine.listing()),
            #[cfg(feature = "cranelift")]
            Executable::Native(native) => crate::cranelift::NativeCode::assembly(native.program()),
            #[cfg(feature = "cc")]
            Executable::Compiled(compiled) => {
                crate::cc::Compiled::assembly(compiled.program()).map_err(|it| it.to_string())
            }
        }
    }

    /// Runs its first function; whether it returned, else the frame has the error.
    ///
    /// # Safety
    ///
    /// As for [`crate::vm::Machine::run`].
    #[inline]
    pub unsafe fn run(
        self: &Arc<Tiered>,
        frame: &mut Frame,
        args: &[u64],
        results: &mut [u64],
    ) -> bool {
        // Calls at once may be counted as one: the number is for whoever reads it, and for sampling.
        let calls = self.calls.load(Ordering::Relaxed);
        self.calls.store(calls.wrapping_add(1), Ordering::Relaxed);
        #[cfg(feature = "cc")]
        if let Some(image) = self.compiled.get() {
            // SAFETY: the image is that of the same program, and the caller's words are those of its
            // types.
            return unsafe { image.run(frame, args, results) };
        }
        if self.is_watched && (calls < SAMPLED || calls.is_multiple_of(SAMPLED)) {
            // SAFETY: the caller's words are those of the program's types.
            return unsafe { self.timed(calls, frame, args, results) };
        }
        // SAFETY: the caller's words are those of the program's types.
        unsafe { self.first.run(frame, args, results) }
    }

    /// # Safety
    ///
    /// As for [`Tiered::run`].
    #[inline(never)]
    unsafe fn timed(
        self: &Arc<Tiered>,
        calls: u64,
        frame: &mut Frame,
        args: &[u64],
        results: &mut [u64],
    ) -> bool {
        let start = Instant::now();
        // SAFETY: the caller's words are those of the program's types.
        let returned = unsafe { self.first.run(frame, args, results) };
        let taken = u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX);
        // A call of those that are sampled stands for all since the one before.
        let stands_for = if calls < SAMPLED { 1 } else { SAMPLED };
        let taken = taken.saturating_mul(stands_for);
        let before = self.nanoseconds.fetch_add(taken, Ordering::Relaxed);
        if Duration::from_nanos(before.saturating_add(taken)) >= WORTH {
            self.ask();
        }
        returned
    }

    /// Hands the program to a C compiler, once in a process.
    #[cold]
    fn ask(self: &Arc<Tiered>) {
        let own = std::process::id();
        if self.asked.swap(own, Ordering::Relaxed) != own {
            #[cfg(feature = "cc")]
            background::compile(self);
        }
    }
}

#[cfg(feature = "cc")]
impl Tiered {
    /// Compiles the program as C, and runs it so from now on.
    fn compile(&self) {
        match CompiledImage::new(self.program()) {
            Ok(image) => {
                let _ = self.compiled.set(image);
            }
            Err(error) => self.refuse(error.to_string()),
        }
    }

    fn refuse(&self, reason: String) {
        self.refusals.lock().push(Refusal { backend: Backend::Cc, reason });
    }
}

/// Whether a program may run for longer than it takes to read it.
fn repeats(program: &Program) -> bool {
    let calls = |op: &Opcode| matches!(op, Opcode::Call(RuntimeCall::Function(_), _));
    program.functions.iter().any(|it| it.has_loop() || it.insts.iter().any(|inst| calls(&inst.op)))
}
