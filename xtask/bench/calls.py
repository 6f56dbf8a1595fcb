"""What a call from Python costs, beside the same call through other bindings.

`C` is a binding written by hand with exact type checks; it, nanobind and PyO3 alone bind the same
two overloads over the same kernel. `minimal` is C with a kernel of its own, for vectors of floats,
numbers and one keyword, and no more: the floor. All run in one process, in alternation.

Usage: calls.py [--out FILE]

With a file, the calls that README.md shows are kept there: `docs/data/calls.json`.
"""

from __future__ import annotations

import argparse
import platform
import resource
import statistics
import subprocess
import sys
import time
import timeit
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bench_c
import bench_minimal
import bench_nanobind
import bench_overloads
import bench_pyo3
import numpy as np
import opwright

sys.path.append(str(Path(__file__).parents[1] / "site"))
import measurements
from measurements import Calls

ROUNDS = 15
SMALL = [1.0, 2.0, 3.0, 4.0]
COLUMNS = ["opwright", "minimal", "C", "nanobind", "PyO3", "numpy"]

# Statements that numpy takes as they are, and that shall not take longer than with it.
OF_NUMPY = [
    *["a.shape", "a.shape[0]", "a[0, 1]", "a[:, 1]", "v[half]", "a[0] = 1.0", "v[0] = 1.0"],
    *["a[0, 1] = 1.0", "for _ in line: pass", "sort(v)"],
]

# The calls that are kept, and what README.md calls them.
CAUGHT = "add(a, 'x'), caught"
KEPT = {
    it: "a wrong call, caught" if it == CAUGHT else f"`{it}`"
    for it in (
        *("add(a, b)", "a + b", "add(a, b, alpha=2)", "add(a, 1.0)", "add(a, b, out=out)"),
        *("a.dim()", CAUGHT, "a.view(2, 8)", "a.sum(0)", "a[0]"),
    )
}

FIRST, SECOND, LAST = (f"choose(a, how), {it} of 8" for it in ("first", "second", "last"))

Names = dict[str, Any]


@dataclass
class Row:
    """A statement with the names in it, by library; what a library lacks is left out."""

    name: str
    calls: dict[str, tuple[str, Names]]


def nanoseconds(row: Row) -> dict[str, float]:
    """Medians over rounds in which every library has its turn.

    What other programs do meanwhile is not counted.
    """
    timers = {
        library: timeit.Timer(code, globals=names, timer=time.thread_time)
        for library, (code, names) in row.calls.items()
    }
    counts = {library: max(1, timer.autorange()[0] // 10) for library, timer in timers.items()}
    rounds: dict[str, list[float]] = {library: [] for library in timers}
    for _ in range(ROUNDS):
        for library, timer in timers.items():
            count = counts[library]
            rounds[library].append(timer.timeit(count) / count * 1e9)
    return {library: statistics.median(times) for library, times in rounds.items()}


WRONG = """\
try:
    add(a, 'x')
except TypeError:
    pass
else:
    raise AssertionError('the call was not refused')"""

ADDITIONS = {
    "add(a, b)": "add(a, b)",
    "add(a, b, alpha=2)": "add(a, b, alpha=2)",
    "add(a, 1.0)": "add(a, 1.0)",
    "a + b": "a + b",
    "a.add(b)": "a.add(b)",
    "add(a, b, out=out)": "add(a, b, out=out)",
    "a.dim()": "a.dim()",
    "add(a, 'x'), caught": WRONG,
}

# What the shortest code that adds has of them.
MINIMAL = {it: ADDITIONS[it] for it in [*list(ADDITIONS)[:3], "a + b"]}

# What numpy has of them; it has no method, so that row is about its function.
ADDITIONS_OF_NUMPY = {
    "add(a, b)": "add(a, b)",
    "add(a, 1.0)": "add(a, 1.0)",
    "a + b": "a + b",
    "a.add(b)": "add(a, b)",
    "add(a, b, out=out)": "add(a, b, out=out)",
}


def shared_rows() -> list[Row]:
    """One row for each addition, with everybody who can do it."""
    libraries: dict[str, tuple[dict[str, str], Names]] = {}
    modules = {"opwright": opwright, "C": bench_c, "nanobind": bench_nanobind, "PyO3": bench_pyo3}
    for library, module in modules.items():
        names = {name: module.tensor(SMALL) for name in ("a", "b", "out")}
        libraries[library] = ADDITIONS, names | {"add": module.add}
    vectors = {name: bench_minimal.tensor(SMALL) for name in ("a", "b")}
    libraries["minimal"] = MINIMAL, vectors | {"add": bench_minimal.add}
    arrays = {name: np.array(SMALL, np.float32) for name in ("a", "b", "out")}
    libraries["numpy"] = ADDITIONS_OF_NUMPY, arrays | {"add": np.add}
    return [
        Row(
            name,
            {
                library: (codes[name], names)
                for library, (codes, names) in libraries.items()
                if name in codes
            },
        )
        for name in ADDITIONS
    ]


def others() -> list[Row]:
    """What only numpy has beside it, and what shows the cost of overloads."""
    ours: Names = {
        "a": opwright.ones(4, 4),
        "mask": opwright.tensor([True, False]),
        "b": opwright.ones(2),
        "where": opwright.where,
        "max": opwright.max,
        "v": opwright.tensor(SMALL),
        "half": opwright.tensor(SMALL) > 2,
        "line": opwright.ones(10_000),
        "sort": opwright.sort,
    }
    theirs: Names = {
        "a": np.ones((4, 4), np.float32),
        "v": np.array(SMALL, np.float32),
        "half": np.array(SMALL) > 2,
        "line": np.ones(10_000, np.float32),
        "sort": np.sort,
    }
    rows = [
        ("a.view(2, 8)", "a.view(2, 8)", "a.reshape(2, 8)"),
        ("a.sum(0)", "a.sum(0)", "a.sum(0)"),
        ("a[0]", "a[0]", "a[0]"),
        ("a[1:3]", "a[1:3]", "a[1:3]"),
        *((it, it, it) for it in OF_NUMPY),
        ("max(b), one of 3 overloads", "max(b)", None),
        ("where(mask, b, b), one of 5", "where(mask, b, b)", None),
        ("where(mask, 1, 2), one of 5", "where(mask, 1, 2)", None),
    ]
    return [
        Row(name, {"opwright": (code, ours)} | ({"numpy": (other, theirs)} if other else {}))
        for name, code, other in rows
    ]


def overloads() -> list[Row]:
    """A function of eight overloads, by the first two and the last of them that are tried."""
    values: Names = {
        "tuple[int]": (1,),
        "layout": bench_overloads.strided,
        "memory_format": bench_overloads.contiguous_format,
        "dtype": bench_overloads.float32,
        "Tensor": bench_overloads.tensor(SMALL),
        "bool": True,
        "str": "text",
        "device": bench_overloads.device("cpu"),
    }
    texts = bench_overloads._signatures("choose")
    kinds = [text.split(", ")[1].removesuffix(" how)") for text in texts]
    assert len(kinds) == 8
    common: Names = {"choose": bench_overloads.choose, "a": bench_overloads.tensor(SMALL)}
    return [
        Row(name, {"opwright": ("choose(a, how)", common | {"how": values[kinds[at]]})})
        for name, at in [(FIRST, 0), (SECOND, 1), (LAST, -1)]
    ]


def import_time() -> float:
    """Milliseconds of a process that imports the module, without those of one that does not."""

    def used() -> float:
        children = resource.getrusage(resource.RUSAGE_CHILDREN)
        return children.ru_utime + children.ru_stime

    def run(code: str) -> float:
        start = used()
        subprocess.run([sys.executable, "-c", code], check=True)
        return used() - start

    with_module, without = zip(*((run("import opwright"), run("")) for _ in range(21)), strict=True)
    return float(statistics.median(with_module) - statistics.median(without)) * 1e3


def print_table(rows: list[Row]) -> dict[str, dict[str, float]]:
    """Prints each row, and returns its times."""
    times = {}
    print(f"{'ns per call':<28}" + "".join(f"{it:>10}" for it in COLUMNS))
    for row in rows:
        measured = times[row.name] = nanoseconds(row)
        cells = [f"{measured[it]:,.0f}" if it in measured else "" for it in COLUMNS]
        print(f"{row.name:<28}" + "".join(f"{it:>10}" for it in cells))
    return times


def print_targets(times: dict[str, dict[str, float]]) -> None:
    """Prints what calls should cost at most, and what they do."""

    def target(what: str, ratio: float, most: float) -> None:
        verdict = "reached" if ratio <= most else "MISSED"
        print(f"{what:<56}{ratio:>8.2f}{most:>8.2f}  {verdict}")

    def against(name: str, library: str, most: float) -> None:
        row = times[name]
        target(f"{name} / {library}", row["opwright"] / row[library], most)

    def rows(name: str, other: str, most: float) -> None:
        ratio = times[name]["opwright"] / times[other]["opwright"]
        target(f"{name} / {other}", ratio, most)

    print(f"\n{'ratio':<56}{'is':>8}{'at most':>8}")
    for name in ("add(a, b)", "a + b", "a.add(b)"):
        against(name, "C", 1.5)
        against(name, "numpy", 0.5)
    against("add(a, b)", "minimal", 2.2)
    against("add(a, b, alpha=2)", "C", 1.6)
    against("add(a, b, alpha=2)", "minimal", 2.0)
    against("add(a, 1.0)", "minimal", 2.0)
    rows("add(a, 1.0)", "add(a, b)", 1.15)
    rows(LAST, FIRST, 1.25)
    rows(LAST, SECOND, 1.25)
    against("a.dim()", "C", 1.3)
    for name in ("a.view(2, 8)", "a.sum(0)", "a[0]", "a[1:3]", *OF_NUMPY):
        against(name, "numpy", 1.0)
    target("a wrong call, caught, in us", times[CAUGHT]["opwright"] / 1e3, 3.0)
    target("import opwright, in ms", import_time(), 15.0)


def recorded(times: dict[str, dict[str, float]]) -> Calls:
    """The table as it is kept; the floor is no library."""
    libraries = [it for it in COLUMNS if it != "minimal"]
    return {
        "machine": f"{platform.machine()} with CPython {platform.python_version()}",
        "calls": [
            {
                "call": shown,
                "nanoseconds": {
                    it: round(times[name][it]) for it in libraries if it in times[name]
                },
            }
            for name, shown in KEPT.items()
        ],
    }


def main(out: Path | None) -> None:
    """Prints the table and what it says of the targets, and may keep it."""
    times = print_table(shared_rows() + others() + overloads())
    print_targets(times)
    if out is not None:
        measurements.write(out, recorded(times))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Measures calls beside those of other bindings.")
    parser.add_argument("--out", type=Path)
    main(parser.parse_args().out)
