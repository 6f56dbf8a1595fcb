//! The second name of `clamp`, which is numpy's.

use opwright_macros::native_op;
use opwright_runtime::{Result, Scalar, Tensor};

use crate::ops;

/// Another name of `clamp`.
///
/// ```python
/// >>> opwright.clip(opwright.tensor([-3, 0, 7]), -1, 5)
/// tensor([-1,  0,  5], dtype=int64, shape=(3,))
/// ```
#[native_op(
    "clip(Tensor self, Scalar? min=None, Scalar? max=None) -> Tensor",
    composite,
    method,
    tags = "pointwise"
)]
fn clip(self_: &Tensor, min: Option<Scalar>, max: Option<Scalar>) -> Result<Tensor> {
    ops::clamp::Default_::call(self_, min, max)
}

#[native_op(
    "clip_(Tensor(a!) self, Scalar? min=None, Scalar? max=None) -> Tensor(a!)",
    composite,
    method,
    tags = "pointwise"
)]
fn clip_(self_: &mut Tensor, min: Option<Scalar>, max: Option<Scalar>) -> Result<()> {
    ops::clamp_::Default_::call(self_, min, max)
}

#[native_op(
    "clip.out(Tensor self, Scalar? min=None, Scalar? max=None, *, Tensor(a!) out) -> Tensor(a!)",
    composite,
    tags = "pointwise"
)]
fn clip_out(
    self_: &Tensor,
    min: Option<Scalar>,
    max: Option<Scalar>,
    out: &mut Tensor,
) -> Result<()> {
    ops::clamp::out::call(self_, min, max, out)
}

#[native_op(
    "clip.Tensor(Tensor self, Tensor? min=None, Tensor? max=None) -> Tensor",
    composite,
    method,
    tags = "pointwise"
)]
fn clip_tensor(self_: &Tensor, min: Option<&Tensor>, max: Option<&Tensor>) -> Result<Tensor> {
    ops::clamp::Tensor::call(self_, min, max)
}

#[native_op(
    "clip_.Tensor(Tensor(a!) self, Tensor? min=None, Tensor? max=None) -> Tensor(a!)",
    composite,
    method,
    tags = "pointwise"
)]
fn clip_inplace_tensor(
    self_: &mut Tensor,
    min: Option<&Tensor>,
    max: Option<&Tensor>,
) -> Result<()> {
    ops::clamp_::Tensor::call(self_, min, max)
}

#[native_op(
    "clip.Tensor_out(Tensor self, Tensor? min=None, Tensor? max=None, *, Tensor(a!) out) -> Tensor(a!)",
    composite
)]
fn clip_tensor_out(
    self_: &Tensor,
    min: Option<&Tensor>,
    max: Option<&Tensor>,
    out: &mut Tensor,
) -> Result<()> {
    ops::clamp::Tensor_out::call(self_, min, max, out)
}
