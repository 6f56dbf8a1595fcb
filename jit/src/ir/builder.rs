//! Writes a [`Function`], block by block, and computes what is known already.

use std::collections::HashMap;
use std::sync::Arc;

use super::fold::fold;
use super::function::{BlockData, Def, Function, Site, Trap, ValueData};
use super::ids::{Block, PlaceId, SiteId, Value, ValueList};
use super::inst::{Inst, Opcode, Terminator};
use crate::types::{Prim, Ty};

/// A function that is being written.
pub struct Builder {
    /// The function so far.
    pub function: Function,
    /// Where what follows comes from.
    pub place: PlaceId,
    block: Block,
    constants: HashMap<(u64, Prim), Value>,
}

/// How far a function was written, to go back there.
#[derive(Clone, Copy, Debug)]
pub struct Checkpoint {
    blocks: usize,
    insts: usize,
    values: usize,
    sites: usize,
    block: Block,
    within: usize,
}

impl Builder {
    /// A function of these parameters, and the words of its arguments.
    pub fn new(name: Arc<str>, params: Vec<Ty>, place: PlaceId) -> (Builder, ValueList) {
        let words: Vec<Prim> = params.iter().flat_map(|it| it.prims()).collect();
        let function = Function {
            name,
            params,
            result: Ty::none(),
            blocks: Vec::new(),
            insts: Vec::new(),
            values: Vec::new(),
            sites: Vec::new(),
            place,
        };
        let mut builder = Builder { function, place, block: Block(0), constants: HashMap::new() };
        let (entry, params) = builder.add_block(words);
        builder.block = entry;
        (builder, params)
    }

    /// The block that is written.
    pub fn block(&self) -> Block {
        self.block
    }

    /// Goes on writing in a block.
    pub fn enter(&mut self, block: Block) {
        self.block = block;
    }

    /// A new block, and its parameters.
    pub fn add_block(&mut self, params: impl IntoIterator<Item = Prim>) -> (Block, ValueList) {
        let block = Block(index(self.function.blocks.len()));
        let params: ValueList =
            params.into_iter().map(|prim| self.add_value(prim, Def::Param(block))).collect();
        self.function.blocks.push(BlockData {
            params: params.clone(),
            insts: Vec::new(),
            term: Terminator::Open,
        });
        (block, params)
    }

    fn add_value(&mut self, prim: Prim, def: Def) -> Value {
        self.function.values.push(ValueData { prim, def });
        Value(index(self.function.values.len() - 1))
    }

    /// An instruction with one result, or the constant that it gives.
    pub fn emit(&mut self, op: Opcode, args: &[Value], prim: Prim) -> Value {
        match fold(&self.function, op, args, prim) {
            Some(super::fold::Folded::Bits(bits)) => self.constant(bits, prim),
            Some(super::fold::Folded::Value(value)) => value,
            None => self.push(op, args, [prim])[0],
        }
    }

    /// An instruction with any number of results.
    pub fn push(
        &mut self,
        op: Opcode,
        args: &[Value],
        prims: impl IntoIterator<Item = Prim>,
    ) -> ValueList {
        let at = index(self.function.insts.len());
        let results: ValueList =
            prims.into_iter().map(|prim| self.add_value(prim, Def::Inst(at))).collect();
        let place = self.place;
        self.function.insts.push(Inst { op, args: args.into(), results: results.clone(), place });
        self.function.blocks[self.block.0 as usize].insts.push(at);
        results
    }

    /// A constant.
    pub fn constant(&mut self, bits: u64, prim: Prim) -> Value {
        if let Some(known) = self.constants.get(&(bits, prim)) {
            return *known;
        }
        let value = self.add_value(prim, Def::Const(bits));
        self.constants.insert((bits, prim), value);
        value
    }

    /// A whole number.
    pub fn int(&mut self, number: i64) -> Value {
        self.constant(number.cast_unsigned(), Prim::Int)
    }

    /// A bool.
    pub fn bool(&mut self, truth: bool) -> Value {
        self.constant(u64::from(truth), Prim::Bool)
    }

    /// A place where something can fail.
    pub fn site(&mut self, failure: Trap) -> SiteId {
        self.function.sites.push(Site { place: self.place, failure });
        SiteId(index(self.function.sites.len() - 1))
    }

    /// Fails unless a bool is true.
    pub fn check(&mut self, truth: Value, failure: Trap, shown: &[Value]) {
        if self.function.constant(truth) == Some(1) {
            return;
        }
        let site = self.site(failure);
        let args: ValueList = std::iter::once(truth).chain(shown.iter().copied()).collect();
        self.push(Opcode::Check(site), &args, []);
    }

    /// Fails, whatever happens.
    pub fn check_never(&mut self, failure: Trap) {
        let never = self.bool(false);
        self.check(never, failure, &[]);
    }

    /// Ends the block.
    pub fn end(&mut self, term: Terminator) {
        let block = &mut self.function.blocks[self.block.0 as usize];
        debug_assert!(block.term == Terminator::Open, "a block ends once");
        block.term = term;
    }

    /// How far the function is written.
    pub fn mark(&self) -> Checkpoint {
        Checkpoint {
            blocks: self.function.blocks.len(),
            insts: self.function.insts.len(),
            values: self.function.values.len(),
            sites: self.function.sites.len(),
            block: self.block,
            within: self.function.blocks[self.block.0 as usize].insts.len(),
        }
    }

    /// Takes back what was written after a mark; only the block of the mark was open then.
    pub fn rewind(&mut self, mark: &Checkpoint) {
        self.function.blocks.truncate(mark.blocks);
        self.function.insts.truncate(mark.insts);
        self.function.values.truncate(mark.values);
        self.function.sites.truncate(mark.sites);
        self.constants.retain(|_, value| (value.0 as usize) < mark.values);
        let block = &mut self.function.blocks[mark.block.0 as usize];
        block.insts.truncate(mark.within);
        block.term = Terminator::Open;
        self.block = mark.block;
    }
}

fn index(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
