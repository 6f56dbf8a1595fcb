"""Results that a number rounded on the way would decide."""

import math
import os

import numpy as np
import opwright
import pytest

EVERY = os.environ.get("OPWRIGHT_EVERY") == "1"


@pytest.mark.parametrize("value", [1000000.5, 0.1, 1e-20, 1e8 + 8, -3.3e6, 1e30])
def test_rows_that_do_not_vary_are_normalized_to_zero(value: float) -> None:
    for length in range(1, 200 if EVERY else 74):
        rows = opwright.full((2, length), value)
        result = opwright.nn.functional.layer_norm(rows, (length,))
        assert result.tolist() == [[0.0] * length] * 2


def test_rows_far_from_zero_keep_their_digits() -> None:
    near = opwright.tensor([[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]])
    layer_norm = opwright.nn.functional.layer_norm
    assert layer_norm(near + 2.0**22, (8,)).tolist() == layer_norm(near, (8,)).tolist()


@pytest.mark.parametrize(
    ("dtype", "scale"),
    [
        (opwright.float32, 1e20),
        (opwright.float32, 1e38),
        (opwright.float32, 1e-25),
        (opwright.float64, 1e200),
        (opwright.float64, 1e-200),
    ],
)
def test_rows_whose_squares_do_not_fit_are_normalized(dtype: opwright.dtype, scale: float) -> None:
    numbers = np.array([[1.0, -1.0, 0.0, 3.0, -2.5, 0.5], [0.25, 0.5, 0.75, 1.0, 1.0, -3.0]])
    rows = opwright.tensor((numbers * scale).tolist(), dtype=dtype)
    out, mean, rstd = opwright.native_layer_norm(rows, [6], None, None, 0.0)
    deviations = numbers.std(axis=1, keepdims=True)
    exact = (numbers - numbers.mean(axis=1, keepdims=True)) / deviations
    np.testing.assert_allclose(out.numpy(), exact, rtol=2e-6, atol=1e-7)
    np.testing.assert_allclose(rstd.numpy() * deviations, 1 / scale, rtol=2e-6)
    np.testing.assert_allclose(mean.numpy() / scale, numbers.mean(axis=1, keepdims=True), rtol=2e-6)


@pytest.mark.parametrize("dtype", [opwright.float32, opwright.float64])
def test_bins_are_those_of_the_edges(dtype: opwright.dtype) -> None:
    for count in range(1, 400 if EVERY else 120):
        values = opwright.arange(float(count), dtype=dtype)
        assert opwright.histc(values, count, 0, count).tolist() == [1.0] * count
        high = count / 7
        values = opwright.linspace(0.0, high, 3 * count + 1, dtype=dtype)
        counted, edges = opwright.histogram(values, count, range=(0.0, high))
        by_edges, _ = np.histogram(values.numpy(), edges.numpy())
        assert counted.tolist() == by_edges.tolist()
        if edges[-1].item() >= high:
            assert opwright.histc(values, count, 0.0, high).tolist() == by_edges.tolist()


def test_ranges_wider_than_any_number_have_bins() -> None:
    values = opwright.tensor([-1.7e308, -1.0, 1.0, 1.7e308], dtype=opwright.float64)
    assert opwright.histc(values, 2, -1.7e308, 1.7e308).tolist() == [2.0, 2.0]


@pytest.mark.parametrize(
    ("dtype", "great"),
    [(opwright.float32, 2.0**127), (opwright.float64, 2.0**1023)],
)
def test_means_of_large_numbers_are_numbers(dtype: opwright.dtype, great: float) -> None:
    values = opwright.full((3, 4), great, dtype=dtype)
    assert values.mean().item() == great
    assert values.mean(0).tolist() == [great] * 4
    assert values.mean(1, keepdim=True).tolist() == [[great]] * 3
    assert opwright.tensor([math.inf, great], dtype=dtype).mean().item() == math.inf


@pytest.mark.parametrize("order", [2.0, 3.0, 0.5, 1.0, 7.5, 100.0, -1.0, -2.0, -3.5])
@pytest.mark.parametrize("scale", [2.0**-1000, 2.0**-600, 1.0, 2.0**600, 2.0**1000])
def test_norms_scale_with_their_numbers(order: float, scale: float) -> None:
    numbers = opwright.tensor([[3.0, 4.0, -1.5], [1.0, 2.0, 5.0]], dtype=opwright.float64)
    norm = opwright.linalg.vector_norm
    for dim in (None, 0, 1):
        expected = norm(numbers, order, dim).numpy() * scale
        np.testing.assert_allclose(norm(numbers * scale, order, dim).numpy(), expected, rtol=1e-13)
    complex_numbers = numbers.to(opwright.complex128)
    expected = norm(complex_numbers, order).item() * scale
    assert norm(complex_numbers * scale, order).item() == pytest.approx(expected, rel=1e-13)


@pytest.mark.parametrize("scale", [2.0**-1000, 1.0, 2.0**1000])
def test_deviations_scale_with_their_numbers(scale: float) -> None:
    numbers = opwright.tensor([[3.0, 4.0, -1.5], [1.0, 2.0, 5.0]], dtype=opwright.float64)
    for dim in (None, 0, 1):
        expected = numbers.std(dim).numpy() * scale
        np.testing.assert_allclose((numbers * scale).std(dim).numpy(), expected, rtol=1e-13)
        deviations, means = opwright.std_mean(numbers * scale, dim)
        np.testing.assert_allclose(deviations.numpy(), expected, rtol=1e-13)
        np.testing.assert_allclose(means.numpy(), numbers.mean(dim).numpy() * scale, rtol=1e-13)
    assert opwright.full((3,), 0.1, dtype=opwright.float64).std().item() == 0.0


def test_losses_of_what_is_certain_have_no_sign() -> None:
    for reduction in ("none", "mean", "sum"):
        loss = opwright.nn.functional.cross_entropy(
            opwright.tensor([[200.0, 0.0]]), opwright.tensor([0]), reduction=reduction
        )
        assert math.copysign(1.0, loss.item()) == 1.0
        assert loss.item() == 0.0


def test_norms_of_zeros_and_infinities() -> None:
    norm = opwright.linalg.vector_norm
    for dtype in (opwright.float32, opwright.float64):
        assert norm(opwright.zeros(3, dtype=dtype)).item() == 0.0
        assert norm(opwright.tensor([math.inf, 1.0], dtype=dtype)).item() == math.inf
        assert norm(opwright.tensor([0.0, 1.0], dtype=dtype), -2.0).item() == 0.0
        assert math.isnan(norm(opwright.tensor([math.nan, 1e300]).to(dtype)).item())
    assert norm(opwright.tensor([1e30, 1e30]), 40.0).item() == pytest.approx(
        1e30 * 2 ** (1 / 40), rel=1e-6
    )


@pytest.mark.parametrize("shape", [(30, 5), (2, 30, 5), (3, 1, 40, 7)])
def test_distances_of_vectors_far_from_zero(shape: tuple[int, ...]) -> None:
    opwright.manual_seed(0)
    x = opwright.randn(*shape) + 1000
    other = opwright.cat([x, x + 0.5], -2)
    found = opwright.cdist(x, other)
    a, b = (it.double().numpy() for it in (x, other))
    exact = np.sqrt(((a[..., :, None, :] - b[..., None, :, :]) ** 2).sum(-1))
    np.testing.assert_allclose(found.numpy(), exact, rtol=1e-4)
    assert (found[..., range(shape[-2]), range(shape[-2])] == 0).all()


def test_distances_of_equal_vectors_have_gradients() -> None:
    x = opwright.randn(30, 4, dtype=opwright.float64).requires_grad_()
    opwright.cdist(x, x).sum().backward()
    assert x.grad.isfinite().all()
    rows = x.detach().requires_grad_()
    opwright.cdist(rows, rows, compute_mode="donot_use_mm_for_euclid_dist").sum().backward()
    np.testing.assert_allclose(x.grad.numpy(), rows.grad.numpy(), atol=1e-9)


def test_gradients_whose_norm_their_dtype_does_not_hold() -> None:
    cases = [
        (opwright.float16, [6e4, 6e4], 1e-3),
        (opwright.float32, [3e38, 3e38], 1e-6),
        (opwright.bfloat16, [3e38, 3e38], 1e-2),
    ]
    for dtype, values, tolerance in cases:
        p = opwright.zeros(2, dtype=dtype, requires_grad=True)
        p.grad = opwright.tensor(values, dtype=dtype)
        norm = opwright.nn.utils.clip_grad_norm_([p], 1.0)
        assert norm.item() == pytest.approx(values[0] * 2**0.5, rel=tolerance)
        np.testing.assert_allclose(p.grad.float().numpy(), [0.5**0.5] * 2, rtol=tolerance * 2)


def test_a_negative_norm_is_refused() -> None:
    p = opwright.zeros(2, requires_grad=True)
    p.grad = opwright.ones(2)
    with pytest.raises(ValueError, match="max_norm must not be negative"):
        opwright.nn.utils.clip_grad_norm_([p], -1.0)
    assert p.grad.tolist() == [1.0, 1.0]


def test_whole_numbers_at_equal_distances_are_exact() -> None:
    start = 2**53 + 1
    made = opwright.linspace(start, start + 2, 3, dtype=opwright.int64)
    assert made.tolist() == [start, start + 1, start + 2]
    least, most = -(2**63), 2**63 - 1
    made = opwright.linspace(least, most, 17, dtype=opwright.int64).tolist()
    assert (made[0], made[8], made[16]) == (least, 0, most)
    for steps in range(2, 40):
        made = opwright.linspace(0, 12, steps, dtype=opwright.int32).tolist()
        assert made == [12 * i // (steps - 1) for i in range(steps)]


MEANS = [
    (opwright.float16, [6e4] * 40, 6e4),
    (opwright.bfloat16, [2.0**127] * 3, 2.0**127),
    (opwright.float32, [2.0**127, 2.0**127, -(2.0**127), -(2.0**127)] * 9, 0.0),
    (opwright.float64, [2.0**1023, 2.0**1023, -(2.0**1023), -(2.0**1023)], 0.0),
    (opwright.complex64, [2.0**127 + 2.0**127 * 1j] * 3, 2.0**127 + 2.0**127 * 1j),
    (opwright.complex128, [2.0**1023 - 2.0**1023 * 1j] * 3, 2.0**1023 - 2.0**1023 * 1j),
]


@pytest.mark.parametrize(("dtype", "numbers", "mean"), MEANS)
def test_means_of_every_dtype_are_in_its_range(
    dtype: opwright.dtype, numbers: list[complex], mean: complex
) -> None:
    values = opwright.tensor(numbers, dtype=dtype)
    mean = opwright.tensor(mean, dtype=dtype).item()
    assert values.mean().item() == mean
    assert values.mean(0, keepdim=True).tolist() == [mean]
    assert values.mean(dtype=dtype).item() == mean
    small = opwright.full_like(values, 2.0**-10)
    assert opwright.stack([values, small]).mean(1).tolist() == [mean, 2.0**-10]
    assert opwright.stack([values, small], 1).mean(0).tolist() == [mean, 2.0**-10]
    out = opwright.empty(4, dtype=dtype)[::2]
    assert opwright.mean(opwright.stack([values, small]), 1, out=out).tolist() == [mean, 2.0**-10]


@pytest.mark.parametrize("dtype", [opwright.float64, opwright.complex128])
@pytest.mark.parametrize("scale", [2.0**-600, 2.0**-500, 1.0, 2.0**500, 2.0**1020])
def test_deviations_and_means_scale_with_their_numbers(dtype: opwright.dtype, scale: float) -> None:
    near = opwright.tensor([[1.0, -3.0, 8.0], [2.0, 2.5, -4.0]], dtype=dtype)
    if dtype.is_complex:
        near = near * (1 + 0.5j)
    near = near / 2
    for dim in (None, 0, 1):
        deviation, mean = opwright.std_mean(near, dim)
        by_scale, mean_by_scale = opwright.std_mean(near * scale, dim)
        assert np.allclose((by_scale / scale).numpy(), deviation.numpy(), rtol=1e-14)
        assert np.allclose((mean_by_scale / scale).numpy(), mean.numpy(), rtol=1e-14)
        assert np.array_equal(opwright.std(near * scale, dim).numpy(), by_scale.numpy())
        variance, mean = opwright.var_mean(near * scale, dim)
        assert np.allclose(mean.numpy(), mean_by_scale.numpy(), rtol=1e-14)
        assert np.array_equal(variance.numpy(), opwright.var(near * scale, dim).numpy())
        with np.errstate(over="ignore", under="ignore"):
            expected = deviation.numpy() ** 2 * scale * scale
        assert np.allclose(variance.numpy(), expected, rtol=1e-13, atol=0)


def test_variances_in_range_of_squares_that_are_not() -> None:
    numbers = [1e200, 1e200 * (1 + 1e-15), 1e200 * (1 - 1e-15)]
    values = opwright.tensor(numbers, dtype=opwright.float64)
    assert math.isinf(opwright.var(values).item())
    assert opwright.var(opwright.full((5,), 1.7e308, dtype=opwright.float64)).item() == 0.0
    assert math.isnan(opwright.var(opwright.tensor([math.inf, 1.0], dtype=opwright.float64)).item())
    mean = opwright.var_mean(opwright.tensor([math.inf, 1e300], dtype=opwright.float64))[1]
    assert mean.item() == math.inf


@pytest.mark.parametrize(("dtype", "most"), [(opwright.float32, 3e38), (opwright.float64, 1.5e308)])
def test_ways_longer_than_any_number_have_points(dtype: opwright.dtype, most: float) -> None:
    start, end = (opwright.tensor([it, it], dtype=dtype) for it in (-most, most))
    for weight, expected in ((0.0, start), (0.5, start * 0), (1.0, end)):
        assert opwright.lerp(start, end, weight).tolist() == expected.tolist()
        weights = opwright.full((2,), weight, dtype=dtype)
        assert opwright.lerp(start, end, weights).tolist() == expected.tolist()


def test_a_weight_of_one_gives_the_end() -> None:
    opwright.manual_seed(0)
    for dtype in (opwright.float16, opwright.bfloat16, opwright.float32, opwright.float64):
        start = (opwright.randn(500) * 1e4).to(dtype)
        end = opwright.randn(500).to(dtype)
        assert opwright.lerp(start, end, 1.0).tolist() == end.tolist()
        assert opwright.lerp(start, end, 0.0).tolist() == start.tolist()


@pytest.mark.parametrize("dtype", [opwright.float16, opwright.bfloat16])
def test_products_and_sums_are_rounded_once(dtype: opwright.dtype) -> None:
    opwright.manual_seed(1)
    x, a, b = ((opwright.randn(400) + 2).to(dtype) for _ in range(3))
    wide = [it.to(opwright.float64) for it in (x, a, b)]
    for value in (1.0, 0.5, 3.0):
        exact = opwright.addcmul(*wide, value=value)
        assert opwright.addcmul(x, a, b, value=value).tolist() == exact.to(dtype).tolist()
        exact = opwright.addcdiv(*wide, value=value)
        found = opwright.addcdiv(x, a, b, value=value)
        assert np.allclose(found.to(opwright.float64).numpy(), exact.numpy(), rtol=2.0**-8)


@pytest.mark.parametrize(("dtype", "great"), [(opwright.float32, 1e30), (opwright.float64, 1e250)])
def test_quotients_may_be_larger_on_the_way(dtype: opwright.dtype, great: float) -> None:
    x, one, large = (opwright.tensor([it], dtype=dtype) for it in (1.0, 1.0, great))
    for value, a, b in ((great, large, 1 / large), (1.0, large, one), (1 / great, large, large)):
        found = opwright.addcdiv(x * 0, a, 1 / b, value=value).item()
        assert found == pytest.approx(great, rel=1e-6)
