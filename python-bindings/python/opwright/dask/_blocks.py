"""What runs in tasks: an overload over the chunks of its arguments, and conversions of chunks."""

from __future__ import annotations

import sys
from dataclasses import dataclass, fields
from functools import cache

import numpy as np

from .. import _C
from ._named import named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_PACKAGE = __name__.partition(".")[0]
# Has all elements of `bfloat16`, the dtype that numpy lacks.
WIDER = _C.float32


class ByName:
    """A dataclass that a worker without the package unpickles too, and says what it lacks."""

    def __reduce__(self) -> tuple[Any, ...]:
        held: Any = self
        values = tuple(getattr(self, field.name) for field in fields(held))
        return named(type(self).__module__, type(self).__qualname__, values)


@dataclass(frozen=True)
class Block(ByName):
    """An overload whose arguments of these names are chunks, in this order."""

    row: Any
    names: tuple[str, ...]
    others: tuple[tuple[str, Any], ...]

    @property
    def __name__(self) -> str:
        return str(self.row.name)

    def __call__(self, *chunks: Any) -> Any:
        """The result of one block."""
        arguments = dict(self.others)
        arguments.update(zip(self.names, map(tensor, chunks), strict=True))
        package = type(self.row).__module__.partition(".")[0]
        # In the place of a row that this process lacks is a function that says so.
        if package in (_PACKAGE, "builtins"):
            return self.row(**arguments)
        # A tensor of the other module, and one of this module again, over the same memory.
        module = sys.modules[package]
        for name, value in arguments.items():
            if isinstance(value, _C.TensorBase):
                arguments[name] = module.as_tensor(value)
        result = self.row(**arguments)
        return tuple(map(_C.as_tensor, result)) if isinstance(result, tuple) else tensor(result)


@dataclass(frozen=True)
class Select(ByName):
    """One of several results."""

    position: int

    @property
    def __name__(self) -> str:
        return f"result-{self.position}"

    def __call__(self, results: Any) -> Any:
        """The result at the position."""
        return results[self.position]


def tensor(chunk: Any) -> Any:
    """A chunk as a tensor, over the same memory."""
    if isinstance(chunk, _C.TensorBase):
        return chunk
    has_memory = isinstance(chunk, np.ndarray) or hasattr(chunk, "__dlpack__")
    return _C.as_tensor(chunk if has_memory else np.asarray(chunk))


@dataclass(frozen=True)
class Cast(ByName):
    """Chunks of whatever kind as tensors of a dtype."""

    dtype: Any

    @property
    def __name__(self) -> str:
        return "tensor"

    def __call__(self, chunk: Any) -> Any:
        """The tensor, over the same memory if the dtype is that of the chunk."""
        # Fields of structured arrays may lie where no tensor has elements.
        if isinstance(chunk, np.ndarray) and any(it % chunk.itemsize for it in chunk.strides):
            chunk = chunk.copy()
        return tensor(chunk).to(self.dtype)


@dataclass(frozen=True)
class Arrays(ByName):
    """Chunks that are tensors as arrays of numpy."""

    @property
    def __name__(self) -> str:
        return "array"

    def __call__(self, chunk: Any) -> Any:
        """The array, over the same memory."""
        return chunk.detach().numpy() if isinstance(chunk, _C.TensorBase) else chunk


def cast(x: Any, dtype: Any) -> Any:
    """A dask array whose chunks are tensors of a dtype."""
    meta = _C.empty((0,) * x.ndim, dtype=dtype)
    return x.map_blocks(Cast(meta.dtype), dtype=meta.dtype, meta=meta)


def is_lacked(dtype: Any) -> bool:
    """Whether numpy lacks a dtype, even if other packages have told it of its name."""
    return isinstance(dtype, _C.dtype) and _has_no_arrays(dtype)


@cache
def _has_no_arrays(dtype: Any) -> bool:
    try:
        _C.empty(0, dtype=dtype).numpy()
    except TypeError:
        return True
    return False
