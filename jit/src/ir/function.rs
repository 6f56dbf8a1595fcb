//! Typed functions: basic blocks of instructions, values, and sites that can fail.

use std::sync::Arc;

use super::ids::{Block, PlaceId, Value, ValueList};
use super::inst::{Inst, Opcode, Terminator};
use crate::types::{Obj, Prim, Ty};

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
