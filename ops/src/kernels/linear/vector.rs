//! Products with vectors.

use opwright_macros::native_op;
use opwright_runtime::{Result, Tensor, ensure};

use super::product::common_dtype;
use crate::ops::{self, TensorOps};

/// The product of a matrix `(n, k)` and a vector of `k` elements, of one dtype.
///
/// ```python
/// >>> opwright.mv(opwright.tensor([[1, 2], [3, 4]]), opwright.tensor([1, 1]))
/// tensor([3, 7], dtype=int64, shape=(2,))
/// ```
#[native_op("mv(Tensor self, Tensor vec) -> Tensor", explicit, variants = "function, method", out)]
fn mv(self_: &Tensor, vec: &Tensor) -> Result<Tensor> {
    check_mv(self_, vec)?;
    ops::mm::Default_::call(self_, &vec.unsqueeze(1)?)?.squeeze_dim(1)
}

fn check_mv(matrix: &Tensor, vec: &Tensor) -> Result<()> {
    let (&[rows, inner], &[length]) = (matrix.shape(), vec.shape()) else {
        opwright_runtime::fail!(
            Runtime,
            "a matrix and a vector expected, got {} dimensions and {}",
            matrix.ndim(),
            vec.ndim()
        )
    };
    ensure!(
        inner == length,
        Runtime,
        "size mismatch: a matrix of {rows}x{inner} and a vector of {length}"
    );
    common_dtype(matrix, vec).map(drop)
}

/// The sum of the products of corresponding elements of two vectors of one
/// dtype and length. Complex numbers are multiplied as they are; see `vdot`.
///
/// ```python
/// >>> opwright.dot(opwright.tensor([1, 2, 3]), opwright.tensor([4, 5, 6]))
/// tensor(32, dtype=int64, shape=())
/// ```
#[native_op(
    "dot(Tensor self, Tensor tensor) -> Tensor",
    explicit,
    variants = "function, method",
    out
)]
fn dot(self_: &Tensor, tensor: &Tensor) -> Result<Tensor> {
    check_dot(self_, tensor)?;
    inner_product(self_, tensor)
}

/// The sum of the products of corresponding elements of two vectors, those of
/// the first conjugated.
///
/// ```python
/// >>> opwright.vdot(opwright.tensor([1j, 2 + 0j]), opwright.tensor([1j, 1 + 0j]))
/// tensor(3.+0.j, dtype=complex64, shape=())
/// ```
#[native_op(
    "vdot(Tensor self, Tensor other) -> Tensor",
    key = CPU | Meta,
    variants = "function, method",
    out
)]
fn vdot(self_: &Tensor, other: &Tensor) -> Result<Tensor> {
    check_dot(self_, other)?;
    if self_.dtype().is_complex_number() {
        inner_product(&conjugated(self_)?, other)
    } else {
        inner_product(self_, other)
    }
}

fn check_dot(a: &Tensor, b: &Tensor) -> Result<()> {
    let (rank, other_rank) = (a.ndim(), b.ndim());
    ensure!(
        rank == 1 && other_rank == 1,
        Runtime,
        "1D tensors expected, but got {rank}D and {other_rank}D tensors"
    );
    common_dtype(a, b)?;
    let (length, other) = (a.numel(), b.numel());
    ensure!(
        length == other,
        Runtime,
        "inconsistent sizes: both vectors must have the same number of elements, but have \
         {length} and {other}"
    );
    Ok(())
}

fn inner_product(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    let (row, column) = (a.unsqueeze(0)?, b.unsqueeze(1)?);
    ops::mm::Default_::call(&row, &column)?.reshape(&[])
}

/// A copy with imaginary parts of the other sign.
pub(crate) fn conjugated(tensor: &Tensor) -> Result<Tensor> {
    ops::conj_physical::Default_::call(tensor)
}

/// The products of each element of one vector with each element of another:
/// a matrix with a row for each element of `self`. Dtypes are promoted.
///
/// ```python
/// >>> opwright.outer(opwright.tensor([1, 2]), opwright.tensor([3, 4]))
/// tensor([[3, 4],
///         [6, 8]], dtype=int64, shape=(2, 2))
/// ```
#[native_op(
    "outer(Tensor self, Tensor vec2) -> Tensor",
    composite,
    gil = "release",
    variants = "function, method"
)]
fn outer(self_: &Tensor, vec2: &Tensor) -> Result<Tensor> {
    let (column, row) = column_and_row(self_, vec2)?;
    ops::mul::Tensor::call(&column, &row)
}

#[native_op(
    "outer.out(Tensor self, Tensor vec2, *, Tensor(a!) out) -> Tensor(a!)",
    composite,
    gil = "release"
)]
fn outer_out(self_: &Tensor, vec2: &Tensor, out: &mut Tensor) -> Result<()> {
    let (column, row) = column_and_row(self_, vec2)?;
    ops::mul::out::call(&column, &row, out)
}

fn column_and_row(a: &Tensor, b: &Tensor) -> Result<(Tensor, Tensor)> {
    let (rank, other) = (a.ndim(), b.ndim());
    ensure!(
        rank == 1 && other == 1,
        Runtime,
        "1D tensors expected, but got {rank}D and {other}D tensors"
    );
    Ok((a.unsqueeze(1)?, b.unsqueeze(0)?))
}

/// Sums of products along the last dimension of both sides, whose sizes there
/// are equal: `self[i.., k] * other[j.., k]` for all `i` and `j`. With a tensor
/// without dimensions, the plain product.
///
/// ```python
/// >>> opwright.inner(opwright.tensor([1, 2]), opwright.tensor([[1, 1], [0, 1]]))
/// tensor([3, 2], dtype=int64, shape=(2,))
/// ```
#[native_op(
    "inner(Tensor self, Tensor other) -> Tensor",
    composite,
    variants = "function, method",
    out
)]
fn inner(self_: &Tensor, other: &Tensor) -> Result<Tensor> {
    if self_.ndim() == 0 || other.ndim() == 0 {
        return ops::mul::Tensor::call(self_, other);
    }
    let (size, other_size) = (self_.size_of(-1)?, other.size_of(-1)?);
    ensure!(
        size == other_size,
        Runtime,
        "the last dimension must match on both input tensors but got shapes {:?} and {:?}",
        self_.shape(),
        other.shape()
    );
    ops::tensordot::Default_::call(self_, other, &[-1], &[-1])
}
