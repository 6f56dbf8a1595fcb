//! Casts between types, and the type that holds the values of two.

use super::state::Infer;
use super::value::Typed;
use super::value::zeros;
use crate::error::{Error, Result};
use crate::ir::{Cond, Convert, Opcode, Trap, Value, ValueList};
use crate::types::{Array, ArrayLayout, Int, Prim, Ty, TyKind};

/// The type that holds the values of both, if there is one.
pub(crate) fn unify(a: Ty, b: Ty) -> Option<Ty> {
    if a == b {
        return Some(a);
    }
    if a.is_number() && b.is_number() {
        return Ty::smallest(a, b);
    }
    match (&*a, &*b) {
        (TyKind::None, _) => optional(b),
        (_, TyKind::None) => optional(a),
        (TyKind::Optional(x), TyKind::Optional(y)) => optional(unify(*x, *y)?),
        (TyKind::Optional(x), _) => optional(unify(*x, b)?),
        (_, TyKind::Optional(y)) => optional(unify(a, *y)?),
        (TyKind::Tuple(x), TyKind::Tuple(y)) if x.len() == y.len() => {
            let items: Option<Vec<Ty>> = x.iter().zip(y).map(|(x, y)| unify(*x, *y)).collect();
            Some(Ty::tuple(items?))
        }
        (TyKind::Array(x), TyKind::Array(y)) if x.dtype == y.dtype && x.ndim == y.ndim => {
            Some(Ty::new(TyKind::Array(Array {
                layout: if x.layout == y.layout { x.layout } else { ArrayLayout::Any },
                is_readonly: x.is_readonly || y.is_readonly,
                ..*x
            })))
        }
        _ => None,
    }
}

/// The type with `None`, if values of it are there at run time.
fn optional(ty: Ty) -> Option<Ty> {
    match *ty {
        TyKind::Closure(_) | TyKind::Function(_) | TyKind::Module(_) | TyKind::Class(_) => None,
        _ => Some(ty.optional()),
    }
}

impl Infer<'_> {
    pub(super) fn unify(&self, a: Ty, b: Ty) -> Option<Ty> {
        unify(a, b)
    }

    /// A value as one of another type.
    pub(super) fn cast(&mut self, value: &Typed, to: Ty) -> Result<Typed> {
        if value.ty == to {
            return Ok(value.clone());
        }
        if value.ty.is_number() && to.is_number() {
            return self.convert(value, to);
        }
        let refused = || Error::typing(format!("cannot cast {} to {to}", value.ty));
        match (&*value.ty, &*to) {
            (TyKind::None, TyKind::Optional(_)) => {
                let words = zeros(&mut self.builder, to);
                Ok(Typed::new(to, words))
            }
            (TyKind::Optional(_), TyKind::Optional(inner)) => {
                let found = value.inner().ok_or_else(refused)?;
                let cast = self.cast(&found, *inner)?;
                Ok(some(to, value.word(), &cast))
            }
            (_, TyKind::Optional(inner)) => {
                let cast = self.cast(value, *inner)?;
                let flag = self.builder.bool(true);
                Ok(some(to, flag, &cast))
            }
            (TyKind::Optional(_), _) => {
                let found = self.unwrap(value)?;
                self.cast(&found, to)
            }
            (TyKind::Tuple(_) | TyKind::NamedTuple(..), TyKind::Tuple(types)) => {
                let items =
                    value.items().filter(|it| it.len() == types.len()).ok_or_else(refused)?;
                let mut words = ValueList::new();
                for (item, ty) in items.iter().zip(types) {
                    words.extend(self.cast(item, *ty)?.words);
                }
                Ok(Typed::new(to, words))
            }
            (TyKind::Array(from), TyKind::Array(array))
                if from.dtype == array.dtype
                    && from.ndim == array.ndim
                    && (array.layout == ArrayLayout::Any || array.layout == from.layout)
                    && (array.is_readonly || !from.is_readonly) =>
            {
                Ok(Typed::new(to, value.words.clone()))
            }
            _ => match self.user_cast(value, to)? {
                Some(found) => Ok(found),
                None => Err(refused()),
            },
        }
    }

    /// The value within one that may be `None`, or a failure.
    pub(super) fn unwrap(&mut self, value: &Typed) -> Result<Typed> {
        let Some(inner) = value.inner() else { return Ok(value.clone()) };
        let text = format!("expected {}, got None", inner.ty);
        self.builder.check(value.word(), Trap::Type(text.into()), &[]);
        Ok(inner)
    }

    /// A number as one of another type: whole numbers wrap, real ones saturate.
    pub(super) fn convert(&mut self, value: &Typed, to: Ty) -> Result<Typed> {
        if value.ty == to {
            return Ok(value.clone());
        }
        match (&*value.ty, &*to) {
            (TyKind::Complex(_), TyKind::Complex(_)) => {
                let part = to.real_type();
                let real = self.convert(&self.complex_part(value, 0), part)?;
                let imag = self.convert(&self.complex_part(value, 1), part)?;
                Ok(Typed::new(to, ValueList::from_slice(&[real.word(), imag.word()])))
            }
            (_, TyKind::Complex(_)) => {
                let part = to.real_type();
                let real = self.convert(value, part)?;
                let imag = zeros(&mut self.builder, part)[0];
                Ok(Typed::new(to, ValueList::from_slice(&[real.word(), imag])))
            }
            (TyKind::Complex(_), TyKind::Bool) => {
                let truth = self.truth(value)?;
                Ok(Typed::one(to, truth))
            }
            (TyKind::Complex(_), _) => {
                Err(Error::typing(format!("cannot cast {} to {to}: take .real or abs()", value.ty)))
            }
            _ => {
                let word = self.convert_word(value, to);
                Ok(Typed::one(to, word))
            }
        }
    }

    /// The real or the imaginary part of a complex number.
    pub(super) fn complex_part(&self, value: &Typed, at: usize) -> Typed {
        Typed::one(value.ty.real_type(), value.words[at])
    }

    fn convert_word(&mut self, value: &Typed, to: Ty) -> Value {
        let word = value.word();
        match (&*value.ty, &*to) {
            (TyKind::Bool | TyKind::Int(_), TyKind::Bool) => {
                if *value.ty == TyKind::Bool {
                    return word;
                }
                let zero = self.builder.int(0);
                self.builder.emit(Opcode::Cmp(Cond::Ne, true), &[word, zero], Prim::Bool)
            }
            (TyKind::Float(_), TyKind::Bool) => {
                let zero = self.builder.constant(0, self.builder.function.prim(word));
                self.builder.emit(Opcode::FCmp(Cond::Ne), &[word, zero], Prim::Bool)
            }
            (TyKind::Bool, TyKind::Int(_)) => {
                self.builder.emit(Opcode::Convert(Convert::Wrap(64, true)), &[word], Prim::Int)
            }
            (TyKind::Int(from), TyKind::Int(into)) => self.wrap(word, *from, *into),
            (TyKind::Bool | TyKind::Int(_), TyKind::Float(bits)) => {
                let is_signed = !matches!(*value.ty, TyKind::Int(Int { is_signed: false, .. }));
                if *bits == 64 {
                    return self.builder.emit(
                        Opcode::Convert(Convert::ToF64(is_signed)),
                        &[word],
                        Prim::F64,
                    );
                }
                let rounded = self.builder.emit(
                    Opcode::Convert(Convert::ToF32(is_signed)),
                    &[word],
                    Prim::F32,
                );
                self.round_half(rounded, *bits)
            }
            (TyKind::Float(from), TyKind::Float(into)) => self.convert_float(word, *from, *into),
            (TyKind::Float(from), TyKind::Int(into)) => {
                let wide = self.convert_float(word, *from, 64);
                self.saturate(wide, *into)
            }
            _ => word,
        }
    }

    fn wrap(&mut self, word: Value, from: Int, into: Int) -> Value {
        let holds =
            into.bits == 64 || (from.bits < into.bits && (into.is_signed || !from.is_signed));
        if holds {
            return word;
        }
        self.builder.emit(
            Opcode::Convert(Convert::Wrap(into.bits, into.is_signed)),
            &[word],
            Prim::Int,
        )
    }

    fn convert_float(&mut self, word: Value, from: u8, into: u8) -> Value {
        match (from, into) {
            (64, 64) => word,
            (64, _) => {
                let narrow =
                    self.builder.emit(Opcode::Convert(Convert::Demote), &[word], Prim::F32);
                self.round_half(narrow, into)
            }
            (_, 64) => self.builder.emit(Opcode::Convert(Convert::Promote), &[word], Prim::F64),
            _ => self.round_half(word, into),
        }
    }

    /// A number of 32 bits with the precision of one of 16, if that is its type.
    pub(super) fn round_half(&mut self, word: Value, bits: u8) -> Value {
        if bits != 16 {
            return word;
        }
        self.builder.emit(Opcode::Convert(Convert::ToF16), &[word], Prim::F32)
    }

    fn saturate(&mut self, word: Value, into: Int) -> Value {
        let whole = self.builder.emit(
            Opcode::Convert(Convert::FromF64(into.is_signed)),
            &[word],
            Prim::Int,
        );
        if into.bits == 64 {
            return whole;
        }
        let (low, high) = limits(into);
        let capped = self.bounded(whole, high, Cond::Lt, into.is_signed);
        if into.is_signed { self.bounded(capped, low, Cond::Gt, true) } else { capped }
    }

    fn bounded(&mut self, word: Value, limit: i64, cond: Cond, is_signed: bool) -> Value {
        let limit = self.builder.int(limit);
        let is_within = self.builder.emit(Opcode::Cmp(cond, is_signed), &[word, limit], Prim::Bool);
        self.builder.emit(Opcode::Select, &[is_within, word, limit], Prim::Int)
    }
}

fn limits(int: Int) -> (i64, i64) {
    let bits = u32::from(int.bits);
    if int.is_signed { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) }
}

fn some(to: Ty, flag: Value, value: &Typed) -> Typed {
    let words = std::iter::once(flag).chain(value.words.iter().copied()).collect();
    Typed::new(to, words)
}
