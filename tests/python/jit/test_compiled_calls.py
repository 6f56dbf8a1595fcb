"""What a call of a compiled function does besides running it: as little as can be."""

from __future__ import annotations

import copy
import gc
import os
import pickle
import shutil
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections import namedtuple
from typing import Any

import numpy as np
import opwright
import pytest
from opwright import jit, types
from opwright.extending import (
    make_attribute_wrapper,
    native_struct,
    register_model,
    typeof_impl,
)
from opwright.extending import models as known_models


@native_struct
class Point:
    """Two numbers, and a small one."""

    x: types.float64
    n: types.int8
    y: types.float64


class Plain:
    """Two numbers as attributes."""

    def __init__(self, x: Any, y: Any) -> None:
        self.x, self.y = x, y


class PlainType(types.Type):
    """The type of two numbers."""

    def __init__(self) -> None:
        super().__init__(name="Plain")


plain_type = PlainType()
typeof_impl.register(Plain, constant=True)(lambda value, c: plain_type)


@register_model(PlainType)
class PlainModel(known_models.StructModel):
    """What they consist of."""

    def __init__(self, dmm: Any, fe_type: Any) -> None:
        members = [("x", types.float64), ("y", types.float64)]
        known_models.StructModel.__init__(self, dmm, fe_type, members)


make_attribute_wrapper(PlainType, "x", "x")
make_attribute_wrapper(PlainType, "y", "y")

Named = namedtuple("Named", "a b")


@jit
def nothing():
    return 1


@jit
def three(a, b, c):
    return a * b + c


@jit
def defaults(a, b=2.0, *, c=3):
    return a * 100 + b * 10 + c


@jit
def members(p):
    return p.x + p.y


@jit
def same(p):
    return p


@jit
def element(a):
    return a[3]


@jit
def pair(t):
    return t[0] + t[1]


@jit
def looped(n):
    total = 0
    for i in range(n):
        total += i
    return total


ARRAY = np.arange(8.0)
TENSOR = opwright.arange(8.0)

# A function, its arguments, those by keyword, and what it gives.
CALLS: dict[str, tuple[Any, tuple[Any, ...], dict[str, Any], Any]] = {
    "none": (nothing, (), {}, 1),
    "floats": (three, (1.5, 2.0, 3.0), {}, 6.0),
    "ints": (three, (2, 3, 4), {}, 10),
    "scalars of numpy": (three, (np.float32(1.5), np.int16(2), np.float64(3.0)), {}, 6.0),
    "default": (defaults, (1,), {}, 123.0),
    "keyword": (defaults, (1,), {"c": 4, "b": 5.0}, 154.0),
    "struct": (members, (Point(1.5, 1, 2.5),), {}, 4.0),
    "user class": (members, (Plain(1.5, 2.5),), {}, 4.0),
    "array": (element, (ARRAY,), {}, 3.0),
    "tensor": (element, (TENSOR,), {}, 3.0),
    "tuple": (pair, ((1, 2.5),), {}, 3.5),
    "named tuple": (pair, (Named(1, 2.5),), {}, 3.5),
    "loop": (looped, (10,), {}, 45),
}


@pytest.mark.parametrize("name", CALLS)
def test_no_python_runs_on_a_hit(name: str) -> None:
    function, args, keywords, expected = CALLS[name]
    for _ in range(2):
        assert function(*args, **keywords) == expected
    seen = []

    def note(frame: Any, event: str, arg: Any) -> None:
        seen.append((event, frame.f_code.co_qualname))

    sys.setprofile(note)
    try:
        function(*args, **keywords)
    finally:
        sys.setprofile(None)
    inner = [it for it in seen if not it[1].endswith("test_no_python_runs_on_a_hit")]
    assert inner == [], name


COUNTING = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>

static long count;
long allocations(void) { return count; }

#define FORWARD(name, params, args)                             \\
    void *name params {                                         \\
        static void *(*real) params;                            \\
        if (!real) real = dlsym(RTLD_NEXT, #name);              \\
        __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED);        \\
        return real args;                                       \\
    }

FORWARD(malloc, (size_t n), (n))
FORWARD(realloc, (void *p, size_t n), (p, n))
FORWARD(aligned_alloc, (size_t a, size_t n), (a, n))
"""

COUNTED = """
import ctypes, sys
sys.path[:0] = {path!r}
from test_compiled_calls import CALLS

allocations = ctypes.CDLL({library!r}).allocations
allocations.restype = ctypes.c_long
for name, (function, args, keywords, expected) in CALLS.items():
    for _ in range(10):
        assert function(*args, **keywords) == expected
    before = allocations()
    for _ in range(1000):
        function(*args, **keywords)
    print(name, allocations() - before, sep=": ")
"""


@pytest.mark.skipif(sys.platform != "linux" or not shutil.which("cc"), reason="needs cc on Linux")
def test_nothing_is_allocated_on_a_hit(tmp_path: Any) -> None:
    (tmp_path / "counting.c").write_text(COUNTING)
    library = str(tmp_path / "counting.so")
    subprocess.run(
        ["cc", "-O1", "-shared", "-fPIC", "-o", library, tmp_path / "counting.c", "-ldl"],
        check=True,
    )
    path = [os.path.dirname(__file__), os.path.dirname(os.path.dirname(opwright.__file__))]
    result = subprocess.run(
        [sys.executable, "-c", COUNTED.format(path=path, library=library)],
        env={**os.environ, "LD_PRELOAD": library},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    counts = dict(line.split(": ") for line in result.stdout.splitlines())
    assert counts.keys() == CALLS.keys()
    # The interpreter itself may ask for memory now and then, for the objects of results.
    assert {name: it for name, it in counts.items() if int(it) > 10} == {}


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


def test_arguments_are_bound_without_python() -> None:
    @jit
    def f(a, /, b, c=3, *, d=4):
        return ((a * 10 + b) * 10 + c) * 10 + d

    assert [f(1, 2), f(1, b=2), f(1, 2, 5), f(1, c=5, b=2, d=6), f(1, 2, d=7)] == [
        1234,
        1234,
        1254,
        1256,
        1237,
    ]
    for args, keywords in [
        ((), {}),
        ((1,), {}),
        ((1, 2, 3, 4), {}),
        ((1, 2), {"b": 3}),
        ((1, 2), {"e": 3}),
        ((), {"a": 1, "b": 2}),
    ]:
        with pytest.raises(TypeError):
            f(*args, **keywords)


class Holder:
    """Has compiled functions in every place of a class."""

    factor = 3

    @jit
    def method(self, x):
        """Return what it is given."""
        return x

    @staticmethod
    @jit
    def static(x):
        """Return one more."""
        return x + 1

    @jit
    @staticmethod
    def outer_static(x):
        """Return two more."""
        return x + 2

    def __init__(self, x: Any = 0.0, y: Any = 0.0) -> None:
        self.x, self.y = x, y


typeof_impl.register(Holder, constant=True)(lambda value, c: plain_type)


def test_methods() -> None:
    holder = Holder()
    assert (holder.method(2), holder.method(x=3), Holder.method(holder, 4)) == (2, 3, 4)
    assert (Holder.static(1), holder.static(1), Holder.outer_static(1), holder.outer_static(1)) == (
        2,
        2,
        3,
        3,
    )
    assert Holder.method is Holder.__dict__["method"]
    bound = holder.method
    assert bound.__self__ is holder
    assert bound.__func__ is Holder.method
    assert bound(5) == 5


def test_pickled_by_name() -> None:
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(three, protocol)) is three
        assert pickle.loads(pickle.dumps(Holder.method, protocol)) is Holder.method
    assert copy.deepcopy(three) is three

    @jit
    def local(x):
        return x

    with pytest.raises((pickle.PicklingError, AttributeError)):
        pickle.dumps(local)


def test_attributes() -> None:
    assert (defaults.__name__, defaults.__module__) == ("defaults", __name__)
    assert defaults.__wrapped__ is defaults.py_func
    assert repr(defaults).startswith("jit(<function defaults")
    assert three.signatures is not three.signatures


def test_many_signatures() -> None:
    @jit
    def f(t):
        return t[0]

    for _ in range(2):
        for length in range(1, 40):
            assert f(tuple(range(length, 2 * length))) == length
    assert len(f.signatures) == 39


@pytest.mark.parametrize("nogil", [None, True, False])
def test_who_may_run_meanwhile(nogil: bool | None) -> None:
    @jit(nogil=nogil)
    def spin(n):
        i = 0
        while i < n:
            i += 1 + (i & 0)
            i -= (i // n) * 0
        return i

    spin(10)
    steps: list[float] = []
    stop = threading.Event()

    def count() -> None:
        while not stop.is_set():
            steps.append(time.monotonic())
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    begin = time.monotonic()
    spin(100_000_000)
    end = time.monotonic()
    stop.set()
    thread.join()
    # Who keeps the interpreter may hand it over before and after the loop, never within.
    quarter = (end - begin) / 4
    within = [step for step in steps if begin + quarter < step < end - quarter]
    assert bool(within) == (nogil is not False), (begin, end, steps)


def test_a_loop_is_interrupted_soon() -> None:
    @jit
    def forever(n):
        i = 0
        while i < n:
            i = (i + 1) % 1000
        return i

    assert forever(0) == 0
    # Its processor time: how long it waits for a processor is not its own doing.
    clock = time.pthread_getcpuclockid(threading.get_ident())
    sent = []

    def interrupt() -> None:
        time.sleep(0.1)
        sent.append(time.clock_gettime(clock))
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        forever(2000)
    ended = time.clock_gettime(clock)
    thread.join()
    assert ended - sent[0] < 0.2


def test_eight_threads_compile_once() -> None:
    asked = []

    @jit
    def f(x):
        return three(x, x, 1)

    start = threading.Barrier(8)
    results = []

    def run() -> None:
        start.wait()
        results.append(f(7))
        asked.append(threading.get_ident())

    threads = [threading.Thread(target=run) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [50] * 8
    assert len(f.signatures) == len(f.compiled) == 1


def test_registration_while_others_call() -> None:
    from opwright.extending import overload

    def helper(x: Any) -> Any:
        return x

    @overload(helper)
    def of_helper(x: Any) -> Any:
        def body(x):
            return x + 1

        return body

    @jit
    def f(x):
        return helper(x)

    stop = threading.Event()
    wrong: list[Any] = []

    def call() -> None:
        while not stop.is_set():
            for value in (1, 1.5):
                found = f(value)
                if found != value + 1:
                    wrong.append(found)

    threads = [threading.Thread(target=call) for _ in range(4)]
    for thread in threads:
        thread.start()
    for _ in range(20):

        def other(x: Any) -> Any:
            return x

        overload(other)(lambda x: lambda x: x)
        time.sleep(0.005)
    stop.set()
    for thread in threads:
        thread.join()
    assert wrong == []


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_a_child_calls_and_compiles(tmp_path: Any) -> None:
    script = """
        import os, sys, threading
        sys.path[:0] = {path!r}
        from test_compiled_calls import looped, three
        from opwright import jit

        @jit
        def fresh(x):
            return three(x, x, 1)

        # What is imported while another thread forks stays locked in the child, which is Python's.
        fresh(1), looped(1)
        stop = threading.Event()

        def busy():
            value = 1
            while not stop.is_set():
                value += 1
                three.recompile()
                fresh(value)
                fresh(float(value))

        thread = threading.Thread(target=busy)
        thread.start()
        codes = []
        for _ in range(10):
            child = os.fork()
            if child == 0:
                ok = fresh(2) == 5 and fresh(2.0) == 5.0 and three(2, 2, True) == 5
                ok = ok and looped(10) == 45
                os._exit(0 if ok else 1)
            codes.append(os.waitpid(child, 0)[1])
        stop.set()
        thread.join()
        assert codes == [0] * 10, codes
    """
    path = [os.path.dirname(__file__), os.path.dirname(os.path.dirname(opwright.__file__))]
    file = tmp_path / "forks.py"
    file.write_text(textwrap.dedent(script).format(path=path))
    result = subprocess.run(
        [sys.executable, file],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert result.returncode == 0, result.stderr


def test_importing_the_package_does_not_load_the_compiler() -> None:
    script = (
        "import sys, opwright; print([it for it in sys.modules if it.startswith('opwright._jit')])"
    )
    result = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert result.stdout.strip() == "[]"
