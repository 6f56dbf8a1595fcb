"""Types of single values."""

from __future__ import annotations

from .abstract import Dummy
from .base import Type
from .number import Boolean, Integer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Literal(Type):
    """The type of one value, which an overload with `prefer_literal` gets.

    >>> three = opwright.types.literal(3)
    >>> three, three.literal_value, three.literal_type
    (Literal[int](3), 3, int64)
    """

    # What values a class is for.
    _of: type = object

    def __new__(cls, value: Any) -> Any:
        if cls is Literal:
            return literal(value)
        if type(value) is not cls._of:
            raise TypeError(f"{cls.__name__} is of an {cls._of.__name__}, not of {value!r}")
        return Type.__new__(cls)

    def __init__(self, value: Any) -> None:
        """Make the type of a value.

        Raises:
            TypeError: The value is of a class that has no literal types.
        """
        self.literal_value = value
        Type.__init__(self, f"Literal[{type(value).__name__}]({value})")

    @property
    def key(self) -> Any:
        return self.literal_value

    @property
    def literal_type(self) -> Any:
        """The type that the value has otherwise."""
        from .native import PlainType

        return PlainType({int: "int64", bool: "bool"}.get(self._of, "unicode_type"))

    @property
    def bitwidth(self) -> int:
        """How many bits a value of the type has that the value has otherwise."""
        width: int = self.literal_type.bitwidth
        return width

    @property
    def signed(self) -> bool:
        """Whether that type has numbers below zero."""
        signed: bool = self.literal_type.signed
        return signed

    def filter(self, value: Any, strict: bool = False, allow_downcast: bool | None = None) -> Any:
        if type(value) is self._of and value == self.literal_value:
            return value
        raise TypeError(f"expected {self.literal_value!r}, not {value!r}")

    def cast_python_value(self, args: Any) -> Any:
        return self.literal_type.cast_python_value(args)


class IntegerLiteral(Literal, Integer):
    """The type of one integer."""

    _of = int


class BooleanLiteral(Literal, Boolean):
    """The type of one truth value."""

    _of = bool


class StringLiteral(Literal, Dummy):
    """The type of one text."""

    _of = str


_CLASSES: dict[type, type[Literal]] = {
    int: IntegerLiteral,
    bool: BooleanLiteral,
    str: StringLiteral,
}


def literal(value: Any) -> Any:
    """Return the type of one value: of an int, a bool or a str.

    Raises:
        TypeError: It is of another class.
    """
    cls = _CLASSES.get(type(value))
    if cls is None:
        raise TypeError(f"there are literal types of int, bool and str, not of {value!r}")
    return cls(value)


def unliteral(ty: Any) -> Any:
    """Return the type that a value has otherwise: `int64` for that of 3; other types themselves.

    >>> opwright.types.unliteral(opwright.types.literal("a"))
    unicode_type
    """
    whole = getattr(ty, "__unliteral__", None)
    return whole() if whole is not None else getattr(ty, "literal_type", ty)
