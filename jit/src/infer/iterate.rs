//! `for`: over ranges, tuples, arrays, and what is made of them.

use super::control::LoopBody;
use super::state::Infer;
use super::value::Typed;
use crate::ast::{AssignTarget, Ast, ExprId, Span, Stmt};
use crate::error::{Error, Result};
use crate::ir::{Cond, Opcode, Trap, Value, ValueList};
use crate::liveness;
use crate::types::{Iter, Prim, Ty, TyKind};

/// Loops over mixed tuples are written out up to so many items.
const MAX_UNROLLED: usize = 16;

impl Infer<'_> {
    pub(super) fn for_loop(
        &mut self,
        ast: &Ast,
        target: &AssignTarget,
        iterable: ExprId,
        body: &[Stmt],
        other: &[Stmt],
    ) -> Result<()> {
        let span = ast.span(iterable);
        let items = self.expr(ast, iterable)?;
        let items = self.unwrap(&items)?;
        // The body may bind what is looped over to something else.
        self.hold_for_statement(&items);
        if let Some(list) = self.unrolled(&items)? {
            return self.unrolled_loop(ast, target, list, body, other);
        }
        let source = self.iteration(&items).map_err(|it| self.placed(it, span))?;
        let scope = self.scope();
        let code = scope.code.clone();
        let function = code.ast.function(scope.function);
        let carried = liveness::carried(ast, function, None, body, Some(target));
        let mut turn = ForTurn { ast, target, source, body, span };
        self.write_loop(ast, carried, &mut turn, other)
    }

    /// The items of what is looped over by writing the body for each.
    fn unrolled(&mut self, items: &Typed) -> Result<Option<Vec<Typed>>> {
        let list = match &*items.ty {
            TyKind::Tuple(_) | TyKind::NamedTuple(..) => items.items().unwrap_or_default(),
            TyKind::Iter(Iter::Enumerate, types) => {
                let Some(list) = self.unrolled(&items.part(types, 0))? else { return Ok(None) };
                let start = items.part(types, 1);
                let mut numbered = Vec::with_capacity(list.len());
                for (at, item) in (0..).zip(list) {
                    let at = self.int(at);
                    let at = self.number_binary(crate::ast::Binary::Add, &start, &at)?;
                    numbered.push(Typed::tuple(&[at, item]));
                }
                numbered
            }
            TyKind::Iter(Iter::Zip, types) => {
                let mut lists = Vec::with_capacity(types.len());
                for at in 0..types.len() {
                    let Some(list) = self.unrolled(&items.part(types, at))? else {
                        return Ok(None);
                    };
                    lists.push(list);
                }
                let count = lists.iter().map(Vec::len).min().unwrap_or(0);
                let row = |at: usize| {
                    Typed::tuple(&lists.iter().map(|it| it[at].clone()).collect::<Vec<_>>())
                };
                (0..count).map(row).collect()
            }
            _ => return Ok(None),
        };
        if list.len() > MAX_UNROLLED {
            let is_uniform = list.iter().all(|it| it.ty == list[0].ty);
            if !is_uniform {
                return Err(Error::typing(format!(
                    "a loop over a tuple of several types has at most {MAX_UNROLLED} items, not {}",
                    list.len()
                )));
            }
        }
        Ok(Some(list))
    }

    fn unrolled_loop(
        &mut self,
        ast: &Ast,
        target: &AssignTarget,
        list: Vec<Typed>,
        body: &[Stmt],
        other: &[Stmt],
    ) -> Result<()> {
        self.scope_mut().loops.push(super::scope::LoopFrame::default());
        for item in list {
            self.assign(ast, target, item)?;
            self.block(ast, body)?;
            let last = self.leave(None);
            let scope = self.scope_mut();
            let mut edges = scope
                .loops
                .last_mut()
                .map(|it| std::mem::take(&mut it.continues))
                .unwrap_or_default();
            edges.extend(last);
            self.join(edges)?;
            if self.is_dead {
                break;
            }
        }
        let breaks = self.scope_mut().loops.pop().map(|it| it.breaks).unwrap_or_default();
        self.block(ast, other)?;
        let mut edges: Vec<_> = self.leave(None).into_iter().collect();
        edges.extend(breaks);
        self.join(edges)
    }

    /// How a value is looped over.
    fn iteration(&mut self, items: &Typed) -> Result<Box<dyn Iterable>> {
        match &*items.ty {
            TyKind::Range => Ok(Box::new(RangeSource {
                start: items.words[0],
                stop: items.words[1],
                step: items.words[2],
                is_counted: false,
            })),
            TyKind::Iter(Iter::Enumerate, types) => {
                let inner = self.iteration(&items.part(types, 0))?;
                Ok(Box::new(EnumerateSource { inner, start: items.part(types, 1).word() }))
            }
            TyKind::Iter(Iter::Zip, types) => {
                let inner: Result<Vec<_>> =
                    (0..types.len()).map(|at| self.iteration(&items.part(types, at))).collect();
                Ok(Box::new(ZipSource { inner: inner?, own: Vec::new() }))
            }
            TyKind::Array(array) if array.ndim > 0 => {
                let extent = items.words[2];
                Ok(Box::new(ItemsSource { of: items.clone(), extent }))
            }
            TyKind::Flat(_) => {
                let extent = self.flat_size(items);
                Ok(Box::new(ItemsSource { of: items.clone(), extent }))
            }
            TyKind::Iter(Iter::NdIndex, types) => {
                let extents = items.part(types, 0);
                Ok(Box::new(GridSource { extents: extents.words.clone(), of: None }))
            }
            TyKind::Iter(Iter::NdEnumerate, types) => {
                let of = items.part(types, 0);
                let ndim = of.ty.as_array().map_or(0, |it| it.ndim);
                Ok(Box::new(GridSource { extents: of.words[2..2 + ndim].into(), of: Some(of) }))
            }
            _ => Err(Error::typing(format!(
                "cannot loop over {}: loops run over range, arrays, tuples, enumerate and zip",
                items.ty
            ))),
        }
    }

    /// The items of a uniform tuple when its index is known at run time only.
    pub(super) fn tuple_item(&mut self, of: &Typed, index: &Typed) -> Result<Typed> {
        let items = of.items().unwrap_or_default();
        let Some(first) = items.first() else { return Err(Error::typing("the tuple is empty")) };
        if items.iter().any(|it| it.ty != first.ty) {
            return Err(Error::typing(format!(
                "{} has items of several types: its index has to be a constant",
                of.ty
            )));
        }
        let index = self.convert(index, Ty::int64())?;
        let extent = self.builder.int(i64::try_from(items.len()).unwrap_or(i64::MAX));
        let site = self.builder.site(Trap::Index(0, false));
        let at =
            self.builder.push(Opcode::CheckIndex(site), &[index.word(), extent], [Prim::Int])[0];
        let mut found = first.clone();
        for (number, item) in (1..).zip(&items[1..]) {
            let number = self.builder.int(number);
            let is_it = self.builder.emit(Opcode::Cmp(Cond::Eq, true), &[at, number], Prim::Bool);
            let prims = item.ty.prims();
            let words = item.words.iter().zip(&found.words).zip(&prims);
            found.words = words
                .map(|((a, b), prim)| self.builder.emit(Opcode::Select, &[is_it, *a, *b], *prim))
                .collect();
        }
        Ok(found)
    }
}

/// Something that is looped over: its own words, whether there is more, and what an item is.
pub(super) trait Iterable {
    fn start(&mut self, infer: &mut Infer<'_>) -> Result<Vec<(Value, Prim)>>;
    fn test(&mut self, infer: &mut Infer<'_>, own: &[Value]) -> Value;
    fn item(&mut self, infer: &mut Infer<'_>, own: &[Value]) -> Result<Typed>;
    fn next(&mut self, infer: &mut Infer<'_>, own: &[Value]) -> ValueList;
}

struct ForTurn<'a> {
    ast: &'a Ast,
    target: &'a AssignTarget,
    source: Box<dyn Iterable>,
    body: &'a [Stmt],
    span: Span,
}

impl LoopBody for ForTurn<'_> {
    fn start(&mut self, infer: &mut Infer<'_>) -> Result<Vec<(Value, Prim)>> {
        self.source.start(infer)
    }

    fn test(&mut self, infer: &mut Infer<'_>, own: &[Value]) -> Result<Option<Value>> {
        Ok(Some(self.source.test(infer, own)))
    }

    fn body(&mut self, infer: &mut Infer<'_>, own: &[Value]) -> Result<()> {
        infer.set_place(self.span);
        infer.statement(|infer| {
            let item = self.source.item(infer, own)?;
            infer.assign(self.ast, self.target, item)
        })?;
        infer.block(self.ast, self.body)
    }

    fn next(&mut self, infer: &mut Infer<'_>, own: &[Value]) -> Result<ValueList> {
        Ok(self.source.next(infer, own))
    }
}

/// By ones it compares with the end; by other steps, which might go past the last number, it counts.
struct RangeSource {
    start: Value,
    stop: Value,
    step: Value,
    is_counted: bool,
}

impl Iterable for RangeSource {
    fn start(&mut self, infer: &mut Infer<'_>) -> Result<Vec<(Value, Prim)>> {
        let step = infer.builder.function.constant(self.step).map(u64::cast_signed);
        self.is_counted = !matches!(step, Some(1 | -1));
        let mut own = vec![(self.start, Prim::Int)];
        if self.is_counted {
            own.push((range_length(infer, self.start, self.stop, self.step), Prim::Int));
        }
        Ok(own)
    }

    fn test(&mut self, infer: &mut Infer<'_>, own: &[Value]) -> Value {
        if self.is_counted {
            let zero = infer.builder.int(0);
            return infer.builder.emit(Opcode::Cmp(Cond::Ne, true), &[own[1], zero], Prim::Bool);
        }
        let is_up = infer.builder.function.constant(self.step) == Some(1);
        let cond = if is_up { Cond::Lt } else { Cond::Gt };
        infer.builder.emit(Opcode::Cmp(cond, true), &[own[0], self.stop], Prim::Bool)
    }

    fn item(&mut self, _infer: &mut Infer<'_>, own: &[Value]) -> Result<Typed> {
        Ok(Typed::one(Ty::int64(), own[0]))
    }

    fn next(&mut self, infer: &mut Infer<'_>, own: &[Value]) -> ValueList {
        let mut next = ValueList::new();
        next.push(infer.builder.emit(Opcode::Add, &[own[0], self.step], Prim::Int));
        if self.is_counted {
            let one = infer.builder.int(1);
            next.push(infer.builder.emit(Opcode::Sub, &[own[1], one], Prim::Int));
        }
        next
    }
}

/// How many numbers a range has, none if the step leads away from its end.
pub(super) fn range_length(infer: &mut Infer<'_>, start: Value, stop: Value, step: Value) -> Value {
    let builder = &mut infer.builder;
    let zero = builder.int(0);
    let one = builder.int(1);
    let is_up = builder.emit(Opcode::Cmp(Cond::Gt, true), &[step, zero], Prim::Bool);
    let low = builder.emit(Opcode::Select, &[is_up, start, stop], Prim::Int);
    let high = builder.emit(Opcode::Select, &[is_up, stop, start], Prim::Int);
    let negated = builder.emit(Opcode::Sub, &[zero, step], Prim::Int);
    let by = builder.emit(Opcode::Select, &[is_up, step, negated], Prim::Int);
    let is_some = builder.emit(Opcode::Cmp(Cond::Lt, true), &[low, high], Prim::Bool);
    // The distance may need all 64 bits, without a sign.
    let distance = builder.emit(Opcode::Sub, &[high, low], Prim::Int);
    let last = builder.emit(Opcode::Sub, &[distance, one], Prim::Int);
    let is_none = builder.emit(Opcode::Cmp(Cond::Eq, true), &[by, zero], Prim::Bool);
    let by = builder.emit(Opcode::Select, &[is_none, one, by], Prim::Int);
    let turns = builder.emit(Opcode::Div(false), &[last, by], Prim::Int);
    let count = builder.emit(Opcode::Add, &[turns, one], Prim::Int);
    builder.emit(Opcode::Select, &[is_some, count, zero], Prim::Int)
}

struct EnumerateSource {
    inner: Box<dyn Iterable>,
    start: Value,
}

impl Iterable for EnumerateSource {
    fn start(&mut self, infer: &mut Infer<'_>) -> Result<Vec<(Value, Prim)>> {
        let mut own = vec![(self.start, Prim::Int)];
        own.extend(self.inner.start(infer)?);
        Ok(own)
    }

    fn test(&mut self, infer: &mut Infer<'_>, own: &[Value]) -> Value {
        self.inner.test(infer, &own[1..])
    }

    fn item(&mut self, infer: &mut Infer<'_>, own: &[Value]) -> Result<Typed> {
        let item = self.inner.item(infer, &own[1..])?;
        Ok(Typed::tuple(&[Typed::one(Ty::int64(), own[0]), item]))
    }

    fn next(&mut self, infer: &mut Infer<'_>, own: &[Value]) -> ValueList {
        let one = infer.builder.int(1);
        let mut next = ValueList::new();
        next.push(infer.builder.emit(Opcode::Add, &[own[0], one], Prim::Int));
        next.extend(self.inner.next(infer, &own[1..]));
        next
    }
}

struct ZipSource {
    inner: Vec<Box<dyn Iterable>>,
    /// How many words each has of its own.
    own: Vec<usize>,
}

impl ZipSource {
    fn parts<'a>(own: &'a [Value], widths: &[usize]) -> Vec<&'a [Value]> {
        let mut rest = own;
        widths
            .iter()
            .map(|width| {
                let (part, after) = rest.split_at(*width);
                rest = after;
                part
            })
            .collect()
    }
}

impl Iterable for ZipSource {
    fn start(&mut self, infer: &mut Infer<'_>) -> Result<Vec<(Value, Prim)>> {
        let mut all = Vec::new();
        self.own.clear();
        for inner in &mut self.inner {
            let own = inner.start(infer)?;
            self.own.push(own.len());
            all.extend(own);
        }
        Ok(all)
    }

    fn test(&mut self, infer: &mut Infer<'_>, own: &[Value]) -> Value {
        let mut more = infer.builder.bool(!self.inner.is_empty());
        for (inner, own) in self.inner.iter_mut().zip(Self::parts(own, &self.own)) {
            let truth = inner.test(infer, own);
            more = and(infer, more, truth);
        }
        more
    }

    fn item(&mut self, infer: &mut Infer<'_>, own: &[Value]) -> Result<Typed> {
        let mut items = Vec::with_capacity(self.inner.len());
        for (inner, own) in self.inner.iter_mut().zip(Self::parts(own, &self.own)) {
            items.push(inner.item(infer, own)?);
        }
        Ok(Typed::tuple(&items))
    }

    fn next(&mut self, infer: &mut Infer<'_>, own: &[Value]) -> ValueList {
        let mut next = ValueList::new();
        for (inner, own) in self.inner.iter_mut().zip(Self::parts(own, &self.own)) {
            next.extend(inner.next(infer, own));
        }
        next
    }
}

fn and(infer: &mut Infer<'_>, a: Value, b: Value) -> Value {
    match infer.builder.function.constant(a) {
        Some(1) => b,
        Some(_) => a,
        None => infer.builder.emit(Opcode::And, &[a, b], Prim::Bool),
    }
}

/// What has items by number.
struct ItemsSource {
    of: Typed,
    extent: Value,
}

impl Iterable for ItemsSource {
    fn start(&mut self, infer: &mut Infer<'_>) -> Result<Vec<(Value, Prim)>> {
        Ok(vec![(infer.builder.int(0), Prim::Int)])
    }

    fn test(&mut self, infer: &mut Infer<'_>, own: &[Value]) -> Value {
        infer.builder.emit(Opcode::Cmp(Cond::Lt, true), &[own[0], self.extent], Prim::Bool)
    }

    fn item(&mut self, infer: &mut Infer<'_>, own: &[Value]) -> Result<Typed> {
        let index = Typed::one(Ty::int64(), own[0]);
        infer.item(&self.of.clone(), &index)
    }

    fn next(&mut self, infer: &mut Infer<'_>, own: &[Value]) -> ValueList {
        let one = infer.builder.int(1);
        ValueList::from_slice(&[infer.builder.emit(Opcode::Add, &[own[0], one], Prim::Int)])
    }
}

/// All indices of a shape in row-major order, and the elements there if there is an array.
struct GridSource {
    extents: ValueList,
    of: Option<Typed>,
}

impl GridSource {
    fn index(own: &[Value]) -> Typed {
        let items: Vec<Typed> = own[1..].iter().map(|it| Typed::one(Ty::int64(), *it)).collect();
        Typed::tuple(&items)
    }
}

impl Iterable for GridSource {
    fn start(&mut self, infer: &mut Infer<'_>) -> Result<Vec<(Value, Prim)>> {
        let mut left = infer.builder.int(1);
        for extent in self.extents.clone() {
            left = infer.builder.emit(Opcode::Mul, &[left, extent], Prim::Int);
        }
        let mut own = vec![(left, Prim::Int)];
        own.extend(self.extents.iter().map(|_| (infer.builder.int(0), Prim::Int)));
        Ok(own)
    }

    fn test(&mut self, infer: &mut Infer<'_>, own: &[Value]) -> Value {
        let zero = infer.builder.int(0);
        infer.builder.emit(Opcode::Cmp(Cond::Gt, true), &[own[0], zero], Prim::Bool)
    }

    fn item(&mut self, infer: &mut Infer<'_>, own: &[Value]) -> Result<Typed> {
        let index = Self::index(own);
        match self.of.clone() {
            None => Ok(index),
            Some(of) => {
                let element = infer.item(&of, &index)?;
                Ok(Typed::tuple(&[index, element]))
            }
        }
    }

    /// The last index counts up; one that reaches its end starts over and moves the one before.
    fn next(&mut self, infer: &mut Infer<'_>, own: &[Value]) -> ValueList {
        let builder = &mut infer.builder;
        let (zero, one) = (builder.int(0), builder.int(1));
        let mut next: ValueList = own.into();
        next[0] = builder.emit(Opcode::Sub, &[own[0], one], Prim::Int);
        let mut moves = builder.bool(true);
        for at in (0..self.extents.len()).rev() {
            let step = builder.emit(
                Opcode::Convert(crate::ir::Convert::Wrap(64, true)),
                &[moves],
                Prim::Int,
            );
            let moved = builder.emit(Opcode::Add, &[own[at + 1], step], Prim::Int);
            let is_end =
                builder.emit(Opcode::Cmp(Cond::Eq, true), &[moved, self.extents[at]], Prim::Bool);
            next[at + 1] = builder.emit(Opcode::Select, &[is_end, zero, moved], Prim::Int);
            moves = is_end;
        }
        next
    }
}
