//! Loops over all elements: dense, strided, and rows of either kind.

use super::element_expr::{ElementExpr, ElementFn, Lazy, collect_leaves};
use super::state::Infer;
use super::value::Typed;
use crate::ast::Binary;
use crate::error::{Error, Result};
use crate::ir::{Block, Cond, Opcode, Terminator, Trap, Value, ValueList};
use crate::types::{Array, ArrayLayout, Prim, Ty, TyKind};

impl Infer<'_> {
    /// A value as an array or number that is there: what is computed late is computed now.
    pub(super) fn made(&mut self, value: &Typed) -> Result<Typed> {
        let TyKind::Lazy(id) = *value.ty else { return Ok(value.clone()) };
        let lazy = self.lazy[id as usize].clone();
        if lazy.shape.is_empty() {
            // Of arrays without dimensions numpy makes a number.
            return self
                .element(&lazy.node, &mut |infer, leaf| Ok(infer.load_leaf(leaf, leaf.words[1])));
        }
        let target = self.empty_array(lazy.dtype, &lazy.shape)?;
        self.fill_from(&target, &lazy.node)?;
        Ok(target)
    }

    /// Writes what is computed late to an array, at once where that reads nothing written before: what
    /// shares memory with the target is then the target itself.
    pub(super) fn assign_lazy(&mut self, target: &Typed, lazy: &Lazy) -> Result<()> {
        let mut leaves = Vec::new();
        collect_leaves(&lazy.node, &mut leaves);
        let mut clashes = self.builder.bool(lazy.node.may_raise());
        for leaf in leaves.iter().filter(|it| it.words != target.words) {
            let overlaps = self.may_overlap(target, leaf);
            let moves = self.is_other_view(target, leaf);
            let both = self.builder.emit(Opcode::And, &[overlaps, moves], Prim::Bool);
            clashes = self.builder.emit(Opcode::Or, &[clashes, both], Prim::Bool);
        }
        let (apart, at_once) = self.split(clashes);
        let (after, _) = self.builder.add_block([]);
        self.builder.enter(apart);
        self.statement(|infer| {
            let made = infer.empty_array(lazy.dtype, &lazy.shape)?;
            infer.strided_loop(&made, &lazy.node)?;
            infer.strided_loop(target, &ElementExpr::Leaf(made))
        })?;
        self.builder.end(Terminator::Jump((after, ValueList::new())));
        self.builder.enter(at_once);
        self.fill_from(target, &lazy.node)?;
        self.builder.end(Terminator::Jump((after, ValueList::new())));
        self.builder.enter(after);
        Ok(())
    }

    /// Whether an array is another view than a target of as many dimensions.
    fn is_other_view(&mut self, target: &Typed, leaf: &Typed) -> Value {
        if target.words.len() != leaf.words.len() {
            return self.builder.bool(true);
        }
        let mut is_other = self.builder.bool(false);
        for (a, b) in target.words[1..].iter().zip(&leaf.words[1..]).filter(|(a, b)| a != b) {
            let differs = self.builder.emit(Opcode::Cmp(Cond::Ne, true), &[*a, *b], Prim::Bool);
            is_other = self.builder.emit(Opcode::Or, &[is_other, differs], Prim::Bool);
        }
        is_other
    }

    fn load_leaf(&mut self, leaf: &Typed, address: Value) -> Typed {
        let dtype = leaf.ty.as_array().map_or_else(Ty::float64, |it| it.dtype);
        self.load(address, dtype)
    }

    /// Computes the elements of an array, whose extents a tree broadcasts to.
    pub(super) fn fill_from(&mut self, target: &Typed, node: &ElementExpr) -> Result<()> {
        let Some(array) = target.ty.as_array() else { return Ok(()) };
        let mut leaves = Vec::new();
        collect_leaves(node, &mut leaves);
        let is_dense = |it: &Typed| {
            it.ty.as_array().is_some_and(|it| it.layout == ArrayLayout::C && it.ndim == array.ndim)
        };
        if array.layout != ArrayLayout::C || !leaves.iter().all(is_dense) {
            return self.strided_loop(target, node);
        }
        // One loop over all elements, if the extents agree.
        let mut same = self.builder.bool(true);
        for leaf in &leaves {
            for dim in 0..array.ndim {
                let (a, b) = (leaf.words[2 + dim], target.words[2 + dim]);
                if a != b {
                    let equal = self.builder.emit(Opcode::Cmp(Cond::Eq, true), &[a, b], Prim::Bool);
                    same = self.builder.emit(Opcode::And, &[same, equal], Prim::Bool);
                }
            }
        }
        if self.builder.function.constant(same) == Some(1) {
            return self.dense_loop(target, array, node);
        }
        let (dense, strided) = self.split(same);
        let (after, _) = self.builder.add_block([]);
        self.builder.enter(dense);
        self.dense_loop(target, array, node)?;
        self.builder.end(Terminator::Jump((after, ValueList::new())));
        self.builder.enter(strided);
        self.strided_loop(target, node)?;
        self.builder.end(Terminator::Jump((after, ValueList::new())));
        self.builder.enter(after);
        Ok(())
    }

    fn dense_loop(&mut self, target: &Typed, array: &Array, node: &ElementExpr) -> Result<()> {
        let count = self.flat_size(target);
        let address = target.words[1];
        self.counted(count, &mut |infer, at| {
            let mut load = |infer: &mut Self, leaf: &Typed| {
                let dtype = leaf.ty.as_array().map_or_else(Ty::float64, |it| it.dtype);
                let address = infer.dense_address(leaf.words[1], at, dtype);
                Ok(infer.load(address, dtype))
            };
            let value = infer.element(node, &mut load)?;
            let address = infer.dense_address(address, at, array.dtype);
            infer.store(address, array.dtype, &value)
        })
    }

    fn dense_address(&mut self, address: Value, at: Value, dtype: Ty) -> Value {
        let item = self.builder.int(dtype.itemsize());
        let bytes = self.builder.emit(Opcode::Mul, &[at, item], Prim::Int);
        self.builder.emit(Opcode::Offset, &[address, bytes], Prim::Ptr)
    }

    fn strided_loop(&mut self, target: &Typed, node: &ElementExpr) -> Result<()> {
        let Some(array) = target.ty.as_array() else { return Ok(()) };
        if array.ndim == 0 {
            let mut load =
                |infer: &mut Self, leaf: &Typed| Ok(infer.load_leaf(leaf, leaf.words[1]));
            let value = self.element(node, &mut load)?;
            return self.store(target.words[1], array.dtype, &value);
        }
        self.nested(target, array, node, &mut Vec::with_capacity(array.ndim))
    }

    fn nested(
        &mut self,
        target: &Typed,
        array: &Array,
        node: &ElementExpr,
        indices: &mut Vec<Value>,
    ) -> Result<()> {
        let extent = target.words[2 + indices.len()];
        if indices.len() + 1 == array.ndim {
            return self.innermost(target, array, node, indices);
        }
        self.counted(extent, &mut |infer, at| {
            indices.push(at);
            let done = infer.nested(target, array, node, indices);
            indices.pop();
            done
        })
    }

    /// The innermost loop: one for rows whose elements follow each other, and one for others.
    fn innermost(
        &mut self,
        target: &Typed,
        array: &Array,
        node: &ElementExpr,
        indices: &[Value],
    ) -> Result<()> {
        let mut rows = vec![target.clone()];
        collect_leaves(node, &mut rows);
        let are_dense = self.are_dense_rows(&rows);
        if self.builder.function.constant(are_dense).is_some() || rows.len() > MAX_ROWS {
            let is_dense = self.builder.function.constant(are_dense) == Some(1);
            return self.row(target, array, node, indices, is_dense);
        }
        let (dense, strided) = self.split(are_dense);
        let (after, _) = self.builder.add_block([]);
        for (block, is_dense) in [(dense, true), (strided, false)] {
            self.builder.enter(block);
            self.row(target, array, node, indices, is_dense)?;
            self.builder.end(Terminator::Jump((after, ValueList::new())));
        }
        self.builder.enter(after);
        Ok(())
    }

    /// Whether the elements of the last dimension of each follow each other, and none is repeated.
    fn are_dense_rows(&mut self, rows: &[Typed]) -> Value {
        let mut all = self.builder.bool(true);
        let of = |row: &Typed| {
            let array = row.ty.as_array().filter(|it| it.ndim > 0)?;
            let (extent, stride) = (row.words[1 + array.ndim], row.words[1 + 2 * array.ndim]);
            Some((extent, stride, array.dtype.itemsize()))
        };
        let extent = rows.first().and_then(of).map(|it| it.0);
        for (own, stride, itemsize) in rows.iter().filter_map(of) {
            let item = self.builder.int(itemsize);
            for (a, b) in [(Some(stride), item), (extent, own)] {
                let Some(a) = a.filter(|it| *it != b) else { continue };
                let same = self.builder.emit(Opcode::Cmp(Cond::Eq, true), &[a, b], Prim::Bool);
                all = self.builder.emit(Opcode::And, &[all, same], Prim::Bool);
            }
        }
        all
    }

    fn row(
        &mut self,
        target: &Typed,
        array: &Array,
        node: &ElementExpr,
        indices: &[Value],
        is_dense: bool,
    ) -> Result<()> {
        let extent = target.words[2 + indices.len()];
        self.counted(extent, &mut |infer, at| {
            let here: Vec<Value> = indices.iter().copied().chain([at]).collect();
            let mut load = |infer: &mut Self, leaf: &Typed| {
                let address = infer.broadcast_address(leaf, &here, is_dense);
                Ok(infer.load_leaf(leaf, address))
            };
            let value = infer.element(node, &mut load)?;
            let address = infer.broadcast_address(target, &here, is_dense);
            infer.store(address, array.dtype, &value)
        })
    }

    /// Where the element of an index lies in an array that broadcasts: an extent of one does not move.
    /// In a dense row, elements follow each other.
    fn broadcast_address(&mut self, leaf: &Typed, indices: &[Value], is_dense: bool) -> Value {
        let Some(array) = leaf.ty.as_array() else { return leaf.words[1] };
        let (ndim, itemsize) = (array.ndim, array.dtype.itemsize());
        let mut address = leaf.words[1];
        let one = self.builder.int(1);
        let zero = self.builder.int(0);
        for (dim, index) in indices[indices.len() - ndim..].iter().enumerate() {
            let step = if is_dense && dim + 1 == ndim {
                self.builder.int(itemsize)
            } else {
                let (extent, stride) = (leaf.words[2 + dim], leaf.words[2 + ndim + dim]);
                let is_one =
                    self.builder.emit(Opcode::Cmp(Cond::Eq, true), &[extent, one], Prim::Bool);
                self.builder.emit(Opcode::Select, &[is_one, zero, stride], Prim::Int)
            };
            let bytes = self.builder.emit(Opcode::Mul, &[*index, step], Prim::Int);
            address = self.builder.emit(Opcode::Offset, &[address, bytes], Prim::Ptr);
        }
        address
    }

    /// Computes one element.
    fn element(
        &mut self,
        node: &ElementExpr,
        load: &mut dyn FnMut(&mut Self, &Typed) -> Result<Typed>,
    ) -> Result<Typed> {
        let (function, operands, dtype) = match node {
            ElementExpr::Leaf(leaf) => return load(self, leaf),
            ElementExpr::Number(number) => return Ok(number.clone()),
            ElementExpr::Apply(function, operands, dtype) => (function, operands, *dtype),
        };
        let mut values = Vec::with_capacity(operands.len());
        for operand in operands {
            values.push(self.element(operand, load)?);
        }
        let outer = std::mem::replace(&mut self.is_elementwise, true);
        let result = self.applied(function, &values);
        self.is_elementwise = outer;
        let result = result?;
        self.convert(&result, dtype)
    }

    fn applied(&mut self, function: &ElementFn, values: &[Typed]) -> Result<Typed> {
        let computed = match function {
            ElementFn::Binary(_, ty) | ElementFn::Compare(_, ty) | ElementFn::Named(_, ty) => {
                Some(*ty)
            }
            ElementFn::Unary(_) | ElementFn::Cast | ElementFn::Host(..) => None,
        };
        if let ElementFn::Host(function, types, _) = function {
            return self.applied_host(*function, types, values);
        }
        let mut operands = Vec::with_capacity(values.len());
        for value in values {
            operands.push(match computed {
                Some(ty) => self.convert(value, ty)?,
                None => value.clone(),
            });
        }
        match (function, operands.as_slice()) {
            (ElementFn::Binary(op, ty), [a, b]) if **ty == TyKind::Bool && *op == Binary::Add => {
                Ok(self.word_op(Opcode::Or, &[a.word(), b.word()], *ty))
            }
            (ElementFn::Binary(op, ty), [a, b]) if **ty == TyKind::Bool && *op == Binary::Mul => {
                Ok(self.word_op(Opcode::And, &[a.word(), b.word()], *ty))
            }
            (ElementFn::Binary(op, _), [a, b]) => self.number_binary(*op, a, b),
            (ElementFn::Compare(compare, _), [a, b]) => self.compare(*compare, a, b),
            (ElementFn::Unary(op), [a]) => self.number_unary(*op, a),
            (ElementFn::Named(name, _), [a]) => self.function_of_one(name, a),
            (ElementFn::Named(name, _), [a, b]) => self.function_of_two(name, a, b),
            (ElementFn::Cast, [a]) => Ok(a.clone()),
            _ => Err(Error::typing("a function of elements takes one or two")),
        }
    }

    fn applied_host(
        &mut self,
        function: crate::types::Obj,
        types: &[Ty],
        values: &[Typed],
    ) -> Result<Typed> {
        let mut operands = Vec::with_capacity(values.len());
        for (value, ty) in values.iter().zip(types) {
            operands.push(self.convert(value, *ty)?);
        }
        // Within it, numbers raise as they do elsewhere.
        let outer = std::mem::replace(&mut self.is_elementwise, false);
        let result = self.call_function(function, super::bind::Args::of(operands));
        self.is_elementwise = outer;
        result
    }

    /// A loop that counts from zero.
    pub(super) fn counted(
        &mut self,
        count: Value,
        body: &mut dyn FnMut(&mut Self, Value) -> Result<()>,
    ) -> Result<()> {
        let zero = self.builder.int(0);
        let (head, params) = self.builder.add_block([Prim::Int]);
        self.builder.end(Terminator::Jump((head, ValueList::from_slice(&[zero]))));
        self.builder.enter(head);
        let at = params[0];
        let goes_on = self.builder.emit(Opcode::Cmp(Cond::Lt, true), &[at, count], Prim::Bool);
        let (inside, outside): (Block, Block) = self.split(goes_on);
        self.builder.enter(inside);
        self.statement(|infer| body(infer, at))?;
        let one = self.builder.int(1);
        let next = self.builder.emit(Opcode::Add, &[at, one], Prim::Int);
        let site = self.builder.site(Trap::Call);
        self.builder.push(Opcode::Poll(site), &[], []);
        self.builder.end(Terminator::Jump((head, ValueList::from_slice(&[next]))));
        self.builder.enter(outside);
        Ok(())
    }

    /// Whether two arrays may have elements in common, by the ranges of their addresses.
    pub(super) fn may_overlap(&mut self, a: &Typed, b: &Typed) -> Value {
        let (a_low, a_high) = self.address_range(a);
        let (b_low, b_high) = self.address_range(b);
        let first = self.builder.emit(Opcode::Cmp(Cond::Lt, false), &[a_low, b_high], Prim::Bool);
        let second = self.builder.emit(Opcode::Cmp(Cond::Lt, false), &[b_low, a_high], Prim::Bool);
        self.builder.emit(Opcode::And, &[first, second], Prim::Bool)
    }

    fn address_range(&mut self, of: &Typed) -> (Value, Value) {
        let Some(array) = of.ty.as_array() else { return (of.words[1], of.words[1]) };
        let item = self.builder.int(array.dtype.itemsize());
        let (zero, one) = (self.builder.int(0), self.builder.int(1));
        let mut low = of.words[1];
        let mut high = self.builder.emit(Opcode::Offset, &[of.words[1], item], Prim::Ptr);
        for dim in 0..array.ndim {
            let (extent, stride) = (of.words[2 + dim], of.words[2 + array.ndim + dim]);
            let last = self.builder.emit(Opcode::Sub, &[extent, one], Prim::Int);
            let span = self.builder.emit(Opcode::Mul, &[last, stride], Prim::Int);
            let is_down = self.builder.emit(Opcode::Cmp(Cond::Lt, true), &[span, zero], Prim::Bool);
            let down = self.builder.emit(Opcode::Select, &[is_down, span, zero], Prim::Int);
            let up = self.builder.emit(Opcode::Select, &[is_down, zero, span], Prim::Int);
            low = self.builder.emit(Opcode::Offset, &[low, down], Prim::Ptr);
            high = self.builder.emit(Opcode::Offset, &[high, up], Prim::Ptr);
        }
        (low, high)
    }
}

/// Of how many arrays, the result among them, a loop over rows is written twice.
const MAX_ROWS: usize = 10;
