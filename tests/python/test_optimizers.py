"""Optimizers whose steps are operators: numpy, states, options, and problems that they solve."""

from __future__ import annotations

import copy
import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import opwright
import pytest
from layouts import Array
from opwright import Tensor, optim

State = dict[str, Any]
# `rule(p, g, t, state, **options)` returns the parameter after step `t`, written as in the papers.
Rule = Callable[..., Any]


def rmsprop(p: Array, g: Array, t: int, s: State, lr: float = 1e-2, **o: Any) -> Any:
    alpha, momentum = o.get("alpha", 0.99), o.get("momentum", 0)
    s["v"] = alpha * s.get("v", 0) + (1 - alpha) * g * g
    variance = s["v"]
    if o.get("centered"):
        s["m"] = alpha * s.get("m", 0) + (1 - alpha) * g
        variance = variance - s["m"] ** 2
    s["b"] = momentum * s.get("b", 0) + g / (np.sqrt(variance) + 1e-8)
    return p - lr * s["b"]


def adagrad(p: Array, g: Array, t: int, s: State, lr: float = 1e-2, **o: Any) -> Any:
    s["s"] = s.get("s", o.get("initial_accumulator_value", 0)) + g * g
    return p - lr / (1 + (t - 1) * o.get("lr_decay", 0)) * g / (np.sqrt(s["s"]) + 1e-10)


def adadelta(p: Array, g: Array, t: int, s: State, lr: float = 1.0, rho: float = 0.9) -> Any:
    s["v"] = rho * s.get("v", 0) + (1 - rho) * g * g
    d = g * np.sqrt(s.get("u", 0) + 1e-6) / np.sqrt(s["v"] + 1e-6)
    s["u"] = rho * s.get("u", 0) + (1 - rho) * d * d
    return p - lr * d


def adamax(p: Array, g: Array, t: int, s: State, lr: float = 2e-3, **o: Any) -> Any:
    b1, b2 = o.get("betas", (0.9, 0.999))
    s["m"] = b1 * s.get("m", 0) + (1 - b1) * g
    s["u"] = np.maximum(b2 * s.get("u", 0), np.abs(g) + 1e-8)
    return p - lr / (1 - b1**t) * s["m"] / s["u"]


def moments(g: Array, s: State, betas: tuple[float, float]) -> tuple[Array, Array]:
    for name, beta, value in (("m", betas[0], g), ("v", betas[1], g * g)):
        s[name] = beta * s.get(name, 0) + (1 - beta) * value
    return s["m"], s["v"]


def nadam(p: Array, g: Array, t: int, s: State, lr: float = 2e-3, **o: Any) -> Any:
    b1, b2 = betas = o.get("betas", (0.9, 0.999))
    m, v = moments(g, s, betas)
    mu, ahead = (b1 * (1 - 0.96 ** (at * o.get("momentum_decay", 4e-3)) / 2) for at in (t, t + 1))
    c = s["c"] = s.get("c", 1.0) * mu
    step = (1 - mu) / (1 - c) * g + ahead / (1 - c * ahead) * m
    return p - lr * step / (np.sqrt(v / (1 - b2**t)) + 1e-8)


def radam(p: Array, g: Array, t: int, s: State, lr: float = 1e-3, **o: Any) -> Any:
    b1, b2 = betas = o.get("betas", (0.9, 0.999))
    m, v = moments(g, s, betas)
    most = 2 / (1 - b2) - 1
    n = most - 2 * t * b2**t / (1 - b2**t)
    m = m / (1 - b1**t)
    if n <= 5:
        return p - lr * m
    r = math.sqrt((n - 4) * (n - 2) * most / ((most - 4) * (most - 2) * n))
    return p - lr * r * m * math.sqrt(1 - b2**t) / (np.sqrt(v) + 1e-8)


def asgd(p: Array, g: Array, t: int, s: State, lr: float = 1e-2, **o: Any) -> Any:
    lambd, alpha, t0 = o.get("lambd", 1e-4), o.get("alpha", 0.75), o.get("t0", 1e6)
    eta = lr / (1 + lambd * lr * (t - 1)) ** alpha
    p = (1 - lambd * eta) * p - eta * g
    before = s.get("ax", p)
    s["ax"] = before + (p - before) / max(1, t - 1 - t0)
    return p


def rprop(p: Array, g: Array, t: int, s: State, lr: float = 1e-2, **o: Any) -> Any:
    (shrink, grow), (least, most) = o.get("etas", (0.5, 1.2)), o.get("step_sizes", (1e-6, 50))
    agreement = g * s.get("g", 0 * g)
    factor = np.where(agreement > 0, grow, np.where(agreement < 0, shrink, 1))
    s["l"] = np.clip(s.get("l", lr) * factor, least, most)
    s["g"] = np.where(agreement < 0, 0, g)
    return p - s["l"] * np.sign(s["g"])


CASES: list[tuple[str, Rule, dict[str, Any]]] = [
    ("RMSprop", rmsprop, {}),
    ("RMSprop", rmsprop, {"alpha": 0.8, "momentum": 0.9, "centered": True}),
    ("Adagrad", adagrad, {}),
    ("Adagrad", adagrad, {"lr": 0.5, "lr_decay": 0.1, "initial_accumulator_value": 0.25}),
    ("Adadelta", adadelta, {}),
    ("Adadelta", adadelta, {"lr": 0.5, "rho": 0.6}),
    ("Adamax", adamax, {}),
    ("Adamax", adamax, {"lr": 0.1, "betas": (0.5, 0.7)}),
    ("NAdam", nadam, {}),
    ("NAdam", nadam, {"lr": 0.1, "betas": (0.5, 0.7), "momentum_decay": 0.2}),
    ("RAdam", radam, {}),
    ("RAdam", radam, {"lr": 0.1, "betas": (0.5, 0.9)}),
    ("ASGD", asgd, {}),
    ("ASGD", asgd, {"lr": 0.1, "lambd": 0.1, "alpha": 0.5, "t0": 4}),
    ("Rprop", rprop, {}),
    ("Rprop", rprop, {"lr": 0.1, "etas": (0.3, 1.6), "step_sizes": (0.05, 0.2)}),
]
NAMES = ["RMSprop", "Adagrad", "Adadelta", "Adamax", "NAdam", "RAdam", "ASGD", "Rprop"]
# What is remembered, under the names that states have elsewhere.
STATES = {
    "RMSprop": {"step", "square_avg"},
    "Adagrad": {"step", "sum"},
    "Adadelta": {"step", "square_avg", "acc_delta"},
    "Adamax": {"step", "exp_avg", "exp_inf"},
    "NAdam": {"step", "mu_product", "exp_avg", "exp_avg_sq"},
    "RAdam": {"step", "exp_avg", "exp_avg_sq"},
    "ASGD": {"step", "eta", "mu", "ax"},
    "Rprop": {"step", "prev", "step_size"},
}


def make(name: str, parameters: Any, **options: Any) -> optim.Optimizer:
    made: optim.Optimizer = getattr(optim, name)(parameters, **options)
    return made


def leaf(value: Array) -> Tensor:
    return opwright.from_numpy(value.copy()).requires_grad_()


def gradient(step: int, like: Array) -> Array:
    return np.random.default_rng(step).normal(size=like.shape) + 0.3 * like


def train(optimizer: optim.Optimizer, parameter: Tensor, steps: range) -> Array:
    """Steps with random gradients; a step depends on where the parameter is."""
    for step in steps:
        parameter.grad = opwright.from_numpy(gradient(step, parameter.detach().numpy()))
        optimizer.step()
    return parameter.detach().numpy().copy()


@pytest.mark.parametrize(("name", "rule", "options"), CASES)
def test_steps_are_what_they_are_defined_to_be(
    name: str, rule: Rule, options: dict[str, Any], rng: np.random.Generator
) -> None:
    expected = rng.normal(size=(7, 3))
    parameter = leaf(expected)
    optimizer = make(name, [parameter], **options)
    state: State = {}
    for step in range(1, 16):
        expected = rule(expected, gradient(step, expected), step, state, **options)
        found = train(optimizer, parameter, range(step, step + 1))
        # Rates and products that are remembered are those of float32.
        np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-7)
        if name not in ("ASGD", "NAdam"):
            np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-13)
    if name == "ASGD":
        np.testing.assert_allclose(optimizer.state[parameter]["ax"].numpy(), state["ax"], rtol=1e-6)


@pytest.mark.parametrize("name", NAMES)
def test_states_have_names(name: str) -> None:
    parameter = leaf(np.ones(3))
    optimizer = make(name, [parameter])
    assert bool(optimizer.state) is (name == "Adagrad")
    train(optimizer, parameter, range(2))
    state = optimizer.state_dict()["state"][0]
    assert set(state) == STATES[name]
    assert state["step"].item() == 2 and state["step"].dtype == opwright.float32
    assert not any(it.requires_grad for it in state.values())


@pytest.mark.parametrize(("name", "_rule", "options"), CASES)
def test_a_state_resumes_the_same_steps(name: str, _rule: Rule, options: dict[str, Any]) -> None:
    parameter = leaf(np.ones((2, 3)))
    optimizer = make(name, [parameter], **options)
    train(optimizer, parameter, range(6))
    other = leaf(parameter.detach().numpy())
    resumed = make(name, [other], lr=7.0)
    resumed.load_state_dict(copy.deepcopy(optimizer.state_dict()))
    assert resumed.param_groups[0]["lr"] == optimizer.param_groups[0]["lr"]
    expected = train(optimizer, parameter, range(6, 12))
    assert (train(resumed, other, range(6, 12)) == expected).all()


@pytest.mark.parametrize("name", NAMES)
def test_groups_have_options_of_their_own(name: str) -> None:
    alone, first, second = leaf(np.ones(3)), leaf(np.ones(3)), leaf(np.ones(3))
    single = make(name, [alone], lr=0.5)
    both = make(name, [{"params": [first]}, {"params": second, "lr": 0.5}], lr=0.125)
    untouched = leaf(np.ones(1))
    both.add_param_group({"params": [untouched]})
    for step in range(3):
        for parameter in (alone, first, second):
            parameter.grad = opwright.from_numpy(gradient(step, np.ones(3)))
        single.step()
        both.step()
    assert second.tolist() == alone.tolist() != first.tolist()
    assert untouched.tolist() == [1.0]


@pytest.mark.parametrize("name", [*NAMES, "SGD", "Adam", "AdamW"])
def test_maximizing_is_minimizing_the_opposite(name: str) -> None:
    down, up = leaf(np.ones(4)), leaf(np.ones(4))
    one, other = make(name, [down], lr=0.1), make(name, [up], lr=0.1, maximize=True)
    for step in range(4):
        slope = opwright.from_numpy(gradient(step, np.ones(4)))
        down.grad, up.grad = slope, -slope
        one.step()
        other.step()
    assert down.tolist() == up.tolist()


@pytest.mark.parametrize("name", [it for it in NAMES if it != "Rprop"])
def test_decay_adds_to_the_gradient(name: str) -> None:
    plain, decayed = leaf(np.full(3, 2.0)), leaf(np.full(3, 2.0))
    one, other = make(name, [plain]), make(name, [decayed], weight_decay=0.5)
    for step in range(3):
        slope = opwright.from_numpy(gradient(step, np.ones(3)))
        plain.grad, decayed.grad = slope + 0.5 * plain.detach(), slope
        one.step()
        other.step()
    np.testing.assert_allclose(plain.detach().numpy(), decayed.detach().numpy(), rtol=1e-12)


@pytest.mark.parametrize("name", ["NAdam", "RAdam"])
def test_decoupled_decay_shrinks_the_parameter(name: str) -> None:
    plain, decayed = leaf(np.full(3, 2.0)), leaf(np.full(3, 2.0))
    one = make(name, [plain], lr=0.1)
    other = make(name, [decayed], lr=0.1, weight_decay=0.5, decoupled_weight_decay=True)
    for step in range(3):
        plain.grad = decayed.grad = opwright.from_numpy(gradient(step, np.ones(3)))
        plain.data = plain.data * (1 - 0.1 * 0.5)
        one.step()
        other.step()
    np.testing.assert_allclose(plain.detach().numpy(), decayed.detach().numpy(), rtol=1e-12)


@pytest.mark.parametrize("name", [*NAMES, "Adam"])
def test_complex_parameters_are_pairs(name: str, rng: np.random.Generator) -> None:
    parts = rng.normal(size=(5, 2))
    real, pair = leaf(parts), leaf(parts[:, 0] + 1j * parts[:, 1])
    options: dict[str, Any] = {"initial_accumulator_value": 0.5} if name == "Adagrad" else {}
    one, other = make(name, [real], **options), make(name, [pair], **options)
    for step in range(5):
        slope = gradient(step, parts)
        real.grad = opwright.from_numpy(slope)
        pair.grad = opwright.from_numpy(slope[:, 0] + 1j * slope[:, 1])
        one.step()
        other.step()
    expected = opwright.view_as_complex(real.detach()).numpy()
    np.testing.assert_allclose(pair.detach().numpy(), expected, rtol=1e-12)


def regression(
    name: str, steps: int = 150, lr: float | None = None, **options: Any
) -> tuple[float, float]:
    """The losses of a small regression before and after training."""
    rng = np.random.default_rng(1)
    x = opwright.from_numpy(rng.normal(size=(32, 4)))
    y = x @ opwright.from_numpy(rng.normal(size=(4, 2))) + 0.5
    weight, bias = leaf(np.zeros((4, 2))), leaf(np.zeros(2))
    learnt = [weight] if name == "Muon" else [weight, bias]
    optimizer = make(name, learnt, **({} if lr is None else {"lr": lr}), **options)

    def closure() -> Tensor:
        optimizer.zero_grad()
        loss = ((x @ weight + bias - y) ** 2).mean()
        loss.backward()
        return loss

    losses = [float(optimizer.step(closure)) for _ in range(steps)]
    return losses[0], losses[-1]


@pytest.mark.parametrize(
    ("name", "lr"),
    [
        ("RMSprop", 0.02),
        ("Adagrad", 0.5),
        ("Adadelta", 5.0),
        ("Adamax", 0.1),
        ("NAdam", 0.05),
        ("RAdam", 0.1),
        ("ASGD", 0.2),
        ("Rprop", 0.02),
        ("LBFGS", None),
    ],
)
def test_small_problems_are_learnt(name: str, lr: float | None) -> None:
    before, after = regression(name, lr=lr)
    assert after < 1e-2 * before


@pytest.mark.parametrize("name", [*NAMES, "Muon"])
def test_closures_are_called_once_and_their_loss_is_returned(name: str) -> None:
    parameter, calls = leaf(np.ones((2, 2))), []
    optimizer = make(name, [parameter])

    def closure() -> Tensor:
        calls.append(opwright.is_grad_enabled())
        loss = (parameter * parameter).sum()
        loss.backward()
        return loss

    with opwright.no_grad():
        assert float(optimizer.step(closure)) == 4.0
    assert calls == [True]
    assert optimizer.step() is None


WRONG: list[tuple[str, dict[str, Any], str]] = [
    *((name, {"lr": -1.0}, "'lr' must not be negative") for name in [*NAMES, "LBFGS", "Muon"]),
    *((name, {"lr": math.nan}, "'lr'") for name in NAMES),
    *((it, {"weight_decay": -1e-3}, "'weight_decay'") for it in NAMES if it != "Rprop"),
    *((name, {"betas": (1.0, 0.9)}, "'betas'") for name in ("Adamax", "NAdam", "RAdam")),
    *((name, {"betas": (0.9, -0.1)}, "'betas'") for name in ("Adamax", "NAdam", "RAdam")),
    *((name, {"eps": -1.0}, "'eps'") for name in NAMES if name not in ("ASGD", "Rprop")),
    ("RMSprop", {"alpha": -0.1}, "'alpha'"),
    ("RMSprop", {"momentum": -0.1}, "'momentum'"),
    ("Adagrad", {"lr_decay": -0.1}, "'lr_decay'"),
    ("Adagrad", {"initial_accumulator_value": -0.1}, "'initial_accumulator_value'"),
    ("Adadelta", {"rho": 1.1}, "'rho' must be from 0 to 1"),
    ("NAdam", {"momentum_decay": -0.1}, "'momentum_decay'"),
    ("Rprop", {"etas": (1.0, 1.2)}, "'etas'"),
    ("Rprop", {"etas": (0.5, 1.0)}, "'etas'"),
    ("LBFGS", {"history_size": 0}, "'history_size' must be at least 1"),
    ("Muon", {"momentum": -0.1}, "'momentum'"),
    ("Muon", {"weight_decay": -0.1}, "'weight_decay'"),
    ("Muon", {"ns_steps": 100}, "'ns_steps' must be below 100"),
    ("Muon", {"ns_coefficients": (1.0, 2.0)}, "'ns_coefficients' must have three"),
    ("Muon", {"adjust_lr_fn": "other"}, "'adjust_lr_fn' must be one of 'original', 'match_rms"),
]


@pytest.mark.parametrize(("name", "options", "message"), WRONG)
def test_wrong_options_are_refused(name: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make(name, [leaf(np.ones((2, 2)))], **options)


@pytest.mark.parametrize("name", [*NAMES, "LBFGS", "Muon"])
def test_wrong_parameters_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match="empty"):
        make(name, [])
    with pytest.raises(TypeError, match="put the tensor into one"):
        make(name, opwright.ones(2, 2))
    with pytest.raises(ValueError, match="only leaves"):
        make(name, [leaf(np.ones((2, 2))) * 2])
    with pytest.raises(ValueError, match="a tensor of one element"):
        make(name, [leaf(np.ones((2, 2)))], lr=opwright.ones(2))


@pytest.mark.parametrize("name", [*NAMES, "SGD", "Adam", "AdamW"])
def test_what_means_nothing_here_changes_nothing(name: str) -> None:
    results = []
    for options in ({}, {"foreach": True}, {"foreach": False}):
        parameter = leaf(np.ones(3))
        results.append(train(make(name, [parameter], **options), parameter, range(3)).tolist())
    assert results[0] == results[1] == results[2]
    with pytest.raises(NotImplementedError, match="'differentiable' must be false"):
        make(name, [leaf(np.ones(3))], differentiable=True)


@pytest.mark.parametrize("name", [*NAMES, "SGD", "Adam"])
def test_rates_may_be_tensors(name: str) -> None:
    number, tensor = leaf(np.ones(3)), leaf(np.ones(3))
    expected = train(make(name, [number], lr=0.25), number, range(3))
    found = train(make(name, [tensor], lr=opwright.tensor(0.25)), tensor, range(3))
    np.testing.assert_allclose(found, expected, rtol=1e-12)


# --- LBFGS ---------------------------------------------------------------------------------


def valley(optimizer: optim.LBFGS, x: Tensor) -> Callable[[], Tensor]:
    """Rosenbrock's function, which is zero at ones."""

    def closure() -> Tensor:
        optimizer.zero_grad()
        loss = (100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2).sum()
        loss.backward()
        return loss

    return closure


def test_lbfgs_solves_what_is_quadratic(rng: np.random.Generator) -> None:
    """With a line search, as many iterations as there are elements are enough, but for rounding."""
    root = rng.normal(size=(4, 4))
    matrix, wanted = opwright.from_numpy(root @ root.T + np.eye(4)), rng.normal(size=4)
    x = leaf(np.zeros(4))
    optimizer = optim.LBFGS([x], line_search_fn="strong_wolfe", max_iter=40)

    def closure() -> Tensor:
        optimizer.zero_grad()
        difference = x - opwright.from_numpy(wanted)
        loss = 0.5 * difference.dot(matrix @ difference)
        loss.backward()
        return loss

    optimizer.step(closure)
    np.testing.assert_allclose(x.detach().numpy(), wanted, atol=1e-5)
    assert optimizer.state[x]["n_iter"] < 20


@pytest.mark.parametrize("history", [1, 5, 100])
def test_lbfgs_follows_a_valley(history: int) -> None:
    x = leaf(np.array([-1.2, 1.0, 0.5]))
    optimizer = optim.LBFGS([x], line_search_fn="strong_wolfe", history_size=history)
    closure = valley(optimizer, x)
    losses = [float(optimizer.step(closure)) for _ in range(20)]
    assert all(after <= before for before, after in itertools.pairwise(losses))
    np.testing.assert_allclose(x.detach().numpy(), 1, atol=1e-3)
    assert len(optimizer.state[x]["old_dirs"]) <= history


def test_lbfgs_resumes_from_a_state() -> None:
    x, y = leaf(np.array([-1.2, 1.0])), leaf(np.zeros(2))
    first, second = (optim.LBFGS([it], line_search_fn="strong_wolfe", max_iter=3) for it in (x, y))
    for _ in range(2):
        first.step(valley(first, x))
    y.data.copy_(x.detach())
    second.load_state_dict(copy.deepcopy(first.state_dict()))
    for optimizer, parameter in ((first, x), (second, y)):
        for _ in range(3):
            optimizer.step(valley(optimizer, parameter))
    assert x.tolist() == y.tolist()
    assert first.state[x]["func_evals"] == second.state[y]["func_evals"]


def test_lbfgs_stops_in_time() -> None:
    x, calls = leaf(np.array([-1.2, 1.0])), [0]
    optimizer = optim.LBFGS([x], lr=1e-3, max_iter=4)
    inner = valley(optimizer, x)

    def closure() -> Tensor:
        calls[0] += 1
        return inner()

    optimizer.step(closure)
    # Where the last iteration leads is not evaluated.
    assert calls[0] == 4 == optimizer.state[x]["n_iter"] == optimizer.state[x]["func_evals"]
    assert optimizer.param_groups[0]["max_eval"] == 5
    x.data = opwright.ones(2, dtype=opwright.float64)
    before = optimizer.state[x]["n_iter"]
    assert float(optimizer.step(closure)) == 0.0
    assert optimizer.state[x]["n_iter"] == before


def test_lbfgs_steps_back_from_what_is_infinite() -> None:
    x = leaf(np.array([0.5]))
    optimizer = optim.LBFGS([x], lr=10.0, line_search_fn="strong_wolfe")

    def closure() -> Tensor:
        optimizer.zero_grad()
        loss = (1 / (1 - x) + 1 / x).sum() if 0 < x.item() < 1 else (x * math.inf).sum()
        loss.backward()
        return loss

    optimizer.step(closure)
    assert 0 < x.item() < 1


def test_lbfgs_takes_parameters_without_gradients() -> None:
    x, unused = leaf(np.array([3.0])), leaf(np.ones((2, 2)))
    optimizer = optim.LBFGS([x, unused])

    def closure() -> Tensor:
        optimizer.zero_grad()
        loss = (x * x).sum()
        loss.backward()
        return loss

    optimizer.step(closure)
    assert abs(x.item()) < 1e-6 and unused.tolist() == [[1, 1], [1, 1]]


def test_lbfgs_refuses_what_it_cannot_do() -> None:
    x = leaf(np.ones(2))
    with pytest.raises(TypeError, match="needs a function"):
        optim.LBFGS([x]).step()
    with pytest.raises(ValueError, match="one group"):
        optim.LBFGS([{"params": [x]}, {"params": [leaf(np.ones(2))]}])
    with pytest.raises(RuntimeError, match="'strong_wolfe' or None, but is 'armijo'"):
        optim.LBFGS([x], line_search_fn="armijo")


# --- Muon ----------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", [(4, 6), (7, 3), (5, 5), (1, 4)])
@pytest.mark.parametrize("nesterov", [False, True])
def test_muon_steps_along_orthogonal_matrices(
    shape: tuple[int, int], nesterov: bool, rng: np.random.Generator
) -> None:
    parameter, g = leaf(np.zeros(shape)), rng.normal(size=shape)
    optimizer = optim.Muon([parameter], lr=0.5, nesterov=nesterov)
    parameter.grad = opwright.from_numpy(g)
    optimizer.step()
    np.testing.assert_allclose(optimizer.state[parameter]["momentum_buffer"].numpy(), 0.05 * g)
    step = -parameter.detach().numpy() / (0.5 * math.sqrt(max(1, shape[0] / shape[1])))
    u, _, v = np.linalg.svd(g, full_matrices=False)
    np.testing.assert_array_less(np.abs(np.linalg.svd(step)[1] - 0.95), 0.4)
    # The singular vectors stay what they are, as far as bfloat16 holds them.
    mixed = u.T @ step @ v.T
    assert np.abs(mixed - np.diag(np.diag(mixed))).max() < 0.1


def test_muon_learns_and_decays() -> None:
    before, after = regression("Muon", lr=0.03, weight_decay=0.0)
    assert after < 0.2 * before
    parameter = leaf(np.ones((2, 2)))
    parameter.grad = opwright.zeros(2, 2, dtype=opwright.float64)
    optim.Muon([parameter], lr=0.5, weight_decay=0.5).step()
    assert parameter.tolist() == [[0.75, 0.75], [0.75, 0.75]]


def test_muon_has_rates_like_those_of_adam() -> None:
    steps = []
    for word in (None, "original", "match_rms_adamw"):
        parameter = leaf(np.zeros((8, 2)))
        parameter.grad = opwright.from_numpy(gradient(0, np.zeros((8, 2))))
        optim.Muon([parameter], lr=1.0, adjust_lr_fn=word).step()
        steps.append(parameter.detach().numpy())
    assert (steps[0] == steps[1]).all()
    np.testing.assert_allclose(steps[2], steps[0] / 2 * 0.2 * math.sqrt(8), rtol=1e-12)


def test_muon_is_for_matrices() -> None:
    for shape in [(3,), (), (2, 2, 2)]:
        with pytest.raises(ValueError, match="Muon is for matrices"):
            optim.Muon([leaf(np.ones(shape))])
    parameter = leaf(np.ones((2, 2)) + 1j)
    parameter.grad = opwright.ones(2, 2, dtype=opwright.complex128)
    with pytest.raises(RuntimeError, match="complex"):
        optim.Muon([parameter]).step()


def test_muon_leaves_gradients_and_means_in_bfloat16_alone() -> None:
    parameter = opwright.zeros(2, 3, dtype=opwright.bfloat16, requires_grad=True)
    parameter.grad = opwright.full((2, 3), 4.0, dtype=opwright.bfloat16)
    optimizer = optim.Muon([parameter], nesterov=False)
    optimizer.step()
    assert parameter.grad.tolist() == [[4.0] * 3] * 2
    np.testing.assert_allclose(optimizer.state[parameter]["momentum_buffer"].tolist(), 0.2, 1e-2)
