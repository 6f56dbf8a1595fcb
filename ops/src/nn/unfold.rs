//! Windows of images as columns, and columns added up to images.

use opwright_macros::native_op;
use opwright_runtime::{Result, Scalar, Tensor, buffer, ensure, fail};

use super::window::{Windows, span};
use crate::gradient::constants;
use crate::ops::{self, TensorOps};

/// The windows of an image of two dimensions with its border.
struct Columns {
    rows: Windows,
    columns: Windows,
}

impl Columns {
    fn new(
        size: [i64; 2],
        kernel_size: &[i64],
        dilation: &[i64],
        padding: &[i64],
        stride: &[i64],
    ) -> Result<Columns> {
        let lists = [
            ("kernel_size", kernel_size, 1),
            ("dilation", dilation, 1),
            ("padding", padding, 0),
            ("stride", stride, 1),
        ];
        for (name, list, least) in lists {
            ensure!(
                list.len() == 2,
                Runtime,
                "It is expected {name} equals to 2, but got size {}",
                list.len()
            );
            ensure!(
                list.iter().all(|it| *it >= least),
                Runtime,
                "{name} should be {}, but got {list:?}",
                if least > 0 { "greater than zero" } else { "non-negative" }
            );
        }
        let along = |at: usize| {
            let (size, kernel, stride) = (size[at], kernel_size[at], stride[at]);
            let (padding, dilation) = (padding[at], dilation[at]);
            let room = size.saturating_add(padding.saturating_mul(2)) - span(kernel, dilation);
            let count = if room < 0 { 0 } else { room / stride + 1 };
            Windows { size, kernel, stride, padding, dilation, count }
        };
        let (rows, columns) = (along(0), along(1));
        ensure!(
            rows.count > 0 && columns.count > 0,
            Runtime,
            "Given spatial size {size:?}, kernel_size={kernel_size:?}, dilation={dilation:?}, \
             padding={padding:?}, stride={stride:?}, calculated shape of the array of sliding blocks \
             as ({}, {}), but its components must be at least one",
            rows.count,
            columns.count
        );
        Ok(Columns { rows, columns })
    }

    fn taps(&self) -> i64 {
        self.rows.kernel.saturating_mul(self.columns.kernel)
    }

    fn count(&self) -> i64 {
        self.rows.count.saturating_mul(self.columns.count)
    }

    /// The sizes of the image with its border.
    fn padded(&self) -> [i64; 2] {
        [&self.rows, &self.columns].map(|it| it.size.saturating_add(it.padding.saturating_mul(2)))
    }

    fn padded_elements(&self) -> i64 {
        let [rows, columns] = self.padded();
        rows.saturating_mul(columns)
    }

    /// For each tap and window the number of the element below it, in the image with its border.
    fn elements(&self, like: &Tensor) -> Result<Tensor> {
        let (rows, columns, width) = (self.rows, self.columns, self.padded()[1]);
        let along = |it: Windows| {
            (0..it.kernel).map(move |tap| {
                (0..it.count).map(move |window| window * it.stride + tap * it.dilation)
            })
        };
        let all = along(rows).flat_map(|rows| {
            along(columns).flat_map(move |columns| {
                rows.clone()
                    .flat_map(move |row| columns.clone().map(move |column| row * width + column))
            })
        });
        let elements = buffer::collected(all)?;
        constants(like, &[elements.len() as i64], elements)
    }
}

#[native_op(im2col)]
fn im2col(
    self_: &Tensor,
    kernel_size: &[i64],
    dilation: &[i64],
    padding: &[i64],
    stride: &[i64],
) -> Result<Tensor> {
    let (leading, channels, size) = match *self_.shape() {
        [channels, rows, columns] => (vec![], channels, [rows, columns]),
        [batch, channels, rows, columns] => (vec![batch], channels, [rows, columns]),
        ref other => fail!(
            Runtime,
            "Expected 3D or 4D (batch mode) tensor with possibly 0 batch size and other non-zero \
             dimensions for input, but got: {other:?}"
        ),
    };
    ensure!(
        channels > 0 && size.iter().all(|it| *it > 0),
        Runtime,
        "Expected 3D or 4D (batch mode) tensor with possibly 0 batch size and other non-zero \
         dimensions for input, but got: {:?}",
        self_.shape()
    );
    let windows = Columns::new(size, kernel_size, dilation, padding, stride)?;
    let border = [padding[1], padding[1], padding[0], padding[0]];
    let image = ops::constant_pad_nd::Default_::call(self_, &border, Scalar::Int(0))?;
    let elements = windows.padded_elements();
    let flat = image.reshape(&[&leading[..], &[channels, elements]].concat())?;
    let columns = flat.index_select(-1, &windows.elements(self_)?)?;
    let shape =
        [&leading[..], &[channels.saturating_mul(windows.taps()), windows.count()]].concat();
    columns.reshape(&shape)
}

#[native_op(col2im)]
fn col2im(
    self_: &Tensor,
    output_size: &[i64],
    kernel_size: &[i64],
    dilation: &[i64],
    padding: &[i64],
    stride: &[i64],
) -> Result<Tensor> {
    let &[rows, columns] = output_size else {
        fail!(Runtime, "It is expected output_size equals to 2, but got size {}", output_size.len())
    };
    let windows = Columns::new([rows, columns], kernel_size, dilation, padding, stride)?;
    let (leading, height, count) = match *self_.shape() {
        [height, count] => (vec![], height, count),
        [batch, height, count] => (vec![batch], height, count),
        ref other => fail!(
            Runtime,
            "Expected 2D or 3D (batch mode) tensor for input with possibly 0 batch size and non-zero \
             dimensions for input, but got: {other:?}"
        ),
    };
    ensure!(
        height > 0 && height % windows.taps() == 0,
        Runtime,
        "Expected size of input's first non-batch dimension to be divisible by the product of \
         kernel_size, but got input of size {:?} and kernel_size={kernel_size:?}",
        self_.shape()
    );
    ensure!(
        count == windows.count(),
        Runtime,
        "Given output_size={output_size:?}, kernel_size={kernel_size:?}, dilation={dilation:?}, \
         padding={padding:?}, stride={stride:?}, expected size of input's last dimension to match the \
         calculated number of sliding blocks {}, but got {count}",
        windows.count()
    );
    let channels = height / windows.taps();
    let [padded_rows, padded_columns] = windows.padded();
    let zeros =
        self_.new_zeros(&[&leading[..], &[channels, windows.padded_elements()]].concat())?;
    let values = self_
        .reshape(&[&leading[..], &[channels, windows.taps().saturating_mul(count)]].concat())?;
    let elements = windows.elements(self_)?;
    let sums = ops::index_add::Default_::call(&zeros, -1, &elements, &values, Scalar::Int(1))?;
    let image = sums.reshape(&[&leading[..], &[channels, padded_rows, padded_columns]].concat())?;
    image.narrow(-2, padding[0], rows)?.narrow(-1, padding[1], columns)
}
