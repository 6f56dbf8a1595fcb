"""The namespace `opwright.array_api`, beside numpy's, which follows the standard, too."""

from __future__ import annotations

import inspect
import itertools
import operator
import pickle
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import opwright
import pytest
from array_api_calls import CALLS, KINDS, ROWS, Array, evaluated, operands
from opwright import array_api as xp
from opwright.array_api import DIFFERENCES

# What is compared without a loss of digits.
DIGITS = {"float32": 2e-5, "complex64": 5e-5, "float64": 1e-12, "complex128": 1e-12}


def _sorted(x: Array, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Any:
    found = np.sort(x, axis=axis)
    return np.flip(found, axis) if descending else found


def _argsorted(x: Array, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Any:
    if not descending:
        return np.argsort(x, axis=axis, stable=True)
    # Equal elements stay in their order, which is that of their places from behind.
    last = x.shape[axis] - 1
    return np.flip(last - np.argsort(np.flip(x, axis), axis=axis, stable=True), axis)


def _searched(x1: Array, x2: Array, *, side: Any = "left", sorter: Any = None) -> Any:
    return np.searchsorted(x1, x2, side, sorter)


def _clipped(x: Array, /, min: Any = None, max: Any = None) -> Any:
    return np.clip(x, min, max)


def _unique_values(x: Array) -> Any:
    # The order of numpy's own `unique_values` depends on its version.
    return np.unique_all(x).values


# numpy, where it has the parameters of the standard.
REFERENCE = SimpleNamespace(
    **{
        **vars(np),
        "argsort": _argsorted,
        "clip": _clipped,
        "fft": np.fft,
        "linalg": np.linalg,
        "searchsorted": _searched,
        "sort": _sorted,
        "unique_values": _unique_values,
    }
)


def _calls() -> list[Any]:
    found = []
    for names, kinds, arguments in ROWS:
        for name, kind, text in itertools.product(names.split(), kinds, arguments):
            found.append(pytest.param(name, text, kind, id=f"{name}({text})-{kind}"))
    return found


def _check(actual: Any, expected: Any, exact_zeros: bool = True) -> None:
    """Compares results, down to dtypes, shapes and the signs of zeros."""
    if isinstance(expected, tuple | list):
        assert isinstance(actual, tuple | list)
        assert len(actual) == len(expected)
        for one, other in zip(actual, expected, strict=True):
            _check(one, other, exact_zeros)
        return
    expected = np.asarray(expected)
    assert isinstance(actual, opwright.Tensor)
    dtype = str(expected.dtype)
    assert str(actual.dtype) == f"opwright.{dtype}"
    assert actual.shape == expected.shape
    found = actual.numpy()
    digits = DIGITS.get(dtype)
    if digits is None:
        np.testing.assert_array_equal(found, expected)
        return
    np.testing.assert_allclose(found, expected, rtol=digits, atol=digits)
    if exact_zeros and not np.iscomplexobj(expected):
        zeros = expected == 0
        np.testing.assert_array_equal(np.signbit(found[zeros]), np.signbit(expected[zeros]))


@pytest.mark.parametrize(("name", "text", "kind"), _calls())
def test_computes_what_numpy_computes(name: str, text: str, kind: str) -> None:
    loose = ("fft.", "linalg.", "tensordot", "unique_")
    for dtype in KINDS[kind]:
        arrays = operands(dtype)
        tensors = {key: opwright.from_dlpack(np.array(it)) for key, it in arrays.items()}
        with np.errstate(all="ignore"):
            expected = evaluated(f"{name}({text})", REFERENCE, arrays)
        actual = evaluated(f"{name}({text})", xp, tensors)
        _check(actual, expected, exact_zeros=not name.startswith(loose))


_SIZES = [(), (0,), (1,), (5,), (3, 0), (0, 3), (1, 4), (2, 3), (2, 1, 3), (2, 3, 2, 2)]
_OVER_AXES = "all any count_nonzero max mean min prod std sum var linalg.vector_norm flip squeeze"
_ALONG_AXIS = (
    "argmax argmin argsort cumulative_prod cumulative_sum expand_dims diff fft.fft sort unstack"
)


def _with_axes(names: str, several: bool) -> list[Any]:
    found = []
    for name, shape in itertools.product(names.split(), _SIZES):
        axes: list[Any] = list(range(-len(shape), len(shape)))
        if several:
            axes += [tuple(range(it)) for it in range(len(shape) + 1)]
            axes += [(0, -1)] if len(shape) > 1 else []
        for axis in axes:
            found.append(pytest.param(name, shape, axis, id=f"{name}-{shape}-{axis}"))
    return found


def _attempt(function: Any, *args: Any, **options: Any) -> Any:
    try:
        return function(*args, **options)
    except Exception as error:
        return error


@pytest.mark.parametrize(
    ("name", "shape", "axis"), _with_axes(_OVER_AXES, True) + _with_axes(_ALONG_AXIS, False)
)
@pytest.mark.filterwarnings("ignore::RuntimeWarning", "ignore::UserWarning")
def test_goes_along_axes_as_numpy_does(name: str, shape: tuple[int, ...], axis: Any) -> None:
    rng = np.random.default_rng(0)
    array = rng.normal(size=shape)
    for keepdims in ({}, {"keepdims": True}, {"keepdims": False}):
        if keepdims and name not in _OVER_AXES.split()[:-2]:
            continue
        expected = _attempt(operator.attrgetter(name)(REFERENCE), array, axis=axis, **keepdims)
        tensor = opwright.from_dlpack(np.array(array))
        actual = _attempt(operator.attrgetter(name)(xp), tensor, axis=axis, **keepdims)
        if isinstance(expected, Exception):
            assert isinstance(actual, Exception)
        else:
            _check(actual, expected, exact_zeros=False)


@pytest.mark.parametrize("text", CALLS)
def test_makes_what_numpy_makes(text: str) -> None:
    actual = evaluated(text, xp, {})
    expected = evaluated(text, REFERENCE, {})
    _check(actual, expected)


def test_every_function_is_called() -> None:
    called = {name for names, _, _ in ROWS for name in names.split()}
    called |= {it.partition("(")[0] for it in CALLS}
    own = {"can_cast", "finfo", "iinfo", "isdtype", "result_type", "__array_namespace_info__"}
    own |= {"linalg.eigh", "linalg.qr", "linalg.svd", "fft.fftfreq", "fft.rfftfreq"}
    assert _functions() - called == own


def _functions() -> set[str]:
    spaces = {"": xp, "linalg.": xp.linalg, "fft.": xp.fft}
    return {
        prefix + name
        for prefix, space in spaces.items()
        for name in space.__all__
        if callable(getattr(space, name)) and not isinstance(getattr(space, name), opwright.dtype)
    }


# Names.


def test_is_opwrights_or_in_the_table() -> None:
    for prefix, space, home in [
        ("", xp, opwright),
        ("linalg.", xp.linalg, opwright.linalg),
        ("fft.", xp.fft, opwright.fft),
    ]:
        for name in set(space.__all__) - {"fft", "linalg"}:
            is_same = getattr(space, name) is getattr(home, name, space)
            is_of_protocol = name.startswith("__")
            assert is_same != (prefix + name in DIFFERENCES or is_of_protocol), prefix + name


def test_table_names_what_there_is() -> None:
    assert set(DIFFERENCES) <= _functions()
    assert list(DIFFERENCES) == sorted(DIFFERENCES)


def test_guide_has_the_table() -> None:
    page = Path(__file__).parents[2] / "docs/src/array-api.md"
    rows = [it for it in page.read_text().splitlines() if it.startswith("| `")]
    assert rows == [f"| `{name}` | {text} |" for name, text in DIFFERENCES.items()]


def test_names_are_those_of_the_standard() -> None:
    strict = pytest.importorskip("array_api_strict")
    later = {"broadcast_shapes", "isin", "eig", "eigvals"}
    for ours, theirs in [(xp, strict), (xp.linalg, strict.linalg), (xp.fft, strict.fft)]:
        names = {it for it in theirs.__all__ if not re.search("^_|^Device$|array_?api", it, re.I)}
        missing = names - set(ours.__all__) - later - {"Device"}
        assert not missing


def test_parameters_are_those_of_the_standard() -> None:
    strict = pytest.importorskip("array_api_strict")
    for name in DIFFERENCES:
        ours = inspect.signature(operator.attrgetter(name)(xp))
        theirs = inspect.signature(operator.attrgetter(name)(strict))
        assert set(ours.parameters) == set(theirs.parameters), name


def test_signatures_have_what_the_standard_has() -> None:
    # Those of `opwright` itself may have more, and other names where they go by position; what the
    # standard has by name alone, some libraries pass by position, as numpy takes it.
    strict = pytest.importorskip("array_api_strict")
    by_name = inspect.Parameter.POSITIONAL_OR_KEYWORD
    for name in sorted(_functions() - {"__array_namespace_info__"}):
        expected = list(inspect.signature(operator.attrgetter(name)(strict)).parameters.values())
        actual = inspect.signature(operator.attrgetter(name)(xp)).parameters
        in_order = list(actual.values())
        for at, parameter in enumerate(expected):
            if parameter.kind is inspect.Parameter.KEYWORD_ONLY:
                assert parameter.name in actual, name
                assert actual[parameter.name].kind is not inspect.Parameter.POSITIONAL_ONLY, name
            elif parameter.kind is by_name:
                assert in_order[at].name == parameter.name, name
                assert in_order[at].kind is by_name, name
            else:
                assert len(in_order) > at, name


def test_functions_are_pickled_by_their_names() -> None:
    for name in sorted(_functions()):
        function = operator.attrgetter(name)(xp)
        assert pickle.loads(pickle.dumps(function)) is function, name


def test_is_documented() -> None:
    for name in DIFFERENCES:
        function = operator.attrgetter(name)(xp)
        first_line = (function.__doc__ or "").partition("\n")[0]
        assert first_line.endswith("."), name


# What has no counterpart to compare with.


@pytest.mark.parametrize("dtype", [*KINDS["f"], *KINDS["c"]])
def test_decompositions(dtype: str) -> None:
    arrays = operands(dtype)
    matrix, positive, x = (opwright.from_dlpack(arrays[it]) for it in ("matrix", "positive", "x"))
    values, vectors = xp.linalg.eigh(positive)
    close: dict[str, Any] = {"rtol": 1e-4, "atol": 1e-3}
    np.testing.assert_allclose((positive @ vectors).numpy(), (vectors * values).numpy(), **close)
    q, r = xp.linalg.qr(matrix)
    np.testing.assert_allclose((q @ r).numpy(), matrix.numpy(), **close)
    u, s, vh = xp.linalg.svd(x, full_matrices=False)
    np.testing.assert_allclose((u * s @ vh).numpy(), x.numpy(), **close)
    assert xp.linalg.svd(x).Vh.shape == (4, 4)
    assert xp.linalg.qr(x.mT, mode="complete").Q.shape == (4, 4)


def test_right_sides_are_vectors_of_one_dimension_alone() -> None:
    matrices = xp.eye(3)[None] * 2 + xp.zeros((3, 3, 3))
    right = xp.asarray(np.arange(9, dtype="float32").reshape(3, 3))
    # A batch of vectors for PyTorch.
    found = xp.linalg.solve(matrices, right)
    np.testing.assert_array_equal(found.numpy(), np.broadcast_to(right.numpy() / 2, (3, 3, 3)))
    assert xp.linalg.solve(matrices, right[0]).shape == (3, 3)


def test_frequencies_have_a_dtype_and_a_device() -> None:
    for name in ("fftfreq", "rfftfreq"):
        found = getattr(xp.fft, name)(6, d=0.5, dtype=xp.float64, device="cpu")
        _check(found, getattr(np.fft, name)(6, d=0.5))


def test_unique_finds_nothing_to_be_nan() -> None:
    x = xp.asarray([float("nan"), 1.0, float("nan"), 1.0])
    found = xp.unique_all(x)
    assert found.values.shape == (3,)
    assert found.counts.tolist() == [2, 1, 1]
    np.testing.assert_array_equal(found.values[found.inverse_indices].numpy(), x.numpy())
    assert found._fields == ("values", "indices", "inverse_indices", "counts")


def test_copies_are_copies() -> None:
    x = xp.ones((2, 3))
    assert xp.reshape(x, (6,), copy=False).data_ptr() == x.data_ptr()
    assert xp.reshape(x, (2, 3), copy=True).data_ptr() != x.data_ptr()
    assert xp.astype(x, xp.float32).data_ptr() != x.data_ptr()
    assert xp.astype(x, xp.float32, copy=False) is x
    assert xp.from_dlpack(x).data_ptr() == x.data_ptr()
    assert xp.from_dlpack(x, copy=False).data_ptr() == x.data_ptr()
    assert xp.from_dlpack(x, copy=True).data_ptr() != x.data_ptr()
    assert xp.from_dlpack(np.ones(2), device="cpu").tolist() == [1, 1]
    with pytest.raises(ValueError, match="a copy is needed"):
        xp.reshape(x.mT, (6,), copy=False)
    with pytest.raises(ValueError, match="share no memory"):
        xp.from_dlpack(x, device="meta", copy=False)


def test_gradients_go_through() -> None:
    x = opwright.tensor([[1.0, 2.0], [3.0, 5.0]], requires_grad=True)
    found = xp.sum(xp.std(xp.concat([x, x], axis=None)) * xp.add(x, 2)) + xp.vecdot(x, x)[0]
    found = found + xp.sum(xp.take(x, xp.asarray([-1]), axis=0)) + xp.linalg.trace(x)
    found = found + xp.sum(xp.cumulative_sum(x, axis=0, include_initial=True))
    found.backward()
    assert x.grad is not None
    assert xp.all(xp.isfinite(x.grad))


# Errors.


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        ("add(1, 2)", TypeError, "at least one operand must be a tensor"),
        ("equal(1, 2)", TypeError, "at least one operand must be a tensor"),
        ("where(x > 0, 1, 2)", TypeError, "at least one operand must be a tensor"),
        ("add(x, 'a')", TypeError, "must be Tensor"),
        ("nonzero(xp.asarray(1))", ValueError, "without dimensions"),
        ("squeeze(x, 0)", ValueError, "more than one element"),
        ("squeeze(x, 5)", IndexError, "out of range"),
        ("take(x, xp.asarray([0]))", ValueError, "needs an 'axis'"),
        ("take(x, xp.asarray([9]), axis=0)", IndexError, "out of bounds"),
        ("cumulative_sum(x)", ValueError, "needs an 'axis'"),
        ("cumulative_prod(xp.asarray(1))", ValueError, "nothing to go along"),
        ("vecdot(x, x, axis=0)", ValueError, "must be negative"),
        ("vecdot(x, x[:, :1])", RuntimeError, "must have the same size"),
        ("linalg.cross(x, x, axis=0)", ValueError, "must be negative"),
        ("linalg.cross(x, x[:, :1])", RuntimeError, "3 elements"),
        ("concat([])", ValueError, "at least one tensor"),
        ("astype(xp.asarray(1j), xp.float32)", TypeError, "two parts"),
        ("max(xp.ones((0,)))", Exception, "max"),
        ("expand_dims(x, 5)", IndexError, "out of range"),
        ("permute_dims(x, (0,))", RuntimeError, "permute"),
        ("broadcast_to(x, (5, 5))", RuntimeError, "expand"),
        ("broadcast_arrays(x, xp.ones((5,)))", RuntimeError, "broadcast"),
        ("reshape(x, (5,))", RuntimeError, "shape"),
        ("arange(0, 1, 0)", Exception, "arange"),
        ("matmul(x, xp.asarray(1))", RuntimeError, "matmul"),
        ("asarray(x, dtype=xp.int8, copy=False)", ValueError, "copy"),
    ],
)
def test_refuses(call: str, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        evaluated(call, xp, {"x": xp.ones((2, 3))})
