"""What runs in tasks: an overload over the chunks of its arguments.

Everything here is pickled by name: a worker that lacks the package says which one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .. import _C

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


@dataclass(frozen=True)
class Block:
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
        for name, chunk in zip(self.names, chunks, strict=True):
            arguments[name] = tensor(chunk)
        return self.row(**arguments)


@dataclass(frozen=True)
class Select:
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
    return _C.as_tensor(chunk if isinstance(chunk, np.ndarray) else np.asarray(chunk))
