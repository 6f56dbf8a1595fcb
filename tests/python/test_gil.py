"""Long calls let other threads run; short ones do not bother."""

import sys
import threading
import time

import opwright
import pytest
from opwright import _C


@pytest.fixture(autouse=True)
def one_kernel_thread():
    """Kernels run in the calling thread, so that only the GIL matters."""
    before = opwright.get_num_threads()
    opwright.set_num_threads(1)
    yield
    opwright.set_num_threads(before)


def progress_during(call, tries=1):
    """How often another Python thread gets to run while `call` does, until it first does."""
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
        for _ in range(tries):
            call()
            if ticks != before:
                break
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
    "a factory of sizes one by one": lambda m: opwright.full((3000, 3000), 1),
    "a factory of a number": lambda m: opwright.arange(9_000_000),
    "a method that makes more": lambda m: m[:2].repeat(2000, 1),
    "a column and a row": lambda m: opwright.ones(4000, 1) + opwright.ones(1, 4000),
    "what makes much of little": lambda m: opwright.outer(opwright.ones(4000), m[:2].ravel()),
    "a submodule's function": lambda m: opwright.linalg.norm(opwright.ones(5000, 5000)),
}


@pytest.mark.parametrize("call", LONG_CALLS.values(), ids=LONG_CALLS.keys())
def test_another_thread_makes_progress_during_a_long_call(call):
    m = matrix(1500)
    # On a busy machine the other thread may be too late for the first ones.
    assert progress_during(lambda: call(m), tries=50) > 0


MANY = opwright.ones(3000, 3000)

SHORT_CALLS = {
    "of a few": lambda: opwright.add(opwright.ones(4), 1),
    "of some thousands": lambda: opwright.add(opwright.ones(4000), opwright.ones(4000)),
    "a factory": lambda: opwright.zeros(30, 30),
    "a view of many": lambda: MANY.view(-1).expand(2000, -1),
    "a question about many": lambda: MANY.is_contiguous(),
}


@pytest.mark.parametrize("call", SHORT_CALLS.values(), ids=SHORT_CALLS.keys())
def test_a_short_call_keeps_the_gil(call):
    # Often enough for another thread to get a turn if it could.
    assert progress_during(lambda: [call() for _ in range(1000)]) == 0


@pytest.fixture
def threshold():
    """Moves the threshold; afterwards it is where it was."""
    before = _C._gil_threshold()
    yield _C._gil_threshold
    _C._gil_threshold(before)


def test_the_threshold_decides(threshold):
    m = matrix(800)
    assert threshold(sys.maxsize) == sys.maxsize
    assert progress_during(lambda: m @ m) == 0
    assert threshold(2 * m.numel()) == threshold()
    assert progress_during(lambda: m @ m, tries=50) > 0
    with pytest.raises(OverflowError):
        threshold(-1)


def test_parallel_kernels_and_threads_that_wait_do_not_hinder_each_other():
    opwright.set_num_threads(2)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    x = opwright.ones(300_000)
    sums = []

    def work():
        for _ in range(50):
            sums.append(opwright.exp(x * 0).sum().item() + sum(range(100)))

    threads = [threading.Thread(target=work, daemon=True) for _ in range(6)]
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(timeout=120)
    finally:
        sys.setswitchinterval(interval)
    assert not any(thread.is_alive() for thread in threads)
    assert sums == [300_000 + 4950] * 300


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


@pytest.mark.filterwarnings("ignore:.*was resized")
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
