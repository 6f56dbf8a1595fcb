"""Arrays in compiled functions, against numpy."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import opwright
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from opwright import jit
from opwright.extending import TypingError

DTYPES = ["bool", "int8", "uint8", "int32", "int64", "uint64", "float32", "float64", "complex128"]


def chain(a, b, c):
    return a + b * c - a


def mixed(a, b):
    return np.sqrt(a) * 2.0 + np.maximum(a, b)


def compared(a, b):
    return a < b, a == b, (a > 0) & (b > 0)


@pytest.mark.parametrize("function", [chain])
@pytest.mark.parametrize("dtype", ["int8", "int64", "float32", "float64", "complex128"])
def test_chains_have_the_bits_of_numpy(function: Any, dtype: str) -> None:
    rng = np.random.default_rng(1)
    arrays = [(rng.normal(size=(3, 4)) * 50).astype(dtype) for _ in range(3)]
    got = jit(function)(*arrays)
    expected = function(*arrays)
    assert got.dtype == expected.dtype
    assert got.tobytes() == expected.tobytes()


SHAPES = [((3, 4), (4,)), ((3, 1), (1, 4)), ((), (2, 3)), ((0, 3), (3,))]


@pytest.mark.parametrize("shapes", SHAPES)
def test_broadcasting(shapes: tuple[Any, Any]) -> None:
    a, b = (np.arange(np.prod(shape), dtype=float).reshape(shape) for shape in shapes)
    got = jit(mixed)(a, b)
    np.testing.assert_array_equal(got, mixed(a, b))
    for x, y in zip(jit(compared)(a, b), compared(a, b), strict=True):
        np.testing.assert_array_equal(x, y)


def test_shapes_that_do_not_broadcast() -> None:
    with pytest.raises(ValueError):
        jit(mixed)(np.zeros(2), np.zeros(3))


INDICES = [
    np.s_[1], np.s_[-1], np.s_[1:], np.s_[:, 1], np.s_[::2], np.s_[::-1], np.s_[..., 0],
    np.s_[None], np.s_[1, 2], np.s_[1:3, ::-2], np.s_[5:2], np.s_[-2:], np.s_[:, None, 1:],
]  # fmt: skip


@pytest.mark.parametrize("at", range(len(INDICES)))
@pytest.mark.parametrize("order", ["C", "F"])
def test_views(at: int, order: Any) -> None:
    index = INDICES[at]
    text = f"def f(a):\n    return a[{_text(index)}]\n"
    from opwright._jit.jit import from_text

    a = np.asarray(np.arange(24.0).reshape(4, 6), order=order)
    got, expected = from_text(text)(a), a[index]
    np.testing.assert_array_equal(got, expected)
    if isinstance(expected, np.ndarray):
        assert got.strides == expected.strides or expected.size == 0
        assert np.shares_memory(got, a) or expected.size == 0


def _text(index: Any) -> str:
    if isinstance(index, tuple):
        return ", ".join(map(_text, index)) + ","
    if isinstance(index, slice):
        parts = ["" if it is None else str(it) for it in (index.start, index.stop, index.step)]
        return ":".join(parts)
    return "..." if index is Ellipsis else str(index)


@given(hnp.arrays(np.float64, st.integers(0, 6)), st.integers(-8, 8))
def test_indices_are_checked(a: Any, i: int) -> None:
    @jit
    def f(a, i):
        return a[i]

    if -len(a) <= i < len(a):
        assert f(a, i) == a[i] or np.isnan(a[i])
    else:
        with pytest.raises(IndexError, match=f"index {i} is out of bounds for axis 0 with size"):
            f(a, i)


@pytest.mark.parametrize(
    ("place", "value"), [((2,), (3,)), ((2, 3), (2, 2)), ((0,), (2,)), ((4, 1), (3,))]
)
def test_values_that_do_not_broadcast_to_their_place(place: Any, value: Any) -> None:
    @jit
    def assign(a, b):
        a[...] = b

    @jit
    def assign_sum(a, b):
        a[...] = b + b

    with pytest.raises(ValueError) as expected:
        assign.py_func(np.zeros(place), np.zeros(value))
    for function in (assign, assign_sum):
        with pytest.raises(ValueError, match=re.escape(str(expected.value))):
            function(np.zeros(place), np.zeros(value))


def test_assignment_of_what_overlaps() -> None:
    @jit
    def shift(a):
        a[1:] = a[:-1]
        a[::-1][:2] += 10
        return a

    a = np.arange(6)
    expected = shift.py_func(a.copy())
    np.testing.assert_array_equal(shift(a), expected)


def test_in_place_within_the_kind() -> None:
    @jit
    def f(a):
        a += 1.5
        return a

    np.testing.assert_array_equal(f(np.zeros(2, np.float32)), np.full(2, 1.5, np.float32))
    with pytest.raises(TypingError):
        f(np.zeros(2, np.int64))


def test_arrays_that_nobody_may_write() -> None:
    @jit
    def f(a):
        a[0] = 1
        return a

    a = np.zeros(2)
    a.flags.writeable = False
    with pytest.raises(TypingError, match="read-only"):
        f(a)


def test_results_are_of_the_library_of_the_arguments() -> None:
    @jit
    def f(a):
        return a + 1

    tensor = f(opwright.ones(2))
    assert type(tensor) is opwright.Tensor
    assert tensor.tolist() == [2.0, 2.0]
    assert tensor.dtype is opwright.float32
    assert type(f(np.ones(2))) is np.ndarray


def test_an_argument_comes_back_itself() -> None:
    @jit
    def f(a):
        return a

    a, t = np.ones(2), opwright.ones(2)
    assert f(a) is a
    assert f(t) is t


REDUCTIONS = ["sum", "prod", "min", "max", "mean", "any", "all", "argmin", "argmax", "std", "var"]


@pytest.mark.parametrize("name", REDUCTIONS)
@pytest.mark.parametrize("axis", [None, 0, 1, -1])
def test_reductions(name: str, axis: int | None) -> None:
    from opwright._jit.jit import from_text

    a = np.random.default_rng(0).normal(size=(3, 4))
    given = "" if axis is None else f", axis={axis}"
    got = from_text(f"def f(a):\n    return np.{name}(a{given})\n", {"np": np})(a)
    expected = getattr(np, name)(a, axis=axis)
    np.testing.assert_allclose(got, expected, rtol=1e-14)


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int32", "bool"])
def test_sums_of_small_integers_are_wide(dtype: str) -> None:
    @jit
    def f(a):
        return a.sum()

    a = np.ones(300, dtype)
    assert f(a) == 300


@pytest.mark.parametrize("dtype", DTYPES)
def test_elements_of_all_dtypes(dtype: str) -> None:
    @jit
    def reverse(a):
        out = np.empty_like(a)
        for i in range(a.size):
            out[i] = a[a.size - 1 - i]
        return out

    a = np.array([0, 1, 100, 1], dtype)
    got = reverse(a)
    assert got.dtype == a.dtype
    np.testing.assert_array_equal(got, a[::-1])


def test_making() -> None:
    @jit
    def f(n):
        counted = np.arange(n), np.arange(0.0, 1.0, 0.25)
        return np.zeros((n, 2)), np.ones(n, np.int32), np.full(n, 7), counted[0], counted[1]

    for got, expected in zip(f(3), f.py_func(3), strict=True):
        np.testing.assert_array_equal(got, expected)
        assert got.dtype == expected.dtype
    with pytest.raises(ValueError, match="negative dimensions"):
        f(-1)
