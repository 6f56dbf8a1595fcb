# Bodies are typed by the compiler.
# mypy: disallow-untyped-defs=False, disallow-untyped-decorators=False, disallow-untyped-calls=False
"""Functions of numpy that reduce or run along dimensions: most are operators of ours.

What the operators do not have, such as deviations of integers or products along several
dimensions, is said in the language over them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import types
from .errors import TypingError
from .operators import Plan, array, axis_of, body, dims_of, dtype_of, known, row, scalar_type


def _is_whole(a: Any) -> bool:
    return isinstance(a.ty.dtype, (types.Integer, types.Boolean))


def _wide(a: Any, dtype: Any) -> Any:
    """The dtype of a sum, by name: integers are summed up in 64 bits; None is the array's."""
    given = dtype_of(dtype)
    if given is not None:
        return given
    return "int64" if _is_whole(a) else None


def _wide_type(a: Any, dtype: Any) -> Any:
    """The same as a class of numpy."""
    return scalar_type(_wide(a, dtype) or str(a.ty.dtype))


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


@body
def _prod_of(axes: tuple[int, ...], keepdims: bool, dtype: Any) -> Any:
    axis, rest = axes[0], axes[1:]
    further = _prod_of(rest, keepdims, dtype) if rest else None
    once = lambda a: np.prod(a, axis=axis, keepdims=keepdims, dtype=dtype)  # noqa: E731
    return once if further is None else (lambda a: further(once(a)))


@row
def prod(
    a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = False
) -> Plan:
    a, at = array(a), known(axis, "axis")
    keeps = bool(known(keepdims, "keepdims"))
    if at is None and not keeps:
        return "prod", (a, ("dtype", _wide(a, dtype)))
    axes = at if isinstance(at, tuple) else tuple(range(a.ty.ndim)) if at is None else (at,)
    if len(axes) == 1:
        return "prod.dim_int", (a, axes[0], keeps, ("dtype", _wide(a, dtype)))
    places = sorted({axis_of(it, a.ty.ndim) for it in axes}, reverse=True)
    return _prod_of(tuple(places), keeps, _wide_type(a, dtype)), (a,)


@row
def mean(
    a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = False
) -> Plan:
    a = array(a)
    given = dtype_of(dtype) or ("float64" if _is_whole(a) else None)
    return "mean.dim", (a, dims_of(axis), known(keepdims, "keepdims"), ("dtype", given))


def _extreme(operator: str, *names: str) -> None:
    def extreme(a: Any, axis: Any = None, out: Any = None, keepdims: Any = False) -> Plan:
        a = array(a)
        return operator, (a, dims_of(axis) or [], known(keepdims, "keepdims"))

    for name in names:
        row(extreme, name)


_extreme("amax", "max", "amax")
_extreme("amin", "min", "amin")


@body
def _of_bools(name: str, axis: Any, keepdims: bool) -> Any:
    function = getattr(np, name)
    return lambda a: function(a.astype(np.int8), axis=axis, keepdims=keepdims)


def _place(name: str) -> None:
    def place(a: Any, axis: Any = None, out: Any = None, keepdims: Any = False) -> Plan:
        a, at, keeps = array(a), known(axis, "axis"), bool(known(keepdims, "keepdims"))
        if isinstance(a.ty.dtype, types.Boolean):
            return _of_bools(name, at, keeps), (a,)
        return name, (a, at, keeps)

    row(place, name)


_place("argmax")
_place("argmin")


def _truth(name: str) -> None:
    def truth(a: Any, axis: Any = None, out: Any = None, keepdims: Any = False) -> Plan:
        return f"{name}.dims", (array(a), dims_of(axis), known(keepdims, "keepdims"))

    row(truth, name)


_truth("any")
_truth("all")


@body
def _of_integers(name: str, axis: Any, ddof: Any, keepdims: bool) -> Any:
    function = getattr(np, name)
    return lambda a: function(a.astype(np.float64), axis=axis, ddof=ddof, keepdims=keepdims)


def _deviation(name: str) -> None:
    def deviation(
        a: Any,
        axis: Any = None,
        dtype: Any = None,
        out: Any = None,
        ddof: Any = 0,
        keepdims: Any = False,
    ) -> Plan:
        a, keeps, less = array(a), bool(known(keepdims, "keepdims")), known(ddof, "ddof")
        if _is_whole(a):
            return _of_integers(name, known(axis, "axis"), less, keeps), (a,)
        return f"{name}.correction", (a, dims_of(axis), ("number", less), keeps)

    row(deviation, name)


_deviation("var")
_deviation("std")


@body
def _flat_running(name: str, dtype: Any) -> Any:
    function = getattr(np, name)
    return lambda a: function(a.ravel(), axis=0, dtype=dtype)


def _running(name: str) -> None:
    def running(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Plan:
        a, at = array(a), known(axis, "axis")
        if at is None and a.ty.ndim != 1:
            return _flat_running(name, _wide_type(a, dtype)), (a,)
        return name, (a, at or 0, ("dtype", _wide(a, dtype)))

    row(running, name)


_running("cumsum")
_running("cumprod")


@body
def _mean_along(axis: Any, keepdims: bool) -> Any:
    return lambda a: np.mean(a, axis=axis, keepdims=keepdims)


@body
def _average(axis: Any, ndim: int, is_list: bool, keepdims: bool) -> Any:
    def check(total):
        if not np.all(np.asarray(total != 0)):
            raise ZeroDivisionError("Weights sum to zero, can't be normalized")

    def weighted(a, weights):
        total = np.sum(weights, axis=axis, keepdims=keepdims)
        check(total)
        return np.sum(a * weights, axis=axis, keepdims=keepdims) / total

    if not is_list:

        def average(a, weights):
            if a.shape != weights.shape:
                raise TypeError("Axis must be specified when shapes of a and weights differ.")
            return weighted(a, weights)

        return average
    before, behind = (1,) * axis, (1,) * (ndim - axis - 1)

    def along(a, weights):
        n = a.shape[axis]
        if weights.size != n:
            raise ValueError("Shape of weights must be consistent with shape of a.")
        total = np.sum(weights)
        check(total)
        shaped = weights.reshape(before + (n,) + behind)  # noqa: RUF005
        return np.sum(a * shaped, axis=axis, keepdims=keepdims) / total

    return along


@row
def average(
    a: Any, axis: Any = None, weights: Any = None, returned: Any = False, keepdims: Any = False
) -> Plan:
    a, at, keeps = array(a), known(axis, "axis"), bool(known(keepdims, "keepdims"))
    if known(returned, "returned"):
        raise TypingError("average() with returned: the sum of weights is np.sum(weights)")
    weighs = getattr(weights, "ty", types.none) is not types.none
    if not weighs:
        return _mean_along(at, keeps), (a,)
    at = None if at is None else axis_of(at, a.ty.ndim)
    is_list = at is not None and array(weights).ty.ndim == 1 and a.ty.ndim > 1
    return _average(at, a.ty.ndim, is_list, keeps), (a, array(weights))
