"""Operators that give a view of a tensor, with numpy as the oracle."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import opwright
import pytest
from layouts import Array, pair

LAYOUTS = ["contiguous", "transposed", "stepped", "reversed", "stretched"]

Call = Callable[[Any], Any]

# Each gives the same view of a matrix, or a tuple of them, on both sides.
VIEWS: dict[str, tuple[Call, Callable[[Array], Any]]] = {
    "permute": (lambda t: t.permute(1, 0), lambda a: a.T),
    "permute a list": (lambda t: opwright.permute(t, (-1, 0)), lambda a: a.T),
    "transpose": (lambda t: t.transpose(0, -1), lambda a: a.T),
    "swapaxes": (lambda t: opwright.swapaxes(t, 0, 1), lambda a: a.T),
    "swapdims": (lambda t: t.swapdims(0, 1), lambda a: a.T),
    "t": (lambda t: t.t(), lambda a: a.T),
    "movedim": (lambda t: t.movedim(0, 1), lambda a: np.moveaxis(a, 0, 1)),
    "moveaxis of lists": (
        lambda t: opwright.moveaxis(t[None], (0, 1), (-1, 0)),
        lambda a: np.moveaxis(a[None], (0, 1), (-1, 0)),
    ),
    "squeeze": (lambda t: t[None, :, None].squeeze(), lambda a: a),
    "squeeze a dim": (lambda t: t[None, :, None].squeeze(0), lambda a: a[:, None]),
    "squeeze dims": (lambda t: t[None, :, None].squeeze((0, 1, -2)), lambda a: a),
    "unsqueeze": (lambda t: t.unsqueeze(-1), lambda a: a[..., None]),
    "unsqueeze the first": (lambda t: opwright.unsqueeze(t, 0), lambda a: a[None]),
    "expand": (lambda t: t.expand(3, -1, -1), lambda a: np.broadcast_to(a, (3, *a.shape))),
    "expand_as": (
        lambda t: t[:1].expand_as(t),
        lambda a: np.broadcast_to(a[:1], a.shape),
    ),
    "broadcast_to": (
        lambda t: opwright.broadcast_to(t, (2, *t.shape)),
        lambda a: np.broadcast_to(a, (2, *a.shape)),
    ),
    "narrow": (lambda t: t.narrow(1, 1, 1), lambda a: a[:, 1:2]),
    "narrow from the end": (lambda t: opwright.narrow(t, 0, -2, 2), lambda a: a[-2:]),
    "select": (lambda t: t.select(1, -1), lambda a: a[:, -1]),
    "unbind": (lambda t: t.unbind(1), lambda a: tuple(np.moveaxis(a, 1, 0))),
    "split": (
        lambda t: t.split(3, 0),
        lambda a: tuple(a[at : at + 3] for at in range(0, len(a), 3)),
    ),
    "split by sizes": (
        lambda t: t.split((1, 0, t.shape[0] - 1)),
        lambda a: (a[:1], a[1:1], a[1:]),
    ),
    "split_with_sizes": (
        lambda t: t.split_with_sizes((t.shape[1] - 1, 1), 1),
        lambda a: (a[:, :-1], a[:, -1:]),
    ),
    "chunk": (lambda t: t.chunk(3, 1), lambda a: chunks(a, 3)),
    "tensor_split": (lambda t: t.tensor_split(3), lambda a: tuple(np.array_split(a, 3))),
    "tensor_split at": (
        lambda t: t.tensor_split((1, -1, 99), 1),
        lambda a: (a[:, :1], a[:, 1:-1], a[:, -1:], a[:, :0]),
    ),
    "hsplit": (lambda t: t.hsplit((1,)), lambda a: (a[:, :1], a[:, 1:])),
    "vsplit": (lambda t: opwright.vsplit(t, 1), lambda a: (a,)),
    "diagonal": (lambda t: t.diagonal(), np.diagonal),
    "diagonal above": (lambda t: t.diagonal(1), lambda a: np.diagonal(a, 1)),
    "diagonal of others": (
        lambda t: opwright.diagonal(t[None], -1, 2, 1),
        lambda a: np.diagonal(a[None], -1, 2, 1),
    ),
    "unfold": (
        lambda t: t.unfold(0, 2, 1),
        lambda a: np.lib.stride_tricks.sliding_window_view(a, 2, axis=0),
    ),
    "detach": (lambda t: t.detach(), lambda a: a),
}


def chunks(array: Array, count: int) -> tuple[Array, ...]:
    width = -(-array.shape[1] // count)
    return tuple(array[:, at : at + width] for at in range(0, array.shape[1], width))


def equal(actual: Any, expected: Any) -> None:
    if isinstance(expected, tuple):
        assert isinstance(actual, tuple)
        assert len(actual) == len(expected)
        for one, other in zip(actual, expected, strict=True):
            equal(one, other)
        return
    assert tuple(actual.shape) == expected.shape
    np.testing.assert_array_equal(actual.numpy(), expected)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", VIEWS)
def test_a_view_shows_the_same_elements(name: str, layout: str, rng: np.random.Generator) -> None:
    call, oracle = VIEWS[name]
    array, tensor = pair(rng, "float32", layout)
    actual = call(tensor)
    equal(actual, oracle(array))
    # What is written to the tensor shows in the view.
    if layout != "stretched":
        tensor.fill_(7)
        for view in actual if isinstance(actual, tuple) else (actual,):
            assert (view == 7).all()


@pytest.mark.parametrize("name", VIEWS)
def test_a_view_of_nothing_has_a_shape(name: str) -> None:
    call, oracle = VIEWS[name]
    array = np.zeros((4, 6), np.int16)
    actual = call(opwright.empty((4, 6), dtype=opwright.int16, device="meta"))
    expected = oracle(array)
    pairs = (
        zip(actual, expected, strict=True) if isinstance(expected, tuple) else [(actual, expected)]
    )
    for one, other in pairs:
        assert one.device.type == "meta"
        assert (tuple(one.shape), one.dtype) == (other.shape, opwright.int16)


@pytest.mark.parametrize("shape", [(24,), (2, 12), (-1, 3), (1, 4, 1, 6), (2, -1, 3)])
@pytest.mark.parametrize("layout", ["contiguous", "transposed", "reversed", "stretched"])
def test_reshape_copies_only_if_it_must(
    shape: tuple[int, ...], layout: str, rng: np.random.Generator
) -> None:
    array, tensor = pair(rng, "int32", layout)
    if layout in ("reversed", "stretched"):
        shape = (-1, 2, 1)
    equal(tensor.reshape(shape), array.reshape(shape))
    equal(opwright.reshape(tensor, shape), array.reshape(shape))
    if layout == "contiguous":
        assert tensor.reshape(shape).data_ptr() == tensor.data_ptr()
        assert tensor.view(shape).data_ptr() == tensor.data_ptr()


def test_view_needs_strides_that_fit(rng: np.random.Generator) -> None:
    array, tensor = pair(rng, "float32", "transposed")
    equal(tensor.view(6, 2, 2), array.reshape(6, 2, 2))
    with pytest.raises(RuntimeError, match=r"Use \.reshape"):
        tensor.view(24)
    with pytest.raises(RuntimeError, match="invalid for input of size 24"):
        tensor.view(5, 5)


@pytest.mark.parametrize(
    ("start", "end", "shape"),
    [(0, -1, (24,)), (1, 2, (2, 12)), (0, 1, (6, 4)), (-1, -1, (2, 3, 4))],
)
def test_flatten_joins_dimensions(start: int, end: int, shape: tuple[int, ...]) -> None:
    array = np.arange(24).reshape(2, 3, 4)
    tensor = opwright.from_numpy(array)
    equal(tensor.flatten(start, end), array.reshape(shape))
    equal(opwright.unflatten(tensor.flatten(), 0, (2, -1, 4)), array)
    equal(opwright.tensor(3).flatten(), np.array([3]))
    equal(tensor.transpose(0, 2).ravel(), array.transpose(2, 1, 0).ravel())


def test_as_strided_sees_all_of_the_memory() -> None:
    tensor = opwright.arange(12).reshape(3, 4)
    equal(tensor[1:].as_strided((2, 2), (1, 3)), np.array([[4, 7], [5, 8]]))
    equal(tensor.as_strided((3,), (-4,), 10), np.array([10, 6, 2]))
    for bad in [((4, 4), (4, 1), None), ((2,), (-1,), 0), ((1,), (1,), 12), ((1,), (1, 1), 0)]:
        with pytest.raises(RuntimeError):
            tensor.as_strided(*bad)
    with pytest.raises(OverflowError):
        tensor.as_strided((2**40, 2**40), (0, 0))


def test_a_dtype_reinterprets_bytes() -> None:
    array = np.arange(12, dtype=np.float32).reshape(3, 4)
    tensor = opwright.from_numpy(array)
    equal(tensor.view(opwright.int32), array.view(np.int32))
    equal(tensor.view(opwright.uint8), array.view(np.uint8))
    equal(tensor.view(opwright.float64), array.view(np.float64))
    with pytest.raises(RuntimeError, match="divisible by 2"):
        tensor[:, :3].view(opwright.int64)
    # Every byte that is not 0 is true.
    assert tensor[0].view(opwright.bool).nonzero().tolist() == [[6], [7], [11], [14], [15]]


def test_in_place_views_change_the_tensor_itself() -> None:
    tensor = opwright.zeros(1, 2, 3)
    other = tensor.detach()
    assert tensor.squeeze_() is tensor
    assert tuple(tensor.shape) == (2, 3)
    tensor.unsqueeze_(0).transpose_(0, 2)
    assert tuple(tensor.shape) == (3, 2, 1)
    tensor.squeeze_(-1).t_()
    assert tuple(tensor.shape) == (2, 3)
    tensor.as_strided_((3,), (1,), 3).fill_(1)
    assert tuple(tensor.shape) == (3,)
    # Another handle keeps its shape, and sees the elements.
    assert other.tolist() == [[[0, 0, 0], [1, 1, 1]]]


def test_resize_keeps_elements_that_have_room() -> None:
    tensor = opwright.arange(6)
    tensor.resize_(2, 2)
    assert tensor.tolist() == [[0, 1], [2, 3]]
    tensor.resize_((2, 3))
    assert tensor.tolist() == [[0, 1, 2], [3, 4, 5]]
    tensor.resize_(20)
    assert tuple(tensor.shape) == (20,)
    with pytest.raises(RuntimeError, match="negative"):
        tensor.resize_(-1)


ERRORS: list[tuple[Call, type[Exception], str]] = [
    (lambda t: t.transpose(0, 2), IndexError, r"range of \[-2, 1\], but got 2"),
    (lambda t: t.permute(0, 0), RuntimeError, "duplicate"),
    (lambda t: t.permute(0), RuntimeError, "does not match"),
    (lambda t: t[None].t(), RuntimeError, "<= 2 dimensions"),
    (lambda t: t.squeeze(2), IndexError, r"\[-2, 1\]"),
    (lambda t: t.squeeze((0, -2)), RuntimeError, "multiple times"),
    (lambda t: t.unsqueeze(3), IndexError, r"\[-3, 2\], but got 3"),
    (lambda t: t.expand(2), RuntimeError, "greater or equal"),
    (lambda t: t.expand(3, 3), RuntimeError, "must match the existing size"),
    (lambda t: t.expand(-1, 2, 3), RuntimeError, "leading, non-existing dimension 0"),
    (lambda t: t.narrow(0, 3, 1), IndexError, r"range of \[-2, 2\], but got 3"),
    (lambda t: t.narrow(1, 1, 3), RuntimeError, "exceeds dimension size"),
    (lambda t: t.narrow(0, 0, -1), RuntimeError, "non-negative"),
    (lambda t: t.select(0, 2), IndexError, "out of range"),
    (lambda t: t.sum().select(0, 0), IndexError, "0-dim"),
    (lambda t: t.sum().unbind(), IndexError, "no dimensions"),
    (lambda t: t.split(0), RuntimeError, "split_size can only be 0"),
    (lambda t: t.split(-1), RuntimeError, "non-negative"),
    (lambda t: t.split((1, 2)), RuntimeError, "sum exactly to 2"),
    (lambda t: t.split((3, -1)), RuntimeError, "non-negative entries"),
    (lambda t: t.chunk(0), RuntimeError, "greater than 0"),
    (lambda t: t.tensor_split(0), RuntimeError, "larger than 0"),
    (lambda t: t.hsplit(2), RuntimeError, "not divisible"),
    (lambda t: t[0].vsplit(1), RuntimeError, "at least 2 dimension"),
    (lambda t: t.diagonal(0, 0, -2), RuntimeError, "identical"),
    (lambda t: t.unfold(0, 3, 1), RuntimeError, "maximum size"),
    (lambda t: t.unfold(0, 1, 0), RuntimeError, "must be > 0"),
    (lambda t: t.flatten(1, 0), RuntimeError, "start_dim cannot come after end_dim"),
    (lambda t: t.unflatten(1, (2, 2)), RuntimeError, "multiply up"),
    (lambda t: t.reshape(-1, -1), RuntimeError, "only one dimension"),
    (lambda t: t.movedim((0, 1), (0,)), RuntimeError, "same number"),
]


@pytest.mark.parametrize("number", range(len(ERRORS)))
def test_what_is_not_there_is_an_error(number: int) -> None:
    call, error, message = ERRORS[number]
    with pytest.raises(error, match=message):
        call(opwright.zeros(2, 3))


def test_more_parts_than_there_is_memory_for() -> None:
    tensor = opwright.zeros(2)
    with pytest.raises(MemoryError, match="tensors"):
        tensor.tensor_split(2**62)
    with pytest.raises(MemoryError, match="tensors"):
        tensor[:0].chunk(2**62)
    with pytest.raises(MemoryError, match="tensors"):
        tensor[:1].expand(2**62).unbind()


def test_many_parts_of_nothing() -> None:
    empty = opwright.zeros(0, 3)
    assert [tuple(part.shape) for part in empty.split(2)] == [(0, 3)]
    assert [tuple(part.shape) for part in empty.chunk(2)] == [(0, 3), (0, 3)]
    assert empty.unbind() == ()
    assert tuple(empty.view(3, 0).shape) == (3, 0)
    assert tuple(empty.diagonal().shape) == (0,)
    with pytest.raises(RuntimeError, match="ambiguous"):
        empty.reshape(-1, 0)
