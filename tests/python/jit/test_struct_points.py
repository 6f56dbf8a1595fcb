"""Members of native structs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from opwright import jit, types
from opwright.extending import (
    native_struct,
    register_native,
    sizeof,
    typeof,
)


@native_struct
class Point:
    """A point."""

    x: types.float64
    n: types.int32


@native_struct
class Line:
    """Two points, numbers in a tuple, and a complex number."""

    a: Point  # type: ignore[valid-type]
    b: Point  # type: ignore[valid-type]
    t: types.UniTuple(types.float64, 3)  # type: ignore[valid-type]
    z: types.complex128


def new_line() -> Any:
    return Line(Point(1.0, 2), Point(3.0, 4), (1.0, 2.0, 3.0), 1j)


def test_structs_in_structs_lie_in_place() -> None:
    line = new_line()
    assert sizeof(typeof(line)) == 16 + 16 + 24 + 16
    assert (line.a, line.t, line.z) == (Point(1.0, 2), (1.0, 2.0, 3.0), 1j)
    line.a.x = 11.0
    assert line.a.x == 11.0
    part = line.b
    line.b = Point(8.0, 9)
    assert part == Point(8.0, 9)
    del line
    assert part.x == 8.0


def test_compiled_functions_see_and_make_changes_of_parts() -> None:
    @jit
    def f(line, p):
        before = line.b.x + line.t[1] + line.z.imag + line.a.n
        line.a = p
        line.b.x = 9.0
        line.t = (7.0, 8.0, 9.0)
        return before, line, line.b

    line = new_line()
    before, found, part = f(line, Point(5.0, 6))
    assert before == 3 + 2 + 1 + 2
    assert found is line
    assert line == Line(Point(5.0, 6), Point(9.0, 4), (7.0, 8.0, 9.0), 1j)
    part.x = 1.0
    assert line.b.x == 1.0


def test_compiled_functions_make_structs_with_parts() -> None:
    @jit
    def f(x):
        line = Line(Point(x, 1), Point(x * 2, 2), (x, x, x), 2j)
        line.b.n = 7
        return line, line.b

    line, part = f(1.5)
    assert line == Line(Point(1.5, 1), Point(3.0, 7), (1.5, 1.5, 1.5), 2j)
    assert part == line.b


def test_arrays_in_structs_are_references() -> None:
    for frozen in (False, True):

        @native_struct(frozen=frozen)
        class Weighted:
            w: types.Array(types.float64, 1, "C")  # type: ignore[valid-type]
            k: types.float64

        w = np.arange(4.0)
        value = Weighted(w, 2.0)
        assert value.w is w

        @jit
        def f(a):
            a.w[0] = 10.0
            return a.w.sum() * a.k

        @jit
        def g(n):
            return Weighted(np.ones(n), 3.0)

        assert f(value) == 32.0
        assert w[0] == 10.0
        made = g(3)
        assert made.w.tolist() == [1.0, 1.0, 1.0]
        assert made == Weighted(np.ones(3), 3.0)
        for wrong in (np.ones(4, np.float32), np.ones((2, 2)), np.ones(8)[::2], 1.0):
            with pytest.raises(TypeError, match="expected a array"):
                Weighted(wrong, 1.0)


def test_members_that_are_no_values_are_refused() -> None:
    for ty in (types.unicode_type, types.Opaque("x"), types.Optional(types.int64)):
        with pytest.raises(TypeError, match="member"):
            native_struct(type("Wrong", (), {"__annotations__": {"s": ty}}))
    with pytest.raises(TypeError, match="frozen members"):
        native_struct(frozen=True)(type("Wrong", (), {"__annotations__": {"s": Point}}))
    with pytest.raises(TypeError, match="have a member of the other type"):
        native_struct(type("Wrong", (Exception,), {"__annotations__": {"s": types.int64}}))
    with pytest.raises(TypeError, match="expected a Point"):
        Line(1.0, Point(1.0, 1), (1.0, 2.0, 3.0), 1j)


def test_structs_of_graphs_are_compiled() -> None:
    class Range:
        def __init__(self, lo, hi):
            self.lo, self.hi = lo, hi

    @types.register_type(cls=Range)
    class RangeType(types.StructType):
        lo: types.float64
        hi: types.float64

    assert jit(lambda r: r.hi - r.lo)(Range(1.0, 3.0)) == 2.0
    assert jit(lambda r: r)(Range(1.0, 3.0)).hi == 3.0
    assert RangeType().fields == {"lo": types.float64, "hi": types.float64}


def test_only_structs_of_rust_are_registered_as_such() -> None:
    for wrong in (int, 3, Point):
        with pytest.raises(TypeError):
            register_native(wrong)
