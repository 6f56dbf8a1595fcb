"""Functions as arguments of compiled functions."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import opwright
import pytest
from opwright import jit, types, vectorize
from opwright.extending import TypingError, overload, typeof


@jit
def twice(g, x):
    return g(g(x))


def plain(x):
    return 2 * x


@jit
def compiled(x):
    return 3 * x


@vectorize
def halved(x):
    return x / 2


@pytest.mark.parametrize(
    ("g", "x", "expected"),
    [
        (plain, 5, 20),
        (compiled, 5, 45),
        (halved, 5.0, 1.25),
        (lambda x: x - 1, 5, 3),
        (math.sqrt, 16.0, 2.0),
        (np.sqrt, 16.0, 2.0),
        (abs, -3, 3),
        (int, 2.5, 2),
        (np.float32, 2, 2.0),
        (opwright.sqrt, np.array([16.0]), np.array([2.0])),
    ],
)
def test_a_function_is_passed(g: Callable[..., Any], x: Any, expected: Any) -> None:
    for _ in range(2):
        assert twice(g, x) == expected


def make(k: Any) -> Callable[..., Any]:
    return lambda x: x * k


def test_equal_closures_are_of_one_type() -> None:
    @jit
    def apply(g, x):
        return g(x)

    for _ in range(3):
        assert [apply(make(k), 2) for k in (3, 3.5, True, -0.0)] == [6, 7.0, 2, 0.0]
    assert math.copysign(1, apply(make(-0.0), 2)) == -1
    assert math.copysign(1, apply(make(0.0), 2)) == 1
    assert len(apply.compiled) == 5
    assert apply.stats.compilations == 5


def test_equal_compiled_closures_are_of_one_type() -> None:
    @jit
    def apply(g, x):
        return g(x)

    for _ in range(3):
        assert [apply(jit(make(k)), 2) for k in (3, 4)] == [6, 8]
    assert apply.stats.compilations == 2


def test_defaults_and_functions_around_count() -> None:
    def outer(k: int, by: int) -> Callable[..., Any]:
        def inner(x, add=by):
            return x * k + add

        def around(x):
            return inner(x) + 1

        return around

    @jit
    def apply(g, x):
        return g(x)

    for _ in range(2):
        assert [apply(outer(k, by), 2) for k in (3, 4) for by in (0, 1)] == [7, 8, 9, 10]
    assert apply.stats.compilations == 4


def test_a_function_that_refers_to_itself() -> None:
    def make_factorial() -> Callable[[int], int]:
        def factorial(n):
            return 1 if n < 2 else n * factorial(n - 1)

        return factorial

    @jit
    def apply(g, x):
        return g(x)

    assert [apply(make_factorial(), n) for n in (5, 6)] == [120, 720]
    assert apply.stats.compilations == 1


def test_what_a_closure_names_is_bound_anew() -> None:
    def counter() -> tuple[Callable[..., Any], Callable[[int], None]]:
        k = 3

        def times(x):
            return x * k

        def bind(value: int) -> None:
            nonlocal k
            k = value

        return times, bind

    applied = [jit(lambda g, x: g(x)) for _ in range(2)]
    g, bind = counter()
    assert applied[0](g, 2) == 6
    bind(4)
    # What was compiled for the closure as it was serves the one that is so now.
    assert applied[1](counter()[0], 2) == 6
    assert applied[1](g, 2) == 8
    h = jit(counter()[0])
    assert applied[1](h, 2) == 6


def test_overloads_of_what_is_passed() -> None:
    @jit
    def apply(g, x):
        return g(x)

    def make_added(body: Callable[..., Any]) -> Callable[..., Any]:
        def added(x):
            raise NotImplementedError(body)

        overload(added)(lambda x: body)
        return added

    for by, body in enumerate([lambda x: x, lambda x: x + 1, lambda x: x + 2]):
        assert apply(make_added(body), 1) == 1 + by


def test_functions_in_tuples() -> None:
    @jit
    def compose(functions, x):
        for g in functions:
            x = g(x)
        return x

    assert compose((math.sin, plain, compiled), 0.0) == 0.0
    assert compose((plain, compiled), 1) == 6


def test_dtypes_and_classes_of_exceptions_are_passed() -> None:
    @jit
    def zeros(n, dtype):
        return np.zeros(n, dtype)

    assert zeros(2, np.float32).dtype == np.float32
    assert zeros(2, np.dtype("int8")).dtype == np.int8
    assert zeros(2, opwright.float64).dtype == np.float64

    @jit
    def check(x, error):
        if x < 0:
            raise error
        return x

    assert check(1, ValueError) == 1
    with pytest.raises(KeyError):
        check(-1, KeyError)


def test_an_overload_sees_what_is_passed() -> None:
    seen = []

    def ask(g, x):
        raise NotImplementedError

    @overload(ask)
    def _(g, x):
        seen.append(g)
        return lambda g, x: g(x) + 1

    @jit
    def apply(g, x):
        return ask(g, x)

    assert apply(plain, 1) == 3
    assert apply(compiled, 1) == 4
    assert all(isinstance(it, types.Callable) for it in seen)


def test_types_of_functions() -> None:
    assert typeof(compiled) is typeof(compiled)
    assert isinstance(typeof(compiled), types.Dispatcher)
    assert isinstance(typeof(math.sin), types.Function)
    assert typeof(make(2)) is typeof(make(2))
    assert typeof(make(2)) is not typeof(make(3))


def test_objects_that_can_be_called_are_refused() -> None:
    class Caller:
        def __call__(self, x: int) -> int:
            return x

    with pytest.raises(TypingError, match=r"argument 0 \(an object of class Caller\)"):
        twice(Caller(), 1)


def test_a_function_without_source_is_refused() -> None:
    scope: dict[str, Any] = {}
    exec("def made(x): return x", scope)
    with pytest.raises(TypingError, match="made has no source"):
        twice(scope["made"], 1)
