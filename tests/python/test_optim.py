"""Optimizers: one call for all parameters, the same one by one, and numpy."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import opwright
import pytest
from layouts import Array
from opwright import Tensor, optim

DTYPES = {
    opwright.float64: 1e-12,
    opwright.float32: 2e-6,
    opwright.float16: 2e-2,
    opwright.bfloat16: 2e-1,
}

SGD_OPTIONS: list[dict[str, Any]] = [
    {},
    {"weight_decay": 0.1},
    {"momentum": 0.9},
    {"momentum": 0.9, "nesterov": True, "weight_decay": 0.1},
    {"momentum": 0.5, "dampening": 0.3, "maximize": True},
]
ADAM_OPTIONS: list[dict[str, Any]] = [
    {},
    {"weight_decay": 0.1},
    {"amsgrad": True},
    {"betas": (0.5, 0.9), "amsgrad": True, "weight_decay": 0.1, "maximize": True},
]
OPTIMIZERS: list[tuple[Callable[..., optim.Optimizer], dict[str, Any]]] = [
    *((optim.SGD, it) for it in SGD_OPTIONS),
    *((kind, it) for kind in (optim.Adam, optim.AdamW) for it in ADAM_OPTIONS),
]


def leaf(array: Array, dtype: opwright.dtype) -> Tensor:
    return opwright.from_numpy(array).to(dtype).requires_grad_()


def parameters(dtype: opwright.dtype) -> list[Tensor]:
    """Parameters whose elements lie in different ways."""
    rng = np.random.default_rng(0)
    plain = [leaf(rng.normal(size=shape), dtype) for shape in [(3, 5), (0, 2), (), (70,)]]
    matrix = opwright.from_numpy(rng.normal(size=(4, 6))).to(dtype)
    return [*plain, matrix.t().requires_grad_(), matrix.clone()[::2, 1::3].requires_grad_()]


def gradients(like: list[Tensor], step: int) -> list[Tensor]:
    rng = np.random.default_rng(step + 1)
    return [opwright.from_numpy(rng.normal(size=it.shape)).to(it.dtype) for it in like]


def train(optimizer: optim.Optimizer, learnt: list[Tensor], steps: int = 4) -> list[Tensor]:
    for step in range(steps):
        for parameter, gradient in zip(learnt, gradients(learnt, step), strict=True):
            parameter.grad = gradient
        optimizer.step()
    return [it.detach() for it in learnt]


def near(found: Tensor, expected: Tensor, tolerance: float) -> None:
    np.testing.assert_allclose(
        found.double().numpy(), expected.double().numpy(), rtol=tolerance, atol=tolerance
    )


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize(("kind", "options"), OPTIMIZERS)
def test_one_call_does_what_many_do(
    kind: Callable[..., optim.Optimizer], options: dict[str, Any], dtype: opwright.dtype
) -> None:
    if kind is not optim.SGD:
        # The smallest squares are zero in half precision, where it is calculated in that.
        options = {"eps": 1e-2, **options}
    fused, single = parameters(dtype), parameters(dtype)
    one = kind(fused, lr=0.05, fused=True, **options)
    many = kind(single, lr=0.05, fused=False, **options)
    pairs = zip(train(one, fused), train(many, single), strict=True)
    for found, expected in pairs:
        near(found, expected, DTYPES[dtype])
    for mine, other in zip(fused, single, strict=True):
        assert one.state[mine].keys() == many.state[other].keys()
        for name, value in one.state[mine].items():
            assert value.dtype == many.state[other][name].dtype
            near(value, many.state[other][name], DTYPES[dtype])


def adam_by_hand(p: Array, steps: int, lr: float, decay: float, decoupled: bool) -> Array:
    m, v = np.zeros_like(p), np.zeros_like(p)
    for step in range(1, steps + 1):
        (gradient,) = gradients([opwright.from_numpy(p)], step - 1)
        g = gradient.numpy()
        if decoupled:
            p = p * (1 - lr * decay)
        else:
            g = g + decay * p
        m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g * g
        p = p - lr * (m / (1 - 0.9**step)) / (np.sqrt(v / (1 - 0.999**step)) + 1e-8)
    return p


@pytest.mark.parametrize("kind", [optim.Adam, optim.AdamW])
def test_adam_is_what_it_is_defined_to_be(kind: Callable[..., optim.Optimizer]) -> None:
    start = np.random.default_rng(5).normal(size=(200,))
    parameter = leaf(start.copy(), opwright.float64)
    (found,) = train(kind([parameter], lr=0.05, weight_decay=0.1), [parameter])
    expected = adam_by_hand(start, 4, 0.05, 0.1, kind is optim.AdamW)
    np.testing.assert_allclose(found.numpy(), expected, rtol=1e-12)


@pytest.mark.parametrize("kind", [optim.SGD, optim.Adam])
def test_long_parameters(kind: Callable[..., optim.Optimizer]) -> None:
    """So long that threads share the work."""
    start = np.random.default_rng(1).normal(size=(300_000,)).astype(np.float32)
    found = []
    for fused in (True, False):
        parameter = leaf(start.copy(), opwright.float32)
        found += train(kind([parameter], lr=0.1, fused=fused), [parameter], 2)
    near(*found, 2e-6)


def test_momentum_begins_for_each_parameter_with_its_first_gradient() -> None:
    def learn(fused: bool) -> list[Any]:
        a, b = (opwright.ones(2, requires_grad=True) for _ in range(2))
        optimizer = optim.SGD([a, b], lr=0.1, momentum=0.9, dampening=0.5, fused=fused)
        a.grad = opwright.ones(2)
        optimizer.step()
        assert b not in optimizer.state
        b.grad = opwright.full((2,), 3.0)
        optimizer.step()
        return [a.tolist(), b.tolist()]

    assert np.allclose(learn(True), learn(False))


def test_a_step_that_is_refused_leaves_no_momentum() -> None:
    p = opwright.ones(2, requires_grad=True)
    optimizer = optim.SGD([p], lr=0.5, momentum=0.5, fused=True)
    p.grad = opwright.ones(2)
    shape = p.grad
    p.data = opwright.ones(3)
    with pytest.raises(RuntimeError, match=r"`grads\[0\]`"):
        optimizer.step()
    assert not optimizer.state[p]
    p.data = opwright.ones(2)
    p.grad = shape
    optimizer.step()
    assert p.tolist() == [0.5, 0.5]


def test_what_cannot_be_one_call_is_many() -> None:
    z = opwright.tensor([1.0 + 1.0j], requires_grad=True)
    for fused in (None, True):
        optimizer = optim.SGD([z], lr=0.5, fused=fused)
        z.grad = opwright.tensor([1.0j])
        if fused is None:
            optimizer.step()
            assert z.tolist() == [1.0 + 0.5j]
        else:
            with pytest.raises(RuntimeError, match="fused"):
                optimizer.step()
    x = opwright.tensor([2.0], requires_grad=True)
    (x * x * x).sum().backward(create_graph=True)
    assert x.grad is not None
    curvature = (x.grad * x.grad).sum()
    optim.SGD([x], lr=0.0).step()
    version = x.grad._version
    assert version == 0 and curvature.requires_grad
    x.grad = None


def test_a_state_goes_on_in_another_optimizer() -> None:
    for kind, options in OPTIMIZERS:
        learnt, others = parameters(opwright.float64), parameters(opwright.float64)
        first = kind(learnt, lr=0.05, **options)
        second = kind(others, lr=1.0, **options)
        train(first, learnt, 2)
        for mine, other in zip(learnt, others, strict=True):
            other.data.copy_(mine.detach())
        second.load_state_dict(first.state_dict())
        pairs = zip(train(first, learnt), train(second, others), strict=True)
        for mine, other in pairs:
            assert mine.tolist() == other.tolist()


# --- the operators ----------------------------------------------------------------------

SGD_DEFAULTS: dict[str, Any] = {
    "weight_decay": 0.0,
    "momentum": 0.0,
    "lr": 0.5,
    "dampening": 0.0,
    "nesterov": False,
    "maximize": False,
    "is_first_step": False,
}
ADAM_DEFAULTS: dict[str, Any] = {
    "lr": 0.1,
    "beta1": 0.9,
    "beta2": 0.999,
    "weight_decay": 0.0,
    "eps": 1e-8,
    "amsgrad": False,
    "maximize": False,
}


def sgd(p: list[Any], g: list[Any], v: list[Any], **options: Any) -> None:
    opwright._fused_sgd_(p, g, v, **{**SGD_DEFAULTS, **options})


def adam(*lists: list[Any], decoupled: bool = False, **options: Any) -> None:
    step = opwright._fused_adamw_ if decoupled else opwright._fused_adam_
    step(*lists, **{**ADAM_DEFAULTS, **options})


def ones(*shape: int, **options: Any) -> Tensor:
    return opwright.ones(*(shape or (2,)), **options)


def lists(count: int = 2) -> list[list[Tensor]]:
    """Parameters, gradients, both means and their greatest, steps."""
    made = [[ones() for _ in range(count)] for _ in range(5)]
    return [*made, [opwright.tensor(1.0) for _ in range(count)]]


def test_nothing_to_do() -> None:
    sgd([], [], [])
    adam([], [], [], [], [], [])
    adam([], [], [], [], [], [], decoupled=True, amsgrad=True)


def test_rates_that_are_tensors() -> None:
    p, q = ones(), ones()
    sgd([p], [ones()], [], lr=opwright.tensor(0.25))
    assert p.tolist() == [0.75, 0.75]
    for decoupled, lr in itertools.product((False, True), (0.1, opwright.tensor(0.1))):
        given = lists(1)
        adam(*given, decoupled=decoupled, lr=lr, weight_decay=0.5)
        if lr == 0.1 and isinstance(lr, float):
            q = given[0][0]
        np.testing.assert_allclose(given[0][0].numpy(), q.numpy(), rtol=1e-6)
    with pytest.raises(RuntimeError, match="`lr` must have one element"):
        sgd([p], [ones()], [], lr=ones())


def test_gradients_of_a_scaled_loss() -> None:
    p, g = ones(), opwright.full((2,), 8.0)
    sgd([p], [g], [], grad_scale=opwright.tensor(4.0), found_inf=opwright.tensor(0.0))
    assert p.tolist() == [0.0, 0.0] and g.tolist() == [2.0, 2.0]
    sgd([p], [g], [], grad_scale=opwright.tensor(4.0), found_inf=opwright.tensor(1.0))
    assert p.tolist() == [0.0, 0.0] and g.tolist() == [2.0, 2.0]
    given = lists(1)
    adam(*given, found_inf=opwright.tensor(1.0))
    assert given[0][0].tolist() == [1.0, 1.0]


@pytest.mark.parametrize("at", range(1, 6))
def test_wrong_lists_are_named(at: int) -> None:
    names = ["grads", "exp_avgs", "exp_avg_sqs", "max_exp_avg_sqs", "state_steps"]
    name = names[at - 1]
    short = lists()
    del short[at][1]
    with pytest.raises(RuntimeError, match=rf"_fused_adam_.*`{name}` must have a tensor.*2.*1"):
        adam(*short, amsgrad=True)
    assert short[0][0].tolist() == [1.0, 1.0]
    if name == "state_steps":
        wrong = lists()
        wrong[at][1] = ones()
        with pytest.raises(RuntimeError, match=r"`state_steps\[1\]` must have one element"):
            adam(*wrong)
        return
    wrong = lists()
    wrong[at][1] = ones(dtype=opwright.float64)
    with pytest.raises(RuntimeError, match=rf"`{name}\[1\]` must be float32.*but is float64"):
        adam(*wrong, amsgrad=True)
    wrong[at][1] = ones(3)
    with pytest.raises(RuntimeError, match=rf"`{name}\[1\]` must have the shape \[2\].*\[3\]"):
        adam(*wrong, amsgrad=True, decoupled=True)
    assert wrong[0][0].tolist() == [1.0, 1.0]


def test_wrong_lists_of_sgd_are_named() -> None:
    with pytest.raises(RuntimeError, match="`grads` must have a tensor for each"):
        sgd([ones()], [], [])
    with pytest.raises(RuntimeError, match="`momentum_buffer_list` must have a tensor"):
        sgd([ones()], [ones()], [], momentum=0.5)
    with pytest.raises(RuntimeError, match=r"parameter 0 must be of a floating dtype.*int64"):
        sgd([ones(dtype=opwright.int64)], [ones(dtype=opwright.int64)], [])
    with pytest.raises(TypeError, match="grads"):
        sgd([ones()], [1.0], [])


def test_memory_that_is_used_twice() -> None:
    p = ones()
    with pytest.raises(RuntimeError, match="same memory"):
        sgd([p], [ones()], [p], momentum=0.5)
    with pytest.raises(RuntimeError):
        sgd([opwright.ones(1).expand(2)], [ones()], [])
    # A gradient is only read.
    sgd([p], [p], [])
    assert p.tolist() == [0.5, 0.5]
    # A tensor that is there twice is changed twice.
    sgd([p, p], [ones(), ones()], [])
    assert p.tolist() == [-0.5, -0.5]


def test_leaves_are_not_written_to_while_something_is_recorded() -> None:
    p = opwright.ones(2, requires_grad=True)
    with pytest.raises(RuntimeError, match="leaf"):
        sgd([p], [ones()], [])
    version = p._version
    with opwright.no_grad():
        sgd([p], [ones()], [])
    assert p.tolist() == [0.5, 0.5] and p._version == version + 1


def test_tensors_without_elements_and_memory() -> None:
    meta = [ones(device="meta") for _ in range(3)]
    sgd(*([it] for it in meta), momentum=0.5)
    given = [[it] for it in meta for _ in range(2)][:5]
    adam(*given, [opwright.tensor(1.0)])
    empty = opwright.ones(0, 3)
    sgd([empty], [empty.clone()], [empty.clone()], momentum=0.5)
    assert empty.shape == (0, 3)
