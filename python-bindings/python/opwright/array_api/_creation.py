"""Functions that make tensors, with the standard's parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import opwright
from opwright._functions import with_own_name

if TYPE_CHECKING:
    from opwright import Tensor
    from opwright._C import _device, dtype

    _Device = _device | str
    _Shape = int | tuple[int, ...] | list[int]


@with_own_name(end="stop")
def arange(
    start: float,
    /,
    stop: float | None = None,
    step: float = 1,
    *,
    dtype: dtype | None = None,
    device: _Device | None = None,
) -> Tensor:
    """The numbers from `start` to below `stop`, or from 0 to below `start` if that is alone.

    There are none if `step` leads away from `stop`. Raises an error if `step` is 0.
    """
    if stop is None:
        start, stop = 0, start
    if step and (stop - start) / step <= 0:
        # The dtype follows from the kinds of the numbers.
        stop = float(start) if isinstance(stop, float) else start
    return opwright.arange(start, stop, step, dtype=dtype, device=device)


@with_own_name(size="shape")
def empty(shape: _Shape, *, dtype: dtype | None = None, device: _Device | None = None) -> Tensor:
    """A tensor of this shape whose elements are not set."""
    return opwright.empty(_sizes(shape), dtype=dtype, device=device)


@with_own_name(n="n_rows", m="n_cols")
def eye(
    n_rows: int,
    n_cols: int | None = None,
    /,
    *,
    k: int = 0,
    dtype: dtype | None = None,
    device: _Device | None = None,
) -> Tensor:
    """A matrix of zeros with ones on its diagonal, or `k` columns to the right of it."""
    columns = n_rows if n_cols is None else n_cols
    if k == 0:
        return opwright.eye(n_rows, columns, dtype=dtype, device=device)
    made = opwright.zeros((n_rows, columns), dtype=dtype, device=device)
    if -n_rows < k < columns:
        made.diagonal(k).fill_(1)
    return made


@with_own_name(ext_tensor="x")
def from_dlpack(x: object, /, *, device: _Device | None = None, copy: bool | None = None) -> Tensor:
    """A tensor over the memory of an array of any library that speaks DLPack.

    With `copy` it has memory of its own. Raises `ValueError` if `copy` is false and `device` is
    another one.
    """
    found = opwright.from_dlpack(x)
    target = found.device if device is None else opwright.device(device)
    if copy is False and target != found.device:
        raise ValueError(f"from_dlpack(): {found.device} and {target} share no memory")
    return found.to(target, copy=bool(copy))


@with_own_name(size="shape")
def full(
    shape: _Shape,
    fill_value: complex,
    *,
    dtype: dtype | None = None,
    device: _Device | None = None,
) -> Tensor:
    """A tensor of this shape, all of whose elements are a number.

    Without `dtype` it has that of the number.
    """
    return opwright.full(_sizes(shape), fill_value, dtype=dtype, device=device)


@with_own_name(steps="num", end="stop")
def linspace(
    start: complex,
    stop: complex,
    /,
    num: int,
    *,
    dtype: dtype | None = None,
    device: _Device | None = None,
    endpoint: bool = True,
) -> Tensor:
    """So many numbers that are equally far apart, from `start` to `stop`.

    `stop` is not one of them if `endpoint` is false.
    """
    steps = num if endpoint else num + 1
    made: Any = opwright.linspace(start, stop, steps, dtype=dtype, device=device)
    found: Tensor = made if endpoint else made[:num].clone()
    return found


def meshgrid(*arrays: Tensor, indexing: Literal["xy", "ij"] = "xy") -> list[Tensor]:
    """The coordinates of a grid whose axes are the vectors; the first two are swapped as in images.

    With `indexing="ij"` they are not.
    """
    if not arrays:
        return []
    if len(arrays) == 1:
        # One axis is not swapped, and a copy as several are.
        return [arrays[0].clone()]
    return list(opwright.meshgrid(*arrays, indexing=indexing))


@with_own_name(size="shape")
def ones(shape: _Shape, *, dtype: dtype | None = None, device: _Device | None = None) -> Tensor:
    """A tensor of this shape, all of whose elements are 1."""
    return opwright.ones(_sizes(shape), dtype=dtype, device=device)


@with_own_name(input="x")
def tril(x: Tensor, /, *, k: int = 0) -> Tensor:
    """Matrices with zeros above the diagonal that begins `k` columns to the right."""
    return opwright.tril(x, k)


@with_own_name(input="x")
def triu(x: Tensor, /, *, k: int = 0) -> Tensor:
    """Matrices with zeros below the diagonal that begins `k` columns to the right."""
    return opwright.triu(x, k)


@with_own_name(size="shape")
def zeros(shape: _Shape, *, dtype: dtype | None = None, device: _Device | None = None) -> Tensor:
    """A tensor of this shape, all of whose elements are 0."""
    return opwright.zeros(_sizes(shape), dtype=dtype, device=device)


def _sizes(shape: _Shape) -> tuple[int, ...] | list[int]:
    return (shape,) if isinstance(shape, int) else shape
