"""Passes arrays of other libraries where a module of one's own expects tensors."""

import array
import gc
import sys

import my_ops
import numpy as np
import opwright
import pytest


class Exporter:
    """An array of a library that knows nothing but DLPack."""

    def __init__(self, data):
        self.data = np.asarray(data)

    def __dlpack__(self, **keywords):
        return self.data.__dlpack__(**keywords)

    def __dlpack_device__(self):
        return self.data.__dlpack_device__()


@pytest.mark.parametrize("wrap", [np.array, Exporter, lambda it: array.array("d", it)])
def test_whatever_shares_its_memory_is_taken(wrap):
    result = my_ops.hypotenuse(wrap([3.0, 5.0]), y=wrap([4.0, 12.0]))
    assert type(result) is my_ops.Tensor
    assert result.tolist() == [5.0, 13.0]


def test_memory_is_shared_in_both_directions():
    x, out = np.array([3.0, 5.0]), np.zeros(2)
    assert my_ops.hypotenuse(x, np.array([4.0, 12.0]), out=out) is out
    assert out.tolist() == [5.0, 13.0]
    tensor = my_ops.from_numpy(x)
    x[0] = 8.0
    assert tensor.tolist() == [8.0, 5.0]
    result = my_ops.wrap_around(x)
    assert np.shares_memory(np.asarray(result), result.numpy())
    assert np.shares_memory(np.from_dlpack(result), result.numpy())


def test_strides_are_kept():
    x = np.arange(12.0).reshape(3, 4)
    for view in (x.T, x[::-1], x[:, ::-2], np.broadcast_to(x[0], (2, 4))):
        expected = np.hypot(view, view)
        np.testing.assert_allclose(my_ops.hypotenuse(view, view).numpy(), expected)
    out = np.zeros((3, 8))
    my_ops.hypotenuse(x, x, out=out[:, ::2])
    np.testing.assert_allclose(out[:, ::2], np.hypot(x, x))
    assert not out[:, 1::2].any()


def test_dtypes_are_those_of_the_array():
    for dtype in ("float32", "float64", "float16"):
        result = my_ops.hypotenuse(np.ones(2, dtype), np.ones(2, dtype))
        assert result.dtype == getattr(my_ops, dtype)
    whole = my_ops.hypotenuse(np.array([3]), np.array([4]))
    assert whole.dtype == my_ops.float32
    with pytest.raises(TypeError, match="argument 2"):
        my_ops.hypotenuse(np.ones(1), np.array(["a"]))
    with pytest.raises(TypeError, match="argument 'y'"):
        my_ops.hypotenuse(np.ones(1), y=np.array([object()]))


def test_what_is_read_only_is_read_and_not_written_to():
    fixed = np.array([3.0])
    fixed.flags.writeable = False
    assert my_ops.hypotenuse(fixed, np.array([4.0])).tolist() == [5.0]
    with pytest.raises(ValueError, match=r"argument 'out'.*read-only"):
        my_ops.hypotenuse(np.ones(1), np.ones(1), out=fixed)
    assert fixed.tolist() == [3.0]


def test_an_array_keeps_its_shape():
    with pytest.raises(ValueError, match="cannot be resized"):
        my_ops.hypotenuse(np.ones(3), np.ones(3), out=np.zeros(0))
    with pytest.raises((ValueError, RuntimeError)):
        my_ops.hypotenuse(np.ones(3), np.ones(2))


def test_other_objects_are_refused_as_ever():
    for other in ("abc", b"abc", None, {}, [1.0]):
        with pytest.raises(TypeError, match=r"'x'.* must be Tensor"):
            my_ops.hypotenuse(other, np.ones(1))


def test_a_call_lets_go_of_its_arrays():
    x = np.ones(100)
    result = my_ops.hypotenuse(x, x)
    count = sys.getrefcount(x)
    for _ in range(1000):
        result = my_ops.hypotenuse(x, Exporter(x), out=np.empty(100))
    del result
    gc.collect()
    assert sys.getrefcount(x) <= count


def test_explain_sees_what_a_call_sees():
    explanation = my_ops.explain(my_ops.hypotenuse, np.ones(2), np.ones(2))
    assert explanation.overload is not None
    assert "Tensor (float64, shape [2])" in explanation.text


def test_tensors_of_another_module_are_arrays():
    x = opwright.tensor([3.0, 5.0])
    result = my_ops.hypotenuse(x, opwright.tensor([4.0, 12.0]))
    assert type(result) is my_ops.Tensor
    assert result.tolist() == [5.0, 13.0]
    assert my_ops.hypotenuse(x, x, out=x) is x
    assert opwright.from_dlpack(result).tolist() == [5.0, 13.0]


def test_what_stands_for_ours_in_the_other_module_is_taken():
    x = my_ops.tensor([3.0, 5.0], dtype=opwright.float64, device=opwright.device("cpu"))
    assert (x.dtype, type(x)) == (my_ops.float64, my_ops.Tensor)
    y = opwright.ones(2, dtype=my_ops.float64, device=my_ops.device("cpu"))
    assert (y.dtype, type(y)) == (opwright.float64, opwright.Tensor)
    assert opwright.add(y, x, alpha=2).tolist() == [7.0, 11.0]
    drawn = opwright.rand(3, generator=my_ops.Generator().manual_seed(7))
    expected = opwright.rand(3, generator=opwright.Generator().manual_seed(7))
    assert drawn.tolist() == expected.tolist()
