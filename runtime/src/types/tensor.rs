//! Tensors of a dtype and of a shape that may be known in part.

mod accept;
pub(crate) mod compare;
mod listed;
mod memory;

use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use smallvec::SmallVec;

pub use self::compare::Tolerance;
use super::clash::Clash;
use super::coerce::Coerce;
use super::refusal::Refusal;
use super::ty::{Type, TypeRef};
use crate::geometry::MAX_DIMS;
use crate::op::value::Value;
use crate::resolve::{Accepts, Kind};
use crate::{DType, Result, Tensor, ensure};

/// The extents of a shape; those that are not known are `None`.
pub type Extents = SmallVec<[Option<i64>; 4]>;

/// The tensors of a dtype whose shapes agree with what is known of the extents.
///
/// ```
/// use opwright_runtime::DType;
/// use opwright_runtime::types::{TensorType, Type};
///
/// let rows = TensorType::new(DType::Float64, [Some(2), None]);
/// assert_eq!(rows.to_string(), "TensorType(float64, (2, ?))");
/// assert!(rows.is_super(&TensorType::new(DType::Float64, [Some(2), Some(1)])));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TensorType {
    dtype: DType,
    shape: Extents,
}

impl TensorType {
    /// The tensors of these.
    pub fn new(dtype: DType, shape: impl IntoIterator<Item = Option<i64>>) -> TensorType {
        TensorType { dtype, shape: shape.into_iter().collect() }
    }

    /// The same, if there is such a shape.
    ///
    /// # Errors
    ///
    /// `Value` for a negative extent, and for more dimensions than tensors have.
    pub fn checked(dtype: DType, shape: Extents) -> Result<TensorType> {
        let ndim = shape.len();
        ensure!(ndim <= MAX_DIMS, Value, "tensors have at most {MAX_DIMS} dimensions, not {ndim}");
        if let Some((at, extent)) = shape.iter().enumerate().find(|(_, it)| **it < Some(0)) {
            let extent = extent.unwrap_or_default();
            ensure!(extent >= 0, Value, "dimension {at} has the negative extent {extent}");
        }
        Ok(TensorType { dtype, shape })
    }

    /// The most specific type of a tensor.
    pub fn of(tensor: &Tensor) -> TensorType {
        TensorType::new(tensor.dtype(), tensor.shape().iter().copied().map(Some))
    }

    /// As it is shared.
    pub fn shared(self) -> TypeRef {
        Arc::new(self)
    }

    /// The dtype.
    pub fn dtype(&self) -> DType {
        self.dtype
    }

    /// What is known of the extents.
    pub fn shape(&self) -> &[Option<i64>] {
        &self.shape
    }

    /// How many dimensions there are.
    pub fn ndim(&self) -> usize {
        self.shape.len()
    }

    /// Whether a tensor has these dtype and shape.
    pub fn has_tensor(&self, tensor: &Tensor) -> bool {
        tensor.dtype() == self.dtype && self.has_shape(tensor.shape())
    }

    /// Whether a shape agrees with what is known of the extents.
    pub fn has_shape(&self, shape: &[i64]) -> bool {
        shape.len() == self.ndim()
            && shape.iter().zip(&self.shape).all(|(it, known)| known.is_none_or(|n| n == *it))
    }

    /// The short form: `f64[2, ?]`.
    pub fn short(&self) -> impl fmt::Display {
        let short = ExtentList { extents: &self.shape, single: "" };
        format!("{}[{short}]", self.dtype.short_name())
    }

    /// Of two types with one dtype and rank the extents in pairs.
    fn beside<'a>(
        &'a self,
        other: &'a TensorType,
    ) -> Option<impl Iterator<Item = (Option<i64>, Option<i64>)> + 'a> {
        let alike = self.dtype == other.dtype && self.ndim() == other.ndim();
        alike.then(|| self.shape.iter().copied().zip(other.shape.iter().copied()))
    }

    /// The smallest set that has the values of both, if there is one.
    pub fn join(&self, other: &TensorType) -> Option<TensorType> {
        let pairs = self.beside(other)?;
        Some(TensorType::new(self.dtype, pairs.map(|(a, b)| if a == b { a } else { None })))
    }

    fn met(&self, other: &TensorType) -> Result<TensorType, Clash> {
        let unlike = || Clash::new(format_args!("{self} and {other} have no value in common"));
        let pairs = self.beside(other).ok_or_else(unlike)?;
        let mut shape = Extents::new();
        for (at, (a, b)) in pairs.enumerate() {
            if let (Some(a), Some(b)) = (a, b)
                && a != b
            {
                let text = format_args!("dimension {at} is {a} in {self} and {b} in {other}");
                return Err(Clash::new(text));
            }
            shape.push(a.or(b));
        }
        Ok(TensorType { dtype: self.dtype, shape })
    }
}

/// `TensorType(float64, (2, ?))`.
impl fmt::Display for TensorType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let extents = ExtentList { extents: &self.shape, single: "," };
        write!(f, "TensorType({}, ({extents}))", self.dtype.name())
    }
}

/// Extents one after the other, and what stands behind a single one.
struct ExtentList<'a> {
    extents: &'a [Option<i64>],
    single: &'static str,
}

impl fmt::Display for ExtentList<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, extent) in self.extents.iter().enumerate() {
            f.write_str(if at > 0 { ", " } else { "" })?;
            match extent {
                Some(known) => write!(f, "{known}")?,
                None => f.write_str("?")?,
            }
        }
        f.write_str(if self.extents.len() == 1 { self.single } else { "" })
    }
}

impl Type for TensorType {
    fn equals(&self, other: &dyn Type) -> bool {
        other.downcast::<TensorType>() == Some(self)
    }

    fn hash_code(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.hash(&mut hasher);
        hasher.finish()
    }

    fn is_super(&self, other: &dyn Type) -> bool {
        let pairs = other.downcast::<TensorType>().and_then(|it| self.beside(it));
        pairs.is_some_and(|mut it| it.all(|(own, other)| own.is_none() || own == other))
    }

    fn in_same_class(&self, other: &dyn Type) -> bool {
        let pairs = other.downcast::<TensorType>().and_then(|it| self.beside(it));
        pairs.is_some_and(|mut it| it.all(|(a, b)| (a == Some(1)) == (b == Some(1))))
    }

    fn meet(&self, other: &TypeRef) -> Result<TypeRef, Clash> {
        match other.downcast::<TensorType>() {
            Some(it) => Ok(self.met(it)?.shared()),
            None => Err(Clash::new(format_args!("{self} and {other} have no value in common"))),
        }
    }

    fn accepts(&self) -> Accepts {
        let tensor = Accepts::of(&[Kind::Tensor, Kind::TensorOrNumber, Kind::Object]);
        if self.ndim() > 0 {
            return tensor;
        }
        let number = tensor.or(Accepts::of(&[Kind::Scalar, Kind::Float]));
        let index = Accepts::of(&[Kind::SymInt, Kind::IntListOrInt]);
        if self.dtype.is_boolean() {
            number.or(index)
        } else if self.dtype.is_integral() {
            number.or(index).or(Accepts::of(&[Kind::Int, Kind::Reduction]))
        } else {
            number
        }
    }

    fn element(&self) -> Option<DType> {
        Some(self.dtype)
    }

    fn has(&self, value: &Value) -> bool {
        matches!(value, Value::Tensor(it) if self.has_tensor(it))
    }

    fn wants(&self) -> String {
        let numbers = if self.ndim() == 0 { "numbers" } else { "lists of numbers" };
        format!("tensors, arrays and {numbers}")
    }

    fn accept(&self, value: Value, how: Coerce) -> Result<Value, Refusal> {
        accept::value(self, value, how).map(Value::Tensor)
    }

    fn same(&self, a: &Value, b: &Value) -> bool {
        compare::same(a, b)
    }

    fn close(&self, a: &Value, b: &Value) -> bool {
        Tolerance::default().is_met(a, b)
    }

    fn aliases(&self, a: &Value, b: &Value) -> bool {
        memory::may_be_shared(a, b)
    }

    fn deep_copy(&self, value: &Value) -> Result<Value> {
        value.tensor()?.copy_in_layout().map(Value::Tensor)
    }

    fn bytes(&self, value: &Value) -> Option<usize> {
        let tensor = value.tensor().ok()?;
        Some(tensor.numel() * tensor.dtype().size())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorKind;

    #[test]
    fn a_shape_is_checked() {
        let of = |shape: &[Option<i64>]| TensorType::checked(DType::Int8, Extents::from(shape));
        assert_eq!(of(&[None, Some(0)]).unwrap().to_string(), "TensorType(int8, (?, 0))");
        assert_eq!(of(&[None; 128]).unwrap().ndim(), 128);
        let error = of(&[Some(2), Some(-3)]).unwrap_err();
        assert_eq!(error.message(), "dimension 1 has the negative extent -3");
        assert_eq!(of(&[None; 129]).unwrap_err().kind(), ErrorKind::Value);
    }

    #[test]
    fn types_have_a_short_form() {
        let short = |shape: &[Option<i64>]| {
            TensorType::new(DType::Float64, shape.iter().copied()).short().to_string()
        };
        assert_eq!(short(&[Some(2), None]), "f64[2, ?]");
        assert_eq!(short(&[None]), "f64[?]");
        assert_eq!(short(&[]), "f64[]");
    }
}
