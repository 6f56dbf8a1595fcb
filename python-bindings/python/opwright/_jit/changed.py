# ruff: noqa: RUF005 - the language unpacks tuples in calls only
# Bodies are typed by the compiler.
# mypy: disallow-untyped-defs=False, disallow-untyped-decorators=False, disallow-untyped-calls=False
"""Functions of numpy that take out, insert and write elements, and add rims to arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import types
from .errors import TypingError
from .joined import fronted
from .operators import Arg, array, axis_of, body, known, row, scalar_type


def _is_array(value: Any) -> bool:
    return isinstance(getattr(value, "ty", None), types.Array)


def _along(a: Any, axis: Any) -> int | None:
    """The dimension that an argument names; None is all elements in order."""
    at = known(axis, "axis")
    if at is None:
        return 0 if a.ty.ndim == 1 else None
    return axis_of(at, a.ty.ndim)


@body
def _without(axis: int, ndim: int, is_number: bool, is_mask: bool) -> Any:
    order, _ = fronted(ndim, axis)

    def marked(n, obj):
        """Which items go."""
        gone = np.zeros(n, np.bool_)
        if is_number:
            if not -n <= obj < n:
                raise IndexError("index is out of bounds for axis with that size")
            gone[obj] = True
        elif is_mask:
            if obj.size != n:
                raise ValueError("boolean array argument obj to delete must be one-dimensional")
            gone[:] = obj
        else:
            for at in obj:
                gone[at] = True
        return gone

    def along(arr, obj):
        source = arr.transpose(order)
        gone = marked(source.shape[0], obj)
        kept = source.shape[0] - np.count_nonzero(gone)
        out = np.empty((arr.shape[:axis] + (kept,) + arr.shape[axis + 1 :]), arr.dtype)
        view = out.transpose(order)
        at = 0
        for i in range(source.shape[0]):
            if not gone[i]:
                view[at] = source[i]
                at += 1
        return out

    return along


@body
def _without_flat(is_number: bool, is_mask: bool) -> Any:
    one = _without(0, 1, is_number, is_mask)
    return lambda arr, obj: one(arr.ravel(), obj)


@row
def delete(arr: Any, obj: Any, axis: Any = None) -> Any:
    arr, at = array(arr), _along(array(arr), axis)
    is_mask = _is_array(obj) and isinstance(obj.ty.dtype, types.Boolean)
    if _is_array(obj) and (obj.ty.ndim != 1 or not (is_mask or _is_whole(obj.ty.dtype))):
        raise TypingError("delete() takes an index, or a list of indices or truth values")
    if not _is_array(obj) and not _is_whole(obj.ty):
        raise TypingError(f"delete() takes an index or an array of indices, not {obj.ty}")
    if at is None:
        return _without_flat(not _is_array(obj), is_mask), (arr, obj)
    return _without(at, arr.ty.ndim, not _is_array(obj), is_mask), (arr, obj)


def _is_whole(ty: Any) -> bool:
    return isinstance(ty, types.Integer)


def place_of(n, at):
    """Return where an item is inserted, from the start."""
    if not -n <= at <= n:
        raise IndexError("index is out of bounds for axis with that size")
    return at + n if at < 0 else at


@body
def _with(axis: int, ndim: int, is_number: bool, of_each: bool) -> Any:
    """Values inserted along a dimension: where one index or a list of them says."""
    order, _ = fronted(ndim, axis)

    def before_index(arr, obj, values):
        source = arr.transpose(order)
        n = source.shape[0]
        at = place_of(n, obj)
        count = values.size if of_each and ndim == 1 else 1
        out = np.empty((arr.shape[:axis] + (n + count,) + arr.shape[axis + 1 :]), arr.dtype)
        view = out.transpose(order)
        view[:at] = source[:at]
        view[at : at + count] = values
        view[at + count :] = source[at:]
        return out

    def before_each(arr, obj, values):
        source = arr.transpose(order)
        n = source.shape[0]
        places = np.empty(obj.size, np.int64)
        for i in range(obj.size):
            places[i] = place_of(n, obj[i])
        turns = np.argsort(places)
        out = np.empty((arr.shape[:axis] + (n + obj.size,) + arr.shape[axis + 1 :]), arr.dtype)
        view = out.transpose(order)
        at = 0
        for i in range(n + obj.size):
            if at < obj.size and places[turns[at]] == i - at:
                if of_each:
                    view[i] = values[turns[at] if values.shape[0] > 1 else 0]
                else:
                    view[i] = values
                at += 1
            else:
                view[i] = source[i - at]
        return out

    return before_index if is_number else before_each


@body
def _with_flat(is_number: bool, of_each: bool) -> Any:
    one = _with(0, 1, is_number, of_each)
    return lambda arr, obj, values: one(arr.ravel(), obj, values)


@row
def insert(arr: Any, obj: Any, values: Any, axis: Any = None) -> Any:
    arr, at = array(arr), _along(array(arr), axis)
    if _is_array(obj):
        if obj.ty.ndim != 1 or not _is_whole(obj.ty.dtype):
            raise TypingError("insert() takes an index or a list of indices")
    elif not _is_whole(obj.ty):
        raise TypingError(f"insert() takes an index or an array of indices, not {obj.ty}")
    is_number, of_each = not _is_array(obj), _is_array(values)
    if of_each and values.ty.ndim >= (1 if at is None else arr.ty.ndim) + int(arr.ty.ndim == 1):
        raise TypingError("insert() takes a number, or values of one dimension")
    if at is None:
        return _with_flat(is_number, of_each), (arr, obj, values)
    if of_each and arr.ty.ndim > 1 and not is_number:
        raise TypingError("insert() of rows at several places: use np.concatenate")
    return _with(at, arr.ty.ndim, is_number, of_each), (arr, obj, values)


def rim_index(i, n, mode):
    """Return which item stands at a place that may lie outside, or -1 for the constant."""
    if 0 <= i < n:
        return i
    if mode == "constant":
        return -1
    if mode == "edge":
        return 0 if i < 0 else n - 1
    if mode == "wrap":
        return i % n
    if mode == "symmetric":
        at = i % (2 * n)
        return at if at < n else 2 * n - 1 - at
    if n == 1:
        return 0
    at = i % (2 * n - 2)
    return at if at < n else 2 * n - 2 - at


@body
def _padded(axes: tuple[int, ...], ndim: int, mode: str, kind: str, value: Any) -> Any:
    """An array with rims along these dimensions, the first of them here and the others by another.

    `kind` says how the widths come: as one number, as a pair, or as a pair for each dimension.
    """
    axis, rest = axes[0], axes[1:]
    order, _ = fronted(ndim, axis)
    further = _padded(rest, ndim, mode, kind, value) if rest else None

    def once(array, before, after):
        if before < 0 or after < 0:
            raise ValueError("index can't contain negative values")
        source = array.transpose(order)
        n = source.shape[0]
        if n == 0 and mode != "constant" and before + after > 0:
            raise ValueError("can't extend empty axis using modes other than 'constant' or 'empty'")
        shape = array.shape[:axis] + (before + n + after,) + array.shape[axis + 1 :]
        out = np.empty(shape, array.dtype)
        view = out.transpose(order)
        for i in range(before + n + after):
            at = rim_index(i - before, n, mode)
            if at < 0:
                view[i] = value
            else:
                view[i] = source[at]
        return out

    if kind == "number":
        first = lambda array, width: once(array, width, width)  # noqa: E731
    elif kind == "pair":
        first = lambda array, width: once(array, width[0], width[1])  # noqa: E731
    else:
        first = lambda array, width: once(array, width[axis][0], width[axis][1])  # noqa: E731
    if further is None:
        return first
    return lambda array, width: further(first(array, width), width)


@row
def pad(array: Any, pad_width: Any, mode: Any = "constant", constant_values: Any = 0) -> Any:
    a, how = _array(array), known(mode, "mode")
    modes = ("constant", "edge", "reflect", "symmetric", "wrap")
    if how not in modes:
        raise TypingError(f"pad() with mode={how!r}: there are {', '.join(modes)}")
    value = known(constant_values, "constant_values")
    if isinstance(value, tuple):
        raise TypingError("pad() takes one constant value")
    ndim, width = a.ty.ndim, pad_width.ty
    if isinstance(width, types.Integer):
        kind = "number"
    elif not isinstance(width, types.BaseTuple):
        raise TypingError("pad_width is a number, a pair, or a pair for each dimension in a tuple")
    elif all(isinstance(it, types.Integer) for it in width.types):
        kind = {1: "one", 2: "pair"}.get(len(width), "")
    else:
        is_fit = len(width) == ndim and all(
            isinstance(it, types.BaseTuple) and len(it) == 2 for it in width.types
        )
        kind = "pairs" if is_fit else ""
    if kind in ("", "one"):
        raise TypingError("pad_width is a number, a pair, or a pair for each dimension in a tuple")
    return _padded(tuple(range(ndim)), ndim, how, kind, value), (a, pad_width)


_array = array


@body
def _copyto() -> Any:
    def copyto(dst, src):
        dst[...] = src

    return copyto


@row
def copyto(dst: Any, src: Any) -> Any:
    return _copyto(), (array(dst), src)


@body
def _put(is_number: bool, of_each: bool) -> Any:
    def put(a, ind, v):
        if is_number:
            a.flat[ind] = v[0] if of_each else v
        else:
            for i in range(ind.size):
                a.flat[ind.flat[i]] = v.flat[i % v.size] if of_each else v

    return put


@row
def put(a: Any, ind: Any, v: Any) -> Any:
    return _put(not _is_array(ind), _is_array(v)), (array(a), ind, v)


@body
def _place() -> Any:
    def place(arr, mask, vals):
        if arr.size != mask.size:
            raise ValueError("place: mask and data must be the same size")
        at = 0
        for i in range(arr.size):
            if mask.flat[i]:
                if vals.size == 0:
                    raise ValueError("Cannot insert from an empty array!")
                arr.flat[i] = vals.flat[at % vals.size]
                at += 1

    return place


@row
def place(arr: Any, mask: Any, vals: Any) -> Any:
    return _place(), (array(arr), array(mask), array(vals))


@body
def _fill_diagonal(of_each: bool) -> Any:
    def fill_diagonal(a, val):
        for i in range(min(a.shape[0], a.shape[1])):
            a[i, i] = val.flat[i % val.size] if of_each else val

    return fill_diagonal


@row
def fill_diagonal(a: Any, val: Any) -> Any:
    if array(a).ty.ndim != 2:
        raise TypingError("fill_diagonal() takes an array of two dimensions")
    return _fill_diagonal(_is_array(val)), (a, val)


@body
def _extract() -> Any:
    return lambda condition, arr: arr.ravel()[condition.ravel() != 0]


@row
def extract(condition: Any, arr: Any) -> Any:
    return _extract(), (array(condition), array(arr))


@body
def _compress(axis: int | None) -> Any:
    if axis is None:
        return lambda condition, a: np.take(a.ravel(), np.flatnonzero(condition), 0)
    return lambda condition, a: np.take(a, np.flatnonzero(condition), axis)


@row
def compress(condition: Any, a: Any, axis: Any = None) -> Any:
    a = array(a)
    return _compress(_along(a, axis)), (array(condition), a)


@body
def _trim_zeros(front: bool, back: bool) -> Any:
    def trim_zeros(filt):
        first, last = 0, filt.size
        while front and first < last and filt[first] == 0:
            first += 1
        while back and last > first and filt[last - 1] == 0:
            last -= 1
        return filt[first:last]

    return trim_zeros


@row
def trim_zeros(filt: Any, trim: Any = "fb") -> Any:
    ends = known(trim, "trim").lower()
    if array(filt).ty.ndim != 1:
        raise TypingError("trim_zeros() takes an array of one dimension")
    return _trim_zeros("f" in ends, "b" in ends), (filt,)


@body
def _take_along_axis(axis: int, ndim: int) -> Any:
    order, _ = fronted(ndim, axis)

    def take_along_axis(arr, indices):
        for d in range(ndim):
            if d != axis and arr.shape[d] != indices.shape[d]:
                raise IndexError("shape mismatch: indexing arrays could not be broadcast together")
        out = np.empty(indices.shape, arr.dtype)
        source, places, view = arr.transpose(order), indices.transpose(order), out.transpose(order)
        n = source.shape[0]
        flat = source.reshape((n, -1)) if source.size > 0 else source.reshape((n, 0))
        k = places.shape[0]
        wide = places.reshape((k, flat.shape[1]))
        found = np.empty((k, flat.shape[1]), arr.dtype)
        for i in range(k):
            for j in range(flat.shape[1]):
                found[i, j] = flat[wide[i, j], j]
        view[...] = found.reshape(places.shape)
        return out

    return take_along_axis


@row
def take_along_axis(arr: Any, indices: Any, axis: Any = -1) -> Any:
    arr, indices = array(arr), array(indices)
    if arr.ty.ndim != indices.ty.ndim or known(axis, "axis") is None:
        raise TypingError("take_along_axis() takes indices of as many dimensions, and an axis")
    return _take_along_axis(axis_of(axis, arr.ty.ndim), arr.ty.ndim), (arr, indices)


@body
def _select(count: int, dtype: Any) -> Any:
    def select(condlist, choicelist, default):
        found = np.where(condlist[count - 1], choicelist[count - 1], default)
        for i in range(1, count):
            found = np.where(condlist[count - 1 - i], choicelist[count - 1 - i], found)
        return np.asarray(found).astype(dtype)

    return select


@body
def _select_or_zero(count: int, dtype: Any) -> Any:
    one = _select(count, dtype)
    return lambda condlist, choicelist: one(condlist, choicelist, 0)


@row
def select(condlist: Any, choicelist: Any, default: Any = 0) -> Any:
    lists = [it.ty for it in (condlist, choicelist)]
    are_fit = all(
        isinstance(it, types.UniTuple) and isinstance(it.dtype, types.Array) for it in lists
    )
    if not are_fit or len(lists[0]) != len(lists[1]):
        raise TypingError("select() takes two tuples of arrays, of one type and as many each")
    dtype = scalar_type(str(lists[1].dtype.dtype))
    if isinstance(default, Arg):
        return _select(len(lists[0]), dtype), (condlist, choicelist, default)
    return _select_or_zero(len(lists[0]), dtype), (condlist, choicelist)
