"""Functions as arguments: which of them are of one type.

The type of a function is its code and what it has frozen: the values of its closure and its
defaults. Closures that are made anew from equal values are of the type of the first one, so nothing
is compiled anew for them.
"""

from __future__ import annotations

import struct
import sys
from contextlib import suppress
from types import BuiltinFunctionType, CellType, FunctionType, MethodDescriptorType

from .. import _C, types
from . import registry
from .spec import type_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable
    from typing import Any

# The first function of each key, which lives as long as the process: its type may be asked for.
_firsts: dict[Hashable, Any] = {}

# Classes whose objects are functions, beside those of Python.
classes: list[type] = [_C._jit.Dispatcher]


def is_function(value: Any) -> bool:
    """Whether a value is a function, and not some other object that can be called."""
    if isinstance(value, FunctionType | BuiltinFunctionType | MethodDescriptorType):
        return True
    if isinstance(value, tuple(classes)):
        return True
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(value, numpy.ufunc | type(numpy.sum))


def first(function: Any) -> Any:
    """Return the first function with the code of this one and with equal values frozen."""
    key = _key(function, ())
    found = _firsts.get(key)
    if found is None:
        found = _firsts.setdefault(key, _kept(function, {}))
    return found


def _is_plain(value: Any) -> bool:
    """Whether a function is all that its code says; one with overloads is itself."""
    return isinstance(value, FunctionType) and not registry.is_registered(value)


def _kept(function: Any, within: dict[int, Any]) -> Any:
    """A function as it is now: what its closure names may be bound anew later."""
    plain = function.py_func if isinstance(function, _C._jit.Dispatcher) else function
    if not _is_plain(plain) or not plain.__closure__:
        return function
    if id(plain) in within:
        return within[id(plain)]
    cells = tuple(CellType() for _ in plain.__closure__)
    name, defaults = plain.__name__, plain.__defaults__
    made = FunctionType(plain.__code__, plain.__globals__, name, defaults, cells)
    made.__kwdefaults__ = plain.__kwdefaults__
    made.__qualname__ = plain.__qualname__
    made.__dict__.update(plain.__dict__)
    within[id(plain)] = made
    for own, cell in zip(cells, plain.__closure__, strict=True):
        with suppress(ValueError):
            own.cell_contents = _kept(cell.cell_contents, within)
    return made


def _key(value: Any, within: tuple[Any, ...]) -> Hashable:
    """What is equal for values that are frozen alike."""
    if isinstance(value, _C._jit.Dispatcher):
        return "jit", _key(value.py_func, within)
    if _is_plain(value):
        if value in within:
            return "function around", within.index(value)
        inside = (*within, value)
        cells = [_cell(it, inside) for it in value.__closure__ or ()]
        defaults = [_key(it, inside) for it in value.__defaults__ or ()]
        named = [(name, _key(it, inside)) for name, it in (value.__kwdefaults__ or {}).items()]
        # What they were made of lives as long as the first function does.
        scope = id(value.__code__), id(value.__globals__)
        return "function", scope, tuple(cells), tuple(defaults), tuple(named)
    if isinstance(value, tuple):
        return type(value), tuple(_key(it, within) for it in value)
    if isinstance(value, float):
        # Both zeros, and each way not to be a number.
        return type(value), struct.pack("d", value)
    if isinstance(value, complex):
        return type(value), struct.pack("dd", value.real, value.imag)
    if isinstance(value, int | str) or value is None:
        return type(value), value
    return "object", id(value)


def _cell(cell: Any, within: tuple[Any, ...]) -> Hashable:
    try:
        return _key(cell.cell_contents, within)
    except ValueError:
        return "not set yet"


def type_of_function(value: Any) -> types.Type | None:
    """Return the type of a function; None for what is none."""
    if not is_function(value):
        return None
    representative = first(value)
    if isinstance(representative, _C._jit.Dispatcher):
        return types.Dispatcher(representative)
    return type_of(("function", representative))  # type: ignore[no-any-return]
