"""Building blocks of neural networks, with numpy as the oracle."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import opwright
import opwright.nn.functional as F
import pytest
from layouts import LAYOUTS, Array, dtype_of, pair
from opwright._C import _nn

FLOATS = ["float16", "float32", "float64"]

Oracle = Callable[[Array], Any]


def sigmoid(x: Array) -> Any:
    return 1 / (1 + np.exp(-x))


def erf(x: Array) -> Any:
    return np.vectorize(math.erf, otypes=[np.float64])(x)


def gelu_tanh(x: Array) -> Any:
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))


def elu(x: Array, alpha: float = 1, scale: float = 1, inner: float = 1) -> Any:
    return scale * np.where(x > 0, x, alpha * np.expm1(inner * x))


# Functions of each element; those in the second table also have integers.
SMOOTH: dict[str, tuple[Callable[..., Any], dict[str, Any], Oracle]] = {
    "gelu": (F.gelu, {}, lambda x: 0.5 * x * (1 + erf(x / np.sqrt(2)))),
    "gelu tanh": (F.gelu, {"approximate": "tanh"}, gelu_tanh),
    "silu": (F.silu, {}, lambda x: x * sigmoid(x)),
    "mish": (F.mish, {}, lambda x: x * np.tanh(np.log1p(np.exp(x)))),
    "softplus": (F.softplus, {}, lambda x: np.log1p(np.exp(x))),
    "softplus threshold": (
        F.softplus,
        {"beta": 2, "threshold": 1},
        lambda x: np.where(2 * x > 1, x, np.log1p(np.exp(2 * x)) / 2),
    ),
    "elu": (F.elu, {}, elu),
    "elu scaled": (
        _nn.elu,
        {"alpha": 2, "scale": 3, "input_scale": 0.5},
        lambda x: elu(x, 2, 3, 0.5),
    ),
    "selu": (opwright.selu, {}, lambda x: elu(x, 1.6732632423543772, 1.0507009873554805)),
    "celu": (opwright.celu, {"alpha": 2.0}, lambda x: elu(x, 2, 1, 0.5)),
    "leaky_relu": (
        F.leaky_relu,
        {"negative_slope": 0.1},
        lambda x: np.where(x > 0, x, 0.1 * x),
    ),
    "hardsigmoid": (F.hardsigmoid, {}, lambda x: np.clip(x / 6 + 0.5, 0, 1)),
    "hardswish": (F.hardswish, {}, lambda x: x * np.clip(x / 6 + 0.5, 0, 1)),
    "softshrink": (
        F.softshrink,
        {},
        lambda x: np.where(x > 0.5, x - 0.5, np.where(x < -0.5, x + 0.5, 0)),
    ),
}

PIECEWISE: dict[str, tuple[Callable[..., Any], dict[str, Any], Oracle]] = {
    "relu": (opwright.relu, {}, lambda x: np.maximum(x, 0)),
    "relu6": (F.relu6, {}, lambda x: np.clip(x, 0, 6)),
    "hardtanh": (F.hardtanh, {"min_val": 1, "max_val": 2}, lambda x: np.clip(x, 1, 2)),
    "threshold": (
        opwright.threshold,
        {"threshold": 1, "value": 5},
        lambda x: np.where(x > 1, x, 5),
    ),
}

ACTIVATIONS = {**SMOOTH, **PIECEWISE}


def close(actual: Any, expected: Any, dtype: str) -> None:
    tolerance = {"float16": 2e-3, "float32": 2e-6, "float64": 1e-12}.get(dtype, 0)
    assert dtype_of(actual) == dtype
    expected = np.asarray(expected)
    np.testing.assert_allclose(actual.numpy(), expected, rtol=tolerance, atol=tolerance)


def wide(array: Array) -> Array:
    return array.astype(np.float64) if array.dtype.kind == "f" else array


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", ACTIVATIONS)
def test_activations(name: str, layout: str, rng: np.random.Generator) -> None:
    call, kwargs, oracle = ACTIVATIONS[name]
    for dtype in FLOATS + (["uint8", "int16", "int64"] if name in PIECEWISE else []):
        array, tensor = pair(rng, dtype, layout)
        close(call(tensor, **kwargs), oracle(wide(array)), dtype)
        meta = call(opwright.empty(array.shape, dtype=tensor.dtype, device="meta"), **kwargs)
        assert (tuple(meta.shape), meta.dtype) == (array.shape, tensor.dtype)


@pytest.mark.parametrize("name", [it for it in ACTIVATIONS if it != "softplus threshold"])
def test_activations_in_place(name: str, rng: np.random.Generator) -> None:
    call, kwargs, _ = ACTIVATIONS[name]
    inplace = getattr(F, call.__name__ + "_", None)
    _, tensor = pair(rng, "float32", "transposed")
    expected = call(tensor, **kwargs).numpy()
    if inplace is not None:
        result = tensor.clone()
        assert inplace(result, **kwargs) is result
        np.testing.assert_array_equal(result.numpy(), expected)
    out = opwright.empty(0)
    try:
        assert call(tensor, **kwargs, out=out) is out
    except TypeError:
        # Some have no such variant.
        assert name in ("relu", "relu6", "selu", "celu")
    else:
        np.testing.assert_array_equal(out.numpy(), expected)


def test_what_is_not_a_number_stays() -> None:
    nan = opwright.tensor([math.nan])
    for name, (call, kwargs, _) in ACTIVATIONS.items():
        assert math.isnan(call(nan, **kwargs).item()), name


def test_far_from_zero() -> None:
    far = opwright.tensor([-1000.0, 1000.0])
    for name in ["gelu", "gelu tanh", "silu", "softplus", "hardswish"]:
        call, kwargs, _ = ACTIVATIONS[name]
        assert call(far, **kwargs).tolist() == [0, 1000], name


def test_activations_refuse_what_they_cannot_take() -> None:
    with pytest.raises(RuntimeError, match="Boolean"):
        opwright.tensor([True]).relu()
    with pytest.raises(NotImplementedError, match="gelu"):
        F.gelu(opwright.tensor([1]))
    with pytest.raises(RuntimeError, match="approximate"):
        F.gelu(opwright.ones(1), approximate="sine")
    with pytest.raises(RuntimeError, match="alpha"):
        opwright.celu(opwright.ones(1), 0)
    with pytest.raises(RuntimeError, match="unsigned"):
        F.hardtanh(opwright.ones(1, dtype=opwright.uint8))


def softmax(x: Array, axis: int) -> Any:
    powers = np.exp(x - x.max(axis, keepdims=True))
    return powers / powers.sum(axis, keepdims=True)


@pytest.mark.parametrize("dim", [0, -1])
@pytest.mark.parametrize("layout", [it for it in LAYOUTS if it not in ("empty", "single")])
def test_softmax(layout: str, dim: int, rng: np.random.Generator) -> None:
    for dtype in FLOATS:
        array, tensor = pair(rng, dtype, layout)
        expected = softmax(wide(array), dim)
        close(tensor.softmax(dim), expected, dtype)
        close(opwright.log_softmax(tensor, dim), np.log(expected), dtype)
        out = opwright.empty(0, dtype=tensor.dtype)
        assert opwright.softmax(tensor, dim, out=out) is out
        close(out, expected, dtype)
    ints = opwright.from_numpy(np.arange(6).reshape(2, 3))
    close(
        ints.softmax(dim, dtype=opwright.float64),
        softmax(np.arange(6.0).reshape(2, 3), dim),
        "float64",
    )


@pytest.mark.parametrize("dim", [0, 1, 2])
def test_softmax_of_many(dim: int, rng: np.random.Generator) -> None:
    array = rng.normal(size=(30, 5, 201)).astype(np.float32)
    tensor = opwright.from_numpy(array)
    expected = softmax(wide(array), dim)
    close(tensor.softmax(dim), expected, "float32")
    close(tensor.log_softmax(dim), np.log(expected), "float32")


def test_softmax_of_extremes() -> None:
    assert opwright.tensor([1e30, -1e30]).softmax(0).tolist() == [1, 0]
    assert opwright.tensor([-(2.0**99), 0.0]).log_softmax(0).tolist() == [-(2.0**99), 0]
    assert opwright.tensor(3.0).softmax(0).item() == 1
    assert tuple(opwright.ones(0, 3).softmax(1).shape) == (0, 3)
    assert tuple(opwright.ones(3, 0).softmax(1).shape) == (3, 0)
    assert tuple(opwright.ones(1, 0).expand(2**40, 0).softmax(1).shape) == (2**40, 0)
    meta = opwright.ones(2, 3, device="meta")
    assert tuple(meta.softmax(1).shape) == (2, 3)
    with pytest.raises(IndexError, match=r"\[-1, 0\]"):
        opwright.ones(3).softmax(1)
    with pytest.raises(NotImplementedError, match="softmax"):
        opwright.tensor([1]).softmax(0)


@pytest.mark.parametrize("dtype", FLOATS)
def test_layer_norm(dtype: str, rng: np.random.Generator) -> None:
    array, tensor = pair(rng, dtype, "contiguous")
    weight, bias = rng.normal(size=6).astype(dtype), rng.normal(size=6).astype(dtype)
    x = wide(array)
    normal = (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5)
    close(opwright.layer_norm(tensor, (6,)), normal, dtype)
    given = opwright.layer_norm(
        tensor, (6,), opwright.from_numpy(weight), opwright.from_numpy(bias)
    )
    close(given, normal * wide(weight) + wide(bias), dtype)
    whole = opwright.layer_norm(tensor.t(), (6, 4), eps=0.5)
    close(whole, ((x - x.mean()) / np.sqrt(x.var() + 0.5)).T, dtype)
    _, mean, scale = opwright.native_layer_norm(tensor, (6,), None, None, 1e-5)
    close(mean, x.mean(-1, keepdims=True), dtype)
    assert tuple(scale.shape) == (4, 1)
    meta = opwright.layer_norm(opwright.ones(4, 6, device="meta"), (6,))
    assert tuple(meta.shape) == (4, 6)


def test_layer_norm_checks_shapes() -> None:
    with pytest.raises(RuntimeError, match=r"Given normalized_shape=\[5\]"):
        opwright.layer_norm(opwright.ones(2, 3), (5,))
    with pytest.raises(RuntimeError, match="Expected weight"):
        opwright.layer_norm(opwright.ones(2, 3), (3,), opwright.ones(2))
    with pytest.raises(RuntimeError, match="at least 1-dimensional"):
        opwright.layer_norm(opwright.ones(2, 3), ())
    assert tuple(opwright.layer_norm(opwright.ones(0, 3), (3,)).shape) == (0, 3)


@pytest.mark.parametrize("shape", [(3,), (2, 3), (5, 2, 3), (0, 3)])
def test_linear(shape: tuple[int, ...], rng: np.random.Generator) -> None:
    x, weight, bias = rng.normal(size=shape), rng.normal(size=(4, 3)), rng.normal(size=4)
    tensors = [opwright.from_numpy(it) for it in (x, weight, bias)]
    close(F.linear(*tensors), x @ weight.T + bias, "float64")
    close(F.linear(*tensors[:2]), x @ weight.T, "float64")
    close(F.linear(tensors[0], tensors[1][0]), x @ weight[0], "float64")
    out = opwright.empty(0, dtype=opwright.float64)
    assert F.linear(*tensors, out=out) is out
    close(out, x @ weight.T + bias, "float64")


def test_dropout_leaves_some_out() -> None:
    opwright.manual_seed(3)
    ones = opwright.ones(200, 100)
    dropped = opwright.dropout(ones, 0.25, True)
    kept = dropped[dropped != 0]
    np.testing.assert_allclose(kept.numpy(), 1 / 0.75, rtol=1e-6)
    assert abs(len(kept) / 20_000 - 0.75) < 0.01
    opwright.manual_seed(3)
    again = ones.clone()
    assert opwright.dropout_(again, 0.25, True) is again
    assert (again == dropped).all()
    assert (opwright.dropout(ones, 0.25, True) != dropped).any()
    assert opwright.dropout(ones, 0.25, False).data_ptr() != ones.data_ptr()
    assert opwright.equal(opwright.dropout(ones, 0.25, False), ones)
    assert opwright.dropout(ones, 1, True).sum() == 0
    for p in (-0.1, 1.1, math.nan):
        with pytest.raises(RuntimeError, match="between 0 and 1"):
            opwright.dropout(ones, p, True)


LOSSES: dict[str, tuple[Callable[..., Any], dict[str, Any], Callable[[Array], Any]]] = {
    "mse_loss": (_nn.mse_loss, {}, lambda d: d**2),
    "l1_loss": (_nn.l1_loss, {}, np.abs),
    "smooth_l1_loss": (
        _nn.smooth_l1_loss,
        {"beta": 0.5},
        lambda d: np.where(np.abs(d) < 0.5, d**2, np.abs(d) - 0.25),
    ),
    "huber_loss": (
        _nn.huber_loss,
        {"delta": 2.0},
        lambda d: np.where(np.abs(d) <= 2, d**2 / 2, 2 * (np.abs(d) - 1)),
    ),
}


@pytest.mark.parametrize("name", LOSSES)
def test_losses_of_differences(name: str, rng: np.random.Generator) -> None:
    call, kwargs, oracle = LOSSES[name]
    for dtype in FLOATS:
        x, input_ = pair(rng, dtype, "transposed")
        y, target = pair(rng, dtype, "contiguous")
        losses = oracle(wide(x) - wide(y.T))
        for reduction, expected in enumerate([losses, losses.mean(), losses.sum()]):
            actual = call(input_, target.t(), reduction, **kwargs)
            close(actual, expected, dtype)
            if name != "l1_loss":
                out = opwright.empty(0, dtype=input_.dtype)
                assert call(input_, target.t(), reduction, **kwargs, out=out) is out
                close(out, expected, dtype)
        # The mean is the default, and shapes are broadcast.
        row = wide(x) - wide(y[:, :1].T)
        with pytest.warns(UserWarning, match="different"):
            actual = call(input_, target[:, 0], **kwargs)
        close(actual, oracle(row).mean(), dtype)
    meta = opwright.ones(2, 3, device="meta")
    assert tuple(call(meta, meta, 0).shape) == (2, 3)
    assert tuple(call(meta, meta, 1).shape) == ()
    with pytest.raises(ValueError, match="3 is not a valid value for reduction"):
        call(opwright.ones(2), opwright.ones(2), 3)
    with pytest.raises(NotImplementedError, match=name):
        call(opwright.tensor([1]), opwright.tensor([1]))


def test_binary_cross_entropy(rng: np.random.Generator) -> None:
    x, y, w = rng.random((4, 3)), rng.random((4, 3)), rng.random(3)
    tensors = [opwright.from_numpy(it) for it in (x, y, w)]
    losses = -(y * np.log(x) + (1 - y) * np.log(1 - x))
    close(_nn.binary_cross_entropy(tensors[0], tensors[1]), losses.mean(), "float64")
    close(_nn.binary_cross_entropy(tensors[0], tensors[1], tensors[2], 0), losses * w, "float64")
    sure = opwright.tensor([0.0, 1.0])
    assert _nn.binary_cross_entropy(sure, 1 - sure, None, 0).tolist() == [100, 100]
    assert _nn.binary_cross_entropy(sure, sure, None, 0).tolist() == [0, 0]
    with pytest.raises(RuntimeError, match="between 0 and 1"):
        _nn.binary_cross_entropy(sure + 1, sure)


def nll(logs: Array, target: Array, weight: Array, ignore: int) -> tuple[Array, Array]:
    """The loss of each sample, and its weight; `logs` has its classes last."""
    kept = target != ignore
    safe = np.where(kept, target, 0)
    weights = np.where(kept, weight[safe], 0)
    return -np.take_along_axis(logs, safe[..., None], -1)[..., 0] * weights, weights


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("shape", [(7, 5), (2, 5, 3), (2, 5, 3, 4)])
def test_nll_loss(shape: tuple[int, ...], weighted: bool, rng: np.random.Generator) -> None:
    logs = rng.normal(size=shape)
    target = rng.integers(0, 5, (shape[0], *shape[2:]))
    weight = rng.random(5) if weighted else np.ones(5)
    losses, weights = nll(np.moveaxis(logs, 1, -1), target, weight, 2)
    x, y = opwright.from_numpy(logs), opwright.from_numpy(target)
    given = opwright.from_numpy(weight) if weighted else None
    expected = [losses, losses.sum() / weights.sum(), losses.sum()]
    for reduction in range(3):
        close(F.nll_loss_nd(x, y, given, reduction, 2), expected[reduction], "float64")
        if len(shape) == 2:
            close(_nn.nll_loss(x, y, given, reduction, 2), expected[reduction], "float64")
            meta = _nn.nll_loss(x.to(device="meta"), y.to(device="meta"), None, reduction)
            assert tuple(meta.shape) == expected[reduction].shape
        if len(shape) == 4:
            close(F.nll_loss2d(x, y, given, reduction, 2), expected[reduction], "float64")


def test_nll_loss_of_one_sample() -> None:
    logs = opwright.tensor([-1.0, -2.0, -3.0])
    assert F.nll_loss_nd(logs, opwright.tensor(1)).item() == 2
    assert math.isnan(_nn.nll_loss(logs[None], opwright.tensor([-100])).item())
    for target in (3, -1):
        with pytest.raises(IndexError, match=f"Target {target} is out of bounds"):
            _nn.nll_loss(logs[None], opwright.tensor([target]))
    with pytest.raises(ValueError, match="batch_size"):
        F.nll_loss_nd(logs[None], opwright.tensor([1, 2]))
    with pytest.raises(RuntimeError, match="size mismatch"):
        _nn.nll_loss(logs[None], opwright.tensor([1, 2]))
    with pytest.raises(RuntimeError, match="expected scalar type Long"):
        _nn.nll_loss(logs[None], logs[:1])


@pytest.mark.parametrize("smoothing", [0.0, 0.2])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("shape", [(5,), (7, 5), (2, 5, 3)])
def test_cross_entropy(
    shape: tuple[int, ...], weighted: bool, smoothing: float, rng: np.random.Generator
) -> None:
    axis = min(1, len(shape) - 1)
    x = rng.normal(size=shape)
    logs = np.moveaxis(np.log(softmax(x, axis)), axis, -1)
    target = np.asarray(rng.integers(0, 5, logs.shape[:-1]))
    weight = rng.random(5) if weighted else np.ones(5)
    losses, weights = nll(logs, target, weight, 2)
    even = np.where(target != 2, -(logs * weight).sum(-1), 0)
    losses = (1 - smoothing) * losses + smoothing / 5 * even
    given = opwright.from_numpy(weight) if weighted else None
    with np.errstate(invalid="ignore"):
        expected = [losses, losses.sum() / weights.sum(), losses.sum()]
    for reduction in range(3):
        actual = F.cross_entropy_loss(
            opwright.from_numpy(x), opwright.from_numpy(target), given, reduction, 2, smoothing
        )
        close(actual, expected[reduction], "float64")


@pytest.mark.parametrize("smoothing", [0.0, 0.3])
def test_cross_entropy_of_probabilities(smoothing: float, rng: np.random.Generator) -> None:
    x, weight = rng.normal(size=(4, 3, 2)), rng.random(3)
    target = softmax(rng.normal(size=(4, 3, 2)), 1)
    smooth = target * (1 - smoothing) + smoothing / 3
    losses = -(np.log(softmax(x, 1)) * smooth * weight[:, None]).sum(1)
    for reduction, expected in enumerate([losses, losses.mean(), losses.sum()]):
        actual = F.cross_entropy_loss(
            opwright.from_numpy(x),
            opwright.from_numpy(target),
            opwright.from_numpy(weight),
            reduction,
            label_smoothing=smoothing,
        )
        close(actual, expected, "float64")
    with pytest.raises(RuntimeError, match="label_smoothing"):
        F.cross_entropy_loss(opwright.ones(2, 3), opwright.tensor([0, 1]), label_smoothing=2.0)


def test_one_hot() -> None:
    classes = opwright.tensor([[0, 2], [1, 0]])
    expected = np.eye(3, dtype=np.int64)[classes.numpy()]
    np.testing.assert_array_equal(F.one_hot(classes).numpy(), expected)
    assert tuple(F.one_hot(classes, 5).shape) == (2, 2, 5)
    assert tuple(F.one_hot(classes[:0], 5).shape) == (0, 2, 5)
    assert tuple(F.one_hot(classes.to(device="meta"), 5).shape) == (2, 2, 5)
    for bad, count, message in [
        (classes, 2, "smaller than num_classes"),
        (classes - 1, 5, "non-negative"),
        (classes.float(), 5, "LongTensor"),
        (classes[:0], -1, "Can not infer"),
        (classes, 0, "positive"),
    ]:
        with pytest.raises(RuntimeError, match=message):
            F.one_hot(bad, count)


@pytest.mark.parametrize("mode", ["constant", "reflect", "replicate", "circular"])
def test_pad(mode: str, rng: np.random.Generator) -> None:
    names = {"replicate": "edge", "circular": "wrap"}
    array, tensor = pair(rng, "int64", "transposed")
    expected = np.pad(array, ((0, 3), (1, 2)), mode=names.get(mode, mode))  # type: ignore[call-overload]
    actual = F.pad(tensor, (1, 2, 0, 3), mode)
    np.testing.assert_array_equal(actual.numpy(), expected)
    np.testing.assert_array_equal(F.pad(tensor, (-1, -2), mode).numpy(), array[:, 1:-2])
    meta = F.pad(tensor.to(device="meta"), (1, 2, 0, 3), mode)
    assert tuple(meta.shape) == expected.shape


@pytest.mark.parametrize("pads", [(-1, 1), (1, -1), (-1, 3), (3, -1), (-2, 2), (-1, -1), (-3, 1)])
def test_a_circle_repeats_what_negative_borders_leave(pads: tuple[int, int]) -> None:
    left, right = pads
    array = np.arange(16.0).reshape(4, 4)
    kept = array[:, max(-left, 0) : 4 - max(-right, 0)]
    expected = np.pad(kept, ((0, 0), (max(left, 0), max(right, 0))), mode="wrap")
    actual = F.pad(opwright.tensor(array), pads, "circular")
    np.testing.assert_array_equal(actual.numpy(), expected)


def test_a_circle_in_two_dimensions() -> None:
    image = opwright.arange(16.0).reshape(1, 1, 4, 4)
    padded = F.pad(image, (-1, 1, -2, 1), "circular")
    assert padded.tolist() == [[[[9, 10, 11, 9], [13, 14, 15, 13], [9, 10, 11, 9]]]]
    with pytest.raises(RuntimeError, match="nothing to repeat"):
        F.pad(image, (-4, 1), "circular")


def test_pad_with_a_value_and_too_much() -> None:
    ones = opwright.ones(2, 2)
    assert F.pad(ones, (1, 0), value=5.0).tolist() == [[5, 1, 1], [5, 1, 1]]
    assert opwright.constant_pad_nd(ones, (-1, 2), 3).tolist() == [[1, 3, 3], [1, 3, 3]]
    assert tuple(F.pad(ones, (-1, -1)).shape) == (2, 0)
    for pad, mode, message in [
        ((1,), "constant", "even"),
        ((1,) * 6, "constant", "no more than twice"),
        ((-2, -1), "constant", "negative output size"),
        ((2**62, 0), "reflect", "does not fit"),
        ((2**62, 0), "circular", "does not fit"),
        ((-(2**63), 0), "reflect", "does not fit"),
        ((2**62, 2**62), "replicate", "does not fit"),
    ]:
        with pytest.raises(RuntimeError, match=message):
            F.pad(ones, pad, mode)
    with pytest.raises(NotImplementedError, match="mode"):
        F.pad(ones, (1, 1), "mirror")


def pooled(image: Array, kernel: int, stride: int, padding: int) -> Array:
    padded = np.pad(image, [(0, 0)] * (image.ndim - 2) + [(padding, padding)] * 2)
    windows = np.lib.stride_tricks.sliding_window_view(padded, (kernel, kernel), (-2, -1))
    return np.asarray(windows[..., ::stride, ::stride, :, :].mean((-2, -1)))


@pytest.mark.parametrize(("kernel", "stride", "padding"), [(2, 2, 0), (3, 1, 1), (2, 3, 1)])
def test_avg_pool2d(kernel: int, stride: int, padding: int, rng: np.random.Generator) -> None:
    image = rng.normal(size=(2, 3, 7, 8))
    tensor = opwright.from_numpy(image)
    expected = pooled(image, kernel, stride, padding)
    close(F.avg_pool2d(tensor, kernel, stride, padding), expected, "float64")
    close(F.avg_pool2d(tensor[0], (kernel, kernel), (stride,) * 2, padding), expected[0], "float64")
    total = F.avg_pool2d(tensor, kernel, stride, padding, divisor_override=1)
    close(total, expected * kernel**2, "float64")
    ones = F.avg_pool2d(opwright.ones(1, 7, 8), kernel, stride, padding, True, False)
    assert (ones == 1).all()


def test_pooling_to_a_size(rng: np.random.Generator) -> None:
    image = rng.normal(size=(3, 5, 6))
    tensor = opwright.from_numpy(image)
    close(F.adaptive_avg_pool2d(tensor, 1), image.mean((1, 2), keepdims=True), "float64")
    close(F.adaptive_avg_pool2d(tensor, (5, 3)), image.reshape(3, 5, 3, 2).mean(-1), "float64")
    rows = np.stack([image[:, :3].mean(1), image[:, 2:].mean(1)], 1)
    close(F.adaptive_avg_pool2d(tensor, (2, 6)), rows, "float64")
    calls: list[tuple[Callable[[], Any], str]] = [
        (lambda: F.avg_pool2d(tensor, 7), "too small"),
        (lambda: F.avg_pool2d(tensor, (1, 2, 3)), "kernel_size"),
        (lambda: F.avg_pool2d(tensor, 2, 0), "greater than zero"),
        (lambda: F.avg_pool2d(tensor, 2, padding=2), "half"),
        (lambda: F.avg_pool2d(tensor[0], 2), "3D or 4D"),
        (lambda: F.avg_pool2d(tensor, 2, divisor_override=0), "not zero"),
        (lambda: F.adaptive_avg_pool2d(tensor, -1), "greater than or equal"),
    ]
    for call, message in calls:
        with pytest.raises(RuntimeError, match=message):
            call()


def test_avg_pool2d_of_integers(rng: np.random.Generator) -> None:
    image = rng.integers(-100, 100, (2, 3, 7, 8))
    windows = np.lib.stride_tricks.sliding_window_view(image, (2, 3), (-2, -1))[..., ::2, ::3, :, :]
    sums = windows.sum((-2, -1))
    # Quotients are rounded towards 0.
    expected = np.sign(sums) * (abs(sums) // 6)
    for dtype in ("int8", "int16", "int32", "int64"):
        tensor = opwright.from_numpy(image.astype(dtype))
        close(F.avg_pool2d(tensor, (2, 3)), expected.astype(dtype), dtype)
        meta = F.avg_pool2d(tensor.to(device="meta"), (2, 3))
        assert (tuple(meta.shape), meta.dtype) == (expected.shape, tensor.dtype)
    bytes_ = opwright.full((1, 4, 4), 255, dtype=opwright.uint8)
    assert F.avg_pool2d(bytes_, 2).tolist() == [[[255, 255], [255, 255]]]
    with pytest.raises(NotImplementedError, match="avg_pool2d"):
        F.avg_pool2d(opwright.ones(1, 4, 4, dtype=opwright.bool), 2)


def test_complex_numbers_have_losses_and_activations(rng: np.random.Generator) -> None:
    for dtype, real in [("complex64", "float32"), ("complex128", "float64")]:
        a, x = pair(rng, dtype, "transposed")
        b, y = pair(rng, dtype, "transposed")
        tolerance = 1e-5 if dtype == "complex64" else 1e-12
        sigmoid_times = a / (1 + np.exp(-a))
        np.testing.assert_allclose(F.silu(x).numpy(), sigmoid_times, rtol=tolerance, atol=tolerance)
        assert dtype_of(F.silu(x)) == dtype
        close(_nn.l1_loss(x, y), abs(a - b).mean(), real)
        close(_nn.l1_loss(x, y, 0), abs(a - b), real)
        close(_nn.l1_loss(x, y.real, 2), abs(a - b.real).sum(), real)
    assert F.silu(opwright.tensor([-1000 + 1j, 1000 + 1j])).tolist() == [0, 1000 + 1j]


def test_limits_the_wrong_way_round_are_refused() -> None:
    for call in (F.hardtanh, _nn.hardtanh, _nn.hardtanh_):
        message = "min_val 2 cannot be greater than max_val 1"
        with pytest.raises(ValueError, match=message) as raised:
            call(opwright.ones(2), 2, 1)
        assert raised.type is ValueError
        assert call(opwright.ones(2), 2, 2).tolist() == [2, 2]


def test_long_sums_of_losses_and_windows_do_not_stop() -> None:
    # One by one, sums of `float32` are off by more than a percent from some millions on.
    count = 1 << 22
    logs = opwright.full((count, 2), -0.1)
    targets = opwright.zeros(count, dtype=opwright.int64)
    weight = opwright.tensor([0.3, 0.7])
    for reduction, expected in (("mean", 0.1), ("sum", 0.1 * count)):
        loss = F.nll_loss(logs, targets, reduction=reduction).item()
        assert loss == pytest.approx(expected, rel=1e-6)
        loss = F.nll_loss(logs, targets, weight, reduction=reduction).item()
        expected *= 0.3 if reduction == "sum" else 1
        assert loss == pytest.approx(expected, rel=1e-6)
    image = opwright.full((1, 1, 1, count), 0.1)
    assert F.avg_pool2d(image, (1, count)).item() == pytest.approx(0.1, rel=1e-6)
    assert F.adaptive_avg_pool2d(image, 1).item() == pytest.approx(0.1, rel=1e-6)
