//! Images sampled at places that a grid has, between -1 and 1 from edge to edge.

use opwright_macros::native_op;
use opwright_runtime::structured::common_device;
use opwright_runtime::{DType, Result, Scalar, Tensor, buffer, ensure, fail};

use crate::gradient::{constants, to};
use crate::ops::{self, TensorOps};

const ONE: Scalar = Scalar::Int(1);

/// How an element comes from those of the image around its place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Interpolation {
    Linear,
    Nearest,
    Cubic,
}

/// What lies outside of the image.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Outside {
    Zeros,
    Border,
    Reflection,
}

/// Places along a dimension of the image.
#[derive(Clone, Copy)]
struct GridAxis {
    size: i64,
    align_corners: bool,
    outside: Outside,
}

impl GridAxis {
    /// Places counted in elements, of places between -1 and 1.
    fn places(self, grid: &Tensor) -> Result<Tensor> {
        let (size, from_edge) = (self.size as f64, grid.add_scalar(ONE)?);
        match self.align_corners {
            true => from_edge.mul_scalar(Scalar::Float((size - 1.0) / 2.0)),
            false => from_edge
                .mul_scalar(Scalar::Float(size))?
                .sub_scalar(ONE)?
                .div_scalar(Scalar::Int(2)),
        }
    }

    /// Places that are brought back into the image, if anything is to lie outside.
    fn inside(self, places: &Tensor) -> Result<Tensor> {
        let places = match self.outside {
            Outside::Zeros => return Ok(places.clone()),
            Outside::Border => places.clone(),
            Outside::Reflection => self.reflected(places)?,
        };
        let last = Scalar::Float((self.size - 1) as f64);
        ops::clamp::Default_::call(&places, Some(Scalar::Float(0.0)), Some(last))
    }

    /// Places mirrored at the edges, or at the middles of the outermost elements.
    fn reflected(self, places: &Tensor) -> Result<Tensor> {
        let (least, span) = match self.align_corners {
            true => (0.0, (self.size - 1) as f64),
            false => (-0.5, self.size as f64),
        };
        if span == 0.0 {
            return places.new_zeros(places.shape());
        }
        let [least, span] = [least, span].map(Scalar::Float);
        let distance = places.sub_scalar(least)?.abs()?;
        let rest = ops::fmod::Scalar::call(&distance, span)?;
        let turns = distance.div_scalar(span)?.floor()?;
        let is_even = ops::fmod::Scalar::call(&turns, Scalar::Int(2))?.eq_scalar(Scalar::Int(0))?;
        let back = ops::rsub::Scalar::call(&rest, span, ONE)?;
        ops::r#where::self_::call(&is_even, &rest, &back)?.add_scalar(least)
    }

    /// The elements at whole places, and what they count there: nothing outside.
    fn elements(self, places: &Tensor) -> Result<(Tensor, Tensor)> {
        let last = Scalar::Int(self.size - 1);
        let is_inside = places.ge_scalar(Scalar::Int(0))?.logical_and(&places.le_scalar(last)?)?;
        let places = ops::r#where::ScalarOther::call(&is_inside, places, Scalar::Int(0))?;
        Ok((to(&places.detach()?, DType::Int64)?, to(&is_inside, places.dtype())?))
    }

    /// For each element that a place consists of its number and its weight.
    fn taps(self, grid: &Tensor, interpolation: Interpolation) -> Result<Vec<(Tensor, Tensor)>> {
        let places = self.places(grid)?;
        match interpolation {
            Interpolation::Nearest => {
                let places = ops::round::Default_::call(&self.inside(&places)?.detach()?)?;
                Ok(vec![self.elements(&places)?])
            }
            Interpolation::Linear => {
                let places = self.inside(&places)?;
                let before = places.detach()?.floor()?;
                let share = places.sub(&before)?;
                let first = self.elements(&before)?;
                let second = self.elements(&before.add_scalar(ONE)?)?;
                let rest = ops::rsub::Scalar::call(&share, ONE, ONE)?;
                Ok(vec![(first.0, first.1.mul(&rest)?), (second.0, second.1.mul(&share)?)])
            }
            Interpolation::Cubic => {
                let before = places.detach()?.floor()?;
                let share = places.sub(&before)?;
                let tap = |at: i64| {
                    let place = before.add_scalar(Scalar::Int(at))?;
                    let place = ops::round::Default_::call(&self.inside(&place)?)?;
                    let (element, counts) = self.elements(&place)?;
                    let distance = share.sub_scalar(Scalar::Int(at))?.abs()?;
                    Ok((element, counts.mul(&cubic(&distance, at)?)?))
                };
                (-1..3).map(tap).collect()
            }
        }
    }
}

/// The weight of an element at a distance (R. Keys, "Cubic convolution interpolation", 1981), with -0.75
/// for the slope at 1.
fn cubic(distance: &Tensor, at: i64) -> Result<Tensor> {
    let polynomial = |coefficients: [f64; 4]| {
        let [first, rest @ ..] = coefficients;
        let mut sum = distance.mul_scalar(Scalar::Float(first))?;
        for (index, coefficient) in rest.into_iter().enumerate() {
            sum = sum.add_scalar(Scalar::Float(coefficient))?;
            if index < 2 {
                sum = sum.mul(distance)?;
            }
        }
        Ok(sum)
    };
    match at {
        0 | 1 => polynomial([1.25, -2.25, 0.0, 1.0]),
        _ => polynomial([-0.75, 3.75, -6.0, 3.0]),
    }
}

#[native_op(grid_sampler)]
fn grid_sampler(
    input: &Tensor,
    grid: &Tensor,
    interpolation_mode: i64,
    padding_mode: i64,
    align_corners: bool,
) -> Result<Tensor> {
    match input.ndim() {
        4 => ops::grid_sampler_2d::Default_::call(
            input,
            grid,
            interpolation_mode,
            padding_mode,
            align_corners,
        ),
        5 => ops::grid_sampler_3d::Default_::call(
            input,
            grid,
            interpolation_mode,
            padding_mode,
            align_corners,
        ),
        _ => fail!(
            Runtime,
            "grid_sampler(): expected input to be 4D or 5D, but got input of sizes {:?} and grid of \
             sizes {:?}",
            input.shape(),
            grid.shape()
        ),
    }
}

#[native_op(grid_sampler_2d)]
fn grid_sampler_2d(
    input: &Tensor,
    grid: &Tensor,
    interpolation_mode: i64,
    padding_mode: i64,
    align_corners: bool,
) -> Result<Tensor> {
    let modes = modes(2, interpolation_mode, padding_mode)?;
    sampled(input, grid, 2, modes, align_corners)
}

#[native_op(grid_sampler_3d)]
fn grid_sampler_3d(
    input: &Tensor,
    grid: &Tensor,
    interpolation_mode: i64,
    padding_mode: i64,
    align_corners: bool,
) -> Result<Tensor> {
    let modes = modes(3, interpolation_mode, padding_mode)?;
    sampled(input, grid, 3, modes, align_corners)
}

fn modes(dims: usize, interpolation: i64, padding: i64) -> Result<(Interpolation, Outside)> {
    let interpolation = match interpolation {
        0 => Interpolation::Linear,
        1 => Interpolation::Nearest,
        2 if dims == 2 => Interpolation::Cubic,
        2 => fail!(Runtime, "grid_sampler(): bicubic interpolation only supports 4D input"),
        other => fail!(Runtime, "grid_sampler(): unknown interpolation mode {other}"),
    };
    let outside = match padding {
        0 => Outside::Zeros,
        1 => Outside::Border,
        2 => Outside::Reflection,
        other => fail!(Runtime, "grid_sampler(): unknown padding mode {other}"),
    };
    Ok((interpolation, outside))
}

fn check(input: &Tensor, grid: &Tensor, dims: usize) -> Result<()> {
    common_device(&[input, grid])?;
    ensure!(
        input.dtype() == grid.dtype(),
        Runtime,
        "grid_sampler(): expected input and grid to have the same dtype, but input has {} and grid \
         has {}",
        input.dtype(),
        grid.dtype()
    );
    if !input.dtype().is_floating() {
        return Err(input.dtype().unsupported("grid_sampler"));
    }
    ensure!(
        input.ndim() == dims + 2 && grid.ndim() == dims + 2,
        Runtime,
        "grid_sampler(): expected {0}D input and grid, but got input of sizes {1:?} and grid of sizes \
         {2:?}",
        dims + 2,
        input.shape(),
        grid.shape()
    );
    ensure!(
        input.shape()[0] == grid.shape()[0],
        Runtime,
        "grid_sampler(): expected grid and input to have same batch size, but got input with sizes \
         {:?} and grid with sizes {:?}",
        input.shape(),
        grid.shape()
    );
    ensure!(
        grid.shape()[dims + 1] == dims as i64,
        Runtime,
        "grid_sampler(): expected grid to have size {dims} in last dimension, but got grid with sizes \
         {:?}",
        grid.shape()
    );
    ensure!(
        input.shape()[2..].iter().all(|it| *it > 0),
        Runtime,
        "grid_sampler(): expected input to have non-empty spatial dimensions, but input has sizes {:?}",
        input.shape()
    );
    Ok(())
}

fn sampled(
    input: &Tensor,
    grid: &Tensor,
    dims: usize,
    (interpolation, outside): (Interpolation, Outside),
    align_corners: bool,
) -> Result<Tensor> {
    check(input, grid, dims)?;
    let [batch, channels] = [input.shape()[0], input.shape()[1]];
    let size = &input.shape()[2..];
    let counts = &grid.shape()[1..=dims];
    let places: i64 = counts.iter().product();
    let image = input.reshape(&[batch, channels, size.iter().product()])?;
    let grid = grid.reshape(&[batch, 1, places, dims as i64])?;
    // The last number of a place is along the first dimension.
    let mut along = Vec::new();
    for (at, &size) in size.iter().enumerate() {
        let axis = GridAxis { size, align_corners, outside };
        let places = grid.select(-1, (dims - 1 - at) as i64)?;
        along.push((size, axis.taps(&places, interpolation)?));
    }
    let mut sum = input.new_zeros(&[batch, channels, places])?;
    let taps = along[0].1.len();
    for number in 0..taps.pow(dims as u32) {
        let mut rest = number;
        let mut found: Option<(Tensor, Tensor)> = None;
        for (size, taps_along) in &along {
            let (element, weight) = &taps_along[rest % taps];
            rest /= taps;
            found = Some(match found {
                None => (element.clone(), weight.clone()),
                Some((before, product)) => {
                    (before.mul_scalar(Scalar::Int(*size))?.add(element)?, product.mul(weight)?)
                }
            });
        }
        let Some((element, weight)) = found else { continue };
        let values = image.gather(2, &element.expand(&[batch, channels, places])?)?;
        sum = ops::addcmul::Default_::call(&sum, &values, &weight, ONE)?;
    }
    sum.reshape(&[&[batch, channels], counts].concat())
}

#[native_op(affine_grid_generator)]
fn affine_grid_generator(theta: &Tensor, size: &[i64], align_corners: bool) -> Result<Tensor> {
    let [batch, _, counts @ ..] = size else {
        fail!(
            Runtime,
            "AffineGridGenerator needs 4d (spatial) or 5d (volumetric) inputs, not {size:?}"
        )
    };
    let dims = counts.len() as i64;
    ensure!(
        dims == 2 || dims == 3,
        Runtime,
        "AffineGridGenerator needs 4d (spatial) or 5d (volumetric) inputs, not {size:?}"
    );
    ensure!(
        theta.shape() == [*batch, dims, dims + 1],
        Runtime,
        "Expected a batch of {batch} affine matrices of shape {dims}x{} for size {size:?}, but got \
         {:?}",
        dims + 1,
        theta.shape()
    );
    let mut places = Vec::new();
    for (at, &count) in counts.iter().enumerate().rev() {
        let end = match align_corners {
            _ if count == 1 => 0.0,
            true => 1.0,
            false => (count - 1) as f64 / count as f64,
        };
        let from_start = |it: i64| 2.0 * it as f64 / (count - 1).max(1) as f64 - 1.0;
        let line = buffer::collected((0..count).map(|it| end * from_start(it)))?;
        let mut shape = vec![1; counts.len()];
        shape[at] = count;
        let line = to(&constants(theta, &shape, line)?, theta.dtype())?;
        places.push(line.expand(counts)?);
    }
    places.push(ops::new_ones::Default_::call(theta, counts, None, None, None, None)?);
    let places: Vec<&Tensor> = places.iter().collect();
    let base = ops::stack::Default_::call(&places, -1)?.reshape(&[-1, dims + 1])?;
    let grid = base.matmul(&theta.transpose(1, 2)?)?;
    grid.reshape(&[&[*batch], counts, &[dims]].concat())
}
