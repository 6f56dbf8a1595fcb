"""How tensors look."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Any

import hypothesis.strategies as st
import numpy as np
import opwright
import pytest
from dtypes import DTYPES
from hypothesis import given

DEFAULTS: dict[str, Any] = {
    "precision": 4,
    "threshold": 1000,
    "edgeitems": 3,
    "linewidth": 80,
    "sci_mode": None,
}


@pytest.fixture(autouse=True)
def _default_options() -> Iterator[None]:
    yield
    opwright.set_printoptions(**DEFAULTS)


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (5, "tensor(5, dtype=int64, shape=())"),
        (True, "tensor(True, dtype=bool, shape=())"),
        (1.5, "tensor(1.5, dtype=float32, shape=())"),
        (2 - 1j, "tensor(2.-1.j, dtype=complex64, shape=())"),
        ([], "tensor([], dtype=float32, shape=(0,))"),
        ([[], []], "tensor([], dtype=float32, shape=(2, 0))"),
        ([1, -20, 300], "tensor([  1, -20, 300], dtype=int64, shape=(3,))"),
        ([True, False], "tensor([ True, False], dtype=bool, shape=(2,))"),
        ([1.0, 2.0], "tensor([1., 2.], dtype=float32, shape=(2,))"),
        ([1.0, -2.25], "tensor([ 1.00, -2.25], dtype=float32, shape=(2,))"),
        ([0.1, 1 / 3], "tensor([0.1000, 0.3333], dtype=float32, shape=(2,))"),
        ([1.0, math.nan], "tensor([ 1., nan], dtype=float32, shape=(2,))"),
        ([math.inf, -math.inf, 0.5], "tensor([ inf, -inf,  0.5], dtype=float32, shape=(3,))"),
        ([1e-8, 1.0], "tensor([1.e-08, 1.e+00], dtype=float32, shape=(2,))"),
        ([1.5e10], "tensor([1.5e+10], dtype=float32, shape=(1,))"),
        ([0.0, 0.0], "tensor([0., 0.], dtype=float32, shape=(2,))"),
        ([1 + 2j, -1.5j], "tensor([ 1.+2.0j, -0.-1.5j], dtype=complex64, shape=(2,))"),
        (
            [[1.0, 2.0], [3.0, 4.0]],
            "tensor([[1., 2.],\n        [3., 4.]], dtype=float32, shape=(2, 2))",
        ),
        (
            [[[1], [2]], [[3], [4]]],
            "tensor([[[1],\n         [2]],\n\n        [[3],\n         [4]]], "
            "dtype=int64, shape=(2, 2, 1))",
        ),
    ],
)
def test_small_tensors_are_shown_whole(data: Any, text: str) -> None:
    assert repr(opwright.tensor(data)) == text
    assert str(opwright.tensor(data)) == text


@pytest.mark.parametrize("dtype", DTYPES)
def test_every_dtype_is_shown_with_its_name(dtype: str) -> None:
    tensor = opwright.tensor([0, 1], dtype=getattr(opwright, dtype))
    assert repr(tensor).endswith(f", dtype={dtype}, shape=(2,))")
    assert repr(tensor[:0]) == f"tensor([], dtype={dtype}, shape=(0,))"
    assert repr(tensor[1]).endswith(f", dtype={dtype}, shape=())")


def test_meta_tensors_have_no_elements_to_show() -> None:
    tensor = opwright.empty(2, 3, device="meta")
    assert repr(tensor) == "tensor(..., dtype=float32, shape=(2, 3), device=meta)"


def test_large_tensors_are_shown_in_part() -> None:
    text = repr(opwright.arange(10_000))
    assert text == "tensor([   0,    1,    2, ..., 9997, 9998, 9999], dtype=int64, shape=(10000,))"
    square = repr(opwright.arange(10_000).reshape(100, 100))
    assert square.count("...") == 7
    assert len(square.splitlines()) <= 8
    huge = opwright.zeros(1).expand(10**12)
    assert len(repr(huge)) < 100
    for shape in ([7] * 8, [2] * 20, [1] * 30 + [1001], [10**6, 1, 10**6]):
        assert len(repr(opwright.zeros(1).expand(shape))) < 20_000


def test_long_lines_are_wrapped() -> None:
    lines = repr(opwright.arange(100)).splitlines()
    assert len(lines) > 3
    assert all(len(line) <= 80 for line in lines)
    assert all(line.startswith("        ") for line in lines[1:])


def test_subclasses_are_shown_by_name() -> None:
    class Image(opwright.Tensor):
        pass

    assert repr(Image([1])) == "Image([1.], dtype=float32, shape=(1,))"


def test_options() -> None:
    tensor = opwright.tensor([1 / 3, 2.0])
    opwright.set_printoptions(precision=2)
    assert repr(tensor).startswith("tensor([0.33, 2.00]")
    opwright.set_printoptions(sci_mode=True)
    assert repr(tensor).startswith("tensor([3.33e-01, 2.00e+00]")
    opwright.set_printoptions(sci_mode=False, threshold=1, edgeitems=1)
    assert repr(opwright.arange(9)).startswith("tensor([0, ..., 8]")
    opwright.set_printoptions(edgeitems=0)
    assert repr(opwright.arange(9)).startswith("tensor([...]")
    with pytest.raises(ValueError, match="precision"):
        opwright.set_printoptions(precision=-1)


@given(st.lists(st.floats(width=32), min_size=1, max_size=6))
def test_columns_are_aligned(values: list[float]) -> None:
    text = repr(opwright.tensor([[value] for value in values]))
    body = text.partition(", dtype")[0]
    ends = {len(line.rstrip("],")) for line in body.splitlines()}
    assert len(ends) == 1
    shown = [float(re.sub(r"tensor|[][(,]", "", line)) for line in body.splitlines()]
    np.testing.assert_allclose(shown, np.float32(values), rtol=1e-3, atol=1e-4)
