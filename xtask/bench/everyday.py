"""Workloads of everyday programs: creation, conversions, short dimensions, products, order, places.

Their results are compared with the peers' before they are timed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np
from workload import Names, Workload, integers, numbers

LIBRARIES = {"opwright": "ow", "numpy": "np", "torch": "torch"}
COUNT = 1_000_000


def everyday() -> Iterator[Workload]:
    """All of them, by kind."""
    for kind in (creation, conversions, short_dimensions, reductions, products):
        yield from kind()
    for kind in (order, indexing, iteration):
        yield from kind()


def same(text: str, **others: str) -> dict[str, str]:
    """An expression that all libraries spell alike, and those of others."""
    return {**dict.fromkeys(LIBRARIES, text), **others}


# --- arrays -------------------------------------------------------------------------------


def columns() -> Names:
    """A long array of four columns, its column of one, and a long array of four rows."""
    rng = np.random.default_rng(4)
    drawn = {"a": (COUNT, 4), "column": (COUNT, 1), "rows": (4, COUNT)}
    return {name: rng.uniform(0.1, 0.9, it).astype(np.float32) for name, it in drawn.items()}


def squares(size: int, most: int) -> Callable[[], Names]:
    """Two matrices of integers."""

    def make() -> Names:
        rng = np.random.default_rng(size)
        return {it: rng.integers(-most, most, (size, size)) for it in "ab"}

    return make


def matrix_and_vector() -> Names:
    """A matrix, and a vector that it may be multiplied with."""
    rng = np.random.default_rng(5)
    drawn = {"a": (1000, 1000), "x": (1000,)}
    return {name: rng.standard_normal(it).astype(np.float32) for name, it in drawn.items()}


def nearly_sorted() -> Names:
    """Ascending numbers, of which each hundredth has been drawn anew."""
    rng = np.random.default_rng(6)
    a = np.arange(COUNT, dtype=np.float32)
    a[rng.integers(0, COUNT, COUNT // 100)] = rng.integers(0, COUNT, COUNT // 100)
    return {"a": a}


def places() -> Names:
    """Numbers, a tenth of their places, each once, some that recur, and numbers for these."""
    rng = np.random.default_rng(7)
    a, v = rng.integers(0, 1000, COUNT), rng.integers(0, 1000, COUNT // 10)
    again = rng.integers(0, COUNT, COUNT // 10)
    return {"a": a, "v": v, "index": rng.permutation(COUNT)[: COUNT // 10], "again": again}


# --- workloads ----------------------------------------------------------------------------


def creation() -> Iterator[Workload]:
    """Memory without values."""
    text = "{}.empty(10000000, dtype={}.float32)"
    expressions = {it: text.format(key, key) for it, key in LIBRARIES.items()}
    yield Workload("creation", "empty(10000000)", numbers(1, "float32"), expressions, math.inf)


def conversions() -> Iterator[Workload]:
    """Elements of another type, and arithmetic of the narrowest."""
    for source, target in (("float32", "float16"), ("float64", "int64")):
        made = numbers(COUNT, source, -1000, 1000)
        expressions = {
            "opwright": f"a.to(ow.{target})",
            "numpy": f"a.astype(np.{target})",
            "torch": f"a.to(torch.{target})",
        }
        if target == "int64":
            expressions["numba"] = "truncated(a)"
        yield Workload("conversion", f"{source} to {target}", made, expressions, 0.0)
    yield Workload(
        "elementwise", "a + b float16, 1e6", numbers(COUNT, "float16"), same("a + b"), 0.0
    )


def short_dimensions() -> Iterator[Workload]:
    """Four columns, or four rows, of a million."""
    family = "short dim"
    sums = same("a.sum(1)", numba="sums_of_rows(a)", numexpr="ne('sum(a, axis=1)')")
    yield Workload(family, "sum (1e6, 4) dim 1", columns, sums, 1e-5)
    most = {"opwright": "a.amax(1)", "numpy": "a.max(1)", "torch": "a.amax(1)"}
    most["numba"] = "most_of_rows(a)"
    yield Workload(family, "amax (1e6, 4) dim 1", columns, most, 0.0)
    sums = same("rows.sum(0)", numba="sums_of_columns(rows)", numexpr="ne('sum(rows, axis=0)')")
    yield Workload(family, "sum (4, 1e6) dim 0", columns, sums, 1e-5)
    for text, loop in (("a - column", "less_column"), ("a / column", "by_column")):
        expressions = same(text, numba=f"{loop}(a, column)", numexpr=f"ne('{text}')")
        yield Workload(family, f"{text} (1e6, 4)", columns, expressions, 1e-6)
    copies = dict.fromkeys(("opwright", "torch"), "column.expand(1000000, 4).contiguous()")
    copies["numpy"] = "np.broadcast_to(column, (1000000, 4)).copy()"
    copies["numba"] = "four_times(column)"
    yield Workload(family, "column to (1e6, 4)", columns, copies, 0.0)


def reductions() -> Iterator[Workload]:
    """Folds of everything."""
    made = numbers(COUNT, "float32", 0.999, 1.001)
    yield Workload("reduction", "prod of ones", made, same("a.prod()", numba="product(a)"), 1e-2)
    yield Workload(
        "reduction", "sum int64", integers(COUNT), same("a.sum()", numba="total(a)"), 0.0
    )


def products() -> Iterator[Workload]:
    """Products that no library of float matrices makes, or of vectors."""
    expressions = same("a @ b", numba="int_product(a, b)")
    yield Workload("matmul", "256 int64", squares(256, 1000), expressions, 0.0)
    expressions = calls_of("dot", "a, b", numba="dot(a, b)", scipy="blas.sdot(a, b)")
    yield Workload("matmul", "dot(a, b) float32", numbers(COUNT, "float32"), expressions, 1e-4)
    expressions = {"opwright": "ow.mv(a, x)", "numpy": "a @ x", "torch": "torch.mv(a, x)"}
    expressions |= {"numba": "mv(a, x)", "scipy": "blas.sgemv(1.0, a.T, x, trans=1)"}
    yield Workload("matmul", "mv 1000 float32", matrix_and_vector, expressions, 1e-3)


def calls_of(name: str, arguments: str, **others: str) -> dict[str, str]:
    """A call that all libraries spell alike, and those of others."""
    return {it: f"{key}.{name}({arguments})" for it, key in LIBRARIES.items()} | others


def order() -> Iterator[Workload]:
    """Values in order."""
    rows = {it: f"{key}.sort(a, 1)[0]" for it, key in LIBRARIES.items()}
    rows["numpy"] = "np.sort(a, 1)"
    yield Workload("order", "sort values by rows", square_of_floats, rows, 0.0)
    expressions = {"opwright": "ow.msort(a)", "numpy": "np.sort(a)", "torch": "torch.msort(a)"}
    yield Workload("order", "msort nearly sorted", nearly_sorted, expressions, 0.0)
    nth = {it: f"{key}.kthvalue(a, 1000)[0]" for it, key in LIBRARIES.items()}
    nth["numpy"] = "np.partition(a, 999)[999]"
    yield Workload("order", "kthvalue 1000", numbers(COUNT, "float32"), nth, 0.0)


def square_of_floats() -> Names:
    """A matrix."""
    return {"a": np.random.default_rng(8).standard_normal((1000, 1000)).astype(np.float32)}


def indexing() -> Iterator[Workload]:
    """Writing to places, and adding to them."""
    expressions = same("assigned(a, index, v)", numba="put(a, index, v)")
    yield Workload("indexing", "a[index] = v, 1e5", places, expressions, 0.0)
    added = dict.fromkeys(("opwright", "torch"), "a.scatter_add(0, again, v)")
    added |= {"numpy": "added(a, again, v)", "numba": "scatter_add(a, again, v)"}
    yield Workload("indexing", "scatter_add 1e5", places, added, 0.0)


def iteration() -> Iterator[Workload]:
    """Scalars one by one, and copies of few elements."""
    made = numbers(10_000, "float32")
    yield Workload("iteration", "for v in a, 1e4", made, same("deque(a, 1)[0]"), 0.0)
    yield Workload("few elements", "deepcopy", numbers(4, "float32"), same("deepcopy(a)"), 0.0)
