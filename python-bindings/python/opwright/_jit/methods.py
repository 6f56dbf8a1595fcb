# Bodies are typed by the compiler.
# mypy: disallow-untyped-defs=False, disallow-untyped-decorators=False, disallow-untyped-calls=False
"""Methods of arrays, tuples and numbers.

Most of arrays are functions of numpy, called with the array as their first argument.
"""

from __future__ import annotations

from typing import Any

from .. import types
from . import registry
from .errors import TypingError
from .overloads import builtin
from .registry import FORWARD, Answer, Candidate

# Others come first.
_PRIORITY = -1
_METHODS = [
    "all",
    "any",
    "argmax",
    "argmin",
    "argsort",
    "clip",
    "conj",
    "conjugate",
    "cumprod",
    "cumsum",
    "diagonal",
    "dot",
    "max",
    "mean",
    "min",
    "nonzero",
    "prod",
    "repeat",
    "round",
    "searchsorted",
    "squeeze",
    "std",
    "sum",
    "take",
    "trace",
    "var",
]


def _method(name: str) -> None:
    def ask(args: tuple[Any, ...], keywords: dict[str, Any]) -> Answer:
        import numpy as np

        return Answer(FORWARD, getattr(np, name))

    registry.put(
        (types.Array, "method", name),
        Candidate(ask, f"numpy.{name}", _PRIORITY, is_builtin=True),
    )


for _name in _METHODS:
    _method(_name)


@builtin((types.Array, "method", "sort"), prefer_literal=True)
def _sort(self: Any, axis: Any = -1) -> Any:
    import numpy as np

    at = getattr(axis, "literal_value", getattr(axis, "value", None))
    if not isinstance(at, int):
        raise TypingError("sort() takes an axis that is known while typing")

    def sort(self, axis=-1):
        self[...] = np.sort(self, at)

    return sort


@builtin((types.Array, "method", "item"))
def _item(self: Any, *args: Any) -> Any:
    if not args:
        return None
    if len(args) == 1:
        return lambda self, *args: self.flat[args[0]]
    return lambda self, *args: self[args]


@builtin((types.BaseTuple, "method", "count"))
def _count(self: Any, value: Any) -> Any:
    def count(self, value):
        found = 0
        for x in self:
            if x == value:
                found += 1
        return found

    return count


@builtin((types.BaseTuple, "method", "index"))
def _index(self: Any, value: Any) -> Any:
    def index(self, value):
        for i, x in enumerate(self):
            if x == value:
                return i
        raise ValueError("tuple.index(x): x not in tuple")

    return index


@builtin((types.Integer, "method", "bit_length"))
def _bit_length(self: Any) -> Any:
    def bit_length(self):
        # The least number is its own negative: what counts is its bits.
        rest, count = abs(int(self)), 0
        while rest != 0:
            rest = (rest >> 1) & 0x7FFFFFFFFFFFFFFF
            count += 1
        return count

    return bit_length


@builtin((types.Integer, "method", "bit_count"))
def _bit_count(self: Any) -> Any:
    def bit_count(self):
        rest, count = abs(int(self)), 0
        while rest != 0:
            rest &= rest - 1
            count += 1
        return count

    return bit_count


@builtin((types.Float, "method", "is_integer"))
def _is_integer(self: Any) -> Any:
    import math

    return lambda self: math.isfinite(self) and self == math.trunc(self)
