//! From the typed program to Cranelift's: block by block, since both are static single assignment.
//!
//! A function takes the frame, how deep its call is nested, and its words in registers. It returns
//! whether it failed, and its words: in registers if they are few, else through an address that it
//! gets last. The entry takes frame, words and room for results as addresses.

mod access;
mod call;
mod number;

use cranelift_codegen::ir::types::{F32, F64, I8, I32, I64};
use cranelift_codegen::ir::{
    self as cl, AbiParam, BlockArg, FuncRef, InstBuilder as _, MemFlagsData, SigRef, Signature,
    StackSlot, Type,
};
use cranelift_codegen::isa::{CallConv, TargetIsa};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext, Variable};
use cranelift_jit::JITModule;
use cranelift_module::{FuncId, Module as _};

use super::trampoline;
use crate::entry::Frame;
use crate::ir::{
    Block, Def, Function, Inst, Opcode, Program, SiteId, Terminator, Value, ValueList,
};
use crate::passes::slp;
use crate::types::Prim;

/// How a function is entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EntryKind {
    /// The first function, from outside.
    Entry,
    /// The first function, from outside, which hands its words on to the form for calls.
    Forward,
    /// A function, from another.
    Inner(usize),
}

impl EntryKind {
    /// The number of the function.
    pub(super) fn function(self) -> usize {
        match self {
            EntryKind::Entry | EntryKind::Forward => 0,
            EntryKind::Inner(at) => at,
        }
    }
}

/// A function as others call it.
pub(super) struct Linked {
    /// Its number in the module.
    pub(super) id: FuncId,
    /// Where its words travel.
    pub(super) convention: Convention,
    /// Whether a chain of calls to it may be longer than the program has functions.
    pub(super) is_recursive: bool,
    /// Whether it changes the frame's budget of back edges.
    pub(super) polls: bool,
}

/// Where the words of a function's arguments and results travel.
pub(super) struct Convention {
    params: Vec<Type>,
    results: Vec<Type>,
    /// Whether the results go through memory.
    is_in_memory: bool,
}

impl Convention {
    pub(super) fn new(function: &Function) -> Convention {
        let params: Vec<Type> =
            function.blocks[0].params.iter().map(|it| type_of(function.prim(*it))).collect();
        let results: Vec<Type> = function.result.prims().iter().map(|it| type_of(*it)).collect();
        let floats = results.iter().filter(|it| it.is_float()).count();
        // Every system returns two of each kind in registers, and whether it failed is one of them.
        let is_in_memory = floats > 2 || results.len() - floats > 1;
        Convention { params, results, is_in_memory }
    }

    /// The signature of the function within the module.
    pub(super) fn signature(&self, pointer: Type) -> Signature {
        let mut signature = Signature::new(CallConv::Fast);
        let params = [pointer, I64].into_iter().chain(self.params.iter().copied());
        signature.params.extend(params.map(AbiParam::new));
        signature.returns.push(AbiParam::new(I32));
        if self.is_in_memory {
            signature.params.push(AbiParam::new(pointer));
        } else {
            signature.returns.extend(self.results.iter().map(|it| AbiParam::new(*it)));
        }
        signature
    }

    /// The signature of every entry.
    pub(super) fn entry_signature(isa: &dyn TargetIsa) -> Signature {
        let mut signature = Signature::new(isa.default_call_conv());
        signature.params.extend([AbiParam::new(isa.pointer_type()); 3]);
        signature.returns.push(AbiParam::new(I32));
        signature
    }
}

/// A function that is being translated.
pub(super) struct Translation<'a> {
    program: &'a Program,
    function: &'a Function,
    number: u32,
    form: EntryKind,
    linked: &'a [Linked],
    module: &'a mut JITModule,
    to: FunctionBuilder<'a>,
    values: Vec<Option<cl::Value>>,
    blocks: Vec<cl::Block>,
    frame: cl::Value,
    depth: cl::Value,
    /// Where results go, if they go through memory.
    room: Option<cl::Value>,
    /// The address of what asks whether to stop.
    poll: usize,
    /// The frame's budget of back edges while it is in a register.
    budget: Option<Variable>,
    /// The block that returns that something failed.
    failed: Option<cl::Block>,
    /// Room for words that go out, and for words that come back.
    slots: [Option<StackSlot>; 3],
    signatures: Vec<(Signature, SigRef)>,
    callees: Vec<(FuncId, FuncRef)>,
}

impl<'a> Translation<'a> {
    /// Writes a function, whose signature is there already.
    pub(super) fn run(
        program: &'a Program,
        linked: &'a [Linked],
        module: &'a mut JITModule,
        to: &'a mut cl::Function,
        scratch: &'a mut FunctionBuilderContext,
        form: EntryKind,
    ) -> Result<(), String> {
        let function = &program.functions[form.function()];
        let mut to = FunctionBuilder::new(to, scratch);
        let start = to.create_block();
        to.append_block_params_for_function_params(start);
        to.switch_to_block(start);
        let params = to.block_params(start).to_vec();
        let mut this = Translation {
            program,
            function,
            number: u32::try_from(form.function()).map_err(|it| it.to_string())?,
            form,
            linked,
            module,
            to,
            values: vec![None; function.values.len()],
            blocks: Vec::new(),
            frame: params[0],
            depth: params[1],
            room: None,
            poll: if function.has_loop() { trampoline::poll()? } else { 0 },
            budget: None,
            failed: None,
            slots: [None; 3],
            signatures: Vec::new(),
            callees: Vec::new(),
        };
        if form == EntryKind::Forward {
            this.forward(&params);
        } else {
            this.constants();
            this.blocks();
            this.enter(&params);
            for at in order(function) {
                this.block(at)?;
            }
            this.finish_failed();
        }
        this.to.seal_all_blocks();
        let config = this.module.target_config();
        this.to.finalize(config);
        Ok(())
    }

    fn constants(&mut self) {
        for (value, data) in self.values.iter_mut().zip(&self.function.values) {
            if let Def::Const(bits) = data.def {
                *value = Some(match data.prim {
                    Prim::F64 => self.to.ins().f64const(f64::from_bits(bits)),
                    Prim::F32 => self.to.ins().f32const(f32::from_bits(bits as u32)),
                    prim => self.to.ins().iconst(type_of(prim), low_bits(bits, prim)),
                });
            }
        }
    }

    fn blocks(&mut self) {
        for data in &self.function.blocks {
            let block = self.to.create_block();
            for param in &data.params {
                let ty = type_of(self.function.prim(*param));
                self.values[param.0 as usize] = Some(self.to.append_block_param(block, ty));
            }
            self.blocks.push(block);
        }
    }

    /// Takes the arguments and goes to the first block.
    fn enter(&mut self, params: &[cl::Value]) {
        if self.function.has_loop() {
            self.budget = Some(self.to.declare_var(I32));
            self.load_budget();
        }
        let linked = self.linked;
        let types = &linked[self.form.function()].convention.params;
        let args = match self.form {
            EntryKind::Entry | EntryKind::Forward => {
                self.depth = self.to.ins().iconst(I64, 0);
                self.room = Some(params[2]);
                self.read_words(params[1], types)
            }
            EntryKind::Inner(_) => {
                let args = params[2..2 + types.len()].to_vec();
                self.room = params.get(2 + args.len()).copied();
                args
            }
        };
        let args: Vec<BlockArg> = args.into_iter().map(BlockArg::from).collect();
        self.to.ins().jump(self.blocks[0], &args);
    }

    fn block(&mut self, at: usize) -> Result<(), String> {
        self.to.switch_to_block(self.blocks[at]);
        let function = self.function;
        let block = &function.blocks[at];
        for group in slp::groups(function, &block.insts) {
            match group {
                [one] => self.inst(&function.insts[*one as usize])?,
                calls => self.calls_at_once(calls),
            }
        }
        self.term(&block.term)
    }

    fn inst(&mut self, inst: &Inst) -> Result<(), String> {
        match inst.op {
            Opcode::Load(elem) => self.load(elem, inst),
            Opcode::Store(elem) => self.store(elem, inst),
            Opcode::Check(site) => self.check(site, inst),
            Opcode::CheckIndex(site) => self.check_index(site, inst),
            Opcode::Call(call, site) => return self.call(call, site, inst),
            Opcode::Retain => self.owner(crate::callbacks::retain as *const () as usize, inst),
            Opcode::Release => self.owner(crate::callbacks::release as *const () as usize, inst),
            Opcode::Poll(site) => self.poll(site),
            Opcode::Convert(convert) => self.convert(convert, inst),
            Opcode::Math(math) => self.math(math, inst),
            op => self.number(op, inst)?,
        }
        Ok(())
    }

    fn term(&mut self, term: &Terminator) -> Result<(), String> {
        match term {
            Terminator::Open => self.raise(SiteId(u32::MAX), &[]),
            Terminator::Jump(target) => {
                let (block, args) = self.target(target);
                self.to.ins().jump(block, &args);
            }
            Terminator::Branch(test, then, other) => {
                let test = self.truth(*test);
                let (then, then_args) = self.target(then);
                let (other, other_args) = self.target(other);
                self.to.ins().brif(test, then, &then_args, other, &other_args);
            }
            Terminator::Return(values) => self.give(values),
            Terminator::Raise(site, values) => self.raise(*site, values),
        }
        Ok(())
    }

    fn target(&mut self, (block, args): &(Block, ValueList)) -> (cl::Block, Vec<BlockArg>) {
        let params = &self.function.block(*block).params;
        let mut passed = Vec::with_capacity(args.len());
        for (arg, param) in args.iter().zip(params) {
            let ty = type_of(self.function.prim(*param));
            passed.push(BlockArg::from(self.as_type(*arg, ty)));
        }
        (self.blocks[block.0 as usize], passed)
    }

    /// Returns, and says that nothing failed.
    fn give(&mut self, values: &[Value]) {
        self.store_budget();
        let types = &self.linked[self.form.function()].convention.results;
        let words: Vec<cl::Value> =
            values.iter().zip(types).map(|(value, ty)| self.as_type(*value, *ty)).collect();
        let mut returned = vec![self.to.ins().iconst(I32, 0)];
        match self.room {
            Some(room) => {
                for (at, word) in (0..).zip(words) {
                    self.store_word(word, room, at);
                }
            }
            None => returned.extend(words),
        }
        self.to.ins().return_(&returned);
    }

    /// The value that stands for one of the program's.
    fn value(&self, value: Value) -> cl::Value {
        // Blocks come in an order in which what is used was defined before, so there is one.
        self.values[value.0 as usize].unwrap_or(self.frame)
    }

    /// A value as a word of a type: its bits are kept, or their low ones.
    fn as_type(&mut self, value: Value, ty: Type) -> cl::Value {
        let value = self.value(value);
        self.cast(value, ty)
    }

    /// As [`Translation::as_type`], of what is a value of Cranelift's already.
    fn cast(&mut self, value: cl::Value, ty: Type) -> cl::Value {
        let from = self.to.func.dfg.value_type(value);
        if from == ty {
            return value;
        }
        let word = match from {
            F64 => self.to.ins().bitcast(I64, MemFlagsData::new(), value),
            F32 => {
                let bits = self.to.ins().bitcast(I32, MemFlagsData::new(), value);
                self.to.ins().uextend(I64, bits)
            }
            I64 => value,
            _ => self.to.ins().uextend(I64, value),
        };
        match ty {
            F64 => self.to.ins().bitcast(F64, MemFlagsData::new(), word),
            F32 => {
                let bits = self.to.ins().ireduce(I32, word);
                self.to.ins().bitcast(F32, MemFlagsData::new(), bits)
            }
            I64 => word,
            _ => self.to.ins().ireduce(ty, word),
        }
    }

    /// A value that a branch can test.
    fn truth(&mut self, value: Value) -> cl::Value {
        if self.function.prim(value) == Prim::Bool {
            self.value(value)
        } else {
            self.as_type(value, I64)
        }
    }

    /// Says what the first result of an instruction is.
    fn define(&mut self, inst: &Inst, value: cl::Value) {
        if let Some(result) = inst.results.first() {
            self.define_value(*result, value);
        }
    }

    fn define_value(&mut self, result: Value, value: cl::Value) {
        let value = self.cast(value, type_of(self.function.prim(result)));
        self.values[result.0 as usize] = Some(value);
    }

    /// The word at an address, so many words further.
    fn load_word(&mut self, address: cl::Value, at: i32, ty: Type) -> cl::Value {
        let loaded = if ty.is_float() { ty } else { I64 };
        // On a big-endian machine the bits of an `f32` are the last of its word.
        let shift = if ty == F32 && cfg!(target_endian = "big") { 4 } else { 0 };
        let word = self.to.ins().load(loaded, words(), address, 8 * at + shift);
        self.cast(word, ty)
    }

    fn store_word(&mut self, value: cl::Value, address: cl::Value, at: i32) {
        let ty = self.to.func.dfg.value_type(value);
        let word = if ty == F64 { value } else { self.cast(value, I64) };
        self.to.ins().store(words(), word, address, 8 * at);
    }

    fn load_budget(&mut self) {
        if let Some(budget) = self.budget {
            let at = std::mem::offset_of!(Frame, budget) as i32;
            let left = self.to.ins().load(I32, words(), self.frame, at);
            self.to.def_var(budget, left);
        }
    }

    fn store_budget(&mut self) {
        if let Some(budget) = self.budget {
            let at = std::mem::offset_of!(Frame, budget) as i32;
            let left = self.to.use_var(budget);
            self.to.ins().store(words(), left, self.frame, at);
        }
    }
}

/// Words of frames, arguments and results are aligned, and are there.
fn words() -> MemFlagsData {
    MemFlagsData::trusted()
}

/// The type that holds words of a kind.
fn type_of(prim: Prim) -> Type {
    match prim {
        Prim::Bool => I8,
        Prim::Int | Prim::Ptr | Prim::Owner => I64,
        Prim::F32 => F32,
        Prim::F64 => F64,
    }
}

/// The bits of a constant, as many as its type has.
fn low_bits(bits: u64, prim: Prim) -> i64 {
    if prim == Prim::Bool { i64::from(bits as u8) } else { bits.cast_signed() }
}

/// The blocks that are reached, each after those that dominate it.
fn order(function: &Function) -> Vec<usize> {
    let mut order = Vec::with_capacity(function.blocks.len());
    let mut is_seen = vec![false; function.blocks.len()];
    let mut left = vec![0];
    while let Some(at) = left.pop() {
        if std::mem::replace(&mut is_seen[at], true) {
            continue;
        }
        order.push(at);
        let targets: Vec<usize> =
            function.blocks[at].term.targets().map(|(block, _)| block.0 as usize).collect();
        left.extend(targets.into_iter().rev());
    }
    order
}
