"""What compiled functions keep, and who may call them at once."""

from __future__ import annotations

import gc
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from opwright import jit, types
from opwright.extending import NativeValue, register_model, typeof_impl, unbox
from opwright.extending import models as known_models

STATM = Path("/proc/self/statm")


def resident() -> int:
    return int(STATM.read_text().split()[1])


@jit
def makes(n):
    total = 0.0
    for i in range(n):
        a = np.ones(100) * i
        b = a if i % 2 == 0 else a + 1.0
        total += b[3]
    return total, b


@pytest.mark.skipif(not STATM.exists(), reason="there is no /proc/self/statm")
def test_arrays_are_given_back() -> None:
    makes(10)
    before = resident()
    makes(200_000)
    for _ in range(2000):
        makes(3)
    assert resident() - before < 256


@pytest.mark.skipif(not STATM.exists(), reason="there is no /proc/self/statm")
def test_many_calls_need_no_memory() -> None:
    @jit
    def f(a, x):
        return a[0] + x, (x, a)

    a = np.ones(2)
    for _ in range(1000):
        f(a, 1.5)
    before = resident()
    for _ in range(100_000):
        f(a, 1.5)
    assert resident() - before < 64


def test_references_to_arguments() -> None:
    @jit
    def f(a, i):
        return a[i], a

    a = np.ones(3)
    f(a, 0)
    before = sys.getrefcount(a)
    for _ in range(100):
        f(a, 0)
        with pytest.raises(IndexError):
            f(a, 7)
    gc.collect()
    assert sys.getrefcount(a) == before


class Pair:
    """Two of anything."""

    def __init__(self, x: Any, y: Any) -> None:
        self.x, self.y = x, y


class PairType(types.Type):
    """The type of two numbers."""

    def __init__(self) -> None:
        super().__init__(name="Pair")


typeof_impl.register(Pair)(lambda value, c: PairType())


@register_model(PairType)
class PairModel(known_models.StructModel):
    """What they consist of."""

    def __init__(self, dmm: Any, fe_type: Any) -> None:
        members = [("x", types.float64), ("y", types.float64)]
        known_models.StructModel.__init__(self, dmm, fe_type, members)


def test_references_through_unbox() -> None:
    @unbox(PairType)
    def unbox_pair(typ: Any, obj: Any, c: Any) -> Any:
        x = c.pyapi.object_getattr_string(obj, "x")
        y = c.pyapi.object_getattr_string(obj, "y")
        members = (c.pyapi.float_as_double(x), c.pyapi.float_as_double(y))
        return NativeValue(members, is_error=c.pyapi.err_occurred() is not None)

    @jit
    def f(p):
        return 1.0

    text = "not a number"
    good, bad = Pair(1.0, 2.0), Pair(text, 2.0)
    f(good)
    before = sys.getrefcount(text)
    for _ in range(100):
        f(good)
        with pytest.raises(TypeError):
            f(bad)
    gc.collect()
    assert sys.getrefcount(text) <= before + 1


def test_threads_compile_once() -> None:
    calls = []

    @jit
    def f(x):
        s = 0
        for i in range(1000):
            s += i * x
        return s

    start = threading.Barrier(8)

    def run() -> None:
        start.wait()
        calls.append(f(3))

    threads = [threading.Thread(target=run) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert calls == [3 * 499_500] * 8
    assert len(f.compiled) == 1


def test_a_long_call_is_interrupted() -> None:
    import _thread
    import time

    @jit
    def forever(n):
        i = 0
        while i < n:
            i = (i + 1) % 1000
        return i

    timer = threading.Timer(0.2, _thread.interrupt_main)
    timer.start()
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        forever(2000)
    assert time.monotonic() - begin < 5
