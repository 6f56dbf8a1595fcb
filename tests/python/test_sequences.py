"""Sequences of different lengths: padded, packed, and back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import opwright
import pytest
from layouts import Array
from opwright import Tensor
from opwright.nn.utils import rnn

LENGTHS = [[3, 2, 1], [4, 4, 4], [1], [5, 1, 1, 1]]
UNSORTED = [[1, 3, 2], [2, 2, 5, 4], [1, 1, 2]]


def arrays(lengths: list[int], rest: tuple[int, ...] = (2,)) -> list[Array]:
    rng = np.random.default_rng(0)
    return [rng.normal(size=(it, *rest)) for it in lengths]


def tensors(lengths: list[int], rest: tuple[int, ...] = (2,)) -> list[Tensor]:
    return [opwright.from_numpy(it) for it in arrays(lengths, rest)]


def padded(given: list[Array], value: float, side: str = "right", steps: int = 0) -> Array:
    """Sequences in the first dimension, by numpy."""
    longest = max(steps, *(len(it) for it in given))
    made = np.full((len(given), longest, *given[0].shape[1:]), value)
    for row, it in zip(made, given, strict=True):
        row[longest - len(it) if side == "left" else 0 :][: len(it)] = it
    return made


@pytest.mark.parametrize("lengths", [*LENGTHS, *UNSORTED, [0, 2], [0, 0]])
@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("rest", [(), (2,), (2, 3)])
def test_padding(lengths: list[int], side: str, rest: tuple[int, ...]) -> None:
    expected = padded(arrays(lengths, rest), 0.5, side)
    found = rnn.pad_sequence(tensors(lengths, rest), True, 0.5, side)
    assert found.tolist() == expected.tolist()
    found = rnn.pad_sequence(tensors(lengths, rest), padding_value=0.5, padding_side=side)
    assert found.tolist() == expected.swapaxes(0, 1).tolist()
    assert found.is_contiguous()


def test_padding_takes_what_is_a_list_of_tensors() -> None:
    x = opwright.ones(3, 2)
    assert rnn.pad_sequence(x).shape == (2, 3)
    assert rnn.pad_sequence(iter([x, x])).shape == (3, 2, 2)
    mixed = rnn.pad_sequence([opwright.tensor([1]), opwright.tensor([2.5, 3.5])])
    assert mixed.dtype == opwright.int64 and mixed.tolist() == [[1, 2], [0, 3]]


@pytest.mark.parametrize("batch_first", [False, True])
@pytest.mark.parametrize("lengths", [*LENGTHS, *UNSORTED])
def test_what_is_padded_is_found_again(lengths: list[int], batch_first: bool) -> None:
    given = tensors(lengths)
    joined = rnn.pad_sequence(given, batch_first)
    found = rnn.unpad_sequence(joined, opwright.tensor(lengths), batch_first)
    assert [it.tolist() for it in found] == [it.tolist() for it in given]
    # Lengths are not limits of the memory, and the tensor stays what it is.
    assert joined.shape[0 if batch_first else 1] == len(lengths)
    (first, *_) = rnn.unpad_sequence(joined, opwright.tensor([99] * len(lengths)), batch_first)
    assert len(first) == max(lengths)


def packed_by_hand(given: list[Array]) -> tuple[list[Any], list[int]]:
    """The elements step by step, from the longest sequence to the shortest."""
    order = sorted(given, key=len, reverse=True)
    steps = [[it[at].tolist() for it in order if at < len(it)] for at in range(len(order[0]))]
    return [it for step in steps for it in step], [len(it) for it in steps]


@pytest.mark.parametrize("lengths", [*LENGTHS, *UNSORTED])
@pytest.mark.parametrize("rest", [(), (2,), (2, 3)])
def test_packing(lengths: list[int], rest: tuple[int, ...]) -> None:
    is_sorted = lengths in LENGTHS
    packed = rnn.pack_sequence(tensors(lengths, rest), enforce_sorted=is_sorted)
    data, sizes = packed_by_hand(arrays(lengths, rest))
    assert packed.data.tolist() == data and packed.batch_sizes.tolist() == sizes
    assert packed.batch_sizes.dtype == opwright.int64
    if is_sorted:
        assert packed.sorted_indices is None and packed.unsorted_indices is None
    else:
        assert packed.sorted_indices is not None and packed.unsorted_indices is not None
        places = packed.sorted_indices.tolist()
        assert [lengths[it] for it in places] == sorted(lengths, reverse=True)
        assert packed.unsorted_indices[places].tolist() == list(range(len(lengths)))
    found = rnn.unpack_sequence(packed)
    assert [it.tolist() for it in found] == [it.tolist() for it in arrays(lengths, rest)]


@pytest.mark.parametrize("batch_first", [False, True])
@pytest.mark.parametrize("lengths", [*LENGTHS, *UNSORTED])
@pytest.mark.parametrize("more", [None, 0, 2])
def test_packing_what_is_padded(lengths: list[int], batch_first: bool, more: int | None) -> None:
    # What is beyond the lengths does not matter, nor that there are steps no sequence has.
    source = opwright.from_numpy(padded(arrays(lengths), 7.0, steps=6))
    given: list[Any] = [lengths, tuple(lengths), opwright.tensor(lengths, dtype=opwright.int32)]
    for each in given:
        packed = rnn.pack_padded_sequence(
            source if batch_first else source.transpose(0, 1), each, batch_first, lengths in LENGTHS
        )
        steps = None if more is None else max(lengths) + more
        found, counts = rnn.pad_packed_sequence(packed, batch_first, -1.0, steps)
        expected = padded(arrays(lengths), -1.0, steps=steps or 0)
        assert counts.tolist() == lengths
        assert (found if batch_first else found.transpose(0, 1)).tolist() == expected.tolist()


@pytest.mark.parametrize("lengths", [[3, 2, 1], [1, 3, 2]])
def test_gradients_go_to_the_elements(lengths: list[int]) -> None:
    given = [it.requires_grad_() for it in tensors(lengths)]
    packed = rnn.pack_sequence(given, enforce_sorted=False)
    found, _ = rnn.pad_packed_sequence(packed, padding_value=3.0)
    (found**3).sum().backward()
    for it, value in zip(given, arrays(lengths), strict=True):
        assert it.grad is not None
        np.testing.assert_allclose(it.grad.numpy(), 3 * value**2)

    def both(*sequences: Tensor) -> tuple[Tensor, ...]:
        left = rnn.pad_sequence([*sequences], padding_side="left")
        return left, rnn.pack_sequence([*sequences], enforce_sorted=False).data

    assert opwright.autograd.gradcheck(both, tuple(given))


def test_packed_sequences_are_tuples_that_are_converted() -> None:
    packed = rnn.pack_sequence(tensors([1, 2]), enforce_sorted=False)
    data, sizes, order, places = packed
    assert packed == (data, sizes, order, places) and packed.double() is packed
    assert packed.cpu() is packed
    for name in ("float", "half", "long", "int", "short", "char", "byte"):
        made = getattr(packed, name)()
        assert type(made) is rnn.PackedSequence
        assert made.data.dtype == getattr(packed.data, name)().dtype
        assert made.batch_sizes is sizes and made.unsorted_indices is not None
    meta = packed.to("meta")
    assert meta.data.device.type == "meta" and meta.batch_sizes.device.type == "cpu"
    pair = rnn.PackedSequence((data, sizes), sorted_indices=order)
    assert pair.unsorted_indices is not None and places is not None
    assert pair.unsorted_indices.tolist() == places.tolist()
    with pytest.raises(ValueError, match="'batch_sizes' must be on cpu, not on meta"):
        rnn.PackedSequence(data, sizes.to("meta"))


def test_permutations_are_inverted() -> None:
    order = np.random.default_rng(0).permutation(20)
    found = rnn.invert_permutation(opwright.from_numpy(order))
    assert found is not None and found.tolist() == np.argsort(order).tolist()
    assert rnn.invert_permutation(None) is None


X = opwright.ones(4, 3, 2)
REFUSED: list[tuple[Callable[[], Any], type[Exception], str]] = [
    (lambda: rnn.pad_sequence([]), RuntimeError, "pad_sequence.*'sequences' is empty"),
    (lambda: rnn.pad_sequence(5), RuntimeError, "must be a list of tensors, not int"),  # type: ignore[arg-type]
    (lambda: rnn.pad_sequence([5]), TypeError, "number 0 is an object of type int"),  # type: ignore[list-item]
    (lambda: rnn.pad_sequence([X[0, 0, 0]]), RuntimeError, "same shape but for the first"),
    (lambda: rnn.pad_sequence([X, X[0]]), RuntimeError, r"\[4, 3, 2\] and \[3, 2\]"),
    (lambda: rnn.pad_sequence([X], padding_side="up"), RuntimeError, "'left' or 'right'.*'up'"),
    (lambda: rnn.pack_sequence([]), RuntimeError, "pack_sequence.*'sequences' is empty"),
    (lambda: rnn.pack_sequence([X[:1], X]), RuntimeError, "from the longest to the shortest"),
    (lambda: rnn.pack_sequence([X, X[:0]]), RuntimeError, "pack_sequence.*from 1 to the number"),
    (lambda: rnn.pack_padded_sequence(X, [1, 2, 3]), RuntimeError, "enforce_sorted=False"),
    (lambda: rnn.pack_padded_sequence(X, [2, 1]), RuntimeError, "one for each of 3 sequences"),
    (lambda: rnn.pack_padded_sequence(X, []), RuntimeError, r"has the shape \[0\]"),
    (lambda: rnn.pack_padded_sequence(X, [[3, 2, 1]]), RuntimeError, r"has the shape \[1, 3\]"),  # type: ignore[list-item]
    (lambda: rnn.pack_padded_sequence(X, [3, 2, 0]), RuntimeError, "must be from 1 to .* is 4"),
    (lambda: rnn.pack_padded_sequence(X, [2, -1, 3], False, False), RuntimeError, "from 1 to"),
    (lambda: rnn.pack_padded_sequence(X, [5, 2, 1]), RuntimeError, "from 1 to .* is 4, but is"),
    (lambda: rnn.pack_padded_sequence(X[:0], [1, 1, 1]), RuntimeError, r"shape \[0, 3, 2\]"),
    (lambda: rnn.pack_padded_sequence(X[:, 0, 0], [4]), RuntimeError, r"the shape \[4\]"),
    (
        lambda: rnn.pad_packed_sequence(rnn.pack_sequence([X]), total_length=3),
        ValueError,
        "'total_length' must be at least .* is 4, but is 3",
    ),
]


@pytest.mark.parametrize(("call", "error", "message"), REFUSED)
def test_what_are_no_sequences_is_refused(
    call: Callable[[], Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        call()
