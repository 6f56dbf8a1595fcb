//! Items of tuples and arrays: reading, writing, views.

use super::state::Infer;
use super::value::Typed;
use crate::error::{Error, Result};
use crate::ir::{Cond, Elem, Opcode, Trap, Value, ValueList};
use crate::types::{Array, ArrayLayout, Prim, Ty, TyKind};

/// What one part of an index does.
enum IndexPart {
    /// Takes one index of a dimension.
    At(Typed),
    /// Takes a part of a dimension: start, stop, step.
    Slice(Typed),
    /// Adds a dimension of extent one.
    New,
    /// Takes all dimensions that nothing else takes.
    Rest,
}

/// A view while its index is read.
struct IndexedView {
    address: Value,
    shape: Vec<Value>,
    strides: Vec<Value>,
    /// Whether rows stay dense: nothing but whole dimensions follows.
    is_dense: bool,
}

impl Infer<'_> {
    pub(super) fn item(&mut self, of: &Typed, index: &Typed) -> Result<Typed> {
        let of = &self.unwrap(of)?;
        if let Some(found) = self.overloaded_item(of, index)? {
            return Ok(found);
        }
        if of.ty.items().is_some() {
            return self.item_of_tuple(of, index);
        }
        match &*of.ty {
            TyKind::Array(array) => self.item_of_array(of, array, index),
            TyKind::Flat(inner) => {
                let array = inner.as_array().ok_or_else(|| Error::typing("flat is of an array"))?;
                let address = self.flat_address(of, array, index)?;
                Ok(self.load(address, array.dtype))
            }
            TyKind::Range => self.item_of_range(of, index),
            _ => Err(Error::typing(format!("{} has no items", of.ty))),
        }
    }

    fn item_of_tuple(&mut self, of: &Typed, index: &Typed) -> Result<Typed> {
        let items = of.items().unwrap_or_default();
        if let TyKind::Slice(types) = &*index.ty {
            return self.slice_of_tuple(&items, index, types);
        }
        if !index.ty.is_integral() {
            return Err(Error::typing(format!(
                "tuple indices are integers or slices, not {}",
                index.ty
            )));
        }
        let Some(at) = index.known_int(&self.builder) else { return self.tuple_item(of, index) };
        let count = i64::try_from(items.len()).unwrap_or(i64::MAX);
        let from_start = if at < 0 { at + count } else { at };
        let item = usize::try_from(from_start).ok().and_then(|it| items.get(it));
        item.cloned().ok_or_else(|| {
            Error::typing(format!("tuple index {at} is out of range for {count} items"))
        })
    }

    fn slice_of_tuple(&mut self, items: &[Typed], index: &Typed, types: &[Ty]) -> Result<Typed> {
        let mut known = [None; 3];
        for (at, slot) in known.iter_mut().enumerate() {
            let part = index.part(types, at);
            if *part.ty == TyKind::None {
                continue;
            }
            let number = part.known_int(&self.builder);
            *slot =
                Some(number.ok_or_else(|| Error::typing("a slice of a tuple has constant ends"))?);
        }
        let count = i64::try_from(items.len()).unwrap_or(i64::MAX);
        let step = known[2].unwrap_or(1);
        if step == 0 {
            return Err(Error::typing("slice step cannot be zero"));
        }
        let (first, last) = if step > 0 { (0, count) } else { (count - 1, -1) };
        let end = |given: Option<i64>, default: i64| match given {
            None => default,
            Some(at) => {
                let at = if at < 0 { at + count } else { at };
                if step > 0 { at.clamp(0, count) } else { at.clamp(-1, count - 1) }
            }
        };
        let (mut at, stop) = (end(known[0], first), end(known[1], last));
        let mut taken = Vec::new();
        while (step > 0 && at < stop) || (step < 0 && at > stop) {
            taken.extend(usize::try_from(at).ok().and_then(|it| items.get(it)).cloned());
            at += step;
        }
        Ok(Typed::tuple(&taken))
    }

    fn item_of_range(&mut self, of: &Typed, index: &Typed) -> Result<Typed> {
        let [start, stop, step] = [of.words[0], of.words[1], of.words[2]];
        let length = super::iterate::range_length(self, start, stop, step);
        if let TyKind::Slice(types) = &*index.ty {
            let [first, last, by] = [0, 1, 2].map(|at| index.part(types, at));
            let (first, count, by) = self.slice_of(&first, &last, &by, length)?;
            let before = self.builder.emit(Opcode::Mul, &[first, step], Prim::Int);
            let start = self.builder.emit(Opcode::Add, &[start, before], Prim::Int);
            let step = self.builder.emit(Opcode::Mul, &[step, by], Prim::Int);
            let span = self.builder.emit(Opcode::Mul, &[count, step], Prim::Int);
            let stop = self.builder.emit(Opcode::Add, &[start, span], Prim::Int);
            return Ok(Typed::new(Ty::range(), ValueList::from_slice(&[start, stop, step])));
        }
        if !index.ty.is_integral() {
            return Err(Error::typing(format!(
                "range indices are integers or slices, not {}",
                index.ty
            )));
        }
        let index = self.convert(index, Ty::int64())?;
        let site = self.builder.site(Trap::Index(0, false));
        let at =
            self.builder.push(Opcode::CheckIndex(site), &[index.word(), length], [Prim::Int])[0];
        let by = self.builder.emit(Opcode::Mul, &[at, step], Prim::Int);
        Ok(Typed::one(Ty::int64(), self.builder.emit(Opcode::Add, &[start, by], Prim::Int)))
    }

    /// The items of the first dimension, as many as there are targets.
    pub(super) fn unpacked_array(&mut self, value: &Typed, count: usize) -> Result<Vec<Typed>> {
        let Some(array) = value.ty.as_array().filter(|it| it.ndim > 0) else {
            return Err(Error::typing(format!("cannot unpack {}", value.ty)));
        };
        let _ = array;
        let extent = value.words[2];
        let wanted = self.builder.int(i64::try_from(count).unwrap_or(i64::MAX));
        let fits = self.builder.emit(Opcode::Cmp(Cond::Eq, true), &[extent, wanted], Prim::Bool);
        let text = format!("an array with another number of items than {count} cannot be unpacked");
        self.builder.check(fits, Trap::Value(text.into()), &[]);
        (0..count)
            .map(|at| {
                let at = self.int(i64::try_from(at).unwrap_or(i64::MAX));
                self.item(value, &at)
            })
            .collect()
    }

    fn item_of_array(&mut self, of: &Typed, array: &Array, index: &Typed) -> Result<Typed> {
        if is_array_index(index) {
            return self.item_by_array(of, index);
        }
        let parts = self.parts(index, array.ndim)?;
        let view = self.view(of, array, &parts)?;
        if view.shape.is_empty() && parts.iter().all(|it| matches!(it, IndexPart::At(_))) {
            return Ok(self.load(view.address, array.dtype));
        }
        Ok(view_value(of, array, view))
    }

    pub(super) fn set_item(&mut self, of: &Typed, index: &Typed, value: &Typed) -> Result<()> {
        let of = &self.unwrap(of)?;
        if self.overloaded_set_item(of, index, value)? {
            return Ok(());
        }
        match &*of.ty {
            TyKind::Array(array) => {
                self.check_writable(of, of.ty)?;
                if is_array_index(index) {
                    return self.set_by_array(of, index, value);
                }
                let parts = self.parts(index, array.ndim)?;
                let view = self.view(of, array, &parts)?;
                if parts.iter().all(|it| matches!(it, IndexPart::At(_))) && view.shape.is_empty() {
                    return self.store(view.address, array.dtype, value);
                }
                let target = view_value(of, array, view);
                self.assign_array(&target, value)
            }
            TyKind::Flat(inner) => {
                let array = inner.as_array().ok_or_else(|| Error::typing("flat is of an array"))?;
                self.check_writable(of, *inner)?;
                let address = self.flat_address(of, array, index)?;
                self.store(address, array.dtype, value)
            }
            _ if of.ty.items().is_some() => {
                Err(Error::typing("items of a tuple cannot be assigned: make another tuple"))
            }
            _ => Err(Error::typing(format!("items of {} cannot be assigned", of.ty))),
        }
    }

    /// The parts of an index of so many dimensions.
    fn parts(&mut self, index: &Typed, ndim: usize) -> Result<Vec<IndexPart>> {
        let items = index.items().unwrap_or_else(|| vec![index.clone()]);
        let mut parts = Vec::with_capacity(items.len());
        let mut taken = 0;
        for item in items {
            let item = self.unwrap(&item)?;
            taken += usize::from(!matches!(*item.ty, TyKind::None | TyKind::Ellipsis));
            parts.push(match &*item.ty {
                TyKind::Int(_) => IndexPart::At(item),
                TyKind::Slice(_) => IndexPart::Slice(item),
                TyKind::None => IndexPart::New,
                TyKind::Ellipsis => IndexPart::Rest,
                _ => {
                    return Err(Error::typing(format!(
                        "indices of arrays are integers, slices, ..., None and arrays, not {}",
                        item.ty
                    )));
                }
            });
        }
        if taken > ndim {
            return Err(Error::typing(format!(
                "too many indices: the array has {ndim} dimensions, {taken} are given"
            )));
        }
        if parts.iter().filter(|it| matches!(it, IndexPart::Rest)).count() > 1 {
            return Err(Error::typing("an index has at most one ..."));
        }
        Ok(parts)
    }

    fn view(&mut self, of: &Typed, array: &Array, parts: &[IndexPart]) -> Result<IndexedView> {
        let ndim = array.ndim;
        let taken =
            parts.iter().filter(|it| matches!(it, IndexPart::At(_) | IndexPart::Slice(_))).count();
        let mut view = IndexedView {
            address: of.words[1],
            shape: Vec::new(),
            strides: Vec::new(),
            is_dense: array.layout == ArrayLayout::C,
        };
        let mut dim = 0;
        for part in parts {
            match part {
                IndexPart::At(index) => {
                    view.is_dense &= view.shape.is_empty();
                    self.take_index(of, ndim, dim, index, &mut view)?;
                    dim += 1;
                }
                IndexPart::Slice(slice) => {
                    self.take_slice(of, ndim, dim, slice, &mut view)?;
                    dim += 1;
                }
                IndexPart::New => {
                    view.shape.push(self.builder.int(1));
                    view.strides.push(self.builder.int(0));
                }
                IndexPart::Rest => {
                    for _ in 0..ndim - taken {
                        view.take_whole(of, ndim, dim);
                        dim += 1;
                    }
                }
            }
        }
        while dim < ndim {
            view.take_whole(of, ndim, dim);
            dim += 1;
        }
        Ok(view)
    }

    fn take_index(
        &mut self,
        of: &Typed,
        ndim: usize,
        dim: usize,
        index: &Typed,
        view: &mut IndexedView,
    ) -> Result<()> {
        let (extent, stride) = (of.words[2 + dim], of.words[2 + ndim + dim]);
        let index = self.convert(index, Ty::int64())?;
        let axis = u32::try_from(dim).unwrap_or(u32::MAX);
        let site = self.builder.site(Trap::Index(axis, true));
        let at =
            self.builder.push(Opcode::CheckIndex(site), &[index.word(), extent], [Prim::Int])[0];
        let bytes = self.builder.emit(Opcode::Mul, &[at, stride], Prim::Int);
        view.address = self.builder.emit(Opcode::Offset, &[view.address, bytes], Prim::Ptr);
        Ok(())
    }

    fn take_slice(
        &mut self,
        of: &Typed,
        ndim: usize,
        dim: usize,
        slice: &Typed,
        view: &mut IndexedView,
    ) -> Result<()> {
        let TyKind::Slice(types) = &*slice.ty else { return Ok(()) };
        let (extent, stride) = (of.words[2 + dim], of.words[2 + ndim + dim]);
        let [start, stop, step] = [0, 1, 2].map(|at| slice.part(types, at));
        if [&start, &stop, &step].into_iter().all(|it| *it.ty == TyKind::None) {
            view.take_whole(of, ndim, dim);
            return Ok(());
        }
        view.is_dense &= view.shape.is_empty() && *step.ty == TyKind::None;
        let (start, length, step) = self.slice_of(&start, &stop, &step, extent)?;
        let bytes = self.builder.emit(Opcode::Mul, &[start, stride], Prim::Int);
        view.address = self.builder.emit(Opcode::Offset, &[view.address, bytes], Prim::Ptr);
        view.shape.push(length);
        view.strides.push(self.builder.emit(Opcode::Mul, &[stride, step], Prim::Int));
        Ok(())
    }

    /// Start, length and step of a slice of a dimension.
    fn slice_of(
        &mut self,
        start: &Typed,
        stop: &Typed,
        step: &Typed,
        extent: Value,
    ) -> Result<(Value, Value, Value)> {
        let one = self.builder.int(1);
        let step = match *step.ty {
            TyKind::None => one,
            _ => {
                let step = self.whole(step)?;
                let zero = self.builder.int(0);
                let fits =
                    self.builder.emit(Opcode::Cmp(Cond::Ne, true), &[step, zero], Prim::Bool);
                self.builder.check(fits, Trap::Value("slice step cannot be zero".into()), &[]);
                step
            }
        };
        let zero = self.builder.int(0);
        let is_up = self.builder.emit(Opcode::Cmp(Cond::Gt, true), &[step, zero], Prim::Bool);
        let last = self.builder.emit(Opcode::Sub, &[extent, one], Prim::Int);
        let minus = self.builder.int(-1);
        let low = self.builder.emit(Opcode::Select, &[is_up, zero, minus], Prim::Int);
        let high = self.builder.emit(Opcode::Select, &[is_up, extent, last], Prim::Int);
        let first = self.builder.emit(Opcode::Select, &[is_up, zero, last], Prim::Int);
        let end = self.builder.emit(Opcode::Select, &[is_up, extent, minus], Prim::Int);
        let start = self.end_of_slice(start, first, extent, low, high)?;
        let stop = self.end_of_slice(stop, end, extent, low, high)?;
        let length = super::iterate::range_length(self, start, stop, step);
        // An empty slice stays where the array is.
        let is_empty = self.builder.emit(Opcode::Cmp(Cond::Eq, true), &[length, zero], Prim::Bool);
        let start = self.builder.emit(Opcode::Select, &[is_empty, zero, start], Prim::Int);
        Ok((start, length, step))
    }

    fn whole(&mut self, value: &Typed) -> Result<Value> {
        if !value.ty.is_integral() {
            return Err(Error::typing(format!("slices have integers as ends, not {}", value.ty)));
        }
        Ok(self.convert(value, Ty::int64())?.word())
    }

    fn end_of_slice(
        &mut self,
        given: &Typed,
        default: Value,
        extent: Value,
        low: Value,
        high: Value,
    ) -> Result<Value> {
        let given = &match *given.ty {
            TyKind::None => return Ok(default),
            _ => self.unwrap(given)?,
        };
        let at = self.whole(given)?;
        let zero = self.builder.int(0);
        let is_negative = self.builder.emit(Opcode::Cmp(Cond::Lt, true), &[at, zero], Prim::Bool);
        let from_end = self.builder.emit(Opcode::Add, &[at, extent], Prim::Int);
        let at = self.builder.emit(Opcode::Select, &[is_negative, from_end, at], Prim::Int);
        let below = self.builder.emit(Opcode::Cmp(Cond::Lt, true), &[at, low], Prim::Bool);
        let at = self.builder.emit(Opcode::Select, &[below, low, at], Prim::Int);
        let above = self.builder.emit(Opcode::Cmp(Cond::Gt, true), &[at, high], Prim::Bool);
        Ok(self.builder.emit(Opcode::Select, &[above, high, at], Prim::Int))
    }

    /// How many elements `a.flat` has.
    pub(super) fn flat_size(&mut self, of: &Typed) -> Value {
        let ndim = (of.words.len() - 2) / 2;
        let mut size = self.builder.int(1);
        for at in 0..ndim {
            size = self.builder.emit(Opcode::Mul, &[size, of.words[2 + at]], Prim::Int);
        }
        size
    }

    fn flat_address(&mut self, of: &Typed, array: &Array, index: &Typed) -> Result<Value> {
        if !index.ty.is_integral() {
            return Err(Error::typing(format!("indices of flat are integers, not {}", index.ty)));
        }
        let index = self.convert(index, Ty::int64())?;
        let size = self.flat_size(of);
        let site = self.builder.site(Trap::Index(0, true));
        let at = self.builder.push(Opcode::CheckIndex(site), &[index.word(), size], [Prim::Int])[0];
        let bytes = if array.layout == ArrayLayout::C {
            let item = self.builder.int(array.dtype.itemsize());
            self.builder.emit(Opcode::Mul, &[at, item], Prim::Int)
        } else {
            self.strided_offset(of, array.ndim, at)
        };
        Ok(self.builder.emit(Opcode::Offset, &[of.words[1], bytes], Prim::Ptr))
    }

    /// Where the element of a row-major number lies.
    fn strided_offset(&mut self, of: &Typed, ndim: usize, at: Value) -> Value {
        let mut rest = at;
        let mut bytes = self.builder.int(0);
        for dim in (0..ndim).rev() {
            let (extent, stride) = (of.words[2 + dim], of.words[2 + ndim + dim]);
            let index = if dim == 0 {
                rest
            } else {
                self.builder.emit(Opcode::Rem(false), &[rest, extent], Prim::Int)
            };
            let part = self.builder.emit(Opcode::Mul, &[index, stride], Prim::Int);
            bytes = self.builder.emit(Opcode::Add, &[bytes, part], Prim::Int);
            if dim > 0 {
                rest = self.builder.emit(Opcode::Div(false), &[rest, extent], Prim::Int);
            }
        }
        bytes
    }

    /// The element at an address.
    pub(super) fn load(&mut self, address: Value, dtype: Ty) -> Typed {
        let elem = dtype.elem();
        let prim = dtype.real_type().prims()[0];
        let first = self.builder.push(Opcode::Load(elem), &[address], [prim])[0];
        if !dtype.is_complex() {
            return Typed::one(dtype, first);
        }
        let half = self.builder.int(dtype.itemsize() / 2);
        let second = self.builder.emit(Opcode::Offset, &[address, half], Prim::Ptr);
        let imag = self.builder.push(Opcode::Load(elem), &[second], [prim])[0];
        Typed::new(dtype, ValueList::from_slice(&[first, imag]))
    }

    /// Writes an element, as numpy's assignment casts.
    pub(super) fn store(&mut self, address: Value, dtype: Ty, value: &Typed) -> Result<()> {
        let value = self.unwrap(value)?;
        if !value.ty.is_number() {
            return Err(Error::typing(format!("an element of {dtype} cannot hold {}", value.ty)));
        }
        let value = self.convert(&value, dtype)?;
        let elem = dtype.elem();
        self.builder.push(Opcode::Store(elem), &[address, value.words[0]], []);
        if dtype.is_complex() {
            let half = self.builder.int(dtype.itemsize() / 2);
            let second = self.builder.emit(Opcode::Offset, &[address, half], Prim::Ptr);
            self.builder.push(Opcode::Store(elem), &[second, value.words[1]], []);
        }
        Ok(())
    }

    /// The truth of an array: that of its only element.
    pub(super) fn array_truth(&mut self, value: &Typed) -> Result<Value> {
        let Some(array) = value.ty.as_array() else { return Err(Error::typing("no array")) };
        let size = self.flat_size(value);
        let one = self.builder.int(1);
        let fits = self.builder.emit(Opcode::Cmp(Cond::Eq, true), &[size, one], Prim::Bool);
        let text = "the truth value of an array with more or less than one element is ambiguous: use any() or all()";
        self.builder.check(fits, Trap::Value(text.into()), &[]);
        let element = self.load(value.words[1], array.dtype);
        self.truth(&element)
    }
}

impl IndexedView {
    fn take_whole(&mut self, of: &Typed, ndim: usize, dim: usize) {
        self.shape.push(of.words[2 + dim]);
        self.strides.push(of.words[2 + ndim + dim]);
    }
}

fn view_value(of: &Typed, array: &Array, view: IndexedView) -> Typed {
    let layout = if view.is_dense { ArrayLayout::C } else { ArrayLayout::Any };
    let ty = Ty::new(TyKind::Array(Array { ndim: view.shape.len(), layout, ..*array }));
    let words =
        [of.words[0], view.address].into_iter().chain(view.shape).chain(view.strides).collect();
    Typed::new(ty, words)
}

/// Whether an index takes what arrays of indices or of truth values say, and so copies.
pub(super) fn is_array_index(index: &Typed) -> bool {
    index.ty.as_array().is_some()
        || index.ty.items().is_some_and(|items| items.iter().any(|it| it.as_array().is_some()))
}

impl Ty {
    /// How many bytes an element of this dtype takes.
    pub fn itemsize(self) -> i64 {
        match *self {
            TyKind::Int(int) => i64::from(int.bits / 8),
            TyKind::Float(bits) | TyKind::Complex(bits) => i64::from(bits / 8),
            _ => 1,
        }
    }

    /// The element of this dtype in memory, or of its parts.
    pub fn elem(self) -> Elem {
        match *self {
            TyKind::Int(int) => match (int.bits, int.is_signed) {
                (8, true) => Elem::I8,
                (16, true) => Elem::I16,
                (32, true) => Elem::I32,
                (8, false) => Elem::U8,
                (16, false) => Elem::U16,
                (32, false) => Elem::U32,
                _ => Elem::I64,
            },
            TyKind::Float(16) => Elem::F16,
            TyKind::Float(32) | TyKind::Complex(64) => Elem::F32,
            TyKind::Float(_) | TyKind::Complex(_) => Elem::F64,
            _ => Elem::Bool,
        }
    }
}
