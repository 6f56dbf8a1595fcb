"""Tensors from Python objects: `tensor`, `as_tensor`, `asarray`, `frombuffer`."""

from __future__ import annotations

import array
import collections
import ctypes
import fractions
import math
from typing import Any

import hypothesis.extra.numpy as hnp
import numpy as np
import opwright
import pytest
from dtypes import DTYPES
from hypothesis import given


@pytest.mark.parametrize(
    ("data", "dtype"),
    [
        (True, opwright.bool),
        (1, opwright.int64),
        (1.5, opwright.float32),
        (1j, opwright.complex64),
        ([True, 2], opwright.int64),
        ([True, 2.0], opwright.float32),
        ([1, 2.0, 3j], opwright.complex64),
        ([[True], [False]], opwright.bool),
        ([], opwright.float32),
        ([[], []], opwright.float32),
        (np.float64(1), opwright.float64),
        (np.float16(1), opwright.float16),
        (np.int8(1), opwright.int8),
        (np.bool_(True), opwright.bool),
        (np.uint64(1), opwright.uint64),
        ([np.float64(1), 2], opwright.float64),
        ([np.int8(1), np.int16(2)], opwright.int16),
        ([opwright.tensor(1.0, dtype=opwright.float64), 2], opwright.float64),
        ([np.array([1, 2], np.int32), [3, 4]], opwright.int64),
    ],
)
def test_the_elements_decide_about_the_dtype(data: Any, dtype: opwright.dtype) -> None:
    assert opwright.tensor(data).dtype is dtype


def test_floats_have_the_default_dtype() -> None:
    opwright.set_default_dtype(opwright.float64)
    try:
        assert opwright.get_default_dtype() is opwright.float64
        assert opwright.tensor(1.5).dtype is opwright.float64
        assert opwright.tensor(1j).dtype is opwright.complex128
        assert opwright.tensor([]).dtype is opwright.float64
    finally:
        opwright.set_default_dtype(opwright.float32)
    with pytest.raises(TypeError, match="floating"):
        opwright.set_default_dtype(opwright.int32)


@pytest.mark.parametrize(
    ("data", "shape"),
    [
        (5, ()),
        ([], (0,)),
        ([[], []], (2, 0)),
        ([[[]]], (1, 1, 0)),
        ([[1, 2, 3]], (1, 3)),
        (((1, 2), (3, 4), (5, 6)), (3, 2)),
        (range(4), (4,)),
        ([range(2), (3, 4)], (2, 2)),
        (collections.deque([1, 2]), (2,)),
        ([np.zeros((2, 3)), np.ones((2, 3))], (2, 2, 3)),
        ([np.zeros((0, 3))], (1, 0, 3)),
        ([[opwright.tensor(1.0), 2.0]], (1, 2)),
    ],
)
def test_the_nesting_decides_about_the_shape(data: Any, shape: tuple[int, ...]) -> None:
    assert opwright.tensor(data).shape == shape


@given(hnp.arrays(np.int64, hnp.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=3)))
def test_lists_of_numpy_come_back(values: np.ndarray[Any, Any]) -> None:
    tensor = opwright.tensor(values.tolist(), dtype=opwright.int64)
    # A list cannot tell what is behind an empty dimension.
    if values.size:
        np.testing.assert_array_equal(tensor.numpy(), values)
    assert tensor.tolist() == values.tolist()


@pytest.mark.parametrize("dtype", DTYPES)
def test_numbers_are_cast(dtype: str) -> None:
    tensor = opwright.tensor([[1, 0], [1.0, True]], dtype=getattr(opwright, dtype))
    assert tensor.dtype is getattr(opwright, dtype)
    assert tensor.tolist() == [[1, 0], [1, 1]]


def test_python_types_stand_for_dtypes() -> None:
    assert opwright.tensor(1, dtype=float).dtype is opwright.float64
    assert opwright.tensor(1.5, dtype=int).item() == 1
    assert opwright.tensor(2, dtype=bool).item() is True
    assert opwright.tensor(2, dtype=complex).dtype is opwright.complex128


@pytest.mark.parametrize(
    ("data", "error", "says"),
    [
        ([[1, 2], [3]], ValueError, r"tensor\(\): the element at \[1\] has length 1.*length 2"),
        ([[1], 2], ValueError, r"the element at \[1\] is a number"),
        ([1, [2]], ValueError, r"the element at \[1\] is a sequence"),
        ([[], [1]], ValueError, r"the element at \[1\] has length 1.*length 0"),
        ([[[1, 2]], [[3], [4]]], ValueError, r"the element at \[1\] has length 2.*length 1"),
        (
            [[1, 2], np.zeros((2, 2))],
            ValueError,
            r"the element at \[1\] has another shape|sequence",
        ),
        ([1, "a"], TypeError, r"the element at \[1\] is of type str"),
        ("text", TypeError, r"of type str"),
        (b"bytes", TypeError, r"of type bytes"),
        (None, TypeError, r"type None"),
        ([[None]], TypeError, r"the element at \[0\]\[0\] is of type None"),
        ({1: 2}, TypeError, r"of type dict"),
        ({1, 2}, TypeError, r"of type set"),
        (object(), TypeError, r"of type object"),
        (iter([1]), TypeError, r"list_iterator"),
        (fractions.Fraction(1, 2), TypeError, r"Fraction"),
        (2**63, ValueError, r"64 bits"),
        ([0, -(2**63) - 1], ValueError, r"the element at \[1\]: .*64 bits"),
        (np.array(["a"]), TypeError, r"<U1; the supported types are bool, uint8"),
        (np.array([1], ">i4"), TypeError, r">i4"),
        (np.array(["2020-01-01"], "M8[D]"), TypeError, r"datetime64"),
        (np.array([object()]), TypeError, r"object"),
    ],
)
def test_what_is_no_data_is_refused(data: Any, error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        opwright.tensor(data)


@pytest.mark.parametrize(
    ("value", "dtype", "error"),
    [
        (300, opwright.uint8, RuntimeError),
        (-129, opwright.int8, RuntimeError),
        (1e30, opwright.int64, RuntimeError),
        (math.nan, opwright.int32, RuntimeError),
        (math.inf, opwright.int64, RuntimeError),
        (1j, opwright.float32, TypeError),
        (2**64, opwright.int64, ValueError),
        (10**400, opwright.float64, OverflowError),
    ],
)
def test_numbers_that_do_not_fit_are_refused(
    value: Any, dtype: opwright.dtype, error: type[Exception]
) -> None:
    with pytest.raises(error, match=r"tensor\(\): the element at \[1\]"):
        opwright.tensor([0, value], dtype=dtype)


def test_large_floats_become_infinite() -> None:
    assert opwright.tensor([1e300, -1e300]).tolist() == [math.inf, -math.inf]
    assert opwright.tensor(2**70, dtype=opwright.float64).item() == float(2**70)


def test_a_list_that_contains_itself_is_refused() -> None:
    endless: list[Any] = []
    endless.append(endless)
    with pytest.raises(ValueError, match="deeper"):
        opwright.tensor(endless)


def test_a_list_that_changes_meanwhile_is_refused() -> None:
    data: list[Any] = [0, 0, 0]

    class Shrinks:
        def __len__(self) -> int:
            return 1

        def __getitem__(self, index: int) -> int:
            data.clear()
            return 1

    data[:] = [[0], Shrinks(), [0]]
    with pytest.raises(RuntimeError, match="changed"):
        opwright.tensor(data)


def test_exceptions_of_a_sequence_come_through() -> None:
    class Broken:
        def __len__(self) -> int:
            return 2

        def __getitem__(self, index: int) -> int:
            raise LookupError("broken")

    with pytest.raises(LookupError, match="broken"):
        opwright.tensor(Broken())


def test_tensor_never_shares() -> None:
    values = np.ones(3)
    first = opwright.tensor(values)
    second = opwright.tensor(first)
    values[0] = first[1] = 5
    assert first.tolist() == [1, 5, 1]
    assert second.tolist() == [1, 1, 1]


def test_as_tensor_shares_what_it_can() -> None:
    values = np.ones(3)
    tensor = opwright.as_tensor(values)
    values[0] = 5
    assert tensor.tolist() == [5, 1, 1]
    assert opwright.as_tensor(tensor) is tensor
    assert opwright.as_tensor(tensor, dtype=tensor.dtype, device="cpu") is tensor
    assert opwright.as_tensor(tensor, opwright.int32).tolist() == [5, 1, 1]
    values.flags.writeable = False
    copied = opwright.as_tensor(values)
    copied[0] = 7
    assert values[0] == 5


def test_asarray_copies_as_it_is_told() -> None:
    values = np.ones(3)
    assert opwright.asarray(values, copy=False).data_ptr() == values.ctypes.data
    assert opwright.asarray(values).data_ptr() == values.ctypes.data
    assert opwright.asarray(values, copy=True).data_ptr() != values.ctypes.data
    for refused in ([1, 2], np.ones(3).astype(np.float32)):
        with pytest.raises(ValueError, match="copy=False"):
            opwright.asarray(refused, dtype=opwright.float64, copy=False)


def test_asarray_is_recorded_only_where_it_says_so() -> None:
    x = opwright.ones(3, requires_grad=True)
    for recorded in (x, x * 2):
        array = opwright.asarray(recorded)
        assert not array.requires_grad
        assert array.data_ptr() == recorded.data_ptr()
        assert not opwright.asarray(recorded, copy=True).requires_grad
        assert opwright.asarray(recorded, requires_grad=True).requires_grad
    assert opwright.as_tensor(x) is x


LENT = {
    "array.array": array.array("d", [1, 2]),
    "memoryview": memoryview(array.array("h", [1, 2])),
    "bytearray": bytearray(b"\x01\x02"),
    "ctypes": (ctypes.c_int * 2)(1, 2),
}


@pytest.mark.parametrize("name", LENT)
def test_memory_that_others_lend_is_shared(name: str) -> None:
    memory = LENT[name]
    tensor = opwright.asarray(memory, copy=False)
    assert tensor.tolist() == [1, 2]
    assert tensor.numpy().dtype == np.asarray(memory).dtype
    copy = opwright.asarray(memory, copy=True)
    tensor[0] = 7
    assert memory[0] == 7
    assert (copy.dtype, copy.tolist()) == (tensor.dtype, [1, 2])


def test_memory_that_must_not_be_written_to_is_copied() -> None:
    tensor = opwright.asarray(memoryview(b"\x01\x02"))
    assert (tensor.dtype, tensor.tolist()) == (opwright.uint8, [1, 2])
    with pytest.raises(ValueError, match="copy=False"):
        opwright.asarray(memoryview(b"ab"), copy=False)


def test_a_storage_is_its_elements() -> None:
    x = opwright.tensor([1.0, 2.0], dtype=opwright.float64)
    for make in (opwright.tensor, opwright.asarray):
        assert make(x.storage()).tolist() == [1, 2]
        assert make(x.untyped_storage(), dtype=opwright.float64).tolist() == [1, 2]
        assert make(x.storage(), dtype=opwright.float32).dtype is opwright.float32
        assert make(x.float().untyped_storage()).tolist() == [1, 2]
        with pytest.raises(ValueError, match="no whole number of float32"):
            make(opwright.UntypedStorage(5))
    assert opwright.asarray(x.storage()).data_ptr() == x.data_ptr()
    assert opwright.tensor(x.storage()).data_ptr() != x.data_ptr()


def test_objects_with_an_array_are_data() -> None:
    class Measured:
        def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
            return np.array([[1.5, 2.5]])

    tensor = opwright.tensor(Measured())
    assert tensor.tolist() == [[1.5, 2.5]]
    assert tensor.dtype is opwright.float64


def test_frombuffer_reads_bytes() -> None:
    memory = bytearray(8)
    tensor = opwright.frombuffer(memory, dtype=opwright.int16)
    tensor[0] = 0x0102
    assert memory[:2] in (b"\x01\x02", b"\x02\x01")
    assert opwright.frombuffer(memory, dtype=opwright.uint8, count=2, offset=3).shape == (2,)
    assert opwright.frombuffer(b"ab", dtype=opwright.uint8).tolist() == [97, 98]
    assert opwright.frombuffer(array.array("d", [1.5]), dtype=opwright.float64).item() == 1.5


@pytest.mark.parametrize(
    ("memory", "keywords"), [(b"", {}), (bytes(8), {"count": 0}), (bytes(8), {"offset": 8})]
)
def test_frombuffer_refuses_to_read_nothing(memory: bytes, keywords: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"no bytes to read|'count' must be"):
        opwright.frombuffer(memory, dtype=opwright.float32, **keywords)


@pytest.mark.parametrize(
    ("keywords", "says"),
    [
        ({"dtype": opwright.int16}, "7 bytes are not a whole number"),
        ({"dtype": opwright.uint8, "offset": 8}, "offset 8"),
        ({"dtype": opwright.uint8, "offset": -1}, "offset -1"),
        ({"dtype": opwright.uint8, "count": 8}, "too few"),
        ({"dtype": opwright.int16, "offset": 1, "count": 1}, "aligned"),
    ],
)
def test_frombuffer_stays_within_bounds(keywords: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        opwright.frombuffer(bytearray(7), **keywords)


def test_frombuffer_wants_a_buffer() -> None:
    with pytest.raises(TypeError, match="list"):
        opwright.frombuffer([1], dtype=opwright.uint8)
    with pytest.raises(TypeError, match="dtype"):
        opwright.frombuffer(b"a")


def test_devices() -> None:
    assert opwright.tensor([[1, 2]], device="meta").shape == (1, 2)
    assert opwright.tensor([1], device=opwright.device("cpu")).device.type == "cpu"
    with pytest.raises(RuntimeError, match="tpu"):
        opwright.tensor([1], device="tpu")


def test_there_is_no_memory_to_pin() -> None:
    assert opwright.tensor([1.0], pin_memory=False).item() == 1
    assert opwright.tensor([1.0], pin_memory=None).item() == 1
    with pytest.raises(RuntimeError, match="pin_memory"):
        opwright.tensor([1.0], pin_memory=True)


def test_leaves_can_require_gradients_from_the_start() -> None:
    assert opwright.tensor([1.0], requires_grad=True).requires_grad
    assert opwright.zeros(2, requires_grad=True).is_leaf
    assert not opwright.tensor([1.0], requires_grad=None).requires_grad
    with pytest.raises(RuntimeError, match="floating-point"):
        opwright.tensor([1], requires_grad=True)


def test_wrong_arguments_name_the_function() -> None:
    with pytest.raises(TypeError, match=r"tensor\(\) missing 1 required argument: 'data'"):
        opwright.tensor()
    with pytest.raises(TypeError, match=r"tensor\(\) got an unexpected keyword argument 'dtyp'"):
        opwright.tensor([1], dtyp=opwright.int8)
    with pytest.raises(TypeError, match=r"tensor\(\).*'dtype'.*not str"):
        opwright.tensor([1], dtype="float33")


def test_too_much_is_an_exception() -> None:
    endless = opwright.zeros(1).expand(10**15)
    for build in (opwright.tensor, lambda it: opwright.tensor([it])):
        with pytest.raises(MemoryError):
            build(endless)
