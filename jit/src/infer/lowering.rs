//! The steps of lowerings, written as instructions; `steps` says in which order.

use super::bind::Args;
use super::state::Infer;
use super::value::Typed;
use super::value::zeros;
use crate::error::{Error, Result};
use crate::host::{Extra, LoweringStep};
use crate::ir::{
    Cond, Convert, External, ExternalCallee, Opcode, RaisedArg, Trap, Value, ValueList,
};
use crate::native::NativeEntry;
use crate::types::{Int, Prim, Representation, Ty, TyKind};

impl Infer<'_> {
    /// A value that a lowering returns, as one of the type that it was typed as.
    pub(super) fn as_result(&mut self, found: &Typed, result: Ty) -> Result<Typed> {
        if found.ty == result {
            return Ok(found.clone());
        }
        if found.ty.is_number() && result.is_number() {
            return self.convert(found, result);
        }
        // A type with one member is that member.
        if let TyKind::User(user) = &*result
            && user.form == Representation::Value
            && result.prims() == found.ty.prims()
        {
            return Ok(Typed::new(result, found.words.clone()));
        }
        if found.ty.prims() == result.prims() {
            return Ok(Typed::new(result, found.words.clone()));
        }
        self.cast(found, result)
    }

    /// The result of a step over its operands.
    pub(super) fn step(&mut self, step: &LoweringStep, operands: &[Typed]) -> Result<Typed> {
        let arg = |at: usize| -> Result<Typed> {
            let found = operands.get(at).cloned();
            found.ok_or_else(|| Error::typing(format!("builder.{} lacks an operand", step.name)))
        };
        match (&*step.name, &step.extra) {
            ("constant", Extra::Constant(ty, frozen)) => {
                let value = self.frozen(frozen)?;
                self.cast(&value, *ty)
            }
            ("zero", Extra::Type(ty)) => {
                let words = zeros(&mut self.builder, *ty);
                Ok(Typed::new(*ty, words))
            }
            ("struct", Extra::Type(ty)) => self.structure(*ty, operands),
            ("tuple", _) => Ok(Typed::tuple(operands)),
            ("native", Extra::Native(ty, entry)) => Ok(self.native(*ty, *entry, operands)),
            ("field", Extra::Name(name)) => {
                let of = arg(0)?;
                let found = self.member(&of, name)?;
                found.ok_or_else(|| Error::typing(format!("{} has no member {name}", of.ty)))
            }
            ("dim", Extra::Index(at)) => {
                let of = arg(0)?;
                match of.ty.as_array() {
                    Some(array) if *at < array.ndim => {
                        Ok(Typed::one(Ty::int64(), of.words[2 + at]))
                    }
                    _ => Err(Error::typing(format!("{} has no dimension {at}", of.ty))),
                }
            }
            ("length", _) => self.length(&arg(0)?),
            ("item", Extra::Index(at)) => self.member_at(&arg(0)?, *at),
            ("with_field" | "with_item", _) => self.with_member(&arg(0)?, &arg(1)?, &step.extra),
            ("cast", Extra::Type(ty)) => self.cast(&arg(0)?, *ty),
            ("call", Extra::Object(object, _)) => {
                let callee = Typed::fact(Ty::new(TyKind::Function(*object)));
                self.call_value(&callee, Args::of(operands.to_vec()))
            }
            ("function", Extra::Object(object, _)) => {
                self.call_function(*object, Args::of(operands.to_vec()))
            }
            ("raise", Extra::Object(class, text)) => {
                let shown = vec![RaisedArg::Value(Ty::text(text))];
                self.builder.check_never(Trap::Raised(*class, shown));
                Ok(Typed::none())
            }
            ("select", _) => self.chosen(&arg(0)?, &arg(1)?, &arg(2)?),
            (
                name @ ("icmp_signed" | "icmp_unsigned" | "fcmp_ordered" | "fcmp_unordered"),
                Extra::Name(op),
            ) => self.compared(name, op, &arg(0)?, &arg(1)?),
            (name, Extra::Type(ty)) => self.converted(name, &arg(0)?, *ty),
            (name, _) if step.args.len() == 2 => self.computed(name, &arg(0)?, &arg(1)?),
            (name, _) => self.computed_of_one(name, &arg(0)?),
        }
    }

    /// How many items a loop over a value runs through.
    fn length(&mut self, of: &Typed) -> Result<Typed> {
        let word = match &*of.ty {
            TyKind::Array(array) if array.ndim > 0 => of.words[2],
            TyKind::Flat(_) => self.flat_size(of),
            TyKind::Range => {
                super::iterate::range_length(self, of.words[0], of.words[1], of.words[2])
            }
            _ => return Err(Error::typing(format!("{} has no length", of.ty))),
        };
        Ok(Typed::one(Ty::int64(), word))
    }

    /// A call of a function of another library.
    fn native(&mut self, ty: Ty, entry: NativeEntry, args: &[Typed]) -> Typed {
        let words: ValueList = args.iter().flat_map(|it| it.words.iter().copied()).collect();
        let is_it = |it: &External| matches!(it.callee, ExternalCallee::Native(it) if it == entry);
        let known = self.program.externals.iter().position(is_it);
        let callee = ExternalCallee::Native(entry);
        let external = External { name: "native", callee };
        let results = self.call_external(known, external, &words, &ty.prims());
        Typed::new(ty, results.into_iter().collect())
    }

    fn with_member(&mut self, of: &Typed, member: &Typed, extra: &Extra) -> Result<Typed> {
        let types: Vec<Ty> = match &*of.ty {
            TyKind::User(user) => user.members.iter().map(|(_, it)| *it).collect(),
            _ => of.ty.items().unwrap_or_default().to_vec(),
        };
        let at = match (extra, &*of.ty) {
            (Extra::Index(at), _) => Some(*at),
            (Extra::Name(name), TyKind::User(user)) => {
                user.members.iter().position(|(it, _)| **it == **name)
            }
            _ => None,
        };
        let at = at.filter(|it| *it < types.len());
        let at = at.ok_or_else(|| Error::typing(format!("{} has no such member", of.ty)))?;
        let skipped = match &*of.ty {
            TyKind::User(user) if user.form == Representation::Frozen => 1,
            TyKind::User(user) if user.form == Representation::Reference => {
                return Err(Error::typing("members of an object are set by attributes"));
            }
            _ => 0,
        };
        let member = self.cast(member, types[at])?;
        let before: usize = types[..at].iter().map(Ty::width).sum::<usize>() + skipped;
        let mut words = of.words.clone();
        if skipped == 1 {
            words[0] = self.builder.constant(0, Prim::Owner);
        }
        words[before..before + member.words.len()].copy_from_slice(&member.words);
        Ok(Typed::new(of.ty, words))
    }

    fn chosen(&mut self, test: &Typed, a: &Typed, b: &Typed) -> Result<Typed> {
        let truth = self.truth(test)?;
        let b = if a.ty == b.ty { b.clone() } else { self.cast(b, a.ty)? };
        let prims = a.ty.prims();
        let words = a.words.iter().zip(&b.words).zip(&prims);
        let words = words
            .map(|((a, b), prim)| self.builder.emit(Opcode::Select, &[truth, *a, *b], *prim))
            .collect();
        Ok(Typed::new(a.ty, words))
    }

    fn compared(&mut self, name: &str, op: &str, a: &Typed, b: &Typed) -> Result<Typed> {
        let cond = match op {
            "==" => Cond::Eq,
            "!=" => Cond::Ne,
            "<" => Cond::Lt,
            "<=" => Cond::Le,
            ">" => Cond::Gt,
            ">=" => Cond::Ge,
            _ => {
                return Err(Error::typing(format!(
                    "builder.{name} does not know the comparison {op}"
                )));
            }
        };
        let (a, b) = (single(a)?, single(b)?);
        let op = match name {
            "icmp_signed" => Opcode::Cmp(cond, true),
            "icmp_unsigned" => Opcode::Cmp(cond, false),
            _ => Opcode::FCmp(cond),
        };
        let mut word = self.builder.emit(op, &[a, b], Prim::Bool);
        let unlike = self.unordered(a, b, name == "fcmp_unordered", cond);
        if let Some((join, either)) = unlike {
            word = self.builder.emit(join, &[word, either], Prim::Bool);
        }
        Ok(Typed::one(Ty::bool(), word))
    }

    /// What is added to a comparison where one number is none: it holds then, or does not.
    fn unordered(
        &mut self,
        a: Value,
        b: Value,
        holds: bool,
        cond: Cond,
    ) -> Option<(Opcode, Value)> {
        let prim = self.builder.function.prim(a);
        if !matches!(prim, Prim::F32 | Prim::F64) || (!holds && cond != Cond::Ne) {
            return None;
        }
        let (equal, join) = if holds { (Cond::Ne, Opcode::Or) } else { (Cond::Eq, Opcode::And) };
        let first = self.builder.emit(Opcode::FCmp(equal), &[a, a], Prim::Bool);
        let second = self.builder.emit(Opcode::FCmp(equal), &[b, b], Prim::Bool);
        Some((join, self.builder.emit(join, &[first, second], Prim::Bool)))
    }

    fn converted(&mut self, name: &str, value: &Typed, ty: Ty) -> Result<Typed> {
        let word = single(value)?;
        let (wide, prim) = (self.builder.function.prim(word), ty.prims());
        if prim.len() != 1 {
            return Err(Error::typing(format!("builder.{name} gives a number, not {ty}")));
        }
        match name {
            "bitcast" if prim[0] == wide => Ok(Typed::one(ty, word)),
            "bitcast" => Ok(Typed::one(
                ty,
                self.builder.emit(Opcode::Convert(Convert::Bits), &[word], prim[0]),
            )),
            "fptosi" | "fptoui" | "fpext" | "fptrunc" => {
                let from = if wide == Prim::F32 { Ty::float32() } else { Ty::float64() };
                self.convert(&Typed::one(from, word), ty)
            }
            "uitofp" => self.convert(&Typed::one(Ty::uint64(), word), ty),
            "zext" => {
                let bits = match *value.ty {
                    TyKind::Int(int) => int.bits,
                    _ => 64,
                };
                let plain = Opcode::Convert(Convert::Wrap(bits, false));
                let word = self.builder.emit(plain, &[word], Prim::Int);
                self.convert(&Typed::one(Ty::int64(), word), ty)
            }
            // One bit is the lowest.
            "trunc" if ty == Ty::bool() => {
                let one = self.builder.int(1);
                let bit = self.builder.emit(Opcode::And, &[word, one], Prim::Int);
                self.convert(&Typed::one(Ty::int64(), bit), ty)
            }
            "trunc" | "sext" | "sitofp" => self.convert(&Typed::one(Ty::int64(), word), ty),
            _ => Err(Error::typing(format!("builder.{name} is not there"))),
        }
    }

    fn computed(&mut self, name: &str, a: &Typed, b: &Typed) -> Result<Typed> {
        let op = match name {
            "add" => Opcode::Add,
            "sub" => Opcode::Sub,
            "mul" => Opcode::Mul,
            "sdiv" | "udiv" | "srem" | "urem" => return self.divided(name, a, b),
            "and_" => Opcode::And,
            "or_" => Opcode::Or,
            "xor" => Opcode::Xor,
            "shl" => Opcode::Shl,
            "lshr" => Opcode::Shr,
            "ashr" => Opcode::Sar,
            "fadd" => Opcode::FAdd,
            "fsub" => Opcode::FSub,
            "fmul" => Opcode::FMul,
            "fdiv" => Opcode::FDiv,
            "frem" => super::number::math("fmod"),
            _ => return Err(Error::typing(format!("builder.{name} is not there"))),
        };
        self.of_first(op, a, b)
    }

    /// The result of an instruction, as a number of the type of its first operand.
    fn of_first(&mut self, op: Opcode, a: &Typed, b: &Typed) -> Result<Typed> {
        let (x, y) = (single(a)?, single(b)?);
        let prim = self.builder.function.prim(x);
        let word = self.builder.emit(op, &[x, y], prim);
        Ok(match *a.ty {
            TyKind::Int(int) => self.wrapped(word, int),
            _ => Typed::new(a.ty, ValueList::from_slice(&[word])),
        })
    }

    /// Integer division; by zero it raises.
    fn divided(&mut self, name: &str, a: &Typed, b: &Typed) -> Result<Typed> {
        let by = single(b)?;
        let zero = self.builder.int(0);
        let fits = self.builder.emit(Opcode::Cmp(Cond::Ne, true), &[by, zero], Prim::Bool);
        self.builder.check(fits, Trap::ZeroDivision("integer division or modulo by zero"), &[]);
        let op = match name {
            "sdiv" => Opcode::Div(true),
            "udiv" => Opcode::Div(false),
            "srem" => Opcode::Rem(true),
            _ => Opcode::Rem(false),
        };
        self.of_first(op, a, b)
    }

    fn computed_of_one(&mut self, name: &str, value: &Typed) -> Result<Typed> {
        let word = single(value)?;
        let prim = self.builder.function.prim(word);
        let int = match *value.ty {
            TyKind::Int(int) => int,
            _ => Int::I64,
        };
        match name {
            "neg" => {
                let zero = self.builder.int(0);
                let word = self.builder.emit(Opcode::Sub, &[zero, word], Prim::Int);
                Ok(self.wrapped(word, int))
            }
            "not_" if prim == Prim::Bool => {
                let one = self.builder.bool(true);
                Ok(Typed::one(Ty::bool(), self.builder.emit(Opcode::Xor, &[word, one], Prim::Bool)))
            }
            "not_" => {
                let ones = self.builder.int(-1);
                let word = self.builder.emit(Opcode::Xor, &[word, ones], Prim::Int);
                Ok(self.wrapped(word, int))
            }
            "fneg" => {
                let word = self.builder.emit(Opcode::FNeg, &[word], prim);
                Ok(Typed::new(value.ty, ValueList::from_slice(&[word])))
            }
            _ => Err(Error::typing(format!("builder.{name} is not there"))),
        }
    }
}

/// The only word of a value.
fn single(value: &Typed) -> Result<Value> {
    match value.words.as_slice() {
        [word] => Ok(*word),
        _ => {
            Err(Error::typing(format!("the builder computes with numbers, not with {}", value.ty)))
        }
    }
}
