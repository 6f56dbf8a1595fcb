"""Functions of numpy by operators: which row of the table a call is, and what it passes.

Each function here has the parameters of numpy's, gets what is known of the arguments, and returns
a plan: the name of an operator's overload, its arguments in order, and how many results are taken
if not all are. Where there is no such operator, a plan is a function of the language. Values,
dtypes and defaults are numpy's.
"""

from __future__ import annotations

import functools
import inspect
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .. import types
from .errors import TypingError, UnsupportedError

if TYPE_CHECKING:
    from types import FunctionType


@dataclass(frozen=True)
class Arg:
    """An argument of the call.

    Attributes:
        number: Which one.
        ty: Its type.
        known: Its value in a tuple, if that is known while typing.
    """

    number: int
    ty: Any
    known: tuple[Any, ...]


# An overload of an operator with its arguments, and how many results are taken if not all are; or a
# function of the language, with the arguments that it gets.
Plan = (
    tuple[str, tuple[Any, ...]]
    | tuple[str, tuple[Any, ...], int]
    | tuple["FunctionType", tuple[Arg, ...]]
)
_TABLE: dict[str, Any] = {}


def row(function: Any, name: str | None = None) -> Any:
    """Add a row: a function with the parameters of numpy's, which returns a plan."""
    _TABLE[name or function.__name__.removesuffix("_")] = function
    return function


def body(make: Any) -> Any:
    """Have each function of the language made once for the same constants that it closes over."""
    return functools.lru_cache(maxsize=None, typed=True)(make)


def scalar_type(name: str) -> Any:
    """Return the class by which numpy, and so the compiler, knows a dtype."""
    import numpy as np

    return np.dtype({"float": "float64", "int": "int64"}.get(name, name)).type


def axis_of(axis: Any, ndim: int) -> int:
    """Return the dimension that a constant names, from the start.

    Raises:
        TypingError: There is none, or it is no constant.
    """
    at = known(axis, "axis")
    if not isinstance(at, int) or not -ndim <= at < ndim:
        raise TypingError(f"axis {at} is out of bounds for an array of {ndim} dimensions")
    return at % ndim


def plan(name: str, args: list[Any], keywords: dict[str, Any]) -> Plan | None:
    """Return the plan of a call; None if overloads are all that there is of the function.

    Raises:
        TypingError: No function of this name is known, or the arguments do not fit.
    """
    short = name.removeprefix("numpy.").removeprefix("opwright.")
    function = _table().get(short)
    if name.startswith("refused."):
        from .known import REFUSED

        raise UnsupportedError(f"{name[8:]}() is not compiled: {REFUSED[name[8:]]}")
    if function is None and _is_overloaded(name):
        # Those who declined have said why.
        return None
    if function is None:
        raise TypingError(f"{name}() is not compiled: {nearest(short)}")
    try:
        bound = inspect.signature(function).bind(*args, **keywords)
    except TypeError as error:
        raise TypingError(f"{short}() {error}") from None
    made: Plan = function(*bound.args, **bound.kwargs)
    return made


def _is_overloaded(name: str) -> bool:
    from . import registry

    module, _, path = name.partition(".")
    if module != "numpy":
        return False
    found = functools.reduce(lambda it, part: getattr(it, part, None), path.split("."), _numpy())
    return registry.is_registered(found)


def _numpy() -> Any:
    import numpy as np

    return np


def names() -> list[str]:
    """Return the names of all functions that are known."""
    return sorted(_table())


def nearest(name: str) -> str:
    """Return what to say of a function that is not known: the known one whose name is nearest."""
    from difflib import get_close_matches

    close = get_close_matches(name.rsplit(".", 1)[-1], names(), 1)
    return f"did you mean {close[0]}?" if close else "write a loop, or an extending.overload"


def _table() -> dict[str, Any]:
    """The table, with what other modules add to it when the first function is looked for."""
    from . import (  # noqa: F401
        changed,
        compared,
        joined,
        matrices,
        ordered,
        reductions,
        sequences,
        sets,
        shapes,
        systems,
    )

    return _TABLE


def known(value: Any, what: str) -> Any:
    if isinstance(value, Arg):
        if not value.known:
            raise TypingError(f"{what} has to be a constant: the type of the result depends on it")
        return value.known[0]
    return value


def array(value: Any) -> Any:
    if not isinstance(value, Arg) or not isinstance(value.ty, types.Array):
        raise TypingError(f"expected an array, not {getattr(value, 'ty', value)}")
    return value


def dims_of(axis: Any) -> Any:
    axis = known(axis, "axis")
    if axis is None:
        return None
    return list(axis) if isinstance(axis, tuple) else [axis]


def dtype_of(dtype: Any) -> Any:
    return known(dtype, "dtype")
