"""Gradients of graphs that go through compiled functions."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import opwright
import pytest
from opwright import TensorType, function, graph, jit, vectorize

VECTOR = TensorType("float64", (None,))


@vectorize
def ramp(x):
    return x if x > 0 else 0 * x


@vectorize
def cubic(x):
    return x * x * x + 2 * x


@vectorize
def mixed(a, b):
    return a * a * b


@jit
def shifted(a):
    return a + 1.0


@shifted.derivative("a")
def _(grad, a, result):
    return grad * 3.0


def numbers(count: int) -> Any:
    return opwright.from_numpy(np.random.default_rng(count).normal(size=count))


def eager_gradients(body: Any, *values: Any) -> list[Any]:
    leaves = [it.clone().requires_grad_() for it in values]
    body(*leaves).sum().backward()
    return [it.grad for it in leaves]


@pytest.mark.parametrize("count", [5, 5000])
def test_gradients_are_those_of_calls(count):
    x, y = VECTOR("x"), VECTOR("y")
    a, b = numbers(count), numbers(count + 1)[1:]

    def body(x: Any, y: Any) -> Any:
        return mixed(cubic(ramp(x)) * 0.5, opwright.tanh(y))

    made = function([x, y], graph.grad(body(x, y).sum(), [x, y]))
    for found, wanted in zip(made(a, b), eager_gradients(body, a, b), strict=True):
        np.testing.assert_allclose(found.numpy(), wanted.numpy(), rtol=1e-12)


def test_gradients_are_summed_where_an_input_is_repeated():
    x, y = TensorType("float64", (None, None))("x"), TensorType("float64", (None, 1))("y")
    a, b = numbers(12).reshape(3, 4), numbers(3).reshape(3, 1)
    made = function([x, y], graph.grad(mixed(x, y).sum(), [x, y]))
    for found, wanted in zip(made(a, b), eager_gradients(mixed, a, b), strict=True):
        assert found.shape == wanted.shape
        np.testing.assert_allclose(found.numpy(), wanted.numpy(), rtol=1e-12)


def test_gradients_of_gradients():
    x = VECTOR("x")
    first = graph.grad(cubic(x).sum(), x)
    second = function([x], graph.grad(first.sum(), x))
    a = numbers(6)
    np.testing.assert_allclose(second(a).numpy(), 6 * a.numpy(), rtol=1e-12)


def test_functions_with_gradients_pickle():
    x = VECTOR("x")
    made = function([x], graph.grad(cubic(x).sum(), x))
    a = numbers(6)
    assert opwright.equal(pickle.loads(pickle.dumps(made))(a), made(a))


def test_registered_gradients_are_used():
    x = VECTOR("x")
    a = numbers(6)
    made = function([x], graph.grad((shifted(x) * 2.0).sum(), x))
    assert opwright.equal(made(a), a * 0 + 6.0)
