//! Random numbers that are made of those of other distributions.

use std::f64::consts::PI;

use opwright_macros::native_op;
use opwright_runtime::{DType, Generator, Result, Scalar, Tensor, ensure};

use crate::gradient::float;
use crate::ops::{self, TensorOps};

/// So many categories can be told apart by single precision.
const MOST_CATEGORIES: i64 = 1 << 24;

/// Fills a tensor with a function of evenly distributed numbers.
fn of_uniform(
    out: &mut Tensor,
    generator: Option<&Generator>,
    function: impl FnOnce(&Tensor) -> Result<Tensor>,
) -> Result<()> {
    let wide = Some(DType::Float64);
    let mut draws = ops::empty_like::Default_::call(out, wide, None, None, None, None)?;
    ops::uniform_::Default_::call(&mut draws, 0.0, 1.0, generator)?;
    ops::copy_::Default_::call(out, &function(&draws)?, false)
}

/// By the inverse of the distribution, `median + sigma * tan(pi * (u - 1/2))`.
#[native_op(cauchy_)]
fn cauchy(
    self_: &mut Tensor,
    median: f64,
    sigma: f64,
    generator: Option<&Generator>,
) -> Result<()> {
    ensure!(sigma > 0.0, Runtime, "cauchy_ expects sigma > 0.0, but found sigma={sigma}");
    if !self_.dtype().is_floating() {
        return Err(self_.dtype().unsupported("cauchy"));
    }
    of_uniform(self_, generator, |draws| {
        let angle = draws.add_scalar(float(-0.5))?.mul_scalar(float(PI))?;
        angle.tan()?.mul_scalar(float(sigma))?.add_scalar(float(median))
    })
}

/// By the inverse of the distribution, `ceil(log(1 - u) / log(1 - p))`, which is 1 at least.
#[native_op(geometric_)]
fn geometric(self_: &mut Tensor, p: f64, generator: Option<&Generator>) -> Result<()> {
    ensure!(0.0 < p && p < 1.0, Runtime, "geometric_ expects p to be in (0, 1), but got p={p}");
    if self_.dtype().is_complex_number() || self_.dtype().is_boolean() {
        return Err(self_.dtype().unsupported("geometric"));
    }
    of_uniform(self_, generator, |draws| {
        let failures = draws.neg()?.log1p()?.div_scalar(float((-p).ln_1p()))?;
        failures.ceil()?.clamp_min(Scalar::Int(1))
    })
}

#[native_op(log_normal_)]
fn log_normal(
    self_: &mut Tensor,
    mean: f64,
    std: f64,
    generator: Option<&Generator>,
) -> Result<()> {
    ensure!(std > 0.0, Runtime, "log_normal_ expects std > 0.0, but found std={std}");
    if !self_.dtype().is_floating() {
        return Err(self_.dtype().unsupported("log_normal"));
    }
    ops::normal_::Default_::call(self_, mean, std, generator)?;
    ops::exp_::Default_::call(self_)
}

#[native_op(multinomial)]
fn multinomial(
    self_: &Tensor,
    num_samples: i64,
    replacement: bool,
    generator: Option<&Generator>,
) -> Result<Tensor> {
    ensure!(
        matches!(self_.ndim(), 1 | 2),
        Runtime,
        "prob_dist must be 1 or 2 dim, but has {} dimensions",
        self_.ndim()
    );
    ensure!(
        self_.dtype().is_floating(),
        Runtime,
        "multinomial only supports floating-point dtypes for input, got: {}",
        self_.dtype().title()
    );
    let categories = self_.size_of(-1)?;
    ensure!(
        num_samples > 0,
        Runtime,
        "cannot sample n_sample <= 0 samples, but num_samples is {num_samples}"
    );
    ensure!(
        replacement || num_samples <= categories,
        Runtime,
        "cannot sample n_sample > prob_dist.size(-1) samples without replacement: there are \
         {categories} categories, and num_samples is {num_samples}"
    );
    ensure!(
        categories <= MOST_CATEGORIES,
        Runtime,
        "number of categories cannot exceed 2^24, but there are {categories}"
    );
    let mut shape = self_.shape().to_vec();
    shape[self_.ndim() - 1] = num_samples;
    if self_.device().is_meta() || self_.numel() == 0 {
        let (dtype, device) = (Some(DType::Int64), Some(self_.device()));
        return ops::zeros::Default_::call(&shape, dtype, None, device, None);
    }
    let weights = ops::_to_copy::Default_::call(
        &self_.detach()?,
        Some(DType::Float64),
        None,
        None,
        None,
        false,
        None,
    )?;
    check_weights(&weights)?;
    if !replacement {
        // The first to come of waiting times whose rates are the weights.
        let mut times = ops::empty_like::Default_::call(&weights, None, None, None, None, None)?;
        ops::exponential_::Default_::call(&mut times, 1.0, generator)?;
        let rates = weights.div(&times)?;
        return Ok(ops::topk::Default_::call(&rates, num_samples, -1, true, true)?.1);
    }
    let total = weights.cumsum(-1)?;
    let share = total.div(&total.narrow(-1, categories - 1, 1)?)?;
    let (dtype, device) = (Some(DType::Float64), Some(self_.device()));
    let draws = ops::rand::generator::call(&shape, generator, dtype, None, device, None)?;
    ops::searchsorted::Tensor::call(&share, &draws, false, true, None, None)
}

fn check_weights(weights: &Tensor) -> Result<()> {
    let is_good = weights.ge_scalar(Scalar::Int(0))?.logical_and(&weights.isfinite()?)?;
    ensure!(
        is_good.all()?.is_nonzero()?,
        Runtime,
        "probability tensor contains either `inf`, `nan` or element < 0"
    );
    let total = ops::sum::dim_IntList::call(weights, Some(&[-1]), false, None)?;
    ensure!(
        total.gt_scalar(Scalar::Int(0))?.all()?.is_nonzero()?,
        Runtime,
        "invalid multinomial distribution (sum of probabilities <= 0)"
    );
    Ok(())
}
