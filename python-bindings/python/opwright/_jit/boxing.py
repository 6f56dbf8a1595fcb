"""`box` and `unbox`: values of one's own, boxed and unboxed by functions of Python.

They are called at each call, with the objects themselves. What code for numba's `pyapi` and builder
does, these stand-ins do at once; references are Python's own business.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from .. import types
from . import registry
from .builder import Struct
from .context import Context
from .errors import TypingError
from .models import members_of
from .pyapi import NativeMember, PyApi, plain
from .typeof import class_of

if TYPE_CHECKING:
    from collections.abc import Callable

_Function = TypeVar("_Function")

_unbox: dict[Any, Any] = {}
_box: dict[Any, Any] = {}


class NativeValue(NamedTuple):
    """What `unbox` returns: the value, whether it failed, and what to do after the call."""

    value: Any
    is_error: Any = None
    cleanup: Any = None


def unbox(typ: Any) -> Callable[[_Function], _Function]:
    """Say how an object becomes a value of a class of types: `(typ, obj, c)` to a NativeValue."""
    return _register(_unbox, typ)


def box(typ: Any) -> Callable[[_Function], _Function]:
    """Say how a value of a class of types becomes an object: `(typ, val, c)` to the object."""
    return _register(_box, typ)


def _register(table: dict[Any, Any], typ: Any) -> Callable[[_Function], _Function]:
    def register(function: _Function) -> _Function:
        table[typ] = function
        registry.changed()
        return function

    return register


def _find(table: dict[Any, Any], ty: Any) -> Any:
    for cls in type(ty).__mro__:
        found = table.get(cls)
        if found is not None:
            return found
    return None


def unboxer(ty: Any) -> Any:
    """Return how objects of a type become values, for as long as nothing is registered.

    It is a tuple of the attributes that members are; or else a function of an object and the number
    of the argument, which returns the members and what to do after the call.

    Raises:
        TypingError: The type has no model.
    """
    members = members_of(ty)
    if members is None:
        raise TypingError(f"{ty} has no data model: register one with register_model")
    names = tuple(name for name, _ in members)
    function = _find(_unbox, ty)
    if function is None:
        return names

    def unboxed(obj: Any, at: int) -> tuple[tuple[Any, ...], Any]:
        c = _BoxContext()
        native = function(ty, obj, c)
        failed = native.is_error
        if failed is not None and failed is not False:
            _check(failed() if callable(failed) else failed, c, ty, at)
        return _members(native.value, names), native.cleanup

    return unboxed


def _check(failed: Any, c: _BoxContext, ty: Any, at: int) -> None:
    """Raise what a function of `unbox` has set, if it says that it failed."""
    if not failed:
        return
    if c.pyapi.error is not None:
        raise c.pyapi.error
    raise TypingError(f"argument {at} is no value of {ty}: unbox() refused it")


def unboxed(ty: Any, obj: Any) -> tuple[Any, ...]:
    """Return the members of an object of a type.

    Raises:
        TypingError: It has no model, or is no such value.
        BaseException: What the function of `unbox` set.
    """
    how = unboxer(ty)
    if not isinstance(how, tuple):
        members: tuple[Any, ...] = how(obj, 0)[0]
        return members
    return tuple(_attribute(ty, obj, name) for name in how)


def _attribute(ty: Any, obj: Any, name: str) -> Any:
    try:
        return getattr(obj, name)
    except AttributeError as error:
        raise TypeError(f"a value of {ty} has an attribute {name}: {error}") from None


def _members(value: Any, names: tuple[str, ...]) -> tuple[Any, ...]:
    if isinstance(value, Struct):
        members = value.members
        # Written out, as it is done at each call.
        return tuple(
            [it.value if type(it) is NativeMember else it for it in map(members.get, names)]
        )
    return (value,) if len(names) == 1 else tuple(value)


def boxed(ty: Any, members: tuple[Any, ...]) -> Any:
    """Return the object of a value with these members.

    Raises:
        TypeError: Nobody says how.
    """
    names = [name for name, _ in members_of(ty) or []]
    function = _find(_box, ty)
    if function is not None:
        value = Struct(ty, dict(zip(names, members, strict=True)))
        c = _BoxContext()
        made = function(ty, value, c)
        if made is None and c.pyapi.error is not None:
            raise c.pyapi.error
        return made
    cls = class_of.get(ty) or getattr(ty, "cls", None)
    if cls is None:
        raise TypeError(f"a value of {ty} cannot be returned: register box({type(ty).__name__})")
    return cls(*members)


class _Builder:
    """The builder at call time, where values are objects."""

    def field(self, value: Any, name: str) -> Any:
        return value.members[name]

    def is_not_null(self, value: Any) -> bool:
        return value is not None

    def or_(self, a: Any, b: Any) -> Any:
        return bool(a) or bool(b)

    def and_(self, a: Any, b: Any) -> Any:
        return bool(a) and bool(b)

    def not_(self, a: Any) -> Any:
        return not a

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise NotImplementedError(
            f"builder.{name} is not there in box and unbox: values are objects"
        )


class _BoxContext:
    """What `box` and `unbox` get as `c`."""

    __slots__ = ("pyapi",)

    context = Context()
    builder = _Builder()
    env_manager = None

    def __init__(self) -> None:
        self.pyapi = PyApi()

    def unbox(self, typ: Any, obj: Any) -> NativeValue:
        """Return the value of an object, as a member."""
        return NativeValue(NativeMember(obj))

    def box(self, typ: Any, val: Any) -> Any:
        """Return the object of a member."""
        return plain(val)


__all__ = ["NativeValue", "box", "boxed", "types", "unbox", "unboxed", "unboxer"]
