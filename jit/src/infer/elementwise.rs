//! Operators over all elements: a chain of them is one loop, without arrays in between.
//!
//! An operator of arrays gives a tree of what is to be computed; whoever needs the array has it
//! written as a loop. Each element is computed by the rules of numbers, in the dtype that the
//! operator alone would have, so that a chain has the bits of its operators one by one.

use std::sync::Arc;

use super::element_expr::{ElementExpr, ElementFn, Lazy};
use super::state::Infer;
use super::value::Typed;
use crate::ast::{Binary, Compare, Unary};
use crate::error::{Error, Result};
use crate::ir::{Cond, Opcode, Terminator, Trap, Value};
use crate::types::{Prim, Ty, TyKind};

impl Infer<'_> {
    /// A value as a node, with its dtype and extents.
    fn node_of(&mut self, value: &Typed) -> Result<Lazy> {
        match &*value.ty {
            TyKind::Lazy(id) => Ok(self.lazy[*id as usize].clone()),
            TyKind::Array(array) => Ok(Lazy {
                node: ElementExpr::Leaf(value.clone()),
                dtype: array.dtype,
                shape: value.words[2..2 + array.ndim].to_vec(),
            }),
            _ if value.ty.is_number() => Ok(Lazy {
                node: ElementExpr::Number(value.clone()),
                dtype: value.ty,
                shape: Vec::new(),
            }),
            _ => Err(Error::typing(format!("{} has no elements", value.ty))),
        }
    }

    /// What is computed late, if a value is that.
    pub(super) fn lazy_of(&self, value: &Typed) -> Option<Lazy> {
        match *value.ty {
            TyKind::Lazy(id) => Some(self.lazy[id as usize].clone()),
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
                ElementExpr::Number(_) => &mut of_numbers,
                ElementExpr::Leaf(_) | ElementExpr::Apply(..) => &mut of_arrays,
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

    fn lazy_value(&mut self, function: ElementFn, operands: Vec<Lazy>, dtype: Ty) -> Result<Typed> {
        let shapes: Vec<Vec<Value>> = operands
            .iter()
            .filter(|it| !matches!(it.node, ElementExpr::Number(_)))
            .map(|it| it.shape.clone())
            .collect();
        let shape = self.broadcast(&shapes)?;
        let nodes = operands.into_iter().map(|it| it.node).collect();
        self.lazy.push(Lazy { node: ElementExpr::Apply(function, nodes, dtype), dtype, shape });
        let id = u32::try_from(self.lazy.len() - 1).unwrap_or(u32::MAX);
        Ok(Typed::fact(Ty::new(TyKind::Lazy(id))))
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
        let is_bool = *common == TyKind::Bool;
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
        self.lazy_value(ElementFn::Binary(op, computed), operands, dtype)
    }

    pub(super) fn array_compare(
        &mut self,
        compare: Compare,
        left: &Typed,
        right: &Typed,
    ) -> Result<Typed> {
        let operands = vec![self.node_of(left)?, self.node_of(right)?];
        let common = Self::common_dtype(&operands)?;
        self.lazy_value(ElementFn::Compare(compare, common), operands, Ty::bool())
    }

    pub(super) fn array_unary(&mut self, op: Unary, operand: &Typed) -> Result<Typed> {
        let operand = self.node_of(operand)?;
        let dtype = operand.dtype;
        if op == Unary::Neg && *dtype == TyKind::Bool {
            return Err(Error::typing("arrays of bools have no negative: use ~"));
        }
        self.lazy_value(ElementFn::Unary(op), vec![operand], dtype)
    }

    /// A function of numbers over all elements.
    pub(super) fn array_function(&mut self, name: &str, args: &[Typed]) -> Result<Typed> {
        let operands: Result<Vec<Lazy>> = args.iter().map(|it| self.node_of(it)).collect();
        let operands = operands?;
        let common = Self::common_dtype(&operands)?;
        let (computed, dtype) = named_dtypes(super::bind::short(name), common);
        self.lazy_value(ElementFn::Named(Arc::from(name), computed), operands, dtype)
    }

    /// A function of numbers of the host's over all elements, or over numbers. Numbers give way to the
    /// arrays beside them; `keeps_whole` has whole ones stay what they are beside whole ones.
    pub(super) fn call_elementwise(
        &mut self,
        function: crate::types::Obj,
        args: super::bind::Args,
        keeps_whole: bool,
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
        let arrays: Vec<Lazy> = operands
            .iter()
            .filter(|it| !matches!(it.node, ElementExpr::Number(_)))
            .cloned()
            .collect();
        let common = Self::common_dtype(&arrays)?;
        let mut types = Vec::with_capacity(operands.len());
        for operand in &operands {
            let is_whole = common.is_integral() && operand.dtype.is_integral();
            types.push(match operand.node {
                ElementExpr::Number(_) if keeps_whole && is_whole => operand.dtype,
                ElementExpr::Number(_) => Ty::beside_number(common, operand.dtype)
                    .ok_or_else(|| Error::typing("these dtypes do not go together"))?,
                ElementExpr::Leaf(_) | ElementExpr::Apply(..) => operand.dtype,
            });
        }
        let place = self.builder.place;
        let (id, result) = self.instance(function, &types)?;
        self.builder.place = place;
        let dtype = result
            .filter(Ty::is_number)
            .ok_or_else(|| Error::typing("a function of elements returns a number for each"))?;
        let may_raise = self.done[id.0 as usize].as_ref().is_none_or(may_raise);
        self.lazy_value(ElementFn::Host(function, types, may_raise), operands, dtype)
    }

    pub(super) fn array_cast(&mut self, value: &Typed, dtype: Ty) -> Result<Typed> {
        let operand = self.node_of(value)?;
        self.lazy_value(ElementFn::Cast, vec![operand], dtype)
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
        let same = self.builder.emit(Opcode::Cmp(Cond::Eq, true), &[a, b], Prim::Bool);
        let a_is_one = self.builder.emit(Opcode::Cmp(Cond::Eq, true), &[a, one], Prim::Bool);
        let b_is_one = self.builder.emit(Opcode::Cmp(Cond::Eq, true), &[b, one], Prim::Bool);
        let any = self.builder.emit(Opcode::Or, &[a_is_one, b_is_one], Prim::Bool);
        let fits = self.builder.emit(Opcode::Or, &[same, any], Prim::Bool);
        self.builder.check(fits, Trap::Broadcast, &[a, b]);
        self.builder.emit(Opcode::Select, &[a_is_one, b, a], Prim::Int)
    }
}

/// Whether a function of numbers has anything that fails or calls.
fn may_raise(function: &crate::ir::Function) -> bool {
    let fails = |op: Opcode| {
        matches!(op, Opcode::Check(_) | Opcode::CheckIndex(_) | Opcode::Call(..) | Opcode::Poll(_))
    };
    function.blocks.iter().any(|it| matches!(it.term, Terminator::Raise(..)))
        || function.insts.iter().any(|it| fails(it.op))
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
