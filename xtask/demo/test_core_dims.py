"""Kernels of core dimensions, compared with numpy's generalized ufuncs."""

import threading

import my_ops
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from my_ops import tensor


def smooth(x: np.ndarray, w: np.ndarray, step: int = 1) -> np.ndarray:
    """Each element is the sum of those around it, times their weights."""
    result = np.zeros_like(x)
    for at in range(len(x)):
        for weight in range(len(w)):
            place = at + step * (weight - len(w) // 2)
            if 0 <= place < len(x):
                result[at] += w[weight] * x[place]
    return result


smooth_ufunc = np.vectorize(smooth, signature="(n),(k)->(n)", excluded=["step"], otypes=[float])


def numbers(draw, shape: tuple[int, ...]) -> np.ndarray:
    """Small whole numbers, some of which lie otherwise in memory."""
    count = int(np.prod(shape))
    elements = draw(st.lists(st.integers(-4, 4), min_size=count, max_size=count))
    array = np.array(elements, dtype=draw(st.sampled_from([np.float64, np.float32])))
    array = array.reshape(shape)
    way = draw(st.sampled_from(["as it is", "transposed", "backwards", "spread"]))
    if way == "transposed":
        return np.asfortranarray(array)
    if way == "backwards":
        return np.ascontiguousarray(array[..., ::-1])[..., ::-1]
    return np.repeat(array, 2, axis=-1)[..., ::2] if way == "spread" else array


@st.composite
def operands(draw) -> tuple[np.ndarray, np.ndarray]:
    """Rows and weights whose loop dimensions broadcast."""
    looped = draw(st.lists(st.integers(0, 3), max_size=3))
    arrays = []
    for length in draw(st.tuples(st.integers(0, 5), st.integers(0, 4))):
        own = [draw(st.sampled_from([size, 1])) for size in looped]
        own = own[draw(st.integers(0, len(own))) :]
        arrays.append(numbers(draw, (*own, length)))
    return arrays[0], arrays[1]


@given(operands(), st.integers(-2, 2))
def test_rows_are_those_of_numpy(operands: tuple[np.ndarray, np.ndarray], step: int) -> None:
    x, w = operands
    looped = np.broadcast_shapes(x.shape[:-1], w.shape[:-1])
    found = my_ops.smooth(x, w, step=step)
    assert found.shape == (*looped, x.shape[-1])
    if 0 not in found.shape:
        np.testing.assert_array_equal(found.numpy(), smooth_ufunc(x, w, step=step))
    out = np.full(found.shape[::-1], np.nan, dtype=found.numpy().dtype).T
    assert my_ops.smooth(x, w, step=step, out=out) is out
    np.testing.assert_array_equal(out, found.numpy())


@given(operands())
def test_shapes_follow_without_elements(operands: tuple[np.ndarray, np.ndarray]) -> None:
    x, w = (tensor(it.copy()) for it in operands)
    expected, found = my_ops.smooth(x, w), my_ops.smooth(x.to("meta"), w.to("meta"))
    assert (found.shape, found.dtype) == (expected.shape, expected.dtype)
    assert found.device == "meta" or str(found.device) == "meta"


@pytest.mark.parametrize("dtype", [np.int16, np.int64, np.float32, np.complex64])
def test_cross_products_are_those_of_numpy(dtype: type) -> None:
    rng = np.random.default_rng(1)
    x = rng.integers(-9, 9, (4, 1, 3)).astype(dtype)
    y = rng.integers(-9, 9, (5, 3)).astype(dtype)
    found = my_ops.cross3(x, y).numpy()
    np.testing.assert_array_equal(found, np.cross(x, y))
    assert found.dtype == dtype


def test_several_results() -> None:
    low, high = my_ops.extremes(tensor([[3, 1, 2], [5, 9, 7]]))
    assert (low.tolist(), high.tolist()) == ([1, 5], [3, 9])
    with pytest.raises(ValueError, match="a row without elements has no extremes"):
        my_ops.extremes(my_ops.tensor(np.zeros((2, 0))))
    assert my_ops.extremes(my_ops.tensor(np.zeros((0, 0)))).low.shape == (0,)


def test_a_kernel_of_one_dtype_takes_single_elements() -> None:
    x, points = np.array([[0.4, 2.6], [9.0, -1.0]]), np.array([[0.0, 1.0, 3.0], [9.0, 8.0, 7.0]])
    found = my_ops.nearest_point(x, points).numpy()
    np.testing.assert_array_equal(found, [[0, 2], [2, 2]])
    assert found.dtype == np.int64
    np.testing.assert_array_equal(my_ops.nearest_point(x, points[0]).numpy(), [[0, 2], [2, 0]])
    with pytest.raises(NotImplementedError, match="nearest_point"):
        my_ops.nearest_point(x.astype(np.float32), points.astype(np.float32))
    with pytest.raises(ValueError, match="there is no point"):
        my_ops.nearest_point(x, np.zeros(0))


def test_an_argument_may_be_the_target() -> None:
    x = tensor([[1.0, 2.0, 4.0], [8.0, 16.0, 32.0]])
    expected = my_ops.smooth(x, tensor([1.0, 1.0, 1.0])).tolist()
    my_ops.smooth(x, tensor([1.0, 1.0, 1.0]), out=x)
    assert x.tolist() == expected


def test_half_precision_is_calculated_in_floats() -> None:
    x = np.full((2, 512), 20.5, dtype=np.float16)
    found = my_ops.smooth(x, np.ones(200, dtype=np.float16)).numpy()
    assert (found.dtype, found[0, 256]) == (np.float16, 4100.0)
    with pytest.raises(ValueError, match="at most 256 weights, not 300"):
        my_ops.smooth(x, np.ones(300, dtype=np.float16))


@pytest.mark.parametrize(
    ("shapes", "message"),
    [
        (((3,), (4,)), "`y` must have size 3 in a core dimension that has size 4"),
        (((), (3,)), "`x` must have at least 1 dimension, its core dimensions"),
        (((2, 3), (5, 3)), r"loop dimensions do not broadcast: `x` has \[2\]"),
    ],
)
def test_shapes_that_do_not_go_together(shapes: tuple[tuple[int, ...], ...], message: str) -> None:
    x, y = (np.zeros(it) for it in shapes)
    with pytest.raises(RuntimeError, match=message):
        my_ops.cross3(x, y)


def test_a_size_that_clashes_names_both_tensors() -> None:
    with pytest.raises(RuntimeError, match="`n` has size 3 in `grad`, but size 4 in `x`"):
        my_ops.smooth_weights(np.zeros(3), np.zeros((2, 4)), np.zeros(2))


def test_dtypes_without_a_kernel_are_refused() -> None:
    with pytest.raises(NotImplementedError, match="smooth"):
        my_ops.smooth(np.zeros(3, dtype=complex), np.zeros(3))
    with pytest.raises(RuntimeError, match=r"dtype|cast"):
        my_ops.smooth(np.zeros(3), np.zeros(3), out=np.zeros(3, dtype=np.int64))


def test_threads_call_it_at_once() -> None:
    x, w = np.random.default_rng(2).random((300, 64)), np.ones(5)
    expected, found = my_ops.smooth(x, w).tolist(), {}

    def call(at: int) -> None:
        found[at] = [my_ops.smooth(x, w).tolist() == expected for _ in range(5)]

    threads = [threading.Thread(target=call, args=(it,)) for it in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(all(it) for it in found.values()) and len(found) == 4


def test_gradients_are_summed_over_loop_dimensions() -> None:
    x, w = (tensor(it, requires_grad=True) for it in (np.ones((4, 5)), np.ones((3, 1, 3))))
    my_ops.smooth(x, w).backward(tensor(np.ones((3, 4, 5))))
    assert x.grad.shape == (4, 5) and w.grad.shape == (3, 1, 3)
    assert x.grad.tolist()[0] == [6.0, 9.0, 9.0, 9.0, 6.0]
    assert w.grad.tolist()[0] == [[16.0, 20.0, 16.0]]
