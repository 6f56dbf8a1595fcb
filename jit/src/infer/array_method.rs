//! Methods of arrays that give them other dimensions, or copies.

use super::bind::Args;
use super::state::Infer;
use super::value::Typed;
use crate::error::{Error, Result};
use crate::ir::{Cond, Opcode, Trap, Value};
use crate::types::{Array, ArrayLayout, Prim, Ty, TyKind};

impl Infer<'_> {
    pub(super) fn array_method(&mut self, of: &Typed, name: &str, args: Args) -> Result<Typed> {
        let Some(array) = of.ty.as_array() else {
            return Err(Error::typing(format!("{} has no method '{name}'", of.ty)));
        };
        match name {
            "copy" | "flatten" => {
                let cast = self.array_cast(of, array.dtype)?;
                let copy = self.made_array(&cast)?;
                if name == "copy" { Ok(copy) } else { self.reshaped(&copy, None) }
            }
            "ravel" => {
                let dense = self.contiguous(of)?;
                self.reshaped(&dense, None)
            }
            "reshape" => {
                let shape = match args.positional.as_slice() {
                    [one] => one.clone(),
                    many => Typed::tuple(many),
                };
                let extents = self.extents(&shape)?;
                let dense = self.contiguous(of)?;
                self.reshaped(&dense, Some(extents))
            }
            "astype" => {
                let [dtype] = args.named("astype", ["dtype"], 1)?;
                let dtype = self.dtype_of(dtype.as_ref(), array.dtype)?;
                let cast = self.array_cast(of, dtype)?;
                self.made_array(&cast)
            }
            "fill" => {
                let [value] = args.named("fill", ["value"], 1)?;
                self.assign_array(of, &value.unwrap_or_else(Typed::none))?;
                Ok(Typed::none())
            }
            "item" => self.only_item(of, array),
            "transpose" => {
                let axes = match args.positional.as_slice() {
                    [] => return Ok(self.transposed(of)),
                    [one] => one.items().unwrap_or_else(|| vec![one.clone()]),
                    many => many.to_vec(),
                };
                self.permuted(of, &axes)
            }
            "swapaxes" => self.swapped(of, args),
            // What builtins of the language are over arrays.
            "sum" | "min" | "max" => {
                let mut all = vec![of.clone()];
                all.extend(args.positional);
                let args = Args { positional: all, keywords: args.keywords };
                self.planned(&format!("numpy.{name}"), args)
            }
            _ => {
                let error = Error::typing(format!("{} has no method '{name}' for these", of.ty));
                Err(self.with_declined(error))
            }
        }
    }

    /// As [`Infer::made`], but an array even without dimensions.
    pub(super) fn made_array(&mut self, value: &Typed) -> Result<Typed> {
        let made = self.made(value)?;
        if made.ty.as_array().is_some() {
            return Ok(made);
        }
        let array = self.empty_array(made.ty, &[])?;
        self.store(array.words[1], made.ty, &made)?;
        Ok(array)
    }

    fn only_item(&mut self, of: &Typed, array: &Array) -> Result<Typed> {
        let size = self.flat_size(of);
        let one = self.builder.int(1);
        let fits = self.builder.emit(Opcode::Cmp(Cond::Eq, true), &[size, one], Prim::Bool);
        let text = "can only convert an array of size 1 to a Python scalar";
        self.builder.check(fits, Trap::Value(text.into()), &[]);
        Ok(self.load(of.words[1], array.dtype))
    }

    /// An array that is row-major without gaps: this one if its type says so, else a copy.
    fn contiguous(&mut self, of: &Typed) -> Result<Typed> {
        match of.ty.as_array() {
            Some(array) if array.layout != ArrayLayout::C => {
                let cast = self.array_cast(of, array.dtype)?;
                self.made_array(&cast)
            }
            _ => Ok(of.clone()),
        }
    }

    /// A dense array with other extents; one of them may be -1.
    fn reshaped(&mut self, of: &Typed, shape: Option<Vec<Value>>) -> Result<Typed> {
        let Some(array) = of.ty.as_array() else { return Ok(of.clone()) };
        let size = self.flat_size(of);
        let mut shape = shape.unwrap_or_else(|| vec![size]);
        let (zero, one, minus) = (self.builder.int(0), self.builder.int(1), self.builder.int(-1));
        let mut known = one;
        for extent in &shape {
            let is_open =
                self.builder.emit(Opcode::Cmp(Cond::Eq, true), &[*extent, minus], Prim::Bool);
            let factor = self.builder.emit(Opcode::Select, &[is_open, one, *extent], Prim::Int);
            known = self.builder.emit(Opcode::Mul, &[known, factor], Prim::Int);
        }
        let is_zero = self.builder.emit(Opcode::Cmp(Cond::Eq, true), &[known, zero], Prim::Bool);
        let by = self.builder.emit(Opcode::Select, &[is_zero, one, known], Prim::Int);
        let rest = self.builder.emit(Opcode::Div(true), &[size, by], Prim::Int);
        for extent in &mut shape {
            let is_open =
                self.builder.emit(Opcode::Cmp(Cond::Eq, true), &[*extent, minus], Prim::Bool);
            *extent = self.builder.emit(Opcode::Select, &[is_open, rest, *extent], Prim::Int);
        }
        let mut total = one;
        for extent in &shape {
            total = self.builder.emit(Opcode::Mul, &[total, *extent], Prim::Int);
        }
        let fits = self.builder.emit(Opcode::Cmp(Cond::Eq, true), &[total, size], Prim::Bool);
        let text = "cannot reshape an array to a shape with another number of elements";
        self.builder.check(fits, Trap::Value(text.into()), &[]);
        let mut strides = Vec::with_capacity(shape.len());
        let mut stride = self.builder.int(array.dtype.itemsize());
        for extent in shape.iter().rev() {
            strides.push(stride);
            stride = self.builder.emit(Opcode::Mul, &[stride, *extent], Prim::Int);
        }
        strides.reverse();
        let ty =
            Ty::new(TyKind::Array(Array { ndim: shape.len(), layout: ArrayLayout::C, ..*array }));
        let words = [of.words[0], of.words[1]].into_iter().chain(shape).chain(strides).collect();
        Ok(Typed::new(ty, words))
    }

    /// The dimensions in reverse order.
    pub(super) fn transposed(&mut self, of: &Typed) -> Typed {
        let Some(array) = of.ty.as_array() else { return of.clone() };
        let ndim = array.ndim;
        let layout = match array.layout {
            _ if ndim < 2 => array.layout,
            ArrayLayout::C => ArrayLayout::F,
            ArrayLayout::F => ArrayLayout::C,
            ArrayLayout::Any => ArrayLayout::Any,
        };
        let mut words = of.words.clone();
        words[2..2 + ndim].reverse();
        words[2 + ndim..].reverse();
        Typed::new(Ty::new(TyKind::Array(Array { layout, ..*array })), words)
    }

    /// The dimensions in another order: constants, as the layout depends on them.
    fn permuted(&mut self, of: &Typed, axes: &[Typed]) -> Result<Typed> {
        let Some(array) = of.ty.as_array() else { return Ok(of.clone()) };
        let ndim = array.ndim;
        let mut order = Vec::with_capacity(ndim);
        for axis in axes {
            let axis = self.known_axis(axis, ndim)?;
            if order.contains(&axis) {
                return Err(Error::typing(format!("the axes of a transposition repeat {axis}")));
            }
            order.push(axis);
        }
        if order.len() != ndim {
            return Err(Error::typing(format!(
                "a transposition of {} takes {ndim} axes, not {}",
                of.ty,
                order.len()
            )));
        }
        let mut words = of.words.clone();
        for (to, from) in order.iter().enumerate() {
            words[2 + to] = of.words[2 + from];
            words[2 + ndim + to] = of.words[2 + ndim + from];
        }
        let is_same = order.iter().enumerate().all(|(to, from)| to == *from);
        let layout = if is_same { array.layout } else { ArrayLayout::Any };
        Ok(Typed::new(Ty::new(TyKind::Array(Array { layout, ..*array })), words))
    }

    fn swapped(&mut self, of: &Typed, args: Args) -> Result<Typed> {
        let Some(array) = of.ty.as_array() else { return Ok(of.clone()) };
        let [first, second] = args.named("swapaxes", ["axis1", "axis2"], 2)?;
        let [first, second] = [first, second].map(|it| it.unwrap_or_else(Typed::none));
        let mut order: Vec<i64> = (0..).take(array.ndim).collect();
        let (first, second) =
            (self.known_axis(&first, array.ndim)?, self.known_axis(&second, array.ndim)?);
        order.swap(first, second);
        let axes: Vec<Typed> = order.iter().map(|it| self.int(*it)).collect();
        self.permuted(of, &axes)
    }

    /// The dimension that a constant names, from the end if it is negative.
    fn known_axis(&self, axis: &Typed, ndim: usize) -> Result<usize> {
        let Some(axis) = axis.known_int(&self.builder) else {
            return Err(Error::typing("an axis has to be a constant: the type depends on it"));
        };
        let count = i64::try_from(ndim).unwrap_or(i64::MAX);
        let from_start = if axis < 0 { axis + count } else { axis };
        usize::try_from(from_start).ok().filter(|it| *it < ndim).ok_or_else(|| {
            Error::typing(format!("axis {axis} is out of bounds for an array of {ndim} dimensions"))
        })
    }
}
