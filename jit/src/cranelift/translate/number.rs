//! Arithmetic, comparisons, functions of real numbers.

use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::types::{F32, F64, I8, I32, I64};
use cranelift_codegen::ir::{self as cl, InstBuilder as _, MemFlagsData};

use super::{Translation, type_of};
use crate::callbacks;
use crate::ir::{Cond, Inst, MathFn, Opcode, Value};
use crate::types::Prim;

/// A kind of division of whole numbers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Division {
    Quotient,
    Floor,
}

impl Translation<'_> {
    /// An instruction over numbers that cannot fail.
    pub(super) fn number(&mut self, op: Opcode, inst: &Inst) -> Result<(), String> {
        let value = match op {
            Opcode::And | Opcode::Or | Opcode::Xor => self.bits(op, inst),
            Opcode::Select => self.select(inst),
            Opcode::FAdd | Opcode::FSub | Opcode::FMul | Opcode::FDiv | Opcode::FCmp(_) => {
                self.float_pair(op, inst)
            }
            Opcode::FMulAdd => self.multiply_add(inst),
            Opcode::FNeg
            | Opcode::FAbs
            | Opcode::FSqrt
            | Opcode::FFloor
            | Opcode::FCeil
            | Opcode::FTrunc
            | Opcode::FRint => self.float(op, inst),
            _ => self.int_pair(op, inst)?,
        };
        self.define(inst, value);
        Ok(())
    }

    fn ints(&mut self, inst: &Inst) -> (cl::Value, cl::Value) {
        (self.as_type(inst.args[0], I64), self.as_type(inst.args[1], I64))
    }

    fn int_pair(&mut self, op: Opcode, inst: &Inst) -> Result<cl::Value, String> {
        let (a, b) = self.ints(inst);
        let known = self.function.constant(inst.args[1]).map(u64::cast_signed);
        let to = &mut self.to;
        Ok(match op {
            Opcode::Add | Opcode::Offset => to.ins().iadd(a, b),
            Opcode::Sub => to.ins().isub(a, b),
            Opcode::Mul => to.ins().imul(a, b),
            // Cranelift takes counts modulo the width, too.
            Opcode::Shl => to.ins().ishl(a, b),
            Opcode::Sar => to.ins().sshr(a, b),
            Opcode::Shr => to.ins().ushr(a, b),
            Opcode::Cmp(cond, is_signed) => to.ins().icmp(int_condition(cond, is_signed), a, b),
            Opcode::Div(false) => to.ins().udiv(a, b),
            Opcode::Rem(false) => to.ins().urem(a, b),
            // The least by -1 is 0 here, too.
            Opcode::Rem(true) => to.ins().srem(a, b),
            Opcode::Div(true) => self.divide(Division::Quotient, a, b, known),
            Opcode::FloorDiv => self.divide(Division::Floor, a, b, known),
            Opcode::FloorMod => self.floor_mod(a, b, known),
            Opcode::Pow => self.whole_call(callbacks::pow as *const () as usize, a, b),
            Opcode::Gcd => self.whole_call(callbacks::common_divisor as *const () as usize, a, b),
            other => return Err(format!("no machine code for {other:?}")),
        })
    }

    fn whole_call(&mut self, address: usize, a: cl::Value, b: cl::Value) -> cl::Value {
        let call = self.invoke(address, &[I64], &[a, b]);
        self.to.inst_results(call)[0]
    }

    /// Quotients; the instruction traps for the least by -1, which wraps here.
    fn divide(
        &mut self,
        kind: Division,
        a: cl::Value,
        b: cl::Value,
        known: Option<i64>,
    ) -> cl::Value {
        match known {
            Some(-1) => return self.to.ins().ineg(a),
            // Shifting rounds toward minus infinity.
            Some(divisor)
                if divisor > 0 && divisor.count_ones() == 1 && kind == Division::Floor =>
            {
                return self.to.ins().sshr_imm_u(a, i64::from(divisor.trailing_zeros()));
            }
            Some(_) => return self.quotient(kind, a, b, known),
            None => {}
        }
        let is_opposite = self.to.ins().icmp_imm_s(IntCC::Equal, b, -1);
        let one = self.to.ins().iconst(I64, 1);
        let divisor = self.to.ins().select(is_opposite, one, b);
        let quotient = self.quotient(kind, a, divisor, None);
        let opposite = self.to.ins().ineg(a);
        self.to.ins().select(is_opposite, opposite, quotient)
    }

    fn quotient(
        &mut self,
        kind: Division,
        a: cl::Value,
        b: cl::Value,
        known: Option<i64>,
    ) -> cl::Value {
        let quotient = self.to.ins().sdiv(a, b);
        if kind == Division::Quotient {
            return quotient;
        }
        let product = self.to.ins().imul(quotient, b);
        let remainder = self.to.ins().isub(a, product);
        let is_above = self.is_above_floor(remainder, b, known);
        let one = self.to.ins().uextend(I64, is_above);
        self.to.ins().isub(quotient, one)
    }

    fn floor_mod(&mut self, a: cl::Value, b: cl::Value, known: Option<i64>) -> cl::Value {
        if let Some(divisor) = known
            && divisor > 0
            && divisor.count_ones() == 1
        {
            return self.to.ins().band_imm_u(a, divisor - 1);
        }
        let remainder = self.to.ins().srem(a, b);
        let is_other = self.is_above_floor(remainder, b, known);
        let moved = self.to.ins().iadd(remainder, b);
        self.to.ins().select(is_other, moved, remainder)
    }

    /// Whether a remainder is not zero and has not the sign of the divisor.
    fn is_above_floor(
        &mut self,
        remainder: cl::Value,
        b: cl::Value,
        known: Option<i64>,
    ) -> cl::Value {
        if known.is_some_and(|it| it > 0) {
            return self.to.ins().icmp_imm_s(IntCC::SignedLessThan, remainder, 0);
        }
        let signs = self.to.ins().bxor(remainder, b);
        let differ = self.to.ins().icmp_imm_s(IntCC::SignedLessThan, signs, 0);
        let is_some = self.to.ins().icmp_imm_s(IntCC::NotEqual, remainder, 0);
        self.to.ins().band(differ, is_some)
    }

    fn bits(&mut self, op: Opcode, inst: &Inst) -> cl::Value {
        let is_bool = |it: &Value| self.function.prim(*it) == Prim::Bool;
        let ty = if inst.args.iter().all(is_bool) { I8 } else { I64 };
        let (a, b) = (self.as_type(inst.args[0], ty), self.as_type(inst.args[1], ty));
        match op {
            Opcode::And => self.to.ins().band(a, b),
            Opcode::Or => self.to.ins().bor(a, b),
            _ => self.to.ins().bxor(a, b),
        }
    }

    fn select(&mut self, inst: &Inst) -> cl::Value {
        let ty = type_of(self.function.prim(inst.results[0]));
        let test = self.truth(inst.args[0]);
        let (a, b) = (self.as_type(inst.args[1], ty), self.as_type(inst.args[2], ty));
        let bits = match ty {
            F64 => I64,
            F32 => I32,
            _ => return self.to.ins().select(test, a, b),
        };
        if self.is_carried(inst.results[0]) {
            return self.to.ins().select(test, a, b);
        }
        // Of real numbers x86 branches, which costs much where the test cannot be foreseen.
        let [a, b] = [a, b].map(|it| self.to.ins().bitcast(bits, MemFlagsData::new(), it));
        let chosen = self.to.ins().select(test, a, b);
        self.to.ins().bitcast(ty, MemFlagsData::new(), chosen)
    }

    /// Whether a value goes on to another block, such as the best so far to the next turn of a loop:
    /// then a branch that is foreseen is shorter than waiting for the test.
    fn is_carried(&self, value: Value) -> bool {
        let blocks = &self.function.blocks;
        blocks.iter().any(|it| it.term.targets().any(|(_, args)| args.contains(&value)))
    }

    fn float_pair(&mut self, op: Opcode, inst: &Inst) -> cl::Value {
        let of = if matches!(op, Opcode::FCmp(_)) { inst.args[0] } else { inst.results[0] };
        let ty = float_type(self.function.prim(of));
        let (a, b) = (self.as_type(inst.args[0], ty), self.as_type(inst.args[1], ty));
        let ins = self.to.ins();
        match op {
            Opcode::FCmp(cond) => ins.fcmp(float_condition(cond), a, b),
            Opcode::FAdd => ins.fadd(a, b),
            Opcode::FSub => ins.fsub(a, b),
            Opcode::FMul => ins.fmul(a, b),
            _ => ins.fdiv(a, b),
        }
    }

    fn multiply_add(&mut self, inst: &Inst) -> cl::Value {
        let ty = float_type(self.function.prim(inst.results[0]));
        let [a, b, c] = [0, 1, 2].map(|at| self.as_type(inst.args[at], ty));
        self.to.ins().fma(a, b, c)
    }

    fn float(&mut self, op: Opcode, inst: &Inst) -> cl::Value {
        let ty = float_type(self.function.prim(inst.results[0]));
        let a = self.as_type(inst.args[0], ty);
        let ins = self.to.ins();
        match op {
            Opcode::FNeg => ins.fneg(a),
            Opcode::FAbs => ins.fabs(a),
            Opcode::FSqrt => ins.sqrt(a),
            Opcode::FFloor => ins.floor(a),
            Opcode::FCeil => ins.ceil(a),
            Opcode::FTrunc => ins.trunc(a),
            _ => ins.nearest(a),
        }
    }

    /// A row of the table of functions, which every back end calls.
    pub(super) fn math(&mut self, function: MathFn, inst: &Inst) {
        use crate::ir::{MathF32, MathF64};

        let ty = float_type(self.function.prim(inst.results[0]));
        let row = function.row();
        let (address, count) = match (ty, row.f64, row.f32) {
            (F32, _, MathF32::One(function)) => (function as *const () as usize, 1),
            (F32, _, MathF32::Two(function)) => (function as *const () as usize, 2),
            (_, MathF64::One(function), _) => (function as *const () as usize, 1),
            (_, MathF64::Two(function), _) => (function as *const () as usize, 2),
        };
        let args: Vec<cl::Value> =
            inst.args.iter().take(count).map(|it| self.as_type(*it, ty)).collect();
        let call = self.invoke(address, &[ty], &args);
        let value = self.to.inst_results(call)[0];
        self.define(inst, value);
    }
}

/// Numbers of 64 bits, unless they are of 32: as the machine reads an operation.
fn float_type(prim: Prim) -> cl::Type {
    if prim == Prim::F32 { F32 } else { F64 }
}

fn int_condition(cond: Cond, is_signed: bool) -> IntCC {
    match (cond, is_signed) {
        (Cond::Eq, _) => IntCC::Equal,
        (Cond::Ne, _) => IntCC::NotEqual,
        (Cond::Lt, true) => IntCC::SignedLessThan,
        (Cond::Le, true) => IntCC::SignedLessThanOrEqual,
        (Cond::Gt, true) => IntCC::SignedGreaterThan,
        (Cond::Ge, true) => IntCC::SignedGreaterThanOrEqual,
        (Cond::Lt, false) => IntCC::UnsignedLessThan,
        (Cond::Le, false) => IntCC::UnsignedLessThanOrEqual,
        (Cond::Gt, false) => IntCC::UnsignedGreaterThan,
        (Cond::Ge, false) => IntCC::UnsignedGreaterThanOrEqual,
    }
}

fn float_condition(cond: Cond) -> FloatCC {
    match cond {
        Cond::Eq => FloatCC::Equal,
        Cond::Ne => FloatCC::NotEqual,
        Cond::Lt => FloatCC::LessThan,
        Cond::Le => FloatCC::LessThanOrEqual,
        Cond::Gt => FloatCC::GreaterThan,
        Cond::Ge => FloatCC::GreaterThanOrEqual,
    }
}
