"""Calls operators while another thread changes what they read, through arrays that were lent.

`python racing_calls.py EVERY SECONDS` calls every so-many-th operator, each for so long. Any
error will do, any result too; but neither a crash nor a panic.
"""

import resource
import sys
import threading
import time
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import opwright
from bound_operators import Operator
from opwright import _C
from opwright.testing import _samples
from opwright.testing._elements import DTYPES, Elements
from opwright.testing._samples import Call
from trials import ByHand, Trial, accepted, changed, chosen, make, panic, shown, tensors

# What a call may take on top of what is there.
MEMORY = 2 << 30

# A call should be over after so many seconds, so that there is time for many.
SOON = 0.02

Array = np.ndarray[Any, Any]

# What was valid becomes one of these; no memory is that far away.
WILD = {
    "b": np.array([0, 1, 1, 0, 2, 255, 128], "uint8"),
    "u": np.array([0, 1, 255, 3], "uint8"),
    "i": np.array([1 << 40, -(1 << 40), 1 << 62, -1, -(1 << 63), 7, -600, 1 << 20], "int64"),
    "f": np.array([np.nan, 3.0, np.inf, -np.inf, -0.0, -7.0, np.nan, 1e30], "float64"),
    "c": np.array([np.nan, 3j, np.inf, -1e30j, -0.0, 1 - 7j], "complex128"),
}

# Near to what was valid.
MILD = {
    "b": np.array([1], "uint8"),
    "u": np.array([3, 0, 2], "uint8"),
    "i": np.array([7, 1, 2, 0], "int64"),
    "f": np.array([5.0, -0.0, 3.0], "float64"),
    "c": np.array([3j, 1 - 7j], "complex128"),
}

INDICES, VALUES = "bui", "fc"


def getitem(tensor: Any, *index: Any) -> Any:
    """What brackets do."""
    return tensor[index]


def setitem(tensor: Any, value: Any, *index: Any) -> None:
    """What an assignment to brackets does."""
    tensor[index] = value


def indexings(*more: Elements) -> Iterator[Call]:
    """Tensors of one and two dimensions, what is assigned if anything is, indices and masks."""
    floats, square = _samples.of([0.5, 0.25], "float32"), _samples.of(np.eye(2), "float32")
    index, indices = _samples.of([1, 0], "int64"), _samples.of([[1, 0], [0, 1]], "int64")
    mask, masks = _samples.of([True, False], "bool"), _samples.of(np.eye(2) > 0, "bool")
    for it in (index, indices, _samples.of([1, 0], "int32"), mask):
        yield (floats, *more, it), {}
        yield (square, *more, it), {}
        yield (square, *more, slice(None), it), {}
    for both in ((index, index), (mask, index), (masks,)):
        yield (square, *more, *both), {}
    for one in (_samples.of(1, "int64"), _samples.of(True, "bool")):
        yield (square, *more, one), {}


BRACKETS = [
    ByHand("x[...]", getitem, (), tuple(indexings())),
    ByHand("x[...] = y", setitem, (), tuple(indexings(_samples.of(1.0, "float32")))),
]


def kind(elements: Elements) -> str:
    """The letter of numpy for the kind of elements."""
    return np.dtype(DTYPES[elements.dtype]).kind


def enlarged(call: Call, length: int) -> Call:
    """The call with longer tensors."""

    def change(elements: Elements, _: int) -> Elements:
        sizes = [length if size == 2 else size for size in elements.values.shape]
        return elements.reshaped(lambda values: np.resize(values, sizes))

    return changed(call, change)


def arguments(call: Call) -> tuple[list[Array], Any, Any]:
    """The arrays of a call, and the arguments over their memory."""
    arrays: list[Array] = []

    def lend(elements: Elements, _: int) -> Any:
        arrays.append(elements.values.astype(DTYPES[elements.dtype]))
        return opwright.from_numpy(arrays[-1])

    args, kwargs = changed(call, lend)
    named = {name: _samples.made(_C, it) for name, it in kwargs.items()}
    return arrays, [_samples.made(_C, it) for it in args], named


def seconds_of(operator: Operator, call: Call) -> float | None:
    """How long the call takes; none if it is refused."""
    _, args, kwargs = arguments(call)
    start = time.process_time()
    try:
        operator.function(*args, **kwargs)
    except (*_samples.REFUSALS, MemoryError):
        return None
    return time.process_time() - start


def largest(operator: Operator, call: Call, most: int = 1 << 17) -> Call:
    """The call with tensors as large as it can take quickly, up to so many elements."""
    dims = max((it.values.ndim for it in tensors(call)), default=0)
    best = call
    for length in (8, 64, 300, 1 << 10, 1 << 13, 1 << 15, 1 << 20):
        if dims == 0 or length**dims > most:
            break
        larger = enlarged(call, length)
        seconds = seconds_of(operator, larger)
        if seconds is None or seconds > SOON:
            break
        best = larger
    return best


def fillings(array: Array) -> Iterator[tuple[Array, Array, Array]]:
    """An array of one dimension over the memory of another, what it holds, and what it may."""
    flat = array.reshape(-1)
    good = flat.copy()
    for table in (WILD, MILD):
        wild = table[array.dtype.kind]
        with np.errstate(all="ignore"):
            bad = np.resize(wild, flat.shape).astype(
                wild.dtype if array.dtype == bool else array.dtype
            )
        yield flat.view(bad.dtype), good.view(bad.dtype), bad


class Changer:
    """Changes arrays from a thread of its own, again and again."""

    def __init__(self, arrays: list[Array]) -> None:
        self.arrays = arrays
        self.stop = False
        self.thread = threading.Thread(target=self.run)

    def run(self) -> None:
        """Changes them until it is told to stop."""
        pairs = [pair for array in self.arrays for pair in fillings(array)]
        while not self.stop:
            for array, good, bad in pairs:
                # Numpy gives Python's lock away for these.
                np.copyto(array, bad)
                np.copyto(array, good)
                np.copyto(array[::3], bad[::3])
                np.copyto(array, good)

    def __enter__(self) -> None:
        self.thread.start()

    def __exit__(self, *_: object) -> None:
        self.stop = True
        self.thread.join()


@dataclass(frozen=True)
class Race:
    """Calls while tensors of some kinds change."""

    operator: Operator
    call: Call
    kinds: str
    seconds: float

    def __call__(self) -> str | None:
        """What is wrong, if anything is."""
        call = largest(self.operator, self.call)
        arrays, args, kwargs = arguments(call)
        those = [it for it in arrays if it.dtype.kind in self.kinds and it.ndim]
        those = those or [it for it in arrays if it.dtype.kind in self.kinds]
        end = time.monotonic() + self.seconds
        wrong = None
        with Changer(those):
            made = 0
            while made < 3 or (time.monotonic() < end and not wrong):
                made += 1
                wrong = wrong or self.once(args, kwargs)
        return wrong

    def once(self, args: Any, kwargs: Any) -> str | None:
        """Calls; what it must not raise."""
        try:
            self.operator.function(*args, **kwargs)
        except Exception as error:
            return panic(error)
        return None


def reads_indices(operator: Operator, call: Call) -> bool:
    """Whether a tensor has to hold whole numbers, as indices do."""

    def refuses(place: int) -> bool:
        def cast(elements: Elements, at: int) -> Elements:
            return elements.cast("float32") if at == place else elements

        return seconds_of(operator, changed(call, cast)) is None

    return any(kind(it) in INDICES and refuses(at) for at, it in enumerate(tensors(call)))


def varied(calls: Iterator[Call], count: int) -> list[Call]:
    """Calls whose tensors have other dtypes and dimensions than those of the others."""
    found: dict[Any, Call] = {}
    for call in calls:
        key = tuple((it.dtype, it.values.ndim) for it in tensors(call))
        found.setdefault(key, call)
    # Those with indices in them first.
    order = sorted(found, key=lambda it: -len({dtype for dtype, _ in it if dtype in LENT}))
    return [found[it] for it in order[:count]]


LENT = {"int64", "bool", "uint8"}


def calls(operator: Operator) -> Iterator[Call]:
    """Some calls of an operator."""
    if isinstance(operator, ByHand):
        yield from operator.given
    for overload in operator.overloads:
        yield from varied(accepted(operator, overload, 20), 3)


def trials(seconds: float, operator: Operator) -> Iterator[Trial]:
    """The trials of an operator."""
    seen: set[str] = set()
    for call in calls(operator):
        indices = reads_indices(operator, call)
        for kinds in (INDICES, VALUES):
            name = f"{shown(operator, call)} while {kinds} change"
            if name not in seen and any(kind(it) in kinds for it in tensors(call)):
                seen.add(name)
                # Others have less to lose.
                long = seconds if indices and kinds == INDICES else seconds / 4
                yield Trial(name, Race(operator, call, kinds, long))


def limit_memory() -> None:
    """Lets the process have only so much more memory than it has."""
    with open("/proc/self/statm") as statm:
        pages = int(statm.read().split()[0])
    limit = pages * resource.getpagesize() + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def main(every: int, seconds: float) -> None:
    """Makes the trials."""
    warnings.simplefilter("ignore")
    opwright.set_num_threads(2)
    opwright.ones(1_000_000).sum()
    # Other threads run during short calls, too.
    _C._gil_threshold(0)
    sys.setswitchinterval(1e-5)
    limit_memory()
    make(partial(trials, seconds), [*chosen(every), *BRACKETS])


if __name__ == "__main__":
    main(int(sys.argv[1]), float(sys.argv[2]))
