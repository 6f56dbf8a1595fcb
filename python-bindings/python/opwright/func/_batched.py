"""Batched tensors: what a function that `vmap` calls sees of a tensor whose samples are all there.

A batched tensor has shape and dtype of one sample, and no elements: it is a meta tensor with the
whole batch beside it, whose first dimensions are the samples of one level each, in the order of the
levels. Every call takes it to `_batching`, and what would read elements is refused.
"""

from __future__ import annotations

import threading

from opwright import _C
from opwright._tensor import Tensor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any, Never

# The numbers of levels, ascending: that of a `vmap` is greater than those around it.
_Levels = tuple[int, ...]


class _Active(threading.local):
    """The levels that this thread is in: their sizes, and how random numbers behave."""

    def __init__(self) -> None:
        self.sizes: dict[int, int] = {}
        self.randomness: list[str] = []


_ACTIVE = _Active()


def begin(size: int, randomness: str) -> int:
    """Begin a level with so many samples, and return its number."""
    level = len(_ACTIVE.randomness)
    _ACTIVE.sizes[level] = size
    _ACTIVE.randomness.append(randomness)
    return level


def end(level: int) -> None:
    """End the innermost level."""
    del _ACTIVE.sizes[level]
    _ACTIVE.randomness.pop()


def randomness() -> str:
    """How random numbers behave in the innermost level."""
    return _ACTIVE.randomness[-1] if _ACTIVE.randomness else "same"


class BatchedTensor(Tensor):
    """One sample, standing for all."""

    _physical: Tensor
    _levels: _Levels

    @classmethod
    def __opwright_function__(
        cls,
        function: Callable[..., Any],
        types: tuple[type, ...],
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> Any:
        """Run the function for all samples."""
        from . import _batching

        return _batching.call(function, args, kwargs or {})

    def __repr__(self, **_: Any) -> str:
        return f"BatchedTensor(levels={list(self._levels)}, value={self._physical!r})"

    def __getitem__(self, key: Any) -> Any:
        return type(self).__opwright_function__(Tensor.__getitem__, (), (self, key))

    def __setitem__(self, key: Any, value: Any) -> None:
        type(self).__opwright_function__(Tensor.__setitem__, (), (self, key, value))

    def __iter__(self) -> Iterator[Any]:
        return iter(self.unbind(0))

    def __contains__(self, _: object) -> Never:
        _refuse("`in`")

    def __bool__(self) -> Never:
        _refuse("a branch, or `bool()`,")

    def __float__(self) -> Never:
        _refuse("float()")

    def __int__(self) -> Never:
        _refuse("int()")

    def __index__(self) -> Never:
        _refuse("an index of Python")

    def __complex__(self) -> Never:
        _refuse("complex()")

    def __array__(self, *_: Any, **__: Any) -> Never:
        _refuse("a numpy array")

    def item(self) -> Never:
        """Raise `RuntimeError`: there is one for each sample."""
        _refuse(".item()")

    def tolist(self) -> Never:
        """Raise `RuntimeError`: there is one for each sample."""
        _refuse(".tolist()")

    def numpy(self, **_: Any) -> Never:
        """Raise `RuntimeError`: there is one for each sample."""
        _refuse(".numpy()")

    def data_ptr(self) -> Never:
        """Raise `RuntimeError`: there is one for each sample."""
        _refuse(".data_ptr()")

    def __dlpack__(self, **_: Any) -> Never:
        _refuse("DLPack")

    def __reversed__(self) -> Iterator[Any]:  # type: ignore[override]
        return reversed(self.unbind(0))

    def storage(self) -> Never:
        """Raise `RuntimeError`: the samples share one."""
        _refuse(".storage()")

    def untyped_storage(self) -> Never:
        """Raise `RuntimeError`: the samples share one."""
        _refuse(".untyped_storage()")

    def backward(self, *_: Any, **__: Any) -> Never:
        """Raise `RuntimeError`: a transform differentiates each sample."""
        raise RuntimeError(
            "vmap: backward() adds to tensors outside of the function; use opwright.func.grad "
            "inside of vmap"
        )

    def requires_grad_(self, requires_grad: bool = True) -> Any:
        """Record the samples."""
        self._physical.requires_grad_(requires_grad)
        return self

    @property  # type: ignore[misc]
    def requires_grad(self) -> bool:
        """Whether the samples are recorded."""
        return self._physical.requires_grad

    @property
    def device(self) -> Any:
        """Where the samples are."""
        return self._physical.device

    @property
    def is_meta(self) -> bool:
        """Whether the samples have no elements."""
        return self._physical.is_meta

    @property
    def is_cpu(self) -> bool:
        """Whether the samples are in the memory of the processor."""
        return self._physical.is_cpu

    @property
    def is_leaf(self) -> bool:
        """Whether no recorded call made the samples."""
        return self._physical.is_leaf

    @property
    def grad_fn(self) -> Any:
        """The recorded call that made the samples."""
        return self._physical.grad_fn

    @property  # type: ignore[misc]
    def data(self) -> Any:
        """The samples without their history."""
        return self.detach()

    @property
    def T(self) -> Any:  # noqa: N802
        """The dimensions the other way round."""
        return self.permute(tuple(range(self.dim() - 1, -1, -1)))

    @property
    def mT(self) -> Any:  # noqa: N802
        """The matrices transposed."""
        return self.transpose(-2, -1)

    @property
    def H(self) -> Any:  # noqa: N802
        """The matrix transposed and conjugated."""
        return self.T.conj()

    @property
    def mH(self) -> Any:  # noqa: N802
        """The matrices transposed and conjugated."""
        return self.mT.conj()

    @property  # type: ignore[misc]
    def real(self) -> Any:
        """The real parts."""
        return wrapped(self._physical.real, self._levels)

    @property  # type: ignore[misc]
    def imag(self) -> Any:
        """The imaginary parts."""
        return wrapped(self._physical.imag, self._levels)


def _conversion(dtype: Any) -> Callable[..., Any]:
    def converted(self: BatchedTensor, *, memory_format: Any = None) -> Any:
        """Convert the samples."""
        options = {} if memory_format is None else {"memory_format": memory_format}
        return self.to(dtype, **options)

    return converted


# Methods that ask for a dtype by its name look at the tensor alone.
for _name, _dtype in {
    "bfloat16": _C.bfloat16,
    "bool": _C.bool,
    "byte": _C.uint8,
    "cdouble": _C.complex128,
    "cfloat": _C.complex64,
    "char": _C.int8,
    "double": _C.float64,
    "float": _C.float32,
    "half": _C.float16,
    "int": _C.int32,
    "long": _C.int64,
    "short": _C.int16,
}.items():
    setattr(BatchedTensor, _name, _conversion(_dtype))


def _refuse(what: str) -> Never:
    raise RuntimeError(
        f"vmap: {what} wants the elements of one sample, and the function runs once for all of "
        "them; opwright.where chooses between results for each sample"
    )


# --- from samples to batches, and back ----------------------------------------------


def levels_of(value: Any) -> _Levels:
    """The levels that a value has samples of."""
    return value._levels if isinstance(value, BatchedTensor) else ()


def physical(tensor: Any) -> Any:
    """The whole batch of a tensor; itself if it has none."""
    return tensor._physical if isinstance(tensor, BatchedTensor) else tensor


def union(values: Iterable[Any]) -> _Levels:
    """The levels that any of these has samples of."""
    found: set[int] = set()
    for it in values:
        found.update(levels_of(it))
    return tuple(sorted(found))


def wrapped(batch: Any, levels: _Levels) -> Any:
    """The tensor whose batch this is: its first dimensions are the samples of these levels."""
    if not levels:
        return batch
    sample = _C.empty(tuple(batch.shape[len(levels) :]), dtype=batch.dtype, device="meta")
    tensor = sample.as_subclass(BatchedTensor)
    tensor._physical, tensor._levels = batch, levels
    return tensor


def aligned(tensor: Any, levels: _Levels, rank: int | None = None) -> Tensor:
    """The batch with a dimension for each of these levels, and with so many behind them.

    It is of size 1 for a level that the tensor has no samples of.
    """
    own, batch = levels_of(tensor), physical(tensor)
    dims = tensor.dim()
    key: list[Any] = [slice(None) if it in own else None for it in levels]
    key += [None] * (max(rank - dims, 0) if rank is not None else 0)
    found: Tensor = batch[tuple(key)] if None in key else batch
    return found


def sizes_of(levels: _Levels) -> tuple[int, ...]:
    """How many samples there are of each level."""
    if not _ACTIVE.sizes.keys() >= set(levels):
        raise RuntimeError(
            "vmap: a tensor of one sample is used outside of the function that it belongs to; "
            "return it instead"
        )
    return tuple(_ACTIVE.sizes[it] for it in levels)


def expanded(tensor: Any, levels: _Levels, rank: int | None = None) -> Tensor:
    """The batch with all samples of these levels, and with so many dimensions behind them."""
    batch = aligned(tensor, levels, rank)
    sizes = sizes_of(levels) if levels != levels_of(tensor) else tuple(batch.shape[: len(levels)])
    shape = sizes + tuple(batch.shape[len(levels) :])
    return batch if tuple(batch.shape) == shape else batch.expand(shape)


def spread(tensor: Any) -> tuple[Tensor, _Levels]:
    """The batch of a tensor over all levels that this thread is in, and these."""
    levels = tuple(_ACTIVE.sizes)
    return expanded(tensor, levels), levels
