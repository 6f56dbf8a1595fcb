# ruff: noqa: RUF005 - the language unpacks tuples in calls only
# Bodies are typed by the compiler.
# mypy: disallow-untyped-defs=False, disallow-untyped-decorators=False, disallow-untyped-calls=False
"""`np.take`: items by one index or an array of them, over all elements or along a dimension."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import types
from .errors import TypingError
from .operators import body
from .overloads import builtin


@body
def _flat(of_number: bool) -> Any:
    if of_number:
        return lambda a, indices, axis=None: a.ravel()[indices]

    def take(a, indices, axis=None):
        flat = a.ravel()
        out = np.empty(indices.shape, a.dtype)
        for i in range(indices.size):
            out.flat[i] = flat[indices.flat[i]]
        return out

    return take


@body
def _along(axis: int, ndim: int, of_number: bool) -> Any:
    at = axis
    order = (at, *[it for it in range(ndim) if it != at])
    if of_number:
        return lambda a, indices, axis=None: a.transpose(order)[indices].copy()

    def take(a, indices, axis=None):
        out = np.empty((a.shape[:at] + (indices.size,) + a.shape[at + 1 :]), a.dtype)
        source, view = a.transpose(order), out.transpose(order)
        for i in range(indices.size):
            view[i] = source[indices[i]]
        return out

    return take


@builtin(np.take, prefer_literal=True)
def _take(a: Any, indices: Any, axis: Any = None) -> Any:
    if not isinstance(a, types.Array):
        return None
    of_number = not isinstance(indices, types.Array)
    if axis is None or axis is types.none:
        return _flat(of_number)
    at = getattr(axis, "literal_value", None)
    if not isinstance(at, int):
        raise TypingError("axis has to be known while typing: the type of the result depends on it")
    if not -a.ndim <= at < a.ndim:
        raise TypingError(f"axis {at} is out of bounds for an array of {a.ndim} dimensions")
    if a.ndim == 1:
        return _flat(of_number)
    if not of_number and indices.ndim != 1:
        raise TypingError("take() along an axis takes a list of indices")
    return _along(at % a.ndim, a.ndim, of_number)
