"""Linear algebra, with numpy as the oracle."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import opwright
import pytest
from layouts import Array, dtype_of, numbers
from opwright import linalg

DTYPES = ["float32", "float64", "complex64", "complex128"]
TOLERANCES = {"float32": 2e-4, "complex64": 2e-4}


def real(dtype: str) -> str:
    """The dtype of absolute values."""
    return {"complex64": "float32", "complex128": "float64"}.get(dtype, dtype)


def matrices(rng: np.random.Generator, dtype: str, shape: tuple[int, ...]) -> Any:
    """An array and a tensor over the same memory, the rows of which are not neighbours."""
    array = numbers(rng, dtype, (*shape[:-2], shape[-1], shape[-2])).swapaxes(-1, -2)
    return array, opwright.from_numpy(array)


def assert_close(actual: Any, expected: Any, dtype: str) -> None:
    assert (tuple(actual.shape), dtype_of(actual)) == (np.shape(expected), dtype)
    tolerance = TOLERANCES.get(dtype, 1e-10)
    np.testing.assert_allclose(actual.numpy(), expected, rtol=tolerance, atol=tolerance)


def adjoint(a: Array) -> Array:
    return np.conj(a.swapaxes(-1, -2))


SQUARE = [(3, 3), (1, 1), (2, 5, 5), (0, 0), (0, 2, 2), (2, 3, 0, 0), (12, 12)]


@pytest.mark.parametrize("shape", SQUARE)
@pytest.mark.parametrize("dtype", DTYPES)
def test_determinants_and_inverses(
    dtype: str, shape: tuple[int, ...], rng: np.random.Generator
) -> None:
    a, x = matrices(rng, dtype, shape)
    assert_close(
        linalg.slogdet(x).logabsdet, np.linalg.slogdet(a)[1].astype(real(dtype)), real(dtype)
    )
    assert_close(linalg.slogdet(x).sign, np.linalg.slogdet(a)[0], dtype)
    if shape[-1] < 10:
        assert_close(linalg.det(x), np.linalg.det(a), dtype)
        assert_close(opwright.det(x), np.linalg.det(a), dtype)
    assert_close(linalg.inv(x) @ x, np.broadcast_to(np.eye(shape[-1]), shape), dtype)
    assert_close(x.inverse(), np.linalg.inv(a), dtype)
    info = linalg.inv_ex(x).info
    assert dtype_of(info) == "int32"
    assert info.count_nonzero().item() == 0
    meta = linalg.inv(opwright.empty(shape, dtype=x.dtype, device="meta"))
    assert (tuple(meta.shape), meta.dtype) == (shape, x.dtype)


@pytest.mark.parametrize("dtype", DTYPES)
def test_solutions(dtype: str, rng: np.random.Generator) -> None:
    for a_shape, b_shape in [
        ((3, 3), (3, 2)),
        ((4, 4), (4,)),
        ((2, 3, 3), (2, 3, 4)),
        ((2, 3, 3), (3, 1)),
        ((5, 1, 3, 3), (2, 3, 2)),
        ((3, 3), (0, 3, 2)),
    ]:
        a, x = matrices(rng, dtype, a_shape)
        b = numbers(rng, dtype, b_shape)
        found = linalg.solve(x, opwright.from_numpy(b))
        assert_close(x @ found, np.broadcast_to(b, np.matmul(a, b).shape), dtype)
    a, x = matrices(rng, dtype, (2, 3, 3))
    vectors = numbers(rng, dtype, (2, 3))
    found = linalg.solve(x, opwright.from_numpy(vectors))
    assert_close(found, np.linalg.solve(a, vectors[..., None])[..., 0], dtype)
    b = numbers(rng, dtype, (2, 4, 3))
    found = linalg.solve(x, opwright.from_numpy(b), left=False)
    assert_close(found @ x, b, dtype)
    result, info = linalg.solve_ex(opwright.zeros(2, 2), opwright.ones(2, 1))
    assert info.item() == 1
    assert tuple(result.shape) == (2, 1)


def definite(rng: np.random.Generator, dtype: str, shape: tuple[int, ...]) -> Array:
    a = numbers(rng, dtype, shape)
    return np.asarray(a @ adjoint(a) + np.eye(shape[-1], dtype=dtype))


@pytest.mark.parametrize("shape", SQUARE)
@pytest.mark.parametrize("dtype", DTYPES)
def test_cholesky(dtype: str, shape: tuple[int, ...], rng: np.random.Generator) -> None:
    a = definite(rng, dtype, shape)
    # Only one triangle is read.
    lower, upper = (opwright.from_numpy(it(a)) for it in (np.tril, np.triu))
    expected = np.linalg.cholesky(a)
    assert_close(linalg.cholesky(lower), expected, dtype)
    assert_close(linalg.cholesky(upper, upper=True), adjoint(expected), dtype)
    assert_close(opwright.cholesky(lower), expected, dtype)


@pytest.mark.parametrize("shape", [(3, 3), (5, 2), (2, 5), (2, 4, 3), (3, 0), (0, 3), (20, 12)])
@pytest.mark.parametrize("dtype", DTYPES)
def test_qr(dtype: str, shape: tuple[int, ...], rng: np.random.Generator) -> None:
    a, x = matrices(rng, dtype, shape)
    for mode in ["reduced", "complete"]:
        q, r = linalg.qr(x, mode)
        assert_close(q @ r, a, dtype)
        identity = np.broadcast_to(np.eye(q.shape[-1]), (*a.shape[:-2], *[q.shape[-1]] * 2))
        assert_close(q.transpose(-2, -1).conj() @ q, identity, dtype)
        oracle = np.linalg.qr(a, mode)
        assert_close(r.abs(), abs(oracle.R), real(dtype))
        if not dtype.startswith("complex"):
            assert_close(q, oracle.Q, dtype)
            assert_close(r, oracle.R, dtype)
        diagonal = np.diagonal(r.numpy(), axis1=-2, axis2=-1)
        assert not diagonal.imag.any()
    only, alone = linalg.qr(x, "r")
    assert only.numel() == 0
    assert_close(alone, linalg.qr(x).R.numpy(), dtype)


@pytest.mark.parametrize("shape", [*SQUARE, (40, 40)])
@pytest.mark.parametrize("dtype", DTYPES)
def test_eigenvalues(dtype: str, shape: tuple[int, ...], rng: np.random.Generator) -> None:
    a = numbers(rng, dtype, shape)
    a = np.asarray(a + adjoint(a))
    values, vectors = linalg.eigh(opwright.from_numpy(np.tril(a)))
    assert_close(values, np.linalg.eigvalsh(a), real(dtype))
    v = vectors.numpy()
    assert_close(
        opwright.from_numpy(np.asarray((v * values.numpy()[..., None, :]) @ adjoint(v))), a, dtype
    )
    assert_close(
        opwright.from_numpy(np.asarray(adjoint(v) @ v)),
        np.broadcast_to(np.eye(shape[-1]), shape),
        dtype,
    )
    assert_close(
        linalg.eigvalsh(opwright.from_numpy(np.triu(a)), "U"), np.linalg.eigvalsh(a), real(dtype)
    )


def test_equal_eigenvalues() -> None:
    values, vectors = linalg.eigh(opwright.eye(6) * 3)
    assert values.tolist() == [3.0] * 6
    assert_close(vectors @ vectors.t(), np.eye(6), "float32")
    spread = opwright.tensor([1e-150, 1.0, 1e150], dtype=opwright.float64)
    assert (
        linalg.eigvalsh(opwright.eye(3, dtype=opwright.float64) * spread).tolist()
        == spread.tolist()
    )


@pytest.mark.parametrize("shape", [(3, 3), (5, 2), (2, 5), (2, 4, 3), (3, 0), (0, 0), (30, 20)])
@pytest.mark.parametrize("dtype", DTYPES)
def test_singular_values(dtype: str, shape: tuple[int, ...], rng: np.random.Generator) -> None:
    a, x = matrices(rng, dtype, shape)
    expected = np.linalg.svd(a, compute_uv=False)
    assert_close(linalg.svdvals(x), expected, real(dtype))
    for full in [False, True]:
        u, s, vh = linalg.svd(x, full)
        count = min(shape[-2:])
        assert_close(s, expected, real(dtype))
        scaled = u.numpy()[..., :count] * s.numpy()[..., None, :]
        assert_close(opwright.from_numpy(np.asarray(scaled @ vh.numpy()[..., :count, :])), a, dtype)
        for m in (u.numpy(), adjoint(vh.numpy())):
            identity = np.broadcast_to(np.eye(m.shape[-1]), (*shape[:-2], *m.shape[-1:] * 2))
            assert_close(opwright.from_numpy(np.asarray(adjoint(m) @ m)), identity, dtype)


def test_singular_matrices() -> None:
    ones = opwright.ones(3, 4, dtype=opwright.float64)
    u, s, vh = linalg.svd(ones)
    np.testing.assert_allclose(s, [12**0.5, 0, 0], atol=1e-12)
    np.testing.assert_allclose(u @ u.t(), np.eye(3), atol=1e-12)
    np.testing.assert_allclose(vh @ vh.t(), np.eye(4), atol=1e-12)
    zeros = linalg.svd(opwright.zeros(2, 3))
    assert zeros.S.tolist() == [0.0, 0.0]
    np.testing.assert_allclose(zeros.U @ zeros.U.t(), np.eye(2), atol=1e-6)


NORMS: list[Any] = [None, "fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf]


@pytest.mark.parametrize("order", NORMS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_norms(dtype: str, order: Any, rng: np.random.Generator) -> None:
    a, x = matrices(rng, dtype, (3, 4))
    for keepdim in [False, True]:
        expected = np.linalg.norm(a, order, keepdims=keepdim)
        assert_close(linalg.norm(x, order, keepdim=keepdim), expected, real(dtype))
    a, x = matrices(rng, dtype, (2, 3, 4, 5))
    for dim in [(0, 2), (3, 1), (-1, -2)]:
        expected = np.linalg.norm(a, order, dim, keepdims=True)
        assert_close(linalg.norm(x, order, dim, True), expected, real(dtype))
        if order is not None:
            found = linalg.matrix_norm(x, order, dim)
            assert_close(found, np.linalg.norm(a, order, dim), real(dtype))
    if not isinstance(order, str):
        expected = np.linalg.norm(a, order, 1)
        assert_close(linalg.norm(x, order, 1), expected, real(dtype))
        if order is not None:
            assert_close(linalg.vector_norm(x, order, 1), expected, real(dtype))
    assert linalg.norm(x, dtype=x.dtype).item() == pytest.approx(
        np.linalg.norm(a.ravel()), rel=1e-4
    )


def test_products(rng: np.random.Generator) -> None:
    shapes = [(5,), (5, 30), (30, 2), (2, 7), (7,)]
    arrays = [numbers(rng, "float64", shape) for shape in shapes]
    tensors = [opwright.from_numpy(array) for array in arrays]
    for part in [slice(0, 5), slice(1, 5), slice(0, 4), slice(1, 4), slice(1, 3)]:
        expected = np.linalg.multi_dot(arrays[part])
        assert_close(linalg.multi_dot(tensors[part]), expected, "float64")
    assert_close(opwright.chain_matmul(tensors[1:4]), np.linalg.multi_dot(arrays[1:4]), "float64")
    assert_close(linalg.matmul(tensors[1], tensors[2]), arrays[1] @ arrays[2], "float64")
    for dtype in ["int64", "float32", "complex128"]:
        a, b = numbers(rng, dtype, (4, 3)), numbers(rng, dtype, (4, 3))
        x, y = opwright.from_numpy(a), opwright.from_numpy(b)
        assert_close(linalg.cross(x, y), np.cross(a, b), dtype)
        assert_close(opwright.cross(x.t(), y.t()), np.cross(a.T, b.T, axis=0), dtype)
        assert_close(linalg.vecdot(x, y), np.linalg.vecdot(a, b), dtype)
        assert_close(linalg.vecdot(x, y, dim=0), np.linalg.vecdot(a, b, axis=0), dtype)
    square, x = matrices(rng, "float64", (2, 3, 3))
    for n in [0, 1, 2, 5, -1, -3]:
        assert_close(linalg.matrix_power(x, n), np.linalg.matrix_power(square, n), "float64")
        assert_close(x.matrix_power(n), np.linalg.matrix_power(square, n), "float64")
    assert_close(linalg.diagonal(x), np.diagonal(square, axis1=1, axis2=2), "float64")


@pytest.mark.filterwarnings("ignore:.*was resized")
def test_outputs() -> None:
    x = opwright.tensor([[4.0, 0.0], [0.0, 9.0]])
    out = opwright.empty(0)
    for call, expected in [
        (linalg.inv, [[0.25, 0.0], [0.0, 1 / 9]]),
        (linalg.cholesky, [[2.0, 0.0], [0.0, 3.0]]),
        (linalg.svdvals, [9.0, 4.0]),
        (linalg.eigvalsh, [4.0, 9.0]),
    ]:
        assert call(x, out=out) is out
        np.testing.assert_allclose(out, expected, rtol=1e-6)
    assert linalg.det(x, out=out).item() == 36.0
    outs = tuple(opwright.empty(0) for _ in range(3))
    linalg.svd(x, out=outs)
    np.testing.assert_allclose(outs[1], [9.0, 4.0])


SIZES = [(3, 3), (1, 1), (2, 4, 4), (0, 0), (2, 0, 3, 3), (40, 40)]


@pytest.mark.parametrize("shape", SIZES)
@pytest.mark.parametrize("dtype", DTYPES)
def test_triangles(dtype: str, shape: tuple[int, ...], rng: np.random.Generator) -> None:
    a, x = matrices(rng, dtype, shape)
    size = shape[-1]
    a += 4 * size * np.eye(size, dtype=dtype)
    b, y = matrices(rng, dtype, (*shape[:-1], 2))
    for upper, unit in itertools.product([False, True], [False, True]):
        triangle = np.triu(a) if upper else np.tril(a)
        if unit:
            # So that the solution does not grow.
            triangle = triangle / (8 * size + 1)
            x = opwright.from_numpy(triangle)
            diagonal = np.arange(size)
            triangle[..., diagonal, diagonal] = 1
        found = linalg.solve_triangular(x, y, upper=upper, unitriangular=unit)
        assert_close(found, np.linalg.solve(triangle, b), dtype)
        right = y.transpose(-2, -1)
        found = linalg.solve_triangular(x, right, upper=upper, left=False, unitriangular=unit)
        expected = np.linalg.solve(triangle.swapaxes(-1, -2), b).swapaxes(-1, -2)
        assert_close(found, expected, dtype)
        x = opwright.from_numpy(a)


LU_SHAPES = [(3, 3), (1, 1), (5, 2), (2, 5), (2, 4, 4), (0, 3), (3, 0), (2, 0, 3, 3), (70, 40)]


@pytest.mark.parametrize("shape", LU_SHAPES)
@pytest.mark.parametrize("dtype", DTYPES)
def test_lu(dtype: str, shape: tuple[int, ...], rng: np.random.Generator) -> None:
    a, x = matrices(rng, dtype, shape)
    p, lower, upper = linalg.lu(x)
    assert_close(p @ lower @ upper, a, dtype)
    assert p.abs().sum(-1).tolist() == np.ones((*shape[:-2], shape[-2])).tolist()
    assert_close(lower.triu(), lower.triu().tril().numpy(), dtype)
    assert_close(upper.tril(), upper.tril().triu().numpy(), dtype)
    assert bool((lower.abs() <= 1.5).all())
    factors, pivots, info = linalg.lu_factor_ex(x)
    count = min(shape[-2:])
    assert_close(factors[..., :count].tril(-1), lower.tril(-1).numpy(), dtype)
    assert_close(factors[..., :count, :].triu(), upper.numpy(), dtype)
    assert (tuple(pivots.shape), pivots.dtype) == ((*shape[:-2], count), opwright.int32)
    assert info.tolist() == np.zeros(shape[:-2]).tolist()
    assert opwright.equal(linalg.lu_factor(x).pivots, pivots)


def test_factors_of_singular_matrices() -> None:
    x = opwright.tensor([[0.0, 1.0], [0.0, 2.0]])
    p, lower, upper = linalg.lu(x)
    assert (p @ lower @ upper).tolist() == x.tolist()
    assert linalg.lu_factor_ex(x).info.item() == 1
    assert linalg.lu_factor_ex(opwright.ones(2, 2)).info.item() == 2


def complexes(dtype: str) -> str:
    """The dtype of eigenvalues."""
    return {"float32": "complex64", "float64": "complex128"}.get(dtype, dtype)


@pytest.mark.parametrize("shape", [*SQUARE, (40, 40), (100, 100)])
@pytest.mark.parametrize("dtype", DTYPES)
def test_eigenvalues_of_any_matrix(
    dtype: str, shape: tuple[int, ...], rng: np.random.Generator
) -> None:
    a, x = matrices(rng, dtype, shape)
    values, vectors = linalg.eig(x)
    v, w = vectors.numpy(), values.numpy()
    size = shape[-1]
    assert_close(opwright.from_numpy(np.asarray(a @ v)), v * w[..., None, :], complexes(dtype))
    lengths = np.linalg.norm(v, axis=-2)
    np.testing.assert_allclose(lengths, np.ones((*shape[:-2], size)), rtol=1e-5)
    alone = linalg.eigvals(x)
    for found in (w, alone.numpy()):
        assert (found.dtype, found.shape) == (complexes(dtype), shape[:-1])
        # Each one has its counterpart, in whatever order.
        apart = np.abs(found[..., :, None] - np.linalg.eigvals(a)[..., None, :])
        if size:
            limit = 1e-2 if dtype in TOLERANCES else 1e-8
            assert (apart.min(-1) < limit).all() and (apart.min(-2) < limit).all()
    meta = linalg.eig(opwright.empty(shape, dtype=x.dtype, device="meta"))
    assert [dtype_of(it) for it in meta] == [complexes(dtype)] * 2
    assert [tuple(it.shape) for it in meta] == [shape[:-1], shape]


def test_eigenvalues_that_coincide() -> None:
    for size in (2, 6, 30):
        chain = np.eye(size, k=1) + 3 * np.eye(size)
        for dtype in (opwright.float32, opwright.float64):
            values, vectors = linalg.eig(opwright.tensor(chain, dtype=dtype))
            v = vectors.numpy()
            np.testing.assert_allclose(chain @ v, v * values.numpy(), atol=5e-5)
            np.testing.assert_allclose(np.linalg.norm(v, axis=0), np.ones(size), rtol=1e-5)
    values, vectors = linalg.eig(opwright.zeros(3, 3))
    assert values.tolist() == [0j] * 3
    np.testing.assert_allclose(np.abs(vectors.numpy()), np.eye(3))
    rotation = linalg.eigvals(opwright.tensor([[0.0, -1.0], [1.0, 0.0]]))
    assert sorted(rotation.numpy().imag) == [-1.0, 1.0]


def test_eigenvalues_of_unbalanced_matrices() -> None:
    a = opwright.tensor([[1.0, 1e12], [1e-12, 1.0]], dtype=opwright.float64)
    found = np.sort(linalg.eigvals(a).numpy().real)
    np.testing.assert_allclose(found, [0.0, 2.0], atol=1e-14)


LOW_RANK = [(3, 3), (5, 2), (2, 5), (2, 4, 3), (2, 3, 3, 4), (30, 20)]


def low_rank(rng: np.random.Generator, dtype: str, shape: tuple[int, ...]) -> Array:
    """Matrices of rank one."""
    column = numbers(rng, dtype, (*shape[:-1], 1))
    return np.asarray(column @ numbers(rng, dtype, (*shape[:-2], 1, shape[-1])))


EMPTY = [(3, 0), (0, 3), (0, 0), (0, 2, 3), (2, 0, 3)]


@pytest.mark.parametrize("shape", [*LOW_RANK, *EMPTY])
@pytest.mark.parametrize("dtype", DTYPES)
def test_pseudoinverses_and_ranks(
    dtype: str, shape: tuple[int, ...], rng: np.random.Generator
) -> None:
    for a in (numbers(rng, dtype, shape), low_rank(rng, dtype, shape)):
        x = opwright.from_numpy(a)
        rcond = max(*shape[-2:], 1) * np.finfo(dtype).eps
        if 0 in shape[-2:]:
            expected = np.zeros((*shape[:-2], shape[-1], shape[-2]), dtype)
        else:
            expected = np.linalg.pinv(a, rcond=rcond)
        assert_close(linalg.pinv(x), expected, dtype)
        assert_close(linalg.pinv(x, rcond), expected, dtype)
        assert_close(linalg.pinv(x, opwright.tensor(rcond)), expected, dtype)
        assert_close(linalg.pinv(x, rtol=rcond), expected, dtype)
        assert_close(x.pinverse(1e-5), expected, dtype)
        ranks = linalg.matrix_rank(x)
        assert (tuple(ranks.shape), ranks.dtype) == (shape[:-2], opwright.int64)
        if 0 not in shape:
            assert ranks.tolist() == np.linalg.matrix_rank(a).tolist()
            assert linalg.matrix_rank(x, 1e-3).tolist() == np.linalg.matrix_rank(a, 1e-3).tolist()
        else:
            assert ranks.count_nonzero().item() == 0
        meta = linalg.pinv(opwright.empty(shape, dtype=x.dtype, device="meta"))
        assert (tuple(meta.shape), meta.dtype) == (expected.shape, x.dtype)


@pytest.mark.parametrize("dtype", DTYPES)
def test_pseudoinverses_and_ranks_of_symmetric_matrices(
    dtype: str, rng: np.random.Generator
) -> None:
    a = numbers(rng, dtype, (2, 4, 2))
    a = np.asarray(a @ adjoint(a)) * np.array([1, -1], real(dtype))[:, None, None]
    lower = opwright.from_numpy(np.tril(a))
    expected = np.linalg.pinv(a, rcond=1e-5)
    assert_close(linalg.pinv(lower, 1e-5, True), expected, dtype)
    assert_close(linalg.pinv(lower, rtol=1e-5, hermitian=True), expected, dtype)
    assert linalg.matrix_rank(lower, rtol=1e-5, hermitian=True).tolist() == [2, 2]


def test_tolerances() -> None:
    x = opwright.tensor([[1.0, 0.0], [0.0, 1e-3]])
    zero = [[1.0, 0.0], [0.0, 0.0]]
    full = [[1.0, 0.0], [0.0, 1000.0]]
    both = opwright.stack([x, x])
    for least, expected, rank in [(1e-2, zero, 1), (1e-4, full, 2)]:
        tensor = opwright.tensor(least)
        for name in ("atol", "rtol"):
            for value in (least, tensor):
                np.testing.assert_allclose(linalg.pinv(x, **{name: value}), expected, rtol=1e-6)
                assert linalg.matrix_rank(x, **{name: value}).item() == rank
        assert linalg.matrix_rank(x, tensor).item() == rank
        assert linalg.matrix_rank(x, tol=least).item() == rank
    each = opwright.tensor([1e-2, 1e-4])
    assert linalg.matrix_rank(both, atol=each).tolist() == [1, 2]
    assert linalg.matrix_rank(both, rtol=each).tolist() == [1, 2]
    np.testing.assert_allclose(linalg.pinv(both, atol=each), [zero, full], rtol=1e-6)
    # What rounding leaves counts, once a tolerance says so.
    assert linalg.matrix_rank(x * opwright.tensor([1.0, 1e-6]), atol=1e-12).item() == 2
    assert linalg.matrix_rank(x * opwright.tensor([1.0, 1e-6])).item() == 1
    assert linalg.matrix_rank(x * opwright.tensor([1.0, 1e-6]), atol=0.0).item() == 1


CONDITIONS: list[Any] = [None, 2, -2, 1, -1, np.inf, -np.inf, "fro", "nuc"]


@pytest.mark.parametrize("order", CONDITIONS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_condition_numbers(dtype: str, order: Any, rng: np.random.Generator) -> None:
    for shape in [(3, 3), (2, 4, 4), (1, 1)]:
        a = numbers(rng, dtype, shape) + 3 * np.eye(shape[-1], dtype=dtype)
        found = linalg.cond(opwright.from_numpy(a), order)
        assert_close(found, np.linalg.cond(a, order).astype(real(dtype)), real(dtype))
    assert linalg.cond(opwright.zeros(2, 0, 0), order).tolist() == [0.0, 0.0]
    if order in (None, 2, -2):
        a = numbers(rng, dtype, (2, 4, 3))
        found = linalg.cond(opwright.from_numpy(a), order)
        assert_close(found, np.linalg.cond(a, order).astype(real(dtype)), real(dtype))
    elif not isinstance(order, str) or order == "fro":
        assert linalg.cond(opwright.ones(2, 2), order).item() == np.inf


DRIVERS = [None, "gels", "gelsy", "gelsd", "gelss"]


@pytest.mark.parametrize("driver", DRIVERS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_least_squares(dtype: str, driver: str | None, rng: np.random.Generator) -> None:
    for shape in [(3, 3), (6, 3), (3, 6), (40, 20), (1, 1)]:
        for a in (numbers(rng, dtype, shape), low_rank(rng, dtype, shape)):
            b = numbers(rng, dtype, (shape[0], 2))
            rcond = max(shape) * np.finfo(dtype).eps
            x, residuals, rank, values = np.linalg.lstsq(a, b, rcond)
            found = linalg.lstsq(opwright.from_numpy(a), opwright.from_numpy(b), driver=driver)
            assert_close(found.solution, x, dtype)
            assert_close(found.residuals, residuals, real(dtype))
            assert found.rank.dtype == opwright.int64
            assert found.rank.tolist() == ([] if driver == "gels" else rank)
            is_known = driver in ("gelsd", "gelss")
            assert_close(found.singular_values, values if is_known else [], real(dtype))
            vector = linalg.lstsq(opwright.from_numpy(a), opwright.from_numpy(b[:, 0].copy()))
            assert_close(vector.solution, x[:, 0], dtype)


def test_batches_of_least_squares(rng: np.random.Generator) -> None:
    a, b = numbers(rng, "float64", (2, 5, 3)), numbers(rng, "float64", (2, 5, 4))
    x, y = opwright.from_numpy(a), opwright.from_numpy(b)
    expected = np.linalg.pinv(a) @ b
    found = linalg.lstsq(x, y, driver="gelsd")
    assert_close(found.solution, expected, "float64")
    assert_close(found.residuals, ((a @ expected - b) ** 2).sum(-2), "float64")
    assert found.rank.tolist() == [3, 3]
    assert tuple(found.singular_values.shape) == (2, 3)
    assert_close(linalg.lstsq(x, y[:1]).solution, np.linalg.pinv(a) @ b[:1], "float64")
    vectors = linalg.lstsq(x, y[..., 0]).solution
    assert_close(vectors, expected[..., 0], "float64")
    x[1] = 0
    mixed = linalg.lstsq(x, y)
    assert mixed.rank.tolist() == [3, 0]
    assert mixed.residuals.numel() == 0
    assert mixed.solution[1].count_nonzero().item() == 0
    assert linalg.lstsq(opwright.eye(2), opwright.ones(2), 2.0).rank.item() == 0
    for shape in EMPTY:
        solution, _, rank, _ = linalg.lstsq(opwright.ones(shape), opwright.ones(*shape[:-1], 2))
        assert tuple(solution.shape) == (*shape[:-2], shape[-1], 2)
        assert solution.count_nonzero().item() == 0
        assert tuple(rank.shape) == shape[:-2]


@pytest.mark.parametrize("shape", SIZES)
@pytest.mark.parametrize("dtype", DTYPES)
def test_solutions_with_factors(
    dtype: str, shape: tuple[int, ...], rng: np.random.Generator
) -> None:
    a, x = matrices(rng, dtype, shape)
    b, y = matrices(rng, dtype, (*shape[:-1], 2))
    factors, pivots = linalg.lu_factor(x)
    for adj in (False, True):
        m = adjoint(a) if adj else a
        found = linalg.lu_solve(factors, pivots, y, adjoint=adj)
        assert_close(opwright.from_numpy(np.asarray(m @ found.numpy())), b, dtype)
        right = b.swapaxes(-1, -2)
        found = linalg.lu_solve(factors, pivots, y.transpose(-2, -1), left=False, adjoint=adj)
        assert_close(opwright.from_numpy(np.asarray(found.numpy() @ m)), right, dtype)
    assert opwright.equal(y.lu_solve(factors, pivots), linalg.lu_solve(factors, pivots, y))
    sizes = [factors.to("meta"), pivots.to("meta"), y.to("meta")]
    assert tuple(linalg.lu_solve(*sizes).shape) == b.shape


def test_batches_of_solutions_with_factors(rng: np.random.Generator) -> None:
    a, x = matrices(rng, "float64", (5, 1, 3, 3))
    b = numbers(rng, "float64", (2, 3, 2))
    found = linalg.lu_solve(*linalg.lu_factor(x), opwright.from_numpy(b))
    assert_close(found, np.linalg.solve(a, b), "float64")


ERRORS: list[tuple[Callable[[Any], Any], str]] = [
    (linalg.inv, "A must be batches of square matrices, but they are 2 by 3"),
    (lambda t: linalg.inv(t[0]), "must have at least 2 dimensions"),
    (lambda t: linalg.det(t[:, :2].int()), "Expected a floating point or complex tensor.*Int"),
    (lambda t: linalg.det(t[:, :2].half()), "Low precision dtypes not supported"),
    (lambda t: linalg.inv(opwright.zeros(2, 2)), "diagonal element 1 is zero"),
    (lambda t: linalg.solve(opwright.ones(2, 2), t), "input matrix is singular"),
    (lambda t: linalg.solve(opwright.eye(3), t), "Incompatible shapes"),
    (lambda t: linalg.solve(opwright.eye(2), t.double()), "to have the same dtype"),
    (lambda t: linalg.cholesky(-opwright.eye(2)), "leading minor of order 1"),
    (lambda t: linalg.qr(t, "full"), "unrecognized mode 'full'"),
    (lambda t: linalg.eigh(opwright.eye(2), "X"), "UPLO"),
    (lambda t: linalg.eigh(opwright.eye(2) * float("nan")), "failed to converge"),
    (lambda t: linalg.svd(t * float("inf")), "non-finite"),
    (lambda t: linalg.svd(t, driver="gesvd"), "only supported on CUDA"),
    (lambda t: linalg.lu(t, pivot=False), "without pivoting is not implemented on the CPU"),
    (lambda t: linalg.lu_factor_ex(t * 0, check_errors=True), r"U\[1,1\] is zero"),
    (lambda t: linalg.solve_triangular(t, t, upper=True), "square matrices"),
    (lambda t: linalg.solve_triangular(opwright.eye(3), t, upper=True), "Incompatible shapes"),
    (lambda t: linalg.solve_triangular(opwright.eye(2), t[0], upper=True), "at least 2 dimensions"),
    (lambda t: linalg.solve_triangular(opwright.eye(2), t.double(), upper=True), "same dtype"),
    (linalg.eig, "A must be batches of square matrices, but they are 2 by 3"),
    (lambda t: linalg.eigvals(t[:, :2].int()), "Expected a floating point or complex tensor"),
    (lambda t: linalg.eig(opwright.eye(2) * float("nan")), "failed to converge"),
    (lambda t: linalg.pinv(t[0]), "must have at least 2 dimensions"),
    (lambda t: linalg.pinv(t.half()), "Low precision dtypes not supported"),
    (lambda t: linalg.pinv(t, hermitian=True), "square matrices"),
    (lambda t: linalg.pinv(t, atol=opwright.tensor(1j)), "complex type is not supported"),
    (lambda t: linalg.matrix_rank(t.int()), "Expected a floating point or complex tensor"),
    (lambda t: linalg.matrix_rank(t[0]), "must have at least 2 dimensions"),
    (lambda t: linalg.cond(t, 1), "square matrices"),
    (lambda t: linalg.cond(t, "fro"), "square matrices"),
    (lambda t: linalg.cond(t, 3), "invalid norm type: 3"),
    (lambda t: linalg.cond(t, "two"), "invalid norm type: two"),
    (lambda t: linalg.lstsq(t, t, driver="qr"), "one of"),
    (lambda t: linalg.lstsq(t, t.double()), "to have the same dtype"),
    (lambda t: linalg.lstsq(t, t[:1]), "should match"),
    (lambda t: linalg.lstsq(t, t[None]), "must be greater or equal"),
    (lambda t: linalg.lu_solve(t, opwright.ones(2).int(), t), "square matrices"),
    (lambda t: linalg.lu_solve(opwright.eye(2), opwright.ones(2), t), "int32"),
    (lambda t: linalg.lu_solve(opwright.eye(2), opwright.ones(3).int(), t), "Number of pivots"),
    (lambda t: linalg.lu_solve(opwright.eye(2), opwright.zeros(2).int(), t), "from 1 to 2"),
    (lambda t: linalg.lu_solve(opwright.eye(3), opwright.ones(3).int(), t), "Incompatible"),
    (lambda t: linalg.matrix_norm(t, 3), "not supported"),
    (lambda t: linalg.matrix_norm(t, dim=(0, 0)), "dims must be different"),
    (lambda t: linalg.norm(t[None], 2), "dim must be of length 1 or 2"),
    (lambda t: linalg.vector_norm(t.int()), "Expected a floating point"),
    (lambda t: linalg.multi_dot([t]), "at least 2 tensors"),
    (lambda t: linalg.multi_dot([t, t]), "cannot be multiplied"),
    (lambda t: linalg.cross(t, t[:, :2]), "must have length 3"),
    (lambda t: linalg.matrix_power(t, 2), "square matrices"),
]


@pytest.mark.parametrize("index", range(len(ERRORS)))
def test_errors(index: int) -> None:
    call, message = ERRORS[index]
    with pytest.raises(RuntimeError, match=message):
        call(opwright.arange(6.0).reshape(2, 3))
