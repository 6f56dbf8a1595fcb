"""Convolutions beside loops of numpy, for shapes of one to three dimensions."""

import itertools
import math

import numpy as np
import opwright
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from opwright.autograd import gradcheck, gradgradcheck
from opwright.nn import functional as F

CONV = {1: F.conv1d, 2: F.conv2d, 3: F.conv3d}
CONV_TRANSPOSE = {1: F.conv_transpose1d, 2: F.conv_transpose2d, 3: F.conv_transpose3d}


def taps(image, kernel, stride, padding, dilation):
    """Each window, tap by tap, and the element of one image plane below it, if there is one."""
    counts = [
        (size + 2 * pad - gap * (taps - 1) - 1) // step + 1
        for size, taps, step, pad, gap in zip(image, kernel, stride, padding, dilation, strict=True)
    ]
    for window in itertools.product(*map(range, counts)):
        for tap in itertools.product(*map(range, kernel)):
            at = tuple(
                w * step + t * gap - pad
                for w, t, step, gap, pad in zip(window, tap, stride, dilation, padding, strict=True)
            )
            if all(0 <= it < size for it, size in zip(at, image, strict=True)):
                yield window, tap, at


def convolved(image, weight, counts, lattice, groups):
    """A convolution as the sum that defines it."""
    batch, channels = image.shape[0], weight.shape[0] // groups
    out = np.zeros((batch, weight.shape[0], *counts), image.dtype)
    inner = weight.shape[1]
    for window, tap, at in taps(image.shape[2:], weight.shape[2:], *lattice):
        for group in range(groups):
            rows = slice(group * channels, (group + 1) * channels)
            columns = slice(group * inner, (group + 1) * inner)
            below = image[(slice(None), columns, *at)]
            out[(slice(None), rows, *window)] += below @ weight[(rows, slice(None), *tap)].T
    return out


def spread(windows, weight, size, lattice, groups):
    """A transposed convolution as the sum that defines it."""
    inner, channels = weight.shape[1], weight.shape[0] // groups
    out = np.zeros((windows.shape[0], inner * groups, *size), windows.dtype)
    for window, tap, at in taps(size, weight.shape[2:], *lattice):
        for group in range(groups):
            rows = slice(group * channels, (group + 1) * channels)
            columns = slice(group * inner, (group + 1) * inner)
            above = windows[(slice(None), rows, *window)]
            out[(slice(None), columns, *at)] += above @ weight[(rows, slice(None), *tap)]
    return out


@st.composite
def problems(draw):
    dims = draw(st.integers(1, 3))

    def numbers(low, high):
        return draw(st.lists(st.integers(low, high), min_size=dims, max_size=dims))

    kernel, stride, dilation = numbers(1, 3), numbers(1, 3), numbers(1, 2)
    padding = numbers(0, 2)
    counts = numbers(1, 4)
    behind = [draw(st.integers(0, step - 1)) for step in stride]
    size = [
        (count - 1) * step + gap * (taps - 1) + 1 - 2 * pad + more
        for count, step, gap, taps, pad, more in zip(
            counts, stride, dilation, kernel, padding, behind, strict=True
        )
    ]
    groups = draw(st.integers(1, 3))
    channels = [draw(st.integers(1, 2)) for _ in range(2)]
    return {
        "lattice": (stride, padding, dilation),
        "kernel": kernel,
        "counts": counts,
        "behind": behind,
        "size": size,
        "groups": groups,
        "channels": channels,
        "batch": draw(st.integers(1, 2)),
        "dtype": draw(st.sampled_from(["float64", "int64", "complex128", "int8"])),
        "seed": draw(st.integers(0, 1000)),
    }


def operands(problem):
    random = np.random.default_rng(problem["seed"])

    def array(*shape):
        numbers = random.integers(-4, 5, shape)
        if problem["dtype"] == "complex128":
            numbers = numbers + 1j * random.integers(-4, 5, shape)
        return numbers.astype(problem["dtype"])

    groups, (inner, outer) = problem["groups"], problem["channels"]
    image = array(problem["batch"], inner * groups, *problem["size"])
    windows = array(problem["batch"], outer * groups, *problem["counts"])
    weight = array(outer * groups, inner, *problem["kernel"])
    return image, windows, weight


@given(problems())
@settings(deadline=None, max_examples=150)
def test_convolutions_are_sums_of_products(problem):
    if min(problem["size"]) < 1:
        return
    image, windows, weight = operands(problem)
    dims, lattice, groups = len(problem["size"]), problem["lattice"], problem["groups"]
    stride, padding, dilation = lattice
    bias = np.arange(weight.shape[0]).astype(image.dtype)
    wanted = convolved(image, weight, problem["counts"], lattice, groups)
    wanted = wanted + bias.reshape(-1, *[1] * dims)
    tensors = [opwright.from_numpy(it) for it in (image, weight, bias)]
    found = CONV[dims](*tensors, stride, padding, dilation, groups)
    # Small integers are exact in every dtype.
    np.testing.assert_array_equal(found.numpy(), wanted)

    wanted = spread(windows, weight, problem["size"], lattice, groups)
    found = CONV_TRANSPOSE[dims](
        opwright.from_numpy(windows),
        opwright.from_numpy(weight),
        None,
        stride,
        padding,
        problem["behind"],
        groups,
        dilation,
    )
    np.testing.assert_array_equal(found.numpy(), wanted)


@given(problems())
@settings(deadline=None, max_examples=40)
def test_gradients_are_those_of_differences(problem):
    if min(problem["size"]) < 1 or problem["dtype"] not in ("float64", "complex128"):
        return
    image, windows, weight = (opwright.from_numpy(it).requires_grad_() for it in operands(problem))
    dims, groups = len(problem["size"]), problem["groups"]
    stride, padding, dilation = problem["lattice"]

    def forward(image, weight):
        return CONV[dims](image, weight, None, stride, padding, dilation, groups)

    def transposed(windows, weight):
        behind = problem["behind"]
        return CONV_TRANSPOSE[dims](
            windows, weight, None, stride, padding, behind, groups, dilation
        )

    assert gradcheck(forward, (image, weight))
    assert gradcheck(transposed, (windows, weight))
    if math.prod(image.shape) * math.prod(weight.shape) < 400:
        assert gradgradcheck(forward, (image, weight))
        assert gradgradcheck(transposed, (windows, weight))


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "bfloat16"])
@pytest.mark.parametrize(
    ("shape", "weight", "options"),
    [
        ((2, 3, 37, 41), (8, 3, 7, 7), {"stride": 2, "padding": 3}),
        ((1, 40, 30, 30), (24, 40, 3, 3), {"padding": 1}),
        ((1, 64, 9, 9), (64, 1, 3, 3), {"padding": 1, "groups": 64}),
        ((3, 16, 5000), (4, 16, 9), {"dilation": 3}),
        ((1, 32, 16, 16), (48, 32, 1, 1), {}),
    ],
)
def test_blocks_are_joined(dtype, shape, weight, options):
    """What is cut into blocks is as exact as its dtype lets it be."""
    random = np.random.default_rng(5)
    image = opwright.tensor(random.standard_normal(shape)).to(getattr(opwright, dtype))
    weights = opwright.tensor(random.standard_normal(weight)).to(getattr(opwright, dtype))
    conv = CONV[len(shape) - 2]
    found = conv(image, weights, **options).to(opwright.float64).numpy()
    dims = len(shape) - 2
    names = [("stride", 1), ("padding", 0), ("dilation", 1)]
    lattice = [[options.get(name, one)] * dims for name, one in names]
    groups = options.get("groups", 1)
    wide = [it.to(opwright.float64).numpy() for it in (image, weights)]
    wanted = convolved(*wide, found.shape[2:], lattice, groups)
    scale = convolved(*map(np.abs, wide), found.shape[2:], lattice, groups)
    # Sums are in float32 at least, and rounded once more to half precision.
    calculated = opwright.float32 if "16" in dtype else getattr(opwright, dtype)
    terms = math.prod(weight[1:])
    bound = scale * opwright.finfo(calculated).eps * terms
    bound += np.abs(wanted) * opwright.finfo(getattr(opwright, dtype)).eps
    assert (np.abs(found - wanted) <= bound).all()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda x, w: F.conv2d(x, w, groups=2), "Given groups=2"),
        (lambda x, w: F.conv2d(x, w, stride=0), "non-positive stride is not supported"),
        (lambda x, w: F.conv2d(x, w, padding=-1), "negative padding is not supported"),
        (lambda x, w: F.conv2d(x, w, dilation=0), "dilation should be greater than zero"),
        (lambda x, w: F.conv2d(x, w, dilation=4), "Kernel size can't be greater than actual input"),
        (lambda x, w: F.conv2d(x[0, 0], w), "Expected 3D \\(unbatched\\) or 4D \\(batched\\)"),
        (lambda x, w: F.conv2d(x[:, :1], w), "to have 2 channels, but got 1 channels"),
        (lambda x, w: F.conv2d(x, w, opwright.ones(2)), "expected bias to be 1-dimensional with 4"),
        (lambda x, w: F.conv2d(x, w.double()), "Input type \\(float32\\) and weight type"),
        (lambda x, w: F.conv2d(x, w, padding="odd"), "Invalid padding string"),
        (lambda x, w: F.conv2d(x, w, padding="same", stride=2), "strided convolutions"),
        (
            lambda x, w: F.conv_transpose2d(x, w.transpose(0, 1), output_padding=1),
            "output padding must be smaller",
        ),
        (lambda x, w: F.conv2d(x, w, stride=[1, 2, 3]), "stride"),
        (lambda x, w: F.conv2d(x, w, groups=0), "non-positive groups is not supported"),
        (lambda x, w: F.conv2d(x, w, dilation=2**62), "Kernel size can't be greater"),
    ],
)
def test_what_does_not_fit_is_told(call, message):
    with pytest.raises((RuntimeError, TypeError), match=message):
        call(opwright.ones(1, 2, 5, 5), opwright.ones(4, 2, 3, 3))


def test_padding_by_name():
    x, w = opwright.arange(7.0).reshape(1, 1, 7), opwright.tensor([[[1.0, 2.0, 4.0, 8.0]]])
    assert F.conv1d(x, w, padding="valid").equal(F.conv1d(x, w))
    same = F.conv1d(x, w, padding="same", dilation=2)
    assert same.shape == x.shape
    assert same.equal(F.conv1d(F.pad(x, (3, 3)), w, dilation=2))
    odd = F.conv1d(x, w, padding="same")
    assert odd.equal(F.conv1d(F.pad(x, (1, 2)), w))


def test_tensors_without_elements():
    w = opwright.ones(4, 2, 3, 3, requires_grad=True)
    x = opwright.ones(0, 2, 5, 5, requires_grad=True)
    out = F.conv2d(x, w)
    assert out.shape == (0, 4, 3, 3)
    out.sum().backward()
    assert x.grad.shape == x.shape
    assert w.grad.equal(opwright.zeros(4, 2, 3, 3))


def test_views_are_read_as_they_lie():
    x = opwright.randn(5, 6, 2, 3).permute(3, 2, 0, 1)
    w = opwright.randn(3, 3, 2, 4).permute(3, 2, 0, 1)
    assert F.conv2d(x, w).allclose(F.conv2d(x.contiguous(), w.contiguous()))
    out = opwright.empty(3, 4, 3, 8)[..., ::2]
    opwright.convolution(x, w, None, [1], [0], [1], False, [0], 1, out=out)
    assert out.allclose(F.conv2d(x, w))


def test_layers_are_their_functions():
    x = opwright.randn(2, 4, 9, 10)
    layer = opwright.nn.Conv2d(4, 6, (3, 2), stride=2, padding=1, dilation=(1, 2), groups=2)
    assert list(layer.state_dict()) == ["weight", "bias"]
    assert layer.weight.shape == (6, 2, 3, 2)
    assert layer.weight.abs().max() <= 1 / math.sqrt(12)
    expected = F.conv2d(x, layer.weight, layer.bias, 2, 1, (1, 2), 2)
    assert layer(x).equal(expected)
    assert layer(x[0]).allclose(expected[0])
    back = opwright.nn.ConvTranspose2d(4, 6, 3, stride=2, padding=1, bias=False)
    assert back.weight.shape == (4, 6, 3, 3)
    assert back(x).equal(F.conv_transpose2d(x, back.weight, None, 2, 1))
    assert back(x, output_size=(18, 19)).shape == (2, 6, 18, 19)
    assert back(x, output_size=(2, 6, 17, 20)).shape == (2, 6, 17, 20)


@pytest.mark.parametrize("mode", ["reflect", "replicate", "circular"])
def test_layers_pad_by_a_mode(mode):
    x = opwright.randn(2, 3, 7)
    layer = opwright.nn.Conv1d(3, 2, 4, padding="same", padding_mode=mode)
    padded = F.pad(x, (1, 2), mode=mode)
    assert layer(x).equal(F.conv1d(padded, layer.weight, layer.bias))
    layer = opwright.nn.Conv1d(3, 2, 4, padding=2, padding_mode=mode)
    assert layer(x).equal(F.conv1d(F.pad(x, (2, 2), mode=mode), layer.weight, layer.bias))


def test_layers_say_what_they_are():
    layer = opwright.nn.Conv2d(1, 2, 3)
    assert repr(layer) == "Conv2d(1, 2, kernel_size=(3, 3), stride=(1, 1))"
    layer = opwright.nn.ConvTranspose1d(
        4, 2, 3, padding=1, output_padding=1, stride=2, groups=2, bias=False
    )
    assert repr(layer) == (
        "ConvTranspose1d(4, 2, kernel_size=(3,), stride=(2,), padding=(1,), output_padding=(1,), "
        "groups=2, bias=False)"
    )


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda nn: nn.Conv1d(3, 4, 3, groups=2),
            "Conv1d\\(\\): argument 'in_channels' must be div",
        ),
        (lambda nn: nn.Conv1d(4, 3, 3, groups=2), "argument 'out_channels' must be divisible"),
        (lambda nn: nn.Conv1d(4, 4, 3, groups=0), "argument 'groups' must be positive"),
        (lambda nn: nn.Conv2d(4, 4, (1, 2, 3)), "argument 'kernel_size' must be an integer or 2"),
        (lambda nn: nn.Conv2d(4, 4, 3, padding="all"), "must be 'same', 'valid' or integers"),
        (lambda nn: nn.Conv2d(4, 4, 3, 2, "same"), "not supported for strided convolutions"),
        (lambda nn: nn.Conv2d(4, 4, 3, padding_mode="odd"), "argument 'padding_mode' must be"),
        (lambda nn: nn.ConvTranspose3d(4, 4, 3, padding_mode="reflect"), "must be 'zeros'"),
        (
            lambda nn: nn.ConvTranspose1d(1, 1, 3, 2)(opwright.ones(1, 1, 4), output_size=[11]),
            "it can be 9 to 10",
        ),
    ],
)
def test_wrong_layers_are_told(make, message):
    with pytest.raises(ValueError, match=message):
        make(opwright.nn)
