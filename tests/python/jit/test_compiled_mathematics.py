"""Functions of `math` and `cmath` in compiled functions: CPython's values, within few units."""

from __future__ import annotations

import cmath
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from opwright import jit

MODERATE = st.floats(-50, 50, allow_nan=False)
SPECIAL = (0.0, -0.0, 1.0, -1.0, 0.5, 1e-310, 1e300, -2.5)
OF_ONE = [
    *("sqrt", "exp", "log", "log10", "sin", "cos", "tan", "sinh", "cosh", "tanh"),
    *("asin", "acos", "atan", "asinh", "acosh", "atanh"),
]


def of_one(name: str) -> Any:
    function = getattr(cmath, name)
    return jit(lambda z: function(z))


COMPILED = {name: of_one(name) for name in OF_ONE}


def is_near(found: complex, expected: complex, units: float) -> bool:
    if cmath.isnan(expected):
        return cmath.isnan(found)
    return abs(found - expected) <= units * 2**-52 * abs(expected)


@given(st.sampled_from(OF_ONE), MODERATE, MODERATE)
def test_complex_functions(name: str, x: float, y: float) -> None:
    z = complex(x, y)
    try:
        expected = getattr(cmath, name)(z)
    except ValueError:
        return
    assert is_near(COMPILED[name](z), expected, 16)


@pytest.mark.parametrize("name", OF_ONE)
@pytest.mark.parametrize("x", SPECIAL)
@pytest.mark.parametrize("y", SPECIAL)
def test_complex_functions_where_it_matters(name: str, x: float, y: float) -> None:
    z = complex(x, y)
    try:
        expected = getattr(cmath, name)(z)
    except (ValueError, OverflowError):
        # A pole, or too large: parts that are infinite or no numbers.
        assert not cmath.isfinite(COMPILED[name](z))
        return
    found = COMPILED[name](z)
    assert is_near(found, expected, 32), (z, found, expected)
    for one, other in ((found.real, expected.real), (found.imag, expected.imag)):
        if one == 0.0 and other == 0.0 and abs(x) + abs(y) < 1e10:
            assert math.copysign(1.0, one) == math.copysign(1.0, other), (z, found, expected)


@jit
def others(z, w):
    return (
        cmath.phase(z),
        cmath.polar(z),
        cmath.rect(2.0, 0.5),
        cmath.log(z, 2),
        cmath.isclose(z, w),
        cmath.isnan(z),
        cmath.isfinite(z),
        np.sqrt(z),
        np.exp(z),
    )


def test_other_complex_functions() -> None:
    found, expected = others(1 + 2j, 1 + 2j), others.py_func(1 + 2j, 1 + 2j)
    assert np.allclose(np.array(found[0]), expected[0], rtol=1e-15)
    assert np.allclose(found[1], expected[1], rtol=1e-15)
    for one, other in zip(found[2:], expected[2:], strict=True):
        assert abs(one - other) <= 1e-15 * abs(other)


def test_complex_arrays() -> None:
    z = np.array([1 + 2j, -3j, 0.25])
    assert np.allclose(jit(lambda z: np.exp(z) + np.sqrt(z))(z), np.exp(z) + np.sqrt(z), rtol=1e-15)


@jit
def whole(n, k):
    return (
        math.factorial(k),
        math.comb(n, k),
        math.perm(n, k),
        math.isqrt(n * n + k),
        math.gcd(n, k, 12),
        math.lcm(n, k + 1),
        round(n, -2),
        round(n, 1),
    )


@given(st.integers(0, 10**9), st.integers(0, 6))
def test_functions_of_whole_numbers(n: int, k: int) -> None:
    n %= 10**6 if k < 4 else 500
    assert whole(n, k) == whole.py_func(n, k)


@given(st.integers(-(10**9), 10**9), st.integers(-6, 2))
def test_integers_are_rounded_half_to_even(n: int, digits: int) -> None:
    assert rounded(n, digits) == round(n, digits)


@jit
def rounded(n, digits):
    return round(n, digits)


@jit
def parts(x, y):
    return (
        math.frexp(x),
        math.modf(x),
        math.ulp(x),
        math.isclose(x, y),
        math.isclose(x, y, rel_tol=0.5),
        math.isclose(x, y, abs_tol=1.0),
        math.fsum((x, y, -x, 0.1)),
    )


@given(st.floats(-1e300, 1e300), st.floats(-1e300, 1e300))
def test_functions_of_parts(x: float, y: float) -> None:
    assert parts(x, y) == parts.py_func(x, y)


@given(st.lists(st.floats(-1e100, 1e100), max_size=30))
def test_sums_are_rounded_once(numbers: list[float]) -> None:
    assert exact_sum(np.array(numbers)) == math.fsum(numbers)


@jit
def exact_sum(a):
    return math.fsum(a)


def test_several() -> None:
    f = jit(
        lambda: (math.hypot(1.0, 2.0, 2.0), math.dist((1.0, 2.0), (4.0, 6.0)), math.prod((2, 3)))
    )
    assert f() == (3.0, 5.0, 6)


@pytest.mark.parametrize(
    "call", [lambda: math.factorial(-1), lambda: math.comb(-1, 2), lambda: math.isqrt(-1)]
)
def test_negative_counts_are_refused(call: Any) -> None:
    with pytest.raises(ValueError):
        jit(call)()
