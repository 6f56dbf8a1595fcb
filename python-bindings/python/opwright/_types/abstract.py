"""Kinds of types, to ask for and to derive from."""

from __future__ import annotations

from .base import Type


class Hashable(Type):
    """Types whose values can be hashed."""


class Sized(Type):
    """Types whose values have a length."""


class Callable(Type):
    """Types whose values can be called."""


class IterableType(Type):
    """Types whose values can be iterated over."""


class IteratorType(IterableType):
    """Types whose values are iterated over once."""


class Sequence(Sized, IterableType):
    """Types whose values have a length and elements of one type."""


class Dummy(Type):
    """Types whose values carry nothing: `Dummy("name")` is one.

    >>> opwright.types.Dummy("marker")
    marker
    """


class Opaque(Dummy):
    """Types whose values are handed on and never looked into."""
