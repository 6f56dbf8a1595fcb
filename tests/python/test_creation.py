"""Tensors from nothing, from ranges, and in the likeness of others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import opwright
import pytest
from dtypes import ALL
from layouts import dtype_of


@pytest.mark.parametrize("dtype", ALL)
def test_filled(dtype: str) -> None:
    kind = getattr(opwright, dtype)
    for shape in [(), (0,), (2, 3)]:
        for name, value in [("zeros", 0), ("ones", 1)]:
            t = getattr(opwright, name)(shape, dtype=kind)
            np.testing.assert_array_equal(t.numpy(), np.full(shape, value, dtype))
            assert dtype_of(t) == dtype
        t = opwright.full(shape, 7, dtype=kind)
        np.testing.assert_array_equal(t.numpy(), np.full(shape, 7, dtype))
    assert tuple(opwright.empty(2, 3, dtype=kind).shape) == (2, 3)


def test_a_number_decides_about_the_dtype() -> None:
    for value, dtype in [(True, "bool"), (1, "int64"), (1.5, "float32"), (1j, "complex64")]:
        assert dtype_of(opwright.full((2,), value)) == dtype
    assert dtype_of(opwright.scalar_tensor(3)) == "float32"
    with pytest.raises(RuntimeError, match="without overflow"):
        opwright.full((2,), 300, dtype=opwright.uint8)


def test_likenesses() -> None:
    t = opwright.ones(3, 4, dtype=opwright.float64).t()
    for name in ["zeros_like", "ones_like", "empty_like", "rand_like", "randn_like"]:
        like = getattr(opwright, name)(t)
        assert (tuple(like.shape), like.stride()) == ((4, 3), t.stride())
        assert like.dtype == t.dtype
        assert getattr(opwright, name)(t, dtype=opwright.float32).dtype == opwright.float32
        assert getattr(opwright, name)(t, device="meta").device.type == "meta"
    row_major = opwright.zeros_like(t, memory_format=opwright.contiguous_format)
    assert row_major.is_contiguous()
    assert opwright.full_like(t, 3).tolist() == [[3.0] * 3] * 4
    assert opwright.zeros_like(t.expand(2, 4, 3)).stride() == (12, 3, 1)
    assert t.clone().stride() == t.stride()


def test_new() -> None:
    t = opwright.ones(2, dtype=opwright.int16)
    for made in [t.new_zeros(2, 3), t.new_ones((2, 3)), t.new_full((2, 3), 4), t.new_empty(2, 3)]:
        assert (tuple(made.shape), made.dtype) == ((2, 3), t.dtype)
    assert t.new_zeros(1, dtype=opwright.bool).dtype == opwright.bool
    assert t.to("meta").new_ones(4).device.type == "meta"
    assert t.new_empty_strided((2, 3), (1, 2)).stride() == (1, 2)


def test_sizes_that_cannot_be() -> None:
    with pytest.raises(RuntimeError, match="negative"):
        opwright.zeros(2, -1)
    calls: list[Callable[[], Any]] = [
        lambda: opwright.empty(2**62, 2**62),
        lambda: opwright.empty_strided((2**62, 2), (2, 1)),
        lambda: opwright.ones(2**40, 2**40, device="meta"),
    ]
    for call in calls:
        with pytest.raises((RuntimeError, OverflowError, MemoryError)):
            call()
    with pytest.raises(MemoryError):
        opwright.empty(2**55, dtype=opwright.uint8)
    with pytest.raises(RuntimeError, match="must match dimensionality"):
        opwright.empty_strided((2, 3), (1,))


@pytest.mark.parametrize(
    ("args", "dtype"),
    [
        ((5,), "int64"),
        ((2, 9), "int64"),
        ((2, 9, 3), "int64"),
        ((9, 2, -3), "int64"),
        ((0, 0), "int64"),
        ((0, 1, 0.25), "float32"),
        ((1.5, 4), "float32"),
        ((5.0,), "float32"),
    ],
)
def test_arange(args: tuple[float, ...], dtype: str) -> None:
    t = opwright.arange(*args)
    np.testing.assert_allclose(t.numpy(), np.arange(*args))
    assert dtype_of(t) == dtype
    out = opwright.empty(0, dtype=opwright.float64)
    np.testing.assert_allclose(opwright.arange(*args, out=out).numpy(), np.arange(*args))
    assert opwright.arange(*args, device="meta").shape == t.shape


@pytest.mark.parametrize(
    ("args", "dtype", "expected"),
    [
        ((0.0, -8.000001, -4.0), "int64", [0, -4]),
        ((-0.9, 2.1, 2.0), "int64", [0]),
        ((0.5, 3.9), "int64", [0, 1, 2]),
        ((3.9, -1.5, -1.5), "int64", [3, 2, 1, 0]),
        ((0.5, 0.9), "int64", []),
        # Narrower dtypes have as many numbers as there are between the ends as they are given.
        ((0.0, -8.000001, -4.0), "int32", [0, -4, -8]),
        ((0.0, 2.5), "uint8", [0, 1, 2]),
        ((0.0, 2.5), "float64", [0.0, 1.0, 2.0]),
    ],
)
def test_integer_dtypes_drop_fractions_first(
    args: tuple[float, ...], dtype: str, expected: list[float]
) -> None:
    assert opwright.arange(*args, dtype=getattr(opwright, dtype)).tolist() == expected
    out = opwright.empty(0, dtype=getattr(opwright, dtype))
    assert opwright.arange(*args, out=out).tolist() == expected


def test_a_step_without_its_fraction_must_lead_somewhere() -> None:
    for args in [(0, 3, 0.5), (0.0, 3.0, -0.9), (5, 3, 0.9)]:
        with pytest.raises(RuntimeError, match="step"):
            opwright.arange(*args, dtype=opwright.int64)


def test_ranges_that_cannot_be() -> None:
    for args in [(5, 0), (0, 5, -1), (0, 5, 0), (0, float("inf")), (0, float("nan"))]:
        with pytest.raises(RuntimeError):
            opwright.arange(*args)
    with pytest.raises((RuntimeError, OverflowError, MemoryError)):
        opwright.arange(-(2**63), 2**63 - 1)
    with pytest.raises(RuntimeError, match="non-negative"):
        opwright.linspace(0, 1, -1)


@pytest.mark.parametrize("steps", [0, 1, 2, 5, 100])
def test_linspace(steps: int) -> None:
    expected = np.linspace(-2, 3, steps)
    np.testing.assert_allclose(opwright.linspace(-2, 3, steps).numpy(), expected, atol=1e-6)
    ends = opwright.tensor(-2.0), opwright.tensor(3)
    for start in (-2, ends[0]):
        for end in (3, ends[1]):
            t = opwright.linspace(start, end, steps, dtype=opwright.float64)
            np.testing.assert_allclose(t.numpy(), expected, atol=1e-15)
            out = opwright.empty(0, dtype=opwright.float64)
            np.testing.assert_allclose(opwright.linspace(start, end, steps, out=out), expected)
    z = opwright.linspace(0, 1 + 1j, steps)
    np.testing.assert_allclose(z.numpy(), np.linspace(0, 1 + 1j, steps), atol=1e-6)
    assert opwright.linspace(ends[0].to("meta"), 1, steps).device.type == "meta"
    with pytest.raises(RuntimeError, match="0-dimensional"):
        opwright.linspace(opwright.ones(2), 1, steps)


def test_identity() -> None:
    for args in [(3,), (2, 4), (4, 2), (0,), (0, 3)]:
        np.testing.assert_array_equal(opwright.eye(*args).numpy(), np.eye(args[0], args[-1]))
    out = opwright.full((2, 2), 9, dtype=opwright.int32).t()
    assert opwright.eye(2, out=out).tolist() == [[1, 0], [0, 1]]
    with pytest.raises(RuntimeError, match="n must be greater"):
        opwright.eye(-1)


@pytest.mark.parametrize("offset", [-5, -2, -1, 0, 1, 2, 6])
@pytest.mark.parametrize("shape", [(3, 3), (2, 5), (5, 2), (0, 3), (3, 0)])
def test_indices_of_triangles(shape: tuple[int, int], offset: int) -> None:
    for name, oracle in [("tril_indices", np.tril), ("triu_indices", np.triu)]:
        t = getattr(opwright, name)(*shape, offset)
        expected = np.nonzero(oracle(np.ones(shape), offset))
        np.testing.assert_array_equal(t.numpy(), np.array(expected))
    huge = opwright.tril_indices(2**40, 2**20, offset=3 - 2**40)
    assert tuple(huge.shape) == (2, 6)


def test_filling() -> None:
    t = opwright.zeros(2, 3)
    assert t.fill_(1.5) is t
    assert t.tolist() == [[1.5] * 3] * 2
    t[:, 1].fill_(opwright.tensor(7))
    assert t.tolist() == [[1.5, 7.0, 1.5]] * 2
    assert t.zero_().tolist() == [[0.0] * 3] * 2
    t.copy_(opwright.tensor([1, 2, 3]))
    assert t.tolist() == [[1.0, 2.0, 3.0]] * 2
    assert opwright.fill(t, 4).tolist() == [[4.0] * 3] * 2
    assert opwright.zeros(2, dtype=opwright.int64).fill_(2.0).tolist() == [2, 2]
    calls: list[Callable[[], Any]] = [
        lambda: t.fill_(opwright.ones(2)),
        lambda: t.copy_(opwright.ones(4)),
        lambda: opwright.zeros(2, dtype=opwright.int64).fill_(1.9),
        lambda: opwright.zeros(2, dtype=opwright.uint8).fill_(300),
    ]
    for call in calls:
        with pytest.raises(RuntimeError):
            call()


def test_options() -> None:
    assert opwright.zeros(2, device="meta").device.type == "meta"
    assert opwright.zeros(2, layout=opwright.strided, pin_memory=False).dtype == opwright.float32
    with pytest.raises(RuntimeError, match="pin"):
        opwright.zeros(2, pin_memory=True)
    nhwc = opwright.empty(2, 3, 4, 5, memory_format=opwright.channels_last)
    assert nhwc.stride() == (60, 1, 15, 3)
