//! Derivatives of instructions.

use std::f64::consts::{LN_2, LN_10, PI};

use crate::ir::{Builder, Cond, Convert, MathFn, Opcode, Value};
use crate::types::Prim;

/// Whether the result of an instruction changes with an operand, where it has a derivative.
///
/// Comparisons and what rounds are constant wherever they have one.
pub(super) fn depends(op: Opcode, at: usize) -> bool {
    match op {
        Opcode::FAdd
        | Opcode::FSub
        | Opcode::FMul
        | Opcode::FMulAdd
        | Opcode::FDiv
        | Opcode::FNeg
        | Opcode::FAbs
        | Opcode::FSqrt => true,
        Opcode::Select => at > 0,
        Opcode::Convert(Convert::Demote | Convert::Promote | Convert::ToF16) => true,
        Opcode::Math(function) => match function.name() {
            "round_to" | "floordiv" => false,
            "copysign" | "nextafter" => at == 0,
            "polygamma" => at == 1,
            _ => true,
        },
        Opcode::Convert(
            Convert::Wrap(..)
            | Convert::ToF64(_)
            | Convert::ToF32(_)
            | Convert::FromF64(_)
            | Convert::Bits,
        )
        | Opcode::FFloor
        | Opcode::FCeil
        | Opcode::FTrunc
        | Opcode::FRint
        | Opcode::FCmp(_)
        | Opcode::Add
        | Opcode::Sub
        | Opcode::Mul
        | Opcode::Div(_)
        | Opcode::Rem(_)
        | Opcode::FloorDiv
        | Opcode::FloorMod
        | Opcode::Pow
        | Opcode::Gcd
        | Opcode::And
        | Opcode::Or
        | Opcode::Xor
        | Opcode::Shl
        | Opcode::Sar
        | Opcode::Shr
        | Opcode::Cmp(..)
        | Opcode::Load(_)
        | Opcode::Store(_)
        | Opcode::Offset
        | Opcode::Check(_)
        | Opcode::CheckIndex(_)
        | Opcode::Call(..)
        | Opcode::Retain
        | Opcode::Release
        | Opcode::Poll(_) => false,
    }
}

/// The derivative of one instruction, as it is written.
pub(super) struct DerivativeRule<'b> {
    builder: &'b mut Builder,
    /// The result of the instruction.
    result: Value,
    prim: Prim,
}

impl<'b> DerivativeRule<'b> {
    pub(super) fn new(builder: &'b mut Builder, result: Value) -> DerivativeRule<'b> {
        let prim = builder.function.prim(result);
        DerivativeRule { builder, result, prim }
    }

    /// The tangent of the result, of operands some of which have tangents.
    pub(super) fn tangent(
        &mut self,
        op: Opcode,
        args: &[Value],
        tangents: &[Option<Value>],
    ) -> Value {
        match (op, tangents) {
            (Opcode::Select, [_, a, b]) => {
                let zero = self.number(0.0);
                let (a, b) = (a.unwrap_or(zero), b.unwrap_or(zero));
                self.builder.emit(Opcode::Select, &[args[0], a, b], self.prim)
            }
            (Opcode::Convert(Convert::ToF16), [Some(tangent)]) => *tangent,
            (Opcode::Convert(_) | Opcode::FNeg, [Some(tangent)]) => {
                self.builder.emit(op, &[*tangent], self.prim)
            }
            (Opcode::FSub, [None, Some(b)]) => self.one(Opcode::FNeg, *b),
            (Opcode::FAdd | Opcode::FSub, [Some(a), Some(b)]) => self.two(op, *a, *b),
            (Opcode::FAdd | Opcode::FSub, [Some(only), None] | [None, Some(only)]) => *only,
            (Opcode::FDiv, [Some(a), None]) => self.two(Opcode::FDiv, *a, args[1]),
            (Opcode::FDiv, [a, Some(b)]) => {
                let scaled = self.two(Opcode::FMul, self.result, *b);
                let change = match a {
                    Some(a) => self.two(Opcode::FSub, *a, scaled),
                    None => self.one(Opcode::FNeg, scaled),
                };
                self.two(Opcode::FDiv, change, args[1])
            }
            _ => self.chain(op, args, tangents),
        }
    }

    /// The sum of tangents, each times how much the result changes with its operand.
    fn chain(&mut self, op: Opcode, args: &[Value], tangents: &[Option<Value>]) -> Value {
        let mut sum = None;
        for (at, tangent) in tangents.iter().enumerate() {
            let Some(tangent) = tangent.filter(|_| depends(op, at)) else { continue };
            let slope = self.slope(op, args, at);
            let term = self.two(Opcode::FMul, tangent, slope);
            sum = Some(match sum {
                Some(sum) => self.two(Opcode::FAdd, sum, term),
                None => term,
            });
        }
        sum.unwrap_or_else(|| self.number(0.0))
    }

    /// How much the result changes with an operand.
    fn slope(&mut self, op: Opcode, args: &[Value], at: usize) -> Value {
        let x = args[0];
        match op {
            Opcode::FMul => args[1 - at],
            Opcode::FMulAdd if at < 2 => args[1 - at],
            Opcode::FMulAdd => self.number(1.0),
            Opcode::FAbs => self.sign(x),
            Opcode::FSqrt => {
                let half = self.number(0.5);
                self.two(Opcode::FDiv, half, self.result)
            }
            Opcode::Math(function) if function.arity() == 2 => {
                self.slope_of_two(function.name(), [x, args[1]], at)
            }
            Opcode::Math(function) => self.slope_of_one(function.name(), x),
            _ => self.number(1.0),
        }
    }

    fn slope_of_one(&mut self, name: &str, x: Value) -> Value {
        let r = self.result;
        match name {
            "exp" => r,
            "exp2" => self.scaled(r, LN_2),
            "expm1" => self.plus(r, 1.0),
            "log" => self.over(1.0, x),
            "log2" => self.over(LN_2.recip(), x),
            "log10" => self.over(LN_10.recip(), x),
            "log1p" => {
                let by = self.plus(x, 1.0);
                self.over(1.0, by)
            }
            "sin" => self.math("cos", &[x]),
            "cos" => {
                let sin = self.math("sin", &[x]);
                self.one(Opcode::FNeg, sin)
            }
            "tan" => {
                let square = self.two(Opcode::FMul, r, r);
                self.plus(square, 1.0)
            }
            "asin" | "acos" => {
                let square = self.one_minus_square(x);
                let by = self.one(Opcode::FSqrt, square);
                self.over(if name == "asin" { 1.0 } else { -1.0 }, by)
            }
            "atan" => {
                let square = self.two(Opcode::FMul, x, x);
                let by = self.plus(square, 1.0);
                self.over(1.0, by)
            }
            "sinh" => self.math("cosh", &[x]),
            "cosh" => self.math("sinh", &[x]),
            "tanh" => self.one_minus_square(r),
            "asinh" => {
                let one = self.number(1.0);
                let by = self.math("hypot", &[x, one]);
                self.over(1.0, by)
            }
            "acosh" => {
                let (less, more) = (self.plus(x, -1.0), self.plus(x, 1.0));
                let (less, more) = (self.one(Opcode::FSqrt, less), self.one(Opcode::FSqrt, more));
                let by = self.two(Opcode::FMul, less, more);
                self.over(1.0, by)
            }
            "atanh" => {
                let by = self.one_minus_square(x);
                self.over(1.0, by)
            }
            "cbrt" => {
                let square = self.two(Opcode::FMul, r, r);
                self.over(3.0_f64.recip(), square)
            }
            "erf" => self.bell(x, 2.0),
            "erfc" => self.bell(x, -2.0),
            "gamma" => {
                let digamma = self.math("digamma", &[x]);
                self.two(Opcode::FMul, r, digamma)
            }
            "lgamma" => self.math("digamma", &[x]),
            "digamma" => {
                let order = self.number(1.0);
                self.math("polygamma", &[order, x])
            }
            _ => self.unknown(),
        }
    }

    fn slope_of_two(&mut self, name: &str, [x, y]: [Value; 2], at: usize) -> Value {
        let r = self.result;
        match (name, at) {
            ("pow", 0) => {
                let less = self.plus(y, -1.0);
                let power = self.math("pow", &[x, less]);
                let slope = self.two(Opcode::FMul, y, power);
                let (is_zero, zero) = (self.compared(Cond::Eq, y, 0.0), self.number(0.0));
                self.builder.emit(Opcode::Select, &[is_zero, zero, slope], self.prim)
            }
            ("pow", _) => {
                let log = self.math("log", &[x]);
                let slope = self.two(Opcode::FMul, r, log);
                // Zero stays zero, whatever its exponent is.
                let base = self.compared(Cond::Eq, x, 0.0);
                let exponent = self.compared(Cond::Ge, y, 0.0);
                let is_zero = self.builder.emit(Opcode::And, &[base, exponent], Prim::Bool);
                let zero = self.number(0.0);
                self.builder.emit(Opcode::Select, &[is_zero, zero, slope], self.prim)
            }
            ("atan2", _) => {
                let (xx, yy) = (self.two(Opcode::FMul, x, x), self.two(Opcode::FMul, y, y));
                let by = self.two(Opcode::FAdd, xx, yy);
                let rise = if at == 0 { y } else { self.one(Opcode::FNeg, x) };
                self.two(Opcode::FDiv, rise, by)
            }
            ("hypot", _) => self.two(Opcode::FDiv, [x, y][at], r),
            ("fmod" | "remainder" | "floormod" | "nextafter", 0) => self.number(1.0),
            ("fmod", _) => self.minus_rounded(Opcode::FTrunc, x, y),
            // The multiple that was taken off is whole.
            ("remainder" | "floormod", _) => {
                let taken = self.two(Opcode::FSub, x, r);
                let count = self.two(Opcode::FDiv, taken, y);
                let whole = self.one(Opcode::FRint, count);
                self.one(Opcode::FNeg, whole)
            }
            ("copysign", _) => {
                let one = self.number(1.0);
                let (own, other) =
                    (self.math("copysign", &[one, x]), self.math("copysign", &[one, y]));
                self.two(Opcode::FMul, own, other)
            }
            ("polygamma", _) => {
                let next = self.plus(x, 1.0);
                self.math("polygamma", &[next, y])
            }
            _ => self.unknown(),
        }
    }

    /// What shows that a row has no rule: tests go through all of them.
    fn unknown(&mut self) -> Value {
        debug_assert!(false, "a function has no derivative");
        self.number(f64::NAN)
    }

    fn number(&mut self, number: f64) -> Value {
        let bits = match self.prim {
            Prim::F32 => u64::from((number as f32).to_bits()),
            _ => number.to_bits(),
        };
        self.builder.constant(bits, self.prim)
    }

    fn one(&mut self, op: Opcode, x: Value) -> Value {
        self.builder.emit(op, &[x], self.prim)
    }

    fn two(&mut self, op: Opcode, x: Value, y: Value) -> Value {
        self.builder.emit(op, &[x, y], self.prim)
    }

    fn math(&mut self, name: &str, args: &[Value]) -> Value {
        match MathFn::named(name) {
            Some(function) => self.builder.emit(Opcode::Math(function), args, self.prim),
            None => self.unknown(),
        }
    }

    fn compared(&mut self, cond: Cond, x: Value, number: f64) -> Value {
        let number = self.number(number);
        self.builder.emit(Opcode::FCmp(cond), &[x, number], Prim::Bool)
    }

    fn plus(&mut self, x: Value, number: f64) -> Value {
        let number = self.number(number);
        self.two(Opcode::FAdd, x, number)
    }

    fn scaled(&mut self, x: Value, number: f64) -> Value {
        let number = self.number(number);
        self.two(Opcode::FMul, x, number)
    }

    fn over(&mut self, number: f64, x: Value) -> Value {
        let number = self.number(number);
        self.two(Opcode::FDiv, number, x)
    }

    /// 1 - x², as a product, which is exact where it is small.
    fn one_minus_square(&mut self, x: Value) -> Value {
        let one = self.number(1.0);
        let (less, more) = (self.two(Opcode::FSub, one, x), self.two(Opcode::FAdd, one, x));
        self.two(Opcode::FMul, less, more)
    }

    /// A number times exp(-x²) / √π.
    fn bell(&mut self, x: Value, number: f64) -> Value {
        let square = self.two(Opcode::FMul, x, x);
        let exponent = self.one(Opcode::FNeg, square);
        let exp = self.math("exp", &[exponent]);
        self.scaled(exp, number / PI.sqrt())
    }

    /// 1, -1, or what is neither: zero, and no number.
    fn sign(&mut self, x: Value) -> Value {
        let (one, minus) = (self.number(1.0), self.number(-1.0));
        let is_less = self.compared(Cond::Lt, x, 0.0);
        let is_more = self.compared(Cond::Gt, x, 0.0);
        let low = self.builder.emit(Opcode::Select, &[is_less, minus, x], self.prim);
        self.builder.emit(Opcode::Select, &[is_more, one, low], self.prim)
    }

    fn minus_rounded(&mut self, rounding: Opcode, x: Value, y: Value) -> Value {
        let quotient = self.two(Opcode::FDiv, x, y);
        let whole = self.one(rounding, quotient);
        self.one(Opcode::FNeg, whole)
    }
}
