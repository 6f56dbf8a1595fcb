//! Whole arrays: making them, assigning them, and their methods.

use super::bind::Args;
use super::element_expr::{ElementExpr, collect_leaves};
use super::state::Infer;
use super::value::Typed;
use crate::ast::Binary;
use crate::error::{Error, Result};
use crate::ir::{
    Cond, External, ExternalCallee, ExternalFn, Opcode, Terminator, Trap, Value, ValueList,
};
use crate::types::{Array, ArrayLayout, Prim, Ty, TyKind};

impl Infer<'_> {
    /// A call of something outside of the program.
    pub(super) fn external(
        &mut self,
        name: &'static str,
        function: ExternalFn,
        args: &[Value],
        results: &[Prim],
    ) -> ValueList {
        let known = self.program.externals.iter().position(|it| it.name == name);
        let external = External { name, callee: ExternalCallee::Own(function) };
        self.call_external(known, external, args, results)
    }

    /// A call of something that is no function of the program, by its number if that is known.
    pub(super) fn call_external(
        &mut self,
        known: Option<usize>,
        external: External,
        args: &[Value],
        results: &[Prim],
    ) -> ValueList {
        let at = known.unwrap_or_else(|| {
            self.program.externals.push(external);
            self.program.externals.len() - 1
        });
        let call = crate::ir::RuntimeCall::External(u32::try_from(at).unwrap_or(u32::MAX));
        let site = self.builder.site(Trap::Call);
        self.builder.push(Opcode::Call(call, site), args, results.iter().copied())
    }

    /// A new array whose elements are anything.
    pub(super) fn empty_array(&mut self, dtype: Ty, shape: &[Value]) -> Result<Typed> {
        self.allocate(dtype, shape, false)
    }

    pub(super) fn allocate(&mut self, dtype: Ty, shape: &[Value], is_zero: bool) -> Result<Typed> {
        let zero = self.builder.int(0);
        for extent in shape {
            let fits = self.builder.emit(Opcode::Cmp(Cond::Ge, true), &[*extent, zero], Prim::Bool);
            self.builder.check(fits, Trap::Value("negative dimensions not allowed".into()), &[]);
        }
        let code = self.builder.int(crate::memory::dtype_code(dtype));
        let fill = self.builder.int(i64::from(is_zero));
        let ndim = self.builder.int(i64::try_from(shape.len()).unwrap_or(i64::MAX));
        let args: ValueList = [code, fill, ndim].into_iter().chain(shape.iter().copied()).collect();
        let made = self.external("alloc", crate::memory::alloc, &args, &[Prim::Owner, Prim::Ptr]);
        let mut strides = Vec::with_capacity(shape.len());
        let mut stride = self.builder.int(dtype.itemsize());
        for extent in shape.iter().rev() {
            strides.push(stride);
            stride = self.builder.emit(Opcode::Mul, &[stride, *extent], Prim::Int);
        }
        strides.reverse();
        let words = made.into_iter().chain(shape.iter().copied()).chain(strides).collect();
        let array = Typed::new(Ty::array(dtype, shape.len(), ArrayLayout::C), words);
        self.keep_for_statement(&array);
        Ok(array)
    }

    /// The extents that an argument gives: one number, or a tuple of them.
    pub(super) fn extents(&mut self, shape: &Typed) -> Result<Vec<Value>> {
        let items = shape.items().unwrap_or_else(|| vec![shape.clone()]);
        let mut extents = Vec::with_capacity(items.len());
        for item in &items {
            let item = self.unwrap(item)?;
            if !item.ty.is_integral() {
                return Err(Error::typing(format!("a shape has integers, not {}", item.ty)));
            }
            extents.push(self.convert(&item, Ty::int64())?.word());
        }
        Ok(extents)
    }

    /// Writes a number, or the elements of an array that broadcasts, to all elements.
    pub(super) fn assign_array(&mut self, target: &Typed, value: &Typed) -> Result<()> {
        let Some(array) = target.ty.as_array() else {
            return Err(Error::typing(format!("{} is no array", target.ty)));
        };
        self.check_writable(target, target.ty)?;
        if let Some(lazy) = self.lazy_of(value)
            && (1..=array.ndim).contains(&lazy.shape.len())
        {
            self.check_broadcast(&lazy.shape, target, array);
            return self.assign_lazy(target, &lazy);
        }
        let value = self.made(value)?;
        let value = self.unwrap(&value)?;
        if value.items().is_some() {
            let array = self.array_of("numpy.array", Args::of(vec![value]))?;
            return self.assign_array(target, &array);
        }
        let Some(source) = value.ty.as_array() else {
            if !value.ty.is_number() {
                return Err(Error::typing(format!(
                    "{} cannot be assigned to {}",
                    value.ty, target.ty
                )));
            }
            let value = self.convert(&value, array.dtype)?;
            return self.fill_from(target, &ElementExpr::Number(value));
        };
        if source.ndim > array.ndim {
            return Err(Error::typing(format!("{} does not broadcast to {}", value.ty, target.ty)));
        }
        self.check_broadcast(&value.words[2..2 + source.ndim], target, array);
        let value = self.apart(target, &value)?;
        self.fill_from(target, &ElementExpr::Leaf(value))
    }

    /// Fails unless extents broadcast to those of an array.
    fn check_broadcast(&mut self, extents: &[Value], target: &Typed, array: &Array) {
        let one = self.builder.int(1);
        let place = &target.words[2..2 + array.ndim];
        let failure = Trap::BroadcastTo(u32::try_from(extents.len()).unwrap_or(u32::MAX));
        let shapes = [extents, place].concat();
        for (from, to) in extents.iter().zip(&place[array.ndim - extents.len()..]) {
            let same = self.builder.emit(Opcode::Cmp(Cond::Eq, true), &[*from, *to], Prim::Bool);
            let is_one = self.builder.emit(Opcode::Cmp(Cond::Eq, true), &[*from, one], Prim::Bool);
            let fits = self.builder.emit(Opcode::Or, &[same, is_one], Prim::Bool);
            self.builder.check(fits, failure.clone(), &shapes);
        }
    }

    /// An array that shares nothing with another: a copy if it may.
    fn apart(&mut self, target: &Typed, value: &Typed) -> Result<Typed> {
        let overlaps = self.may_overlap(target, value);
        let (yes, no) = self.split(overlaps);
        let Some(array) = value.ty.as_array() else { return Ok(value.clone()) };
        let any = Ty::new(TyKind::Array(Array { layout: ArrayLayout::Any, ..*array }));
        let (after, params) = self.builder.add_block(any.prims());
        self.builder.enter(yes);
        let copy = self.way(|infer| {
            let cast = infer.array_cast(value, array.dtype)?;
            infer.made_array(&cast)
        })?;
        self.builder.end(Terminator::Jump((after, copy.words)));
        self.builder.enter(no);
        self.retain(value);
        self.builder.end(Terminator::Jump((after, value.words.clone())));
        self.builder.enter(after);
        let ty = if array.layout == ArrayLayout::C { value.ty } else { any };
        let mut words = params;
        if array.layout == ArrayLayout::C && array.ndim > 0 {
            let last = words.len() - 1;
            words[last] = self.builder.int(array.dtype.itemsize());
        }
        let found = Typed::new(ty, words);
        self.keep_for_statement(&found);
        Ok(found)
    }

    /// `a += b` of an array: writes to it, in its dtype.
    pub(super) fn array_in_place(
        &mut self,
        op: Binary,
        before: &Typed,
        value: &Typed,
    ) -> Result<Typed> {
        let Some(array) = before.ty.as_array() else { return self.binary(op, before, value) };
        self.check_writable(before, before.ty)?;
        let result = self.array_binary(op, before, value)?;
        let TyKind::Lazy(id) = *result.ty else {
            self.assign_array(before, &result)?;
            return Ok(before.clone());
        };
        let lazy = self.lazy[id as usize].clone();
        if !lazy.dtype.casts_within_kind(array.dtype) {
            return Err(Error::typing(format!(
                "an array of {} cannot take {} in place: the result would lose its kind",
                array.dtype, lazy.dtype
            )));
        }
        let mut leaves = Vec::new();
        collect_leaves(&lazy.node, &mut leaves);
        if lazy.shape.len() == array.ndim && leaves.iter().all(|it| it == before) {
            self.fill_from(before, &lazy.node)?;
        } else {
            self.assign_array(before, &result)?;
        }
        Ok(before.clone())
    }

    pub(super) fn item_by_array(&mut self, of: &Typed, index: &Typed) -> Result<Typed> {
        self.call_library("getitem", vec![of.clone(), index.clone()])
    }

    pub(super) fn set_by_array(&mut self, of: &Typed, index: &Typed, value: &Typed) -> Result<()> {
        let value = self.made(value)?;
        self.call_library("setitem", vec![of.clone(), index.clone(), value]).map(drop)
    }

    /// Calls a function of the host's library.
    pub(super) fn call_library(&mut self, name: &str, args: Vec<Typed>) -> Result<Typed> {
        match self.host.library(name)? {
            Some(object) => {
                self.call_value(&Typed::fact(Ty::new(TyKind::Function(object))), Args::of(args))
            }
            None => Err(Error::typing(format!("{name} of arrays is not there"))),
        }
    }
}

impl Ty {
    /// The dtype of a name.
    pub fn of_name(name: &str) -> Option<Ty> {
        Some(match name {
            "bool" => Ty::bool(),
            "int8" => Ty::int(8, true),
            "int16" => Ty::int(16, true),
            "int32" => Ty::int(32, true),
            "int64" => Ty::int64(),
            "uint8" => Ty::int(8, false),
            "uint16" => Ty::int(16, false),
            "uint32" => Ty::int(32, false),
            "uint64" => Ty::uint64(),
            "float16" => Ty::new(TyKind::Float(16)),
            "float32" => Ty::float32(),
            "float64" => Ty::float64(),
            "complex64" => Ty::complex64(),
            "complex128" => Ty::complex128(),
            _ => return None,
        })
    }

    /// Whether an array of another dtype takes numbers of this one in place.
    pub fn casts_within_kind(self, to: Ty) -> bool {
        let rank = |ty: Ty| match *ty {
            TyKind::Bool => 0,
            TyKind::Int(_) => 1,
            TyKind::Float(_) => 2,
            _ => 3,
        };
        rank(self) <= rank(to)
    }
}
