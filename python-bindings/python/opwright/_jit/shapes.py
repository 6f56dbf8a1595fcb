# ruff: noqa: RUF005 - the language unpacks tuples in calls only
# Bodies are typed by the compiler.
# mypy: disallow-untyped-defs=False, disallow-untyped-decorators=False, disallow-untyped-calls=False
"""Functions of numpy that give arrays other dimensions, or take them apart."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import types
from .errors import TypingError
from .operators import array, axis_of, body, known, row, scalar_type


@body
def _expanded(axis: int) -> Any:
    return lambda a: a.reshape(a.shape[:axis] + (1,) + a.shape[axis:])


@row
def expand_dims(a: Any, axis: Any) -> Any:
    return _expanded(axis_of(axis, array(a).ty.ndim + 1)), (a,)


@body
def _squeezed(axis: int) -> Any:
    def squeeze(a):
        if a.shape[axis] != 1:
            raise ValueError("cannot select an axis to squeeze out which has size not equal to one")
        return a.reshape(a.shape[:axis] + a.shape[axis + 1 :])

    return squeeze


@row
def squeeze(a: Any, axis: Any = None) -> Any:
    at = known(axis, "axis")
    if at is None:
        raise TypingError("squeeze() takes an axis: the type of the result depends on it")
    return _squeezed(axis_of(at, array(a).ty.ndim)), (a,)


@body
def _moved(order: tuple[int, ...]) -> Any:
    return lambda a: a.transpose(order)


@row
def moveaxis(a: Any, source: Any, destination: Any) -> Any:
    ndim = array(a).ty.ndim
    start, end = axis_of(source, ndim), axis_of(destination, ndim)
    order = [it for it in range(ndim) if it != start]
    order.insert(end, start)
    return _moved(tuple(order)), (a,)


@body
def _atleast(more: int) -> Any:
    ones = (1,) * more
    return lambda a: a.reshape(ones + a.shape)


@row
def atleast_1d(a: Any) -> Any:
    return _atleast(max(0, 1 - array(a).ty.ndim)), (a,)


@row
def atleast_2d(a: Any) -> Any:
    return _atleast(max(0, 2 - array(a).ty.ndim)), (a,)


@body
def _asfortranarray() -> Any:
    return lambda a: a.T.copy().T


@row
def asfortranarray(a: Any, dtype: Any = None) -> Any:
    if known(dtype, "dtype") is not None:
        raise TypingError("asfortranarray() with a dtype: use a.astype(dtype)")
    return _asfortranarray(), (array(a),)


@body
def _broadcast(dtype: Any) -> Any:
    def broadcast_to(array, shape):
        out = np.empty(shape, dtype)
        out[...] = array
        return out

    return broadcast_to


@row
def broadcast_to(array: Any, shape: Any) -> Any:
    element = array.ty.dtype if isinstance(array.ty, types.Array) else array.ty
    return _broadcast(scalar_type(str(element))), (array, shape)


@body
def _parts(axis: int, ndim: int, count: int, at: int, is_even: bool) -> Any:
    """So many views of parts along a dimension, from one of them on, in a tuple."""
    order, back = (axis, *[it for it in range(ndim) if it != axis]), None
    back = tuple(order.index(it) for it in range(ndim))
    further = _parts(axis, ndim, count, at + 1, is_even) if at + 1 < count else None

    def part(ary):
        n = ary.shape[axis]
        if is_even and n % count != 0:
            raise ValueError("array split does not result in an equal division")
        size, more = n // count, n % count
        start = at * size + min(at, more)
        end = start + size + (1 if at < more else 0)
        return ary.transpose(order)[start:end].transpose(back)

    if further is None:
        return lambda ary: (part(ary),)
    return lambda ary: (part(ary),) + further(ary)


def _splitting(name: str, is_even: bool, fixed: Any = None) -> None:
    def split(ary: Any, indices_or_sections: Any, axis: Any = 0) -> Any:
        count, ndim = known(indices_or_sections, "the number of parts"), array(ary).ty.ndim
        if not isinstance(count, int) or count < 1 or ndim == 0:
            raise TypingError(f"{name}() takes an array and a number of parts, which is a constant")
        at = axis if fixed is None else fixed(ndim)
        return _parts(axis_of(at, ndim), ndim, count, 0, is_even), (ary,)

    row(split, name)


_splitting("split", True)
_splitting("array_split", False)
_splitting("vsplit", True, lambda ndim: 0)
_splitting("hsplit", True, lambda ndim: 0 if ndim == 1 else 1)


@body
def _meshgrid(is_xy: bool) -> Any:
    def both(x, y):
        shape = (y.size, x.size) if is_xy else (x.size, y.size)
        first, second = np.empty(shape, x.dtype), np.empty(shape, y.dtype)
        for i in range(shape[0]):
            for j in range(shape[1]):
                first[i, j] = x[j if is_xy else i]
                second[i, j] = y[i if is_xy else j]
        return first, second

    return both


@row
def meshgrid(x: Any, y: Any, indexing: Any = "xy") -> Any:
    how = known(indexing, "indexing")
    if how not in ("xy", "ij") or array(x).ty.ndim != 1 or array(y).ty.ndim != 1:
        raise TypingError("meshgrid() takes two vectors, and 'xy' or 'ij'")
    return _meshgrid(how == "xy"), (x, y)


@body
def _resize() -> Any:
    def resize(a, new_shape):
        out = np.empty(new_shape, a.dtype)
        for i in range(out.size):
            out.flat[i] = a.flat[i % a.size] if a.size > 0 else a.dtype(0)
        return out

    return resize


@row
def resize(a: Any, new_shape: Any) -> Any:
    return _resize(), (array(a), new_shape)


@row
def rollaxis(a: Any, axis: Any, start: Any = 0) -> Any:
    ndim = array(a).ty.ndim
    at, to = axis_of(axis, ndim), known(start, "start")
    to = to + ndim if to < 0 else to
    if not 0 <= to <= ndim:
        raise TypingError(f"start {to} is out of bounds for an array of {ndim} dimensions")
    order = [it for it in range(ndim) if it != at]
    order.insert(to - 1 if at < to else to, at)
    return _moved(tuple(order)), (a,)


@body
def _three(ndim: int) -> Any:
    if ndim == 1:
        return lambda a: a[None, :, None]
    return (lambda a: a[:, :, None]) if ndim == 2 else (lambda a: a)


@row
def atleast_3d(a: Any) -> Any:
    if array(a).ty.ndim == 0:
        return _atleast(3), (a,)
    return _three(a.ty.ndim), (a,)


@row
def dsplit(ary: Any, indices_or_sections: Any) -> Any:
    count = known(indices_or_sections, "the number of parts")
    if array(ary).ty.ndim < 3 or not isinstance(count, int) or count < 1:
        raise TypingError("dsplit() takes an array of three dimensions, and a number of parts")
    return _parts(2, ary.ty.ndim, count, 0, True), (ary,)


@body
def _indices(ndim: int, dtype: Any) -> Any:
    def indices(dimensions):
        out = np.empty((ndim,) + dimensions, dtype)
        for at in np.ndindex(dimensions):
            for d in range(ndim):
                out[(d,) + at] = at[d]
        return out

    return indices


@row
def indices(dimensions: Any, dtype: Any = "int64") -> Any:
    if not isinstance(dimensions.ty, types.BaseTuple):
        raise TypingError("indices() takes extents in a tuple")
    return _indices(len(dimensions.ty), scalar_type(known(dtype, "dtype"))), (dimensions,)
