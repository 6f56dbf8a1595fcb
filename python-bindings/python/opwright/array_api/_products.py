"""Products of matrices and tensors of which the dtypes are promoted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import opwright
from opwright import _C
from opwright._functions import with_own_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opwright import Tensor


@with_own_name(input="x1", other="x2")
def matmul(x1: Tensor, x2: Tensor, /) -> Tensor:
    """The product of matrices, of batches of them, or of vectors.

    Raises `RuntimeError` for tensors without dimensions and for sizes that do not go together.
    """
    return opwright.matmul(*of_one_dtype(x1, x2))


@with_own_name(a="x1", b="x2", dims="axes")
def tensordot(
    x1: Tensor,
    x2: Tensor,
    /,
    *,
    axes: int | tuple[Sequence[int], Sequence[int]] = 2,
) -> Tensor:
    """Sums of products along pairs of dimensions.

    `axes` is how many: the last of `x1` with the first of `x2`; or two lists of dimensions.
    """
    return opwright.tensordot(*of_one_dtype(x1, x2), axes)


def of_one_dtype(x1: Tensor, x2: Tensor) -> tuple[Tensor, Tensor]:
    """Both tensors with the dtype to which theirs are promoted."""
    dtype = _C.promote_types(x1.dtype, x2.dtype)
    return x1.to(dtype), x2.to(dtype)
