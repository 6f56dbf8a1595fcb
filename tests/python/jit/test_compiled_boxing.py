"""Boxing and unboxing around compiled functions: references, clean-ups, registrations meanwhile."""

from __future__ import annotations

import contextlib
import gc
import sys
import threading
from typing import Any

import numpy as np
import pytest
from opwright import jit, types
from opwright.extending import (
    NativeValue,
    StructModel,
    TypingError,
    box,
    create_struct_proxy,
    make_attribute_wrapper,
    native_struct,
    operators,
    overload,
    register_model,
    typeof_impl,
    unbox,
)

CALLS = 100_000


class Item:
    """Objects with a number, an array, and maybe something that fails."""

    __slots__ = ("array", "fails", "n")

    def __init__(self, n: Any, array: Any, fails: bool = False) -> None:
        self.n, self.array, self.fails = n, array, fails


class ItemType(types.Type):
    """Their type."""

    def __init__(self) -> None:
        """Have a name."""
        super().__init__(name="Item")


@typeof_impl.register(Item, constant=True)
def _(value, context):
    return ItemType()


@register_model(ItemType)
class ItemModel(StructModel):
    """A number and an array."""

    def __init__(self, dmm, fe_type):
        """Say what members there are."""
        members = [("n", types.int64), ("array", types.Array(types.float64, 1, "C"))]
        StructModel.__init__(self, dmm, fe_type, members)


make_attribute_wrapper(ItemType, "n", "n")
make_attribute_wrapper(ItemType, "array", "array")


@jit
def first(item):
    if item.n < 0:
        raise ValueError("negative")
    return item.array[0]


@jit
def same(item):
    return item


def counts(*values: Any) -> list[int]:
    gc.collect()
    return [sys.getrefcount(it) for it in values]


def test_references_are_balanced() -> None:
    array, number = np.ones(3), 10**6
    item, negative, wrong = Item(number, array), Item(-(10**6), array), Item("text", array)
    first(item), same(item)
    objects = array, number, item, negative, wrong, Item, ItemType()
    before = counts(*objects)
    for _ in range(CALLS // 10):
        first(item)
        for bad, error in ((negative, ValueError), (wrong, TypeError)):
            with contextlib.suppress(error):
                first(bad)
    for _ in range(CALLS // 10):
        same(item)
    del bad, error
    assert counts(*objects) == before


def test_references_are_balanced_with_unbox_and_box() -> None:
    class Boxed:
        def __init__(self, array):
            self.array = array

    class BoxedType(types.Type):
        def __init__(self):
            super().__init__(name="Boxed")

    ty = BoxedType()
    typeof_impl.register(Boxed, constant=True)(lambda value, context: ty)

    @register_model(BoxedType)
    class Model(StructModel):
        def __init__(self, dmm, fe_type):
            members = [("array", types.Array(types.float64, 1, "C"))]
            StructModel.__init__(self, dmm, fe_type, members)

    @unbox(BoxedType)
    def _(typ, obj, c):
        got = c.pyapi.object_getattr_string(obj, "array")
        made = create_struct_proxy(typ)(c.context, c.builder)
        made.array = c.unbox(types.Array(types.float64, 1, "C"), got).value
        c.pyapi.decref(got)
        return NativeValue(made._getvalue(), is_error=c.pyapi.err_occurred() is not None)

    @box(BoxedType)
    def _(typ, val, c):
        made = create_struct_proxy(typ)(c.context, c.builder, value=val)
        return Boxed(c.box(types.Array(types.float64, 1, "C"), made.array))

    array = np.ones(3)
    value = Boxed(array)
    f = jit(lambda b: b)
    f(value)
    before = counts(array, value, Boxed, ty)
    for _ in range(CALLS // 20):
        f(value)
    assert counts(array, value, Boxed, ty) == before


def test_references_of_structs_are_balanced() -> None:
    @native_struct
    class Weighted:
        w: types.Array(types.float64, 1, "C")  # type: ignore[valid-type]
        k: types.float64

    @jit
    def weight(value):
        return value, value.w[0] * value.k

    @jit
    def new(w):
        return Weighted(w, 1.0)

    array, other = np.ones(3), np.ones(3)
    value = Weighted(array, 2.0)
    weight(value), new(array)
    before = counts(array, other, value, Weighted)
    for _ in range(CALLS // 5):
        weight(value)
        made = Weighted(array, 1.0)
        made.w = other
        assert new(array).w is not other
    del made
    assert counts(array, other, value, Weighted) == before
    part = Weighted(array, 1.0).w
    assert part is array


def test_parts_of_structs_keep_what_is_around_them() -> None:
    @native_struct
    class Inner:
        x: types.float64

    @native_struct
    class Outer:
        a: Inner  # type: ignore[valid-type]

    outer = Outer(Inner(1.0))
    before = counts(outer, Inner)
    parts = [outer.a for _ in range(100)]
    parts[0].x = 3.0
    assert {it.x for it in parts} == {3.0}
    assert counts(outer)[0] == before[0] + 100
    del parts
    assert counts(outer, Inner) == before


def test_cleanups_run_on_all_paths() -> None:
    log: list[int] = []

    class Held:
        def __init__(self, n, fails=False):
            self.n, self.fails = n, fails

    class HeldType(types.Type):
        def __init__(self):
            super().__init__(name="Held")

    typeof_impl.register(Held)(lambda value, context: HeldType())

    @register_model(HeldType)
    class Model(StructModel):
        def __init__(self, dmm, fe_type):
            StructModel.__init__(self, dmm, fe_type, [("n", types.int64)])

    make_attribute_wrapper(HeldType, "n", "n")

    @unbox(HeldType)
    def _(typ, obj, c):
        made = create_struct_proxy(typ)(c.context, c.builder)
        made.n = obj.n
        return NativeValue(made._getvalue(), obj.fails, lambda: log.append(obj.n))

    @jit
    def f(a, b):
        if a.n > 5:
            raise ValueError("too many")
        return a.n + b.n

    assert f(Held(1), Held(2)) == 3
    assert log == [2, 1]
    log.clear()
    with pytest.raises(TypingError, match="argument 1"):
        f(Held(1), Held(2, fails=True))
    assert log == [1]
    log.clear()
    with pytest.raises(ValueError, match="too many"):
        f(Held(6), Held(2))
    assert log == [2, 6]


def test_derived_unboxing_runs_no_python() -> None:
    item = Item(1, np.ones(3))
    first(item), first(item)
    called = []

    def note(frame: Any, event: str, arg: Any) -> None:
        if event == "call":
            called.append(frame.f_code.co_name)

    sys.setprofile(note)
    try:
        first(item)
    finally:
        sys.setprofile(None)
    assert called == []


@pytest.mark.parametrize("count", [2, 8])
def test_registration_while_others_call(count: int) -> None:
    def op(x): ...

    overload(op)(lambda x: (lambda x: x) if isinstance(x, types.Integer) else None)
    f = jit(lambda x: op(x))
    assert f(1) == 1
    found: list[set[int]] = [set() for _ in range(count)]
    failures: list[BaseException] = []
    is_done = threading.Event()

    def call(at: int) -> None:
        try:
            while not is_done.is_set():
                found[at].add(f(1))
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=call, args=(at,)) for at in range(count)]
    for it in threads:
        it.start()
    for priority in range(1, 8):
        overload(op, priority=priority)(adding(priority))
        assert f(1) == 1 + priority
    is_done.set()
    for it in threads:
        it.join()
    assert not failures
    assert set().union(*found) <= set(range(1, 9))


def adding(n: int) -> Any:
    return lambda x: lambda x: x + n


def test_late_overloads_are_seen_by_all_threads() -> None:
    def op(x): ...

    f = jit(lambda x: op(x))
    with pytest.raises(TypingError):
        f(1)
    overload(op)(lambda x: lambda x: x + 1)
    found: list[int] = []
    threads = [threading.Thread(target=lambda: found.append(f(1))) for _ in range(8)]
    for it in threads:
        it.start()
    for it in threads:
        it.join()
    assert found == [2] * 8


def test_builtins_are_registered_like_others() -> None:
    import math

    known = operators()
    for op in (len, abs, divmod, math.sqrt, math.isclose, np.where, np.take, np.clip, np.zeros):
        assert op in known, op
    f = jit(lambda a: (len(a), a.nbytes, a.itemsize, len((1, a))))
    given = np.ones((3, 2), np.float32)
    assert f(given) == (3, 24, 4, 2)
    assert jit(lambda a, b: (divmod(a, b), pow(a, b)))(7, -2.0) == (divmod(7, -2.0), 7**-2.0)
    g = jit(lambda a, b: math.isclose(a, b, rel_tol=1e-3))
    for a, b in [(1.0, 1.0005), (1.0, 1.1), (math.inf, math.inf), (math.inf, 1.0), (math.nan, 1.0)]:
        assert g(a, b) == math.isclose(a, b, rel_tol=1e-3)
    text = jit(lambda a: len(a)).inspect_ir((types.Array(types.float64, 2, "C"),))
    assert "call" not in text
