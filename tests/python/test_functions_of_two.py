"""Arithmetic, comparison, logic and bits, with numpy as the oracle."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import opwright
import pytest
from dtypes import ALL, COMPLEX, FLOATS, INTEGERS, ORDERED
from layouts import LAYOUTS, Array, dtype_of, numbers, pair
from test_functions_of_one import default, expect, function, wide

Oracle = Callable[[Array, Array], Any]


def floor_divide(a: Array, b: Array) -> Any:
    return np.floor_divide(a, b)


def trunc_divide(a: Array, b: Array) -> Any:
    if a.dtype.kind == "f":
        return np.trunc(a / b)
    quotient = np.abs(a.astype("int64")) // np.abs(b.astype("int64"))
    return quotient * np.sign(a.astype("int64")) * np.sign(b.astype("int64"))


# What gives the common dtype, which dtypes it takes, and whether zero divisors do.
KEEPING: dict[str, tuple[Oracle, list[str], bool]] = {
    "add": (np.add, ALL, True),
    "sub": (np.subtract, ALL[1:], True),
    "mul": (np.multiply, ALL, True),
    "floor_divide": (floor_divide, INTEGERS + FLOATS, False),
    "remainder": (np.remainder, INTEGERS + FLOATS, False),
    "fmod": (np.fmod, INTEGERS + FLOATS, False),
    "maximum": (np.maximum, ["bool", *INTEGERS, *FLOATS], True),
    "minimum": (np.minimum, ["bool", *INTEGERS, *FLOATS], True),
    "fmax": (np.fmax, ["bool", *INTEGERS, *FLOATS], True),
    "fmin": (np.fmin, ["bool", *INTEGERS, *FLOATS], True),
    "bitwise_and": (np.bitwise_and, ["bool", *INTEGERS], True),
    "bitwise_or": (np.bitwise_or, ["bool", *INTEGERS], True),
    "bitwise_xor": (np.bitwise_xor, ["bool", *INTEGERS], True),
    "gcd": (np.gcd, INTEGERS, True),
    "lcm": (np.lcm, INTEGERS, True),
    "hypot": (np.hypot, FLOATS, True),
    "logaddexp": (np.logaddexp, FLOATS, True),
    "logaddexp2": (np.logaddexp2, FLOATS, True),
}

FLOATING: dict[str, tuple[Oracle, list[str]]] = {
    "div": (np.true_divide, ALL),
    "atan2": (np.arctan2, ORDERED),
    "copysign": (np.copysign, ORDERED),
    "xlogy": (lambda x, y: np.where(x == 0, 0, x * np.log(y)), ORDERED),
    "special.xlog1py": (lambda x, y: np.where(x == 0, 0, x * np.log1p(y)), ORDERED),
}

QUESTIONS: dict[str, tuple[Oracle, list[str]]] = {
    "eq": (np.equal, ALL),
    "ne": (np.not_equal, ALL),
    "lt": (np.less, ORDERED),
    "le": (np.less_equal, ORDERED),
    "gt": (np.greater, ORDERED),
    "ge": (np.greater_equal, ORDERED),
    "logical_and": (np.logical_and, ALL),
    "logical_or": (np.logical_or, ALL),
    "logical_xor": (np.logical_xor, ALL),
}

OPERATORS: list[Callable[[Any, Any], Any]] = [
    operator.add,
    operator.sub,
    operator.mul,
    operator.truediv,
    operator.floordiv,
    operator.mod,
    operator.pow,
    operator.and_,
    operator.or_,
    operator.xor,
    operator.lshift,
    operator.rshift,
    operator.lt,
    operator.le,
    operator.eq,
    operator.ne,
    operator.gt,
    operator.ge,
]

IN_PLACE: list[Callable[[Any, Any], Any]] = [
    operator.iadd,
    operator.isub,
    operator.imul,
    operator.ifloordiv,
    operator.imod,
    operator.ipow,
    operator.iand,
    operator.ior,
    operator.ixor,
    operator.ilshift,
    operator.irshift,
]


def without_zeros(values: Array) -> Array:
    values[values == 0] = 3
    return values


def operands(
    rng: np.random.Generator, dtype: str, layout: str, zeros: bool
) -> tuple[Array, Array, Any, Any]:
    """Two operands, the second of which is stretched to the first."""
    a, x = pair(rng, dtype, layout)
    b = numbers(rng, dtype, a.shape[-1:])
    if not zeros:
        b = np.asarray(without_zeros(np.atleast_1d(b))[: b.size]).reshape(b.shape)
    return a, b, x, opwright.from_numpy(b)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", KEEPING)
def test_keeping_the_dtype(name: str, layout: str, rng: np.random.Generator) -> None:
    oracle, dtypes, zeros = KEEPING[name]
    for dtype in dtypes:
        a, b, x, y = operands(rng, dtype, layout, zeros)
        expect(function(name)(x, y), oracle(a, b), dtype)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", FLOATING)
def test_floating(name: str, layout: str, rng: np.random.Generator) -> None:
    oracle, dtypes = FLOATING[name]
    for dtype in dtypes:
        a, b, x, y = operands(rng, dtype, layout, True)
        expect(function(name)(x, y), oracle(wide(a), wide(b)), default(dtype))


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", QUESTIONS)
def test_questions(name: str, layout: str, rng: np.random.Generator) -> None:
    oracle, dtypes = QUESTIONS[name]
    for dtype in dtypes:
        a, b, x, y = operands(rng, dtype, layout, True)
        expect(function(name)(x, y), oracle(a, b), "bool")
        expect(function(name)(x, x), oracle(a, a), "bool")


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("dtype", INTEGERS + FLOATS + COMPLEX)
def test_powers(dtype: str, rng: np.random.Generator) -> None:
    a = numbers(rng, dtype, (5, 7))
    b = np.abs(numbers(rng, dtype, (7,))).astype(dtype)
    x, y = opwright.from_numpy(a), opwright.from_numpy(b)
    expect(opwright.pow(x, y), np.power(a, b), dtype)
    for exponent in [0, 1, 2, 3, 5]:
        expect(x**exponent, np.power(a, np.asarray(exponent, dtype)), dtype)
    for base in [0, 1, 2]:
        expect(base**y, np.power(np.asarray(base, dtype), b), dtype)
    if dtype in FLOATS + COMPLEX:
        for fraction in [0.5, -1, -2, -0.5, 1.5]:
            expect(x**fraction, np.power(wide(a), fraction), dtype)
    expect(opwright.float_power(x, 3), np.power(wide(a), 3), str(wide(a).dtype))


def test_a_modulus_is_refused() -> None:
    x: Any = opwright.tensor([2, 3])
    assert pow(x, 2, None).tolist() == [4, 9]
    for base, exponent, modulus in [(x, 2, 3), (2, x, 3), (x, x, x), (x, 2, 0)]:
        with pytest.raises(TypeError, match="unsupported operand"):
            pow(base, exponent, modulus)
    assert x.__pow__(2, 3) is NotImplemented
    assert x.__rpow__(2, 3) is NotImplemented
    with pytest.raises(TypeError, match="positional"):
        opwright.pow(x, 2, 3)  # type: ignore[call-overload]


@pytest.mark.parametrize("mode", [None, "trunc", "floor"])
@pytest.mark.parametrize("dtype", INTEGERS + FLOATS)
def test_rounded_quotients(mode: str | None, dtype: str, rng: np.random.Generator) -> None:
    a, b = numbers(rng, dtype, (50,)), without_zeros(numbers(rng, dtype, (50,)))
    quotient = opwright.div(opwright.from_numpy(a), opwright.from_numpy(b), rounding_mode=mode)
    oracles: dict[str | None, Oracle] = {
        None: np.true_divide,
        "trunc": trunc_divide,
        "floor": floor_divide,
    }
    expect(quotient, oracles[mode](a, b), default(dtype) if mode is None else dtype)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("op", OPERATORS)
def test_operators_take_numbers_on_both_sides(op: Callable[[Any, Any], Any]) -> None:
    a = np.array([[1, 2, 3], [4, 5, 6]])
    t = opwright.from_numpy(a)
    np.testing.assert_allclose(op(t, 2).numpy(), op(a, 2), rtol=1e-6)
    np.testing.assert_allclose(op(2, t).numpy(), op(2, a), rtol=1e-6)
    np.testing.assert_allclose(op(t, t).numpy(), op(a, a), rtol=1e-6)
    if op not in (operator.eq, operator.ne):
        with pytest.raises(TypeError):
            op(t, "text")
        with pytest.raises(TypeError):
            op(None, t)


@pytest.mark.parametrize("op", IN_PLACE)
def test_operators_in_place(op: Callable[[Any, Any], Any]) -> None:
    for other in [2, np.array([1, 2, 3])]:
        a = np.array([[1, 2, 3], [4, 5, 6]])
        t = opwright.from_numpy(a.copy())
        result = op(t, other if isinstance(other, int) else opwright.from_numpy(other))
        assert result is t
        np.testing.assert_array_equal(t.numpy(), op(a, other))


def test_true_division_in_place() -> None:
    t = opwright.tensor([3.0, 5.0])
    t /= 2
    np.testing.assert_array_equal(t.numpy(), [1.5, 2.5])
    whole = opwright.tensor([3, 5])
    with pytest.raises(RuntimeError, match="can't be cast"):
        whole /= 2


@pytest.mark.parametrize("dtype", INTEGERS)
def test_shifts(dtype: str) -> None:
    bits = np.dtype(dtype).itemsize * 8
    values = np.array([1, 5, 100, 127], dtype)
    if dtype != "uint8":
        values = np.concatenate([values, -values])
    t = opwright.from_numpy(values)
    for by in range(bits):
        np.testing.assert_array_equal((t << by).numpy(), values << np.asarray(by, dtype))
        np.testing.assert_array_equal((t >> by).numpy(), values >> np.asarray(by, dtype))
    assert (t << bits).numpy().tolist() == [0] * len(values)
    assert (t >> bits).numpy().tolist() == [-1 if it < 0 else 0 for it in values]
    assert (t << -1).numpy().tolist() == [0] * len(values)


@pytest.mark.parametrize("a", ALL)
@pytest.mark.parametrize("b", ALL)
def test_mixed_dtypes(a: str, b: str, rng: np.random.Generator) -> None:
    """Both operands are brought to the common dtype before anything is calculated."""
    values, others = numbers(rng, a, (3, 4)), numbers(rng, b, (4,))
    x, y = opwright.from_numpy(values), opwright.from_numpy(others)
    if {a, b} & {"uint64"} and {a, b} & {"int8", "int16", "int32", "int64"}:
        with pytest.raises(RuntimeError, match="no integer dtype holds the values of both"):
            x + y
        return
    common = dtype_of(x + y)
    assert common == str(opwright.promote_types(x.dtype, y.dtype)).rpartition(".")[2]
    assert opwright.result_type(x, y) == (x + y).dtype
    expect(x + y, values.astype(common) + others.astype(common), common)
    expect(x == y, values.astype(common) == others.astype(common), "bool")


@pytest.mark.parametrize("op", [operator.floordiv, operator.mod, opwright.fmod])
@pytest.mark.parametrize("dtype", INTEGERS)
def test_integers_are_not_divided_by_zero(op: Callable[[Any, Any], Any], dtype: str) -> None:
    t = opwright.ones(3, dtype=getattr(opwright, dtype))
    with pytest.raises(RuntimeError, match="integers cannot be divided by zero"):
        op(t, 0)
    with pytest.raises(RuntimeError, match="integers cannot be divided by zero"):
        op(t, opwright.tensor([1, 0, 1], dtype=t.dtype if dtype == "uint64" else None))
    least = opwright.tensor([-(2 ** (8 * t.itemsize - 1)) if t.dtype.is_signed else 0]).to(t.dtype)
    assert op(least, -1).dtype == t.dtype


def test_a_number_wraps_to_the_dtype_first() -> None:
    t = opwright.tensor([100], dtype=opwright.uint8)
    assert (t // 300).item() == 100 // 44
    with pytest.raises(RuntimeError, match="integers cannot be divided by zero"):
        t % 256
    assert (t + 300).item() == 144
    assert not (t == 356).item()


def test_alpha() -> None:
    a, b = opwright.tensor([1.0, 2.0]), opwright.tensor([10.0, 20.0])
    assert opwright.add(a, b, alpha=2).tolist() == [21.0, 42.0]
    assert opwright.sub(a, b, alpha=0.5).tolist() == [-4.0, -8.0]
    assert opwright.rsub(a, b, alpha=2).tolist() == [8.0, 16.0]
    whole = opwright.tensor([1, 2])
    wrong = {1.5: "must not be a floating", True: "Boolean alpha", 1j: "must not be"}
    for alpha, message in wrong.items():
        with pytest.raises(RuntimeError, match=message):
            opwright.add(whole, whole, alpha=alpha)


def test_overlap_in_place() -> None:
    t = opwright.arange(6.0)
    t.add_(t)
    assert t.tolist() == [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]
    with pytest.raises(RuntimeError, match="single memory location"):
        t[1:].add_(t[:-1])
    with pytest.raises(RuntimeError):
        opwright.ones(1).expand(3).add_(1)


def test_shapes_that_do_not_fit() -> None:
    a, b = opwright.ones(2, 3), opwright.ones(4)
    with pytest.raises(RuntimeError, match=r"add\(\).*must match the size of tensor b \(4\)"):
        opwright.add(a, b)
    with pytest.raises(RuntimeError, match="doesn't match the broadcast shape"):
        opwright.ones(3).mul_(a)


@pytest.mark.parametrize("name", [*KEEPING, *FLOATING, *QUESTIONS, "pow"])
def test_meta(name: str) -> None:
    dtype = opwright.int32 if name in ("gcd", "lcm") or "bitwise" in name else opwright.float64
    a = opwright.empty(2, 1, dtype=dtype, device="meta")
    b = opwright.empty(3, dtype=dtype, device="meta")
    result = function(name)(a, b)
    assert (tuple(result.shape), result.device.type) == ((2, 3), "meta")
    assert result.dtype == (opwright.bool if name in QUESTIONS else dtype)


def test_closeness() -> None:
    a = opwright.tensor([1.0, float("nan"), float("inf"), 1.0, 2.0])
    b = opwright.tensor([1.0 + 1e-9, float("nan"), float("inf"), 1.1, -2.0])
    assert opwright.isclose(a, b).tolist() == [True, False, True, False, False]
    assert opwright.isclose(a, b, equal_nan=True).tolist() == [True, True, True, False, False]
    assert opwright.isclose(a, b, atol=0.2).tolist() == [True, False, True, True, False]
    assert not opwright.allclose(a, b)
    assert opwright.allclose(a[2:3], b[2:3])
    assert opwright.equal(a[:1], a[:1]) and not opwright.equal(a, a[:1])
    with pytest.raises(RuntimeError, match="rtol"):
        opwright.isclose(a, b, rtol=-1)
    with pytest.raises(RuntimeError, match="did not match"):
        opwright.isclose(a, b.double())


def test_logaddexp_of_complex_numbers(rng: np.random.Generator) -> None:
    for dtype, tolerance in [("complex64", 1e-6), ("complex128", 1e-14)]:
        a, x = pair(rng, dtype, "transposed")
        b = numbers(rng, dtype, a.shape)
        actual = opwright.logaddexp(x, opwright.from_numpy(b))
        assert str(actual.dtype) == f"opwright.{dtype}"
        wide = np.exp(a.astype(complex)) + np.exp(b.astype(complex))
        # Of the logarithms of a number, one that is near the operands.
        again = np.exp(actual.numpy().astype(complex))
        np.testing.assert_allclose(again, wide, rtol=10 * tolerance, atol=tolerance)
    large = opwright.tensor([1000 + 1j, -1000.0, complex(-np.inf, 1)])
    other = opwright.tensor([1000 - 1j, -1040.0, complex(-np.inf, 2)])
    expected = [1000 + np.log(2 * np.cos(1)), -1000 + np.exp(-40), -np.inf]
    np.testing.assert_allclose(opwright.logaddexp(large, other).numpy(), expected, rtol=1e-6)
    tiny = opwright.logaddexp(opwright.tensor(0j), opwright.tensor(-40 + 1j)).item()
    assert abs(tiny / np.exp(-40 + 1j) - 1) < 1e-6
