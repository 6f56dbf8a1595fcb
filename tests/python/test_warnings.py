"""Calls that succeed and most likely do not do what was meant say so, once per place."""

import warnings
from collections.abc import Callable
from typing import Any

import opwright
import pytest
from opwright import nn, tensor

F = nn.functional

LOSSES = [
    F.mse_loss,
    F.l1_loss,
    F.smooth_l1_loss,
    F.huber_loss,
    lambda x, y: nn.MSELoss()(x, y),
    lambda x, y: nn.L1Loss(reduction="none")(x, y),
    lambda x, y: nn.SmoothL1Loss()(x, y),
    lambda x, y: nn.HuberLoss()(x, y),
]


@pytest.mark.parametrize("loss", LOSSES)
def test_losses_of_different_shapes(loss: Callable[..., Any]) -> None:
    x, y = opwright.ones(3, 1), opwright.ones(3)
    with pytest.warns(UserWarning, match=r"\[3, 1\] and the target \[3\]") as caught:
        loss(x, y)
    assert [it.filename for it in caught] == [__file__]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        loss(x, x)
        with pytest.raises(UserWarning, match="shape"):
            loss(x, y)


def test_once_per_place() -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        for _ in range(3):
            F.mse_loss(opwright.ones(2, 1), opwright.ones(2))
        F.mse_loss(opwright.ones(2, 1), opwright.ones(2))
    assert len(caught) == 2


def test_probabilities_of_different_shapes() -> None:
    x = opwright.full((3, 1), 0.5)
    for loss in (F.binary_cross_entropy, F.binary_cross_entropy_with_logits):
        with pytest.raises(ValueError, match=r"'target' must have the shape of the input"):
            loss(x, opwright.ones(3))
    with pytest.raises(ValueError, match="shape"):
        nn.BCELoss()(x, opwright.ones(3))


def test_numbers_that_no_element_can_be() -> None:
    x = tensor([1, 2, 255], dtype=opwright.uint8)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for number in (5, 256, 257, -1, -254, 1.5, 1j, 2**70, -(2**70), float("nan")):
            assert number not in x
            assert number not in x.double()
        assert 255 in x and 2.0 in x and True in x


def test_bytes_as_indices() -> None:
    x, bytes_ = opwright.arange(3), tensor([0, 1, 1], dtype=opwright.uint8)
    with pytest.warns(UserWarning, match="uint8 is taken for a mask"):
        assert x[bytes_].tolist() == [1, 2]
    with pytest.warns(UserWarning, match="uint8"):
        x[bytes_] = 7
    assert x.tolist() == [0, 7, 7]


@pytest.mark.parametrize("name", ["var", "std", "var_mean", "std_mean"])
def test_spread_of_one_element(name: str) -> None:
    function = getattr(opwright, name)
    with pytest.warns(UserWarning, match="correction"):
        function(opwright.ones(1))
    with pytest.warns(UserWarning, match="correction"):
        function(opwright.ones(2, 1), 1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        function(opwright.ones(1), correction=0)
        function(opwright.ones(2))
        function(opwright.ones(0, 1), 1)


def test_tensors_in_tensors() -> None:
    x = opwright.ones(2, 2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert 1 in x
        assert tensor(1.0) in x
    with pytest.warns(UserWarning, match="any element"):
        assert tensor([5.0, 1.0]) in x
