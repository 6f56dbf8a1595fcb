"""Functions of three arguments, and ranges, with numpy as the oracle."""

from __future__ import annotations

from typing import Any

import numpy as np
import opwright
import pytest
from dtypes import ALL, COMPLEX, FLOATS, INTEGERS
from layouts import LAYOUTS, dtype_of, numbers, pair
from test_functions_of_one import expect


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", INTEGERS + FLOATS)
def test_clamp(dtype: str, layout: str, rng: np.random.Generator) -> None:
    values, t = pair(rng, dtype, layout)
    expect(opwright.clamp(t, 2, 5), np.clip(values, 2, 5), dtype)
    expect(opwright.clamp(t, min=2), np.maximum(values, np.asarray(2, dtype)), dtype)
    expect(t.clip(max=5), np.minimum(values, np.asarray(5, dtype)), dtype)
    expect(opwright.clamp_min(t, 2), np.maximum(values, np.asarray(2, dtype)), dtype)
    expect(opwright.clamp_max(t, 2), np.minimum(values, np.asarray(2, dtype)), dtype)
    low, high = numbers(rng, dtype, values.shape[-1:]), numbers(rng, dtype, values.shape)
    bounds = opwright.from_numpy(low), opwright.from_numpy(high)
    expect(opwright.clamp(t, *bounds), np.minimum(np.maximum(values, low), high), dtype)
    expect(opwright.clamp(t, max=bounds[1]), np.minimum(values, high), dtype)


def test_ends_of_a_range() -> None:
    whole = opwright.tensor([1, 5])
    assert whole.clamp(0.5, 2).tolist() == [1.0, 2.0]
    assert opwright.tensor([3.0]).clamp(5, 1).item() == 1.0
    assert opwright.tensor([3.0]).clamp(float("nan"), 1).isnan().item()
    assert opwright.tensor([float("nan")]).clamp(0, 1).isnan().item()
    with pytest.raises(RuntimeError, match="At least one of 'min' or 'max'"):
        whole.clamp()
    with pytest.raises(RuntimeError, match="complex"):
        opwright.tensor([1j]).clamp(0, 1)
    with pytest.raises(RuntimeError, match="can't be cast"):
        whole.clamp_(0.5)
    with pytest.raises(NotImplementedError):
        opwright.tensor([True]).clamp(False, True)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", ALL)
def test_where(dtype: str, layout: str, rng: np.random.Generator) -> None:
    values, t = pair(rng, dtype, layout)
    condition = numbers(rng, "bool", values.shape)
    others = numbers(rng, dtype, values.shape[-1:])
    mask, other = opwright.from_numpy(condition), opwright.from_numpy(others)
    expect(opwright.where(mask, t, other), np.where(condition, values, others), dtype)
    expect(t.where(mask, other), np.where(condition, values, others), dtype)


def test_where_promotes() -> None:
    mask = opwright.tensor([True, False])
    t = opwright.tensor([1, 2])
    assert opwright.where(mask, t, 0.5).tolist() == [1.0, 0.5]
    assert opwright.where(mask, 7, t).tolist() == [7, 2]
    assert opwright.where(mask, 1, 0).dtype == opwright.int64
    assert opwright.where(mask, t.int(), t.half()).dtype == opwright.float16
    with pytest.raises(RuntimeError, match="condition to be a boolean"):
        opwright.where(t, t, t)
    out = opwright.empty(0)
    assert opwright.where(mask, t, -t, out=out) is out
    assert out.tolist() == [1.0, -2.0]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", FLOATS + COMPLEX)
def test_combinations(dtype: str, layout: str, rng: np.random.Generator) -> None:
    values, t = pair(rng, dtype, layout)
    a, b = numbers(rng, dtype, values.shape), numbers(rng, dtype, values.shape[-1:])
    x, y = opwright.from_numpy(a), opwright.from_numpy(b)
    exact = "complex128" if dtype in COMPLEX else "float64"
    v, a, b = values.astype(exact), a.astype(exact), b.astype(exact)
    if dtype != "float16":
        expect(opwright.addcmul(t, x, y, value=2), v + 2 * a * b, dtype)
        expect(opwright.addcdiv(t, x, y, value=2), v + 2 * a / b, dtype)
    expect(opwright.lerp(t, x, 0.25), v + 0.25 * (a - v), dtype)
    expect(opwright.lerp(t, x, opwright.full_like(y, 0.5)), v + 0.5 * (a - v), dtype)


def test_combinations_of_integers() -> None:
    t = opwright.tensor([1, 2])
    assert opwright.addcmul(t, t, t, value=3).tolist() == [4, 14]
    with pytest.raises(RuntimeError, match="addcdiv"):
        opwright.addcdiv(t, t, t)
    with pytest.raises(RuntimeError, match="argument value"):
        opwright.addcmul(t, t, t, value=1.5)
    with pytest.raises(RuntimeError, match="expected dtype"):
        opwright.lerp(opwright.ones(2), opwright.ones(2).double(), 0.5)


def test_meta() -> None:
    def meta(*shape: int) -> Any:
        return opwright.empty(*shape, device="meta")

    for result in [
        opwright.where(meta(2, 1) > 0, meta(3), 1.0),
        opwright.clamp(meta(2, 3), 0, 1),
        opwright.clamp(meta(2, 1), meta(3)),
        opwright.addcmul(meta(2, 1), meta(3), meta(1)),
        opwright.lerp(meta(2, 1), meta(3), 0.5),
    ]:
        assert (tuple(result.shape), dtype_of(result)) == ((2, 3), "float32")
        assert result.device.type == "meta"
