"""`tensor[key]` and `tensor[key] = value`, with numpy as the oracle."""

from __future__ import annotations

import math
from typing import Any

import hypothesis.extra.numpy as hnp
import hypothesis.strategies as st
import numpy as np
import opwright
import pytest
from hypothesis import given

DTYPES = ["bool", "uint8", "int16", "int64", "float32", "float64", "complex64"]


def numbered(shape: tuple[int, ...], dtype: Any = np.int64) -> np.ndarray[Any, Any]:
    """An array whose elements tell where they are."""
    return np.arange(math.prod(shape)).reshape(shape).astype(dtype)


def shapes(min_dims: int = 0) -> st.SearchStrategy[tuple[int, ...]]:
    return hnp.array_shapes(min_dims=min_dims, max_dims=4, min_side=0, max_side=4)


@st.composite
def basic(draw: st.DrawFn) -> tuple[tuple[int, ...], Any]:
    """A shape, and a key of integers, slices, `...` and `None` for it."""
    shape = draw(shapes())
    keys = hnp.basic_indices(shape, allow_newaxis=True, allow_ellipsis=True, max_dims=7)
    return shape, draw(keys)


@st.composite
def advanced(draw: st.DrawFn) -> tuple[tuple[int, ...], tuple[Any, ...]]:
    """A shape, and a key that mixes index arrays and masks with everything else."""
    shape = draw(hnp.array_shapes(min_dims=1, max_dims=4, min_side=1, max_side=4))
    common = draw(hnp.array_shapes(min_dims=1, max_dims=2, max_side=3))
    key: list[Any] = []
    dim = 0
    while dim < len(shape) and draw(st.integers(0, 5)) > 0:
        kind = draw(st.sampled_from(["array", "array", "mask", "int", "slice", "new"]))
        size = shape[dim]
        if kind == "array":
            indices = st.integers(-size, size - 1)
            fits = draw(st.sampled_from([common, common[-1:], (1,)]))
            key.append(draw(hnp.arrays(np.int64, fits, elements=indices)))
        elif kind == "mask" and not any(is_mask(it) for it in key):
            width = draw(st.integers(1, len(shape) - dim))
            # As many elements as the other arrays can be stretched to.
            mask = np.zeros(shape[dim : dim + width], bool)
            mask.flat[draw(st.integers(0, mask.size - 1))] = True
            key.append(mask)
            dim += width - 1
        elif kind == "int":
            key.append(draw(st.integers(-size, size - 1)))
        elif kind == "new":
            key.append(None)
            continue
        else:
            key.append(draw(st.slices(size)))
        dim += 1
    if draw(st.booleans()):
        key.append(...)
    return shape, tuple(key)


def is_mask(item: Any) -> bool:
    return isinstance(item, np.ndarray) and item.dtype == bool


def numpy_view(array: np.ndarray[Any, Any], key: tuple[Any, ...]) -> tuple[Any, tuple[Any, ...]]:
    """The view that the integers of a key give, and the rest of the key.

    To numpy, an integer beside an array is an array too, and decides where its dimensions go; here
    integers are applied first.
    """
    first: list[Any] = []
    rest: list[Any] = []
    for item in key:
        if isinstance(item, int):
            first.append(item)
            continue
        rest.append(item)
        if item is ...:
            first.append(...)
        elif item is not None:
            first.extend([slice(None)] * (item.ndim if is_mask(item) else 1))
    return array[tuple(first)], tuple(rest)


def tensors(key: tuple[Any, ...]) -> tuple[Any, ...]:
    """The key with tensors instead of arrays."""
    return tuple(opwright.tensor(it) if isinstance(it, np.ndarray) else it for it in key)


def check(actual: opwright.Tensor, expected: Any) -> None:
    expected = np.asarray(expected)
    assert tuple(actual.shape) == expected.shape
    assert actual.numpy().dtype == expected.dtype
    np.testing.assert_array_equal(actual.numpy(), expected)


@given(basic())
def test_basic_keys_read_as_in_numpy(case: tuple[tuple[int, ...], Any]) -> None:
    shape, key = case
    array = numbered(shape)
    check(opwright.from_numpy(array)[key], array[key])


@given(basic())
def test_basic_keys_give_views(case: tuple[tuple[int, ...], Any]) -> None:
    shape, key = case
    array = numbered(shape)
    tensor = opwright.from_numpy(array)
    view = tensor[key]
    view[...] = -1
    assert (array == -1).sum() == view.numel()


@given(basic(), st.sampled_from(DTYPES))
def test_basic_keys_write_as_in_numpy(case: tuple[tuple[int, ...], Any], dtype: str) -> None:
    shape, key = case
    array = numbered(shape, dtype)
    tensor = opwright.tensor(array)
    value = numbered(array[key].shape, dtype)[..., ::-1] if array[key].ndim else 1
    array[key] = value
    tensor[key] = opwright.tensor(value, dtype=tensor.dtype)
    check(tensor, array)


@given(basic(), basic())
def test_keys_compose(one: tuple[tuple[int, ...], Any], two: tuple[tuple[int, ...], Any]) -> None:
    shape, key = one
    array = numbered(shape)
    part = opwright.from_numpy(array)[key]
    if part.shape == two[0]:
        check(part[two[1]], array[key][two[1]])
    check(part[...].T, array[key].T)


@given(advanced())
def test_advanced_keys_read_as_in_numpy(case: tuple[tuple[int, ...], tuple[Any, ...]]) -> None:
    shape, key = case
    array = numbered(shape)
    view, rest = numpy_view(array, key)
    check(opwright.from_numpy(array)[tensors(key)], view[rest])


@given(advanced())
def test_arrays_and_lists_are_indices_as_well(
    case: tuple[tuple[int, ...], tuple[Any, ...]],
) -> None:
    shape, key = case
    tensor = opwright.from_numpy(numbered(shape))
    expected = tensor[tensors(key)].numpy()
    check(tensor[key], expected)
    lists = tuple(it.tolist() if isinstance(it, np.ndarray) else it for it in key)
    check(tensor[lists], expected)


@given(advanced(), st.sampled_from(DTYPES))
def test_advanced_keys_write_as_in_numpy(
    case: tuple[tuple[int, ...], tuple[Any, ...]], dtype: str
) -> None:
    shape, key = case
    array = numbered(shape, dtype)
    tensor = opwright.tensor(array)
    view, rest = numpy_view(array, key)
    if any(isinstance(it, np.ndarray) for it in rest) or view.ndim:
        view[rest] = 1
    else:
        array[key] = 1
    tensor[tensors(key)] = 1
    check(tensor, array)


def test_the_shapes_of_values_are_stretched() -> None:
    array = numbered((2, 3, 4))
    for key in [
        1,
        (slice(None), 0),
        (..., [0, 2]),
        ([1, 0], slice(None), [0, 3]),
        (0, array[0] > 5),
    ]:
        shape = array[key].shape
        for value_shape in {shape, shape[1:], (1, *shape), ()}:
            tensor, copy = opwright.tensor(array), array.copy()
            value = -numbered(value_shape) - 1
            view, rest = numpy_view(copy, key if isinstance(key, tuple) else (key,))
            # To numpy, a mask's values cannot have dimensions in front.
            view[rest] = value[0] if value.ndim > len(shape) else value
            tensor[key] = value
            check(tensor, copy)


@pytest.mark.parametrize(
    "value", [True, 7, 7.0, np.float32(7.0), np.int8(7), [7], (7,), range(7, 8)]
)
def test_what_is_assigned_is_cast(value: Any) -> None:
    tensor = opwright.zeros(1, dtype=opwright.int32)
    tensor[0:1] = value
    assert tensor.dtype is opwright.int32
    assert tensor.item() == (1 if value is True else 7)


def test_assigning_between_overlapping_parts_copies_first() -> None:
    array = numbered((6,))
    tensor = opwright.tensor(array)
    tensor[1:] = tensor[:-1]
    array[1:] = array[:-1].copy()
    check(tensor, array)


def test_augmented_assignment_writes_back() -> None:
    tensor = opwright.zeros(3)
    tensor[[0, 2]] += 1
    tensor[1:] *= 5
    assert tensor.tolist() == [1.0, 0.0, 5.0]


def test_flags_add_a_dimension() -> None:
    array = numbered((2, 3))
    tensor = opwright.from_numpy(array)
    for key in [True, False, (True, 1), (0, False), (None, True, ...), np.True_]:
        check(tensor[key], array[key])
    check(tensor[opwright.tensor(True)], array[True])


def test_zero_dimensional_tensors_are_integers() -> None:
    array = numbered((3, 4))
    tensor = opwright.from_numpy(array)
    check(tensor[opwright.tensor(-1)], array[-1])
    check(tensor[np.int64(1), opwright.tensor(2, dtype=opwright.int8)], array[1, 2])
    check(tensor[opwright.tensor(1) : opwright.tensor(3)], array[1:3])
    view = tensor[opwright.tensor(1)]
    view[0] = 99
    assert array[1, 0] == 99


def test_objects_with_index_are_integers() -> None:
    class Two:
        def __index__(self) -> int:
            return 2

    array = numbered((3, 4))
    check(opwright.from_numpy(array)[Two(), : Two()], array[2, :2])


def test_empty_lists_take_nothing() -> None:
    array = numbered((3, 4))
    tensor = opwright.from_numpy(array)
    check(tensor[[]], array[[]])
    check(tensor[:, []], array[:, []])
    tensor[[]] = 5
    check(tensor, numbered((3, 4)))


def test_results_of_advanced_keys_share_nothing() -> None:
    tensor = opwright.zeros(3)
    taken = tensor[[0, 1, 2]]
    taken[0] = 1
    assert tensor[0].item() == 0


def test_bytes_of_numpy_are_integers() -> None:
    array = numbered((3, 4))
    check(opwright.from_numpy(array)[np.array([2, 0], np.uint8)], array[[2, 0]])


def test_keys_work_on_meta_tensors() -> None:
    tensor = opwright.empty(3, 4, device="meta")
    assert tensor[1, None, ::2].shape == (1, 2)
    assert tensor[1].is_meta


cube = opwright.zeros(2, 3, 4)


@pytest.mark.parametrize(
    ("key", "error", "says"),
    [
        (2, IndexError, r"index 2 is out of bounds for dimension 0 with size 2"),
        (-3, IndexError, r"index -3 is out of bounds for dimension 0 with size 2"),
        ((0, 3), IndexError, r"index 3 is out of bounds for dimension 1 with size 3"),
        ((0, slice(None), 4), IndexError, r"index 4 is out of bounds for dimension 2 with size 4"),
        ((0, 0, 0, 0), IndexError, r"too many indices for a tensor of 3 dimensions: 4"),
        ((..., ...), IndexError, r"one ellipsis"),
        (2**70, IndexError, r"does not fit"),
        (1.0, IndexError, r"index 0: .* not float"),
        ((0, "a"), IndexError, r"index 1: .* not str"),
        ({}, IndexError, r"not dict"),
        ([0.5], IndexError, r"index 0: "),
        ([[0], [0, 1]], IndexError, r"index 0: .* has length 2"),
        ([0, slice(1)], IndexError, r"index 0: .* slice"),
        (opwright.tensor([0.5]), IndexError, r"not Tensor \(float32"),
        (slice(None, None, 0), ValueError, r"step"),
        (slice(0.5, None), TypeError, r"slice indices must be integers"),
        ([2], IndexError, r"index 2 is out of bounds for dimension 0 with size 2"),
        ((0, [[0, 5]]), IndexError, r"index 5 is out of bounds for dimension"),
        (([0, 1], [0, 1, 2]), IndexError, r"shape mismatch|broadcast"),
        ([True], IndexError, r"mask of shape \[1\] does not fit dimension 0 with size 2"),
        (
            (0, opwright.zeros(3, 5, dtype=opwright.bool)),
            IndexError,
            r"index 1: a mask of shape \[3, 5\] does not fit dimension 2 with size 4",
        ),
    ],
)
def test_wrong_keys_say_what_is_wrong(key: Any, error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        cube[key]
    with pytest.raises(error, match=says):
        cube[key] = 0


def test_a_tensor_without_dimensions_has_no_indices() -> None:
    number = opwright.tensor(5)
    with pytest.raises(IndexError, match="0-dim"):
        number[0]
    check(number[...], 5)
    check(number[None], np.array([5]))
    number[...] = 7
    assert number.item() == 7


def test_wrong_values_are_refused() -> None:
    tensor = opwright.zeros(2, 3)
    with pytest.raises(RuntimeError):
        tensor[0] = opwright.zeros(2)
    with pytest.raises(RuntimeError):
        tensor[[0]] = opwright.zeros(4, 2)
    with pytest.raises(TypeError, match="str"):
        tensor[0] = "a"
    with pytest.raises(RuntimeError, match="overflow"):
        opwright.zeros(1, dtype=opwright.uint8)[0] = 300
    with pytest.raises(TypeError, match="deleted"):
        del tensor[0]
    assert not tensor.numpy().any()


def test_a_key_that_changes_the_tensor_does_no_harm() -> None:
    tensor = opwright.zeros(4)

    class Shrinks:
        def __index__(self) -> int:
            tensor.resize_(1)
            return 3

    assert tensor[Shrinks()].item() == 0
    assert tensor.shape == (1,)


def test_a_value_that_does_not_fit_is_told_both_shapes() -> None:
    x = opwright.zeros(2, 3)
    message = r"a value of shape \[4\] cannot be assigned to elements of shape \[3\]"
    with pytest.raises(RuntimeError, match=message):
        x[0] = opwright.ones(4)
