# ruff: noqa: RUF005 - the language unpacks tuples in calls only
# Bodies are typed by the compiler.
# mypy: disallow-untyped-defs=False, disallow-untyped-decorators=False, disallow-untyped-calls=False
"""What compiled functions have built in, as far as it is written in their own language.

These are overloads like anyone's; those of others are preferred.
"""

from __future__ import annotations

from typing import Any

from .. import types
from . import elementary as elementary
from . import mathematics
from .errors import TypingError
from .overloads import builtin as _builtin

# The compiler finds what numbers need more than instructions for here.
round_integer = mathematics.round_integer


def __getattr__(name: str) -> Any:
    if not name.startswith("complex_"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from . import complexes

    return getattr(complexes, name)


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
    raise TypingError(f"an index of {index} is not compiled: write a loop")


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
    raise TypingError(f"an index of {index} is not assigned: write a loop")


def _numpy() -> Any:
    import numpy as np

    return np


def with_numpy() -> None:
    """Register what numpy's functions are, once numpy is imported."""
    np = _numpy()

    @_builtin(np.clip)
    def _(a: Any, a_min: Any, a_max: Any) -> Any:
        numbers = all(isinstance(it, types.Number) for it in (a, a_min, a_max))
        return (lambda a, a_min, a_max: min(max(a, a_min), a_max)) if numbers else None

    @_builtin(np.where)
    def _(condition: Any, x: Any, y: Any) -> Any:
        numbers = all(isinstance(it, types.Number | types.Boolean) for it in (condition, x, y))
        return (lambda condition, x, y: x if condition else y) if numbers else None
