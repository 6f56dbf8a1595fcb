"""Operators over dask arrays of tensors, in one process."""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import opwright
import pytest
import twin
from hypothesis import given, settings
from hypothesis import strategies as st
from opwright import Tensor, ops

dask = pytest.importorskip("dask", reason="dask is not installed")
da = pytest.importorskip("dask.array", reason="dask's arrays are not installed")

import opwright.dask  # noqa: E402
from chunks import NUMBERS, assert_equal, assert_same, chunked  # noqa: E402
from dask.array import dispatch  # noqa: E402
from opwright.dask._accumulators import ACCUMULATORS  # noqa: E402

SIZES = st.lists(st.integers(1, 4), min_size=1, max_size=4).map(tuple)


@pytest.fixture(autouse=True)
def scheduler(request: pytest.FixtureRequest) -> Iterator[None]:
    with dask.config.set(scheduler=getattr(request, "param", "synchronous")):
        yield


@given(st.data())
@settings(max_examples=8, deadline=None)
def test_pointwise_operators_are_broadcast(data: st.DataObject) -> None:
    rows, columns = data.draw(SIZES), data.draw(SIZES)
    left = np.linspace(-2, 2, sum(rows) * sum(columns)).reshape(sum(rows), sum(columns))
    right = np.linspace(1, 2, sum(columns))
    x, y = chunked(left, (rows, columns)), chunked(right, (columns,))
    a, b = opwright.tensor(left), opwright.tensor(right)
    for found, expected in (
        (opwright.dask.map(ops.add, x, y, alpha=2), ops.add(a, b, alpha=2)),
        (opwright.dask.map(ops.atan2.default, y, x), ops.atan2(b, a)),
        (opwright.dask.map(ops.clamp, x, min=0.0), ops.clamp(a, min=0.0)),
        (opwright.dask.map(opwright.lerp, x, b, 0.25), opwright.lerp(a, b, 0.25)),
        (opwright.dask.map(ops.frexp, x), ops.frexp(a)),
    ):
        assert_same(found, expected)


def test_every_pointwise_operator_of_one_tensor() -> None:
    x, tensor = chunked(NUMBERS / 4 + 0.5), opwright.tensor(NUMBERS / 4 + 0.5)
    found, expected = [], []
    for name in dir(ops):
        operator = getattr(ops, name)
        for overload in operator.overloads if isinstance(operator, ops.Operator) else ():
            row = getattr(getattr(ops, name), overload)
            if "pointwise" not in row.tags or row.mutates:
                continue
            try:
                result = row(tensor)
            except (TypeError, RuntimeError, NotImplementedError):
                continue
            # What operators of Python return of arguments that they do not take.
            if result is NotImplemented:
                continue
            expected.append(result)
            found.append(opwright.dask.map(row, x))
    assert len(found) > 80
    for promised, computed, other in zip(found, dask.compute(*found), expected, strict=True):
        if isinstance(other, tuple):
            for it in zip(promised, computed, other, strict=True):
                assert_equal(*it)
        else:
            assert_equal(promised, computed, other)


def reductions() -> list[Any]:
    """The overloads that reduce along `dim`, and those that reduce all."""
    found = []
    for name in sorted(ACCUMULATORS):
        for overload in getattr(ops, name).overloads:
            row = getattr(getattr(ops, name), overload)
            takes = row.__signature__.parameters
            tensors = [it for it in takes.values() if it.annotation.startswith("Tensor")]
            if not row.mutates and len(tensors) == 1 and "Dimname" not in row.schema:
                found.append(row)
    return found


def calls(row: Any, ndim: int) -> Iterator[dict[str, Any]]:
    """Arguments by name: each dimension, several and all, kept and not."""
    takes = row.__signature__.parameters
    needed = {"p": 2.0, "dtype": opwright.float64}
    given = {
        it: needed[it] for it in needed if it in takes and takes[it].default is takes[it].empty
    }
    if "dim" not in takes:
        yield given
        return
    is_list = "[" in takes["dim"].annotation
    dims: list[Any] = [[0], [-1], list(range(ndim))] if is_list else [0, -1]
    if "?" in takes["dim"].annotation:
        dims.append(None)
    for dim in dims:
        for keepdim in (False, True):
            yield {**given, "dim": dim, **({"keepdim": keepdim} if "keepdim" in takes else {})}


@pytest.mark.parametrize("row", reductions(), ids=lambda it: it.name)
def test_partial_results_are_merged(row: Any) -> None:
    values = NUMBERS.round(1)
    for kept in calls(row, 2):
        expected = row(opwright.tensor(values), **kept)
        found = opwright.dask.map(row, chunked(values, (2, 3)), **kept)
        assert_same(found, expected)
        assert_same(opwright.dask.map(row, chunked(values, -1), **kept), expected)


@given(st.data())
@settings(max_examples=8, deadline=None)
def test_reductions_however_chunks_lie(data: st.DataObject) -> None:
    rows, columns = data.draw(SIZES), data.draw(SIZES)
    shape = (sum(rows), sum(columns))
    # Few values, so that there are equals; and what is not a number.
    values = st.sampled_from([-1.0, 0.0, 0.0, 2.0, 2.0, math.inf, math.nan])
    count = shape[0] * shape[1]
    drawn = data.draw(st.lists(values, min_size=count, max_size=count))
    tensor = opwright.tensor(drawn, dtype=opwright.float64).reshape(shape)
    x = da.from_array(tensor, chunks=(rows, columns), asarray=False)
    every = data.draw(st.integers(2, 4))
    for op in (ops.argmax, ops.argmin, ops.max, ops.min):
        assert_same(opwright.dask.map(op, x, split_every=every), op(tensor))
        for dim in (0, 1):
            assert_same(opwright.dask.map(op, x, dim, split_every=every), op(tensor, dim))
    for op in (ops.logsumexp, ops.amax, ops.nansum, ops.count_nonzero):
        assert_same(opwright.dask.map(op, x, [0, 1], split_every=every), op(tensor, [0, 1]))


def test_chunks_without_elements() -> None:
    tensor = opwright.tensor(NUMBERS)
    x = da.concatenate([chunked()[:0], chunked()[:2], chunked()[:0], chunked()[2:]])
    for op, arguments in (
        (ops.amax, ([0],)),
        (ops.argmin, (0,)),
        (ops.mean, ([0],)),
        (ops.std, ([0],)),
        (ops.prod, (0,)),
    ):
        assert_same(opwright.dask.map(op, x, *arguments), op(tensor, *arguments))


def test_variances_keep_their_digits() -> None:
    values = np.random.default_rng(1).standard_normal(1000) + 1e9
    found = opwright.dask.map(ops.var, chunked(values, 37)).compute().item()
    assert found == pytest.approx(np.var(values - 1e9, ddof=1), rel=1e-6)


@pytest.mark.parametrize("dtype", [opwright.float16, opwright.bfloat16])
def test_sums_of_narrow_dtypes_are_wide(dtype: opwright.dtype) -> None:
    """Each chunk has more than `float16` holds, or than `bfloat16` has digits for."""
    x = chunked(np.full(4000, 32.0), 1000).map_blocks(lambda it: it.to(dtype))
    assert opwright.dask.map(ops.mean, x).compute().item() == 32
    assert opwright.dask.map(ops.logsumexp, x, [0]).compute().item() == pytest.approx(40.3, 1e-2)


@pytest.mark.parametrize(
    ("op", "arguments"),
    [
        (ops.softmax, (0,)),
        (ops.cumsum, (0,)),
        (ops.sort, (0,)),
        (ops.topk, (2, 0)),
        (ops.median, (0,)),
        (ops.quantile, (0.5, 0)),
        (ops.fft_rfft, (None, 0)),
        (ops.diff, (1, 0)),
        (ops.glu, (0,)),
    ],
)
def test_operators_along_a_dimension(op: Any, arguments: tuple[Any, ...]) -> None:
    expected = op(opwright.tensor(NUMBERS), *arguments)
    assert_same(opwright.dask.map(op, chunked(chunks=(6, 3)), *arguments), expected)
    with pytest.raises(ValueError, match=r"dimension 0, which has several.*rechunk\(\{0: -1\}\)"):
        opwright.dask.map(op, chunked(), *arguments)


def test_one_chunk_in_one_task() -> None:
    square = NUMBERS[:6, :6]
    assert_same(
        opwright.dask.map(ops.matmul, chunked(square, -1), chunked(square, -1)),
        opwright.tensor(square @ square),
    )
    assert_same(opwright.dask.map(ops.det, chunked(square, -1)), opwright.tensor(square).det())
    with pytest.raises(ValueError, match=r"no rule by which `det` could run on chunks.*rechunk"):
        opwright.dask.map(ops.det, chunked(square, 3))
    # Its `dim` is the one that it keeps apart.
    with pytest.raises(ValueError, match="no rule by which `renorm`"):
        opwright.dask.map(ops.renorm, chunked(chunks=(6, 3)), 2, 0, 1.0)


def test_products_block_by_block() -> None:
    x, tensor = chunked(), opwright.tensor(NUMBERS)
    assert_same(opwright.dask.map(ops.matmul, x, x.T), tensor @ tensor.T)
    assert_same(opwright.dask.map(ops.mm, x, tensor.T), tensor @ tensor.T)
    assert_same(opwright.dask.map(ops.mv, tensor, x[0]), tensor @ tensor[0])
    batches = da.stack([x, x])
    assert_same(
        opwright.dask.map(ops.bmm, batches, batches.transpose(0, 2, 1)),
        opwright.stack([tensor @ tensor.T] * 2),
    )


def test_nothing_runs_while_a_graph_is_built() -> None:
    runs = []

    def load(block_info: Any = None) -> Tensor:
        runs.append(block_info)
        return opwright.ones(1 << 19, 1 << 19)

    size = 1 << 19
    x = da.map_blocks(
        load, chunks=((size,) * 4, (size,)), dtype="float32", meta=opwright.empty(0, 0)
    )
    for built in (
        opwright.dask.map(ops.logsumexp, x, [1]),
        opwright.dask.map(ops.argmax, x),
        opwright.dask.map(ops.softmax, x, 1),
        *opwright.dask.map(ops.var_mean, x, [0]),
    ):
        assert built.dtype in (opwright.float32, opwright.int64)
    assert not runs


@pytest.fixture
def forgets() -> Iterator[None]:
    """Other modules are registered within a test alone: dask sends whole tables to workers.

    Those that cannot import a module of a table would end there.
    """
    tables = [dispatch.concatenate_lookup, dispatch.einsum_lookup, dispatch.percentile_lookup]
    tables.append(dispatch.tensordot_lookup)
    kept = [dict(it._lookup) for it in tables]
    yield
    for table, before in zip(tables, kept, strict=True):
        table._lookup.clear()
        table._lookup.update(before)


@pytest.mark.usefixtures("forgets")
def test_operators_of_other_modules(tmp_path: Path) -> None:
    other = twin.install(tmp_path)
    x, tensor = chunked(), opwright.tensor(NUMBERS)
    assert_same(opwright.dask.map(other.ops.exp, x), tensor.exp())
    assert_same(opwright.dask.map(other.ops.add, x, tensor), tensor + tensor)
    found = opwright.dask.map(other.ops.frexp, x)
    assert_same(found, opwright.frexp(tensor))
    # Both modules override functions of dask, each for its own tensors.
    importlib.import_module(f"{other.__name__}.dask")
    y = da.from_array(other.tensor(NUMBERS), chunks=(4, 3), asarray=False)
    for array, kind in ((x, Tensor), (y, other.Tensor)):
        array[1:5, 2] = 0.5
        picked = array.vindex[[0, 3, 5], [1, 2, 7]]
        positions = array.argmax(axis=0)
        halves = array.astype(kind(0).bfloat16().dtype).T.sum(axis=1)
        for made in dask.compute(array, picked, positions, halves, da.unique(array)):
            assert type(made) is kind


REFUSED: dict[str, tuple[Callable[[Any], Any], type[Exception], str]] = {
    "random": (lambda x: opwright.dask.map(ops.bernoulli, x), ValueError, "draws random numbers"),
    "shape": (lambda x: opwright.dask.map(ops.nonzero, x), ValueError, "shape depends on elem"),
    "in place": (lambda x: opwright.dask.map(ops.add_, x, 1), ValueError, "writes to an argument"),
    "list": (lambda x: opwright.dask.map(ops.cat, [x, x]), ValueError, "in the list `tensors`"),
    "no array": (
        lambda _: opwright.dask.map(ops.exp, opwright.ones(2)),
        TypeError,
        "got no dask array; call it directly",
    ),
    "no operator": (lambda x: opwright.dask.map(np.sin, x), TypeError, "expected an operator"),
    "shapes": (lambda x: opwright.dask.map(ops.add, x, x[:5]), RuntimeError, "must match"),
    "arguments": (lambda x: opwright.dask.map(ops.exp, x, 1), TypeError, "exp"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused(case: str) -> None:
    call, kind, message = REFUSED[case]
    with pytest.raises(kind, match=message):
        call(chunked())


def test_chunks_of_unknown_size() -> None:
    tensor = opwright.tensor(NUMBERS).reshape(-1)
    x = chunked(NUMBERS.reshape(-1), 7)
    positive = x[x > 0]
    assert math.isnan(positive.shape[0])
    found = opwright.dask.map(ops.exp, positive).compute()
    assert opwright.allclose(found, tensor[tensor > 0].exp())
    total = opwright.dask.map(ops.sum, positive).compute()
    assert total.item() == pytest.approx(tensor[tensor > 0].sum().item())
    assert opwright.dask.map(ops.max, positive).compute() == tensor.max()
    with pytest.raises(ValueError, match=r"unknown; x.compute_chunk_sizes\(\)"):
        opwright.dask.map(ops.argmax, positive)
