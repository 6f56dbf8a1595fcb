//! Functions that make arrays: of a shape, like another, evenly spaced, of numbers in tuples.

use super::bind::Args;
use super::element_expr::ElementExpr;
use super::state::Infer;
use super::value::Typed;
use crate::ast::Binary;
use crate::error::{Error, Result};
use crate::ir::{Cond, Opcode, Trap, Value};
use crate::types::{Prim, Ty, TyKind};

impl Infer<'_> {
    /// The dtype that an argument names.
    pub(super) fn dtype_of(&self, dtype: Option<&Typed>, default: Ty) -> Result<Ty> {
        match dtype.map(|it| &*it.ty) {
            None | Some(TyKind::None) => Ok(default),
            Some(TyKind::DType(ty)) => Ok(*ty),
            Some(TyKind::Function(object)) => match self.host.callee(*object)? {
                crate::host::CallTarget::Builtin(name) => match &*name {
                    "int" => Ok(Ty::int64()),
                    "float" => Ok(Ty::float64()),
                    "bool" => Ok(Ty::bool()),
                    "complex" => Ok(Ty::complex128()),
                    _ => Err(Error::typing(format!("{name} is no dtype"))),
                },
                _ => Err(Error::typing("a dtype is named by numpy, opwright or Python")),
            },
            Some(TyKind::Text(name)) => Ty::of_name(name)
                .ok_or_else(|| Error::typing(format!("no dtype is called {name:?}"))),
            Some(_) => Err(Error::typing("a dtype is named by numpy, opwright or Python")),
        }
    }

    /// Functions that make arrays; none if it is another.
    pub(super) fn making(&mut self, name: &str, args: Args) -> Result<Option<Typed>> {
        let is_ours = name.starts_with("opwright.");
        let default = if is_ours { Ty::float32() } else { Ty::float64() };
        let made = match super::bind::short(name) {
            short @ ("empty" | "zeros" | "ones") => {
                let args = if is_ours { args.with_size() } else { args };
                let [shape, dtype] = args.named(short, ["shape", "dtype"], 1)?;
                let shape = self.extents(&shape.unwrap_or_else(Typed::none))?;
                let dtype = self.dtype_of(dtype.as_ref(), default)?;
                let array = self.allocate(dtype, &shape, short == "zeros")?;
                if short == "ones" {
                    let one = self.int(1);
                    self.fill_from(&array, &ElementExpr::Number(one))?;
                }
                array
            }
            "full" => {
                let [shape, value, dtype] =
                    args.named("full", ["shape", "fill_value", "dtype"], 2)?;
                let shape = self.extents(&shape.unwrap_or_else(Typed::none))?;
                let value = value.unwrap_or_else(Typed::none);
                let dtype = self.dtype_of(dtype.as_ref(), value.ty)?;
                let array = self.empty_array(dtype, &shape)?;
                self.fill_from(&array, &ElementExpr::Number(value))?;
                array
            }
            short @ ("empty_like" | "zeros_like" | "ones_like") => {
                let [like, dtype] = args.named(short, ["prototype", "dtype"], 1)?;
                let (shape, of) = self.like(&like.unwrap_or_else(Typed::none))?;
                let dtype = self.dtype_of(dtype.as_ref(), of)?;
                let array = self.allocate(dtype, &shape, short == "zeros_like")?;
                if short == "ones_like" {
                    let one = self.int(1);
                    self.fill_from(&array, &ElementExpr::Number(one))?;
                }
                array
            }
            "full_like" => {
                let [like, value, dtype] =
                    args.named("full_like", ["a", "fill_value", "dtype"], 2)?;
                let (shape, of) = self.like(&like.unwrap_or_else(Typed::none))?;
                let dtype = self.dtype_of(dtype.as_ref(), of)?;
                let array = self.empty_array(dtype, &shape)?;
                self.assign_array(&array, &value.unwrap_or_else(Typed::none))?;
                array
            }
            "arange" => self.arange(args, is_ours)?,
            "array" | "asarray" | "ascontiguousarray" | "copy" | "tensor" => {
                self.array_of(name, args)?
            }
            _ => return Ok(None),
        };
        Ok(Some(made))
    }

    /// The extents and the dtype of what another array is to be like.
    fn like(&mut self, like: &Typed) -> Result<(Vec<Value>, Ty)> {
        let like = self.made(like)?;
        match like.ty.as_array() {
            Some(array) => Ok((like.words[2..2 + array.ndim].to_vec(), array.dtype)),
            None if like.ty.is_number() => Ok((Vec::new(), like.ty)),
            None => Err(Error::typing(format!("{} is no array", like.ty))),
        }
    }

    fn arange(&mut self, args: Args, is_ours: bool) -> Result<Typed> {
        let [first, second, third, dtype] =
            args.named("arange", ["start", "stop", "step", "dtype"], 1)?;
        let zero = self.int(0);
        let one = self.int(1);
        let (start, stop, step) = match (first, second, third) {
            (Some(stop), None, None) => (zero, stop, one),
            (Some(start), Some(stop), step) => (start, stop, step.unwrap_or(one)),
            _ => return Err(Error::typing("arange() takes an end, or a start and an end")),
        };
        let common = [&stop, &step].iter().try_fold(start.ty, |ty, it| Ty::smallest(ty, it.ty));
        let common = common.ok_or_else(|| Error::typing("arange() takes numbers"))?;
        let is_whole = common.is_integral();
        let default = match (is_whole, is_ours) {
            (true, _) => Ty::int64(),
            (false, true) => Ty::float32(),
            (false, false) => Ty::float64(),
        };
        let dtype = self.dtype_of(dtype.as_ref(), default)?;
        let computed = if is_whole { Ty::int64() } else { Ty::float64() };
        let [start, stop, step] = [
            self.convert(&start, computed)?,
            self.convert(&stop, computed)?,
            self.convert(&step, computed)?,
        ];
        let count = if is_whole {
            let zero = self.builder.int(0);
            let fits =
                self.builder.emit(Opcode::Cmp(Cond::Ne, true), &[step.word(), zero], Prim::Bool);
            self.builder.check(fits, Trap::ZeroDivision("division by zero"), &[]);
            super::iterate::range_length(self, start.word(), stop.word(), step.word())
        } else {
            let span = self.number_binary(Binary::Sub, &stop, &start)?;
            let turns = self.number_binary(Binary::Div, &span, &step)?;
            let ceil = self.word_op(Opcode::FCeil, &[turns.word()], computed);
            let whole = self.convert(&ceil, Ty::int64())?.word();
            let zero = self.builder.int(0);
            let is_some =
                self.builder.emit(Opcode::Cmp(Cond::Gt, true), &[whole, zero], Prim::Bool);
            self.builder.emit(Opcode::Select, &[is_some, whole, zero], Prim::Int)
        };
        let array = self.empty_array(dtype, &[count])?;
        let address = array.words[1];
        self.counted(count, &mut |infer, at| {
            let at_number = infer.convert(&Typed::one(Ty::int64(), at), computed)?;
            let further = infer.number_binary(Binary::Mul, &at_number, &step)?;
            let value = infer.number_binary(Binary::Add, &start, &further)?;
            let item = infer.builder.int(dtype.itemsize());
            let bytes = infer.builder.emit(Opcode::Mul, &[at, item], Prim::Int);
            let place = infer.builder.emit(Opcode::Offset, &[address, bytes], Prim::Ptr);
            infer.store(place, dtype, &value)
        })?;
        Ok(array)
    }

    /// An array of numbers in tuples, or of another array.
    pub(super) fn array_of(&mut self, name: &str, args: Args) -> Result<Typed> {
        let [object, dtype] = args.named(super::bind::short(name), ["object", "dtype"], 1)?;
        let object = self.made(&object.unwrap_or_else(Typed::none))?;
        if let Some(array) = object.ty.as_array() {
            let wanted = self.dtype_of(dtype.as_ref(), array.dtype)?;
            let is_lent = super::bind::short(name) == "asarray" && wanted == array.dtype;
            if is_lent {
                return Ok(object);
            }
            let cast = self.array_cast(&object, wanted)?;
            return self.made(&cast);
        }
        let mut numbers = Vec::new();
        let mut shape = Vec::new();
        flatten(&object, 0, &mut shape, &mut numbers)?;
        let common = numbers.iter().try_fold(None, |ty: Option<Ty>, it| match ty {
            None => Some(Some(it.ty)),
            Some(ty) => Ty::smallest(ty, it.ty).map(Some),
        });
        let default = match common {
            Some(Some(ty)) if name == "opwright.tensor" && ty.is_float() => Ty::float32(),
            Some(Some(ty)) => ty,
            _ if name == "opwright.tensor" => Ty::float32(),
            _ => Ty::float64(),
        };
        let dtype = self.dtype_of(dtype.as_ref(), default)?;
        let extents: Vec<Value> = shape
            .iter()
            .map(|it| self.builder.int(i64::try_from(*it).unwrap_or(i64::MAX)))
            .collect();
        let array = self.empty_array(dtype, &extents)?;
        for (at, number) in (0..).zip(&numbers) {
            let bytes = self.builder.int(at * dtype.itemsize());
            let address = self.builder.emit(Opcode::Offset, &[array.words[1], bytes], Prim::Ptr);
            self.store(address, dtype, number)?;
        }
        Ok(array)
    }
}

/// Whether a function makes arrays.
pub(super) fn is_making(name: &str) -> bool {
    const KNOWN: &[&str] = &[
        "empty",
        "zeros",
        "ones",
        "full",
        "empty_like",
        "zeros_like",
        "ones_like",
        "full_like",
        "arange",
        "array",
        "asarray",
        "ascontiguousarray",
        "copy",
    ];
    KNOWN.contains(&name)
}

/// The numbers in tuples of tuples, and the extents of these.
fn flatten(
    value: &Typed,
    depth: usize,
    shape: &mut Vec<usize>,
    numbers: &mut Vec<Typed>,
) -> Result<()> {
    let Some(items) = value.items() else {
        if !value.ty.is_number() {
            let instead = if value.ty.is_array() { ": np.stack puts arrays together" } else { "" };
            return Err(Error::typing(format!(
                "an array has numbers as elements, not {}{instead}",
                value.ty
            )));
        }
        numbers.push(value.clone());
        return Ok(());
    };
    match shape.get(depth) {
        None => shape.push(items.len()),
        Some(count) if *count == items.len() => {}
        Some(_) => return Err(Error::typing("the rows of an array have one length")),
    }
    items.iter().try_for_each(|it| flatten(it, depth + 1, shape, numbers))
}
