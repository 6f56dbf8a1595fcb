"""Format specifications: `f"{x:.2f}"`."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import hypothesis.strategies as st
import opwright
import pytest
from dtypes import COMPLEX, DTYPES, FLOATS, INTEGERS
from hypothesis import given

OPTIONS: dict[str, Any] = {"threshold": 1000, "edgeitems": 3, "linewidth": 80, "precision": 4}

shapes = st.lists(st.integers(0, 7), max_size=5)


@pytest.fixture(autouse=True)
def _default_options() -> Iterator[None]:
    yield
    opwright.set_printoptions(**OPTIONS)


@pytest.mark.parametrize("dtype", DTYPES)
def test_a_number_is_formatted_as_that_of_python(dtype: str) -> None:
    x = opwright.tensor(1, dtype=getattr(opwright, dtype))
    for spec in ["", ".2f", "10.3e", "+", ">8", "010.1f"]:
        if dtype in COMPLEX and spec.startswith("0"):
            continue
        assert format(x, spec) == format(x.item(), spec)
    assert f"{x}" == str(x.item())
    assert f"{x!r:>60}" == repr(x).rjust(60)


@pytest.mark.parametrize("dtype", [*FLOATS, "bfloat16", *COMPLEX])
def test_each_element_is_formatted(dtype: str) -> None:
    x = opwright.tensor([1.0, -2.25], dtype=getattr(opwright, dtype))
    first, second = (format(it, ".1f") for it in x.tolist())
    width = max(len(first), len(second))
    elements = f"[{first:>{width}}, {second:>{width}}]"
    assert f"{x:.1f}" == f"tensor({elements}, dtype={dtype}, shape=(2,))"
    assert f"{x}" == str(x)


@pytest.mark.parametrize(
    ("data", "spec", "text"),
    [
        ([1.0, -2.25], ".1f", "tensor([ 1.0, -2.2], dtype=float32, shape=(2,))"),
        ([0.5, 0.25], ".0%", "tensor([50%, 25%], dtype=float32, shape=(2,))"),
        ([10, 255], "x", "tensor([ a, ff], dtype=int64, shape=(2,))"),
        ([1000000, 1], ",", "tensor([1,000,000,         1], dtype=int64, shape=(2,))"),
        ([True, False], "d", "tensor([1, 0], dtype=bool, shape=(2,))"),
        ([math.nan, -math.inf], ".2f", "tensor([ nan, -inf], dtype=float32, shape=(2,))"),
        ([[1.0], [2.0]], ".1f", "tensor([[1.0],\n        [2.0]], dtype=float32, shape=(2, 1))"),
    ],
)
def test_what_is_shown(data: Any, spec: str, text: str) -> None:
    assert format(opwright.tensor(data), spec) == text


@given(shapes, st.sampled_from(INTEGERS), st.sampled_from([0, 1, 9, 1000]), st.integers(0, 4))
def test_the_layout_is_that_of_repr(
    shape: list[int], dtype: str, threshold: int, edgeitems: int
) -> None:
    count = math.prod(shape)
    x = opwright.arange(count).reshape(shape).to(getattr(opwright, dtype))
    try:
        for linewidth in (20, 80):
            opwright.set_printoptions(threshold=threshold, edgeitems=edgeitems, linewidth=linewidth)
            assert format(x, "d") == (repr(x) if shape else str(x.item()))
    finally:
        opwright.set_printoptions(**OPTIONS)


@pytest.mark.parametrize("profile", ["short", "full", "default"])
def test_profiles_lay_out_alike(profile: str) -> None:
    opwright.set_printoptions(profile=profile)
    for shape in ([2000], [40, 60], [7] * 5):
        x = opwright.arange(math.prod(shape)).reshape(shape)
        assert f"{x:d}" == repr(x)


def test_a_huge_tensor_is_formatted_in_part() -> None:
    x = opwright.zeros(1).expand(10**12)
    assert f"{x:.1f}".startswith("tensor([0.0, 0.0, 0.0, ..., 0.0, 0.0, 0.0],\n")
    for shape in ([2] * 20, [10**6, 1, 10**6]):
        x = opwright.zeros(1, dtype=opwright.int64).expand(shape)
        assert f"{x:d}" == repr(x)


def test_gradients_and_classes_are_shown_as_by_repr() -> None:
    class Image(opwright.Tensor):
        pass

    leaf = opwright.tensor([0.5], requires_grad=True)
    for x in (leaf, leaf / 2, opwright.nn.Parameter([0.5]), Image([0.5])):
        assert f"{x}" == repr(x)
        assert f"{x:.3f}".replace("00]", "]").replace("50]", "5]") == repr(x)


def test_overrides_are_not_asked() -> None:
    class Silent(opwright.Tensor):
        @classmethod
        def __opwright_function__(cls, *args: Any, **kwargs: Any) -> Any:
            raise AssertionError("a format is no call")

    assert f"{Silent([1.5, 2.5]):.1f}" == "Silent([1.5, 2.5], dtype=float32, shape=(2,))"


def test_meta_tensors_have_no_elements_to_format() -> None:
    for x in (opwright.empty(2, 3, device="meta"), opwright.empty((), device="meta")):
        assert f"{x:.2f}" == f"{x}" == repr(x)
        with pytest.raises(ValueError, match="`d` does not format elements of `float32`"):
            format(x, "d")


@pytest.mark.parametrize("shape", [(), (0,), (2,), (2, 3)])
def test_a_wrong_specification_is_named(shape: tuple[int, ...]) -> None:
    for dtype, spec in [("float32", "d"), ("int64", "q"), ("bool", "..2f"), ("complex64", "%")]:
        x = opwright.zeros(shape, dtype=getattr(opwright, dtype))
        with pytest.raises(ValueError, match=f"`{spec}` does not format elements of `{dtype}`"):
            format(x, spec)


def test_an_element_that_a_specification_does_not_take_is_an_error() -> None:
    assert f"{opwright.tensor([79, 75]):c}" == "tensor([O, K], dtype=int64, shape=(2,))"
    with pytest.raises(ValueError, match="`c` does not format elements of `int64`"):
        format(opwright.tensor([79, -1]), "c")
