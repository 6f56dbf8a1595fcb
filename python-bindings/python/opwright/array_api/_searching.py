"""Functions that sort, search and take, with the standard's parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import opwright
from opwright import _C
from opwright._functions import with_own_name

if TYPE_CHECKING:
    from opwright import Tensor


@with_own_name(input="x", dim="axis", keepdim="keepdims")
def argmax(x: Tensor, /, axis: int | None = None, keepdims: bool = False) -> Tensor:
    """The index of the greatest element along `axis`, or of all; nan is greater than all others.

    Raises an error if there is none.
    """
    return opwright.argmax(x, axis, keepdims)


@with_own_name(input="x", dim="axis", keepdim="keepdims")
def argmin(x: Tensor, /, axis: int | None = None, keepdims: bool = False) -> Tensor:
    """The index of the least element along `axis`, or of all; nan is less than all others.

    Raises an error if there is none.
    """
    return opwright.argmin(x, axis, keepdims)


@with_own_name(input="x", dim="axis")
def argsort(
    x: Tensor, /, *, axis: int = -1, descending: bool = False, stable: bool = True
) -> Tensor:
    """The indices along `axis` that put the elements in order."""
    return opwright.argsort(x, dim=axis, descending=descending, stable=stable)


@with_own_name(input="x")
def nonzero(x: Tensor, /) -> tuple[Tensor, ...]:
    """The indices of the elements that are not 0: a tensor for each dimension.

    Raises `ValueError` for a tensor without dimensions.
    """
    if x.ndim == 0:
        raise ValueError("nonzero(): a tensor without dimensions has no indices")
    return opwright.nonzero(x, as_tuple=True)


@with_own_name(sorted_sequence="x1", input="x2")
def searchsorted(
    x1: Tensor,
    x2: Tensor,
    /,
    *,
    side: Literal["left", "right"] = "left",
    sorter: Tensor | None = None,
) -> Tensor:
    """Where elements of `x2` belong in `x1`, which is in order, or is by the indices `sorter`.

    Dtypes are promoted. `side` is where among equal elements.
    """
    dtype = _C.promote_types(x1.dtype, x2.dtype)
    order = None if sorter is None else sorter.to(_C.int64)
    return opwright.searchsorted(x1.to(dtype), x2.to(dtype), side=side, sorter=order)


@with_own_name(input="x", dim="axis")
def sort(x: Tensor, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Tensor:
    """The elements in order along `axis`."""
    return opwright.sort(x, dim=axis, descending=descending, stable=stable).values


@with_own_name(input="x", dim="axis")
def take(x: Tensor, indices: Tensor, /, *, axis: int | None = None) -> Tensor:
    """The slices with these indices along `axis`, which a vector does not need.

    Negative indices count from the end. Raises `ValueError` if another tensor has no `axis`, and
    `IndexError` for indices that are out of range.
    """
    if axis is None:
        if x.ndim != 1:
            raise ValueError(f"take(): a tensor of {x.ndim} dimensions needs an 'axis'")
        axis = 0
    places = indices.to(_C.int64)
    return _C.index_select(x, axis, _C.where(places < 0, places + x.shape[axis], places))
