"""Parametrized members of modules, and lengths, norms and orthogonal matrices made so."""

from __future__ import annotations

import copy
import itertools
import math
import pickle
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import opwright
import pytest
from opwright import Tensor, nn
from opwright.nn.utils import parametrizations, parametrize

Module = nn.Module


class Symmetric(Module):
    """No inverse: what is assigned might not be symmetric."""

    def forward(self, x: Tensor) -> Tensor:
        """The upper triangle, twice."""
        return x.triu() + x.triu(1).mT


class Twice(Module):
    """A function with an inverse."""

    def forward(self, x: Tensor) -> Tensor:
        """Twice of it."""
        return 2 * x

    def right_inverse(self, x: Tensor) -> Tensor:
        """Half of it."""
        return x / 2


class Outer(Module):
    """A function of two originals."""

    def forward(self, a: Tensor, b: Tensor) -> Tensor:
        """Their products."""
        return a.unsqueeze(-1) * b

    def right_inverse(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """The first column, and a row so that its first element is kept."""
        return x[:, 0].clone(), x[0] / x[0, 0]


class Own(Module):
    """Any functions, and how often they were called."""

    def __init__(
        self,
        forward: Callable[[Tensor], Any] = lambda it: it,
        inverse: Callable[[Tensor], Any] = lambda it: it,
    ) -> None:
        super().__init__()
        self.both = forward, inverse
        self.count = 0

    def forward(self, x: Tensor) -> Any:
        """What the first function returns."""
        self.count += 1
        return self.both[0](x)

    def right_inverse(self, x: Tensor) -> Any:
        """What the second function returns."""
        return self.both[1](x)


def linear(inputs: int = 3, outputs: int = 3) -> Any:
    opwright.manual_seed(0)
    return nn.Linear(inputs, outputs, dtype=opwright.float64)


def names(module: Module) -> list[str]:
    return [name for name, _ in module.named_parameters()]


def test_members_are_computed() -> None:
    layer = linear()
    weight, before = layer.weight, layer.weight.detach().clone()
    made = parametrize.register_parametrization(layer, "weight", Symmetric())
    assert made is layer and type(layer).__name__ == "ParametrizedLinear"
    assert isinstance(layer, nn.Linear)
    assert layer.parametrizations.weight.original is weight
    assert layer.weight.tolist() == (before.triu() + before.triu(1).mT).tolist()
    assert names(layer) == ["bias", "parametrizations.weight.original"]
    layer(opwright.ones(1, 3, dtype=opwright.float64)).sum().backward()
    assert weight.grad is not None and weight.grad.tril(-1).abs().sum() == 0


def test_members_keep_their_values_and_are_assigned_to() -> None:
    layer = linear()
    before = layer.weight.detach().clone()
    parametrize.register_parametrization(layer, "weight", Twice())
    parametrize.register_parametrization(layer, "weight", Twice())
    # The second takes the value that the first returned, and there is no value to keep for it.
    assert layer.weight.tolist() == (2 * before).tolist()
    layer.weight = before
    assert layer.weight.tolist() == before.tolist()
    assert layer.parametrizations.weight.original.tolist() == (before / 4).tolist()
    before.zero_()
    assert layer.weight.abs().sum() > 0
    parametrize.register_parametrization(layer, "bias", Symmetric(), unsafe=True)
    with pytest.raises(RuntimeError, match="Symmetric has no right_inverse"):
        layer.bias = opwright.ones(3, dtype=opwright.float64)
    with pytest.raises(KeyError, match="has an attribute 'weight' already"):
        layer.weight = nn.Parameter(before)


def test_members_have_several_originals() -> None:
    layer = linear()
    parametrize.register_parametrization(layer, "weight", Outer())
    a, b = layer.parametrizations.weight.original0, layer.parametrizations.weight.original1
    assert names(layer)[1:] == [f"parametrizations.weight.original{at}" for at in (0, 1)]
    assert all(isinstance(it, nn.Parameter) and it.requires_grad for it in (a, b))
    wanted = opwright.outer(opwright.arange(1.0, 4.0), opwright.arange(4.0, 7.0)).double()
    layer.weight = wanted
    np.testing.assert_allclose(layer.weight.detach().numpy(), wanted.numpy())
    assert layer.parametrizations.weight.original0 is a
    layer.weight.sum().backward()
    np.testing.assert_allclose(a.grad.numpy(), b.detach().sum().expand(3).numpy())
    with pytest.raises(ValueError, match="computed from 2 tensors"):
        parametrize.remove_parametrizations(layer, "weight", leave_parametrized=False)
    parametrize.remove_parametrizations(layer, "weight")
    assert sorted(names(layer)) == ["bias", "weight"] and type(layer) is nn.Linear
    np.testing.assert_allclose(layer.weight.detach().numpy(), wanted.numpy())


def test_members_become_plain_again() -> None:
    for leave, factor in ((True, 4), (False, 1)):
        layer = linear()
        weight, value = layer.weight, layer.weight.detach().clone()
        for _ in range(2):
            parametrize.register_parametrization(layer, "weight", Own(lambda it: 2 * it))
        parametrize.register_parametrization(layer, "bias", Twice())
        parametrize.remove_parametrizations(layer, "weight", leave_parametrized=leave)
        assert layer.weight is weight and weight.tolist() == (factor * value).tolist()
        assert parametrize.is_parametrized(layer) and type(layer) is not nn.Linear
        assert parametrize.type_before_parametrizations(layer) is nn.Linear
        parametrize.remove_parametrizations(layer, "bias")
        assert type(layer) is nn.Linear and not hasattr(layer, "parametrizations")
        assert not parametrize.is_parametrized(layer)
        assert parametrize.type_before_parametrizations(layer) is nn.Linear


def test_buffers_stay_buffers() -> None:
    module = Module()
    module.register_buffer("scale", opwright.ones(2))
    parametrize.register_parametrization(module, "scale", Twice())
    assert dict(module.named_buffers())["parametrizations.scale.original"].tolist() == [0.5, 0.5]
    parametrize.remove_parametrizations(module, "scale")
    assert [name for name, _ in module.named_buffers()] == ["scale"]
    assert module.scale.tolist() == [1, 1]


def test_originals_may_have_another_shape_if_that_is_unsafe() -> None:
    def halved(x: Tensor) -> Tensor:
        return x[: len(x) // 2]

    layer = linear(2, 4)
    parametrize.register_parametrization(
        layer, "weight", Own(lambda it: opwright.cat([it, it]), halved)
    )
    assert layer.parametrizations.weight.original.shape == (2, 2)
    layer.weight = opwright.ones(6, 2, dtype=opwright.float64)
    assert layer.weight.shape == (6, 2)
    parametrize.register_parametrization(layer, "weight", Own(lambda it: it[:1]), unsafe=True)
    assert layer.weight.shape == (1, 2) and layer.parametrizations.weight.unsafe


def test_states_are_saved_and_loaded() -> None:
    first, second = (parametrizations.weight_norm(linear(2, 3)) for _ in range(2))
    with opwright.no_grad():
        for parameter in first.parameters():
            parameter.mul_(3)
    second.load_state_dict(first.state_dict())
    assert second.weight.tolist() == first.weight.tolist()


def test_copies_are_independent() -> None:
    layer: Any = parametrize.register_parametrization(linear(), "weight", Twice())
    parametrize.register_parametrization(layer, "bias", Twice())
    other = copy.deepcopy(layer)
    assert other.weight.tolist() == layer.weight.tolist()
    parametrize.remove_parametrizations(other, "bias")
    parametrize.remove_parametrizations(other, "weight")
    assert type(other) is nn.Linear
    with opwright.no_grad():
        layer.parametrizations.bias.original.zero_()
    assert other.bias is not None
    assert layer.bias.tolist() == [0, 0, 0] != other.bias.tolist()
    twice = copy.deepcopy([layer, layer])
    assert twice[0] is twice[1] is not layer
    with pytest.raises(RuntimeError, match=r"save its state_dict\(\)"):
        pickle.dumps(layer)


def test_modes_and_conversions_reach_parametrizations() -> None:
    layer = linear().eval()
    function = Own()
    parametrize.register_parametrization(layer, "weight", function)
    modes = [function.training]
    layer.train()
    assert [*modes, function.training] == [False, True]
    layer.float()
    assert layer.weight.dtype == opwright.float32


def test_values_are_computed_once_in_a_block() -> None:
    layer = linear()
    function = Own()
    parametrize.register_parametrization(layer, "weight", function)

    def calls(read: Callable[[], object]) -> int:
        before = function.count
        read()
        return function.count - before

    def elsewhere() -> None:
        thread = threading.Thread(target=lambda: [layer.weight, layer.weight])
        thread.start()
        thread.join()

    assert calls(lambda: [layer.weight, layer.weight]) == 2
    other = copy.deepcopy(layer)
    with parametrize.cached():
        assert calls(lambda: [layer.weight, layer.weight]) == 1
        with parametrize.cached():
            assert calls(lambda: layer.weight) == 0
        assert calls(lambda: layer.weight) == 0
        assert layer.weight is layer.weight is not other.weight
        assert calls(elsewhere) == 2
    assert calls(lambda: layer.weight) == 1
    with pytest.raises(ValueError, match="no"), parametrize.cached():
        assert calls(lambda: layer.weight) == 1
        raise ValueError("no")
    assert calls(lambda: [layer.weight, layer.weight]) == 2


WRONG = [
    (Own(lambda it: it[0]), "must not change the shape.*but it returns"),
    (Own(lambda it: it.float()), "must not change the dtype.*float64, but it returns.*float32"),
    (Own(lambda it: [it]), "must return a tensor, but it returns an object of type list"),
    (Own(inverse=lambda it: it.float()), "dtype.*its right_inverse returns"),
    (Own(inverse=lambda it: None), "(tensor or a sequence|must return a tensor)"),
]


@pytest.mark.parametrize(("function", "message"), WRONG)
def test_wrong_functions_leave_the_module_alone(function: Module, message: str) -> None:
    layer = linear()
    before = layer.weight
    with pytest.raises(ValueError, match=message):
        parametrize.register_parametrization(layer, "weight", function)
    assert layer.weight is before and type(layer) is nn.Linear
    parametrize.register_parametrization(layer, "weight", Twice())
    with pytest.raises(ValueError, match=message):
        parametrize.register_parametrization(layer, "weight", function)
    assert len(layer.parametrizations.weight) == 1


def test_wrong_members_and_values_are_refused() -> None:
    layer = linear()
    with pytest.raises(ValueError, match=r"Linear has no parameter, buffer or .* 'nothing'"):
        parametrize.register_parametrization(layer, "nothing", Twice())
    with pytest.raises(ValueError, match="Linear has no parametrized member 'weight'"):
        parametrize.remove_parametrizations(layer, "weight")
    with pytest.raises(ValueError, match="needs modules"):
        parametrize.ParametrizationList([], layer.weight)
    outer = parametrize.register_parametrization(linear(), "weight", Outer())
    function = outer.parametrizations.weight[0]
    for wrong in (lambda it: it, lambda it: (it, it, it), lambda it: (it, it.float())):
        function.right_inverse = wrong
        with pytest.raises(ValueError, match="right_inverse"):
            outer.weight = opwright.ones(3, 3, dtype=opwright.float64)
    module = Module()
    module.register_parameter("keys", nn.Parameter(opwright.ones(2)))
    # Modules in a dictionary cannot be called like its methods.
    with pytest.raises(KeyError, match="'keys'"):
        parametrize.register_parametrization(module, "keys", Twice())
    assert isinstance(module.keys, nn.Parameter) and type(module) is Module


# --- lengths -----------------------------------------------------------------------------------


@pytest.mark.parametrize("dim", [0, 1, -2, None])
def test_lengths_are_learnt_by_themselves(dim: int | None) -> None:
    layer = linear(4, 3)
    before = layer.weight.detach().numpy().copy()
    parametrizations.weight_norm(layer, dim=dim)
    g, v = layer.parametrizations.weight.original0, layer.parametrizations.weight.original1
    assert g.shape == {0: (3, 1), 1: (1, 4), -2: (3, 1), None: ()}[dim]
    np.testing.assert_allclose(layer.weight.detach().numpy(), before, rtol=1e-12)
    with opwright.no_grad():
        g.fill_(2.0)
        v.mul_(10.0)
    axis = {0: 1, 1: 0, -2: 1, None: None}[dim]
    lengths = np.sqrt((layer.weight.detach().numpy() ** 2).sum(axis))
    np.testing.assert_allclose(lengths, 2.0)
    layer.weight.sum().backward()
    # The gradient of a direction is orthogonal to it.
    np.testing.assert_allclose((v * v.grad).sum(axis).detach().numpy(), 0, atol=1e-12)
    parametrizations.weight_norm(layer, "bias")
    assert layer.parametrizations.bias.original0.shape == (3,)
    with pytest.raises(ValueError, match="'nothing'"):
        parametrizations.weight_norm(layer, "nothing")


# --- norms -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "dim"),
    [
        (lambda: linear(5, 3), None),
        (lambda: linear(5, 3), -1),
        (lambda: nn.Conv2d(2, 3, 2, dtype=opwright.float64), None),
        (lambda: nn.ConvTranspose1d(2, 3, 2, dtype=opwright.float64), None),
        (lambda: nn.Conv2d(2, 3, 2, dtype=opwright.float64), 2),
    ],
)
def test_the_greatest_singular_value_is_one(make: Callable[[], Any], dim: int | None) -> None:
    layer = make()
    before = layer.weight.detach().numpy().copy()
    axis = 1 if isinstance(layer, nn.ConvTranspose1d) else dim or 0
    matrix = np.moveaxis(before, axis, 0)
    parametrizations.spectral_norm(layer, n_power_iterations=50, dim=dim)
    greatest = np.linalg.svd(matrix.reshape(len(matrix), -1))[1][0]
    np.testing.assert_allclose(layer.weight.detach().numpy(), before / greatest, rtol=1e-3)
    layer.eval()
    assert layer.weight.tolist() == layer.weight.tolist()


def test_vectors_are_remembered_and_gradients_go_through_two_steps() -> None:
    layer = parametrizations.spectral_norm(linear(5, 3))
    buffers = dict(layer.named_buffers())
    assert sorted(buffers) == [f"parametrizations.weight.0.{it}" for it in ("_u", "_v")]
    memory = buffers["parametrizations.weight.0._u"]
    before = memory.clone()
    difference = (layer.weight - 2 * layer.weight).sum()
    assert (memory != before).any()
    difference.backward()
    assert layer.parametrizations.weight.original.grad is not None
    parametrizations.spectral_norm(layer, "bias")
    assert layer.bias.norm().item() == pytest.approx(1)
    layer.weight = opwright.ones(3, 5, dtype=opwright.float64)
    assert layer.parametrizations.weight.original.tolist() == [[1.0] * 5] * 3


def test_wrong_norms_are_refused() -> None:
    with pytest.raises(ValueError, match="Linear has no parameter or buffer 'nothing'"):
        parametrizations.spectral_norm(linear(), "nothing")
    with pytest.raises(IndexError, match="'dim' must be from -2 to 1, but is 2"):
        parametrizations.spectral_norm(linear(), dim=2)
    with pytest.raises(ValueError, match="'n_power_iterations' must be positive, but is 0"):
        parametrizations.spectral_norm(linear(), n_power_iterations=0)


# --- orthogonal matrices -------------------------------------------------------------------------

MAPS = ["matrix_exp", "cayley", "householder", None]


def is_orthogonal(weight: Tensor) -> bool:
    matrix = weight.detach().numpy()
    matrix = matrix if matrix.shape[-2] >= matrix.shape[-1] else matrix.swapaxes(-1, -2)
    product = matrix.conj().swapaxes(-1, -2) @ matrix
    return bool(np.allclose(product, np.eye(matrix.shape[-1]), atol=1e-10))


@pytest.mark.parametrize(
    ("name", "shape", "trivial"),
    [*itertools.product(MAPS, [(3, 3), (5, 2), (2, 5)], [True, False])],
)
def test_matrices_stay_orthogonal(name: str | None, shape: tuple[int, int], trivial: bool) -> None:
    layer = linear(shape[1], shape[0])
    parametrizations.orthogonal(layer, orthogonal_map=name, use_trivialization=trivial)
    assert is_orthogonal(layer.weight)
    optimizer = opwright.optim.SGD([layer.parametrizations.weight.original], lr=0.05)
    target = opwright.from_numpy(np.linalg.qr(np.random.default_rng(1).normal(size=(5, 5)))[0])
    losses = []
    for _ in range(20):
        optimizer.zero_grad()
        loss = ((layer.weight - target[: shape[0], : shape[1]]) ** 2).sum()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
        assert is_orthogonal(layer.weight)
    assert losses[-1] < losses[0]


@pytest.mark.parametrize("shape", [(3, 3), (5, 2), (2, 5)])
@pytest.mark.parametrize(
    ("name", "trivial"), [*((it, True) for it in MAPS), ("householder", False)]
)
def test_orthogonal_matrices_are_assigned(
    name: str | None, trivial: bool, shape: tuple[int, int]
) -> None:
    layer = linear(shape[1], shape[0])
    parametrizations.orthogonal(layer, orthogonal_map=name, use_trivialization=trivial)
    square = np.linalg.qr(np.random.default_rng(1).normal(size=(5, 5)))[0]
    if shape == (3, 3):
        square = np.linalg.qr(square[:3, :3])[0]
    wanted = square[: shape[0], : shape[1]]
    if shape[0] < shape[1]:
        wanted = square[:, : shape[0]].T
    layer.weight = opwright.from_numpy(wanted.copy())
    np.testing.assert_allclose(layer.weight.detach().numpy(), wanted, atol=1e-12)
    # One that is not orthogonal is replaced by what is, with the same span.
    layer.weight = opwright.from_numpy(3 * wanted)
    np.testing.assert_allclose(layer.weight.detach().numpy(), wanted, atol=1e-12)
    with pytest.raises(ValueError, match=r"of the shape .* cannot be set to"):
        layer.weight = opwright.ones(9, 9, dtype=opwright.float64)


@pytest.mark.parametrize("shape", [(3, 3), (4, 2), (2, 3, 2)])
def test_complex_matrices_are_unitary(shape: tuple[int, ...]) -> None:
    module = Module()
    rng = np.random.default_rng(0)
    start = rng.normal(size=shape) + 1j * rng.normal(size=shape)
    module.register_parameter("weight", nn.Parameter(opwright.from_numpy(start)))
    parametrizations.orthogonal(module)
    assert is_orthogonal(module.weight)
    with opwright.no_grad():
        module.parametrizations.weight.original.add_(0.3 + 0.2j)
    assert is_orthogonal(module.weight)


def test_wrong_matrices_are_refused() -> None:
    with pytest.raises(ValueError, match="Linear has no parameter or buffer 'nothing'"):
        parametrizations.orthogonal(linear(), "nothing")
    with pytest.raises(ValueError, match=r"must be a matrix.* has the shape \[3\]"):
        parametrizations.orthogonal(linear(), "bias")
    with pytest.raises(ValueError, match="'orthogonal_map' must be 'matrix_exp', 'cayley' or"):
        parametrizations.orthogonal(linear(), orthogonal_map="givens")
    module = Module()
    module.register_parameter("weight", nn.Parameter(opwright.ones(2, 2) * 1j))
    with pytest.raises(ValueError, match="'householder' is for real matrices"):
        parametrizations.orthogonal(module, orthogonal_map="householder")
    layer = parametrizations.orthogonal(linear(), orthogonal_map="cayley", use_trivialization=False)
    with pytest.raises(NotImplementedError, match="made by 'cayley' cannot be assigned to"):
        layer.weight = opwright.eye(3, dtype=opwright.float64)
    assert math.isclose(abs(opwright.linalg.det(layer.weight).item()), 1, rel_tol=1e-9)
