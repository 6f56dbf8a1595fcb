"""Calls operators with tensors of huge sizes, which hold no elements or the same one over and over.

`python huge_calls.py EVERY` calls every so-many-th operator. An answer, an error, or an
exception of the alarm has to come soon.
"""

import copy
import operator
import pickle
import resource
import signal
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import opwright
from bound_operators import Operator
from opwright.testing import _samples
from opwright.testing._elements import Elements
from opwright.testing._samples import Call
from trials import ByHand, Trial, accepted, changed, chosen, make, panic, perform, shown, tensors

# After so many seconds the alarm comes.
PATIENCE = 0.05

# Within so many it must be heard.
LIMIT = 0.2

# What a call may take on top of what is there; more must be refused.
MEMORY = 1 << 30

HUGE = 1 << 40


class Alarm(BaseException):
    """What the handler of the alarm raises."""


@dataclass(frozen=True)
class Huge:
    """A tensor to be: sizes, and the elements that are expanded to them."""

    sizes: tuple[int, ...]
    elements: Elements

    def __repr__(self) -> str:
        if 0 in self.sizes:
            return f"empty({list(self.sizes)}, dtype={self.elements.dtype})"
        values = self.elements.values.tolist()
        return f"tensor({values}, dtype={self.elements.dtype}).expand({list(self.sizes)})"

    def make(self, native: Any) -> Any:
        """The tensor."""
        if 0 in self.sizes:
            return native.empty(self.sizes, dtype=getattr(native, self.elements.dtype))
        return self.elements.tensor(native).expand(self.sizes)


# From a tensor's sizes and number to other sizes.
Sizes = Callable[[tuple[int, ...], int], tuple[int, ...]]


def spread(count: int, total: int) -> tuple[int, ...]:
    """So many sizes, whose product is a power of two."""
    exponent = total.bit_length() - 1
    return tuple(1 << (exponent + at) // count for at in range(count))


def zero_at(place: int, count: int) -> tuple[int, ...]:
    """Sizes of which one is zero, the others huge."""
    others = spread(max(count - 1, 1), HUGE)[: count - 1]
    place %= count
    return (*others[:place], 0, *others[place:])


EMPTY: dict[str, Sizes] = {
    "the first is 0": lambda sizes, _: zero_at(0, len(sizes)),
    "the last is 0": lambda sizes, _: zero_at(-1, len(sizes)),
    "turn by turn": lambda sizes, number: zero_at(-(number % 2), len(sizes)),
    "no batch": lambda sizes, _: (0, *spread(len(sizes), HUGE)),
    "no elements each": lambda sizes, _: (HUGE, *(0 for _ in sizes)),
    "no rows": lambda sizes, _: (HUGE, 0, *sizes[1:]),
    "no columns": lambda sizes, _: (0, HUGE),
}

EXPANDED: dict[str, Sizes] = {
    "all": lambda sizes, _: spread(len(sizes), HUGE),
    "batch": lambda sizes, _: (HUGE, *sizes),
    "rows": lambda sizes, _: (HUGE, *sizes[1:]),
    "columns": lambda sizes, _: (*sizes[:-1], 1 << 33),
}

NUMBERS = [1 << 31, HUGE, (1 << 63) - 1, -HUGE]


def resized(call: Call, sizes: Sizes, only: int | None) -> Call:
    """The call with tensors of other sizes; those without dimensions stay."""

    def change(elements: Elements, number: int) -> Elements | Huge:
        if elements.values.ndim == 0 or only not in (None, number):
            return elements
        new = sizes(elements.values.shape, number)
        return Huge(new, elements if fits(elements, new) else one_of(elements))

    return changed(call, change)


def fits(elements: Elements, sizes: tuple[int, ...]) -> bool:
    """Whether the elements can be expanded so."""
    old = elements.values.shape
    return all(a in (1, b) for a, b in zip(old[::-1], sizes[::-1], strict=False))


def one_of(elements: Elements) -> Elements:
    """The first of the elements alone."""
    return elements.reshaped(lambda values: values.flat[0])


def with_numbers(call: Call) -> Iterator[Call]:
    """The call with huge numbers in place of one small one after the other."""
    args, kwargs = call
    for number in NUMBERS:
        for at, value in enumerate(args):
            for new in exchanged(value, number):
                yield (*args[:at], new, *args[at + 1 :]), kwargs
        for name, value in kwargs.items():
            for new in exchanged(value, number):
                yield args, {**kwargs, name: new}


def exchanged(value: Any, number: int) -> Iterator[Any]:
    """Such values with a huge number."""
    if isinstance(value, int) and not isinstance(value, bool):
        yield number
    if isinstance(value, list | tuple):
        for at, it in enumerate(value):
            for new in exchanged(it, number):
                yield type(value)([*value[:at], new, *value[at + 1 :]])


def huge(call: Call) -> Iterator[Call]:
    """The huge forms of a call."""
    found = [it for it in tensors(call) if it.values.ndim]
    for sizes in [*EMPTY.values(), *EXPANDED.values()]:
        if found:
            yield resized(call, sizes, None)
        if len(found) > 1:
            yield resized(call, sizes, 0)
            yield resized(call, sizes, 1)
    yield from with_numbers(call)


def made(value: Any) -> Any:
    """An argument as it is passed, if it has huge tensors in it."""
    if isinstance(value, Huge):
        return value.make(opwright._C)
    if isinstance(value, list | tuple):
        return type(value)(made(it) for it in value)
    return value


def waiting() -> float:
    """How many seconds this thread has waited for a processor that others had."""
    with open("/proc/thread-self/schedstat") as schedstat:
        return int(schedstat.read().split()[1]) / 1e9


class Clock:
    """Raises an alarm, and knows how late it was heard."""

    def __init__(self) -> None:
        self.late: float | None = None
        signal.signal(signal.SIGALRM, self.ring)

    def ring(self, *_: Any) -> None:
        """Handles the signal."""
        # On a busy machine others have the processor for a while: that is not the call's fault.
        waited = waiting() - self.waited
        own = time.process_time() - self.processor
        self.late = min(time.perf_counter() - self.start - waited, own) - PATIENCE
        if self.armed:
            raise Alarm

    def listen(self, call: Callable[[], Any]) -> float:
        """Makes the call, and returns how late it heard the alarm; 0 if there was none."""
        self.late, self.armed = None, True
        self.start, self.processor = time.perf_counter(), time.process_time()
        self.waited = waiting()
        signal.setitimer(signal.ITIMER_REAL, PATIENCE)
        try:
            call()
        finally:
            self.armed = False
            signal.setitimer(signal.ITIMER_REAL, 0)
        return self.late or 0


def methods() -> Iterator[ByHand]:
    """What Python itself calls, with a tensor and nothing or little more."""
    matrix, line = _samples.TENSORS[0], _samples.TENSORS[1]
    functions: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
        "repr": (repr, ()),
        "format": (format, ("",)),
        "bool": (bool, ()),
        "index": (operator.index, ()),
        "len": (len, ()),
        "contains": (operator.contains, (1,)),
        "next(iter)": (lambda it: next(iter(it)), ()),
        "reversed": (reversed, ()),
        "setitem": (operator.setitem, (Ellipsis, 1)),
        "asarray": (np.asarray, ()),
        "copy": (copy.copy, ()),
        "deepcopy": (copy.deepcopy, ()),
        "dumps": (pickle.dumps, ()),
    }
    for name, (function, more) in functions.items():
        calls = tuple(((it, *more), {}) for it in (matrix, line))
        yield ByHand(name, function, (), calls)


def samples(operator: Operator) -> Iterator[Call]:
    """A call for each overload."""
    if isinstance(operator, ByHand):
        yield from operator.given
    for overload in operator.overloads:
        yield from accepted(operator, overload, 1)


def trials(clock: Clock, operator: Operator) -> Iterator[Trial]:
    """The trials of an operator."""
    names: set[str] = set()
    for call in samples(operator):
        for it in huge(call):
            name = shown(operator, it)
            if name not in names:
                names.add(name)
                yield Trial(name, Attempt(clock, operator, it))


@dataclass(frozen=True)
class Attempt:
    """A call that has to end soon."""

    clock: Clock
    operator: Operator
    call: Call

    def __call__(self) -> str | None:
        """What is wrong, if anything is."""
        for _ in range(3):
            late, wrong = self.once()
            if wrong or late < LIMIT:
                return wrong
        return f"the alarm was heard {late:.2f} seconds late"

    def once(self) -> tuple[float, str | None]:
        """How late it was, and what else is wrong."""
        args, kwargs = self.call
        call = tuple(map(made, args)), {name: made(it) for name, it in kwargs.items()}
        try:
            return self.clock.listen(lambda: perform(self.operator, call)), None
        except Alarm:
            pass
        except Exception as error:
            if wrong := panic(error):
                return 0, wrong
        return self.clock.late or 0, None


def limit_memory() -> None:
    """Lets the process have only so much more memory than it has."""
    with open("/proc/self/statm") as statm:
        pages = int(statm.read().split()[0])
    limit = pages * resource.getpagesize() + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    opwright.set_num_threads(2)
    opwright.ones(1_000_000).sum()
    limit_memory()
    np.seterr(all="ignore")
    make(partial(trials, Clock()), [*chosen(int(sys.argv[1])), *methods()])
