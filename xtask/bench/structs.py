"""What structs of Rust cost in Python, beside a dataclass of two numbers.

All run in one process, in alternation.
"""

from __future__ import annotations

import dataclasses
import importlib
import statistics
import time
import timeit
from typing import Any

ROUNDS = 15

# The module that was built of `examples/my_ops`.
my_ops: Any = importlib.import_module("my_ops")


@dataclasses.dataclass
class Plain:
    """What Python has."""

    lo: float
    hi: float = 1.0


def width_of(it: Plain) -> float:
    """What an operator does, in Python."""
    return it.hi - it.lo


interval = my_ops.Interval_t("of")
number = my_ops.types.double("x")

NAMES = {
    "Interval": my_ops.Interval,
    "Plain": Plain,
    "it": my_ops.Interval(1.0, 3.0),
    "plain": Plain(1.0, 3.0),
    "width": my_ops.width,
    "width_of": width_of,
    "in_graph": my_ops.function([interval], my_ops.width(interval), name="in_graph"),
    "field": my_ops.function([interval], interval.hi, name="field"),
    "nothing": my_ops.function([number], number, name="nothing"),
}

ROWS = [
    ("width(it)", "an operator"),
    ("in_graph(it)", "a function of one node"),
    ("field(it)", "a function that reads a field"),
    ("nothing(1.5)", "a function of a number, which does nothing"),
    ("width_of(plain)", "a function of Python and a dataclass"),
    ("it.lo", "a field"),
    ("plain.lo", "that of a dataclass"),
    ("it.hi = 3.0", "a field that is set"),
    ("plain.hi = 3.0", "that of a dataclass"),
    ("Interval(1.0, 3.0)", "a new value"),
    ("Interval(lo=1.0)", "with a default"),
    ("Plain(1.0, 3.0)", "a dataclass"),
]


def main() -> None:
    """Prints medians over rounds in which every statement has its turn."""
    timers = [timeit.Timer(code, globals=NAMES, timer=time.thread_time) for code, _ in ROWS]
    counts = [max(1, timer.autorange()[0] // 10) for timer in timers]
    rounds: list[list[float]] = [[] for _ in ROWS]
    for _ in range(ROUNDS):
        for timer, count, times in zip(timers, counts, rounds, strict=True):
            times.append(timer.timeit(count) / count * 1e9)
    for (code, about), times in zip(ROWS, rounds, strict=True):
        print(f"{code:20} {statistics.median(times):7.0f} ns   {about}")


main()
