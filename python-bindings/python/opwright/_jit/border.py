"""`box` and `unbox`: values of one's own across the border, by functions of Python.

They are called at each call, with the objects themselves. What code for numba's `pyapi` and builder
does, these stand-ins do at once; references are Python's own business.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from .. import types
from . import registry
from .builder import Struct
from .context import Context
from .errors import TypingError
from .models import members_of
from .typeof import class_of

_unbox: dict[Any, Any] = {}
_box: dict[Any, Any] = {}


class NativeValue(NamedTuple):
    """What `unbox` returns: the value, whether it failed, and what to do after the call."""

    value: Any
    is_error: Any = None
    cleanup: Any = None


def unbox(typ: Any) -> Any:
    """Say how an object becomes a value of a class of types: `(typ, obj, c)` to a NativeValue."""
    return _register(_unbox, typ)


def box(typ: Any) -> Any:
    """Say how a value of a class of types becomes an object: `(typ, val, c)` to the object."""
    return _register(_box, typ)


def _register(table: dict[Any, Any], typ: Any) -> Any:
    def register(function: Any) -> Any:
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


def attributes(ty: Any) -> tuple[str, ...] | None:
    """Return the attributes that make a value of an object of a type, without code of Python's.

    None if a function of `unbox` makes it, or the type has no model.
    """
    names = members_of(ty)
    if names is None or _find(_unbox, ty) is not None:
        return None
    return tuple(name for name, _ in names)


class Unboxed(NamedTuple):
    """The members of a value, and what to do after the call."""

    members: tuple[Any, ...]
    cleanup: Any


def unboxed(ty: Any, obj: Any, at: int) -> Unboxed:
    """Return the members of an object of a type.

    Raises:
        TypingError: It has no model, or is no such value.
        BaseException: What the function of `unbox` set.
    """
    names = members_of(ty)
    if names is None:
        raise TypingError(f"{ty} has no data model: register one with register_model")
    function = _find(_unbox, ty)
    if function is None:
        return Unboxed(tuple(_attribute(ty, obj, name, it) for name, it in names), None)
    c = _Border()
    native = function(ty, obj, c)
    failed = native.is_error
    if callable(failed):
        failed = failed()
    if failed:
        if c.pyapi.error is not None:
            raise c.pyapi.error
        raise TypingError(f"argument {at} is no value of {ty}: unbox() refused it")
    return Unboxed(_members(native.value, names), native.cleanup)


def _attribute(ty: Any, obj: Any, name: str, member: Any) -> Any:
    try:
        return getattr(obj, name)
    except AttributeError as error:
        raise TypeError(f"a value of {ty} has an attribute {name}: {error}") from None


def _members(value: Any, names: list[tuple[str, Any]]) -> tuple[Any, ...]:
    if isinstance(value, Struct):
        return tuple(_plain(value.members[name]) for name, _ in names)
    return (value,) if len(names) == 1 else tuple(value)


def _plain(value: Any) -> Any:
    return value.value if isinstance(value, _Native) else value


def boxed(ty: Any, members: tuple[Any, ...]) -> Any:
    """Return the object of a value with these members.

    Raises:
        TypeError: Nobody says how.
    """
    names = [name for name, _ in members_of(ty) or []]
    function = _find(_box, ty)
    if function is not None:
        value = Struct(ty, dict(zip(names, members, strict=True)))
        c = _Border()
        made = function(ty, value, c)
        if made is None and c.pyapi.error is not None:
            raise c.pyapi.error
        return made
    cls = class_of.get(ty) or getattr(ty, "cls", None)
    if cls is None:
        raise TypeError(f"a value of {ty} cannot be returned: register box({type(ty).__name__})")
    return cls(*members)


class _Native:
    """A value of a type within another."""

    def __init__(self, value: Any) -> None:
        self.value = value


class _Border:
    """What `box` and `unbox` get as `c`."""

    def __init__(self) -> None:
        self.context = Context()
        self.builder = _Builder()
        self.pyapi = _PyApi()
        self.env_manager = None

    def unbox(self, typ: Any, obj: Any) -> NativeValue:
        """Return the value of an object, as a member."""
        return NativeValue(_Native(obj))

    def box(self, typ: Any, val: Any) -> Any:
        """Return the object of a member."""
        return _plain(val)


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
        raise NotImplementedError(
            f"builder.{name} is not there in box and unbox: values are objects"
        )


class _PyApi:
    """Python's interface for C as numba wraps it: what fails sets `error`, and no more is done."""

    def __init__(self) -> None:
        self.error: BaseException | None = None

    def _try(self, function: Any, *args: Any) -> Any:
        if self.error is not None:
            return None
        try:
            return function(*args)
        except Exception as error:
            self.error = error
            return None

    def object_getattr_string(self, obj: Any, name: str) -> Any:
        return self._try(getattr, obj, name)

    def object_setattr_string(self, obj: Any, name: str, value: Any) -> Any:
        return self._try(setattr, obj, name, value)

    def float_as_double(self, obj: Any) -> Any:
        found = self._try(_as_float, obj)
        return -1.0 if found is None else found

    def long_as_longlong(self, obj: Any) -> Any:
        found = self._try(_as_int, obj)
        return -1 if found is None else found

    long_as_ulonglong = long_as_longlong
    number_as_ssize_t = long_as_longlong

    def float_from_double(self, value: Any) -> Any:
        return self._try(float, value)

    def long_from_longlong(self, value: Any) -> Any:
        return self._try(int, value)

    long_from_ulonglong = long_from_longlong
    long_from_ssize_t = long_from_longlong

    def bool_from_bool(self, value: Any) -> Any:
        return self._try(bool, value)

    bool_from_long = bool_from_bool

    def object_istrue(self, obj: Any) -> Any:
        return self._try(bool, obj)

    def complex_from_doubles(self, real: Any, imag: Any) -> Any:
        return self._try(complex, real, imag)

    def tuple_pack(self, items: Any) -> Any:
        return self._try(tuple, items)

    def tuple_getitem(self, obj: Any, at: int) -> Any:
        return self._try(lambda: obj[at])

    def list_new(self, size: Any) -> Any:
        return self._try(lambda: [None] * int(size))

    def list_append(self, obj: Any, item: Any) -> Any:
        return self._try(obj.append, item)

    def list_getitem(self, obj: Any, at: int) -> Any:
        return self._try(lambda: obj[at])

    def list_setitem(self, obj: Any, at: int, item: Any) -> Any:
        return self._try(obj.__setitem__, at, item)

    def list_size(self, obj: Any) -> Any:
        return self._try(len, obj)

    def string_from_string(self, text: Any) -> Any:
        return text

    def string_from_constant_string(self, text: Any) -> Any:
        return text

    def call_function_objargs(self, function: Any, args: Any) -> Any:
        return self._try(lambda: function(*args))

    def call_method(self, obj: Any, name: str, args: Any = ()) -> Any:
        return self._try(lambda: getattr(obj, name)(*args))

    def serialize_object(self, obj: Any) -> Any:
        return obj

    def unserialize(self, obj: Any) -> Any:
        return obj

    def incref(self, obj: Any) -> None:
        """References are Python's own business."""

    def decref(self, obj: Any) -> None:
        """References are Python's own business."""

    def err_occurred(self) -> Any:
        return self.error

    def err_set_string(self, cls: Any, text: str) -> None:
        if self.error is None:
            self.error = (cls if isinstance(cls, type) else RuntimeError)(text)

    def err_format(self, cls: Any, text: str, *args: Any) -> None:
        self.err_set_string(cls, text % args if args else text)

    def return_none(self) -> None:
        return None

    def get_null_object(self) -> None:
        return None

    def to_native_value(self, typ: Any, obj: Any) -> NativeValue:
        return NativeValue(_Native(obj))

    def from_native_value(self, typ: Any, val: Any, env: Any = None) -> Any:
        return _plain(val)


def _as_float(obj: Any) -> float:
    if isinstance(obj, str):
        raise TypeError("must be real number, not str")
    return float(obj)


def _as_int(obj: Any) -> int:
    import operator

    return operator.index(obj)


__all__ = ["NativeValue", "box", "boxed", "types", "unbox", "unboxed"]
