"""What constructors of modules take, checked under the names that people wrote."""

from __future__ import annotations

from opwright import _C
from opwright._kinds import kind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def integer(function: str, name: str, value: Any) -> int:
    """An integer, or what stands for one."""
    from operator import index

    try:
        return index(value)
    except (TypeError, RuntimeError):
        raise TypeError(f"{function}(): argument {name!r} must be int, not {kind(value)}") from None


def size(function: str, name: str, value: Any) -> int:
    """An integer that is not negative."""
    found = integer(function, name, value)
    if found < 0:
        raise ValueError(f"{function}(): argument {name!r} must not be negative, but is {found}")
    return found


def sizes(function: str, name: str, value: Any) -> tuple[int, ...]:
    """Sizes in a list, or one alone."""
    from collections.abc import Iterable

    is_list = isinstance(value, Iterable) and not isinstance(value, str | bytes | _C.TensorBase)
    if is_list:
        return tuple(size(function, name, it) for it in value)
    return (size(function, name, value),)


def of_each(function: str, name: str, value: Any, dims: int) -> tuple[int, ...]:
    """A size for each of `dims` dimensions, of which there may be one for all."""
    found = sizes(function, name, value)
    if len(found) == 1:
        return found * dims
    if len(found) != dims:
        raise ValueError(
            f"{function}(): argument {name!r} must be an integer or {dims} of them, but is {value}"
        )
    return found


def number(function: str, name: str, value: Any) -> float:
    """A real number, or what stands for one."""
    if not isinstance(value, str | bytes):
        try:
            return float(value)
        except (TypeError, ValueError, RuntimeError):
            pass
    raise TypeError(f"{function}(): argument {name!r} must be a number, not {kind(value)}")
