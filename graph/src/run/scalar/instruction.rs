//! Instruction selection: which instruction an operator of numbers is.

use std::ptr;
use std::sync::OnceLock;

use opwright_jit::ir::{Builder, Opcode, Value};
use opwright_jit::types::Prim;
use opwright_runtime::DType;
use opwright_runtime::op::{ElementLoop, Operator};

use crate::run::scalar_loop::ScalarLoop;

/// What an operator is in programs of numbers.
#[derive(Clone, Copy)]
pub enum Instruction {
    /// One of these, over all operands.
    One(Opcode),
    /// What this writes.
    Several(fn(&mut Builder, &[Value]) -> Value),
}

/// The loops of operators, and what each of them is over numbers of 64 bits.
static DECLARED: OnceLock<Vec<(&'static ElementLoop, Instruction)>> = OnceLock::new();

/// Says what the loop of an operator is over numbers of 64 bits, to the bit, where its other
/// arguments have their defaults. Only the first declaration counts.
pub fn declare(rows: impl IntoIterator<Item = (&'static Operator, Instruction)>) {
    DECLARED.get_or_init(|| {
        rows.into_iter().filter_map(|(row, it)| Some((row.inner_loop?, it))).collect()
    });
}

/// What a node is, if that is declared.
pub(super) fn of(inner: &ScalarLoop, read: &[DType], result: DType) -> Option<Instruction> {
    let is_wide = read.iter().all(|it| *it == DType::Float64);
    let fits = matches!(result, DType::Float64 | DType::Bool) && is_wide && inner.is_plain();
    let declared = DECLARED.get().filter(|_| fits)?;
    declared.iter().find(|(it, _)| ptr::eq(*it, inner.row_loop())).map(|(_, it)| *it)
}

impl Instruction {
    /// Writes it, with a result of a kind.
    pub(super) fn write(self, builder: &mut Builder, operands: &[Value], prim: Prim) -> Value {
        match self {
            Instruction::One(op) => builder.emit(op, operands, prim),
            Instruction::Several(write) => write(builder, operands),
        }
    }
}
