"""Layers of models in JAX whose operators may draw random numbers, and gradients of these."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

import numpy as np
import pytest
from opwright import ops

jax = pytest.importorskip("jax", reason="the package jax is absent")

import jax.numpy as jnp  # noqa: E402
from opwright.interop.jax import _randomness, wrap  # noqa: E402

attention = wrap(ops.scaled_dot_product_attention.default)
lstm = wrap(ops.lstm.input)
dropout = wrap(ops.dropout.default)


def random(*shape: int, seed: int = 0) -> Any:
    return jax.random.normal(jax.random.key(seed), shape)


def known_attention(query: Any) -> Any:
    scores = query @ query.swapaxes(-1, -2) / query.shape[-1] ** 0.5
    return jax.nn.softmax(scores) @ query


def known_lstm(weights: Any, x: Any) -> Any:
    def cell(carry: Any, x: Any) -> Any:
        hidden, state = carry
        gates = x @ weights[0].T + hidden @ weights[1].T + weights[2] + weights[3]
        opened, kept, new, shown = jnp.split(gates, 4, -1)
        state = jax.nn.sigmoid(kept) * state + jax.nn.sigmoid(opened) * jnp.tanh(new)
        hidden = jax.nn.sigmoid(shown) * jnp.tanh(state)
        return (hidden, state), hidden

    zeros = jnp.zeros((x.shape[1], weights[1].shape[1]))
    return jax.lax.scan(cell, (zeros, zeros), x)[1]


def own_lstm(weights: Any, x: Any) -> Any:
    zeros = jnp.zeros((1, x.shape[1], weights[1].shape[1]))
    return lstm(x, [zeros, zeros], weights, True, 1, 0.0, True, False, False)[0]


TRANSFORMS: dict[str, Callable[[Callable[[Any], Any]], Callable[[Any], Any]]] = {
    "a gradient": lambda f: jax.grad(lambda it: (f(it) ** 2).sum()),
    "of a program": lambda f: jax.jit(jax.grad(lambda it: (f(it) ** 2).sum())),
    "of each sample": lambda f: jax.vmap(jax.grad(lambda it: (f(it[None]) ** 2).sum())),
    "forward": lambda f: lambda it: jax.jvp(f, (it,), (it,))[1],
}


@pytest.mark.parametrize("name", TRANSFORMS)
def test_attention_without_dropout_has_gradients(name: str) -> None:
    transform, query = TRANSFORMS[name], random(2, 3, 5, 8)
    found = transform(lambda it: attention(it, it, it))(query)
    np.testing.assert_allclose(found, transform(known_attention)(query), rtol=1e-4, atol=1e-5)


def test_recurrent_networks_have_gradients() -> None:
    weights = [random(20, 3), random(20, 5, seed=1), random(20, seed=2), jnp.zeros(20)]
    x = random(4, 2, 3, seed=3)
    found, known = (
        jax.jit(jax.grad(lambda it, each=each: (each(it, x) ** 2).sum()))(weights)
        for each in (own_lstm, known_lstm)
    )
    for one, other in zip(found, known, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-5)


NORMALIZED: dict[str, Callable[[Any, Any, Any, bool], Any]] = {
    "of a batch": lambda x, mean, var, moves: wrap(ops.batch_norm.default)(
        x, None, None, mean, var, moves, 0.1, 1e-5, False
    ),
    "native": lambda x, mean, var, moves: wrap(ops.native_batch_norm.default)(
        x, None, None, mean, var, moves, 0.1, 1e-5
    )[0],
    "of each": lambda x, mean, var, moves: wrap(ops.instance_norm.default)(
        x, None, None, mean, var, moves, 0.1, 1e-5, False
    ),
}


@pytest.mark.parametrize("name", NORMALIZED)
def test_statistics_that_are_written_in_place_stay_as_they_are(name: str) -> None:
    norm, x = NORMALIZED[name], random(4, 2, 3)
    mean, var = jnp.zeros(2), jnp.ones(2)
    np.testing.assert_allclose(norm(x, mean, var, False), x / (1 + 1e-5) ** 0.5, rtol=1e-5)
    assert norm(x, None, None, True).shape == x.shape
    calls = (norm, jax.grad(lambda *it: norm(*it).sum()))
    for called in (*calls, *(jax.jit(it, static_argnums=3) for it in calls)):
        with pytest.raises((TypeError, RuntimeError), match="writes to `running_mean` here"):
            jax.block_until_ready(called(x, mean, var, True))
    assert mean.tolist() == [0, 0]
    assert var.tolist() == [1, 1]


@pytest.mark.parametrize("threads", ["alone", "while other threads draw"])
def test_gradients_of_what_was_drawn_are_refused(
    threads: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if threads != "alone":
        states = count()
        monkeypatch.setattr(_randomness, "_state", lambda: next(states))
    x = random(64)
    assert jax.grad(lambda it: dropout(it, 0.5, False).sum())(x).tolist() == [1.0] * 64
    assert (dropout(x, 0.5, True) == 0).any()
    with pytest.raises(NotImplementedError, match=r"dropout\(\) draws random numbers"):
        jax.grad(lambda it: dropout(it, 0.5, True).sum())(x)
    compiled = jax.jit(jax.grad(lambda it: dropout(it, 0.5, True).sum()))
    with pytest.raises(RuntimeError, match=r"dropout\(\) draws random numbers"):
        jax.block_until_ready(compiled(x))
