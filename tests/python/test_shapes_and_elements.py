"""Shapes, elements, rows and masks: what is remembered, or used again, in place of being made."""

import weakref
from typing import Any

import numpy as np
import opwright
import pytest


def test_a_shape_is_remembered_until_it_changes() -> None:
    tensor = opwright.zeros(2, 3)
    assert tensor.shape is tensor.shape
    tensor.t_()
    assert tensor.shape == (3, 2)
    tensor.resize_(6)
    assert tensor.shape == (6,)
    empty = opwright.zeros(0)
    assert empty.shape == (0,)
    opwright.add(opwright.zeros(2, 2), 1, out=empty)
    assert empty.shape == (2, 2)
    tensor = empty.unsqueeze_(0)
    assert (tensor.shape, tensor.T.shape) == ((1, 2, 2), (2, 2, 1))


def test_a_shape_is_a_tuple_in_all_respects() -> None:
    for count in (0, 1, 2, 3, 5, 12):
        sizes = tuple(range(1, count + 1))
        shape = opwright.empty(sizes, device="meta").shape
        assert type(shape) is opwright.Size
        assert (shape, hash(shape), len(shape)) == (sizes, hash(sizes), count)
        assert {sizes: "found"}[shape] == "found"
        assert opwright.Size(sizes) == shape


@pytest.mark.parametrize("key", [0, -1, 2, True, slice(1, None), slice(None, None, -1)])
def test_parts_of_a_shape(key: Any) -> None:
    shape, sizes = opwright.empty(2, 3, 4, device="meta").shape, (2, 3, 4)
    assert shape[key] == sizes[key]
    assert type(shape[key]) is (opwright.Size if isinstance(key, slice) else int)


@pytest.mark.parametrize(
    ("key", "error"), [(3, IndexError), (-4, IndexError), (2**70, IndexError), ("0", TypeError)]
)
def test_what_a_shape_has_not(key: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        opwright.zeros(2, 3, 4).shape[key]


def test_a_shape_that_is_derived_from_keeps_its_class_of_parts() -> None:
    class Named(opwright.Size):
        pass

    part = Named([2, 3])[:1]
    assert type(part) is opwright.Size
    assert part == (2,)


def test_elements_of_a_loop_are_as_they_were_when_they_are_kept() -> None:
    line = opwright.arange(5.0)
    elements = list(line)
    assert [it.item() for it in elements] == [0, 1, 2, 3, 4]
    assert len({id(it) for it in elements}) == 5
    assert [it.item() for it in reversed(line)] == [4, 3, 2, 1, 0]


def test_every_second_element_of_a_loop_can_be_kept() -> None:
    line = opwright.arange(9.0)
    for kept in ([0, 2, 4, 6, 8], [1, 4, 7], [0, 1, 5, 8]):
        held = [element for index, element in enumerate(line) if index in kept]
        assert [it.item() for it in held] == kept


@pytest.mark.parametrize(
    "hold",
    [
        lambda it: it.unsqueeze(0),
        lambda it: it.numpy(),
        lambda it: it.untyped_storage(),
        lambda it: (it, it.detach()),
        lambda it: np.from_dlpack(it),
    ],
)
def test_what_was_made_of_an_element_stays(hold: Any) -> None:
    line = opwright.arange(6.0)
    held = [hold(it) for it in line]
    values = [np.asarray(it[0] if isinstance(it, tuple) else it) for it in held]
    if not hasattr(held[0], "nbytes") or isinstance(held[0], np.ndarray):
        assert [float(it.reshape(-1)[0]) for it in values] == [0, 1, 2, 3, 4, 5]


def test_a_weak_reference_knows_that_an_element_is_gone() -> None:
    gone = []
    references = [weakref.ref(it, gone.append) for it in opwright.arange(6.0)]
    assert [it() for it in references] == [None] * 6
    assert len(gone) == 6


def test_an_element_that_was_changed_in_a_loop_is_not_used_again() -> None:
    line = opwright.arange(6.0)
    values = []
    for element in line:
        values.append(element.item())
        element.unsqueeze_(0)
        element.resize_(3)
    assert values == [0, 1, 2, 3, 4, 5]


def test_a_loop_over_a_tensor_that_is_resized_goes_on_over_its_memory() -> None:
    line = opwright.arange(6.0)
    values = []
    for element in line:
        values.append(element.item())
        if len(values) == 2:
            line.resize_(2)
    assert values == [0, 1, 2, 3, 4, 5]


def test_elements_of_a_loop_are_views() -> None:
    line = opwright.arange(6.0)
    for element in line:
        element.mul_(2)
    assert line.tolist() == [0, 2, 4, 6, 8, 10]


def test_iterators_say_how_much_is_left() -> None:
    rows = iter(opwright.zeros(3, 2))
    assert rows.__length_hint__() == 3
    next(rows)
    assert rows.__length_hint__() == 2
    assert [it.shape for it in rows] == [(2,), (2,)]
    assert rows.__length_hint__() == 0
    with pytest.raises(StopIteration):
        next(rows)
    with pytest.raises(TypeError):
        type(rows)()


def test_one_number_is_written_as_any_other_value() -> None:
    for dtype in ["float32", "float64", "int64", "uint8", "bool", "complex64", "float16"]:
        for key in [(0, 1), (-1,), 1, (slice(None), 0), (Ellipsis, 2), (None, 0, 1)]:
            for value in [2, 1.5, True, -1]:
                # Integers do not hold fractions, nor unsigned ones what is negative.
                if (value == 1.5 and "int" in dtype) or (value == -1 and dtype == "uint8"):
                    continue
                one = opwright.zeros(2, 3, dtype=getattr(opwright, dtype))
                other = one.clone()
                one[key] = value
                other[key] = opwright.tensor(value, dtype=one.dtype)
                assert one.tolist() == other.tolist(), (dtype, key, value)


@pytest.mark.parametrize("value", [300, -300, 1e30, float("nan")])
def test_a_number_that_does_not_fit_is_refused_as_an_element_and_as_a_row(value: float) -> None:
    tensor = opwright.zeros(2, 2, dtype=opwright.int8)
    for key in [(0, 0), 0]:
        with pytest.raises(RuntimeError, match="overflow"):
            tensor[key] = value
    assert tensor.tolist() == [[0, 0], [0, 0]]


def test_a_number_is_written_to_stretched_memory() -> None:
    tensor = opwright.zeros(1).expand(3)
    tensor[:] = 2.0
    assert tensor.tolist() == [2, 2, 2]
    tensor[0] = 1.0
    assert tensor.tolist() == [1, 1, 1]


@pytest.mark.parametrize("shape", [(5,), (3, 4), (0,), (2, 0), (5000,)])
@pytest.mark.parametrize("dtype", ["bool", "uint8", "int16", "float32", "complex64", "complex128"])
def test_masks_of_the_whole_shape(
    shape: tuple[int, ...], dtype: str, rng: np.random.Generator
) -> None:
    array = (rng.random(shape) * 9).astype(dtype)
    tensor = opwright.from_numpy(array)
    for mask in [rng.random(shape) > 0.5, np.zeros(shape, bool), np.ones(shape, bool)]:
        expected = array[mask]
        assert np.array_equal(tensor[opwright.from_numpy(mask)].numpy(), expected)
        assert np.array_equal(tensor.masked_select(opwright.from_numpy(mask)).numpy(), expected)
    truth = opwright.from_numpy(np.resize(np.array([0, 1, 2, 255], np.uint8), shape))
    assert tensor[truth.view(opwright.bool)].shape == (int((truth != 0).sum()),)


def test_masks_and_indices_alone_keep_to_their_messages() -> None:
    tensor = opwright.zeros(2, 3)
    with pytest.raises(IndexError, match="mask of shape"):
        tensor[opwright.zeros(3, dtype=opwright.bool)]
    with pytest.raises(IndexError, match=r"out of (bounds|range)"):
        tensor[opwright.tensor([2])]
    with pytest.raises(IndexError, match="0-d"):
        opwright.tensor(1.0)[opwright.tensor([0])]
    with pytest.raises(IndexError):
        tensor[opwright.tensor([0.5])]


def test_a_derived_class_keeps_its_way_of_indexing() -> None:
    class Named(opwright.Tensor):
        pass

    named = opwright.arange(4.0).as_subclass(Named)
    mask = named > 1
    assert type(named[mask]) is type(named[opwright.tensor([0])])
    assert named[mask].tolist() == [2, 3]
