"""Unsigned integers where they differ from other integers, with numpy as the oracle."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import opwright
import pytest
from dtypes import ALL, INTEGERS, ORDERED
from layouts import dtype_of, numbers

UNSIGNED = ["uint8", "uint16", "uint32", "uint64"]


def native(name: str) -> opwright.dtype:
    found = getattr(opwright, name)
    assert isinstance(found, opwright.dtype)
    return found


def extremes(dtype: str) -> Any:
    """Numbers at both ends of the range, and between them."""
    top = np.iinfo(dtype).max
    return np.array([0, 1, 2, 3, top // 2, top // 2 + 1, top - 1, top], dtype)


def same(tensor: Any, array: Any) -> None:
    assert dtype_of(tensor) == str(array.dtype)
    np.testing.assert_array_equal(tensor.numpy(), array)


@pytest.mark.parametrize("a", INTEGERS)
def test_promotion_of_integers_is_that_of_the_array_api(a: str) -> None:
    for b in INTEGERS:
        expected = np.promote_types(a, b)
        if expected.kind == "f":
            with pytest.raises(RuntimeError, match="no integer dtype holds the values of both"):
                opwright.promote_types(native(a), native(b))
            with pytest.raises(RuntimeError, match="no integer dtype holds the values of both"):
                opwright.ones(2, dtype=native(a)) + opwright.ones(2, dtype=native(b))
            continue
        assert opwright.promote_types(native(a), native(b)) is native(str(expected))
        total = opwright.ones(2, dtype=native(a)) + opwright.ones(2, dtype=native(b))
        assert total.dtype is native(str(expected))


@pytest.mark.parametrize("dtype", UNSIGNED)
def test_what_is_higher_and_what_yields(dtype: str) -> None:
    ones = opwright.ones(2, dtype=native(dtype))
    for other in ("float16", "bfloat16", "float32", "float64", "complex64", "complex128"):
        higher = "float32" if dtype == "uint64" and other.endswith("float16") else other
        assert opwright.promote_types(native(dtype), native(other)) is native(higher)
    assert opwright.promote_types(native(dtype), opwright.bool) is native(dtype)
    assert (ones + 1).dtype is (ones + opwright.tensor(-1)).dtype is native(dtype)
    assert (ones * 0.5).dtype is (ones / ones).dtype is opwright.float32
    assert ones.sum().dtype is ones.cumsum(0).dtype is opwright.int64


@pytest.mark.filterwarnings("ignore:Casting complex")
@pytest.mark.parametrize("dtype", UNSIGNED)
@pytest.mark.parametrize("other", ALL)
def test_casts_in_both_directions(dtype: str, other: str, rng: np.random.Generator) -> None:
    for array in (extremes(dtype), numbers(rng, other, (7,))):
        there, back = (other, dtype) if array.dtype == dtype else (dtype, other)
        if there in UNSIGNED and array.dtype.kind in "fc":
            # What C does not define is done by way of `int64`.
            expected = array.real.astype("int64").astype(there)
        else:
            with np.errstate(all="ignore"):
                expected = array.astype(there)
        cast = opwright.from_numpy(array).to(native(there))
        same(cast, expected)
        assert dtype_of(cast.to(native(back))) == back


OPERATORS: list[Callable[[Any, Any], Any]] = [
    operator.add,
    operator.sub,
    operator.mul,
    operator.floordiv,
    operator.mod,
    operator.and_,
    operator.or_,
    operator.xor,
    operator.lt,
    operator.ge,
    operator.eq,
]


@pytest.mark.parametrize("dtype", UNSIGNED)
@pytest.mark.parametrize("call", OPERATORS)
def test_arithmetic_wraps(call: Callable[[Any, Any], Any], dtype: str) -> None:
    a = extremes(dtype)
    for b in (np.roll(a, 1), np.flip(a), np.array(3, dtype)):
        by_zero = call in (operator.floordiv, operator.mod)
        b = np.where(b == 0, np.array(5, dtype), b) if by_zero else b
        with np.errstate(over="ignore"):
            expected = call(a, b)
        same(call(opwright.from_numpy(a), opwright.from_numpy(b)), np.asarray(expected))


@pytest.mark.parametrize("dtype", UNSIGNED)
def test_signs_bits_and_shifts(dtype: str) -> None:
    array = extremes(dtype)
    tensor = opwright.from_numpy(array)
    same(-tensor, np.negative(array))
    same(~tensor, np.invert(array))
    same(abs(tensor), array)
    same(tensor.sign(), np.sign(array))
    same(tensor.square(), array * array)
    assert not tensor.signbit().any()
    assert not tensor.is_signed()
    bits = array.dtype.itemsize * 8
    for count in (0, 1, bits - 1, bits, 100):
        by = np.array(count, dtype)
        same(tensor << count, np.left_shift(array, by))
        same(tensor >> count, np.right_shift(array, by))
    same(tensor**2, array**2)
    same(opwright.clamp(tensor, 2, 100), np.clip(array, 2, 100))
    same(opwright.maximum(tensor, tensor.flip(0)), np.maximum(array, np.flip(array)))
    same(opwright.gcd(tensor, opwright.tensor(6)), np.gcd(array, np.array(6, dtype)))


@pytest.mark.parametrize("dtype", UNSIGNED)
def test_reductions_order_and_products(dtype: str) -> None:
    array = np.roll(extremes(dtype), 3).reshape(2, 4)
    tensor = opwright.from_numpy(array)
    assert tensor.sum().item() == array.sum(dtype=np.int64)
    assert (tensor.max().item(), tensor.min().item()) == (array.max(), array.min())
    assert tensor.argmax().item() == array.argmax()
    assert tensor.float().mean().item() == pytest.approx(array.mean(), rel=1e-6)
    assert tensor.amax(0).tolist() == array.max(0).tolist()
    assert tensor.cummax(1).values.tolist() == np.maximum.accumulate(array, 1).tolist()
    same(tensor.sum(1, dtype=native(dtype)), array.sum(1, dtype=dtype))
    same(tensor.cumsum(1, dtype=native(dtype)), array.cumsum(1, dtype=dtype))
    for descending in (False, True):
        order = np.sort(array, 1)
        same(tensor.sort(1, descending).values, np.flip(order, 1) if descending else order)
    same(opwright.unique_consecutive(tensor), array.ravel())
    same(tensor @ tensor.T, array @ array.T)
    bounds = opwright.from_numpy(np.sort(array.ravel()))
    assert (
        opwright.searchsorted(bounds, tensor).tolist()
        == np.searchsorted(np.sort(array.ravel()), array).tolist()
    )


@pytest.mark.parametrize("dtype", UNSIGNED)
def test_numbers_that_do_not_fit_are_refused(dtype: str) -> None:
    info = opwright.iinfo(native(dtype))
    assert (info.min, info.max, info.bits) == (0, np.iinfo(dtype).max, np.iinfo(dtype).bits)
    assert repr(info) == f"iinfo(min=0, max={info.max}, dtype={dtype})"
    kept = opwright.tensor([0, info.max], dtype=native(dtype))
    assert kept.tolist() == [0, info.max]
    assert repr(kept).endswith(f"{info.max}], dtype={dtype}, shape=(2,))")
    message = f"value cannot be converted to type {dtype}_t without overflow"
    with pytest.raises(RuntimeError, match=message):
        opwright.tensor([info.max + 1], dtype=native(dtype))
    with pytest.raises(RuntimeError, match=message):
        kept.fill_(-1)
    assert kept.tolist() == [0, info.max]
    with pytest.raises(RuntimeError, match="unsigned"):
        opwright.nn.functional.hardtanh(kept)


def test_numbers_beside_uint64_are_compared_as_what_they_are() -> None:
    array = extremes("uint64")
    tensor = opwright.from_numpy(array)
    assert (tensor > -1).all()
    assert not (tensor == -1).any()
    assert (tensor < 2.0**65).all()
    same(tensor >= 2.0**63, array >= 1 << 63)
    same(tensor == 2.0**63, array == 1 << 63)
    same(tensor > 2, array > 2)
    same(tensor > opwright.tensor(2.5), array > 2)
    places = opwright.searchsorted(tensor, 2.0**63), opwright.searchsorted(tensor, 1e30)
    assert [it.item() for it in places] == [5, 8]
    assert int(tensor[-1]) == tensor[-1].item() == tensor.max().item() == 2**64 - 1
    assert float(tensor[-1]) == 2.0**64
    assert opwright.tensor(array[-1]).item() == 2**64 - 1
    same(
        opwright.tensor([1e19], dtype=opwright.float64).to(opwright.uint64),
        np.array([10**19], "uint64"),
    )
    with pytest.raises(RuntimeError, match="without overflow"):
        tensor + 2**63
    # No dtype holds both operands, though one of them yields.
    for one, other in [(tensor, opwright.tensor(1)), (opwright.tensor([1]), tensor[0])]:
        with pytest.raises(RuntimeError, match="no integer dtype holds the values of both"):
            operator.eq(one, other)
        assert (one + other).dtype == one.dtype


def test_numbers_of_numpy_that_no_integer_dtype_holds_are_float64() -> None:
    for data in [[np.uint64(1 << 63), np.int64(-1)], [np.uint64(3), -1]]:
        made = opwright.tensor(data)
        assert made.dtype == opwright.float64
        assert made.tolist() == [float(data[0]), -1.0]
    assert opwright.tensor([np.uint64(3), 2], dtype=opwright.uint64).tolist() == [3, 2]
    with pytest.raises(RuntimeError, match="no integer dtype holds the values of both"):
        opwright.vander(opwright.tensor([1, 2], dtype=opwright.uint64))


@pytest.mark.parametrize("dtype", UNSIGNED)
def test_memory_is_shared_both_ways(dtype: str) -> None:
    array = extremes(dtype)
    tensor = opwright.from_numpy(array)
    assert tensor.dtype is native(dtype)
    assert tensor.data_ptr() == array.ctypes.data
    view = np.asarray(tensor)
    assert (view.dtype, view.ctypes.data) == (array.dtype, array.ctypes.data)
    assert memoryview(tensor).format == memoryview(array).format
    taken = np.from_dlpack(tensor)
    assert (taken.dtype, taken.ctypes.data) == (array.dtype, array.ctypes.data)
    same(opwright.from_dlpack(array), array)
    same(opwright.frombuffer(array.tobytes(), dtype=native(dtype)), array)
    same(tensor.view(opwright.uint8), array.view("uint8"))
    assert opwright.zeros(1, dtype=np.dtype(dtype)).dtype is native(dtype)
    assert opwright.tensor(array[-1]).dtype is native(dtype)


@pytest.mark.parametrize("dtype", UNSIGNED)
def test_random_numbers_stay_in_range(dtype: str) -> None:
    top = int(np.iinfo(dtype).max)
    drawn = opwright.empty(4096, dtype=native(dtype)).random_()
    assert drawn.max().item() > top * 0.9
    assert drawn.min().item() < top * 0.1
    # Arguments are integers of 64 bits with a sign.
    top = min(top, 2**62)
    drawn = opwright.randint(top - 1, top + 1, (64,), dtype=native(dtype))
    assert set(drawn.tolist()) == {top - 1, top}
    low, high = (0, top + 2) if dtype != "uint64" else (-1, 2)
    with pytest.raises(RuntimeError, match="out of bounds"):
        opwright.randint(low, high, (1,), dtype=native(dtype))


@pytest.mark.parametrize("dtype", UNSIGNED)
def test_ranges_masks_and_places(dtype: str) -> None:
    same(opwright.arange(2, 20, 3, dtype=native(dtype)), np.arange(2, 20, 3, dtype))
    array = extremes(dtype)
    tensor = opwright.from_numpy(array.copy())
    same(tensor[tensor > 2], array[array > 2])
    same(tensor[opwright.tensor([3, 0])], array[[3, 0]])
    same(opwright.where(tensor > 2, tensor, 7), np.where(array > 2, array, np.array(7, dtype)))
    same(tensor.index_add(0, opwright.tensor([0]), tensor[-1:]), array + (array == 0) * array[-1])
    assert opwright.arange(8)[tensor[2].item()].item() == 2
    counts = opwright.bincount(opwright.tensor([1, 1, 3], dtype=native(dtype)))
    assert counts.tolist() == [0, 2, 0, 1]
    for other in ORDERED:
        assert opwright.can_cast(native(dtype), native(other)) == (other != "bool")
