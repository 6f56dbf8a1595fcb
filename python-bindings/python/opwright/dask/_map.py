"""Operators over dask arrays: the rule by which each runs on chunks, read from its row."""

from __future__ import annotations

from math import isnan

import dask.array as da

from . import _reductions
from ._blocks import Block, Select
from ._rows import Call, empty_like, resolve, rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def map(op: Any, /, *args: Any, **kwargs: Any) -> Any:
    """Apply an operator to dask arrays, chunk by chunk.

    Shapes and dtypes come from its Meta kernel: nothing is calculated before `compute()`. The row
    of the overload that takes the arguments says how it runs:

    - It is tagged `pointwise`: on chunks that face each other, broadcast as tensors are.
    - It has `keepdim`: it is reduced. Where the dimensions have one chunk each, every chunk is
      reduced alone; where they have several, partial results are merged in a tree.
    - It works along `dim`: every chunk alone, if that dimension has one chunk.
    - It is a product of matrices: block by block, as `x @ y`.
    - All arrays have one chunk: in one task.

    Args:
        op: An operator (`opwright.ops.logsumexp`), an overload (`opwright.ops.logsumexp.default`)
            or a function (`opwright.logsumexp`); also of another module of operators.
        *args: Its arguments: dask arrays, tensors, numbers and whatever else it takes.
        **kwargs: Arguments by name, and `split_every`: how many partial results are merged at once.

    Returns:
        A dask array whose chunks are tensors; a tuple of them for several results.

    Raises:
        TypeError: It is no operator, or takes no such arguments.
        ValueError: There is no rule by which it could run on these chunks; the message says how
            they have to lie.

    >>> x = da.from_array(opwright.ones(1000, 1000), chunks=250, asarray=False)
    >>> opwright.dask.map(opwright.ops.logsumexp, x, [1])
    """
    split_every = kwargs.pop("split_every", None)
    _refuse_tagged(op)
    call = resolve(op, args, kwargs)
    _refuse(call)
    if "pointwise" in call.row.tags:
        return _pointwise(call)
    reduced = _reductions.dims(call)
    if reduced is not None:
        return _reduced(call, reduced, split_every)
    if _is_along(call):
        return _along(call, _dims(call))
    if _is_product(call):
        return da.matmul(*(_array(it) for it in call.tensors.values()))
    return _alone(call)


# What has no meaning over chunks, by the tag that says so.
_REFUSED = {
    "nondeterministic_seeded": "draws random numbers, and a chunk that is made again would have "
    "others; use `dask.array.random`, whose chunks have seeds of their own",
    "dynamic_output_shape": "has results whose shape depends on elements; use `x.map_blocks`, and "
    "say there what `chunks` come out",
    "data_dependent_output": "returns what depends on all elements at once; compute the arrays "
    "first",
}


def _refuse_tagged(op: Any) -> None:
    """Refuses operators that say of all their overloads that chunks are too little."""
    tags = [row.tags for row in rows(op) if not row.mutates]
    for tag, reason in _REFUSED.items():
        if tags and all(tag in it for it in tags):
            raise ValueError(f"map(): `{op.__name__}` {reason}")


def _refuse(call: Call) -> None:
    """Refuses what cannot run on chunks."""
    name = call.row.name
    if call.row.mutates:
        raise ValueError(f"map(): `{name}` writes to an argument, and chunks are not written to")
    for tag, reason in _REFUSED.items():
        if tag in call.row.tags:
            raise ValueError(f"map(): `{name}` {reason}")
    if not all(hasattr(it, "ndim") for it in call.results):
        raise ValueError(
            f"map(): `{name}` returns no tensors, or lists of them; use `x.map_blocks`"
        )
    for key, value in call.bound.arguments.items():
        is_list = isinstance(value, list | tuple)
        if is_list and any(isinstance(it, da.Array) for it in value):
            raise ValueError(
                f"map(): `{name}` got dask arrays in the list `{key}`; join them with "
                f"`dask.array`, or pass one"
            )
        if isinstance(value, da.Array) and key not in call.tensors:
            raise TypeError(f"map(): `{name}` got a dask array as `{key}`, which is no tensor")
    if not any(isinstance(it, da.Array) for it in call.tensors.values()):
        raise TypeError(f"map(): `{name}` got no dask array; call it directly")


def _pointwise(call: Call) -> Any:
    ndim = call.results[0].ndim
    arrays = {name: it for name, it in call.tensors.items() if _is_array(it)}
    pairs = [(_array(it), tuple(range(ndim - it.ndim, ndim))) for it in arrays.values()]
    return _blockwise(call, tuple(arrays), tuple(range(ndim)), pairs)


def _is_array(value: Any) -> bool:
    return hasattr(value, "ndim")


def _array(value: Any) -> Any:
    """A tensor as a dask array of one chunk."""
    if isinstance(value, da.Array):
        return value
    return da.from_array(value, chunks=-1, asarray=False)


def _reduced(call: Call, dims: tuple[int, ...], split_every: Any) -> Any:
    (name,) = (key for key, it in call.tensors.items() if isinstance(it, da.Array))
    x = call.tensors[name]
    if all(x.numblocks[dim] == 1 for dim in dims):
        return _whole(call, name, dims)
    if _reductions.is_known(call):
        return _several(call, _reductions.tree(call, x, dims, split_every))
    raise _chunked(call, x, dims, "reduces")


def _whole(call: Call, name: str, dims: tuple[int, ...]) -> Any:
    """Reduces every chunk alone: there is one along each of the dimensions."""
    x = call.tensors[name]
    index = tuple(range(x.ndim))
    kept = call.results[0].ndim == x.ndim
    out = index if kept else tuple(dim for dim in index if dim not in dims)
    sizes = dict.fromkeys(dims, 1) if kept else {}
    return _blockwise(call, (name,), out, [(x, index)], adjust_chunks=sizes)


def _dims(call: Call) -> tuple[int, ...]:
    """The dimensions along which it works."""
    ndim = max(it.ndim for it in call.tensors.values())
    dim = call.argument("dim")
    if dim is None:
        return tuple(range(ndim))
    dims = (dim,) if isinstance(dim, int) else tuple(dim)
    return tuple(it % ndim for it in dims)


def _is_along(call: Call) -> bool:
    """Whether the row says that it works along `dim`, and keeps other dimensions apart."""
    arrays = [it for it in call.tensors.values() if isinstance(it, da.Array)]
    if len(arrays) != len(call.tensors) or len({it.ndim for it in arrays}) != 1:
        return False
    if not call.has("dim") or call.row.is_view or call.row.name.partition(".")[0] in _ACROSS:
        return False
    if arrays[0].ndim == 0:
        return False
    dims = _dims(call)
    shapes = {tuple(n for d, n in enumerate(it.shape) if d not in dims) for it in arrays}
    rest = tuple(n for d, n in enumerate(arrays[0].shape) if d not in dims)
    return len(shapes) == 1 and all(
        _beside(it, arrays[0].ndim, dims, rest) is not None for it in call.results
    )


# `dim` is the one that these keep apart: they work along all others.
_ACROSS = {"renorm"}


def _beside(
    result: Any, ndim: int, dims: tuple[int, ...], rest: tuple[float, ...]
) -> tuple[int, ...] | None:
    """The dimensions of the arguments that those of a result are, if those beside `dims` stay."""
    index = tuple(range(ndim))
    if result.ndim != ndim:
        index = tuple(dim for dim in index if dim not in dims)
    if result.ndim != len(index):
        return None
    sizes = tuple(result.shape[at] for at, dim in enumerate(index) if dim not in dims)
    fits = all(isnan(there) or there == here for there, here in zip(rest, sizes, strict=True))
    return index if fits else None


def _along(call: Call, dims: tuple[int, ...]) -> Any:
    arrays = call.tensors
    first = next(iter(arrays.values()))
    for it in arrays.values():
        if any(it.numblocks[dim] != 1 for dim in dims):
            raise _chunked(call, it, dims, "works along")
    index = tuple(range(first.ndim))
    result = call.results[0]
    out = index if result.ndim == first.ndim else tuple(d for d in index if d not in dims)
    sizes = {dim: result.shape[dim] for dim in dims} if out == index else {}
    # Sizes along the dimensions may differ between arguments: an index of its own for each.
    pairs = [
        (it, tuple(d if d not in dims or it is first else (at, d) for d in index))
        for at, it in enumerate(arrays.values())
    ]
    return _blockwise(call, tuple(arrays), out, pairs, adjust_chunks=sizes)


# What `@` does of operands that these take.
_PRODUCTS = {"matmul", "mm", "mv", "bmm"}


def _is_product(call: Call) -> bool:
    """Whether dask multiplies it block by block; one block is for the operator."""
    arrays = [it for it in call.tensors.values() if isinstance(it, da.Array)]
    is_split = any(it.npartitions != 1 for it in arrays)
    return is_split and call.row.name.partition(".")[0] in _PRODUCTS


def _alone(call: Call) -> Any:
    """Runs in one task, on whole arrays."""
    for it in call.tensors.values():
        if isinstance(it, da.Array) and it.npartitions != 1:
            raise ValueError(
                f"map(): there is no rule by which `{call.row.name}` could run on chunks: it is "
                f"not tagged `pointwise`, and reduces or works along no `dim`; "
                f"x.rechunk(-1) makes one chunk of an array of {it.npartitions}, and "
                f"x.map_blocks takes every chunk for itself"
            )
    arrays = {name: it for name, it in call.tensors.items() if isinstance(it, da.Array)}
    if any(isnan(size) for it in arrays.values() for size in it.shape):
        raise _unknown(call)
    pairs, at = [], 0
    for it in arrays.values():
        pairs.append((it, tuple(range(at, at + it.ndim))))
        at += it.ndim
    out = tuple(range(at, at + call.results[0].ndim))
    sizes = dict(zip(out, call.results[0].shape, strict=True))
    return _blockwise(call, tuple(arrays), out, pairs, new_axes=sizes)


def _blockwise(
    call: Call, names: tuple[str, ...], out: tuple[Any, ...], pairs: list[Any], **sizes: Any
) -> Any:
    """The array of results; `names` are the parameters that chunks are for."""
    others = tuple((key, it) for key, it in call.bound.arguments.items() if key not in names)
    parts = [part for pair in pairs for part in pair]
    meta = empty_like(call.results[0])
    made = da.blockwise(
        Block(call.row, names, others),
        out,
        *parts,
        dtype=meta.dtype,
        meta=meta,
        concatenate=True,
        name=None,
        token=call.row.name,
        **sizes,
    )
    return _several(call, made)


def _several(call: Call, made: Any) -> Any:
    """One array for each result, of an array whose chunks have all."""
    if not isinstance(call.result, tuple):
        return made
    index = tuple(range(made.ndim))
    arrays = []
    for at, result in enumerate(call.results):
        meta = empty_like(result)
        arrays.append(
            da.blockwise(
                Select(at), index, made, index, dtype=meta.dtype, meta=meta, token=call.row.name
            )
        )
    return tuple(arrays)


def _chunked(call: Call, x: Any, dims: tuple[int, ...], verb: str) -> ValueError:
    split = [dim for dim in dims if x.numblocks[dim] != 1]
    way = ", ".join(f"{dim}: -1" for dim in split)
    return ValueError(
        f"map(): `{call.row.name}` {verb} dimension {', '.join(str(dim) for dim in split)}, which "
        f"has several chunks, and partial results of it cannot be merged; "
        f"x.rechunk({{{way}}}) makes one of them"
    )


def _unknown(call: Call) -> ValueError:
    return ValueError(
        f"map(): `{call.row.name}` needs the sizes of chunks, and some are unknown; "
        f"x.compute_chunk_sizes() calculates them"
    )
