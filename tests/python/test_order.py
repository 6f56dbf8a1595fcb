"""Sorting and choosing by order, with numpy as the oracle."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import hypothesis.strategies as st
import numpy as np
import opwright
import pytest
from dtypes import INTEGERS, ORDERED
from hypothesis import given
from layouts import LAYOUTS, Array, dtype_of, pair


def stable_order(array: Array, axis: int, descending: bool) -> Any:
    """Indices in order; equal elements keep theirs."""
    if not descending:
        return np.argsort(array, axis, kind="stable")
    backwards = np.flip(array, axis)
    order = np.flip(np.argsort(backwards, axis, kind="stable"), axis)
    return array.shape[axis] - 1 - order


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("layout", [it for it in LAYOUTS if it != "single"])
def test_sort(layout: str, descending: bool, rng: np.random.Generator) -> None:
    for dtype in ORDERED:
        array, tensor = pair(rng, dtype, layout)
        for dim in [0, 1, -1]:
            order = stable_order(array, dim, descending)
            found = tensor.sort(dim, descending)
            assert found._fields == ("values", "indices")
            assert (dtype_of(found.values), dtype_of(found.indices)) == (dtype, "int64")
            np.testing.assert_array_equal(found.indices, order)
            np.testing.assert_array_equal(found.values, np.take_along_axis(array, order, dim))
            again = opwright.sort(tensor, stable=True, dim=dim, descending=descending)
            np.testing.assert_array_equal(again.indices, order)
            np.testing.assert_array_equal(tensor.argsort(dim, descending), order)
        np.testing.assert_array_equal(opwright.msort(tensor), np.sort(array, 0))


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("dtype", ORDERED)
def test_many_elements(dtype: str, descending: bool, rng: np.random.Generator) -> None:
    for array in ((rng.standard_normal(5000) * 50).astype(dtype), np.zeros(2000, dtype)):
        if array.dtype.kind == "f":
            array[rng.integers(0, len(array), 3)] = np.nan
        tensor = opwright.from_numpy(array.copy())
        order = stable_order(array, 0, descending)
        found = tensor.sort(0, descending)
        np.testing.assert_array_equal(found.indices, order)
        np.testing.assert_array_equal(found.values, array[order])


@pytest.mark.parametrize("largest", [False, True])
@pytest.mark.parametrize("layout", [it for it in LAYOUTS if it not in ("empty", "single")])
def test_topk(layout: str, largest: bool, rng: np.random.Generator) -> None:
    for dtype in ORDERED:
        array, tensor = pair(rng, dtype, layout)
        for dim in [0, 1]:
            order = stable_order(array, dim, largest)
            for k in range(array.shape[dim] + 1):
                first = np.take(order, range(k), dim)
                found = opwright.topk(tensor, k, dim, largest)
                np.testing.assert_array_equal(found.indices, first)
                np.testing.assert_array_equal(found.values, np.take_along_axis(array, first, dim))


def test_kthvalue_and_median(rng: np.random.Generator) -> None:
    for dtype in ORDERED:
        array, tensor = pair(rng, dtype, "transposed")
        ordered = np.sort(array, 1)
        for k in range(1, array.shape[1] + 1):
            found = tensor.kthvalue(k, 1)
            np.testing.assert_array_equal(found.values, ordered[:, k - 1])
            again = np.take_along_axis(array, found.indices.numpy()[:, None], 1)[:, 0]
            np.testing.assert_array_equal(found.values, again)
        middle = ordered[:, [(array.shape[1] - 1) // 2]]
        np.testing.assert_array_equal(tensor.median(1, keepdim=True).values, middle)
        np.testing.assert_array_equal(tensor.nanmedian(1, keepdim=True).values, middle)
        assert tensor.median().item() == np.sort(array, None)[(array.size - 1) // 2]


def test_medians_of_what_is_not_a_number() -> None:
    nan = float("nan")
    x = opwright.tensor([[3.0, nan, 1.0, 2.0], [nan, nan, nan, nan]])
    assert x.median(1).values.isnan().all()
    assert x.median(1).indices.tolist() == [1, 0]
    assert x.nanmedian(1).values[0].item() == 2.0
    assert x.nanmedian(1).values[1].isnan()
    assert x.nanmedian().item() == 2.0
    assert opwright.empty(0).median().isnan()


@given(st.lists(st.floats(width=32), max_size=300), st.booleans())
def test_floats_are_ordered_with_nan_at_the_end(values: list[float], descending: bool) -> None:
    array = np.array(values, dtype="float32")
    found = opwright.from_numpy(array).sort(descending=descending)
    expected = np.sort(array)
    np.testing.assert_array_equal(found.values, expected[::-1] if descending else expected)
    np.testing.assert_array_equal(array[found.indices.numpy()], found.values)


@given(st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1, max_size=100))
def test_wide_integers_are_ordered(values: list[int]) -> None:
    tensor = opwright.tensor(values, dtype=opwright.int64)
    assert tensor.sort().values.tolist() == sorted(values)
    assert tensor.topk(1).values.item() == max(values)


@pytest.mark.filterwarnings("ignore:.*was resized")
def test_outputs_of_sorting() -> None:
    x = opwright.tensor([[2.0, 1.0], [3.0, 4.0]])
    values, indices = opwright.empty(0), opwright.empty(0, dtype=opwright.int64)
    opwright.sort(x, 1, out=(values, indices))
    assert values.tolist() == [[1.0, 2.0], [3.0, 4.0]]
    assert indices.tolist() == [[1, 0], [0, 1]]
    # The output is also the input.
    opwright.topk(x, 1, 1, out=(values, indices))
    assert values.tolist() == [[2.0], [4.0]]
    opwright.sort(x, 0, True, out=(x, opwright.empty(0, dtype=opwright.int64)))
    assert x.tolist() == [[3.0, 4.0], [2.0, 1.0]]
    meta = opwright.empty(3, 4, device="meta").topk(2, 0)
    assert (tuple(meta.values.shape), meta.indices.dtype) == ((2, 4), opwright.int64)
    assert opwright.tensor(5.0).sort().indices.item() == 0


@pytest.mark.parametrize("right", [False, True])
def test_places_in_sorted_sequences(right: bool, rng: np.random.Generator) -> None:
    side = "right" if right else "left"
    for dtype in ORDERED:
        array, tensor = pair(rng, dtype, "transposed")
        sequence = np.sort(array.ravel())
        expected = np.searchsorted(sequence, array, side)
        found = opwright.searchsorted(opwright.from_numpy(sequence), tensor, right=right)
        np.testing.assert_array_equal(found, expected)
        found = opwright.bucketize(tensor, opwright.from_numpy(sequence), right=right)
        np.testing.assert_array_equal(found, expected)
        rows = np.sort(array, 1)
        found = opwright.searchsorted(opwright.from_numpy(rows), tensor, side=side)
        by_row = [np.searchsorted(*pair, side) for pair in zip(rows, array, strict=True)]
        np.testing.assert_array_equal(found, by_row)
        found = opwright.searchsorted(tensor, tensor, side=side, sorter=tensor.argsort(1))
        np.testing.assert_array_equal(found, by_row)
    nan = opwright.searchsorted(opwright.tensor([1.0, 2.0]), float("nan"), out_int32=True)
    assert (nan.item(), nan.dtype) == (2, opwright.int32)
    with pytest.raises(RuntimeError, match="opposites"):
        opwright.searchsorted(opwright.tensor([1]), 1, right=True, side="left")
    with pytest.raises(RuntimeError, match="boundaries tensor must be 1 dimension"):
        opwright.bucketize(1, opwright.ones(2, 2))


NUMBERS = [-1, 0, 0.5, 1, 1.5, 2.0, 2.5, 256, 1e300, -1e300, math.inf, -math.inf, math.nan, True]


@pytest.mark.parametrize("right", [False, True])
@pytest.mark.parametrize("dtype", INTEGERS)
def test_numbers_among_integers_are_not_cut(dtype: str, right: bool) -> None:
    limits = np.iinfo(dtype)
    array = np.array([limits.min, 1, 2, 2, limits.max], dtype=dtype)
    sequence = opwright.from_numpy(array)
    for number in NUMBERS:
        is_before = operator.le if right else operator.lt
        # Python compares integers with floats as exact numbers; NaN belongs behind everything.
        behind = number != number
        expected = sum(behind or is_before(it, number) for it in array.tolist())
        assert opwright.searchsorted(sequence, number, right=right).item() == expected
        assert opwright.bucketize(number, sequence, right=right).item() == expected


def test_bincount(rng: np.random.Generator) -> None:
    for dtype in INTEGERS:
        array = rng.integers(0, 20, 300).astype(dtype)
        weights = rng.normal(size=300)
        tensor = opwright.from_numpy(array)
        np.testing.assert_array_equal(tensor.bincount(), np.bincount(array))
        np.testing.assert_array_equal(tensor.bincount(minlength=40), np.bincount(array, None, 40))
        sums = opwright.bincount(tensor, opwright.from_numpy(weights))
        np.testing.assert_allclose(sums, np.bincount(array, weights))
    with pytest.raises(RuntimeError, match="1-d non-negative"):
        opwright.bincount(opwright.tensor([[1]]))
    with pytest.raises((MemoryError, OverflowError)):
        opwright.bincount(opwright.tensor([2**62]))


def test_runs_of_equal_neighbours() -> None:
    x = opwright.tensor([[1, 1, 2], [2, 2, 2]])
    values, inverse, counts = opwright.unique_consecutive(x, True, True)
    assert (values.tolist(), counts.tolist()) == ([1, 2], [2, 4])
    assert inverse.tolist() == [[0, 0, 1], [1, 1, 1]]
    values, inverse, counts = opwright._C.unique_consecutive(x, dim=1)
    assert values.tolist() == [[1, 2], [2, 2]]
    assert inverse.numel() == counts.numel() == 0
    assert opwright.unique_consecutive(opwright.empty(0)).numel() == 0


ERRORS: list[tuple[Callable[[Any], Any], type[Exception], str]] = [
    (lambda t: t.topk(4), RuntimeError, "selected index k out of range"),
    (lambda t: t.topk(-1), RuntimeError, "selected index k out of range"),
    (lambda t: t.sort(2), IndexError, "Dimension out of range"),
    (lambda t: t.kthvalue(0), RuntimeError, "selected index k out of range"),
    (lambda t: t[:0].kthvalue(1, 0), IndexError, "non-zero size"),
    (lambda t: t[:0].median(0), IndexError, "non-zero size"),
    (lambda t: t.to(opwright.complex64).sort(), NotImplementedError, "ComplexFloat"),
]


@pytest.mark.parametrize("index", range(len(ERRORS)))
def test_errors(index: int) -> None:
    call, kind, message = ERRORS[index]
    with pytest.raises(kind, match=message):
        call(opwright.arange(6.0).reshape(2, 3))
