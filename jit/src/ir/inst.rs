//! Instructions and terminators: opcodes, conditions, conversions.

use super::ids::{Block, FuncId, PlaceId, SiteId, Value, ValueList};
use super::math::MathFn;

/// How two numbers compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the comparisons")]
pub enum Cond {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

/// An element in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the machine's elements")]
pub enum Elem {
    Bool,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    F16,
    F32,
    F64,
    Ptr,
}

/// What a number becomes. Whole numbers wrap, real ones saturate, and what is no number is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Convert {
    /// A whole number to the low bits of it, extended again: bits, and whether they are signed.
    Wrap(u8, bool),
    /// A whole number, signed or not, to `f64`.
    ToF64(bool),
    /// A whole number, signed or not, to `f32`, rounded once.
    ToF32(bool),
    /// `f64` to a whole number of 64 bits, signed or not.
    FromF64(bool),
    /// `f64` to `f32`.
    Demote,
    /// `f32` to `f64`.
    Promote,
    /// The bits of an `f64` as a whole number, and back.
    Bits,
    /// `f32` rounded to the nearest number of 16 bits.
    ToF16,
}

/// What the runtime does for a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RuntimeCall {
    /// A function of the same program.
    Function(FuncId),
    /// A row of [`Program::externals`](super::Program::externals).
    External(u32),
}

/// An instruction. Operands and results are words; what it says of them stands beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Opcode {
    /// Sum of whole numbers; wraps.
    Add,
    /// Difference; wraps.
    Sub,
    /// Product; wraps.
    Mul,
    /// Quotient toward zero, signed or not; the divisor is not zero, the least by -1 wraps.
    Div(bool),
    /// Remainder of [`Opcode::Div`].
    Rem(bool),
    /// Quotient toward minus infinity of signed numbers; as for [`Opcode::Div`].
    FloorDiv,
    /// Remainder of [`Opcode::FloorDiv`], with the sign of the divisor.
    FloorMod,
    /// Power of whole numbers, by an exponent that is not negative; wraps.
    Pow,
    /// Greatest common divisor of signed numbers, without sign.
    Gcd,
    /// Bits of both.
    And,
    /// Bits of any.
    Or,
    /// Bits of one.
    Xor,
    /// Shift left, by a count modulo 64.
    Shl,
    /// Shift right with the sign, by a count modulo 64.
    Sar,
    /// Shift right with zeros, by a count modulo 64.
    Shr,
    /// Comparison of whole numbers, signed or not.
    Cmp(Cond, bool),
    /// Sum of real numbers, both of the width of the result.
    FAdd,
    /// Difference.
    FSub,
    /// Product.
    FMul,
    /// Quotient.
    FDiv,
    /// Product of the first two and sum with the third, rounded once.
    FMulAdd,
    /// The other sign.
    FNeg,
    /// Without sign.
    FAbs,
    /// Square root.
    FSqrt,
    /// Toward minus infinity.
    FFloor,
    /// Toward infinity.
    FCeil,
    /// Toward zero.
    FTrunc,
    /// To the nearest, ties to even.
    FRint,
    /// Comparison of real numbers; nothing compares with what is no number but `Ne`.
    FCmp(Cond),
    /// A function of real numbers, of the width of the result.
    Math(MathFn),
    /// The second if the first is true, else the third.
    Select,
    /// Another kind of number.
    Convert(Convert),
    /// The element at an address.
    Load(Elem),
    /// Writes an element: address, value.
    Store(Elem),
    /// An address so many bytes further.
    Offset,
    /// Fails unless the first is true; the others are what the message shows.
    Check(SiteId),
    /// The index counted from the start, or a failure: index, extent.
    CheckIndex(SiteId),
    /// A call, which may fail.
    Call(RuntimeCall, SiteId),
    /// One more reference to an owner.
    Retain,
    /// One reference less.
    Release,
    /// A back edge: now and then it asks whether to stop.
    Poll(SiteId),
}

/// How a block ends.
#[derive(Clone, Debug, PartialEq)]
pub enum Terminator {
    /// It has no end yet.
    Open,
    /// Goes on at a block, with arguments for its parameters.
    Jump((Block, ValueList)),
    /// Goes on at the first block if the value is true, else at the second.
    Branch(Value, (Block, ValueList), (Block, ValueList)),
    /// Returns.
    Return(ValueList),
    /// Raises, with the values of the message.
    Raise(SiteId, ValueList),
}

/// An instruction of a block.
#[derive(Clone, Debug)]
pub struct Inst {
    /// What it does.
    pub op: Opcode,
    /// Its operands.
    pub args: ValueList,
    /// Its results.
    pub results: ValueList,
    /// Where it comes from.
    pub place: PlaceId,
}

impl Terminator {
    /// The blocks that follow, with what their parameters get.
    pub fn targets(&self) -> impl Iterator<Item = &(Block, ValueList)> {
        let targets: [Option<&(Block, ValueList)>; 2] = match self {
            Terminator::Jump(target) => [Some(target), None],
            Terminator::Branch(_, first, second) => [Some(first), Some(second)],
            Terminator::Open | Terminator::Return(_) | Terminator::Raise(..) => [None, None],
        };
        targets.into_iter().flatten()
    }

    /// As [`Terminator::targets`], to change them.
    pub fn targets_mut(&mut self) -> impl Iterator<Item = &mut (Block, ValueList)> {
        let targets: [Option<&mut (Block, ValueList)>; 2] = match self {
            Terminator::Jump(target) => [Some(target), None],
            Terminator::Branch(_, first, second) => [Some(first), Some(second)],
            Terminator::Open | Terminator::Return(_) | Terminator::Raise(..) => [None, None],
        };
        targets.into_iter().flatten()
    }
}

impl Terminator {
    /// All values that it reads.
    pub(crate) fn for_each_value(&self, read: &mut dyn FnMut(Value)) {
        match self {
            Terminator::Open => {}
            Terminator::Jump((_, args)) | Terminator::Return(args) | Terminator::Raise(_, args) => {
                args.iter().for_each(|it| read(*it));
            }
            Terminator::Branch(test, (_, then), (_, other)) => {
                read(*test);
                then.iter().chain(other).for_each(|it| read(*it));
            }
        }
    }

    /// Changes all values that it reads.
    pub fn values_mut(&mut self, change: &mut dyn FnMut(&mut Value)) {
        match self {
            Terminator::Open => {}
            Terminator::Jump((_, args)) | Terminator::Return(args) | Terminator::Raise(_, args) => {
                args.iter_mut().for_each(change);
            }
            Terminator::Branch(test, (_, then), (_, other)) => {
                change(test);
                then.iter_mut().for_each(&mut *change);
                other.iter_mut().for_each(change);
            }
        }
    }
}

impl Cond {
    /// What holds of whole numbers where this does not.
    pub(crate) fn inverse(self) -> Cond {
        match self {
            Cond::Eq => Cond::Ne,
            Cond::Ne => Cond::Eq,
            Cond::Lt => Cond::Ge,
            Cond::Le => Cond::Gt,
            Cond::Gt => Cond::Le,
            Cond::Ge => Cond::Lt,
        }
    }

    /// What holds of the second and the first.
    pub(crate) fn swapped(self) -> Cond {
        match self {
            Cond::Eq => Cond::Eq,
            Cond::Ne => Cond::Ne,
            Cond::Lt => Cond::Gt,
            Cond::Le => Cond::Ge,
            Cond::Gt => Cond::Lt,
            Cond::Ge => Cond::Le,
        }
    }
}

impl Opcode {
    /// Whether the order of its operands makes no difference, to the bit.
    ///
    /// Sums and products of real numbers keep theirs: which of two `nan` is the result depends on it.
    pub(crate) fn is_commutative(self) -> bool {
        matches!(
            self,
            Opcode::Add
                | Opcode::Mul
                | Opcode::And
                | Opcode::Or
                | Opcode::Xor
                | Opcode::Gcd
                | Opcode::Cmp(Cond::Eq | Cond::Ne, _)
                | Opcode::FCmp(Cond::Eq | Cond::Ne)
        )
    }

    /// Whether it may be left out if nobody reads its result, and done once instead of twice.
    pub fn is_pure(&self) -> bool {
        !matches!(
            self,
            Opcode::Load(_)
                | Opcode::Store(_)
                | Opcode::Check(_)
                | Opcode::CheckIndex(_)
                | Opcode::Call(..)
                | Opcode::Retain
                | Opcode::Release
                | Opcode::Poll(_)
        )
    }
}
