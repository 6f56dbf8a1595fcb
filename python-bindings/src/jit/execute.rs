//! Execution of compiled functions: arguments are read by an entry, and its code runs.

use std::mem::MaybeUninit;
use std::ptr;
use std::sync::Arc;

use opwright_jit::entry::Frame;
use opwright_jit::ir::{Function, Program};
use opwright_jit::tier::Tiered;
use opwright_jit::types::Ty;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use super::arrays::{Arguments, BoxContext};
use super::dispatcher::Dispatcher;
use super::entry::{ArgumentKind, Entry, ResultKind};
use super::objects::Kept;
use super::{autograd, failure};
use crate::object::signals;
use crate::raw::Visitor;

/// Room for the words of a call: those of the arguments, then those of the results.
pub(super) struct Words {
    few: [MaybeUninit<u64>; FEW],
    many: Vec<u64>,
    /// How many there are: of the few those are set.
    count: usize,
}

/// How many words need no memory of their own.
const FEW: usize = 24;

impl Words {
    /// Room for nothing yet.
    #[inline]
    pub(super) fn new() -> Words {
        Words { few: [MaybeUninit::uninit(); FEW], many: Vec::new(), count: 0 }
    }

    /// Room for so many words, which are zero.
    #[inline]
    fn room(&mut self, count: usize) -> &mut [u64] {
        self.count = count;
        match self.few.get_mut(..count) {
            Some(few) => few.fill(MaybeUninit::new(0)),
            None => {
                self.many.clear();
                self.many.resize(count, 0);
            }
        }
        self.get()
    }

    /// The words that there is room for.
    #[inline]
    fn get(&mut self) -> &mut [u64] {
        match self.few.get_mut(..self.count) {
            // SAFETY: `room` has set as many as are counted.
            Some(few) => unsafe { &mut *(ptr::from_mut(few) as *mut [u64]) },
            None => &mut self.many,
        }
    }
}

impl Entry {
    /// What runs code for arguments of types; `nogil` says whether others may run meanwhile, which
    /// else the program decides.
    pub(super) fn new(
        py: Python<'_>,
        types: &[Ty],
        generation: u64,
        code: Arc<Tiered>,
        microseconds: u64,
        nogil: Option<bool>,
    ) -> Entry {
        let program = code.program();
        let result = program.functions[0].result;
        let releases = nogil.unwrap_or_else(|| takes_long(program));
        let parameters: Box<[ArgumentKind]> =
            types.iter().map(|it| ArgumentKind::of(py, *it)).collect();
        Entry {
            types: types.to_vec(),
            result,
            outcome: ResultKind::of(py, result),
            generation,
            taken: parameters.iter().map(|it| it.width).sum(),
            given: result.width(),
            is_direct: parameters.iter().all(ArgumentKind::is_direct),
            parameters,
            releases,
            microseconds,
            code,
        }
    }

    /// Tells the garbage collector what it keeps.
    pub(super) fn traverse(&self, visitor: &mut Visitor) {
        self.parameters.iter().for_each(|it| it.traverse(visitor));
        let kept = self.code.program().kept.as_ref().and_then(|it| it.downcast_ref::<Kept>());
        if let Some(kept) = kept {
            kept.traverse(visitor);
        }
    }

    /// Reads arguments, if they are of its types and that can be seen without asking for those.
    ///
    /// # Errors
    ///
    /// What code of Python raises that says what the words of an argument are.
    #[inline]
    pub(super) fn read<'py>(
        &self,
        args: &[Bound<'py, PyAny>],
        words: &mut Words,
        arguments: &mut Arguments<'py>,
    ) -> PyResult<bool> {
        if args.len() != self.parameters.len() {
            return Ok(false);
        }
        let mut rest = words.room(self.taken + self.given);
        for (arg, parameter) in args.iter().zip(&self.parameters) {
            let (own, after) = rest.split_at_mut(parameter.width);
            if !parameter.read(arg, own, arguments) && !parameter.recognizes(arg) {
                arguments.list.clear();
                return Ok(false);
            }
            rest = after;
        }
        if !self.is_direct {
            // Code of Python runs, and only for the entry that is taken.
            arguments.list.clear();
            self.unbox(args, words, arguments)?;
        }
        Ok(true)
    }

    /// Reads arguments that are of its types.
    ///
    /// # Errors
    ///
    /// What code of Python raises that says what the words of an argument are.
    pub(super) fn unbox<'py>(
        &self,
        args: &[Bound<'py, PyAny>],
        words: &mut Words,
        arguments: &mut Arguments<'py>,
    ) -> PyResult<()> {
        let mut rest = words.room(self.taken + self.given);
        for (at, (arg, parameter)) in args.iter().zip(&self.parameters).enumerate() {
            let (own, after) = rest.split_at_mut(parameter.width);
            arguments.position = at;
            parameter.unbox(arg, own, arguments)?;
            rest = after;
        }
        Ok(())
    }

    /// Runs it with arguments that were read.
    ///
    /// # Errors
    ///
    /// What the function raises.
    ///
    /// # Panics
    ///
    /// With what it was interrupted by.
    #[inline]
    pub(super) fn run<'py>(
        &self,
        dispatcher: &Bound<'py, Dispatcher>,
        args: &[Bound<'py, PyAny>],
        words: &mut Words,
        arguments: &Arguments<'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = dispatcher.py();
        let (taken, given) = words.get().split_at_mut(self.taken);
        let program = self.code.program();
        if (arguments.requires_grad || !program.mutated.is_empty())
            && let Some(result) =
                autograd::before_call(dispatcher, args, program, taken, arguments)?
        {
            return Ok(result);
        }
        let mut frame = Frame::new();
        let code = &self.code;
        let mut run = || {
            // SAFETY: the words are those of the arguments' types, which live as long as the call.
            unsafe { code.run(&mut frame, taken, given) }
        };
        let is_fine = if self.releases { signals::detached(py, run) } else { run() };
        if !is_fine {
            return Err(failed(py, program, &mut frame, arguments));
        }
        let context = BoxContext { frame: &frame, arguments, held: &program.held };
        self.outcome.boxed(py, given, &context)
    }
}

/// The exception of a call that failed; unwinds if it was interrupted.
#[cold]
fn failed<'py>(
    py: Python<'py>,
    program: &Program,
    frame: &mut Frame,
    arguments: &Arguments<'py>,
) -> PyErr {
    if let Some(payload) = frame.payload.take() {
        std::panic::resume_unwind(payload);
    }
    match frame.error.take() {
        Some(failed) => {
            let context = BoxContext { frame, arguments, held: &program.held };
            failure::raised(py, program, failed, &context)
        }
        None => PyTypeError::new_err("a compiled function failed"),
    }
}

/// Whether a program has a loop, calls itself or an operator: others need not wait for it.
fn takes_long(program: &Program) -> bool {
    program.functions.iter().any(Function::has_loop)
        || program.externals.iter().any(|it| it.name != "alloc")
}
