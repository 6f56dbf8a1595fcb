//! Conversion of values to tensors of a type.

use super::{TensorType, listed};
use crate::op::value::Value;
use crate::types::coerce::Coerce;
use crate::types::describe::{Came, ShapeTuple};
use crate::types::refusal::Refusal;
use crate::types::{lossless, number};
use crate::{Error, Result, Scalar, Tensor, dispatch};

/// The value as a tensor of the type.
pub(super) fn value(ty: &TensorType, value: Value, how: Coerce) -> Result<Tensor, Refusal> {
    match value {
        Value::Tensor(it) => tensor(ty, it, how),
        Value::List(items) => {
            refuse_strict(ty, "list", how)?;
            let tensor = listed::tensor(ty, &items, how)?;
            check_shape(ty, tensor.shape())?;
            Ok(tensor)
        }
        other => match other.scalar() {
            Ok(it) => scalar(ty, it, &other, how),
            Err(_) => Err(Refusal::Type(format!("{ty} takes no {}", Came(&other)))),
        },
    }
}

fn tensor(ty: &TensorType, tensor: Tensor, how: Coerce) -> Result<Tensor, Refusal> {
    let dtype = tensor.dtype();
    if dtype != ty.dtype {
        refuse_strict(ty, &format!("{dtype} array"), how)?;
        if how != Coerce::Any && !lossless::holds(ty.dtype, dtype) {
            return Err(Refusal::Range(format!(
                "{ty} takes no {dtype} array without loss; convert it, or pass \
                 allow_input_downcast=True"
            )));
        }
    }
    check_shape(ty, tensor.shape())?;
    tensor.to_dtype(ty.dtype).map_err(failed)
}

fn scalar(ty: &TensorType, value: Scalar, came: &Value, how: Coerce) -> Result<Tensor, Refusal> {
    refuse_strict(ty, &Came(came).to_string(), how)?;
    check_shape(ty, &[])?;
    dispatch!(ty.dtype, "accept", all, |T| {
        match number::cast::<T>(value, how) {
            Some(element) => Tensor::from_slice(&[], &[element]).map(Some),
            None => Ok(None),
        }
    })
    .map_err(failed)?
    .ok_or_else(|| inexact(ty, value, ""))
}

/// Says that a number is not what it was once it is an element; `place` says which.
#[cold]
pub(super) fn inexact(ty: &TensorType, value: Scalar, place: &str) -> Refusal {
    Refusal::Range(format!(
        "{ty} does not hold {value}{place} without loss; pass another number, or \
         allow_input_downcast=True"
    ))
}

#[cold]
pub(super) fn failed(error: Error) -> Refusal {
    Refusal::Value(error.message().to_owned())
}

fn refuse_strict(ty: &TensorType, came: &str, how: Coerce) -> Result<(), Refusal> {
    if how != Coerce::Strict {
        return Ok(());
    }
    Err(Refusal::Type(format!(
        "{ty} takes no {came} as it is; convert it to a {} tensor, or leave out strict=True",
        ty.dtype
    )))
}

fn check_shape(ty: &TensorType, shape: &[i64]) -> Result<(), Refusal> {
    if ty.has_shape(shape) { Ok(()) } else { Err(wrong_shape(ty, shape)) }
}

#[cold]
fn wrong_shape(ty: &TensorType, shape: &[i64]) -> Refusal {
    let came = ShapeTuple(shape);
    if shape.len() != ty.ndim() {
        let (expected, got) = (ty.ndim(), shape.len());
        return Refusal::Value(format!(
            "{ty} takes what has {expected} dimensions, not {got} (shape {came})"
        ));
    }
    let pairs = shape.iter().zip(ty.shape()).enumerate();
    let wrong = pairs.filter_map(|(at, (got, known))| Some((at, *got, (*known)?)));
    let (at, got, expected) = wrong.into_iter().find(|(_, got, it)| got != it).unwrap_or_default();
    Refusal::Value(format!("{ty}: dimension {at}: expected {expected}, got {got} (shape {came})"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DType;

    fn of(dtype: DType, shape: &[Option<i64>]) -> TensorType {
        TensorType::new(dtype, shape.iter().copied())
    }

    #[track_caller]
    fn refused(ty: &TensorType, came: Value, how: Coerce, expected: &str) {
        assert_eq!(value(ty, came, how).unwrap_err().message(), expected);
    }

    #[test]
    fn a_tensor_of_the_type_comes_out_itself() {
        let x = Tensor::from_slice(&[2], &[1.0_f32, 2.0]).unwrap();
        for how in [Coerce::Strict, Coerce::Lossless, Coerce::Natural, Coerce::Any] {
            let out = value(&of(DType::Float32, &[None]), Value::Tensor(x.clone()), how).unwrap();
            assert!(out.is_same(&x), "{how:?}");
        }
    }

    #[test]
    fn refusals_say_what_came_and_the_way_out() {
        let vector = of(DType::Float32, &[None]);
        let wide = || Value::Tensor(Tensor::from_slice(&[1], &[0.5]).unwrap());
        let text = "TensorType(float32, (?,)) takes no float64 array without loss; convert it, or \
                    pass allow_input_downcast=True";
        refused(&vector, wide(), Coerce::Natural, text);
        let text = "TensorType(float32, (?,)) takes no float64 array as it is; convert it to a \
                    float32 tensor, or leave out strict=True";
        refused(&vector, wide(), Coerce::Strict, text);
        let text = "TensorType(float32, (?,)) takes what has 1 dimensions, not 0 (shape ())";
        refused(&vector, Value::Int(1), Coerce::Any, text);
        let text = "TensorType(int8, ()) does not hold 300 without loss; pass another number, or \
                    allow_input_downcast=True";
        refused(&of(DType::Int8, &[]), Value::Int(300), Coerce::Natural, text);
        let text = "TensorType(float64, (2,)): dimension 0: expected 2, got 1 (shape (1,))";
        refused(&of(DType::Float64, &[Some(2)]), wide(), Coerce::Strict, text);
        refused(&vector, Value::None, Coerce::Any, "TensorType(float32, (?,)) takes no None");
    }
}
