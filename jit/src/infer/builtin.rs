//! Functions that the compiler knows: conversions, functions of numbers, and what loops run over.

use super::bind::{Args, short};
use super::number::math;
use super::state::Infer;
use super::value::Typed;
use crate::ast::{Binary, Compare, Unary};
use crate::error::{Error, Result};
use crate::ir::{Cond, Opcode, Trap, ValueList};
use crate::types::{Iter, Prim, Ty, TyKind};

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
                // The host's library has what can be reversed.
                let [items] = args.one(name)?;
                Err(Error::typing(format!(
                    "reversed() takes ranges, tuples and arrays, not {}",
                    items.ty
                )))
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
                // The host's library has what has a length.
                let [value] = args.one(name)?;
                Err(Error::typing(format!("{} has no len()", value.ty)))
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
        Ok(Typed::new(Ty::complex128(), ValueList::from_slice(&[real.word(), imag.word()])))
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
            TyKind::Bool => self.convert(value, Ty::int64()),
            TyKind::Int(int) if !int.is_signed => Ok(value.clone()),
            TyKind::Int(_) => {
                let negated = self.number_unary(Unary::Neg, value)?;
                let zero = self.builder.int(0);
                let is_negative = self.builder.emit(
                    Opcode::Cmp(Cond::Lt, true),
                    &[value.word(), zero],
                    Prim::Bool,
                );
                let args = [is_negative, negated.word(), value.word()];
                Ok(Typed::one(ty, self.builder.emit(Opcode::Select, &args, Prim::Int)))
            }
            TyKind::Float(_) => Ok(self.word_op(Opcode::FAbs, &[value.word()], ty)),
            TyKind::Complex(_) => {
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
                    self.builder.check_never(Trap::Value(
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
            let word =
                self.builder.emit(Opcode::Select, &[is_better, item.word(), best.word()], prim);
            best = Typed::one(ty, word);
        }
        Ok(best)
    }

    pub(super) fn sum(&mut self, items: &Typed, start: Option<Typed>) -> Result<Typed> {
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
        let digits = digits.filter(|it| *it.ty != TyKind::None);
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
                let rounded = self.word_op(Opcode::FRint, &[value.word()], value.ty);
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
        let fits = self.builder.emit(Opcode::Cmp(Cond::Ne, true), &[step, zero], Prim::Bool);
        self.builder.check(fits, Trap::Value("range() arg 3 must not be zero".into()), &[]);
        Ok(Typed::new(Ty::range(), ValueList::from_slice(&[start, stop, step])))
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
                (TyKind::DType(ty), _) => *ty == value.ty,
                (TyKind::Function(object) | TyKind::Class(object), _) => {
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

    pub(super) fn optional(self, name: &str) -> Result<Option<Typed>> {
        let [value] = self.named(short(name), ["x"], 0)?;
        Ok(value)
    }
}

fn iter(kind: Iter, parts: &[Typed]) -> Typed {
    let types: Vec<Ty> = parts.iter().map(|it| it.ty).collect();
    let words = parts.iter().flat_map(|it| it.words.iter().copied()).collect();
    Typed::new(Ty::new(TyKind::Iter(kind, types.into())), words)
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
    let is_known =
        builtin_names().any(|it| it == name) || super::number_function::is_number_function(name);
    is_known || (name.starts_with("numpy.") && super::making::is_making(short(name)))
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
