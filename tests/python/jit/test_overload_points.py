"""What overloads are, and which of them is taken."""

from __future__ import annotations

from typing import Any

import pytest
from opwright import jit, types
from opwright.extending import (
    TypingError,
    overload,
    overload_method,
)


def test_options_are_checked() -> None:
    for inline in ("auto", "always", "never"):
        overload(len, inline=inline)
    with pytest.raises(ValueError, match="sometimes"):
        overload(len, inline="sometimes")
    with pytest.raises(TypeError, match="nonsense"):
        overload(len, nonsense=1)
    with pytest.raises(TypeError, match="nonsense"):
        overload_method(types.Float, "m", nonsense=1)


def test_inline_is_what_is_asked_for() -> None:
    def called(x): ...

    overload(called, inline="never")(lambda x: lambda x: x * 2)

    def written(x): ...

    @overload(written, inline="always")
    def _(x):
        def body(x):
            s = 0.0
            for i in range(3):
                if i > 1:
                    s += x
            return s

        return body

    @jit
    def f(x):
        return called(x) + 1

    @jit
    def g(x):
        return written(x) + 1

    assert "call" in f.inspect_ir((types.float64,))
    assert "call" not in g.inspect_ir((types.float64,))
    assert (f(2.0), g(2.0)) == (5.0, 3.0)


def test_known_values_come_as_literals() -> None:
    seen = []

    def scaled(x, k=2): ...

    @overload(scaled, prefer_literal=True)
    def _(x, k=2):
        seen.append(k)
        if isinstance(k, types.IntegerLiteral):
            n = k.literal_value
            return lambda x, k=2: x * n
        return lambda x, k=2: x * k + 1000

    @jit
    def f(x):
        return scaled(x, 3)

    @jit
    def g(x, k):
        return scaled(x, k)

    @jit
    def h(x):
        return scaled(x)

    assert (f(2.0), g(2.0, 3), h(2.0)) == (6.0, 1006.0, 4.0)
    assert seen == [types.literal(3), types.int64, types.literal(2)]


def test_literals_of_texts_and_truth_values() -> None:
    def named(s): ...

    @overload(named, prefer_literal=True)
    def _(s):
        if isinstance(s, types.StringLiteral):
            n = len(s.literal_value)
            return lambda s: n
        if isinstance(s, types.BooleanLiteral):
            return (lambda s: -1) if s.literal_value else (lambda s: -2)
        return None

    @jit
    def f():
        return named("abc"), named(True), named(False)

    assert f() == (3, -1, -2)


def test_literals_that_are_declined_come_as_types() -> None:
    def plain(k): ...

    @overload(plain, prefer_literal=True)
    def _(k):
        if isinstance(k, types.Literal):
            raise TypingError("no literals")
        return lambda k: k + 1

    def never(k): ...

    @overload(never)
    def _(k):
        assert k is types.int64
        return lambda k: k + 2

    @jit
    def f():
        return plain(4), never(4)

    assert f() == (5, 6)


def test_strict_compares_parameters() -> None:
    def loose(x): ...

    overload(loose, strict=False)(lambda x: lambda y: y + 1)

    def tight(x): ...

    overload(tight)(lambda x: lambda y: y + 1)

    @jit
    def f(x):
        return loose(x)

    @jit
    def g(x):
        return tight(x)

    assert f(1) == 2
    with pytest.raises(TypingError, match="other parameters"):
        g(1)


def test_overloads_that_fail_say_so() -> None:
    def raises(x): ...

    @overload(raises)
    def _(x):
        raise ZeroDivisionError("boom")

    def wrong(x): ...

    overload(wrong)(lambda x: 3)

    def nothing(x): ...

    overload(nothing)(lambda x: None)

    for op, error, text in [
        (raises, ZeroDivisionError, "boom"),
        (wrong, TypeError, "a function or None"),
        (nothing, TypingError, "a missing return"),
    ]:
        with pytest.raises(error, match=text) as caught:
            calling(op)(1)
        is_foreign = error is ZeroDivisionError
        assert not is_foreign or "was asked for (int64)" in caught.value.__notes__[0]


def calling(op: Any) -> Any:
    return jit(lambda x: op(x))


def test_late_overloads_are_seen() -> None:
    def late(x): ...

    @jit
    def f(x):
        return late(x)

    with pytest.raises(TypingError):
        f(1)
    overload(late)(lambda x: lambda x: x + 1)
    assert f(1) == 2
    overload(late, priority=2)(lambda x: lambda x: x + 2)
    assert f(1) == 3
