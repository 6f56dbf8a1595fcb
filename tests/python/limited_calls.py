"""Calls operators with large tensors and with less and less memory.

`python limited_calls.py EVERY` calls every so-many-th operator. What comes is a result or an
exception, never the end of the process.
"""

import copy
import ctypes
import operator
import os
import pickle
import resource
import signal
import sys
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import opwright
from bound_operators import Operator
from opwright import _C
from opwright.testing import _samples
from opwright.testing._elements import of
from opwright.testing._samples import Call
from trials import ByHand, Trial, accepted, changed, chosen, make, panic, shown, tensors

# What tensors take, roughly; the smaller ones where a call takes long.
SIZES = [1 << 20, 1 << 18, 1 << 16]

# A call that takes longer gets smaller tensors.
PATIENCE = 0.5

# What a call may take beyond what is there, as a multiple of that.
SHORT = [0, 0.5, 1.5, 2.5, 3.5, 4.5, 6.5, 10.5]
LONG = [it / 4 for it in range(80)]
SHARES = LONG if os.environ.get("OPWRIGHT_EVERY") == "1" else SHORT

# From this size on the allocator asks the system, whose answer can be no.
ASKED_FOR = 1 << 16

UNLIMITED = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)


class TooSlow(BaseException):
    """What the handler of the alarm raises."""


def enlarged(call: Call, size: int) -> Call:
    """The call with dimensions of two elements all as long as need be; else with large sizes."""
    found = tensors(call)
    if not any(2 in it.values.shape for it in found):
        return exchanged(call) if not found else call
    most = max(it.values.shape.count(2) for it in found)
    length = round((size / 4) ** (1 / most))
    return changed(call, lambda it, _: it.reshaped(partial(stretched, length=length)))


def stretched(values: np.ndarray[Any, Any], length: int) -> np.ndarray[Any, Any]:
    """The elements over and over; a matrix stays one that has an inverse."""
    shape = [length if it == 2 else it for it in values.shape]
    large = np.resize(values, shape)
    if values.dtype.kind == "f" and values.ndim == 2 and shape[0] == shape[1]:
        large = large + 4 * length * np.eye(length)
    return large


def exchanged(call: Call) -> Call:
    """The call with large numbers in place of small ones that may be sizes."""

    def large(value: Any) -> Any:
        if isinstance(value, list | tuple):
            return type(value)(map(large, value))
        is_small = isinstance(value, int) and not isinstance(value, bool) and value > 0
        return 1000 if is_small else value

    args, kwargs = call
    return tuple(map(large, args)), {name: large(it) for name, it in kwargs.items()}


VECTOR, PLACES = _samples.TENSORS[1], _samples.TENSORS[2]
MASK = of([True, False], "bool")
ZEROS = _samples.Recipe("[0] * 100_000", lambda _: [0] * 100_000)


def by_hand(function: Callable[..., Any], *given: tuple[Any, ...]) -> ByHand:
    """A function, and arguments of it."""
    calls: tuple[Call, ...] = tuple((args, {}) for args in given or [(VECTOR,)])
    return ByHand(function.__name__, function, (), calls)


# What is no operator and can take memory, too.
PROTOCOLS = [
    by_hand(operator.getitem, (VECTOR, PLACES), (VECTOR, MASK), (VECTOR, ZEROS)),
    by_hand(operator.setitem, (VECTOR, PLACES, 1.0), (VECTOR, MASK, 2), (VECTOR, PLACES, VECTOR)),
    by_hand(opwright.tensor, (ZEROS,), ([[VECTOR] * 3] * 3,), (range(50_000),)),
    by_hand(opwright.cat, ([VECTOR] * 50,), ([np.ones(2)] * 50,)),
    by_hand(opwright.stack, ([VECTOR] * 50,)),
    by_hand(opwright.zeros, (ZEROS,)),
    by_hand(opwright.split, (VECTOR, ZEROS)),
    by_hand(opwright.permute, (VECTOR, ZEROS)),
    by_hand(opwright.sum, (VECTOR, ZEROS)),
    by_hand(opwright.broadcast_tensors, ([VECTOR] * 50,)),
    by_hand(opwright.einsum, (_samples.Recipe("'i' * 100_000", lambda _: "i" * 100_000), [VECTOR])),
    *(by_hand(it) for it in (repr, list, copy.deepcopy, pickle.dumps, np.asarray, np.sum)),
    by_hand(opwright.Tensor.tolist),
]


def trials(it: Operator) -> Iterator[Trial]:
    """The trials of an operator."""
    calls = list(it.given) if isinstance(it, ByHand) else []
    for overload in it.overloads:
        calls += accepted(it, overload, 1)
    for call in calls:
        yield Trial(shown(it, call), Attempt(it, call))


@dataclass(frozen=True)
class Attempt:
    """A call that is made with less and less memory."""

    operator: Operator
    call: Call

    def __call__(self) -> str | None:
        """What is wrong, if anything is."""
        for size in SIZES:
            call = enlarged(self.call, size)
            if self.is_quick(call):
                taken = sum(it.values.size * 4 for it in tensors(call)) or size
                return self.limited(call, taken)
        return None

    def is_quick(self, call: Call) -> bool:
        """Makes the call as it is, which also makes the stack as large as it has to be."""
        made = arguments(call)
        signal.setitimer(signal.ITIMER_REAL, PATIENCE)
        try:
            self.perform(made)
        except TooSlow:
            return False
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        return True

    def limited(self, call: Call, taken: int) -> str | None:
        """Makes the call until there is enough memory."""
        for share in SHARES:
            made = arguments(call)
            error = with_limit(int(share * taken), partial(self.perform, made))
            if error and (wrong := panic(error)):
                return wrong
            if not isinstance(error, MemoryError):
                return None
        return None

    def perform(self, call: Call) -> Exception | None:
        """Makes a call; returns what it raises."""
        args, kwargs = call
        try:
            self.operator.function(*args, **kwargs)
        except Exception as error:
            return error.with_traceback(None)
        return None


def arguments(call: Call) -> Call:
    """New arguments."""
    args, kwargs = call
    named = {name: _samples.made(_C, it) for name, it in kwargs.items()}
    return tuple(_samples.made(_C, it) for it in args), named


def with_limit(more: int, call: Callable[[], Exception | None]) -> Exception | None:
    """Makes a call while the process may have only so much more memory than it has."""
    with open("/proc/self/statm") as statm:
        pages = int(statm.read().split()[0])
    limit = pages * resource.getpagesize() + more
    resource.setrlimit(resource.RLIMIT_AS, (limit, resource.RLIM_INFINITY))
    try:
        return call()
    except MemoryError as error:
        # Of Python itself.
        return error
    finally:
        resource.setrlimit(resource.RLIMIT_AS, UNLIMITED)


def keep_crumbs() -> list[Any]:
    """Makes holes in the heap, so that what is small always finds a place; keeps what is between.

    No hole is as large as what the allocator asks the system for.
    """
    libc = ctypes.CDLL(None)
    libc.malloc.restype = ctypes.c_void_p
    libc.free.argtypes = [ctypes.c_void_p]
    blocks = [libc.malloc(ASKED_FOR * 3 // 4 if at % 2 else 48) for at in range(256)]
    for block in blocks[1::2]:
        libc.free(block)
    # The same for the pools of Python's objects.
    objects = [bytes(16 * (at % 30)) for at in range(60_000)]
    return objects[::97]


def deepen(levels: int) -> int:
    """Makes the stack large: a limit of memory counts what it grows by."""
    return len(sorted([0], key=lambda _: deepen(levels - 1))) if levels else 0


def too_slow(*_: Any) -> None:
    """Handles the signal."""
    raise TooSlow


if __name__ == "__main__":
    if os.environ.get("MALLOC_MMAP_THRESHOLD_") != str(ASKED_FOR):
        # The allocator looks at them once.
        settings = {"MALLOC_ARENA_MAX": "1", "MALLOC_MMAP_THRESHOLD_": str(ASKED_FOR)}
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, **settings})
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    signal.signal(signal.SIGALRM, too_slow)
    opwright.set_num_threads(2)
    # Starts the threads, which have memory of their own.
    opwright.ones(10_000_000).exp()
    deepen(300)
    crumbs = keep_crumbs()
    make(trials, [*PROTOCOLS, *chosen(int(sys.argv[1]))])
