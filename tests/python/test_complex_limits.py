"""Functions of complex numbers at the ends of their range, against annex G of the C standard."""

from __future__ import annotations

import math
from itertools import product
from typing import Any

import numpy as np
import opwright
import pytest
from complex_limits import FUNCTIONS, PARTS, has_free_signs

PRECISIONS: dict[str, tuple[type[np.floating[Any]], float]] = {
    "complex64": (np.float32, 1e-6),
    "complex128": (np.float64, 1e-14),
}


def agrees(actual: float, expected: float, tolerance: float, signless: bool) -> bool:
    """Whether a part of a result is what it should be, up to rounding."""
    if math.isnan(expected):
        return math.isnan(actual)
    if signless and (expected == 0 or math.isinf(expected)):
        return abs(actual) == abs(expected)
    if expected == 0 or math.isinf(expected):
        return actual == expected and math.copysign(1, actual) == math.copysign(1, expected)
    return math.isclose(actual, expected, rel_tol=tolerance, abs_tol=1e-44)


@pytest.mark.parametrize("dtype", PRECISIONS)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_ends_of_the_range_are_as_the_standard_says(name: str, dtype: str) -> None:
    part, tolerance = PRECISIONS[dtype]
    wrong = []
    for re, im in product(PARTS, PARTS):
        z = complex(part(re), part(im))
        value = opwright.tensor([z], dtype=getattr(opwright, dtype))
        actual = complex(getattr(opwright, name)(value).item())
        expected = FUNCTIONS[name](z)
        signless = has_free_signs(name, z, expected)
        with np.errstate(over="ignore", under="ignore"):
            rounded = [float(part(it)) for it in (expected.real, expected.imag)]
        fits = [
            agrees(a, b, tolerance, signless)
            for a, b in zip((actual.real, actual.imag), rounded, strict=True)
        ]
        if not all(fits):
            wrong.append(f"{name}({z}) is {actual}, not {expected}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_conjugates_give_conjugates(name: str) -> None:
    rng = np.random.default_rng(5)
    z = rng.normal(size=200) * 10.0 ** rng.integers(-8, 4, 200)
    z = z + 1j * rng.normal(size=200) * 10.0 ** rng.integers(-8, 4, 200)
    function = getattr(opwright, name)
    there, back = function(opwright.tensor(z.conj())), function(opwright.tensor(z)).conj()
    np.testing.assert_array_equal(np.asarray(there), np.asarray(back))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_between_the_ends_digits_are_right(name: str) -> None:
    rng = np.random.default_rng(7)
    for _ in range(300):
        re, im = rng.normal(size=2) * 10.0 ** rng.integers(-6, 2, 2)
        z = complex(re, im)
        actual = getattr(opwright, name)(opwright.tensor(z, dtype=opwright.complex128)).item()
        expected = FUNCTIONS[name](z)
        # One part may be the difference of larger numbers, of which the other tells.
        assert abs(actual - expected) <= 1e-13 * abs(expected), (z, actual, expected)


def test_the_result_overflows_no_sooner_than_it_has_to() -> None:
    def of(name: str, z: complex) -> complex:
        return complex(getattr(opwright, name)(opwright.tensor(z, dtype=opwright.complex128)))

    assert of("exp", 710 + 1.5707963j).imag == math.inf
    assert math.isfinite(of("exp", 709.9 + 1.5707963j).real)
    assert math.isclose(of("sinh", 710 + 1j).real, math.cos(1) * math.exp(709) * math.e / 2)
    assert math.isclose(of("sqrt", 1.7e308 + 1.7e308j).imag, 5.9336e153, rel_tol=1e-4)
    assert math.isclose(of("log", 1.7e308 + 1.7e308j).real, math.log(1.7e308) + math.log(2) / 2)
    assert math.isclose(of("log", 5e-324 + 5e-324j).real, -744.0935, rel_tol=1e-6)
    assert math.isclose(of("sqrt", 5e-324 + 0j).real, 5e-324**0.5)
    assert of("log1p", -1 + 1e-30j).real == math.log(1e-30)


def test_powers_of_infinity_are_infinite() -> None:
    z = opwright.tensor([complex(math.inf, 0), 0j, 2j], dtype=opwright.complex128)
    assert opwright.pow(z, 3.0).tolist() == [complex(math.inf, 0), 0, pytest.approx(-8j)]
    assert opwright.pow(z, 0).tolist() == [1, 1, 1]
    assert opwright.pow(z, -2.0).tolist()[0] == 0
