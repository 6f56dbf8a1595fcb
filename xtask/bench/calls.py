"""What a call from Python costs, beside the same call through other bindings.

`C` is a binding written by hand with exact type checks, the floor; it, nanobind and PyO3 alone
bind the same two overloads over the same kernel. All run in one process, in alternation.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
import timeit
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import bench_c
import bench_nanobind
import bench_pyo3
import numpy as np
import opwright

ROUNDS = 15
SMALL = [1.0, 2.0, 3.0, 4.0]
COLUMNS = ["opwright", "C", "nanobind", "PyO3", "numpy"]

Call = Callable[[], object]


@dataclass
class Row:
    """One kind of call; what a library lacks is left out."""

    name: str
    calls: dict[str, Call]


def nanoseconds(calls: dict[str, Call]) -> dict[str, float]:
    """Medians over rounds in which every library has its turn."""
    timers = {library: timeit.Timer(call) for library, call in calls.items()}
    counts = {library: max(1, timer.autorange()[0] // 10) for library, timer in timers.items()}
    rounds: dict[str, list[float]] = {library: [] for library in calls}
    for _ in range(ROUNDS):
        for library, timer in timers.items():
            count = counts[library]
            rounds[library].append(timer.timeit(count) / count * 1e9)
    return {library: statistics.median(times) for library, times in rounds.items()}


def caught(call: Call) -> Call:
    """The call with its exception."""

    def run() -> None:
        try:
            call()
        except TypeError:
            return
        raise AssertionError("the call was not refused")

    return run


def additions(module: Any) -> dict[str, Call]:
    """What all bindings can do."""
    add = module.add
    a, b, out = (module.tensor(SMALL) for _ in range(3))
    return {
        "add(a, b)": lambda: add(a, b),
        "add(a, b, alpha=2)": lambda: add(a, b, alpha=2),
        "add(a, 1.0)": lambda: add(a, 1.0),
        "a + b": lambda: a + b,
        "a.add(b)": lambda: a.add(b),
        "add(a, b, out=out)": lambda: add(a, b, out=out),
        "a.dim()": lambda: a.dim(),
        "add(a, 'x'), caught": caught(lambda: add(a, "x")),
    }


def additions_of_numpy() -> dict[str, Call]:
    """Those of them that numpy has."""
    add = np.add
    a, b, out = (np.array(SMALL, np.float32) for _ in range(3))
    return {
        "add(a, b)": lambda: add(a, b),
        "add(a, 1.0)": lambda: add(a, 1.0),
        "a + b": lambda: a + b,
        "add(a, b, out=out)": lambda: add(a, b, out=out),
    }


def shared_rows() -> list[Row]:
    """One row for each addition, with everybody who can do it."""
    libraries = {
        "opwright": additions(opwright),
        "C": additions(bench_c),
        "nanobind": additions(bench_nanobind),
        "PyO3": additions(bench_pyo3),
        "numpy": additions_of_numpy(),
    }
    return [
        Row(name, {library: calls[name] for library, calls in libraries.items() if name in calls})
        for name in libraries["opwright"]
    ]


def others() -> list[Row]:
    """What only numpy has beside it, and what shows the cost of overloads."""
    m, u = opwright.ones(4, 4), np.ones((4, 4), np.float32)
    mask, a = opwright.tensor([True, False]), opwright.ones(2)
    where, largest = opwright.where, opwright.max
    rows: list[tuple[str, Call, Call | None]] = [
        ("a.view(2, 8)", lambda: m.view(2, 8), lambda: u.reshape(2, 8)),
        ("a.sum(0)", lambda: m.sum(0), lambda: u.sum(0)),
        ("a[0]", lambda: m[0], lambda: u[0]),
        ("a[1:3]", lambda: m[1:3], lambda: u[1:3]),
        ("max(a), one of 3 overloads", lambda: largest(a), None),
        ("where(mask, a, a), one of 5", lambda: where(mask, a, a), None),
        ("where(mask, 1, 2), one of 5", lambda: where(mask, 1, 2), None),
    ]
    return [
        Row(name, {"opwright": ours} | ({"numpy": theirs} if theirs else {}))
        for name, ours, theirs in rows
    ]


def import_time() -> float:
    """Milliseconds of a process that imports the module, without those of one that does not."""

    def run(code: str) -> float:
        start = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True)
        return time.perf_counter() - start

    with_module, without = zip(*((run("import opwright"), run("")) for _ in range(21)), strict=True)
    return float(statistics.median(with_module) - statistics.median(without)) * 1e3


def print_table(rows: list[Row]) -> dict[str, dict[str, float]]:
    """Prints each row, and returns its times."""
    times = {}
    print(f"{'ns per call':<28}" + "".join(f"{it:>10}" for it in COLUMNS))
    for row in rows:
        measured = times[row.name] = nanoseconds(row.calls)
        cells = [f"{measured[it]:,.0f}" if it in measured else "" for it in COLUMNS]
        print(f"{row.name:<28}" + "".join(f"{it:>10}" for it in cells))
    return times


def print_targets(times: dict[str, dict[str, float]]) -> None:
    """Prints what calls should cost at most, and what they do."""

    def target(what: str, ratio: float, most: float) -> None:
        verdict = "reached" if ratio <= most else "MISSED"
        print(f"{what:<44}{ratio:>8.2f}{most:>8.2f}  {verdict}")

    def against(name: str, library: str, most: float) -> None:
        row = times[name]
        target(f"{name} / {library}", row["opwright"] / row[library], most)

    print(f"\n{'ratio':<44}{'is':>8}{'at most':>8}")
    for name in ("add(a, b)", "a + b", "a.add(b)"):
        against(name, "C", 1.5)
    against("add(a, b)", "numpy", 0.5)
    against("add(a, b, alpha=2)", "C", 1.6)
    scalar, tensor = times["add(a, 1.0)"]["opwright"], times["add(a, b)"]["opwright"]
    target("add(a, 1.0) / add(a, b)", scalar / tensor, 1.15)
    against("a.dim()", "C", 1.3)
    for name in ("a.view(2, 8)", "a.sum(0)", "a[0]", "a[1:3]"):
        against(name, "numpy", 1.0)
    target("a wrong call, caught, in us", times["add(a, 'x'), caught"]["opwright"] / 1e3, 3.0)
    target("import opwright, in ms", import_time(), 15.0)


def main() -> None:
    """Prints the table and what it says of the targets."""
    print_targets(print_table(shared_rows() + others()))


if __name__ == "__main__":
    main()
