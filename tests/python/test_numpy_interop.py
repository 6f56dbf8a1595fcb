"""Memory that tensors share with numpy and other buffers."""

from __future__ import annotations

import gc
import operator
import sys
import weakref
from typing import Any

import hypothesis.extra.numpy as hnp
import hypothesis.strategies as st
import numpy as np
import opwright
import pytest
from dtypes import ALL
from hypothesis import given


def strided_arrays() -> st.SearchStrategy[np.ndarray[Any, Any]]:
    """Arrays of any dtype, sliced and transposed: also backwards, empty, without dimensions."""

    @st.composite
    def make(draw: st.DrawFn) -> np.ndarray[Any, Any]:
        dtype = draw(st.sampled_from(ALL))
        shape = draw(hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=5))
        array = np.arange(np.prod(shape, dtype=int)).reshape(shape).astype(dtype)
        array = array[(*(draw(st.slices(size)) for size in shape), ...)]
        return array.transpose(draw(st.permutations(range(array.ndim))))

    return make()


@given(strided_arrays())
def test_from_numpy_sees_the_array(array: np.ndarray[Any, Any]) -> None:
    tensor = opwright.from_numpy(array)
    assert tensor.shape == array.shape
    assert str(tensor.dtype) == f"opwright.{array.dtype}"
    assert tensor.tolist() == array.tolist()
    if array.size:
        assert tensor.data_ptr() == array.__array_interface__["data"][0]


@given(strided_arrays())
def test_there_and_back_is_the_same_memory(array: np.ndarray[Any, Any]) -> None:
    back = opwright.from_numpy(array).numpy()
    assert back.dtype == array.dtype
    assert back.dtype.type is array.dtype.type
    assert back.shape == array.shape
    np.testing.assert_array_equal(back, array)
    assert array.size == 0 or np.shares_memory(back, array)


@pytest.mark.parametrize("dtype", ALL)
def test_writing_is_seen_on_the_other_side(dtype: str) -> None:
    array = np.zeros((2, 3), dtype)
    tensor = opwright.from_numpy(array)
    tensor[1, 2] = 1
    array[0, 0] = 1
    assert array[1, 2] == 1
    assert tensor[0, 0].item() == 1


def test_asarray_and_array() -> None:
    tensor = opwright.tensor([[1.0, 2.0], [3.0, 4.0]])
    shared = np.asarray(tensor)
    shared[0, 0] = 9
    assert tensor[0, 0].item() == 9
    assert not np.shares_memory(np.array(tensor), shared)
    assert np.asarray(tensor, dtype=np.float64).dtype == np.float64
    assert np.asarray(tensor.T).strides == (4, 8)
    assert np.asarray(tensor[0, 0]).shape == ()
    with pytest.raises(ValueError, match="copy"):
        np.asarray(tensor, dtype=np.int8, copy=False)


def test_the_array_keeps_the_memory_alive() -> None:
    array = opwright.tensor(np.arange(1000.0)).numpy()
    gc.collect()
    assert array.sum() == 499500


def test_the_array_survives_a_resize() -> None:
    tensor = opwright.tensor(np.arange(10.0))
    array = tensor.numpy()
    tensor.resize_(100_000)
    del tensor
    gc.collect()
    assert array.tolist() == list(range(10))


def test_the_tensor_keeps_the_array_alive() -> None:
    class Array(np.ndarray[Any, Any]):
        pass

    array = np.arange(10.0).view(Array)
    gone = weakref.ref(array)
    view = opwright.from_numpy(array)[2:]
    del array
    gc.collect()
    assert gone() is not None
    assert view[0].item() == 2
    del view
    gc.collect()
    assert gone() is None


def test_reference_counts_stay_as_they_are() -> None:
    array = np.zeros(10)
    tensor = opwright.from_numpy(array)
    before = sys.getrefcount(array), sys.getrefcount(tensor)
    for _ in range(100):
        opwright.from_numpy(array)
        tensor.numpy()
        np.asarray(tensor)
        memoryview(tensor).tolist()
    assert (sys.getrefcount(array), sys.getrefcount(tensor)) == before


def test_read_only_arrays_are_copied() -> None:
    array = np.arange(3.0)
    array.flags.writeable = False
    tensor = opwright.from_numpy(array)
    tensor[0] = 5
    assert array[0] == 0
    assert opwright.from_numpy(np.broadcast_to(np.float32(1), (2, 3))).tolist() == [[1] * 3] * 2


def test_odd_truth_values_are_normalised() -> None:
    odd = np.array([0, 1, 2, 255], np.uint8).view(np.bool_)
    assert opwright.from_numpy(odd).tolist() == [False, True, True, True]


@pytest.mark.parametrize(
    ("array", "error", "says"),
    [
        (np.zeros(2, np.longdouble), TypeError, "128; the supported types are bool, uint8"),
        (np.zeros(2, ">f8"), TypeError, ">f8"),
        (np.zeros(2, "U3"), TypeError, "<U3"),
        (np.zeros(2, "M8[s]"), TypeError, "datetime64"),
        (np.zeros(2, object), TypeError, "object"),
        (np.zeros(2, [("a", "f4")]), TypeError, "f4"),
        (np.zeros(2, [("a", "i1"), ("b", "f8")])["b"], ValueError, "copy"),
        ([1, 2], TypeError, "'ndarray' must be numpy.ndarray, not list"),
        (np.float64(1), TypeError, "float64"),
        (None, TypeError, "not None"),
    ],
)
def test_what_cannot_be_shared_is_refused(array: Any, error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        opwright.from_numpy(array)


def test_packed_records_can_be_copied() -> None:
    packed = np.zeros(2, [("a", "i1"), ("b", "f8")])
    packed["b"] = [1.5, 2.5]
    assert opwright.tensor(packed["b"]).tolist() == [1.5, 2.5]


def test_numpy_has_no_bfloat16() -> None:
    tensor = opwright.tensor([1.5], dtype=opwright.bfloat16)
    for convert in (opwright.Tensor.numpy, np.asarray):
        with pytest.raises(TypeError, match=r"float\(\)"):
            convert(tensor)
    assert tensor.numpy(force=True).dtype == np.float32
    with pytest.raises(BufferError, match="bfloat16"):
        memoryview(tensor)


def test_meta_tensors_have_nothing_to_share() -> None:
    tensor = opwright.tensor([1.0], device="meta")
    for convert in (opwright.Tensor.numpy, np.asarray):
        with pytest.raises(TypeError, match="meta"):
            convert(tensor)
    with pytest.raises(BufferError, match="meta"):
        memoryview(tensor)


def test_buffers_of_other_kinds() -> None:
    tensor = opwright.tensor([[1, 2], [3, 4]], dtype=opwright.int32)
    view = memoryview(tensor)
    assert (view.format, view.shape, view.strides) == ("i", (2, 2), (8, 4))
    assert not view.readonly
    assert view.tolist() == [[1, 2], [3, 4]]
    assert bytes(tensor) == np.asarray(tensor).tobytes()
    assert memoryview(tensor.T).contiguous
    assert not memoryview(tensor.T).c_contiguous
    view[1, 1] = 9
    assert tensor[1, 1].item() == 9


def test_consumers_that_need_contiguous_memory() -> None:
    tensor = opwright.tensor([[1, 2], [3, 4]], dtype=opwright.uint8)
    assert bytearray(tensor) == b"\1\2\3\4"
    with pytest.raises(BufferError, match=r"contiguous\(\)"):
        # A file takes bytes in order only.
        import io

        io.BytesIO().write(tensor.T)


ARITHMETIC = [operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv]
COMPARISONS = [operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge]


@pytest.mark.parametrize("function", ARITHMETIC + COMPARISONS)
def test_operators_with_arrays_give_tensors(function: Any) -> None:
    array, tensor = np.array([1.0, 2.0, 4.0]), opwright.tensor([2.0, 2.0, 2.0])
    for result, expected in [
        (function(array, tensor), function(array, tensor.numpy())),
        (function(tensor, array), function(tensor.numpy(), array)),
    ]:
        assert type(result) is opwright.Tensor
        np.testing.assert_array_equal(result.numpy(), expected)
        assert result.numpy().dtype == expected.dtype


@pytest.mark.parametrize("function", ARITHMETIC)
@pytest.mark.parametrize("number", [np.float64(3), np.float32(3), np.int64(3), np.int8(3)])
def test_numpy_scalars_are_numbers(function: Any, number: Any) -> None:
    tensor = opwright.tensor([2.0, 5.0])
    plain = number.item()
    for result, expected in [
        (function(number, tensor), function(plain, tensor)),
        (function(tensor, number), function(tensor, plain)),
    ]:
        assert type(result) is opwright.Tensor
        assert result.dtype is expected.dtype
        assert result.tolist() == expected.tolist()


def test_in_place_operators_write_where_they_should() -> None:
    array, tensor = np.ones(2), opwright.tensor([1.0, 2.0])
    same_array, same_tensor = array, tensor
    array += tensor
    assert array is same_array
    assert array.tolist() == [2.0, 3.0]
    tensor += np.ones(2, np.float32)
    assert tensor is same_tensor
    assert tensor.tolist() == [2.0, 3.0]


def test_functions_of_numpy_take_tensors() -> None:
    tensor = opwright.tensor([0.0, 1.0])
    assert type(np.exp(tensor)) is opwright.Tensor
    np.testing.assert_allclose(np.exp(tensor).numpy(), np.exp([0.0, 1.0]), rtol=1e-6)
    assert type(np.add.reduce(tensor)) is opwright.Tensor
    quotient, remainder = np.divmod(tensor, 2)
    assert type(quotient) is type(remainder) is opwright.Tensor
    out = np.zeros(2)
    assert np.add(tensor, 1, out=out) is out
    assert out.tolist() == [1.0, 2.0]
    own = opwright.zeros(2)
    assert np.add(tensor, 1, out=own) is own
    assert own.tolist() == [1.0, 2.0]
    assert type(np.concatenate([tensor, tensor])) is opwright.Tensor


def test_arrays_that_are_no_numbers_are_refused() -> None:
    tensor = opwright.tensor([1.0])
    with pytest.raises(TypeError):
        tensor + np.array(["a"])
    with pytest.raises(TypeError):
        np.array(["a"]) + tensor
    with pytest.raises(TypeError, match="argument 'other'"):
        tensor.add(np.ones(1))


@pytest.mark.parametrize("dtype", ALL)
def test_dlpack_shares_memory(dtype: str) -> None:
    array = np.arange(6).reshape(2, 3).astype(dtype)
    tensor = opwright.from_dlpack(array[:, ::2])
    assert tensor.tolist() == array[:, ::2].tolist()
    assert tensor.data_ptr() == array.ctypes.data
    back = np.from_dlpack(tensor.T)
    assert back.dtype == array.dtype
    assert np.shares_memory(back, array)
    np.testing.assert_array_equal(back, array[:, ::2].T)


def test_dlpack_between_tensors() -> None:
    tensor = opwright.tensor([1.5, 2.5], dtype=opwright.bfloat16)
    same = opwright.from_dlpack(tensor)
    assert same.dtype is opwright.bfloat16
    assert same.data_ptr() == tensor.data_ptr()
    assert opwright.from_dlpack(opwright.zeros(0, 3)).shape == (0, 3)
    assert tensor.__dlpack_device__() == (1, 0)


def test_dlpack_keeps_the_memory_alive() -> None:
    array = np.from_dlpack(opwright.tensor(np.arange(1000.0)))
    tensor = opwright.from_dlpack(np.arange(1000.0))
    gc.collect()
    assert array.sum() == tensor.numpy().sum() == 499500
    # A capsule that nobody takes frees what it has.
    array_of_ours = np.zeros(3)
    before = sys.getrefcount(array_of_ours)
    for versions in (None, (1, 0)):
        capsule = opwright.from_numpy(array_of_ours).__dlpack__(max_version=versions)
        del capsule
    assert sys.getrefcount(array_of_ours) == before


def test_dlpack_refuses() -> None:
    with pytest.raises(TypeError, match="__dlpack__"):
        opwright.from_dlpack([1])
    with pytest.raises(NotImplementedError, match="meta"):
        opwright.empty(2, device="meta").__dlpack__()
    with pytest.raises(BufferError, match="CPU"):
        opwright.zeros(2).__dlpack__(dl_device=(2, 0))

    class Twice:
        capsule = opwright.zeros(2).__dlpack__()

        def __dlpack__(self) -> object:
            return self.capsule

    assert opwright.from_dlpack(Twice()).shape == (2,)
    with pytest.raises(TypeError, match="nobody has taken"):
        opwright.from_dlpack(Twice())


def test_a_recorded_tensor_is_an_array_where_nothing_is_recorded() -> None:
    x = opwright.ones(3, requires_grad=True)
    for recorded in (x, x * 2):
        with pytest.raises(RuntimeError, match="detach"):
            recorded.numpy()
        for mode in (opwright.no_grad, opwright.inference_mode):
            with mode():
                assert recorded.numpy().tolist() == recorded.tolist()
                assert np.sum(np.asarray(recorded)) == recorded.sum().item()
                assert memoryview(recorded).tolist() == recorded.tolist()
        assert recorded.requires_grad


def test_more_bytes_than_a_buffer_has_are_refused() -> None:
    """An expanded tensor has its elements as often as its shape says."""
    huge = opwright.ones(1).expand(2**62)
    for view in (memoryview, bytearray):
        with pytest.raises(BufferError, match="a buffer has 9223372036854775807 bytes at most"):
            view(huge)
    assert memoryview(opwright.ones(1, dtype=opwright.uint8).expand(2**62)).nbytes == 2**62
