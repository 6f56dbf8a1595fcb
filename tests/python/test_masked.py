"""Masked functions, with the arithmetic of numpy over what is left as the oracle."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import opwright as ow
import pytest
from opwright import masked

Array = np.ndarray[Any, Any]


def tensor(array: Any) -> ow.Tensor:
    return ow.from_numpy(np.asarray(array))


X = np.array([[1.5, -2.0, 4.0], [0.5, 3.0, -1.0]])
MASK = np.array([[True, False, True], [True, True, False]])


def norm(x: Array) -> float:
    return float(np.sqrt((x * x).sum()))


REDUCTIONS: dict[str, Callable[[Array], Any]] = {
    "sum": np.sum,
    "prod": np.prod,
    "amax": np.max,
    "amin": np.min,
    "mean": np.mean,
    "norm": norm,
    "logsumexp": lambda x: np.log(np.exp(x).sum()),
    "var": lambda x: np.var(x, ddof=1),
    "std": lambda x: np.std(x, ddof=1),
}


@pytest.mark.parametrize("name", REDUCTIONS)
def test_reductions_see_what_is_under_the_mask(name: str) -> None:
    function, oracle = getattr(masked, name), REDUCTIONS[name]
    x, mask = tensor(X), tensor(MASK)
    assert function(x, mask=mask).item() == pytest.approx(oracle(X[MASK]))
    assert function(x).item() == pytest.approx(oracle(X.ravel()))
    expected = [oracle(row[chosen]) for row, chosen in zip(X, MASK, strict=True)]
    assert function(x, dim=1, mask=mask).tolist() == pytest.approx(expected)
    assert function(x, dim=1, keepdim=True, mask=mask).shape == (2, 1)
    # A mask broadcasts.
    row = tensor(np.array([True, False, True]))
    expected = [oracle(line[[0, 2]]) for line in X]
    assert function(x, dim=-1, mask=row).tolist() == pytest.approx(expected)


def test_places_count_what_is_left_out() -> None:
    x, mask = tensor(X), tensor(MASK)
    assert masked.argmax(x, 1, mask=mask).tolist() == [2.0, 1.0]
    assert masked.argmin(x, 1, mask=mask, dtype=ow.int64).tolist() == [0, 0]


def test_lines() -> None:
    x, mask = tensor(X), tensor(MASK)
    assert masked.cumsum(x, 1, mask=mask).tolist() == [[1.5, 1.5, 5.5], [0.5, 3.5, 3.5]]
    assert masked.cumprod(x, 1, mask=mask).tolist() == [[1.5, 1.5, 6.0], [0.5, 1.5, 1.5]]
    shares = masked.softmax(x, 1, mask=mask)
    assert shares.sum(1).tolist() == pytest.approx([1.0, 1.0])
    assert shares[0, 1].item() == shares[1, 2].item() == 0.0
    assert masked.log_softmax(x, 1, mask=mask).exp().tolist() == [
        pytest.approx(it) for it in shares.tolist()
    ]
    negated = masked.softmin(-x, 1, mask=mask)
    assert negated.tolist() == [pytest.approx(it) for it in shares.tolist()]
    lengths = masked.normalize(x, 2.0, 1, mask=mask).square().sum(1)
    assert lengths.tolist() == pytest.approx([1.0, 1.0])


def test_dtypes_of_integers() -> None:
    x = tensor(np.array([1, 2, 3], np.int8))
    mask = tensor(np.array([True, False, True]))
    assert masked.sum(x, mask=mask).dtype == ow.int64
    assert masked.amax(x, mask=mask).dtype == ow.int8
    assert masked.amax(x, mask=tensor(np.array([False] * 3))).item() == -128
    assert masked.var(x, mask=mask).item() == 2.0
    with pytest.raises(ValueError, match=r"mean\(\): argument 'dtype' must be floating"):
        masked.mean(x)
    assert masked.median(x, mask=mask).item() == 1
    with pytest.raises(ValueError, match=r"median\(\): argument 'mask' leaves out a whole line"):
        masked.median(x, mask=tensor(np.array([False] * 3)))


def test_gradients_are_zero_where_the_mask_is_false() -> None:
    x = tensor(X).requires_grad_()
    masked.logsumexp(x, mask=tensor(MASK)).backward()
    assert (x.grad == 0).tolist() == (~MASK).tolist()


def test_a_mask_has_no_more_dimensions_than_the_input() -> None:
    with pytest.raises(IndexError, match=r"sum\(\): argument 'mask' has 2 dimensions"):
        masked.sum(tensor(X[0]), mask=tensor(MASK))


def test_nothing_left() -> None:
    nothing = tensor(np.zeros(2, bool))
    x = tensor(np.array([1.0, 2.0]))
    assert masked.sum(x, mask=nothing).item() == 0.0
    assert np.isnan(masked.mean(x, mask=nothing).item())
    assert masked.amin(x, mask=nothing).item() == float("inf")
    assert masked.norm(x, mask=nothing).item() == 0.0


def test_logarithms_of_sums() -> None:
    x, y = tensor(np.array([1.0, 2.0])), tensor(np.array([1.0, 3.0]))
    mask = tensor(np.array([False, True]))
    found = masked.logaddexp(x, y, other_mask=mask).tolist()
    assert found == pytest.approx([1.0, np.logaddexp(2.0, 3.0)])
