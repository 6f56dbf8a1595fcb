//! The shapes of a convolution, checked.

use opwright_runtime::structured::common_device;
use opwright_runtime::{DType, Error, Result, Tensor, buffer, ensure};

use crate::nn::window::{Grid, Windows, span};

/// How windows lie on an image: one number for all dimensions, or one for each.
#[derive(Clone, Copy)]
pub(super) struct Lattice<'a> {
    pub(super) stride: &'a [i64],
    pub(super) padding: &'a [i64],
    pub(super) dilation: &'a [i64],
    pub(super) groups: i64,
}

/// An image of several channels, windows of it, and weights between them.
///
/// A convolution goes from the image to the windows, a transposed one back.
pub(super) struct ConvolutionPlan {
    pub(super) grid: Grid,
    pub(super) batch: i64,
    pub(super) groups: i64,
    /// The channels of the image in a group.
    pub(super) image_channels: i64,
    /// The channels of the windows in a group.
    pub(super) window_channels: i64,
}

/// The number for a dimension.
fn along(list: &[i64], dim: usize) -> i64 {
    if list.len() == 1 { list[0] } else { list[dim] }
}

impl Lattice<'_> {
    /// Refuses lists of another length than the image has dimensions, and numbers out of range.
    fn check(&self, dims: usize, output_padding: &[i64]) -> Result<()> {
        let lists = [
            ("stride", self.stride),
            ("padding", self.padding),
            ("dilation", self.dilation),
            ("output_padding", output_padding),
        ];
        for (name, list) in lists {
            ensure!(
                list.len() == 1 || list.len() == dims,
                Runtime,
                "expected {name} to be a single integer value or a list of {dims} values to match the \
                 convolution dimensions, but got {name}={list:?}"
            );
        }
        ensure!(self.groups > 0, Runtime, "non-positive groups is not supported: {}", self.groups);
        ensure!(
            self.stride.iter().all(|&it| it > 0),
            Runtime,
            "non-positive stride is not supported: {:?}",
            self.stride
        );
        ensure!(
            self.dilation.iter().all(|&it| it > 0),
            Runtime,
            "dilation should be greater than zero, but got {:?}",
            self.dilation
        );
        ensure!(
            self.padding.iter().all(|&it| it >= 0),
            Runtime,
            "negative padding is not supported: {:?}",
            self.padding
        );
        ensure!(
            output_padding.iter().all(|&it| it >= 0),
            Runtime,
            "negative output_padding is not supported: {output_padding:?}"
        );
        Ok(())
    }

    /// The windows along a dimension of an image of this size, of which there may be none.
    fn windows(&self, dim: usize, size: i64, kernel: i64) -> Windows {
        let [stride, padding, dilation] =
            [self.stride, self.padding, self.dilation].map(|it| along(it, dim));
        let room = size.saturating_add(padding.saturating_mul(2)) - span(kernel, dilation);
        let count = if room < 0 { 0 } else { room / stride + 1 };
        Windows { size, kernel, stride, padding, dilation, count }
    }

    /// The size of the image of which there are so many windows, and so many elements behind them.
    fn image_size(&self, dim: usize, count: i64, kernel: i64, behind: i64) -> Option<i64> {
        let [stride, padding, dilation] =
            [self.stride, self.padding, self.dilation].map(|it| along(it, dim));
        let reach = (count - 1).checked_mul(stride)?.checked_add(span(kernel, dilation))?;
        reach.checked_add(behind)?.checked_sub(padding.checked_mul(2)?)
    }
}

impl Lattice<'_> {
    /// How many elements an image of this size has behind its last window, along each dimension.
    pub(super) fn behind(&self, size: &[i64], count: &[i64], kernel: &[i64]) -> Option<Vec<i64>> {
        let dims = 0..size.len().min(count.len()).min(kernel.len());
        dims.map(|dim| {
            let reach = self.image_size(dim, count[dim], kernel[dim], 0)?;
            size[dim].checked_sub(reach).filter(|&it| it >= 0)
        })
        .collect()
    }
}

impl ConvolutionPlan {
    /// Of a convolution of `input`, transposed or not.
    ///
    /// # Errors
    ///
    /// `Runtime` if shapes, dtypes or devices do not fit.
    pub(super) fn new(
        input: &Tensor,
        weight: &Tensor,
        bias: Option<&Tensor>,
        lattice: Lattice<'_>,
        transposed: bool,
        output_padding: &[i64],
    ) -> Result<ConvolutionPlan> {
        let dims = weight.ndim().saturating_sub(2);
        ensure!(
            dims > 0 && input.ndim() == weight.ndim(),
            Runtime,
            "Expected {}-dimensional input for {}-dimensional weight {:?}, but got {}-dimensional \
             input of size {:?} instead",
            dims.max(1) + 2,
            weight.ndim(),
            weight.shape(),
            input.ndim(),
            input.shape()
        );
        lattice.check(dims, output_padding)?;
        check_dtypes(input, weight, bias)?;
        check_channels(input, weight, lattice.groups, transposed)?;
        let leading = weight.shape()[0];
        let groups = lattice.groups;
        let out_channels = if transposed { weight.shape()[1] * groups } else { leading };
        check_bias(weight, bias, out_channels)?;
        let (sizes, kernel) = (&input.shape()[2..], &weight.shape()[2..]);
        let along_dim = |dim: usize| match transposed {
            false => Ok(lattice.windows(dim, sizes[dim], kernel[dim])),
            true => {
                let behind = along(output_padding, dim);
                windows_of_transposed(lattice, dim, (sizes[dim], kernel[dim]), behind)
            }
        };
        let grid = Grid::new((0..dims).map(along_dim).collect::<Result<_>>()?)?;
        if !transposed {
            check_kernel(&grid, kernel)?;
        }
        Ok(ConvolutionPlan {
            grid,
            batch: input.shape()[0],
            groups,
            image_channels: weight.shape()[1],
            window_channels: leading / groups,
        })
    }

    /// Between an image and windows that are there, for weights of this size.
    ///
    /// # Errors
    ///
    /// `Runtime` if they do not fit.
    pub(super) fn between(
        image: &Tensor,
        windows: &Tensor,
        kernel: &[i64],
        lattice: Lattice<'_>,
    ) -> Result<ConvolutionPlan> {
        let dims = kernel.len();
        ensure!(
            dims > 0 && image.ndim() == dims + 2 && windows.ndim() == dims + 2,
            Runtime,
            "the image and its windows must have {} dimensions, but have the shapes {:?} and {:?}",
            dims + 2,
            image.shape(),
            windows.shape()
        );
        lattice.check(dims, &[0])?;
        check_dtypes(image, windows, None)?;
        let groups = lattice.groups;
        let all = |dim| lattice.windows(dim, image.shape()[dim + 2], kernel[dim]);
        let has_windows = |dim| (0..=all(dim).count).contains(&windows.shape()[dim + 2]);
        let is_whole = |it: &Tensor| it.shape()[1] % groups == 0;
        ensure!(
            kernel.iter().all(|&it| it > 0)
                && image.shape()[0] == windows.shape()[0]
                && is_whole(image)
                && is_whole(windows)
                && (0..dims).all(has_windows),
            Runtime,
            "an image of size {:?} has no windows of size {:?} for a kernel of {kernel:?} in {groups} \
             groups",
            image.shape(),
            windows.shape()
        );
        // Behind the last window there may be as many elements as further ones would take.
        let first = |dim| Windows { count: windows.shape()[dim + 2], ..all(dim) };
        let grid = Grid::new(buffer::collected((0..dims).map(first))?)?;
        Ok(ConvolutionPlan {
            grid,
            batch: image.shape()[0],
            groups,
            image_channels: image.shape()[1] / groups,
            window_channels: windows.shape()[1] / groups,
        })
    }

    pub(super) fn image_shape(&self) -> Vec<i64> {
        self.shape(self.image_channels, |it| it.size)
    }

    pub(super) fn windows_shape(&self) -> Vec<i64> {
        self.shape(self.window_channels, |it| it.count)
    }

    pub(super) fn weight_shape(&self) -> Vec<i64> {
        let leading = [self.groups * self.window_channels, self.image_channels];
        leading.into_iter().chain(self.grid.dims().iter().map(|it| it.kernel)).collect()
    }

    fn shape(&self, channels: i64, size: impl Fn(&Windows) -> i64) -> Vec<i64> {
        let leading = [self.batch, self.groups * channels];
        leading.into_iter().chain(self.grid.dims().iter().map(size)).collect()
    }
}

/// The windows that are the input of a transposed convolution.
fn windows_of_transposed(
    lattice: Lattice<'_>,
    dim: usize,
    (count, kernel): (i64, i64),
    behind: i64,
) -> Result<Windows> {
    let (stride, dilation) = (along(lattice.stride, dim), along(lattice.dilation, dim));
    ensure!(
        behind < stride.max(dilation),
        Runtime,
        "output padding must be smaller than either stride or dilation, but got output_padding: \
         {behind} stride: {stride} dilation: {dilation}"
    );
    let size = lattice.image_size(dim, count, kernel, behind).filter(|&it| it > 0);
    let size = size.ok_or_else(|| too_small(count, kernel))?;
    Ok(Windows { count, ..lattice.windows(dim, size, kernel) })
}

#[cold]
fn too_small(count: i64, kernel: i64) -> Error {
    Error::runtime(format_args!(
        "Given an input of {count} and a kernel of {kernel} along a dimension, the output size is too \
         small"
    ))
}

fn check_dtypes(input: &Tensor, weight: &Tensor, bias: Option<&Tensor>) -> Result<()> {
    common_device(&[input, weight])?;
    for (name, other) in [("weight", Some(weight)), ("bias", bias)] {
        let Some(other) = other else { continue };
        common_device(&[input, other])?;
        ensure!(
            other.dtype() == input.dtype(),
            Runtime,
            "Input type ({}) and {name} type ({}) should be the same",
            input.dtype(),
            other.dtype()
        );
    }
    match input.dtype() {
        DType::Bool => Err(input.dtype().unsupported("convolution")),
        _ => Ok(()),
    }
}

fn check_channels(input: &Tensor, weight: &Tensor, groups: i64, transposed: bool) -> Result<()> {
    let (leading, second, channels) = (weight.shape()[0], weight.shape()[1], input.shape()[1]);
    ensure!(
        leading >= groups,
        Runtime,
        "Given groups={groups}, expected weight to be at least {groups} at dimension 0, but got weight \
         of size {:?} instead",
        weight.shape()
    );
    ensure!(
        leading % groups == 0,
        Runtime,
        "Given groups={groups}, expected weight to be divisible by {groups} at dimension 0, but got \
         weight of size {:?} instead",
        weight.shape()
    );
    let wanted = if transposed { leading } else { second.saturating_mul(groups) };
    ensure!(
        channels == wanted,
        Runtime,
        "Given {}groups={groups}, weight of size {:?}, expected input{:?} to have {wanted} channels, \
         but got {channels} channels instead",
        if transposed { "transposed=1, " } else { "" },
        weight.shape(),
        input.shape()
    );
    Ok(())
}

fn check_bias(weight: &Tensor, bias: Option<&Tensor>, channels: i64) -> Result<()> {
    match bias {
        Some(bias) if bias.shape() != [channels] => Err(Error::runtime(format_args!(
            "Given weight of size {:?}, expected bias to be 1-dimensional with {channels} elements, \
             but got bias of size {:?} instead",
            weight.shape(),
            bias.shape()
        ))),
        _ => Ok(()),
    }
}

/// Refuses a kernel that has no taps, or reaches over the image with its padding.
fn check_kernel(grid: &Grid, kernel: &[i64]) -> Result<()> {
    let dims = grid.dims();
    if dims.iter().all(|it| it.kernel > 0 && it.count > 0) {
        return Ok(());
    }
    let by = |size: &dyn Fn(&Windows) -> i64| {
        dims.iter().map(|it| size(it).to_string()).collect::<Vec<_>>().join(" x ")
    };
    ensure!(
        kernel.iter().all(|&it| it > 0),
        Runtime,
        "Kernel size must be greater than zero, but got ({})",
        by(&|it| it.kernel)
    );
    Err(Error::runtime(format_args!(
        "Calculated padded input size per channel: ({}). Kernel size: ({}). Kernel size can't be \
         greater than actual input size",
        by(&|it| it.size.saturating_add(it.padding.saturating_mul(2))),
        by(&|it| span(it.kernel, it.dilation))
    )))
}
