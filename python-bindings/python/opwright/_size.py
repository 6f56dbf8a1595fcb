"""The sizes of a tensor."""

from __future__ import annotations

import math
import operator

from . import _C

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, SupportsIndex


class Size(_C._SizeBase):
    """The sizes of the dimensions of a tensor: a tuple of integers."""

    __slots__ = ()

    def __new__(cls, sizes: Iterable[SupportsIndex] = ()) -> Size:
        """Sizes from anything that yields integers."""
        return super().__new__(cls, map(operator.index, sizes))

    def numel(self) -> int:
        """The number of elements of a tensor of this size."""
        return math.prod(self)

    def __add__(self, other: tuple[int, ...]) -> Size:  # type: ignore[override]
        joined: Any = super().__add__(other)
        return joined if joined is NotImplemented else Size(joined)

    def __radd__(self, other: tuple[int, ...]) -> Size:
        return Size(other + tuple(self)) if isinstance(other, tuple) else NotImplemented

    def __mul__(self, count: SupportsIndex) -> Size:
        return Size(super().__mul__(count))

    def __rmul__(self, count: SupportsIndex) -> Size:
        return Size(super().__rmul__(count))

    def __repr__(self) -> str:
        return f"{type(self).__module__}.Size({list(self)})"


Size.__module__ = __name__.rpartition(".")[0]
