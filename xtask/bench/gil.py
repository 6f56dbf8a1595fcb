"""What it costs and what it brings to run kernels without Python's lock.

Kernels are held to one thread, so that what is gained is gained by the threads of Python alone.
"""

from __future__ import annotations

import multiprocessing
import statistics
import sys
import threading
import time
import timeit
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection

import numpy as np
import opwright
from opwright import _C

ALWAYS, NEVER = 0, sys.maxsize
SIZES = (4, 256, 1024, 4096, 16_384, 65_536, 262_144)
LARGE = 100_000
ROUNDS = 9

Call = Callable[[], object]


@contextmanager
def threshold(elements: int) -> Iterator[None]:
    """Calls of so many elements release the lock."""
    before = _C._gil_threshold()
    _C._gil_threshold(elements)
    try:
        yield
    finally:
        _C._gil_threshold(before)


def nanoseconds(timer: timeit.Timer, count: int) -> float:
    """The time of one call."""
    return timer.timeit(count) / count * 1e9


def cost_of_release(size: int) -> tuple[float, float]:
    """The time of the cheapest kernel over so many elements with the lock held, and without it.

    The least of many rounds: what else the machine does can only add to it.
    """
    source, target = opwright.ones(size), opwright.ones(size)
    negate = opwright.neg
    timer = timeit.Timer(lambda: negate(source, out=target))
    count = max(1, timer.autorange()[0] // 40)
    held, released = [], []
    for _ in range(5 * ROUNDS):
        with threshold(NEVER):
            held.append(nanoseconds(timer, count))
        with threshold(ALWAYS):
            released.append(nanoseconds(timer, count))
    return min(held), min(released)


def print_costs() -> None:
    """The cost of a release beside the work that it is done for."""
    print(f"{'elements':>10}{'held, ns':>12}{'released, ns':>14}{'cost':>8}{'share':>8}")
    for size in SIZES:
        held, released = cost_of_release(size)
        cost = released - held
        print(f"{size:>10,}{held:>12,.0f}{released:>14,.0f}{cost:>8,.0f}{cost / held:>8.1%}")
    print(f"calls release the lock from {_C._gil_threshold():,} elements on\n")


def together(work: Call) -> float:
    """How long two threads take that both do the work."""
    threads = [threading.Thread(target=work) for _ in range(2)]
    start = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return time.perf_counter() - start


def one_after_the_other(work: Call) -> float:
    """How long it takes to do the work twice."""
    start = time.perf_counter()
    work()
    work()
    return time.perf_counter() - start


def loop(call: Call, count: int) -> Call:
    """The call, so many times."""

    def run() -> None:
        for _ in range(count):
            call()

    return run


def large_calls() -> dict[str, Call]:
    """Operators of many elements, in loops of some ten milliseconds."""
    x, y = opwright.rand(LARGE), opwright.rand(LARGE)
    return {
        "add(x, y)": loop(lambda: opwright.add(x, y), 1000),
        "sum(x)": loop(lambda: opwright.sum(x), 2000),
        "exp(x)": loop(lambda: opwright.exp(x), 500),
        "sin(x)": loop(lambda: opwright.sin(x), 200),
        "sort(x)": loop(lambda: opwright.sort(x), 10),
    }


def serve(connection: Connection) -> None:
    """What the other process does: runs the loops that it is told."""
    opwright.set_num_threads(1)
    calls = large_calls()
    while name := connection.recv():
        calls[name]()
        connection.send(None)


@contextmanager
def other_process() -> Iterator[Connection]:
    """A process that runs the loops, beside which no lock is shared."""
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=serve, args=(there,))
    process.start()
    try:
        yield here
    finally:
        here.send("")
        process.join()


def in_processes(name: str, work: Call, other: Connection) -> float:
    """How long two processes take that both do the work."""
    start = time.perf_counter()
    other.send(name)
    work()
    other.recv()
    return time.perf_counter() - start


def ratios(name: str, work: Call, other: Connection) -> tuple[float, float, float]:
    """Of two threads, of two that keep the lock, and of two processes, to one after the other."""
    in_processes(name, work, other)
    rounds = []
    for _ in range(ROUNDS):
        alone = one_after_the_other(work)
        released = together(work)
        with threshold(NEVER):
            held = together(work)
        rounds.append([it / alone for it in (released, held, in_processes(name, work, other))])
    released, held, processes = (statistics.median(it) for it in zip(*rounds, strict=True))
    return released, held, processes


def print_gains() -> float:
    """What two threads gain, and the greatest of the ratios.

    Two processes show what the machine can give at that moment.
    """
    print(f"{f'two at once, {LARGE:,} elements':<36}{'threads':>10}{'held':>10}{'processes':>10}")
    worst = 0.0
    with other_process() as other:
        for name, work in large_calls().items():
            released, held, processes = ratios(name, work, other)
            worst = max(worst, released)
            print(f"{name:<36}{released:>10.2f}{held:>10.2f}{processes:>10.2f}")
    return worst


@contextmanager
def busy_thread() -> Iterator[None]:
    """Another thread that computes in Python all the time."""
    done = threading.Event()

    def compute() -> None:
        total = 0
        while not done.is_set():
            for number in range(1000):
                total += number

    thread = threading.Thread(target=compute)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def small_calls() -> dict[str, float]:
    """Nanoseconds of a call of four elements while another thread is busy."""
    a, b = opwright.ones(4), opwright.ones(4)
    u, v = np.ones(4, np.float32), np.ones(4, np.float32)
    timers = {
        "opwright": timeit.Timer(lambda: opwright.add(a, b)),
        "numpy": timeit.Timer(lambda: np.add(u, v)),
    }
    times: dict[str, list[float]] = {name: [] for name in timers}
    with busy_thread():
        for _ in range(ROUNDS):
            for name, timer in timers.items():
                # Long enough for many changes of turn.
                times[name].append(nanoseconds(timer, 400_000))
    return {name: statistics.median(it) for name, it in times.items()}


def calls_of_many_threads(seconds: float) -> int:
    """How many calls end of threads that all run parallel kernels and compute in Python."""
    count = 0
    until = time.perf_counter() + seconds
    x = opwright.rand(1_000_000)

    def work() -> None:
        nonlocal count
        while time.perf_counter() < until:
            opwright.exp(x)
            sum(range(1000))
            count += 1

    threads = [threading.Thread(target=work, daemon=True) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
        if thread.is_alive():
            raise SystemExit("a thread does not get the lock back")
    return count


def print_target(what: str, ratio: float, most: float) -> None:
    """Prints what a ratio should be at most, and what it is."""
    verdict = "reached" if ratio <= most else "MISSED"
    print(f"{what:<52}{ratio:>8.2f}{most:>8.2f}  {verdict}")


def main() -> None:
    """Prints the tables and what they say of the targets."""
    kernel_threads = opwright.get_num_threads()
    opwright.set_num_threads(1)
    print_costs()
    gain = print_gains()
    small = small_calls()
    print(f"\n{'ratio':<52}{'is':>8}{'at most':>8}")
    print_target("two threads / one after the other, the worst", gain, 0.6)
    print_target(
        "add of 4 elements beside a busy thread / numpy's", small["opwright"] / small["numpy"], 1.0
    )
    opwright.set_num_threads(kernel_threads)
    print(f"8 threads with parallel kernels: {calls_of_many_threads(2.0):,} calls, none stuck")


if __name__ == "__main__":
    main()
