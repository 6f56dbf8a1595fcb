//! Elements in memory, and conversions between kinds of numbers.

use super::addresses::Callback;
use super::function::FunctionPrinter;
use crate::ir::{Convert, Elem, Inst};
use crate::types::Prim;

impl FunctionPrinter<'_> {
    /// The element at an address.
    pub(super) fn load(&mut self, elem: Elem, inst: &Inst) {
        let address = self.as_type(inst.args[0], Prim::Ptr);
        let element = format!("*({} *){address}", type_of(elem));
        let (text, prim) = match elem {
            // Any byte but 0 is true.
            Elem::Bool => (format!("({element} != 0)"), Prim::Bool),
            Elem::F16 => (
                format!("((from_half_fn *)t[{}])({element})", Callback::FromHalf as u32),
                Prim::F32,
            ),
            Elem::F32 => (element, Prim::F32),
            Elem::F64 => (element, Prim::F64),
            Elem::I8
            | Elem::I16
            | Elem::I32
            | Elem::I64
            | Elem::U8
            | Elem::U16
            | Elem::U32
            | Elem::Ptr => (format!("(i64){element}"), Prim::Int),
        };
        self.define(inst, &text, prim);
    }

    /// Writes an element.
    pub(super) fn store(&mut self, elem: Elem, inst: &Inst) {
        let address = self.as_type(inst.args[0], Prim::Ptr);
        let value = inst.args[1];
        let text = match elem {
            Elem::Bool => self.as_type(value, Prim::Bool),
            Elem::F32 => self.as_type(value, Prim::F32),
            Elem::F64 => self.as_type(value, Prim::F64),
            Elem::F16 => {
                let number = self.as_type(value, Prim::F32);
                format!("((to_half_fn *)t[{}])({number})", Callback::ToHalf as u32)
            }
            Elem::I8
            | Elem::I16
            | Elem::I32
            | Elem::I64
            | Elem::U8
            | Elem::U16
            | Elem::U32
            | Elem::Ptr => self.as_type(value, Prim::Int),
        };
        self.line(format_args!("*({} *){address} = {text};", type_of(elem)));
    }

    /// Another kind of number.
    pub(super) fn convert(&mut self, convert: Convert, inst: &Inst) {
        let from = match convert {
            Convert::Wrap(..) | Convert::ToF64(_) | Convert::ToF32(_) => Prim::Int,
            Convert::FromF64(_) | Convert::Demote => Prim::F64,
            Convert::Promote | Convert::ToF16 => Prim::F32,
            Convert::Bits => self.function.prim(inst.args[0]),
        };
        let a = self.as_type(inst.args[0], from);
        let (text, to) = match convert {
            Convert::Wrap(bits, is_signed) => (wrapped(&a, bits, is_signed), Prim::Int),
            Convert::ToF64(true) => (format!("(double){a}"), Prim::F64),
            Convert::ToF64(false) => (format!("(double)(u64){a}"), Prim::F64),
            Convert::ToF32(true) => (format!("(float){a}"), Prim::F32),
            Convert::ToF32(false) => (format!("(float)(u64){a}"), Prim::F32),
            Convert::FromF64(true) => (format!("double_int({a})"), Prim::Int),
            Convert::FromF64(false) => (format!("double_uint({a})"), Prim::Int),
            Convert::Demote => (format!("(float){a}"), Prim::F32),
            Convert::Promote => (format!("(double){a}"), Prim::F64),
            Convert::ToF16 => {
                (format!("((one_float_fn *)t[{}])({a})", Callback::RoundToHalf as u32), Prim::F32)
            }
            Convert::Bits => (a, from),
        };
        self.define(inst, &text, to);
    }
}

/// The low bits of a word, extended again.
fn wrapped(a: &str, bits: u8, is_signed: bool) -> String {
    let sign = if is_signed { 'i' } else { 'u' };
    match bits {
        8 | 16 | 32 => format!("(i64)({sign}{bits}){a}"),
        _ => {
            let shift = 64_i64 - i64::from(bits);
            format!("(i64)(({sign}64)({a} << {shift}) >> {shift})")
        }
    }
}

/// The type of an element, which may lie anywhere.
fn type_of(elem: Elem) -> &'static str {
    match elem {
        Elem::Bool | Elem::U8 => "u8_at",
        Elem::I8 => "i8_at",
        Elem::I16 => "i16_at",
        Elem::I32 => "i32_at",
        Elem::I64 | Elem::Ptr => "i64_at",
        Elem::U16 | Elem::F16 => "u16_at",
        Elem::U32 => "u32_at",
        Elem::F32 => "float_at",
        Elem::F64 => "double_at",
    }
}
