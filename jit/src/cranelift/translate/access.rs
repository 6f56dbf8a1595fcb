//! Elements in memory, and conversions between kinds of numbers.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{F32, F64, I8, I16, I32, I64};
use cranelift_codegen::ir::{self as cl, InstBuilder as _, MemFlagsData};

use super::Translation;
use crate::callbacks;
use crate::ir::{Convert, Elem, Inst};

impl Translation<'_> {
    /// The element at an address.
    pub(super) fn load(&mut self, elem: Elem, inst: &Inst) {
        let address = self.as_type(inst.args[0], I64);
        let ins = self.to.ins();
        let value = match elem {
            // Any byte but 0 is true.
            Elem::Bool => {
                let byte = ins.load(I8, elements(), address, 0);
                self.to.ins().icmp_imm_u(IntCC::NotEqual, byte, 0)
            }
            Elem::U8 => ins.uload8(I64, elements(), address, 0),
            Elem::I8 => ins.sload8(I64, elements(), address, 0),
            Elem::U16 => ins.uload16(I64, elements(), address, 0),
            Elem::I16 => ins.sload16(I64, elements(), address, 0),
            Elem::U32 => ins.uload32(elements(), address, 0),
            Elem::I32 => ins.sload32(elements(), address, 0),
            Elem::I64 | Elem::Ptr => ins.load(I64, elements(), address, 0),
            Elem::F32 => ins.load(F32, elements(), address, 0),
            Elem::F64 => ins.load(F64, elements(), address, 0),
            Elem::F16 => {
                let bits = ins.uload16(I64, elements(), address, 0);
                self.half_call(callbacks::from_half as *const () as usize, F32, bits)
            }
        };
        self.define(inst, value);
    }

    /// Writes an element.
    pub(super) fn store(&mut self, elem: Elem, inst: &Inst) {
        let address = self.as_type(inst.args[0], I64);
        let value = match elem {
            Elem::Bool => self.as_type(inst.args[1], I8),
            Elem::F32 => self.as_type(inst.args[1], F32),
            Elem::F64 => self.as_type(inst.args[1], F64),
            Elem::F16 => {
                let number = self.as_type(inst.args[1], F32);
                self.half_call(callbacks::to_half as *const () as usize, I64, number)
            }
            _ => self.as_type(inst.args[1], I64),
        };
        let ins = self.to.ins();
        match elem {
            Elem::U8 | Elem::I8 => ins.istore8(elements(), value, address, 0),
            Elem::U16 | Elem::I16 | Elem::F16 => ins.istore16(elements(), value, address, 0),
            Elem::U32 | Elem::I32 => ins.istore32(elements(), value, address, 0),
            Elem::Bool | Elem::I64 | Elem::Ptr | Elem::F32 | Elem::F64 => {
                ins.store(elements(), value, address, 0)
            }
        };
    }

    /// Another kind of number.
    pub(super) fn convert(&mut self, convert: Convert, inst: &Inst) {
        let from = match convert {
            Convert::Wrap(..) | Convert::ToF64(_) | Convert::ToF32(_) => I64,
            Convert::FromF64(_) | Convert::Demote => F64,
            Convert::Promote | Convert::ToF16 => F32,
            Convert::Bits => {
                let value = self.value(inst.args[0]);
                self.define(inst, value);
                return;
            }
        };
        let a = self.as_type(inst.args[0], from);
        let ins = self.to.ins();
        let value = match convert {
            Convert::Wrap(bits, is_signed) => self.wrap(a, bits, is_signed),
            Convert::ToF64(true) => ins.fcvt_from_sint(F64, a),
            Convert::ToF64(false) => ins.fcvt_from_uint(F64, a),
            Convert::ToF32(true) => ins.fcvt_from_sint(F32, a),
            Convert::ToF32(false) => ins.fcvt_from_uint(F32, a),
            Convert::FromF64(true) => ins.fcvt_to_sint_sat(I64, a),
            Convert::FromF64(false) => ins.fcvt_to_uint_sat(I64, a),
            Convert::Demote => ins.fdemote(F32, a),
            Convert::Promote => ins.fpromote(F64, a),
            Convert::ToF16 => {
                self.half_call(callbacks::round_to_half as *const () as usize, F32, a)
            }
            Convert::Bits => a,
        };
        self.define(inst, value);
    }

    /// The low bits of a word, extended again.
    fn wrap(&mut self, a: cl::Value, bits: u8, is_signed: bool) -> cl::Value {
        let narrow = match bits {
            8 => I8,
            16 => I16,
            32 => I32,
            _ => {
                let shift = 64_i64 - i64::from(bits);
                let high = self.to.ins().ishl_imm_u(a, shift);
                return match is_signed {
                    true => self.to.ins().sshr_imm_u(high, shift),
                    false => self.to.ins().ushr_imm_u(high, shift),
                };
            }
        };
        let low = self.to.ins().ireduce(narrow, a);
        if is_signed { self.to.ins().sextend(I64, low) } else { self.to.ins().uextend(I64, low) }
    }

    fn half_call(&mut self, address: usize, result: cl::Type, a: cl::Value) -> cl::Value {
        let call = self.invoke(address, &[result], &[a]);
        self.to.inst_results(call)[0]
    }
}

/// Elements are there, but may lie anywhere.
fn elements() -> MemFlagsData {
    MemFlagsData::new().with_notrap()
}
