"""What is left of compiled functions that nobody has any more, and of calls: nothing."""

from __future__ import annotations

import gc
import os
import shutil
import sys
import threading
import weakref
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from opwright import jit, types
from opwright.extending import (
    NativeValue,
    box,
    create_struct_proxy,
    is_not_null,
    native_struct,
    overload,
    register_model,
    typeof_impl,
    unbox,
)
from opwright.extending import models as known_models

MAPS = Path("/proc/self/maps")
# As many as are enough to see a leak; `cargo xtask soak` takes more.
CALLS = int(os.environ.get("OPWRIGHT_CALLS", "2000"))
FUNCTIONS = CALLS // 20

BACK_ENDS = ("vm", "cranelift")


def resident() -> int:
    """How many bytes of memory the process has."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


def executable() -> int:
    """How many bytes of memory can be run that no file backs."""
    total = 0
    for line in MAPS.read_text().splitlines():
        place, flags, _, _, inode, *_ = line.split()
        if "x" in flags and inode == "0":
            start, end = (int(it, 16) for it in place.split("-"))
            total += end - start
    return total


def function(number: int, backend: str) -> Any:
    """A new compiled function, which calls another."""
    offset = np.full(100, float(number))

    def inner(x):
        return x + offset[0]

    @jit(backend=backend)
    def outer(x):
        total = 0.0
        for i in range(3):
            total += inner(x) * i
        return total

    return outer


@pytest.mark.parametrize("backend", BACK_ENDS)
def test_dropped_functions_are_freed(backend: str) -> None:
    made = function(1, backend)
    assert made(1.0) == 6.0
    inner = made.py_func.__closure__[0].cell_contents
    references = [weakref.ref(it) for it in (made, made.py_func, inner)]
    del made, inner
    gc.collect()
    assert [it() for it in references] == [None] * 3


def test_dropped_functions_that_call_themselves_are_freed() -> None:
    def make() -> Any:
        @jit
        def factorial(n):
            return 1 if n < 2 else n * factorial(n - 1)

        assert factorial(5) == 120
        return weakref.ref(factorial)

    reference = make()
    gc.collect()
    assert reference() is None


def test_frozen_arrays_are_freed_with_what_reads_them() -> None:
    array = np.arange(4.0)

    def make() -> Any:
        known = array
        return jit(lambda i: known[i])

    f = make()
    before = sys.getrefcount(array)
    assert f(2) == 2.0
    assert sys.getrefcount(array) == before + 1
    del f
    gc.collect()
    assert sys.getrefcount(array) < before


def test_frozen_objects_are_freed_with_what_reads_them() -> None:
    def make() -> Any:
        known = Interval(1.5, 2.5)
        f = jit(lambda: known)
        assert f().lo == 1.5
        return f, weakref.ref(known)

    f, known = make()
    gc.collect()
    assert known() is not None
    del f
    gc.collect()
    assert known() is None


def test_an_inlined_function_lives_as_long_as_its_caller() -> None:
    constants = np.arange(5.0)

    def make() -> Any:
        def inner(i):
            return constants[i]

        @jit
        def outer(i):
            return inner(i) + inner(i)

        assert outer(1) == 2.0
        reference = weakref.ref(inner)
        # The caller refers to nothing from here on, and goes on to run this function.
        outer.py_func.__closure__[0].cell_contents = None
        return outer, reference

    outer, inner = make()
    gc.collect()
    assert inner() is not None
    assert outer(3) == 6.0
    del outer
    gc.collect()
    assert inner() is None


@pytest.mark.skipif(not MAPS.exists(), reason="there is no /proc/self/maps")
@pytest.mark.parametrize("backend", BACK_ENDS)
def test_memory_of_dropped_functions_is_used_again(backend: str) -> None:
    def run(count: int) -> None:
        for number in range(count):
            assert function(number, backend)(1.0) == 3.0 * (1 + number)
        gc.collect()

    run(FUNCTIONS)
    before = executable(), resident()
    run(FUNCTIONS)
    assert executable() <= before[0]
    assert resident() - before[1] < 1 << 20


@pytest.mark.skipif(not MAPS.exists(), reason="there is no /proc/self/maps")
@pytest.mark.skipif(not shutil.which("cc"), reason="there is no C compiler")
def test_libraries_of_dropped_functions_are_unloaded() -> None:
    def loaded() -> int:
        return sum("block.so" in line for line in MAPS.read_text().splitlines())

    before = loaded()
    made = [function(number, "cc") for number in range(3)]
    assert [it(1.0) for it in made] == [3.0, 6.0, 9.0]
    # All are one program, which reads another constant.
    assert loaded() > before
    made[0] = jit(lambda x: x * 12345.5, backend="cc")
    assert made[0](2.0) == 24691.0
    made.pop()
    gc.collect()
    assert made[1](1.0) == 6.0
    made.clear()
    gc.collect()
    assert loaded() == before


def test_many_calls_leave_nothing() -> None:
    @jit
    def f(a, x, p):
        return a[0] + x + p.x, (x, a), p

    for _ in range(1000):
        f(ARRAY, 1.5, POINT)
    gc.collect()
    before = resident(), sys.getallocatedblocks()
    for _ in range(10 * CALLS):
        f(ARRAY, 1.5, POINT)
    assert sys.getallocatedblocks() - before[1] < 100
    assert resident() - before[0] < 1 << 18


def test_threads_drop_and_compile_at_once() -> None:
    """Functions of one thread take the numbers of objects that another has just given back."""
    wrong: list[Any] = []

    def run(thread: int) -> None:
        for number in range(FUNCTIONS // 4):
            offset = 100 * thread + number
            found = function(offset, BACK_ENDS[number % 2])(1.0)
            if found != 3.0 * (1 + offset):
                wrong.append((offset, found))

    threads = [threading.Thread(target=run, args=(it,)) for it in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_entries_are_replaced_while_threads_run_in_them() -> None:
    known = np.arange(1000.0)

    @jit
    def f(n, step):
        total = 0.0
        for i in range(n):
            total += known[(i * step) % 1000]
        return total

    expected = f(20_000, 1)
    wrong: list[Any] = []
    stop = threading.Event()

    def run() -> None:
        while not stop.is_set():
            found = f(20_000, 1)
            if found != expected:
                wrong.append(found)

    threads = [threading.Thread(target=run) for _ in range(3)]
    for thread in threads:
        thread.start()
    for _ in range(50):
        f.recompile()
        assert f(20_000, 1) == expected
    stop.set()
    for thread in threads:
        thread.join()
    assert wrong == []
    before = sys.getrefcount(known)
    f.recompile()
    f(10, 1)
    gc.collect()
    assert sys.getrefcount(known) <= before


def test_what_was_compiled_before_an_overload_is_freed() -> None:
    def helper(x: Any) -> Any:
        return x

    def register(number: int, priority: int) -> Any:
        def body(x):
            return x + number

        overload(helper, priority=priority)(lambda x: body)
        return weakref.ref(body)

    @jit
    def f(x):
        return helper(x) + known[0]

    known = np.arange(3.0)
    before = sys.getrefcount(known)
    for number in range(20):
        register(number, number)
        assert f(1) == 1.0 + number
        assert f(1.0) == 1.0 + number
    gc.collect()
    # The constant is held for each of the two signatures, and by what froze it.
    assert sys.getrefcount(known) <= before + 2
    assert len(f.signatures) == 2
    assert f.stats.compilations == 40


def test_an_entry_is_not_freed_while_it_runs() -> None:
    """A call that compiles its own function anew, and registers, goes on with what it began."""
    depth = 0

    @typeof_impl.register(Again)
    def of_again(value: Any, c: Any) -> Any:
        return again_type

    @unbox(AgainType)
    def unbox_again(typ: Any, obj: Any, c: Any) -> Any:
        nonlocal depth
        if depth < 3:
            depth += 1
            f.recompile()
            assert f(obj) == 8.0
            gc.collect()
        return NativeValue(1.5)

    @jit
    def f(p):
        return known[1] * 4.0

    known = np.full(3, 2.0)
    assert f(Again()) == 8.0
    depth = 0
    assert f(Again()) == 8.0
    assert depth == 3
    gc.collect()
    assert len(f.compiled) == 1


class Again:
    """What has its functions compiled again."""


class AgainType(types.Type):
    """The type of it."""

    def __init__(self) -> None:
        super().__init__(name="Again")


again_type = AgainType()


@register_model(AgainType)
class AgainModel(known_models.StructModel):
    """A number."""

    def __init__(self, dmm: Any, fe_type: Any) -> None:
        known_models.StructModel.__init__(self, dmm, fe_type, [("x", types.float64)])


class Interval:
    """Two numbers."""

    def __init__(self, lo: Any, hi: Any) -> None:
        self.lo, self.hi = lo, hi


class IntervalType(types.Type):
    """The type of two numbers."""

    def __init__(self) -> None:
        super().__init__(name="Interval")


interval_type = IntervalType()
typeof_impl.register(Interval, constant=True)(lambda value, c: interval_type)


@register_model(IntervalType)
class IntervalModel(known_models.StructModel):
    """What they consist of."""

    def __init__(self, dmm: Any, fe_type: Any) -> None:
        members = [("lo", types.float64), ("hi", types.float64)]
        known_models.StructModel.__init__(self, dmm, fe_type, members)


@unbox(IntervalType)
def unbox_interval(typ: Any, obj: Any, c: Any) -> Any:
    low = c.pyapi.object_getattr_string(obj, "lo")
    high = c.pyapi.object_getattr_string(obj, "hi")
    made = create_struct_proxy(typ)(c.context, c.builder)
    made.lo = c.pyapi.float_as_double(low)
    made.hi = c.pyapi.float_as_double(high)
    c.pyapi.decref(low)
    c.pyapi.decref(high)
    failed = is_not_null(c.builder, c.pyapi.err_occurred())
    return NativeValue(made._getvalue(), is_error=failed, cleanup=lambda: cleaned.append(0))


@box(IntervalType)
def box_interval(typ: Any, val: Any, c: Any) -> Any:
    made = create_struct_proxy(typ)(c.context, c.builder, value=val)
    members = c.pyapi.float_from_double(made.lo), c.pyapi.float_from_double(made.hi)
    cls = c.pyapi.unserialize(c.pyapi.serialize_object(Interval))
    return c.pyapi.call_function_objargs(cls, members)


cleaned: list[int] = []


@native_struct
class Point:
    """Two numbers."""

    x: float
    y: float


@native_struct(frozen=True)
class Frozen:
    """Two numbers that stay, and an array."""

    x: float
    data: types.Array(types.float64, 1, "C")


@jit
def same(p):
    return p


@jit
def made(x):
    return Point(x, x + 1.0)


@jit
def remade(p, x):
    return Frozen(x, p.data)


@jit
def raises(a, x):
    if x > 0.0:
        raise ValueError("too large", x)
    return a[7], a


@jit
def nested(a, n):
    if n == 0:
        return a[9]
    return nested(a, n - 1) + 1.0


@jit
def both(a, p):
    return a[0] + 1.0


class Raising:
    """Has a member that cannot be read."""

    lo = 1.0

    @property
    def hi(self) -> float:
        """Raise."""
        raise LookupError("no such bound")


typeof_impl.register(Raising, constant=True)(lambda value, c: interval_type)

ARRAY = np.arange(3.0)
POINT = Point(1.0, 2.0)
FROZEN = Frozen(1.0, ARRAY)
TEXT = "no number, and a text of its own"
BAD = Interval(TEXT, 2.0)

# What is called, with what it raises if it does.
CALLS_OF: dict[str, tuple[Any, type[BaseException] | None]] = {
    "box and unbox": (lambda: same(Interval(1.5, 2.5)), None),
    "failing member": (lambda: same(BAD), TypeError),
    "failing property": (lambda: both(ARRAY, Raising()), LookupError),
    "struct": (lambda: same(POINT), None),
    "struct that is made": (lambda: made(1.5), None),
    "struct with an array": (lambda: remade(FROZEN, 2.5), None),
    "exception": (lambda: raises(ARRAY, 1.0), ValueError),
    "index": (lambda: raises(ARRAY, -1.0), IndexError),
    "exception in recursion": (lambda: nested(ARRAY, 5), IndexError),
}


@pytest.mark.parametrize("name", CALLS_OF)
def test_references_stay_balanced(name: str) -> None:
    call, error = CALLS_OF[name]
    objects = (ARRAY, POINT, FROZEN, TEXT, BAD, Point, Frozen, Interval, None)

    def run(count: int) -> None:
        for _ in range(count):
            if error is None:
                call()
            else:
                try:
                    call()
                except error:
                    continue
                pytest.fail(f"{error.__name__} was not raised")
        cleaned.clear()
        gc.collect()

    run(500)
    before = [sys.getrefcount(it) for it in objects], sys.getallocatedblocks()
    run(CALLS)
    after = [sys.getrefcount(it) for it in objects], sys.getallocatedblocks()
    # `None` is counted for others, too.
    assert all(abs(a - b) <= 20 for a, b in zip(after[0], before[0], strict=True)), (before, after)
    assert after[0][:-1] == before[0][:-1]
    assert after[1] - before[1] < 100


def test_cleanup_runs_once_for_each_value() -> None:
    cleaned.clear()
    for _ in range(10):
        same(Interval(1.0, 2.0))
        with pytest.raises(TypeError):
            same(BAD)
    # That of a value that failed does not.
    assert len(cleaned) == 10
