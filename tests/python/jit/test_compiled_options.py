"""Options of `jit`, names of numba, sources that changed, and tracebacks."""

from __future__ import annotations

import linecache
import math
import os
import traceback
from typing import Any

import numpy as np
import opwright
import opwright.typed
import pytest
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
