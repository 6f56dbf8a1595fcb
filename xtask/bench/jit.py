"""What compiled functions cost: their calls, their first calls, their run time.

All run in one process, in alternation; numba beside it, if it is installed.
"""

from __future__ import annotations

import math
import statistics
import sys
import time
import timeit
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import opwright as ow
from hand_written import NUMBA
from opwright import extending
from programs import PROGRAMS

ROUNDS = 7
BACK_ENDS = ("cc", "cranelift", "vm")

Compiled = dict[str, Callable[..., Any]]


def compilers() -> dict[str, Callable[..., Any]]:
    """What compiles a function, by name."""
    ours = {name: _ours(name) for name in BACK_ENDS}
    return ours | ({} if NUMBA is None else {"numba": NUMBA.njit})


def _ours(back_end: str) -> Callable[..., Any]:
    return lambda function: ow.jit(function, backend=back_end)


def copied(arguments: Sequence[Any]) -> list[Any]:
    """Arguments that a call may write to."""
    return [it.copy() if isinstance(it, np.ndarray) else it for it in arguments]


def seconds(function: Callable[..., Any], arguments: Sequence[Any]) -> tuple[float, Any]:
    """How long one call computes, and what it returns."""
    own = copied(arguments)
    start = time.thread_time()
    result = function(*own)
    return time.thread_time() - start, result


def check(name: str, found: dict[str, Any]) -> None:
    """Ends the program if two of these differ."""
    (first, expected), *others = found.items()
    for other, result in others:
        if not np.allclose(result, expected, rtol=1e-10, equal_nan=True):
            sys.exit(f"{name}: {other} and {first} differ: {result} and {expected}")


def run_programs() -> None:
    """Prints first calls and run times of each program."""
    known = compilers()
    for compile_ in known.values():
        compile_(_one)(1.0)
    names = list(known)
    print("ms: run time; the first call: parsed, typed, compiled, run; the same less the run\n")
    print(f"{'':16}" + "".join(f"{name:>28}" for name in names))
    rows = []
    for function, arguments in PROGRAMS:
        rows.append(_program(function, arguments(np.random.default_rng(7)), known))
        cells = (
            f"{run * 1e3:10.2f} {first * 1e3:8.1f} {max(first - run, 0.0) * 1e3:8.1f}"
            for run, first in (rows[-1][name] for name in names)
        )
        print(f"{function.__name__:16}" + "".join(cells), flush=True)
    if NUMBA is not None:
        _beside_numba(rows)


def _one(x: float) -> float:
    return x + 1.0


def _program(
    function: Callable[..., Any], arguments: tuple[Any, ...], known: Compiled
) -> dict[str, tuple[float, float]]:
    """The median run time and the time of the first call, by compiler."""
    ready = {name: compile_(function) for name, compile_ in known.items()}
    first = {name: seconds(it, arguments) for name, it in ready.items()}
    check(function.__name__, {name: result for name, (_, result) in first.items()})
    rounds: dict[str, list[float]] = {name: [] for name in ready}
    for turn in range(ROUNDS):
        for name, it in ready.items():
            # What interprets takes seconds in all, and varies less.
            if name != "vm" or turn < 3:
                rounds[name].append(seconds(it, arguments)[0])
    return {name: (statistics.median(rounds[name]), first[name][0]) for name in ready}


def _beside_numba(rows: list[dict[str, tuple[float, float]]]) -> None:
    print("\nbeside numba: geometric means over the programs, and the greatest")
    for name in BACK_ENDS:
        run = [row[name][0] / row["numba"][0] for row in rows]
        first = [row[name][1] / row["numba"][1] for row in rows]
        ready = [_ready(row[name]) / _ready(row["numba"]) for row in rows]
        print(
            f"{name:10} run time {_mean(run):6.2f} ({max(run):.2f})"
            f"   first call 1/{1 / _mean(first):.0f} (1/{1 / max(first):.0f})"
            f", less the run 1/{1 / _mean(ready):.0f} (1/{1 / max(ready):.0f})"
        )


def _ready(row: tuple[float, float]) -> float:
    """How long the first call takes until it runs: less than a microsecond is not measured."""
    run, first = row
    return max(first - run, 1e-6)


def _mean(ratios: list[float]) -> float:
    return math.exp(statistics.fmean(map(math.log, ratios)))


def run_calls() -> None:
    """Prints what a call costs, by what it is called with."""
    rows = _calls()
    timers = [
        timeit.Timer("f(*args)", globals={"f": f, "args": args}, timer=time.thread_time)
        for _, f, args in rows
    ]
    for timer in timers:
        timer.timeit(1)
    times: list[list[float]] = [[] for _ in rows]
    for _ in range(5):
        for timer, row in zip(timers, times, strict=True):
            count = timer.autorange()[0] // 5 + 1
            row.append(timer.timeit(count) / count * 1e6)
    empty = timeit.Timer("f(*args)", globals={"f": int, "args": ()}, timer=time.thread_time)
    print(f"{'int()':44} {min(empty.repeat(5, 100_000)) / 0.1:7.3f} µs")
    for (name, _, _), row in zip(rows, times, strict=True):
        print(f"{name:44} {min(row):7.3f} µs")


@extending.native_struct
class Pair:
    """Two numbers."""

    low: float
    high: float


class Point:
    """Two attributes."""

    __slots__ = ("x", "y")

    def __init__(self, x: float, y: float) -> None:
        self.x, self.y = x, y


class PointType(ow.types.Type):
    """The type of points."""

    def __init__(self) -> None:
        super().__init__(name="Point")


@extending.typeof_impl.register(Point, constant=True)
def _type_of_point(value: Point, context: Any) -> Any:
    return POINT


@extending.register_model(PointType)
class _PointModel(extending.StructModel):
    def __init__(self, dmm: Any, fe_type: Any) -> None:
        members = [("x", ow.types.float64), ("y", ow.types.float64)]
        super().__init__(dmm, fe_type, members)


POINT = PointType()
extending.make_attribute_wrapper(PointType, "x", "x")
extending.make_attribute_wrapper(PointType, "y", "y")


class Interval:
    """Two attributes, of a class whose `unbox` is written in Python."""

    def __init__(self, lo: float, hi: float) -> None:
        self.lo, self.hi = lo, hi


class IntervalType(ow.types.Type):
    """The type of intervals."""

    def __init__(self) -> None:
        super().__init__(name="Interval")


INTERVAL = IntervalType()


@extending.typeof_impl.register(Interval, constant=True)
def _type_of_interval(value: Interval, context: Any) -> Any:
    return INTERVAL


@extending.register_model(IntervalType)
class _IntervalModel(extending.StructModel):
    def __init__(self, dmm: Any, fe_type: Any) -> None:
        members = [("lo", ow.types.float64), ("hi", ow.types.float64)]
        super().__init__(dmm, fe_type, members)


extending.make_attribute_wrapper(IntervalType, "lo", "lo")
extending.make_attribute_wrapper(IntervalType, "hi", "hi")


@extending.unbox(IntervalType)
def _unbox_interval(typ: Any, obj: Any, c: Any) -> Any:
    low = c.pyapi.object_getattr_string(obj, "lo")
    high = c.pyapi.object_getattr_string(obj, "hi")
    made = extending.create_struct_proxy(typ)(c.context, c.builder)
    made.lo = c.pyapi.float_as_double(low)
    made.hi = c.pyapi.float_as_double(high)
    c.pyapi.decref(low)
    c.pyapi.decref(high)
    failed = extending.is_not_null(c.builder, c.pyapi.err_occurred())
    return extending.NativeValue(made._getvalue(), is_error=failed)


def _nothing() -> int:
    return 1


def _three(a: float, b: float, c: float) -> float:
    return a * b + c


def _read(pair: Any) -> Any:
    return pair.low + pair.high


def _same(pair: Any) -> Any:
    return pair


def _element(a: Any) -> Any:
    return a[3]


def _both(p: Any) -> Any:
    return p.x + p.y


def _width(interval: Any) -> Any:
    return interval.hi - interval.lo


def _made(x: float) -> Any:
    return Pair(x, x)


def _calls() -> list[tuple[str, Callable[..., Any], tuple[Any, ...]]]:
    eight = np.arange(8.0)
    rows: list[tuple[str, Callable[..., Any], tuple[Any, ...]]] = [
        ("no argument", _nothing, ()),
        ("three floats, one out", _three, (1.0, 2.0, 3.0)),
        ("an array of 8, an element out", _element, (eight,)),
    ]
    structs: list[tuple[str, Callable[..., Any], tuple[Any, ...]]] = [
        ("a tensor of 8, an element out", _element, (ow.arange(8.0),)),
        ("a native struct", _read, (Pair(1.0, 2.0),)),
        ("a native struct, the same out", _same, (Pair(1.0, 2.0),)),
        ("a float, a new native struct out", _made, (1.0,)),
        ("a class of two attributes, derived unbox", _both, (Point(1.0, 2.0),)),
        ("a class whose unbox is written in Python", _width, (Interval(1.0, 2.0),)),
    ]
    ours: list[tuple[str, Callable[..., Any], tuple[Any, ...]]]
    ours = [(name, ow.jit(f), arguments) for name, f, arguments in rows + structs]
    if NUMBA is None:
        return ours
    return ours + [(f"numba: {name}", NUMBA.njit(f), arguments) for name, f, arguments in rows]


if __name__ == "__main__":
    print("a call, best of 5\n")
    run_calls()
    print()
    run_programs()
