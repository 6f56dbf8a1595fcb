"""Programs made at random: CPython's values bit by bit, from every back end.

`OPWRIGHT_EVERY=1` tries many more, and the machine's C compiler, which takes longer.
"""

from __future__ import annotations

import linecache
import math
import os
import random
import struct
from typing import Any, NamedTuple

import numpy as np
import pytest
from opwright import jit

EVERY = os.environ.get("OPWRIGHT_EVERY")
SEEDS = 3000 if EVERY else 60
BACK_ENDS = ("vm", "cranelift", "cc") if EVERY else ("vm", "cranelift")
INTS = (0, 1, -1, 2, 3, 7, -5, 63, 2**31, 2**63 - 1, -(2**63))
FLOATS = (0.0, -0.0, 1.0, -1.5, 0.1, 3.0, 1e300, -1e-310, math.inf, -math.inf, math.nan)


class Text(NamedTuple):
    """An expression as it is compiled, and as CPython has the same value."""

    ours: str
    python: str


def wrap(value: int) -> int:
    return (value + 2**63) % 2**64 - 2**63


def saturated(value: float) -> int:
    if math.isnan(value):
        return 0
    return max(-(2**63), min(2**63 - 1, int(value))) if math.isfinite(value) else limit(value)


def limit(value: float) -> int:
    return 2**63 - 1 if value > 0 else -(2**63)


class Table(list[list[float]]):
    """Rows of numbers, of which two indices at once name one."""

    def __getitem__(self, at: Any) -> Any:
        if not isinstance(at, tuple):
            return super().__getitem__(at)
        row, column = at
        return super().__getitem__(row)[column]


class _Program:
    """Statements by a grammar of bounded loops.

    They are over numbers `i0 f0 ...`, an array `a` of reals, `b` of integers, and `c` of two
    dimensions.
    """

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.counters = 0
        self.ours = ["def f(i0, i1, i2, f0, f1, f2, a, b, c):"]
        self.python = list(self.ours)
        self.block(1, 3, in_loop=False)
        self.line(1, Text("return i0, i1, i2, f0, f1, f2", "return i0, i1, i2, f0, f1, f2"))

    def line(self, depth: int, text: Text) -> None:
        self.ours.append("    " * depth + text.ours)
        self.python.append("    " * depth + text.python)

    def whole(self, depth: int) -> Text:
        pick = self.random.randrange(14 if depth > 0 else 2)
        if pick == 0:
            number = self.random.choice(INTS)
            text = f"({number})" if number > -(2**63) else "(-9223372036854775807 - 1)"
            return Text(text, text)
        if pick == 1:
            name = f"i{self.random.randrange(3)}"
            return Text(name, name)
        a = self.whole(depth - 1)
        if pick == 2:
            return Text(f"b[{a.ours}]", f"b[{a.python}]")
        if pick == 3:
            x = self.real(depth - 1)
            return Text(f"int({x.ours})", f"saturated({x.python})")
        if pick == 4:
            op = self.random.choice("-~")
            return Text(f"({op}{a.ours})", f"wrap({op}{a.python})")
        if pick == 5:
            return Text(f"abs({a.ours})", f"wrap(abs({a.python}))")
        b = self.whole(depth - 1)
        if pick == 6:
            name = self.random.choice(("min", "max"))
            return Text(f"{name}({a.ours}, {b.ours})", f"{name}({a.python}, {b.python})")
        if pick == 7:
            op = self.random.choice(("<<", ">>"))
            ours, python = f"({a.ours} {op} ({b.ours}))", f"({a.python} {op} ({b.python} % 64))"
            return Text(ours, f"wrap({python})")
        if pick == 8:
            test = self.test(depth - 1)
            return Text(
                f"({a.ours} if {test.ours} else {b.ours})",
                f"({a.python} if {test.python} else {b.python})",
            )
        op = self.random.choice(("+", "-", "*", "//", "%", "&", "|", "^"))
        return Text(f"({a.ours} {op} {b.ours})", f"wrap({a.python} {op} {b.python})")

    def real(self, depth: int) -> Text:
        pick = self.random.randrange(12 if depth > 0 else 2)
        if pick == 0:
            number = self.random.choice(FLOATS)
            text = f"({number!r})" if math.isfinite(number) else f"float{number}".replace("-", "_")
            return Text(text, text)
        if pick == 1:
            name = f"f{self.random.randrange(3)}"
            return Text(name, name)
        if pick == 2:
            i = self.whole(depth - 1)
            return Text(f"a[{i.ours}]", f"a[{i.python}]")
        if pick == 3:
            i, k = self.whole(depth - 1), self.whole(depth - 1)
            return Text(f"c[{i.ours}, {k.ours}]", f"c[{i.python}, {k.python}]")
        if pick == 4:
            i = self.whole(depth - 1)
            return Text(f"float({i.ours})", f"float({i.python})")
        x = self.real(depth - 1)
        if pick == 5:
            return Text(f"math.sqrt(abs({x.ours}))", f"math.sqrt(abs({x.python}))")
        if pick == 6:
            return Text(f"(-{x.ours})", f"(-{x.python})")
        y = self.real(depth - 1)
        if pick == 7:
            test = self.test(depth - 1)
            return Text(
                f"({x.ours} if {test.ours} else {y.ours})",
                f"({x.python} if {test.python} else {y.python})",
            )
        op = self.random.choice(("+", "-", "*", "/", "//", "%"))
        return Text(f"({x.ours} {op} {y.ours})", f"({x.python} {op} {y.python})")

    def test(self, depth: int) -> Text:
        make = self.random.choice((self.whole, self.real))
        a, b = make(depth), make(depth)
        op = self.random.choice(("<", "<=", "==", "!=", ">", ">="))
        text = Text(f"{a.ours} {op} {b.ours}", f"{a.python} {op} {b.python}")
        if depth > 0 and self.random.random() < 0.3:
            other = self.test(depth - 1)
            joint = self.random.choice(("and", "or"))
            ours = f"({text.ours} {joint} not {other.ours})"
            return Text(ours, f"({text.python} {joint} not {other.python})")
        return text

    def block(self, depth: int, budget: int, *, in_loop: bool) -> None:
        for _ in range(self.random.randint(1, 3)):
            self.statement(depth, budget, in_loop=in_loop)

    def statement(self, depth: int, budget: int, *, in_loop: bool) -> None:
        pick = self.random.randrange(10 if budget > 0 else 5)
        if pick < 3:
            self.assign(depth)
        elif pick == 3:
            i, x = self.whole(1), self.real(2)
            self.line(depth, Text(f"a[{i.ours}] = {x.ours}", f"a[{i.python}] = {x.python}"))
        elif pick == 4:
            i, k = self.whole(1), self.whole(2)
            self.line(depth, Text(f"b[{i.ours}] = {k.ours}", f"b[{i.python}] = {k.python}"))
        elif pick in (5, 6):
            test = self.test(2)
            self.line(depth, Text(f"if {test.ours}:", f"if {test.python}:"))
            self.block(depth + 1, budget - 1, in_loop=in_loop)
            if in_loop and self.random.random() < 0.3:
                word = self.random.choice(("break", "continue"))
                self.line(depth + 1, Text(word, word))
            if self.random.random() < 0.5:
                self.line(depth, Text("else:", "else:"))
                self.block(depth + 1, budget - 1, in_loop=in_loop)
        else:
            self.loop(depth, budget)

    def assign(self, depth: int) -> None:
        if self.random.random() < 0.5:
            name, value = f"i{self.random.randrange(3)}", self.whole(3)
        else:
            name, value = f"f{self.random.randrange(3)}", self.real(3)
        self.line(depth, Text(f"{name} = {value.ours}", f"{name} = {value.python}"))

    def loop(self, depth: int, budget: int) -> None:
        name = f"i{self.random.randrange(3)}"
        ends = (self.random.randint(-3, 3), self.random.randint(-3, 5))
        step = self.random.choice((1, 1, 2, -1))
        head = self.random.choice(
            (
                f"for {name} in range({ends[0]}, {ends[1]}, {step}):",
                f"for {name} in range(len(b)):",
                "for f0 in a:",
            )
        )
        self.line(depth, Text(head, head))
        self.block(depth + 1, budget - 1, in_loop=True)
        if self.random.random() < 0.2:
            self.line(depth, Text("else:", "else:"))
            self.assign(depth + 1)


NAMES: dict[str, Any] = {
    "math": math,
    "wrap": wrap,
    "saturated": saturated,
    "floatinf": math.inf,
    "float_inf": -math.inf,
    "floatnan": math.nan,
}


def function_of(lines: list[str], file: str) -> Any:
    text = "\n".join(lines) + "\n"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    namespace = dict(NAMES)
    exec(compile(text, file, "exec"), namespace)
    return namespace["f"]


def bits(value: Any) -> Any:
    """Values, of which -0.0 is another than 0.0, and all nan are one."""
    if isinstance(value, (tuple, list)):
        return [bits(it) for it in value]
    if isinstance(value, float):
        return "nan" if math.isnan(value) else struct.pack("d", value)
    return value


def outcome(function: Any, numbers: Any, arrays: Any) -> Any:
    """What a function returns, or the class of what it raises; and the arrays after that."""
    try:
        found = bits(function(*numbers, *arrays))
    except (IndexError, ZeroDivisionError) as error:
        found = type(error)
    lists = [it.tolist() if isinstance(it, np.ndarray) else it for it in arrays]
    return found, bits(lists)


@pytest.mark.parametrize("seed", range(SEEDS))
def test_every_back_end_has_the_bits_of_python(seed: int) -> None:
    program = _Program(seed)
    file = f"<program {seed}>"
    expected = function_of(program.python, f"{file} in Python")
    ours = function_of(program.ours, file)
    compiled = {it: jit(ours, backend=it) for it in BACK_ENDS}
    choose = program.random.choice
    for _ in range(4):
        numbers = [choose(INTS) for _ in range(3)] + [choose(FLOATS) for _ in range(3)]
        reals = [choose(FLOATS) for _ in range(5)]
        wholes = [choose(INTS) for _ in range(4)]
        table = [[choose(FLOATS) for _ in range(3)] for _ in range(2)]
        wanted = outcome(expected, numbers, [list(reals), list(wholes), Table(table)])
        for name, function in compiled.items():
            arrays = [np.array(reals), np.array(wholes), np.array(table)]
            found = outcome(function, numbers, arrays)
            assert found == wanted, f"{name}: {numbers} of\n" + "\n".join(program.ours)
