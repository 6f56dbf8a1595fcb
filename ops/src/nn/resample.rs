//! Images resampled at other sizes: the nearest elements, or weighted means of several, along one
//! dimension after the other.

use opwright_macros::native_op;
use opwright_runtime::{DType, Result, Scalar, Tensor, buffer, ensure, fail};

use crate::gradient::{constants, to};
use crate::ops::{self, TensorOps};

use Interpolation::{Cubic, Linear, Nearest, NearestExact, SmoothCubic, SmoothLinear};

/// How an element of the result comes from those of the image around its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Interpolation {
    /// The element at or before the place.
    Nearest,
    /// The nearest to the place, by the middles of elements.
    NearestExact,
    /// By distance, of two.
    Linear,
    /// Cubic convolution of four (R. Keys, 1981), with -0.75 for its slope at 1.
    Cubic,
    /// Linear, over as many elements as become one.
    SmoothLinear,
    /// Cubic, with -0.5 for its slope at 1, over four times as many elements as become one.
    SmoothCubic,
}

impl Interpolation {
    /// Whether elements are weighted, and not taken as they are.
    fn has_weights(self) -> bool {
        !matches!(self, Nearest | NearestExact)
    }
}

/// How places of the result lie on those of an image, along a dimension.
#[derive(Clone, Copy)]
struct ResampledAxis {
    size: i64,
    count: i64,
    align_corners: bool,
    /// The given factor between the sizes.
    factor: Option<f64>,
}

/// For each element of the result the place and the weight of one of those that it consists of.
struct Tap {
    elements: Vec<i64>,
    weights: Vec<f64>,
}

impl ResampledAxis {
    /// How far apart on the image neighbours of the result are.
    fn scale(&self) -> f64 {
        if self.align_corners {
            return match self.count {
                ..=1 => 0.0,
                count => (self.size - 1) as f64 / (count - 1) as f64,
            };
        }
        match self.factor {
            Some(factor) if factor > 0.0 => factor.recip(),
            _ => self.size as f64 / self.count as f64,
        }
    }

    /// Where the middle of an element of the result lies on the image.
    fn place(&self, index: i64) -> f64 {
        match self.align_corners {
            true => index as f64 * self.scale(),
            false => (index as f64 + 0.5) * self.scale() - 0.5,
        }
    }

    fn taps(&self, interpolation: Interpolation) -> Result<Vec<Tap>> {
        let last = self.size - 1;
        match interpolation {
            // Single precision decides between neighbours, as everywhere else.
            Nearest => {
                let scale = self.scale() as f32;
                self.whole(|it| ((it as f32 * scale).floor() as i64).min(last))
            }
            NearestExact => {
                let scale = self.scale() as f32;
                self.whole(|it| (((it as f32 + 0.5) * scale).floor() as i64).min(last))
            }
            Linear => self.weighted(2, |it, tap| {
                let place = self.place(it).max(0.0);
                let before = (place.floor() as i64).min(last);
                let share = (place - before as f64).clamp(0.0, 1.0);
                match tap {
                    0 => (before, 1.0 - share),
                    _ => ((before + 1).min(last), share),
                }
            }),
            Cubic => self.weighted(4, |it, tap| {
                let place = self.place(it);
                let before = place.floor();
                let at = before as i64 + tap - 1;
                (at.clamp(0, last), cubic(place - before - (tap - 1) as f64, -0.75))
            }),
            SmoothLinear => self.smooth(1.0, |distance| (1.0 - distance.abs()).max(0.0)),
            SmoothCubic => self.smooth(2.0, |distance| cubic(distance, -0.5)),
        }
    }

    /// One element for each.
    fn whole(&self, element: impl Fn(i64) -> i64) -> Result<Vec<Tap>> {
        let elements = buffer::collected((0..self.count).map(element))?;
        Ok(vec![Tap { elements, weights: Vec::new() }])
    }

    /// So many elements for each.
    fn weighted(&self, taps: i64, element: impl Fn(i64, i64) -> (i64, f64)) -> Result<Vec<Tap>> {
        let tap = |tap| {
            Ok(Tap {
                elements: buffer::collected((0..self.count).map(|it| element(it, tap).0))?,
                weights: buffer::collected((0..self.count).map(|it| element(it, tap).1))?,
            })
        };
        (0..taps).map(tap).collect()
    }

    /// All elements within a distance, that grows with the scale, with weights whose sum is 1.
    fn smooth(&self, reach: f64, filter: impl Fn(f64) -> f64) -> Result<Vec<Tap>> {
        let scale = self.scale();
        let stretch = scale.max(1.0);
        let reach = reach * stretch;
        let covered = |index: i64| {
            let middle = scale * (index as f64 + 0.5);
            let start = ((middle - reach + 0.5) as i64).max(0);
            (middle, start, ((middle + reach + 0.5) as i64).min(self.size))
        };
        let weight = |at: i64, middle: f64| filter((at as f64 - middle + 0.5) / stretch);
        let most = ((2.0 * reach).ceil() as i64).saturating_add(1).min(self.size);
        self.weighted(most, |it, tap| {
            let (middle, start, end) = covered(it);
            let total: f64 = (start..end).map(|at| weight(at, middle)).sum();
            let at = start + tap;
            match at < end && total != 0.0 {
                true => (at, weight(at, middle) / total),
                false => (start.min(self.size - 1), 0.0),
            }
        })
    }
}

/// The weight of an element at a distance, by the cubic polynomials of R. Keys.
fn cubic(distance: f64, slope: f64) -> f64 {
    let x = distance.abs();
    match x {
        ..=1.0 => ((slope + 2.0) * x - (slope + 3.0)) * x * x + 1.0,
        ..2.0 => ((slope * x - 5.0 * slope) * x + 8.0 * slope) * x - 4.0 * slope,
        _ => 0.0,
    }
}

/// An image resampled along each of its last dimensions.
fn resampled(
    input: &Tensor,
    dims: usize,
    interpolation: Interpolation,
    align_corners: bool,
    output_size: &[i64],
    factors: &[Option<f64>],
) -> Result<Tensor> {
    ensure!(
        input.ndim() == dims + 2,
        Runtime,
        "It is expected input_size equals to {}, but got size {}",
        dims + 2,
        input.ndim()
    );
    ensure!(
        output_size.len() == dims,
        Runtime,
        "It is expected output_size equals to {dims}, but got size {}",
        output_size.len()
    );
    let sizes = &input.shape()[2..];
    ensure!(
        sizes.iter().chain(output_size).all(|it| *it > 0) && input.shape()[1] > 0,
        Runtime,
        "Input and output sizes should be greater than 0, but got input {:?} and output \
         {output_size:?}",
        input.shape()
    );
    let is_rounded = input.dtype() == DType::UInt8 && interpolation.has_weights();
    let mut image = if is_rounded { to(input, DType::Float32)? } else { input.clone() };
    for (at, (&size, &count)) in sizes.iter().zip(output_size).enumerate() {
        let axis = ResampledAxis {
            size,
            count,
            align_corners,
            factor: factors.get(at).copied().flatten(),
        };
        image = along(&image, at as i64 + 2, &axis.taps(interpolation)?, dims)?;
    }
    if is_rounded { to_bytes(&image) } else { Ok(image) }
}

/// The nearest byte of each number.
fn to_bytes(image: &Tensor) -> Result<Tensor> {
    let nearest = image.add_scalar(Scalar::Float(0.5))?.floor()?;
    let ends = [0, 255].map(|it| Some(Scalar::Int(it)));
    to(&ops::clamp::Default_::call(&nearest, ends[0], ends[1])?, DType::UInt8)
}

/// The sums of weighted elements along a dimension.
fn along(image: &Tensor, dim: i64, taps: &[Tap], dims: usize) -> Result<Tensor> {
    let behind = vec![1; dims + 1 - dim as usize];
    let mut sum: Option<Tensor> = None;
    for tap in taps {
        let count = tap.elements.len() as i64;
        let elements = constants(image, &[count], tap.elements.clone())?;
        let elements = image.index_select(dim, &elements)?;
        if tap.weights.is_empty() {
            return Ok(elements);
        }
        let shape = [&[count][..], &behind].concat();
        let weights = to(&constants(image, &shape, tap.weights.clone())?, image.dtype())?;
        sum = Some(match sum {
            None => elements.mul(&weights)?,
            Some(sum) => ops::addcmul::Default_::call(&sum, &elements, &weights, Scalar::Int(1))?,
        });
    }
    sum.map_or_else(|| ops::clone::Default_::call(image, None), Ok)
}

/// The size of the result, which is given, or as many times that of the image, and the factors.
fn size_of(
    input: &Tensor,
    dims: usize,
    output_size: Option<&[i64]>,
    factors: Option<&[f64]>,
) -> Result<(Vec<i64>, Vec<Option<f64>>)> {
    ensure!(
        input.ndim() == dims + 2,
        Runtime,
        "It is expected input_size equals to {}, but got size {}",
        dims + 2,
        input.ndim()
    );
    match (output_size, factors) {
        (Some(size), None) => Ok((size.to_vec(), Vec::new())),
        (None, Some(factors)) => {
            ensure!(
                factors.len() == dims,
                Runtime,
                "It is expected scale_factors equals to {dims}, but got size {}",
                factors.len()
            );
            let sizes = input.shape()[2..].iter().zip(factors);
            let size = sizes.map(|(&size, factor)| (size as f64 * factor) as i64).collect();
            Ok((size, factors.iter().copied().map(Some).collect()))
        }
        _ => fail!(Runtime, "Must specify exactly one of output_size and scale_factors"),
    }
}

/// Refuses dtypes of which there are no weighted means; of bytes, pictures have.
fn check_means(input: &Tensor, what: &str) -> Result<()> {
    match input.dtype() {
        it if it.is_floating() => Ok(()),
        DType::UInt8 if input.ndim() == 4 => Ok(()),
        it => Err(DType::unsupported(it, what)),
    }
}

#[native_op(upsample_nearest1d)]
fn upsample_nearest1d(self_: &Tensor, output_size: &[i64], scales: Option<f64>) -> Result<Tensor> {
    resampled(self_, 1, Nearest, false, output_size, &[scales])
}

#[native_op(upsample_nearest1d.vec)]
fn upsample_nearest1d_by_factors(
    input: &Tensor,
    output_size: Option<&[i64]>,
    scale_factors: Option<&[f64]>,
) -> Result<Tensor> {
    let (size, factors) = size_of(input, 1, output_size, scale_factors)?;
    resampled(input, 1, Nearest, false, &size, &factors)
}

#[native_op(upsample_nearest2d)]
fn upsample_nearest2d(
    self_: &Tensor,
    output_size: &[i64],
    scales_h: Option<f64>,
    scales_w: Option<f64>,
) -> Result<Tensor> {
    resampled(self_, 2, Nearest, false, output_size, &[scales_h, scales_w])
}

#[native_op(upsample_nearest2d.vec)]
fn upsample_nearest2d_by_factors(
    input: &Tensor,
    output_size: Option<&[i64]>,
    scale_factors: Option<&[f64]>,
) -> Result<Tensor> {
    let (size, factors) = size_of(input, 2, output_size, scale_factors)?;
    resampled(input, 2, Nearest, false, &size, &factors)
}

#[native_op(upsample_nearest3d)]
fn upsample_nearest3d(
    self_: &Tensor,
    output_size: &[i64],
    scales_d: Option<f64>,
    scales_h: Option<f64>,
    scales_w: Option<f64>,
) -> Result<Tensor> {
    resampled(self_, 3, Nearest, false, output_size, &[scales_d, scales_h, scales_w])
}

#[native_op(upsample_nearest3d.vec)]
fn upsample_nearest3d_by_factors(
    input: &Tensor,
    output_size: Option<&[i64]>,
    scale_factors: Option<&[f64]>,
) -> Result<Tensor> {
    let (size, factors) = size_of(input, 3, output_size, scale_factors)?;
    resampled(input, 3, Nearest, false, &size, &factors)
}

#[native_op(_upsample_nearest_exact1d)]
fn upsample_nearest_exact1d(
    self_: &Tensor,
    output_size: &[i64],
    scales: Option<f64>,
) -> Result<Tensor> {
    resampled(self_, 1, NearestExact, false, output_size, &[scales])
}

#[native_op(_upsample_nearest_exact1d.vec)]
fn upsample_nearest_exact1d_by_factors(
    input: &Tensor,
    output_size: Option<&[i64]>,
    scale_factors: Option<&[f64]>,
) -> Result<Tensor> {
    let (size, factors) = size_of(input, 1, output_size, scale_factors)?;
    resampled(input, 1, NearestExact, false, &size, &factors)
}

#[native_op(_upsample_nearest_exact2d)]
fn upsample_nearest_exact2d(
    self_: &Tensor,
    output_size: &[i64],
    scales_h: Option<f64>,
    scales_w: Option<f64>,
) -> Result<Tensor> {
    resampled(self_, 2, NearestExact, false, output_size, &[scales_h, scales_w])
}

#[native_op(_upsample_nearest_exact2d.vec)]
fn upsample_nearest_exact2d_by_factors(
    input: &Tensor,
    output_size: Option<&[i64]>,
    scale_factors: Option<&[f64]>,
) -> Result<Tensor> {
    let (size, factors) = size_of(input, 2, output_size, scale_factors)?;
    resampled(input, 2, NearestExact, false, &size, &factors)
}

#[native_op(_upsample_nearest_exact3d)]
fn upsample_nearest_exact3d(
    self_: &Tensor,
    output_size: &[i64],
    scales_d: Option<f64>,
    scales_h: Option<f64>,
    scales_w: Option<f64>,
) -> Result<Tensor> {
    resampled(self_, 3, NearestExact, false, output_size, &[scales_d, scales_h, scales_w])
}

#[native_op(_upsample_nearest_exact3d.vec)]
fn upsample_nearest_exact3d_by_factors(
    input: &Tensor,
    output_size: Option<&[i64]>,
    scale_factors: Option<&[f64]>,
) -> Result<Tensor> {
    let (size, factors) = size_of(input, 3, output_size, scale_factors)?;
    resampled(input, 3, NearestExact, false, &size, &factors)
}

#[native_op(upsample_linear1d)]
fn upsample_linear1d(
    self_: &Tensor,
    output_size: &[i64],
    align_corners: bool,
    scales: Option<f64>,
) -> Result<Tensor> {
    check_means(self_, "upsample_linear1d")?;
    resampled(self_, 1, Linear, align_corners, output_size, &[scales])
}

#[native_op(upsample_linear1d.vec)]
fn upsample_linear1d_by_factors(
    input: &Tensor,
    output_size: Option<&[i64]>,
    align_corners: bool,
    scale_factors: Option<&[f64]>,
) -> Result<Tensor> {
    check_means(input, "upsample_linear1d")?;
    let (size, factors) = size_of(input, 1, output_size, scale_factors)?;
    resampled(input, 1, Linear, align_corners, &size, &factors)
}

#[native_op(upsample_bilinear2d)]
fn upsample_bilinear2d(
    self_: &Tensor,
    output_size: &[i64],
    align_corners: bool,
    scales_h: Option<f64>,
    scales_w: Option<f64>,
) -> Result<Tensor> {
    check_means(self_, "upsample_bilinear2d")?;
    resampled(self_, 2, Linear, align_corners, output_size, &[scales_h, scales_w])
}

#[native_op(upsample_bilinear2d.vec)]
fn upsample_bilinear2d_by_factors(
    input: &Tensor,
    output_size: Option<&[i64]>,
    align_corners: bool,
    scale_factors: Option<&[f64]>,
) -> Result<Tensor> {
    check_means(input, "upsample_bilinear2d")?;
    let (size, factors) = size_of(input, 2, output_size, scale_factors)?;
    resampled(input, 2, Linear, align_corners, &size, &factors)
}

#[native_op(upsample_trilinear3d)]
fn upsample_trilinear3d(
    self_: &Tensor,
    output_size: &[i64],
    align_corners: bool,
    scales_d: Option<f64>,
    scales_h: Option<f64>,
    scales_w: Option<f64>,
) -> Result<Tensor> {
    check_means(self_, "upsample_trilinear3d")?;
    resampled(self_, 3, Linear, align_corners, output_size, &[scales_d, scales_h, scales_w])
}

#[native_op(upsample_trilinear3d.vec)]
fn upsample_trilinear3d_by_factors(
    input: &Tensor,
    output_size: Option<&[i64]>,
    align_corners: bool,
    scale_factors: Option<&[f64]>,
) -> Result<Tensor> {
    check_means(input, "upsample_trilinear3d")?;
    let (size, factors) = size_of(input, 3, output_size, scale_factors)?;
    resampled(input, 3, Linear, align_corners, &size, &factors)
}

#[native_op(upsample_bicubic2d)]
fn upsample_bicubic2d(
    self_: &Tensor,
    output_size: &[i64],
    align_corners: bool,
    scales_h: Option<f64>,
    scales_w: Option<f64>,
) -> Result<Tensor> {
    check_means(self_, "upsample_bicubic2d")?;
    resampled(self_, 2, Cubic, align_corners, output_size, &[scales_h, scales_w])
}

#[native_op(upsample_bicubic2d.vec)]
fn upsample_bicubic2d_by_factors(
    input: &Tensor,
    output_size: Option<&[i64]>,
    align_corners: bool,
    scale_factors: Option<&[f64]>,
) -> Result<Tensor> {
    check_means(input, "upsample_bicubic2d")?;
    let (size, factors) = size_of(input, 2, output_size, scale_factors)?;
    resampled(input, 2, Cubic, align_corners, &size, &factors)
}

#[native_op(_upsample_bilinear2d_aa)]
fn upsample_bilinear2d_aa(
    self_: &Tensor,
    output_size: &[i64],
    align_corners: bool,
    scales_h: Option<f64>,
    scales_w: Option<f64>,
) -> Result<Tensor> {
    check_means(self_, "upsample_bilinear2d_aa")?;
    resampled(self_, 2, SmoothLinear, align_corners, output_size, &[scales_h, scales_w])
}

#[native_op(_upsample_bilinear2d_aa.vec)]
fn upsample_bilinear2d_aa_by_factors(
    input: &Tensor,
    output_size: Option<&[i64]>,
    align_corners: bool,
    scale_factors: Option<&[f64]>,
) -> Result<Tensor> {
    check_means(input, "upsample_bilinear2d_aa")?;
    let (size, factors) = size_of(input, 2, output_size, scale_factors)?;
    resampled(input, 2, SmoothLinear, align_corners, &size, &factors)
}

#[native_op(_upsample_bicubic2d_aa)]
fn upsample_bicubic2d_aa(
    self_: &Tensor,
    output_size: &[i64],
    align_corners: bool,
    scales_h: Option<f64>,
    scales_w: Option<f64>,
) -> Result<Tensor> {
    check_means(self_, "upsample_bicubic2d_aa")?;
    resampled(self_, 2, SmoothCubic, align_corners, output_size, &[scales_h, scales_w])
}

#[native_op(_upsample_bicubic2d_aa.vec)]
fn upsample_bicubic2d_aa_by_factors(
    input: &Tensor,
    output_size: Option<&[i64]>,
    align_corners: bool,
    scale_factors: Option<&[f64]>,
) -> Result<Tensor> {
    check_means(input, "upsample_bicubic2d_aa")?;
    let (size, factors) = size_of(input, 2, output_size, scale_factors)?;
    resampled(input, 2, SmoothCubic, align_corners, &size, &factors)
}
