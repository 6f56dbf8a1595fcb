"""Numbers and truth values."""

from __future__ import annotations

import struct

from .abstract import Hashable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Self

    from .array import Array
    from .base import Type


def _known(cls: type, name: Any) -> Any:
    """The type of a number that this library knows, if a kind itself is asked for one."""
    from . import native

    return native.number(cls, name) if cls in (Boolean, Integer, Float, Complex) else None


class _Element(Hashable):
    """What arrays have as elements: `t[:, :]` is the type of the arrays of two dimensions."""

    def __new__(cls, name: Any = None, *args: Any, **kwargs: Any) -> Any:
        known = _known(cls, name)
        return super().__new__(cls) if known is None else known

    @property
    def dtype_(self) -> Any:
        """The dtype of `opwright` whose elements are of the type.

        >>> opwright.types.int8.dtype_
        opwright.int8

        Raises:
            TypeError: There is none.
        """
        from .dtypes import dtype_of

        return dtype_of(self)

    def __getitem__(self, dims: Any) -> Array:
        """Return the type of arrays: `float64[:]`, `float64[:, ::1]`, `float64[::1, :]`.

        Raises:
            TypeError: The index has something else than `:` and `::1`.
        """
        from .array import array_of

        return array_of(self, dims)


class Boolean(_Element):
    """Truth values: `types.boolean`."""

    def cast_python_value(self, args: Any) -> bool:
        return bool(args)


class Number(_Element):
    """Numbers, which are sorted by how many bits they have.

    >>> sorted([opwright.types.int64, opwright.types.int8])
    [int8, int64]
    """

    def __init__(self, name: str, bitwidth: int | None = None) -> None:
        """Make a type of numbers of so many bits: as many as the name ends in, else 64."""
        super().__init__(name)
        if bitwidth is not None:
            self._bitwidth = bitwidth

    @property
    def bitwidth(self) -> int:
        """How many bits a number has."""
        given: int | None = getattr(self, "_bitwidth", None)
        name = self.name
        digits = name[len(name.rstrip("0123456789")) :]
        return given or int(digits or 64)

    def _order(self) -> tuple[int, str]:
        return self.bitwidth, self.name

    def __lt__(self, other: object) -> bool:
        return self._order() < other._order() if isinstance(other, Number) else NotImplemented

    def __le__(self, other: object) -> bool:
        return self._order() <= other._order() if isinstance(other, Number) else NotImplemented

    def __gt__(self, other: object) -> bool:
        return self._order() > other._order() if isinstance(other, Number) else NotImplemented

    def __ge__(self, other: object) -> bool:
        return self._order() >= other._order() if isinstance(other, Number) else NotImplemented


class Integer(Number):
    """Integers: `types.int8` to `types.int64`, `types.uint8` to `types.uint64`.

    >>> opwright.types.uint8.maxval, opwright.types.int8.signed
    (255, True)
    """

    def __init__(self, name: str, bitwidth: int | None = None, signed: bool | None = None) -> None:
        """Make a type of integers, without a sign if its name begins with `uint`."""
        super().__init__(name, bitwidth)
        if signed is not None:
            self._signed = signed

    @classmethod
    def from_bitwidth(cls, bitwidth: int, signed: bool = True) -> Self:
        """Return the type of the integers of so many bits."""
        return cls(f"{'int' if signed else 'uint'}{bitwidth}")

    @property
    def signed(self) -> bool:
        """Whether there are integers below zero."""
        given: bool | None = getattr(self, "_signed", None)
        return not self.name.startswith("uint") if given is None else given

    @property
    def minval(self) -> int:
        """The least integer."""
        return -(1 << (self.bitwidth - 1)) if self.signed else 0

    @property
    def maxval(self) -> int:
        """The greatest integer."""
        return (1 << (self.bitwidth - self.signed)) - 1

    def cast_python_value(self, args: Any) -> int:
        """Return an integer of the type: integers wrap around, floats are cut off and saturate."""
        if isinstance(args, float):
            return self._of_float(args)
        span = 1 << self.bitwidth
        return (int(args) - self.minval) % span + self.minval

    def _of_float(self, value: float) -> int:
        if value != value:
            return 0
        if abs(value) == float("inf"):
            return self.maxval if value > 0 else self.minval
        return max(self.minval, min(int(value), self.maxval))


class Float(Number):
    """Floats: `types.float16`, `types.float32`, `types.float64`."""

    def cast_python_value(self, args: Any) -> float:
        """Return a float that is rounded to one of the type."""
        return _rounded(float(args), self.bitwidth)


class Complex(Number):
    """Complex numbers: `types.complex64`, `types.complex128`."""

    @property
    def underlying_float(self) -> Type:
        """The type of the real and the imaginary part."""
        made: Type = Float(f"float{self.bitwidth // 2}")
        return made

    def cast_python_value(self, args: Any) -> complex:
        """Return a complex number whose parts are rounded to those of the type."""
        value, bits = complex(args), self.bitwidth // 2
        return complex(_rounded(value.real, bits), _rounded(value.imag, bits))


def _rounded(value: float, bits: int) -> float:
    code = {16: "e", 32: "f"}.get(bits)
    if code is None:
        return value
    try:
        rounded: float = struct.unpack(code, struct.pack(code, value))[0]
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")
    return rounded
