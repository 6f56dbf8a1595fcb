//! A compiled function of numbers as an inner loop of the runtime, which chains of graphs run beside
//! the loops of operators, block by block.
//!
//! The loop is a program over dense arrays of one dimension: `loop(out, a, b)` writes the function of
//! each pair of elements. It takes at most two operands, all of the dtype of the result.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};

use opwright_runtime::iterate::inner_loop::{self, Then};
use opwright_runtime::op::{Calculates, ElementLoop, Native, Value};
use opwright_runtime::{DType, Element, Error, Result};
use smallvec::SmallVec;

use crate::backend::Executable;
use crate::entry::{Frame, argument_owner};
use crate::memory;
use crate::types::{ArrayLayout, Ty, TyKind};

/// The loop of all of these functions: which one it is says the value that it is made with.
pub static LOOP: ElementLoop = ElementLoop { calculates: Calculates::InResult, make };

/// A function of numbers, compiled as a loop over arrays.
pub struct ElementFunction {
    code: Executable,
    operands: usize,
    dtype: DType,
}

impl ElementFunction {
    /// That of a program, if it is such a loop and calls nothing: what it gives depends on its
    /// operands alone, on whatever thread it runs.
    pub fn new(code: Executable) -> Option<ElementFunction> {
        let program = code.program();
        let params = &program.functions.first()?.params;
        let dtype = dtype_of(*params.first()?)?;
        let operands = params.len() - 1;
        let is_plain = program.externals.is_empty() && program.operators.is_empty();
        let fits = is_plain
            && (1..=2).contains(&operands)
            && matches!(dtype, DType::Float32 | DType::Float64 | DType::Int64)
            && params.iter().all(|it| dtype_of(*it) == Some(dtype));
        fits.then_some(ElementFunction { code, operands, dtype })
    }

    /// The dtype of its operands and of its result.
    pub fn dtype(&self) -> DType {
        self.dtype
    }

    /// The value that [`LOOP`] is made with.
    pub fn into_value(self) -> Value {
        Value::Native(Native::of_host(self))
    }

    /// Writes the function of elements over the first of their operands; whether it could.
    fn run<T: Element>(&self, first: &mut [T], second: Option<&[T]>) -> bool {
        let out = first.as_mut_ptr().expose_provenance() as u64;
        let mut words = SmallVec::<[u64; 12]>::new();
        let operands =
            [Some(out), Some(out), second.map(|it| it.as_ptr().expose_provenance() as u64)];
        for (at, address) in operands.into_iter().flatten().enumerate() {
            let (count, size) = (first.len() as u64, size_of::<T>() as u64);
            words.extend([argument_owner(at), address, count, size]);
        }
        let mut frame = Frame::new();
        // SAFETY: the program was looked at when this was made: it takes arrays of this dtype with one
        // dense dimension, and gives nothing; all are as long as the block.
        let is_fine = unsafe { self.code.run(&mut frame, &words, &mut []) };
        if let Some(payload) = frame.payload.take() {
            resume_unwind(payload);
        }
        is_fine
    }
}

/// The dtype of a dense array of one dimension.
fn dtype_of(ty: Ty) -> Option<DType> {
    match &*ty {
        TyKind::Array(it) if it.ndim == 1 && it.layout == ArrayLayout::C => memory::dtype(it.dtype),
        _ => None,
    }
}

/// Makes the loop of the function that the only value holds. It fails behind its last block if the
/// function did for an element: what it raises is known to who calls it for all.
fn make(dtype: DType, others: &mut [Value], then: Then<'_>) -> Result<()> {
    let held = match others {
        [Value::Native(native)] => native.host::<ElementFunction>(),
        _ => None,
    };
    let Some(function) = held else {
        return Err(Error::wrong_type("the loop of a compiled function is made with the function"));
    };
    if function.dtype != dtype {
        return Err(Error::wrong_type(format_args!(
            "this loop is compiled for {}, not for {dtype}",
            function.dtype
        )));
    }
    match dtype {
        DType::Float32 => made::<f32>(function, then),
        DType::Float64 => made::<f64>(function, then),
        _ => made::<i64>(function, then),
    }
}

fn made<T: Element>(function: &ElementFunction, then: Then<'_>) -> Result<()> {
    let has_failed = AtomicBool::new(false);
    let run = |first: &mut [T], second: Option<&[T]>| {
        if !has_failed.load(Ordering::Relaxed) && !function.run(first, second) {
            has_failed.store(true, Ordering::Relaxed);
        }
    };
    match function.operands {
        1 => inner_loop::unary_blocks(|block: &mut [T]| run(block, None), then)?,
        _ => {
            inner_loop::binary_blocks(|block: &mut [T], other: &[T]| run(block, Some(other)), then)?
        }
    }
    if has_failed.into_inner() {
        return Err(Error::runtime("a compiled function failed for an element"));
    }
    Ok(())
}
