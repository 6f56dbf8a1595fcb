"""Operators that join, repeat and reorder, with numpy as the oracle."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import opwright
import pytest
from dtypes import ALL
from layouts import LAYOUTS, Array, dtype_of, pair

DTYPES = ["bool", "uint8", "int64", "float16", "float32", "complex128"]

# For matrices that may be empty; those without dimensions are left out.
ORACLES: dict[str, tuple[Callable[[Any], Any], Callable[[Array], Any]]] = {
    "cat": (lambda t: opwright.cat([t, t[:1], t]), lambda a: np.concatenate([a, a[:1], a])),
    "cat columns": (
        lambda t: opwright.concat((t, t[:, 1:]), -1),
        lambda a: np.concatenate((a, a[:, 1:]), -1),
    ),
    "stack": (lambda t: opwright.stack([t, t]), lambda a: np.stack([a, a])),
    "stack last": (lambda t: opwright.stack([t, t], -1), lambda a: np.stack([a, a], -1)),
    "hstack": (lambda t: opwright.hstack((t, t)), lambda a: np.hstack((a, a))),
    "vstack": (lambda t: opwright.vstack((t, t)), lambda a: np.vstack((a, a))),
    "dstack": (lambda t: opwright.dstack((t, t)), lambda a: np.dstack((a, a))),
    "column_stack": (
        lambda t: opwright.column_stack((t, t)),
        lambda a: np.column_stack((a, a)),
    ),
    "repeat": (lambda t: t.repeat(2, 1, 3), lambda a: np.tile(a, (2, 1, 3))),
    "tile": (lambda t: t.tile(2), lambda a: np.tile(a, 2)),
    "tile more": (lambda t: opwright.tile(t, (2, 1, 2)), lambda a: np.tile(a, (2, 1, 2))),
    "repeat_interleave": (lambda t: t.repeat_interleave(2), lambda a: np.repeat(a, 2)),
    "repeat_interleave rows": (
        lambda t: opwright.repeat_interleave(t, 3, dim=0),
        lambda a: np.repeat(a, 3, axis=0),
    ),
    "flip": (lambda t: t.flip(0, 1), lambda a: np.flip(a)),
    "flip columns": (lambda t: opwright.flip(t, (-1,)), lambda a: np.flip(a, 1)),
    "fliplr": (lambda t: t.fliplr(), np.fliplr),
    "flipud": (lambda t: t.flipud(), np.flipud),
    "roll": (lambda t: t.roll(2), lambda a: np.roll(a, 2)),
    "roll rows": (lambda t: opwright.roll(t, -1, 0), lambda a: np.roll(a, -1, 0)),
    "roll both": (lambda t: t.roll((1, 7), (0, 1)), lambda a: np.roll(a, (1, 7), (0, 1))),
    "rot90": (lambda t: t.rot90(), lambda a: np.rot90(a)),
    "rot90 back": (lambda t: t.rot90(-1, (1, 0)), lambda a: np.rot90(a, -1, (1, 0))),
    "rot90 twice": (lambda t: opwright.rot90(t, 2), lambda a: np.rot90(a, 2)),
}


@pytest.mark.parametrize("layout", [it for it in LAYOUTS if it != "single"])
@pytest.mark.parametrize("name", ORACLES)
def test_as_numpy_does_it(name: str, layout: str, rng: np.random.Generator) -> None:
    call, oracle = ORACLES[name]
    for dtype in DTYPES:
        array, tensor = pair(rng, dtype, layout)
        actual, expected = call(tensor), oracle(array)
        assert (tuple(actual.shape), dtype_of(actual)) == (expected.shape, dtype)
        np.testing.assert_array_equal(actual.numpy(), expected)
        meta = call(opwright.empty(array.shape, dtype=tensor.dtype, device="meta"))
        assert (tuple(meta.shape), meta.dtype) == (expected.shape, tensor.dtype)


def test_cat_promotes_and_skips_empty_vectors() -> None:
    ints, floats = opwright.tensor([1, 2]), opwright.tensor([0.5])
    assert opwright.cat([ints, floats]).tolist() == [1.0, 2.0, 0.5]
    assert opwright.cat([ints, floats]).dtype == opwright.float32
    matrix = opwright.ones(2, 2)
    assert tuple(opwright.cat([opwright.zeros(0), matrix], 1).shape) == (2, 2)
    assert tuple(opwright.cat([opwright.zeros(0), opwright.zeros(0)]).shape) == (0,)
    mixed = opwright.cat([matrix, opwright.ones(2, 1, dtype=opwright.int64)], 1)
    assert mixed.dtype == opwright.float32


def test_cat_of_large_tensors_uses_all_rows(rng: np.random.Generator) -> None:
    arrays = [rng.integers(0, 1000, (300, width)) for width in (400, 1, 30)]
    tensors = [opwright.from_numpy(array) for array in arrays]
    np.testing.assert_array_equal(opwright.cat(tensors, 1).numpy(), np.concatenate(arrays, 1))


@pytest.mark.parametrize("dtype", ALL)
def test_short_pieces_of_many_rows(dtype: str, rng: np.random.Generator) -> None:
    a, b = (rng.integers(0, 100, (600, 2)).astype(dtype) for _ in range(2))
    tensors = [opwright.from_numpy(it) for it in (a, b)]
    np.testing.assert_array_equal(opwright.stack(tensors, 2), np.stack([a, b], 2))
    np.testing.assert_array_equal(opwright.cat(tensors, 1), np.concatenate([a, b], 1))
    for times in (0, 1, 3, 8, 9):
        for dim in (0, 1):
            found = opwright.repeat_interleave(tensors[0], times, dim)
            np.testing.assert_array_equal(found, np.repeat(a, times, dim))


def test_out_is_filled_cast_and_resized() -> None:
    matrix = opwright.arange(4).reshape(2, 2)
    for out in [opwright.empty(4, 2), opwright.empty(0, dtype=opwright.float64)]:
        assert opwright.cat([matrix, matrix], out=out) is out
        assert out.tolist() == [[0, 1], [2, 3], [0, 1], [2, 3]]
    # The output is also an input.
    out = opwright.arange(4).reshape(2, 2)
    opwright.cat([out[1:], out[:1]], out=out)
    assert out.tolist() == [[2, 3], [0, 1]]
    strided = opwright.zeros(2, 4, dtype=opwright.int64)
    opwright.stack([matrix[0], matrix[1]], out=strided[:, ::2])
    assert strided.tolist() == [[0, 0, 1, 0], [2, 0, 3, 0]]
    out = opwright.empty(0, dtype=opwright.int64)
    assert opwright.hstack([matrix, matrix], out=out) is out
    with pytest.raises(RuntimeError, match="can't be cast"):
        opwright.cat([matrix / 2], out=opwright.empty(0, dtype=opwright.int64))


ERRORS: list[tuple[Callable[[Any], Any], type[Exception], str]] = [
    (lambda t: opwright.cat([]), ValueError, "non-empty"),
    (lambda t: opwright.cat([t, t], 2), IndexError, r"\[-2, 1\]"),
    (lambda t: opwright.cat([t, t[0]]), RuntimeError, "same number of dimensions: got 2 and 1"),
    (lambda t: opwright.cat([t, t[:, 1:]]), RuntimeError, "Expected size 3 but got size 2"),
    (lambda t: opwright.cat([t.sum()]), RuntimeError, "zero-dimensional"),
    (lambda t: opwright.stack([t, t[:1]]), RuntimeError, "equal size"),
    (lambda t: opwright.stack([]), RuntimeError, "non-empty"),
    (lambda t: opwright.hstack([]), RuntimeError, "non-empty"),
    (lambda t: t.repeat(2), RuntimeError, "can not be smaller"),
    (lambda t: t.repeat(2, -1), RuntimeError, "negative"),
    (lambda t: t.repeat(2**40, 2**40), OverflowError, "overflow"),
    (lambda t: t.repeat_interleave(-1), RuntimeError, "negative"),
    (lambda t: t.repeat_interleave(opwright.tensor([1, 2]), 1), RuntimeError, "same size"),
    (lambda t: t.repeat_interleave(opwright.tensor([1.0]), 1), RuntimeError, "Long or Int"),
    (lambda t: t.flip(2), IndexError, r"\[-2, 1\]"),
    (lambda t: t.flip(0, 0), RuntimeError, "multiple times"),
    (lambda t: t[0].fliplr(), RuntimeError, ">= 2-d"),
    (lambda t: t.roll((1, 2), 0), RuntimeError, "align"),
    (lambda _: opwright.roll(opwright.tensor(1.0), 0, 0), IndexError, "as 0 but tensor has no"),
    (lambda t: t.rot90(1, (0,)), RuntimeError, "dims == 2"),
    (lambda t: t.rot90(1, (0, -2)), RuntimeError, "different"),
    (lambda t: opwright.meshgrid([t]), RuntimeError, "0D or 1D"),
]


@pytest.mark.parametrize("number", range(len(ERRORS)))
def test_what_does_not_go_together_is_an_error(number: int) -> None:
    call, error, message = ERRORS[number]
    with pytest.raises(error, match=message):
        call(opwright.zeros(2, 3))


def test_rows_are_repeated_by_numbers_of_their_own() -> None:
    tensor = opwright.tensor([[1, 2], [3, 4]])
    repeats = opwright.tensor([2, 1])
    assert tensor.repeat_interleave(repeats, dim=0).tolist() == [[1, 2], [1, 2], [3, 4]]
    assert opwright.repeat_interleave(repeats).tolist() == [0, 0, 1]
    assert tensor.repeat_interleave(opwright.tensor(2), dim=1).tolist() == [
        [1, 1, 2, 2],
        [3, 3, 4, 4],
    ]
    with pytest.raises(RuntimeError, match="output_size"):
        opwright.repeat_interleave(repeats, output_size=4)


@pytest.mark.parametrize("indexing", ["ij", "xy"])
def test_meshgrid_has_coordinates(indexing: str) -> None:
    x, y, z = np.arange(3), np.arange(2), np.arange(4)
    tensors = [opwright.from_numpy(it) for it in (x, y, z)]
    expected = np.meshgrid(x, y, z, indexing=indexing)  # type: ignore[call-overload]
    for one, other in zip(opwright.meshgrid(tensors, indexing=indexing), expected, strict=True):
        np.testing.assert_array_equal(one.numpy(), other)
    with pytest.raises(RuntimeError, match="indexing"):
        opwright.meshgrid(tensors, indexing="yx")


def test_tensors_are_broadcast_together() -> None:
    a, b = opwright.broadcast_tensors([opwright.zeros(3, 1), opwright.zeros(2)])
    assert tuple(a.shape) == tuple(b.shape) == (3, 2)
