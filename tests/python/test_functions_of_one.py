"""Element-wise functions of one argument, with numpy as the oracle."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import opwright
import pytest
from dtypes import ALL, COMPLEX, FLOATS, INTEGERS, ORDERED
from layouts import LAYOUTS, Array, dtype_of, pair

Oracle = Callable[[Array], Any]

SIGNS = [(1, 1), (-1, 1), (1, -1), (-1, -1)]


def sigmoid(x: Array) -> Any:
    return 1 / (1 + np.exp(-x))


def erf(x: Array) -> Any:
    return np.vectorize(math.erf, otypes=[np.float64])(x)


def erfc(x: Array) -> Any:
    return np.vectorize(math.erfc, otypes=[np.float64])(x)


def logit(x: Array) -> Any:
    return np.log(x / (1 - x))


def entr(x: Array) -> Any:
    return np.where(x > 0, -x * np.log(x), np.where(x == 0, 0, -np.inf))


def nan_to_num(x: Array) -> Any:
    return np.nan_to_num(x)


# What takes everything and calculates in floating numbers.
FLOATING: dict[str, Oracle] = {
    "exp": np.exp,
    "exp2": np.exp2,
    "expm1": np.expm1,
    "log": np.log,
    "log2": np.log2,
    "log10": np.log10,
    "log1p": np.log1p,
    "sqrt": np.sqrt,
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "reciprocal": lambda x: 1 / x,
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
    "sinh": np.sinh,
    "cosh": np.cosh,
    "tanh": np.tanh,
    "asinh": np.arcsinh,
    "acosh": np.arccosh,
    "atanh": np.arctanh,
    "sigmoid": sigmoid,
    "sinc": np.sinc,
}

# The same, but not complex numbers.
REAL_FLOATING: dict[str, Oracle] = {
    "erf": erf,
    "erfc": erfc,
    "logit": logit,
    "special.entr": entr,
    "deg2rad": np.deg2rad,
    "rad2deg": np.rad2deg,
}

# What keeps the dtype, and which dtypes it takes.
KEEPING: dict[str, tuple[Oracle, list[str]]] = {
    "neg": (np.negative, INTEGERS + FLOATS + COMPLEX),
    "sign": (np.sign, INTEGERS + FLOATS),
    "floor": (np.floor, INTEGERS + FLOATS),
    "ceil": (np.ceil, INTEGERS + FLOATS),
    "trunc": (np.trunc, INTEGERS + FLOATS),
    "round": (np.round, INTEGERS + FLOATS),
    "frac": (lambda x: x - np.trunc(x), FLOATS),
    "square": (np.square, INTEGERS + FLOATS + COMPLEX),
    "bitwise_not": (np.invert, ["bool", *INTEGERS]),
    "positive": (np.positive, INTEGERS + FLOATS + COMPLEX),
    "conj_physical": (np.conj, ALL),
    "nan_to_num": (nan_to_num, ALL),
}

QUESTIONS: dict[str, tuple[Oracle, list[str]]] = {
    "isnan": (np.isnan, ALL),
    "isinf": (np.isinf, ALL),
    "isfinite": (np.isfinite, ALL),
    "isposinf": (np.isposinf, ORDERED),
    "isneginf": (np.isneginf, ORDERED),
    "isreal": (np.isreal, ALL),
    "signbit": (np.signbit, ["int8", "int64", *FLOATS]),
    "logical_not": (np.logical_not, ALL),
}


def function(name: str) -> Callable[..., Any]:
    module, _, base = name.rpartition(".")
    found: Callable[..., Any] = getattr(getattr(opwright, module) if module else opwright, base)
    return found


# Relative and absolute.
TOLERANCES = {
    "float16": (2e-3, 2e-3),
    "float32": (2e-6, 1e-6),
    "complex64": (2e-5, 2e-5),
    "float64": (1e-13, 1e-14),
    "complex128": (1e-11, 1e-12),
}


def expect(actual: Any, expected: Any, dtype: str) -> None:
    assert dtype_of(actual) == dtype
    with np.errstate(all="ignore"):
        cast = np.asarray(expected).astype(dtype)
    assert tuple(actual.shape) == cast.shape
    rtol, atol = TOLERANCES.get(dtype, (0, 0))
    np.testing.assert_allclose(actual.numpy(), cast, rtol=rtol, atol=atol)


def wide(values: Array) -> Array:
    """In double precision, so that the oracle has more digits than we."""
    complex_or_not = np.complex128 if values.dtype.kind == "c" else np.float64
    return values.astype(complex_or_not)


def default(dtype: str) -> str:
    """What integers become if a floating number is needed."""
    return "float32" if np.dtype(dtype).kind in "bui" else dtype


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", [*FLOATING, *REAL_FLOATING])
def test_floating(name: str, layout: str, rng: np.random.Generator) -> None:
    oracle = {**FLOATING, **REAL_FLOATING}[name]
    for dtype in ALL if name in FLOATING else ORDERED:
        values, x = pair(rng, dtype, layout)
        expect(function(name)(x), oracle(wide(values)), default(dtype))


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", KEEPING)
def test_keeping_the_dtype(name: str, layout: str, rng: np.random.Generator) -> None:
    oracle, dtypes = KEEPING[name]
    for dtype in dtypes:
        values, x = pair(rng, dtype, layout)
        expect(function(name)(x), oracle(values), dtype)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", QUESTIONS)
def test_questions(name: str, layout: str, rng: np.random.Generator) -> None:
    oracle, dtypes = QUESTIONS[name]
    for dtype in dtypes:
        values, x = pair(rng, dtype, layout)
        if values.dtype.kind in "fc" and layout not in ("stretched", "single"):
            values.flat[:3] = [np.nan, np.inf, -np.inf][: values.size]
        expect(function(name)(x), oracle(values), "bool")


# Where the inverse functions of numpy itself are inexact, or signs of zeros are a matter of taste.
DISPUTED = {"log1p", "sinc", "rsqrt", "sigmoid", "reciprocal", "tan", "exp2", "log2", "log10"}


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("name", [it for it in FLOATING if it not in DISPUTED])
def test_far_complex_numbers(name: str) -> None:
    inverse = name.startswith("a") or name in ("log", "log1p", "sqrt")
    far = [1e150, 1e-150, 30, 1e5] if inverse else [1e-150, 30, 1e5]
    values = np.array(
        [complex(a * s, b * t) for a in far for b in [1.5, *far[:2]] for s, t in SIGNS]
    )
    with np.errstate(all="ignore"):
        expected = FLOATING[name](values)
    actual = function(name)(opwright.from_numpy(values)).numpy()
    for part in (np.real, np.imag):
        np.testing.assert_allclose(part(actual), part(expected), rtol=1e-9, atol=1e-300)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_magnitudes_and_angles(layout: str, rng: np.random.Generator) -> None:
    for dtype in ALL[1:]:
        values, x = pair(rng, dtype, layout)
        real = {"complex64": "float32", "complex128": "float64"}.get(dtype, dtype)
        expect(opwright.abs(x), np.abs(values), real)
        expect(abs(x), np.abs(values), real)
        expect(opwright.angle(x), np.angle(wide(values)), default(real))
        expect(opwright.real(x), values.real, real)
        if dtype in COMPLEX:
            expect(opwright.imag(x), values.imag, real)
            expect(opwright.sgn(x), values / np.abs(values), dtype)


@pytest.mark.parametrize("decimals", [-2, -1, 0, 1, 3])
def test_decimals(decimals: int, rng: np.random.Generator) -> None:
    values = rng.normal(0, 100, 50)
    x = opwright.from_numpy(values)
    expect(opwright.round(x, decimals=decimals), np.round(values, decimals), "float64")


def test_many_decimals() -> None:
    x = opwright.tensor([1.5, -1e30, float("inf")])
    assert opwright.equal(opwright.round(x, decimals=40), x)
    assert opwright.round(x, decimals=-60).tolist() == [0.0, 0.0, float("inf")]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("name", sorted({*FLOATING, *KEEPING, "abs", "erf"} - {"positive"}))
def test_out_and_in_place(name: str, rng: np.random.Generator) -> None:
    values, x = pair(rng, "float32" if name != "bitwise_not" else "int32", "transposed")
    expected = function(name)(x)
    out = opwright.empty(0, dtype=expected.dtype)
    assert function(name)(x, out=out) is out
    np.testing.assert_array_equal(out.numpy(), expected.numpy())
    copy = x.clone()
    assert getattr(copy, name + "_")() is copy
    np.testing.assert_array_equal(copy.numpy(), expected.numpy().astype(values.dtype))


@pytest.mark.parametrize("name", [*FLOATING, *REAL_FLOATING, *KEEPING, *QUESTIONS, "abs", "angle"])
def test_meta(name: str) -> None:
    dtype = opwright.int16 if name == "bitwise_not" else opwright.float16
    x = opwright.empty(2, 3, dtype=dtype, device="meta")
    result = function(name)(x)
    assert tuple(result.shape) == (2, 3)
    assert result.device.type == "meta"
    assert result.dtype == (opwright.bool if name in QUESTIONS else dtype)


@pytest.mark.parametrize("name", ["exp", "sin", "sqrt", "sigmoid", "neg", "floor", "abs"])
def test_bfloat16_is_calculated_in_float32(name: str, rng: np.random.Generator) -> None:
    x = opwright.from_numpy(rng.random(100).astype("float32")).bfloat16()
    expected = function(name)(x.float()).bfloat16()
    assert opwright.equal(function(name)(x), expected)


def test_what_is_refused() -> None:
    truth = opwright.tensor([True, False])
    numbers = opwright.tensor([1, 2])
    imaginary = opwright.tensor([1j])
    calls: list[Callable[[], Any]] = [lambda: -truth, lambda: +truth, numbers.sqrt_]
    for call in calls:
        with pytest.raises(RuntimeError):
            call()
    with pytest.raises(TypeError):
        ~opwright.tensor([1.5])
    calls = [
        lambda: opwright.floor(truth),
        lambda: opwright.floor(imaginary),
        lambda: opwright.erf(imaginary),
        lambda: opwright.frac(numbers),
        lambda: opwright.abs(truth),
    ]
    for call in calls:
        with pytest.raises(NotImplementedError):
            call()
    with pytest.raises(RuntimeError, match="result type Float can't be cast"):
        opwright.sin(numbers, out=numbers.clone())


def test_parts_of_complex_numbers_are_views() -> None:
    z = opwright.tensor([1 + 2j, 3 - 4j])
    opwright.real(z).fill_(7)
    opwright.imag(z).neg_()
    np.testing.assert_array_equal(z.numpy(), np.array([7 - 2j, 7 + 4j], "complex64"))
    with pytest.raises(RuntimeError, match="imag is not implemented"):
        opwright.imag(opwright.ones(2))
