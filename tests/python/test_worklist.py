"""Rewrites of deep graphs: they come to an end, in time that grows with the graph."""

import time
import warnings

import opwright as ow
import pytest
from opwright import graph

FUNCTIONS = ["exp", "sin", "cos", "tanh", "sigmoid", "sqrt", "log1p", "erf", "expm1", "atan",
             "sinh", "asinh", "relu", "abs", "neg", "log", "square", "reciprocal", "exp2",
             "rsqrt"]  # fmt: skip


def vector():
    return ow.TensorType("float64", (None,))("x")


def nested(function, times):
    """The gradient of the sum of a function of a function."""
    x = vector()
    y = x
    for _ in range(times):
        y = function(y)
    return x, graph.grad(y.sum(), x)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_gradients_of_nested_functions_are_rewritten_to_the_end(name):
    """However many nodes a rule moves over."""
    x, gradient = nested(getattr(ow, name), 40)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        made = ow.function([x], gradient)
    assert made([0.5]).shape == (1,)


def test_work_grows_with_the_graph():
    """Not with its square."""

    def seconds(times):
        x, gradient = nested(ow.tanh, times)
        began = time.process_time()
        ow.function([x], gradient)
        return time.process_time() - began

    seconds(10)
    assert seconds(800) < 60 * max(seconds(50), 0.002)


ENDLESS = {
    "a pair": [("sin(x)", ow.cos), ("cos(x)", ow.sin)],
    "a longer circle": [("sin(x)", ow.cos), ("cos(x)", ow.tan), ("tan(x)", ow.sin)],
    "one that grows within": [("sin(x)", lambda x: ow.sin(ow.exp(x)))],
    "one that grows around": [("sin(x)", lambda x: ow.exp(ow.sin(x)))],
}


@pytest.mark.parametrize("name", ENDLESS)
def test_rules_that_never_end_are_told(name):
    """And what is made computes nevertheless."""
    x = vector()
    rules = [graph.rewrite(pattern)(function) for pattern, function in ENDLESS[name]]
    try:
        with pytest.warns(UserWarning, match="do not come to an end"):
            made = ow.function([x], ow.sin(ow.exp(x)))
    finally:
        for it in rules:
            it.remove()
    assert made([0.0]).shape == (1,)
