"""Images at other sizes, beside sums of numpy that define them."""

import math

import numpy as np
import opwright
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from opwright.autograd import gradcheck, gradgradcheck
from opwright.nn import functional as F


def assert_close(found, wanted):
    np.testing.assert_allclose(found.detach().numpy(), wanted.detach().numpy(), 1e-6, 1e-7)


MEANS = {1: "linear", 2: "bilinear", 3: "trilinear"}


def along(image, axis, count, align_corners):
    """Linear interpolation along one axis."""
    size = image.shape[axis]
    parts = []
    for at in range(count):
        if align_corners:
            place = at * (size - 1) / (count - 1) if count > 1 else 0.0
        else:
            place = max((at + 0.5) * size / count - 0.5, 0.0)
        before = min(math.floor(place), size - 1)
        share = min(place - before, 1.0)
        after = min(before + 1, size - 1)
        parts.append((1 - share) * image.take(before, axis) + share * image.take(after, axis))
    return np.stack(parts, axis)


@given(
    st.integers(1, 3).flatmap(
        lambda dims: st.lists(
            st.tuples(st.integers(1, 5), st.integers(1, 7)), min_size=dims, max_size=dims
        )
    ),
    st.booleans(),
)
@settings(deadline=None)
def test_means_are_those_of_numpy(sizes, align_corners):
    image = np.random.default_rng(0).normal(size=(2, 1, *(size for size, _ in sizes)))
    counts = [count for _, count in sizes]
    mode = MEANS[len(sizes)]
    found = F.interpolate(opwright.tensor(image), counts, mode=mode, align_corners=align_corners)
    wanted = image
    for axis, count in enumerate(counts):
        wanted = along(wanted, axis + 2, count, align_corners)
    np.testing.assert_allclose(found.numpy(), wanted, atol=1e-12)


@pytest.mark.parametrize("dims", [1, 2, 3])
def test_nearest_elements(dims):
    image = opwright.arange(3.0**dims).reshape(1, 1, *(3,) * dims)
    twice = F.interpolate(image, scale_factor=2)
    wanted = image
    for axis in range(2, dims + 2):
        wanted = wanted.repeat_interleave(2, axis)
    assert (twice == wanted).all()
    assert (F.interpolate(image, scale_factor=2, mode="nearest-exact") == wanted).all()
    assert F.interpolate(image, 1, mode="nearest").flatten().tolist() == [0.0]
    middle = F.interpolate(image, 1, mode="nearest-exact").item()
    assert middle == (3**dims - 1) / 2


@pytest.mark.parametrize("mode", ["bilinear", "bicubic"])
@pytest.mark.parametrize("antialias", [False, True])
def test_constants_stay(mode, antialias):
    image = opwright.full((1, 2, 5, 4), 3.0, dtype=opwright.float64)
    for size in ((9, 2), (1, 1), (5, 4)):
        for align_corners in (False, True):
            found = F.interpolate(
                image, size, mode=mode, align_corners=align_corners, antialias=antialias
            )
            np.testing.assert_allclose(found.numpy(), np.full((1, 2, *size), 3.0))


def test_means_of_many_elements_are_areas():
    image = opwright.randn(1, 1, 8, 8, dtype=opwright.float64)
    smooth = F.interpolate(image, (1, 1), mode="bilinear", antialias=True)
    assert abs(smooth.item()) < image.abs().max().item()
    assert_close(F.interpolate(image, (4, 2), mode="area"), F.adaptive_avg_pool2d(image, (4, 2)))


@pytest.mark.parametrize(
    ("mode", "options"),
    [
        ("nearest", {}),
        ("bilinear", {"align_corners": True}),
        ("bicubic", {}),
        ("bicubic", {"antialias": True}),
        ("area", {}),
    ],
)
def test_gradients(mode, options):
    image = opwright.randn(1, 1, 3, 4, dtype=opwright.float64, requires_grad=True)

    def call(x):
        return F.interpolate(x, (2, 5), mode=mode, **options)

    assert gradcheck(call, (image,))
    assert gradgradcheck(call, (image,))


WRONG = [
    ({}, ValueError, "'size' and 'scale_factor'"),
    ({"size": 2, "scale_factor": 2}, ValueError, "'size' and 'scale_factor'"),
    ({"size": (2, 2, 2)}, ValueError, "'size' must have 2"),
    ({"size": 2, "mode": "linear"}, NotImplementedError, "3D input"),
    ({"size": 2, "mode": "cubic"}, NotImplementedError, "'mode' must be"),
    ({"size": 2, "align_corners": True}, ValueError, "'align_corners'"),
    ({"size": 2, "antialias": True}, ValueError, "'antialias'"),
    ({"size": 2, "recompute_scale_factor": True}, ValueError, "'recompute_scale_factor'"),
    ({"size": 0}, RuntimeError, "greater than 0"),
]


@pytest.mark.parametrize("number", range(len(WRONG)))
def test_wrong_sizes_are_refused(number):
    options, error, text = WRONG[number]
    with pytest.raises(error, match=text):
        F.interpolate(opwright.ones(1, 1, 3, 3), **options)


@pytest.mark.parametrize("mode", ["bilinear", "nearest", "bicubic"])
@pytest.mark.parametrize("padding_mode", ["zeros", "border", "reflection"])
@pytest.mark.parametrize("align_corners", [False, True])
def test_places_of_the_elements_give_them(mode, padding_mode, align_corners):
    image = opwright.randn(1, 2, 3, 4, dtype=opwright.float64)
    same = opwright.tensor([[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]], dtype=opwright.float64)
    grid = F.affine_grid(same, (1, 2, 3, 4), align_corners)
    found = F.grid_sample(image, grid, mode, padding_mode, align_corners)
    assert_close(found, image)


@pytest.mark.parametrize("padding_mode", ["zeros", "border", "reflection"])
def test_places_that_are_no_numbers_do_no_harm(padding_mode):
    grid = opwright.tensor([math.nan, math.inf, -math.inf, 1e30]).repeat(2).reshape(1, 1, 4, 2)
    for mode in ("bilinear", "nearest", "bicubic"):
        found = F.grid_sample(opwright.ones(1, 1, 3, 3), grid, mode, padding_mode)
        assert found.shape == (1, 1, 1, 4)


@pytest.mark.parametrize("dims", [2, 3])
@pytest.mark.parametrize("padding_mode", ["zeros", "border", "reflection"])
def test_gradients_by_places(dims, padding_mode):
    image = opwright.randn(1, 1, *(3,) * dims, dtype=opwright.float64, requires_grad=True)
    grid = opwright.rand(1, *(2,) * dims, dims, dtype=opwright.float64) * 1.7 - 0.8
    grid.requires_grad_()
    assert gradcheck(lambda a, b: F.grid_sample(a, b, padding_mode=padding_mode), (image, grid))


def test_columns_of_windows():
    image = np.arange(2 * 3 * 5 * 4.0).reshape(2, 3, 5, 4)
    tensor = opwright.tensor(image, requires_grad=True)
    found = F.unfold(tensor, (2, 3), dilation=(2, 1), padding=(1, 0), stride=(1, 2))
    padded = np.pad(image, ((0, 0), (0, 0), (1, 1), (0, 0)))
    wanted = np.stack(
        [
            padded[:, :, row : row + 3 : 2, column : column + 3].reshape(2, -1)
            for row in range(5)
            for column in (0,)
        ],
        -1,
    )
    np.testing.assert_array_equal(found.detach().numpy(), wanted)
    back = F.fold(found, (5, 4), (2, 3), dilation=(2, 1), padding=(1, 0), stride=(1, 2))
    counts = F.fold(
        F.unfold(opwright.ones(2, 3, 5, 4, dtype=tensor.dtype), (2, 3), (2, 1), (1, 0), (1, 2)),
        (5, 4),
        (2, 3),
        (2, 1),
        (1, 0),
        (1, 2),
    )
    assert_close(back, tensor * counts)
    assert gradgradcheck(lambda x: F.unfold(x, 2), (tensor,))
