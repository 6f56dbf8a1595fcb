"""Tensors as chunks of dask arrays, and what tests of them compare."""

from __future__ import annotations

from typing import Any

import dask
import dask.array as da
import numpy as np
import opwright
from opwright import Tensor

NUMBERS = np.random.default_rng(0).standard_normal((6, 8))
NUMBERS[1, 2] = 0


def chunked(values: Any = NUMBERS, chunks: Any = (4, 3)) -> Any:
    return da.from_array(opwright.tensor(values), chunks=chunks, asarray=False)


def assert_same(found: Any, expected: Any) -> None:
    """The result of dask is what it promised, and a tensor like the other one."""
    computed = dask.compute(found)[0]
    several = (found, computed, expected)
    if isinstance(expected, tuple):
        assert isinstance(found, tuple)
        for one in zip(*several, strict=True):
            assert_equal(*one)
    else:
        assert_equal(*several)


def assert_equal(promised: Any, computed: Any, expected: Any) -> None:
    assert type(computed) is Tensor
    assert type(promised._meta) is Tensor
    assert promised.dtype == computed.dtype == expected.dtype
    assert promised.shape == computed.shape == expected.shape
    np.testing.assert_allclose(computed.numpy(), expected.numpy(), 1e-6, 1e-12)
