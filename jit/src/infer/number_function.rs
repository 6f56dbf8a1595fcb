//! Functions of numbers that are instructions, or few of them, by the names that `math` and numpy have.

use super::bind::{Args, short};
use super::state::Infer;
use super::value::Typed;
use crate::ast::{Binary, Unary};
use crate::error::{Error, Result};
use crate::ir::{Cond, MathFn, Opcode};
use crate::types::{Prim, Ty, TyKind};

impl Infer<'_> {
    /// Functions of `math` and numpy over numbers.
    pub(super) fn number_builtin(&mut self, name: &str, args: Args) -> Result<Typed> {
        let is_array = args.positional.iter().any(|it| it.ty.is_array());
        let is_tuple = args.positional.iter().any(|it| it.ty.items().is_some());
        if is_array || is_tuple || !is_number_function(name) {
            return self.array_builtin(name, args);
        }
        let mut values = Vec::with_capacity(args.positional.len());
        for value in &args.positional {
            let value = self.unwrap(value)?;
            if !value.ty.is_number() {
                return Err(Error::typing(format!(
                    "{}() takes numbers, not {}",
                    short(name),
                    value.ty
                )));
            }
            values.push(value);
        }
        if let Some((keyword, _)) = args.keywords.first() {
            return Err(Error::typing(format!(
                "{}() got an unexpected keyword argument '{keyword}'",
                short(name)
            )));
        }
        match values.as_slice() {
            [value] => self.function_of_one(name, value),
            [left, right] => self.function_of_two(name, left, right),
            _ => Err(Error::typing(format!(
                "{}() does not take {} numbers",
                short(name),
                values.len()
            ))),
        }
    }

    pub(super) fn function_of_one(&mut self, name: &str, value: &Typed) -> Result<Typed> {
        let function = short(name);
        let is_math = name.starts_with("math.");
        if value.ty.is_complex() {
            return self.function_of_complex(name, value);
        }
        match function {
            "isnan" | "isinf" | "isfinite" | "signbit" => return self.classify(function, value),
            "fabs" => {
                let wide = self.convert(value, value.ty.to_floating())?;
                return self.abs(&wide);
            }
            "absolute" | "abs" => return self.abs(value),
            "negative" => return self.number_unary(Unary::Neg, value),
            "positive" => return self.number_unary(Unary::Pos, value),
            "square" => return self.binary(Binary::Mul, value, value),
            "reciprocal" => {
                let one = self.int(1);
                return self.binary(Binary::Div, &one, value);
            }
            "sign" => return self.sign(value),
            "conjugate" | "conj" | "real" => return Ok(value.clone()),
            "imag" => {
                let zero = self.int(0);
                return self.convert(&zero, value.ty);
            }
            "logical_not" => {
                let truth = self.truth(value)?;
                let one = self.builder.bool(true);
                return Ok(Typed::one(
                    Ty::bool(),
                    self.builder.emit(Opcode::Xor, &[truth, one], Prim::Bool),
                ));
            }
            _ => {}
        }
        if let Some(op) = rounding(function) {
            if value.ty.is_integral() {
                return if is_math { self.convert(value, Ty::int64()) } else { Ok(value.clone()) };
            }
            let rounded = self.word_op(op, &[value.word()], value.ty);
            return if is_math { self.convert(&rounded, Ty::int64()) } else { Ok(rounded) };
        }
        let ty = value.ty.to_floating();
        let value = self.convert(value, ty)?;
        match function {
            "sqrt" => return Ok(self.word_op(Opcode::FSqrt, &[value.word()], ty)),
            "degrees" | "rad2deg" => return self.scaled(&value, 180.0 / std::f64::consts::PI),
            "radians" | "deg2rad" => return self.scaled(&value, std::f64::consts::PI / 180.0),
            _ => {}
        }
        let function = MathFn::named(array_name(function))
            .ok_or_else(|| Error::typing(format!("no function {name} of one number")))?;
        Ok(self.word_op(Opcode::Math(function), &[value.word()], ty))
    }

    fn scaled(&mut self, value: &Typed, by: f64) -> Result<Typed> {
        let by = self.float(by);
        let by = self.convert(&by, value.ty)?;
        self.number_binary(Binary::Mul, value, &by)
    }

    fn sign(&mut self, value: &Typed) -> Result<Typed> {
        let zero = self.int(0);
        let zero = self.convert(&zero, value.ty)?;
        let one = self.int(1);
        let one = self.convert(&one, value.ty)?;
        let minus = if *value.ty == TyKind::Bool {
            one.clone()
        } else {
            self.number_unary(Unary::Neg, &one)?
        };
        let is_more = self.compare_numbers(Cond::Gt, value, &zero)?;
        let is_less = self.compare_numbers(Cond::Lt, value, &zero)?;
        let prim = value.ty.prims()[0];
        // What is no number stays what it is, and so does zero; rounded, it has no slope.
        let rest = match prim {
            Prim::F32 | Prim::F64 => self.builder.emit(Opcode::FTrunc, &[value.word()], prim),
            _ => value.word(),
        };
        let low = self.builder.emit(Opcode::Select, &[is_less, minus.word(), rest], prim);
        Ok(Typed::one(
            value.ty,
            self.builder.emit(Opcode::Select, &[is_more, one.word(), low], prim),
        ))
    }

    fn classify(&mut self, function: &str, value: &Typed) -> Result<Typed> {
        if value.ty.is_integral() {
            if function == "signbit" {
                let zero = self.int(0);
                let word = self.compare_numbers(Cond::Lt, value, &zero)?;
                return Ok(Typed::one(Ty::bool(), word));
            }
            return Ok(self.bool(function == "isfinite"));
        }
        let wide = self.convert(value, Ty::float64())?.word();
        let word = match function {
            "isnan" => self.builder.emit(Opcode::FCmp(Cond::Ne), &[wide, wide], Prim::Bool),
            "signbit" => {
                let bits = self.builder.emit(
                    Opcode::Convert(crate::ir::Convert::Bits),
                    &[wide],
                    Prim::Int,
                );
                let zero = self.builder.int(0);
                self.builder.emit(Opcode::Cmp(Cond::Lt, true), &[bits, zero], Prim::Bool)
            }
            _ => {
                let size = self.builder.emit(Opcode::FAbs, &[wide], Prim::F64);
                let infinity = self.float(f64::INFINITY).word();
                let cond = if function == "isinf" { Cond::Eq } else { Cond::Lt };
                self.builder.emit(Opcode::FCmp(cond), &[size, infinity], Prim::Bool)
            }
        };
        Ok(Typed::one(Ty::bool(), word))
    }

    pub(super) fn function_of_two(
        &mut self,
        name: &str,
        left: &Typed,
        right: &Typed,
    ) -> Result<Typed> {
        let function = short(name);
        if let Some(op) = binary_function(function, name.starts_with("math.")) {
            return self.binary(op, left, right);
        }
        match function {
            "gcd" | "lcm" => return self.gcd(function, left, right),
            "maximum" | "minimum" | "fmax" | "fmin" => return self.extremum(function, left, right),
            "logical_and" | "logical_or" | "logical_xor" => {
                let (a, b) = (self.truth(left)?, self.truth(right)?);
                let op = match function {
                    "logical_and" => Opcode::And,
                    "logical_or" => Opcode::Or,
                    _ => Opcode::Xor,
                };
                return Ok(Typed::one(Ty::bool(), self.builder.emit(op, &[a, b], Prim::Bool)));
            }
            "log" => {
                let (a, b) =
                    (self.function_of_one(name, left)?, self.function_of_one(name, right)?);
                return self.binary(Binary::Div, &a, &b);
            }
            "ldexp" => {
                let two = self.float(2.0);
                let scale = self.power(&two, right)?;
                return self.binary(Binary::Mul, left, &scale);
            }
            _ => {}
        }
        let ty = Ty::arithmetic(left.ty, right.ty)
            .map(Ty::to_floating)
            .filter(|it| !it.is_complex())
            .ok_or_else(|| Error::typing(format!("no {name} of {} and {}", left.ty, right.ty)))?;
        let function = MathFn::named(array_name(function))
            .ok_or_else(|| Error::typing(format!("no function {name} of two numbers")))?;
        let (a, b) = (self.convert(left, ty)?, self.convert(right, ty)?);
        Ok(self.word_op(Opcode::Math(function), &[a.word(), b.word()], ty))
    }

    /// The greater or lesser; what is no number wins, or loses in `fmax` and `fmin`.
    fn extremum(&mut self, function: &str, left: &Typed, right: &Typed) -> Result<Typed> {
        let ty =
            Ty::smallest(left.ty, right.ty).filter(|it| !it.is_complex()).ok_or_else(|| {
                Error::typing(format!("no {function} of {} and {}", left.ty, right.ty))
            })?;
        let (a, b) = (self.convert(left, ty)?, self.convert(right, ty)?);
        let is_max = matches!(function, "maximum" | "fmax");
        let prim = ty.prims()[0];
        let cond = if is_max { Cond::Ge } else { Cond::Le };
        let mut takes_left = self.compare_numbers(cond, &a, &b)?;
        if ty.is_float() {
            let nan_wins = matches!(function, "maximum" | "minimum");
            let looked = if nan_wins { a.word() } else { b.word() };
            let is_nan = self.builder.emit(Opcode::FCmp(Cond::Ne), &[looked, looked], Prim::Bool);
            takes_left = self.builder.emit(Opcode::Or, &[takes_left, is_nan], Prim::Bool);
        }
        Ok(Typed::one(
            ty,
            self.builder.emit(Opcode::Select, &[takes_left, a.word(), b.word()], prim),
        ))
    }

    fn gcd(&mut self, function: &str, left: &Typed, right: &Typed) -> Result<Typed> {
        if !left.ty.is_integral() || !right.ty.is_integral() {
            return Err(Error::typing(format!("{function}() takes integers")));
        }
        let (a, b) = (self.convert(left, Ty::int64())?, self.convert(right, Ty::int64())?);
        let divisor = self.word_op(Opcode::Gcd, &[a.word(), b.word()], Ty::int64());
        if function == "gcd" {
            return Ok(divisor);
        }
        let zero = self.builder.int(0);
        let one = self.builder.int(1);
        let is_zero =
            self.builder.emit(Opcode::Cmp(Cond::Eq, true), &[divisor.word(), zero], Prim::Bool);
        let by = self.builder.emit(Opcode::Select, &[is_zero, one, divisor.word()], Prim::Int);
        let part = self.builder.emit(Opcode::Div(true), &[a.word(), by], Prim::Int);
        let product = self.word_op(Opcode::Mul, &[part, b.word()], Ty::int64());
        self.abs(&product)
    }
}

/// Numpy's names of functions that `math` calls otherwise.
fn array_name(name: &str) -> &str {
    match name {
        "arcsin" => "asin",
        "arccos" => "acos",
        "arctan" => "atan",
        "arcsinh" => "asinh",
        "arccosh" => "acosh",
        "arctanh" => "atanh",
        "arctan2" => "atan2",
        other => other,
    }
}

fn rounding(name: &str) -> Option<Opcode> {
    Some(match name {
        "floor" => Opcode::FFloor,
        "ceil" => Opcode::FCeil,
        "trunc" | "fix" => Opcode::FTrunc,
        "rint" => Opcode::FRint,
        _ => return None,
    })
}

fn binary_function(name: &str, is_math: bool) -> Option<Binary> {
    Some(match name {
        "add" => Binary::Add,
        "subtract" => Binary::Sub,
        "multiply" => Binary::Mul,
        "divide" | "true_divide" => Binary::Div,
        "floor_divide" => Binary::FloorDiv,
        "mod" | "remainder" if !is_math => Binary::Mod,
        "power" => Binary::Pow,
        "bitwise_and" => Binary::And,
        "bitwise_or" => Binary::Or,
        "bitwise_xor" => Binary::Xor,
        "left_shift" => Binary::Shl,
        "right_shift" => Binary::Shr,
        _ => return None,
    })
}

pub(super) fn is_number_function(name: &str) -> bool {
    const KNOWN: &[&str] = &[
        "isnan",
        "isinf",
        "isfinite",
        "signbit",
        "fabs",
        "absolute",
        "abs",
        "negative",
        "positive",
        "square",
        "reciprocal",
        "sign",
        "conjugate",
        "conj",
        "real",
        "imag",
        "logical_not",
        "sqrt",
        "degrees",
        "rad2deg",
        "radians",
        "deg2rad",
        "gcd",
        "lcm",
        "maximum",
        "minimum",
        "fmax",
        "fmin",
        "logical_and",
        "logical_or",
        "logical_xor",
        "ldexp",
        "floor",
        "ceil",
        "trunc",
        "fix",
        "rint",
        "phase",
    ];
    let function = short(name);
    KNOWN.contains(&function)
        || MathFn::named(array_name(function)).is_some()
        || binary_function(function, false).is_some()
}
