# Bodies are typed by the compiler.
# mypy: disallow-untyped-defs=False, disallow-untyped-decorators=False, disallow-untyped-calls=False
"""Functions of numpy that sort, search and count: what is no number stands last."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import types
from .errors import TypingError
from .joined import fronted
from .operators import Arg, array, axis_of, body, known, row, scalar_type


def real_type(ty: Any) -> Any:
    """Return the dtype of quotients of numbers of a type."""
    return scalar_type(str(ty) if isinstance(ty, (types.Float, types.Complex)) else "float64")


def is_less(a, b):
    """Whether a number stands before another."""
    return a < b or (b != b and a == a)


def place_in(a, v, is_right):
    """Return where a number goes into sorted ones: before equal ones, or behind them."""
    low, high = 0, a.size
    while low < high:
        middle = (low + high) // 2
        goes_up = not is_less(v, a[middle]) if is_right else is_less(a[middle], v)
        if goes_up:
            low = middle + 1
        else:
            high = middle
    return low


@body
def _sort_flat() -> Any:
    return lambda a: np.sort(a.ravel(), axis=0)


@row
def sort(a: Any, axis: Any = -1, kind: Any = None) -> Any:
    a, at = array(a), known(axis, "axis")
    if at is None:
        return _sort_flat(), (a,)
    return "sort.stable", (a, True, axis_of(at, a.ty.ndim), False), 1


@body
def _argsort_flat() -> Any:
    return lambda a: np.argsort(a.ravel(), axis=0)


@row
def argsort(a: Any, axis: Any = -1, kind: Any = None) -> Any:
    a, at = array(a), known(axis, "axis")
    if at is None:
        return _argsort_flat(), (a,)
    return "argsort.stable", (a, True, axis_of(at, a.ty.ndim), False)


@body
def along_columns(one: Any, axis: int, ndim: int, keepdims: bool, dtype: Any) -> Any:
    """A function of lists of numbers for each list along a dimension."""
    order, _ = fronted(ndim, axis)
    ones = (1,) if keepdims else ()

    def along(a):
        n = a.shape[axis]
        count = 1
        for d in range(ndim):
            if d != axis:
                count *= a.shape[d]
        rows = a.transpose(order).reshape((n, count))
        out = np.empty(count, dtype)
        for i in range(count):
            out[i] = one(rows[:, i])
        return out.reshape(a.shape[:axis] + ones + a.shape[axis + 1 :])

    return along


@body
def _of_all(one: Any, ndim: int, keepdims: bool, dtype: Any) -> Any:
    ones = (1,) * ndim
    if not keepdims:
        return lambda a: one(a.ravel())

    def of_all(a):
        out = np.empty(ones, dtype)
        out.fill(one(a.ravel()))
        return out

    return of_all


def reduced(one: Any, a: Any, axis: Any, keepdims: Any, dtype: Any) -> Any:
    """Return the plan of a function of lists of numbers over all elements or one dimension."""
    a, at, keeps = array(a), known(axis, "axis"), bool(known(keepdims, "keepdims"))
    if at is not None:
        at = axis_of(at, a.ty.ndim)
    if at is None or a.ty.ndim == 1:
        return _of_all(one, a.ty.ndim, keeps, dtype), (a,)
    return along_columns(one, at, a.ty.ndim, keeps, dtype), (a,)


@body
def median_of(dtype: Any) -> Any:
    def median(a):
        n = a.size
        if n == 0:
            return dtype(np.nan)
        ordered = np.sort(a)
        last = ordered[n - 1]
        if last != last:
            return dtype(np.nan)
        if n % 2 == 1:
            return dtype(ordered[n // 2])
        return dtype((ordered[n // 2 - 1] + ordered[n // 2]) / 2)

    return median


@row
def median(
    a: Any,
    axis: Any = None,
    out: Any = None,
    overwrite_input: Any = False,
    keepdims: Any = False,
) -> Any:
    dtype = real_type(array(a).ty.dtype)
    return reduced(median_of(dtype), a, axis, keepdims, dtype)


@body
def _quantile(scale: float, of_number: bool) -> Any:
    def one(ordered, q):
        n = ordered.size
        if not 0 <= q / scale <= 1:
            raise ValueError("quantiles must be in the range from 0 to 1")
        if n == 0 or ordered[n - 1] != ordered[n - 1]:
            return np.nan
        at = (n - 1) * (q / scale)
        low = int(at)
        t = at - low
        a, b = ordered[low] / 1, ordered[min(low + 1, n - 1)] / 1
        return a + (b - a) * t if t < 0.5 else b - (b - a) * (1 - t)

    if of_number:
        return lambda a, q: one(np.sort(a.ravel()), q)

    def quantiles(a, q):
        ordered = np.sort(a.ravel())
        out = np.empty(q.shape)
        for i in range(q.size):
            out.flat[i] = one(ordered, q.flat[i])
        return out

    return quantiles


def _quantiles(name: str, scale: float) -> None:
    def quantile(a: Any, q: Any) -> Any:
        return _quantile(scale, not isinstance(q.ty, types.Array)), (array(a), q)

    row(quantile, name)


_quantiles("quantile", 1.0)
_quantiles("percentile", 100.0)


@body
def _unique(index: bool, inverse: bool, counts: bool) -> Any:
    def places(flat):
        """Where equal numbers begin in their order, and that order."""
        order = np.argsort(flat)
        n = flat.size
        starts = np.empty(n, np.int64)
        count = 0
        for i in range(n):
            x = flat[order[i]]
            before = flat[order[max(i - 1, 0)]]
            is_same = x == before or (x != x and before != before)
            if i == 0 or not is_same:
                starts[count] = i
                count += 1
        return order, starts[:count]

    def values(flat, order, starts):
        out = np.empty(starts.size, flat.dtype)
        for k in range(starts.size):
            out[k] = flat[order[starts[k]]]
        return out

    def firsts(order, starts):
        out = np.empty(starts.size, np.int64)
        for k in range(starts.size):
            out[k] = order[starts[k]]
        return out

    def groups(order, starts):
        out = np.empty(order.size, np.int64)
        for k in range(starts.size):
            end = starts[k + 1] if k + 1 < starts.size else order.size
            for i in range(starts[k], end):
                out[order[i]] = k
        return out

    def sizes(order, starts):
        out = np.empty(starts.size, np.int64)
        for k in range(starts.size):
            out[k] = (starts[k + 1] if k + 1 < starts.size else order.size) - starts[k]
        return out

    def unique(ar):
        flat = ar.ravel()
        order, starts = places(flat)
        found = (values(flat, order, starts),)
        first = (firsts(order, starts),) if index else ()
        group = (groups(order, starts).reshape(ar.shape),) if inverse else ()
        size = (sizes(order, starts),) if counts else ()
        return found + first + group + size

    if not (index or inverse or counts):
        return lambda ar: unique(ar)[0]
    return unique


@row
def unique(
    ar: Any, return_index: Any = False, return_inverse: Any = False, return_counts: Any = False
) -> Any:
    flags = [
        bool(known(it, "what unique() returns"))
        for it in (return_index, return_inverse, return_counts)
    ]
    return _unique(*flags), (array(ar),)


@body
def _searchsorted(is_right: bool, of_number: bool) -> Any:
    if of_number:
        return lambda a, v: place_in(a, v, is_right)

    def searchsorted(a, v):
        out = np.empty(v.shape, np.int64)
        for i in range(v.size):
            out.flat[i] = place_in(a, v.flat[i], is_right)
        return out

    return searchsorted


def _list(a: Any, name: str) -> Any:
    if array(a).ty.ndim != 1:
        raise TypingError(f"{name}() takes an array of one dimension, not {a.ty}")
    return a


@row
def searchsorted(a: Any, v: Any, side: Any = "left") -> Any:
    at = known(side, "side")
    if at not in ("left", "right"):
        raise TypingError(f"side is 'left' or 'right', not {at!r}")
    of_number = not isinstance(v.ty, types.Array)
    return _searchsorted(at == "right", of_number), (_list(a, "searchsorted"), v)


@body
def _digitize(is_right: bool, of_number: bool) -> Any:
    up = _searchsorted(not is_right, of_number)
    down = _searchsorted(is_right, of_number)

    def digitize(x, bins):
        if bins.size > 1 and bins[0] > bins[bins.size - 1]:
            return bins.size - down(bins[::-1].copy(), x)
        return 0 + up(bins, x)

    return digitize


@row
def digitize(x: Any, bins: Any, right: Any = False) -> Any:
    of_number = not isinstance(x.ty, types.Array)
    return _digitize(bool(known(right, "right")), of_number), (x, _list(bins, "digitize"))


@body
def _bincount(dtype: Any, has_weights: bool) -> Any:
    def bincount(x, minlength, weights):
        top = -1
        for v in x:
            if v < 0:
                raise ValueError("'list' argument must have no negative elements")
            top = max(top, int(v))
        if minlength < 0:
            raise ValueError("'minlength' must not be negative")
        out = np.zeros(max(top + 1, minlength), dtype)
        if has_weights and weights.size != x.size:
            raise ValueError("The weights and list don't have the same length.")
        for i in range(x.size):
            out[x[i]] += weights[i] if has_weights else 1
        return out

    if has_weights:
        return bincount
    return lambda x, minlength: bincount(x, minlength, None)


@body
def _bincount_short(dtype: Any, has_weights: bool) -> Any:
    long = _bincount(dtype, has_weights)
    return (lambda x, weights: long(x, 0, weights)) if has_weights else (lambda x: long(x, 0))


@row
def bincount(x: Any, weights: Any = None, minlength: Any = 0) -> Any:
    x = _list(x, "bincount")
    if not isinstance(x.ty.dtype, (types.Integer, types.Boolean)):
        raise TypingError("bincount() counts integers: use astype")
    has_weights = isinstance(weights, Arg) and isinstance(weights.ty, types.Array)
    dtype = np.float64 if has_weights else np.int64
    more = (weights,) if has_weights else ()
    if isinstance(minlength, Arg):
        return _bincount(dtype, has_weights), (x, minlength, *more)
    return _bincount_short(dtype, has_weights), (x, *more)


def equal_bins(a, edges, first, last, bins):
    """Return how many numbers are in each of so many bins of one width, as numpy has it."""
    counts = np.zeros(bins, np.int64)
    for x in a.flat:
        if not (first <= x <= last):
            continue
        at = min(int((x - first) / (last - first) * bins), bins - 1)
        if x < edges[at]:
            at -= 1
        elif at != bins - 1 and x >= edges[at + 1]:
            at += 1
        counts[at] += 1
    return counts


@body
def _histogram(has_range: bool) -> Any:
    def histogram(a, bins, first, last):
        if bins < 1:
            raise ValueError("`bins` must be positive, when an integer")
        if not has_range:
            first, last = 0.0, 1.0
            if a.size > 0:
                first, last = float(a.min()), float(a.max())
        if first > last:
            raise ValueError("max must be larger than min in range parameter.")
        if not np.isfinite(first) or not np.isfinite(last):
            raise ValueError("the range of the bins is not finite")
        if first == last:
            first, last = first - 0.5, last + 0.5
        edges = np.linspace(first, last, bins + 1)
        return equal_bins(a, edges, first, last, bins), edges

    if has_range:
        return lambda a, bins, range: histogram(a, bins, float(range[0]), float(range[1]))
    return lambda a, bins: histogram(a, bins, 0.0, 1.0)


@body
def _histogram_of_ten() -> Any:
    one = _histogram(False)
    return lambda a: one(a, 10)


@body
def _histogram_by_edges() -> Any:
    def histogram(a, bins):
        counts = np.zeros(bins.size - 1, np.int64)
        for i in range(bins.size - 1):
            if bins[i] > bins[i + 1]:
                raise ValueError("`bins` must increase monotonically, when an array")
        last = bins[bins.size - 1]
        for x in a.flat:
            if bins[0] <= x <= last:
                at = bins.size - 2 if x == last else place_in(bins, x, True) - 1
                counts[at] += 1
        return counts, bins

    return histogram


@row
def histogram(a: Any, bins: Any = 10, range: Any = None) -> Any:
    a = array(a)
    if not isinstance(bins, Arg):
        if isinstance(range, Arg) and known(range, "range") is not None:
            raise TypingError("histogram() with a range takes the number of bins, too")
        return _histogram_of_ten(), (a,)
    if isinstance(bins.ty, types.Array):
        return _histogram_by_edges(), (a, _list(bins, "histogram"))
    has_range = isinstance(range, Arg) and isinstance(range.ty, types.BaseTuple)
    return _histogram(has_range), (a, bins, range) if has_range else (a, bins)


# Whole order is a partition, too.
@row
def partition(a: Any, kth: Any, axis: Any = -1) -> Any:
    return sort(a, axis)


@row
def argpartition(a: Any, kth: Any, axis: Any = -1) -> Any:
    return argsort(a, axis)
