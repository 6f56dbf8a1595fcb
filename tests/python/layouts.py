"""Arrays and tensors whose elements lie differently in memory."""

from __future__ import annotations

from typing import Any

import numpy as np
import opwright

Array = np.ndarray[Any, Any]

# `single` has no dimensions, `stretched` has one that is broadcast.
LAYOUTS = ["contiguous", "transposed", "stepped", "reversed", "stretched", "empty", "single"]

SHAPES = {"empty": (0, 3), "single": (), "stretched": (4, 1), "stepped": (8, 6)}


def pair(rng: np.random.Generator, dtype: str, layout: str) -> tuple[Array, Any]:
    """Small numbers of a dtype, as an array and as a tensor over the same memory."""
    values = numbers(rng, dtype, SHAPES.get(layout, (4, 6)))
    if layout == "transposed":
        values = values.T
    if layout == "stepped":
        values = values[::2, 1::3]
    if layout == "reversed":
        values = values[::-1, ::-2]
    if layout == "stretched":
        stretched = opwright.from_numpy(values).expand(4, 5)
        return np.broadcast_to(values, (4, 5)), stretched
    return values, opwright.from_numpy(values)


def numbers(rng: np.random.Generator, dtype: str, shape: tuple[int, ...]) -> Array:
    """Small numbers of a dtype, negative ones among them where it has any."""
    kind = np.dtype(dtype).kind
    if kind == "b":
        return np.asarray(rng.integers(0, 2, shape)).astype(dtype)
    if kind == "u":
        return np.asarray(rng.integers(0, 10, shape)).astype(dtype)
    if kind == "i":
        return np.asarray(rng.integers(-10, 10, shape)).astype(dtype)
    values = np.asarray(rng.normal(0, 2, shape))
    if kind == "c":
        values = values + 1j * np.asarray(rng.normal(0, 2, shape))
    return np.asarray(values.astype(dtype))


def dtype_of(tensor: Any) -> str:
    """`float32` rather than `opwright.float32`."""
    return str(tensor.dtype).rpartition(".")[2]
