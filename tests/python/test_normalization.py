"""Normalizations beside numpy, their gradients and running statistics."""

import math

import numpy as np
import opwright
import pytest
from opwright.autograd import gradcheck, gradgradcheck
from opwright.nn import functional as F


def normal(*shape, **options):
    return opwright.randn(*shape, dtype=opwright.float64, **options)


def scaled(array, axes, eps=1e-5):
    mean, var = array.mean(axes, keepdims=True), array.var(axes, keepdims=True)
    return (array - mean) / np.sqrt(var + eps)


@pytest.mark.parametrize("shape", [(4, 3), (4, 3, 5), (2, 3, 4, 5), (2, 3, 2, 2, 2)])
def test_channels_of_a_batch(shape):
    x, weight, bias = normal(*shape), normal(3), normal(3)
    mean, var = opwright.zeros(3, dtype=x.dtype), opwright.ones(3, dtype=x.dtype)
    found = F.batch_norm(x, mean, var, weight, bias, True, 0.25)
    axes = (0, *range(2, len(shape)))
    column = (3, *(1,) * (len(shape) - 2))
    wanted = scaled(x.numpy(), axes) * weight.numpy().reshape(column)
    np.testing.assert_allclose(found.numpy(), wanted + bias.numpy().reshape(column))
    np.testing.assert_allclose(mean.numpy(), 0.25 * x.numpy().mean(axes))
    np.testing.assert_allclose(var.numpy(), 0.75 + 0.25 * x.numpy().var(axes, ddof=1))
    later = F.batch_norm(x, mean, var, weight, bias)
    by_running = (x.numpy() - mean.numpy().reshape(column)) / np.sqrt(
        var.numpy().reshape(column) + 1e-5
    )
    wanted = by_running * weight.numpy().reshape(column) + bias.numpy().reshape(column)
    np.testing.assert_allclose(later.numpy(), wanted)


def test_groups_and_images():
    x = normal(2, 6, 3, 4)
    weight, bias = normal(6), normal(6)
    found = F.group_norm(x, 3, weight, bias)
    wanted = scaled(x.numpy().reshape(2, 3, -1), 2).reshape(x.shape)
    column = (6, 1, 1)
    wanted = wanted * weight.numpy().reshape(column) + bias.numpy().reshape(column)
    np.testing.assert_allclose(found.numpy(), wanted)
    mean, var = opwright.zeros(6, dtype=x.dtype), opwright.ones(6, dtype=x.dtype)
    found = F.instance_norm(x, mean, var, momentum=0.5)
    np.testing.assert_allclose(found.numpy(), scaled(x.numpy(), (2, 3)))
    np.testing.assert_allclose(mean.numpy(), 0.5 * x.numpy().mean((2, 3)).mean(0))


def test_roots_of_mean_squares():
    x = normal(3, 4, 5)
    weight = normal(4, 5)
    root = np.sqrt((x.numpy() ** 2).mean((1, 2), keepdims=True) + 0.5)
    found = F.rms_norm(x, (4, 5), weight, 0.5)
    np.testing.assert_allclose(found.numpy(), x.numpy() / root * weight.numpy())
    half = F.rms_norm(x.half(), (5,))
    assert half.dtype == opwright.float16


@pytest.mark.parametrize("p", [1.0, 2.0, math.inf, 0.5])
def test_rows_over_their_norms(p):
    x = normal(3, 4)
    norms = (np.abs(x.numpy()) ** p).sum(1, keepdims=True) ** (1 / p) if p < math.inf else None
    if norms is None:
        norms = np.abs(x.numpy()).max(1, keepdims=True)
    np.testing.assert_allclose(F.normalize(x, p).numpy(), x.numpy() / norms)
    assert F.normalize(opwright.zeros(2, 2)).tolist() == [[0.0, 0.0], [0.0, 0.0]]


def test_neighbouring_channels():
    x = normal(2, 5, 3)
    found = F.local_response_norm(x, 3, 0.5, 0.75, 2.0).numpy()
    squares = np.pad(x.numpy() ** 2, ((0, 0), (1, 1), (0, 0)))
    means = sum(squares[:, at : at + 5] for at in range(3)) / 3
    np.testing.assert_allclose(found, x.numpy() / (2.0 + 0.5 * means) ** 0.75)


def test_gradients():
    x = normal(3, 4, 2, requires_grad=True)
    weight, bias = normal(4, requires_grad=True), normal(4, requires_grad=True)
    mean, var = opwright.zeros(4, dtype=x.dtype), opwright.ones(4, dtype=x.dtype)
    calls = [
        lambda x, w, b: F.batch_norm(x, None, None, w, b, True),
        lambda x, w, b: F.batch_norm(x, mean, var, w, b),
        lambda x, w, b: F.group_norm(x, 2, w, b),
        lambda x, w, b: F.instance_norm(x, None, None, w, b),
    ]
    for call in calls:
        assert gradcheck(call, (x, weight, bias))
        assert gradgradcheck(call, (x, weight, bias))
    assert gradcheck(lambda x: F.rms_norm(x, (4, 2)), (x,))
    assert gradcheck(lambda x: F.normalize(x), (x,))
    assert not mean.requires_grad


WRONG = [
    (lambda x: F.batch_norm(x, None, None), RuntimeError, "evaluation mode"),
    (lambda x: F.batch_norm(x, x[0], None), RuntimeError, "both be given"),
    (lambda x: F.batch_norm(x, opwright.ones(5), opwright.ones(5)), RuntimeError, "running_mean"),
    (lambda x: F.batch_norm(x[:1], None, None, training=True), ValueError, "more than 1 value"),
    (lambda x: F.instance_norm(x), ValueError, "more than 1 spatial"),
    (lambda x: F.group_norm(x, 2), RuntimeError, "divisible by num_groups"),
    (lambda x: F.rms_norm(x, (2,)), RuntimeError, "normalized_shape"),
    (lambda x: F.local_response_norm(x, 2), ValueError, "3D or higher"),
]


@pytest.mark.parametrize("number", range(len(WRONG)))
def test_what_does_not_fit_is_refused(number):
    call, error, text = WRONG[number]
    with pytest.raises(error, match=text):
        call(opwright.ones(2, 3))
