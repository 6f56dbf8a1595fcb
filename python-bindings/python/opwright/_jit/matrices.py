# ruff: noqa: RUF005 - the language unpacks tuples in calls only
# Bodies are typed by the compiler.
# mypy: disallow-untyped-defs=False, disallow-untyped-decorators=False, disallow-untyped-calls=False
"""Functions of numpy over matrices and vectors: making, taking apart, products, norms, systems."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import types
from .errors import TypingError
from .operators import Arg, array, axis_of, body, dims_of, known, row, scalar_type
from .ordered import real_type
from .standing import cholesky_ex, det_of, inv_ex, solve_ex


def _is_number(value: Any) -> bool:
    return isinstance(value.ty, (types.Number, types.Boolean))


@body
def _eye(dtype: Any) -> Any:
    def eye(N, M, k):  # noqa: N803
        out = np.zeros((N, M), dtype)
        for i in range(max(0, -k), min(N, M - k)):
            out[i, i + k] = 1
        return out

    return eye


@body
def _square(dtype: Any) -> Any:
    one = _eye(dtype)
    return lambda n: one(n, n, 0)


@body
def _eye_of(dtype: Any, is_square: bool, k: int) -> Any:
    one = _eye(dtype)
    return (lambda n: one(n, n, k)) if is_square else (lambda n, m: one(n, m, k))


@body
def _eye_at(dtype: Any) -> Any:
    one = _eye(dtype)
    return lambda n, k: one(n, n, k)


@row
def eye(N: Any, M: Any = None, k: Any = 0, dtype: Any = "float64") -> Any:  # noqa: N803
    made = scalar_type(known(dtype, "dtype"))
    is_square = not isinstance(M, Arg) or M.ty is types.none
    sizes = (N,) if is_square else (N, M)
    if isinstance(k, Arg):
        return (_eye_at(made), (N, k)) if is_square else (_eye(made), (N, M, k))
    return _eye_of(made, is_square, k), sizes


@row
def identity(n: Any, dtype: Any = "float64") -> Any:
    return _square(scalar_type(known(dtype, "dtype"))), (n,)


@body
def _diag_of() -> Any:
    def diag(v, k):
        rows, columns = v.shape
        start = max(0, -k)
        n = max(0, min(rows, columns - k) - start)
        out = np.empty(n, v.dtype)
        for i in range(n):
            out[i] = v[start + i, start + i + k]
        return out

    return diag


@body
def _diag_from() -> Any:
    def diag(v, k):
        n = v.size + abs(k)
        out = np.zeros((n, n), v.dtype)
        for i in range(v.size):
            out[i + max(0, -k), i + max(0, k)] = v[i]
        return out

    return diag


@body
def _at_main(function: Any) -> Any:
    return lambda v: function(v, 0)


@row
def diag(v: Any, k: Any = 0) -> Any:
    v = array(v)
    if v.ty.ndim not in (1, 2):
        raise TypingError("diag() takes an array of one or two dimensions")
    function = _diag_from() if v.ty.ndim == 1 else _diag_of()
    return (function, (v, k)) if isinstance(k, Arg) else (_at_main(function), (v,))


@row
def diagonal(a: Any, offset: Any = 0) -> Any:
    a = array(a)
    if a.ty.ndim != 2:
        raise TypingError("diagonal() takes an array of two dimensions")
    return diag(a, offset)


@body
def _trace(dtype: Any) -> Any:
    def trace(a, offset):
        rows, columns = a.shape
        total = dtype(0)
        for i in range(max(0, -offset), min(rows, columns - offset)):
            total += a[i, i + offset]
        return total

    return trace


@row
def trace(a: Any, offset: Any = 0) -> Any:
    a = array(a)
    if a.ty.ndim != 2:
        raise TypingError("trace() takes an array of two dimensions")
    is_whole = isinstance(a.ty.dtype, (types.Integer, types.Boolean))
    function = _trace(np.int64 if is_whole else scalar_type(str(a.ty.dtype)))
    return (function, (a, offset)) if isinstance(offset, Arg) else (_at_main(function), (a,))


def _triangle(name: str) -> None:
    def triangle(m: Any, k: Any = 0) -> Any:
        return name, (array(m), known(k, "k"))

    row(triangle, name)


_triangle("tril")
_triangle("triu")


@body
def _linspace(endpoint: bool, dtype: Any) -> Any:
    def linspace(start, stop, num):
        if num < 0:
            raise ValueError("Number of samples must be non-negative.")
        out = np.empty(num, dtype)
        parts = num - 1 if endpoint else num
        step = (stop - start) / parts if parts > 0 else 0.0
        for i in range(num):
            out[i] = i * step + start
        if endpoint and num > 1:
            out[num - 1] = stop
        return out

    return linspace


@body
def _linspace_of_fifty(endpoint: bool, dtype: Any) -> Any:
    one = _linspace(endpoint, dtype)
    return lambda start, stop: one(start, stop, 50)


@row
def linspace(
    start: Any,
    stop: Any,
    num: Any = 50,
    endpoint: Any = True,
    retstep: Any = False,
    dtype: Any = None,
) -> Any:
    if known(retstep, "retstep"):
        raise TypingError("linspace() with retstep: the step is (stop - start) / (num - 1)")
    name = known(dtype, "dtype")
    made = scalar_type(name if name is not None else "float64")
    is_closed = bool(known(endpoint, "endpoint"))
    if not isinstance(num, Arg):
        return _linspace_of_fifty(is_closed, made), (start, stop)
    return _linspace(is_closed, made), (start, stop, num)


@body
def _running(name: str, dtype: Any) -> Any:
    function = getattr(np, name)
    return lambda a: function(a.ravel(), axis=0, dtype=dtype)


def _flat_running(name: str) -> None:
    from .operators import _TABLE

    along = _TABLE[name]

    def running(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
        a = array(a)
        if known(axis, "axis") is None and a.ty.ndim != 1:
            is_whole = isinstance(a.ty.dtype, (types.Integer, types.Boolean))
            own = "int64" if is_whole else str(a.ty.dtype)
            return _running(name, scalar_type(known(dtype, "dtype") or own)), (a,)
        return along(a, axis, dtype)

    row(running, name)


_flat_running("cumsum")
_flat_running("cumprod")


@body
def _deviation(name: str, axis: Any, ddof: Any, keepdims: bool) -> Any:
    function = getattr(np, name)
    return lambda a: function(a.astype(np.float64), axis=axis, ddof=ddof, keepdims=keepdims)


def _of_integers(name: str) -> None:
    from .operators import _TABLE

    of_real = _TABLE[name]

    def deviation(
        a: Any,
        axis: Any = None,
        dtype: Any = None,
        out: Any = None,
        ddof: Any = 0,
        keepdims: Any = False,
    ) -> Any:
        a = array(a)
        if not isinstance(a.ty.dtype, (types.Integer, types.Boolean)):
            return of_real(a, axis, dtype, None, ddof, keepdims)
        constants = (known(axis, "axis"), known(ddof, "ddof"), bool(known(keepdims, "keepdims")))
        return _deviation(name, *constants), (a,)

    row(deviation, name)


_of_integers("var")
_of_integers("std")


@body
def _prod_of(axes: tuple[int, ...], keepdims: bool, dtype: Any) -> Any:
    axis, rest = axes[0], axes[1:]
    further = _prod_of(rest, keepdims, dtype) if rest else None
    once = lambda a: np.prod(a, axis=axis, keepdims=keepdims, dtype=dtype)  # noqa: E731
    return once if further is None else (lambda a: further(once(a)))


def _prod_of_axes() -> None:
    from .operators import _TABLE

    along = _TABLE["prod"]

    def prod(
        a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = False
    ) -> Any:
        a, at = array(a), known(axis, "axis")
        keeps = bool(known(keepdims, "keepdims"))
        if at is None and keeps:
            at = tuple(range(a.ty.ndim))
        if not isinstance(at, tuple) or len(at) == 1:
            return along(a, axis if not isinstance(at, tuple) else at, dtype, None, keepdims)
        axes = sorted({axis_of(it, a.ty.ndim) for it in at}, reverse=True)
        is_whole = isinstance(a.ty.dtype, (types.Integer, types.Boolean))
        own = "int64" if is_whole else str(a.ty.dtype)
        return _prod_of(tuple(axes), keeps, scalar_type(known(dtype, "dtype") or own)), (a,)

    row(prod, "prod")


_prod_of_axes()


@body
def _of_bools(name: str, axis: Any, keepdims: bool) -> Any:
    function = getattr(np, name)
    return lambda a: function(a.astype(np.int8), axis=axis, keepdims=keepdims)


def _places(name: str) -> None:
    from .operators import _TABLE

    of_numbers = _TABLE[name]

    def place(a: Any, axis: Any = None, out: Any = None, keepdims: Any = False) -> Any:
        a = array(a)
        if isinstance(a.ty.dtype, types.Boolean):
            return _of_bools(name, known(axis, "axis"), bool(known(keepdims, "keepdims"))), (a,)
        return of_numbers(a, axis, None, keepdims)

    row(place, name)


_places("argmax")
_places("argmin")


@body
def _converted(function: Any, dtype: Any) -> Any:
    return lambda a, b: function(a.astype(dtype), b.astype(dtype))


@body
def _scaled() -> Any:
    return lambda a, b: a * b


def _product(name: str) -> None:
    def product(a: Any, b: Any) -> Any:
        if name == "dot" and (_is_number(a) or _is_number(b)):
            return _scaled(), (a, b)
        a, b = array(a), array(b)
        kinds = [str(it.ty.dtype) for it in (a, b)]
        if kinds[0] == kinds[1]:
            return "matmul", (a, b)
        return _converted(np.matmul, scalar_type(np.result_type(*kinds).name)), (a, b)

    row(product, name)


_product("dot")
_product("matmul")


@body
def _vdot(conjugates: bool) -> Any:
    if conjugates:
        return lambda a, b: np.dot(np.conj(a.ravel()), b.ravel())
    return lambda a, b: np.dot(a.ravel(), b.ravel())


@row
def vdot(a: Any, b: Any) -> Any:
    a, b = array(a), array(b)
    return _vdot(isinstance(a.ty.dtype, types.Complex)), (a, b)


@body
def _inner(ndim: int) -> Any:
    return (lambda a, b: np.dot(a, b)) if ndim == 1 else (lambda a, b: np.dot(a, b.T))


@row
def inner(a: Any, b: Any) -> Any:
    a, b = array(a), array(b)
    if b.ty.ndim not in (1, 2) or a.ty.ndim not in (1, 2):
        raise TypingError("inner() takes arrays of one or two dimensions")
    return _inner(b.ty.ndim), (a, b)


@body
def _norm(order: Any, axis: Any, keepdims: bool, dtype: Any) -> Any:
    if order is None or order == 2:
        return lambda x: np.sqrt(np.sum(abs(x.astype(dtype)) ** 2, axis=axis, keepdims=keepdims))
    if order == np.inf:
        return lambda x: np.max(abs(x.astype(dtype)), axis=axis, keepdims=keepdims)
    if order == -np.inf:
        return lambda x: np.min(abs(x.astype(dtype)), axis=axis, keepdims=keepdims)
    if order == 0:
        return lambda x: np.sum((x != 0).astype(dtype), axis=axis, keepdims=keepdims)
    if order == 1:
        return lambda x: np.sum(abs(x.astype(dtype)), axis=axis, keepdims=keepdims)
    by = 1 / order

    def norm(x):
        return np.sum(abs(x.astype(dtype)) ** order, axis=axis, keepdims=keepdims) ** by

    return norm


@body
def _matrix_norm(axis: int, is_max: bool, dtype: Any) -> Any:
    if is_max:
        return lambda x: np.max(np.sum(abs(x.astype(dtype)), axis=axis))
    return lambda x: np.min(np.sum(abs(x.astype(dtype)), axis=axis))


def norm(x: Any, ord: Any = None, axis: Any = None, keepdims: Any = False) -> Any:
    x, order, at = array(x), known(ord, "ord"), dims_of(axis)
    dtype = real_type(x.ty.dtype)
    keeps = bool(known(keepdims, "keepdims"))
    if order in (None, "fro"):
        return _norm(None, None if at is None else tuple(at), keeps, dtype), (x,)
    if at is None and x.ty.ndim == 2:
        if order not in (1, -1, np.inf, -np.inf) or keeps:
            raise TypingError(f"norm() of a matrix with ord={order}: there are fro, 1, -1 and inf")
        return _matrix_norm(0 if abs(order) == 1 else 1, order > 0, dtype), (x,)
    if isinstance(order, str) or (at is not None and len(at) != 1):
        raise TypingError(f"norm() with ord={order!r} is along one axis")
    return _norm(order, None if at is None else at[0], keeps, dtype), (x,)


row(norm, "linalg.norm")


def _check_square(shape):
    n = len(shape)
    if shape[n - 1] != shape[n - 2]:
        raise np.linalg.LinAlgError("Last 2 dimensions of the array must be square")


def _worst(info):
    return np.max(np.abs(np.asarray(info)))


def _worst_of_one(info):
    return info


@body
def _inv(is_one: bool, dtype: Any) -> Any:
    worst = _worst_of_one if is_one else _worst

    def inv(a):
        _check_square(a.shape)
        found, info = inv_ex(a.astype(dtype))
        if worst(info) != 0:
            raise np.linalg.LinAlgError("Singular matrix")
        return found

    return inv


@body
def _solve(is_one: bool, dtype: Any) -> Any:
    worst = _worst_of_one if is_one else _worst

    def solve(a, b):
        _check_square(a.shape)
        found, info = solve_ex(a.astype(dtype), b.astype(dtype))
        if worst(info) != 0:
            raise np.linalg.LinAlgError("Singular matrix")
        return found

    return solve


@body
def _cholesky(is_one: bool, dtype: Any) -> Any:
    worst = _worst_of_one if is_one else _worst

    def cholesky(a):
        _check_square(a.shape)
        found, info = cholesky_ex(a.astype(dtype))
        if worst(info) != 0:
            raise np.linalg.LinAlgError("Matrix is not positive definite")
        return found

    return cholesky


def _matrix(a: Any, name: str) -> Any:
    if array(a).ty.ndim < 2:
        raise TypingError(f"{name}() takes a matrix, not {a.ty}")
    return a


def inv(a: Any) -> Any:
    a = _matrix(a, "inv")
    return _inv(a.ty.ndim == 2, real_type(a.ty.dtype)), (a,)


def solve(a: Any, b: Any) -> Any:
    a, b = _matrix(a, "solve"), array(b)
    kinds = [np.dtype(real_type(it.ty.dtype)) for it in (a, b)]
    return _solve(a.ty.ndim == 2, np.result_type(*kinds).type), (a, b)


def cholesky(a: Any) -> Any:
    a = _matrix(a, "cholesky")
    return _cholesky(a.ty.ndim == 2, real_type(a.ty.dtype)), (a,)


@body
def _det(dtype: Any) -> Any:
    def det(a):
        _check_square(a.shape)
        return det_of(a.astype(dtype))

    return det


def det(a: Any) -> Any:
    a = _matrix(a, "det")
    return _det(real_type(a.ty.dtype)), (a,)


for _function in (inv, solve, cholesky, det):
    row(_function, f"linalg.{_function.__name__}")


@body
def _cross() -> Any:
    def cross(a, b):
        if a.size != 3 or b.size != 3:
            raise ValueError("incompatible dimensions for cross product (dimension must be 3)")
        out = np.empty(3, (a[:1] * b[:1]).dtype)
        out[0] = a[1] * b[2] - a[2] * b[1]
        out[1] = a[2] * b[0] - a[0] * b[2]
        out[2] = a[0] * b[1] - a[1] * b[0]
        return out

    return cross


@row
def cross(a: Any, b: Any) -> Any:
    if array(a).ty.ndim != 1 or array(b).ty.ndim != 1:
        raise TypingError("cross() takes two vectors: write a loop over more")
    return _cross(), (a, b)


@body
def _convolve(mode: str) -> Any:
    def convolve(a, v):
        if a.size == 0 or v.size == 0:
            raise ValueError("a cannot be empty")
        n, m = a.size, v.size
        whole = np.zeros(n + m - 1, (a[:1] * v[:1]).dtype)
        for i in range(n):
            for j in range(m):
                whole[i + j] += a[i] * v[j]
        if mode == "full":
            return whole
        if mode == "same":
            start = (min(n, m) - 1) // 2
            return whole[start : start + max(n, m)].copy()
        return whole[min(n, m) - 1 : max(n, m)].copy()

    return convolve


@row
def convolve(a: Any, v: Any, mode: Any = "full") -> Any:
    how = known(mode, "mode")
    if how not in ("full", "same", "valid") or array(a).ty.ndim != 1 or array(v).ty.ndim != 1:
        raise TypingError("convolve() takes two vectors, and 'full', 'same' or 'valid'")
    return _convolve(how), (a, v)


@body
def _interp(of_number: bool) -> Any:
    def one(x, xp, fp):
        n = xp.size
        if n == 0 or fp.size != n:
            raise ValueError("fp and xp are not of the same length.")
        if x != x:
            return float(x)
        if x <= xp[0]:
            return fp[0] / 1
        if x >= xp[n - 1]:
            return fp[n - 1] / 1
        low, high = 0, n - 1
        while high - low > 1:
            middle = (low + high) // 2
            if xp[middle] <= x:
                low = middle
            else:
                high = middle
        slope = (fp[low + 1] - fp[low]) / (xp[low + 1] - xp[low])
        return slope * (x - xp[low]) + fp[low]

    if of_number:
        return one

    def interp(x, xp, fp):
        out = np.empty(x.shape)
        for i in range(x.size):
            out.flat[i] = one(x.flat[i], xp, fp)
        return out

    return interp


@row
def interp(x: Any, xp: Any, fp: Any) -> Any:
    return _interp(not isinstance(x.ty, types.Array)), (x, array(xp), array(fp))


@body
def _round(decimals: int) -> Any:
    def rounded(a):
        out = np.empty_like(a)
        for i in range(a.size):
            out.flat[i] = np.rint(a.flat[i])
        return out

    if decimals == 0:
        return rounded
    scale = 10.0 ** abs(decimals)

    def to_places(a):
        if decimals > 0:
            return np.rint(a * scale) / scale
        return np.rint(a / scale) * scale

    return to_places


@body
def _round_number(decimals: int) -> Any:
    scale = 10.0 ** abs(decimals)
    if decimals == 0:
        return lambda a: np.rint(a)
    if decimals > 0:
        return lambda a: np.rint(a * scale) / scale
    return lambda a: np.rint(a / scale) * scale


def rounding(a: Any, decimals: Any = 0, out: Any = None) -> Any:
    places = known(decimals, "decimals")
    element = a.ty.dtype if isinstance(a.ty, types.Array) else a.ty
    if isinstance(element, (types.Integer, types.Boolean)) and places >= 0:
        return _itself(isinstance(a.ty, types.Array)), (a,)
    return (_round if isinstance(a.ty, types.Array) else _round_number)(places), (a,)


@body
def _itself(is_array: bool) -> Any:
    return (lambda a: a.copy()) if is_array else (lambda a: a)


row(rounding, "round")
row(rounding, "around")


@body
def _take(axis: int | None, ndim: int, of_number: bool) -> Any:
    from .joined import fronted

    if axis is None:
        if of_number:
            return lambda a, indices: a.ravel()[indices]

        def taken(a, indices):
            flat = a.ravel()
            out = np.empty(indices.shape, a.dtype)
            for i in range(indices.size):
                out.flat[i] = flat[indices.flat[i]]
            return out

        return taken
    order, _ = fronted(ndim, axis)
    if of_number:
        return lambda a, indices: a.transpose(order)[indices].copy()

    def along(a, indices):
        out = np.empty((a.shape[:axis] + (indices.size,) + a.shape[axis + 1 :]), a.dtype)
        source, view = a.transpose(order), out.transpose(order)
        for i in range(indices.size):
            view[i] = source[indices[i]]
        return out

    return along


@row
def take(a: Any, indices: Any, axis: Any = None) -> Any:
    a, at = array(a), known(axis, "axis")
    of_number = not isinstance(indices.ty, types.Array)
    if at is not None:
        at = axis_of(at, a.ty.ndim)
        if a.ty.ndim == 1:
            at = None
        elif not of_number and indices.ty.ndim != 1:
            raise TypingError("take() along an axis takes a list of indices")
    return _take(at, a.ty.ndim, of_number), (a, indices)


@body
def _expanded(axis: int) -> Any:
    return lambda a: a.reshape(a.shape[:axis] + (1,) + a.shape[axis:])


@row
def expand_dims(a: Any, axis: Any) -> Any:
    return _expanded(axis_of(axis, array(a).ty.ndim + 1)), (a,)


@body
def _squeezed(axis: int) -> Any:
    def squeeze(a):
        if a.shape[axis] != 1:
            raise ValueError("cannot select an axis to squeeze out which has size not equal to one")
        return a.reshape(a.shape[:axis] + a.shape[axis + 1 :])

    return squeeze


@row
def squeeze(a: Any, axis: Any = None) -> Any:
    at = known(axis, "axis")
    if at is None:
        raise TypingError("squeeze() takes an axis: the type of the result depends on it")
    return _squeezed(axis_of(at, array(a).ty.ndim)), (a,)


@body
def _moved(order: tuple[int, ...]) -> Any:
    return lambda a: a.transpose(order)


@row
def moveaxis(a: Any, source: Any, destination: Any) -> Any:
    ndim = array(a).ty.ndim
    start, end = axis_of(source, ndim), axis_of(destination, ndim)
    order = [it for it in range(ndim) if it != start]
    order.insert(end, start)
    return _moved(tuple(order)), (a,)


@body
def _atleast(more: int) -> Any:
    ones = (1,) * more
    return lambda a: a.reshape(ones + a.shape)


@row
def atleast_1d(a: Any) -> Any:
    return _atleast(max(0, 1 - array(a).ty.ndim)), (a,)


@row
def atleast_2d(a: Any) -> Any:
    return _atleast(max(0, 2 - array(a).ty.ndim)), (a,)
