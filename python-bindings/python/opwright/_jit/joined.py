# ruff: noqa: RUF005 - the language unpacks tuples in calls only
# Bodies are typed by the compiler.
# mypy: disallow-untyped-defs=False, disallow-untyped-decorators=False, disallow-untyped-calls=False
"""Functions of numpy that put arrays together, repeat them and shift their elements.

Each plan is a function of the language; what has to be known while typing, such as an axis, it
closes over.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import types
from .errors import TypingError
from .operators import Arg, array, axis_of, body, dims_of, known, row, scalar_type


def arrays_of(value: Any, name: str) -> list[Any]:
    """Return the types of the arrays in a tuple."""
    if isinstance(value, Arg) and isinstance(value.ty, types.BaseTuple) and len(value.ty):
        found = list(value.ty.types)
        if all(isinstance(it, types.Array) for it in found):
            return found
    raise TypingError(f"{name}() takes a tuple of arrays")


def common(found: list[Any]) -> Any:
    """Return the dtype that arrays of these types have together."""
    return scalar_type(np.result_type(*[str(it.dtype) for it in found]).name)


def fronted(ndim: int, axis: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the order of dimensions that has one in front, and the order that takes it back."""
    order = (axis, *[it for it in range(ndim) if it != axis])
    return order, tuple(order.index(it) for it in range(ndim))


@body
def _concatenate(axis: int, ndim: int, dtype: Any) -> Any:
    order, _ = fronted(ndim, axis)

    def concatenate(arrays):
        first = arrays[0].shape
        total = 0
        for a in arrays:
            for d in range(ndim):
                if d != axis and a.shape[d] != first[d]:
                    raise ValueError(
                        "all the input array dimensions except for the concatenation axis must "
                        "match exactly"
                    )
            total += a.shape[axis]
        out = np.empty((first[:axis] + (total,) + first[axis + 1 :]), dtype)
        view = out.transpose(order)
        at = 0
        for a in arrays:
            n = a.shape[axis]
            view[at : at + n] = a.transpose(order)
            at += n
        return out

    return concatenate


@body
def _flat(dtype: Any) -> Any:
    def concatenate(arrays):
        total = 0
        for a in arrays:
            total += a.size
        out = np.empty(total, dtype)
        at = 0
        for a in arrays:
            n = a.size
            out[at : at + n] = a.ravel()
            at += n
        return out

    return concatenate


@row
def concatenate(arrays: Any, axis: Any = 0, out: Any = None, dtype: Any = None) -> Any:
    found = arrays_of(arrays, "concatenate")
    dtype = scalar_type(known(dtype, "dtype")) if dtype is not None else common(found)
    if known(axis, "axis") is None:
        return _flat(dtype), (arrays,)
    ndim = found[0].ndim
    if ndim == 0 or any(it.ndim != ndim for it in found):
        raise TypingError("concatenate() takes arrays of the same number of dimensions, not zero")
    return _concatenate(axis_of(axis, ndim), ndim, dtype), (arrays,)


@body
def _stack(axis: int, ndim: int, count: int, dtype: Any) -> Any:
    order, _ = fronted(ndim + 1, axis)

    def stack(arrays):
        first = arrays[0].shape
        out = np.empty((first[:axis] + (count,) + first[axis:]), dtype)
        view = out.transpose(order)
        for at, a in enumerate(arrays):
            if a.shape != first:
                raise ValueError("all input arrays must have the same shape")
            view[at] = a
        return out

    return stack


@row
def stack(arrays: Any, axis: Any = 0) -> Any:
    found = arrays_of(arrays, "stack")
    ndim = found[0].ndim
    if any(it.ndim != ndim for it in found):
        raise TypingError("stack() takes arrays of the same number of dimensions")
    return _stack(axis_of(axis, ndim + 1), ndim, len(found), common(found)), (arrays,)


def _pile(name: str, flat_axis: int | None, axis: int) -> None:
    """A function that stacks arrays of one dimension, and joins those of more."""

    def pile(tup: Any) -> Any:
        found = arrays_of(tup, name)
        if any(it.ndim != found[0].ndim for it in found) or found[0].ndim == 0:
            raise TypingError(f"{name}() takes arrays of the same number of dimensions, not zero")
        if found[0].ndim > 1:
            return concatenate(tup, axis)
        return concatenate(tup, 0) if flat_axis is None else stack(tup, flat_axis)

    row(pile, name)


_pile("vstack", 0, 0)
_pile("row_stack", 0, 0)
_pile("hstack", None, 1)
_pile("column_stack", 1, 1)


@body
def _dstack(count: int, dtype: Any) -> Any:
    flat = _stack(1, 1, count, dtype)

    def dstack(arrays):
        return flat(arrays)[None]

    return dstack


@row
def dstack(tup: Any) -> Any:
    found = arrays_of(tup, "dstack")
    ndim = found[0].ndim
    if any(it.ndim != ndim for it in found) or ndim == 0:
        raise TypingError("dstack() takes arrays of the same number of dimensions, not zero")
    if ndim == 1:
        return _dstack(len(found), common(found)), (tup,)
    return stack(tup, 2) if ndim == 2 else concatenate(tup, 2)


@body
def _append(is_number: bool, dtype: Any) -> Any:
    def append(arr, values):
        n = arr.size
        out = np.empty(n + (1 if is_number else values.size), dtype)
        out[:n] = arr.ravel()
        if is_number:
            out[n] = values
        else:
            out[n:] = values.ravel()
        return out

    return append


@body
def _append_along(axis: int, ndim: int, dtype: Any) -> Any:
    joined = _concatenate(axis, ndim, dtype)
    return lambda arr, values: joined((arr, values))


@row
def append(arr: Any, values: Any, axis: Any = None) -> Any:
    arr, at = array(arr), known(axis, "axis")
    if at is not None:
        found = [arr.ty, array(values).ty]
        if found[0].ndim != found[1].ndim:
            raise TypingError(
                "append() along an axis takes arrays of the same number of dimensions"
            )
        ndim = arr.ty.ndim
        return _append_along(axis_of(at, ndim), ndim, common(found)), (arr, values)
    is_number = not isinstance(values.ty, types.Array)
    added = values.ty if is_number else values.ty.dtype
    dtype = scalar_type(np.result_type(str(arr.ty.dtype), str(added)).name)
    return _append(is_number, dtype), (arr, values)


@body
def _repeat(axis: int, ndim: int, is_number: bool) -> Any:
    order, _ = fronted(ndim, axis)

    def repeat(a, repeats):
        n = a.shape[axis]
        total = 0
        if is_number:
            if repeats < 0:
                raise ValueError("repeats may not contain negative values.")
            total = n * repeats
        else:
            if repeats.size != n and repeats.size != 1:
                raise ValueError("operands could not be broadcast together")
            for i in range(n):
                count = repeats[i if repeats.size > 1 else 0]
                if count < 0:
                    raise ValueError("repeats may not contain negative values.")
                total += count
        out = np.empty((a.shape[:axis] + (total,) + a.shape[axis + 1 :]), a.dtype)
        source, view = a.transpose(order), out.transpose(order)
        at = 0
        for i in range(n):
            count = repeats if is_number else repeats[i if repeats.size > 1 else 0]
            for _ in range(count):
                view[at] = source[i]
                at += 1
        return out

    return repeat


@body
def _repeat_flat(is_number: bool) -> Any:
    one = _repeat(0, 1, is_number)

    def repeat(a, repeats):
        return one(a.ravel(), repeats)

    return repeat


@row
def repeat(a: Any, repeats: Any, axis: Any = None) -> Any:
    a = array(a)
    is_number = not isinstance(repeats.ty, types.Array)
    if known(axis, "axis") is None:
        return _repeat_flat(is_number), (a, repeats)
    return _repeat(axis_of(axis, a.ty.ndim), a.ty.ndim, is_number), (a, repeats)


@body
def _tile(axes: tuple[int, ...], is_number: bool) -> Any:
    """The array repeated along these axes, so often as the numbers in a tuple say."""
    axis, rest = axes[0], axes[1:]
    further = _tile(rest, False) if rest else None

    def once(a, count):
        lead = 1
        for d in range(axis):
            lead *= a.shape[d]
        row = 1
        for d in range(axis, a.ndim):
            row *= a.shape[d]
        count = max(count, 0)
        out = np.empty((lead, count, row), a.dtype)
        source = a.reshape((lead, row))
        for i in range(count):
            out[:, i] = source
        return out.reshape(a.shape[:axis] + (a.shape[axis] * count,) + a.shape[axis + 1 :])

    if is_number:
        return once
    if further is None:
        return lambda a, reps: once(a, reps[0])

    def tile(a, reps):
        return further(once(a, reps[0]), reps[1:])

    return tile


@body
def _tile_raised(ndim: int, more: int, axes: tuple[int, ...], is_number: bool) -> Any:
    ones = (1,) * more
    one = _tile(axes, is_number)

    def tile(A, reps):  # noqa: N803
        return one(A.reshape(ones + A.shape), reps)

    return tile


@row
def tile(A: Any, reps: Any) -> Any:  # noqa: N803
    a = array(A)
    is_number = not isinstance(reps.ty, types.BaseTuple)
    count = 1 if is_number else len(reps.ty)
    if a.ty.ndim + count == 0 or count == 0:
        raise TypingError("tile() takes the numbers of repetitions")
    ndim = max(a.ty.ndim, count)
    axes = tuple(range(ndim - count, ndim))
    return _tile_raised(a.ty.ndim, ndim - a.ty.ndim, axes, is_number), (a, reps)


@body
def _roll(axes: tuple[int, ...], ndim: int, is_number: bool) -> Any:
    order, _ = fronted(ndim, axes[0])
    further = _roll(axes[1:], ndim, False) if axes[1:] else None

    def once(a, shift):
        out = np.empty(a.shape, a.dtype)
        source, view = a.transpose(order), out.transpose(order)
        n = source.shape[0]
        if n > 0:
            k = shift % n
            view[k:] = source[: n - k]
            view[:k] = source[n - k :]
        return out

    if is_number:
        return once
    if further is None:
        return lambda a, shift: once(a, shift[0])

    def roll(a, shift):
        return further(once(a, shift[0]), shift[1:])

    return roll


@body
def _roll_flat() -> Any:
    one = _roll((0,), 1, True)

    def roll(a, shift):
        return one(a.ravel(), shift).reshape(a.shape)

    return roll


@row
def roll(a: Any, shift: Any, axis: Any = None) -> Any:
    a = array(a)
    at = known(axis, "axis")
    count = len(shift.ty) if isinstance(shift.ty, types.BaseTuple) else None
    if at is None:
        if count is not None:
            raise TypingError("roll() by several shifts takes as many axes")
        return _roll_flat(), (a, shift)
    axes = at if isinstance(at, tuple) else (at,)
    if len(axes) != (1 if count is None else count):
        raise TypingError("roll() takes a shift for each axis")
    found = tuple(axis_of(it, a.ty.ndim) for it in axes)
    return _roll(found, a.ty.ndim, count is None), (a, shift)


@row
def flip(m: Any, axis: Any = None) -> Any:
    m, dims = array(m), dims_of(axis)
    return "flip", (m, list(range(m.ty.ndim)) if dims is None else dims)


def _flipped(name: str, axis: int, least: int) -> None:
    def flip(m: Any) -> Any:
        m = array(m)
        if m.ty.ndim < least:
            raise TypingError(f"{name}() takes an array of {least} dimensions or more")
        return "flip", (m, [axis])

    row(flip, name)


_flipped("flipud", 0, 1)
_flipped("fliplr", 1, 2)


@row
def rot90(m: Any, k: Any = 1, axes: Any = (0, 1)) -> Any:
    return "rot90", (array(m), known(k, "k"), list(known(axes, "axes")))


@body
def _outer() -> Any:
    def outer(a, b):
        return a.ravel()[:, None] * b.ravel()[None, :]

    return outer


@row
def outer(a: Any, b: Any) -> Any:
    return _outer(), (array(a), array(b))


@body
def _kron(more_a: int, more_b: int, ndim: int) -> Any:
    ones_a, ones_b = (1,) * more_a, (1,) * more_b

    if ndim == 1:
        return lambda a, b: (a[:, None] * b[None, :]).reshape((a.size * b.size,))

    def kron(a, b):
        a, b = a.reshape(ones_a + a.shape), b.reshape(ones_b + b.shape)
        whole = a[:, None, :, None] * b[None, :, None, :]
        return whole.reshape((a.shape[0] * b.shape[0], a.shape[1] * b.shape[1]))

    return kron


@row
def kron(a: Any, b: Any) -> Any:
    a, b = array(a), array(b)
    ndim = max(a.ty.ndim, b.ty.ndim)
    if min(a.ty.ndim, b.ty.ndim) < 1 or ndim > 2:
        raise TypingError("kron() takes arrays of one or two dimensions")
    return _kron(ndim - a.ty.ndim, ndim - b.ty.ndim, ndim), (a, b)


@body
def _diff(n: int, ndim: int, axis: int, is_bool: bool) -> Any:
    order, back = fronted(ndim, axis)
    further = _diff(n - 1, ndim, axis, is_bool) if n > 1 else None

    def once(a):
        v = a.transpose(order)
        if is_bool:
            return (v[1:] != v[:-1]).transpose(back)
        return (v[1:] - v[:-1]).transpose(back)

    return once if further is None else (lambda a: further(once(a)))


@row
def diff(a: Any, n: Any = 1, axis: Any = -1) -> Any:
    a = array(a)
    times, at = known(n, "n"), axis_of(axis, a.ty.ndim)
    if times < 1:
        raise TypingError("diff() takes a number of differences above zero")
    return _diff(times, a.ty.ndim, at, isinstance(a.ty.dtype, types.Boolean)), (a,)
