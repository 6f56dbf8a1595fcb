//! A program as text, as `inspect_ir` shows it.

use std::fmt::{self, Write as _};

use super::function::Function;
use super::ids::{Block, PlaceId, Value, ValueList};
use super::inst::{Convert, Inst, Opcode, RuntimeCall, Terminator};
use super::program::Program;
use crate::types::Prim;

impl Program {
    /// Its functions as text, the entry first.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for function in &self.functions {
            // Writing to a string cannot fail.
            let _ = self.write_function(&mut text, function);
        }
        text
    }

    fn write_function(&self, out: &mut String, function: &Function) -> fmt::Result {
        write!(out, "func {}(", function.name)?;
        for (at, ty) in function.params.iter().enumerate() {
            write!(out, "{}{ty}", if at > 0 { ", " } else { "" })?;
        }
        writeln!(out, ") -> {}    # {}", function.result, self.place_text(function.place))?;
        for (at, block) in function.blocks.iter().enumerate() {
            write!(out, "b{at}(")?;
            for (at, param) in block.params.iter().enumerate() {
                let comma = if at > 0 { ", " } else { "" };
                write!(out, "{comma}%{}: {}", param.0, prim_text(function.prim(*param)))?;
            }
            writeln!(out, "):")?;
            for at in &block.insts {
                self.write_inst(out, function, &function.insts[*at as usize])?;
            }
            writeln!(out, "  {}", TermText(function, &block.term))?;
        }
        Ok(())
    }

    fn write_inst(&self, out: &mut String, function: &Function, inst: &Inst) -> fmt::Result {
        write!(out, "  ")?;
        if !inst.results.is_empty() {
            write!(out, "{} = ", ValuesText(function, &inst.results))?;
        }
        let prim = inst.results.first().map(|it| function.prim(*it));
        write!(out, "{}", self.op_text(inst.op, prim))?;
        if !inst.args.is_empty() {
            write!(out, " {}", ValuesText(function, &inst.args))?;
        }
        writeln!(out, "    # {}", self.place_text(inst.place))
    }

    fn op_text(&self, op: Opcode, prim: Option<Prim>) -> String {
        let prim_name = prim.map_or("", prim_text);
        match op {
            Opcode::Convert(convert) => format!("convert.{} {}", prim_name, convert_text(convert)),
            Opcode::Math(function) => format!("math.{}.{prim_name}", function.name()),
            Opcode::Load(elem) => format!("load.{elem:?}").to_lowercase(),
            Opcode::Store(elem) => format!("store.{elem:?}").to_lowercase(),
            Opcode::Cmp(cond, is_signed) => {
                format!("cmp.{}{cond:?}", if is_signed { "" } else { "u" }).to_lowercase()
            }
            Opcode::FCmp(cond) => format!("fcmp.{cond:?}").to_lowercase(),
            Opcode::Call(RuntimeCall::Function(id), _) => {
                format!("call.function {}", self.functions[id.0 as usize].name)
            }
            Opcode::Call(RuntimeCall::External(at), _) => {
                format!("call.{}", self.externals[at as usize].name)
            }
            Opcode::Check(_) => "check".to_owned(),
            Opcode::CheckIndex(_) => "check_index".to_owned(),
            Opcode::Poll(_) => "poll".to_owned(),
            Opcode::Div(is_signed) => format!("div.{}", sign_text(is_signed)),
            Opcode::Rem(is_signed) => format!("rem.{}", sign_text(is_signed)),
            other => format!("{other:?}.{prim_name}").to_lowercase(),
        }
    }

    /// A place as `file:line:column`.
    pub fn place_text(&self, place: PlaceId) -> String {
        let Some(place) = self.places.get(place.0 as usize) else { return String::new() };
        let source = &self.sources[place.source as usize];
        let file = source.file.rsplit(['/', '\\']).next().unwrap_or_default();
        format!("{file}:{}:{}", place.span.line, place.span.column)
    }
}

fn sign_text(is_signed: bool) -> &'static str {
    if is_signed { "int64" } else { "uint64" }
}

fn prim_text(prim: Prim) -> &'static str {
    match prim {
        Prim::Bool => "bool",
        Prim::Int => "int64",
        Prim::F32 => "float32",
        Prim::F64 => "float64",
        Prim::Ptr => "ptr",
        Prim::Owner => "owner",
    }
}

fn bits_text(bits: u64, prim: Option<Prim>) -> String {
    match prim {
        Some(Prim::F64) => format!("{:?}", f64::from_bits(bits)),
        Some(Prim::F32) => format!("{:?}", f32::from_bits(bits as u32)),
        Some(Prim::Bool) => (if bits == 1 { "true" } else { "false" }).to_owned(),
        _ => bits.cast_signed().to_string(),
    }
}

fn convert_text(convert: Convert) -> String {
    match convert {
        Convert::Wrap(bits, is_signed) => {
            format!("wrap.{}int{bits}", if is_signed { "" } else { "u" })
        }
        other => format!("{other:?}").to_lowercase(),
    }
}

struct ValuesText<'a>(&'a Function, &'a [Value]);

impl fmt::Display for ValuesText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, value) in self.1.iter().enumerate() {
            let comma = if at > 0 { ", " } else { "" };
            match self.0.constant(*value) {
                Some(bits) => write!(f, "{comma}{}", bits_text(bits, Some(self.0.prim(*value))))?,
                None => write!(f, "{comma}%{}", value.0)?,
            }
        }
        Ok(())
    }
}

struct TargetText<'a>(&'a Function, &'a (Block, ValueList));

impl fmt::Display for TargetText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (block, args) = self.1;
        write!(f, "b{}({})", block.0, ValuesText(self.0, args))
    }
}

struct TermText<'a>(&'a Function, &'a Terminator);

impl fmt::Display for TermText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let function = self.0;
        match self.1 {
            Terminator::Open => f.write_str("open"),
            Terminator::Jump(target) => write!(f, "jump {}", TargetText(function, target)),
            Terminator::Branch(test, then, otherwise) => write!(
                f,
                "branch {} {} else {}",
                ValuesText(function, &[*test]),
                TargetText(function, then),
                TargetText(function, otherwise)
            ),
            Terminator::Return(values) => write!(f, "return {}", ValuesText(function, values)),
            Terminator::Raise(_, values) => write!(f, "raise {}", ValuesText(function, values)),
        }
    }
}
