"""What a call from Python costs, and how fast the loops behind it are, with numpy beside it."""

from __future__ import annotations

import timeit
from collections.abc import Callable
from typing import Any

import numpy as np
import opwright

SMALL = 4
LARGE = 1_000_000


def nanoseconds(call: Callable[[], object]) -> float:
    """The time of one call: the shortest of several rounds, to see the machine at its best."""
    timer = timeit.Timer(call)
    number, _ = timer.autorange()
    number = max(1, number // 10)
    return min(timer.repeat(repeat=7, number=number)) / number * 1e9


def row(name: str, ours: Callable[[], object], theirs: Callable[[], object]) -> None:
    """Measures both, and prints them with their ratio."""
    a, b = nanoseconds(ours), nanoseconds(theirs)
    print(f"{name:<34} {a:>12,.0f} {b:>12,.0f} {a / b:>7.2f}")


def pair(*shape: int) -> tuple[opwright.Tensor, np.ndarray[Any, np.dtype[np.float32]]]:
    """The same random numbers twice."""
    array = np.random.default_rng(0).random(shape, dtype=np.float32)
    return opwright.tensor(array), array


def calls() -> None:
    """Calls on few elements: argument parser, dispatch, one allocation."""
    (a, x), (b, y) = pair(SMALL), pair(SMALL)
    out, z = opwright.empty_like(a), np.empty_like(x)
    row("a + b", lambda: a + b, lambda: x + y)
    row("a + 1.5", lambda: a + 1.5, lambda: x + 1.5)
    row("add(a, b)", lambda: opwright.add(a, b), lambda: np.add(x, y))
    row("add(a, b, out=out)", lambda: opwright.add(a, b, out=out), lambda: np.add(x, y, out=z))
    row("sum(a, dim=0, keepdim=True)", lambda: opwright.sum(a, 0, True), lambda: np.sum(x, 0))
    row("a[1]", lambda: a[1], lambda: x[1])
    row("a[1:3]", lambda: a[1:3], lambda: x[1:3])
    row("a.reshape(2, 2)", lambda: a.reshape(2, 2), lambda: x.reshape(2, 2))


def loops() -> None:
    """Calls on many elements."""
    (a, x), (b, y) = pair(LARGE), pair(LARGE)
    (m, u), (n, v) = pair(512, 512), pair(512, 512)
    row("a + b", lambda: a + b, lambda: x + y)
    row("exp(a)", lambda: opwright.exp(a), lambda: np.exp(x))
    row("a.sum()", lambda: a.sum(), lambda: x.sum())
    row("sort(a)", lambda: opwright.sort(a), lambda: np.sort(x))
    row(
        "where(a > 0.5, a, b)",
        lambda: opwright.where(a > 0.5, a, b),
        lambda: np.where(x > 0.5, x, y),
    )
    row("m + n.t(), 512 x 512", lambda: m + n.t(), lambda: u + v.T)
    row("m @ n, 512 x 512", lambda: m @ n, lambda: u @ v)


def main() -> None:
    """Prints both tables."""
    for title, rows in [(f"{SMALL} elements", calls), (f"{LARGE:,} elements", loops)]:
        print(f"{title + ', ns per call':<34} {'opwright':>12} {'numpy':>12} {'ratio':>7}")
        rows()
        print()


if __name__ == "__main__":
    main()
