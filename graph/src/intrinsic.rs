//! What nodes do for values of any type: no crate declares these as operators.

use std::fmt;
use std::sync::Arc;

use opwright_runtime::Error;
use opwright_runtime::op::Value;
use opwright_runtime::types::{Coerce, TensorType, TypeRef};
use smallvec::smallvec;

use crate::apply::Apply;
use crate::build::custom;
use crate::failure::Failure;
use crate::op::{Custom, Values};
use crate::place::Place;
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
            return Err(mismatch(&self.0, tensor.shape()).into());
        }
        Ok(smallvec![inputs[0].clone()])
    }

    fn views(&self, _: usize) -> &[usize] {
        &[0]
    }

    fn settings(&self) -> Vec<(String, String)> {
        let shape = self.0.to_string();
        let shape = shape.split_once(", ").map_or(shape.as_str(), |(_, it)| it);
        vec![("shape".to_owned(), shape.strip_suffix(')').unwrap_or(shape).to_owned())]
    }
}

#[cold]
fn mismatch(wanted: &TensorType, shape: &[i64]) -> Error {
    let differs = wanted.shape().iter().zip(shape).position(|(a, b)| a.is_some_and(|a| a != *b));
    match differs {
        Some(at) => Error::value(format_args!(
            "specify_shape: dimension {at}: expected {}, got {} (shape {shape:?})",
            wanted.shape()[at].unwrap_or_default(),
            shape[at],
        )),
        None => Error::value(format_args!(
            "specify_shape: expected {} dimensions, got {} (shape {shape:?})",
            wanted.ndim(),
            shape.len(),
        )),
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
