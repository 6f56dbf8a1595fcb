"""Pooling beside loops of numpy, for images of one to three dimensions."""

import itertools

import numpy as np
import opwright
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from opwright.autograd import gradcheck, gradgradcheck
from opwright.nn import functional as F

AVERAGE = {1: F.avg_pool1d, 2: F.avg_pool2d, 3: F.avg_pool3d}
MAX = {1: F.max_pool1d, 2: F.max_pool2d, 3: F.max_pool3d}
ADAPTIVE_AVERAGE = {
    1: F.adaptive_avg_pool1d,
    2: F.adaptive_avg_pool2d,
    3: F.adaptive_avg_pool3d,
}
ADAPTIVE_MAX = {
    1: F.adaptive_max_pool1d,
    2: F.adaptive_max_pool2d,
    3: F.adaptive_max_pool3d,
}
FRACTIONAL = {2: F.fractional_max_pool2d, 3: F.fractional_max_pool3d}
FRACTIONAL_WITH_INDICES = {
    2: F.fractional_max_pool2d_with_indices,
    3: F.fractional_max_pool3d_with_indices,
}
UNPOOL = {1: F.max_unpool1d, 2: F.max_unpool2d, 3: F.max_unpool3d}


def assert_close(found, wanted):
    np.testing.assert_allclose(found.detach().numpy(), wanted.detach().numpy(), 1e-6, 1e-7)


def count_of(size, kernel, stride, padding, dilation, ceil_mode):
    """How many windows there are along a dimension."""
    room = size + 2 * padding - dilation * (kernel - 1) - 1
    count = (room + (stride - 1 if ceil_mode else 0)) // stride + 1
    # The last window begins inside the image or its left border.
    return count - 1 if ceil_mode and (count - 1) * stride >= size + padding else count


@st.composite
def problems(draw, most_dilation=1):
    dims = draw(st.integers(1, 3))
    along = []
    for dim in range(dims):
        kernel, dilation = draw(st.integers(1, 3)), draw(st.integers(1, most_dilation))
        reach = dilation * (kernel - 1) + 1
        padding = draw(st.integers(0, reach // 2))
        # Many windows of a row are done at once.
        most = 30 if dim == dims - 1 else 6
        size = draw(st.integers(max(reach - 2 * padding, reach // 2 + 1), most))
        along.append((size, kernel, draw(st.integers(1, 3)), padding, dilation))
    return {
        "along": along,
        "ceil_mode": draw(st.booleans()),
        "leading": draw(st.sampled_from([(1,), (2,), (2, 1)])),
        "seed": draw(st.integers(0, 1000)),
    }


def image_of(problem, dtype="float64"):
    shape = (*problem["leading"], *(it[0] for it in problem["along"]))
    random = np.random.default_rng(problem["seed"])
    return random.permutation(np.prod(shape)).reshape(shape).astype(dtype)


def options(problem, *names):
    columns = zip(*problem["along"], strict=True)
    named = zip(("size", "kernel_size", "stride", "padding", "dilation"), columns, strict=True)
    given = {name: list(values) for name, values in named}
    return {name: given[name] for name in names} | {"ceil_mode": problem["ceil_mode"]}


def windows(problem):
    """Each window and the elements of it that are in the image, by their places."""
    counts = [count_of(*it, problem["ceil_mode"]) for it in problem["along"]]
    for window in itertools.product(*map(range, counts)):
        along = []
        for at, (size, kernel, stride, padding, dilation) in zip(
            window, problem["along"], strict=True
        ):
            taps = range(at * stride - padding, at * stride - padding + kernel * dilation, dilation)
            along.append([it for it in taps if 0 <= it < size])
        yield window, along


@given(problems(), st.booleans(), st.sampled_from([None, 3, -2]))
@settings(deadline=None)
def test_means_are_those_of_numpy(problem, count_include_pad, divisor):
    dims = len(problem["along"])
    image = image_of(problem)
    extra = {} if dims == 1 else {"divisor_override": divisor}
    found = AVERAGE[dims](
        opwright.tensor(image),
        count_include_pad=count_include_pad,
        **options(problem, "kernel_size", "stride", "padding"),
        **extra,
    ).numpy()
    for window, along in windows(problem):
        sums = image[(..., *np.ix_(*along))].sum(tuple(range(-dims, 0)))
        count = 1
        for at, places, (size, kernel, stride, padding, _) in zip(
            window, along, problem["along"], strict=True
        ):
            start = at * stride - padding
            padded = min(start + kernel, size + padding) - start
            count *= padded if count_include_pad else len(places)
        count = extra.get("divisor_override") or count
        np.testing.assert_allclose(found[(..., *window)], sums / count)


@given(problems(), st.booleans())
@settings(deadline=None)
def test_gradients_of_means_are_adjoint_to_them(problem, count_include_pad):
    x = opwright.tensor(image_of(problem), requires_grad=True)
    means = AVERAGE[len(problem["along"])](
        x,
        count_include_pad=count_include_pad,
        **options(problem, "kernel_size", "stride", "padding"),
    )
    weights = opwright.randn(means.shape, dtype=opwright.float64)
    (gradient,) = opwright.autograd.grad(means, x, weights)
    sums = (gradient * x).sum().item(), (means * weights).sum().item()
    np.testing.assert_allclose(*sums, rtol=1e-9, atol=1e-9 * x.abs().sum().item())


@given(problems(most_dilation=2), st.booleans())
@settings(deadline=None)
def test_maxima_are_those_of_numpy(problem, has_nan):
    dims = len(problem["along"])
    image = image_of(problem)
    if has_nan:
        image.flat[problem["seed"] % image.size] = np.nan
    if any(not all(along) for _, along in windows(problem)):
        return
    names = ("kernel_size", "stride", "padding", "dilation")
    values, indices = MAX[dims](
        opwright.tensor(image), **options(problem, *names), return_indices=True
    )
    flat = image.reshape(*problem["leading"], -1)
    for window, along in windows(problem):
        wanted = image[(..., *np.ix_(*along))].max(tuple(range(-dims, 0)))
        at = (..., *window)
        np.testing.assert_array_equal(values.numpy()[at], wanted)
        places = indices.numpy()[at][..., None]
        np.testing.assert_array_equal(np.take_along_axis(flat, places, -1)[..., 0], wanted)


@pytest.mark.parametrize("dims", [1, 2, 3])
@pytest.mark.parametrize("dtype", ["float16", "float32", "int32", "uint8"])
def test_other_dtypes_are_as_double_precision(dims, dtype):
    image = np.random.default_rng(dims).integers(0, 99, (2, *(5,) * dims))
    tensor = opwright.tensor(image.astype(dtype))
    wide = opwright.tensor(image.astype("float64"))
    assert (MAX[dims](tensor, 2).numpy() == MAX[dims](wide, 2).numpy()).all()
    assert MAX[dims](tensor, 2).dtype == tensor.dtype
    means = AVERAGE[dims](wide, 2).numpy()
    found = AVERAGE[dims](tensor, 2).numpy()
    np.testing.assert_allclose(found, means.astype(dtype), rtol=1e-3)


@pytest.mark.parametrize("dims", [1, 2, 3])
def test_regions_of_equal_size_are_windows(dims):
    image = opwright.randn(2, *(6,) * dims, dtype=opwright.float64)
    found, wanted = ADAPTIVE_AVERAGE[dims](image, 3), AVERAGE[dims](image, 2)
    np.testing.assert_allclose(found.numpy(), wanted.numpy(), 1e-6)
    found = ADAPTIVE_MAX[dims](image, [3] * dims, return_indices=True)
    for a, b in zip(found, MAX[dims](image, 2, return_indices=True), strict=True):
        assert_close(a, b)
    if dims > 1:
        kept = ADAPTIVE_MAX[dims](image, [None] * dims)
        assert_close(kept, image)


@pytest.mark.parametrize("dims", [1, 2, 3])
def test_gradients_go_to_the_windows_elements(dims):
    image = opwright.randn(1, *(4,) * dims, dtype=opwright.float64, requires_grad=True)
    calls = [
        lambda x: AVERAGE[dims](x, 2, 1, 1, True, False),
        lambda x: ADAPTIVE_AVERAGE[dims](x, 3),
        lambda x: MAX[dims](x, 3, 1, 1),
        lambda x: ADAPTIVE_MAX[dims](x, 3),
        lambda x: UNPOOL[dims](*MAX[dims](x, 2, return_indices=True), 2),
    ]
    for call in calls:
        assert gradcheck(call, (image,))
        assert gradgradcheck(call, (image,))


@pytest.mark.parametrize("dims", [1, 2, 3])
def test_unpooling_puts_elements_back(dims):
    image = opwright.randn(2, 1, *(5,) * dims, dtype=opwright.float64)
    values, indices = MAX[dims](image, 2, return_indices=True)
    back = UNPOOL[dims](values, indices, 2, output_size=image.shape)
    assert back.shape == image.shape
    again, _ = MAX[dims](back.clamp_min(-9), 2, return_indices=True)
    assert (back != 0).sum() == values.numel()
    assert ((again == values) | (again == 0)).all()


def test_places_out_of_range_are_refused():
    values = opwright.ones(1, 1, 1)
    for place in (-1, 4, 2**40):
        with pytest.raises(RuntimeError, match="index"):
            F.max_unpool2d(values, opwright.tensor([[[place]]]), 2)
    with pytest.raises(ValueError, match="'output_size'"):
        F.max_unpool2d(values, opwright.tensor([[[0]]]), 2, output_size=(9, 9))
    with pytest.raises(RuntimeError, match="same as that of the input"):
        F.max_unpool2d(values, opwright.tensor([[0]]), 2)


def test_not_a_number_is_the_greatest():
    image = opwright.tensor([[[1.0, float("nan")], [5.0, 2.0]]])
    values, indices = F.max_pool2d(image, 2, return_indices=True)
    assert values.isnan().all()
    assert indices.item() == 1


def starts(sample, size, kernel, count):
    """Where windows at random distances begin, in the arithmetic of the random number."""
    if count == 1:
        return [size - kernel]
    of = type(sample)
    alpha = of(size - kernel) / of(count - 1)
    begins = [int((of(it) + sample) * alpha) - int(sample * alpha) for it in range(count - 1)]
    return [*begins, size - kernel]


@st.composite
def fractions(draw):
    dims = draw(st.integers(2, 3))
    along = []
    for dim in range(dims):
        kernel, count = draw(st.integers(1, 3)), draw(st.integers(1, 20 if dim == dims - 1 else 4))
        along.append((kernel + count - 1 + draw(st.integers(0, 9)), kernel, count))
    return {
        "along": along,
        "leading": draw(st.sampled_from([(1,), (3,), (2, 2)])),
        "seed": draw(st.integers(0, 1000)),
    }


@given(fractions(), st.sampled_from(["float32", "float64"]), st.booleans())
@settings(deadline=None)
def test_maxima_at_random_distances_are_those_of_numpy(problem, dtype, has_nan):
    size, kernel, count = zip(*problem["along"], strict=True)
    dims, leading = len(size), problem["leading"]
    image = image_of(problem, dtype)
    if has_nan:
        image.flat[problem["seed"] % image.size] = np.nan
    batch, channels = (1, *leading)[-2:]
    random = np.random.default_rng(problem["seed"])
    samples = random.random((batch, channels, dims)).astype(dtype)
    values, indices = FRACTIONAL[dims](
        opwright.tensor(image),
        kernel,
        count,
        return_indices=True,
        _random_samples=opwright.tensor(samples),
    )
    assert tuple(values.shape) == tuple(indices.shape) == (*leading, *count)
    planes = zip(
        image.reshape(-1, *size),
        samples.reshape(-1, dims),
        values.numpy().reshape(-1, *count),
        indices.numpy().reshape(-1, *count),
        strict=True,
    )
    for plane, own, found, places in planes:
        # Those of images begin with that of the columns.
        ordered = own[::-1] if dims == 2 else own
        begins = [starts(*it) for it in zip(ordered, size, kernel, count, strict=True)]
        for window in itertools.product(*map(range, count)):
            first = [begins[at][it] for at, it in enumerate(window)]
            part = tuple(slice(it, it + length) for it, length in zip(first, kernel, strict=True))
            np.testing.assert_array_equal(found[window], plane[part].max())
            np.testing.assert_array_equal(plane.flat[places[window]], plane[part].max())


# Indices that PyTorch 2.9.1 finds in numbers that grow: sizes, kernel, counts, random numbers.
RECORDED = [
    ((5, 5), 2, 3, [0.5, 0.5], [6, 8, 9, 16, 18, 19, 21, 23, 24]),
    ((4, 5), (1, 2), 3, [0.5, 0.0], [1, 3, 4, 6, 8, 9, 16, 18, 19]),
    ((4, 5), (1, 2), 3, [0.0, 0.5], [1, 2, 4, 11, 12, 14, 16, 17, 19]),
    ((6, 7), 2, (3, 4), [0.3, 0.7], [8, 10, 11, 13, 22, 24, 25, 27, 36, 38, 39, 41]),
    ((6, 7), 2, (3, 4), [-0.5, 1.5], [8, 8, 10, 13, 22, 22, 24, 27, 36, 36, 38, 41]),
    (
        (4, 5, 6),
        (1, 2, 2),
        (3, 3, 4),
        [0.75, 0.5, 0.25],
        [
            *(7, 8, 10, 11, 19, 20, 22, 23, 25, 26, 28, 29),
            *(37, 38, 40, 41, 49, 50, 52, 53, 55, 56, 58, 59),
            *(97, 98, 100, 101, 109, 110, 112, 113, 115, 116, 118, 119),
        ],
    ),
]


@pytest.mark.parametrize(("size", "kernel", "count", "sample", "wanted"), RECORDED)
@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_random_distances_are_those_of_pytorch(size, kernel, count, sample, wanted, dtype):
    image = opwright.arange(np.prod(size)).reshape(1, *size).to(getattr(opwright, dtype))
    samples = opwright.tensor([[sample]], dtype=image.dtype)
    call = FRACTIONAL_WITH_INDICES[len(size)]
    values, indices = call(image, kernel, count, _random_samples=samples)
    assert indices.flatten().tolist() == wanted
    assert values.dtype == image.dtype
    assert values.flatten().tolist() == wanted


@pytest.mark.parametrize("dims", [2, 3])
def test_random_distances_are_drawn_for_each_plane(dims):
    image = opwright.arange(16.0**dims).reshape(*(16,) * dims).expand(2, 3, *(16,) * dims)
    opwright.manual_seed(1)
    first = FRACTIONAL[dims](image, 2, output_ratio=0.75)
    assert tuple(first.shape) == (2, 3, *(12,) * dims)
    assert len({tuple(it.flatten().tolist()) for it in first.flatten(0, 1)}) > 3
    opwright.manual_seed(1)
    assert opwright.equal(FRACTIONAL[dims](image, 2, 12), first)
    opwright.manual_seed(1)
    samples = opwright.rand(2, 3, dims)
    assert opwright.equal(FRACTIONAL[dims](image, 2, 12, _random_samples=samples), first)
    assert not opwright.equal(FRACTIONAL[dims](image, 2, 12), first)
    one = FRACTIONAL[dims](image[0], 2, output_ratio=(0.5,) * dims)
    assert tuple(one.shape) == (3, *(8,) * dims)


@pytest.mark.parametrize("dims", [2, 3])
def test_shapes_at_random_distances(dims):
    pool = FRACTIONAL[dims]
    for shape, count in [((0, 1), 2), ((2, 1), 0), ((0,), 2)]:
        for device in ("cpu", "meta"):
            image = opwright.ones(*shape, *(4,) * dims, device=device)
            found = pool(image, 2, count, return_indices=True)
            assert {tuple(it.shape) for it in found} == {(*shape, *(count,) * dims)}
    meta = pool(opwright.ones(3, *(9,) * dims, device="meta"), 2, 5, return_indices=True)
    assert [it.device.type for it in meta] == ["meta", "meta"]
    assert [it.dtype for it in meta] == [opwright.float32, opwright.int64]


@pytest.mark.parametrize("dims", [2, 3])
def test_gradients_of_maxima_at_random_distances(dims):
    # No two elements of a window are so near that a difference would change the greater one.
    numbers = opwright.randperm(2 * 5**dims).to(opwright.float64)
    image = numbers.reshape(2, *(5,) * dims).requires_grad_()
    samples = opwright.rand(1, 2, dims, dtype=opwright.float64)

    def call(x):
        return FRACTIONAL[dims](x, 2, 3, _random_samples=samples)

    assert gradcheck(call, (image,))
    assert gradgradcheck(call, (image,))
    values, indices = FRACTIONAL_WITH_INDICES[dims](image, 2, 3, _random_samples=samples)
    (gradient,) = opwright.autograd.grad(values.sum(), [image])
    counts = opwright.zeros(2, 5**dims, dtype=opwright.float64)
    counts = counts.scatter_add(1, indices.flatten(1), opwright.ones(2, 3**dims).double())
    assert opwright.equal(gradient.flatten(1), counts)
    back = opwright.ops
    back = (back.fractional_max_pool2d_backward, back.fractional_max_pool3d_backward)[dims - 2]
    for wrong in (-1, 5**dims):
        places = opwright.full_like(indices, wrong)
        with pytest.raises(RuntimeError, match="out of bounds"):
            back.default(values.detach(), image.detach(), [2] * dims, [3] * dims, places)


FRACTIONAL_WRONG = [
    (lambda x: F.fractional_max_pool2d(x, 2, 4), RuntimeError, "too large for 4"),
    (lambda x: F.fractional_max_pool2d(x, 0, 2), RuntimeError, "kernel_size should be greater"),
    (lambda x: F.fractional_max_pool2d(x, 2, (-1, 2)), RuntimeError, "output_size must not be"),
    (lambda x: F.fractional_max_pool2d(x, (2, 2, 2), 2), RuntimeError, "kernel_size must either"),
    (lambda x: F.fractional_max_pool2d(x, 2, (2, 2, 2)), RuntimeError, "output_size must either"),
    (lambda x: F.fractional_max_pool2d(x[0], 2, 2), RuntimeError, "Expected 3D or 4D"),
    (lambda x: F.fractional_max_pool3d(x, 2, 2), RuntimeError, "Expected 4D or 5D"),
    (lambda x: F.fractional_max_pool2d(x[:, :0], 2, 2), RuntimeError, "non-zero size"),
    (lambda x: F.fractional_max_pool2d(x.int(), 2, 2), RuntimeError, "Int"),
    (lambda x: F.fractional_max_pool2d(x, 2), ValueError, "'output_size' or 'output_ratio'"),
    (lambda x: F.fractional_max_pool2d(x, 2, output_ratio=1.5), ValueError, "between 0 and 1"),
    (lambda x: F.fractional_max_pool2d(x, 2, output_ratio=float("nan")), ValueError, "between 0"),
    (lambda x: F.fractional_max_pool3d(x, 2, output_ratio=(0.5, 0.5)), ValueError, "or 3 of them"),
    (
        lambda x: F.fractional_max_pool2d(x, 2, output_ratio="a"),
        TypeError,
        "'output_ratio' must be",
    ),
    (lambda x: F.fractional_max_pool2d(3, 2, 2), TypeError, "argument 'input'"),
]
WRONG_SAMPLES = [
    (opwright.ones(1, 1, 3), r"must have shape \[1, 1, 2\]"),
    (opwright.ones(1, 2, 2), r"must have shape \[1, 1, 2\]"),
    (opwright.ones(0, 1, 2), r"must have shape \[1, 1, 2\]"),
    (opwright.ones(1, 1, 2).double(), "expected dtype"),
    (opwright.full((1, 1, 2), float("nan")), "'_random_samples' must have finite numbers"),
    (opwright.full((1, 1, 2), float("inf")), "'_random_samples' must have finite numbers"),
]


@pytest.mark.parametrize(("call", "error", "text"), FRACTIONAL_WRONG)
def test_wrong_windows_at_random_distances_are_refused(call, error, text):
    with pytest.raises(error, match=text):
        call(opwright.ones(1, 4, 4))


@pytest.mark.parametrize(("samples", "text"), WRONG_SAMPLES)
def test_wrong_random_numbers_are_refused(samples, text):
    with pytest.raises(RuntimeError, match=text):
        F.fractional_max_pool2d(opwright.ones(1, 4, 4), 2, 2, _random_samples=samples)


WRONG = [
    (lambda x: F.max_pool2d(x, 2, padding=2), "at most half"),
    (lambda x: F.max_pool2d(x, 0), "greater than zero"),
    (lambda x: F.max_pool2d(x, 2, dilation=0), "dilation should be greater"),
    (lambda x: F.max_pool2d(x, (2, 2, 2)), "kernel_size must either be"),
    (lambda x: F.max_pool2d(x, 9), "does not fit"),
    (lambda x: F.avg_pool3d(x, 2), "Expected 4D or 5D"),
    (lambda x: F.avg_pool2d(x, 2, divisor_override=0), "divisor must be not zero"),
    (lambda x: F.max_pool2d(x.bool(), 2), "Bool"),
    (lambda x: F.adaptive_max_pool2d(x, (-1, 2)), "output_size"),
]


@pytest.mark.parametrize("number", range(len(WRONG)))
def test_wrong_windows_are_refused(number):
    call, text = WRONG[number]
    with pytest.raises(RuntimeError, match=text):
        call(opwright.ones(1, 4, 4))


def test_pooling_keeps_dimensions_of_which_none_is_wanted():
    image = np.arange(24.0).reshape(1, 4, 6)
    x = opwright.from_numpy(image)
    for size, wanted in [
        ((None, 2), image.reshape(1, 4, 2, 3).mean(-1)),
        ([2, None], image.reshape(1, 2, 2, 6).mean(2)),
        ((None, None), image),
        (None, image),
        (1, [[[11.5]]]),
    ]:
        found = F.adaptive_avg_pool2d(x, size)
        np.testing.assert_allclose(found.numpy(), wanted, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("shape", [(), (3,), (3, 3)])
def test_pooling_refuses_what_is_no_image(shape):
    for size in ((2, 2), 2, (None, 1)):
        with pytest.raises(ValueError, match="expected 3D or 4D") as raised:
            F.adaptive_avg_pool2d(opwright.ones(shape), size)
        assert raised.type is ValueError
        assert str(list(shape)) in str(raised.value)
    with pytest.raises(RuntimeError, match="3D or 4D"):
        F.adaptive_avg_pool2d(opwright.ones(1, 1, 1, 3, 3), 2)
    with pytest.raises(RuntimeError, match="output_size"):
        F.adaptive_avg_pool2d(opwright.ones(1, 3, 3), (1, 1, 1))
