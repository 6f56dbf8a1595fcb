"""Hand-written loops, which numba compiles if it is installed."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

NUMBA: Any = import_module("numba") if find_spec("numba") is not None else None
prange: Any = range if NUMBA is None else NUMBA.prange


def compiled() -> dict[str, Any]:
    """The loops by name, which compile when they are first called; nothing without numba."""
    if NUMBA is None:
        return {}
    # Sums may be made in another order, as all libraries make them; NaN stays NaN.
    allowed = {"reassoc", "nsz", "contract"}
    parallel = NUMBA.njit(parallel=True, fastmath=allowed)
    serial = NUMBA.njit(fastmath=allowed)
    # Two of places that recur must not be written at once.
    loops = {it.__name__: serial(it) for it in (put, scatter_add)}
    return loops | {it.__name__: parallel(it) for it in PARALLEL}


def truncated(a: Any) -> Any:
    """Each number without its fraction."""
    out = np.empty(a.shape, np.int64)
    for i in prange(a.size):
        out[i] = np.int64(a[i])
    return out


def sums_of_rows(a: Any) -> Any:
    """The sum of each row of four."""
    out = np.empty(a.shape[0], a.dtype)
    for i in prange(a.shape[0]):
        out[i] = a[i, 0] + a[i, 1] + a[i, 2] + a[i, 3]
    return out


def most_of_rows(a: Any) -> Any:
    """The greatest of each row of four."""
    out = np.empty(a.shape[0], a.dtype)
    for i in prange(a.shape[0]):
        out[i] = max(max(a[i, 0], a[i, 1]), max(a[i, 2], a[i, 3]))
    return out


def sums_of_columns(a: Any) -> Any:
    """The sum of each column of four."""
    out = np.empty(a.shape[1], a.dtype)
    for i in prange(a.shape[1]):
        out[i] = a[0, i] + a[1, i] + a[2, i] + a[3, i]
    return out


def less_column(a: Any, column: Any) -> Any:
    """Each column of four, less another."""
    out = np.empty_like(a)
    for i in prange(a.shape[0]):
        for j in range(4):
            out[i, j] = a[i, j] - column[i, 0]
    return out


def by_column(a: Any, column: Any) -> Any:
    """Each column of four, divided by another."""
    out = np.empty_like(a)
    for i in prange(a.shape[0]):
        for j in range(4):
            out[i, j] = a[i, j] / column[i, 0]
    return out


def four_times(column: Any) -> Any:
    """A column, four times side by side."""
    out = np.empty((column.shape[0], 4), column.dtype)
    for i in prange(column.shape[0]):
        for j in range(4):
            out[i, j] = column[i, 0]
    return out


def product(a: Any) -> Any:
    """The product of all."""
    out = a.dtype.type(1)
    for i in prange(a.size):
        out *= a[i]
    return out


def total(a: Any) -> Any:
    """The sum of all."""
    out = a.dtype.type(0)
    for i in prange(a.size):
        out += a[i]
    return out


def dot(a: Any, b: Any) -> Any:
    """The product of two vectors."""
    out = a.dtype.type(0)
    for i in prange(a.size):
        out += a[i] * b[i]
    return out


def mv(a: Any, x: Any) -> Any:
    """The product of a matrix and a vector."""
    out = np.empty(a.shape[0], a.dtype)
    for i in prange(a.shape[0]):
        line = a.dtype.type(0)
        for j in range(a.shape[1]):
            line += a[i, j] * x[j]
        out[i] = line
    return out


def int_product(a: Any, b: Any) -> Any:
    """The product of two matrices, by rows of the second."""
    out = np.zeros((a.shape[0], b.shape[1]), a.dtype)
    for i in prange(a.shape[0]):
        for k in range(a.shape[1]):
            for j in range(b.shape[1]):
                out[i, j] += a[i, k] * b[k, j]
    return out


def put(a: Any, index: Any, v: Any) -> Any:
    """The array, after values have been written to some places of it."""
    for i in range(index.size):
        a[index[i]] = v[i]
    return a


def scatter_add(a: Any, index: Any, v: Any) -> Any:
    """A copy, to some places of which values are added."""
    out = a.copy()
    for i in range(index.size):
        out[index[i]] += v[i]
    return out


PARALLEL = (
    truncated,
    sums_of_rows,
    most_of_rows,
    sums_of_columns,
    less_column,
    by_column,
    four_times,
    product,
    total,
    dot,
    mv,
    int_product,
)
