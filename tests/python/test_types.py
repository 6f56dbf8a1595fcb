"""Types: what they take, how they are related, and those of one's own."""

from __future__ import annotations

import copy
import gc
import pickle
import threading
from pathlib import Path
from typing import Any

import numpy as np
import opwright
import pytest
from opwright import types


def tensor_type(dtype: Any = "float64", *shape: int | None) -> opwright.TensorType:
    return opwright.TensorType(dtype, shape)


# TensorType


def test_equal_types_are_one_object() -> None:
    ty = tensor_type("float64", 2, None)
    assert ty is opwright.TensorType(np.float64, [np.int64(2), None])
    assert ty is not tensor_type("float64", None, 2)
    assert opwright.TensorType("f32", (True, False)) is tensor_type(opwright.float32, 1, None)
    assert opwright.TensorType(float, 3).shape == (3,)
    assert ty.broadcastable == (False, False)
    assert len({ty, opwright.TensorType("double", (2, None))}) == 1


def test_types_that_nobody_holds_are_forgotten() -> None:
    for extent in range(2000):
        tensor_type("int8", extent, 12345)
    gc.collect()
    kept = [it for it in gc.get_objects() if isinstance(it, opwright.TensorType)]
    assert len([it for it in kept if it.shape[1:] == (12345,)]) <= 1


def test_types_are_one_object_in_all_threads() -> None:
    for extent in range(50):
        found: list[Any] = []
        start = threading.Barrier(4)

        def make(extent: int = extent, start: Any = start, found: Any = found) -> None:
            start.wait()
            found.append(tensor_type("int16", extent, 77))

        threads = [threading.Thread(target=make) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(set(map(id, found))) == 1


@pytest.mark.parametrize(
    ("dtype", "shape", "error", "text"),
    [
        ("float99", (), TypeError, "Invalid dtype: float99"),
        (None, (), TypeError, "expected a dtype, not None"),
        (np.dtype("datetime64[s]"), (), TypeError, "expected a dtype"),
        ("int8", (2, -3), ValueError, "dimension 1 has the negative extent -3"),
        ("int8", -1, ValueError, "dimension 0 has the negative extent -1"),
        ("int8", "23", ValueError, "an extent is an int or None, not '23'"),
        ("int8", (1.5,), ValueError, "an extent is an int or None, not 1.5"),
        ("int8", (2**70,), ValueError, "an extent is an int or None"),
        ("int8", None, ValueError, "an extent is an int or None, not None"),
        ("int8", (1,) * 129, ValueError, "at most 128 dimensions, not 129"),
    ],
)
def test_what_is_no_type(dtype: Any, shape: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        opwright.TensorType(dtype, shape)


def test_types_do_not_change() -> None:
    ty: Any = tensor_type("float64", 2)
    for name in ("dtype", "shape", "ndim", "broadcastable", "other"):
        with pytest.raises(AttributeError):
            setattr(ty, name, 1)
    for again in (copy.copy(ty), copy.deepcopy(ty), pickle.loads(pickle.dumps(ty))):
        assert again is ty
    assert pickle.loads(pickle.dumps(types.double)) is types.double
    lists = types.list_of(types.int64, 3)
    assert pickle.loads(pickle.dumps(lists)) is lists
    assert pickle.loads(pickle.dumps(types.generic)) is types.generic
    with pytest.raises(TypeError, match="cannot be derived from"):

        class Derived(opwright.TensorType):
            pass

    with pytest.raises(TypeError, match="made by their classes"):
        opwright._C._graph.NativeType()


def test_types_meet_and_join() -> None:
    a, b = tensor_type("float64", 2, None), tensor_type("float64", None, 3)
    assert a.meet(b) is tensor_type("float64", 2, 3)
    assert a.join(b) is tensor_type("float64", None, None)
    with pytest.raises(types.ShapeClash, match=r"dimension 0 is 2 in TensorType\(float64, \(2, "):
        a.meet(tensor_type("float64", 3, None))
    with pytest.raises(types.ShapeClash):
        a.join(tensor_type("float32", 2, None))
    assert issubclass(types.ShapeClash, TypeError) and issubclass(types.ShapeMismatch, ValueError)
    assert types.list_of(a).is_super(types.list_of(a.meet(b)))
    with pytest.raises(TypeError, match="expected a type, not int"):
        a.meet(3)  # type: ignore[arg-type]


# What is taken


def test_what_is_of_the_type_comes_out_itself(tmp_path: Path) -> None:
    ty = tensor_type("float64", None)
    fixed = np.ones(2)
    fixed.flags.writeable = False
    mapped = np.memmap(tmp_path / "elements", dtype="float64", shape=3, mode="w+")
    for value in (np.ones(3), np.ones(6)[::2], fixed, mapped, opwright.ones(2, dtype=float)):
        assert ty.filter(value) is value
        assert ty.filter(value, strict=True) is value
        assert ty.filter(value, strict=True, allow_downcast=True) is value


@pytest.mark.parametrize(
    "value",
    [
        "1",
        None,
        object(),
        opwright.float64,
        [1.0, None],
        [[1.0], [2.0, 3.0]],
        [1.0, "2"],
        {1.0},
        np.array(["a"]),
        np.array([1.0], dtype=object),
        np.ones(3, dtype=">f8"),
        np.frombuffer(b"\0" * 17, dtype="float64", offset=1, count=2),
        np.ones((2, 2)),
        opwright.ones(2, 2, dtype=float),
        2.5,
        10**400,
    ],
    ids=repr,
)
def test_what_is_refused_whatever_is_allowed(value: Any) -> None:
    for strict in (False, True):
        for allowed in (None, False, True):
            with pytest.raises(TypeError):
                tensor_type("float64", None).filter(value, strict, allowed)


def test_lists_that_hold_themselves_have_an_end() -> None:
    endless: list[Any] = []
    endless.append(endless)
    with pytest.raises(TypeError, match="nested more than 128 deep"):
        tensor_type("float64", None).filter(endless)


def test_large_integers() -> None:
    scalar = tensor_type("float64")
    assert scalar.filter(2**70).item() == 2.0**70
    with pytest.raises(TypeError, match="no integer that large"):
        scalar.filter(2**70 + 1)
    assert scalar.filter(2**70 + 1, allow_downcast=True).item() == 2.0**70
    assert tensor_type("int8").filter(2**64 + 5, allow_downcast=True).item() == 5
    with pytest.raises(TypeError):
        tensor_type("int64").filter(2**64 + 5)


def test_refusals_say_what_came_and_the_way_out() -> None:
    ty = tensor_type("float32", None)
    with pytest.raises(TypeError) as caught:
        ty.filter(np.ones(3))
    assert str(caught.value) == (
        "TensorType(float32, (?,)) takes no float64 array without loss; convert it, or pass "
        "allow_input_downcast=True"
    )
    with pytest.raises(TypeError, match="tensors, arrays and lists of numbers, not object"):
        ty.filter(object())
    with pytest.raises(TypeError, match=r"dimension 0: expected 2, got 3 \(shape \(3,\)\)"):
        tensor_type("float64", 2).filter(np.ones(3))


def test_the_default_dtype_takes_rounded_numbers() -> None:
    assert tensor_type("float32").filter(0.1).item() == pytest.approx(0.1)
    with pytest.raises(TypeError, match=r"does not hold 0\.1 without loss"):
        tensor_type("float16").filter(0.1)
    with opwright.default_dtype(opwright.float64), pytest.raises(TypeError):
        tensor_type("float32").filter(0.1)


def test_dtypes_are_converted_as_numpy_casts_safely() -> None:
    dtypes = _numpy_dtypes()
    assert len(dtypes) > 10
    for wanted in dtypes:
        for given in dtypes:
            value = np.zeros(1, dtype=given)
            taken = tensor_type(wanted, None).is_valid_value(value, strict=False)
            assert taken == np.can_cast(given, wanted, "safe"), f"{given} to {wanted}"


def _numpy_dtypes() -> list[str]:
    names = {it.split(".")[-1] for it in map(str, vars(opwright._C).values()) if "opwright." in it}
    return sorted(it for it in names if it in np.sctypeDict and hasattr(opwright, it))


# Plain values


def test_plain_values() -> None:
    assert types.double.filter(3) == 3.0 and isinstance(types.double.filter(3), float)
    assert types.int64.filter(True) == 1 and types.int64.filter(2.0) == 2
    assert types.boolean.filter(1) is True
    assert types.double.filter(np.float32(0.5)) == 0.5
    assert types.text.filter("a") == "a" and types.none.filter(None) is None
    for ty, value in (
        (types.double, "3"),
        (types.double, 2**53 + 1),
        (types.int64, 2.5),
        (types.int64, 2**64),
        (types.int64, float("nan")),
        (types.boolean, 2),
        (types.text, 1),
        (types.none, 0),
    ):
        with pytest.raises(TypeError):
            ty.filter(value)
    with pytest.raises(TypeError, match="expected a float, got int"):
        types.double.filter(3, strict=True)
    # What is of another class is not returned itself, but those of numpy that are Python's are.
    for ty, other in ((types.double, np.float32(1)), (types.int64, np.int64(1))):
        with pytest.raises(TypeError, match="strict=True takes for no such"):
            ty.filter(other, strict=True)
        assert type(ty.filter(other)) is type(ty.filter(1))
    kept = np.float64(1.5)
    assert types.double.filter(kept, strict=True) is kept


@pytest.mark.parametrize("number", [2**63, np.uint64(2**63), np.uint64(2**64 - 2048)])
def test_integers_that_are_too_large_for_one_can_be_floats(number: Any) -> None:
    for ty in (types.double, opwright.TensorType("float64", ())):
        assert float(ty.filter(number)) == float(number)
        assert not ty.is_valid_value(number, strict=True)
        assert ty.is_valid_value(number + type(number)(1), strict=False) is False
    assert type(types.double.filter(number)) is float
    for ty in (types.int64, opwright.TensorType("int64", ())):
        with pytest.raises(TypeError, match="without loss"):
            ty.filter(number)
    wrapped = opwright.TensorType("int64", ()).filter(number, allow_downcast=True)
    assert wrapped.item() == int(number) - 2**64


def test_what_plain_types_take() -> None:
    with pytest.raises(TypeError, match="a float, not Text"):
        types.double.filter(type("Text", (), {})())
    assert [str(it) for it in (types.double, types.int64, types.boolean, types.text)] == [
        "float64",
        "int64",
        "bool",
        "unicode_type",
    ]


def test_lists_of_values() -> None:
    ty = types.list_of(types.int64)
    value = [1, 2]
    assert ty.filter(value) is value
    assert ty.filter([1.0, 2]) == (1, 2)
    with pytest.raises(TypeError, match=r"\[1\]: expected an int, got str"):
        ty.filter([1, "a"])
    with pytest.raises(TypeError, match="a list of 3 values of int64, got 2"):
        types.list_of(types.int64, 3).filter(value)
    with pytest.raises(TypeError, match="a list of values of int64"):
        ty.filter(3)


# Types of one's own


class Text(opwright.Type):
    """Texts, of at most so many letters."""

    __props__ = ("longest",)

    def __init__(self, longest: int = 10) -> None:
        """Have texts be no longer."""
        self.longest = longest

    def filter(self, value: Any, strict: bool = False, allow_downcast: bool | None = None) -> Any:
        """Take texts, and what has one if that is allowed."""
        if not isinstance(value, str):
            if strict or not allow_downcast:
                raise TypeError("a text is needed")
            value = str(value)
        if len(value) > self.longest:
            raise ValueError("too long")
        return value


def test_a_type_of_ones_own_has_defaults() -> None:
    ty = Text(3)
    assert ty == Text(3) and hash(ty) == hash(Text(3)) and ty != Text(4)
    assert repr(ty) == "Text(longest=3)"
    assert ty.clone(longest=5) == Text(5)
    assert ty.is_valid_value("abc") and not ty.is_valid_value("abcd")
    assert ty.is_valid_value(12, strict=False) is False
    assert ty.filter(12, allow_downcast=True) == "12"
    assert ty.values_eq("a", "a") and not ty.values_eq_approx("a", "b")
    assert ty.is_super(Text(3)) is True and ty.in_same_class(3) is False
    assert ty.may_share_memory("a", "a") is False
    assert ty.deep_copy([1]) == [1] and ty.init() is None and ty.emit("a") == "a"
    assert ty.element_type() is None and ty.c_element_type() is None
    with pytest.raises(NotImplementedError):
        ty.filter_inplace("a", "b")


def test_a_type_needs_a_filter() -> None:
    with pytest.raises(TypeError, match="abstract"):
        opwright.Type()

    class Nothing(opwright.Type):
        pass

    with pytest.raises(TypeError, match="Nothing is abstract: a type needs filter"):
        Nothing()


FILTER = "def filter(self, value, strict=False, allow_downcast=None): return value"


@pytest.mark.parametrize(
    ("method", "text"),
    [
        ("def filter(self, v, strictly=False, allow_downcast=None): ...", "'strict=False' is miss"),
        ("def filter(self, v): ...", r"Bad.filter\(\): the parameter 'strict=False' is missing"),
        ("def filter(self): ...", "the parameter 'value' is missing"),
        ("def filter(self, v, strict=True, allow_downcast=None): ...", "default of .* 'strict'"),
        ("def values_eq_approx(self, a, b, tol): ...", "'tol': it needs a default"),
        ("def values_eq(self, a): ...", "the parameter 'b' is missing"),
        ("def filter_variable(self, other): ...", "'allow_convert=True' is missing"),
        ("def is_valid_value(self, v, strict=False): ...", "default of the parameter 'strict'"),
        ("def make_variable(self): ...", "'name=None' is missing"),
        ("def __call__(self): ...", r"Bad.__call__\(\)"),
        ("def get_size(self): ...", "the parameter 'info' is missing"),
        ("@staticmethod\n def may_share_memory(a): ...", "the parameter 'b' is missing"),
        ("filter = None", r"Bad.filter is a method, not None"),
        ("values_eq = 3", r"Bad.values_eq is a method, not 3"),
    ],
)
def test_a_method_is_what_others_call(method: str, text: str) -> None:
    body = method if "filter" in method and "filter_" not in method else f"{FILTER}\n {method}"
    with pytest.raises(TypeError, match=text):
        exec(f"class Bad(opwright.Type):\n {body}", {"opwright": opwright})


def test_methods_may_have_more_than_others_pass() -> None:
    class Free(opwright.Type):
        def filter(self, data: Any, *flags: Any, **more: Any) -> Any:
            return data

        @staticmethod
        def may_share_memory(one: Any, other: Any) -> bool:
            return one is other

        def values_eq_approx(self, x: Any, y: Any, tolerance: float = 1e-4) -> bool:
            return bool(abs(x - y) < tolerance)

        def own(self, whatever: Any) -> Any:
            return whatever

    assert Free().may_share_memory(1, 1)


def test_inheritance_is_not_acceptance() -> None:
    class Longer(Text):
        pass

    assert not Text(3).is_super(Longer(3)) and not Longer(3).is_super(Text(3))


def test_lists_of_a_type_of_ones_own() -> None:
    ty = types.list_of(Text(3))
    assert ty.filter(["a", "b"]) == ["a", "b"]
    with pytest.raises(ValueError, match=r"\[1\]: too long"):
        ty.filter(["a", "long"])
    assert ty == types.list_of(Text(3)) and ty != types.list_of(Text(4))
    assert ty.values_eq(["a"], ["a"]) and not ty.values_eq(["a"], ["b"])


# Structures


class Interval:
    """A class as anybody writes it."""

    def __init__(self, lo: float, hi: float) -> None:
        """From here to there."""
        self.lo, self.hi = lo, hi


@types.register_type(cls=Interval)
class IntervalType(types.StructType):
    """The type of such."""

    lo: types.double  # type: ignore[valid-type]
    hi: types.double  # type: ignore[valid-type]


def test_structures_are_taken_by_their_attributes() -> None:
    ty = IntervalType()
    assert ty is IntervalType() and opwright.typeof(Interval(1.0, 2.0)) is ty
    assert str(ty) == "Interval" and list(ty.fields) == ["lo", "hi"]
    value = Interval(1.0, 2.0)
    assert ty.filter(value) is value
    made = ty.filter(Interval(1, 2))
    assert type(made) is Interval and (made.lo, made.hi) == (1.0, 2.0)
    assert isinstance(made.lo, float)
    with pytest.raises(TypeError, match=r"Interval\.lo: expected a float, got str"):
        ty.filter(Interval("b", 1.0))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="expected Interval, got int"):
        ty.filter(3)
    assert ty.values_eq(value, Interval(1.0, 2.0)) and not ty.values_eq(value, Interval(1.0, 3.0))
    assert pickle.loads(pickle.dumps(ty)) is ty


def test_the_layout_of_structures_is_published() -> None:
    assert types.describe(IntervalType()).splitlines() == [
        "Interval: struct, 16 bytes",
        "     0 double lo",
        "     8 double hi",
    ]
    assert types.describe(types.int64) == "int64: int64_t, 8 bytes"
    assert types.describe(tensor_type("int32", 2)).endswith("elements of int32_t")


def test_what_is_no_structure() -> None:
    class Loose(types.StructType):
        lo: types.double  # type: ignore[valid-type]

    with pytest.raises(TypeError, match="register_type"):
        Loose()
    with pytest.raises(TypeError, match="cls="):
        types.register_type(Loose)

    class Wrong(types.StructType):
        lo: int

    with pytest.raises(TypeError, match="expected a type"):
        types.register_type(Wrong, cls=Interval)


# typeof


def test_the_type_of_values() -> None:
    expected = {
        "float64": 1.5,
        "int64": 1,
        "bool": True,
        "complex128": 1j,
        "unicode_type": "a",
        "none": None,
        "TensorType(float32, (2, 3))": opwright.ones(2, 3),
        "TensorType(int8, (0,))": np.zeros(0, dtype="int8"),
        "TensorType(int64, ())": np.int64(3),
    }
    assert {str(opwright.typeof(value)): value for value in expected.values()}.keys() == {*expected}
    assert opwright.typeof(type("Float", (float,), {})(1.5)) is types.double


def test_classes_say_their_type() -> None:
    class Own:
        _opwright_type_ = Text(2)

    assert opwright.typeof(Own()) == Text(2)
    types.register_type(Text(7), cls=Own)
    assert opwright.typeof(Own()) == Text(7)
    assert opwright.typeof(type("Derived", (Own,), {})()) == Text(7)


def test_hooks_are_asked_by_priority() -> None:
    class Own:
        pass

    with pytest.raises(TypeError, match="no type for Own: register one, or give the class"):
        opwright.typeof(Own())
    low = types.typeof_hook(lambda it: Text(1) if isinstance(it, Own) else None)
    high = types.typeof_hook(lambda it: Text(2) if isinstance(it, Own) else None, priority=1)
    try:
        assert opwright.typeof(Own()) == Text(2)
        high.remove()
        high.remove()
        assert opwright.typeof(Own()) == Text(1)
    finally:
        high.remove()
        low.remove()
    with pytest.raises(TypeError):
        opwright.typeof(Own())


# Comparison


def test_tolerances_can_be_said() -> None:
    ty = tensor_type("float64", None)
    a, b = np.array([1.0, np.inf]), np.array([1.1, np.inf])
    assert not ty.values_eq_approx(a, b)
    assert ty.values_eq_approx(a, b, rtol=0.1)
    assert ty.values_eq_approx(a, b, atol=0.2)
    nan = np.array([np.nan, np.inf])
    assert not ty.values_eq_approx(nan, a)
    assert ty.values_eq_approx(nan, a, allow_remove_nan=True)
    assert ty.values_eq_approx(a[1:], b[:1], allow_remove_inf=True)
    half = tensor_type("float16", None)
    assert half.values_eq_approx(np.ones(1, "float16"), np.full(1, 1.09, "float16"))
    assert not ty.values_eq("a", a)
    assert not ty.values_eq(a, None)


def test_half_the_memory_is_shared() -> None:
    x = np.arange(6.0).reshape(2, 3)
    x.flags.writeable = False
    ty = tensor_type("float64", None, None)
    assert ty.may_share_memory(x, x[:1]) and not ty.may_share_memory(x[:1], x[1:])
    assert not ty.may_share_memory(x, [1.0]) and not ty.may_share_memory("a", "a")
    assert ty.get_size(ty.get_shape_info(x)) == 48
    copied = ty.deep_copy(x)
    assert not ty.may_share_memory(x, copied) and ty.values_eq(copied, x)


# Transfer, variables


def test_functions_are_asked_where_a_variable_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(types, "_transfers", [])
    x = tensor_type("float64", None)("x")
    assert x.transfer("cpu") is x
    with pytest.raises(ValueError, match=r"nobody transfers to 'moon': 'cpu' is known$"):
        x.transfer("moon")

    @types.register_transfer
    def to_moon(variable: Any, target: Any) -> Any:
        return variable + 1 if target == "moon" else None

    types.register_transfer(lambda variable, target: variable + 2)
    assert x.transfer("moon").eval({x: [1.0]}).tolist() == [2.0]
    assert x.transfer("mars").eval({x: [1.0]}).tolist() == [3.0]


def test_old_values_are_filled_again() -> None:
    class Lists(opwright.Type):
        def filter(self, value: Any, strict: bool = False, allow_downcast: Any = None) -> Any:
            return list(value)

        def filter_inplace(
            self, value: Any, storage: Any, strict: bool = False, allow_downcast: Any = None
        ) -> Any:
            storage[:] = value
            return storage

    ty = Lists()
    x = opwright.shared([1], type=ty, borrow=True)
    kept = x.get_value(borrow=True)
    x.set_value((2, 3))
    assert x.get_value(borrow=True) is kept and kept == [2, 3]
