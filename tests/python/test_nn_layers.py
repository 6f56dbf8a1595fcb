"""Layers beside what PyTorch says of them, the functions that they call, and formulas."""

from __future__ import annotations

import copy
import doctest
import importlib
import inspect
import math
import pickle
import re
import tomllib
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import opwright
import opwright.nn.functional as F
import pytest
from opwright import nn
from opwright.nn._functional_layer import FunctionalLayer

T = opwright.tensor

# Signatures, texts and names in states, as PyTorch has them.
KNOWN = tomllib.loads(Path(__file__).with_name("nn_layers.toml").read_text())

CLASSES: dict[str, Any] = {
    name: it for name in nn.__all__ if inspect.isclass(it := getattr(nn, name))
}
FUNCTIONAL = [name for name, it in CLASSES.items() if issubclass(it, FunctionalLayer)]


def made(text: str) -> Any:
    """A layer from what makes it."""
    return eval(f"nn.{text}", {"nn": nn})


def bare(function: Any) -> str:
    """A signature without annotations."""
    signature = inspect.signature(function)
    parameters = [
        it.replace(annotation=inspect.Parameter.empty) for it in signature.parameters.values()
    ]
    text = str(inspect.Signature(parameters))
    return re.sub(r"<built-in function (\w+)>", r"\1", text)


def close(actual: Any, expected: Any, tolerance: float = 1e-6) -> None:
    np.testing.assert_allclose(
        actual.detach().numpy(), np.asarray(expected), rtol=tolerance, atol=tolerance
    )


# --- as they are known ------------------------------------------------------------------


@pytest.mark.parametrize("name", KNOWN["signatures"])
def test_signatures(name: str) -> None:
    assert bare(CLASSES[name]) == KNOWN["signatures"][name]


@pytest.mark.parametrize("text", KNOWN["texts"])
def test_texts(text: str) -> None:
    assert repr(made(text)) == KNOWN["texts"][text]


@pytest.mark.parametrize("text", KNOWN["states"])
def test_names_in_states(text: str) -> None:
    assert list(made(text).state_dict()) == KNOWN["states"][text]


def test_the_package_has_them_all() -> None:
    assert len(CLASSES) > 120
    assert set(nn.__all__) <= set(dir(nn))
    namespace: dict[str, Any] = {}
    exec("from opwright.nn import *", namespace)
    assert namespace["Conv2d"] is nn.Conv2d
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        nn.Nothing  # noqa: B018
    for name, class_ in CLASSES.items():
        assert class_.__name__ == name
        assert class_.__doc__, name


def test_examples_of_layers() -> None:
    homes = {importlib.import_module(it.__module__) for it in CLASSES.values()}
    attempted = 0
    for home in homes:
        result = doctest.testmod(home, extraglobs={"opwright": opwright})
        assert not result.failed, home
        attempted += result.attempted
    assert attempted > 40


# --- as they follow from functions --------------------------------------------------------

# What layers do not pass on, or call otherwise.
OTHERWISE = {"min_value", "max_value", "unflattened_size"}
# Defaults that the layer and the function have differently in PyTorch, too.
OTHER_DEFAULTS = {("Flatten", "start_dim"), ("Softmax", "dim"), ("LogSoftmax", "dim")}


@pytest.mark.parametrize("name", FUNCTIONAL)
def test_defaults_agree_with_those_of_functions(name: str) -> None:
    class_ = CLASSES[name]
    doc = class_.forward.__doc__ or ""
    path = doc.removeprefix("What `").partition("`")[0]
    function: Any = F if path.startswith("functional.") else opwright
    function = getattr(function, path.rpartition(".")[2])
    known = inspect.signature(function).parameters
    for parameter in inspect.signature(class_).parameters.values():
        if parameter.name in OTHERWISE:
            continue
        default = known[parameter.name].default
        same = default == parameter.default or (default == () and parameter.default is None)
        assert same or (name, parameter.name) in OTHER_DEFAULTS, parameter.name


@pytest.mark.parametrize("name", FUNCTIONAL)
def test_methods_that_follow_look_written(name: str) -> None:
    class_ = CLASSES[name]
    for method in (class_.__init__, class_.forward):
        assert method.__module__.startswith("opwright.nn.")
        assert method.__qualname__.endswith(f".{method.__name__}")
        assert set(method.__annotations__) >= set(inspect.signature(method).parameters) - {"self"}
    with pytest.raises(TypeError, match=rf"{name}\.__init__\(\) got an unexpected keyword"):
        class_(nothing=1)
    assert isinstance(class_.__constants__, list)


def test_functional_layers_are_declared() -> None:
    calls: list[tuple[Any, ...]] = []

    def scale(input: Any, factor: float, offset: Any = None, training: bool = False) -> Any:
        calls.append((factor, training))
        return input * factor if offset is None else input * factor + offset

    class Scale(FunctionalLayer, function=scale, passes_training=True):
        factor: float
        offset: opwright.Tensor | None = None

    layer = Scale(2.0, T([1.0]))
    assert bare(Scale) == "(factor, offset=None)"
    assert bare(Scale.forward) == "(self, input)"
    assert repr(layer) == "Scale(factor=2.0)"
    assert list(layer.state_dict()) == ["offset"]
    assert Scale.__constants__ == ["factor"]
    assert layer(T([3.0])).tolist() == [7.0]
    assert layer.eval()(T([3.0])).tolist() == [7.0]
    assert calls == [(2.0, True), (2.0, False)]
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'factor'"):
        Scale()  # type: ignore[call-arg]

    class Own(Scale):
        """A class that is no layer of its own has the methods that it writes."""

        twice: float = 2.0

        def __init__(self) -> None:
            super().__init__(3.0)

        def forward(self, input: Any) -> Any:
            """What `Scale` returns, times a number."""
            return super().forward(input) * self.twice

    assert Own()(T([1.0])).tolist() == [6.0]


PASSED: list[tuple[str, Callable[[], Any], tuple[int, ...]]] = [
    ("ELU(0.5)", lambda: F.elu(x(3, 4), 0.5), (3, 4)),
    ("Hardtanh(-0.5,0.25)", lambda: F.hardtanh(x(3, 4), -0.5, 0.25), (3, 4)),
    ("Threshold(0.1,20.0)", lambda: F.threshold(x(3, 4), 0.1, 20.0), (3, 4)),
    ("Softplus(2.0,1.0)", lambda: F.softplus(x(3, 4), 2.0, 1.0), (3, 4)),
    ("GELU('tanh')", lambda: F.gelu(x(3, 4), approximate="tanh"), (3, 4)),
    ("RReLU(0.25,0.75)", lambda: F.leaky_relu(x(3, 4), 0.5), (3, 4)),
    ("MaxPool2d(2,1,1)", lambda: F.max_pool2d(x(1, 4, 5), 2, 1, 1), (1, 4, 5)),
    ("AvgPool1d(3,2,1)", lambda: F.avg_pool1d(x(2, 7), 3, 2, 1), (2, 7)),
    ("AdaptiveAvgPool2d(2)", lambda: F.adaptive_avg_pool2d(x(1, 4, 5), 2), (1, 4, 5)),
    ("ConstantPad1d((1,2),3.0)", lambda: F.pad(x(2, 3), (1, 2), value=3.0), (2, 3)),
    ("CircularPad1d(2)", lambda: F.pad(x(2, 3), (2, 2), "circular"), (2, 3)),
    ("PixelShuffle(2)", lambda: F.pixel_shuffle(x(4, 2, 2), 2), (4, 2, 2)),
    ("Unfold(2)", lambda: F.unfold(x(1, 2, 3, 3), 2), (1, 2, 3, 3)),
    ("Upsample(scale_factor=2)", lambda: F.interpolate(x(1, 2, 3), scale_factor=2), (1, 2, 3)),
    ("LocalResponseNorm(2)", lambda: F.local_response_norm(x(1, 4, 3), 2), (1, 4, 3)),
    ("Unflatten(1,(2,-1))", lambda: x(3, 4).reshape(3, 2, 2), (3, 4)),
    ("Flatten()", lambda: x(2, 3, 4).reshape(2, 12), (2, 3, 4)),
]


def x(*shape: int) -> Any:
    return opwright.from_numpy(np.random.default_rng(5).normal(size=shape))


@pytest.mark.parametrize(("text", "expected", "shape"), PASSED, ids=[it[0] for it in PASSED])
def test_parameters_are_passed_on(
    text: str, expected: Callable[[], Any], shape: tuple[int, ...]
) -> None:
    layer = made(text).eval()
    assert opwright.equal(layer(x(*shape)), expected())
    for again in (pickle.loads(pickle.dumps(layer)), copy.deepcopy(layer)):
        assert repr(again) == repr(layer)
        assert opwright.equal(again(x(*shape)), expected())


def test_weights_of_losses_are_buffers() -> None:
    weight = T([1.0, 2.0, 3.0])
    loss = nn.CrossEntropyLoss(weight)
    assert list(loss.state_dict()) == ["weight"]
    logits, targets = T([[1.0, 2.0, 3.0]]), T([1])
    assert loss(logits, targets) == F.cross_entropy(logits, targets, weight)
    assert [it.dtype for it in loss.double().buffers()] == [opwright.float64]
    assert nn.CrossEntropyLoss().weight is None
    assert nn.BCEWithLogitsLoss(pos_weight=weight).pos_weight is weight


def test_sequences_of_labels() -> None:
    log_probs = opwright.full((2, 1, 2), 0.5).log()
    loss = nn.CTCLoss(reduction="sum")(log_probs, T([[1]]), [2], [1])
    # Three of four pairs of classes are the label, once.
    close(loss, math.log(4 / 3))


def test_rare_classes_are_in_clusters(rng: np.random.Generator) -> None:
    layer = nn.AdaptiveLogSoftmaxWithLoss(6, 12, [3, 7], 2.0, True, dtype=opwright.float64)
    assert [tuple(it[1].weight.shape) for it in layer.tail] == [(4, 3), (5, 1)]
    array = rng.normal(size=(40, 6)) * 5
    inputs = opwright.from_numpy(array)
    everything = layer.log_prob(inputs)
    close(everything.exp().sum(1), np.ones(40), 1e-12)
    state = {name: it.numpy() for name, it in layer.state_dict().items()}
    head = np.exp(array @ state["head.weight"].T + state["head.bias"])
    head /= head.sum(1, keepdims=True)
    tail = np.exp(array @ state["tail.1.0.weight"].T @ state["tail.1.1.weight"].T)
    tail /= tail.sum(1, keepdims=True)
    close(everything[:, 7:].exp(), head[:, 4:] * tail, 1e-12)
    targets = np.arange(40) % 12
    output, loss = layer(inputs, opwright.from_numpy(targets))
    close(output, everything.detach().numpy()[np.arange(40), targets], 1e-12)
    close(loss, -output.detach().numpy().mean(), 1e-12)
    loss.backward()
    assert all(it.grad is not None for it in layer.parameters())
    close(layer(inputs[7], T(7)).output, output[7].item(), 1e-12)
    of_head = head.argmax(1)
    expected = np.where(of_head < 3, of_head, everything.detach().numpy().argmax(1))
    assert layer.predict(inputs).tolist() == expected.tolist()
    for wrong in ([], [0, 3], [3, 3], [7, 3], [12]):
        with pytest.raises(ValueError, match="'cutoffs' must be integers between 1 and 11"):
            nn.AdaptiveLogSoftmaxWithLoss(6, 12, wrong)
    for bad, text in ((T([12] * 40), "between 0 and 11"), (T([1]), "as many"), (T(1), "alone")):
        with pytest.raises(RuntimeError, match=text):
            layer(inputs, bad)


def test_older_words() -> None:
    with pytest.warns(FutureWarning, match="'min_value' is deprecated"):
        limits = nn.Hardtanh(min_value=-3.0)
    assert (limits.min_val, limits.max_val) == (-3.0, 1.0)
    for layer in (nn.Softmax(), nn.LogSoftmax(), nn.Softmin()):
        with pytest.warns(DeprecationWarning, match="give 'dim'") as caught:
            result = layer(opwright.ones(2, 4))
        assert caught[0].filename == __file__
        close(abs(result).reshape(-1)[0], math.log(4) if "Log" in repr(layer) else 0.25)


WRONG: list[tuple[Callable[[], Any], type[Exception], str]] = [
    (lambda: nn.Dropout(1.5), ValueError, r"Dropout\(\): argument 'p' must be between 0 and 1"),
    (lambda: nn.AlphaDropout(-1), ValueError, r"AlphaDropout\(\): argument 'p'"),
    (lambda: nn.Hardtanh(2.0, 1.0), ValueError, "greater than min_val=2.0, but is 1.0"),
    (lambda: nn.MultiMarginLoss(3), ValueError, "must be 1 or 2, but is 3"),
    (lambda: nn.MultiMarginLoss(weight=opwright.ones(1, 1)), ValueError, "must be a vector"),
    (lambda: nn.TripletMarginLoss(0.0), ValueError, "'margin' must be greater than 0"),
    (lambda: nn.ReflectionPad1d((1, 2, 3)), ValueError, "an integer or 2 of them"),
    (lambda: nn.ZeroPad2d("ab"), TypeError, r"ZeroPad2d\(\): argument 'padding' must be int"),  # type: ignore[arg-type]
    (lambda: nn.CircularPad2d(1)(x(3, 3)), ValueError, "expected 3D or 4D input"),
    (lambda: nn.Softmax2d()(x(3, 3)), ValueError, "3D or 4D"),
    (lambda: nn.GroupNorm(2, 3), ValueError, "divisible by num_groups=2, but is 3"),
    (lambda: nn.BatchNorm1d(2)(x(2)), ValueError, "expected 2D or 3D input"),
    (lambda: nn.BatchNorm2d(2)(x(2, 2)), ValueError, "expected 4D input"),
    (lambda: nn.InstanceNorm2d(3, affine=True)(x(2, 3, 3)), ValueError, "2 channels, and the lay"),
    (lambda: nn.BatchNorm1d(-1), ValueError, r"BatchNorm1d\(\): argument 'num_features'"),
    (lambda: nn.MaxUnpool2d((1, 2, 3)), ValueError, "an integer or 2 of them"),
    (lambda: nn.FractionalMaxPool2d(2), ValueError, "either argument 'output_size' or"),
    (lambda: nn.FractionalMaxPool2d(2, 3, 0.5), ValueError, r"FractionalMaxPool2d\(\): either"),
    (lambda: nn.FractionalMaxPool3d(0, 3), ValueError, "'kernel_size' must be positive"),
    (lambda: nn.FractionalMaxPool3d(2, output_ratio=1.0), ValueError, "'output_ratio' must be bet"),
    (lambda: nn.Embedding(3, 2, 3), ValueError, "the number of one of 3 rows, but is 3"),
    (lambda: nn.EmbeddingBag(3, 2, _weight=x(2, 3)), ValueError, r"the shape \[3, 2\]"),
    (lambda: nn.Embedding.from_pretrained(x(3)), ValueError, "2 dimensions, not 1"),
    (lambda: nn.Bilinear(0, 1, 1), ValueError, "'in1_features' must be positive"),
    (lambda: nn.Unflatten(1, "ab"), TypeError, "must be a tuple of int, not str"),  # type: ignore[arg-type]
    (lambda: nn.Upsample(scale_factor="a"), TypeError, "'scale_factor' must be a number"),  # type: ignore[arg-type]
    (lambda: F.dropout2d(x(2, 2)), RuntimeError, "expected 3D or 4D input"),
    (lambda: F.feature_alpha_dropout(x(2), training=True), RuntimeError, "2 dimensions or more"),
]


@pytest.mark.parametrize(("call", "error", "text"), WRONG, ids=[it[2] for it in WRONG])
def test_what_is_refused(call: Callable[[], Any], error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        call()


# --- normalizations -------------------------------------------------------------------------


@pytest.mark.parametrize("dims", [1, 2, 3])
@pytest.mark.parametrize("momentum", [0.3, None])
def test_batches_are_normalized(dims: int, momentum: float | None) -> None:
    rng = np.random.default_rng(1)
    layer = getattr(nn, f"BatchNorm{dims}d")(3, momentum=momentum, dtype=opwright.float64)
    axes = (0, *range(2, dims + 2))
    running = [np.zeros(3), np.ones(3)]
    for count in (1, 2):
        batch = rng.normal(size=(4, 3, *(2,) * dims))
        mean, var = batch.mean(axes, keepdims=True), batch.var(axes, keepdims=True)
        close(layer(opwright.from_numpy(batch)), (batch - mean) / np.sqrt(var + 1e-5), 1e-12)
        share = 1 / count if momentum is None else momentum
        several = batch.size // 3
        for at, now in enumerate((mean, var * several / (several - 1))):
            running[at] = (1 - share) * running[at] + share * now.reshape(3)
    close(layer.running_mean, running[0], 1e-12)
    close(layer.running_var, running[1], 1e-12)
    assert layer.num_batches_tracked.item() == 2
    layer.eval()
    shape = (3, *(1,) * dims)
    expected = (batch - running[0].reshape(shape)) / np.sqrt(running[1].reshape(shape) + 1e-5)
    close(layer(opwright.from_numpy(batch)), expected, 1e-12)
    assert layer.num_batches_tracked.item() == 2
    layer.reset_parameters()
    assert layer.running_var.tolist() == [1.0] * 3
    assert layer.num_batches_tracked.item() == 0


def test_batches_without_statistics() -> None:
    layer = nn.BatchNorm1d(2, affine=False, track_running_stats=False)
    batch = opwright.tensor([[1.0, 2.0], [3.0, 6.0]])
    for mode in (True, False):
        close(layer.train(mode)(batch), [[-1, -1], [1, 1]], 1e-4)
    assert not layer.state_dict()


@pytest.mark.parametrize("dims", [1, 2, 3])
def test_instances_are_normalized(dims: int) -> None:
    batch = np.random.default_rng(1).normal(size=(4, 3, *(2,) * dims))
    axes = tuple(range(2, dims + 2))
    expected = batch - batch.mean(axes, keepdims=True)
    expected /= np.sqrt(batch.var(axes, keepdims=True) + 1e-5)
    layer = getattr(nn, f"InstanceNorm{dims}d")(3)
    close(layer(opwright.from_numpy(batch)), expected, 1e-12)
    close(layer(opwright.from_numpy(batch[1])), expected[1], 1e-12)
    with pytest.warns(UserWarning, match="the layer 5, of which it makes no use"):
        getattr(nn, f"InstanceNorm{dims}d")(5)(opwright.from_numpy(batch))


def test_other_normalizations() -> None:
    array = np.random.default_rng(1).normal(size=(2, 4, 3))
    tensor = opwright.from_numpy(array)
    groups = array.reshape(2, 2, 6)
    groups = (groups - groups.mean(-1, keepdims=True)) / np.sqrt(
        groups.var(-1, keepdims=True) + 1e-5
    )
    layer: Any = nn.GroupNorm(2, 4, dtype=opwright.float64)
    opwright.nn.init.constant_(layer.weight, 2.0)
    close(layer(tensor), groups.reshape(2, 4, 3) * 2, 1e-12)
    rms = nn.RMSNorm(3, eps=0.5, dtype=opwright.float64)
    close(rms(tensor), array / np.sqrt((array**2).mean(-1, keepdims=True) + 0.5), 1e-12)


# --- pooling, dropout, embeddings ----------------------------------------------------------


@pytest.mark.parametrize("dims", [1, 2, 3])
def test_pools_of_norms(dims: int) -> None:
    array = abs(np.random.default_rng(1).normal(size=(2, *(4,) * dims)))
    layer = getattr(nn, f"LPPool{dims}d")(3.0, 2)
    windows = np.lib.stride_tricks.sliding_window_view(
        array, (2,) * dims, tuple(range(1, dims + 1))
    )[(slice(None), *(slice(None, None, 2),) * dims)]
    expected = (windows**3).sum(tuple(range(-dims, 0))) ** (1 / 3)
    close(layer(opwright.from_numpy(array)), expected, 1e-12)


@pytest.mark.parametrize("dims", [1, 2, 3])
def test_maxima_go_back_to_their_places(dims: int) -> None:
    image = x(1, 2, *(6,) * dims)
    pooled, indices = getattr(nn, f"MaxPool{dims}d")(2, return_indices=True)(image)
    unpool = getattr(nn, f"MaxUnpool{dims}d")(2)
    back = unpool(pooled, indices)
    assert back.shape == image.shape
    assert opwright.equal(back[back != 0], image[back != 0])
    assert (back != 0).sum() == pooled.numel()
    wider = unpool(pooled, indices, output_size=(7,) * dims)
    assert tuple(wider.shape) == (1, 2, *(7,) * dims)


@pytest.mark.parametrize("dims", [2, 3])
def test_random_numbers_of_pooling_are_a_buffer(dims: int) -> None:
    image = x(2, 3, *(6,) * dims)
    samples = opwright.rand(2, 3, dims, dtype=image.dtype)
    class_ = getattr(nn, f"FractionalMaxPool{dims}d")
    layer = class_(2, output_ratio=0.5, return_indices=True, _random_samples=samples)
    assert list(layer.state_dict()) == ["_random_samples"]
    assert layer.kernel_size == (2,) * dims and layer.output_ratio == (0.5,) * dims
    function = getattr(F, f"fractional_max_pool{dims}d")
    expected = function(image, 2, 3, return_indices=True, _random_samples=samples)
    for one, two in zip(layer(image), expected, strict=True):
        assert opwright.equal(one, two)
    assert tuple(class_(2, 3)(image).shape) == (2, 3, *(3,) * dims)
    assert not class_(2, 3).state_dict()


@pytest.mark.parametrize("name", ["Dropout1d", "Dropout2d", "Dropout3d", "FeatureAlphaDropout"])
def test_channels_are_dropped_as_a_whole(name: str) -> None:
    dims = int(name[-2]) if name[-1] == "d" else 2
    opwright.manual_seed(3)
    layer = getattr(nn, name)(0.25)
    ones = opwright.ones(40, 50, *(2,) * dims)
    channels = layer(ones).reshape(2000, -1)
    assert (channels == channels[:, :1]).all()
    kept = channels[:, 0] > 0.5
    assert abs(kept.double().mean().item() - 0.75) < 0.05
    if name[-1] == "d":
        close(channels[kept], np.full((int(kept.sum()), 2**dims), 1 / 0.75))
        assert layer(ones[0]).shape == ones[0].shape
    assert opwright.equal(layer.eval()(ones), ones)
    layer = getattr(nn, name)(0.25, inplace=True)
    assert layer(ones) is ones
    assert not getattr(nn, name)(1.0)(ones).any()


@pytest.mark.parametrize("name", ["AlphaDropout", "FeatureAlphaDropout"])
def test_dropout_that_keeps_mean_and_variance(name: str) -> None:
    opwright.manual_seed(3)
    input = opwright.randn(400, 400, dtype=opwright.float64)
    result = getattr(nn, name)(0.3)(input)
    assert abs(result.mean().item()) < 0.02
    assert abs(result.var().item() - 1) < 0.02


def test_dropout_draws_from_a_generator() -> None:
    for function in (F.dropout1d, F.alpha_dropout, F.feature_alpha_dropout):
        generators = [opwright.Generator() for _ in range(2)]
        for each in generators:
            each.manual_seed(7)
        first, second = (
            function(opwright.ones(20, 3), 0.5, True, generator=it) for it in generators
        )
        assert opwright.equal(first, second)


def test_embeddings_of_given_rows() -> None:
    rows = x(4, 3)
    layer = nn.Embedding.from_pretrained(rows, padding_idx=1)
    assert layer.weight.data_ptr() == rows.data_ptr()
    assert not layer.weight.requires_grad
    assert layer.padding_idx == 1
    assert opwright.equal(layer(T([2, 0])), rows[[2, 0]])
    bag = nn.EmbeddingBag.from_pretrained(rows, freeze=False, mode="sum")
    assert bag.weight.requires_grad
    close(bag(T([[0, 1], [2, 2]])), [(rows[0] + rows[1]).tolist(), (rows[2] * 2).tolist()], 1e-12)
    close(bag(T([0, 1, 3]), T([0, 2])), [(rows[0] + rows[1]).tolist(), rows[3].tolist()], 1e-12)


def test_long_rows_are_scaled_down_while_they_are_learnt() -> None:
    layer = nn.Embedding.from_pretrained(T([[3.0, 4.0], [0.3, 0.4]]), False, max_norm=1.0)
    layer(T([0, 1])).sum().backward()
    close(layer.weight, [[0.6, 0.8], [0.3, 0.4]])
    assert layer.weight.grad is not None


def test_padding_rows_start_at_zero() -> None:
    for layer in (nn.Embedding(4, 2, padding_idx=-1), nn.EmbeddingBag(4, 2, padding_idx=3)):
        assert layer.padding_idx == 3
        assert layer.weight[3].tolist() == [0.0, 0.0]
        assert layer.weight[:3].all()


# --- what parameters start with ---------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "name", "deviation", "bound"),
    [
        ("Linear(100,300)", "weight", 0.1 / math.sqrt(3), 0.1),
        ("Bilinear(25,40,50)", "weight", 0.2 / math.sqrt(3), 0.2),
        ("Bilinear(25,40,5000)", "bias", 0.2 / math.sqrt(3), 0.2),
        ("Conv2d(16,200,(2,3))", "weight", 96**-0.5 / math.sqrt(3), 96**-0.5),
        ("ConvTranspose1d(50,100,(1,))", "weight", 0.1 / math.sqrt(3), 0.1),
        ("Embedding(200,100)", "weight", 1.0, math.inf),
        ("EmbeddingBag(200,100)", "weight", 1.0, math.inf),
    ],
)
def test_distributions(text: str, name: str, deviation: float, bound: float) -> None:
    opwright.manual_seed(0)
    drawn = getattr(made(text), name).detach().double()
    assert abs(drawn.mean().item()) < 0.05 * deviation
    assert abs(drawn.std().item() / deviation - 1) < 0.03
    assert abs(drawn).max().item() <= bound * (1 + 1e-6)


def test_constants_that_parameters_start_with() -> None:
    assert nn.PReLU(3, 0.5).weight.tolist() == [0.5] * 3
    layers: list[Any] = [nn.BatchNorm1d(2), nn.GroupNorm(1, 2), nn.InstanceNorm1d(2, affine=True)]
    for layer in layers:
        assert (layer.weight.tolist(), layer.bias.tolist()) == ([1.0, 1.0], [0.0, 0.0])
    assert [it.tolist() for it in nn.RMSNorm(2).parameters()] == [[1.0, 1.0]]


def test_layers_take_dtypes_and_devices() -> None:
    texts = ("Linear(2,3", "Conv1d(2,3,1", "BatchNorm1d(2", "GroupNorm(1,2", "PReLU(2", "RMSNorm(2")
    for text in texts:
        layer = eval(f"nn.{text}, device='meta', dtype=d)", {"nn": nn, "d": opwright.float64})
        state = layer.state_dict()
        assert {it.device.type for it in state.values()} == {"meta"}
        assert {it.dtype for it in state.values()} <= {opwright.float64, opwright.int64}


def test_gradients_reach_parameters() -> None:
    model = nn.Sequential(
        nn.Conv1d(2, 4, 3), nn.BatchNorm1d(4), nn.PReLU(4), nn.MaxPool1d(2), nn.Flatten()
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        nn.MSELoss()(model(opwright.randn(3, 2, 8)), opwright.ones(3, 12)).backward()
    assert all(it.grad is not None and it.grad.any() for it in model.parameters())


@pytest.mark.parametrize("size", [1, 2, 3, 4, 7])
def test_channels_are_normalized_by_near_ones(size: int) -> None:
    images = np.random.default_rng(size).normal(size=(2, 6, 3, 2))
    reach = (size - 1) // 2
    wanted = np.empty_like(images)
    for at in range(6):
        near = {it for it in range(at - reach, at + reach + 1) if 0 <= it < 6}
        near |= {0} if at > reach else set()
        sums = (images[:, sorted(near)] ** 2).sum(1)
        wanted[:, at] = images[:, at] / (2.0 + 0.5 / size * sums) ** 0.75
    layer = nn.CrossMapLRN2d(size, 0.5, k=2.0)
    np.testing.assert_allclose(layer(opwright.from_numpy(images)).numpy(), wanted)
    with pytest.raises(ValueError, match="Expected input to be 4D, got 3D"):
        layer(opwright.ones(1, 2, 3))
