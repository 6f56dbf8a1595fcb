# Bodies are typed by the compiler.
# mypy: disallow-untyped-defs=False, disallow-untyped-decorators=False, disallow-untyped-calls=False
"""Functions of `math` that are no instructions: of whole numbers, of several, of parts."""

from __future__ import annotations

import math
from typing import Any

from .. import types
from .overloads import builtin


def _is_number(ty: Any) -> bool:
    return isinstance(ty, (types.Integer, types.Float, types.Boolean))


def _is_whole(ty: Any) -> bool:
    return isinstance(ty, (types.Integer, types.Boolean))


def round_integer(value, digits):
    """Return an integer rounded to digits in front of the point, half to even."""
    if digits >= 0:
        return value
    if digits < -18:
        return 0
    unit = 10 ** (-digits)
    whole, rest = value // unit, value % unit
    above = unit - rest
    if rest > above or (rest == above and whole % 2 == 1):
        whole += 1
    return whole * unit


@builtin(math.isclose)
def _isclose(a: Any, b: Any, *, rel_tol: Any = 1e-09, abs_tol: Any = 0.0) -> Any:
    def isclose(a, b, *, rel_tol=1e-09, abs_tol=0.0):
        if rel_tol < 0.0 or abs_tol < 0.0:
            raise ValueError("tolerances must be non-negative")
        x, y = float(a), float(b)
        if x == y:
            return True
        if math.isinf(x) or math.isinf(y):
            return False
        distance = abs(x - y)
        return distance <= abs(rel_tol * y) or distance <= abs(rel_tol * x) or distance <= abs_tol

    return isclose if _is_number(a) and _is_number(b) else None


@builtin(math.factorial)
def _factorial(x: Any) -> Any:
    def factorial(x):
        if x < 0:
            raise ValueError("factorial() not defined for negative values")
        product = 1
        for i in range(2, x + 1):
            product *= i
        return product

    return factorial if _is_whole(x) else None


def _check_counts(n, k):
    if n < 0 or k < 0:
        raise ValueError("n and k must be non-negative integers")


@builtin(math.comb)
def _comb(n: Any, k: Any) -> Any:
    def comb(n, k):
        _check_counts(n, k)
        if k > n:
            return 0
        product = 1
        for i in range(min(k, n - k)):
            # Divided first by what is common, so that only a result too large wraps.
            by = i + 1
            common = math.gcd(product, by)
            product = product // common * ((n - i) // (by // common))
        return product

    return comb if _is_whole(n) and _is_whole(k) else None


@builtin(math.perm)
def _perm(n: Any, k: Any = None) -> Any:
    def product(n, count):
        _check_counts(n, count)
        found = 1 if count <= n else 0
        for i in range(count if count <= n else 0):
            found *= n - i
        return found

    if not _is_whole(n):
        return None
    if _is_whole(k):
        return lambda n, k=None: product(n, k)
    return lambda n, k=None: product(n, n)


@builtin(math.isqrt)
def _isqrt(n: Any) -> Any:
    def isqrt(n):
        if n < 0:
            raise ValueError("isqrt() argument must be nonnegative")
        root = min(int(math.sqrt(float(n))), 3037000499)
        while root * root > n:
            root -= 1
        while root < 3037000499 and (root + 1) * (root + 1) <= n:
            root += 1
        return root

    return isqrt if _is_whole(n) else None


@builtin(math.frexp)
def _frexp(x: Any) -> Any:
    def frexp(x):
        part, exponent = float(x), 0
        if part == 0.0 or not math.isfinite(part):
            return part, 0
        while abs(part) >= 1.0:
            part *= 0.5
            exponent += 1
        while abs(part) < 0.5:
            part *= 2.0
            exponent -= 1
        return part, exponent

    return frexp if _is_number(x) else None


@builtin(math.modf)
def _modf(x: Any) -> Any:
    def modf(x):
        wide = float(x)
        if math.isinf(wide):
            return math.copysign(0.0, wide), wide
        fraction = math.copysign(math.fmod(wide, 1.0), wide)
        return fraction, math.copysign(wide - fraction, wide)

    return modf if _is_number(x) else None


@builtin(math.ulp)
def _ulp(x: Any) -> Any:
    def ulp(x):
        wide = abs(float(x))
        if not math.isfinite(wide):
            return wide
        above = math.nextafter(wide, math.inf)
        return wide - math.nextafter(wide, 0.0) if math.isinf(above) else above - wide

    return ulp if _is_number(x) else None


@builtin(math.dist)
def _dist(p: Any, q: Any) -> Any:
    def dist(p, q):
        if len(p) != len(q):
            raise ValueError("both points must have the same number of dimensions")
        total = 0.0
        for a, b in zip(p, q):  # noqa: B905
            total = math.hypot(total, a - b)
        return total

    return dist


@builtin(math.prod)
def _prod(iterable: Any, *, start: Any = 1) -> Any:
    def prod(iterable, *, start=1):
        found = start
        for x in iterable:
            found *= x
        return found

    return prod


@builtin(math.hypot)
def _hypot(*coordinates: Any) -> Any:
    def hypot(*coordinates):
        total = 0.0
        for x in coordinates:
            total = math.hypot(total, x)
        return total

    return None if len(coordinates) == 2 else hypot


@builtin(math.gcd)
def _gcd(*integers: Any) -> Any:
    def gcd(*integers):
        found = 0
        for x in integers:
            found = math.gcd(found, x)
        return found

    return None if len(integers) == 2 else gcd


@builtin(math.lcm)
def _lcm(*integers: Any) -> Any:
    def lcm(*integers):
        found = 1
        for x in integers:
            found = math.lcm(found, x)
        return found

    return None if len(integers) == 2 else lcm


@builtin(math.fsum)
def _fsum(seq: Any) -> Any:
    import numpy as np

    def fsum(seq):
        """By J. Shewchuk, 1997: partial sums that do not overlap, from the least."""
        partials = np.empty(64)
        count = 0
        special = 0.0
        for item in seq:
            x = float(item)
            if not math.isfinite(x):
                special += x
                continue
            kept = 0
            for i in range(count):
                y = partials[i]
                if abs(x) < abs(y):
                    x, y = y, x
                high = x + y
                low = y - (high - x)
                if low != 0.0:
                    partials[kept] = low
                    kept += 1
                x = high
            if not math.isfinite(x):
                raise OverflowError("intermediate overflow in fsum")
            partials[kept] = x
            count = kept + 1
        if special != 0.0:
            return special
        return _rounded(partials, count)

    return fsum


def _rounded(partials, count):
    """Return the sum of numbers that do not overlap, rounded once, half to even."""
    if count == 0:
        return 0.0
    at = count - 1
    high = partials[at]
    low = 0.0
    while at > 0 and low == 0.0:
        at -= 1
        x, y = high, partials[at]
        high = x + y
        low = y - (high - x)
    if at > 0 and (low < 0.0) == (partials[at - 1] < 0.0) and low != 0.0 and partials[at - 1] != 0:
        twice = low * 2.0
        further = high + twice
        if twice == further - high:
            high = further
    return high
