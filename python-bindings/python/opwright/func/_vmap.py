"""Vectorization: a function of one sample becomes a function of a batch of them."""

from __future__ import annotations

from functools import wraps

from opwright import _C

from . import _batched
from ._batched import levels_of, physical, wrapped
from ._pytree import flatten

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, ParamSpec, TypeVar, overload

    from opwright import Tensor

    from ._pytree import Structure

    # Of a function with overloads a parameter specification has the first alone.
    _F = TypeVar("_F", bound=Callable[..., Tensor | tuple[Tensor, ...]])
    _P = ParamSpec("_P")
    _R = TypeVar("_R")

if TYPE_CHECKING:

    @overload
    def vmap(
        func: _F,
        in_dims: Any = 0,
        out_dims: Any = 0,
        randomness: str = "error",
        *,
        chunk_size: int | None = None,
    ) -> _F: ...
    @overload
    def vmap(
        func: Callable[_P, _R],
        in_dims: Any = 0,
        out_dims: Any = 0,
        randomness: str = "error",
        *,
        chunk_size: int | None = None,
    ) -> Callable[_P, _R]: ...


def vmap(
    func: Callable[..., Any],
    in_dims: Any = 0,
    out_dims: Any = 0,
    randomness: str = "error",
    *,
    chunk_size: int | None = None,
) -> Callable[..., Any]:
    """A function that calls `func` for all samples of a batch at once.

    `func` sees tensors of one sample. `in_dims` says along which dimension the samples of each
    positional argument lie, and None that all share it: one number for all, or a tuple, whose parts
    are pytrees like the arguments or stand for whole ones. `out_dims` says the same of the results,
    which are tensors. All samples share arguments by name. `chunk_size` is how many samples go
    together, for less memory.

    Random numbers are an error; with `randomness="same"` all samples get the same, with
    `"different"` each its own, for which `func` is called once for each sample.

    Operators have rules for batches, and those without one are called for each sample. What looks
    at elements of one sample, such as `item`, or an `if`, is a `RuntimeError`.

        >>> x, y = opwright.tensor([[1.0, 2.0], [3.0, 4.0]]), opwright.tensor([1.0, 10.0])
        >>> opwright.func.vmap(opwright.dot, in_dims=(0, None))(x, y)
        tensor([21., 43.], dtype=float32, shape=(2,))
    """
    if randomness not in ("error", "different", "same"):
        raise RuntimeError(
            f"Only allowed values for randomness are 'error', 'different', or 'same'. Got "
            f"{randomness}"
        )
    if chunk_size is not None and chunk_size <= 0:
        raise ValueError(f"vmap: chunk_size should be None or greater than 0. (got {chunk_size})")
    name = getattr(func, "__name__", repr(func))

    def batched(*args: Any, **kwargs: Any) -> Any:
        mapping = _Mapping(name, in_dims, args, kwargs)
        size = mapping.size
        if randomness == "different":
            parts = [mapping.sample(at) for at in range(size)]
            if parts:
                results = [func(*args, **kwargs) for args, kwargs in parts]
                return _joined(name, results, out_dims, _stack)
        if chunk_size is None or size <= chunk_size:
            return _run(func, name, mapping, out_dims, randomness)
        chunks = [
            _run(func, name, mapping.chunk(at, min(chunk_size, size - at)), out_dims, randomness)
            for at in range(0, size, chunk_size)
        ]
        return _joined(name, chunks, out_dims, lambda parts, dim: _C.cat(parts, dim))

    return wraps(func)(batched) if hasattr(func, "__name__") else batched


class _Mapping:
    """The arguments of a call, and along which dimensions their samples lie."""

    def __init__(
        self, name: str, in_dims: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> None:
        self.name = name
        self.leaves, self.structure = flatten((args, kwargs))
        self.dims = _in_dims(name, in_dims, args, kwargs)
        sizes = {}
        for leaf, dim in zip(self.leaves, self.dims, strict=True):
            if dim is not None:
                sizes[leaf.shape[dim]] = dim
        if not sizes:
            raise ValueError(
                f"vmap({name}, in_dims={in_dims}, ...)(<inputs>): at least one of the inputs has "
                "to be batched: got no Tensor to vmap over"
            )
        if len(sizes) > 1:
            raise ValueError(
                f"vmap: Expected all tensors to have the same size in the mapped dimension, got "
                f"sizes {list(sizes)} for the mapped dimension"
            )
        (self.size,) = sizes

    def sample(self, at: int) -> Any:
        """The arguments of one sample."""
        return self._of(lambda leaf, dim: leaf.select(dim, at))

    def chunk(self, start: int, length: int) -> _Mapping:
        """Some of the samples that follow each other."""
        chunk = object.__new__(_Mapping)
        chunk.name, chunk.structure, chunk.dims = self.name, self.structure, self.dims
        pairs = zip(self.leaves, self.dims, strict=True)
        chunk.leaves = [
            leaf if dim is None else leaf.narrow(dim, start, length) for leaf, dim in pairs
        ]
        chunk.size = length
        return chunk

    def batched(self, level: int) -> Any:
        """The arguments with batched tensors for all samples of a level."""
        return self._of(lambda leaf, dim: _entered(leaf, dim, level))

    def _of(self, make: Callable[[Any, int], Any]) -> Any:
        pairs = zip(self.leaves, self.dims, strict=True)
        return self.structure.unflatten(
            [leaf if dim is None else make(leaf, dim) for leaf, dim in pairs]
        )


def _in_dims(
    name: str, in_dims: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> list[int | None]:
    """The dimension of each leaf of the arguments."""
    prefix = f"vmap({name}, in_dims={in_dims}, ...)(<inputs>)"
    if not isinstance(in_dims, int | tuple | list):
        raise ValueError(
            f"{prefix}: expected `in_dims` to be int or a (potentially nested) tuple matching the "
            f"structure of inputs, got: {type(in_dims)}."
        )
    if not args and not kwargs:
        raise ValueError(
            f"{prefix}: got no inputs. Maybe you forgot to add inputs, or you are trying to vmap "
            "over a function with no inputs. The latter is unsupported."
        )
    leaves, structure = flatten(args)
    said = structure.broadcast(tuple(in_dims) if isinstance(in_dims, list) else in_dims)
    if said is None:
        raise ValueError(
            f"{prefix}: in_dims is not compatible with the structure of inputs. in_dims has "
            f"structure {flatten(in_dims)[1]} but inputs has structure {structure}."
        )
    named, _ = flatten(kwargs)
    said += [None] * len(named)
    return [_in_dim(prefix, *pair) for pair in zip([*leaves, *named], said, strict=True)]


def _in_dim(prefix: str, leaf: Any, dim: Any) -> int | None:
    if dim is None:
        return None
    if not isinstance(dim, int) or isinstance(dim, bool):
        raise ValueError(
            f"{prefix}: Got in_dim={dim} for an input but in_dim must be either an integer "
            "dimension or None."
        )
    if not isinstance(leaf, _C.TensorBase):
        raise ValueError(
            f"{prefix}: Got in_dim={dim} for an input but the input is of type {type(leaf)}. We "
            f"cannot vmap over non-Tensor arguments, please use None as the respective in_dim"
        )
    if not -leaf.dim() <= dim < leaf.dim():
        raise ValueError(
            f"{prefix}: Got in_dim={dim} for some input, but that input is a Tensor of "
            f"dimensionality {leaf.dim()} so expected in_dim to satisfy -{leaf.dim()} <= in_dim < "
            f"{leaf.dim()}."
        )
    return dim % leaf.dim()


def _entered(tensor: Any, dim: int, level: int) -> Any:
    """A tensor whose dimension is the samples of a new level."""
    levels, batch = levels_of(tensor), physical(tensor)
    return wrapped(batch.movedim(len(levels) + dim, len(levels)), (*levels, level))


def _left(tensor: Any, dim: int, level: int, size: int) -> Any:
    """A tensor whose samples of a level that ends are a dimension again."""
    levels, rank = levels_of(tensor), tensor.dim() + 1
    dim = dim % rank
    if level not in levels:
        shape = list(tensor.shape)
        shape.insert(dim, size)
        return tensor.unsqueeze(dim).expand(*shape)
    batch = physical(tensor)
    at = levels.index(level)
    return wrapped(batch.movedim(at, at + dim), levels[:at])


def _run(
    func: Callable[..., Any], name: str, mapping: _Mapping, out_dims: Any, randomness: str
) -> Any:
    level = _batched.begin(mapping.size, randomness)
    drawn = _C._drawn()
    try:
        args, kwargs = mapping.batched(level)
        returned = func(*args, **kwargs)
        if randomness == "error" and _C._drawn() != drawn:
            raise RuntimeError(
                f"vmap: called random operation while in randomness error mode: {name} drew random "
                f"numbers; pass randomness='different' or 'same' to vmap"
            )
        leaves, structure, dims = _outputs(name, returned, out_dims)
        found = [
            it if dim is None else _left(it, dim, level, mapping.size)
            for it, dim in zip(leaves, dims, strict=True)
        ]
    finally:
        _batched.end(level)
    return structure.unflatten(found)


def _outputs(
    name: str, returned: Any, out_dims: Any
) -> tuple[list[Any], Structure, list[int | None]]:
    """The results of a function, and along which dimensions their samples are to lie."""
    leaves, structure = flatten(returned)
    for leaf in leaves:
        if not isinstance(leaf, _C.TensorBase):
            raise ValueError(
                f"vmap({name}, ...): `{name}` must only return Tensors, got type {type(leaf)}. Did "
                "you mean to set out_dims= to None for output?"
            )
    said = structure.broadcast(tuple(out_dims) if isinstance(out_dims, list) else out_dims)
    if said is None and isinstance(out_dims, tuple) and len(out_dims) == 1 and len(leaves) == 1:
        said = list(out_dims)
    if said is None:
        raise ValueError(
            f"vmap({name}, ..., out_dims={out_dims})(<inputs>): out_dims is not compatible with "
            f"the structure of `outputs`. out_dims has structure {flatten(out_dims)[1]} but "
            f"outputs has structure {structure}."
        )
    for leaf, dim in zip(leaves, said, strict=True):
        _check_out_dim(name, leaf, dim)
    return leaves, structure, said


def _check_out_dim(name: str, leaf: Any, dim: Any) -> None:
    if dim is None:
        if levels_of(leaf):
            raise ValueError(
                f"vmap({name}, ...): `{name}` can not return a BatchedTensor when out_dim is None"
            )
        return
    if not isinstance(dim, int) or isinstance(dim, bool):
        raise ValueError(
            f"vmap({name}, ...): `out_dims` must be an int, None or a python collection of ints "
            f"representing where in the outputs the vmapped dimension should appear, not {dim!r}"
        )
    rank = leaf.dim() + 1
    if not -rank <= dim < rank:
        raise IndexError(
            f"Dimension out of range (expected to be in range of [{-rank}, {rank - 1}], but got "
            f"{dim})"
        )


def _joined(
    name: str, results: list[Any], out_dims: Any, join: Callable[[list[Any], int], Any]
) -> Any:
    """The results of parts of a batch as those of all."""
    columns = []
    for returned in results:
        leaves, structure, dims = _outputs(name, returned, out_dims)
        columns.append(leaves)
    joined = [
        parts[0] if dim is None else join(list(parts), dim)
        for parts, dim in zip(zip(*columns, strict=True), dims, strict=True)
    ]
    return structure.unflatten(joined)


def _stack(parts: list[Any], dim: int) -> Any:
    return _C.stack(parts, dim)
