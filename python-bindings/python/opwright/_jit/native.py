"""Native structs: classes whose objects are structs of C, of which nothing is copied."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, TypeVar, dataclass_transform, get_type_hints, overload

from .. import _C, types
from . import registry
from .models import StructModel, has_model

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

_jit = _C._jit


class NativeType(types.Type):
    """The type of the objects of a native struct.

    Attributes:
        python_class: The class.
        fields: Names and types of the members.
    """

    def __init__(self, cls: Any, name: str, fields: list[tuple[str, Any]], frozen: bool) -> None:
        """Make the type of a class."""
        self.python_class = cls
        self.fields = fields
        self.mutable = not frozen
        self.representation = "frozen" if frozen else "reference"
        super().__init__(name=name)

    @property
    def key(self) -> Any:
        return id(self.python_class)


class _NativeModel(StructModel):
    """What the objects of a native struct consist of."""

    def __init__(self, dmm: Any, fe_type: Any) -> None:
        super().__init__(dmm, fe_type, fe_type.fields)


has_model(NativeType, _NativeModel)


_Class = TypeVar("_Class", bound=type)


@overload
def native_struct(cls: _Class) -> _Class: ...


@overload
def native_struct(
    cls: None = None, *, frozen: bool = False, eq: bool = True, order: bool = False
) -> Callable[[_Class], _Class]: ...


@dataclass_transform()
def native_struct(
    cls: Any = None, *, frozen: bool = False, eq: bool = True, order: bool = False
) -> Any:
    """Make a class whose objects are structs, with members from the annotations of `cls`.

        >>> @native_struct
        ... class Celsius:
        ...     deg: float
        ...     tag: types.int32 = 7
        >>> Celsius(20.0)
        Celsius(deg=20.0, tag=7)

    Args:
        cls: A class with annotations that are types, or Python's `float`, `int`, `bool` and
            `complex`; values are defaults. Members are numbers and bools, other native structs,
            which lie in place, tuples of these, and arrays, which are referred to.
        frozen: Whether members cannot be set; then objects can be hashed, and values are copied.
        eq: Whether objects are equal if their members are.
        order: Whether objects are ordered by their members.

    Raises:
        TypeError: A member is of another type, or the class derives from another.
    """
    if cls is None:
        return lambda it: _made(it, frozen, eq, order, sys._getframe(1))
    return _made(cls, frozen, eq, order, sys._getframe(1))


def _made(cls: Any, frozen: bool, eq: bool, order: bool, caller: FrameType) -> Any:
    if cls.__bases__ != (object,):
        raise TypeError(
            f"{cls.__name__} cannot derive from {cls.__bases__[0].__name__}: native structs stand "
            f"alone; have a member of the other type"
        )
    # Annotations may be texts, which name what is known where the class stands.
    annotations = get_type_hints(cls, localns=dict(caller.f_locals))
    fields = [(name, _member(cls, name, ty)) for name, ty in annotations.items()]
    made = _jit.struct_class(f"{cls.__module__}.{cls.__qualname__}", fields, frozen)
    _fill(made, cls, fields, frozen, eq, order)
    return made


def _member(cls: Any, name: str, ty: Any) -> Any:
    python = {
        float: types.float64,
        int: types.int64,
        bool: types.boolean,
        complex: types.complex128,
    }
    if isinstance(ty, type) and ty in python:
        return python[ty]
    own = vars(ty).get("_opwright_type_") if isinstance(ty, type) else None
    if isinstance(own, NativeType):
        return own
    if not isinstance(ty, types.Type):
        raise TypeError(
            f"{cls.__name__}.{name} is annotated with {ty!r}: members have types of ours, or are "
            f"native structs"
        )
    return ty


def _fill(
    made: Any, cls: Any, fields: list[tuple[str, Any]], frozen: bool, eq: bool, order: bool
) -> None:
    names = [name for name, _ in fields]
    defaults = {name: vars(cls)[name] for name in names if name in vars(cls)}
    made.__qualname__ = cls.__qualname__
    made.__module__ = cls.__module__
    made.__doc__ = cls.__doc__
    setattr(made, "__match_args__", tuple(names))  # noqa: B010
    made._opwright_defaults_ = defaults
    made._opwright_type_ = NativeType(made, cls.__name__, fields, frozen)
    made.__init__ = _init(made, names, defaults)
    made.__repr__ = _repr(names)
    made.__reduce__ = lambda self: (type(self), _values(self, names))
    if eq:
        made.__eq__ = _compared(names, "__eq__")
        made.__hash__ = (lambda self: hash((type(self), _values(self, names)))) if frozen else None
    if order:
        for name in ("__lt__", "__le__", "__gt__", "__ge__"):
            setattr(made, name, _compared(names, name))
    skipped = {
        "__dict__",
        "__weakref__",
        "__doc__",
        "__module__",
        "__qualname__",
        "__annotations__",
    }
    for name, value in vars(cls).items():
        if name not in skipped and name not in names:
            setattr(made, name, value)
    made.__annotations__ = dict(fields)
    registry.changed()


def _values(value: Any, names: list[str]) -> tuple[Any, ...]:
    return tuple(getattr(value, name) for name in names)


def _init(made: Any, names: list[str], defaults: dict[str, Any]) -> Callable[..., None]:
    import inspect

    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    parameters = [
        inspect.Parameter(name, kind, default=defaults.get(name, inspect.Parameter.empty))
        for name in names
    ]
    signature = inspect.Signature(parameters)

    def initialize(self: Any, *args: Any, **kwargs: Any) -> None:
        if kwargs or len(args) != len(names):
            try:
                bound = signature.bind(*args, **kwargs)
            except TypeError as error:
                raise TypeError(f"{type(self).__name__}() {error}") from None
            bound.apply_defaults()
            args = bound.args
        for at, value in enumerate(args):
            try:
                _jit.struct_set(self, at, value)
            except TypeError as error:
                raise TypeError(f"{type(self).__name__}.{names[at]}: {error}") from None

    made.__signature__ = signature
    return initialize


def _repr(names: list[str]) -> Callable[[Any], str]:
    def shown_as(self: Any) -> str:
        shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
        return f"{type(self).__qualname__}({shown})"

    return shown_as


def _compared(names: list[str], method: str) -> Callable[[Any, Any], Any]:
    def compare(self: Any, other: Any) -> Any:
        if type(self) is not type(other):
            return NotImplemented
        mine, others = _values(self, names), _values(other, names)
        if method == "__eq__":
            return all(map(_equal, mine, others))
        return getattr(mine, method)(others)

    compare.__name__ = method
    return compare


def _equal(a: Any, b: Any) -> bool:
    """Whether members are equal; arrays are if all their elements are."""
    if a is b:
        return True
    if isinstance(a, tuple):
        return all(map(_equal, a, b))
    found = a == b
    return bool(found.all()) and a.shape == b.shape if hasattr(found, "all") else bool(found)
