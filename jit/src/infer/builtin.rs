//! Functions that the compiler knows: conversions, functions of numbers, and what loops run over.

use super::bind::Args;
use super::number::math;
use super::{Infer, Typed};
use crate::ast::{Binary, Compare, Unary};
use crate::error::{Error, Result};
use crate::ir::{Cond, Failure, MathFn, Op, Values};
use crate::types::{Iter, Kind, Prim, Ty};

impl Infer<'_> {
    /// A call of what the host knows under a name of ours: `module.function`.
    pub(super) fn builtin(&mut self, name: &str, args: Args) -> Result<Typed> {
        if let Some((_, op)) = OPERATORS.iter().find(|(it, _)| *it == name) {
            let [left, right] = args.two(name)?;
            return self.binary(*op, &left, &right);
        }
        if let Some((_, compare)) = COMPARISONS.iter().find(|(it, _)| *it == name) {
            let [left, right] = args.two(name)?;
            return self.compare(*compare, &left, &right);
        }
        if let Some(what) = name.strip_prefix("draw.") {
            return self.draw(what, args);
        }
        match name {
            "neg" | "pos" | "invert" | "numpy.invert" => {
                let [value] = args.one(name)?;
                let op = match name {
                    "neg" => Unary::Neg,
                    "pos" => Unary::Pos,
                    _ => Unary::Invert,
                };
                self.unary(op, &value)
            }
            "abs" | "min" | "max" | "sum" | "round" | "len" | "bool" | "int" | "float"
            | "complex" => self.python_builtin(name, args),
            "range" => self.range(args),
            "enumerate" => {
                let [items, start] = args.named(name, ["iterable", "start"], 1)?;
                let start = match start {
                    Some(start) => self.convert(&start, Ty::int64())?,
                    None => self.int(0),
                };
                Ok(iter(Iter::Enumerate, &[items.unwrap_or_else(Typed::none), start]))
            }
            "zip" => Ok(iter(Iter::Zip, &args.positional)),
            "reversed" => {
                let [items] = args.one(name)?;
                self.reversed(&items)
            }
            "isinstance" => {
                let [value, class] = args.two(name)?;
                self.is_instance(&value, &class)
            }
            "ndindex" => self.ndindex(&args),
            "ndenumerate" => {
                let [array] = args.one(name)?;
                if array.ty.as_array().is_none() {
                    return Err(Error::typing(format!(
                        "ndenumerate() takes an array, not {}",
                        array.ty
                    )));
                }
                Ok(iter(Iter::NdEnumerate, &[array]))
            }
            _ => self.number_builtin(name, args),
        }
    }

    fn python_builtin(&mut self, name: &str, args: Args) -> Result<Typed> {
        match name {
            "abs" => {
                let [value] = args.one(name)?;
                self.abs(&value)
            }
            "min" | "max" => self.extreme(name == "max", args),
            "sum" => {
                let [items, start] = args.named(name, ["iterable", "start"], 1)?;
                self.sum(&items.unwrap_or_else(Typed::none), start)
            }
            "round" => {
                let [value, digits] = args.named(name, ["number", "ndigits"], 1)?;
                self.round(&value.unwrap_or_else(Typed::none), digits)
            }
            "len" => {
                let [value] = args.one(name)?;
                self.len(&value)
            }
            "bool" => {
                let Some(value) = args.optional(name)? else { return Ok(self.bool(false)) };
                let word = self.truth(&value)?;
                Ok(Typed::one(Ty::bool(), word))
            }
            "int" | "float" => {
                let ty = if name == "int" { Ty::int64() } else { Ty::float64() };
                let Some(value) = args.optional(name)? else {
                    let zero = self.int(0);
                    return self.convert(&zero, ty);
                };
                let value = self.unwrap(&value)?;
                if !value.ty.is_number() {
                    return Err(Error::typing(format!(
                        "{name}() takes a number, not {}",
                        value.ty
                    )));
                }
                let ty = if name == "int" && value.ty == Ty::uint64() { value.ty } else { ty };
                self.convert(&value, ty)
            }
            _ => self.complex(args),
        }
    }

    /// `np.float32(x)` and the like.
    pub(super) fn convert_call(&mut self, ty: Ty, args: Args) -> Result<Typed> {
        let Some(value) = args.optional(&ty.to_string())? else {
            let zero = self.int(0);
            return self.convert(&zero, ty);
        };
        let value = self.unwrap(&value)?;
        if !value.ty.is_number() {
            return Err(Error::typing(format!("{ty}() takes a number, not {}", value.ty)));
        }
        self.convert(&value, ty)
    }

    fn complex(&mut self, args: Args) -> Result<Typed> {
        let [real, imag] = args.named("complex", ["real", "imag"], 0)?;
        let Some(real) = real else { return self.literal_complex() };
        let Some(imag) = imag else {
            let ty = if real.ty.is_complex() { real.ty } else { Ty::complex128() };
            return self.convert(&real, ty);
        };
        let part = Ty::float64();
        let (real, imag) = (self.convert(&real, part)?, self.convert(&imag, part)?);
        Ok(Typed::new(Ty::complex128(), Values::from_slice(&[real.word(), imag.word()])))
    }

    fn literal_complex(&mut self) -> Result<Typed> {
        let zero = self.int(0);
        self.convert(&zero, Ty::complex128())
    }

    pub(super) fn abs(&mut self, value: &Typed) -> Result<Typed> {
        if value.ty.is_array() {
            return self.array_function("numpy.absolute", std::slice::from_ref(value));
        }
        let ty = value.ty;
        match &*ty {
            Kind::Bool => self.convert(value, Ty::int64()),
            Kind::Int(int) if !int.is_signed => Ok(value.clone()),
            Kind::Int(_) => {
                let negated = self.number_unary(Unary::Neg, value)?;
                let zero = self.builder.int(0);
                let is_negative =
                    self.builder.emit(Op::Cmp(Cond::Lt, true), &[value.word(), zero], Prim::Bool);
                let args = [is_negative, negated.word(), value.word()];
                Ok(Typed::one(ty, self.builder.emit(Op::Select, &args, Prim::Int)))
            }
            Kind::Float(_) => Ok(self.word_op(Op::FAbs, &[value.word()], ty)),
            Kind::Complex(_) => {
                Ok(self.word_op(math("hypot"), &value.words.clone(), ty.real_type()))
            }
            _ => Err(Error::typing(format!("no abs of {ty}"))),
        }
    }

    fn extreme(&mut self, is_max: bool, args: Args) -> Result<Typed> {
        let name = if is_max { "max" } else { "min" };
        if let Some((keyword, _)) = args.keywords.first() {
            return Err(Error::unsupported(format!("{name}() without the keyword {keyword}")));
        }
        let items = match args.positional.as_slice() {
            [] => return Err(Error::typing(format!("{name} expected at least 1 argument, got 0"))),
            [one] => match one.items() {
                Some(items) if items.is_empty() => {
                    self.builder.check_never(Failure::Value(
                        format!("{name}() arg is an empty sequence").into(),
                    ));
                    return Ok(Typed::none());
                }
                Some(items) => items,
                None => return self.array_method(one, name, Args::default()),
            },
            _ => args.positional,
        };
        let mut common: Option<Ty> = None;
        for item in &items {
            if !item.ty.is_number() || item.ty.is_complex() {
                return Err(Error::typing(format!(
                    "{name}() compares real numbers, not {}",
                    item.ty
                )));
            }
            common = match common {
                None => Some(item.ty),
                Some(ty) => self.unify(ty, item.ty),
            };
        }
        let ty = common.ok_or_else(|| Error::typing(format!("{name}() of nothing")))?;
        let mut items = items.into_iter();
        let first = items.next().unwrap_or_else(Typed::none);
        let mut best = self.convert(&first, ty)?;
        for item in items {
            let item = self.convert(&item, ty)?;
            // The first of equal ones stays, as in Python.
            let cond = if is_max { Cond::Gt } else { Cond::Lt };
            let is_better = self.compare_numbers(cond, &item, &best)?;
            let prim = ty.prims()[0];
            let word = self.builder.emit(Op::Select, &[is_better, item.word(), best.word()], prim);
            best = Typed::one(ty, word);
        }
        Ok(best)
    }

    fn sum(&mut self, items: &Typed, start: Option<Typed>) -> Result<Typed> {
        let Some(list) = items.items() else {
            let sum = self.array_method(items, "sum", Args::default())?;
            return match start {
                Some(start) => self.binary(Binary::Add, &start, &sum),
                None => Ok(sum),
            };
        };
        let mut sum = match start {
            Some(start) => start,
            None => self.int(0),
        };
        for item in &list {
            sum = self.binary(Binary::Add, &sum, item)?;
        }
        Ok(sum)
    }

    fn round(&mut self, value: &Typed, digits: Option<Typed>) -> Result<Typed> {
        let value = self.unwrap(value)?;
        let digits = digits.filter(|it| *it.ty != Kind::None);
        if value.ty.is_integral() && digits.is_none() {
            return self.convert(&value, Ty::int64());
        }
        if !value.ty.is_float() {
            if let (true, Some(digits)) = (value.ty.is_integral(), &digits) {
                return self.round_integer(&value, digits);
            }
            return Err(Error::typing(format!("no round of {}", value.ty)));
        }
        match digits {
            None => {
                let rounded = self.word_op(Op::FRint, &[value.word()], value.ty);
                self.convert(&rounded, Ty::int64())
            }
            Some(digits) => {
                let wide = self.convert(&value, Ty::float64())?;
                let digits = self.convert(&digits, Ty::int64())?;
                let digits = self.convert(&digits, Ty::float64())?;
                let rounded =
                    self.word_op(math("round_to"), &[wide.word(), digits.word()], Ty::float64());
                self.convert(&rounded, value.ty)
            }
        }
    }

    /// Only digits in front of the point change a whole number.
    fn round_integer(&mut self, value: &Typed, digits: &Typed) -> Result<Typed> {
        let value = self.convert(value, Ty::int64())?;
        if digits.known_int(&self.builder).is_some_and(|it| it >= 0) {
            return Ok(value);
        }
        self.call_library("round_integer", vec![value, digits.clone()])
    }

    /// What overloads of the host's library do not have.
    fn len(&mut self, value: &Typed) -> Result<Typed> {
        let value = &self.unwrap(value)?;
        match &*value.ty {
            Kind::Flat(_) => {
                let size = self.flat_size(value);
                Ok(Typed::one(Ty::int64(), size))
            }
            Kind::Range => {
                let length = super::iterate::range_length(
                    self,
                    value.words[0],
                    value.words[1],
                    value.words[2],
                );
                Ok(Typed::one(Ty::int64(), length))
            }
            Kind::Text(text) => {
                Ok(self.int(i64::try_from(text.chars().count()).unwrap_or(i64::MAX)))
            }
            _ => Err(Error::typing(format!("{} has no len()", value.ty))),
        }
    }

    fn range(&mut self, args: Args) -> Result<Typed> {
        let [first, second, third] = args.named("range", ["start", "stop", "step"], 1)?;
        let mut ends = Vec::with_capacity(3);
        for end in [first, second, third].into_iter().flatten() {
            let end = self.unwrap(&end)?;
            if !end.ty.is_integral() {
                return Err(Error::typing(format!("range() takes integers, not {}", end.ty)));
            }
            ends.push(self.convert(&end, Ty::int64())?.word());
        }
        let (zero, one) = (self.builder.int(0), self.builder.int(1));
        let [start, stop, step] = match ends.as_slice() {
            [stop] => [zero, *stop, one],
            [start, stop] => [*start, *stop, one],
            [start, stop, step, ..] => [*start, *stop, *step],
            [] => [zero, zero, one],
        };
        let fits = self.builder.emit(Op::Cmp(Cond::Ne, true), &[step, zero], Prim::Bool);
        self.builder.check(fits, Failure::Value("range() arg 3 must not be zero".into()), &[]);
        Ok(Typed::new(Ty::range(), Values::from_slice(&[start, stop, step])))
    }

    fn reversed(&mut self, items: &Typed) -> Result<Typed> {
        if let Some(mut list) = items.items() {
            list.reverse();
            return Ok(Typed::tuple(&list));
        }
        if *items.ty != Kind::Range {
            return Err(Error::typing(format!(
                "reversed() takes ranges and tuples, not {}",
                items.ty
            )));
        }
        let [start, stop, step] = [items.words[0], items.words[1], items.words[2]];
        let length = super::iterate::range_length(self, start, stop, step);
        let one = self.builder.int(1);
        let zero = self.builder.int(0);
        let last = self.builder.emit(Op::Sub, &[length, one], Prim::Int);
        let by = self.builder.emit(Op::Mul, &[last, step], Prim::Int);
        let first = self.builder.emit(Op::Add, &[start, by], Prim::Int);
        let back = self.builder.emit(Op::Sub, &[zero, step], Prim::Int);
        let end = self.builder.emit(Op::Sub, &[start, step], Prim::Int);
        Ok(Typed::new(Ty::range(), Values::from_slice(&[first, end, back])))
    }

    fn ndindex(&mut self, args: &Args) -> Result<Typed> {
        let extents = match args.positional.as_slice() {
            [one] if one.ty.items().is_some() => one.items().unwrap_or_default(),
            many => many.to_vec(),
        };
        let mut whole = Vec::with_capacity(extents.len());
        for extent in &extents {
            whole.push(self.convert(extent, Ty::int64())?);
        }
        Ok(iter(Iter::NdIndex, &[Typed::tuple(&whole)]))
    }

    /// Whether a value is of a class, which its type says.
    fn is_instance(&mut self, value: &Typed, class: &Typed) -> Result<Typed> {
        let classes = class.items().unwrap_or_else(|| vec![class.clone()]);
        let mut found = false;
        for class in classes {
            found |= match (&*class.ty, &*value.ty) {
                (Kind::DType(ty), _) => *ty == value.ty,
                (Kind::Function(object) | Kind::Class(object), _) => {
                    self.host.is_instance(value.ty, *object)?
                }
                _ => {
                    return Err(Error::typing(format!(
                        "isinstance() takes classes, not {}",
                        class.ty
                    )));
                }
            };
        }
        Ok(self.bool(found))
    }

    /// Functions of `math` and numpy over numbers.
    fn number_builtin(&mut self, name: &str, args: Args) -> Result<Typed> {
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
                    self.builder.emit(Op::Xor, &[truth, one], Prim::Bool),
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
            "sqrt" => return Ok(self.word_op(Op::FSqrt, &[value.word()], ty)),
            "degrees" | "rad2deg" => return self.scaled(&value, 180.0 / std::f64::consts::PI),
            "radians" | "deg2rad" => return self.scaled(&value, std::f64::consts::PI / 180.0),
            _ => {}
        }
        let function = MathFn::named(array_name(function))
            .ok_or_else(|| Error::typing(format!("no function {name} of one number")))?;
        Ok(self.word_op(Op::Math(function), &[value.word()], ty))
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
        let minus = if *value.ty == Kind::Bool {
            one.clone()
        } else {
            self.number_unary(Unary::Neg, &one)?
        };
        let is_more = self.compare_numbers(Cond::Gt, value, &zero)?;
        let is_less = self.compare_numbers(Cond::Lt, value, &zero)?;
        let prim = value.ty.prims()[0];
        // What is no number stays what it is, and so does zero; rounded, it has no slope.
        let rest = match prim {
            Prim::F32 | Prim::F64 => self.builder.emit(Op::FTrunc, &[value.word()], prim),
            _ => value.word(),
        };
        let low = self.builder.emit(Op::Select, &[is_less, minus.word(), rest], prim);
        Ok(Typed::one(value.ty, self.builder.emit(Op::Select, &[is_more, one.word(), low], prim)))
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
            "isnan" => self.builder.emit(Op::FCmp(Cond::Ne), &[wide, wide], Prim::Bool),
            "signbit" => {
                let bits =
                    self.builder.emit(Op::Convert(crate::ir::Convert::Bits), &[wide], Prim::Int);
                let zero = self.builder.int(0);
                self.builder.emit(Op::Cmp(Cond::Lt, true), &[bits, zero], Prim::Bool)
            }
            _ => {
                let size = self.builder.emit(Op::FAbs, &[wide], Prim::F64);
                let infinity = self.float(f64::INFINITY).word();
                let cond = if function == "isinf" { Cond::Eq } else { Cond::Lt };
                self.builder.emit(Op::FCmp(cond), &[size, infinity], Prim::Bool)
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
                    "logical_and" => Op::And,
                    "logical_or" => Op::Or,
                    _ => Op::Xor,
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
        Ok(self.word_op(Op::Math(function), &[a.word(), b.word()], ty))
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
            let is_nan = self.builder.emit(Op::FCmp(Cond::Ne), &[looked, looked], Prim::Bool);
            takes_left = self.builder.emit(Op::Or, &[takes_left, is_nan], Prim::Bool);
        }
        Ok(Typed::one(ty, self.builder.emit(Op::Select, &[takes_left, a.word(), b.word()], prim)))
    }

    fn gcd(&mut self, function: &str, left: &Typed, right: &Typed) -> Result<Typed> {
        if !left.ty.is_integral() || !right.ty.is_integral() {
            return Err(Error::typing(format!("{function}() takes integers")));
        }
        let (a, b) = (self.convert(left, Ty::int64())?, self.convert(right, Ty::int64())?);
        let divisor = self.word_op(Op::Gcd, &[a.word(), b.word()], Ty::int64());
        if function == "gcd" {
            return Ok(divisor);
        }
        let zero = self.builder.int(0);
        let one = self.builder.int(1);
        let is_zero =
            self.builder.emit(Op::Cmp(Cond::Eq, true), &[divisor.word(), zero], Prim::Bool);
        let by = self.builder.emit(Op::Select, &[is_zero, one, divisor.word()], Prim::Int);
        let part = self.builder.emit(Op::Div(true), &[a.word(), by], Prim::Int);
        let product = self.word_op(Op::Mul, &[part, b.word()], Ty::int64());
        self.abs(&product)
    }
}

impl Args {
    fn one(self, name: &str) -> Result<[Typed; 1]> {
        let [value] = self.named(short(name), ["x"], 1)?;
        Ok([value.unwrap_or_else(Typed::none)])
    }

    fn two(self, name: &str) -> Result<[Typed; 2]> {
        let found = self.named(short(name), ["a", "b"], 2)?;
        Ok(found.map(|it| it.unwrap_or_else(Typed::none)))
    }

    fn optional(self, name: &str) -> Result<Option<Typed>> {
        let [value] = self.named(short(name), ["x"], 0)?;
        Ok(value)
    }
}

/// The last part of a dotted name.
pub(super) fn short(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

fn iter(kind: Iter, parts: &[Typed]) -> Typed {
    let types: Vec<Ty> = parts.iter().map(|it| it.ty).collect();
    let words = parts.iter().flat_map(|it| it.words.iter().copied()).collect();
    Typed::new(Ty::new(Kind::Iter(kind, types.into())), words)
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

fn rounding(name: &str) -> Option<Op> {
    Some(match name {
        "floor" => Op::FFloor,
        "ceil" => Op::FCeil,
        "trunc" | "fix" => Op::FTrunc,
        "rint" => Op::FRint,
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

/// The builtins of Python that are known by their names.
const PYTHON: &[&str] = &[
    "abs",
    "min",
    "max",
    "sum",
    "round",
    "len",
    "bool",
    "int",
    "float",
    "complex",
    "range",
    "enumerate",
    "zip",
    "reversed",
    "isinstance",
];

/// What the host's builtins, and its functions that stand for operators, are called here.
pub fn builtin_names() -> impl Iterator<Item = &'static str> {
    let operators = OPERATORS.iter().map(|(it, _)| *it);
    let comparisons = COMPARISONS.iter().map(|(it, _)| *it);
    PYTHON.iter().copied().chain(operators).chain(comparisons)
}

/// Whether a function of the host is built in under a name: `len`, `math.sin`, `numpy.zeros`.
pub fn is_builtin(name: &str) -> bool {
    let is_known = builtin_names().any(|it| it == name) || is_number_function(name);
    is_known || (name.starts_with("numpy.") && super::array::is_making(short(name)))
}

/// The functions of `operator` that stand for operators.
const OPERATORS: &[(&str, Binary)] = &[
    ("operator.add", Binary::Add),
    ("operator.sub", Binary::Sub),
    ("operator.mul", Binary::Mul),
    ("operator.truediv", Binary::Div),
    ("operator.floordiv", Binary::FloorDiv),
    ("operator.mod", Binary::Mod),
    ("operator.pow", Binary::Pow),
    ("operator.matmul", Binary::MatMul),
    ("operator.and_", Binary::And),
    ("operator.or_", Binary::Or),
    ("operator.xor", Binary::Xor),
    ("operator.lshift", Binary::Shl),
    ("operator.rshift", Binary::Shr),
];

const COMPARISONS: &[(&str, Compare)] = &[
    ("operator.eq", Compare::Eq),
    ("operator.ne", Compare::Ne),
    ("operator.lt", Compare::Lt),
    ("operator.le", Compare::Le),
    ("operator.gt", Compare::Gt),
    ("operator.ge", Compare::Ge),
    ("operator.is_", Compare::Is),
    ("operator.is_not", Compare::IsNot),
    ("numpy.equal", Compare::Eq),
    ("numpy.not_equal", Compare::Ne),
    ("numpy.less", Compare::Lt),
    ("numpy.less_equal", Compare::Le),
    ("numpy.greater", Compare::Gt),
    ("numpy.greater_equal", Compare::Ge),
];
