"""Python's interface for C, as code for numba calls it.

What fails sets `error`, and no more is done. What is called does at once what it says, with the
objects themselves; references are Python's own business.
"""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


class NativeMember:
    """An object as a member of a value: the compiler unboxes it."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


class PyApi:
    """What `box` and `unbox` get as `c.pyapi`.

    Attributes:
        error: What failed first.
    """

    # Until something fails, of all of them.
    error: BaseException | None = None

    def _try(self, function: Callable[..., Any], *args: Any) -> Any:
        if self.error is not None:
            return None
        try:
            return function(*args)
        except Exception as error:
            self.error = error
            return None

    # The two that all bodies call are written out: each call of a function takes its time.

    def object_getattr_string(self, obj: Any, name: str) -> Any:
        if self.error is None:
            try:
                return getattr(obj, name)
            except Exception as error:
                self.error = error
        return None

    def float_as_double(self, obj: Any) -> Any:
        if self.error is None:
            if type(obj) is float:
                return obj
            try:
                return _as_float(obj)
            except Exception as error:
                self.error = error
        return -1.0

    def long_as_longlong(self, obj: Any) -> Any:
        if self.error is None:
            try:
                return operator.index(obj)
            except Exception as error:
                self.error = error
        return -1

    long_as_ulonglong = long_as_longlong
    number_as_ssize_t = long_as_longlong

    def object_setattr_string(self, obj: Any, name: str, value: Any) -> Any:
        return self._try(setattr, obj, name, value)

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

    def to_native_value(self, typ: Any, obj: Any) -> Any:
        from .boxing import NativeValue

        return NativeValue(NativeMember(obj))

    def from_native_value(self, typ: Any, val: Any, env: Any = None) -> Any:
        return plain(val)


def plain(value: Any) -> Any:
    """Return the object that a member is."""
    return value.value if type(value) is NativeMember else value


def _as_float(obj: Any) -> float:
    if isinstance(obj, str):
        raise TypeError("must be real number, not str")
    return float(obj)
