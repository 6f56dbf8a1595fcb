"""Statements that take each fast path, and statements beside its condition that do not.

The first that takes a path is its benchmark. Run as a program, this prints nanoseconds of each with
the path and without, for a module whose paths can be turned off: `cargo xtask bench fast_paths`.
"""

from __future__ import annotations

import statistics
import sys
import time
import timeit
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import opwright as ow
from opwright import _C

ROUNDS = 31

# By the name of the path: what takes it, and what does not.
STATEMENTS: dict[str, tuple[list[str], list[str]]] = {
    "BindTensors": (
        [
            "y = add(a, b)",
            "y = a.add(b)",
            "y = add(nothing, nothing)",
            "y = where(mask, a, b)",
            "y = a.neg()",
        ],
        [
            "y = add(one, one)",
            "y = add(a, other=b)",
            "y = add(a, 1.0)",
            "y = add(named, b)",
            "y = add(a, b, alpha=2)",
            # `add` may have overloads of Python by then, which are asked before it refuses.
            "y = mul(a, 'b')",
        ],
    ),
    "BindInOrder": (
        ["y = where(mask, 1, 2)", "y = add(a, 1.0)", "y = m.sum(0)"],
        ["y = add(a, b)", "y = add(a, 1.0, alpha=2)", "y = m.sum(dim=0)"],
    ),
    "PlainKey": (
        [
            "y = m[0]",
            "y = m[:, 1]",
            "y = m[-4]",
            "y = m[1:3]",
            "y = m[..., 0]",
            "y = m[None]",
            "y = m[-1, ::2]",
            "y = m[3, 3]",
            "y = x[0]",
        ],
        ["y = m[True]", "y = m[[0]]", "y = m[4]", "y = m[4, 0]", "y = m[0, 0, 0]", "y = m[mask]"],
    ),
    "IntegerKey": (
        ["y = m[0, 1]", "y = m[-4, 3]", "y = cube[1, -1]", "y = cube[0, 1, 1]"],
        ["y = m[0, 4]", "y = m[-5, 0]", "y = x[0, 0]", "y = m[0, :]", "y = m[0, True]", "y = m[0]"],
    ),
    "FillView": (
        [
            "m[0, 1] = 1.0",
            "m[:, 1] = 2",
            "whole[0] = 7",
            "m[..., None] = float('nan')",
        ],
        [
            "m[0] = True",
            "whole[0] = 300",
            "whole[0] = 1.5",
            "m[0] = a",
            "m[mask] = 1.0",
            "m[4] = 1.0",
        ],
    ),
    "TensorKey": (
        ["y = m[rows]", "y = a[mask]", "y = m[mask]", "y = m[square]", "y = x[rows]"],
        ["y = m[mask, 0]", "y = m[[0, 1]]", "y = m[halves]", "y = named[mask]", "y = a[square]"],
    ),
    "FunctionInput": (
        ["y = scaled(a, 2.0)", "y = doubled(a)", "y = scaled(nothing, float('nan'))"],
        [
            "y = halved(3.0)",
            "y = halved(3)",
            "y = halved(True)",
            "y = doubled(m)",
            "y = doubled([1.0])",
        ],
    ),
    "SameLayout": (
        [
            "y = add(a, b)",
            "y = add(a, 1.0)",
            "y = a.exp()",
            "y = m.mul(m)",
            "y = add(most, most)",
            "y = add(one, 2.5)",
        ],
        [
            "y = add(many, many)",
            "y = add(m, a)",
            "y = add(m, m.t())",
            "y = add(nothing, nothing)",
            "y = add(a, double)",
            "y = add(whole, 0.5)",
        ],
    ),
    "FlatLoop": (
        [
            "a.add_(b)",
            "add(a, b, out=out)",
            "add(a, one, out=out)",
            "add(most, most, out=most)",
            "y = where(mask, 1, 2)",
            "a.copy_(b)",
        ],
        [
            "add(many, many, out=many)",
            "m.add_(a)",
            "m.t().add_(m)",
            "nothing.add_(1)",
            "a[1:].add_(a[:-1])",
        ],
    ),
    "OneRun": (
        [
            "y = add(strided, strided)",
            "a.add_(double)",
            "y = most[::2].add(most[::2])",
        ],
        ["y = add(cube.mT, cube)", "y = add(a, b)"],
    ),
    "SmallReduction": (
        [
            "y = m.sum(0)",
            "y = m.sum()",
            "y = m.sum(1)",
            "y = m.max(1)",
            "y = board.sum(0)",
            "y = m.mean((0, 1), keepdim=True)",
            "y = one.sum()",
        ],
        [
            "y = over.sum()",
            "y = board.sum()",
            "y = nothing.sum()",
            "y = m.t().sum(0)",
            "y = cube.sum((0, 2))",
        ],
    ),
    "SmallMask": (
        ["y = a[mask]", "y = m.masked_select(square)", "y = medium[medium > 0]"],
        ["y = large[large > 0]", "y = m[mask]", "y = m.t()[square]", "y = a.masked_select(square)"],
    ),
    "SmallChain": (
        ["y = chain(a)", "y = chain(full)", "y = chain(one)"],
        ["y = chain(beyond)", "y = chain(nothing)", "y = chain(strided)"],
    ),
}


class Named(ow.Tensor):
    """A class of its own."""


def functions() -> dict[str, Any]:
    """Functions of graphs, which are made once."""
    vector = ow.TensorType("float32", (None,))("vector")
    number = ow.types.float64("number")
    return {
        "doubled": ow.function([vector], ow.add(vector, vector)),
        "scaled": ow.function([vector, number], vector * number),
        "halved": ow.function([number], number * 0.5),
        "chain": ow.function([vector], ow.tanh(vector * 2 + vector - 1)),
    }


FUNCTIONS = functions()


def names() -> dict[str, Any]:
    """What statements name, made anew: they may write to it."""
    line = ow.arange(1.0, 1 << 14)
    square = ow.arange(16).reshape(4, 4)
    found = {name: getattr(ow, name) for name in ["add", "mul", "where", "lt"]}
    return {
        **found,
        **FUNCTIONS,
        "opwright": ow,
        "a": ow.tensor([1.0, 2.5, -3.0, 4.0]),
        "b": ow.tensor([5.0, 6.0, 7.0, float("inf")]),
        "out": ow.zeros(4),
        "one": ow.tensor([0.1]),
        "nothing": ow.zeros(0),
        "named": ow.tensor([1.0, 2.0, 3.0, 4.0]).as_subclass(Named),
        "m": square.to(ow.float32) / 3,
        "cube": ow.arange(8.0).reshape(2, 2, 2),
        "x": (square.to(ow.float32) / 7).requires_grad_(),
        "whole": ow.tensor([1, 2], dtype=ow.int8),
        "mask": ow.tensor([True, False, True, True]),
        "square": square % 3 == 1,
        "rows": ow.tensor([2, -1]),
        "halves": ow.tensor([0.5]),
        "double": ow.tensor([0.1, 0.2, 0.3, 0.4], dtype=ow.float64),
        "strided": line[0:8:2],
        "flags": ow.zeros(4, dtype=ow.bool),
        "full": line[:64] / 9,
        "board": line[:64].reshape(8, 8) / 9,
        "beyond": line[:65] / 9,
        "over": line[:65] / 9,
        "medium": ow.sin(line[: 1 << 12]),
        "large": ow.sin(line[: (1 << 12) + 1]),
        "most": line[: (1 << 13) - 1] / 9,
        "many": line[: 1 << 13] / 9,
        "many_flags": ow.zeros(1 << 13, dtype=ow.bool),
    }


@contextmanager
def without(path: str) -> Iterator[None]:
    """Turns a fast path off meanwhile."""
    _C._switch_fast_path(path, False)
    try:
        yield
    finally:
        _C._switch_fast_path(path, True)


def nanoseconds(path: str) -> tuple[float, float]:
    """What its benchmark takes with the path and without: medians of rounds in alternation."""
    statement = STATEMENTS[path][0][0]
    timer = timeit.Timer(statement, globals=names(), timer=time.thread_time)
    count = max(1, timer.autorange()[0] // 20)
    taken, left = [], []
    for _ in range(ROUNDS):
        taken.append(timer.timeit(count) / count * 1e9)
        with without(path):
            left.append(timer.timeit(count) / count * 1e9)
    return statistics.median(taken), statistics.median(left)


def main(paths: list[str]) -> None:
    """Prints a row for each of these paths, or for all."""
    print(f"{'fast path':16} {'statement':28} {'with it':>9} {'without':>9} {'gain':>6}")
    for path in paths or _C._fast_paths:
        taken, left = nanoseconds(path)
        statement = STATEMENTS[path][0][0]
        print(f"{path:16} {statement:28} {taken:6.0f} ns {left:6.0f} ns {1 - taken / left:6.1%}")


if __name__ == "__main__":
    main(sys.argv[1:])
