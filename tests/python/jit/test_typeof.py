"""The type that a value has in compiled functions, and who is asked for it."""

from __future__ import annotations

import array
import pickle
import sys
from collections import namedtuple
from pathlib import Path
from typing import Any

import numpy as np
import opwright
import pytest
import recorded_cases
from opwright import types
from opwright._jit.errors import AmbiguousOverloadError, TypingError, UnsupportedError
from opwright._jit.typeof import Context, typeof, typeof_hook, typeof_impl

Point = namedtuple("Point", "x y")


@pytest.mark.parametrize("case", recorded_cases.of("typeof"))
def test_recorded_typeof(case: dict[str, Any], tmp_path: Path) -> None:
    assert recorded_cases.wrong(case, tmp_path) is None


def names(value: Any) -> str:
    return str(typeof(value))


# Classes of Python and numpy


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1, "int64"),
        (-(2**63), "int64"),
        (2**63, "uint64"),
        (2**64 - 1, "uint64"),
        (1.5, "float64"),
        (True, "bool"),
        (1j, "complex128"),
        (None, "none"),
        ("a", "unicode_type"),
        ((1, 2), "UniTuple(int64 x 2)"),
        ((1, 2.5, "a"), "Tuple(int64, float64, unicode_type)"),
        ((), "Tuple()"),
        (((1,), 2), "Tuple(UniTuple(int64 x 1), int64)"),
        (Point(1, 2), "Point(int64 x 2)"),
        (Point(1, None), "Point(int64, none)"),
        (opwright.Size([1, 2]), "UniTuple(int64 x 2)"),
        (np.float32(1), "float32"),
        (np.float64(1), "float64"),
        (np.uint8(1), "uint8"),
        (np.bool_(True), "bool"),
        (np.complex64(1), "complex64"),
        (np.str_("a"), "unicode_type"),
        (opwright.float32, "dtype(float32)"),
        (np.dtype("int16"), "dtype(int16)"),
        (np.int16, "class(int16)"),
        (float, "class(float64)"),
        (types.float32, "class(float32)"),
        (KeyError, "KeyError"),
        (sys, "Module(sys)"),
        (slice(3), "slice<a:b>"),
        (slice(0, 3, 2), "slice<a:b:c>"),
        (range(3), "range_state_int64"),
        (b"ab", "readonly array(uint8, 1d, C)"),
        (bytearray(2), "array(uint8, 1d, C)"),
        (array.array("f", [1]), "array(float32, 1d, C)"),
        (memoryview(array.array("i", range(4)))[::2], "array(int32, 1d, A)"),
    ],
    ids=repr,
)
def test_types_of_values(value: Any, text: str) -> None:
    assert names(value) == text


def test_derived_classes_have_the_types_above() -> None:
    assert typeof(type("Count", (int,), {})(3)) is types.int64
    assert typeof(type("Pair", (tuple,), {})((1, 2))) is types.UniTuple(types.int64, 2)
    assert typeof(type("Fixed", (Point,), {})(1, 2)).fields == ("x", "y")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (object(), r"cannot type argument 0 \(an object of class object\): register it with"),
        (2**64, r"argument 0 \(an int of 65 bits\)"),
        (-(2**63) - 1, "an int of 64 bits"),
        ((1, (2, object())), r"class tuple\): \[1\] is an object of class object"),
        (np.zeros(2, ">f8"), "dtype >f8 .*astype"),
        (np.zeros(2, object), "dtype object .*astype"),
        (np.zeros(2, "M8[s]"), r"dtype datetime64\[s\] .*astype"),
        (np.zeros(2, [("a", "i4")]), r"dtype \[\('a', '<i4'\)\] .*astype"),
        (np.datetime64("2000-01-01"), r"dtype datetime64\[D\]"),
        (np.ma.zeros(2), "an object of class MaskedArray"),
        (np.zeros(2).view(type("Quantity", (np.ndarray,), {})), "an object of class Quantity"),
        (opwright.ones(2, dtype=opwright.bfloat16), "dtype opwright.bfloat16"),
        (opwright.bfloat16, "dtype opwright.bfloat16"),
        (dict, "an object of class type"),
        ({}, "an object of class dict"),
        ([1], "an object of class list"),
        (range(3).__iter__(), "an object of class range_iterator"),
        (memoryview(b"ab").cast("c"), "an object of class memoryview"),
    ],
    ids=str,
)
def test_values_without_a_type(value: Any, text: str) -> None:
    with pytest.raises(TypingError, match=text) as caught:
        typeof(value)
    assert isinstance(caught.value, ValueError)


def test_messages_say_which_argument() -> None:
    with pytest.raises(TypingError, match=r"argument 3 \(an object of class object\)"):
        typeof(object(), argument=3)


# Arrays


def _layouts() -> list[tuple[Any, str]]:
    x = np.zeros((2, 3, 4))
    return [
        (x, "C"),
        (x.T, "F"),
        (x.transpose(1, 0, 2), "A"),
        (x[:, :, ::2], "A"),
        (x[:, ::2], "A"),
        (x[:1], "C"),
        (x[:, :1, :1], "A"),
        (x[:1, :, :1], "A"),
        (x[:1, :1, :], "C"),
        (x[0, 0], "C"),
        (x[0, :, 0], "A"),
        (x[0, :1, 0], "C"),
        (x[0, 0, ::-1], "A"),
        (x[:0], "C"),
        (x[:, :0].T, "C"),
        (np.float64(1) + np.zeros(()), "C"),
        (np.zeros((2, 3), order="F"), "F"),
        (np.zeros((1, 3), order="F"), "C"),
        (np.broadcast_to(np.zeros(3), (2, 3)), "A"),
    ]


@pytest.mark.parametrize(("x", "layout"), _layouts())
def test_layouts(x: Any, layout: str) -> None:
    x = np.asarray(x)
    found: Any = typeof(x)
    assert (found.layout, found.ndim, found.dtype) == (layout, x.ndim, types.float64)
    if min(x.strides, default=0) >= 0 and x.flags.writeable:
        assert typeof(opwright.from_numpy(x)) is found
        assert typeof(memoryview(x)) is found


def test_arrays_that_cannot_be_written_to() -> None:
    x = np.zeros(3)
    x.flags.writeable = False
    assert str(typeof(x)) == "readonly array(float64, 1d, C)" and typeof(x) != typeof(np.zeros(3))
    odd = np.frombuffer(bytearray(17), "u1")[1:].view("f8")
    assert str(typeof(odd)) == "unaligned array(float64, 1d, C)"


def test_arrays_of_other_classes(tmp_path: Path) -> None:
    mapped = np.memmap(tmp_path / "elements", dtype="float32", shape=3, mode="w+")
    assert names(mapped) == "array(float32, 1d, C)"
    assert names(opwright.nn.Parameter(opwright.ones(2))) == "array(float32, 1d, C)"
    assert names(np.zeros(2, np.uint64)) == "array(uint64, 1d, C)"

    class Lends:
        def __dlpack__(self, **keywords: Any) -> Any:
            return np.zeros((2, 3), "int16").__dlpack__(**keywords)

        def __dlpack_device__(self) -> Any:
            return np.zeros(1).__dlpack_device__()

    assert names(Lends()) == "array(int16, 2d, C)"


# Functions that are registered


class Base:
    """A class that is registered."""

    def __init__(self, n: int = 1) -> None:
        """Have a number."""
        self.n = n


class Derived(Base):
    """One that is not."""


@typeof_impl.register(Base)
def _of_base(value: Base, context: Any) -> Any:
    if value.n < 0:
        return None
    inner = typeof_impl((value.n, 1.5), context)
    return types.Optional(types.int8) if inner is None else inner


def test_functions_of_classes() -> None:
    expected = types.Tuple((types.int64, types.float64))
    assert typeof(Base()) is expected and typeof(Derived()) is expected
    for value in (Base(-1), Derived(-1), (1, Base(-1))):
        with pytest.raises(TypingError):
            typeof(value)
    assert typeof_impl(object(), Context()) is None
    assert typeof((Base(), Base())).dtype is expected


def test_the_nearest_class_is_asked() -> None:
    class Nearer(Base):
        pass

    class Number(float):
        pass

    @typeof_impl.register((Nearer, Number))
    def of_nearer(value: Any, context: Any) -> Any:
        return types.int8

    assert of_nearer.__name__ == "of_nearer"
    assert typeof(type("Below", (Nearer,), {})()) is types.int8 is typeof(Number(1.5))
    assert typeof(Base()) is not types.int8
    with pytest.raises(TypeError, match="needs the class of the values, not 3"):
        typeof_impl.register(3)


def test_constant_types_are_asked_for_once() -> None:
    class Fixed:
        pass

    class Below(Fixed):
        pass

    asked = []

    @typeof_impl.register(Fixed, constant=True)
    def of_fixed(value: Any, context: Any) -> Any:
        asked.append(value)
        return types.int16

    for value in (Fixed(), Fixed(), Below(), Below()):
        assert typeof(value) is types.int16
    assert [type(it) for it in asked] == [Fixed, Below]

    @typeof_impl.register(Below)
    def of_below(value: Any, context: Any) -> Any:
        return 3

    with pytest.raises(TypeError, match="typeof_impl says of Below what is no type: 3"):
        typeof(Below())
    assert typeof(Fixed()) is types.int16


def test_classes_of_graphs_have_their_types() -> None:
    class Interval:
        def __init__(self, lo: float) -> None:
            self.lo = lo

    @types.register_type(cls=Interval)
    class IntervalType(types.StructType):
        lo: types.float64  # type: ignore[valid-type]

    assert typeof(Interval(1.0)) is IntervalType() is opwright.typeof(Interval(1.0))


# Attributes and hooks


def test_attributes_say_the_type() -> None:
    class Ours:
        _opwright_type_ = types.int8
        _numba_type_ = types.int16

    class Theirs:
        def __init__(self, ty: Any) -> None:
            self._numba_type_ = ty

    assert typeof(Ours()) is types.int8 and typeof(Theirs(types.int16)) is types.int16
    for untyped in (Ours, Theirs("int16")):
        with pytest.raises(TypingError):
            typeof(untyped)
    with pytest.raises(TypeError, match="_opwright_type_ says of Wrong what is no type: 'int8'"):
        typeof(type("Wrong", (), {"_opwright_type_": "int8"})())


def test_hooks_are_asked_last_and_by_priority() -> None:
    class Strange:
        pass

    seen: list[Any] = []

    @typeof_hook(priority=5)
    def high(value: Any, context: Any) -> Any:
        seen.append(context)
        return types.int8 if isinstance(value, Strange | Base | int) else None

    low = typeof_hook(lambda value: types.int16 if isinstance(value, Strange) else None)
    same = types.typeof_hook(lambda value, *rest: types.int32, priority=-1)
    try:
        assert typeof(Strange()) is types.int8 is opwright.typeof(Strange())
        assert isinstance(seen[0], Context) and seen[1] is None
        assert typeof(1) is types.int64 and typeof(Base()) is not types.int8
        assert high(3, None) is types.int8
        high.remove()
        assert typeof(Strange()) is types.int16
        low.remove()
        assert typeof(Strange()) is types.int32
    finally:
        for hook in (high, low, same):
            hook.remove()
    with pytest.raises(TypingError):
        typeof(Strange())


def test_values_of_a_type_with_a_name() -> None:
    ty = types.Tuple((types.int64, types.float64))
    assert ty.filter((1, 2.5)) == (1, 2.5) and ty.is_valid_value((1, 2.5))
    assert not ty.is_valid_value((1, 2))
    with pytest.raises(TypeError, match=r"a value of Tuple\(int64, float64\), not of UniTuple"):
        ty.filter((1, 2))
    missing = types.Optional(types.float64)
    assert missing.filter(None) is None and missing.filter(3) == 3.0
    assert missing.is_super(types.none) and missing.is_super(types.float64)
    assert types.literal(3).is_valid_value(3) and not types.literal(3).is_valid_value(4)
    x = ty("x")
    assert opwright.function([x], x)((1, 2.5)) == (1, 2.5)


# Errors


def test_errors_say_where() -> None:
    error = UnsupportedError(
        "no lists", filename="example.py", line=3, column=8, text="    x = [1, 2]\n"
    )
    assert str(error) == "example.py:3:8: no lists\n    x = [1, 2]\n        ^"
    assert (error.message, error.line, error.column) == ("no lists", 3, 8)
    assert isinstance(error, TypingError) and issubclass(AmbiguousOverloadError, TypingError)
    assert str(TypingError("alone")) == "alone" and issubclass(TypingError, TypeError)
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error) and type(again) is UnsupportedError
    # Columns are offsets of bytes.
    wide = TypingError("no", filename="f.py", line=1, column=5, text="é = [1]")
    assert str(wide).splitlines()[2] == "        ^"
