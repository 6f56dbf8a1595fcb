"""Numbers beside tensors: compared as what they are, refused where a dtype does not hold them."""

import operator
from collections.abc import Callable
from typing import Any

import opwright
import pytest
from dtypes import INTEGERS
from opwright import Tensor, nn, tensor

F = nn.functional

COMPARISONS = [operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge]

NUMBERS = [-(2**63), -(2**40), -129, -1, 0, 1, 255, 256, 2**31, 2**40, 2**63 - 1, True, False]
NUMBERS += [-1e30, -0.5, 0.5, 1.0, 254.5, 255.0, 256.0, 1e30, float("inf"), -float("inf")]
NUMBERS += [float("nan"), 2.0**53]


def edges(dtype: str) -> list[int]:
    info = opwright.iinfo(getattr(opwright, dtype))
    return sorted({info.min, info.min + 1, 0, 1, info.max - 1, info.max})


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("compare", COMPARISONS)
def test_comparisons_are_mathematical(dtype: str, compare: Callable[[Any, Any], Any]) -> None:
    values = edges(dtype)
    x = tensor(values, dtype=getattr(opwright, dtype))
    function = getattr(opwright, compare.__name__)
    for number in NUMBERS:
        expected = [compare(it, number) for it in values]
        assert compare(x, number).tolist() == expected, number
        assert function(x, number).tolist() == expected, number
        assert getattr(x, compare.__name__)(number).tolist() == expected, number
        assert compare(number, x).tolist() == [compare(number, it) for it in values], number
        out = opwright.empty(0, dtype=opwright.bool)
        assert function(x, number, out=out).tolist() == expected, number
        changed = getattr(x.clone(), compare.__name__ + "_")(number)
        assert changed.bool().tolist() == expected, number
        assert compare(x[2], number).item() == expected[2], number


@pytest.mark.parametrize("compare", COMPARISONS)
def test_comparisons_of_floats_and_integers_are_mathematical(
    compare: Callable[[Any, Any], Any],
) -> None:
    for values, number in [
        ([2.0**24, 2.0**24 + 2], 2**24 + 1),
        ([-(2.0**24)], -(2**24) - 1),
        ([0.5, 1.0], True),
    ]:
        assert compare(tensor(values), number).tolist() == [compare(it, number) for it in values]
    half = tensor([65504.0, float("inf"), -float("inf")], dtype=opwright.float16)
    assert compare(half, 1e6).tolist() == [compare(it, 1e6) for it in half.tolist()]
    assert compare(half, 65505).tolist() == [compare(it, 65505) for it in half.tolist()]
    # A fraction is rounded as the elements were.
    assert (tensor([0.1]) == 0.1).item()
    assert compare(tensor([True, False]), 2).tolist() == [compare(it, 2) for it in (True, False)]


def test_tensors_without_dimensions_are_compared_as_what_they_are() -> None:
    x = tensor([0, 1, 255], dtype=opwright.uint8)
    assert (x < tensor(256)).all()
    assert not (x == tensor(256)).any()


BYTES = tensor([0, 1, 255], dtype=opwright.uint8)
MASK = tensor([True, False, True])
FIRST = tensor([0])

STORED: dict[str, Callable[[Any], Tensor]] = {
    "where": lambda it: opwright.where(MASK, BYTES, it),
    "where, first": lambda it: opwright.where(MASK, it, BYTES),
    "clamp": lambda it: BYTES.clone().clamp_(min=it),
    "clamp_max": lambda it: BYTES.clone().clamp_max_(it),
    "clip": lambda it: BYTES.clone().clip_(it, 255),
    "fill_": lambda it: BYTES.clone().fill_(it),
    "add_": lambda it: BYTES.clone().add_(it),
    "+=": lambda it: operator.iadd(BYTES.clone(), it),
    "*=": lambda it: operator.imul(BYTES.clone(), it),
    "&=": lambda it: operator.iand(BYTES.clone(), it),
    "<<=": lambda it: operator.ilshift(BYTES.clone(), it),
    "//=": lambda it: operator.ifloordiv(BYTES.clone(), it),
    "%=": lambda it: operator.imod(BYTES.clone(), it),
    "copy_": lambda it: BYTES.clone().copy_(it),
    "**": lambda it: BYTES**it,
    "masked_fill": lambda it: BYTES.masked_fill(MASK, it),
    "full": lambda it: opwright.full((2,), it, dtype=opwright.uint8),
    "full, out": lambda it: opwright.full((2,), it, out=opwright.empty(0, dtype=opwright.uint8)),
    "full_like": lambda it: opwright.full_like(BYTES, it),
    "new_full": lambda it: BYTES.new_full((2,), it),
    "pad": lambda it: F.pad(BYTES, (1, 1), value=it),
    "index_fill": lambda it: BYTES.index_fill(0, FIRST, it),
    "scatter": lambda it: BYTES.scatter(0, FIRST, it),
    "scatter, add": lambda it: BYTES.scatter(0, FIRST, it, reduce="add"),
    "setitem": lambda it: assigned(0, it),
    "setitem, mask": lambda it: assigned(MASK, it),
    "setitem, indices": lambda it: assigned(FIRST, it),
    "setitem, slice": lambda it: assigned(slice(1, 3), it),
    "addcmul": lambda it: opwright.addcmul(BYTES, BYTES, BYTES, value=it),
    "alpha": lambda it: opwright.add(BYTES, BYTES, alpha=it),
    "index_add": lambda it: opwright.index_add(BYTES, 0, FIRST, BYTES[:1], alpha=it),
    "addmm": lambda it: opwright.addmm(BYTES[:1], BYTES[None], BYTES[:, None], alpha=it),
    "arange": lambda it: opwright.arange(it, it + 2, dtype=opwright.uint8),
}

PROMOTED = {"where", "where, first", "**"}


def assigned(key: Any, value: Any) -> Tensor:
    x = BYTES.clone()
    x[key] = value
    return x


@pytest.mark.parametrize("name", STORED)
@pytest.mark.parametrize("number", [300, 256, -1, -5, 2.5, float("nan"), 2**40])
def test_numbers_that_are_not_held_are_refused(name: str, number: float) -> None:
    call = STORED[name]
    call(1)
    if name in PROMOTED and isinstance(number, float):
        assert call(number).dtype == opwright.float32
        return
    if name == "arange" and number == 2.5:
        return
    with pytest.raises((RuntimeError, IndexError, TypeError, NotImplementedError)):
        call(number)
    assert BYTES.tolist() == [0, 1, 255]


def test_numbers_that_are_held_are_taken() -> None:
    assert BYTES.clone().fill_(3.0).tolist() == [3, 3, 3]
    assert opwright.arange(0, 256, dtype=opwright.uint8)[-1].item() == 255
    assert (BYTES + 255).tolist() == [255, 0, 254]
    # What promotion makes of a number stays promotion.
    assert (BYTES + 300).tolist() == [44, 45, 43]
    assert (BYTES + -1).tolist() == [255, 0, 254]
    assert opwright.full((1,), 2, dtype=opwright.bool).tolist() == [True]
    assert tensor([2.5], dtype=opwright.int8).tolist() == [2]


def test_messages_name_the_fraction() -> None:
    with pytest.raises(RuntimeError, match=r"value 3\.14 .* fraction"):
        BYTES.clone().fill_(3.14)


def test_floats_beyond_halves() -> None:
    half = tensor([1.0], dtype=opwright.float16)
    assert (half + 1e6).isinf().all()
    with pytest.raises(RuntimeError, match="float16"):
        opwright.where(tensor([True]), half, 1e6)


def test_graphs_follow_the_rule() -> None:
    x = opwright.TensorType("uint8", (None,))("x")
    for compared in (x < 256, (x < 256) & (x > -1)):
        assert opwright.function([x], compared)(BYTES).tolist() == [True, True, True]
    with pytest.raises(RuntimeError, match="uint8"):
        opwright.function([x], opwright.where(x > 0, x, 300))
