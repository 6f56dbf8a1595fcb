"""What runs in tasks: an overload over the chunks of its arguments."""

from __future__ import annotations

import sys
from dataclasses import dataclass, fields

import numpy as np

from .. import _C
from ._named import named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_PACKAGE = __name__.partition(".")[0]


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
