# Bodies are typed by the compiler.
# mypy: disallow-untyped-defs=False, disallow-untyped-decorators=False, disallow-untyped-calls=False
"""Functions of numpy that compare elements, pass over what is no number, or count what is true."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import types
from .errors import TypingError
from .operators import Arg, array, body, known, row, scalar_type
from .ordered import median_of, real_type, reduced


@body
def _isclose(equal_nan: bool, rtol: float | None, atol: float | None) -> Any:
    def isclose(a, b, rtol, atol):
        near = np.isfinite(b) & (np.abs(a - b) <= atol + rtol * np.abs(b))
        if equal_nan:
            return near | (a == b) | ((a != a) & (b != b))
        return near | (a == b)

    if rtol is not None and atol is not None:
        return lambda a, b: isclose(a, b, rtol, atol)
    if rtol is not None:
        return lambda a, b, atol: isclose(a, b, rtol, atol)
    if atol is not None:
        return lambda a, b, rtol: isclose(a, b, rtol, atol)
    return isclose


@body
def _as_real(function: Any, count: int) -> Any:
    if count == 2:
        return lambda a, b: function(a / 1, b / 1)
    if count == 3:
        return lambda a, b, c: function(a / 1, b / 1, c)
    return lambda a, b, c, d: function(a / 1, b / 1, c, d)


def _close(a: Any, b: Any, rtol: Any, atol: Any, equal_nan: Any) -> Any:
    given = [it for it in (rtol, atol) if isinstance(it, Arg)]
    sizes = [None if isinstance(it, Arg) else it for it in (rtol, atol)]
    made = _isclose(bool(known(equal_nan, "equal_nan")), *sizes)
    return _as_real(made, 2 + len(given)), (a, b, *given)


@row
def isclose(a: Any, b: Any, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: Any = False) -> Any:
    return _close(a, b, rtol, atol, equal_nan)


@body
def _all_of(function: Any, count: int) -> Any:
    if count == 2:
        return lambda a, b: bool(np.all(np.asarray(function(a, b))))
    if count == 3:
        return lambda a, b, c: bool(np.all(np.asarray(function(a, b, c))))
    return lambda a, b, c, d: bool(np.all(np.asarray(function(a, b, c, d))))


@body
def _bool_of(function: Any, count: int) -> Any:
    if count == 2:
        return lambda a, b: bool(function(a, b))
    if count == 3:
        return lambda a, b, c: bool(function(a, b, c))
    return lambda a, b, c, d: bool(function(a, b, c, d))


@row
def allclose(a: Any, b: Any, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: Any = False) -> Any:
    function, args = _close(a, b, rtol, atol, equal_nan)
    is_array = any(isinstance(it.ty, types.Array) for it in (a, b))
    return (_all_of if is_array else _bool_of)(function, len(args)), args


@body
def _array_equal(is_possible: bool, equal_nan: bool) -> Any:
    if not is_possible:
        return lambda a1, a2: False

    def array_equal(a1, a2):
        if a1.shape != a2.shape:
            return False
        for i in range(a1.size):
            x, y = a1.flat[i], a2.flat[i]
            if x != y and not (equal_nan and x != x and y != y):
                return False
        return True

    return array_equal


@row
def array_equal(a1: Any, a2: Any, equal_nan: Any = False) -> Any:
    a1, a2 = array(a1), array(a2)
    return _array_equal(a1.ty.ndim == a2.ty.ndim, bool(known(equal_nan, "equal_nan"))), (a1, a2)


@body
def _flatnonzero() -> Any:
    def flatnonzero(a):
        count = 0
        for x in a.flat:
            if x != 0:
                count += 1
        out = np.empty(count, np.int64)
        at = 0
        for i in range(a.size):
            if a.flat[i] != 0:
                out[at] = i
                at += 1
        return out

    return flatnonzero


@row
def flatnonzero(a: Any) -> Any:
    return _flatnonzero(), (array(a),)


@body
def _nonzero(ndim: int) -> Any:
    flat = _flatnonzero()

    def split(places, shape, d):
        """The indices of one dimension of places in all elements."""
        below = 1
        for k in range(d + 1, ndim):
            below *= shape[k]
        out = np.empty(places.size, np.int64)
        for i in range(places.size):
            out[i] = places[i] // below % shape[d]
        return out

    if ndim == 1:
        return lambda a: (flat(a),)
    if ndim == 2:

        def nonzero(a):
            places = flat(a)
            return split(places, a.shape, 0), split(places, a.shape, 1)

        return nonzero

    def deep(a):
        places = flat(a)
        return split(places, a.shape, 0), split(places, a.shape, 1), split(places, a.shape, 2)

    return deep


@row
def nonzero(a: Any) -> Any:
    a = array(a)
    if not 1 <= a.ty.ndim <= 3:
        raise TypingError("nonzero() takes an array of one to three dimensions")
    return _nonzero(a.ty.ndim), (a,)


@body
def _argwhere(ndim: int) -> Any:
    one = _nonzero(ndim)

    def argwhere(a):
        places = one(a)
        out = np.empty((places[0].size, ndim), np.int64)
        for d in range(ndim):
            out[:, d] = places[d]
        return out

    return argwhere


@row
def argwhere(a: Any) -> Any:
    a = array(a)
    if not 1 <= a.ty.ndim <= 3:
        raise TypingError("argwhere() takes an array of one to three dimensions")
    return _argwhere(a.ty.ndim), (a,)


def of_list(name: str, make: Any, dtype_of: Any) -> None:
    """Add a function of lists of numbers, over all elements or along one dimension."""

    def function(a: Any, axis: Any = None, keepdims: Any = False) -> Any:
        dtype = dtype_of(array(a).ty.dtype)
        return reduced(make(dtype), a, axis, keepdims, dtype)

    row(function, name)


def _own(ty: Any) -> Any:
    return scalar_type(str(ty))


def _wide(ty: Any) -> Any:
    return np.int64 if isinstance(ty, (types.Integer, types.Boolean)) else _own(ty)


@body
def _count_nonzero(dtype: Any) -> Any:
    def count_nonzero(a):
        count = 0
        for x in a:
            if x != 0:
                count += 1
        return count

    return count_nonzero


@body
def _ptp(dtype: Any) -> Any:
    return lambda a: dtype(a.max() - a.min())


@body
def _nansum(dtype: Any) -> Any:
    def nansum(a):
        whole = a.copy()
        for i in range(a.size):
            if a[i] != a[i]:
                whole[i] = 0
        return dtype(whole.sum())

    return nansum


@body
def _nanmean(dtype: Any) -> Any:
    total = _nansum(dtype)

    def nanmean(a):
        count = 0
        for x in a:
            if x == x:
                count += 1
        return dtype(total(a) / count) if count > 0 else dtype(np.nan)

    return nanmean


@body
def _nanvar(dtype: Any) -> Any:
    mean = _nanmean(dtype)

    def nanvar(a):
        middle = mean(a)
        total = dtype(0)
        count = 0
        for x in a:
            if x == x:
                total += (x - middle) * (x - middle)
                count += 1
        return dtype(total / count) if count > 0 else dtype(np.nan)

    return nanvar


@body
def _nanstd(dtype: Any) -> Any:
    var = _nanvar(dtype)
    return lambda a: dtype(np.sqrt(var(a)))


@body
def _nanextreme(is_max: bool, dtype: Any) -> Any:
    def nanextreme(a):
        if a.size == 0:
            raise ValueError("zero-size array to reduction operation which has no identity")
        best = a[0]
        for x in a:
            if best != best or (x > best if is_max else x < best):
                best = x
        return best

    return nanextreme


of_list("count_nonzero", _count_nonzero, lambda ty: np.int64)
of_list("ptp", _ptp, _own)
of_list("nansum", _nansum, _wide)
of_list("nanmean", _nanmean, real_type)
of_list("nanvar", _nanvar, real_type)
of_list("nanstd", _nanstd, real_type)
of_list("nanmax", lambda dtype: _nanextreme(True, dtype), _own)
of_list("nanmin", lambda dtype: _nanextreme(False, dtype), _own)


@body
def _without_nan(function: Any, dtype: Any) -> Any:
    """A function of a list of numbers, of those that are numbers."""

    def kept(a):
        count = 0
        out = np.empty(a.size, a.dtype)
        for x in a:
            if x == x:
                out[count] = x
                count += 1
        return out[:count].copy()

    return lambda a: function(kept(a))


@body
def _nanmedian(dtype: Any) -> Any:
    return _without_nan(median_of(dtype), dtype)


@body
def _nanprod(dtype: Any) -> Any:
    return _without_nan(_product_of(dtype), dtype)


@body
def _product_of(dtype: Any) -> Any:
    return lambda a: dtype(np.prod(a))


of_list("nanmedian", _nanmedian, real_type)
of_list("nanprod", _nanprod, _wide)


@body
def _nan_quantile(name: str) -> Any:
    one = getattr(np, name)
    kept = _without_nan(_itself(), None)
    return lambda a, q: one(kept(a.ravel()), q)


@body
def _itself() -> Any:
    return lambda a: a


def _nan_quantiles(name: str) -> None:
    def quantile(a: Any, q: Any) -> Any:
        return _nan_quantile(name), (array(a), q)

    row(quantile, f"nan{name}")


_nan_quantiles("percentile")
_nan_quantiles("quantile")


@body
def _nan_running(name: str, fill: int, dtype: Any) -> Any:
    function = getattr(np, name)
    return lambda a: function(np.where(a != a, fill, a).ravel(), dtype=dtype)


def _nan_runnings(name: str, fill: int) -> None:
    def running(a: Any, axis: Any = None) -> Any:
        if known(axis, "axis") is not None and array(a).ty.ndim != 1:
            raise TypingError(
                f"nan{name}() along an axis: np.{name}(np.where(a != a, {fill}, a), axis)"
            )
        return _nan_running(name, fill, _wide(array(a).ty.dtype)), (a,)

    row(running, f"nan{name}")


_nan_runnings("cumsum", 0)
_nan_runnings("cumprod", 1)


@body
def _nanplace(is_max: bool, dtype: Any) -> Any:
    def nanplace(a):
        best = -1
        for i in range(a.size):
            x = a[i]
            if x == x and (best < 0 or (x > a[best] if is_max else x < a[best])):
                best = i
        if best < 0:
            raise ValueError("All-NaN slice encountered")
        return best

    return nanplace


of_list("nanargmax", lambda dtype: _nanplace(True, dtype), lambda ty: np.int64)
of_list("nanargmin", lambda dtype: _nanplace(False, dtype), lambda ty: np.int64)
