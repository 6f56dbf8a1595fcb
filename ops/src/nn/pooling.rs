//! Geometry of pooling: the windows of an image that become one element each.

use std::array;

use opwright_runtime::geometry::Dims;
use opwright_runtime::{Error, Result, Spec, Tensor, buffer, ensure, view};

use super::window::{Region, Windows, span};

/// What a call says of its windows; one number stands for all dimensions.
#[derive(Clone, Copy, Debug)]
pub(super) struct PoolingWindows<'a> {
    pub(super) kernel_size: &'a [i64],
    /// As far apart as they are large, if there is none.
    pub(super) stride: &'a [i64],
    pub(super) padding: &'a [i64],
    pub(super) dilation: &'a [i64],
    /// Whether windows may reach beyond the end.
    pub(super) ceil_mode: bool,
}

impl PoolingWindows<'_> {
    /// The windows along each of the last dimensions of an image.
    ///
    /// # Errors
    ///
    /// `Runtime` for another number of dimensions, and for windows that do not fit them.
    pub(super) fn over(&self, input: &Tensor, dims: usize) -> Result<Vec<Windows>> {
        let size = image_size(input, dims)?;
        let kernel = each(self.kernel_size, dims, "kernel_size")?;
        let stride = if self.stride.is_empty() {
            kernel.clone()
        } else {
            each(self.stride, dims, "stride")?
        };
        let padding = each(self.padding, dims, "padding")?;
        let dilation = each(self.dilation, dims, "dilation")?;
        let along =
            |at: usize| self.along(size[at], kernel[at], stride[at], padding[at], dilation[at]);
        buffer::try_collected((0..dims).map(along))
    }

    fn along(
        &self,
        size: i64,
        kernel: i64,
        stride: i64,
        padding: i64,
        dilation: i64,
    ) -> Result<Windows> {
        ensure!(
            kernel > 0 && stride > 0,
            Runtime,
            "kernel size and stride should be greater than zero, but got {kernel} and {stride}"
        );
        ensure!(dilation > 0, Runtime, "dilation should be greater than zero, but got {dilation}");
        let span = span(kernel, dilation);
        ensure!(
            padding >= 0 && padding <= span / 2,
            Runtime,
            "pad should be at most half of effective kernel size, but got pad={padding}, \
             kernel_size={kernel}{}",
            if dilation == 1 { String::new() } else { format!(" and dilation={dilation}") }
        );
        let room = size.saturating_add(2 * padding).saturating_sub(span);
        let up = if self.ceil_mode { stride - 1 } else { 0 };
        let mut count = room.saturating_add(up).div_euclid(stride) + 1;
        // The last window begins inside the image or its left border.
        if self.ceil_mode && (count - 1).saturating_mul(stride) >= size + padding {
            count -= 1;
        }
        ensure!(
            count > 0,
            Runtime,
            "a window of {kernel} does not fit an image of {size} with padding {padding}: Output \
             size is too small"
        );
        Ok(Windows { size, kernel, stride, padding, dilation, count })
    }
}

/// A number for each dimension, of which there may be one for all.
pub(super) fn each(list: &[i64], dims: usize, name: &str) -> Result<Dims> {
    match *list {
        [all] => Ok(Dims::from_elem(all, dims)),
        _ if list.len() == dims => Ok(Dims::from_slice(list)),
        _ => {
            let count = ["zero", "one", "two", "three"].get(dims).unwrap_or(&"several");
            Err(Error::runtime(format_args!(
                "{name} must either be a single int, or a tuple of {count} ints, not {list:?}"
            )))
        }
    }
}

/// The sizes of the last dimensions of an image or of a batch of them.
///
/// # Errors
///
/// `Runtime` if the tensor has other numbers of dimensions.
pub(super) fn image_size(input: &Tensor, dims: usize) -> Result<&[i64]> {
    let ndim = input.ndim();
    ensure!(
        ndim == dims + 1 || ndim == dims + 2,
        Runtime,
        "Expected {}D or {}D (batch mode) tensor as input, but got shape {:?}",
        dims + 1,
        dims + 2,
        input.shape()
    );
    Ok(&input.shape()[ndim - dims..])
}

/// The shape with other sizes in the last dimensions.
pub(super) fn with_size(input: &Tensor, size: &[i64]) -> Dims {
    let mut shape = Dims::from_slice(&input.shape()[..input.ndim() - size.len()]);
    shape.extend_from_slice(size);
    shape
}

/// A result of these sizes in the last dimensions.
pub(super) fn output_spec(input: &Tensor, windows: &[Windows]) -> Spec {
    let counts: Dims = windows.iter().map(|it| it.count).collect();
    Spec::new(&with_size(input, &counts), input.dtype(), input.device())
}

/// The windows of a volume; an image of two dimensions is one of a single layer.
pub(super) struct Volume {
    dims: usize,
    /// The sizes of layers, rows and columns.
    size: [i64; 3],
    /// The windows along each.
    regions: [Vec<Region>; 3],
}

/// The window of one element.
pub(super) type Window<'a> = [&'a Region; 3];

/// Neighbouring windows of a row that are equally long and equally far apart: what is done to one of
/// their elements is done to all windows at once.
#[derive(Clone, Copy)]
pub(super) struct WindowRun {
    /// Which windows of a row they are.
    pub(super) first: usize,
    pub(super) count: usize,
    /// Where the first of them begins in its line, and how far apart they are.
    pub(super) start: usize,
    pub(super) stride: usize,
    /// How many elements of a line each has, and how far apart these are.
    pub(super) taps: usize,
    pub(super) step: usize,
}

/// Fewer windows are done one by one.
const LEAST_RUN: usize = 8;

impl WindowRun {
    /// The longest one that begins with the first of the longest windows.
    fn of(columns: &[Region]) -> WindowRun {
        let taps = columns.iter().map(Region::len).max().unwrap_or(0);
        let first = columns.iter().position(|it| it.len() == taps).unwrap_or(0);
        let rest = &columns[first..];
        let apart = |pair: &[Region]| pair[1].start - pair[0].start;
        let stride = rest.windows(2).next().map_or(1, apart);
        let is_next = |pair: &&[Region]| apart(pair) == stride && pair[1].len() == taps;
        let count = rest.len().min(1) + rest.windows(2).take_while(is_next).count();
        let begin = rest.first().map_or((0, 1), |it| (it.start, it.step));
        WindowRun {
            first,
            count: if count < LEAST_RUN || stride <= 0 { 0 } else { count },
            start: begin.0 as usize,
            stride: stride.max(1) as usize,
            taps: taps as usize,
            step: begin.1 as usize,
        }
    }

    /// The other windows of a row of so many.
    pub(super) fn others(&self, width: usize) -> impl Iterator<Item = usize> + use<> {
        let end = if self.count == 0 { 0 } else { self.first + self.count };
        (0..if self.count == 0 { 0 } else { self.first }).chain(end..width)
    }

    /// Where the first window has each of its elements, of a line that begins there.
    pub(super) fn elements(&self, line: usize) -> impl Iterator<Item = usize> + use<> {
        (0..self.taps).map({
            let (first, step) = (line + self.start, self.step);
            move |tap| first + tap * step
        })
    }
}

impl Volume {
    /// # Errors
    ///
    /// `Memory` if there is not enough.
    pub(super) fn of(windows: &[Windows]) -> Result<Volume> {
        let size: Dims = windows.iter().map(|it| it.size).collect();
        Volume::new(&size, |at| {
            buffer::collected((0..windows[at].count).map(|it| windows[at].region(it)))
        })
    }

    /// So many windows of about the same size that cover each of the last dimensions of an image.
    ///
    /// # Errors
    ///
    /// `Runtime` for another number of dimensions, `Memory` if there is not enough.
    pub(super) fn even(input: &Tensor, count: &[i64], dims: usize) -> Result<Volume> {
        let size = image_size(input, dims)?;
        // Without windows along one dimension, those along others are not listed: they may be many.
        let is_empty = count.contains(&0);
        let region = |size: i64, count: i64, index: i64| {
            let start = index * size / count;
            let end = ((index + 1) * size + count - 1) / count;
            Region { start, end, step: 1, padded: end - start }
        };
        Volume::new(size, |at| {
            let count = if is_empty { 0 } else { count[at] };
            buffer::collected((0..count).map(|it| region(size[at], count, it)))
        })
    }

    /// A volume of these sizes, and its windows along each of the dimensions.
    ///
    /// # Errors
    ///
    /// What `along` reports.
    pub(super) fn new(
        size: &[i64],
        along: impl Fn(usize) -> Result<Vec<Region>>,
    ) -> Result<Volume> {
        let single = Region { start: 0, end: 1, step: 1, padded: 1 };
        let mut volume =
            Volume { dims: size.len(), size: [1; 3], regions: array::from_fn(|_| vec![single]) };
        for (at, &size) in size.iter().enumerate() {
            let slot = 3 - volume.dims + at;
            (volume.size[slot], volume.regions[slot]) = (size, along(at)?);
        }
        Ok(volume)
    }

    /// How many elements there are.
    pub(super) fn elements(&self) -> i64 {
        self.size.iter().product()
    }

    /// How many windows there are.
    pub(super) fn windows(&self) -> i64 {
        self.regions.iter().map(|it| it.len() as i64).product()
    }

    /// Whether a window has no elements.
    pub(super) fn has_empty(&self) -> bool {
        self.regions.iter().flatten().any(|it| it.len() == 0)
    }

    /// A contiguous matrix with the elements of each volume of a batch in a row.
    pub(super) fn planes(&self, batch: &Tensor) -> Result<Tensor> {
        let leading: i64 = batch.shape()[..batch.ndim() - self.dims].iter().product();
        view::reshape(&batch.to_contiguous()?, &[leading, self.elements()])
    }

    /// The windows of a row.
    pub(super) fn columns(&self) -> &[Region] {
        &self.regions[2]
    }

    /// Those that can be done at once.
    pub(super) fn run(&self) -> WindowRun {
        WindowRun::of(self.columns())
    }

    /// Calls `body` with each row of windows: where its first one is among all, and its layers and lines.
    #[inline]
    pub(super) fn for_rows(&self, mut body: impl FnMut(usize, &Region, &Region)) {
        let [layers, rows, columns] = &self.regions;
        let pairs = layers.iter().flat_map(|layer| rows.iter().map(move |row| (layer, row)));
        pairs.enumerate().for_each(|(at, (layer, row))| body(at * columns.len(), layer, row));
    }

    /// Calls `body` with where each line of a window begins in the volume.
    #[inline]
    pub(super) fn for_lines(&self, [layers, rows, _]: Window<'_>, mut body: impl FnMut(usize)) {
        let [_, height, width] = self.size;
        for layer in layers.elements() {
            for row in rows.elements() {
                body(((layer * height + row) * width) as usize);
            }
        }
    }
}
