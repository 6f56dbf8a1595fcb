"""Types of values, in graphs and in compiled functions, and what classes are told of them.

>>> opwright.typeof(1.5)
float64
>>> opwright.typeof(opwright.ones(2, 3))
TensorType(float32, (2, 3))
"""

from __future__ import annotations

from . import _C
from ._types.base import Type as Type
from ._types.hooks import Hook as Hook
from ._types.hooks import ask
from ._types.hooks import typeof_hook as typeof_hook
from ._types.native import ListType as ListType
from ._types.native import NativeStructType as NativeStructType
from ._types.native import PlainType as PlainType
from ._types.native import ShapeClash as ShapeClash
from ._types.native import ShapeMismatch as ShapeMismatch
from ._types.native import StructType as StructType
from ._types.native import TensorType as TensorType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections import abc as _abc
    from typing import Any, TypeVar

    from ._types.names import *  # noqa: F403

    _Registered = TypeVar("_Registered")

_graph = _C._graph
# A parameter has its name.
_class = type

float64 = double = _graph.plain_type("float64")
int64 = _graph.plain_type("int64")
boolean = _graph.plain_type("bool")
complex128 = _graph.plain_type("complex128")
unicode_type = text = _graph.plain_type("unicode_type")
none = _graph.plain_type("none")


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
_fixed: dict[type, Type] = {
    float: double,
    int: int64,
    bool: boolean,
    complex: complex128,
    str: text,
    type(None): none,
}


def typeof(value: object) -> Type:
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
    own: Type | None = getattr(value, "_opwright_type_", None)
    if own is not None:
        return own
    elements = _elements(value)
    known = None if elements is None else _graph.typed(elements)
    if known is not None:
        return known
    found: Type | None = ask(value)
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


_transfers: list[_abc.Callable[[Any, Any], Any]] = []


def register_transfer(function: _Registered) -> _Registered:
    """Have `Variable.transfer` ask a function, which takes a variable and a target.

    It returns the variable there, or None if it knows nothing of the target.
    """
    _transfers.append(function)  # type: ignore[arg-type]
    return function


def transfer(variable: Any, target: Any) -> Any:
    """Return the variable on another device, as the functions of `register_transfer` make it.

    Raises:
        ValueError: The target is unknown.
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


def describe(ty: Any) -> str:
    """Return what a type is, and where in memory a C program finds the parts of its values.

    >>> print(opwright.types.describe(opwright.types.double))
    float64: double, 8 bytes
    """
    layout = getattr(ty, "_layout", None)
    if layout is not None:
        c_name, size, fields = layout
        lines = [f"  {at:4} {c_type} {name}" for at, c_type, name in fields]
        return "\n".join([f"{ty}: {c_name}, {size} bytes", *lines])
    element = ty.c_element_type() if hasattr(ty, "c_element_type") else None
    return f"{ty}: elements of {element}" if element else f"{ty}: an object"


def _late(name: str) -> Any:
    """What is made when somebody asks for it: most kinds, and most types of numbers."""
    from ._types import names

    if name not in names._PUBLIC:
        from ._types.missing import text

        raise AttributeError(text(__name__, name, __dir__()))
    found = globals()[name] = getattr(names, name)
    return found


if not TYPE_CHECKING:
    # A type checker reads the names themselves.
    __getattr__ = _late


def __dir__() -> list[str]:
    from ._types import names

    return sorted({*globals(), *names._PUBLIC})
