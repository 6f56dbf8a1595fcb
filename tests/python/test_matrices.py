"""Products of vectors and matrices, with numpy as the oracle."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import opwright
import pytest
from dtypes import COMPLEX, FLOATS, INTEGERS
from layouts import Array, dtype_of, numbers

NUMBERS = [*INTEGERS, *FLOATS, *COMPLEX]

TOLERANCES = {"float16": 1e-2, "float32": 1e-5, "complex64": 1e-5}

Turn = Callable[[Array], Array]

# How the last two dimensions may lie in memory; each keeps the shape.
TURNS: dict[str, Turn] = {
    "contiguous": lambda a: a,
    "transposed": lambda a: a.swapaxes(-1, -2).copy().swapaxes(-1, -2),
    "stepped": lambda a: a.repeat(2, axis=-1)[..., ::2],
    "reversed": lambda a: a[..., ::-1, ::-1].copy()[..., ::-1, ::-1],
}


def matrix(rng: np.random.Generator, dtype: str, shape: tuple[int, ...], turn: str) -> Any:
    """An array and a tensor over the same memory."""
    array = numbers(rng, dtype, shape)
    array = TURNS[turn](array) if array.ndim > 1 else array
    return array, opwright.from_numpy(array)


def product(a: Array, b: Array) -> Any:
    """The product in the dtype of the factors; half precision is rounded at the end."""
    if a.dtype == np.float16:
        return np.matmul(a.astype("f4"), b.astype("f4")).astype("f2")
    return np.matmul(a, b)


def wide(array: Array) -> Array:
    """With more digits, and room for larger numbers."""
    return array.astype({"c": "c16", "f": "f8"}.get(array.dtype.kind, "i8"))


def assert_close(actual: Any, expected: Any, dtype: str) -> None:
    assert (tuple(actual.shape), dtype_of(actual)) == (np.shape(expected), dtype)
    tolerance = TOLERANCES.get(dtype, 1e-12)
    np.testing.assert_allclose(actual.numpy(), expected, rtol=tolerance, atol=10 * tolerance)


SHAPES = [
    ((2, 3), (3, 4)),
    ((1, 5), (5, 1)),
    ((7, 1), (1, 6)),
    ((0, 3), (3, 2)),
    ((2, 0), (0, 2)),
    ((33, 70), (70, 45)),
]


@pytest.mark.parametrize("shapes", SHAPES)
@pytest.mark.parametrize("right", TURNS)
@pytest.mark.parametrize("left", TURNS)
def test_mm(left: str, right: str, shapes: Any, rng: np.random.Generator) -> None:
    for dtype in NUMBERS:
        (a, x), (b, y) = (
            matrix(rng, dtype, shape, turn)
            for shape, turn in zip(shapes, (left, right), strict=True)
        )
        for call in [opwright.mm, opwright.matmul, lambda x, y: x @ y]:
            assert_close(call(x, y), product(a, b), dtype)
        assert_close(x @ y[:, 0], product(a, b[:, 0]), dtype)
        assert_close(x.t().t().mv(y[:, -1]), product(a, b[:, -1]), dtype)
        if len(a):
            assert_close(x[0] @ y, product(a[0], b), dtype)
            assert_close(opwright.dot(x[0], y[:, 0]), product(a[0], b[:, 0]), dtype)


BATCHES = [
    ((2, 3, 4), (2, 4, 5)),
    ((3, 4), (2, 4, 5)),
    ((2, 3, 4), (4, 5)),
    ((2, 1, 3, 4), (5, 4, 2)),
    ((2, 3, 4), (4,)),
    ((4,), (2, 4, 3)),
    ((0, 3, 4), (4, 2)),
    ((2, 3, 0), (0, 2)),
    ((3, 0, 4), (3, 4, 2)),
    ((40, 20, 30), (40, 30, 10)),
]


@pytest.mark.parametrize("shapes", BATCHES)
@pytest.mark.parametrize("turn", TURNS)
def test_batches(turn: str, shapes: Any, rng: np.random.Generator) -> None:
    for dtype in ["int32", "float16", "float32", "complex128"]:
        (a, x), (b, y) = (matrix(rng, dtype, shape, turn) for shape in shapes)
        expected = product(a, b)
        assert_close(x @ y, expected, dtype)
        if a.ndim == b.ndim == 3 and len(a) == len(b):
            assert_close(opwright.bmm(x, y), expected, dtype)
        out = opwright.empty(0, dtype=x.dtype)
        assert opwright.matmul(x, y, out=out) is out
        assert_close(out, expected, dtype)
        meta = [opwright.empty(it.shape, dtype=x.dtype, device="meta") for it in (a, b)]
        assert tuple((meta[0] @ meta[1]).shape) == expected.shape


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "int64", "float16"])
def test_large_products_are_shared_among_threads(dtype: str, rng: np.random.Generator) -> None:
    for shapes in [((300, 200), (200, 250)), ((20, 400), (400, 900)), ((700, 300), (300,))]:
        a, b = (numbers(rng, dtype, shape) for shape in shapes)
        actual = opwright.from_numpy(a) @ opwright.from_numpy(b)
        expected = product(a, b)
        scale = 1e-3 if dtype in TOLERANCES else 1e-10
        np.testing.assert_allclose(actual.numpy(), expected, rtol=scale, atol=100 * scale)


# With pieces that are cut along rows, columns and inner elements.
CUT = [
    ((300, 600), (600, 250)),
    ((20, 1500), (1500, 900)),
    ((1200, 40), (40, 33)),
    ((99, 700), (700,)),
]


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128", "int64"])
def test_bits_do_not_hang_on_the_number_of_threads(dtype: str, rng: np.random.Generator) -> None:
    before = opwright.get_num_threads()
    try:
        for shapes in CUT:
            arrays = [numbers(rng, dtype, shape) for shape in shapes]
            for turn in TURNS.values():
                x, y = (opwright.from_numpy(turn(it) if it.ndim > 1 else it) for it in arrays)
                found = []
                for threads in (1, 2, 3, 8):
                    opwright.set_num_threads(threads)
                    found.append((x @ y).numpy().tobytes())
                assert len(set(found)) == 1, shapes
    finally:
        opwright.set_num_threads(before)


@pytest.mark.parametrize("dtype", ["float16", "float32", "complex128", "int32"])
def test_products_replace_what_was_there(dtype: str, rng: np.random.Generator) -> None:
    for shapes in [
        ((3, 4), (4, 5)),
        ((3, 1), (1, 5)),
        ((3, 4), (4, 1)),
        ((1, 4), (4, 5)),
        ((30, 40), (40, 50)),
    ]:
        a, b = (numbers(rng, dtype, shape) for shape in shapes)
        expected = product(a, b)
        for turn in TURNS.values():
            there = turn(np.full(expected.shape, np.nan if dtype != "int32" else 7).astype(dtype))
            out = opwright.from_numpy(there)
            opwright.mm(opwright.from_numpy(a), opwright.from_numpy(b), out=out)
            assert_close(out, expected, dtype)
            np.testing.assert_array_equal(out.numpy(), there)


SUMS: dict[str, tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]] = {
    "addmm": ((2, 4), (2, 3), (3, 4)),
    "addmv": ((2,), (2, 3), (3,)),
    "baddbmm": ((5, 2, 4), (5, 2, 3), (5, 3, 4)),
    "addbmm": ((2, 4), (5, 2, 3), (5, 3, 4)),
}


@pytest.mark.parametrize("name", SUMS)
def test_added_products(name: str, rng: np.random.Generator) -> None:
    for dtype in NUMBERS:
        arrays = [numbers(rng, dtype, shape) for shape in SUMS[name]]
        start, a, b = arrays
        added = product(a, b)
        if name == "addbmm":
            added = added.sum(0, dtype=dtype)
        tensors = [opwright.from_numpy(array) for array in arrays]
        call = getattr(opwright, name)
        assert_close(call(*tensors), start + added, dtype)
        expected = (2 * wide(start) + 3 * wide(added)).astype(dtype)
        assert_close(call(*tensors, beta=2, alpha=3), expected, dtype)
        broken = tensors[0] * 0
        if dtype in FLOATS:
            broken = broken + float("nan")
        assert_close(call(broken, *tensors[1:], beta=0), added, dtype)
        # One number stretches to the shape of the product.
        stretched = call(tensors[0][:1].reshape(-1)[:1], *tensors[1:])
        assert_close(stretched, start.reshape(-1)[0] + added, dtype)
        changed = tensors[0].clone()
        assert getattr(changed, f"{name}_")(*tensors[1:]) is changed
        assert_close(changed, start + added, dtype)


def test_outputs_that_are_inputs(rng: np.random.Generator) -> None:
    a = rng.normal(size=(4, 4))
    x = opwright.from_numpy(a.copy())
    opwright.mm(x, x.t(), out=x)
    np.testing.assert_allclose(x, a @ a.T)
    x = opwright.from_numpy(a.copy())
    x.addmm_(x, x)
    np.testing.assert_allclose(x, a + a @ a)
    out = opwright.zeros(4, 8, dtype=opwright.float64)
    opwright.mm(x, x, out=out[:, ::2])
    np.testing.assert_allclose(out[:, ::2], x.numpy() @ x.numpy())


def test_vectors(rng: np.random.Generator) -> None:
    for dtype in NUMBERS:
        a, b = numbers(rng, dtype, (2000,)), numbers(rng, dtype, (2000,))
        x, y = opwright.from_numpy(a), opwright.from_numpy(b)
        if dtype != "float16":
            scale = 2000 * TOLERANCES.get(dtype, 1e-12)
            np.testing.assert_allclose(opwright.dot(x, y), np.dot(a, b), rtol=1e-5, atol=scale)
            np.testing.assert_allclose(opwright.vdot(x, y), np.vdot(a, b), rtol=1e-5, atol=scale)
        assert_close(opwright.outer(x[:5], y[:3]), np.outer(a[:5], b[:3]), dtype)
        assert_close(opwright.ger(x[:2], y[:3]), np.outer(a[:2], b[:3]), dtype)
    a, b = rng.normal(size=(2, 3, 4)), rng.normal(size=(5, 4))
    x, y = opwright.from_numpy(a), opwright.from_numpy(b)
    assert_close(opwright.inner(x, y), np.inner(a, b), "float64")
    assert_close(opwright.inner(x, opwright.tensor(2.0)), 2 * a, "float64")


def test_contractions(rng: np.random.Generator) -> None:
    a, b = rng.normal(size=(2, 3, 4)), rng.normal(size=(4, 5, 3))
    x, y = opwright.from_numpy(a), opwright.from_numpy(b)
    for dims in [([1], [2]), ([1, 2], [2, 0]), ([-1], [0])]:
        assert_close(opwright.tensordot(x, y, dims), np.tensordot(a, b, dims), "float64")
    row = opwright.from_numpy(b[:, :, :1])
    assert_close(
        opwright._C.tensordot(x, row, [1], [2]),
        np.einsum("ijk,lmn->iklm", a, b[:, :, :1]),
        "float64",
    )
    for shapes in [((2, 3), (4, 5)), ((3,), (2, 2)), ((2, 1, 2), (3,))]:
        a, b = (rng.normal(size=shape) for shape in shapes)
        assert_close(
            opwright.kron(opwright.from_numpy(a), opwright.from_numpy(b)), np.kron(a, b), "float64"
        )


@pytest.mark.parametrize("name", ["tril", "triu"])
def test_triangles(name: str, rng: np.random.Generator) -> None:
    oracle = getattr(np, name)
    for dtype in ["bool", *NUMBERS]:
        for shape in [(4, 4), (3, 5), (5, 3), (2, 3, 4), (0, 3)]:
            array, tensor = matrix(rng, dtype, shape, "transposed")
            for diagonal in [0, 1, -1, 3, -9, 9]:
                expected = oracle(array, diagonal)
                assert_close(getattr(opwright, name)(tensor, diagonal), expected, dtype)
                changed = tensor.clone()
                getattr(changed, f"{name}_")(diagonal)
                np.testing.assert_array_equal(changed, expected)
    extreme = getattr(opwright, name)(opwright.ones(2, 2), 2**63 - 1)
    assert extreme.sum().item() == (4 if name == "tril" else 0)


def test_trace() -> None:
    assert opwright.trace(opwright.arange(6).reshape(2, 3)).item() == 4
    assert opwright.trace(opwright.ones(3, 2)).item() == 2.0


def test_products_to_other_dtypes(rng: np.random.Generator) -> None:
    a, b = (numbers(rng, "float16", shape) for shape in [(2, 3), (3, 4)])
    x, y = opwright.from_numpy(a), opwright.from_numpy(b)
    expected = a.astype("f4") @ b.astype("f4")
    assert_close(opwright.mm(x, y, opwright.float32), expected, "float32")
    start = opwright.ones(4, dtype=opwright.float16)
    assert_close(opwright.addmm(start, x, y, opwright.float32), 1 + expected, "float32")
    with pytest.raises(RuntimeError, match="out_dtype must be the same"):
        opwright.mm(x, y, opwright.float64)


EQUATIONS: list[tuple[str, list[tuple[int, ...]]]] = [
    ("ij->ji", [(2, 3)]),
    ("ij", [(2, 3)]),
    ("ba", [(2, 3)]),
    ("ii->i", [(3, 3)]),
    ("ii", [(3, 3)]),
    ("iij->j", [(3, 3, 2)]),
    ("ij->", [(2, 3)]),
    ("i,j->ij", [(2,), (3,)]),
    ("ij,jk->ik", [(2, 3), (3, 4)]),
    ("ij,jk", [(2, 3), (3, 4)]),
    ("bij,bjk->bik", [(5, 2, 3), (5, 3, 4)]),
    ("bij,jk->bki", [(5, 2, 3), (3, 4)]),
    ("ij,ij->", [(2, 3), (2, 3)]),
    ("ij,kl->jk", [(2, 3), (4, 5)]),
    ("ij,jk,kl->il", [(2, 3), (3, 4), (4, 5)]),
    ("ijk,jil,l->k", [(2, 3, 4), (3, 2, 5), (5,)]),
    ("...ij,...jk->...ik", [(5, 2, 3), (3, 4)]),
    ("...i,i->...", [(4, 5, 3), (3,)]),
    ("i...,i->...", [(3, 4, 5), (3,)]),
    ("...,...", [(4, 1), (3,)]),
    ("aB,Bc", [(2, 3), (3, 4)]),
    ("ij,jk->ik", [(2, 1), (3, 4)]),
]


@pytest.mark.parametrize(("equation", "shapes"), EQUATIONS)
def test_einsum(equation: str, shapes: list[tuple[int, ...]], rng: np.random.Generator) -> None:
    for dtype in ["int64", "float64", "complex128"]:
        arrays = [numbers(rng, dtype, shape) for shape in shapes]
        tensors = [opwright.from_numpy(array) for array in arrays]
        expected = np.einsum(equation, *arrays)
        assert_close(opwright.einsum(equation, tensors), expected, dtype)
        if len(arrays) == 3:
            assert_close(opwright.einsum(equation, tensors, path=(1, 2, 0, 1)), expected, dtype)


EINSUM_ERRORS: list[tuple[str, int, type[Exception], str]] = [
    ("ij,j->", 1, RuntimeError, "fewer operands were provided than specified"),
    ("ij", 2, RuntimeError, "more operands were provided than specified"),
    ("ijk", 1, RuntimeError, "does not match the number of dimensions"),
    ("ij...k", 1, RuntimeError, "is more than the number of dimensions"),
    ("i1", 1, RuntimeError, "invalid subscript given at '1'"),
    ("ij->ii", 1, RuntimeError, "appears more than once"),
    ("ij->k", 1, RuntimeError, "does not appear"),
    ("ii", 1, RuntimeError, "the sizes don't match, 2 != 3"),
    ("ij,ji->", 2, RuntimeError, "does not broadcast"),
]


@pytest.mark.parametrize(("equation", "count", "kind", "message"), EINSUM_ERRORS)
def test_einsum_errors(equation: str, count: int, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        opwright.einsum(equation, [opwright.ones(2, 3)] * count)


COMPUTE_MODES = [
    "use_mm_for_euclid_dist_if_necessary",
    "use_mm_for_euclid_dist",
    "donot_use_mm_for_euclid_dist",
]


def test_a_compute_mode_of_another_name_is_refused() -> None:
    x = opwright.ones(2, 2)
    assert opwright.cdist(x, x, compute_mode=COMPUTE_MODES[1]).tolist() == [[0, 0], [0, 0]]
    with pytest.raises(ValueError, match="'by_hand' is not a valid value for compute_mode"):
        opwright.cdist(x, x, 2.0, "by_hand")
    with pytest.raises(ValueError, match="1 is not a valid value for compute_mode"):
        opwright.cdist(x, x, 2.0, 1)  # type: ignore[arg-type]


@pytest.mark.parametrize("p", [0.0, 1.0, 1.5, 2.0, float("inf")])
def test_distances(p: float, rng: np.random.Generator) -> None:
    for a_shape, b_shape in [
        ((4, 3), (5, 3)),
        ((2, 4, 3), (5, 3)),
        ((30, 3), (40, 3)),
        ((2, 0), (3, 0)),
    ]:
        a, b = (rng.normal(size=shape) for shape in (a_shape, b_shape))
        differences = np.abs(a[..., :, None, :] - b[..., None, :, :])
        if p == 0:
            expected = np.sum(differences != 0, -1).astype("f8")
        elif p == float("inf"):
            expected = np.max(differences, -1, initial=0)
        else:
            expected = np.sum(differences**p, -1) ** (1 / p)
        for mode in [None, 1, 2, *COMPUTE_MODES]:
            x, y = opwright.from_numpy(a), opwright.from_numpy(b)
            call = opwright.cdist if isinstance(mode, str) else opwright._C.cdist
            found = call(x, y, p, mode)
            np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-7)


ERRORS: list[tuple[Callable[[Any], Any], type[Exception], str]] = [
    (lambda t: opwright.mm(t, t), RuntimeError, r"cannot be multiplied \(2x3 and 2x3\)"),
    (lambda t: opwright.mm(t[0], t), RuntimeError, "both factors must be a matrix"),
    (lambda t: opwright.mm(t, t[0]), RuntimeError, "both factors must be a matrix"),
    (lambda t: t @ t.t().double(), RuntimeError, "must have the same dtype"),
    (lambda t: t.bool() @ t.t().bool(), NotImplementedError, "not implemented for 'Bool'"),
    (lambda t: opwright.bmm(t, t), RuntimeError, "both factors must have 3 dimensions"),
    (lambda t: t[None] @ t[None], RuntimeError, "1x2x3 and 1x2x3"),
    (lambda t: t @ opwright.tensor(1.0), RuntimeError, "at least 1D, but they are 2D and 0D"),
    (
        lambda t: opwright.mv(t, t[:, 0]),
        RuntimeError,
        "size mismatch: a matrix of 2x3 and a vector of 2",
    ),
    (lambda t: opwright.dot(t, t), RuntimeError, "1D tensors expected"),
    (lambda t: opwright.dot(t[0], t[:, 0]), RuntimeError, "inconsistent sizes"),
    (lambda t: opwright.outer(t, t[0]), RuntimeError, "1D tensors expected, but got 2D and 1D"),
    (lambda t: opwright.addmm(t, t, t.t()), RuntimeError, "must match the existing size"),
    (lambda t: opwright.addmm(t.int(), t, t.t()), RuntimeError, "must have its dtype"),
    (
        lambda t: opwright.addmm(t.int()[:, :2], t.int(), t.int().t(), alpha=1.5),
        RuntimeError,
        "argument alpha must not be a floating point number",
    ),
    (lambda t: opwright.tril(t[0]), RuntimeError, "at least 2 dimensions"),
    (
        lambda t: opwright.tensordot(t, t, ([0], [1])),
        RuntimeError,
        "contracted dimensions need to match",
    ),
    (
        lambda t: opwright.mm(t, t.t(), out=t.int()),
        RuntimeError,
        "Expected out tensor to have dtype",
    ),
]


@pytest.mark.parametrize("index", range(len(ERRORS)))
def test_errors(index: int) -> None:
    call, kind, message = ERRORS[index]
    with pytest.raises(kind, match=message):
        call(opwright.arange(6.0).reshape(2, 3))
