//! Snapshots of tensors.

use std::fmt;

use crate::dtype::Category;
use crate::{Complex, DType, Device, Element, Result, Tensor, dispatch};

/// Shape, dtype, device and a copy of the elements of a tensor.
#[derive(Clone)]
pub(super) struct TensorState(Tensor);

impl TensorState {
    pub(super) fn of(tensor: &Tensor) -> Result<TensorState> {
        tensor.copy().map(TensorState)
    }

    pub(super) fn of_all(tensors: &[&Tensor]) -> Result<Vec<TensorState>> {
        tensors.iter().map(|it| TensorState::of(it)).collect()
    }

    pub(super) fn shape(&self) -> &[i64] {
        self.0.shape()
    }

    pub(super) fn dtype(&self) -> DType {
        self.0.dtype()
    }

    pub(super) fn looks_like(&self, other: &TensorState) -> bool {
        self.shape() == other.shape() && self.dtype() == other.dtype()
    }

    /// Whether both are equal; numbers that are none are equal to each other.
    pub(super) fn is_same(&self, other: &TensorState) -> Result<bool> {
        self.compare(other, None)
    }

    /// Whether both agree but for the order in which sums are added up.
    pub(super) fn is_close(&self, other: &TensorState) -> Result<bool> {
        self.compare(other, tolerance(self.dtype()))
    }

    fn compare(&self, other: &TensorState, tolerance: Option<f64>) -> Result<bool> {
        if !self.looks_like(other) || self.0.device() != other.0.device() {
            return Ok(false);
        }
        if self.0.device() == Device::Meta {
            return Ok(true);
        }
        let same = dispatch!(self.dtype(), "compare", all, |T| same::<T>(&self.0, &other.0))?;
        match tolerance {
            Some(tolerance) if !same => close(&self.0, &other.0, tolerance),
            _ => Ok(same),
        }
    }
}

fn same<T: Element>(one: &Tensor, other: &Tensor) -> Result<bool> {
    #[expect(clippy::eq_op, reason = "what is no number is not equal to itself")]
    let is_nan = |it: &T| it != it;
    let (one, other) = (one.to_vec::<T>()?, other.to_vec::<T>()?);
    Ok(one.iter().zip(&other).all(|(a, b)| a == b || (is_nan(a) && is_nan(b))))
}

fn close(one: &Tensor, other: &Tensor, tolerance: f64) -> Result<bool> {
    let part = |a: f64, b: f64| {
        a == b || (a.is_nan() && b.is_nan()) || (a - b).abs() <= tolerance * (1.0 + b.abs())
    };
    let (one, other) = (one.to_vec::<Complex<f64>>()?, other.to_vec::<Complex<f64>>()?);
    Ok(one.iter().zip(&other).all(|(a, b)| part(a.re, b.re) && part(a.im, b.im)))
}

/// What rounding explains; whole numbers are not rounded.
fn tolerance(dtype: DType) -> Option<f64> {
    match dtype.category() {
        Category::Bool | Category::Integral => None,
        Category::Floating | Category::Complex => Some(match dtype.to_real().size() {
            2 => 1e-2,
            4 => 1e-4,
            _ => 1e-10,
        }),
    }
}

impl fmt::Display for TensorState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, shape {:?}", self.dtype(), self.shape())
    }
}
