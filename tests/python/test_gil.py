"""Long calls let other threads run; short ones do not bother."""

import sys
import threading
import time

import opwright
import pytest


@pytest.fixture(autouse=True)
def one_kernel_thread():
    """Kernels run in the calling thread, so that only the GIL matters."""
    before = opwright.get_num_threads()
    opwright.set_num_threads(1)
    yield
    opwright.set_num_threads(before)


def progress_during(call):
    """How often another Python thread gets to run while `call` does."""
    ticks = 0
    started, done = threading.Event(), threading.Event()

    def count():
        nonlocal ticks
        started.set()
        while not done.is_set():
            ticks += 1
            time.sleep(0)

    counter = threading.Thread(target=count)
    interval = sys.getswitchinterval()
    # With the GIL held the counter could not run at all: it would have to wait for the call.
    sys.setswitchinterval(60)
    try:
        counter.start()
        started.wait()
        before = ticks
        call()
        after = ticks
    finally:
        sys.setswitchinterval(interval)
        done.set()
        counter.join()
    return after - before


def matrix(n):
    return opwright.rand(n, n)


LONG_CALLS = {
    "a function": lambda m: opwright.matmul(m, m),
    "a method": lambda m: m.matmul(m),
    "an operator": lambda m: m @ m,
    "out=": lambda m: opwright.matmul(m, m, out=opwright.empty(0)),
    "an in-place method": lambda m: opwright.ones(3000, 3000).exp_(),
    "a function of a list": lambda m: opwright.cat([m] * 40),
    "a factory": lambda m: opwright.rand(3000, 3000),
    "a submodule's function": lambda m: opwright.linalg.norm(opwright.ones(5000, 5000)),
}


@pytest.mark.parametrize("call", LONG_CALLS.values(), ids=LONG_CALLS.keys())
def test_another_thread_makes_progress_during_a_long_call(call):
    m = matrix(1500)
    assert progress_during(lambda: call(m)) > 0


def test_a_short_call_keeps_the_gil():
    a = opwright.ones(4)
    assert progress_during(lambda: opwright.add(a, a)) == 0


def test_threads_that_use_one_tensor_agree():
    total = opwright.zeros(1)
    parts = [opwright.full((100_000,), float(i)) for i in range(8)]
    sums = [None] * len(parts)

    def work(i):
        sums[i] = parts[i].sum().item()

    threads = [threading.Thread(target=work, args=(i,)) for i in range(len(parts))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for part in sums:
        total += part
    assert total.item() == sum(i * 100_000 for i in range(8))


def test_resizing_a_tensor_that_another_thread_reads():
    shared = opwright.ones(200_000)
    stop = threading.Event()
    failures = []

    def read():
        while not stop.is_set():
            value = shared.sum().item()
            if value not in (200_000.0, 3.0):
                failures.append(value)

    reader = threading.Thread(target=read)
    reader.start()
    small, large = opwright.ones(3), opwright.ones(200_000)
    for _ in range(200):
        opwright.mul(small, 1, out=shared)
        opwright.mul(large, 1, out=shared)
    stop.set()
    reader.join()
    assert all(0 <= value <= 200_000 for value in failures)
