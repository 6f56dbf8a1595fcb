//! Calls, and all that fails: checks, exceptions, questions whether to stop.
//!
//! A failure goes to a block out of the way, which calls a function that notes it in the frame.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{F32, F64, I32, I64};
use cranelift_codegen::ir::{
    self as cl, AbiParam, BlockArg, FuncRef, InstBuilder as _, SigRef, Signature, StackSlotData,
    StackSlotKind, Type,
};
use cranelift_codegen::isa::CallConv;
use cranelift_module::Module as _;

use super::{EntryKind, Translation, type_of, words};
use crate::callbacks;
use crate::entry::{Frame, MAX_DEPTH};
use crate::ir::{ExternalCallee, ExternalFn, Inst, Opcode, RuntimeCall, SiteId, Value};
use crate::native::{NativeEntry, NativeFailure};
use crate::types::Prim;

/// Which of a function's rooms for words.
#[derive(Clone, Copy)]
enum StackArea {
    Out,
    In,
    Failure,
}

impl Translation<'_> {
    /// Fails unless the first operand is true; the others are what the message shows.
    pub(super) fn check(&mut self, site: SiteId, inst: &Inst) {
        let truth = self.truth(inst.args[0]);
        let after = self.go_on_if(truth);
        self.raise(site, &inst.args[1..]);
        self.to.switch_to_block(after);
    }

    /// The index counted from the start, or a failure. An extent is not negative, so that one
    /// comparison without signs serves for both ends; indices from the end are the rare case.
    pub(super) fn check_index(&mut self, site: SiteId, inst: &Inst) {
        let (index, extent) = (self.as_type(inst.args[0], I64), self.as_type(inst.args[1], I64));
        let known = self.function.constant(inst.args[0]).map(u64::cast_signed);
        let after = self.to.create_block();
        let from_start = self.to.append_block_param(after, I64);
        let raises = self.rare_block();
        if known.is_none_or(|it| it >= 0) {
            let is_within = self.to.ins().icmp(IntCC::UnsignedLessThan, index, extent);
            let rare = self.rare_block();
            self.to.ins().brif(is_within, after, &[BlockArg::from(index)], rare, []);
            self.to.switch_to_block(rare);
        }
        let from_end = self.to.ins().iadd(index, extent);
        let is_negative = self.to.ins().icmp_imm_s(IntCC::SignedLessThan, index, 0);
        let is_within = self.to.ins().icmp(IntCC::UnsignedLessThan, from_end, extent);
        let both = self.to.ins().band(is_negative, is_within);
        self.to.ins().brif(both, after, &[BlockArg::from(from_end)], raises, []);
        self.to.switch_to_block(raises);
        self.raise(site, &inst.args);
        self.to.switch_to_block(after);
        self.define(inst, from_start);
    }

    /// Goes on at the block that it returns if something is true; what follows is the other case,
    /// which is rare.
    fn go_on_if(&mut self, truth: cl::Value) -> cl::Block {
        let (after, rare) = (self.to.create_block(), self.rare_block());
        self.to.ins().brif(truth, after, [], rare, []);
        self.to.switch_to_block(rare);
        after
    }

    /// As [`Translation::go_on_if`], if it is zero.
    fn go_on_unless(&mut self, failed: cl::Value) -> cl::Block {
        let (after, rare) = (self.to.create_block(), self.rare_block());
        self.to.ins().brif(failed, rare, [], after, []);
        self.to.switch_to_block(rare);
        after
    }

    fn rare_block(&mut self) -> cl::Block {
        let block = self.to.create_block();
        self.to.set_cold_block(block);
        block
    }

    /// Notes that a site failed, with the words of its message, and returns so.
    pub(super) fn raise(&mut self, site: SiteId, shown: &[Value]) {
        let address = self.all_words(shown);
        let count = self.to.ins().iconst(I64, shown.len() as i64);
        let place = self.place(site);
        let args = [self.frame, place, address, count];
        self.invoke(callbacks::fail as *const () as usize, &[], &args);
        self.fail();
    }

    fn place(&mut self, site: SiteId) -> cl::Value {
        let place = callbacks::place(self.number, site);
        self.to.ins().iconst(I64, place.cast_signed())
    }

    /// Calls what notes a place in the frame, and returns that something failed.
    fn fail_at(&mut self, note: usize, site: SiteId) {
        let place = self.place(site);
        let args = [self.frame, place];
        self.invoke(note, &[], &args);
        self.fail();
    }

    fn fail(&mut self) {
        let failed = self.failed_block();
        self.to.ins().jump(failed, []);
    }

    fn failed_block(&mut self) -> cl::Block {
        let failed = self.failed.unwrap_or_else(|| self.rare_block());
        self.failed = Some(failed);
        failed
    }

    /// Writes the block that returns that something failed, if anything can fail.
    pub(super) fn finish_failed(&mut self) {
        let Some(failed) = self.failed else { return };
        self.to.switch_to_block(failed);
        let mut returned = vec![self.to.ins().iconst(I32, 1)];
        if self.room.is_none() && matches!(self.form, EntryKind::Inner(_)) {
            let linked = self.linked;
            for ty in &linked[self.form.function()].convention.results {
                returned.push(match *ty {
                    F64 => self.to.ins().f64const(0.0),
                    F32 => self.to.ins().f32const(0.0),
                    ty => self.to.ins().iconst(ty, 0),
                });
            }
        }
        self.to.ins().return_(&returned);
    }

    /// Counts a back edge, and now and then asks whether to stop. The question leaves all registers
    /// as they are: otherwise whatever lives through a loop would be kept on the stack for it.
    pub(super) fn poll(&mut self, site: SiteId) {
        let Some(budget) = self.budget else { return };
        let before = self.to.use_var(budget);
        let left = self.to.ins().iadd_imm_s(before, -1);
        let after = self.to.create_block();
        let goes_on = self.to.append_block_param(after, I32);
        let rare = self.rare_block();
        self.to.ins().brif(left, after, &[BlockArg::from(left)], rare, []);
        self.to.switch_to_block(rare);
        let place = self.place(site);
        let args = [self.frame, place];
        self.invoke_as(CallConv::PreserveAll, self.poll, &[], &args);
        let at = std::mem::offset_of!(Frame, budget) as i32;
        let full = self.to.ins().load(I32, words(), self.frame, at);
        let failed = self.failed_block();
        self.to.ins().brif(full, after, &[BlockArg::from(full)], failed, []);
        self.to.switch_to_block(after);
        self.to.def_var(budget, goes_on);
    }

    /// Counts references to an owner.
    pub(super) fn owner(&mut self, count: usize, inst: &Inst) {
        let owner = self.as_type(inst.args[0], I64);
        let args = [self.frame, owner];
        self.invoke(count, &[], &args);
    }

    /// A call, which may fail.
    pub(super) fn call(
        &mut self,
        call: RuntimeCall,
        site: SiteId,
        inst: &Inst,
    ) -> Result<(), String> {
        match call {
            RuntimeCall::Function(id) => self.call_function(id.0 as usize, site, inst),
            RuntimeCall::External(at) => {
                self.call_external(at as usize, site, inst);
                Ok(())
            }
        }
    }

    fn call_function(&mut self, callee: usize, site: SiteId, inst: &Inst) -> Result<(), String> {
        let linked = self.linked;
        if linked[self.form.function()].is_recursive {
            self.check_depth(site);
        }
        let convention = &linked[callee].convention;
        if convention.params.len() != inst.args.len() {
            return Err("a call has not the arguments of its function".to_owned());
        }
        let depth = self.to.ins().iadd_imm_s(self.depth, 1);
        let mut args = vec![self.frame, depth];
        for (arg, ty) in inst.args.iter().zip(&convention.params) {
            args.push(self.as_type(*arg, *ty));
        }
        let room =
            convention.is_in_memory.then(|| self.room(StackArea::In, convention.results.len()));
        args.extend(room);
        if linked[callee].polls {
            self.store_budget();
        }
        let function = self.callee(callee);
        let call = self.to.ins().call(function, &args);
        let returned = self.to.inst_results(call).to_vec();
        if linked[callee].polls {
            self.load_budget();
        }
        let after = self.go_on_unless(returned[0]);
        self.fail_at(callbacks::trace as *const () as usize, site);
        self.to.switch_to_block(after);
        let words = match room {
            Some(room) => self.read_words(room, &convention.results),
            None => returned[1..].to_vec(),
        };
        for (result, word) in inst.results.iter().zip(words) {
            self.define_value(*result, word);
        }
        Ok(())
    }

    /// The body of an entry that hands its words on to the form of the function for calls.
    pub(super) fn forward(&mut self, params: &[cl::Value]) {
        let linked = self.linked;
        let convention = &linked[0].convention;
        let mut args = vec![self.frame, self.to.ins().iconst(I64, 0)];
        args.extend(self.read_words(params[1], &convention.params));
        if convention.is_in_memory {
            args.push(params[2]);
        }
        let function = self.callee(0);
        let call = self.to.ins().call(function, &args);
        let returned = self.to.inst_results(call).to_vec();
        for (at, word) in (0..).zip(&returned[1..]) {
            self.store_word(*word, params[2], at);
        }
        self.to.ins().return_(&returned[..1]);
    }

    /// Fails if one call more would nest too deeply, by number or by what is left of the stack.
    fn check_depth(&mut self, site: SiteId) {
        let at = std::mem::offset_of!(Frame, stack_limit) as i32;
        let flags = words().with_readonly().with_can_move();
        let limit = self.to.ins().load(I64, flags, self.frame, at);
        let here = self.to.ins().get_stack_pointer(I64);
        let has_room = self.to.ins().icmp(IntCC::UnsignedGreaterThan, here, limit);
        let is_few =
            self.to.ins().icmp_imm_u(IntCC::UnsignedLessThan, self.depth, i64::from(MAX_DEPTH));
        let both = self.to.ins().band(has_room, is_few);
        let after = self.go_on_if(both);
        self.fail_at(callbacks::fail_depth as *const () as usize, site);
        self.to.switch_to_block(after);
    }

    fn callee(&mut self, callee: usize) -> FuncRef {
        let id = self.linked[callee].id;
        if let Some((_, known)) = self.callees.iter().find(|(it, _)| *it == id) {
            return *known;
        }
        let function = self.module.declare_func_in_func(id, self.to.func);
        self.callees.push((id, function));
        function
    }

    fn call_external(&mut self, at: usize, site: SiteId, inst: &Inst) {
        let room = self.room(StackArea::In, inst.results.len());
        match self.program.externals[at].callee {
            ExternalCallee::Own(function) => self.call_own(function, site, &inst.args, room),
            ExternalCallee::Native(entry) => self.call_native(entry, site, &inst.args, room),
        }
        let results = inst.results.iter();
        let types: Vec<Type> = results.map(|it| type_of(self.function.prim(*it))).collect();
        let words = self.read_words(room, &types);
        for (result, word) in inst.results.iter().zip(words) {
            self.define_value(*result, word);
        }
    }

    fn call_own(&mut self, function: ExternalFn, site: SiteId, args: &[Value], room: cl::Value) {
        let out = self.all_words(args);
        self.store_budget();
        let args = [self.frame, out, room];
        let call = self.invoke(function as *const () as usize, &[I32], &args);
        let failed = self.to.inst_results(call)[0];
        self.load_budget();
        let after = self.go_on_unless(failed);
        self.fail_at(callbacks::trace as *const () as usize, site);
        self.to.switch_to_block(after);
    }

    /// A call of a function of another library: with its arguments in registers, if it can be entered so.
    fn call_native(&mut self, entry: NativeEntry, site: SiteId, args: &[Value], room: cl::Value) {
        let failure = self.room(StackArea::Failure, size_of::<NativeFailure>().div_ceil(8));
        let (words, direct) = entry.addresses();
        let mut passed: Vec<cl::Value> = match direct {
            Some(_) => args.iter().map(|it| self.register(*it)).collect(),
            None => vec![self.all_words(args)],
        };
        passed.extend([room, failure]);
        let call = self.invoke(direct.unwrap_or(words), &[I32], &passed);
        let failed = self.to.inst_results(call)[0];
        let after = self.go_on_unless(failed);
        let place = self.place(site);
        let noted = [self.frame, place, failure];
        self.invoke(callbacks::fail_native as *const () as usize, &[], &noted);
        self.fail();
        self.to.switch_to_block(after);
    }

    /// A float as it is, anything else as its word.
    fn register(&mut self, value: Value) -> cl::Value {
        match type_of(self.function.prim(value)) {
            float @ (F32 | F64) => self.as_type(value, float),
            _ => self.as_type(value, I64),
        }
    }

    /// Calls a function of real numbers once for several of them.
    pub(super) fn calls_at_once(&mut self, calls: &[u32]) {
        let function = self.function;
        let insts = || calls.iter().map(|it| &function.insts[*it as usize]);
        let Some(Inst { op: Opcode::Math(math), results, .. }) = insts().next() else { return };
        let Some(blocks) = math.row().blocks else { return };
        let (ty, address) = match function.prim(results[0]) {
            Prim::F32 => (F32, blocks.f32 as *const () as usize),
            _ => (F64, blocks.f64 as *const () as usize),
        };
        let operands = [StackArea::Out, StackArea::In];
        let rooms: Vec<cl::Value> =
            operands[..math.arity()].iter().map(|it| self.room(*it, calls.len())).collect();
        let place = |at: usize| i32::try_from(at).unwrap_or(i32::MAX) * ty.bytes() as i32;
        for (at, inst) in insts().enumerate() {
            for (arg, room) in inst.args.iter().zip(&rooms) {
                let number = self.as_type(*arg, ty);
                self.to.ins().store(words(), number, *room, place(at));
            }
        }
        let count = self.to.ins().iconst(I64, calls.len() as i64);
        let others = *rooms.get(1).unwrap_or(&rooms[0]);
        self.invoke(address, &[], &[rooms[0], others, count]);
        for (at, inst) in insts().enumerate() {
            let number = self.to.ins().load(ty, words(), rooms[0], place(at));
            self.define(inst, number);
        }
    }

    fn all_words(&mut self, values: &[Value]) -> cl::Value {
        let values: Vec<cl::Value> = values.iter().map(|it| self.value(*it)).collect();
        self.write_words(&values)
    }

    /// Writes words to where they go out, and says where that is.
    fn write_words(&mut self, values: &[cl::Value]) -> cl::Value {
        let address = self.room(StackArea::Out, values.len());
        for (at, value) in (0..).zip(values) {
            self.store_word(*value, address, at);
        }
        address
    }

    pub(super) fn read_words(&mut self, address: cl::Value, types: &[Type]) -> Vec<cl::Value> {
        (0..).zip(types).map(|(at, ty)| self.load_word(address, at, *ty)).collect()
    }

    /// Room for so many words, which calls within the function share.
    fn room(&mut self, room: StackArea, words: usize) -> cl::Value {
        let bytes = 8 * u32::try_from(words.max(1)).unwrap_or(u32::MAX / 8);
        let slot = match self.slots[room as usize] {
            Some(slot) => slot,
            None => {
                let data = StackSlotData::new(StackSlotKind::ExplicitSlot, bytes, 3);
                self.to.create_sized_stack_slot(data)
            }
        };
        self.slots[room as usize] = Some(slot);
        let size = &mut self.to.func.sized_stack_slots[slot].size;
        *size = bytes.max(*size);
        self.to.ins().stack_addr(I64, slot, 0)
    }

    /// Calls a function of this library, whose parameters are as its arguments.
    pub(super) fn invoke(
        &mut self,
        address: usize,
        returns: &[Type],
        args: &[cl::Value],
    ) -> cl::Inst {
        let convention = self.module.isa().default_call_conv();
        self.invoke_as(convention, address, returns, args)
    }

    fn invoke_as(
        &mut self,
        convention: CallConv,
        address: usize,
        returns: &[Type],
        args: &[cl::Value],
    ) -> cl::Inst {
        let mut signature = Signature::new(convention);
        for arg in args {
            let ty = self.to.func.dfg.value_type(*arg);
            signature.params.push(AbiParam::new(ty));
        }
        signature.returns.extend(returns.iter().map(|it| AbiParam::new(*it)));
        let signature = self.signature(signature);
        let address = self.to.ins().iconst(I64, address as i64);
        self.to.ins().call_indirect(signature, address, args)
    }

    fn signature(&mut self, signature: Signature) -> SigRef {
        if let Some((_, known)) = self.signatures.iter().find(|(it, _)| *it == signature) {
            return *known;
        }
        let number = self.to.import_signature(signature.clone());
        self.signatures.push((signature, number));
        number
    }
}
