"""Calls operators from several threads on one tensor, and from a fork of a process that has some.

`python threaded_calls.py EVERY` calls every so-many-th operator. Any error will do, but nobody
may wait for ever, and what was written stays written.
"""

import contextlib
import os
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import opwright
from bound_operators import Operator
from opwright import _C
from opwright.testing import _samples
from opwright.testing._elements import Elements
from opwright.testing._samples import Call
from racing_calls import largest
from shared_calls import alike, arrays, results, seeded
from trials import Trial, accepted, changed, chosen, make, panic, shown, tensors

# So long may a child of a fork take; it makes one call.
SECONDS = 20

Make = Callable[[], tuple[Any, Any]]


def fresh(elements: Elements) -> Any:
    """A tensor of the same sizes, to which nobody wrote yet."""
    sizes = elements.values.shape
    return _C.empty(sizes, dtype=getattr(_C, elements.dtype))


def made(call: Call, change: Callable[[Elements, int], Any]) -> tuple[list[Any], dict[str, Any]]:
    """The arguments, with tensors of one's own."""
    args, kwargs = changed(call, change)
    named = {name: _samples.made(_C, it) for name, it in kwargs.items()}
    return [_samples.made(_C, it) for it in args], named


def at_once(calls: list[Callable[[], Any]]) -> str | None:
    """Runs calls in a thread each; what none of them may raise."""
    barrier = threading.Barrier(len(calls))
    found: list[str] = []

    def work(call: Callable[[], Any]) -> None:
        barrier.wait()
        try:
            call()
        except Exception as error:
            if wrong := panic(error):
                found.append(wrong)

    threads = [threading.Thread(target=work, args=(it,)) for it in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found[0] if found else None


def ignoring(call: Callable[[], Any], times: int = 3) -> Callable[[], Any]:
    """Calls several times, and ignores what is refused."""

    def run() -> None:
        for _ in range(times):
            try:
                call()
            except (*_samples.REFUSALS, MemoryError) as error:
                if panic(error):
                    raise

    return run


@dataclass(frozen=True)
class Fresh:
    """First reads of memory from several threads: of all of it, and of small views."""

    operator: Operator
    call: Call
    large: Call
    count: int

    def __call__(self) -> str | None:
        """What is wrong, if anything is."""
        large, small = self.large, [it.values.shape for it in tensors(self.call)]
        for _ in range(2):
            them = [fresh(it) for it in tensors(large)]

            def view(_: Elements, at: int, them: list[Any] = them) -> Any:
                return them[at][tuple(slice(0, size) for size in small[at])]

            def whole(_: Elements, at: int, them: list[Any] = them) -> Any:
                return them[at]

            calls = []
            for number in range(self.count):
                args, kwargs = made(large, view if number % 2 else whole)
                calls.append(ignoring(lambda a=args, k=kwargs: self.operator.function(*a, **k)))
            if wrong := at_once(calls):
                return wrong
        return None


@dataclass(frozen=True)
class Resized:
    """`out=` gets other sizes while others read it."""

    operator: Operator
    call: Call
    large: Call
    count: int

    def __call__(self) -> str | None:
        """What is wrong, if anything is."""
        outs = results(self.operator, self.call)
        shared = [_C.empty([0], dtype=getattr(_C, str(it.dtype))) for it in outs]
        out = shared[0] if len(shared) == 1 else tuple(shared)
        views = [it[:] for it in shared]

        def write(call: Call) -> Callable[[], Any]:
            args, kwargs = made(call, lambda it, _: it)
            return ignoring(lambda: self.operator.function(*args, **kwargs, out=out), 8)

        def read() -> None:
            for it in [*shared, *views]:
                with contextlib.suppress(*_samples.REFUSALS):
                    it.numpy().sum()
                    it.tolist()
                    (it + it).sum()
                    it.reshape(-1)[:2].tolist()

        calls = [write(self.large), write(self.call), *[ignoring(read, 8)] * self.count]
        return at_once(calls[: max(self.count, 3)])


@dataclass(frozen=True)
class Kept:
    """What is written to new memory is not erased by those who read it meanwhile."""

    operator: Operator
    call: Call

    def __call__(self) -> str | None:
        """What is wrong, if anything is."""
        call = largest(self.operator, self.call, 1 << 18)
        expected = results(self.operator, call)
        for _ in range(4):
            news = [_C.empty(it.shape, dtype=getattr(_C, str(it.dtype))) for it in expected]
            if wrong := self.once(call, news):
                return wrong
            found = arrays(news)
            if not all(map(alike, found, expected)):
                return "what was written is not there any more"
        return None

    def once(self, call: Call, news: list[Any]) -> str | None:
        """Writes, and reads a little meanwhile."""
        done = threading.Event()
        out = news[0] if len(news) == 1 else tuple(news)

        def write() -> None:
            try:
                seeded(self.operator, call[0], {**call[1], "out": out})
            finally:
                done.set()

        def read() -> None:
            while not done.is_set():
                for it in news:
                    it.reshape(-1)[-1:].tolist()

        return at_once([write, read])


@dataclass(frozen=True)
class Forked:
    """A child that was forked while other threads were at work makes the call, too."""

    operator: Operator
    large: Call

    def __call__(self) -> str | None:
        """What is wrong, if anything is."""
        them = [fresh(it) for it in tensors(self.large)]
        args, kwargs = made(self.large, lambda _, at: them[at])
        stop = threading.Event()

        def work() -> None:
            while not stop.is_set():
                with contextlib.suppress(Exception):
                    self.operator.function(*args, **kwargs)

        thread = threading.Thread(target=work)
        thread.start()
        try:
            child = self.fork(args, kwargs)
        finally:
            stop.set()
            thread.join()
        _, status = os.waitpid(child, 0)
        if status == signal.SIGALRM:
            return "the child of a fork waits for ever"
        return f"the child of a fork ended with {status}" if status else None

    def fork(self, args: Any, kwargs: Any) -> int:
        """The number of a child that calls."""
        child = os.fork()
        if child == 0:
            # The signal's own action is the end.
            signal.setitimer(signal.ITIMER_REAL, SECONDS)
            with contextlib.suppress(BaseException):
                self.operator.function(*args, **kwargs)
            os._exit(0)
        return child


def kinds(operator: Operator, overload: Any, call: Call, number: int) -> Iterator[tuple[str, Any]]:
    """What is tried with a call."""
    count, large = 2 + number % 7, largest(operator, call)
    yield f"first reads from {count} threads", Fresh(operator, call, large, count)
    if "out" in overload.parameters:
        yield f"out= resized in {max(count, 3)} threads", Resized(operator, call, large, count)
        yield "out= written and read", Kept(operator, call)
    if hasattr(os, "fork"):
        yield "in a fork", Forked(operator, large)


def trials(operator: Operator) -> Iterator[Trial]:
    """The trials of an operator."""
    for overload in operator.overloads:
        for call in accepted(operator, overload, 1):
            if tensors(call):
                # More threads for some operators than for others.
                number = len(operator.name)
                for name, run in kinds(operator, overload, call, number):
                    yield Trial(f"{shown(operator, call)} {name}", run)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    opwright.set_num_threads(2)
    np.seterr(all="ignore")
    sys.setswitchinterval(1e-5)
    # Others read while short calls write.
    _C._gil_threshold(1 << 12)
    make(trials, chosen(int(sys.argv[1])))
