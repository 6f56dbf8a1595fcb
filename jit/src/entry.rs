//! What a running program needs beside its words: errors, memory that it made, how deep it is.

use crate::ir::{FuncId, SiteId};

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
    /// What failed, if something did.
    pub error: Option<Failed>,
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
    /// An operator, or whoever was asked whether to stop.
    Runtime(opwright_runtime::Error),
}

impl Frame {
    /// The state before a call.
    pub fn new() -> Frame {
        Frame { budget: POLL_EVERY, depth: 0, error: None }
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
}

impl Default for Frame {
    fn default() -> Frame {
        Frame::new()
    }
}

impl Frame {
    /// Counts one more reference to an owner.
    ///
    /// # Safety
    ///
    /// The owner is one of this frame.
    pub unsafe fn retain(&mut self, _owner: u64) {}

    /// Counts one reference less.
    ///
    /// # Safety
    ///
    /// The owner is one of this frame, and nothing reads its memory if this was the last reference.
    pub unsafe fn release(&mut self, _owner: u64) {}
}

/// Asks whether to stop.
///
/// # Errors
///
/// `Interrupted` if somebody wants it.
pub fn poll() -> opwright_runtime::Result<()> {
    Ok(())
}

/// The owner of an argument: it lives as long as the call.
pub fn argument_owner(at: usize) -> u64 {
    (at as u64) << 2 | 1
}

/// The owner of a constant: it lives as long as the program.
pub fn constant_owner(at: usize) -> u64 {
    (at as u64) << 2 | 3
}
