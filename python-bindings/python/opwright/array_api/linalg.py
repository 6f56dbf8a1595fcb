"""The extension `linalg` of the array API standard.

What differs from `opwright.linalg` is in the table `DIFFERENCES`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import opwright
from opwright._array_functions import vecdot as vecdot
from opwright._functions import with_own_name
from opwright._matrices import matrix_transpose as matrix_transpose
from opwright._matrices import outer as outer
from opwright._matrices import trace as trace
from opwright.linalg import cholesky as cholesky
from opwright.linalg import det as det
from opwright.linalg import diagonal as diagonal
from opwright.linalg import eigh as eigh
from opwright.linalg import eigvalsh as eigvalsh
from opwright.linalg import inv as inv
from opwright.linalg import matrix_power as matrix_power
from opwright.linalg import matrix_rank as matrix_rank
from opwright.linalg import pinv as pinv
from opwright.linalg import qr as qr
from opwright.linalg import slogdet as slogdet
from opwright.linalg import svd as svd
from opwright.linalg import svdvals as svdvals

from ._products import matmul as matmul
from ._products import of_one_dtype
from ._products import tensordot as tensordot

if TYPE_CHECKING:
    from opwright import Tensor

__all__ = [
    "cholesky",
    "cross",
    "det",
    "diagonal",
    "eigh",
    "eigvalsh",
    "inv",
    "matmul",
    "matrix_norm",
    "matrix_power",
    "matrix_rank",
    "matrix_transpose",
    "outer",
    "pinv",
    "qr",
    "slogdet",
    "solve",
    "svd",
    "svdvals",
    "tensordot",
    "trace",
    "vecdot",
    "vector_norm",
]


@with_own_name(input="x1", other="x2", dim="axis")
def cross(x1: Tensor, x2: Tensor, /, *, axis: int = -1) -> Tensor:
    """The cross products of vectors of three elements along `axis`, which is negative.

    The tensors broadcast, and their dtypes are promoted. Raises `ValueError` if `axis` is not
    negative, and `RuntimeError` if vectors have another size.
    """
    if axis >= 0:
        raise ValueError(f"cross(): argument 'axis' must be negative, not {axis}")
    sizes = [it.shape[axis] if it.ndim >= -axis else 1 for it in (x1, x2)]
    if sizes != [3, 3]:
        raise RuntimeError(f"cross(): vectors must have 3 elements, but have {sizes}")
    first, second = opwright.broadcast_tensors(*of_one_dtype(x1, x2))
    return opwright.linalg.cross(first, second, dim=axis)


@with_own_name(A="x", dim="axis", keepdim="keepdims")
def matrix_norm(
    x: Tensor, /, ord: float | Literal["fro", "nuc"] | None = "fro", *, keepdims: bool = False
) -> Tensor:
    """The norms of the matrices in the last two dimensions; `None` is as `"fro"`."""
    return opwright.linalg.matrix_norm(x, "fro" if ord is None else ord, keepdim=keepdims)


@with_own_name(A="x1", B="x2")
def solve(x1: Tensor, x2: Tensor, /) -> Tensor:
    """What `x1` must be multiplied by for `x2`; `x2` is a vector if it has one dimension.

    In all other cases it is a matrix or a batch of matrices. Dtypes are promoted. Raises
    `RuntimeError` if a matrix is singular or not square.
    """
    matrices, right = of_one_dtype(x1, x2)
    if right.ndim == 1:
        return opwright.linalg.solve(matrices, right.unsqueeze(-1)).squeeze(-1)
    # With as many dimensions as the matrices it cannot be taken for a batch of vectors.
    missing = max(matrices.ndim - right.ndim, 0)
    return opwright.linalg.solve(matrices, right[(None,) * missing])


@with_own_name(x="x", dim="axis")
def vector_norm(
    x: Tensor,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    keepdims: bool = False,
    ord: float = 2,
) -> Tensor:
    """The `ord`-norm of vectors along `axis`, or of all elements.

    Along `axis=()` each element is a vector.
    """
    if axis == ():
        return opwright.linalg.vector_norm(x.unsqueeze(-1), ord, -1)
    return opwright.linalg.vector_norm(x, ord, axis, keepdims)
