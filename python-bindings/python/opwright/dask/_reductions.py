"""Reductions over several chunks: partial results, merged in a tree."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from math import isnan

import dask.array as da
from dask.core import flatten

from .. import _C
from ._accumulators import ACCUMULATORS, Accumulator
from ._blocks import ByName, tensor
from ._rows import Call, empty_like, home

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_PACKAGE = __name__.partition(".")[0]


def dims(call: Call) -> tuple[int, ...] | None:
    """The dimensions that a call reduces; `None` if its row says nothing of it.

    A reduction has `keepdim`, or is the overload without `dim` of an operator that has one with
    `keepdim`, or is in the table of accumulators.
    """
    arrays = [it for it in call.tensors.values() if isinstance(it, da.Array)]
    if len(call.tensors) != 1 or len(arrays) != 1 or not _reduces(call):
        return None
    ndim = arrays[0].ndim
    dim = call.argument("dim")
    if dim is None or (isinstance(dim, list | tuple) and not dim):
        return tuple(range(ndim))
    if isinstance(dim, str) or (isinstance(dim, list | tuple) and isinstance(dim[0], str)):
        raise ValueError("map(): dask arrays have no names of dimensions; pass their numbers")
    found = (dim,) if isinstance(dim, int) else tuple(dim)
    found = tuple(sorted(it % ndim for it in found)) if ndim else ()
    kept = ndim if call.argument("keepdim") else ndim - len(found)
    return found if all(it.ndim == kept for it in call.results) else None


def _reduces(call: Call) -> bool:
    name = _operator(call)
    if call.has("keepdim"):
        return call.has("dim")
    if call.has("dim"):
        return is_known(call)
    return is_known(call) or _has_keepdim(home(call.row), name)


def _has_keepdim(package: str, name: str) -> bool:
    """Whether an operator has an overload that reduces along `dim`."""
    operator = getattr(sys.modules[package + ".ops"], name)
    return any(
        "keepdim" in getattr(operator, overload).__signature__.parameters
        for overload in operator.overloads
    )


def is_known(call: Call) -> bool:
    """Whether partial results of it can be merged."""
    return _operator(call) in ACCUMULATORS and home(call.row) == _PACKAGE


def _operator(call: Call) -> str:
    """The name of the operator, without that of the overload."""
    return str(call.row.name).partition(".")[0]


def tree(call: Call, x: Any, dims: tuple[int, ...], split_every: Any) -> Any:
    """The reduced array, whose chunks have all results if there are several.

    Raises `ValueError` for chunks of unknown size where positions are asked for.
    """
    accumulator = ACCUMULATORS[_operator(call)].serving(call)
    options = tuple(
        (key, value)
        for key, value in call.bound.arguments.items()
        if key not in call.tensors and key not in ("dim", "keepdim")
    )
    is_flat = call.argument("dim") is None
    step = Step(accumulator, options, dims, tuple(it.dtype for it in call.results), is_flat)
    if accumulator.needs_positions:
        x = _with_positions(call, x, step)
    keep = bool(call.argument("keepdim")) and call.has("keepdim")
    meta = empty_like(call.results[0])
    return da.reduction(
        x,
        chunk=Chunk(step),
        combine=Merge(step),
        aggregate=Finish(step),
        axis=dims,
        keepdims=keep,
        concatenate=False,
        dtype=meta.dtype,
        split_every=split_every,
        name=call.row.name,
        meta=meta,
    )


def _with_positions(call: Call, x: Any, step: Step) -> Any:
    """An array whose chunks are partial results, which have positions in the whole array."""
    if any(isnan(size) for size in x.shape):
        raise ValueError(
            f"map(): `{call.row.name}` returns positions in the whole array, and the sizes of "
            f"some chunks are unknown; x.compute_chunk_sizes() calculates them"
        )
    meta = _C.empty((0,) * x.ndim, dtype=call.results[0].dtype)
    chunks = tuple((1,) * len(c) if dim in step.dims else c for dim, c in enumerate(x.chunks))
    return x.map_blocks(
        Positioned(step, x.shape), dtype=meta.dtype, meta=meta, chunks=chunks, name=None
    )


@dataclass(frozen=True)
class Step(ByName):
    """An accumulator with what it is told: options of the call, dimensions, dtypes of results."""

    accumulator: Accumulator
    options: tuple[tuple[str, Any], ...]
    dims: tuple[int, ...]
    dtypes: tuple[Any, ...]
    is_flat: bool

    def partial(self, x: Any, *position: Any) -> tuple[Any, ...]:
        """Partial results of a chunk, which keep the reduced dimensions."""
        if all(x.shape[dim] for dim in self.dims):
            return self.accumulator.partial(x, list(self.dims), dict(self.options), *position)
        # None of an empty chunk: of a maximum there is none to begin with.
        shape = [1 if dim in self.dims else size for dim, size in enumerate(x.shape)]
        sample = _C.zeros(shape, dtype=x.dtype)
        parts = self.accumulator.partial(sample, list(self.dims), dict(self.options), *position)
        return tuple(it.narrow(self.dims[0], 0, 0) for it in parts)

    def merge(self, parts: Any) -> tuple[Any, ...]:
        """Partial results of several chunks as those of one."""
        several = list(flatten(parts, container=list))
        columns = zip(*several, strict=True)
        joined = [_C.cat(list(column), self.dims[0]) for column in columns]
        if joined[0].shape[self.dims[0]] == 1:
            return tuple(joined)
        return self.accumulator.merge(joined, self.dims[0], dict(self.options))


@dataclass(frozen=True)
class Chunk(ByName):
    """The first step: partial results of a chunk."""

    step: Step

    def __call__(self, x: Any, axis: Any, keepdims: bool, computing_meta: bool = False) -> Any:
        """What `dask.array.reduction` calls for every chunk, and once while the graph is built."""
        if computing_meta or isinstance(x, tuple):
            return x
        return self.step.partial(tensor(x))


@dataclass(frozen=True)
class Positioned(ByName):
    """The first step where positions are asked for, which begin where the chunk does."""

    step: Step
    shape: tuple[int, ...]

    @property
    def __name__(self) -> str:
        return "positions"

    def __call__(self, x: Any, block_info: Any = None) -> Any:
        """Partial results of a chunk."""
        starts = [first for first, _ in block_info[0]["array-location"]]
        whole = list(self.shape) if self.step.is_flat else None
        return self.step.partial(tensor(x), starts, whole)


@dataclass(frozen=True)
class Merge(ByName):
    """A step between: partial results of several chunks as one."""

    step: Step

    def __call__(self, parts: Any, axis: Any, keepdims: bool, computing_meta: bool = False) -> Any:
        """What `dask.array.reduction` calls on lists of partial results."""
        return parts if computing_meta else self.step.merge(parts)


@dataclass(frozen=True)
class Finish(ByName):
    """The last step: results of what was merged."""

    step: Step

    def __call__(self, parts: Any, axis: Any, keepdims: bool, computing_meta: bool = False) -> Any:
        """What `dask.array.reduction` calls at the root."""
        if computing_meta:
            return parts
        step = self.step
        merged = step.merge(parts)
        results = step.accumulator.finish(merged, dict(step.options))
        made = []
        for result, dtype in zip(results, step.dtypes, strict=True):
            for dim in () if keepdims else reversed(step.dims):
                result = result.squeeze(dim)
            made.append(result.to(dtype))
        return made[0] if len(made) == 1 else tuple(made)
