"""Workloads of kernels: an expression in the words of each library, and arrays for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

Names = dict[str, Any]


@dataclass(frozen=True)
class Workload:
    """An expression in the words of each library, and the arrays that it is of."""

    family: str
    name: str
    arrays: Callable[[], Names]
    expressions: dict[str, str]
    # How far results may be from the peers', relatively; nothing if they are not compared.
    tolerance: float | None = None


def numbers(count: int, dtype: str, low: float = 0.1, high: float = 0.9) -> Callable[[], Names]:
    """Three vectors of different numbers."""

    def make() -> Names:
        rng = np.random.default_rng(count)
        return {it: rng.uniform(low, high, count).astype(dtype) for it in "abc"}

    return make


def integers(count: int, most: int = 1000) -> Callable[[], Names]:
    """Vectors of integers, of places among as many, and of truth values."""

    def make() -> Names:
        rng = np.random.default_rng(count)
        drawn = {it: rng.integers(1, most, count) for it in "abc"}
        return {**drawn, "index": rng.integers(0, count, count), "mask": rng.random(count) < 0.5}

    return make


def with_line(make: Callable[[], Names]) -> Callable[[], Names]:
    """Arrays, and a thousand numbers in ascending order."""

    def made() -> Names:
        arrays = make()
        return {**arrays, "line": np.linspace(0, 1, 1000).astype(arrays["a"].dtype)}

    return made


def matrices(rows: int, columns: int, dtype: str) -> Callable[[], Names]:
    """Matrices, a square one that can be inverted, and one that is positive."""

    def make() -> Names:
        rng = np.random.default_rng(rows)
        a, b = (rng.standard_normal((rows, columns)).astype(dtype) for _ in range(2))
        square = rng.standard_normal((rows, rows)).astype(dtype)
        square += rows * np.eye(rows, dtype=dtype)
        return {"a": a, "b": b, "square": square, "positive": square @ square.T}

    return make


def normal(**shapes: tuple[int, ...]) -> Callable[[], Names]:
    """Arrays of `float32` of these shapes, by their names; weights `u` and `w` are smaller.

    A layer that passes its results on to itself would come to infinities with others.
    """

    def make() -> Names:
        rng = np.random.default_rng(len(shapes))
        scales = {"u": 0.1, "w": 0.1}
        drawn = {name: rng.standard_normal(shape) for name, shape in shapes.items()}
        return {name: (it * scales.get(name, 1)).astype(np.float32) for name, it in drawn.items()}

    return make
