//! Unification of a type pattern with a call.

use std::collections::HashMap;

use opwright_formula::types::{DimExpr, Element, ResultRule, TensorRule, TypeRule};
use opwright_runtime::op::{Operator, Param, Type, Value};
use opwright_runtime::promote::promoted;
use opwright_runtime::types::{Extents, Plain, TensorType};
use opwright_runtime::{DType, Error, Result, default_dtype};

use crate::build::infer::inferred::Inferred;
use crate::model::argument::NodeArgument;
use crate::model::variable::Variable;

/// The short names of dtypes.
const SHORT: &[(&str, DType)] = &[
    ("f16", DType::Float16),
    ("f32", DType::Float32),
    ("f64", DType::Float64),
    ("i8", DType::Int8),
    ("i16", DType::Int16),
    ("i32", DType::Int32),
    ("i64", DType::Int64),
    ("u8", DType::UInt8),
    ("c64", DType::Complex64),
    ("c128", DType::Complex128),
];

/// A call, and what names stand for; each with the parameter that said so.
pub(super) struct Unifier<'a> {
    row: &'static Operator,
    inputs: &'a [Variable],
    arguments: &'a [NodeArgument],
    elements: HashMap<String, (DType, &'static str)>,
    extents: HashMap<String, (Option<i64>, &'static str)>,
    groups: HashMap<String, (Extents, &'static str)>,
}

impl<'a> Unifier<'a> {
    /// A call with nothing known of names.
    pub(super) fn new(
        row: &'static Operator,
        inputs: &'a [Variable],
        arguments: &'a [NodeArgument],
    ) -> Unifier<'a> {
        let (elements, extents, groups) = Default::default();
        Unifier { row, inputs, arguments, elements, extents, groups }
    }

    /// The types that a pattern says of it.
    pub(super) fn inferred(mut self, pattern: &TypeRule) -> Result<Inferred> {
        let tensors = self.row.params.iter().zip(self.arguments);
        let tensors = tensors.filter(|(param, _)| is_of_tensors(param));
        for (item, (param, argument)) in pattern.items.iter().zip(tensors) {
            self.item(item, param.slot.name, argument)?;
        }
        let mut inferred = Inferred { types: Vec::new(), lists: Vec::new() };
        for result in &pattern.results {
            match result {
                ResultRule::One(element, dims) => {
                    inferred.lists.push(None);
                    inferred.types.push(self.result(element, dims)?.shared());
                }
                ResultRule::Each(element, dims, param) => {
                    let count = self.rank(param)?;
                    inferred.lists.push(Some(count));
                    for _ in 0..count {
                        inferred.types.push(self.result(element, dims)?.shared());
                    }
                }
            }
        }
        Ok(inferred)
    }

    fn item(
        &mut self,
        item: &TensorRule,
        param: &'static str,
        argument: &NodeArgument,
    ) -> Result<()> {
        let TensorRule::Tensor(element, dims, is_optional) = item else { return Ok(()) };
        if *is_optional && matches!(argument, NodeArgument::Value(Value::None)) {
            return Ok(());
        }
        let ty = self.tensor(argument).ok_or_else(|| {
            Error::wrong_type(format_args!("'{param}' is no tensor whose type is known"))
        })?;
        if let Element::Name(name) = element {
            match (literal(name), self.elements.get(name)) {
                (Some(wanted), _) if wanted != ty.dtype() => {
                    let (found, wanted) = (ty.dtype().name(), wanted.name());
                    let text = format_args!("'{param}' is {found}, not {wanted}");
                    return Err(Error::wrong_type(text));
                }
                (None, Some((known, other))) if *known != ty.dtype() => {
                    return Err(clash(name, known.name(), other, ty.dtype().name(), param));
                }
                _ => {}
            }
            self.elements.insert(name.clone(), (ty.dtype(), param));
        }
        self.shape(dims, ty.shape(), param)
    }

    fn shape(
        &mut self,
        dims: &[DimExpr],
        shape: &[Option<i64>],
        param: &'static str,
    ) -> Result<()> {
        let has_group = matches!(dims.first(), Some(DimExpr::Group(_)));
        let singles = dims.len() - usize::from(has_group);
        if shape.len() < singles || (!has_group && shape.len() != singles) {
            let (least, count) = (if has_group { "at least " } else { "" }, shape.len());
            let text = format_args!("'{param}' has {count} dimensions, not {least}{singles}");
            return Err(Error::wrong_type(text));
        }
        let (front, behind) = shape.split_at(shape.len() - singles);
        if let Some(DimExpr::Group(name)) = dims.first() {
            self.group(name, front, param)?;
        }
        for (dim, extent) in dims[usize::from(has_group)..].iter().zip(behind) {
            self.extent(dim, *extent, param)?;
        }
        Ok(())
    }

    fn extent(&mut self, dim: &DimExpr, extent: Option<i64>, param: &'static str) -> Result<()> {
        match dim {
            DimExpr::Is(wanted) => match extent {
                Some(it) if it != *wanted => {
                    let text = format_args!("a dimension of '{param}' is {it}, not {wanted}");
                    Err(Error::runtime(text))
                }
                _ => Ok(()),
            },
            DimExpr::Name(name) => {
                let known = self.extents.get(name).copied();
                if let (Some((Some(a), other)), Some(b)) = (known, extent)
                    && a != b
                {
                    return Err(clash(name, &a.to_string(), other, &b.to_string(), param));
                }
                let met = extent.or(known.and_then(|(it, _)| it));
                self.extents.insert(name.clone(), (met, param));
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn group(&mut self, name: &str, front: &[Option<i64>], param: &'static str) -> Result<()> {
        let Some((known, other)) = self.groups.get(name).cloned() else {
            self.groups.insert(name.to_owned(), (front.into(), param));
            return Ok(());
        };
        let rank = known.len().max(front.len());
        let at = |shape: &[Option<i64>], at: usize| {
            (at + shape.len()).checked_sub(rank).map_or(Some(1), |at| shape[at])
        };
        let mut broadcast = Extents::new();
        for dim in 0..rank {
            broadcast.push(match (at(&known, dim), at(front, dim)) {
                (Some(1), it) | (it, Some(1)) => it,
                (Some(a), Some(b)) if a != b => {
                    return Err(clash(name, &a.to_string(), other, &b.to_string(), param));
                }
                (a, b) => a.or(b),
            });
        }
        self.groups.insert(name.to_owned(), (broadcast, param));
        Ok(())
    }

    fn result(&self, element: &Element, dims: &[DimExpr]) -> Result<TensorType> {
        let mut shape = Extents::new();
        self.push(dims, &mut shape)?;
        Ok(TensorType::new(self.dtype(element)?, shape))
    }

    fn push(&self, dims: &[DimExpr], shape: &mut Extents) -> Result<()> {
        for dim in dims {
            match dim {
                DimExpr::Group(name) => {
                    let known = self.groups.get(name).ok_or_else(|| unbound(name))?;
                    shape.extend(known.0.iter().copied());
                }
                DimExpr::Unknowns(name) => {
                    let known = self.groups.get(name).ok_or_else(|| unbound(name))?;
                    shape.extend(known.0.iter().map(|_| None));
                }
                DimExpr::If(first, param, otherwise) => {
                    let is_given = match self.argument(param)? {
                        NodeArgument::Value(Value::None | Value::Bool(false)) => false,
                        NodeArgument::Value(_) | NodeArgument::Input(_) | NodeArgument::List(_) => {
                            true
                        }
                    };
                    self.push(if is_given { first } else { otherwise }, shape)?;
                }
                DimExpr::Value(param) => match self.argument(param)? {
                    NodeArgument::Value(Value::List(items)) => {
                        shape.extend(items.iter().map(|it| it.int().ok().filter(|it| *it >= 0)));
                    }
                    NodeArgument::List(items) => shape.extend(items.iter().map(|it| self.int(it))),
                    one => shape.push(self.int(one)),
                },
                one => shape.push(self.one(one)?),
            }
        }
        Ok(())
    }

    /// A dimension that is a single one.
    fn one(&self, dim: &DimExpr) -> Result<Option<i64>> {
        Ok(match dim {
            DimExpr::Is(it) => Some(*it),
            DimExpr::Name(name) => self.extents.get(name).ok_or_else(|| unbound(name))?.0,
            DimExpr::Rank(param) => Some(self.rank(param)? as i64),
            DimExpr::Value(param) => self.int(self.argument(param)?),
            DimExpr::Sum(a, b) => {
                let (a, b) = (self.one(a)?, self.one(b)?);
                a.zip(b).and_then(|(a, b)| a.checked_add(b))
            }
            DimExpr::Product(a, b) => {
                let (a, b) = (self.one(a)?, self.one(b)?);
                a.zip(b).and_then(|(a, b)| a.checked_mul(b))
            }
            DimExpr::Unknown | DimExpr::Unknowns(_) | DimExpr::Group(_) | DimExpr::If(..) => None,
        })
    }

    fn dtype(&self, element: &Element) -> Result<DType> {
        let known =
            |name: &String| self.elements.get(name).map(|(it, _)| *it).ok_or_else(|| unbound(name));
        match element {
            Element::Name(name) => literal(name).map_or_else(|| known(name), Ok),
            Element::Promote(names) => {
                let mut all = names.iter().map(known);
                let first = all.next().unwrap_or_else(|| Ok(default_dtype()))?;
                all.try_fold(first, |a, b| promoted(a, b?))
            }
            Element::Float(name) => {
                let dtype = known(name)?;
                let is_whole = dtype.is_integral() || dtype.is_boolean();
                Ok(if is_whole { default_dtype() } else { dtype })
            }
            Element::Real(name) => Ok(match known(name)? {
                DType::Complex64 => DType::Float32,
                DType::Complex128 => DType::Float64,
                dtype => dtype,
            }),
            Element::Default => Ok(default_dtype()),
        }
    }

    fn argument(&self, name: &str) -> Result<&NodeArgument> {
        let at = self.row.params.iter().position(|it| it.slot.name == name);
        at.and_then(|it| self.arguments.get(it)).ok_or_else(|| unbound(name))
    }

    fn rank(&self, param: &str) -> Result<usize> {
        let ty = self.tensor(self.argument(param)?).ok_or_else(|| unbound(param))?;
        Ok(ty.ndim())
    }

    /// A number that is there, and is an extent.
    fn int(&self, argument: &NodeArgument) -> Option<i64> {
        let value = match argument {
            NodeArgument::Value(value) => Some(value),
            NodeArgument::Input(at) => self.inputs[*at].as_constant(),
            NodeArgument::List(_) => None,
        };
        value.and_then(|it| it.int().ok()).filter(|it| *it >= 0)
    }

    fn tensor(&self, argument: &NodeArgument) -> Option<TensorType> {
        match argument {
            NodeArgument::Input(at) => {
                let ty = self.inputs[*at].ty();
                let number = ty.downcast::<Plain>().is_some_and(|it| it.is_number());
                let number = || ty.element().filter(|_| number);
                let known = ty.downcast::<TensorType>().cloned();
                known.or_else(|| number().map(|it| TensorType::new(it, [])))
            }
            NodeArgument::Value(Value::Tensor(it)) => Some(TensorType::of(it)),
            NodeArgument::Value(_) | NodeArgument::List(_) => None,
        }
    }
}

/// The dtype that a name is always that of.
fn literal(name: &str) -> Option<DType> {
    let short = SHORT.iter().find(|(short, _)| *short == name).map(|(_, dtype)| *dtype);
    short.or_else(|| DType::from_name(name))
}

/// `k is 4 in 'self' and 3 in 'mat2'`.
#[cold]
fn clash(name: &str, one: &str, first: &str, other: &str, second: &str) -> Error {
    Error::runtime(format_args!("{name} is {one} in '{first}' and {other} in '{second}'"))
}

#[cold]
fn unbound(name: &str) -> Error {
    Error::runtime(format_args!("the pattern of its types does not say what `{name}` is"))
}

/// Whether a parameter is one or more tensors.
fn is_of_tensors(param: &Param) -> bool {
    fn innermost(ty: &Type) -> bool {
        match ty {
            Type::Optional(inner) | Type::List(inner, _) => innermost(inner),
            ty => matches!(ty, Type::Tensor),
        }
    }
    innermost(&param.slot.ty)
}
