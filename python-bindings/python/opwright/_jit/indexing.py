# ruff: noqa: RUF005 - the language unpacks tuples in calls only
# Bodies are typed by the compiler.
# mypy: disallow-untyped-defs=False, disallow-untyped-decorators=False, disallow-untyped-calls=False
"""Items by arrays of indices and of truth values, what `in` looks through, and what is reversed."""

from __future__ import annotations

import operator
from typing import Any

from .. import types
from .errors import TypingError
from .overloads import builtin as _builtin


def _numpy() -> Any:
    import numpy as np

    return np


def _is_array(ty: Any, ndim: int | None = None) -> bool:
    return isinstance(ty, types.Array) and ndim in (None, ty.ndim)


def _is_mask(ty: Any) -> bool:
    return _is_array(ty) and isinstance(ty.dtype, types.Boolean)


def _is_list(ty: Any) -> bool:
    """Whether a type is that of indices in an array of one dimension."""
    return _is_array(ty, 1) and isinstance(ty.dtype, types.Integer)


def getitem(a: Any, index: Any) -> Any:
    """Stand for `a[index]` with an array as index."""


def setitem(a: Any, index: Any, value: Any) -> Any:
    """Stand for `a[index] = value` with an array as index."""


@_builtin(getitem)
def _getitem(a: Any, index: Any) -> Any:
    np = _numpy()
    if _is_mask(index) and index.ndim == a.ndim:

        def masked(a, index):
            if a.shape != index.shape:
                raise IndexError("boolean index did not match indexed array")
            count = 0
            for m in index.flat:
                if m:
                    count += 1
            out = np.empty(count, a.dtype)
            at = 0
            for i in range(a.size):
                if index.flat[i]:
                    out[at] = a.flat[i]
                    at += 1
            return out

        return masked
    if _is_mask(index) and index.ndim == 1:

        def rows_where(a, index):
            if a.shape[0] != index.shape[0]:
                raise IndexError("boolean index did not match indexed array")
            count = 0
            for m in index:
                if m:
                    count += 1
            out = np.empty(((count,) + a.shape[1:]), a.dtype)
            at = 0
            for i in range(index.shape[0]):
                if index[i]:
                    out[at] = a[i]
                    at += 1
            return out

        return rows_where
    if _is_list(index) and a.ndim == 1:

        def taken(a, index):
            out = np.empty(index.size, a.dtype)
            for i in range(index.size):
                out[i] = a[index[i]]
            return out

        return taken
    if _is_list(index):

        def rows(a, index):
            out = np.empty(((index.size,) + a.shape[1:]), a.dtype)
            for i in range(index.size):
                out[i] = a[index[i]]
            return out

        return rows
    found = _item_of_two(a, index)
    if found is not None:
        return found
    raise TypingError(f"an index of {index} is not compiled: write a loop")


def _two(index: Any) -> Any:
    """What the parts of an index are, if it is of two parts of which one is an array."""

    def kind(ty: Any) -> str:
        if isinstance(ty, types.Integer):
            return "number"
        if isinstance(ty, types.SliceType):
            return "slice"
        if _is_mask(ty) and ty.ndim == 1:
            return "mask"
        return "list" if _is_list(ty) else "other"

    if isinstance(index, types.BaseTuple) and len(index) == 2:
        return tuple(map(kind, index.types))
    return None


def _item_of_two(a: Any, index: Any) -> Any:
    np = _numpy()
    kinds = _two(index)
    if kinds == ("list", "list") and a.ndim == 2:

        def pairs(a, index):
            rows, columns = index
            if rows.size != columns.size:
                raise IndexError("shape mismatch: indexing arrays could not be broadcast together")
            out = np.empty(rows.size, a.dtype)
            for i in range(rows.size):
                out[i] = a[rows[i], columns[i]]
            return out

        return pairs
    return {
        ("slice", "list"): lambda a, index: np.take(a[index[0]], index[1], 1),
        ("slice", "mask"): lambda a, index: np.take(a[index[0]], np.flatnonzero(index[1]), 1),
        ("list", "slice"): lambda a, index: a[index[0]][:, index[1]],
        ("mask", "slice"): lambda a, index: a[index[0]][:, index[1]],
        ("list", "number"): lambda a, index: a[:, index[1]][index[0]],
        ("mask", "number"): lambda a, index: a[:, index[1]][index[0]],
        ("number", "list"): lambda a, index: a[index[0]][index[1]],
        ("number", "mask"): lambda a, index: a[index[0]][index[1]],
    }.get(kinds)


@_builtin(setitem)
def _setitem(a: Any, index: Any, value: Any) -> Any:
    is_number = isinstance(value, types.Number | types.Boolean)
    if _is_mask(index) and index.ndim == a.ndim and is_number:

        def fill(a, index, value):
            if a.shape != index.shape:
                raise IndexError("boolean index did not match indexed array")
            for i in range(a.size):
                if index.flat[i]:
                    a.flat[i] = value

        return fill
    if _is_mask(index) and index.ndim == a.ndim and _is_array(value, 1):

        def spread(a, index, value):
            if a.shape != index.shape:
                raise IndexError("boolean index did not match indexed array")
            at = 0
            for i in range(a.size):
                if index.flat[i]:
                    a.flat[i] = value[at]
                    at += 1

        return spread
    if _is_mask(index) and index.ndim == 1 and a.ndim > 1:
        each_row = _is_array(value) and value.ndim == a.ndim

        def rows_where(a, index, value):
            if a.shape[0] != index.shape[0]:
                raise IndexError("boolean index did not match indexed array")
            at = 0
            for i in range(index.shape[0]):
                if index[i]:
                    if each_row:
                        a[i] = value[at if value.shape[0] > 1 else 0]
                    else:
                        a[i] = value
                    at += 1

        return rows_where
    if _is_list(index) and (is_number or (_is_array(value) and value.ndim == a.ndim - 1)):

        def rows(a, index, value):
            for i in index:
                a[i] = value

        return rows
    if _is_list(index) and _is_array(value) and value.ndim == a.ndim:

        def each(a, index, value):
            if value.shape[0] != index.size:
                raise ValueError("could not broadcast input array to the indices")
            for i in range(index.size):
                a[index[i]] = value[i]

        return each
    found = _assignment_of_two(a, index, value)
    if found is not None:
        return found
    raise TypingError(f"an index of {index} is not assigned: write a loop")


def _assignment_of_two(a: Any, index: Any, value: Any) -> Any:
    kinds = _two(index)
    of_each = _is_array(value)
    if kinds == ("list", "list") and a.ndim == 2 and (not of_each or value.ndim == 1):

        def pairs(a, index, value):
            rows, columns = index
            if rows.size != columns.size:
                raise IndexError("shape mismatch: indexing arrays could not be broadcast together")
            if of_each and value.size not in (1, rows.size):
                raise ValueError("shape mismatch: value array could not be broadcast")
            for i in range(rows.size):
                if of_each:
                    a[rows[i], columns[i]] = value[i if value.size > 1 else 0]
                else:
                    a[rows[i], columns[i]] = value

        return pairs
    if kinds == ("slice", "list") and a.ndim == 2:
        is_table = of_each and value.ndim == 2

        def columns(a, index, value):
            view, numbers = a[index[0]], index[1]
            for k in range(numbers.size):
                if is_table:
                    view[:, numbers[k]] = value[:, k if value.shape[1] > 1 else 0]
                elif of_each:
                    view[:, numbers[k]] = value[k if value.size > 1 else 0]
                else:
                    view[:, numbers[k]] = value

        return columns
    if kinds in (("list", "number"), ("mask", "number")):

        def of_column(a, index, value):
            view = a[:, index[1]]
            view[index[0]] = value

        return of_column
    if kinds in (("number", "list"), ("number", "mask")):

        def of_row(a, index, value):
            view = a[index[0]]
            view[index[1]] = value

        return of_row
    return None


@_builtin(operator.contains)
def _contains(a: Any, b: Any) -> Any:
    is_number = isinstance(b, types.Number | types.Boolean)
    if _is_array(a) and is_number:

        def among(a, b):
            for x in a.flat:  # noqa: SIM110 - there are no generators
                if x == b:
                    return True
            return False

        return among
    if isinstance(a, types.RangeType) and is_number and not isinstance(b, types.Complex):

        def within(a, b):
            start, stop, step, x = a.start, a.stop, a.step, int(b)
            is_between = start <= x < stop if step > 0 else stop < x <= start
            return x == b and is_between and (x - start) % step == 0

        return within
    return None


@_builtin(reversed)
def _reversed(sequence: Any) -> Any:
    if isinstance(sequence, (types.RangeType, types.BaseTuple)) or _is_array(sequence):
        return lambda sequence: sequence[::-1]
    raise TypingError(f"reversed() takes ranges, tuples and arrays, not {sequence}")
