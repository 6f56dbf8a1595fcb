"""The graph of recorded calls: its nodes and edges."""

from __future__ import annotations

from abc import ABC
from typing import NamedTuple

from opwright import _C

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from opwright import Tensor


class Node(ABC):  # noqa: B024
    """A recorded call, of an operator or of a function that brings its own gradient."""


Node.register(_C._Node)
Node.register(_C._FunctionBase)


class GradientEdge(NamedTuple):
    """Where the gradient of a tensor goes: a node, and the number of its output."""

    node: _C._Node | _C._FunctionBase
    output_nr: int


def get_gradient_edge(tensor: Tensor) -> GradientEdge:
    """Where the gradient of `tensor` goes; `grad` takes it among its inputs."""
    return GradientEdge(*_C._gradient_edge(tensor))


def increment_version(tensor: Tensor | Iterable[Tensor]) -> None:
    """Count a write to the memory of tensors that no operator made."""
    _C._increment_version(tensor)
