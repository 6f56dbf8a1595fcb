"""Functions of numpy by operators: which row of the table a call is, and what it passes.

Each function here has the parameters of numpy's, gets what is known of the arguments, and returns
a plan: the name of an operator's overload, its arguments in order, and how many results are taken
if not all are. Values, dtypes and defaults are numpy's.
"""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import Any

from .. import types
from .errors import TypingError


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


Plan = tuple[str, tuple[Any, ...]] | tuple[str, tuple[Any, ...], int]
_TABLE: dict[str, Any] = {}


def _row(function: Any) -> Any:
    _TABLE[function.__name__.removesuffix("_")] = function
    return function


def plan(name: str, args: list[Any], keywords: dict[str, Any]) -> Plan | None:
    """Return the plan of a call, or None if no function of this name is known.

    Raises:
        TypingError: The arguments do not fit.
    """
    function = _TABLE.get(name.removeprefix("numpy.").removeprefix("opwright."))
    if function is None:
        return None
    try:
        bound = inspect.signature(function).bind(*args, **keywords)
    except TypeError as error:
        raise TypingError(f"{name}() {error}") from None
    made: Plan = function(*bound.args, **bound.kwargs)
    return made


def names() -> list[str]:
    """Return the names of all functions that are known."""
    return sorted(_TABLE)


def _known(value: Any, what: str) -> Any:
    if isinstance(value, Arg):
        if not value.known:
            raise TypingError(f"{what} has to be a constant: the type of the result depends on it")
        return value.known[0]
    return value


def _array(value: Any) -> Any:
    if not isinstance(value, Arg) or not isinstance(value.ty, types.Array):
        raise TypingError(f"expected an array, not {getattr(value, 'ty', value)}")
    return value


def _dims(axis: Any) -> Any:
    axis = _known(axis, "axis")
    if axis is None:
        return None
    return list(axis) if isinstance(axis, tuple) else [axis]


def _dtype(dtype: Any) -> Any:
    return _known(dtype, "dtype")


def _wide(a: Any, dtype: Any) -> Any:
    """The dtype of a sum: integers are summed up in 64 bits."""
    given = _dtype(dtype)
    if given is not None:
        return given
    return "int64" if isinstance(a.ty.dtype, (types.Integer, types.Boolean)) else None


@_row
def sum_(
    a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = False
) -> Plan:
    a = _array(a)
    return "sum.dim_IntList", (
        a,
        _dims(axis),
        _known(keepdims, "keepdims"),
        ("dtype", _wide(a, dtype)),
    )


@_row
def prod(
    a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = False
) -> Plan:
    a = _array(a)
    dims = _dims(axis)
    if dims is None:
        return "prod", (a, ("dtype", _wide(a, dtype)))
    if len(dims) != 1:
        raise TypingError("prod() takes one axis")
    return "prod.dim_int", (a, dims[0], _known(keepdims, "keepdims"), ("dtype", _wide(a, dtype)))


@_row
def mean(
    a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = False
) -> Plan:
    a = _array(a)
    whole = isinstance(a.ty.dtype, (types.Integer, types.Boolean))
    given = _dtype(dtype) or ("float64" if whole else None)
    return "mean.dim", (a, _dims(axis), _known(keepdims, "keepdims"), ("dtype", given))


def _extreme(name: str) -> Any:
    def function(a: Any, axis: Any = None, out: Any = None, keepdims: Any = False) -> Plan:
        a = _array(a)
        return name, (a, _dims(axis) or [], _known(keepdims, "keepdims"))

    return function


_TABLE["max"] = _TABLE["amax"] = _extreme("amax")
_TABLE["min"] = _TABLE["amin"] = _extreme("amin")


def _at(name: str) -> Any:
    def function(a: Any, axis: Any = None, out: Any = None, keepdims: Any = False) -> Plan:
        return name, (_array(a), _known(axis, "axis"), _known(keepdims, "keepdims"))

    return function


_TABLE["argmax"] = _at("argmax")
_TABLE["argmin"] = _at("argmin")


def _truth(name: str) -> Any:
    def function(a: Any, axis: Any = None, out: Any = None, keepdims: Any = False) -> Plan:
        return f"{name}.dims", (_array(a), _dims(axis), _known(keepdims, "keepdims"))

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
        correction = ("number", _known(ddof, "ddof"))
        return f"{name}.correction", (a, _dims(axis), correction, _known(keepdims, "keepdims"))

    return function


_TABLE["var"] = _spread("var")
_TABLE["std"] = _spread("std")


def _floating(a: Any) -> Any:
    a = _array(a)
    if isinstance(a.ty.dtype, (types.Integer, types.Boolean)):
        raise TypingError("integers are converted first: a.astype(np.float64)")
    return a


def _running(name: str) -> Any:
    def function(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Plan:
        a = _array(a)
        at = _known(axis, "axis")
        if at is None:
            if a.ty.ndim != 1:
                raise TypingError(f"{name}() of several dimensions takes an axis, or a.ravel()")
            at = 0
        return name, (a, at, ("dtype", _wide(a, dtype)))

    return function


_TABLE["cumsum"] = _running("cumsum")
_TABLE["cumprod"] = _running("cumprod")


def _product(a: Any, b: Any) -> Plan:
    return "matmul", (_array(a), _array(b))


@_row
def dot(a: Any, b: Any) -> Plan:
    return _product(a, b)


@_row
def matmul(a: Any, b: Any) -> Plan:
    return _product(a, b)


@_row
def outer(a: Any, b: Any) -> Plan:
    return "outer", (_array(a), _array(b))


@_row
def sort(a: Any, axis: Any = -1) -> Plan:
    return "sort.stable", (_array(a), True, _known(axis, "axis"), False), 1


@_row
def argsort(a: Any, axis: Any = -1) -> Plan:
    return "argsort.stable", (_array(a), True, _known(axis, "axis"), False)


@_row
def flip(a: Any, axis: Any = None) -> Plan:
    a = _array(a)
    dims = _dims(axis)
    return "flip", (a, list(range(a.ty.ndim)) if dims is None else dims)


@_row
def trace(a: Any) -> Plan:
    return "trace", (_array(a),)


@_row
def searchsorted(a: Any, v: Any, side: Any = "left") -> Plan:
    right = _known(side, "side") == "right"
    return "searchsorted.Tensor", (_array(a), _array(v), False, right, None, None)


@_row
def where(condition: Any, x: Any, y: Any) -> Plan:
    name = {
        (True, True): "where.self",
        (False, True): "where.ScalarSelf",
        (True, False): "where.ScalarOther",
        (False, False): "where.Scalar",
    }[isinstance(x.ty, types.Array), isinstance(y.ty, types.Array)]
    return name, (_array(condition), x, y)


@_row
def clip(a: Any, a_min: Any = None, a_max: Any = None) -> Plan:
    return "clip", (_array(a), a_min, a_max)


@_row
def diff(a: Any, n: Any = 1, axis: Any = -1) -> Plan:
    return "diff", (_array(a), _known(n, "n"), _known(axis, "axis"), None, None)


def _linalg(name: str, operator: str, count: int) -> None:
    def function(*args: Any) -> Plan:
        if len(args) != count:
            raise TypingError(f"{name}() takes {count} arrays")
        return operator, tuple(map(_array, args))

    _TABLE[name] = function


_linalg("linalg.solve", "linalg_solve", 2)
_linalg("linalg.inv", "linalg_inv", 1)
_linalg("linalg.det", "linalg_det", 1)
