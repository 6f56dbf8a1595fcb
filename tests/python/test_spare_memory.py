"""Objects and memory that results leave behind for the next ones."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import threading
import weakref
from typing import Any

import opwright
import pytest


class Named(opwright.Tensor):
    """A subclass with attributes, which the garbage collector has to follow."""


def test_only_objects_with_attributes_are_tracked() -> None:
    assert not gc.is_tracked(opwright.ones(1) + 1)
    assert not gc.is_tracked(opwright.Tensor([1.0]))
    assert gc.is_tracked(opwright.ones(1).as_subclass(Named))


def test_a_new_object_knows_nothing_of_the_old_one() -> None:
    seen: list[Any] = []
    old = opwright.zeros(3)
    reference = weakref.ref(old, seen.append)
    place = id(old)
    del old
    assert seen == [reference]
    new = opwright.ones(2)
    if os.environ.get("OPWRIGHT_KEEP_MEMORY") != "0":
        assert id(new) == place
    assert reference() is None
    assert weakref.getweakrefcount(new) == 0
    assert new.tolist() == [1.0, 1.0]


def test_many_results_live_at_once() -> None:
    results = [opwright.full((3,), float(i)) for i in range(1000)]
    del results[::2]
    results += [opwright.full((3,), float(i)) for i in range(1000, 2000)]
    expected = [float(i) for i in (*range(1, 1000, 2), *range(1000, 2000))]
    assert [it.tolist() for it in results] == [[value] * 3 for value in expected]


def test_results_go_from_thread_to_thread() -> None:
    results: list[opwright.Tensor] = []

    def work() -> None:
        results.extend(opwright.full((5,), float(i)) for i in range(200))

    for _ in range(4):
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        assert [it.tolist()[4] for it in results] == [float(i) for i in range(200)]
        results.clear()


def test_classes_are_counted() -> None:
    # Outside of `assert`, which holds what it shows.
    before = sys.getrefcount(opwright.Tensor)
    results = [opwright.ones(1) for _ in range(100)]
    meanwhile = sys.getrefcount(opwright.Tensor)
    del results
    after = sys.getrefcount(opwright.Tensor)
    assert (meanwhile, after) == (before + 100, before)


def test_keeping_can_be_turned_off() -> None:
    code = "import opwright; print((opwright.ones(3) + opwright.ones(3)).sum().item())"
    environment = {**os.environ, "OPWRIGHT_KEEP_MEMORY": "0"}
    command = [sys.executable, "-c", code]
    assert subprocess.check_output(command, env=environment, text=True) == "6.0\n"


def test_other_classes_are_refused() -> None:
    class WithAttributes(opwright._C.TensorBase):
        pass

    for other in (WithAttributes, Named, int):
        with pytest.raises(TypeError, match="derived from TensorBase alone"):
            opwright._C._untracked(other)


LARGE = 9_000_000


@pytest.mark.skipif(sys.platform != "linux", reason="large memory is kept on Linux alone")
@pytest.mark.skipif(os.environ.get("OPWRIGHT_KEEP_MEMORY") == "0", reason="nothing is kept")
def test_large_memory_serves_the_next_results() -> None:
    x = opwright.ones(LARGE)
    first = x + 1
    place = first.data_ptr()
    del first
    second = x + 2
    assert second.data_ptr() == place
    assert bool((second == 3).all())
    del second
    # What nobody has written to shows nothing of what was there.
    assert not bool(opwright.empty(LARGE).any())
    assert not bool(opwright.zeros(LARGE).any())


def test_threads_share_large_memory() -> None:
    wrong: list[float] = []

    def work(number: float) -> None:
        for _ in range(10):
            result = opwright.full((LARGE,), number)
            wrong.extend([] if result[:: LARGE // 7].tolist() == [number] * 8 else [number])

    threads = [threading.Thread(target=work, args=(float(at),)) for at in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
