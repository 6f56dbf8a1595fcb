"""Reductions and running totals, with numpy as the oracle."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import opwright
import pytest
from dtypes import ALL, COMPLEX, FLOATS, INTEGERS, ORDERED
from layouts import LAYOUTS, Array, dtype_of, numbers, pair
from opwright.autograd import gradcheck, gradgradcheck

Axis = int | tuple[int, ...] | None
Reduction = Callable[[Array, Axis, bool], Any]

TOLERANCES = {"float16": 3e-3, "float32": 1e-5, "complex64": 1e-5}


def wide(array: Array) -> Array:
    """In the dtype that sums are made in."""
    return array.astype("int64") if array.dtype.kind in "bui" else array


def precise(array: Array) -> Array:
    """With more digits than any result has."""
    return array.astype("complex128" if array.dtype.kind == "c" else "float64")


def norm(order: float) -> Reduction:
    """A norm without looking at the number of dimensions."""

    def oracle(a: Array, axis: Axis, keepdims: bool) -> Any:
        lengths = np.abs(precise(a))
        if order == 0:
            return np.sum(lengths != 0, axis, keepdims=keepdims)
        if order == np.inf:
            return np.max(lengths, axis, keepdims=keepdims)
        if order == -np.inf:
            return np.min(lengths, axis, keepdims=keepdims)
        return np.sum(lengths**order, axis, keepdims=keepdims) ** (1 / order)

    return oracle


def log_sum_exp(a: Array, axis: Axis, keepdims: bool) -> Any:
    return np.log(np.sum(np.exp(precise(a)), axis, keepdims=keepdims))


# Call, oracle, dtypes, dtype of the result (`same`, `real`, `total`, `floating` or a name), and
# whether nothing can be reduced.
ALONG: dict[str, tuple[Callable[..., Any], Reduction, list[str], str, bool]] = {
    "sum": (opwright.sum, lambda a, x, k: np.sum(wide(a), x, keepdims=k), ALL, "total", True),
    "nansum": (
        opwright.nansum,
        lambda a, x, k: np.nansum(wide(a), x, keepdims=k),
        ORDERED,
        "total",
        True,
    ),
    "mean": (
        opwright.mean,
        lambda a, x, k: np.mean(precise(a), x, keepdims=k),
        FLOATS + COMPLEX,
        "same",
        False,
    ),
    "amax": (opwright.amax, lambda a, x, k: np.max(a, x, keepdims=k), ORDERED, "same", False),
    "amin": (opwright.amin, lambda a, x, k: np.min(a, x, keepdims=k), ORDERED, "same", False),
    "all": (opwright.all, lambda a, x, k: np.all(a, x, keepdims=k), ALL, "truth", True),
    "any": (opwright.any, lambda a, x, k: np.any(a, x, keepdims=k), ALL, "truth", True),
    "count_nonzero": (
        lambda t, dim, keepdim: opwright.count_nonzero(t, dim),
        lambda a, x, k: np.count_nonzero(a, x),
        ALL,
        "int64",
        True,
    ),
    "var": (
        lambda t, dim, keepdim: opwright.var(t, dim, keepdim=keepdim),
        lambda a, x, k: np.var(precise(a), x, ddof=1, keepdims=k),
        FLOATS + COMPLEX,
        "real",
        False,
    ),
    "std": (
        lambda t, dim, keepdim: opwright.std(t, dim, correction=0, keepdim=keepdim),
        lambda a, x, k: np.std(precise(a), x, keepdims=k),
        FLOATS + COMPLEX,
        "real",
        False,
    ),
    "logsumexp": (opwright.logsumexp, log_sum_exp, ORDERED + COMPLEX, "floating", False),
}
for _order in [0.0, 1.0, 2.0, 3.0, 0.5, np.inf, -np.inf]:
    ALONG[f"norm {_order}"] = (
        lambda t, dim, keepdim, order=_order: opwright.norm(t, order, dim, keepdim),
        norm(_order),
        FLOATS + COMPLEX,
        "real",
        False,
    )

AXES: list[Axis] = [0, -1, (0, 1), (-2,)]


def result_dtype(rule: str, dtype: str) -> str:
    """The dtype of a reduction's result."""
    kind = np.dtype(dtype).kind
    match rule:
        case "same":
            return dtype
        case "total":
            return "int64" if kind in "bui" else dtype
        case "floating":
            return "float32" if kind in "bui" else dtype
        case "truth":
            return "uint8" if dtype == "uint8" else "bool"
        case "real":
            return {"complex64": "float32", "complex128": "float64"}.get(dtype, dtype)
        case _:
            return rule


def assert_close(actual: Any, expected: Any, dtype: str) -> None:
    """Compares with as many digits as the dtype of the input allows."""
    tolerance = TOLERANCES.get(dtype, 1e-12)
    np.testing.assert_allclose(actual, expected, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", ALONG)
def test_along_dimensions(name: str, layout: str, rng: np.random.Generator) -> None:
    call, oracle, dtypes, rule, of_nothing = ALONG[name]
    if layout == "single" or (layout == "empty" and not of_nothing):
        return
    for dtype in dtypes:
        array, tensor = pair(rng, dtype, layout)
        for axis in AXES:
            for keepdim in [False, True] if name != "count_nonzero" else [False]:
                actual, expected = call(tensor, axis, keepdim), oracle(array, axis, keepdim)
                assert dtype_of(actual) == result_dtype(rule, dtype)
                assert tuple(actual.shape) == np.shape(expected)
                assert_close(actual.numpy(), expected, dtype_of(actual))
                meta = opwright.empty(array.shape, dtype=tensor.dtype, device="meta")
                reduced = call(meta, axis, keepdim)
                assert (reduced.shape, reduced.dtype) == (actual.shape, actual.dtype)


WHOLE: dict[str, tuple[Callable[[Any], Any], Callable[[Array], Any], list[str]]] = {
    "sum": (lambda t: t.sum(), lambda a: np.sum(wide(a)), ALL),
    "prod": (lambda t: t.prod(), lambda a: np.prod(wide(a)), ALL),
    "mean": (lambda t: t.mean(), lambda a: np.mean(precise(a)), FLOATS + COMPLEX),
    "max": (lambda t: t.max(), np.max, ORDERED),
    "min": (lambda t: t.min(), np.min, ORDERED),
    "argmax": (lambda t: t.argmax(), np.argmax, INTEGERS + FLOATS),
    "argmin": (lambda t: t.argmin(), np.argmin, INTEGERS + FLOATS),
    "all": (lambda t: t.all(), np.all, ALL),
    "any": (lambda t: t.any(), np.any, ALL),
    "var": (lambda t: t.var(False), lambda a: np.var(precise(a)), FLOATS + COMPLEX),
    "std": (lambda t: opwright.std(t, False), lambda a: np.std(precise(a)), FLOATS + COMPLEX),
    "norm": (lambda t: t.norm(), lambda a: np.linalg.norm(np.ravel(precise(a))), FLOATS + COMPLEX),
    "count_nonzero": (lambda t: t.count_nonzero(), np.count_nonzero, ALL),
}


@pytest.mark.parametrize("layout", [it for it in LAYOUTS if it != "empty"])
@pytest.mark.parametrize("name", WHOLE)
def test_of_all_elements(name: str, layout: str, rng: np.random.Generator) -> None:
    call, oracle, dtypes = WHOLE[name]
    for dtype in dtypes:
        array, tensor = pair(rng, dtype, layout)
        actual = call(tensor)
        assert tuple(actual.shape) == ()
        if np.isfinite(oracle(array)):
            assert_close(actual.numpy(), oracle(array), dtype)


@pytest.mark.parametrize("name", ["max", "min"])
@pytest.mark.parametrize("layout", [it for it in LAYOUTS if it not in ("empty", "single")])
def test_extremes_and_their_places(name: str, layout: str, rng: np.random.Generator) -> None:
    call = getattr(opwright, name)
    best, place = (np.max, np.argmax) if name == "max" else (np.min, np.argmin)
    for dtype in ORDERED:
        array, tensor = pair(rng, dtype, layout)
        for dim in [0, 1, -1]:
            for keepdim in [False, True]:
                found = call(tensor, dim, keepdim)
                assert found._fields == ("values", "indices")
                np.testing.assert_array_equal(found.values, best(array, dim, keepdims=keepdim))
                np.testing.assert_array_equal(found.indices, place(array, dim, keepdims=keepdim))
                if dtype != "bool":
                    places = getattr(opwright, f"arg{name}")(tensor, dim, keepdim)
                    np.testing.assert_array_equal(places, found.indices)


def test_not_a_number_is_greatest_and_least() -> None:
    x = opwright.tensor([[1.0, float("nan"), 3.0], [float("nan"), 5.0, float("nan")]])
    for call in [opwright.max, opwright.min]:
        assert call(x, 1).indices.tolist() == [1, 0]
        assert call(x, 1).values.isnan().all()
    assert opwright.amax(x).isnan() and opwright.aminmax(x).min.isnan()
    assert opwright.argmax(x).item() == 1
    lowest = opwright.full((3,), float("-inf"))
    assert (lowest.max(0).indices.item(), lowest.argmax().item()) == (0, 0)


@pytest.mark.parametrize("count", [32, 1024, 1025, 40_000])
def test_places_in_long_rows(count: int, rng: np.random.Generator) -> None:
    for dtype in ORDERED:
        drawn = (rng.standard_normal(count) * 50).astype(dtype)
        worst = np.full(count, -np.inf if drawn.dtype.kind == "f" else 0, dtype)
        missing = drawn.copy()
        if drawn.dtype.kind == "f":
            missing[[count // 3, count - 2]] = np.nan
        for array in (drawn, worst, missing):
            rows = np.stack([array, array[::-1]])
            for tensor, expected, dim in ((array, array, None), (rows, rows, 1)):
                if dtype != "bool":
                    found = opwright.argmax(opwright.from_numpy(tensor), dim)
                    np.testing.assert_array_equal(found, np.argmax(expected, dim))
                    found = opwright.argmin(opwright.from_numpy(tensor), dim)
                    np.testing.assert_array_equal(found, np.argmin(expected, dim))
            best = opwright.from_numpy(rows).max(1)
            np.testing.assert_array_equal(best.values, rows.max(1))
            np.testing.assert_array_equal(best.indices, rows.argmax(1))


@pytest.mark.parametrize("count", [1, 1024, 1025, 100_000])
def test_one_element_decides(count: int) -> None:
    for dtype in ALL:
        for place in {0, count // 2, count - 1}:
            array = np.zeros(count, dtype)
            assert not opwright.from_numpy(array).any()
            array[place] = 1
            assert opwright.from_numpy(array).any()
            array = np.ones(count, dtype)
            assert opwright.from_numpy(array).all()
            array[place] = 0
            assert not opwright.from_numpy(array).all()


def test_sums_keep_their_digits(rng: np.random.Generator) -> None:
    values = rng.random(1 << 20, dtype="float32") + np.float32(1000)
    exact = values.astype("float64")
    total = opwright.from_numpy(values).sum().item()
    assert total == pytest.approx(exact.sum(), rel=1e-7)
    assert opwright.from_numpy(values).var().item() == pytest.approx(exact.var(), rel=1e-4)
    columns = opwright.from_numpy(values.reshape(-1, 4)).sum(0)
    np.testing.assert_allclose(columns, exact.reshape(-1, 4).sum(0), rtol=1e-6)
    half = opwright.full((4096,), 0.1, dtype=opwright.float16).sum()
    assert half.item() == pytest.approx(409.5, rel=1e-3)


def test_dtypes_of_sums() -> None:
    ones = opwright.ones(300, dtype=opwright.uint8)
    assert ones.sum().item() == 300
    assert ones.sum(dtype=opwright.uint8).item() == 44
    assert opwright.sum(ones, 0, dtype=opwright.float64).dtype == opwright.float64
    assert opwright.mean(ones, dtype=opwright.float64).item() == 1.0
    out = opwright.empty(0, dtype=opwright.float64)
    assert opwright.sum(ones, 0, out=out) is out
    assert (out.item(), out.dtype) == (300.0, opwright.float64)
    with pytest.raises(RuntimeError, match="Expected out tensor to have dtype"):
        opwright.sum(ones, 0, dtype=opwright.float32, out=out)


RUNNING: dict[str, tuple[Callable[[Array, int], Any], list[str]]] = {
    "cumsum": (lambda a, axis: np.cumsum(wide(a), axis), ALL),
    "cumprod": (lambda a, axis: np.cumprod(wide(a), axis), ALL),
    "logcumsumexp": (
        lambda a, axis: np.log(np.cumsum(np.exp(precise(a)), axis)),
        ORDERED + COMPLEX,
    ),
}


@pytest.mark.parametrize("layout", [it for it in LAYOUTS if it != "single"])
@pytest.mark.parametrize("name", RUNNING)
def test_running_totals(name: str, layout: str, rng: np.random.Generator) -> None:
    oracle, dtypes = RUNNING[name]
    for dtype in dtypes:
        array, tensor = pair(rng, dtype, layout)
        for dim in [0, 1, -1]:
            actual = getattr(opwright, name)(tensor, dim)
            rule = "floating" if name == "logcumsumexp" else "total"
            assert dtype_of(actual) == result_dtype(rule, dtype)
            expected = oracle(array, dim)
            with np.errstate(over="ignore"):
                assert_close(actual.numpy(), expected.astype(dtype_of(actual)), dtype_of(actual))


@pytest.mark.parametrize("shape", [(9, 7), (3, 5), (1, 1), (4, 1), (2, 5, 300), (70_001,), (0, 4)])
def test_running_totals_of_dense_tensors(shape: tuple[int, ...], rng: np.random.Generator) -> None:
    for dtype in ("float32", "float64", "int64", "uint8", "complex64"):
        array = numbers(rng, dtype, shape)
        for dim in range(len(shape)):
            actual = opwright.cumsum(opwright.from_numpy(array), dim)
            # In order, and in `float64`, as each result is rounded from there.
            exact = precise(array) if array.dtype.kind in "fc" else array
            expected = np.cumsum(exact, dim).astype(dtype_of(actual))
            np.testing.assert_array_equal(actual, expected)


@pytest.mark.parametrize("name", ["cummax", "cummin"])
def test_running_extremes(name: str, rng: np.random.Generator) -> None:
    oracle = np.maximum if name == "cummax" else np.minimum
    for dtype in ORDERED:
        array, tensor = pair(rng, dtype, "transposed")
        found = getattr(opwright, name)(tensor, 1)
        np.testing.assert_array_equal(found.values, oracle.accumulate(array, 1))
        again = np.take_along_axis(array, found.indices.numpy(), 1)
        np.testing.assert_array_equal(found.values, again)
    x = opwright.tensor([1.0, float("nan"), 2.0])
    assert opwright.cummax(x, 0).values.isnan().tolist() == [False, True, True]
    assert opwright.cummax(x, 0).indices.tolist() == [0, 1, 1]


def test_running_totals_in_place(rng: np.random.Generator) -> None:
    array = numbers(rng, "int32", (4, 5))
    tensor = opwright.from_numpy(array.copy())
    assert tensor.cumsum_(1) is tensor
    np.testing.assert_array_equal(tensor, np.cumsum(array, 1))
    out = opwright.empty(4, 5, dtype=opwright.float32)
    opwright.cumsum(opwright.from_numpy(array), 0, out=out)
    np.testing.assert_array_equal(out, np.cumsum(array, 0))


def test_pairs_of_moments(rng: np.random.Generator) -> None:
    for dtype in FLOATS + COMPLEX:
        array, tensor = pair(rng, dtype, "stepped")
        variance, mean = opwright.var_mean(tensor, 1, correction=1)
        assert_close(variance.numpy(), np.var(precise(array), 1, ddof=1), dtype)
        assert_close(mean.numpy(), np.mean(precise(array), 1), dtype)
        deviation, mean = opwright.std_mean(tensor, (0, 1), unbiased=False, keepdim=True)
        assert_close(deviation.numpy(), np.std(precise(array), keepdims=True), dtype)
        assert tuple(mean.shape) == (1, 1)


def test_moments_far_from_zero() -> None:
    x = opwright.tensor([1e9 + 1, 1e9 + 2, 1e9 + 3], dtype=opwright.float64)
    assert x.var().item() == 1.0
    with pytest.warns(UserWarning, match="correction"):
        assert opwright.tensor([1.0]).var().isnan()
    assert opwright.tensor([2.0, float("inf")]).var().isnan()


def test_degenerate_reductions() -> None:
    empty = opwright.empty(0, 3)
    assert empty.sum().item() == 0.0
    assert empty.prod(0).tolist() == [1.0, 1.0, 1.0]
    with pytest.warns(UserWarning, match="correction"):
        assert empty.mean().isnan() and empty.std().isnan()
    assert bool(empty.all()) and not bool(empty.any())
    assert empty.norm().item() == 0.0
    assert opwright.logsumexp(empty, 0).tolist() == [float("-inf")] * 3
    assert tuple(empty.amax(1).shape) == (0,)
    scalar = opwright.tensor(3.0)
    assert scalar.sum(0).item() == scalar.max(-1).values.item() == scalar.cumsum(0).item() == 3.0
    assert scalar.max(0).indices.item() == 0
    assert opwright.any(opwright.ones(2, 2), dim=()).tolist() == [[True, True], [True, True]]


SEGMENTS: dict[str, Callable[[Array], Any]] = {
    "sum": lambda a: np.sum(a, 0),
    "prod": lambda a: np.prod(a, 0),
    "mean": lambda a: np.mean(a, 0) if len(a) else np.full(a.shape[1:], np.nan),
    "max": lambda a: np.max(a, 0, initial=-np.inf),
    "min": lambda a: np.min(a, 0, initial=np.inf),
}

LENGTHS = [1, 0, 3, 2]


@pytest.mark.parametrize("name", SEGMENTS)
@pytest.mark.parametrize("axis", [0, 1, -1])
def test_segments(name: str, axis: int, rng: np.random.Generator) -> None:
    ends = np.cumsum(LENGTHS)
    for dtype in FLOATS:
        array = numbers(rng, dtype, (7, 6, 5)).transpose(1, 0, 2) if axis == 0 else None
        if array is None:
            array = numbers(rng, dtype, (2, 6, 3) if axis == 1 else (3, 2, 6))
        rows = np.moveaxis(precise(array), axis, 0)
        pieces = [SEGMENTS[name](it) for it in np.split(rows, ends)[:-1]]
        expected = np.moveaxis(np.stack(pieces), 0, axis)
        shape = (*array.shape[: axis % 3], len(LENGTHS))
        lengths = opwright.tensor(LENGTHS).expand(shape)
        offsets = opwright.tensor([0, *ends.tolist()], dtype=opwright.int32)
        offsets = offsets.expand(*shape[:-1], len(LENGTHS) + 1)
        tensor = opwright.from_numpy(array)
        for bounds in ({"lengths": lengths}, {"offsets": offsets}):
            actual = opwright.segment_reduce(tensor, name, axis=axis, **bounds)
            assert dtype_of(actual) == dtype
            assert_close(actual.numpy(), expected, dtype)
            again = opwright.segment_reduce(tensor, name, axis=axis, initial=2.0, **bounds)
            assert again.isfinite().all()


@pytest.mark.parametrize("name", SEGMENTS)
def test_gradients_of_segments(name: str, rng: np.random.Generator) -> None:
    x = opwright.from_numpy(numbers(rng, "float64", (6, 3))).requires_grad_()
    lengths = opwright.tensor([2, 0, 4])

    def reduced(x: Any) -> Any:
        return opwright.segment_reduce(x, name, lengths=lengths, initial=0.5)

    assert gradcheck(reduced, (x,))
    if name != "prod":
        assert gradgradcheck(reduced, (x,))
    else:
        slope = opwright.autograd.grad(reduced(x).sum(), x, create_graph=True)[0]
        with pytest.raises(NotImplementedError, match="second gradient of products"):
            slope.sum().backward()


def test_extremes_of_a_segment_share_their_gradient() -> None:
    x = opwright.tensor([1.0, 2.0, 2.0, 2.0, 0.0], requires_grad=True)
    for sign in (1.0, -1.0):
        found = opwright.segment_reduce(x, "max", lengths=opwright.tensor([3, 2]))
        slope = opwright.autograd.grad((found * sign).sum(), x)[0]
        assert slope.tolist() == [0.0, sign / 2, sign / 2, sign, 0.0]


@pytest.mark.parametrize("layout", [it for it in LAYOUTS if it not in ("empty", "single")])
def test_hashes_of_bits(layout: str, rng: np.random.Generator) -> None:
    for dtype in ORDERED:
        array, tensor = pair(rng, dtype, layout)
        is_float = array.dtype.kind == "f"
        bits = array.astype("float64").view("uint64") if is_float else array.astype("uint64")
        for axis in [0, -1]:
            found = opwright.hash_tensor(tensor, axis, keepdim=True)
            assert found.dtype == opwright.uint64
            expected = np.bitwise_xor.reduce(bits, axis, keepdims=True)
            np.testing.assert_array_equal(found, expected)
        assert tensor.hash_tensor().item() == np.bitwise_xor.reduce(bits, None)
    # What PyTorch gives.
    assert opwright.hash_tensor(opwright.tensor([1.0, 2.0, 3.0, -5.0])).item() == 0xFFEC000000000000
    assert not opwright.hash_tensor(opwright.ones(2, requires_grad=True)).requires_grad


ERRORS: list[tuple[Callable[[Any], Any], type[Exception], str]] = [
    (lambda t: t.sum(2), IndexError, r"expected to be in range of \[-2, 1\], but got 2"),
    (lambda t: t.sum((0, 0)), RuntimeError, "dim 0 appears multiple times"),
    (lambda t: t.int().mean(), RuntimeError, "could not infer output dtype.*Got: Int"),
    (lambda t: t.mean(dtype=opwright.int64), RuntimeError, "Optional dtype"),
    (lambda t: t[:0].max(), RuntimeError, "Specify the reduction dim"),
    (lambda t: t[:0].max(0), IndexError, "Expected reduction dim 0 to have non-zero size"),
    (lambda t: t[:0].argmax(), IndexError, "Specify the reduction dim"),
    (lambda t: t[:0].amin(0), IndexError, "Expected reduction dim 0"),
    (lambda t: t.to(opwright.complex64).max(), NotImplementedError, "not implemented"),
    (lambda t: t.bool().argmax(), NotImplementedError, "not implemented for 'Bool'"),
    (lambda t: t.int().std(), RuntimeError, "floating point and complex"),
    (lambda t: t.int().norm(), RuntimeError, "Expected a floating point"),
    (lambda t: t[:0].norm(float("inf")), RuntimeError, "does not have an identity"),
    (lambda t: t.cumsum(2), IndexError, "out of range"),
    (lambda t: opwright.max(t, 0, out=(t[0], t[0])), RuntimeError, "out tensor to have dtype"),
    (lambda t: opwright.sum(t, 0, out=t.int()[0]), RuntimeError, "can't be cast"),
]


@pytest.mark.parametrize("index", range(len(ERRORS)))
def test_errors(index: int) -> None:
    call, kind, message = ERRORS[index]
    with pytest.raises(kind, match=message):
        call(opwright.arange(6.0).reshape(2, 3))


def test_large_reductions_repeat_bit_by_bit(rng: np.random.Generator) -> None:
    values = rng.normal(size=(1000, 701)).astype("float32")
    tensor = opwright.from_numpy(values)
    assert len({tensor.sum().item() for _ in range(5)}) == 1
    for dim in [0, 1]:
        np.testing.assert_allclose(
            tensor.sum(dim), values.sum(dim, dtype="f8"), rtol=1e-3, atol=1e-3
        )
        np.testing.assert_array_equal(tensor.argmax(dim), values.argmax(dim))
        np.testing.assert_array_equal(tensor.max(dim).values, values.max(dim))
    assert tensor.argmin().item() == values.argmin()


def test_exponentials_of_complex_numbers_do_not_overflow() -> None:
    x = opwright.tensor([1000 + 0.5j, 1000 - 0.5j], dtype=opwright.complex128)
    expected = 1000 + np.log(2 * np.cos(0.5))
    assert abs(x.logsumexp(0).item() - expected) < 1e-12
    assert abs(x.logcumsumexp(0)[1].item() - expected) < 1e-12
    # What vanishes changes nothing, whatever its imaginary part.
    nothing = complex(-np.inf, np.inf)
    for rest in ([2 + 1j, nothing], [nothing, 2 + 1j]):
        assert opwright.tensor(rest).logsumexp(0).item() == 2 + 1j
    assert opwright.tensor([nothing]).logsumexp(0).item() == -np.inf
    assert opwright.empty(0, dtype=opwright.complex64).logsumexp(0).item() == -np.inf


MANY = [1] * 128


@pytest.mark.filterwarnings("ignore:the variance")
@pytest.mark.parametrize(
    "name",
    [
        "sum",
        "mean",
        "amax",
        "argmax",
        "all",
        "any",
        "var",
        "norm",
        "count_nonzero",
        "prod",
        "max",
        "logsumexp",
        "flip",
        "squeeze",
    ],
)
def test_as_many_dimensions_as_a_tensor_can_have(name: str) -> None:
    call = getattr(opwright, name)
    args: tuple[Any, ...] = ((0,),) if name in ("logsumexp", "flip") else ()
    for device in ("cpu", "meta"):
        call(opwright.ones(MANY, device=device), *args)


@pytest.mark.parametrize(
    "call",
    [
        lambda x: x.view(*MANY, 1),
        lambda x: x.view([*MANY, -1]),
        lambda x: x.reshape([*MANY, 1]),
        lambda x: x.expand([*MANY, 1]),
        lambda x: x.broadcast_to([*MANY, 1]),
        lambda x: x.repeat([*MANY, 1]),
        lambda x: x.tile([*MANY, 1]),
        lambda x: x.as_strided([*MANY, 1], [*MANY, 1]),
        lambda x: x.view(MANY).unsqueeze(0),
        lambda x: x.view(MANY)[None],
        lambda x: x.view(MANY)[..., None],
        lambda x: x.view(MANY).unfold(0, 1, 1),
        lambda x: opwright.stack([x.view(MANY)]),
        lambda x: opwright.zeros([*MANY, 1]),
        lambda x: opwright.outer(x, x).view(MANY).unsqueeze(-1),
        lambda x: opwright.nn.functional.one_hot(x.to(opwright.int64).view(MANY), 2),
    ],
)
@pytest.mark.parametrize("device", ["cpu", "meta"])
def test_more_dimensions_than_a_tensor_can_have(
    call: Callable[[opwright.Tensor], Any], device: str
) -> None:
    with pytest.raises(RuntimeError, match=r"at most 128 dimensions, not [12]"):
        call(opwright.ones(1, device=device))
