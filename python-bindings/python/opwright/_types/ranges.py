"""Ranges, slices, and what goes through the elements of an array."""

from __future__ import annotations

from .abstract import IterableType, IteratorType
from .array import Array
from .base import Type

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class RangeType(IterableType):
    """Ranges of integers of the type `dtype`."""

    def __init__(self, dtype: Type) -> None:
        """Make the type of such ranges."""
        self.dtype = dtype
        super().__init__(f"range_state_{dtype}")

    @property
    def key(self) -> Any:
        return self.dtype


class SliceType(Type):
    """Slices with two members or three: `types.slice2_type`, `types.slice3_type`."""

    def __init__(self, name: str, members: int) -> None:
        """Make the type of slices with so many members."""
        self.members = members
        super().__init__(name)

    @property
    def has_step(self) -> bool:
        """Whether a step is said."""
        return self.members >= 3

    @property
    def key(self) -> Any:
        return self.members


class NumpyFlatType(IteratorType):
    """The attribute `flat` of arrays of the type `array_type`."""

    mutable = True

    def __init__(self, array_type: Array) -> None:
        """Make the type of the elements of such arrays, one after the other.

        Raises:
            TypeError: It is no type of arrays.
        """
        if not isinstance(array_type, Array):
            raise TypeError(f"expected a type of arrays, not {array_type!r}")
        self.array_type, self.dtype = array_type, array_type.dtype
        super().__init__(f"array.flat({array_type})")

    @property
    def yield_type(self) -> Type:
        """The type of an element."""
        return self.dtype

    @property
    def key(self) -> Any:
        return self.array_type
