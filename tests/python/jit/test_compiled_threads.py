"""Calls of compiled functions while others call, compile, register, interrupt and fork."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from typing import Any

import opwright
import pytest
from called_functions import three
from opwright import jit


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
        from called_functions import looped, three
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
