# Bodies are typed by the compiler.
# mypy: disallow-untyped-defs=False, disallow-untyped-decorators=False, disallow-untyped-calls=False
"""Functions of numpy over lists of numbers: evenly spaced ones, windows, products, polynomials."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import types
from .errors import TypingError
from .operators import Arg, array, body, known, row, scalar_type
from .ordered import real_type


@body
def _linspace(endpoint: bool, dtype: Any) -> Any:
    def linspace(start, stop, num):
        if num < 0:
            raise ValueError("Number of samples must be non-negative.")
        out = np.empty(num, dtype)
        parts = num - 1 if endpoint else num
        step = (stop - start) / parts if parts > 0 else 0.0
        for i in range(num):
            out[i] = i * step + start
        if endpoint and num > 1:
            out[num - 1] = stop
        return out

    return linspace


@body
def _linspace_of_fifty(endpoint: bool, dtype: Any) -> Any:
    one = _linspace(endpoint, dtype)
    return lambda start, stop: one(start, stop, 50)


@row
def linspace(
    start: Any,
    stop: Any,
    num: Any = 50,
    endpoint: Any = True,
    retstep: Any = False,
    dtype: Any = None,
) -> Any:
    if known(retstep, "retstep"):
        raise TypingError("linspace() with retstep: the step is (stop - start) / (num - 1)")
    name = known(dtype, "dtype")
    made = scalar_type(name if name is not None else "float64")
    is_closed = bool(known(endpoint, "endpoint"))
    if not isinstance(num, Arg):
        return _linspace_of_fifty(is_closed, made), (start, stop)
    return _linspace(is_closed, made), (start, stop, num)


@body
def _convolve(mode: str) -> Any:
    def convolve(a, v):
        if a.size == 0 or v.size == 0:
            raise ValueError("a cannot be empty")
        n, m = a.size, v.size
        whole = np.zeros(n + m - 1, (a[:1] * v[:1]).dtype)
        for i in range(n):
            for j in range(m):
                whole[i + j] += a[i] * v[j]
        if mode == "full":
            return whole
        if mode == "same":
            start = (min(n, m) - 1) // 2
            return whole[start : start + max(n, m)].copy()
        return whole[min(n, m) - 1 : max(n, m)].copy()

    return convolve


def _overlap(name: str, a: Any, v: Any, mode: Any) -> Any:
    """How far two vectors overlap where they are put together, which is known while typing."""
    how = known(mode, "mode")
    if how not in ("full", "same", "valid") or array(a).ty.ndim != 1 or array(v).ty.ndim != 1:
        raise TypingError(f"{name}() takes two vectors, and 'full', 'same' or 'valid'")
    return how


@row
def convolve(a: Any, v: Any, mode: Any = "full") -> Any:
    return _convolve(_overlap("convolve", a, v, mode)), (a, v)


@body
def _interp(of_number: bool) -> Any:
    def one(x, xp, fp):
        n = xp.size
        if n == 0 or fp.size != n:
            raise ValueError("fp and xp are not of the same length.")
        if x != x:
            return float(x)
        if x <= xp[0]:
            return fp[0] / 1
        if x >= xp[n - 1]:
            return fp[n - 1] / 1
        low, high = 0, n - 1
        while high - low > 1:
            middle = (low + high) // 2
            if xp[middle] <= x:
                low = middle
            else:
                high = middle
        slope = (fp[low + 1] - fp[low]) / (xp[low + 1] - xp[low])
        return slope * (x - xp[low]) + fp[low]

    if of_number:
        return one

    def interp(x, xp, fp):
        out = np.empty(x.shape)
        for i in range(x.size):
            out.flat[i] = one(x.flat[i], xp, fp)
        return out

    return interp


@row
def interp(x: Any, xp: Any, fp: Any) -> Any:
    return _interp(not isinstance(x.ty, types.Array)), (x, array(xp), array(fp))


@body
def _power_of(base: float) -> Any:
    return lambda start, stop, num: np.power(base, np.linspace(start, stop, num))


@body
def _power_of_fifty(base: float) -> Any:
    return lambda start, stop: np.power(base, np.linspace(start, stop, 50))


@row
def logspace(start: Any, stop: Any, num: Any = 50, endpoint: Any = True, base: Any = 10.0) -> Any:
    if not known(endpoint, "endpoint"):
        raise TypingError(
            "logspace() without its end: use base ** np.linspace(..., endpoint=False)"
        )
    at = float(known(base, "base"))
    if not isinstance(num, Arg):
        return _power_of_fifty(at), (start, stop)
    return _power_of(at), (start, stop, num)


@body
def _geomspace() -> Any:
    def geomspace(start, stop, num):
        if start == 0 or stop == 0:
            raise ValueError("Geometric sequence cannot include zero")
        if (start < 0) != (stop < 0):
            raise ValueError("Geometric sequence cannot go through zero")
        sign = -1.0 if start < 0 else 1.0
        out = sign * np.power(10.0, np.linspace(math.log10(abs(start)), math.log10(abs(stop)), num))
        if num > 0:
            out[0] = start
        if num > 1:
            out[num - 1] = stop
        return out

    return geomspace


@body
def _geomspace_of_fifty() -> Any:
    one = _geomspace()
    return lambda start, stop: one(start, stop, 50)


@row
def geomspace(start: Any, stop: Any, num: Any = 50) -> Any:
    if not isinstance(num, Arg):
        return _geomspace_of_fifty(), (start, stop)
    return _geomspace(), (start, stop, num)


@body
def _correlate(mode: Any) -> Any:
    def correlate(a, v):
        if a.size == 0 or v.size == 0:
            raise ValueError("neither argument may be empty")
        if v.size > a.size:
            return np.conj(np.convolve(v, np.conj(a[::-1]), mode)[::-1].copy())
        return np.convolve(a, np.conj(v[::-1]), mode)

    return correlate


@row
def correlate(a: Any, v: Any, mode: Any = "valid") -> Any:
    return _correlate(_overlap("correlate", a, v, mode)), (a, v)


@body
def _window(name: str) -> Any:
    def cosines(n, M):  # noqa: N803
        x = math.pi * n / (M - 1)
        if name == "hanning":
            return 0.5 + 0.5 * math.cos(x)
        if name == "hamming":
            return 0.54 + 0.46 * math.cos(x)
        return 0.42 + 0.5 * math.cos(x) + 0.08 * math.cos(2.0 * x)

    def window(M):  # noqa: N803
        if M < 1:
            return np.empty(0)
        out = np.ones(M)
        if M == 1:
            return out
        for i in range(M):
            n = float(1 - M + 2 * i)
            if name == "bartlett":
                out[i] = 1 + n / (M - 1) if n <= 0 else 1 - n / (M - 1)
            else:
                out[i] = cosines(n, M)
        return out

    return window


def _windows(name: str) -> None:
    def window(M: Any) -> Any:  # noqa: N803
        return _window(name), (M,)

    row(window, name)


for _name in ("bartlett", "hanning", "hamming", "blackman"):
    _windows(_name)


@body
def _trapezoid(has_x: bool) -> Any:
    if has_x:

        def of_places(y, x):
            if y.size != x.size:
                raise ValueError("operands could not be broadcast together")
            total = 0.0
            for i in range(y.size - 1):
                total += (x[i + 1] - x[i]) * (y[i + 1] + y[i]) / 2.0
            return total

        return of_places

    def trapezoid(y, dx):
        total = 0.0
        for i in range(y.size - 1):
            total += dx * (y[i + 1] + y[i]) / 2.0
        return total

    return trapezoid


@body
def _trapezoid_of_ones() -> Any:
    one = _trapezoid(False)
    return lambda y: one(y, 1.0)


def _trapezoid_rule(y: Any, x: Any = None, dx: Any = 1.0) -> Any:
    if array(y).ty.ndim != 1:
        raise TypingError("trapezoid() takes an array of one dimension: write a loop over more")
    if isinstance(x, Arg) and isinstance(x.ty, types.Array):
        return _trapezoid(True), (y, x)
    return (_trapezoid(False), (y, dx)) if isinstance(dx, Arg) else (_trapezoid_of_ones(), (y,))


row(_trapezoid_rule, "trapezoid")
row(_trapezoid_rule, "trapz")


@body
def _ediff1d() -> Any:
    def ediff1d(ary):
        flat = ary.ravel()
        return flat[1:] - flat[:-1]

    return ediff1d


@row
def ediff1d(ary: Any) -> Any:
    return _ediff1d(), (array(ary),)


@body
def _polyval(of_number: bool, dtype: Any) -> Any:
    def one(p, x):
        found = dtype(0)
        for c in p:
            found = found * x + c
        return found

    if of_number:
        return one

    def polyval(p, x):
        out = np.empty(x.shape, dtype)
        for i in range(x.size):
            out.flat[i] = one(p, dtype(x.flat[i]))
        return out

    return polyval


@row
def polyval(p: Any, x: Any) -> Any:
    of_number = not isinstance(x.ty, types.Array)
    if array(p).ty.ndim != 1:
        raise TypingError("polyval() takes a vector of coefficients")
    kinds = str(p.ty.dtype), str(x.ty if of_number else x.ty.dtype)
    return _polyval(of_number, scalar_type(np.result_type(*kinds).name)), (p, x)


@body
def _vander(increasing: bool, dtype: Any) -> Any:
    def vander(x, N):  # noqa: N803
        if N < 0:
            raise ValueError("Negative dimensions are not allowed")
        out = np.empty((x.size, N), dtype)
        for i in range(x.size):
            power = dtype(1)
            for j in range(N):
                out[i, j if increasing else N - 1 - j] = power
                power = dtype(power * x[i])
        return out

    return vander


@body
def _square_vander(increasing: bool, dtype: Any) -> Any:
    one = _vander(increasing, dtype)
    return lambda x: one(x, x.size)


@row
def vander(x: Any, N: Any = None, increasing: Any = False) -> Any:  # noqa: N803
    if array(x).ty.ndim != 1:
        raise TypingError("vander() takes a vector")
    is_whole = isinstance(x.ty.dtype, (types.Integer, types.Boolean))
    made = bool(known(increasing, "increasing")), np.int64 if is_whole else real_type(x.ty.dtype)
    if isinstance(N, Arg) and N.ty is not types.none:
        return _vander(*made), (x, N)
    return _square_vander(*made), (x,)


@body
def _unwrap(dtype: Any) -> Any:
    def unwrap(p):
        out = p.astype(dtype)
        turns = 0.0
        for i in range(1, p.size):
            step = dtype(p[i]) - dtype(p[i - 1])
            rest = (step + math.pi) % (2 * math.pi) - math.pi
            if rest == -math.pi and step > 0:
                rest = math.pi
            if abs(step) >= math.pi:
                turns += rest - step
            out[i] = p[i] + turns
        return out

    return unwrap


@row
def unwrap(p: Any) -> Any:
    if array(p).ty.ndim != 1 or isinstance(p.ty.dtype, types.Complex):
        raise TypingError("unwrap() takes a vector of real numbers: write a loop over more")
    return _unwrap(real_type(p.ty.dtype)), (p,)
