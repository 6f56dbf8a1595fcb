"""Gradients in graphs of branches that `where` does not take."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import opwright as ow
import pytest
from opwright import _C, graph

MODES = [None, ow.Mode(optimizer="none"), ow.Mode(optimizer="safe")]

# A branch, where it is taken, and where it is not because its slope is infinite.
BRANCHES: list[tuple[str, Callable[[Any], Any], Callable[[Any], Any], list[float], list[float]]] = [
    ("exp", lambda x: x <= 0, lambda x: x.exp(), [-1.0, 0.0], [1e3, math.inf]),
    ("exp of square", lambda x: x <= 1, lambda x: (x * x).exp(), [-1.0, 0.5], [1e3]),
    ("log", lambda x: x > 0, lambda x: x.log(), [1.0, 2.0], [0.0, -0.0]),
    ("sqrt", lambda x: x > 0, lambda x: x.sqrt(), [1.0, 2.0], [0.0]),
    ("x sqrt", lambda x: x > 0, lambda x: x.sqrt() * x, [1.0, 2.0], [0.0]),
    ("rsqrt", lambda x: x > 0, lambda x: x.rsqrt(), [1.0, 2.0], [0.0]),
    ("quotient", lambda x: ow.ne(x, 0), lambda x: 1 / x, [1.0, -2.0], [0.0]),
    ("sine over x", lambda x: ow.ne(x, 0), lambda x: x.sin() / x, [1.0, 2.0], [0.0]),
    ("asin", lambda x: x < 1, lambda x: x.asin(), [0.5, 0.0], [1.0]),
    ("power", lambda x: x > 0, lambda x: x**0.5, [1.0, 2.0], [0.0]),
]


def variable(name: str = "x", extent: int | None = None) -> Any:
    return _C._graph.tensor_type(ow.float64, [extent])(name)


def gradient(cost: Any, x: Any, values: list[float], mode: Any) -> np.ndarray[Any, Any]:
    wanted = graph.grad(cost.sum(), x)
    function = ow.function([x], wanted) if mode is None else ow.function([x], wanted, mode=mode)
    return np.asarray(function(ow.tensor(values, dtype=ow.float64)))


@pytest.mark.parametrize("extent", [None, "known"])
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("name", "condition", "branch", "taken", "left"), BRANCHES)
def test_branches_that_are_not_taken_have_no_gradient(
    name: str,
    condition: Callable[[Any], Any],
    branch: Callable[[Any], Any],
    taken: list[float],
    left: list[float],
    mode: Any,
    extent: str | None,
) -> None:
    values = taken + left
    x = variable(extent=len(values) if extent else None)
    alone = gradient(branch(x), x, taken, mode) if extent is None else None
    first = gradient(ow.where(condition(x), branch(x), 1 + x), x, values, mode)
    second = gradient(ow.where(ow.logical_not(condition(x)), 3 * x, branch(x)), x, values, mode)
    assert first[len(taken) :].tolist() == [1.0] * len(left), name
    assert second[len(taken) :].tolist() == [3.0] * len(left), name
    if alone is not None:
        np.testing.assert_array_equal(first[: len(taken)], alone)
        np.testing.assert_array_equal(second[: len(taken)], alone)


@pytest.mark.parametrize(
    ("order", "condition", "branch", "values", "last"),
    [
        (2, lambda x: x <= 0, lambda x: x.exp(), [-1.0, 1e3], math.exp(-1)),
        (3, lambda x: x <= 0, lambda x: x.exp(), [-1.0, 1e3], math.exp(-1)),
        (2, lambda x: x > 0, lambda x: x.log(), [2.0, 0.0], -0.25),
    ],
)
def test_derivatives_of_higher_order(
    order: int,
    condition: Callable[[Any], Any],
    branch: Callable[[Any], Any],
    values: list[float],
    last: float,
) -> None:
    x = variable()
    cost = ow.where(condition(x), branch(x), 1 + x)
    for _ in range(order - 1):
        cost = graph.grad(cost.sum(), x)
    found = gradient(cost, x, values, None)
    np.testing.assert_allclose(found, [last, 0.0])


def test_operands_that_are_stretched_are_summed() -> None:
    x, y = variable("x"), variable("y")
    wanted = graph.grad(ow.where(ow.ne(y, 0), x / y, 0.0).sum(), [x, y])
    function = ow.function([x, y], wanted)
    both = function(ow.tensor([1.0, 2.0]).double(), ow.tensor([0.0, 2.0]).double())
    assert [it.tolist() for it in both] == [[0.0, 0.5], [0.0, -0.5]]
    both = function(ow.tensor([1.0]).double(), ow.tensor([4.0, 2.0]).double())
    assert [it.tolist() for it in both] == [[0.75], [-0.0625, -0.25]]


def test_a_gradient_that_is_no_number_stays_so_where_it_is_taken() -> None:
    x = variable()
    found = gradient(ow.where(x <= 0, x.exp(), x.log()) * math.nan, x, [-1.0, 2.0], None)
    assert np.isnan(found).all()
