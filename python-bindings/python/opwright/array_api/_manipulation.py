"""Functions that change shapes, with the standard's parameters."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

import opwright
from opwright._functions import with_own_name

from ._promotion import result_type

if TYPE_CHECKING:
    from opwright import Tensor

    _Shape = tuple[int, ...] | list[int]


@with_own_name(input="x", size="shape")
def broadcast_to(x: Tensor, /, shape: _Shape) -> Tensor:
    """A view of this shape, in which dimensions of one element are repeated.

    Raises `RuntimeError` if the tensor does not broadcast to it.
    """
    return opwright.broadcast_to(x, shape)


@with_own_name(tensors="arrays", dim="axis")
def concat(arrays: tuple[Tensor, ...] | list[Tensor], /, *, axis: int | None = 0) -> Tensor:
    """The tensors one after the other along `axis`, or without one all elements in a row.

    Raises `ValueError` if there are none.
    """
    if not arrays:
        raise ValueError("concat(): at least one tensor is needed")
    if axis is not None:
        return opwright.concat(arrays, axis)
    dtype = result_type(*arrays)
    return opwright.concat([it.reshape(-1).to(dtype) for it in arrays])


@with_own_name(input="x", dim="axis")
def diff(
    x: Tensor,
    /,
    n: int = 1,
    axis: int = -1,
    prepend: Tensor | None = None,
    append: Tensor | None = None,
) -> Tensor:
    """The differences of neighbours along `axis`, `n` times over.

    Before it `prepend` and `append` are joined to `x`.
    """
    return opwright.diff(x, n, axis, prepend, append)


@with_own_name(input="x", dims="axis")
def flip(x: Tensor, /, *, axis: int | tuple[int, ...] | None = None) -> Tensor:
    """The elements in reverse order along `axis`, along each if there are several, or along all."""
    return opwright.flip(x, _dims(axis, x.ndim))


@with_own_name(input="x")
def reshape(x: Tensor, /, shape: _Shape, *, copy: bool | None = None) -> Tensor:
    """The elements in this shape, of which one size may be -1: what remains.

    The result is a view where it can be one, with `copy` never. Raises `ValueError` if it cannot
    and `copy` is false, and `RuntimeError` if the shape has another number of elements.
    """
    if copy:
        return x.clone().reshape(shape)
    found = opwright.reshape(x, shape)
    if copy is False and x.numel() and found.data_ptr() != x.data_ptr():
        raise ValueError(
            f"reshape(): a copy is needed for shape {list(found.shape)}, which copy=False forbids"
        )
    return found


@with_own_name(input="x", shifts="shift", dims="axis")
def roll(
    x: Tensor,
    /,
    shift: int | tuple[int, ...],
    *,
    axis: int | tuple[int, ...] | None = None,
) -> Tensor:
    """The elements moved by so many places along `axis`, those from the end to the beginning.

    Without `axis` all elements are one row. A shift is for all axes, or there is one for each.
    """
    if axis is None:
        return opwright.roll(x, shift)
    axes = axis if isinstance(axis, tuple) else (axis,)
    shifts = shift if isinstance(shift, tuple) else (shift,) * len(axes)
    return opwright.roll(x, shifts, axes)


@with_own_name(input="x", dim="axis")
def squeeze(x: Tensor, /, axis: int | tuple[int, ...]) -> Tensor:
    """A view without these dimensions, which have one element.

    Raises `ValueError` if one has more.
    """
    axes = _dims(axis, x.ndim)
    if prod(x.shape[it] for it in axes) != 1:
        raise ValueError(
            f"squeeze(): dimensions {axes} of shape {list(x.shape)} have more than one element"
        )
    return opwright.squeeze(x, axes)


@with_own_name(tensors="arrays", dim="axis")
def stack(arrays: tuple[Tensor, ...] | list[Tensor], /, axis: int = 0) -> Tensor:
    """The tensors, which have one shape, side by side along a new dimension `axis`."""
    return opwright.stack(arrays, axis)


def _dims(axis: int | tuple[int, ...] | None, ndim: int) -> tuple[int, ...]:
    if axis is None:
        return tuple(range(ndim))
    return axis if isinstance(axis, tuple) else (axis,)
