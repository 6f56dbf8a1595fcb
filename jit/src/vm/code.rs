//! Code of the register machine: functions, instructions and what these do.

use crate::ir::Program;

macro_rules! opcodes {
    ($($name:ident),* $(,)?) => {
        /// What an instruction does.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u16)]
        pub(super) enum VmOpcode { $($name),* }
    };
}

opcodes! {
    Move, Add, Sub, Mul, SDiv, UDiv, SRem, URem, FloorDiv, FloorMod, Pow, Gcd, And, Or, Xor, Shl, Sar, Shr,
    Eq, Ne, Slt, Sle, Sgt, Sge, Ult, Ule, Ugt, Uge,
    AddF64, SubF64, MulF64, MulAddF64, DivF64, NegF64, AbsF64, SqrtF64, FloorF64, CeilF64, TruncF64, RintF64,
    AddF32, SubF32, MulF32, MulAddF32, DivF32, NegF32, AbsF32, SqrtF32, FloorF32, CeilF32, TruncF32, RintF32,
    EqF64, NeF64, LtF64, LeF64, GtF64, GeF64, EqF32, NeF32, LtF32, LeF32, GtF32, GeF32,
    Math, Select,
    WrapS, WrapU, IntToF64, UintToF64, IntToF32, UintToF32, F64ToInt, F64ToUint, Demote, Promote, ToF16,
    LoadI8, LoadI16, LoadI32, LoadI64, LoadBool, LoadU8, LoadU16, LoadU32, LoadF16,
    StoreI8, StoreI16, StoreI32, StoreI64, StoreF16,
    Check, CheckIndex, Call, Retain, Release, Poll,
    Jump, JumpUnless, Return, Raise,
    JumpEq, JumpNe, JumpSlt, JumpSle, JumpSgt, JumpSge,
    JumpNotLtF64, JumpNotGtF64,
}

/// A program in the form in which the machine runs it.
pub struct Machine {
    pub(super) codes: Vec<Code>,
    pub(super) program: Program,
}

/// A function in that form.
pub(super) struct Code {
    pub(super) instrs: Vec<Instr>,
    /// The constants, which are in the first slots.
    pub(super) constants: Vec<u64>,
    /// How many slots it has.
    pub(super) slots: usize,
    /// Behind which of them there is room for the words of calls of the runtime.
    pub(super) room: usize,
    /// How many words its arguments have; their slots follow the constants.
    pub(super) params: usize,
    pub(super) calls: Vec<VmCall>,
    pub(super) lists: Vec<Box<[u16]>>,
}

/// An instruction: what it does, the slots of its result and operands, and whatever else it needs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Instr {
    pub(super) op: VmOpcode,
    pub(super) d: u16,
    pub(super) a: u16,
    pub(super) b: u16,
    pub(super) extra: u64,
}

/// A call of a function.
pub(super) struct VmCall {
    pub(super) callee: VmCallee,
    pub(super) args: Box<[u16]>,
    pub(super) results: Box<[u16]>,
    pub(super) site: u32,
}

pub(super) enum VmCallee {
    Function(usize),
    External(usize),
}
