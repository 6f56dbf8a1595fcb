//! The typed program: static single assignment in basic blocks with parameters.
//!
//! Values are machine words ([`Prim`]); tuples, arrays and structs were taken apart into words when
//! they were typed, so there is nothing compound below. An instruction that fails names a
//! [`Site`]: what is raised, and where.

mod builder;
#[cfg(any(feature = "cc", feature = "cranelift"))]
mod call_graph;
mod fold;
mod math;
mod polygamma;
mod print;

use std::any::Any;
use std::sync::Arc;

use smallvec::SmallVec;

pub use self::builder::{Builder, Checkpoint};
#[cfg(any(feature = "cc", feature = "cranelift"))]
pub(crate) use self::call_graph::CallGraph;
pub(crate) use self::fold::{Folded, floor_div, floor_mod, fold, gcd, int_pow};
pub use self::math::{BlockFns, F32 as MathF32, F64 as MathF64, MATH, Math, MathFn};
use crate::ast::Span;
use crate::types::{Obj, Prim, Ty};

/// A value: the result of an instruction, or a parameter of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Value(pub u32);

/// A basic block of a [`Function`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Block(pub u32);

/// A place in [`Program::places`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct PlaceId(pub u32);

/// A row of [`Function::sites`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SiteId(pub u32);

/// A row of [`Program::functions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FuncId(pub u32);

/// Lists of values.
pub type ValueList = SmallVec<[Value; 4]>;

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
    /// A row of [`Program::externals`].
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
    /// Remainder of [`Op::Div`].
    Rem(bool),
    /// Quotient toward minus infinity of signed numbers; as for [`Op::Div`].
    FloorDiv,
    /// Remainder of [`Op::FloorDiv`], with the sign of the divisor.
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

/// A basic block.
#[derive(Clone, Debug)]
pub struct BlockData {
    /// Its parameters.
    pub params: ValueList,
    /// Its instructions, as rows of [`Function::insts`].
    pub insts: Vec<u32>,
    /// Its end.
    pub term: Terminator,
}

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Def {
    /// A parameter of a block.
    Param(Block),
    /// A result of an instruction, as a row of [`Function::insts`].
    Inst(u32),
    /// A constant: these bits, in every block.
    Const(u64),
}

/// A value.
#[derive(Clone, Copy, Debug)]
pub struct ValueData {
    /// What kind of word it is.
    pub prim: Prim,
    /// Where it comes from.
    pub def: Def,
}

/// A typed function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: Arc<str>,
    /// The types of its parameters.
    pub params: Vec<Ty>,
    /// The type of its result.
    pub result: Ty,
    /// Its blocks; the first is entered with the words of the arguments.
    pub blocks: Vec<BlockData>,
    /// Its instructions.
    pub insts: Vec<Inst>,
    /// Its values.
    pub values: Vec<ValueData>,
    /// What it can raise, and where.
    pub sites: Vec<Site>,
    /// Where it begins.
    pub place: PlaceId,
}

/// Where something can fail.
#[derive(Clone, Debug)]
pub struct Site {
    /// Where.
    pub place: PlaceId,
    /// What is raised.
    pub failure: Trap,
}

/// What is raised. Words follow, as each says.
#[derive(Clone, Debug, PartialEq)]
pub enum Trap {
    /// `ZeroDivisionError` with this text.
    ZeroDivision(&'static str),
    /// `ValueError` with this text.
    Value(Arc<str>),
    /// `TypeError` with this text.
    Type(Arc<str>),
    /// `IndexError`: index, extent; the axis and whether it is one of an array.
    Index(u32, bool),
    /// `ValueError` of shapes that do not go together: the two extents.
    Broadcast,
    /// `ValueError` of an array that does not broadcast to a place: its extents, of which there are
    /// so many, then those of the place.
    BroadcastTo(u32),
    /// `UnboundLocalError` of a local.
    Unbound(Arc<str>),
    /// An exception of the program: its class, and the types of its arguments, whose words follow.
    Raised(Obj, Vec<RaisedArg>),
    /// Whatever a call left.
    Call,
}

/// An argument of an exception.
#[derive(Clone, Debug, PartialEq)]
pub enum RaisedArg {
    /// A value of this type.
    Value(Ty),
    /// A text made of these.
    Formatted(Vec<Ty>),
}

/// A place in a source, and the call that it was inlined at.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SourceLoc {
    /// The source, as a row of [`Program::sources`].
    pub source: u32,
    /// Where in it.
    pub span: Span,
    /// The call that the function around it was inlined at.
    pub caller: Option<PlaceId>,
}

/// A function as tracebacks name it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FunctionName {
    /// The file.
    pub file: Arc<str>,
    /// The function.
    pub function: Arc<str>,
}

/// What a program calls besides its own functions.
#[derive(Clone, Copy)]
pub struct External {
    /// What it is called.
    pub name: &'static str,
    /// What is called.
    pub callee: ExternalCallee,
}

/// What an [`External`] calls.
#[derive(Clone, Copy, Debug)]
pub enum ExternalCallee {
    /// A function of this library.
    Own(ExternalFn),
    /// One of another library, which knows nothing of frames.
    Native(crate::native::NativeEntry),
}

/// A function of this library: it takes the frame, its arguments, and room for its results; not 0 says
/// that it failed.
pub type ExternalFn = unsafe extern "C" fn(
    frame: *mut crate::entry::Frame,
    args: *const u64,
    results: *mut u64,
) -> u32;

/// The functions that an entry needs; the first is the entry.
#[derive(Default)]
pub struct Program {
    /// The functions.
    pub functions: Vec<Function>,
    /// What they call besides.
    pub externals: Vec<External>,
    /// The places of instructions.
    pub places: Vec<SourceLoc>,
    /// The functions of places.
    pub sources: Vec<FunctionName>,
    /// The operators that it calls, where they stay.
    pub operators: Vec<Box<crate::operator::OperatorCall>>,
    /// What calls resolved to, and where.
    pub calls: Vec<(PlaceId, String)>,
    /// Objects of the host that constants refer to, which live as long as the program.
    pub held: Vec<Obj>,
    /// What keeps all objects of the host that it names.
    pub kept: Option<Arc<dyn Any + Send + Sync>>,
    /// The arrays among the arguments that it may write to: where their owners stand among the words.
    pub mutated: Vec<usize>,
    /// What the passes did to the functions.
    pub stats: Stats,
}

/// What the passes did to functions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Instructions that were folded.
    pub folded: usize,
    /// Instructions that share the result of another.
    pub shared: usize,
    /// Instructions that went before a loop.
    pub hoisted: usize,
    /// Checks of an index that went.
    pub bounds: usize,
    /// Other checks that went.
    pub checks: usize,
    /// Instructions that nothing depended on.
    pub dead: usize,
    /// Blocks that went.
    pub blocks: usize,
    /// Branches that became selections.
    pub selected: usize,
    /// Loops that were written out.
    pub unrolled: usize,
}

impl Stats {
    /// What is counted, and how often it happened.
    pub fn rows(&self) -> [(&'static str, usize); 9] {
        let Stats { folded, shared, hoisted, bounds, checks, dead, blocks, selected, unrolled } =
            *self;
        [
            ("folded", folded),
            ("shared", shared),
            ("hoisted", hoisted),
            ("bounds", bounds),
            ("checks", checks),
            ("dead", dead),
            ("blocks", blocks),
            ("selected", selected),
            ("unrolled", unrolled),
        ]
    }
}

impl std::ops::AddAssign for Stats {
    fn add_assign(&mut self, other: Stats) {
        self.folded += other.folded;
        self.shared += other.shared;
        self.hoisted += other.hoisted;
        self.bounds += other.bounds;
        self.checks += other.checks;
        self.dead += other.dead;
        self.blocks += other.blocks;
        self.selected += other.selected;
        self.unrolled += other.unrolled;
    }
}

impl Function {
    /// The bits of a value, if it is a constant.
    pub fn constant(&self, value: Value) -> Option<u64> {
        match self.values[value.0 as usize].def {
            Def::Const(bits) => Some(bits),
            Def::Param(_) | Def::Inst(_) => None,
        }
    }

    /// The instruction that a value is a result of, if it is one.
    pub(crate) fn def(&self, value: Value) -> Option<&Inst> {
        match self.values[value.0 as usize].def {
            Def::Inst(at) => self.insts.get(at as usize),
            Def::Param(_) | Def::Const(_) => None,
        }
    }

    /// What kind of word a value is.
    pub fn prim(&self, value: Value) -> Prim {
        self.values[value.0 as usize].prim
    }

    /// A block.
    pub fn block(&self, block: Block) -> &BlockData {
        &self.blocks[block.0 as usize]
    }

    /// Appends an instruction to a block; its result is of the kind of the last operand.
    pub(crate) fn append(
        &mut self,
        block: usize,
        op: Opcode,
        args: &[Value],
        place: PlaceId,
    ) -> Value {
        let at = self.insts.len() as u32;
        let prim = args.last().map_or(Prim::Int, |it| self.prim(*it));
        let result = Value(self.values.len() as u32);
        self.values.push(ValueData { prim, def: Def::Inst(at) });
        self.insts.push(Inst {
            op,
            args: args.into(),
            results: [result].into_iter().collect(),
            place,
        });
        self.blocks[block].insts.push(at);
        result
    }

    /// Whether it has a loop.
    pub fn has_loop(&self) -> bool {
        self.insts.iter().any(|it| matches!(it.op, Opcode::Poll(_)))
    }
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

    /// As [`Term::targets`], to change them.
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
