# @generated from native_functions.yaml by opwright-codegen. Do not edit.

from builtins import bool as _bool
from builtins import complex as _complex
from builtins import float as _float
from builtins import int as _int
from builtins import list as _list
from builtins import object as _object
from builtins import slice as _slice
from builtins import str as _str
from builtins import tuple as _tuple
from builtins import type as _type
from typing import Any as _Any
from typing import Protocol as _Protocol
from typing import Self as _Self
from typing import SupportsIndex as _SupportsIndex
from typing import TypeAlias as _TypeAlias
from typing import final as _final
from typing import overload as _overload

import opwright.return_types
from opwright import Tensor
from opwright._C import Generator
from opwright._C import Storage
from opwright._C import device as _device
from opwright._C import dtype as _dtype
from opwright._C import layout as _layout
from opwright._C import memory_format as _memory_format

_Number: _TypeAlias = _bool | _int | _float | _complex
_TensorList: _TypeAlias = _tuple[Tensor, ...] | _list[Tensor]
_IntList: _TypeAlias = _tuple[_SupportsIndex, ...] | _list[_int] | _list[_SupportsIndex]
class _NumpyDType(_Protocol):
    @property
    def char(self) -> _str: ...
    @property
    def num(self) -> _int: ...

class _NumpyScalar(_Protocol):
    @property
    def dtype(self) -> _Any: ...
    def tobytes(self) -> _Any: ...

_DType: _TypeAlias = (
    _dtype | _type[_float] | _type[_complex] | _NumpyDType | _type[_NumpyScalar]
)

def linalg_cholesky(input: Tensor, *, upper: _bool = False, out: Tensor | None = None) -> Tensor:
    """Cholesky's factor of a symmetric or Hermitian, positive definite matrix, or of
    each one of a batch: `L` with `L @ L.mH = A`, or with `upper` its transpose.
    Raises an error if the matrix is not positive definite.

    ```python
    >>> opwright.linalg.cholesky(opwright.tensor([[4.0, 2.0], [2.0, 5.0]]))
    tensor([[2., 0.],
            [1., 2.]], dtype=float32, shape=(2, 2))
    ```
    """
def linalg_cholesky_ex(input: Tensor, *, upper: _bool = False, check_errors: _bool = False, out: _tuple[Tensor, Tensor] | _list[Tensor] | None = None) -> opwright.return_types.linalg_cholesky_ex:
    """Cholesky's factor of a symmetric or Hermitian, positive definite matrix, or of
    each one of a batch: `L` with `L @ L.mH = A`, or with `upper` its transpose;
    and the order of the first leading minor that is not positive, so that there
    is no such factor, or 0: a named tuple `(L, info)`. With `check_errors`, that
    is an error. Only the triangle in question is read.

    ```python
    >>> opwright.linalg.cholesky_ex(opwright.tensor([[4.0, 2.0], [2.0, 5.0]]))
    linalg_cholesky_ex(L=tensor([[2., 0.],
            [1., 2.]], dtype=float32, shape=(2, 2)), info=tensor(0, dtype=int32, shape=()))
    ```
    """
@_overload
def linalg_cond(input: Tensor, p: _Number | None = None, *, out: Tensor | None = None) -> Tensor:
    """The condition number of a matrix, or of each one of a batch: the product of a norm of
    it and one of its inverse, infinite if there is none. `p` is an order of
    `linalg.matrix_norm`; without it, that is 2, the quotient of the greatest and the
    least singular value. Other orders than 2 and -2 need square matrices.

    ```python
    >>> opwright.linalg.cond(opwright.tensor([[4.0, 0.0], [0.0, 0.5]]))
    tensor(8., dtype=float32, shape=())
    >>> opwright.linalg.cond(opwright.tensor([[1.0, 1.0], [1.0, 1.0]]), p="fro")
    tensor(inf, dtype=float32, shape=())
    ```
    """
@_overload
def linalg_cond(input: Tensor, p: _str, *, out: Tensor | None = None) -> Tensor: ...
@_overload
def linalg_cross(input: Tensor, other: Tensor, *, dim: _int = -1, out: Tensor | None = None) -> Tensor:
    """The cross product of vectors of three elements along `dim`; other dimensions
    are broadcast.

    ```python
    >>> opwright.linalg.cross(opwright.tensor([1, 0, 0]), opwright.tensor([0, 1, 0]))
    tensor([0, 0, 1], dtype=int64, shape=(3,))
    ```
    """
@_overload
def linalg_cross(input: Tensor, other: Tensor, *, axis: _int = -1, out: Tensor | None = None) -> Tensor: ...
def linalg_det(A: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The determinant of a square matrix, or of each one of a batch.

    ```python
    >>> opwright.linalg.det(opwright.tensor([[4.0, 2.0], [1.0, 3.0]]))
    tensor(10., dtype=float32, shape=())
    ```
    """
def linalg_diagonal(A: Tensor, *, offset: _int = 0, dim1: _int = -2, dim2: _int = -1) -> Tensor:
    """The diagonals of the matrices in two dimensions, as a view with them in a last
    dimension; see `diagonal`.

    ```python
    >>> opwright.linalg.diagonal(opwright.tensor([[1, 2], [3, 4]]))
    tensor([1, 4], dtype=int64, shape=(2,))
    ```
    """
def linalg_eig(input: Tensor, *, out: _tuple[Tensor, Tensor] | _list[Tensor] | None = None) -> opwright.return_types.linalg_eig:
    """The eigenvalues of a square matrix, or of each one of a batch, in no particular
    order, and eigenvectors of length one as the columns of a matrix: a named tuple
    `(eigenvalues, eigenvectors)` of complex numbers. Vectors are determined up to
    their direction in the complex plane, and gradients are right for what does not
    depend on it; where values coincide, vectors may, too. See `linalg.eigh` for
    symmetric and Hermitian matrices.

    ```python
    >>> opwright.linalg.eig(opwright.tensor([[2.0, 0.0], [0.0, 3.0]])).eigenvalues
    tensor([2.+0.j, 3.+0.j], dtype=complex64, shape=(2,))
    ```
    """
def linalg_eigh(input: Tensor, UPLO: _str = "L", *, out: _tuple[Tensor, Tensor] | _list[Tensor] | None = None) -> opwright.return_types.linalg_eigh:
    """The eigenvalues of a symmetric or Hermitian matrix, or of each one of a batch,
    in ascending order, and eigenvectors of length one as the columns of a matrix:
    a named tuple `(eigenvalues, eigenvectors)`. `UPLO` says which triangle is
    read, the lower (`L`) or the upper one (`U`).

    ```python
    >>> opwright.linalg.eigh(opwright.tensor([[2.0, 0.0], [0.0, 3.0]])).eigenvalues
    tensor([2., 3.], dtype=float32, shape=(2,))
    ```
    """
def linalg_eigvals(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The eigenvalues of a square matrix, or of each one of a batch, as complex numbers
    in no particular order; see `linalg.eig`.

    ```python
    >>> opwright.linalg.eigvals(opwright.tensor([[0.0, -1.0], [1.0, 0.0]]))
    tensor([0.+1.j, 0.-1.j], dtype=complex64, shape=(2,))
    ```
    """
def linalg_eigvalsh(input: Tensor, UPLO: _str = "L", *, out: Tensor | None = None) -> Tensor:
    """The eigenvalues of a symmetric or Hermitian matrix, or of each one of a batch,
    in ascending order; see `linalg.eigh`.

    ```python
    >>> opwright.linalg.eigvalsh(opwright.tensor([[2.0, 1.0], [1.0, 2.0]])).round(decimals=3)
    tensor([1., 3.], dtype=float32, shape=(2,))
    ```
    """
def linalg_inv(A: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The inverse of a square matrix, or of each one of a batch. Raises an error if
    there is none.

    ```python
    >>> opwright.linalg.inv(opwright.tensor([[2.0, 0.0], [0.0, 4.0]]))
    tensor([[0.50, 0.00],
            [0.00, 0.25]], dtype=float32, shape=(2, 2))
    ```
    """
def linalg_inv_ex(A: Tensor, *, check_errors: _bool = False, out: _tuple[Tensor, Tensor] | _list[Tensor] | None = None) -> opwright.return_types.linalg_inv_ex:
    """The inverse of a square matrix, or of each one of a batch, and which element
    of the diagonal of its factorization, counted from 1, is zero, so that there
    is no inverse, or 0: a named tuple `(inverse, info)`. With `check_errors`,
    that is an error.

    ```python
    >>> opwright.linalg.inv_ex(opwright.tensor([[2.0, 0.0], [0.0, 4.0]]))
    linalg_inv_ex(inverse=tensor([[0.50, 0.00],
            [0.00, 0.25]], dtype=float32, shape=(2, 2)), info=tensor(0, dtype=int32, shape=()))
    ```
    """
def linalg_lstsq(input: Tensor, b: Tensor, rcond: _float | None = None, *, driver: _str | None = None, out: _tuple[Tensor, Tensor, Tensor, Tensor] | _list[Tensor] | None = None) -> opwright.return_types.linalg_lstsq:
    """The least `X` that makes `A @ X - B` shortest, for each column of `B`: a named tuple
    `(solution, residuals, rank, singular_values)`. Singular values up to `rcond` times the
    greatest count as zero; without it, that is the larger side of the matrix times the
    relative error of its dtype. `residuals` are the squared lengths of `A @ X - B`, if all
    matrices have more rows than columns and as high a rank as columns; else they are empty.
    `driver` is `gelsy`, as without it, `gels`, for which there is no rank, or `gelsd` or
    `gelss`, for which there are also singular values; all take these from `linalg.svd`.
    Batches are broadcast; `B` may also be a vector, or a batch of them with the sizes of
    the batch `A`.

    ```python
    >>> a = opwright.tensor([[1.0, 1.0], [1.0, 2.0], [1.0, 3.0]])
    >>> opwright.linalg.lstsq(a, opwright.tensor([1.0, 2.0, 3.0])).solution.abs().round(decimals=3)
    tensor([0., 1.], dtype=float32, shape=(2,))
    ```
    """
def linalg_lu(A: Tensor, *, pivot: _bool = True, out: _tuple[Tensor, Tensor, Tensor] | _list[Tensor] | None = None) -> opwright.return_types.linalg_lu:
    """A matrix, or each one of a batch, as `P @ L @ U`, where `P` exchanges rows, `L` is a
    lower triangle with a diagonal of 1 and `U` is an upper triangle: a named tuple
    `(P, L, U)`. `pivot` must be set.

    ```python
    >>> p, l, u = opwright.linalg.lu(opwright.tensor([[1.0, 2.0], [2.0, 2.0]]))
    >>> l, u
    (tensor([[1.0, 0.0],
            [0.5, 1.0]], dtype=float32, shape=(2, 2)), tensor([[2., 2.],
            [0., 1.]], dtype=float32, shape=(2, 2)))
    ```
    """
def linalg_lu_factor(A: Tensor, *, pivot: _bool = True, out: _tuple[Tensor, Tensor] | _list[Tensor] | None = None) -> opwright.return_types.linalg_lu_factor:
    """A matrix, or each one of a batch, as two triangles in one, the lower of which has a
    diagonal of 1, and with which row, counted from 1, each was exchanged, one after the
    other: a named tuple `(LU, pivots)`. `pivot` must be set.

    ```python
    >>> opwright.linalg.lu_factor(opwright.tensor([[1.0, 2.0], [2.0, 2.0]])).LU
    tensor([[2.0, 2.0],
            [0.5, 1.0]], dtype=float32, shape=(2, 2))
    ```
    """
def linalg_lu_factor_ex(A: Tensor, *, pivot: _bool = True, check_errors: _bool = False, out: _tuple[Tensor, Tensor, Tensor] | _list[Tensor] | None = None) -> opwright.return_types.linalg_lu_factor_ex:
    """A matrix, or each one of a batch, as two triangles in one, the lower of which has a
    diagonal of 1; with which row, counted from 1, each was exchanged, one after the
    other; and which element of the diagonal, counted from 1, is the first zero, or 0:
    a named tuple `(LU, pivots, info)`. With `check_errors`, a zero is an error. `pivot`
    must be set.

    ```python
    >>> opwright.linalg.lu_factor_ex(opwright.tensor([[1.0, 2.0], [2.0, 2.0]]))
    linalg_lu_factor_ex(LU=tensor([[2.0, 2.0],
            [0.5, 1.0]], dtype=float32, shape=(2, 2)), pivots=tensor([2, 2], dtype=int32, shape=(2,)), info=tensor(0, dtype=int32, shape=()))
    ```
    """
def linalg_lu_solve(LU: Tensor, pivots: Tensor, B: Tensor, *, left: _bool = True, adjoint: _bool = False, out: Tensor | None = None) -> Tensor:
    """The solution `X` of `A @ X = B`, or of `X @ A = B` if `left` is not set, where `A` is
    the square matrix that `linalg.lu_factor` made `LU` and `pivots` of; with `adjoint`,
    of `A.mH @ X = B` or `X @ A.mH = B`. Batches are broadcast.

    ```python
    >>> LU, pivots = opwright.linalg.lu_factor(opwright.tensor([[1.0, 2.0], [2.0, 2.0]]))
    >>> opwright.linalg.lu_solve(LU, pivots, opwright.tensor([[5.0], [6.0]]))
    tensor([[1.],
            [2.]], dtype=float32, shape=(2, 1))
    ```
    """
def linalg_matmul(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The product of vectors, matrices or batches of matrices; see `matmul`.

    ```python
    >>> opwright.linalg.matmul(opwright.tensor([[1, 2], [3, 4]]), opwright.tensor([1, 1]))
    tensor([3, 7], dtype=int64, shape=(2,))
    ```
    """
@_overload
def linalg_matrix_norm(input: Tensor, ord: _Number, dim: _IntList = (-2, -1), keepdim: _bool = False, *, dtype: _DType | None = None, out: Tensor | None = None) -> Tensor:
    """A norm of the matrices in two dimensions `dim`: the greatest (`ord=1`) or least
    (`-1`) sum of lengths along a column, or along a row (`inf`, `-inf`), the
    greatest (`2`) or least (`-2`) singular value, the sum of these (`nuc`), or the
    root of the sum of squared elements (`fro`).

    ```python
    >>> opwright.linalg.matrix_norm(opwright.tensor([[1.0, 2.0], [2.0, 4.0]]))
    tensor(5., dtype=float32, shape=())
    >>> opwright.linalg.matrix_norm(opwright.tensor([[1.0, -2.0], [3.0, 4.0]]), ord=1)
    tensor(6., dtype=float32, shape=())
    ```
    """
@_overload
def linalg_matrix_norm(input: Tensor, ord: _Number, *, axis: _IntList = (-2, -1), keepdim: _bool = False, dtype: _DType | None = None, out: Tensor | None = None) -> Tensor: ...
@_overload
def linalg_matrix_norm(input: Tensor, ord: _Number, dim: _IntList = (-2, -1), *, keepdims: _bool = False, dtype: _DType | None = None, out: Tensor | None = None) -> Tensor: ...
@_overload
def linalg_matrix_norm(input: Tensor, ord: _Number, *, axis: _IntList = (-2, -1), keepdims: _bool = False, dtype: _DType | None = None, out: Tensor | None = None) -> Tensor: ...
@_overload
def linalg_matrix_norm(input: Tensor, ord: _str = 'fro', dim: _IntList = (-2, -1), keepdim: _bool = False, *, dtype: _DType | None = None, out: Tensor | None = None) -> Tensor: ...
@_overload
def linalg_matrix_norm(input: Tensor, ord: _str = 'fro', *, axis: _IntList = (-2, -1), keepdim: _bool = False, dtype: _DType | None = None, out: Tensor | None = None) -> Tensor: ...
@_overload
def linalg_matrix_norm(input: Tensor, ord: _str = 'fro', dim: _IntList = (-2, -1), *, keepdims: _bool = False, dtype: _DType | None = None, out: Tensor | None = None) -> Tensor: ...
@_overload
def linalg_matrix_norm(input: Tensor, ord: _str = 'fro', *, axis: _IntList = (-2, -1), keepdims: _bool = False, dtype: _DType | None = None, out: Tensor | None = None) -> Tensor: ...
def linalg_matrix_power(input: Tensor, n: _int, *, out: Tensor | None = None) -> Tensor:
    """A square matrix, or each one of a batch, multiplied `n` times with itself; a
    negative `n` is a power of the inverse, and 0 gives the identity.

    ```python
    >>> opwright.linalg.matrix_power(opwright.tensor([[1.0, 1.0], [0.0, 1.0]]), 3)
    tensor([[1., 3.],
            [0., 1.]], dtype=float32, shape=(2, 2))
    ```
    """
@_overload
def linalg_matrix_rank(input: Tensor, *, atol: Tensor | None = None, rtol: Tensor | None = None, hermitian: _bool = False, out: Tensor | None = None) -> Tensor:
    """The rank of a matrix, or of each one of a batch: how many singular values, or with
    `hermitian` lengths of eigenvalues, are greater than `atol` and than `rtol` times the
    greatest. Without `rtol`, that is the larger side of the matrix times the relative
    error of its dtype, or zero if there is a positive `atol`. `tol` alone is an `atol`.

    ```python
    >>> opwright.linalg.matrix_rank(opwright.tensor([[1.0, 2.0], [2.0, 4.0]]))
    tensor(1, dtype=int64, shape=())
    ```
    """
@_overload
def linalg_matrix_rank(input: Tensor, *, atol: _float | None = None, rtol: _float | None = None, hermitian: _bool = False, out: Tensor | None = None) -> Tensor: ...
@_overload
def linalg_matrix_rank(input: Tensor, tol: Tensor, hermitian: _bool = False, *, out: Tensor | None = None) -> Tensor: ...
@_overload
def linalg_matrix_rank(input: Tensor, tol: _float, hermitian: _bool = False, *, out: Tensor | None = None) -> Tensor: ...
def linalg_multi_dot(tensors: _TensorList, *, out: Tensor | None = None) -> Tensor:
    """The product of two matrices or more, in the order that takes the fewest
    multiplications. The first and the last may also be vectors.

    ```python
    >>> opwright.linalg.multi_dot(
    ...     [opwright.ones(2, 3), opwright.ones(3, 4), opwright.ones(4, 1)]
    ... )
    tensor([[12.],
            [12.]], dtype=float32, shape=(2, 1))
    ```
    """
@_overload
def linalg_norm(input: Tensor, ord: _Number | None = None, dim: _int | _IntList | None = None, keepdim: _bool = False, *, dtype: _DType | None = None, out: Tensor | None = None) -> Tensor:
    """A norm of vectors or matrices: without `ord`, the root of the sum of squared
    elements, over all dimensions or along `dim`; with `ord`, that norm of the
    vectors along one dimension, or of the matrices in two. See
    `linalg.vector_norm` and `linalg.matrix_norm`.

    ```python
    >>> opwright.linalg.norm(opwright.tensor([3.0, 4.0]))
    tensor(5., dtype=float32, shape=())
    >>> opwright.linalg.norm(opwright.tensor([[1.0, -2.0], [3.0, 4.0]]), ord=float("inf"))
    tensor(7., dtype=float32, shape=())
    ```
    """
@_overload
def linalg_norm(input: Tensor, ord: _Number | None = None, *, axis: _int | _IntList | None = None, keepdim: _bool = False, dtype: _DType | None = None, out: Tensor | None = None) -> Tensor: ...
@_overload
def linalg_norm(input: Tensor, ord: _Number | None = None, dim: _int | _IntList | None = None, *, keepdims: _bool = False, dtype: _DType | None = None, out: Tensor | None = None) -> Tensor: ...
@_overload
def linalg_norm(input: Tensor, ord: _Number | None = None, *, axis: _int | _IntList | None = None, keepdims: _bool = False, dtype: _DType | None = None, out: Tensor | None = None) -> Tensor: ...
@_overload
def linalg_norm(input: Tensor, ord: _str, dim: _int | _IntList | None = None, keepdim: _bool = False, *, dtype: _DType | None = None, out: Tensor | None = None) -> Tensor: ...
@_overload
def linalg_norm(input: Tensor, ord: _str, *, axis: _int | _IntList | None = None, keepdim: _bool = False, dtype: _DType | None = None, out: Tensor | None = None) -> Tensor: ...
@_overload
def linalg_norm(input: Tensor, ord: _str, dim: _int | _IntList | None = None, *, keepdims: _bool = False, dtype: _DType | None = None, out: Tensor | None = None) -> Tensor: ...
@_overload
def linalg_norm(input: Tensor, ord: _str, *, axis: _int | _IntList | None = None, keepdims: _bool = False, dtype: _DType | None = None, out: Tensor | None = None) -> Tensor: ...
@_overload
def linalg_pinv(input: Tensor, *, atol: Tensor | None = None, rtol: Tensor | None = None, hermitian: _bool = False, out: Tensor | None = None) -> Tensor:
    """The pseudoinverse of a matrix, or of each one of a batch: `A⁺` with
    `A @ A⁺ @ A = A`, the least of all that have this. Singular values, or with
    `hermitian` lengths of eigenvalues, count as zero up to `atol` or up to `rtol` times
    the greatest. Without `rtol`, that is the larger side of the matrix times the relative
    error of its dtype, or zero if there is a positive `atol`. `rcond` is an `rtol`.
    Gradients are those of a matrix of the rank that is left.

    ```python
    >>> opwright.linalg.pinv(opwright.tensor([[2.0, 0.0], [0.0, 0.0], [0.0, 0.0]]))
    tensor([[0.5, 0.0, 0.0],
            [0.0, 0.0, 0.0]], dtype=float32, shape=(2, 3))
    ```
    """
@_overload
def linalg_pinv(input: Tensor, *, atol: _float | None = None, rtol: _float | None = None, hermitian: _bool = False, out: Tensor | None = None) -> Tensor: ...
@_overload
def linalg_pinv(input: Tensor, rcond: Tensor, hermitian: _bool = False, *, out: Tensor | None = None) -> Tensor: ...
@_overload
def linalg_pinv(input: Tensor, rcond: _float, hermitian: _bool = False, *, out: Tensor | None = None) -> Tensor: ...
def linalg_qr(A: Tensor, mode: _str = 'reduced', *, out: _tuple[Tensor, Tensor] | _list[Tensor] | None = None) -> opwright.return_types.linalg_qr:
    """A matrix `A`, or each one of a batch, as `Q @ R`, where the columns of `Q` are
    of length one and at right angles and `R` is an upper triangle: a named tuple
    `(Q, R)`. By `mode`, `Q` has as many columns as `A` needs (`reduced`), is
    square (`complete`), or has no elements (`r`).

    ```python
    >>> q, r = opwright.linalg.qr(opwright.tensor([[3.0, 1.0], [4.0, 2.0]]))
    >>> opwright.allclose(q @ r, opwright.tensor([[3.0, 1.0], [4.0, 2.0]]))
    True
    ```
    """
def linalg_slogdet(A: Tensor, *, out: _tuple[Tensor, Tensor] | _list[Tensor] | None = None) -> opwright.return_types.linalg_slogdet:
    """The determinant of a square matrix, or of each one of a batch, as its sign, or
    direction in the complex plane, and the logarithm of its length, where the
    determinant itself would overflow: a named tuple `(sign, logabsdet)`.

    ```python
    >>> opwright.linalg.slogdet(opwright.tensor([[2.0, 1.0], [0.0, -3.0]]))
    linalg_slogdet(sign=tensor(-1., dtype=float32, shape=()), logabsdet=tensor(1.7918, dtype=float32, shape=()))
    ```
    """
def linalg_solve(A: Tensor, B: Tensor, *, left: _bool = True, out: Tensor | None = None) -> Tensor:
    """The solution `X` of `A @ X = B`, or of `X @ A = B` if `left` is not set, for a
    square matrix `A`. Batches are broadcast; `B` may also be a vector, or a batch
    of them with the sizes of the batch `A`. Raises an error if `A` is singular.

    ```python
    >>> opwright.linalg.solve(
    ...     opwright.tensor([[2.0, 0.0], [0.0, 4.0]]), opwright.tensor([2.0, 2.0])
    ... )
    tensor([1.0, 0.5], dtype=float32, shape=(2,))
    ```
    """
def linalg_solve_ex(A: Tensor, B: Tensor, *, left: _bool = True, check_errors: _bool = False, out: _tuple[Tensor, Tensor] | _list[Tensor] | None = None) -> opwright.return_types.linalg_solve_ex:
    """The solution `X` of `A @ X = B`, or of `X @ A = B` if `left` is not set, for
    square matrices `A`, and which element of the diagonal of its factorization,
    counted from 1, is zero, so that there is no unique one, or 0: a named tuple
    `(result, info)`. With `check_errors`, that is an error. Batches are broadcast;
    `B` may also be a vector, or a batch of them with the sizes of the batch `A`.

    ```python
    >>> opwright.linalg.solve_ex(
    ...     opwright.tensor([[2.0, 0.0], [0.0, 4.0]]), opwright.tensor([2.0, 2.0])
    ... )
    linalg_solve_ex(result=tensor([1.0, 0.5], dtype=float32, shape=(2,)), info=tensor(0, dtype=int32, shape=()))
    ```
    """
def linalg_solve_triangular(input: Tensor, B: Tensor, *, upper: _bool, left: _bool = True, unitriangular: _bool = False, out: Tensor | None = None) -> Tensor:
    """The solution `X` of `A @ X = B`, or of `X @ A = B` if `left` is not set, where `A` is
    a square matrix of which the `upper` or the lower triangle is read, with
    `unitriangular` without its diagonal, which counts as 1. Batches are broadcast. A
    zero on the diagonal is no error; the solution is not finite then.

    ```python
    >>> opwright.linalg.solve_triangular(
    ...     opwright.tensor([[2.0, 1.0], [0.0, 4.0]]), opwright.tensor([[4.0], [8.0]]), upper=True
    ... )
    tensor([[1.],
            [2.]], dtype=float32, shape=(2, 1))
    ```
    """
def linalg_svd(A: Tensor, full_matrices: _bool = True, *, driver: _str | None = None, out: _tuple[Tensor, Tensor, Tensor] | _list[Tensor] | None = None) -> opwright.return_types.linalg_svd:
    """A matrix `A`, or each one of a batch, as `U @ diag(S) @ Vh`: a named tuple
    `(U, S, Vh)`. The columns of `U` and the rows of `Vh` are of length one and at
    right angles; `S`, the singular values, are not negative and in descending
    order. With `full_matrices`, `U` and `Vh` are square. There is one method on
    the CPU, so `driver` must be `None`.

    ```python
    >>> opwright.linalg.svd(opwright.tensor([[3.0, 0.0], [0.0, 4.0]])).S
    tensor([4., 3.], dtype=float32, shape=(2,))
    ```
    """
def linalg_svdvals(A: Tensor, *, driver: _str | None = None, out: Tensor | None = None) -> Tensor:
    """The singular values of a matrix, or of each one of a batch, in descending
    order; see `linalg.svd`.

    ```python
    >>> opwright.linalg.svdvals(opwright.tensor([[3.0, 0.0], [0.0, 4.0]]))
    tensor([4., 3.], dtype=float32, shape=(2,))
    ```
    """
@_overload
def linalg_vecdot(x: Tensor, y: Tensor, *, dim: _int = -1, out: Tensor | None = None) -> Tensor:
    """The sum of the products of corresponding elements along `dim`, those of `x`
    conjugated; other dimensions are broadcast.

    ```python
    >>> opwright.linalg.vecdot(
    ...     opwright.tensor([[1.0, 2.0], [3.0, 4.0]]), opwright.tensor([1.0, 1.0])
    ... )
    tensor([3., 7.], dtype=float32, shape=(2,))
    ```
    """
@_overload
def linalg_vecdot(x: Tensor, y: Tensor, *, axis: _int = -1, out: Tensor | None = None) -> Tensor: ...
@_overload
def linalg_vector_norm(input: Tensor, ord: _Number = 2, dim: _int | _IntList | None = None, keepdim: _bool = False, *, dtype: _DType | None = None, out: Tensor | None = None) -> Tensor:
    """The norm of order `ord` of all elements, or along `dim`: `(sum |x|^ord)^(1/ord)`, with `inf` or
    `-inf` the greatest or least `|x|`, with zero the number of elements that are not zero. Takes
    floating and complex tensors; the norm of complex numbers is real. With `dtype`, the elements
    are cast first.

    ```python
    >>> opwright.linalg.vector_norm(opwright.tensor([3.0, 4.0]))
    tensor(5., dtype=float32, shape=())
    >>> opwright.linalg.vector_norm(opwright.tensor([3.0, 4.0]), ord=1)
    tensor(7., dtype=float32, shape=())
    ```
    """
@_overload
def linalg_vector_norm(input: Tensor, ord: _Number = 2, *, axis: _int | _IntList | None = None, keepdim: _bool = False, dtype: _DType | None = None, out: Tensor | None = None) -> Tensor: ...
@_overload
def linalg_vector_norm(input: Tensor, ord: _Number = 2, dim: _int | _IntList | None = None, *, keepdims: _bool = False, dtype: _DType | None = None, out: Tensor | None = None) -> Tensor: ...
@_overload
def linalg_vector_norm(input: Tensor, ord: _Number = 2, *, axis: _int | _IntList | None = None, keepdims: _bool = False, dtype: _DType | None = None, out: Tensor | None = None) -> Tensor: ...
