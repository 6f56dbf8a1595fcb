# Bodies are typed by the compiler.
# mypy: disallow-untyped-defs=False, disallow-untyped-decorators=False, disallow-untyped-calls=False
"""Functions of `numpy.linalg`: norms, systems of equations, decompositions."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from .. import linalg, types
from .errors import TypingError
from .operators import Arg, array, body, dims_of, known, row
from .ordered import real_type
from .standing import cholesky_ex, det_of, inv_ex, solve_ex


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
def _qr(mode: Literal["reduced", "complete", "r"], dtype: Any) -> Any:
    if mode == "r":
        return lambda a: linalg.qr(a.astype(dtype), mode)[1]
    return lambda a: linalg.qr(a.astype(dtype), mode)


def qr(a: Any, mode: Any = "reduced") -> Any:
    a, how = _matrix(a, "qr"), known(mode, "mode")
    if how not in ("reduced", "complete", "r"):
        raise TypingError(f"qr() with mode={how!r}: there are 'reduced', 'complete' and 'r'")
    return _qr(how, real_type(a.ty.dtype)), (a,)


row(qr, "linalg.qr")


def _check_is_real(values):
    for z in values:
        if z.imag != 0.0:
            raise ValueError("the eigenvalues are complex: pass an array of complex numbers")


@body
def _eigvals(dtype: Any) -> Any:
    if np.dtype(dtype).kind == "c":

        def of_complex(a):
            _check_square(a.shape)
            return linalg.eigvals(a)

        return of_complex

    def eigvals(a):
        _check_square(a.shape)
        values = linalg.eigvals(a.astype(dtype))
        _check_is_real(values)
        return np.copy(values.real)

    return eigvals


@body
def _eig(dtype: Any) -> Any:
    if np.dtype(dtype).kind == "c":

        def of_complex(a):
            _check_square(a.shape)
            return linalg.eig(a)

        return of_complex

    def eig(a):
        _check_square(a.shape)
        values, vectors = linalg.eig(a.astype(dtype))
        _check_is_real(values)
        return np.copy(values.real), np.copy(vectors.real)

    return eig


def _one_matrix(name: str, make: Any) -> None:
    """Add a function of one matrix, which is made for the dtype that it computes in."""

    def function(a: Any) -> Any:
        if array(a).ty.ndim != 2:
            raise TypingError(f"{name}() takes one matrix, not {a.ty}: write a loop over more")
        return make(real_type(a.ty.dtype)), (a,)

    row(function, f"linalg.{name}")


_one_matrix("eigvals", _eigvals)
_one_matrix("eig", _eig)


@body
def _symmetric(with_vectors: bool, uplo: str, dtype: Any) -> Any:
    def eigvalsh(a):
        _check_square(a.shape)
        return linalg.eigvalsh(a.astype(dtype), uplo)

    def eigh(a):
        _check_square(a.shape)
        return linalg.eigh(a.astype(dtype), uplo)

    return eigh if with_vectors else eigvalsh


def _of_symmetric(name: str, with_vectors: bool) -> None:
    def function(a: Any, UPLO: Any = "L") -> Any:  # noqa: N803
        a, uplo = _matrix(a, name), known(UPLO, "UPLO")
        if uplo not in ("L", "U"):
            raise TypingError(f"{name}() with UPLO={uplo!r}: it is 'L' or 'U'")
        return _symmetric(with_vectors, uplo, real_type(a.ty.dtype)), (a,)

    row(function, f"linalg.{name}")


_of_symmetric("eigvalsh", False)
_of_symmetric("eigh", True)


@body
def _svd(full: bool, with_vectors: bool, dtype: Any) -> Any:
    if not with_vectors:
        return lambda a: linalg.svdvals(a.astype(dtype))
    return lambda a: linalg.svd(a.astype(dtype), full)


def svd(a: Any, full_matrices: Any = True, compute_uv: Any = True) -> Any:
    a = _matrix(a, "svd")
    full, with_vectors = known(full_matrices, "full_matrices"), known(compute_uv, "compute_uv")
    return _svd(bool(full), bool(with_vectors), real_type(a.ty.dtype)), (a,)


row(svd, "linalg.svd")


@body
def _slogdet(dtype: Any) -> Any:
    def slogdet(a):
        _check_square(a.shape)
        return linalg.slogdet(a.astype(dtype))

    return slogdet


def slogdet(a: Any) -> Any:
    return _slogdet(real_type(_matrix(a, "slogdet").ty.dtype)), (a,)


row(slogdet, "linalg.slogdet")


@body
def _pinv(dtype: Any) -> Any:
    def pinv(a):
        u, s, vt = linalg.svd(a.astype(dtype), False)
        least = 1e-15 * (s[0] if len(s) > 0 else 0.0)
        for i in range(len(s)):
            s[i] = 1 / s[i] if s[i] > least else 0.0
        return np.dot(np.conj(vt.T) * s, np.conj(u.T))

    return pinv


_one_matrix("pinv", _pinv)


@body
def _matrix_rank(dtype: Any, has_tolerance: bool) -> Any:
    eps = float(np.finfo(dtype).eps)

    def count(s, least):
        rank = 0
        for x in s:
            if x > least:
                rank += 1
        return rank

    if has_tolerance:
        return lambda a, tol: count(linalg.svdvals(a.astype(dtype)), tol)

    def matrix_rank(a):
        s = linalg.svdvals(a.astype(dtype))
        return count(s, s[0] * max(a.shape[0], a.shape[1]) * eps) if len(s) > 0 else 0

    return matrix_rank


def matrix_rank(A: Any, tol: Any = None) -> Any:  # noqa: N803
    if array(A).ty.ndim != 2:
        raise TypingError(f"matrix_rank() takes one matrix, not {A.ty}: write a loop over more")
    has_tolerance = isinstance(tol, Arg) and tol.ty is not types.none
    found = _matrix_rank(real_type(A.ty.dtype), has_tolerance)
    return found, (A, tol) if has_tolerance else (A,)


row(matrix_rank, "linalg.matrix_rank")


@body
def _matrix_power(dtype: Any) -> Any:
    def matrix_power(a, n):
        _check_square(a.shape)
        found = np.eye(a.shape[0], dtype=dtype)
        base = np.linalg.inv(a).astype(dtype) if n < 0 else a.astype(dtype)
        rest = abs(n)
        while rest > 0:
            if rest % 2 == 1:
                found = np.dot(found, base)
            base = np.dot(base, base)
            rest //= 2
        return found

    return matrix_power


def matrix_power(a: Any, n: Any) -> Any:
    if array(a).ty.ndim != 2:
        raise TypingError(f"matrix_power() takes one matrix, not {a.ty}: write a loop over more")
    is_whole = isinstance(a.ty.dtype, (types.Integer, types.Boolean))
    return _matrix_power(np.int64 if is_whole else real_type(a.ty.dtype)), (a, n)


row(matrix_power, "linalg.matrix_power")


@body
def _cond(order: Any, dtype: Any) -> Any:
    if order in (None, 2, -2):

        def by_values(x):
            s = linalg.svdvals(x.astype(dtype))
            return s[len(s) - 1] / s[0] if order == -2 else s[0] / s[len(s) - 1]

        return by_values

    def cond(x):
        return np.linalg.norm(x, order) * np.linalg.norm(np.linalg.inv(x), order)

    return cond


def cond(x: Any, p: Any = None) -> Any:
    if array(x).ty.ndim != 2:
        raise TypingError(f"cond() takes one matrix, not {x.ty}: write a loop over more")
    return _cond(known(p, "p"), real_type(x.ty.dtype)), (x,)


row(cond, "linalg.cond")


@body
def _lstsq(ndim: int, rcond: float | None, dtype: Any) -> Any:
    eps = float(np.finfo(dtype).eps)
    given = -1.0 if rcond is None else eps if rcond < 0 else rcond

    def parts(a, b):
        rows, columns = a.shape
        if b.shape[0] != rows:
            raise np.linalg.LinAlgError("Incompatible dimensions")
        u, s, vt = linalg.svd(a.astype(dtype), False)
        rank = 0
        for x in s:
            if x > s[0] * (max(rows, columns) * eps if given < 0 else given):
                rank += 1
        found = np.dot(np.conj(u.T)[:rank], b.astype(dtype))
        for i in range(rank):
            found[i] = found[i] / s[i]
        return np.dot(np.conj(vt.T)[:, :rank].copy(), found), rank, s

    def lstsq(a, b):
        x, rank, s = parts(a, b)
        rest = abs(b.astype(dtype) - np.dot(a.astype(dtype), x)) ** 2
        has_rest = rank == a.shape[1] and a.shape[0] > rank
        sums = np.sum(rest, axis=0, keepdims=ndim == 1)
        return x, sums if has_rest else sums[:0], rank, s

    return lstsq


def lstsq(a: Any, b: Any, rcond: Any = None) -> Any:
    if array(a).ty.ndim != 2 or array(b).ty.ndim not in (1, 2):
        raise TypingError("lstsq() takes a matrix, and a vector or a matrix")
    kinds = [np.dtype(real_type(it.ty.dtype)) for it in (a, b)]
    return _lstsq(b.ty.ndim, known(rcond, "rcond"), np.result_type(*kinds).type), (a, b)


row(lstsq, "linalg.lstsq")
