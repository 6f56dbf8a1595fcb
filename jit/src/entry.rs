//! Call frames of running programs: errors, memory that they made, recursion depth.

use std::panic::{AssertUnwindSafe, catch_unwind};

use opwright_runtime::Tensor;
use opwright_runtime::interrupt::{self, Payload};

use crate::ir::ids::{FuncId, SiteId};

/// How many calls may be nested.
pub const MAX_DEPTH: u32 = 20_000;

/// How many back edges lie between two questions whether to stop.
pub const POLL_EVERY: u32 = 1 << 16;

/// The state of a call from outside, and of all calls within it.
#[repr(C)]
pub struct Frame {
    /// Back edges until somebody asks whether to stop.
    pub budget: u32,
    /// How many calls are nested.
    pub depth: u32,
    /// The address that the stack of machine code does not grow beyond.
    pub stack_limit: usize,
    /// What failed, if something did.
    pub error: Option<Failed>,
    /// What to unwind with, if the call was interrupted.
    pub payload: Option<Payload>,
    /// Random numbers that were taken and not used yet.
    pub(crate) drawn: crate::random_bits::Remainder,
    owners: Vec<OwnedMemory>,
    free: Vec<u32>,
}

/// Memory that a program made, as long as something refers to it.
struct OwnedMemory {
    count: u32,
    tensor: Option<Tensor>,
}

/// What an owner word stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// Nothing.
    None,
    /// An argument of the call, by number.
    Argument(usize),
    /// Memory that the program made, by number.
    Made(usize),
    /// A constant of the program, by number.
    Constant(usize),
}

/// A failure: where, with the words of the message, and the calls that led there.
#[derive(Debug)]
pub struct Failed {
    /// What.
    pub cause: Cause,
    /// The function and the site, innermost first.
    pub trace: Vec<(FuncId, SiteId)>,
    /// The words that the message shows.
    pub words: Vec<u64>,
}

/// Why something failed.
#[derive(Debug)]
pub enum Cause {
    /// What the innermost site says.
    Site,
    /// Too many nested calls.
    Depth,
    /// The runtime refused.
    Runtime(opwright_runtime::Error),
    /// The call was interrupted: the frame has what to unwind with.
    Interrupted,
}

impl Frame {
    /// The state before a call.
    pub fn new() -> Frame {
        Frame {
            budget: POLL_EVERY,
            depth: 0,
            stack_limit: 0,
            error: None,
            payload: None,
            drawn: crate::random_bits::Remainder::default(),
            owners: Vec::new(),
            free: Vec::new(),
        }
    }

    /// Notes a failure.
    #[cold]
    pub fn fail(&mut self, cause: Cause, words: Vec<u64>) {
        self.error = Some(Failed { cause, trace: Vec::new(), words });
    }

    /// Notes a function that a failure goes through.
    #[cold]
    pub fn trace(&mut self, function: FuncId, site: SiteId) {
        if let Some(failed) = &mut self.error {
            failed.trace.push((function, site));
        }
    }

    /// Keeps a tensor; its owner word, with one reference.
    pub fn own(&mut self, tensor: Tensor) -> u64 {
        let owned = OwnedMemory { count: 1, tensor: Some(tensor) };
        let at = match self.free.pop() {
            Some(at) => {
                self.owners[at as usize] = owned;
                at as usize
            }
            None => {
                self.owners.push(owned);
                self.owners.len() - 1
            }
        };
        (at as u64) << 2 | 2
    }

    /// The tensor of an owner that the program made.
    pub fn tensor(&self, at: usize) -> Option<&Tensor> {
        self.owners.get(at).and_then(|it| it.tensor.as_ref())
    }

    /// Counts one more reference to an owner.
    #[inline]
    pub fn retain(&mut self, owner: u64) {
        if let Owner::Made(at) = Owner::of(owner) {
            self.owners[at].count += 1;
        }
    }

    /// Counts one reference less; memory that nothing refers to is given back.
    #[inline]
    pub fn release(&mut self, owner: u64) {
        if let Owner::Made(at) = Owner::of(owner) {
            let owned = &mut self.owners[at];
            owned.count -= 1;
            if owned.count == 0 {
                owned.tensor = None;
                self.free.push(at as u32);
            }
        }
    }

    /// Does what may fail or be interrupted; none if so, which the frame then knows. Programs are left
    /// by their own jumps, so nothing may unwind into them.
    pub(crate) fn attempt<T>(
        &mut self,
        run: impl FnOnce(&mut Frame) -> opwright_runtime::Result<T>,
    ) -> Option<T> {
        match catch_unwind(AssertUnwindSafe(|| run(self))) {
            Ok(Ok(value)) => return Some(value),
            Ok(Err(error)) => self.fail(Cause::Runtime(error), Vec::new()),
            Err(payload) => {
                self.payload = Some(payload);
                self.fail(Cause::Interrupted, Vec::new());
            }
        }
        None
    }

    /// Asks whether to stop; true if so, which the frame then knows.
    #[cold]
    pub fn poll(&mut self) -> bool {
        self.budget = POLL_EVERY;
        self.attempt(|_| {
            interrupt::check();
            Ok(())
        })
        .is_none()
    }
}

impl Default for Frame {
    fn default() -> Frame {
        Frame::new()
    }
}

impl Owner {
    /// What a word stands for.
    #[inline]
    pub fn of(word: u64) -> Owner {
        let at = (word >> 2) as usize;
        match word & 3 {
            1 => Owner::Argument(at),
            2 => Owner::Made(at),
            3 => Owner::Constant(at),
            _ => Owner::None,
        }
    }
}

/// The owner word of an argument: it lives as long as the call.
pub fn argument_owner(at: usize) -> u64 {
    (at as u64) << 2 | 1
}

/// The owner word of a constant: it lives as long as the program.
pub fn constant_owner(at: usize) -> u64 {
    (at as u64) << 2 | 3
}
