//! Arithmetic of numbers, by the rules of the language.

use super::state::Infer;
use super::value::Typed;
use crate::ast::{Binary, Unary};
use crate::error::{Error, Result};
use crate::ir::{Cond, Convert, MathFn, Opcode, Trap, Value, ValueList};
use crate::types::{Int, Prim, Ty, TyKind};

/// Powers up to this one are multiplied out.
const MAX_UNROLLED_POWER: i64 = 16;

impl Infer<'_> {
    pub(super) fn binary(&mut self, op: Binary, left: &Typed, right: &Typed) -> Result<Typed> {
        let left = &self.unwrap(left)?;
        let right = &self.unwrap(right)?;
        if let Some(found) = self.overloaded_binary(op, left, right)? {
            return Ok(found);
        }
        if left.ty.is_number() && right.ty.is_number() {
            return self.number_binary(op, left, right);
        }
        if left.ty.is_array() || right.ty.is_array() {
            return self.array_binary(op, left, right);
        }
        if op == Binary::Add
            && let (Some(mut a), Some(b)) = (left.items(), right.items())
        {
            a.extend(b);
            return Ok(Typed::tuple(&a));
        }
        if let Some((left, right)) = self.number_operands(left, right)? {
            return self.binary(op, &left, &right);
        }
        let error = Error::typing(format!("no {} of {} and {}", op.name(), left.ty, right.ty));
        Err(self.with_declined(error))
    }

    pub(super) fn number_binary(
        &mut self,
        op: Binary,
        left: &Typed,
        right: &Typed,
    ) -> Result<Typed> {
        let (left, right) = &self.beside_unsigned(left, right)?;
        match op {
            Binary::Add | Binary::Sub | Binary::Mul => self.arithmetic(op, left, right),
            Binary::Div => self.divide(left, right),
            Binary::FloorDiv | Binary::Mod => self.floor(op, left, right),
            Binary::Pow => self.power(left, right),
            Binary::And | Binary::Or | Binary::Xor => self.bits(op, left, right),
            Binary::Shl | Binary::Shr => self.shift(op, left, right),
            Binary::MatMul => Err(Error::typing("@ multiplies arrays, not numbers")),
        }
    }

    /// A whole constant that is not negative takes the type of a `uint64` beside it.
    fn beside_unsigned(&mut self, left: &Typed, right: &Typed) -> Result<(Typed, Typed)> {
        let fits = |infer: &Self, it: &Typed| {
            it.ty == Ty::int64() && it.known_int(&infer.builder).is_some_and(|it| it >= 0)
        };
        let unsigned = Ty::uint64();
        if left.ty == unsigned && fits(self, right) {
            return Ok((left.clone(), self.convert(right, unsigned)?));
        }
        if right.ty == unsigned && fits(self, left) {
            return Ok((self.convert(left, unsigned)?, right.clone()));
        }
        Ok((left.clone(), right.clone()))
    }

    fn both_as(&mut self, left: &Typed, right: &Typed, ty: Ty) -> Result<(Typed, Typed)> {
        Ok((self.convert(left, ty)?, self.convert(right, ty)?))
    }

    fn arithmetic_type(op: Binary, left: &Typed, right: &Typed) -> Result<Ty> {
        Ty::arithmetic(left.ty, right.ty).ok_or_else(|| {
            Error::typing(format!("no {} of {} and {}", op.name(), left.ty, right.ty))
        })
    }

    fn arithmetic(&mut self, op: Binary, left: &Typed, right: &Typed) -> Result<Typed> {
        let ty = Self::arithmetic_type(op, left, right)?;
        if ty.is_complex() {
            return self.complex_arithmetic(op, left, right, ty);
        }
        let (a, b) = self.both_as(left, right, ty)?;
        let op = match (op, ty.is_float()) {
            (Binary::Add, false) => Opcode::Add,
            (Binary::Sub, false) => Opcode::Sub,
            (Binary::Add, true) => Opcode::FAdd,
            (Binary::Sub, true) => Opcode::FSub,
            (_, false) => Opcode::Mul,
            (_, true) => Opcode::FMul,
        };
        Ok(self.word_op(op, &[a.word(), b.word()], ty))
    }

    /// An instruction whose result is a number of a type.
    pub(super) fn word_op(&mut self, op: Opcode, args: &[Value], ty: Ty) -> Typed {
        let word = self.builder.emit(op, args, ty.prims()[0]);
        let word = match *ty {
            TyKind::Float(bits) => self.round_half(word, bits),
            _ => word,
        };
        Typed::one(ty, word)
    }

    fn complex_arithmetic(
        &mut self,
        op: Binary,
        left: &Typed,
        right: &Typed,
        ty: Ty,
    ) -> Result<Typed> {
        let (a, b) = self.both_as(left, right, ty)?;
        let part = ty.real_type();
        let [ar, ai, br, bi] = [a.words[0], a.words[1], b.words[0], b.words[1]];
        let mut word = |op, x, y| self.word_op(op, &[x, y], part).word();
        let (real, imag) = match op {
            Binary::Add => (word(Opcode::FAdd, ar, br), word(Opcode::FAdd, ai, bi)),
            Binary::Sub => (word(Opcode::FSub, ar, br), word(Opcode::FSub, ai, bi)),
            _ => {
                let (rr, ii) = (word(Opcode::FMul, ar, br), word(Opcode::FMul, ai, bi));
                let (ri, ir) = (word(Opcode::FMul, ar, bi), word(Opcode::FMul, ai, br));
                (word(Opcode::FSub, rr, ii), word(Opcode::FAdd, ri, ir))
            }
        };
        Ok(Typed::new(ty, ValueList::from_slice(&[real, imag])))
    }

    fn divide(&mut self, left: &Typed, right: &Typed) -> Result<Typed> {
        let ty = Self::arithmetic_type(Binary::Div, left, right)?.to_floating();
        let (a, b) = self.both_as(left, right, ty)?;
        self.check_divisor(&b, "division by zero");
        if ty.is_complex() {
            return self.complex_divide(&a, &b, ty);
        }
        Ok(self.word_op(Opcode::FDiv, &[a.word(), b.word()], ty))
    }

    /// Smith's algorithm, as CPython divides: by the larger part of the divisor.
    fn complex_divide(&mut self, a: &Typed, b: &Typed, ty: Ty) -> Result<Typed> {
        let part = ty.real_type();
        let [ar, ai, br, bi] = [a.words[0], a.words[1], b.words[0], b.words[1]];
        let abs_real = self.word_op(Opcode::FAbs, &[br], part).word();
        let abs_imag = self.word_op(Opcode::FAbs, &[bi], part).word();
        let prim = part.prims()[0];
        let by_real = self.builder.emit(Opcode::FCmp(Cond::Ge), &[abs_real, abs_imag], Prim::Bool);
        let large = self.builder.emit(Opcode::Select, &[by_real, br, bi], prim);
        let small = self.builder.emit(Opcode::Select, &[by_real, bi, br], prim);
        let mut word = |op, x: Value, y: Value| self.builder.emit(op, &[x, y], prim);
        let ratio = word(Opcode::FDiv, small, large);
        let scaled = word(Opcode::FMul, small, ratio);
        let denominator = word(Opcode::FAdd, large, scaled);
        let air = word(Opcode::FMul, ai, ratio);
        let arr = word(Opcode::FMul, ar, ratio);
        let real_by_real = word(Opcode::FAdd, ar, air);
        let imag_by_real = word(Opcode::FSub, ai, arr);
        let real_by_imag = word(Opcode::FAdd, arr, ai);
        let imag_by_imag = word(Opcode::FSub, air, ar);
        let real = self.builder.emit(Opcode::Select, &[by_real, real_by_real, real_by_imag], prim);
        let imag = self.builder.emit(Opcode::Select, &[by_real, imag_by_real, imag_by_imag], prim);
        let real = self.builder.emit(Opcode::FDiv, &[real, denominator], prim);
        let imag = self.builder.emit(Opcode::FDiv, &[imag, denominator], prim);
        Ok(Typed::new(ty, ValueList::from_slice(&[real, imag])))
    }

    /// Fails if a divisor is zero.
    fn check_divisor(&mut self, divisor: &Typed, text: &'static str) {
        let gives_infinity = self.options.divides_by_zero && !divisor.ty.is_integral();
        if self.is_elementwise || gives_infinity {
            return;
        }
        let Ok(truth) = self.truth(divisor) else { return };
        self.builder.check(truth, Trap::ZeroDivision(text), &[]);
    }

    fn floor(&mut self, op: Binary, left: &Typed, right: &Typed) -> Result<Typed> {
        let ty = Self::arithmetic_type(op, left, right)?;
        if ty.is_complex() {
            return Err(Error::typing(format!("no {} of complex numbers", op.name())));
        }
        let (a, b) = self.both_as(left, right, ty)?;
        let is_div = op == Binary::FloorDiv;
        let text = match (is_div, ty.is_float()) {
            (_, false) => "integer division or modulo by zero",
            (true, true) => "float floor division by zero",
            (false, true) => "float modulo",
        };
        self.check_divisor(&b, text);
        if self.is_elementwise && !ty.is_float() {
            return self.floor_of_element(is_div, &a, &b, ty);
        }
        let op = match *ty {
            TyKind::Float(_) => math(if is_div { "floordiv" } else { "floormod" }),
            TyKind::Int(Int { is_signed: false, .. }) => {
                if is_div {
                    Opcode::Div(false)
                } else {
                    Opcode::Rem(false)
                }
            }
            _ => {
                if is_div {
                    Opcode::FloorDiv
                } else {
                    Opcode::FloorMod
                }
            }
        };
        Ok(self.word_op(op, &[a.word(), b.word()], ty))
    }

    /// Of whole numbers beside a zero divisor, arrays have zero.
    fn floor_of_element(&mut self, is_div: bool, a: &Typed, b: &Typed, ty: Ty) -> Result<Typed> {
        let (zero, one) = (self.builder.int(0), self.builder.int(1));
        let is_zero = self.builder.emit(Opcode::Cmp(Cond::Eq, true), &[b.word(), zero], Prim::Bool);
        let by = self.builder.emit(Opcode::Select, &[is_zero, one, b.word()], Prim::Int);
        let is_unsigned = matches!(*ty, TyKind::Int(Int { is_signed: false, .. }));
        let op = match (is_div, is_unsigned) {
            (true, true) => Opcode::Div(false),
            (false, true) => Opcode::Rem(false),
            (true, false) => Opcode::FloorDiv,
            (false, false) => Opcode::FloorMod,
        };
        let found = self.builder.emit(op, &[a.word(), by], Prim::Int);
        Ok(Typed::one(ty, self.builder.emit(Opcode::Select, &[is_zero, zero, found], Prim::Int)))
    }

    fn bits(&mut self, op: Binary, left: &Typed, right: &Typed) -> Result<Typed> {
        if !left.ty.is_integral() || !right.ty.is_integral() {
            return Err(Error::typing(format!("no {} of {} and {}", op.name(), left.ty, right.ty)));
        }
        let ty = match (&*left.ty, &*right.ty) {
            (TyKind::Bool, TyKind::Bool) => Ty::bool(),
            (TyKind::Int(a), TyKind::Int(b)) if a.bits == 64 && b.bits == 64 => {
                Ty::int(64, a.is_signed && b.is_signed)
            }
            _ => Self::arithmetic_type(op, left, right)?,
        };
        let (a, b) = self.both_as(left, right, ty)?;
        let op = match op {
            Binary::And => Opcode::And,
            Binary::Or => Opcode::Or,
            _ => Opcode::Xor,
        };
        Ok(self.word_op(op, &[a.word(), b.word()], ty))
    }

    fn shift(&mut self, op: Binary, left: &Typed, right: &Typed) -> Result<Typed> {
        if !left.ty.is_integral() || !right.ty.is_integral() {
            return Err(Error::typing(format!("no {} of {} and {}", op.name(), left.ty, right.ty)));
        }
        let is_signed = !matches!(*left.ty, TyKind::Int(Int { is_signed: false, .. }));
        let ty = Ty::int(64, is_signed);
        let a = self.convert(left, ty)?;
        let b = self.convert(right, Ty::int64())?;
        let op = match (op, is_signed) {
            (Binary::Shl, _) => Opcode::Shl,
            (_, true) => Opcode::Sar,
            (_, false) => Opcode::Shr,
        };
        Ok(self.word_op(op, &[a.word(), b.word()], ty))
    }

    pub(super) fn power(&mut self, left: &Typed, right: &Typed) -> Result<Typed> {
        let known = right.known_int(&self.builder).filter(|_| right.ty.is_integral());
        if let Some(exponent) = known.filter(|it| (0..=MAX_UNROLLED_POWER).contains(it)) {
            return self.unrolled_power(left, exponent);
        }
        if left.ty.is_integral() && right.ty.is_integral() {
            if known.is_some_and(|it| it < 0) {
                let left = self.convert(left, Ty::float64())?;
                return self.power(&left, right);
            }
            return self.integer_power(left, right);
        }
        let ty = Self::arithmetic_type(Binary::Pow, left, right)?;
        if ty.is_complex() {
            return self.complex_power(left, right, ty);
        }
        if known == Some(-1) {
            let one = self.float(1.0);
            return self.divide(&one, left);
        }
        let (a, b) = self.both_as(left, right, ty)?;
        Ok(self.word_op(math("pow"), &[a.word(), b.word()], ty))
    }

    /// A power by repeated squaring; that of whole numbers is one of 64 bits.
    fn unrolled_power(&mut self, base: &Typed, exponent: i64) -> Result<Typed> {
        let ty = Self::arithmetic_type(Binary::Pow, base, base)?;
        let mut square = self.convert(base, ty)?;
        let mut left = exponent;
        let mut result: Option<Typed> = None;
        while left > 0 {
            if left & 1 == 1 {
                result = Some(match &result {
                    None => square.clone(),
                    Some(it) => self.arithmetic(Binary::Mul, it, &square)?,
                });
            }
            left >>= 1;
            if left > 0 {
                square = self.arithmetic(Binary::Mul, &square, &square)?;
            }
        }
        match result {
            Some(result) => Ok(result),
            None => {
                let one = self.int(1);
                self.convert(&one, ty)
            }
        }
    }

    fn integer_power(&mut self, left: &Typed, right: &Typed) -> Result<Typed> {
        let ty = Self::arithmetic_type(Binary::Pow, left, left)?;
        let base = self.convert(left, ty)?;
        let exponent = self.convert(right, Ty::int64())?;
        if matches!(*right.ty, TyKind::Int(Int { is_signed: true, .. })) {
            let zero = self.builder.int(0);
            let fits = self.builder.emit(
                Opcode::Cmp(Cond::Ge, true),
                &[exponent.word(), zero],
                Prim::Bool,
            );
            let text =
                "integers to negative integer powers are not allowed: convert one to a float";
            self.builder.check(fits, Trap::Value(text.into()), &[]);
        }
        Ok(self.word_op(Opcode::Pow, &[base.word(), exponent.word()], ty))
    }

    /// By polar coordinates, as CPython.
    fn complex_power(&mut self, left: &Typed, right: &Typed, ty: Ty) -> Result<Typed> {
        let (a, b) = self.both_as(left, right, ty)?;
        let part = ty.real_type();
        let [ar, ai, br, bi] = [a.words[0], a.words[1], b.words[0], b.words[1]];
        let mut two = |name: &str, x, y| self.word_op(math(name), &[x, y], part).word();
        let modulus = two("hypot", ar, ai);
        let angle = two("atan2", ai, ar);
        let mut length = two("pow", modulus, br);
        let prim = part.prims()[0];
        let mut at = self.builder.emit(Opcode::FMul, &[angle, br], prim);
        let turned = self.builder.emit(Opcode::FMul, &[angle, bi], prim);
        let shrink = self.builder.emit(math("exp"), &[turned], prim);
        length = self.builder.emit(Opcode::FDiv, &[length, shrink], prim);
        let log = self.builder.emit(math("log"), &[modulus], prim);
        let further = self.builder.emit(Opcode::FMul, &[bi, log], prim);
        // An exponent without imaginary part turns by nothing, whatever the logarithm is.
        let zero = self.builder.constant(0, prim);
        let is_real = self.builder.emit(Opcode::FCmp(Cond::Eq), &[bi, zero], Prim::Bool);
        let further = self.builder.emit(Opcode::Select, &[is_real, zero, further], prim);
        at = self.builder.emit(Opcode::FAdd, &[at, further], prim);
        let cos = self.builder.emit(math("cos"), &[at], prim);
        let sin = self.builder.emit(math("sin"), &[at], prim);
        let real = self.builder.emit(Opcode::FMul, &[length, cos], prim);
        let imag = self.builder.emit(Opcode::FMul, &[length, sin], prim);
        Ok(Typed::new(ty, ValueList::from_slice(&[real, imag])))
    }

    pub(super) fn number_unary(&mut self, op: Unary, operand: &Typed) -> Result<Typed> {
        let ty = operand.ty;
        match (op, &*ty) {
            (Unary::Pos, TyKind::Bool) => self.convert(operand, Ty::int64()),
            (Unary::Pos, TyKind::Int(_) | TyKind::Float(_) | TyKind::Complex(_)) => {
                Ok(operand.clone())
            }
            (Unary::Neg, TyKind::Bool) => {
                let number = self.convert(operand, Ty::int64())?;
                self.number_unary(op, &number)
            }
            (Unary::Neg, TyKind::Int(int)) => {
                let zero = self.builder.int(0);
                let word = self.builder.emit(Opcode::Sub, &[zero, operand.word()], Prim::Int);
                Ok(self.wrapped(word, *int))
            }
            (Unary::Neg, TyKind::Float(_)) => Ok(self.word_op(Opcode::FNeg, &[operand.word()], ty)),
            (Unary::Neg, TyKind::Complex(_)) => {
                let part = ty.real_type();
                let real = self.word_op(Opcode::FNeg, &[operand.words[0]], part).word();
                let imag = self.word_op(Opcode::FNeg, &[operand.words[1]], part).word();
                Ok(Typed::new(ty, ValueList::from_slice(&[real, imag])))
            }
            (Unary::Invert, TyKind::Bool) => {
                let one = self.builder.bool(true);
                Ok(self.word_op(Opcode::Xor, &[operand.word(), one], ty))
            }
            (Unary::Invert, TyKind::Int(int)) => {
                let ones = self.builder.int(-1);
                let word = self.builder.emit(Opcode::Xor, &[operand.word(), ones], Prim::Int);
                Ok(self.wrapped(word, *int))
            }
            _ => Err(Error::typing(format!("no {} of {ty}", op.name()))),
        }
    }

    /// A word of 64 bits as a whole number of a type, which wraps.
    pub(super) fn wrapped(&mut self, word: Value, int: Int) -> Typed {
        let ty = Ty::int(int.bits, int.is_signed);
        if int.bits == 64 {
            return Typed::one(ty, word);
        }
        let convert = Opcode::Convert(Convert::Wrap(int.bits, int.is_signed));
        Typed::one(ty, self.builder.emit(convert, &[word], Prim::Int))
    }
}

/// The instruction of a function of real numbers, which the table has.
pub(super) fn math(name: &str) -> Opcode {
    let function = MathFn::named(name);
    Opcode::Math(function.expect("the table has it"))
}

impl Binary {
    /// What messages call it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Binary::Add => "+",
            Binary::Sub => "-",
            Binary::Mul => "*",
            Binary::Div => "/",
            Binary::FloorDiv => "//",
            Binary::Mod => "%",
            Binary::Pow => "**",
            Binary::MatMul => "@",
            Binary::And => "&",
            Binary::Or => "|",
            Binary::Xor => "^",
            Binary::Shl => "<<",
            Binary::Shr => ">>",
        }
    }
}

impl Unary {
    fn name(self) -> &'static str {
        match self {
            Unary::Neg => "-",
            Unary::Pos => "+",
            Unary::Invert => "~",
            Unary::Not => "not",
        }
    }
}
