//! Fusion of a chain with a reduction behind it.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use smallvec::SmallVec;

use super::super::inner_loop::Operand as Place;
use super::{Lies, Program, Space, Workspace, starts};
use crate::geometry::DimSet;
use crate::parallel::Pointer;
use crate::reduce::{Feed, Hand, MOST};
use crate::{DType, Result, Tensor, buffer};

/// A chain that a reduction asks for elements.
pub(super) struct Fed<'a> {
    program: &'a Program<'a>,
    starts: SmallVec<[Pointer<u8>; 4]>,
    shape: &'a [i64],
    dtype: DType,
    has_begun: AtomicBool,
}

impl<'a> Fed<'a> {
    /// One that writes what is wanted of it to these outputs.
    pub(super) fn new(
        program: &'a Program<'a>,
        outputs: &[Tensor],
        space: &'a Space<'_>,
        dtype: DType,
    ) -> Fed<'a> {
        let has_begun = AtomicBool::new(false);
        Fed { program, starts: starts(outputs), shape: space.shape, dtype, has_begun }
    }

    /// Whether a reduction has asked for elements.
    pub(super) fn has_begun(&self) -> bool {
        self.has_begun.load(Ordering::Relaxed)
    }

    /// Where a step reads or writes what is reduced, if that is a window.
    fn in_window(&self) -> SmallVec<[(usize, usize); 4]> {
        let lies = |it: &usize| matches!(self.program.values[*it].lies, Lies::Window);
        let mut found = SmallVec::new();
        for (at, step) in self.program.steps.iter().enumerate() {
            let operands = std::iter::once(&step.writes).chain(&step.reads).enumerate();
            found.extend(operands.filter(|(_, it)| lies(it)).map(|(k, _)| (at, k)));
        }
        found
    }
}

impl Feed for Fed<'_> {
    fn shape(&self) -> &[i64] {
        self.shape
    }

    fn dtype(&self) -> DType {
        self.dtype
    }

    fn begin(&self, _: DimSet) -> Result<()> {
        self.has_begun.store(true, Ordering::Relaxed);
        Ok(())
    }

    fn hand(&self, range: Range<usize>) -> Result<Box<dyn Hand + '_>> {
        // As many blocks as fill what is asked for.
        let block = MOST >> MOST.div_ceil(self.program.block()).next_power_of_two().ilog2();
        let workspace = self.program.workspace(block, &self.starts)?;
        let output = self.program.reduced.and_then(|it| match self.program.values[it].lies {
            Lies::Output(at) => Some(self.starts[at]),
            _ => None,
        });
        let size = self.dtype.size();
        let room = if output.is_some() { 0 } else { (MOST * size).div_ceil(size_of::<u128>()) };
        let window = buffer::filled(room, 0_u128)?;
        let (start, places) = (range.start, self.in_window());
        let made = start..start;
        Ok(Box::new(Worker {
            program: self.program,
            workspace,
            range,
            made,
            size,
            output,
            window,
            places,
        }))
    }
}

/// Runs a chain in one thread.
struct Worker<'a> {
    program: &'a Program<'a>,
    workspace: Workspace,
    range: Range<usize>,
    /// The elements that are there.
    made: Range<usize>,
    size: usize,
    /// Where all of them go, if they are wanted.
    output: Option<Pointer<u8>>,
    /// Where they go otherwise.
    window: Vec<u128>,
    places: SmallVec<[(usize, usize); 4]>,
}

impl Hand for Worker<'_> {
    fn elements(&mut self, start: usize, count: usize) -> *const u8 {
        if start < self.made.start || start + count > self.made.end {
            self.make(start);
        }
        match self.output {
            Some(first) => first.0.wrapping_add(start * self.size),
            None => {
                let first: *const u8 = self.window.as_ptr().cast();
                first.wrapping_add((start - self.made.start) * self.size)
            }
        }
    }
}

impl Worker<'_> {
    /// Makes the elements from here on. Those that are there are not made again: another thread may
    /// make what follows the range.
    fn make(&mut self, start: usize) {
        let end = self.range.end.min(start + MOST);
        let is_there = self.made.contains(&start);
        let first = if is_there { self.made.end } else { start };
        if self.output.is_none() {
            let kept = if is_there { self.made.end - start } else { 0 };
            self.open(start, kept);
        }
        self.program.pass(first..end, &self.workspace);
        self.made = start..end;
    }

    /// Lets the window begin with this element, of which so many more are there.
    fn open(&mut self, start: usize, kept: usize) {
        let window: *mut u8 = self.window.as_mut_ptr().cast();
        if kept > 0 {
            let from = window.wrapping_add((start - self.made.start) * self.size);
            // SAFETY: the window has what is there, and begins with less or as much.
            unsafe { std::ptr::copy(from, window, kept * self.size) };
        }
        let place = Place::moving(window.wrapping_sub(start * self.size), self.size);
        for &(step, operand) in &self.places {
            self.workspace.operands[step][operand] = place;
        }
    }
}
