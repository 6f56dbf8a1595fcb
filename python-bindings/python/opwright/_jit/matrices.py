# Bodies are typed by the compiler.
# mypy: disallow-untyped-defs=False, disallow-untyped-decorators=False, disallow-untyped-calls=False
"""Functions of numpy over matrices and vectors: making, taking apart, products, norms, systems."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import types
from .errors import TypingError
from .operators import Arg, array, body, known, row, scalar_type
from .ordered import real_type


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
def _tri(dtype: Any) -> Any:
    def tri(N, M, k):  # noqa: N803
        out = np.zeros((N, M), dtype)
        for i in range(N):
            for j in range(max(0, min(M, i + k + 1))):
                out[i, j] = 1
        return out

    return tri


@body
def _tri_of(is_square: bool, k: int, dtype: Any) -> Any:
    one = _tri(dtype)
    return (lambda N: one(N, N, k)) if is_square else (lambda N, M: one(N, M, k))  # noqa: N803


@row
def tri(N: Any, M: Any = None, k: Any = 0, dtype: Any = "float64") -> Any:  # noqa: N803
    made = scalar_type(known(dtype, "dtype"))
    is_square = not isinstance(M, Arg) or M.ty is types.none
    return _tri_of(is_square, known(k, "k"), made), (N,) if is_square else (N, M)


@body
def _triangle_indices(is_lower: bool, is_square: bool, k: int) -> Any:
    def indices(n, m):
        rows, columns = np.empty(n * m, np.int64), np.empty(n * m, np.int64)
        at = 0
        for i in range(n):
            for j in range(m):
                if (j - i <= k) if is_lower else (j - i >= k):
                    rows[at] = i
                    columns[at] = j
                    at += 1
        return rows[:at].copy(), columns[:at].copy()

    return (lambda n: indices(n, n)) if is_square else indices


def _triangles(name: str, is_lower: bool) -> None:
    def function(n: Any, k: Any = 0, m: Any = None) -> Any:
        is_square = not isinstance(m, Arg) or m.ty is types.none
        made = _triangle_indices(is_lower, is_square, known(k, "k"))
        return made, (n,) if is_square else (n, m)

    row(function, name)


_triangles("tril_indices", True)
_triangles("triu_indices", False)


@body
def _cov(has_y: bool, rowvar: bool, ddof: int, dtype: Any) -> Any:
    def of_rows(x):
        n = x.shape[1]
        centred = x - np.mean(x, axis=1, keepdims=True)
        found = np.dot(centred, np.conj(centred.T))
        return found / dtype(n - ddof)

    def rows(m):
        wide = m.astype(dtype)
        if m.ndim == 1:
            return wide.reshape((1, m.size))
        return wide.T.copy() if not rowvar and m.shape[0] != 1 else wide

    if has_y:
        return lambda m, y: of_rows(np.concatenate((rows(m), rows(y))))
    return lambda m: of_rows(rows(m))


@body
def _of_one_row(function: Any) -> Any:
    return lambda m: function(m)[0, 0]


@row
def cov(m: Any, y: Any = None, rowvar: Any = True, bias: Any = False, ddof: Any = None) -> Any:
    m, has_y = array(m), isinstance(y, Arg) and y.ty is not types.none
    if m.ty.ndim not in (1, 2) or (has_y and array(y).ty.ndim not in (1, 2)):
        raise TypingError("cov() takes arrays of one or two dimensions")
    less = known(ddof, "ddof")
    less = (0 if known(bias, "bias") else 1) if less is None else less
    kinds = [real_type(it.ty.dtype) for it in ((m, y) if has_y else (m,))]
    # Sums are of 64 bits.
    dtype = np.result_type(*kinds, np.float64).type
    made = _cov(has_y, bool(known(rowvar, "rowvar")), less, dtype)
    if has_y:
        return made, (m, y)
    return (_of_one_row(made) if m.ty.ndim == 1 else made), (m,)


@body
def _coefficients(has_y: bool, is_one: bool, made: Any) -> Any:
    def scaled(c):
        d = np.sqrt(np.diag(c))
        return np.clip(c / d[:, None] / d[None, :], -1.0, 1.0)

    if has_y:
        return lambda x, y: scaled(made(x, y))
    if is_one:
        return lambda x: scaled(made(x))[0, 0]
    return lambda x: scaled(made(x))


@row
def corrcoef(x: Any, y: Any = None, rowvar: Any = True) -> Any:
    x, has_y = array(x), isinstance(y, Arg) and y.ty is not types.none
    found = [it.ty for it in ((x, array(y)) if has_y else (x,))]
    if any(it.ndim not in (1, 2) or isinstance(it.dtype, types.Complex) for it in found):
        raise TypingError("corrcoef() takes arrays of real numbers, of one or two dimensions")
    made = _cov(has_y, bool(known(rowvar, "rowvar")), 1, np.float64)
    return _coefficients(has_y, x.ty.ndim == 1, made), (x, y) if has_y else (x,)


@body
def _diagflat() -> Any:
    return lambda v, k: np.diag(v.ravel(), k)


@body
def _diagflat_main() -> Any:
    return lambda v: np.diag(v.ravel())


@row
def diagflat(v: Any, k: Any = 0) -> Any:
    return (_diagflat(), (array(v), k)) if isinstance(k, Arg) else (_diagflat_main(), (array(v),))


@body
def _indices_of(is_lower: bool, k: int) -> Any:
    one = _triangle_indices(is_lower, False, k)
    return lambda arr: one(arr.shape[0], arr.shape[1])


def _triangles_of(name: str, is_lower: bool) -> None:
    def function(arr: Any, k: Any = 0) -> Any:
        if array(arr).ty.ndim != 2:
            raise TypingError(f"{name}() takes an array of two dimensions")
        return _indices_of(is_lower, known(k, "k")), (arr,)

    row(function, name)


_triangles_of("tril_indices_from", True)
_triangles_of("triu_indices_from", False)


@body
def _diag_indices(ndim: int) -> Any:
    if ndim == 2:
        return lambda n: (np.arange(n), np.arange(n))
    return lambda n: (np.arange(n), np.arange(n), np.arange(n))


@row
def diag_indices(n: Any, ndim: Any = 2) -> Any:
    count = known(ndim, "ndim")
    if count not in (2, 3):
        raise TypingError("diag_indices() is of two or three dimensions")
    return _diag_indices(count), (n,)
