"""Options of `jit`, names of numba, sources that changed, and tracebacks."""

from __future__ import annotations

import linecache
import math
import os
import traceback
from fractions import Fraction
from typing import Any

import numpy as np
import opwright
import opwright.typed
import pytest
from hypothesis import given
from hypothesis import strategies as st
from opwright import jit
from opwright.extending import UnsupportedError


def test_division_as_numpy_has_it() -> None:
    @jit(error_model="numpy")
    def f(a, b):
        return a / b

    assert f(1.0, 0.0) == math.inf
    assert f(-1.0, 0.0) == -math.inf
    assert math.isnan(f(0.0, 0.0))
    assert f(1, 0) == math.inf

    @jit(error_model="numpy")
    def whole(a, b):
        return a // b

    with pytest.raises(ZeroDivisionError):
        whole(1, 0)
    with pytest.raises(ZeroDivisionError):
        jit(f.py_func)(1.0, 0.0)


@pytest.mark.parametrize("backend", ["vm", "cranelift"])
def test_a_back_end_is_asked_for(backend: str) -> None:
    @jit(backend=backend)
    def f(n):
        total = 0.0
        for i in range(n):
            total += math.sqrt(i)
        return total

    assert f(100) == f.py_func(100)


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"forceobj": True}, NotImplementedError),
        ({"target": "cuda"}, NotImplementedError),
        ({"error_model": "c"}, ValueError),
        ({"backend": "llvm"}, ValueError),
        ({"nogil": "yes"}, ValueError),
        ({"looplift": True}, TypeError),
        ({"locals": {"x": int}}, NotImplementedError),
        ({"pipeline_class": object}, NotImplementedError),
        ({"writable_args": True}, NotImplementedError),
        ({"fastmath": {"quick"}}, ValueError),
        ({"fastmath": "yes"}, ValueError),
        ({"inline": "sometimes"}, ValueError),
        ({"cache": "here"}, ValueError),
    ],
)
def test_what_is_not_there_is_refused(options: Any, error: Any) -> None:
    with pytest.raises(error, match=next(iter(options))):
        jit(lambda x: x, **options)


def test_what_numba_takes_is_accepted() -> None:
    options = {"cache": True, "parallel": True, "nopython": True, "fastmath": True}
    f = jit(lambda a: a[0], boundscheck=False, inline="always", nogil=True, **options)
    assert f(np.ones(3)) == 1
    with pytest.raises(IndexError):
        f(np.ones(0))
    wrappers = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "forceinline": True}
    assert jit(lambda x: x, debug=True, parallel={"reduction": True}, **wrappers)(1) == 1


def multiplied(a, b, c):
    return a * b + c, a * b - c, c - a * b


def exactly(a: float, b: float, c: float) -> tuple[float, float, float]:
    """The same, each rounded once."""
    a, b, c = (Fraction(it) for it in (a, b, c))
    return float(a * b + c), float(a * b - c), float(c - a * b)


NUMBERS = st.floats(-1e6, 1e6)


@pytest.mark.parametrize("backend", ["vm", "cranelift", "cc"])
@given(a=NUMBERS, b=NUMBERS, c=NUMBERS)
def test_products_and_sums_are_contracted(backend: str, a: float, b: float, c: float) -> None:
    fast = FAST[backend]
    # What is too small to be normal is rounded otherwise by fractions.
    assert fast(a, b, c) == exactly(a, b, c) or 0 < abs(a * b) < 1e-290


FAST = {it: jit(multiplied, fastmath=True, backend=it) for it in ("vm", "cranelift", "cc")}


@pytest.mark.parametrize("backend", ["vm", "cranelift", "cc"])
def test_sums_of_arrays_are_contracted_alike(backend: str) -> None:
    @jit(fastmath={"contract"}, backend=backend)
    def dot(a, b):
        total = a[0] * b[0]
        for i in range(1, a.size):
            total += a[i] * b[i]
        return total

    a, b = np.random.default_rng(5).standard_normal((2, 101))
    for dtype in (np.float64, np.float32):
        x, y = a.astype(dtype), b.astype(dtype)
        exact = Fraction(dtype(x[0] * y[0]).item())
        for one, other in zip(x[1:], y[1:], strict=True):
            exact = Fraction(rounded(exact + Fraction(one.item()) * Fraction(other.item()), dtype))
        assert dot(x, y) == float(exact)


def rounded(exact: Fraction, dtype: Any) -> float:
    """The nearest number of a dtype, ties to even."""
    near = dtype(float(exact))
    around = [np.nextafter(near, dtype(-np.inf)), near, np.nextafter(near, dtype(np.inf))]
    return min(around, key=lambda it: abs(Fraction(it.item()) - exact)).item()


def test_nothing_is_contracted_unless_it_is_permitted() -> None:
    a, b = 1.0 + 2.0**-30, 1.0 - 2.0**-30
    for options in ({}, {"fastmath": False}, {"fastmath": {"nnan"}}, {"fastmath": set()}):
        assert jit(multiplied, **options)(a, b, -1.0)[0] == 0.0
    for options in ({"fastmath": True}, {"fastmath": {"fast"}}, {"fastmath": {"contract": True}}):
        assert jit(multiplied, **options)(a, b, -1.0)[0] == -(2.0**-60)


def test_a_body_is_inlined_as_it_is_asked_for() -> None:
    def caller(callee: Any) -> str:
        f = jit(lambda x: callee(x) + 1)
        assert f(3) == 8
        (text,) = f.inspect_ir().values()
        return str(text)

    def small(x):
        return x * 2 + 1

    def large(x):
        total = 1
        for _ in range(2):
            total += x
        return total

    assert "call" not in caller(jit(small))
    assert "call" in caller(jit(large))
    assert "call" in caller(jit(small, inline="never"))
    assert "call" not in caller(jit(large, inline="always"))


@pytest.mark.parametrize(
    ("name", "instead"),
    [
        ("guvectorize", "native_op"),
        ("jitclass", "native_struct"),
        ("objmode", "Python"),
        ("cfunc", "function itself"),
        ("stencil", "loop"),
        ("literal_unroll", "loop"),
    ],
)
def test_names_of_numba_say_what_to_write(name: str, instead: str) -> None:
    with pytest.raises(AttributeError, match=instead):
        getattr(opwright, name)


def test_other_names_are_missing() -> None:
    with pytest.raises(AttributeError, match=r"has no attribute 'nothing'$"):
        opwright.nothing  # noqa: B018
    with pytest.raises(AttributeError, match="native_struct"):
        opwright.typed.Dict  # noqa: B018


def test_prange_is_range() -> None:
    @jit
    def f(n):
        total = 0
        for i in opwright.prange(n):
            total += i
        return total

    assert f(5) == 10


def of_text(text: str, file: str) -> Any:
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    namespace: dict[str, Any] = {}
    exec(compile(text, file, "exec"), namespace)
    return namespace["f"]


@pytest.mark.parametrize("changed", ["return x - 1", "return x + 2", "return x"])
def test_a_source_that_changed_is_refused(changed: str) -> None:
    f = of_text("def f(x):\n    return x + 1\n", "<changed>")
    text = f"def f(x):\n    {changed}\n"
    linecache.cache["<changed>"] = (len(text), None, text.splitlines(keepends=True), "<changed>")
    with pytest.raises(UnsupportedError, match="changed since it was imported"):
        jit(f)(1)


def test_a_source_is_read_when_jit_is_applied(tmp_path: Any) -> None:
    file = tmp_path / "read_early.py"
    file.write_text("def f(x):\n    return x + 1\n")
    namespace: dict[str, Any] = {}
    exec(compile(file.read_text(), str(file), "exec"), namespace)
    f = jit(namespace["f"])
    file.write_text("def f(x):\n    return x + 2\n")
    os.utime(file, (1, 1))
    assert f(1) == 2


def test_closures_and_indented_functions_are_found_unchanged() -> None:
    scale = 3

    class Home:
        @staticmethod
        @jit
        def f(x, y=2):
            """Scale.

            It multiplies.
            """
            return x * scale + y

    assert Home.f(2) == 8


def small(a, i):
    return a[i]


def large(a, i):
    total = 0.0
    for k in range(2):
        x = small(a, i + k)
        total += x
    return total


@jit
def outermost(a, i):
    return large(a, i) + 1


def test_each_function_has_an_entry_in_the_traceback() -> None:
    with pytest.raises(IndexError) as caught:
        outermost(np.ones(3), 2)
    entries = traceback.extract_tb(caught.value.__traceback__)
    found = [(it.name, it.line) for it in entries if it.filename == __file__][1:]
    assert found == [
        ("outermost", "return large(a, i) + 1"),
        ("large", "x = small(a, i + k)"),
        ("small", "return a[i]"),
    ]
    text = "".join(traceback.format_exception(caught.value))
    assert "in small" in text
