"""Gradients and values of all parameters of a model, fused layers, and layers not drawn."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import opwright
import pytest
from layouts import Array
from opwright import Tensor, nn
from opwright.nn import utils


def parameters(scale: float = 3.0) -> list[Tensor]:
    """Parameters with gradients, and one without."""
    rng = np.random.default_rng(0)
    made = [opwright.zeros(it, dtype=opwright.float64).requires_grad_() for it in [(3, 2), (4,)]]
    for it in made:
        it.grad = opwright.from_numpy(scale * rng.normal(size=it.shape))
    return [*made, opwright.zeros(2).requires_grad_()]


def gradients(given: list[Tensor]) -> Array:
    parts = [it.grad.numpy().ravel() for it in given if it.grad is not None]
    return np.concatenate(parts)


NORMS: list[Any] = [2, 2.0, 1, 0.5, 3, math.inf, -math.inf, "inf", 0]


@pytest.mark.parametrize("order", NORMS)
def test_gradients_are_scaled_to_a_norm(order: Any) -> None:
    given = parameters()
    before = gradients(given)
    expected = float(np.linalg.norm(before, float(order)))
    if order == 0:
        # The norm of the numbers of elements that are not zero.
        expected = 2.0
    total = utils.clip_grad_norm_(given, 1.5, order)
    assert total.item() == pytest.approx(expected)
    factor = min(1, 1.5 / (expected + 1e-6))
    np.testing.assert_allclose(gradients(given), before * factor, rtol=1e-12)
    slopes = [it.grad for it in parameters() if it.grad is not None]
    assert utils.get_total_norm(slopes, order).item() == pytest.approx(expected)


def test_small_gradients_stay() -> None:
    given = parameters(1e-3)
    before = gradients(given)
    utils.clip_grad_norm_(given, 1.5)
    assert (gradients(given) == before).all()


def test_norms_and_scales_come_apart() -> None:
    together, apart = parameters(), parameters()
    total = utils.clip_grad_norm_((it for it in together), 1.5, foreach=False)
    norm = utils.get_total_norm((it.grad for it in apart if it.grad is not None), foreach=True)
    assert norm.item() == total.item() and not norm.requires_grad
    for each in apart[:2]:
        utils.clip_grads_with_norm_(each, 1.5, norm)
    assert (gradients(apart) == gradients(together)).all()


def test_norms_of_nothing() -> None:
    assert utils.clip_grad_norm_([], 1.0).item() == 0.0
    assert utils.clip_grad_norm_(opwright.ones(2, requires_grad=True), 1.0).item() == 0.0
    assert utils.get_total_norm([]).item() == 0.0
    assert utils.get_total_norm(opwright.full((2, 2), 2.0)).item() == 4.0
    utils.clip_grads_with_norm_([], 1.0, opwright.tensor(2.0))
    utils.clip_grad_value_([], 1.0)


@pytest.mark.parametrize("value", [math.inf, math.nan])
def test_norms_that_are_not_finite(value: float) -> None:
    given = [opwright.tensor([value, 1.0])]
    assert not math.isfinite(utils.get_total_norm(given).item())
    with pytest.raises(RuntimeError, match="norm of the gradients is"):
        utils.get_total_norm(given, error_if_nonfinite=True)


@pytest.mark.parametrize("order", ["fro", "x", None, [2]])
def test_wrong_orders_of_norms(order: Any) -> None:
    with pytest.raises((ValueError, TypeError)):
        utils.clip_grad_norm_(parameters(), 1.0, order)
    with pytest.raises((ValueError, TypeError)):
        utils.get_total_norm([opwright.ones(2)], order)


@pytest.mark.parametrize("limit", [0.7, 0, opwright.tensor(0.5)])
def test_gradients_are_drawn_into_limits(limit: Any) -> None:
    given = parameters()
    before = gradients(given)
    utils.clip_grad_value_(given, limit, foreach=None)
    assert (gradients(given) == before.clip(-float(limit), float(limit))).all()


def test_limits_are_numbers() -> None:
    for call in (
        lambda it: utils.clip_grad_value_(parameters(), it),
        lambda it: utils.clip_grad_norm_(parameters(), it),
        lambda it: utils.clip_grads_with_norm_(parameters(), it, opwright.tensor(1.0)),
    ):
        for wrong in (None, "much", opwright.ones(2)):
            with pytest.raises(TypeError, match=r"'(clip_value|max_norm)' must be a number, not"):
                call(wrong)
    with pytest.raises(ValueError, match="max_norm must not be negative"):
        utils.clip_grad_norm_(parameters(), -1.0)


def test_parameters_are_a_vector_and_back() -> None:
    source = [opwright.arange(6.0).reshape(2, 3), opwright.tensor(7.0), opwright.ones(0)]
    vector = utils.parameters_to_vector(source)
    assert vector.tolist() == [0, 1, 2, 3, 4, 5, 7]
    made = [opwright.zeros_like(it).requires_grad_() for it in source]
    utils.vector_to_parameters(vector, made)
    assert [it.tolist() for it in made] == [it.tolist() for it in source]
    for wrong in (vector[:-1], vector.reshape(1, -1)):
        with pytest.raises(ValueError, match=r"must have the shape \[7\]"):
            utils.vector_to_parameters(wrong, made)
    with pytest.raises(TypeError, match="'vec' must be a Tensor, not list"):
        utils.vector_to_parameters([1.0], made)  # type: ignore[arg-type]
    with pytest.raises((RuntimeError, ValueError), match=r"^parameters_to_vector\(\)"):
        utils.parameters_to_vector([])


# --- fusion --------------------------------------------------------------------------------------


def normalization(affine: bool, features: int = 4) -> Any:
    """The members of a batch normalization in evaluation."""
    rng = np.random.default_rng(1)

    def drawn() -> Tensor:
        return opwright.from_numpy(rng.normal(size=features))

    return SimpleNamespace(
        running_mean=drawn(),
        running_var=drawn().abs() + 0.1,
        eps=1e-3,
        weight=drawn() if affine else None,
        bias=drawn() if affine else None,
        num_features=features,
        training=False,
    )


def normalized(x: Tensor, norm: Any) -> Tensor:
    """What a batch normalization returns, along the second dimension."""
    shape = [1, -1, *[1] * (x.dim() - 2)]
    divisor = (norm.running_var + norm.eps).sqrt().reshape(shape)
    found: Tensor = (x - norm.running_mean.reshape(shape)) / divisor
    if norm.weight is not None:
        found = found * norm.weight.reshape(shape) + norm.bias.reshape(shape)
    return found


@pytest.mark.parametrize("affine", [True, False])
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("kind", ["Conv1d", "Conv2d", "ConvTranspose2d", "Linear"])
def test_layers_are_fused(kind: str, bias: bool, affine: bool) -> None:
    sizes = (3, 4) if kind == "Linear" else (3, 4, 2)
    layer = getattr(nn, kind)(*sizes, bias=bias, dtype=opwright.float64).eval()
    norm = normalization(affine)
    if kind == "Linear":
        fused = utils.fuse_linear_bn_eval(layer, norm)
    else:
        fused = utils.fuse_conv_bn_eval(layer, norm, transpose="Transpose" in kind)
    assert type(fused) is type(layer) and fused is not layer
    assert fused.weight.requires_grad and fused.bias.requires_grad is bias
    places = {"Linear": (), "Conv1d": (5,)}.get(kind, (5, 5))
    x = opwright.from_numpy(np.random.default_rng(2).normal(size=(2, 3, *places)))
    expected = normalized(layer(x), norm)
    np.testing.assert_allclose(fused(x).detach().numpy(), expected.detach().numpy(), rtol=1e-10)


def test_layers_that_cannot_be_fused() -> None:
    layer, norm = nn.Linear(3, 4), normalization(True)
    with pytest.raises(AssertionError, match=r"being trained; call eval\(\)"):
        utils.fuse_linear_bn_eval(layer, norm)
    norm.training = True
    with pytest.raises(AssertionError, match="being trained"):
        utils.fuse_conv_bn_eval(nn.Conv1d(3, 4, 2).eval(), norm)
    with pytest.raises(AssertionError, match="has 4 features, and the normalization is for 5"):
        utils.fuse_linear_bn_eval(layer.eval(), normalization(True, 5))
    norm = normalization(True)
    norm.running_mean = None
    with pytest.raises(AssertionError, match="no statistics"):
        utils.fuse_linear_bn_eval(layer.eval(), norm)


# --- layers that are not drawn -------------------------------------------------------------------


def test_parameters_are_not_drawn() -> None:
    opwright.manual_seed(0)
    expected = opwright.rand(3).tolist()
    opwright.manual_seed(0)
    layer = utils.skip_init(nn.Linear, 3, out_features=2, dtype=opwright.float64)
    assert layer.weight.shape == (2, 3) and layer.weight.dtype == opwright.float64
    assert layer.weight.device.type == "cpu" and layer.weight.requires_grad and layer.training
    assert opwright.rand(3).tolist() == expected
    layer.load_state_dict(nn.Linear(3, 2, dtype=opwright.float64).state_dict())
    assert utils.skip_init(nn.Conv1d, 2, 3, 1, device="meta").weight.device.type == "meta"


def test_memory_is_new_on_a_device() -> None:
    outer = nn.Sequential(nn.Linear(2, 2, device="meta"))
    outer.register_buffer("mean", opwright.ones(2, device="meta"))
    assert outer.to_empty(device="cpu", recurse=False) is outer
    assert outer.mean.device.type == "cpu" and outer[0].weight.device.type == "meta"
    outer.to_empty(device="cpu")
    assert outer[0].weight.device.type == "cpu" and isinstance(outer[0].weight, nn.Parameter)


def test_what_cannot_be_skipped() -> None:
    with pytest.raises(RuntimeError, match="ReLU takes no 'device'"):
        utils.skip_init(nn.ReLU)
    with pytest.raises(RuntimeError, match="must be a class of modules, not dict"):
        utils.skip_init(dict)  # type: ignore[type-var]
    with pytest.raises(TypeError, match="must be a class, not int"):
        utils.skip_init(5)  # type: ignore[arg-type]


def test_names_are_found_where_they_were() -> None:
    for name in utils.__all__:
        assert getattr(utils, name) is not None
    assert set(utils.__all__) <= set(dir(utils))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        utils.nothing  # noqa: B018
