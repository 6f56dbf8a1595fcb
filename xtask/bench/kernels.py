"""What kernels cost, beside the best of those who are there.

The others are numpy, and torch, numexpr, numba and scipy if they are installed:
`pip install numexpr numba scipy torch`; a build of torch for processors alone will do.

All run in one process, in alternation, with as many threads as said. A ratio is the time of
opwright over that of the fastest other one.

Calls of one operator are rows `[[benchmark]]` of `ops/src`; what takes more than that stands here.

Usage: kernels.py THREADS [WORD] [--out FILE]

With a word, only workloads whose name contains it run. With a file, the summary is kept there:
`docs/data/kernels.json` is what the guide shows.
"""

from __future__ import annotations

import argparse
import math
import os
import platform
import re
import sys
import time
import timeit
from collections import deque
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import opwright
import workload as arrays_of
from everyday import everyday
from hand_written import NUMBA, compiled
from workload import Names, Workload, integers, matrices, numbers

sys.path.append(str(Path(__file__).parents[2] / "tests/python"))
sys.path.append(str(Path(__file__).parents[1] / "site"))
import measurements
from measurements import Family, Kernels
from rows import rows

ROUNDS = 5
# Seconds that a round of one library takes at least.
SPAN = 0.002
# A workload is as fast as the best if it takes so much longer at most.
NOISE = 1.05
PEERS = ("numpy", "torch", "numexpr", "numba", "scipy")


def found(name: str) -> ModuleType | None:
    """A module, or nothing if it is not installed."""
    return import_module(name) if find_spec(name) is not None else None


TORCH, NUMEXPR, SCIPY = found("torch"), found("numexpr"), found("scipy")
SPECIAL = found("scipy.special") if SCIPY is not None else None
BLAS = found("scipy.linalg.blas") if SCIPY is not None else None


# --- workloads ----------------------------------------------------------------------------

LIBRARIES = {"opwright": "ow", "numpy": "np", "torch": "torch"}
LOOPS = compiled()
DTYPES = ("float32", "float64")
# Keys of a row `[[benchmark]]` that no library is called.
KEYS = {"op", "family", "name", "arrays", "tolerance"}
# Families in the order in which they are printed.
FAMILIES = (
    "elementwise",
    "strided",
    "reduction",
    "order",
    "nn",
    "convolution",
    "pooling",
    "normalization",
    "attention",
    "recurrent",
    "resampling",
    "matmul",
    "linalg",
    "indexing",
    "fft",
    "random",
    "creation",
    "few elements",
    "conversion",
    "short dim",
    "iteration",
)
# What the guide calls families whose names say little.
TITLES = {
    "elementwise": "functions of elements",
    "strided": "strided operands",
    "reduction": "reductions",
    "order": "sorting, searching, counting",
    "nn": "activations, softmax, losses",
    "matmul": "products of matrices",
    "linalg": "decompositions",
    "indexing": "indexing, joining, repeating",
    "fft": "Fourier transforms",
    "random": "random numbers",
    "few elements": "calls with four elements",
    "conversion": "conversions of dtypes",
    "short dim": "reductions of short dimensions",
    "iteration": "iterating over elements",
}


def workloads() -> list[Workload]:
    """All of them, by family."""
    kinds = (calls(), syntax(), strided(), products(), indexing(), everyday())
    made = [it for kind in kinds for it in kind]
    return sorted(made, key=lambda it: FAMILIES.index(it.family))


def calls() -> Iterator[Workload]:
    """Calls of one operator: the rows `[[benchmark]]` beside the kernels.

    Raises:
        ValueError: A row has no expression of opwright, or calls an unknown library.
    """
    for place, row in rows("benchmark"):
        expressions = {library: it for library, it in row.items() if library not in KEYS}
        if "opwright" not in expressions or not expressions.keys() <= {"opwright", *PEERS}:
            raise ValueError(f"{place}: expressions of {list(expressions)}")
        name = row.get("name", row["op"].partition(".")[0])
        has_dtype = re.search(r"\bdtype\b", row["arrays"])
        for dtype in DTYPES if has_dtype else ("",):
            arrays = eval(row["arrays"], vars(arrays_of), {"dtype": dtype})
            shown = f"{name} {dtype}".rstrip()
            yield Workload(row["family"], shown, arrays, expressions, row.get("tolerance"))


def syntax() -> Iterator[Workload]:
    """Operators of Python between arrays."""
    for dtype in DTYPES:
        for text in ("a * b + c", "a + 1.5", "a < b", "-a"):
            same = dict.fromkeys(LIBRARIES, text)
            expressions = {**same, "numexpr": f"ne('{text}')"}
            yield Workload("elementwise", f"{text} {dtype}", numbers(100_000, dtype), expressions)
            made = numbers(10_000_000, dtype)
            yield Workload("elementwise", f"{text} {dtype}, 1e7", made, expressions)
        power = dict.fromkeys(LIBRARIES, "a ** 2.5")
        yield Workload("elementwise", f"a ** 2.5 {dtype}", numbers(100_000, dtype), power)
    for text in ("a + b", "a * b", "a // b", "a % b", "a & b", "a == b"):
        same = dict.fromkeys(LIBRARIES, text)
        yield Workload("elementwise", f"{text} int64", integers(100_000), same)
    for text in ("a + b", "a + 1.0", "a < b", "-a", "a[1:3]", "a @ b", "a.T"):
        same = dict.fromkeys(LIBRARIES, text)
        yield Workload("few elements", text, numbers(4, "float32"), same)


def strided() -> Iterator[Workload]:
    """Elements that do not lie side by side."""
    for dtype in DTYPES:
        made = matrices(1000, 1000, dtype)
        for text in ("a + b.T", "a[::2] * b[::2]", "a[:, ::2] + b[:, ::2]"):
            same = dict.fromkeys(LIBRARIES, text)
            yield Workload("strided", f"{text} {dtype}", made, same)


def products() -> Iterator[Workload]:
    """Products of matrices and vectors."""
    for dtype in DTYPES:
        for size in (64, 256, 1024):
            same = dict.fromkeys(LIBRARIES, "a @ b")
            yield Workload("matmul", f"{size} {dtype}", matrices(size, size, dtype), same)
        same = dict.fromkeys(LIBRARIES, "a @ a[0]")
        yield Workload("matmul", f"with vector {dtype}", matrices(2000, 2000, dtype), same)
        same = dict.fromkeys(LIBRARIES, "a @ b")
        yield Workload("matmul", f"dot {dtype}", numbers(1_000_000, dtype), same)


def indexing() -> Iterator[Workload]:
    """Choosing, and copies that no operator of this name makes."""
    for text in ("a[mask]", "a[index]"):
        same = dict.fromkeys(LIBRARIES, text)
        yield Workload("indexing", text, integers(1_000_000), same)
    expressions = {
        "opwright": "a.to(ow.float32)",
        "numpy": "a.astype(np.float32)",
        "torch": "a.to(torch.float32)",
    }
    yield Workload("indexing", "astype float32", integers(1_000_000), expressions)
    for dtype in DTYPES:
        expressions = {
            "opwright": "a.T.contiguous()",
            "numpy": "np.ascontiguousarray(a.T)",
            "torch": "a.T.contiguous()",
        }
        yield Workload("indexing", f"transposed {dtype}", matrices(1000, 1000, dtype), expressions)


def sort_and_argsort(array: Any, axis: int) -> tuple[Any, Any]:
    """What `sort` gives, by numpy, whose own `sort` gives no places."""
    places = np.argsort(array, axis)
    return np.take_along_axis(array, places, axis), places


# --- measuring ----------------------------------------------------------------------------


def runners(workload: Workload) -> dict[str, Callable[[], Any]]:
    """What runs the workload, of those who are there and have it."""
    arrays = workload.arrays()
    made = {}
    for library, names in homes(arrays).items():
        text = workload.expressions.get(library, "")
        if text and not ("special." in text and SPECIAL is None):
            made[library] = eval(f"lambda: {text}", names)
    return made


def homes(arrays: Names) -> dict[str, Names]:
    """What the expressions of each library see; arrays that they write to are their own."""
    tensors = {name: opwright.from_numpy(it.copy()) for name, it in arrays.items()}
    known: Names = {"assigned": assigned, "deepcopy": deepcopy, "deque": deque}
    made: dict[str, Names] = {
        "opwright": {"ow": opwright, **known, **tensors},
        "numpy": {
            "np": np,
            "rng": np.random.default_rng(0),
            "special": SPECIAL,
            "sort_and_argsort": sort_and_argsort,
            "added": added,
            **known,
            **arrays,
        },
    }
    if TORCH is not None:
        theirs = {name: TORCH.from_numpy(it.copy()) for name, it in arrays.items()}
        made["torch"] = {"torch": TORCH, **known, **theirs}
    if NUMEXPR is not None:
        made["numexpr"] = {"ne": evaluated(NUMEXPR, arrays)}
    if NUMBA is not None:
        made["numba"] = {**LOOPS, **{name: it.copy() for name, it in arrays.items()}}
    if BLAS is not None:
        made["scipy"] = {"blas": BLAS, **arrays}
    return made


def assigned(array: Any, index: Any, values: Any) -> Any:
    """The array, after values have been written to some places of it."""
    array[index] = values
    return array


def added(array: Any, index: Any, values: Any) -> Any:
    """What `scatter_add` gives, by numpy."""
    out = array.copy()
    np.add.at(out, index, values)
    return out


def check(workload: Workload, works: dict[str, Callable[[], Any]]) -> None:
    """Raises if results differ from a peer's by more than the workload allows."""
    if workload.tolerance is None:
        return
    ours = np.asarray(works["opwright"]())
    for library in works.keys() - {"opwright"}:
        theirs = np.asarray(works[library]())
        where = f"{workload.family}: {workload.name}: opwright and {library}"
        # Of Python's own numbers, and those of numba and scipy, the width says nothing.
        if ours.shape != theirs.shape or ours.dtype.kind != theirs.dtype.kind:
            a, b = (f"{it.dtype} {it.shape}" for it in (ours, theirs))
            raise ValueError(f"{where} differ: {a}, {b}")
        if math.isfinite(workload.tolerance):
            scale = float(np.abs(theirs).max()) * workload.tolerance
            if not np.allclose(ours, theirs, rtol=workload.tolerance, atol=scale):
                raise ValueError(f"{where} differ in their values")


def instructions() -> str:
    """The widest instruction set of the machine, as numpy finds it."""
    features = import_module("numpy._core._multiarray_umath").__cpu_features__
    known = {"AVX512F": "AVX-512", "AVX2": "AVX2", "SVE": "SVE", "ASIMD": "NEON"}
    return next((name for key, name in known.items() if features.get(key)), "unknown")


def header(threads: int) -> str:
    """The machine, who is left out, and the names of the columns."""
    there = {"torch": TORCH, "numexpr": NUMEXPR, "numba": NUMBA, "scipy": SCIPY}
    absent = ", ".join(name for name, it in there.items() if it is None)
    columns = "".join(f"{it:>12}" for it in ("opwright", *PEERS))
    lines = [f"instruction set: {instructions()}"]
    if absent:
        lines.append(f"left out, not installed: {absent}")
    return "\n".join([*lines, f"{f'ms, {threads} thread(s)':<46}{columns}{'ratio':>8}"])


def evaluated(numexpr: Any, arrays: Names) -> Callable[[str], Any]:
    """How numexpr evaluates a text over arrays."""
    return lambda text: numexpr.evaluate(text, local_dict=arrays)


def timer_of(threads: int) -> Callable[[], float]:
    """One thread is measured by its processor's time, which counts nothing that others do."""
    return time.process_time if threads == 1 else time.perf_counter


def milliseconds(works: dict[str, Callable[[], Any]], threads: int) -> dict[str, float]:
    """The least times of rounds in which everybody has a turn."""
    timers = {name: timeit.Timer(work, timer=timer_of(threads)) for name, work in works.items()}
    # What is called for the first time takes longer, and would be called too seldom.
    for timer in timers.values():
        timer.timeit(2)
    counts = {name: max(1, int(SPAN / timer.timeit(1))) for name, timer in timers.items()}
    best = dict.fromkeys(works, math.inf)
    for _ in range(ROUNDS):
        for name, timer in timers.items():
            took = timer.timeit(counts[name]) / counts[name] * 1e3
            best[name] = min(best[name], took)
    return best


@dataclass
class Summary:
    """Ratios to the best peer, with the names of their workloads."""

    ratios: list[tuple[float, str]]

    def family(self, name: str) -> Family:
        """How many are as fast, the geometric mean, and the worst."""
        only = [ratio for ratio, _ in self.ratios]
        worst, which = max(self.ratios)
        return {
            "name": name,
            "as_fast": sum(ratio <= NOISE for ratio in only),
            "of": len(only),
            "mean": round(math.exp(sum(map(math.log, only)) / len(only)), 2),
            "worst": round(worst, 1),
            "workload": which,
        }


def line(family: Family) -> str:
    """The row of a family in the summary."""
    counts = f"{family['as_fast']:>5} of {family['of']:<5}"
    return (
        f"{family['name']:<14}{counts}{family['mean']:>8.2f}{family['worst']:>9.1f}"
        f"  {family['workload']}"
    )


def recorded(threads: int, families: list[Family], whole: Family) -> Kernels:
    """The summary as it is kept, under the titles of the guide."""
    titled = [family | {"name": TITLES.get(family["name"], family["name"])} for family in families]
    return {
        "machine": f"{os.cpu_count()} cores of {platform.machine()} with {instructions()}",
        "threads": threads,
        "peers": {it: version(it) for it in PEERS if found(it) is not None},
        "families": titled,
        "all": whole,
    }


def main(threads: int, word: str, out: Path | None) -> None:
    """Prints a row for each workload, and a summary of each family, which is kept if asked for."""
    opwright.set_num_threads(threads)
    if TORCH is not None:
        TORCH.set_num_threads(threads)
    if NUMEXPR is not None:
        NUMEXPR.set_num_threads(threads)
    if NUMBA is not None:
        NUMBA.set_num_threads(min(threads, NUMBA.config.NUMBA_NUM_THREADS))
    print(header(threads))
    families: dict[str, Summary] = {}
    for workload in workloads():
        name = f"{workload.family}: {workload.name}"
        if word not in name:
            continue
        works = runners(workload)
        check(workload, works)
        times = milliseconds(works, threads)
        theirs = [it for library, it in times.items() if library != "opwright"]
        ratio = times["opwright"] / min(theirs) if theirs else math.nan
        cells = [f"{times[it]:,.4f}" if it in times else "" for it in ("opwright", *PEERS)]
        shown = f"{ratio:>8.2f}" if theirs else ""
        print(f"{name:<46}" + "".join(f"{it:>12}" for it in cells) + shown, flush=True)
        if theirs:
            families.setdefault(workload.family, Summary([])).ratios.append((ratio, workload.name))
    print(f"\n{'':<14}{'as fast':<14}{'mean':>8}{'worst':>9}")
    summaries = [summary.family(family) for family, summary in families.items()]
    ratios = [it for summary in families.values() for it in summary.ratios]
    whole = Summary(ratios).family("all")
    for family in (*summaries, whole):
        print(line(family))
    if out is not None:
        measurements.write(out, recorded(threads, summaries, whole))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Measures kernels beside those of others.")
    parser.add_argument("threads", type=int)
    parser.add_argument("word", nargs="?", default="")
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    main(args.threads, args.word, args.out)
