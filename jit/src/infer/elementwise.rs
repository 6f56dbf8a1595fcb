//! Operators over all elements: a chain of them is one loop, without arrays in between.
//!
//! An operator of arrays gives a tree of what is to be computed; whoever needs the array has it
//! written as a loop. Each element is computed by the rules of numbers, in the dtype that the
//! operator alone would have, so that a chain has the bits of its operators one by one.

use std::sync::Arc;

use super::{Infer, Typed};
use crate::ast::{Binary, Compare, Unary};
use crate::error::{Error, Result};
use crate::ir::{Block, Cond, Failure, Op, Term, Value, Values};
use crate::types::{Array, Kind, Layout, Prim, Ty};

/// Of how many arrays, the result among them, a loop over rows is written twice.
const MAX_ROWS: usize = 10;

/// What is computed for each element.
#[derive(Clone)]
pub(super) enum Node {
    /// An element of an array.
    Leaf(Typed),
    /// A number, the same for all.
    Number(Typed),
    /// A function of others: its operands are converted first, and its result has a dtype.
    Apply(Function, Vec<Node>, Ty),
}

/// A function of elements.
#[derive(Clone)]
pub(super) enum Function {
    Binary(Binary, Ty),
    Unary(Unary),
    Compare(Compare, Ty),
    /// One that is known by name, over operands of a dtype.
    Named(Arc<str>, Ty),
    /// A function of numbers of the host's, over operands of these types.
    Host(crate::types::Obj, Vec<Ty>),
    Cast,
}

impl Node {
    /// Whether an element may raise, after others were written.
    fn may_raise(&self) -> bool {
        match self {
            Node::Leaf(_) | Node::Number(_) => false,
            Node::Apply(Function::Host(..), ..) => true,
            Node::Apply(_, operands, _) => operands.iter().any(Node::may_raise),
        }
    }
}

/// A tree with the extents of what it gives.
#[derive(Clone)]
pub(super) struct Lazy {
    pub(super) node: Node,
    pub(super) dtype: Ty,
    pub(super) shape: Vec<Value>,
}

impl Infer<'_> {
    /// A value as a node, with its dtype and extents.
    fn node_of(&mut self, value: &Typed) -> Result<Lazy> {
        match &*value.ty {
            Kind::Lazy(id) => Ok(self.lazy[*id as usize].clone()),
            Kind::Array(array) => Ok(Lazy {
                node: Node::Leaf(value.clone()),
                dtype: array.dtype,
                shape: value.words[2..2 + array.ndim].to_vec(),
            }),
            _ if value.ty.is_number() => {
                Ok(Lazy { node: Node::Number(value.clone()), dtype: value.ty, shape: Vec::new() })
            }
            _ => Err(Error::typing(format!("{} has no elements", value.ty))),
        }
    }

    /// What is computed late, if a value is that.
    pub(super) fn lazy_of(&self, value: &Typed) -> Option<Lazy> {
        match *value.ty {
            Kind::Lazy(id) => Some(self.lazy[id as usize].clone()),
            _ => None,
        }
    }

    /// The dtype that operands are computed in, by numpy's promotion.
    fn common_dtype(operands: &[Lazy]) -> Result<Ty> {
        let refused = || Error::typing("these dtypes do not go together");
        let mut of_arrays: Option<Ty> = None;
        let mut of_numbers: Option<Ty> = None;
        for operand in operands {
            let common = match &operand.node {
                Node::Number(_) => &mut of_numbers,
                Node::Leaf(_) | Node::Apply(..) => &mut of_arrays,
            };
            *common = Some(match *common {
                None => operand.dtype,
                Some(ty) => Ty::promote(ty, operand.dtype).ok_or_else(refused)?,
            });
        }
        match (of_arrays, of_numbers) {
            (Some(array), Some(number)) => Ty::beside_number(array, number).ok_or_else(refused),
            (Some(ty), None) | (None, Some(ty)) => Ok(ty),
            (None, None) => Err(refused()),
        }
    }

    fn lazy_value(&mut self, function: Function, operands: Vec<Lazy>, dtype: Ty) -> Result<Typed> {
        let shapes: Vec<Vec<Value>> = operands
            .iter()
            .filter(|it| !matches!(it.node, Node::Number(_)))
            .map(|it| it.shape.clone())
            .collect();
        let shape = self.broadcast(&shapes)?;
        let nodes = operands.into_iter().map(|it| it.node).collect();
        self.lazy.push(Lazy { node: Node::Apply(function, nodes, dtype), dtype, shape });
        let id = u32::try_from(self.lazy.len() - 1).unwrap_or(u32::MAX);
        Ok(Typed::fact(Ty::new(Kind::Lazy(id))))
    }

    pub(super) fn array_binary(
        &mut self,
        op: Binary,
        left: &Typed,
        right: &Typed,
    ) -> Result<Typed> {
        if op == Binary::MatMul {
            let (left, right) = (self.made(left)?, self.made(right)?);
            return self.array_builtin("numpy.matmul", super::bind::Args::of(vec![left, right]));
        }
        let operands = vec![self.node_of(left)?, self.node_of(right)?];
        let common = Self::common_dtype(&operands)?;
        let is_bool = *common == Kind::Bool;
        let dtype = match op {
            Binary::Div => common.to_floating(),
            Binary::Add | Binary::Mul | Binary::And | Binary::Or | Binary::Xor => common,
            Binary::Sub if is_bool => {
                return Err(Error::typing("arrays of bools are not subtracted: use ^"));
            }
            Binary::FloorDiv | Binary::Mod | Binary::Pow | Binary::Shl | Binary::Shr if is_bool => {
                Ty::int(8, true)
            }
            _ => common,
        };
        let computed = if op == Binary::Div { dtype } else { common };
        if matches!(op, Binary::And | Binary::Or | Binary::Xor | Binary::Shl | Binary::Shr)
            && !common.is_integral()
        {
            return Err(Error::typing(format!("no {} of arrays of {common}", op.name())));
        }
        self.lazy_value(Function::Binary(op, computed), operands, dtype)
    }

    pub(super) fn array_compare(
        &mut self,
        compare: Compare,
        left: &Typed,
        right: &Typed,
    ) -> Result<Typed> {
        let operands = vec![self.node_of(left)?, self.node_of(right)?];
        let common = Self::common_dtype(&operands)?;
        self.lazy_value(Function::Compare(compare, common), operands, Ty::bool())
    }

    pub(super) fn array_unary(&mut self, op: Unary, operand: &Typed) -> Result<Typed> {
        let operand = self.node_of(operand)?;
        let dtype = operand.dtype;
        if op == Unary::Neg && *dtype == Kind::Bool {
            return Err(Error::typing("arrays of bools have no negative: use ~"));
        }
        self.lazy_value(Function::Unary(op), vec![operand], dtype)
    }

    /// A function of numbers over all elements.
    pub(super) fn array_function(&mut self, name: &str, args: &[Typed]) -> Result<Typed> {
        let operands: Result<Vec<Lazy>> = args.iter().map(|it| self.node_of(it)).collect();
        let operands = operands?;
        let common = Self::common_dtype(&operands)?;
        let (computed, dtype) = named_dtypes(super::builtin::short(name), common);
        self.lazy_value(Function::Named(Arc::from(name), computed), operands, dtype)
    }

    /// A function of numbers of the host's over all elements, or over numbers.
    pub(super) fn call_elementwise(
        &mut self,
        function: crate::types::Obj,
        args: super::bind::Args,
    ) -> Result<Typed> {
        if !args.positional.iter().any(|it| it.ty.is_array()) {
            return self.call_function(function, args);
        }
        if let Some((name, _)) = args.keywords.first() {
            return Err(Error::typing(format!("a function of elements takes no keyword {name}")));
        }
        let operands: Result<Vec<Lazy>> =
            args.positional.iter().map(|it| self.node_of(it)).collect();
        let operands = operands?;
        let arrays: Vec<Lazy> =
            operands.iter().filter(|it| !matches!(it.node, Node::Number(_))).cloned().collect();
        let common = Self::common_dtype(&arrays)?;
        let mut types = Vec::with_capacity(operands.len());
        for operand in &operands {
            types.push(match operand.node {
                // A number gives way to the arrays beside it.
                Node::Number(_) => Ty::beside_number(common, operand.dtype)
                    .ok_or_else(|| Error::typing("these dtypes do not go together"))?,
                Node::Leaf(_) | Node::Apply(..) => operand.dtype,
            });
        }
        let place = self.builder.place;
        let (_, result) = self.instance(function, &types)?;
        self.builder.place = place;
        let dtype = result
            .filter(Ty::is_number)
            .ok_or_else(|| Error::typing("a function of elements returns a number for each"))?;
        self.lazy_value(Function::Host(function, types), operands, dtype)
    }

    pub(super) fn array_cast(&mut self, value: &Typed, dtype: Ty) -> Result<Typed> {
        let operand = self.node_of(value)?;
        self.lazy_value(Function::Cast, vec![operand], dtype)
    }

    /// The extents that all of these broadcast to.
    pub(super) fn broadcast(&mut self, shapes: &[Vec<Value>]) -> Result<Vec<Value>> {
        let ndim = shapes.iter().map(Vec::len).max().unwrap_or(0);
        let mut common = Vec::with_capacity(ndim);
        for dim in 0..ndim {
            let mut extent: Option<Value> = None;
            for shape in shapes {
                let Some(at) = (dim + shape.len()).checked_sub(ndim) else { continue };
                extent = Some(match extent {
                    None => shape[at],
                    Some(before) => self.broadcast_extent(before, shape[at]),
                });
            }
            common.push(extent.unwrap_or_else(|| self.builder.int(1)));
        }
        Ok(common)
    }

    fn broadcast_extent(&mut self, a: Value, b: Value) -> Value {
        if a == b {
            return a;
        }
        let one = self.builder.int(1);
        let same = self.builder.emit(Op::Cmp(Cond::Eq, true), &[a, b], Prim::Bool);
        let a_is_one = self.builder.emit(Op::Cmp(Cond::Eq, true), &[a, one], Prim::Bool);
        let b_is_one = self.builder.emit(Op::Cmp(Cond::Eq, true), &[b, one], Prim::Bool);
        let any = self.builder.emit(Op::Or, &[a_is_one, b_is_one], Prim::Bool);
        let fits = self.builder.emit(Op::Or, &[same, any], Prim::Bool);
        self.builder.check(fits, Failure::Broadcast, &[a, b]);
        self.builder.emit(Op::Select, &[a_is_one, b, a], Prim::Int)
    }

    /// A value as an array or number that is there: what is computed late is computed now.
    pub(super) fn made(&mut self, value: &Typed) -> Result<Typed> {
        let Kind::Lazy(id) = *value.ty else { return Ok(value.clone()) };
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
            let both = self.builder.emit(Op::And, &[overlaps, moves], Prim::Bool);
            clashes = self.builder.emit(Op::Or, &[clashes, both], Prim::Bool);
        }
        let (apart, at_once) = self.split(clashes);
        let (after, _) = self.builder.add_block([]);
        self.builder.enter(apart);
        self.statement(|infer| {
            let made = infer.empty_array(lazy.dtype, &lazy.shape)?;
            infer.strided_loop(&made, &lazy.node)?;
            infer.strided_loop(target, &Node::Leaf(made))
        })?;
        self.builder.end(Term::Jump((after, Values::new())));
        self.builder.enter(at_once);
        self.fill_from(target, &lazy.node)?;
        self.builder.end(Term::Jump((after, Values::new())));
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
            let differs = self.builder.emit(Op::Cmp(Cond::Ne, true), &[*a, *b], Prim::Bool);
            is_other = self.builder.emit(Op::Or, &[is_other, differs], Prim::Bool);
        }
        is_other
    }

    fn load_leaf(&mut self, leaf: &Typed, address: Value) -> Typed {
        let dtype = leaf.ty.as_array().map_or_else(Ty::float64, |it| it.dtype);
        self.load(address, dtype)
    }

    /// Computes the elements of an array, whose extents a tree broadcasts to.
    pub(super) fn fill_from(&mut self, target: &Typed, node: &Node) -> Result<()> {
        let Some(array) = target.ty.as_array() else { return Ok(()) };
        let mut leaves = Vec::new();
        collect_leaves(node, &mut leaves);
        let is_dense = |it: &Typed| {
            it.ty.as_array().is_some_and(|it| it.layout == Layout::C && it.ndim == array.ndim)
        };
        if array.layout != Layout::C || !leaves.iter().all(is_dense) {
            return self.strided_loop(target, node);
        }
        // One loop over all elements, if the extents agree.
        let mut same = self.builder.bool(true);
        for leaf in &leaves {
            for dim in 0..array.ndim {
                let (a, b) = (leaf.words[2 + dim], target.words[2 + dim]);
                if a != b {
                    let equal = self.builder.emit(Op::Cmp(Cond::Eq, true), &[a, b], Prim::Bool);
                    same = self.builder.emit(Op::And, &[same, equal], Prim::Bool);
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
        self.builder.end(Term::Jump((after, Values::new())));
        self.builder.enter(strided);
        self.strided_loop(target, node)?;
        self.builder.end(Term::Jump((after, Values::new())));
        self.builder.enter(after);
        Ok(())
    }

    fn dense_loop(&mut self, target: &Typed, array: &Array, node: &Node) -> Result<()> {
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
        let bytes = self.builder.emit(Op::Mul, &[at, item], Prim::Int);
        self.builder.emit(Op::Offset, &[address, bytes], Prim::Ptr)
    }

    fn strided_loop(&mut self, target: &Typed, node: &Node) -> Result<()> {
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
        node: &Node,
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
        node: &Node,
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
            self.builder.end(Term::Jump((after, Values::new())));
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
                let same = self.builder.emit(Op::Cmp(Cond::Eq, true), &[a, b], Prim::Bool);
                all = self.builder.emit(Op::And, &[all, same], Prim::Bool);
            }
        }
        all
    }

    fn row(
        &mut self,
        target: &Typed,
        array: &Array,
        node: &Node,
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
                let is_one = self.builder.emit(Op::Cmp(Cond::Eq, true), &[extent, one], Prim::Bool);
                self.builder.emit(Op::Select, &[is_one, zero, stride], Prim::Int)
            };
            let bytes = self.builder.emit(Op::Mul, &[*index, step], Prim::Int);
            address = self.builder.emit(Op::Offset, &[address, bytes], Prim::Ptr);
        }
        address
    }

    /// Computes one element.
    fn element(
        &mut self,
        node: &Node,
        load: &mut dyn FnMut(&mut Self, &Typed) -> Result<Typed>,
    ) -> Result<Typed> {
        let (function, operands, dtype) = match node {
            Node::Leaf(leaf) => return load(self, leaf),
            Node::Number(number) => return Ok(number.clone()),
            Node::Apply(function, operands, dtype) => (function, operands, *dtype),
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

    fn applied(&mut self, function: &Function, values: &[Typed]) -> Result<Typed> {
        let computed = match function {
            Function::Binary(_, ty) | Function::Compare(_, ty) | Function::Named(_, ty) => {
                Some(*ty)
            }
            Function::Unary(_) | Function::Cast | Function::Host(..) => None,
        };
        if let Function::Host(function, types) = function {
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
            (Function::Binary(op, ty), [a, b]) if **ty == Kind::Bool && *op == Binary::Add => {
                Ok(self.word_op(Op::Or, &[a.word(), b.word()], *ty))
            }
            (Function::Binary(op, ty), [a, b]) if **ty == Kind::Bool && *op == Binary::Mul => {
                Ok(self.word_op(Op::And, &[a.word(), b.word()], *ty))
            }
            (Function::Binary(op, _), [a, b]) => self.number_binary(*op, a, b),
            (Function::Compare(compare, _), [a, b]) => self.compare(*compare, a, b),
            (Function::Unary(op), [a]) => self.number_unary(*op, a),
            (Function::Named(name, _), [a]) => self.function_of_one(name, a),
            (Function::Named(name, _), [a, b]) => self.function_of_two(name, a, b),
            (Function::Cast, [a]) => Ok(a.clone()),
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
        self.builder.end(Term::Jump((head, Values::from_slice(&[zero]))));
        self.builder.enter(head);
        let at = params[0];
        let goes_on = self.builder.emit(Op::Cmp(Cond::Lt, true), &[at, count], Prim::Bool);
        let (inside, outside): (Block, Block) = self.split(goes_on);
        self.builder.enter(inside);
        self.statement(|infer| body(infer, at))?;
        let one = self.builder.int(1);
        let next = self.builder.emit(Op::Add, &[at, one], Prim::Int);
        let site = self.builder.site(Failure::Call);
        self.builder.push(Op::Poll(site), &[], []);
        self.builder.end(Term::Jump((head, Values::from_slice(&[next]))));
        self.builder.enter(outside);
        Ok(())
    }

    /// Whether two arrays may have elements in common, by the ranges of their addresses.
    pub(super) fn may_overlap(&mut self, a: &Typed, b: &Typed) -> Value {
        let (a_low, a_high) = self.address_range(a);
        let (b_low, b_high) = self.address_range(b);
        let first = self.builder.emit(Op::Cmp(Cond::Lt, false), &[a_low, b_high], Prim::Bool);
        let second = self.builder.emit(Op::Cmp(Cond::Lt, false), &[b_low, a_high], Prim::Bool);
        self.builder.emit(Op::And, &[first, second], Prim::Bool)
    }

    fn address_range(&mut self, of: &Typed) -> (Value, Value) {
        let Some(array) = of.ty.as_array() else { return (of.words[1], of.words[1]) };
        let item = self.builder.int(array.dtype.itemsize());
        let (zero, one) = (self.builder.int(0), self.builder.int(1));
        let mut low = of.words[1];
        let mut high = self.builder.emit(Op::Offset, &[of.words[1], item], Prim::Ptr);
        for dim in 0..array.ndim {
            let (extent, stride) = (of.words[2 + dim], of.words[2 + array.ndim + dim]);
            let last = self.builder.emit(Op::Sub, &[extent, one], Prim::Int);
            let span = self.builder.emit(Op::Mul, &[last, stride], Prim::Int);
            let is_down = self.builder.emit(Op::Cmp(Cond::Lt, true), &[span, zero], Prim::Bool);
            let down = self.builder.emit(Op::Select, &[is_down, span, zero], Prim::Int);
            let up = self.builder.emit(Op::Select, &[is_down, zero, span], Prim::Int);
            low = self.builder.emit(Op::Offset, &[low, down], Prim::Ptr);
            high = self.builder.emit(Op::Offset, &[high, up], Prim::Ptr);
        }
        (low, high)
    }
}

pub(super) fn collect_leaves(node: &Node, leaves: &mut Vec<Typed>) {
    match node {
        Node::Leaf(leaf) => leaves.push(leaf.clone()),
        Node::Number(_) => {}
        Node::Apply(_, operands, _) => operands.iter().for_each(|it| collect_leaves(it, leaves)),
    }
}

/// The dtype that a function of numbers is computed in over arrays of a dtype, and that of its result.
fn named_dtypes(name: &str, common: Ty) -> (Ty, Ty) {
    match name {
        "isnan" | "isinf" | "isfinite" | "signbit" | "logical_and" | "logical_or"
        | "logical_xor" | "logical_not" => (common, Ty::bool()),
        "absolute" | "abs" | "conjugate" | "conj"
            if common.is_complex() && name.starts_with("abs") =>
        {
            (common, common.real_type())
        }
        "absolute" | "abs" | "negative" | "positive" | "square" | "sign" | "maximum"
        | "minimum" | "fmax" | "fmin" | "floor" | "ceil" | "trunc" | "fix" | "rint" | "add"
        | "subtract" | "multiply" | "floor_divide" | "mod" | "remainder" | "power"
        | "bitwise_and" | "bitwise_or" | "bitwise_xor" | "left_shift" | "right_shift" | "gcd"
        | "lcm" | "conjugate" | "conj" => (common, common),
        "divide" | "true_divide" => (common.to_floating(), common.to_floating()),
        _ => {
            let floating = common.to_array_floating();
            (floating, floating)
        }
    }
}
