"""Cells of recurrent networks beside their formulas."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import opwright
import pytest
from opwright import nn

Array = np.ndarray[Any, Any]


def sigmoid(x: Array) -> Any:
    return 1 / (1 + np.exp(-x))


def parts(cell: Any, x: Array, h: Array, count: int) -> tuple[list[Array], list[Array]]:
    """What each gate has of the input and of the state."""
    state = {name: it.numpy() for name, it in cell.state_dict().items()}
    of_x = x @ state["weight_ih"].T + state.get("bias_ih", 0.0)
    of_h = h @ state["weight_hh"].T + state.get("bias_hh", 0.0)
    return np.split(of_x, count, -1), np.split(of_h, count, -1)


def rnn(cell: Any, x: Array, h: Array) -> list[Any]:
    (a,), (b,) = parts(cell, x, h, 1)
    return [np.tanh(a + b) if cell.nonlinearity == "tanh" else np.maximum(a + b, 0)]


def gru(cell: Any, x: Array, h: Array) -> list[Any]:
    a, b = parts(cell, x, h, 3)
    r, z = sigmoid(a[0] + b[0]), sigmoid(a[1] + b[1])
    return [(1 - z) * np.tanh(a[2] + r * b[2]) + z * h]


def lstm(cell: Any, x: Array, h: Array, c: Array) -> list[Any]:
    i, f, g, o = (a + b for a, b in zip(*parts(cell, x, h, 4), strict=True))
    c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
    return [sigmoid(o) * np.tanh(c), c]


CELLS: list[tuple[Callable[..., Any], Callable[..., list[Any]], int]] = [
    (nn.RNNCell, rnn, 1),
    (functools.partial(nn.RNNCell, nonlinearity="relu"), rnn, 1),
    (nn.GRUCell, gru, 1),
    (nn.LSTMCell, lstm, 2),
]


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize(("make", "formula", "count"), CELLS, ids=["tanh", "relu", "gru", "lstm"])
def test_cells_are_their_formulas(
    make: Callable[..., Any],
    formula: Callable[..., list[Any]],
    count: int,
    bias: bool,
    rng: np.random.Generator,
) -> None:
    cell = make(3, 4, bias=bias, dtype=opwright.float64)
    x = rng.normal(size=(5, 3))
    states = [rng.normal(size=(5, 4)) for _ in range(count)]
    tensors = [opwright.from_numpy(it) for it in states]
    for given, expected in (
        (tensors, formula(cell, x, *states)),
        (None, formula(cell, x, *(0 * it for it in states))),
    ):
        hx: Any = given if given is None or count > 1 else given[0]
        found = cell(opwright.from_numpy(x), hx)
        alone = None if given is None else [it[0] for it in given]
        single = cell(opwright.from_numpy(x[0]), alone if alone is None or count > 1 else alone[0])
        if count == 1:
            found, single = (found,), (single,)
        assert isinstance(found, tuple)
        for made, one, wanted in zip(found, single, expected, strict=True):
            np.testing.assert_allclose(made.detach().numpy(), wanted, rtol=1e-12, atol=1e-12)
            np.testing.assert_allclose(one.detach().numpy(), wanted[0], rtol=1e-12, atol=1e-12)
    found[0].sum().backward()
    assert all(it.grad is not None for it in cell.parameters())


def test_what_cells_start_with() -> None:
    opwright.manual_seed(0)
    for cell in (nn.RNNCell(50, 100), nn.LSTMCell(50, 100), nn.GRUCell(50, 100)):
        for parameter in cell.parameters():
            assert abs(parameter).max().item() <= 0.1
        weight = cell.weight_hh.detach().double()
        assert abs(weight.std().item() / (0.1 / math.sqrt(3)) - 1) < 0.03


def test_what_is_refused() -> None:
    x = opwright.ones
    with pytest.raises(ValueError, match="RNNCell: expected input to be 1D or 2D, got 3D"):
        nn.RNNCell(3, 4)(x(1, 2, 3))
    with pytest.raises(ValueError, match="LSTMCell: expected hx to be 1D or 2D, got 3D"):
        nn.LSTMCell(3, 4)(x(2, 3), (x(2, 4), x(1, 2, 4)))
    with pytest.raises(RuntimeError, match="must be 'tanh' or 'relu', but is 'sine'"):
        nn.RNNCell(3, 4, nonlinearity="sine")(x(2, 3))
    with pytest.raises(ValueError, match=r"GRUCell\(\): argument 'hidden_size' must not be neg"):
        nn.GRUCell(3, -4)
