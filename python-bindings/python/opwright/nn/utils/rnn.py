"""Sequences of different lengths as one tensor: padded, or packed without padding."""

from __future__ import annotations

from typing import NamedTuple

from opwright import _C
from opwright._functions import with_own_name
from opwright._kinds import kind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any, Self

    from opwright import Tensor

__all__ = [
    "PackedSequence",
    "invert_permutation",
    "pack_padded_sequence",
    "pack_sequence",
    "pad_packed_sequence",
    "pad_sequence",
    "unpack_sequence",
    "unpad_sequence",
]


class _Packed(NamedTuple):
    data: Tensor
    batch_sizes: Tensor
    sorted_indices: Tensor | None
    unsorted_indices: Tensor | None


class PackedSequence(_Packed):
    """Sequences step by step: the first elements of all, then the second ones of those that go on.

    `data` has these elements, from the longest sequence to the shortest at each step, and
    `batch_sizes` how many sequences have that step. `sorted_indices` are the places that sequences
    had before they were sorted by length, and `unsorted_indices` their places in that order, or
    None where they came sorted. Such are made by `pack_sequence` and `pack_padded_sequence`.
    """

    __slots__ = ()

    def __new__(
        cls,
        data: Tensor | tuple[Tensor, Tensor],
        batch_sizes: Tensor | None = None,
        sorted_indices: Tensor | None = None,
        unsorted_indices: Tensor | None = None,
    ) -> Self:
        """One of tensors that fit together; the first two may come as a pair."""
        elements: Any = data
        if batch_sizes is None:
            elements, sizes = elements
        else:
            sizes = batch_sizes
            if sizes.device.type != "cpu":
                raise ValueError(
                    f"PackedSequence(): argument 'batch_sizes' must be on cpu, not on "
                    f"{sizes.device.type}"
                )
        if sorted_indices is not None and sorted_indices.dtype not in (_C.int32, _C.int64):
            raise TypeError(
                f"PackedSequence(): argument 'sorted_indices' must be of int64, not of "
                f"{sorted_indices.dtype}"
            )
        if unsorted_indices is None:
            unsorted_indices = invert_permutation(sorted_indices)
        return super().__new__(cls, elements, sizes, sorted_indices, unsorted_indices)

    def to(self, *args: Any, **kwargs: Any) -> Self:
        """The same with `data` converted as `Tensor.to` does it, and indices on its device."""
        data = self.data.to(*args, **kwargs)
        if data is self.data:
            return self
        indices = (it if it is None else it.to(data.device) for it in self[2:])
        return type(self)(data, self.batch_sizes, *indices)

    def cpu(self) -> Self:
        """The same on the device `cpu`."""
        return self.to("cpu")

    def double(self) -> Self:
        """The same with data of float64."""
        return self.to(_C.float64)

    def float(self) -> Self:
        """The same with data of float32."""
        return self.to(_C.float32)

    def half(self) -> Self:
        """The same with data of float16."""
        return self.to(_C.float16)

    def long(self) -> Self:
        """The same with data of int64."""
        return self.to(_C.int64)

    def int(self) -> Self:
        """The same with data of int32."""
        return self.to(_C.int32)

    def short(self) -> Self:
        """The same with data of int16."""
        return self.to(_C.int16)

    def char(self) -> Self:
        """The same with data of int8."""
        return self.to(_C.int8)

    def byte(self) -> Self:
        """The same with data of uint8."""
        return self.to(_C.uint8)


def invert_permutation(permutation: Tensor | None) -> Tensor | None:
    """The permutation that undoes another; None for None.

    >>> opwright.nn.utils.rnn.invert_permutation(opwright.tensor([2, 0, 1]))
    tensor([1, 2, 0], dtype=int64, shape=(3,))
    """
    if permutation is None:
        return None
    places = _C.arange(permutation.numel(), device=permutation.device)
    return _C.empty_like(places).scatter_(0, permutation, places)


@with_own_name()
def pad_sequence(
    sequences: Tensor | Iterable[Tensor],
    batch_first: bool = False,
    padding_value: float = 0.0,
    padding_side: str = "right",
) -> Tensor:
    """Sequences as one tensor, with `padding_value` where one is shorter than the longest.

    They differ in their first dimension. That is the first of the result, and the second one counts
    sequences, or the other way round if `batch_first`. The padding is at the `padding_side` of
    each, `"right"` or `"left"`. The dtype is that of the first.

        >>> pad_sequence = opwright.nn.utils.rnn.pad_sequence
        >>> pad_sequence([opwright.tensor([1, 2, 3]), opwright.tensor([4])], batch_first=True)
        tensor([[1, 2, 3],
                [4, 0, 0]], dtype=int64, shape=(2, 3))

    Raises:
        RuntimeError: there are no sequences, other dimensions differ, or the side is another word.
    """
    given = _sequences("pad_sequence", sequences)
    if padding_side not in ("left", "right"):
        raise RuntimeError(
            f"pad_sequence(): argument 'padding_side' must be 'left' or 'right', but is "
            f"{padding_side!r}"
        )
    first = given[0]
    lengths = [it.shape[0] for it in given]
    longest = max(lengths)
    steps, counts = _C.arange(longest, device=first.device), _C.tensor(lengths)
    if padding_side == "left":
        steps = longest - 1 - steps
    mask = steps < counts.to(first.device).unsqueeze(1)
    joined = _C.cat([it.to(first.dtype) for it in given])
    # The mask goes sequence by sequence, as what is joined, and the memory perhaps step by step.
    shape = (len(given), longest) if batch_first else (longest, len(given))
    padded = first.new_full((*shape, *first.shape[1:]), padding_value)
    (padded if batch_first else padded.transpose(0, 1))[mask] = joined
    return padded


def _sequences(name: str, sequences: Any) -> list[Tensor]:
    """Tensors with a dimension of steps, of which there is at least one."""
    if not hasattr(sequences, "__iter__"):
        raise RuntimeError(
            f"{name}(): argument 'sequences' must be a list of tensors, not {kind(sequences)}"
        )
    given = [*sequences]
    if not given:
        raise RuntimeError(f"{name}(): argument 'sequences' is empty")
    for at, it in enumerate(given):
        if not isinstance(it, _C.TensorBase):
            raise TypeError(
                f"{name}(): argument 'sequences' must have tensors, but number {at} is an object "
                f"of type {kind(it)}"
            )
        if it.dim() == 0 or it.shape[1:] != given[0].shape[1:]:
            raise RuntimeError(
                f"{name}(): argument 'sequences' must have tensors of the same shape but for the "
                f"first dimension, but there are {list(given[0].shape)} and {list(it.shape)}"
            )
    return given


@with_own_name()
def unpad_sequence(
    padded_sequences: Tensor, lengths: Tensor, batch_first: bool = False
) -> list[Tensor]:
    """The sequences of a padded tensor, each as long as `lengths` has it.

    Padding is at the right. One that would be longer than the tensor is as long as that.
    """
    padded = padded_sequences if batch_first else padded_sequences.transpose(0, 1)
    steps = _C.arange(padded.shape[1], device=padded.device)
    return [it[steps < length] for it, length in zip(padded, lengths.tolist(), strict=False)]


@with_own_name()
def pack_padded_sequence(
    input: Tensor,
    lengths: Tensor | Sequence[int],
    batch_first: bool = False,
    enforce_sorted: bool = True,
) -> PackedSequence:
    """Padded sequences without their padding, which is at the right.

    `input` counts steps in its first dimension and sequences in its second, or the other way round
    if `batch_first`. `lengths` has the length of each. They go from the longest to the shortest,
    unless `enforce_sorted` is false: sequences are sorted then.

        >>> rnn = opwright.nn.utils.rnn
        >>> packed = rnn.pack_padded_sequence(opwright.tensor([[1, 2], [3, 0]]), [2, 1])
        >>> packed.data.tolist(), packed.batch_sizes.tolist()
        ([1, 2, 3], [2, 1])

    Raises:
        RuntimeError: there are no elements, there is not one length for each sequence, one is below
            1 or beyond the steps, or lengths are not sorted although they have to be.
    """
    counts = _C.as_tensor(lengths, device="cpu").to(_C.int64)
    order = None
    if not enforce_sorted and counts.dim() == 1:
        counts, order = _C.sort(counts, descending=True)
        order = order.to(input.device)
    padded = input.transpose(0, 1) if batch_first else input
    _check_lengths(padded, counts)
    if order is not None:
        padded = padded.index_select(1, order)
    steps = _C.arange(int(counts[0])).unsqueeze(1)
    mask = steps < counts
    data = padded[: mask.shape[0]][mask.to(input.device)]
    return PackedSequence(data, mask.sum(1), order)


def _check_lengths(padded: Tensor, lengths: Tensor) -> None:
    name = "pack_padded_sequence(): argument"
    if padded.numel() == 0 or padded.dim() < 2:
        raise RuntimeError(
            f"{name} 'input' must have steps, sequences and elements, but has the shape "
            f"{list(padded.shape)}"
        )
    found = lengths.tolist()
    if lengths.shape != (padded.shape[1],):
        raise RuntimeError(
            f"{name} 'lengths' must have one for each of {padded.shape[1]} sequences, but has the "
            f"shape {list(lengths.shape)}"
        )
    if found != sorted(found, reverse=True):
        raise RuntimeError(
            f"{name} 'lengths' must go from the longest to the shortest, but is {found}; with "
            f"enforce_sorted=False, sequences are sorted"
        )
    if found[-1] < 1 or found[0] > padded.shape[0]:
        raise RuntimeError(
            f"{name} 'lengths' must be from 1 to the number of steps, which is {padded.shape[0]}, "
            f"but is {found}"
        )


@with_own_name()
def pad_packed_sequence(
    sequence: PackedSequence,
    batch_first: bool = False,
    padding_value: float = 0.0,
    total_length: int | None = None,
) -> tuple[Tensor, Tensor]:
    """Packed sequences as one tensor with `padding_value` at the right, and their lengths.

    The tensor counts steps in its first dimension and sequences in its second, or the other way
    round if `batch_first`. It has as many steps as the longest sequence, or `total_length` of them.
    Sequences are in the order in which they were before they were packed.

        >>> rnn = opwright.nn.utils.rnn
        >>> packed = rnn.pack_sequence([opwright.tensor([4, 5]), opwright.tensor([6])])
        >>> rnn.pad_packed_sequence(packed, batch_first=True)[0].tolist()
        [[4, 5], [6, 0]]

    Raises:
        ValueError: `total_length` is less than the longest sequence has.
    """
    data, sizes, _, places = sequence
    longest = sizes.numel()
    if total_length is not None and total_length < longest:
        raise ValueError(
            f"pad_packed_sequence(): argument 'total_length' must be at least the length of the "
            f"longest sequence, which is {longest}, but is {total_length}"
        )
    mask = _C.arange(int(sizes[0])) < sizes.unsqueeze(1)
    steps = longest if total_length is None else total_length
    padded = data.new_full((steps, mask.shape[1], *data.shape[1:]), padding_value)
    padded[:longest][mask.to(data.device)] = data
    lengths = mask.sum(0)
    if batch_first:
        padded = padded.transpose(0, 1)
    if places is not None:
        padded = padded.index_select(0 if batch_first else 1, places)
        lengths = lengths[places.cpu()]
    return padded, lengths


@with_own_name()
def pack_sequence(sequences: Iterable[Tensor], enforce_sorted: bool = True) -> PackedSequence:
    """Sequences, which differ in their first dimension, packed.

    They go from the longest to the shortest, unless `enforce_sorted` is false.

        >>> x = opwright.arange(6)
        >>> opwright.nn.utils.rnn.pack_sequence([x[:3], x[3:5], x[5:]]).data.tolist()
        [0, 3, 5, 1, 4, 2]

    Raises:
        RuntimeError: there are no sequences, one is empty, other dimensions differ, or they are not
            sorted although they have to be.
    """
    given = _sequences("pack_sequence", sequences)
    lengths = [it.shape[0] for it in given]
    return pack_padded_sequence(pad_sequence(given), lengths, enforce_sorted=enforce_sorted)


@with_own_name()
def unpack_sequence(packed_sequences: PackedSequence) -> list[Tensor]:
    """The sequences that were packed, in the order in which they were before."""
    padded, lengths = pad_packed_sequence(packed_sequences, batch_first=True)
    return unpad_sequence(padded, lengths, batch_first=True)
