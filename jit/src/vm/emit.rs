//! From the typed program to the machine's instructions.

use super::code::{Code, Instr, VmCall, VmCallee, VmOpcode};
use super::moves::sequence;
use super::slots::SlotMap;
use crate::ir::{
    Block, Cond, Convert, Elem, Function, Inst, Opcode, RuntimeCall, Terminator, Value, ValueList,
};
use crate::types::Prim;

/// The machine's form of a function; none if it has too many values.
pub(super) fn code(function: &Function) -> Option<Code> {
    let mut emit = Emit::new(function)?;
    for at in 0..function.blocks.len() {
        emit.block(at);
    }
    emit.patch();
    emit.add_room();
    Some(emit.code)
}

struct Emit<'a> {
    function: &'a Function,
    slots: SlotMap,
    code: Code,
    starts: Vec<usize>,
    /// Jumps whose target is a block, by instruction.
    jumps: Vec<(usize, Block)>,
    uses: Vec<u32>,
    spare: u16,
}

impl<'a> Emit<'a> {
    fn new(function: &'a Function) -> Option<Emit<'a>> {
        let mut slots = SlotMap::new(function)?;
        let spare = slots.add()?;
        let code = Code {
            instrs: Vec::new(),
            slots: slots.count,
            room: slots.count,
            params: function.blocks[0].params.len(),
            constants: std::mem::take(&mut slots.constants),
            calls: Vec::new(),
            lists: Vec::new(),
        };
        let mut uses = vec![0; function.values.len()];
        let mut count = |it: &Value| uses[it.0 as usize] += 1;
        function.insts.iter().flat_map(|it| it.args.iter()).for_each(&mut count);
        for block in &function.blocks {
            block.term.clone().values_mut(&mut |it| count(it));
        }
        Some(Emit { function, slots, code, starts: Vec::new(), jumps: Vec::new(), uses, spare })
    }

    /// Adds slots for the words of the largest call of the runtime.
    fn add_room(&mut self) {
        let outside =
            self.code.calls.iter().filter(|it| matches!(it.callee, VmCallee::External(_)));
        let words = outside.map(|it| it.args.len() + it.results.len()).max();
        self.code.slots += words.unwrap_or_default();
    }

    fn slot(&self, value: Value) -> u16 {
        self.slots.get(value)
    }

    fn list(&self, values: &[Value]) -> Box<[u16]> {
        values.iter().map(|it| self.slot(*it)).collect()
    }

    fn push(&mut self, op: VmOpcode, d: u16, a: u16, b: u16, extra: u64) {
        self.code.instrs.push(Instr { op, d, a, b, extra });
    }

    fn block(&mut self, at: usize) {
        self.starts.push(self.code.instrs.len());
        let function = self.function;
        let block = &function.blocks[at];
        let fused = self.fused_test(block);
        for inst in &block.insts {
            let is_fused = fused.as_ref().is_some_and(|(it, ..)| it == inst);
            if !is_fused {
                self.inst(&function.insts[*inst as usize]);
            }
        }
        self.term(&block.term, fused.map(|(_, op, a, b)| (op, a, b)), at);
    }

    /// A comparison that nothing but the branch after it reads becomes part of the branch.
    fn fused_test(&self, block: &crate::ir::BlockData) -> Option<(u32, VmOpcode, u16, u16)> {
        let Terminator::Branch(test, ..) = &block.term else { return None };
        let last = *block.insts.last()?;
        let inst = &self.function.insts[last as usize];
        if inst.results.first() != Some(test) || self.uses[test.0 as usize] != 1 {
            return None;
        }
        let prim = self.function.prim(*inst.args.first()?);
        let op = match (inst.op, prim) {
            (Opcode::Cmp(Cond::Eq, _), _) => VmOpcode::JumpNe,
            (Opcode::Cmp(Cond::Ne, _), _) => VmOpcode::JumpEq,
            (Opcode::Cmp(Cond::Lt, true), _) => VmOpcode::JumpSge,
            (Opcode::Cmp(Cond::Le, true), _) => VmOpcode::JumpSgt,
            (Opcode::Cmp(Cond::Gt, true), _) => VmOpcode::JumpSle,
            (Opcode::Cmp(Cond::Ge, true), _) => VmOpcode::JumpSlt,
            (Opcode::FCmp(Cond::Lt), Prim::F64) => VmOpcode::JumpNotLtF64,
            (Opcode::FCmp(Cond::Gt), Prim::F64) => VmOpcode::JumpNotGtF64,
            _ => return None,
        };
        Some((last, op, self.slot(inst.args[0]), self.slot(inst.args[1])))
    }

    fn inst(&mut self, inst: &Inst) {
        let prim = inst.results.first().map(|it| self.function.prim(*it));
        let of = inst.args.first().map(|it| self.function.prim(*it));
        let arg = |infer: &Self, at: usize| inst.args.get(at).map_or(0, |it| infer.slot(*it));
        let d = inst.results.first().map_or(0, |it| self.slot(*it));
        let (a, b) = (arg(self, 0), arg(self, 1));
        let extra = match inst.op {
            Opcode::Select | Opcode::FMulAdd => u64::from(arg(self, 2)),
            Opcode::Math(function) => {
                u64::from(function.0) << 1 | u64::from(prim == Some(Prim::F32))
            }
            Opcode::Convert(Convert::Wrap(bits, _)) => 64 - u64::from(bits),
            Opcode::CheckIndex(site) | Opcode::Poll(site) => u64::from(site.0),
            Opcode::Check(site) => self.shown(&inst.args[1..], site.0),
            Opcode::Call(call, site) => self.call(call, inst, site.0),
            _ => 0,
        };
        self.push(opcode(inst.op, prim, of), d, a, b, extra);
    }

    /// A list of the slots that a message shows, and the site.
    fn shown(&mut self, values: &[Value], site: u32) -> u64 {
        self.code.lists.push(self.list(values));
        (self.code.lists.len() as u64 - 1) << 32 | u64::from(site)
    }

    fn call(&mut self, call: RuntimeCall, inst: &Inst, site: u32) -> u64 {
        let callee = match call {
            RuntimeCall::Function(id) => VmCallee::Function(id.0 as usize),
            RuntimeCall::External(at) => VmCallee::External(at as usize),
        };
        let (args, results) = (self.list(&inst.args), self.list(&inst.results));
        self.code.calls.push(VmCall { callee, args, results, site });
        self.code.calls.len() as u64 - 1
    }

    fn term(&mut self, term: &Terminator, fused: Option<(VmOpcode, u16, u16)>, at: usize) {
        match term {
            Terminator::Open => self.push(VmOpcode::Raise, 0, 0, 0, u64::from(u32::MAX)),
            Terminator::Jump(target) => self.jump(target, at),
            Terminator::Branch(test, then, other) => {
                let branch = self.code.instrs.len();
                match fused {
                    Some((op, a, b)) => self.push(op, 0, a, b, 0),
                    None => {
                        let test = self.slot(*test);
                        self.push(VmOpcode::JumpUnless, 0, test, 0, 0);
                    }
                }
                self.jump(then, at);
                if other.1.is_empty() {
                    self.jumps.push((branch, other.0));
                } else {
                    self.code.instrs[branch].extra = self.code.instrs.len() as u64;
                    self.jump(other, usize::MAX);
                }
            }
            Terminator::Return(values) => {
                let list = self.shown(values, 0);
                self.push(VmOpcode::Return, 0, 0, 0, list);
            }
            Terminator::Raise(site, values) => {
                let list = self.shown(values, site.0);
                self.push(VmOpcode::Raise, 0, 0, 0, list);
            }
        }
    }

    fn jump(&mut self, (target, args): &(Block, ValueList), at: usize) {
        let params = &self.function.block(*target).params;
        let moves: Vec<(u16, u16)> =
            params.iter().zip(args).map(|(to, from)| (self.slot(*to), self.slot(*from))).collect();
        for (to, from) in sequence(&moves, self.spare) {
            self.push(VmOpcode::Move, to, from, 0, 0);
        }
        if target.0 as usize == at.wrapping_add(1) && at != usize::MAX && !self.has_other_after(at)
        {
            return;
        }
        self.jumps.push((self.code.instrs.len(), *target));
        self.push(VmOpcode::Jump, 0, 0, 0, 0);
    }

    /// Whether a branch puts moves of its other way behind the first.
    fn has_other_after(&self, at: usize) -> bool {
        match &self.function.blocks[at].term {
            Terminator::Branch(_, _, (_, args)) => !args.is_empty(),
            _ => false,
        }
    }

    fn patch(&mut self) {
        for (at, block) in &self.jumps {
            self.code.instrs[*at].extra = self.starts[block.0 as usize] as u64;
        }
    }
}

fn opcode(op: Opcode, prim: Option<Prim>, of: Option<Prim>) -> VmOpcode {
    use VmOpcode as O;
    let pick = |wide, narrow| if prim == Some(Prim::F32) { narrow } else { wide };
    match op {
        Opcode::Add | Opcode::Offset => O::Add,
        Opcode::Sub => O::Sub,
        Opcode::Mul => O::Mul,
        Opcode::Div(true) => O::SDiv,
        Opcode::Div(false) => O::UDiv,
        Opcode::Rem(true) => O::SRem,
        Opcode::Rem(false) => O::URem,
        Opcode::FloorDiv => O::FloorDiv,
        Opcode::FloorMod => O::FloorMod,
        Opcode::Pow => O::Pow,
        Opcode::Gcd => O::Gcd,
        Opcode::And => O::And,
        Opcode::Or => O::Or,
        Opcode::Xor => O::Xor,
        Opcode::Shl => O::Shl,
        Opcode::Sar => O::Sar,
        Opcode::Shr => O::Shr,
        Opcode::Cmp(cond, is_signed) => compare(cond, is_signed),
        Opcode::FAdd => pick(O::AddF64, O::AddF32),
        Opcode::FSub => pick(O::SubF64, O::SubF32),
        Opcode::FMul => pick(O::MulF64, O::MulF32),
        Opcode::FMulAdd => pick(O::MulAddF64, O::MulAddF32),
        Opcode::FDiv => pick(O::DivF64, O::DivF32),
        Opcode::FNeg => pick(O::NegF64, O::NegF32),
        Opcode::FAbs => pick(O::AbsF64, O::AbsF32),
        Opcode::FSqrt => pick(O::SqrtF64, O::SqrtF32),
        Opcode::FFloor => pick(O::FloorF64, O::FloorF32),
        Opcode::FCeil => pick(O::CeilF64, O::CeilF32),
        Opcode::FTrunc => pick(O::TruncF64, O::TruncF32),
        Opcode::FRint => pick(O::RintF64, O::RintF32),
        Opcode::FCmp(cond) => float_compare(cond, of == Some(Prim::F32)),
        Opcode::Math(_) => O::Math,
        Opcode::Select => O::Select,
        Opcode::Convert(convert) => conversion(convert),
        Opcode::Load(elem) => match elem {
            Elem::Bool => O::LoadBool,
            Elem::U8 => O::LoadU8,
            Elem::I8 => O::LoadI8,
            Elem::I16 => O::LoadI16,
            Elem::I32 => O::LoadI32,
            Elem::U16 => O::LoadU16,
            Elem::U32 | Elem::F32 => O::LoadU32,
            Elem::I64 | Elem::F64 | Elem::Ptr => O::LoadI64,
            Elem::F16 => O::LoadF16,
        },
        Opcode::Store(elem) => match elem {
            Elem::Bool | Elem::U8 | Elem::I8 => O::StoreI8,
            Elem::I16 | Elem::U16 => O::StoreI16,
            Elem::I32 | Elem::U32 | Elem::F32 => O::StoreI32,
            Elem::I64 | Elem::F64 | Elem::Ptr => O::StoreI64,
            Elem::F16 => O::StoreF16,
        },
        Opcode::Check(_) => O::Check,
        Opcode::CheckIndex(_) => O::CheckIndex,
        Opcode::Call(..) => O::Call,
        Opcode::Retain => O::Retain,
        Opcode::Release => O::Release,
        Opcode::Poll(_) => O::Poll,
    }
}

fn compare(cond: Cond, is_signed: bool) -> VmOpcode {
    use VmOpcode as O;
    match (cond, is_signed) {
        (Cond::Eq, _) => O::Eq,
        (Cond::Ne, _) => O::Ne,
        (Cond::Lt, true) => O::Slt,
        (Cond::Le, true) => O::Sle,
        (Cond::Gt, true) => O::Sgt,
        (Cond::Ge, true) => O::Sge,
        (Cond::Lt, false) => O::Ult,
        (Cond::Le, false) => O::Ule,
        (Cond::Gt, false) => O::Ugt,
        (Cond::Ge, false) => O::Uge,
    }
}

fn float_compare(cond: Cond, is_narrow: bool) -> VmOpcode {
    use VmOpcode as O;
    let (wide, narrow) = match cond {
        Cond::Eq => (O::EqF64, O::EqF32),
        Cond::Ne => (O::NeF64, O::NeF32),
        Cond::Lt => (O::LtF64, O::LtF32),
        Cond::Le => (O::LeF64, O::LeF32),
        Cond::Gt => (O::GtF64, O::GtF32),
        Cond::Ge => (O::GeF64, O::GeF32),
    };
    if is_narrow { narrow } else { wide }
}

fn conversion(convert: Convert) -> VmOpcode {
    use VmOpcode as O;
    match convert {
        Convert::Wrap(_, true) => O::WrapS,
        Convert::Wrap(_, false) => O::WrapU,
        Convert::ToF64(true) => O::IntToF64,
        Convert::ToF64(false) => O::UintToF64,
        Convert::ToF32(true) => O::IntToF32,
        Convert::ToF32(false) => O::UintToF32,
        Convert::FromF64(true) => O::F64ToInt,
        Convert::FromF64(false) => O::F64ToUint,
        Convert::Demote => O::Demote,
        Convert::Promote => O::Promote,
        Convert::Bits => O::Move,
        Convert::ToF16 => O::ToF16,
    }
}
