//! Scalar programs: functions of numbers alone, as programs of [`opwright_jit::ir`],
//! which its machine runs.
//!
//! A node is an instruction where somebody has said which ([`declare`]), and else a call of the inner
//! loop of its operator over one element. Both have the bits of the operator.

mod instruction;
mod loop_call;

use opwright_jit::entry::Frame;
use opwright_jit::ir::{
    Builder, External, ExternalCallee, Opcode, PlaceId, Program, RuntimeCall, SiteId, Terminator,
    Trap, Value as Word, ValueList,
};
use opwright_jit::types::Ty;
use opwright_jit::vm::Machine;
use opwright_runtime::op::Value;
use opwright_runtime::types::Plain;
use opwright_runtime::{DType, Scalar, dispatch};
use smallvec::SmallVec;

pub use opwright_jit::ir;
pub use opwright_jit::types::Prim;

pub use self::instruction::{Instruction, declare};
use crate::run::fast_path::BoundLoop;
use crate::run::plan::ExecutionPlan;
use crate::run::scalar_loop::{ScalarLoop, ScalarOperand};

/// So many numbers are given and computed at most.
pub(crate) const MOST: usize = 16;

/// Loops at addresses that programs name: a loop stays where it is while others are appended.
type BoundLoops = Vec<Box<BoundLoop>>;

/// A function that is given real numbers, and computes numbers.
pub(crate) struct ScalarProgram {
    machine: Machine,
    /// The dtypes of its results.
    results: SmallVec<[DType; 4]>,
    /// The loops that it calls.
    _loops: BoundLoops,
}

impl ScalarProgram {
    /// That of a plan, if its numbers are read as they are given and computed; it gives those of the
    /// slots that are wanted.
    pub(crate) fn of(
        plan: &ExecutionPlan,
        given: usize,
        wanted: impl IntoIterator<Item = usize>,
    ) -> Option<ScalarProgram> {
        let is_real = |at: usize| plan.slots[at].ty().downcast::<Plain>() == Some(&Plain::Double);
        // Loops read and write the first bytes of words.
        if cfg!(target_endian = "big")
            || plan.slots.len() > MOST
            || !plan.shared.is_empty()
            || !(0..given).all(is_real)
        {
            return None;
        }
        let mut writer = ProgramWriter::new(given);
        for step in &plan.steps {
            writer.step(step.number_loop()?)?;
        }
        writer.finish(wanted)
    }

    /// Computes the results of numbers; whether nothing went wrong.
    #[inline]
    pub(crate) fn run(&self, given: &[u64], results: &mut [u64; MOST]) -> bool {
        let mut frame = Frame::new();
        // SAFETY: the program takes as many real numbers as the function, reads no memory, and gives
        // fewer results than there is room for.
        unsafe { self.machine.run(&mut frame, given, &mut results[..self.results.len()]) }
    }

    /// The result of a number, from its word.
    #[inline]
    pub(crate) fn value(&self, result: usize, word: u64) -> Value {
        match self.results[result] {
            DType::Bool => Value::Bool(word != 0),
            DType::Int64 => Value::Int(word.cast_signed()),
            DType::Float32 => Value::Float(f32::from_bits(word as u32).into()),
            _ => Value::Float(f64::from_bits(word)),
        }
    }
}

/// A program that is written.
struct ProgramWriter {
    builder: Builder,
    /// The slots of the plan so far.
    slots: Vec<(Word, DType)>,
    loops: BoundLoops,
    /// Where a call of a loop fails.
    site: SiteId,
}

impl ProgramWriter {
    fn new(given: usize) -> ProgramWriter {
        let (mut builder, words) =
            Builder::new("numbers".into(), vec![Ty::float64(); given], PlaceId(0));
        let slots = words.into_iter().map(|it| (it, DType::Float64)).collect();
        let site = builder.site(Trap::Call);
        ProgramWriter { builder, slots, loops: Vec::new(), site }
    }

    /// Writes a node.
    fn step(&mut self, inner: &ScalarLoop) -> Option<()> {
        let part = inner.part()?;
        let mut words = SmallVec::<[Word; 4]>::new();
        for (operand, dtype) in inner.operands().iter().zip(part.read) {
            words.push(self.operand(operand, *dtype)?);
        }
        let (result, prim) = (part.result, prim(part.result)?);
        let word = match instruction::of(inner, part.read, result) {
            Some(instruction) => instruction.write(&mut self.builder, &words, prim),
            None => self.call(part, &words, prim),
        };
        self.slots.push((word, result));
        Some(())
    }

    fn operand(&mut self, operand: &ScalarOperand, dtype: DType) -> Option<Word> {
        match operand {
            ScalarOperand::Slot(slot) => {
                self.slots.get(*slot).filter(|(_, found)| *found == dtype).map(|(word, _)| *word)
            }
            ScalarOperand::Number(number) => {
                let prim = prim(dtype)?;
                Some(self.builder.constant(bits(*number, dtype)?, prim))
            }
        }
    }

    /// A call of a loop, whose address is the first operand.
    fn call(&mut self, part: BoundLoop, words: &[Word], prim: Prim) -> Word {
        let part = Box::new(part);
        let address = std::ptr::from_ref(&*part).expose_provenance() as u64;
        self.loops.push(part);
        let address = self.builder.constant(address, Prim::Ptr);
        let args: ValueList = std::iter::once(address).chain(words.iter().copied()).collect();
        self.builder.push(Opcode::Call(RuntimeCall::External(0), self.site), &args, [prim])[0]
    }

    fn finish(mut self, wanted: impl IntoIterator<Item = usize>) -> Option<ScalarProgram> {
        let wanted: Vec<(Word, DType)> =
            wanted.into_iter().map(|it| self.slots.get(it).copied()).collect::<Option<_>>()?;
        if wanted.len() > MOST {
            return None;
        }
        self.builder.end(Terminator::Return(wanted.iter().map(|it| it.0).collect()));
        let external =
            External { name: "inner_loop", callee: ExternalCallee::Own(loop_call::loop_call) };
        let program = Program {
            functions: vec![self.builder.function],
            externals: vec![external],
            ..Program::default()
        };
        let machine = Machine::new(program).ok()?;
        let results = wanted.iter().map(|it| it.1).collect();
        Some(ScalarProgram { machine, results, _loops: self.loops })
    }
}

/// The kind of word that a number of a dtype is, if it is one word.
fn prim(dtype: DType) -> Option<Prim> {
    match dtype {
        DType::Bool => Some(Prim::Bool),
        DType::Int64 => Some(Prim::Int),
        DType::Float32 => Some(Prim::F32),
        DType::Float64 => Some(Prim::F64),
        _ => None,
    }
}

/// The word of a number as an element of a dtype whose numbers are one word.
fn bits(number: Scalar, dtype: DType) -> Option<u64> {
    let mut word = 0_u64;
    let wrapped = dispatch!(dtype, "bits", all, |T| {
        if size_of::<T>() <= size_of::<u64>() {
            // SAFETY: a word has room for an element of at most its size, and is aligned for it.
            unsafe { std::ptr::from_mut(&mut word).cast::<T>().write(number.wrap()) };
        }
        Ok(())
    });
    wrapped.ok().map(|()| word)
}
