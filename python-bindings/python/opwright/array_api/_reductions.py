"""Reductions with the standard's parameters, dtypes and defaults.

Over `axis=()` nothing is reduced; PyTorch takes that for all dimensions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import opwright
from opwright import _C
from opwright._array_functions import summed_dtype
from opwright._functions import with_own_name

if TYPE_CHECKING:
    from opwright import Tensor

    _Axis = int | tuple[int, ...] | None


@with_own_name(input="x", dim="axis")
def all(x: Tensor, /, *, axis: _Axis = None, keepdims: bool = False) -> Tensor:
    """Whether all elements along `axis` are true, or different from 0, as `bool`."""
    x, dims, keepdims = _over(x, axis, keepdims)
    return opwright.all(x, dims, keepdims).to(_C.bool)


@with_own_name(input="x", dim="axis")
def any(x: Tensor, /, *, axis: _Axis = None, keepdims: bool = False) -> Tensor:
    """Whether any element along `axis` is true, or different from 0, as `bool`."""
    x, dims, keepdims = _over(x, axis, keepdims)
    return opwright.any(x, dims, keepdims).to(_C.bool)


@with_own_name(input="x", dim="axis")
def count_nonzero(x: Tensor, /, *, axis: _Axis = None, keepdims: bool = False) -> Tensor:
    """How many elements along `axis` are different from 0."""
    x, dims, keepdims = _over(x, axis, keepdims)
    return opwright.sum(x != 0, dims, keepdims)


@with_own_name(input="x", dim="axis")
def max(x: Tensor, /, *, axis: _Axis = None, keepdims: bool = False) -> Tensor:
    """The greatest element along `axis`; it is nan if one is.

    Raises an error if there is none.
    """
    x, dims, keepdims = _over(x, axis, keepdims)
    return opwright.amax(x, () if dims is None else dims, keepdims)


@with_own_name(input="x", dim="axis")
def mean(x: Tensor, /, *, axis: _Axis = None, keepdims: bool = False) -> Tensor:
    """The mean along `axis`."""
    x, dims, keepdims = _over(x, axis, keepdims)
    return opwright.mean(x, dims, keepdims)


@with_own_name(input="x", dim="axis")
def min(x: Tensor, /, *, axis: _Axis = None, keepdims: bool = False) -> Tensor:
    """The least element along `axis`; it is nan if one is.

    Raises an error if there is none.
    """
    x, dims, keepdims = _over(x, axis, keepdims)
    return opwright.amin(x, () if dims is None else dims, keepdims)


@with_own_name(input="x", dim="axis")
def prod(
    x: Tensor,
    /,
    *,
    axis: _Axis = None,
    dtype: _C.dtype | None = None,
    keepdims: bool = False,
) -> Tensor:
    """The product along `axis`; integers have 64 bits unless there is a `dtype`."""
    x, dims, keepdims = _over(x, axis, keepdims)
    found = x.to(summed_dtype(x.dtype) if dtype is None else dtype)
    if dims is None:
        dims = tuple(range(x.ndim))
    several = dims if isinstance(dims, tuple) else (dims,)
    # From the last, so that those before it keep their numbers.
    for dim in sorted((it % x.ndim for it in several), reverse=True):
        found = opwright.prod(found, dim, keepdims, dtype=found.dtype)
    return found


@with_own_name(input="x", dim="axis")
def std(
    x: Tensor,
    /,
    *,
    axis: _Axis = None,
    correction: float = 0.0,
    keepdims: bool = False,
) -> Tensor:
    """The standard deviation along `axis`: by how many `correction` lessens their number."""
    x, dims, keepdims = _over(x, axis, keepdims)
    return opwright.std(x, dims, correction=correction, keepdim=keepdims)


@with_own_name(input="x", dim="axis")
def sum(
    x: Tensor,
    /,
    *,
    axis: _Axis = None,
    dtype: _C.dtype | None = None,
    keepdims: bool = False,
) -> Tensor:
    """The sum along `axis`; integers have 64 bits unless there is a `dtype`."""
    x, dims, keepdims = _over(x, axis, keepdims)
    return opwright.sum(x, dims, keepdims, dtype=summed_dtype(x.dtype) if dtype is None else dtype)


@with_own_name(input="x", dim="axis")
def var(
    x: Tensor,
    /,
    *,
    axis: _Axis = None,
    correction: float = 0.0,
    keepdims: bool = False,
) -> Tensor:
    """The variance along `axis`: by how many `correction` lessens the number of elements."""
    x, dims, keepdims = _over(x, axis, keepdims)
    return opwright.var(x, dims, correction=correction, keepdim=keepdims)


def _over(x: Tensor, axis: _Axis, keepdims: bool) -> tuple[Tensor, _Axis, bool]:
    """What to reduce, over which dimensions, and whether to keep them.

    Where there is no dimension to reduce, another one of one element is.
    """
    return (x.unsqueeze(-1), -1, False) if axis == () else (x, axis, keepdims)
