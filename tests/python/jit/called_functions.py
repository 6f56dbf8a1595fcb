"""Compiled functions, and what tests of calls pass to them."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np
import opwright
from opwright import jit, types
from opwright.extending import make_attribute_wrapper, native_struct, register_model, typeof_impl
from opwright.extending import models as known_models


@native_struct
class Point:
    """Two numbers, and a small one."""

    x: types.float64
    n: types.int8
    y: types.float64


class Plain:
    """Two numbers as attributes."""

    def __init__(self, x: Any, y: Any) -> None:
        self.x, self.y = x, y


class PlainType(types.Type):
    """The type of two numbers."""

    def __init__(self) -> None:
        super().__init__(name="Plain")


plain_type = PlainType()


typeof_impl.register(Plain, constant=True)(lambda value, c: plain_type)


@register_model(PlainType)
class PlainModel(known_models.StructModel):
    """What they consist of."""

    def __init__(self, dmm: Any, fe_type: Any) -> None:
        members = [("x", types.float64), ("y", types.float64)]
        known_models.StructModel.__init__(self, dmm, fe_type, members)


make_attribute_wrapper(PlainType, "x", "x")
make_attribute_wrapper(PlainType, "y", "y")


Named = namedtuple("Named", "a b")


@jit
def nothing():
    return 1


@jit
def three(a, b, c):
    return a * b + c


@jit
def defaults(a, b=2.0, *, c=3):
    return a * 100 + b * 10 + c


@jit
def members(p):
    return p.x + p.y


@jit
def same(p):
    return p


@jit
def element(a):
    return a[3]


@jit
def pair(t):
    return t[0] + t[1]


@jit
def looped(n):
    total = 0
    for i in range(n):
        total += i
    return total


ARRAY = np.arange(8.0)
TENSOR = opwright.arange(8.0)


# A function, its arguments, those by keyword, and what it gives.
CALLS: dict[str, tuple[Any, tuple[Any, ...], dict[str, Any], Any]] = {
    "none": (nothing, (), {}, 1),
    "floats": (three, (1.5, 2.0, 3.0), {}, 6.0),
    "ints": (three, (2, 3, 4), {}, 10),
    "scalars of numpy": (three, (np.float32(1.5), np.int16(2), np.float64(3.0)), {}, 6.0),
    "default": (defaults, (1,), {}, 123.0),
    "keyword": (defaults, (1,), {"c": 4, "b": 5.0}, 154.0),
    "struct": (members, (Point(1.5, 1, 2.5),), {}, 4.0),
    "user class": (members, (Plain(1.5, 2.5),), {}, 4.0),
    "array": (element, (ARRAY,), {}, 3.0),
    "tensor": (element, (TENSOR,), {}, 3.0),
    "tuple": (pair, ((1, 2.5),), {}, 3.5),
    "named tuple": (pair, (Named(1, 2.5),), {}, 3.5),
    "loop": (looped, (10,), {}, 45),
}
