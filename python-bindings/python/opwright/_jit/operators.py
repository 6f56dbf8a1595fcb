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


def plan(name: str, args: list[Any], keywords: dict[str, Any]) -> Plan:
    """Return the plan of a call.

    Raises:
        TypingError: No function of this name is known, or the arguments do not fit.
    """
    short = name.removeprefix("numpy.").removeprefix("opwright.")
    function = _table().get(short)
    if name.startswith("refused."):
        raise UnsupportedError(f"{name[8:]}() is not compiled: return what it would show")
    if function is None:
        raise TypingError(f"{name}() is not compiled: {nearest(short)}")
    try:
        bound = inspect.signature(function).bind(*args, **keywords)
    except TypeError as error:
        raise TypingError(f"{short}() {error}") from None
    made: Plan = function(*bound.args, **bound.kwargs)
    return made


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
    from . import compared, joined, matrices, ordered  # noqa: F401

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


def _wide(a: Any, dtype: Any) -> Any:
    """The dtype of a sum: integers are summed up in 64 bits."""
    given = dtype_of(dtype)
    if given is not None:
        return given
    return "int64" if isinstance(a.ty.dtype, (types.Integer, types.Boolean)) else None


@row
def sum_(
    a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = False
) -> Plan:
    a = array(a)
    return "sum.dim_IntList", (
        a,
        dims_of(axis),
        known(keepdims, "keepdims"),
        ("dtype", _wide(a, dtype)),
    )


@row
def prod(
    a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = False
) -> Plan:
    a = array(a)
    dims = dims_of(axis)
    if dims is None:
        return "prod", (a, ("dtype", _wide(a, dtype)))
    if len(dims) != 1:
        raise TypingError("prod() takes one axis")
    return "prod.dim_int", (a, dims[0], known(keepdims, "keepdims"), ("dtype", _wide(a, dtype)))


@row
def mean(
    a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = False
) -> Plan:
    a = array(a)
    whole = isinstance(a.ty.dtype, (types.Integer, types.Boolean))
    given = dtype_of(dtype) or ("float64" if whole else None)
    return "mean.dim", (a, dims_of(axis), known(keepdims, "keepdims"), ("dtype", given))


def _extreme(name: str) -> Any:
    def function(a: Any, axis: Any = None, out: Any = None, keepdims: Any = False) -> Plan:
        a = array(a)
        return name, (a, dims_of(axis) or [], known(keepdims, "keepdims"))

    return function


_TABLE["max"] = _TABLE["amax"] = _extreme("amax")
_TABLE["min"] = _TABLE["amin"] = _extreme("amin")


def _at(name: str) -> Any:
    def function(a: Any, axis: Any = None, out: Any = None, keepdims: Any = False) -> Plan:
        return name, (array(a), known(axis, "axis"), known(keepdims, "keepdims"))

    return function


_TABLE["argmax"] = _at("argmax")
_TABLE["argmin"] = _at("argmin")


def _truth(name: str) -> Any:
    def function(a: Any, axis: Any = None, out: Any = None, keepdims: Any = False) -> Plan:
        return f"{name}.dims", (array(a), dims_of(axis), known(keepdims, "keepdims"))

    return function


_TABLE["any"] = _truth("any")
_TABLE["all"] = _truth("all")


def _spread(name: str) -> Any:
    def function(
        a: Any,
        axis: Any = None,
        dtype: Any = None,
        out: Any = None,
        ddof: Any = 0,
        keepdims: Any = False,
    ) -> Plan:
        a = _floating(a)
        correction = ("number", known(ddof, "ddof"))
        return f"{name}.correction", (a, dims_of(axis), correction, known(keepdims, "keepdims"))

    return function


_TABLE["var"] = _spread("var")
_TABLE["std"] = _spread("std")


def _floating(a: Any) -> Any:
    a = array(a)
    if isinstance(a.ty.dtype, (types.Integer, types.Boolean)):
        raise TypingError("integers are converted first: a.astype(np.float64)")
    return a


def _running(name: str) -> Any:
    def function(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Plan:
        a = array(a)
        at = known(axis, "axis")
        if at is None:
            if a.ty.ndim != 1:
                raise TypingError(f"{name}() of several dimensions takes an axis, or a.ravel()")
            at = 0
        return name, (a, at, ("dtype", _wide(a, dtype)))

    return function


_TABLE["cumsum"] = _running("cumsum")
_TABLE["cumprod"] = _running("cumprod")


def _product(a: Any, b: Any) -> Plan:
    return "matmul", (array(a), array(b))


@row
def dot(a: Any, b: Any) -> Plan:
    return _product(a, b)


@row
def matmul(a: Any, b: Any) -> Plan:
    return _product(a, b)


@row
def sort(a: Any, axis: Any = -1) -> Plan:
    return "sort.stable", (array(a), True, known(axis, "axis"), False), 1


@row
def argsort(a: Any, axis: Any = -1) -> Plan:
    return "argsort.stable", (array(a), True, known(axis, "axis"), False)


@row
def flip(a: Any, axis: Any = None) -> Plan:
    a = array(a)
    dims = dims_of(axis)
    return "flip", (a, list(range(a.ty.ndim)) if dims is None else dims)


@row
def where(condition: Any, x: Any = None, y: Any = None) -> Plan:
    if x is None and y is None:
        found: Plan = _TABLE["nonzero"](condition)
        return found
    name = {
        (True, True): "where.self",
        (False, True): "where.ScalarSelf",
        (True, False): "where.ScalarOther",
        (False, False): "where.Scalar",
    }[isinstance(x.ty, types.Array), isinstance(y.ty, types.Array)]
    return name, (array(condition), x, y)


@row
def clip(a: Any, a_min: Any = None, a_max: Any = None) -> Plan:
    return "clip", (array(a), a_min, a_max)
