"""Tuples: of one type or of several, with and without names."""

from __future__ import annotations

from .abstract import Hashable, Sequence, Sized
from .base import Type

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any


class BaseTuple(Sized, Hashable):
    """Tuples of any kind: `len`, indices and iteration give the types of what is in them."""

    types: tuple[Type, ...]

    @classmethod
    def from_types(cls, types: Iterable[Type], pyclass: Any = None) -> Any:
        """Return the type of the tuples of these types, or of the namedtuples of a class."""
        if pyclass is None or pyclass is tuple:
            return Tuple(types)
        return NamedTuple(types, pyclass)

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.types)

    def is_precise(self) -> bool:
        return all(it.is_precise() for it in self.types)

    def __unliteral__(self) -> Any:
        from .literal import unliteral

        return BaseTuple.from_types(tuple(map(unliteral, self.types)), getattr(self, "cls", None))

    def __len__(self) -> int:
        return len(self.types)

    def __getitem__(self, index: Any) -> Any:
        return self.types[index]

    def __iter__(self) -> Iterator[Type]:
        return iter(self.types)

    # An empty one is a type, too.
    def __bool__(self) -> bool:
        return True


class UniTuple(BaseTuple, Sequence):
    """Tuples of `count` values of the type `dtype`.

    >>> opwright.types.UniTuple(opwright.types.int64, 3)
    UniTuple(int64 x 3)
    """

    def __init__(self, dtype: Type, count: int) -> None:
        """Make the type of such tuples.

        Raises:
            TypeError: It is of no type; ValueError if there are fewer than none.
        """
        self.dtype, self.types = dtype, _checked([dtype]) * _count(count)
        super().__init__(f"{type(self).__name__}({dtype} x {count})")

    @property
    def key(self) -> Any:
        return self.dtype, len(self.types)

    @property
    def mangling_args(self) -> tuple[str, tuple[Any, ...]]:
        return type(self).__name__, (self.dtype, len(self.types))


class Tuple(BaseTuple):
    """Tuples of values of these types; if all are equal, it is the `UniTuple` of them.

    >>> opwright.types.Tuple((opwright.types.int64, opwright.types.float64))
    Tuple(int64, float64)
    """

    def __new__(cls, types: Iterable[Type]) -> Any:
        types = _checked(types)
        return UniTuple(types[0], len(types)) if _is_uniform(types) else super().__new__(cls)

    def __init__(self, types: Iterable[Type]) -> None:
        """Make the type of such tuples.

        Raises:
            TypeError: One of them is no type.
        """
        self.types = _checked(types)
        super().__init__(f"Tuple({', '.join(map(str, self.types))})")

    @property
    def key(self) -> Any:
        return self.types

    @property
    def mangling_args(self) -> tuple[str, tuple[Any, ...]]:
        return "Tuple", self.types


class _Named(BaseTuple):
    """Tuples of a class that `collections.namedtuple` makes."""

    cls: Any

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of the values."""
        return tuple(self.cls._fields)

    @property
    def instance_class(self) -> Any:
        """The class of the values."""
        return self.cls


class NamedUniTuple(UniTuple, _Named):
    """Namedtuples of the class `cls`, of `count` values of the type `dtype`."""

    def __init__(self, dtype: Type, count: int, cls: Any) -> None:
        """Make the type of such tuples.

        Raises:
            TypeError: `cls` is no such class.
        """
        self.cls = _named(cls, count)
        super().__init__(dtype, count)
        object.__setattr__(self, "name", f"{cls.__name__}({dtype} x {count})")

    @property
    def key(self) -> Any:
        return self.cls, self.dtype, len(self.types)


class NamedTuple(_Named):
    """Namedtuples of the class `cls`, of values of these types.

    If all are equal, it is the `NamedUniTuple` of them.

        >>> from collections import namedtuple
        >>> Point = namedtuple("Point", "x y")
        >>> point = opwright.types.NamedTuple((opwright.types.int64, opwright.types.float64), Point)
        >>> point, point.fields
        (Point(int64, float64), ('x', 'y'))
    """

    def __new__(cls, types: Iterable[Type], pyclass: Any) -> Any:
        types = _checked(types)
        if _is_uniform(types):
            return NamedUniTuple(types[0], len(types), pyclass)
        return super().__new__(cls)

    def __init__(self, types: Iterable[Type], cls: Any) -> None:
        """Make the type of such tuples.

        Raises:
            TypeError: One of them is no type, or `cls` no such class.
        """
        self.types = _checked(types)
        self.cls = _named(cls, len(self.types))
        super().__init__(f"{cls.__name__}({', '.join(map(str, self.types))})")

    @property
    def key(self) -> Any:
        return self.cls, self.types

    @property
    def mangling_args(self) -> tuple[str, tuple[Any, ...]]:
        return self.cls.__name__, self.types


def _checked(types: Iterable[Any]) -> tuple[Type, ...]:
    try:
        found = tuple(types)
    except TypeError:
        raise TypeError(f"expected several types in a tuple, not {types!r}") from None
    for at, it in enumerate(found):
        if not isinstance(it, Type):
            raise TypeError(f"a tuple is of types, not of {it!r} ([{at}])")
    return found


def _is_uniform(types: tuple[Type, ...]) -> bool:
    return bool(types) and all(it == types[0] for it in types)


def _count(count: Any) -> int:
    if not isinstance(count, int):
        raise TypeError(f"how many there are is an int, not {type(count).__name__}")
    if count < 0:
        raise ValueError(f"a tuple of {count} values")
    return count


def _named(cls: Any, count: int) -> Any:
    fields = getattr(cls, "_fields", None)
    if not (isinstance(cls, type) and issubclass(cls, tuple) and isinstance(fields, tuple)):
        raise TypeError(f"{cls!r} is no class of namedtuples")
    if len(fields) != count:
        raise TypeError(f"{cls.__name__} has {len(fields)} fields, not {count}")
    return cls
