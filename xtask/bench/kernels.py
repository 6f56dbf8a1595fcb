"""What kernels cost, beside the best of those who are there.

The others are numpy, and torch, numexpr, numba and scipy if they are installed:
`pip install numexpr numba scipy torch`; a build of torch for processors alone will do.

All run in one process, in alternation, with as many threads as said. A ratio is the time of
opwright over that of the fastest other one.

Usage: kernels.py THREADS [WORD]

With a word, only workloads whose name contains it run.
"""

from __future__ import annotations

import math
import sys
import time
import timeit
from collections import deque
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

import numpy as np
import opwright
from everyday import everyday
from hand_written import NUMBA, compiled
from workload import Names, Workload, integers, matrices, numbers

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

# What numpy and scipy call it, where that is something else.
OF_NUMPY = {
    "asin": "np.arcsin",
    "acos": "np.arccos",
    "atan": "np.arctan",
    "asinh": "np.arcsinh",
    "atan2": "np.arctan2",
    "pow": "np.power",
    "clamp": "np.clip",
    "erf": "special.erf",
    "erfc": "special.erfc",
    "sigmoid": "special.expit",
    "logsumexp": "special.logsumexp",
    "softmax": "special.softmax",
    "log_softmax": "special.log_softmax",
    "rsqrt": "",
    "frac": "",
}
OF_NUMEXPR = (
    "exp expm1 log log10 log1p sin cos tan sinh cosh tanh sqrt abs floor ceil asin:arcsin "
    "acos:arccos atan:arctan"
)
UNARY = (
    "exp exp2 expm1 log log2 log10 log1p sin cos tan sinh cosh tanh asin acos atan asinh erf erfc "
    "sigmoid sqrt rsqrt abs floor ceil round trunc sign reciprocal square isnan"
)
BINARY = "add sub:subtract mul:multiply div:divide pow atan2 hypot maximum fmod remainder lt:less"
FOLDS = "sum mean amax amin prod var std argmax argmin logsumexp"
ALONG = "sum amax mean argmax var logsumexp cumsum softmax log_softmax sort argsort"


def pairs(words: str) -> Iterator[tuple[str, str]]:
    """Words, and what stands behind their colons, or they themselves."""
    for word in words.split():
        name, _, other = word.partition(":")
        yield name, other or name


def by_numpy(name: str, other: str, arguments: str) -> dict[str, str]:
    """A call in numpy's or scipy's words; nothing if they have none."""
    function = OF_NUMPY.get(name, f"np.{other}")
    return {"numpy": f"{function}({arguments})"} if function else {}


def calls(name: str, other: str, arguments: str, of_numpy: str = "") -> dict[str, str]:
    """The same call of each library."""
    return {
        "opwright": f"ow.{name}({arguments})",
        "torch": f"torch.{name}({arguments})",
        **by_numpy(name, other, of_numpy or arguments),
    }


def elementwise() -> Iterator[Workload]:
    """Functions of elements, of both precisions."""
    in_numexpr = dict(pairs(OF_NUMEXPR))
    for dtype in ("float32", "float64"):
        for name, other in pairs(UNARY):
            expressions = calls(name, other, "a")
            if name in in_numexpr:
                expressions["numexpr"] = f"ne('{in_numexpr[name]}(a)')"
            yield Workload("elementwise", f"{name} {dtype}", numbers(100_000, dtype), expressions)
        for name, other in pairs(BINARY):
            made = numbers(100_000, dtype)
            yield Workload("elementwise", f"{name} {dtype}", made, calls(name, other, "a, b"))
        for text in ("a * b + c", "a + 1.5", "a < b", "-a"):
            same = dict.fromkeys(("opwright", "numpy", "torch"), text)
            expressions = {**same, "numexpr": f"ne('{text}')"}
            yield Workload("elementwise", f"{text} {dtype}", numbers(100_000, dtype), expressions)
            made = numbers(10_000_000, dtype)
            yield Workload("elementwise", f"{text} {dtype}, 1e7", made, expressions)
        clamp = calls("clamp", "clip", "a, 0.2, 0.7")
        yield Workload("elementwise", f"clamp {dtype}", numbers(100_000, dtype), clamp)
        power = dict.fromkeys(("opwright", "numpy", "torch"), "a ** 2.5")
        yield Workload("elementwise", f"a ** 2.5 {dtype}", numbers(100_000, dtype), power)
    for text in ("a + b", "a * b", "a // b", "a % b", "a & b", "a == b"):
        same = dict.fromkeys(("opwright", "numpy", "torch"), text)
        yield Workload("elementwise", f"{text} int64", integers(100_000), same)


def strided() -> Iterator[Workload]:
    """Elements that do not lie side by side."""
    for dtype in ("float32", "float64"):
        made = matrices(1000, 1000, dtype)
        for name in ("exp", "sqrt"):
            expressions = {it: f"{key}.{name}(a.T)" for it, key in LIBRARIES.items()}
            yield Workload("strided", f"{name}(a.T) {dtype}", made, expressions)
        for text in ("a + b.T", "a[::2] * b[::2]", "a[:, ::2] + b[:, ::2]"):
            same = dict.fromkeys(LIBRARIES, text)
            yield Workload("strided", f"{text} {dtype}", made, same)


def reductions() -> Iterator[Workload]:
    """Folds of everything, of rows and of columns."""
    for dtype in ("float32", "float64"):
        for name, other in pairs(FOLDS):
            if name != "logsumexp":
                made = numbers(1_000_000, dtype)
                yield Workload("reduction", f"{name} {dtype}", made, calls(name, other, "a"))
        made = matrices(1000, 1000, dtype)
        for name, other in pairs(ALONG):
            family = "order" if "sort" in name else "nn" if "softmax" in name else "reduction"
            for dim in (0, 1):
                expressions = calls(name, other, f"a, {dim}")
                expressions |= by_numpy(name, other, f"a, axis={dim}")
                if name == "sort":
                    expressions["numpy"] = f"sort_and_argsort(a, {dim})"
                yield Workload(family, f"{name} dim {dim} {dtype}", made, expressions)
        norms = {
            "opwright": "ow.linalg.vector_norm(a)",
            "numpy": "np.linalg.norm(a)",
            "torch": "torch.linalg.vector_norm(a)",
        }
        yield Workload("reduction", f"norm {dtype}", numbers(1_000_000, dtype), norms)
    for name, other in pairs("count_nonzero all any"):
        made = integers(10_000_000)
        yield Workload("reduction", f"{name} bool", made, calls(name, other, "mask"))


def order() -> Iterator[Workload]:
    """Sorting, looking up, counting."""
    for dtype in ("float32", "float64"):
        made = numbers(1_000_000, dtype)
        yield Workload("order", f"sort {dtype}", made, both_sorted())
        yield Workload("order", f"argsort {dtype}", made, calls("argsort", "argsort", "a"))
        values = {"opwright": "ow.msort(a)", "numpy": "np.sort(a)", "torch": "torch.msort(a)"}
        yield Workload("order", f"msort {dtype}", made, values)
        best = {"opwright": "ow.topk(a, 100)", "torch": "torch.topk(a, 100)"}
        best["numpy"] = "np.sort(np.partition(a, -100)[-100:])"
        yield Workload("order", f"topk 100 {dtype}", made, best)
        median = {"opwright": "a.median()", "numpy": "np.median(a)", "torch": "a.median()"}
        yield Workload("order", f"median {dtype}", made, median)
        places = calls("searchsorted", "searchsorted", "line, a")
        yield Workload("order", f"searchsorted {dtype}", with_line(made), places)
    made = integers(1_000_000)
    yield Workload("order", "sort int64", made, both_sorted())
    yield Workload("order", "bincount", made, calls("bincount", "bincount", "a"))
    runs = {"opwright": "ow.unique_consecutive(a)", "torch": "torch.unique_consecutive(a)"}
    runs["numpy"] = "a[np.concatenate(([True], a[1:] != a[:-1]))]"
    yield Workload("order", "unique_consecutive int64", made, runs)


def both_sorted() -> dict[str, str]:
    """What gives values and their places; `msort` is what gives values alone."""
    return {**calls("sort", "sort", "a"), "numpy": "sort_and_argsort(a, -1)"}


def sort_and_argsort(array: Any, axis: int) -> tuple[Any, Any]:
    """What `sort` gives, by numpy, whose own `sort` gives no places."""
    places = np.argsort(array, axis)
    return np.take_along_axis(array, places, axis), places


def with_line(make: Callable[[], Names]) -> Callable[[], Names]:
    """Arrays, and a thousand numbers in ascending order."""

    def made() -> Names:
        arrays = make()
        return {**arrays, "line": np.linspace(0, 1, 1000).astype(arrays["a"].dtype)}

    return made


def products() -> Iterator[Workload]:
    """Products of matrices and vectors."""
    for dtype in ("float32", "float64"):
        for size in (64, 256, 1024):
            same = dict.fromkeys(LIBRARIES, "a @ b")
            yield Workload("matmul", f"{size} {dtype}", matrices(size, size, dtype), same)
        same = dict.fromkeys(LIBRARIES, "a @ a[0]")
        yield Workload("matmul", f"with vector {dtype}", matrices(2000, 2000, dtype), same)
        same = dict.fromkeys(LIBRARIES, "a @ b")
        yield Workload("matmul", f"dot {dtype}", numbers(1_000_000, dtype), same)
        text = "{}.einsum('ij,kj->ik', a, b)"
        expressions = {it: text.format(key) for it, key in LIBRARIES.items()}
        expressions["opwright"] = "ow.einsum('ij,kj->ik', [a, b])"
        yield Workload("matmul", f"einsum {dtype}", matrices(256, 256, dtype), expressions)


def linalg() -> Iterator[Workload]:
    """Decompositions and what is made of them."""
    square = "inv det qr eigh:eigh svdvals"
    for size in (200, 500):
        made = matrices(size, size, "float64")
        for name, _ in pairs(square):
            argument = "positive" if name == "eigh" else "square"
            numpys = "np.linalg.svd(square, compute_uv=False)" if name == "svdvals" else ""
            expressions = {
                "opwright": f"ow.linalg.{name}({argument})",
                "numpy": numpys or f"np.linalg.{name}({argument})",
                "torch": f"torch.linalg.{name}({argument})",
            }
            yield Workload("linalg", f"{name} {size}", made, expressions)
        for text in ("linalg.cholesky(positive)", "linalg.solve(square, b)"):
            expressions = {it: f"{key}.{text}" for it, key in LIBRARIES.items()}
            yield Workload("linalg", f"{text} {size}", made, expressions)


def indexing() -> Iterator[Workload]:
    """Choosing, writing, joining and repeating."""
    for name, expressions in {
        "a[mask]": dict.fromkeys(("opwright", "numpy", "torch"), "a[mask]"),
        "a[index]": dict.fromkeys(("opwright", "numpy", "torch"), "a[index]"),
        "where": calls("where", "where", "mask, a, b"),
        "nonzero": calls("nonzero", "nonzero", "mask"),
        "roll": calls("roll", "roll", "a, 7"),
        "flip": {
            "opwright": "ow.flip(a, [0])",
            "numpy": "np.flip(a).copy()",
            "torch": "torch.flip(a, [0])",
        },
        "tile": calls("tile", "tile", "a, [3]", "a, 3"),
        "cat": calls("cat", "concatenate", "[a, b, c]"),
        "stack dim 1": calls("stack", "stack", "[a, b, c], 1"),
        "copy": {"opwright": "a.clone()", "numpy": "a.copy()", "torch": "a.clone()"},
        "repeat_interleave": {
            "opwright": "ow.repeat_interleave(a, 4)",
            "numpy": "np.repeat(a, 4)",
            "torch": "torch.repeat_interleave(a, 4)",
        },
        "astype float32": {
            "opwright": "a.to(ow.float32)",
            "numpy": "a.astype(np.float32)",
            "torch": "a.to(torch.float32)",
        },
    }.items():
        yield Workload("indexing", name, integers(1_000_000), expressions)
    for dtype in ("float32", "float64"):
        expressions = {
            "opwright": "a.T.contiguous()",
            "numpy": "np.ascontiguousarray(a.T)",
            "torch": "a.T.contiguous()",
        }
        yield Workload("indexing", f"transposed {dtype}", matrices(1000, 1000, dtype), expressions)


def networks() -> Iterator[Workload]:
    """Activations and losses."""
    for dtype in ("float32", "float64"):
        for name in ("gelu", "silu", "mish", "softplus", "elu", "leaky_relu", "relu"):
            text = f"nn.functional.{name}(a)"
            expressions = {"opwright": f"ow.{text}", "torch": f"torch.{text}"}
            if name == "relu":
                expressions["numpy"] = "np.maximum(a, 0)"
            if name == "silu":
                expressions["numexpr"] = "ne('a / (1 + exp(-a))')"
            if name == "softplus":
                expressions["numpy"] = "np.logaddexp(a, 0)"
            yield Workload("nn", f"{name} {dtype}", numbers(1_000_000, dtype, -3, 3), expressions)
        text = "nn.functional.layer_norm(a, [1000])"
        expressions = {"opwright": f"ow.{text}", "torch": f"torch.{text}"}
        expressions["numpy"] = "(a - a.mean(1, keepdims=True)) / np.sqrt(a.var(1, keepdims=True))"
        yield Workload("nn", f"layer_norm {dtype}", matrices(1000, 1000, dtype), expressions)
        loss = {it: f"{key}.nn.functional.mse_loss(a, b)" for it, key in LIBRARIES.items()}
        loss["numpy"] = "((a - b) ** 2).mean()"
        yield Workload("nn", f"mse_loss {dtype}", numbers(1_000_000, dtype), loss)


def others() -> Iterator[Workload]:
    """Transforms, random numbers, creation, few elements."""
    for count in (1 << 14, 1_000_000):
        made = numbers(count, "float64")
        expressions = {it: f"{key}.fft.rfft(a)" for it, key in LIBRARIES.items()}
        yield Workload("fft", f"rfft {count:,}", made, expressions)
    empty = numbers(1, "float64")
    for name, numpys in {
        "rand(1000000)": "rng.random(1000000, np.float32)",
        "randn(1000000)": "rng.standard_normal(1000000, np.float32)",
        "randperm(1000000)": "rng.permutation(1000000)",
        "randint(0, 100, (1000000,))": "rng.integers(0, 100, 1000000)",
    }.items():
        expressions = {"opwright": f"ow.{name}", "torch": f"torch.{name}", "numpy": numpys}
        yield Workload("random", name, empty, expressions)
    for text in ("arange(1000000)", "zeros(1000000)", "linspace(0, 1, 1000000)", "eye(1000)"):
        expressions = {it: f"{key}.{text}" for it, key in LIBRARIES.items()}
        yield Workload("creation", text, empty, expressions)
    for text in ("a + b", "a + 1.0", "a < b", "-a", "a.sum()", "a[1:3]", "a @ b", "a.T"):
        same = dict.fromkeys(LIBRARIES, text)
        yield Workload("few elements", text, numbers(4, "float32"), same)
    for name in ("exp", "sin", "sort", "argmax", "cumsum"):
        expressions = {it: f"{key}.{name}(a)" for it, key in LIBRARIES.items()}
        if name == "cumsum":
            expressions |= {"opwright": "ow.cumsum(a, 0)", "torch": "torch.cumsum(a, 0)"}
        yield Workload("few elements", name, numbers(4, "float32"), expressions)


LIBRARIES = {"opwright": "ow", "numpy": "np", "torch": "torch"}
LOOPS = compiled()
FAMILIES = (
    elementwise,
    strided,
    reductions,
    order,
    products,
    linalg,
    indexing,
    networks,
    others,
    everyday,
)


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

    def line(self, name: str) -> str:
        """How many are as fast, the geometric mean, and the worst."""
        only = [ratio for ratio, _ in self.ratios]
        fast = sum(ratio <= NOISE for ratio in only)
        mean = math.exp(sum(map(math.log, only)) / len(only))
        worst, which = max(self.ratios)
        return f"{name:<14}{fast:>5} of {len(only):<5}{mean:>8.2f}{worst:>9.1f}  {which}"


def main(threads: int, word: str) -> None:
    """Prints a row for each workload, and a summary of each family."""
    opwright.set_num_threads(threads)
    if TORCH is not None:
        TORCH.set_num_threads(threads)
    if NUMEXPR is not None:
        NUMEXPR.set_num_threads(threads)
    if NUMBA is not None:
        NUMBA.set_num_threads(min(threads, NUMBA.config.NUMBA_NUM_THREADS))
    print(header(threads))
    families: dict[str, Summary] = {}
    for workload in (it for family in FAMILIES for it in family()):
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
    for family, summary in families.items():
        print(summary.line(family))
    print(Summary([it for summary in families.values() for it in summary.ratios]).line("all"))


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else "")
