"""Which entry a call of a compiled function takes: by the types of its arguments."""

from __future__ import annotations

import gc
import sys
from typing import Any

import numpy as np
import pytest
from called_functions import ARRAY, TENSOR, Plain, Point, members, three
from opwright import jit


def test_types_that_alternate() -> None:
    @jit
    def f(x):
        return x

    values = [1, 1.5, True, None, 1j, (1, 2), (1.0, 2), np.int8(3), "text", ARRAY, TENSOR, 2**63]
    for _ in range(3):
        for value in values:
            found = f(value)
            assert type(found) is type(value) or isinstance(value, np.generic)
            assert found is value or found == value
    assert len(f.signatures) == len(values)


@pytest.mark.parametrize(
    ("value", "type_"),
    [
        (2**63 - 1, "int64"),
        (2**63, "uint64"),
        (-(2**63), "int64"),
        (True, "bool"),
        (np.bool_(True), "bool"),
        (np.uint8(255), "uint8"),
        (np.int8(-5), "int8"),
        (np.uint16(65535), "uint16"),
        (np.int32(-(2**31)), "int32"),
        (np.uint64(2**64 - 1), "uint64"),
        (np.float32(1.1), "float32"),
        (np.float64(1.1), "float64"),
        (np.complex64(1 + 2j), "complex64"),
        (np.complex128(1 - 2j), "complex128"),
        (-0.0, "float64"),
    ],
)
def test_numbers_keep_their_value(value: Any, type_: str) -> None:
    @jit
    def f(x):
        return x

    for _ in range(2):
        found = f(value)
        assert found == value
        assert str(found) == str(value.item() if isinstance(value, np.generic) else value)
    assert str(f.signatures[0][0]) == type_


def test_an_int_of_more_bits_is_refused() -> None:
    assert three(1, 2, 3) == 5
    with pytest.raises(ValueError):
        three(2**64, 1, 1)


def test_layouts_are_told_apart() -> None:
    @jit
    def f(a):
        return a.sum()

    base = np.arange(24.0).reshape(2, 3, 4)
    frozen = base.copy()
    frozen.flags.writeable = False
    views = [base, base.T, base[:, ::2], base[::-1], frozen, base.astype("float32"), base[0]]
    for _ in range(2):
        for view in views:
            assert f(view) == view.sum()
    shown = {str(it[0]) for it in f.signatures}
    assert {"array(float64, 3d, C)", "array(float64, 3d, F)", "array(float64, 3d, A)"} < shown
    assert len(shown) == 6
    unaligned = np.frombuffer(b"\0" * 17, dtype="float64", count=2, offset=1)
    with pytest.raises(TypeError):
        f(unaligned)


def test_arguments_that_do_not_fit_leave_nothing() -> None:
    """Arguments that an entry has taken are given back if a later one is of another type."""

    @jit
    def f(a, p, x):
        return x

    f(ARRAY, Point(1.0, 2, 3.0), 1)
    f(ARRAY, Point(1.0, 2, 3.0), 1.0)
    array, point = np.ones(3), Point(1.0, 2, 3.0)
    before = sys.getrefcount(array), sys.getrefcount(point)
    for _ in range(50):
        f(array, point, 1)
        f(array, point, 1.0)
        with pytest.raises(TypeError):
            f(array, point, object())
    gc.collect()
    assert (sys.getrefcount(array), sys.getrefcount(point)) == before


def test_members_that_change_their_type() -> None:
    assert members(Plain(1.5, 2.5)) == 4.0
    assert members(Plain(1, 2)) == 3.0
    with pytest.raises(TypeError):
        members(Plain("x", 1.0))
    lacking = Plain(1.0, 2.0)
    del lacking.y
    with pytest.raises(TypeError, match="attribute y"):
        members(lacking)
    assert members(Plain(1.5, 2.5)) == 4.0


class Derived(Plain):
    """Of a class below one that is registered."""


def test_a_class_below_has_the_type_of_the_one_above() -> None:
    for _ in range(3):
        assert members(Derived(1.0, 2.0)) == 3.0
        assert members(Plain(2.0, 2.0)) == 4.0


def test_many_signatures() -> None:
    @jit
    def f(t):
        return t[0]

    for _ in range(2):
        for length in range(1, 40):
            assert f(tuple(range(length, 2 * length))) == length
    assert len(f.signatures) == 39
