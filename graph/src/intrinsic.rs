//! What nodes do for values of any type: no crate declares these as operators.

use std::fmt;
use std::sync::Arc;

use opwright_runtime::Error;
use opwright_runtime::geometry::wrap_dim;
use opwright_runtime::op::Value;
use opwright_runtime::types::{Coerce, ListType, Plain, TensorType, TypeRef};
use smallvec::smallvec;

use crate::apply::Apply;
use crate::build::custom;
use crate::failure::Failure;
use crate::grad::Backward;
use crate::op::{Custom, Op, Values};
use crate::place::Place;
use crate::print::text;
use crate::variable::Variable;

/// A copy that shares nothing.
pub struct DeepCopy;

impl fmt::Display for DeepCopy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("deep_copy")
    }
}

impl Custom for DeepCopy {
    fn same(&self, other: &dyn Custom) -> bool {
        other.downcast::<DeepCopy>().is_some()
    }

    fn perform(&self, node: &Apply, inputs: &[Value]) -> Result<Values, Failure> {
        Ok(smallvec![node.outputs()[0].ty().deep_copy(&inputs[0])?])
    }

    fn types(&self, inputs: &[Variable]) -> Result<Option<Vec<TypeRef>>, Failure> {
        Ok(Some(vec![inputs[0].ty().clone()]))
    }

    fn gradients(&self, backward: &Backward<'_>) -> Result<Vec<Option<Variable>>, Failure> {
        Ok(vec![backward.gradients[0].clone()])
    }
}

/// A variable whose values share nothing with those of another one.
pub fn deep_copy(variable: &Variable, place: Option<Place>) -> Variable {
    let types = vec![variable.ty().clone()];
    Variable::output(custom(Arc::new(DeepCopy), vec![variable.clone()], types, place), 0)
}

/// The same value.
pub struct View;

impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("view")
    }
}

impl Custom for View {
    fn same(&self, other: &dyn Custom) -> bool {
        other.downcast::<View>().is_some()
    }

    fn perform(&self, _: &Apply, inputs: &[Value]) -> Result<Values, Failure> {
        Ok(smallvec![inputs[0].clone()])
    }

    fn types(&self, inputs: &[Variable]) -> Result<Option<Vec<TypeRef>>, Failure> {
        Ok(Some(vec![inputs[0].ty().clone()]))
    }

    fn gradients(&self, backward: &Backward<'_>) -> Result<Vec<Option<Variable>>, Failure> {
        Ok(vec![backward.gradients[0].clone()])
    }

    fn views(&self, _: usize) -> &[usize] {
        &[0]
    }
}

/// A variable with the same values as another one.
pub fn view(variable: &Variable, place: Option<Place>) -> Variable {
    let types = vec![variable.ty().clone()];
    Variable::output(custom(Arc::new(View), vec![variable.clone()], types, place), 0)
}

/// The extents of a tensor.
pub struct Shape;

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("shape")
    }
}

impl Custom for Shape {
    fn same(&self, other: &dyn Custom) -> bool {
        other.downcast::<Shape>().is_some()
    }

    fn perform(&self, _: &Apply, inputs: &[Value]) -> Result<Values, Failure> {
        let shape = inputs[0].tensor()?.shape();
        Ok(smallvec![Value::List(shape.iter().copied().map(Value::Int).collect())])
    }

    fn types(&self, inputs: &[Variable]) -> Result<Option<Vec<TypeRef>>, Failure> {
        Ok(Some(vec![extents_of(&inputs[0])?]))
    }

    fn connects(&self, _input: usize) -> bool {
        false
    }
}

/// The type of the extents of a tensor.
fn extents_of(variable: &Variable) -> Result<TypeRef, Failure> {
    let ty = variable.ty().downcast::<TensorType>().ok_or_else(|| no_shape(variable))?;
    Ok(Arc::new(ListType::new(Arc::new(Plain::Int64), Some(ty.ndim()))))
}

#[cold]
fn no_shape(variable: &Variable) -> Error {
    Error::wrong_type(format_args!("values of {} have no shape", variable.ty()))
}

/// The extents of a variable of tensors, as a variable.
///
/// # Errors
///
/// A variable of something else.
pub fn shape(variable: &Variable, place: Option<Place>) -> Result<Variable, Failure> {
    let types = vec![extents_of(variable)?];
    let node = custom(Arc::new(Shape), vec![variable.clone()], types, place);
    Ok(Variable::output(node, 0))
}

/// One extent of a variable of tensors, as a variable; it may count from the last.
///
/// # Errors
///
/// A variable of something else; a dimension that it does not have.
pub fn extent(variable: &Variable, dim: i64, place: Option<Place>) -> Result<Variable, Failure> {
    let ty = variable.ty().downcast::<TensorType>().ok_or_else(|| no_shape(variable))?;
    let dim = wrap_dim(dim, ty.ndim())?;
    let types: Vec<TypeRef> = vec![Arc::new(Plain::Int64)];
    let node = custom(Arc::new(Extent(dim)), vec![variable.clone()], types, place);
    Ok(Variable::output(node, 0))
}

/// An element of a list.
pub struct Item(pub usize);

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("item")
    }
}

impl Custom for Item {
    fn same(&self, other: &dyn Custom) -> bool {
        other.downcast::<Item>().is_some_and(|it| it.0 == self.0)
    }

    fn perform(&self, _: &Apply, inputs: &[Value]) -> Result<Values, Failure> {
        let Value::List(items) = &inputs[0] else {
            return Err(Error::wrong_type("expected a list").into());
        };
        let item = items.get(self.0).ok_or_else(|| no_item(self.0, items.len()))?;
        Ok(smallvec![item.clone()])
    }

    fn views(&self, _: usize) -> &[usize] {
        &[0]
    }

    fn settings(&self) -> Vec<(String, String)> {
        vec![("i".to_owned(), self.0.to_string())]
    }
}

#[cold]
fn no_item(at: usize, len: usize) -> Error {
    Error::out_of_range(format_args!("index {at} is out of range for a list of {len}"))
}

/// An element of a variable of lists; of the extents of a tensor, that extent.
///
/// # Errors
///
/// A variable of something else; an index that it does not have.
pub fn item(variable: &Variable, at: i64, place: Option<Place>) -> Result<Variable, Failure> {
    let list = variable.ty().downcast::<ListType>();
    let list = list.ok_or_else(|| {
        Error::wrong_type(format_args!("values of {} have no elements to index", variable.ty()))
    })?;
    let index = match list.len() {
        Some(len) if at < 0 => at + len as i64,
        _ => at,
    };
    let index = usize::try_from(index).ok().filter(|it| list.len().is_none_or(|len| *it < len));
    let index = index.ok_or_else(|| {
        Error::out_of_range(format_args!("index {at} is out of range for {}", variable.ty()))
    })?;
    if let Some((node, _)) = variable.owner()
        && let Op::Custom(op) = node.op()
        && op.downcast::<Shape>().is_some()
    {
        return extent(&node.inputs()[0], index as i64, place);
    }
    let types = vec![list.of().clone()];
    let node = custom(Arc::new(Item(index)), vec![variable.clone()], types, place);
    Ok(Variable::output(node, 0))
}

/// One extent of a tensor.
pub struct Extent(pub usize);

impl fmt::Display for Extent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("shape_i")
    }
}

impl Custom for Extent {
    fn same(&self, other: &dyn Custom) -> bool {
        other.downcast::<Extent>().is_some_and(|it| it.0 == self.0)
    }

    fn perform(&self, _: &Apply, inputs: &[Value]) -> Result<Values, Failure> {
        let tensor = inputs[0].tensor()?;
        Ok(smallvec![Value::Int(tensor.size_of(self.0 as i64)?)])
    }

    fn connects(&self, _input: usize) -> bool {
        false
    }

    fn settings(&self) -> Vec<(String, String)> {
        vec![("i".to_owned(), self.0.to_string())]
    }
}

/// A part of a structure.
pub struct Attribute {
    at: usize,
    name: String,
}

impl fmt::Display for Attribute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("attribute")
    }
}

impl Custom for Attribute {
    fn same(&self, other: &dyn Custom) -> bool {
        other.downcast::<Attribute>().is_some_and(|it| it.at == self.at)
    }

    fn perform(&self, _: &Apply, inputs: &[Value]) -> Result<Values, Failure> {
        match &inputs[0] {
            Value::List(parts) if self.at < parts.len() => Ok(smallvec![parts[self.at].clone()]),
            _ => Err(Error::wrong_type(format_args!("the value has no '{}'", self.name)).into()),
        }
    }

    fn views(&self, _: usize) -> &[usize] {
        &[0]
    }

    fn settings(&self) -> Vec<(String, String)> {
        vec![("name".to_owned(), self.name.clone())]
    }
}

/// What values of the variable's type have under a name, if they have anything.
pub fn attribute(variable: &Variable, name: &str, place: Option<Place>) -> Option<Variable> {
    let (at, ty) = variable.ty().attribute(name)?;
    let op = Arc::new(Attribute { at, name: name.to_owned() });
    Some(Variable::output(custom(op, vec![variable.clone()], vec![ty], place), 0))
}

/// The same tensor, which is found to have this type.
pub struct SpecifyShape(TensorType);

impl fmt::Display for SpecifyShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("specify_shape")
    }
}

impl Custom for SpecifyShape {
    fn same(&self, other: &dyn Custom) -> bool {
        other.downcast::<SpecifyShape>().is_some_and(|it| it.0 == self.0)
    }

    fn perform(&self, _: &Apply, inputs: &[Value]) -> Result<Values, Failure> {
        let tensor = inputs[0].tensor()?;
        if !self.0.has_tensor(tensor) {
            return Err(Failure::Mismatch(mismatch(&self.0, tensor.shape())));
        }
        Ok(smallvec![inputs[0].clone()])
    }

    fn types(&self, inputs: &[Variable]) -> Result<Option<Vec<TypeRef>>, Failure> {
        Ok(Some(vec![self.0.clone().shared().meet(inputs[0].ty())?]))
    }

    fn gradients(&self, backward: &Backward<'_>) -> Result<Vec<Option<Variable>>, Failure> {
        Ok(vec![backward.gradients[0].clone()])
    }

    fn views(&self, _: usize) -> &[usize] {
        &[0]
    }

    fn settings(&self) -> Vec<(String, String)> {
        vec![("shape".to_owned(), text::extents(&self.0))]
    }
}

#[cold]
fn mismatch(wanted: &TensorType, shape: &[i64]) -> String {
    let differs = wanted.shape().iter().zip(shape).position(|(a, b)| a.is_some_and(|a| a != *b));
    match differs {
        Some(at) => format!(
            "specify_shape: dimension {at}: expected {}, got {} (shape {shape:?})",
            wanted.shape()[at].unwrap_or_default(),
            shape[at],
        ),
        None => format!(
            "specify_shape: expected {} dimensions, got {} (shape {shape:?})",
            wanted.ndim(),
            shape.len(),
        ),
    }
}

/// The variable with what `ty` knows of it, or itself if that says nothing new.
///
/// # Errors
///
/// A clash of both types.
pub fn specified(
    variable: &Variable,
    ty: &TypeRef,
    place: Option<Place>,
) -> Result<Variable, Failure> {
    if ty.is_super(&**variable.ty()) {
        return Ok(variable.clone());
    }
    let met = ty.meet(variable.ty())?;
    if let Some(value) = variable.as_constant() {
        let value = met.accept(value.clone(), Coerce::Strict)?;
        return Ok(Variable::constant(met, value, variable.label().name().as_deref()));
    }
    let wanted = met.downcast::<TensorType>();
    let wanted = wanted.ok_or_else(|| Error::wrong_type(format_args!("{met} has no shape")))?;
    let op = Arc::new(SpecifyShape(wanted.clone()));
    let node = custom(op, vec![variable.clone()], vec![met.clone()], place);
    Ok(Variable::output(node, 0))
}
