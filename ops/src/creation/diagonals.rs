//! Identity matrices, and the indices of triangular ones.

use std::ops::Range;

use opwright_macros::native_op;
use opwright_runtime::{
    DType, Device, Layout, Result, Scalar, Tensor, default_dtype, ensure, fail, view,
};

use super::filling::{fill, refill};
use super::options::TensorOptions;

#[native_op(eye.k)]
fn eye_k(
    n: i64,
    m: Option<i64>,
    k: i64,
    dtype: Option<DType>,
    layout: Option<Layout>,
    device: Option<Device>,
    pin_memory: Option<bool>,
) -> Result<Tensor> {
    let options = TensorOptions::new(dtype, layout, device, pin_memory)?;
    let mut out = options.allocate(&[0], default_dtype())?;
    eye_k_out(n, m, k, &mut out)?;
    Ok(out)
}

/// Writes a matrix of zeros with ones on its diagonal, or `k` columns to the right of it.
#[native_op(eye.k_out)]
fn eye_k_out(n: i64, m: Option<i64>, k: i64, out: &mut Tensor) -> Result<()> {
    let m = m.unwrap_or(n);
    ensure!(n >= 0, Runtime, "n must be greater or equal to 0, got {n}");
    ensure!(m >= 0, Runtime, "m must be greater or equal to 0, got {m}");
    refill(out, &[n, m], Scalar::Int(0))?;
    // Without rows the strides may be of any size, and so may `k` where no diagonal is.
    if out.numel() == 0 || k >= m || k <= -n {
        return Ok(());
    }
    let (row, column) = (out.strides()[0], out.strides()[1]);
    let (ones, first) = if k < 0 { ((n + k).min(m), -k * row) } else { (n.min(m - k), k * column) };
    let mut diagonal = view::as_strided(out, &[ones], &[row + column], out.offset() + first)?;
    fill(&mut diagonal, Scalar::Int(1))
}

#[native_op(tril_indices)]
fn tril_indices(
    row: i64,
    col: i64,
    offset: i64,
    dtype: Option<DType>,
    layout: Option<Layout>,
    device: Option<Device>,
    pin_memory: Option<bool>,
) -> Result<Tensor> {
    let options = TensorOptions::new(dtype, layout, device, pin_memory)?;
    let count = count_below(row, col, offset)?;
    // Rows that are wholly above the diagonal may be very many.
    let rows = offset.saturating_neg().max(0)..row;
    write_indices("tril_indices", options, count, rows, |row| {
        (0, row.saturating_add(offset).saturating_add(1).clamp(0, col))
    })
}

#[native_op(triu_indices)]
fn triu_indices(
    row: i64,
    col: i64,
    offset: i64,
    dtype: Option<DType>,
    layout: Option<Layout>,
    device: Option<Device>,
    pin_memory: Option<bool>,
) -> Result<Tensor> {
    let options = TensorOptions::new(dtype, layout, device, pin_memory)?;
    let below = count_below(row, col, offset.saturating_sub(1))?;
    let all = i128::from(row) * i128::from(col);
    write_indices("triu_indices", options, all - below, 0..row, |row| {
        (row.saturating_add(offset).clamp(0, col), col)
    })
}

/// How many elements of a matrix are not above a diagonal.
fn count_below(row: i64, col: i64, offset: i64) -> Result<i128> {
    ensure!(row >= 0, Runtime, "row must be non-negative, got {row}");
    ensure!(col >= 0, Runtime, "col must be non-negative, got {col}");
    let (row, col, offset) = (i128::from(row), i128::from(col), i128::from(offset));
    // The sum of `min(i, col)` for `i` up to `rows`.
    let sum = |rows: i128| {
        let growing = rows.clamp(0, col);
        growing * (growing + 1) / 2 + (rows - growing).max(0) * col
    };
    Ok(sum(offset + row) - sum(offset))
}

/// Writes the numbers of the columns from `columns(row).0` to before `columns(row).1`.
fn write_indices(
    what: &str,
    options: TensorOptions,
    count: i128,
    rows: Range<i64>,
    columns: impl Fn(i64) -> (i64, i64),
) -> Result<Tensor> {
    let Ok(count) = i64::try_from(count) else { fail!(Overflow, "{what}: too many indices") };
    let dtype = options.dtype.unwrap_or(DType::Int64);
    if !matches!(dtype, DType::Int32 | DType::Int64) {
        return Err(dtype.unsupported(what));
    }
    if options.device == Some(Device::Meta) {
        return Tensor::allocate(&[2, count], dtype, Device::Meta);
    }
    let mut out = Tensor::allocate(&[2, count], DType::Int64, Device::Cpu)?;
    let (row_numbers, column_numbers) = out.as_mut_slice::<i64>()?.split_at_mut(count as usize);
    let all = rows.flat_map(|row| {
        let (first, end) = columns(row);
        (first..end).map(move |column| (row, column))
    });
    // The places come first: they end before the rows do.
    for (place, (row, column)) in row_numbers.iter_mut().zip(column_numbers).zip(all) {
        (*place.0, *place.1) = (row, column);
    }
    out.to_dtype(dtype)
}
