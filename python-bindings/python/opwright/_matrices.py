"""Functions of matrices of the array API standard, which `opwright.linalg` has."""

from __future__ import annotations

from . import _C
from ._functions import with_own_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ._tensor import Tensor


@with_own_name()
def matrix_transpose(x: Tensor, /) -> Tensor:
    """A view of matrices with rows and columns exchanged.

    Raises `RuntimeError` for a tensor of fewer than two dimensions.

    >>> opwright.matrix_transpose(opwright.ones(5, 2, 3)).shape
    opwright.Size([5, 3, 2])
    """
    return x.mT


@with_own_name(input="x1", vec2="x2")
def outer(x1: Tensor, x2: Tensor, /) -> Tensor:
    """The products of each element of one vector with each of the other: a matrix.

    >>> opwright.linalg.outer(opwright.tensor([1, 2]), opwright.tensor([3, 4])).tolist()
    [[3, 4], [6, 8]]
    """
    return _C.outer(x1, x2)


@with_own_name(input="x")
def trace(x: Tensor, /, *, offset: int = 0, dtype: _C.dtype | None = None) -> Tensor:
    """The sum of a diagonal of a matrix, or of each matrix of a batch.

    The diagonal is that which begins `offset` columns to the right, or as many rows below. Raises
    an error for a tensor of fewer than two dimensions.

    >>> opwright.linalg.trace(opwright.tensor([[1, 2], [3, 4]]), offset=1)
    tensor(2, dtype=int64, shape=())
    """
    from ._array_functions import summed_dtype

    diagonal = _C.diagonal(x, offset, -2, -1)
    return _C.sum(diagonal, -1, dtype=summed_dtype(x.dtype) if dtype is None else dtype)
