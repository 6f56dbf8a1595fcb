"""Types of values: those of plain values, and what classes are told of them.

>>> opwright.typeof(1.5)
double
>>> opwright.typeof(opwright.ones(2, 3))
TensorType(float32, (2, 3))
"""

from __future__ import annotations

from . import _C
from ._type import ListType as ListType
from ._type import NativeStructType as NativeStructType
from ._type import PlainType as PlainType
from ._type import ShapeClash as ShapeClash
from ._type import ShapeMismatch as ShapeMismatch
from ._type import StructType as StructType
from ._type import TensorType as TensorType
from ._type import Type as Type

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    _Registered = TypeVar("_Registered")

_graph = _C._graph
# A parameter has its name.
_class = type

double = PlainType("double")
int64 = PlainType("int64")
boolean = PlainType("bool")
complex128 = PlainType("complex128")
text = PlainType("str")
none = PlainType("none")


class _Generic(Type):
    """Any object, of which nothing is known."""

    __slots__ = ()

    def filter(self, value: Any, strict: bool = False, allow_downcast: bool | None = None) -> Any:
        if isinstance(value, _graph.Variable):
            raise TypeError("generic takes any value; this is a variable, not a value")
        return value

    def is_super(self, other: Any) -> bool:
        return self is other

    def deep_copy(self, value: Any) -> Any:
        """Return the object itself: of what nothing is known, nothing is copied."""
        return value

    def __repr__(self) -> str:
        return "generic"

    def __reduce__(self) -> str:
        return "generic"


_Generic.__name__ = _Generic.__qualname__ = "Generic"
generic = _Generic()


def list_of(element: Any, length: int | None = None) -> ListType:
    """Return the type of the lists of values of a type, as many as `length` says if it does."""
    return ListType(element, length)


# Classes whose instances are all of one type.
_fixed: dict[type, Any] = {
    float: double,
    int: int64,
    bool: boolean,
    complex: complex128,
    str: text,
    type(None): none,
}


class Hook:
    """A function that was asked to say what the type of an object is."""

    def __init__(self, function: Callable[[Any], Any], priority: float) -> None:
        self.function = function
        self.priority = priority

    def remove(self) -> None:
        """Ask it no more."""
        if self in _hooks:
            _hooks.remove(self)


_hooks: list[Hook] = []


def typeof_hook(function: Callable[[Any], Any], priority: float = 0) -> Hook:
    """Have `typeof` ask a function that returns the type of an object, or None.

    It is asked of what has no type otherwise; those of higher priority are asked first.
    """
    hook = Hook(function, priority)
    # A new list: the old one may be in use.
    _hooks[:] = sorted([*_hooks, hook], key=lambda it: -it.priority)
    return hook


def typeof(value: Any) -> Any:
    """Return the most specific type of a value.

    Raises:
        TypeError: None is known for it.
    """
    fixed = _fixed.get(type(value))
    if fixed is not None:
        return fixed
    known = _graph.typed(value)
    if known is not None:
        return known
    for cls in type(value).__mro__[1:]:
        if cls in _fixed:
            return _fixed[cls]
    own = getattr(value, "_opwright_type_", None)
    if own is not None:
        return own
    elements = _elements(value)
    if elements is not None:
        return _graph.typed(elements)
    for hook in list(_hooks):
        found = hook.function(value)
        if found is not None:
            return found
    raise TypeError(
        f"no type for {type(value).__name__}: register one, or give the class _opwright_type_"
    )


def _elements(value: Any) -> Any:
    """A tensor over what a value lends, or None if it lends nothing that a tensor can show."""
    try:
        if hasattr(type(value), "__dlpack__"):
            return _C.from_dlpack(value)
        with memoryview(value):
            return _C.asarray(value)
    except (TypeError, ValueError, BufferError, RuntimeError):
        return None


def register_type(type: Any = None, *, cls: Any = None) -> Any:
    """Say that the instances of `cls` are of a type.

    As a decorator it stands before a subclass of `StructType`, whose annotations say what the
    attributes are.

    Raises:
        TypeError: `cls` is no class, or the type is none.
    """
    if not isinstance(cls, _class):
        raise TypeError("register_type() needs the class of the values: cls=")
    if type is None:
        return lambda it: register_type(it, cls=cls)
    if isinstance(type, _class) and issubclass(type, StructType):
        type.cls = cls
        try:
            _fixed[cls] = type()
        except TypeError:
            del type.cls
            raise
        return type
    if isinstance(type, _class):
        _fixed[cls] = type()
        return type
    if not callable(getattr(type, "filter", None)):
        raise TypeError(f"{type!r} is no type: it has no filter()")
    _fixed[cls] = type
    return type


_transfers: list[Callable[[Any, Any], Any]] = []


def register_transfer(function: _Registered) -> _Registered:
    """Have `Variable.transfer` ask a function, which takes a variable and a target.

    It returns the variable there, or None if it knows nothing of the target.
    """
    _transfers.append(function)  # type: ignore[arg-type]
    return function


def transfer(variable: Any, target: Any) -> Any:
    """Return the variable on another device, as the functions of `register_transfer` make it.

    Raises:
        ValueError: Nobody knows the target.
    """
    if str(target) == "cpu":
        return variable
    for function in _transfers:
        found = function(variable, target)
        if found is not None:
            return found
    names = ", ".join(getattr(it, "__name__", repr(it)) for it in _transfers)
    raise ValueError(
        f"nobody transfers to {target!r}: 'cpu' is known"
        + (f", and these functions were asked: {names}" if names else "")
    )


# What C calls a plain value, and how many bytes it takes.
_LAYOUTS = {
    double: ("double", 8),
    int64: ("int64_t", 8),
    boolean: ("bool", 1),
    complex128: ("double complex", 16),
}


def describe(ty: Any) -> str:
    """Return what a type is, and where in memory a C program finds the parts of its values.

    >>> print(opwright.types.describe(opwright.types.double))
    double: double, 8 bytes
    """
    if isinstance(ty, NativeStructType):
        c_name, laid = ty._layout or (None, [])
        return _laid_out(f"{ty}: {c_name}", laid) if c_name else f"{ty}: an object"
    if isinstance(ty, StructType):
        laid = [(c_name, name, *at) for name, (c_name, *at) in _layouts(ty)]
        return _laid_out(f"{ty}: struct", laid)
    if ty in _LAYOUTS:
        c_name, size = _LAYOUTS[ty]
        return f"{ty}: {c_name}, {size} bytes"
    element = ty.c_element_type() if hasattr(ty, "c_element_type") else None
    return f"{ty}: elements of {element}" if element else f"{ty}: an object"


def _laid_out(head: str, fields: list[tuple[Any, ...]]) -> str:
    """Where fields lie, of each of which its type, name, size and step are known."""
    lines, size, alignment = [], 0, 1
    for c_name, name, bytes_, step in fields:
        size += -size % step
        lines.append(f"  {size:4} {c_name} {name}")
        size += bytes_
        alignment = max(alignment, step)
    size += -size % alignment
    return "\n".join([f"{head}, {size} bytes", *lines])


def _layouts(ty: StructType) -> list[tuple[str, tuple[str, int, int]]]:
    return [(name, _layout(field)) for name, field in ty.fields.items()]


def _layout(ty: Any) -> tuple[str, int, int]:
    """What C calls a field, how many bytes it takes, and what its address is a multiple of."""
    if ty in _LAYOUTS:
        c_name, size = _LAYOUTS[ty]
        return c_name, size, min(size, 8)
    return "void *", 8, 8
