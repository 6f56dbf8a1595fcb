"""Compiled functions do what CPython does: numbers, control, joins, errors."""

from __future__ import annotations

import math
import struct
from typing import Any, NamedTuple

import numpy as np
import opwright
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from opwright import jit
from opwright.extending import TypingError, UnsupportedError

INTS = st.integers(-(2**63), 2**63 - 1)
FLOATS = st.floats(allow_nan=True, allow_infinity=True)


def bits(value: Any) -> Any:
    """A value that tells -0.0 from 0.0, and takes all nan for one."""
    if isinstance(value, tuple):
        return tuple(map(bits, value))
    if isinstance(value, float):
        return "nan" if math.isnan(value) else struct.pack("d", value)
    return value


def wrapped(value: int) -> int:
    return (value + 2**63) % 2**64 - 2**63


@jit
def sums(a, b):
    return a + b, a - b, a * b


@jit
def quotients(a, b):
    return a // b, a % b


@jit
def real(a, b):
    return a + b, a - b, a * b, a < b, a <= b, a == b, a != b, -a, abs(a)


@jit
def divided(a, b):
    return a / b


@jit
def bitwise(a, b):
    return a & b, a | b, a ^ b, ~a, -a, abs(a)


@jit
def shifted(a, b):
    return a << b, a >> b


@given(INTS, INTS)
def test_integers_wrap(a: int, b: int) -> None:
    assert sums(a, b) == (wrapped(a + b), wrapped(a - b), wrapped(a * b))
    assert bitwise(a, b) == (a & b, a | b, a ^ b, ~a, wrapped(-a), wrapped(abs(a)))


@given(INTS, INTS.filter(bool))
def test_integers_are_divided_as_python_divides(a: int, b: int) -> None:
    assert quotients(a, b) == (wrapped(a // b), a % b)


@given(INTS, st.integers(0, 63))
def test_shifts(a: int, b: int) -> None:
    assert shifted(a, b) == (wrapped(a << b), a >> b)


@given(FLOATS, FLOATS)
def test_floats_have_the_bits_of_python(a: float, b: float) -> None:
    assert bits(real(a, b)) == bits(real.py_func(a, b))


@given(FLOATS, FLOATS.filter(bool))
def test_floats_are_divided_as_python_divides(a: float, b: float) -> None:
    assert bits(divided(a, b)) == bits(a / b)
    if math.isfinite(a) and math.isfinite(b):
        assert bits(quotients(a, b)) == bits((a // b, a % b))


@given(FLOATS)
def test_conversions(x: float) -> None:
    @jit
    def whole(x):
        return int(x)

    if math.isnan(x):
        expected = 0
    else:
        far = int(x) if math.isfinite(x) else int(math.copysign(2**64, x))
        expected = max(-(2**63), min(2**63 - 1, far))
    assert whole(x) == expected


MATH = ["sqrt", "exp", "log", "sin", "cos", "tan", "atan", "tanh", "erf", "expm1", "log1p"]
MATH += ["log2", "log10"]


@pytest.mark.parametrize("name", MATH)
@settings(max_examples=50)
@given(x=st.floats(1e-300, 1e300))
def test_functions_are_those_of_operators(name: str, x: float) -> None:
    function = getattr(math, name)

    @jit
    def compiled(x):
        return function(x)

    operator = getattr(opwright, name)
    expected = operator(opwright.tensor([x], dtype=opwright.float64))[0].item()
    assert bits(compiled(x)) == bits(expected)


@jit
def collatz(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


@jit
def nested(n, m):
    total = 0
    found = -1
    for i in range(n):
        for j in range(i, m, 2):
            if (i * j) % 7 == 3:
                continue
            if total > 100:
                found = i
                break
            total += i ^ j
        else:
            total += 1
            continue
        break
    return total, found


@given(st.integers(1, 5000))
def test_while(n: int) -> None:
    assert collatz(n) == collatz.py_func(n)


@given(st.integers(-3, 30), st.integers(-3, 30))
def test_loops(n: int, m: int) -> None:
    assert nested(n, m) == nested.py_func(n, m)


@given(st.integers(-20, 20), st.integers(-20, 20), st.integers(-5, 5).filter(bool))
def test_ranges(start: int, stop: int, step: int) -> None:
    @jit
    def walked(start, stop, step):
        s, n = 0, 0
        for i in range(start, stop, step):
            s = s * 31 + i
            n += 1
        return s, n, len(range(start, stop, step))

    s, n, length = walked.py_func(start, stop, step)
    assert walked(start, stop, step) == (wrapped(s), n, length)


def test_ends_of_ranges() -> None:
    @jit
    def last(start, stop, step):
        n = 0
        for _ in range(start, stop, step):
            n += 1
        return n

    assert last(2**63 - 3, 2**63 - 1, 5) == 1
    assert last(-(2**63), 2**63 - 1, 2**62) == 4
    assert last(2**63 - 1, -(2**63), -(2**62)) == 4


def test_joins_hold_both_types() -> None:
    @jit
    def f(x, y):
        z = 1
        if x:
            z = y
        return z

    assert bits(f(False, 0.5)) == bits(1.0)
    assert f(True, 5) == 5

    @jit
    def g(x):
        if x > 0:
            return x
        return None

    assert g(1) == 1
    assert g(-1) is None


def test_optional_values_are_narrowed() -> None:
    @jit
    def f(x):
        y = x if x > 0 else None
        if y is None:
            return -1
        return y + 1

    assert (f(4), f(-4)) == (5, -1)


def test_a_local_that_is_not_set() -> None:
    @jit
    def f(n):
        for i in range(n):
            found = i
        return found

    assert f(3) == 2
    with pytest.raises(UnboundLocalError, match="found"):
        f(0)


def test_errors_have_a_place() -> None:
    @jit
    def f(x):
        y = x + 1
        return y.nothing

    with pytest.raises(TypingError) as caught:
        f(1)
    error = caught.value
    assert error.filename == __file__
    assert error.text is not None
    assert "y.nothing" in error.text
    assert error.line == f.py_func.__code__.co_firstlineno + 3
    assert error.column == error.text.index("y.nothing")


REFUSED = {
    "return [x]": "lists",
    "return {x: 1}": "dicts",
    "return {x}": "sets",
    "return [i for i in range(x)]": "lists",
    "return sum(i for i in range(x))": "generator",
    "yield x": "generators",
    "try:\n        pass\n    except ValueError:\n        pass": "try",
    "with x:\n        pass": "with",
    "import math": "import",
    "global G": "locals",
    "class C:\n        pass": "classes",
    'return f"{x}"': "text",
    "del x": "del",
    "match x:\n        case 1:\n            pass": "match",
}


@pytest.mark.parametrize("body", REFUSED)
def test_what_the_language_does_not_have(body: str, tmp_path: Any) -> None:
    file = tmp_path / "refused.py"
    file.write_text(f"def f(x):\n    {body}\n")
    namespace: dict[str, Any] = {}
    exec(compile(file.read_text(), str(file), "exec"), namespace)
    with pytest.raises(UnsupportedError, match=REFUSED[body]) as caught:
        jit(namespace["f"])(1)
    assert caught.value.line == 2


def test_a_function_without_a_source() -> None:
    namespace: dict[str, Any] = {}
    exec("def f(x):\n    return x\n", namespace)
    with pytest.raises(UnsupportedError, match="source"):
        jit(namespace["f"])(1)


@jit
def deep(n):
    return 0 if n == 0 else 1 + deep(n - 1)


def test_recursion() -> None:
    assert deep(10_000) == 10_000
    with pytest.raises(RecursionError):
        deep(10**6)


def test_exceptions_tell_where() -> None:
    @jit
    def inner(x):
        if x > 2:
            raise ValueError("too large", x)
        return x

    @jit
    def outer(x):
        return inner(x) + 1

    with pytest.raises(ValueError) as caught:
        outer(3)
    assert caught.value.args == ("too large", 3)
    assert any("in inner" in note for note in caught.value.__notes__)
    assert any("in outer" in note for note in caught.value.__notes__)


def test_arguments_are_bound_as_python_binds_them() -> None:
    @jit
    def f(a, b=2, *rest, c=3):
        return a * 100 + b * 10 + c + len(rest)

    assert (f(1), f(1, 5), f(1, c=7), f(b=1, a=2), f(1, 2, 3, 4)) == (123, 153, 127, 213, 125)
    with pytest.raises(TypeError, match="missing a required argument: 'a'"):
        f()
    with pytest.raises(TypeError, match="unexpected keyword argument 'd'"):
        f(1, d=2)

    @jit
    def by_name(a, *, c):
        return a + c

    assert by_name(1, c=2) == 3
    with pytest.raises(TypeError, match="positional"):
        by_name(1, 2)


def test_methods_and_names() -> None:
    class Holder:
        @jit
        def f(self, x):
            return x + 1

    assert deep.__name__ == "deep"
    assert deep.__wrapped__ is deep.py_func
    with pytest.raises(TypeError):
        Holder().f(1)


def test_globals_are_frozen() -> None:
    @jit
    def f(x):
        return x + FROZEN[0]

    assert f(1) == 11
    FROZEN[0] = 20
    assert f(1) == 21


FROZEN = np.array([10])


class Reading(NamedTuple):
    """A named tuple with a default."""

    value: Any
    scale: float = 2.5

    def total(self) -> Any:
        """What Python calls."""
        return self.value * self.scale


@jit
def readings(n, a):
    first, second = Reading(n), Reading(scale=n, value=1.5)
    of_array = Reading(a + 1, a.sum())
    return first, second.value * second.scale, of_array.value[0], of_array


def test_named_tuples_are_made_as_in_python() -> None:
    a = np.ones(2)
    found, expected = readings(3, a), readings.py_func(3, a)
    assert found[:3] == expected[:3]
    assert [type(it) for it in found] == [Reading, float, float, Reading]
    np.testing.assert_array_equal(found[3].value, expected[3].value)
    with pytest.raises(TypingError, match="'Reading'") as caught:
        jit(lambda n: Reading())(1)
    assert "missing a required argument: 'value'" in str(caught.value)
    with pytest.raises(TypingError, match="unexpected keyword argument 'unit'"):
        jit(lambda n: Reading(n, unit=n))(1)


def test_what_is_made_by_rules_of_its_own_is_refused() -> None:
    class Checked(Reading):
        def __new__(cls, value: Any) -> Any:
            return super().__new__(cls, abs(value))

    with pytest.raises(TypingError, match="no source and no overload"):
        jit(lambda n: Checked(n))(1)
